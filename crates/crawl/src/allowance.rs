//! What a job may ask for at most: pages of the site, link checks on it, and link checks elsewhere, each counted apart.
//!
//! A URL that was handed out is counted at once, so that no more can be under way than are allowed; where its robots.txt
//! then forbids it, nothing was asked and its place is free again. Only what is settled makes an allowance spent.

use crate::scope::looks_non_html;
use model::policy::{LinkChecks, Policy};
use model::state::Limit;
use model::{Purpose, UrlState};
use std::collections::HashMap;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errand {
    Page,
    SiteCheck,
    OtherCheck,
}

impl Errand {
    /// The errand of a URL of which this is wanted.
    pub(crate) fn of(purpose: Purpose, internal: bool, text: &str) -> Self {
        match (internal, purpose) {
            (false, _) => Self::OtherCheck,
            (true, Purpose::Crawl) if !looks_non_html(text) => Self::Page,
            (true, _) => Self::SiteCheck,
        }
    }

    const fn limit(self) -> Limit {
        match self {
            Self::Page => Limit::Pages,
            Self::SiteCheck => Limit::SiteChecks,
            Self::OtherCheck => Limit::OtherChecks,
        }
    }
}

/// The allowances of one job.
pub(crate) struct Allowance {
    most: [u64; 3],
    /// Handed out, and not found to be forbidden.
    taken: [u64; 3],
    /// Asked, and settled.
    spent: [u64; 3],
    under_way: HashMap<u32, Errand>,
    /// Spent, and what waits for it is not yet told.
    news: Vec<Errand>,
}

impl Allowance {
    pub(crate) fn new(policy: &Policy) -> Self {
        let (site, elsewhere) = match policy.link_checks {
            LinkChecks::EachOnce { site, elsewhere } => (site, elsewhere),
            LinkChecks::None => (Some(0), Some(0)),
        };
        let most = [policy.pages.pages, site, elsewhere].map(|most| most.unwrap_or(u64::MAX));
        Self { most, taken: [0; 3], spent: [0; 3], under_way: HashMap::new(), news: Vec::new() }
    }

    /// Whether anything is limited at all. Nothing is counted otherwise.
    pub(crate) fn is_limited(&self) -> bool {
        self.most.iter().any(|most| *most != u64::MAX)
    }

    /// Whether one more may be handed out now.
    pub(crate) fn has_room(&self, errand: Errand) -> bool {
        self.taken[errand as usize] < self.most[errand as usize]
    }

    /// The limit that an errand has reached for good.
    pub(crate) fn reached(&self, errand: Errand) -> Option<Limit> {
        (self.spent[errand as usize] >= self.most[errand as usize]).then(|| errand.limit())
    }

    /// A URL was handed out.
    pub(crate) fn take(&mut self, url: u32, errand: Errand) {
        self.taken[errand as usize] += 1;
        self.under_way.insert(url, errand);
    }

    /// A URL that was handed out has ended in `state`.
    pub(crate) fn settle(&mut self, url: u32, state: UrlState) {
        let Some(errand) = self.under_way.remove(&url) else { return };
        if matches!(state, UrlState::Fetched | UrlState::Failed) {
            self.spend(errand);
        } else {
            self.taken[errand as usize] -= 1;
        }
    }

    /// An earlier run of the crawl asked for one.
    pub(crate) fn restore(&mut self, errand: Errand) {
        self.taken[errand as usize] += 1;
        self.spend(errand);
    }

    fn spend(&mut self, errand: Errand) {
        self.spent[errand as usize] += 1;
        if self.spent[errand as usize] == self.most[errand as usize] {
            self.news.push(errand);
        }
    }

    /// The errands whose allowance was spent since the last call.
    pub(crate) fn take_news(&mut self) -> Vec<Errand> {
        std::mem::take(&mut self.news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Job;
    use model::policy::PageLimits;

    #[test]
    fn errands() {
        let check = |purpose, internal, text: &str, expect| {
            assert_eq!(Errand::of(purpose, internal, text), expect, "{text}");
        };
        check(Purpose::Crawl, true, "http://a.test/x", Errand::Page);
        check(Purpose::Crawl, true, "http://a.test/x.pdf", Errand::SiteCheck);
        check(Purpose::Check, true, "http://a.test/x", Errand::SiteCheck);
        check(Purpose::Check, false, "http://b.test/x", Errand::OtherCheck);
        check(Purpose::Crawl, false, "http://b.test/x", Errand::OtherCheck);
    }

    #[test]
    fn what_robots_txt_forbids_costs_nothing() {
        let mut policy = *Policy::of(Job::Check);
        policy.pages = PageLimits { pages: Some(2), depth: None };
        let mut allowance = Allowance::new(&policy);
        assert!(allowance.is_limited() && !Allowance::new(Policy::of(Job::Audit)).is_limited());
        allowance.take(1, Errand::Page);
        allowance.take(2, Errand::Page);
        assert!(!allowance.has_room(Errand::Page) && allowance.reached(Errand::Page).is_none());
        allowance.settle(1, UrlState::Blocked);
        assert!(allowance.has_room(Errand::Page));
        allowance.settle(2, UrlState::Fetched);
        allowance.take(3, Errand::Page);
        allowance.settle(3, UrlState::Failed);
        assert_eq!(allowance.reached(Errand::Page), Some(Limit::Pages));
        assert_eq!(allowance.take_news(), [Errand::Page]);
        assert!(allowance.take_news().is_empty() && allowance.has_room(Errand::SiteCheck));
    }
}
