//! One parsed robots.txt: its lines, groups, sitemaps and problems.

use crate::group::{Directive, Followed, Group, Rule};
use crate::line::{self, MAX_LINE_BYTES, Reading, Syntax};
use crate::problem::{ProblemCode, RobotsProblem};
use std::sync::Arc;
use std::time::Duration;

/// Bytes of a file that are read: 500 KiB, as RFC 9309 §2.5 asks for at least and Google reads at most.
pub const MAX_BYTES: usize = 512_000;

/// One parsed file. A clone is one reference count.
#[derive(Debug, Clone)]
pub struct RobotsTxt(Arc<Contents>);

#[derive(Debug, Default)]
struct Contents {
    /// All lines without their endings; [`Entry`] says where each stands.
    text: String,
    entries: Vec<Entry>,
    agents: Vec<Agent>,
    /// Each with the section it belongs to, ascending.
    rules: Vec<(u32, Rule)>,
    /// Each with the stanza it belongs to.
    delays: Vec<(u32, Duration)>,
    sitemaps: Vec<SitemapLine>,
    problems: Vec<RobotsProblem>,
    truncated: bool,
    html: bool,
}

#[derive(Debug)]
struct Entry {
    end: u32,
    value_start: u32,
    value_end: u32,
    reading: Reading,
}

/// A User-agent line and what follows it belongs to: consecutive User-agent lines share both.
#[derive(Debug)]
struct Agent {
    line: AgentLine,
    /// Rules belong to a section. Only a rule ends its list of User-agent lines (RFC 9309 §2.2.4: other records
    /// must not end a group).
    section: u32,
    /// Crawl delays belong to a stanza, whose list a crawl delay ends too. Otherwise two crawlers that are
    /// given one delay each, and no rules, would share both delays.
    stanza: u32,
}

/// A User-agent line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentLine {
    /// Counted from 1.
    pub number: u32,
    /// As written.
    pub value: String,
}

/// A Sitemap line. It belongs to no group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapLine {
    /// Counted from 1.
    pub number: u32,
    /// As written.
    pub value: String,
    /// Whether it is an absolute http(s) URL, as it has to be.
    pub absolute: bool,
}

/// One line of the file and how it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLine<'a> {
    /// Counted from 1.
    pub number: u32,
    /// Without its ending; bytes that are not UTF-8 replaced.
    pub text: &'a str,
    pub reading: Reading,
    /// What follows the key, without comment; empty where there is none.
    pub value: &'a str,
}

/// The lines of a file in order; see [`RobotsTxt::lines`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    file: &'a Contents,
    next: usize,
}

impl RobotsTxt {
    /// Reads a file as it was served, whatever its media type. Never fails; see [`Self::problems`].
    ///
    /// Of a file longer than [`MAX_BYTES`] the line across the limit is left out: half a pattern would forbid more than
    /// its owner wrote.
    pub fn parse(bytes: &[u8]) -> Self {
        let (bytes, truncated) = cut(bytes);
        let utf16 = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        let bytes = without_byte_order_mark(bytes);
        let html = bytes.trim_ascii_start().first() == Some(&b'<');
        let mut reader =
            Reader { file: Contents { truncated, html, ..Contents::default() }, ..Reader::default() };
        if utf16 {
            reader.flag(ProblemCode::Utf16, 1, "");
        }
        // In a file that is no robots.txt at all, a complaint about every line of it would bury the one that counts.
        reader.quiet = html || utf16;
        line::read(bytes, |number, line, syntax| reader.read(number, line, syntax));
        Self(Arc::new(reader.finish()))
    }

    /// The file without rules, which a missing robots.txt amounts to.
    pub fn allow_all() -> Self {
        Self(Arc::new(Contents::default()))
    }

    /// The rules for a crawler with this product token (see [`product_token`] for the one of a User-Agent header).
    ///
    /// The groups that name it are merged; without any, those for `*`. Compares without case. A token of other
    /// characters than letters, `-` and `_` cannot be named (RFC 9309 §2.2.1). Collects and sorts: meant to be called
    /// once per host and kept.
    pub fn group(&self, token: &str) -> Group {
        let file = &*self.0;
        let own: Vec<&Agent> = file.agents.iter().filter(|agent| agent.line.names(token)).collect();
        let (followed, agents) = if own.is_empty() {
            let star: Vec<&Agent> = file.agents.iter().filter(|agent| agent.line.is_star()).collect();
            (if star.is_empty() { Followed::Nothing } else { Followed::Star }, star)
        } else {
            (Followed::Own, own)
        };
        // Sections and stanzas are numbered in the file's order, so the agents' are sorted.
        let of_section = |section: &u32| agents.binary_search_by_key(section, |agent| agent.section).is_ok();
        let of_stanza = |stanza: &u32| agents.binary_search_by_key(stanza, |agent| agent.stanza).is_ok();
        let rules =
            file.rules.iter().filter(|(section, _)| of_section(section)).map(|(_, rule)| rule.clone());
        let delay = file.delays.iter().filter(|(stanza, _)| of_stanza(stanza)).map(|(_, delay)| *delay).max();
        Group::new(followed, agents.iter().map(|agent| agent.line.clone()).collect(), rules.collect(), delay)
    }

    /// The Sitemap lines in order, relative and repeated ones too.
    pub fn sitemaps(&self) -> impl Iterator<Item = &SitemapLine> {
        self.0.sitemaps.iter()
    }

    /// What is wrong with the file, in the order of lines.
    pub fn problems(&self) -> &[RobotsProblem] {
        &self.0.problems
    }

    /// Each line that was read, with how it was read.
    pub fn lines(&self) -> Lines<'_> {
        Lines { file: &self.0, next: 0 }
    }

    /// The User-agent lines in order.
    pub fn agents(&self) -> impl Iterator<Item = &AgentLine> {
        self.0.agents.iter().map(|agent| &agent.line)
    }

    /// Whether any line has an effect. A file served as text/html without one is a web page.
    pub fn has_valid_lines(&self) -> bool {
        self.0.entries.iter().any(|entry| entry.reading.is_used())
    }

    /// Whether the file begins with `<`.
    pub fn is_html(&self) -> bool {
        self.0.html
    }

    /// Whether the file is longer than [`MAX_BYTES`].
    pub fn is_truncated(&self) -> bool {
        self.0.truncated
    }
}

impl AgentLine {
    /// The product token as Google reads it: `*`, or the value's letters, `-` and `_` up to the first other character.
    pub fn token(&self) -> &str {
        if self.is_star() {
            return "*";
        }
        let letters = self.value.bytes().take_while(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'));
        &self.value[..letters.count()]
    }

    /// Whether the line speaks to every crawler. Google forgives words after the `*`.
    pub fn is_star(&self) -> bool {
        self.value.split_whitespace().next() == Some("*")
    }

    fn names(&self, token: &str) -> bool {
        !token.is_empty() && !self.is_star() && self.token().eq_ignore_ascii_case(token)
    }
}

/// The product token of a User-Agent header: its first word, the part before the first `/` or space.
pub fn product_token(header: &str) -> &str {
    let header = header.trim_ascii();
    &header[..header.find(|c: char| c == '/' || c.is_ascii_whitespace()).unwrap_or(header.len())]
}

impl<'a> Iterator for Lines<'a> {
    type Item = TextLine<'a>;

    fn next(&mut self) -> Option<TextLine<'a>> {
        let entry = self.file.entries.get(self.next)?;
        let start = self.next.checked_sub(1).map_or(0, |before| self.file.entries[before].end);
        let text = |from: u32, to: u32| self.file.text.get(from as usize..to as usize).unwrap_or_default();
        self.next += 1;
        Some(TextLine {
            number: u32::try_from(self.next).unwrap_or(u32::MAX),
            text: text(start, entry.end),
            reading: entry.reading,
            value: text(entry.value_start, entry.value_end),
        })
    }
}

/// Reads lines in order and keeps what the next one depends on.
#[derive(Debug, Default)]
struct Reader {
    file: Contents,
    quiet: bool,
    section: u32,
    stanza: u32,
    /// A rule was read since the section's last User-agent line.
    section_has_rule: bool,
    /// A rule or a crawl delay was read since the stanza's last User-agent line.
    stanza_has_member: bool,
}

impl Reader {
    fn read(&mut self, number: u32, bytes: &[u8], syntax: Syntax) {
        let written = &bytes[syntax.value.clone()];
        // The value is bounded by ASCII, so the three parts can be decoded one by one.
        let file = &mut self.file;
        let start = file.text.len();
        file.text.push_str(&String::from_utf8_lossy(&bytes[..syntax.value.start]));
        let value_start = file.text.len();
        file.text.push_str(&String::from_utf8_lossy(written));
        let value_end = file.text.len();
        file.text.push_str(&String::from_utf8_lossy(&bytes[syntax.value.end..]));
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        file.entries.push(Entry {
            end: offset(file.text.len()),
            value_start: offset(value_start),
            value_end: offset(value_end),
            reading: syntax.reading,
        });
        let text = file.text[start..].to_owned();
        let value = file.text[value_start..value_end].to_owned();

        if self.file.html && self.file.problems.is_empty() && syntax.reading != Reading::Blank {
            self.flag(ProblemCode::IsHtml, number, &text);
        }
        if std::str::from_utf8(bytes).is_err() {
            self.flag(ProblemCode::BadUtf8, number, &text);
        }
        if bytes.contains(&0) {
            self.flag(ProblemCode::NulByte, number, &text);
        }
        if bytes.len() > MAX_LINE_BYTES {
            self.flag(ProblemCode::LineTooLong, number, &text);
        }
        if syntax.forgiven {
            self.flag(ProblemCode::ToleratedTypo, number, &text);
        }
        match syntax.reading {
            Reading::Blank | Reading::Comment | Reading::Extension => {}
            Reading::Unreadable => self.flag(ProblemCode::NoColon, number, &text),
            Reading::UnknownKey => self.flag(ProblemCode::UnknownKey, number, &text),
            Reading::Noindex => self.flag(ProblemCode::NoindexLine, number, &text),
            Reading::UserAgent => self.agent(number, value, &text),
            Reading::Allow => self.rule(number, Directive::Allow, written, &value, &text),
            Reading::Disallow => self.rule(number, Directive::Disallow, written, &value, &text),
            Reading::Sitemap => self.sitemap(number, value, &text),
            Reading::CrawlDelay => self.delay(number, &value, &text),
        }
    }

    fn agent(&mut self, number: u32, value: String, text: &str) {
        self.section += u32::from(std::mem::take(&mut self.section_has_rule));
        self.stanza += u32::from(std::mem::take(&mut self.stanza_has_member));
        let line = AgentLine { number, value };
        if line.token().is_empty() {
            self.flag(ProblemCode::EmptyUserAgent, number, text);
        }
        self.file.agents.push(Agent { line, section: self.section, stanza: self.stanza });
    }

    fn rule(&mut self, number: u32, directive: Directive, written: &[u8], value: &str, text: &str) {
        if self.file.agents.is_empty() {
            return self.flag(ProblemCode::RuleBeforeGroup, number, text);
        }
        if !matches!(written.first(), None | Some(b'/' | b'*')) {
            self.flag(ProblemCode::PatternWithoutSlash, number, text);
        }
        (self.section_has_rule, self.stanza_has_member) = (true, true);
        let rules = Rule::of_line(number, directive, written, value.into());
        self.file.rules.extend(rules.into_iter().map(|rule| (self.section, rule)));
    }

    fn delay(&mut self, number: u32, value: &str, text: &str) {
        if self.file.agents.is_empty() {
            return self.flag(ProblemCode::RuleBeforeGroup, number, text);
        }
        self.stanza_has_member = true;
        match read_seconds(value) {
            Some(delay) => self.file.delays.push((self.stanza, delay)),
            None => self.flag(ProblemCode::BadCrawlDelay, number, text),
        }
    }

    fn sitemap(&mut self, number: u32, value: String, text: &str) {
        let absolute = value.contains("://") && model::Address::parse(&value).is_ok();
        if !absolute {
            self.flag(ProblemCode::RelativeSitemap, number, text);
        }
        self.file.sitemaps.push(SitemapLine { number, value, absolute });
    }

    fn flag(&mut self, code: ProblemCode, line: u32, text: &str) {
        if !(self.quiet && code.is_syntax()) {
            self.file.problems.push(RobotsProblem::new(code, line, text));
        }
    }

    fn finish(mut self) -> Contents {
        if self.file.truncated {
            let last = u32::try_from(self.file.entries.len()).unwrap_or(u32::MAX);
            self.flag(ProblemCode::TooLarge, last.max(1), "");
        }
        self.file
    }
}

/// The bytes that are read, and whether there are more.
fn cut(bytes: &[u8]) -> (&[u8], bool) {
    let is_ending = |b: &u8| matches!(b, b'\n' | b'\r');
    match bytes.get(MAX_BYTES) {
        None => (bytes, false),
        Some(next) if is_ending(next) => (&bytes[..MAX_BYTES], true),
        Some(_) => {
            let kept = bytes[..MAX_BYTES].iter().rposition(is_ending).map_or(0, |ending| ending + 1);
            (&bytes[..kept], true)
        }
    }
}

/// Google skips a byte order mark even where only its beginning is there.
fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    let marks = bytes.iter().zip(b"\xEF\xBB\xBF").take_while(|(found, mark)| found == mark).count();
    &bytes[marks..]
}

/// Seconds with optional decimals. Signs, exponents and units are no numbers here.
fn read_seconds(value: &str) -> Option<Duration> {
    let decimal =
        value.bytes().all(|b| b.is_ascii_digit() || b == b'.') && value.bytes().any(|b| b.is_ascii_digit());
    Duration::try_from_secs_f64(value.parse().ok().filter(|_| decimal)?).ok()
}

#[cfg(test)]
mod tests;
