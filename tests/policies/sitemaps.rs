//! Which sitemaps are read, and that a check sends no probes.

use gossamer_tests::{Answer, Visited, Web, Work};

fn map(urls: &[&str]) -> Answer {
    let urls: String = urls.iter().map(|url| format!("<url><loc>{url}</loc></url>")).collect();
    Answer::body(
        "application/xml",
        format!(
            "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>"
        ),
    )
}

/// A site whose robots.txt is this, with sitemaps at usual places and elsewhere.
fn site(robots: &str) -> Web {
    Web::new(&["main", "other"])
        .route("main", "/robots.txt", Answer::text(robots))
        .route("main", "/", Answer::page::<&str>("Home", &[]))
        .route("main", "/sitemap.xml", map(&["http://main.example/usual"]))
        .route("main", "/usual", Answer::page("Usual", &["/"]))
        .route("main", "/named.xml", map(&["http://main.example/orphan", "http://other.example/far"]))
        .route("main", "/orphan", Answer::page("Orphan", &["/"]))
        .route("other", "/map.xml", map(&["http://main.example/orphan"]))
        .route("other", "/far", Answer::page("Far", &["/"]))
}

fn sorted(visited: &Visited, site: &str) -> Vec<String> {
    let mut asked = visited.asked(site);
    asked.sort();
    asked
}

#[test]
fn both_read_the_sitemaps_that_robots_txt_names_and_then_no_others() {
    for work in [Work::Audit, Work::Check] {
        let visited = site("Sitemap: http://main.example/named.xml\n").visit(work, &[]);
        assert_eq!(sorted(&visited, "main"), ["/", "/named.xml", "/orphan"], "{work:?}");
        // A page of another site that a sitemap names is recorded and not asked for.
        assert_eq!(visited.asked("other"), Vec::<String>::new(), "{work:?}");
        assert_eq!(visited.state("other.example/far").0, "not_followed");
    }
}

#[test]
fn a_check_asks_at_the_usual_places_where_robots_txt_names_none() {
    for robots in ["User-agent: *\nDisallow:\n", ""] {
        let visited = site(robots).visit(Work::Check, &[]);
        let expect = ["/", "/sitemap.xml", "/sitemap_index.xml", "/usual", "/wp-sitemap.xml"];
        assert_eq!(sorted(&visited, "main"), expect);
    }
    let missing =
        Web::new(&["main"]).route("main", "/", Answer::page::<&str>("Home", &[])).visit(Work::Check, &[]);
    assert_eq!(sorted(&missing, "main"), ["/", "/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"]);
}

#[test]
fn an_audit_reads_the_sitemaps_that_the_person_names_and_asks_at_no_usual_places() {
    let visited = site("").visit(Work::Audit, &[]);
    assert_eq!(sorted(&visited, "main"), ["/"]);
    let named = [("sitemaps.extra", "http://main.example/named.xml")];
    let visited = site("").visit(Work::Audit, &named);
    assert_eq!(sorted(&visited, "main"), ["/", "/named.xml", "/orphan"]);
}

#[test]
fn both_hold_sitemaps_against_the_robots_txt_of_their_origin() {
    for work in [Work::Audit, Work::Check] {
        let robots = "User-agent: *\nDisallow: /named\nSitemap: http://main.example/named.xml\nSitemap: http://other.example/map.xml\n";
        let visited = site(robots).visit(work, &[]);
        assert_eq!(sorted(&visited, "main"), ["/", "/orphan"], "{work:?}");
        visited.server.log().assert_robots_first_and_once();
        assert_eq!(visited.methods("other", "/map.xml"), ["GET"], "{work:?}");
        let web = site(robots).route("other", "/robots.txt", Answer::text("User-agent: *\nDisallow: /\n"));
        let visited = web.visit(work, &[]);
        assert_eq!(visited.methods("other", "/map.xml"), Vec::<String>::new(), "{work:?}");
    }
}

#[test]
fn a_check_sends_no_probes() {
    let visited = site("Sitemap: http://main.example/named.xml\n").visit(Work::Check, &[]);
    // Whatever is asked for is robots.txt, a page, or what either names.
    assert_eq!(visited.server.log().len(), 4, "{:?}", visited.server.log().counts());
    let hosts: std::collections::BTreeSet<_> =
        visited.server.log().all().iter().map(|r| r.header("host").map(str::to_owned)).collect();
    assert_eq!(hosts.len(), 1, "{hosts:?}");
}
