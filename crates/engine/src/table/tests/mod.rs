//! Tables as their users see them, on made-up projects, on a crawl of the demo site, and beside a running writer.

mod asking;
mod links;
mod odd;
mod own;
mod reading;

use super::*;
use crate::demo::{Demo, many};
use crate::dto::{Access, AuditRequest, CrawlChoice, ViewQuery};
use crawl::Control;
use report::Format;
use std::sync::OnceLock;
use store::Reader;
use tempfile::TempDir;

const URLS: u32 = 2_000;

/// A made-up project, and the demo site crawled.
struct Stage {
    _folder: TempDir,
    many: PathBuf,
    demo: PathBuf,
}

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let many = folder.path().join("many.gossamer");
        many::make(&many, URLS).unwrap();
        let demo = folder.path().join("demo.gossamer");
        let site = Demo::start().unwrap();
        let request =
            AuditRequest { seeds: vec![site.url()], project: demo.clone(), ..AuditRequest::default() };
        Engine::system().audit(&request, &Control::new(), &|_| {}).unwrap();
        Stage { _folder: folder, many, demo }
    })
}

fn tables(path: &Path) -> Tables {
    Engine::system().tables(path).unwrap()
}

fn query(table: &str, filter: Option<Filter>, sort: Option<&str>) -> TableQuery {
    let sort = sort.map(|column| match column.strip_prefix('-') {
        Some(column) => Sort { column: column.to_owned(), descending: true },
        None => Sort { column: column.to_owned(), descending: false },
    });
    TableQuery { table: table.to_owned(), crawl: 1, filter, sort }
}

fn is(column: &str, operator: Operator, value: impl Into<Value>) -> Filter {
    Filter::Is(Condition { column: column.to_owned(), operator, value: value.into() })
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

fn names(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|column| (*column).to_owned()).collect()
}

fn ids(table: &str) -> Vec<String> {
    catalogue::find(table).unwrap().columns.iter().map(|column| column.id.to_owned()).collect()
}

fn open(tables: &Tables, query: &TableQuery) -> TableOpened {
    tables.open_table(query, 0).unwrap_or_else(|error| panic!("{query:?}: {error}"))
}

/// All rows of a query, read in windows.
fn rows(tables: &Tables, query: &TableQuery, columns: &[String]) -> Vec<TableRow> {
    let opened = open(tables, query);
    let mut rows = Vec::new();
    while (rows.len() as u64) < opened.rows {
        let window = tables.rows(opened.table, rows.len() as u64, 700, columns).unwrap();
        assert!(!window.is_empty(), "{query:?} ends at {} of {}", rows.len(), opened.rows);
        rows.extend(window);
    }
    tables.close(opened.table);
    rows
}

fn column(tables: &Tables, query: &TableQuery, column: &str) -> Vec<Value> {
    rows(tables, query, &names(&[column])).into_iter().map(|mut row| row.cells.remove(0)).collect()
}

fn texts(tables: &Tables, query: &TableQuery, id: &str) -> Vec<String> {
    column(tables, query, id)
        .into_iter()
        .map(|value| match value {
            Value::Text(text) => text,
            other => format!("{other:?}"),
        })
        .collect()
}

/// Rows of a statement as any SQLite tool gives them.
fn plain(path: &Path, sql: &str, columns: &[String]) -> Vec<Vec<Value>> {
    let listed: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let sql = format!("SELECT {} FROM ({sql})", listed.join(", "));
    let mut found = Vec::new();
    Reader::open(path)
        .unwrap()
        .rows(&sql, &[], &mut |row| {
            found.push(cells(Some(row), columns.len()));
            true
        })
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    found
}

/// The statement for people gives the rows that the table has.
fn check_shown(path: &Path, query: &TableQuery) -> usize {
    let tables = tables(path);
    let opened = open(&tables, query);
    // A statement that needs no further column does not have it.
    let beyond = catalogue::find(&query.table).unwrap().beyond;
    let columns: Vec<String> = ids(&query.table)
        .into_iter()
        .filter(|id| {
            beyond.is_none_or(|(extra, from)| opened.sql.contains(from) || !extra.contains(&id.as_str()))
        })
        .collect();
    let of_table: Vec<Vec<Value>> = rows(&tables, query, &columns).into_iter().map(|row| row.cells).collect();
    let of_tool = plain(path, &opened.sql, &columns);
    let sorted = |rows: &[Vec<Value>]| {
        let mut lines: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        lines.sort();
        lines
    };
    let (table, tool) = (sorted(&of_table), sorted(&of_tool));
    assert!(
        table == tool,
        "{}\n{} rows, the tool has {}\nonly here: {:?}\nonly there: {:?}",
        opened.sql,
        table.len(),
        tool.len(),
        table.iter().find(|row| !tool.contains(row)),
        tool.iter().find(|row| !table.contains(row)),
    );
    if let Some(sort) = &query.sort {
        let at = columns.iter().position(|column| *column == sort.column).unwrap();
        let keys = |rows: &[Vec<Value>]| rows.iter().map(|row| row[at].clone()).collect::<Vec<_>>();
        assert!(keys(&of_table) == keys(&of_tool), "{}", opened.sql);
    }
    of_table.len()
}
