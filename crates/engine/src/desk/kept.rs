//! The desk's own small JSON files: written whole or not at all, and never lost when they cannot be read.

use super::refusal::ApiError;
use crate::destination;
use report::NewFile;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Nothing that the desk keeps comes near this, in bytes.
const LONGEST: u64 = 16 << 20;

/// A JSON file that may not exist yet.
#[derive(Debug)]
pub(super) struct Kept {
    path: PathBuf,
}

/// What a file held, and the sentence to tell where it could not be read and was moved aside.
pub(super) struct Held<T> {
    pub(super) value: T,
    pub(super) notice: Option<String>,
}

impl Kept {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// What the file holds; the default where there is none. A file that is no JSON of this form is moved aside.
    pub(super) fn read<T: DeserializeOwned + Default>(&self) -> Result<Held<T>, ApiError> {
        let text = match read_text(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Held { value: T::default(), notice: None });
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return self.move_aside(&error.to_string());
            }
            Err(error) => return Err(unreadable(&self.path, &error)),
        };
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Held { value, notice: None }),
            Err(error) => self.move_aside(&error.to_string()),
        }
    }

    pub(super) fn write<T: Serialize>(&self, value: &T) -> Result<(), ApiError> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| ApiError::internal(format!("{}: {error}", self.path.display())))?;
        write_whole(&self.path, text.as_bytes())
    }

    fn move_aside<T: Default>(&self, why: &str) -> Result<Held<T>, ApiError> {
        let aside = self.free_name();
        std::fs::rename(&self.path, &aside).map_err(|error| unwritable(&self.path, &error))?;
        let notice = format!(
            "{} could not be read ({why}). It is kept as {}, and what it held starts anew.",
            self.path.display(),
            aside.display()
        );
        Ok(Held { value: T::default(), notice: Some(notice) })
    }

    /// `x.broken.json`, `x.broken-2.json`, …: nothing that was moved aside earlier is overwritten.
    fn free_name(&self) -> PathBuf {
        let mut name = self.path.with_extension("broken.json");
        let mut number = 2_u64;
        while name.exists() {
            name = self.path.with_extension(format!("broken-{number}.json"));
            number += 1;
        }
        name
    }
}

/// The text of a small file. `InvalidData` where it is no UTF-8 or far too long.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    let too_long = bytes.len() as u64 > LONGEST;
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    if too_long {
        return Err(invalid("it is far too long"));
    }
    String::from_utf8(bytes).map_err(|_| invalid("it is not UTF-8 text"))
}

/// Writes a file of the desk, with the folders that lead to it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ApiError> {
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = NewFile::create(path)?;
        file.write_all(bytes)?;
        file.place()
    };
    write().map_err(|error| unwritable(path, &error))
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> ApiError {
    ApiError::new(
        "unwritable",
        format!("{} cannot be written: {}", path.display(), destination::reason(path, error)),
    )
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> ApiError {
    ApiError::usage(format!("{} cannot be read: {error}", path.display()))
}
