//! How a crawl connects and what lets it in, from the command line to the project file: credentials of a run, host
//! overrides, cookies, and settings that are refused.

#[path = "connection/logins.rs"]
mod logins;
#[path = "connection/tls_front.rs"]
mod tls_front;

use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::server::Site;
use gossamer_tests::{Answer, Gossamer, Server};
use std::path::Path;
use tls_front::{Authority, TlsFront};

fn audit(url: &str, project: &Path) -> Gossamer {
    Gossamer::audit(&[url.to_owned()], project).set("fetch.retries", "0")
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// A site that lets in whoever has `name: value`, and links to another that logs.
fn guarded(name: &'static str, value: &'static str) -> Server {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let other = site.url("other", "/x");
    site.otherwise(move |seen| {
        let given = |(key, text): &(String, String)| key.eq_ignore_ascii_case(name) && text == value;
        let page = Answer::page("Inside", &["/a.html", &other])
            .header("X-Echo", value)
            .header("Content-Location", &format!("/?{value}"));
        let refused = Answer::status(401).header("WWW-Authenticate", "Basic realm=\"staging\"");
        (seen.origin == "main").then(|| if seen.headers.iter().any(given) { page } else { refused })
    })
    .route("other", "/x", Answer::page("Other", &["/"]))
    .serve()
}

#[test]
fn credentials_of_a_run_open_the_start_origin_and_are_kept_nowhere() {
    let basic = "Basic YWRhOnMzY3JldA==";
    type Prepare = fn(Gossamer) -> Gossamer;
    let ways: [(&str, &str, Prepare); 5] = [
        ("x-key", "s3cret", |run| run.with(&["--header", "X-Key: s3cret"])),
        ("cookie", "sid=s3cret", |run| run.with(&["--cookie", "sid=s3cret"])),
        ("authorization", basic, |run| {
            run.with(&["--auth-env", "STAGING_LOGIN"]).variable("STAGING_LOGIN", "ada:s3cret")
        }),
        ("authorization", "Bearer s3cret", |run| run.with(&["--auth", "-"]).input("Bearer s3cret\n")),
        ("authorization", basic, |run| run.with(&["--auth", "-"]).input("ada:s3cret\n")),
    ];
    for (name, value, prepare) in ways {
        let server = guarded(name, value);
        let folder = tempfile::tempdir().expect("a folder");
        let project = folder.path().join("staging.gossamer");
        // The libraries tell all they have to tell, and none of it may be a secret.
        let run = audit(&server.url("main", "/"), &project).variable("GOSSAMER_LOG", "trace");
        let finished = prepare(run).run().expect_code(0);
        assert!(finished.stderr.contains("TRACE"), "nothing was logged");
        let pages = rows(&project, "v_pages", &["url", "status"]);
        assert_eq!(pages.len(), 2, "{value}: {pages:?}");
        let fields = rows_where(&project, "v_responses", &["headers"], "headers LIKE '%x-echo: %…%'");
        assert_eq!(fields.len(), 2, "{value}: what the site repeats is hidden, {fields:?}");
        assert!(!server.log().of("other").is_empty());
        for request in server.log().of("other") {
            assert_eq!(request.header(name), None, "{value}: {}", request.path);
        }
        for secret in ["s3cret", "YWRhOnMzY3JldA=="] {
            assert!(!holds(&std::fs::read(&project).expect("the project file"), secret), "{value} is stored");
            assert!(
                !holds((finished.stdout.clone() + &finished.stderr).as_bytes(), secret),
                "{value} is printed"
            );
        }
    }
}

/// What a site writes into its own addresses belongs neither into requests nor into files that are given to others.
#[test]
fn logins_that_the_site_writes_are_neither_used_nor_stored() {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let with_login = |url: String| url.replace("http://", "http://eve:h1dden@");
    let (map, canonical) = (with_login(site.url("main", "/s.xml")), with_login(site.url("main", "/")));
    let (moved, listed) = (with_login(site.url("other", "/r.txt")), site.url("main", "/a.html"));
    let inside = with_login(site.url("main", "/login.html"));
    let document = format!("<!doctype html><title>Home</title><link rel=canonical href=\"{canonical}\">");
    let server = site
        .otherwise(move |seen| {
            let basic = |(key, text): &(String, String)| {
                key.eq_ignore_ascii_case("authorization") && text == "Basic YWRhOnMzY3JldA=="
            };
            let entries = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{listed}</loc></url></urlset>");
            Some(match (seen.origin.as_str(), seen.path.as_str()) {
                ("main", "/robots.txt") => Answer::redirect(302, &moved),
                ("other", "/r.txt") => Answer::text(&format!("Sitemap: {map}\n")),
                ("main", _) if !seen.headers.iter().any(basic) => {
                    Answer::status(401).header("WWW-Authenticate", "Basic realm=\"staging\"")
                }
                ("main", "/s.xml") => Answer::body("application/xml", entries),
                ("main", "/") => Answer::html(document.clone())
                    .header("Link", &format!("<{inside}>; rel=\"next\""))
                    .header("Refresh", &format!("900; url={inside}"))
                    .header("Content-Location", &canonical),
                ("main", _) => Answer::page("Page", &["/"]),
                _ => Answer::status(401).header("WWW-Authenticate", "Basic realm=\"other\""),
            })
        })
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("a.gossamer");
    let run = audit(&server.url("main", "/"), &project).with(&["--auth-env", "LOGIN"]);
    let finished = run.variable("LOGIN", "ada:s3cret").run().expect_code(0);
    let sitemaps = rows(&project, "v_sitemaps", &["sitemap", "status"]);
    assert_eq!(sitemaps, [[server.url("main", "/s.xml"), "200".to_owned()]], "{}", finished.stderr);
    for request in server.log().all() {
        let given = request.header("authorization");
        let own = given.is_none_or(|given| request.origin == "main" && given == "Basic YWRhOnMzY3JldA==");
        assert!(own, "{}{}: {given:?}", request.origin, request.path);
    }
    let home = format!("url = '{}'", server.url("main", "/"));
    let shown = server.url("main", "/").replace("http://", "http://…@");
    assert_eq!(rows_where(&project, "v_pages", &["canonical"], &home), [[shown.as_str()]]);
    let fields = rows_where(&project, "v_responses", &["headers"], &home).concat().concat();
    for field in ["link: <http://…@", "refresh: 900; url=http://…@", "content-location: http://…@"] {
        assert!(fields.contains(field), "{field}: {fields}");
    }
    assert!(!fields.contains("h1dden"), "{fields}");
}

#[test]
fn credentials_that_cannot_be_used_are_refused_without_being_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("a.gossamer");
    let url = "http://127.0.0.1:9/";
    let check = |run: Gossamer, word: &str| {
        let finished = run.run().expect_code(2);
        assert!(finished.stderr.contains(word), "{word}: {}", finished.stderr);
        assert!(!finished.stderr.contains("s3cret"), "{}", finished.stderr);
        assert!(!project.exists(), "nothing was begun");
    };
    check(audit(url, &project).with(&["--header", "s3cret"]), "--header");
    check(audit(url, &project).with(&["--header", "Host: s3cret"]), "host");
    check(audit(url, &project).with(&["--auth", "ada:s3cret"]), "standard input");
    check(audit(url, &project).with(&["--cookie", "s3cret"]), "--cookie");
    check(audit(url, &project).with(&["--auth-env", "NOT_SET_HERE"]), "NOT_SET_HERE");
    check(audit(url, &project).with(&["--auth", "-"]).input("s3cret\n"), "user:password");
    check(audit(url, &project).set("http.proxy", "http://ada:s3cret@127.0.0.1:1"), "http.proxy");
    check(audit(url, &project).set("http.headers", "Authorization: s3cret"), "http.headers");
    check(audit(url, &project).with(&["--resolve", "www.example.com"]), "http.overrides");
    let two = Gossamer::audit(&[url.to_owned(), "http://127.0.0.2:9/".to_owned()], &project);
    check(two.with(&["--header", "X-Key: s3cret"]), "one origin");
}

#[test]
fn an_override_audits_a_site_before_its_name_leads_there() {
    let server = Site::single()
        .route("main", "/", Answer::page("Home", &["/a.html", "http://www.example.test/b.html"]))
        .route("main", "/a.html", Answer::page("A", &["/"]))
        .route("main", "/b.html", Answer::page("B", &["/"]))
        .serve();
    let at = server.url("main", "");
    let at = at.trim_start_matches("http://");
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("new.gossamer");
    let finished = audit("http://www.example.test/", &project)
        .with(&["--resolve", &format!("www.example.test:80:{at}")])
        .run()
        .expect_code(0);
    let pages: Vec<String> = rows(&project, "v_pages", &["url"]).into_iter().flatten().collect();
    assert_eq!(pages.len(), 3, "{pages:?} {}", finished.stderr);
    assert!(pages.iter().all(|url| url.starts_with("http://www.example.test/")), "{pages:?}");
    let remotes: Vec<String> = rows(&project, "v_responses", &["remote"]).into_iter().flatten().collect();
    assert!(remotes.iter().all(|remote| remote == at), "{remotes:?} instead of {at}");
    for request in server.log().of("main") {
        assert_eq!(request.header("host"), Some("www.example.test"), "{}", request.path);
    }
}

#[test]
fn a_cookie_gate_is_passed_unless_cookies_are_off() {
    for (rule, pages) in [("session", 1), ("shared", 1), ("off", 0)] {
        let site = Site::bind(&[("main", 1)]);
        let server = site
            .otherwise(|seen| {
                let passed =
                    |(key, text): &(String, String)| key.eq_ignore_ascii_case("cookie") && text == "pass=1";
                Some(if seen.path == "/robots.txt" {
                    Answer::status(404)
                } else if seen.headers.iter().any(passed) {
                    Answer::page::<&str>("Inside", &[])
                } else {
                    Answer::redirect(302, "/").header("Set-Cookie", "pass=1; Path=/")
                })
            })
            .serve();
        let folder = tempfile::tempdir().expect("a folder");
        let project = folder.path().join("gate.gossamer");
        let finished =
            audit(&server.url("main", "/"), &project).set("http.cookies", rule).run().expect_code(0);
        assert_eq!(rows(&project, "v_pages", &["url"]).len(), pages, "{rule}: {}", finished.stderr);
        assert!(rows(&project, "v_redirects", &["url"]).iter().all(|_| rule == "off"), "{rule}");
    }
}

/// A site under one name over http and https, which leads there by overrides.
struct Twins {
    server: Server,
    front: TlsFront,
    overrides: String,
}

fn twins(safe: impl Fn(&str) -> Answer + Send + Sync + 'static, authority: &Authority) -> Twins {
    let site = Site::bind(&[("open", 1), ("safe", 2)]);
    let (open, behind) = (site.address("open"), site.address("safe"));
    let server = site
        .otherwise(move |seen| {
            Some(match (seen.origin.as_str(), seen.path.as_str()) {
                (_, "/robots.txt") => Answer::status(404),
                ("open", path) => Answer::redirect(301, &format!("https://site.test{path}")),
                (_, path) => safe(path),
            })
        })
        .serve();
    let front = TlsFront::start(authority, "site.test", behind);
    let overrides = format!("site.test:80:{open},site.test:443:{}", front.at);
    Twins { server, front, overrides }
}

#[test]
fn a_host_that_wants_https_is_not_asked_by_http() {
    let authority = Authority::new("Test root");
    let answer = |path: &str| match path {
        "/" => Answer::page("Home", &["http://site.test/x", "/old", "/same"]),
        "/old" => Answer::redirect(301, "http://site.test/y"),
        "/gone" => Answer::status(404),
        _ => Answer::page::<&str>("Page", &[]),
    };
    let site = twins(move |path| answer(path).header("Strict-Transport-Security", "max-age=600"), &authority);
    let folder = tempfile::tempdir().expect("a folder");
    let (project, roots) = (folder.path().join("a.gossamer"), folder.path().join("roots.pem"));
    std::fs::write(&roots, authority.pem()).expect("the root's certificate");
    let finished = audit("https://site.test/", &project)
        .set("http.overrides", &site.overrides)
        .variable("SSL_CERT_FILE", roots.as_os_str())
        .run()
        .expect_code(0);
    assert!(site.front.connections() > 0, "{}", finished.stderr);
    let by_http: Vec<String> = site.server.log().of("open").into_iter().map(|request| request.path).collect();
    assert!(by_http.iter().all(|path| path == "/"), "only a probe asks by http: {by_http:?}");
    let urls = rows(&project, "v_urls", &["url", "status", "reason", "redirect_target"]);
    for path in ["x", "y"] {
        let row =
            |scheme: &str| urls.iter().find(|row| row[0] == format!("{scheme}://site.test/{path}")).cloned();
        let http = row("http").unwrap_or_else(|| panic!("{path}: {urls:?}"));
        assert_eq!((http[1].as_str(), http[2].as_str()), ("307", "hsts"), "{http:?}");
        assert!(!http[3].starts_with("http"), "{http:?}");
        assert_eq!(
            row("https").map(|row| row[1].clone()).as_deref(),
            Some("200"),
            "{path} is crawled by https"
        );
    }
    let redirects = rows(&project, "v_redirects", &["url", "final_url", "final_status", "hops"]);
    assert_eq!(redirects, [["https://site.test/old", "https://site.test/y", "200", "1"]]);
    let links = rows(&project, "v_links", &["target", "kind", "verdict"]);
    assert!(
        links.iter().any(|link| **link == ["http://site.test/x", "anchor", "ok"].map(str::to_owned)),
        "{links:?}"
    );
    let issues = rows(&project, "v_issues", &["audit", "url"]);
    let about = |issue: &Vec<String>| issue[1].starts_with("http://") && issue[0].contains("redirect");
    assert!(!issues.iter().any(about), "{issues:?}");
}

#[test]
fn a_faulty_certificate_stops_a_crawl_unless_the_person_goes_on_and_is_reported_all_the_same() {
    let authority = Authority::new("Nobody's root");
    let site = twins(|_| Answer::page("Page", &["/a"]), &authority);
    let folder = tempfile::tempdir().expect("a folder");
    let run = |name: &str, go_on: &str| {
        let project = folder.path().join(name);
        let run = audit("https://site.test/", &project)
            .set("http.overrides", &site.overrides)
            .set("tls.go_on", go_on)
            .run();
        (project, run)
    };
    let (refused, finished) = run("refused.gossamer", "false");
    let finished = finished.expect_code(3);
    assert!(finished.stderr.contains("tls-"), "{}", finished.stderr);
    assert_eq!(rows(&refused, "v_urls", &["state"]), [["failed"]]);
    assert!(site.server.log().of("safe").is_empty(), "nothing is sent to a server that nobody vouches for");
    let (gone_on, finished) = run("gone-on.gossamer", "true");
    let _ = finished.expect_code(0);
    let urls = rows(&gone_on, "v_urls", &["url", "state", "status", "reason"]);
    assert!(urls.iter().filter(|row| row[0].starts_with("https://site.test/")).count() == 2, "{urls:?}");
    for row in urls.iter().filter(|row| row[0].starts_with("https:")) {
        assert_eq!((row[1].as_str(), row[2].as_str()), ("fetched", "200"), "{row:?}");
        assert!(row[3].starts_with("tls-"), "{row:?}");
    }
    let told = rows(&gone_on, "v_issues", &["audit", "url"]);
    assert!(
        told.iter().any(|issue| issue[0] == "tls-failure" && issue[1] == "https://site.test/"),
        "{told:?}"
    );
    let hosts = rows(&gone_on, "v_hosts", &["origin", "certificate_fault", "certificate_issuer"]);
    let host = hosts.iter().find(|host| host[0] == "https://site.test").expect("the host");
    assert!(host[1].contains("Nobody's root") && host[2] == "Nobody's root", "{host:?}");
}
