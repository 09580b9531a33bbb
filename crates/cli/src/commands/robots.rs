//! `gossamer robots`: the verdict on each address and the line that gives it.

use crate::args::RobotsArguments;
use crate::exit::{Exit, Outcome};
use crate::terminal::{print, stdout_width};
use engine::output::{Cell, Column, ColumnKind, Format, Sheet, TableStyle, visible};
use engine::{Engine, RobotsFile, RobotsReport, RobotsRequest};
use std::io::{self, Write};

pub(crate) fn robots(arguments: RobotsArguments) -> Outcome {
    let request =
        RobotsRequest { urls: arguments.urls, agent: arguments.agent, robots_file: arguments.robots };
    let report = Engine::system().robots(&request)?;
    print(|out| Ok(write(&report, out)?))?;
    Ok(Exit::Done)
}

fn write(report: &RobotsReport, out: &mut dyn Write) -> io::Result<()> {
    for file in &report.files {
        describe(file, &report.agent, out)?;
    }
    let columns = [
        Column::new("verdict", ColumnKind::Text),
        Column::new("line", ColumnKind::Number),
        Column::new("rule", ColumnKind::Text),
        Column::new("url", ColumnKind::Url),
    ];
    let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, out)?;
    for verdict in &report.verdicts {
        let (line, rule) = match &verdict.line {
            Some((line, rule)) => (Cell::Int(i64::from(*line)), rule.as_str()),
            None => (Cell::Null, "no rule matches"),
        };
        let word = if verdict.allowed { "allowed" } else { "blocked" };
        sheet.row(&[Cell::Text(word), line, Cell::Text(rule), Cell::Text(&verdict.url)])?;
    }
    sheet.finish().map(drop)
}

fn describe(file: &RobotsFile, agent: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", visible(&file.source), visible(&file.outcome))?;
    let group = match file.group.as_str() {
        "" => "none speaks to it, so everything is allowed".to_owned(),
        group => visible(group).into_owned(),
    };
    writeln!(out, "  group for {}: {group}", visible(agent))?;
    if let Some(delay) = &file.crawl_delay {
        writeln!(out, "  crawl delay: {delay}")?;
    }
    for sitemap in &file.sitemaps {
        writeln!(out, "  sitemap: {}", visible(sitemap))?;
    }
    for problem in &file.problems {
        writeln!(out, "  problem: {}", visible(problem))?;
    }
    writeln!(out)
}
