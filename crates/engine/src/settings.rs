//! Settings as the engine knows them: those of the crawl and the thresholds of the audits.

use crate::error::EngineError;
use crate::faults::together;
use model::Plan;
use model::settings::{Layer, Profile, SettingCard, Start};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Every setting in words.
pub fn settings() -> Vec<SettingCard> {
    model::settings::cards(&audit::settings())
}

/// A profile in which every setting stands as a comment.
pub fn settings_template() -> String {
    model::settings::template(&audit::settings())
}

/// The plan of a run: the profile file where there is one, and what was said for this run.
pub(crate) fn plan(
    start: Start,
    profile: Option<&Path>,
    overrides: &[(String, String)],
) -> Result<Plan, EngineError> {
    plan_or_faults(start, profile, overrides).map_err(together)
}

/// The same, with each thing that is wrong: a profile that cannot be read does not hide what was said for this run.
pub(crate) fn plan_or_faults(
    start: Start,
    profile: Option<&Path>,
    overrides: &[(String, String)],
) -> Result<Plan, Vec<EngineError>> {
    let (mut faults, mut wrong) = (Vec::new(), Vec::new());
    let said = match profile.map(read_profile).transpose() {
        Ok(said) => said.unwrap_or_default(),
        Err(error) => {
            match error {
                EngineError::Settings(errors) => wrong = errors,
                other => faults.push(other),
            }
            Profile::default()
        }
    };
    let mut run = Profile::default();
    for (id, text) in overrides {
        run.set(id, text);
    }
    let layers = [(Layer::Profile, &said), (Layer::Run, &run)];
    let plan = model::settings::resolve(start, &layers, &audit::settings());
    match plan {
        Ok(plan) if faults.is_empty() && wrong.is_empty() => return Ok(plan),
        Ok(_) => {}
        Err(errors) => wrong.extend(errors),
    }
    if !wrong.is_empty() {
        faults.push(EngineError::Settings(wrong));
    }
    Err(faults)
}

/// The thresholds that are said here, read as settings of one run are.
pub(crate) fn threshold_values(
    said: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, f64>, EngineError> {
    let mut run = Profile::default();
    for (id, text) in said {
        run.set(id, text);
    }
    let plan = model::settings::resolve(Start::default(), &[(Layer::Run, &run)], &audit::settings());
    plan.map(|plan| plan.thresholds).map_err(EngineError::Settings)
}

/// The plan of a stored crawl, from the profile that was stored with it.
pub(crate) fn stored_plan(start: Start, profile: &str) -> Result<Plan, EngineError> {
    let said = Profile::parse(profile).map_err(EngineError::Settings)?;
    model::settings::resolve(start, &[(Layer::Profile, &said)], &audit::settings())
        .map_err(EngineError::Settings)
}

fn read_profile(path: &Path) -> Result<Profile, EngineError> {
    /// No profile is longer; a wrong file given by mistake may be.
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.map_err(|error| EngineError::unreadable(path, &error))?;
    Profile::parse(&text).map_err(EngineError::Settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_a_profile_that_changes_nothing() {
        let profile = Profile::parse(&settings_template()).unwrap();
        assert!(profile.is_empty());
        // With every comment opened it says the defaults, thresholds included.
        let opened: String = settings_template()
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(rest) if !rest.starts_with("A profile.") => format!("{rest}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let profile = Profile::parse(&opened).unwrap();
        assert_eq!(profile.values().count(), settings().len());
        model::settings::resolve(Start::default(), &[(Layer::Profile, &profile)], &audit::settings())
            .unwrap();
    }

    #[test]
    fn ids_are_unique_across_crates() {
        let mut ids: Vec<String> = settings().into_iter().map(|card| card.id).collect();
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
