//! What goes in and out where a person says something about findings.

use crate::dto::{CrawlChoice, IssueLine};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Findings of one audit by what they have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum IgnoreWhat {
    /// All of them.
    Audit,
    /// Those of a URL that some crawl of the project met.
    Url(String),
    /// Those of URLs that match: `*` stands for any characters, `?` for one.
    Pattern(String),
    /// Those at an element of the markup, by its path (`body>footer>ul>li>a`); with a target, those whose link leads there, and
    /// with an empty one those whose link is no URL.
    Place { element: String, target: Option<String> },
    /// Those of pages that share this title, description or heading, whichever the audit is about; upper and lower case aside.
    Text(String),
}

/// Findings that are to be ignored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IgnoreRequest {
    pub audit: String,
    /// Each becomes an entry of its own; 1,000 at most.
    pub what: Vec<IgnoreWhat>,
    pub reason: String,
    /// The first day on which they count again, `YYYY-MM-DD` in UTC; never where there is none.
    pub until: Option<String>,
}

/// An entry of what is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IgnoredCard {
    /// By which it is named to undo it.
    pub number: i64,
    pub audit: String,
    pub title: String,
    pub what: IgnoreWhat,
    pub reason: String,
    /// ISO 8601 UTC.
    pub made: String,
    pub until: Option<String>,
    /// Its day has come: its findings count again.
    pub expired: bool,
    /// Findings of the crawl that it keeps back; those that a longer lasting entry keeps back are counted there.
    pub findings: u64,
}

/// What an audit weighs in this project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeverityCard {
    pub audit: String,
    pub title: String,
    pub severity: String,
    /// Null where it is the audit's own.
    pub priority: Option<String>,
    /// As the audit says.
    pub own_severity: String,
    pub own_priority: String,
}

/// A threshold as it counts for a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThresholdValue {
    /// `audit.title_max`.
    pub setting: String,
    /// As it is typed.
    pub value: String,
    /// What holds without anybody's word.
    pub default: String,
    /// The project says so; else the profile that the crawl ran with, or nobody.
    pub of_project: bool,
}

/// Crawls to be judged again with other thresholds.
#[derive(Debug, Clone, Default)]
pub struct EvaluateRequest {
    pub project: PathBuf,
    /// The latest crawl of the site; with `All`, every one that has come to its end.
    pub crawl: CrawlChoice,
    /// Thresholds that the project keeps from now on, id and value as typed.
    pub set: Vec<(String, String)>,
    /// Ids of thresholds that the project shall not keep any longer; `all` for all of them.
    pub reset: Vec<String>,
}

/// What judging again came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvaluateReport {
    pub crawls: Vec<i64>,
    /// What the project says now.
    pub thresholds: Vec<(String, String)>,
    /// Audits of the newest of the crawls whose findings are more or fewer than before.
    pub changes: Vec<CountChange>,
    /// Of the newest of the crawls, as in `AuditReport`.
    pub issues: Vec<IssueLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CountChange {
    pub audit: String,
    pub title: String,
    pub before: u64,
    pub after: u64,
}
