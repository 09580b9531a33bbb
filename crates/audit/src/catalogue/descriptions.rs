//! Family Titles, descriptions, headings: descriptions.

use super::{BLANK, GARBLED, PLAIN};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Text, Threshold, Unit};
use crate::cases::{Case, headed_page, html, page};

const DESCRIPTION: &[(&str, &str)] =
    &[("description", "description"), ("pixels", "description_px"), ("code_points", "length(description)")];

const GOOGLE: &str = "https://developers.google.com/search/docs/appearance/snippet";

const BASE: Audit = Audit {
    family: Family::Text,
    severity: Severity::Opportunity,
    priority: Priority::Low,
    scope: Scope::Indexable,
    evidence: DESCRIPTION,
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

const LONG: &str = "<!doctype html><title>A</title><meta name=\"description\" content=\"1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 123\"><h1>A</h1>";
const WIDE: &str = "<!doctype html><title>A</title><meta name=\"description\" content=\"WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW\"><h1>A</h1>";
const SHORT: &str =
    "<!doctype html><title>A</title><meta name=\"description\" content=\"All about bees.\"><h1>A</h1>";
const EMPTY: &str = "<!doctype html><title>A</title><meta name=\"description\" content=\" \"><h1>A</h1>";

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "description-missing",
        title: "Description missing",
        rule: Rule::Row(Needs::Itself, "coalesce(description, '') = ''"),
        evidence: &[("descriptions", "description_count"), ("title", "title")],
        why: "Search engines show the description under the title where it fits the search. Without one they cut a piece out of the page.",
        fix: "Write one or two sentences that say what the reader will find.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title>A</title><h1>A</h1>"),
                html("/b", EMPTY),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/blank\">y</a> <a href=\"/garbled\">z</a>"),
                html("/a", SHORT),
                BLANK,
                GARBLED,
            ],
        ),
        ..BASE
    },
    Audit {
        id: "description-multiple",
        title: "Several descriptions",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Itself, "description_count > 1"),
        evidence: &[
            ("description", "description"),
            ("descriptions", "description_count"),
            ("line", "description_second_line"),
        ],
        why: "Search engines choose one of them, or join them, or choose other text.",
        fix: "Keep one; most often a template and a plugin both write it.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"Description\" content=\"Another one.\">", ""),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta property=\"og:description\" content=\"Another one.\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "description-outside-head",
        title: "Description outside head",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Itself, "description_outside_head"),
        evidence: &[("description", "description"), ("line", "description_outside_line")],
        why: "Search engines may ignore a description that stands in the body. Often the head was closed early by an element that may not stand in it.",
        fix: "Move the element into the head, and remove whatever closes the head before it.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>A</title><body><meta name=\"description\" content=\"All about bees.\"><h1>A</h1>",
                ),
            ],
            &[("/a", 1)],
            &[page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "description-duplicate",
        title: "Duplicate description",
        rule: Rule::Same(Text::Description),
        why: "A description that fits several pages tells a searcher nothing about this one.",
        fix: "Describe each page by what only it offers, or leave the description out.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"), html("/a", SHORT), html("/b", SHORT)],
            &[("/a", 1), ("/b", 1)],
            &[page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"), html("/a", SHORT), html("/b", EMPTY)],
        ),
        ..BASE
    },
    Audit {
        id: "description-too-long",
        title: "Description too long",
        rule: Rule::Longer(Text::Description, "description_max"),
        thresholds: &[threshold(
            "description_max",
            "Longest description",
            "Descriptions with more characters are reported.",
            Unit::Characters,
            155,
        )],
        why: "Search results cut long descriptions; what stands at the end is not seen.",
        fix: "Put the essential first and leave the rest out.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", LONG)],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", SHORT)],
        ),
        ..BASE
    },
    Audit {
        id: "description-too-short",
        title: "Description too short",
        rule: Rule::Shorter(Text::Description, "description_min"),
        thresholds: &[threshold(
            "description_min",
            "Shortest description",
            "Descriptions with fewer characters are reported; Chinese, Japanese and Korean ones count twice.",
            Unit::Characters,
            70,
        )],
        why: "Search engines may find a short description too thin and choose other text.",
        fix: "Say in one or two sentences what the reader will find.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", SHORT)],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", EMPTY),
                html(
                    "/b",
                    "<!doctype html><title>B</title><meta name=\"description\" content=\"静岡の茶園から届くお茶と、手作りの茶器を扱う小さな専門店です。全国へ送料無料。\"><h1>B</h1>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "description-too-wide",
        title: "Description too wide",
        rule: Rule::Row(Needs::Itself, "description_px > {description_px_max}"),
        thresholds: &[threshold(
            "description_px_max",
            "Widest description",
            "Descriptions that are wider in search results (Arial, 13.9 px) are reported.",
            Unit::Pixels,
            985,
        )],
        why: "Search results have room for a width, not for a number of characters; wider descriptions are cut.",
        fix: "Put the essential first and leave the rest out.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", WIDE)],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", SHORT)],
        ),
        ..BASE
    },
    Audit {
        id: "description-too-narrow",
        title: "Description too narrow",
        rule: Rule::Row(Needs::Itself, "description <> '' AND description_px < {description_px_min}"),
        thresholds: &[threshold(
            "description_px_min",
            "Narrowest description",
            "Descriptions that are narrower in search results (Arial, 13.9 px) are reported.",
            Unit::Pixels,
            400,
        )],
        why: "The description leaves most of its lines in search results empty.",
        fix: "Say in one or two sentences what the reader will find.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", SHORT)],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", EMPTY)],
        ),
        ..BASE
    },
];
