//! The commands that read a project file and keep it in order.

use crate::args::{
    CrawlsArguments, ExportArguments, IssuesArguments, ShowArguments, SqlArguments, TextFormat,
};
use crate::exit::{Exit, Outcome, remark};
use crate::summary::{self, signed};
use crate::terminal::{format, print, stdout_width};
use engine::output::{Cell, Column, ColumnKind, Format, Sheet, TableStyle, counted, grouped, visible};
use engine::{
    Access, BrokenLinksOptions, CrawlCard, Engine, EngineError, Project, UrlSet, ViewCard, ViewQuery,
};
use std::io::{self, Write};

pub(crate) fn crawls(arguments: &CrawlsArguments) -> Outcome {
    let engine = Engine::system();
    let changes = !arguments.delete.is_empty() || arguments.keep.is_some() || arguments.compact;
    let access = if changes { Access::Write } else { Access::Read };
    let mut project = engine.open(&arguments.project, access)?;
    print(|out| {
        for crawl in &arguments.delete {
            project.delete_crawl(*crawl)?;
            writeln!(out, "Deleted crawl {crawl}.")?;
        }
        if let Some(keep) = arguments.keep {
            let deleted = project.keep_last(keep)?;
            writeln!(out, "Deleted {}.", counted(deleted.len() as u64, "crawl"))?;
        }
        if arguments.compact {
            let sizes = project.compact()?;
            writeln!(out, "Compacted from {} to {}.", size(sizes.before), size(sizes.after))?;
        }
        if changes {
            writeln!(out)?;
        }
        Ok(crawl_table(&project.crawls()?, out)?)
    })?;
    Ok(Exit::Done)
}

pub(crate) fn show(arguments: ShowArguments) -> Outcome {
    let project = Engine::system().open(&arguments.project, Access::Read)?;
    let Some(view) = arguments.view else {
        let views = project.views()?;
        print(|out| Ok(view_list(&views, arguments.format.format, out)?))?;
        return Ok(Exit::Done);
    };
    let query = ViewQuery {
        view,
        filter: arguments.filter,
        columns: arguments.columns,
        sort: arguments.sort,
        limit: arguments.limit,
        crawl: arguments.crawl.crawl.unwrap_or_default(),
    };
    print(|out| project.write_view(&query, format(arguments.format.format), out))?;
    Ok(Exit::Done)
}

pub(crate) fn issues(arguments: &IssuesArguments) -> Outcome {
    let project = Engine::system().open(&arguments.project, Access::Read)?;
    let crawl = arguments.crawl.crawl.unwrap_or_default();
    if arguments.format.format == TextFormat::Table {
        let lines = project.issues(crawl)?;
        let ignored = project.ignored_count(crawl)?;
        let file = summary::shell_word(&arguments.project.display().to_string());
        print(|out| {
            summary::table(&lines, out)?;
            if let Some(worst) = lines.first() {
                writeln!(out, "\nThe URLs of one audit: {}", summary::urls_of(&file, &worst.audit))?;
            }
            if ignored > 0 {
                writeln!(out, "{}: gossamer ignore {file} --list", summary::ignored(ignored))?;
            }
            Ok(())
        })?;
        return Ok(Exit::Done);
    }
    let filter = Some("NOT ignored".to_owned());
    let query = ViewQuery { view: "v_issues".to_owned(), crawl, filter, ..ViewQuery::default() };
    print(|out| project.write_view(&query, format(arguments.format.format), out))?;
    if let ignored @ 1.. = project.ignored_count(crawl)? {
        remark(&format!("{}, and not among these", summary::ignored(ignored)));
    }
    Ok(Exit::Done)
}

/// What `export` calls the report of broken links, beside the views.
const BROKEN_LINKS: &str = "broken-links";

/// What `export` calls the links to a set of URLs.
const INLINKS: &str = "inlinks";
/// Addresses that are named where a crawl did not meet them.
const NAMED: usize = 10;

fn inlinks(arguments: ExportArguments) -> Outcome {
    let of = match (arguments.of, arguments.filter) {
        (Some(list), _) => UrlSet::Listed(super::audit::read_list(&list)?),
        (None, Some(condition)) => UrlSet::Where(condition),
        (None, None) => {
            return Err(EngineError::Usage(
                "whose inlinks? Name the URLs with --of FILE (- for standard input) or --where SQL"
                    .to_owned(),
            ));
        }
    };
    let crawl = arguments.crawl.crawl.unwrap_or_default();
    let written = Engine::system().export_inlinks(&arguments.project, &of, crawl, &arguments.to)?;
    for address in written.unknown.iter().take(NAMED) {
        remark(&format!("not in this crawl: {address}"));
    }
    if written.unknown.len() > NAMED {
        let more = grouped((written.unknown.len() - NAMED) as u64);
        remark(&format!("and {more} more that are not in this crawl"));
    }
    print(|out| {
        let path = written.file.path.display().to_string();
        let path = visible(&path);
        let rows = counted(written.file.rows, "row");
        Ok(writeln!(out, "{path}: {rows}, links to {}", counted(written.urls, "URL"))?)
    })?;
    Ok(Exit::Done)
}

pub(crate) fn export(arguments: ExportArguments) -> Outcome {
    let is_report = arguments.view.replace('_', "-") == BROKEN_LINKS;
    let for_the_report = arguments.profile.is_some() || !arguments.set.is_empty() || arguments.unverified;
    if for_the_report && !is_report {
        return Err(EngineError::Usage(format!(
            "--profile, --set and --unverified belong to the report of broken links: gossamer export FILE {BROKEN_LINKS}"
        )));
    }
    let crawl = arguments.crawl.crawl.unwrap_or_default();
    if arguments.view == INLINKS {
        return inlinks(arguments);
    }
    if arguments.of.is_some() || arguments.filter.is_some() {
        return Err(EngineError::Usage(format!(
            "--of and --where say whose inlinks are meant: gossamer export FILE {INLINKS}"
        )));
    }
    let written = if is_report {
        let options = BrokenLinksOptions {
            style: engine::report_style(arguments.profile.as_deref(), &arguments.set)?,
            include_unverified: arguments.unverified,
        };
        let project = Engine::system().open(&arguments.project, Access::Read)?;
        vec![project.broken_links(crawl, &options, &arguments.to)?]
    } else {
        let project = Engine::system().open(&arguments.project, Access::Read)?;
        project.export(&ViewQuery { view: arguments.view, crawl, ..ViewQuery::default() }, &arguments.to)?
    };
    print(|out| {
        for file in &written {
            let path = file.path.display().to_string();
            let left_out = match file.left_out {
                0 => String::new(),
                ignored => format!(", {} left out", summary::ignored(ignored)),
            };
            writeln!(out, "{}: {}{left_out}", visible(&path), counted(file.rows, "row"))?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

pub(crate) fn sql(arguments: &SqlArguments) -> Outcome {
    let mut project: Project = Engine::system().open(&arguments.project, Access::Read)?;
    print(|out| project.write_sql(&arguments.statement, format(arguments.format.format), out))?;
    Ok(Exit::Done)
}

fn crawl_table(crawls: &[CrawlCard], out: &mut dyn Write) -> io::Result<()> {
    let mut columns = vec![
        Column::new("crawl", ColumnKind::Number),
        Column::new("job", ColumnKind::Text),
        Column::new("state", ColumnKind::Text),
        Column::new("started", ColumnKind::Text),
        Column::new("start_url", ColumnKind::Url),
    ];
    let states =
        ["encountered", "fetched", "failed", "blocked", "excluded", "over_limit", "not_followed", "queued"];
    columns.extend(states.map(|name| Column::new(name, ColumnKind::Number)));
    let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, out)?;
    for card in crawls {
        let state = match &card.holder {
            // The holder is the program and, after the last comma, its process.
            Some(holder) => format!("running now ({})", holder.rsplit(", ").next().unwrap_or(holder)),
            None if card.resumable => format!("{} (can be resumed)", card.state),
            None => card.state.clone(),
        };
        let counts = &card.counts;
        let numbers = [
            counts.encountered,
            counts.fetched,
            counts.failed,
            counts.blocked,
            counts.excluded,
            counts.over_limit,
            counts.not_followed,
            counts.queued,
        ];
        let mut row = vec![
            Cell::Int(card.crawl),
            Cell::Text(&card.job),
            Cell::Text(&state),
            Cell::Text(&card.started),
            Cell::Text(&card.start_url),
        ];
        row.extend(numbers.map(|number| Cell::Int(signed(number))));
        sheet.row(&row)?;
    }
    sheet.finish().map(drop)
}

fn view_list(views: &[ViewCard], wanted: TextFormat, out: &mut dyn Write) -> io::Result<()> {
    let columns = [
        Column::new("view", ColumnKind::Text),
        Column::new("about", ColumnKind::Text),
        Column::new("columns", ColumnKind::Text),
    ];
    let mut sheet = Sheet::new(format(wanted), &columns, out)?;
    for view in views {
        sheet.row(&[
            Cell::Text(&view.name),
            Cell::Text(&view.about),
            Cell::Text(&view.columns.join(", ")),
        ])?;
    }
    sheet.finish().map(drop)
}

/// Bytes in the unit a person reads.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{} MB", grouped(bytes / 1_000_000)),
    }
}
