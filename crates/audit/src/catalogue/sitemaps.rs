//! Family Sitemaps: the files.

use super::sitemap_parts::{
    BASE, ERRORS, GOOGLE, HOME, NAMES, PROTOCOL, file, index, problem, url, urlset, xml,
};
use crate::audit::{Audit, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, answer, html, page, redirect, robots};

const PROBLEM: &[(&str, &str)] = &[
    ("problem", "sitemap_problem"),
    ("detail", "sitemap_detail"),
    ("line", "sitemap_line"),
    ("column", "sitemap_column"),
    ("named_by", "sitemap_parent"),
];

const LARGE: &str = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps";

/// A Check asks the usual places by itself: what is not there nobody named.
macro_rules! named {
    () => {
        "NOT (s.parent IS NULL AND (s.url LIKE '%/sitemap.xml' OR s.url LIKE '%/sitemap_index.xml' OR s.url LIKE '%/wp-sitemap.xml')
           AND EXISTS (SELECT 1 FROM crawl c WHERE c.id = {crawl} AND c.job = 'check')
           AND NOT EXISTS (SELECT 1 FROM robots r WHERE r.crawl = {crawl} AND instr(CAST(r.body AS TEXT), s.url) > 0))"
    };
}

/// Ten entries with the same date.
macro_rules! ten {
    ($date:literal) => {
        concat!(
            url!("/0", $date),
            url!("/1", $date),
            url!("/2", $date),
            url!("/3", $date),
            url!("/4", $date),
            url!("/5", $date),
            url!("/6", $date),
            url!("/7", $date),
            url!("/8", $date),
            url!("/9", $date)
        )
    };
}

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "sitemap-none",
        title: "No sitemap",
        severity: Severity::Opportunity,
        scope: Scope::Robots,
        // Only where robots.txt was read or is missing, and each usual place said that nothing is there (some sites say so with
        // a page and the status 200).
        rule: Rule::Select(concat!(
            "WITH place(url, absent) AS (
               SELECT p.subject, coalesce(p.status IN (404, 410) OR (p.status BETWEEN 200 AND 299 AND lower(p.content_type) LIKE 'text/html%'), 0)
                 FROM probe p WHERE p.crawl = {crawl} AND p.kind = 'sitemap'
               UNION SELECT s.url, coalesce(s.status IN (404, 410) OR (s.status BETWEEN 200 AND 299 AND s.kind = 'unknown'), 0) FROM sitemap s WHERE s.crawl = {crawl})
             SELECT url, 0 AS ref FROM (SELECT v.key & 4294967295 AS url FROM visit v WHERE v.key BETWEEN {first} AND {last} AND v.found = 1 AND v.internal AND v.state = 1
               ORDER BY v.key LIMIT 1)
             WHERE NOT EXISTS (SELECT 1 FROM sitemap s WHERE s.crawl = {crawl} AND (s.kind <> 'unknown' OR ", named!(), "))
               AND EXISTS (SELECT 1 FROM place x CROSS JOIN host h ON x.url = h.origin || '/sitemap.xml' CROSS JOIN robots r ON r.crawl = {crawl} AND r.host = h.id
                 WHERE x.absent AND r.state IN ('ok', 'missing')
                   AND char(10) || replace(replace(replace(lower(coalesce(CAST(r.body AS TEXT), '')), char(13), char(10)), ' ', ''), char(9), '') NOT LIKE '%' || char(10) || 'sitemap:%'
                   AND EXISTS (SELECT 1 FROM place y WHERE y.url = h.origin || '/sitemap_index.xml' AND y.absent)
                   AND EXISTS (SELECT 1 FROM place z WHERE z.url = h.origin || '/wp-sitemap.xml' AND z.absent))"
        )),
        evidence: &[("start", "url"), ("robots_status", "robots_status"), ("robots_state", "robots_state")],
        why: "robots.txt names no sitemap, and none is at /sitemap.xml, /sitemap_index.xml or /wp-sitemap.xml. Search engines then know only of what they find by links, and not what changed.",
        fix: "Let the system that makes the site write a sitemap, and name it in robots.txt.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview", PROTOCOL],
        case: Case::new(
            &[page("/", ""), html("/wp-sitemap.xml", "<!doctype html><title>Not found</title><p>Nothing is here.")],
            &[("/", 1)],
            &[page("/", ""), xml("/wp-sitemap.xml", urlset!(url!("/")))],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-unreachable",
        title: "Sitemap cannot be read",
        priority: Priority::High,
        // A redirect that leads to another address is a sitemap of its own there; 429 says that we were too fast.
        rule: Rule::Sitemap(concat!(
            "SELECT s.id AS sitemap, ", file!(), " AS ref FROM sitemap s WHERE s.crawl = {crawl} AND ", named!(), " AND (s.error IS NOT NULL
               OR (s.status NOT BETWEEN 200 AND 299 AND s.status <> 429
                 AND NOT (s.status BETWEEN 300 AND 399 AND EXISTS (SELECT 1 FROM sitemap_problem b WHERE b.sitemap = s.id AND b.code = 'redirect')
                   AND NOT EXISTS (SELECT 1 FROM sitemap_problem b WHERE b.sitemap = s.id AND b.code IN ('too-many-redirects', 'redirect-loop')))))"
        )),
        why: "robots.txt, an index or a setting names this sitemap, and it does not answer with 200. Nothing that it lists reaches search engines.",
        fix: "Correct the address where it is named, or bring the file back. robots.txt must not disallow it.",
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow: /closed\nSitemap: {site}/sitemap.xml\nSitemap: {site}/closed.xml\nSitemap: {site}/moved.xml\n"),
                page("/", ""),
                xml("/sitemap.xml", index!("/one.xml" "/two.xml")),
                answer("/one.xml", 500),
                xml("/two.xml", urlset!(url!("/"))),
                redirect("/moved.xml", 301, &[("Location", "/gone.xml")]),
            ],
            &[("/one.xml", 1), ("/closed.xml", 1), ("/moved.xml", 1)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/moved.xml\n"),
                page("/", ""),
                redirect("/moved.xml", 301, &[("Location", "/sitemap.xml")]),
                HOME,
            ],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-malformed",
        title: "Sitemap malformed",
        priority: Priority::High,
        // What was cut, by the server or by us, ends early; that is no fault of its own.
        rule: Rule::Sitemap(concat!(
            "SELECT b.sitemap AS sitemap, ", problem!(), " AS ref FROM sitemap s CROSS JOIN sitemap_problem b ON b.sitemap = s.id
             WHERE s.crawl = {crawl} AND s.status BETWEEN 200 AND 299 AND (s.kind <> 'unknown' OR ", named!(), ")
               AND (b.code IN ('html', 'unknown-format', 'gzip-error', 'undecodable', 'incomplete', 'encoding-malformed', 'namespace-missing', 'namespace-wrong',
                 'entity-undeclared', 'entity-unresolved', 'token-too-long', 'leading-white-space', 'ampersand-bare', 'text-outside-root', 'encoding-contradicted')
                 OR (b.code = 'xml-error' AND NOT s.truncated AND NOT EXISTS (SELECT 1 FROM sitemap_problem c WHERE c.sitemap = s.id AND c.code IN ('incomplete', 'undecodable', 'gzip-error'))))"
        )),
        evidence: PROBLEM,
        why: "The file is not what the protocol asks for at this place. Search engines read it up to there, or not at all.",
        fix: "Correct the file at the line and column named; & stands as &amp; in XML, and nothing may come before the XML declaration.",
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/page.xml\nSitemap: {site}/old.xml\nSitemap: {site}/bare.xml\nSitemap: {site}/wide.xml\n"),
                page("/", ""),
                xml("/sitemap.xml", "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url><loc>{site}/</loc></url>\n<url><loc>{site}/a"),
                html("/page.xml", "<!doctype html><title>Not found</title><p>Nothing is here."),
                xml("/old.xml", "<urlset><url><loc>{site}/</loc></url></urlset>"),
                xml("/bare.xml", concat!(urlset!("<url><loc>{site}/?a=1&b=2</loc></url>"), "\nWritten in 0.1 seconds")),
                xml("/wide.xml", "<?xml version=\"1.0\" encoding=\"utf-16\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/</loc></url></urlset>"),
            ],
            &[("/sitemap.xml", 1), ("/page.xml", 1), ("/old.xml", 1), ("/bare.xml", 2), ("/wide.xml", 1)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/list.txt\nSitemap: {site}/gone.xml\nSitemap: {site}/feed\n"),
                page("/", ""),
                HOME,
                answer("/list.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Text("{site}/\n")),
                answer("/gone.xml", 404).headed(&[("Content-Type", "text/html")]).holding(Body::Text("<!doctype html><title>Not found</title><p>Nothing is here.")),
                xml("/feed", "<rss version=\"2.0\"><channel><item><link>{site}/</link></item></channel></rss>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-too-many-urls",
        title: "Sitemap with too many URLs",
        priority: Priority::High,
        rule: Rule::Sitemap(concat!(
            "SELECT s.id AS sitemap, ", file!(), " AS ref FROM sitemap s WHERE s.crawl = {crawl} AND s.kind IN ('urlset', 'index', 'text') AND s.entries > {sitemap_urls_most}"
        )),
        thresholds: &[Threshold {
            name: "sitemap_urls_most",
            label: "URLs of a sitemap",
            help: "Sitemaps with more entries are reported; the protocol allows 50,000.",
            unit: Unit::Urls,
            min: 1,
            max: 100_000_000,
            default: 50_000,
        }],
        why: "A sitemap may list 50,000 URLs. Search engines leave out the rest, or refuse the file.",
        fix: "Split it into several, and name those in a sitemap index.",
        references: &[PROTOCOL, LARGE],
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(url!("/") url!("/?a") url!("/?b")))],
            &[("/sitemap.xml", 1)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/feed\n"),
                page("/", ""),
                xml("/sitemap.xml", urlset!(url!("/") url!("/?a"))),
                xml("/feed", "<rss version=\"2.0\"><channel><item><link>/</link></item><item><link>/?a</link></item><item><link>/?b</link></item></channel></rss>"),
            ],
        )
        .with(&[("audit.sitemap_urls_most", "2")]),
        ..BASE
    },
    Audit {
        id: "sitemap-too-large",
        title: "Sitemap too large",
        priority: Priority::High,
        rule: Rule::Sitemap(concat!(
            "SELECT s.id AS sitemap, ", file!(), " AS ref FROM sitemap s WHERE s.crawl = {crawl} AND s.kind IN ('urlset', 'index', 'text') AND s.bytes > {sitemap_bytes_most}"
        )),
        thresholds: &[Threshold {
            name: "sitemap_bytes_most",
            label: "Bytes of a sitemap",
            help: "Larger sitemaps are reported, counted before compression; the protocol allows 50 MiB.",
            unit: Unit::Bytes,
            min: 1,
            max: 10_000_000_000,
            default: 52_428_800,
        }],
        why: "A sitemap may have 52,428,800 bytes before it is compressed. Search engines stop reading there, or refuse the file.",
        fix: "Split it into several, and name those in a sitemap index.",
        references: &[PROTOCOL, LARGE],
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(url!("/?a-long-address-for-a-small-limit") url!("/?and-another-one-that-is-as-long") url!("/")))],
            &[("/sitemap.xml", 1)],
            &[NAMES, page("/", ""), HOME],
        )
        .with(&[("audit.sitemap_bytes_most", "200")]),
        ..BASE
    },
    Audit {
        id: "sitemap-nested-index",
        title: "Sitemap index within an index",
        priority: Priority::Medium,
        rule: Rule::Sitemap(concat!(
            "SELECT sitemap, max(ref) AS ref FROM (SELECT b.sitemap AS sitemap, ", problem!(), " AS ref FROM sitemap s CROSS JOIN sitemap_problem b ON b.sitemap = s.id
             WHERE s.crawl = {crawl} AND b.code IN ('index-nested', 'index-cycle', 'index-too-deep')) GROUP BY sitemap"
        )),
        evidence: PROBLEM,
        why: "An index may name sitemaps, not further indexes. Search engines do not read what stands below it.",
        fix: "Name all sitemaps in one index, or several indexes in robots.txt.",
        references: &["https://www.sitemaps.org/protocol.html#index", ERRORS],
        case: Case::new(
            &[
                NAMES,
                page("/", ""),
                xml("/sitemap.xml", index!("/inner.xml" "/one.xml")),
                xml("/inner.xml", index!("/two.xml" "/inner.xml")),
                xml("/one.xml", urlset!(url!("/"))),
                xml("/two.xml", urlset!(url!("/"))),
            ],
            &[("/inner.xml", 1)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/other.xml\n"),
                page("/", ""),
                xml("/sitemap.xml", index!("/one.xml")),
                xml("/other.xml", index!("/one.xml")),
                xml("/one.xml", urlset!(url!("/"))),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-lastmod-stamped",
        title: "Dates of a sitemap all the same",
        severity: Severity::Warning,
        priority: Priority::Low,
        // Sitemaps for Google News hold the articles of two days.
        rule: Rule::Sitemap(concat!(
            "SELECT s.id AS sitemap, ", file!(), " AS ref FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id
             WHERE s.crawl = {crawl} AND s.kind = 'urlset' AND lower(s.url) NOT LIKE '%news%' AND e.lastmod GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
             GROUP BY s.id HAVING count(*) >= {sitemap_dated_least} AND count(DISTINCT substr(e.lastmod, 1, 10)) <= 2"
        )),
        thresholds: &[Threshold {
            name: "sitemap_dated_least",
            label: "Dated URLs of a sitemap",
            help: "Sitemaps with at least so many dates that lie on at most two days are reported.",
            unit: Unit::Urls,
            min: 2,
            max: 1_000_000,
            default: 20,
        }],
        evidence: &[("entries", "sitemap_entries"), ("days", "sitemap_days"), ("named_by", "sitemap_parent")],
        why: "All pages seem to have changed on the same days: most likely lastmod is the day on which the sitemap was made. Search engines that notice no longer read the dates.",
        fix: "Set lastmod to the day on which the content of each page last changed, or leave it out.",
        references: &["https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping", GOOGLE],
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(ten!("2024-01-01T10:00:00Z") ten!("2024-01-02")))],
            &[("/sitemap.xml", 1)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/few.xml\nSitemap: {site}/news.xml\n"),
                page("/", ""),
                xml("/sitemap.xml", urlset!(ten!("2024-01-01") ten!("2024-01-02") url!("/", "2024-01-03"))),
                xml("/few.xml", urlset!(ten!("2024-01-01") url!("/") url!("/?a"))),
                xml("/news.xml", urlset!(ten!("2024-01-01") ten!("2024-01-02"))),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-empty",
        title: "Empty sitemap",
        severity: Severity::Warning,
        priority: Priority::Medium,
        rule: Rule::Sitemap(concat!(
            "SELECT s.id AS sitemap, ", file!(), " AS ref FROM sitemap s WHERE s.crawl = {crawl} AND ", named!(), " AND s.status BETWEEN 200 AND 299 AND s.entries = 0 AND NOT s.truncated
               AND NOT EXISTS (SELECT 1 FROM sitemap_problem b WHERE b.sitemap = s.id AND b.code NOT IN ('loc-missing', 'namespace-missing', 'namespace-wrong', 'leading-white-space', 'ampersand-bare', 'text-outside-root', 'encoding-contradicted'))"
        )),
        why: "The sitemap lists nothing. Most often whatever writes it fails, and search engines forget the pages that it listed.",
        fix: "Find out why nothing is written to it, or remove it where it is named.",
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/zero.xml\n"),
                page("/", ""),
                xml("/sitemap.xml", urlset!()),
                xml("/zero.xml", ""),
            ],
            &[("/sitemap.xml", 1), ("/zero.xml", 1)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/page.xml\nSitemap: {site}/gone.xml\n"),
                page("/", ""),
                HOME,
                html("/page.xml", "<!doctype html><title>Not found</title><p>Nothing is here."),
            ],
        ),
        ..BASE
    },
];
