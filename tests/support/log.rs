//! The request log of a loopback server: what was asked, when, and how much at once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One request as the server saw it.
#[derive(Debug, Clone)]
pub struct Request {
    /// When its head had been read.
    pub started: Instant,
    /// When its last byte was about to be sent, or the connection had ended; `None` while it runs.
    pub ended: Option<Instant>,
    pub method: String,
    /// Path with query, as sent.
    pub path: String,
    /// The name the test gave the origin.
    pub origin: String,
    /// Names lower-cased, in order.
    pub headers: Vec<(String, String)>,
    /// Request line and headers as they came.
    pub head: Vec<u8>,
    /// Requests running when this one began, itself included.
    pub at_once: usize,
    /// The same, of this origin only.
    pub at_once_here: usize,
}

impl Request {
    /// First value of a header (name in lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// First value of a header, byte for byte.
    pub fn header_bytes(&self, name: &str) -> Option<Vec<u8>> {
        header_bytes(&self.head, name)
    }
}

/// First value of a header in the head of a request, byte for byte.
pub(crate) fn header_bytes(head: &[u8], name: &str) -> Option<Vec<u8>> {
    head.split(|byte| *byte == b'\n').find_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let value = line[colon + 1..].trim_ascii();
        line[..colon].eq_ignore_ascii_case(name.as_bytes()).then(|| value.to_vec())
    })
}

/// The log of one server, shared between its thread and the test.
#[derive(Debug, Clone, Default)]
pub struct RequestLog(Arc<Mutex<Vec<Request>>>);

impl RequestLog {
    fn entries(&self) -> MutexGuard<'_, Vec<Request>> {
        // A panicking test leaves whole entries behind, which stay readable.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the beginning; the number is for `end`.
    pub(crate) fn begin(&self, mut request: Request) -> usize {
        let mut entries = self.entries();
        let running = || entries.iter().filter(|other| other.ended.is_none());
        request.at_once = running().count() + 1;
        request.at_once_here = running().filter(|other| other.origin == request.origin).count() + 1;
        entries.push(request);
        entries.len() - 1
    }

    pub(crate) fn end(&self, number: usize, now: Instant) {
        if let Some(request) = self.entries().get_mut(number) {
            request.ended.get_or_insert(now);
        }
    }

    pub fn len(&self) -> usize {
        self.entries().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every request so far, in the order of arrival.
    pub fn all(&self) -> Vec<Request> {
        self.entries().clone()
    }

    /// The requests to one origin.
    pub fn of(&self, origin: &str) -> Vec<Request> {
        self.entries().iter().filter(|request| request.origin == origin).cloned().collect()
    }

    /// The methods with which a path was asked, in order.
    pub fn methods(&self, origin: &str, path: &str) -> Vec<String> {
        self.of(origin).into_iter().filter(|r| r.path == path).map(|r| r.method).collect()
    }

    /// How often each (origin, method, path) was asked.
    pub fn counts(&self) -> BTreeMap<(String, String, String), usize> {
        let mut counts = BTreeMap::new();
        for request in self.entries().iter() {
            *counts
                .entry((request.origin.clone(), request.method.clone(), request.path.clone()))
                .or_insert(0) += 1;
        }
        counts
    }

    /// Robots.txt was the first request to each origin that was asked anything, had ended before the second
    /// began, and was asked once.
    pub fn assert_robots_first_and_once(&self) {
        let all = self.all();
        let origins: std::collections::BTreeSet<&str> = all.iter().map(|r| r.origin.as_str()).collect();
        for origin in origins {
            let asked: Vec<&Request> = all.iter().filter(|r| r.origin == origin).collect();
            assert_eq!(
                (asked[0].method.as_str(), asked[0].path.as_str()),
                ("GET", "/robots.txt"),
                "first request to {origin}"
            );
            let times = asked.iter().filter(|r| r.path == "/robots.txt").count();
            assert_eq!(times, 1, "requests for robots.txt of {origin}");
            if let (Some(end), Some(second)) = (asked[0].ended, asked.get(1)) {
                assert!(
                    second.started >= end,
                    "{} of {origin} was asked before robots.txt was read",
                    second.path
                );
            }
        }
    }

    /// At no moment were more than `limit` requests running at one origin.
    pub fn assert_at_most_at_once(&self, limit: usize) {
        for request in self.all() {
            assert!(
                request.at_once_here <= limit,
                "{} requests at once at {} when {} came in; at most {limit} are allowed",
                request.at_once_here,
                request.origin,
                request.path
            );
        }
    }

    /// The most requests that ran at once at one origin.
    pub fn most_at_once(&self, origin: &str) -> usize {
        self.of(origin).iter().map(|request| request.at_once_here).max().unwrap_or(0)
    }

    /// The starts of two requests to one origin were never closer than `spacing`, less `jitter` for the way from the
    /// client to the server; and over all of them the spacing was kept without any such allowance but one.
    pub fn assert_spaced(&self, origin: &str, spacing: Duration, jitter: Duration) {
        let asked = self.of(origin);
        for pair in asked.windows(2) {
            let gap = pair[1].started.duration_since(pair[0].started);
            assert!(
                gap + jitter >= spacing,
                "{} came {gap:?} after {} at {origin}; {spacing:?} is the least",
                pair[1].path,
                pair[0].path
            );
        }
        if let (Some(first), Some(last)) = (asked.first(), asked.last()) {
            let span = last.started.duration_since(first.started);
            let least = spacing * (asked.len() as u32 - 1);
            assert!(
                span + jitter >= least,
                "{} requests to {origin} took {span:?}; {least:?} is the least",
                asked.len()
            );
        }
    }

    /// No (method, path) of any origin was asked twice, and GET followed HEAD only where HEAD failed: the paths in
    /// `head_refused`, which are the documented exception.
    pub fn assert_each_once(&self, head_refused: &[&str]) {
        let counts = self.counts();
        for ((origin, method, path), times) in &counts {
            assert_eq!(*times, 1, "{method} {path} of {origin} was asked {times} times");
            let also_head = counts.contains_key(&(origin.clone(), "HEAD".to_owned(), path.clone()));
            if method == "GET" && also_head {
                assert!(
                    head_refused.contains(&path.as_str()),
                    "{path} of {origin} was asked by HEAD and by GET"
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::clock::{Clock, SystemClock};

    fn request(now: Instant, origin: &str, path: &str) -> Request {
        Request {
            started: now,
            ended: None,
            method: "GET".to_owned(),
            path: path.to_owned(),
            origin: origin.to_owned(),
            headers: Vec::new(),
            head: Vec::new(),
            at_once: 0,
            at_once_here: 0,
        }
    }

    fn fails(assertion: impl FnOnce()) -> bool {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(assertion)).is_err()
    }

    #[test]
    fn concurrency_is_counted_over_all_and_per_origin() {
        let (log, now) = (RequestLog::default(), SystemClock.now());
        let first = log.begin(request(now, "a", "/1"));
        log.begin(request(now, "b", "/2"));
        log.begin(request(now, "a", "/3"));
        log.end(first, now);
        log.begin(request(now, "a", "/4"));
        let seen: Vec<_> = log.all().iter().map(|r| (r.at_once, r.at_once_here)).collect();
        assert_eq!(seen, [(1, 1), (2, 1), (3, 2), (3, 2)]);
        log.assert_at_most_at_once(2);
        assert!(fails(|| log.assert_at_most_at_once(1)));
    }

    #[test]
    fn the_assertions_can_fail() {
        let now = SystemClock.now();
        let log = RequestLog::default();
        let robots = log.begin(request(now, "a", "/robots.txt"));
        log.end(robots, now);
        log.begin(request(now + Duration::from_millis(200), "a", "/"));
        log.assert_robots_first_and_once();
        log.assert_spaced("a", Duration::from_millis(200), Duration::ZERO);
        assert!(fails(|| log.assert_spaced("a", Duration::from_millis(300), Duration::ZERO)));
        log.assert_each_once(&[]);
        log.begin(request(now, "a", "/"));
        assert!(fails(|| log.assert_each_once(&[])));
        log.begin(request(now, "a", "/robots.txt"));
        assert!(fails(|| log.assert_robots_first_and_once()));
    }
}
