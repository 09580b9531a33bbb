//! `cargo xtask test`: everything that has to hold, in order, up to the first failure.

use crate::chore::DocsMode;
use crate::failure::Failure;
use crate::tools::Tool;
use crate::{docs, interface, place, step, tools};
use std::path::Path;
use std::process::Command;

pub(crate) fn test() -> Result<(), Failure> {
    let started = step::now();
    tools::require(&[
        Tool::CCompiler,
        Tool::Python,
        Tool::Node,
        Tool::DesktopLibraries,
        Tool::VirtualScreen,
        Tool::WebDriver,
    ])?;
    step::run("format", place::cargo().args(["fmt", "--all", "--check"]))?;
    // The window's program carries the interface, so it is built first.
    interface::build()?;
    interface::test()?;
    step::run(
        "lint",
        place::cargo().arg("clippy").args(EVERYTHING).args(["--all-targets", "--", "--deny", "warnings"]),
    )?;
    // The black-box tests start the programs, which no test target of their own package builds.
    step::run("build", place::cargo().arg("build").args(EVERYTHING))?;
    docs::docs(DocsMode::Check, &place::program("debug"))?;
    if step::answers(place::cargo().args(["deny", "--version"])) {
        step::run(
            "licences and bans",
            place::cargo().args(["deny", "check", "bans", "licenses", "sources"]),
        )?;
    } else {
        eprintln!("\n== licences and bans: skipped, cargo-deny is not installed");
    }
    // The tests come last, so that the runner's count of them ends the run.
    let so_far = || eprintln!("\n   everything before the tests held: {}", step::shown(started.elapsed()));
    if step::answers(place::cargo().args(["nextest", "--version"])) {
        // nextest leaves examples in documentation aside.
        if has_examples(&place::root().join("crates")) {
            step::run("examples in documentation", place::cargo().arg("test").args(EVERYTHING).arg("--doc"))?;
        }
        so_far();
        step::run_last("tests", tests(&["nextest", "run"]).arg("--no-fail-fast"))
    } else {
        so_far();
        step::run_last("tests", tests(&["test"]).arg("--no-fail-fast"))
    }
}

/// Every package with the interface inside the window's program. The same words everywhere, so that Cargo builds each crate once.
const EVERYTHING: &[&str] = &["--workspace", "--features", "gossamer-desktop/custom-protocol"];

/// The command that runs the tests. Those of the window are left out where there is no screen to draw it on, except here,
/// where one was just installed.
fn tests(words: &[&str]) -> Command {
    let mut cargo = place::cargo();
    cargo.args(words).args(EVERYTHING);
    if cfg!(target_os = "linux") {
        cargo.env("GOSSAMER_WINDOW_TESTS", "required");
    }
    cargo
}

/// Whether any Rust file below `folder` has a code block in a documentation comment.
fn has_examples(folder: &Path) -> bool {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && std::fs::read_to_string(&path).is_ok_and(|source| holds_example(&source))
            {
                return true;
            }
        }
    }
    false
}

fn holds_example(source: &str) -> bool {
    let documentation = source.lines().map(str::trim_start);
    let blocks = documentation
        .filter_map(|line| line.strip_prefix("///").or_else(|| line.strip_prefix("//!")))
        .filter_map(|line| line.trim_start().strip_prefix("```"));
    // Fences alternate: opening ones carry the language, and only Rust ones are examples.
    blocks.step_by(2).any(|language| matches!(language.trim(), "" | "rust" | "no_run" | "should_panic"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_found_in_documentation_only() {
        assert!(holds_example("/// Adds.\n/// ```\n/// add(1, 2);\n/// ```\nfn add() {}"));
        assert!(holds_example("    //! ```no_run\n    //! x\n    //! ```"));
        assert!(!holds_example("/// ```text\n/// a → b\n/// ```\nfn x() {}"));
        assert!(!holds_example("// ```\nlet text = \"```\";"));
        assert!(holds_example("/// ```text\n/// a\n/// ```\n/// ```\n/// b();\n/// ```"));
    }

    #[test]
    fn a_folder_that_is_not_there_has_no_examples() {
        assert!(!has_examples(Path::new("no/such/folder")));
    }
}
