//! “May this address be fetched?” with the line of robots.txt that says so.

use crate::Engine;
use crate::error::EngineError;
use crate::settings;
use fetch::{Fetcher, RobotsReading};
use model::address::{Seed, read_seed};
use model::settings::Start;
use robots::{Followed, Group, RobotsTxt};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Default)]
pub struct RobotsRequest {
    /// As typed.
    pub urls: Vec<String>,
    /// A product token or a whole User-Agent header; `None` for our own.
    pub agent: Option<String>,
    /// A local file that is read in place of the sites' own.
    pub robots_file: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsReport {
    /// The token that was looked for.
    pub agent: String,
    /// Each robots.txt that was read, in the order in which the addresses need them.
    pub files: Vec<RobotsFile>,
    /// One for each address, in order.
    pub verdicts: Vec<RobotsVerdict>,
}

/// A robots.txt that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsFile {
    /// Its address or path.
    pub source: String,
    /// What came of asking for it, in words.
    pub outcome: String,
    /// The group that is followed: a token, `*`, or empty where no group speaks to the agent.
    pub group: String,
    pub crawl_delay: Option<String>,
    pub sitemaps: Vec<String>,
    /// Defects, each with its line.
    pub problems: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsVerdict {
    pub url: String,
    pub allowed: bool,
    /// The line that decided: its number, counted from 1, and its text. `None`: no rule matches.
    pub line: Option<(u32, String)>,
    /// The file that was asked.
    pub source: String,
}

impl Engine {
    /// Tests addresses against robots.txt. Only robots.txt files are requested, and none with a local file.
    pub fn robots(&self, request: &RobotsRequest) -> Result<RobotsReport, EngineError> {
        let mut seeds = Vec::with_capacity(request.urls.len());
        for typed in &request.urls {
            seeds.push(read_seed(typed).map_err(|error| EngineError::Usage(error.to_string()))?);
        }
        let plan = settings::plan(Start::default(), None, &[])?;
        let agent = match &request.agent {
            Some(agent) => robots::product_token(agent).to_owned(),
            None => plan.agent.token.clone(),
        };
        if agent.is_empty() {
            return Err(EngineError::Usage("the agent is empty".to_owned()));
        }
        let mut report = RobotsReport { agent, files: Vec::new(), verdicts: Vec::new() };
        if let Some(path) = &request.robots_file {
            let source = path.display().to_string();
            let file = RobotsTxt::parse(&read_file(path)?);
            let group = file.group(&report.agent);
            report.files.push(described(&source, "read from disk".to_owned(), &file, &group));
            for seed in &seeds {
                report.verdicts.push(verdict(seed.address.as_str(), &group, &source));
            }
            return Ok(report);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let fetcher = Fetcher::new(&plan, self.fetch_seams())
            .map_err(|error| EngineError::CannotStart(error.to_string()))?;
        runtime.block_on(ask_all(&fetcher, &seeds, &mut report));
        Ok(report)
    }
}

async fn ask_all(fetcher: &Fetcher, seeds: &[Seed], report: &mut RobotsReport) {
    let mut asked: BTreeMap<String, (Group, String)> = BTreeMap::new();
    for seed in seeds {
        let origin = seed.address.origin();
        if !asked.contains_key(&origin) {
            let read = ask(fetcher, seed, &origin, report).await;
            asked.insert(origin.clone(), read);
        }
        if let Some((group, source)) = asked.get(&origin) {
            let url = if source.starts_with("http://") && seed.scheme_guessed {
                seed.address.as_str().replacen("https://", "http://", 1)
            } else {
                seed.address.as_str().to_owned()
            };
            report.verdicts.push(verdict(&url, group, source));
        }
    }
}

/// Asks one origin; where https was only a guess and cannot connect, over http.
async fn ask(fetcher: &Fetcher, seed: &Seed, origin: &str, report: &mut RobotsReport) -> (Group, String) {
    let mut origin = origin.to_owned();
    let mut answer = fetcher.robots(&origin).await;
    if seed.scheme_guessed && answer.result.is_err() {
        let plain = origin.replacen("https://", "http://", 1);
        let second = fetcher.robots(&plain).await;
        if second.result.is_ok() {
            (origin, answer) = (plain, second);
        }
    }
    let file = match answer.reading() {
        RobotsReading::Rules => RobotsTxt::parse(&answer.bytes),
        RobotsReading::NoRules | RobotsReading::Unknown => RobotsTxt::allow_all(),
    };
    let mut outcome = match &answer.result {
        Ok(status) => format!("status {status}"),
        Err(failure) => format!("{}: {}", failure.kind, failure.detail),
    };
    if let Some(last) = answer.hops.last() {
        outcome.push_str(&format!(", {} redirect(s), the last from {}", answer.hops.len(), last.url));
    }
    match answer.reading() {
        RobotsReading::Rules => {}
        RobotsReading::NoRules => outcome.push_str(": no rules"),
        RobotsReading::Unknown => {
            outcome.push_str(": the rules are unknown; an audit goes on with a warning")
        }
    }
    let group = file.group(&report.agent);
    let source = format!("{origin}/robots.txt");
    // An address typed with its scheme and one without may lead to the same file.
    if !report.files.iter().any(|known| known.source == source) {
        report.files.push(described(&source, outcome, &file, &group));
    }
    (group, source)
}

fn described(source: &str, outcome: String, file: &RobotsTxt, group: &Group) -> RobotsFile {
    RobotsFile {
        source: source.to_owned(),
        outcome,
        group: match group.followed() {
            Followed::Nothing => String::new(),
            Followed::Own | Followed::Star => group.name().to_owned(),
        },
        crawl_delay: group.crawl_delay().map(|delay| format!("{} s", delay.as_secs_f64())),
        sitemaps: file.sitemaps().map(|line| line.value.clone()).collect(),
        problems: file
            .problems()
            .iter()
            .map(|problem| format!("line {}: {}: {}", problem.line, problem.code, problem.text.trim()))
            .collect(),
    }
}

fn verdict(url: &str, group: &Group, source: &str) -> RobotsVerdict {
    let decision = group.decide(url);
    RobotsVerdict {
        url: url.to_owned(),
        allowed: decision.allowed,
        line: decision.line.map(|line| (line.number, line.to_string())),
        source: source.to_owned(),
    }
}

/// A little more than any crawler reads, so that a longer file is seen to be too long.
fn read_file(path: &Path) -> Result<Vec<u8>, EngineError> {
    let mut bytes = Vec::new();
    let most = robots::MAX_BYTES as u64 + 1;
    let read = std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| EngineError::unreadable(path, &error))?;
    Ok(bytes)
}
