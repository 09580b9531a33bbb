//! Bringing a file of an older version up to this one: a copy first, then every step in one transaction.

use crate::error::StoreError;
use crate::lock::beside;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// The way from one version of the schema to the next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// The version that it begins from; it ends at the next.
    pub from: i32,
    /// Statements, several allowed. Views are made anew afterwards and need no statement.
    pub sql: &'static str,
}

/// Every step since the first released version, in order. A change of `schema::TABLES` raises `schema::VERSION` and adds
/// one here; the dumps in `tests/data` hold both to each other.
pub(crate) const STEPS: &[Step] = &[];

/// Upgrades the file from version `found` to `wanted`. Gives the path of the copy made before.
///
/// On an error the file is as it was; the copy is kept where it was complete.
pub(crate) fn run(
    path: &Path,
    connection: &Connection,
    steps: &[Step],
    found: i32,
    wanted: i32,
) -> Result<PathBuf, StoreError> {
    let way: Vec<&Step> =
        (found..wanted).filter_map(|version| steps.iter().find(|step| step.from == version)).collect();
    if way.len() != usize::try_from(wanted - found).unwrap_or_default() {
        let why = format!("it says it has version {found}, from which no way leads to version {wanted}");
        return Err(StoreError::Corrupt { path: path.to_owned(), why });
    }
    let copy = back_up(path, connection, found)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    if let Err(error) = apply(connection, &way, wanted) {
        // The error that led here is the one to tell; a rollback that fails is made up for by the next opening.
        let _ = connection.execute_batch("ROLLBACK");
        return Err(error);
    }
    tracing::info!(from = found, to = wanted, copy = %copy.display(), "project file upgraded");
    Ok(copy)
}

fn apply(connection: &Connection, way: &[&Step], wanted: i32) -> Result<(), StoreError> {
    // The views of the older version may read what a step changes.
    for view in views(connection)? {
        connection.execute_batch(&format!("DROP VIEW \"{}\"", view.replace('"', "\"\"")))?;
    }
    for step in way {
        connection.execute_batch(step.sql)?;
    }
    connection.pragma_update(None, "user_version", wanted)?;
    connection.execute_batch("COMMIT")?;
    Ok(())
}

/// The views that this program made, that is: those with the documented prefix. A person's own stay.
fn views(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement =
        connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'v_*'")?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// A complete copy beside the file, under a name that nothing has: `x.gossamer-version-1`, `x.gossamer-version-1-2`, …
fn back_up(path: &Path, connection: &Connection, version: i32) -> Result<PathBuf, StoreError> {
    let mut copy = beside(path, &format!("-version-{version}"));
    let mut number = 2;
    while copy.exists() {
        copy = beside(path, &format!("-version-{version}-{number}"));
        number += 1;
    }
    // A name of its own until it is whole, so that a copy that can be seen is one that can be relied upon.
    let unfinished = beside(path, "-copying");
    let _ = std::fs::remove_file(&unfinished);
    let copied = connection
        .execute("VACUUM INTO ?1", [unfinished.to_string_lossy()])
        .map_err(StoreError::from)
        .and_then(|_| Ok(std::fs::rename(&unfinished, &copy)?));
    match copied {
        Ok(()) => Ok(copy),
        Err(error) => {
            let _ = std::fs::remove_file(&unfinished);
            Err(error)
        }
    }
}
