//! A crawl that asks exactly these URLs: each as an earlier crawl asked it, and nothing that they lead to.

use crate::course::Course;
use crate::frontier::Reach;
use model::address::origin_of;
use model::{FoundBy, Purpose};
use store::StoreError;

/// A URL to be asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub url: String,
    /// What it is asked for.
    pub purpose: Purpose,
    /// It belongs to the site: the earlier crawl may have met a host that is the site's by a redirect alone.
    pub internal: bool,
}

impl Course<'_, '_> {
    /// Queues the URLs that are wanted in place of the seeds; a resumed crawl knows them already.
    pub(crate) fn admit_wanted(&mut self) -> Result<(), StoreError> {
        for wanted in self.crawl.only.iter().filter(|wanted| wanted.internal) {
            self.frontier.scope.readopt(origin_of(&wanted.url));
        }
        self.frontier.scope_grew();
        for Wanted { url: text, purpose, internal } in &self.crawl.only {
            let url = self.writer.intern(text)?;
            let host = self.writer.host(origin_of(text))?;
            let reach = Reach {
                purpose: *purpose,
                depth: 0,
                hops: 0,
                found: FoundBy::List,
                source: None,
                listed: *internal,
                grown: false,
            };
            self.frontier.admit(self.writer, url, host, text, *internal, reach)?;
        }
        Ok(())
    }
}
