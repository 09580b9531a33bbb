//! The numbers behind a snapshot.

use crate::terms::Snapshot;
use std::time::{Duration, Instant};

/// What a crawl counts for whoever watches.
pub(crate) struct Progress {
    pub began: Instant,
    pub last: Option<Instant>,
    pub finished: u64,
    pub pages: u64,
    pub current: Option<String>,
    /// Finished at a moment a few seconds ago, for the rate.
    pub mark: (Instant, u64),
    pub rate: f64,
}

impl Progress {
    pub(crate) fn new(now: Instant) -> Self {
        Self { began: now, last: None, finished: 0, pages: 0, current: None, mark: (now, 0), rate: 0.0 }
    }

    pub(crate) fn note(&mut self, text: &str) {
        match &mut self.current {
            Some(current) => {
                current.clear();
                current.push_str(text);
            }
            None => self.current = Some(text.to_owned()),
        }
    }

    pub(crate) fn snapshot(&mut self, now: Instant, counts: [u64; 7], paused: bool) -> Snapshot {
        self.last = Some(now);
        let window = now.duration_since(self.mark.0);
        if window >= Duration::from_secs(2) {
            self.rate = (self.finished - self.mark.1) as f64 / window.as_secs_f64();
            self.mark = (now, self.finished);
        } else if self.rate == 0.0 && window.as_millis() > 200 {
            self.rate = self.finished as f64 / now.duration_since(self.began).as_secs_f64().max(0.001);
        }
        Snapshot {
            counts,
            elapsed: now.duration_since(self.began),
            rate: self.rate,
            current: self.current.clone(),
            pages: self.pages,
            paused,
            confirming: false,
        }
    }
}
