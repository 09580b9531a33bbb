//! Time that stands still until whatever waits for it is all that is left to do: ten minutes then take a moment.

use model::clock::Clock;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};

/// A clock that a test moves. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct StillClock(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    hands: Mutex<Hands>,
    changed: Condvar,
}

#[derive(Debug)]
struct Hands {
    start: Instant,
    passed: Duration,
    sleepers: Vec<Sleeper>,
    next: u64,
    stopped: bool,
}

#[derive(Debug)]
struct Sleeper {
    number: u64,
    asked: Duration,
    due: Duration,
    waker: Option<Waker>,
}

/// What a sleep is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Somebody waits for this moment.
    Wait,
    /// Something is under way that must not last longer: time stands still until it is done.
    Limit,
    /// The end of everything: time gets there only by other waits.
    End,
}

/// The time of day at which it begins: the first of January 2026, in seconds.
const BEGINNING: u64 = 1_767_225_600;

impl StillClock {
    pub fn new() -> Self {
        let start = model::clock::SystemClock.now();
        let hands = Hands { start, passed: Duration::ZERO, sleepers: Vec::new(), next: 0, stopped: false };
        Self(Arc::new(Shared { hands: Mutex::new(hands), changed: Condvar::new() }))
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.0.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far it was moved.
    pub fn passed(&self) -> Duration {
        self.hands().passed
    }

    /// Moves it on until `stop`, each time to the earliest waking, as `sort` says of the sleeps by the length that was asked
    /// for. Whoever is woken gets a moment to act before time moves again.
    pub fn run(&self, sort: impl Fn(Duration) -> Sort) {
        let mut hands = self.hands();
        loop {
            if hands.stopped {
                return;
            }
            let sorts: Vec<Sort> = hands.sleepers.iter().map(|sleeper| sort(sleeper.asked)).collect();
            let held = sorts.contains(&Sort::Limit) || !sorts.contains(&Sort::Wait);
            match hands.sleepers.iter().map(|sleeper| sleeper.due).min() {
                // One that is due takes itself off the list before time moves again.
                Some(due) if !held && due > hands.passed => {
                    hands.passed = due;
                    hands.wake();
                    hands = self.wait(hands);
                }
                _ => hands = self.wait(hands),
            }
        }
    }

    /// Until somebody sleeps, wakes or gives a sleep up, or for a moment: what `sort` looks at may change by itself.
    fn wait<'a>(&self, hands: MutexGuard<'a, Hands>) -> MutexGuard<'a, Hands> {
        const MOMENT: Duration = Duration::from_millis(5);
        self.0.changed.wait_timeout(hands, MOMENT).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Ends `run`.
    pub fn stop(&self) {
        self.hands().stopped = true;
        self.0.changed.notify_all();
    }
}

impl Default for StillClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Hands {
    fn wake(&mut self) {
        let passed = self.passed;
        for sleeper in self.sleepers.iter_mut().filter(|sleeper| sleeper.due <= passed) {
            if let Some(waker) = sleeper.waker.take() {
                waker.wake();
            }
        }
    }
}

impl Clock for StillClock {
    fn now(&self) -> Instant {
        let hands = self.hands();
        hands.start + hands.passed
    }

    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(BEGINNING) + self.passed()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut hands = self.hands();
        let number = hands.next;
        hands.next += 1;
        let due = hands.passed + duration;
        hands.sleepers.push(Sleeper { number, asked: duration, due, waker: None });
        self.0.changed.notify_all();
        Box::pin(Sleep { clock: self.clone(), number })
    }
}

/// One sleep; dropping it takes it off the list.
struct Sleep {
    clock: StillClock,
    number: u64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut hands = self.clock.hands();
        let passed = hands.passed;
        let sleeper = hands.sleepers.iter_mut().find(|sleeper| sleeper.number == self.number);
        match sleeper {
            Some(sleeper) if sleeper.due > passed => {
                sleeper.waker = Some(context.waker().clone());
                Poll::Pending
            }
            _ => Poll::Ready(()),
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clock.hands().sleepers.retain(|sleeper| sleeper.number != self.number);
        self.clock.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_to_the_earliest_waking_and_no_further_than_it_may() {
        let clock = StillClock::new();
        let began = clock.now();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                clock.run(|asked| match asked.as_secs() {
                    20 => Sort::Limit,
                    1000 => Sort::End,
                    _ => Sort::Wait,
                })
            });
            runtime.block_on(async {
                let _end = clock.sleep(Duration::from_secs(1000));
                let limit = clock.sleep(Duration::from_secs(20));
                let short = clock.sleep(Duration::from_secs(7));
                assert_eq!(clock.passed(), Duration::ZERO, "held by the limit");
                drop(limit);
                short.await;
                assert_eq!(clock.passed(), Duration::from_secs(7));
                clock.sleep(Duration::from_secs(600)).await;
            });
            clock.stop();
        });
        assert_eq!(clock.now().duration_since(began), Duration::from_secs(607));
    }
}
