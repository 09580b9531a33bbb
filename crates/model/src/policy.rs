//! The four policies: by which rules each job asks other people's servers. One field per rule, one constant per job.
//!
//! A rule is a value that means something to the code that obeys it; `docs/policies.md` is written from these values.
//! In an Audit the settings fill the rules that have one ([`settings::resolve`](crate::settings::resolve)); in the other
//! jobs every rule stands as it is here.

mod rules;
mod values;

pub use rules::{
    Addresses, BodyCap, Captures, Checked, Concurrency, Conditional, Content, CrawlDelay, Frequency,
    GroupFollowed, HeadRefusal, HeadUse, Hops, JavaScript, LinkChecks, Methods, MissingRobots, PageLimits,
    Probes, Redirects, Refusal, Retries, RobotsObedience, RobotsOff, RobotsReach, SitemapSources, Spacing,
    Span, StartedBy, TierTimes, TimeLimit, UnreadableRobots,
};
pub use values::{AUDIT, CHECK, FEEDS, SITEMAP_PLACES, WATCH};

use crate::coded;
use crate::plan::CookieRule;

coded! {
    /// What is done on behalf of a person. The word is `v_crawls.job`.
    #[derive(Default)]
    pub enum Job {
        #[default]
        Audit = 1 => "audit",
        Check = 2 => "check",
        Watch = 3 => "watch",
        Feeds = 4 => "feeds",
    }
}

impl Job {
    /// The name as it stands in sentences and in the head of a table.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Audit => "Audit",
            Self::Check => "Check",
            Self::Watch => "Watch",
            Self::Feeds => "Feeds",
        }
    }
}

/// All rules of one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    pub job: Job,
    pub started_by: StartedBy,
    pub span: Span,
    pub methods: Methods,
    pub content: Content,
    pub javascript: JavaScript,
    /// Forms are never submitted, whatever is said here.
    pub cookies: CookieRule,
    pub robots: RobotsObedience,
    pub robots_reach: RobotsReach,
    pub group: GroupFollowed,
    /// robots.txt answers 404, 410 or another 4xx but 429.
    pub robots_missing: MissingRobots,
    /// robots.txt answers 5xx or not at all.
    pub robots_down: UnreadableRobots,
    /// robots.txt answers 429.
    pub robots_throttled: UnreadableRobots,
    pub crawl_delay: CrawlDelay,
    pub robots_off: RobotsOff,
    pub sitemaps: SitemapSources,
    pub redirects: Redirects,
    pub probes: Probes,
    pub concurrency: Concurrency,
    pub spacing: Spacing,
    pub time: TimeLimit,
    pub body_cap: BodyCap,
    pub retries: Retries,
    pub pages: PageLimits,
    pub link_checks: LinkChecks,
    pub addresses: Addresses,
    pub frequency: Frequency,
    pub conditional: Conditional,
    pub refusal: Refusal,
}

impl Policy {
    /// The rules of a job, before any setting.
    pub const fn of(job: Job) -> &'static Self {
        match job {
            Job::Audit => &AUDIT,
            Job::Check => &CHECK,
            Job::Watch => &WATCH,
            Job::Feeds => &FEEDS,
        }
    }
}

/// An Audit's, before any setting.
impl Default for Policy {
    fn default() -> Self {
        AUDIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The numbers that site owners are promised, once more and from outside: a change of one is a change of a promise.
    #[test]
    fn crucial_numbers() {
        let seconds = Duration::from_secs;
        let check = |job: Job, redirects: u8, request: u64, page: u64, at_once: (usize, usize)| {
            let policy = Policy::of(job);
            assert_eq!(policy.job, job);
            assert_eq!(policy.redirects.most, redirects, "{job}");
            assert_eq!(policy.time.request, seconds(request), "{job}");
            assert_eq!(policy.body_cap.page, page, "{job}");
            assert_eq!((policy.concurrency.site, policy.concurrency.elsewhere), at_once, "{job}");
        };
        check(Job::Audit, 10, 20, 10_000_000, (5, 5));
        check(Job::Check, 10, 15, 5_000_000, (5, 1));
        check(Job::Watch, 3, 20, 5_000_000, (1, 1));
        check(Job::Feeds, 5, 10, 8_000_000, (1, 1));
        assert_eq!(CHECK.time.job, Some(seconds(600)));
        assert_eq!(CHECK.spacing.between_starts(), Duration::from_millis(200));
        assert_eq!(CHECK.pages, PageLimits { pages: Some(500), depth: Some(10) });
        assert_eq!(CHECK.link_checks, LinkChecks::EachOnce { site: Some(500), elsewhere: Some(200) });
        assert_eq!(CHECK.body_cap.sitemap, Some(50_000_000));
        assert_eq!(CHECK.retries.waits(), Vec::<Duration>::new());
        assert_eq!(AUDIT.retries.waits(), [Duration::from_millis(500), seconds(1)]);
        assert_eq!(AUDIT.body_cap.sitemap, Some(100_000_000));
        assert_eq!(WATCH.robots_reach, RobotsReach::EachHop { kept: seconds(900) });
        assert_eq!(WATCH.time.job, Some(seconds(20)));
        assert_eq!(FEEDS.refusal, Refusal::TakenOff { statuses: &[401, 403, 410] });
        let hour = seconds(3600);
        assert_eq!(CHECK.frequency, Frequency::PerSite { least: hour, scheduled: 168 * hour });
        assert_eq!(WATCH.frequency, Frequency::Captures(Captures { least: seconds(60), an_hour: 60 }));
        assert_eq!(
            FEEDS.frequency,
            Frequency::Tiers(TierTimes { high: seconds(900), normal: hour, low: 6 * hour })
        );
    }

    #[test]
    fn only_an_audit_lets_go_of_what_is_fixed() {
        for job in Job::ALL {
            let policy = Policy::of(*job);
            let audit = *job == Job::Audit;
            assert_eq!(matches!(policy.robots, RobotsObedience::Switch { .. }), audit, "{job}: robots.txt");
            assert_eq!(policy.robots_off != RobotsOff::NotOffered, audit, "{job}: robots off");
            assert_eq!(matches!(policy.retries, Retries::After { .. }), audit, "{job}: retries");
            assert_eq!(policy.cookies != CookieRule::Off, audit, "{job}: cookies");
            assert_eq!(policy.probes != Probes::None, audit, "{job}: probes");
            assert_eq!(policy.addresses == Addresses::Any, audit, "{job}: addresses");
            assert_eq!(policy.javascript != JavaScript::Never, audit, "{job}: scripts");
        }
    }

    #[test]
    fn a_crawl_delay_is_kept_as_the_job_keeps_it() {
        let check = |job: Job, said: u64, expect: Option<u64>| {
            let kept = Policy::of(job).crawl_delay.kept(Duration::from_secs(said));
            assert_eq!(kept, expect.map(Duration::from_secs), "{job}: {said} s");
        };
        check(Job::Audit, 3600, Some(3600));
        check(Job::Check, 29, Some(29));
        check(Job::Check, 30, Some(30));
        check(Job::Check, 31, Some(30));
        check(Job::Watch, 5, None);
        check(Job::Feeds, 5, None);
    }

    #[test]
    fn a_refused_head_is_one_that_the_job_does_not_believe() {
        let check = |status: Option<u16>, audit: bool, check: bool| {
            let leads = |refusal: HeadRefusal| refusal.leads_to_get(status);
            assert_eq!(leads(HeadRefusal::AnyFailure), audit, "Audit: {status:?}");
            assert_eq!(leads(HeadRefusal::Refusals), check, "Check: {status:?}");
        };
        for good in [200, 204, 301, 308, 399] {
            check(Some(good), false, false);
        }
        for refused in [400, 403, 405, 500, 501, 503, 599] {
            check(Some(refused), true, true);
        }
        for believed in [401, 402, 404, 406, 407, 410, 418, 429, 451, 600, 999] {
            check(Some(believed), true, false);
        }
        check(None, true, true);
    }
}
