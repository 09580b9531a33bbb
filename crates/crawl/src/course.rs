//! The loop of the calling thread: hands out jobs, takes in what comes back, commits, and knows when it is done.

use crate::control::Control;
use crate::depth::relax;
use crate::earlier::KnownPage;
use crate::extras::Extras;
use crate::frontier::{Frontier, Reach};
use crate::lanes::Lanes;
use crate::messages::{ToNetwork, ToWriter};
use crate::network::{Network, want};
use crate::progress::Progress;
use crate::rewriting::Rewriting;
use crate::robots_cache::sitemap_lines;
use crate::sitemaps::{SitemapJob, Sitemaps};
use crate::terms::{Crawl, CrawlError, Ended, Observer};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use fetch::{Fetcher, Want};
use model::address::origin_of;
use model::state::Limit;
use model::{FoundBy, Purpose};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};
use store::{StoreError, Writer};

/// Records in a transaction at most, and its age: what a killed process has to ask for again.
const BATCH: usize = 400;
const BATCH_AGE: Duration = Duration::from_millis(500);
const PROGRESS: Duration = Duration::from_millis(200);
/// How long is waited for a message before it is looked whether somebody wants something else.
const MOMENT: Duration = Duration::from_millis(50);
/// How long a crawl that winds down waits for more of what is read without a request: far longer than a page takes to be
/// unpacked, or a batch of a sitemap to be read.
const READING_QUIET: Duration = Duration::from_secs(1);

/// Whether a host of this run is there at all.
#[derive(Default, Clone, Copy)]
pub(crate) struct Hearing {
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
    pub extras: Extras,
    pub rewriting: Rewriting,
    pub hearing: HashMap<u32, Hearing>,
    /// When what went to and came from the hosts was last stored.
    pub traffic_stored: Option<Instant>,
    /// How often each host asked for a pause.
    pub slow_downs: HashMap<String, u32>,
    /// Origins whose servers refused the credentials that they were given.
    pub refused: BTreeSet<String>,
    pub fresh: Vec<i64>,
    pub uncommitted: usize,
    pub batch_began: Option<Instant>,
    pub progress: Progress,
    pub ended: Ended,
    /// When the whole job is over, whatever is left.
    pub deadline: Option<Instant>,
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
        let mut frontier = Frontier::new(crawl.id, crawl.plan, lanes);
        frontier.traps.set_moment(model::clock::unix_millis(crawl.seams.clock.wall()));
        Self {
            frontier,
            writer,
            observer,
            network,
            fetcher,
            sitemaps: Sitemaps::default(),
            extras: Extras::default(),
            rewriting: Rewriting::new(crawl.plan),
            hearing: HashMap::new(),
            traffic_stored: None,
            slow_downs: HashMap::new(),
            refused: BTreeSet::new(),
            fresh: Vec::new(),
            uncommitted: 0,
            batch_began: None,
            progress: Progress::new(crawl.seams.clock.now()),
            ended: Ended::Stopped,
            deadline: None,
            crawl,
        }
    }

    pub(crate) fn run(&mut self, control: &Control, inbox: &Receiver<ToWriter>) -> Result<(), CrawlError> {
        self.writer.begin()?;
        self.deadline = self.deadline()?;
        if let Some(deadline) = self.deadline {
            self.network.send(ToNetwork::EndAt(deadline));
        }
        self.open()?;
        self.commit()?;
        control.open();
        loop {
            if control.is_stopped() {
                self.wind_down(control, inbox)?;
                break;
            }
            if self.is_time_over() {
                self.end_at_deadline(control, inbox)?;
                break;
            }
            let allowed = control.take_allowed();
            if !allowed.is_empty() {
                self.writer.begin()?;
                self.allow_traps(&allowed)?;
            }
            let paused = control.is_paused();
            if !paused {
                self.hand_out()?;
                if self.is_idle(inbox) {
                    self.writer.begin()?;
                    relax(&mut self.frontier, self.writer)?;
                    self.hand_out()?;
                    if self.is_idle(inbox) && !self.take_up_extras()? {
                        // Whoever lets a trap go on at the last moment is heard.
                        let allowed = control.close();
                        if !allowed.is_empty() {
                            self.allow_traps(&allowed)?;
                            continue;
                        }
                        let limit = if self.crawl.plan.limits.max_urls.is_some() {
                            Limit::Urls
                        } else {
                            Limit::Pages
                        };
                        self.frontier.close_queue(self.writer, limit)?;
                        self.ended = Ended::Complete;
                        break;
                    }
                }
            }
            match inbox.recv_timeout(MOMENT) {
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
                // The network thread has ended by itself, and the others with it.
                Err(RecvTimeoutError::Disconnected) if self.is_time_over() => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(CrawlError::Broken),
            }
            self.tell_slow_downs()?;
            self.commit_if_due()?;
            self.tell(self.crawl.seams.clock.now(), paused);
        }
        control.close();
        self.frontier.traps.recount(self.writer, self.crawl.id)?;
        self.store_traffic()?;
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
        self.frontier.lanes.outstanding() == 0
            && self.sitemaps.is_idle()
            && self.extras.is_idle()
            && inbox.is_empty()
    }

    /// Queues the seeds, or takes up what an earlier run left.
    fn open(&mut self) -> Result<(), CrawlError> {
        if self.crawl.resumed {
            self.restore_twins()?;
            self.frontier.restore(self.writer)?;
            self.release_allowed()?;
        }
        if !self.crawl.only.is_empty() {
            return Ok(self.admit_wanted()?);
        }
        let found =
            if self.crawl.plan.mode == model::plan::Mode::List { FoundBy::List } else { FoundBy::Seed };
        for seed in &self.crawl.plan.seeds {
            self.admit_listed(seed.as_str(), found, 0)?;
        }
        let crawl = self.crawl.id;
        if self.crawl.resumed {
            self.restore_sitemaps()?;
            let sql = "SELECT r.body, h.origin, coalesce(r.crawl_delay, 0.0) FROM robots r JOIN host h ON h.id = r.host WHERE r.crawl = ?1 AND r.state IN ('ok', 'missing')";
            let mut files = Vec::new();
            let scope = &self.frontier.scope;
            self.writer.rows(sql, &[crawl.into()], &mut |row| {
                if scope.is_internal(row.text(1)) {
                    files.push((row.text(1).to_owned(), row.blob(0).to_vec(), row.real(2)));
                }
                Ok(())
            })?;
            if self.crawl.plan.robots.obey {
                for (origin, body, delay) in files {
                    self.warn_of_delay(&origin, Some(delay))?;
                    self.robots_sitemaps(&origin, sitemap_lines(&robots::RobotsTxt::parse(&body)))?;
                }
            }
        }
        for extra in &self.crawl.plan.sitemaps.extra {
            self.ask_sitemap(SitemapJob::root(extra.to_string()))?;
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

    /// Nothing new is asked. What is on the wire comes to its end, which the time limit of a request bounds, and so does what
    /// is read of it without asking, unless somebody has no time for that; it is stored, and need not be asked again when the
    /// crawl goes on.
    fn wind_down(&mut self, control: &Control, inbox: &Receiver<ToWriter>) -> Result<(), StoreError> {
        let clock = &self.crawl.seams.clock;
        let end = clock.now().checked_add(self.crawl.plan.fetch.timeout);
        let is_over = || control.gives_up() || end.is_some_and(|end| clock.now() >= end);
        self.fetcher.close();
        // The program may be ended at any moment from here on: what has come so far is to be in the file by then.
        self.commit()?;
        let mut quiet = Duration::ZERO;
        while !is_over() && (self.fetcher.in_flight() > 0 || (self.may_be_reading() && quiet < READING_QUIET))
        {
            match inbox.recv_timeout(MOMENT) {
                Ok(message) => {
                    self.apply(message)?;
                    quiet = Duration::ZERO;
                }
                Err(RecvTimeoutError::Timeout) if self.fetcher.in_flight() > 0 => quiet = Duration::ZERO,
                Err(RecvTimeoutError::Timeout) => quiet += MOMENT,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.commit_if_due()?;
        }
        self.commit()?;
        // What is given up was asked all the same, which is counted as soon as the network has let go of it.
        self.network.send(ToNetwork::EndAt(clock.now()));
        self.take_in_the_last(control, inbox)
    }

    /// Whether the network may still have something to read of answers whose requests have come to their end: the pages that
    /// those without a body stand for, and sitemaps.
    fn may_be_reading(&self) -> bool {
        !self.sitemaps.is_idle()
            || (self.network.asks_conditionally() && self.frontier.lanes.outstanding() > 0)
    }

    /// Takes in what is still being read once no request is under way any more.
    fn take_in_the_last(&mut self, control: &Control, inbox: &Receiver<ToWriter>) -> Result<(), StoreError> {
        /// How long is waited for a page that is still being read; the channel ends as soon as none is.
        const READING: Duration = Duration::from_secs(5);
        /// The same in all, where somebody has no time.
        const IN_A_HURRY: Duration = Duration::from_secs(1);
        let mut left = READING;
        while !left.is_zero() {
            if control.gives_up() {
                left = left.min(IN_A_HURRY);
            }
            match inbox.recv_timeout(MOMENT) {
                Ok(message) => {
                    self.apply(message)?;
                    if !control.gives_up() {
                        left = READING;
                    }
                }
                Err(RecvTimeoutError::Timeout) => left = left.saturating_sub(MOMENT),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.commit_if_due()?;
        }
        Ok(())
    }

    /// The job has taken as long as it may: what is under way is given up, and what is queued is over the limit of time.
    fn end_at_deadline(&mut self, control: &Control, inbox: &Receiver<ToWriter>) -> Result<(), StoreError> {
        self.take_in_the_last(control, inbox)?;
        self.writer.begin()?;
        relax(&mut self.frontier, self.writer)?;
        self.frontier.close_queue(self.writer, Limit::Time)?;
        let limit = self.crawl.plan.policy.time.job.unwrap_or_default();
        let start = self.crawl.plan.seeds.first().map(ToString::to_string).unwrap_or_default();
        let detail = format!("stopped after {} minutes, as long as a check may take", limit.as_secs() / 60);
        self.warn("time-limit", &start, &detail)?;
        self.ended = Ended::Complete;
        Ok(())
    }

    fn is_time_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| self.crawl.seams.clock.now() >= deadline)
    }

    /// When the job has to end. An earlier run of the same crawl has used up some of the time.
    fn deadline(&mut self) -> Result<Option<Instant>, StoreError> {
        let Some(limit) = self.crawl.plan.policy.time.job else { return Ok(None) };
        let mut used = 0;
        if self.crawl.resumed {
            let (first, last) = store::key_range(self.crawl.id);
            let sql = "SELECT coalesce(max(a.started + coalesce(a.total_ms, 0)) - c.started, 0) FROM answer a, crawl c
                       WHERE a.key BETWEEN ?1 AND ?2 AND c.id = ?3";
            self.writer.rows(sql, &[first.into(), last.into(), self.crawl.id.into()], &mut |row| {
                used = row.int(0);
                Ok(())
            })?;
        }
        let used = Duration::from_millis(u64::try_from(used).unwrap_or_default());
        Ok(self.crawl.seams.clock.now().checked_add(limit.saturating_sub(used)))
    }

    fn hand_out(&mut self) -> Result<(), StoreError> {
        self.frontier.close_spent(self.writer)?;
        while let Some(job) = self.frontier.next_job(self.writer)? {
            self.progress.note(&job.text);
            let plan = self.crawl.plan;
            // HEAD decides whether what does not look like a page is one, and is asked as it always is.
            let on_conditions = self.network.asks_conditionally()
                && matches!(want(&job, &plan.policy, plan.fetch.download_resources), Want::Page | Want::Body);
            let known = if on_conditions {
                KnownPage::of(&job, self.crawl.id, plan.fetch.body_cap, self.writer)?
            } else {
                None
            };
            self.network.send(ToNetwork::Fetch(job, known));
        }
        self.hand_out_extras();
        Ok(())
    }

    pub(crate) fn warn(&mut self, code: &'static str, subject: &str, detail: &str) -> Result<(), StoreError> {
        let moment = model::clock::unix_millis(self.crawl.seams.clock.wall());
        self.writer.warn(self.crawl.id, moment, code, subject, detail)?;
        self.observer.warning(code, subject, detail);
        Ok(())
    }

    /// Commits what is as much, or as old, as a killed process may have to ask for again.
    fn commit_if_due(&mut self) -> Result<(), StoreError> {
        let now = self.crawl.seams.clock.now();
        let is_old = |began| now.duration_since(began) >= BATCH_AGE;
        if self.uncommitted >= BATCH || self.batch_began.is_some_and(is_old) {
            self.commit()?;
        }
        Ok(())
    }

    pub(crate) fn commit(&mut self) -> Result<(), StoreError> {
        if !self.fresh.is_empty() {
            let fresh = std::mem::take(&mut self.fresh);
            self.observer.fresh_pages(self.writer, self.crawl.id, &fresh)?;
        }
        self.writer.begin()?;
        self.tell_traps()?;
        self.writer.set_counts(self.crawl.id, &self.frontier.counts)?;
        self.store_traffic_now_and_then()?;
        self.writer.commit()?;
        self.uncommitted = 0;
        self.batch_began = None;
        Ok(())
    }

    fn tell(&mut self, now: Instant, paused: bool) {
        if self.progress.last.is_some_and(|last| now.duration_since(last) < PROGRESS) {
            return;
        }
        let mut snapshot = self.progress.snapshot(now, self.frontier.counts, paused);
        snapshot.confirming = self.extras.is_confirming();
        self.observer.progress(&snapshot);
    }
}
