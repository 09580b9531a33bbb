//! The clock seam: every wait and every time of day in the engine comes from here.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

/// A source of time. Tests inject one that they advance by hand.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// A monotonic moment, for measuring and for spacing.
    fn now(&self) -> Instant;
    /// The time of day, for what is stored.
    fn wall(&self) -> SystemTime;
    /// Waits until at least `duration` has passed on this clock.
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The real clock of the computer.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

#[expect(clippy::disallowed_methods, reason = "this is the one place where real time enters")]
impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// Milliseconds since 1970-01-01 UTC, the unit in which the project file stores moments.
pub fn unix_millis(moment: SystemTime) -> i64 {
    match moment.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
    }
}
