//! The plan: what settings mean once they are resolved. The engine sees only this, never a profile.

use crate::address::Address;
use crate::link::{LinkKind, Treatment};
use regex::Regex;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Everything one crawl runs by. Made by `settings::resolve`, stored with the crawl as the profile that gave it.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Without credentials.
    pub seeds: Vec<Address>,
    /// Addresses with the credentials a person gave for their origins; never stored, shown or logged.
    pub credentials: Vec<Address>,
    pub mode: Mode,
    pub agent: Agent,
    pub robots: RobotsPlan,
    pub pace: Pace,
    pub fetch: FetchPlan,
    pub scope: Scope,
    pub limits: Limits,
    pub links: LinkPlan,
    pub sitemaps: SitemapPlan,
    pub store: StorePlan,
    pub report: ReportPlan,
    /// Thresholds of audits by `audit.parameter` id; absent ones keep the audit's default.
    pub thresholds: BTreeMap<String, f64>,
    /// What was said, all layers together but for `report`, as a TOML profile: the form that is stored with the crawl.
    pub said: String,
}

/// What the seeds are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Where a crawl of the site starts.
    #[default]
    Site,
    /// The whole list: exactly these URLs are audited, their links are not followed.
    List,
}

/// Who we say we are.
#[derive(Debug, Clone)]
pub struct Agent {
    /// The whole User-Agent header, sent unchanged with every request.
    pub header: String,
    /// The product token that is matched against robots.txt groups.
    pub token: String,
    /// The bot whose directives decide indexability (default `Googlebot`).
    pub audited_bot: String,
}

#[derive(Debug, Clone, Copy)]
pub struct RobotsPlan {
    /// False: the site's Disallow and Crawl-delay are ignored; other sites' are obeyed all the same.
    pub obey: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Requests in flight per host at most.
    pub concurrency: usize,
    /// Between the starts of two requests to one host.
    pub delay: Duration,
}

#[derive(Debug, Clone)]
pub struct FetchPlan {
    /// For one request, headers and body together.
    pub timeout: Duration,
    /// The waits before each retry of a transient failure; their number is the number of retries.
    pub retries: Vec<Duration>,
    /// Hops at most from a URL that is linked.
    pub redirects: u8,
    /// Decoded bytes of one body, then it is cut.
    pub body_cap: u64,
    /// Decoded bytes of one sitemap.
    pub sitemap_cap: u64,
    /// The longest Retry-After that is waited for.
    pub retry_after_cap: Duration,
    /// Decoded bytes in flight over all requests.
    pub inflight_budget: u64,
}

#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub subdomains: bool,
    pub start_folder_only: bool,
    /// Further hosts that count as internal (`cdn.example.com`), lower case.
    pub extra_hosts: Vec<String>,
    /// In order; the first rule that matches decides. With at least one include rule, what no rule matches is excluded.
    pub rules: Vec<ScopeRule>,
    /// Query parameters that are dropped from every discovered URL.
    pub drop_parameters: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct ScopeRule {
    pub include: bool,
    /// Matched anywhere in the URL text.
    pub pattern: Regex,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// URLs that are requested at most (pages and checks together); `None` for no limit.
    pub max_urls: Option<u64>,
    pub max_depth: Option<u16>,
    /// Leave out addresses that a site makes up without end.
    pub pause_traps: bool,
}

#[derive(Debug, Clone)]
pub struct LinkPlan {
    /// Per kind: treatment of internal and of external targets.
    pub kinds: BTreeMap<LinkKind, (Treatment, Treatment)>,
    /// Do not follow nofollow links nor links of nofollow pages.
    pub respect_nofollow: bool,
}

impl LinkPlan {
    pub fn treatment(&self, kind: LinkKind, internal: bool) -> Treatment {
        let (inside, outside) =
            self.kinds.get(&kind).copied().unwrap_or((Treatment::Store, Treatment::Store));
        if internal { inside } else { outside }
    }
}

#[derive(Debug, Clone, Default)]
pub struct SitemapPlan {
    /// Read the `Sitemap:` lines of robots.txt.
    pub from_robots: bool,
    /// Sitemaps the user names.
    pub extra: Vec<Address>,
}

#[derive(Debug, Clone, Copy)]
pub struct StorePlan {
    /// Keep each page's HTML, compressed.
    pub html: bool,
}

/// What the report of broken links bears. No crawl looks at it.
#[derive(Debug, Clone, Default)]
pub struct ReportPlan {
    /// Empty for none.
    pub agency: String,
    /// As it was said: a relative path is not resolved yet.
    pub logo: Option<PathBuf>,
    /// Plain text with empty lines between paragraphs.
    pub intro: String,
    pub csv_bom: bool,
}
