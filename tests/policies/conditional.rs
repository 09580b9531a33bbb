//! Audits that ask only whether pages changed: what they send, what they make of the answers, and who never sends it.

use gossamer_tests::results::{assert_reconciles, rows, rows_where};
use gossamer_tests::{Answer, Gossamer, Request, Seen, Server, Site, Web, Work};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

const CONDITIONAL: &str = "fetch.conditional";

/// A page and what its answers are known by, in the first edition of the site.
struct Page {
    path: &'static str,
    etag: Option<&'static [u8]>,
    modified: Option<&'static [u8]>,
}

const fn page(path: &'static str, etag: Option<&'static [u8]>, modified: Option<&'static [u8]>) -> Page {
    Page { path, etag, modified }
}

const PAGES: &[Page] = &[
    page("/", Some(b"\"home\""), Some(b"Tue, 01 Dec 2026 10:00:00 GMT")),
    page("/weak", Some(b"W/\"a b\""), None),
    page("/bare", Some(b"unquoted, and  two spaces: yes"), None),
    page("/bytes", Some(b"\"caf\xe9-\xff\x80\""), None),
    page("/utf8", Some("\"日-é-\u{fffd}\"".as_bytes()), None),
    page("/dated", None, Some(b"yesterday")),
    page("/plain", None, None),
    page("/changing", Some(b"\"one\""), None),
];

/// A site whose pages are known by odd things and change with its edition: all that does not change is answered with 304
/// where the request names it byte for byte.
struct Stage {
    server: Server,
    edition: Arc<AtomicUsize>,
    folder: TempDir,
}

/// An answer with headers that need not be text.
fn answer(status: &str, headers: &[(&str, &[u8])], body: &[u8]) -> Answer {
    let mut bytes = format!("HTTP/1.1 {status}\r\nConnection: close\r\n").into_bytes();
    for (name, value) in headers {
        bytes.extend_from_slice(&[name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    Answer::raw(bytes)
}

fn body_of(path: &str, edition: usize) -> String {
    let edition = if path == "/changing" { edition } else { 1 };
    let mut links: String =
        PAGES.iter().map(|page| format!("<a href=\"{}\">a page</a>", page.path)).collect();
    links.push_str("<a href=/same>304</a><a href=/missing>gone</a><img src=/pic.png>");
    if path == "/changing" && edition > 1 {
        links.push_str("<a href=/new>new</a>");
    }
    format!(
        "<!doctype html><html lang=en><title>{path} {edition}</title><h1>{path}</h1>{links}<!--{}-->",
        "x".repeat(2_000)
    )
}

fn answer_to(seen: &Seen, edition: usize) -> Option<Answer> {
    let validated = |kind: &str, body: &str| {
        Some(
            Answer::body(kind, body)
                .header("ETag", "\"file\"")
                .header("Last-Modified", "Tue, 01 Dec 2026 10:00:00 GMT"),
        )
    };
    match seen.path.as_str() {
        "/robots.txt" => return validated("text/plain", "Sitemap: /map.txt\n"),
        "/map.txt" => return validated("text/plain", ""),
        "/pic.png" => return validated("image/png", "x"),
        // Whatever it is asked: nothing is known that it could be the same as.
        "/same" => return Some(Answer::status(304)),
        _ => {}
    }
    let page = PAGES.iter().find(|page| page.path == seen.path)?;
    let etag = if edition > 1 && page.path == "/changing" { Some(b"\"two\"".as_slice()) } else { page.etag };
    let (match_, since) = (seen.header_bytes("if-none-match"), seen.header_bytes("if-modified-since"));
    let unchanged = match (etag, page.modified) {
        (Some(etag), _) => match_.as_deref() == Some(etag),
        (None, Some(modified)) => since.as_deref() == Some(modified),
        (None, None) => false,
    };
    let edition_text = edition.to_string();
    let mut headers = vec![("X-Edition", edition_text.as_bytes())];
    headers.extend(etag.map(|etag| ("ETag", etag)));
    if unchanged {
        headers.push(("Content-Type", b"text/plain"));
        return Some(answer("304 Not Modified", &headers, b""));
    }
    headers.push(("Content-Type", b"text/html; charset=utf-8"));
    headers.push(("X-Robots-Tag", b"noarchive"));
    headers.extend(page.modified.map(|modified| ("Last-Modified", modified)));
    let body = body_of(page.path, edition);
    let length = body.len().to_string();
    headers.push(("Content-Length", length.as_bytes()));
    Some(answer("200 OK", &headers, body.as_bytes()))
}

impl Stage {
    fn new() -> Self {
        let edition = Arc::new(AtomicUsize::new(1));
        let now = Arc::clone(&edition);
        let server =
            Site::single().otherwise(move |seen| answer_to(seen, now.load(Ordering::SeqCst))).serve();
        Self { server, edition, folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("site.gossamer")
    }

    /// One more audit in the same project, and what was asked for it.
    fn audit(&self, settings: &[(&str, &str)]) -> Vec<Request> {
        let before = self.server.log().len();
        let mut run = Gossamer::audit(&[self.server.url("main", "/")], &self.project());
        for (key, value) in settings {
            run = run.set(key, value);
        }
        let _ = run.run().expect_code(0);
        assert_reconciles(&self.project());
        self.server.log().all().split_off(before)
    }

    /// The rows of the newest crawl in a view, sorted.
    fn rows(&self, view: &str, columns: &[&str]) -> Vec<Vec<String>> {
        // What changed since the crawl before is told by the later of two crawls alone.
        let mut rows = match view {
            "v_issues" => rows_where(&self.project(), view, columns, "family <> 'change'"),
            _ => rows(&self.project(), view, columns),
        };
        // How busy the computer is decides these.
        rows.retain(|row| !row[0].starts_with("slow-"));
        rows.sort();
        rows
    }

    /// All that the newest crawl is judged by, apart from times and what went over the wire.
    fn results(&self) -> BTreeMap<&'static str, Vec<Vec<String>>> {
        let views: &[(&str, &[&str])] = &[
            (
                "v_urls",
                &[
                    "url",
                    "state",
                    "reason",
                    "method",
                    "status",
                    "content_type",
                    "depth",
                    "first_seen",
                    "bytes",
                    "indexable",
                    "indexability",
                    "error",
                    "title",
                    "inlinks",
                ],
            ),
            (
                "v_pages",
                &[
                    "url",
                    "title",
                    "h1",
                    "robots",
                    "lang",
                    "word_count",
                    "content_hash",
                    "outlinks",
                    "charset",
                ],
            ),
            (
                "v_links",
                &["source", "target", "kind", "raw_href", "anchor", "line", "target_status", "verdict"],
            ),
            ("v_issues", &["audit", "url", "evidence"]),
        ];
        views.iter().map(|(view, columns)| (*view, self.rows(view, columns))).collect()
    }

    /// The paths of the newest crawl of which an earlier page stands for the answer.
    fn not_modified(&self) -> Vec<String> {
        let rows = self.rows("v_responses", &["url", "not_modified"]);
        let unchanged = rows.into_iter().filter(|row| row[1] == "1");
        unchanged.map(|row| row[0].replace(self.server.url("main", "").as_str(), "")).collect()
    }
}

/// The conditions of each request that had one: path, If-None-Match, If-Modified-Since.
fn conditions(requests: &[Request]) -> BTreeMap<String, (Option<Vec<u8>>, Option<Vec<u8>>)> {
    let of = |request: &Request| {
        (request.header_bytes("if-none-match"), request.header_bytes("if-modified-since"))
    };
    let conditional = requests.iter().filter(|request| of(request) != (None, None));
    let mut all = BTreeMap::new();
    for request in conditional {
        assert_eq!(request.method, "GET", "{}", request.path);
        assert_eq!(all.insert(request.path.clone(), of(request)), None, "{} was asked twice", request.path);
    }
    all
}

/// What is to be sent for pages of the first edition.
fn expected() -> BTreeMap<String, (Option<Vec<u8>>, Option<Vec<u8>>)> {
    let known = PAGES.iter().filter(|page| page.etag.is_some() || page.modified.is_some());
    known
        .map(|page| (page.path.to_owned(), (page.etag.map(Into::into), page.modified.map(Into::into))))
        .collect()
}

#[test]
fn an_audit_asks_only_whether_pages_changed_where_it_is_told_to() {
    let stage = Stage::new();
    let nothing = BTreeMap::new();
    let unchanged: Vec<String> = expected().into_keys().collect();
    assert_eq!(conditions(&stage.audit(&[(CONDITIONAL, "on")])), nothing, "nothing is known yet");
    assert_eq!(conditions(&stage.audit(&[])), nothing, "it is off");
    let whole = stage.results();
    assert!(whole["v_pages"].len() == PAGES.len() && !whole["v_issues"].is_empty());

    let home = stage.server.url("main", "/");
    let told = || {
        let rows = stage.rows("v_responses", &["url", "status", "transferred", "headers"]);
        rows.into_iter().find(|row| row[0] == home).expect("the first page")
    };
    assert_eq!(told()[2], body_of("/", 1).len().to_string());

    // The second time, what is known comes from a crawl in which nothing came.
    for crawl in [3, 4] {
        let asked = stage.audit(&[(CONDITIONAL, "on")]);
        assert_eq!(conditions(&asked), expected());
        assert_eq!(stage.results(), whole, "crawl {crawl}");
        assert_eq!(stage.not_modified(), unchanged);
    }
    let told = told();
    assert_eq!((told[1].as_str(), told[2].as_str()), ("200", "0"));
    assert!(told[3].contains("content-type: text/html") && told[3].contains("x-robots-tag: noarchive"));
    let attempts = stage.rows("v_attempts", &["url", "status", "purpose"]);
    assert!(attempts.contains(&vec![home.clone(), "304".to_owned(), "fetch".to_owned()]), "{attempts:?}");
    let same = stage.server.url("main", "/same");
    let is_same = |row: &&Vec<String>| row[0] == same;
    let rows = stage.rows("v_urls", &["url", "status"]);
    assert_eq!(
        rows.iter().find(is_same).map(|row| row[1].as_str()),
        Some("304"),
        "it was not asked on conditions"
    );
}

#[test]
fn a_page_that_changed_is_read_anew_and_headers_are_renewed() {
    let stage = Stage::new();
    stage.audit(&[]);
    stage.edition.store(2, Ordering::SeqCst);
    let asked = stage.audit(&[(CONDITIONAL, "on")]);
    assert_eq!(conditions(&asked), expected());
    assert!(!stage.not_modified().contains(&"/changing".to_owned()));
    let headers = stage.rows("v_responses", &["url", "headers"]);
    let home = headers.iter().find(|row| row[0] == stage.server.url("main", "/")).expect("the first page");
    assert!(home[1].contains("x-edition: 2\n") && !home[1].contains("x-edition: 1"), "{}", home[1]);
    let told = stage.results();
    stage.audit(&[]);
    assert_eq!(told, stage.results(), "a whole crawl says the same");
    let titles = stage.rows("v_pages", &["title"]);
    assert!(titles.contains(&vec!["/changing 2".to_owned()]), "{titles:?}");
    let urls = stage.rows("v_urls", &["url", "status"]);
    assert!(
        urls.contains(&vec![stage.server.url("main", "/new"), "404".to_owned()]),
        "its link was followed"
    );
}

#[test]
fn what_is_not_stored_whole_is_asked_without_conditions() {
    let check = |first: &[(&str, &str)], second: &[(&str, &str)]| {
        let stage = Stage::new();
        stage.audit(first);
        let asked = stage.audit(&[second, &[(CONDITIONAL, "on")]].concat());
        assert_eq!(conditions(&asked), BTreeMap::new(), "{first:?}, {second:?}");
        let told = stage.results();
        stage.audit(second);
        assert_eq!(told, stage.results(), "{first:?}, {second:?}");
    };
    // Less than a page has.
    let cut = ("fetch.body_cap", "1kB");
    check(&[("store.html", "off")], &[]);
    check(&[cut], &[]);
    check(&[], &[cut]);
}

/// A site of 40 pages, each with an ETag, and the profile that wants conditions.
fn chain() -> Web {
    let web = Web::new(&["main"])
        .route("main", "/robots.txt", Answer::text("Sitemap: http://main.example/map.txt\n"))
        .route("main", "/map.txt", Answer::text(""))
        .with_profile("version = 1\n[fetch]\nconditional = true\n");
    (0..40).fold(web, |web, number| {
        let path = if number == 0 { "/".to_owned() } else { format!("/p{number}") };
        let page = Answer::page("One", &[format!("/p{}", (number + 1) % 40).replace("/p0", "/")]);
        web.route("main", &path, page.header("ETag", &format!("\"{number}\"")))
    })
}

#[test]
fn a_check_never_asks_on_conditions_and_an_audit_of_the_same_project_does() {
    for work in [Work::Check, Work::Audit] {
        let visited = chain().after(Work::Audit).visit(work, &[]);
        visited.outcome.as_ref().expect("a report");
        let asked = visited.server.log().all().split_off(visited.before);
        let pages = asked.iter().filter(|request| request.header("if-none-match").is_some()).count();
        // A check reads ten links deep.
        assert_eq!((pages, asked.len()), if work == Work::Check { (0, 13) } else { (40, 42) }, "{work:?}");
    }
}

#[test]
fn an_audit_that_is_taken_up_again_asks_on_the_same_conditions() {
    let visited = chain().after(Work::Audit).visit_in_two(Work::Audit, &[], 20);
    visited.outcome.as_ref().expect("a report");
    let asked = visited.server.log().all().split_off(visited.before);
    let mut known = BTreeMap::new();
    for request in &asked {
        if let Some(etag) = request.header("if-none-match") {
            known.insert(request.path.clone(), etag.to_owned());
        } else {
            assert!(matches!(request.path.as_str(), "/robots.txt" | "/map.txt"), "{}", request.path);
        }
    }
    assert_eq!(known.len(), 40);
    assert_eq!((known["/"].as_str(), known["/p7"].as_str()), ("\"0\"", "\"7\""));
}
