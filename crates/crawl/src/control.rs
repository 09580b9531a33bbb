//! Pause and stop, asked for from any thread, traps that a person lets go on, and a look at the hosts.

use fetch::{HostState, HostsNow};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

const RUN: u8 = 0;
const PAUSE: u8 = 1;
const WIND_DOWN: u8 = 2;
const STOP: u8 = 3;

/// A switch shared between a running crawl and whoever may stop it. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: AtomicU8,
    /// Whether there is something in `allowed`: looked at between any two messages of the crawl.
    asked: AtomicBool,
    /// A std lock: it is held for a push or a take.
    allowed: Mutex<Allowed>,
    /// A std lock: it is held for a clone.
    hosts: Mutex<HostsNow>,
    background: OnceLock<fn()>,
}

/// Patterns of traps that are to go on and have not been taken up yet.
#[derive(Debug, Default)]
enum Allowed {
    /// No crawl takes them up: none has begun, or it has come to its end.
    #[default]
    Closed,
    Open(Vec<String>),
}

impl Control {
    pub fn new() -> Self {
        Self::default()
    }

    /// Every thread that works on what has come calls this first: it makes its thread one that lets others go before. The thread
    /// of the network does not, since it takes the times of answers. To be said before the crawl begins; the first one counts.
    pub fn work_in_background(&self, make: fn()) {
        let _ = self.0.background.set(make);
    }

    /// Makes the calling thread one of those that let others go first, where that is wanted.
    pub(crate) fn go_to_background(&self) {
        if let Some(make) = self.0.background.get() {
            make();
        }
    }

    /// Ends the crawl: requests in flight are given up, everything stored stays, and the crawl can be resumed.
    pub fn stop(&self) {
        self.0.state.store(STOP, Ordering::Relaxed);
    }

    /// Ends the crawl as `stop` does, but lets requests in flight come to their end, each within its own time limit. A
    /// later `stop` gives them up. Once this has returned, no request begins.
    pub fn wind_down(&self) {
        self.0.state.fetch_max(WIND_DOWN, Ordering::Relaxed);
        self.0.hosts.lock().unwrap_or_else(PoisonError::into_inner).close();
    }

    /// Sends nothing new until `unpause`. A stop is final and not undone by this.
    pub fn pause(&self) {
        let _ = self.0.state.compare_exchange(RUN, PAUSE, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub fn unpause(&self) {
        let _ = self.0.state.compare_exchange(PAUSE, RUN, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether the crawl is to end, now or once what is in flight has come.
    pub fn is_stopped(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) >= WIND_DOWN
    }

    /// Whether requests in flight are given up.
    pub(crate) fn gives_up(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) == STOP
    }

    pub fn is_paused(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) == PAUSE
    }

    /// How each host is being asked at this moment, by its name without port; `None` when no crawl runs.
    pub fn hosts(&self) -> Option<HashMap<String, HostState>> {
        let hosts = self.0.hosts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        hosts.states()
    }

    pub(crate) fn watch(&self, hosts: HostsNow) {
        *self.0.hosts.lock().unwrap_or_else(PoisonError::into_inner) = hosts;
    }

    /// Lets a trap go on, by its pattern with the origin. False when no crawl is there to take that up: it has not begun, or
    /// nothing of it is left to be asked.
    pub fn allow_trap(&self, pattern: &str) -> bool {
        let Allowed::Open(waiting) = &mut *self.allowed() else { return false };
        waiting.push(pattern.to_owned());
        self.0.asked.store(true, Ordering::Release);
        true
    }

    /// From here on traps can be let go on.
    pub(crate) fn open(&self) {
        *self.allowed() = Allowed::Open(Vec::new());
    }

    /// From here on they cannot, unless some wait: these are given, and the crawl goes on.
    pub(crate) fn close(&self) -> Vec<String> {
        self.0.asked.store(false, Ordering::Release);
        match &mut *self.allowed() {
            Allowed::Open(waiting) if !waiting.is_empty() => std::mem::take(waiting),
            allowed => {
                *allowed = Allowed::Closed;
                Vec::new()
            }
        }
    }

    /// The patterns that wait.
    pub(crate) fn take_allowed(&self) -> Vec<String> {
        if !self.0.asked.swap(false, Ordering::AcqRel) {
            return Vec::new();
        }
        match &mut *self.allowed() {
            Allowed::Open(waiting) => std::mem::take(waiting),
            Allowed::Closed => Vec::new(),
        }
    }

    fn allowed(&self) -> std::sync::MutexGuard<'_, Allowed> {
        self.0.allowed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trap_is_let_go_on_only_while_somebody_takes_that_up() {
        let control = Control::new();
        let none = Vec::<String>::new();
        assert!(!control.allow_trap("early"));
        control.open();
        assert_eq!(control.take_allowed(), none);
        assert!(control.allow_trap("a") && control.clone().allow_trap("b"));
        assert_eq!(control.take_allowed(), ["a", "b"]);
        assert_eq!(control.take_allowed(), none);
        // The last moment: the crawl finds it when it is about to end, and goes on.
        assert!(control.allow_trap("c"));
        assert_eq!(control.close(), ["c"]);
        assert!(control.allow_trap("d"));
        assert_eq!(control.close(), ["d"]);
        assert_eq!(control.close(), none);
        assert!(!control.allow_trap("late"));
    }
}
