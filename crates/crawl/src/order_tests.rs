//! Whatever order answers come in, a crawl ends the same: a site of random links is crawled many times, each time with
//! its answers in another order, and every URL has to end with the same state, wish, depth and hops.

use crate::depth::relax;
use crate::frontier::{Frontier, NO_DEPTH};
use crate::lanes::{Job, Lanes};
use crate::made_up::{Dice, SEED, answered, link, plan, project};
use model::{LinkKind, Plan, Purpose, UrlState};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Links of each page: kind, nofollow, target. A page whose only link is a redirect is a redirect.
type Site = Vec<Vec<(LinkKind, bool, usize)>>;

fn site(seed: u64, pages: usize) -> Site {
    let mut dice = Dice(seed);
    (0..pages)
        .map(|_| {
            if dice.below(5) == 0 {
                return vec![(LinkKind::Redirect, false, dice.below(pages))];
            }
            (0..dice.below(5))
                .map(|_| {
                    let kinds = [
                        LinkKind::Anchor,
                        LinkKind::Anchor,
                        LinkKind::Image,
                        LinkKind::Canonical,
                        LinkKind::Form,
                    ];
                    (kinds[dice.below(kinds.len())], dice.below(4) == 0, dice.below(pages))
                })
                .collect()
        })
        .collect()
}

fn url(page: usize) -> String {
    format!("http://site.test/{page}")
}

/// State, wish, depth and hops of every URL met, after a crawl whose answers came in the order of `order`.
fn crawled(site: &Site, plan: &Plan, order: u64) -> BTreeMap<usize, (UrlState, Purpose, Option<u16>, u8)> {
    let mut writer = project();
    let mut dice = Dice(order);
    let mut frontier = Frontier::new(1, plan, Lanes::new(4, 4));
    let mut pages: HashMap<u32, usize> = HashMap::new();
    let start = writer.intern(&url(0)).unwrap();
    pages.insert(start, 0);
    let host = writer.host("http://site.test").unwrap();
    frontier.admit(&mut writer, start, host, &url(0), true, SEED).unwrap();
    let mut out: Vec<Job> = Vec::new();
    let mut read: HashSet<u32> = HashSet::new();
    loop {
        while let Some(job) = frontier.next_job(&writer).unwrap() {
            assert!(
                out.iter().all(|other| other.url != job.url),
                "{} was handed out twice at once",
                job.text
            );
            out.push(job);
        }
        if out.is_empty() {
            relax(&mut frontier, &mut writer).unwrap();
            match frontier.next_job(&writer).unwrap() {
                Some(job) => out.push(job),
                None => break,
            }
        }
        let job = out.swap_remove(dice.below(out.len()));
        let links = &site[pages[&job.url]];
        let redirects = links.first().is_some_and(|link| link.0 == LinkKind::Redirect);
        let is_read = redirects || job.purpose == Purpose::Crawl;
        if is_read {
            assert!(read.insert(job.url), "{} was read twice", job.text);
        }
        let source = frontier.cell(job.url).redirect_wish();
        let mut rows = Vec::new();
        for (kind, nofollow, target) in links.iter().filter(|_| is_read) {
            let target_url = writer.intern(&url(*target)).unwrap();
            pages.insert(target_url, *target);
            let wish = frontier.wish(*kind, true, *nofollow, source);
            let reach = frontier.reach(job.url, *kind, wish);
            frontier.admit(&mut writer, target_url, host, &url(*target), true, reach).unwrap();
            rows.push(link(&mut writer, *kind, *nofollow, target_url));
        }
        answered(&mut writer, job.url, &rows);
        let unread = !is_read;
        frontier.settle(&mut writer, job.url, host, UrlState::Fetched, None, unread).unwrap();
    }
    assert_eq!(frontier.lanes.outstanding(), 0);
    let mut ends = BTreeMap::new();
    let mut counts = [0u64; 7];
    writer
        .visits(1, &mut |visit| {
            counts[visit.state as usize] += 1;
            assert!(visit.depth != Some(NO_DEPTH));
            ends.insert(pages[&visit.url], (visit.state, visit.purpose, visit.depth, visit.hops));
        })
        .unwrap();
    assert_eq!(counts, frontier.counts, "the numbers reconcile with the rows");
    ends
}

#[test]
fn the_order_of_answers_does_not_matter() {
    for (name, said) in [
        ("no limit", &[][..]),
        ("a limit of depth", &[("limits.max_depth", "2")]),
        ("few redirects", &[("fetch.redirects", "1")]),
        ("nofollow respected", &[("links.respect_nofollow", "true"), ("limits.max_depth", "3")]),
        ("some pages left out", &[("scope.rules", "[\"exclude /1\"]")]),
    ] {
        let plan = plan(&url(0), said);
        for seed in 1..=10u64 {
            let site = site(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15), 40);
            let first = crawled(&site, &plan, 1);
            for order in 2..=5u64 {
                let other = crawled(&site, &plan, order.wrapping_mul(0xD134_2543_DE82_EF95));
                assert_eq!(first, other, "{name}: site {seed}, order {order}");
            }
        }
    }
}

#[test]
fn depths_are_shortest_paths() {
    let plan = plan(&url(0), &[]);
    for seed in 1..=40u64 {
        let site = site(seed.wrapping_mul(0xA076_1D64_78BD_642F), 30);
        let ends = crawled(&site, &plan, seed);
        // Plain breadth-first search over the links that are followed; a redirect costs nothing.
        let mut depth = vec![u16::MAX; site.len()];
        depth[0] = 0;
        for _ in 0..site.len() {
            for (page, links) in site.iter().enumerate().filter(|(page, _)| ends.contains_key(page)) {
                if depth[page] == u16::MAX || ends[&page].1 != Purpose::Crawl {
                    continue;
                }
                for (kind, _, target) in links {
                    let step = match kind {
                        LinkKind::Redirect => 0,
                        LinkKind::Anchor | LinkKind::Canonical => 1,
                        _ => continue,
                    };
                    depth[*target] = depth[*target].min(depth[page] + step);
                }
            }
        }
        for (page, (_, purpose, found, _)) in &ends {
            if *purpose == Purpose::Crawl {
                assert_eq!(*found, Some(depth[*page]), "site {seed}, page {page}");
            }
        }
    }
}
