//! The global budget of decoded bytes in flight: it bounds memory over all requests, whatever the cap of one body.
//!
//! Readers take bytes while they read. When nothing is left, one reader at a time (the *elder*) may go past the
//! limit, so that somebody always finishes and readers that hold a part each cannot wait for one another. The next elder
//! is made only when what is held is within the limit again. The excess is therefore at most the cap of one body, and
//! beyond the limit there are always bytes of a reader that goes on, or of a body that is read and will be given back:
//! whoever keeps bodies for good keeps others from being read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Bytes that may be held at once.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    /// A std lock: it is held for a few instructions and never across an await.
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct State {
    used: u64,
    has_elder: bool,
}

impl Budget {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { limit, state: Mutex::default(), freed: Notify::new() })
    }

    /// Starts with nothing held.
    pub(crate) fn open(self: &Arc<Self>) -> Held {
        Held { budget: Arc::clone(self), bytes: 0, elder: false }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes taken from the budget; they go back when it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    budget: Arc<Budget>,
    bytes: u64,
    elder: bool,
}

impl Held {
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes `more` bytes if that is possible at once.
    pub(crate) fn try_grow(&mut self, more: u64) -> bool {
        let mut state = self.budget.state();
        if state.used.saturating_add(more) > self.budget.limit && !self.elder {
            if state.has_elder || state.used > self.budget.limit {
                return false;
            }
            state.has_elder = true;
            self.elder = true;
        }
        state.used = state.used.saturating_add(more);
        self.bytes += more;
        true
    }

    /// Takes `more` bytes, waiting until others give some back.
    pub(crate) async fn grow(&mut self, more: u64) {
        let budget = Arc::clone(&self.budget);
        loop {
            let freed = budget.freed.notified();
            tokio::pin!(freed);
            // Listening begins before the attempt, so that no release between the two is missed.
            freed.as_mut().enable();
            if self.try_grow(more) {
                return;
            }
            freed.await;
        }
    }

    /// The reading is over and `bytes` are really held: returns the rest and the right to exceed the limit.
    pub(crate) fn settle(&mut self, bytes: u64) {
        let mut state = self.budget.state();
        state.used = state.used.saturating_sub(self.bytes).saturating_add(bytes);
        self.bytes = bytes;
        if std::mem::take(&mut self.elder) {
            state.has_elder = false;
        }
        drop(state);
        self.budget.freed.notify_waiters();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.settle(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reader_may_exceed_and_the_right_is_handed_on() {
        let budget = Budget::new(100);
        let (mut a, mut b, mut c) = (budget.open(), budget.open(), budget.open());
        assert!(a.try_grow(60) && b.try_grow(40));
        assert!(a.try_grow(60), "the first to ask for more may go past the limit");
        assert!(a.try_grow(60), "and stays the one");
        assert!(!b.try_grow(1) && !c.try_grow(1));
        a.settle(10);
        assert!(b.try_grow(50) && c.try_grow(1) && !b.try_grow(1), "the right went on to the next who asked");
        drop(a);
        drop(b);
        assert!(c.try_grow(99));
        assert_eq!(budget.state().used, 100);
        drop(c);
        assert_eq!(budget.state().used, 0);
    }

    #[test]
    fn bodies_that_wait_for_their_reader_do_not_add_up() {
        let budget = Budget::new(100);
        let mut read = Vec::new();
        loop {
            let mut held = budget.open();
            // Each body is as large as the whole budget.
            if !(held.try_grow(50) && held.try_grow(50)) {
                break;
            }
            held.settle(100);
            read.push(held);
        }
        assert_eq!((read.len(), budget.state().used), (2, 200), "the limit, and one body more");
        read.pop();
        assert!(budget.open().try_grow(50), "what is given back is there for the next");
    }

    #[tokio::test]
    async fn waiting_readers_all_finish() {
        let budget = Budget::new(10);
        let readers = (0..50).map(|_| {
            let mut held = budget.open();
            tokio::spawn(async move {
                for _ in 0..20 {
                    held.grow(7).await;
                    tokio::task::yield_now().await;
                }
                held.settle(3);
            })
        });
        for reader in readers.collect::<Vec<_>>() {
            reader.await.expect("a reader finishes");
        }
        assert_eq!(budget.state().used, 0);
    }
}
