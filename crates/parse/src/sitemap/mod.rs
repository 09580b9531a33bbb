//! Sitemaps, feeds and URL lists as streams of entries.
//!
//! Memory is bounded whatever comes: one entry, one token, one line at a time.

mod source;
mod xml;

use source::{Source, Upstream};
use std::io::{BufRead, Read};

/// Problems kept of one sitemap.
const MAX_PROBLEMS: usize = 100;
/// Bytes kept of one address or date.
const MAX_VALUE: usize = 16_384;
/// Entries and decoded bytes that a sitemap may have (sitemaps.org, "Sitemap file limits"): beyond them search engines
/// stop, and we read on.
const LAWFUL_ENTRIES: u64 = 50_000;
const LAWFUL_BYTES: u64 = 52_428_800;

/// What a sitemap document turned out to be. The kind is known before the first entry is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SitemapKind {
    UrlSet,
    /// An index: its entries are sitemaps.
    Index,
    /// A plain list of URLs, one a line.
    Text,
    Rss,
    Atom,
    /// None of these (an HTML page, say): no entries.
    #[default]
    Unknown,
}

/// One entry: a page, or in an index a sitemap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SitemapEntry {
    /// What the document is: in an index the address is a sitemap's.
    pub kind: SitemapKind,
    /// The address as written: entities and CDATA decoded, white space around it removed, not yet parsed.
    pub loc: Box<str>,
    /// Date as written.
    pub lastmod: Option<Box<str>>,
    pub changefreq: Option<Box<str>>,
    pub priority: Option<Box<str>>,
    /// `xhtml:link rel=alternate hreflang`.
    pub alternates: Vec<SitemapAlternate>,
    /// `image:image` elements.
    pub images: u32,
    /// `video:video` elements.
    pub videos: u32,
    /// One-based line on which the entry begins.
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapAlternate {
    pub hreflang: Box<str>,
    pub href: Box<str>,
}

/// Something wrong with a sitemap's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapProblem {
    /// Kebab-case: `xml-error`, `namespace-wrong`, `gzip-error`, `too-many-entries`, `too-large` …
    pub code: &'static str,
    pub detail: Box<str>,
    /// One-based; 0 where there is none.
    pub line: u32,
    /// One-based, in characters; 0 where there is none.
    pub column: u32,
}

/// How the reading of one sitemap went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SitemapReport {
    pub kind: SitemapKind,
    /// Entries handed to the callback.
    pub entries: u64,
    /// Bytes after gzip was undone.
    pub decoded_bytes: u64,
    /// Layers of gzip that were undone.
    pub gzip_layers: u8,
    /// Reading stopped at the cap.
    pub truncated: bool,
    pub problems: Vec<SitemapProblem>,
}

/// Reads a sitemap (gzip undone by its magic bytes) up to `cap` decoded bytes and hands over each entry as it ends.
///
/// Never fails: what is wrong with the bytes, a fault of the reader included, is in the report.
pub fn sitemap(input: &mut dyn Read, cap: u64, each: &mut dyn FnMut(SitemapEntry)) -> SitemapReport {
    let mut report = SitemapReport::default();
    let mut upstream = Upstream::open(input, cap);
    let mut source = Source::new(&mut upstream);
    source.skip_space();
    let head = source.head().to_vec();
    let is_late_declaration = source.position() != (1, 1) && head.starts_with(b"<?xml");
    if is_late_declaration {
        report.problem(
            "leading-white-space",
            "white space stands before the XML declaration",
            source.position(),
        );
    }
    // A comment begins XML as well as HTML: there the root element decides.
    let is_html = model::sniff::looks_like_html(&head) && !head.starts_with(b"<!--");
    if is_html || is_xhtml(&head) {
        report.problem("html", "an HTML page stands where the sitemap should be", source.position());
    } else if head.starts_with(b"<") {
        xml::read(&mut source, &mut report, each);
    } else if !head.is_empty() {
        read_text(&mut source, &mut report, each);
    }
    let end = source.position();
    drop(source);
    upstream.close(&mut report, end);
    report.limits();
    report
}

impl SitemapReport {
    fn problem(&mut self, code: &'static str, detail: impl Into<String>, (line, column): (u32, u32)) {
        if self.problems.len() < MAX_PROBLEMS {
            let detail = detail.into();
            let cut = detail.floor_char_boundary(500);
            self.problems.push(SitemapProblem { code, detail: detail[..cut].into(), line, column });
        }
    }

    /// Whether the document is larger than search engines read. A feed has no such limits.
    fn limits(&mut self) {
        if !matches!(self.kind, SitemapKind::UrlSet | SitemapKind::Index | SitemapKind::Text) {
            return;
        }
        if self.entries > LAWFUL_ENTRIES {
            let detail = format!("{} entries; search engines read {LAWFUL_ENTRIES}", self.entries);
            self.problem("too-many-entries", detail, (0, 0));
        }
        if self.decoded_bytes > LAWFUL_BYTES {
            let detail = format!("{} bytes; search engines read {LAWFUL_BYTES}", self.decoded_bytes);
            self.problem("too-large", detail, (0, 0));
        }
    }

    fn problem_once(&mut self, code: &'static str, detail: impl Into<String>, at: (u32, u32)) {
        if !self.problems.iter().any(|problem| problem.code == code) {
            self.problem(code, detail, at);
        }
    }
}

/// XHTML begins with an XML declaration, which is no sign of HTML to the sniffer.
fn is_xhtml(head: &[u8]) -> bool {
    head.starts_with(b"<?xml")
        && memchr::memmem::find(head, b"?>").is_some_and(|end| {
            let rest = head[end + 2..].trim_ascii_start();
            model::sniff::looks_like_html(rest) && !rest.starts_with(b"<!--")
        })
}

/// One address a line. Other lines are reported and passed over; one whose scheme was forgotten is handed over as
/// written, since somebody meant an address by it.
fn read_text(source: &mut Source, report: &mut SitemapReport, each: &mut dyn FnMut(SitemapEntry)) {
    let mut line = Vec::new();
    let mut strange = None;
    loop {
        let position = source.position();
        line.clear();
        // A line longer than any address is read in pieces, and its pieces are no addresses.
        match source.by_ref().take(MAX_VALUE as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        source.token_ended();
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let begins = |with: &str| text.get(..with.len()).is_some_and(|s| s.eq_ignore_ascii_case(with));
        let is_address = begins("http://") || begins("https://");
        let is_entry = (is_address || begins("www.")) && !text.contains(char::is_whitespace);
        if is_entry {
            report.kind = SitemapKind::Text;
            report.entries += 1;
            let kind = report.kind;
            each(SitemapEntry { kind, loc: text.into(), line: position.0, ..SitemapEntry::default() });
        }
        if !is_entry || !is_address {
            strange.get_or_insert((position, text.to_owned()));
        }
    }
    match (strange, report.kind) {
        (Some((position, text)), SitemapKind::Text) => report.problem("line-no-address", text, position),
        (Some((position, _)), _) => {
            report.problem("unknown-format", "neither XML nor a list of addresses", position)
        }
        (None, _) => {}
    }
}

#[cfg(test)]
mod tests;
