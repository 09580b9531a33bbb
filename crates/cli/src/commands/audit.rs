//! `gossamer audit` and `gossamer resume`.

use crate::args::{AuditArguments, FailOn, ReportArguments, ResumeArguments, pair};
use crate::credentials::{self, Input};
use crate::exit::{Exit, Outcome};
use crate::progress::Reporter;
use crate::{interrupt, summary, terminal};
use engine::{AuditReport, AuditRequest, Control, Ended, Engine, EngineError, Event};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn audit(arguments: AuditArguments) -> Outcome {
    let how = arguments.report;
    // Read before Ctrl-C is watched for: a list that is typed can then be broken off as usual.
    let request = request(arguments)?;
    run(how, |engine, control, observe| engine.audit(&request, control, observe))
}

pub(crate) fn resume(arguments: ResumeArguments) -> Outcome {
    let mut faults = Vec::new();
    let credentials = credentials::read(&arguments.credentials, Input::Free, &mut faults);
    engine::refuse(faults)?;
    run(arguments.report, |engine, control, observe| {
        engine.resume_with(&arguments.project, &credentials, control, observe)
    })
}

type Observe<'a> = &'a (dyn Fn(Event) + Send + Sync);

fn run(
    how: ReportArguments,
    job: impl FnOnce(&Engine, &Control, Observe) -> Result<AuditReport, EngineError>,
) -> Outcome {
    let reporter = Arc::new(Reporter::new(how.progress));
    let control = Control::new();
    let told = Arc::clone(&reporter);
    interrupt::watch(&control, move |requests| told.stopping(requests));
    let report = match job(&Engine::system(), &control, &|event| reporter.observe(&event)) {
        Ok(report) => report,
        Err(error) => {
            reporter.failed(&error);
            return Ok(Exit::of(&error));
        }
    };
    reporter.finished(&report);
    let exit = match report.ended {
        Ended::Stopped => Exit::Interrupted,
        Ended::Complete if matches(how.fail_on, &report) => Exit::Matched,
        Ended::Complete => Exit::Done,
    };
    match terminal::print(|out| Ok(summary::write(&report, out)?)) {
        // The verdict stands, whether or not somebody read the summary to its end.
        Err(error) if !crate::exit::is_broken_pipe(&error) => Err(error),
        _ => Ok(exit),
    }
}

fn matches(fail_on: FailOn, report: &AuditReport) -> bool {
    let severities: &[&str] = match fail_on {
        FailOn::None => &[],
        FailOn::Issue => &["issue"],
        FailOn::Warning => &["issue", "warning"],
    };
    report.issues.iter().any(|line| line.findings > 0 && severities.contains(&line.severity.as_str()))
}

/// What is asked of the engine. Whatever is wrong is named at once, that which only the engine can tell included: by the
/// engine itself, where nothing is wrong with the rest.
fn request(arguments: AuditArguments) -> Result<AuditRequest, EngineError> {
    let mut seeds = arguments.urls;
    let input = match arguments.list.as_deref() {
        Some(path) if path == Path::new("-") => Input::HoldsTheList,
        _ => Input::Free,
    };
    let mut faults = Vec::new();
    let credentials = credentials::read(&arguments.credentials, input, &mut faults);
    let mut list = None;
    if let Some(path) = &arguments.list {
        // With a list, addresses on the command line belong to it.
        let typed = std::mem::take(&mut seeds);
        match read_list(path) {
            Ok(listed) => list = Some(typed.into_iter().chain(listed).collect::<Vec<String>>()),
            Err(error) => faults.push(error),
        }
    }
    let mut overrides = Vec::with_capacity(arguments.set.len());
    for said in &arguments.set {
        match pair(said) {
            Ok(pair) => overrides.push(pair),
            Err(why) => faults.push(EngineError::Usage(format!("--set {said}: {why}"))),
        }
    }
    let mut set = |id: &str, value: String| overrides.push((id.to_owned(), value));
    if let Some(most) = arguments.max_urls {
        set("limits.max_urls", most);
    }
    if let Some(depth) = arguments.depth {
        set("limits.max_depth", depth);
    }
    if arguments.ignore_robots {
        set("robots.obey", "false".to_owned());
    }
    if !arguments.resolve.is_empty() {
        set("http.overrides", arguments.resolve.join(","));
    }
    let project = arguments.project.map_or_else(|| project_of(list.as_ref().unwrap_or(&seeds)), Ok);
    let mut request = AuditRequest {
        seeds,
        list,
        project: PathBuf::new(),
        profile: arguments.profile,
        overrides,
        credentials,
    };
    // Where nothing is wrong so far, the engine says what it finds when it begins.
    if !faults.is_empty() || project.is_err() {
        faults.extend(engine::faults(&request));
        faults.extend(project.as_deref().ok().and_then(engine::project_fault));
        engine::refuse(faults)?;
    }
    request.project = project?;
    Ok(request)
}

/// The name made from the first address that is one: a list may hold bad lines, which are named later.
fn project_of(addresses: &[String]) -> Result<PathBuf, EngineError> {
    let mut names = addresses.iter().map(|typed| engine::default_project_name(typed));
    let first = names.next().unwrap_or_else(|| engine::default_project_name(""));
    first.or_else(|error| names.find_map(Result::ok).ok_or(error))
}

/// A list of addresses; `-` is standard input.
pub(crate) fn read_list(path: &Path) -> Result<Vec<String>, EngineError> {
    if path == Path::new("-") {
        return engine::read_list(&mut std::io::stdin().lock());
    }
    let mut file = File::open(path).map_err(|error| {
        EngineError::Usage(format!("the list {} cannot be read: {error}", path.display()))
    })?;
    engine::read_list(&mut file)
}
