//! The rows that a crawl writes and reads back.

use crate::html::Packed;
use model::main_text::{MainText, Reading};
use model::structured::Syntax;
use model::{FailureKind, FlawKind, FoundBy, Purpose, UrlState, Validators};

/// A URL that a crawl meets for the first time.
#[derive(Debug, Clone, Copy)]
pub struct VisitRow<'a> {
    pub url: u32,
    pub host: u32,
    pub state: UrlState,
    pub purpose: Purpose,
    pub internal: bool,
    /// Clicks from a seed; `None` while no followed link leads there (sitemaps, stored links).
    pub depth: Option<u16>,
    /// Redirects since the last URL that something other than a redirect names.
    pub hops: u8,
    pub found: FoundBy,
    pub source: Option<u32>,
    pub reason: Option<&'a str>,
}

/// A visit read back when a crawl is resumed.
#[derive(Debug, Clone, Copy)]
pub struct StoredVisit {
    pub url: u32,
    pub host: u32,
    pub state: UrlState,
    pub purpose: Purpose,
    pub internal: bool,
    pub depth: Option<u16>,
    pub hops: u8,
}

/// A URL waiting in the frontier.
#[derive(Debug, Clone)]
pub struct QueuedUrl {
    pub url: u32,
    pub text: String,
}

/// What came of a request, as stored.
#[derive(Debug, Clone, Default)]
pub struct AnswerRow {
    /// 1 GET, 2 HEAD.
    pub method: u8,
    pub status: Option<u16>,
    pub version: Option<&'static str>,
    pub content_type: Option<Box<str>>,
    /// Decoded bytes, or the Content-Length where the body was not read.
    pub bytes: Option<u64>,
    pub transferred: Option<u64>,
    /// Unix milliseconds.
    pub started: i64,
    pub ttfb_ms: Option<u32>,
    pub total_ms: Option<u32>,
    pub dns_ms: Option<u32>,
    pub connect_ms: Option<u32>,
    pub remote: Option<String>,
    /// Bits of `schema::answer_flags`.
    pub flags: i64,
    /// Status of the failing HEAD before this GET; 0 for no answer.
    pub head_status: Option<u16>,
    /// `name: value` lines.
    pub headers: Option<String>,
    /// What the answer is known by, where `headers` cannot say it byte for byte.
    pub validators: Option<Validators>,
    pub error: Option<String>,
    /// Fingerprint of a body that was read and is no page.
    pub content_hash: Option<u64>,
}

/// One request of a URL that needed several.
#[derive(Debug, Clone)]
pub struct AttemptRow {
    pub method: u8,
    pub started: i64,
    pub total_ms: u32,
    pub status: Option<u16>,
    pub failure: Option<FailureKind>,
    pub purpose: AttemptPurpose,
}

/// What a request was made for, as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptPurpose {
    /// The URL itself.
    Fetch = 0,
    /// Made at the end, to confirm a failure.
    Confirm = 1,
    /// To see how the site answers: no URL of the crawl because of it.
    Probe = 2,
}

/// What came of a request that is no URL of the site.
#[derive(Debug, Clone, Default)]
pub struct ProbeRow {
    /// `random-path`, `twin`, `sitemap`, `random-host`.
    pub kind: &'static str,
    /// The URL, or the host name.
    pub subject: String,
    /// `answered`, `failed`, `blocked`, or `known` where the crawl had asked the URL itself.
    pub state: &'static str,
    pub method: Option<u8>,
    /// Unix milliseconds.
    pub started: Option<i64>,
    pub total_ms: Option<u32>,
    pub status: Option<u16>,
    pub failure: Option<FailureKind>,
    pub content_type: Option<Box<str>>,
    pub bytes: Option<u64>,
    /// Where the answer redirects to, resolved.
    pub redirect: Option<String>,
    /// A sentence: why it failed, by which line it is blocked, what a name resolved to.
    pub detail: Option<String>,
    pub document: Option<Document>,
    /// Its requests, where there were several.
    pub attempts: Vec<AttemptRow>,
}

/// The facts of an HTML document in the shape of their columns. Hash addresses everything below it.
#[derive(Debug, Clone, Default)]
pub struct Document {
    pub hash: u64,
    /// Fingerprint of the HTML bytes, the same in every project.
    pub content_hash: u64,
    /// Seeded hash of the HTML bytes, which addresses the stored HTML.
    pub html_key: u64,
    pub html: Option<Packed>,
    pub title: Option<Box<str>>,
    pub title_px: u32,
    pub title_count: u32,
    pub description: Option<Box<str>>,
    pub description_px: u32,
    pub description_count: u32,
    pub h1: Option<Box<str>>,
    pub h1_count: u32,
    pub h2: Option<Box<str>>,
    pub h2_count: u32,
    /// The first canonical, resolved where it can be, else as written.
    pub canonical: Option<Box<str>>,
    /// Hash of the canonical's identity, for finding its URL row.
    pub canonical_key: Option<u64>,
    pub canonical_count: u32,
    pub canonical_distinct: u32,
    pub robots: Option<String>,
    pub noindex: bool,
    pub nofollow: bool,
    pub refresh_delay: Option<u32>,
    pub refresh_url: Option<Box<str>>,
    pub lang: Option<Box<str>>,
    pub charset: Box<str>,
    pub charset_source: &'static str,
    pub viewport: Option<Box<str>>,
    pub base: Option<Box<str>>,
    pub word_count: u32,
    pub text_bytes: u32,
    pub text_hash: u64,
    pub dom_nodes: u32,
    pub dom_depth: u32,
    pub head_closed_by: Option<Box<str>>,
    /// Bits of `schema::document_flags`.
    pub flags: i64,
    /// JSON: `[[level, text, line], …]`.
    pub headings: Option<String>,
    /// JSON object of what has no column: further titles, descriptions, robots directives, canonicals, social properties.
    pub details: Option<String>,
    /// In document order.
    pub flaws: Vec<FlawRow>,
    /// Entities that are no other's value, in document order.
    pub structured: Vec<StructuredRow>,
    pub main_text: Option<MainText>,
    pub reading: Option<Reading>,
    /// Fingerprints of its ids and of the names of its anchors: where fragments may lead.
    pub fragments: Vec<u64>,
}

/// One element of a document at which something is wrong.
#[derive(Debug, Clone)]
pub struct FlawRow {
    pub kind: FlawKind,
    /// One-based; 0 where the flaw is the whole document's.
    pub line: u32,
    /// Path of the element: `body>main>img`.
    pub element: Option<Box<str>>,
    pub detail: Box<str>,
}

/// An entity of a document's structured data, with all that is in it.
#[derive(Debug, Clone)]
pub struct StructuredRow {
    pub syntax: Syntax,
    /// Separated by spaces.
    pub types: Box<str>,
    /// One-based.
    pub line: u32,
    /// Path of the element: `head>script`.
    pub element: Option<Box<str>>,
    /// Problems in it, those of entities in it included.
    pub problems: u32,
    /// JSON as `docs/project-file.md` tells of `v_structured`.
    pub data: String,
}

/// robots.txt of one origin as a crawl met it.
#[derive(Debug, Clone, Default)]
pub struct RobotsRow {
    /// `ok`, `missing`, `unreachable`, `throttled`.
    pub state: &'static str,
    pub status: Option<u16>,
    pub final_url: Option<String>,
    pub hops: u8,
    pub crawl_delay: Option<f64>,
    pub fetched: i64,
    pub error: Option<String>,
    /// 1 larger than 512,000 bytes; 2 HTML; 4 too many redirects.
    pub flags: i64,
    pub body: Vec<u8>,
    /// The redirects on the way to it, a line each: `301 http://example.com/robots.txt`.
    pub chain: Option<String>,
}

/// What went to and came from an origin since it was last stored: numbers are added to those of before, the rest replaces it.
#[derive(Debug, Clone, Default)]
pub struct TrafficRow {
    pub internal: bool,
    pub requests: u64,
    pub bytes: u64,
    pub errors: u64,
    pub slow_downs: u64,
    pub total_ms: u64,
    pub paused_ms: u64,
    /// The address that answered last; `None` keeps what is stored.
    pub remote: Option<String>,
    pub version: Option<&'static str>,
    pub certificate: Option<CertificateRow>,
}

/// What a host's certificate says.
#[derive(Debug, Clone, Default)]
pub struct CertificateRow {
    /// Unix milliseconds.
    pub from: i64,
    pub until: i64,
    pub issuer: String,
    pub subject: String,
    /// Separated by spaces.
    pub names: String,
    /// Why it was refused.
    pub fault: Option<String>,
}
