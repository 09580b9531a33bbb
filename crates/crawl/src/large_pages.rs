//! One large page at a time: a page of megabytes can become a hundred of them on its way into the project file.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Whose turn it is. Parse threads may block, so that the locks are std's.
#[derive(Debug, Default)]
pub(crate) struct LargePages {
    taken: Mutex<bool>,
    free: Condvar,
}

/// The right to have a large page in hand; given on when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Arc<LargePages>);

impl LargePages {
    /// Waits until no other large page is in hand.
    pub(crate) fn turn(self: &Arc<Self>) -> Turn {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken {
            taken = self.free.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken = true;
        Turn(Arc::clone(self))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.free.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn turns_are_taken_one_after_the_other() {
        let pages = Arc::<LargePages>::default();
        let in_hand = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _turn = pages.turn();
                        assert_eq!(in_hand.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        in_hand.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
