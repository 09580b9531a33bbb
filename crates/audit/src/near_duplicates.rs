//! Clusters of pages whose main texts are almost the same.
//!
//! Signatures that agree in some places make candidates (locality-sensitive hashing: Leskovec, Rajaraman and Ullman, “Mining of Massive
//! Datasets”, 3.4); candidates are compared by all their shingles, read again from the stored HTML, and only where there is none by what
//! their signatures give reason to expect. Each page is compared with few others: first with the page that stands for a cluster.
//!
//! Memory: 24 bytes a page and 120 a distinct text, of which 64 are its signature; 40 more while they are read.

use crate::evaluate::EvaluateError;
use crate::findings::Inserts;
use crate::limits::Limits;
use model::address::origin_of;
use model::main_text::{PLACES, expected_similarity, similarity};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use store::{StoreError, Writer, key_range};

/// Pages of one bucket that others are compared with.
const LEADERS: usize = 4;
/// Comparisons by all shingles after which a text that was never similar enough is left alone.
const MOST_FAILURES: u8 = 4;
/// Shingles of texts that are held: 16 MB.
const HELD: usize = 2 << 20;
/// Pairs that are remembered not to be similar, so that the next band does not read them again: 16 MB at most.
const PAIRS: usize = 1 << 20;
/// How often, out of all pairs as similar as asked for, a pair has to share a bucket.
const RECALL: f64 = 0.999;
/// Standard errors by which the expectation of a pair that is compared by all shingles may fall short.
const DOUBT: f64 = 3.0;
/// Comparisons between two looks at cancelling.
const LOOK: u32 = 256;

/// Pages to be compared, as they are met.
#[derive(Default)]
pub(crate) struct Pages {
    pages: Vec<Page>,
    /// Of each distinct main text its signature and a document that has it.
    signatures: Vec<[u8; PLACES]>,
    documents: Vec<u32>,
    by_main: HashMap<u64, u32>,
}

/// A page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Page {
    /// Number of its main text.
    main: u32,
    /// What stands for a cluster is the first by this: few clicks from the start, a short path, its last two characters. Then the
    /// text decides, so that it does not matter in which order pages were met.
    order: u32,
    /// Of all visible text: pages that share it are exact duplicates.
    text: u64,
    url: u32,
}

impl Pages {
    /// For up to this many distinct texts.
    pub(crate) fn with_capacity(texts: usize) -> Self {
        Self {
            pages: Vec::with_capacity(texts),
            signatures: Vec::with_capacity(texts),
            documents: Vec::with_capacity(texts),
            by_main: HashMap::new(),
        }
    }

    /// `main`, `signature`: columns of the table `main_text`; `text`: of the visible text.
    pub(crate) fn note(&mut self, page: &Noted) {
        let Ok(signature) = <[u8; PLACES]>::try_from(page.signature) else { return };
        let next = self.signatures.len() as u32;
        let main = *self.by_main.entry(page.main as u64).or_insert(next);
        if main == next {
            self.signatures.push(signature);
            self.documents.push(page.document as u32);
        }
        let clicks = page.depth.map_or(0xFF, |depth| depth.clamp(0, 0xFE) as u32);
        let path = &page.address.as_bytes()[origin_of(page.address).len()..];
        let end = path.iter().rev().take(2).rev().fold(0, |end, byte| end << 8 | u32::from(*byte));
        let order = clicks << 24 | (path.len().min(0xFF) as u32) << 16 | end;
        self.pages.push(Page { main, order, text: page.text as u64, url: page.url as u32 });
    }

    /// Finds the clusters and writes the table `near_duplicate` of a crawl. `watch` is told how many of how many steps are done.
    pub(crate) fn compare(
        mut self,
        writer: &mut Writer,
        crawl: i64,
        limits: &Limits,
        watch: &mut dyn FnMut(u64, u64) -> Result<(), EvaluateError>,
    ) -> Result<(), EvaluateError> {
        self.by_main = HashMap::new();
        self.pages.sort_unstable();
        let mut clustering = Clustering::new(&self, limits);
        clustering.run(writer, limits, watch)?;
        let Clustering { mut groups, edges, ranked, .. } = clustering;
        Ok(self.write(writer, crawl, &mut groups, &edges, &ranked)?)
    }

    /// The pages of each distinct main text, in the order of the texts.
    fn texts(&self) -> impl Iterator<Item = &[Page]> {
        self.pages.chunk_by(|a, b| a.main == b.main)
    }

    fn write(
        &self,
        writer: &mut Writer,
        crawl: i64,
        groups: &mut Groups,
        edges: &[Edge],
        ranked: &[u32],
    ) -> Result<(), StoreError> {
        let mut rank_of = vec![0; ranked.len()];
        for (rank, main) in ranked.iter().enumerate() {
            rank_of[*main as usize] = rank as u32;
        }
        // Of the cluster of each rank: pages, and whether they have more than one visible text between them.
        let mut sizes = vec![(0_u32, None, false); ranked.len()];
        let mut first_page = vec![0_u32; ranked.len()];
        for pages in self.texts() {
            let rank = rank_of[pages[0].main as usize];
            first_page[rank as usize] = pages[0].url;
            let (size, text, differs) = &mut sizes[groups.of(rank) as usize];
            *size += pages.len() as u32;
            for page in pages {
                *differs |= *text.get_or_insert(page.text) != page.text;
            }
        }
        let mut inserts =
            Inserts::new("INSERT INTO near_duplicate(key, cluster, pages, other, similarity, estimated)", 6);
        for pages in self.texts() {
            let rank = rank_of[pages[0].main as usize];
            let cluster = groups.of(rank);
            let (size, _, differs) = sizes[cluster as usize];
            if !differs {
                continue;
            }
            // Pages of the same main text and other visible ones.
            let second = pages.iter().find(|page| page.text != pages[0].text);
            for page in pages {
                let edge = edges[rank as usize];
                let (other, similarity, estimated) = match second {
                    Some(second) => {
                        (if page.text == pages[0].text { second.url } else { pages[0].url }, 100, false)
                    }
                    None => (first_page[edge.other as usize], edge.percent, edge.estimated),
                };
                let row = [
                    store::key(crawl, page.url),
                    i64::from(first_page[cluster as usize]),
                    i64::from(size),
                    i64::from(other),
                    i64::from(similarity),
                    i64::from(estimated),
                ];
                inserts.add(writer, &row)?;
            }
        }
        inserts.finish(writer)
    }
}

/// A page as it is read.
#[derive(Debug)]
pub(crate) struct Noted<'r> {
    pub(crate) url: i64,
    pub(crate) address: &'r str,
    pub(crate) depth: Option<i64>,
    pub(crate) text: i64,
    pub(crate) document: i64,
    pub(crate) main: i64,
    pub(crate) signature: &'r [u8],
}

/// The pair that made a text part of a cluster, or the best of several.
#[derive(Debug, Clone, Copy, Default)]
struct Edge {
    /// Rank of the other text.
    other: u32,
    percent: u8,
    estimated: bool,
}

/// Disjoint sets of ranks; the lowest stands for its set.
struct Groups(Vec<u32>);

impl Groups {
    fn of(&mut self, rank: u32) -> u32 {
        let mut at = rank;
        while self.0[at as usize] != at {
            let above = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = above;
            at = above;
        }
        at
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.of(one), self.of(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0[high as usize] = low;
    }
}

/// The texts in the order of their first pages: each has a rank.
struct Clustering<'p> {
    pages: &'p Pages,
    /// The number of the text of each rank.
    ranked: Vec<u32>,
    groups: Groups,
    /// By rank; a percentage of 0 where there is none.
    edges: Vec<Edge>,
    failures: Vec<u8>,
    share: f64,
    /// Shingles of texts that were read, by rank, `None` where there is no HTML; and how many they are.
    held: HashMap<u32, Option<Rc<Vec<u64>>>>,
    held_shingles: usize,
    apart: HashSet<(u32, u32)>,
}

impl<'p> Clustering<'p> {
    fn new(pages: &'p Pages, limits: &Limits) -> Self {
        let texts = pages.signatures.len();
        let mut orders: Vec<(u32, u64, u32)> =
            pages.texts().map(|pages| (pages[0].order, pages[0].text, pages[0].main)).collect();
        orders.sort_unstable();
        Self {
            pages,
            ranked: orders.into_iter().map(|(_, _, main)| main).collect(),
            groups: Groups((0..texts as u32).collect()),
            edges: vec![Edge::default(); texts],
            failures: vec![0; texts],
            share: (limits.get("near_duplicate_share") / 100.0).min(1.0),
            held: HashMap::new(),
            held_shingles: 0,
            apart: HashSet::new(),
        }
    }

    fn signature(&self, rank: u32) -> &'p [u8; PLACES] {
        &self.pages.signatures[self.ranked[rank as usize] as usize]
    }

    fn run(
        &mut self,
        writer: &mut Writer,
        limits: &Limits,
        watch: &mut dyn FnMut(u64, u64) -> Result<(), EvaluateError>,
    ) -> Result<(), EvaluateError> {
        let rows = rows_of_band(self.share);
        let bands = PLACES / rows;
        let texts = self.ranked.len();
        let of = (bands * texts) as u64;
        let mut places: Vec<(u64, u32)> = Vec::with_capacity(texts);
        let mut since = 0;
        for band in 0..bands {
            places.clear();
            places.extend((0..texts as u32).map(|rank| {
                let part = &self.signature(rank)[band * rows..(band + 1) * rows];
                (part.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)), rank)
            }));
            places.sort_unstable();
            let mut done = band * texts;
            watch(done as u64, of)?;
            for bucket in places.chunk_by(|a, b| a.0 == b.0) {
                let mut leaders: Vec<u32> = Vec::with_capacity(LEADERS);
                for (_, rank) in bucket.iter().filter(|_| bucket.len() > 1) {
                    self.place(writer, limits, *rank, &mut leaders)?;
                    since += 1;
                    if since == LOOK {
                        watch(done as u64, of)?;
                        since = 0;
                    }
                }
                done += bucket.len();
            }
        }
        Ok(())
    }

    /// Sets a text beside those of its bucket that came before it.
    fn place(
        &mut self,
        writer: &mut Writer,
        limits: &Limits,
        rank: u32,
        leaders: &mut Vec<u32>,
    ) -> Result<(), StoreError> {
        let group = self.groups.of(rank);
        if leaders.iter().any(|leader| self.groups.of(*leader) == group) {
            return Ok(());
        }
        for leader in leaders.iter().copied() {
            let stands_for_it = self.groups.of(leader);
            for other in [stands_for_it, leader].into_iter().take(1 + usize::from(leader != stands_for_it)) {
                if self.joins(writer, limits, other, rank)? {
                    return Ok(());
                }
            }
        }
        if leaders.len() < LEADERS {
            leaders.push(rank);
        }
        Ok(())
    }

    /// Joins two texts where they are similar enough.
    fn joins(
        &mut self,
        writer: &mut Writer,
        limits: &Limits,
        one: u32,
        other: u32,
    ) -> Result<bool, StoreError> {
        let expected = expected_similarity(self.signature(one), self.signature(other));
        let error = (self.share * (1.0 - self.share) / PLACES as f64).sqrt();
        // Where everything is to be the same, one place that differs may still be the difference of a single shingle.
        if expected < self.share - DOUBT * error.max(0.02) || self.failures[other as usize] >= MOST_FAILURES {
            return Ok(false);
        }
        let pair = (one.min(other), one.max(other));
        if self.apart.contains(&pair) {
            return Ok(false);
        }
        let real = match (self.shingles(writer, limits, one)?, self.shingles(writer, limits, other)?) {
            (Some(one), Some(other)) => Some(similarity(&one, &other)),
            _ => None,
        };
        let found = real.unwrap_or(expected);
        if found < self.share {
            self.failures[other as usize] += u8::from(real.is_some());
            if self.apart.len() < PAIRS {
                self.apart.insert(pair);
            }
            return Ok(false);
        }
        let percent = (found * 100.0 + 1e-9).floor() as u8;
        for (rank, with) in [(one, other), (other, one)] {
            let edge = &mut self.edges[rank as usize];
            if edge.percent < percent {
                *edge = Edge { other: with, percent, estimated: real.is_none() };
            }
        }
        self.groups.join(one, other);
        Ok(true)
    }

    /// The shingles of a text, from the stored HTML.
    fn shingles(
        &mut self,
        writer: &mut Writer,
        limits: &Limits,
        rank: u32,
    ) -> Result<Option<Rc<Vec<u64>>>, StoreError> {
        if let Some(known) = self.held.get(&rank) {
            return Ok(known.clone());
        }
        let document = self.pages.documents[self.ranked[rank as usize] as usize];
        let read = match limits.texts() {
            Some(shingles) => writer
                .html_of_document(i64::from(document))?
                .map(|(html, charset)| shingles(&html, &charset))
                .filter(|shingles| !shingles.is_empty())
                .map(Rc::new),
            None => None,
        };
        let more = 1 + read.as_ref().map_or(0, |shingles| shingles.len());
        if self.held_shingles + more > HELD {
            self.held.clear();
            self.held_shingles = 0;
        }
        self.held_shingles += more;
        self.held.insert(rank, read.clone());
        Ok(read)
    }
}

/// Places of a signature that have to agree for two texts to meet: as many as may be for the recall.
fn rows_of_band(share: f64) -> usize {
    let recall = |rows: usize| 1.0 - (1.0 - share.powi(rows as i32)).powi((PLACES / rows) as i32);
    (1..=8).rev().find(|rows| recall(*rows) >= RECALL).unwrap_or(1)
}

/// Forgets what an earlier evaluation of the crawl derived.
pub(crate) fn clear(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    let (first, last) = key_range(crawl);
    writer.run("DELETE FROM near_duplicate WHERE key BETWEEN ?1 AND ?2", &[first.into(), last.into()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_find_what_is_as_similar_as_asked_for() {
        let check = |share: f64, rows: usize| assert_eq!(rows_of_band(share), rows, "{share}");
        check(1.0, 8);
        check(0.95, 8);
        check(0.9, 6);
        check(0.8, 4);
        check(0.5, 2);
    }

    #[test]
    fn the_lowest_stands_for_its_group() {
        let mut groups = Groups((0..6).collect());
        groups.join(5, 3);
        groups.join(4, 5);
        groups.join(1, 4);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|rank| groups.of(rank)), [0, 1, 2, 1, 1, 1]);
    }
}
