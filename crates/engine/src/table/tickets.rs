//! Calls that can be cancelled, by the numbers that their callers gave them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::Cancel;

/// The running calls, and those that were cancelled before they began: two calls of a window may overtake one another.
#[derive(Default)]
pub(crate) struct Tickets(Mutex<Known>);

#[derive(Default)]
struct Known {
    running: HashMap<u64, Cancel>,
    early: VecDeque<u64>,
}

/// Early cancellations remembered. One whose call ended just before stays until others push it out; callers do not use a
/// number twice.
const EARLY: usize = 64;

impl Tickets {
    pub(crate) fn begin(&self, ticket: u64) -> Cancel {
        let cancel = Cancel::default();
        let mut known = self.known();
        if let Some(at) = known.early.iter().position(|early| *early == ticket) {
            known.early.remove(at);
            cancel.cancel();
        }
        known.running.insert(ticket, cancel.clone());
        cancel
    }

    pub(crate) fn end(&self, ticket: u64) {
        self.known().running.remove(&ticket);
    }

    pub(crate) fn cancel(&self, ticket: u64) {
        let mut known = self.known();
        if let Some(cancel) = known.running.get(&ticket) {
            cancel.cancel();
            return;
        }
        if known.early.len() >= EARLY {
            known.early.pop_front();
        }
        known.early.push_back(ticket);
    }

    #[cfg(test)]
    pub(crate) fn is_running(&self, ticket: u64) -> bool {
        self.known().running.contains_key(&ticket)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
