//! The project file's public contract: the views and columns that scripts rely on, the page that explains them, every
//! query of that page, and that a filter on the crawl reads that crawl's rows only.

use gossamer_tests::{Answer, Gossamer, Server, Site, paths};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// View → the columns that have to exist by these names. Columns may be added to a view, never taken away or renamed.
const CONTRACT: &[(&str, &str)] = &[
    (
        "v_crawls",
        "crawl, job, start_url, started, finished, state, encountered, fetched, failed, blocked, excluded, over_limit, not_followed, queued",
    ),
    ("v_urls", URL_COLUMNS),
    ("v_pages", URL_COLUMNS),
    (
        "v_pages",
        "title, title_px, description, h1, canonical, robots, lang, word_count, content_hash, inlinks, outlinks, link_score",
    ),
    (
        "v_links",
        "crawl, source, target, kind, raw_href, anchor, rel, position, element, line, followed, target_state, target_status, verdict",
    ),
    ("v_issues", "crawl, audit, family, severity, priority, url, evidence, life, ignored"),
    ("v_redirects", "crawl, url, hop, hop_url, status, final_url, final_status, hops, loop"),
    (
        "v_hosts",
        "crawl, host, requests, bytes, errors, slow_downs, robots_status, crawl_delay, certificate_expires",
    ),
    ("v_sitemap_entries", "crawl, sitemap, url, lastmod, in_crawl, status"),
    ("v_hreflang", "crawl, source, code, target, method, returns"),
    ("v_images", "crawl, source, image, alt, width, height, bytes, status"),
];

const URL_COLUMNS: &str = "crawl, url, host, internal, state, reason, method, status, content_type, depth, first_seen, bytes, transferred, ttfb_ms, total_ms, redirect_target, indexable, indexability";

/// Views of the contract that belong to jobs which are not built yet.
const LATER: &[&str] = &["v_captures", "v_feeds", "v_feed_items"];

/// The oldest SQLite that the documented queries work with (FULL JOIN).
const OLDEST_SQLITE: (u32, u32) = (3, 39);

/// A project with two crawls of a site that changed in between.
struct Stage {
    _folder: TempDir,
    server: Server,
    project: PathBuf,
}

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let project = folder.path().join("site.gossamer");
        let server = site();
        for _ in 0..2 {
            let _ = Gossamer::audit(&[server.url("main", "/")], &project).run().expect_code(0);
        }
        Stage { _folder: folder, server, project }
    })
}

/// A small site in which every documented query finds something.
fn site() -> Server {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let (main, other) = (site.url("main", ""), site.url("other", "/"));
    let home = |extra: &str| {
        let links = "/blog/1 /blog/2 /shop/1 /shop/1?copy /changing /gone /old /loop /private/x /de";
        let links: String =
            links.split(' ').map(|href| format!("<a href=\"{href}\">to {href}</a>\n")).collect();
        Answer::html(format!(
            "<!doctype html><html lang=en><head><title>Home</title><link rel=alternate hreflang=de href=/de></head>\n\
             <body><main><h1>Home</h1>{links}<a href=\"{other}\">a partner</a>{extra}<img src=/a.png><img src=/b.png alt=\"\"></main></body></html>"
        ))
        .header("X-Powered-By", "Looms/1.0")
    };
    let page = |title: &str| Answer::page(title, &["/"]);
    let shop = || vec![page("Loom"), page("Loom, now cheaper")];
    let picture = || Answer::body("image/png", "not really");
    let sitemap = format!(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{main}/</loc></url><url><loc>{main}/orphan</loc></url></urlset>"
    );
    site.route(
        "main",
        "/robots.txt",
        Answer::text(&format!("User-agent: *\nDisallow: /private/\nSitemap: {main}/sitemap.xml\n")),
    )
    .route("main", "/sitemap.xml", Answer::body("application/xml", sitemap))
    .sequence("main", "/", vec![home("<a href=/removed>old</a>"), home("<a href=/new>new</a>")])
    .route("main", "/blog/1", page("Blog"))
    .route("main", "/blog/2", page("Blog"))
    .sequence("main", "/shop/1", shop())
    .sequence("main", "/shop/1?copy", shop())
    .sequence("main", "/changing", vec![page("Fine"), page("Broken").as_status(500)])
    .route("main", "/removed", page("Removed"))
    .route("main", "/new", page("New"))
    .route("main", "/orphan", page("Orphan"))
    .route("main", "/de", page("Deutsch"))
    .route("main", "/old", Answer::redirect(301, "/older"))
    .route("main", "/older", Answer::redirect(302, "/blog/1"))
    .route("main", "/loop", Answer::redirect(302, "/pool"))
    .route("main", "/pool", Answer::redirect(302, "/loop"))
    .route("main", "/a.png", picture())
    .route("main", "/b.png", picture())
    .route("other", "/", page("Partner"))
    .serve()
}

fn gossamer_sql(project: &Path, sql: &str, format: &str) -> String {
    Gossamer::new(["sql".into(), project.as_os_str().to_owned(), sql.into()])
        .with(&["--format", format])
        .run()
        .expect_code(0)
        .stdout
}

/// Names of the columns of a query, as `gossamer sql` heads them.
fn columns(project: &Path, sql: &str) -> Vec<String> {
    let printed = gossamer_sql(project, sql, "csv");
    let header = printed.lines().next().unwrap_or_default().trim_start_matches('\u{feff}');
    header.split(',').map(str::to_owned).collect()
}

fn objects(printed: &str) -> Vec<Value> {
    if printed.trim().is_empty() {
        return Vec::new();
    }
    match serde_json::from_str(printed) {
        Ok(Value::Array(rows)) => rows,
        other => panic!("not a JSON array ({other:?}): {printed}"),
    }
}

/// The installed `sqlite3`, where it is new enough; else says that it is skipped.
fn sqlite3(project: &Path, arguments: &[&str], sql: &str) -> Option<String> {
    let version =
        Command::new("sqlite3").arg("--version").output().ok().filter(|output| output.status.success());
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < OLDEST_SQLITE {
        eprintln!("skipped: no sqlite3 program of version {}.{} or later", OLDEST_SQLITE.0, OLDEST_SQLITE.1);
        return None;
    }
    let output =
        Command::new("sqlite3").args(arguments).arg(project).arg(sql).output().expect("sqlite3 runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "sqlite3: {complaint}\n{sql}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn page_text() -> String {
    let page = paths::repository().join("docs/project-file.md");
    std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

#[test]
fn every_column_of_the_contract_exists() {
    let project = &stage().project;
    for (view, wanted) in CONTRACT {
        let have = columns(project, &format!("SELECT * FROM {view} LIMIT 0"));
        for column in wanted.split(", ") {
            assert!(have.iter().any(|name| name == column), "{view} has no column {column}: {have:?}");
        }
    }
    let page = page_text();
    for view in LATER {
        assert!(
            page.contains(&format!("`{view}`")),
            "docs/project-file.md does not say that {view} comes later"
        );
    }
}

#[test]
fn the_page_lists_exactly_the_views_and_columns_of_the_file() {
    let project = &stage().project;
    let names = "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name";
    let rows = objects(&gossamer_sql(project, names, "json"));
    let mut stored: Vec<String> =
        rows.iter().map(|row| row["name"].as_str().unwrap_or_default().to_owned()).collect();
    let documented = documented_views(&page_text());
    let mut listed: Vec<String> = documented.iter().map(|(view, _)| view.clone()).collect();
    stored.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, stored, "views of the page, and of the file");
    for (view, mut listed) in documented {
        let mut stored = columns(project, &format!("SELECT * FROM {view} LIMIT 0"));
        if view == "v_pages" {
            listed.extend(URL_COLUMNS.split(", ").map(str::to_owned));
        }
        listed.sort_unstable();
        stored.sort_unstable();
        assert_eq!(listed, stored, "columns of {view}: those of the page, and of the file");
    }
}

/// Views of the page with the columns of their tables: headings `### `v_x``, first cells `` | `a`, `b` | ``.
fn documented_views(page: &str) -> Vec<(String, Vec<String>)> {
    let mut views: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### `v_") {
            inside = true;
            views.push((format!("v_{}", heading.trim_end_matches('`')), Vec::new()));
        } else if line.starts_with('#') {
            inside = false;
        } else if inside && line.starts_with("| `") {
            let cell = line.split('|').nth(1).unwrap_or_default();
            let names = cell.split(',').map(|name| name.trim().trim_matches('`').to_owned());
            views.last_mut().expect("a heading came first").1.extend(names);
        }
    }
    views
}

/// A query of the page: `<!-- columns: a, b; rows -->` stands on the line above its block.
#[derive(Debug, PartialEq)]
struct Query {
    columns: Vec<String>,
    /// Whether it has to find something in the stage's project.
    rows: bool,
    sql: String,
}

fn queries(page: &str) -> Vec<Query> {
    let mut queries = Vec::new();
    let mut above = "";
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == "```sql" {
            let said = above
                .strip_prefix("<!-- columns: ")
                .and_then(|rest| rest.strip_suffix(" -->"))
                .unwrap_or_else(|| panic!("no line of columns above a query, but: {above}"));
            let (columns, rows) =
                said.strip_suffix("; rows").map_or((said, false), |columns| (columns, true));
            let sql: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            queries.push(Query {
                columns: columns.split(", ").map(str::to_owned).collect(),
                rows,
                sql: sql.join("\n"),
            });
        }
        above = line;
    }
    queries
}

#[test]
fn every_query_of_the_page_works_in_gossamer_and_in_sqlite3() {
    let project = &stage().project;
    let queries = queries(&page_text());
    assert!(queries.len() >= 15, "the page has {} queries", queries.len());
    for query in queries {
        assert_eq!(columns(project, &query.sql), query.columns, "{}", query.sql);
        let found = objects(&gossamer_sql(project, &query.sql, "json")).len();
        assert!(found > 0 || !query.rows, "it finds nothing: {}", query.sql);
        if let Some(printed) = sqlite3(project, &["-readonly", "-json"], &query.sql) {
            assert_eq!(objects(&printed).len(), found, "rows of sqlite3 and of gossamer: {}", query.sql);
        }
    }
}

#[test]
fn hosts_count_what_the_servers_saw() {
    let Stage { server, project, .. } = stage();
    for name in ["main", "other"] {
        let origin = server.url(name, "");
        let sql = format!(
            "SELECT sum(requests) AS requests, sum(errors) AS errors, sum(bytes) AS bytes, max(internal) AS internal, min(mean_ms) >= 0 AS timed, max(remote) AS remote,
             max(http_version) AS version FROM v_hosts WHERE origin = '{origin}'"
        );
        let told = objects(&gossamer_sql(project, &sql, "json")).remove(0);
        let number = |column: &str| told[column].as_u64().unwrap_or_else(|| panic!("{column}: {told}"));
        let seen = server.log().of(name);
        // A request that never reached the server is one that failed.
        let reached = number("requests") - number("errors")..=number("requests");
        assert!(reached.contains(&(seen.len() as u64)), "{name} saw {}: {told}", seen.len());
        // Of the other site nothing is read.
        assert_eq!((number("bytes") > 0, number("timed")), (name == "main", 1), "{told}");
        assert_eq!(number("internal"), u64::from(name == "main"), "{told}");
        assert_eq!(told["remote"], origin.trim_start_matches("http://"), "{told}");
        assert_eq!(told["version"], "HTTP/1.1", "{told}");
    }
}

#[test]
fn a_query_without_its_line_of_columns_is_a_complaint() {
    let query =
        |rows| Query { columns: vec!["a".into(), "b".into()], rows, sql: "SELECT 1 AS a,\n2 AS b".into() };
    let page = |line: &str| format!("Text\n\n{line}\n```sql\nSELECT 1 AS a,\n2 AS b\n```\n\nText\n");
    assert_eq!(queries(&page("<!-- columns: a, b; rows -->")), [query(true)]);
    assert_eq!(queries(&page("<!-- columns: a, b -->")), [query(false)]);
    assert!(std::panic::catch_unwind(|| queries(&page("Text"))).is_err());
}

#[test]
fn a_filter_on_the_crawl_reads_only_that_crawl() {
    let project = &stage().project;
    // What a person says of the project belongs to no crawl.
    let of_crawls = |columns: &[String]| columns.iter().any(|column| column == "crawl");
    let views = documented_views(&page_text())
        .into_iter()
        .filter(|(view, listed)| view == "v_pages" || of_crawls(listed));
    let views: Vec<String> = views.map(|(view, _)| view).collect();
    let sql = |view: &str| format!("EXPLAIN QUERY PLAN SELECT * FROM {view} WHERE crawl = 2");
    let fresh = |view: &str| Some(gossamer_sql(project, &sql(view), "json"));
    check_plans(&views, &fresh);
    // Statistics change what SQLite prefers; they must not change this.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = folder.path().join("analysed.gossamer");
    std::fs::copy(project, &copy).expect("a copy");
    if sqlite3(&copy, &[], "ANALYZE").is_some() {
        check_plans(&views, &|view| sqlite3(&copy, &["-readonly"], &sql(view)));
    }
}

/// Tables of which a crawl has a handful of rows, and rows that a query makes itself.
const SMALL: &[&str] = &[
    "SCAN s",
    "SCAN walk",
    "SCAN j VIRTUAL TABLE",
    "SCAN k",
    "SCAN w VIRTUAL TABLE",
    "SCAN CONSTANT ROW",
    "SCAN v_hreflang",
    "SCAN v_templates",
    "SCAN n USING COVERING INDEX",
];

fn check_plans(views: &[String], plan: &dyn Fn(&str) -> Option<String>) {
    for view in views {
        let Some(printed) = plan(view) else { return };
        let steps: Vec<String> = printed
            .split(['\n', '"'])
            .map(|step| step.trim_start_matches(['|', '-', '`', ' ']).to_owned())
            .filter(|step| {
                step.starts_with("SCAN") || step.starts_with("SEARCH") || step.starts_with("BLOOM")
            })
            .collect();
        assert!(!steps.is_empty(), "{view} has no plan: {printed}");
        let whole: Vec<&String> = steps.iter().filter(|step| !step.starts_with("SEARCH")).collect();
        let strict = matches!(view.as_str(), "v_urls" | "v_pages" | "v_links" | "v_issues");
        let allowed = |step: &str| {
            // The lines of one answer's headers, and the headings of one page, are no table of the file.
            step.starts_with("SCAN j VIRTUAL TABLE")
                || step.starts_with("SCAN k VIRTUAL TABLE")
                || !strict
                    && (SMALL.iter().any(|small| step.starts_with(small))
                        || (view == "v_warnings" && step == "SCAN w"))
        };
        assert!(whole.iter().all(|step| allowed(step)), "{view} reads whole tables: {steps:#?}");
        let ranges = |step: &&String| step.contains("rowid>? AND rowid<?") || step.contains("(crawl=?");
        assert!(
            !strict || steps.iter().any(|step| ranges(&step)),
            "{view} uses no range of keys: {steps:#?}"
        );
    }
}
