//! Sites that make up addresses without end: the crawl ends by itself, names the pattern, and reads everything else;
//! what only looks like a trap is read whole.

use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::server::pause;
use gossamer_tests::{Answer, Gate, Gossamer, Server, Site};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The navigation of a shop whose author forgot a slash: below any address of it there are six longer ones.
const SECTIONS: [&str; 6] = ["tea/", "cups/", "sets/", "gifts/", "news/", "help/"];

/// A site with the shop below `/shop/`, which answers any address alike, and `/about`.
fn shop() -> Site {
    Site::single()
        .route("main", "/", Answer::page("Home", &["/shop/", "/about"]))
        .route("main", "/about", Answer::page("About", &["/"]))
        .otherwise(|seen| seen.path.starts_with("/shop/").then(|| Answer::page("The shop", &SECTIONS)))
}

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

    fn audit(&self) -> Gossamer {
        Gossamer::audit(&[self.server.url("main", "/")], &self.project())
    }

    /// Requests for addresses that begin so.
    fn asked(&self, beginning: &str) -> usize {
        self.server.log().of("main").iter().filter(|request| request.path.starts_with(beginning)).count()
    }
}

/// The patterns by which URLs were kept back.
fn patterns(project: &Path) -> Vec<String> {
    let mut reasons: Vec<String> = rows_where(project, "v_urls", &["reason"], "state = 'over_limit'")
        .into_iter()
        .map(|mut row| row.remove(0))
        .collect();
    reasons.sort();
    reasons.dedup();
    reasons
}

fn assert_reconciles(project: &Path) {
    let states =
        ["encountered", "fetched", "failed", "blocked", "excluded", "over_limit", "not_followed", "queued"];
    let row = &rows(project, "v_crawls", &states)[0];
    let numbers: Vec<usize> = row.iter().map(|text| text.parse().expect("a number")).collect();
    assert_eq!(numbers[0], numbers[1..].iter().sum::<usize>(), "{numbers:?}");
}

#[test]
fn relative_links_that_lead_ever_deeper() {
    let stage = Stage::new(shop());
    let _ = stage.audit().run().expect_code(0);
    let asked = stage.asked("/shop/");
    assert!((25..=300).contains(&asked), "{asked} requests");
    assert_eq!(stage.asked("/about"), 1);
    assert_eq!(patterns(&stage.project()), ["trap: /shop/*"]);
    let warnings = rows_where(&stage.project(), "v_warnings", &["subject"], "code = 'trap'");
    assert_eq!(warnings, [[stage.server.url("main", "/shop/*")]]);
    assert_reconciles(&stage.project());
}

#[test]
fn a_person_may_let_a_trap_go_on() {
    let stage = Stage::new(shop());
    let _ =
        stage.audit().set("limits.pause_traps", "false").with(&["--max-urls", "500"]).run().expect_code(0);
    assert_eq!(stage.asked("/shop/") + stage.asked("/about"), 499);
    assert_eq!(patterns(&stage.project()), ["max-urls"]);
}

#[test]
fn parameters_that_pile_up() {
    // Every page differs, so only the addresses give it away.
    let site = Site::single()
        .route("main", "/", Answer::page("Home", &["/list?page=1", "/about"]))
        .route("main", "/about", Answer::page("About", &["/"]))
        .otherwise(|seen| {
            let query = seen.path.strip_prefix("/list?")?;
            let links: Vec<String> = (1..=9).map(|n| format!("/list?{query}&amp;page={n}")).collect();
            Some(Answer::page(&format!("Page {query}"), &links))
        });
    let stage = Stage::new(site);
    let _ = stage.audit().run().expect_code(0);
    let asked = stage.asked("/list");
    assert!((20..=120).contains(&asked), "{asked} requests");
    assert_eq!(stage.asked("/about"), 1);
    assert_eq!(patterns(&stage.project()), ["trap: /list?*page=*page=*"]);
    assert_reconciles(&stage.project());
}

#[test]
fn a_resumed_crawl_knows_its_traps() {
    let gate = Gate::closed();
    let stage =
        Stage::new(shop().route("main", "/", Answer::page("Home", &["/shop/", "/about", "/slow"])).route(
            "main",
            "/slow",
            Answer::page("Slow", &["/shop/"]).behind(&gate),
        ));
    let running = stage.audit().start();
    // The crawl has come to rest before the gate, and what it read is committed.
    let mut seen = 0;
    while seen < 25 || stage.asked("/") != seen {
        seen = stage.asked("/");
        pause(Duration::from_secs(1));
    }
    let _ = running.kill();
    let before = stage.asked("/shop/");
    gate.open();
    let _ = Gossamer::resume(&stage.project()).run().expect_code(0);
    let after = stage.asked("/shop/") - before;
    assert!(after <= SECTIONS.len(), "{after} more requests");
    assert_eq!(patterns(&stage.project()), ["trap: /shop/*"]);
    assert_eq!(rows_where(&stage.project(), "v_warnings", &["code"], "code = 'trap'").len(), 1);
    assert_reconciles(&stage.project());
}

#[test]
fn what_only_looks_like_a_trap() {
    // A hundred pages that are all alike, each linked from the one before; a filter with ten values, two at a time;
    // folders in folders that are named alike; pages named by the sitemap.
    let chain = |n: usize| format!("/p/{}", n + 1);
    let site = Site::single()
        .route("main", "/", Answer::page("Home", &["/p/0", "/filter?of=1&of=2", "/src/main/java/main/0"]))
        .otherwise(move |seen| {
            if let Some(n) = seen.path.strip_prefix("/p/").and_then(|n| n.parse::<usize>().ok()) {
                let links: Vec<String> = (n < 99).then(|| chain(n)).into_iter().collect();
                return Some(Answer::html(format!(
                    "<title>All alike</title><p>next{}",
                    links.iter().map(|link| format!("<a href=\"{link}\">next</a>")).collect::<String>()
                )));
            }
            if seen.path.starts_with("/filter?") {
                let links: Vec<String> = (1..10)
                    .flat_map(|a| (a + 1..=10).map(move |b| format!("/filter?of={a}&of={b}")))
                    .collect();
                return Some(Answer::page(&seen.path, &links));
            }
            let n: usize = seen.path.strip_prefix("/src/main/java/main/")?.parse().ok()?;
            let next = format!("/src/main/java/main/{}", n + 1);
            Some(Answer::page(&seen.path, &(if n < 79 { vec![next] } else { Vec::new() })))
        });
    let stage = Stage::new(site);
    let _ = stage.audit().run().expect_code(0);
    assert_eq!(patterns(&stage.project()), Vec::<String>::new());
    assert_eq!(stage.asked("/p/"), 100);
    assert_eq!(stage.asked("/filter"), 45);
    assert_eq!(stage.asked("/src/"), 80);
}
