//! Sitemaps of the site: asked for once each, index by index, their entries queued as pages.

use model::Outcome;
use std::collections::{HashSet, VecDeque};

/// Levels of index in index that are followed (sitemaps.org allows one; sites have more).
pub(crate) const MAX_LEVEL: u8 = 5;
/// Sitemap files of one crawl at most: an index may name 50,000.
const MAX_FILES: usize = 50_000;

/// A sitemap to be asked for.
#[derive(Debug, Clone)]
pub(crate) struct SitemapJob {
    pub url: String,
    /// Row id of the index that named it.
    pub parent: Option<i64>,
    pub level: u8,
}

/// What a parse thread made of a sitemap.
pub(crate) struct SitemapRecord {
    pub job: SitemapJob,
    pub status: Option<u16>,
    pub bytes: u64,
    pub error: Option<String>,
    pub report: parse::SitemapReport,
    pub entries: Vec<Entry>,
}

/// One entry with its address resolved, where it is one.
pub(crate) struct Entry {
    pub url: Option<String>,
    pub raw: String,
    pub lastmod: Option<Box<str>>,
    pub alternates: Vec<parse::SitemapAlternate>,
}

/// Sitemaps asked for at the same time; each may be 100 MB.
pub(crate) const SITEMAPS_AT_ONCE: usize = 4;

/// The sitemaps met so far, those waiting, and how many are under way.
#[derive(Default)]
pub(crate) struct Sitemaps {
    seen: HashSet<String>,
    waiting: VecDeque<SitemapJob>,
    under_way: usize,
}

impl Sitemaps {
    /// Notes a sitemap to be asked for, if it is an http(s) address, new, and within the caps.
    pub(crate) fn add(&mut self, job: SitemapJob) {
        let wanted =
            job.level <= MAX_LEVEL && self.seen.len() < MAX_FILES && model::Address::parse(&job.url).is_ok();
        if wanted && self.seen.insert(job.url.clone()) {
            self.waiting.push_back(job);
        }
    }

    /// An earlier run of the crawl stored this one.
    pub(crate) fn is_stored(&mut self, url: String) {
        self.seen.insert(url);
    }

    /// The next one to ask for now.
    pub(crate) fn next(&mut self) -> Option<SitemapJob> {
        if self.under_way >= SITEMAPS_AT_ONCE {
            return None;
        }
        let job = self.waiting.pop_front()?;
        self.under_way += 1;
        Some(job)
    }

    pub(crate) fn arrived(&mut self) {
        self.under_way -= 1;
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.under_way == 0 && self.waiting.is_empty()
    }
}

/// Reads a fetched sitemap. Runs on a parse thread.
pub(crate) fn read(job: SitemapJob, outcome: Outcome, cap: u64) -> SitemapRecord {
    let mut record = SitemapRecord {
        job,
        status: None,
        bytes: 0,
        error: None,
        report: parse::SitemapReport::default(),
        entries: Vec::new(),
    };
    match outcome.result {
        Err(failure) => record.error = Some(format!("{}: {}", failure.kind, failure.detail)),
        Ok(answer) => {
            record.status = Some(answer.status);
            record.bytes = answer.body.len() as u64;
            if (200..300).contains(&answer.status) {
                let entries = &mut record.entries;
                record.report = parse::sitemap(&mut &answer.body[..], cap, &mut |entry| {
                    let url = model::Address::parse(&entry.loc)
                        .ok()
                        .map(|address| address.without_credentials().0.to_string());
                    entries.push(Entry {
                        url,
                        raw: model::address::without_userinfo(&entry.loc, "…@").into_owned(),
                        lastmod: entry.lastmod,
                        alternates: entry.alternates,
                    });
                });
            }
        }
    }
    record
}
