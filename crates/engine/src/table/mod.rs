//! Tables over a project file: what the window shows, filters, sorts, copies and exports.
//!
//! A table that is opened is an order of keys, built once; rows are then read in windows at any depth, each by its key,
//! through the same SQL as the documented views. Every open table reads on a connection of its own, so a long sort holds up
//! nobody, and a crawl that writes beside it neither: what it adds shows when the table is opened anew.
//!
//! Absences: nothing is written to the project file; no column, operator or label is known outside `catalogue` and `columns`.

mod catalogue;
mod columns;
mod copy;
mod dto;
mod export;
mod fields;
mod filter;
mod problem_reason;
mod shown;
#[cfg(test)]
mod tests;
pub(crate) mod tickets;

pub use dto::{
    ColumnCard, ColumnKind, Condition, CopyFormat, Filter, Operator, RowRange, Sort, TableCard, TableOpened,
    TableQuery, TableRow, Value,
};

use crate::error::EngineError;
use crate::job::project_error;
use crate::seams::Engine;
use catalogue::Table;
use filter::Pick;
use model::Clock;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::{Cancel, Ordering, Place, Row, Selection, StoreError};
use tickets::Tickets;

/// The open tables of one project file. Any thread may call; calls about different tables do not wait for one another.
pub struct Tables {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    /// A std lock: held for a look-up only.
    shelf: Mutex<Shelf>,
    tickets: Tickets,
}

#[derive(Default)]
struct Shelf {
    /// Number given last.
    last: u32,
    /// Counts uses, to tell which table was used longest ago.
    uses: u64,
    open: BTreeMap<u32, (Arc<OpenTable>, u64)>,
}

/// A table with an order. Held by whoever reads it, so that closing it never pulls it away.
struct OpenTable {
    table: &'static Table,
    selection: Selection,
    /// A std lock: held while one window is read.
    ordering: Mutex<Ordering>,
}

/// Tables open at a time: more than a window shows. Each costs a few megabytes.
const MOST_OPEN: usize = 24;
/// Rows of one window.
const MOST_ROWS: u64 = 1_000;
/// How long counting may take; it is asked for again and again while a crawl runs.
const COUNTING: Duration = Duration::from_millis(150);
/// Rows after which others who read the same table may come in.
const TURN: u64 = 500;
/// Keys handed on at once from one table to another.
const HANDED: u64 = 10_000;
/// URLs of a set that the statement for people names one by one.
const NAMED: usize = 1_000;

impl Engine {
    /// The tables of a project file that exists. Works beside whoever writes to it.
    pub fn tables(&self, project: &Path) -> Result<Tables, EngineError> {
        drop(self.reader(project)?);
        Ok(Tables {
            path: project.to_owned(),
            clock: Arc::clone(self.clock()),
            shelf: Mutex::new(Shelf::default()),
            tickets: Tickets::default(),
        })
    }
}

impl Tables {
    /// Every table with its columns, as they are without a project.
    pub fn catalogue() -> Vec<TableCard> {
        catalogue::cards(&[], &[], &[])
    }

    /// Every table with its columns, those that a person gave the project included.
    pub fn cards(&self) -> Result<Vec<TableCard>, EngineError> {
        let read = store::Reader::open(&self.path)
            .and_then(|reader| Ok((reader.segments()?, reader.fields()?, reader.custom_audits()?)));
        let (segments, fields, audits) = read.map_err(|error| self.failed(error))?;
        let segments: Vec<String> = segments.into_iter().map(|segment| segment.name).collect();
        let audits: Vec<String> = audits.into_iter().map(|audit| audit.id).collect();
        Ok(catalogue::cards(&segments, &fields, &audits))
    }

    /// Opens a table: finds its rows and puts them in order. `ticket` is a number of the caller's by which `cancel` finds the
    /// call; it then ends with `EngineError::Cancelled`.
    pub fn open_table(&self, query: &TableQuery, ticket: u64) -> Result<TableOpened, EngineError> {
        let began = self.clock.now();
        let cancel = self.tickets.begin(ticket);
        let opened = self.opened(query, &cancel);
        self.tickets.end(ticket);
        let (open, sql) = opened?;
        let rows = lock(&open.ordering).len();
        let table = self.put_on_shelf(open);
        let took = self.clock.now().saturating_duration_since(began);
        Ok(TableOpened { table, rows, sql, took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX) })
    }

    fn opened(&self, query: &TableQuery, cancel: &Cancel) -> Result<(OpenTable, String), EngineError> {
        let table = catalogue::find(&query.table)?;
        let compiled = filter::compile(table, query)?;
        let ordering = Ordering::open(&self.path, table.source(), query.crawl);
        let mut ordering = ordering.map_err(|error| self.failed(error))?;
        ordering.tell_day_by(Arc::clone(&self.clock)).map_err(|error| self.failed(error))?;
        if !ordering.has_crawl().map_err(|error| self.failed(error))? {
            return Err(self.failed(StoreError::NoCrawl(query.crawl)));
        }
        let mut sql = compiled.shown;
        for (n, pick) in compiled.picks.iter().enumerate() {
            let texts = self.pick(&ordering, n, pick, cancel)?;
            sql = sql.replace(&shown::pick_mark(n), &texts);
        }
        ordering.build(&compiled.selection, cancel).map_err(|error| self.failed(error))?;
        Ok((OpenTable { table, selection: compiled.selection, ordering: Mutex::new(ordering) }, sql))
    }

    /// Hands a set of URLs to an ordering and gives the first of them as SQL.
    fn pick(
        &self,
        ordering: &Ordering,
        n: usize,
        pick: &Pick,
        cancel: &Cancel,
    ) -> Result<String, EngineError> {
        let failed = |error| self.failed(error);
        let mut named = Vec::new();
        let mut seen = HashSet::new();
        let mut hand = |keys: &[i64]| -> Result<(), EngineError> {
            if cancel.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            let urls = || keys.iter().filter_map(|key| url_of(*key));
            ordering.pick(n as i64, &mut urls()).map_err(failed)?;
            for url in urls() {
                if seen.len() > NAMED {
                    break;
                }
                if seen.insert(url)
                    && let Some(text) = ordering.url_text(url).map_err(failed)?
                {
                    named.push(shown::quoted(&text));
                }
            }
            Ok(())
        };
        match pick {
            Pick::Found => {}
            Pick::Keys(keys) => hand(keys)?,
            Pick::Rows { table, ranges } => {
                let other = self.table(*table)?;
                if other.table.url_column().is_none() {
                    return Err(EngineError::Usage(format!(
                        "rows of the table {} are about no URL",
                        other.table.id
                    )));
                }
                self.each_chunk(&other, ranges, &mut |places| {
                    let keys: Vec<i64> = places.iter().map(|place| place.a).collect();
                    hand(&keys).map(|()| true)
                })?;
            }
        }
        let more = named.len() > NAMED;
        named.truncate(NAMED);
        let rest = if more { " /* and more, which are left out here */" } else { "" };
        Ok(format!("{}{rest}", named.join(", ")))
    }

    /// Ends the call of `open_table` with this ticket, or lets one that is on its way end at once.
    pub fn cancel(&self, ticket: u64) {
        self.tickets.cancel(ticket);
    }

    /// Rows from a position on, at most 1,000; fewer at the end.
    pub fn rows(
        &self,
        table: u32,
        start: u64,
        count: u64,
        columns: &[String],
    ) -> Result<Vec<TableRow>, EngineError> {
        let open = self.table(table)?;
        let select = select(open.table, columns)?;
        let end = start.saturating_add(count.min(MOST_ROWS));
        let mut rows = Vec::new();
        lock(&open.ordering)
            .rows(start, end, &select, &mut |place, row| {
                rows.push(TableRow { key: place.a, link: place.b, cells: cells(row, columns.len()) });
                true
            })
            .map_err(|error| self.failed(error))?;
        Ok(rows)
    }

    /// Rows that the same query would give now. Where counting them takes long, the number of the last time.
    pub fn length(&self, table: u32) -> Result<u64, EngineError> {
        let open = self.table(table)?;
        let counted = lock(&open.ordering).count_now(&open.selection, COUNTING, &self.clock);
        counted.map_err(|error| self.failed(error))
    }

    /// The first position of a row with this key; `None` where the table does not have it.
    pub fn position(&self, table: u32, key: i64, link: i64) -> Result<Option<u64>, EngineError> {
        let open = self.table(table)?;
        let found = lock(&open.ordering).position(key, link);
        found.map_err(|error| self.failed(error))
    }

    /// Keys of the URLs at these positions, each once, in order, at most `limit`.
    pub fn keys(&self, table: u32, ranges: &[RowRange], limit: usize) -> Result<Vec<i64>, EngineError> {
        let open = self.table(table)?;
        let mut keys = Vec::new();
        let mut seen = HashSet::new();
        self.each_chunk(&open, ranges, &mut |places| {
            for place in places {
                if keys.len() >= limit {
                    return Ok(false);
                }
                if url_of(place.a).is_some() && seen.insert(place.a) {
                    keys.push(place.a);
                }
            }
            Ok(true)
        })?;
        Ok(keys)
    }

    /// Rows as text for the clipboard, at most 200,000.
    pub fn copy(
        &self,
        table: u32,
        ranges: &[RowRange],
        columns: &[String],
        format: CopyFormat,
    ) -> Result<String, EngineError> {
        let open = self.table(table)?;
        let select = select(open.table, columns)?;
        let labels = columns
            .iter()
            .map(|id| open.table.column(id).map(|column| column.label))
            .collect::<Result<Vec<_>, _>>()?;
        let ranges = within(ranges, lock(&open.ordering).len());
        let wanted = ranges.iter().fold(0_u64, |sum, range| sum.saturating_add(range.end - range.start));
        let too_much = |what: &str| {
            Err(EngineError::Usage(format!(
                "{what} are too many to be copied; export them to a file instead"
            )))
        };
        if wanted > copy::MOST_ROWS {
            return too_much(&format!("{wanted} rows"));
        }
        let mut text = copy::heading(&labels, format);
        self.each_row(&open, &ranges, &select, &mut |row| {
            copy::row(&mut text, &cells(row, columns.len()), format);
            text.len() <= copy::MOST_BYTES
        })?;
        if text.len() > copy::MOST_BYTES {
            return too_much("these rows");
        }
        Ok(text)
    }

    pub fn close(&self, table: u32) {
        // Dropped after the lock: giving back a large order takes a moment.
        let closed = lock(&self.shelf).open.remove(&table);
        drop(closed);
    }

    fn failed(&self, error: StoreError) -> EngineError {
        project_error(&self.path, error)
    }

    fn table(&self, table: u32) -> Result<Arc<OpenTable>, EngineError> {
        let mut shelf = lock(&self.shelf);
        shelf.uses += 1;
        let uses = shelf.uses;
        shelf
            .open
            .get_mut(&table)
            .map(|(open, used)| {
                *used = uses;
                Arc::clone(open)
            })
            .ok_or_else(|| EngineError::Usage("this list was closed meanwhile; refresh it".to_owned()))
    }

    /// Where too many are open, the one that was used longest ago is closed.
    fn put_on_shelf(&self, open: OpenTable) -> u32 {
        let mut shelf = lock(&self.shelf);
        shelf.last += 1;
        shelf.uses += 1;
        let (table, uses) = (shelf.last, shelf.uses);
        shelf.open.insert(table, (Arc::new(open), uses));
        let oldest = if shelf.open.len() > MOST_OPEN {
            shelf.open.iter().min_by_key(|(_, (_, used))| *used).map(|(table, _)| *table)
        } else {
            None
        };
        let closed = oldest.and_then(|oldest| shelf.open.remove(&oldest));
        drop(shelf);
        drop(closed);
        table
    }

    /// Hands rows to `each` until it answers `false`, and lets other readers of the table in between.
    fn each_row(
        &self,
        open: &OpenTable,
        ranges: &[RowRange],
        select: &str,
        each: &mut dyn FnMut(Option<&Row>) -> bool,
    ) -> Result<(), EngineError> {
        let mut go_on = true;
        for range in ranges {
            let mut at = range.start;
            while go_on && at < range.end {
                let until = range.end.min(at + TURN);
                let read = lock(&open.ordering).rows(at, until, select, &mut |_, row| {
                    go_on = each(row);
                    go_on
                });
                read.map_err(|error| self.failed(error))?;
                at = until;
            }
        }
        Ok(())
    }

    /// Hands the keys at these positions to `each`, some thousand at a time, until it answers `false`.
    fn each_chunk(
        &self,
        open: &OpenTable,
        ranges: &[RowRange],
        each: &mut dyn FnMut(&[Place]) -> Result<bool, EngineError>,
    ) -> Result<(), EngineError> {
        let ranges = within(ranges, lock(&open.ordering).len());
        for range in ranges {
            let mut at = range.start;
            while at < range.end {
                let until = range.end.min(at + HANDED);
                let places = lock(&open.ordering).places(at, until).map_err(|error| self.failed(error))?;
                if places.is_empty() || !each(&places)? {
                    return Ok(());
                }
                at = until;
            }
        }
        Ok(())
    }
}

/// What a window reads, as SQL.
fn select(table: &Table, columns: &[String]) -> Result<String, EngineError> {
    if columns.is_empty() {
        return Ok("NULL".to_owned());
    }
    let columns = columns.iter().map(|id| table.column(id).map(catalogue::Column::expression));
    Ok(columns.collect::<Result<Vec<_>, _>>()?.join(", "))
}

fn cells(row: Option<&Row>, columns: usize) -> Vec<Value> {
    (0..columns)
        .map(|column| match row.map_or(store::Value::Null, |row| row.value(column)) {
            store::Value::Null => Value::Null,
            store::Value::Int(number) => Value::Int(number),
            store::Value::Real(number) => Value::Real(number),
            store::Value::Text(text) => Value::Text(text),
        })
        .collect()
}

/// The number of a URL by its key in any crawl; `None` for what is none. Crawls count from 1, so smaller numbers are no keys.
fn url_of(key: i64) -> Option<u32> {
    let crawl = key >> store::schema::URL_BITS;
    if crawl < 1 { None } else { u32::try_from(key & i64::from(u32::MAX)).ok().filter(|url| *url > 0) }
}

/// The parts of ranges that a list of `rows` rows has.
fn within(ranges: &[RowRange], rows: u64) -> Vec<RowRange> {
    ranges
        .iter()
        .map(|range| RowRange { start: range.start, end: range.end.min(rows) })
        .filter(|range| range.start < range.end)
        .collect()
}

/// A thread that panicked left nothing half done behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
