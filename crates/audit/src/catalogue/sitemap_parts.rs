//! What the audits of sitemaps have in common.

use super::PLAIN;
use crate::audit::{Audit, Family, Scope, Severity};
use crate::cases::{Body, Resource, answer, robots};

pub(super) const FILE: &[(&str, &str)] = &[
    ("status", "sitemap_status"),
    ("detail", "sitemap_error"),
    ("named_by", "sitemap_parent"),
    ("entries", "sitemap_entries"),
    ("bytes", "sitemap_bytes"),
];

pub(super) const PROTOCOL: &str = "https://www.sitemaps.org/protocol.html";
pub(super) const GOOGLE: &str =
    "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap";
pub(super) const ERRORS: &str = "https://support.google.com/webmasters/answer/7451001";

pub(super) const BASE: Audit = Audit {
    family: Family::Sitemaps,
    severity: Severity::Issue,
    scope: Scope::Sitemap,
    evidence: FILE,
    references: &[PROTOCOL, ERRORS],
    ..PLAIN
};

/// The ref of the entry `e`, of the problem `b` and of the file `s`: as `findings::place` makes them.
macro_rules! entry {
    () => {
        "-4503599627370496 - (e.sitemap << 24) - min(e.n, 8388607)"
    };
}
macro_rules! problem {
    () => {
        "-4503599627370496 - (b.sitemap << 24) - 8388608 - b.n"
    };
}
macro_rules! file {
    () => {
        "-4503599627370496 - (s.id << 24)"
    };
}

/// The text of a set of these entries.
macro_rules! urlset {
    ($($entry:expr)*) => {
        concat!("<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", $($entry, "\n",)* "</urlset>\n")
    };
}
macro_rules! index {
    ($($path:literal)*) => {
        concat!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">", $("<sitemap><loc>{site}", $path, "</loc></sitemap>",)* "</sitemapindex>")
    };
}
macro_rules! url {
    ($path:literal) => {
        concat!("<url><loc>{site}", $path, "</loc></url>")
    };
    ($path:literal, $date:literal) => {
        concat!("<url><loc>{site}", $path, "</loc><lastmod>", $date, "</lastmod></url>")
    };
}

pub(super) use {entry, file, index, problem, url, urlset};

/// A robots.txt that names one sitemap.
pub(super) const NAMES: Resource = robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\n");

/// An XML file.
pub(super) const fn xml(path: &'static str, text: &'static str) -> Resource {
    answer(path, 200).headed(&[("Content-Type", "application/xml")]).holding(Body::Text(text))
}

/// The sitemap of a site of one page.
pub(super) const HOME: Resource = xml("/sitemap.xml", urlset!(url!("/")));
