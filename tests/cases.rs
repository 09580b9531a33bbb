//! The shared collection of hard cases, crawled by the program: the requests that the server saw are graded by the
//! collection's own grader, what a person must be told is compared with the documented views, and no case may crash
//! or hang the crawl.

use gossamer_tests::cases::{Case, CaseServer, collection};
use gossamer_tests::exceptions::{Exceptions, Verdict};
use gossamer_tests::spreadsheet::formula_faults;
use gossamer_tests::told::Told;
use gossamer_tests::{Gossamer, paths};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// The longest that one case may take. The slowest has three requests that time out, each tried three times.
const LIMIT: Duration = Duration::from_secs(150);

/// Crawls at once. Most of a case is waiting for a slow server.
const AT_ONCE: usize = 6;

/// What the program itself needs beside a case's body, in bytes: far more than it takes for a small site.
const OWN_MEMORY: u64 = 96 * 1024 * 1024;

/// Settings of single cases.
const SETTINGS: &[(&str, &str, &str)] = &[
    // The longest wait that the case obliges to is 3 s; one server asks for a day, which the default cap makes 120 s.
    ("http-429", "fetch.retry_after_cap", "20s"),
];

#[test]
fn hard_cases() {
    let Some(cases) = collection() else { return };
    let Some(server) = CaseServer::start() else { return };
    let mut queue: Vec<Case> = cases.into_iter().filter(|case| case.kind == "crawl").collect();
    // The slowest go first, so that none is waited for at the end.
    queue.sort_by_key(|case| case.script["expect"]["requests"]["span_at_most_s"].as_u64());
    let queue = Mutex::new(queue);
    let verdicts: Mutex<BTreeMap<String, Verdict>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(case) = queue.lock().expect("the queue").pop() else { return };
                    let verdict = judge(&server, &case);
                    verdicts.lock().expect("the verdicts").insert(case.id, verdict);
                }
            });
        }
    });
    let verdicts = verdicts.into_inner().expect("the verdicts");
    assert!(!verdicts.is_empty(), "the collection has no crawl case");
    let exceptions = Exceptions::read(&paths::repository().join("tests/cases-exceptions.txt"));
    let passed =
        verdicts.values().filter(|verdict| verdict.ruin.is_none() && verdict.faults.is_empty()).count();
    eprintln!("{passed} of {} cases pass", verdicts.len());
    for id in verdicts.keys() {
        if let Some(reason) = exceptions.reason(id) {
            eprintln!("excepted: {id} ({reason})");
        }
    }
    let complaints = exceptions.complaints(&verdicts);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Crawls one case and says what is wrong.
fn judge(server: &CaseServer, case: &Case) -> Verdict {
    let verdict = std::panic::catch_unwind(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let project = folder.path().join("case.gossamer");
        let mut run = Gossamer::audit(&server.start_urls(&case.id), &project)
            .limit(LIMIT)
            .variable("SSL_CERT_FILE", server.authority());
        for (_, setting, value) in SETTINGS.iter().filter(|(id, ..)| *id == case.id) {
            run = run.set(setting, value);
        }
        let finished = run.run();
        if finished.code != Some(0) || finished.stderr.contains("panicked") {
            let ruin = format!("exit code {:?}: {}{}", finished.code, finished.stdout, finished.stderr);
            return Verdict { ruin: Some(ruin), faults: Vec::new() };
        }
        let mut faults = server.grade(&case.id);
        let told = Told::read(&project);
        faults.extend(told.link_faults(server, case));
        faults.extend(told.page_faults(server, case));
        faults.extend(told.shown_faults(server, case));
        if !case.script["expect"]["export"].is_null() {
            faults.extend(formula_faults(&project, folder.path()));
        }
        let allowed = case.script["expect"]["limits"]["memory_growth_mb"].as_u64();
        if let Some(megabytes) = allowed
            && finished.peak_memory > OWN_MEMORY + megabytes * 1024 * 1024
        {
            faults.push(format!("{} MB of memory", finished.peak_memory / 1024 / 1024));
        }
        Verdict { ruin: None, faults }
    });
    verdict.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let ruin = text.unwrap_or_else(|| "the test itself failed".to_owned());
        Verdict { ruin: Some(ruin), faults: Vec::new() }
    })
}
