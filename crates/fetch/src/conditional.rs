//! Conditional requests (RFC 9110 §13): what an answer is known by, taken and sent back byte for byte.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use model::{Answer, Validators};

/// A page as an earlier crawl read it.
#[derive(Debug, Clone)]
pub struct Earlier {
    pub validators: Validators,
    /// As those of `Answer`.
    pub headers: Vec<(Box<str>, Box<str>)>,
    /// Bytes of its body.
    pub size: u64,
}

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

/// Makes of a 304 the answer that it stands for: the earlier one, its headers renewed by those that came (RFC 9111 §3.2).
pub(crate) fn renew(answer: &mut Answer, earlier: Earlier, body: Vec<u8>) {
    let came = std::mem::take(&mut answer.headers);
    let has = |name: &str| came.iter().any(|(known, _)| &**known == name);
    let known = earlier.validators;
    let mut validators = std::mem::take(&mut answer.validators);
    if !has("etag") {
        validators.etag = known.etag;
    }
    if !has("last-modified") {
        validators.last_modified = known.last_modified;
    }
    answer.status = 200;
    answer.headers = renewed(earlier.headers, came);
    answer.validators = validators;
    answer.body = body;
    answer.body_read = true;
    answer.not_modified = true;
}

/// Fields of a 304 that say something of the message or of a body that it does not have, and so nothing of the stored answer
/// (RFC 9111 §3.1 and §3.2): its body is stored decoded, and is read as what it was.
const OF_THE_MESSAGE: &[&str] = &[
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authentication-info",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

type Fields = Vec<(Box<str>, Box<str>)>;

/// Each field that came stands where the earlier ones of its name stood, all of which it replaces; new names follow at the end.
fn renewed(earlier: Fields, came: Fields) -> Fields {
    let mut came: Fields = came.into_iter().filter(|(name, _)| !OF_THE_MESSAGE.contains(&&**name)).collect();
    let mut fields = Fields::with_capacity(earlier.len() + came.len());
    let mut replaced: Vec<Box<str>> = Vec::new();
    for (name, value) in earlier {
        if replaced.contains(&name) {
            continue;
        }
        let (now, later) = came.into_iter().partition::<Fields, _>(|(new, _)| *new == name);
        came = later;
        if now.is_empty() {
            fields.push((name, value));
        } else {
            fields.extend(now);
            replaced.push(name);
        }
    }
    fields.extend(came);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_replaces_what_was_stored_in_its_place() {
        let fields = |list: &[(&str, &str)]| -> Fields {
            list.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
        };
        let check = |earlier: &[(&str, &str)], came: &[(&str, &str)], expect: &[(&str, &str)]| {
            assert_eq!(renewed(fields(earlier), fields(came)), fields(expect));
        };
        let stored = [("content-type", "text/html"), ("link", "<a>"), ("etag", "1"), ("link", "<b>")];
        check(&stored, &[], &stored);
        check(&stored, &[("content-type", "text/plain"), ("content-length", "0")], &stored);
        check(
            &stored,
            &[("date", "now"), ("link", "<c>"), ("link", "<d>")],
            &[
                ("content-type", "text/html"),
                ("link", "<c>"),
                ("link", "<d>"),
                ("etag", "1"),
                ("date", "now"),
            ],
        );
    }
}
