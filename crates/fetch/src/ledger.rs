//! What went to and came from each origin, for whoever stores it: every request on the wire is counted, whatever it was for.
//!
//! A host (a name without port) is what politeness is kept by; an origin is what people read a crawl's traffic by.

use crate::fetcher::Inner;
use crate::host::HostState;
use model::address::{origin_of, without_userinfo};
use model::{Answer, Failure};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// What happened at one origin since it was last taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginTraffic {
    /// Scheme, host and port: `https://www.example.com`.
    pub origin: String,
    /// Requests sent.
    pub requests: u64,
    /// Bytes of body received, as transferred.
    pub bytes: u64,
    /// Requests that got no usable answer.
    pub errors: u64,
    /// The time of all requests, each from sending to the end of its body.
    pub time: Duration,
    /// Pauses that the origin asked for, requests under way together counted once, and how long they were.
    pub slow_downs: u64,
    pub paused: Duration,
    /// The address that answered last, and the version it spoke; `None` where nothing answered.
    pub remote: Option<SocketAddr>,
    pub version: Option<&'static str>,
}

/// The counts of all origins of a fetcher.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// A std lock: it is held for a few additions and never across an await.
    news: Mutex<HashMap<Box<str>, OriginTraffic>>,
}

impl Ledger {
    /// One request, what came of it, and the bytes of body that came: a request that failed may have brought some.
    pub(crate) fn request(
        &self,
        url: &url::Url,
        result: &Result<Answer, Failure>,
        bytes: u64,
        time: Duration,
    ) {
        self.note(url, |traffic| {
            traffic.requests += 1;
            traffic.time += time;
            traffic.bytes += bytes;
            match result {
                Ok(answer) => {
                    traffic.remote = answer.remote.or(traffic.remote);
                    traffic.version = Some(answer.version);
                }
                Err(_) => traffic.errors += 1,
            }
        });
    }

    /// The origin asked to be left alone, which is `longer` than was known before; `counted`: not together with others.
    pub(crate) fn pause(&self, url: &url::Url, longer: Duration, counted: bool) {
        self.note(url, |traffic| {
            traffic.slow_downs += u64::from(counted);
            traffic.paused += longer;
        });
    }

    /// What is new, by origin.
    pub(crate) fn take(&self) -> Vec<OriginTraffic> {
        let mut taken: Vec<OriginTraffic> = std::mem::take(&mut *self.news()).into_values().collect();
        taken.sort_by(|a, b| a.origin.cmp(&b.origin));
        taken
    }

    fn note(&self, url: &url::Url, add: impl FnOnce(&mut OriginTraffic)) {
        let url = without_userinfo(url.as_str(), "");
        let origin = origin_of(&url);
        let mut news = self.news();
        if let Some(traffic) = news.get_mut(origin) {
            return add(traffic);
        }
        let mut traffic = OriginTraffic { origin: origin.to_owned(), ..OriginTraffic::default() };
        add(&mut traffic);
        news.insert(origin.into(), traffic);
    }

    fn news(&self) -> MutexGuard<'_, HashMap<Box<str>, OriginTraffic>> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the hosts of a fetcher are being asked, as long as it lives: it is not kept alive by this.
#[derive(Debug, Clone, Default)]
pub struct HostsNow(Weak<Inner>);

impl HostsNow {
    pub(crate) fn of(inner: &Arc<Inner>) -> Self {
        Self(Arc::downgrade(inner))
    }

    /// The state of each host at this moment, by name without port; `None` once the fetcher is gone.
    pub fn states(&self) -> Option<HashMap<String, HostState>> {
        Some(self.0.upgrade()?.states())
    }

    /// From now on no request begins, as after [`Fetcher::close`](crate::Fetcher::close).
    pub fn close(&self) {
        if let Some(inner) = self.0.upgrade() {
            inner.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::FailureKind;

    #[test]
    fn requests_are_counted_by_origin_until_they_are_taken() {
        let ledger = Ledger::default();
        let url = |text: &str| url::Url::parse(text).unwrap();
        let failed = || Err(Failure { kind: FailureKind::Timeout, detail: String::new() });
        ledger.request(&url("http://a.example/x?y"), &failed(), 7, Duration::from_millis(40));
        ledger.request(&url("http://user:pw@a.example:80/z"), &failed(), 5, Duration::from_millis(2));
        ledger.request(&url("http://a.example:8080/"), &failed(), 0, Duration::from_millis(1));
        ledger.pause(&url("http://a.example/"), Duration::from_secs(3), true);
        ledger.pause(&url("http://a.example/"), Duration::ZERO, false);
        let told = |taken: &[OriginTraffic]| {
            let line = |t: &OriginTraffic| {
                (
                    t.origin.clone(),
                    t.requests,
                    t.errors,
                    t.bytes,
                    t.time.as_millis(),
                    t.slow_downs,
                    t.paused.as_secs(),
                )
            };
            taken.iter().map(line).collect::<Vec<_>>()
        };
        let expect = [
            ("http://a.example".to_owned(), 2, 2, 12, 42, 1, 3),
            ("http://a.example:8080".to_owned(), 1, 1, 0, 1, 0, 0),
        ];
        assert_eq!(told(&ledger.take()), expect);
        assert_eq!(ledger.take(), []);
    }
}
