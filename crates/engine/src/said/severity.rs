//! What an audit weighs in this project.

use super::dto::SeverityCard;
use super::ignored::in_transaction;
use super::known_audit;
use crate::error::EngineError;
use crate::project::Project;
use store::Value;

const SEVERITIES: [&str; 4] = ["issue", "warning", "opportunity", "note"];
const PRIORITIES: [&str; 3] = ["high", "medium", "low"];

impl Project {
    /// Lets all findings of an audit weigh this much, in all crawls of the project. Without a priority, each keeps its own.
    pub fn set_severity(
        &mut self,
        audit: &str,
        severity: &str,
        priority: Option<&str>,
    ) -> Result<(), EngineError> {
        let audit = known_audit(audit)?;
        one_of(severity, &SEVERITIES, "a severity")?;
        if let Some(priority) = priority {
            one_of(priority, &PRIORITIES, "a priority")?;
        }
        let cells = [
            Value::from(audit.as_str()),
            severity.into(),
            priority.map_or(Value::Null, Value::from),
            self.now().into(),
        ];
        let writer = self.writer()?;
        let done = in_transaction(writer, |writer| {
            writer.run(
                "INSERT INTO audit_override(audit, severity, priority, made) VALUES(?1, ?2, ?3, ?4) ON CONFLICT(audit) DO UPDATE
                 SET severity = excluded.severity, priority = excluded.priority, made = excluded.made",
                &cells,
            )
        });
        done.map(drop).map_err(|error| self.failed(error))
    }

    /// Lets an audit weigh what it says itself again.
    pub fn reset_severity(&mut self, audit: &str) -> Result<(), EngineError> {
        let audit = known_audit(audit)?;
        let writer = self.writer()?;
        let done = in_transaction(writer, |writer| {
            writer.run("DELETE FROM audit_override WHERE audit = ?1", &[audit.as_str().into()])
        });
        match done.map_err(|error| self.failed(error))? {
            0 => Err(EngineError::Usage(format!("{audit} weighs what it says itself already"))),
            _ => Ok(()),
        }
    }

    /// The audits that weigh something else in this project, by their ids.
    pub fn severities(&self) -> Result<Vec<SeverityCard>, EngineError> {
        let mut cards = Vec::new();
        let sql = "SELECT audit, severity, priority FROM audit_override ORDER BY audit";
        let read = self.reader().rows(sql, &[], &mut |row| {
            // An audit that a newer version knew has no words here.
            if let Some(own) = audit::find(row.text(0)) {
                cards.push(SeverityCard {
                    audit: own.id.to_owned(),
                    title: own.title.to_owned(),
                    severity: row.text(1).to_owned(),
                    priority: row.opt_text(2).map(str::to_owned),
                    own_severity: own.severity.word().to_owned(),
                    own_priority: own.priority.word().to_owned(),
                });
            }
            true
        });
        read.map_err(|error| self.failed(error))?;
        Ok(cards)
    }
}

fn one_of(said: &str, words: &[&str], what: &str) -> Result<(), EngineError> {
    if words.contains(&said) {
        return Ok(());
    }
    Err(EngineError::Usage(format!("“{said}” is not {what}; there are {}", words.join(", "))))
}
