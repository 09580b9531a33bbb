//! The link score of a page: the chance to meet it for somebody who follows links of the site without end (PageRank).
//!
//! Nodes are the internal pages. An edge leads from a page to each other page that it has a followed link to, however many links
//! that are. Redirects and canonicals are gone through, so that what links to them counts for the page at their end; a page
//! that names another as its canonical is no node of its own. What a page without followed links would give goes to all pages
//! alike, and so does the share that does not follow links.
//!
//! Links are read once, in the pass over links that is made anyway. Pages that share a list of links share its edges. Edges take about
//! two bytes each; the first `HELD` bytes of them stay in memory and the rest lies in SQLite's temporary file, read from front to end
//! in every round. Beside that: 4 bytes a URL of the project and 28 bytes a page.

use crate::evaluate::{EvaluateError, Step};
use crate::link_bits::BitSet;
use model::state::Indexability;
use std::collections::HashMap;
use store::{StoreError, Writer, key_range};

/// The share of those who follow a link; the rest begin anew anywhere (Page, Brin: The Anatomy of a Large-Scale Hypertextual Web
/// Search Engine, 1998).
const DAMPING: f64 = 0.85;
/// Rounds at most.
const ROUNDS: u32 = 50;
/// The sum of all changes of a round below which the next one would change nothing that is shown.
const SETTLED: f64 = 1e-6;
/// Redirects and canonicals that are gone through one after the other.
const FORWARDS: usize = 50;
/// Bytes of edges in one block.
const BLOCK: usize = 1 << 20;
/// Bytes of edges that stay in memory.
const HELD: usize = 64 << 20;

/// No node.
const NONE: u32 = u32::MAX;

/// The links of a site as they are gone through.
pub(crate) struct Graph {
    /// By number of URL: the node that a link to it leads to.
    nodes: Vec<u32>,
    /// By node: the number of its URL.
    urls: Vec<u32>,
    /// Lists of links whose edges are kept, and the nodes that show them.
    lists: Vec<(u32, u32)>,
    seen: BitSet,
    /// Of the list that is being read.
    targets: Vec<u32>,
    edges: Edges,
}

/// Lists with the nodes that they lead to: the list's number, how many nodes, and each node's distance from the one before.
struct Edges {
    block: Vec<u8>,
    blocks: Vec<Box<[u8]>>,
    /// Bytes that may be held.
    room: usize,
    /// Blocks in the temporary table.
    stored: i64,
}

impl Graph {
    /// The nodes of a crawl; needs its chains.
    pub(crate) fn read(writer: &mut Writer, crawl: i64) -> Result<Self, StoreError> {
        Self::holding(writer, crawl, HELD)
    }

    fn holding(writer: &mut Writer, crawl: i64, room: usize) -> Result<Self, StoreError> {
        let (first, last) = key_range(crawl);
        let range = [first.into(), last.into()];
        let mut nodes = vec![NONE; writer.known_urls() as usize + 1];
        let mut forward: HashMap<u32, u32> = HashMap::new();
        let sql = format!(
            "SELECT p.key & 4294967295, CASE WHEN p.indexability = {} THEN d.canonical_url END FROM page p CROSS JOIN visit v ON v.key = p.key
             CROSS JOIN answer a ON a.key = p.key CROSS JOIN document d ON d.id = p.document
             WHERE p.key BETWEEN ?1 AND ?2 AND v.internal AND v.state = 1 AND a.status BETWEEN 200 AND 299",
            Indexability::Canonicalised.code()
        );
        writer.rows(&sql, &range, &mut |row| {
            let url = row.int(0) as u32;
            if let Some(node) = nodes.get_mut(url as usize) {
                *node = url;
            }
            if let Some(canonical) = row.opt_int(1) {
                forward.insert(url, canonical as u32);
            }
            Ok(())
        })?;
        let sql = "SELECT key & 4294967295, final FROM chain WHERE key BETWEEN ?1 AND ?2 AND NOT loop";
        writer.rows(sql, &range, &mut |row| {
            forward.entry(row.int(0) as u32).or_insert(row.int(1) as u32);
            Ok(())
        })?;
        // Where a way ends at a page, its URLs stand for that page; where it does not, a page stands for itself.
        let is_page = |url: u32| nodes.get(url as usize).is_some_and(|node| *node != NONE);
        let ends: Vec<(u32, u32)> = forward
            .keys()
            .filter_map(|url| Some((*url, end(&forward, *url).filter(|end| end != url && is_page(*end))?)))
            .collect();
        let mut stands_for: HashMap<u32, u32> = HashMap::with_capacity(ends.len());
        for (url, end) in ends {
            stands_for.insert(url, end);
            if let Some(node) = nodes.get_mut(url as usize) {
                *node = NONE;
            }
        }
        let mut urls = Vec::new();
        for (url, node) in nodes.iter_mut().enumerate().filter(|(_, node)| **node != NONE) {
            *node = urls.len() as u32;
            urls.push(url as u32);
        }
        for (url, end) in &stands_for {
            let node = nodes.get(*end as usize).copied().unwrap_or(NONE);
            if let Some(known) = nodes.get_mut(*url as usize) {
                *known = node;
            }
        }
        writer.batch(
            "DROP TABLE IF EXISTS temp.link_graph; CREATE TEMP TABLE link_graph(n INTEGER PRIMARY KEY, edges BLOB NOT NULL)",
        )?;
        Ok(Self {
            nodes,
            urls,
            lists: Vec::new(),
            seen: BitSet::default(),
            targets: Vec::new(),
            edges: Edges { block: Vec::new(), blocks: Vec::new(), room, stored: 0 },
        })
    }

    /// The node that a URL is, where it is one of its own.
    fn own(&self, url: u32) -> Option<u32> {
        let node = *self.nodes.get(url as usize)?;
        (*self.urls.get(node as usize)? == url).then_some(node)
    }

    /// Begins the links of a page; says whether they have to be told, link by link, and to be ended.
    pub(crate) fn begin(&mut self, url: u32, list: i64, follows: bool) -> bool {
        let (Some(node), Ok(number)) = (self.own(url).filter(|_| follows), u32::try_from(list)) else {
            return false;
        };
        self.lists.push((number, node));
        self.targets.clear();
        let place = number as usize;
        let known = self.seen.contains(place);
        self.seen.insert(place);
        !known
    }

    /// A followed link of the page that was begun.
    pub(crate) fn link(&mut self, target: i64) {
        let node = usize::try_from(target).ok().and_then(|url| self.nodes.get(url)).copied();
        self.targets.extend(node.filter(|node| *node != NONE));
    }

    pub(crate) fn end(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        let Some((list, _)) = self.lists.last().copied() else { return Ok(()) };
        self.targets.sort_unstable();
        self.targets.dedup();
        self.edges.add(writer, list, &self.targets)
    }

    /// The score of every node. `go_on` is asked before every round.
    pub(crate) fn scores(
        mut self,
        writer: &mut Writer,
        go_on: &mut dyn FnMut(Step) -> Result<(), EvaluateError>,
    ) -> Result<Scores, EvaluateError> {
        self.lists.sort_unstable();
        let count = self.urls.len();
        let mut ranks = vec![1.0 / count.max(1) as f64; count];
        let mut next = vec![0.0; count];
        for round in 0..ROUNDS {
            go_on(Step::Scores { round, of: ROUNDS })?;
            let changed = self.round(writer, &ranks, &mut next)?;
            std::mem::swap(&mut ranks, &mut next);
            if changed < SETTLED {
                break;
            }
        }
        writer.batch("DROP TABLE IF EXISTS temp.link_graph")?;
        Ok(Scores { nodes: self.nodes, urls: self.urls, scores: scores(ranks) })
    }

    /// One round; gives the sum of all changes.
    fn round(&self, writer: &mut Writer, ranks: &[f64], next: &mut [f64]) -> Result<f64, StoreError> {
        next.fill(0.0);
        let mut given = 0.0;
        self.edges.each(writer, &mut |list, targets| {
            let from = self.lists.partition_point(|(known, _)| *known < list);
            let mut each = 0.0;
            for (_, node) in self.lists[from..].iter().take_while(|(known, _)| *known == list) {
                let node = *node as usize;
                // A link of a page to itself is none.
                let to_itself = targets.binary_search(&(node as u32)).is_ok();
                let degree = targets.len() - usize::from(to_itself);
                if degree == 0 {
                    continue;
                }
                let share = ranks[node] / degree as f64;
                given += ranks[node];
                each += share;
                if to_itself {
                    next[node] -= share;
                }
            }
            for target in targets {
                next[*target as usize] += each;
            }
        })?;
        let alike = (1.0 - DAMPING + DAMPING * (1.0 - given)) / ranks.len().max(1) as f64;
        let mut changed = 0.0;
        for (next, rank) in next.iter_mut().zip(ranks) {
            *next = alike + DAMPING * next.max(0.0);
            changed += (*next - rank).abs();
        }
        Ok(changed)
    }
}

/// Where redirects and canonicals lead from a URL; `None` where they go round.
fn end(forward: &HashMap<u32, u32>, url: u32) -> Option<u32> {
    let mut at = url;
    for _ in 0..FORWARDS {
        match forward.get(&at) {
            Some(next) if *next != at => at = *next,
            _ => return Some(at),
        }
    }
    None
}

/// Ranks as what is shown: 100 ln(1 + x) / ln(1 + X), where x is how many times the least possible rank a page has and X is the
/// greatest x.
fn scores(mut ranks: Vec<f64>) -> Vec<f64> {
    let least = (1.0 - DAMPING) / ranks.len().max(1) as f64;
    let most = (ranks.iter().copied().fold(least, f64::max) / least).ln_1p();
    for rank in &mut ranks {
        let score = 100.0 * (*rank / least).ln_1p() / most;
        *rank = (score * 100.0).round() / 100.0;
    }
    ranks
}

/// The score of every page that has one.
pub(crate) struct Scores {
    nodes: Vec<u32>,
    urls: Vec<u32>,
    scores: Vec<f64>,
}

impl Scores {
    /// More than 0 and at most 100.
    pub(crate) fn of(&self, url: u32) -> Option<f64> {
        let node = *self.nodes.get(url as usize)? as usize;
        if *self.urls.get(node)? == url { self.scores.get(node).copied() } else { None }
    }
}

impl Edges {
    /// `targets`: in order, each once.
    fn add(&mut self, writer: &mut Writer, list: u32, targets: &[u32]) -> Result<(), StoreError> {
        if targets.is_empty() {
            return Ok(());
        }
        put(&mut self.block, list);
        put(&mut self.block, targets.len() as u32);
        let mut before = 0;
        for target in targets {
            put(&mut self.block, target - before);
            before = *target;
        }
        if self.block.len() < BLOCK {
            return Ok(());
        }
        let full = std::mem::take(&mut self.block);
        if full.len() <= self.room {
            self.room -= full.len();
            self.blocks.push(full.into_boxed_slice());
            return Ok(());
        }
        self.room = 0;
        self.stored += 1;
        writer.run_with_bytes("INSERT INTO temp.link_graph(n, edges) VALUES(?1, ?2)", self.stored, &full)
    }

    /// Hands each list to `each`, in the order in which they came.
    fn each(&self, writer: &mut Writer, each: &mut dyn FnMut(u32, &[u32])) -> Result<(), StoreError> {
        let mut targets = Vec::new();
        for block in &self.blocks {
            read(block, &mut targets, each);
        }
        if self.stored > 0 {
            writer.rows("SELECT edges FROM temp.link_graph ORDER BY n", &[], &mut |row| {
                read(row.blob(0), &mut targets, each);
                Ok(())
            })?;
        }
        read(&self.block, &mut targets, each);
        Ok(())
    }
}

fn read(block: &[u8], targets: &mut Vec<u32>, each: &mut dyn FnMut(u32, &[u32])) {
    let mut left = block;
    while !left.is_empty() {
        let (list, count) = (take(&mut left), take(&mut left));
        targets.clear();
        let mut target = 0;
        for _ in 0..count {
            target += take(&mut left);
            targets.push(target);
        }
        each(list, targets);
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Fact;
    use crate::scene::{self, CRAWL};
    use model::LinkKind;
    use store::{Document, Shape};

    const SITE: &str = "https://site.example";

    /// Pages by name with the names of the pages that they link to, a canonical after `=`, no links followed after `!`.
    fn scored(pages: &[(&str, &str)]) -> Vec<(String, Option<f64>)> {
        let mut writer = scene::writer();
        for (name, links) in pages {
            let (links, canonical) = links.split_once('=').unwrap_or((links, ""));
            let (links, nofollow) = links.strip_suffix('!').map_or((links, false), |links| (links, true));
            let address = |name: &str| format!("{SITE}/{name}");
            if let Some(to) = links.strip_prefix('>') {
                let (url, to) = (address(name), address(to));
                let fact = Fact { url: url.leak(), ..Fact::redirect("", 301, to.leak()) };
                scene::put(&mut writer, &fact, None, Indexability::Indexable, &[]);
                continue;
            }
            let fact = Fact { url: address(name).leak(), ..Fact::page("", &[]) };
            let targets: Vec<(bool, String)> = links
                .split_whitespace()
                .map(|link| (link.starts_with('-'), address(link.trim_start_matches('-'))))
                .collect();
            let hand: Vec<scene::HandLink<'_>> = targets
                .iter()
                .map(|(nofollow, target)| {
                    (Shape { nofollow: *nofollow, ..scene::anchor() }, Some(&**target), Some("text"))
                })
                .chain(std::iter::once((
                    Shape { kind: LinkKind::Image, ..scene::anchor() },
                    Some("https://site.example/a"),
                    None,
                )))
                .collect();
            let to = address(canonical);
            writer.intern(&to).unwrap();
            let canonical = (!canonical.is_empty()).then_some(&*to);
            let document = Document {
                nofollow,
                canonical_key: canonical.map(|to| writer.seed().url(to)),
                canonical: canonical.map(Into::into),
                ..scene::document(&mut writer, &fact)
            };
            let indexability =
                if canonical.is_some() { Indexability::Canonicalised } else { Indexability::Indexable };
            scene::put(&mut writer, &fact, Some(&document), indexability, &hand);
        }
        crate::analyse(&mut writer, CRAWL).unwrap();
        let mut scores = Vec::new();
        let sql = "SELECT u.text, m.link_score FROM metric m JOIN url u ON u.id = m.key & 4294967295 ORDER BY u.text";
        writer
            .rows(sql, &[], &mut |row| {
                let score = (row.value(1) != store::Value::Null).then(|| row.real(1));
                scores.push((row.text(0)[SITE.len() + 1..].to_owned(), score));
                Ok(())
            })
            .unwrap();
        scores
    }

    fn close(found: Option<f64>, expect: f64) {
        assert!(found.is_some_and(|found| (found - expect).abs() < 0.02), "{found:?} {expect}");
    }

    /// Two pages that both link to a third, which links to nothing.
    #[test]
    fn ranks_are_those_of_the_equations() {
        // All have 1 together, and those two have what everybody has: s = 0.05 + 0.85 c / 3, 2 s + c = 1.
        let c: f64 = 0.9 / (1.0 + 2.0 * 0.85 / 3.0);
        let s = (1.0 - c) / 2.0;
        let score = |rank: f64| 100.0 * (rank / 0.05).ln_1p() / (c / 0.05).ln_1p();
        let found = scored(&[("a", "c c c"), ("b", "c b"), ("c", "")]);
        assert_eq!(found.len(), 3);
        close(found[0].1, score(s));
        close(found[1].1, score(s));
        close(found[2].1, 100.0);
    }

    #[test]
    fn redirects_and_canonicals_pass_the_score_on() {
        let direct = scored(&[("a", "c"), ("b", "a"), ("c", "b")]);
        let by_redirect = scored(&[("a", "r"), ("b", "a"), ("c", "b"), ("r", ">s"), ("s", ">c")]);
        let by_canonical = scored(&[("a", "d"), ("b", "a"), ("c", "b"), ("d", "a=c")]);
        for found in [by_redirect, by_canonical] {
            for (name, score) in found {
                match direct.iter().find(|(known, _)| *known == name) {
                    Some((_, expect)) => close(score, expect.unwrap()),
                    None => assert_eq!(score, None, "{name}"),
                }
            }
        }
    }

    #[test]
    fn canonicals_that_lead_nowhere_stand_for_themselves() {
        let found = scored(&[("a", "b c"), ("b", "=gone"), ("c", "=d"), ("d", "=c")]);
        assert_eq!(found.iter().filter(|(_, score)| score.is_some()).count(), 4, "{found:?}");
    }

    #[test]
    fn links_that_are_not_followed_give_nothing() {
        let found = scored(&[("a", "b -c"), ("b", ""), ("c", "b!"), ("d", "")]);
        let score = |name: &str| found.iter().find(|(known, _)| known == name).unwrap().1.unwrap();
        assert_eq!(score("c"), score("d"));
        assert_eq!(score("b"), 100.0);
        assert!(score("a") > 0.0 && score("a") < 100.0);
    }

    /// What lies in the temporary table counts as what is in memory.
    #[test]
    fn edges_that_are_not_held_are_read_back() {
        let check = |room: usize| {
            let mut writer = scene::writer();
            writer.batch("CREATE TEMP TABLE link_graph(n INTEGER PRIMARY KEY, edges BLOB NOT NULL)").unwrap();
            let mut edges = Edges { block: Vec::new(), blocks: Vec::new(), room, stored: 0 };
            let list = |n: u32| (0..n % 50).map(|k| n / 7 + k * k * 4_000).collect::<Vec<u32>>();
            for n in 0..60_000 {
                edges.add(&mut writer, n, &list(n)).unwrap();
            }
            let mut expect = (0..60_000).filter(|n| n % 50 > 0);
            edges
                .each(&mut writer, &mut |n, targets| {
                    assert_eq!((Some(n), targets), (expect.next(), &*list(n)));
                })
                .unwrap();
            assert_eq!(expect.next(), None);
            (edges.blocks.len(), edges.stored)
        };
        let (blocks, stored) = check(HELD);
        assert!(blocks > 1 && stored == 0);
        assert_eq!(check(BLOCK * 3 / 2), (1, blocks as i64 - 1));
    }
}
