//! Family Redirects: where redirects end.

use super::PLAIN;
use super::redirects::{CHAIN, GOOGLE};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, answer, headed_page, page, redirect, robots};

const BASE: Audit = Audit { family: Family::Redirects, scope: Scope::Redirect, evidence: CHAIN, ..PLAIN };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "redirect-to-error",
        title: "Redirect to an error",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Crawl, "NOT loop AND final_broken"),
        why: "Whoever follows this redirect ends at an error page or gets no answer. To search engines the URL is as broken as its target.",
        fix: "Redirect to a page that exists. Where nothing replaces the old page, answer 404 or 410 instead of redirecting.",
        references: &[GOOGLE],
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 301, &[("Location", "/gone")])],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 301, &[("Location", "/no")]), answer("/no", 403)],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-to-blocked",
        title: "Redirect to a URL blocked by robots.txt",
        rule: Rule::Row(Needs::Crawl, "NOT loop AND final_blocked"),
        why: "Search engines that follow the redirect may not read the page at its end, so neither URL can rank.",
        fix: "Redirect to a page that may be crawled, or narrow the Disallow line.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow: /private\n"),
                page("/", "<a href=\"/a\">a</a>"),
                redirect("/a", 301, &[("Location", "/private")]),
                page("/private", ""),
            ],
            &[("/a", 1)],
            &[
                robots("User-agent: *\nDisallow: /private\n"),
                page("/", "<a href=\"/a\">a</a> <a href=\"/private\">p</a>"),
                redirect("/a", 301, &[("Location", "/public")]),
                page("/public", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-to-non-indexable",
        title: "Redirect to a page that is not indexable",
        rule: Rule::Row(Needs::Crawl, "NOT loop AND (final_noindex OR final_canonicalised)"),
        evidence: &[
            ("status", "status"),
            ("final_url", "final_url"),
            ("noindex", "final_noindex"),
            ("canonicalised", "final_canonicalised"),
            ("inlinks", "inlinks"),
        ],
        why: "The page at the end is kept out of the index, so what the redirect was meant to hand on is lost or ends elsewhere.",
        fix: "Redirect to the page that should rank: the canonical one, without noindex.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                redirect("/a", 301, &[("Location", "/hidden")]),
                headed_page("/hidden", "<meta name=\"robots\" content=\"noindex\">", ""),
                redirect("/b", 301, &[("Location", "/copy")]),
                headed_page("/copy", "<link rel=\"canonical\" href=\"{site}/\">", ""),
            ],
            &[("/a", 1), ("/b", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 301, &[("Location", "/open")]), page("/open", "")],
        ),
        ..BASE
    },
    Audit {
        id: "redirect-canonical-conflict",
        title: "Redirect target names the redirect as canonical",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Crawl, "NOT loop AND final_canonical_id = url_id"),
        evidence: &[("status", "status"), ("final_url", "final_url"), ("inlinks", "inlinks")],
        why: "The redirect says that the target is the right URL, and the target's canonical says that this one is. Search engines have to guess.",
        fix: "Let the target's canonical name the target itself.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                redirect("/a", 301, &[("Location", "/b")]),
                headed_page("/b", "<link rel=\"canonical\" href=\"{site}/a\">", ""),
            ],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), redirect("/a", 301, &[("Location", "/b")]), page("/b", "")],
        ),
        ..BASE
    },
    Audit {
        id: "mass-redirect-home",
        title: "Many redirects to the home page",
        rule: Rule::Select(
            "WITH ending AS (SELECT r.url_id AS url, r.final_url AS final FROM {rows} r WHERE r.key BETWEEN {first} AND {last} AND r.internal AND r.fetched
               AND r.redirect_id IS NOT NULL AND NOT r.loop AND r.redirect_id <> r.url_id),
             home AS (SELECT h.origin || '/' AS url FROM host h WHERE h.id IN (SELECT host FROM visit WHERE key BETWEEN {first} AND {last} AND internal)),
             homeward AS (SELECT url FROM ending WHERE final IN (SELECT url FROM home))
             SELECT url, 0 AS ref FROM homeward
             WHERE (SELECT count(*) FROM homeward) >= {redirect_home_urls} AND (SELECT count(*) FROM homeward) * 5 >= (SELECT count(*) FROM ending)",
        ),
        thresholds: &[Threshold {
            name: "redirect_home_urls",
            label: "URLs redirected to the home page",
            help: "At least this many URLs, and a fifth of all redirects, must end at a home page before they are reported.",
            unit: Unit::Links,
            min: 1,
            max: 1_000_000,
            default: 10,
        }],
        why: "Search engines treat a redirect of unrelated old pages to the home page as an error page, and visitors do not find what they came for.",
        fix: "Redirect each old URL to the page that replaces it, and answer 404 or 410 where there is none.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/site-move-with-url-changes"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                redirect("/a", 301, &[("Location", "/")]),
                redirect("/b", 301, &[("Location", "/")]),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                redirect("/a", 301, &[("Location", "/")]),
                redirect("/b", 301, &[("Location", "/c")]),
                page("/c", ""),
            ],
        )
        .with(&[("audit.redirect_home_urls", "2")]),
        ..BASE
    },
];
