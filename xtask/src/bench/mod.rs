//! `cargo xtask bench`: our crawl beside the least that a crawler can do (the *floor*), in the same run on the
//! same machine, and the limits that the design has to hold.
//!
//! Ratios count, seconds do not: machines are noisy, and a pair that ran side by side shares the noise.

mod figures;
mod measure;
mod report;
mod site;
mod subject;

use crate::chore::BenchOptions;
use crate::failure::{self, Failure};
use crate::tools::Tool;
use crate::{place, tools};
use figures::{FloorRun, SiteFigures};
use site::{FULL, Floor, QUICK, Served, Site};
use std::path::Path;
use std::process::Command;
use subject::{Subject, Variant};

pub(crate) fn bench(options: &BenchOptions) -> Result<(), Failure> {
    let sources = options.floor.clone().unwrap_or_else(|| place::root().join("../shared/bench/floor"));
    if !sources.join("Cargo.toml").is_file() {
        return Err(Failure::Usage(format!(
            "there is no floor crawler in {}: name its folder with --floor DIR",
            sources.display()
        )));
    }
    let sites = chosen(options)?;
    tools::require(&[Tool::CCompiler])?;
    let folder = place::target().join("bench");
    failure::make_folder(&folder)?;
    let floor = site::build_floor(&sources, &folder)?;
    let subject = Subject { program: place::build("release")? };

    let served = Served::start(&sites, sources.parent().unwrap_or(&sources), &floor.synth)?;
    let mut all = Vec::new();
    for site in &sites {
        all.push(measure_site(site, options.rounds, &floor, &subject, &folder)?);
    }
    drop(served);

    let text = report::markdown(&all, &report::machine());
    println!("\n{text}");
    if options.write {
        let page = place::root().join("docs/performance.md");
        let written = report::with_figures(&failure::read(&page)?, &text)
            .ok_or_else(|| Failure::Unexpected(format!("{} has no place for the figures", page.display())))?;
        failure::write(&page, written.as_bytes())?;
    }
    let broken: Vec<String> = figures::limits(&all)
        .into_iter()
        .filter(|limit| !limit.holds())
        .map(|limit| limit.to_string())
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(Failure::DoesNotHold(broken.join("\n"))) }
}

/// The sites that the options ask for.
fn chosen(options: &BenchOptions) -> Result<Vec<Site>, Failure> {
    let sites = if options.quick { &QUICK[..] } else { &FULL[..] };
    if let Some(unknown) = options.only.iter().find(|name| !sites.iter().any(|site| site.name == **name)) {
        let names: Vec<&str> = sites.iter().map(|site| site.name).collect();
        return Err(Failure::Usage(format!(
            "bench: no site is called {unknown}; there are {}",
            names.join(", ")
        )));
    }
    let wanted = |site: &&Site| options.only.is_empty() || options.only.iter().any(|name| name == site.name);
    Ok(sites.iter().filter(wanted).copied().collect())
}

/// Pairs of runs, floor and ours in turn; then, on the last project file, what was stored and what a second crawl adds.
fn measure_site(
    site: &Site,
    rounds: Option<usize>,
    floor: &Floor,
    subject: &Subject,
    folder: &Path,
) -> Result<SiteFigures, Failure> {
    let file = |name: &str| folder.join(format!("{}-{name}", site.name));
    let project = file("plain.gossamer");
    let mut pairs = Vec::new();
    for round in 1..=rounds.unwrap_or(site.rounds) {
        eprintln!("\n== {}: pair {round}", site.name);
        let floor_run = run_floor(site, floor, &file("floor.db"), &file("floor.log"))?;
        eprintln!("   floor: {}", report::cost_line(&floor_run.cost));
        subject::remove_project(&project)?;
        let ours = subject.audit(site, Variant::SameUrls, &project, &file("plain.log"))?;
        eprintln!("   ours:  {}", report::cost_line(&ours.cost));
        pairs.push((floor_run, ours));
    }
    let sizes = subject.sizes(&project)?;

    eprintln!("\n== {}: a second crawl, nothing changed", site.name);
    let second = subject.audit(site, Variant::SameUrls, &project, &file("second.log"))?;
    eprintln!("   ours:  {}", report::cost_line(&second.cost));

    let with_checks = if site.checks_too {
        eprintln!("\n== {}: with resource checks", site.name);
        let project = file("checks.gossamer");
        subject::remove_project(&project)?;
        let run = subject.audit(site, Variant::WithChecks, &project, &file("checks.log"))?;
        eprintln!("   ours:  {}", report::cost_line(&run.cost));
        Some(run)
    } else {
        None
    };
    Ok(SiteFigures { name: site.name, pairs, sizes, second, with_checks })
}

fn run_floor(site: &Site, floor: &Floor, database: &Path, log: &Path) -> Result<FloorRun, Failure> {
    let mut command = Command::new(&floor.crawl);
    command.args([
        "--start",
        &site.start_url(),
        "--conc",
        "5",
        "--parser",
        "tree",
        "--text",
        "--index",
        "--db",
    ]);
    let cost = measure::measured(command.arg(database), log)?;
    let said = failure::read(log)?;
    FloorRun::parse(cost, &said)
        .ok_or_else(|| Failure::Unexpected(format!("the floor said nothing known: {said}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_chosen_by_name() {
        let names = |options: &BenchOptions| -> Vec<&str> {
            chosen(options).expect("the names are known").iter().map(|site| site.name).collect()
        };
        let mut options = BenchOptions::default();
        assert_eq!(names(&options), ["django", "rust", "synth-50k", "synth-300k"]);
        options.only = vec!["rust".into()];
        assert_eq!(names(&options), ["rust"]);
        options.quick = true;
        assert!(chosen(&options).is_err(), "the quick run has no such site");
        options.only.clear();
        assert_eq!(names(&options), ["django", "synth-5k", "synth-20k"]);
    }
}
