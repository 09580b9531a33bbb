//! `cargo xtask docs`: what the program writes about itself: pages of `docs/`, and the types of the window's page.

use crate::chore::DocsMode;
use crate::failure::{self, Failure};
use crate::{place, step};
use std::path::Path;
use std::process::Command;

/// What `gossamer docs` is asked for, and the file it becomes.
const PAGES: [(&str, &str); 3] =
    [("audits", "docs/audits.md"), ("cli", "docs/cli.md"), ("policies", "docs/policies.md")];

/// `gossamer` is a program that is built already.
pub(crate) fn docs(mode: DocsMode, gossamer: &Path) -> Result<(), Failure> {
    eprintln!("\n== generated pages");
    let mut stale = Vec::new();
    for (topic, file) in PAGES {
        let fresh = unix_lines(&step::output(Command::new(gossamer).args(["docs", topic]))?);
        let path = place::root().join(file);
        let kept = std::fs::read_to_string(&path).ok().map(|text| unix_lines(&text));
        if kept.as_deref() == Some(fresh.as_str()) {
            eprintln!("   {file}: up to date");
            continue;
        }
        match mode {
            DocsMode::Write => {
                failure::write(&path, fresh.as_bytes())?;
                eprintln!("   {file}: written");
            }
            DocsMode::Check => stale.push(match kept {
                None => format!("{file} is absent"),
                Some(kept) => format!("{file} is stale from line {}", first_difference(&kept, &fresh)),
            }),
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(Failure::DoesNotHold(format!("{}: run `cargo xtask docs` and commit the result", stale.join(", "))))
}

/// The types between the engine and the window's page. The engine's own test compares or writes them, so that only test builds
/// need what generates them.
pub(crate) fn bindings(mode: DocsMode) -> Result<(), Failure> {
    let mut test = place::cargo();
    test.args(["test", "--package", "gossamer-engine", "--lib", "bindings"]);
    match mode {
        DocsMode::Write => step::run("types of the page", test.env("GOSSAMER_WRITE_BINDINGS", "1")),
        DocsMode::Check => step::run("types of the page", &mut test),
    }
}

/// A checkout on Windows may have turned the line endings.
fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The one-based number of the first line that is not the same in both.
fn first_difference(kept: &str, fresh: &str) -> usize {
    let same = kept.lines().zip(fresh.lines()).take_while(|(kept, fresh)| kept == fresh);
    same.count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stale_line_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), 2);
        assert_eq!(first_difference("a\n", "a\nb\n"), 2);
        assert_eq!(first_difference("", "a\n"), 1);
        assert_eq!(unix_lines("a\r\nb"), "a\nb");
    }
}
