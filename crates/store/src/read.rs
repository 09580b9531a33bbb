//! Reading a project file beside its writer: one connection, read-only, bounded in time where a person wrote the query.

use crate::error::StoreError;
use crate::value::{Row, Value};
use model::Clock;
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Connection, OptionalExtension};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A read-only connection. Open several for several threads.
pub struct Reader {
    connection: Connection,
    path: PathBuf,
}

impl Reader {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: crate::open::for_reading(path)?, path: path.to_owned() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the columns that a query gives.
    pub fn columns(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let statement = self.connection.prepare(sql).map_err(|e| StoreError::Query(e.to_string()))?;
        Ok(statement.column_names().map(str::to_owned).collect())
    }

    /// Hands each row of a query to `each` until it answers `false`.
    pub fn rows(&self, sql: &str, parameters: &[Value], each: &mut dyn FnMut(&Row) -> bool) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare(sql).map_err(|e| StoreError::Query(e.to_string()))?;
        if !statement.readonly() {
            return Err(StoreError::Query("only reading statements are allowed".to_owned()));
        }
        let mut rows = statement.query(rusqlite::params_from_iter(parameters))?;
        while let Some(row) = rows.next()? {
            if !each(&Row(row)) {
                break;
            }
        }
        Ok(())
    }

    /// The first row of a query, if there is one.
    pub fn one<T>(&self, sql: &str, parameters: &[Value], read: impl FnOnce(&Row) -> T) -> Result<Option<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(rusqlite::params_from_iter(parameters), |row| Ok(read(&Row(row)))).optional()?)
    }

    /// Refuses anything but one reading statement: what a person's own SQL has to be.
    pub fn check_statement(&self, sql: &str) -> Result<(), StoreError> {
        let refused = |why: String| StoreError::Query(why);
        let mut batch = rusqlite::Batch::new(&self.connection, sql);
        let first = batch.next().map_err(|e| refused(e.to_string()))?;
        let Some(statement) = first else { return Err(refused("there is no statement in it".to_owned())) };
        if !statement.readonly() {
            return Err(refused("only reading statements are allowed; the project file is opened read-only".to_owned()));
        }
        drop(statement);
        match batch.next() {
            Ok(None) => Ok(()),
            _ => Err(refused("only one statement at a time".to_owned())),
        }
    }

    /// Interrupts every later query of this reader that runs longer than `limit`.
    pub fn limit_time(&mut self, limit: Duration, clock: Arc<dyn Clock>) -> Result<(), StoreError> {
        let start = clock.now();
        self.connection.progress_handler(10_000, Some(move || clock.now().duration_since(start) > limit))?;
        Ok(())
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
            self.connection.query_row("SELECT data FROM html_dictionary WHERE id = ?1", [dictionary], |r| r.get(0))?
        };
        crate::html::unpack(&dictionary, size as usize, &data).map(Some)
    }
}
