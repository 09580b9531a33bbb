//! The page says what the values are, and the kept page is the one that is made now.

use super::*;

fn row(rule: &str) -> PolicyRow {
    policies().into_iter().find(|row| row.rule == rule).unwrap_or_else(|| panic!("there is no rule {rule}"))
}

/// The numbers that site owners are told, from the table itself.
#[test]
fn crucial_numbers_stand_in_the_table() {
    let check = |rule: &str, expect: [&str; 4]| {
        let row = row(rule);
        for ((words, expect), job) in row.words.iter().zip(expect).zip(Job::ALL) {
            assert!(words.contains(expect), "{rule}, {job}: “{words}” does not say “{expect}”");
        }
    };
    check("redirects of one URL", ["10", "10", "3", "5"]);
    check("requests at once", ["5 per host", "5 on the site, 1 on any other", "1 per host", "1 per host"]);
    check("between the starts of two requests to a host", ["none", "at least 0.2 s", "–", "tier"]);
    check("time limit", ["20 s", "15 s a request; the whole job stops after 10 min", "20 s in all", "10 s"]);
    check(
        "body cap, decoded",
        ["10 MB a page, 100 MB a sitemap", "5 MB a page, 50 MB a sitemap", "5 MB", "8 MB"],
    );
    let ratio = "past 1 MB, 100 times the compressed size";
    check("body cap, decoded", [ratio, ratio, "5 MB", "8 MB"]);
    check("retries", ["2 after a time-out", "none; ", "none", "up to 24 h"]);
    check("retries", ["0.5 s and 1 s later", "unconfirmed", "none", "doubles"]);
    check("pages and depth", ["no limit", "500 pages, 10 links deep", "1 page, depth 0", "1"]);
    check("link checks", ["each URL once", "500 on the site and 200 elsewhere", "–", "–"]);
    check("Crawl-delay", ["however long", "up to 30 s; a longer one counts as 30 s", "–", "–"]);
    check("whose robots.txt", ["each origin's", "once in a check", "kept 15 min", "–"]);
    check(
        "how often",
        [
            "likes",
            "once in 1 h",
            "once in 1 min, and 60 captures an hour",
            "High 15 min, Normal 1 h, Low 6 h",
        ],
    );
    check("a refusal", ["recorded", "nothing is requested", "told", "401, 403, 410"]);
    check("JavaScript", ["at most 4 pages at once", "never", "never", "never"]);
    check("sitemaps", ["names", "`/sitemap.xml`, `/sitemap_index.xml`, `/wp-sitemap.xml`", "none", "none"]);
    check("addresses", ["any", "ports 80 and 443", "ports 80 and 443", "http"]);
}

#[test]
fn every_rule_has_words_and_its_settings_exist() {
    let rows = policies();
    assert_eq!(rows.len(), 28, "one row for each field of the policy");
    let catalogue = model::settings::catalogue();
    for row in &rows {
        for words in &row.words {
            assert!(!words.is_empty() && !words.contains(['|', '\n']), "{}: {words}", row.rule);
        }
        for id in row.settings {
            assert!(catalogue.iter().any(|setting| setting.id == *id), "{}: {id}", row.rule);
        }
    }
}

/// `cargo xtask docs` writes the page; a page that was not written again is stale.
#[test]
fn the_kept_page_is_the_one_that_is_made() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/policies.md");
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(kept == policies_markdown(), "docs/policies.md is stale: run `cargo xtask docs`");
}
