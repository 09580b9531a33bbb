//! Sitemaps of projects made by hand.

use super::*;
use crate::Engine;
use crate::made::Made;
use crate::table::{Condition, Filter, Operator, TableQuery};
use model::state::Indexability;
use model::{FoundBy, UrlState};
use store::{AnswerRow, Document, Value, VisitRow};

fn own() -> Made {
    Made::audit("https://own.test/")
}

impl Made {
    fn file(&mut self, url: &str, kind: &str, parent: Option<i64>, status: i64) -> i64 {
        let mut id = 0;
        let sql = "INSERT INTO sitemap(crawl, url, parent, status, kind, entries, bytes) VALUES(?1, ?2, ?3, ?4, ?5, 0, 10) RETURNING id";
        let of = [
            self.crawl.into(),
            format!("https://own.test{url}").as_str().into(),
            parent.map_or(Value::Null, Value::Int),
            status.into(),
            kind.into(),
        ];
        self.writer
            .rows(sql, &of, &mut |row| {
                id = row.int(0);
                Ok(())
            })
            .unwrap();
        id
    }

    /// An entry; its URL is named where it is one.
    fn entry(&mut self, file: i64, url: Option<&str>, raw: &str) {
        let url = url.map_or(Value::Null, |url| Value::Int(i64::from(self.writer.intern(url).unwrap())));
        let sql = "INSERT INTO sitemap_entry(sitemap, n, url, raw) SELECT ?1, entries, ?2, ?3 FROM sitemap WHERE id = ?1";
        self.writer.run(sql, &[file.into(), url, raw.into()]).unwrap();
        self.writer.run("UPDATE sitemap SET entries = entries + 1 WHERE id = ?1", &[file.into()]).unwrap();
    }

    /// A URL that a sitemap named.
    fn named(&mut self, url: &str, internal: bool, page: Option<Indexability>) {
        let met = self.met(url, UrlState::Fetched);
        let visit = VisitRow { internal, depth: None, found: FoundBy::Sitemap, ..met };
        let id = visit.url;
        self.writer.add_visit(self.crawl, &visit).unwrap();
        let answer = AnswerRow { method: 1, status: Some(200), ..AnswerRow::default() };
        self.writer.put_answer(self.crawl, id, &answer, None, None).unwrap();
        if let Some(indexability) = page {
            let document = Document { hash: self.writer.seed().url(url), ..Document::default() };
            self.writer.put_page(self.crawl, id, &document, indexability).unwrap();
        }
    }

    fn tree(&self) -> SitemapTree {
        self.insight().sitemap_tree(self.crawl).unwrap()
    }
}

#[test]
fn a_crawl_without_sitemaps_has_an_empty_tree() {
    assert_eq!(own().tree(), SitemapTree::default());
}

#[test]
fn entries_are_counted_by_what_became_of_them() {
    let mut made = own();
    let file = made.file("/sitemap.xml", "urlset", None, 200);
    let other = made.file("/news.xml", "rss", None, 200);
    for (path, page) in
        [("/a", Some(Indexability::Indexable)), ("/b", Some(Indexability::Noindex)), ("/picture.png", None)]
    {
        let url = format!("https://own.test{path}");
        made.named(&url, true, page);
        made.entry(file, Some(&url), &url);
    }
    made.named("https://elsewhere.test/", false, None);
    made.entry(file, Some("https://elsewhere.test/"), "https://elsewhere.test/");
    made.entry(file, Some("https://own.test/never-met"), "https://own.test/never-met");
    made.entry(file, None, "www.own.test/c");
    made.entry(other, Some("https://own.test/a"), "https://own.test/a");
    made.named("https://own.test/unlisted", true, Some(Indexability::Indexable));
    made.named("https://own.test/unlisted-noindex", true, Some(Indexability::Noindex));
    let tree = made.tree();
    assert_eq!((tree.files, tree.entries, tree.in_crawl, tree.unlisted), (2, 7, 4, 1));
    let node = &tree.nodes[0];
    assert_eq!(
        (node.entries, node.in_crawl, node.indexable, node.other_hosts, node.malformed),
        (6, 4, 1, 1, 1),
        "{node:?}"
    );
    assert_eq!((node.outcome.as_str(), node.status, node.bytes), ("read", Some(200), 10));
}

#[test]
fn the_numbers_of_urls_open_exactly_these() {
    let mut made = own();
    let index = made.file("/index.xml", "index", None, 200);
    let file = made.file("/sitemap.xml", "urlset", Some(index), 200);
    let other = made.file("/news.xml", "rss", None, 200);
    // A URL that is listed twice, one that only an index names, one that was never met, and one of another site.
    for (file, url) in [
        (file, "https://own.test/a"),
        (other, "https://own.test/a"),
        (file, "https://own.test/never-met"),
        (other, "https://elsewhere.test/"),
        (index, "https://own.test/named"),
    ] {
        made.entry(file, Some(url), url);
    }
    for url in ["https://own.test/a", "https://own.test/named", "https://own.test/unlisted"] {
        made.named(url, true, Some(Indexability::Indexable));
    }
    made.named("https://own.test/noindex", true, Some(Indexability::Noindex));
    made.named("https://elsewhere.test/", false, None);
    made.named("https://elsewhere.test/page", false, Some(Indexability::Indexable));
    let tables = Engine::system().tables(&made.path).unwrap();
    let flag = |column: &str, value: i64| {
        Filter::Is(Condition { column: column.to_owned(), operator: Operator::Equals, value: value.into() })
    };
    let mut check = |filter: Vec<Filter>, count: u64, expect: &[&str]| {
        let filter = Some(Filter::All(filter));
        let query = TableQuery { table: "urls".to_owned(), crawl: made.crawl, filter, sort: None };
        let opened = tables.open_table(&query, 0).unwrap();
        let columns = ["url".to_owned(), "in_sitemap".to_owned()];
        let rows = tables.rows(opened.table, 0, 100, &columns).unwrap();
        let urls: Vec<String> =
            rows.iter().map(|row| format!("{:?}", row.cells[0]).replace("https://", "")).collect();
        assert_eq!(urls, expect.iter().map(|url| format!("Text(\"{url}\")")).collect::<Vec<_>>());
        assert_eq!((opened.rows, count), (expect.len() as u64, expect.len() as u64));
        // The statement for people finds as many.
        let mut plain = 0;
        let sql = format!("SELECT count(*) FROM ({})", opened.sql);
        made.writer
            .rows(&sql, &[], &mut |row| {
                plain = row.int(0);
                Ok(())
            })
            .unwrap();
        assert_eq!(plain, expect.len() as i64, "{}", opened.sql);
    };
    let tree = Engine::system().insight(&made.path).unwrap().sitemap_tree(made.crawl).unwrap();
    check(vec![flag("in_sitemap", 1)], tree.in_crawl, &["own.test/a", "elsewhere.test/"]);
    check(
        vec![flag("internal", 1), flag("indexable", 1), flag("in_sitemap", 0)],
        tree.unlisted,
        &["own.test/named", "own.test/unlisted"],
    );
}

#[test]
fn files_stand_under_the_index_that_names_them() {
    let mut made = own();
    let index = made.file("/sitemap.xml", "index", None, 200);
    let alone = made.file("/alone.txt", "text", None, 200);
    let nested = made.file("/nested.xml", "index", Some(index), 200);
    made.file("/one.xml", "urlset", Some(index), 404);
    let deep = made.file("/deep.xml.gz", "urlset", Some(nested), 200);
    made.entry(index, None, "https://own.test/nested.xml");
    made.entry(index, None, "https://own.test/one.xml");
    made.entry(index, None, "nothing at all");
    made.writer.batch(&format!("UPDATE sitemap SET gzip = 1, truncated = 1 WHERE id = {deep}")).unwrap();
    let tree = made.tree();
    let line = |node: &SitemapNode| {
        let path = node.url.trim_start_matches("https://own.test");
        format!("{}{path} {} [{}]", "  ".repeat(node.level as usize), node.outcome, node.flags.join(" "))
    };
    let expect = [
        "/sitemap.xml read []",
        "  /nested.xml read [nested-index]",
        "    /deep.xml.gz read up to the size limit [gzip truncated]",
        "  /one.xml status 404: nothing was read []",
        "/alone.txt read []",
    ];
    assert_eq!(tree.nodes.iter().map(line).collect::<Vec<_>>(), expect);
    let node = &tree.nodes[0];
    assert_eq!((node.entries, node.in_crawl, node.malformed), (3, 1, 1));
    assert_eq!((tree.nodes[1].parent, tree.nodes[4].key), (Some(index), alone));
}

#[test]
fn parents_that_are_not_there_or_go_in_a_circle_hide_nothing() {
    let mut made = own();
    let one = made.file("/one.xml", "urlset", Some(4_711), 200);
    let two = made.file("/two.xml", "index", Some(2), 200);
    made.writer.batch(&format!("UPDATE sitemap SET parent = {two} WHERE id = {one}")).unwrap();
    assert_eq!(made.tree().nodes.len(), 2);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let mut made = own();
    let file = made.file("/sitemap.xml", "urlset", None, 200);
    made.writer.put_sitemap_problem(file, 0, "namespace-wrong", (2, 9), "http://x/").unwrap();
    made.writer.put_sitemap_problem(file, 1, "xml-error", (312, 7), "it ends within url").unwrap();
    let old = made.file("/old.xml", "urlset", None, 200);
    made.writer
        .run(
            "UPDATE sitemap SET problems = ?2 WHERE id = ?1",
            &[old.into(), "xml-error (line 3, column 7): a: b\ntoo-large: 60 MB\nodd".into()],
        )
        .unwrap();
    let dead = made.file("/dead.xml", "unknown", None, 0);
    made.writer
        .batch(&format!("UPDATE sitemap SET status = NULL, error = 'dns: no such name' WHERE id = {dead}"))
        .unwrap();
    made.file("/page", "unknown", None, 200);
    let tree = made.tree();
    let line =
        |error: &SitemapError| format!("{} {}:{} {}", error.code, error.line, error.column, error.text);
    let of = |node: usize| tree.nodes[node].errors.iter().map(line).collect::<Vec<_>>();
    assert_eq!(of(0), ["namespace-wrong 2:9 http://x/", "xml-error 312:7 it ends within url"]);
    assert_eq!(tree.nodes[0].flags, ["namespace-wrong", "xml-error"]);
    assert_eq!(of(1), ["xml-error 3:7 a: b", "too-large 0:0 60 MB", " 0:0 odd"]);
    let outcomes: Vec<&str> = tree.nodes.iter().map(|node| node.outcome.as_str()).collect();
    assert_eq!(
        outcomes,
        [
            "read as far as it can be",
            "read as far as it can be",
            "dns: no such name",
            "this is no sitemap: nothing was read"
        ]
    );
}
