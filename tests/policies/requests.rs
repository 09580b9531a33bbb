//! What a request carries, how much of an answer is read, and that a check asks nothing twice.

use gossamer_tests::results::rows_where;
use gossamer_tests::{Answer, Visited, Web, Work};
use std::time::Duration;

/// A site whose robots.txt names a sitemap that is empty, so that nothing else is looked for.
fn site() -> Web {
    Web::new(&["main", "other"])
        .route("main", "/robots.txt", Answer::text("Sitemap: http://main.example/map.txt\n"))
        .route("main", "/map.txt", Answer::text(""))
}

fn headers(visited: &Visited, name: &str) -> Vec<String> {
    let all = visited.server.log().all();
    all.iter().filter_map(|request| request.header(name).map(str::to_owned)).collect()
}

#[test]
fn a_check_keeps_and_sends_no_cookies() {
    let visited = site()
        .route("main", "/", Answer::page("Home", &["/a", "/again"]).header("Set-Cookie", "seen=1; Path=/"))
        .route("main", "/a", Answer::page("A", &["/b"]).header("Set-Cookie", "more=1"))
        .route("main", "/b", Answer::page("B", &["/"]))
        .route("main", "/again", Answer::redirect(302, "/again").header("Set-Cookie", "gate=1; Path=/"))
        .visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(headers(&visited, "cookie"), Vec::<String>::new());
    assert_eq!(visited.methods("main", "/again"), ["GET"], "it is not asked again with its cookie");
}

#[test]
fn an_audit_sends_cookies_along_the_load_that_set_them_and_not_to_the_next_page() {
    let visited = site()
        .route("main", "/", Answer::page("Home", &["/b"]).header("Set-Cookie", "seen=1; Path=/"))
        .route("main", "/b", Answer::page("B", &["/"]))
        .visit(Work::Audit, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(headers(&visited, "cookie"), Vec::<String>::new());
}

#[test]
fn no_request_of_a_check_is_conditional_or_carries_credentials() {
    let visited = site()
        .route("main", "/", Answer::page("Home", &["/a"]).header("ETag", "\"1\""))
        .route("main", "/a", Answer::status(401).header("WWW-Authenticate", "Basic realm=x"))
        .visit(Work::Check, &[]);
    for name in ["if-none-match", "if-modified-since", "authorization", "referer"] {
        assert_eq!(headers(&visited, name), Vec::<String>::new(), "{name}");
    }
    let agents = headers(&visited, "user-agent");
    assert_eq!(agents.len(), visited.server.log().len());
    assert!(
        agents.iter().all(|agent| agent.starts_with("GossamerBot/") && *agent == agents[0]),
        "{agents:?}"
    );
}

#[test]
fn a_check_takes_no_name_and_password() {
    let web =
        site().route("main", "/", Answer::page("Home", &["/"])).start_at("http://me:secret@main.example/");
    let visited = web.visit(Work::Check, &[]);
    let error = visited.outcome.as_ref().expect_err("a refusal").to_string();
    assert!(error.contains("password") && !error.contains("secret"), "{error}");
    assert!(visited.server.log().is_empty());
}

/// A page of this many bytes whose last link stands at its very end.
fn page_of(bytes: usize) -> Answer {
    let head =
        "<!doctype html><html lang=en><head><title>Long</title></head><body><a href=/first>first</a><!--";
    let tail = "--><a href=/last>last</a></body></html>";
    let filling = bytes - head.len() - tail.len();
    Answer::html(format!("{head}{}{tail}", "x".repeat(filling)))
}

#[test]
fn a_page_is_read_up_to_ten_megabytes_by_an_audit_and_five_by_a_check() {
    let check = |work: Work, megabytes: usize, whole: bool| {
        let visited = site().route("main", "/", page_of(megabytes * 1_000_000)).visit(work, &[]);
        visited.outcome.as_ref().expect("a report");
        let rows = rows_where(&visited.project, "v_urls", &["bytes"], "url = 'http://main.example/'");
        let cap = if work == Work::Audit { 10_000_000 } else { 5_000_000 };
        let expect = (megabytes * 1_000_000).min(cap);
        assert_eq!(rows, [[expect.to_string()]], "{work:?}, {megabytes} MB");
        let asked = visited.asked("main");
        assert!(asked.contains(&"/first".to_owned()), "{work:?}: what was read is used");
        assert_eq!(asked.contains(&"/last".to_owned()), whole, "{work:?}, {megabytes} MB");
    };
    check(Work::Check, 5, true);
    check(Work::Check, 6, false);
    check(Work::Audit, 10, true);
    check(Work::Audit, 11, false);
}

/// A sitemap of plain text with one address at the beginning and one behind so many megabytes.
fn sitemap_of(megabytes: usize) -> Answer {
    let mut text = String::from("http://main.example/first\n");
    let line = format!("{}\n", " ".repeat(999));
    while text.len() < megabytes * 1_000_000 {
        text.push_str(&line);
    }
    text.push_str("http://main.example/last\n");
    Answer::text(&text)
}

#[test]
fn a_check_reads_fifty_megabytes_of_a_sitemap() {
    let check = |megabytes: usize, whole: bool| {
        let visited = site()
            .route("main", "/", Answer::page::<&str>("Home", &[]))
            .route("main", "/map.txt", sitemap_of(megabytes))
            .visit(Work::Check, &[]);
        visited.outcome.as_ref().expect("a report");
        let asked = visited.asked("main");
        assert!(asked.contains(&"/first".to_owned()), "{megabytes} MB: {asked:?}");
        assert_eq!(asked.contains(&"/last".to_owned()), whole, "{megabytes} MB: {asked:?}");
    };
    check(49, true);
    check(51, false);
}

#[test]
fn what_is_not_html_is_not_downloaded() {
    for work in [Work::Audit, Work::Check] {
        // Read to its end, each of these would take hours.
        let slow = |kind: &str| Answer::body(kind, "x".repeat(10_000)).drip(1, Duration::from_secs(2));
        let visited = site()
            .route("main", "/", Answer::page("Home", &["/archive", "/picture", "/data"]))
            .route("main", "/archive", slow("application/zip"))
            .route("main", "/picture", slow("image/png"))
            .route("main", "/data", slow("application/json"))
            .visit_in_real_time(work, &[]);
        visited.outcome.as_ref().expect("a report");
        for path in ["/archive", "/picture", "/data"] {
            assert_eq!(visited.methods("main", path), ["GET"], "{work:?} {path}");
            assert_eq!(visited.state(path).0, "fetched", "{work:?} {path}");
        }
        assert!(visited.took < Duration::from_secs(10), "{work:?}: {:?}", visited.took);
    }
}

#[test]
fn a_check_asks_for_nothing_twice() {
    let visited = site()
        .route(
            "main",
            "/",
            Answer::page("Home", &["/reset", "/500", "/503", "/429", "/closed", "/404", "/reset.png"]),
        )
        .route("main", "/reset", Answer::reset())
        .route("main", "/closed", Answer::close())
        .route("main", "/500", Answer::status(500))
        .route("main", "/503", Answer::status(503).header("Retry-After", "0"))
        .route("main", "/429", Answer::status(429).header("Retry-After", "0"))
        .visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    for path in ["/reset", "/closed", "/500", "/503", "/429", "/404"] {
        assert_eq!(visited.methods("main", path), ["GET"], "{path}");
    }
    assert_eq!(visited.state("/reset"), ("failed".to_owned(), "reset".to_owned()));
    visited.server.log().assert_robots_first_and_once();
}

#[test]
fn an_audit_asks_again_after_half_a_second_and_a_second_and_never_after_a_status() {
    // No connection is left open, so that none can have gone stale: that would be another matter, and is put right at once.
    let visited = site()
        .route("main", "/robots.txt", Answer::text("").then_close())
        .route("main", "/", Answer::page("Home", &["/closed", "/500"]).then_close())
        .route("main", "/closed", Answer::close())
        .route("main", "/500", Answer::status(500).then_close())
        .visit_in_real_time(Work::Audit, &[]);
    let asked: Vec<_> =
        visited.server.log().of("main").into_iter().filter(|request| request.path == "/closed").collect();
    assert_eq!(asked.len(), 3);
    let gaps: Vec<Duration> =
        asked.windows(2).map(|pair| pair[1].started.duration_since(pair[0].started)).collect();
    let half = Duration::from_millis(500);
    assert!(gaps[0] >= half && gaps[1] >= 2 * half && gaps[1] < 6 * half, "{gaps:?}");
    assert_eq!(visited.methods("main", "/500"), ["GET"]);
}
