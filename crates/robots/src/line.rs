//! The lines of robots.txt: where each ends, and what its key and value are.
//!
//! Knows nothing of groups. Reads what Google's parser reads, byte for byte, on which site owners rely: `robotstxt`, a
//! port of it, tells key, value and comment apart and knows the keys of the RFC with their tolerated typos. This module
//! hands it a text it reads without fault (see [`prepared`]), takes the values from the file itself, and knows the keys
//! that the port does not.

use robotstxt::RobotsParseHandler;
use std::ops::Range;

/// Bytes of a line that are read: Google's line buffer, eight times the longest URL of an old browser, less its
/// terminator (google/robotstxt, `robots.cc`, `kMaxLineLen`).
pub(crate) const MAX_LINE_BYTES: usize = 2083 * 8 - 1;

model::coded! {
    /// How a line was read.
    pub enum Reading {
        Blank = 0 => "blank",
        Comment = 1 => "comment",
        UserAgent = 2 => "user-agent",
        Allow = 3 => "allow",
        Disallow = 4 => "disallow",
        Sitemap = 5 => "sitemap",
        CrawlDelay = 6 => "crawl-delay",
        /// `noindex` and `nofollow`: never specified, no longer read by anyone.
        Noindex = 7 => "noindex",
        /// A key that some crawler or standard reads, but not this one.
        Extension = 8 => "extension",
        UnknownKey = 9 => "unknown-key",
        /// No key and value can be told apart.
        Unreadable = 10 => "unreadable",
    }
}

/// What a line holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Syntax {
    pub(crate) reading: Reading,
    /// Where the value stands in the line; empty where there is none.
    pub(crate) value: Range<usize>,
    /// The key is misspelt or the colon missing, in a way that Google forgives.
    pub(crate) forgiven: bool,
}

/// Reads a file without byte order mark and calls `each` with the number (from 1), the bytes (without ending) and the
/// syntax of every line in order.
pub(crate) fn read<'a>(file: &'a [u8], each: impl FnMut(u32, &'a [u8], Syntax)) {
    robotstxt::parse_robotstxt(&prepared(file), &mut Events { lines: (1..).zip(split(file)), each });
}

/// The file as the library reads it without fault: line for line the same, each line what is [`visible`] of it, and
/// the bytes that it would change or stumble over replaced one by one.
///
/// The library counts a long line's surplus in characters but skips it in bytes, which panics within a character; it
/// escapes values and drops the two characters after a stray `%`; it compares keys and trims by Unicode; and it trims
/// a line only where that has a comment. The text is therefore ASCII without `%`, cut and trimmed, so that a value the
/// library reports is as long as the one in the file.
fn prepared(file: &[u8]) -> String {
    // It stands in no key, is no white space and means nothing to the library.
    const STAND_IN: char = '?';
    let safe = |b: &u8| if b.is_ascii() && *b != b'%' { char::from(*b) } else { STAND_IN };
    let mut text = String::with_capacity(file.len() + 1);
    for line in split(file) {
        text.extend(line[visible(line)].iter().map(safe));
        text.push('\n');
    }
    text
}

/// The part of a line that Google's parser looks at: up to its length limit or a NUL, without the white space around.
fn visible(line: &[u8]) -> Range<usize> {
    let limit = line.len().min(MAX_LINE_BYTES);
    trim(line, 0..memchr::memchr(0, &line[..limit]).unwrap_or(limit))
}

/// Receives what the library read and brings it together with the lines of the file, also those it says nothing about.
struct Events<L, F> {
    /// The lines that are still to come, numbered.
    lines: L,
    each: F,
}

impl<'a, L: Iterator<Item = (u32, &'a [u8])>, F: FnMut(u32, &'a [u8], Syntax)> Events<L, F> {
    fn pair(&mut self, number: u32, reading: Reading, value: &str) {
        for (at, line) in self.lines.by_ref() {
            if at == number {
                return (self.each)(at, line, with_pair(line, reading, value.len()));
            }
            (self.each)(at, line, without_pair(line));
        }
    }
}

impl<'a, L: Iterator<Item = (u32, &'a [u8])>, F: FnMut(u32, &'a [u8], Syntax)> RobotsParseHandler
    for Events<L, F>
{
    fn handle_robots_start(&mut self) {}

    fn handle_robots_end(&mut self) {
        for (at, line) in self.lines.by_ref() {
            (self.each)(at, line, without_pair(line));
        }
    }

    fn handle_user_agent(&mut self, number: u32, value: &str) {
        self.pair(number, Reading::UserAgent, value);
    }

    fn handle_allow(&mut self, number: u32, value: &str) {
        self.pair(number, Reading::Allow, value);
    }

    fn handle_disallow(&mut self, number: u32, value: &str) {
        self.pair(number, Reading::Disallow, value);
    }

    fn handle_sitemap(&mut self, number: u32, value: &str) {
        self.pair(number, Reading::Sitemap, value);
    }

    fn handle_unknown_action(&mut self, number: u32, key: &str, value: &str) {
        self.pair(number, read_other_key(key), value);
    }
}

/// The syntax of a line in which the library found a key, and a value of this many bytes.
fn with_pair(line: &[u8], reading: Reading, value_bytes: usize) -> Syntax {
    let body = body(line);
    // The value is the last thing before a comment.
    let value = body.end.saturating_sub(value_bytes).max(body.start)..body.end;
    let colon = memchr::memchr(b':', &line[body.clone()]).map(|at| body.start + at);
    // Two words of prose are not a key and its value, nor are three: a form feed is a word to Google's parser here, and
    // white space to the library.
    let prose = reading == Reading::UnknownKey || gaps(&line[body.start..value.start]) > 1;
    if colon.is_none() && prose {
        return nothing(Reading::Unreadable);
    }
    let exact = colon.is_some_and(|colon| {
        line[trim(line, body.start..colon)].eq_ignore_ascii_case(reading.word().as_bytes())
    });
    Syntax { reading, value, forgiven: !exact && reading.is_used() }
}

/// How many runs of blanks and tabs follow something else.
fn gaps(text: &[u8]) -> usize {
    let is_gap = |b: u8| matches!(b, b' ' | b'\t');
    text.windows(2).filter(|pair| !is_gap(pair[0]) && is_gap(pair[1])).count()
}

/// The syntax of a line in which the library found no key and value.
fn without_pair(line: &[u8]) -> Syntax {
    nothing(match (body(line).is_empty(), visible(line).is_empty()) {
        (true, true) => Reading::Blank,
        (true, false) => Reading::Comment,
        (false, _) => Reading::Unreadable,
    })
}

fn nothing(reading: Reading) -> Syntax {
    Syntax { reading, value: 0..0, forgiven: false }
}

/// What stands before the comment.
fn body(line: &[u8]) -> Range<usize> {
    let visible = visible(line);
    let comment = memchr::memchr(b'#', &line[visible.clone()]).map(|at| visible.start + at);
    trim(line, visible.start..comment.unwrap_or(visible.end))
}

impl Reading {
    /// Whether lines of this kind have an effect on this crawler.
    pub const fn is_used(self) -> bool {
        matches!(self, Self::UserAgent | Self::Allow | Self::Disallow | Self::Sitemap | Self::CrawlDelay)
    }
}

/// The lines of a file without their endings: LF, CR and CRLF each end one. What follows the last ending is a line
/// only if it is not empty.
fn split(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let line = &rest[..end];
        let ending = match rest.get(end..end + 2) {
            Some(b"\r\n") => 2,
            _ => 1,
        };
        rest = rest.get(end + ending..).unwrap_or_default();
        Some(line)
    })
}

/// Which key this is of those that the library does not know.
fn read_other_key(key: &str) -> Reading {
    // As Google does with the keys it knows: beginnings are compared, and likely typos are forgiven.
    const CRAWL_DELAY: &[&str] = &["crawl-delay", "crawldelay", "crawl delay"];
    const NOINDEX: &[&str] = &["noindex", "no-index", "nofollow", "no-follow"];
    // Yandex (Host, Clean-param), the extended standard of 1996, Cloudflare and IETF AI preferences, RSL.
    const EXTENSIONS: &[&str] = &[
        "host",
        "clean-param",
        "request-rate",
        "visit-time",
        "robot-version",
        "comment",
        "content-signal",
        "content-usage",
        "license",
    ];
    let begins = |name: &&str| key.get(..name.len()).is_some_and(|k| k.eq_ignore_ascii_case(name));
    let is = |name: &&str| key.eq_ignore_ascii_case(name);
    if CRAWL_DELAY.iter().any(begins) {
        Reading::CrawlDelay
    } else if NOINDEX.iter().any(is) {
        Reading::Noindex
    } else if EXTENSIONS.iter().any(is) {
        Reading::Extension
    } else {
        Reading::UnknownKey
    }
}

/// Narrows a range of the line by the ASCII white space at both ends.
fn trim(line: &[u8], range: Range<usize>) -> Range<usize> {
    let is_space = |b: &u8| matches!(b, b' ' | b'\t' | 0x0B | 0x0C | b'\r' | b'\n');
    let bytes = &line[range.clone()];
    let Some(first) = bytes.iter().position(|b| !is_space(b)) else { return range.start..range.start };
    let last = bytes.iter().rposition(|b| !is_space(b)).unwrap_or(first);
    range.start + first..range.start + last + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_google_reads_them() {
        let check = |line: &str, reading: Reading, value: &str, forgiven: bool| {
            let mut syntax = nothing(Reading::Blank);
            read(line.as_bytes(), |_, _, read| syntax = read);
            let found = (syntax.reading, &line[syntax.value], syntax.forgiven);
            assert_eq!(found, (reading, value, forgiven), "{line:?}");
        };
        check("User-agent: Foo", Reading::UserAgent, "Foo", false);
        check("  USER-AGENT\t:\tFoo # x: y", Reading::UserAgent, "Foo", false);
        check("user agent: Foo", Reading::UserAgent, "Foo", true);
        check("user-agent Foo", Reading::UserAgent, "Foo", true);
        check("user agent Foo", Reading::Unreadable, "", false);
        check("Disalow: /", Reading::Disallow, "/", true);
        check("Disallow /a b", Reading::Unreadable, "", false);
        check("Disallow:", Reading::Disallow, "", false);
        check("Disallow", Reading::Unreadable, "", false);
        check("Allow: /a:b", Reading::Allow, "/a:b", false);
        check("Sitemap: https://a/b", Reading::Sitemap, "https://a/b", false);
        check("Crawl-delay : 2", Reading::CrawlDelay, "2", false);
        check("Noindex: /a", Reading::Noindex, "/a", false);
        check("Host: a", Reading::Extension, "a", false);
        check("Foo: a", Reading::UnknownKey, "a", false);
        check("hello world", Reading::Unreadable, "", false);
        check(": /", Reading::Unreadable, "", false);
        check(" # Disallow: /", Reading::Comment, "", false);
        check(" \t", Reading::Blank, "", false);
        check("  : /", Reading::Unreadable, "", false);
        check("  Disallow /", Reading::Disallow, "/", true);
        check("Disallow /a # b: c", Reading::Disallow, "/a", true);
        check("Disallow\u{b}: /a#", Reading::Disallow, "/a", false);
        check("Disallow: /50%-off%", Reading::Disallow, "/50%-off%", false);
        check("Disallow: /%e9/é\u{a0}", Reading::Disallow, "/%e9/é\u{a0}", false);
        check("Allow \u{c}/a", Reading::Allow, "/a", true);
        check("Allow \u{c} /a", Reading::Unreadable, "", false);
        check("Disallow:: ::", Reading::Disallow, ": ::", false);
        check("Site-map: /a", Reading::Sitemap, "/a", true);
        check("Crawl delay: 2", Reading::CrawlDelay, "2", true);
        check("Crawl-delay 2", Reading::CrawlDelay, "2", true);
        check("Host a", Reading::Extension, "a", false);
        check("\u{212A}ey: a", Reading::UnknownKey, "a", false);
        check("Disallow: /a\0b", Reading::Disallow, "/a", false);
        check("\0Disallow: /", Reading::Blank, "", false);
    }

    #[test]
    fn lines_end_at_lf_cr_and_crlf() {
        let check = |bytes: &str, expect: &[&str]| {
            let found: Vec<_> =
                split(bytes.as_bytes()).map(|l| std::str::from_utf8(l).unwrap_or("?")).collect();
            assert_eq!(found, expect, "{bytes:?}");
        };
        check("", &[]);
        check("a", &["a"]);
        check("a\n", &["a"]);
        check("a\rb\r\nc\n\nd", &["a", "b", "c", "", "d"]);
        check("a\n\rb", &["a", "", "b"]);
        check("a\r\r\n", &["a", ""]);
    }
}
