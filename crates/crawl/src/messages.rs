//! What the threads of a crawl hand each other. Every queue of these is bounded by what is handed out.

use crate::lanes::Job;
use crate::record::Record;
use crate::sitemaps::{SitemapJob, SitemapRecord};
use model::Outcome;
use store::RobotsRow;

/// What the network thread is asked to do.
pub(crate) enum ToNetwork {
    Fetch(Job),
    Sitemap(SitemapJob),
}

/// What arrives at the parse threads.
pub(crate) enum ToParse {
    Page { job: Job, bot_allowed: bool, outcome: Outcome },
    Sitemap { job: SitemapJob, outcome: Outcome },
}

/// What arrives at the writer.
pub(crate) enum ToWriter {
    Record(Box<Record>),
    Blocked { url: u32, host: u32, reason: String },
    Robots { host: u32, origin: String, internal: bool, row: Box<RobotsRow>, sitemaps: Vec<String> },
    Sitemap(Box<SitemapRecord>),
}
