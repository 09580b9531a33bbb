//! What earlier crawls know of a page that is about to be asked again.

use crate::error::StoreError;
use crate::schema::answer_flags as flag;
use crate::writer::Writer;
use crate::{Row, key};
use model::Validators;

/// A page that an earlier crawl read whole, and whose HTML is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierPage {
    pub crawl: i64,
    /// At least one of them is there.
    pub validators: Validators,
    /// Names lower-cased, in the order they came; values of cookies masked.
    pub headers: Vec<(Box<str>, Box<str>)>,
    /// Bytes of its HTML.
    pub size: u64,
}

impl Writer {
    /// The newest page that a crawl before this one read at a URL with a 200, with an ETag or a Last-Modified, and with no
    /// more than `largest` bytes.
    pub fn earlier_page(
        &self,
        crawl: i64,
        url: u32,
        largest: u64,
    ) -> Result<Option<EarlierPage>, StoreError> {
        // A project has few crawls; in each of them, the page is found by its key.
        const SQL: &str = "SELECT c.id, h.size, a.headers, o.etag, o.last_modified
            FROM crawl c CROSS JOIN answer a ON a.key = (c.id << 32) | ?2 CROSS JOIN page p ON p.key = a.key
            CROSS JOIN document d ON d.id = p.document CROSS JOIN html h ON h.id = d.html LEFT JOIN validator o ON o.key = a.key
            WHERE c.id < ?1 AND a.status = 200 AND a.method = 1 AND a.flags & ?3 = ?4 AND h.size <= ?5 ORDER BY c.id DESC";
        let looked_at = flag::BODY_READ | flag::TRUNCATED | flag::INCOMPLETE | flag::DECODE_ERROR;
        let mut statement = self.connection.prepare_cached(SQL)?;
        let largest = i64::try_from(largest).unwrap_or(i64::MAX);
        let mut rows = statement.query((crawl, url, looked_at, flag::BODY_READ, largest))?;
        while let Some(row) = rows.next()? {
            let row = Row(row);
            let page = read(&row);
            if !page.validators.is_empty() {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    /// Keeps what an answer is known by beside its headers.
    pub(crate) fn put_validators(&self, crawl: i64, url: u32, known: &Validators) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO validator(key, etag, last_modified) VALUES(?1, ?2, ?3)")?
            .execute((key(crawl, url), known.etag.as_deref(), known.last_modified.as_deref()))?;
        Ok(())
    }
}

fn read(row: &Row) -> EarlierPage {
    let headers: Vec<(Box<str>, Box<str>)> = row
        .text(2)
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    let exact = |name: &str, column: usize| -> Option<Box<[u8]>> {
        let (_, text) = headers.iter().find(|(known, _)| &**known == name)?;
        // What stands beside is of this answer only where its text could not say it. A validator that was masked does not
        // stand there: the server never sent what is stored of it.
        let bytes = if is_exact(text) { text.as_bytes() } else { row.blob(column) };
        (!bytes.is_empty()).then(|| bytes.into())
    };
    let validators = Validators { etag: exact("etag", 3), last_modified: exact("last-modified", 4) };
    EarlierPage { crawl: row.int(0), size: row.int(1).unsigned_abs(), validators, headers }
}

/// Whether the text of a header can only have come from the bytes that it stands for: it holds no mark of what was no text,
/// and none of what was left out.
fn is_exact(text: &str) -> bool {
    !text.contains([char::REPLACEMENT_CHARACTER, '…'])
}

/// What of an answer's validators the stored text of its headers cannot say byte for byte; `None` where it says all. Those of
/// which the project must not keep all are to be taken out before.
pub fn beyond_text(known: &Validators) -> Option<Validators> {
    let odd = |bytes: &Option<Box<[u8]>>| {
        bytes.as_ref().filter(|bytes| !is_exact(&String::from_utf8_lossy(bytes))).cloned()
    };
    let odd = Validators { etag: odd(&known.etag), last_modified: odd(&known.last_modified) };
    (!odd.is_empty()).then_some(odd)
}
