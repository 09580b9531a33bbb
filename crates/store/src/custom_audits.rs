//! Audits that a person wrote: their statements, and the findings that they give.

use crate::error::StoreError;
use crate::read::Reader;
use crate::value::Value;
use crate::writer::Writer;
use rusqlite::{Connection, OptionalExtension};

/// An audit of a person's own. Its findings stand under `id` among those of the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomAuditRow {
    /// Begins with [`CUSTOM`].
    pub id: String,
    pub title: String,
    pub severity: String,
    pub priority: String,
    pub sql: String,
    /// May be empty, as the next.
    pub why: String,
    pub fix: String,
}

/// What the ids of these audits begin with.
pub const CUSTOM: &str = "custom-";
/// Their family.
pub const CUSTOM_FAMILY: &str = "custom";

/// Where the further findings of one URL have their number: below those of a page's flaws, above all others.
const FURTHER: i64 = 1 << 36;

/// Findings of one audit on their way into the file, in the place of those there were.
pub struct CustomFindings {
    crawl: i64,
    audit: i64,
    checked: i64,
    findings: i64,
}

fn read(connection: &Connection) -> Result<Vec<CustomAuditRow>, StoreError> {
    let sql = "SELECT name, title, severity, priority, sql, why, fix FROM custom_audit ORDER BY name";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(CustomAuditRow {
            id: row.get(0)?,
            title: row.get(1)?,
            severity: row.get(2)?,
            priority: row.get(3)?,
            sql: row.get(4)?,
            why: row.get(5)?,
            fix: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Reader {
    pub fn custom_audits(&self) -> Result<Vec<CustomAuditRow>, StoreError> {
        read(&self.connection)
    }
}

impl Writer {
    pub fn custom_audits(&self) -> Result<Vec<CustomAuditRow>, StoreError> {
        read(&self.connection)
    }

    /// Adds an audit, or puts it in the place of the one with its id. What that one found stays until it is evaluated anew.
    pub fn set_custom_audit(&mut self, audit: &CustomAuditRow) -> Result<(), StoreError> {
        self.begin()?;
        self.connection
            .prepare_cached(
                "INSERT INTO custom_audit(name, title, severity, priority, sql, why, fix) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT(name) DO UPDATE SET title = ?2, severity = ?3, priority = ?4, sql = ?5, why = ?6, fix = ?7",
            )?
            .execute((
                &audit.id,
                &audit.title,
                &audit.severity,
                &audit.priority,
                &audit.sql,
                &audit.why,
                &audit.fix,
            ))?;
        self.connection
            .prepare_cached("UPDATE audit SET severity = ?2, priority = ?3, title = ?4 WHERE name = ?1")?
            .execute((&audit.id, &audit.severity, &audit.priority, &audit.title))?;
        self.commit()
    }

    /// Removes an audit and everything that it found in any crawl. Whether there was one.
    pub fn remove_custom_audit(&mut self, id: &str) -> Result<bool, StoreError> {
        self.begin()?;
        let known = self.connection.execute("DELETE FROM custom_audit WHERE name = ?1", [id])? > 0;
        if known {
            for table in ["finding", "evaluation", "custom_evidence", "ignored_finding"] {
                self.connection.execute(
                    &format!("DELETE FROM {table} WHERE audit = (SELECT id FROM audit WHERE name = ?1)"),
                    [id],
                )?;
            }
            self.connection.execute("DELETE FROM custom_fault WHERE name = ?1", [id])?;
            self.connection.execute("DELETE FROM audit WHERE name = ?1", [id])?;
        }
        self.commit()?;
        Ok(known)
    }

    /// Begins to put findings in the place of those that an audit has in a crawl; what went wrong with it before is forgotten.
    pub fn begin_custom_findings(
        &mut self,
        crawl: i64,
        audit: &CustomAuditRow,
    ) -> Result<CustomFindings, StoreError> {
        self.begin()?;
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO audit(name, family, severity, priority, title) VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(name) DO UPDATE
                 SET family = ?2, severity = ?3, priority = ?4, title = ?5 RETURNING id",
            )?
            .query_row((&audit.id, CUSTOM_FAMILY, &audit.severity, &audit.priority, &audit.title), |row| row.get(0))?;
        for table in ["finding", "custom_evidence", "evaluation"] {
            self.connection
                .execute(&format!("DELETE FROM {table} WHERE crawl = ?1 AND audit = ?2"), (crawl, id))?;
        }
        self.connection
            .execute("DELETE FROM custom_fault WHERE crawl = ?1 AND name = ?2", (crawl, &audit.id))?;
        let (first, last) = crate::key_range(crawl);
        let checked = self
            .connection
            .prepare_cached("SELECT count(*) FROM visit WHERE key BETWEEN ?1 AND ?2")?
            .query_row((first, last), |row| row.get(0))?;
        Ok(CustomFindings { crawl, audit: id, checked, findings: 0 })
    }

    /// Adds a finding about a URL, by its text. False where the crawl did not meet it. `evidence` is a JSON object.
    pub fn add_custom_finding(
        &mut self,
        findings: &mut CustomFindings,
        url: &str,
        evidence: &str,
    ) -> Result<bool, StoreError> {
        let Some(url) = self.find_url(self.seed().url(url)) else { return Ok(false) };
        let met = self
            .connection
            .prepare_cached("SELECT 1 FROM visit WHERE key = ?1")?
            .exists([crate::key(findings.crawl, url)])?;
        if !met {
            return Ok(false);
        }
        let key = (findings.crawl, findings.audit, url);
        let further: Option<i64> = self
            .connection
            .prepare_cached("SELECT min(ref) FROM finding WHERE crawl = ?1 AND audit = ?2 AND url = ?3")?
            .query_row(key, |row| row.get(0))
            .optional()?
            .flatten();
        let place = further.map_or(0, |lowest| if lowest == 0 { -FURTHER } else { lowest - 1 });
        self.connection
            .prepare_cached("INSERT INTO finding(crawl, audit, url, ref) VALUES(?1, ?2, ?3, ?4)")?
            .execute((findings.crawl, findings.audit, url, place))?;
        self.connection
            .prepare_cached(
                "INSERT INTO custom_evidence(crawl, audit, url, ref, evidence) VALUES(?1, ?2, ?3, ?4, ?5)",
            )?
            .execute((findings.crawl, findings.audit, url, place, evidence))?;
        findings.findings += 1;
        Ok(true)
    }

    /// All findings are there.
    pub fn end_custom_findings(&mut self, findings: &CustomFindings) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO evaluation(crawl, audit, version, thresholds, findings, urls, checked)
                 SELECT ?1, ?2, 1, '{}', ?3, (SELECT count(DISTINCT url) FROM finding WHERE crawl = ?1 AND audit = ?2), ?4",
            )?
            .execute((findings.crawl, findings.audit, findings.findings, findings.checked))?;
        self.commit()
    }

    /// Remembers why an audit could not be evaluated in a crawl, or not wholly.
    pub fn put_custom_fault(&mut self, crawl: i64, id: &str, why: &str) -> Result<(), StoreError> {
        let cells: [Value; 3] = [crawl.into(), id.into(), why.into()];
        self.run("INSERT OR REPLACE INTO custom_fault(crawl, name, why) VALUES(?1, ?2, ?3)", &cells).map(drop)
    }
}

impl CustomFindings {
    /// So far.
    pub const fn count(&self) -> u64 {
        self.findings as u64
    }
}
