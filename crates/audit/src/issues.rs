//! The view `v_issues`: findings with evidence that is put together when it is read.

use crate::audit::{Audit, Escalation};
use crate::catalogue::catalogue;
use crate::view;

/// The `CREATE VIEW` statement of `v_issues`: crawl, audit, family, severity, priority, url, evidence (a JSON object), life,
/// ignored, segments.
///
/// A filter on crawl and audit becomes a range of the findings' key, and joins whose columns are not asked for are left out,
/// so counting reads the findings alone.
pub fn issues_view_sql() -> String {
    let (severity, priority) = weight();
    format!(
        "CREATE VIEW v_issues AS SELECT crawl, audit, family, {severity} AS severity, {priority} AS priority, url, {} AS evidence, life, ignored, {} AS segments FROM {}",
        evidence(),
        store::views::segments_sql("url_id"),
        view::finding_rows()
    )
}

/// The `CREATE VIEW` statement of `v_templates`: findings about links and elements by the place in the markup and where the link
/// leads, or what is wrong; crawl, audit, element, value, pages, findings, example.
///
/// Ignored findings are not counted. A filter on crawl and audit becomes a range of the findings' key.
pub fn templates_view_sql() -> String {
    let ignored = crate::ignored::ignored_sql("f", "n.name");
    format!(
        "CREATE VIEW v_templates AS SELECT c.id AS crawl, n.name AS audit, coalesce(s.element, e.value) AS element,
         coalesce(t.text, h.value, nullif(w.detail, '')) AS value, count(DISTINCT f.url) AS pages, count(*) AS findings, min(u.text) AS example
         FROM crawl c CROSS JOIN audit n CROSS JOIN finding f ON f.crawl = c.id AND f.audit = n.id CROSS JOIN url u ON u.id = f.url
         LEFT JOIN link l ON l.id = nullif(max(f.ref, 0), 0) LEFT JOIN link_shape s ON s.id = l.shape LEFT JOIN url t ON t.id = l.target
         LEFT JOIN string h ON h.id = l.href >> 2 LEFT JOIN page p ON f.ref < 0 AND p.key = (f.crawl << 32) | f.url
         LEFT JOIN flaw w ON w.document = p.document AND w.n = -f.ref - 1 LEFT JOIN string e ON e.id = w.element
         WHERE (l.id IS NOT NULL OR w.n IS NOT NULL) AND NOT {ignored} GROUP BY c.id, n.name, 3, 4"
    )
}

/// A query for the findings of one URL: audit, severity, priority, evidence, whether it is ignored, where it points. ?1 is the
/// crawl, ?2 the URL's number.
///
/// The view, which has the URL's text only, would read all findings of the crawl for it.
pub fn findings_of_url_sql() -> String {
    let (severity, priority) = weight();
    format!(
        "SELECT audit, {severity} AS severity, {priority} AS priority, {} AS evidence, ignored, link FROM {}",
        evidence(),
        view::finding_rows_of_url()
    )
}

/// A query for what the findings of one audit weigh: number of the URL, severity, priority, in the order of the URLs' numbers;
/// those that are ignored are left out. ?1 is the crawl, ?2 the audit's id. Without evidence, so that it stays quick where findings are many.
pub fn finding_weights_sql() -> String {
    let (severity, priority) = weight();
    format!(
        "SELECT url_id, {severity} AS severity, {priority} AS priority FROM {} WHERE crawl = ?1 AND audit = ?2 AND NOT ignored ORDER BY url_id",
        view::finding_rows()
    )
}

fn weight() -> (String, String) {
    (
        format!(
            "coalesce(said_severity, {})",
            escalated("severity", |escalation| escalation.severity.word())
        ),
        format!(
            "coalesce(said_priority, {})",
            escalated("priority", |escalation| escalation.priority.word())
        ),
    )
}

/// A column that escalations may change.
fn escalated(column: &str, word: impl Fn(&Escalation) -> &'static str) -> String {
    let changed: String = catalogue()
        .iter()
        .filter_map(|audit| audit.escalation.as_ref().map(|escalation| (audit, escalation)))
        .map(|(audit, escalation)| {
            format!(
                " WHEN audit = '{}' AND ({}) THEN '{}'",
                audit.id,
                with_thresholds(audit, escalation.when),
                word(escalation)
            )
        })
        .collect();
    if changed.is_empty() { column.to_owned() } else { format!("CASE{changed} ELSE {column} END") }
}

/// A condition with the thresholds that the findings were evaluated with.
fn with_thresholds(audit: &Audit, sql: &str) -> String {
    audit.thresholds.iter().fold(sql.to_owned(), |sql, threshold| {
        sql.replace(
            &format!("{{{}}}", threshold.name),
            &format!("json_extract(thresholds, '$.{}')", threshold.name),
        )
    })
}

/// Audits with the same evidence share a branch.
fn evidence() -> String {
    let mut branches: Vec<(&'static [(&'static str, &'static str)], Vec<String>)> = Vec::new();
    for audit in catalogue() {
        let quoted = format!("'{}'", audit.id);
        match branches.iter_mut().find(|(evidence, _)| *evidence == audit.evidence) {
            Some((_, ids)) => ids.push(quoted),
            None => branches.push((audit.evidence, vec![quoted])),
        }
    }
    let branches: String = branches
        .iter()
        .map(|(evidence, ids)| {
            let pairs: Vec<String> = evidence.iter().map(|(name, sql)| format!("'{name}', {sql}")).collect();
            format!(" WHEN audit IN ({}) THEN json_object({})", ids.join(", "), pairs.join(", "))
        })
        .collect();
    // What an audit of a person's own found is stored with the finding.
    format!("CASE{branches} ELSE coalesce(own_evidence, '{{}}') END")
}
