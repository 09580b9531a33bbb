//! Family Pagination and hreflang: pages of a series that name the one before and after.

use super::{LINK, PLAIN};
use crate::audit::{Audit, Family, Priority, Rule, Scope, Severity};
use crate::cases::{Case, answer, headed_page, page};

const GOOGLE: &str =
    "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";
const HTML: &str = "https://html.spec.whatwg.org/multipage/links.html#sequential-link-types";

const BASE: Audit = Audit {
    family: Family::International,
    severity: Severity::Issue,
    priority: Priority::High,
    scope: Scope::Page,
    evidence: LINK,
    references: &[HTML, GOOGLE],
    ..PLAIN
};

/// As in hreflang.rs, of links next and prev. Where the page itself is the target, nothing but a loop is said of it.
macro_rules! entries {
    ($condition:literal) => {
        Rule::Select(concat!(
            "SELECT a.url AS url, a.ref AS ref FROM temp.alternate a CROSS JOIN visit v ON v.key = ({crawl} << 32) | a.url
             LEFT JOIN visit tv ON tv.key = ({crawl} << 32) | a.target LEFT JOIN answer ta ON ta.key = tv.key LEFT JOIN page tp ON tp.key = tv.key
             WHERE a.kind IN (2, 3) AND v.internal AND v.state = 1 AND a.target <> a.url AND ",
            $condition
        ))
    };
}

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "pagination-not-anchored",
        title: "Page of a series that is not linked in the text",
        // The page's links are those of its list, which the link's id begins with.
        rule: entries!(
            "a.target > 0 AND NOT EXISTS (SELECT 1 FROM link l JOIN link_shape s ON s.id = l.shape
             WHERE l.id BETWEEN (a.ref >> 20) << 20 AND ((a.ref >> 20) << 20) | 1048575 AND l.target = a.target AND s.kind IN (1, 2))"
        ),
        why: "The next or previous page is named in a link element only. Visitors see no such link, and Google no longer reads these elements to find pages.",
        fix: "Link to the page in the text as well, with an a element.",
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", ""),
                headed_page("/2", "<link rel=\"prev\" href=\"/\">", ""),
            ],
            &[("/", 1)],
            &[
                headed_page("/", "<link rel=\"next\" href=\"{site}/2\">", "<a href=\"2#list\">2</a>"),
                headed_page("/2", "<link rel=\"prev\" href=\"/\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "pagination-to-error",
        title: "Series leads to an error",
        rule: entries!("(tv.state = 2 OR (tv.state = 1 AND ta.status >= 400 AND ta.status NOT IN ({unverifiable})))"),
        why: "The page that is named as the next or previous one does not exist, so the series breaks off.",
        fix: "Correct the address, or leave the element out on the first and last page.",
        case: Case::new(
            &[headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/2\">2</a>")],
            &[("/", 1)],
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\"><link rel=\"prev\" href=\"/0\">", "<a href=\"/2\">2</a>"),
                page("/2", ""),
                answer("/0", 429),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "pagination-unlinked",
        title: "Page of a series without inlinks",
        priority: Priority::Medium,
        rule: entries!(
            "a.target > 0 AND tv.internal AND ta.status BETWEEN 200 AND 299 AND tp.key IS NOT NULL AND {crawl} NOT IN (SELECT id FROM crawl WHERE job = 'list')
             AND (SELECT m.unique_inlinks FROM metric m WHERE m.key = tv.key) = 0"
        ),
        why: "No page of the site links to this page of the series: it is reached by its link element only, which Google no longer reads.",
        fix: "Link to every page of the series from another one.",
        case: Case::new(
            &[headed_page("/", "<link rel=\"next\" href=\"/2\">", ""), page("/2", "")],
            &[("/", 1)],
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/all\">all</a>"),
                page("/2", ""),
                page("/all", "<a href=\"/2\">2</a>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "pagination-multiple",
        title: "Several next or previous pages",
        priority: Priority::Low,
        rule: entries!(
            "EXISTS (SELECT 1 FROM temp.alternate b WHERE b.url = a.url AND b.kind = a.kind AND b.target NOT IN (a.target, a.url))"
        ),
        why: "A page has one that follows and one that goes before. Of several, readers of these elements choose one, or none.",
        fix: "Keep one next and one prev.",
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\"><link rel=\"next\" href=\"/3\">", "<a href=\"/2\">2</a> <a href=\"/3\">3</a>"),
                page("/2", ""),
                page("/3", ""),
            ],
            &[("/", 2)],
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\"><link rel=\"next\" href=\"/2\"><link rel=\"prev\" href=\"/3\">", "<a href=\"/2\">2</a> <a href=\"/3\">3</a>"),
                page("/2", ""),
                page("/3", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "pagination-loop",
        title: "Series goes round in circles",
        priority: Priority::Low,
        rule: Rule::Circle,
        why: "Whoever goes from each page to its next one comes back to where he was, without end.",
        fix: "Leave rel=next out on the last page, and let every other page name the one after it.",
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/2\">2</a> <a href=\"/own\">own</a>"),
                headed_page("/2", "<link rel=\"next\" href=\"/3\">", "<a href=\"/3\">3</a>"),
                headed_page("/3", "<link rel=\"next\" href=\"/2\">", ""),
                headed_page("/own", "<link rel=\"next\" href=\"/own\">", ""),
            ],
            &[("/2", 1), ("/3", 1), ("/own", 1)],
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/2\">2</a>"),
                headed_page("/2", "<link rel=\"next\" href=\"/3\"><link rel=\"prev\" href=\"/\">", "<a href=\"/3\">3</a>"),
                headed_page("/3", "<link rel=\"prev\" href=\"/2\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "pagination-sequence",
        title: "Next and previous do not agree",
        priority: Priority::Low,
        rule: entries!(
            "a.target > 0 AND tv.internal AND ta.status BETWEEN 200 AND 299 AND tp.key IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM temp.alternate b WHERE b.url = a.target AND b.kind = 5 - a.kind AND b.target = a.url)"
        ),
        why: "The page that is named as the next one does not name this one as the one before it, or the other way round: the series is not one.",
        fix: "Let each pair of neighbours name each other; look at the first and the last page, where templates often err.",
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/2\">2</a>"),
                headed_page("/2", "<link rel=\"prev\" href=\"/3\">", "<a href=\"/3\">3</a>"),
                page("/3", ""),
            ],
            &[("/", 1), ("/2", 1)],
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/2\">2</a>"),
                headed_page("/2", "<link rel=\"previous\" href=\"/#list\"><link rel=\"next\" href=\"/gone\">", "<a href=\"/gone\">3</a>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "pagination-non-indexable",
        title: "Page of a series that is not indexable",
        severity: Severity::Warning,
        rule: entries!("tv.internal AND ((ta.status BETWEEN 200 AND 299 AND tp.indexability IN (2, 3, 4)) OR tv.state = 3)"),
        why: "Search engines leave this page of the series out, and in time no longer follow its links: what only it links to is lost.",
        fix: "Remove noindex, and let every page of a series be its own canonical. Where the pages are of no use in search, they still have to be read.",
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/2\">2</a>"),
                headed_page("/2", "<link rel=\"canonical\" href=\"{site}/\"><link rel=\"prev\" href=\"/\"><link rel=\"next\" href=\"/3\">", "<a href=\"/3\">3</a>"),
                headed_page("/3", "<meta name=\"robots\" content=\"noindex\"><link rel=\"prev\" href=\"/2\">", ""),
            ],
            &[("/", 1), ("/2", 1), ("/3", 1)],
            &[
                headed_page("/", "<link rel=\"next\" href=\"/2\">", "<a href=\"/2\">2</a> <a href=\"/no\">no</a>"),
                headed_page("/2", "<link rel=\"prev\" href=\"/\">", ""),
                headed_page("/no", "<meta name=\"robots\" content=\"noindex\">", ""),
            ],
        ),
        ..BASE
    },
];
