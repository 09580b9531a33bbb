//! Family Links and structure: where links lead and how pages are reached.

use super::{BLANK, GARBLED, LINK, PLAIN, REDIRECTED_LINK};
use crate::audit::{Audit, Family, LinkRule, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, Fact, Resource, answer, headed_page, page, redirect, robots};

const INLINKS: &[(&str, &str)] = &[
    ("inlinks", "inlinks"),
    ("followed_inlinks", "followed_inlinks"),
    ("linking_pages", "unique_inlinks"),
    ("depth", "depth"),
];
const OUTLINKS: &[(&str, &str)] = &[("outlinks", "outlinks"), ("external_outlinks", "external_outlinks")];

const CRAWLABLE: &str = "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";
const REL: &str = "https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links";

const BASE: Audit = Audit { family: Family::Links, references: &[CRAWLABLE], ..PLAIN };

/// Kinds whose broken targets have audits of their own, and kinds that are never asked for.
const OTHER_KINDS: &str =
    "kind NOT IN ('image', 'icon', 'social', 'data', 'canonical', 'redirect', 'form', 'preconnect')";

const SITEMAP: Resource = answer("/sitemap.xml", 200).headed(&[("Content-Type", "application/xml")]).holding(crate::cases::Body::Text(
    "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/</loc></url><url><loc>{site}/a</loc></url></urlset>",
));

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "links-to-broken",
        title: "Link to a broken URL",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Link,
        rule: Rule::Link(
            LinkRule::shaped(OTHER_KINDS).to("internal AND (broken OR (redirect_id IS NOT NULL AND (final_broken OR (loop AND (redirect_to_self OR redirect_id <> url_id)))))"),
        ),
        evidence: REDIRECTED_LINK,
        why: "Whoever follows this link, directly or by a redirect, ends at an error or goes round in circles.",
        fix: "Correct or remove the link, or bring its target back. A link that stands on many pages most often comes from one template.",
        references: &[CRAWLABLE],
        case: Case::new(
            &[
                page("/", "<nav><a href=\"/gone\">one</a></nav> <a href=\"/gone#part\">two</a> <a href=\"/b\">b</a>"),
                headed_page("/b", "<link rel=\"next\" href=\"/gone\">", "<a href=\"gone\" rel=\"nofollow\">three</a> <a href=\"/r\">four</a>"),
                redirect("/r", 302, &[("Location", "/gone")]),
            ],
            &[("/", 2), ("/b", 3)],
            &[
                page("/", "<a href=\"/closed\">closed</a> <a href=\"{other}/gone\">other</a> <img src=\"/gone.png\" alt=\"g\" width=\"1\" height=\"1\">"),
                answer("/closed", 401),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "links-to-broken-external",
        title: "Link to a broken external URL",
        scope: Scope::Link,
        rule: Rule::Link(
            LinkRule::shaped(OTHER_KINDS).to("NOT internal AND (status IN (404, 410) OR (failed AND reason = 'dns')
                 OR (redirect_id IS NOT NULL AND NOT loop AND (final_status IN (404, 410) OR final_reason = 'dns')))"),
        ),
        evidence: REDIRECTED_LINK,
        why: "Visitors who follow this link meet an error on the other site, or a name that no longer exists.",
        fix: "Link to the page's new address or to another source, or remove the link.",
        case: Case::new(
            &[page("/", "<a href=\"{other}/gone\">one</a> <a href=\"{other}/gone\">two</a>")],
            &[("/", 2)],
            &[page("/", "<a href=\"{other}/no\">no</a> <a href=\"/gone\">gone</a>"), answer("other:/no", 429)],
        ),
        ..BASE
    },
    Audit {
        id: "no-internal-outlinks",
        title: "Page without internal links",
        priority: Priority::High,
        scope: Scope::Content,
        rule: Rule::Row(Needs::Crawl, "outlinks = 0 AND coalesce(refresh_delay, 1) > 0"),
        evidence: OUTLINKS,
        why: "Visitors and crawlers cannot go on from here. If the page does have links, they may be made by scripts that crawlers do not run.",
        fix: "Add the site's navigation, and write links as a elements with href.",
        case: Case::new(
            &[
                page("/", "<a href=\"/end\">end</a>"),
                crate::cases::html("/end", "<!doctype html><title>End</title><h1>End</h1><a href=\"{other}/\">away</a>"),
            ],
            &[("/end", 1)],
            &[page("/", "<a href=\"/a\">a</a> <a href=\"/blank\">y</a> <a href=\"/garbled\">z</a>"), page("/a", ""), BLANK, GARBLED],
        ),
        ..BASE
    },
    Audit {
        id: "orphan-page",
        title: "Orphan page",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Select(
            "SELECT r.url_id AS url, 0 AS ref FROM {rows} r WHERE r.key BETWEEN {first} AND {last} AND r.is_page AND r.unique_inlinks = 0 AND r.links_followed
             AND r.url_id IN (SELECT e.url FROM sitemap s JOIN sitemap_entry e ON e.sitemap = s.id WHERE s.crawl = {crawl} AND e.url IS NOT NULL)
             AND r.url NOT IN (SELECT url FROM seed WHERE crawl = {crawl})
             AND r.url_id NOT IN (SELECT final FROM chain WHERE key BETWEEN {first} AND {last})",
        ),
        evidence: INLINKS,
        why: "The page is listed in a sitemap, but no page of the site links to it: visitors do not find it, and search engines take it for unimportant.",
        fix: "Link to it from pages on its subject, or take it off the sitemap if it is no longer wanted.",
        case: Case::new(
            &[robots("Sitemap: {site}/sitemap.xml\n"), SITEMAP, page("/", ""), page("/a", "<a href=\"/a\">itself</a>")],
            &[("/a", 1)],
            &[robots("Sitemap: {site}/sitemap.xml\n"), SITEMAP, page("/", "<a href=\"/a\">a</a>"), page("/a", "")],
        ),
        ..BASE
    },
    Audit {
        id: "nofollow-inlinks-only",
        title: "Only nofollow links lead here",
        priority: Priority::Low,
        scope: Scope::Indexable,
        rule: Rule::Row(Needs::Crawl, "links_followed AND inlinks > 0 AND followed_inlinks = 0"),
        evidence: INLINKS,
        why: "Every link to this page asks search engines not to follow it, so the page may be found late and count for little.",
        fix: "Remove nofollow from links to one's own pages.",
        references: &[REL],
        case: Case::new(
            &[page("/", "<a href=\"/a\" rel=\"nofollow\">a</a>"), page("/a", "")],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\" rel=\"nofollow\">a</a> <a href=\"/a\">a</a>"), page("/a", "")],
        ),
        ..BASE
    },
    Audit {
        id: "mixed-follow-inlinks",
        title: "Followed and nofollow links lead here",
        priority: Priority::Low,
        scope: Scope::Indexable,
        rule: Rule::Row(Needs::Crawl, "followed_inlinks > 0 AND followed_inlinks < inlinks"),
        evidence: INLINKS,
        why: "Some links to this page say that it may be followed and others that it may not; one of them is most likely a mistake.",
        fix: "Remove nofollow from links to one's own pages.",
        references: &[REL],
        case: Case::new(
            &[page("/", "<a href=\"/a\" rel=\"nofollow\">a</a> <a href=\"/a\">a</a>"), page("/a", "")],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\" rel=\"nofollow\">a</a> <a href=\"/b\">b</a>"), page("/a", ""), page("/b", "")],
        ),
        ..BASE
    },
    Audit {
        id: "internal-nofollow",
        title: "Internal link with nofollow",
        priority: Priority::Low,
        scope: Scope::Link,
        rule: Rule::Link(LinkRule::shaped("kind IN ('anchor', 'area') AND nofollow").to("internal")),
        evidence: LINK,
        why: "nofollow, ugc and sponsored are meant for links whose target one does not vouch for. On internal links they only waste what the page could hand on.",
        fix: "Remove the value from rel. To keep a page out of the index use noindex on that page.",
        references: &[REL],
        case: Case::new(
            &[page("/", "<a href=\"/a\" rel=\"NoFollow noopener\">a</a> <a href=\"/a\" rel=\"ugc\">a</a>"), page("/a", "")],
            &[("/", 2)],
            &[page("/", "<a href=\"/a\" rel=\"noopener\">a</a> <a href=\"{other}/\" rel=\"nofollow\">b</a>"), page("/a", "")],
        ),
        ..BASE
    },
    Audit {
        id: "deep-page",
        title: "Page far from the start",
        severity: Severity::Opportunity,
        scope: Scope::Indexable,
        rule: Rule::Row(Needs::Crawl, "links_followed AND depth > {depth_most}"),
        thresholds: &[Threshold {
            name: "depth_most",
            label: "Depth of a page",
            help: "Pages that take more clicks from the start URL are reported.",
            unit: Unit::Clicks,
            min: 0,
            max: 1_000,
            default: 4,
        }],
        evidence: &[("depth", "depth"), ("linking_pages", "unique_inlinks")],
        why: "It takes many clicks to get here. Deep pages are visited less, by people and by crawlers.",
        fix: "Link to important pages from nearer to the start: categories, hubs, related pages.",
        references: &["https://developers.google.com/search/docs/specialty/ecommerce/help-google-understand-your-ecommerce-site-structure"],
        case: Case::new(
            &[page("/", "<a href=\"/1\">1</a>"), page("/1", "<a href=\"/2\">2</a>"), page("/2", "<a href=\"/3\">3</a>"), page("/3", "")],
            &[("/3", 1)],
            &[page("/", "<a href=\"/1\">1</a> <a href=\"/3\">3</a>"), page("/1", "<a href=\"/2\">2</a>"), page("/2", "<a href=\"/3\">3</a>"), page("/3", "")],
        )
        .with(&[("audit.depth_most", "2")]),
        ..BASE
    },
    Audit {
        id: "many-internal-outlinks",
        title: "Very many internal links",
        priority: Priority::Low,
        rule: Rule::Row(Needs::Crawl, "outlinks > {outlinks_most}"),
        thresholds: &[Threshold {
            name: "outlinks_most",
            label: "Internal links of a page",
            help: "Pages with more links to the own site are reported.",
            unit: Unit::Links,
            min: 1,
            max: 1_000_000,
            default: 1_000,
        }],
        evidence: OUTLINKS,
        why: "On a page with so many links none of them stands out, to readers or to search engines.",
        fix: "Split the page, or leave out links that few people need.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a> <a href=\"/a#b\">b</a>"), page("/a", "")],
            &[("/", 1)],
            &[page("/", "<a href=\"/a\">a</a> <a href=\"{other}/\">b</a>"), page("/a", "")],
        )
        .with(&[("audit.outlinks_most", "2")]),
        ..BASE
    },
    Audit {
        id: "many-external-outlinks",
        title: "Very many external links",
        priority: Priority::Low,
        rule: Rule::Row(Needs::Crawl, "external_outlinks > {external_outlinks_most}"),
        thresholds: &[Threshold {
            name: "external_outlinks_most",
            label: "External links of a page",
            help: "Pages with more links to other sites are reported.",
            unit: Unit::Links,
            min: 0,
            max: 1_000_000,
            default: 100,
        }],
        evidence: OUTLINKS,
        why: "Pages that are mostly links to other sites look like link lists, and may have been filled by spammers.",
        fix: "Check who sets these links, and keep those that help readers.",
        references: &[REL],
        case: Case::new(
            &[page("/", "<a href=\"{other}/a\">a</a> <a href=\"{other}/a\">b</a>")],
            &[("/", 1)],
            &[page("/", "<a href=\"{other}/a\">a</a> <a href=\"/\">b</a>")],
        )
        .with(&[("audit.external_outlinks_most", "1")]),
        ..BASE
    },
    Audit {
        id: "http-link-on-https",
        title: "Internal http link on an https page",
        severity: Severity::Issue,
        scope: Scope::Link,
        rule: Rule::Link(
            LinkRule::shaped("kind IN ('anchor', 'area')").from("url LIKE 'https:%'").to("internal AND url LIKE 'http:%'"),
        ),
        evidence: LINK,
        why: "The link leaves the secure connection, at best for a redirect back to it; at worst whoever is in between changes the page.",
        fix: "Link to the https URL.",
        references: &["https://www.rfc-editor.org/rfc/rfc6797"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["http://site.example/a", "https://site.example/b"]),
                Fact::page("http://site.example/a", &[]),
                Fact::page("https://site.example/b", &[]),
            ],
            &[("https://site.example/", 1)],
            &[
                Fact::page("http://site.example/", &["http://site.example/a", "https://site.example/b"]),
                Fact::page("http://site.example/a", &[]),
                Fact::page("https://site.example/b", &["http://else.example/"]),
                Fact::page("http://else.example/", &[]).external(),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "blank-without-noopener",
        title: "New window without noopener",
        priority: Priority::Low,
        scope: Scope::Link,
        rule: Rule::Link(
            LinkRule::shaped(
                "kind IN ('anchor', 'area') AND lower(window) = '_blank' AND ' ' || rel || ' ' NOT LIKE '% noopener %' AND ' ' || rel || ' ' NOT LIKE '% noreferrer %'",
            )
            .to("NOT internal"),
        ),
        evidence: LINK,
        why: "In older browsers the other site can steer the window that this page is in. Browsers since 2021 act as if noopener were there.",
        fix: "Add rel=\"noopener\" to links that open a new window.",
        references: &["https://html.spec.whatwg.org/multipage/links.html#link-type-noopener"],
        case: Case::new(
            &[page("/", "<a href=\"{other}/a\" target=\"_blank\">a</a>")],
            &[("/", 1)],
            &[page(
                "/",
                "<a href=\"{other}/a\" target=\"_blank\" rel=\"nofollow noopener\">a</a> <a href=\"{other}/a\">b</a> <a href=\"/\" target=\"_blank\">c</a>",
            )],
        ),
        ..BASE
    },
];
