//! Addresses that repeat themselves, and addresses that only make another one longer.

use model::address::origin_of;
use model::hash::{HashSeed, fingerprint};

/// How often a segment stands in a path that repeats itself. Twice is common (`/main/java/main/`).
const SEGMENTS: usize = 3;
/// Parts of an address that are looked at: one that repeats itself does so early.
const PARTS: usize = 64;
/// Characters of a pattern.
const PATTERN: usize = 200;

/// An address that repeats itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    pub family: u64,
    /// Path and query with stars for what differs.
    pub pattern: String,
}

/// What makes two pages the same to a visitor: their text and title.
pub(crate) fn likeness(seed: HashSeed, text_hash: u64, title: &str) -> u64 {
    let mut key = Vec::with_capacity(title.len() + 8);
    key.extend_from_slice(&text_hash.to_le_bytes());
    key.extend_from_slice(title.as_bytes());
    seed.content(&key) as u64
}

/// Whether an address is another one with something added: a longer path below its folder, or all of its parameters
/// and more.
pub(crate) fn grows(from: &str, to: &str) -> bool {
    let (from_path, from_query) = from.split_once('?').unwrap_or((from, ""));
    let (to_path, to_query) = to.split_once('?').unwrap_or((to, ""));
    if from_path == to_path {
        return to_query.len() > from_query.len() && contains(to_query, from_query);
    }
    let folder = from_path.rfind('/').map_or(from_path, |at| &from_path[..=at]);
    let slashes = |path: &str| path.bytes().filter(|byte| *byte == b'/').count();
    to_path.starts_with(folder) && slashes(to_path) > slashes(from_path)
}

/// Whether all parameters of the smaller query are in the larger one, as often as in the smaller.
fn contains(larger: &str, smaller: &str) -> bool {
    let mut larger: Vec<&str> = parameters(larger).collect();
    let mut smaller: Vec<&str> = parameters(smaller).collect();
    larger.sort_unstable();
    smaller.sort_unstable();
    let mut larger = larger.into_iter();
    smaller.into_iter().all(|wanted| larger.any(|parameter| parameter == wanted))
}

/// The parameters of a query. An ampersand that was escaped once too often leaves `amp;` before a name.
pub(super) fn parameters(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter(|part| !part.is_empty()).map(|part| {
        let mut part = part;
        while let Some(rest) = part.strip_prefix("amp;") {
            part = rest;
        }
        part
    })
}

/// What an address repeats, if it does.
pub(super) fn repeat(url: &str) -> Option<Repeat> {
    let origin = origin_of(url);
    let (path, query) = url[origin.len()..].split_once('?').unwrap_or((&url[origin.len()..], ""));
    if query.contains('&') {
        let names: Vec<&str> =
            parameters(query).take(PARTS).map(|part| part.split('=').next().unwrap_or(part)).collect();
        if let Some(name) = often(&names, 2) {
            let family = fingerprint(format!("{origin}{path}?{name}").as_bytes());
            return Some(Repeat { family, pattern: shorten(format!("{path}?*{name}=*{name}=*")) });
        }
    }
    if path.bytes().filter(|byte| *byte == b'/').count() < SEGMENTS {
        return None;
    }
    // Numbers repeat in dates, and nothing stands between two slashes.
    let is_name = |segment: &&str| !segment.bytes().all(|byte| byte.is_ascii_digit());
    let segments: Vec<&str> = path.split('/').filter(is_name).take(PARTS).collect();
    let segment = often(&segments, SEGMENTS)?;
    let family = fingerprint(format!("{origin} {segment}").as_bytes());
    Some(Repeat { family, pattern: shorten(format!("*{}", format!("/{segment}/*").repeat(SEGMENTS))) })
}

/// The first part that stands there at least so many times.
fn often<'t>(parts: &[&'t str], times: usize) -> Option<&'t str> {
    if parts.len() < times {
        return None;
    }
    let mut sorted = parts.to_vec();
    sorted.sort_unstable();
    let repeated =
        |part: &&&str| sorted.windows(times).any(|window| window[0] == **part && window[times - 1] == **part);
    parts.iter().find(repeated).copied()
}

pub(super) fn shorten(mut pattern: String) -> String {
    if pattern.len() > PATTERN {
        let mut end = PATTERN;
        while !pattern.is_char_boundary(end) {
            end -= 1;
        }
        pattern.truncate(end);
        pattern.push('…');
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeating_addresses_have_a_pattern() {
        let check = |path: &str, expect: Option<&str>| {
            let found = repeat(&format!("http://h.test{path}"));
            assert_eq!(found.map(|repeat| repeat.pattern).as_deref(), expect, "{path}");
        };
        check("/shop?s=1&amp;p=2", None);
        check("/shop?s=1&amp;p=2&amp;amp;p=3", Some("/shop?*p=*p=*"));
        check("/shop?p=2&p=2", Some("/shop?*p=*p=*"));
        check("/shop?p&q&p", Some("/shop?*p=*p=*"));
        check("/shop?p=1&pp=1", None);
        check("/shop?p=1", None);
        check("/a/b/a/b/", None);
        check("/a/b/a/b/a", Some("*/a/*/a/*/a/*"));
        check("/2020/20/20/20/20", None);
        check("//////", None);
        check("/", None);
        let long = format!("/{}?p=1&p=2", "é".repeat(500));
        let pattern =
            repeat(&format!("http://h.test{long}")).map(|repeat| repeat.pattern).unwrap_or_default();
        assert!(pattern.ends_with('…') && pattern.len() < PATTERN + 4, "{pattern}");
    }

    #[test]
    fn addresses_grow_by_path_or_query() {
        let check = |from: &str, to: &str, expect: bool| {
            let address = |path: &str| format!("http://h.test{path}");
            assert_eq!(grows(&address(from), &address(to)), expect, "{from} {to}");
        };
        check("/shop?s=1", "/shop?s=1&amp;p=2", true);
        check("/shop?p=2&s=1", "/shop?s=1&amp;amp;p=2&p=3", true);
        check("/shop", "/shop?p=2", true);
        check("/shop?p=2", "/shop?p=3", false);
        check("/shop?p=2", "/shop?p=30", false);
        check("/shop?p=2&p=2", "/shop?p=2&long=2", false);
        check("/shop?p=2", "/shop", false);
        check("/shop?p=2", "/cart?p=2&q=3", false);
        check("/a/", "/a/b/", true);
        check("/a/x.html", "/a/b/x.html", true);
        check("/a/", "/a/b", false);
        check("/p/1", "/p/2", false);
        check("/a/b/", "/a/", false);
        check("/a/b/", "/ab/c/d/e", false);
        assert!(!grows("http://h.test/", "http://other.test/a/b/"));
    }
}
