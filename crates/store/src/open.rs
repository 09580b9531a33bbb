//! Opening a project file: identity, version, lock, damage, and the seam for write faults.

use crate::error::StoreError;
use crate::schema;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A seam: asked before every commit, so that tests can fill the disk without filling it.
pub trait Faults: Send + Sync {
    /// The error the next commit must give, if any.
    fn before_commit(&self) -> Option<StoreError>;
}

/// What the world gives.
#[derive(Debug, Clone, Copy)]
pub struct NoFaults;

impl Faults for NoFaults {
    fn before_commit(&self) -> Option<StoreError> {
        None
    }
}

/// A view that a higher crate adds to the documented ones (`v_issues` comes from the audit catalogue).
#[derive(Debug, Clone)]
pub struct View {
    pub name: &'static str,
    /// The whole `CREATE VIEW` statement.
    pub sql: String,
}

/// How to open a project file for writing.
pub struct Options {
    /// Shown to whoever finds the file locked, and stored with the file: `gossamer 0.1.0`.
    pub program: String,
    pub views: Vec<View>,
    pub faults: Arc<dyn Faults>,
}

/// The exclusive right to write one file; the operating system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    pub(crate) fn take(project: &Path, program: &str) -> Result<Self, StoreError> {
        let path = beside(project, "-lock");
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(|error| {
            StoreError::ReadOnly { path: project.to_owned(), why: error.to_string() }
        })?;
        if file.try_lock().is_err() {
            let mut holder = String::new();
            // Who holds it is a courtesy; the refusal stands without it.
            let _ = file.read_to_string(&mut holder);
            let holder = if holder.trim().is_empty() { "another program".to_owned() } else { holder.trim().to_owned() };
            return Err(StoreError::Held { path: project.to_owned(), holder });
        }
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{program}, process {}", std::process::id())?;
        file.flush()?;
        Ok(Self { file, path })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still held: whoever opens the path afterwards makes a new file.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// `x.gossamer` → `x.gossamer-lock`.
fn beside(project: &Path, suffix: &str) -> PathBuf {
    let mut name = project.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Opens or makes the file for writing, the lock already held.
pub(crate) fn for_writing(path: &Path, options: &Options) -> Result<Connection, StoreError> {
    let exists = path.exists() && path.metadata()?.len() > 0;
    if exists {
        check_header(path)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|e| unwritable(path, &e))?;
    if exists {
        check_identity(path, &connection)?;
    } else {
        connection.pragma_update(None, "page_size", 8192)?;
    }
    tune(&connection).map_err(|e| unwritable(path, &e))?;
    if !exists {
        create(&connection, options)?;
    }
    refresh_views(&connection, options)?;
    Ok(connection)
}

pub(crate) fn in_memory(options: &Options) -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory()?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    create(&connection, options)?;
    refresh_views(&connection, options)?;
    Ok(connection)
}

/// Opens the file for reading only; works beside a writer.
pub(crate) fn for_reading(path: &Path) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing(path.to_owned()));
    }
    check_header(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    if let Err(error) = check_identity(path, &connection) {
        // A file in a folder that cannot be written has no room for the WAL's index. Nobody can be writing it
        // then, so it is read as it stands.
        if !matches!(&error, StoreError::Sqlite(e) if e.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen)) {
            return Err(error);
        }
        let uri = format!("file:{}?immutable=1", path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23"));
        let connection = Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?;
        check_identity(path, &connection)?;
        return Ok(connection);
    }
    Ok(connection)
}

/// Statements kept prepared by a connection: more than the writer has.
const STATEMENTS: usize = 96;

fn tune(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    // A crash of the computer may lose the last commits, never the file's soundness; a killed process loses nothing.
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    // 16 MB: the working set of a crawl is the tail of each table and the frontier's index.
    connection.pragma_update(None, "cache_size", -16_000)?;
    // In pages of 8 KB: a checkpoint every 32 MB.
    connection.pragma_update(None, "wal_autocheckpoint", 4_000)?;
    connection.pragma_update(None, "journal_size_limit", 67_108_864)?;
    Ok(())
}

/// SQLite's header and our application id, read as bytes so that a foreign file is never touched.
fn check_header(path: &Path) -> Result<(), StoreError> {
    let mut header = [0u8; 100];
    let mut file = File::open(path).map_err(|error| StoreError::ReadOnly { path: path.to_owned(), why: error.to_string() })?;
    if file.read_exact(&mut header).is_err() || &header[..16] != b"SQLite format 3\0" {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    Ok(())
}

fn check_identity(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let corrupt = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
            StoreError::Corrupt { path: path.to_owned(), why: error.to_string() }
        }
        _ => StoreError::from(error),
    };
    let application: i32 = connection.query_row("PRAGMA application_id", [], |r| r.get(0)).map_err(corrupt)?;
    if application != schema::APPLICATION_ID {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let found: i32 = connection.query_row("PRAGMA user_version", [], |r| r.get(0)).map_err(corrupt)?;
    if found > schema::VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found, known: schema::VERSION });
    }
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get::<_, i64>(0)).map_err(corrupt)?;
    Ok(())
}

fn unwritable(path: &Path, error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
            StoreError::Corrupt { path: path.to_owned(), why: error.to_string() }
        }
        Some(rusqlite::ErrorCode::DiskFull) => StoreError::DiskFull,
        _ => StoreError::ReadOnly { path: path.to_owned(), why: error.to_string() },
    }
}

fn create(connection: &Connection, options: &Options) -> Result<(), StoreError> {
    let seed = seed();
    connection.execute_batch("BEGIN IMMEDIATE")?;
    connection.execute_batch(schema::TABLES)?;
    connection.execute("INSERT INTO meta(key, value) VALUES('hash_seed', ?1), ('made_by', ?2)", (seed as i64, &options.program))?;
    connection.pragma_update(None, "application_id", schema::APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", schema::VERSION)?;
    connection.execute_batch("COMMIT")?;
    Ok(())
}

/// A number nobody can foresee, from the keys that the standard library draws for its hash maps.
fn seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// Makes the views anew when they are not the ones this program documents.
fn refresh_views(connection: &Connection, options: &Options) -> Result<(), StoreError> {
    let mut wanted = crate::views::all();
    wanted.extend(options.views.iter().map(|view| (view.name, view.sql.clone())));
    let same = wanted.iter().all(|(name, sql)| {
        connection
            .query_row("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?1", [name], |r| r.get::<_, String>(0))
            .is_ok_and(|stored| stored.trim() == sql.trim())
    });
    if same {
        return Ok(());
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    for (name, _) in &wanted {
        connection.execute_batch(&format!("DROP VIEW IF EXISTS {name}"))?;
    }
    for (_, sql) in &wanted {
        connection.execute_batch(sql)?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(())
}
