//! `docs/cli.md`, made from the declaration of the command line.

use clap::{Arg, Command, CommandFactory};
use std::fmt::Write as _;

const PROGRESS: &str = "## Progress as JSON

With `--progress json` each line of standard error is one object; `event` says which.

| event | fields |
|-|-|
| `started` | `project`, `crawl` (its number), `seeds`, `resumed` |
| `progress` | `phase`, `elapsed_s`, `rate` (URLs a second), `counts` (URLs by state), `issues` (findings of severity issue so far), `crawl_warnings` (`warning` events of the crawl so far, without `list-line`; not findings), `current` |
| `warning` | `code`, `message`; `list-line` names a line of `--list` that was left out |
| `stopping` | the first Ctrl-C was heard; `in_flight`: requests that are waited for |
| `finished` | `ended` (`complete` or `stopped`), `project`, `crawl`, `elapsed_s`, `pages`, `counts`, `findings` (their number by severity: `issue`, `warning`, `opportunity`, `note`) |
| `error` | `message`; the exit code says the kind |

";

/// The command line as Markdown.
pub(crate) fn command_line() -> String {
    let mut root = crate::args::Arguments::command();
    root.build();
    let mut out = String::from(
        "<!-- Made by `cargo xtask docs` from crates/cli/src/args.rs. Do not edit. -->\n\n# Command line\n\n",
    );
    let _ = writeln!(out, "{}\n", sentence(&styled(root.get_about())));
    for command in
        root.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
    {
        section(&mut out, command);
    }
    out.push_str(PROGRESS);
    let _ = writeln!(out, "## Exit codes\n\n{}", styled(root.get_after_help()));
    out
}

fn section(out: &mut String, command: &Command) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let _ = writeln!(
        out,
        "## gossamer {}\n\n{}\n\n```\n{usage}\n```\n",
        command.get_name(),
        sentence(&styled(command.get_about()))
    );
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version"))
        .collect();
    if !arguments.is_empty() {
        let _ = writeln!(out, "| argument | meaning |\n|-|-|");
        for argument in arguments {
            let _ = writeln!(out, "| `{}` | {} |", name(argument), meaning(argument));
        }
        out.push('\n');
    }
    let after = styled(command.get_after_help());
    match after.split_once("Examples:\n") {
        Some((_, examples)) => {
            let lines: Vec<&str> = examples.lines().map(str::trim).collect();
            let _ = writeln!(out, "```\n{}\n```\n", lines.join("\n"));
        }
        None if !after.is_empty() => {
            let _ = writeln!(out, "{after}\n");
        }
        None => {}
    }
}

fn name(argument: &Arg) -> String {
    let value = argument.get_value_names().map(|names| names.join(" ")).unwrap_or_default();
    let many = if matches!(argument.get_action(), clap::ArgAction::Append) { "..." } else { "" };
    match argument.get_long() {
        Some(long) if argument.get_action().takes_values() => format!("--{long} {value}{many}"),
        Some(long) => format!("--{long}"),
        None => format!("{value}{many}"),
    }
}

fn meaning(argument: &Arg) -> String {
    let mut text = sentence(&styled(argument.get_help()));
    let values = argument.get_possible_values();
    if argument.get_action().takes_values() && !values.is_empty() {
        let words: Vec<String> = values
            .iter()
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}` ({})", value.get_name(), lower_start(&help.to_string())),
                None => format!("`{}`", value.get_name()),
            })
            .collect();
        let _ = write!(text, " One of {}.", words.join(", "));
    }
    let defaults = argument.get_default_values();
    if argument.get_action().takes_values() && !argument.is_hide_default_value_set() && !defaults.is_empty() {
        let words: Vec<String> = defaults.iter().map(|value| value.to_string_lossy().into_owned()).collect();
        let _ = write!(text, " Default: `{}`.", words.join(" "));
    }
    text.replace('|', "\\|")
}

fn styled(text: Option<&clap::builder::StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}

/// The first letter in lower case, unless it begins an abbreviation.
fn lower_start(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

fn sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with(['.', ']']) { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_option_is_in_the_page() {
        let page = command_line();
        let root = crate::args::Arguments::command();
        for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(
                page.contains(&format!("## gossamer {}\n", command.get_name())),
                "{}",
                command.get_name()
            );
            for option in command.get_arguments().filter_map(Arg::get_long) {
                assert!(page.contains(&format!("`--{option}")), "--{option}");
            }
        }
        assert!(!page.contains("gossamer docs"), "{page}");
    }
}
