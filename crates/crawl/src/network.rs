//! The network thread: one single-threaded runtime on which every request of the crawl waits.

use crate::lanes::Job;
use crate::messages::{ToNetwork, ToParse, ToWriter};
use crate::robots_cache::{Origin, RobotsCache};
use crate::scope::looks_non_html;
use crate::sitemaps::SitemapJob;
use crossbeam_channel::Sender;
use fetch::{Fetcher, Want};
use model::address::origin_of;
use model::{Address, Failure, FailureKind, Outcome, Purpose};
use std::rc::Rc;
use std::thread::JoinHandle;
use tokio::sync::mpsc::{self, Receiver};

/// The running thread; dropping the sender ends it and gives up what is in flight.
pub(crate) struct Network {
    sender: Option<mpsc::Sender<ToNetwork>>,
    thread: Option<JoinHandle<()>>,
}

impl Network {
    pub(crate) fn start(
        fetcher: Fetcher,
        robots: impl FnOnce() -> RobotsCache + Send + 'static,
        obey_robots: bool,
        capacity: usize,
        to_parse: Sender<ToParse>,
        to_writer: Sender<ToWriter>,
    ) -> std::io::Result<Self> {
        let (sender, receiver) = mpsc::channel(capacity);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name("network".into()).spawn(move || {
            let local = tokio::task::LocalSet::new();
            let shared = Rc::new(Shared { fetcher, robots: robots(), obey_robots, to_parse, to_writer });
            local.block_on(&runtime, serve(receiver, shared));
        })?;
        Ok(Self { sender: Some(sender), thread: Some(thread) })
    }

    pub(crate) fn send(&self, message: ToNetwork) {
        if let Some(sender) = &self.sender {
            // The thread ends only after this sender is dropped, and the queue has room for all that is handed out.
            let sent = sender.try_send(message);
            debug_assert!(sent.is_ok(), "the network thread's queue is as large as what is handed out");
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

struct Shared {
    fetcher: Fetcher,
    robots: RobotsCache,
    obey_robots: bool,
    to_parse: Sender<ToParse>,
    to_writer: Sender<ToWriter>,
}

async fn serve(mut receiver: Receiver<ToNetwork>, shared: Rc<Shared>) {
    while let Some(message) = receiver.recv().await {
        let shared = Rc::clone(&shared);
        match message {
            ToNetwork::Fetch(job) => tokio::task::spawn_local(async move { shared.fetch(job).await }),
            ToNetwork::Sitemap(job) => tokio::task::spawn_local(async move { shared.sitemap(job).await }),
        };
    }
}

impl Shared {
    async fn fetch(&self, job: Job) {
        let Ok(address) = Address::parse(&job.text) else {
            let detail = "no request can be made for this address".to_owned();
            let failure = Failure { kind: FailureKind::InvalidUrl, detail };
            let outcome = Outcome { result: Err(failure), attempts: Vec::new(), paused_host: None };
            let _ = self.to_parse.send(ToParse::Page { job, bot_allowed: true, outcome });
            return;
        };
        let origin = Origin { host: job.host, text: origin_of(&job.text), internal: job.internal };
        let rules = self.robots.rules(origin, &self.fetcher, &self.to_writer).await;
        if self.obey_robots || !job.internal {
            let decision = rules.own.decide(&job.text);
            if !decision.allowed {
                let reason = decision.line.map_or_else(
                    || "robots.txt".to_owned(),
                    |line| format!("robots.txt line {}: {line}", line.number),
                );
                let _ = self.to_writer.send(ToWriter::Blocked { url: job.url, host: job.host, reason });
                return;
            }
        }
        let want = match job.purpose {
            Purpose::Crawl if looks_non_html(&job.text) => Want::StatusThenPage,
            Purpose::Crawl => Want::Page,
            Purpose::Check | Purpose::Store => Want::Status,
        };
        let bot_allowed = rules.audited.allows(&job.text);
        let outcome = self.fetcher.fetch(&address, want).await;
        let _ = self.to_parse.send(ToParse::Page { job, bot_allowed, outcome });
    }

    async fn sitemap(&self, job: SitemapJob) {
        let Ok(address) = Address::parse(&job.url) else { return };
        let outcome = self.fetcher.sitemap(&address).await;
        let _ = self.to_parse.send(ToParse::Sitemap { job, outcome });
    }
}
