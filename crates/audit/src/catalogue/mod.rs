//! The catalogue: one file per family, every audit one value.

mod accessibility;
mod answers;
mod bookmarks;
mod canonical_forms;
mod canonicals;
mod change;
mod content;
mod descriptions;
mod directive_words;
mod directives;
mod exposure;
mod headings;
mod hreflang;
mod hrefs;
mod html;
mod images;
mod keywords;
mod links;
mod pagination;
mod performance;
mod redirect_ends;
mod redirects;
mod responses;
mod robots;
mod security;
mod sitemap_lists;
mod sitemap_parts;
mod sitemaps;
mod social;
mod structured;
mod texts;
mod title_patterns;
mod titles;
mod urls;

use crate::audit::{Audit, Escalation, Family, Priority, Rule, Scope, Severity};
use crate::cases::{Case, Resource};
use std::sync::OnceLock;

/// Every audit, families in the order of `Family::ALL`.
pub fn catalogue() -> &'static [&'static Audit] {
    static ALL: OnceLock<Vec<&'static Audit>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<&'static Audit> = [
            responses::AUDITS,
            answers::AUDITS,
            redirects::AUDITS,
            redirect_ends::AUDITS,
            robots::AUDITS,
            directives::AUDITS,
            directive_words::AUDITS,
            canonicals::AUDITS,
            canonical_forms::AUDITS,
            urls::AUDITS,
            bookmarks::AUDITS,
            links::AUDITS,
            hrefs::AUDITS,
            pagination::AUDITS,
            hreflang::AUDITS,
            sitemaps::AUDITS,
            sitemap_lists::AUDITS,
            titles::AUDITS,
            descriptions::AUDITS,
            headings::AUDITS,
            keywords::AUDITS,
            title_patterns::AUDITS,
            content::AUDITS,
            texts::AUDITS,
            images::AUDITS,
            security::AUDITS,
            exposure::AUDITS,
            structured::AUDITS,
            social::AUDITS,
            html::AUDITS,
            performance::AUDITS,
            accessibility::AUDITS,
            change::AUDITS,
        ]
        .into_iter()
        .flatten()
        .collect();
        all.sort_by_key(|audit| audit.family);
        all
    })
}

/// The audit with this id.
pub fn find(id: &str) -> Option<&'static Audit> {
    catalogue().iter().find(|audit| audit.id == id).copied()
}

/// What most audits have in common; each names what differs.
const PLAIN: Audit = Audit {
    id: "",
    title: "",
    family: Family::Responses,
    severity: Severity::Warning,
    priority: Priority::Medium,
    scope: Scope::Page,
    version: 1,
    rule: Rule::Select("SELECT 0 AS url, 0 AS ref WHERE 0"),
    thresholds: &[],
    escalation: None,
    evidence: &[],
    why: "",
    fix: "",
    references: &[],
    case: Case::new(&[], &[], &[]),
};

/// Pages of which no more can be said than that they are empty, or that their bytes cannot be read.
const BLANK: Resource = crate::cases::html("/blank", "");
const GARBLED: Resource = crate::cases::html("/garbled", "no compressed page")
    .headed(&[("Content-Type", "text/html"), ("Content-Encoding", "gzip")]);

const fn raised(when: &'static str, severity: Severity, priority: Priority) -> Option<Escalation> {
    Some(Escalation { when, severity, priority })
}

/// A target that cannot be shown, of this site or of another one where that is certain.
const BROKEN_FILE: &str = "(internal AND (broken OR (redirect_id IS NOT NULL AND NOT loop AND final_broken))) \
 OR (NOT internal AND (status IN (404, 410) OR (failed AND reason = 'dns')))";

/// Evidence of audits whose findings are flaws of the markup.
const FLAW: &[(&str, &str)] = &[("found", "flaw_detail"), ("element", "flaw_element"), ("line", "flaw_line")];

/// Evidence of audits whose findings are link occurrences.
const LINK: &[(&str, &str)] = &[
    ("target", "link_target"),
    ("raw_href", "link_href"),
    ("anchor", "link_anchor"),
    ("kind", "link_kind"),
    ("rel", "nullif(link_rel, '')"),
    ("element", "link_element"),
    ("line", "link_line"),
    ("position", "link_position"),
    ("status", "link_status"),
    ("reason", "link_reason"),
];

/// Evidence of link occurrences whose target may redirect.
const REDIRECTED_LINK: &[(&str, &str)] = &[
    ("target", "link_target"),
    ("raw_href", "link_href"),
    ("anchor", "link_anchor"),
    ("kind", "link_kind"),
    ("element", "link_element"),
    ("line", "link_line"),
    ("position", "link_position"),
    ("status", "link_status"),
    ("reason", "link_reason"),
    ("final_url", "link_final_url"),
    ("final_status", "link_final_status"),
];

/// Evidence of link occurrences that were never asked for.
const HREF: &[(&str, &str)] = &[
    ("target", "link_target"),
    ("raw_href", "link_href"),
    ("anchor", "link_anchor"),
    ("kind", "link_kind"),
    ("element", "link_element"),
    ("line", "link_line"),
    ("position", "link_position"),
];
