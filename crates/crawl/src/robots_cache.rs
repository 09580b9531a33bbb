//! robots.txt of every origin the crawl touches: read before anything else there, once, and kept for the crawl.

use crate::messages::ToWriter;
use fetch::{Fetcher, RobotsAnswer, RobotsReading};
use model::policy::{Policy, UnreadableRobots};
use model::{Address, Failure, FailureKind};
use robots::{Group, ProblemCode, RobotsTxt};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use store::{Reader, RobotsRow};
use tokio::sync::OnceCell;

/// What an origin's file says to us and to the audited bot.
#[derive(Clone)]
pub(crate) struct Rules {
    pub own: Group,
    pub audited: Group,
    /// Nothing of the origin may be asked, because its file could not be read and the policy says so.
    pub shut: Option<Shut>,
}

/// Why a file could not be read.
#[derive(Clone)]
pub(crate) enum Shut {
    /// The server answered with this status.
    Status(u16),
    NoAnswer(Failure),
}

/// The origin whose file is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub host: u32,
    pub text: &'a str,
    pub internal: bool,
    /// Nobody is told when the file cannot be read: a probe's.
    pub quiet: bool,
}

/// Groups kept in memory; an origin that falls out is read again from the project file, never asked again.
const KEPT: usize = 4096;

pub(crate) struct RobotsCache {
    crawl: i64,
    token: String,
    bot: String,
    obey: bool,
    policy: Policy,
    reader: Option<Reader>,
    entries: RefCell<HashMap<u32, Rc<OnceCell<Rules>>>>,
    order: RefCell<VecDeque<u32>>,
    clock: Arc<dyn model::Clock>,
}

impl RobotsCache {
    pub(crate) fn new(
        crawl: i64,
        plan: &model::Plan,
        reader: Option<Reader>,
        clock: Arc<dyn model::Clock>,
    ) -> Self {
        Self {
            crawl,
            token: plan.agent.token.clone(),
            bot: plan.agent.audited_bot.clone(),
            obey: plan.robots.obey,
            policy: plan.policy,
            reader,
            entries: RefCell::default(),
            order: RefCell::default(),
            clock,
        }
    }

    /// The rules of an origin, asked for now if this crawl has not asked yet.
    pub(crate) async fn rules(
        &self,
        origin: Origin<'_>,
        fetcher: &Fetcher,
        to_writer: &crossbeam_channel::Sender<ToWriter>,
    ) -> Rules {
        let cell = self.entry(origin.host);
        cell.get_or_init(|| self.load(origin, fetcher, to_writer)).await.clone()
    }

    /// The rules of an origin, where this crawl has them already: nothing is asked.
    pub(crate) fn known(&self, host: u32) -> Option<Rules> {
        self.entries.borrow().get(&host).and_then(|cell| cell.get().cloned())
    }

    fn entry(&self, host: u32) -> Rc<OnceCell<Rules>> {
        let mut entries = self.entries.borrow_mut();
        if let Some(cell) = entries.get(&host) {
            return Rc::clone(cell);
        }
        let mut order = self.order.borrow_mut();
        if entries.len() >= KEPT {
            // Oldest first; one that is still being read goes to the back of the line.
            for _ in 0..order.len() {
                let Some(oldest) = order.pop_front() else { break };
                if entries.get(&oldest).is_some_and(|cell| cell.initialized()) {
                    entries.remove(&oldest);
                    break;
                }
                order.push_back(oldest);
            }
        }
        order.push_back(host);
        Rc::clone(entries.entry(host).or_default())
    }

    async fn load(
        &self,
        origin: Origin<'_>,
        fetcher: &Fetcher,
        to_writer: &crossbeam_channel::Sender<ToWriter>,
    ) -> Rules {
        if origin.internal {
            fetcher.join_site(host_name(origin.text));
        }
        let (file, shut) = match self.stored(origin.host) {
            Some(stored) => stored,
            None => self.ask(origin, fetcher, to_writer).await,
        };
        let rules = Rules { own: file.group(&self.token), audited: file.group(&self.bot), shut };
        if let Some(delay) = rules.own.crawl_delay()
            && let Some(kept) = self.policy.crawl_delay.kept(delay)
            && (self.obey || !origin.internal)
        {
            fetcher.set_delay(host_name(origin.text), kept);
        }
        rules
    }

    /// Whether the policy leaves a site alone whose file answered so.
    fn shuts(&self, status: Option<u16>) -> bool {
        let rule = if status == Some(429) { self.policy.robots_throttled } else { self.policy.robots_down };
        !matches!(rule, UnreadableRobots::CrawlWithWarning | UnreadableRobots::Unread)
    }

    fn stored(&self, host: u32) -> Option<(RobotsTxt, Option<Shut>)> {
        let sql = "SELECT state, body, status, error FROM robots WHERE crawl = ?1 AND host = ?2";
        let read = |row: &store::Row| match row.text(0) {
            "ok" => (RobotsTxt::parse(row.blob(1)), None),
            "missing" => (RobotsTxt::allow_all(), None),
            _ => {
                let shut = match (u16::try_from(row.int(2)).unwrap_or_default(), row.text(3)) {
                    (0, error) => Shut::NoAnswer(failure(error)),
                    (status, _) => Shut::Status(status),
                };
                let status = if let Shut::Status(status) = shut { Some(status) } else { None };
                (RobotsTxt::allow_all(), self.shuts(status).then_some(shut))
            }
        };
        // A file that cannot be read here will stop the writer with its reason; until then the origin is asked anew.
        self.reader.as_ref()?.one(sql, &[self.crawl.into(), i64::from(host).into()], read).ok().flatten()
    }

    async fn ask(
        &self,
        origin: Origin<'_>,
        fetcher: &Fetcher,
        to_writer: &crossbeam_channel::Sender<ToWriter>,
    ) -> (RobotsTxt, Option<Shut>) {
        let answer = fetcher.robots(origin.text).await;
        let reading = answer.reading();
        let file = match reading {
            RobotsReading::Rules => RobotsTxt::parse(&answer.bytes),
            RobotsReading::NoRules | RobotsReading::Unknown => RobotsTxt::allow_all(),
        };
        let shut = match (&answer.result, reading) {
            (Ok(status), RobotsReading::Unknown) => {
                self.shuts(Some(*status)).then_some(Shut::Status(*status))
            }
            (Err(failure), RobotsReading::Unknown) => {
                self.shuts(None).then(|| Shut::NoAnswer(failure.clone()))
            }
            _ => None,
        };
        let sitemaps = if origin.internal && self.obey { sitemap_lines(&file) } else { Vec::new() };
        let crawl_delay = file.group(&self.token).crawl_delay().map(|delay| delay.as_secs_f64());
        let row = row(answer, reading, &file, crawl_delay, model::clock::unix_millis(self.clock.wall()));
        // The receiver goes first only when the crawl is being given up.
        let _ = to_writer.send(ToWriter::Robots {
            host: origin.host,
            origin: origin.text.to_owned(),
            internal: origin.internal,
            quiet: origin.quiet,
            utf16: file.problems().iter().any(|problem| problem.code == ProblemCode::Utf16),
            row: Box::new(row),
            sitemaps,
        });
        (file, shut)
    }
}

/// The sitemaps that a file names: only whole addresses count. A login that the site writes into one is left out, as it is of
/// links: it would be used in the place of the person's own.
pub(crate) fn sitemap_lines(file: &RobotsTxt) -> Vec<String> {
    let plain = |line: &robots::SitemapLine| match Address::parse(&line.value) {
        Ok(address) if address.without_credentials().1 => address.without_credentials().0.to_string(),
        _ => line.value.to_string(),
    };
    file.sitemaps().filter(|line| line.absolute).map(plain).collect()
}

/// A failure as it is stored: its kind, and what is told of it.
fn failure(stored: &str) -> Failure {
    let (kind, detail) = stored.split_once(": ").unwrap_or((stored, ""));
    Failure { kind: FailureKind::from_word(kind).unwrap_or(FailureKind::Connect), detail: detail.to_owned() }
}

fn row(
    answer: RobotsAnswer,
    reading: RobotsReading,
    file: &RobotsTxt,
    crawl_delay: Option<f64>,
    fetched: i64,
) -> RobotsRow {
    let state = match (reading, &answer.result) {
        (RobotsReading::Rules, _) => "ok",
        (RobotsReading::NoRules, _) => "missing",
        (RobotsReading::Unknown, Ok(429)) => "throttled",
        (RobotsReading::Unknown, _) => "unreachable",
    };
    let (status, error) = match &answer.result {
        Ok(status) => (Some(*status), problems(file).filter(|_| state == "ok")),
        Err(failure) => (None, Some(format!("{}: {}", failure.kind, failure.detail))),
    };
    let redirected_too_far =
        matches!(&answer.result, Err(f) if f.kind == model::FailureKind::TooManyRedirects);
    RobotsRow {
        state,
        status,
        final_url: answer.final_url.as_ref().filter(|_| !answer.hops.is_empty()).map(ToString::to_string),
        hops: answer.hops.len() as u8,
        chain: (!answer.hops.is_empty()).then(|| {
            let line = |hop: &fetch::RobotsHop| format!("{} {}", hop.status, hop.url);
            answer.hops.iter().map(line).collect::<Vec<String>>().join("\n")
        }),
        crawl_delay,
        fetched,
        error,
        flags: i64::from(answer.too_large)
            | (i64::from(file.is_html()) << 1)
            | (i64::from(redirected_too_far) << 2),
        body: answer.bytes,
    }
}

/// Problems of one file that are kept in words; a file that is none at all may have one in each of its lines.
const PROBLEMS: usize = 100;

/// What is wrong with a file, a line each, in the form in which problems of sitemaps are shown; `None` where nothing is.
fn problems(file: &RobotsTxt) -> Option<String> {
    let told = |problem: &robots::RobotsProblem| {
        let text = problem.text.trim().replace(['\0', '\r', '\n'], " ");
        let colon = if text.is_empty() { "" } else { ": " };
        format!("{} (line {}){colon}{text}", problem.code, problem.line)
    };
    let mut lines: Vec<String> = file.problems().iter().take(PROBLEMS).map(told).collect();
    match file.problems().len().saturating_sub(PROBLEMS) {
        0 => {}
        more => lines.push(format!("and {more} more")),
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Host name of an origin, without scheme, credentials and port: what pace is kept by.
pub(crate) fn host_name(origin: &str) -> &str {
    let name = crate::scope::name_of(origin);
    match name.rsplit_once(':') {
        Some((host, port))
            if port.bytes().all(|b| b.is_ascii_digit()) && (!host.contains(':') || host.ends_with(']')) =>
        {
            host
        }
        _ => name,
    }
}
