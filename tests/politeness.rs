//! The manners of an audit, proven from the server's log: robots.txt first and once, disallowed URLs never, at most
//! five requests at once to a host, delays kept, each URL once, HEAD for what is no page, other sites once and
//! never followed.

use gossamer_tests::random_site::Truth;
use gossamer_tests::results::{assert_reconciles, rows};
use gossamer_tests::{Answer, Gossamer, RandomSite, Request, Server, Shape, Site};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// Settings that these tests change.
const DELAY: &str = "pace.delay";
const CONCURRENCY: &str = "pace.concurrency";

/// What the way from the client to the server may add to, or take from, a spacing on a busy computer.
const JITTER: Duration = Duration::from_millis(60);

struct Audited {
    _folder: TempDir,
    project: PathBuf,
}

fn audit(server: &Server, settings: &[(&str, &str)]) -> Audited {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let mut run = Gossamer::audit(&[server.url("main", "/")], &project).limit(Duration::from_secs(120));
    // Probes and the confirmation of what is broken are requests of their own, with tests of their own.
    run = run.set("extras.probes", "false").set("extras.confirm", "false");
    for (key, value) in settings {
        run = run.set(key, value);
    }
    let _ = run.run().expect_code(0);
    Audited { _folder: folder, project }
}

/// The paths that were asked of an origin, in order of arrival.
fn asked(server: &Server, origin: &str) -> Vec<String> {
    server.log().of(origin).into_iter().map(|request| request.path).collect()
}

fn assert_polite(server: &Server, truth: &Truth) {
    let log = server.log();
    log.assert_robots_first_and_once();
    log.assert_at_most_at_once(5);
    // GET after HEAD is the named exception where HEAD is refused, and where it fails: a link is called broken only
    // after GET agreed.
    let fails = |path: &&String| path.starts_with("/img/") || path.starts_with("/ext/");
    let reached = truth.reachable.iter().chain(&truth.external);
    let also_by_get: Vec<&str> =
        truth.head_refused.iter().chain(reached.filter(fails)).map(String::as_str).collect();
    log.assert_each_once(&also_by_get);
    let main = asked(server, "main");
    for path in &truth.disallowed {
        assert!(!main.contains(path), "{path} is disallowed and was asked");
    }
    for path in &truth.reachable {
        assert!(main.contains(path), "{path} can be reached and was not asked");
    }
    let other = asked(server, "other");
    for path in &truth.external {
        assert!(other.contains(path), "{path} of the other site was not checked");
    }
    for path in &truth.beyond {
        assert!(!other.contains(path), "{path}: a link of the other site was followed");
    }
    let headers: std::collections::BTreeSet<Option<String>> =
        log.all().iter().map(|request| request.header("user-agent").map(str::to_owned)).collect();
    assert_eq!(headers.len(), 1, "one user agent for every request: {headers:?}");
    assert!(headers.iter().flatten().all(|agent| agent.starts_with("GossamerBot/")), "{headers:?}");
}

#[test]
fn random_sites_are_crawled_politely_and_wholly() {
    for seed in [1, 2, 3] {
        let shape = Shape { pages: 150, head_refused: 20, ..Shape::default() };
        let (server, truth) = RandomSite::new(seed, &shape).serve();
        let audited = audit(&server, &[]);
        assert_polite(&server, &truth);
        assert_reconciles(&audited.project);
        assert_eq!(rows(&audited.project, "v_crawls", &["queued"]), [["0"]]);
        let pages: std::collections::BTreeSet<String> = rows(&audited.project, "v_pages", &["url", "status"])
            .into_iter()
            .filter(|row| row[1] == "200")
            .map(|row| row[0].clone())
            .collect();
        let expected = truth.html.iter().map(|path| server.url("main", path)).collect();
        assert_eq!(pages, expected, "pages of seed {seed}");
    }
}

/// A home page with `count` links to small pages, each answered after `wait`.
fn star(count: usize, wait: Duration, robots: &str) -> Server {
    let links: Vec<String> = (0..count).map(|number| format!("/p{number}.html")).collect();
    let mut site = Site::single().route("main", "/", Answer::page("Home", &links)).route(
        "main",
        "/robots.txt",
        Answer::text(robots),
    );
    for link in &links {
        site = site.route("main", link, Answer::page("Leaf", &["/"]).after(wait));
    }
    site.serve()
}

#[test]
fn five_at_once_and_never_more() {
    let server = star(60, Duration::from_millis(40), "");
    let _ = audit(&server, &[]);
    server.log().assert_at_most_at_once(5);
    assert_eq!(server.log().most_at_once("main"), 5, "the allowance is used");
    assert_eq!(server.log().len(), 62);
}

#[test]
fn one_at_once_when_told() {
    let server = star(20, Duration::from_millis(5), "");
    let _ = audit(&server, &[(CONCURRENCY, "1")]);
    server.log().assert_at_most_at_once(1);
    assert_eq!(server.log().len(), 22);
}

#[test]
fn the_delay_is_kept() {
    let server = star(12, Duration::ZERO, "");
    let _ = audit(&server, &[(DELAY, "200ms")]);
    server.log().assert_spaced("main", Duration::from_millis(200), JITTER);
    assert_eq!(server.log().len(), 14);
}

#[test]
fn a_longer_crawl_delay_wins_over_the_delay() {
    let server = star(6, Duration::ZERO, "User-agent: *\nCrawl-delay: 0.5\n");
    let _ = audit(&server, &[(DELAY, "100ms")]);
    server.log().assert_spaced("main", Duration::from_millis(500), JITTER);
    assert_eq!(server.log().len(), 8);
}

#[test]
fn slow_answers_do_not_loosen_the_spacing() {
    let server = star(10, Duration::from_millis(350), "User-agent: gossamerbot\nCrawl-delay: 0.2\n");
    let _ = audit(&server, &[]);
    server.log().assert_spaced("main", Duration::from_millis(200), JITTER);
    assert_eq!(server.log().len(), 12);
}

#[test]
fn pages_by_get_all_else_by_head() {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let (outside, blocked) = (site.url("other", "/page"), site.url("other", "/no/page"));
    let home = format!(
        "<!doctype html><html lang=en><head><title>Home</title><link rel=stylesheet href=/a.css><script src=/a.js></script>\
         <link rel=icon href=/favicon.png></head><body><img src=/a.png alt=x><a href=/page>page</a><a href=/a.pdf>file</a>\
         <a href=/page.html>again</a><a href=/really.pdf>html in truth</a><img src=/refused.png alt=x><img src=/gone.png alt=x>\
         <a href={outside}>out</a><a href={outside}>out again</a><a href={blocked}>blocked there</a></body></html>"
    );
    let png = || Answer::body("image/png", *b"\x89PNG\r\n\x1a\n");
    let server = site
        .route("main", "/", Answer::html(home))
        .route("main", "/a.css", Answer::body("text/css", "a{}"))
        .route("main", "/a.js", Answer::body("text/javascript", "1"))
        .route("main", "/favicon.png", png())
        .route("main", "/a.png", png())
        .route("main", "/page", Answer::page("Page", &["/"]))
        .route("main", "/page.html", Answer::page("Other page", &[outside.as_str()]))
        .route("main", "/a.pdf", Answer::body("application/pdf", "%PDF"))
        .route("main", "/really.pdf", Answer::page("In truth", &["/found.html"]))
        .route("main", "/found.html", Answer::page("Found", &["/"]))
        .route("main", "/refused.png", png().but_for_head(Answer::status(405)))
        .route("other", "/robots.txt", Answer::text("User-agent: *\nDisallow: /no/\n"))
        .route("other", "/page", Answer::page("Outside", &["/next"]))
        .serve();
    let _ = audit(&server, &[]);
    let check = |origin: &str, path: &str, expect: &[&str]| {
        assert_eq!(server.log().methods(origin, path), expect, "{origin} {path}");
    };
    for page in ["/", "/page", "/page.html", "/found.html"] {
        check("main", page, &["GET"]);
    }
    for other in ["/a.css", "/a.js", "/favicon.png", "/a.png", "/a.pdf"] {
        check("main", other, &["HEAD"]);
    }
    check("main", "/really.pdf", &["HEAD", "GET"]);
    check("main", "/gone.png", &["HEAD", "GET"]);
    // Where the host has refused HEAD before, GET may come at once.
    let refused = server.log().methods("main", "/refused.png");
    assert!(refused == ["HEAD", "GET"] || refused == ["GET"], "{refused:?}");
    check("other", "/page", &["HEAD"]);
    check("other", "/no/page", &[]);
    check("other", "/next", &[]);
    server.log().assert_robots_first_and_once();
}

#[test]
fn a_host_that_says_429_is_left_alone_as_long_as_it_says() {
    let links: Vec<String> = (0..12).map(|number| format!("/p{number}.html")).collect();
    let mut site = Site::single().route("main", "/", Answer::page("Home", &links));
    for (number, link) in links.iter().enumerate() {
        let page = Answer::page("Leaf", &["/"]).after(Duration::from_millis(10));
        let answers = match number {
            3 => vec![Answer::status(429).header("Retry-After", "1"), page],
            _ => vec![page],
        };
        site = site.sequence("main", link, answers);
    }
    let server = site.serve();
    let _ = audit(&server, &[]);
    let all = server.log().all();
    let refused: Vec<&Request> = all.iter().filter(|request| request.path == links[3]).collect();
    assert_eq!(refused.len(), 2, "asked once more, since the server itself said when");
    let said = refused[0].ended.expect("an end");
    for request in &all {
        let since = request.started.saturating_duration_since(said);
        // What was already on its way when the answer came is not held against the program.
        let on_its_way = since <= JITTER;
        assert!(
            on_its_way || since + JITTER >= Duration::from_secs(1),
            "{} came {since:?} after the 429",
            request.path
        );
    }
    for (path, times) in server.log().counts().into_iter().map(|((_, _, path), times)| (path, times)) {
        assert_eq!(times, if path == links[3] { 2 } else { 1 }, "{path}");
    }
}

#[test]
fn broken_connections_are_retried_twice_and_statuses_never() {
    let server = Site::single()
        .route("main", "/", Answer::page("Home", &["/reset.html", "/500.html", "/404.html", "/once.html"]))
        .route("main", "/reset.html", Answer::reset())
        .sequence("main", "/once.html", vec![Answer::reset(), Answer::page("Late", &["/"])])
        .route("main", "/500.html", Answer::status(500))
        .serve();
    let audited = audit(&server, &[]);
    let requests: Vec<Request> =
        server.log().of("main").into_iter().filter(|request| request.path == "/reset.html").collect();
    // Three attempts and no more. The first repetition comes at once where the connection that was reset had been idle,
    // since such a reset says nothing of the URL; every other one waits.
    assert_eq!(requests.len(), 3);
    let gaps: Vec<Duration> =
        requests.windows(2).map(|pair| pair[1].started.duration_since(pair[0].started)).collect();
    let half = Duration::from_millis(500);
    assert!(gaps[1] >= half && gaps[1] < half * 6, "{gaps:?} between attempts");
    assert_eq!(server.log().methods("main", "/500.html"), ["GET"]);
    assert_eq!(server.log().methods("main", "/404.html"), ["GET"]);
    assert_eq!(server.log().methods("main", "/once.html"), ["GET", "GET"]);
    let states: Vec<(String, String)> = rows(&audited.project, "v_urls", &["url", "state", "reason"])
        .into_iter()
        .filter(|row| row[0].ends_with("/reset.html"))
        .map(|row| (row[1].clone(), row[2].clone()))
        .collect();
    assert_eq!(states, [("failed".to_owned(), "reset".to_owned())]);
}
