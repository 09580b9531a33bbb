//! Where a check ends, and that an audit does not.

use gossamer_tests::results::rows;
use gossamer_tests::{Answer, Seen, Visited, Web, Work};
use std::collections::{BTreeMap, BTreeSet};

/// One page more than a check reads by far, one image more than it checks on the site, one link more than it checks
/// elsewhere. The start page names everything, so that all of it is known from the beginning.
fn large() -> Web {
    let mut home = String::from("<!doctype html><html lang=en><head><title>Home</title></head><body>");
    for number in 0..520 {
        home.push_str(&format!("<a href=/p{number}>p</a><img src=/i{number}.png alt=x>\n"));
    }
    for number in 0..230 {
        home.push_str(&format!("<a href=http://other.example/x{number}>x</a>\n"));
    }
    Web::new(&["main", "other"])
        .route("main", "/", Answer::html(home))
        .route(
            "main",
            "/robots.txt",
            Answer::text("User-agent: *\nDisallow: /p7\nSitemap: http://main.example/none.xml\n"),
        )
        .otherwise(|seen: &Seen| {
            let is_image = seen.path.ends_with(".png");
            let is_there = is_image || seen.path.starts_with("/p") || seen.path.starts_with("/x");
            is_there.then(|| {
                if is_image { Answer::body("image/png", "PNG") } else { Answer::page("Page", &["/"]) }
            })
        })
}

fn by_reason(visited: &Visited) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for (_, reason) in visited.of_state("over_limit") {
        *reasons.entry(reason).or_insert(0) += 1;
    }
    reasons
}

fn beginning(visited: &Visited, site: &str, start: &str) -> usize {
    let begins = |path: &&String| {
        path.strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    visited.asked(site).iter().filter(begins).count()
}

#[test]
fn a_check_reads_five_hundred_pages_and_checks_five_hundred_links_on_the_site_and_two_hundred_elsewhere() {
    let visited = large().visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    // The start page is one of the pages.
    assert_eq!(beginning(&visited, "main", "/p"), 499);
    assert_eq!(beginning(&visited, "main", "/i"), 500);
    assert_eq!(beginning(&visited, "other", "/x"), 200);
    // Of the 521 pages 7, 70 to 79 are forbidden: they cost nothing, and the rest is said to be over its limit.
    assert_eq!(visited.of_state("blocked").len(), 11);
    let expect = [("link-checks-elsewhere", 30), ("link-checks-on-site", 20), ("max-pages", 10)];
    let expect = expect.map(|(reason, count)| (reason.to_owned(), count));
    assert_eq!(by_reason(&visited), BTreeMap::from(expect));
    assert!(visited.of_state("queued").is_empty());
    visited.server.log().assert_each_once(&[]);
}

#[test]
fn an_audit_reads_and_checks_everything() {
    let visited = large().visit(Work::Audit, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(beginning(&visited, "main", "/p"), 509);
    assert_eq!(beginning(&visited, "main", "/i"), 520);
    assert_eq!(beginning(&visited, "other", "/x"), 230);
    assert!(by_reason(&visited).is_empty());
}

#[test]
fn an_audit_reads_as_many_pages_as_it_is_told_and_checks_the_links() {
    let settings = [("limits.max_pages", "10")];
    let visited = large().visit(Work::Audit, &settings);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(beginning(&visited, "main", "/p"), 9);
    assert_eq!(beginning(&visited, "main", "/i"), 520);
    // Ten of the 521 were read and one of the first was forbidden; of the rest nobody knows.
    assert_eq!(by_reason(&visited), BTreeMap::from([("max-pages".to_owned(), 510)]));
}

/// A page that links to a page, and so on, so many links deep; each has a picture of its own.
fn deep(links: usize) -> Web {
    let mut web = Web::new(&["main"]);
    for depth in 0..=links {
        let path = if depth == 0 { "/".to_owned() } else { format!("/d{depth}") };
        web = web.route("main", &path, Answer::page("Deep", &[format!("/d{}", depth + 1)]));
    }
    web
}

#[test]
fn a_check_goes_ten_links_deep_and_an_audit_as_deep_as_it_goes() {
    let visited = deep(13).visit(Work::Check, &[]);
    assert_eq!(visited.methods("main", "/d10"), ["GET"]);
    assert_eq!(visited.methods("main", "/d11"), Vec::<String>::new());
    assert_eq!(visited.state("/d11"), ("over_limit".to_owned(), "depth".to_owned()));
    let visited = deep(13).visit(Work::Audit, &[]);
    assert_eq!(visited.methods("main", "/d13"), ["GET"]);
    let told = [("limits.max_depth", "3")];
    let visited = deep(13).visit(Work::Audit, &told);
    assert_eq!(visited.methods("main", "/d3"), ["GET"]);
    assert_eq!(visited.state("/d4"), ("over_limit".to_owned(), "depth".to_owned()));
}

#[test]
fn a_check_that_was_interrupted_keeps_to_the_limits_of_one_that_was_not() {
    for requests in [40, 600, 1100] {
        let visited = large().visit_in_two(Work::Check, &[], requests);
        visited.outcome.as_ref().expect("a report");
        let read: BTreeSet<String> = visited.asked("main").into_iter().collect();
        // What was under way when it was stopped is asked for again, and counts once.
        let of = |start: &str, rest: &str| {
            let numbered = |path: &&String| {
                path.strip_prefix(start).and_then(|path| path.strip_suffix(rest)).is_some_and(|number| {
                    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
                })
            };
            read.iter().filter(numbered).count()
        };
        assert_eq!((of("/p", ""), of("/i", ".png")), (499, 500), "stopped after {requests}");
        let elsewhere: BTreeSet<String> = visited.asked("other").into_iter().collect();
        assert_eq!(elsewhere.len(), 200, "stopped after {requests}");
        let expect = [("link-checks-elsewhere", 30), ("link-checks-on-site", 20), ("max-pages", 10)];
        let expect = expect.map(|(reason, count)| (reason.to_owned(), count));
        assert_eq!(by_reason(&visited), BTreeMap::from(expect), "stopped after {requests}");
        let crawls = rows(&visited.project, "v_crawls", &["job", "state", "queued"]);
        assert_eq!(crawls, [["check", "finished", "0"]], "stopped after {requests}");
    }
}
