//! Conformance data of others, read where it is present (`../shared/conformance` beside the repository): every row is
//! run, and the number of rows is the one their README states.
//!
//! | set | rows | module |
//! |-|-|-|
//! | url-wpt: `urltestdata.json`, `http-subset.jsonl` | 869, 470 | [`urls`] |
//! | sitemaps-crawler-commons: `url-resolve.csv` | 22 | [`urls`] |
//! | charset-sniffer, charset-html5lib | 45, 82 | [`charsets`] |
//! | srcset, meta-refresh | 229, 69 | [`attributes`] |
//! | sitemaps-crawler-commons: `sitemap-tests.jsonl`, the documents | 26, 20 | [`sitemaps`] |
//!
//! Not run, since the product has no counterpart: setters of URLs (`setters_tests.json`) and the decoding of data:
//! addresses (`data-urls.json`, `base64.json`), which are never opened. robots.txt has its test in its own crate.

mod attributes;
mod charsets;
mod sitemaps;
mod urls;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of a set, or `None`, said visibly.
fn folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance").join(name);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: {} is not present", path.display());
    None
}

/// The rows of a JSON array, or of a file with a JSON value a line.
fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the file is readable");
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).expect("the file is JSON");
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).expect("the line is JSON")).collect()
}

fn text<'v>(row: &'v Value, key: &str) -> &'v str {
    row[key].as_str().unwrap_or_default()
}

/// What came of the rows of one set.
struct Verdicts {
    set: &'static str,
    run: usize,
    /// By id, what is wrong.
    failures: BTreeMap<String, String>,
}

impl Verdicts {
    fn of(set: &'static str) -> Self {
        Self { set, run: 0, failures: BTreeMap::new() }
    }

    /// Notes one row. Its id is unique within the set.
    fn row(&mut self, id: impl std::fmt::Display, fault: Option<String>) {
        self.run += 1;
        if let Some(fault) = fault {
            let twice = self.failures.insert(format!("{}/{id}", self.set), fault);
            assert!(twice.is_none(), "{}: {id} names two rows", self.set);
        }
    }

    /// Holds what failed against the exceptions, and the number of rows against the README's.
    fn judge(self, rows: usize) {
        let listed = exceptions(include_str!("exceptions.txt"));
        let unexpected: Vec<_> = self.failures.iter().filter(|(id, _)| !listed.contains_key(*id)).collect();
        let of_set = listed.keys().filter(|id| id.starts_with(&format!("{}/", self.set)));
        let unneeded: Vec<_> = of_set.filter(|id| !self.failures.contains_key(*id)).collect();
        println!("{}: {} rows run, {} excepted", self.set, self.run, self.failures.len() - unexpected.len());
        assert!(
            unexpected.is_empty(),
            "{}: {} of {} fail:\n{unexpected:#?}",
            self.set,
            unexpected.len(),
            self.run
        );
        assert!(unneeded.is_empty(), "exceptions without a row that fails: {unneeded:?}");
        assert_eq!(self.run, rows, "{}: rows that were run, and those the README speaks of", self.set);
    }
}

/// The committed list: ids and reasons, no more than its head allows.
fn exceptions(list: &str) -> BTreeMap<String, String> {
    let most = list.lines().find_map(|line| line.strip_prefix("# At most: ")).expect("the head has a number");
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let listed: BTreeMap<String, String> = lines
        .map(|line| line.split_once('\t').unwrap_or_else(|| panic!("no reason: {line}")))
        .map(|(id, reason)| (id.to_owned(), reason.to_owned()))
        .collect();
    assert_eq!(most.trim().parse(), Ok(listed.len()), "the number in the head; the list only shrinks");
    listed
}

#[test]
fn every_exception_belongs_to_a_set() {
    let sets = [
        urls::WPT,
        urls::HTTP_SUBSET,
        urls::RESOLVE,
        charsets::SNIFFER,
        charsets::HTML5LIB,
        attributes::SRCSET,
        attributes::REFRESH,
        sitemaps::TESTS,
        sitemaps::FILES,
    ];
    for id in exceptions(include_str!("exceptions.txt")).keys() {
        assert!(sets.iter().any(|set| id.starts_with(&format!("{set}/"))), "{id} is of no set");
    }
}

#[test]
#[should_panic(expected = "the list only shrinks")]
fn a_longer_list_than_its_head_says_fails() {
    exceptions("# At most: 0\nsrcset/1\ta reason\n");
}

#[test]
#[should_panic(expected = "fail")]
fn a_row_that_fails_without_exception_fails_the_test() {
    let mut verdicts = Verdicts::of("srcset");
    verdicts.row(1, Some("wrong".to_owned()));
    verdicts.judge(1);
}

#[test]
#[should_panic(expected = "rows that were run")]
fn a_row_that_is_not_run_fails_the_test() {
    Verdicts::of("srcset").judge(1);
}
