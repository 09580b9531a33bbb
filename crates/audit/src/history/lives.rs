//! The lives of findings: open, fixed, held, regressed.
//!
//! A finding is known again by its audit and its URL: elements move, links get other numbers. What has been open all the time
//! is not stored. A crawl says something about a finding only where it read the URL and judged by the same rule with the same
//! thresholds; else the finding keeps the state that it had, and is told as not looked at again.

use crate::audit::Scope;
use crate::catalogue;
use crate::history::compare::Extent;
use model::Life;
use model::state::UNVERIFIABLE_STATUSES;
use store::{RECHECK, StoreError, Writer, key_range};

/// Writes what became of findings by this crawl and by those after it, of which it is the history.
pub(crate) fn derive(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    let mut later = Vec::new();
    writer.rows(
        "SELECT id FROM crawl WHERE id >= ?1 AND (id = ?1 OR state = 'finished') ORDER BY id",
        &[crawl.into()],
        &mut |row| {
            later.push(row.int(0));
            Ok(())
        },
    )?;
    for crawl in later {
        derive_one(writer, crawl)?;
    }
    Ok(())
}

fn derive_one(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    writer.run("DELETE FROM life WHERE crawl = ?1", &[crawl.into()])?;
    let Some(before) = previous(writer, crawl)? else { return Ok(()) };
    writer.batch(
        "DROP TABLE IF EXISTS temp.known;
         CREATE TEMP TABLE known(audit INTEGER NOT NULL, url INTEGER NOT NULL, state INTEGER NOT NULL, absent INTEGER NOT NULL,
           judged INTEGER NOT NULL, PRIMARY KEY(audit, url)) WITHOUT ROWID",
    )?;
    writer.run(
        "INSERT INTO temp.known SELECT audit, url, state, absent, judged FROM life WHERE crawl = ?1",
        &[before.into()],
    )?;
    writer.run(
        "INSERT OR IGNORE INTO temp.known SELECT audit, url, 0, 0, ?1 FROM finding WHERE crawl = ?1 AND audit NOT IN (SELECT id FROM audit WHERE family IN ('change', 'custom')) GROUP BY audit, url",
        &[before.into()],
    )?;
    if let Some(extent) = Extent::of(writer, crawl)? {
        writer.run(&step_sql(crawl, &extent), &[crawl.into()])?;
    }
    writer.batch("DROP TABLE temp.known")
}

/// The crawl whose findings are the history of this one: the one before it that came to its end.
pub(crate) fn previous(writer: &mut Writer, crawl: i64) -> Result<Option<i64>, StoreError> {
    let mut found = None;
    writer.rows(
        "SELECT max(id) FROM crawl WHERE id < ?1 AND state = 'finished'",
        &[crawl.into()],
        &mut |row| {
            found = row.opt_int(0);
            Ok(())
        },
    )?;
    Ok(found)
}

/// From what was known to what is known now. ?1 is the crawl.
///
/// Of what is open, the findings themselves tell; of what is regressed, too, but not that it is.
fn step_sql(crawl: i64, extent: &Extent) -> String {
    let (open, fixed, held, regressed) =
        (Life::Open.code(), Life::Fixed.code(), Life::Held.code(), Life::Regressed.code());
    let (base, _) = key_range(crawl);
    let unverifiable = UNVERIFIABLE_STATUSES.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    let about_answers = quoted(|scope| matches!(scope, Scope::Internal | Scope::External | Scope::Redirect));
    let about_pages =
        quoted(|scope| matches!(scope, Scope::Page | Scope::Content | Scope::Indexable | Scope::Link));
    let about_met = quoted(|scope| matches!(scope, Scope::Met | Scope::Blocked));
    let whole = i64::from(extent.whole);
    let job = extent.job.as_str();
    // A crawl that looked again at single findings says what became of these, and of no others.
    let again = if job == RECHECK {
        "EXISTS (SELECT 1 FROM recheck_finding g WHERE g.crawl = ?1 AND g.audit = n.name AND g.url = k.url)
         AND NOT EXISTS (SELECT 1 FROM recheck_finding g WHERE g.crawl = ?1 AND g.audit = n.name AND g.url = k.url AND g.result <> 'fixed')"
    } else {
        "1"
    };
    // What is told of a host is looked for wherever the host was asked anything.
    let judged = format!(
        "(e.audit IS NOT NULL AND o.version = e.version AND o.thresholds = e.thresholds AND {again} AND CASE
           WHEN n.name IN ({about_pages}) THEN v.state = 1 AND a.status < 500 AND a.status NOT IN ({unverifiable})
           WHEN n.name IN ({about_answers}) THEN v.state = 2 OR (v.state = 1 AND coalesce(a.status, 200) NOT IN ({unverifiable}))
           WHEN n.name IN ({about_met}) THEN v.key IS NOT NULL OR {whole}
           ELSE EXISTS (SELECT 1 FROM url h CROSS JOIN host_traffic t ON t.crawl = ?1 AND t.host = h.host WHERE h.id = k.url) END)"
    );
    format!(
        "WITH seen AS (SELECT k.audit, k.url, k.state, k.absent, k.judged,
             EXISTS (SELECT 1 FROM finding f WHERE f.crawl = ?1 AND f.audit = k.audit AND f.url = k.url) AS found, coalesce({judged}, 0) AS looked
           FROM temp.known k CROSS JOIN audit n ON n.id = k.audit
           LEFT JOIN evaluation e ON e.crawl = ?1 AND e.audit = k.audit LEFT JOIN evaluation o ON o.crawl = k.judged AND o.audit = k.audit
           LEFT JOIN visit v ON v.key = {base} + k.url LEFT JOIN answer a ON a.key = v.key)
         INSERT INTO life(crawl, audit, url, state, absent, judged)
         SELECT ?1, audit, url,
           CASE WHEN found THEN {regressed} WHEN NOT looked THEN state WHEN absent >= 1 THEN {held} ELSE {fixed} END,
           CASE WHEN found THEN 0 WHEN looked THEN absent + 1 ELSE absent END,
           CASE WHEN found OR looked THEN ?1 ELSE judged END
         FROM seen WHERE NOT found OR state <> {open}"
    )
}

fn quoted(holds: fn(Scope) -> bool) -> String {
    let ids: Vec<String> = catalogue::catalogue()
        .iter()
        .filter(|audit| holds(audit.scope))
        .map(|audit| format!("'{}'", audit.id))
        .collect();
    ids.join(", ")
}
