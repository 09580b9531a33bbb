//! The traps of a crawl: shown, and let go on.

use crate::error::EngineError;
use crate::insight::Insight;
use crate::job::project_error;
use crate::seams::Engine;
use serde::Serialize;
use std::path::Path;
use store::StoreError;

/// A pattern of addresses without end that a crawl paused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrapCard {
    /// With its origin; stars stand for what differs.
    pub pattern: String,
    /// `repetition`, `growth`, `calendar`, `paging`, `numbers`, `session` or `facets`.
    pub kind: String,
    /// A sentence without its beginning and its full stop.
    pub why: String,
    /// URLs that the crawl knows and does not ask for because of it.
    pub kept_back: u64,
    /// A person lets it go on.
    pub allowed: bool,
    /// Some of what is kept back.
    pub examples: Vec<String>,
}

/// What follows from letting a trap go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrapAllowed {
    /// The crawl is over and has to be resumed for it to have an effect.
    pub resume: bool,
}

/// Traps told at most.
const TOLD: usize = 500;

impl Insight {
    /// The traps of a crawl, those with the most behind them first.
    pub fn traps(&self, crawl: i64) -> Result<Vec<TrapCard>, EngineError> {
        self.known(crawl)?;
        self.read(|reader| {
            let mut traps = Vec::new();
            let sql = format!(
                "SELECT pattern, kind, why, kept, allowed, examples FROM trap WHERE crawl = ?1 ORDER BY allowed, kept DESC, pattern LIMIT {TOLD}"
            );
            reader.rows(&sql, &[crawl.into()], &mut |row| {
                traps.push(TrapCard {
                    pattern: row.text(0).to_owned(),
                    kind: row.text(1).to_owned(),
                    why: row.text(2).to_owned(),
                    kept_back: row.int(3).max(0) as u64,
                    allowed: row.int(4) != 0,
                    examples: serde_json::from_str(row.text(5)).unwrap_or_default(),
                });
                true
            })?;
            Ok(traps)
        })
    }
}

impl Engine {
    /// Lets a trap of a crawl that is over go on when the crawl is resumed. Only the newest crawl of a file can go on.
    pub fn allow_trap(&self, project: &Path, crawl: i64, pattern: &str) -> Result<(), EngineError> {
        let mut writer = self.writer(project)?;
        let failed = |error: StoreError| project_error(project, error);
        let (mut newest, mut state) = (0, String::new());
        writer
            .rows("SELECT id, state FROM crawl ORDER BY id DESC LIMIT 1", &[], &mut |row| {
                (newest, state) = (row.int(0), row.text(1).to_owned());
                Ok(())
            })
            .map_err(failed)?;
        if newest != crawl {
            return Err(EngineError::Usage(
                "Only the newest crawl of a project can go on. Name the pattern in the setting limits.allow_traps and audit the site anew."
                    .to_owned(),
            ));
        }
        let sql = "UPDATE trap SET allowed = 1 WHERE crawl = ?1 AND pattern = ?2";
        if writer.run(sql, &[crawl.into(), pattern.into()]).map_err(failed)? == 0 {
            return Err(EngineError::Usage(format!("the crawl paused no trap {pattern}")));
        }
        if state == "finished" {
            writer.set_crawl(crawl, "interrupted", None, None).map_err(failed)?;
        }
        writer.settle().map_err(failed)
    }
}
