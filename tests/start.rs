//! Where an audit starts: what was typed, what the start address answers, and what the person is told of it.

use gossamer_tests::results::rows;
use gossamer_tests::server::Site;
use gossamer_tests::{Answer, Gossamer, Server};
use std::path::Path;

fn audit(url: &str, project: &Path) -> Gossamer {
    Gossamer::audit(&[url.to_owned()], project).set("fetch.retries", "0")
}

#[test]
fn credentials_are_used_for_their_origin_and_kept_nowhere() {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let other = site.url("other", "/x");
    let server: Server = site
        .otherwise(move |seen| {
            let given = seen.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
            let page = Answer::page("Staging", &["/a.html", &other, "http://me:hidden@127.0.0.1:1/"]);
            (seen.origin == "main").then(|| if given { page } else { Answer::status(401) })
        })
        .route("other", "/x", Answer::page("Other", &["/"]))
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("staging.gossamer");
    let typed = server.url("main", "/").replace("http://", "http://user:s3cret@");
    let finished = audit(&typed, &project).run().expect_code(0);
    let pages = rows(&project, "v_pages", &["url", "status"]);
    assert_eq!(pages.len(), 2, "{pages:?}");
    assert!(pages.iter().all(|page| page[1] == "200" && !page[0].contains('@')), "{pages:?}");
    for request in server.log().of("other") {
        assert_eq!(request.header("authorization"), None, "{}", request.path);
    }
    let file = std::fs::read(&project).expect("the project file");
    let found = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"s3cret");
    assert!(!found(&file), "the password is in the project file");
    let printed = finished.stdout + &finished.stderr;
    assert!(!found(printed.as_bytes()), "the password was printed");
    // What a page itself gives away is in its HTML, and nowhere else.
    let links = rows(&project, "v_links", &["target", "raw_href"]);
    let plain = ["http://127.0.0.1:1/", "http://…@127.0.0.1:1/"].map(str::to_owned);
    assert!(links.iter().any(|link| **link == plain), "{links:?}");
    assert!(links.iter().flatten().all(|cell| !cell.contains("hidden")), "{links:?}");
}

#[test]
fn a_start_behind_robots_txt_says_so() {
    let server = Site::single()
        .route("main", "/robots.txt", Answer::text("User-agent: *\nDisallow: /\n"))
        .route("main", "/", Answer::page("Home", &["/"]))
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let finished = audit(&server.url("main", "/"), &folder.path().join("a.gossamer")).run().expect_code(3);
    assert!(finished.stderr.contains("robots.txt forbids"), "{}", finished.stderr);
    assert!(finished.stderr.contains("--ignore-robots"), "{}", finished.stderr);
    let finished = audit(&server.url("main", "/"), &folder.path().join("b.gossamer"))
        .with(&["--ignore-robots"])
        .run()
        .expect_code(0);
    assert!(finished.stdout.contains("1 page"), "{}", finished.stdout);
}

#[test]
fn a_start_that_is_no_page_says_what_it_is() {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let elsewhere = site.url("other", "/");
    let server = site
        .route("main", "/away", Answer::redirect(301, &elsewhere))
        .route("main", "/file", Answer::body("application/pdf", b"%PDF-1.7".to_vec()))
        .route("other", "/", Answer::page("Other", &["/"]))
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    for (path, words) in [("/away", "redirects to another site"), ("/file", "application/pdf")] {
        let project = folder.path().join(format!("{}.gossamer", &path[1..]));
        let arguments =
            ["audit".into(), server.url("main", path), "--project".into(), project.display().to_string()];
        let finished = Gossamer::new(arguments).with(&["--progress", "plain"]).run().expect_code(0);
        assert!(finished.stderr.contains(words), "{path}: {}", finished.stderr);
    }
}

#[test]
fn a_guessed_https_gives_way_to_http() {
    let server = Site::single().route("main", "/", Answer::page("Home", &["/"])).serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("plain.gossamer");
    let url = server.url("main", "/");
    // A server of plain http may wait for the rest of what it takes for a request.
    let _ =
        audit(url.trim_start_matches("http://"), &project).set("fetch.timeout", "1s").run().expect_code(0);
    assert_eq!(rows(&project, "v_crawls", &["start_url"]), [[url.clone()]]);
    assert_eq!(rows(&project, "v_pages", &["url"]), [[url]]);
}

#[test]
fn a_host_that_asks_for_a_pause_is_named() {
    let server = Site::single()
        .sequence(
            "main",
            "/",
            vec![Answer::status(429).header("Retry-After", "1"), Answer::page("Home", &["/"])],
        )
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("slow.gossamer");
    let _ = audit(&server.url("main", "/"), &project).run().expect_code(0);
    let warnings = rows(&project, "v_warnings", &["code", "subject"]);
    assert!(warnings.contains(&vec!["slowed-down".to_owned(), "127.0.0.1".to_owned()]), "{warnings:?}");
}
