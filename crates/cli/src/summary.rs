//! What is printed after an audit: numbers that reconcile, the worst findings, and what to do next.

use crate::progress::clock;
use crate::terminal::stdout_width;
use engine::output::{Cell, Column, ColumnKind, Format, Sheet, TableStyle, counted, grouped, visible};
use engine::{AuditReport, Ended, IssueLine};
use std::io::{self, Write};

/// Findings listed by name; the rest is counted.
const LISTED: usize = 15;

pub(crate) fn write(report: &AuditReport, out: &mut dyn Write) -> io::Result<()> {
    let project = shell_word(&report.project.display().to_string());
    let verb = match report.ended {
        Ended::Complete => "Audited",
        Ended::Stopped => "Stopped the audit of",
    };
    let pages = counted(report.pages, "page");
    writeln!(out, "{verb} {} in {}: {pages}.\n", visible(&report.start_url), clock(report.elapsed))?;
    counts(report, out)?;
    findings(report, out)?;
    writeln!(out, "\nProject: {project}, crawl {}", report.crawl)?;
    let mut next = Vec::new();
    match (report.ended, report.issues.first()) {
        (Ended::Stopped, _) => {
            let options: String =
                report.credential_options.iter().map(|option| format!(" {option}")).collect();
            next.push((format!("gossamer resume {project}{options}"), "to continue"));
        }
        (Ended::Complete, Some(worst)) => {
            next.push((format!("gossamer issues {project}"), "for all findings"));
            next.push((
                format!("gossamer explain {}", visible(&worst.audit)),
                "for why it matters and how to fix it",
            ));
            next.push((urls_of(&project, &worst.audit), "for its URLs"));
        }
        (Ended::Complete, None) => next.push((format!("gossamer show {project}"), "to look around")),
    }
    let widest = next.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    for (nth, (command, purpose)) in next.iter().enumerate() {
        writeln!(out, "{} {command:widest$}  {purpose}", if nth == 0 { "Next:   " } else { "        " })?;
    }
    Ok(())
}

/// One line a state; states that are empty are left out, so that the lines shown add up to the first.
fn counts(report: &AuditReport, out: &mut dyn Write) -> io::Result<()> {
    let counts = &report.counts;
    let states = [
        (counts.fetched, "fetched"),
        (counts.failed, "failed"),
        (counts.blocked, "blocked by robots.txt"),
        (counts.excluded, "excluded by a rule"),
        (counts.over_limit, "over a limit"),
        (counts.not_followed, "not followed (kept, not asked)"),
        (counts.queued, "still queued"),
    ];
    let width = grouped(counts.encountered).len();
    writeln!(out, "  {} encountered", counted(counts.encountered, "URL"))?;
    for (number, word) in states.into_iter().filter(|(number, _)| *number > 0) {
        writeln!(out, "  {:>width$} {word}", grouped(number))?;
    }
    Ok(())
}

fn findings(report: &AuditReport, out: &mut dyn Write) -> io::Result<()> {
    if report.issues.is_empty() {
        return match report.ended {
            Ended::Complete if report.ignored > 0 => {
                writeln!(out, "\nThe audits found nothing that counts; {}.", ignored(report.ignored))
            }
            Ended::Complete => writeln!(out, "\nThe audits found nothing."),
            Ended::Stopped => Ok(()),
        };
    }
    writeln!(out, "\n{}:\n", totals(&report.issues))?;
    table(&report.issues[..report.issues.len().min(LISTED)], out)?;
    let rest = report.issues.len().saturating_sub(LISTED);
    if rest > 0 {
        writeln!(out, "and {}", counted(rest as u64, "further audit"))?;
    }
    if report.ignored > 0 {
        let project = shell_word(&report.project.display().to_string());
        writeln!(out, "\n{}: gossamer ignore {project} --list", ignored(report.ignored))?;
    }
    Ok(())
}

/// `12 findings are ignored`.
pub(crate) fn ignored(number: u64) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("{} {verb} ignored", counted(number, "finding"))
}

/// `12 issues, 3 warnings`: findings by severity, worst first.
fn totals(issues: &[IssueLine]) -> String {
    let parts: Vec<String> = by_severity(issues)
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(severity, number)| counted(number, severity))
        .collect();
    parts.join(", ")
}

/// The number of findings of each severity, worst first.
pub(crate) fn by_severity(issues: &[IssueLine]) -> [(&'static str, u64); 4] {
    ["issue", "warning", "opportunity", "note"].map(|severity| {
        let lines = issues.iter().filter(|line| line.severity == severity);
        (severity, lines.map(|line| line.findings).sum())
    })
}

/// The command that lists the URLs of one audit.
pub(crate) fn urls_of(project: &str, audit: &str) -> String {
    format!("gossamer show {project} issues --where \"audit = '{}'\"", visible(audit))
}

/// One line an audit.
pub(crate) fn table(issues: &[IssueLine], out: &mut dyn Write) -> io::Result<()> {
    let columns = [
        Column::new("severity", ColumnKind::Text),
        Column::new("priority", ColumnKind::Text),
        Column::new("findings", ColumnKind::Number),
        Column::new("urls", ColumnKind::Number),
        Column::new("audit", ColumnKind::Text),
        Column::new("title", ColumnKind::Text),
    ];
    let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, out)?;
    for line in issues {
        sheet.row(&[
            Cell::Text(&line.severity),
            Cell::Text(&line.priority),
            Cell::Int(signed(line.findings)),
            Cell::Int(signed(line.urls)),
            Cell::Text(&line.audit),
            Cell::Text(&line.title),
        ])?;
    }
    sheet.finish().map(drop)
}

pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A path as it can be pasted behind a command: quoted where a shell would take it apart.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '\\' | '.' | '-' | '_' | ':' | '~');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", visible(text).replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Counts;
    use std::time::Duration;

    fn line(severity: &str, audit: &str, findings: u64) -> IssueLine {
        IssueLine {
            audit: audit.to_owned(),
            title: format!("Title of {audit}"),
            family: "links".to_owned(),
            severity: severity.to_owned(),
            priority: "high".to_owned(),
            findings,
            urls: findings,
        }
    }

    fn report(ended: Ended, issues: Vec<IssueLine>) -> String {
        report_with(ended, issues, Vec::new())
    }

    fn report_with(ended: Ended, issues: Vec<IssueLine>, credential_options: Vec<&'static str>) -> String {
        let report = AuditReport {
            project: "my site.gossamer".into(),
            crawl: 2,
            start_url: "https://example.com/".to_owned(),
            ended,
            counts: Counts { encountered: 1_234, fetched: 1_200, blocked: 34, ..Counts::default() },
            pages: 770,
            elapsed: Duration::from_secs(12),
            issues,
            ignored: 0,
            credential_options,
        };
        let mut out = Vec::new();
        write(&report, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_complete_audit_names_numbers_findings_and_the_next_step() {
        let text = report(
            Ended::Complete,
            vec![
                line("issue", "broken-page", 3),
                line("warning", "title-long", 1),
                line("opportunity", "http1-only", 2),
            ],
        );
        for expect in [
            "Audited https://example.com/ in 0:12: 770 pages.",
            "  1,234 URLs encountered\n  1,200 fetched\n     34 blocked by robots.txt\n",
            "3 issues, 1 warning, 2 opportunities:",
            "broken-page",
            "Project: 'my site.gossamer', crawl 2",
            "gossamer issues 'my site.gossamer'",
            "gossamer explain broken-page",
            "gossamer show 'my site.gossamer' issues --where \"audit = 'broken-page'\"",
        ] {
            assert!(text.contains(expect), "{expect}\n{text}");
        }
        assert!(!text.contains("failed"), "empty states are left out");
    }

    #[test]
    fn a_stopped_audit_says_how_to_go_on() {
        let text = report(Ended::Stopped, Vec::new());
        assert!(
            text.contains("Stopped the audit of") && text.contains("gossamer resume 'my site.gossamer'"),
            "{text}"
        );
        assert!(!text.contains("found nothing"));
        let text = report_with(Ended::Stopped, Vec::new(), vec!["--auth-env NAME", "--cookie NAME=VALUE"]);
        let command = "gossamer resume 'my site.gossamer' --auth-env NAME --cookie NAME=VALUE  to continue";
        assert!(text.contains(command), "{text}");
    }

    #[test]
    fn many_audits_are_counted() {
        let text =
            report(Ended::Complete, (0..20).map(|n| line("issue", &format!("audit-{n}"), 1)).collect());
        assert!(text.contains("and 5 further audits"), "{text}");
    }
}
