//! A project file being read and kept in order.

use crate::destination;
use crate::dto::{
    Access, Compaction, Counts, CrawlCard, CrawlChoice, Exported, IssueLine, ViewCard, ViewQuery,
};
use crate::error::EngineError;
use crate::insight::cards::{priority_rank, severity_rank};
use crate::job::project_error;
use crate::seams::Engine;
use model::Clock;
use report::{Cell, Column, ColumnKind, Format, Sheet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{Reader, Row, StoreError, Value, Writer};

/// An open project file.
pub struct Project {
    path: PathBuf,
    reader: Reader,
    writer: Option<Writer>,
    clock: Arc<dyn Clock>,
}

/// A person's own SQL may take this long.
const SQL_LIMIT: Duration = Duration::from_secs(60);

/// One line an audit with findings, worst first. Findings of one audit may differ in severity: a line each.
///
/// Materialised, so that what is grouped is five words a finding: what the weights of all audits are made of (details of
/// documents among them) would be sorted with each otherwise.
const ISSUES_SQL: &str = "
    WITH i AS MATERIALIZED (SELECT audit, family, severity, priority, url FROM v_issues WHERE crawl = ?1 AND audit IN (SELECT value FROM json_each(?2)) AND NOT ignored)
    SELECT i.audit, a.title, i.family, i.severity, i.priority, count(*), count(DISTINCT i.url)
    FROM i JOIN audit a ON a.name = i.audit GROUP BY i.audit, i.severity, i.priority";

/// Audits whose findings weigh the same and all count, so that the evaluation's own numbers are theirs. ?2: the audits whose findings
/// may weigh differently, as a JSON list.
const COUNTED_SQL: &str = "
    SELECT n.name, n.title, n.family, coalesce(o.severity, n.severity), coalesce(o.priority, n.priority), e.findings, e.urls
    FROM evaluation e JOIN audit n ON n.id = e.audit LEFT JOIN audit_override o ON o.audit = n.name
    WHERE e.crawl = ?1 AND e.findings > 0 AND n.name NOT IN (SELECT value FROM json_each(?2))
      AND NOT EXISTS (SELECT 1 FROM ignored_finding x WHERE x.crawl = ?1 AND x.audit = n.id) AND NOT EXISTS (SELECT 1 FROM ignored g WHERE g.audit = n.name)";

/// Audits that found something, by name.
const FOUND_SQL: &str =
    "SELECT n.name FROM audit n WHERE EXISTS (SELECT 1 FROM finding f WHERE f.crawl = ?1 AND f.audit = n.id)";

/// Runs a query, of whichever connection, and hands on its rows.
pub(crate) type Read<'r> = dyn FnMut(&str, &[Value], &mut dyn FnMut(&Row)) -> Result<(), StoreError> + 'r;

/// One line an audit of a crawl that found something, worst first. What needs a look at each finding is looked at; a million
/// others are not.
pub(crate) fn issue_lines(read: &mut Read<'_>, crawl: i64) -> Result<Vec<IssueLine>, StoreError> {
    let list = |names: Vec<&str>| Value::Text(serde_json::Value::from(names).to_string());
    let varying = audit::catalogue().iter().filter(|audit| audit.escalation.is_some());
    let varying = list(varying.map(|audit| audit.id).collect());
    let mut lines = Vec::new();
    read(COUNTED_SQL, &[crawl.into(), varying], &mut |row| lines.push(issue_line(row)))?;
    let mut others = Vec::new();
    read(FOUND_SQL, &[crawl.into()], &mut |row| others.push(row.text(0).to_owned()))?;
    let counted: std::collections::BTreeSet<String> = lines.iter().map(|line| line.audit.clone()).collect();
    others.retain(|name| !counted.contains(name));
    let others = list(others.iter().map(String::as_str).collect());
    read(ISSUES_SQL, &[crawl.into(), others], &mut |row| lines.push(issue_line(row)))?;
    let rank = |line: &IssueLine| (severity_rank(&line.severity), priority_rank(&line.priority));
    lines.sort_by(|a, b| (rank(a), b.findings, &a.audit).cmp(&(rank(b), a.findings, &b.audit)));
    Ok(lines)
}

/// The number of the latest crawl, as an SQL expression.
const LATEST_SQL: &str =
    "coalesce((SELECT max(id) FROM crawl WHERE job <> 'recheck'), (SELECT max(id) FROM crawl))";

fn issue_line(row: &Row) -> IssueLine {
    IssueLine {
        audit: row.text(0).to_owned(),
        title: row.text(1).to_owned(),
        family: row.text(2).to_owned(),
        severity: row.text(3).to_owned(),
        priority: row.text(4).to_owned(),
        findings: row.int(5) as u64,
        urls: row.int(6) as u64,
    }
}

impl Engine {
    /// Opens a project file that exists.
    pub fn open(&self, project: &Path, access: Access) -> Result<Project, EngineError> {
        if !project.exists() {
            return Err(EngineError::Project {
                path: project.to_owned(),
                reason: "there is no such file".to_owned(),
            });
        }
        let writer = match access {
            Access::Read => None,
            Access::Write => Some(self.writer(project)?),
        };
        let reader = self.reader(project)?;
        Ok(Project { path: project.to_owned(), reader, writer, clock: Arc::clone(self.clock()) })
    }

    /// Opens a project file for a look at its crawls. One of an older version stays as it is.
    pub(crate) fn glance(&self, project: &Path) -> Result<Project, EngineError> {
        let reader = Reader::open(project).map_err(|error| project_error(project, error))?;
        Ok(Project { path: project.to_owned(), reader, writer: None, clock: Arc::clone(self.clock()) })
    }

    /// A reader of a project file of this program's version: one of an older version is brought up to it first, after a copy.
    pub(crate) fn reader(&self, project: &Path) -> Result<Reader, EngineError> {
        let open = || {
            let opened = Reader::open(project).and_then(|reader| {
                reader.tell_day_by(Arc::clone(self.clock()))?;
                Ok(reader)
            });
            opened.map_err(|error| project_error(project, error))
        };
        let reader = open()?;
        if !reader.is_older().map_err(|error| project_error(project, error))? {
            return Ok(reader);
        }
        drop(reader);
        let upgraded = Writer::open(project, &self.store_options());
        upgraded.map(drop).map_err(|error| EngineError::Project {
            path: project.to_owned(),
            reason: format!("{OLDER}: {error}"),
        })?;
        open()
    }
}

impl Project {
    pub(crate) const fn reader(&self) -> &Reader {
        &self.reader
    }

    pub(crate) fn failed(&self, error: StoreError) -> EngineError {
        project_error(&self.path, error)
    }

    /// Unix milliseconds.
    pub(crate) fn now(&self) -> i64 {
        model::clock::unix_millis(self.clock.wall())
    }

    pub(crate) fn writer(&mut self) -> Result<&mut Writer, EngineError> {
        self.writer
            .as_mut()
            .ok_or_else(|| EngineError::Internal("the project was opened for reading".to_owned()))
    }

    /// All crawls, oldest first.
    pub fn crawls(&self) -> Result<Vec<CrawlCard>, EngineError> {
        let sql = "SELECT crawl, job, start_url, started, finished, state, encountered, fetched, failed, blocked, excluded, over_limit, not_followed, queued
                   FROM v_crawls ORDER BY crawl";
        let mut cards = Vec::new();
        let read = self.reader.rows(sql, &[], &mut |row| {
            let n = |column| row.int(column) as u64;
            cards.push(CrawlCard {
                crawl: row.int(0),
                job: row.text(1).to_owned(),
                start_url: row.text(2).to_owned(),
                started: row.text(3).to_owned(),
                finished: row.opt_text(4).map(str::to_owned),
                state: row.text(5).to_owned(),
                resumable: !matches!(row.text(5), "finished" | "failed"),
                holder: None,
                counts: Counts {
                    encountered: n(6),
                    fetched: n(7),
                    failed: n(8),
                    blocked: n(9),
                    excluded: n(10),
                    over_limit: n(11),
                    not_followed: n(12),
                    queued: n(13),
                },
            });
            true
        });
        read.map_err(|error| self.failed(error))?;
        self.tell_running(&mut cards);
        Ok(cards)
    }

    /// Tells a crawl that is at work from one whose process ended before it could say so.
    fn tell_running(&self, cards: &mut [CrawlCard]) {
        // Where this project is open for writing, nobody else can be at work on it.
        let mut holder = if self.writer.is_some() { None } else { store::holder(&self.path) };
        // A process works on one crawl, the newest that is not at its end.
        for card in
            cards.iter_mut().rev().filter(|card| matches!(card.state.as_str(), "running" | "analysing"))
        {
            match holder.take() {
                Some(holder) => {
                    card.resumable = false;
                    card.holder = Some(holder);
                }
                None => "interrupted".clone_into(&mut card.state),
            }
        }
    }

    pub fn delete_crawl(&mut self, crawl: i64) -> Result<(), EngineError> {
        let deleted = self.writer()?.delete_crawl(crawl);
        deleted.map_err(|error| self.failed(error))
    }

    /// Deletes all crawls but the newest `keep`, at least one; gives the ids deleted.
    pub fn keep_last(&mut self, keep: usize) -> Result<Vec<i64>, EngineError> {
        if keep == 0 {
            return Err(EngineError::Usage(
                "at least one crawl is kept; a project that is not wanted any more is a file to delete"
                    .to_owned(),
            ));
        }
        let deleted = self.writer()?.keep_last(keep);
        deleted.map_err(|error| self.failed(error))
    }

    /// Rewrites the file without what nothing refers to.
    pub fn compact(&mut self) -> Result<Compaction, EngineError> {
        let done = self.writer()?.compact();
        let done = done.map_err(|error| self.failed(error))?;
        Ok(Compaction { before: done.before, after: done.after })
    }

    /// The documented views, in the order in which they are explained.
    pub fn views(&self) -> Result<Vec<ViewCard>, EngineError> {
        let names: Vec<&'static str> = VIEWS.iter().map(|(name, _)| *name).collect();
        let mut cards = Vec::with_capacity(names.len());
        for (name, about) in VIEWS {
            let columns =
                self.reader.columns(&format!("SELECT * FROM {name}")).map_err(|error| self.failed(error))?;
            cards.push(ViewCard { name: (*name).to_owned(), about: (*about).to_owned(), columns });
        }
        Ok(cards)
    }

    /// Streams rows of a view; gives their number.
    pub fn write_view(
        &self,
        query: &ViewQuery,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<u64, EngineError> {
        let (sql, parameters) = self.select(query)?;
        self.write_rows(&sql, &parameters, format, out)
    }

    /// One line an audit that found something, worst first.
    pub fn issues(&self, crawl: CrawlChoice) -> Result<Vec<IssueLine>, EngineError> {
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => self.known(crawl)?,
            CrawlChoice::Latest | CrawlChoice::All => self.latest()?,
        };
        let mut read = |sql: &str, cells: &[Value], each: &mut dyn FnMut(&Row)| {
            self.reader.rows(sql, cells, &mut |row| {
                each(row);
                true
            })
        };
        issue_lines(&mut read, crawl).map_err(|error| self.failed(error))
    }

    /// Streams the rows of one reading statement; gives their number.
    pub fn write_sql(&mut self, sql: &str, format: Format, out: &mut dyn Write) -> Result<u64, EngineError> {
        self.reader.check_statement(sql).map_err(|error| self.failed(error))?;
        self.reader.limit_time(SQL_LIMIT, Arc::clone(&self.clock)).map_err(|error| self.failed(error))?;
        self.write_rows(sql, &[], format, out)
    }

    /// Writes a view to a file by its ending, or all views into a folder as CSV. Files appear whole or not at all.
    pub fn export(&self, query: &ViewQuery, to: &Path) -> Result<Vec<Exported>, EngineError> {
        if query.view != "all" {
            let format = Format::of_path(to).ok_or_else(|| {
                EngineError::Usage(format!(
                    "{}: the ending says the format; {} can be written",
                    to.display(),
                    Format::ENDINGS.join(", ")
                ))
            })?;
            return Ok(vec![self.export_one(query, format, to)?]);
        }
        if to.exists() && !to.is_dir() {
            return Err(EngineError::Usage(format!(
                "all views go into a folder; {} is a file",
                to.display()
            )));
        }
        std::fs::create_dir_all(to).map_err(|why| EngineError::Unwritable { path: to.to_owned(), why })?;
        let format = Format::Csv(report::CsvStyle { bom: true, terminal: false });
        let mut written = Vec::new();
        for (name, _) in VIEWS {
            let one = ViewQuery { view: (*name).to_owned(), ..query.clone() };
            written.push(self.export_one(
                &one,
                format,
                &to.join(format!("{}.csv", name.trim_start_matches("v_"))),
            )?);
        }
        Ok(written)
    }

    fn export_one(&self, query: &ViewQuery, format: Format, to: &Path) -> Result<Exported, EngineError> {
        // What may stay is not handed on, and it is said how much that is.
        let (mut query, mut left_out) = (query.clone(), 0);
        if view_name(&query.view)? == "v_issues" {
            left_out = match query.crawl {
                CrawlChoice::All => {
                    let crawls = self.crawls()?;
                    let counts =
                        crawls.iter().map(|card| self.ignored_count(CrawlChoice::Number(card.crawl)));
                    counts.sum::<Result<u64, _>>()?
                }
                one => self.ignored_count(one)?,
            };
            query.filter = Some(match query.filter.take() {
                Some(filter) => format!("({filter}) AND NOT ignored"),
                None => "NOT ignored".to_owned(),
            });
        }
        // The query is checked before anything appears on the disk.
        let (sql, parameters) = self.select(&query)?;
        let unwritable = |why| EngineError::Unwritable { path: to.to_owned(), why };
        let mut file = destination::create(to)?;
        let written = self.write_rows(&sql, &parameters, format, &mut file);
        let rows = written.map_err(|error| match error {
            EngineError::Output(why) => unwritable(why),
            other => other,
        })?;
        file.place().map_err(unwritable)?;
        Ok(Exported { path: to.to_owned(), rows, left_out })
    }

    /// The statement of a query, checked word by word against what the view has.
    fn select(&self, query: &ViewQuery) -> Result<(String, Vec<Value>), EngineError> {
        let name = view_name(&query.view)?;
        let all =
            self.reader.columns(&format!("SELECT * FROM {name}")).map_err(|error| self.failed(error))?;
        let known = |column: &str| -> Result<String, EngineError> {
            if all.iter().any(|known| known == column) {
                return Ok(format!("\"{column}\""));
            }
            Err(EngineError::Usage(format!("{name} has no column “{column}”; it has {}", all.join(", "))))
        };
        let columns = if query.columns.is_empty() {
            "*".to_owned()
        } else {
            query.columns.iter().map(|column| known(column)).collect::<Result<Vec<_>, _>>()?.join(", ")
        };
        let mut sql = format!("SELECT {columns} FROM {name}");
        let mut parameters = Vec::new();
        let mut conditions = Vec::new();
        if all.iter().any(|column| column == "crawl") {
            let crawl = match query.crawl {
                CrawlChoice::All => None,
                CrawlChoice::Number(crawl) => Some(self.known(crawl)?),
                // The list of crawls is about all of them.
                CrawlChoice::Latest if name == "v_crawls" => None,
                CrawlChoice::Latest => Some(self.latest()?),
            };
            if let Some(crawl) = crawl {
                conditions.push("crawl = ?1".to_owned());
                parameters.push(Value::Int(crawl));
            }
        }
        if let Some(filter) = &query.filter {
            conditions.push(format!("({filter})"));
        }
        if !conditions.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&conditions.join(" AND "));
        }
        if let Some(sort) = &query.sort {
            let (column, order) =
                sort.strip_prefix('-').map_or((sort.as_str(), ""), |column| (column, " DESC"));
            sql.push_str(&format!(" ORDER BY {}{order}", known(column)?));
        }
        if let Some(limit) = query.limit {
            sql.push_str(&format!(" LIMIT {limit}"));
        }
        self.reader.check_statement(&sql).map_err(|error| self.failed(error))?;
        Ok((sql, parameters))
    }

    pub(crate) fn write_rows(
        &self,
        sql: &str,
        parameters: &[Value],
        format: Format,
        out: &mut dyn Write,
    ) -> Result<u64, EngineError> {
        let names = self.reader.columns(sql).map_err(|error| self.failed(error))?;
        let columns: Vec<Column> =
            names.into_iter().map(|name| Column::new(name.clone(), kind_of(&name))).collect();
        let mut sheet = Sheet::new(format, &columns, out)?;
        let mut broken = None;
        let read = self.reader.rows(sql, parameters, &mut |row| {
            let values: Vec<Value> = (0..columns.len()).map(|column| row.value(column)).collect();
            let cells: Vec<Cell> = values
                .iter()
                .map(|value| match value {
                    Value::Null => Cell::Null,
                    Value::Int(number) => Cell::Int(*number),
                    Value::Real(number) => Cell::Real(*number),
                    Value::Text(text) => Cell::Text(text),
                })
                .collect();
            match sheet.row(&cells) {
                Ok(()) => true,
                Err(error) => {
                    broken = Some(error);
                    false
                }
            }
        });
        read.map_err(|error| self.failed(error))?;
        if let Some(error) = broken {
            return Err(error.into());
        }
        Ok(sheet.finish()?)
    }

    /// The latest crawl. One that only looked again at some URLs is not meant, where there is another.
    pub(crate) fn latest(&self) -> Result<i64, EngineError> {
        let found = self
            .reader
            .one(&format!("SELECT {LATEST_SQL}"), &[], |row| row.opt_int(0))
            .map_err(|error| self.failed(error))?;
        found.flatten().ok_or_else(|| EngineError::Usage(format!("{} has no crawl yet", self.path.display())))
    }

    /// The crawl, when the project has it.
    pub(crate) fn known(&self, crawl: i64) -> Result<i64, EngineError> {
        let found = self.reader.one("SELECT id FROM crawl WHERE id = ?1", &[crawl.into()], |row| row.int(0));
        found
            .map_err(|error| self.failed(error))?
            .ok_or_else(|| EngineError::Usage(format!("{} has no crawl {crawl}", self.path.display())))
    }
}

/// `urls` and `v_urls` name the same view.
fn view_name(said: &str) -> Result<&'static str, EngineError> {
    let wanted = format!("v_{}", said.trim().trim_start_matches("v_").replace('-', "_"));
    VIEWS.iter().map(|(name, _)| *name).find(|name| *name == wanted).ok_or_else(|| {
        let all: Vec<&str> = VIEWS.iter().map(|(name, _)| name.trim_start_matches("v_")).collect();
        EngineError::Usage(format!("there is no view “{said}”; there are {}", all.join(", ")))
    })
}

/// How a column of the documented views is shown, by its name.
fn kind_of(column: &str) -> ColumnKind {
    match column {
        "url" | "source" | "target" | "start_url" | "redirect_target" | "final_url" | "hop_url"
        | "sitemap" | "image" | "canonical" | "first_source" | "origin" | "parent" => ColumnKind::Url,
        "evidence" | "headings" | "details" => ColumnKind::Json,
        "started" | "finished" | "requested" | "fetched" | "moment" | "certificate_expires" => {
            ColumnKind::Moment
        }
        _ => ColumnKind::Text,
    }
}

/// Why a file that is only to be read has to be written.
const OLDER: &str = "the file was made by an older version of Gossamer and has to be brought up to date before it can be read";

/// The documented views with what a row of each is.
pub(crate) const VIEWS: &[(&str, &str)] = &[
    ("v_crawls", "the crawls of the project"),
    ("v_urls", "every URL a crawl met, with its state and answer"),
    ("v_responses", "every answer with its headers, address and times"),
    ("v_pages", "internal HTML pages with their facts"),
    ("v_links", "every occurrence of a link, with what came of its target"),
    ("v_issues", "what the audits found, with evidence"),
    ("v_templates", "findings by the place in the markup that they share"),
    ("v_changes", "what differs from an earlier crawl"),
    ("v_lives", "what became of findings: fixed, held, back, not looked at again"),
    ("v_ignored", "which findings a person does not want to be told of"),
    ("v_rechecks", "what became of findings that were looked at again"),
    ("v_redirects", "every hop of every redirect chain"),
    ("v_hosts", "hosts contacted: requests, bytes, robots.txt"),
    ("v_robots", "robots.txt of each origin as fetched"),
    ("v_sitemaps", "sitemaps read"),
    ("v_sitemap_problems", "what is wrong with the sitemaps, and where"),
    ("v_sitemap_entries", "entries of the sitemaps"),
    ("v_hreflang", "language alternates and whether they return"),
    ("v_images", "every occurrence of an image"),
    ("v_attempts", "requests of URLs that needed more than one, or were answered with 304"),
    ("v_problems", "what was wrong with the bytes of a URL"),
    ("v_flaws", "what is wrong with the markup, element by element"),
    ("v_structured", "structured data: every entity with its properties"),
    ("v_warnings", "what a crawl warned about"),
    ("v_probes", "how the site answers what is not there"),
    ("v_agents", "what pages answered a second user agent"),
    ("v_traps", "patterns of addresses without end that were paused"),
    ("v_segments", "parts of the site by name, with the patterns of their URLs"),
    ("v_custom", "what custom searches and extractions found"),
];
