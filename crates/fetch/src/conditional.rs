//! Conditional requests (RFC 9110 §13): what an answer is known by, taken and sent back byte for byte.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use model::Validators;

/// What the answer with these headers is known by.
pub(crate) fn validators(headers: &HeaderMap) -> Validators {
    let bytes = |name: HeaderName| {
        let value = headers.get(name)?.as_bytes();
        (!value.is_empty()).then(|| value.into())
    };
    Validators { etag: bytes(header::ETAG), last_modified: bytes(header::LAST_MODIFIED) }
}

/// Asks for the body only if it is no longer the one that these validators came with. Bytes that no header can hold
/// never came in one, and are left out.
pub(crate) fn ask(validators: &Validators, headers: &mut Vec<(HeaderName, HeaderValue)>) {
    let conditions =
        [(header::IF_NONE_MATCH, &validators.etag), (header::IF_MODIFIED_SINCE, &validators.last_modified)];
    for (name, value) in conditions {
        if let Some(Ok(value)) = value.as_deref().map(HeaderValue::from_bytes) {
            headers.push((name, value));
        }
    }
}
