//! One crawl from its seeds to the last queued URL: frontier, scheduler, pipeline, resume.
//!
//! ```text
//! frontier ─job→ network thread ─body→ parse threads ─record→ frontier (the calling thread, which owns the writer)
//! ```
//! The calling thread is scheduler and writer in one, so nothing flows backwards and nothing can deadlock: it hands
//! out a bounded number of jobs, stores what comes back, and hands out more. A URL is `queued` in the file until its
//! record is committed, so a process that is killed at any moment loses the requests in flight and nothing else.
//!
//! Absences: no audit rules, no knowledge of who watches.

mod again;
mod agents;
mod alerts;
mod allowance;
mod confirm;
mod control;
mod course;
mod depth;
mod directives;
mod document;
mod earlier;
mod extras;
mod fields;
mod frontier;
mod lanes;
mod large_pages;
#[cfg(test)]
mod made_up;
mod messages;
mod network;
#[cfg(test)]
mod order_tests;
mod pipeline;
mod probes;
mod progress;
mod record;
mod results;
mod rewriting;
mod robots_cache;
mod scope;
mod sitemap_course;
mod sitemap_reading;
mod sitemaps;
mod structured;
mod terms;
mod traffic;
mod trap_course;
mod traps;
#[cfg(test)]
mod twin_tests;
mod twins;

pub use again::Wanted;
pub use control::Control;
pub use fields::Fields;
pub use pipeline::run;
pub use terms::{Crawl, CrawlError, Ended, Observer, Snapshot};
