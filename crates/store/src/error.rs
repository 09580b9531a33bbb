//! What can go wrong with a project file, in words for the person whose file it is.

use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    #[error("{} does not exist", .0.display())]
    Missing(PathBuf),
    #[error("{} is not a Gossamer project file", .0.display())]
    Foreign(PathBuf),
    #[error("{} was written by a newer version of Gossamer (file version {found}, this program reads up to {known}); the file was left as it is: update the program to open it", .path.display())]
    Newer { path: PathBuf, found: i32, known: i32 },
    #[error("another gossamer is writing to {} ({holder}); wait for it or stop it", .path.display())]
    Held { path: PathBuf, holder: String },
    #[error("{} cannot be written: {why}", .path.display())]
    ReadOnly { path: PathBuf, why: String },
    #[error("{} is damaged ({why}); the file was left as it is", .path.display())]
    Corrupt { path: PathBuf, why: String },
    #[error("the project file is damaged ({0}); it was left as it is")]
    Damaged(String),
    #[error(
        "the disk that holds the project file is full; free some space and resume: nothing stored so far is lost"
    )]
    DiskFull,
    #[error("there is no crawl {0} in this project")]
    NoCrawl(i64),
    #[error("the query was refused: {0}")]
    Query(String),
    #[error("the query took longer than {0} seconds and was stopped")]
    QueryTimeout(u64),
    #[error("the query was cancelled")]
    Cancelled,
    #[error("the project file could not be read or written: {0}")]
    Sqlite(rusqlite::Error),
    #[error("the project file could not be read or written: {0}")]
    Io(#[from] std::io::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::DiskFull,
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Sqlite(error),
        }
    }
}

impl StoreError {
    /// Whether nothing but lack of room stands in the way, so that the same write may succeed later.
    pub const fn is_disk_full(&self) -> bool {
        matches!(self, Self::DiskFull)
    }
}
