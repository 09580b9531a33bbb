//! The catalogue in words: for one audit, and as a whole.

use crate::audit::{Audit, Family, LinkRule, Rule, Target, Threshold, Unit};
use crate::catalogue::{catalogue, find};
use crate::limits;
use std::fmt::Write as _;

/// Everything there is to say about one audit.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    pub id: &'static str,
    pub title: &'static str,
    pub family: &'static str,
    pub severity: &'static str,
    pub priority: &'static str,
    /// What the rule is asked of.
    pub checked: &'static str,
    /// The rule, as it is evaluated.
    pub rule: String,
    /// Findings that weigh differently: when, severity, priority.
    pub escalation: Option<(&'static str, &'static str, &'static str)>,
    pub thresholds: Vec<ExplainedThreshold>,
    /// Names of the values shown with a finding.
    pub evidence: Vec<&'static str>,
    pub why: &'static str,
    pub fix: &'static str,
    pub references: &'static [&'static str],
}

/// A setting that changes an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedThreshold {
    /// The setting's id: `audit.title_max`.
    pub setting: String,
    pub label: &'static str,
    pub help: &'static str,
    /// As a person writes it: `800ms`, `100kB`, `60 characters`.
    pub default: String,
}

/// What there is to say about the audit with this id.
pub fn explain(id: &str) -> Option<Explanation> {
    find(id).map(explanation)
}

fn explanation(audit: &'static Audit) -> Explanation {
    Explanation {
        id: audit.id,
        title: audit.title,
        family: audit.family.title(),
        severity: audit.severity.word(),
        priority: audit.priority.word(),
        checked: audit.scope.counts(),
        rule: rule_in_words(&audit.rule),
        escalation: audit.escalation.map(|e| (e.when, e.severity.word(), e.priority.word())),
        thresholds: audit.thresholds.iter().map(threshold).collect(),
        evidence: audit.evidence.iter().map(|(name, _)| *name).collect(),
        why: audit.why,
        fix: audit.fix,
        references: audit.references,
    }
}

fn threshold(threshold: &Threshold) -> ExplainedThreshold {
    let Threshold { name, label, help, unit, default, .. } = *threshold;
    let default = match unit {
        Unit::Milliseconds => format!("{default}ms"),
        Unit::Bytes => format!("{default} bytes"),
        Unit::Switch => (default > 0).to_string(),
        Unit::Characters => format!("{default} characters"),
        Unit::Pixels => format!("{default} pixels"),
        Unit::Links => default.to_string(),
        Unit::Hops => format!("{default} hops"),
        Unit::Clicks => format!("{default} clicks"),
        Unit::Seconds => format!("{default} seconds"),
        Unit::Days => format!("{default} days"),
        Unit::Percent => format!("{default} %"),
        Unit::Words => format!("{default} words"),
        Unit::Parameters | Unit::Urls | Unit::Elements | Unit::Points => default.to_string(),
    };
    ExplainedThreshold { setting: format!("audit.{name}"), label, help, default }
}

fn rule_in_words(rule: &Rule) -> String {
    let one_line = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ");
    match rule {
        Rule::Row(_, sql) | Rule::Select(sql) | Rule::Sitemap(sql) => one_line(sql),
        Rule::Url(sql, _) => format!("{}; and asked of the URL's text", one_line(sql)),
        Rule::Variants(_) => "another page whose URL differs in this way only has the same text".to_owned(),
        Rule::Entry(_) => "asked of each entry".to_owned(),
        Rule::Longer(text, limit) => format!("the {} has more than {{{limit}}} characters", text.noun()),
        Rule::Shorter(text, limit) => format!("the {} has fewer than {{{limit}}} characters", text.noun()),
        Rule::Same(text) => {
            format!("another page has the same {}, upper and lower case aside", text.noun())
        }
        Rule::Link(rule) => link_in_words(rule),
        Rule::AnyLink(rules) => rules.iter().map(link_in_words).collect::<Vec<_>>().join("; or "),
        Rule::Flaw(kind) => format!("the markup has the flaw `{kind}`"),
        Rule::Robots(_) | Rule::RobotsAt(_) => "asked of the file itself".to_owned(),
        Rule::Host(sql) | Rule::HostText(sql) => one_line(sql),
        Rule::Circle => "rel=next leads from page to page back to this one".to_owned(),
        Rule::Probe(_) => "asked of each probe".to_owned(),
        Rule::Change(kinds, sql) => {
            let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
            format!("a change of the kind {} since the crawl before; {}", kinds.join(", "), one_line(sql))
        }
        Rule::Life(sql) => format!("a finding of an earlier crawl; {}", one_line(sql)),
    }
}

fn link_in_words(rule: &LinkRule) -> String {
    let one_line = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut parts = vec![format!("link: {}", one_line(rule.shape))];
    match rule.target {
        Target::Any => {}
        Target::Missing => parts.push("no URL can be made of the href".to_owned()),
        Target::Row(sql) => parts.push(format!("target: {}", one_line(sql))),
    }
    if let Some(sql) = rule.source {
        parts.push(format!("page: {}", one_line(sql)));
    }
    if rule.text.is_some() {
        parts.push("a condition on its text".to_owned());
    }
    if rule.href.is_some() {
        parts.push("a condition on the href as written".to_owned());
    }
    if rule.unsized_image {
        parts.push("width or height is missing".to_owned());
    }
    parts.join("; ")
}

/// The catalogue as Markdown: `docs/audits.md`.
pub fn catalogue_markdown() -> String {
    let mut out = String::from(
        "# Audits\n\nThis page is generated from the catalogue in `crates/audit`; change it there and run `cargo xtask docs`.\n\n\
         Ids are a public contract. Severities are issue, warning, opportunity and note; priorities high, medium and low. Every number in a rule\n\
         is a setting. *Page* means internal, 2xx and HTML; *indexable* is a page that search engines may show.\n",
    );
    // Writing to a String cannot fail.
    let _ = writeln!(out, "\n{} audits.\n", catalogue().len());
    for family in Family::ALL {
        let _ = writeln!(out, "- [{}](#{})", family.title(), anchor(family.title()));
    }
    let all = limits::ALL_PAGES;
    let _ = writeln!(
        out,
        "\n`audit.{}` ({}): {}",
        all.name,
        if all.default > 0 { "on" } else { "off" },
        all.help
    );
    for family in Family::ALL {
        let _ = writeln!(out, "\n## {}\n", family.title());
        out.push_str("| id | severity | priority | asked of |\n|-|-|-|-|\n");
        let audits = || catalogue().iter().filter(|audit| audit.family == *family);
        for audit in audits() {
            let _ = writeln!(
                out,
                "| [{id}](#{id}) | {} | {} | {} |",
                audit.severity.word(),
                audit.priority.word(),
                audit.scope.counts(),
                id = audit.id
            );
        }
        for audit in audits() {
            write_audit(&mut out, &explanation(audit));
        }
    }
    out
}

fn write_audit(out: &mut String, audit: &Explanation) {
    let _ = writeln!(
        out,
        "\n### {}\n\n**{}.** {}\n\n*To fix it:* {}\n",
        audit.id, audit.title, audit.why, audit.fix
    );
    let _ = writeln!(out, "Rule: `{}`\n", audit.rule.replace('`', "'"));
    if let Some((when, severity, priority)) = audit.escalation {
        let _ = writeln!(out, "Counts as {severity} of {priority} priority where `{when}`.\n");
    }
    for threshold in &audit.thresholds {
        let _ =
            writeln!(out, "- `{}` (default {}): {}", threshold.setting, threshold.default, threshold.help);
    }
    if !audit.thresholds.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "Evidence: {}\n", audit.evidence.join(", "));
    let references: Vec<String> = audit.references.iter().map(|url| format!("<{url}>")).collect();
    let _ = writeln!(out, "See {}", references.join(", "));
}

/// The fragment that Markdown renderers give a heading.
fn anchor(title: &str) -> String {
    title
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' => Some(c),
            _ => None,
        })
        .collect()
}
