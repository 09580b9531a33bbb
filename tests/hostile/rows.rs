//! One audit for each row: what the program makes of answers that are odd, wrong or broken.

use crate::packed::{self, CODINGS};
use gossamer_tests::results::rows;
use gossamer_tests::{Answer, Gossamer, Server, Site};
use std::collections::BTreeMap;
use std::time::Duration;
use tempfile::TempDir;

/// What an audit found: URLs by their path, with the columns that were asked for.
struct Audited {
    _folder: TempDir,
    project: std::path::PathBuf,
    server: Server,
}

impl Audited {
    /// Audits a site from its home page, which links to these paths.
    fn of(site: Site, paths: &[&str]) -> Self {
        let server = site.route("main", "/", Answer::page("Home", paths)).serve();
        let folder = tempfile::tempdir().expect("a folder");
        let project = folder.path().join("rows.gossamer");
        let run = Gossamer::audit(&[server.url("main", "/")], &project)
            .set("fetch.timeout", "2s")
            .set("fetch.retries", "0")
            .set("extras.confirm", "false")
            .set("extras.probes", "false")
            .limit(Duration::from_secs(120));
        let _ = run.run().expect_code(0);
        Self { _folder: folder, project, server }
    }

    fn by_path(&self, view: &str, columns: &[&str]) -> BTreeMap<String, Vec<String>> {
        let mut all = vec!["url"];
        all.extend(columns);
        let path = |url: &str| url.trim_start_matches(&self.server.url("main", "")).to_owned();
        rows(&self.project, view, &all).into_iter().map(|row| (path(&row[0]), row[1..].to_vec())).collect()
    }

    /// State, reason and status of each URL are these.
    fn ends(&self, expect: &[(&str, &str, &str, &str)]) {
        let found = self.by_path("v_urls", &["state", "reason", "status"]);
        for (path, state, reason, status) in expect {
            let row = found.get(*path).unwrap_or_else(|| panic!("{path} has no row: {:?}", found.keys()));
            assert_eq!([&*row[0], &*row[1], &*row[2]], [*state, *reason, *status], "{path}");
        }
    }
}

fn raw(text: &str) -> Answer {
    Answer::raw(text)
}

#[test]
fn a_refused_head_is_decided_by_get() {
    let image = || Answer::body("image/png", "png");
    let mut site = Site::single();
    let mut paths = Vec::new();
    for code in [400, 403, 404, 405, 410, 500, 501, 503] {
        let path: &'static str = format!("/refused-{code}.png").leak();
        site = site.route("main", path, image().but_for_head(Answer::status(code)));
        paths.push(path);
    }
    site = site
        .route("main", "/hang.png", image().but_for_head(Answer::hang()))
        .route("main", "/reset.png", image().but_for_head(Answer::reset()))
        .route("main", "/close.png", image().but_for_head(Answer::close()))
        .route(
            "main",
            "/body.png",
            Answer::raw("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\npng"),
        )
        .route("main", "/gone.png", Answer::status(404));
    paths.extend(["/hang.png", "/reset.png", "/close.png", "/body.png", "/gone.png"]);
    let audited = Audited::of(site, &paths);
    for path in &paths {
        let status = if *path == "/gone.png" { "404" } else { "200" };
        audited.ends(&[(path, "fetched", "∅", status)]);
        let methods = audited.server.log().methods("main", path);
        let gets = methods.iter().filter(|method| *method == "GET").count();
        assert_eq!(gets, usize::from(*path != "/body.png"), "{path}: {methods:?}");
    }
}

#[test]
fn redirects_are_what_they_say() {
    let site = Site::single()
        .route("main", "/relative/a", Answer::redirect(301, "../target?x=1#part"))
        .route("main", "/spaces", Answer::redirect(302, "/a b/target"))
        .route("main", "/utf8", Answer::redirect(308, "/é"))
        .route("main", "/choices", Answer::status(300))
        .route("main", "/nowhere", Answer::status(301))
        .route("main", "/elsewhere", Answer::redirect(302, "mailto:somebody@example.com"))
        .route("main", "/itself", Answer::redirect(302, "/itself"))
        .route("main", "/target?x=1", Answer::page("Target", &["/"]))
        .route("main", "/a%20b/target", Answer::page("Spaces", &["/"]))
        .route("main", "/%C3%A9", Answer::page("Accent", &["/"]))
        .otherwise(|seen| {
            let returns =
                seen.headers.iter().any(|(name, value)| name == "cookie" && value.contains("seen=1"));
            (seen.path == "/gate").then(|| match returns {
                true => Answer::page("Behind the gate", &["/"]),
                false => Answer::redirect(302, "/gate").header("Set-Cookie", "seen=1; Path=/"),
            })
        });
    let paths = ["/relative/a", "/spaces", "/utf8", "/choices", "/nowhere", "/elsewhere", "/itself", "/gate"];
    let audited = Audited::of(site, &paths);
    audited.ends(&[
        ("/relative/a", "fetched", "∅", "301"),
        ("/target?x=1", "fetched", "∅", "200"),
        ("/a%20b/target", "fetched", "∅", "200"),
        ("/%C3%A9", "fetched", "∅", "200"),
        ("/choices", "fetched", "∅", "300"),
        ("/nowhere", "fetched", "∅", "301"),
        ("/elsewhere", "fetched", "∅", "302"),
        ("/itself", "fetched", "∅", "302"),
        ("/gate", "fetched", "∅", "200"),
    ]);
    let targets = audited.by_path("v_urls", &["redirect_target"]);
    for path in ["/choices", "/nowhere"] {
        assert_eq!(targets[path][0], "∅", "{path} is no redirect");
    }
}

#[test]
fn statuses_mean_what_they_say() {
    let html = "Content-Type: text/html\r\n";
    let page = "<!doctype html><title>x</title><p>x";
    let site = Site::single()
        .route("main", "/204", raw(&format!("HTTP/1.1 204 X\r\n{html}\r\n")))
        .route("main", "/205", raw(&format!("HTTP/1.1 205 X\r\n{html}Content-Length: 0\r\n\r\n")))
        .route("main", "/206", raw(&format!("HTTP/1.1 206 X\r\n{html}\r\n{page}")))
        .route("main", "/226", raw(&format!("HTTP/1.1 226 X\r\n{html}\r\n{page}")))
        .route("main", "/304", raw("HTTP/1.1 304 X\r\nETag: \"x\"\r\n\r\n"))
        .route(
            "main",
            "/103",
            raw(&format!("HTTP/1.1 103 X\r\nLink: </s>\r\n\r\nHTTP/1.1 200 OK\r\n{html}\r\n{page}")),
        )
        .route("main", "/999", raw(&format!("HTTP/1.1 999 X\r\n{html}Content-Length: 0\r\n\r\n")));
    let audited = Audited::of(site, &["/204", "/205", "/206", "/226", "/304", "/103", "/999"]);
    for (path, status) in [
        ("/204", "204"),
        ("/205", "205"),
        ("/206", "206"),
        ("/226", "226"),
        ("/304", "304"),
        ("/103", "200"),
        ("/999", "999"),
    ] {
        audited.ends(&[(path, "fetched", "∅", status)]);
    }
}

#[test]
fn a_busy_server_is_left_alone_for_a_while() {
    let site = Site::single()
        .sequence(
            "main",
            "/busy",
            vec![Answer::status(429).header("Retry-After", "1"), Answer::page("Free again", &["/"])],
        )
        .route("main", "/down", Answer::status(503).header("Retry-After", "1"));
    let audited = Audited::of(site, &["/busy", "/down"]);
    audited.ends(&[("/busy", "fetched", "∅", "200"), ("/down", "fetched", "∅", "503")]);
    let asked = |path: &str| -> Vec<_> {
        audited.server.log().of("main").into_iter().filter(|request| request.path == path).collect()
    };
    let busy = asked("/busy");
    assert_eq!((busy.len(), asked("/down").len()), (2, 1));
    assert!(busy[1].started.duration_since(busy[0].started) >= Duration::from_millis(990));
}

#[test]
fn codings_are_undone() {
    let document = format!("<!doctype html><title>Coded</title>{}", "<p>paragraph</p>\n".repeat(2_000));
    let mut site = Site::single();
    let mut paths: Vec<&'static str> = Vec::new();
    for coding in CODINGS {
        let path: &'static str = format!("/{coding}").leak();
        let body = packed::pack(coding, document.as_bytes(), 1);
        site = site.route("main", path, Answer::html(body).header("Content-Encoding", packed::name(coding)));
        paths.push(path);
    }
    let member = packed::pack("gzip", document.as_bytes(), 1);
    let several = [member.clone(), packed::pack("gzip", b"<p>more</p>", 1), b"junk".to_vec()].concat();
    site = site
        .route("main", "/members", Answer::html(several).header("Content-Encoding", "gzip"))
        .route("main", "/cut", Answer::html(&member[..member.len() / 2]).header("Content-Encoding", "gzip"))
        .route("main", "/lie", Answer::html(document.clone()).header("Content-Encoding", "gzip"));
    paths.extend(["/members", "/cut", "/lie"]);
    let audited = Audited::of(site, &paths);
    let sizes = audited.by_path("v_responses", &["bytes", "transferred", "incomplete", "undecodable"]);
    for coding in CODINGS {
        let row = &sizes[&format!("/{coding}")];
        assert_eq!(row[0], document.len().to_string(), "{coding}: decoded");
        assert!(
            row[1].parse::<usize>().is_ok_and(|bytes| bytes < document.len()),
            "{coding}: transferred {}",
            row[1]
        );
        assert_eq!((&*row[2], &*row[3]), ("0", "0"), "{coding}");
    }
    assert_eq!(sizes["/members"][0], (document.len() + "<p>more</p>".len()).to_string());
    assert_eq!(sizes["/cut"][2], "1", "what is missing is told");
    assert_eq!((&*sizes["/lie"][0], &*sizes["/lie"][3]), (&*document.len().to_string(), "1"));
    let titles = audited.by_path("v_pages", &["title"]);
    assert!(paths.iter().all(|path| titles[*path][0] == "Coded"), "{titles:?}");
}

#[test]
fn what_came_of_a_broken_body_is_kept() {
    let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let page = "<!doctype html><title>Half</title><a href=/found>x</a>";
    let chunk = format!("{:x}\r\n{page}\r\n", page.len());
    let cases = [
        ("/longer", format!("{ok}Content-Length: 90000\r\n\r\n{page}"), "1"),
        ("/shorter", format!("{ok}Content-Length: {}\r\n\r\n{page}<p>more", page.len()), "0"),
        ("/chunk-cut", format!("{ok}Transfer-Encoding: chunked\r\n\r\n{chunk}ff\r\n<p>"), "1"),
        ("/chunk-garbage", format!("{ok}Transfer-Encoding: chunked\r\n\r\n{chunk}zz\r\n<p>"), "1"),
        ("/chunk-none", format!("{ok}Transfer-Encoding: chunked\r\n\r\n{chunk}"), "1"),
        ("/until-closed", format!("{ok}\r\n{page}"), "0"),
    ];
    let mut site = Site::single().route("main", "/found", Answer::page("Found", &["/"]));
    for (path, answer, _) in &cases {
        site = site.route("main", path, raw(answer));
    }
    let audited = Audited::of(site, &cases.each_ref().map(|(path, ..)| *path));
    let found = audited.by_path("v_responses", &["status", "incomplete"]);
    let titles = audited.by_path("v_pages", &["title"]);
    for (path, _, incomplete) in &cases {
        assert_eq!((&*found[*path][0], &*found[*path][1]), ("200", *incomplete), "{path}");
        assert_eq!(titles[*path][0], "Half", "{path}");
    }
    audited.ends(&[("/found", "fetched", "∅", "200")]);
}

#[test]
fn headers_are_bounded_and_all_kept() {
    let page = "<!doctype html><title>x</title>";
    let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let site = Site::single()
        .route("main", "/twice", raw(&format!("{ok}X-Twice: first\r\nX-Twice: second\r\n\r\n{page}")))
        .route(
            "main",
            "/latin",
            Answer::raw([ok.as_bytes(), b"X-Latin: caf\xe9\r\n\r\n", page.as_bytes()].concat()),
        )
        .route("main", "/broken", raw(&format!("{ok}this is no header\r\nX After : x\r\n\r\n{page}")))
        .route("main", "/huge", raw(&format!("{ok}X-Huge: {}\r\n\r\n{page}", "y".repeat(1 << 20))))
        .route("main", "/large", raw(&format!("{ok}X-Large: {}\r\n\r\n{page}", "y".repeat(100_000))));
    let audited = Audited::of(site, &["/twice", "/latin", "/broken", "/huge", "/large"]);
    audited.ends(&[
        ("/twice", "fetched", "∅", "200"),
        ("/latin", "fetched", "∅", "200"),
        ("/broken", "fetched", "∅", "200"),
        ("/large", "fetched", "∅", "200"),
        ("/huge", "failed", "protocol", "∅"),
    ]);
    let headers = audited.by_path("v_responses", &["headers"]);
    assert!(headers["/twice"][0].contains("first") && headers["/twice"][0].contains("second"));
    assert!(headers["/latin"][0].contains("caf"));
}

#[test]
fn what_is_no_http_is_told_so() {
    let site = Site::single()
        .route("main", "/0.9", raw("<html><p>This server is older than headers</html>\r\n\r\n"))
        .route("main", "/ssh", raw("SSH-2.0-OpenSSH_9.6\r\n"))
        .route("main", "/binary", Answer::raw([0x16, 3, 1, 2, 0, 1, 0, 0]))
        .route("main", "/silent", Answer::hang());
    let audited = Audited::of(site, &["/0.9", "/ssh", "/binary", "/silent"]);
    audited.ends(&[
        ("/0.9", "failed", "protocol", "∅"),
        ("/ssh", "failed", "protocol", "∅"),
        ("/binary", "failed", "protocol", "∅"),
        ("/silent", "failed", "timeout", "∅"),
    ]);
}
