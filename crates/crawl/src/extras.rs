//! Requests beyond the URLs of the site, probes and confirmations: which wait, how many are under way, and when their turn
//! comes. They go through the same hosts' gates as every other request, and no number of the crawl counts them.

use crate::course::Course;
use crate::lanes::Job;
use crate::messages::ToNetwork;
use crate::probes::ProbeJob;
use model::UrlState;
use std::collections::VecDeque;
use store::StoreError;

/// Under way at once, over all hosts; each host's own gate keeps its pace.
pub(crate) const EXTRAS_AT_ONCE: usize = 24;

/// One request, or one chain of them.
pub(crate) enum Extra {
    Probe(ProbeJob),
    /// A URL that failed is asked once more.
    Confirm(Job),
    /// A chain of redirects that looks like a loop is followed with cookies, along these origins.
    Follow(Job, Vec<Along>),
    /// A page is asked for as the second user agent.
    Compare(Job),
}

/// An origin that a chain of redirects passes.
pub(crate) struct Along {
    pub origin: String,
    pub host: u32,
    pub internal: bool,
}

/// What is asked besides the frontier, in one run of a crawl.
#[derive(Default)]
pub(crate) struct Extras {
    waiting: VecDeque<Extra>,
    under_way: usize,
    /// The twins of the start address were seen to.
    pub twins_done: bool,
    /// So were the probes that wait for the end.
    pub probes_done: bool,
    /// Confirmations of this run that are done, and all that were taken up.
    pub confirmed: u64,
    pub to_confirm: u64,
    /// Key of the last page that was taken up for the second user agent.
    pub compared_to: i64,
}

impl Extras {
    pub(crate) fn add(&mut self, extra: Extra) {
        self.to_confirm += u64::from(matches!(extra, Extra::Confirm(_) | Extra::Follow(..)));
        self.waiting.push_back(extra);
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.under_way == 0 && self.waiting.is_empty()
    }

    pub(crate) fn arrived(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
    }

    /// Whether failures are being asked for once more.
    pub(crate) fn is_confirming(&self) -> bool {
        self.confirmed < self.to_confirm
    }

    fn next(&mut self) -> Option<Extra> {
        if self.under_way >= EXTRAS_AT_ONCE {
            return None;
        }
        let extra = self.waiting.pop_front()?;
        self.under_way += 1;
        Some(extra)
    }
}

impl Course<'_, '_> {
    pub(crate) fn hand_out_extras(&mut self) {
        while let Some(extra) = self.extras.next() {
            if let Extra::Confirm(job) | Extra::Follow(job, _) | Extra::Compare(job) = &extra {
                self.progress.note(&job.text);
            }
            self.network.send(ToNetwork::Extra(extra));
        }
    }

    /// The frontier is empty: takes up what comes at the end. False when nothing is left of that either.
    pub(crate) fn take_up_extras(&mut self) -> Result<bool, StoreError> {
        // Of a site that never answered there is nothing to probe and nothing to confirm.
        if self.frontier.counts[UrlState::Fetched as usize] == 0 {
            return Ok(false);
        }
        if !self.extras.probes_done {
            self.extras.probes_done = true;
            self.probe_at_the_end()?;
        }
        if self.extras.is_idle() && self.crawl.plan.extras.confirm {
            self.take_up_confirmations()?;
        }
        if self.extras.is_idle() && self.crawl.plan.extras.second_agent.is_some() {
            self.take_up_comparisons()?;
        }
        // What was noted is in the file before the first of it is asked.
        self.commit()?;
        self.hand_out_extras();
        Ok(!self.extras.is_idle())
    }
}
