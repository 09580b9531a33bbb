//! `gossamer changes`: two crawls of a project beside each other.

use crate::args::{ChangesArguments, TextFormat};
use crate::exit::{Exit, Outcome};
use crate::summary::{shell_word, signed};
use crate::terminal::{format, print, stdout_width};
use engine::output::{Cell, Column, ColumnKind, Format, Sheet, TableStyle, counted, grouped, visible};
use engine::{Access, ChangeReport, ChangeTone, ChangesRequest, Engine};
use std::io::{self, Write};

pub(crate) fn changes(arguments: &ChangesArguments) -> Outcome {
    let engine = Engine::system();
    let request = ChangesRequest { from: arguments.from, to: arguments.to, mapping: arguments.map.clone() };
    let report = engine.changes(&arguments.project, &request)?;
    if arguments.format.format == TextFormat::Table {
        print(|out| Ok(overview(&report, &shell_word(&arguments.project.display().to_string()), out)?))?;
        return Ok(Exit::Done);
    }
    let project = engine.open(&arguments.project, Access::Read)?;
    print(|out| project.write_changes(&report, format(arguments.format.format), out))?;
    Ok(Exit::Done)
}

fn overview(report: &ChangeReport, file: &str, out: &mut dyn Write) -> io::Result<()> {
    let (earlier, later) = (&report.earlier, &report.later);
    writeln!(
        out,
        "Crawl {} ({}) against crawl {} ({})",
        later.crawl,
        day(&later.started),
        earlier.crawl,
        day(&earlier.started)
    )?;
    for (from, to) in &report.mapping {
        writeln!(out, "  {} is compared with {}", visible(from), visible(to))?;
    }
    writeln!(out)?;
    if report.changes.is_empty() {
        writeln!(out, "Nothing changed.")?;
    } else {
        let columns = [
            Column::new("number", ColumnKind::Number),
            Column::new("what", ColumnKind::Text),
            Column::new("change", ColumnKind::Text),
        ];
        let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, &mut *out)?;
        for change in &report.changes {
            let mark = match change.tone {
                ChangeTone::Good => "+ ",
                ChangeTone::Bad => "! ",
                ChangeTone::Neutral => "  ",
            };
            let title = format!("{mark}{}", change.title);
            sheet.row(&[Cell::Int(signed(change.count)), Cell::Text(&title), Cell::Text(&change.change)])?;
        }
        sheet.finish()?;
    }
    if let Some(lives) = report.lives {
        writeln!(out)?;
        writeln!(
            out,
            "Findings: {} new, {} fixed, {} still fixed, {} back, {} not looked at again",
            grouped(lives.new),
            grouped(lives.fixed),
            grouped(lives.held),
            grouped(lives.regressed),
            grouped(lives.not_rechecked)
        )?;
    }
    if let Some(first) = report.changes.first() {
        let all: u64 = report.changes.iter().map(|change| change.count).sum();
        writeln!(
            out,
            "\n{}, with what was and what is: gossamer changes {file} --from {} --to {} --format csv",
            counted(all, "change"),
            earlier.crawl,
            later.crawl
        )?;
        writeln!(
            out,
            "One kind: gossamer show {file} changes --crawl {} --where \"earlier = {} AND change = '{}'\"",
            later.crawl, earlier.crawl, first.change
        )?;
    }
    Ok(())
}

/// The day of a moment.
fn day(moment: &str) -> &str {
    moment.get(..10).unwrap_or(moment)
}
