//! Where redirects end: hops, final URL and loop of every URL that redirects.
//!
//! Memory is bounded by the URLs that redirect, and each is walked once however long its chain is.

use crate::findings::Inserts;
use std::collections::HashMap;
use store::{StoreError, Writer, key_range};

/// The end of the chain that begins at a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct End {
    /// Redirects until the final URL; in a loop, until a URL comes again.
    pub hops: u32,
    /// The first URL that does not redirect; in a loop, the first that comes again.
    pub last: u32,
    pub looped: bool,
}

/// Writes the table `chain` of a crawl anew.
pub(crate) fn derive(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    let (first, last) = key_range(crawl);
    let mut next = HashMap::new();
    writer.rows(
        &format!(
            "SELECT a.key & 4294967295, {} FROM answer a WHERE a.key BETWEEN ?1 AND ?2 AND a.redirect IS NOT NULL",
            store::views::redirect_target_sql("a")
        ),
        &[first.into(), last.into()],
        &mut |row| {
            next.insert(row.int(0) as u32, row.int(1) as u32);
            Ok(())
        },
    )?;
    writer.run("DELETE FROM chain WHERE key BETWEEN ?1 AND ?2", &[first.into(), last.into()])?;
    let mut rows: Vec<(u32, End)> = ends(&next).into_iter().collect();
    rows.sort_unstable_by_key(|(url, _)| *url);
    let mut inserts = Inserts::new("INSERT INTO chain(key, hops, final, loop)", 4);
    for (url, end) in rows {
        let row = [store::key(crawl, url), i64::from(end.hops), i64::from(end.last), i64::from(end.looped)];
        inserts.add(writer, &row)?;
    }
    inserts.finish(writer)
}

/// The end of every chain of a map from URL to the URL it redirects to.
pub(crate) fn ends(next: &HashMap<u32, u32>) -> HashMap<u32, End> {
    let mut known: HashMap<u32, End> = HashMap::with_capacity(next.len());
    let mut path: Vec<u32> = Vec::new();
    let mut place: HashMap<u32, usize> = HashMap::new();
    for start in next.keys() {
        path.clear();
        place.clear();
        let mut at = *start;
        // Walk until something is known: a URL that does not redirect, one whose end was found before, or the walk's own path.
        let mut end = loop {
            if let Some(end) = known.get(&at) {
                break *end;
            }
            if let Some(entry) = place.get(&at).copied() {
                let hops = (path.len() - entry) as u32;
                for url in path.drain(entry..) {
                    known.insert(url, End { hops, last: url, looped: true });
                }
                break End { hops, last: at, looped: true };
            }
            let Some(to) = next.get(&at) else { break End { hops: 0, last: at, looped: false } };
            place.insert(at, path.len());
            path.push(at);
            at = *to;
        };
        for url in path.iter().rev() {
            end.hops += 1;
            known.insert(*url, end);
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edges: &[(u32, u32)], expect: &[(u32, u32, u32, bool)]) {
        let next: HashMap<u32, u32> = edges.iter().copied().collect();
        let ends = ends(&next);
        assert_eq!(ends.len(), edges.len(), "{edges:?}");
        for (url, hops, last, looped) in expect {
            assert_eq!(ends[url], End { hops: *hops, last: *last, looped: *looped }, "{url} of {edges:?}");
        }
    }

    #[test]
    fn chains_end_where_nothing_redirects() {
        check(&[(1, 2), (2, 3), (7, 3)], &[(1, 2, 3, false), (2, 1, 3, false), (7, 1, 3, false)]);
        check(&[], &[]);
    }

    #[test]
    fn loops_end_where_a_url_comes_again() {
        check(&[(1, 1)], &[(1, 1, 1, true)]);
        check(
            &[(1, 2), (2, 3), (3, 2), (9, 1)],
            &[(2, 2, 2, true), (3, 2, 3, true), (1, 3, 2, true), (9, 4, 2, true)],
        );
    }

    #[test]
    fn a_very_long_chain_is_walked_once() {
        let edges: Vec<(u32, u32)> = (0..200_000).map(|n| (n, n + 1)).collect();
        check(&edges, &[(0, 200_000, 200_000, false), (199_999, 1, 200_000, false)]);
    }
}
