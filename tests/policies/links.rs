//! Which links are asked for, by which method, and what a redirect leads to.

use gossamer_tests::{Answer, Web, Work};

fn png() -> Answer {
    Answer::body("image/png", *b"\x89PNG\r\n\x1a\n")
}

/// A page with every kind of link.
fn rich() -> Web {
    let home = "<!doctype html><html lang=en><head><title>Home</title><link rel=stylesheet href=/a.css><script src=/a.js></script>\
        <link rel=icon href=/favicon.png><link rel=manifest href=/app.json><meta property=og:image content=/social.png>\
        <link rel=alternate type=application/rss+xml href=/feed><link rel=preload as=font href=/a.woff2></head>\
        <body><img src=/a.png alt=x><a href=/page>page</a><a href=/a.pdf>file</a><a href=/really.pdf>html in truth</a>\
        <img src=http://other.example/pic.png alt=x><video src=/film.mp4></video><object data=/plan.svg></object>\
        <a href=http://other.example/page>out</a><a href=http://other.example/page>out again</a></body></html>";
    Web::new(&["main", "other"])
        .route("main", "/", Answer::html(home))
        .route("main", "/page", Answer::page("Page", &["http://other.example/page", "/"]))
        .route("main", "/a.png", png())
        .route("main", "/a.pdf", Answer::body("application/pdf", "%PDF"))
        .route("main", "/really.pdf", Answer::page("In truth", &["/found"]))
        .route("main", "/found", Answer::page("Found", &["/"]))
        .route("other", "/page", Answer::page("Outside", &["/next"]))
        .route("other", "/pic.png", png())
}

#[test]
fn a_check_gets_pages_and_asks_for_links_and_images_with_one_head_and_for_nothing_else() {
    let visited = rich().visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    let check = |site: &str, path: &str, expect: &[&str]| {
        assert_eq!(visited.methods(site, path), expect, "{site} {path}");
    };
    check("main", "/", &["GET"]);
    check("main", "/page", &["GET"]);
    check("main", "/a.png", &["HEAD"]);
    check("main", "/a.pdf", &["HEAD"]);
    check("main", "/really.pdf", &["HEAD"]);
    check("other", "/page", &["HEAD"]);
    check("other", "/pic.png", &["HEAD"]);
    let mut main = visited.asked("main");
    main.sort();
    // Beside these only the usual places of a sitemap; neither scripts, styles, icons nor whatever else a page names.
    assert_eq!(
        main,
        [
            "/",
            "/a.pdf",
            "/a.png",
            "/page",
            "/really.pdf",
            "/sitemap.xml",
            "/sitemap_index.xml",
            "/wp-sitemap.xml"
        ]
    );
    assert_eq!(visited.asked("other").len(), 2, "nothing of another site is followed");
    visited.server.log().assert_each_once(&[]);
}

#[test]
fn an_audit_gets_pages_and_asks_for_everything_else_with_head() {
    let visited = rich().visit(Work::Audit, &[]);
    visited.outcome.as_ref().expect("a report");
    let check = |site: &str, path: &str, expect: &[&str]| {
        assert_eq!(visited.methods(site, path), expect, "{site} {path}");
    };
    check("main", "/page", &["GET"]);
    check("main", "/a.png", &["HEAD"]);
    // A HEAD that turns out to be a page of the site leads to a GET, and what the page links to is read.
    check("main", "/really.pdf", &["HEAD", "GET"]);
    check("main", "/found", &["GET"]);
    for resource in ["/a.css", "/a.js", "/favicon.png", "/app.json", "/social.png", "/film.mp4", "/plan.svg"]
    {
        // Each is missing here, and is called so only after GET agreed.
        check("main", resource, &["HEAD", "GET"]);
    }
    check("other", "/page", &["HEAD"]);
    check("other", "/next", &[]);
}

/// A page of the site with a link to this path of another site, which answers HEAD so, and GET with 200.
fn refusing(head: Answer) -> Web {
    Web::new(&["main", "other"]).route("main", "/", Answer::page("Home", &["http://other.example/x"])).route(
        "other",
        "/x",
        Answer::page("There", &["/"]).but_for_head(head),
    )
}

#[test]
fn a_check_asks_with_get_only_where_head_was_refused() {
    let check = |head: Answer, what: &str, expect: &[&str]| {
        let visited = refusing(head).visit(Work::Check, &[]);
        assert_eq!(visited.methods("other", "/x"), expect, "HEAD answered {what}");
    };
    for refused in [400, 403, 405, 500, 501, 503, 599] {
        check(Answer::status(refused), &refused.to_string(), &["HEAD", "GET"]);
    }
    check(Answer::reset(), "nothing", &["HEAD", "GET"]);
    check(Answer::raw("nonsense\r\n\r\n"), "nonsense", &["HEAD", "GET"]);
    for believed in [404, 410, 401, 402, 406, 418, 429, 451] {
        check(Answer::status(believed), &believed.to_string(), &["HEAD"]);
    }
}

#[test]
fn an_audit_asks_with_get_wherever_head_failed() {
    for failed in [400, 401, 403, 404, 405, 410, 451, 500, 503] {
        let visited = refusing(Answer::status(failed)).visit(Work::Audit, &[]);
        assert_eq!(visited.methods("other", "/x"), ["HEAD", "GET"], "HEAD answered {failed}");
        assert_eq!(visited.state("other.example/x").0, "fetched");
    }
}

/// A chain of redirects on the site: `/hop/1` leads to `/hop/2` and so on, so many times, then to a page.
fn chain(hops: usize) -> Web {
    let mut web = Web::new(&["main"]).route("main", "/", Answer::page("Home", &["/hop/1"]));
    for hop in 1..=hops {
        let next = format!("/hop/{}", hop + 1);
        web = web.route("main", &format!("/hop/{hop}"), Answer::redirect(301, &next));
    }
    web.route("main", &format!("/hop/{}", hops + 1), Answer::page("End", &["/"]))
}

#[test]
fn both_follow_ten_redirects_and_no_more() {
    for work in [Work::Audit, Work::Check] {
        let visited = chain(10).visit(work, &[]);
        assert_eq!(visited.methods("main", "/hop/11"), ["GET"], "{work:?}: ten redirects lead to a page");
        let visited = chain(11).visit(work, &[]);
        assert_eq!(visited.methods("main", "/hop/11"), ["GET"], "{work:?}");
        assert_eq!(visited.methods("main", "/hop/12"), Vec::<String>::new(), "{work:?}: the eleventh hop");
        let expect = ("over_limit".to_owned(), "too-many-redirects".to_owned());
        assert_eq!(visited.state("/hop/12"), expect, "{work:?}");
    }
}

/// A link to another site that redirects to a third, whose robots.txt forbids it.
fn onwards() -> Web {
    Web::new(&["main", "other", "third"])
        .route("main", "/", Answer::page("Home", &["http://other.example/x"]))
        .route("other", "/x", Answer::redirect(302, "http://third.example/y"))
        .route("third", "/robots.txt", Answer::text("User-agent: *\nDisallow: /y\n"))
        .route("third", "/y", Answer::page("There", &["/z"]))
}

#[test]
fn an_audit_holds_each_hop_against_its_own_robots() {
    let visited = onwards().visit(Work::Audit, &[]);
    assert_eq!(visited.methods("third", "/robots.txt"), ["GET"]);
    assert_eq!(visited.asked("third"), Vec::<String>::new());
    assert_eq!(visited.state("third.example/y").0, "blocked");
}

#[test]
fn a_check_follows_hops_without_reading_more_robots() {
    let visited = onwards().visit(Work::Check, &[]);
    assert_eq!(visited.methods("other", "/robots.txt"), ["GET"], "the one of the address that was asked");
    assert_eq!(visited.methods("third", "/robots.txt"), Vec::<String>::new());
    assert_eq!(visited.methods("third", "/y"), ["HEAD"]);
    assert_eq!(visited.state("third.example/y").0, "fetched");
}

#[test]
fn a_check_holds_the_hops_of_the_site_against_its_robots() {
    let visited = Web::new(&["main"])
        .route("main", "/robots.txt", Answer::text("User-agent: *\nDisallow: /no/\n"))
        .route("main", "/", Answer::page("Home", &["/go"]))
        .route("main", "/go", Answer::redirect(301, "/no/page"))
        .visit(Work::Check, &[]);
    assert_eq!(visited.methods("main", "/no/page"), Vec::<String>::new());
    assert_eq!(visited.state("/no/page").0, "blocked");
}

#[test]
fn links_that_lead_to_the_same_place_are_asked_once() {
    for work in [Work::Audit, Work::Check] {
        let links = ["/page", "/page#part", "/./page", "http://main.example:80/page"];
        let visited = Web::new(&["main"])
            .route("main", "/", Answer::page("Home", &links))
            .route("main", "/page", Answer::page("Page", &["/", "/page"]))
            .visit(work, &[]);
        assert_eq!(visited.methods("main", "/page"), ["GET"], "{work:?}");
    }
}
