//! Family HTML, mobile, performance, accessibility: what makes pages slow.

use super::PLAIN;
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, Resource, answer, headed_page, html, page};

const BASE: Audit = Audit {
    family: Family::Html,
    severity: Severity::Opportunity,
    priority: Priority::Medium,
    scope: Scope::Content,
    ..PLAIN
};

const fn of_type(
    path: &'static str,
    headers: &'static [(&'static str, &'static str)],
    bytes: usize,
) -> Resource {
    answer(path, 200).headed(headers).holding(Body::Filler(bytes))
}

const fn dom(name: &'static str, label: &'static str, help: &'static str, default: u64) -> Threshold {
    Threshold { name, label, help, unit: Unit::Elements, min: 1, max: 4_000, default }
}

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "not-compressed",
        title: "Text sent without compression",
        scope: Scope::Internal,
        // An answer to HEAD need not say how the body would have been sent.
        rule: Rule::Row(
            Needs::Itself,
            "status BETWEEN 200 AND 299 AND method = 'GET' AND body_read AND NOT undecodable AND bytes > {uncompressed_most}
             AND (media_type LIKE 'text/%' OR media_type LIKE '%+xml' OR media_type LIKE '%+json' OR media_type LIKE '%javascript'
               OR media_type IN ('application/json', 'application/xml', 'application/wasm'))
             AND lower(coalesce(content_encoding, '')) IN ('', 'identity')",
        ),
        thresholds: &[Threshold {
            name: "uncompressed_most",
            label: "Text that may stay uncompressed",
            help: "Texts with more bytes that are sent without compression are reported.",
            unit: Unit::Bytes,
            min: 0,
            max: 1_000_000_000,
            default: 1_400,
        }],
        evidence: &[("bytes", "bytes"), ("content_type", "content_type"), ("content_encoding", "content_encoding")],
        why: "Compressed, text takes a third to a fifth of the bytes, and arrives that much sooner. What fits one packet gains nothing.",
        fix: "Switch gzip, Brotli or Zstandard on in the server for all kinds of text.",
        references: &["https://developer.chrome.com/docs/lighthouse/performance/uses-text-compression", "https://www.rfc-editor.org/rfc/rfc9110#name-content-codings"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                of_type("/a", &[("Content-Type", "text/html; charset=utf-8")], 1_401),
                of_type("/b", &[("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "identity")], 5_000),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                headed_page("/", "<script src=\"/c.js\" defer></script>", "<a href=\"/a\">a</a> <img src=\"/b.png\" alt=\"b\" width=\"1\" height=\"1\"> <a href=\"/d\">d</a>"),
                of_type("/a", &[("Content-Type", "text/html; charset=utf-8")], 1_400),
                of_type("/b.png", &[("Content-Type", "image/png")], 5_000),
                of_type("/c.js", &[("Content-Type", "text/javascript")], 5_000),
                of_type("/d", &[("Content-Type", "text/html"), ("Content-Encoding", "gzip")], 5_000),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "caching-weak",
        title: "Static file hardly cached",
        priority: Priority::Low,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "status = 200 AND (media_type IN ('text/css', 'application/font-woff', 'application/font-woff2', 'application/vnd.ms-fontobject')
               OR media_type LIKE '%javascript' OR media_type LIKE 'image/%' OR media_type LIKE 'font/%')
             AND CASE WHEN max_age IS NULL THEN expires IS NULL AND coalesce(cache_control, '') NOT LIKE '%immutable%' ELSE max_age < {cache_days_least} * 86400 END
             AND coalesce(cache_control, '') NOT LIKE '%no-store%' AND coalesce(cache_control, '') NOT LIKE '%no-cache%'
             AND coalesce(cache_control, '') NOT LIKE '%private%' AND coalesce(cache_control, '') NOT LIKE '%must-revalidate%'
             AND coalesce(cache_control, '') NOT LIKE '%stale-while-revalidate%'",
        ),
        thresholds: &[Threshold {
            name: "cache_days_least",
            label: "Shortest caching of static files",
            help: "Images, fonts, scripts and style sheets that browsers may keep for fewer days are reported.",
            unit: Unit::Days,
            min: 0,
            max: 3_650,
            default: 7,
        }],
        evidence: &[("cache_control", "cache_control"), ("expires", "expires"), ("content_type", "content_type"), ("first_source", "first_source")],
        why: "Whoever comes back next week loads the file again although it did not change. Files for which the server rules caching out, or asks to check first, are not counted: somebody decided that.",
        fix: "Send Cache-Control: max-age=31536000, immutable, and give the file a new name when it changes.",
        references: &["https://developer.chrome.com/docs/lighthouse/performance/uses-long-cache-ttl", "https://www.rfc-editor.org/rfc/rfc9111#name-cache-control"],
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"stylesheet\" href=\"/a.css\"><script src=\"/b.js\" defer></script>", "<img src=\"/c.png\" alt=\"c\" width=\"1\" height=\"1\">"),
                of_type("/a.css", &[("Content-Type", "text/css"), ("Cache-Control", "public, s-maxage=9999999, Max-Age=\"604799\"")], 10),
                of_type("/b.js", &[("Content-Type", "text/javascript")], 10),
                of_type("/c.png", &[("Content-Type", "image/png"), ("Cache-Control", "public")], 10),
            ],
            &[("/a.css", 1), ("/b.js", 1), ("/c.png", 1)],
            &[
                headed_page(
                    "/",
                    "<link rel=\"stylesheet\" href=\"/a.css\"><script src=\"/b.js\" defer></script>",
                    "<img src=\"/c.png\" alt=\"c\" width=\"1\" height=\"1\"> <img src=\"/d.png\" alt=\"d\" width=\"1\" height=\"1\">",
                ),
                of_type("/a.css", &[("Content-Type", "text/css"), ("Cache-Control", "max-age=604800")], 10),
                of_type("/b.js", &[("Content-Type", "text/javascript"), ("Cache-Control", "no-cache")], 10),
                of_type("/c.png", &[("Content-Type", "image/png"), ("Expires", "Thu, 31 Dec 2037 23:55:55 GMT")], 10),
                answer("/d.png", 404).headed(&[("Content-Type", "image/png")]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "render-blocking",
        title: "Many files hold up the first picture",
        rule: Rule::Row(Needs::Itself, "render_blocking > {render_blocking_most}"),
        thresholds: &[Threshold {
            name: "render_blocking_most",
            label: "Render-blocking files",
            help: "Pages with more scripts and style sheets in head that the browser waits for are reported.",
            unit: Unit::Urls,
            min: 0,
            max: 60,
            default: 3,
        }],
        evidence: &[("files", "render_blocking")],
        why: "Browsers show nothing until every style sheet and every script of the head without async or defer has arrived.",
        fix: "Add defer or async to scripts, join style sheets, and load those for print or later with a media attribute.",
        references: &["https://developer.chrome.com/docs/lighthouse/performance/render-blocking-resources", "https://html.spec.whatwg.org/multipage/semantics.html#render-blocking-mechanism"],
        case: Case::new(
            &[headed_page(
                "/",
                "<link rel=\"stylesheet\" href=\"/a.css\"><link rel=\"stylesheet\" href=\"/b.css\" media=\"screen\"><script src=\"/c.js\"></script><script src=\"/d.js\" type=\"text/javascript\"></script>",
                "",
            )],
            &[("/", 1)],
            &[headed_page(
                "/",
                "<link rel=\"stylesheet\" href=\"/a.css\"><link rel=\"stylesheet\" href=\"/b.css\"><script src=\"/c.js\"></script>\
                 <script src=\"/d.js\" defer></script><script src=\"/e.js\" async></script><script src=\"/f.js\" type=\"module\"></script><script src=\"/g.js\" nomodule></script>\
                 <script>var inline;</script><link rel=\"stylesheet\" href=\"/p.css\" media=\"print\"><link rel=\"alternate stylesheet\" href=\"/h.css\">\
                 <noscript><link rel=\"stylesheet\" href=\"/n.css\"></noscript><link rel=\"preload\" as=\"style\" href=\"/i.css\">",
                "<script src=\"/end.js\"></script>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "dom-large",
        title: "Very many elements",
        rule: Rule::Row(
            Needs::Itself,
            "dom_nodes > {dom_nodes_most} OR dom_depth > {dom_depth_most} OR dom_children > {dom_children_most}",
        ),
        thresholds: &[
            Threshold {
                max: 10_000_000,
                ..dom("dom_nodes_most", "Most elements", "Pages with more elements are reported.", 1_500)
            },
            dom("dom_depth_most", "Deepest element", "Pages whose elements stand deeper within each other are reported.", 32),
            dom(
                "dom_children_most",
                "Most children of one element",
                "Pages with an element in body that has more children are reported.",
                60,
            ),
        ],
        evidence: &[("elements", "dom_nodes"), ("depth", "dom_depth"), ("most_children", "dom_children")],
        why: "Each element takes memory, and each change of style or layout looks at many of them: scrolling and typing become slow on phones.",
        fix: "Leave out wrappers, make long lists when they are scrolled to, and split the page.",
        references: &["https://developer.chrome.com/docs/lighthouse/performance/dom-size"],
        case: Case::new(
            &[
                page("/", "<ul><li>1</li><li>2</li><li>3</li><li>4</li><li>5</li><li>6</li><li>7</li><li>8</li><li>9</li></ul><a href=\"/deep\">x</a>"),
                page("/deep", "<div><div><div><div><div><div><div>x</div></div></div></div></div></div></div>"),
            ],
            &[("/", 1), ("/deep", 1)],
            &[
                headed_page(
                    "/",
                    "<meta name=\"a\"><meta name=\"b\"><meta name=\"c\"><meta name=\"d\"><meta name=\"e\"><meta name=\"f\">",
                    "<ul><li>1</li><li>2</li><li>3</li><li>4</li><li>5</li><li>6</li><li>7</li><li>8</li></ul>",
                ),
            ],
        )
        .with(&[("audit.dom_children_most", "8"), ("audit.dom_depth_most", "8")]),
        ..BASE
    },
    Audit {
        id: "duplicate-script",
        title: "Same script at two addresses",
        priority: Priority::Low,
        scope: Scope::Internal,
        // Bodies of scripts are known only where resources are downloaded; 1099511627776 is where refs that name another URL begin.
        rule: Rule::Select(
            "WITH js AS MATERIALIZED (
               SELECT v.key & 4294967295 AS id, u.text AS text, a.content_hash AS hash FROM visit v CROSS JOIN answer a ON a.key = v.key
               CROSS JOIN string ct ON ct.id = a.content_type CROSS JOIN url u ON u.id = v.key & 4294967295
               WHERE v.key BETWEEN {first} AND {last} AND v.internal AND v.state = 1 AND a.status BETWEEN 200 AND 299 AND a.bytes > 0
                 AND a.content_hash IS NOT NULL AND ct.value LIKE '%javascript%'),
             twin AS MATERIALIZED (SELECT hash, min(text) AS least, max(text) AS most FROM js GROUP BY hash HAVING count(*) > 1)
             SELECT js.id AS url, -1099511627776 - other.id AS ref FROM twin JOIN js ON js.hash = twin.hash
             JOIN js other ON other.hash = twin.hash AND other.text = CASE WHEN js.text = twin.least THEN twin.most ELSE twin.least END",
        ),
        evidence: &[("same_as", "other_url"), ("bytes", "bytes"), ("first_source", "first_source")],
        why: "Browsers load, keep and compile the same script twice, since they know it by its address. Needs the setting that downloads resources.",
        fix: "Link to one address everywhere, without a query that changes nothing.",
        references: &["https://developer.chrome.com/docs/lighthouse/performance/duplicated-javascript"],
        case: Case::new(
            &[
                headed_page("/", "<script src=\"/a.js\" defer></script><script src=\"/b.js?v=2\" defer></script><script src=\"/c.js\" defer></script>", ""),
                of_type("/a.js", &[("Content-Type", "text/javascript")], 100),
                of_type("/b.js?v=2", &[("Content-Type", "application/javascript; charset=utf-8")], 100),
                of_type("/c.js", &[("Content-Type", "text/javascript")], 101),
            ],
            &[("/a.js", 1), ("/b.js?v=2", 1)],
            &[
                headed_page(
                    "/",
                    "<script src=\"/a.js\" defer></script><script src=\"/c.js\" defer></script><script src=\"/d.js\" defer></script><script src=\"/e.js\" defer></script><link rel=\"stylesheet\" href=\"/a.css\">",
                    "<script src=\"/a.js\" defer></script>",
                ),
                of_type("/a.js", &[("Content-Type", "text/javascript")], 100),
                of_type("/c.js", &[("Content-Type", "text/javascript")], 101),
                of_type("/d.js", &[("Content-Type", "text/javascript")], 0),
                of_type("/e.js", &[("Content-Type", "text/javascript")], 0),
                of_type("/a.css", &[("Content-Type", "text/css")], 100),
                html("/x", ""),
            ],
        )
        .with(&[("fetch.download_resources", "on")]),
        ..BASE
    },
    Audit {
        id: "page-heavy",
        title: "Heavy page",
        scope: Scope::Page,
        rule: Rule::Row(Needs::Crawl, "page_bytes > {page_bytes_most}"),
        thresholds: &[Threshold {
            name: "page_bytes_most",
            label: "Heaviest page",
            help: "Pages that have more bytes together with their images, scripts, style sheets and fonts are reported.",
            unit: Unit::Bytes,
            min: 1,
            max: 1_000_000_000,
            default: 5_000_000,
        }],
        evidence: &[
            ("bytes", "page_bytes"),
            ("page", "bytes"),
            ("files", "page_files"),
            ("largest", "largest_file"),
            ("largest_bytes", "largest_file_bytes"),
        ],
        why: "Over a mobile network the page takes many seconds and costs its readers money. Counted are the files whose size is known: what was downloaded, or what servers announce.",
        fix: "Begin with the largest file: serve images in the size in which they are shown and in a modern format, load late what stands far down, and leave out scripts that nobody needs.",
        references: &["https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight"],
        case: Case::new(
            &[
                headed_page(
                    "/",
                    "<link rel=\"canonical\" href=\"/\"><script src=\"/a.js\" defer></script>",
                    "<img src=\"/b.png\" alt=\"b\" width=\"1\" height=\"1\"> <img src=\"/moved.png\" alt=\"c\" width=\"1\" height=\"1\"> <a href=\"/light\">light</a>",
                ),
                of_type("/a.js", &[("Content-Type", "text/javascript")], 3_000),
                of_type("/b.png", &[("Content-Type", "image/png")], 3_000),
                answer("/moved.png", 301).headed(&[("Location", "/c.png")]),
                of_type("/c.png", &[("Content-Type", "image/png")], 4_000),
                // Each file counts once, and what does not answer counts nothing.
                page(
                    "/light",
                    "<img src=\"/b.png\" alt=\"b\" width=\"1\" height=\"1\"> <img src=\"/b.png\" alt=\"b\" width=\"1\" height=\"1\"> <img src=\"/c.png\" alt=\"c\" width=\"1\" height=\"1\"> <img src=\"/gone.png\" alt=\"d\" width=\"1\" height=\"1\">",
                ),
            ],
            &[("/", 1)],
            &[
                // What is shown in another size, without scripts or on home screens, what plays later and what is only linked is not loaded.
                headed_page(
                    "/",
                    "<link rel=\"apple-touch-icon\" href=\"/g.png\"><link rel=\"mask-icon\" href=\"/g.png\">",
                    "<img src=\"/b.png\" srcset=\"/c.png 2x\" alt=\"b\" width=\"1\" height=\"1\"> <noscript><img src=\"/d.png\" alt=\"d\" width=\"1\" height=\"1\"></noscript> <a href=\"/e.png\">e</a> <video src=\"/f.mp4\"></video>",
                ),
                of_type("/b.png", &[("Content-Type", "image/png")], 5_000),
                of_type("/c.png", &[("Content-Type", "image/png")], 9_000),
                of_type("/d.png", &[("Content-Type", "image/png")], 9_000),
                of_type("/e.png", &[("Content-Type", "image/png")], 9_000),
                of_type("/f.mp4", &[("Content-Type", "video/mp4")], 9_000),
                of_type("/g.png", &[("Content-Type", "image/png")], 9_000),
            ],
        )
        .with(&[("audit.page_bytes_most", "9000")]),
        ..BASE
    },
];
