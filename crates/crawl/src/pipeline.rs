//! Running a crawl: the threads, and the loop of the calling thread that schedules and writes.

use crate::control::Control;
use crate::depth::relax;
use crate::frontier::{Frontier, NO_DEPTH, Reach};
use crate::lanes::Lanes;
use crate::network::{Network, ToNetwork, ToParse, ToWriter};
use crate::record::{Preparer, Record};
use crate::robots_cache::{RobotsCache, host_name};
use crate::sitemaps::{SITEMAPS_AT_ONCE, SitemapJob, SitemapRecord, Sitemaps};
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use fetch::{FetchError, Fetcher, Seams};
use model::address::origin_of;
use model::{Address, FailureKind, FoundBy, LinkKind, LinkTarget, Plan, Purpose, UrlState};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{NewLink, Reader, StoreError, Writer};
use thiserror::Error;

/// One crawl to be run.
pub struct Crawl<'a> {
    /// Row id, registered by `Writer::add_crawl`.
    pub id: i64,
    pub plan: &'a Plan,
    /// The project file, for the network thread's own reading; `None` in memory.
    pub path: Option<PathBuf>,
    pub seams: Seams,
    /// Seeds to try instead when one cannot be connected to (https guessed, http meant).
    pub fallbacks: Vec<(Address, Address)>,
    /// The crawl has rows already.
    pub resumed: bool,
}

/// How a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is queued any more.
    Complete,
    /// It was told to stop; it can be resumed.
    Stopped,
}

/// The numbers of a moment. Encountered is the sum of `counts` (in the order of `UrlState::ALL`).
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    pub counts: [u64; 7],
    pub elapsed: Duration,
    /// Finished URLs a second over the last seconds.
    pub rate: f64,
    pub current: Option<String>,
    pub pages: u64,
    pub paused: bool,
}

/// Who watches a crawl. All calls come from the thread that runs it.
pub trait Observer {
    /// At most five times a second.
    fn progress(&mut self, snapshot: &Snapshot);
    /// Something a person should see while the crawl goes on.
    fn warning(&mut self, code: &'static str, subject: &str, detail: &str);
    /// Pages whose rows are written but not committed, so that page rules can run over them in the same transaction.
    fn fresh_pages(&mut self, writer: &mut Writer, crawl: i64, keys: &[i64]) -> Result<(), StoreError>;
}

#[derive(Debug, Error)]
pub enum CrawlError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the crawl could not start its threads: {0}")]
    Threads(#[from] std::io::Error),
    #[error("a thread of the crawl ended unexpectedly; what was stored is safe and the crawl can be resumed")]
    Broken,
}

/// Records in a transaction at most, and its age: what a killed process has to ask for again.
const BATCH: usize = 400;
const BATCH_AGE: Duration = Duration::from_millis(500);
/// Handed out at most over all hosts: bounds sockets and what waits in memory.
const IN_ALL: usize = 160;
/// Handed out per host, as a multiple of its concurrency: enough that parsing and storing never leave the network idle.
const AHEAD: usize = 3;
const PROGRESS: Duration = Duration::from_millis(200);

/// Runs a crawl until nothing is queued, or until it is told to stop. Everything stored stays, whatever the end.
pub fn run(
    crawl: &Crawl,
    writer: &mut Writer,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Ended, CrawlError> {
    let plan = crawl.plan;
    let fetcher = Fetcher::new(plan, crawl.seams.clone())?;
    let per_host = (plan.pace.concurrency * AHEAD).max(2);
    let in_all = IN_ALL.max(per_host);
    // Each URL handed out is at one place at a time and may bring one robots.txt along, so these queues never fill:
    // what is handed out bounds them, and the bytes in them are bounded by the fetcher's budget.
    let (to_parse, parse_inbox) = bounded::<ToParse>(in_all + SITEMAPS_AT_ONCE);
    let (to_writer, inbox) = bounded::<ToWriter>(2 * in_all + SITEMAPS_AT_ONCE);
    let preparer = Arc::new(Preparer {
        seed: writer.seed(),
        codec: writer.codec(),
        store_html: plan.store.html,
        bot: plan.agent.audited_bot.to_ascii_lowercase(),
        drop_parameters: plan.scope.drop_parameters.clone(),
        off: off_kinds(plan),
    });
    // The network thread comes to life first and is dropped first: with it go the senders, and the parse threads end.
    let parsers = start_parsers(&parse_inbox, &to_writer, &preparer, plan.fetch.sitemap_cap)?;
    let network = {
        let (id, plan, path, clock) =
            (crawl.id, plan.clone(), crawl.path.clone(), Arc::clone(&crawl.seams.clock));
        let obey = plan.robots.obey;
        let cache =
            move || RobotsCache::new(id, &plan, path.and_then(|path| Reader::open(&path).ok()), clock);
        Network::start(fetcher.clone(), cache, obey, in_all + SITEMAPS_AT_ONCE, to_parse, to_writer)?
    };
    let lanes = Lanes::new(per_host, in_all);
    let mut course = Course {
        crawl,
        frontier: Frontier::new(crawl.id, plan, lanes),
        writer,
        observer,
        network,
        fetcher,
        sitemaps: Sitemaps::default(),
        traffic: HashMap::new(),
        fresh: Vec::new(),
        uncommitted: 0,
        batch_began: None,
        progress: Progress::new(crawl.seams.clock.now()),
        ended: Ended::Stopped,
    };
    let outcome = course.run(control, &inbox);
    if outcome.is_err() {
        course.writer.rollback();
    }
    let ended = course.ended;
    drop(course);
    for parser in parsers {
        let _ = parser.join();
    }
    outcome.map(|()| ended)
}

fn off_kinds(plan: &Plan) -> Vec<LinkKind> {
    let off = |kind: &LinkKind| {
        plan.links.treatment(*kind, true) == model::Treatment::Off
            && plan.links.treatment(*kind, false) == model::Treatment::Off
    };
    LinkKind::ALL.iter().copied().filter(off).collect()
}

fn start_parsers(
    inbox: &Receiver<ToParse>,
    to_writer: &crossbeam_channel::Sender<ToWriter>,
    preparer: &Arc<Preparer>,
    sitemap_cap: u64,
) -> std::io::Result<Vec<std::thread::JoinHandle<()>>> {
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(1, 8);
    (0..threads)
        .map(|n| {
            let (inbox, to_writer, preparer) = (inbox.clone(), to_writer.clone(), Arc::clone(preparer));
            std::thread::Builder::new().name(format!("parse-{n}")).spawn(move || {
                for message in inbox {
                    let made = match message {
                        ToParse::Page { job, bot_allowed, outcome } => {
                            let read = if job.internal { job.purpose } else { Purpose::Check };
                            ToWriter::Record(Box::new(preparer.prepare(
                                job.url,
                                job.host,
                                &job.text,
                                read,
                                bot_allowed,
                                outcome,
                            )))
                        }
                        ToParse::Sitemap { job, outcome } => {
                            ToWriter::Sitemap(Box::new(crate::sitemaps::read(job, outcome, sitemap_cap)))
                        }
                    };
                    if to_writer.send(made).is_err() {
                        return;
                    }
                }
            })
        })
        .collect()
}

#[derive(Default, Clone, Copy)]
struct Traffic {
    requests: i64,
    bytes: i64,
    errors: i64,
}

/// A running crawl, as the calling thread sees it.
struct Course<'a, 'b> {
    crawl: &'a Crawl<'a>,
    frontier: Frontier,
    writer: &'a mut Writer,
    observer: &'b mut dyn Observer,
    network: Network,
    fetcher: Fetcher,
    sitemaps: Sitemaps,
    traffic: HashMap<u32, Traffic>,
    fresh: Vec<i64>,
    uncommitted: usize,
    batch_began: Option<Instant>,
    progress: Progress,
    ended: Ended,
}

impl Course<'_, '_> {
    fn run(&mut self, control: &Control, inbox: &Receiver<ToWriter>) -> Result<(), CrawlError> {
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

    fn admit_listed(&mut self, text: &str, found: FoundBy, depth: u16) -> Result<(u32, u32), StoreError> {
        let url = self.writer.intern(text)?;
        let host = self.writer.host(origin_of(text))?;
        let internal = self.frontier.is_internal(host, origin_of(text));
        let purpose = if internal { Purpose::Crawl } else { Purpose::Store };
        let reach = Reach { purpose, depth, hops: 0, found, source: None, listed: internal };
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

    // ---- what comes back --------------------------------------------------------------------------------------

    fn apply(&mut self, message: ToWriter) -> Result<(), StoreError> {
        self.writer.begin()?;
        if self.batch_began.is_none() {
            self.batch_began = Some(self.crawl.seams.clock.now());
        }
        self.uncommitted += 1;
        match message {
            ToWriter::Record(record) => self.apply_record(*record),
            ToWriter::Blocked { url, host, reason } => {
                self.frontier.settle(self.writer, url, host, UrlState::Blocked, Some(&reason), false)
            }
            ToWriter::Robots { host, origin, internal, row, sitemaps } => {
                self.writer.put_robots(self.crawl.id, host, &row)?;
                let traffic = self.traffic.entry(host).or_default();
                traffic.requests += 1 + i64::from(row.hops);
                traffic.bytes += row.body.len() as i64;
                if internal && matches!(row.state, "unreachable" | "throttled") {
                    let why = row
                        .error
                        .clone()
                        .or_else(|| row.status.map(|status| format!("status {status}")))
                        .unwrap_or_default();
                    self.warn(
                        "robots-unreachable",
                        &format!("{origin}/robots.txt"),
                        &format!("{why}; the site is crawled all the same"),
                    )?;
                }
                self.robots_sitemaps(sitemaps);
                Ok(())
            }
            ToWriter::Sitemap(record) => self.apply_sitemap(*record),
        }
    }

    fn apply_record(&mut self, record: Record) -> Result<(), StoreError> {
        let crawl = self.crawl.id;
        let source = self.frontier.cell(record.url);
        if record.redirect && source.is_internal() && source.depth == 0 {
            self.adopt_twin(&record)?;
        }
        let (list, redirect) = self.put_links(&record)?;
        self.writer.put_answer(crawl, record.url, &record.answer, redirect, list)?;
        if !record.attempts.is_empty() {
            self.writer.put_attempts(crawl, record.url, &record.attempts)?;
        }
        if !record.problems.is_empty() {
            self.writer.put_problems(crawl, record.url, &record.problems)?;
        }
        if let Some((document, indexability)) = &record.page {
            self.writer.put_page(crawl, record.url, document, *indexability)?;
            self.fresh.push(store::key(crawl, record.url));
            self.progress.pages += 1;
        }
        let traffic = self.traffic.entry(record.host).or_default();
        traffic.requests += record.attempts.len().max(1) as i64;
        traffic.bytes += record.answer.transferred.unwrap_or_default() as i64;
        traffic.errors += i64::from(record.failure.is_some());
        let (state, reason) = match record.failure {
            Some(kind) => (UrlState::Failed, Some(kind.word())),
            None => (UrlState::Fetched, None),
        };
        self.frontier.settle(self.writer, record.url, record.host, state, reason, record.html_unread)?;
        self.progress.finished += 1;
        if let Some(kind) = record.failure {
            self.try_fallback(record.url, kind)?;
        }
        Ok(())
    }

    /// Stores the links of a record and admits their targets. Gives the list and the target of a redirect.
    fn put_links(&mut self, record: &Record) -> Result<(Option<i64>, Option<u32>), StoreError> {
        let list = &record.links;
        if list.links.is_empty() {
            return Ok((None, None));
        }
        let mut targets: Vec<Option<u32>> = Vec::with_capacity(list.links.len());
        let source_purpose = self.frontier.cell(record.url).purpose();
        for (at, link) in list.links.iter().enumerate() {
            let key = list.keys[at];
            let target = match &link.target {
                LinkTarget::Invalid => None,
                LinkTarget::OtherScheme(text) => Some(match self.writer.find_url(key) {
                    Some(url) => url,
                    None => self.writer.add_url(key, text, None)?,
                }),
                LinkTarget::Http(text) => {
                    let nofollow = record.page_nofollow || list.shapes[list.shape_of[at] as usize].nofollow;
                    Some(self.meet(record.url, source_purpose, link.kind, nofollow, key, text)?)
                }
            };
            targets.push(target);
        }
        let redirect = if record.redirect { targets.first().copied().flatten() } else { None };
        if let Some(known) = self.writer.find_list(list.hash)? {
            return Ok((Some(known), redirect));
        }
        let mut shapes = Vec::with_capacity(list.shapes.len());
        for shape in &list.shapes {
            shapes.push(self.writer.shape(shape)?);
        }
        let links: Vec<NewLink> = list
            .links
            .iter()
            .enumerate()
            .map(|(at, link)| {
                let same = match &link.target {
                    LinkTarget::Http(text) | LinkTarget::OtherScheme(text) => *text == link.raw_href,
                    LinkTarget::Invalid => false,
                };
                NewLink {
                    target: targets[at],
                    shape: shapes[list.shape_of[at] as usize],
                    href: (!same).then_some(&*link.raw_href),
                    anchor: link.text.as_deref(),
                    line: link.line,
                    size: link.size,
                }
            })
            .collect();
        Ok((Some(self.writer.put_list(list.hash, &links)?), redirect))
    }

    /// A link names an http(s) URL: interns it and passes its reach on.
    fn meet(
        &mut self,
        source: u32,
        source_purpose: Purpose,
        kind: LinkKind,
        nofollow: bool,
        key: u64,
        text: &str,
    ) -> Result<u32, StoreError> {
        if let Some(url) = self.writer.find_url(key) {
            let cell = self.frontier.cell(url);
            if cell.is_known() {
                let wish = self.frontier.wish(kind, cell.is_internal(), nofollow, source_purpose);
                let reach = self.frontier.reach(source, kind, wish);
                self.frontier.admit_again(self.writer, url, Some(text), reach)?;
                return Ok(url);
            }
        }
        let origin = origin_of(text);
        let url = match self.writer.find_url(key) {
            Some(url) => url,
            None => self.writer.add_url(key, text, Some(origin))?,
        };
        let host = self.writer.host(origin)?;
        let internal = self.frontier.is_internal(host, origin);
        let wish = self.frontier.wish(kind, internal, nofollow, source_purpose);
        let reach = self.frontier.reach(source, kind, wish);
        self.frontier.admit(self.writer, url, host, text, internal, reach)?;
        Ok(url)
    }

    /// A start URL that redirects to its `www.` or apex twin makes the twin part of the site.
    fn adopt_twin(&mut self, record: &Record) -> Result<(), StoreError> {
        let Some(LinkTarget::Http(target)) = record.links.links.first().map(|link| &link.target) else {
            return Ok(());
        };
        let from = self.writer.origin(record.host).to_owned();
        let to = origin_of(target);
        if self.frontier.scope.adopt_twin(&from, to) {
            self.frontier.scope_grew();
            let host = self.writer.host(to)?;
            self.frontier.adopt_host(self.writer, host)?;
        }
        Ok(())
    }

    fn try_fallback(&mut self, url: u32, kind: FailureKind) -> Result<(), StoreError> {
        use FailureKind as F;
        let no_https = matches!(
            kind,
            F::Connect
                | F::Reset
                | F::Timeout
                | F::Protocol
                | F::Tls
                | F::TlsExpired
                | F::TlsNotYetValid
                | F::TlsWrongHost
                | F::TlsUntrusted
                | F::TlsIncompleteChain
        );
        if !no_https || self.crawl.fallbacks.is_empty() {
            return Ok(());
        }
        let text = self.writer.url_text(url)?;
        if let Some((_, http)) = self.crawl.fallbacks.iter().find(|(https, _)| https.as_str() == text) {
            self.admit_listed(http.as_str(), FoundBy::Seed, 0)?;
            self.warn(
                "https-unavailable",
                &text,
                &format!("https cannot be reached ({kind}); {http} is crawled instead"),
            )?;
        }
        Ok(())
    }

    // ---- sitemaps ---------------------------------------------------------------------------------------------

    fn robots_sitemaps(&mut self, lines: Vec<String>) {
        if !self.crawl.plan.sitemaps.from_robots || self.crawl.plan.mode == model::plan::Mode::List {
            return;
        }
        for url in lines {
            self.ask_sitemap(SitemapJob { url, parent: None, level: 0 });
        }
    }

    fn ask_sitemap(&mut self, job: SitemapJob) {
        self.sitemaps.add(job);
        self.ask_next_sitemap();
    }

    fn ask_next_sitemap(&mut self) {
        while let Some(job) = self.sitemaps.next() {
            self.network.send(ToNetwork::Sitemap(job));
        }
    }

    fn apply_sitemap(&mut self, record: SitemapRecord) -> Result<(), StoreError> {
        use store::Value;
        self.sitemaps.arrived();
        self.ask_next_sitemap();
        let index = record.report.kind == parse::SitemapKind::Index;
        let kind = match record.report.kind {
            parse::SitemapKind::UrlSet => "urlset",
            parse::SitemapKind::Index => "index",
            parse::SitemapKind::Text => "text",
            parse::SitemapKind::Rss => "rss",
            parse::SitemapKind::Atom => "atom",
            parse::SitemapKind::Unknown => "unknown",
        };
        let problems: Vec<String> = record
            .report
            .problems
            .iter()
            .map(|p| {
                if p.line > 0 {
                    format!("{} (line {}, column {}): {}", p.code, p.line, p.column, p.detail)
                } else {
                    format!("{}: {}", p.code, p.detail)
                }
            })
            .collect();
        let mut id = 0;
        let text_or_null = |text: Option<String>| text.map_or(Value::Null, Value::Text);
        self.writer.rows(
            "INSERT INTO sitemap(crawl, url, parent, status, kind, entries, bytes, problems, error) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id",
            &[
                self.crawl.id.into(),
                record.job.url.as_str().into(),
                record.job.parent.map_or(Value::Null, Value::Int),
                record.status.map_or(Value::Null, |status| Value::Int(i64::from(status))),
                kind.into(),
                (record.entries.len() as i64).into(),
                (record.bytes as i64).into(),
                text_or_null((!problems.is_empty()).then(|| problems.join("\n"))),
                text_or_null(record.error),
            ],
            &mut |row| {
                id = row.int(0);
                Ok(())
            },
        )?;
        for (n, entry) in record.entries.iter().enumerate() {
            let mut url = Value::Null;
            if let Some(text) = &entry.url {
                if index {
                    self.ask_sitemap(SitemapJob {
                        url: text.clone(),
                        parent: Some(id),
                        level: record.job.level + 1,
                    });
                } else {
                    let (met, _) = self.admit_listed(text, FoundBy::Sitemap, NO_DEPTH)?;
                    url = Value::Int(i64::from(met));
                }
            }
            self.writer.run(
                "INSERT INTO sitemap_entry(sitemap, n, url, raw, lastmod) VALUES(?1, ?2, ?3, ?4, ?5)",
                &[
                    id.into(),
                    (n as i64).into(),
                    url,
                    entry.raw.as_str().into(),
                    entry.lastmod.as_deref().map_or(Value::Null, Value::from),
                ],
            )?;
            for alternate in &entry.alternates {
                self.writer.run(
                    "INSERT OR IGNORE INTO sitemap_hreflang(sitemap, n, code, href) VALUES(?1, ?2, ?3, ?4)",
                    &[id.into(), (n as i64).into(), (&*alternate.hreflang).into(), (&*alternate.href).into()],
                )?;
            }
        }
        Ok(())
    }

    // ---- bookkeeping ------------------------------------------------------------------------------------------

    fn warn(&mut self, code: &'static str, subject: &str, detail: &str) -> Result<(), StoreError> {
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
        self.writer.set_counts(self.crawl.id, &self.frontier.counts)?;
        self.writer.commit()?;
        self.uncommitted = 0;
        self.batch_began = None;
        Ok(())
    }

    /// Adds this run's traffic to what an earlier run of the crawl stored.
    fn write_traffic(&mut self) -> Result<(), StoreError> {
        let slow_downs: HashMap<String, i64> = self
            .fetcher
            .traffic()
            .into_iter()
            .filter(|t| t.state.slow_downs > 0)
            .map(|t| (t.host, i64::from(t.state.slow_downs)))
            .collect();
        self.writer.begin()?;
        for (host, traffic) in std::mem::take(&mut self.traffic) {
            let slow = slow_downs.get(host_name(self.writer.origin(host))).copied().unwrap_or_default();
            self.writer.run(
                "INSERT INTO host_traffic(crawl, host, requests, bytes, errors, slow_downs) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT DO UPDATE SET requests = requests + ?3, bytes = bytes + ?4, errors = errors + ?5, slow_downs = slow_downs + ?6",
                &[self.crawl.id.into(), i64::from(host).into(), traffic.requests.into(), traffic.bytes.into(), traffic.errors.into(), slow.into()],
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

/// The numbers behind a snapshot.
struct Progress {
    began: Instant,
    last: Option<Instant>,
    finished: u64,
    pages: u64,
    current: Option<String>,
    /// Finished at a moment a few seconds ago, for the rate.
    mark: (Instant, u64),
    rate: f64,
}

impl Progress {
    fn new(now: Instant) -> Self {
        Self { began: now, last: None, finished: 0, pages: 0, current: None, mark: (now, 0), rate: 0.0 }
    }

    fn note(&mut self, text: &str) {
        match &mut self.current {
            Some(current) => {
                current.clear();
                current.push_str(text);
            }
            None => self.current = Some(text.to_owned()),
        }
    }

    fn snapshot(&mut self, now: Instant, counts: [u64; 7], paused: bool) -> Snapshot {
        self.last = Some(now);
        let window = now.duration_since(self.mark.0);
        if window >= Duration::from_secs(2) {
            self.rate = (self.finished - self.mark.1) as f64 / window.as_secs_f64();
            self.mark = (now, self.finished);
        } else if self.rate == 0.0 && window.as_millis() > 200 {
            self.rate = self.finished as f64 / now.duration_since(self.began).as_secs_f64().max(0.001);
        }
        Snapshot {
            counts,
            elapsed: now.duration_since(self.began),
            rate: self.rate,
            current: self.current.clone(),
            pages: self.pages,
            paused,
        }
    }
}
