//! robots.txt as a person sees it: hosts, one file line by line, verdicts, and what another text would change.

use serde::Serialize;

/// The origins whose robots.txt a crawl asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsHosts {
    /// How many there are; `hosts` holds the first 2,000 at most.
    pub total: u64,
    /// The site's own first, then those that blocked most, then by name.
    pub hosts: Vec<RobotsHost>,
}

/// One origin's robots.txt at a glance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsHost {
    /// `https://www.example.com`: what names the file in other calls.
    pub origin: String,
    pub host: String,
    pub internal: bool,
    /// `ok`, `missing`, `unreachable` or `throttled`.
    pub state: String,
    pub status: Option<u16>,
    /// What came of asking for it and what that means for the crawl, in words.
    pub outcome: String,
    pub robots_url: String,
    /// Where the redirects ended; null without any.
    pub final_url: Option<String>,
    /// When it was asked for, ISO 8601 UTC.
    pub fetched: String,
    pub bytes: u64,
    /// Only its first 512,000 bytes are read.
    pub truncated: bool,
    pub redirects: u8,
    pub problems: u64,
    pub groups: u64,
    /// The token of the group that the crawl followed, `*`, or null where none speaks to it.
    pub group_followed: Option<String>,
    /// Seconds, of that group.
    pub crawl_delay: Option<f64>,
    /// Sitemap lines.
    pub sitemaps: u64,
    /// URLs of the crawl that it blocked.
    pub blocked: u64,
}

/// One robots.txt, as fetched and as read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsFile {
    pub host: RobotsHost,
    /// The redirects on the way to it, in order.
    pub hops: Vec<RobotsHop>,
    /// Why there was no answer.
    pub error: Option<String>,
    /// As fetched, at most 512,000 bytes; bytes that are not UTF-8 replaced. Empty where there was no file.
    pub text: String,
    /// How many lines were read; `lines` holds the first 10,000 at most.
    pub line_count: u64,
    pub lines: Vec<RobotsLine>,
    pub groups: Vec<RobotsGroup>,
    /// The crawl's own token, and the audited bot.
    pub agents: Vec<RobotsAgent>,
    pub sitemaps: Vec<RobotsSitemap>,
}

/// A redirect on the way to a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsHop {
    pub status: u16,
    /// The address that redirected.
    pub url: String,
}

/// One line and how it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsLine {
    /// Counted from 1.
    pub number: u32,
    pub text: String,
    /// `blank`, `comment`, `user-agent`, `allow`, `disallow`, `sitemap`, `crawl-delay`, `noindex`, `extension`, `unknown-key` or
    /// `unreadable`.
    pub kind: String,
    /// Which of `groups` it belongs to, counted from 0.
    pub group: Option<u32>,
    /// It counts for the crawl's own token.
    pub followed: bool,
    /// It counts for the audited bot.
    pub followed_by_bot: bool,
    /// What is wrong with it, in a sentence.
    pub problem: Option<String>,
}

/// User-agent lines and the rules they share.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsGroup {
    /// As written.
    pub agents: Vec<String>,
    pub first_line: u32,
    pub last_line: u32,
    pub allows: u32,
    pub disallows: u32,
    pub followed: bool,
    pub followed_by_bot: bool,
}

/// What the file says to one crawler.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsAgent {
    /// The product token that was looked for.
    pub token: String,
    /// `own` (the crawl's own token) or `bot` (the audited one).
    pub role: String,
    /// The token that was found, `*`, or null where no group speaks to it.
    pub group: Option<String>,
    /// Allow and Disallow lines that count.
    pub rules: u64,
    pub crawl_delay: Option<f64>,
}

/// A Sitemap line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsSitemap {
    pub line: u32,
    pub url: String,
    /// It is an absolute address, as it has to be.
    pub absolute: bool,
}

/// What a robots.txt says of one URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsVerdict {
    pub url: String,
    /// Null where this file does not speak of the URL; `reason` says why.
    pub allowed: Option<bool>,
    /// The line that decided, counted from 1; null where no rule matches.
    pub line: Option<u32>,
    /// That line as read: `Disallow: /private/`.
    pub rule: Option<String>,
    /// The group that was followed; null where none speaks to the agent.
    pub group: Option<String>,
    /// In a sentence.
    pub reason: String,
}

/// What another text would do to the URLs that a crawl met at an origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsSandbox {
    /// URLs of the origin that were looked at.
    pub checked: u64,
    /// Blocked by the text.
    pub blocked: u64,
    /// Blocked by the text and not by the file as fetched.
    pub newly_blocked: u64,
    /// The other way round.
    pub newly_allowed: u64,
    /// Newly blocked ones, then newly allowed ones, then those blocked by both: of each the 500 with the most inlinks.
    pub rows: Vec<SandboxRow>,
    /// Problems of the text, each with its line.
    pub problems: Vec<RobotsProblem>,
    pub took_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SandboxRow {
    pub key: i64,
    pub url: String,
    /// By the text.
    pub allowed: bool,
    /// By the file as fetched.
    pub before: bool,
    /// The line of the text that decided.
    pub line: Option<u32>,
    pub rule: Option<String>,
    /// Links to it; 0 until the crawl has ended.
    pub inlinks: u64,
}

/// A defect of a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RobotsProblem {
    pub line: u32,
    /// Stable: `no-colon`, `bad-crawl-delay`…
    pub code: String,
    /// In a sentence.
    pub message: String,
    /// The line itself, cut after 500 characters.
    pub text: String,
}
