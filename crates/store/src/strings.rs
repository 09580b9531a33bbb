//! The dictionary of repeating texts, with a bounded memory of what it already holds.

use crate::error::StoreError;
use model::hash::HashSeed;
use rusqlite::Connection;

/// Remembers the ids of recently used texts in two-way sets. A text that was forgotten is stored again: that costs
/// its bytes once more and nothing else, since readers go from id to text, never back.
pub(crate) struct Strings {
    next: i64,
    cache: Box<[(u64, u32)]>,
    seed: HashSeed,
}

/// 2^17 sets of two, 16 bytes each: 4 MB, which remembers the anchors of a site of a quarter of a million pages.
const SETS: usize = 1 << 17;

impl Strings {
    pub(crate) fn open(connection: &Connection, seed: HashSeed) -> Result<Self, StoreError> {
        let next: i64 =
            connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM string", [], |r| r.get(0))?;
        Ok(Self { next, cache: vec![(0, 0); SETS * 2].into_boxed_slice(), seed })
    }

    /// The id of a text, stored now if it is not remembered.
    pub(crate) fn id(&mut self, connection: &Connection, text: &str) -> Result<i64, StoreError> {
        let hash = self.seed.content(text.as_bytes()) as u64;
        let set = (hash as usize % SETS) * 2;
        if self.cache[set].0 == hash && self.cache[set].1 != 0 {
            return Ok(i64::from(self.cache[set].1));
        }
        if self.cache[set + 1].0 == hash && self.cache[set + 1].1 != 0 {
            self.cache.swap(set, set + 1);
            return Ok(i64::from(self.cache[set].1));
        }
        let id = self.next;
        connection.prepare_cached("INSERT INTO string(id, value) VALUES(?1, ?2)")?.execute((id, text))?;
        self.next += 1;
        self.cache[set + 1] = self.cache[set];
        self.cache[set] = (hash, u32::try_from(id).unwrap_or(0));
        Ok(id)
    }

    /// Forgets everything: after a rolled-back transaction the remembered ids may not exist.
    pub(crate) fn forget(&mut self, connection: &Connection) -> Result<(), StoreError> {
        *self = Self::open(connection, self.seed)?;
        Ok(())
    }
}
