//! Family Titles, descriptions, headings: keywords, which nobody reads any more.

use super::{FLAW, PLAIN};
use crate::audit::{Audit, Family, Priority, Rule, Scope, Severity};
use crate::cases::{Case, headed_page};
use model::FlawKind;

pub(super) const AUDITS: &[Audit] = &[Audit {
    id: "keywords-multiple",
    title: "Several meta keywords",
    family: Family::Text,
    severity: Severity::Warning,
    priority: Priority::Low,
    scope: Scope::Indexable,
    rule: Rule::Flaw(FlawKind::KeywordsMultiple),
    evidence: FLAW,
    why: "Search engines pass over keywords. That there are several shows that two parts of the template write the same thing, and may do so with what counts.",
    fix: "Remove the element from one of the two, best from both.",
    references: &["https://developers.google.com/search/docs/crawling-indexing/special-tags"],
    case: Case::new(
        &[headed_page(
            "/",
            "<meta name=\"keywords\" content=\"tea\"><meta name=\"Keywords\" content=\"cups\">",
            "",
        )],
        &[("/", 1)],
        &[headed_page(
            "/",
            "<meta name=\"keywords\" content=\"tea, cups\"><meta name=\"news_keywords\" content=\"tea\"><noscript><meta name=\"keywords\" content=\"x\"></noscript>",
            "",
        )],
    ),
    ..PLAIN
}];
