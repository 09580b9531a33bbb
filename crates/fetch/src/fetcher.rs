//! The polite fetcher of one crawl: its settings, its client and its hosts.

use crate::address_rule::AddressRule;
use crate::body::Reading;
use crate::budget::Budget;
use crate::decode;
use crate::exchange::{self, Exchange};
use crate::host::{Host, HostState, HostTraffic};
use crate::robots_txt::{self, RobotsAnswer};
use crate::seams::Seams;
use crate::tls::{self, CertificateFacts, Witness};
use crate::trace::{CheckedResolver, TraceLayer};
use http::{HeaderMap, HeaderValue, header};
use model::outcome::Attempt;
use model::plan::{FetchPlan, Pace};
use model::{Address, Clock, Outcome, Plan};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// An idle connection is closed after this long: before the servers do it (Apache and Node after 5 s), so that few
/// requests meet a connection that has just gone, and soon enough not to hoard sockets of a thousand other hosts.
const IDLE_LIMIT: Duration = Duration::from_secs(4);

/// Header fields of one answer at most; a page with two hundred `Link` or `Set-Cookie` fields is still read.
const MAX_HEADER_FIELDS: usize = 256;

/// Bytes of one HTTP/2 header list at most, about what HTTP/1 answers may have.
const MAX_HEADER_LIST: u32 = 256 * 1024;

/// Why no fetcher could be made.
#[derive(Debug, Error)]
pub enum FetchError {
    #[error("the user agent holds characters that no request can carry")]
    UserAgent,
    #[error("the HTTP client could not be set up")]
    Client(#[source] reqwest::Error),
    #[error("TLS could not be set up")]
    Tls(#[source] rustls::Error),
}

/// What is wanted of one URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// GET; the body is read only if the answer is HTML, by its type or, without a type, by its first bytes. Where
    /// `Answer::body_read` is true, the body is HTML.
    Page,
    /// HEAD; where that fails, one GET whose body is not read.
    Status,
    /// HEAD; if it is a 2xx with HTML, or fails, a GET as for a page.
    StatusThenPage,
}

/// The polite fetcher of one crawl. Clones share hosts, connections and budget.
#[derive(Debug, Clone)]
pub struct Fetcher {
    inner: Arc<Inner>,
}

/// A host asked to be left alone for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowDown {
    /// Host name without port.
    pub host: String,
    pub pause: Duration,
}

/// Slow-downs kept for whoever takes them.
const MAX_NEWS: usize = 1_000;

/// What clones share.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) client: reqwest::Client,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) addresses: AddressRule,
    pub(crate) fetch: FetchPlan,
    pub(crate) budget: Arc<Budget>,
    /// Basic authentication a person gave, by origin.
    pub(crate) credentials: HashMap<String, HeaderValue>,
    /// Pauses that hosts asked for since these were last taken; a std lock, as below.
    slow_downs: Mutex<Vec<SlowDown>>,
    pace: Pace,
    witness: Arc<Witness>,
    /// A std lock: it is held for a look-up and never across an await.
    hosts: Mutex<HashMap<Box<str>, Arc<Host>>>,
}

impl Inner {
    fn hosts(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Host>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn note_slow_down(&self, host: &str, pause: Duration) {
        let mut news = self.slow_downs.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever does not take them has no use for more.
        if news.len() < MAX_NEWS {
            news.push(SlowDown { host: host.to_owned(), pause });
        }
    }

    pub(crate) fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts();
        if let Some(host) = hosts.get(name) {
            return Arc::clone(host);
        }
        let host = Arc::new(Host::new(self.pace.concurrency, self.pace.delay));
        hosts.insert(name.into(), Arc::clone(&host));
        host
    }
}

impl Fetcher {
    /// Sets the client up; nothing is sent. The fetcher is to be used inside a tokio runtime.
    pub fn new(plan: &Plan, seams: Seams) -> Result<Self, FetchError> {
        let (config, witness) = tls::configure(&seams).map_err(FetchError::Tls)?;
        let agent = HeaderValue::from_str(&plan.agent.header).map_err(|_| FetchError::UserAgent)?;
        let mut headers = HeaderMap::with_capacity(3);
        headers.insert(header::USER_AGENT, agent);
        headers.insert(header::ACCEPT, HeaderValue::from_static("*/*"));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(decode::ACCEPTED));
        let client = reqwest::Client::builder()
            .default_headers(headers)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .tls_backend_preconfigured(config)
            .dns_resolver(Arc::new(CheckedResolver {
                resolver: Arc::clone(&seams.resolver),
                addresses: seams.addresses,
                clock: Arc::clone(&seams.clock),
            }))
            .connector_layer(TraceLayer(Arc::clone(&seams.clock)))
            .tcp_nodelay(true)
            .tcp_keepalive(None)
            // The client divides this among a host's addresses, so that a dead first one leaves time for the next.
            .connect_timeout(plan.fetch.timeout)
            .pool_idle_timeout(IDLE_LIMIT)
            .pool_max_idle_per_host(plan.pace.concurrency.max(1))
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_max_headers(MAX_HEADER_FIELDS)
            .http2_max_header_list_size(MAX_HEADER_LIST)
            .build()
            .map_err(FetchError::Client)?;
        Ok(Self {
            inner: Arc::new(Inner {
                client,
                clock: seams.clock,
                addresses: seams.addresses,
                budget: Budget::new(plan.fetch.inflight_budget),
                fetch: plan.fetch.clone(),
                credentials: exchange::credentials(&plan.credentials),
                slow_downs: Mutex::default(),
                pace: plan.pace,
                witness,
                hosts: Mutex::default(),
            }),
        })
    }

    /// Asks for one URL. Redirects are not followed: a 3xx is an answer with its Location header.
    pub async fn fetch(&self, address: &Address, want: Want) -> Outcome {
        let page = Reading::Html { cap: self.inner.fetch.body_cap };
        let mut exchange = Exchange::new(&self.inner, address);
        let result = match want {
            Want::Page => exchange.get(page).await,
            Want::Status => exchange.head(None).await,
            Want::StatusThenPage => exchange.head(Some(page)).await,
        };
        exchange.outcome(result)
    }

    /// Asks an origin (`https://www.example.com`) for its robots.txt, up to five redirects followed.
    pub async fn robots(&self, origin: &str) -> RobotsAnswer {
        match Address::parse(origin).and_then(|address| address.join("/robots.txt")) {
            Ok(address) => robots_txt::ask(&self.inner, address).await,
            Err(error) => RobotsAnswer::no_address(&error),
        }
    }

    /// Asks for a sitemap, redirects followed up to the plan's number; the body of a 2xx is whole up to the plan's
    /// cap, raw after transport decoding.
    pub async fn sitemap(&self, address: &Address) -> Outcome {
        let hops = usize::from(self.inner.fetch.redirects);
        let (mut attempts, mut paused) = (Vec::<Attempt>::new(), None);
        let mut at = address.clone();
        for hop in 0..=hops {
            let mut exchange = Exchange::new(&self.inner, &at);
            let result = exchange.get(Reading::Success { cap: self.inner.fetch.sitemap_cap }).await;
            let outcome = exchange.outcome(result);
            attempts.extend(outcome.attempts);
            paused = paused.max(outcome.paused_host);
            match outcome.result.as_ref().ok().and_then(|answer| robots_txt::target(&at, answer)) {
                Some(next) if hop < hops => at = next,
                Some(_) => break,
                None => return Outcome { result: outcome.result, attempts, paused_host: paused },
            }
        }
        Outcome { result: Err(robots_txt::too_many(hops)), attempts, paused_host: paused }
    }

    /// Sets the Crawl-delay of a host; it wins over a shorter own delay.
    pub fn set_delay(&self, host: &str, delay: Duration) {
        self.inner.host(host).set_crawl_delay(delay);
    }

    /// How a host is being asked; the plan's pace for one that was not asked yet.
    pub fn host_state(&self, host: &str) -> HostState {
        let known = self.inner.hosts().get(host).map(Arc::clone);
        let state = |host: &Host| host.state(self.inner.clock.now());
        known.map_or_else(
            || state(&Host::new(self.inner.pace.concurrency, self.inner.pace.delay)),
            |host| state(&host),
        )
    }

    /// The pauses that hosts asked for since the last call, as soon as they begin.
    pub fn take_slow_downs(&self) -> Vec<SlowDown> {
        std::mem::take(&mut *self.inner.slow_downs.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Every host that was asked, by name.
    pub fn traffic(&self) -> Vec<HostTraffic> {
        let now = self.inner.clock.now();
        let hosts = self.inner.hosts();
        let mut traffic: Vec<HostTraffic> = hosts
            .iter()
            .map(|(name, host)| HostTraffic {
                host: name.to_string(),
                state: host.state(now),
                crawl_delay: host.crawl_delay(),
                certificate: self.inner.witness.certificate(name),
            })
            .collect();
        drop(hosts);
        traffic.sort_by(|a, b| a.host.cmp(&b.host));
        traffic
    }

    /// What the certificate of a host says, where a TLS handshake got that far.
    pub fn certificate(&self, host: &str) -> Option<CertificateFacts> {
        self.inner.witness.certificate(host)
    }
}
