//! The four values. What a person may change of an Audit is a setting, whose default says the same once more.

use super::rules::{
    Addresses, BodyCap, Captures, Checked, Concurrency, Conditional, Content, CrawlDelay, Frequency,
    GroupFollowed, HeadRefusal, HeadUse, Hops, JavaScript, LinkChecks, Methods, MissingRobots, PageLimits,
    Probes, Redirects, Refusal, Retries, RobotsObedience, RobotsOff, RobotsReach, SitemapSources, Spacing,
    Span, StartedBy, TierTimes, TimeLimit, UnreadableRobots,
};
use super::{Job, Policy};
use crate::plan::CookieRule;
use std::time::Duration;

/// The paths at which a sitemap stands where no robots.txt names one.
pub const SITEMAP_PLACES: [&str; 3] = ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"];

const MB: u64 = 1_000_000;
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// A whole site, for a person who may do as they like with it. The settings change these values.
pub const AUDIT: Policy = Policy {
    job: Job::Audit,
    started_by: StartedBy::Person,
    span: Span::Site,
    methods: Methods::GetAndHead(HeadUse {
        checked: Checked::Everything,
        refused: HeadRefusal::AnyFailure,
        page_is_read: true,
    }),
    content: Content::Site { resources: false },
    javascript: JavaScript::SecondLoad { at_once: 4 },
    cookies: CookieRule::Session,
    robots: RobotsObedience::Switch { on: true },
    robots_reach: RobotsReach::EachOriginForTheCrawl,
    group: GroupFollowed::OwnElseAny,
    robots_missing: MissingRobots::NoRules,
    robots_down: UnreadableRobots::CrawlWithWarning,
    robots_throttled: UnreadableRobots::CrawlWithWarning,
    crawl_delay: CrawlDelay::Honoured,
    robots_off: RobotsOff::SiteIgnored,
    sitemaps: SitemapSources::RobotsAndNamed,
    redirects: Redirects { most: 10, hops: Hops::OwnRobots },
    probes: Probes::Switch { on: true },
    concurrency: Concurrency { site: 5, elsewhere: 5 },
    spacing: Spacing::Said(Duration::ZERO),
    time: TimeLimit { request: seconds(20), job: None },
    body_cap: BodyCap { page: 10 * MB, sitemap: Some(100 * MB) },
    retries: Retries::After { count: 2, wait: Duration::from_millis(500) },
    pages: PageLimits { pages: None, depth: None },
    link_checks: LinkChecks::EachOnce { site: None, elsewhere: None },
    addresses: Addresses::Any,
    frequency: Frequency::AsLiked,
    conditional: Conditional::Optional,
    refusal: Refusal::Recorded,
};

/// A public site within bounds, again and again.
pub const CHECK: Policy = Policy {
    job: Job::Check,
    started_by: StartedBy::PersonOrWeek,
    span: Span::SiteWithinLimits,
    methods: Methods::GetAndHead(HeadUse {
        checked: Checked::Images,
        refused: HeadRefusal::Refusals,
        page_is_read: false,
    }),
    content: Content::Html,
    javascript: JavaScript::Never,
    cookies: CookieRule::Off,
    robots: RobotsObedience::Always,
    robots_reach: RobotsReach::EachOriginForTheCheck,
    group: GroupFollowed::OwnElseAny,
    robots_missing: MissingRobots::NoRules,
    robots_down: UnreadableRobots::SiteNotCrawled,
    robots_throttled: UnreadableRobots::SiteNotCrawled,
    crawl_delay: CrawlDelay::HonouredUpTo(seconds(30)),
    robots_off: RobotsOff::NotOffered,
    sitemaps: SitemapSources::RobotsElse(&SITEMAP_PLACES),
    redirects: Redirects { most: 10, hops: Hops::FirstRobotsOnly },
    probes: Probes::None,
    concurrency: Concurrency { site: 5, elsewhere: 1 },
    spacing: Spacing::AtLeast(Duration::from_millis(200)),
    time: TimeLimit { request: seconds(15), job: Some(seconds(10 * MINUTE)) },
    body_cap: BodyCap { page: 5 * MB, sitemap: Some(50 * MB) },
    retries: Retries::Unconfirmed,
    pages: PageLimits { pages: Some(500), depth: Some(10) },
    link_checks: LinkChecks::EachOnce { site: Some(500), elsewhere: Some(200) },
    addresses: Addresses::PublicOnly,
    frequency: Frequency::PerSite { least: seconds(HOUR), scheduled: seconds(7 * DAY) },
    conditional: Conditional::Never,
    refusal: Refusal::NothingRequested,
};

/// One page, when a person asks for it. A person may allow one own host per page that is not public.
pub const WATCH: Policy = Policy {
    job: Job::Watch,
    started_by: StartedBy::PersonOnly,
    span: Span::OneAddress,
    methods: Methods::Get,
    content: Content::Html,
    javascript: JavaScript::Never,
    cookies: CookieRule::Off,
    robots: RobotsObedience::Always,
    robots_reach: RobotsReach::EachHop { kept: seconds(15 * MINUTE) },
    group: GroupFollowed::OwnElseAny,
    robots_missing: MissingRobots::NoRules,
    robots_down: UnreadableRobots::NotFetched,
    robots_throttled: UnreadableRobots::NotFetched,
    crawl_delay: CrawlDelay::NotApplied,
    robots_off: RobotsOff::NotOffered,
    sitemaps: SitemapSources::None,
    redirects: Redirects { most: 3, hops: Hops::EachRobotsFirst },
    probes: Probes::None,
    concurrency: Concurrency { site: 1, elsewhere: 1 },
    spacing: Spacing::None,
    time: TimeLimit { request: seconds(20), job: Some(seconds(20)) },
    body_cap: BodyCap { page: 5 * MB, sitemap: None },
    retries: Retries::None,
    pages: PageLimits { pages: Some(1), depth: Some(0) },
    link_checks: LinkChecks::None,
    addresses: Addresses::PublicOnly,
    frequency: Frequency::Captures(Captures { least: seconds(MINUTE), an_hour: 60 }),
    conditional: Conditional::Never,
    refusal: Refusal::PersonTold,
};

/// Feeds that a person added by hand, asked as often as their tier says.
pub const FEEDS: Policy = Policy {
    job: Job::Feeds,
    started_by: StartedBy::TierSchedule,
    span: Span::FeedAddress,
    methods: Methods::ConditionalGet,
    content: Content::Feeds,
    javascript: JavaScript::Never,
    cookies: CookieRule::Off,
    robots: RobotsObedience::NotRead { also_obey: false },
    robots_reach: RobotsReach::Nowhere,
    group: GroupFollowed::Unread,
    robots_missing: MissingRobots::Unread,
    robots_down: UnreadableRobots::Unread,
    robots_throttled: UnreadableRobots::Unread,
    crawl_delay: CrawlDelay::NotApplied,
    robots_off: RobotsOff::NotOffered,
    sitemaps: SitemapSources::None,
    redirects: Redirects { most: 5, hops: Hops::NoRobots },
    probes: Probes::None,
    concurrency: Concurrency { site: 1, elsewhere: 1 },
    spacing: Spacing::Tier,
    time: TimeLimit { request: seconds(10), job: None },
    body_cap: BodyCap { page: 8 * MB, sitemap: None },
    retries: Retries::BackOff { longest: seconds(DAY) },
    pages: PageLimits { pages: Some(1), depth: None },
    link_checks: LinkChecks::None,
    addresses: Addresses::Web,
    frequency: Frequency::Tiers(TierTimes {
        high: seconds(15 * MINUTE),
        normal: seconds(HOUR),
        low: seconds(6 * HOUR),
    }),
    conditional: Conditional::EveryPoll,
    refusal: Refusal::TakenOff { statuses: &[401, 403, 410] },
};
