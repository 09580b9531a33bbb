//! `gossamer robots`: the verdict on each address and the line that gives it.

use crate::args::{RobotsArguments, TextFormat};
use crate::exit::{Exit, Outcome};
use crate::terminal::{format, print};
use engine::output::{Cell, Column, ColumnKind, Format, Sheet, grouped, visible};
use engine::{Engine, RobotsReport, RobotsRequest, RobotsSource, RobotsVerdict};
use std::io::{self, Write};

pub(crate) fn robots(arguments: RobotsArguments) -> Outcome {
    let request =
        RobotsRequest { urls: arguments.urls, agent: arguments.agent, robots_file: arguments.robots };
    let report = Engine::system().robots(&request)?;
    print(|out| {
        let told = match arguments.format.format {
            TextFormat::Table => tell(&report, out),
            other => rows(&report, format(other), out),
        };
        Ok(told?)
    })?;
    Ok(Exit::Done)
}

/// Each file with what is to be known of it, then a line for each address.
fn tell(report: &RobotsReport, out: &mut dyn Write) -> io::Result<()> {
    for source in &report.sources {
        describe(source, &report.agent, out)?;
    }
    let columns = [
        Column::new("verdict", ColumnKind::Text),
        Column::new("line", ColumnKind::Number),
        Column::new("rule", ColumnKind::Text),
        Column::new("url", ColumnKind::Url),
    ];
    let mut sheet = Sheet::new(format(TextFormat::Table), &columns, out)?;
    for told in &report.verdicts {
        let verdict = &told.verdict;
        let rule = match (&verdict.rule, verdict.allowed) {
            (Some(rule), _) => rule.as_str(),
            (None, Some(_)) => "no rule matches",
            (None, None) => "the rules are unknown",
        };
        sheet.row(&[
            Cell::Text(word(verdict)),
            verdict.line.map_or(Cell::Null, |line| Cell::Int(i64::from(line))),
            Cell::Text(rule),
            Cell::Text(&verdict.url),
        ])?;
    }
    sheet.finish().map(drop)
}

/// A row for each address with all there is to it.
fn rows(report: &RobotsReport, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let columns = [
        Column::new("url", ColumnKind::Url),
        Column::new("verdict", ColumnKind::Text),
        Column::new("line", ColumnKind::Number),
        Column::new("rule", ColumnKind::Text),
        Column::new("group", ColumnKind::Text),
        Column::new("agent", ColumnKind::Text),
        Column::new("reason", ColumnKind::Text),
        Column::new("robots_txt", ColumnKind::Url),
        Column::new("status", ColumnKind::Number),
        Column::new("outcome", ColumnKind::Text),
        Column::new("redirects", ColumnKind::Number),
        Column::new("final_url", ColumnKind::Url),
        Column::new("crawl_delay", ColumnKind::Number),
        Column::new("sitemaps", ColumnKind::Text),
        Column::new("problems", ColumnKind::Text),
    ];
    let mut sheet = Sheet::new(format, &columns, out)?;
    for told in &report.verdicts {
        let (verdict, source) = (&told.verdict, &report.sources[told.source]);
        let sitemaps: Vec<&str> = source.sitemaps.iter().map(|sitemap| sitemap.url.as_str()).collect();
        let problems: Vec<String> = source
            .problems
            .iter()
            .map(|problem| format!("line {}: {}", problem.line, problem.code))
            .collect();
        sheet.row(&[
            Cell::Text(&verdict.url),
            Cell::Text(word(verdict)),
            verdict.line.map_or(Cell::Null, |line| Cell::Int(i64::from(line))),
            text(verdict.rule.as_deref()),
            text(verdict.group.as_deref()),
            Cell::Text(&report.agent),
            Cell::Text(&verdict.reason),
            Cell::Text(&source.source),
            source.status.map_or(Cell::Null, |status| Cell::Int(i64::from(status))),
            Cell::Text(&source.outcome),
            Cell::Int(source.redirects.len() as i64),
            text(source.final_url.as_deref()),
            source.crawl_delay.map_or(Cell::Null, Cell::Real),
            Cell::Text(&sitemaps.join(" ")),
            Cell::Text(&problems.join("; ")),
        ])?;
    }
    sheet.finish().map(drop)
}

fn text(text: Option<&str>) -> Cell<'_> {
    text.map_or(Cell::Null, Cell::Text)
}

fn word(verdict: &RobotsVerdict) -> &'static str {
    match verdict.allowed {
        Some(true) => "allowed",
        Some(false) => "blocked",
        None => "unknown",
    }
}

fn describe(source: &RobotsSource, agent: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", visible(&source.source), visible(&source.outcome))?;
    for hop in &source.redirects {
        writeln!(out, "  redirect: {} from {}", hop.status, visible(&hop.url))?;
    }
    if let Some(url) = &source.final_url {
        writeln!(out, "  read at: {}", visible(url))?;
    }
    if source.bytes > 0 {
        writeln!(out, "  size: {} bytes", grouped(source.bytes))?;
    }
    // Where the rules are unknown, there is no group to speak of.
    if source.rules_known {
        let nobody = || "none speaks to it, so everything is allowed".into();
        let group = source.group.as_deref().map_or_else(nobody, visible);
        writeln!(out, "  group for {}: {group}", visible(agent))?;
    }
    if let Some(delay) = source.crawl_delay {
        writeln!(out, "  crawl delay: {delay} s")?;
    }
    for sitemap in &source.sitemaps {
        writeln!(out, "  sitemap: {} (line {})", visible(&sitemap.url), sitemap.line)?;
    }
    for problem in &source.problems {
        writeln!(
            out,
            "  problem: line {}: {}: {} {}",
            problem.line,
            problem.code,
            problem.message,
            visible(&problem.text)
        )?;
    }
    writeln!(out)
}
