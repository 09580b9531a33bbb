//! Family robots.txt and directives: what pages say of themselves.

use super::PLAIN;
use crate::audit::{Audit, Family, Needs, Priority, Rule, Severity};
use crate::cases::{Case, headed_page, page};

const DIRECTIVES: &[(&str, &str)] = &[("robots", "robots"), ("inlinks", "inlinks")];

const GOOGLE: &str = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

const BASE: Audit = Audit { family: Family::Robots, evidence: DIRECTIVES, ..PLAIN };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "noindex",
        title: "noindex",
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "noindex"),
        why: "A robots meta element or an X-Robots-Tag header keeps this page out of search results.",
        fix: "Check that this is wanted. If the page should be found, remove the directive from its template or from the server's headers.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a>"),
                headed_page("/a", "<meta name=\"ROBOTS\" content=\"NoIndex, follow\">", ""),
                page("/b", "").headed(&[("Content-Type", "text/html"), ("X-Robots-Tag", "noindex")]),
                headed_page("/c", "<meta name=\"robots\" content=\"none\">", ""),
            ],
            &[("/a", 1), ("/b", 1), ("/c", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page(
                    "/a",
                    "<meta name=\"otherbot\" content=\"noindex\"><meta name=\"robots\" content=\"index, follow\">",
                    "",
                ),
                headed_page("/b", "<!-- <meta name=\"robots\" content=\"noindex\"> -->", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "nofollow",
        title: "nofollow for the whole page",
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "nofollow"),
        why: "Search engines are told not to follow any link of this page, so pages linked only from here may never be found.",
        fix: "Remove the directive. Where single links should not be followed, mark those with rel.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/c\">c</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"nofollow\">", ""),
                headed_page("/c", "<meta name=\"googlebot\" content=\"none\">", ""),
            ],
            &[("/a", 1), ("/c", 1)],
            &[
                page("/", "<a href=\"/a\" rel=\"nofollow\">a</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"noindex\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "directives-outside-head",
        title: "Robots meta element outside head",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "robots_outside_head"),
        evidence: &[("robots", "robots"), ("line", "robots_outside_line"), ("inlinks", "inlinks")],
        why: "Search engines differ on directives that stand in the body. Often the head was closed early by an element that may not stand in it.",
        fix: "Move the element into the head, and remove whatever closes the head before it.",
        references: &[GOOGLE, "https://html.spec.whatwg.org/multipage/semantics.html#the-head-element"],
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "<meta name=\"robots\" content=\"noindex\">")],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"noindex\">", ""),
            ],
        ),
        ..BASE
    },
];
