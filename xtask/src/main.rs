//! The project's own chores: `cargo xtask run|test|bench|docs|dist`.
//!
//! Absences: no dependencies, so that it builds in seconds; no knowledge of the engine, which it
//! only ever starts as the program `gossamer`.

mod bench;
mod chore;
mod dist;
mod docs;
mod failure;
mod interface;
mod place;
mod run;
mod step;
mod test;
mod tools;

use chore::Chore;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Chore::parse(&arguments).and_then(perform) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

fn perform(chore: Chore) -> Result<(), Failure> {
    match chore {
        Chore::Help => {
            print!("{}", chore::USAGE);
            Ok(())
        }
        Chore::Run { url } => run::run(url.as_deref()),
        Chore::Test => test::test(),
        Chore::Bench(options) => bench::bench(&options),
        Chore::Docs(mode) => {
            docs::docs(mode, &place::build("debug")?)?;
            docs::bindings(mode)
        }
        Chore::Dist => dist::dist(),
    }
}
