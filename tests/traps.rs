//! Sites that make up addresses without end: the crawl ends by itself, names the pattern, and reads everything else;
//! what only looks like a trap is read whole, and a person may let a trap go on.

use engine::{AuditForm, Desk, Engine, Folders, JobState};
use gossamer_tests::results::{assert_reconciles, rows, rows_where};
use gossamer_tests::{Answer, Gate, Gossamer, Server, Site, until};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
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
    until("the slow page is asked for", || stage.asked("/slow") == 1 && stage.asked("/") >= 25);
    // The crawl has come to rest before the gate, and what it read is committed: the trap is known, and nothing else waits.
    until("only the slow page is left", || {
        let is_known = !rows_where(&stage.project(), "v_warnings", &["code"], "code = 'trap'").is_empty();
        is_known && rows(&stage.project(), "v_crawls", &["queued"]) == [["1"]]
    });
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

/// The traps of a project: pattern without its origin, kind, URLs kept back, allowed.
fn traps(stage: &Stage) -> Vec<Vec<String>> {
    let mut found = rows(&stage.project(), "v_traps", &["pattern", "kind", "kept_back", "allowed"]);
    for row in &mut found {
        row[0] = row[0].replace(stage.server.url("main", "").trim_end_matches('/'), "");
    }
    found
}

#[test]
fn a_calendar_leads_into_empty_months() {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let site = Site::single()
        .route("main", "/", Answer::page("Home", &["/calendar/2025/06/", "/about"]))
        .route("main", "/about", Answer::page("About", &["/"]))
        .otherwise(|seen| {
            let (year, month) =
                seen.path.strip_prefix("/calendar/")?.trim_end_matches('/').split_once('/')?;
            let (year, month): (usize, usize) = (year.parse().ok()?, month.parse().ok()?);
            let at = year * 12 + month - 1;
            let link = |at: usize| format!("/calendar/{}/{:02}/", at / 12, at % 12 + 1);
            let mut links = vec![link(at - 1), link(at + 1), "/about".to_owned()];
            // There is something on in one year alone.
            if year == 2025 {
                links.push(format!("/concert-in-{}", MONTHS[month - 1]));
            }
            Some(Answer::page(&format!("{} {year}: {}", MONTHS[month - 1], "nothing on"), &links))
        });
    let stage = Stage::new(site);
    let _ = stage.audit().run().expect_code(0);
    let asked = stage.asked("/calendar/");
    assert!((150..=320).contains(&asked), "{asked} requests");
    assert_eq!(stage.asked("/concert-"), 2 * 12, "the concerts are not there, which is confirmed");
    assert_eq!(patterns(&stage.project()), ["trap: /calendar/*/*/"]);
    let [trap] = &traps(&stage)[..] else { panic!("one trap") };
    assert_eq!((&*trap[0], &*trap[1], &*trap[3]), ("/calendar/*/*/", "calendar", "0"));
    assert_reconciles(&stage.project());
}

#[test]
fn a_list_goes_on_beyond_its_end() {
    let stage = Stage::new(listing(20, 100_000));
    let _ = stage.audit().run().expect_code(0);
    let asked = stage.asked("/list?");
    assert!((220..=270).contains(&asked), "{asked} requests");
    assert_eq!(stage.asked("/item/"), 100);
    assert_eq!(patterns(&stage.project()), ["trap: /list?page=*"]);
    assert_eq!(traps(&stage)[0][1], "paging");
    assert_reconciles(&stage.project());
}

/// A list with five items on each of its first pages, and then pages without any up to the last.
fn listing(full: usize, last: usize) -> Site {
    const WORDS: [&str; 10] =
        ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"];
    Site::single().route("main", "/", Answer::page("Home", &["/list?page=1"])).otherwise(move |seen| {
        if let Some(item) = seen.path.strip_prefix("/item/") {
            return Some(Answer::page(&format!("Item {item}"), &["/"]));
        }
        let page: usize = seen.path.strip_prefix("/list?page=")?.parse().ok()?;
        let mut links: Vec<String> = Vec::new();
        if page <= full {
            links.extend((0..5).map(|n| format!("/item/{}-{}-{n}", WORDS[page / 10], WORDS[page % 10])));
        }
        if page < last {
            links.push(format!("/list?page={}", page + 1));
        }
        Some(Answer::page(if page <= full { "Items" } else { "No more items" }, &links))
    })
}

#[test]
fn session_ids_that_change_with_every_answer() {
    static ID: AtomicU64 = AtomicU64::new(0);
    let site = Site::single().otherwise(|seen| {
        let path = seen.path.split('?').next()?;
        let page: usize = if path == "/" { 0 } else { path.strip_prefix("/page/")?.parse().ok()? };
        let id = ID.fetch_add(1, Ordering::Relaxed);
        let links: Vec<String> =
            (1..=30).map(|n| format!("/page/{n}?PHPSESSID=a1b2c3d4e5f6a7b8{id:08x}")).collect();
        Some(Answer::page(&format!("Page {}", "x".repeat(page)), &links))
    });
    let stage = Stage::new(site);
    let _ = stage.audit().run().expect_code(0);
    for n in 1..=30 {
        assert!(stage.asked(&format!("/page/{n}?")) > 0, "page {n}");
    }
    let asked = stage.asked("/page/");
    assert!((30..=900).contains(&asked), "{asked} requests");
    assert_eq!(patterns(&stage.project()), ["trap: *?*PHPSESSID=*"]);
    assert_eq!(traps(&stage)[0][1], "session");
    assert_reconciles(&stage.project());
}

#[test]
fn filters_that_multiply() {
    const FILTERS: [&str; 7] = ["brand", "color", "fabric", "price", "sale", "size", "style"];
    let site = Site::single().route("main", "/", Answer::page("Home", &["/shop", "/about"])).route(
        "main",
        "/about",
        Answer::page("About", &["/"]),
    );
    let stage = Stage::new(site.otherwise(|seen| {
        let (path, query) = seen.path.split_once('?').unwrap_or((&seen.path, ""));
        let links: Vec<String> = FILTERS
            .iter()
            .filter(|name| !query.contains(**name))
            .flat_map(|name| {
                (1..=3).map(move |value| {
                    let and = if query.is_empty() { "" } else { "&amp;" };
                    format!("/shop?{}{and}{name}={value}", query.replace('&', "&amp;"))
                })
            })
            .collect();
        (path == "/shop").then(|| Answer::page(&format!("The shop, by {query}"), &links))
    }));
    let _ = stage.audit().run().expect_code(0);
    let asked = stage.asked("/shop");
    // 1 + 21 + 378 pages have two filters at most, and some with three were let in.
    assert!((400..=2_400).contains(&asked), "{asked} requests");
    assert_eq!(patterns(&stage.project()), ["trap: /shop?*&*&*"]);
    assert_eq!(stage.asked("/about"), 1);
    assert_reconciles(&stage.project());
}

#[test]
fn a_large_shop_is_no_trap() {
    const SYLLABLES: [&str; 10] = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "ru"];
    let word = |n: usize| {
        n.to_string().bytes().map(|digit| SYLLABLES[usize::from(digit - b'0')]).collect::<String>()
    };
    let site = Site::single()
        .route("main", "/", Answer::page("Home", &["/c/0?page=1", "/photo/0", "/archive/2009/01/"]))
        .otherwise(move |seen| {
            let numbers: Vec<usize> =
                seen.path.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
            if seen.path.starts_with("/c/") {
                // Six categories of fifteen pages of five products.
                let (category, page) = (numbers[0], numbers[1]);
                let mut links: Vec<String> =
                    (0..5).map(|n| format!("/p/{}", category * 75 + page * 5 + n - 5)).collect();
                links.extend((0..6).map(|n| format!("/c/{n}?page=1")));
                if page < 15 {
                    links.push(format!("/c/{category}?page={}", page + 1));
                }
                return Some(Answer::page("Products", &links));
            }
            if seen.path.starts_with("/p/") {
                let n = numbers[0];
                let links =
                    [format!("/p/{}", (n + 1) % 450), format!("/p/{}", (n + 7) % 450), "/".to_owned()];
                return Some(Answer::page(&format!("The {} chair", word(n)), &links));
            }
            if seen.path.starts_with("/photo/") {
                // A gallery whose pages differ by their picture alone.
                let n = numbers[0];
                let next = if n < 119 { format!("<a href=/photo/{}>next</a>", n + 1) } else { String::new() };
                return Some(Answer::html(format!(
                    "<title>Photo {n}</title><img src=\"/i/{n}.jpg\" alt=\"\">{next}"
                )));
            }
            if seen.path.starts_with("/archive/") {
                // Ten years of months with articles, each with a link to the next.
                let at = numbers[0] * 12 + numbers[1];
                let mut links = vec![format!("/article/{}", word(at))];
                if at < 2019 * 12 {
                    links.push(format!("/archive/{}/{:02}/", at / 12, at % 12 + 1));
                }
                return Some(Answer::page("Archive", &links));
            }
            if seen.path.starts_with("/article/") || seen.path.starts_with("/i/") {
                return Some(Answer::page(&seen.path.replace('/', " "), &["/"]));
            }
            None
        });
    let stage = Stage::new(site);
    let _ = stage.audit().run().expect_code(0);
    assert_eq!(patterns(&stage.project()), Vec::<String>::new());
    let counts = ["/c/", "/p/", "/photo/", "/archive/", "/article/"].map(|beginning| stage.asked(beginning));
    assert_eq!(counts, [6 * 15, 450, 120, 120, 120]);
}

/// A desk with its folders beside the projects of a stage.
fn desk(stage: &Stage) -> Desk {
    let at = |name: &str| stage.folder.path().join(name);
    Desk::new(Engine::system(), Folders { config: at("config"), data: at("data"), projects: at("projects") })
}

#[test]
fn a_person_lets_a_trap_go_on_while_the_crawl_runs_or_when_it_is_over() {
    // Hundreds of pages that say the same: a trap by every sign, until a person says that it is none.
    const LAST: usize = 450;
    let gate = Gate::closed();
    for running in [true, false] {
        let slow = Answer::page("Slow", &["/"]);
        let slow = if running { slow.behind(&gate) } else { slow };
        let stage = Stage::new(
            listing(1, LAST)
                .route("main", "/", Answer::page("Home", &["/list?page=1", "/slow"]))
                .route("main", "/slow", slow),
        );
        let desk = desk(&stage);
        let form = AuditForm {
            address: stage.server.url("main", "/"),
            project: Some(stage.project().display().to_string()),
            ..AuditForm::default()
        };
        let job = desk.start_audit(&form).expect("a job");
        let crawl = job.crawl.expect("a crawl");
        let over = || desk.job().is_some_and(|news| news.state != JobState::Running);
        if running {
            until("the trap", || !desk.traps(crawl).expect("the traps").is_empty());
        } else {
            until("the end", over);
        }
        let asked = stage.asked("/list?");
        assert!(asked < 300, "{asked} requests");
        let traps = desk.traps(crawl).expect("the traps");
        assert_eq!(traps.len(), 1);
        assert!(traps[0].kept_back > 0 && !traps[0].examples.is_empty() && !traps[0].allowed, "{traps:?}");
        assert!(desk.allow_trap(crawl, "http://nowhere.example/*").is_err() || running);
        let allowed = desk.allow_trap(crawl, &traps[0].pattern).expect("allowed");
        assert_eq!(allowed.resume, !running);
        if running {
            until("the rest", || stage.asked("/list?") == LAST);
            gate.open();
        } else {
            let _ = desk.resume_audit(&stage.project()).expect("a job");
        }
        until("the end", over);
        assert_eq!(stage.asked("/list?"), LAST, "running: {running}");
        let traps = desk.traps(crawl).expect("the traps");
        assert!(traps[0].allowed && traps[0].kept_back == 0, "{traps:?}");
        assert_eq!(patterns(&stage.project()), Vec::<String>::new());
        assert_eq!(rows(&stage.project(), "v_crawls", &["state"]), [["finished"]]);
        assert_reconciles(&stage.project());
    }
}

#[test]
fn a_setting_names_what_is_no_trap() {
    let stage = Stage::new(listing(1, 320));
    let pattern = stage.server.url("main", "/list?page=*");
    let _ = stage.audit().set("limits.allow_traps", &pattern).run().expect_code(0);
    assert_eq!(stage.asked("/list?"), 320);
    assert_eq!(patterns(&stage.project()), Vec::<String>::new());
}
