//! The kinds of rules: what each can say.

use std::time::Duration;

/// Who may start the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartedBy {
    Person,
    /// A person, or the schedule of a week.
    PersonOrWeek,
    /// Never a schedule.
    PersonOnly,
    /// The schedule of a feed's tier.
    TierSchedule,
}

/// How far the job reaches from where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// The whole site; links to other sites are checked once and never followed.
    Site,
    /// The same, within the limits of pages, depth, links and time.
    SiteWithinLimits,
    /// One address and none of its links.
    OneAddress,
    /// The address of a feed, never those of its articles.
    FeedAddress,
}

/// Which requests are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Methods {
    /// GET for pages, HEAD for everything else.
    GetAndHead(HeadUse),
    Get,
    /// GET that carries the validators of the last answer.
    ConditionalGet,
}

impl Methods {
    /// How HEAD is used; `None` where it is not.
    pub const fn head(self) -> Option<HeadUse> {
        match self {
            Self::GetAndHead(head) => Some(head),
            Self::Get | Self::ConditionalGet => None,
        }
    }
}

/// How HEAD is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadUse {
    pub checked: Checked,
    /// Which answers to a HEAD lead to one GET whose body is not read.
    pub refused: HeadRefusal,
    /// A HEAD that turns out to be a page of the site leads to a GET that reads it.
    pub page_is_read: bool,
}

/// What is asked with HEAD besides links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// Images, scripts, styles, media, fonts, icons and manifests.
    Everything,
    /// Images, and neither scripts nor styles nor anything else.
    Images,
}

/// Which failing HEAD is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadRefusal {
    /// 4xx, 5xx, a broken answer or none: a link is called broken only after GET agreed.
    AnyFailure,
    /// 400, 403, 405, 501, 5xx or no answer; never 404 or 410.
    Refusals,
}

impl HeadRefusal {
    /// Whether this answer to HEAD (`None` for no answer) leads to a GET.
    pub const fn leads_to_get(self, status: Option<u16>) -> bool {
        let Some(status) = status else { return true };
        match self {
            Self::AnyFailure => status >= 400,
            Self::Refusals => matches!(status, 400 | 403 | 405 | 500..=599),
        }
    }
}

/// Whose bodies are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// HTML and sitemaps; with `resources` the bodies of images, scripts and styles too.
    Site { resources: bool },
    /// HTML, and the sitemaps where the job reads any. Nothing else is downloaded.
    Html,
    /// RSS, Atom and JSON Feed.
    Feeds,
}

/// Whether scripts run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JavaScript {
    /// Only on request: a second load in a browser with the same user agent, images blocked, this many pages at once at most.
    SecondLoad {
        at_once: u8,
    },
    Never,
}

/// Whether robots.txt is obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RobotsObedience {
    /// Obeyed unless the person turns it off.
    Switch {
        on: bool,
    },
    Always,
    /// Not read. A switch has it read after all: then Watch's rules apply and a Disallow is a refusal.
    NotRead {
        also_obey: bool,
    },
}

impl RobotsObedience {
    /// Whether the rules of the site itself bind the job.
    pub const fn binds(self) -> bool {
        matches!(self, Self::Always | Self::Switch { on: true } | Self::NotRead { also_obey: true })
    }
}

/// Whose robots.txt is read, and for how long it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RobotsReach {
    /// Each origin's, other sites' included, before anything else there; kept for the crawl.
    EachOriginForTheCrawl,
    /// The site's at the beginning of every check, other sites' once in it.
    EachOriginForTheCheck,
    /// Each origin's on the way, redirects included; a good answer is kept for a while, a failure is not.
    EachHop {
        kept: Duration,
    },
    Nowhere,
}

/// Which group of a robots.txt counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupFollowed {
    /// The group that names our token; where there is none, that of `*`.
    OwnElseAny,
    Unread,
}

/// What a robots.txt that does not exist means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingRobots {
    NoRules,
    Unread,
}

/// What a robots.txt that cannot be read means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadableRobots {
    CrawlWithWarning,
    /// Nothing of that site is asked.
    SiteNotCrawled,
    /// The address is not asked until the file can be read again.
    NotFetched,
    Unread,
}

/// What a Crawl-delay means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrawlDelay {
    /// Whatever it says; it wins over a shorter delay of our own.
    Honoured,
    /// A longer one counts as this.
    HonouredUpTo(Duration),
    NotApplied,
}

impl CrawlDelay {
    /// The delay that is kept where a robots.txt asks for `said`; `None` where none is.
    pub fn kept(self, said: Duration) -> Option<Duration> {
        match self {
            Self::Honoured => Some(said),
            Self::HonouredUpTo(longest) => Some(said.min(longest)),
            Self::NotApplied => None,
        }
    }
}

/// What it means that the person turned robots.txt off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RobotsOff {
    /// The site's Disallow and Crawl-delay are ignored and its Sitemap lines not read; the file is still fetched and shown,
    /// and other sites' files are obeyed.
    SiteIgnored,
    NotOffered,
}

/// Where sitemaps come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitemapSources {
    /// The lines of robots.txt and those that the person names.
    RobotsAndNamed,
    /// The lines of robots.txt; where it names none, these paths.
    RobotsElse(&'static [&'static str]),
    None,
}

/// How redirects are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Redirects {
    /// Hops from one URL.
    pub most: u8,
    pub hops: Hops,
}

/// What a hop is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hops {
    /// A URL of its own, held against its origin's robots.txt.
    OwnRobots,
    /// Followed without reading more robots.txt than that of the address that was asked.
    FirstRobotsOnly,
    /// Each origin's robots.txt is read first.
    EachRobotsFirst,
    /// No robots.txt is read.
    NoRobots,
}

/// Requests that find out how the site answers what it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probes {
    /// Each once a crawl and shown as a probe, unless the person turns them off.
    Switch {
        on: bool,
    },
    None,
}

/// Requests in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concurrency {
    /// Per host of the site.
    pub site: usize,
    /// Per host of other sites.
    pub elsewhere: usize,
}

/// Time between the starts of two requests to one host. A longer Crawl-delay, where it is honoured, wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// A setting.
    Said(Duration),
    AtLeast(Duration),
    /// The job makes too few requests for any.
    None,
    /// The tier of the feed says it.
    Tier,
}

impl Spacing {
    /// Zero where requests are not spaced.
    pub const fn between_starts(self) -> Duration {
        match self {
            Self::Said(delay) | Self::AtLeast(delay) => delay,
            Self::None | Self::Tier => Duration::ZERO,
        }
    }
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimit {
    /// For one request, headers and body together; in a Watch for all hops of it.
    pub request: Duration,
    /// For the whole job.
    pub job: Option<Duration>,
}

/// Decoded bytes that are read at most; what is longer is cut and marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyCap {
    pub page: u64,
    /// `None` where the job reads no sitemaps.
    pub sitemap: Option<u64>,
}

/// What follows a request that got no answer. An error status is not asked again at once, but for a 429 or 503 that names
/// a short time to wait (Retry-After).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retries {
    /// Further attempts after a time-out or a failed connection: the first after this wait, each next after twice as long.
    After {
        count: u8,
        wait: Duration,
    },
    /// None; a time-out or 5xx stands as unconfirmed until the next check agrees.
    Unconfirmed,
    None,
    /// The interval to the next request doubles with each failure in a row, up to this.
    BackOff {
        longest: Duration,
    },
}

impl Retries {
    /// The wait before each further attempt, in order.
    pub fn waits(self) -> Vec<Duration> {
        /// Doublings of the first wait at most: later ones wait as long.
        const DOUBLINGS: u32 = 10;
        match self {
            Self::After { count, wait } => {
                (0..u32::from(count)).map(|nth| wait.saturating_mul(1 << nth.min(DOUBLINGS))).collect()
            }
            Self::Unconfirmed | Self::None | Self::BackOff { .. } => Vec::new(),
        }
    }
}

/// Where the job ends. `None` for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    pub pages: Option<u64>,
    /// Links from the start.
    pub depth: Option<u16>,
}

/// Links whose targets are asked for their status only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkChecks {
    /// Each target once; so many of the site and of other sites at most. `None` for no limit.
    EachOnce {
        site: Option<u64>,
        elsewhere: Option<u64>,
    },
    None,
}

/// Which addresses may be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addresses {
    /// Localhost and private ones are staging servers.
    Any,
    /// Public addresses on ports 80 and 443, checked again on the connected address at every hop.
    PublicOnly,
    /// Any address over http or https, which is all that is ever asked.
    Web,
}

/// How often the job may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frequency {
    AsLiked,
    /// For one site: the least time between two jobs of one user of the computer, over all projects, and between two of a
    /// schedule.
    PerSite {
        least: Duration,
        scheduled: Duration,
    },
    Captures(Captures),
    Tiers(TierTimes),
}

/// How often pages are captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captures {
    /// Between two captures of one page.
    pub least: Duration,
    /// Captures of all pages within an hour.
    pub an_hour: u32,
}

/// How often the feeds of a tier are asked, counted from the last request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierTimes {
    pub high: Duration,
    pub normal: Duration,
    pub low: Duration,
}

/// Whether requests carry the validators of an earlier answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conditional {
    /// In a further crawl, where the person wants that.
    Optional,
    Never,
    /// If-None-Match and If-Modified-Since at every poll.
    EveryPoll,
}

/// What becomes of an address that robots.txt, or the server, refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Recorded as blocked; an audit names the pages of the site that link to it.
    Recorded,
    /// Nothing is requested.
    NothingRequested,
    /// The person is told why the address cannot be checked.
    PersonTold,
    /// On these statuses the feed is taken off the list for good, with the reason.
    TakenOff { statuses: &'static [u16] },
}
