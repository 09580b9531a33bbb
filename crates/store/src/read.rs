//! Reading a project file beside its writer: one connection, read-only, bounded in time where a person wrote the query.

use crate::error::StoreError;
use crate::value::{Row, Value};
use model::Clock;
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A read-only connection. Open several for several threads.
pub struct Reader {
    pub(crate) connection: Connection,
    path: PathBuf,
    /// While true, statements that do anything but read the project's own tables are not prepared.
    strict: Arc<AtomicBool>,
    limit: Option<TimeLimit>,
}

/// How long a query may take, the time that its rows take to be used apart.
struct TimeLimit {
    limit: Duration,
    clock: Arc<dyn Clock>,
    /// When the running query began. A std lock: held for reading or writing one moment.
    began: Arc<Mutex<Instant>>,
}

/// Steps of SQLite's machine between two looks at the clock: about a tenth of a millisecond.
const STEPS: i32 = 10_000;

impl Reader {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = crate::open::for_reading(path)?;
        let strict = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&strict);
        connection.authorizer(Some(move |context: AuthContext<'_>| {
            if asked.load(Ordering::Relaxed) { reads_only(&context.action) } else { Authorization::Allow }
        }))?;
        Ok(Self { connection, path: path.to_owned(), strict, limit: None })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What day it is for this reader's statements, by this clock.
    pub fn tell_day_by(&self, clock: Arc<dyn Clock>) -> Result<(), StoreError> {
        crate::functions::register_day(&self.connection, clock)
    }

    /// Whether the file is of an older version, whose tables lack what this program asks for. Opening it for writing upgrades it.
    pub fn is_older(&self) -> Result<bool, StoreError> {
        let version: i32 = self.connection.query_row("PRAGMA user_version", [], |r| r.get(0))?;
        Ok(version < crate::schema::VERSION)
    }

    /// Names of the columns that a query gives.
    pub fn columns(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let statement = self.connection.prepare(sql).map_err(|e| StoreError::Query(e.to_string()))?;
        Ok(statement.column_names().map(str::to_owned).collect())
    }

    /// Names of the parameters of a statement; empty ones for those that have none.
    pub fn parameters(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let statement = self.connection.prepare(sql).map_err(|e| StoreError::Query(e.to_string()))?;
        let name = |n| statement.parameter_name(n).unwrap_or_default().to_owned();
        Ok((1..=statement.parameter_count()).map(name).collect())
    }

    /// Hands each row of a query to `each` until it answers `false`.
    pub fn rows(
        &self,
        sql: &str,
        parameters: &[Value],
        each: &mut dyn FnMut(&Row) -> bool,
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare(sql).map_err(|e| StoreError::Query(e.to_string()))?;
        if !statement.readonly() {
            return Err(StoreError::Query(READ_ONLY.to_owned()));
        }
        if let Some(limit) = &self.limit {
            limit.begin();
        }
        let failed = |error| self.failed(error);
        let mut rows = statement.query(rusqlite::params_from_iter(parameters)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let go_on = match &self.limit {
                Some(limit) => limit.aside(|| each(&Row(row))),
                None => each(&Row(row)),
            };
            if !go_on {
                break;
            }
        }
        Ok(())
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        match (&self.limit, error.sqlite_error_code()) {
            (Some(limit), Some(rusqlite::ErrorCode::OperationInterrupted)) => {
                StoreError::QueryTimeout(limit.limit.as_secs())
            }
            // Division of text, a bad pattern, a number out of range: faults of the query that show when it runs.
            (
                _,
                Some(
                    rusqlite::ErrorCode::Unknown
                    | rusqlite::ErrorCode::TooBig
                    | rusqlite::ErrorCode::TypeMismatch,
                ),
            ) => StoreError::Query(error.to_string()),
            _ => error.into(),
        }
    }

    /// The first row of a query, if there is one.
    pub fn one<T>(
        &self,
        sql: &str,
        parameters: &[Value],
        read: impl FnOnce(&Row) -> T,
    ) -> Result<Option<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement
            .query_row(rusqlite::params_from_iter(parameters), |row| Ok(read(&Row(row))))
            .optional()?)
    }

    /// Refuses anything but one reading statement: what a person's own SQL has to be. That the connection is read-only
    /// does not suffice: ATTACH would open other files.
    pub fn check_statement(&self, sql: &str) -> Result<(), StoreError> {
        self.strict.store(true, Ordering::Relaxed);
        let checked = self.one_reading_statement(sql);
        self.strict.store(false, Ordering::Relaxed);
        checked.map_err(StoreError::Query)
    }

    fn one_reading_statement(&self, sql: &str) -> Result<(), String> {
        let why = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::AuthorizationForStatementDenied) => READ_ONLY.to_owned(),
            _ => placed(&error),
        };
        let mut batch = rusqlite::Batch::new(&self.connection, sql);
        let Some(statement) = batch.next().map_err(why)? else {
            return Err("there is no statement in it".to_owned());
        };
        if !statement.readonly() || statement.column_count() == 0 {
            return Err(READ_ONLY.to_owned());
        }
        drop(statement);
        match batch.next() {
            Ok(None) => Ok(()),
            _ => Err("only one statement at a time".to_owned()),
        }
    }

    /// Interrupts every later query of `rows` that runs longer than `limit` by itself.
    pub fn limit_time(&mut self, limit: Duration, clock: Arc<dyn Clock>) -> Result<(), StoreError> {
        let began = Arc::new(Mutex::new(clock.now()));
        let (running, watch) = (Arc::clone(&began), Arc::clone(&clock));
        let late = move || watch.now().saturating_duration_since(*moment(&running)) > limit;
        self.connection.progress_handler(STEPS, Some(late))?;
        self.limit = Some(TimeLimit { limit, clock, began });
        Ok(())
    }

    /// Does work that sees one state of the file, whatever is written meanwhile. Keep it short: the log grows as long as it lasts.
    pub fn snapshot<T>(&self, work: impl FnOnce() -> T) -> Result<T, StoreError> {
        self.connection.execute_batch("BEGIN")?;
        let done = work();
        self.connection.execute_batch("COMMIT")?;
        Ok(done)
    }

    /// The number of a URL of the project, by its text without fragment. Goes through the URLs' hashes: there is no index for
    /// this, since a crawl finds URLs in memory.
    pub fn find_url(&self, text: &str) -> Result<Option<u32>, StoreError> {
        let seed: i64 =
            self.connection.query_row("SELECT value FROM meta WHERE key = 'hash_seed'", [], |r| r.get(0))?;
        let hash = model::hash::HashSeed(seed as u64).url(text) as i64;
        let mut statement = self.connection.prepare_cached("SELECT id FROM url WHERE hash = ?1")?;
        Ok(statement.query_row([hash], |r| r.get(0)).optional()?)
    }

    /// The numbers of many URLs, as `find_url` gives that of one, in the order of the texts. Goes through the hashes once, however
    /// many texts there are.
    pub fn find_urls(&self, texts: &[String]) -> Result<Vec<Option<u32>>, StoreError> {
        let seed: i64 =
            self.connection.query_row("SELECT value FROM meta WHERE key = 'hash_seed'", [], |r| r.get(0))?;
        let seed = model::hash::HashSeed(seed as u64);
        let hashes: Vec<i64> = texts.iter().map(|text| seed.url(text) as i64).collect();
        let mut numbers: HashMap<i64, Option<u32>> = hashes.iter().map(|hash| (*hash, None)).collect();
        let mut statement = self.connection.prepare_cached("SELECT id, hash FROM url")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(number) = numbers.get_mut(&row.get(1)?) {
                *number = Some(row.get(0)?);
            }
        }
        Ok(hashes.iter().map(|hash| numbers.get(hash).copied().flatten()).collect())
    }

    /// Whether the way back from a target to its links is indexed: from the end of the first crawl on.
    pub fn has_reverse_indexes(&self) -> Result<bool, StoreError> {
        Ok(has_reverse_indexes(&self.connection)?)
    }

    /// Stored HTML of a page, as received; `None` where it was not kept.
    pub fn html(&self, crawl: i64, url: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let stored: Option<(u32, i64, Vec<u8>)> = self
            .connection
            .prepare_cached(
                "SELECT h.dictionary, h.size, h.data FROM page p JOIN document d ON d.id = p.document JOIN html h ON h.id = d.html WHERE p.key = ?1",
            )?
            .query_row([crate::key(crawl, url)], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
            .optional()?;
        let Some((dictionary, size, data)) = stored else { return Ok(None) };
        let dictionary: Vec<u8> = if dictionary == 0 {
            Vec::new()
        } else {
            self.connection.query_row(
                "SELECT data FROM html_dictionary WHERE id = ?1",
                [dictionary],
                |r| r.get(0),
            )?
        };
        crate::html::unpack(&dictionary, size, &data).map(Some)
    }
}

/// What is wrong with a statement, and at which of its characters where SQLite says so.
fn placed(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, sql, offset, .. } => {
            let before = usize::try_from(*offset).ok().and_then(|offset| sql.get(..offset));
            before.map_or_else(
                || msg.clone(),
                |before| format!("{msg} (at character {})", before.chars().count() + 1),
            )
        }
        other => other.to_string(),
    }
}

const READ_ONLY: &str = "only statements that read are allowed; the project file is opened read-only";

/// Pragmas that tell something of the tables and change nothing.
const TELLING_PRAGMAS: &[&str] = &[
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "integrity_check",
    "quick_check",
];

fn reads_only(action: &AuthAction<'_>) -> Authorization {
    let reads = match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => !function_name.eq_ignore_ascii_case("load_extension"),
        AuthAction::Pragma { pragma_name, pragma_value } => {
            pragma_value.is_none()
                || TELLING_PRAGMAS.iter().any(|known| known.eq_ignore_ascii_case(pragma_name))
        }
        _ => false,
    };
    if reads { Authorization::Allow } else { Authorization::Deny }
}

impl TimeLimit {
    fn begin(&self) {
        *moment(&self.began) = self.clock.now();
    }

    /// Time that passes in `work` is not the query's: a person may page through its rows.
    fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.clock.now();
        let result = work();
        *moment(&self.began) += self.clock.now().saturating_duration_since(before);
        result
    }
}

fn moment(began: &Mutex<Instant>) -> std::sync::MutexGuard<'_, Instant> {
    began.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// As `Reader::has_reverse_indexes`, for any connection.
pub(crate) fn has_reverse_indexes(connection: &Connection) -> rusqlite::Result<bool> {
    let mut statement =
        connection.prepare_cached("SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?1")?;
    for (name, _) in crate::schema::REVERSE_INDEXES {
        if !statement.exists([name])? {
            return Ok(false);
        }
    }
    Ok(true)
}
