//! Family Redirects: how URLs redirect.

use super::{PLAIN, REDIRECTED_LINK, raised};
use crate::audit::{Audit, Family, LinkRule, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, Fact, answer, headed_page, html, page, redirect};

pub(super) const CHAIN: &[(&str, &str)] = &[
    ("status", "status"),
    ("redirect", "redirect_url"),
    ("hops", "hops"),
    ("final_url", "final_url"),
    ("final_status", "final_status"),
    ("final_reason", "final_reason"),
    ("inlinks", "inlinks"),
];

const HOP: &[(&str, &str)] = &[("status", "status"), ("redirect", "redirect_url"), ("inlinks", "inlinks")];

pub(super) const GOOGLE: &str = "https://developers.google.com/search/docs/crawling-indexing/301-redirects";
const SEMANTICS: &str = "https://www.rfc-editor.org/rfc/rfc9110#section-15.4";
const REFRESH: &str = "https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh";

const BASE: Audit = Audit { family: Family::Redirects, scope: Scope::Redirect, evidence: CHAIN, ..PLAIN };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "internal-link-redirects",
        title: "Internal link to a redirect",
        priority: Priority::Low,
        scope: Scope::Link,
        rule: Rule::Link(LinkRule::shaped("kind IN ('anchor', 'area')").to("internal AND redirect_id IS NOT NULL")),
        evidence: REDIRECTED_LINK,
        why: "Every click on this link costs visitors and crawlers an extra request before the page begins to load.",
        fix: "Point the link at the final URL. A redirect is for links that others set; one's own can be changed.",
        references: &[GOOGLE],
        case: Case::new(
            &[page("/", "<a href=\"/old\">one</a> <a href=\"/old#x\">two</a>"), redirect("/old", 301, &[("Location", "/new")]), page("/new", "")],
            &[("/", 2)],
            &[page("/", "<a href=\"/new\">new</a> <a href=\"{other}/old\">old</a>"), page("/new", ""), redirect("other:/old", 301, &[("Location", "/x")])],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-chain",
        title: "Redirect chain",
        // One finding a chain, at the URLs where somebody enters it; what only this site's redirects lead to is a hop of theirs.
        rule: Rule::Select(
            "SELECT r.url_id AS url, 0 AS ref FROM {rows} r WHERE r.key IN (SELECT key FROM chain WHERE key BETWEEN {first} AND {last} AND NOT loop AND hops >= {redirect_hops})
             AND r.internal AND r.fetched AND r.redirect_id IS NOT NULL
             AND (r.inlinks > 0
               OR r.url_id NOT IN (SELECT a.redirect FROM answer a JOIN visit w ON w.key = a.key WHERE a.key BETWEEN {first} AND {last} AND a.redirect IS NOT NULL AND w.internal)
               OR r.url_id IN (SELECT e.url FROM sitemap s JOIN sitemap_entry e ON e.sitemap = s.id WHERE s.crawl = {crawl} AND e.url IS NOT NULL)
               OR r.url IN (SELECT url FROM seed WHERE crawl = {crawl}))",
        ),
        thresholds: &[Threshold {
            name: "redirect_hops",
            label: "Hops of a redirect chain",
            help: "Redirects that take at least this many hops to their end are reported as a chain, at the URL where it begins.",
            unit: Unit::Hops,
            min: 2,
            max: 100,
            default: 2,
        }],
        why: "Each hop costs a request. Crawlers stop following long chains, and each link of a chain is one more thing that can break.",
        fix: "Let the first URL redirect straight to the last.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/e\">e</a> <a href=\"/g\">g</a>"),
                redirect("/a", 301, &[("Location", "/b")]),
                // An inner hop is no chain of its own.
                redirect("/b", 301, &[("Location", "/c")]),
                redirect("/c", 301, &[("Location", "/d")]),
                page("/d", ""),
                redirect("/e", 301, &[("Location", "/f")]),
                // Unless pages link to it.
                redirect("/f", 301, &[("Location", "/g")]),
                redirect("/g", 301, &[("Location", "/h")]),
                redirect("/h", 301, &[("Location", "/d")]),
            ],
            &[("/a", 1), ("/e", 1), ("/g", 1)],
            &[page("/", "<a href=\"/b\">b</a>"), redirect("/b", 301, &[("Location", "/c")]), page("/c", "")],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-loop",
        title: "Redirect loop",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Crawl, "loop AND redirect_id <> url_id"),
        why: "The redirects lead back to where they began: browsers give up with an error, and nobody reaches a page.",
        fix: "Find the rule that sends the request back, often one that adds and one that removes a slash, www or https.",
        references: &[SEMANTICS],
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 302, &[("Location", "/b")]), redirect("/b", 302, &[("Location", "/a")])],
            &[("/a", 1), ("/b", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 302, &[("Location", "/b")]), page("/b", "")],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-to-self",
        title: "Redirect to itself",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Internal,
        rule: Rule::Row(Needs::Itself, "redirect_to_self"),
        evidence: HOP,
        why: "The URL redirects to itself without setting a cookie that would change the answer, so nobody reaches a page.",
        fix: "Correct the rule that redirects this URL.",
        references: &[SEMANTICS],
        case: Case::new(
            &[page("/", "<a href=\"/self\">self</a>"), redirect("/self", 301, &[("Location", "/self#part")])],
            &[("/self", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 301, &[("Location", "/")])],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-temporary",
        title: "Temporary redirect",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "status IN (302, 303, 307)"),
        evidence: HOP,
        why: "A temporary redirect tells search engines to keep the old URL in their index.",
        fix: "Where the move is meant to last, answer 301 or 308.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                redirect("/a", 302, &[("Location", "/")]),
                redirect("/b", 307, &[("Location", "/")]),
            ],
            &[("/a", 1), ("/b", 1)],
            &[page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"), redirect("/a", 301, &[("Location", "/")]), redirect("/b", 308, &[("Location", "/")])],
        ),
        ..BASE
    },
    Audit {
        id: "meta-refresh",
        title: "Meta refresh",
        priority: Priority::Low,
        scope: Scope::Page,
        rule: Rule::Row(Needs::Itself, "refresh_delay IS NOT NULL"),
        evidence: &[("delay_s", "refresh_delay"), ("target", "refresh_url")],
        why: "A refresh moves or reloads the page under its reader. It is slower than a redirect by the server, and with a delay it shuts out people who read slowly.",
        fix: "Redirect on the server; where a page has to update itself, let the reader decide when.",
        references: &[REFRESH, "https://www.w3.org/WAI/WCAG22/Techniques/failures/F41"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<meta http-equiv=\"refresh\" content=\"0; url=/\">", ""),
                headed_page("/b", "<meta http-equiv=\"refresh\" content=\"300\">", ""),
            ],
            &[("/a", 1), ("/b", 1)],
            &[headed_page("/", "<noscript><meta http-equiv=\"refresh\" content=\"0; url=/plain\"></noscript>", "")],
        ),
        ..BASE
    },
    Audit {
        id: "refresh-header",
        title: "Refresh header",
        priority: Priority::Low,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "fetched AND status BETWEEN 200 AND 299 AND instr(char(10) || lower(headers), char(10) || 'refresh:') > 0",
        ),
        evidence: &[("status", "status"), ("headers", "headers")],
        why: "The Refresh header is in no HTTP standard. It moves the reader like a meta refresh does, and search engines may miss it.",
        fix: "Answer with a 301 or 308 and a Location.",
        references: &[REFRESH],
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "").headed(&[("Content-Type", "text/html"), ("Refresh", "5; url=/")])],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "").headed(&[("Content-Type", "text/html"), ("X-Note", "refresh: no")])],
        ),
        ..BASE
    },
    Audit {
        id: "too-many-redirects",
        title: "Too many redirects",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Crawl, "NOT loop AND (hops > {redirect_most_hops} OR cut_short)"),
        thresholds: &[Threshold {
            name: "redirect_most_hops",
            label: "Most hops of a redirect",
            help: "A URL that takes more hops to its end is reported: search engines give up after about as many. A chain that this audit itself did not follow to its end is reported all the same.",
            unit: Unit::Hops,
            min: 1,
            max: 100,
            default: 10,
        }],
        why: "Crawlers give up after about ten hops, and browsers after twenty: the page at the end is not reached.",
        fix: "Let the first URL redirect straight to the last.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                redirect("/a", 301, &[("Location", "/b")]),
                redirect("/b", 301, &[("Location", "/c")]),
                redirect("/c", 301, &[("Location", "/d")]),
                page("/d", ""),
            ],
            // The other two are within the limit, from themselves on.
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/b\">b</a>"),
                redirect("/b", 301, &[("Location", "/c")]),
                redirect("/c", 301, &[("Location", "/d")]),
                page("/d", ""),
            ],
        )
        .with(&[("fetch.redirects", "2")]),
        ..BASE
    },
    Audit {
        id: "redirect-downgrades",
        title: "Redirect from https to http",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "url LIKE 'https:%' AND redirect_url LIKE 'http:%'"),
        evidence: HOP,
        why: "The visitor's connection loses its protection on the way, and whoever is in between can read and change what follows.",
        fix: "Redirect to the https URL.",
        references: &["https://www.rfc-editor.org/rfc/rfc6797"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example/a"]),
                Fact::redirect("https://site.example/a", 301, "http://site.example/b"),
                Fact::page("http://site.example/b", &[]),
            ],
            &[("https://site.example/a", 1)],
            &[
                Fact::page("https://site.example/", &["http://site.example/a"]),
                Fact::redirect("http://site.example/a", 301, "https://site.example/"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-bad-location",
        title: "Redirect without a usable Location",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Internal,
        // 304 answers a conditional request and has no Location.
        rule: Rule::Row(
            Needs::Itself,
            "status BETWEEN 300 AND 399 AND status <> 304 AND redirect_id IS NULL
             AND (bad_location OR instr(char(10) || lower(coalesce(headers, '')), char(10) || 'location:') = 0)",
        ),
        evidence: &[("status", "status"), ("headers", "headers"), ("inlinks", "inlinks")],
        why: "The answer announces a redirect but names no address that a client could go to.",
        fix: "Send a Location header with a valid URL, or another status.",
        references: &["https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2"],
        case: Case::new(
            &[
                page("/", "<a href=\"/none\">none</a> <a href=\"/odd\">odd</a>"),
                answer("/none", 302),
                redirect("/odd", 301, &[("Location", "http://[broken/")]),
            ],
            &[("/none", 1), ("/odd", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 301, &[("Location", "?b")]), page("/a?b", "")],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-slash-or-case",
        title: "Linked URL redirects to another spelling of itself",
        priority: Priority::Low,
        rule: Rule::Row(
            Needs::Crawl,
            "inlinks > 0 AND redirect_id <> url_id AND rtrim(lower(url), '/') = rtrim(lower(redirect_url), '/')",
        ),
        evidence: HOP,
        why: "Pages link to a spelling that differs from the right one only by a slash or by upper case, and each click pays for it with a redirect.",
        fix: "Write the links as the server wants them; most often a template builds them without the slash.",
        references: &[GOOGLE],
        case: Case::new(
            &[page("/", "<a href=\"/shop\">shop</a>"), redirect("/shop", 301, &[("Location", "/shop/")]), page("/shop/", "")],
            &[("/shop", 1)],
            &[page("/", "<a href=\"/shop/\">shop</a> <a href=\"/old\">old</a>"), page("/shop/", ""), redirect("/old", 301, &[("Location", "/shop/")])],
        ),
        ..BASE
    },
    Audit {
        id: "resource-redirects",
        title: "Image, script or style that redirects",
        priority: Priority::Low,
        scope: Scope::Link,
        rule: Rule::Link(LinkRule::shaped("kind IN ('image', 'script', 'style')").to("redirect_id IS NOT NULL")),
        escalation: raised("link_hops > 1", Severity::Warning, Priority::Medium),
        evidence: REDIRECTED_LINK,
        why: "The page waits for one more answer before it can use the file.",
        fix: "Refer to the final URL.",
        references: &["https://web.dev/articles/critical-rendering-path"],
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"stylesheet\" href=\"/old.css\">", ""),
                redirect("/old.css", 301, &[("Location", "/new.css")]),
                answer("/new.css", 200).headed(&[("Content-Type", "text/css")]).holding(Body::Text("p {}")),
            ],
            &[("/", 1)],
            &[
                headed_page("/", "<link rel=\"stylesheet\" href=\"/new.css\">", "<a href=\"/old\">old</a>"),
                redirect("/old", 301, &[("Location", "/")]),
                html("/new.css", "p {}").headed(&[("Content-Type", "text/css")]),
            ],
        ),
        ..BASE
    },
];
