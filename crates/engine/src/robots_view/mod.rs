//! robots.txt as a crawl met it: every origin's file, its lines, tests of URLs, and what another text would block.
//!
//! Everything is read from the project file when it is asked for.
//!
//! Absences: nothing is requested, nothing is written, no rule is matched here (that is `robots`).

mod agent;
mod dto;
mod lines;
mod sandbox;
mod stored;
mod terms;
mod verdict;
mod words;

pub(crate) use agent::{followed, token};
pub use dto::{
    RobotsAgent, RobotsFile, RobotsGroup, RobotsHop, RobotsHost, RobotsHosts, RobotsLine, RobotsProblem,
    RobotsSandbox, RobotsSitemap, RobotsVerdict, SandboxRow,
};
pub(crate) use verdict::{group_name, problems, silent, sitemaps, verdict};

use crate::error::EngineError;
use crate::insight::Insight;
use model::Address;
use robots::{Group, RobotsTxt};
use std::collections::HashMap;
use store::{Cancel, StoreError};
use stored::Stored;
use terms::Terms;

/// Hosts told at most.
const HOSTS: usize = 2_000;

/// URLs tested in one call at most.
const URLS: usize = 10_000;

impl Insight {
    /// The robots.txt of every origin that the crawl asked.
    pub fn robots_hosts(&self, crawl: i64) -> Result<RobotsHosts, EngineError> {
        self.known(crawl)?;
        self.read(|reader| {
            let terms = Terms::of(reader, crawl)?;
            let mut ranked = stored::ranked(reader, crawl)?;
            let total = ranked.len() as u64;
            ranked.truncate(HOSTS);
            let mut hosts = Vec::with_capacity(ranked.len());
            for rank in ranked {
                if let Some(stored) = stored::load(reader, crawl, rank.host)? {
                    hosts.push(at_a_glance(&stored, &stored.file(), &terms, rank.blocked));
                }
            }
            Ok(RobotsHosts { total, hosts })
        })
    }

    /// One origin's robots.txt, as fetched and line by line.
    pub fn robots_file(&self, crawl: i64, origin: &str) -> Result<RobotsFile, EngineError> {
        self.known(crawl)?;
        let read = self.read(|reader| {
            let terms = Terms::of(reader, crawl)?;
            let Some(stored) = stored::find(reader, crawl, origin)? else { return Ok(None) };
            let blocked = stored::blocked(reader, crawl, stored.host)?;
            Ok(Some(whole(&stored, &terms, blocked)))
        })?;
        read.ok_or_else(|| never_asked(origin))
    }

    /// What a robots.txt says of URLs of its origin, which may be written as paths: the file as fetched, or `text` in its
    /// place. URLs of other origins are answered from theirs, where the crawl asked for it.
    pub fn robots_test(
        &self,
        crawl: i64,
        origin: &str,
        text: Option<&str>,
        agent: &str,
        urls: &[String],
    ) -> Result<Vec<RobotsVerdict>, EngineError> {
        self.known(crawl)?;
        let agent = token(agent)?;
        if urls.len() > URLS {
            return Err(EngineError::Usage(format!("{URLS} addresses can be tested at once")));
        }
        let tested = self.read(|reader| {
            let Some(stored) = stored::find(reader, crawl, origin)? else { return Ok(None) };
            let terms = Terms::of(reader, crawl)?;
            let mut rules: HashMap<String, Rules> = HashMap::new();
            rules.insert(
                origin.to_owned(),
                match text {
                    Some(text) => {
                        Rules::Known(followed(&RobotsTxt::parse(text.as_bytes()), agent, &terms.own))
                    }
                    None => Rules::of(Some(stored), agent, &terms),
                },
            );
            let mut verdicts = Vec::with_capacity(urls.len());
            for typed in urls {
                let Some(address) = address(origin, typed.trim()) else {
                    verdicts.push(silent(typed, "This is not an address of a website.".to_owned()));
                    continue;
                };
                let address = address.without_credentials().0;
                let of = address.origin();
                if !rules.contains_key(&of) {
                    let stored = stored::find(reader, crawl, &of)?;
                    rules.insert(of.clone(), Rules::of(stored, agent, &terms));
                }
                verdicts.push(match rules.get(&of) {
                    Some(Rules::Known(group)) => verdict(address.as_str(), group, agent),
                    Some(Rules::None(why)) => verdict::free(address.as_str(), why.clone()),
                    Some(Rules::Unknown(why)) => verdict::silent(address.as_str(), why.clone()),
                    Some(Rules::NeverAsked) | None => silent(
                        address.as_str(),
                        format!("{of} has a robots.txt of its own, which this crawl did not ask for."),
                    ),
                });
            }
            Ok(Some(verdicts))
        })?;
        tested.ok_or_else(|| never_asked(origin))
    }

    /// What `text` would do, as the robots.txt of an origin, to the URLs that the crawl met there. Looks at each of them once.
    pub fn robots_sandbox(
        &self,
        crawl: i64,
        origin: &str,
        text: &str,
        agent: &str,
        cancel: &Cancel,
    ) -> Result<RobotsSandbox, EngineError> {
        self.known(crawl)?;
        let agent = token(agent)?;
        let began = self.clock().now();
        let done = self.read(|reader| {
            let Some(stored) = stored::find(reader, crawl, origin)? else { return Ok(None) };
            let own = Terms::of(reader, crawl)?.own;
            let file = RobotsTxt::parse(text.as_bytes());
            let (before, after) = (followed(&stored.file(), agent, &own), followed(&file, agent, &own));
            let mut tried = sandbox::run(reader, crawl, stored.host, (&after, &before), cancel)?;
            tried.problems = problems(&file);
            Ok(Some(tried))
        })?;
        let mut tried = done.ok_or_else(|| never_asked(origin))?;
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let took = self.clock().now().saturating_duration_since(began);
        tried.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        Ok(tried)
    }
}

/// What is known of an origin's rules for one agent.
enum Rules {
    Known(Group),
    /// There is no file with rules.
    None(String),
    /// The file could not be read.
    Unknown(String),
    NeverAsked,
}

impl Rules {
    fn of(stored: Option<Stored>, agent: &str, terms: &Terms) -> Self {
        let Some(stored) = stored else { return Self::NeverAsked };
        match stored.state.as_str() {
            "ok" => Self::Known(followed(&stored.file(), agent, &terms.own)),
            "missing" => {
                let answer = match (&stored.error, stored.status) {
                    (Some(error), _) => error.trim_end_matches(['.', ' ']).to_owned(),
                    (None, status) => format!("status {}", status.unwrap_or_default()),
                };
                Self::None(format!("There are no rules ({answer}): everything is allowed."))
            }
            _ => Self::Unknown(terms.outcome(&stored.answered())),
        }
    }
}

fn never_asked(origin: &str) -> EngineError {
    EngineError::Usage(format!("the crawl did not ask {origin} for its robots.txt"))
}

/// The URL that was typed: whole, or a path of the origin.
fn address(origin: &str, typed: &str) -> Option<Address> {
    if typed.contains("://") {
        return Address::parse(typed).ok();
    }
    let base = Address::parse(&format!("{origin}/")).ok()?;
    if typed.is_empty() { Some(base) } else { base.join(typed).ok() }
}

fn at_a_glance(stored: &Stored, file: &RobotsTxt, terms: &Terms, blocked: u64) -> RobotsHost {
    let own = file.group(&terms.own);
    let groups = lines::groups(file);
    host(stored, file, (&own, groups), terms, blocked)
}

fn host(
    stored: &Stored,
    file: &RobotsTxt,
    (own, groups): (&Group, u64),
    terms: &Terms,
    blocked: u64,
) -> RobotsHost {
    RobotsHost {
        origin: stored.origin.clone(),
        host: stored.name.clone(),
        internal: stored.internal,
        state: stored.state.clone(),
        status: stored.status,
        outcome: terms.outcome(&stored.answered()),
        robots_url: format!("{}/robots.txt", stored.origin),
        final_url: stored.final_url.clone(),
        fetched: stored.fetched.clone(),
        bytes: stored.body.len().min(robots::MAX_BYTES) as u64,
        truncated: stored.too_large || file.is_truncated(),
        redirects: stored.hops,
        problems: file.problems().len() as u64,
        groups,
        group_followed: group_name(own),
        crawl_delay: own.crawl_delay().map(|delay| delay.as_secs_f64()),
        sitemaps: file.sitemaps().count() as u64,
        blocked,
    }
}

fn whole(stored: &Stored, terms: &Terms, blocked: u64) -> RobotsFile {
    let file = stored.file();
    let (own, bot) = (file.group(&terms.own), file.group(&terms.bot));
    let lined = lines::lined(&file, &own, &bot);
    let agent = |token: &str, role: &str, group: &Group| RobotsAgent {
        token: token.to_owned(),
        role: role.to_owned(),
        group: group_name(group),
        rules: group.rules().len() as u64,
        crawl_delay: group.crawl_delay().map(|delay| delay.as_secs_f64()),
    };
    RobotsFile {
        host: host(stored, &file, (&own, lined.groups.len() as u64), terms, blocked),
        hops: stored.redirects(),
        error: stored.error.clone(),
        text: stored.text(),
        line_count: lined.count,
        lines: lined.lines,
        groups: lined.groups,
        agents: vec![agent(&terms.own, "own", &own), agent(&terms.bot, "bot", &bot)],
        sitemaps: sitemaps(&file),
    }
}

/// What a reading gives where it was given up because somebody said so.
fn given_up<T: Default>(cancel: &Cancel, read: Result<T, StoreError>) -> Result<T, StoreError> {
    if cancel.is_cancelled() { Ok(T::default()) } else { read }
}

#[cfg(test)]
mod tests;
