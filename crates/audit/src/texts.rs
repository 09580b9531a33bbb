//! What is derived from the texts of a crawl before rules read it: clusters of near duplicates, pages that are thin for their
//! section, titles that lack what the others end with. One scan over the pages feeds all three.

use crate::audit::{Audit, Scope};
use crate::compile;
use crate::evaluate::EvaluateError;
use crate::limits::Limits;
use crate::links;
use crate::near_duplicates::{self, Noted, Pages};
use crate::sections::Sections;
use crate::title_patterns::Titles;
use crate::view;
use store::{StoreError, Value, Writer, key_range};

/// Audits whose rules read what is derived here, with thresholds of theirs put in.
pub(crate) fn is_read_by(audit: &Audit) -> bool {
    matches!(audit.id, "content-near-duplicate" | "content-thin-for-section" | "title-pattern-outlier")
}

/// Derives the tables `near_duplicate`, `thin_page` and `title_outlier` of a crawl anew. `watch` is told how many of how many steps
/// are done.
pub(crate) fn derive(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    watch: &mut dyn FnMut(u64, u64) -> Result<(), EvaluateError>,
) -> Result<(), EvaluateError> {
    let (first, last) = key_range(crawl);
    near_duplicates::clear(writer, crawl)?;
    for table in ["thin_page", "title_outlier"] {
        writer
            .run(&format!("DELETE FROM {table} WHERE key BETWEEN ?1 AND ?2"), &[first.into(), last.into()])?;
    }
    let mut pages = Pages::with_capacity(count_of_texts(writer, crawl)?);
    let (mut sections, mut titles) = (Sections::default(), Titles::default());
    let sql = format!(
        "SELECT url_id, url, depth, text_hash, document_id, word_count, title, lang, main_hash, main_signature FROM {} WHERE key BETWEEN ?1 AND ?2 AND {}",
        view::crawl_rows(),
        compile::condition(Scope::Indexable.condition().unwrap_or("0"), limits)
    );
    let of = u64::from(writer.known_urls());
    for (from, to) in links::ranges(writer, crawl) {
        watch((from - first) as u64, of)?;
        writer.rows(&sql, &[from.into(), to.into()], &mut |row| {
            let (url, address) = (row.int(0), row.text(1));
            sections.note(url, address, row.int(5));
            titles.note(url, address, row.text(6), row.text(7));
            if !matches!(row.value(9), Value::Null) {
                pages.note(&Noted {
                    url,
                    address,
                    depth: row.opt_int(2),
                    text: row.int(3),
                    document: row.int(4),
                    main: row.int(8),
                    signature: row.blob(9),
                });
            }
            Ok(())
        })?;
    }
    sections.compare(writer, crawl, limits)?;
    titles.compare(writer, crawl, limits)?;
    pages.compare(writer, crawl, limits, watch)
}

/// At most so many texts can be compared.
fn count_of_texts(writer: &mut Writer, crawl: i64) -> Result<usize, StoreError> {
    let (first, last) = key_range(crawl);
    let mut count = 0;
    writer.rows(
        "SELECT count(*) FROM page p CROSS JOIN main_text m ON m.document = p.document WHERE p.key BETWEEN ?1 AND ?2 AND p.indexability = 1",
        &[first.into(), last.into()],
        &mut |row| {
            count = row.int(0);
            Ok(())
        },
    )?;
    Ok(usize::try_from(count).unwrap_or_default())
}
