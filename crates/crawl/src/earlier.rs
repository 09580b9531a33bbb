//! Pages of earlier crawls: what a page is known by when it is asked again, and its HTML where it did not change.
//!
//! Both are read from the project file when they are wanted, so that memory does not grow with the site: the validators by
//! the writer when a URL is handed out, the HTML beside it when the server has said that it still holds.

use crate::lanes::Job;
use fetch::Earlier;
use model::{Plan, Purpose};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use store::{EarlierPage, Reader, StoreError, Writer};

/// The HTML that earlier crawls stored. Clones share one reader; a std lock, held for the reading of one page.
#[derive(Clone)]
pub(crate) struct EarlierPages(Arc<Mutex<Reader>>);

/// A page that a URL handed out had before.
pub(crate) struct KnownPage {
    crawl: i64,
    pub earlier: Earlier,
}

impl EarlierPages {
    /// `None` where pages are asked for whatever is known of them: it was not wanted, or there is no file to read beside its
    /// writer.
    pub(crate) fn open(plan: &Plan, path: Option<&Path>) -> Option<Self> {
        let path = path.filter(|_| plan.fetch.conditional)?;
        let reader = Reader::open(path).ok()?;
        Some(Self(Arc::new(Mutex::new(reader))))
    }

    /// The HTML of a known page. `None` where it cannot be had.
    pub(crate) async fn html(&self, crawl: i64, url: u32) -> Option<Vec<u8>> {
        let reader = Arc::clone(&self.0);
        // Unpacking a large page takes longer than the requests of others should wait.
        let read = tokio::task::spawn_blocking(move || {
            let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            reader.html(crawl, url).ok().flatten()
        });
        read.await.ok().flatten()
    }
}

impl KnownPage {
    /// What an earlier crawl knows of the URL of a job; nothing where the job does not read a page of the site.
    pub(crate) fn of(
        job: &Job,
        crawl: i64,
        body_cap: u64,
        writer: &Writer,
    ) -> Result<Option<Box<Self>>, StoreError> {
        if !job.internal || job.purpose != Purpose::Crawl {
            return Ok(None);
        }
        let known = writer.earlier_page(crawl, job.url, body_cap)?;
        Ok(known.map(|EarlierPage { crawl, validators, headers, size }| {
            Box::new(Self { crawl, earlier: Earlier { validators, headers, size } })
        }))
    }

    pub(crate) const fn crawl(&self) -> i64 {
        self.crawl
    }
}
