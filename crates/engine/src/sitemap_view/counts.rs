//! What became of the entries of sitemaps, counted in the project file.

use std::collections::HashMap;
use store::{LISTED_SQL, Reader, StoreError, key_range};

/// Entries of one file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) in_crawl: u64,
    pub(super) indexable: u64,
    pub(super) other_hosts: u64,
    pub(super) malformed: u64,
}

pub(super) fn by_file(reader: &Reader, crawl: i64) -> Result<HashMap<i64, Counts>, StoreError> {
    let mut counts: HashMap<i64, Counts> = HashMap::new();
    let sql = "SELECT s.id, count(v.key), total(p.indexability = 1), total(v.internal = 0), total(e.url IS NULL)
               FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id LEFT JOIN visit v ON v.key = (s.crawl << 32) | e.url
               LEFT JOIN page p ON p.key = v.key WHERE s.crawl = ?1 AND s.kind <> 'index' GROUP BY s.id";
    reader.rows(sql, &[crawl.into()], &mut |row| {
        let of = |column: usize| row.int(column).max(0) as u64;
        let counted = Counts { in_crawl: of(1), indexable: of(2), other_hosts: of(3), malformed: of(4) };
        counts.insert(row.int(0), counted);
        true
    })?;
    // An index names sitemaps: those that were read are its part of the crawl.
    let sql = "SELECT parent, count(*) FROM sitemap WHERE crawl = ?1 AND parent IS NOT NULL AND status BETWEEN 200 AND 299 GROUP BY parent";
    reader.rows(sql, &[crawl.into()], &mut |row| {
        counts.entry(row.int(0)).or_default().in_crawl = row.int(1).max(0) as u64;
        true
    })?;
    let sql = "SELECT s.id, e.raw FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id WHERE s.crawl = ?1 AND s.kind = 'index'";
    reader.rows(sql, &[crawl.into()], &mut |row| {
        let malformed = model::Address::parse(row.text(1)).is_err();
        counts.entry(row.int(0)).or_default().malformed += u64::from(malformed);
        true
    })?;
    Ok(counts)
}

/// Different URLs that some sitemap lists and the crawl met.
pub(super) fn in_crawl(reader: &Reader, crawl: i64) -> Result<u64, StoreError> {
    let sql = format!(
        "SELECT count(DISTINCT l.url) FROM ({LISTED_SQL}) l CROSS JOIN visit v ON v.key = (?1 << 32) | l.url"
    );
    count(reader, &sql, crawl)
}

/// Indexable pages of the site that no sitemap lists.
pub(super) fn unlisted(reader: &Reader, crawl: i64) -> Result<u64, StoreError> {
    let (first, last) = key_range(crawl);
    let sql = format!(
        "SELECT count(*) FROM page p CROSS JOIN visit v ON v.key = p.key WHERE p.key BETWEEN {first} AND {last} AND p.indexability = 1 AND v.internal
           AND p.key & 4294967295 NOT IN ({LISTED_SQL})"
    );
    count(reader, &sql, crawl)
}

fn count(reader: &Reader, sql: &str, crawl: i64) -> Result<u64, StoreError> {
    Ok(reader.one(sql, &[crawl.into()], |row| row.int(0).max(0) as u64)?.unwrap_or_default())
}
