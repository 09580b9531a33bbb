//! The sitemaps of a crawl as a person sees them: a tree of files with what became of their entries.

use serde::Serialize;

/// The sitemaps that a crawl read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SitemapTree {
    /// Files in all; `nodes` holds the first 5,000 at most.
    pub files: u64,
    /// Entries of all files that are no index.
    pub entries: u64,
    /// Different URLs among them that the crawl met.
    pub in_crawl: u64,
    /// Indexable pages of the site that no sitemap lists.
    pub unlisted: u64,
    /// Each parent before its children, siblings in the order in which they were read.
    pub nodes: Vec<SitemapNode>,
}

/// One sitemap file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SitemapNode {
    pub key: i64,
    pub url: String,
    /// The key of the index that named it.
    pub parent: Option<i64>,
    /// 0 for those that nothing but robots.txt or a setting names.
    pub level: u32,
    /// `urlset`, `index`, `text`, `rss`, `atom` or `unknown`.
    pub kind: String,
    pub status: Option<u16>,
    /// What came of it, in words.
    pub outcome: String,
    /// Bytes after gzip was undone.
    pub bytes: u64,
    pub entries: u64,
    /// Entries that the crawl met; of an index, those that were read.
    pub in_crawl: u64,
    /// Entries that are indexable pages.
    pub indexable: u64,
    /// Entries that are not of the site.
    pub other_hosts: u64,
    /// Entries that are no address.
    pub malformed: u64,
    pub errors: Vec<SitemapError>,
    /// What is unusual about the file, each a stable code: `gzip`, `too-many-entries`, `namespace-wrong`…
    pub flags: Vec<String>,
}

/// Something wrong with a sitemap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SitemapError {
    /// Stable: `xml-error`, `too-large`…
    pub code: String,
    /// Counted from 1; 0 where there is none.
    pub line: u32,
    pub column: u32,
    pub text: String,
}
