//! Opening a project file: making, identity, version, damage, and the seam for write faults.

use crate::error::StoreError;
use crate::lock::{self, beside};
use crate::schema;
use crate::upgrade::{self, Step};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::io::Read;
use std::path::Path;
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

/// Opens or makes the file for writing, the lock already held.
pub(crate) fn for_writing(path: &Path, options: &Options) -> Result<Connection, StoreError> {
    for_writing_from(path, options, upgrade::STEPS)
}

/// `for_writing` with the steps that lead here from older versions.
pub(crate) fn for_writing_from(
    path: &Path,
    options: &Options,
    steps: &[Step],
) -> Result<Connection, StoreError> {
    if path.metadata().is_ok_and(|about| about.len() > 0) {
        check_header(path)?;
    } else {
        make(path, options)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|e| unwritable(path, &e))?;
    if connection.is_readonly("main")? {
        return Err(StoreError::ReadOnly {
            path: path.to_owned(),
            why: "the file is write-protected".to_owned(),
        });
    }
    let version = check_identity(path, &connection)?;
    tune(&connection).map_err(|e| unwritable(path, &e))?;
    if version < schema::VERSION {
        upgrade::run(path, &connection, steps, version, schema::VERSION)?;
    }
    refresh_views(&connection, options)?;
    Ok(connection)
}

/// Makes a new project file under another name and gives it its own when it is whole: a program killed at any
/// moment leaves either no project file or a sound one.
fn make(path: &Path, options: &Options) -> Result<(), StoreError> {
    let path = lock::real(path);
    let unfinished = beside(&path, "-new");
    let made = make_at(&unfinished, options).and_then(|()| {
        // Logs of a project file that somebody removed: SQLite would take them for those of the new one.
        for suffix in ["-wal", "-shm", "-journal"] {
            remove(&beside(&path, suffix))?;
        }
        Ok(std::fs::rename(&unfinished, &path)?)
    });
    if made.is_err() {
        // The error that led here is the one to tell.
        let _ = remove(&unfinished);
    }
    made
}

fn make_at(path: &Path, options: &Options) -> Result<(), StoreError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        remove(&beside(path, suffix))?;
    }
    let connection = Connection::open(path).map_err(|e| unwritable(path, &e))?;
    connection.pragma_update(None, "page_size", PAGE_SIZE)?;
    create(&connection, options)?;
    refresh_views(&connection, options)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.close().map_err(|(_, error)| StoreError::from(error))
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

pub(crate) fn in_memory(options: &Options) -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory()?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    create(&connection, options)?;
    refresh_views(&connection, options)?;
    Ok(connection)
}

/// Opens the file for reading only; works beside a writer.
///
/// The connection may write and is told not to: only so does SQLite take the log and its index away again when
/// nobody is left who uses them.
pub(crate) fn for_reading(path: &Path) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing(path.to_owned()));
    }
    check_header(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    match check_identity(path, &connection) {
        Ok(_) => Ok(connection),
        Err(StoreError::Sqlite(error))
            if matches!(
                error.sqlite_error_code(),
                Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly)
            ) =>
        {
            as_it_stands(path)
        }
        Err(error) => Err(error),
    }
}

/// Opens a file in a folder that cannot be written: there is no room for the log's index, and nobody can be writing.
fn as_it_stands(path: &Path) -> Result<Connection, StoreError> {
    if has_log(path) {
        let why = "its last changes are in the log beside it, which can be read only where the folder can be written; \
                   copy both files to such a folder";
        return Err(StoreError::ReadOnly { path: path.to_owned(), why: why.to_owned() });
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(immutable_uri(path), flags)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    check_identity(path, &connection)?;
    Ok(connection)
}

/// Whether changes wait in the log beside the file.
fn has_log(path: &Path) -> bool {
    beside(&lock::real(path), "-wal").metadata().is_ok_and(|log| log.len() > 0)
}

fn immutable_uri(path: &Path) -> String {
    let mut text = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    if cfg!(windows) {
        text = text.replace('\\', "/");
        if text.as_bytes().get(1) == Some(&b':') {
            text.insert(0, '/');
        }
    }
    format!("file:{text}?immutable=1")
}

/// Bytes of a page of the file: rows with headers or facts of a document (about 0.5 to 2 KB) then seldom need a second one.
const PAGE_SIZE: i32 = 8192;

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

/// Where SQLite's header has the version and the application, as big-endian numbers (its file format, section 1.3).
const USER_VERSION_AT: usize = 60;
const APPLICATION_ID_AT: usize = 68;

/// SQLite's header, our application id and a version we know, read as bytes so that a foreign or newer file is
/// never touched: SQLite itself would already bring in its log.
fn check_header(path: &Path) -> Result<(), StoreError> {
    let mut header = [0u8; 100];
    let mut file = File::open(path)
        .map_err(|error| StoreError::ReadOnly { path: path.to_owned(), why: error.to_string() })?;
    let number = |header: &[u8; 100], at: usize| {
        i32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    if file.read_exact(&mut header).is_err()
        || &header[..16] != b"SQLite format 3\0"
        || number(&header, APPLICATION_ID_AT) != schema::APPLICATION_ID
    {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    refuse_newer(path, number(&header, USER_VERSION_AT))
}

/// Whether an existing file is a project of any version.
pub fn is_project(path: &Path) -> bool {
    matches!(check_header(path), Ok(()) | Err(StoreError::Newer { .. }))
}

fn refuse_newer(path: &Path, found: i32) -> Result<(), StoreError> {
    if found > schema::VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found, known: schema::VERSION });
    }
    Ok(())
}

/// The version of the file, once it is clear that the file is ours, not newer, and can be read. A connection to a file
/// that is refused leaves the log of whoever wrote last as it is.
fn check_identity(path: &Path, connection: &Connection) -> Result<i32, StoreError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log(path))?;
    let corrupt = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
            StoreError::Corrupt { path: path.to_owned(), why: error.to_string() }
        }
        _ => StoreError::from(error),
    };
    let application: i32 =
        connection.query_row("PRAGMA application_id", [], |r| r.get(0)).map_err(corrupt)?;
    if application != schema::APPLICATION_ID {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let found: i32 = connection.query_row("PRAGMA user_version", [], |r| r.get(0)).map_err(corrupt)?;
    refuse_newer(path, found)?;
    connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get::<_, i64>(0))
        .map_err(corrupt)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(found)
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
    connection.execute(
        "INSERT INTO meta(key, value) VALUES('hash_seed', ?1), ('made_by', ?2)",
        (seed as i64, &options.program),
    )?;
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
            .query_row("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?1", [name], |r| {
                r.get::<_, String>(0)
            })
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
