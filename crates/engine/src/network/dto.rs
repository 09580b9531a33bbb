//! The hosts that a crawl contacts, as a person sees them.

use serde::Serialize;

/// Every host that a crawl contacted.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Network {
    /// The crawl runs in this program: pauses and concurrency are those of this moment.
    pub live: bool,
    /// Origins in all; `hosts` holds the 2,000 at most that were asked most.
    pub total: u64,
    pub requests: u64,
    pub bytes: u64,
    pub errors: u64,
    pub slow_downs: u64,
    /// The most requests first.
    pub hosts: Vec<NetworkHost>,
}

/// What went to and came from one origin.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NetworkHost {
    pub origin: String,
    pub host: String,
    pub internal: bool,
    /// Requests sent, those for robots.txt and sitemaps included.
    pub requests: u64,
    /// Bytes of body received, as transferred.
    pub bytes: u64,
    /// Requests without a usable answer.
    pub errors: u64,
    /// How often the host asked to be slowed down.
    pub slow_downs: u64,
    /// How long it was left alone for that, in all.
    pub paused_ms: u64,
    /// It is being left alone for this much longer. Only while the crawl runs.
    pub paused_for_ms: Option<u64>,
    /// Requests that may be in flight at once. Only while the crawl runs.
    pub concurrency: Option<u32>,
    /// Requests that are in flight. Only while the crawl runs.
    pub in_flight: Option<u32>,
    /// Seconds, from its robots.txt.
    pub crawl_delay: Option<f64>,
    /// Time of all requests together, and of one on average.
    pub total_ms: u64,
    pub mean_ms: u64,
    /// `ok`, `missing`, `unreachable` or `throttled`; null where robots.txt was not asked for.
    pub robots_state: Option<String>,
    pub robots_status: Option<u16>,
    pub certificate: Option<HostCertificate>,
    /// The address that answered last: `192.0.2.1:443`.
    pub remote: Option<String>,
    /// Of the last answer: `HTTP/1.1`, `HTTP/2`.
    pub version: Option<String>,
}

/// What a host's certificate says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HostCertificate {
    pub issuer: String,
    pub subject: String,
    /// DNS names and addresses that it is for, at most a hundred.
    pub names: Vec<String>,
    /// ISO 8601 UTC.
    pub from: String,
    pub until: String,
    /// Why it was refused; null where it was accepted.
    pub fault: Option<String>,
}
