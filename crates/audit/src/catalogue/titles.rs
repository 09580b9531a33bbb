//! Family Titles, descriptions, headings: titles.

use super::{BLANK, GARBLED, PLAIN};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Text, Threshold, Unit};
use crate::cases::{Case, headed_page, html, page};

const TITLE: &[(&str, &str)] =
    &[("title", "title"), ("pixels", "title_px"), ("code_points", "length(title)")];

const GOOGLE: &str = "https://developers.google.com/search/docs/appearance/title-link";
const HTML: &str = "https://html.spec.whatwg.org/multipage/semantics.html#the-title-element";

const BASE: Audit = Audit {
    family: Family::Text,
    severity: Severity::Opportunity,
    scope: Scope::Indexable,
    evidence: TITLE,
    references: &[GOOGLE],
    ..PLAIN
};

const fn threshold(
    name: &'static str,
    label: &'static str,
    help: &'static str,
    unit: Unit,
    default: u64,
) -> Threshold {
    Threshold { name, label, help, unit, min: 0, max: 100_000, default }
}

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "title-missing",
        title: "Title missing",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "coalesce(title, '') = ''"),
        evidence: &[("titles", "title_count"), ("h1", "h1")],
        why: "The title is the heading of the search result, the name of the tab and of the bookmark. Without it others make one up.",
        fix: "Give the page a title that says what it is about.",
        references: &[GOOGLE, HTML],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><h1>A</h1>"),
                html("/b", "<!doctype html><title> </title><h1>B</h1><svg><title>Drawing</title></svg>"),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/c\">c</a> <a href=\"/blank\">d</a> <a href=\"/garbled\">e</a>"),
                html("/c", "<!doctype html><meta name=\"robots\" content=\"noindex\"><h1>C</h1>"),
                BLANK,
                GARBLED,
            ],
        ),
        ..BASE
    },
    Audit {
        id: "title-multiple",
        title: "Several titles",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "title_count > 1"),
        evidence: &[("title", "title"), ("titles", "title_count"), ("line", "title_second_line")],
        why: "A page has one title. Browsers show the first; search engines may choose or join them.",
        fix: "Keep one title element; most often a template and a plugin both write it.",
        references: &[HTML],
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), headed_page("/a", "<title>Another</title>", "")],
            &[("/a", 1)],
            &[page("/", "<svg><title>Drawing</title></svg>")],
        ),
        ..BASE
    },
    Audit {
        id: "title-outside-head",
        title: "Title outside head",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "title_outside_head"),
        evidence: &[("title", "title"), ("titles", "title_count"), ("line", "title_outside_line")],
        why: "A title in the body is not valid, and search engines may not read it. Often the head was closed early by an element that may not stand in it.",
        fix: "Move the title into the head, and remove whatever closes the head before it.",
        references: &[HTML],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><html><head></head><body><title>A</title><h1>A</h1></body></html>",
                ),
            ],
            &[("/a", 1)],
            &[page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "title-duplicate",
        title: "Duplicate title",
        rule: Rule::Same(Text::Title),
        why: "Pages with one title look alike in search results, in tabs and in bookmarks, and compete for the same searches.",
        fix: "Give each page a title of its own; merge or canonicalise pages that are copies.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title>Übersicht: same title</title><h1>A</h1>"),
                html("/b", "<!doctype html><title>ÜBERSICHT:  Same title</title><h1>B</h1>"),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title>Same</title><h1>A</h1>"),
                html(
                    "/b",
                    "<!doctype html><title>Same</title><meta name=\"robots\" content=\"noindex\"><h1>B</h1>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "title-too-long",
        title: "Title too long",
        rule: Rule::Longer(Text::Title, "title_max"),
        thresholds: &[threshold(
            "title_max",
            "Longest title",
            "Titles with more characters are reported.",
            Unit::Characters,
            60,
        )],
        why: "Search results cut long titles; what stands at the end is not seen.",
        fix: "Say the essential in fewer words, and put it first.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>1234567890 1234567890 1234567890 1234567890 1234567890 123456</title><h1>A</h1>",
                ),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html(
                    "/a",
                    "<!doctype html><title>1234567890 1234567890  1234567890 1234567890 1234567890 12345</title><h1>A</h1>",
                ),
                html(
                    "/b",
                    "<!doctype html><meta charset=utf-8><title>e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}</title><h1>B</h1>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "title-too-short",
        title: "Title too short",
        rule: Rule::Shorter(Text::Title, "title_min"),
        thresholds: &[threshold(
            "title_min",
            "Shortest title",
            "Titles with fewer characters are reported; Chinese, Japanese and Korean ones count twice.",
            Unit::Characters,
            30,
        )],
        why: "There is room for more words that tell people and search engines what the page is about.",
        fix: "Say more precisely what the page offers; add the name of the site where it helps.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", "<!doctype html><title>Home</title><h1>A</h1>")],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title></title><h1>A</h1>"),
                html("/b", "<!doctype html><title>こだわりの日本茶と茶器の専門店</title><h1>B</h1>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "title-too-wide",
        title: "Title too wide",
        rule: Rule::Row(Needs::Itself, "title_px > {title_px_max}"),
        thresholds: &[threshold(
            "title_px_max",
            "Widest title",
            "Titles that are wider in search results (Arial, 20 px) are reported.",
            Unit::Pixels,
            561,
        )],
        why: "Search results have room for a width, not for a number of characters; wider titles are cut.",
        fix: "Say the essential in fewer words, and put it first.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW</title><h1>A</h1>",
                ),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>iiiiiiiiii iiiiiiiiii iiiiiiiiii iiiiiiiiii iiiiiiiiii iiiiiiiiii</title><h1>A</h1>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "title-too-narrow",
        title: "Title too narrow",
        rule: Rule::Row(Needs::Itself, "title <> '' AND title_px < {title_px_min}"),
        thresholds: &[threshold(
            "title_px_min",
            "Narrowest title",
            "Titles that are narrower in search results (Arial, 20 px) are reported.",
            Unit::Pixels,
            200,
        )],
        why: "The title leaves most of its line in search results empty.",
        fix: "Say more precisely what the page offers.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", "<!doctype html><title>Home</title><h1>A</h1>")],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", "<!doctype html><h1>A</h1>")],
        ),
        ..BASE
    },
    Audit {
        id: "title-same-as-h1",
        title: "Title equals h1",
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "title <> '' AND lower(title) = lower(h1)"),
        evidence: &[("title", "title"), ("h1", "h1")],
        why: "The title stands alone in search results, the h1 stands on the page: the same words in both leave a chance unused.",
        fix: "Let the title say in addition what a searcher needs, such as the brand or the place.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html("/a", "<!doctype html><title>About bees</title><h1>About  Bees</h1>"),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html("/a", "<!doctype html><title>About bees</title><h1>About bees and wasps</h1>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "title-same-as-description",
        title: "Title equals description",
        severity: Severity::Warning,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "title <> '' AND lower(title) = lower(description)"),
        evidence: &[("title", "title"), ("description", "description")],
        why: "The description repeats the line above it, so search engines choose other text from the page.",
        fix: "Write a description of one or two sentences that goes beyond the title.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>About bees</title><meta name=\"description\" content=\"About Bees\"><h1>A</h1>",
                ),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title></title><meta name=\"description\" content=\"\"><h1>A</h1>",
                ),
            ],
        ),
        ..BASE
    },
];
