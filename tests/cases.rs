//! The shared collection of hard cases, crawled by the program: the requests that the server saw are graded by the
//! collection's own grader, what a person must be told is compared with the documented views, and no case may crash
//! or hang the crawl.

use gossamer_tests::cases::{Case, CaseServer, collection};
use gossamer_tests::results::rows;
use gossamer_tests::{Gossamer, paths};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// The longest that one case may take: the longest span a case allows is 240 s.
const LIMIT: Duration = Duration::from_secs(300);

/// Crawls at once. Most of a case is waiting for a slow server.
const AT_ONCE: usize = 6;

/// What the program itself needs beside a case's body, in bytes: far more than it takes for a small site.
const OWN_MEMORY: u64 = 96 * 1024 * 1024;

#[test]
fn hard_cases() {
    let Some(cases) = collection() else { return };
    let Some(server) = CaseServer::start() else { return };
    let queue: Mutex<Vec<Case>> =
        Mutex::new(cases.into_iter().filter(|case| case.kind == "crawl").rev().collect());
    let results: Mutex<BTreeMap<String, Vec<String>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(case) = queue.lock().expect("the queue").pop() else { return };
                    let faults = run(&server, &case);
                    results.lock().expect("the results").insert(case.id, faults);
                }
            });
        }
    });
    let results = results.into_inner().expect("the results");
    assert!(!results.is_empty(), "the collection has no crawl case");
    report(&results, &exceptions());
}

/// The committed exceptions: id → reason.
fn exceptions() -> BTreeMap<String, String> {
    let file = paths::repository().join("tests/cases-exceptions.txt");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| match line.split_once(':') {
            Some((id, reason)) if !reason.trim().is_empty() => {
                (id.trim().to_owned(), reason.trim().to_owned())
            }
            _ => panic!("{}: an exception needs a reason: {line}", file.display()),
        })
        .collect()
}

fn report(results: &BTreeMap<String, Vec<String>>, exceptions: &BTreeMap<String, String>) {
    let mut complaints = String::new();
    let mut passed = 0;
    for (id, faults) in results {
        match (faults.is_empty(), exceptions.get(id)) {
            (true, None) => passed += 1,
            (true, Some(_)) => {
                complaints.push_str(&format!("{id} passes; take it off tests/cases-exceptions.txt\n"))
            }
            (false, Some(reason)) => eprintln!("excepted: {id} ({reason})"),
            (false, None) => complaints.push_str(&format!("{id}\n    {}\n", faults.join("\n    "))),
        }
    }
    eprintln!("{passed} of {} cases pass", results.len());
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn a_listed_case_that_passes_is_a_complaint() {
    let result = |faults: &[&str]| {
        BTreeMap::from([("x".to_owned(), faults.iter().map(|f| (*f).to_owned()).collect())])
    };
    let listed = BTreeMap::from([("x".to_owned(), "why".to_owned())]);
    let check = |faults: &[&str], exceptions: &BTreeMap<String, String>, complains: bool| {
        let outcome = std::panic::catch_unwind(|| report(&result(faults), exceptions));
        assert_eq!(outcome.is_err(), complains);
    };
    check(&[], &BTreeMap::new(), false);
    check(&["wrong"], &BTreeMap::new(), true);
    check(&["wrong"], &listed, false);
    check(&[], &listed, true);
}

/// Crawls one case and returns what is wrong.
fn run(server: &CaseServer, case: &Case) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("case.gossamer");
    let outcome = std::panic::catch_unwind(|| {
        let run = Gossamer::audit(&server.start_urls(&case.id), &project).limit(LIMIT);
        let finished = run.variable("SSL_CERT_FILE", server.authority()).run();
        let mut faults = Vec::new();
        if finished.code != Some(0) {
            faults.push(format!("exit code {:?}: {}{}", finished.code, finished.stdout, finished.stderr));
            return faults;
        }
        faults.extend(server.grade(&case.id));
        let told = Told::read(&project);
        faults.extend(told.link_faults(server, case));
        faults.extend(told.page_faults(server, case));
        let allowed = case.script["expect"]["limits"]["memory_growth_mb"].as_u64();
        if let Some(megabytes) = allowed
            && finished.peak_memory > OWN_MEMORY + megabytes * 1024 * 1024
        {
            faults.push(format!("{} MB of memory", finished.peak_memory / 1024 / 1024));
        }
        faults
    });
    outcome.unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        vec![text.unwrap_or_else(|| "the test itself failed".to_owned())]
    })
}

/// What the program tells a person about a crawl, as far as cases ask for it.
struct Told {
    /// target, kind, raw_href, verdict
    links: Vec<Vec<String>>,
    /// url, state, status, reason, indexability
    urls: Vec<Vec<String>>,
    /// url, title, indexable
    pages: Vec<Vec<String>>,
    /// url, final_status
    redirects: Vec<Vec<String>>,
    /// url, audit, evidence
    issues: Vec<Vec<String>>,
}

impl Told {
    fn read(project: &Path) -> Self {
        Self {
            links: rows(project, "v_links", &["target", "kind", "raw_href", "verdict"]),
            urls: rows(project, "v_urls", &["url", "state", "status", "reason", "indexability"]),
            pages: rows(project, "v_pages", &["url", "title", "indexable"]),
            redirects: rows(project, "v_redirects", &["url", "final_status"]),
            issues: rows(project, "v_issues", &["url", "audit", "evidence"]),
        }
    }

    fn link_faults(&self, server: &CaseServer, case: &Case) -> Vec<String> {
        let mut faults = Vec::new();
        for expectation in case.script["expect"]["links"].as_array().into_iter().flatten() {
            let part = |at: usize| expectation.get(at).and_then(Value::as_str).unwrap_or_default();
            let (subject, word, note) = (part(0), part(1), part(2));
            // A note such as "or truncated" names a second right answer.
            let also = ["truncated", "network-error", "timeout", "ok", "broken"];
            let also = also.into_iter().filter(|word| note.contains(&format!("or {word}")));
            let words: Vec<&str> = std::iter::once(word).chain(also).collect();
            match Subject::read(subject, server, case) {
                Subject::Targets(targets) => {
                    for target in targets {
                        if !words.iter().any(|word| self.says(&target, word)) {
                            faults.push(format!(
                                "{target}: {words:?} expected, told {}",
                                self.describe(&target)
                            ));
                        }
                    }
                }
                Subject::Hrefs(hrefs) => {
                    for href in hrefs {
                        if !words.iter().any(|word| self.says_of_href(&href, word)) {
                            let told: Vec<_> =
                                self.links.iter().filter(|link| link[2].ends_with(&href)).collect();
                            faults.push(format!("href {href}: {words:?} expected, told {told:?}"));
                        }
                    }
                }
                Subject::Count(count, kinds) => {
                    let of_kind = self.links.iter().filter(|link| kinds.contains(&link[1].as_str()));
                    let targets: BTreeSet<&String> = of_kind.map(|link| &link[0]).collect();
                    let right = targets
                        .iter()
                        .filter(|target| words.iter().any(|word| self.says(target, word)))
                        .count();
                    if right < count {
                        let told: Vec<String> =
                            targets.iter().map(|t| format!("{t} {}", self.describe(t))).collect();
                        faults.push(format!("{count} {words:?} expected, {right} told: {}", told.join("; ")));
                    }
                }
                Subject::Unclear => faults.push(format!("the test cannot read the expectation {subject:?}")),
            }
        }
        faults
    }

    fn verdicts<'a>(&'a self, target: &'a str) -> impl Iterator<Item = &'a str> {
        self.links.iter().filter(move |link| link[0] == target).map(|link| link[3].as_str())
    }

    fn url(&self, url: &str) -> Option<&Vec<String>> {
        self.urls.iter().find(|row| row[0] == url)
    }

    fn has_issue(&self, url: &str, audits: &[&str]) -> bool {
        self.issues.iter().any(|row| row[0] == url && audits.contains(&row[1].as_str()))
    }

    fn describe(&self, target: &str) -> String {
        let verdicts: BTreeSet<&str> = self.verdicts(target).collect();
        let issues: BTreeSet<&str> =
            self.issues.iter().filter(|row| row[0] == target).map(|row| row[1].as_str()).collect();
        format!("verdict {verdicts:?}, URL {:?}, issues {issues:?}", self.url(target).map(|row| &row[1..]))
    }

    /// Whether what is told about a URL means what a case calls `word`.
    fn says(&self, target: &str, word: &str) -> bool {
        let empty = Vec::new();
        let row = self.url(target).unwrap_or(&empty);
        let cell = |at: usize| row.get(at).map_or("", String::as_str);
        let (state, status, reason, indexability) = (cell(1), cell(2), cell(3), cell(4));
        let verdict = |wanted: &[&str]| {
            let mut verdicts = self.verdicts(target).peekable();
            verdicts.peek().is_some() && verdicts.all(|verdict| wanted.contains(&verdict))
        };
        let arrives = || self.redirects.iter().any(|row| row[0] == target && row[1].starts_with('2'));
        let kept_in_part = || {
            state == "fetched" && self.has_issue(target, &["body-truncated", "body-incomplete"])
                || ["truncated", "incomplete", "decode"].iter().any(|mark| reason.contains(mark))
        };
        let failed = || state == "failed" && (verdict(&["broken"]) || self.verdicts(target).next().is_none());
        match word {
            "ok" => verdict(&["ok"]) && status.starts_with('2') || verdict(&["redirect"]) && arrives(),
            "redirect-ok" => {
                verdict(&["redirect"]) && arrives()
                    || indexability == "meta-refresh"
                    || self.has_issue(target, &["meta-refresh"])
            }
            "broken" => verdict(&["broken"]),
            "blocked" => verdict(&["unverified"]),
            "throttled" => verdict(&["unverified"]) && matches!(status, "429" | "503"),
            "network-error" => {
                failed() && matches!(reason, "reset" | "connect" | "protocol" | "timeout" | "dns")
            }
            "timeout" => failed() && reason == "timeout",
            "tls-error" => failed() && reason.starts_with("tls"),
            "truncated" | "too-large" => kept_in_part(),
            _ => false,
        }
    }

    fn says_of_href(&self, href: &str, word: &str) -> bool {
        let exact = |link: &&Vec<String>| link[2] == href || href.starts_with('#') && link[2].ends_with(href);
        let mut links = self.links.iter().filter(exact).peekable();
        if links.peek().is_none() {
            return false;
        }
        let missing = |link: &Vec<String>| {
            let fragment = link[2].split_once('#').map_or("", |(_, fragment)| fragment);
            self.issues
                .iter()
                .any(|row| row[1] == "broken-bookmark" && row[2].contains(&format!("#{fragment}\"")))
        };
        match word {
            "invalid-url" => links.all(|link| link[3] == "invalid"),
            "fragment-missing" => links.all(missing),
            "ok" => links.all(|link| matches!(link[3].as_str(), "ok" | "redirect") && !missing(link)),
            _ => false,
        }
    }

    fn page_faults(&self, server: &CaseServer, case: &Case) -> Vec<String> {
        let mut faults = Vec::new();
        for page in case.script["expect"]["pages"].as_array().into_iter().flatten() {
            if let Some(count) = page["count"].as_u64()
                && self.pages.len() as u64 != count
            {
                faults.push(format!("{} pages, {count} expected", self.pages.len()));
            }
            let Some(path) = page["url"].as_str() else { continue };
            let url = format!("{}{path}", server.origin(&case.id, "main").unwrap_or_default());
            let Some(row) = self.pages.iter().find(|row| row[0] == url) else {
                faults.push(format!("{url} is no page"));
                continue;
            };
            if let Some(title) = page["title"].as_str()
                && row[1] != title
            {
                faults.push(format!("{url}: title {:?}, {title:?} expected", row[1]));
            }
            if let Some(indexable) = page["indexable"].as_bool()
                && (row[2] == "1") != indexable
            {
                faults.push(format!("{url}: indexable is {}", row[2]));
            }
            if let Some(follow) = page["follow"].as_bool()
                && self.has_issue(&url, &["nofollow", "robots-none"]) == follow
            {
                faults.push(format!("{url}: follow should be {follow}"));
            }
        }
        faults
    }
}

/// What an expectation is about.
#[derive(Debug, PartialEq)]
enum Subject {
    /// URLs.
    Targets(Vec<String>),
    /// Raw hrefs, or their ends when they begin with `#`.
    Hrefs(Vec<String>),
    /// At least so many different targets of these link kinds.
    Count(usize, &'static [&'static str]),
    Unclear,
}

impl Subject {
    fn read(text: &str, server: &CaseServer, case: &Case) -> Self {
        Self::read_with(text, &|origin| server.origin(&case.id, origin))
    }

    fn read_with(text: &str, origin: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = text.split(" (").next().unwrap_or_default().trim();
        if text.starts_with("http") {
            return Self::Hrefs(vec![text.to_owned()]);
        }
        if text.starts_with('#') {
            return Self::Hrefs(text.split([',', '/']).map(|part| part.trim().to_owned()).collect());
        }
        let numbers = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        ];
        let count = text.split(' ').find_map(|word| numbers.iter().position(|number| *number == word));
        if let Some(count) = count {
            let kinds: &[&str] = if text.contains("image") { &["image"] } else { &["anchor"] };
            return Self::Count(count + 1, kinds);
        }
        let targets: Option<Vec<String>> = text
            .split(", ")
            .map(|part| {
                if let Some((name, path)) = part.strip_prefix("{{").and_then(|rest| rest.split_once("}}")) {
                    return Some(format!("{}{path}", origin(name)?));
                }
                if part.starts_with('/') {
                    return Some(format!("{}{part}", origin("main")?));
                }
                // A bare name, as in "a, b": a path of the other origin.
                let bare = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
                if bare { Some(format!("{}/{part}", origin("other")?)) } else { None }
            })
            .collect();
        targets.map_or(Self::Unclear, Self::Targets)
    }
}

#[test]
fn subjects_are_read() {
    let origin = |name: &str| Some(format!("http://{name}"));
    let check = |text: &str, expect: Subject| assert_eq!(Subject::read_with(text, &origin), expect, "{text}");
    let targets = |list: &[&str]| Subject::Targets(list.iter().map(|t| (*t).to_owned()).collect());
    let hrefs = |list: &[&str]| Subject::Hrefs(list.iter().map(|t| (*t).to_owned()).collect());
    check("/a.html, /b", targets(&["http://main/a.html", "http://main/b"]));
    check("{{other}}/gone", targets(&["http://other/gone"]));
    check("a, b", targets(&["http://other/a", "http://other/b"]));
    check("http://[::1/ipv6", hrefs(&["http://[::1/ipv6"]));
    check("#top, #TOP, #", hrefs(&["#top", "#TOP", "#"]));
    check("#caf%C3%A9 / #café", hrefs(&["#caf%C3%A9", "#café"]));
    check("#ghost-two (from /z/late.html)", hrefs(&["#ghost-two"]));
    check("the first eight", Subject::Count(8, &["anchor"]));
    check("twelve images", Subject::Count(12, &["image"]));
    check("something else!", Subject::Unclear);
}
