//! What each audit means, why it matters and how to fix what it finds.

use crate::error::EngineError;
use audit::Audit;
use serde::Serialize;

/// One audit in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditCard {
    pub id: String,
    pub title: String,
    pub family: String,
    pub severity: String,
    pub priority: String,
    /// What is judged: the denominator shown with the findings.
    pub judged: String,
    /// Ids of the settings that change the rule, with label and default.
    pub thresholds: Vec<ThresholdCard>,
    pub why: String,
    pub fix: String,
    pub references: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThresholdCard {
    pub setting: String,
    pub label: String,
    pub help: String,
    pub default: String,
}

/// Every audit, in the order of the catalogue.
pub fn audits() -> Vec<AuditCard> {
    let settings = audit::settings();
    audit::catalogue().iter().map(|audit| card(audit, &settings)).collect()
}

/// The catalogue as a page of the documentation.
pub fn audits_markdown() -> String {
    audit::catalogue_markdown()
}

/// The audit with this id; of a mistyped one, the nearest is named.
pub fn explain(id: &str) -> Result<AuditCard, EngineError> {
    let all = audits();
    let wanted = id.trim().to_ascii_lowercase().replace('_', "-");
    if let Some(found) = all.iter().position(|card| card.id == wanted) {
        return all
            .into_iter()
            .nth(found)
            .ok_or_else(|| EngineError::Internal("the catalogue changed".to_owned()));
    }
    let shown: String = id.chars().take(80).collect();
    Err(EngineError::Usage(match model::settings::nearest(id, all.iter().map(|card| card.id.as_str())) {
        Some(near) => format!("there is no audit “{shown}”; did you mean {near}?"),
        None => format!("there is no audit “{shown}”; `gossamer explain` lists them all"),
    }))
}

fn card(audit: &Audit, settings: &[model::settings::Setting]) -> AuditCard {
    let threshold = |name: &str| {
        let id = format!("audit.{name}");
        let setting = settings.iter().find(|setting| setting.id == id.as_str())?;
        Some(ThresholdCard {
            setting: id,
            label: setting.label.to_string(),
            help: setting.help.to_string(),
            default: format!("{} {}", setting.default.text(), setting.kind.unit()).trim_end().to_owned(),
        })
    };
    AuditCard {
        id: audit.id.to_owned(),
        title: audit.title.to_owned(),
        family: audit.family.word().to_owned(),
        severity: audit.severity.word().to_owned(),
        priority: audit.priority.word().to_owned(),
        judged: audit.scope.counts().to_owned(),
        thresholds: audit.thresholds.iter().filter_map(|one| threshold(one.name)).collect(),
        why: audit.why.to_owned(),
        fix: audit.fix.to_owned(),
        references: audit.references.iter().map(|one| (*one).to_owned()).collect(),
    }
}
