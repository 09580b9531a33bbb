//! Family Titles, descriptions, headings: titles that differ from those around them.

use super::PLAIN;
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, html};

pub(super) const AUDITS: &[Audit] = &[Audit {
    id: "title-pattern-outlier",
    title: "Title unlike the others",
    family: Family::Text,
    severity: Severity::Opportunity,
    priority: Priority::Low,
    scope: Scope::Indexable,
    rule: Rule::Row(
        Needs::Crawl,
        "title_pattern_pages >= {title_pattern_pages} AND title_pattern_share >= {title_pattern_share}",
    ),
    thresholds: &[
        Threshold {
            name: "title_pattern_pages",
            label: "Pages that make a pattern of titles",
            help: "So many pages of a host and language must have a title before those that differ are reported.",
            unit: Unit::Urls,
            min: 3,
            max: 1_000_000,
            default: 10,
        },
        Threshold {
            name: "title_pattern_share",
            label: "Share that makes a pattern of titles",
            help: "An ending that this percentage of the titles have counts as the site's own.",
            unit: Unit::Percent,
            min: 51,
            max: 100,
            default: 70,
        },
    ],
    evidence: &[
        ("title", "title"),
        ("usual_ending", "title_pattern"),
        ("share", "title_pattern_share"),
        ("pages", "title_pattern_pages"),
    ],
    why: "Most titles end with the same words, usually the name of the site; this one does not name it at all. Often the page has an old template, or somebody wrote the title by hand and forgot it.",
    fix: "End the title as the others do, where the page belongs to the same site.",
    references: &["https://developers.google.com/search/docs/appearance/title-link"],
    case: Case::new(
        &[
            html(
                "/",
                "<!doctype html><title>Welcome</title><a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a> <a href=\"/d\">d</a> <a href=\"/e\">e</a> <a href=\"/f\">f</a>",
            ),
            html("/a", "<!doctype html><title>Green tea | Many Teas</title>a"),
            html("/b", "<!doctype html><title>Black tea - Assam | Many Teas</title>b"),
            html("/c", "<!doctype html><title>White tea – many teas</title>c"),
            html("/d", "<!doctype html><title>Red tea | Many Teas</title>d"),
            html("/e", "<!doctype html><title>Oolong tea | Leaves</title>e"),
            html("/f", "<!doctype html><title>Many Teas: how they are picked</title>f"),
        ],
        &[("/e", 1)],
        &[
            html(
                "/",
                "<!doctype html><title>Welcome</title><a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a> <a href=\"/d\">d</a> <a href=\"/e\">e</a> <a href=\"/f\">f</a>
                 <a href=\"/g\">g</a> <a href=\"/h\">h</a> <a href=\"/i\">i</a> <a href=\"/j\">j</a> <a href=\"/k\">k</a>",
            ),
            html("/a", "<!doctype html><title>Green tea | Many Teas</title>a"),
            html("/b", "<!doctype html><title>Black tea | Many Teas</title>b"),
            html("/c", "<!doctype html><title>White tea | Many Teas</title>c"),
            html("/d", "<!doctype html><title>Red tea | Many Teas</title>d"),
            html("/e", "<!doctype html><meta name=\"robots\" content=\"noindex\"><title>Oolong tea</title>e"),
            html("/f", "<!doctype html><title>Many Teas</title>f"),
            html("/g", "<!doctype html><html lang=\"de\"><title>Grüner Tee | Viele Tees</title>g"),
            html("/h", "<!doctype html><html lang=\"de-AT\"><title>Schwarzer Tee | Viele Tees</title>h"),
            html("/i", "<!doctype html><html lang=\"de\"><title>Weißer Tee | Viele Tees</title>i"),
            html("/j", "<!doctype html><html lang=\"de\"><title>Roter Tee | Viele Tees</title>j"),
            html("/k", "<!doctype html><html lang=\"de\"><title>Viele Tees | Auf dem Hügel</title>k"),
        ],
    )
    .with(&[("audit.title_pattern_pages", "4"), ("audit.title_pattern_share", "57")]),
    ..PLAIN
}];
