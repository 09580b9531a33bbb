//! The scheduler's view of the frontier: per host a bounded window of queued URLs, hosts taken in turn.

use model::Purpose;
use std::collections::{HashMap, VecDeque};
use store::{QueuedUrl, StoreError, Writer};

/// URLs read from the frontier at once.
const WINDOW: usize = 128;

/// One URL handed out.
#[derive(Debug)]
pub(crate) struct Job {
    pub url: u32,
    pub host: u32,
    pub text: String,
    pub purpose: Purpose,
    pub internal: bool,
    /// Only a redirect of another URL named it.
    pub hop: bool,
}

/// Whether a URL of a window is to be handed out now.
pub(crate) enum Offer {
    Ask {
        purpose: Purpose,
        internal: bool,
        hop: bool,
    },
    /// It is no longer queued, or is handed out already.
    Gone,
    /// There is no room for it until something that is under way has ended.
    Held,
}

/// What a lane has to give.
enum Taken {
    Job(Job),
    Nothing,
    Held,
}

#[derive(Default)]
struct Lane {
    /// Queued in the file and not handed out.
    waiting: u64,
    /// Handed out and not yet stored.
    outstanding: usize,
    window: VecDeque<QueuedUrl>,
    /// Last id read into the window; reading begins anew at 0 when the end is reached, since a URL with a smaller id
    /// may have been queued in between.
    cursor: u32,
    in_turn: bool,
}

/// All hosts with queued or outstanding URLs.
pub(crate) struct Lanes {
    lanes: HashMap<u32, Lane>,
    turn: VecDeque<u32>,
    outstanding: usize,
    /// Hosts whose next URL waits for room.
    held: Vec<u32>,
    /// Handed out at most, per host and in all.
    per_host: usize,
    in_all: usize,
}

impl Lanes {
    pub(crate) fn new(per_host: usize, in_all: usize) -> Self {
        Self {
            lanes: HashMap::new(),
            turn: VecDeque::new(),
            outstanding: 0,
            held: Vec::new(),
            per_host,
            in_all,
        }
    }

    pub(crate) const fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// A URL of this host was queued.
    pub(crate) fn queued(&mut self, host: u32) {
        let lane = self.lanes.entry(host).or_default();
        lane.waiting += 1;
        Self::offer(&mut self.turn, host, lane, self.per_host);
    }

    /// A queued URL left the queue without having been handed out.
    pub(crate) fn unqueued(&mut self, host: u32) {
        if let Some(lane) = self.lanes.get_mut(&host) {
            lane.waiting = lane.waiting.saturating_sub(1);
        }
    }

    /// The record of a handed-out URL was stored.
    pub(crate) fn done(&mut self, host: u32) {
        self.outstanding = self.outstanding.saturating_sub(1);
        self.release();
        let Some(lane) = self.lanes.get_mut(&host) else { return };
        lane.outstanding = lane.outstanding.saturating_sub(1);
        if lane.waiting == 0 && lane.outstanding == 0 {
            self.lanes.remove(&host);
        } else {
            Self::offer(&mut self.turn, host, lane, self.per_host);
        }
    }

    /// There may be room again for what was held back.
    pub(crate) fn release(&mut self) {
        for host in std::mem::take(&mut self.held) {
            if let Some(lane) = self.lanes.get_mut(&host) {
                Self::offer(&mut self.turn, host, lane, self.per_host);
            }
        }
    }

    fn offer(turn: &mut VecDeque<u32>, host: u32, lane: &mut Lane, per_host: usize) {
        if !lane.in_turn && lane.waiting > 0 && lane.outstanding < per_host {
            lane.in_turn = true;
            turn.push_back(host);
        }
    }

    /// The next URL to hand out, or `None` when every host is busy, empty or held back. `eligible` says whether a URL is
    /// still queued and not handed out, and what is wanted of it.
    pub(crate) fn next(
        &mut self,
        writer: &Writer,
        crawl: i64,
        eligible: &mut dyn FnMut(&QueuedUrl) -> Offer,
    ) -> Result<Option<Job>, StoreError> {
        if self.outstanding >= self.in_all {
            return Ok(None);
        }
        while let Some(host) = self.turn.pop_front() {
            let Some(lane) = self.lanes.get_mut(&host) else { continue };
            lane.in_turn = false;
            let job = match lane.take(writer, crawl, host, eligible)? {
                Taken::Job(job) => job,
                Taken::Held => {
                    self.held.push(host);
                    continue;
                }
                Taken::Nothing => {
                    // What the lane still counts as waiting is handed out already: it comes back with `queued`.
                    lane.waiting = 0;
                    if lane.outstanding == 0 {
                        self.lanes.remove(&host);
                    }
                    continue;
                }
            };
            lane.waiting = lane.waiting.saturating_sub(1);
            lane.outstanding += 1;
            self.outstanding += 1;
            Self::offer(&mut self.turn, host, lane, self.per_host);
            return Ok(Some(job));
        }
        Ok(None)
    }
}

impl Lane {
    fn take(
        &mut self,
        writer: &Writer,
        crawl: i64,
        host: u32,
        eligible: &mut dyn FnMut(&QueuedUrl) -> Offer,
    ) -> Result<Taken, StoreError> {
        // Two readings suffice: on from the cursor, then once more from the beginning.
        let mut readings = 0;
        loop {
            while let Some(entry) = self.window.pop_front() {
                match eligible(&entry) {
                    Offer::Ask { purpose, internal, hop } => {
                        let QueuedUrl { url, text } = entry;
                        return Ok(Taken::Job(Job { url, host, text, purpose, internal, hop }));
                    }
                    Offer::Gone => {}
                    Offer::Held => {
                        self.window.push_front(entry);
                        return Ok(Taken::Held);
                    }
                }
            }
            if self.waiting == 0 || readings == 2 && self.cursor == 0 {
                return Ok(Taken::Nothing);
            }
            let found = writer.queued(crawl, host, self.cursor, WINDOW)?;
            let from_start = self.cursor == 0;
            self.cursor = if found.len() < WINDOW { 0 } else { found.last().map_or(0, |entry| entry.url) };
            if found.is_empty() && from_start {
                return Ok(Taken::Nothing);
            }
            if self.cursor == 0 {
                readings += 1;
            }
            self.window.extend(found);
        }
    }
}
