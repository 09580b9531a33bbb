//! What a person is told of a crawl, as plain data.

use super::structured::StructuredDetail;
use crate::dto::CrawlCard;
use crate::said::IgnoreWhat;
use crate::table::Filter;
use serde::Serialize;

/// How a number or a bar is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    Good,
    Redirect,
    Warning,
    Bad,
    Neutral,
}

/// One part of a distribution. Its filter opens exactly `count` rows of the distribution's table.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bar {
    pub label: String,
    pub count: u64,
    pub filter: Filter,
    pub tone: Tone,
}

/// A crawl seen by one property. Every row is in one bar; bars without rows are left out.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Distribution {
    pub id: String,
    pub title: String,
    /// The table that the filters are for: `urls` or `pages`.
    pub table: String,
    pub bars: Vec<Bar>,
}

/// One of the things to fix first.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FixFirst {
    pub audit: String,
    pub title: String,
    pub severity: String,
    pub priority: String,
    pub findings: u64,
    pub urls: u64,
    /// One sentence: what is affected, and how much of the site leads there.
    pub why: String,
}

/// A part of the site: the first directory of a host, or the pages that lie in none. Numbers are the medians of its pages; null
/// where none is known.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SectionCard {
    /// `https://example.com/blog/`.
    pub section: String,
    pub pages: u64,
    pub indexable: u64,
    /// Issues and warnings on its URLs.
    pub findings: u64,
    pub words: Option<u64>,
    pub bytes: Option<u64>,
    pub ttfb_ms: Option<u64>,
    pub links: Option<u64>,
    pub depth: Option<u64>,
    /// Its URLs that were asked for, by what was answered; filters of the table `urls`.
    pub outcomes: Vec<Bar>,
    /// Its rows in the tables `urls` and `pages`.
    pub filter: Filter,
}

/// A crawl at a glance.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Overview {
    pub crawl: CrawlCard,
    /// Internal HTML pages with a 2xx answer.
    pub pages: u64,
    /// Those of them that search engines may show.
    pub indexable: u64,
    /// Findings of severity *issue*.
    pub issues: u64,
    /// Findings of severity *warning*.
    pub warnings: u64,
    /// Findings of any severity that are counted nowhere, because somebody decided that they may stay.
    pub ignored: u64,
    /// Five at most, the most urgent first.
    pub fix_first: Vec<FixFirst>,
    pub distributions: Vec<Distribution>,
    /// What makes the crawl less reliable than it looks, in a sentence: the site went down in the middle.
    pub caution: Option<String>,
}

/// The findings of one audit at one severity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IssueCard {
    pub audit: String,
    pub title: String,
    pub family: String,
    pub family_title: String,
    pub severity: String,
    pub priority: String,
    pub findings: u64,
    /// Different URLs among them.
    pub urls: u64,
    /// How many were judged; 0 until the crawl has been judged as a whole.
    pub checked: u64,
    /// What was judged, in words: `pages`.
    pub judged: String,
    /// Findings of the audit that are not among these, because somebody decided that they may stay. Where there are lines of
    /// several weights, told with one of them; a line may have nothing else.
    pub ignored: u64,
    /// The project lets the audit weigh something else than it says itself.
    pub changed: bool,
    /// Findings at this severity in the finished crawl before; null where there is none, or where the rule was another one.
    pub before: Option<u64>,
}

/// Findings that are one thing to fix.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IssueGroup {
    /// A place in the markup (`footer > ul > li > a`), with its target where that is the same; a directory; a repeated text.
    pub label: String,
    pub findings: u64,
    pub urls: u64,
    /// One of the URLs.
    pub example: String,
    /// Opens the findings of the group in the table `findings`.
    pub filter: Filter,
    /// By which they can be ignored; null where nothing says exactly which they are.
    pub ignore: Option<IgnoreWhat>,
}

/// A name and a value, both as they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fact {
    pub name: String,
    pub value: String,
}

/// A finding about a URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DetailIssue {
    pub audit: String,
    pub title: String,
    pub severity: String,
    pub priority: String,
    pub evidence: Vec<Fact>,
    /// Somebody decided that it may stay.
    pub ignored: bool,
    /// Where the finding points, for `finding_place`.
    pub link: i64,
    /// Whether it is about an element of the page.
    pub in_source: bool,
}

/// Where the element of a finding stands in the source of its page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindingPlace {
    /// One-based.
    pub line: u32,
    /// One-based, in characters.
    pub column: u32,
    /// Of the start tag, in UTF-16 units of the source as `url_html` gives it. Equal to `end` where the source has no such tag:
    /// the parser made the element up.
    pub start: u64,
    /// Behind the start tag.
    pub end: u64,
    /// The start tag as written, its first 500 characters.
    pub tag: String,
}

/// A member of a redirect chain, the URL itself being the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Hop {
    pub url: String,
    pub status: Option<u16>,
    /// Why the chain goes no further: the reason of its state, or `loop` where a URL comes again.
    pub reason: Option<String>,
    /// Null where the crawl did not meet the URL.
    pub key: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    pub text: String,
}

/// What a search result may show of a page. Widths in pixels; the limits are those that the crawl was judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Preview {
    pub title: Option<String>,
    pub title_px: u32,
    pub title_max_px: u32,
    pub description: Option<String>,
    pub description_px: u32,
    pub description_max_px: u32,
}

/// A URL in one crawl of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PastVisit {
    pub crawl: i64,
    /// When that crawl began, ISO 8601 UTC.
    pub started: String,
    pub state: String,
    pub status: Option<u16>,
    pub title: Option<String>,
    pub content_hash: Option<String>,
}

/// Everything that is shown of one URL without opening a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UrlDetail {
    pub key: i64,
    pub url: String,
    pub internal: bool,
    pub state: String,
    /// Of its state: the robots.txt line that blocks it, the rule that excludes it, the failure, the limit.
    pub reason: Option<String>,
    pub status: Option<u16>,
    pub indexable: bool,
    pub indexability: Option<String>,
    pub summary: Vec<Fact>,
    pub timings: Vec<Fact>,
    /// Names in lower case, in the order sent.
    pub headers: Vec<(String, String)>,
    /// Empty where the URL does not redirect.
    pub redirects: Vec<Hop>,
    /// In document order.
    pub headings: Vec<Heading>,
    /// Null where the URL is no page.
    pub preview: Option<Preview>,
    /// Worst first, 1,000 at most.
    pub issues: Vec<DetailIssue>,
    /// Links of any kind that name this URL. 0 until the first crawl of a project has ended.
    pub inlinks: u64,
    /// Its links that are no resources.
    pub outlinks: u64,
    /// What a browser loads to show it: images, scripts, styles, media, fonts and the like.
    pub resources: u64,
    pub structured: StructuredDetail,
    /// The crawls that met it, the newest first.
    pub history: Vec<PastVisit>,
    /// Whether its HTML was stored.
    pub html: bool,
}

/// What a running crawl is met with.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pulse {
    /// The slowest first.
    pub hosts: Vec<HostPulse>,
    /// The newest first.
    pub problems: Vec<ProblemPulse>,
    pub took_ms: u64,
}

/// Answers of a host among those looked at, with the time to their first byte.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HostPulse {
    pub host: String,
    pub answers: u64,
    pub mean_ms: u64,
    pub slowest_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemPulse {
    pub key: i64,
    pub url: String,
    pub status: Option<u16>,
    pub reason: Option<String>,
    /// When it was asked, ISO 8601 UTC.
    pub moment: Option<String>,
}
