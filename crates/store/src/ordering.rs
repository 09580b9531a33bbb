//! Rows by their position: an order of a table's rows that is built once and read in windows at any depth.
//!
//! The order is a temporary table of keys on a connection of its own, so OFFSET, which counts its way through all rows
//! before, is never needed. Cells are read when a window asks for them. Nothing is written to the project file: SQLite
//! keeps temporary tables in files of its own, which vanish with the connection.

use crate::error::StoreError;
use crate::functions;
use crate::source::{AllKeys, GATHERED, IN_SITEMAP, LISTED_SQL, Source, Steps, TargetTrait};
use crate::value::{Row, Value};
use model::Clock;
use rusqlite::{CachedStatement, Connection, OptionalExtension};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Memory};
use std::time::Duration;

/// The rows of a table in an order, and the connection that reads them.
pub struct Ordering {
    connection: Connection,
    source: Source,
    crawl: i64,
    rows: u64,
    /// A stored place stands for all positions up to the next one.
    steps: Steps,
    /// Rows as last counted, and `PRAGMA data_version` before: another number means that the file was written since.
    counted: (i64, u64),
}

/// The key of a row, as `Source` says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    pub a: i64,
    pub b: i64,
    pub c: i64,
}

impl Place {
    const fn after(self, steps: i64, kind: Steps) -> Self {
        match kind {
            Steps::One => self,
            Steps::A => Self { a: self.a + steps, ..self },
            Steps::B => Self { b: self.b + steps, ..self },
        }
    }
}

/// Which rows, and in which order. Texts are SQL over the columns of the source; `?1` is the crawl.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    pub condition: Option<String>,
    /// Without what makes it stable, which is added.
    pub order: Option<String>,
    /// Bound to `?2` and on.
    pub parameters: Vec<Value>,
    /// Sets of picked targets that are found by conditions; others are given by `Ordering::pick`.
    pub picks: Vec<TargetPick>,
    /// A set of picked targets which every row has to point at: the index is asked first, where that is shorter.
    pub targets: Option<i64>,
}

/// Targets that fulfil a condition.
#[derive(Debug, Clone)]
pub struct TargetPick {
    pub n: i64,
    pub about: TargetTrait,
    /// SQL over the columns of the source that say this of targets, with the parameters of the selection.
    pub condition: String,
}

/// Tells a running build, from any thread, that nobody waits for it any more.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Memory::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Memory::Relaxed)
    }
}

/// Steps of SQLite's machine between two looks at whether to go on: about a tenth of a millisecond.
const STEPS: i32 = 10_000;

/// Kilobytes of the file that a build keeps in memory, which is also how much is sorted at once before it goes to the disk.
const BUILDING_CACHE: i64 = 48_000;
/// Kilobytes while windows are read.
const READING_CACHE: i64 = 8_000;

/// Rows whose keys are read at once.
const CHUNK: u64 = 500;

impl Ordering {
    /// An empty ordering, for `pick` and then `build`.
    pub fn open(path: &Path, source: Source, crawl: i64) -> Result<Self, StoreError> {
        let connection = crate::open::for_reading(path)?;
        functions::register(&connection)?;
        let ordering = Self { connection, source, crawl, rows: 0, steps: Steps::One, counted: (0, 0) };
        ordering.writing(|connection| {
            connection.execute_batch(
                "CREATE TEMP TABLE ordering(pos INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL);
                 CREATE TEMP TABLE pick(n INTEGER NOT NULL, url INTEGER NOT NULL, PRIMARY KEY(n, url)) WITHOUT ROWID;",
            )
        })?;
        Ok(ordering)
    }

    /// What day it is for this ordering's statements, by this clock.
    pub fn tell_day_by(&self, clock: Arc<dyn Clock>) -> Result<(), StoreError> {
        functions::register_day(&self.connection, clock)
    }

    /// Adds URLs, by number, to the picked set `n`, which conditions may name: `(SELECT url FROM temp.pick WHERE n = …)`.
    pub fn pick(&self, n: i64, urls: &mut dyn Iterator<Item = u32>) -> Result<(), StoreError> {
        self.writing(|connection| {
            let mut insert =
                connection.prepare_cached("INSERT OR IGNORE INTO temp.pick(n, url) VALUES(?1, ?2)")?;
            for url in urls {
                insert.execute((n, url))?;
            }
            Ok(())
        })
    }

    /// Builds the order. Fails with `StoreError::Cancelled` soon after `cancel` says so.
    pub fn build(&mut self, selection: &Selection, cancel: &Cancel) -> Result<u64, StoreError> {
        let asked = cancel.clone();
        self.connection.progress_handler(STEPS, Some(move || asked.is_cancelled()))?;
        self.connection.pragma_update(None, "cache_size", -BUILDING_CACHE)?;
        let version = self.data_version()?;
        let built = self.fill(selection);
        self.connection.pragma_update(None, "cache_size", -READING_CACHE)?;
        self.connection.progress_handler(0, None::<fn() -> bool>)?;
        self.rows = built?;
        self.counted = (version, self.rows);
        Ok(self.rows)
    }

    fn fill(&mut self, selection: &Selection) -> Result<u64, StoreError> {
        self.gather(GATHERED)?;
        for sql in [&selection.condition, &selection.order].into_iter().flatten() {
            self.list_if_asked(sql)?;
        }
        if selection.condition.is_none()
            && selection.order.is_none()
            && let Some(keys) = self.source.all_keys()
        {
            self.steps = keys.steps;
            return self.fill_all(&keys);
        }
        let (rows, condition) = self.picked(selection)?;
        let natural = self.source.natural_order();
        let order = selection
            .order
            .as_ref()
            .map_or_else(|| natural.to_owned(), |order| format!("{order}, {natural}"));
        let sql = format!(
            "INSERT INTO temp.ordering(a, b, c) SELECT row_a, row_b, row_c FROM ({rows}) WHERE crawl = ?1{condition} ORDER BY {order}"
        );
        let parameters = self.parameters(selection);
        self.writing(|connection| {
            let mut statement = connection.prepare(&sql)?;
            let used = used(&statement, &parameters);
            statement.execute(rusqlite::params_from_iter(used))
        })
        .map(|rows| rows as u64)
    }

    /// The rows to go through and the condition on them. Where every row has to point at one of a few targets, the index leads
    /// to them.
    fn picked(&self, selection: &Selection) -> Result<(String, String), StoreError> {
        for pick in &selection.picks {
            self.pick_targets(pick, selection)?;
        }
        let condition =
            selection.condition.as_ref().map_or_else(String::new, |condition| format!(" AND ({condition})"));
        let leads = match (selection.targets, self.source.picked_rows()) {
            (Some(n), Some(rows)) if self.is_indexed()? && self.is_few(n)? => Some((n, rows)),
            _ => None,
        };
        let Some((n, rows)) = leads else { return Ok((self.source.rows(), condition)) };
        self.writing(|connection| {
            connection.execute_batch(
                "DROP TABLE IF EXISTS temp.picked; CREATE TEMP TABLE picked(a INTEGER, b INTEGER, PRIMARY KEY(a, b)) WITHOUT ROWID",
            )?;
            connection.execute(
                "INSERT OR IGNORE INTO temp.picked SELECT a.key, l.id FROM temp.pick t CROSS JOIN link l ON l.target = t.url
                 CROSS JOIN answer a ON a.list = l.id >> 20 WHERE t.n = ?2 AND a.key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295 ORDER BY 1, 2",
                (self.crawl, n),
            )
        })?;
        Ok((rows, condition))
    }

    fn pick_targets(&self, pick: &TargetPick, selection: &Selection) -> Result<(), StoreError> {
        let Some(targets) = self.source.targets(pick.about) else { return Ok(()) };
        let sql = format!(
            "INSERT OR IGNORE INTO temp.pick(n, url) SELECT {}, url FROM ({targets}) WHERE {}",
            pick.n, pick.condition
        );
        let parameters = self.parameters(selection);
        self.writing(|connection| {
            connection.execute("DELETE FROM temp.pick WHERE n = ?1", [pick.n])?;
            let mut statement = connection.prepare(&sql)?;
            let used = used(&statement, &parameters);
            statement.execute(rusqlite::params_from_iter(used))
        })?;
        Ok(())
    }

    /// Whether going from a set of targets to their links is shorter than going through all links: it costs about ten times as
    /// much a link.
    fn is_few(&self, n: i64) -> Result<bool, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT (SELECT count(*) FROM temp.pick WHERE n = ?1) <= (SELECT max(id) / 10 + 100 FROM url)")
            .map_err(told)?;
        statement.query_row([n], |row| row.get(0)).map_err(told)
    }

    fn fill_all(&self, keys: &AllKeys) -> Result<u64, StoreError> {
        if keys.steps == Steps::One {
            let sql = format!("INSERT INTO temp.ordering(a, b, c) {}", keys.sql);
            return self
                .writing(|connection| connection.prepare(&sql)?.execute([self.crawl]))
                .map(|rows| rows as u64);
        }
        let mut pos = 1_i64;
        self.writing(|connection| {
            let mut insert =
                connection.prepare("INSERT INTO temp.ordering(pos, a, b, c) VALUES(?1, ?2, ?3, ?4)")?;
            let mut statement = connection.prepare(keys.sql)?;
            let mut rows = statement.query([self.crawl])?;
            let mut next_a = 0;
            connection.execute_batch("SAVEPOINT filling")?;
            while let Some(row) = rows.next()? {
                let (a, b, c, many): (i64, i64, i64, i64) =
                    (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                // A row that follows the one before needs no place of its own.
                if keys.steps == Steps::B || a != next_a {
                    insert.execute((pos, a, b, c))?;
                }
                next_a = a + 1;
                pos += many;
            }
            drop(rows);
            connection.execute_batch("RELEASE filling")
        })?;
        Ok((pos - 1) as u64)
    }

    fn gather(&self, name: &str) -> Result<(), StoreError> {
        for sql in self.source.gathering(name, self.is_indexed()?) {
            self.writing(|connection| {
                let mut statement = connection.prepare(&sql)?;
                match statement.parameter_count() {
                    0 => statement.execute([]),
                    _ => statement.execute([self.crawl]),
                }
            })?;
        }
        Ok(())
    }

    /// Gathers the URLs that sitemaps list, once, where SQL asks for them. Rows that are counted later are judged by the same
    /// list, so that a count agrees with the order that was built.
    fn list_if_asked(&self, sql: &str) -> Result<(), StoreError> {
        if !sql.contains(IN_SITEMAP) {
            return Ok(());
        }
        let known = "SELECT 1 FROM temp.sqlite_schema WHERE name = 'listed'";
        if self.connection.query_row(known, [], |_| Ok(())).optional().map_err(told)?.is_some() {
            return Ok(());
        }
        self.writing(|connection| {
            connection.execute("CREATE TEMP TABLE listed(url INTEGER PRIMARY KEY)", [])?;
            let sql = format!("INSERT OR IGNORE INTO temp.listed {LISTED_SQL}");
            connection.execute(&sql, [self.crawl]).map(|_| ())
        })
    }

    fn parameters(&self, selection: &Selection) -> Vec<Value> {
        std::iter::once(Value::Int(self.crawl)).chain(selection.parameters.iter().cloned()).collect()
    }

    /// Rows of the order.
    pub const fn len(&self) -> u64 {
        self.rows
    }

    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// How many rows the same selection would give now. Where counting takes longer than `limit`, the number of the last time.
    pub fn count_now(
        &mut self,
        selection: &Selection,
        limit: Duration,
        clock: &Arc<dyn Clock>,
    ) -> Result<u64, StoreError> {
        let version = self.data_version()?;
        if version == self.counted.0 {
            return Ok(self.counted.1);
        }
        let (watch, began) = (Arc::clone(clock), clock.now());
        self.connection
            .progress_handler(STEPS, Some(move || watch.now().saturating_duration_since(began) > limit))?;
        let counted = self.count(selection);
        self.connection.progress_handler(0, None::<fn() -> bool>)?;
        match counted {
            Err(StoreError::Cancelled) => Ok(self.counted.1),
            Ok(rows) => {
                self.counted = (version, rows);
                Ok(rows)
            }
            Err(error) => Err(error),
        }
    }

    fn count(&self, selection: &Selection) -> Result<u64, StoreError> {
        const COUNTED: &str = "counted";
        self.gather(COUNTED)?;
        let plain = selection.condition.is_none();
        let (sql, parameters) = match self.source.all_keys() {
            Some(keys) if plain => (keys.count.to_owned(), vec![Value::Int(self.crawl)]),
            _ => {
                let (rows, condition) = self.picked(selection)?;
                let rows = rows.replace(&format!("temp.{GATHERED} "), &format!("temp.{COUNTED} "));
                (
                    format!("SELECT count(*) FROM ({rows}) WHERE crawl = ?1{condition}"),
                    self.parameters(selection),
                )
            }
        };
        let counted: i64 = self
            .connection
            .prepare(&sql)
            .and_then(|mut statement| {
                let used = used(&statement, &parameters);
                statement.query_row(rusqlite::params_from_iter(used), |row| row.get(0))
            })
            .map_err(told)?;
        Ok(counted.max(0) as u64)
    }

    /// Hands the rows at positions `start..end` to `each`, in order, until it answers `false`; `None` where the row is gone since.
    /// `columns` is SQL over the columns of the source. All of them are read from one state of the file, so keep it short: the
    /// log grows as long as it lasts.
    pub fn rows(
        &self,
        start: u64,
        end: u64,
        columns: &str,
        each: &mut dyn FnMut(Place, Option<&Row>) -> bool,
    ) -> Result<(), StoreError> {
        self.list_if_asked(columns)?;
        // One transaction instead of one a row saves a third of the time.
        self.connection.execute_batch("BEGIN").map_err(told)?;
        let read = self.read(start, end, columns, each);
        self.connection.execute_batch("COMMIT").map_err(told)?;
        read
    }

    fn read(
        &self,
        start: u64,
        end: u64,
        columns: &str,
        each: &mut dyn FnMut(Place, Option<&Row>) -> bool,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT {columns} FROM ({}) WHERE crawl = ?1 AND {}",
            self.source.rows(),
            self.source.lookup()
        );
        let mut statement = self.connection.prepare_cached(&sql).map_err(told)?;
        let end = end.min(self.rows);
        let mut at = start;
        while at < end {
            let chunk = self.places(at, end.min(at + CHUNK))?;
            if chunk.is_empty() {
                break;
            }
            at += chunk.len() as u64;
            for place in chunk {
                bind(&mut statement, self.crawl, place).map_err(told)?;
                let mut rows = statement.raw_query();
                let row = rows.next().map_err(told)?;
                if !each(place, row.map(Row).as_ref()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The keys at positions `start..end`. Bounded by the caller.
    pub fn places(&self, start: u64, end: u64) -> Result<Vec<Place>, StoreError> {
        let end = end.min(self.rows);
        if start >= end {
            return Ok(Vec::new());
        }
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT pos - 1, a, b, c FROM temp.ordering
                 WHERE pos >= (SELECT max(pos) FROM temp.ordering WHERE pos <= ?1 + 1) AND pos <= ?2 ORDER BY pos",
            )
            .map_err(told)?;
        let mut places: Vec<Place> = Vec::with_capacity((end - start) as usize);
        let mut run: Option<(u64, Place)> = None;
        let mut rows = statement.query((start as i64, end as i64)).map_err(told)?;
        let mut next = rows.next().map_err(told)?;
        loop {
            let upcoming = match next {
                Some(row) => {
                    let cell = |column| row.get::<_, i64>(column).map_err(told);
                    Some((cell(0)? as u64, Place { a: cell(1)?, b: cell(2)?, c: cell(3)? }))
                }
                None => None,
            };
            if let Some((from, first)) = run {
                let until = upcoming.map_or(end, |(next, _)| next).min(end);
                places.extend((start.max(from)..until).map(|at| first.after((at - from) as i64, self.steps)));
            }
            if upcoming.is_none() {
                return Ok(places);
            }
            run = upcoming;
            next = rows.next().map_err(told)?;
        }
    }

    /// The first position of a row with this key; for a table whose rows have no second key, `b` is 0.
    pub fn position(&self, a: i64, b: i64) -> Result<Option<u64>, StoreError> {
        let sql = match self.steps {
            Steps::One => "SELECT pos - 1, 0 FROM temp.ordering WHERE a = ?1 AND b = ?2 LIMIT 1",
            Steps::A => {
                "SELECT pos - 1, ?1 - a FROM temp.ordering WHERE a <= ?1 AND b = ?2 ORDER BY pos DESC LIMIT 1"
            }
            Steps::B => "SELECT pos - 1, ?2 - b FROM temp.ordering WHERE a = ?1 AND b <= ?2 LIMIT 1",
        };
        let found: Option<(i64, i64)> = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| {
                statement.query_row((a, b), |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(told)?;
        let at = found.and_then(|(from, steps)| u64::try_from(from.checked_add(steps)?).ok());
        let Some(at) = at else { return Ok(None) };
        let there = self.places(at, at.saturating_add(1))?;
        Ok(there.first().is_some_and(|place| (place.a, place.b) == (a, b)).then_some(at))
    }

    /// The text of a URL of the project.
    pub fn url_text(&self, url: u32) -> Result<Option<String>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT text FROM url WHERE id = ?1").map_err(told)?;
        statement.query_row([url], |row| row.get(0)).optional().map_err(told)
    }

    /// Whether the project has this crawl.
    pub fn has_crawl(&self) -> Result<bool, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT 1 FROM crawl WHERE id = ?1").map_err(told)?;
        statement.exists([self.crawl]).map_err(told)
    }

    fn is_indexed(&self) -> Result<bool, StoreError> {
        crate::read::has_reverse_indexes(&self.connection).map_err(told)
    }

    fn data_version(&self) -> Result<i64, StoreError> {
        self.connection.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(told)
    }

    /// Does work that writes to temporary tables; the connection otherwise refuses to write at all.
    fn writing<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.connection.pragma_update(None, "query_only", false)?;
        let done = work(&self.connection);
        self.connection.pragma_update(None, "query_only", true)?;
        done.map_err(told)
    }
}

/// Binds as many of crawl, a, b and c as the statement has places for.
fn bind(statement: &mut CachedStatement<'_>, crawl: i64, place: Place) -> rusqlite::Result<()> {
    for (index, value) in
        [crawl, place.a, place.b, place.c].into_iter().enumerate().take(statement.parameter_count())
    {
        statement.raw_bind_parameter(index + 1, value)?;
    }
    Ok(())
}

/// As many of the parameters as a statement names; a part of a selection may name fewer.
fn used<'a>(statement: &rusqlite::Statement<'_>, parameters: &'a [Value]) -> &'a [Value] {
    &parameters[..statement.parameter_count().min(parameters.len())]
}

fn told(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::OperationInterrupted) => StoreError::Cancelled,
        Some(rusqlite::ErrorCode::TooBig) => StoreError::Query(error.to_string()),
        _ => error.into(),
    }
}
