//! Sitemaps of the site: which are to be asked for, each once, index by index.

use crate::sitemap_reading::{Batch, READ_AHEAD};
use crossbeam_channel::{Receiver, Sender, bounded};
use model::Address;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};

/// Levels of index in index that are followed (sitemaps.org allows one; sites have more).
const MAX_LEVEL: u8 = 5;
/// Sitemap files of one crawl at most: an index may name 50,000.
const MAX_FILES: usize = 50_000;
/// Bytes of addresses that wait to be asked for: an index of a hundred megabytes must not stand in memory.
const MAX_WAITING: usize = 32 << 20;
/// Sitemaps asked for at the same time.
pub(crate) const SITEMAPS_AT_ONCE: usize = 4;

/// A sitemap to be asked for.
#[derive(Debug, Clone)]
pub(crate) struct SitemapJob {
    pub url: String,
    /// Row id of the index that named it, or of the sitemap that redirects to it.
    pub parent: Option<i64>,
    /// Indexes above it.
    pub level: u8,
    /// Redirects that led to it.
    pub hops: u8,
    /// Its row, once it has one.
    pub row: i64,
}

/// What became of a sitemap that something named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Named {
    Waits,
    /// It was met before.
    Known,
    /// It is the one that named it, or stands above it.
    Cycle,
    /// More indexes stand above it than are followed.
    TooDeep,
    /// There are more files than are read.
    TooMany,
    /// It is no http(s) address.
    NoAddress,
}

/// A sitemap that is being read.
pub(crate) struct Open {
    pub job: SitemapJob,
    pub batches: Receiver<Batch>,
    /// What was wrong with what it names: how often, and the first.
    pub refused: BTreeMap<Named, (u64, String)>,
}

/// The sitemaps met so far, those waiting, and those that are being read.
#[derive(Default)]
pub(crate) struct Sitemaps {
    /// Hashes of addresses.
    seen: HashSet<u64>,
    waiting: VecDeque<SitemapJob>,
    waiting_bytes: usize,
    /// Of each row, its address's hash and its parent.
    above: HashMap<i64, (u64, Option<i64>)>,
    open: HashMap<i64, Open>,
}

impl SitemapJob {
    /// One that no other sitemap names.
    pub(crate) fn root(url: impl Into<String>) -> Self {
        Self { url: url.into(), parent: None, level: 0, hops: 0, row: 0 }
    }

    /// One that this index names.
    pub(crate) fn child(&self, url: &str) -> Self {
        Self { url: url.to_owned(), parent: Some(self.row), level: self.level + 1, hops: 0, row: 0 }
    }

    /// One that this sitemap redirects to.
    pub(crate) fn redirected(&self, url: String) -> Self {
        Self { url, parent: Some(self.row), level: self.level, hops: self.hops + 1, row: 0 }
    }
}

impl Named {
    /// The code of the problem, and what it means.
    pub(crate) const fn problem(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Waits | Self::Known => None,
            Self::Cycle => Some(("index-cycle", "is the index itself or one above it")),
            Self::TooDeep => Some(("index-too-deep", "stands below more indexes than are followed")),
            Self::TooMany => Some(("too-many-sitemaps", "is one more than are read")),
            Self::NoAddress => Some(("loc-no-address", "is no address of a sitemap")),
        }
    }
}

impl Sitemaps {
    /// Notes a sitemap to be asked for, if it is an http(s) address, new, and within the caps.
    pub(crate) fn add(&mut self, mut job: SitemapJob) -> Named {
        let Ok(address) = Address::parse(&job.url) else { return Named::NoAddress };
        job.url = address.to_string();
        let hash = hash(&job.url);
        if self.is_above(hash, job.parent) {
            return Named::Cycle;
        }
        if self.seen.contains(&hash) {
            return Named::Known;
        }
        if job.level > MAX_LEVEL {
            return Named::TooDeep;
        }
        if self.seen.len() >= MAX_FILES || self.waiting_bytes + job.url.len() > MAX_WAITING {
            return Named::TooMany;
        }
        self.seen.insert(hash);
        self.waiting_bytes += job.url.len();
        self.waiting.push_back(job);
        Named::Waits
    }

    fn is_above(&self, hash: u64, mut parent: Option<i64>) -> bool {
        // Parents are older than their children, so the way up ends.
        while let Some((of_parent, next)) = parent.and_then(|row| self.above.get(&row)) {
            if *of_parent == hash {
                return true;
            }
            parent = *next;
        }
        false
    }

    /// An earlier run of the crawl gave it a row.
    pub(crate) fn is_stored(&mut self, job: &SitemapJob) {
        let hash = hash(&job.url);
        self.seen.insert(hash);
        self.above.insert(job.row, (hash, job.parent));
    }

    /// An earlier run of the crawl was interrupted while it read this one.
    pub(crate) fn again(&mut self, job: SitemapJob) {
        self.waiting_bytes += job.url.len();
        self.waiting.push_front(job);
    }

    /// The next one to ask for now.
    pub(crate) fn next(&mut self) -> Option<SitemapJob> {
        if self.open.len() >= SITEMAPS_AT_ONCE {
            return None;
        }
        let job = self.waiting.pop_front()?;
        self.waiting_bytes -= job.url.len();
        Some(job)
    }

    /// It is asked for from now on, under its row. Gives the way in which its entries come.
    pub(crate) fn begin(&mut self, job: SitemapJob) -> Sender<Batch> {
        let (sender, batches) = bounded(READ_AHEAD);
        self.above.insert(job.row, (hash(&job.url), job.parent));
        self.open.insert(job.row, Open { job, batches, refused: BTreeMap::new() });
        sender
    }

    pub(crate) fn open(&mut self, row: i64) -> Option<&mut Open> {
        self.open.get_mut(&row)
    }

    /// All of it has arrived.
    pub(crate) fn end(&mut self, row: i64) -> Option<Open> {
        self.open.remove(&row)
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.open.is_empty() && self.waiting.is_empty()
    }
}

/// Addresses are told apart as the URL table tells them.
fn hash(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    model::address::key(url).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(sitemaps: &mut Sitemaps, row: i64) -> SitemapJob {
        let job = SitemapJob { row, ..sitemaps.next().expect("one that waits") };
        drop(sitemaps.begin(job.clone()));
        job
    }

    #[test]
    fn each_is_asked_for_once_and_cycles_end() {
        let mut sitemaps = Sitemaps::default();
        assert_eq!(sitemaps.add(SitemapJob::root("HTTP://h/a%2f#x")), Named::Waits);
        assert_eq!(sitemaps.add(SitemapJob::root("http://h/a%2F")), Named::Known);
        assert_eq!(sitemaps.add(SitemapJob::root("/relative")), Named::NoAddress);
        let top = begun(&mut sitemaps, 1);
        assert_eq!(top.url, "http://h/a%2f");
        assert_eq!(sitemaps.add(top.child("http://h/a%2f")), Named::Cycle);
        assert_eq!(sitemaps.add(top.child("http://h/b")), Named::Waits);
        let below = begun(&mut sitemaps, 2);
        assert_eq!(sitemaps.add(below.child("http://h/a%2f")), Named::Cycle);
        assert_eq!(sitemaps.add(below.redirected("http://h/b".to_owned())), Named::Cycle);
        assert_eq!(sitemaps.add(below.child("http://h/c")), Named::Waits);
        assert_eq!(sitemaps.add(top.child("http://h/b")), Named::Known);
    }

    #[test]
    fn five_levels_are_followed() {
        let mut sitemaps = Sitemaps::default();
        let mut named = sitemaps.add(SitemapJob::root("http://h/0"));
        for level in 1..=7_u8 {
            if level <= 6 {
                assert_eq!(named, Named::Waits, "{level}");
                let index = begun(&mut sitemaps, i64::from(level));
                sitemaps.end(i64::from(level));
                named = sitemaps.add(index.child(&format!("http://h/{level}")));
            } else {
                assert_eq!(named, Named::TooDeep);
            }
        }
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut sitemaps = Sitemaps::default();
        let long = "x".repeat(1 << 20);
        let named: Vec<Named> =
            (0..40).map(|n| sitemaps.add(SitemapJob::root(format!("http://h/{n}/{long}")))).collect();
        assert_eq!(named.iter().filter(|named| **named == Named::Waits).count(), 31);
        assert!(named[31..].iter().all(|named| *named == Named::TooMany));
        for row in 0..4 {
            begun(&mut sitemaps, row);
        }
        assert!(sitemaps.next().is_none(), "four at once");
        assert_eq!(sitemaps.add(SitemapJob::root("http://h/later")), Named::Waits);
    }
}
