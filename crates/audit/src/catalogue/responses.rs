//! Family Responses: what servers answered.

use super::{PLAIN, raised};
use crate::audit::{Audit, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, Fact, answer, headed_page, html, page, robots};

/// Not every URL was found by a link: a canonical, a sitemap or an image may name it.
const STATUS: &[(&str, &str)] = &[
    ("status", "status"),
    ("method", "method"),
    ("inlinks", "inlinks"),
    ("found_by", "found_by"),
    ("first_source", "first_source"),
];
const FAILURE: &[(&str, &str)] = &[
    ("reason", "reason"),
    ("detail", "error"),
    ("inlinks", "inlinks"),
    ("found_by", "found_by"),
    ("first_source", "first_source"),
];

const SEMANTICS: &str = "https://www.rfc-editor.org/rfc/rfc9110#section-15";
const GOOGLE_STATUSES: &str =
    "https://developers.google.com/search/docs/crawling-indexing/http-network-errors";

const SLOW_FIRST_BYTE: &[Threshold] = &[
    Threshold {
        name: "first_byte_slow",
        label: "Slow first byte",
        help: "A first byte that takes longer is reported as slow.",
        unit: Unit::Milliseconds,
        min: 1,
        max: 600_000,
        default: 800,
    },
    Threshold {
        name: "first_byte_very_slow",
        label: "Very slow first byte",
        help: "A first byte that takes longer is reported with high priority.",
        unit: Unit::Milliseconds,
        min: 1,
        max: 600_000,
        default: 1_800,
    },
];

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "broken-page",
        title: "Broken URL",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "status BETWEEN 400 AND 499 AND status NOT IN (401, 403, 405, 406, 407, 429, 451)",
        ),
        evidence: STATUS,
        why: "The server says that there is nothing at this URL. Whoever is sent to it, be it by a link, an image, a canonical or a sitemap, gets an error, and search engines drop it from their index.",
        fix: "Bring it back, redirect the URL permanently to what replaced it, or correct what names it; the evidence says how it was found and where first. Where it is gone for good, 410 says so.",
        references: &[SEMANTICS, GOOGLE_STATUSES],
        case: Case::new(
            &[
                headed_page(
                    "/",
                    "<link rel=\"canonical\" href=\"{site}/never\">",
                    "<a href=\"/gone\">gone</a> <a href=\"/old\">old</a> <img src=\"/no.png\" alt=\"no\" width=\"1\" height=\"1\">",
                ),
                answer("/old", 410),
            ],
            &[("/gone", 1), ("/old", 1), ("/never", 1), ("/no.png", 1)],
            &[
                page("/", "<a href=\"/closed\">closed</a> <a href=\"/full\">full</a>"),
                answer("/closed", 403),
                answer("/full", 429),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "server-error",
        title: "Server error",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "status BETWEEN 500 AND 599 AND NOT (status = 503 AND retry_after)"),
        evidence: STATUS,
        why: "The server failed to answer. Crawlers slow down for a host that does this often, and pages that keep failing leave the index.",
        fix: "Look the URL up in the server's error log and repair the cause. During planned work answer 503 with Retry-After, which crawlers understand as temporary.",
        references: &[SEMANTICS, GOOGLE_STATUSES],
        case: Case::new(
            &[
                page("/", "<a href=\"/fails\">fails</a> <a href=\"/down\">down</a>"),
                answer("/fails", 500),
                answer("/down", 503),
            ],
            &[("/fails", 1), ("/down", 1)],
            &[
                page("/", "<a href=\"/works\">works</a> <a href=\"/busy\">busy</a>"),
                page("/works", ""),
                answer("/busy", 503).headed(&[("Retry-After", "1")]),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "access-denied",
        title: "Access denied",
        severity: Severity::Warning,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "status IN (401, 403, 407, 451)"),
        evidence: STATUS,
        why: "The server refused to show this URL. If it is meant to be public, visitors and search engines may be refused as well.",
        fix: "Check whether the refusal is wanted. If it only meets crawlers, allow this one's user agent; if the page is private, do not link to it from public pages.",
        references: &[SEMANTICS],
        case: Case::new(
            &[
                page("/", "<a href=\"/in\">in</a> <a href=\"/no\">no</a>"),
                answer("/in", 401),
                answer("/no", 403),
            ],
            &[("/in", 1), ("/no", 1)],
            &[page("/", "<a href=\"/open\">open</a> <a href=\"/gone\">gone</a>"), page("/open", "")],
        ),
        ..PLAIN
    },
    Audit {
        id: "throttled",
        title: "Throttled",
        severity: Severity::Warning,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "status = 429 OR (status = 503 AND retry_after)"),
        evidence: STATUS,
        why: "The server asked to be left alone, so nothing is known about this URL. Search engines that are throttled crawl less.",
        fix: "Audit again more slowly, or have the rate limit raised for known crawlers.",
        references: &["https://www.rfc-editor.org/rfc/rfc6585#section-4", GOOGLE_STATUSES],
        case: Case::new(
            &[
                page("/", "<a href=\"/full\">full</a> <a href=\"/busy\">busy</a>"),
                answer("/full", 429),
                answer("/busy", 503).headed(&[("Retry-After", "1")]),
            ],
            &[("/full", 1), ("/busy", 1)],
            &[page("/", "<a href=\"/down\">down</a>"), answer("/down", 503)],
        ),
        ..PLAIN
    },
    Audit {
        id: "no-response",
        title: "No response",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "failed AND reason IN ('dns', 'connect', 'timeout', 'reset', 'protocol', 'decode') AND NOT https_guessed",
        ),
        evidence: FAILURE,
        why: "The URL gave no usable answer: its name was not found, the connection failed or broke, or the time ran out.",
        fix: "The reason says where to look: DNS for names, the server or its firewall for connections, the application for time-outs.",
        references: &[GOOGLE_STATUSES],
        case: Case::new(
            &[page("/", "<a href=\"/silent\">silent</a>"), answer("/silent", 200).dropped()],
            &[("/silent", 1)],
            &[page("/", "<a href=\"/fails\">fails</a>"), answer("/fails", 500)],
        ),
        ..PLAIN
    },
    Audit {
        id: "tls-failure",
        title: "Certificate or TLS failure",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "reason LIKE 'tls%' AND NOT https_guessed"),
        evidence: FAILURE,
        why: "Browsers show a warning in place of the page, and search engines may not fetch it at all.",
        fix: "Install a certificate that is in date, names this host, and is sent with its intermediate certificates; the reason says which of these is wrong.",
        references: &[
            "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#network-and-dns-errors",
        ],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example/a", "https://www.site.example/"]),
                Fact::failed("https://site.example/a", "tls-expired"),
                Fact::failed("https://www.site.example/", "tls-wrong-host"),
                Fact::page("https://site.example/b", &[]).despite("tls-expired"),
            ],
            &[("https://site.example/a", 1), ("https://site.example/b", 1), ("https://www.site.example/", 1)],
            &[
                Fact::page("https://site.example/", &["https://site.example/a", "https://else.example/"]),
                Fact::failed("https://site.example/a", "timeout"),
                Fact::failed("https://else.example/", "tls-expired").external(),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "blocked-by-robots",
        title: "Page blocked by robots.txt",
        severity: Severity::Warning,
        priority: Priority::High,
        scope: Scope::Blocked,
        rule: Rule::Row(Needs::Crawl, "inlinks > 0"),
        evidence: &[("rule", "reason"), ("inlinks", "inlinks")],
        why: "Pages of the site link to this URL, but robots.txt keeps crawlers from reading it: its content cannot rank, and links on it pass nothing on.",
        fix: "If the page should be found, narrow the Disallow line that matched. If not, link to it only where visitors need it; to keep a page out of the index, allow crawling and use noindex.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/robots/intro"],
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow: /private\n"),
                page("/", "<a href=\"/private\">private</a>"),
                page("/private", ""),
            ],
            &[("/private", 1)],
            &[
                robots("User-agent: *\nDisallow: /private\n"),
                page(
                    "/",
                    "<a href=\"/public\">public</a> <img src=\"/private.png\" alt=\"x\" width=\"1\" height=\"1\">",
                ),
                page("/public", ""),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "broken-external-link",
        title: "Broken external URL",
        priority: Priority::Medium,
        scope: Scope::External,
        rule: Rule::Row(Needs::Itself, "status IN (404, 410) OR (failed AND reason = 'dns')"),
        evidence: &[("status", "status"), ("reason", "reason"), ("inlinks", "inlinks")],
        why: "Visitors who follow a link to this other site meet an error or a name that no longer exists.",
        fix: "Link to the page's new address or to another source, or remove the link.",
        references: &[SEMANTICS],
        case: Case::new(
            &[
                page("/", "<a href=\"{other}/gone\">gone</a> <a href=\"{other}/fine\">fine</a>"),
                page("other:/fine", ""),
            ],
            &[("other:/gone", 1)],
            &[
                page(
                    "/",
                    "<a href=\"{other}/fine\">fine</a> <a href=\"{other}/no\">no</a> <a href=\"/gone\">gone</a>",
                ),
                page("other:/fine", ""),
                answer("other:/no", 403),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "external-unverifiable",
        title: "External URL that could not be verified",
        severity: Severity::Note,
        priority: Priority::Low,
        scope: Scope::External,
        rule: Rule::Row(Needs::Itself, "status IN ({unverifiable}) OR (status = 503 AND retry_after)"),
        evidence: &[("status", "status"), ("inlinks", "inlinks")],
        why: "The other site refuses or limits automated requests. That says nothing about what a visitor sees, so the link is not called broken.",
        fix: "Open the link in a browser to check it.",
        references: &[SEMANTICS],
        case: Case::new(
            &[
                page("/", "<a href=\"{other}/no\">no</a> <a href=\"{other}/odd\">odd</a>"),
                answer("other:/no", 403),
                answer("other:/odd", 999),
            ],
            &[("other:/no", 1), ("other:/odd", 1)],
            &[
                page("/", "<a href=\"{other}/fine\">fine</a> <a href=\"{other}/gone\">gone</a>"),
                page("other:/fine", ""),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "external-redirect-permanent",
        title: "External URL that moved for good",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        scope: Scope::External,
        rule: Rule::Row(Needs::Crawl, "status IN (301, 308) AND redirect_id IS NOT NULL AND inlinks > 0"),
        evidence: &[
            ("status", "status"),
            ("redirect", "redirect_url"),
            ("final_url", "final_url"),
            ("final_status", "final_status"),
            ("inlinks", "inlinks"),
        ],
        why: "The other site says that the page has a new address. Redirects cost visitors time and often stop working after some years.",
        fix: "Link to the final address.",
        references: &["https://www.rfc-editor.org/rfc/rfc9110#section-15.4.2"],
        case: Case::new(
            &[
                page("/", "<a href=\"{other}/old\">old</a>"),
                answer("other:/old", 301).headed(&[("Location", "/middle")]),
                answer("other:/middle", 301).headed(&[("Location", "/new")]),
                page("other:/new", ""),
            ],
            &[("other:/old", 1)],
            &[
                page("/", "<a href=\"{other}/a\">a</a>"),
                answer("other:/a", 302).headed(&[("Location", "/b")]),
                page("other:/b", ""),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "external-server-error",
        title: "External URL that fails",
        priority: Priority::Low,
        scope: Scope::External,
        rule: Rule::Row(
            Needs::Itself,
            "(status BETWEEN 500 AND 599 AND NOT (status = 503 AND retry_after)) OR (failed AND reason IN ('timeout', 'connect', 'reset', 'protocol'))",
        ),
        evidence: &[("status", "status"), ("reason", "reason"), ("detail", "error"), ("inlinks", "inlinks")],
        why: "The other site's server failed or did not answer. It may be back soon; if it is not, visitors who follow the link meet an error.",
        fix: "Check again in a few days, and replace or remove the link if the failure stays.",
        references: &[SEMANTICS],
        case: Case::new(
            &[page("/", "<a href=\"{other}/fails\">fails</a>"), answer("other:/fails", 500)],
            &[("other:/fails", 1)],
            &[
                page("/", "<a href=\"{other}/gone\">gone</a> <a href=\"/fails\">fails</a>"),
                answer("/fails", 500),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "external-tls",
        title: "External URL with a certificate or TLS failure",
        priority: Priority::Low,
        scope: Scope::External,
        rule: Rule::Row(Needs::Itself, "reason LIKE 'tls%'"),
        // Browsers fetch a missing intermediate certificate by themselves.
        escalation: raised("reason = 'tls-incomplete-chain'", Severity::Note, Priority::Low),
        evidence: FAILURE,
        why: "Browsers warn visitors who follow a link to this site.",
        fix: "Tell the other site's owner, link elsewhere, or remove the link.",
        references: &["https://www.rfc-editor.org/rfc/rfc5280"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://old.example/"]),
                Fact::failed("https://old.example/", "tls-expired").external(),
            ],
            &[("https://old.example/", 1)],
            &[
                Fact::page("https://site.example/", &["https://old.example/", "https://site.example/a"]),
                Fact::failed("https://old.example/", "timeout").external(),
                Fact::failed("https://site.example/a", "tls-expired"),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "body-truncated",
        title: "Body not whole",
        priority: Priority::Low,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "truncated OR incomplete OR undecodable"),
        evidence: &[
            ("bytes", "bytes"),
            ("content_type", "content_type"),
            ("cut_at_limit", "truncated"),
            ("broken_off", "incomplete"),
            ("undecodable", "undecodable"),
            ("error", "error"),
        ],
        why: "What was read is not the whole body: it was larger than the limit of this audit, it decompressed to more than 100 times its size (then its error says so), it ended before its announced end, or its compression is damaged. What is missing was not judged, and browsers and search engines may miss it as well.",
        fix: "Cut at the limit: make the page smaller, or raise the limit and audit again. Decompressed to more than 100 times its size: find out what fills the page, since no page compresses so well. Broken off: find out who ends the connection (the program behind the page, a time limit of a proxy, a wrong Content-Length). Undecodable: the body is compressed twice or damaged.",
        references: &[
            "https://developers.google.com/search/docs/crawling-indexing/googlebot",
            "https://www.rfc-editor.org/rfc/rfc9112#section-8",
        ],
        case: Case::new(
            &[
                page("/", "<a href=\"/large\">large</a> <a href=\"/half\">half</a>"),
                html("/large", "").holding(Body::Filler(200_000)),
                html("/half", "1d\r\n<!doctype html><title>Half of\r\nzz\r\n")
                    .headed(&[("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")]),
            ],
            &[("/large", 1), ("/half", 1)],
            &[page("/", "<a href=\"/small\">small</a>"), html("/small", "").holding(Body::Filler(50_000))],
        )
        .with(&[("fetch.body_cap", "100kB")]),
        ..PLAIN
    },
    Audit {
        id: "slow-first-byte",
        title: "Slow first byte",
        priority: Priority::Medium,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "fetched AND status BETWEEN 200 AND 299 AND ttfb_ms > {first_byte_slow}",
        ),
        thresholds: SLOW_FIRST_BYTE,
        escalation: raised("ttfb_ms > {first_byte_very_slow}", Severity::Warning, Priority::High),
        evidence: &[("ttfb_ms", "ttfb_ms"), ("total_ms", "total_ms")],
        why: "Nothing can be shown before the first byte arrives. Slow servers lose visitors and are crawled less.",
        fix: "Cache pages, speed up the queries behind them, or serve them from nearer by. Measure again at a quiet hour: an audit is load, too.",
        references: &["https://web.dev/articles/ttfb"],
        case: Case::new(
            &[page("/", "<a href=\"/slow\">slow</a>"), page("/slow", "").late(700)],
            &[("/slow", 1)],
            &[page("/", "<a href=\"/quick\">quick</a>"), page("/quick", "")],
        )
        .with(&[("audit.first_byte_slow", "500ms")]),
        ..PLAIN
    },
    Audit {
        id: "slow-response",
        title: "Slow response",
        priority: Priority::Medium,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "fetched AND status BETWEEN 200 AND 299 AND total_ms > {response_slow}",
        ),
        thresholds: &[Threshold {
            name: "response_slow",
            label: "Slow response",
            help: "A response that takes longer from the request to its last byte is reported.",
            unit: Unit::Milliseconds,
            min: 1,
            max: 600_000,
            default: 3_000,
        }],
        evidence: &[("total_ms", "total_ms"), ("ttfb_ms", "ttfb_ms"), ("bytes", "bytes")],
        why: "The whole answer took long to arrive, before anything it refers to was loaded.",
        fix: "Send less (compression, smaller pages) or send it sooner (caching, a faster server).",
        references: &["https://web.dev/articles/ttfb"],
        case: Case::new(
            &[page("/", "<a href=\"/slow\">slow</a>"), page("/slow", "").late(700)],
            &[("/slow", 1)],
            &[page("/", "<a href=\"/quick\">quick</a>"), page("/quick", "")],
        )
        .with(&[("audit.response_slow", "500ms")]),
        ..PLAIN
    },
    Audit {
        id: "empty-page",
        title: "Empty page",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "empty"),
        evidence: &[("bytes", "bytes"), ("content_type", "content_type")],
        why: "The URL answers with success but has nothing to show, so it is a blank page to visitors and a worthless one to search engines.",
        fix: "Find out why the server sends nothing. If the page should not exist, answer 404 or 410.",
        references: &[
            "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
        ],
        case: Case::new(
            &[
                page("/", "<a href=\"/nothing\">nothing</a> <a href=\"/blank\">blank</a>"),
                html("/nothing", ""),
                html(
                    "/blank",
                    "<!doctype html><html><head><title>Blank</title></head><body>  </body></html>",
                ),
            ],
            &[("/nothing", 1), ("/blank", 1)],
            &[
                page("/", "<a href=\"/app\">app</a> <a href=\"/moved\">moved</a>"),
                html("/app", "<!doctype html><title>App</title><body><div id=\"app\"></div></body>"),
                html(
                    "/moved",
                    "<!doctype html><title>Moved</title><meta http-equiv=\"refresh\" content=\"0; url=/app\">",
                ),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "head-differs-from-get",
        title: "HEAD fails where GET works",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "head_status >= 400 AND status BETWEEN 200 AND 399"),
        evidence: &[("head_status", "head_status"), ("status", "status")],
        why: "HEAD must answer as GET would, without the body. Link checkers that trust HEAD report this URL as broken.",
        fix: "Let the server or application answer HEAD like GET.",
        references: &["https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2"],
        case: Case::new(
            &[
                page("/", "<img src=\"/a.png\" alt=\"a\" width=\"1\" height=\"1\">"),
                answer("/a.png", 200)
                    .headed(&[("Content-Type", "image/png")])
                    .holding(Body::Filler(10))
                    .head(405),
            ],
            &[("/a.png", 1)],
            &[
                headed_page(
                    "/",
                    "",
                    "<img src=\"/a.png\" alt=\"a\" width=\"1\" height=\"1\"> <img src=\"/gone.png\" alt=\"b\" width=\"1\" height=\"1\">",
                ),
                answer("/a.png", 200).headed(&[("Content-Type", "image/png")]).holding(Body::Filler(10)),
            ],
        ),
        ..PLAIN
    },
];
