//! What a person adds to a project, through the program: segments, searches and extractions, audits in SQL, and the inlinks of
//! a set of URLs.

use gossamer_tests::results::{rows, rows_where};
use gossamer_tests::{Answer, Finished, Gossamer, Server, Site};
use std::path::Path;

fn page(title: &str, body: &str) -> Answer {
    Answer::html(format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>{body}</body></html>"
    ))
}

/// A shop and a blog, with a page that is gone.
fn shop() -> Server {
    let links = "<a href=/blog/one>One</a> <a href=/blog/two>Two</a> <a href=/shop/tea?size=2>Tea</a> <a href=/gone>Gone</a>";
    Site::single()
        .route("main", "/", page("Home", links))
        .route("main", "/blog/one", page("One", "<p>A post. <a href=/gone>the old page</a> <a href=/blog/two>next</a></p>"))
        .route("main", "/blog/two", page("Two", "<p>Another post</p>"))
        .route(
            "main",
            "/shop/tea?size=2",
            page("Tea", "<span class=price data-cents=450>4.50</span><button>Add to cart</button><i class=tag>green</i><i class=tag>leaf</i><script>var sku='S-1'</script>"),
        )
        .serve()
}

fn audit(server: &Server, project: &Path, settings: &[(&str, &str)]) -> Finished {
    let run = Gossamer::audit(&[server.url("main", "/")], project)
        .set("fetch.retries", "0")
        .set("extras.probes", "false");
    settings.iter().fold(run, |run, (key, value)| run.set(key, value)).run()
}

fn gossamer(command: &str, project: &Path, more: &[&str]) -> Finished {
    Gossamer::new([command.into(), project.as_os_str().to_owned()]).with(more).run()
}

/// Paths of URLs with another cell.
fn told(project: &Path, view: &str, columns: [&str; 2], condition: &str) -> Vec<String> {
    let mut told: Vec<String> = rows_where(project, view, &columns, condition)
        .into_iter()
        .map(|row| {
            let path =
                row[0].split_once("//").and_then(|(_, rest)| rest.find('/').map(|at| rest[at..].to_owned()));
            format!("{} {}", path.unwrap_or_else(|| row[0].clone()), row[1])
        })
        .collect();
    told.sort();
    told
}

#[test]
fn inlinks_of_a_set_of_urls_are_one_file() {
    let server = shop();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("shop.gossamer");
    let _ = audit(&server, &project, &[]).expect_code(0);
    let to = folder.path().join("inlinks.csv");
    let file = to.display().to_string();
    let read = || {
        let text = std::fs::read_to_string(&to).expect("the file");
        text.lines()
            .skip(1)
            .map(|line| line.split(',').take(3).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let url = |path: &str| server.url("main", path);

    let list = format!("{}\n{}#part\n{}\n", url("/gone"), url("/blog/two"), url("/never"));
    let arguments = ["export".into(), project.as_os_str().to_owned(), "inlinks".into()];
    let done = Gossamer::new(arguments).with(&["--of", "-", "--to", &file]).input(&list).run().expect_code(0);
    assert!(done.stderr.contains("not in this crawl") && done.stderr.contains("/never"), "{}", done.stderr);
    assert!(done.stdout.contains("4 rows, links to 2 URLs"), "{}", done.stdout);
    let expect = [
        format!("{} {} Two", url("/"), url("/blog/two")),
        format!("{} {} Gone", url("/"), url("/gone")),
        format!("{} {} the old page", url("/blog/one"), url("/gone")),
        format!("{} {} next", url("/blog/one"), url("/blog/two")),
    ];
    assert_eq!(read(), expect);

    let _ =
        gossamer("export", &project, &["inlinks", "--where", "status = 404", "--to", &file]).expect_code(0);
    assert_eq!(read().len(), 2);
    for (arguments, why) in [
        (vec!["inlinks", "--to", &file], "whose inlinks?"),
        (vec!["inlinks", "--where", "status = 999", "--to", &file], "no URL of crawl 1 fulfils"),
        (vec!["inlinks", "--where", "1); DELETE FROM url; --", "--to", &file], "only"),
        (vec!["urls", "--where", "1", "--to", &file], "whose inlinks are meant"),
    ] {
        let refused = gossamer("export", &project, &arguments).expect_code(2);
        assert!(refused.stderr.contains(why), "{arguments:?}: {}", refused.stderr);
    }
}

#[test]
fn segments_are_changed_without_a_crawl_and_seen_everywhere() {
    let server = shop();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("shop.gossamer");
    let _ = audit(
        &server,
        &project,
        &[("custom.segments", "[\"Blog = /blog/**\", \"Posts = re:/blog/[a-z]+$\"]")],
    )
    .expect_code(0);
    let of_urls = || told(&project, "v_urls", ["url", "segments"], "status IS NOT NULL");
    assert_eq!(
        of_urls(),
        ["/ ∅", "/blog/one Blog, Posts", "/blog/two Blog, Posts", "/gone ∅", "/shop/tea?size=2 ∅"]
    );

    let added = gossamer("segment", &project, &["add", "Shop", "/shop/*", "/gone"]).expect_code(0);
    assert!(added.stdout.contains("Shop: 2 URLs"), "{}", added.stdout);
    let _ = gossamer("segment", &project, &["remove", "Posts"]).expect_code(0);
    assert_eq!(of_urls(), ["/ ∅", "/blog/one Blog", "/blog/two Blog", "/gone Shop", "/shop/tea?size=2 Shop"]);
    let links =
        rows_where(&project, "v_links", &["source_segments", "target_segments"], "anchor = 'the old page'");
    assert_eq!(links, [["Blog", "Shop"]]);
    let findings =
        rows_where(&project, "v_issues", &["segments"], "audit = 'broken-link' AND url LIKE '%/one'");
    assert!(findings.iter().all(|row| row[0] == "Blog"), "{findings:?}");
    let listed = gossamer("segment", &project, &["list", "--format", "csv"]).expect_code(0);
    assert_eq!(
        listed.stdout.lines().skip(1).collect::<Vec<_>>(),
        ["Blog,2,/blog/**", "Shop,2,/shop/* /gone"]
    );

    // A project that has segments keeps them; what a later crawl meets anew is judged by them.
    let _ = audit(&server, &project, &[("custom.segments", "Else = /**")]).expect_code(0);
    assert_eq!(of_urls(), ["/ ∅", "/blog/one Blog", "/blog/two Blog", "/gone Shop", "/shop/tea?size=2 Shop"]);

    for (arguments, why) in [
        (["add", "Blog", "re:("], "unclosed group"),
        (["add", "a,b", "/x"], "comma"),
        (["remove", "None", ""], "has no segment None"),
    ] {
        let given: Vec<&str> = arguments.into_iter().filter(|word| !word.is_empty()).collect();
        let refused = gossamer("segment", &project, &given).expect_code(2);
        assert!(refused.stderr.contains(why), "{arguments:?}: {}", refused.stderr);
    }
    assert_eq!(of_urls().len(), 5);
}

#[test]
fn pages_are_searched_and_values_taken_while_crawling_and_afterwards() {
    let server = shop();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("shop.gossamer");
    let _ = audit(
        &server,
        &project,
        &[
            ("custom.search", "[\"no-cart = lacks visible: add to CART\", \"sku = contains source: sku=\"]"),
            (
                "custom.extraction",
                "[\"price = css text: .price\", \"tags = css all: i.tag\", \"links = xpath: count(//a)\"]",
            ),
        ],
    )
    .expect_code(0);
    let of = |name: &str| told(&project, "v_custom", ["url", "value"], &format!("name = '{name}'"));
    assert_eq!(of("no-cart"), ["/ 1", "/blog/one 1", "/blog/two 1", "/shop/tea?size=2 0"]);
    assert_eq!(of("sku"), ["/ 0", "/blog/one 0", "/blog/two 0", "/shop/tea?size=2 1"]);
    assert_eq!(of("price"), ["/shop/tea?size=2 4.50"]);
    assert_eq!(of("tags"), ["/shop/tea?size=2 green", "/shop/tea?size=2 leaf"]);
    assert_eq!(of("links"), ["/ 4", "/blog/one 2", "/blog/two 0", "/shop/tea?size=2 0"]);

    // A rule that comes later is computed from what is stored: the site is gone.
    drop(server);
    let _ = gossamer("extract", &project, &["add", "cents", "css attr data-cents: .price"]).expect_code(0);
    let _ =
        gossamer("extract", &project, &["add", "price", "regex: class=price[^>]*>([0-9])"]).expect_code(0);
    assert!(of("cents").is_empty());
    let computed = gossamer("extract", &project, &[]).expect_code(0);
    assert!(computed.stdout.contains("Computed for 4 pages"), "{}", computed.stdout);
    assert_eq!(
        (of("cents"), of("price")),
        (vec!["/shop/tea?size=2 450".to_owned()], vec!["/shop/tea?size=2 4".to_owned()])
    );
    let _ = gossamer("extract", &project, &["remove", "cents"]).expect_code(0);
    assert!(of("cents").is_empty());
    let listed = gossamer("extract", &project, &["list", "--format", "csv"]).expect_code(0);
    assert!(listed.stdout.contains("links,number,4,xpath: count(//a)"), "{}", listed.stdout);
}

#[test]
fn wrong_rules_are_told_together_before_anything_starts() {
    let server = shop();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("never.gossamer");
    let refused = audit(
        &server,
        &project,
        &[
            ("custom.segments", "Blog = re:("),
            ("custom.search", "price = css: .price"),
            ("custom.extraction", "[\"a = css: div >\", \"b = xpath: //p[\"]"),
        ],
    )
    .expect_code(2);
    for part in [
        "custom.segments",
        "unclosed group",
        "price is an extraction",
        "a: the selector, at character 6",
        "b: the XPath, at character 5",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    assert!(!project.exists());
}

#[test]
fn an_audit_in_sql_finds_after_every_crawl() {
    let server = shop();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("shop.gossamer");
    let _ = audit(&server, &project, &[]).expect_code(0);
    let sql =
        "SELECT url, title, word_count AS words FROM v_pages WHERE crawl = :crawl AND url LIKE '%/blog/%'";
    let add = ["add", "blog-post", "--sql", sql, "--severity", "issue", "--title", "A post of the blog"];
    let added = gossamer("custom-audit", &project, &add).expect_code(0);
    assert!(added.stdout.contains("custom-blog-post"), "{}", added.stdout);
    let found = |crawl: u32| {
        let columns = ["url", "evidence"];
        told(&project, "v_issues", columns, &format!("audit = 'custom-blog-post' AND crawl = {crawl}"))
    };
    let expect = [r#"/blog/one {"title":"One","words":6}"#, r#"/blog/two {"title":"Two","words":2}"#];
    let shown = |found: Vec<String>| found.iter().map(|line| line.replace(", ", ",")).collect::<Vec<_>>();
    assert_eq!(shown(found(1)), expect);

    // The next crawl evaluates it, and what it finds counts.
    let again = audit(&server, &project, &[]).expect_code(0);
    assert!(again.stdout.contains("A post of the blog"), "{}", again.stdout);
    assert_eq!(shown(found(2)), expect);
    let weights =
        rows_where(&project, "v_issues", &["family", "severity"], "audit = 'custom-blog-post' AND crawl = 2");
    assert_eq!(weights, vec![["custom", "issue"]; 2]);
    let judged = Gossamer::audit(&[server.url("main", "/")], &project).with(&["--fail-on", "issue"]).run();
    assert_eq!(judged.code, Some(1), "{}", judged.stderr);

    let _ = gossamer("custom-audit", &project, &["remove", "blog-post"]).expect_code(0);
    assert!(found(1).is_empty() && found(2).is_empty());
    assert!(rows(&project, "v_issues", &["audit"]).iter().all(|row| !row[0].starts_with("custom-")));
}

#[test]
fn a_statement_that_is_no_audit_is_refused_and_one_that_fails_later_keeps_nothing_up() {
    let server = shop();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("shop.gossamer");
    let _ = audit(&server, &project, &[]).expect_code(0);
    let add =
        |sql: &str| gossamer("custom-audit", &project, &["add", "x", "--severity", "note", "--sql", sql]);
    for (sql, why) in [
        ("SELECT url FORM v_urls", "at character"),
        ("DELETE FROM url", "only statements that read"),
        ("SELECT url FROM v_urls; DROP TABLE url", "one statement"),
        ("SELECT title FROM v_pages WHERE crawl = :crawl", "no column named url"),
        ("SELECT url FROM v_urls", "does not say which crawl"),
        ("SELECT url FROM v_urls WHERE crawl = :number", "only :crawl"),
        ("ATTACH 'x' AS y", "only statements that read"),
    ] {
        let refused = add(sql).expect_code(2);
        assert!(refused.stderr.contains(why), "{sql}: {}", refused.stderr);
    }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'http://x/' || max(i) AS url, :crawl AS crawl FROM n";
    let _ = add(endless).expect_code(0);
    let again = audit(&server, &project, &[("custom.audit_time", "1s")]).expect_code(0);
    assert!(again.stderr.is_empty(), "{}", again.stderr);
    let faults = gossamer("custom-audit", &project, &["list"]).expect_code(0);
    assert!(
        faults.stderr.contains("custom-x: the statement took longer than 1 seconds"),
        "{}",
        faults.stderr
    );
    assert!(!rows_where(&project, "v_issues", &["audit"], "crawl = 2").is_empty());
}
