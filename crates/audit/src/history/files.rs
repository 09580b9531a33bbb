//! What differs in robots.txt and in sitemaps.

use super::compare::{Changes, Sides};
use model::ChangeKind;
use store::{LISTED_SQL, StoreError, Writer};

pub(super) fn compare(
    writer: &mut Writer,
    sides: &Sides<'_>,
    changes: &mut Changes,
) -> Result<(), StoreError> {
    robots(writer, sides, changes)?;
    entries(writer, sides, changes)?;
    counts(writer, sides, changes)
}

/// Files whose text is another one, or whose state is (missing, unreachable, read).
fn robots(writer: &mut Writer, sides: &Sides<'_>, changes: &mut Changes) -> Result<(), StoreError> {
    let mut differing = Vec::new();
    writer.rows(
        "SELECT h.origin, a.state, b.state, CAST(a.body AS TEXT), CAST(b.body AS TEXT) FROM robots a JOIN robots b ON b.crawl = ?2 AND b.host = a.host
         JOIN host h ON h.id = a.host
         WHERE a.crawl = ?1 AND (a.state <> b.state OR a.body IS NOT b.body) AND EXISTS (SELECT 1 FROM visit v WHERE v.key BETWEEN ?2 << 32 AND (?2 << 32) | 4294967295 AND v.host = a.host AND v.internal)
         ORDER BY h.origin",
        &[sides.earlier.into(), sides.later.into()],
        &mut |row| {
            // What a file says is shown as it is; a file that could not be read says what became of it.
            let side = |state: usize, body: usize| match row.opt_text(body) {
                Some(text) if row.text(state) == "ok" => text.to_owned(),
                _ => format!("({})", row.text(state)),
            };
            differing.push((format!("{}/robots.txt", row.text(0)), side(1, 3), side(2, 4)));
            Ok(())
        },
    )?;
    for (url, before, after) in differing {
        let url = i64::from(writer.intern(&url)?);
        changes.add(writer, ChangeKind::RobotsTxt, url, Some(before), Some(after))?;
    }
    Ok(())
}

/// URLs that sitemaps list only now, or not any more. Where one of the crawls read no sitemap at all, or one of its sitemaps could
/// not be read, what is missing says nothing.
fn entries(writer: &mut Writer, sides: &Sides<'_>, changes: &mut Changes) -> Result<(), StoreError> {
    if !read_sitemaps(writer, sides.earlier)? || !read_sitemaps(writer, sides.later)? {
        return Ok(());
    }
    writer.batch(
        "DROP TABLE IF EXISTS temp.listed_before; DROP TABLE IF EXISTS temp.listed_after;
         CREATE TEMP TABLE listed_before(url INTEGER PRIMARY KEY); CREATE TEMP TABLE listed_after(url INTEGER PRIMARY KEY)",
    )?;
    for (table, crawl) in [("listed_before", sides.earlier), ("listed_after", sides.later)] {
        writer.run(&format!("INSERT OR IGNORE INTO temp.{table} {LISTED_SQL}"), &[crawl.into()])?;
    }
    if sides.is_mapped() {
        writer.batch(
            "UPDATE OR IGNORE temp.listed_before SET url = k.later FROM temp.later_url k WHERE k.earlier = temp.listed_before.url",
        )?;
    }
    for (kind, sql) in [
        (
            ChangeKind::SitemapAdded,
            "SELECT url FROM temp.listed_after EXCEPT SELECT url FROM temp.listed_before",
        ),
        (
            ChangeKind::SitemapDropped,
            "SELECT url FROM temp.listed_before EXCEPT SELECT url FROM temp.listed_after",
        ),
    ] {
        let mut urls = Vec::new();
        writer.rows(sql, &[], &mut |row| {
            urls.push(row.int(0));
            Ok(())
        })?;
        for url in urls {
            changes.add(writer, kind, url, None, None)?;
        }
    }
    writer.batch("DROP TABLE temp.listed_before; DROP TABLE temp.listed_after")
}

/// Whether a crawl has sitemaps, and all of them were read whole.
fn read_sitemaps(writer: &mut Writer, crawl: i64) -> Result<bool, StoreError> {
    let mut read = false;
    writer.rows(
        "SELECT count(*) > 0 AND sum(error IS NOT NULL OR truncated OR status IS NOT 200) = 0 FROM sitemap WHERE crawl = ?1",
        &[crawl.into()],
        &mut |row| {
            read = row.int(0) != 0;
            Ok(())
        },
    )?;
    Ok(read)
}

/// Sitemaps that both crawls read and that list more or fewer URLs than before.
fn counts(writer: &mut Writer, sides: &Sides<'_>, changes: &mut Changes) -> Result<(), StoreError> {
    let mut differing = Vec::new();
    writer.rows(
        "SELECT a.url, a.entries, b.entries FROM sitemap a JOIN sitemap b ON b.crawl = ?2 AND b.url = a.url
         WHERE a.crawl = ?1 AND a.entries <> b.entries AND a.status = 200 AND b.status = 200 AND a.error IS NULL AND b.error IS NULL AND NOT b.truncated AND NOT a.truncated
         GROUP BY a.url ORDER BY a.url",
        &[sides.earlier.into(), sides.later.into()],
        &mut |row| {
            differing.push((row.text(0).to_owned(), row.int(1).to_string(), row.int(2).to_string()));
            Ok(())
        },
    )?;
    for (url, before, after) in differing {
        let url = i64::from(writer.intern(&url)?);
        changes.add(writer, ChangeKind::SitemapCount, url, Some(before), Some(after))?;
    }
    Ok(())
}
