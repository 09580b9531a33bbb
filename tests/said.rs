//! What a person says about findings: which of them may stay, what an audit weighs, from what number on it speaks, and what
//! became of them when they were looked at again.

use engine::outside::{NoFaults, Seams};
use engine::{Access, CrawlChoice, Engine, EngineError, EvaluateRequest, IgnoreRequest, IgnoreWhat};
use gossamer_tests::program::Finished;
use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::{Answer, Gossamer, Seen, Server, Site};
use model::clock::{Clock, SystemClock};
use std::collections::BTreeSet;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;

/// A small site with faults, some of which its second edition mends. In the third, the server is down.
struct Stage {
    server: Server,
    edition: Arc<AtomicUsize>,
    folder: TempDir,
}

fn page(title: &str, links: &str) -> Answer {
    Answer::html(format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title><meta name=viewport content=\"width=device-width\"></head>
         <body><main><h1>A heading</h1><p>{links}</p></main><footer><a href=/gone>Gone</a></footer></body></html>"
    ))
}

fn answer(seen: &Seen, edition: usize) -> Option<Answer> {
    let mended = edition == 2;
    if edition == 3 && seen.path != "/robots.txt" {
        return Some(Answer::status(500));
    }
    Some(match seen.path.as_str() {
        "/" => page(
            "The beginning of a small site with faults",
            "<a href=/a>a</a> <a href=/b>b</a> <a href=/blog/c>c</a> <a href=/blog/d>d</a> <a href=/still-gone>gone</a>",
        ),
        "/a" => page(if mended { "A title that has now been written at last" } else { "" }, ""),
        "/b" => page("", ""),
        "/blog/c" | "/blog/d" => page("The same title on two of the pages of it", ""),
        // The footer's target comes back.
        "/gone" if mended => page("This page was gone, and now it is here again", ""),
        _ => return None,
    })
}

impl Stage {
    fn audited() -> Self {
        let edition = Arc::new(AtomicUsize::new(1));
        let now = Arc::clone(&edition);
        let server = Site::single().otherwise(move |seen| answer(seen, now.load(Ordering::SeqCst))).serve();
        let stage = Self { server, edition, folder: tempfile::tempdir().expect("a temporary folder") };
        let _ = stage.audit().expect_code(0);
        stage
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("site.gossamer")
    }

    fn url(&self, path: &str) -> String {
        self.server.url("main", path)
    }

    fn audit(&self) -> Finished {
        self.audit_with(&[])
    }

    /// One more audit of the site, with what it warns about on standard error.
    fn audit_with(&self, arguments: &[&str]) -> Finished {
        let project = self.project();
        Gossamer::new(["audit".into(), self.url("/").into(), "--project".into(), project.into_os_string()])
            .with(&["--progress", "plain", "--set", "extras.probes=false", "--set", "extras.confirm=false"])
            .with(arguments)
            .run()
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Finished {
        Gossamer::new([command.into(), self.project().into_os_string()]).with(arguments).run()
    }

    fn done(&self, command: &str, arguments: &[&str]) -> String {
        self.run(command, arguments).expect_code(0).stdout
    }

    /// Paths of the findings of an audit in the latest crawl, with whether they are ignored.
    fn findings(&self, audit: &str) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> =
            rows_where(&self.project(), "v_issues", &["url", "ignored"], &format!("audit = '{audit}'"))
                .into_iter()
                .map(|row| (row[0].replace(&self.url("/"), "/"), row[1].clone()))
                .collect();
        found.sort();
        found
    }

    /// Findings of an audit, as the list of issues counts them.
    fn counted(&self, audit: &str) -> u64 {
        let project = Engine::system().open(&self.project(), Access::Read).expect("the project");
        let lines = project.issues(CrawlChoice::Latest).expect("issues");
        lines.iter().filter(|line| line.audit == audit).map(|line| line.findings).sum()
    }

    /// What becomes of findings: result by audit and path.
    fn rechecked(&self, arguments: &[&str]) -> (Vec<(String, String, String)>, BTreeSet<String>) {
        let before = self.server.log().len();
        let _ = self.done("recheck", arguments);
        let asked =
            self.server.log().all().split_off(before).into_iter().map(|request| request.path).collect();
        let last = "crawl = (SELECT max(crawl) FROM v_crawls)";
        let query = ["--crawl", "all", "--where", last, "--columns", "result,audit,url", "--format", "csv"];
        let told = self.done("show", &[["rechecks"].as_slice(), &query].concat());
        let mut results: Vec<(String, String, String)> = told
            .lines()
            .skip(1)
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                (cells[0].to_owned(), cells[1].to_owned(), cells[2].replace(&self.url("/"), "/"))
            })
            .collect();
        results.sort();
        (results, asked)
    }
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

fn triples(list: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    list.iter().map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned())).collect()
}

fn set(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|one| (*one).to_owned()).collect()
}

#[test]
fn what_is_ignored_is_counted_nowhere_and_deleted_nowhere() {
    let stage = Stage::audited();
    assert_eq!(stage.findings("title-missing"), pairs(&[("/a", "0"), ("/b", "0")]));
    let told =
        stage.done("ignore", &["title-missing", "--url", &stage.url("/a"), "--reason", "is rewritten"]);
    assert!(told.contains("is rewritten") && told.contains(&stage.url("/a")), "{told}");
    assert_eq!(stage.findings("title-missing"), pairs(&[("/a", "1"), ("/b", "0")]));
    assert_eq!(stage.counted("title-missing"), 1);

    // Where rows are handed on, they are left out, and it is said how many.
    let issues = stage.run("issues", &["--format", "csv"]).expect_code(0);
    assert!(
        !issues.stdout.contains(&format!("title-missing,text,issue,high,{},", stage.url("/a"))),
        "{}",
        issues.stdout
    );
    assert!(issues.stderr.contains("1 finding is ignored"), "{}", issues.stderr);
    let file = stage.folder.path().join("issues.csv");
    let to = file.display().to_string();
    assert!(stage.done("export", &["v_issues", "--to", &to]).contains("1 finding is ignored left out"));
    assert_eq!(std::fs::read_to_string(&file).expect("the file").matches("title-missing").count(), 1);

    // The next crawl of the project finds it again, and it is ignored there too.
    let summary = stage.audit().expect_code(0).stdout;
    assert!(summary.contains("1 finding is ignored"), "{summary}");
    assert_eq!(stage.findings("title-missing"), pairs(&[("/a", "1"), ("/b", "0")]));

    // Undone, it counts again.
    assert!(stage.done("ignore", &["--list"]).contains("is rewritten"));
    let _ = stage.done("ignore", &["--remove", "1"]);
    assert_eq!(stage.findings("title-missing"), pairs(&[("/a", "0"), ("/b", "0")]));
    assert_eq!(stage.counted("title-missing"), 2);
    assert!(stage.done("ignore", &["--list"]).contains("Nothing is ignored"));
    assert_eq!(stage.run("ignore", &["--remove", "1"]).code, Some(2));
}

#[test]
fn findings_are_ignored_by_what_they_have_in_common() {
    let stage = Stage::audited();
    let check = |audit: &str, what: &[&str], expect: &[(&str, &str)]| {
        let reason = ["--reason", "may stay"];
        let _ = stage.done("ignore", &[[audit].as_slice(), what, &reason].concat());
        assert_eq!(stage.findings(audit), pairs(expect), "{audit} {what:?}");
        let number =
            rows(&stage.project(), "v_ignored", &["number"]).pop().expect("an entry").pop().expect("a cell");
        let _ = stage.done("ignore", &["--remove", &number]);
    };
    check("title-missing", &[], &[("/a", "1"), ("/b", "1")]);
    let (c, d) = ("/blog/c", "/blog/d");
    check("title-duplicate", &["--url-pattern", "/blog/**"], &[(c, "1"), (d, "1")]);
    check("title-duplicate", &["--url-pattern", "re:/c$"], &[(c, "1"), (d, "0")]);
    check("title-duplicate", &["--text", "THE SAME title on two of the pages of it"], &[(c, "1"), (d, "1")]);
    // One broken link of the template on each page, and another one on the first.
    let all = ["/", "/", "/a", "/b", c, d];
    let with = |flags: [&'static str; 6]| all.into_iter().zip(flags).collect::<Vec<_>>();
    check("links-to-broken", &["--element", "footer > a"], &with(["0", "1", "1", "1", "1", "1"]));
    let gone = stage.url("/still-gone");
    check(
        "links-to-broken",
        &["--element", "main>p>a", "--target", &gone],
        &with(["0", "1", "0", "0", "0", "0"]),
    );
}

#[test]
fn fail_on_looks_at_what_counts_only() {
    let stage = Stage::audited();
    let run = |stage: &Stage| stage.audit_with(&["--fail-on", "issue"]).code;
    assert_eq!(run(&stage), Some(1));
    let audits: BTreeSet<String> = rows_where(&stage.project(), "v_issues", &["audit"], "severity = 'issue'")
        .into_iter()
        .flatten()
        .collect();
    let mut ways = [0, 0];
    for (at, audit) in audits.iter().enumerate() {
        ways[at % 2] += 1;
        let _ = if at % 2 == 0 {
            stage.done("ignore", &[audit, "--reason", "all of it may stay"])
        } else {
            stage.done("severity", &[audit, "note"])
        };
    }
    assert!(ways.iter().all(|ways| *ways > 0), "{audits:?}");
    assert_eq!(run(&stage), Some(0));
}

#[test]
fn what_makes_no_sense_is_refused_with_what_to_do() {
    let stage = Stage::audited();
    let check = |command: &str, arguments: &[&str], expect: &str| {
        let refused = stage.run(command, arguments).expect_code(2);
        assert!(refused.stderr.contains(expect), "{arguments:?}: {}", refused.stderr);
    };
    let reason = ["--reason", "x"];
    check("ignore", &["title-mising", "--reason", "x"], "did you mean title-missing?");
    check("ignore", &["title-missing", "--reason", " "], "say why");
    check(
        "ignore",
        &[["title-missing", "--until", "2020-01-01"].as_slice(), &reason].concat(),
        "after today",
    );
    check(
        "ignore",
        &[["title-missing", "--until", "tomorrow"].as_slice(), &reason].concat(),
        "such as 2027-03-31",
    );
    check(
        "ignore",
        &[["title-missing", "--until", "2027-02-30"].as_slice(), &reason].concat(),
        "such as 2027-03-31",
    );
    check(
        "ignore",
        &[["title-missing", "--url", "http://elsewhere.example/"].as_slice(), &reason].concat(),
        "no crawl",
    );
    check(
        "ignore",
        &[["title-missing", "--url-pattern", "re:("].as_slice(), &reason].concat(),
        "regular expression",
    );
    check("ignore", &[["broken-page", "--text", "x"].as_slice(), &reason].concat(), "not about a title");
    check("ignore", &["title-missing"], "--reason");
    check("severity", &["title-missing", "terrible"], "warning");
    check("severity", &["title-missing", "--reset"], "already");
    check("evaluate", &["--set", "fetch.timeout=5s"], "what is crawled");
    check("evaluate", &["--set", "audit.title_px_mx=500"], "title_px_max");
    check("evaluate", &["--reset", "title_px_max"], "says nothing of");
    check("recheck", &[], "Name audits or URLs");
    check("recheck", &["--url", "http://elsewhere.example/"], "not in crawl 1");
    assert!(rows(&stage.project(), "v_ignored", &["number"]).is_empty(), "nothing was kept of all that");
}

/// The real clock, moved on.
#[derive(Debug)]
struct Later(Duration);

impl Clock for Later {
    fn now(&self) -> Instant {
        SystemClock.now()
    }

    fn wall(&self) -> SystemTime {
        SystemClock.wall() + self.0
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        SystemClock.sleep(duration)
    }
}

#[test]
fn what_has_expired_counts_again() {
    let stage = Stage::audited();
    let days = |days: u64| {
        let seams = Seams { clock: Arc::new(Later(Duration::from_secs(days * 86_400))), ..Seams::system() };
        Engine::with_seams(seams, Arc::new(NoFaults))
    };
    // Far from now, so that it is the clock that is given and not this computer's that counts.
    let (before, on) = (days(4_000), days(4_001));
    let until = on.today();
    let request = IgnoreRequest {
        audit: "title-missing".to_owned(),
        what: vec![IgnoreWhat::Audit],
        reason: "until the relaunch".to_owned(),
        until: Some(until.clone()),
    };
    let made = before
        .open(&stage.project(), Access::Write)
        .expect("the project")
        .ignore(&request)
        .expect("an entry");
    assert_eq!((made.len(), made[0].findings, made[0].expired), (1, 2, false));
    let counted = |engine: &Engine| {
        let project = engine.open(&stage.project(), Access::Read).expect("the project");
        let lines = project.issues(CrawlChoice::Latest).expect("issues");
        let line = lines.iter().find(|line| line.audit == "title-missing").map_or(0, |line| line.findings);
        let insight = engine.insight(&stage.project()).expect("the project");
        let cards = insight.issues(1).expect("cards");
        let card = cards.iter().find(|card| card.audit == "title-missing").expect("a card");
        (line, card.findings, card.ignored, project.ignored_count(CrawlChoice::Latest).expect("a count"))
    };
    assert_eq!(counted(&before), (0, 0, 2, 2));
    assert_eq!(counted(&on), (2, 2, 0, 0), "its day has come: {until}");
    let entries = on.open(&stage.project(), Access::Read).expect("the project").ignored(CrawlChoice::Latest);
    assert_eq!(
        entries.expect("entries").iter().map(|card| (card.expired, card.findings)).collect::<Vec<_>>(),
        [(true, 0)]
    );
}

#[test]
fn an_audit_weighs_what_the_project_says() {
    let stage = Stage::audited();
    let weights = || -> BTreeSet<(String, String)> {
        rows_where(&stage.project(), "v_issues", &["severity", "priority"], "audit = 'title-missing'")
            .into_iter()
            .map(|row| (row[0].clone(), row[1].clone()))
            .collect()
    };
    let own = weights();
    assert_eq!(own.len(), 1);
    assert!(stage.done("severity", &[]).contains("weighs what it says itself"));
    let _ = stage.done("severity", &["title-missing", "note", "low"]);
    assert_eq!(weights(), BTreeSet::from([("note".to_owned(), "low".to_owned())]));
    let cards = Engine::system().insight(&stage.project()).expect("the project").issues(1).expect("cards");
    let card = cards.iter().find(|card| card.audit == "title-missing").expect("a card");
    assert_eq!((card.severity.as_str(), card.priority.as_str(), card.changed), ("note", "low", true));
    assert!(stage.done("severity", &[]).contains("title-missing"));
    // Without a priority, each finding keeps its own.
    let _ = stage.done("severity", &["title-missing", "warning"]);
    let priority = own.first().expect("a weight").1.clone();
    assert_eq!(weights(), BTreeSet::from([("warning".to_owned(), priority)]));
    // It holds for later crawls, until it is taken back.
    let _ = stage.audit().expect_code(0);
    assert_eq!(weights().first().expect("a weight").0, "warning");
    let _ = stage.done("severity", &["title-missing", "--reset"]);
    assert_eq!(weights(), own);
}

#[test]
fn thresholds_are_changed_without_a_crawl_and_kept_for_the_next() {
    let stage = Stage::audited();
    let asked = stage.server.log().len();
    assert_eq!(stage.counted("title-too-long"), 0);
    let told = stage.done("evaluate", &["--set", "audit.title_max=20"]);
    let found = stage.counted("title-too-long");
    assert!(found >= 3, "{found}");
    assert!(told.contains("audit.title_max = 20") && told.contains("title-too-long"), "{told}");
    assert_eq!(stage.server.log().len(), asked, "nobody was asked for anything");

    // The next audit of the project begins with it and says so; what is said for that audit wins.
    let next = stage.audit().expect_code(0);
    assert!(next.stderr.contains("audit.title_max is 20 in this project"), "{}", next.stderr);
    assert_eq!(stage.counted("title-too-long"), found);
    let run = stage.audit_with(&["--set", "audit.title_max=200"]).expect_code(0);
    assert!(!run.stderr.contains("in this project"), "{}", run.stderr);
    assert_eq!(stage.counted("title-too-long"), 0);

    // A changed rule is no changed site.
    let _ = stage.done("evaluate", &["--crawl", "all", "--set", "title_max=21"]);
    let insight = Engine::system().insight(&stage.project()).expect("the project");
    let before = |crawl: i64| {
        let cards = insight.issues(crawl).expect("cards");
        cards.iter().find(|card| card.audit == "title-too-long").expect("a card").before
    };
    assert_eq!(before(2), Some(found), "both were judged by the same rule");
    let _ = stage.done("evaluate", &["--crawl", "3", "--reset", "all"]);
    let _ = stage.done("evaluate", &["--crawl", "3", "--set", "audit.title_max=19"]);
    assert_eq!(before(3), None, "the crawl before was judged by another one");
}

#[test]
fn what_is_stopped_in_the_middle_stays_as_it_was() {
    let stage = Stage::audited();
    let before = stage.done("issues", &[]);
    let request = EvaluateRequest {
        project: stage.project(),
        set: vec![("audit.title_max".to_owned(), "20".to_owned())],
        ..EvaluateRequest::default()
    };
    let mut told = Vec::new();
    let stopped = Engine::system().evaluate(&request, &mut |crawl, share| {
        told.push((crawl, share));
        told.len() < 2
    });
    assert!(matches!(stopped, Err(EngineError::Cancelled)), "{stopped:?}");
    assert!(told.iter().all(|(crawl, share)| *crawl == 1 && (0.0..=1.0).contains(share)), "{told:?}");
    assert_eq!(stage.done("issues", &[]), before);
    assert!(stage.audit().expect_code(0).stderr.lines().all(|line| !line.contains("in this project")));
}

#[test]
fn only_the_urls_of_the_findings_are_asked_again() {
    let stage = Stage::audited();
    stage.edition.store(2, Ordering::SeqCst);
    let (results, asked) = stage.rechecked(&["--audit", "title-missing"]);
    let expect = [("fixed", "title-missing", "/a"), ("still_there", "title-missing", "/b")];
    assert_eq!(results, triples(&expect));
    assert_eq!(asked, set(&["/robots.txt", "/a", "/b"]));
    let crawl = rows_where(&stage.project(), "v_crawls", &["job", "state", "fetched"], "crawl = 2");
    assert_eq!(crawl, [["recheck", "finished", "2"]]);

    // It is not the crawl that anybody sees or compares with unasked.
    let latest = rows(&stage.project(), "v_urls", &["crawl"]).into_iter().flatten().collect::<BTreeSet<_>>();
    assert_eq!(latest, set(&["1"]));
    let _ = stage.audit().expect_code(0);
    let cards = Engine::system().insight(&stage.project()).expect("the project").issues(3).expect("cards");
    let missing = cards.iter().find(|card| card.audit == "title-missing").expect("a card");
    assert_eq!((missing.findings, missing.before), (1, Some(2)));
}

#[test]
fn a_link_is_judged_by_its_page_and_its_target() {
    let stage = Stage::audited();
    stage.edition.store(2, Ordering::SeqCst);
    let (results, asked) = stage.rechecked(&["--audit", "links-to-broken", "--url", &stage.url("/")]);
    let expect = [("fixed", "links-to-broken", "/"), ("still_there", "links-to-broken", "/")];
    assert_eq!(results, triples(&expect));
    assert_eq!(asked, set(&["/robots.txt", "/", "/gone", "/still-gone"]));
}

#[test]
fn what_was_not_seen_is_not_called_fixed() {
    let stage = Stage::audited();
    // A rule about the site as a whole is told of with the rest of a URL, and refused alone.
    let alone = stage.run("recheck", &["--audit", "title-duplicate"]).expect_code(3);
    assert!(alone.stderr.contains("only a new"), "{}", alone.stderr);
    stage.edition.store(2, Ordering::SeqCst);
    let (results, asked) = stage.rechecked(&["--url", &stage.url("/blog/c")]);
    assert_eq!(asked, set(&["/robots.txt", "/blog/c", "/gone"]));
    assert!(
        results.contains(&("not_rechecked".to_owned(), "title-duplicate".to_owned(), "/blog/c".to_owned())),
        "{results:?}"
    );
    assert!(
        results.contains(&("fixed".to_owned(), "links-to-broken".to_owned(), "/blog/c".to_owned())),
        "{results:?}"
    );
    // Nor does a crawl of single URLs find what only a whole one can.
    let found: BTreeSet<String> =
        Gossamer::new(["show".into(), stage.project().into_os_string(), "issues".into()])
            .with(&["--crawl", "2", "--columns", "audit", "--format", "csv"])
            .run()
            .expect_code(0)
            .stdout
            .lines()
            .map(str::to_owned)
            .collect();
    for audit in ["title-duplicate", "orphan-page", "links-to-broken"] {
        assert!(!found.contains(audit), "{audit} in {found:?}");
    }

    // A server that is down says nothing of its pages.
    stage.edition.store(3, Ordering::SeqCst);
    let (results, _) = stage.rechecked(&["--audit", "title-missing"]);
    let expect = [("not_rechecked", "title-missing", "/a"), ("not_rechecked", "title-missing", "/b")];
    assert_eq!(results, triples(&expect));
    let why = stage.done("show", &["rechecks", "--crawl", "3", "--columns", "why", "--format", "csv"]);
    assert!(why.contains("it answered 500"), "{why}");
}

#[test]
fn nothing_is_called_fixed_on_a_site_that_did_not_change() {
    let demo = engine::demo::Demo::start().expect("the demo site");
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("demo.gossamer");
    let _ = Gossamer::audit(&[demo.url()], &project).set("fetch.retries", "0").run().expect_code(0);
    let urls = rows_where(&project, "v_urls", &["url"], "url LIKE 'http%'");
    let list: String = urls.into_iter().flatten().map(|url| url + "\n").collect();
    let run =
        Gossamer::new(["recheck".into(), project.clone().into_os_string(), "--list".into(), "-".into()]);
    let _ = run.with(&["--progress", "none"]).input(&list).run().expect_code(0);
    let query = ["--crawl", "2", "--columns", "result,audit,url,why", "--format", "csv"];
    let told = Gossamer::new(["show".into(), project.into_os_string(), "rechecks".into()]).with(&query).run();
    let told = told.expect_code(0).stdout;
    let of = |result: &str| told.lines().filter(|line| line.starts_with(result)).collect::<Vec<_>>();
    // How long an answer takes is the computer's affair.
    let fixed: Vec<&str> = of("fixed,").into_iter().filter(|line| !line.starts_with("fixed,slow-")).collect();
    assert!(fixed.is_empty(), "{fixed:#?}");
    assert!(of("still_there,").len() > 500, "most findings can be judged from their URLs");
    for line in of("not_rechecked,") {
        assert!(!line.ends_with(','), "without a reason: {line}");
    }
}
