//! One host and the politeness that is owed to it: requests at once, spacing of their starts, pauses it asked for,
//! its habit with HEAD, and what went to and came from it.
//!
//! A host is a host name without port: several ports of one machine are one machine.

use model::{Clock, Failure, FailureKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// After so many HEAD refusals in a row that GET contradicted, the host is asked with GET at once.
const HEAD_REFUSALS: u8 = 3;

/// Starts are spaced a little wider than told (by this much, or a twentieth), so that what the server measures,
/// connection set-up and scheduling included, is not less than what was asked for.
const SPACING_MARGIN: Duration = Duration::from_millis(5);

/// Failed look-ups of a name, and requests without any answer, after which a host that never answered is not asked again in
/// this job: hundreds of links to one dead host would otherwise cost a time limit each.
const NAMELESS: u32 = 3;
const SILENT: u32 = 12;

/// A Crawl-delay is honoured without a cap; this only keeps arithmetic on moments within its bounds.
const LONGEST_DELAY: Duration = Duration::from_secs(10 * 365 * 86_400);

/// How one host is being asked right now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostState {
    /// Requests that may be in flight at once, after any slow-down.
    pub concurrency: usize,
    /// Requests that are in flight.
    pub in_flight: usize,
    /// The host is left alone for this much longer, because it asked for it.
    pub paused_for: Option<Duration>,
    /// Between the starts of two requests: the greater of the own delay and the host's Crawl-delay.
    pub delay: Duration,
    /// How often the host asked to be slowed down.
    pub slow_downs: u32,
    /// Requests sent.
    pub requests: u64,
    /// Bytes of body received, as transferred.
    pub bytes: u64,
    /// Requests that got no usable answer.
    pub errors: u64,
}

/// What went to and came from one host over the whole job.
#[derive(Debug, Clone)]
pub struct HostTraffic {
    /// Host name without port, as URLs spell it.
    pub host: String,
    pub state: HostState,
    /// The Crawl-delay that was set for it.
    pub crawl_delay: Option<Duration>,
}

/// What a wish to be left alone changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slowed {
    /// It is a slow-down of its own, not one of several that were asked for together.
    pub(crate) counted: bool,
    /// How much longer than before the host is left alone.
    pub(crate) longer: Duration,
}

/// The gate in front of one host.
#[derive(Debug)]
pub(crate) struct Host {
    slots: Semaphore,
    /// Whoever waits for the moment to start holds this, so that starts are spaced one by one and in order.
    turn: tokio::sync::Mutex<()>,
    /// A std lock: it is held for a few instructions and never across an await.
    pace: Mutex<Pace>,
}

#[derive(Debug)]
struct Pace {
    concurrency: usize,
    /// Slots that a slow-down took away while they were in use; they are not given back.
    owed: usize,
    own_delay: Duration,
    crawl_delay: Option<Duration>,
    last_start: Option<Instant>,
    paused_until: Option<Instant>,
    /// When the last slow-down was heard; requests that began before it tell nothing new.
    slowed_at: Option<Instant>,
    /// A wait longer than the cap was asked for, and the cap was waited for once.
    long_pause_served: bool,
    head_refusals: u8,
    in_flight: usize,
    slow_downs: u32,
    requests: u64,
    bytes: u64,
    errors: u64,
    /// Any answer came, whatever its status.
    answered: bool,
    /// Failed look-ups of the name, and requests without an answer, while none had come.
    nameless: u32,
    silent: u32,
}

impl Pace {
    fn delay(&self) -> Duration {
        self.own_delay.max(self.crawl_delay.unwrap_or_default())
    }

    /// The moment from which the next request may start; `None` for at once.
    fn earliest(&self) -> Option<Instant> {
        let delay = self.delay();
        let spaced = self.last_start.filter(|_| !delay.is_zero());
        let spaced = spaced.and_then(|last| last.checked_add(delay + SPACING_MARGIN.min(delay / 20)));
        spaced.max(self.paused_until)
    }
}

impl Host {
    pub(crate) fn new(concurrency: usize, own_delay: Duration) -> Self {
        let concurrency = concurrency.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            slots: Semaphore::new(concurrency),
            turn: tokio::sync::Mutex::new(()),
            pace: Mutex::new(Pace {
                concurrency,
                owed: 0,
                own_delay,
                crawl_delay: None,
                last_start: None,
                paused_until: None,
                slowed_at: None,
                long_pause_served: false,
                head_refusals: 0,
                in_flight: 0,
                slow_downs: 0,
                requests: 0,
                bytes: 0,
                errors: 0,
                answered: false,
                nameless: 0,
                silent: 0,
            }),
        }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, first come first served, until one more request may start.
    pub(crate) async fn enter(self: &Arc<Self>, clock: &dyn Clock) -> Ticket {
        if let Ok(permit) = self.slots.acquire().await {
            permit.forget();
        }
        // From here on dropping the ticket gives the slot back, even if the wait below is given up.
        let mut ticket = Ticket { host: Arc::clone(self), started: None };
        if let Some(start) = self.start_now(clock) {
            ticket.started = Some(start);
            return ticket;
        }
        let _turn = self.turn.lock().await;
        loop {
            if let Some(start) = self.start_now(clock) {
                ticket.started = Some(start);
                return ticket;
            }
            let wait =
                self.pace().earliest().map_or(Duration::ZERO, |at| at.saturating_duration_since(clock.now()));
            clock.sleep(wait).await;
        }
    }

    /// Counts a start if it may happen at this moment.
    fn start_now(&self, clock: &dyn Clock) -> Option<Instant> {
        let now = clock.now();
        let mut pace = self.pace();
        if pace.earliest().is_some_and(|earliest| earliest > now) {
            return None;
        }
        pace.paused_until = None;
        pace.last_start = Some(now);
        pace.in_flight += 1;
        Some(now)
    }

    pub(crate) fn set_crawl_delay(&self, delay: Duration) {
        self.pace().crawl_delay = Some(delay.min(LONGEST_DELAY));
    }

    /// The host asked, in the answer to a request started at `started`, to be left alone for `pause`. Halves its
    /// concurrency, once for all the requests that were under way together.
    pub(crate) fn slow_down(&self, started: Instant, now: Instant, pause: Duration) -> Slowed {
        let mut pace = self.pace();
        let before = pace.paused_until.map_or(now, |until| until.max(now));
        pace.paused_until = pace.paused_until.max(now.checked_add(pause));
        let longer =
            pace.paused_until.map_or(Duration::ZERO, |until| until.saturating_duration_since(before));
        if pace.slowed_at.is_some_and(|heard| started <= heard) {
            return Slowed { counted: false, longer };
        }
        pace.slowed_at = Some(now);
        pace.slow_downs += 1;
        let slower = (pace.concurrency / 2).max(1);
        let fewer = pace.concurrency - slower;
        pace.concurrency = slower;
        pace.owed += fewer - self.slots.forget_permits(fewer);
        Slowed { counted: true, longer }
    }

    /// Lets so many requests in at once. A host that asked to be slowed down keeps the number it was slowed to.
    pub(crate) fn widen(&self, concurrency: usize) {
        let mut pace = self.pace();
        if pace.slow_downs > 0 || concurrency <= pace.concurrency {
            return;
        }
        self.slots.add_permits(concurrency.min(Semaphore::MAX_PERMITS) - pace.concurrency);
        pace.concurrency = concurrency;
    }

    /// Whether a wait beyond the cap may still be answered by a pause as long as the cap; true once per host, so
    /// that a host that always asks for a day holds the job up once.
    pub(crate) fn may_pause_long(&self) -> bool {
        !std::mem::replace(&mut self.pace().long_pause_served, true)
    }

    pub(crate) fn refuses_head(&self) -> bool {
        self.pace().head_refusals >= HEAD_REFUSALS
    }

    pub(crate) fn head_worked(&self) {
        self.pace().head_refusals = 0;
    }

    /// HEAD was refused and GET then gave a good answer.
    pub(crate) fn head_contradicted(&self) {
        let mut pace = self.pace();
        pace.head_refusals = pace.head_refusals.saturating_add(1);
    }

    pub(crate) fn count(&self, bytes: u64, failed: bool) {
        let mut pace = self.pace();
        pace.requests += 1;
        pace.bytes += bytes;
        pace.errors += u64::from(failed);
    }

    /// Why the host is not asked any more: it never answered, often enough.
    pub(crate) fn given_up(&self) -> Option<Failure> {
        let pace = self.pace();
        if pace.answered {
            return None;
        }
        let (kind, detail) = if pace.nameless >= NAMELESS {
            (
                FailureKind::Dns,
                format!(
                    "The name could not be resolved {NAMELESS} times and is not looked up again in this crawl."
                ),
            )
        } else if pace.silent >= SILENT {
            (
                FailureKind::Connect,
                format!("The host gave no answer to {SILENT} requests and is not asked again in this crawl."),
            )
        } else {
            return None;
        };
        Some(Failure { kind, detail })
    }

    /// Takes note of whether a request got an answer.
    pub(crate) fn heard(&self, failure: Option<FailureKind>) {
        let mut pace = self.pace();
        match failure {
            None => pace.answered = true,
            Some(FailureKind::Dns) => pace.nameless += 1,
            Some(FailureKind::Connect | FailureKind::Timeout) => pace.silent += 1,
            // Whatever resets, garbles or fails a handshake is there.
            Some(_) => {}
        }
    }

    pub(crate) fn crawl_delay(&self) -> Option<Duration> {
        self.pace().crawl_delay
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.pace().in_flight
    }

    pub(crate) fn state(&self, now: Instant) -> HostState {
        let pace = self.pace();
        HostState {
            concurrency: pace.concurrency,
            in_flight: pace.in_flight,
            paused_for: pace
                .paused_until
                .and_then(|until| until.checked_duration_since(now))
                .filter(|d| !d.is_zero()),
            delay: pace.delay(),
            slow_downs: pace.slow_downs,
            requests: pace.requests,
            bytes: pace.bytes,
            errors: pace.errors,
        }
    }
}

/// The right to have one request in flight; held until its body is finished or its connection is closed.
#[derive(Debug)]
pub(crate) struct Ticket {
    host: Arc<Host>,
    /// When the request was let through; `None` while it waits for that.
    started: Option<Instant>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut pace = self.host.pace();
        pace.in_flight -= usize::from(self.started.is_some());
        if pace.owed > 0 {
            pace.owed -= 1;
        } else {
            self.host.slots.add_permits(1);
        }
    }
}
