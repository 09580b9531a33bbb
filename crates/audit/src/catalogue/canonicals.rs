//! Family Canonicals.

use super::{BLANK, GARBLED, PLAIN};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, Fact, headed_page, html, page, redirect, robots};

const CANONICAL: &[(&str, &str)] = &[("canonical", "canonical"), ("canonicals", "canonical_count")];
const TARGET: &[(&str, &str)] = &[
    ("canonical", "canonical"),
    ("canonical_status", "canonical_status"),
    ("canonical_reason", "canonical_reason"),
    ("inlinks", "inlinks"),
];

const RFC: &str = "https://www.rfc-editor.org/rfc/rfc6596";
const GOOGLE: &str = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";
const MISTAKES: &str =
    "https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical";

const BASE: Audit = Audit {
    family: Family::Canonicals,
    severity: Severity::Issue,
    priority: Priority::High,
    scope: Scope::Content,
    evidence: CANONICAL,
    references: &[GOOGLE, RFC],
    ..PLAIN
};

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "canonical-missing",
        title: "No canonical",
        severity: Severity::Warning,
        priority: Priority::Medium,
        scope: Scope::Indexable,
        rule: Rule::Row(Needs::Itself, "canonical_count = 0"),
        evidence: &[("inlinks", "inlinks")],
        why: "Without a canonical, search engines decide by themselves which of several addresses of a page to show; parameters and tracking links make such addresses all the time.",
        fix: "Let every page name its own preferred URL in a link element or a Link header.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", "<!doctype html><title>A</title><h1>A</h1>")],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/blank\">y</a> <a href=\"/garbled\">z</a>"),
                BLANK,
                GARBLED,
                html("/a", "<!doctype html><title>A</title><h1>A</h1>")
                    .headed(&[("Content-Type", "text/html"), ("Link", "<{site}/a>; rel=\"canonical\"")]),
                html("/b", "<!doctype html><title>B</title><meta name=\"robots\" content=\"noindex\"><h1>B</h1>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonicalised",
        title: "Canonical names another URL",
        severity: Severity::Warning,
        rule: Rule::Row(Needs::Itself, "canonical_id IS NOT NULL AND NOT canonical_self"),
        why: "The page asks search engines to show another URL in its place. That is right for copies, and takes a page out of search where it is not one.",
        fix: "Check that the canonical really names a copy of this page. If this page should rank, let it name itself.",
        case: Case::new(
            &[page("/", "<a href=\"/copy\">copy</a>"), headed_page("/copy", "<link rel=\"canonical\" href=\"{site}/\">", "")],
            &[("/copy", 1)],
            &[page("/", "<a href=\"/a?b=c%c3%a9\">a</a>"), headed_page("/a?b=c%c3%a9", "<link rel=\"canonical\" href=\"{site}/a?b=c%C3%A9\">", "")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-multiple",
        title: "Several equal canonicals",
        severity: Severity::Warning,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "canonical_count > 1 AND canonical_distinct <= 1"),
        evidence: &[("canonical", "canonical"), ("canonicals", "canonical_count"), ("line", "canonical_second_line")],
        why: "The canonical is given more than once. As long as they agree nothing is lost, but two places that say it will not agree forever.",
        fix: "Keep one: most often a plugin and a template both write it.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/a\"><link rel=\"canonical\" href=\"{site}/a\">", ""),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/a\"><link rel=\"canonical\" href=\"{site}/b\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-conflicting",
        title: "Conflicting canonicals",
        rule: Rule::Row(Needs::Itself, "canonical_distinct > 1"),
        evidence: &[("canonical", "canonical"), ("canonicals", "canonical_count"), ("line", "canonical_second_line")],
        why: "HTML and headers together name different canonicals. Google then ignores all of them.",
        fix: "Keep the right one and remove the others.",
        references: &[MISTAKES],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/a\"><link rel=\"canonical\" href=\"{site}/\">", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"{site}/b\">", "")
                    .headed(&[("Content-Type", "text/html"), ("Link", "<{site}/>; rel=\"canonical\"")]),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/a\"><link rel=\"canonical\" href=\"/a\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-relative",
        title: "Relative canonical",
        severity: Severity::Warning,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "canonical_relative"),
        why: "A canonical without scheme and host follows whatever address the page was loaded from, so copies on other hosts name themselves.",
        fix: "Write the whole URL, scheme and host included.",
        references: &[MISTAKES],
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<link rel=\"canonical\" href=\"/a\">", "")],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                page("/a", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"mailto:b@site.example\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-outside-head",
        title: "Canonical outside head",
        rule: Rule::Row(Needs::Itself, "canonical_outside_head"),
        evidence: &[("canonical", "canonical"), ("canonicals", "canonical_count"), ("line", "canonical_outside_line")],
        why: "Search engines ignore a canonical that stands in the body. Often the head was closed early by an element that may not stand in it.",
        fix: "Move the element into the head, and remove whatever closes the head before it.",
        references: &[MISTAKES, "https://html.spec.whatwg.org/multipage/semantics.html#the-head-element"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<div>in the head</div><link rel=\"canonical\" href=\"{site}/a\">", ""),
            ],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-malformed",
        title: "Malformed canonical",
        rule: Rule::Row(Needs::Itself, "canonical_malformed"),
        evidence: &[("canonical", "canonical"), ("canonicals", "canonical_count"), ("line", "canonical_malformed_line")],
        why: "The canonical is empty, no valid URL, or none of the web (file:, mailto:, javascript:), so it names no page.",
        fix: "Repair the template that writes it.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a> <a href=\"/d\">d</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"\">", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"https://[broken/\">", ""),
                headed_page("/c", "<link rel=\"canonical\" href=\"file:///var/www/c.html\">", ""),
                headed_page("/d", "<link rel=\"canonical\" href=\"javascript:void(0)\">", ""),
            ],
            &[("/a", 1), ("/b", 1), ("/c", 1), ("/d", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                page("/a", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"HTTP://127.0.0.1:1/mailto:b\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-fragment",
        title: "Canonical with a fragment",
        rule: Rule::Row(Needs::Itself, "canonical_fragment"),
        why: "What follows # names a part of a page, not a page; search engines ignore it or the whole canonical.",
        fix: "Remove the fragment from the canonical.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<link rel=\"canonical\" href=\"{site}/a#top\">", "")],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a#top\">a</a>"), page("/a", "")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-invalid-attributes",
        title: "Canonical with hreflang, lang, media or type",
        rule: Rule::Row(Needs::Itself, "canonical_odd_attributes"),
        why: "With one of these attributes the element means an alternate version, and Google ignores it as a canonical.",
        fix: "Remove the attribute from the canonical element.",
        references: &["https://developers.google.com/search/blog/2024/02/rel-canonical-attributes"],
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<link rel=\"canonical\" hreflang=\"en\" href=\"{site}/a\">", "")],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/a\"><link rel=\"alternate\" hreflang=\"en\" href=\"{site}/a\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-to-error",
        title: "Canonical to an error",
        rule: Rule::Row(Needs::Crawl, "NOT canonical_self AND canonical_broken"),
        evidence: TARGET,
        why: "The URL that should be shown in place of this page answers with an error or not at all.",
        fix: "Let the canonical name a page that exists, or this page itself.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<link rel=\"canonical\" href=\"{site}/gone\">", "")],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a> <a href=\"/gone\">gone</a>"), headed_page("/a", "<link rel=\"canonical\" href=\"{site}/\">", "")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-to-redirect",
        title: "Canonical to a redirect",
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Crawl, "NOT canonical_self AND canonical_redirect_id IS NOT NULL"),
        evidence: TARGET,
        why: "The canonical names a URL that sends elsewhere, so it contradicts itself and may be ignored.",
        fix: "Let the canonical name the redirect's final URL.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/old\">", ""),
                redirect("/old", 301, &[("Location", "/")]),
            ],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<link rel=\"canonical\" href=\"{site}/\">", "")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-to-noindex",
        title: "Canonical to a noindex page",
        rule: Rule::Row(Needs::Crawl, "NOT canonical_self AND canonical_noindex"),
        evidence: TARGET,
        why: "The page hands itself over to one that asks not to be indexed, so neither may appear in search.",
        fix: "Remove noindex from the canonical page, or let the canonical name a page that may be indexed.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/hidden\">", ""),
                headed_page("/hidden", "<meta name=\"robots\" content=\"noindex\">", ""),
            ],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<meta name=\"robots\" content=\"noindex\">", "")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-to-blocked",
        title: "Canonical to a URL blocked by robots.txt",
        rule: Rule::Row(Needs::Crawl, "NOT canonical_self AND canonical_blocked"),
        evidence: &[("canonical", "canonical"), ("rule", "canonical_reason"), ("inlinks", "inlinks")],
        why: "Search engines may not read the page that should be shown in place of this one.",
        fix: "Allow the canonical URL in robots.txt, or name one that may be crawled.",
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow: /private\n"),
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/private\">", ""),
            ],
            &[("/a", 1)],
            &[robots("User-agent: *\nDisallow: /private\n"), page("/", "<a href=\"/private\">p</a>")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-chain",
        title: "Canonical chain",
        priority: Priority::Medium,
        rule: Rule::Row(
            Needs::Crawl,
            "NOT canonical_self AND NOT canonical_canonical_self AND canonical_canonical_id IS NOT NULL AND canonical_canonical_id NOT IN (url_id, canonical_id)",
        ),
        evidence: TARGET,
        why: "The canonical page names a third one as its canonical. Search engines may stop half-way.",
        fix: "Let every copy name the last page of the chain.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/b\">", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"{site}/\">", ""),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/b\">", ""),
                page("/b", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-loop",
        title: "Canonical loop",
        rule: Rule::Row(Needs::Crawl, "NOT canonical_self AND canonical_canonical_id = url_id AND canonical_id <> url_id"),
        evidence: TARGET,
        why: "Two pages name each other as the one to show, so neither is.",
        fix: "Choose one of them, and let both name it.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/b\">", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"{site}/a\">", ""),
            ],
            &[("/a", 1), ("/b", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<link rel=\"canonical\" href=\"{site}/\">", "")],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-downgrades",
        title: "Canonical from https to http",
        rule: Rule::Row(Needs::Itself, "url LIKE 'https:%' AND canonical LIKE 'http:%'"),
        why: "The secure page asks search engines to show its insecure address.",
        fix: "Let the canonical name the https URL.",
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example/a"]),
                Fact::page("https://site.example/a", &[]).canonical("http://site.example/a"),
            ],
            &[("https://site.example/a", 1)],
            &[
                Fact::page("http://site.example/", &["http://site.example/a"]),
                Fact::page("http://site.example/a", &[]).canonical("https://site.example/a"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-to-home",
        title: "Several pages name the home page as canonical",
        severity: Severity::Warning,
        priority: Priority::Medium,
        rule: Rule::Select(
            "WITH homeward AS (SELECT r.url_id AS url, r.canonical_id AS home FROM {rows} r JOIN url k ON k.id = r.canonical_id JOIN host h ON h.id = k.host
               WHERE r.key BETWEEN {first} AND {last} AND r.is_page AND r.has_content AND NOT r.canonical_self AND k.text = h.origin || '/')
             SELECT url, 0 AS ref FROM homeward WHERE home IN (SELECT home FROM homeward GROUP BY home HAVING count(*) >= {canonical_home_pages})",
        ),
        thresholds: &[Threshold {
            name: "canonical_home_pages",
            label: "Pages with the home page as canonical",
            help: "So many other pages must name a home page as their canonical before they are reported.",
            unit: Unit::Links,
            min: 1,
            max: 1_000_000,
            default: 3,
        }],
        why: "Pages that are no copies of the home page take themselves out of search this way; most often one template writes the same canonical everywhere.",
        fix: "Let every page name itself.",
        references: &[MISTAKES],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/\">", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"{site}/\">", ""),
                headed_page("/c", "<link rel=\"canonical\" href=\"{site}/\">", ""),
            ],
            &[("/a", 1), ("/b", 1), ("/c", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/\">", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"{site}/\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-unlinked",
        title: "Canonical without inlinks",
        severity: Severity::Warning,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Crawl, "links_followed AND NOT canonical_self AND canonical_internal AND canonical_inlinks = 0"),
        evidence: TARGET,
        why: "The page that should be shown is linked from nowhere on the site, while its copy is: the links contradict the canonical.",
        fix: "Link to the canonical page.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/b\">", ""),
                page("/b", ""),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/b\">", ""),
                page("/b", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-with-noindex",
        title: "noindex together with a canonical elsewhere",
        severity: Severity::Warning,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Itself, "noindex AND canonical_id IS NOT NULL AND NOT canonical_self"),
        evidence: &[("canonical", "canonical"), ("robots", "robots")],
        why: "noindex says that this page must not be shown, the canonical that it equals one that may: search engines may apply the noindex to both.",
        fix: "Keep one of them: the canonical for a copy, noindex for a page that should not appear.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"noindex\"><link rel=\"canonical\" href=\"{site}/\">", ""),
            ],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<meta name=\"robots\" content=\"noindex\">", "")],
        ),
        ..BASE
    },
];
