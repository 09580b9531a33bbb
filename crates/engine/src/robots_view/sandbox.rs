//! What another robots.txt would do to the URLs that a crawl met: one pass over them, exact counts, bounded rows.

use super::dto::{RobotsSandbox, SandboxRow};
use super::given_up;
use robots::Group;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use store::{Cancel, Reader, StoreError, key_range};

/// Rows kept of each kind.
const ROWS: usize = 500;

/// URLs between two looks at whether to go on.
const TURN: u64 = 512;

/// Decides about every URL of a host by the rules `now` and by those `before`. Where it is given up, what it gives is of no use.
pub(super) fn run(
    reader: &Reader,
    crawl: i64,
    host: i64,
    (now, before): (&Group, &Group),
    cancel: &Cancel,
) -> Result<RobotsSandbox, StoreError> {
    let mut counts = Counts::default();
    let (mut blocked, mut allowed, mut still) = (Top::default(), Top::default(), Top::default());
    let (first, last) = key_range(crawl);
    let sql = "SELECT v.key, u.text, m.inlinks FROM visit v CROSS JOIN url u ON u.id = v.key & 4294967295
               LEFT JOIN metric m ON m.key = v.key WHERE v.key BETWEEN ?1 AND ?2 AND v.host = ?3";
    let read = reader.rows(sql, &[first.into(), last.into(), host.into()], &mut |row| {
        counts.checked += 1;
        if counts.checked.is_multiple_of(TURN) && cancel.is_cancelled() {
            return false;
        }
        let url = row.text(1);
        let inlinks = row.int(2).max(0) as u64;
        match (now.allows(url), before.allows(url)) {
            (true, true) => {}
            (false, true) => {
                counts.newly_blocked += 1;
                blocked.offer(inlinks, row.int(0), url);
            }
            (true, false) => {
                counts.newly_allowed += 1;
                allowed.offer(inlinks, row.int(0), url);
            }
            (false, false) => {
                counts.still_blocked += 1;
                still.offer(inlinks, row.int(0), url);
            }
        }
        true
    });
    given_up(cancel, read)?;
    let rows = [blocked, allowed, still].into_iter().flat_map(Top::sorted);
    Ok(RobotsSandbox {
        checked: counts.checked,
        blocked: counts.newly_blocked + counts.still_blocked,
        newly_blocked: counts.newly_blocked,
        newly_allowed: counts.newly_allowed,
        rows: rows.map(|kept| explained(kept, now, before)).collect(),
        problems: Vec::new(),
        took_ms: 0,
    })
}

#[derive(Default)]
struct Counts {
    checked: u64,
    newly_blocked: u64,
    newly_allowed: u64,
    still_blocked: u64,
}

/// A URL with its weight: most inlinks first, then the one that was met first.
type Kept = (u64, Reverse<i64>, Box<str>);

/// The heaviest URLs of one kind.
#[derive(Default)]
struct Top(BinaryHeap<Reverse<Kept>>);

impl Top {
    fn offer(&mut self, inlinks: u64, key: i64, url: &str) {
        if self.0.len() == ROWS {
            let lighter = |Reverse(least): &Reverse<Kept>| (least.0, least.1) < (inlinks, Reverse(key));
            if !self.0.peek().is_some_and(lighter) {
                return;
            }
            self.0.pop();
        }
        self.0.push(Reverse((inlinks, Reverse(key), url.into())));
    }

    fn sorted(self) -> Vec<Kept> {
        self.0.into_sorted_vec().into_iter().map(|Reverse(kept)| kept).collect()
    }
}

fn explained((inlinks, Reverse(key), url): Kept, now: &Group, before: &Group) -> SandboxRow {
    let decision = now.decide(&url);
    SandboxRow {
        key,
        allowed: decision.allowed,
        before: before.allows(&url),
        line: decision.line.as_ref().map(|line| line.number),
        rule: decision.line.map(|line| line.to_string()),
        inlinks,
        url: url.into(),
    }
}
