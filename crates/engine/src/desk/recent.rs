//! The projects that were open lately, with what was last known of each.
//!
//! Listing them is quick whatever the disks do: files are looked at on a thread of its own, and what has not been seen
//! within [`PATIENCE`] is told as it was known; the next listing knows it.

use super::beside;
use super::kept::{Held, Kept};
use super::moment::iso;
use super::refusal::ApiError;
use crate::seams::Engine;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::Reader;

/// A project on the start screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecentProject {
    pub path: String,
    pub name: String,
    /// Of the newest crawl; empty where there is none.
    pub start_url: String,
    /// When it was last opened or worked on, ISO 8601 UTC.
    pub opened: String,
    /// Of the newest crawl; `empty` where there is none, `unreadable` where the file is no sound project.
    pub state: String,
    pub pages: u64,
    pub issues: u64,
    pub resumable: bool,
    /// There is no such file any more.
    pub missing: bool,
}

/// Projects kept.
const MOST: usize = 30;

/// How long a listing waits for the files.
const PATIENCE: Duration = Duration::from_millis(30);

/// How long it waits for those of which nothing is known that would be true: a program that was ended in the middle of an audit
/// leaves such an entry, and whoever comes back wants to see that it can be resumed.
const PATIENCE_UNSETTLED: Duration = Duration::from_secs(2);

/// What is known of a project's newest crawl.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Known {
    pub(super) start_url: String,
    pub(super) state: String,
    pub(super) pages: u64,
    pub(super) issues: u64,
    pub(super) resumable: bool,
    pub(super) missing: bool,
    /// The file as it was then.
    pub(super) stamp: Option<Stamp>,
}

impl Known {
    /// Nothing is known yet, or a crawl was at work: whether somebody still is cannot be seen from the file's stamp.
    fn is_unsettled(&self) -> bool {
        matches!(self.state.as_str(), "" | "running" | "analysing")
    }
}

/// What changes whenever a project file does: size and time of the file and of its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    file: (u64, i64),
    log: (u64, i64),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Entry {
    path: String,
    opened: String,
    #[serde(flatten)]
    known: Known,
}

/// `recent.json` of the data folder.
#[derive(Clone)]
pub(super) struct Recents(Arc<Inner>);

struct Inner {
    engine: Engine,
    /// Locked while the file is read and written.
    file: Mutex<Kept>,
    /// Somebody is looking at the files already.
    looking: AtomicBool,
}

impl Recents {
    pub(super) fn new(data: &Path, engine: Engine) -> Self {
        let file = Mutex::new(Kept::new(data.join("recent.json")));
        Self(Arc::new(Inner { engine, file, looking: AtomicBool::new(false) }))
    }

    /// Newest first, with the notice of a file that had to be moved aside.
    pub(super) fn list(&self) -> Result<(Vec<RecentProject>, Option<String>), ApiError> {
        let Held { value: mut entries, notice } = self.0.read()?;
        let seen = self.look(&entries);
        for entry in &mut entries {
            if let Some(known) = seen.get(&entry.path) {
                entry.known = known.clone();
            }
        }
        Ok((entries.into_iter().map(shown).collect(), notice))
    }

    /// The project was opened or worked on: it comes first. `known` is what is known of it without looking.
    pub(super) fn remember(&self, path: &Path, known: Option<Known>) -> Result<Option<String>, ApiError> {
        let opened = iso(model::clock::unix_millis(self.0.engine.clock().wall()));
        let name = path.display().to_string();
        self.0.change(|entries| {
            let before = entries.iter().position(|entry| entry.path == name).map(|at| entries.remove(at));
            let known = match (known, before) {
                // The stamp is that of now: the file is closed, and what is told is what it holds.
                (Some(known), _) => Known { stamp: stamp(path), ..known },
                (None, Some(before)) => before.known,
                (None, None) => Known::default(),
            };
            entries.insert(0, Entry { path: name, opened, known });
            entries.truncate(MOST);
        })
    }

    pub(super) fn forget(&self, path: &str) -> Result<Option<String>, ApiError> {
        self.0.change(|entries| entries.retain(|entry| entry.path != path))
    }

    pub(super) fn holds(&self, path: &str) -> bool {
        self.0.read().is_ok_and(|held| held.value.iter().any(|entry| entry.path == path))
    }

    /// Looks at the files for as long as patience lasts; what comes later is written down for the next time.
    fn look(&self, entries: &[Entry]) -> HashMap<String, Known> {
        let mut seen = HashMap::new();
        if entries.is_empty() || self.0.looking.swap(true, Ordering::AcqRel) {
            return seen;
        }
        let (send, receive) = sync_channel(MOST.max(entries.len()));
        let (inner, asked) = (Arc::clone(&self.0), entries.to_vec());
        let looked = std::thread::Builder::new().name("recent".to_owned()).spawn(move || {
            let mut news = HashMap::new();
            for entry in asked {
                let known = inner.look(&entry);
                if known != entry.known {
                    news.insert(entry.path.clone(), known.clone());
                }
                // Nobody may be waiting any more.
                drop(send.send((entry.path, known)));
            }
            if !news.is_empty() {
                // What cannot be written down is looked at again.
                drop(inner.change(|entries| {
                    for entry in entries {
                        if let Some(known) = news.remove(&entry.path) {
                            entry.known = known;
                        }
                    }
                }));
            }
            inner.looking.store(false, Ordering::Release);
        });
        if looked.is_err() {
            self.0.looking.store(false, Ordering::Release);
            return seen;
        }
        let clock = self.0.engine.clock();
        let began = clock.now();
        let mut unsettled = entries.iter().filter(|entry| entry.known.is_unsettled()).count();
        loop {
            let patience = if unsettled > 0 { PATIENCE_UNSETTLED } else { PATIENCE };
            let left = patience.saturating_sub(clock.now().duration_since(began));
            match receive.recv_timeout(left) {
                Ok((path, known)) => {
                    let was = entries.iter().find(|entry| entry.path == path);
                    unsettled -= usize::from(was.is_some_and(|entry| entry.known.is_unsettled()));
                    seen.insert(path, known)
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return seen,
            };
        }
    }
}

impl Inner {
    fn read(&self) -> Result<Held<Vec<Entry>>, ApiError> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).read()
    }

    /// Gives the notice of a file that had to be moved aside.
    fn change(&self, change: impl FnOnce(&mut Vec<Entry>)) -> Result<Option<String>, ApiError> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Held { value: mut entries, notice } = file.read::<Vec<Entry>>()?;
        change(&mut entries);
        file.write(&entries)?;
        Ok(notice)
    }

    /// What is known of the file now; it is opened only where it changed since it was looked at.
    fn look(&self, entry: &Entry) -> Known {
        let path = Path::new(&entry.path);
        let now = stamp(path);
        let Some(now) = now else { return Known { missing: true, ..entry.known.clone() } };
        if !entry.known.is_unsettled() && entry.known.stamp == Some(now) {
            return Known { missing: false, ..entry.known.clone() };
        }
        let known =
            self.open(path).unwrap_or_else(|| Known { state: "unreadable".to_owned(), ..Known::default() });
        Known { stamp: Some(now), ..known }
    }

    fn open(&self, path: &Path) -> Option<Known> {
        let crawls = self.engine.glance(path).ok()?.crawls().ok()?;
        let whole = crawls.iter().rev().find(|crawl| crawl.job != store::RECHECK);
        let Some(newest) = whole.or(crawls.last()) else {
            return Some(Known { state: "empty".to_owned(), ..Known::default() });
        };
        let reader = Reader::open(path).ok()?;
        reader.tell_day_by(Arc::clone(self.engine.clock())).ok()?;
        let (first, last) = store::key_range(newest.crawl);
        let count = |sql: &str, of: &[store::Value]| {
            reader.one(sql, of, |row| row.int(0)).ok().flatten().map_or(0, |count| count.max(0) as u64)
        };
        Some(Known {
            start_url: newest.start_url.clone(),
            state: newest.state.clone(),
            pages: count(
                "SELECT count(*) FROM page WHERE key BETWEEN ?1 AND ?2",
                &[first.into(), last.into()],
            ),
            // A file of an older version says nothing of what may stay.
            issues: match reader.one(&audit::issue_count_sql(), &[newest.crawl.into()], |row| row.int(0)) {
                Ok(issues) => issues.unwrap_or_default().max(0) as u64,
                Err(_) => count(ISSUES, &[newest.crawl.into()]),
            },
            resumable: crawls.iter().any(|crawl| crawl.resumable),
            missing: false,
            stamp: None,
        })
    }
}

const ISSUES: &str = "SELECT coalesce(sum(e.findings), 0) FROM evaluation e JOIN audit a ON a.id = e.audit WHERE e.crawl = ?1 AND a.severity = 'issue'";

/// `None` where there is no such file.
fn stamp(path: &Path) -> Option<Stamp> {
    let of = |path: &Path| {
        let about = path.metadata().ok()?;
        let modified = about.modified().map_or(0, model::clock::unix_millis);
        about.is_file().then_some((about.len(), modified))
    };
    Some(Stamp { file: of(path)?, log: of(&beside(path, "-wal")).unwrap_or_default() })
}

fn shown(entry: Entry) -> RecentProject {
    let Known { start_url, state, pages, issues, resumable, missing, .. } = entry.known;
    RecentProject {
        name: name_of(Path::new(&entry.path)),
        path: entry.path,
        start_url,
        opened: entry.opened,
        state: if state.is_empty() { "empty".to_owned() } else { state },
        pages,
        issues,
        resumable: resumable && !missing,
        missing,
    }
}

/// The name of a project: its file's, without the ending.
pub(super) fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
