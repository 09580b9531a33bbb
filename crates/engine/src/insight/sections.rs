//! The sections of a site, each with what is usual in it.
//!
//! A section is what `model::address::section_of` says: the first directory of a host. One pass over the URLs of the crawl and one
//! over its findings; memory is 24 bytes a page and 4 bytes a URL of the project.

use super::dto::{Bar, SectionCard, Tone};
use super::filters::{all, at_least, begins, below, directly_in, empty, equals, is};
use crate::table::Filter;
use model::UrlState;
use model::address::{origin_of, section_of};
use model::hash::fingerprint;
use model::state::Indexability;
use std::collections::HashMap;
use store::{Reader, StoreError};

/// Pages from which a directory is a section.
const FEWEST: u64 = 8;
/// Sections given.
const SHOWN: usize = 50;
/// Directories that are told apart; sites that give every member one have more.
const TOLD_APART: usize = 200_000;

/// No section.
const NONE: u32 = u32::MAX;
/// What is not known of a page.
const UNKNOWN: u32 = u32::MAX;

/// One section while it is counted.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    pages: u64,
    indexable: u64,
    findings: u64,
    /// 2xx, 3xx, 4xx, 5xx, no answer.
    outcomes: [u64; 5],
    /// One of its URLs.
    url: u32,
}

/// Numbers of a page: words, bytes, time to the first byte, links, depth.
type Numbers = [u32; 5];

struct Counted {
    tallies: Vec<Tally>,
    /// The section of each page, with the page's numbers.
    pages: Vec<(u32, Numbers)>,
    /// By number of URL.
    of_url: Vec<u32>,
}

/// The largest first, 50 at most.
pub(super) fn sections(reader: &Reader, crawl: i64) -> Result<Vec<SectionCard>, StoreError> {
    let mut counted = count(reader, crawl)?;
    count_findings(reader, crawl, &mut counted)?;
    counted.pages.sort_unstable_by_key(|(section, _)| *section);
    let mut largest: Vec<usize> =
        (0..counted.tallies.len()).filter(|at| counted.tallies[*at].pages >= FEWEST).collect();
    largest.sort_by_key(|at| (std::cmp::Reverse(counted.tallies[*at].pages), counted.tallies[*at].url));
    largest.truncate(SHOWN);
    let mut cards = Vec::with_capacity(largest.len());
    for at in largest {
        let tally = counted.tallies[at];
        let from = counted.pages.partition_point(|(section, _)| (*section as usize) < at);
        let to = counted.pages.partition_point(|(section, _)| (*section as usize) <= at);
        let numbers = &counted.pages[from..to];
        let median = |column: usize| median(numbers.iter().map(|(_, numbers)| numbers[column]));
        let url = reader
            .one("SELECT text FROM url WHERE id = ?1", &[i64::from(tally.url).into()], |row| {
                row.text(0).to_owned()
            })?
            .unwrap_or_default();
        let section = section_of(&url);
        let filter = filter(section);
        cards.push(SectionCard {
            pages: tally.pages,
            indexable: tally.indexable,
            findings: tally.findings,
            words: median(0),
            bytes: median(1),
            ttfb_ms: median(2),
            links: median(3),
            depth: median(4),
            outcomes: outcomes(&tally, &filter),
            section: section.to_owned(),
            filter,
        });
    }
    Ok(cards)
}

fn count(reader: &Reader, crawl: i64) -> Result<Counted, StoreError> {
    let mut counted = Counted { tallies: Vec::new(), pages: Vec::new(), of_url: Vec::new() };
    let mut known: HashMap<u64, u32> = HashMap::new();
    let (first, last) = store::key_range(crawl);
    reader.rows(
        "SELECT v.key & 4294967295, u.text, v.state, a.status, p.indexability, d.word_count, a.bytes, a.ttfb_ms, m.outlinks + m.external_outlinks, v.depth
         FROM visit v CROSS JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN answer a ON a.key = v.key LEFT JOIN page p ON p.key = v.key
         LEFT JOIN document d ON d.id = p.document LEFT JOIN metric m ON m.key = v.key
         WHERE v.key BETWEEN ?1 AND ?2 AND v.internal AND v.state IN (1, 2)",
        &[first.into(), last.into()],
        &mut |row| {
            let url = row.int(0) as u32;
            let hash = fingerprint(section_of(row.text(1)).as_bytes());
            let next = counted.tallies.len();
            let section = match known.get(&hash) {
                Some(section) => *section,
                None if next < TOLD_APART => {
                    counted.tallies.push(Tally { url, ..Tally::default() });
                    known.insert(hash, next as u32);
                    next as u32
                }
                None => return true,
            };
            let failed = row.int(2) == i64::from(UrlState::Failed.code());
            let status = row.opt_int(3).filter(|_| !failed);
            let tally = &mut counted.tallies[section as usize];
            let outcome = match status {
                Some(200..=299) => Some(0),
                Some(300..=399) => Some(1),
                Some(400..=499) => Some(2),
                Some(500..=599) => Some(3),
                None if failed => Some(4),
                _ => None,
            };
            if let Some(outcome) = outcome {
                tally.outcomes[outcome] += 1;
            }
            if counted.of_url.len() <= url as usize {
                counted.of_url.resize(url as usize + 1, NONE);
            }
            counted.of_url[url as usize] = section;
            if let (Some(indexability), Some(0)) = (row.opt_int(4), outcome) {
                tally.pages += 1;
                tally.indexable += u64::from(indexability == i64::from(Indexability::Indexable.code()));
                let numbers = [5, 6, 7, 8, 9].map(|column| {
                    row.opt_int(column).and_then(|number| u32::try_from(number).ok()).unwrap_or(UNKNOWN)
                });
                counted.pages.push((section, numbers));
            }
            true
        },
    )?;
    Ok(counted)
}

/// Issues and warnings, those left out that somebody decided may stay.
fn count_findings(reader: &Reader, crawl: i64, counted: &mut Counted) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT f.url FROM audit n CROSS JOIN finding f ON f.crawl = ?1 AND f.audit = n.id
         WHERE n.severity IN ('issue', 'warning') AND {}",
        audit::not_ignored_sql("f")
    );
    reader.rows(&sql, &[crawl.into()], &mut |row| {
        let section = usize::try_from(row.int(0)).ok().and_then(|url| counted.of_url.get(url)).copied();
        if let Some(section) = section.filter(|section| *section != NONE) {
            counted.tallies[section as usize].findings += 1;
        }
        true
    })
}

/// The middle one of those that are known; of two, the smaller.
fn median(numbers: impl Iterator<Item = u32>) -> Option<u64> {
    let mut known: Vec<u32> = numbers.filter(|number| *number != UNKNOWN).collect();
    let middle = known.len().checked_sub(1)? / 2;
    Some(u64::from(*known.select_nth_unstable(middle).1))
}

/// The URLs of a section, in the tables of URLs and of pages.
fn filter(section: &str) -> Filter {
    let at_the_root = section.len() == origin_of(section).len() + 1;
    if at_the_root { directly_in(section) } else { begins("url", section) }
}

fn outcomes(tally: &Tally, section: &Filter) -> Vec<Bar> {
    let internal = || equals("internal", 1);
    let class = |from: i64| vec![at_least("status", from), below("status", from + 100)];
    let parts = [
        ("2xx", Tone::Good, class(200)),
        ("3xx", Tone::Redirect, class(300)),
        ("4xx", Tone::Bad, class(400)),
        ("5xx", Tone::Bad, class(500)),
        ("No answer", Tone::Bad, vec![is("state", "failed"), empty("status")]),
    ];
    parts
        .into_iter()
        .zip(tally.outcomes)
        .filter(|(_, count)| *count > 0)
        .map(|((label, tone, conditions), count)| {
            let conditions = [vec![section.clone(), internal()], conditions].concat();
            Bar { label: label.to_owned(), count, filter: all(conditions), tone }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_one_of_the_numbers() {
        let check = |numbers: &[u32], expect: Option<u64>| {
            assert_eq!(median(numbers.iter().copied()), expect, "{numbers:?}");
        };
        check(&[], None);
        check(&[UNKNOWN], None);
        check(&[5], Some(5));
        check(&[9, 1], Some(1));
        check(&[9, UNKNOWN, 1, 4], Some(4));
    }
}
