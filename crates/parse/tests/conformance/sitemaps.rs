//! Sitemap documents with their entries.

use crate::{Verdicts, folder, rows, text};
use gossamer_parse::{SitemapKind, SitemapReport, sitemap};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) const TESTS: &str = "sitemaps";
pub(crate) const FILES: &str = "sitemap-files";

fn read(body: &[u8]) -> (SitemapReport, Vec<String>) {
    let mut entries = Vec::new();
    let report = sitemap(&mut &*body, 1 << 30, &mut |entry| entries.push(entry.loc.into_string()));
    (report, entries)
}

#[test]
fn crawler_commons_tests() {
    let Some(folder) = folder("sitemaps-crawler-commons") else { return };
    let mut verdicts = Verdicts::of(TESTS);
    for row in rows(&folder.join("sitemap-tests.jsonl")) {
        let body = match row["file"].as_str() {
            Some(file) => std::fs::read(folder.join(file)).expect("the fixture is readable"),
            None => row["body"].as_str().expect("a document").as_bytes().to_vec(),
        };
        let (report, entries) = read(&body);
        let fault = fault(&row["expect"], &report, &entries);
        verdicts.row(text(&row, "id"), fault.map(|fault| format!("{fault} {report:?}")));
    }
    verdicts.judge(26);
}

fn fault(expect: &Value, report: &SitemapReport, entries: &[String]) -> Option<String> {
    if expect["error"].is_string() {
        // The README of the data: such a row may be read leniently by a tool that says so.
        return report.problems.is_empty().then(|| format!("no problem is told for {expect}"));
    }
    let wanted = if report.kind == SitemapKind::Index { &expect["sitemaps"] } else { &expect["pages"] };
    let first = expect["first_page"].as_str();
    let urls = expect["urls"].as_array();
    let same =
        |urls: &Vec<Value>| urls.iter().map(Value::as_str).eq(entries.iter().map(|e| Some(e.as_str())));
    let is_right = wanted.as_u64() == Some(entries.len() as u64)
        && first.is_none_or(|first| entries.first().is_some_and(|entry| entry == first))
        && urls.is_none_or(same);
    (!is_right).then(|| format!("{entries:?} for {expect}"))
}

/// Every document of the folder: its format, how many entries it has, and the first of them.
const DOCUMENTS: &[(&str, SitemapKind, u64, &str)] = &[
    ("rss/feed.rss", SitemapKind::Rss, 4, "https://www.example.com/blog/post/1"),
    ("rss/xmlRss_pubDate.xml", SitemapKind::Rss, 7, "http://www.example.com/article_1"),
    ("sitemaps/atom.xml", SitemapKind::Atom, 1, "http://example.org/2003/12/13/atom03"),
    ("sitemaps/do-not-visit.txt", SitemapKind::Text, 1, "http://www.example.com/do-not-visit-here"),
    (
        "sitemaps/extension/hebdenbridgetimes-articles-sitemap.xml",
        SitemapKind::UrlSet,
        74,
        "http://www.hebdenbridgetimes.co.uk/news/local/video-tour-de-yorkshire-in-calderdale-1-7242580",
    ),
    ("sitemaps/extension/pagemaps-sitemap.xml", SitemapKind::UrlSet, 2, "http://www.example.com/foo"),
    (
        "sitemaps/extension/shinpaideshou-news-sitemap.xml",
        SitemapKind::UrlSet,
        3,
        "https://shinpaideshou.wordpress.com/2017/04/25/job-opening-reischauer-policy-research-fellow/",
    ),
    (
        "sitemaps/extension/sitemap-images.xml",
        SitemapKind::UrlSet,
        1,
        "http://www.example.com/images/some_image_landing_page.html",
    ),
    ("sitemaps/extension/sitemap-links.xml", SitemapKind::UrlSet, 3, "http://www.example.com/english/"),
    (
        "sitemaps/extension/sitemap-mobile.xml",
        SitemapKind::UrlSet,
        3,
        "http://www.example.com/mobile-friendly-1/",
    ),
    (
        "sitemaps/extension/sitemap-news.xml",
        SitemapKind::UrlSet,
        2,
        "http://www.example.org/business/article55.html",
    ),
    (
        "sitemaps/extension/sitemap-videos-tvshow.xml",
        SitemapKind::UrlSet,
        1,
        "https://example.org/my-tv-show/23/13/",
    ),
    (
        "sitemaps/extension/sitemap-videos.xml",
        SitemapKind::UrlSet,
        3,
        "http://www.example.com/videos/some_video_landing_page.html",
    ),
    ("sitemaps/sitemap-with-bom.txt", SitemapKind::Text, 2, "http://www.domain.com/page1.html"),
    ("sitemaps/sitemap.badns.xml", SitemapKind::UrlSet, 2, "http://www.example.com/1"),
    (
        "sitemaps/sitemap.index.xml",
        SitemapKind::Index,
        15,
        "https://example.com/sitemap.jss?portalCode=10260&lang=en",
    ),
    ("sitemaps/sitemap.ns.xml", SitemapKind::UrlSet, 2, "http://www.example.com/1"),
    ("sitemaps/sitemap.txt", SitemapKind::Text, 2, "http://www.domain.com/page1.html"),
    ("sitemaps/sitemap.txt.gz", SitemapKind::Text, 5, "http://www.example.com/"),
    ("sitemaps/xmlSitemap.gz", SitemapKind::UrlSet, 5, "http://www.example.com/"),
];

#[test]
fn crawler_commons_documents() {
    let Some(folder) = folder("sitemaps-crawler-commons") else { return };
    let mut verdicts = Verdicts::of(FILES);
    for (name, kind, count, first) in DOCUMENTS {
        let (report, entries) = read(&std::fs::read(folder.join(name)).expect("the document is readable"));
        let got = (report.kind, report.entries, entries.first().map_or("", String::as_str));
        verdicts.row(name, (got != (*kind, *count, *first)).then(|| format!("{got:?}")));
    }
    verdicts.judge(20);
    let present: BTreeSet<String> = ["rss", "sitemaps", "sitemaps/extension"]
        .iter()
        .flat_map(|part| names(&folder.join(part)).into_iter().map(move |name| format!("{part}/{name}")))
        .collect();
    let named: BTreeSet<String> = DOCUMENTS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(present, named, "every document of the folder is named here");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.path().is_file());
    files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
