//! robots.txt as a crawl obeys it, read from the server's log.
//!
//! | what a server may serve | test |
//! |-|-|
//! | redirects, also to other hosts; too many of them | `redirects_are_followed_five_times` |
//! | over 500 KiB | `half_a_megabyte_counts` |
//! | BOM, CR, NUL, UTF-16, a web page | `lines_are_read_whatever_the_type_says` |
//! | groups for one token in several places, tokens in any case, shared groups | `groups_are_merged` |
//! | hundreds of `*` against a long address | `stars_cost_no_time` |
//! | longest pattern, Allow in a tie, `*`, `$`, an empty Disallow, `/robots.txt` itself | `the_longest_pattern_wins` |
//! | percent-encoding | `escapes_are_compared_as_specified` |
//! | Crawl-delay: decimals, garbage, several | `delays_are_those_of_the_followed_group` |
//! | Sitemap lines | `sitemap_lines_stand_anywhere` |
//! | misspelt lines, a relative sitemap | `problems_are_told`, and in the robots crate |
//! | an answer that breaks off | `a_file_that_breaks_off_is_not_taken_for_all_of_it` |
//! | 429, with and without Retry-After | `a_busy_server_is_asked_once_more_only_where_it_says_when` |

use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::{Answer, Gossamer, Server, Site};
use model::clock::{Clock, SystemClock};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

struct Audited {
    _folder: TempDir,
    project: PathBuf,
}

impl Audited {
    fn has(&self, audit: &str) -> bool {
        !rows_where(&self.project, "v_issues", &["audit"], &format!("audit = '{audit}'")).is_empty()
    }
}

fn audit(server: &Server) -> Audited {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let run = Gossamer::audit(&[server.url("main", "/")], &project).set("fetch.retries", "0");
    // A host that asks for a longer pause is left alone for as long as this.
    let _ = run.set("extras.probes", "false").set("fetch.retry_after_cap", "1s").run().expect_code(0);
    Audited { _folder: folder, project }
}

/// A site with this robots.txt whose home page links to these paths; every one of them is there.
fn site(robots: Answer, paths: &[&str]) -> Site {
    Site::bind(&[("main", 1), ("other", 2)])
        .route("main", "/robots.txt", robots)
        .route("main", "/", Answer::page("Home", paths))
        .otherwise(|seen| {
            (seen.origin == "main" && seen.path != "/robots.txt").then(|| Answer::page("Page", &["/"]))
        })
}

/// What was asked for beside the home page and robots.txt.
fn asked(server: &Server) -> BTreeSet<String> {
    let paths = server.log().of("main").into_iter().map(|request| request.path);
    paths.filter(|path| !matches!(path.as_str(), "/" | "/robots.txt")).collect()
}

/// Holds which of the links are asked for against which are expected to be. Order: path, whether it may be.
fn check(robots: impl Into<Vec<u8>>, links: &[(&str, bool)]) -> (Server, Audited) {
    let paths: Vec<&str> = links.iter().map(|(path, _)| *path).collect();
    let server = site(Answer::body("text/plain", robots), &paths).serve();
    let audited = audit(&server);
    let expect = links.iter().filter(|(_, may)| *may).map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(asked(&server), expect);
    server.log().assert_robots_first_and_once();
    (server, audited)
}

#[test]
fn redirects_are_followed_five_times() {
    let check = |hops: usize, obeyed: bool| {
        let rules = Answer::text("User-agent: *\nDisallow: /no\n");
        let site = site(Answer::redirect(301, "/r1"), &["/no", "/yes"]);
        let last = site.url("other", "/rules");
        let mut site = site.route("other", "/rules", rules);
        for hop in 1..hops {
            let next = if hop + 1 == hops { last.clone() } else { format!("/r{}", hop + 1) };
            site = site.route("main", &format!("/r{hop}"), Answer::redirect(302, &next));
        }
        let server = site.serve();
        let audited = audit(&server);
        assert_eq!(!asked(&server).contains("/no"), obeyed, "{hops} hops");
        assert!(asked(&server).contains("/yes"), "{hops} hops");
        assert!(audited.has("robots-redirects"), "{hops} hops are told");
    };
    check(5, true);
    check(6, false);
}

#[test]
fn half_a_megabyte_counts() {
    let start = "User-agent: *\nDisallow: /early\n";
    let filling = "# filling\n".repeat((512_000 - start.len()) / 10);
    let rest = "#".repeat(512_000 - start.len() - filling.len() - 1);
    let robots = format!("{start}{filling}{rest}\nDisallow: /late\n");
    let (_, audited) = check(robots, &[("/early", false), ("/late", true)]);
    assert!(audited.has("robots-too-large"));
    // One byte more is kept, which tells the reader that there are more.
    let sizes = rows(&audited.project, "v_robots", &["bytes", "too_large"]);
    assert_eq!(sizes, [["512001", "1"]]);
}

#[test]
fn lines_are_read_whatever_the_type_says() {
    let links = [("/no", false), ("/yes", true)];
    check("\u{FEFF}User-agent: *\rDisallow: /no\r", &links);
    check("User-agent: *\r\n\r\n\r\nDisallow: /no\r\n", &links);
    check(b"User-agent: *\nDisallow: /no\0thing\n".as_slice(), &links);
    check("<br>\nUser-agent: *\nDisallow: /no\n", &links);
    let server = site(Answer::html("User-agent: *\nDisallow: /no\n"), &["/no", "/yes"]).serve();
    let _ = audit(&server);
    assert_eq!(asked(&server), ["/yes".to_owned()].into());
    let page = "<!doctype html><html><title>Not found</title><p>Disallow: nothing</p></html>";
    let (_, audited) = check(page, &[("/no", true), ("/yes", true)]);
    assert!(audited.has("robots-is-html"));
    let wide: Vec<u8> =
        "\u{FEFF}User-agent: *\nDisallow: /no\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (_, audited) = check(wide, &[("/no", true), ("/yes", true)]);
    assert_eq!(rows(&audited.project, "v_warnings", &["code"]), [["robots-utf-16"]]);
    assert_eq!(rows(&audited.project, "v_robots", &["problems"]), [["utf-16 (line 1)"]]);
}

#[test]
fn problems_are_told() {
    let check = |robots: &str, expect: &str| {
        let server = site(Answer::text(robots), &["/yes"]).serve();
        let audited = audit(&server);
        let told = rows(&audited.project, "v_robots", &["problems", "error"]);
        assert_eq!(told, [[expect, "∅"]], "{robots}");
        assert!(rows(&audited.project, "v_warnings", &["code"]).is_empty());
    };
    check("User-agent: *\nDisallow: /no\n", "∅");
    check(
        "User-agent: *\nDisalow: /no\nNonsense: x\nSitemap: /s.xml\n",
        "tolerated-typo (line 2): Disalow: /no\nunknown-key (line 3): Nonsense: x\nrelative-sitemap (line 4): Sitemap: /s.xml",
    );
    let many = format!("User-agent: *\n{}", "x: y\n".repeat(120));
    let lines: Vec<String> = (2..102).map(|line| format!("unknown-key (line {line}): x: y")).collect();
    check(&many, &format!("{}\nand 20 more", lines.join("\n")));
}

#[test]
fn groups_are_merged() {
    let robots = "User-agent: GOSSAMERbot\nDisallow: /a\n\nUser-agent: *\nDisallow: /star\n\nUser-agent: x\nUser-agent: gossamerbot/2.0\n\nDisallow: /b\n";
    check(robots, &[("/a", false), ("/b", false), ("/star", true), ("/c", true)]);
    check(
        "User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /x\nUser-agent: *\nDisallow: /b\n",
        &[("/a", false), ("/b", false), ("/x", true)],
    );
}

#[test]
fn stars_cost_no_time() {
    let long = format!("/{}", "a".repeat(5_000));
    let mut robots = "User-agent: *\n".to_owned();
    for number in 0..60 {
        robots.push_str(&format!("Disallow: /{}b{number}$\n", "*a".repeat(500)));
    }
    let began = SystemClock.now();
    check(robots, &[(&long, true)]);
    let took = SystemClock.now().saturating_duration_since(began);
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn the_longest_pattern_wins() {
    let robots = "User-agent: *\nDisallow: /\nAllow: /shop/\nDisallow: /shop/cart\nAllow: /tie\nDisallow: /tie\nAllow: /*.html$\nAllow: /$\nDisallow:\n";
    let links = [
        ("/shop/a", true),
        ("/shop/cart/1", false),
        ("/tie", true),
        ("/x.html", true),
        ("/x.html?q", false),
        ("/other", false),
    ];
    let (server, audited) = check(robots, &links);
    assert_eq!(server.log().methods("main", "/robots.txt"), ["GET"]);
    let reasons = rows_where(&audited.project, "v_urls", &["reason"], "url LIKE '%/shop/cart/1'");
    assert_eq!(reasons, [["robots.txt line 4: Disallow: /shop/cart"]]);
    // An empty Disallow forbids nothing.
    check("User-agent: *\nDisallow:\n", &[("/a", true)]);
}

#[test]
fn escapes_are_compared_as_specified() {
    let robots =
        "User-agent: *\nDisallow: /a%2Fb\nDisallow: /caf\u{e9}\nDisallow: /%7Ejoe\nDisallow: /x%3dy\n";
    let links = [
        ("/a%2fb", false),
        ("/a/b", true),
        ("/caf%C3%A9", false),
        ("/~joe", false),
        ("/x%3Dy", false),
        ("/x=y", true),
    ];
    check(robots, &links);
}

#[test]
fn delays_are_those_of_the_followed_group() {
    let check = |robots: &str, expect: &str| {
        let server = site(Answer::text(robots), &["/p1"]).serve();
        let audited = audit(&server);
        assert_eq!(rows(&audited.project, "v_robots", &["crawl_delay"]), [[expect]], "{robots}");
        if let Ok(seconds) = expect.parse() {
            server.log().assert_spaced("main", Duration::from_secs_f64(seconds), Duration::from_millis(60));
        }
    };
    check("User-agent: *\nCrawl-delay: 0.4\n", "0.4");
    check("User-agent: *\nCrawl-delay: soon\nCrawl-delay: 0.2\nCrawl-delay: 0.3\n", "0.3");
    check("User-agent: *\nCrawl-delay: 60\n\nUser-agent: gossamerbot\nDisallow: /x\n", "∅");
    check("User-agent: *\nCrawl-delay: -5\n", "∅");
}

#[test]
fn sitemap_lines_stand_anywhere() {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let (first, second) = (site.url("main", "/first.xml"), site.url("main", "/second.xml"));
    let robots = format!(
        "sItEmAp: {first}\nUser-agent: x\nSITEMAP:{second}\nDisallow: /x\nSitemap: /relative.xml\nUser-agent: *\nDisallow: /no\n"
    );
    let list = |site: &Site, path: &str| Answer::text(&site.url("main", path));
    let (one, two) = (list(&site, "/p1"), list(&site, "/p2"));
    let server = site
        .route("main", "/robots.txt", Answer::text(&robots))
        .route("main", "/", Answer::page("Home", &["/no"]))
        .route("main", "/first.xml", one)
        .route("main", "/second.xml", two)
        .otherwise(|seen| seen.path.starts_with("/p").then(|| Answer::page("Page", &["/"])))
        .serve();
    let _ = audit(&server);
    let expect = ["/first.xml", "/second.xml", "/p1", "/p2"];
    assert_eq!(asked(&server), expect.map(str::to_owned).into());
}

#[test]
fn a_file_that_breaks_off_is_not_taken_for_all_of_it() {
    const RULES: &str = "User-agent: *\nDisallow: /no\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(RULES.as_bytes()).expect("gzip");
    let mut cut = encoder.finish().expect("gzip");
    cut.truncate(cut.len() - 12);
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1c\r\n";
    for (what, answer) in [
        ("Content-Length", Answer::text(RULES).header("Content-Length", "500").then_close()),
        ("chunks", Answer::raw(format!("{chunked}{RULES}\r\n"))),
        ("gzip", Answer::body("text/plain", cut).header("Content-Encoding", "gzip")),
    ] {
        let server = site(answer.clone(), &["/no", "/yes"]).serve();
        let audited = audit(&server);
        assert_eq!(asked(&server), ["/no".to_owned(), "/yes".to_owned()].into(), "{what}");
        let told = rows(&audited.project, "v_robots", &["state", "error"]);
        assert_eq!(told[0][0], "unreachable", "{what}: {told:?}");
        assert!(told[0][1].starts_with("reset: The answer broke off after "), "{what}: {told:?}");
        assert_eq!(rows(&audited.project, "v_warnings", &["code"]), [["robots-unreachable"]], "{what}");
        assert_eq!(server.log().methods("main", "/robots.txt").len(), 1, "{what}");

        let server = site(answer, &[]).route("other", "/robots.txt", Answer::text(RULES)).serve();
        let run = Gossamer::new(["robots", &server.url("main", "/no"), &server.url("other", "/no")]).run();
        let told = run.expect_code(0).stdout;
        assert!(told.contains("broke off") && told.contains("unknown"), "{what}: {told}");
        assert!(told.contains("blocked"), "the whole file of the other site counts: {told}");
    }
    // A file of which no end was announced is whole where the connection ends.
    let closed = Answer::raw(format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{RULES}"));
    let server = site(closed, &["/no", "/yes"]).serve();
    let _ = audit(&server);
    assert_eq!(asked(&server), ["/yes".to_owned()].into());
    // What lies beyond the part that counts may break off as it likes.
    let long = Answer::text(&format!("{RULES}{}", "#".repeat(600_000)));
    let server = site(long.header("Content-Length", "700000").then_close(), &["/no", "/yes"]).serve();
    let audited = audit(&server);
    assert_eq!(asked(&server), ["/yes".to_owned()].into());
    assert_eq!(rows(&audited.project, "v_robots", &["state", "too_large"]), [["ok", "1"]]);
}

#[test]
fn a_busy_server_is_asked_once_more_only_where_it_says_when() {
    let rules = || Answer::text("User-agent: *\nDisallow: /no\n");
    let busy = |wait: Option<&str>| {
        let answer = Answer::status(429);
        wait.map_or_else(|| answer.clone(), |wait| answer.clone().header("Retry-After", wait))
    };
    let check = |answers: Vec<Answer>, requests: usize, status: &str, obeyed: bool| {
        let server = site(rules(), &["/no", "/yes"]).sequence("main", "/robots.txt", answers).serve();
        let audited = audit(&server);
        assert_eq!(server.log().methods("main", "/robots.txt").len(), requests, "{status}");
        assert_eq!(rows(&audited.project, "v_hosts", &["robots_status"]), [[status]]);
        assert_eq!(!asked(&server).contains("/no"), obeyed, "{status}");
        assert!(asked(&server).contains("/yes"), "{status}");
        let counted = rows(&audited.project, "v_hosts", &["requests"]);
        assert_eq!(counted, [[server.log().of("main").len().to_string()]]);
    };
    // Nobody said when: the rules stay unknown, and the crawl goes on with a warning.
    check(vec![busy(None), rules()], 1, "throttled", false);
    // What the server itself asks for is done once, so that its rules are known.
    check(vec![busy(Some("0")), rules()], 2, "ok", true);
    check(vec![busy(Some("0")), busy(Some("0")), rules()], 2, "throttled", false);
    // Longer than anybody waits.
    check(vec![busy(Some("100000")), rules()], 1, "throttled", false);
}
