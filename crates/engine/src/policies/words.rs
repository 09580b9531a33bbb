//! A sentence for every value of every rule.

use model::Policy;
use model::plan::CookieRule;
use model::policy::{
    Addresses, Checked, Conditional, Content, CrawlDelay, Frequency, GroupFollowed, HeadRefusal, Hops,
    JavaScript, LinkChecks, Methods, MissingRobots, Probes, Refusal, Retries, RobotsObedience, RobotsOff,
    RobotsReach, SitemapSources, Spacing, Span, StartedBy, UnreadableRobots,
};
use std::time::Duration;

/// What stands where a rule has nothing to say.
const NOTHING: &str = "–";

pub(super) fn started_by(policy: &Policy) -> String {
    match policy.started_by {
        StartedBy::Person => "a person",
        StartedBy::PersonOrWeek => "a person, or the schedule of a week",
        StartedBy::PersonOnly => "a person only, never a schedule",
        StartedBy::TierSchedule => "the schedule of the feed's tier",
    }
    .to_owned()
}

pub(super) fn span(policy: &Policy) -> String {
    match policy.span {
        Span::Site => "the site; links to other sites are checked once and never followed",
        Span::SiteWithinLimits => "the same, within the limits below",
        Span::OneAddress => "exactly one address, none of its links",
        Span::FeedAddress => "the address of the feed, never those of its articles",
    }
    .to_owned()
}

pub(super) fn methods(policy: &Policy) -> String {
    let head = match policy.methods {
        Methods::GetAndHead(head) => head,
        Methods::Get => return "GET".to_owned(),
        Methods::ConditionalGet => return "GET, conditional".to_owned(),
    };
    let checked = match head.checked {
        Checked::Everything => {
            "GET for pages (links without an ending that is known not to be HTML); HEAD for everything else"
        }
        Checked::Images => {
            "GET for pages; one HEAD for each link and image and nothing else: no scripts, no style sheets"
        }
    };
    let refused = match head.refused {
        HeadRefusal::AnyFailure => "where HEAD fails, GET decides",
        HeadRefusal::Refusals => {
            "where HEAD is refused (400, 403, 405, 501, 5xx or no answer, never 404 or 410), one GET whose body is not read"
        }
    };
    let page = if head.page_is_read {
        "; a HEAD that turns out to be a page of the site leads to a GET"
    } else {
        ""
    };
    format!("{checked}; {refused}{page}")
}

pub(super) fn content(policy: &Policy) -> String {
    match policy.content {
        Content::Site { resources: false } => {
            "HTML and sitemaps; other bodies only with *Download resources*, which is off"
        }
        Content::Site { resources: true } => "HTML, sitemaps and the bodies of resources",
        Content::Html => "HTML only; an answer that is not HTML is not downloaded",
        Content::Feeds => "RSS, Atom, JSON Feed",
    }
    .to_owned()
}

pub(super) fn javascript(policy: &Policy) -> String {
    match policy.javascript {
        JavaScript::SecondLoad { at_once } => format!(
            "off; on, each page is loaded a second time in a browser with the same user agent, without images, at most {at_once} pages at once"
        ),
        JavaScript::Never => "never".to_owned(),
    }
}

pub(super) fn cookies(policy: &Policy) -> String {
    match policy.cookies {
        CookieRule::Off => "none",
        CookieRule::Session => {
            "cookies along the load of one URL (off, session or shared); forms are never submitted"
        }
        CookieRule::Shared => "one jar of cookies for the crawl; forms are never submitted",
    }
    .to_owned()
}

pub(super) fn robots(policy: &Policy) -> String {
    match policy.robots {
        RobotsObedience::Switch { on: true } => "obeyed, unless it is turned off",
        RobotsObedience::Switch { on: false } => "turned off",
        RobotsObedience::Always => "always obeyed",
        RobotsObedience::NotRead { also_obey: false } => {
            "not read for feeds: each was added by hand, and nothing is crawled; a switch, off, has it obeyed too: then a Watch's rules hold and a Disallow is a refusal"
        }
        RobotsObedience::NotRead { also_obey: true } => "obeyed by a Watch's rules; a Disallow is a refusal",
    }
    .to_owned()
}

pub(super) fn robots_reach(policy: &Policy) -> String {
    match policy.robots_reach {
        RobotsReach::EachOriginForTheCrawl => {
            "each origin's, other sites' included, before anything else there; kept for the crawl".to_owned()
        }
        RobotsReach::EachOriginForTheCheck => {
            "the site's first, at every check; other sites' once in a check".to_owned()
        }
        RobotsReach::EachHop { kept } => format!(
            "each origin's, those of redirects included, before the request; a good answer is kept {}, a failure is not",
            time(kept)
        ),
        RobotsReach::Nowhere => NOTHING.to_owned(),
    }
}

pub(super) fn group(policy: &Policy) -> String {
    match policy.group {
        GroupFollowed::OwnElseAny => "that of our own token; where there is none, that of `*`",
        GroupFollowed::Unread => NOTHING,
    }
    .to_owned()
}

pub(super) fn robots_missing(policy: &Policy) -> String {
    match policy.robots_missing {
        MissingRobots::NoRules => "no rules",
        MissingRobots::Unread => NOTHING,
    }
    .to_owned()
}

pub(super) fn robots_down(policy: &Policy) -> String {
    match policy.robots_down {
        UnreadableRobots::NotFetched => "not fetched until it can be read again",
        other => unreadable(other),
    }
    .to_owned()
}

pub(super) fn robots_throttled(policy: &Policy) -> String {
    unreadable(policy.robots_throttled).to_owned()
}

const fn unreadable(rule: UnreadableRobots) -> &'static str {
    match rule {
        UnreadableRobots::CrawlWithWarning => "the site is crawled all the same, with a warning",
        UnreadableRobots::SiteNotCrawled => "nothing of that site is asked",
        UnreadableRobots::NotFetched => "not fetched",
        UnreadableRobots::Unread => NOTHING,
    }
}

pub(super) fn crawl_delay(policy: &Policy) -> String {
    match policy.crawl_delay {
        CrawlDelay::Honoured => "kept, however long; it wins over a shorter delay of our own".to_owned(),
        CrawlDelay::HonouredUpTo(longest) => {
            format!("kept up to {longest}; a longer one counts as {longest}", longest = time(longest))
        }
        CrawlDelay::NotApplied => NOTHING.to_owned(),
    }
}

pub(super) fn robots_off(policy: &Policy) -> String {
    match policy.robots_off {
        RobotsOff::SiteIgnored => {
            "the site's Disallow and Crawl-delay are ignored and its Sitemap lines not read; the file is still fetched and shown, and other sites' are obeyed"
        }
        RobotsOff::NotOffered => NOTHING,
    }
    .to_owned()
}

pub(super) fn sitemaps(policy: &Policy) -> String {
    match policy.sitemaps {
        SitemapSources::RobotsAndNamed => {
            "those that robots.txt names and those that the person names".to_owned()
        }
        SitemapSources::RobotsElse(paths) => {
            let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
            format!("those that robots.txt names; where it names none, {}", paths.join(", "))
        }
        SitemapSources::None => "none".to_owned(),
    }
}

pub(super) fn redirects(policy: &Policy) -> String {
    let hops = match policy.redirects.hops {
        Hops::OwnRobots => {
            "; each hop is a URL of its own, held against its origin's robots.txt; where a link leads elsewhere, its hops are followed to the verdict and nothing is read"
        }
        Hops::FirstRobotsOnly => {
            "; the robots.txt of the address asked was read, and its hops are followed without reading more"
        }
        Hops::EachRobotsFirst | Hops::NoRobots => "",
    };
    format!("{}{hops}", policy.redirects.most)
}

pub(super) fn probes(policy: &Policy) -> String {
    match policy.probes {
        Probes::Switch { on } => format!(
            "{}: a path that cannot exist, the twins of the start (http and https, `www.` and apex), the usual places of a sitemap, a name that cannot exist; each once a crawl, shown as probes",
            if on { "on" } else { "off" }
        ),
        Probes::None => "none".to_owned(),
    }
}

pub(super) fn concurrency(policy: &Policy) -> String {
    let at_once = policy.concurrency;
    if at_once.site == at_once.elsewhere {
        format!("{} per host", at_once.site)
    } else {
        format!("{} on the site, {} on any other", at_once.site, at_once.elsewhere)
    }
}

pub(super) fn spacing(policy: &Policy) -> String {
    match policy.spacing {
        Spacing::Said(Duration::ZERO) => "none".to_owned(),
        Spacing::Said(delay) => time(delay),
        Spacing::AtLeast(delay) => format!("at least {}, or the Crawl-delay if that is longer", time(delay)),
        Spacing::None => NOTHING.to_owned(),
        Spacing::Tier => "the interval of the tier".to_owned(),
    }
}

pub(super) fn time_limit(policy: &Policy) -> String {
    let request = time(policy.time.request);
    match policy.time.job {
        None => request,
        Some(job) if job == policy.time.request => format!("{request} in all, redirects included"),
        Some(job) => format!("{request} a request; the whole job stops after {}", time(job)),
    }
}

pub(super) fn body_cap(policy: &Policy) -> String {
    let page = size(policy.body_cap.page);
    match policy.body_cap.sitemap {
        Some(sitemap) => format!(
            "{page} a page, {} a sitemap, which is read as it comes; past 1 MB, 100 times the compressed size as well; then it is cut and marked, and what was read is used",
            size(sitemap)
        ),
        None => page,
    }
}

pub(super) fn retries(policy: &Policy) -> String {
    match policy.retries {
        Retries::After { count: 0, .. } | Retries::None => "none".to_owned(),
        Retries::After { count, .. } => {
            let waits: Vec<String> = policy.retries.waits().into_iter().map(time).collect();
            format!(
                "{count} after a time-out or a failed connection, {} later; an error status is not asked again at once, but for a 429 with a short Retry-After; what failed is asked once more at the end, but not what could not be verified, such as a 503 with Retry-After",
                waits.join(" and ")
            )
        }
        Retries::Unconfirmed => {
            "none; a time-out or 5xx is *unconfirmed* until the next check agrees".to_owned()
        }
        Retries::BackOff { longest } => {
            format!("the interval doubles with each failure in a row, up to {}", time(longest))
        }
    }
}

pub(super) fn pages(policy: &Policy) -> String {
    match (policy.pages.pages, policy.pages.depth) {
        (None, None) => "no limit".to_owned(),
        (Some(1), Some(0)) => "1 page, depth 0".to_owned(),
        (Some(pages), None) => format!("{pages}"),
        (pages, depth) => format!(
            "{} pages, {} links deep",
            pages.map_or("any number of".to_owned(), |pages| pages.to_string()),
            depth.map_or("any number of".to_owned(), |depth| depth.to_string())
        ),
    }
}

pub(super) fn link_checks(policy: &Policy) -> String {
    match policy.link_checks {
        LinkChecks::EachOnce { site: None, elsewhere: None } => "each URL once".to_owned(),
        LinkChecks::EachOnce { site, elsewhere } => {
            let most = |most: Option<u64>| most.map_or("any number".to_owned(), |most| most.to_string());
            format!("each once, at most {} on the site and {} elsewhere", most(site), most(elsewhere))
        }
        LinkChecks::None => NOTHING.to_owned(),
    }
}

pub(super) fn addresses(policy: &Policy) -> String {
    match policy.addresses {
        Addresses::Any => "any: localhost and private addresses are staging servers",
        Addresses::PublicOnly if policy.span == Span::OneAddress => {
            "public ones, on ports 80 and 443; a person may allow one own host a page, off by default"
        }
        Addresses::PublicOnly => {
            "public ones, on ports 80 and 443; checked again on the connected address at every hop"
        }
        Addresses::Web => "http and https",
    }
    .to_owned()
}

pub(super) fn frequency(policy: &Policy) -> String {
    match policy.frequency {
        Frequency::AsLiked => "as the person likes".to_owned(),
        Frequency::PerSite { least, scheduled } => format!(
            "a site at most once in {}, counted for each user of the computer and over all projects; every {} by schedule",
            time(least),
            time(scheduled)
        ),
        Frequency::Captures(captures) => format!(
            "a page at most once in {}, and {} captures an hour in all",
            time(captures.least),
            captures.an_hour
        ),
        Frequency::Tiers(tiers) => format!(
            "High {}, Normal {}, Low {}, counted from the last request",
            time(tiers.high),
            time(tiers.normal),
            time(tiers.low)
        ),
    }
}

pub(super) fn conditional(policy: &Policy) -> String {
    match policy.conditional {
        Conditional::Optional => "for pages that an earlier crawl of the project holds, with *Ask only whether pages changed*, which is off",
        Conditional::Never => NOTHING,
        Conditional::EveryPoll => "If-None-Match and If-Modified-Since with every request",
    }
    .to_owned()
}

pub(super) fn refusal(policy: &Policy) -> String {
    match policy.refusal {
        Refusal::Recorded => {
            "recorded as *blocked*; an audit names the pages of the site that link to what is blocked".to_owned()
        }
        Refusal::NothingRequested => "nothing is requested".to_owned(),
        Refusal::PersonTold => {
            "the person is told that this address cannot be checked, because some sites ask not to be read automatically".to_owned()
        }
        Refusal::TakenOff { statuses } => {
            let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
            format!(
                "{}: the feed is taken off the list with the reason, never asked under another name, and only a person can put it back",
                statuses.join(", ")
            )
        }
    }
}

/// `0.2 s`, `10 min`, `1 h`, `7 days`.
fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 => format!("{} s", duration.as_secs_f64()),
        _ if seconds.is_multiple_of(86_400) && seconds > 86_400 => format!("{} days", seconds / 86_400),
        _ if seconds.is_multiple_of(3_600) => format!("{} h", seconds / 3_600),
        _ if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        _ => format!("{} s", duration.as_secs_f64()),
    }
}

/// `5 MB`.
fn size(bytes: u64) -> String {
    if bytes.is_multiple_of(1_000_000) {
        format!("{} MB", bytes / 1_000_000)
    } else {
        format!("{bytes} bytes")
    }
}
