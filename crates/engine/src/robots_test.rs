//! “May this address be fetched?” with the line of robots.txt that says so.

use crate::Engine;
use crate::error::EngineError;
use crate::faults::refuse;
use crate::robots_view::{
    RobotsHop, RobotsProblem, RobotsSitemap, RobotsVerdict, followed, group_name, problems, silent, sitemaps,
    token, verdict,
};
use crate::settings;
use fetch::{Fetcher, RobotsAnswer, RobotsReading};
use model::address::{Seed, read_seed};
use model::settings::Start;
use robots::{Group, RobotsTxt};
use std::collections::{HashMap, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};
use tokio::task::{JoinSet, LocalSet};

#[derive(Debug, Clone, Default)]
pub struct RobotsRequest {
    /// As typed.
    pub urls: Vec<String>,
    /// A product token, also with its version; `None` for our own.
    pub agent: Option<String>,
    /// A local file that is read in place of the sites' own.
    pub robots_file: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RobotsReport {
    /// The token that was looked for.
    pub agent: String,
    /// Each robots.txt that was read or asked for, in the order in which the addresses need them.
    pub sources: Vec<RobotsSource>,
    /// One for each address, in order.
    pub verdicts: Vec<AskedVerdict>,
}

/// A robots.txt that was read or asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotsSource {
    /// Its address or path.
    pub source: String,
    /// What came of asking for it, in words.
    pub outcome: String,
    /// The last status; `None` where nothing answered, or nothing was asked.
    pub status: Option<u16>,
    /// The redirects on the way to it, in order.
    pub redirects: Vec<RobotsHop>,
    /// Where they ended.
    pub final_url: Option<String>,
    /// Bytes that were read.
    pub bytes: u64,
    /// Whether it is known what the rules are, be it that there are none. They are not where the file could not be read;
    /// what follows is then empty.
    pub rules_known: bool,
    /// The group that is followed: a token or `*`; `None` where no group speaks to the agent.
    pub group: Option<String>,
    /// Seconds, of that group.
    pub crawl_delay: Option<f64>,
    pub sitemaps: Vec<RobotsSitemap>,
    pub problems: Vec<RobotsProblem>,
}

/// A verdict, and which of the sources it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedVerdict {
    pub source: usize,
    pub verdict: RobotsVerdict,
}

/// Origins asked at once.
const AT_ONCE: usize = 8;

impl Engine {
    /// Tests addresses against robots.txt. Only robots.txt files are requested, each once (again after a time-out or a failed
    /// connection, and once more where a 429 says after how long), and none with a local file. Whatever is wrong with the
    /// request is named at once.
    ///
    /// Where no origin gave any answer, the job could not start: [`EngineError::CannotStart`].
    pub fn robots(&self, request: &RobotsRequest) -> Result<RobotsReport, EngineError> {
        let plan = settings::plan(Start::default(), None, &[])?;
        let mut faults = Vec::new();
        let mut kept = |error| faults.push(error);
        let seeds = seeds(&request.urls).map_err(&mut kept).unwrap_or_default();
        let agent = match &request.agent {
            Some(agent) => token(agent).map_err(&mut kept).unwrap_or_default().to_owned(),
            None => plan.agent.token.clone(),
        };
        let file = request.robots_file.as_deref().map(|path| (path, read_file(path)));
        let file = file.and_then(|(path, read)| Some((path, read.map_err(&mut kept).ok()?)));
        refuse(faults)?;
        let asker = Asker { agent, own: plan.agent.token.clone() };
        if let Some((path, bytes)) = file {
            return Ok(local(path, &bytes, &seeds, asker));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let fetcher = Fetcher::new(&plan, self.fetch_seams())
            .map_err(|error| EngineError::CannotStart(error.to_string()))?;
        let answers = LocalSet::new().block_on(&runtime, ask_all(&fetcher, &seeds));
        report(&seeds, answers, asker)
    }
}

/// Who asks: the agent that is tested for, and the token of this program.
struct Asker {
    agent: String,
    own: String,
}

impl Asker {
    fn group(&self, file: &RobotsTxt) -> Group {
        followed(file, &self.agent, &self.own)
    }
}

/// The addresses; all that are none are named at once.
fn seeds(typed: &[String]) -> Result<Vec<Seed>, EngineError> {
    let mut seeds = Vec::with_capacity(typed.len());
    let mut wrong = Vec::new();
    for typed in typed {
        match read_seed(typed) {
            Ok(seed) => seeds.push(seed),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(seeds) } else { Err(EngineError::Usage(wrong.join("\n"))) }
}

fn local(path: &Path, bytes: &[u8], seeds: &[Seed], asker: Asker) -> RobotsReport {
    let file = RobotsTxt::parse(bytes);
    let group = asker.group(&file);
    let agent = asker.agent;
    let source = RobotsSource {
        source: path.display().to_string(),
        outcome: "read from disk".to_owned(),
        bytes: bytes.len().min(robots::MAX_BYTES) as u64,
        ..described(&file, &group)
    };
    let told = |seed: &Seed| AskedVerdict { source: 0, verdict: verdict(&shown(seed), &group, &agent) };
    let verdicts = seeds.iter().map(told).collect();
    RobotsReport { agent, sources: vec![source], verdicts }
}

type Answers = HashMap<String, RobotsAnswer>;

/// Asks every origin once; where https was only a guess and cannot connect, over http too.
async fn ask_all(fetcher: &Fetcher, seeds: &[Seed]) -> Answers {
    let mut answers = Answers::new();
    ask(fetcher, seeds.iter().map(origin).collect(), &mut answers).await;
    let silent = |seed: &&Seed| {
        seed.scheme_guessed && answers.get(&origin(seed)).is_some_and(|answer| answer.result.is_err())
    };
    let plain = seeds.iter().filter(silent).map(|seed| over_http(&origin(seed))).collect();
    ask(fetcher, plain, &mut answers).await;
    answers
}

/// Asks those origins that were not asked yet, a few at a time.
async fn ask(fetcher: &Fetcher, origins: Vec<String>, answers: &mut Answers) {
    let mut waiting: VecDeque<String> = VecDeque::new();
    for origin in origins {
        if !answers.contains_key(&origin) && !waiting.contains(&origin) {
            waiting.push_back(origin);
        }
    }
    let mut under_way = JoinSet::new();
    loop {
        while under_way.len() < AT_ONCE
            && let Some(origin) = waiting.pop_front()
        {
            let fetcher = fetcher.clone();
            under_way.spawn_local(async move {
                let answer = fetcher.robots(&origin).await;
                (origin, answer)
            });
        }
        match under_way.join_next().await {
            Some(Ok((origin, answer))) => drop(answers.insert(origin, answer)),
            Some(Err(_)) => {}
            None => return,
        }
    }
}

fn report(seeds: &[Seed], answers: Answers, asker: Asker) -> Result<RobotsReport, EngineError> {
    let mut report = RobotsReport { agent: asker.agent.clone(), sources: Vec::new(), verdicts: Vec::new() };
    // The rules of each source; `None` where nobody knows them.
    let mut groups: Vec<Option<Group>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for seed in seeds {
        let (origin, url) = decided(seed, &answers);
        let place = match places.get(&origin) {
            Some(place) => *place,
            None => {
                let Some(answer) = answers.get(&origin) else {
                    return Err(EngineError::Internal(format!("{origin} was not asked")));
                };
                let (source, group) = asked(&origin, answer, &asker);
                report.sources.push(source);
                groups.push(group);
                places.insert(origin, groups.len() - 1);
                groups.len() - 1
            }
        };
        let verdict = match &groups[place] {
            Some(group) => verdict(&url, group, &report.agent),
            None => silent(&url, report.sources[place].outcome.clone()),
        };
        report.verdicts.push(AskedVerdict { source: place, verdict });
    }
    if answers.values().all(|answer| answer.result.is_err() && answer.reading() == RobotsReading::Unknown) {
        let reasons = report.sources.iter().map(|source| format!("{}: {}", source.source, source.outcome));
        return Err(EngineError::CannotStart(reasons.collect::<Vec<_>>().join("\n")));
    }
    Ok(report)
}

/// The origin that speaks of an address, and the address there: a guessed https gives way to an http that answers.
fn decided(seed: &Seed, answers: &Answers) -> (String, String) {
    let (origin, url) = (origin(seed), shown(seed));
    let answered = |origin: &str| answers.get(origin).is_some_and(|answer| answer.result.is_ok());
    let plain = over_http(&origin);
    if seed.scheme_guessed && !answered(&origin) && answered(&plain) {
        return (plain, over_http(&url));
    }
    (origin, url)
}

fn asked(origin: &str, answer: &RobotsAnswer, asker: &Asker) -> (RobotsSource, Option<Group>) {
    let reading = answer.reading();
    let file = match reading {
        RobotsReading::Rules => RobotsTxt::parse(&answer.bytes),
        RobotsReading::NoRules | RobotsReading::Unknown => RobotsTxt::allow_all(),
    };
    let group = asker.group(&file);
    let came = match &answer.result {
        Ok(status) => format!("status {status}"),
        Err(failure) => format!("{}: {}", failure.kind, failure.detail.trim_end_matches(['.', ' '])),
    };
    let means = match reading {
        RobotsReading::Rules => "",
        RobotsReading::NoRules => ": no rules",
        RobotsReading::Unknown => ": the rules are unknown; an audit goes on with a warning",
    };
    let source = RobotsSource {
        source: format!("{origin}/robots.txt"),
        outcome: format!("{came}{means}"),
        status: answer.result.as_ref().ok().copied(),
        redirects: answer
            .hops
            .iter()
            .map(|hop| RobotsHop { status: hop.status, url: hop.url.to_string() })
            .collect(),
        final_url: answer.final_url.as_ref().filter(|_| !answer.hops.is_empty()).map(ToString::to_string),
        bytes: answer.bytes.len().min(robots::MAX_BYTES) as u64,
        rules_known: reading != RobotsReading::Unknown,
        ..described(&file, &group)
    };
    (source, (reading != RobotsReading::Unknown).then_some(group))
}

/// What the file says, with nothing about how it was got.
fn described(file: &RobotsTxt, group: &Group) -> RobotsSource {
    RobotsSource {
        source: String::new(),
        outcome: String::new(),
        status: None,
        redirects: Vec::new(),
        final_url: None,
        bytes: 0,
        rules_known: true,
        group: group_name(group),
        crawl_delay: group.crawl_delay().map(|delay| delay.as_secs_f64()),
        sitemaps: sitemaps(file),
        problems: problems(file),
    }
}

/// Without credentials, which belong to no output.
fn shown(seed: &Seed) -> String {
    seed.address.without_credentials().0.as_str().to_owned()
}

fn origin(seed: &Seed) -> String {
    seed.address.without_credentials().0.origin()
}

fn over_http(text: &str) -> String {
    text.replacen("https://", "http://", 1)
}

/// A little more than any crawler reads, so that a longer file is seen to be too long.
fn read_file(path: &Path) -> Result<Vec<u8>, EngineError> {
    let mut bytes = Vec::new();
    let most = robots::MAX_BYTES as u64 + 1;
    let read = std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| EngineError::unreadable(path, &error))?;
    Ok(bytes)
}
