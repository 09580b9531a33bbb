//! What the window remembers about itself: a flat map of texts, whose keys and meanings are the window's own affair.

use super::kept::Kept;
use super::refusal::ApiError;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The longest key and the longest value, in bytes, and the most entries: the file stays small whatever is asked.
const LONGEST_KEY: usize = 200;
const LONGEST_VALUE: usize = 1 << 20;
const MOST: usize = 2_000;

/// `preferences.json` of the configuration folder.
#[derive(Debug)]
pub(super) struct Preferences {
    /// Locked while the file is read and written, so that two calls do not undo each other.
    file: Mutex<Kept>,
}

/// The map, and the sentence to tell where the file had to be moved aside.
pub(super) type Told = (BTreeMap<String, String>, Option<String>);

impl Preferences {
    pub(super) fn new(config: &Path) -> Self {
        Self { file: Mutex::new(Kept::new(config.join("preferences.json"))) }
    }

    pub(super) fn all(&self) -> Result<Told, ApiError> {
        let held = self.file.lock().unwrap_or_else(PoisonError::into_inner).read()?;
        Ok((held.value, held.notice))
    }

    /// Gives the notice of a file that had to be moved aside.
    pub(super) fn set(&self, key: &str, value: &str) -> Result<Option<String>, ApiError> {
        if key.is_empty() || key.len() > LONGEST_KEY || value.len() > LONGEST_VALUE {
            return Err(ApiError::usage(format!(
                "A preference has a name of 1 to {LONGEST_KEY} bytes and a value of at most {LONGEST_VALUE}."
            )));
        }
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let held = file.read::<BTreeMap<String, String>>()?;
        let mut all = held.value;
        if all.get(key).is_some_and(|known| known == value) {
            return Ok(held.notice);
        }
        if all.len() >= MOST && !all.contains_key(key) {
            return Err(ApiError::usage(format!("There are {MOST} preferences already.")));
        }
        all.insert(key.to_owned(), value.to_owned());
        file.write(&all)?;
        Ok(held.notice)
    }
}
