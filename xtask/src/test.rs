//! `cargo xtask test`: everything that has to hold, in order, up to the first failure.

use crate::chore::DocsMode;
use crate::failure::Failure;
use crate::tools::Tool;
use crate::{docs, place, step, tools};
use std::path::Path;

pub(crate) fn test() -> Result<(), Failure> {
    let started = step::now();
    tools::require(&[Tool::CCompiler, Tool::Python])?;
    step::run("format", place::cargo().args(["fmt", "--all", "--check"]))?;
    step::run(
        "lint",
        place::cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
    )?;
    // The black-box tests start the program `gossamer`, which no test target of their own package builds.
    step::run("build", place::cargo().args(["build", "--workspace"]))?;
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
            step::run("examples in documentation", place::cargo().args(["test", "--workspace", "--doc"]))?;
        }
        so_far();
        step::run_last("tests", place::cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]))
    } else {
        so_far();
        step::run_last("tests", place::cargo().args(["test", "--workspace", "--no-fail-fast"]))
    }
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
