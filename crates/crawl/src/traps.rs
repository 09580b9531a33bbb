//! Traps: addresses that a site makes up without end. Each sign has a pattern of addresses; of a pattern only so many
//! are let in, what is kept back is over the limit `trap`, with the pattern, and the rest of the site goes on.
//!
//! - An address that repeats itself, one parameter twice or one segment of its path three times (`repeat`).
//! - The same page under many addresses, with links that only make its address longer.
//! - Pages of a pattern of numbers, dates or random names that say the same and lead to further ones: empty months of a
//!   calendar, pages beyond the end of a list (`alike`); and dates years ahead.
//! - Session ids of which there are ever more (`sessions`), and filters that combine without end (`facets`).
//!
//! Every sign needs many members before it counts, because a site of thousands of products, pages or dates is no trap.
//! Which members of a pattern are let in depends on the order in which they are met: of a set without end there is
//! no other choice. A person may let a pattern go on; it is then no trap to this crawl any more.

mod alike;
mod count;
mod facets;
mod repeat;
mod sessions;
mod wild;

pub(crate) use alike::{Alike, read as alike};
pub(crate) use repeat::{grows, likeness};

use count::{COUNTED, count};
use facets::Facets;
use model::address::origin_of;
use model::plan::Limits;
use model::state::Limit;
use repeat::repeat;
use sessions::Sessions;
use std::collections::{HashMap, HashSet};
use store::{StoreError, Value, Writer};
use wild::Series;

/// Members of a family that are let in: more than a filter with a handful of values gives, far fewer than a visitor
/// would notice missing.
const FAMILY: u32 = 50;
/// Times the same page comes back with links that grow before these are left alone.
const COPIES: u32 = 25;
/// Pages of a pattern that say the same before further ones are left out: more than any series of pages that a person would
/// make with nothing on them.
const ALIKE: u32 = 200;
/// Years after this one in which a site's own dates may lie: what is dated later was made up by counting.
const YEARS_AHEAD: u32 = 3;
/// Traps of which more is known than the pattern.
const DESCRIBED: usize = 1_000;
/// Addresses that are shown of what was kept back.
const EXAMPLES: usize = 5;
/// Characters of an address that is shown.
const EXAMPLE: usize = 1_000;

/// The way of a trap, as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Repetition,
    Growth,
    Calendar,
    Paging,
    Numbers,
    Session,
    Facets,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Repetition => "repetition",
            Self::Growth => "growth",
            Self::Calendar => "calendar",
            Self::Paging => "paging",
            Self::Numbers => "numbers",
            Self::Session => "session",
            Self::Facets => "facets",
        }
    }

    const fn of(series: Series) -> Self {
        match series {
            Series::Dates => Self::Calendar,
            Series::Pages => Self::Paging,
            Series::Numbers => Self::Numbers,
        }
    }

    /// Why further addresses are kept back. What is said is true of every member, so it does not depend on the first one.
    fn why(self) -> String {
        match self {
            Self::Repetition => {
                format!("the address repeats itself, and {FAMILY} addresses of this kind were let in")
            }
            Self::Growth => {
                format!(
                    "the same page came back under {COPIES} addresses, each with links that only make its address longer"
                )
            }
            Self::Calendar => {
                format!(
                    "the dates have no end: {ALIKE} pages of this kind say the same, or lie more than {YEARS_AHEAD} years ahead"
                )
            }
            Self::Paging => {
                format!("the list has no end: {ALIKE} of its pages say the same and lead to further ones")
            }
            Self::Numbers => format!("{ALIKE} pages of this kind say the same and lead to further ones"),
            Self::Session => {
                "the site hands out ever new session ids, and the page was let in under another one"
                    .to_owned()
            }
            Self::Facets => {
                "filters combine without end; addresses with fewer of them were let in".to_owned()
            }
        }
    }
}

/// What a crawl knows of its traps.
#[derive(Default)]
pub(crate) struct Traps {
    watching: bool,
    /// The year of the crawl; 0 where nobody said.
    year: u32,
    families: HashMap<u64, u32>,
    /// By likeness: pages whose links grow.
    likenesses: HashMap<u64, u32>,
    /// URLs of pages that came back too often.
    copies: HashSet<u32>,
    sessions: Sessions,
    facets: Facets,
    /// By family and content: pages that say the same.
    alike: HashMap<u64, u32>,
    /// Families of numbers that are paused.
    paused: HashSet<u64>,
    /// By family: addresses with dates years ahead.
    ahead: HashMap<u64, u32>,
    /// Families were paused since queued URLs were last looked through.
    fresh: bool,
    /// Patterns, with the origin or without, that a person lets go on.
    allowed: HashSet<String>,
    /// By pattern with its origin.
    traps: HashMap<String, Trap>,
    /// Patterns, with their origin, of which something changed since it was last stored.
    changed: HashSet<String>,
}

/// One trap, as it is shown.
#[derive(Debug, Clone)]
struct Trap {
    kind: Kind,
    /// Members that were kept back first.
    examples: Vec<String>,
    kept: u64,
    /// The person was told, in this run or an earlier one.
    told: bool,
}

/// A trap that was just found.
pub(crate) struct News {
    /// Origin and pattern.
    pub pattern: String,
    pub detail: String,
}

impl Traps {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            watching: limits.pause_traps,
            allowed: limits.allow_traps.iter().cloned().collect(),
            ..Self::default()
        }
    }

    /// The moment by which dates are judged, in Unix milliseconds. A day at the turn of a year does not matter.
    pub(crate) fn set_moment(&mut self, millis: i64) {
        const YEAR: i64 = 31_556_952_000;
        self.year = u32::try_from(1970 + millis / YEAR).unwrap_or_default();
    }

    /// Counts an internal page that is to be queued. The reason to keep it back, if its family has had its share.
    pub(crate) fn refuse(&mut self, url: &str) -> Option<String> {
        if !self.watching {
            return None;
        }
        if let Some(repeat) = repeat(url)
            && count(&mut self.families, repeat.family) > FAMILY
            && let Some(reason) = self.keep(url, &repeat.pattern, Kind::Repetition)
        {
            return Some(reason);
        }
        if let Some(pattern) = self.sessions.refuse(url)
            && let Some(reason) = self.keep(url, &pattern, Kind::Session)
        {
            return Some(reason);
        }
        if let Some(pattern) = self.facets.refuse(url)
            && let Some(reason) = self.keep(url, &pattern, Kind::Facets)
        {
            return Some(reason);
        }
        self.refuse_series(url, Counted::Once)
    }

    /// The reason to keep back a URL that was let in and waits, if its pattern was paused meanwhile.
    pub(crate) fn refuse_waiting(&mut self, url: &str) -> Option<String> {
        self.refuse_series(url, Counted::Before)
    }

    fn refuse_series(&mut self, url: &str, counted: Counted) -> Option<String> {
        if self.paused.is_empty() && self.year == 0 {
            return None;
        }
        let wild = wild::read(url)?;
        let is_ahead = self.year > 0 && wild.year.is_some_and(|year| year > self.year + YEARS_AHEAD);
        let paused = self.paused.contains(&wild.family)
            || (is_ahead
                && match counted {
                    Counted::Once => count(&mut self.ahead, wild.family),
                    Counted::Before => self.ahead.get(&wild.family).copied().unwrap_or_default(),
                } > FAMILY);
        if paused { self.keep(url, &wild.pattern, Kind::of(wild.kind)) } else { None }
    }

    /// The reason to keep back a longer address that a copy names; `None` where a person lets the pattern go on.
    pub(crate) fn refuse_growth(&mut self, url: &str) -> Option<String> {
        let path = &url[origin_of(url).len()..];
        // Up to the slash or question mark behind the first segment.
        let end =
            path.bytes().skip(1).position(|byte| matches!(byte, b'/' | b'?')).map_or(path.len(), |at| at + 2);
        let pattern = repeat::shorten(format!("{}*", &path[..end]));
        self.keep(url, &pattern, Kind::Growth)
    }

    /// Notes a URL that is kept back, unless its pattern is let go on; gives the reason as it is stored.
    fn keep(&mut self, url: &str, pattern: &str, kind: Kind) -> Option<String> {
        let with_origin = format!("{}{pattern}", origin_of(url));
        if !self.allowed.is_empty() && (self.allowed.contains(&with_origin) || self.allowed.contains(pattern))
        {
            return None;
        }
        if self.traps.len() < DESCRIBED || self.traps.contains_key(&with_origin) {
            let trap = self.traps.entry(with_origin.clone()).or_insert_with(|| Trap {
                kind,
                examples: Vec::new(),
                kept: 0,
                told: false,
            });
            trap.kept += 1;
            if trap.examples.len() < EXAMPLES
                && url.len() <= EXAMPLE
                && !trap.examples.iter().any(|known| known == url)
            {
                trap.examples.push(url.to_owned());
            }
            self.changed.insert(with_origin);
        }
        Some(reason(pattern))
    }

    /// Counts a page some of whose links grow; whether it has come back too often for these to be followed.
    pub(crate) fn is_too_often(&mut self, url: u32, likeness: u64) -> bool {
        let too_often = self.watching && count(&mut self.likenesses, likeness) > COPIES;
        if too_often {
            self.copies.insert(url);
        }
        too_often
    }

    /// Counts a page that leads to further ones of its pattern; where many say the same, the pattern is paused.
    pub(crate) fn note_alike(&mut self, page: Alike) {
        if self.watching
            && !self.paused.contains(&page.family)
            && count(&mut self.alike, page.family ^ page.content) > ALIKE
            && self.paused.len() < COUNTED
        {
            self.paused.insert(page.family);
            self.fresh = true;
        }
    }

    /// Whether patterns were paused since the last call, so that members may be waiting.
    pub(crate) fn take_fresh(&mut self) -> bool {
        std::mem::take(&mut self.fresh)
    }

    /// Whether the links of this page that grow were left alone.
    pub(crate) fn is_copy(&self, url: u32) -> bool {
        self.copies.contains(&url)
    }

    /// Lets a pattern go on, with or without its origin.
    pub(crate) fn allow(&mut self, pattern: &str) {
        self.allowed.insert(pattern.to_owned());
        for (known, trap) in &mut self.traps {
            if known == pattern || without_origin(known) == pattern {
                trap.kept = 0;
                self.changed.insert(known.clone());
            }
        }
    }

    /// The patterns that a person lets go on.
    pub(crate) fn allowed(&self) -> Vec<String> {
        self.allowed.iter().cloned().collect()
    }

    /// Stores what changed; gives the traps of which the person was not told yet.
    pub(crate) fn store(&mut self, writer: &mut Writer, crawl: i64) -> Result<Vec<News>, StoreError> {
        let mut news = Vec::new();
        for pattern in std::mem::take(&mut self.changed) {
            let allowed = self.allowed.contains(&pattern) || self.allowed.contains(without_origin(&pattern));
            let Some(trap) = self.traps.get_mut(&pattern) else { continue };
            writer.run(
                "INSERT INTO trap(crawl, pattern, kind, why, examples, kept, allowed) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT DO UPDATE SET kind = ?3, why = ?4, examples = ?5, kept = ?6, allowed = ?7",
                &[
                    crawl.into(),
                    pattern.as_str().into(),
                    trap.kind.word().into(),
                    Value::Text(trap.kind.why()),
                    Value::Text(serde_json::json!(trap.examples).to_string()),
                    (trap.kept as i64).into(),
                    i64::from(allowed).into(),
                ],
            )?;
            if !std::mem::replace(&mut trap.told, true) {
                let example = trap.examples.first().map(String::as_str).unwrap_or_default();
                let detail = format!("{}; further ones, such as {example}, are left out", trap.kind.why());
                news.push(News { pattern, detail });
            }
        }
        news.sort_by(|a, b| a.pattern.cmp(&b.pattern));
        Ok(news)
    }

    /// Counts what is kept back as the file has it: a URL that was kept back for one reason may have been let in for
    /// another one since.
    pub(crate) fn recount(&mut self, writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
        if self.traps.is_empty() {
            return Ok(());
        }
        let (first, last) = store::key_range(crawl);
        let mut kept: HashMap<String, u64> = HashMap::new();
        let sql = "SELECT h.origin, r.value, count(*) FROM visit v JOIN host h ON h.id = v.host JOIN string r ON r.id = v.reason
                   WHERE v.key BETWEEN ?1 AND ?2 AND v.state = 5 AND r.value LIKE 'trap: %' GROUP BY 1, 2";
        writer.rows(sql, &[first.into(), last.into()], &mut |row| {
            let pattern = row.text(1).trim_start_matches("trap: ");
            *kept.entry(format!("{}{pattern}", row.text(0))).or_default() += row.int(2) as u64;
            Ok(())
        })?;
        for (pattern, trap) in &mut self.traps {
            let kept = kept.get(pattern).copied().unwrap_or_default();
            if trap.kept != kept {
                trap.kept = kept;
                self.changed.insert(pattern.clone());
            }
        }
        Ok(())
    }

    /// Counts again what an interrupted crawl has stored.
    pub(crate) fn restore(&mut self, writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
        if !self.watching {
            return Ok(());
        }
        let (first, last) = store::key_range(crawl);
        let mut described: Vec<(String, Trap)> = Vec::new();
        let mut allowed = Vec::new();
        writer.rows(
            "SELECT pattern, kind, examples, kept, allowed FROM trap WHERE crawl = ?1",
            &[crawl.into()],
            &mut |row| {
                let kinds = [
                    Kind::Repetition,
                    Kind::Growth,
                    Kind::Calendar,
                    Kind::Paging,
                    Kind::Numbers,
                    Kind::Session,
                    Kind::Facets,
                ];
                let kind =
                    kinds.into_iter().find(|kind| kind.word() == row.text(1)).unwrap_or(Kind::Repetition);
                let examples = serde_json::from_str(row.text(2)).unwrap_or_default();
                let kept = row.int(3).max(0) as u64;
                described.push((row.text(0).to_owned(), Trap { kind, examples, kept, told: true }));
                if row.int(4) != 0 {
                    allowed.push(row.text(0).to_owned());
                }
                Ok(())
            },
        )?;
        let has_growth = described.iter().any(|(_, trap)| trap.kind == Kind::Growth);
        self.allowed.extend(allowed);
        // Seeds, lists and sitemaps (1, 5, 6) are never kept back and were not counted.
        let met = "SELECT u.text, r.value FROM visit v JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN string r ON r.id = v.reason
                   WHERE v.key BETWEEN ?1 AND ?2 AND v.internal AND v.found NOT IN (1, 5, 6)
                   AND (v.purpose = 2 OR v.state = 5 AND r.value LIKE 'trap: %')";
        writer.rows(met, &[first.into(), last.into()], &mut |row| {
            match row.text(1).strip_prefix("trap: ") {
                // A pattern of numbers that was paused stays so, whatever its pages say; others are counted anew.
                Some(pattern) => {
                    if let Some(wild) = wild::read(row.text(0)).filter(|wild| wild.pattern == pattern)
                        && wild.year.is_none_or(|year| self.year == 0 || year <= self.year + YEARS_AHEAD)
                    {
                        self.paused.insert(wild.family);
                    }
                }
                None => {
                    self.refuse(row.text(0));
                }
            }
            Ok(())
        })?;
        // What was counted meanwhile was kept back and told of before the interruption.
        self.traps = described.into_iter().collect();
        self.changed.clear();
        self.recount(writer, crawl)?;
        if !has_growth {
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

/// Whether an address is counted now or was when it was let in.
#[derive(Clone, Copy)]
enum Counted {
    Once,
    Before,
}

/// The reason of a URL that a trap's pattern keeps back.
pub(crate) fn reason(pattern: &str) -> String {
    format!("{}: {pattern}", Limit::Trap)
}

/// The part of a trap's pattern that its URLs' reasons name.
pub(crate) fn without_origin(pattern: &str) -> &str {
    if pattern.contains("://") { &pattern[origin_of(pattern).len()..] } else { pattern }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::hash::HashSeed;

    fn watching() -> Traps {
        Traps::new(&Limits { pause_traps: true, ..Limits::default() })
    }

    #[test]
    fn a_family_gets_its_share() {
        let mut traps = watching();
        for n in 0..FAMILY {
            assert_eq!(traps.refuse(&format!("http://h.test/shop?p=1&p={n}")), None, "{n}");
        }
        assert!(traps.traps.is_empty());
        for n in 0..3 {
            let reason = traps.refuse(&format!("http://h.test/shop?p=2&p={n}"));
            assert_eq!(reason.as_deref(), Some("trap: /shop?*p=*p=*"));
        }
        let trap = &traps.traps["http://h.test/shop?*p=*p=*"];
        assert_eq!((trap.kept, trap.examples.len()), (3, 3));
        for other in ["http://h.test/shop?p=1", "http://h.test/cart?p=1&p=2", "http://o.test/shop?p=1&p=2"] {
            assert_eq!(traps.refuse(other), None, "{other}");
        }
        traps.allow("http://h.test/shop?*p=*p=*");
        assert_eq!(traps.refuse("http://h.test/shop?p=2&p=9"), None);
        let mut blind = Traps::new(&Limits::default());
        assert!((0..200).all(|n| blind.refuse(&format!("http://h.test/shop?p=1&p={n}")).is_none()));
    }

    #[test]
    fn a_pattern_whose_pages_say_the_same_is_paused() {
        let mut traps = watching();
        let member = |n: u32| format!("http://h.test/list?page={n}");
        let family = wild::read(&member(1)).unwrap().family;
        for n in 0..10_000 {
            // A list of products, each page another one.
            traps.note_alike(Alike { family, content: n });
        }
        assert_eq!(traps.refuse(&member(1)), None);
        for _ in 0..=ALIKE {
            assert!(!traps.take_fresh());
            traps.note_alike(Alike { family, content: 10_000 });
        }
        assert!(traps.take_fresh() && !traps.take_fresh());
        assert_eq!(traps.refuse(&member(2)).as_deref(), Some("trap: /list?page=*"));
        assert_eq!(traps.refuse_waiting(&member(3)).as_deref(), Some("trap: /list?page=*"));
        assert_eq!(traps.refuse("http://h.test/other?page=2"), None);
        traps.allow("/list?page=*");
        assert_eq!(traps.refuse(&member(2)), None);
    }

    #[test]
    fn dates_years_ahead_are_made_up() {
        let mut traps = watching();
        // The first of July 2026.
        traps.set_moment(1_782_864_000_000);
        assert_eq!(traps.year, 2026);
        let mut days = (2020..=2060)
            .flat_map(|year| (1..=12).map(move |month| format!("http://h.test/c/{year}/{month:02}/")));
        let kept: Vec<String> = days.by_ref().filter(|day| traps.refuse(day).is_some()).collect();
        // All of 2020 to 2029, and 50 months of what comes later.
        assert_eq!(kept.len(), 41 * 12 - 10 * 12 - FAMILY as usize);
        assert!(kept.iter().all(|day| day.as_str() > "http://h.test/c/2030/"));
        assert_eq!(traps.refuse("http://h.test/c/2027/05/"), None);
    }

    #[test]
    fn a_page_that_comes_back_is_a_copy() {
        let mut traps = watching();
        assert!((0..COPIES).all(|url| !traps.is_too_often(url, 7)));
        assert!(traps.is_too_often(100, 7) && !traps.is_too_often(101, 8));
        assert!(traps.is_copy(100) && !traps.is_copy(101) && !traps.is_copy(0));
        assert_eq!(traps.refuse_growth("http://h.test/shop/a/b?c").as_deref(), Some("trap: /shop/*"));
        assert_eq!(traps.refuse_growth("http://h.test/shop?c").as_deref(), Some("trap: /shop?*"));
        assert_eq!(traps.refuse_growth("http://h.test/shop?d").as_deref(), Some("trap: /shop?*"));
        assert_eq!(traps.refuse_growth("http://h.test/").as_deref(), Some("trap: /*"));
        assert_eq!(traps.traps.len(), 3);
        traps.allow("http://h.test/*");
        assert_eq!(traps.refuse_growth("http://h.test/"), None);
        let seed = HashSeed(1);
        assert_ne!(likeness(seed, 1, "a"), likeness(seed, 1, "b"));
        assert_ne!(likeness(seed, 1, "a"), likeness(seed, 2, "a"));
    }
}
