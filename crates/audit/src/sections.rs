//! Pages with far less text than the others of their section.
//!
//! A section is the first folder of a host, or the second where nearly all of the host is in one first folder, as where languages
//! have folders. Its front page, the later pages of lists and what a query asks for are other kinds of pages. 24 bytes a page.

use crate::findings::Inserts;
use crate::limits::Limits;
use crate::series;
use model::address::origin_of;
use model::hash::fingerprint;
use std::collections::HashMap;
use store::{StoreError, Value, Writer};

/// Share of a host's pages in folders, in percent, with which a folder is no section but holds them.
const HOLDS_ALL: usize = 80;
/// The median of a normal distribution's absolute deviations is this part of its standard deviation, and the mean of them that
/// (Iglewicz and Hoaglin, “How to Detect and Handle Outliers”, 1993).
const MEDIAN_DEVIATION: f64 = 0.6745;
const MEAN_DEVIATION: f64 = 1.253_314;

/// Pages as they are met.
#[derive(Default)]
pub(crate) struct Sections {
    pages: Vec<Page>,
    /// Number and pages of each host, by its hash.
    hosts: HashMap<u64, (u16, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Page {
    /// Hash of the address of the first folder.
    first: u64,
    /// Of the second; 0 where the page is in none.
    second: u32,
    words: u32,
    url: u32,
    host: u16,
}

/// The addresses of the first and of the second folder that a page is in.
fn folders(address: &str) -> Option<(&str, Option<&str>)> {
    if address.contains('?') || series::place(address).is_none_or(|(_, number)| number > 1) {
        return None;
    }
    let address = address.trim_end_matches('/');
    let end = |from: usize| address.get(from..)?.find('/').map(|at| from + at);
    let first = end(origin_of(address).len() + 1)?;
    let second = end(first + 1);
    Some((&address[..first], second.map(|second| &address[..second])))
}

impl Sections {
    pub(crate) fn note(&mut self, url: i64, address: &str, words: i64) {
        let Some((first, second)) = folders(address) else { return };
        let next = u16::try_from(self.hosts.len()).unwrap_or(u16::MAX);
        let host = self.hosts.entry(fingerprint(origin_of(address).as_bytes())).or_insert((next, 0));
        host.1 += 1;
        self.pages.push(Page {
            first: fingerprint(first.as_bytes()),
            second: second.map_or(0, |second| fingerprint(second.as_bytes()) as u32 | 1),
            words: u32::try_from(words).unwrap_or_default(),
            url: url as u32,
            host: host.0,
        });
    }

    /// Writes the table `thin_page` of a crawl.
    pub(crate) fn compare(
        mut self,
        writer: &mut Writer,
        crawl: i64,
        limits: &Limits,
    ) -> Result<(), StoreError> {
        self.pages.sort_unstable();
        let mut of_hosts = vec![0; self.hosts.len()];
        for (number, pages) in self.hosts.values() {
            if let Some(known) = of_hosts.get_mut(usize::from(*number)) {
                *known += pages;
            }
        }
        let mut inserts = Inserts::new("INSERT INTO thin_page(key, section, pages, median, z)", 5);
        for folder in self.pages.chunk_by(|a, b| a.first == b.first) {
            let of_host = of_hosts.get(usize::from(folder[0].host)).copied().unwrap_or_default();
            let holds_all = folder.len() * 100 >= of_host * HOLDS_ALL;
            if holds_all && folder[0].second != folder[folder.len() - 1].second {
                for section in folder.chunk_by(|a, b| a.second == b.second) {
                    judge(writer, crawl, limits, section, section[0].second != 0, &mut inserts)?;
                }
            } else {
                judge(writer, crawl, limits, folder, false, &mut inserts)?;
            }
        }
        inserts.finish(writer)
    }
}

fn judge(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    section: &[Page],
    by_second: bool,
    inserts: &mut Inserts,
) -> Result<(), StoreError> {
    if (section.len() as f64) < limits.get("section_pages_least") {
        return Ok(());
    }
    let spread = Spread::of(section.iter().map(|page| page.words).collect());
    for page in section {
        let z = spread.z(page.words);
        let words = f64::from(page.words);
        if z > -limits.get("section_z_least")
            || words * 100.0 >= spread.median * limits.get("section_words_share")
        {
            continue;
        }
        let address = writer.url_text(page.url)?;
        let Some((first, second)) = folders(&address) else { continue };
        let name = if by_second { second.unwrap_or(first) } else { first };
        inserts.add_cells(
            writer,
            [
                store::key(crawl, page.url).into(),
                Value::Text(format!("{name}/")),
                (section.len() as i64).into(),
                (spread.median as i64).into(),
                Value::Real((z * 10.0).round() / 10.0),
            ],
        )?;
    }
    Ok(())
}

/// The middle of some numbers, and how far they lie from it.
struct Spread {
    median: f64,
    /// As a standard deviation; 0 where all are the same.
    deviation: f64,
}

impl Spread {
    fn of(mut numbers: Vec<u32>) -> Self {
        let middle = median(&mut numbers);
        let mut distances: Vec<u32> =
            numbers.iter().map(|number| (f64::from(*number) - middle).abs() as u32).collect();
        let mean = distances.iter().copied().map(f64::from).sum::<f64>() / distances.len().max(1) as f64;
        let of_median = median(&mut distances) / MEDIAN_DEVIATION;
        // More than half of them are the same.
        let deviation = if of_median > 0.0 { of_median } else { mean * MEAN_DEVIATION };
        Self { median: middle, deviation }
    }

    fn z(&self, number: u32) -> f64 {
        if self.deviation > 0.0 { (f64::from(number) - self.median) / self.deviation } else { 0.0 }
    }
}

fn median(numbers: &mut [u32]) -> f64 {
    numbers.sort_unstable();
    let middle = numbers.len() / 2;
    match numbers.get(middle) {
        None => 0.0,
        Some(upper) if numbers.len() % 2 == 1 => f64::from(*upper),
        Some(upper) => f64::midpoint(f64::from(numbers[middle - 1]), f64::from(*upper)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_in_folders() {
        let check = |address: &str, expect: Option<(&str, Option<&str>)>| {
            assert_eq!(folders(address), expect, "{address}");
        };
        check("https://h.test/", None);
        check("https://h.test/about", None);
        check("https://h.test/blog/", None);
        check("https://h.test/blog/a", Some(("https://h.test/blog", None)));
        check("https://h.test/blog/a/", Some(("https://h.test/blog", None)));
        check("https://h.test/en/blog/", Some(("https://h.test/en", None)));
        check("https://h.test/en/blog/a/b", Some(("https://h.test/en", Some("https://h.test/en/blog"))));
        check("https://h.test/blog/page/2/", None);
        check("https://h.test/blog/a?b", None);
    }

    #[test]
    fn spread_does_not_mind_a_few_that_lie_far_off() {
        let check = |numbers: &[u32], number: u32, expect: std::ops::Range<f64>| {
            let z = Spread::of(numbers.to_vec()).z(number);
            assert!(expect.contains(&z), "{z} for {number} of {numbers:?}");
        };
        check(&[500, 510, 490, 505, 495, 500, 502, 20], 20, -100.0..-50.0);
        check(&[500, 500, 500, 500, 500, 500, 500, 100], 100, -7.0..-6.0);
        check(&[100, 300, 500, 700, 900, 1_100, 1_300, 1_500], 100, -1.5..-1.0);
        check(&[500; 8], 500, 0.0..0.1);
        assert_eq!(median(&mut [4, 1, 3, 2]), 2.5);
        assert_eq!(median(&mut []), 0.0);
    }
}
