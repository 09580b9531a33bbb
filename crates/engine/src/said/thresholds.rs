//! Thresholds of a project: judged with at once, without a new crawl, and what the next crawl of it begins with.
//!
//! The order in which they win is: the audit's default, the profile of the crawl, the project, what is said for one run.

use super::dto::{CountChange, EvaluateReport, EvaluateRequest, ThresholdValue};
use super::ignored::in_transaction;
use crate::dto::{Access, CrawlChoice, IssueLine};
use crate::error::EngineError;
use crate::job::project_error;
use crate::project::Project;
use crate::seams::Engine;
use crate::settings::{stored_plan, threshold_values};
use audit::{EvaluateError, Limits, Step};
use model::Plan;
use model::settings::Start;
use std::collections::BTreeMap;
use std::path::Path;
use store::{Reader, StoreError, Writer};

/// Id and value as typed, by id.
type Said = BTreeMap<String, String>;

/// What a project file says, without a word where it is none or of an older version: whoever opens it says what is wrong.
pub(crate) fn of_project(path: &Path) -> Vec<(String, String)> {
    if !path.exists() {
        return Vec::new();
    }
    let Ok(reader) = Reader::open(path) else { return Vec::new() };
    let mut said = Vec::new();
    let read = reader.rows("SELECT setting, value FROM threshold ORDER BY setting", &[], &mut |row| {
        said.push((row.text(0).to_owned(), row.text(1).to_owned()));
        true
    });
    if read.is_ok() { said } else { Vec::new() }
}

/// Puts what the project says over the thresholds of a stored plan.
pub(crate) fn overlay(writer: &mut Writer, plan: &mut Plan) -> Result<(), EngineError> {
    let said = stored(writer).map_err(|error| EngineError::Internal(error.to_string()))?;
    plan.thresholds.extend(threshold_values(&said)?);
    Ok(())
}

fn stored(writer: &mut Writer) -> Result<Said, StoreError> {
    let mut said = Said::new();
    writer.rows("SELECT setting, value FROM threshold", &[], &mut |row| {
        said.insert(row.text(0).to_owned(), row.text(1).to_owned());
        Ok(())
    })?;
    Ok(said)
}

impl Engine {
    /// Judges crawls again, with thresholds that the project keeps from now on. `observe` is told which crawl is judged and how much
    /// of it is done, from 0 to 1, and answers whether to go on. Where it is stopped or fails, what the project says stays as it
    /// was, and so do the findings of the crawls that were not done.
    pub fn evaluate(
        &self,
        request: &EvaluateRequest,
        observe: &mut dyn FnMut(i64, f64) -> bool,
    ) -> Result<EvaluateReport, EngineError> {
        let project = self.open(&request.project, Access::Read)?;
        let crawls = project.judged_crawls(request.crawl)?;
        let Some(newest) = crawls.last().copied() else {
            return Err(EngineError::CannotStart(format!(
                "{} has no crawl that came to its end; there is nothing to judge",
                request.project.display()
            )));
        };
        let before = project.issues(CrawlChoice::Number(newest))?;
        drop(project);
        let failed = |error| project_error(&request.project, error);
        let mut writer = self.writer(&request.project)?;
        let said = said_now(stored(&mut writer).map_err(failed)?, request)?;
        let values = threshold_values(&said)?;
        for crawl in &crawls {
            let (profile, _) = writer.crawl_profile(*crawl).map_err(failed)?;
            let mut plan = stored_plan(Start::default(), &profile)?;
            plan.thresholds.extend(values.clone());
            let limits = Limits::new(&plan.thresholds).reading(parse::shingles);
            let mut watch = |step: Step| observe(*crawl, share(step));
            match audit::reevaluate(&mut writer, *crawl, &limits, &mut watch) {
                Ok(_) => {}
                Err(EvaluateError::Cancelled) => {
                    writer.settle().map_err(failed)?;
                    return Err(EngineError::Cancelled);
                }
                Err(EvaluateError::Store(error)) => return Err(failed(error)),
                Err(other) => return Err(EngineError::Internal(other.to_string())),
            }
        }
        let moment = model::clock::unix_millis(self.clock().wall());
        let kept = in_transaction(&mut writer, |writer| keep(writer, &said, moment));
        kept.and_then(|()| writer.settle()).map_err(failed)?;
        drop(writer);
        let project = self.open(&request.project, Access::Read)?;
        let issues = project.issues(CrawlChoice::Number(newest))?;
        let changes = changes(&before, &issues);
        Ok(EvaluateReport { crawls, thresholds: said.into_iter().collect(), changes, issues })
    }
}

/// How much of judging a crawl is done at a step.
fn share(step: Step) -> f64 {
    let of = |done: u64, of: u64| if of == 0 { 0.0 } else { (done as f64 / of as f64).min(1.0) };
    match step {
        Step::Chains => 0.0,
        Step::Links { done, of: all } => 0.4 * of(done, all),
        Step::Scores { round, of: all } => 0.4 + 0.1 * of(u64::from(round), u64::from(all)),
        Step::Texts { done, of: all } => 0.5 + 0.1 * of(done, all),
        Step::Rows { done, of: all } => 0.6 + 0.3 * of(done, all),
        Step::Site => 0.9,
    }
}

/// What the project will say. The values are checked by whoever reads them.
fn said_now(mut said: Said, request: &EvaluateRequest) -> Result<Said, EngineError> {
    let id_of = |typed: &str| {
        let id = typed.trim().replace('-', "_");
        if id.starts_with("audit.") { id } else { format!("audit.{id}") }
    };
    for typed in &request.reset {
        if typed == "all" {
            said.clear();
            continue;
        }
        let id = id_of(typed);
        if said.remove(&id).is_none() {
            return Err(EngineError::Usage(format!("the project says nothing of {id}")));
        }
    }
    for (typed, value) in &request.set {
        let id = typed.trim();
        if id.contains('.') && !id.starts_with("audit.") {
            return Err(EngineError::Usage(format!(
                "{id} changes what is crawled, not what is judged: set it for the next audit"
            )));
        }
        said.insert(id_of(id), value.trim().to_owned());
    }
    Ok(said)
}

fn keep(writer: &mut Writer, said: &Said, moment: i64) -> Result<(), StoreError> {
    let before = stored(writer)?;
    for gone in before.keys().filter(|id| !said.contains_key(*id)) {
        writer.run("DELETE FROM threshold WHERE setting = ?1", &[gone.as_str().into()])?;
    }
    for (id, value) in said.iter().filter(|(id, value)| before.get(*id) != Some(value)) {
        writer.run(
            "INSERT OR REPLACE INTO threshold(setting, value, made) VALUES(?1, ?2, ?3)",
            &[id.as_str().into(), value.as_str().into(), moment.into()],
        )?;
    }
    Ok(())
}

/// Audits in the order of what they came to, those that find nothing any more at the end.
fn changes(before: &[IssueLine], after: &[IssueLine]) -> Vec<CountChange> {
    let count = |lines: &[IssueLine], audit: &str| {
        lines.iter().filter(|line| line.audit == audit).map(|line| line.findings).sum::<u64>()
    };
    let mut changes: Vec<CountChange> = Vec::new();
    for line in after.iter().chain(before) {
        let known = changes.iter().any(|change| change.audit == line.audit);
        let (was, is) = (count(before, &line.audit), count(after, &line.audit));
        if !known && was != is {
            changes.push(CountChange {
                audit: line.audit.clone(),
                title: line.title.clone(),
                before: was,
                after: is,
            });
        }
    }
    changes
}

impl Project {
    /// The crawls that can be judged again, oldest first. What only looked at some URLs is not judged as a site.
    fn judged_crawls(&self, choice: CrawlChoice) -> Result<Vec<i64>, EngineError> {
        let ended = |card: &crate::dto::CrawlCard| card.state == "finished" && card.job != store::RECHECK;
        let cards = self.crawls()?;
        match choice {
            CrawlChoice::All => Ok(cards.iter().filter(|card| ended(card)).map(|card| card.crawl).collect()),
            CrawlChoice::Latest => {
                Ok(cards.iter().rev().find(|card| ended(card)).map(|card| card.crawl).into_iter().collect())
            }
            CrawlChoice::Number(crawl) => {
                let crawl = self.known(crawl)?;
                match cards.iter().find(|card| card.crawl == crawl) {
                    Some(card) if ended(card) => Ok(vec![crawl]),
                    Some(card) => Err(EngineError::CannotStart(format!(
                        "crawl {crawl} is {} ({}); what came to its end as an audit, a check or a list can be judged again",
                        card.state, card.job
                    ))),
                    None => Ok(Vec::new()),
                }
            }
        }
    }

    /// The thresholds of an audit as a crawl would be judged with them now.
    pub fn thresholds(&self, crawl: i64, audit: &str) -> Result<Vec<ThresholdValue>, EngineError> {
        let card = crate::explain::explain(audit)?;
        let crawl = self.known(crawl)?;
        let profile = self
            .reader()
            .one("SELECT profile FROM crawl WHERE id = ?1", &[crawl.into()], |row| row.text(0).to_owned())
            .map_err(|error| self.failed(error))?
            .unwrap_or_default();
        let profile = model::settings::Profile::parse(&profile).unwrap_or_default();
        let mut said = Said::new();
        let read = self.reader().rows("SELECT setting, value FROM threshold", &[], &mut |row| {
            said.insert(row.text(0).to_owned(), row.text(1).to_owned());
            true
        });
        read.map_err(|error| self.failed(error))?;
        let settings = audit::settings();
        Ok(card
            .thresholds
            .iter()
            .map(|threshold| {
                let default = settings
                    .iter()
                    .find(|setting| setting.id == threshold.setting.as_str())
                    .map(|setting| setting.default.text())
                    .unwrap_or_default();
                let of_profile =
                    profile.values().find(|(id, _)| *id == threshold.setting).map(|(_, said)| said.text());
                let of_project = said.get(&threshold.setting);
                ThresholdValue {
                    setting: threshold.setting.clone(),
                    value: of_project.cloned().or(of_profile).unwrap_or_else(|| default.clone()),
                    default,
                    of_project: of_project.is_some(),
                }
            })
            .collect())
    }
}
