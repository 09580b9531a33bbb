//! The demo site has the defects that it was built with, and the audits find every one of them that this version judges.

use engine::demo::{Demo, FAULTS};
use gossamer_tests::program::Gossamer;
use gossamer_tests::results::rows;
use std::collections::BTreeSet;

#[test]
fn every_planted_defect_is_found() {
    let demo = Demo::start().expect("the demo site");
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("demo.gossamer");
    // Another site's links lead nowhere on purpose; one try tells that as well as three.
    let _ = Gossamer::audit(&[demo.url()], &project).set("fetch.retries", "0").run().expect_code(0);

    let found: BTreeSet<(String, String)> = rows(&project, "v_issues", &["audit", "url"])
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    let judged: BTreeSet<String> = engine::audits().into_iter().map(|audit| audit.id).collect();
    let (mut missing, mut expected) = (Vec::new(), 0);
    for fault in FAULTS.iter().filter(|fault| judged.contains(fault.audit)) {
        expected += 1;
        let url = demo.address_of(fault.path);
        if !found.contains(&(fault.audit.to_owned(), url.clone())) {
            missing.push(format!("{} at {url}: {}", fault.audit, fault.remark));
        }
    }
    assert!(expected >= 60, "only {expected} of the planted defects belong to an audit of this version");
    assert!(
        missing.is_empty(),
        "{} of {expected} planted defects were not found:\n{}",
        missing.len(),
        missing.join("\n")
    );

    // The numbers of the crawl reconcile, and every page was reached.
    let crawl = rows(
        &project,
        "v_crawls",
        &[
            "encountered",
            "fetched",
            "failed",
            "blocked",
            "excluded",
            "over_limit",
            "not_followed",
            "queued",
            "state",
        ],
    );
    let numbers: Vec<u64> = crawl[0][..8].iter().map(|cell| cell.parse().expect("a number")).collect();
    assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>());
    assert_eq!((numbers[7], crawl[0][8].as_str()), (0, "finished"));
    let pages = rows(&project, "v_pages", &["url"]).len();
    assert!((55..=80).contains(&pages), "{pages} pages");
}
