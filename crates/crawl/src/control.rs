//! Pause and stop, asked for from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const RUN: u8 = 0;
const PAUSE: u8 = 1;
const STOP: u8 = 2;

/// A switch shared between a running crawl and whoever may stop it. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<AtomicU8>);

impl Control {
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the crawl: requests in flight are given up, everything stored stays, and the crawl can be resumed.
    pub fn stop(&self) {
        self.0.store(STOP, Ordering::Relaxed);
    }

    /// Sends nothing new until `unpause`. A stop is final and not undone by this.
    pub fn pause(&self) {
        let _ = self.0.compare_exchange(RUN, PAUSE, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub fn unpause(&self) {
        let _ = self.0.compare_exchange(PAUSE, RUN, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == STOP
    }

    pub fn is_paused(&self) -> bool {
        self.0.load(Ordering::Relaxed) == PAUSE
    }
}
