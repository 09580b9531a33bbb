//! What a crawl is given, what it tells, and how it ends.

use crate::again::Wanted;
use fetch::{FetchError, Seams};
use model::{Address, Plan};
use std::path::PathBuf;
use std::time::Duration;
use store::{StoreError, Writer};
use thiserror::Error;

/// One crawl to be run.
pub struct Crawl<'a> {
    /// Row id, registered by `Writer::add_crawl`.
    pub id: i64,
    pub plan: &'a Plan,
    /// The project file, for the network thread's own reading; `None` in memory.
    pub path: Option<PathBuf>,
    pub seams: Seams,
    /// Seeds to try instead when one cannot be connected to (https guessed, http meant).
    pub fallbacks: Vec<(Address, Address)>,
    /// Where there are any: exactly these URLs are asked, in place of the seeds, which then only say what belongs to the site.
    pub only: Vec<Wanted>,
    /// The crawl has rows already.
    pub resumed: bool,
}

/// How a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is queued any more.
    Complete,
    /// It was told to stop; it can be resumed.
    Stopped,
}

/// The numbers of a moment. Encountered is the sum of `counts` (in the order of `UrlState::ALL`).
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    pub counts: [u64; 7],
    pub elapsed: Duration,
    /// Finished URLs a second over the last seconds.
    pub rate: f64,
    pub current: Option<String>,
    pub pages: u64,
    pub paused: bool,
    /// What failed is being asked once more.
    pub confirming: bool,
}

/// Who watches a crawl. All calls come from the thread that runs it.
pub trait Observer {
    /// At most five times a second.
    fn progress(&mut self, snapshot: &Snapshot);
    /// Something a person should see while the crawl goes on.
    fn warning(&mut self, code: &'static str, subject: &str, detail: &str);
    /// Pages whose rows are written but not committed, so that page rules can run over them in the same transaction.
    fn fresh_pages(&mut self, writer: &mut Writer, crawl: i64, keys: &[i64]) -> Result<(), StoreError>;
}

#[derive(Debug, Error)]
pub enum CrawlError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the crawl could not start its threads: {0}")]
    Threads(#[from] std::io::Error),
    #[error("a thread of the crawl ended unexpectedly; what was stored is safe and the crawl can be resumed")]
    Broken,
}
