//! robots.txt as the project file holds it.

use super::dto::RobotsHop;
use super::terms::Answered;
use robots::RobotsTxt;
use std::collections::HashMap;
use store::{Reader, Row, StoreError, Value, key_range};

/// One origin's answer.
pub(super) struct Stored {
    /// The project's number of the origin.
    pub(super) host: i64,
    pub(super) origin: String,
    pub(super) name: String,
    pub(super) internal: bool,
    pub(super) state: String,
    pub(super) status: Option<u16>,
    pub(super) final_url: Option<String>,
    pub(super) hops: u8,
    /// ISO 8601 UTC.
    pub(super) fetched: String,
    pub(super) error: Option<String>,
    /// There was more of it than is read.
    pub(super) too_large: bool,
    pub(super) body: Vec<u8>,
    chain: Option<String>,
}

/// An origin's place in the list.
pub(super) struct Rank {
    pub(super) host: i64,
    pub(super) blocked: u64,
    internal: bool,
    name: String,
}

/// Whether an origin is of the site: as the crawl told it, or, before it has, whether it starts there.
const INTERNAL: &str = "coalesce(t.internal, substr(c.start_url, 1, length(h.origin) + 1) = h.origin || '/')";

/// The origins asked, the site's own first, then those that blocked most, then by name.
pub(super) fn ranked(reader: &Reader, crawl: i64) -> Result<Vec<Rank>, StoreError> {
    let mut blocked: HashMap<i64, u64> = HashMap::new();
    let (first, last) = key_range(crawl);
    let sql = "SELECT host, count(*) FROM visit WHERE key BETWEEN ?1 AND ?2 AND state = 3 GROUP BY host";
    reader.rows(sql, &[first.into(), last.into()], &mut |row| {
        blocked.insert(row.int(0), row.int(1) as u64);
        true
    })?;
    let sql = format!(
        "SELECT r.host, h.name, {INTERNAL} FROM robots r CROSS JOIN crawl c ON c.id = r.crawl CROSS JOIN host h ON h.id = r.host
         LEFT JOIN host_traffic t ON t.crawl = r.crawl AND t.host = r.host WHERE r.crawl = ?1"
    );
    let mut ranked = Vec::new();
    reader.rows(&sql, &[crawl.into()], &mut |row| {
        ranked.push(Rank {
            host: row.int(0),
            blocked: blocked.get(&row.int(0)).copied().unwrap_or_default(),
            internal: row.int(2) != 0,
            name: row.text(1).to_owned(),
        });
        true
    })?;
    ranked.sort_by(|a, b| {
        (b.internal, b.blocked).cmp(&(a.internal, a.blocked)).then_with(|| a.name.cmp(&b.name))
    });
    Ok(ranked)
}

/// URLs of the crawl that an origin's file blocked.
pub(super) fn blocked(reader: &Reader, crawl: i64, host: i64) -> Result<u64, StoreError> {
    let (first, last) = key_range(crawl);
    let sql = "SELECT count(*) FROM visit WHERE key BETWEEN ?1 AND ?2 AND host = ?3 AND state = 3";
    let count = reader.one(sql, &[first.into(), last.into(), host.into()], |row| row.int(0))?;
    Ok(count.unwrap_or_default() as u64)
}

/// The answer of an origin, by its text.
pub(super) fn find(reader: &Reader, crawl: i64, origin: &str) -> Result<Option<Stored>, StoreError> {
    one(reader, "h.origin = ?2", crawl, origin.into())
}

/// The answer of an origin, by its number.
pub(super) fn load(reader: &Reader, crawl: i64, host: i64) -> Result<Option<Stored>, StoreError> {
    one(reader, "r.host = ?2", crawl, host.into())
}

fn one(reader: &Reader, which: &str, crawl: i64, value: Value) -> Result<Option<Stored>, StoreError> {
    let fetched = store::views::iso_sql("r.fetched");
    let sql = format!(
        "SELECT r.host, h.origin, h.name, {INTERNAL}, r.state, r.status, r.final_url, r.hops, {fetched}, CASE WHEN r.state <> 'ok' THEN r.error END, r.flags & 1, r.body, r.chain
         FROM robots r CROSS JOIN crawl c ON c.id = r.crawl CROSS JOIN host h ON h.id = r.host
         LEFT JOIN host_traffic t ON t.crawl = r.crawl AND t.host = r.host WHERE r.crawl = ?1 AND {which}"
    );
    reader.one(&sql, &[crawl.into(), value], read)
}

fn read(row: &Row) -> Stored {
    let text = |column: usize| row.opt_text(column).map(str::to_owned);
    Stored {
        host: row.int(0),
        origin: row.text(1).to_owned(),
        name: row.text(2).to_owned(),
        internal: row.int(3) != 0,
        state: row.text(4).to_owned(),
        status: row.opt_int(5).and_then(|status| u16::try_from(status).ok()),
        final_url: text(6),
        hops: u8::try_from(row.int(7)).unwrap_or(u8::MAX),
        fetched: row.text(8).to_owned(),
        error: text(9),
        too_large: row.int(10) != 0,
        body: row.blob(11).to_vec(),
        chain: text(12),
    }
}

impl Stored {
    pub(super) fn answered(&self) -> Answered<'_> {
        Answered {
            state: &self.state,
            status: self.status,
            error: self.error.as_deref(),
            internal: self.internal,
        }
    }

    /// The rules: those of the file, and none where the answer was no file.
    pub(super) fn file(&self) -> RobotsTxt {
        if self.state == "ok" { RobotsTxt::parse(&self.body) } else { RobotsTxt::allow_all() }
    }

    /// The file for reading: UTF-16 is decoded, which a crawler would not do.
    pub(super) fn text(&self) -> String {
        let (read, rest): (fn([u8; 2]) -> u16, &[u8]) = match self.body.as_slice() {
            [0xFF, 0xFE, rest @ ..] => (u16::from_le_bytes, rest),
            [0xFE, 0xFF, rest @ ..] => (u16::from_be_bytes, rest),
            bytes => return String::from_utf8_lossy(bytes).into_owned(),
        };
        let units = rest.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }

    pub(super) fn redirects(&self) -> Vec<RobotsHop> {
        let hop = |line: &str| {
            let (status, url) = line.split_once(' ')?;
            Some(RobotsHop { status: status.parse().ok()?, url: url.to_owned() })
        };
        self.chain.as_deref().unwrap_or_default().lines().filter_map(hop).collect()
    }
}
