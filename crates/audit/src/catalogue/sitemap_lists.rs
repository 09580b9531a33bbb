//! Family Sitemaps: what they list.

use super::sitemap_parts::{BASE, ERRORS, GOOGLE, HOME, NAMES, entry, index, url, urlset, xml};
use crate::audit::{Audit, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, answer, headed_page, page, redirect, robots};
use crate::sitemap_entries as entries;

const ENTRY: &[(&str, &str)] = &[
    ("sitemap", "sitemap"),
    ("entry", "sitemap_entry"),
    ("entry_number", "sitemap_entry_number"),
    ("lastmod", "sitemap_lastmod"),
    ("status", "status"),
];
const LISTED: &[(&str, &str)] = &[
    ("sitemap", "sitemap"),
    ("entry", "sitemap_entry"),
    ("entry_number", "sitemap_entry_number"),
    ("lastmod", "sitemap_lastmod"),
    ("status", "status"),
    ("redirect_url", "redirect_url"),
    ("final_url", "final_url"),
    ("robots", "robots"),
    ("canonical", "canonical"),
    ("rule", "reason"),
];

/// Entries that the crawl asked for, as URLs of the site: `v` the visit, `a` its answer, `p` its page, `d` the document.
macro_rules! listed {
    ($condition:literal) => {
        concat!(
            "SELECT e.url AS url, ", entry!(), " AS ref FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id
             CROSS JOIN visit v ON v.key = ({crawl} << 32) | e.url AND v.internal LEFT JOIN answer a ON a.key = v.key AND v.state = 1
             LEFT JOIN page p ON p.key = v.key LEFT JOIN document d ON d.id = p.document
             WHERE s.crawl = {crawl} AND s.kind <> 'index' AND ", $condition
        )
    };
}

/// Entries in sitemaps are asked of one by one.
const LISTS: Audit = Audit { scope: Scope::Entry, evidence: LISTED, references: &[ERRORS, GOOGLE], ..BASE };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "sitemap-has-error",
        title: "Sitemap lists a broken URL",
        priority: Priority::High,
        rule: Rule::Select(listed!("a.status BETWEEN 400 AND 599 AND a.status NOT IN ({unverifiable}) AND NOT (a.status = 503 AND a.flags & 16 <> 0)")),
        why: "The sitemap sends search engines to a page that does not exist. Where many entries do, they trust the rest less.",
        fix: "Take the URL off the sitemap, or bring the page back.",
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(url!("/") url!("/gone", "2024-01-01") url!("/down"))), answer("/down", 500)],
            &[("/gone", 1), ("/down", 1)],
            &[
                NAMES,
                page("/", "<a href=\"/gone\">gone</a>"),
                xml("/sitemap.xml", urlset!(url!("/") url!("/closed") url!("/busy") url!("/moved"))),
                answer("/closed", 403),
                answer("/busy", 503).headed(&[("Retry-After", "0")]),
                redirect("/moved", 301, &[("Location", "/gone")]),
            ],
        ),
        ..LISTS
    },
    Audit {
        id: "sitemap-has-redirect",
        title: "Sitemap lists a redirect",
        rule: Rule::Select(listed!("a.status BETWEEN 300 AND 399 AND a.redirect IS NOT NULL")),
        why: "The sitemap names an address that sends on to another one. It should list the pages that are to be indexed, and tells nothing about this one.",
        fix: "List the address at which the redirect ends.",
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(url!("/") url!("/old"))), redirect("/old", 301, &[("Location", "/")])],
            &[("/old", 1)],
            &[NAMES, page("/", "<a href=\"/old\">old</a>"), HOME, redirect("/old", 301, &[("Location", "/")])],
        ),
        ..LISTS
    },
    Audit {
        id: "sitemap-has-noindex",
        title: "Sitemap lists a page with noindex",
        priority: Priority::High,
        rule: Rule::Select(listed!("a.status BETWEEN 200 AND 299 AND d.noindex")),
        why: "The sitemap asks for the page to be indexed, and the page asks not to be. One of them is wrong.",
        fix: "Take the page off the sitemap, or its noindex off the page.",
        case: Case::new(
            &[
                NAMES,
                page("/", ""),
                xml("/sitemap.xml", urlset!(url!("/") url!("/a") url!("/b"))),
                headed_page("/a", "<meta name=\"robots\" content=\"noindex\">", ""),
                page("/b", "").headed(&[("Content-Type", "text/html"), ("X-Robots-Tag", "noindex")]),
            ],
            &[("/a", 1), ("/b", 1)],
            &[NAMES, page("/", "<a href=\"/a\">a</a>"), HOME, headed_page("/a", "<meta name=\"robots\" content=\"noindex\">", "")],
        ),
        ..LISTS
    },
    Audit {
        id: "sitemap-has-canonicalised",
        title: "Sitemap lists a page that names another as canonical",
        rule: Rule::Select(listed!("a.status BETWEEN 200 AND 299 AND d.canonical_url IS NOT NULL AND d.flags & 16384 = 0")),
        why: "The sitemap proposes this page, and the page proposes another one: two signals for the same decision that contradict each other.",
        fix: "List the canonical page instead.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls", ERRORS],
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(url!("/") url!("/a?b"))), headed_page("/a?b", "<link rel=\"canonical\" href=\"/a\">", ""), page("/a", "")],
            &[("/a?b", 1)],
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(url!("/") url!("/a"))), headed_page("/a?b", "<link rel=\"canonical\" href=\"/a\">", ""), page("/a", "<a href=\"/a?b\">b</a>")],
        ),
        ..LISTS
    },
    Audit {
        id: "sitemap-has-blocked",
        title: "Sitemap lists a URL that robots.txt blocks",
        rule: Rule::Select(listed!("(v.state = 3 OR p.indexability = 2)")),
        why: "The sitemap asks crawlers to read the page, and robots.txt forbids it.",
        fix: "Take the URL off the sitemap, or allow it in robots.txt.",
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow: /private\nSitemap: {site}/sitemap.xml\n"),
                page("/", ""),
                xml("/sitemap.xml", urlset!(url!("/") url!("/private/a"))),
            ],
            &[("/private/a", 1)],
            &[robots("User-agent: *\nDisallow: /private\nSitemap: {site}/sitemap.xml\n"), page("/", "<a href=\"/private/a\">a</a>"), HOME],
        ),
        ..LISTS
    },
    Audit {
        id: "not-in-sitemap",
        title: "Page missing from the sitemap",
        priority: Priority::Medium,
        scope: Scope::Indexable,
        // Of hosts that some sitemap lists. Where a sitemap was not read to its end, by the server's fault or by a limit of ours, it is
        // not known what it lists. Later pages of a series belong into no sitemap.
        rule: Rule::Select(
            "SELECT r.url_id AS url, 0 AS ref FROM {rows} r WHERE r.key BETWEEN {first} AND {last} AND r.is_page AND r.has_content AND r.indexable
             AND r.host_id IN (SELECT u.host FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id CROSS JOIN url u ON u.id = e.url
               WHERE s.crawl = {crawl} AND s.kind IN ('urlset', 'text'))
             AND NOT EXISTS (SELECT 1 FROM sitemap s WHERE s.crawl = {crawl} AND (s.status IS NULL OR s.truncated OR (s.status >= 400 AND s.status NOT IN (404, 410))))
             AND NOT EXISTS (SELECT 1 FROM sitemap s CROSS JOIN sitemap_problem b ON b.sitemap = s.id WHERE s.crawl = {crawl}
               AND b.code IN ('incomplete', 'truncated', 'undecodable', 'gzip-error', 'read-error', 'token-too-long', 'too-many-sitemaps', 'index-too-deep'))
             AND NOT EXISTS (SELECT 1 FROM visit w CROSS JOIN string t ON t.id = w.reason WHERE w.key BETWEEN {first} AND {last} AND w.state = 5 AND t.value = 'time')
             AND r.url_id NOT IN (SELECT e.url FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id WHERE s.crawl = {crawl} AND s.kind <> 'index' AND e.url IS NOT NULL)
             AND NOT (EXISTS (SELECT 1 FROM link_shape WHERE kind = 14) AND EXISTS (SELECT 1 FROM link l CROSS JOIN link_shape h ON h.id = l.shape
               WHERE r.list IS NOT NULL AND l.id BETWEEN r.list << 20 AND (r.list << 20) | 63 AND h.kind = 14))",
        ),
        evidence: &[("inlinks", "inlinks"), ("depth", "depth"), ("found_by", "found_by"), ("first_source", "first_source")],
        why: "The page can be indexed, and no sitemap lists it. Search engines learn late of it and of its changes, and take the pages that are listed for the ones that matter.",
        fix: "Add the page to the sitemap, or say noindex if it is not meant to be found.",
        references: &[GOOGLE],
        case: Case::new(
            &[NAMES, page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"), HOME, page("/a", ""), headed_page("/b", "<link rel=\"next\" href=\"/b?page=2\">", "")],
            &[("/a", 1), ("/b", 1)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/gone.xml\n"),
                page("/", "<a href=\"/a\">a</a> <a href=\"/n\">n</a> <a href=\"/c?d\">c</a> <a href=\"/a?page=2\">2</a> <a href=\"/x.txt\">x</a> <a href=\"/blank\">y</a>"),
                xml("/sitemap.xml", index!("/list.xml" "/feed")),
                xml("/list.xml", urlset!(url!("/"))),
                xml("/feed", "<rss version=\"2.0\"><channel><item><link>{site}/a</link></item></channel></rss>"),
                page("/a", ""),
                headed_page("/n", "<meta name=\"robots\" content=\"noindex\">", ""),
                headed_page("/c?d", "<link rel=\"canonical\" href=\"/a\">", ""),
                headed_page("/a?page=2", "<link rel=\"prev\" href=\"/a\">", ""),
                answer("/x.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Text("x")),
                super::BLANK,
            ],
        ),
        ..BASE
    },
    Audit {
        id: "in-several-sitemaps",
        title: "URL in several sitemaps",
        severity: Severity::Warning,
        priority: Priority::Low,
        scope: Scope::Entry,
        // A feed lists what is new, beside the sitemap that lists all.
        rule: Rule::Select(
            "SELECT url, -4503599627370496 - (sitemap << 24) - min(n, 8388607) AS ref FROM (
               SELECT url, sitemap, n, count(*) OVER (PARTITION BY url) AS files FROM (
                 SELECT e.url AS url, e.sitemap AS sitemap, min(e.n) AS n FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id
                 CROSS JOIN visit v ON v.key = ({crawl} << 32) | e.url AND v.internal
                 WHERE s.crawl = {crawl} AND s.kind IN ('urlset', 'text') GROUP BY e.url, e.sitemap))
             WHERE files > 1",
        ),
        evidence: ENTRY,
        why: "The page is listed more than once, perhaps with different dates. Errors and counts are then told of each sitemap, and it is unclear which one to keep.",
        fix: "List each page in one sitemap.",
        references: &[GOOGLE, ERRORS],
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", index!("/one.xml" "/two.xml")), xml("/one.xml", urlset!(url!("/") url!("/"))), xml("/two.xml", urlset!(url!("/?x") url!("/")))],
            &[("/", 2)],
            &[
                NAMES,
                page("/", ""),
                xml("/sitemap.xml", index!("/one.xml" "/two.xml" "/feed")),
                xml("/one.xml", urlset!(url!("/") url!("/"))),
                xml("/two.xml", urlset!(url!("/?x"))),
                xml("/feed", "<rss version=\"2.0\"><channel><item><link>{site}/</link></item></channel></rss>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-other-host",
        title: "Sitemap lists URLs of another host",
        severity: Severity::Warning,
        priority: Priority::Medium,
        scope: Scope::Entry,
        // Another host's robots.txt may name the sitemap, or an index above it, and so allow it to list that host's URLs.
        rule: Rule::Sitemap(concat!(
            "WITH RECURSIVE above(sitemap, url, parent) AS (SELECT s.id, s.url, s.parent FROM sitemap s WHERE s.crawl = {crawl}
               UNION SELECT x.sitemap, s.url, s.parent FROM above x CROSS JOIN sitemap s ON s.id = x.parent),
             elsewhere(sitemap, host, name) AS MATERIALIZED (SELECT DISTINCT e.sitemap, u.host, h.name FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id
               CROSS JOIN url u ON u.id = e.url CROSS JOIN host h ON h.id = u.host
               WHERE s.crawl = {crawl} AND s.kind IN ('urlset', 'text') AND instr(s.url, '://' || h.name || '/') NOT IN (5, 6))
             SELECT e.sitemap AS sitemap, ", entry!(), " AS ref FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id CROSS JOIN url u ON u.id = e.url
             WHERE s.crawl = {crawl} AND s.kind IN ('urlset', 'text') AND (e.sitemap, u.host) IN (SELECT o.sitemap, o.host FROM elsewhere o
               WHERE NOT EXISTS (SELECT 1 FROM robots r CROSS JOIN host h ON h.id = r.host AND h.name = o.name CROSS JOIN above x ON x.sitemap = o.sitemap
                 WHERE r.crawl = {crawl} AND instr(CAST(r.body AS TEXT), x.url) > 0))"
        )),
        evidence: ENTRY,
        why: "A sitemap speaks for its own host only. Search engines leave out entries of another one, unless that host's robots.txt names the sitemap. Most often the address of a test server, or www., slipped in.",
        fix: "Correct the address, or name this sitemap in the robots.txt of the other host.",
        references: &["https://www.sitemaps.org/protocol.html#sitemaps_cross_submits", "https://www.sitemaps.org/protocol.html#location"],
        case: Case::new(
            &[NAMES, page("/", ""), xml("/sitemap.xml", urlset!(url!("/") "<url><loc>{other}/a</loc></url>" "<url><loc>{other}/b</loc></url>"))],
            &[("/sitemap.xml", 2)],
            &[
                NAMES,
                page("/", "<a href=\"{other}/a\">a</a>"),
                xml("/sitemap.xml", index!("/one.xml" "/feed")),
                xml("/one.xml", urlset!(url!("/") "<url><loc>{other}/a</loc></url>")),
                xml("/feed", "<rss version=\"2.0\"><channel><item><link>{other}/c</link></item></channel></rss>"),
                answer("other:/robots.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Text("Sitemap: {site}/sitemap.xml\n")),
                answer("other:/a", 200),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-lastmod-bad",
        title: "Wrong date in a sitemap",
        severity: Severity::Warning,
        priority: Priority::Low,
        scope: Scope::Entry,
        rule: Rule::Entry(entries::has_bad_date),
        evidence: ENTRY,
        why: "lastmod is no date in W3C's form, or lies in the future. Search engines ignore it, and where dates are often wrong, all of them.",
        fix: "Write 2026-03-11 or 2026-03-11T09:30:00+01:00: the day on which the page's content last changed.",
        references: &["https://www.w3.org/TR/NOTE-datetime", GOOGLE],
        case: Case::new(
            &[
                NAMES,
                page("/", ""),
                xml("/sitemap.xml", urlset!(url!("/", "last spring") url!("/?a", "2999-01-01") url!("/?b", "2024-01-01T10:00:00") url!("/?c", "2023-02-29") url!("/?d", "2024-01-01"))),
            ],
            &[("/sitemap.xml", 4)],
            &[
                NAMES,
                page("/", ""),
                xml("/sitemap.xml", index!("/one.xml" "/feed")),
                xml("/one.xml", urlset!(url!("/", "2024") url!("/?a", "2024-02-29T23:59Z") url!("/?b", " 2024-01-01T10:00:00.5+01:00 ") url!("/?c"))),
                xml("/feed", "<rss version=\"2.0\"><channel><item><link>{site}/</link><pubDate>Thu, 29 Feb 2024 10:00:00 GMT</pubDate></item></channel></rss>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "sitemap-loc-bad",
        title: "Wrong address in a sitemap",
        priority: Priority::Medium,
        scope: Scope::Entry,
        rule: Rule::Entry(entries::has_bad_address),
        thresholds: &[Threshold {
            name: "sitemap_loc_characters_most",
            label: "Characters of an address in a sitemap",
            help: "Entries with a longer address are reported; the protocol allows 2,048.",
            unit: Unit::Characters,
            min: 1,
            max: 100_000,
            default: 2_048,
        }],
        evidence: &[
            ("entry", "sitemap_entry"),
            ("entry_number", "sitemap_entry_number"),
            ("characters", "length(sitemap_entry)"),
            ("problem", "sitemap_problem"),
            ("detail", "sitemap_detail"),
            ("line", "sitemap_line"),
            ("column", "sitemap_column"),
        ],
        why: "An entry needs one address, with scheme and host, encoded as RFC 3986 asks for, of 2,048 characters at most. Search engines leave out the others.",
        fix: "Write the whole address, as the browser sends it: spaces and letters beyond ASCII as escapes. A second address is an entry of its own.",
        references: &["https://www.sitemaps.org/protocol.html#escaping", "https://www.rfc-editor.org/rfc/rfc3986"],
        case: Case::new(
            &[
                NAMES,
                page("/", ""),
                xml("/sitemap.xml", urlset!("<url><loc>/a</loc></url>" "<url><loc>www.site.example/b</loc></url>" url!("/ä") url!("/c d") "<url><lastmod>2024-01-01</lastmod></url>" "<url><loc>{site}/</loc><loc>{site}/e</loc></url>" url!("/"))),
            ],
            &[("/sitemap.xml", 6)],
            &[
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\nSitemap: {site}/feed\n"),
                page("/", ""),
                xml("/sitemap.xml", urlset!(url!("/%C3%A4?a[]=b&amp;c=d") "<url><loc>\n  {site}/\n</loc></url>" "<url><loc><![CDATA[{site}/?a=1&b=2]]></loc></url>")),
                xml("/feed", "<rss version=\"2.0\"><channel><item><link>/</link></item></channel></rss>"),
            ],
        ),
        ..BASE
    },
];
