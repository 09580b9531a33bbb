//! What the threads of a crawl hand each other. Every queue of these is bounded by what is handed out.

use crate::agents::Compared;
use crate::confirm::Followed;
use crate::earlier::KnownPage;
use crate::extras::Extra;
use crate::lanes::Job;
use crate::probes::ProbeJob;
use crate::record::{LARGE_PAGE, Record};
use crate::sitemap_reading::{Batch, SitemapRecord};
use crate::sitemaps::SitemapJob;
use crossbeam_channel::Sender;
use model::Outcome;
use std::time::Instant;
use store::{ProbeRow, RobotsRow};

/// What the network thread is asked to do.
pub(crate) enum ToNetwork {
    /// From this moment on nothing is asked, and what is under way is given up.
    EndAt(Instant),
    /// With what an earlier crawl knows of it, where it is asked by GET and the request is to depend on that.
    Fetch(Job, Option<Box<KnownPage>>),
    Sitemap {
        job: SitemapJob,
        origin: String,
        host: u32,
        internal: bool,
        batches: Sender<Batch>,
    },
    Extra(Extra),
}

/// What arrives at the parse threads.
pub(crate) enum ToParse {
    Page {
        job: Job,
        bot_allowed: bool,
        outcome: Outcome,
    },
    Probe {
        job: ProbeJob,
        bot_allowed: bool,
        outcome: Outcome,
    },
    /// A URL that had failed was asked once more.
    Confirmed {
        job: Job,
        bot_allowed: bool,
        outcome: Outcome,
    },
    /// A chain that looked like a loop was followed with cookies, to `at`, which is internal or not.
    Followed {
        job: Job,
        bot_allowed: bool,
        outcome: Outcome,
        at: String,
        internal: bool,
        loops: bool,
    },
    /// A page was asked for as the second user agent.
    Compared {
        job: Job,
        bot_allowed: bool,
        outcome: Outcome,
    },
}

impl ToParse {
    /// Whether the body is so large that one page at a time is enough.
    pub(crate) fn is_large(&self) -> bool {
        let (Self::Page { outcome, .. }
        | Self::Probe { outcome, .. }
        | Self::Confirmed { outcome, .. }
        | Self::Followed { outcome, .. }
        | Self::Compared { outcome, .. }) = self;
        outcome.result.as_ref().is_ok_and(|answer| answer.body.len() > LARGE_PAGE)
    }
}

/// What arrives at the writer.
pub(crate) enum ToWriter {
    Record(Box<Record>),
    Blocked {
        url: u32,
        host: u32,
        reason: String,
    },
    Robots {
        host: u32,
        origin: String,
        internal: bool,
        quiet: bool,
        /// The file is UTF-16, of which no crawler reads a line.
        utf16: bool,
        row: Box<RobotsRow>,
        sitemaps: Vec<String>,
    },
    /// Some entries of the sitemap with this row wait to be taken.
    SitemapEntries(i64),
    Sitemap(Box<SitemapRecord>),
    Probe(Box<ProbeRow>),
    Confirmed(Box<Record>),
    Followed(Box<Followed>),
    Compared(Box<Compared>),
}
