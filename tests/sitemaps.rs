//! Sitemaps as a crawl meets them: what is asked for, what becomes of the entries, what the person is told.
//!
//! | what a server may serve | test |
//! |-|-|
//! | gzip, by its first bytes and after transport decoding | `gzip_is_told_by_its_bytes` |
//! | white space, BOM, CDATA, namespaces wrong, missing or with prefix | `odd_documents_are_read_and_flagged` |
//! | DOCTYPE and entities | `entities_lead_nowhere_and_never_multiply` |
//! | index in an index, cycles | `indexes_are_followed_five_levels_deep`, `indexes_in_a_circle_end` |
//! | plain text, RSS, Atom | `lists_and_feeds_are_sitemaps_too` |
//! | over 50,000 entries, over 50 MB, streamed | `what_is_too_large_is_read_on_in_little_memory`, `reading_ends_at_our_own_cap`, `pages_are_asked_for_while_the_sitemap_comes` |
//! | entries of other hosts | `entries_of_other_hosts_are_recorded`, `sitemaps_elsewhere_are_asked_for_by_the_rules_there` |
//! | broken off in the middle | `what_came_before_the_break_is_used`, `a_killed_reading_begins_anew` |

use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::{Answer, Finished, Gate, Gossamer, Server, Site, until};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

struct Audited {
    _folder: TempDir,
    project: PathBuf,
    finished: Finished,
}

fn audit(server: &Server, settings: &[(&str, &str)]) -> Audited {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let mut run = Gossamer::audit(&[server.url("main", "/")], &project)
        .set("fetch.retries", "0")
        .set("extras.probes", "false")
        .limit(Duration::from_secs(120));
    for (key, value) in settings {
        run = run.set(key, value);
    }
    let finished = run.run().expect_code(0);
    Audited { _folder: folder, project, finished }
}

impl Audited {
    /// Path and the given columns of each sitemap, by path.
    fn sitemaps(&self, columns: &[&str]) -> Vec<Vec<String>> {
        let columns: Vec<&str> = [&["sitemap"], columns].concat();
        let mut rows = rows(&self.project, "v_sitemaps", &columns);
        for row in &mut rows {
            row[0] = path_of(&row[0]);
        }
        rows.sort();
        rows
    }

    /// Path and code of each problem.
    fn problems(&self) -> BTreeSet<(String, String)> {
        rows(&self.project, "v_sitemap_problems", &["sitemap", "code"])
            .into_iter()
            .map(|row| (path_of(&row[0]), row[1].clone()))
            .collect()
    }
}

fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |at| &rest[at..]).to_owned()
}

/// The paths of an origin that were asked for, but for robots.txt, the home page and what the program probes.
fn asked(server: &Server, origin: &str) -> BTreeSet<String> {
    let of_site = |path: &String| path.starts_with("/p") || path.starts_with("/s");
    let probed = ["/sitemap.xml", "/sitemap_index.xml"];
    let paths = server.log().of(origin).into_iter().map(|request| request.path);
    paths.filter(|path| of_site(path) && !probed.contains(&path.as_str())).collect()
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

fn urlset<S: AsRef<str>>(locs: &[S]) -> String {
    let mut document =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NAMESPACE}\">\n");
    for loc in locs {
        let _ = writeln!(document, "<url><loc>{}</loc></url>", loc.as_ref());
    }
    document + "</urlset>\n"
}

fn index<S: AsRef<str>>(locs: &[S]) -> String {
    let mut document = format!("<sitemapindex xmlns=\"{NAMESPACE}\">\n");
    for loc in locs {
        let _ = writeln!(document, "<sitemap><loc>{}</loc></sitemap>", loc.as_ref());
    }
    document + "</sitemapindex>\n"
}

fn xml(document: impl Into<Vec<u8>>) -> Answer {
    Answer::body("application/xml", document)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("gzip");
    encoder.finish().expect("gzip")
}

/// A site whose robots.txt names these sitemaps; every page (`/p…`) is there, and none is linked.
fn site(site: Site, sitemaps: &[&str]) -> Site {
    let mut robots = "User-agent: *\nDisallow:\n".to_owned();
    for path in sitemaps {
        let url = if path.starts_with('/') { site.url("main", path) } else { (*path).to_owned() };
        let _ = writeln!(robots, "Sitemap: {url}");
    }
    site.route("main", "/robots.txt", Answer::text(&robots))
        .route("main", "/", Answer::page("Home", &["/"]))
        .otherwise(|seen| seen.path.starts_with("/p").then(|| Answer::page("Page", &["/"])))
}

#[test]
fn gzip_is_told_by_its_bytes() {
    let names = ["/s1.xml.gz", "/s2.xml.gz", "/s3", "/s4.xml", "/s5.xml.gz", "/s6.txt.gz"];
    let site = site(Site::single(), &names);
    let of = |number: u8| urlset(&[site.url("main", &format!("/p{number}"))]);
    let (one, two, three, four, five) = (of(1), of(2), of(3), of(4), of(5));
    let list = site.url("main", "/p6");
    let server = site
        .route("main", "/s1.xml.gz", xml(one))
        .route("main", "/s2.xml.gz", Answer::body("application/x-gzip", gzip(two.as_bytes())))
        .route("main", "/s3", Answer::body("application/octet-stream", gzip(three.as_bytes())))
        .route("main", "/s4.xml", xml(gzip(four.as_bytes())).header("Content-Encoding", "gzip"))
        .route("main", "/s5.xml.gz", xml(gzip(&gzip(five.as_bytes()))).header("Content-Encoding", "gzip"))
        .route("main", "/s6.txt.gz", Answer::body("text/plain", gzip(list.as_bytes())))
        .serve();
    let audited = audit(&server, &[]);
    let layers = audited.sitemaps(&["kind", "gzip", "entries", "error"]);
    let expect = [("urlset", 0), ("urlset", 1), ("urlset", 1), ("urlset", 0), ("urlset", 1), ("text", 1)];
    assert_eq!(layers.len(), names.len());
    for ((row, name), (kind, gzip)) in layers.iter().zip(names).zip(expect) {
        assert_eq!(row[..], [name, kind, &gzip.to_string(), "1", "∅"]);
    }
    assert_eq!(audited.problems(), BTreeSet::new());
    let pages = ["/p1", "/p2", "/p3", "/p4", "/p5", "/p6"];
    assert_eq!(asked(&server, "main"), set(&[&pages[..], &names[..]].concat()));
}

#[test]
fn odd_documents_are_read_and_flagged() {
    let site = site(Site::single(), &["/s1", "/s2", "/s3", "/s4", "/s5", "/s6"]);
    let page = |number: u8| site.url("main", &format!("/p{number}"));
    let spaced = format!("\u{FEFF}\n \t\r\n{}", urlset(&[format!("\n   {}\n ", page(1))]));
    let cdata = urlset(&[format!("<![CDATA[{}?a=1&b=2]]>", page(2))]);
    let wrong = urlset(&[page(3)]).replace(NAMESPACE, "http://www.google.com/schemas/sitemap/0.84");
    let missing = urlset(&[page(4)]).replace(&format!(" xmlns=\"{NAMESPACE}\""), "");
    let prefixed = format!(
        "<sm:urlset xmlns:sm='{NAMESPACE}'><sm:url><sm:loc>{}</sm:loc></sm:url></sm:urlset>",
        page(5)
    );
    let wide: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(urlset(&[page(6)]).replace("UTF-8", "UTF-16").encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let server = site
        .route("main", "/s1", xml(spaced))
        .route("main", "/s2", xml(cdata))
        .route("main", "/s3", xml(wrong))
        .route("main", "/s4", xml(missing))
        .route("main", "/s5", xml(prefixed))
        .route("main", "/s6", xml(wide))
        .serve();
    let audited = audit(&server, &[]);
    let pages = ["/p1", "/p2?a=1&b=2", "/p3", "/p4", "/p5", "/p6"];
    assert_eq!(
        asked(&server, "main"),
        set(&[&pages[..], &["/s1", "/s2", "/s3", "/s4", "/s5", "/s6"]].concat())
    );
    let expect = [("/s1", "leading-white-space"), ("/s3", "namespace-wrong"), ("/s4", "namespace-missing")];
    assert_eq!(audited.problems(), expect.map(|(path, code)| (path.to_owned(), code.to_owned())).into());
}

#[test]
fn entities_lead_nowhere_and_never_multiply() {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let outside = site.url("other", "/list.txt");
    let site = self::site(site, &["/s1", "/s2", "/s3"]);
    let document = |doctype: &str, locs: &[String]| {
        urlset(locs).replacen("?>\n", &format!("?>\n<!DOCTYPE urlset {doctype}>\n"), 1)
    };
    let file = site.url("main", "/secret.txt");
    let external = document(
        &format!(
            "SYSTEM \"{outside}?dtd\" [<!ENTITY a SYSTEM \"{file}\"><!ENTITY b PUBLIC \"x\" \"{outside}\"><!ENTITY % c SYSTEM \"{outside}?c\"> %c; <!ENTITY d SYSTEM \"file:///etc/passwd\">]"
        ),
        &[
            site.url("main", "/p1"),
            "&a;".to_owned(),
            "&b;".to_owned(),
            format!("{}&d;", site.url("main", "/p-d")),
            site.url("main", "/p2"),
        ],
    );
    let mut laughs = "[<!ENTITY l0 \"lol\">".to_owned();
    for level in 1..60 {
        let _ = write!(laughs, "<!ENTITY l{level} \"{}\">", format!("&l{};", level - 1).repeat(10));
    }
    let laughs = document(
        &format!("{laughs}]"),
        &[format!("{}&l59;", site.url("main", "/p-lol")), site.url("main", "/p3")],
    );
    // A long entity that is used often: quadratic growth.
    let long = format!("[<!ENTITY x \"{}\">]", "x".repeat(1_000));
    let often = document(
        &long,
        &[format!("{}{}", site.url("main", "/p4?"), "&x;".repeat(100_000)), site.url("main", "/p5")],
    );
    let server = site
        .route("main", "/s1", xml(external))
        .route("main", "/s2", xml(laughs))
        .route("main", "/s3", xml(often))
        .serve();
    let audited = audit(&server, &[]);
    assert_eq!(server.log().of("other").len(), 0, "an entity of another host was asked for");
    assert_eq!(asked(&server, "main"), set(&["/p1", "/p2", "/p3", "/p5", "/s1", "/s2", "/s3"]));
    let entries: Vec<String> = audited.sitemaps(&["entries"]).into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(entries, ["2", "1", "2"]);
    let longest = rows_where(&audited.project, "v_sitemap_entries", &["url"], "url LIKE '%/p4%'");
    assert!(longest.len() == 1 && longest[0][0].len() <= 17_000, "{longest:?}");
    let told = audited.problems();
    for path in ["/s1", "/s2"] {
        assert!(told.contains(&(path.to_owned(), "entity-unresolved".to_owned())), "{told:?}");
    }
}

#[test]
fn indexes_are_followed_five_levels_deep() {
    let mut site = site(Site::single(), &["/s0"]);
    for level in 0..8 {
        let below = index(&[
            site.url("main", &format!("/s{}", level + 1)),
            site.url("main", &format!("/set{level}")),
        ]);
        let set = urlset(&[site.url("main", &format!("/p{level}"))]);
        site = site.route("main", &format!("/s{level}"), xml(below)).route(
            "main",
            &format!("/set{level}"),
            xml(set),
        );
    }
    let server = site.serve();
    let audited = audit(&server, &[]);
    let followed = ["/s0", "/s1", "/s2", "/s3", "/s4", "/s5"];
    let sets = ["/set0", "/set1", "/set2", "/set3", "/set4"];
    let pages = ["/p0", "/p1", "/p2", "/p3", "/p4"];
    assert_eq!(asked(&server, "main"), set(&[&followed[..], &sets, &pages].concat()));
    let mut expect: BTreeSet<(String, String)> =
        followed[1..].iter().map(|path| ((*path).to_owned(), "index-nested".to_owned())).collect();
    expect.insert(("/s5".to_owned(), "index-too-deep".to_owned()));
    assert_eq!(audited.problems(), expect);
    let parents = rows(&audited.project, "v_sitemaps", &["sitemap", "parent", "kind"]);
    for row in parents {
        let (path, parent) = (path_of(&row[0]), path_of(&row[1]));
        match path.strip_prefix("/set") {
            Some(level) => assert_eq!((parent, row[2].as_str()), (format!("/s{level}"), "urlset")),
            None if path == "/s0" => assert_eq!(row[1], "∅"),
            None => {
                let level: usize = path[2..].parse().expect("a level");
                assert_eq!((parent, row[2].as_str()), (format!("/s{}", level - 1), "index"));
            }
        }
    }
}

#[test]
fn indexes_in_a_circle_end() {
    let site = site(Site::single(), &["/s1", "/s2"]);
    let url = |path: &str| site.url("main", path);
    let first = index(&[url("/s1"), url("/s2"), url("/s3"), url("/s3")]);
    let third = index(&[url("/s1"), url("/s4")]);
    let fourth = urlset(&[url("/p1"), url("/s1")]);
    let server = site
        .route("main", "/s1", xml(first))
        .route("main", "/s2", Answer::redirect(302, "/s2"))
        .route("main", "/s3", xml(third))
        .route("main", "/s4", xml(fourth))
        .serve();
    let audited = audit(&server, &[]);
    assert_eq!(asked(&server, "main"), set(&["/s1", "/s2", "/s3", "/s4", "/p1"]));
    for path in ["/s3", "/s4"] {
        assert_eq!(server.log().methods("main", path).len(), 1, "{path} was asked for once");
    }
    let told = audited.problems();
    for path in ["/s1", "/s3"] {
        assert!(told.contains(&(path.to_owned(), "index-cycle".to_owned())), "{told:?}");
    }
    let errors = audited.sitemaps(&["error"]);
    assert!(
        errors.iter().any(|row| row[0] == "/s2" && row[1].starts_with("too-many-redirects")),
        "{errors:?}"
    );
}

#[test]
fn lists_and_feeds_are_sitemaps_too() {
    let site = site(Site::single(), &["/s1", "/s2", "/s3", "/s4", "/s5"]);
    let url = |path: &str| site.url("main", path);
    let text =
        format!("\u{FEFF}{}\r\n\r\n  {}\r\nwww.example.test/p-www\r\nno address\r\n", url("/p1"), url("/p2"));
    let rss = format!(
        "<rss version='2.0'><channel><link>{}</link><item><link>{}</link></item><item><guid>{}</guid></item></channel></rss>",
        url("/p-no"),
        url("/p3"),
        url("/p4")
    );
    let rdf = format!(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><item rdf:about='x'><link>{}</link></item></rdf:RDF>",
        url("/p5")
    );
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='/p-no'/><entry><link rel='edit' href='/p-no'/><link href='p6'/></entry></feed>";
    let page = "<!doctype html><title>Not found</title><a href='/p-no'>x</a>";
    let server = site
        .route("main", "/s1", Answer::text(&text))
        .route("main", "/s2", Answer::body("text/html", rss))
        .route("main", "/s3", xml(rdf))
        .route("main", "/s4", Answer::body("application/atom+xml", atom))
        .route("main", "/s5", Answer::html(page))
        .serve();
    let audited = audit(&server, &[]);
    let pages = ["/p1", "/p2", "/p3", "/p4", "/p5", "/p6"];
    assert_eq!(asked(&server, "main"), set(&[&pages[..], &["/s1", "/s2", "/s3", "/s4", "/s5"]].concat()));
    let kinds: Vec<Vec<String>> = audited.sitemaps(&["kind", "entries"]);
    let expect = [
        ["/s1", "text", "3"],
        ["/s2", "rss", "2"],
        ["/s3", "rss", "1"],
        ["/s4", "atom", "1"],
        ["/s5", "unknown", "0"],
    ];
    assert_eq!(kinds, expect);
    let expect = [("/s1", "line-no-address"), ("/s5", "html")];
    assert_eq!(audited.problems(), expect.map(|(path, code)| (path.to_owned(), code.to_owned())).into());
    let forgotten =
        rows_where(&audited.project, "v_sitemap_entries", &["url", "in_crawl"], "url LIKE 'www.%'");
    assert_eq!(forgotten, [["www.example.test/p-www", "0"]], "recorded as written");
}

#[test]
fn what_is_too_large_is_read_on_in_little_memory() {
    /// More than a sitemap may have (sitemaps.org).
    const ENTRIES: usize = 50_050;
    const BYTES: usize = 52_428_800;
    let site = site(Site::single(), &["/s1"]);
    let mut document = urlset::<&str>(&[]).replace("</urlset>\n", "");
    let filling = "-".repeat(BYTES / ENTRIES);
    for number in 0..ENTRIES {
        let url = site.url("main", &format!("/p{number}"));
        let _ = writeln!(document, "<url><loc>{url}</loc><x>{filling}</x></url>");
    }
    document.push_str("</urlset>");
    let length = document.len();
    assert!(length > BYTES);
    let server = site.route("main", "/s1", xml(document)).serve();
    let audited = audit(&server, &[("limits.max_urls", "20")]);
    let found = audited.sitemaps(&["status", "entries", "bytes", "truncated"]);
    assert_eq!(found, [["/s1", "200", &ENTRIES.to_string(), &length.to_string(), "0"]]);
    let expect = [("/s1", "too-many-entries"), ("/s1", "too-large")];
    assert_eq!(audited.problems(), expect.map(|(path, code)| (path.to_owned(), code.to_owned())).into());
    let states = rows(&audited.project, "v_crawls", &["encountered", "fetched", "over_limit"]);
    assert_eq!(states, [[(ENTRIES + 1).to_string(), "20".to_owned(), (ENTRIES - 19).to_string()]]);
    // The document alone is 53 MB. Where the system does not tell, the peak is 0.
    let peak = audited.finished.peak_memory >> 20;
    assert!(peak < 100, "{peak} MB");
}

#[test]
fn reading_ends_at_our_own_cap() {
    let site = site(Site::single(), &["/s1", "/s2.gz"]);
    let list = |from: usize| {
        let urls: Vec<String> =
            (from..from + 1_000).map(|n| site.url("main", &format!("/p{n:06}"))).collect();
        urlset(&urls)
    };
    let (plain, packed) = (list(0), list(5_000));
    let server = site
        .route("main", "/s1", xml(plain))
        .route("main", "/s2.gz", Answer::body("application/gzip", gzip(packed.as_bytes())))
        .serve();
    let audited = audit(&server, &[("fetch.sitemap_cap", "20KB"), ("limits.max_urls", "5")]);
    for row in audited.sitemaps(&["entries", "bytes", "truncated"]) {
        let entries: usize = row[1].parse().expect("a number");
        assert!((200..1_000).contains(&entries), "{row:?}");
        assert!(row[2].parse::<usize>().expect("a number") <= 20_480, "{row:?}");
        assert_eq!(row[3], "1", "{row:?}");
    }
    let told = audited.problems();
    for path in ["/s1", "/s2.gz"] {
        assert!(told.contains(&(path.to_owned(), "truncated".to_owned())), "{told:?}");
    }
}

#[test]
fn pages_are_asked_for_while_the_sitemap_comes() {
    let site = site(Site::single(), &["/s1"]);
    let urls: Vec<String> = (0..4_000).map(|n| site.url("main", &format!("/p{n}"))).collect();
    let document = urlset(&urls);
    let piece = document.len() / 20;
    let server = site.route("main", "/s1", xml(document).drip(piece, Duration::from_millis(150))).serve();
    let audited = audit(&server, &[("limits.max_urls", "50")]);
    let all = server.log().all();
    let sitemap = all.iter().find(|request| request.path == "/s1").expect("it was asked for");
    let first = all.iter().find(|request| request.path.starts_with("/p")).expect("a page was asked for");
    assert!(first.started < sitemap.ended.expect("an end"), "pages waited for the end of the sitemap");
    assert_eq!(audited.sitemaps(&["entries"]), [["/s1", "4000"]]);
}

#[test]
fn entries_of_other_hosts_are_recorded() {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let (here, there) = (site.url("main", "/p1"), site.url("other", "/p2"));
    let odd = ["/p3", "mailto:a@b.test", "http://[broken", "ftp://example.test/p4"];
    let document = urlset(&[&[here.as_str(), there.as_str()], &odd[..]].concat());
    let server = self::site(site, &["/s1"]).route("main", "/s1", xml(document)).serve();
    let audited = audit(&server, &[]);
    assert_eq!(asked(&server, "main"), set(&["/s1", "/p1"]));
    assert_eq!(server.log().of("other").len(), 0, "another host was asked because of a sitemap");
    let entries = rows(&audited.project, "v_sitemap_entries", &["url", "in_crawl", "internal", "state"]);
    assert_eq!(entries.len(), 6, "{entries:?}");
    assert!(entries.contains(&[&here, "1", "1", "fetched"].map(str::to_owned).to_vec()), "{entries:?}");
    assert!(entries.contains(&[&there, "1", "0", "not_followed"].map(str::to_owned).to_vec()), "{entries:?}");
    for url in odd {
        assert!(entries.iter().any(|row| row[0] == url && row[1] == "0"), "{url}: {entries:?}");
    }
    // A person may start at both hosts: then both are the site.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("both.gossamer");
    let starts = [server.url("main", "/"), server.url("other", "/")];
    let _ = Gossamer::audit(&starts, &project).set("extras.probes", "false").run().expect_code(0);
    assert_eq!(asked(&server, "other"), set(&["/p2"]));
    let entries = rows_where(&project, "v_sitemap_entries", &["state"], "internal = 1");
    assert_eq!(entries, [["fetched"], ["fetched"]]);
}

#[test]
fn sitemaps_elsewhere_are_asked_for_by_the_rules_there() {
    let site = Site::bind(&[("main", 1), ("other", 2), ("third", 3)]);
    let url = |path: &str| site.url("other", path);
    let (allowed, blocked, third) = (url("/s1"), url("/no/s2"), site.url("third", "/s4"));
    let document = urlset(&[site.url("main", "/p1")]);
    let moved = urlset(&[site.url("main", "/p2")]);
    let server = self::site(site, &[&allowed, &blocked, "/s3"])
        .route("other", "/robots.txt", Answer::text("User-agent: *\nDisallow: /no/\n"))
        .route("other", "/s1", xml(document))
        .route("main", "/s3", Answer::redirect(301, &third))
        .route("third", "/s4", Answer::redirect(301, "/s5"))
        .route("third", "/s5", xml(moved))
        .serve();
    let audited = audit(&server, &[]);
    server.log().assert_robots_first_and_once();
    assert_eq!(asked(&server, "main"), set(&["/s3", "/p1", "/p2"]));
    let others: Vec<String> = server.log().of("other").into_iter().map(|request| request.path).collect();
    assert_eq!(others, ["/robots.txt", "/s1"]);
    let sitemaps = audited.sitemaps(&["status", "entries", "error"]);
    let refused = sitemaps.iter().find(|row| row[0] == "/no/s2").expect("it has a row");
    assert!(refused[3].contains("robots.txt line 2: Disallow: /no/"), "{refused:?}");
    let redirects =
        rows_where(&audited.project, "v_sitemap_problems", &["sitemap", "detail"], "code = 'redirect'");
    assert_eq!(redirects, [[server.url("main", "/s3"), third]]);
    assert_eq!(sitemaps.iter().filter(|row| row[0] == "/s4").count(), 1);
}

#[test]
fn what_came_before_the_break_is_used() {
    let site = site(Site::single(), &["/s1", "/s2", "/s3", "/s4"]);
    let urls: Vec<String> = (1..=5).map(|n| site.url("main", &format!("/p{n}"))).collect();
    let cut = format!("{}<url><loc>{}", urlset(&urls[..1]).replace("</urlset>\n", ""), &urls[1]);
    let lines = cut.lines().count();
    let column = cut.lines().last().map_or(0, str::len) + 1;
    let closed = urlset(&urls[2..3]);
    let announced = (closed.len() + 1_000).to_string();
    let packed = gzip(urlset(&urls[3..4]).as_bytes());
    let junk = [packed.as_slice(), b"<!-- generated in 0.1 seconds -->"].concat();
    let faulty = urlset(&[format!("{}?a=1&b=2", urls[4]), String::new()]);
    let server = site
        .route("main", "/s1", xml(cut))
        .route("main", "/s2", xml(closed).header("Content-Length", &announced).then_close())
        .route("main", "/s3", Answer::body("application/gzip", junk))
        .route("main", "/s4", xml(faulty))
        .serve();
    let audited = audit(&server, &[]);
    let pages = ["/p1", "/p3", "/p4", "/p5?a=1&b=2", "/s1", "/s2", "/s3", "/s4"];
    assert_eq!(asked(&server, "main"), set(&pages));
    let expect = [
        ("/s1", "xml-error"),
        ("/s2", "incomplete"),
        ("/s3", "gzip-error"),
        ("/s4", "ampersand-bare"),
        ("/s4", "loc-missing"),
    ];
    assert_eq!(audited.problems(), expect.map(|(path, code)| (path.to_owned(), code.to_owned())).into());
    let places =
        rows_where(&audited.project, "v_sitemap_problems", &["line", "column"], "code = 'xml-error'");
    assert_eq!(places, [[lines.to_string(), column.to_string()]]);
}

#[test]
fn what_came_within_the_time_limit_is_used_and_the_limit_is_named() {
    let urls: Vec<String> = (0..9_000).map(|n| format!("http://elsewhere.test/{n}")).collect();
    let slow = xml(urlset(&urls)).drip(100_000, Duration::from_millis(300));
    let server = site(Site::single(), &["/s1"]).route("main", "/s1", slow).serve();
    let audited = audit(&server, &[("fetch.timeout", "1s")]);
    let entries: usize = audited.sitemaps(&["entries"])[0][1].parse().expect("a number");
    assert!((1_000..9_000).contains(&entries), "{entries} entries");
    let told = rows_where(&audited.project, "v_sitemap_problems", &["detail"], "code = 'incomplete'");
    assert!(told[0][0].contains("time limit") && told[0][0].contains("fetch.timeout"), "{told:?}");
    assert_eq!(server.log().methods("main", "/s1"), ["GET"], "what came is not asked for again");
}

#[test]
fn a_killed_reading_begins_anew() {
    let gate = Gate::closed();
    let site = site(Site::single(), &["/s0"]);
    let urls: Vec<String> = (0..3_000).map(|n| site.url("main", &format!("/p{n}"))).collect();
    let top = index(&[site.url("main", "/s1"), site.url("main", "/s2")]);
    let late = urlset(&[site.url("main", "/p-late")]);
    let server = site
        .route("main", "/s0", xml(top))
        .route("main", "/s1", xml(urlset(&urls)).drip(10_000, Duration::from_millis(100)))
        .sequence("main", "/s2", vec![xml("").behind(&gate), xml(late)])
        .serve();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let run = Gossamer::audit(&[server.url("main", "/")], &project).set("limits.max_urls", "40").start();
    // Some of the entries have been read when a page of them is asked for.
    until("pages of the sitemap are asked for", || {
        server.log().of("main").iter().filter(|request| request.path.starts_with("/p")).count() > 10
    });
    until("entries are in the file", || {
        !rows_where(&project, "v_sitemap_entries", &["url"], "url LIKE '%/p%'").is_empty()
    });
    let _ = run.kill();
    gate.open();
    let _ = Gossamer::resume(&project).limit(Duration::from_secs(60)).run().expect_code(0);
    let columns = ["sitemap", "status", "entries"];
    let mut sitemaps = rows(&project, "v_sitemaps", &columns);
    sitemaps.sort();
    let expect = [("/s0", "2"), ("/s1", "3000"), ("/s2", "1")]
        .map(|(path, entries)| vec![server.url("main", path), "200".to_owned(), entries.to_owned()]);
    assert_eq!(sitemaps, expect);
    let entries = rows(&project, "v_sitemap_entries", &["sitemap", "url"]);
    assert_eq!(entries.len(), 3_003, "no entry is lost, none stands there twice");
    assert_eq!(server.log().methods("main", "/s0").len(), 1, "what was read is not asked for again");
    let states = rows(&project, "v_crawls", &["encountered", "queued"]);
    assert_eq!(states, [["3002", "0"]]);
}
