//! The program `gossamer`: the engine for scripts, schedules and CI.
//!
//! Owns the command line, what is printed, and the exit codes. Results go to standard output, progress and complaints to
//! standard error.
//!
//! Absences: no crawling, no SQL, no audit texts; all of that is asked of `engine`.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod credentials;
mod docs;
mod exit;
mod interrupt;
mod progress;
mod said_args;
mod summary;
mod terminal;

use args::{Arguments, Command};
use clap::Parser;
use exit::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    // clap prints its own complaints and ends with code 2.
    let arguments = Arguments::parse();
    log_to_stderr();
    exit::finish(run(arguments.command)).into()
}

fn run(command: Command) -> Outcome {
    match command {
        Command::Audit(arguments) => commands::audit::audit(arguments),
        Command::Resume(arguments) => commands::audit::resume(arguments),
        Command::Crawls(arguments) => commands::project::crawls(&arguments),
        Command::Show(arguments) => commands::project::show(arguments),
        Command::Issues(arguments) => commands::project::issues(&arguments),
        Command::Ignore(arguments) => commands::said::ignore(arguments),
        Command::Severity(arguments) => commands::said::severity(&arguments),
        Command::Changes(arguments) => commands::changes::changes(&arguments),
        Command::Evaluate(arguments) => commands::said::evaluate(arguments),
        Command::Recheck(arguments) => commands::said::recheck(arguments),
        Command::Export(arguments) => commands::project::export(arguments),
        Command::Sql(arguments) => commands::project::sql(&arguments),
        Command::CustomAudit(arguments) => commands::custom_audit::custom_audit(arguments),
        Command::Extract(arguments) => commands::extract::extract(arguments),
        Command::Segment(arguments) => commands::segment::segment(arguments),
        Command::Robots(arguments) => commands::robots::robots(arguments),
        Command::Explain(arguments) => commands::catalogue::explain(&arguments),
        Command::Settings(arguments) => commands::catalogue::settings(&arguments),
        Command::Doctor => commands::local::doctor(),
        Command::Demo(arguments) => commands::local::demo(&arguments),
        Command::Docs(arguments) => commands::catalogue::docs(&arguments),
    }
}

/// What the libraries log goes to standard error, if it is asked for: `GOSSAMER_LOG=debug gossamer …`.
fn log_to_stderr() {
    let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("GOSSAMER_LOG") else { return };
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
