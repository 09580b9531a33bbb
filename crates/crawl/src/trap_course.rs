//! Traps in the course of a crawl: told of, kept back while they wait, and let go on by a person.

use crate::course::Course;
use crate::traps;
use model::address::origin_of;
use store::{StoreError, Value};

/// Codes of what was named by a person or a sitemap: never kept back.
const LISTED: &str = "1, 5, 6";

impl Course<'_, '_> {
    /// Stores what is new about the traps and tells of those that were just found.
    pub(crate) fn tell_traps(&mut self) -> Result<(), StoreError> {
        if self.frontier.traps.take_fresh() {
            self.hold_waiting()?;
        }
        for trap in self.frontier.traps.store(self.writer, self.crawl.id)? {
            self.warn("trap", &trap.pattern, &trap.detail)?;
        }
        Ok(())
    }

    /// Keeps back the pages of paused patterns that were let in before and have not been asked for.
    fn hold_waiting(&mut self) -> Result<(), StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let mut waiting = Vec::new();
        let sql = format!(
            "SELECT v.key & 4294967295, u.text FROM visit v JOIN url u ON u.id = v.key & 4294967295
             WHERE v.state = 0 AND v.key BETWEEN ?1 AND ?2 AND v.internal AND v.purpose = 2 AND v.found NOT IN ({LISTED})"
        );
        let traps = &mut self.frontier.traps;
        self.writer.rows(&sql, &[first.into(), last.into()], &mut |row| {
            if let Some(reason) = traps.refuse_waiting(row.text(1)) {
                waiting.push((row.int(0) as u32, reason));
            }
            Ok(())
        })?;
        for (url, reason) in waiting {
            self.frontier.hold(self.writer, url, &reason)?;
        }
        Ok(())
    }

    /// Lets traps go on: what they kept back is queued again.
    pub(crate) fn allow_traps(&mut self, patterns: &[String]) -> Result<(), StoreError> {
        for pattern in patterns {
            self.frontier.traps.allow(pattern);
            self.release(pattern)?;
        }
        Ok(())
    }

    /// Queues what was kept back by the patterns that are let go on, after the crawl was taken up again.
    pub(crate) fn release_allowed(&mut self) -> Result<(), StoreError> {
        for pattern in self.frontier.traps.allowed() {
            self.release(&pattern)?;
        }
        Ok(())
    }

    fn release(&mut self, pattern: &str) -> Result<(), StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let has_origin = pattern.contains("://");
        let (origin, reason) = (origin_of(pattern), traps::reason(traps::without_origin(pattern)));
        let mut kept = Vec::new();
        let sql = "SELECT v.key & 4294967295, h.origin FROM visit v JOIN string r ON r.id = v.reason JOIN host h ON h.id = v.host
                   WHERE v.key BETWEEN ?1 AND ?2 AND v.state = 5 AND r.value = ?3";
        self.writer.rows(sql, &[first.into(), last.into(), Value::Text(reason)], &mut |row| {
            if !has_origin || row.text(1) == origin {
                kept.push(row.int(0) as u32);
            }
            Ok(())
        })?;
        for url in kept {
            self.frontier.release(self.writer, url)?;
        }
        Ok(())
    }
}
