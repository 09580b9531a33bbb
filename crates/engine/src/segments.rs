//! The segments of a project: told, tried and changed.
//!
//! The project file is what counts. A profile's segments are those that a project without any begins with.

use crate::dto::{Access, CrawlChoice};
use crate::error::EngineError;
use crate::job::project_error;
use crate::project::Project;
use crate::seams::Engine;
use model::segment::{Segment, SegmentRules};
use serde::{Deserialize, Serialize};
use std::path::Path;
use store::{Cancel, StoreError};

/// A segment as a person writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SegmentText {
    pub name: String,
    /// Globs such as `/blog/**`, or regular expressions after `re:`.
    pub patterns: Vec<String>,
}

/// A segment of a project with what it has in a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SegmentCard {
    pub name: String,
    pub patterns: Vec<String>,
    pub urls: u64,
}

/// What patterns would have in a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SegmentPreview {
    pub urls: u64,
    /// URLs of the crawl.
    pub of: u64,
    /// The first few that are meant.
    pub examples: Vec<String>,
}

/// URLs that a preview names.
const EXAMPLES: usize = 5;
/// URLs of a crawl that are read between two looks at whether to go on.
const CHUNK: u64 = 5_000;

impl Engine {
    /// Puts these segments, in this order, in the place of those that a project has, and judges all its URLs anew. `observe` is
    /// told how many of how many are judged. Where it is cancelled, everything stays as it was.
    pub fn set_segments(
        &self,
        project: &Path,
        segments: &[SegmentText],
        cancel: &Cancel,
        observe: &mut dyn FnMut(u64, u64),
    ) -> Result<(), EngineError> {
        let segments: Vec<Segment> = segments.iter().map(meant).collect();
        SegmentRules::new(&segments).map_err(|faults| EngineError::Usage(faults.join("\n")))?;
        // Makes sure that it is there: a writer would make a new one.
        drop(self.open(project, Access::Read)?);
        let set = self.writer(project)?.set_segments(&segments, &mut |done, all| {
            observe(done, all);
            !cancel.is_cancelled()
        });
        set.map_err(|error| project_error(project, error))
    }
}

impl Project {
    /// The segments of the project, in order, with how many URLs of a crawl each has. A project without a crawl has none of them.
    pub fn segments(&self, crawl: CrawlChoice) -> Result<Vec<SegmentCard>, EngineError> {
        let failed = |error| self.failed(error);
        let segments = self.reader().segments().map_err(failed)?;
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => Some(self.known(crawl)?),
            CrawlChoice::Latest | CrawlChoice::All => self.latest().ok(),
        };
        let mut cards: Vec<SegmentCard> = segments
            .into_iter()
            .map(|segment| SegmentCard { name: segment.name, patterns: segment.patterns, urls: 0 })
            .collect();
        let Some(crawl) = crawl else { return Ok(cards) };
        let (first, last) = store::key_range(crawl);
        let sql = "SELECT q.names, t.urls FROM (SELECT g.segments, count(*) AS urls FROM visit v CROSS JOIN segment_url g \
                   ON g.url = v.key & 4294967295 WHERE v.key BETWEEN ?1 AND ?2 GROUP BY g.segments) t JOIN segment_set q ON q.id = t.segments";
        let read = self.reader().rows(sql, &[first.into(), last.into()], &mut |row| {
            for name in row.text(0).split(model::segment::BETWEEN) {
                if let Some(card) = cards.iter_mut().find(|card| card.name == name) {
                    card.urls += row.int(1) as u64;
                }
            }
            true
        });
        read.map_err(failed)?;
        Ok(cards)
    }

    /// What patterns would have in a crawl, whether or not they are stored.
    pub fn try_patterns(
        &self,
        crawl: i64,
        patterns: &[String],
        cancel: &Cancel,
    ) -> Result<SegmentPreview, EngineError> {
        let crawl = self.known(crawl)?;
        let segment = Segment { name: "preview".to_owned(), patterns: patterns.to_vec() };
        let told = |fault: String| fault.trim_start_matches("preview: ").to_owned();
        let rules = SegmentRules::new(&[segment]).map_err(|faults| {
            EngineError::Usage(faults.into_iter().map(told).collect::<Vec<_>>().join("\n"))
        })?;
        let (first, last) = store::key_range(crawl);
        let mut preview = SegmentPreview { urls: 0, of: 0, examples: Vec::new() };
        let sql = "SELECT u.text FROM visit v CROSS JOIN url u ON u.id = v.key & 4294967295 WHERE v.key BETWEEN ?1 AND ?2 ORDER BY v.key";
        let read = self.reader().rows(sql, &[first.into(), last.into()], &mut |row| {
            preview.of += 1;
            if !rules.of(row.text(0)).is_empty() {
                preview.urls += 1;
                if preview.examples.len() < EXAMPLES {
                    preview.examples.push(row.text(0).to_owned());
                }
            }
            !preview.of.is_multiple_of(CHUNK) || !cancel.is_cancelled()
        });
        read.map_err(|error| self.failed(error))?;
        if cancel.is_cancelled() {
            return Err(self.failed(StoreError::Cancelled));
        }
        Ok(preview)
    }
}

fn meant(text: &SegmentText) -> Segment {
    let patterns = text.patterns.iter().map(|pattern| pattern.trim()).filter(|pattern| !pattern.is_empty());
    Segment { name: text.name.trim().to_owned(), patterns: patterns.map(str::to_owned).collect() }
}
