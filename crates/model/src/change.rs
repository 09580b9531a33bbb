//! What may differ between two crawls of a site.

use crate::coded;

coded! {
    /// One thing about a URL that a later crawl found to be another than an earlier one did.
    pub enum ChangeKind {
        /// A URL that the earlier crawl did not meet, though it met all that links led to.
        New = 1 => "new",
        /// A URL that answered, and to which nothing leads any more.
        Gone = 2 => "gone",
        /// A URL that answered, or failed, and that the later crawl did not ask for. Nothing is known of it.
        NotRechecked = 3 => "not-rechecked",
        /// A URL that worked and fails now.
        Broke = 4 => "broke",
        /// A URL that failed and works now.
        WorksAgain = 5 => "works-again",
        /// A URL that worked and gave no answer, or a server's error, to a Check. It counts as broken once the next agrees.
        Unconfirmed = 6 => "unconfirmed",
        /// The status as such.
        Status = 10 => "status",
        RedirectTarget = 11 => "redirect-target",
        Indexability = 12 => "indexability",
        Title = 13 => "title",
        Description = 14 => "description",
        H1 = 15 => "h1",
        Canonical = 16 => "canonical",
        /// What robots meta elements say.
        Directives = 17 => "directives",
        /// Words of the visible text, beyond a tenth of them.
        WordCount = 18 => "word-count",
        /// The main text, where it is long enough to be compared. Before and after: nothing, and how much of it is still there, in percent.
        Content = 19 => "content",
        /// The types of structured data.
        StructuredTypes = 20 => "structured-types",
        /// Links that lead there.
        Inlinks = 21 => "inlinks",
        Depth = 22 => "depth",
        /// Security headers that are not sent any more, or only now, or with another value.
        SecurityHeaders = 23 => "security-headers",
        /// Security headers that are not sent any more. Before: their names.
        SecurityHeaderLost = 24 => "security-header-lost",
        /// The text of robots.txt, told of its URL.
        RobotsTxt = 30 => "robots-txt",
        /// A URL that was read and that robots.txt now keeps us from.
        NewlyBlocked = 31 => "newly-blocked",
        /// A URL that robots.txt no longer keeps us from.
        NewlyAllowed = 32 => "newly-allowed",
        /// A URL that stands in a sitemap now.
        SitemapAdded = 40 => "sitemap-added",
        /// A URL that stands in no sitemap any more.
        SitemapDropped = 41 => "sitemap-dropped",
        /// Entries of a sitemap, told of its URL.
        SitemapCount = 42 => "sitemap-count",
    }
}

coded! {
    /// Where a finding stands in the course of the crawls.
    pub enum Life {
        /// It was found whenever it was looked for.
        Open = 0 => "open",
        /// It was not found when it was last looked for, for the first time.
        Fixed = 1 => "fixed",
        /// It was not found in two or more crawls one after another that looked for it.
        Held = 2 => "held",
        /// It was fixed, and is found again.
        Regressed = 3 => "regressed",
    }
}
