//! Sitemaps of projects made by hand.

use super::*;
use crate::Engine;
use model::settings::Start;
use model::state::Indexability;
use model::{Address, FoundBy, Purpose, UrlState};
use std::path::PathBuf;
use store::{AnswerRow, CrawlStart, Document, Value, VisitRow, Writer};
use tempfile::TempDir;

struct Made {
    writer: Writer,
    crawl: i64,
    path: PathBuf,
    _folder: TempDir,
}

impl Made {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("made.gossamer");
        let mut writer = Writer::open(&path, &Engine::system().store_options()).unwrap();
        let start = Start { seeds: vec![Address::parse("https://own.test/").unwrap()], ..Start::default() };
        let plan = crate::settings::stored_plan(start, "version = 1\n").unwrap();
        let begun =
            CrawlStart { job: "audit", started: 0, profile: "version = 1\n", program: "test", plan: &plan };
        let crawl = writer.add_crawl(&begun).unwrap();
        Self { writer, crawl, path, _folder: folder }
    }

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

    fn visit(&mut self, url: &str, internal: bool, page: Option<Indexability>) {
        let id = self.writer.intern(url).unwrap();
        let visit = VisitRow {
            url: id,
            host: self.writer.host_of(id).unwrap(),
            state: UrlState::Fetched,
            purpose: Purpose::Crawl,
            internal,
            depth: None,
            hops: 0,
            found: FoundBy::Sitemap,
            source: None,
            reason: None,
        };
        self.writer.add_visit(self.crawl, &visit).unwrap();
        let answer = AnswerRow { method: 1, status: Some(200), ..AnswerRow::default() };
        self.writer.put_answer(self.crawl, id, &answer, None, None).unwrap();
        if let Some(indexability) = page {
            let document = Document { hash: self.writer.seed().url(url), ..Document::default() };
            self.writer.put_page(self.crawl, id, &document, indexability).unwrap();
        }
    }

    fn tree(&self) -> SitemapTree {
        Engine::system().insight(&self.path).unwrap().sitemap_tree(self.crawl).unwrap()
    }
}

#[test]
fn a_crawl_without_sitemaps_has_an_empty_tree() {
    assert_eq!(Made::new().tree(), SitemapTree::default());
}

#[test]
fn entries_are_counted_by_what_became_of_them() {
    let mut made = Made::new();
    let file = made.file("/sitemap.xml", "urlset", None, 200);
    let other = made.file("/news.xml", "rss", None, 200);
    for (path, page) in
        [("/a", Some(Indexability::Indexable)), ("/b", Some(Indexability::Noindex)), ("/picture.png", None)]
    {
        let url = format!("https://own.test{path}");
        made.visit(&url, true, page);
        made.entry(file, Some(&url), &url);
    }
    made.visit("https://elsewhere.test/", false, None);
    made.entry(file, Some("https://elsewhere.test/"), "https://elsewhere.test/");
    made.entry(file, Some("https://own.test/never-met"), "https://own.test/never-met");
    made.entry(file, None, "www.own.test/c");
    made.entry(other, Some("https://own.test/a"), "https://own.test/a");
    made.visit("https://own.test/unlisted", true, Some(Indexability::Indexable));
    made.visit("https://own.test/unlisted-noindex", true, Some(Indexability::Noindex));
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
fn files_stand_under_the_index_that_names_them() {
    let mut made = Made::new();
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
    let mut made = Made::new();
    let one = made.file("/one.xml", "urlset", Some(4_711), 200);
    let two = made.file("/two.xml", "index", Some(2), 200);
    made.writer.batch(&format!("UPDATE sitemap SET parent = {two} WHERE id = {one}")).unwrap();
    assert_eq!(made.tree().nodes.len(), 2);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let mut made = Made::new();
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
