//! Kill and resume equals uninterrupted: `kill -9` at random moments, drawn from a seed, each followed by
//! `gossamer resume`; then the declared set is compared through the documented views.

use gossamer_tests::declared::Declared;
use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::server::pause;
use gossamer_tests::{Answer, Gate, Gossamer, RandomSite, Rng, Running, Server, Shape, Site, until};
use model::clock::{Clock, SystemClock};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(180);

/// Requests that one kill may repeat at most: five in flight at each of the two hosts, and answers that had come
/// but were not yet committed. A batch of the writer is one transaction, and what it would have held is asked anew.
const REPEATED_BY_A_KILL: usize = 64;

/// A served random site, and the declared set of a crawl of it that nothing interrupted.
struct Stage {
    folder: TempDir,
    server: Server,
    uninterrupted: Declared,
    /// Requests that the uninterrupted crawl made.
    requests: usize,
    took: Duration,
}

impl Stage {
    fn new(seed: u64, pages: usize, arguments: &[&str]) -> Self {
        let shape = Shape { pages, head_refused: 20, pace: Duration::from_millis(8), ..Shape::default() };
        let (server, _) = RandomSite::new(seed, &shape).serve();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let project = folder.path().join("uninterrupted.gossamer");
        let began = SystemClock.now();
        let _ = Gossamer::audit(&[server.url("main", "/")], &project)
            .with(arguments)
            .limit(LIMIT)
            .run()
            .expect_code(0);
        let took = SystemClock.now().duration_since(began);
        let uninterrupted = Declared::of(&project);
        uninterrupted.assert_no_duplicate_urls("uninterrupted");
        assert!(uninterrupted.rows("v_pages").len() > 20 && uninterrupted.rows("v_links").len() > 100);
        let requests = server.log().len();
        Self { folder, server, uninterrupted, requests, took }
    }

    fn project(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.gossamer"))
    }

    fn audit(&self, project: &Path, arguments: &[&str]) -> Gossamer {
        Gossamer::audit(&[self.server.url("main", "/")], project).with(arguments).limit(LIMIT)
    }

    /// Runs a program and kills it `wait` after the server has seen `requests` more requests. True when it was
    /// still running then.
    fn kill_after(&self, program: Gossamer, requests: usize, wait: Duration) -> bool {
        let seen = self.server.log().len();
        let mut running = program.start();
        while self.server.log().len() < seen + requests && !running.has_ended() {
            pause(Duration::from_micros(200));
        }
        pause(wait);
        let alive = !running.has_ended();
        let ended = running.kill();
        assert!(alive || ended.code == Some(0), "{} ended by itself\n{}", ended.shown, ended.stderr);
        alive
    }

    /// Of the requests since `first`, how many repeated an earlier one; robots.txt and sitemaps, which every
    /// process reads anew, aside.
    fn repeated_since(&self, first: usize) -> usize {
        let mut counts: BTreeMap<(String, String, String), usize> = BTreeMap::new();
        for request in self.server.log().all().split_off(first) {
            if !matches!(request.path.as_str(), "/robots.txt" | "/sitemap.xml") {
                *counts.entry((request.origin, request.method, request.path)).or_default() += 1;
            }
        }
        counts.values().map(|times| times - 1).sum()
    }
}

#[test]
fn one_crawl_killed_ten_times() {
    let stage = Stage::new(11, 260, &[]);
    let mut rng = Rng::seeded(2_024);
    let project = stage.project("killed");
    let first = stage.server.log().len();
    let mut kills = 0;
    let mut program = stage.audit(&project, &[]);
    for _ in 0..10 {
        // The crawl lasts about twice as long as ten average legs, so that every kill meets a running crawl.
        let requests = 1 + rng.below(stage.requests / 10);
        let wait = Duration::from_millis(rng.below(25) as u64);
        kills += usize::from(stage.kill_after(program, requests, wait));
        program = Gossamer::resume(&project).limit(LIMIT);
    }
    assert_eq!(kills, 10, "every kill met a running program");
    let _ = program.run().expect_code(0);
    let killed = Declared::of(&project);
    killed.assert_no_duplicate_urls("killed ten times");
    killed.assert_same_as(&stage.uninterrupted, "killed ten times");
    let repeated = stage.repeated_since(first);
    assert!(repeated <= kills * REPEATED_BY_A_KILL, "{repeated} requests were repeated by {kills} kills");
}

#[test]
fn ten_crawls_killed_at_any_moment() {
    let stage = Stage::new(12, 80, &[]);
    let mut rng = Rng::seeded(7);
    let mut kills = 0;
    // On a busy computer a crawl may end before its moment comes; such a turn counts for nothing.
    for turn in 0.. {
        if kills == 10 {
            break;
        }
        assert!(turn < 40, "only {kills} of {turn} kills met a running program");
        let project = stage.project(&format!("turn{turn}"));
        // From the first request to about the end, the analysis after the last request included.
        let wait = stage.took.mul_f64(rng.below(100) as f64 / 100.0);
        if stage.kill_after(stage.audit(&project, &[]), 1, wait) {
            kills += 1;
            // A process may be killed after its last commit and before its end: then nothing is left to resume.
            if rows(&project, "v_crawls", &["state"])[0][0] != "finished" {
                let _ = Gossamer::resume(&project).limit(LIMIT).run().expect_code(0);
            }
        }
        let when = format!("turn {turn}, killed {wait:?} after the first request");
        let killed = Declared::of(&project);
        killed.assert_no_duplicate_urls(&when);
        killed.assert_same_as(&stage.uninterrupted, &when);
    }
}

/// URLs that were asked, by the project's own account.
fn asked(project: &Path) -> usize {
    rows_where(project, "v_urls", &["url"], "state IN ('fetched', 'failed')").len()
}

#[test]
fn with_a_page_limit_the_count_is_the_same() {
    let limit = ["--max-urls", "90"];
    let stage = Stage::new(13, 160, &limit);
    assert_eq!(asked(&stage.project("uninterrupted")), 90);
    let mut rng = Rng::seeded(99);
    for turn in 0..3 {
        let project = stage.project(&format!("turn{turn}"));
        let mut program = stage.audit(&project, &limit);
        for _ in 0..3 {
            let (requests, wait) = (1 + rng.below(25), Duration::from_millis(rng.below(20) as u64));
            assert!(stage.kill_after(program, requests, wait), "the kill met a running program");
            program = Gossamer::resume(&project).limit(LIMIT);
        }
        let _ = program.run().expect_code(0);
        assert_eq!(asked(&project), 90, "turn {turn}");
        Declared::of(&project).assert_no_duplicate_urls("with a limit");
    }
}

/// Home, and as many pages as are asked at once, of which each answers as its number says; and one more.
#[cfg(unix)]
fn slow_site(slow: impl Fn(usize) -> Answer) -> Server {
    let links: Vec<String> = (0..5).map(|n| format!("/slow{n}")).chain(["/last".to_owned()]).collect();
    let mut site = Site::single().route("main", "/", Answer::page("Home", &links));
    for (number, link) in links[..5].iter().enumerate() {
        site = site.route("main", link, slow(number));
    }
    site.route("main", "/last", Answer::page("Last", &["/"])).serve()
}

/// An audit of such a site, as soon as all of its slow pages have been asked for.
#[cfg(unix)]
fn waiting_for_all(server: &Server, project: &Path, settings: &[(&str, &str)]) -> Running {
    let mut audit = Gossamer::audit(&[server.url("main", "/")], project).set("extras.probes", "false");
    for (id, value) in settings {
        audit = audit.set(id, value);
    }
    let running = audit.start();
    until("the slow pages are asked for", || {
        server.log().all().iter().filter(|request| request.path.starts_with("/slow")).count() == 5
    });
    running
}

#[cfg(unix)]
#[test]
fn an_interrupted_crawl_waits_for_what_is_under_way() {
    let gate = Gate::closed();
    let server = slow_site(|_| Answer::page("Slow", &["/"]).behind(&gate));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let mut running = waiting_for_all(&server, &project, &[]);
    running.interrupt();
    running.wait_to_say("waiting for 5 requests");
    gate.open();
    let _ = running.wait().expect_code(130);
    assert_eq!(asked(&project), 6, "home and what was under way");
    assert_eq!(server.log().methods("main", "/last"), Vec::<String>::new(), "nothing new is asked");
    let counted = rows(&project, "v_hosts", &["requests"]);
    assert_eq!(counted, [[server.log().len().to_string()]]);
    let _ = Gossamer::resume(&project).limit(LIMIT).run().expect_code(0);
    for path in ["/", "/slow0", "/slow1", "/slow2", "/slow3", "/slow4", "/last"] {
        assert_eq!(server.log().methods("main", path), ["GET"], "{path}");
    }
}

#[cfg(unix)]
#[test]
fn what_comes_during_the_wait_is_stored_before_it_ends() {
    let gate = Gate::closed();
    let server = slow_site(|number| match number {
        0 => Answer::hang(),
        _ => Answer::page("Slow", &["/"]).behind(&gate),
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let mut running = waiting_for_all(&server, &project, &[("fetch.timeout", "100s")]);
    running.interrupt();
    running.wait_to_say("waiting for 5 requests");
    gate.open();
    // One of them is waited for all along.
    until("four answers are in the file", || asked(&project) == 5);
    let _ = running.kill();
    assert_eq!(asked(&project), 5);
    assert_eq!(server.log().methods("main", "/last"), Vec::<String>::new());
}

/// A sitemap that is short on the way and long to read, which is waited for when the crawl is interrupted.
#[cfg(unix)]
#[test]
fn a_sitemap_that_came_before_the_end_is_read_to_its_end() {
    use std::io::Write as _;
    const ENTRIES: usize = 4_000;
    let gate = Gate::closed();
    let site = Site::single();
    let list: String = (0..ENTRIES).map(|number| format!("http://elsewhere.test/{number}\n")).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(list.as_bytes()).expect("room in memory");
    let packed = packed.finish().expect("room in memory");
    let robots = format!("Sitemap: {}\n", site.url("main", "/map.txt.gz"));
    let server = site
        .route("main", "/robots.txt", Answer::text(&robots))
        .route("main", "/map.txt.gz", Answer::body("application/gzip", packed).behind(&gate))
        .route("main", "/", Answer::page::<&str>("Home", &[]))
        .serve();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("site.gossamer");
    let audit = Gossamer::audit(&[server.url("main", "/")], &project).set("extras.probes", "false");
    let mut running = audit.start();
    until("the sitemap is asked for", || !server.log().methods("main", "/map.txt.gz").is_empty());
    running.interrupt();
    running.wait_to_say("Stopping: waiting for");
    gate.open();
    let _ = running.wait().expect_code(130);
    let read = rows(&project, "v_sitemaps", &["status", "entries"]);
    assert_eq!(read, [["200".to_owned(), ENTRIES.to_string()]]);
    let _ = Gossamer::resume(&project).limit(LIMIT).run().expect_code(0);
    assert_eq!(server.log().methods("main", "/map.txt.gz"), ["GET"], "it is not asked for again");
}

#[cfg(unix)]
#[test]
fn an_interrupted_crawl_does_not_wait_without_end() {
    let server = slow_site(|_| Answer::hang());
    let folder = tempfile::tempdir().expect("a temporary folder");
    // The time limit of a request ends the wait, and no retry begins.
    let project = folder.path().join("limit.gossamer");
    let running = waiting_for_all(&server, &project, &[("fetch.timeout", "2s")]);
    running.interrupt();
    let _ = running.wait().expect_code(130);
    assert_eq!(server.log().methods("main", "/slow0"), ["GET"]);
    assert_eq!(asked(&project), 1, "what did not answer can be asked when the crawl goes on");
    // Who asks twice waits for nothing: the limit of the run is shorter than that of its requests.
    let server = slow_site(|_| Answer::hang());
    let project = folder.path().join("twice.gossamer");
    let mut running = waiting_for_all(&server, &project, &[("fetch.timeout", "100s")]);
    running.interrupt();
    running.wait_to_say("Stopping");
    running.interrupt();
    let _ = running.wait().expect_code(130);
    assert_eq!(asked(&project), 1);
    assert_eq!(rows(&project, "v_crawls", &["state"]), [["interrupted"]]);
    // What was given up had been asked.
    assert_eq!(rows(&project, "v_hosts", &["requests"]), [[server.log().len().to_string()]]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_crawl_says_so_and_resumes() {
    let stage = Stage::new(14, 120, &[]);
    let project = stage.project("interrupted");
    let seen = stage.server.log().len();
    let running = stage.audit(&project, &[]).start();
    while stage.server.log().len() < seen + stage.requests / 3 {
        pause(Duration::from_millis(1));
    }
    running.interrupt();
    let ended = running.wait();
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    assert!(stage.server.log().len() < seen + stage.requests, "it went on to the end");
    let _ = Gossamer::resume(&project).limit(LIMIT).run().expect_code(0);
    let resumed = Declared::of(&project);
    resumed.assert_same_as(&stage.uninterrupted, "interrupted");
    // An orderly stop waits for, or gives back, what is in flight: nothing that was stored is asked again.
    assert!(stage.repeated_since(seen) <= REPEATED_BY_A_KILL);
}
