//! Family Titles, descriptions, headings: headings.

use super::{BLANK, GARBLED, PLAIN};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Text, Threshold, Unit};
use crate::cases::{Case, html, page};

const H1: &[(&str, &str)] = &[("h1", "h1"), ("h1s", "h1_count"), ("line", "h1_line")];
const H2: &[(&str, &str)] = &[("h2", "h2"), ("h2s", "h2_count"), ("line", "h2_line")];

const HTML: &str = "https://html.spec.whatwg.org/multipage/sections.html#headings-and-outlines";
const WCAG: &str = "https://www.w3.org/WAI/tutorials/page-structure/headings/";

const BASE: Audit = Audit {
    family: Family::Text,
    severity: Severity::Warning,
    priority: Priority::Low,
    scope: Scope::Indexable,
    evidence: H1,
    references: &[WCAG, HTML],
    ..PLAIN
};

const fn longest(name: &'static str, label: &'static str, help: &'static str) -> Threshold {
    Threshold { name, label, help, unit: Unit::Characters, min: 0, max: 100_000, default: 70 }
}

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "h1-missing",
        title: "h1 missing",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Itself, "h1_count = 0 OR (coalesce(h1, '') = '' AND NOT h1_image_only)"),
        evidence: &[("h1s", "h1_count"), ("title", "title")],
        why: "The h1 says what the page is about: to readers, to screen readers that jump to it, and to search engines.",
        fix: "Give the page one h1 with text.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title>A</title><h2>A</h2>"),
                html("/b", "<!doctype html><title>B</title><h1> </h1><p>B"),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/blank\">y</a> <a href=\"/garbled\">z</a>"),
                html("/a", "<!doctype html><title>A</title><h1><b>A</b></h1>"),
                BLANK,
                GARBLED,
            ],
        ),
        ..BASE
    },
    Audit {
        id: "h1-multiple",
        title: "Several h1",
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Itself, "h1_count > 1"),
        evidence: &[("h1", "h1"), ("h1s", "h1_count"), ("line", "h1_second_line")],
        why: "With several h1 it is not clear what the page is mainly about.",
        fix: "Keep one, and make the others h2.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "<h1>Another</h1>")],
            &[("/a", 1)],
            &[page("/", "<h2>Another</h2>")],
        ),
        ..BASE
    },
    Audit {
        id: "h1-image-only",
        title: "h1 is an image",
        rule: Rule::Row(Needs::Itself, "h1_image_only"),
        evidence: &[("h1", "h1"), ("h1s", "h1_count"), ("line", "CASE WHEN h1_count = 1 THEN h1_line END")],
        why: "A heading that is only an image depends on its alt text; most often it is the logo, the same on every page.",
        fix: "Write the heading as text.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>A</title><h1><img src=\"/logo.png\" alt=\"Logo\" width=\"1\" height=\"1\"></h1>",
                ),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>A</title><h1><img src=\"/logo.png\" alt=\"\" width=\"1\" height=\"1\"> About</h1>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "h1-not-first",
        title: "h1 is not the first heading",
        rule: Rule::Row(Needs::Itself, "h1_not_first"),
        why: "Another heading stands before the h1, so the outline of the page begins in the middle.",
        fix: "Put the h1 first; what stands before it is seldom a heading of this page.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html("/a", "<!doctype html><title>A</title><h2>Menu</h2><h1>A</h1>"),
            ],
            &[("/a", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", "<!doctype html><title>A</title><h2>Menu</h2>")],
        ),
        ..BASE
    },
    Audit {
        id: "h1-duplicate",
        title: "Duplicate h1",
        severity: Severity::Opportunity,
        rule: Rule::Same(Text::H1),
        why: "Pages with the same h1 are hard to tell apart.",
        fix: "Give each page an h1 of its own.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title>A</title><h1>Bees</h1>"),
                html("/b", "<!doctype html><title>B</title><h1>BEES</h1>"),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title>A</title><h1>Bees</h1>"),
                html("/b", "<!doctype html><title>B</title><h1>Wasps</h1>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "h1-too-long",
        title: "h1 too long",
        severity: Severity::Opportunity,
        rule: Rule::Longer(Text::H1, "h1_max"),
        thresholds: &[longest(
            "h1_max",
            "Longest h1",
            "First-level headings with more characters are reported.",
        )],
        why: "A heading that long is a paragraph: it cannot be taken in at a glance.",
        fix: "Shorten it, and move the rest into the text.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>A</title><h1>A heading that goes on and on and tells the whole story before the text begins to tell it</h1>",
                ),
            ],
            &[("/a", 1)],
            &[page(
                "/",
                "<h2>A heading that goes on and on and tells the whole story before the text begins to tell it</h2>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "h2-missing",
        title: "h2 missing",
        rule: Rule::Row(Needs::Itself, "h2_count = 0"),
        evidence: H2,
        why: "Subheadings let readers find their place and tell search engines what the parts are about.",
        fix: "Divide longer texts by h2.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), html("/a", "<!doctype html><title>A</title><h1>A</h1>")],
            &[("/a", 1)],
            &[page("/", "<a href=\"/blank\">y</a> <a href=\"/garbled\">z</a>"), BLANK, GARBLED],
        ),
        ..BASE
    },
    Audit {
        id: "h2-duplicate",
        title: "Duplicate first h2",
        severity: Severity::Opportunity,
        rule: Rule::Same(Text::H2),
        evidence: H2,
        why: "The first h2 is the same as on other pages; most often it belongs to the template and not to the page.",
        fix: "Use headings for what the page says, and other elements for the template.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                html("/a", "<!doctype html><title>A</title><h1>A</h1><h2>Menu</h2>"),
                html("/b", "<!doctype html><title>B</title><h1>B</h1><h2>Menu</h2>"),
            ],
            &[("/a", 1), ("/b", 1)],
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "<h2>Back</h2>")],
        ),
        ..BASE
    },
    Audit {
        id: "h2-too-long",
        title: "First h2 too long",
        severity: Severity::Opportunity,
        rule: Rule::Longer(Text::H2, "h2_max"),
        thresholds: &[longest(
            "h2_max",
            "Longest h2",
            "Second-level headings with more characters are reported.",
        )],
        evidence: H2,
        why: "A heading that long is a paragraph: it cannot be taken in at a glance.",
        fix: "Shorten it, and move the rest into the text.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                html(
                    "/a",
                    "<!doctype html><title>A</title><h1>A</h1><h2>A heading that goes on and on and tells the whole story before the text begins to tell it</h2>",
                ),
            ],
            &[("/a", 1)],
            &[page(
                "/",
                "<h3>A heading that goes on and on and tells the whole story before the text begins to tell it</h3>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "heading-level-skipped",
        title: "Heading level skipped",
        rule: Rule::Row(Needs::Itself, "level_skipped"),
        evidence: &[("h1", "h1"), ("h2", "h2"), ("line", "heading_skip_line")],
        why: "A heading is followed by one more than a level deeper. Readers who go by the outline miss a step and wonder what they missed.",
        fix: "Use the next level, and change its size in the style sheet.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "<h4>Deep</h4>")],
            &[("/a", 1)],
            &[page("/", "<h3>Deeper</h3><h4>Deepest</h4><h2>Back up</h2>")],
        ),
        ..BASE
    },
    Audit {
        id: "heading-empty",
        title: "Empty heading",
        rule: Rule::Row(Needs::Itself, "heading_empty"),
        evidence: &[("h1", "h1"), ("h2", "h2"), ("line", "heading_empty_line")],
        why: "Screen readers announce a heading and then nothing.",
        fix: "Remove the element, or put its text in.",
        case: Case::new(
            &[page("/", "<a href=\"/a\">a</a>"), page("/a", "<h3> </h3>")],
            &[("/a", 1)],
            &[page("/", "<h3><img src=\"/i.png\" alt=\"Named\" width=\"1\" height=\"1\"></h3>")],
        ),
        ..BASE
    },
];
