//! Audits that a person wrote: a question in SQL over the documented views, whose rows are findings.
//!
//! The statement runs on a connection of its own that may only read, for as long as a setting says, and for so many rows; what
//! is wrong with one is told, and keeps no other from being evaluated.

use crate::dto::{Access, CrawlChoice};
use crate::error::EngineError;
use crate::explain::AuditCard;
use crate::job::project_error;
use crate::project::Project;
use crate::seams::Engine;
use model::Clock;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{CUSTOM, CUSTOM_FAMILY, CustomAuditRow, Reader, Row, StoreError, Value, Writer};

/// An audit as a person writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CustomAudit {
    /// In kebab-case; what it begins with, `custom-`, may be left out.
    pub id: String,
    pub title: String,
    /// `issue`, `warning`, `opportunity` or `note`.
    pub severity: String,
    /// `high`, `medium` or `low`.
    pub priority: String,
    /// One SELECT with a column `url`; the others are evidence. `:crawl` stands for the crawl.
    pub sql: String,
    pub why: String,
    pub fix: String,
}

/// An audit of a project with what came of it in a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CustomAuditCard {
    pub audit: CustomAudit,
    /// `None` where it was not evaluated there.
    pub findings: Option<u64>,
    /// Why it could not be evaluated, or not wholly.
    pub fault: Option<String>,
}

/// The first rows that a statement gives.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SqlPreview {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<crate::table::Value>>,
    /// There are more.
    pub more: bool,
    pub took_ms: u64,
}

/// Findings of one audit at most; a statement that gives more forgot a condition.
const MOST_FINDINGS: u64 = 100_000;
/// Rows of a preview.
const SHOWN: usize = 200;
/// Characters of one cell in evidence and previews.
const LONGEST_CELL: usize = 2_000;
/// Bytes of a statement.
const LONGEST_SQL: usize = 50_000;
/// Audits of a project.
const MOST_AUDITS: usize = 200;
/// How long a statement may take unless the settings say otherwise.
const TIME: Duration = Duration::from_secs(10);

const SEVERITIES: [&str; 4] = ["issue", "warning", "opportunity", "note"];
const PRIORITIES: [&str; 3] = ["high", "medium", "low"];

impl Engine {
    /// Adds an audit to a project, or puts it in the place of the one with its id. Its statement is tried first. Gives the id.
    pub fn set_custom_audit(&self, project: &Path, audit: &CustomAudit) -> Result<String, EngineError> {
        let row = checked(audit)?;
        let opened = self.open(project, Access::Read)?;
        prepared(opened.reader(), &row.sql).map_err(|error| project_error(project, error))?;
        let known = opened.reader().custom_audits().map_err(|error| project_error(project, error))?;
        if known.len() >= MOST_AUDITS && !known.iter().any(|other| other.id == row.id) {
            return Err(EngineError::Usage(format!("a project has {MOST_AUDITS} audits of its own at most")));
        }
        drop(opened);
        let set = self.writer(project)?.set_custom_audit(&row);
        set.map_err(|error| project_error(project, error))?;
        Ok(row.id)
    }

    /// Removes an audit and everything that it found. Whether there was one.
    pub fn remove_custom_audit(&self, project: &Path, id: &str) -> Result<bool, EngineError> {
        drop(self.open(project, Access::Read)?);
        let removed = self.writer(project)?.remove_custom_audit(&full_id(id));
        removed.map_err(|error| project_error(project, error))
    }

    /// Evaluates the project's own audits in a crawl, one of them or all.
    pub fn run_custom_audits(
        &self,
        project: &Path,
        crawl: CrawlChoice,
        only: Option<&str>,
    ) -> Result<Vec<CustomAuditCard>, EngineError> {
        let opened = self.open(project, Access::Read)?;
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => opened.known(crawl)?,
            CrawlChoice::Latest | CrawlChoice::All => opened.latest()?,
        };
        let limit = opened.audit_time(crawl)?;
        let mut writer = self.writer(project)?;
        let failed = |error| project_error(project, error);
        let audits = writer.custom_audits().map_err(failed)?;
        let only = only.map(full_id);
        let wanted: Vec<&CustomAuditRow> =
            audits.iter().filter(|audit| only.as_ref().is_none_or(|id| *id == audit.id)).collect();
        if let (Some(id), true) = (&only, wanted.is_empty()) {
            return Err(EngineError::Usage(format!("the project has no audit {id}")));
        }
        for audit in wanted {
            evaluate(&mut writer, project, crawl, audit, limit, self.clock()).map_err(failed)?;
        }
        drop(writer);
        self.open(project, Access::Read)?.custom_audits(CrawlChoice::Number(crawl))
    }
}

/// Evaluates all audits of a project's own in a crawl. Gives what could not be evaluated: id and reason.
pub(crate) fn evaluate_all(
    writer: &mut Writer,
    path: &Path,
    crawl: i64,
    limit: Duration,
    clock: &Arc<dyn Clock>,
) -> Result<Vec<(String, String)>, StoreError> {
    let mut faults = Vec::new();
    for audit in writer.custom_audits()? {
        if let Some(why) = evaluate(writer, path, crawl, &audit, limit, clock)? {
            faults.push((audit.id, why));
        }
    }
    Ok(faults)
}

/// Why it could not be evaluated, or not wholly.
fn evaluate(
    writer: &mut Writer,
    path: &Path,
    crawl: i64,
    audit: &CustomAuditRow,
    limit: Duration,
    clock: &Arc<dyn Clock>,
) -> Result<Option<String>, StoreError> {
    // What was written so far is seen by no other connection.
    writer.commit()?;
    let mut reader = Reader::open(path)?;
    let mut findings = writer.begin_custom_findings(crawl, audit)?;
    let asked = prepared(&reader, &audit.sql).and_then(|query| {
        reader.limit_time(limit, Arc::clone(clock))?;
        let mut written = Ok(());
        let mut cut = false;
        reader.rows(&query.sql, &[crawl.into()], &mut |row| {
            cut = findings.count() >= MOST_FINDINGS;
            if cut {
                return false;
            }
            let url = match row.value(query.url) {
                Value::Text(url) => url,
                _ => return true,
            };
            written = writer.add_custom_finding(&mut findings, &url, &query.evidence(row)).map(drop);
            written.is_ok()
        })?;
        written?;
        Ok(cut)
    });
    let (fault, is_whole) = match asked {
        Ok(false) => (None, true),
        Ok(true) => {
            let why = format!(
                "the statement gives more than {MOST_FINDINGS} rows; the first {MOST_FINDINGS} are kept"
            );
            (Some(why), true)
        }
        Err(error @ (StoreError::Query(_) | StoreError::QueryTimeout(_))) => (Some(told(&error)), false),
        Err(other) => return Err(other),
    };
    if !is_whole {
        // What came before the fault is not what the statement means.
        findings = writer.begin_custom_findings(crawl, audit)?;
    }
    if let Some(why) = &fault {
        writer.put_custom_fault(crawl, &audit.id, why)?;
    }
    if is_whole {
        writer.end_custom_findings(&findings)?;
    } else {
        writer.commit()?;
    }
    Ok(fault)
}

fn told(error: &StoreError) -> String {
    match error {
        StoreError::Query(why) => why.clone(),
        StoreError::QueryTimeout(seconds) => {
            format!(
                "the statement took longer than {seconds} seconds and was stopped (setting custom.audit_time)"
            )
        }
        other => other.to_string(),
    }
}

/// A statement whose `?1` is the crawl.
struct Query {
    sql: String,
    columns: Vec<String>,
    /// Which column has the URL.
    url: usize,
}

impl Query {
    /// The other columns as a JSON object.
    fn evidence(&self, row: &Row) -> String {
        let mut evidence = serde_json::Map::new();
        for (n, name) in
            self.columns.iter().enumerate().filter(|(n, name)| *n != self.url && *name != "crawl")
        {
            let value = match row.value(n) {
                Value::Null => serde_json::Value::Null,
                Value::Int(number) => number.into(),
                Value::Real(number) => number.into(),
                Value::Text(text) => shortened(text).into(),
            };
            evidence.insert(name.clone(), value);
        }
        serde_json::Value::Object(evidence).to_string()
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST_CELL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Checks a statement: one that reads, with a column `url`, about one crawl.
fn prepared(reader: &Reader, sql: &str) -> Result<Query, StoreError> {
    let sql = sql.trim().trim_end_matches(';').trim_end();
    reader.check_statement(sql)?;
    let columns = reader.columns(sql)?;
    let Some(url) = columns.iter().position(|column| column == "url") else {
        return Err(StoreError::Query(format!(
            "the statement gives no column named url, only {}; its rows are findings about URLs",
            columns.join(", ")
        )));
    };
    let parameters = reader.parameters(sql)?;
    if let Some(other) = parameters.iter().find(|name| *name != ":crawl") {
        return Err(StoreError::Query(format!("only :crawl can stand for a value, {other} cannot")));
    }
    let whole = if parameters.is_empty() {
        if !columns.iter().any(|column| column == "crawl") {
            return Err(StoreError::Query(
                "the statement does not say which crawl it is about; write WHERE crawl = :crawl, or select the column crawl"
                    .to_owned(),
            ));
        }
        format!("SELECT * FROM ({sql}\n) WHERE crawl = ?1")
    } else {
        sql.to_owned()
    };
    Ok(Query { sql: whole, columns, url })
}

fn full_id(id: &str) -> String {
    let id = id.trim();
    if id.starts_with(CUSTOM) { id.to_owned() } else { format!("{CUSTOM}{id}") }
}

/// The audit as it is stored, or everything that is wrong with its words.
fn checked(audit: &CustomAudit) -> Result<CustomAuditRow, EngineError> {
    let mut faults = Vec::new();
    let id = full_id(&audit.id);
    let name = id.trim_start_matches(CUSTOM);
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.len() <= 60
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !is_name {
        faults.push(format!("the name “{name}” is not in kebab-case, such as thin-blog-posts"));
    }
    let title = audit.title.trim();
    let title = if title.is_empty() { name.replace('-', " ") } else { title.to_owned() };
    if title.chars().any(char::is_control) || title.chars().count() > 120 {
        faults.push("the title is one line of at most 120 characters".to_owned());
    }
    let severity = audit.severity.trim();
    if !SEVERITIES.contains(&severity) {
        faults.push(format!("the severity “{severity}” is none of {}", SEVERITIES.join(", ")));
    }
    let priority = if audit.priority.trim().is_empty() { "medium" } else { audit.priority.trim() };
    if !PRIORITIES.contains(&priority) {
        faults.push(format!("the priority “{priority}” is none of {}", PRIORITIES.join(", ")));
    }
    if audit.sql.len() > LONGEST_SQL {
        faults.push(format!("the statement has {LONGEST_SQL} bytes at most"));
    }
    if !faults.is_empty() {
        return Err(EngineError::Usage(faults.join("\n")));
    }
    Ok(CustomAuditRow {
        id,
        title,
        severity: severity.to_owned(),
        priority: priority.to_owned(),
        sql: audit.sql.trim().to_owned(),
        why: audit.why.trim().to_owned(),
        fix: audit.fix.trim().to_owned(),
    })
}

impl From<CustomAuditRow> for CustomAudit {
    fn from(row: CustomAuditRow) -> Self {
        let CustomAuditRow { id, title, severity, priority, sql, why, fix } = row;
        Self { id, title, severity, priority, sql, why, fix }
    }
}

impl Project {
    /// The audits of the project's own, with what came of them in a crawl.
    pub fn custom_audits(&self, crawl: CrawlChoice) -> Result<Vec<CustomAuditCard>, EngineError> {
        let failed = |error| self.failed(error);
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => Some(self.known(crawl)?),
            CrawlChoice::Latest | CrawlChoice::All => self.latest().ok(),
        };
        let reader = self.reader();
        let mut cards = Vec::new();
        for row in reader.custom_audits().map_err(failed)? {
            let asked = [crawl.unwrap_or_default().into(), row.id.as_str().into()];
            let findings = "SELECT e.findings FROM evaluation e JOIN audit n ON n.id = e.audit WHERE e.crawl = ?1 AND n.name = ?2";
            let findings = reader.one(findings, &asked, |row| row.int(0) as u64).map_err(failed)?;
            let fault = "SELECT why FROM custom_fault WHERE crawl = ?1 AND name = ?2";
            let fault = reader.one(fault, &asked, |row| row.text(0).to_owned()).map_err(failed)?;
            cards.push(CustomAuditCard { audit: row.into(), findings, fault });
        }
        Ok(cards)
    }

    /// One of them in the words of the catalogue; `None` where the project has none with this id.
    pub fn explain_custom(&self, id: &str) -> Result<Option<AuditCard>, EngineError> {
        let all = self.reader().custom_audits().map_err(|error| self.failed(error))?;
        Ok(all.into_iter().find(|row| row.id == id).map(|row| AuditCard {
            id: row.id,
            title: row.title,
            family: CUSTOM_FAMILY.to_owned(),
            severity: row.severity,
            priority: row.priority,
            judged: "URLs".to_owned(),
            thresholds: Vec::new(),
            why: row.why,
            fix: row.fix,
            references: Vec::new(),
        }))
    }

    /// The first rows that a statement gives, checked and bounded as that of an audit is.
    pub fn try_sql(&self, crawl: i64, sql: &str, clock: &Arc<dyn Clock>) -> Result<SqlPreview, EngineError> {
        let failed = |error: StoreError| match error {
            error @ (StoreError::Query(_) | StoreError::QueryTimeout(_)) => EngineError::Usage(told(&error)),
            other => self.failed(other),
        };
        let crawl = self.known(crawl)?;
        let began = clock.now();
        let mut reader = Reader::open(self.reader().path()).map_err(failed)?;
        let query = prepared(&reader, sql).map_err(failed)?;
        reader.limit_time(self.audit_time(crawl)?, Arc::clone(clock)).map_err(failed)?;
        let mut preview = SqlPreview { columns: query.columns.clone(), ..SqlPreview::default() };
        let read = reader.rows(&query.sql, &[crawl.into()], &mut |row| {
            preview.more = preview.rows.len() >= SHOWN;
            if !preview.more {
                let cell = |n| match row.value(n) {
                    Value::Null => crate::table::Value::Null,
                    Value::Int(number) => crate::table::Value::Int(number),
                    Value::Real(number) => crate::table::Value::Real(number),
                    Value::Text(text) => crate::table::Value::Text(shortened(text)),
                };
                preview.rows.push((0..query.columns.len()).map(cell).collect());
            }
            !preview.more
        });
        read.map_err(failed)?;
        let took = clock.now().saturating_duration_since(began);
        preview.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        Ok(preview)
    }

    /// How long the statement of an audit may take, by the settings of a crawl.
    fn audit_time(&self, crawl: i64) -> Result<Duration, EngineError> {
        let sql = "SELECT profile FROM crawl WHERE id = ?1";
        let profile = self.reader().one(sql, &[crawl.into()], |row| row.text(0).to_owned());
        let profile = profile.map_err(|error| self.failed(error))?.unwrap_or_default();
        let plan = crate::settings::stored_plan(model::settings::Start::default(), &profile);
        Ok(plan.map_or(TIME, |plan| plan.custom.audit_time))
    }
}
