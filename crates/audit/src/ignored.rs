//! Findings that a person does not want to be told of: which they are, and what is left to count.
//!
//! Nothing is ever deleted for it. The table `ignored` says what is meant; `ignored_finding` says which findings of the crawls
//! that are, and is made from it when either changes. Whether a row still holds is asked when it is read, so an expiry needs
//! nobody to wake up for it.

use crate::audit::{Rule, Text};
use crate::catalogue::find;
use crate::findings::Inserts;
use model::segment::{Segment, SegmentRules};
use store::{StoreError, Value, Writer};

/// That a row `g` of `ignored` still holds.
const HOLDS: &str = "(g.until IS NULL OR g.until > CURRENT_DATE)";

/// Whether a finding `f` (alias) of the audit with this name (SQL) is ignored: 0 or 1, as an SQL expression.
pub(crate) fn ignored_sql(finding: &str, audit_name: &str) -> String {
    format!(
        "(EXISTS (SELECT 1 FROM ignored g WHERE g.audit = {audit_name} AND g.kind = 'audit' AND {HOLDS}) \
         OR EXISTS (SELECT 1 FROM ignored_finding x CROSS JOIN ignored g ON g.id = x.ignored WHERE x.crawl = {finding}.crawl \
         AND x.audit = {finding}.audit AND x.url = {finding}.url AND x.ref = {finding}.ref AND {HOLDS}))"
    )
}

/// That a finding `f` (alias) counts, as an SQL condition.
pub fn not_ignored_sql(finding: &str) -> String {
    format!(
        "NOT {}",
        ignored_sql(finding, &format!("(SELECT n.name FROM audit n WHERE n.id = {finding}.audit)"))
    )
}

/// A query for the number of a crawl's findings that are ignored, of one audit or of all: ?1 is the crawl, ?2 the audit's name or
/// NULL. Reads what is ignored, not the findings.
pub fn ignored_count_sql() -> String {
    let whole =
        format!("EXISTS (SELECT 1 FROM ignored g WHERE g.audit = n.name AND g.kind = 'audit' AND {HOLDS})");
    format!(
        "SELECT coalesce(sum(CASE WHEN {whole} THEN coalesce((SELECT e.findings FROM evaluation e WHERE e.crawl = ?1 AND e.audit = n.id), \
           (SELECT count(*) FROM finding f WHERE f.crawl = ?1 AND f.audit = n.id))
         ELSE (SELECT count(*) FROM ignored_finding x CROSS JOIN ignored g ON g.id = x.ignored WHERE x.crawl = ?1 AND x.audit = n.id AND {HOLDS}) END), 0)
         FROM audit n WHERE n.name IN (SELECT g.audit FROM ignored g) AND (?2 IS NULL OR n.name = ?2)"
    )
}

/// A query for the number of a crawl's findings that are issues and count, by what each audit weighs as a whole: ?1 is the crawl.
pub fn issue_count_sql() -> String {
    let whole =
        format!("EXISTS (SELECT 1 FROM ignored g WHERE g.audit = n.name AND g.kind = 'audit' AND {HOLDS})");
    format!(
        "SELECT coalesce(sum(e.findings - (SELECT count(*) FROM ignored_finding x CROSS JOIN ignored g ON g.id = x.ignored
           WHERE x.crawl = ?1 AND x.audit = n.id AND {HOLDS})), 0)
         FROM evaluation e JOIN audit n ON n.id = e.audit LEFT JOIN audit_override o ON o.audit = n.name
         WHERE e.crawl = ?1 AND coalesce(o.severity, n.severity) = 'issue' AND NOT {whole}"
    )
}

/// A query for the findings and the URLs of one audit that count: ?1 is the crawl, ?2 the audit's name.
pub fn counts_sql() -> String {
    format!(
        "SELECT count(*), count(DISTINCT f.url) FROM finding f WHERE f.crawl = ?1 AND f.audit = (SELECT id FROM audit WHERE name = ?2) AND {}",
        not_ignored_sql("f")
    )
}

/// One row of `ignored`, but for those about whole audits.
struct Entry {
    id: i64,
    kind: String,
    subject: String,
    target: Option<String>,
}

/// Makes `ignored_finding` anew for a crawl, or all of them, and for an audit, or all of them. Runs in the transaction that is
/// open.
pub fn mark_ignored(writer: &mut Writer, crawl: Option<i64>, audit: Option<&str>) -> Result<(), StoreError> {
    let mut crawls: Vec<i64> = crawl.into_iter().collect();
    if crawl.is_none() {
        writer.rows("SELECT id FROM crawl", &[], &mut |row| {
            crawls.push(row.int(0));
            Ok(())
        })?;
    }
    let mut audits: Vec<(i64, String)> = Vec::new();
    writer.rows(
        "SELECT id, name FROM audit WHERE ?1 IS NULL OR name = ?1",
        &[audit.map_or(Value::Null, Value::from)],
        &mut |row| {
            audits.push((row.int(0), row.text(1).to_owned()));
            Ok(())
        },
    )?;
    for (id, name) in audits {
        let entries = entries(writer, &name)?;
        for crawl in &crawls {
            writer.run(
                "DELETE FROM ignored_finding WHERE crawl = ?1 AND audit = ?2",
                &[(*crawl).into(), id.into()],
            )?;
            for entry in &entries {
                mark(writer, *crawl, id, &name, entry)?;
            }
        }
    }
    Ok(())
}

/// Those that last longest come first: of several that mean a finding, the first is kept with it.
fn entries(writer: &mut Writer, audit: &str) -> Result<Vec<Entry>, StoreError> {
    let mut entries = Vec::new();
    writer.rows(
        "SELECT id, kind, coalesce(subject, ''), target FROM ignored WHERE audit = ?1 AND kind <> 'audit' ORDER BY until IS NOT NULL, until DESC, id",
        &[audit.into()],
        &mut |row| {
            entries.push(Entry {
                id: row.int(0),
                kind: row.text(1).to_owned(),
                subject: row.text(2).to_owned(),
                target: row.opt_text(3).map(str::to_owned),
            });
            Ok(())
        },
    )?;
    Ok(entries)
}

const INSERT: &str = "INSERT OR IGNORE INTO ignored_finding(crawl, audit, url, ref, ignored)";

fn mark(writer: &mut Writer, crawl: i64, audit: i64, name: &str, entry: &Entry) -> Result<(), StoreError> {
    let all = "SELECT f.crawl, f.audit, f.url, f.ref, ?3 FROM finding f";
    let of = "WHERE f.crawl = ?1 AND f.audit = ?2";
    let mut cells: Vec<Value> = vec![crawl.into(), audit.into(), entry.id.into()];
    let sql = match entry.kind.as_str() {
        "url" => {
            let Some(url) = writer.find_url(writer.seed().url(&entry.subject)) else { return Ok(()) };
            cells.push(i64::from(url).into());
            format!("{INSERT} {all} {of} AND f.url = ?4")
        }
        "pattern" => {
            let one = Segment { name: "ignored".to_owned(), patterns: vec![entry.subject.clone()] };
            // A pattern that this version cannot read means nothing; it was checked by the version that took it.
            let Ok(rules) = SegmentRules::new(&[one]) else { return Ok(()) };
            let urls = "SELECT f.url, f.ref, u.text FROM finding f CROSS JOIN url u ON u.id = f.url WHERE f.crawl = ?1 AND f.audit = ?2";
            return mark_those(writer, crawl, audit, entry, urls, &|url| !rules.of(url).is_empty());
        }
        "place" => {
            cells.push(entry.subject.as_str().into());
            cells.push(entry.target.as_deref().map_or(Value::Null, Value::from));
            format!(
                "{INSERT} {all} LEFT JOIN link l ON l.id = nullif(max(f.ref, 0), 0) LEFT JOIN link_shape s ON s.id = l.shape LEFT JOIN url t ON t.id = l.target
                 LEFT JOIN page p ON p.key = (f.crawl << 32) | f.url LEFT JOIN flaw w ON f.ref < 0 AND w.document = p.document AND w.n = -f.ref - 1
                 LEFT JOIN string e ON e.id = w.element {of} AND coalesce(s.element, e.value) IN (?4, 'body>' || ?4, 'html>body>' || ?4) AND (?5 IS NULL OR coalesce(t.text, '') = ?5)"
            )
        }
        "text" => {
            let Some(column) = shared_text(name) else { return Ok(()) };
            let wanted = entry.subject.to_lowercase();
            let texts = format!(
                "SELECT f.url, f.ref, d.{column} FROM finding f CROSS JOIN page p ON p.key = (f.crawl << 32) | f.url
                 CROSS JOIN document d ON d.id = p.document WHERE f.crawl = ?1 AND f.audit = ?2"
            );
            return mark_those(writer, crawl, audit, entry, &texts, &|text| text.to_lowercase() == wanted);
        }
        _ => return Ok(()),
    };
    writer.run(&sql, &cells)?;
    Ok(())
}

/// The findings whose text (third column, after URL and ref) is meant.
fn mark_those(
    writer: &mut Writer,
    crawl: i64,
    audit: i64,
    entry: &Entry,
    sql: &str,
    is_meant: &dyn Fn(&str) -> bool,
) -> Result<(), StoreError> {
    let mut met = Vec::new();
    writer.rows(sql, &[crawl.into(), audit.into()], &mut |row| {
        if is_meant(row.text(2)) {
            met.push([crawl, audit, row.int(0), row.int(1), entry.id]);
        }
        Ok(())
    })?;
    let mut inserts = Inserts::new(INSERT, 5);
    for row in met {
        inserts.add(writer, &row)?;
    }
    inserts.finish(writer)
}

/// The column of the text that an audit measures or compares.
pub fn shared_text(audit: &str) -> Option<&'static str> {
    match find(audit)?.rule {
        Rule::Longer(text, _) | Rule::Shorter(text, _) | Rule::Same(text) => Some(match text {
            // Of equal texts nobody sees more than the title that they share.
            Text::Title | Text::Content => "title",
            Text::Description => "description",
            Text::H1 => "h1",
            Text::H2 => "h2",
        }),
        _ => None,
    }
}
