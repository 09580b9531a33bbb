//! The polite fetcher of one crawl: its settings, its client and its hosts.

use crate::address_rule::AddressRule;
use crate::auth::Vault;
use crate::body::Reading;
use crate::budget::Budget;
use crate::conditional::{self, Earlier};
use crate::cookies::Jar;
use crate::exchange::Exchange;
use crate::follow::{self, Followed};
use crate::host::{Host, HostState, HostTraffic};
use crate::hsts::Hsts;
use crate::ledger::{HostsNow, Ledger, OriginTraffic};
use crate::pieces::Pieces;
use crate::robots_txt::{self, Bounds, RobotsAnswer};
use crate::seams::Seams;
use crate::tls::{CertificateFacts, Witness};
use crate::wire::{BadProxyVariable, Wire};
use model::outcome::Attempt;
use model::plan::{CookieRule, FetchPlan, Pace};
use model::policy::{Job, Span};
use model::{Address, Clock, FailureKind, Outcome, Plan, Policy};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// Why no fetcher could be made.
#[derive(Debug, Error)]
pub enum FetchError {
    #[error("the user agent holds characters that no request can carry")]
    UserAgent,
    #[error("the header {0} holds characters that no request can carry")]
    Header(String),
    #[error("the HTTP client could not be set up")]
    Client(#[source] reqwest::Error),
    #[error("TLS could not be set up")]
    Tls(#[source] rustls::Error),
    #[error(transparent)]
    Proxy(BadProxyVariable),
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
    /// GET; the body of a 2xx is read, whatever it is.
    Body,
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

/// Cookies, logins and forms are one row of the policies, and only an Audit has them.
fn logs_in(policy: &Policy) -> bool {
    policy.job == Job::Audit
}

pub(crate) const fn asks_single_addresses(policy: &Policy) -> bool {
    matches!(policy.span, Span::OneAddress | Span::FeedAddress)
}

/// Slow-downs kept for whoever takes them.
const MAX_NEWS: usize = 1_000;

/// What clones share.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) wire: Wire,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) addresses: AddressRule,
    pub(crate) fetch: FetchPlan,
    pub(crate) policy: Policy,
    pub(crate) budget: Arc<Budget>,
    /// What a person gave, by origin.
    pub(crate) vault: Vault,
    /// What becomes of cookies; where the policy has none, none are kept.
    pub(crate) cookies: CookieRule,
    /// The cookies of the crawl, where it shares them; a std lock, as below.
    jar: Mutex<Jar>,
    pub(crate) hsts: Hsts,
    /// Pauses that hosts asked for since these were last taken; a std lock, as below.
    slow_downs: Mutex<Vec<SlowDown>>,
    pub(crate) ledger: Ledger,
    pace: Pace,
    witness: Arc<Witness>,
    /// A std lock: it is held for a look-up and never across an await.
    hosts: Mutex<HashMap<Box<str>, Arc<Host>>>,
    /// No request begins any more.
    closed: AtomicBool,
}

impl Inner {
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    fn hosts(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Host>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How each host is being asked, by name.
    pub(crate) fn states(&self) -> HashMap<String, HostState> {
        let now = self.clock.now();
        self.hosts().iter().map(|(name, host)| (name.to_string(), host.state(now))).collect()
    }

    /// The jar that all requests share.
    pub(crate) fn jar(&self) -> MutexGuard<'_, Jar> {
        self.jar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether credentials in an address may be used.
    pub(crate) fn may_log_in(&self) -> bool {
        logs_in(&self.policy)
    }

    /// Whether the job asks for single addresses, now and then, rather than for those of a site one after another: then no
    /// host is given up or paused because of what it answered, and no connection is kept for later.
    pub(crate) const fn asks_single_addresses(&self) -> bool {
        asks_single_addresses(&self.policy)
    }

    /// Notes the certificate, as it came, under which a URL was asked; gives what is wrong with it.
    pub(crate) fn note_certificate(&self, url: &url::Url, leaf: &[u8]) -> Option<FailureKind> {
        self.witness.note(url, leaf)
    }

    pub(crate) fn note_slow_down(&self, host: &str, pause: Duration) {
        let mut news = self.slow_downs.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever does not take them has no use for more.
        if news.len() < MAX_NEWS {
            news.push(SlowDown { host: host.to_owned(), pause });
        }
    }

    /// Requests at once to a host of which nobody has said that it belongs to the site.
    fn at_once_elsewhere(&self) -> usize {
        let told = self.policy.concurrency;
        if told.elsewhere < told.site { told.elsewhere } else { self.pace.concurrency }
    }

    pub(crate) fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts();
        if let Some(host) = hosts.get(name) {
            return Arc::clone(host);
        }
        let host = Arc::new(Host::new(self.at_once_elsewhere(), self.pace.delay));
        hosts.insert(name.into(), Arc::clone(&host));
        host
    }
}

impl Fetcher {
    /// Sets the client up; nothing is sent. The fetcher is to be used inside a tokio runtime.
    pub fn new(plan: &Plan, seams: Seams) -> Result<Self, FetchError> {
        Self::under(plan, seams, AddressRule::from(plan.policy.addresses))
    }

    /// The same under another rule about addresses than the policy's.
    pub(crate) fn under(plan: &Plan, seams: Seams, addresses: AddressRule) -> Result<Self, FetchError> {
        let (wire, witness) = Wire::new(plan, &seams, &addresses)?;
        Ok(Self {
            inner: Arc::new(Inner {
                wire,
                clock: seams.clock,
                addresses,
                budget: Budget::new(plan.fetch.inflight_budget),
                fetch: plan.fetch.clone(),
                policy: plan.policy,
                vault: if logs_in(&plan.policy) { Vault::new(&plan.secrets) } else { Vault::default() },
                cookies: if logs_in(&plan.policy) { plan.http.cookies } else { CookieRule::Off },
                jar: Mutex::default(),
                hsts: Hsts::default(),
                slow_downs: Mutex::default(),
                ledger: Ledger::default(),
                pace: plan.pace,
                witness,
                hosts: Mutex::default(),
                closed: AtomicBool::new(false),
            }),
        })
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// Asks for one URL. Redirects are not followed: a 3xx is an answer with its Location header. An http URL of a host
    /// that wants https alone is not asked; its answer is a synthetic 307.
    pub async fn fetch(&self, address: &Address, want: Want) -> Outcome {
        if let Some(outcome) = self.inner.hsts.outcome(address, self.inner.clock.wall()) {
            return outcome;
        }
        self.fetch_as_written(address, want).await
    }

    /// The same, but asked as it is whatever its host wants: for finding out what an http URL answers.
    pub async fn fetch_as_written(&self, address: &Address, want: Want) -> Outcome {
        let reading = self.reading(want);
        let mut exchange = Exchange::new(&self.inner, address);
        let result = match want {
            Want::Page | Want::Body => exchange.get(reading).await,
            Want::Status => exchange.head(None).await,
            Want::StatusThenPage => exchange.head(Some(reading)).await,
        };
        exchange.outcome(result)
    }

    /// Asks for a page that an earlier crawl holds, unless it is still that one: where the server says so (304), the answer is
    /// the earlier one renewed (`Answer::not_modified`), with the body that `load` gives. Where that gives none, or the
    /// server refuses conditions (412), the page is asked for once more without any. `want` is one that is asked by GET.
    pub async fn fetch_unless_known(
        &self,
        address: &Address,
        want: Want,
        earlier: Earlier,
        load: impl AsyncFnOnce() -> Option<Vec<u8>>,
    ) -> Outcome {
        if let Some(outcome) = self.inner.hsts.outcome(address, self.inner.clock.wall()) {
            return outcome;
        }
        let validators = earlier.validators.clone();
        let mut exchange = Exchange::new(&self.inner, address).unless_known(validators);
        let result = exchange.get(self.reading(want)).await;
        let mut outcome = exchange.outcome(result);
        match &mut outcome.result {
            Ok(answer) if answer.status == 304 => {
                let mut held = self.inner.budget.open();
                held.grow(earlier.size).await;
                if let Some(body) = load().await {
                    held.settle(body.len() as u64);
                    conditional::renew(answer, earlier, body);
                    answer.budget = Some(Box::new(held));
                    return outcome;
                }
            }
            Ok(answer) if answer.status == 412 => {}
            _ => return outcome,
        }
        let mut attempts = std::mem::take(&mut outcome.attempts);
        let anew = self.fetch(address, want).await;
        attempts.extend(anew.attempts);
        Outcome { attempts, paused_host: outcome.paused_host.max(anew.paused_host), ..anew }
    }

    /// Follows redirects from a URL as one visitor does who keeps cookies, up to so many hops, by GET; of bodies, what
    /// `want` says is read. Ends before an address of which `may_ask` says no. For chains that look like loops to a visitor
    /// without.
    pub async fn follow_with_cookies(
        &self,
        address: &Address,
        hops: usize,
        want: Want,
        may_ask: impl AsyncFn(&Address) -> bool,
    ) -> Followed {
        follow::with_cookies(&self.inner, address, hops, self.reading(want), may_ask).await
    }

    /// Asks for a URL that failed once more: one GET without retries, its body read as `want` says.
    pub async fn fetch_again(&self, address: &Address, want: Want) -> Outcome {
        if let Some(outcome) = self.inner.hsts.outcome(address, self.inner.clock.wall()) {
            return outcome;
        }
        let mut exchange = Exchange::new(&self.inner, address);
        let result = exchange.get_once(self.reading(want)).await;
        exchange.outcome(result)
    }

    /// Asks for a URL by GET as the plan's second user agent, its body read as `want` says. An error of the server is asked for
    /// once more: what stands is what the agent is shown, not what went wrong once.
    pub async fn fetch_as_second_agent(&self, address: &Address, want: Want) -> Outcome {
        let mut attempts = Vec::new();
        loop {
            let mut exchange = Exchange::new(&self.inner, address).by_second_agent();
            let result = exchange.get(self.reading(want)).await;
            let mut outcome = exchange.outcome(result);
            let stumbled = outcome.result.as_ref().is_ok_and(|answer| answer.status >= 500);
            let is_first = attempts.is_empty();
            attempts.append(&mut outcome.attempts);
            if !(stumbled && is_first) {
                return Outcome { attempts, ..outcome };
            }
        }
    }

    /// Which bodies a GET reads for this want.
    fn reading(&self, want: Want) -> Reading {
        match want {
            Want::Status => Reading::Nothing,
            Want::Page | Want::StatusThenPage => Reading::Html { cap: self.inner.fetch.body_cap },
            Want::Body => Reading::Success { cap: self.inner.fetch.body_cap },
        }
    }

    /// Asks an origin (`https://www.example.com`) for its robots.txt, up to five redirects followed.
    pub async fn robots(&self, origin: &str) -> RobotsAnswer {
        let address = match Address::parse(origin).and_then(|address| address.join("/robots.txt")) {
            Ok(address) => address,
            Err(error) => return RobotsAnswer::no_address(&error),
        };
        // Of a host that wants https alone, no http is asked for rules either; nothing redirected, so this is no hop.
        let address = self.inner.hsts.upgrade(&address, self.inner.clock.wall()).unwrap_or(address);
        robots_txt::ask(&self.inner, address, Bounds::STANDARD).await
    }

    /// Asks for a sitemap. The body of a 2xx goes to the reader of `pieces` while it comes, raw after transport decoding
    /// and up to the plan's cap. Redirects are followed up to the plan's number as long as `may_follow` says so; one that
    /// is not followed is an answer, with the address that gave it.
    pub async fn sitemap(
        &self,
        address: &Address,
        pieces: &Pieces,
        may_follow: impl Fn(&Address) -> bool,
    ) -> (Address, Outcome) {
        let hops = usize::from(self.inner.fetch.redirects);
        let (mut attempts, mut paused) = (Vec::<Attempt>::new(), None);
        let (mut at, mut jar) = (address.clone(), Jar::default());
        for hop in 0..=hops {
            let mut exchange = Exchange::along(&self.inner, &at, jar).handing_over(pieces);
            let result = exchange.get(Reading::Success { cap: self.inner.fetch.sitemap_cap }).await;
            let (outcome, after) = exchange.outcome_and_jar(result);
            jar = after;
            attempts.extend(outcome.attempts);
            paused = paused.max(outcome.paused_host);
            match outcome.result.as_ref().ok().and_then(|answer| robots_txt::target(&at, answer)) {
                Some(next) if may_follow(&next) && hop < hops => at = next,
                Some(next) if may_follow(&next) => break,
                _ => return (at, Outcome { result: outcome.result, attempts, paused_host: paused }),
            }
        }
        (at, Outcome { result: Err(robots_txt::too_many(hops)), attempts, paused_host: paused })
    }

    /// A host belongs to the site: it is asked with as many requests at once as the site is.
    pub fn join_site(&self, host: &str) {
        self.inner.host(host).widen(self.inner.pace.concurrency);
    }

    /// From now on no request begins: whatever would ask waits without end, to be given up with its task. What is on the
    /// wire comes to its end.
    pub fn close(&self) {
        self.inner.close();
    }

    /// Requests that are on the wire.
    pub fn in_flight(&self) -> usize {
        self.inner.hosts().values().map(|host| host.in_flight()).sum()
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
            || state(&Host::new(self.inner.at_once_elsewhere(), self.inner.pace.delay)),
            |host| state(&host),
        )
    }

    /// The pauses that hosts asked for since the last call, as soon as they begin.
    pub fn take_slow_downs(&self) -> Vec<SlowDown> {
        std::mem::take(&mut *self.inner.slow_downs.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What happened at each origin since the last call.
    pub fn take_traffic(&self) -> Vec<OriginTraffic> {
        self.inner.ledger.take()
    }

    /// A look at how the hosts are being asked, for other threads.
    pub fn hosts_now(&self) -> HostsNow {
        HostsNow::of(&self.inner)
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
            })
            .collect();
        drop(hosts);
        traffic.sort_by(|a, b| a.host.cmp(&b.host));
        traffic
    }

    /// What the certificate says that an origin (`https://www.example.com`) showed last, where a TLS handshake got that far.
    pub fn certificate(&self, origin: &str) -> Option<CertificateFacts> {
        self.inner.witness.certificate(origin)
    }
}
