//! Where a URL stands in a crawl, how it was found, and what is to be done with it.

use crate::coded;

coded! {
    /// The one state a URL of a crawl is in. The numbers always reconcile: encountered is the sum of these.
    pub enum UrlState {
        /// Known and waiting; a request in flight counts here until its result is stored.
        Queued = 0 => "queued",
        /// The server answered, whatever the status.
        Fetched = 1 => "fetched",
        /// No usable answer; the reason is a `FailureKind`.
        Failed = 2 => "failed",
        /// The origin's robots.txt disallows it; the reason is the line.
        Blocked = 3 => "blocked",
        /// A scope rule keeps it out; the reason is the rule.
        Excluded = 4 => "excluded",
        /// A limit was reached; the reason says which.
        OverLimit = 5 => "over_limit",
        /// Kept, never asked: an external link with checking switched off, or a link kind set to *store*.
        NotFollowed = 6 => "not_followed",
    }
}

coded! {
    /// The first source that named a URL.
    pub enum FoundBy {
        Seed = 1 => "seed",
        Link = 2 => "link",
        Redirect = 3 => "redirect",
        Canonical = 4 => "canonical",
        Sitemap = 5 => "sitemap",
        List = 6 => "list",
        Resource = 7 => "resource",
        Hreflang = 8 => "hreflang",
    }
}

coded! {
    /// What a crawl wants of a URL. The greater wish wins when several links name it.
    pub enum Purpose {
        /// Kept only.
        Store = 0 => "store",
        /// Its status.
        Check = 1 => "check",
        /// Its body, facts and links.
        Crawl = 2 => "crawl",
    }
}

coded! {
    /// The limit that kept a URL from being asked.
    pub enum Limit {
        Depth = 1 => "depth",
        Urls = 2 => "max-urls",
        Redirects = 3 => "too-many-redirects",
        UrlLength = 4 => "url-length",
        /// The site makes up addresses like it without end.
        Trap = 5 => "trap",
        /// Pages of the site.
        Pages = 6 => "max-pages",
        /// Link checks on the site.
        SiteChecks = 7 => "link-checks-on-site",
        /// Link checks on other sites.
        OtherChecks = 8 => "link-checks-elsewhere",
        /// The time of the whole job.
        Time = 9 => "time",
    }
}

coded! {
    /// What an answer means for a link that points at it: three answers, of which *unverified* is never counted as broken.
    pub enum Verdict {
        Ok = 1 => "ok",
        Redirect = 2 => "redirect",
        Broken = 3 => "broken",
        Unverified = 4 => "unverified",
        Blocked = 5 => "blocked",
        NotChecked = 6 => "not_checked",
        Invalid = 7 => "invalid",
    }
}

coded! {
    /// Whether search engines may show a page, and if not, why (first reason that applies).
    pub enum Indexability {
        Indexable = 1 => "indexable",
        BlockedByRobots = 2 => "blocked-by-robots",
        Noindex = 3 => "noindex",
        Canonicalised = 4 => "canonicalised",
        Redirected = 5 => "redirect",
        ClientError = 6 => "client-error",
        ServerError = 7 => "server-error",
        NoResponse = 8 => "no-response",
        NotHtml = 9 => "not-html",
        MetaRefresh = 10 => "meta-refresh",
    }
}

/// Statuses that neither confirm nor refute a link: the server answered, but not about the page.
/// 503 is added to these when it carries Retry-After.
pub const UNVERIFIABLE_STATUSES: &[u16] = &[401, 403, 405, 406, 407, 429, 451, 999];
