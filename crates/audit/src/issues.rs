//! The view `v_issues`: findings with evidence that is put together when it is read.

use crate::audit::{Audit, Escalation};
use crate::catalogue::catalogue;
use crate::view;

/// The `CREATE VIEW` statement of `v_issues`: crawl, audit, family, severity, priority, url, evidence (a JSON object), life,
/// ignored.
///
/// A filter on crawl and audit becomes a range of the findings' key, and joins whose columns are not asked for are left out,
/// so counting reads the findings alone.
pub fn issues_view_sql() -> String {
    let severity = escalated("severity", |escalation| escalation.severity.word());
    let priority = escalated("priority", |escalation| escalation.priority.word());
    format!(
        "CREATE VIEW v_issues AS SELECT crawl, audit, family, {severity} AS severity, {priority} AS priority, url, {} AS evidence, 'open' AS life, 0 AS ignored FROM {}",
        evidence(),
        view::finding_rows()
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
    format!("CASE{branches} ELSE '{{}}' END")
}
