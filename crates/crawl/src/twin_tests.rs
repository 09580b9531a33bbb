//! Whenever a twin of the start host is found out to belong to the site, the crawl ends the same: a site whose links go back
//! and forth between two names is crawled many times, and the second name joins it at another moment each time.

use crate::depth::relax;
use crate::frontier::{Frontier, NO_DEPTH};
use crate::lanes::{Job, Lanes};
use crate::made_up::{Dice, SEED, answered, link, plan, project};
use model::{LinkKind, Purpose, UrlState};
use std::collections::{BTreeMap, HashMap};

const BARE: &str = "http://site.test";
const WWW: &str = "http://www.site.test";
const PAGES: usize = 40;

/// Every third page has the other name.
fn url(page: usize) -> String {
    format!("{}/{page}", if page % 3 == 1 { WWW } else { BARE })
}

/// State, wish and depth of every URL met. The twin joins before the answer of this number.
fn crawled(
    site: &[Vec<usize>],
    said: &[(&str, &str)],
    order: u64,
    joins_at: usize,
) -> BTreeMap<usize, (UrlState, Purpose, Option<u16>)> {
    let plan = plan(&url(0), said);
    let mut writer = project();
    let mut dice = Dice(order);
    let mut frontier = Frontier::new(1, &plan, Lanes::new(4, 4));
    let hosts = [BARE, WWW].map(|origin| (origin, writer.host(origin).unwrap()));
    let host_of = |page: usize| hosts[usize::from(page % 3 == 1)];
    let start = writer.intern(&url(0)).unwrap();
    let mut pages = HashMap::from([(start, 0)]);
    frontier.admit(&mut writer, start, hosts[0].1, &url(0), true, SEED).unwrap();
    let mut out: Vec<Job> = Vec::new();
    let (mut answers, mut joined) = (0, false);
    loop {
        if answers == joins_at && !joined {
            joined = true;
            assert!(frontier.scope.adopt_twin(BARE, WWW));
            frontier.scope_grew();
            frontier.adopt_host(&mut writer, hosts[1].1).unwrap();
        }
        while let Some(job) = frontier.next_job(&writer).unwrap() {
            out.push(job);
        }
        if out.is_empty() {
            relax(&mut frontier, &mut writer).unwrap();
            match frontier.next_job(&writer).unwrap() {
                Some(job) => out.push(job),
                None if joined => break,
                // The last word about the twin comes when everything else is done.
                None => {
                    answers = joins_at;
                    continue;
                }
            }
        }
        let job = out.swap_remove(dice.below(out.len()));
        answers += 1;
        let page = pages[&job.url];
        let is_read = job.internal && job.purpose == Purpose::Crawl;
        let mut rows = Vec::new();
        for target in site[page].iter().filter(|_| is_read) {
            let (origin, host) = host_of(*target);
            let target_url = writer.intern(&url(*target)).unwrap();
            pages.insert(target_url, *target);
            let internal = frontier.is_internal(host, origin);
            let wish = frontier.wish(LinkKind::Anchor, internal, false, Purpose::Crawl);
            let reach = frontier.reach(job.url, LinkKind::Anchor, wish);
            frontier.admit(&mut writer, target_url, host, &url(*target), internal, reach).unwrap();
            rows.push(link(&mut writer, LinkKind::Anchor, false, target_url));
        }
        answered(&mut writer, job.url, &rows);
        frontier.settle(&mut writer, job.url, job.host, UrlState::Fetched, None, !is_read).unwrap();
    }
    let mut ends = BTreeMap::new();
    writer
        .visits(1, &mut |visit| {
            assert!(visit.internal && visit.depth != Some(NO_DEPTH));
            ends.insert(pages[&visit.url], (visit.state, visit.purpose, visit.depth));
        })
        .unwrap();
    ends
}

#[test]
fn the_moment_at_which_a_twin_joins_does_not_matter() {
    for (name, said) in [("no limit", &[][..]), ("a limit of depth", &[("limits.max_depth", "3")])] {
        for seed in 1..=12u64 {
            let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let site: Vec<Vec<usize>> =
                (0..PAGES).map(|_| (0..dice.below(5)).map(|_| dice.below(PAGES)).collect()).collect();
            let first = crawled(&site, said, 1, 0);
            for (n, joins_at) in [1, 2, 5, 9, 20, 1_000].into_iter().enumerate() {
                let other =
                    crawled(&site, said, (n as u64 + 2).wrapping_mul(0xD134_2543_DE82_EF95), joins_at);
                assert_eq!(first, other, "{name}: site {seed}, joined at {joins_at}");
            }
        }
    }
}
