//! What is told where credentials are missing, refused, given twice or meant for another origin, where a proxy of the
//! environment is none, and where a site asks for a pace that nobody waits for.

use super::{audit, guarded, holds};
use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::server::Site;
use gossamer_tests::{Answer, Gate, Gossamer, Server, until};
use std::path::Path;
use std::time::Duration;

/// `ada:s3cret` as a request says it.
const BASIC: &str = "Basic YWRhOnMzY3JldA==";

/// The same as `audit`, with warnings shown.
fn told(urls: &[&str], project: &Path) -> Gossamer {
    let project = project.display().to_string();
    let fixed = ["--project", &project, "--progress", "plain", "--set", "fetch.retries=0"];
    Gossamer::new(["audit"].iter().chain(urls).chain(&fixed).map(|argument| (*argument).to_owned()))
}

/// A site of forty pages that lets in whoever logs in, and through the gate to those from the tenth on.
fn slow(gate: &Gate) -> Server {
    let gate = gate.clone();
    let pages: Vec<String> = (0..40).map(|number| format!("/p{number}")).collect();
    Site::bind(&[("main", 1)])
        .otherwise(move |seen| {
            let given =
                |(key, text): &(String, String)| key.eq_ignore_ascii_case("authorization") && text == BASIC;
            Some(if seen.path == "/robots.txt" {
                Answer::status(404)
            } else if seen.headers.iter().any(given) {
                let number = seen.path.trim_start_matches("/p").parse::<u32>().unwrap_or(0);
                let inside = Answer::page("Inside", &pages);
                if number < 10 { inside } else { inside.behind(&gate) }
            } else {
                Answer::status(401).header("WWW-Authenticate", "Basic realm=\"staging\"")
            })
        })
        .serve()
}

#[test]
fn a_crawl_that_was_let_in_is_not_resumed_as_a_stranger() {
    let gate = Gate::closed();
    let server = slow(&gate);
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("a.gossamer");
    let login = |run: Gossamer| run.with(&["--auth-env", "LOGIN"]).variable("LOGIN", "ada:s3cret");
    let mut running = login(audit(&server.url("main", "/"), &project)).start();
    until("pages are asked for", || server.log().len() >= 12);
    if cfg!(unix) {
        running.interrupt();
        running.wait_to_say("Stopping");
        gate.open();
        let stopped = running.wait().expect_code(130);
        let next = stopped.stdout.lines().find(|line| line.contains("gossamer resume")).unwrap_or_default();
        assert!(next.contains("a.gossamer --auth-env NAME"), "{}", stopped.stdout);
    } else {
        let _ = running.kill();
        gate.open();
    }
    let asked = server.log().len();
    let refused = Gossamer::resume(&project).run().expect_code(3);
    let origin = server.url("main", "");
    for word in [origin.as_str(), "a user name and password", "--auth-env", "--auth", "--header", "--cookie"]
    {
        assert!(refused.stderr.contains(word), "{word}: {}", refused.stderr);
    }
    assert_eq!(server.log().len(), asked, "nothing is asked without credentials");
    let resumed = login(Gossamer::resume(&project)).run().expect_code(0);
    assert_eq!(rows(&project, "v_pages", &["url"]).len(), 41, "{}", resumed.stderr);
    assert!(rows_where(&project, "v_urls", &["url"], "status = 401").is_empty());
    assert!(!holds(&std::fs::read(&project).expect("the project file"), "s3cret"));
}

#[test]
fn a_wrong_password_is_told_and_an_audit_that_it_left_empty_has_not_begun() {
    let server = guarded("authorization", BASIC);
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("a.gossamer");
    let url = server.url("main", "/");
    let run = told(&[&url], &project).with(&["--auth-env", "LOGIN"]).variable("LOGIN", "ada:wr0ng");
    let finished = run.run().expect_code(3);
    let expect = format!("the server refused the credentials given for {}", server.url("main", ""));
    assert!(finished.stderr.contains(&format!("error: {expect}")), "{}", finished.stderr);
    assert!(
        finished.stderr.contains("warning: ") && !finished.stderr.contains("wr0ng"),
        "{}",
        finished.stderr
    );
    let warned = rows_where(&project, "v_warnings", &["subject", "detail"], "code = 'credentials-refused'");
    assert_eq!(warned.len(), 1, "{warned:?}");
    assert!(warned[0][0] == url && warned[0][1].contains(&expect), "{warned:?}");
    assert_eq!(rows(&project, "v_crawls", &["state"]), [["failed"]]);
    // Without credentials a 401 is an answer as any other.
    let open = folder.path().join("open.gossamer");
    let _ = audit(&url, &open).run().expect_code(0);
    assert!(rows_where(&open, "v_warnings", &["code"], "code LIKE 'credentials%'").is_empty());
}

#[test]
fn credentials_for_an_origin_that_redirects_away_are_told_to_be_for_it() {
    let site = Site::bind(&[("open", 1), ("safe", 1)]);
    let safe = site.url("safe", "/");
    let (target, from) = (safe.clone(), site.url("open", ""));
    let server = site
        .otherwise(move |seen| {
            Some(match (seen.path.as_str(), seen.origin.as_str()) {
                ("/robots.txt", _) => Answer::status(404),
                (_, "open") => Answer::redirect(301, &target),
                _ => Answer::status(401),
            })
        })
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let run = told(&[&server.url("open", "/")], &folder.path().join("a.gossamer"));
    let finished = run.with(&["--auth-env", "LOGIN"]).variable("LOGIN", "ada:s3cret").run();
    let expect = format!("the credentials were for {from}: start at {safe}");
    assert!(finished.stderr.contains(&expect), "{expect}: {}", finished.stderr);
}

#[test]
fn credentials_that_contradict_one_another_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("a.gossamer");
    let check = |urls: &[&str], options: &[&str]| {
        let run = told(urls, &project).with(options).variable("LOGIN", "ada:s3cret");
        let finished = run.limit(Duration::from_secs(20)).run().expect_code(2);
        assert!(finished.stderr.contains("twice for http://127.0.0.1:9"), "{}", finished.stderr);
        for secret in ["s3cret", "0ther", "ada"] {
            assert!(!finished.stderr.contains(secret), "{}", finished.stderr);
        }
        assert!(!project.exists(), "nothing was begun");
    };
    check(&["http://u1:s3cret@127.0.0.1:9/", "http://u2:0ther@127.0.0.1:9/b"], &[]);
    check(&["http://u1:0ther@127.0.0.1:9/"], &["--auth-env", "LOGIN"]);
    let header = ["--auth-env", "LOGIN", "--header", "Authorization: Bearer 0ther"];
    check(&["http://127.0.0.1:9/"], &header);
    check(&["http://127.0.0.1:9/"], &["--header", "X-Key: s3cret", "--header", "X-Key: 0ther"]);
    // The same twice is no contradiction: the audit begins, and finds nobody there.
    let same = ["http://ada:s3cret@127.0.0.1:9/", "http://ada:s3cret@127.0.0.1:9/b"];
    let _ = told(&same, &project)
        .with(&["--auth-env", "LOGIN"])
        .variable("LOGIN", "ada:s3cret")
        .run()
        .expect_code(3);
    assert!(project.exists());
}

#[test]
fn a_proxy_variable_that_names_no_proxy_is_refused_by_name() {
    let server = Site::single().route("main", "/", Answer::page::<&str>("Home", &[])).serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("a.gossamer");
    let url = server.url("main", "/");
    for (name, value) in [("http_proxy", "::garbage::"), ("ALL_PROXY", "ftp://ada:s3cret@proxy.example:21")] {
        let finished = audit(&url, &project).variable(name, value).run().expect_code(3);
        assert!(finished.stderr.contains(name), "{name}: {}", finished.stderr);
        assert!(
            !finished.stderr.contains(value) && !finished.stderr.contains("s3cret"),
            "{}",
            finished.stderr
        );
        assert!(!project.exists() && server.log().is_empty(), "nothing was begun");
        let robots = Gossamer::new(["robots", &url]).variable(name, value).run().expect_code(3);
        assert!(robots.stderr.contains(name), "{}", robots.stderr);
    }
    let direct = audit(&url, &project).variable("http_proxy", "::garbage::").set("http.proxy", "none");
    let _ = direct.run().expect_code(0);
}

#[test]
fn a_long_crawl_delay_is_told_before_the_first_page() {
    let server = Site::single()
        .route("main", "/robots.txt", Answer::text("User-agent: *\nCrawl-delay: 45\n"))
        .route("main", "/", Answer::page::<&str>("Home", &[]))
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("a.gossamer");
    let url = server.url("main", "/");
    let mut running = audit(&url, &project).start();
    let warnings = || rows_where(&project, "v_warnings", &["detail"], "code = 'crawl-delay-long'");
    until("robots.txt is asked for", || !server.log().methods("main", "/robots.txt").is_empty());
    // The first page is not due before 45 s have passed.
    until("the warning is in the file", || !warnings().is_empty());
    assert!(!running.has_ended());
    let _ = running.kill();
    let warned = warnings();
    assert_eq!(warned.len(), 1, "{warned:?}");
    for word in ["45 s", "100 URLs", "75 minutes", "--ignore-robots", "limits.max_urls"] {
        assert!(warned[0][0].contains(word), "{word}: {warned:?}");
    }
    assert!(server.log().of("main").iter().all(|request| request.path == "/robots.txt"));
    let ignored = folder.path().join("ignored.gossamer");
    let _ = audit(&url, &ignored).with(&["--ignore-robots"]).run().expect_code(0);
    assert!(rows_where(&ignored, "v_warnings", &["code"], "code = 'crawl-delay-long'").is_empty());
}
