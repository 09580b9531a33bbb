//! Audits: what a crawl is judged by, and the judging.
//!
//! Owns the catalogue (one [`Audit`] value per defect, one file per family), its evaluation over a project file, the
//! numbers derived from links and redirects that rules read ([`analyse`]), and the view that shows findings with their
//! evidence ([`issues_view_sql`]). An audit only reads facts: whatever needs bytes, graphs or text work was derived before.
//!
//! Absences: no HTTP, no HTML, no SQLite library (statements go through `store`), no presentation beyond the words of
//! the catalogue.

#![forbid(unsafe_code)]

mod alternates;
mod analyse;
mod audit;
mod bookmarks;
mod canonical_forms;
mod cases;
pub mod catalogue;
mod chains;
mod compile;
mod cookie_flags;
mod docs;
mod evaluate;
mod findings;
mod headers;
mod history;
mod hosts;
mod hrefs_text;
mod ignored;
mod issues;
mod language_codes;
mod limits;
mod link_bits;
mod link_score;
mod links;
mod near_duplicates;
mod not_found_phrases;
mod page_weight;
mod placed;
mod recheck;
mod reevaluate;
mod robots_file;
mod rows;
mod sections;
mod series;
mod sitemap_entries;
mod sql_functions;
mod subjects;
mod texts;
mod title_patterns;
mod urls_text;
mod variants;
mod view;

pub use analyse::analyse;
pub use audit::{
    Audit, Escalation, Family, LinkRule, Needs, Priority, Rule, Scope, Severity, Target, Text, Threshold,
    Unit,
};
pub use cases::{Body, Case, Fact, Resource, Scene};
pub use catalogue::{catalogue, find};
pub use docs::{ExplainedThreshold, Explanation, catalogue_markdown, explain};
pub use evaluate::{EvaluateError, Evaluated, Live, Step, evaluate};
pub use history::{Compared, Mapping, MappingError, MappingRule, compare};
pub use hosts::{Probe, SiteForms};
pub use ignored::{
    counts_sql, ignored_count_sql, issue_count_sql, mark_ignored, not_ignored_sql, shared_text,
};
pub use issues::{finding_weights_sql, findings_of_url_sql, issues_view_sql, templates_view_sql};
pub use limits::{Limits, Shingles, settings};
pub use recheck::{Judged, Ruling, judge_again, judgement};
pub use reevaluate::reevaluate;
pub use sitemap_entries::Entry;
pub use subjects::{Subject, subject};

#[cfg(test)]
mod guards;
#[cfg(test)]
mod scene;
#[cfg(test)]
mod sitemap_tests;
#[cfg(test)]
mod tests;
