//! What the settings make of the URLs that are found, and what is read of those that are no pages: from the server's log.

use gossamer_tests::results::rows_where;
use gossamer_tests::{Answer, Gossamer, Server, Site};
use std::path::PathBuf;
use tempfile::TempDir;

/// A server with a folder for the projects of its crawls.
struct Stage {
    server: Server,
    folder: TempDir,
}

impl Stage {
    fn new(site: Site) -> Self {
        Self { server: site.serve(), folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("site.gossamer")
    }

    fn audit(&self, settings: &[(&str, &str)]) {
        let plain = Gossamer::audit(&[self.server.url("main", "/")], &self.project())
            .set("extras.probes", "false")
            .set("extras.confirm", "false");
        let _ = settings.iter().fold(plain, |run, (id, value)| run.set(id, value)).run().expect_code(0);
    }

    /// Method and path of every request but those for robots.txt, sorted.
    fn asked(&self) -> Vec<String> {
        let log = self.server.log().of("main");
        let mut asked: Vec<String> = log
            .iter()
            .filter(|request| request.path != "/robots.txt")
            .map(|request| format!("{} {}", request.method, request.path))
            .collect();
        asked.sort();
        asked
    }

    /// One column of every URL of the site by its path.
    fn urls(&self, column: &str) -> Vec<(String, String)> {
        let origin = self.server.url("main", "/");
        let mut found: Vec<(String, String)> =
            rows_where(&self.project(), "v_urls", &["url", column], "internal")
                .into_iter()
                .map(|row| (row[0].replacen(&origin, "/", 1), row[1].clone()))
                .collect();
        found.sort();
        found
    }
}

fn pair(path: &str, value: &str) -> (String, String) {
    (path.to_owned(), value.to_owned())
}

#[test]
fn urls_are_dropped_rewritten_and_lower_cased() {
    let links = ["/Tea?sid=1&Sort=Up", "/tea?sort=up", "/old/cups", "/new/cups", "/go"];
    let site = Site::single()
        .route("main", "/", Answer::page("Home", &links))
        .route("main", "/robots.txt", Answer::text("Sitemap: /x\n"))
        // A redirect that only adds what is dropped leads somewhere all the same.
        .route("main", "/go", Answer::redirect(302, "/go?sid=2"))
        .otherwise(|seen| Some(Answer::page(&seen.path, &["/"])));
    let stage = Stage::new(site);
    stage.audit(&[
        ("scope.drop_parameters", "sid"),
        ("scope.rewrites", "/old/(.*) => /new/$1"),
        ("scope.lower_case", "on"),
    ]);
    assert_eq!(stage.asked(), ["GET /", "GET /go", "GET /go?sid=2", "GET /new/cups", "GET /tea?sort=up"]);
    // What a page says is kept as it says it.
    let raw = rows_where(&stage.project(), "v_links", &["raw_href"], "raw_href GLOB '/Tea*'");
    assert_eq!(raw.len(), 1);
}

#[test]
fn a_sitemap_is_rewritten_like_a_page() {
    let site = Site::single().route("main", "/", Answer::page("Home", &["/tea"])).otherwise(|seen| {
        let host = seen.headers.iter().find(|(name, _)| name == "host").map(|(_, value)| value.clone())?;
        Some(match seen.path.as_str() {
            "/robots.txt" => Answer::text(&format!("Sitemap: http://{host}/map.xml\n")),
            "/map.xml" => Answer::body(
                "application/xml",
                format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://{host}/TEA?utm=1</loc></url></urlset>"),
            ),
            _ => Answer::page(&seen.path, &["/"]),
        })
    });
    let stage = Stage::new(site);
    stage.audit(&[("scope.drop_parameters", "utm"), ("scope.lower_case", "on")]);
    assert_eq!(stage.asked(), ["GET /", "GET /map.xml", "GET /tea"]);
}

#[test]
fn fragments_may_be_urls() {
    let site = || {
        Site::single()
            .route("main", "/", Answer::page("Home", &["/app#/cart", "/app#/help", "/app", "#top"]))
            .route("main", "/app", Answer::page("App", &["/"]))
    };
    let stage = Stage::new(site());
    stage.audit(&[]);
    assert_eq!(stage.urls("state"), [pair("/", "fetched"), pair("/app", "fetched")]);
    let stage = Stage::new(site());
    stage.audit(&[("scope.fragments", "on")]);
    let met = ["/", "/#top", "/app", "/app#/cart", "/app#/help"].map(|path| pair(path, "fetched"));
    assert_eq!(stage.urls("state"), met);
    // No request carries a fragment.
    assert_eq!(stage.asked(), ["GET /", "GET /", "GET /app", "GET /app", "GET /app"]);
}

#[test]
fn rules_go_in_order_and_the_one_that_excluded_is_kept() {
    let links = ["/shop/tea", "/shop/old/tea", "/blog/tea", "/shop/tea?sort=up"];
    let stage = Stage::new(
        Site::single()
            .route("main", "/", Answer::page("Home", &links))
            .otherwise(|seen| Some(Answer::page(&seen.path, &["/"]))),
    );
    stage.audit(&[(
        "scope.rules",
        r#"["include [?]sort=", "exclude /old/", "include /shop/", "include /$"]"#,
    )]);
    let reasons: Vec<(String, String)> =
        stage.urls("reason").into_iter().filter(|(_, reason)| reason != "∅").collect();
    assert_eq!(
        reasons,
        [pair("/blog/tea", "no include rule matches"), pair("/shop/old/tea", "exclude: /old/")]
    );
    assert_eq!(stage.asked(), ["GET /", "GET /shop/tea", "GET /shop/tea?sort=up"]);
}

#[test]
fn resources_are_read_when_that_is_wanted() {
    let site = || {
        Site::single()
            .route("main", "/", Answer::html("<title>Home</title><img src=/a.png alt><img src=/b.png alt><script src=/big.js></script><a href=/doc.pdf>d</a>"))
            .route("main", "/a.png", Answer::body("image/png", vec![7; 300]))
            .route("main", "/b.png", Answer::body("image/png", vec![7; 300]))
            .route("main", "/doc.pdf", Answer::body("application/pdf", "a document"))
            .route("main", "/big.js", Answer::body("text/javascript", vec![b'x'; 200_000]))
    };
    let stage = Stage::new(site());
    stage.audit(&[]);
    assert_eq!(stage.asked(), ["GET /", "HEAD /a.png", "HEAD /b.png", "HEAD /big.js", "HEAD /doc.pdf"]);
    let stage = Stage::new(site());
    stage.audit(&[("fetch.download_resources", "on"), ("fetch.body_cap", "100kB")]);
    assert_eq!(stage.asked(), ["GET /", "GET /a.png", "GET /b.png", "GET /big.js", "GET /doc.pdf"]);
    let columns = ["url", "bytes", "content_hash", "truncated"];
    let mut told = rows_where(&stage.project(), "v_responses", &columns, "content_hash IS NOT NULL");
    told.sort();
    let sizes: Vec<(&str, &str)> = told.iter().map(|row| (row[1].as_str(), row[3].as_str())).collect();
    assert_eq!(sizes, [("300", "0"), ("300", "0"), ("100000", "1"), ("10", "0")]);
    assert_eq!(told[0][2], told[1][2], "equal bytes, equal hash");
    assert_ne!(told[0][2], told[3][2]);
    assert_eq!(rows_where(&stage.project(), "v_pages", &["url"], "1").len(), 1);
}
