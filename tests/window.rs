//! The real window, driven from outside as a person would: what it shows is what the command line says of the same file.

use engine::demo::Demo;
use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::window::{Opening, Rendering, Window};
use gossamer_tests::{Answer, Gate, Gossamer, Server, Site};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a table shows now, by its column.
fn column(window: &Window, table: &str, column: &str) -> Vec<String> {
    let cells = window.script(
        "const table = document.querySelector(`[data-testid=${CSS.escape(arguments[0])}]`);
         const heads = [...table.querySelectorAll('[role=columnheader]')].filter(one => one.dataset.column === arguments[1]);
         if (heads.length === 0) return null;
         const place = heads[0].getAttribute('aria-colindex');
         // An address that is cut to its column's width is read out whole.
         const whole = cell => (cell.querySelector('.sr-only') || cell).textContent.trim();
         return [...table.querySelectorAll('[data-testid=row]')].sort((a, b) => a.dataset.position - b.dataset.position).map(row => whole(row.querySelector(`[role=gridcell][aria-colindex=\"${place}\"]`)));",
        &[table.into(), column.into()],
    );
    let cells = cells.as_array().unwrap_or_else(|| panic!("{table} has no column {column}"));
    cells.iter().map(|cell| cell.as_str().unwrap_or_default().to_owned()).collect()
}

/// Waits until a table has read its rows and says that it has this many.
fn wait_for_rows(window: &Window, table: &str, count: usize) {
    window.wait_until(
        "const table = document.querySelector(`[data-testid=${CSS.escape(arguments[0])}]`);
         const grid = table && table.querySelector('[role=grid]');
         return grid && grid.getAttribute('aria-busy') !== 'true' && Number(grid.getAttribute('aria-rowcount')) === arguments[1] + 1
           && (arguments[1] === 0 || table.querySelector('[data-testid=row]')) && !table.querySelector('.awaited:not([hidden])')",
        &[table.into(), json!(count)],
    );
}

/// The one project file below the stand-in for a home.
fn project_of(window: &Window) -> PathBuf {
    let mut folders = vec![window.home().to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "gossamer") {
                found.push(path);
            }
        }
    }
    assert_eq!(found.len(), 1, "one project file: {found:?}");
    found.remove(0)
}

fn distinct(lines: Vec<Vec<String>>) -> BTreeSet<String> {
    lines.into_iter().filter_map(|mut line| (!line.is_empty()).then(|| line.swap_remove(0))).collect()
}

#[test]
fn an_audit_from_the_address_to_the_export() {
    let Some(window) = Window::open(&Opening::default()) else { return };
    let demo = Demo::start().expect("the demo site");

    // What is no address is said at the field, and nothing starts.
    window.fill("[data-testid=start-address]", "not an address\u{e007}");
    window.wait_for("[data-testid=start-error]");

    // An address and Enter: the audit runs and leads to the overview.
    window.fill("[data-testid=start-address]", &format!("{}\u{e007}", demo.url()));
    window.wait_for("[data-testid=screen-overview]");
    let project = project_of(&window);

    // An issue shows exactly the URLs that the file has for it.
    let expected = distinct(rows_where(&project, "v_issues", &["url"], "audit = 'broken-page'"));
    assert!(expected.len() > 1, "the demo site has broken pages");
    window.click("[data-testid=rail-issues]");
    window.click("[data-testid=audit-broken-page]");
    wait_for_rows(&window, "table-findings", expected.len());
    let shown: BTreeSet<String> = column(&window, "table-findings", "url").into_iter().collect();
    assert_eq!(shown, expected);

    // A filter narrows the table to what the same condition gives on the command line.
    let all = rows(&project, "v_urls", &["url"]).len();
    window.click("[data-testid=rail-urls]");
    wait_for_rows(&window, "table-urls", all);
    let wanted = rows_where(&project, "v_urls", &["url"], "url LIKE '%journal%' OR reason LIKE '%journal%'");
    assert!(!wanted.is_empty() && wanted.len() < all);
    window.fill("[data-testid=screen-urls] [data-testid=search]", "journal");
    wait_for_rows(&window, "table-urls", wanted.len());
    let shown: BTreeSet<String> = column(&window, "table-urls", "url").into_iter().collect();
    assert_eq!(shown, distinct(wanted.clone()), "all of them fit into the window");

    // What is exported is what the table shows, and what the command line writes for the same columns.
    let file = window.home().join("journal.csv");
    window.click("[data-testid=urls-export]");
    window.wait_for("[data-testid=export-form]");
    let columns = window.script(
        "return [...document.querySelectorAll('[data-testid=table-urls] [role=columnheader]')].map(one => one.dataset.column)",
        &[],
    );
    let columns: Vec<String> = serde_json::from_value(columns).expect("names");
    window.wait_until(
        "return document.querySelector('[data-testid=export-form] [data-testid=export-path]').value",
        &[],
    );
    window.fill("[data-testid=export-form] [data-testid=export-path]", &file.display().to_string());
    window.click("[data-testid=export-start]");
    window.wait_for("[data-testid=toast]");
    let exported = std::fs::read_to_string(&file).expect("the export");
    let by_program = Gossamer::new(["show", &project.display().to_string(), "urls", "--format", "csv"])
        .with(&[
            "--where",
            "url LIKE '%journal%' OR reason LIKE '%journal%'",
            "--columns",
            &columns.join(","),
        ])
        .run()
        .expect_code(0)
        .stdout;
    assert_eq!(sorted_lines(exported.trim_start_matches('\u{feff}')), sorted_lines(&by_program));
    assert_eq!(exported.lines().count(), wanted.len() + 1);

    // The agencies' report is the command line's, to the byte.
    let (file, twin) = (window.home().join("report.csv"), window.home().join("twin.csv"));
    window.click("[data-testid=rail-links]");
    window.click("[data-testid=links-report]");
    // The proposed name comes from the engine.
    window.wait_until(
        "return document.querySelector('[data-testid=report-form] [data-testid=export-path]').value",
        &[],
    );
    window.fill("[data-testid=report-form] [data-testid=export-path]", &file.display().to_string());
    window.click("[data-testid=report-save]");
    window.wait_for_text("[data-testid=toasts]", |text| text.contains("report.csv"));
    let [project, to] = [&project, &twin].map(|path| path.display().to_string());
    let _ = Gossamer::new(["export", &project, "broken-links", "--to", &to]).run().expect_code(0);
    let read =
        |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(read(&twin).len() > 2_000, "the demo site has broken links");
    assert_eq!(read(&file), read(&twin));
}

/// The heading, then the rows in any order.
fn sorted_lines(csv: &str) -> Vec<String> {
    let mut lines: Vec<String> = csv.lines().map(str::to_owned).collect();
    if let Some(rows) = lines.get_mut(1..) {
        rows.sort();
    }
    lines
}

/// A site of a hub and thirty leaves, of which the last ones answer only when the gate is open.
fn gated(gate: &Gate) -> Server {
    let names: Vec<String> = (0..30).map(|n| format!("/leaf-{n}")).collect();
    let mut site = Site::single().route("main", "/", Answer::page("Hub", &names));
    for (n, name) in names.iter().enumerate() {
        let leaf = Answer::page(&format!("Leaf {n}"), &["/"]);
        site = site.route("main", name, if n < 12 { leaf } else { leaf.behind(gate) });
    }
    site.serve()
}

#[test]
fn an_interrupted_project_is_resumed() {
    let gate = Gate::closed();
    let server = gated(&gate);
    let home = tempfile::tempdir().expect("a home");
    let opening = Opening { home: Some(home.path().to_owned()), ..Opening::default() };
    let Some(window) = Window::open(&opening) else { return };
    window.fill("[data-testid=start-address]", &format!("{}\u{e007}", server.url("main", "/")));
    // Some leaves are stored, others wait at the gate.
    window.wait_for_text("[data-testid=crawl-pages]", |text| {
        text.trim().parse::<u32>().is_ok_and(|pages| pages >= 5)
    });
    let project = project_of(&window);
    drop(window);

    let Some(window) = Window::open(&opening) else { return };
    window.wait_for("[data-testid=recent-resume]");
    gate.open();
    window.click("[data-testid=recent-resume]");
    window.wait_for("[data-testid=screen-overview]");
    drop(window);

    let whole = home.path().join("whole.gossamer");
    let _ = Gossamer::audit(&[server.url("main", "/")], &whole).run().expect_code(0);
    let facts = |file: &Path| -> BTreeSet<Vec<String>> {
        rows(file, "v_pages", &["url", "status", "title", "inlinks", "outlinks", "depth"])
            .into_iter()
            .collect()
    };
    assert_eq!(facts(&project), facts(&whole));
    assert_eq!(rows(&project, "v_crawls", &["state"]), [["finished"]]);
}

#[test]
fn the_last_of_700_000_rows_is_read_with_default_settings() {
    const URLS: usize = 700_000;
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("large.gossamer");
    let arguments = ["demo", "--project", &project.display().to_string(), "--urls", &URLS.to_string()];
    let opening = Opening {
        rendering: Rendering::Defaults,
        arguments: vec![project.display().to_string()],
        ..Opening::default()
    };
    if !Window::is_possible() {
        return;
    }
    let _ = Gossamer::new(arguments).limit(std::time::Duration::from_secs(240)).run().expect_code(0);
    let Some(window) = Window::open(&opening) else { return };
    window.click("[data-testid=rail-urls]");
    wait_for_rows(&window, "table-urls", URLS);
    window.click("[data-testid=table-urls] [data-testid=row]");
    // Ctrl+End leads to the last row; it has the text that the file has for it, and it lies within the window.
    window.session().keys(&['\u{e009}'], "\u{e010}").expect("Ctrl+End");
    let last = window.wait_until(
        "const row = document.querySelector(`[data-testid=table-urls] [aria-rowindex=\"${arguments[0]}\"]`);
         if (!row || row.matches('.awaited')) return null;
         const box = row.getBoundingClientRect();
         const grid = row.closest('[role=grid]').getBoundingClientRect();
         const at = document.elementFromPoint(grid.left + 60, box.top + box.height / 2);
         return box.top >= grid.top && box.bottom <= grid.bottom + 1 && row.contains(at) && (row.querySelector('[role=gridcell] .sr-only') || row.querySelector('[role=gridcell]')).textContent.trim()",
        &[json!(URLS + 1)],
    );
    let last = last.as_str().expect("a URL").to_owned();
    assert!(last.ends_with(&URLS.to_string()), "made-up addresses end with their number: {last}");
    let found = rows_where(&project, "v_urls", &["url"], &format!("url = '{}'", last.replace('\'', "''")));
    assert_eq!(found, [[last]]);
    // It is painted: without its rows the picture has less to tell.
    let with_rows = window.picture().len();
    window.script(
        "document.querySelector('[data-testid=table-urls] [role=rowgroup]:has([data-testid=row])').style.visibility = 'hidden'",
        &[],
    );
    let without_rows = window.picture().len();
    assert!(with_rows > without_rows + 5_000, "{with_rows} bytes with rows, {without_rows} without");
}

/// A screen that has its heading and waits for nothing.
const SETTLED: &str = "return document.querySelector('h1') && !document.querySelector('.awaited:not([hidden])') && !document.querySelector('[aria-busy=true]')";

#[test]
fn no_screen_has_an_accessibility_violation() {
    if !Window::is_possible() {
        return;
    }
    let axe = gossamer_tests::paths::repository().join("ui/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(&axe).unwrap_or_else(|error| panic!("{}: {error}", axe.display()));
    let demo = Demo::start().expect("the demo site");
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("demo.gossamer");
    let _ = Gossamer::audit(&[demo.url()], &project).set("fetch.retries", "0").run().expect_code(0);
    for theme in [gossamer_tests::window::Theme::Light, gossamer_tests::window::Theme::Dark] {
        let opening = Opening { theme, arguments: vec![project.display().to_string()], ..Opening::default() };
        let Some(window) = Window::open(&opening) else { return };
        window.wait_for("[data-testid=screen-overview]");
        window.script(&axe, &[]);
        let mut violations: Vec<String> = Vec::new();
        let mut check = |screen: &str| {
            let found = window
                .session()
                .script_async(
                    "const done = arguments[0];
                     axe.run(document, { resultTypes: ['violations'] }).then(result => done(result.violations.map(one =>
                       `${one.id} (${one.impact}): ${one.nodes.slice(0, 3).map(node => node.target.join(' ') + ' ' + node.failureSummary).join(' | ')}`)), error => done([String(error)]))",
                    &[],
                )
                .expect("axe runs");
            let found: Vec<String> = serde_json::from_value(found).expect("texts");
            violations.extend(found.into_iter().map(|one| format!("{screen}, {theme:?}: {one}")));
        };
        check("overview");
        for screen in ["issues", "urls", "links", "robots", "crawl", "settings"] {
            window.click(&format!("[data-testid=rail-{screen}]"));
            window.wait_for(&format!("[data-testid=screen-{screen}] h1"));
            window.wait_until(SETTLED, &[]);
            check(screen);
        }
        window.click("[data-testid=rail-robots]");
        window.fill("[data-testid=robots-urls]", "/private/\n/");
        window.wait_for("[data-testid=robots-verdicts]");
        check("robots, tester");
        window.click("[data-testid=robots-which] label:last-child");
        window.wait_for("[data-testid=robots-newly_blocked]");
        check("robots, sandbox");
        window.click("[data-testid=tab-sitemaps]");
        window.wait_for("[data-testid=sitemap-row]");
        check("robots, sitemaps");
        window.click("[data-testid=rail-crawl]");
        window.click("[data-testid=crawl-network]");
        window.click("[data-testid=network-host]");
        window.wait_for("[data-testid=network-facts]");
        check("network");
        window.click("[data-testid=rail-urls]");
        window.click("[data-testid=table-urls] [data-testid=row]");
        window.session().keys(&[], "\u{e007}").expect("Enter");
        window.wait_for("[data-testid=detail-pane]");
        window.wait_until(SETTLED, &[]);
        check("detail");
        window.session().keys(&['\u{e009}'], "k").expect("Ctrl-K");
        window.wait_for("[data-testid=palette-field]");
        check("palette");
        window.session().keys(&[], "\u{e00c}").expect("Escape");
        window.click("[data-testid=rail-start]");
        window.wait_for("[data-testid=start-address]");
        check("start");
        window.fill("[data-testid=start-address]", "https://staging.example.com/");
        window.click("[data-testid=start-signin]");
        window.wait_for("[data-testid=signin-origin]");
        check("sign-in");
        assert!(violations.is_empty(), "{}", violations.join("\n"));
    }
}
