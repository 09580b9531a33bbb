//! The command line of `cargo xtask`: what may be said, and what it means.

use crate::failure::Failure;
use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
cargo xtask run [URL]            build, then audit URL (without one: the built-in demo site)
cargo xtask test                 everything that has to hold, in order; stops at the first failure
cargo xtask bench [--quick] [--floor DIR] [--rounds N] [--only NAME]... [--write]
                                 CPU, memory and file size beside the floor crawler in DIR
                                 (default ../shared/bench/floor); --write puts the figures into docs/performance.md
cargo xtask docs [--check]       write the generated pages of docs/, or say whether they are stale
cargo xtask dist                 a release archive under target/dist
";

/// One thing to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Chore {
    Help,
    Run { url: Option<String> },
    Test,
    Bench(BenchOptions),
    Docs(DocsMode),
    Dist,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocsMode {
    Write,
    /// Writes nothing and fails when a page differs from what the program says today.
    Check,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BenchOptions {
    /// Small sites and one round: shows that the measuring works, not what the figures are.
    pub(crate) quick: bool,
    /// Puts the figures into `docs/performance.md` as well as printing them.
    pub(crate) write: bool,
    /// The folder of the floor crawler's sources; its parent holds `setup_corpora.sh`.
    pub(crate) floor: Option<PathBuf>,
    /// Rounds for every site, in place of each site's own number.
    pub(crate) rounds: Option<usize>,
    /// The sites to measure; empty for all.
    pub(crate) only: Vec<String>,
}

impl Chore {
    /// Fails with [`Failure::Usage`] when the words mean nothing.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let Some((name, rest)) = arguments.split_first() else { return Ok(Self::Help) };
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        match (name.as_str(), rest.as_slice()) {
            ("help" | "--help" | "-h", []) => Ok(Self::Help),
            ("run", []) => Ok(Self::Run { url: None }),
            ("run", [url]) if !url.starts_with('-') => Ok(Self::Run { url: Some((*url).to_owned()) }),
            ("test", []) => Ok(Self::Test),
            ("bench", options) => BenchOptions::parse(options).map(Self::Bench),
            ("docs", []) => Ok(Self::Docs(DocsMode::Write)),
            ("docs", ["--check"]) => Ok(Self::Docs(DocsMode::Check)),
            ("dist", []) => Ok(Self::Dist),
            _ => Err(Failure::Usage(format!("no such chore: {}\n\n{USAGE}", arguments.join(" ")))),
        }
    }
}

impl BenchOptions {
    fn parse(words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                words.next().ok_or_else(|| Failure::Usage(format!("bench: {word} needs a value\n\n{USAGE}")))
            };
            match *word {
                "--quick" => options.quick = true,
                "--write" => options.write = true,
                "--floor" => options.floor = Some(PathBuf::from(value()?)),
                "--only" => options.only.push((*value()?).to_owned()),
                "--rounds" => {
                    let text = value()?;
                    let rounds = text.parse().ok().filter(|rounds| *rounds > 0);
                    options.rounds = Some(rounds.ok_or_else(|| {
                        Failure::Usage(format!("bench: --rounds {text} is not a number above 0\n\n{USAGE}"))
                    })?);
                }
                other => return Err(Failure::Usage(format!("bench: no such option: {other}\n\n{USAGE}"))),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: Option<Chore>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match (Chore::parse(&words), expect) {
            (Ok(chore), Some(expected)) => assert_eq!(chore, expected, "{line}"),
            (Err(failure), None) => assert_eq!(failure.exit_code(), 2, "{line}"),
            (got, expected) => panic!("{line}: {got:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn words_become_chores() {
        check("", Some(Chore::Help));
        check("--help", Some(Chore::Help));
        check("run", Some(Chore::Run { url: None }));
        check("run example.com", Some(Chore::Run { url: Some("example.com".into()) }));
        check("run --fast", None);
        check("run a b", None);
        check("test", Some(Chore::Test));
        check("test --quick", None);
        check("docs", Some(Chore::Docs(DocsMode::Write)));
        check("docs --check", Some(Chore::Docs(DocsMode::Check)));
        check("dist", Some(Chore::Dist));
        check("deploy", None);
    }

    #[test]
    fn bench_takes_its_options_in_any_order() {
        check("bench", Some(Chore::Bench(BenchOptions::default())));
        check(
            "bench --rounds 2 --only django --quick --only synth --floor f --write",
            Some(Chore::Bench(BenchOptions {
                quick: true,
                write: true,
                floor: Some("f".into()),
                rounds: Some(2),
                only: vec!["django".into(), "synth".into()],
            })),
        );
        check("bench --rounds", None);
        check("bench --rounds 0", None);
        check("bench --rounds many", None);
        check("bench django", None);
    }
}
