//! What a person says about findings: `ignore`, `severity`, `evaluate` and `recheck`.

use super::audit::read_list;
use crate::args::TextFormat;
use crate::credentials::{self, Input};
use crate::exit::{Exit, Outcome, remark};
use crate::interrupt;
use crate::progress::Reporter;
use crate::said_args::{EvaluateArguments, IgnoreArguments, RecheckArguments, SeverityArguments};
use crate::summary::{self, signed};
use crate::terminal::{format, print, stdout_width};
use engine::output::{Cell, Column, ColumnKind, Format, Sheet, TableStyle, counted, grouped, visible};
use engine::{
    Access, Control, CrawlChoice, Engine, EngineError, EvaluateReport, EvaluateRequest, IgnoreRequest,
    IgnoreWhat, IgnoredCard, RecheckReport, RecheckRequest, SeverityCard, ViewQuery,
};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn ignore(arguments: IgnoreArguments) -> Outcome {
    let engine = Engine::system();
    if arguments.list {
        let project = engine.open(&arguments.project, Access::Read)?;
        if arguments.format.format == TextFormat::Table {
            let cards = project.ignored(CrawlChoice::Latest)?;
            print(|out| Ok(ignored_table(&cards, out)?))?;
        } else {
            let query = ViewQuery { view: "v_ignored".to_owned(), ..ViewQuery::default() };
            print(|out| project.write_view(&query, format(arguments.format.format), out))?;
        }
        return Ok(Exit::Done);
    }
    let mut project = engine.open(&arguments.project, Access::Write)?;
    if !arguments.remove.is_empty() {
        for number in &arguments.remove {
            project.stop_ignoring(*number)?;
        }
        print(|out| {
            for number in &arguments.remove {
                writeln!(out, "Entry {number} is gone; its findings count again.")?;
            }
            Ok(())
        })?;
        return Ok(Exit::Done);
    }
    let what = match (arguments.url_pattern, arguments.element, arguments.text) {
        (Some(pattern), _, _) => vec![IgnoreWhat::Pattern(pattern)],
        (_, Some(element), _) => vec![IgnoreWhat::Place { element, target: arguments.target }],
        (_, _, Some(text)) => vec![IgnoreWhat::Text(text)],
        _ if arguments.url.is_empty() => vec![IgnoreWhat::Audit],
        _ => arguments.url.into_iter().map(IgnoreWhat::Url).collect(),
    };
    let request = IgnoreRequest {
        audit: arguments.audit.unwrap_or_default(),
        what,
        reason: arguments.reason.unwrap_or_default(),
        until: arguments.until,
    };
    let cards = project.ignore(&request)?;
    print(|out| Ok(ignored_table(&cards, out)?))?;
    Ok(Exit::Done)
}

fn ignored_table(cards: &[IgnoredCard], out: &mut dyn Write) -> io::Result<()> {
    if cards.is_empty() {
        return writeln!(out, "Nothing is ignored.");
    }
    let columns = [
        Column::new("number", ColumnKind::Number),
        Column::new("audit", ColumnKind::Text),
        Column::new("what", ColumnKind::Text),
        Column::new("findings", ColumnKind::Number),
        Column::new("until", ColumnKind::Text),
        Column::new("reason", ColumnKind::Text),
    ];
    let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, out)?;
    for card in cards {
        let what = match &card.what {
            IgnoreWhat::Audit => "all".to_owned(),
            IgnoreWhat::Url(url) => url.clone(),
            IgnoreWhat::Pattern(pattern) => format!("URLs like {pattern}"),
            IgnoreWhat::Place { element, target: None } => element.clone(),
            IgnoreWhat::Place { element, target: Some(target) } if target.is_empty() => {
                format!("{element}, no URL")
            }
            IgnoreWhat::Place { element, target: Some(target) } => format!("{element}, to {target}"),
            IgnoreWhat::Text(text) => format!("“{text}”"),
        };
        let until = match (&card.until, card.expired) {
            (Some(day), true) => format!("{day} (over)"),
            (Some(day), false) => day.clone(),
            (None, _) => String::new(),
        };
        sheet.row(&[
            Cell::Int(card.number),
            Cell::Text(&card.audit),
            Cell::Text(&what),
            Cell::Int(signed(card.findings)),
            Cell::Text(&until),
            Cell::Text(&card.reason),
        ])?;
    }
    sheet.finish().map(drop)
}

pub(crate) fn severity(arguments: &SeverityArguments) -> Outcome {
    let engine = Engine::system();
    let Some(audit) = &arguments.audit else {
        let cards = engine.open(&arguments.project, Access::Read)?.severities()?;
        print(|out| Ok(severity_table(&cards, out)?))?;
        return Ok(Exit::Done);
    };
    if arguments.reset {
        engine.open(&arguments.project, Access::Write)?.reset_severity(audit)?;
        print(|out| Ok(writeln!(out, "{} weighs what it says itself again.", visible(audit))?))?;
        return Ok(Exit::Done);
    }
    let Some(severity) = &arguments.severity else {
        return Err(EngineError::Usage(
            "what shall it weigh? One of issue, warning, opportunity and note, or --reset".to_owned(),
        ));
    };
    let priority = arguments.priority.as_deref();
    engine.open(&arguments.project, Access::Write)?.set_severity(audit, severity, priority)?;
    let priority = priority.map_or_else(String::new, |priority| format!(", {priority} priority"));
    print(|out| Ok(writeln!(out, "{}: {severity}{priority} in this project.", visible(audit))?))?;
    Ok(Exit::Done)
}

fn severity_table(cards: &[SeverityCard], out: &mut dyn Write) -> io::Result<()> {
    if cards.is_empty() {
        return writeln!(out, "Every audit weighs what it says itself.");
    }
    let columns = ["audit", "severity", "priority", "of its own", "title"]
        .map(|name| Column::new(name, ColumnKind::Text));
    let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, out)?;
    for card in cards {
        let own = format!("{}, {}", card.own_severity, card.own_priority);
        sheet.row(&[
            Cell::Text(&card.audit),
            Cell::Text(&card.severity),
            Cell::Text(card.priority.as_deref().unwrap_or("as it says")),
            Cell::Text(&own),
            Cell::Text(&card.title),
        ])?;
    }
    sheet.finish().map(drop)
}

pub(crate) fn evaluate(arguments: EvaluateArguments) -> Outcome {
    let request = EvaluateRequest {
        project: arguments.project,
        crawl: arguments.crawl.crawl.unwrap_or_default(),
        set: arguments.set,
        reset: arguments.reset,
    };
    let control = Control::new();
    interrupt::watch(&control, |_| remark("Stopping: what was judged before stays."));
    let mut told = None;
    let report = Engine::system().evaluate(&request, &mut |crawl, _| {
        if told.replace(crawl) != Some(crawl) {
            remark(&format!("Judging crawl {crawl}"));
        }
        !control.is_stopped()
    })?;
    print(|out| Ok(evaluated(&request.project, &report, out)?))?;
    Ok(Exit::Done)
}

fn evaluated(project: &Path, report: &EvaluateReport, out: &mut dyn Write) -> io::Result<()> {
    let crawls: Vec<String> = report.crawls.iter().map(i64::to_string).collect();
    writeln!(
        out,
        "Judged {} {} anew.\n",
        if crawls.len() == 1 { "crawl" } else { "crawls" },
        crawls.join(", ")
    )?;
    if report.thresholds.is_empty() {
        writeln!(out, "The project has no thresholds of its own.")?;
    }
    for (id, value) in &report.thresholds {
        writeln!(out, "  {id} = {}", visible(value))?;
    }
    writeln!(out)?;
    if report.changes.is_empty() {
        writeln!(out, "No count changed.")?;
    } else {
        let columns = [
            Column::new("before", ColumnKind::Number),
            Column::new("now", ColumnKind::Number),
            Column::new("audit", ColumnKind::Text),
            Column::new("title", ColumnKind::Text),
        ];
        let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, &mut *out)?;
        for change in &report.changes {
            sheet.row(&[
                Cell::Int(signed(change.before)),
                Cell::Int(signed(change.after)),
                Cell::Text(&change.audit),
                Cell::Text(&change.title),
            ])?;
        }
        sheet.finish()?;
    }
    let file = summary::shell_word(&project.display().to_string());
    writeln!(out, "\nAll findings: gossamer issues {file}")
}

pub(crate) fn recheck(arguments: RecheckArguments) -> Outcome {
    let input = match arguments.list.as_deref() {
        Some(path) if path == Path::new("-") => Input::HoldsTheList,
        _ => Input::Free,
    };
    let mut faults = Vec::new();
    let credentials = credentials::read(&arguments.credentials, input, &mut faults);
    let mut urls = arguments.url;
    match arguments.list.as_deref().map(read_list).transpose() {
        Ok(listed) => urls.extend(listed.unwrap_or_default()),
        Err(error) => faults.push(error),
    }
    engine::refuse(faults)?;
    let request = RecheckRequest {
        project: arguments.project,
        audits: arguments.audit,
        urls,
        crawl: arguments.crawl.crawl.unwrap_or_default(),
        credentials,
    };
    let reporter = Arc::new(Reporter::new(arguments.progress));
    let control = Control::new();
    let told = Arc::clone(&reporter);
    interrupt::watch(&control, move |requests| told.stopping(requests));
    let engine = Engine::system();
    let (report, found) = match engine.recheck(&request, &control, &|event| reporter.observe(&event)) {
        Ok(done) => done,
        Err(error) => {
            reporter.failed(&error);
            return Ok(Exit::of(&error));
        }
    };
    reporter.finished(&report);
    let exit = if found.complete { Exit::Done } else { Exit::Interrupted };
    let shown = arguments.format.format;
    let written = if shown == TextFormat::Table {
        print(|out| Ok(rechecked(&request.project, &found, out)?))
    } else {
        let project = engine.open(&request.project, Access::Read)?;
        let crawl = CrawlChoice::Number(found.crawl);
        let query = ViewQuery { view: "v_rechecks".to_owned(), crawl, ..ViewQuery::default() };
        print(|out| project.write_view(&query, format(shown), out).map(drop))
    };
    match written {
        // What became of the findings stands, whether or not somebody read it to its end.
        Err(error) if !crate::exit::is_broken_pipe(&error) => Err(error),
        _ => Ok(exit),
    }
}

fn rechecked(project: &Path, report: &RecheckReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "Asked {} of crawl {} again: {} fixed, {} still there, {} not re-checked{}.\n",
        counted(report.asked, "URL"),
        report.base,
        grouped(report.fixed),
        grouped(report.still_there),
        grouped(report.not_rechecked),
        if report.waiting > 0 {
            format!(", {} still waiting", grouped(report.waiting))
        } else {
            String::new()
        }
    )?;
    let columns = [
        Column::new("result", ColumnKind::Text),
        Column::new("audit", ColumnKind::Text),
        Column::new("url", ColumnKind::Url),
        Column::new("target", ColumnKind::Url),
        Column::new("why", ColumnKind::Text),
    ];
    let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, &mut *out)?;
    for line in &report.findings {
        let result = match line.result.as_str() {
            "still_there" => "still there",
            "not_rechecked" => "not re-checked",
            other => other,
        };
        sheet.row(&[
            Cell::Text(result),
            Cell::Text(&line.audit),
            Cell::Text(&line.url),
            Cell::Text(line.target.as_deref().unwrap_or_default()),
            Cell::Text(line.why.as_deref().unwrap_or_default()),
        ])?;
    }
    sheet.finish()?;
    let file = summary::shell_word(&project.display().to_string());
    let all = report.fixed + report.still_there + report.not_rechecked + report.waiting;
    if all > report.findings.len() as u64 {
        writeln!(out, "and {} more", grouped(all - report.findings.len() as u64))?;
    }
    writeln!(out, "\nAs rows: gossamer show {file} rechecks --crawl {}", report.crawl)?;
    if !report.complete {
        writeln!(out, "To continue: gossamer resume {file}")?;
    }
    Ok(())
}
