//! The loop of the calling thread: hands out jobs, takes in what comes back, commits, and knows when it is done.

use crate::control::Control;
use crate::depth::relax;
use crate::frontier::{Frontier, Reach};
use crate::lanes::Lanes;
use crate::messages::{ToNetwork, ToWriter};
use crate::network::Network;
use crate::progress::Progress;
use crate::robots_cache::host_name;
use crate::sitemaps::{SitemapJob, Sitemaps};
use crate::terms::{Crawl, CrawlError, Ended, Observer};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use fetch::Fetcher;
use model::address::origin_of;
use model::clock::unix_millis;
use model::{FoundBy, Purpose};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use store::{StoreError, Value, Writer};

/// Records in a transaction at most, and its age: what a killed process has to ask for again.
const BATCH: usize = 400;
const BATCH_AGE: Duration = Duration::from_millis(500);
const PROGRESS: Duration = Duration::from_millis(200);

/// What went to and came from one host in this run.
#[derive(Default, Clone, Copy)]
pub(crate) struct Traffic {
    pub requests: i64,
    pub bytes: i64,
    pub errors: i64,
    /// Whether it ever answered, and how many requests since then ended without an answer.
    pub answered: bool,
    pub unanswered: u32,
}

/// A running crawl, as the calling thread sees it.
pub(crate) struct Course<'a, 'b> {
    pub crawl: &'a Crawl<'a>,
    pub frontier: Frontier,
    pub writer: &'a mut Writer,
    pub observer: &'b mut dyn Observer,
    pub network: Network,
    pub fetcher: Fetcher,
    pub sitemaps: Sitemaps,
    pub traffic: HashMap<u32, Traffic>,
    /// How often each host asked for a pause.
    pub slow_downs: HashMap<String, u32>,
    pub fresh: Vec<i64>,
    pub uncommitted: usize,
    pub batch_began: Option<Instant>,
    pub progress: Progress,
    pub ended: Ended,
}

impl<'a, 'b> Course<'a, 'b> {
    pub(crate) fn new(
        crawl: &'a Crawl<'a>,
        writer: &'a mut Writer,
        observer: &'b mut dyn Observer,
        network: Network,
        fetcher: Fetcher,
        lanes: Lanes,
    ) -> Self {
        Self {
            frontier: Frontier::new(crawl.id, crawl.plan, lanes),
            writer,
            observer,
            network,
            fetcher,
            sitemaps: Sitemaps::default(),
            traffic: HashMap::new(),
            slow_downs: HashMap::new(),
            fresh: Vec::new(),
            uncommitted: 0,
            batch_began: None,
            progress: Progress::new(crawl.seams.clock.now()),
            ended: Ended::Stopped,
            crawl,
        }
    }

    pub(crate) fn run(&mut self, control: &Control, inbox: &Receiver<ToWriter>) -> Result<(), CrawlError> {
        self.writer.begin()?;
        self.open()?;
        self.commit()?;
        loop {
            if control.is_stopped() {
                break;
            }
            let paused = control.is_paused();
            if !paused {
                self.hand_out()?;
                if self.is_idle(inbox) {
                    self.writer.begin()?;
                    relax(&mut self.frontier, self.writer)?;
                    self.hand_out()?;
                    if self.is_idle(inbox) {
                        self.frontier.close_queue(self.writer)?;
                        self.ended = Ended::Complete;
                        break;
                    }
                }
            }
            match inbox.recv_timeout(Duration::from_millis(50)) {
                Ok(message) => {
                    self.apply(message)?;
                    // What has arrived meanwhile is taken in one go, within the bounds of a batch.
                    while self.uncommitted < BATCH
                        && let Ok(message) = inbox.try_recv()
                    {
                        self.apply(message)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(CrawlError::Broken),
            }
            self.tell_slow_downs()?;
            let now = self.crawl.seams.clock.now();
            if self.uncommitted >= BATCH
                || self.batch_began.is_some_and(|began| now.duration_since(began) >= BATCH_AGE)
            {
                self.commit()?;
            }
            self.tell(now, paused);
        }
        self.write_traffic()?;
        self.commit()?;
        let now = self.crawl.seams.clock.now();
        self.progress.last = None;
        self.tell(now, false);
        Ok(())
    }

    /// A host that asks for a pause is named when the pause begins, and again only every hundredth time.
    fn tell_slow_downs(&mut self) -> Result<(), StoreError> {
        for news in self.fetcher.take_slow_downs() {
            let told = self.slow_downs.entry(news.host.clone()).or_default();
            *told += 1;
            if *told % 100 == 1 {
                let pause = format!("{:.1}", news.pause.as_secs_f64());
                let detail = format!(
                    "the server asks to be slowed down: paused for {} s, with half as many requests at once from then on",
                    pause.trim_end_matches(".0")
                );
                self.writer.begin()?;
                self.warn("slowed-down", &news.host, &detail)?;
            }
        }
        Ok(())
    }

    fn is_idle(&self, inbox: &Receiver<ToWriter>) -> bool {
        self.frontier.lanes.outstanding() == 0 && self.sitemaps.is_idle() && inbox.is_empty()
    }

    /// Queues the seeds, or takes up what an earlier run left.
    fn open(&mut self) -> Result<(), CrawlError> {
        if self.crawl.resumed {
            self.frontier.restore(self.writer)?;
        }
        let found =
            if self.crawl.plan.mode == model::plan::Mode::List { FoundBy::List } else { FoundBy::Seed };
        for seed in &self.crawl.plan.seeds {
            self.admit_listed(seed.as_str(), found, 0)?;
        }
        let crawl = self.crawl.id;
        let mut pending = Vec::new();
        if self.crawl.resumed {
            // An interrupted reading of sitemaps begins anew where a file is missing: those stored are not asked again.
            let sql = "SELECT url FROM sitemap WHERE crawl = ?1";
            self.writer.rows(sql, &[crawl.into()], &mut |row| {
                pending.push(row.text(0).to_owned());
                Ok(())
            })?;
            for url in pending.drain(..) {
                self.sitemaps.is_stored(url);
            }
            let sql = "SELECT DISTINCT e.raw, s.id FROM sitemap s JOIN sitemap_entry e ON e.sitemap = s.id WHERE s.crawl = ?1 AND s.kind = 'index'";
            let mut children = Vec::new();
            self.writer.rows(sql, &[crawl.into()], &mut |row| {
                children.push((row.text(0).to_owned(), row.int(1)));
                Ok(())
            })?;
            for (url, parent) in children {
                self.ask_sitemap(SitemapJob { url, parent: Some(parent), level: 1 });
            }
            let sql = "SELECT r.body, h.origin FROM robots r JOIN host h ON h.id = r.host WHERE r.crawl = ?1 AND r.state = 'ok'";
            let mut files = Vec::new();
            let scope = &self.frontier.scope;
            self.writer.rows(sql, &[crawl.into()], &mut |row| {
                if scope.is_internal(row.text(1)) {
                    files.push(row.blob(0).to_vec());
                }
                Ok(())
            })?;
            if self.crawl.plan.robots.obey {
                for body in files {
                    let lines: Vec<String> = robots::RobotsTxt::parse(&body)
                        .sitemaps()
                        .filter(|line| line.absolute)
                        .map(|line| line.value.to_string())
                        .collect();
                    self.robots_sitemaps(lines);
                }
            }
        }
        for extra in &self.crawl.plan.sitemaps.extra {
            self.ask_sitemap(SitemapJob { url: extra.to_string(), parent: None, level: 0 });
        }
        Ok(())
    }

    /// A URL that a person or a sitemap names.
    pub(crate) fn admit_listed(
        &mut self,
        text: &str,
        found: FoundBy,
        depth: u16,
    ) -> Result<(u32, u32), StoreError> {
        let url = self.writer.intern(text)?;
        let host = self.writer.host(origin_of(text))?;
        let internal = self.frontier.is_internal(host, origin_of(text));
        let purpose = if internal { Purpose::Crawl } else { Purpose::Store };
        let reach = Reach { purpose, depth, hops: 0, found, source: None, listed: internal, grown: false };
        self.frontier.admit(self.writer, url, host, text, internal, reach)?;
        Ok((url, host))
    }

    fn hand_out(&mut self) -> Result<(), StoreError> {
        while let Some(job) = self.frontier.next_job(self.writer)? {
            self.progress.note(&job.text);
            self.network.send(ToNetwork::Fetch(job));
        }
        Ok(())
    }

    pub(crate) fn warn(&mut self, code: &'static str, subject: &str, detail: &str) -> Result<(), StoreError> {
        let moment = model::clock::unix_millis(self.crawl.seams.clock.wall());
        self.writer.warn(self.crawl.id, moment, code, subject, detail)?;
        self.observer.warning(code, subject, detail);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        if !self.fresh.is_empty() {
            let fresh = std::mem::take(&mut self.fresh);
            self.observer.fresh_pages(self.writer, self.crawl.id, &fresh)?;
        }
        self.writer.begin()?;
        for trap in self.frontier.traps.take_news() {
            self.warn("trap", &trap.pattern, &trap.detail)?;
        }
        self.writer.set_counts(self.crawl.id, &self.frontier.counts)?;
        self.writer.commit()?;
        self.uncommitted = 0;
        self.batch_began = None;
        Ok(())
    }

    /// Adds this run's traffic to what an earlier run of the crawl stored.
    fn write_traffic(&mut self) -> Result<(), StoreError> {
        let mut hosts: HashMap<String, (i64, Value)> = HashMap::new();
        for host in self.fetcher.traffic() {
            let expires =
                host.certificate.map_or(Value::Null, |facts| Value::Int(unix_millis(facts.not_after)));
            hosts.insert(host.host, (i64::from(host.state.slow_downs), expires));
        }
        self.writer.begin()?;
        for (host, traffic) in std::mem::take(&mut self.traffic) {
            let origin = self.writer.origin(host);
            let (slow, mut expires) = hosts.get(host_name(origin)).cloned().unwrap_or((0, Value::Null));
            if !origin.starts_with("https://") {
                expires = Value::Null;
            }
            self.writer.run(
                "INSERT INTO host_traffic(crawl, host, requests, bytes, errors, slow_downs, certificate_expires) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT DO UPDATE SET requests = requests + ?3, bytes = bytes + ?4, errors = errors + ?5, slow_downs = slow_downs + ?6,
                 certificate_expires = coalesce(?7, certificate_expires)",
                &[self.crawl.id.into(), i64::from(host).into(), traffic.requests.into(), traffic.bytes.into(), traffic.errors.into(), slow.into(), expires],
            )?;
        }
        Ok(())
    }

    fn tell(&mut self, now: Instant, paused: bool) {
        if self.progress.last.is_some_and(|last| now.duration_since(last) < PROGRESS) {
            return;
        }
        let snapshot = self.progress.snapshot(now, self.frontier.counts, paused);
        self.observer.progress(&snapshot);
    }
}
