//! How hard a server is asked, and for how long.

use gossamer_tests::{Answer, Web, Work};
use std::time::Duration;

/// What the way from the client to the server may add to, or take from, a spacing on a busy computer.
const JITTER: Duration = Duration::from_millis(60);

/// A page with links to so many pages of a site, each answered after `wait`.
fn star(site: &str, count: usize, wait: Duration) -> Web {
    let links: Vec<String> = (0..count).map(|number| format!("http://{site}.example/p{number}")).collect();
    let mut web = Web::new(&["main", "other"])
        .route("main", "/robots.txt", Answer::text("Sitemap: http://main.example/map.xml\n"))
        .route("main", "/map.xml", Answer::text(""))
        .route("main", "/", Answer::page("Home", &links));
    for number in 0..count {
        web = web.route(site, &format!("/p{number}"), Answer::page("Leaf", &["/"]).after(wait));
    }
    web
}

#[test]
fn a_check_has_five_requests_at_once_on_the_site_and_no_more() {
    // Starts are 0.2 s apart: at the sixth, 1 s after the first, none of the five is answered.
    let visited = star("main", 8, Duration::from_millis(1300)).visit_in_real_time(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(visited.server.log().most_at_once("main"), 5, "the allowance is used");
    visited.server.log().assert_spaced("main", Duration::from_millis(200), JITTER);
    assert_eq!(visited.server.log().of("main").len(), 11);
}

#[test]
fn a_check_has_one_request_at_once_on_another_site() {
    let visited = star("other", 5, Duration::from_millis(500)).visit_in_real_time(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(visited.server.log().most_at_once("other"), 1);
    assert_eq!(visited.server.log().of("other").len(), 6);
}

#[test]
fn an_audit_has_five_requests_at_once_on_any_host_and_does_not_space_them() {
    let visited = star("other", 12, Duration::from_millis(300)).visit_in_real_time(Work::Audit, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(visited.server.log().most_at_once("other"), 5);
    // One after another the twelve would take 3.6 s, and spaced as in a check 2.4 s.
    let asked = visited.server.log().of("other");
    let span = asked[asked.len() - 1].started.duration_since(asked[0].started);
    assert!(span < Duration::from_secs(2), "{span:?}");
}

/// The time by the job's own clock that a site of so many pages takes whose robots.txt asks for this Crawl-delay.
fn delayed(work: Work, delay: &str, pages: usize) -> Duration {
    let robots = format!("User-agent: *\nCrawl-delay: {delay}\nSitemap: http://main.example/map.xml\n");
    let web = star("main", pages, Duration::ZERO).route("main", "/robots.txt", Answer::text(&robots));
    let visited = web.visit(work, &[]);
    visited.outcome.as_ref().expect("a report");
    // robots.txt, the start page, the sitemap and the pages.
    assert_eq!(visited.server.log().of("main").len(), pages + 3);
    assert_eq!(visited.server.log().most_at_once("main"), 1);
    visited.took
}

#[test]
fn a_crawl_delay_is_kept_whatever_it_is_by_an_audit_and_up_to_half_a_minute_by_a_check() {
    let check = |work: Work, delay: &str, each: f64| {
        let took = delayed(work, delay, 5);
        // Between eight requests there are seven spaces, each a little wider than asked for.
        let least = Duration::from_secs_f64(7.0 * each);
        assert!(took >= least && took < least + least / 10, "{work:?}, Crawl-delay {delay}: took {took:?}");
    };
    check(Work::Audit, "20", 20.0);
    check(Work::Audit, "40", 40.0);
    check(Work::Audit, "7200", 7200.0);
    check(Work::Check, "20", 20.0);
    check(Work::Check, "30", 30.0);
    check(Work::Check, "31", 30.0);
    check(Work::Check, "7200", 30.0);
    // A shorter one than a check keeps anyway changes nothing.
    check(Work::Check, "0.05", 0.2);
}

#[test]
fn a_check_keeps_the_crawl_delay_of_another_site() {
    let web = star("other", 4, Duration::ZERO).route(
        "other",
        "/robots.txt",
        Answer::text("User-agent: *\nCrawl-delay: 50\n"),
    );
    let visited = web.visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(visited.server.log().of("other").len(), 5);
    assert!(visited.took >= Duration::from_secs(4 * 30) && visited.took < Duration::from_secs(140));
}

#[test]
fn a_check_is_over_after_ten_minutes() {
    let robots = "User-agent: *\nCrawl-delay: 30\nSitemap: http://main.example/map.xml\n";
    let web = star("main", 40, Duration::ZERO).route("main", "/robots.txt", Answer::text(robots));
    let visited = web.visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    let minutes = |count: u64| Duration::from_secs(60 * count);
    assert!(visited.took >= minutes(10) && visited.took < minutes(11), "{:?}", visited.took);
    // One request each half minute: the first at the beginning, the last before the end.
    let asked = visited.server.log().of("main").len();
    assert!((19..=21).contains(&asked), "{asked} requests");
    let left = visited.of_state("over_limit");
    // What was not asked is over the limit, and so is what was under way at the end.
    let unasked = 40 - (asked - 3);
    assert!(left.len() == unasked || left.len() == unasked + 1, "{} of {unasked}", left.len());
    assert!(left.iter().all(|(_, reason)| reason == "time"), "{left:?}");
    assert!(visited.of_state("queued").is_empty());
    assert!(visited.warning("time-limit").expect("a warning").contains("10 minutes"));
}

#[test]
fn an_audit_takes_the_time_it_needs() {
    let robots = "User-agent: *\nCrawl-delay: 30\nSitemap: http://main.example/map.xml\n";
    let web = star("main", 40, Duration::ZERO).route("main", "/robots.txt", Answer::text(robots));
    let visited = web.visit(Work::Audit, &[]);
    assert!(visited.took >= Duration::from_secs(42 * 30), "{:?}", visited.took);
    assert_eq!(visited.server.log().of("main").len(), 43);
}

#[test]
fn a_request_has_twenty_seconds_in_an_audit_and_fifteen_in_a_check() {
    let check = |work: Work, settings: &[(&str, &str)], seconds: u64| {
        // Nothing but the start is asked for while it is waited for.
        let robots = "User-agent: *\nDisallow: /map.xml\nSitemap: http://main.example/map.xml\n";
        let web = Web::new(&["main"]).route("main", "/robots.txt", Answer::text(robots)).route(
            "main",
            "/",
            Answer::hang(),
        );
        let visited = web.visit_to_the_limit(work, settings, "/");
        let error = visited.outcome.as_ref().expect_err("nothing came");
        assert!(error.to_string().contains(&format!("{seconds} s")), "{work:?}: {error}");
        assert_eq!(visited.methods("main", "/"), ["GET"], "{work:?}");
        let (least, most) = (Duration::from_secs(seconds), Duration::from_secs(seconds + 2));
        assert!(visited.took >= least && visited.took < most, "{work:?}: {:?}", visited.took);
    };
    check(Work::Audit, &[("fetch.retries", "0")], 20);
    check(Work::Check, &[], 15);
}

#[test]
fn a_check_that_was_interrupted_has_no_more_time_than_one_that_was_not() {
    let robots = "User-agent: *\nCrawl-delay: 30\nSitemap: http://main.example/map.xml\n";
    let web = star("main", 40, Duration::ZERO).route("main", "/robots.txt", Answer::text(robots));
    let visited = web.visit_in_two(Work::Check, &[], 10);
    visited.outcome.as_ref().expect("a report");
    // The time of an earlier run counts up to its last answer; what it waited for after that is not known.
    assert!(visited.took < Duration::from_secs(720), "{:?}", visited.took);
    assert!(visited.of_state("over_limit").iter().all(|(_, reason)| reason == "time"));
    assert!(visited.server.log().of("main").len() <= 24);
}
