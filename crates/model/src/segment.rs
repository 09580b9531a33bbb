//! Segments: parts of a site that a person gives names, by patterns of URLs.
//!
//! A pattern is a glob (`/blog/**`, `shop.example.com/**`) or, after `re:`, a regular expression that is looked for anywhere in
//! the URL. Either becomes an expression that is matched in linear time, whatever the URL.

use regex::{RegexSet, RegexSetBuilder};
use std::fmt::Write as _;

/// A name and the patterns of the URLs that it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segment {
    pub name: String,
    /// As they were written; one that matches is enough.
    pub patterns: Vec<String>,
}

/// Segments of a project at most.
pub const MOST_SEGMENTS: usize = 200;
/// Characters of a name.
const LONGEST_NAME: usize = 60;
/// Patterns of one segment.
const MOST_PATTERNS: usize = 100;
/// Bytes of one pattern.
const LONGEST_PATTERN: usize = 1_000;
/// Memory that all patterns together may take once compiled.
const COMPILED: usize = 32 << 20;

/// What stands between the names of the segments that a URL is in; no name has it.
pub const BETWEEN: &str = ", ";

impl Segment {
    /// Reads `NAME = PATTERN PATTERN…`. What follows `re:` is one pattern to the end of the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let Some((name, rest)) = text.split_once('=') else {
            return Err(format!("“{text}” has no “=” between the name and its patterns"));
        };
        let segment = Self { name: name.trim().to_owned(), patterns: patterns(rest) };
        segment.check().map(|()| segment)
    }

    /// As `read` takes it.
    pub fn text(&self) -> String {
        format!("{} = {}", self.name, self.patterns.join(" "))
    }

    /// Why it is no segment, as a sentence for the person.
    pub fn check(&self) -> Result<(), String> {
        let name = &self.name;
        if name.is_empty() || name.chars().nth(LONGEST_NAME).is_some() {
            return Err(format!("the name of a segment has 1 to {LONGEST_NAME} characters"));
        }
        if name.trim() != name || name.contains(|c: char| c.is_control() || matches!(c, ',' | '=')) {
            return Err(format!(
                "the name “{name}” has a comma, an equals sign or something that cannot be seen"
            ));
        }
        if self.patterns.is_empty() {
            return Err(format!("the segment {name} has no pattern, such as /blog/**"));
        }
        if self.patterns.len() > MOST_PATTERNS {
            return Err(format!("the segment {name} has more than {MOST_PATTERNS} patterns"));
        }
        for pattern in &self.patterns {
            let expression = expression(pattern).map_err(|why| format!("{name}: {why}"))?;
            RegexSetBuilder::new([&expression])
                .size_limit(COMPILED)
                .build()
                .map_err(|error| format!("{name}: the pattern “{pattern}” {}", reason(&error)))?;
        }
        Ok(())
    }
}

/// The patterns of a line: words, the last of which may be a regular expression with blanks.
pub fn patterns(text: &str) -> Vec<String> {
    let mut patterns = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        if rest.starts_with("re:") {
            patterns.push(rest.to_owned());
            break;
        }
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        patterns.push(word.to_owned());
        rest = after.trim_start();
    }
    patterns
}

/// All segments of a project, ready to judge URLs.
#[derive(Debug)]
pub struct SegmentRules {
    set: RegexSet,
    /// Per pattern of the set: the segment that it belongs to.
    owners: Vec<usize>,
    names: Vec<String>,
}

impl SegmentRules {
    /// Every fault at once, as sentences.
    pub fn new(segments: &[Segment]) -> Result<Self, Vec<String>> {
        let mut faults: Vec<String> = segments.iter().filter_map(|segment| segment.check().err()).collect();
        if segments.len() > MOST_SEGMENTS {
            faults.push(format!("a project has {MOST_SEGMENTS} segments at most"));
        }
        for (n, segment) in segments.iter().enumerate() {
            if segments[..n].iter().any(|other| other.name == segment.name) {
                faults.push(format!("the name {} stands twice", segment.name));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut expressions = Vec::new();
        let mut owners = Vec::new();
        for (n, segment) in segments.iter().enumerate() {
            for pattern in &segment.patterns {
                expressions.extend(expression(pattern));
                owners.push(n);
            }
        }
        let set = RegexSetBuilder::new(&expressions).size_limit(COMPILED).build();
        let set = set.map_err(|error| vec![format!("all patterns together: {}", reason(&error))])?;
        Ok(Self { set, owners, names: segments.iter().map(|segment| segment.name.clone()).collect() })
    }

    /// Numbers of the segments that a URL is in, ascending.
    pub fn of(&self, url: &str) -> Vec<usize> {
        let mut found: Vec<usize> = self.set.matches(url).into_iter().map(|at| self.owners[at]).collect();
        found.dedup();
        found
    }

    /// The names of these segments, as they are stored.
    pub fn names(&self, segments: &[usize]) -> String {
        let names: Vec<&str> =
            segments.iter().filter_map(|n| self.names.get(*n)).map(String::as_str).collect();
        names.join(BETWEEN)
    }
}

/// The regular expression of a pattern.
fn expression(pattern: &str) -> Result<String, String> {
    if pattern.len() > LONGEST_PATTERN {
        return Err(format!("a pattern has {LONGEST_PATTERN} bytes at most"));
    }
    if let Some(expression) = pattern.strip_prefix("re:") {
        return match expression.trim() {
            "" => Err("“re:” is followed by no regular expression".to_owned()),
            expression => Ok(expression.to_owned()),
        };
    }
    if pattern.is_empty() || pattern.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Err(format!("the pattern “{pattern}” is empty or has a blank"));
    }
    let (start, glob) = match pattern.split_once("://") {
        Some((scheme, rest)) => (format!("{}://", translated(scheme)), rest),
        None if pattern.starts_with('/') => ("https?://[^/?]*".to_owned(), pattern),
        None => ("https?://".to_owned(), pattern),
    };
    // A host alone is the whole of it.
    let is_host = !glob.contains('/');
    let (glob, end) = match glob.strip_suffix("/**") {
        // The folder itself, with and without its slash, and all that is in it.
        Some(folder) => (folder, "(?:[/?].*)?"),
        None if is_host => (glob, "(?:[/?].*)?"),
        None if glob.contains('?') => (glob, ""),
        None => (glob, r"(?:\?.*)?"),
    };
    Ok(format!("^{start}{}{end}$", translated(glob)))
}

/// The part of a glob: `**` is anything, `*` anything but a slash; letters beyond ASCII are what URLs write for them.
fn translated(glob: &str) -> String {
    let mut out = String::new();
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**") {
            out.push_str(".*");
            rest = after.trim_start_matches('*');
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '*' => out.push_str("[^/?]*"),
            c if c.is_ascii() => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            c => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing to a string does not fail.
                    let _ = write!(out, "(?i:%{byte:02x})");
                }
            }
        }
    }
    out
}

/// The last line of an error is the reason; the lines above draw the pattern.
fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "grows too large".to_owned(),
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            format!("is no valid regular expression: {last}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_say_which_urls_are_meant() {
        let check = |pattern: &str, inside: &[&str], outside: &[&str]| {
            let segment = Segment { name: "A".to_owned(), patterns: patterns(pattern) };
            let rules = SegmentRules::new(&[segment]).unwrap();
            for (urls, expect) in [(inside, 1), (outside, 0)] {
                for url in urls {
                    assert_eq!(rules.of(url).len(), expect, "{pattern} {url}");
                }
            }
        };
        check(
            "/blog/**",
            &[
                "https://a.test/blog",
                "http://b.test/blog/",
                "https://a.test/blog/x/y?z",
                "https://a.test/blog?page=2",
            ],
            &[
                "https://a.test/blogs/",
                "https://a.test/en/blog/",
                "https://blog/",
                "https://a.test/?x=/blog/",
            ],
        );
        check(
            "/blog/*",
            &["https://a.test/blog/x", "https://a.test/blog/x?y=/z"],
            &["https://a.test/blog/x/y", "https://a.test/blog"],
        );
        check(
            "/p/*.html",
            &["https://a.test/p/a.html"],
            &["https://a.test/p/a-html", "https://a.test/p/a/b.html"],
        );
        check("/s?q=**", &["https://a.test/s?q=1&r=2"], &["https://a.test/s", "https://a.test/s?r=1"]);
        check(
            "*.a.test/**",
            &["https://x.a.test/", "https://x.a.test/y"],
            &["https://a.test/", "https://b.test/?x.a.test/"],
        );
        check("a.test", &["https://a.test/", "http://a.test/x"], &["https://xa.test/", "https://a.test.b/"]);
        check("http://**", &["http://a.test/x"], &["https://a.test/x"]);
        check(
            "/über/**",
            &["https://a.test/%C3%BCber/x", "https://a.test/%c3%bcber/"],
            &["https://a.test/uber/"],
        );
        check(r"re:/\d+ ?$", &["https://a.test/12"], &["https://a.test/12x"]);
        check(r"/a /b re:[?]x=(1|2)", &["http://t/a", "http://t/b", "http://t/c?x=2"], &["http://t/c"]);
    }

    #[test]
    fn a_url_may_be_in_several() {
        let segments =
            ["Blog = /blog/**", "News = /blog/news/** /news/**"].map(|text| Segment::read(text).unwrap());
        let rules = SegmentRules::new(&segments).unwrap();
        let names = |url: &str| rules.names(&rules.of(url));
        assert_eq!(names("https://a.test/blog/news/1"), "Blog, News");
        assert_eq!(names("https://a.test/news/1"), "News");
        assert_eq!(names("https://a.test/"), "");
        assert_eq!(segments[1].text(), "News = /blog/news/** /news/**");
    }

    #[test]
    fn what_is_no_segment_is_told() {
        let check = |text: &str, expect: &str| {
            let why = Segment::read(text).unwrap_err();
            assert!(why.contains(expect), "{text}: {why}");
        };
        check("/blog/**", "no “=”");
        check(" = /blog/**", "1 to 60 characters");
        check("a,b = /blog/**", "comma");
        check("Blog =", "no pattern");
        check("Blog = re:(", "unclosed group");
        check("Blog = re:", "no regular expression");
        let twice = ["A = /a", "A = /b"].map(|text| Segment::read(text).unwrap());
        assert_eq!(SegmentRules::new(&twice).unwrap_err(), ["the name A stands twice"]);
    }
}
