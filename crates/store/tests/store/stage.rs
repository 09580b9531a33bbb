//! Crawls made by hand, and the views of a file as text.

use gossamer_store::{
    AnswerRow, CrawlStart, Document, Faults, Href, NewLink, NoFaults, Options, Reader, RobotsRow, Shape,
    StoreError, Value, VisitRow, Writer, views,
};
use model::settings::{Start, resolve};
use model::state::Indexability;
use model::{Address, FoundBy, LinkKind, Plan, Position, Purpose, UrlState};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

pub(crate) const SITE: &str = "http://site.example";

pub(crate) fn options() -> Options {
    options_with(Arc::new(NoFaults))
}

pub(crate) fn options_with(faults: Arc<dyn Faults>) -> Options {
    Options { program: "store test".to_owned(), views: Vec::new(), faults }
}

/// A folder that goes away with the test, and the path of a project in it.
pub(crate) fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.gossamer");
    (folder, path)
}

pub(crate) fn plan() -> Plan {
    let seeds = vec![Address::parse(&format!("{SITE}/")).unwrap()];
    resolve(Start { seeds, ..Start::default() }, &[], &[]).unwrap()
}

pub(crate) fn begin_crawl(writer: &mut Writer) -> i64 {
    let plan = plan();
    let start = CrawlStart {
        job: "audit",
        started: 1_700_000_000_000,
        profile: "version = 1\n",
        program: "store test",
        plan: &plan,
    };
    writer.begin().unwrap();
    writer.add_crawl(&start).unwrap()
}

pub(crate) fn shape(kind: LinkKind) -> Shape {
    Shape {
        kind,
        position: Position::Main,
        nofollow: false,
        noscript: false,
        rel: "".into(),
        window: "".into(),
        element: "body>main>a".into(),
    }
}

/// HTML of page `n`, most of it shared with the other pages of its edition.
pub(crate) fn html(n: usize, edition: &str) -> Vec<u8> {
    let menu: String = (0..40)
        .map(|item| {
            format!(
                "<li class=\"menu-item level-{}\"><a href=\"/section/{item}\">Section {item}</a></li>\n",
                item % 3
            )
        })
        .collect();
    format!("<!doctype html><html><head><title>Page {n} {edition}</title></head><body><ul>{menu}</ul><p>{}</p></body></html>", n * n * 7919).into_bytes()
}

pub(crate) fn document(writer: &Writer, url: &str, html: &[u8]) -> Document {
    let html_key = writer.seed().content(html) as u64;
    Document {
        hash: html_key ^ writer.seed().url(url),
        html_key,
        content_hash: model::hash::fingerprint(html),
        html: Some(writer.codec().pack(html)),
        title: Some(format!("Title of {url}").into()),
        title_count: 1,
        charset: "UTF-8".into(),
        charset_source: "meta",
        headings: Some("[[1,\"Heading\",3]]".to_owned()),
        ..Document::default()
    }
}

/// Stores a fetched page with its HTML and a list of links: a page to the next, an image, and one no parser accepts.
pub(crate) fn put_page(writer: &mut Writer, crawl: i64, n: usize, edition: &str) -> u32 {
    let (text, next) = (format!("{SITE}/page/{n}"), format!("{SITE}/page/{}", n + 1));
    let html = html(n, edition);
    let url = writer.intern(&text).unwrap();
    let host = writer.host_of(url).unwrap();
    writer
        .add_visit(
            crawl,
            &VisitRow {
                url,
                host,
                state: UrlState::Fetched,
                purpose: Purpose::Crawl,
                internal: true,
                depth: Some(1),
                hops: 0,
                found: FoundBy::Link,
                source: Some(1),
                reason: None,
            },
        )
        .unwrap();
    let hash = writer.seed().content(&[text.as_bytes(), &html].concat()) as u64;
    let list = match writer.find_list(hash).unwrap() {
        Some(list) => list,
        None => {
            let (next, image) =
                (writer.intern(&next).unwrap(), writer.intern(&format!("{SITE}/{edition}.png")).unwrap());
            let (anchor, picture) = (
                writer.shape(&shape(LinkKind::Anchor)).unwrap(),
                writer.shape(&shape(LinkKind::Image)).unwrap(),
            );
            let said = format!("to the next, {edition}");
            let link = NewLink {
                target: Some(next),
                shape: anchor,
                href: Href::Target,
                anchor: Some(&said),
                line: 7,
                size: None,
            };
            let links = [
                link,
                NewLink {
                    target: Some(image),
                    shape: picture,
                    href: Href::Whole("x.png"),
                    anchor: None,
                    line: 8,
                    size: Some((20, 10)),
                },
                NewLink { target: None, href: Href::Whole("http://[x"), line: 9, ..link },
            ];
            writer.put_list(hash, &links).unwrap()
        }
    };
    let answer = AnswerRow {
        method: 1,
        status: Some(200),
        version: Some("HTTP/1.1"),
        content_type: Some(format!("text/html; edition={edition}").into()),
        bytes: Some(html.len() as u64),
        transferred: Some(999),
        started: 1_700_000_000_250,
        ttfb_ms: Some(12),
        total_ms: Some(34),
        remote: Some("192.0.2.1:80".to_owned()),
        headers: Some("content-type: text/html\nserver: loom\n".to_owned()),
        ..AnswerRow::default()
    };
    writer.put_answer(crawl, url, &answer, None, Some(list)).unwrap();
    let document = document(writer, &text, &html);
    writer.put_page(crawl, url, &document, Indexability::Indexable).unwrap();
    url
}

/// A whole crawl of `pages` pages with robots.txt, a warning, a problem and a sitemap; committed.
pub(crate) fn put_crawl(writer: &mut Writer, pages: usize, edition: &str) -> i64 {
    let crawl = begin_crawl(writer);
    for n in 0..pages {
        put_page(writer, crawl, n, edition);
    }
    let url = writer.intern(&format!("{SITE}/page/0")).unwrap();
    let host = writer.host_of(url).unwrap();
    let robots = RobotsRow {
        state: "ok",
        status: Some(200),
        body: edition.as_bytes().to_vec(),
        ..RobotsRow::default()
    };
    writer.put_robots(crawl, host, &robots).unwrap();
    writer.warn(crawl, 1_700_000_000_000, "robots-unreachable", SITE, edition).unwrap();
    let problem = model::facts::Problem { code: "nul-bytes", detail: edition.into(), line: 3 };
    writer.put_problems(crawl, url, &[problem]).unwrap();
    let mut sitemap = 0;
    writer
        .rows(
            "INSERT INTO sitemap(crawl, url, entries, bytes) VALUES(?1, 'http://site.example/sitemap.xml', 1, 9) RETURNING id",
            &[crawl.into()],
            &mut |row| {
                sitemap = row.int(0);
                Ok(())
            },
        )
        .unwrap();
    let only_there = writer.intern(&format!("{SITE}/only-in-sitemap/{edition}")).unwrap();
    writer
        .run(
            "INSERT INTO sitemap_entry(sitemap, n, url, lastmod) VALUES(?1, 1, ?2, '2026')",
            &[sitemap.into(), i64::from(only_there).into()],
        )
        .unwrap();
    writer.set_counts(crawl, &[0, pages as u64, 0, 0, 0, 0, 0]).unwrap();
    writer.set_crawl(crawl, "finished", None, Some(1_700_000_060_000)).unwrap();
    writer.commit().unwrap();
    crawl
}

/// Every row of every view of a crawl, in a form that compares byte by byte.
pub(crate) fn views_of(path: &Path, crawl: i64) -> Vec<String> {
    let reader = Reader::open(path).unwrap();
    let mut rows = Vec::new();
    for (view, _) in views::all() {
        let sql = format!("SELECT * FROM {view} WHERE crawl = ?1");
        // What a person says of the project belongs to no crawl.
        if !reader.columns(&format!("SELECT * FROM {view}")).unwrap().iter().any(|column| column == "crawl") {
            continue;
        }
        let width = reader.columns(&sql).unwrap().len();
        let before = rows.len();
        reader
            .rows(&sql, &[crawl.into()], &mut |row| {
                let cells: Vec<Value> = (0..width).map(|column| row.value(column)).collect();
                rows.push(format!("{view} {cells:?}"));
                true
            })
            .unwrap();
        rows[before..].sort();
    }
    rows
}

pub(crate) fn count(path: &Path, sql: &str) -> i64 {
    let reader = Reader::open(path).unwrap();
    let counted = reader.one(sql, &[], |row| row.int(0)).unwrap();
    counted.unwrap_or_default()
}

pub(crate) fn rows_of(path: &Path, table: &str) -> i64 {
    count(path, &format!("SELECT count(*) FROM {table}"))
}

/// Names in a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub(crate) fn error_of<T>(result: Result<T, StoreError>) -> StoreError {
    match result {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error,
    }
}
