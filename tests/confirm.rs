//! What failed is asked for once more at the end of an audit, and the later answer stands: counted at the server.

use gossamer_tests::declared::Declared;
use gossamer_tests::results::{assert_reconciles, rows, rows_where};
use gossamer_tests::{Answer, Gate, Gossamer, Seen, Server, Site, until};
use std::path::{Path, PathBuf};
use std::time::Duration;
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

    fn audit(&self) -> Gossamer {
        Gossamer::audit(&[self.server.url("main", "/")], &self.project()).set("extras.probes", "false")
    }

    fn methods(&self, path: &str) -> String {
        self.server.log().methods("main", path).join(" ")
    }

    /// One cell of a URL.
    fn cell(&self, path: &str, column: &str) -> String {
        let url = self.server.url("main", path);
        let mut found = rows_where(&self.project(), "v_urls", &[column], &format!("url = '{url}'"));
        assert_eq!(found.len(), 1, "{url}");
        found.remove(0).remove(0)
    }

    /// The requests of a URL as they are stored: purpose, method, status and failure.
    fn attempts(&self, path: &str) -> Vec<String> {
        let url = self.server.url("main", path);
        let columns = ["attempt", "purpose", "method", "status", "failure"];
        let mut found: Vec<String> =
            rows_where(&self.project(), "v_attempts", &columns, &format!("url = '{url}'"))
                .into_iter()
                .map(|row| row.join(" ").trim_end_matches(" ∅").to_owned())
                .collect();
        found.sort();
        found
    }
}

fn confirmed(project: &Path) -> usize {
    rows(project, "v_crawls", &["confirmed"])[0][0].parse().expect("a number")
}

/// A server that stumbles over one page, hangs up on another once, and lacks a third; two pages are fine.
fn stumbling() -> Site {
    Site::single()
        .route(
            "main",
            "/",
            Answer::page("Home", &["/flaky", "/reset", "/gone", "/kept", "/doc.pdf", "/login"]),
        )
        .sequence(
            "main",
            "/flaky",
            vec![Answer::text("busy").as_status(500), Answer::page("Flaky", &["/found-late"])],
        )
        .sequence(
            "main",
            "/reset",
            vec![Answer::close(), Answer::close(), Answer::close(), Answer::page("Reset", &["/kept"])],
        )
        .route("main", "/kept", Answer::page("Kept", &["/"]))
        .route("main", "/found-late", Answer::page("Found late", &["/kept"]))
        .route("main", "/login", Answer::text("who are you").as_status(403))
}

#[test]
fn the_later_answer_stands() {
    let stage = Stage::new(stumbling());
    let _ = stage.audit().run().expect_code(0);
    assert_eq!(
        (stage.cell("/flaky", "status"), stage.methods("/flaky")),
        ("200".to_owned(), "GET GET".to_owned())
    );
    assert_eq!(stage.attempts("/flaky"), ["1 fetch GET 500", "2 confirm GET 200"]);
    // What a page that came back links to is part of the site.
    assert_eq!(
        (stage.cell("/found-late", "status"), stage.cell("/found-late", "depth")),
        ("200".to_owned(), "2".to_owned())
    );
    assert_eq!(
        (stage.cell("/reset", "state"), stage.cell("/reset", "status")),
        ("fetched".to_owned(), "200".to_owned())
    );
    let tries = stage.attempts("/reset");
    assert_eq!(tries.last().map(String::as_str), Some("4 confirm GET 200"), "{tries:?}");
    assert_eq!(
        (stage.cell("/gone", "status"), stage.methods("/gone")),
        ("404".to_owned(), "GET GET".to_owned())
    );
    // A link that was checked by HEAD and GET is asked by GET; what could not be verified is left alone.
    assert_eq!(
        (stage.cell("/doc.pdf", "status"), stage.methods("/doc.pdf")),
        ("404".to_owned(), "HEAD GET GET".to_owned())
    );
    assert_eq!(
        (stage.cell("/login", "status"), stage.methods("/login")),
        ("403".to_owned(), "GET".to_owned())
    );
    assert_eq!(confirmed(&stage.project()), 4);
    assert_eq!(rows_where(&stage.project(), "v_pages", &["url"], "status = 200").len(), 5);
    assert_reconciles(&stage.project());
}

#[test]
fn it_can_be_switched_off() {
    let stage = Stage::new(stumbling());
    let _ = stage.audit().set("extras.confirm", "false").run().expect_code(0);
    assert_eq!(
        (stage.cell("/flaky", "status"), stage.methods("/gone")),
        ("500".to_owned(), "GET".to_owned())
    );
    assert_eq!(confirmed(&stage.project()), 0);
}

#[test]
fn five_hundred_are_asked_the_same_ones_in_any_order() {
    let links: Vec<String> = (0..540).rev().map(|n| format!("/lost/{n:03}")).collect();
    let stage = Stage::new(Site::single().route("main", "/", Answer::page("Home", &links)));
    let _ = stage.audit().run().expect_code(0);
    assert_eq!(confirmed(&stage.project()), 500);
    let again = |n: usize| stage.methods(&format!("/lost/{n:03}")).split(' ').count();
    assert_eq!((0..540).filter(|n| again(*n) == 2).collect::<Vec<_>>(), (0..500).collect::<Vec<_>>());
}

#[test]
fn the_pace_is_kept() {
    let links: Vec<String> = (0..12).map(|n| format!("/lost/{n}")).collect();
    let stage = Stage::new(Site::single().route("main", "/", Answer::page("Home", &links)));
    let _ = stage.audit().set("pace.delay", "100ms").set("pace.concurrency", "2").run().expect_code(0);
    let log = stage.server.log();
    assert_eq!(log.of("main").len(), 2 + 12 + 12);
    log.assert_spaced("main", Duration::from_millis(100), Duration::from_millis(30));
    log.assert_at_most_at_once(2);
}

/// A site that sends everybody to its gate first, which sets a cookie and sends them back; and two pages that lead to
/// each other whatever one brings along.
fn gated() -> Site {
    let has_cookie =
        |seen: &Seen| seen.headers.iter().any(|(name, value)| name == "cookie" && value.contains("seen=1"));
    Site::single()
        .route("main", "/", Answer::page("Home", &["/inside", "/round/a"]))
        .route("main", "/round/a", Answer::redirect(302, "/round/b"))
        .route("main", "/round/b", Answer::redirect(302, "/round/a").header("Set-Cookie", "round=1; Path=/"))
        .route("main", "/behind", Answer::page("Behind", &["/"]))
        .otherwise(move |seen| match seen.path.as_str() {
            "/inside" if has_cookie(seen) => Some(Answer::page("Inside", &["/behind"])),
            "/inside" => Some(Answer::redirect(302, "/gate")),
            "/gate" => Some(Answer::redirect(302, "/inside").header("Set-Cookie", "seen=1; Path=/")),
            _ => None,
        })
}

#[test]
fn a_gate_that_sets_a_cookie_is_no_loop() {
    let stage = Stage::new(gated());
    let _ = stage.audit().run().expect_code(0);
    let project = stage.project();
    assert_eq!(
        (stage.cell("/inside", "status"), stage.cell("/inside", "title")),
        ("200".to_owned(), "Inside".to_owned())
    );
    assert_eq!(stage.cell("/behind", "status"), "200");
    let columns = ["url", "final_url", "final_status", "loop"];
    let mut chains = rows_where(&project, "v_redirects", &columns, "hop = 1");
    chains.sort();
    let url = |path: &str| stage.server.url("main", path);
    let expect = [
        [url("/gate"), url("/inside"), "200".to_owned(), "0".to_owned()],
        [url("/round/a"), url("/round/a"), "302".to_owned(), "1".to_owned()],
        [url("/round/b"), url("/round/b"), "302".to_owned(), "1".to_owned()],
    ];
    let shown: Vec<[String; 4]> = chains
        .into_iter()
        .map(|row| {
            [
                row[0].clone(),
                if row[3] == "1" { row[0].clone() } else { row[1].clone() },
                row[2].clone(),
                row[3].clone(),
            ]
        })
        .collect();
    assert_eq!(shown, expect);
    assert_reconciles(&project);
}

#[test]
fn an_interrupted_confirmation_goes_on_where_it_was() {
    let links: Vec<String> = (0..60).map(|n| format!("/p/{n:02}")).collect();
    let gate = Gate::closed();
    // Fewer than are asked at once, so that those behind the gate keep none of the others waiting.
    const HELD: usize = 3;
    let site = |gate: Option<&Gate>| {
        let mut site = Site::single().route("main", "/", Answer::page("Home", &links));
        for n in 0..60 {
            let path = format!("/p/{n:02}");
            let fine = Answer::page(&format!("Page {n}"), &[format!("/deep/{n:02}")]);
            let broken = Answer::text("busy").as_status(500);
            // Every third one stumbled only once.
            let second = if n % 3 == 0 { fine } else { broken.clone() };
            let second = match gate {
                Some(gate) if n < HELD => second.behind(gate),
                _ => second,
            };
            site = site.sequence("main", &path, vec![broken, second]);
        }
        site.otherwise(|seen| seen.path.starts_with("/deep/").then(|| Answer::page(&seen.path, &["/"])))
    };
    let whole = Stage::new(site(None));
    let _ = whole.audit().run().expect_code(0);
    let stage = Stage::new(site(Some(&gate)));
    let running = stage.audit().start();
    let confirming =
        |stage: &Stage| stage.server.log().of("main").iter().filter(|r| r.path.starts_with("/p/")).count();
    until("all are asked twice", || confirming(&stage) == 120);
    until("the others are confirmed", || confirmed(&stage.project()) == 60 - HELD);
    let _ = running.kill();
    gate.open();
    let _ = Gossamer::resume(&stage.project()).run().expect_code(0);
    assert_eq!((confirmed(&whole.project()), confirmed(&stage.project())), (60, 60));
    let statuses = |stage: &Stage| {
        let mut found = rows(&stage.project(), "v_urls", &["url", "state", "status", "depth"]);
        for row in &mut found {
            row[0] = row[0].replace(&stage.server.url("main", ""), "");
        }
        found.sort();
        found
    };
    assert_eq!(statuses(&stage), statuses(&whole));
    Declared::of(&stage.project()).assert_no_duplicate_urls("interrupted while confirming");
    assert_reconciles(&stage.project());
}
