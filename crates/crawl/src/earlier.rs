//! Pages of earlier crawls: what a page is known by when it is asked again, and its HTML where it did not change.
//!
//! Both are read from the project file when they are wanted, so that memory does not grow with the site: the validators by
//! the writer when a URL is handed out, the HTML beside it when the server has said that it still holds.

use crate::lanes::Job;
use fetch::{Earlier, Echoes};
use model::{Plan, Purpose, Validators};
use std::borrow::Cow;
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

/// The validators that a project may keep: one that repeats a credential would have to be stored with a part left out, and
/// the server would not know it again.
pub(crate) fn kept_validators(known: &Validators, echoes: &Echoes) -> Validators {
    let kept = |bytes: &Option<Box<[u8]>>| {
        let says_nothing =
            |bytes: &[u8]| matches!(echoes.hide(&String::from_utf8_lossy(bytes)), Cow::Borrowed(_));
        bytes.as_ref().filter(|bytes| says_nothing(bytes)).cloned()
    };
    Validators { etag: kept(&known.etag), last_modified: kept(&known.last_modified) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Credential, Secret};

    #[test]
    fn validators_that_repeat_a_credential_are_not_kept() {
        let credential = Credential::Bearer("t0ken.abc".to_owned());
        let echoes = Echoes::of(&[Secret { origin: "https://a.test".to_owned(), credential }]);
        let of = |etag: &[u8]| Validators { etag: Some(etag.into()), last_modified: Some((*b"now").into()) };
        let check = |etag: &[u8], is_kept: bool| {
            let kept = kept_validators(&of(etag), &echoes);
            let expect = if is_kept { of(etag) } else { Validators { etag: None, ..of(etag) } };
            assert_eq!(kept, expect, "{}", String::from_utf8_lossy(etag));
        };
        check(b"\"plain\"", true);
        check(b"\"caf\xe9\"", true);
        check("\"a…b\"".as_bytes(), true);
        check(b"\"v1-t0ken.abc\"", false);
        // Bytes that are no text are stored as they came, and must not bring the credential along.
        check(b"\"\xff-t0ken.abc\"", false);
    }
}
