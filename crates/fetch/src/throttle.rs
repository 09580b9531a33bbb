//! What a server means by 429, 503 and Retry-After (RFC 6585 §4, RFC 9110 §10.2.3).

use model::Answer;
use std::time::{Duration, SystemTime};

/// The pause after a 429 that does not say, readably, how long.
pub(crate) const DEFAULT_PAUSE: Duration = Duration::from_secs(1);

/// How a server asked to be left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Throttle {
    /// A 429 without any Retry-After.
    Unsaid,
    /// A 429 whose Retry-After is neither a number of seconds nor a date.
    Unreadable,
    /// This long, uncapped; `may_ask_again` for a 429 only.
    For { wait: Duration, may_ask_again: bool },
}

/// Reads an answer received at `now`; `None` where it asks for nothing.
pub(crate) fn read(answer: &Answer, now: SystemTime) -> Option<Throttle> {
    let limited = answer.status == 429;
    if !limited && answer.status != 503 {
        return None;
    }
    let Some(text) = answer.header("retry-after").map(str::trim) else {
        return limited.then_some(Throttle::Unsaid);
    };
    match wait(text, answer.header("date"), now) {
        Some(wait) => Some(Throttle::For { wait, may_ask_again: limited }),
        None => limited.then_some(Throttle::Unreadable),
    }
}

/// The wait that an answer received at `now` asks for, whatever its status.
pub(crate) fn asked_wait(answer: &Answer, now: SystemTime) -> Option<Duration> {
    wait(answer.header("retry-after")?.trim(), answer.header("date"), now)
}

/// The wait that a Retry-After value asks for. A date counts from the server's own Date, where there is one, because
/// its clock and ours may differ; one that is over means the default pause.
fn wait(text: &str, date: Option<&str>, now: SystemTime) -> Option<Duration> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::from(u32::MAX))));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    let from = date.and_then(|date| httpdate::parse_http_date(date.trim()).ok()).unwrap_or(now);
    Some(until.duration_since(from).ok().filter(|wait| !wait.is_zero()).unwrap_or(DEFAULT_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_values() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777); // Sun, 06 Nov 1994 08:49:37 GMT
        let check = |text: &str, date: Option<&str>, expect: Option<u64>| {
            assert_eq!(wait(text, date, now), expect.map(Duration::from_secs), "{text}");
        };
        check("0", None, Some(0));
        check("120", None, Some(120));
        check("86400", None, Some(86_400));
        check("99999999999999999999999999", None, Some(u64::from(u32::MAX)));
        check("Sun, 06 Nov 1994 08:49:40 GMT", None, Some(3));
        check("Sunday, 06-Nov-94 08:50:37 GMT", None, Some(60));
        check("Sun Nov  6 08:49:38 1994", None, Some(1));
        check("Sun, 06 Nov 1994 08:49:40 GMT", Some("Sun, 06 Nov 1994 08:49:30 GMT"), Some(10));
        check("Sun, 06 Nov 1994 08:00:00 GMT", None, Some(1));
        for unreadable in ["-5", "+5", "1m30s", "1.5", "", "soon", "5 seconds", "5, 6"] {
            check(unreadable, None, None);
        }
    }
}
