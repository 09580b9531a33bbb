//! Waiting for what a program that runs beside the test does: until it is so, never for a time that is hoped to be enough.

use crate::server::pause;
use model::clock::{Clock, SystemClock};
use std::time::Duration;

/// Far longer than anything takes that is waited for, so that a fault ends a test and a loaded machine does not.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is so.
///
/// # Panics
/// When it is not after a minute; the message says what was waited for.
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let began = SystemClock.now();
    while !is() {
        assert!(SystemClock.now().duration_since(began) < PATIENCE, "{what}: not within {PATIENCE:?}");
        pause(Duration::from_millis(5));
    }
}
