//! Family Change: what is another than at the crawl before, and what became of its findings.

use super::PLAIN;
use crate::audit::{Audit, Family, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, Resource, answer, headed_page, html, page, robots};
use model::ChangeKind as K;

const WHAT: &[(&str, &str)] =
    &[("change", "change_kind"), ("before", "change_before"), ("after", "change_after")];

const LIFE: &[(&str, &str)] = &[
    ("audit", "life_audit"),
    ("absent_in_crawls", "life_absent"),
    ("last_looked_for_in_crawl", "life_judged"),
];

const CHANGE: Audit = Audit {
    family: Family::Change,
    scope: Scope::Internal,
    evidence: WHAT,
    references: &["https://developers.google.com/search/docs/crawling-indexing/website-testing"],
    ..PLAIN
};

/// A change of an internal URL.
const INTERNAL: &str = "v.internal";

const HOME: Resource = page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>");
const A: Resource = page("/a", "<a href=\"/\">home</a>");
const B: Resource = page("/b", "<a href=\"/\">home</a>");
const FLAWED: Resource = page("/a", "<h4>A heading too deep</h4><a href=\"/\">home</a>");

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "fix-held",
        title: "Fix held",
        severity: Severity::Note,
        priority: Priority::Low,
        rule: Rule::Life("y.state = 2 AND y.judged = y.crawl"),
        evidence: LIFE,
        why: "A finding that two or more crawls one after another looked for and did not find is gone for good: this is what work on the site has come to.",
        fix: "Nothing is to be done; tell whoever did the work.",
        case: Case::of_course(
            &[&[HOME, FLAWED, B], &[HOME, A, B], &[HOME, A, B]],
            &[("/a", 1)],
            &[&[HOME, FLAWED, B], &[HOME, A, B]],
        ),
        ..CHANGE
    },
    Audit {
        id: "fix-regressed",
        title: "Fixed before, and back",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Life("y.state = 3"),
        evidence: LIFE,
        why: "What comes back after it was fixed is often written by a template or an import that nobody mended, or was lost with a deployment.",
        fix: "Find out what wrote it again, and mend it there rather than on the page.",
        case: Case::of_course(
            &[&[HOME, FLAWED, B], &[HOME, A, B], &[HOME, FLAWED, B]],
            &[("/a", 1)],
            &[&[HOME, FLAWED, B], &[HOME, FLAWED, B], &[HOME, A, B]],
        ),
        ..CHANGE
    },
    Audit {
        id: "not-rechecked",
        title: "Finding not looked at again",
        severity: Severity::Note,
        priority: Priority::Low,
        rule: Rule::Life("y.judged < y.crawl"),
        evidence: LIFE,
        why: "The URL was not read this time, or the rule has other thresholds, so nobody knows whether the finding is still there. It does not count as fixed.",
        fix: "Check these URLs again by themselves, or crawl without the limit or the exclusion that kept them out.",
        case: Case::of_course(
            &[&[HOME, FLAWED, B], &[page("/", "<a href=\"/b\">b</a>"), B]],
            &[("/a", 8)],
            &[&[HOME, FLAWED, B], &[HOME, A, B]],
        ),
        ..CHANGE
    },
    Audit {
        id: "became-non-indexable",
        title: "Not indexable any more",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Change(&[K::Indexability], "v.internal AND c.before = 'indexable'"),
        why: "The page could be shown in search results at the crawl before and cannot now. Where that was not meant, its visitors from search are lost within days.",
        fix: "Look at what the evidence names: a noindex, a canonical to another page, a refresh. Remove it if it was not meant.",
        case: Case::of_course(
            &[&[HOME, A, B], &[HOME, headed_page("/a", "<meta name=robots content=noindex>", "<a href=\"/\">home</a>"), B]],
            &[("/a", 1)],
            &[&[HOME, headed_page("/a", "<meta name=robots content=noindex>", "<a href=\"/\">home</a>"), B], &[HOME, A, B]],
        ),
        ..CHANGE
    },
    Audit {
        id: "status-class-changed",
        title: "Answers differently",
        severity: Severity::Issue,
        priority: Priority::High,
        // What failed and works now is no fault, and what a Check could not confirm is not told yet.
        rule: Rule::Change(
            &[K::Status],
            "v.internal AND substr(c.before, 1, 1) IN ('2', '3') AND substr(c.before, 1, 1) <> substr(c.after, 1, 1)
             AND NOT EXISTS (SELECT 1 FROM change o WHERE o.comparison = c.comparison AND o.kind = 6 AND o.url = c.url)",
        ),
        why: "A URL that showed a page, or led to one, now redirects, fails or is gone. Links and bookmarks to it from everywhere are hit at once.",
        fix: "Bring the page back; where it was moved on purpose, redirect to its successor with 301 and change the links.",
        case: Case::of_course(
            &[&[HOME, A, B], &[HOME, B]],
            &[("/a", 1)],
            &[&[HOME, B], &[HOME, A, B]],
        ),
        ..CHANGE
    },
    Audit {
        id: "robots-changed",
        title: "robots.txt changed",
        severity: Severity::Warning,
        priority: Priority::High,
        scope: Scope::Robots,
        rule: Rule::Change(&[K::RobotsTxt], "1"),
        evidence: &[("before", "change_before"), ("after", "change_after"), ("newly_blocked", "newly_blocked")],
        why: "One line of robots.txt can take a whole site out of search results. Every change of it deserves a look, above all one that came with a deployment.",
        fix: "Compare the two texts, and the URLs that are blocked only now. Take back what was not meant.",
        references: &["https://www.rfc-editor.org/rfc/rfc9309"],
        case: Case::of_course(
            &[
                &[HOME, A, B, robots("User-agent: *\nDisallow: /x\n")],
                &[HOME, A, B, robots("User-agent: *\nDisallow: /b\n")],
            ],
            &[("/robots.txt", 1)],
            &[
                &[HOME, A, B, robots("User-agent: *\nDisallow: /x\n")],
                &[HOME, B, robots("User-agent: *\nDisallow: /x\n")],
            ],
        ),
        ..CHANGE
    },
    Audit {
        id: "page-element-changed",
        title: "Title, description, h1 or canonical changed",
        priority: Priority::Medium,
        rule: Rule::Change(&[K::Title, K::Description, K::H1, K::Canonical], INTERNAL),
        why: "These are what search results show and what a page is found by. A change is often meant; one on many pages at once often is not.",
        fix: "Compare the two values. Where a template writes the new one on pages for which it was not meant, mend the template.",
        case: Case::of_course(
            &[
                &[HOME, html("/a", "<title>Tea for two</title><h1>Tea</h1><a href=\"/\">home</a>"), B],
                &[HOME, html("/a", "<title>Tea for three</title><h1>Coffee</h1><a href=\"/\">home</a>"), B],
            ],
            &[("/a", 2)],
            &[
                &[HOME, html("/a", "<title>Tea for two</title><h1>Tea</h1><a href=\"/\">home</a>"), B],
                &[HOME, html("/a", "<title>Tea  for two</title><h1><b>Tea</b></h1><p>New words.</p><a href=\"/\">home</a>"), B],
            ],
        ),
        ..CHANGE
    },
    Audit {
        id: "content-changed",
        title: "Main text changed",
        priority: Priority::Low,
        rule: Rule::Change(&[K::Content], "v.internal AND 100 - CAST(c.after AS INTEGER) > {content_change}"),
        thresholds: &[Threshold {
            name: "content_change",
            label: "Change of the main text",
            help: "A page is told of when more than this share of its main text is another, in percent.",
            unit: Unit::Percent,
            min: 0,
            max: 99,
            default: 10,
        }],
        evidence: &[("still_there_percent", "change_after"), ("words", "word_count")],
        why: "What a page is found for stands in its main text. That much of it is another is mostly meant; where it is not, a wrong version was published or a page was taken over.",
        fix: "Compare the two texts. Publish the right one again where this is not it.",
        case: Case::of_course(
            &[
                &[HOME, page("/a", "<p>The kettle sings on the hob while the first leaves of the spring harvest wait in their tin. Water that has just stopped boiling is right for black teas, and cooler water for green ones, which turn bitter otherwise. Leave the leaves three minutes, no longer, and pour the cup slowly.</p>"), B],
                &[HOME, page("/a", "<p>Our parcels leave the house each morning at nine, and most of them reach their door within two days. Whoever is not at home finds a card from the carrier, who keeps the box for a week. Returns are free for a month, as long as the tins have not been opened by anybody.</p>"), B],
            ],
            &[("/a", 1)],
            &[
                &[HOME, page("/a", "<p>The kettle sings on the hob while the first leaves of the spring harvest wait in their tin. Water that has just stopped boiling is right for black teas, and cooler water for green ones, which turn bitter otherwise. Leave the leaves three minutes, no longer, and pour the cup slowly.</p>"), B],
                &[HOME, page("/a", "<nav>Another menu with many new words in it</nav><p>The kettle sings on the hob while the first leaves of the spring harvest wait in their tin. Water that has just stopped boiling is right for black teas, and cooler water for green ones, which turn bitter otherwise. Leave the leaves three minutes, no longer, and pour the cup slowly.</p>"), B],
            ],
        ),
        ..CHANGE
    },
    Audit {
        id: "page-gone",
        title: "Page gone",
        priority: Priority::Medium,
        rule: Rule::Change(&[K::Gone], "substr(c.before, 1, 1) = '2' AND EXISTS (SELECT 1 FROM url o JOIN visit s ON s.host = o.host AND s.internal
          AND s.key BETWEEN (SELECT k.later FROM comparison k WHERE k.id = c.comparison) << 32 AND ((SELECT k.later FROM comparison k WHERE k.id = c.comparison) << 32) | 4294967295 WHERE o.id = c.url)"),
        why: "The page was there at the crawl before, and now no link and no sitemap leads to it. Whoever has its address still comes, but nobody finds it on the site.",
        fix: "Link it again if it is to stay. Else redirect its address to what took its place.",
        case: Case::of_course(
            &[&[HOME, A, B], &[page("/", "<a href=\"/b\">b</a>"), B]],
            &[("/a", 1)],
            &[&[page("/", "<a href=\"/b\">b</a>"), B], &[HOME, A, B]],
        ),
        ..CHANGE
    },
    Audit {
        id: "page-new",
        title: "Page new",
        priority: Priority::Medium,
        rule: Rule::Change(&[K::New], "v.internal AND substr(c.after, 1, 1) = '2' AND EXISTS (SELECT 1 FROM page p WHERE p.key = v.key)"),
        evidence: &[("status", "status"), ("title", "title"), ("first_source", "first_source")],
        why: "The crawl before did not meet this page. New pages are often meant; many at once may be a filter, a calendar or a test that became public.",
        fix: "See whether it is meant to be found. Where it is not, remove the links to it or give it a noindex.",
        case: Case::of_course(
            &[&[page("/", "<a href=\"/b\">b</a>"), B], &[HOME, A, B]],
            &[("/a", 1)],
            &[&[HOME, A, B], &[page("/", "<a href=\"/b\">b</a>"), B]],
        ),
        ..CHANGE
    },
    Audit {
        id: "inlinks-dropped",
        title: "Far fewer links lead there",
        priority: Priority::Medium,
        rule: Rule::Change(
            &[K::Inlinks],
            "v.internal AND CAST(c.before AS INTEGER) - CAST(c.after AS INTEGER) >= {inlinks_lost} AND CAST(c.after AS INTEGER) * 100 <= CAST(c.before AS INTEGER) * (100 - {inlinks_drop})",
        ),
        thresholds: &[
            Threshold {
                name: "inlinks_drop",
                label: "Share of links lost",
                help: "A page is told of when it lost at least this share of the links that led to it, in percent.",
                unit: Unit::Percent,
                min: 1,
                max: 100,
                default: 50,
            },
            Threshold {
                name: "inlinks_lost",
                label: "Links lost",
                help: "A page is told of when it lost at least this many links.",
                unit: Unit::Links,
                min: 1,
                max: 1_000_000,
                default: 5,
            },
        ],
        why: "A page that lost half of its internal links has become hard to find, for people and for search engines: it often fell out of a menu.",
        fix: "Look at which pages linked there before. Put the links back where they were lost by accident.",
        case: Case::of_course(
            &[
                &[page("/", "<a href=\"/a\">1</a><a href=\"/a\">2</a><a href=\"/a\">3</a><a href=\"/a\">4</a><a href=\"/a\">5</a><a href=\"/a\">6</a><a href=\"/b\">b</a>"), A, B],
                &[page("/", "<a href=\"/a\">1</a><a href=\"/b\">b</a>"), A, B],
            ],
            &[("/a", 1)],
            &[
                &[page("/", "<a href=\"/a\">1</a><a href=\"/a\">2</a><a href=\"/a\">3</a><a href=\"/a\">4</a><a href=\"/a\">5</a><a href=\"/b\">b</a>"), A, B],
                &[page("/", "<a href=\"/a\">1</a><a href=\"/b\">b</a>"), A, B],
            ],
        ),
        ..CHANGE
    },
    Audit {
        id: "structured-types-changed",
        title: "Types of structured data changed",
        priority: Priority::Medium,
        rule: Rule::Change(&[K::StructuredTypes], INTERNAL),
        why: "Rich results come from structured data of certain types. One that is missing since the crawl before takes stars, prices or breadcrumbs out of the search result.",
        fix: "Write the missing type again. Check the page with the rich results test of the search engine.",
        references: &["https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data"],
        case: Case::of_course(
            &[
                &[HOME, headed_page("/a", "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Organization\",\"name\":\"Tea house\"}</script>", ""), B],
                &[HOME, A, B],
            ],
            &[("/a", 1)],
            &[
                &[HOME, headed_page("/a", "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Organization\",\"name\":\"Tea house\"}</script>", ""), B],
                &[HOME, headed_page("/a", "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Organization\",\"name\":\"Another tea house\"}</script>", ""), B],
            ],
        ),
        ..CHANGE
    },
    Audit {
        id: "security-header-lost",
        title: "Security header lost",
        priority: Priority::Medium,
        rule: Rule::Change(&[K::SecurityHeaderLost], INTERNAL),
        evidence: &[("lost", "change_before")],
        why: "The page was sent with a header that protects its visitors, and now comes without. A new server, a new cache or a new release often forgets them.",
        fix: "Send the header again, best for the whole site in the server's settings.",
        references: &["https://owasp.org/www-project-secure-headers/"],
        case: Case::of_course(
            &[
                &[HOME, A.headed(&[("Content-Type", "text/html"), ("X-Content-Type-Options", "nosniff")]), B],
                &[HOME, A.headed(&[("Content-Type", "text/html")]), B],
            ],
            &[("/a", 1)],
            &[
                &[HOME, A.headed(&[("Content-Type", "text/html"), ("Content-Security-Policy", "script-src 'nonce-1'")]), B],
                &[HOME, A.headed(&[("Content-Type", "text/html"), ("Content-Security-Policy", "script-src 'nonce-2'"), ("X-Frame-Options", "DENY")]), B],
            ],
        ),
        ..CHANGE
    },
    Audit {
        id: "sitemap-count-changed",
        title: "Sitemap lists far more or fewer URLs",
        priority: Priority::Medium,
        scope: Scope::Sitemap,
        rule: Rule::Change(
            &[K::SitemapCount],
            "abs(CAST(c.after AS INTEGER) - CAST(c.before AS INTEGER)) * 100 >= CAST(c.before AS INTEGER) * {sitemap_change}",
        ),
        thresholds: &[Threshold {
            name: "sitemap_change",
            label: "Change of a sitemap",
            help: "A sitemap is told of when the number of its URLs changed by at least this share, in percent.",
            unit: Unit::Percent,
            min: 1,
            max: 1000,
            default: 20,
        }],
        why: "A sitemap that suddenly lists a fifth more or less was often written by something that broke: a section is missing, or a filter lets everything through.",
        fix: "Look at which URLs came or went, and mend what writes the sitemap where that was not meant.",
        references: &["https://www.sitemaps.org/protocol.html"],
        case: Case::of_course(
            &[
                &[HOME, A, B, robots("Sitemap: {site}/map.xml\n"), sitemap("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/a</loc></url><url><loc>{site}/b</loc></url></urlset>")],
                &[HOME, A, B, robots("Sitemap: {site}/map.xml\n"), sitemap("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/a</loc></url></urlset>")],
            ],
            &[("/map.xml", 1)],
            &[
                &[HOME, A, B, robots("Sitemap: {site}/map.xml\n"), sitemap("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/a</loc></url><url><loc>{site}/b</loc></url></urlset>")],
                &[HOME, A, B, robots("Sitemap: {site}/map.xml\n"), sitemap("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/b</loc></url><url><loc>{site}/</loc></url></urlset>")],
            ],
        ),
        ..CHANGE
    },
];

const fn sitemap(text: &'static str) -> Resource {
    answer("/map.xml", 200).headed(&[("Content-Type", "application/xml")]).holding(Body::Text(text))
}
