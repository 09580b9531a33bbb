//! The plan: what settings mean once they are resolved. The engine sees only this, never a profile.

use crate::address::Address;
use crate::coded;
use crate::custom::Field;
use crate::link::{LinkKind, Treatment};
use crate::policy::Policy;
use crate::secret::Secret;
use crate::segment::Segment;
use crate::settings::LeftOut;
use regex::Regex;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Everything one crawl runs by. Made by `settings::resolve`, stored with the crawl as the profile that gave it.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Without credentials.
    pub seeds: Vec<Address>,
    /// What a person gave for one origin each; never stored, shown or logged.
    pub secrets: Vec<Secret>,
    pub mode: Mode,
    /// The rules of the job, those with a setting as they were said. What stands below is made from them.
    pub policy: Policy,
    pub agent: Agent,
    pub robots: RobotsPlan,
    pub pace: Pace,
    pub fetch: FetchPlan,
    pub http: HttpPlan,
    pub scope: Scope,
    pub limits: Limits,
    pub links: LinkPlan,
    pub sitemaps: SitemapPlan,
    pub extras: Extras,
    pub custom: CustomPlan,
    pub store: StorePlan,
    pub report: ReportPlan,
    /// Thresholds of audits by `audit.parameter` id; absent ones keep the audit's default.
    pub thresholds: BTreeMap<String, f64>,
    /// What a profile says and the job does not take.
    pub left_out: Vec<LeftOut>,
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
    /// Read bodies that are not HTML too, of internal URLs.
    pub download_resources: bool,
    /// Pages that an earlier crawl of the project holds are asked for only where they changed.
    pub conditional: bool,
    /// The longest Retry-After that is waited for.
    pub retry_after_cap: Duration,
    /// Decoded bytes in flight over all requests.
    pub inflight_budget: u64,
}

/// How connections are made and what requests say besides who we are.
#[derive(Debug, Clone, Default)]
pub struct HttpPlan {
    pub cookies: CookieRule,
    pub proxy: ProxyRule,
    pub version: VersionRule,
    /// Sent with every request, in this order; names lower case, none that requests need for themselves, no secrets.
    pub headers: Vec<(String, String)>,
    /// The Accept-Language header; empty for none.
    pub accept_language: String,
    pub overrides: Vec<HostOverride>,
    pub certificates: CertificateRule,
}

coded! {
    /// What becomes of cookies that answers set. None outlives the crawl.
    #[derive(Default)]
    pub enum CookieRule {
        /// They are dropped.
        Off = 1 => "off",
        /// They are sent back along the load of the URL that set them, as where a redirect leads to itself, and then dropped.
        #[default]
        Session = 2 => "session",
        /// One jar for all requests of the crawl.
        Shared = 3 => "shared",
    }
}

/// Through what requests go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProxyRule {
    /// What the computer is set to: environment variables, and the system's own settings where there are any.
    #[default]
    System,
    Direct,
    /// This one, for every request.
    Through(ProxyAddress),
}

/// A proxy, without credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyAddress {
    pub scheme: ProxyScheme,
    /// As URLs spell it: IPv6 addresses in brackets.
    pub host: String,
    pub port: u16,
}

coded! {
    /// How a proxy is spoken to.
    pub enum ProxyScheme {
        /// HTTP, with CONNECT for https URLs.
        Http = 1 => "http",
        /// The same inside TLS.
        Https = 2 => "https",
        /// SOCKS 5, names resolved here.
        Socks5 = 3 => "socks5",
        /// SOCKS 5, names resolved by the proxy.
        Socks5h = 4 => "socks5h",
    }
}

coded! {
    /// Which versions of HTTP are offered.
    #[derive(Default)]
    pub enum VersionRule {
        /// HTTP/2 where the server chooses it, HTTP/1.1 elsewhere.
        #[default]
        Auto = 1 => "auto",
        Http1 = 2 => "http1",
    }
}

coded! {
    /// What becomes of a URL whose certificate has a fault.
    #[derive(Default)]
    pub enum CertificateRule {
        /// Nothing is sent; the fault is the URL's failure.
        #[default]
        Refuse = 1 => "refuse",
        /// The request is made all the same; the fault is told of the host.
        GoOn = 2 => "go-on",
    }
}

/// A host and port that are connected elsewhere; the name in the request and in TLS stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostOverride {
    /// As URLs spell it.
    pub host: String,
    pub port: u16,
    pub to: SocketAddr,
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
    /// Applied to every discovered URL, in order, after parameters were dropped.
    pub rewrites: Vec<Rewrite>,
    /// Paths and queries of discovered URLs are written in lower case.
    pub lower_case: bool,
    /// What follows `#` in a link is part of the URL.
    pub fragments: bool,
}

/// What replaces every match in a discovered URL.
#[derive(Debug, Clone)]
pub struct Rewrite {
    pub pattern: Regex,
    /// `$1` stands for the first group.
    pub with: String,
}

#[derive(Debug, Clone)]
pub struct ScopeRule {
    pub include: bool,
    /// Matched anywhere in the URL text.
    pub pattern: Regex,
}

#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// URLs that are requested at most (pages and checks together); `None` for no limit.
    pub max_urls: Option<u64>,
    pub max_depth: Option<u16>,
    /// Leave out addresses that a site makes up without end.
    pub pause_traps: bool,
    /// Patterns, as a crawl shows them, that are no traps to this one.
    pub allow_traps: Vec<String>,
}

/// Requests beyond the URLs of the site.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// Ask for what cannot exist, the twins of the start address and the usual places of a sitemap.
    pub probes: bool,
    /// Ask once more, at the end, for what failed.
    pub confirm: bool,
    /// The User-Agent header with which each page is asked for once more, to see whether it is shown something else.
    pub second_agent: Option<String>,
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

/// What a person adds to the results.
#[derive(Debug, Clone, Default)]
pub struct CustomPlan {
    /// What a project begins with that has none. No two have one name.
    pub segments: Vec<Segment>,
    /// What is looked for in pages; the project has them from then on.
    pub fields: Vec<Field>,
    /// For the statement of one audit of a person's own.
    pub audit_time: Duration,
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
