//! Traps: addresses that a site makes up without end, because each page repeats what it was asked with and adds to it.
//!
//! Two signs. An address that repeats itself, one parameter twice or one segment of its path three times, belongs to a
//! family, and of a family only so many are let in. And where the same page has come back under many addresses, its
//! links to longer ones are not followed. What is kept back is over the limit `trap`, with the pattern; the rest of
//! the site goes on. Which members of a family are let in depends on the order in which they are met: of a set
//! without end there is no other choice.

use model::address::origin_of;
use model::hash::{HashSeed, fingerprint};
use model::state::Limit;
use std::collections::{HashMap, HashSet};
use store::{StoreError, Writer};

/// Members of a family that are let in: more than a filter with a handful of values gives, far fewer than a visitor
/// would notice missing.
const FAMILY: u32 = 50;
/// Times the same page comes back with links that grow before these are left alone.
const COPIES: u32 = 25;
/// How often a segment stands in a path that repeats itself. Twice is common (`/main/java/main/`).
const SEGMENTS: usize = 3;
/// Parts of an address that are looked at: one that repeats itself does so early.
const PARTS: usize = 64;
/// Families and pages that are counted at a time, so that a hostile site cannot fill the memory.
const COUNTED: usize = 1 << 16;
/// Characters of a pattern.
const PATTERN: usize = 200;

/// What a crawl knows of its traps.
#[derive(Default)]
pub(crate) struct Traps {
    watching: bool,
    families: HashMap<u64, u32>,
    /// By likeness: pages whose links grow.
    likenesses: HashMap<u64, u32>,
    /// URLs of pages that came back too often.
    copies: HashSet<u32>,
    told: HashSet<String>,
    news: Vec<Trap>,
}

/// A trap that was just found.
pub(crate) struct Trap {
    /// Origin and pattern.
    pub pattern: String,
    pub detail: String,
}

/// An address that repeats itself.
#[derive(Debug, PartialEq, Eq)]
struct Repeat {
    family: u64,
    /// Path and query with stars for what differs.
    pattern: String,
}

impl Traps {
    pub(crate) fn new(watching: bool) -> Self {
        Self { watching, ..Self::default() }
    }

    /// Counts an internal page that is to be queued. The reason to keep it back, if its family has had its share.
    pub(crate) fn refuse(&mut self, url: &str) -> Option<String> {
        if !self.watching {
            return None;
        }
        let repeat = repeat(url)?;
        if count(&mut self.families, repeat.family) <= FAMILY {
            return None;
        }
        let why = format!("{FAMILY} addresses like {url} were let in; further ones are left out");
        Some(self.reason(url, &repeat.pattern, why))
    }

    /// The reason to keep back a longer address that a copy names.
    pub(crate) fn refuse_growth(&mut self, url: &str) -> String {
        let path = &url[origin_of(url).len()..];
        // Up to the slash or question mark behind the first segment.
        let end =
            path.bytes().skip(1).position(|byte| matches!(byte, b'/' | b'?')).map_or(path.len(), |at| at + 2);
        let pattern = shorten(format!("{}*", &path[..end]));
        let why = format!(
            "the same page came back under {COPIES} addresses; longer ones, such as {url}, are left out"
        );
        self.reason(url, &pattern, why)
    }

    fn reason(&mut self, url: &str, pattern: &str, detail: String) -> String {
        let reason = format!("{}: {pattern}", Limit::Trap);
        if self.told.len() < COUNTED && self.told.insert(reason.clone()) {
            self.news.push(Trap { pattern: format!("{}{pattern}", origin_of(url)), detail });
        }
        reason
    }

    /// Counts a page some of whose links grow; whether it has come back too often for these to be followed.
    pub(crate) fn is_too_often(&mut self, url: u32, likeness: u64) -> bool {
        let too_often = self.watching && count(&mut self.likenesses, likeness) > COPIES;
        if too_often {
            self.copies.insert(url);
        }
        too_often
    }

    /// Whether the links of this page that grow were left alone.
    pub(crate) fn is_copy(&self, url: u32) -> bool {
        self.copies.contains(&url)
    }

    /// The traps found since the last call.
    pub(crate) fn take_news(&mut self) -> Vec<Trap> {
        std::mem::take(&mut self.news)
    }

    /// Counts again what an interrupted crawl has stored.
    pub(crate) fn restore(&mut self, writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
        if !self.watching {
            return Ok(());
        }
        let (first, last) = store::key_range(crawl);
        // Seeds, lists and sitemaps (1, 5, 6) are never kept back and were not counted.
        let met = "SELECT u.text, r.value FROM visit v JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN string r ON r.id = v.reason
                   WHERE v.key BETWEEN ?1 AND ?2 AND v.internal AND v.found NOT IN (1, 5, 6)
                   AND (v.purpose = 2 OR v.state = 5 AND r.value LIKE 'trap: %')";
        let mut traps = false;
        writer.rows(met, &[first.into(), last.into()], &mut |row| {
            if row.text(1).starts_with("trap: ") {
                traps = true;
                self.told.insert(row.text(1).to_owned());
            } else {
                self.refuse(row.text(0));
            }
            Ok(())
        })?;
        // These were told of before the interruption.
        self.news.clear();
        if !traps {
            return Ok(());
        }
        let often = "WITH met AS (SELECT p.key & 4294967295 AS url, d.text_hash AS text, coalesce(d.title, '') AS title
                       FROM page p JOIN document d ON d.id = p.document WHERE p.key BETWEEN ?1 AND ?2 AND d.text_hash <> 0)
                     SELECT url, text, title FROM met JOIN (SELECT text, title FROM met GROUP BY text, title HAVING count(*) > ?3) USING(text, title)";
        let seed = writer.seed();
        writer.rows(often, &[first.into(), last.into(), i64::from(COPIES).into()], &mut |row| {
            // The links of the first ones were followed, and following them again changes nothing: all count as copies.
            let url = row.int(0) as u32;
            self.is_too_often(url, likeness(seed, row.int(1) as u64, row.text(2)));
            self.copies.insert(url);
            Ok(())
        })
    }
}

/// The count of a key after one more.
fn count(counts: &mut HashMap<u64, u32>, key: u64) -> u32 {
    if counts.len() >= COUNTED && !counts.contains_key(&key) {
        // All lose one, so that what came once makes room and what comes often stays (Misra and Gries, 1982).
        counts.retain(|_, count| {
            *count -= 1;
            *count > 0
        });
        if counts.len() >= COUNTED {
            return 1;
        }
    }
    let count = counts.entry(key).or_default();
    *count = count.saturating_add(1);
    *count
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
fn parameters(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter(|part| !part.is_empty()).map(|part| {
        let mut part = part;
        while let Some(rest) = part.strip_prefix("amp;") {
            part = rest;
        }
        part
    })
}

/// What an address repeats, if it does.
fn repeat(url: &str) -> Option<Repeat> {
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

fn shorten(mut pattern: String) -> String {
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

    #[test]
    fn a_family_gets_its_share() {
        let mut traps = Traps::new(true);
        for n in 0..FAMILY {
            assert_eq!(traps.refuse(&format!("http://h.test/shop?p=1&p={n}")), None, "{n}");
        }
        assert!(traps.take_news().is_empty());
        for n in 0..3 {
            let reason = traps.refuse(&format!("http://h.test/shop?p=2&p={n}"));
            assert_eq!(reason.as_deref(), Some("trap: /shop?*p=*p=*"));
        }
        let news: Vec<String> = traps.take_news().into_iter().map(|trap| trap.pattern).collect();
        assert_eq!(news, ["http://h.test/shop?*p=*p=*"]);
        for other in ["http://h.test/shop?p=1", "http://h.test/cart?p=1&p=2", "http://o.test/shop?p=1&p=2"] {
            assert_eq!(traps.refuse(other), None, "{other}");
        }
        let mut blind = Traps::new(false);
        assert!((0..200).all(|n| blind.refuse(&format!("http://h.test/shop?p=1&p={n}")).is_none()));
    }

    #[test]
    fn what_comes_often_is_counted_among_many() {
        let mut counts = HashMap::new();
        for other in 0..3 * COUNTED as u64 {
            count(&mut counts, other + 1);
            if other % 100 == 0 {
                count(&mut counts, 0);
            }
        }
        assert!(counts.len() <= COUNTED && counts[&0] > 1_000);
    }

    #[test]
    fn a_page_that_comes_back_is_a_copy() {
        let mut traps = Traps::new(true);
        assert!((0..COPIES).all(|url| !traps.is_too_often(url, 7)));
        assert!(traps.is_too_often(100, 7) && !traps.is_too_often(101, 8));
        assert!(traps.is_copy(100) && !traps.is_copy(101) && !traps.is_copy(0));
        assert_eq!(traps.refuse_growth("http://h.test/shop/a/b?c"), "trap: /shop/*");
        assert_eq!(traps.refuse_growth("http://h.test/shop?c"), "trap: /shop?*");
        assert_eq!(traps.refuse_growth("http://h.test/shop?d"), "trap: /shop?*");
        assert_eq!(traps.refuse_growth("http://h.test/"), "trap: /*");
        assert_eq!(traps.take_news().len(), 3);
        let seed = HashSeed(1);
        assert_ne!(likeness(seed, 1, "a"), likeness(seed, 1, "b"));
        assert_ne!(likeness(seed, 1, "a"), likeness(seed, 2, "a"));
    }
}
