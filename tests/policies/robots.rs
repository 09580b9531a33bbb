//! robots.txt: whether it is obeyed, whose is read, which group counts, and what its absence means.

use gossamer_tests::{Answer, Visited, Web, Work};

/// Two sites; the first links to a page of its own, a disallowed one, and one of the other site.
fn two_sites(robots: Answer) -> Web {
    let links = ["/page", "/no/page", "http://other.example/x"];
    Web::new(&["main", "other"])
        .route("main", "/robots.txt", robots)
        .route("main", "/", Answer::page("Home", &links))
        .route("main", "/page", Answer::page("Page", &["/"]))
        .route("main", "/no/page", Answer::page("No", &["/"]))
        .route("other", "/x", Answer::page("Elsewhere", &["/next"]))
}

fn rules(text: &str) -> Answer {
    Answer::text(text)
}

#[test]
fn both_obey_each_origins_file_and_read_it_first_and_once() {
    for work in [Work::Audit, Work::Check] {
        let web = two_sites(rules("User-agent: *\nDisallow: /no/\n")).route(
            "other",
            "/robots.txt",
            rules("User-agent: *\nDisallow: /x\n"),
        );
        let visited = web.visit(work, &[]);
        visited.outcome.as_ref().expect("a report");
        visited.server.log().assert_robots_first_and_once();
        assert_eq!(visited.asked("other"), Vec::<String>::new(), "{work:?}: the other site forbids it");
        let main = visited.asked("main");
        assert!(main.contains(&"/page".to_owned()) && !main.contains(&"/no/page".to_owned()), "{main:?}");
        let blocked = visited.of_state("blocked");
        assert_eq!(blocked.len(), 2, "{work:?}: {blocked:?}");
        assert!(blocked.iter().all(|(_, reason)| reason.starts_with("robots.txt line 2: ")), "{blocked:?}");
    }
}

#[test]
fn both_follow_their_own_group_and_that_of_all_only_without_one() {
    for work in [Work::Audit, Work::Check] {
        let own = "User-agent: *\nDisallow: /\n\nUser-agent: gossamerbot\nDisallow: /no/\n";
        let visited = two_sites(rules(own)).visit(work, &[]);
        let main = visited.asked("main");
        assert!(main.contains(&"/page".to_owned()) && !main.contains(&"/no/page".to_owned()), "{main:?}");
        let other = "User-agent: otherbot\nDisallow: /page\n\nUser-agent: *\nDisallow: /no/\n";
        let visited = two_sites(rules(other)).visit(work, &[]);
        let main = visited.asked("main");
        assert!(main.contains(&"/page".to_owned()) && !main.contains(&"/no/page".to_owned()), "{main:?}");
    }
}

#[test]
fn for_both_a_file_that_is_not_there_holds_no_rules() {
    for work in [Work::Audit, Work::Check] {
        for status in [404, 410, 400, 401, 403, 451] {
            let visited = two_sites(Answer::status(status)).visit(work, &[]);
            let main = visited.asked("main");
            assert!(main.contains(&"/no/page".to_owned()), "{work:?}, {status}: {main:?}");
            assert!(visited.warning("robots-unreachable").is_none(), "{work:?}, {status}");
        }
    }
}

/// A file that cannot be read: the server is in trouble, asks for quiet, or says nothing.
fn unreadable() -> [(&'static str, Answer); 6] {
    [
        ("500", Answer::status(500)),
        ("503", Answer::status(503)),
        ("429", Answer::status(429)),
        ("reset", Answer::reset()),
        ("cut", rules("User-agent: *\nAllow: /\n").header("Content-Length", "500").then_close()),
        ("nonsense", Answer::raw("nonsense\r\n\r\n")),
    ]
}

#[test]
fn an_audit_crawls_a_site_whose_file_cannot_be_read_and_says_so() {
    for (what, answer) in unreadable() {
        let visited = two_sites(answer).visit(Work::Audit, &[("fetch.retries", "0")]);
        visited.outcome.as_ref().expect("a report");
        assert!(visited.asked("main").contains(&"/no/page".to_owned()), "{what}");
        let warning = visited.warning("robots-unreachable").expect("a warning");
        assert!(warning.contains("the site is crawled all the same"), "{what}: {warning}");
    }
}

#[test]
fn a_check_leaves_a_site_alone_whose_file_cannot_be_read() {
    for (what, answer) in unreadable() {
        let visited = two_sites(answer).visit(Work::Check, &[]);
        let error = visited.outcome.as_ref().expect_err("no report");
        assert_eq!(visited.asked("main"), Vec::<String>::new(), "{what}");
        assert_eq!(visited.server.log().len(), 1, "{what}: robots.txt is asked once, and not again");
        assert!(error.to_string().contains("robots.txt"), "{what}: {error}");
        let warning = visited.warning("robots-unreachable").expect("a warning");
        assert!(warning.contains("nothing of the site is asked"), "{what}: {warning}");
    }
}

#[test]
fn a_check_leaves_another_site_alone_whose_file_cannot_be_read() {
    for (what, answer) in unreadable() {
        let visited = two_sites(rules("")).route("other", "/robots.txt", answer).visit(Work::Check, &[]);
        visited.outcome.as_ref().expect("a report");
        assert_eq!(visited.asked("other"), Vec::<String>::new(), "{what}");
        // A status says that the site is there and is not to be asked; without an answer the link leads nowhere.
        let (state, reason) = visited.state("other.example/x");
        let expect = match what {
            "reset" | "cut" => ("failed", "reset"),
            "nonsense" => ("failed", "protocol"),
            status => ("blocked", status),
        };
        assert!(state == expect.0 && reason.contains(expect.1), "{what}: {state}, {reason}");
    }
}

#[test]
fn an_audit_checks_links_to_another_site_whose_file_cannot_be_read() {
    let web = two_sites(rules("")).route("other", "/robots.txt", Answer::status(503));
    let visited = web.visit(Work::Audit, &[]);
    assert_eq!(visited.methods("other", "/x"), ["HEAD"]);
}

#[test]
fn an_audit_with_robots_off_ignores_what_the_site_says_and_nothing_else() {
    let own = "User-agent: *\nDisallow: /no/\nCrawl-delay: 1000\nSitemap: http://main.example/map.xml\n";
    let web = two_sites(rules(own)).route("other", "/robots.txt", rules("User-agent: *\nDisallow: /x\n"));
    let visited = web.visit(Work::Audit, &[("robots.obey", "false")]);
    visited.outcome.as_ref().expect("a report");
    let main = visited.asked("main");
    assert!(main.contains(&"/no/page".to_owned()), "Disallow is ignored: {main:?}");
    assert!(!main.contains(&"/map.xml".to_owned()), "Sitemap lines are not read: {main:?}");
    assert!(visited.took.as_secs() < 100, "Crawl-delay is ignored");
    // The file is still fetched, first and once, and other sites' files are obeyed.
    visited.server.log().assert_robots_first_and_once();
    assert_eq!(visited.server.log().methods("main", "/robots.txt"), ["GET"]);
    assert_eq!(visited.asked("other"), Vec::<String>::new());
}

#[test]
fn a_check_cannot_be_told_to_ignore_robots() {
    let forbid = || two_sites(rules("User-agent: *\nDisallow: /no/\n"));
    let visited = forbid().visit(Work::Check, &[("robots.obey", "false")]);
    let error = visited.outcome.as_ref().expect_err("a refusal").to_string();
    assert!(error.contains("robots.obey: A Check always obeys robots.txt."), "{error}");
    assert!(visited.server.log().is_empty(), "nothing is asked");
    // A profile made for audits serves a check all the same, by what a check may take of it.
    let profile = "version = 1\n[robots]\nobey = false\n[agent]\npreset = \"browser\"\n";
    let visited = forbid().with_profile(profile).visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    assert!(!visited.asked("main").contains(&"/no/page".to_owned()));
    let told = |id: &str| {
        visited.warnings.iter().any(|(code, text)| code == "setting-left-out" && text.contains(id))
    };
    assert!(told("robots.obey") && told("agent.preset"), "{:?}", visited.warnings);
    for request in visited.server.log().all() {
        let agent = request.header("user-agent").unwrap_or_default();
        assert!(agent.starts_with("GossamerBot/"), "{agent}");
    }
}

/// What a start page that is forbidden leads to.
fn forbidden_start(work: Work) -> Visited {
    two_sites(rules("User-agent: *\nDisallow: /\n")).visit(work, &[])
}

#[test]
fn a_refusal_is_recorded_by_an_audit_and_ends_a_check() {
    let linked = two_sites(rules("User-agent: *\nDisallow: /no/\n")).visit(Work::Audit, &[]);
    assert_eq!(linked.of_state("blocked").len(), 1);
    let issues = gossamer_tests::results::rows(&linked.project, "v_issues", &["audit", "url"]);
    let named = issues.iter().any(|row| row[0] == "blocked-by-robots" && row[1].ends_with("/no/page"));
    assert!(named, "{issues:?}");
    for work in [Work::Audit, Work::Check] {
        let visited = forbidden_start(work);
        assert!(visited.outcome.is_err(), "{work:?}");
        assert_eq!(visited.asked("main"), Vec::<String>::new(), "{work:?}: nothing is requested");
    }
}

#[test]
fn a_check_takes_the_twin_that_the_start_leads_to_for_the_site_and_reads_its_robots_first() {
    let visited = Web::new(&["main", "www.main"])
        .route("main", "/", Answer::redirect(301, "http://www.main.example/"))
        .route("www.main", "/robots.txt", Answer::text("User-agent: *\nDisallow: /no/\n"))
        .route("www.main", "/", Answer::page("Home", &["/page", "/no/page"]))
        .route("www.main", "/page", Answer::page("Page", &["/"]))
        .visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    visited.server.log().assert_robots_first_and_once();
    assert_eq!(visited.methods("www.main", "/page"), ["GET"]);
    assert_eq!(visited.methods("www.main", "/no/page"), Vec::<String>::new());
}

#[test]
fn both_fall_back_to_http_where_https_was_only_a_guess() {
    for work in [Work::Audit, Work::Check] {
        let visited = two_sites(rules(""))
            .start_at("main.example")
            .visit(work, &[("fetch.retries", "0")][usize::from(work == Work::Check)..]);
        visited.outcome.as_ref().expect("a report");
        assert_eq!(visited.methods("main", "/page"), ["GET"], "{work:?}");
        assert!(visited.warning("https-unavailable").is_some(), "{work:?}");
    }
}
