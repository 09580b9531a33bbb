//! The network thread: one single-threaded runtime on which every request of the crawl waits.

mod extras;

use crate::earlier::{EarlierPages, KnownPage};
use crate::lanes::Job;
use crate::messages::{ToNetwork, ToParse, ToWriter};
use crate::rewriting::without_fragment;
use crate::robots_cache::{Origin, RobotsCache, Rules, Shut};
use crate::scope::looks_non_html;
use crate::sitemap_reading::{self, Batch, SitemapRecord};
use crate::sitemaps::SitemapJob;
use crossbeam_channel::Sender;
use fetch::{Fetcher, Resolve, Want};
use model::address::origin_of;
use model::policy::{Hops, Policy};
use model::{Address, Clock, Failure, FailureKind, Outcome, Purpose};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::mpsc::{self, Receiver};

/// The running thread; dropping the sender ends it and gives up what is in flight.
pub(crate) struct Network {
    sender: Option<mpsc::Sender<ToNetwork>>,
    thread: Option<JoinHandle<()>>,
    asks_conditionally: bool,
}

/// What the network thread needs to know besides.
pub(crate) struct Around {
    pub clock: Arc<dyn Clock>,
    pub resolver: Arc<dyn Resolve>,
    /// How long one step of a probe is waited for.
    pub patience: Duration,
    /// Bodies that are no pages are read too.
    pub download: bool,
    /// Decoded bytes of a sitemap that are read.
    pub sitemap_cap: u64,
    /// Where pages are asked for only where they changed.
    pub earlier: Option<EarlierPages>,
}

impl Network {
    pub(crate) fn start(
        fetcher: Fetcher,
        robots: impl FnOnce() -> RobotsCache + Send + 'static,
        policy: Policy,
        around: Around,
        capacity: usize,
        to_parse: Sender<ToParse>,
        to_writer: Sender<ToWriter>,
    ) -> std::io::Result<Self> {
        let asks_conditionally = around.earlier.is_some();
        let (sender, receiver) = mpsc::channel(capacity);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name("network".into()).spawn(move || {
            let local = tokio::task::LocalSet::new();
            let shared = Rc::new(Shared { fetcher, robots: robots(), policy, around, to_parse, to_writer });
            local.block_on(&runtime, serve(receiver, shared));
        })?;
        Ok(Self { sender: Some(sender), thread: Some(thread), asks_conditionally })
    }

    /// Whether pages that an earlier crawl holds are asked for only where they changed.
    pub(crate) const fn asks_conditionally(&self) -> bool {
        self.asks_conditionally
    }

    pub(crate) fn send(&self, message: ToNetwork) {
        if let Some(sender) = &self.sender {
            // The queue has room for all that is handed out. The thread ends by itself only when the job's time is over, and
            // then nothing more is wanted of it.
            let sent = sender.try_send(message);
            let full = matches!(sent, Err(mpsc::error::TrySendError::Full(_)));
            debug_assert!(!full, "the network thread's queue is as large as what is handed out");
        }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        drop(self.sender.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Why a URL is not asked.
enum Refused {
    Blocked(String),
    Failed(Failure),
}

/// What is wanted of the URL of a job. `download` is as of [`Around`].
pub(crate) fn want(job: &Job, policy: &Policy, download: bool) -> Want {
    let head_decides = policy.methods.head().is_some_and(|head| !head.page_is_read);
    match job.purpose {
        Purpose::Crawl | Purpose::Check if job.internal && download => Want::Body,
        Purpose::Crawl if looks_non_html(&job.text) && head_decides => Want::Status,
        Purpose::Crawl if looks_non_html(&job.text) => Want::StatusThenPage,
        Purpose::Crawl => Want::Page,
        Purpose::Check | Purpose::Store => Want::Status,
    }
}

struct Shared {
    fetcher: Fetcher,
    robots: RobotsCache,
    policy: Policy,
    around: Around,
    to_parse: Sender<ToParse>,
    to_writer: Sender<ToWriter>,
}

async fn serve(mut receiver: Receiver<ToNetwork>, shared: Rc<Shared>) {
    let mut over: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(std::future::pending());
    loop {
        // Whoever returns here gives up every request that is under way.
        let message = tokio::select! {
            biased;
            () = &mut over => return,
            message = receiver.recv() => message,
        };
        let Some(message) = message else { return };
        let shared = Rc::clone(&shared);
        match message {
            ToNetwork::EndAt(moment) => {
                let clock = &shared.around.clock;
                over = clock.sleep(moment.saturating_duration_since(clock.now()));
                continue;
            }
            ToNetwork::Fetch(job, known) => {
                tokio::task::spawn_local(async move { shared.fetch(job, known).await })
            }
            ToNetwork::Sitemap { job, origin, host, internal, batches } => {
                tokio::task::spawn_local(async move {
                    let origin = Origin { host, text: &origin, internal, quiet: false };
                    let record = shared.sitemap(&job, origin, batches).await;
                    let _ = shared.to_writer.send(ToWriter::Sitemap(Box::new(record)));
                })
            }
            ToNetwork::Extra(extra) => tokio::task::spawn_local(async move { shared.extra(extra).await }),
        };
    }
}

impl Shared {
    async fn fetch(&self, job: Job, known: Option<Box<KnownPage>>) {
        let Ok(address) = Address::parse(&job.text) else {
            let detail = "no request can be made for this address".to_owned();
            let failure = Failure { kind: FailureKind::InvalidUrl, detail };
            let outcome = Outcome { result: Err(failure), attempts: Vec::new(), paused_host: None };
            let _ = self.to_parse.send(ToParse::Page { job, bot_allowed: true, outcome });
            return;
        };
        let origin =
            Origin { host: job.host, text: origin_of(&job.text), internal: job.internal, quiet: false };
        let rules = if job.hop && !job.internal && self.policy.redirects.hops == Hops::FirstRobotsOnly {
            self.robots.known(job.host)
        } else {
            Some(self.robots.rules(origin, &self.fetcher, &self.to_writer).await)
        };
        let mut bot_allowed = true;
        if let Some(rules) = rules {
            bot_allowed = rules.audited.allows(&job.text);
            match self.refusal(&rules, &job.text, job.internal) {
                None => {}
                Some(Refused::Blocked(reason)) => {
                    let _ = self.to_writer.send(ToWriter::Blocked { url: job.url, host: job.host, reason });
                    return;
                }
                Some(Refused::Failed(failure)) => {
                    let outcome = Outcome { result: Err(failure), attempts: Vec::new(), paused_host: None };
                    let _ = self.to_parse.send(ToParse::Page { job, bot_allowed, outcome });
                    return;
                }
            }
        }
        let want = want(&job, &self.policy, self.around.download);
        let outcome = match (known, &self.around.earlier) {
            (Some(known), Some(pages)) => {
                let (crawl, url) = (known.crawl(), job.url);
                let load = async || pages.html(crawl, url).await;
                self.fetcher.fetch_unless_known(&address, want, known.earlier, load).await
            }
            _ => self.fetcher.fetch(&address, want).await,
        };
        let _ = self.to_parse.send(ToParse::Page { job, bot_allowed, outcome });
    }

    /// Why a URL may not be asked, where that is so.
    fn refusal(&self, rules: &Rules, url: &str, internal: bool) -> Option<Refused> {
        match &rules.shut {
            Some(Shut::Status(status)) => {
                let reason = format!("robots.txt answered {status}, so nothing of this site is asked");
                return Some(Refused::Blocked(reason));
            }
            // Who gives no answer for one file gives none for another: the link leads nowhere.
            Some(Shut::NoAnswer(failure)) => {
                let detail = format!("robots.txt could not be read: {}", failure.detail);
                return Some(Refused::Failed(Failure { kind: failure.kind, detail }));
            }
            None => {}
        }
        if internal && !self.policy.robots.binds() {
            return None;
        }
        let decision = rules.own.decide(without_fragment(url));
        (!decision.allowed).then(|| {
            Refused::Blocked(decision.line.map_or_else(
                || "robots.txt".to_owned(),
                |line| format!("robots.txt line {}: {line}", line.number),
            ))
        })
    }

    async fn sitemap(&self, job: &SitemapJob, origin: Origin<'_>, batches: Sender<Batch>) -> SitemapRecord {
        let Ok(address) = Address::parse(&job.url) else {
            return SitemapRecord::unanswered(
                job.row,
                "invalid-url: no request can be made for this address".to_owned(),
            );
        };
        let (internal, here) = (origin.internal, origin.text.to_owned());
        let hops_are_free = self.policy.redirects.hops == Hops::FirstRobotsOnly;
        let rules = if job.hops > 0 && !internal && hops_are_free {
            self.robots.known(origin.host)
        } else {
            Some(self.robots.rules(origin, &self.fetcher, &self.to_writer).await)
        };
        let refused = |url: &str| rules.as_ref().and_then(|rules| self.refusal(rules, url, internal));
        match refused(&job.url) {
            None => {}
            Some(Refused::Blocked(reason)) => {
                return SitemapRecord::unanswered(job.row, format!("blocked: {reason}"));
            }
            Some(Refused::Failed(failure)) => return SitemapRecord::failed(job.row, &failure),
        }
        // Elsewhere the rules are others, which are read first: such a redirect is asked for as a sitemap of its own.
        let may_follow = |next: &Address| {
            hops_are_free
                || (next.without_credentials().0.origin() == here && refused(next.as_str()).is_none())
        };
        let (pieces, mut body) = fetch::pieces();
        let reading = {
            let (address, to_writer, row, cap) =
                (address.clone(), self.to_writer.clone(), job.row, self.around.sitemap_cap);
            tokio::task::spawn_blocking(move || {
                sitemap_reading::read(&mut body, &address, cap, &batches, &|| {
                    let _ = to_writer.send(ToWriter::SitemapEntries(row));
                })
            })
        };
        let (at, outcome) = self.fetcher.sitemap(&address, &pieces, may_follow).await;
        drop(pieces);
        let report = reading.await.unwrap_or_default();
        SitemapRecord::new(job.row, &at, outcome, report)
    }
}
