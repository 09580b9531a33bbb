//! Family Canonicals: where canonicals lead away, and how they are written.

use super::PLAIN;
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, headed_page, page};

const CANONICAL: &[(&str, &str)] = &[("canonical", "canonical"), ("inlinks", "inlinks")];

const GOOGLE: &str = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";
const PAGINATION: &str =
    "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";

const BASE: Audit = Audit {
    family: Family::Canonicals,
    scope: Scope::Content,
    evidence: CANONICAL,
    references: &[GOOGLE],
    ..PLAIN
};

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "canonical-cross-site",
        title: "Canonical on another site",
        severity: Severity::Note,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "NOT canonical_self AND canonical LIKE 'http%://_%' AND site_of(url) <> site_of(canonical)"),
        why: "The page gives its place in search to a page of another domain. That is right for a text that appeared there first, and gives pages away where a test server's or an old domain's address was left in a template.",
        fix: "Check that the other site is meant.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{other}/a\">", ""),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<link rel=\"canonical\" href=\"{site}/\">", ""),
                headed_page("/b", "<link rel=\"canonical\" href=\"http://\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "canonical-form-drift",
        title: "Canonical written unlike the others",
        priority: Priority::Low,
        rule: Rule::Select(
            "WITH said AS NOT MATERIALIZED (SELECT r.url_id AS url, r.canonical LIKE 'https:%' AS https, www_form(r.canonical) AS www, slash_form(r.canonical) AS slash,
               has_tracking(r.canonical) IS NOT NULL AS tracking
               FROM {rows} r WHERE r.key BETWEEN {first} AND {last} AND r.is_page AND r.has_content AND r.canonical LIKE 'http%' AND site_of(r.url) = site_of(r.canonical)),
             counted AS MATERIALIZED (SELECT count(*) AS pages, sum(https) AS https, count(www) AS named, sum(www = 'www') AS www, count(slash) AS paths, sum(slash = 'slash') AS slash,
               sum(tracking) AS tracking FROM said)
             SELECT s.url AS url, 0 AS ref FROM said s, counted c WHERE
               (c.pages >= {canonical_drift_pages} AND (
                 (s.https AND (c.pages - c.https) * 100 >= c.pages * {canonical_drift_share}) OR (NOT s.https AND c.https * 100 >= c.pages * {canonical_drift_share})
                 OR (s.tracking AND (c.pages - c.tracking) * 100 >= c.pages * {canonical_drift_share})))
               OR (c.named >= {canonical_drift_pages} AND (
                 (s.www = 'www' AND (c.named - c.www) * 100 >= c.named * {canonical_drift_share}) OR (s.www = 'bare' AND c.www * 100 >= c.named * {canonical_drift_share})))
               OR (c.paths >= {canonical_drift_pages} AND (
                 (s.slash = 'slash' AND (c.paths - c.slash) * 100 >= c.paths * {canonical_drift_share}) OR (s.slash = 'none' AND c.slash * 100 >= c.paths * {canonical_drift_share})))",
        ),
        thresholds: &[
            Threshold {
                name: "canonical_drift_pages",
                label: "Pages that make a form of canonicals",
                help: "So many pages must have a canonical before those in the minority are reported.",
                unit: Unit::Urls,
                min: 2,
                max: 1_000_000,
                default: 10,
            },
            Threshold {
                name: "canonical_drift_share",
                label: "Share that makes a form of canonicals",
                help: "The form that this percentage of the pages use counts as the site's own.",
                unit: Unit::Percent,
                min: 51,
                max: 100,
                default: 70,
            },
        ],
        why: "Most canonicals of the site are written in one form (https or http, with www or without, with a slash at the end or without, without tracking parameters); this one differs, and is easily a second address of a page.",
        fix: "Write it as the others, and check that its address answers without a redirect.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a/\">a</a> <a href=\"/b/\">b</a> <a href=\"/c/\">c</a> <a href=\"/d\">d</a> <a href=\"/e/\">e</a>"),
                page("/a/", ""),
                page("/b/", ""),
                page("/c/", ""),
                page("/d", ""),
                headed_page("/e/", "<link rel=\"canonical\" href=\"{site}/e/?utm_source=mail\">", ""),
            ],
            &[("/d", 1), ("/e/", 1)],
            &[
                page("/", "<a href=\"/a/\">a</a> <a href=\"/b/\">b</a> <a href=\"/c\">c</a> <a href=\"/d\">d</a> <a href=\"/e.html\">e</a>"),
                page("/a/", ""),
                page("/b/", ""),
                page("/c", ""),
                page("/d", ""),
                page("/e.html", ""),
            ],
        )
        .with(&[("audit.canonical_drift_pages", "4")]),
        ..BASE
    },
    Audit {
        id: "canonical-page-two-to-one",
        title: "Later page of a series names the first as canonical",
        rule: Rule::Row(
            Needs::Itself,
            "NOT canonical_self AND canonical LIKE 'http%' AND CAST(page_number(url) AS INTEGER) > 1 AND page_number(canonical) = '1' AND series_of(url) = series_of(canonical)",
        ),
        why: "The pages of a series are no copies of its first one: what only they link to is found late or not at all when search engines leave them out.",
        fix: "Let every page of the series name itself.",
        references: &[PAGINATION, GOOGLE],
        case: Case::new(
            &[
                page("/", "<a href=\"/news?page=2\">2</a> <a href=\"/blog/page/3/\">3</a>"),
                headed_page("/news?page=2", "<link rel=\"canonical\" href=\"{site}/news\">", ""),
                headed_page("/blog/page/3/", "<link rel=\"canonical\" href=\"{site}/blog/\">", ""),
            ],
            &[("/news?page=2", 1), ("/blog/page/3/", 1)],
            &[
                page("/", "<a href=\"/news?page=2\">2</a> <a href=\"/news?page=1\">1</a> <a href=\"/copy?page=2\">c</a>"),
                headed_page("/news?page=1", "<link rel=\"canonical\" href=\"{site}/news\">", ""),
                headed_page("/news?page=2", "<link rel=\"canonical\" href=\"{site}/news?page=2\">", ""),
                headed_page("/copy?page=2", "<link rel=\"canonical\" href=\"{site}/news?page=2\">", ""),
            ],
        ),
        ..BASE
    },
];
