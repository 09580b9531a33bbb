//! A site in the course of its crawls: what differs between two of them, and what became of findings.

mod compare;
mod document;
mod files;
mod lives;
mod mapping;

pub use compare::{Compared, compare};
pub use mapping::{Mapping, MappingError, Rule as MappingRule};

use crate::audit::Rule;
use crate::compile;
use crate::evaluate::EvaluateError;
use crate::findings::{self, Chosen, Findings, place};
use crate::limits::Limits;
use store::{StoreError, Writer};

/// Compares a crawl with the one before it that its findings about changes are measured by.
pub(crate) fn compare_with_previous(
    writer: &mut Writer,
    crawl: i64,
    watch: &mut dyn FnMut() -> bool,
) -> Result<(), EvaluateError> {
    if let Some(before) = base(writer, crawl)? {
        compare::compare_within(writer, before, crawl, &Mapping::default(), watch)?;
    }
    Ok(())
}

/// The finished crawl before this one that was of the same kind.
fn base(writer: &mut Writer, crawl: i64) -> Result<Option<i64>, StoreError> {
    let mut found = None;
    writer.rows(
        "SELECT (SELECT max(b.id) FROM crawl b WHERE b.id < c.id AND b.state = 'finished' AND b.job = c.job) FROM crawl c WHERE c.id = ?1 AND c.job <> 'recheck'",
        &[crawl.into()],
        &mut |row| {
            found = row.opt_int(0);
            Ok(())
        },
    )?;
    Ok(found)
}

/// The comparison with the crawl before, as an SQL expression over the number of the later.
fn comparison_sql(crawl: &str) -> String {
    format!(
        "(SELECT k.id FROM comparison k WHERE k.later = {crawl} AND k.mapping = '[]' ORDER BY k.earlier DESC LIMIT 1)"
    )
}

/// Asks the rules about changes.
pub(crate) fn judge_changes(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    found: &Findings,
) -> Result<(), StoreError> {
    for (index, audit) in found.chosen().audits() {
        let Rule::Change(kinds, sql) = audit.rule else { continue };
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.code().to_string()).collect();
        let sql = format!(
            "INSERT OR IGNORE INTO {}(crawl, audit, url, ref) SELECT {crawl}, {}, c.url, -{} - c.kind FROM change c
             LEFT JOIN visit v ON v.key = ({crawl} << 32) | c.url WHERE c.comparison = {} AND c.kind IN ({}) AND ({})",
            found.table(),
            found.id(index),
            place::CHANGE,
            comparison_sql(&crawl.to_string()),
            kinds.join(", "),
            compile::condition(sql, limits)
        );
        writer.run(&sql, &[])?;
    }
    Ok(())
}

/// Says what became of the findings of earlier crawls, now that all of this one are there, and finds what is worth telling of it.
/// Gives the number of these findings.
pub(crate) fn settle(writer: &mut Writer, crawl: i64, limits: &Limits) -> Result<i64, StoreError> {
    lives::derive(writer, crawl)?;
    let ids = findings::register(writer)?;
    let found = Findings::aside(crawl, ids, Chosen::those(|_, audit| matches!(audit.rule, Rule::Life(_))));
    let mut findings = 0;
    for (index, audit) in found.chosen().audits() {
        let Rule::Life(sql) = audit.rule else { continue };
        let id = found.id(index);
        writer.run("DELETE FROM finding WHERE crawl = ?1 AND audit = ?2", &[crawl.into(), id.into()])?;
        let sql = format!(
            "INSERT INTO finding(crawl, audit, url, ref) SELECT ?1, ?2, y.url, -{} - y.audit FROM life y WHERE y.crawl = ?1 AND ({})",
            place::LIFE,
            compile::condition(sql, limits)
        );
        findings += writer.run(&sql, &[crawl.into(), id.into()])? as i64;
    }
    let mut known = 0;
    writer.rows("SELECT count(DISTINCT url) FROM life WHERE crawl = ?1", &[crawl.into()], &mut |row| {
        known = row.int(0);
        Ok(())
    })?;
    findings::conclude(writer, crawl, &found, limits, &vec![known; crate::catalogue::catalogue().len()])?;
    Ok(findings)
}

/// The life of a finding `{f}` (alias) that is there: open, or regressed.
pub(crate) fn life_sql(f: &str) -> String {
    format!(
        "coalesce((SELECT {} FROM life y WHERE y.crawl = {f}.crawl AND y.audit = {f}.audit AND y.url = {f}.url AND y.state = {}), '{}')",
        model::Life::sql_case("y.state"),
        model::Life::Regressed.code(),
        model::Life::Open
    )
}

/// Columns for evidence: what a change was and is, and of which audit a life is told.
pub(crate) fn columns() -> Vec<(&'static str, String)> {
    let change = |sql: &str| {
        format!(
            "(SELECT {sql} FROM change c WHERE c.comparison = {} AND c.url = f.url AND c.kind = -f.ref - {})",
            comparison_sql("f.crawl"),
            place::CHANGE
        )
    };
    let life = |sql: &str| {
        format!(
            "(SELECT {sql} FROM life y JOIN audit n ON n.id = y.audit WHERE y.crawl = f.crawl AND y.audit = -f.ref - {} AND y.url = f.url)",
            place::LIFE
        )
    };
    let newly_blocked = format!(
        "(SELECT count(*) FROM change c CROSS JOIN url o ON o.id = c.url AND o.host = u.host WHERE c.comparison = {} AND c.kind = {})",
        comparison_sql("f.crawl"),
        model::ChangeKind::NewlyBlocked.code()
    );
    vec![
        ("change_kind", change(&model::ChangeKind::sql_case("c.kind"))),
        ("change_before", change("substr(c.before, 1, 2000)")),
        ("change_after", change("substr(c.after, 1, 2000)")),
        ("newly_blocked", newly_blocked),
        ("life_audit", life("n.name")),
        ("life_absent", life("y.absent")),
        ("life_judged", life("y.judged")),
    ]
}
