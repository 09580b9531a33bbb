//! What happened to a link, in words that a client understands, with the code that scripts know it by.

use model::FailureKind;
use std::borrow::Cow;

/// What a reason is made from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Facts<'a> {
    /// Status of the target, and why there was none.
    pub(super) status: Option<i64>,
    pub(super) failure: Option<&'a str>,
    /// The target redirects, and this is where the chain ends.
    pub(super) end: Option<End<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) in_circle: bool,
    pub(super) status: Option<i64>,
    pub(super) failure: Option<&'a str>,
}

/// Words and code.
pub(super) type Reason = (Cow<'static, str>, Cow<'static, str>);

pub(super) const INVALID: (&str, &str) = ("not a valid address", "invalid-address");

pub(super) fn reason(facts: Facts<'_>) -> Reason {
    match facts.end {
        Some(end) if end.in_circle => ("redirects in a circle".into(), "redirect-loop".into()),
        Some(end) => {
            let (words, code) = plain(end.status, end.failure);
            (format!("redirects to: {words}").into(), code)
        }
        None => plain(facts.status, facts.failure),
    }
}

fn plain(status: Option<i64>, failure: Option<&str>) -> Reason {
    if let Some(status) = status {
        return (status_words(status), status.to_string().into());
    }
    match failure.and_then(FailureKind::from_word) {
        Some(kind) => (failure_words(kind).into(), kind.word().into()),
        None => ("no usable answer".into(), failure.unwrap_or("unknown").to_owned().into()),
    }
}

/// The status with its name: of the standards, or of those who made it up.
fn status_words(status: i64) -> Cow<'static, str> {
    let name = match status {
        // Cloudflare, “5xx errors”: its proxy speaks about the server behind it.
        520 => "Unknown Error",
        521 => "Web Server Is Down",
        522 => "Connection Timed Out",
        523 => "Origin Is Unreachable",
        524 => "A Timeout Occurred",
        525 => "SSL Handshake Failed",
        526 => "Invalid SSL Certificate",
        530 => "Origin Error",
        // LinkedIn's answer to programs.
        999 => "Request Denied",
        other => u16::try_from(other)
            .ok()
            .and_then(|code| http::StatusCode::from_u16(code).ok())
            .and_then(|code| code.canonical_reason())
            .unwrap_or(if other >= 500 { "Server Error" } else { "Error" }),
    };
    format!("{status} {name}").into()
}

const fn failure_words(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Dns => "host name does not resolve",
        FailureKind::Connect => "no connection to the server",
        FailureKind::TlsExpired => "certificate expired",
        FailureKind::TlsNotYetValid => "certificate not valid yet",
        FailureKind::TlsWrongHost => "certificate is for another host name",
        FailureKind::TlsUntrusted => "certificate is not trusted",
        FailureKind::TlsOldVersion => "only old TLS versions",
        FailureKind::TlsIncompleteChain => "certificate chain is incomplete",
        FailureKind::Tls => "secure connection failed",
        FailureKind::Timeout => "no answer in time",
        FailureKind::Reset => "connection broken off",
        FailureKind::Protocol => "answer is not valid HTTP",
        FailureKind::TooManyRedirects => "too many redirects",
        FailureKind::Decode => "answer cannot be decoded",
        FailureKind::AddressNotAllowed => "address is not allowed",
        FailureKind::InvalidUrl => "address cannot be requested",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_words_with_a_code() {
        let check = |facts: Facts, expect: (&str, &str)| {
            let (words, code) = reason(facts);
            assert_eq!((&*words, &*code), expect);
        };
        let status = |status| Facts { status: Some(status), ..Facts::default() };
        check(status(404), ("404 Not Found", "404"));
        check(status(410), ("410 Gone", "410"));
        check(status(503), ("503 Service Unavailable", "503"));
        check(status(521), ("521 Web Server Is Down", "521"));
        check(status(999), ("999 Request Denied", "999"));
        check(status(599), ("599 Server Error", "599"));
        check(status(499), ("499 Error", "499"));
        let failure = |failure| Facts { failure: Some(failure), ..Facts::default() };
        check(failure("dns"), ("host name does not resolve", "dns"));
        check(failure("tls-expired"), ("certificate expired", "tls-expired"));
        check(failure("something new"), ("no usable answer", "something new"));
        let end = |in_circle, status, failure| Facts {
            status: Some(301),
            end: Some(End { in_circle, status, failure }),
            ..Facts::default()
        };
        check(end(false, Some(404), None), ("redirects to: 404 Not Found", "404"));
        check(end(false, None, Some("dns")), ("redirects to: host name does not resolve", "dns"));
        check(end(true, Some(302), None), ("redirects in a circle", "redirect-loop"));
    }

    #[test]
    fn every_failure_has_words_of_its_own() {
        let mut words: Vec<&str> = FailureKind::ALL.iter().map(|kind| failure_words(*kind)).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), FailureKind::ALL.len());
    }
}
