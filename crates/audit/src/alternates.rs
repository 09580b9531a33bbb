//! What pages and sitemaps say of alternates in other languages and of the pages before and after: kept in a table for as long as
//! an evaluation lasts, since it is asked from both ends.

use crate::audit::Rule;
use crate::findings::{Findings, place};
use model::{LinkKind, Position};
use std::collections::HashMap;
use store::{StoreError, Value, Writer};

/// Kind: 1 hreflang, 2 next, 3 prev. Place: 1 head, 2 body, 3 header, 4 sitemap. Target: 0 where it is no URL that is known. Ref:
/// where a finding about it points. Code: lower case.
const TABLE: &str = "CREATE TEMP TABLE IF NOT EXISTS alternate(url INTEGER NOT NULL, kind INTEGER NOT NULL, target INTEGER NOT NULL, ref INTEGER NOT NULL,
  place INTEGER NOT NULL, code TEXT NOT NULL, PRIMARY KEY(url, kind, target, ref, code)) WITHOUT ROWID";

/// One link of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alternate {
    pub(crate) url: i64,
    pub(crate) link: i64,
    pub(crate) relation: Relation,
    pub(crate) target: Option<i64>,
    /// Id of its text, which is the language code.
    pub(crate) text: Option<i64>,
}

/// What links of a shape say of their page, if anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Relation {
    /// 0 for other links.
    pub(crate) kind: u8,
    place: u8,
}

impl Relation {
    pub(crate) fn of(kind: Option<LinkKind>, position: i64) -> Self {
        let kind = match kind {
            Some(LinkKind::Hreflang) => 1,
            Some(LinkKind::Next) => 2,
            Some(LinkKind::Prev) => 3,
            _ => 0,
        };
        let place = if position == i64::from(Position::Head.code()) {
            1
        } else if position == i64::from(Position::Http.code()) {
            3
        } else {
            2
        };
        Self { kind, place }
    }
}

/// Makes the table, empty.
pub(crate) fn prepare(writer: &mut Writer) -> Result<(), StoreError> {
    writer.batch(TABLE)?;
    writer.batch("DELETE FROM temp.alternate")
}

/// Adds links of pages.
pub(crate) fn add(writer: &mut Writer, found: &mut Vec<Alternate>) -> Result<(), StoreError> {
    for one in found.drain(..) {
        writer.run(
            "INSERT OR IGNORE INTO temp.alternate(url, kind, target, ref, place, code) VALUES(?1, ?2, ?3, ?4, ?5, coalesce((SELECT lower(trim(value)) FROM string WHERE id = ?6), ''))",
            &[
                one.url.into(),
                i64::from(one.relation.kind).into(),
                one.target.unwrap_or_default().into(),
                one.link.into(),
                i64::from(one.relation.place).into(),
                one.text.map_or(Value::Null, Value::Int),
            ],
        )?;
    }
    Ok(())
}

/// Entries of sitemaps that are read at once.
const CHUNK: i64 = 8_192;

/// Adds what the crawl's sitemaps say of languages.
pub(crate) fn add_sitemaps(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    let mut sitemaps = Vec::new();
    writer.rows("SELECT id FROM sitemap WHERE crawl = ?1 ORDER BY id", &[crawl.into()], &mut |row| {
        sitemaps.push(row.int(0));
        Ok(())
    })?;
    for sitemap in sitemaps {
        let mut from = 0;
        loop {
            let (mut found, mut last) = (Vec::new(), None);
            writer.rows(
                "SELECT x.n, e.url, x.code, x.href FROM sitemap_hreflang x CROSS JOIN sitemap_entry e ON e.sitemap = x.sitemap AND e.n = x.n
                 WHERE x.sitemap = ?1 AND x.n BETWEEN ?2 AND ?3 AND e.url IS NOT NULL",
                &[sitemap.into(), from.into(), (from + CHUNK - 1).into()],
                &mut |row| {
                    found.push((row.int(0), row.int(1), row.text(2).trim().to_ascii_lowercase(), row.text(3).trim().to_owned()));
                    Ok(())
                },
            )?;
            for (n, url, code, href) in found {
                let target = model::Address::parse(&href)
                    .ok()
                    .and_then(|address| writer.find_url(writer.seed().url(address.as_str())));
                writer.run(
                    "INSERT OR IGNORE INTO temp.alternate(url, kind, target, ref, place, code) VALUES(?1, 1, ?2, ?3, 4, ?4)",
                    &[
                        url.into(),
                        i64::from(target.unwrap_or_default()).into(),
                        place::entry(sitemap, n).into(),
                        Value::Text(code),
                    ],
                )?;
            }
            writer.rows(
                "SELECT min(n) FROM sitemap_hreflang WHERE sitemap = ?1 AND n >= ?2",
                &[sitemap.into(), (from + CHUNK).into()],
                &mut |row| {
                    last = row.opt_int(0);
                    Ok(())
                },
            )?;
            let Some(next) = last else { break };
            from = next;
        }
    }
    Ok(())
}

/// Asks the rule about series that lead back to where they were: one finding for each page of the circle, at its next link.
pub(crate) fn judge_circles(writer: &mut Writer, found: &mut Findings) -> Result<(), StoreError> {
    let mut circles_of = None;
    for (index, audit) in found.chosen().audits() {
        if matches!(audit.rule, Rule::Circle) {
            circles_of = Some(index);
        }
    }
    let Some(audit) = circles_of else {
        return Ok(());
    };
    // The next page of each, and the link; where there are several the first counts.
    let mut next: HashMap<u32, (u32, i64)> = HashMap::new();
    writer.rows(
        "SELECT url, target, ref FROM temp.alternate WHERE kind = 2 AND target > 0 ORDER BY url, ref DESC",
        &[],
        &mut |row| {
            next.insert(row.int(0) as u32, (row.int(1) as u32, row.int(2)));
            Ok(())
        },
    )?;
    for (url, link) in circles(&next) {
        found.add(writer, audit, i64::from(url), link)?;
    }
    Ok(())
}

/// The pages that a way of next pages comes back to, with their links, in order.
fn circles(next: &HashMap<u32, (u32, i64)>) -> Vec<(u32, i64)> {
    // In which walk a page was met.
    let mut met: HashMap<u32, u32> = HashMap::with_capacity(next.len());
    let mut starts: Vec<u32> = next.keys().copied().collect();
    starts.sort_unstable();
    let mut found = Vec::new();
    for start in starts {
        let mut at = start;
        loop {
            if let Some(walk) = met.get(&at) {
                if *walk == start {
                    let mut member = at;
                    while let Some((to, link)) = next.get(&member) {
                        found.push((member, *link));
                        member = *to;
                        if member == at {
                            break;
                        }
                    }
                }
                break;
            }
            met.insert(at, start);
            let Some((to, _)) = next.get(&at) else { break };
            at = *to;
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_what_a_way_comes_back_to() {
        let check = |ways: &[(u32, u32)], expect: &[u32]| {
            let next = ways.iter().map(|(from, to)| (*from, (*to, i64::from(*from)))).collect();
            let found: Vec<u32> = circles(&next).into_iter().map(|(url, _)| url).collect();
            assert_eq!(found, expect, "{ways:?}");
        };
        check(&[(1, 2), (2, 3), (3, 4)], &[]);
        check(&[(1, 2), (2, 3), (3, 2)], &[2, 3]);
        check(&[(5, 5)], &[5]);
        check(&[(1, 2), (3, 2), (2, 4), (4, 2), (6, 7), (7, 6)], &[2, 4, 6, 7]);
    }
}
