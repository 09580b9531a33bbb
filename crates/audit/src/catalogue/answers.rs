//! Family Responses: answers that do not say what they are, and the forms of the site's address.

use super::{LINK, PLAIN};
use crate::audit::{Audit, LinkRule, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, Fact, answer, headed_page, html, page, robots};
use model::state::Indexability;

const GOOGLE_SOFT_404: &str =
    "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors";
const SEMANTICS: &str = "https://www.rfc-editor.org/rfc/rfc9110";

const PROBE: &[(&str, &str)] = &[
    ("status", "coalesce(probe_status, status)"),
    ("redirect", "coalesce(probe_redirect, redirect_url)"),
    ("detail", "probe_failure"),
    ("title", "probe_title"),
];

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "blocked-resource",
        title: "Script, style or image blocked by robots.txt",
        priority: Priority::High,
        scope: Scope::Link,
        // Files of other sites are theirs to open or close.
        rule: Rule::Link(LinkRule::shaped("kind IN ('script', 'style', 'image')").to("internal AND blocked")),
        evidence: LINK,
        why: "Search engines render pages as browsers do. Without this file they may see another page than visitors do.",
        fix: "Allow the folder of scripts, styles and images in robots.txt.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics"],
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow: /files\n"),
                headed_page(
                    "/",
                    "<link rel=\"stylesheet\" href=\"/files/a.css\">",
                    "<img src=\"/files/a.png\" alt=\"a\" width=\"1\" height=\"1\">",
                ),
            ],
            &[("/", 2)],
            &[
                robots("User-agent: *\nDisallow: /files\n"),
                headed_page("/", "<link rel=\"stylesheet\" href=\"/a.css\">", "<a href=\"/files/list\">list</a>"),
                answer("/a.css", 200).headed(&[("Content-Type", "text/css")]).holding(Body::Text("p {}")),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "soft-404",
        title: "Error page that answers with success",
        priority: Priority::High,
        scope: Scope::Content,
        // Two signals, one of them strong. What a server says to a URL that does not exist is one only where it says that it is an
        // error: an application in JavaScript answers everything with the same page.
        rule: Rule::Row(
            Needs::Crawl,
            "((noindex OR word_count < {soft_404_words} OR like_random) AND (says_not_found(title) IS NOT NULL OR says_not_found(h1) IS NOT NULL))
             OR ((noindex OR word_count < {soft_404_words}) AND random_status >= 400 AND like_random)",
        ),
        thresholds: &[Threshold {
            name: "soft_404_words",
            label: "Words of an error page",
            help: "A page with fewer words whose title or heading says that nothing was found, or that looks like the site's error page, is reported.",
            unit: Unit::Words,
            min: 0,
            max: 10_000,
            default: 50,
        }],
        evidence: &[
            ("title", "title"),
            ("h1", "h1"),
            ("words", "word_count"),
            ("noindex", "noindex"),
            ("like_error_page", "like_random"),
            ("status", "status"),
        ],
        why: "The page says that there is nothing here, its status says that all is well: search engines keep asking for it, and may count it as a page of little worth.",
        fix: "Answer 404 or 410, or redirect to what replaced the page.",
        references: &[GOOGLE_SOFT_404],
        case: Case::new(
            &[
                page("/", "<a href=\"/gone\">gone</a> <a href=\"/hidden\">hidden</a>"),
                html("/gone", "<!doctype html><title>Shop</title><h1>Seite nicht gefunden</h1><p>Bitte gehen Sie zur Startseite."),
                html(
                    "/hidden",
                    "<!doctype html><title>Oops! That page can\u{2019}t be found. | Shop</title><meta name=\"robots\" content=\"noindex\"><h1>Oops</h1><p>one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three",
                ),
            ],
            &[("/gone", 1), ("/hidden", 1)],
            &[
                page("/", "<a href=\"/article\">a</a> <a href=\"/error\">e</a> <a href=\"/car\">c</a>"),
                html(
                    "/article",
                    "<!doctype html><title>How to repair a 404 error</title><h1>How to repair a 404 error</h1><p>one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three",
                ),
                answer("/error", 404)
                    .headed(&[("Content-Type", "text/html")])
                    .holding(Body::Text("<!doctype html><title>Page not found</title><h1>Page not found</h1>")),
                html("/car", "<!doctype html><title>Peugeot 404</title><h1>The Peugeot 404</h1>"),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "nonsense-answers-200",
        title: "URL that does not exist answers with success",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Probe,
        rule: Rule::Probe(|probe, _| probe.kind == "random-path" && probe.succeeded()),
        evidence: &[
            ("asked", "made_up_url"),
            ("status", "made_up_status"),
            ("redirect", "made_up_redirect"),
            ("title", "made_up_title"),
        ],
        why: "This audit asked for an address that it had made up, and the server answered as if it were a page. Every mistyped or outdated address is a page this way: a site without end, whose errors nobody notices.",
        fix: "Answer 404 to what does not exist. A single-page application knows its routes: let the server know them, too.",
        references: &[GOOGLE_SOFT_404],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &[]),
                Fact::probe("random-path", "https://site.example/gossamer-probe-1", Some(200)),
            ],
            // The address that was made up is another one in each crawl: the finding stands at the site's home.
            &[("https://site.example/", 1)],
            &[
                Fact::page("https://site.example/", &[]),
                Fact { redirect: Some("https://site.example/"), ..Fact::probe("random-path", "https://site.example/gossamer-probe-1", Some(302)) },
                Fact::probe("twin", "http://site.example/", Some(200)),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "content-type-wrong",
        title: "Content-Type missing or wrong",
        priority: Priority::Low,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "fetched AND status BETWEEN 200 AND 299 AND ((coalesce(content_type, '') = '' AND status NOT IN (204, 205) AND coalesce(bytes, 0) > 0) OR sniffed_type IS NOT NULL)",
        ),
        evidence: &[("content_type", "coalesce(content_type, 'none sent')"), ("looks_like", "sniffed_type"), ("bytes", "bytes")],
        why: "Browsers have to guess what the file is, or take it for something else; with nosniff they refuse scripts and styles.",
        fix: "Send the Content-Type that the file has, for a text with its charset.",
        references: &["https://www.rfc-editor.org/rfc/rfc9110#section-8.3", "https://mimesniff.spec.whatwg.org/"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                answer("/a", 200).holding(Body::Text("<!doctype html><title>A</title><h1>A</h1>")),
                html("/b", "%PDF-1.7 and the rest"),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a>"),
                answer("/a", 204),
                answer("/b", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Text("<p>text</p>")),
                answer("/c", 404).holding(Body::Text("nothing here")),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "unstable-url",
        title: "URL that answers now so, now so",
        priority: Priority::Medium,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Crawl, "unstable"),
        evidence: &[("statuses", "attempts"), ("status", "status"), ("inlinks", "inlinks")],
        why: "Within one audit the URL was a success and an error. Visitors and search engines meet the error now and then; pages that do this often are crawled less.",
        fix: "Look for the error in the server's log at the time of the audit: a server of several that is ill, a time limit, a program that fails under load.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/http-network-errors"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example/a", "https://site.example/b"]),
                Fact::page("https://site.example/a", &[]).after(&[500, 200]),
                Fact { status: Some(502), ..Fact::failed("https://site.example/b", "") }.after(&[404, 502]),
            ],
            &[("https://site.example/a", 1), ("https://site.example/b", 1)],
            &[
                Fact::page("https://site.example/", &[]).after(&[503, 429, 200]),
                Fact::page("https://site.example/a", &[]).after(&[302, 200]),
                Fact::page("https://site.example/b", &[]).after(&[304, 200]),
                Fact { status: Some(410), ..Fact::failed("https://site.example/c", "") }.after(&[404, 410]),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "host-variants-not-merged",
        title: "Site under several addresses",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Probe,
        rule: Rule::Probe(|probe, site| site.stands_apart(probe)),
        evidence: PROBE,
        why: "Each site has four addresses: http and https, with www and without. This one does not lead to the others by one permanent redirect, so links and search engines' signals are shared out, or visitors meet an error.",
        fix: "Choose one of the four, and let the other three answer every path with 301 or 308 to the same path there, in one step. The certificate has to name both hosts.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls", SEMANTICS],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &[]),
                Fact { redirect: Some("https://site.example/"), ..Fact::probe("twin", "http://site.example/", Some(302)) },
                Fact::probe("twin", "https://www.site.example/", Some(200)),
                Fact { redirect: Some("http://site.example/"), ..Fact::probe("twin", "http://www.site.example/", Some(301)) },
            ],
            &[("http://site.example/", 1), ("https://www.site.example/", 1), ("http://www.site.example/", 1)],
            &[
                Fact::page("https://site.example/", &[]),
                Fact { redirect: Some("https://site.example/"), ..Fact::probe("twin", "http://site.example/", Some(301)) },
                Fact { redirect: Some("https://site.example/"), ..Fact::probe("twin", "https://www.site.example/", Some(308)) },
                // Nobody answers under this name.
                Fact { reason: Some("dns"), ..Fact::probe("twin", "http://www.site.example/", None) },
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "http1-only",
        title: "No HTTP/2",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        scope: Scope::Host,
        rule: Rule::Host("url LIKE 'https:%' AND http_version LIKE 'HTTP/1%'"),
        evidence: &[("version", "http_version")],
        why: "Over HTTP/1.1 a browser fetches six files of a host at a time, and the others wait. HTTP/2 sends all of them through one connection.",
        fix: "Switch HTTP/2 on in the server or in what stands before it; most do it with one line.",
        references: &["https://www.rfc-editor.org/rfc/rfc9113", "https://developers.google.com/search/docs/crawling-indexing/googlebot"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example/a"]).on_host(90, "HTTP/1.1"),
                Fact::page("https://site.example/a", &[]),
            ],
            &[("https://site.example/", 1)],
            &[
                Fact::page("https://site.example/", &["http://site.example/a"]).on_host(90, "HTTP/2"),
                // Browsers speak HTTP/2 over TLS only.
                Fact::page("http://site.example/a", &[]).on_host(90, "HTTP/1.1"),
            ],
        ),
        ..PLAIN
    },
    Audit {
        id: "mixed-status-by-agent",
        title: "Another answer for another user agent",
        scope: Scope::Page,
        // A server that asks for patience says nothing of the page.
        rule: Rule::Row(
            Needs::Crawl,
            "second_status IS NOT NULL AND second_status NOT IN (429, 503)
             AND (second_status <> status OR second_indexability IS NOT page_indexability)",
        ),
        evidence: &[
            ("status", "status"),
            ("indexability", "page_indexability"),
            ("second_status", "second_status"),
            ("second_indexability", "second_indexability"),
            ("second_redirect_target", "second_redirect"),
        ],
        why: "Search engines or phones may be shown something else than visitors are: a page that is missing, blocked or noindex for them is not found. Needs the setting that compares user agents.",
        fix: "Find out what in the server, the content delivery network or the program tells user agents apart, and let all of them have the same answer. Some sites refuse whoever only says to be a search engine; then this is no fault.",
        references: &["https://developers.google.com/search/docs/essentials/spam-policies#cloaking", "https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &[]).to_second_agent(403, None),
                Fact::page("https://site.example/a", &[]).to_second_agent(200, Some(Indexability::Noindex)),
                Fact::page("https://site.example/b", &[]).to_second_agent(302, None),
            ],
            &[("https://site.example/", 1), ("https://site.example/a", 1), ("https://site.example/b", 1)],
            &[
                Fact::page("https://site.example/", &[]).to_second_agent(200, Some(Indexability::Indexable)),
                // It asks for patience.
                Fact::page("https://site.example/a", &[]).to_second_agent(503, None),
                Fact::page("https://site.example/b", &[]),
            ],
        ),
        ..PLAIN
    },
];
