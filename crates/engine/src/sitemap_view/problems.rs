//! What is wrong with sitemaps, with the place.

use super::dto::SitemapError;
use std::collections::HashMap;
use store::{Reader, StoreError};

pub(super) fn by_file(reader: &Reader, crawl: i64) -> Result<HashMap<i64, Vec<SitemapError>>, StoreError> {
    let mut problems: HashMap<i64, Vec<SitemapError>> = HashMap::new();
    let sql = "SELECT s.id, b.code, b.line, b.column, b.detail FROM sitemap s CROSS JOIN sitemap_problem b ON b.sitemap = s.id
               WHERE s.crawl = ?1 ORDER BY s.id, b.n";
    reader.rows(sql, &[crawl.into()], &mut |row| {
        let place = |column: usize| u32::try_from(row.int(column)).unwrap_or_default();
        problems.entry(row.int(0)).or_default().push(SitemapError {
            code: row.text(1).to_owned(),
            line: place(2),
            column: place(3),
            text: row.text(4).to_owned(),
        });
        true
    })?;
    Ok(problems)
}

/// A line of the text in which files of version 1 hold them: `xml-error (line 3, column 7): the document ends early`.
pub(super) fn from_text(line: &str) -> SitemapError {
    let (head, text) = line.split_once(": ").unwrap_or(("", line));
    let place = head.split_once(" (line ").and_then(|(code, rest)| {
        let (line, column) = rest.strip_suffix(')')?.split_once(", column ")?;
        Some((code, line.parse().ok()?, column.parse().ok()?))
    });
    let (code, line, column) = place.unwrap_or((head, 0, 0));
    SitemapError { code: code.to_owned(), line, column, text: text.to_owned() }
}
