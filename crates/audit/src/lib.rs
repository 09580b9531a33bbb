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
mod hosts;
mod hrefs_text;
mod issues;
mod language_codes;
mod limits;
mod links;
mod not_found_phrases;
mod robots_file;
mod rows;
mod series;
mod sitemap_entries;
mod sql_functions;
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
pub use hosts::{Probe, SiteForms};
pub use issues::{finding_weights_sql, findings_of_url_sql, issues_view_sql};
pub use limits::{Limits, settings};
pub use sitemap_entries::Entry;

#[cfg(test)]
mod guards;
#[cfg(test)]
mod scene;
#[cfg(test)]
mod sitemap_tests;
#[cfg(test)]
mod tests;
