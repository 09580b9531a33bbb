//! The segments of a project: their patterns, and which URLs they have.
//!
//! Which URL is in which segments is stored, a number a URL, rather than worked out by a function when it is asked for: so the
//! documented views have it in any SQLite tool, and a filter on a million URLs costs a look-up a row. It depends on nothing but
//! the URL's text, so one row serves all crawls; a URL that is met gets its row at once, and all are written anew when a person
//! changes the segments.

use crate::error::StoreError;
use crate::read::Reader;
use crate::writer::Writer;
use model::segment::{Segment, SegmentRules};
use rusqlite::Connection;
use std::collections::HashMap;

/// URLs that are judged between two looks at whether to go on.
const CHUNK: u64 = 5_000;

/// The segments in the memory of a writer.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// `None` where the project has no segments.
    rules: Option<SegmentRules>,
    sets: HashMap<Vec<usize>, i64>,
}

impl Known {
    pub(crate) fn open(connection: &Connection) -> Result<Self, StoreError> {
        let segments = read(connection)?;
        if segments.is_empty() {
            return Ok(Self::default());
        }
        let rules = SegmentRules::new(&segments).map_err(|faults| StoreError::Damaged(faults.join("; ")))?;
        let place: HashMap<&str, usize> =
            segments.iter().enumerate().map(|(n, segment)| (segment.name.as_str(), n)).collect();
        let mut sets = HashMap::new();
        let mut statement = connection.prepare("SELECT id, names FROM segment_set")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let names: String = row.get(1)?;
            let set =
                names.split(model::segment::BETWEEN).filter_map(|name| place.get(name).copied()).collect();
            sets.insert(set, row.get(0)?);
        }
        Ok(Self { rules: Some(rules), sets })
    }

    /// Stores the segments of a URL that is new to the project, or is judged anew.
    pub(crate) fn judge(&mut self, connection: &Connection, url: u32, text: &str) -> Result<(), StoreError> {
        let Some(rules) = &self.rules else { return Ok(()) };
        let found = rules.of(text);
        if found.is_empty() {
            return Ok(());
        }
        let set = match self.sets.get(&found) {
            Some(set) => *set,
            None => {
                let set = self.sets.len() as i64 + 1;
                connection
                    .prepare_cached("INSERT INTO segment_set(id, names) VALUES(?1, ?2)")?
                    .execute((set, rules.names(&found)))?;
                self.sets.insert(found, set);
                set
            }
        };
        connection
            .prepare_cached("INSERT INTO segment_url(url, segments) VALUES(?1, ?2)")?
            .execute((url, set))?;
        Ok(())
    }
}

fn read(connection: &Connection) -> Result<Vec<Segment>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT name, patterns FROM segment ORDER BY n")?;
    let mut rows = statement.query([])?;
    let mut segments = Vec::new();
    while let Some(row) = rows.next()? {
        let patterns: String = row.get(1)?;
        // A pattern has no line break.
        segments.push(Segment { name: row.get(0)?, patterns: patterns.lines().map(str::to_owned).collect() });
    }
    Ok(segments)
}

impl Reader {
    /// The segments of the project, in order.
    pub fn segments(&self) -> Result<Vec<Segment>, StoreError> {
        read(&self.connection)
    }
}

impl Writer {
    /// The segments of the project, in order.
    pub fn segments(&self) -> Result<Vec<Segment>, StoreError> {
        read(&self.connection)
    }

    /// Puts these segments in the place of those there were, and judges every URL of the project by them. `go_on` is told now
    /// and then how many URLs are judged and how many there are; once it answers `false`, the call ends with
    /// `StoreError::Cancelled` and all is as it was.
    pub fn set_segments(
        &mut self,
        segments: &[Segment],
        go_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<(), StoreError> {
        let rules = SegmentRules::new(segments).map_err(|faults| StoreError::Query(faults.join("; ")))?;
        self.begin()?;
        let done = self.judge_all(segments, rules, go_on).and_then(|()| self.commit());
        if done.is_err() {
            self.rollback();
            self.segments = Known::open(&self.connection)?;
        }
        done
    }

    fn judge_all(
        &mut self,
        segments: &[Segment],
        rules: SegmentRules,
        go_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<(), StoreError> {
        self.connection
            .execute_batch("DELETE FROM segment; DELETE FROM segment_set; DELETE FROM segment_url")?;
        for (n, segment) in segments.iter().enumerate() {
            self.connection
                .prepare_cached("INSERT INTO segment(n, name, patterns) VALUES(?1, ?2, ?3)")?
                .execute((n as i64 + 1, &segment.name, segment.patterns.join("\n")))?;
        }
        self.segments = Known { rules: (!segments.is_empty()).then_some(rules), sets: HashMap::new() };
        if segments.is_empty() {
            return Ok(());
        }
        let all = u64::from(self.known_urls());
        let mut statement = self.connection.prepare("SELECT id, text FROM url ORDER BY id")?;
        let mut rows = statement.query([])?;
        let mut judged = 0;
        while let Some(row) = rows.next()? {
            if judged % CHUNK == 0 && !go_on(judged, all) {
                return Err(StoreError::Cancelled);
            }
            let text = row.get_ref(1)?.as_str().unwrap_or_default();
            self.segments.judge(&self.connection, row.get(0)?, text)?;
            judged += 1;
        }
        Ok(())
    }
}
