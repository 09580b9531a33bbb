//! Time that only moves when a test says so.

use model::Clock;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Notify;

/// The hands of the clock, and a bell for whoever waits for a sleeper.
#[derive(Debug, Clone)]
pub(crate) struct HandClock(Arc<Mutex<Hands>>, Arc<Notify>);

#[derive(Debug)]
struct Hands {
    start: Instant,
    passed: Duration,
    sleepers: Vec<Sleeper>,
    next: u64,
}

#[derive(Debug)]
struct Sleeper {
    id: u64,
    asked: Duration,
    due: Duration,
    waker: Option<Waker>,
}

/// The time of day at which every test begins, in seconds: Sun, 06 Nov 1994 08:49:37 GMT.
const WALL: u64 = 784_111_777;

impl HandClock {
    pub(crate) fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a test clock needs one real moment to count from")]
        let start = Instant::now();
        let hands = Hands { start, passed: Duration::ZERO, sleepers: Vec::new(), next: 0 };
        Self(Arc::new(Mutex::new(hands)), Arc::new(Notify::new()))
    }

    pub(crate) fn passed(&self) -> Duration {
        self.0.lock().unwrap().passed
    }

    /// Moves time and wakes whoever is due.
    pub(crate) fn advance(&self, by: Duration) {
        let mut hands = self.0.lock().unwrap();
        hands.passed += by;
        let passed = hands.passed;
        for sleeper in hands.sleepers.iter_mut().filter(|sleeper| sleeper.due <= passed) {
            if let Some(waker) = sleeper.waker.take() {
                waker.wake();
            }
        }
    }

    /// Waits until somebody sleeps for exactly this long, then lets that time pass.
    pub(crate) async fn pass(&self, sleep: Duration) {
        self.until_asleep(sleep).await;
        self.advance(sleep);
    }

    /// Waits until somebody sleeps for exactly this long.
    pub(crate) async fn until_asleep(&self, sleep: Duration) {
        loop {
            let changed = self.1.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if self.0.lock().unwrap().sleepers.iter().any(|sleeper| sleeper.asked == sleep) {
                return;
            }
            changed.await;
        }
    }
}

impl Clock for HandClock {
    fn now(&self) -> Instant {
        let hands = self.0.lock().unwrap();
        hands.start + hands.passed
    }

    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(WALL) + self.passed()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut hands = self.0.lock().unwrap();
        let id = hands.next;
        hands.next += 1;
        let due = hands.passed + duration;
        hands.sleepers.push(Sleeper { id, asked: duration, due, waker: None });
        self.1.notify_waiters();
        Box::pin(Sleep { clock: self.clone(), id })
    }
}

struct Sleep {
    clock: HandClock,
    id: u64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut hands = self.clock.0.lock().unwrap();
        let passed = hands.passed;
        let Some(sleeper) = hands.sleepers.iter_mut().find(|sleeper| sleeper.id == self.id) else {
            return Poll::Ready(());
        };
        if sleeper.due <= passed {
            return Poll::Ready(());
        }
        sleeper.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clock.0.lock().unwrap().sleepers.retain(|sleeper| sleeper.id != self.id);
    }
}
