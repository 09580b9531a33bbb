//! A project that a test makes by hand, row by row: an empty file with a crawl begun in it. Each area's tests add the rows
//! that they are about.

use crate::Engine;
use crate::insight::Insight;
use model::settings::Start;
use model::{Address, FoundBy, Purpose, UrlState};
use std::path::PathBuf;
use store::{CrawlStart, VisitRow, Writer};
use tempfile::TempDir;

/// The writer stays open, as it is beside a running crawl.
pub(crate) struct Made {
    pub(crate) writer: Writer,
    /// The crawl that was begun last.
    pub(crate) crawl: i64,
    pub(crate) path: PathBuf,
    _folder: TempDir,
}

impl Made {
    /// A project with a crawl of the site at `start`; see [`Made::begin`].
    pub(crate) fn new(start: &str, job: &str, profile: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("made.gossamer");
        let writer = Writer::open(&path, &Engine::system().store_options()).unwrap();
        let mut made = Self { writer, crawl: 0, path, _folder: folder };
        made.begin(start, job, profile);
        made
    }

    /// A project with an audit of the site at `start`, its settings the defaults.
    pub(crate) fn audit(start: &str) -> Self {
        Self::new(start, "audit", "")
    }

    /// Begins a further crawl. `profile` are lines of a profile without its version.
    pub(crate) fn begin(&mut self, start: &str, job: &str, profile: &str) -> i64 {
        let start = Start { seeds: vec![Address::parse(start).unwrap()], ..Start::default() };
        let profile = format!("version = 1\n{profile}");
        let plan = crate::settings::stored_plan(start, &profile).unwrap();
        let begun = CrawlStart { job, started: 0, profile: &profile, program: "test", plan: &plan };
        self.crawl = self.writer.add_crawl(&begun).unwrap();
        self.crawl
    }

    /// How a crawl meets a page of the site, one click from its start; nothing is stored yet.
    pub(crate) fn met(&mut self, url: &str, state: UrlState) -> VisitRow<'static> {
        let url = self.writer.intern(url).unwrap();
        VisitRow {
            url,
            host: self.writer.host_of(url).unwrap(),
            state,
            purpose: Purpose::Crawl,
            internal: true,
            depth: Some(1),
            hops: 0,
            found: FoundBy::Link,
            source: None,
            reason: None,
        }
    }

    pub(crate) fn insight(&self) -> Insight {
        Engine::system().insight(&self.path).unwrap()
    }
}
