//! The declared set of a crawl: what must be equal however often the crawl was interrupted. Ids, times, sizes on
//! the wire, methods and the first source of a URL are left out, since they may differ rightly.

use crate::results::rows;
use std::collections::BTreeMap;
use std::path::Path;

/// Audits whose findings depend on how busy the computer is.
const TIMED_AUDITS: &[&str] = &["slow-first-byte", "slow-response"];

/// View → columns that must be equal.
const DECLARED: &[(&str, &[&str])] = &[
    (
        "v_urls",
        &[
            "url",
            "internal",
            "state",
            "reason",
            "status",
            "content_type",
            "depth",
            "redirect_target",
            "indexable",
            "indexability",
        ],
    ),
    (
        "v_pages",
        &[
            "url",
            "title",
            "title_px",
            "description",
            "h1",
            "canonical",
            "robots",
            "lang",
            "word_count",
            "content_hash",
            "inlinks",
            "outlinks",
            "link_score",
        ],
    ),
    (
        "v_links",
        &[
            "source",
            "target",
            "kind",
            "raw_href",
            "anchor",
            "rel",
            "position",
            "element",
            "line",
            "followed",
            "target_state",
            "target_status",
            "verdict",
        ],
    ),
    ("v_redirects", &["url", "hop", "hop_url", "status", "final_url", "final_status", "hops", "loop"]),
    ("v_sitemap_entries", &["sitemap", "url", "lastmod", "in_crawl", "status"]),
    ("v_issues", &["audit", "family", "severity", "priority", "url", "evidence"]),
];

/// Evidence without what depends on which link was met first.
fn without_first_seen(evidence: &str) -> String {
    let Ok(serde_json::Value::Object(mut values)) = serde_json::from_str(evidence) else {
        return evidence.to_owned();
    };
    for name in ["first_source", "found_by", "method"] {
        values.remove(name);
    }
    serde_json::Value::Object(values).to_string()
}

/// The declared set of a project with one crawl: view → its rows, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared(BTreeMap<&'static str, Vec<Vec<String>>>);

impl Declared {
    pub fn of(project: &Path) -> Self {
        let parts = DECLARED.iter().map(|(view, columns)| {
            let mut rows = rows(project, view, columns);
            if *view == "v_issues" {
                rows.retain(|row| !TIMED_AUDITS.contains(&row[0].as_str()));
                for row in &mut rows {
                    row[5] = without_first_seen(&row[5]);
                }
            }
            if let Some(score) = columns.iter().position(|column| *column == "link_score") {
                // The order of summation may differ, and with it the last digits.
                for row in &mut rows {
                    if let Ok(number) = row[score].parse::<f64>() {
                        row[score] = format!("{number:.2}");
                    }
                }
            }
            rows.sort();
            (*view, rows)
        });
        Self(parts.collect())
    }

    /// The rows of one view, in the columns of the declaration.
    pub fn rows(&self, view: &str) -> &[Vec<String>] {
        self.0.get(view).map_or(&[], Vec::as_slice)
    }

    /// Asserts that both are equal; the message names the first rows that differ, view by view.
    pub fn assert_same_as(&self, uninterrupted: &Self, when: &str) {
        let mut report = String::new();
        for (view, expected) in &uninterrupted.0 {
            let got = self.rows(view);
            let (missing, extra) = (without(expected, got), without(got, expected));
            if missing.is_empty() && extra.is_empty() {
                continue;
            }
            report.push_str(&format!("{view}: {} rows missing, {} extra\n", missing.len(), extra.len()));
            for row in missing.iter().take(5) {
                report.push_str(&format!("  - {row:?}\n"));
            }
            for row in extra.iter().take(5) {
                report.push_str(&format!("  + {row:?}\n"));
            }
        }
        assert!(report.is_empty(), "{when}: the result differs from an uninterrupted crawl's\n{report}");
    }

    /// Asserts that no URL has two rows.
    pub fn assert_no_duplicate_urls(&self, when: &str) {
        let urls: Vec<&str> = self.rows("v_urls").iter().map(|row| row[0].as_str()).collect();
        for pair in urls.windows(2) {
            assert_ne!(pair[0], pair[1], "{when}: two rows for one URL");
        }
    }
}

/// The rows of `these` that are not in `those`, each counted as often as it stands there. Both are sorted.
fn without(these: &[Vec<String>], those: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut rest = those.iter().peekable();
    let mut left = Vec::new();
    for row in these {
        while rest.next_if(|other| *other < row).is_some() {}
        if rest.next_if(|other| *other == row).is_none() {
            left.push(row.clone());
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(rows: &[&str]) -> Declared {
        let mut rows: Vec<Vec<String>> = rows.iter().map(|url| vec![(*url).to_owned()]).collect();
        rows.sort();
        Declared(BTreeMap::from([("v_urls", rows)]))
    }

    #[test]
    fn differences_are_found_with_their_number() {
        let check = |these: &[&str], those: &[&str], expect: &[&str]| {
            let (these, those) = (declared(these), declared(those));
            let left: Vec<String> = without(these.rows("v_urls"), those.rows("v_urls")).concat();
            assert_eq!(left, expect);
        };
        check(&["a", "b"], &["a", "b"], &[]);
        check(&["a", "b", "b"], &["b", "c"], &["a", "b"]);
        check(&["c"], &[], &["c"]);
        declared(&["a", "b"]).assert_no_duplicate_urls("distinct");
        let twice = std::panic::catch_unwind(|| declared(&["a", "b", "a"]).assert_no_duplicate_urls("twice"));
        assert!(twice.is_err());
        let differs =
            std::panic::catch_unwind(|| declared(&["a"]).assert_same_as(&declared(&["b"]), "differs"));
        assert!(differs.is_err());
    }
}
