//! Probes: each is asked once in a crawl, politely, shown as a probe and counted nowhere; read from the server's log.

use engine::outside::{BoxFuture, NoFaults, Resolve, Seams};
use engine::{AuditRequest, Control, Engine};
use gossamer_tests::results::{assert_reconciles, rows, rows_where};
use gossamer_tests::{Answer, Gate, Gossamer, Server, Site, until};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

const WWW: &str = "http://www.loom.example/";

/// A site under two names, each a listener of its own.
struct Stage {
    server: Server,
    folder: TempDir,
}

impl Stage {
    fn new(routes: impl FnOnce(Site) -> Site) -> Self {
        let site = routes(Site::bind(&[("www", 1), ("apex", 1)]));
        Self { server: site.serve(), folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("site.gossamer")
    }

    fn audit(&self) -> Gossamer {
        let to = |name: &str, origin: &str| {
            let url = self.server.url(origin, "/");
            format!("{name}:80:{}", url.trim_start_matches("http://").trim_end_matches('/'))
        };
        Gossamer::audit(&[WWW.to_owned()], &self.project()).with(&[
            "--resolve",
            &to("www.loom.example", "www"),
            "--resolve",
            &to("loom.example", "apex"),
        ])
    }

    /// Method and path of every request to an origin, in order of their text.
    fn asked(&self, origin: &str) -> Vec<String> {
        let mut asked: Vec<String> = self
            .server
            .log()
            .of(origin)
            .iter()
            .map(|request| format!("{} {}", request.method, request.path))
            .collect();
        asked.sort();
        asked
    }

    /// The probes of a kind: subject without its origin where that is the site's, and the columns asked for.
    fn probes(&self, kind: &str, columns: &[&str]) -> Vec<Vec<String>> {
        let columns = [&["subject"], columns].concat();
        let mut found = rows_where(&self.project(), "v_probes", &columns, &format!("kind = '{kind}'"));
        found.sort();
        found
    }
}

/// Home and one page, which links to the bare name; the bare name redirects to the other.
fn shop(site: Site) -> Site {
    site.route("www", "/", Answer::page("Home", &["/tea", "http://loom.example/cups"]))
        .route("www", "/tea", Answer::page("Tea", &["/"]))
        .route("www", "/cups", Answer::page("Cups", &["/"]))
        .route("apex", "/", Answer::redirect(301, WWW))
        .route("apex", "/cups", Answer::redirect(301, "http://www.loom.example/cups"))
}

#[test]
fn each_is_asked_once_and_counted_nowhere() {
    let stage = Stage::new(shop);
    let _ = stage.audit().run().expect_code(0);
    let asked = stage.asked("www");
    let random: Vec<&String> = asked.iter().filter(|line| line.contains("/gossamer-probe-")).collect();
    assert_eq!(random.len(), 1, "{asked:?}");
    for place in ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"] {
        // HEAD is refused by nobody here, and a failing HEAD leads to a GET, as for every link.
        assert_eq!(asked.iter().filter(|line| line.ends_with(place)).count(), 2, "{place} in {asked:?}");
    }
    assert_eq!(stage.server.log().methods("apex", "/"), ["HEAD"]);
    stage.server.log().assert_robots_first_and_once();
    let project = stage.project();
    let random = stage.probes("random-path", &["state", "status", "requested"]);
    assert_eq!((random.len(), &*random[0][1], &*random[0][2]), (1, "answered", "404"));
    assert!(!random[0][3].is_empty());
    let sitemaps = stage.probes("sitemap", &["state", "status"]);
    assert_eq!(sitemaps.len(), 3);
    assert!(sitemaps.iter().all(|row| row[1] == "answered" && row[2] == "404"), "{sitemaps:?}");
    let twins = stage.probes("twin", &["state", "status", "redirect_target", "reason"]);
    let shown: Vec<String> = twins.iter().map(|row| row.join(" ")).collect();
    assert_eq!(shown[0], format!("http://loom.example/ answered 301 {WWW} ∅"));
    // Nothing answers https, and these names are known to no resolver.
    assert!(shown[1].starts_with("https://loom.example/ failed ∅ ∅"), "{shown:?}");
    assert!(shown[2].starts_with("https://www.loom.example/ failed ∅ ∅"), "{shown:?}");
    assert_eq!(stage.probes("random-host", &["state"]).len(), 1);
    let met: Vec<String> =
        rows(&project, "v_urls", &["url"]).into_iter().map(|mut row| row.remove(0)).collect();
    assert!(!met.iter().any(|url| url.contains("probe") || url.contains("sitemap")), "{met:?}");
    assert_eq!(met.len(), 4, "{met:?}");
    assert_reconciles(&project);
}

#[test]
fn every_request_of_the_servers_log_is_counted_and_listed() {
    let stage = Stage::new(shop);
    let _ = stage.audit().run().expect_code(0);
    let project = stage.project();
    for (name, origin) in [("http://www.loom.example", "www"), ("http://loom.example", "apex")] {
        let log = stage.asked(origin);
        let counted = rows_where(&project, "v_hosts", &["requests"], &format!("origin = '{name}'"));
        assert_eq!(counted, [[log.len().to_string()]], "{log:?}");
        // Whatever took one request has its row; what took several has one for each of them.
        let of = |view: &str, url: &str, more: &str| {
            let only = format!("{url} LIKE '{name}/%' AND {more}");
            let found = rows_where(&project, view, &["method", url], &only).into_iter();
            found.map(|row| format!("{} {}", row[0], row[1].trim_start_matches(name))).collect::<Vec<_>>()
        };
        let several = of("v_attempts", "url", "1");
        let path = |line: &str| line.split_once(' ').map(|(_, path)| path.to_owned());
        let is_single = |line: &String| !several.iter().any(|one| path(one) == path(line));
        let urls = of("v_urls", "url", "method IS NOT NULL");
        let probes = of("v_probes", "subject", "state <> 'known' AND method IS NOT NULL");
        let mut listed: Vec<String> = urls.into_iter().chain(probes).filter(is_single).collect();
        listed.extend(several.clone());
        listed.push("GET /robots.txt".to_owned());
        listed.sort();
        // A URL that was checked before the twin's answer made it one of the site is asked again as a page, and told as one.
        let is_told = |line: &&String| {
            !line
                .strip_prefix("HEAD ")
                .is_some_and(|path| listed.contains(&format!("GET {path}")) && !listed.contains(line))
        };
        assert_eq!(listed, log.iter().filter(is_told).cloned().collect::<Vec<_>>());
    }
    let attempts =
        rows_where(&project, "v_attempts", &["purpose", "method", "status"], "url LIKE '%/sitemap.xml'");
    assert_eq!(attempts, [["probe", "HEAD", "404"], ["probe", "GET", "404"]]);
}

#[test]
fn the_twin_that_redirects_to_the_site_belongs_to_it() {
    let stage = Stage::new(shop);
    let _ = stage.audit().run().expect_code(0);
    let internal = rows_where(
        &stage.project(),
        "v_urls",
        &["url", "internal", "status"],
        "url LIKE 'http://loom.example/%'",
    );
    assert_eq!(internal, [["http://loom.example/cups", "1", "301"]]);
    // Without probes nobody knows, and the link is checked as one to another site.
    let stage = Stage::new(shop);
    let _ = stage.audit().set("extras.probes", "false").run().expect_code(0);
    let external = rows_where(
        &stage.project(),
        "v_urls",
        &["url", "internal", "status"],
        "url LIKE 'http://loom.example/%'",
    );
    assert_eq!(external, [["http://loom.example/cups", "0", "301"]]);
    assert_eq!(rows(&stage.project(), "v_probes", &["kind"]), Vec::<Vec<String>>::new());
    let asked = stage.asked("www");
    assert!(!asked.iter().any(|line| line.contains("probe") || line.contains("sitemap")), "{asked:?}");
    assert!(!stage.asked("apex").iter().any(|line| line.ends_with(" /")), "the twin itself is not asked");
}

#[test]
fn robots_txt_is_obeyed_and_what_is_known_is_not_asked_again() {
    let robots = "User-agent: *\nDisallow: /gossamer-probe\nSitemap: http://www.loom.example/sitemap.xml\n";
    let sitemap = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://www.loom.example/tea</loc></url></urlset>";
    let stage = Stage::new(|site| {
        shop(site).route("www", "/robots.txt", Answer::text(robots)).route(
            "www",
            "/sitemap.xml",
            Answer::body("application/xml", sitemap),
        )
    });
    let _ = stage.audit().run().expect_code(0);
    let asked = stage.asked("www");
    assert!(!asked.iter().any(|line| line.contains("probe")), "{asked:?}");
    let random = stage.probes("random-path", &["state", "detail"]);
    assert_eq!((&*random[0][1], random[0][2].contains("line 2")), ("blocked", true), "{random:?}");
    assert_eq!(stage.server.log().methods("www", "/sitemap.xml"), ["GET"]);
    let known = stage.probes("sitemap", &["state", "status"]);
    assert!(
        known.contains(&vec![
            "http://www.loom.example/sitemap.xml".to_owned(),
            "known".to_owned(),
            "200".to_owned()
        ]),
        "{known:?}"
    );
}

#[test]
fn a_site_that_answers_everything_shows_what_it_answers_with() {
    let stage = Stage::new(|site| {
        site.route("www", "/", Answer::page("Home", &["/tea"]))
            .otherwise(|seen| (seen.origin == "www").then(|| Answer::page("Nothing here", &["/"])))
    });
    let _ = stage.audit().run().expect_code(0);
    let random = stage.probes("random-path", &["status", "title", "content_type"]);
    assert_eq!(random[0][1..3], ["200", "Nothing here"]);
    assert_reconciles(&stage.project());
    // What the next crawl makes up is another address, and what it finds is the same. Both show the newest crawl.
    let look = || {
        let made_up = stage.probes("random-path", &["status"]).remove(0).remove(0);
        let only = "audit = 'nonsense-answers-200'";
        let found = rows_where(&stage.project(), "v_issues", &["url", "evidence"], only);
        assert_eq!((found.len(), &*found[0][0]), (1, WWW), "{found:?}");
        assert!(found[0][1].contains("Nothing here") && found[0][1].contains(&made_up), "{found:?}");
        made_up
    };
    let first = look();
    let _ = stage.audit().run().expect_code(0);
    assert_ne!(first, look());
}

#[test]
fn a_resumed_crawl_asks_no_probe_twice() {
    let whole = Stage::new(shop);
    let _ = whole.audit().run().expect_code(0);
    let gate = Gate::closed();
    let stage =
        Stage::new(|site| shop(site).route("www", "/wp-sitemap.xml", Answer::status(404).behind(&gate)));
    let running = stage.audit().start();
    until("the probe at the gate is asked", || {
        !stage.server.log().methods("www", "/wp-sitemap.xml").is_empty()
    });
    let stored = |stage: &Stage| rows(&stage.project(), "v_probes", &["subject"]).len();
    until("the others are in the file", || stored(&stage) == stored(&whole) - 1);
    let _ = running.kill();
    gate.open();
    let _ = Gossamer::resume(&stage.project()).run().expect_code(0);
    let counts = stage.server.log().counts();
    let twice: Vec<&str> = counts
        .iter()
        .filter(|((_, _, path), times)| **times > 1 && path != "/robots.txt")
        .map(|((_, _, path), _)| path.as_str())
        .collect();
    assert_eq!(twice, ["/wp-sitemap.xml"], "{counts:?}");
    assert_eq!(stage.probes("sitemap", &["state"]).len(), 3);
}

/// A resolver that has an address for every name.
#[derive(Debug)]
struct Liar;

impl Resolve for Liar {
    fn resolve(&self, _host: &str) -> BoxFuture<std::io::Result<Vec<IpAddr>>> {
        Box::pin(std::future::ready(Ok(vec![IpAddr::from([127, 0, 0, 1])])))
    }
}

#[test]
fn a_resolver_that_answers_for_any_name_is_told_of() {
    let stage = Stage::new(shop);
    let mut seams = Seams::system();
    seams.resolver = Arc::new(Liar);
    let engine = Engine::with_seams(seams, Arc::new(NoFaults));
    let port =
        stage.server.url("www", "").rsplit(':').next().map(|port| port.trim_end_matches('/').to_owned());
    let request = AuditRequest {
        seeds: vec![format!("http://anything.example:{}/", port.expect("a port"))],
        project: stage.project(),
        ..AuditRequest::default()
    };
    engine.audit(&request, &Control::new(), &|_| {}).expect("an audit");
    let told = rows_where(&stage.project(), "v_warnings", &["subject", "detail"], "code = 'lying-resolver'");
    assert_eq!(told.len(), 1);
    assert!(told[0][1].contains("127.0.0.1"), "{told:?}");
    let probe = stage.probes("random-host", &["state", "detail"]);
    assert_eq!(probe, [[told[0][0].clone(), "answered".to_owned(), "127.0.0.1".to_owned()]]);
}

const PHONE: &str = "Mozilla/5.0 (Phone) TestAgent/1.0";

/// Each page is asked once more as the second user agent, by the same pace and robots.txt; nothing else is, and what the crawl
/// itself was answered stands.
#[test]
fn pages_are_compared_as_a_second_user_agent_sees_them() {
    let site = Site::single()
        .route("main", "/robots.txt", Answer::text("User-agent: *\nDisallow: /closed\n"))
        .route("main", "/", Answer::page("Home", &["/same", "/hidden", "/moved", "/closed", "/gone"]))
        .route("main", "/same", Answer::page("Same", &["/"]))
        .otherwise(|seen| {
            let is_phone = seen.header_bytes("user-agent").as_deref() == Some(PHONE.as_bytes());
            match seen.path.as_str() {
                "/hidden" if is_phone => Some(Answer::html(
                    "<!doctype html><title>Hidden</title><meta name=robots content=noindex><p>no",
                )),
                "/hidden" => Some(Answer::page("Hidden", &["/"])),
                "/moved" if is_phone => Some(Answer::redirect(302, "/m/moved")),
                "/moved" => Some(Answer::page("Moved", &["/"])),
                _ => None,
            }
        });
    let server = site.serve();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let audit = |agents: &str| {
        let _ = Gossamer::audit(&[server.url("main", "/")], &project)
            .set("extras.probes", "false")
            .set("extras.compare_agents", agents)
            .set("extras.second_agent", PHONE)
            .run()
            .expect_code(0);
    };
    audit("false");
    let by_phone = || -> Vec<String> {
        let requests = server.log().of("main");
        let mut paths: Vec<String> = requests
            .iter()
            .filter(|request| request.header("user-agent") == Some(PHONE))
            .map(|request| format!("{} {}", request.method, request.path))
            .collect();
        paths.sort();
        paths
    };
    assert_eq!(by_phone(), Vec::<String>::new());
    audit("true");
    assert_eq!(by_phone(), ["GET /", "GET /hidden", "GET /moved", "GET /same"]);
    let columns =
        ["url", "status", "indexability", "second_status", "second_indexability", "second_redirect_target"];
    let mut found = rows(&project, "v_agents", &columns);
    found.sort();
    let row = |path: &str, rest: [&str; 5]| -> Vec<String> {
        std::iter::once(server.url("main", path)).chain(rest.map(str::to_owned)).collect()
    };
    let moved = server.url("main", "/m/moved");
    let expect = [
        row("/", ["200", "indexable", "200", "indexable", "∅"]),
        row("/hidden", ["200", "indexable", "200", "noindex", "∅"]),
        row("/moved", ["200", "indexable", "302", "∅", &moved]),
        row("/same", ["200", "indexable", "200", "indexable", "∅"]),
    ];
    assert_eq!(found, expect);
    let mut issues = rows_where(&project, "v_issues", &["url"], "audit = 'mixed-status-by-agent'");
    issues.sort();
    assert_eq!(issues, [[server.url("main", "/hidden")], [server.url("main", "/moved")]]);
}
