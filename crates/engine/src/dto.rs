//! What goes in and out of the use-cases that work on a project file.

use model::Credential;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// An audit to be run.
#[derive(Debug, Clone, Default)]
pub struct AuditRequest {
    /// Start addresses as typed; may be empty only with a list.
    pub seeds: Vec<String>,
    /// List mode: exactly these addresses, as typed.
    pub list: Option<Vec<String>>,
    /// Created if it does not exist; otherwise the crawl is added to it.
    pub project: PathBuf,
    /// A TOML profile.
    pub profile: Option<PathBuf>,
    /// Settings of this run, id and value as typed; later ones win.
    pub overrides: Vec<(String, String)>,
    /// For the origin of the start address, in this run only: neither stored nor shown. They take the place of what the
    /// keychain has for it.
    pub credentials: Vec<Credential>,
}

/// News of a running job.
#[derive(Debug, Clone)]
pub enum Event {
    Started {
        project: PathBuf,
        crawl: i64,
        seeds: Vec<String>,
        resumed: bool,
    },
    Progress(Progress),
    /// Something a person should know now: robots.txt out of reach, a host that slows us down, a full disk.
    Warning {
        code: String,
        message: String,
    },
}

/// Where a running job stands.
#[derive(Debug, Clone)]
pub struct Progress {
    pub phase: Phase,
    pub counts: Counts,
    pub elapsed: Duration,
    /// Answers a second over the last few seconds.
    pub rate: f64,
    /// The URL begun last; for the eye only.
    pub current: Option<String>,
    /// Findings so far that are issues; 0 until audits have run.
    pub issues: u64,
    pub warnings: u64,
    /// Internal HTML pages read so far.
    pub pages: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Starting,
    Crawling,
    Paused,
    Analysing,
    Confirming,
    Auditing,
    Saving,
}

impl Phase {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Crawling => "crawling",
            Self::Paused => "paused",
            Self::Analysing => "analysing",
            Self::Confirming => "confirming",
            Self::Auditing => "auditing",
            Self::Saving => "saving",
        }
    }
}

/// The URLs of a crawl by state. `encountered` is the sum of the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Counts {
    pub encountered: u64,
    pub fetched: u64,
    pub failed: u64,
    pub blocked: u64,
    pub excluded: u64,
    pub over_limit: u64,
    pub not_followed: u64,
    pub queued: u64,
}

/// How an audit ended.
#[derive(Debug, Clone)]
pub struct AuditReport {
    pub project: PathBuf,
    pub crawl: i64,
    pub start_url: String,
    pub ended: Ended,
    pub counts: Counts,
    /// Internal HTML pages with a 2xx answer.
    pub pages: u64,
    pub elapsed: Duration,
    /// Worst first; empty where the audits did not run.
    pub issues: Vec<IssueLine>,
    /// Findings that are in none of these lines, because somebody decided that they may stay.
    pub ignored: u64,
    /// The options of the command line with which the credentials of this run have to be given again to resume it.
    pub credential_options: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Complete,
    /// By `Control::stop`; it can be resumed.
    Stopped,
}

/// The findings of one audit at one severity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IssueLine {
    pub audit: String,
    pub title: String,
    pub family: String,
    /// `issue`, `warning`, `opportunity` or `note`.
    pub severity: String,
    /// `high`, `medium` or `low`.
    pub priority: String,
    pub findings: u64,
    /// Distinct URLs among them.
    pub urls: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Never writes; works beside a running crawl.
    Read,
    /// Refused while somebody else writes.
    Write,
}

/// A crawl of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CrawlCard {
    pub crawl: i64,
    pub job: String,
    pub start_url: String,
    /// ISO 8601 UTC.
    pub started: String,
    pub finished: Option<String>,
    /// As stored; `interrupted` where the file says `running` and no process writes to it.
    pub state: String,
    /// It did not come to its end, and nobody is at work on it.
    pub resumable: bool,
    /// Who is at work on it, such as `gossamer 1.2.3, process 4711`.
    pub holder: Option<String>,
    pub counts: Counts,
}

/// What compacting gave back: bytes of the file before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    pub before: u64,
    pub after: u64,
}

/// A documented view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ViewCard {
    pub name: String,
    pub about: String,
    pub columns: Vec<String>,
}

/// Rows to be read from a view.
#[derive(Debug, Clone, Default)]
pub struct ViewQuery {
    pub view: String,
    /// An SQL condition over the view's columns.
    pub filter: Option<String>,
    /// Empty for all.
    pub columns: Vec<String>,
    /// A column; with a minus before it, descending.
    pub sort: Option<String>,
    pub limit: Option<u64>,
    pub crawl: CrawlChoice,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CrawlChoice {
    #[default]
    Latest,
    Number(i64),
    All,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Exported {
    pub path: PathBuf,
    pub rows: u64,
    /// Findings that are not among them, because somebody decided that they may stay.
    pub left_out: u64,
}
