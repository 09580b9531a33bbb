//! Addresses as pages write them, seen by the server that is asked: what is requested, what is kept of the link, what is
//! never requested.
//!
//! | what a page may write | test |
//! |-|-|
//! | percent-encoding, `%uXXXX`, stray `%` | `escapes_are_sent_as_they_are_written` |
//! | tab, newline, space, backslash, dot segments, default port, entities | `references_are_resolved_as_browsers_do` |
//! | `//host`, `?q`, `#f`, empty, fragments | `references_are_resolved_as_browsers_do`, `fragments_stay_on_the_link` |
//! | a page in a legacy charset | `queries_are_in_the_encoding_of_the_page` |
//! | `http://0x7f.1`, numbers as hosts, a trailing dot | `hosts_are_made_one_before_they_are_compared` |
//! | `base href` | `the_first_base_decides` |
//! | a very long URL | `long_addresses_are_kept_and_not_cut_ones_requested` |
//! | data:, mailto:, tel:, javascript:, blob:, about: | `other_schemes_are_kept_and_never_requested` |
//! | `www.x.tld/…` | `an_address_without_scheme_does_not_stack` |
//!
//! International names have their tests where addresses are parsed, since loopback has none.

use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::{Answer, Gossamer, Server, Site};
use std::collections::BTreeSet;
use std::path::PathBuf;
use tempfile::TempDir;

struct Audited {
    _folder: TempDir,
    project: PathBuf,
}

fn audit(server: &Server) -> Audited {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let run = Gossamer::audit(&[server.url("main", "/d/start")], &project).set("fetch.retries", "0");
    let _ = run.set("extras.probes", "false").run().expect_code(0);
    Audited { _folder: folder, project }
}

/// A page with these hrefs, written into double quotes as they are.
fn links(head: &str, hrefs: &[&str]) -> String {
    let links: String = hrefs.iter().map(|href| format!("<a href=\"{href}\">x</a>\n")).collect();
    format!("<!doctype html><html lang=en><head><title>Start</title>{head}</head><body>{links}</body></html>")
}

/// A site whose start has these hrefs; everything else is a page without links.
fn site(hrefs: &[&str]) -> Server {
    Site::single().route("main", "/d/start", Answer::html(links("", hrefs))).otherwise(any_page).serve()
}

fn any_page(seen: &gossamer_tests::Seen) -> Option<Answer> {
    (seen.path != "/robots.txt").then(|| Answer::page("Page", &[] as &[&str]))
}

/// What was asked for beside the start and robots.txt.
fn asked(server: &Server) -> BTreeSet<String> {
    let paths = server.log().of("main").into_iter().map(|request| request.path);
    paths.filter(|path| !matches!(path.as_str(), "/robots.txt" | "/d/start")).collect()
}

/// Each href of the start, and what is requested for it; an empty path for nothing of its own.
fn check(pairs: &[(&str, &str)]) -> (Server, Audited) {
    let hrefs: Vec<&str> = pairs.iter().map(|(href, _)| *href).collect();
    let server = site(&hrefs);
    let audited = audit(&server);
    let expect: BTreeSet<String> =
        pairs.iter().map(|(_, path)| (*path).to_owned()).filter(|path| !path.is_empty()).collect();
    assert_eq!(asked(&server), expect);
    (server, audited)
}

#[test]
fn escapes_are_sent_as_they_are_written() {
    let (_, audited) = check(&[
        ("/a%2Fb", "/a%2Fb"),
        ("/%7Euser", "/%7Euser"),
        ("/~user", "/~user"),
        ("/%u00e9", "/%u00e9"),
        ("/100%", "/100%"),
        ("/%zz?q=%", "/%zz?q=%"),
        ("/%25", "/%25"),
        ("/é", "/%C3%A9"),
    ]);
    // The same identity: requested once, in the spelling that came first.
    let (server, _) = check(&[("/caf%c3%a9", "/caf%c3%a9"), ("/caf%C3%A9", ""), ("/café", "")]);
    assert_eq!(server.log().methods("main", "/caf%c3%a9"), ["GET"]);
    let raw = rows_where(&audited.project, "v_links", &["raw_href"], "raw_href LIKE '%u00e9'");
    assert_eq!(raw, [["/%u00e9"]]);
}

#[test]
fn references_are_resolved_as_browsers_do() {
    let (_, audited) = check(&[
        (" /trim\t", "/trim"),
        ("/ta\tb\nnew", "/tabnew"),
        ("/in side", "/in%20side"),
        ("\\back\\slash", "/back/slash"),
        ("../../../above", "/above"),
        ("./x/../y/.", "/d/y/"),
        ("sub/z", "/d/sub/z"),
        ("?q=1", "/d/start?q=1"),
        ("#f", ""),
        ("", ""),
        ("/e?a=1&amp;b=2", "/e?a=1&b=2"),
        ("/e?a=1&amp;amp;b=3", "/e?a=1&amp;b=3"),
        ("/e?a=1&copy=4", "/e?a=1&copy=4"),
    ]);
    let told = rows_where(
        &audited.project,
        "v_links",
        &["raw_href"],
        "target LIKE '%/trim' OR target LIKE '%in%20side'",
    );
    assert_eq!(told.len(), 2, "{told:?}");
    let findings = rows_where(&audited.project, "v_issues", &["audit"], "audit = 'href-whitespace'");
    assert_eq!(findings.len(), 3, "{findings:?}");
}

#[test]
fn fragments_stay_on_the_link() {
    let (server, audited) =
        check(&[("/page#one", "/page"), ("/page#two", "/page"), ("/page#:~:text=x", "/page")]);
    assert_eq!(server.log().methods("main", "/page"), ["GET"]);
    let raw = rows_where(&audited.project, "v_links", &["raw_href"], "raw_href LIKE '/page#%'");
    assert_eq!(raw.len(), 3);
    let urls = rows_where(&audited.project, "v_urls", &["url"], "url LIKE '%#%'");
    assert!(urls.is_empty(), "{urls:?}");
}

#[test]
fn queries_are_in_the_encoding_of_the_page() {
    let mut page = b"<!doctype html><html lang=en><title>Start</title>".to_vec();
    page.extend_from_slice(b"<a href=\"/caf\xE9?q=\xE9t\xE9\">x</a><a href=\"/s?q=&#9731;&#8364;\">y</a>");
    let server = Site::single()
        .route("main", "/d/start", Answer::body("text/html; charset=iso-8859-1", page))
        .otherwise(any_page)
        .serve();
    let _ = audit(&server);
    let expect = ["/caf%C3%A9?q=%E9t%E9", "/s?q=%26%239731%3B%80"];
    assert_eq!(asked(&server), expect.map(str::to_owned).into());
}

#[test]
fn hosts_are_made_one_before_they_are_compared() {
    let site = Site::single();
    let port = site.url("main", "/").rsplit(':').next().map(|rest| rest.trim_end_matches('/').to_owned());
    let port = port.expect("a port");
    let hrefs = [
        format!("http://0x7f.1:{port}/hex"),
        format!("http://2130706433:{port}/number"),
        format!("http://127.1:{port}/short"),
        format!("HTTP://127.0.0.1:{port}/upper"),
        format!("//127.0.0.1:{port}/scheme"),
    ];
    let hrefs: Vec<&str> = hrefs.iter().map(String::as_str).collect();
    let dotted = format!("http://localhost.:{port}/dot");
    let page = links("", &[&hrefs[..], &[dotted.as_str()]].concat());
    let server = site.route("main", "/d/start", Answer::html(page)).otherwise(any_page).serve();
    let audited = audit(&server);
    let internal = rows_where(&audited.project, "v_urls", &["url"], "internal = 1");
    let expect =
        ["/hex", "/number", "/short", "/upper", "/scheme", "/d/start"].map(|path| server.url("main", path));
    assert_eq!(internal.concat().into_iter().collect::<BTreeSet<_>>(), expect.into());
    let kept = rows_where(&audited.project, "v_urls", &["internal"], "url LIKE 'http://localhost.:%'");
    assert_eq!(kept, [["0"]], "a trailing dot makes another host");
}

#[test]
fn the_first_base_decides() {
    let head = "<base target=_top><base href=\"../b/?x\"><base href=\"/second/\">";
    let page = links(head, &["one", "?q", "#f", "/root", ""]);
    let server = Site::single().route("main", "/d/start", Answer::html(page)).otherwise(any_page).serve();
    let _ = audit(&server);
    let expect = ["/b/one", "/b/?q", "/b/?x", "/root"];
    assert_eq!(asked(&server), expect.map(str::to_owned).into());
}

#[test]
fn long_addresses_are_kept_and_not_cut_ones_requested() {
    let (kept, cut) = (format!("/k{}", "x".repeat(9_000)), format!("/c{}", "x".repeat(20_000)));
    let (_, audited) = check(&[(&kept, &kept), (&cut, "")]);
    let lengths = rows_where(&audited.project, "v_urls", &["url", "state", "reason"], "url LIKE '%/cxxx%'");
    assert_eq!((lengths.len(), lengths[0][0].len(), lengths[0][1].as_str()), (1, 10_000, "over_limit"));
}

#[test]
fn other_schemes_are_kept_and_never_requested() {
    let long = format!("data:text/plain,{}", "x".repeat(5_000));
    let hrefs = [
        "mailto:a@b.test?subject=a b",
        "tel:+123",
        "javascript:void(0)",
        "blob:http://127.0.0.1/x",
        "about:blank",
        "ftp://127.0.0.1/x",
        "file:///etc/passwd",
        long.as_str(),
    ];
    let server = site(&hrefs);
    let audited = audit(&server);
    assert_eq!(asked(&server), BTreeSet::new());
    let states = rows(&audited.project, "v_urls", &["url"]);
    assert_eq!(states.concat(), [server.url("main", "/d/start")]);
    let kept = rows(&audited.project, "v_links", &["raw_href"]);
    assert_eq!(kept.len(), hrefs.len());
    assert!(kept.iter().all(|row| row[0].len() <= 1_024), "a data: address is cut");
}

#[test]
fn an_address_without_scheme_does_not_stack() {
    // Every page of the site has the same faulty link, so each answer would name one address more.
    let page = || Answer::page("Page", &["www.example.test/x/", "other/"]);
    let server = Site::single().otherwise(move |seen| (seen.path != "/robots.txt").then(page)).serve();
    let audited = audit(&server);
    let asked = asked(&server);
    assert!(asked.contains("/d/www.example.test/x/"), "{asked:?}");
    assert!(asked.len() < 60, "{} addresses were asked for", asked.len());
    let findings = rows_where(&audited.project, "v_issues", &["audit"], "audit = 'href-missing-scheme'");
    assert!(!findings.is_empty());
}
