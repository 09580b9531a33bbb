//! What goes in and out of tables, in the shapes that the window knows.

use serde::{Deserialize, Serialize};

/// A table and everything that can be asked of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableCard {
    pub id: String,
    pub title: String,
    /// In the order in which they are best shown.
    pub columns: Vec<ColumnCard>,
    /// The order it has unless another is asked for; `None` for that of the file, which costs nothing.
    pub sort: Option<Sort>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ColumnCard {
    pub id: String,
    pub label: String,
    pub kind: ColumnKind,
    /// In pixels.
    pub width: u32,
    /// Shown unless a person chooses otherwise.
    pub shown: bool,
    /// Sorting by it reads numbers only.
    pub quick: bool,
    pub help: String,
    /// Every value that it can have, where these are few and known.
    pub choices: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    Url,
    Text,
    Int,
    Real,
    Bytes,
    Ms,
    Status,
    Flag,
    Time,
    State,
    Verdict,
    Severity,
    Json,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sort {
    pub column: String,
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    Equals,
    Differs,
    /// Regardless of case, as the next three.
    Contains,
    Lacks,
    Starts,
    Ends,
    /// A regular expression in the syntax of Rust's `regex`.
    Matches,
    Above,
    Below,
    AtLeast,
    AtMost,
    Empty,
    Filled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Condition {
    pub column: String,
    pub operator: Operator,
    pub value: Value,
}

/// A cell, or what one is compared with. Integers stay below 2⁵³, which JSON's numbers hold exactly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

/// Positions `start..end`, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowRange {
    pub start: u64,
    pub end: u64,
}

/// Which rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    All(Vec<Filter>),
    Any(Vec<Filter>),
    Not(Box<Filter>),
    Is(Condition),
    /// A text in one of the columns that name a row, regardless of case.
    Search(String),
    /// Rows that have a finding of this audit: their URL, or, of links, the very occurrence.
    Finding(String),
    /// Occurrences of links to these URLs, by key.
    LinksTo(Vec<i64>),
    /// Occurrences of links on these pages, by key.
    LinksFrom(Vec<i64>),
    /// Occurrences of links to the URLs that stand at these positions of an open table.
    LinksToRows {
        table: u32,
        ranges: Vec<RowRange>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableQuery {
    pub table: String,
    pub crawl: i64,
    pub filter: Option<Filter>,
    /// `None` for the table's own order.
    pub sort: Option<Sort>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableOpened {
    /// Names the open table in every later call.
    pub table: u32,
    pub rows: u64,
    /// A statement over the documented views that gives the same rows in any SQLite tool.
    pub sql: String,
    pub took_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableRow {
    /// Key of the URL that the row is about, of a link the page on which it stands; 0 where the crawl did not meet it. Of the
    /// table `hosts` the number of the host.
    pub key: i64,
    /// What tells rows with one key apart: the number of a link, the hop of a chain, the place in a sitemap; else 0.
    pub link: i64,
    /// In the order of the columns asked for. All null where the row is gone since the table was opened.
    pub cells: Vec<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CopyFormat {
    Tsv,
    Markdown,
}
