//! What is written is read back, and the same again costs nothing.

use crate::stage::{SITE, begin_crawl, html, options, place, put_crawl, put_page, rows_of, views_of};
use gossamer_store::{Reader, Value, VisitRow, Writer, key};
use model::{FoundBy, Purpose, UrlState};
use std::path::Path;

fn row(path: &Path, sql: &str) -> Vec<Value> {
    let reader = Reader::open(path).unwrap();
    let width = reader.columns(sql).unwrap().len();
    reader.one(sql, &[], |row| (0..width).map(|column| row.value(column)).collect()).unwrap().expect("a row")
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn a_page_and_its_links_come_back_through_the_views() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    let crawl = put_crawl(&mut writer, 2, "first");
    let sql = "SELECT url, host, internal, state, method, status, content_type, depth, first_seen, bytes, transferred, ttfb_ms, requested
               FROM v_urls WHERE crawl = 1 AND url LIKE '%/page/0'";
    let size = html(0, "first").len() as i64;
    let expect = [
        text(&format!("{SITE}/page/0")),
        text("site.example"),
        Value::Int(1),
        text("fetched"),
        text("GET"),
        Value::Int(200),
        text("text/html; edition=first"),
        Value::Int(1),
        text("link"),
        Value::Int(size),
        Value::Int(999),
        Value::Int(12),
        text("2023-11-14T22:13:20.250Z"),
    ];
    assert_eq!(row(&path, sql), expect);
    let sql = "SELECT title, indexable, title_count, content_hash FROM v_pages WHERE crawl = 1 AND url LIKE '%/page/0'";
    let hash = format!("{:016x}", model::hash::fingerprint(&html(0, "first")));
    assert_eq!(
        row(&path, sql),
        [text("Title of http://site.example/page/0"), Value::Int(1), Value::Int(1), text(&hash)]
    );

    let links = views_of(&path, crawl);
    let links: Vec<&String> =
        links.iter().filter(|line| line.starts_with("v_links") && line.contains("page/0\")")).collect();
    assert_eq!(links.len(), 3, "{links:#?}");
    let sql = "SELECT target, raw_href, anchor, line, verdict FROM v_links WHERE source LIKE '%/page/0' AND kind = 'anchor' ORDER BY link";
    let next = format!("{SITE}/page/1");
    assert_eq!(
        row(&path, sql),
        [text(&next), text(&next), text("to the next, first"), Value::Int(7), text("ok")]
    );
    let sql = "SELECT target, raw_href, verdict FROM v_links WHERE source LIKE '%/page/0' AND target IS NULL";
    assert_eq!(row(&path, sql), [Value::Null, text("http://[x"), text("invalid")]);
    let sql = "SELECT image, alt, width, height FROM v_images WHERE source LIKE '%/page/0'";
    assert_eq!(
        row(&path, sql),
        [text(&format!("{SITE}/first.png")), Value::Null, Value::Int(20), Value::Int(10)]
    );
    let sql = "SELECT http_version, remote, headers FROM v_responses WHERE url LIKE '%/page/0'";
    assert_eq!(
        row(&path, sql),
        [text("HTTP/1.1"), text("192.0.2.1:80"), text("content-type: text/html\nserver: loom\n")]
    );
}

#[test]
fn html_comes_back_before_and_after_the_dictionary_and_after_reopening() {
    let (_folder, path) = place();
    let pages = 130;
    let mut urls = Vec::new();
    {
        let mut writer = Writer::open(&path, &options()).unwrap();
        let crawl = begin_crawl(&mut writer);
        urls.extend((0..pages).map(|n| put_page(&mut writer, crawl, n, "first")));
        writer.commit().unwrap();
    }
    {
        let mut writer = Writer::open(&path, &options()).unwrap();
        writer.begin().unwrap();
        urls.push(put_page(&mut writer, 1, pages, "first"));
        writer.commit().unwrap();
    }
    assert_eq!(rows_of(&path, "html_dictionary"), 1);
    assert!(rows_of(&path, "html WHERE dictionary = 0") > 0, "pages from before the dictionary");
    assert!(rows_of(&path, "html WHERE dictionary = 1") > 30, "pages with the dictionary");
    let size = |condition| {
        rows_of(&path, &format!("(SELECT 1 FROM html WHERE {condition} AND length(data) * 12 > size)"))
    };
    assert_eq!(size("dictionary = 1"), 0, "the dictionary makes pages of one site small");
    let reader = Reader::open(&path).unwrap();
    for (n, url) in urls.into_iter().enumerate() {
        assert_eq!(reader.html(1, url).unwrap().as_deref(), Some(&*html(n, "first")), "page {n}");
    }
    assert_eq!(reader.html(1, 4_000_000).unwrap(), None);
}

#[test]
fn projects_that_follow_each_other_on_one_thread_do_not_share_dictionaries() {
    for round in ["one", "two", "three"] {
        let (_folder, path) = place();
        let mut writer = Writer::open(&path, &options()).unwrap();
        let crawl = begin_crawl(&mut writer);
        let urls: Vec<u32> = (0..100).map(|n| put_page(&mut writer, crawl, n, round)).collect();
        writer.commit().unwrap();
        let reader = Reader::open(&path).unwrap();
        for (n, url) in urls.into_iter().enumerate() {
            assert_eq!(reader.html(crawl, url).unwrap().as_deref(), Some(&*html(n, round)), "page {n}");
        }
    }
}

#[test]
fn empty_and_odd_html_comes_back() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    let crawl = begin_crawl(&mut writer);
    let noise: Vec<u8> = (0..70_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let bodies: [&[u8]; 4] = [b"", b"\0", b"\xff\xfe\xfd", &noise];
    let mut urls = Vec::new();
    for (n, body) in bodies.iter().enumerate() {
        let url = put_page(&mut writer, crawl, n, "first");
        let document = crate::stage::document(&writer, &format!("{SITE}/page/{n}"), body);
        writer.put_page(crawl, url, &document, model::state::Indexability::Noindex).unwrap();
        urls.push(url);
    }
    writer.commit().unwrap();
    let reader = Reader::open(&path).unwrap();
    for (body, url) in bodies.iter().zip(urls) {
        assert_eq!(reader.html(crawl, url).unwrap().as_deref(), Some(*body));
    }
}

#[test]
fn an_unchanged_second_crawl_adds_no_lists_documents_or_html() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    put_crawl(&mut writer, 20, "first");
    let tables =
        ["url", "host", "html", "document", "link_list", "link", "link_shape", "image_size", "string"];
    let before = tables.map(|table| rows_of(&path, table));
    put_crawl(&mut writer, 20, "first");
    assert_eq!(tables.map(|table| rows_of(&path, table)), before, "{tables:?}");
    drop(writer);
    // A later run of the program knows them as well; only its dictionaries of texts and shapes may begin anew.
    let mut writer = Writer::open(&path, &options()).unwrap();
    put_crawl(&mut writer, 20, "first");
    for (table, rows) in tables.iter().zip(before).take(6) {
        assert_eq!(rows_of(&path, table), rows, "{table}");
    }
    let strip = |crawl: i64| -> Vec<String> {
        let rows = views_of(&path, crawl).into_iter();
        rows.map(|row| row.replacen(&format!("[Int({crawl})"), "[", 1)).collect()
    };
    assert_eq!(strip(1), strip(2));
    assert_eq!(strip(1), strip(3));
}

#[test]
fn reopening_knows_every_url_by_the_number_it_had() {
    let (_folder, path) = place();
    let texts = |n: usize| format!("{SITE}/%c3%a9/{n}?q={n}");
    let ids: Vec<u32> = {
        let mut writer = Writer::open(&path, &options()).unwrap();
        writer.begin().unwrap();
        let ids = (0..500).map(|n| writer.intern(&texts(n)).unwrap()).collect();
        writer.commit().unwrap();
        ids
    };
    let mut writer = Writer::open(&path, &options()).unwrap();
    assert_eq!(writer.known_urls(), 500);
    for (n, id) in ids.iter().enumerate() {
        assert_eq!(writer.intern(&texts(n)).unwrap(), *id);
        assert_eq!(
            writer.intern(&texts(n).replace("%c3%a9", "%C3%A9")).unwrap(),
            *id,
            "escapes compare upper-cased"
        );
        assert_eq!(writer.url_text(*id).unwrap(), texts(n), "it is kept as it was written");
    }
    assert_eq!(writer.known_urls(), 500);
    assert_eq!(writer.intern("mailto:a@b.example").unwrap(), 501);
    assert_eq!(writer.host_of(501).unwrap(), 0);
    assert_eq!(writer.origin(writer.host_of(1).unwrap()), SITE);
}

#[test]
fn the_frontier_comes_back() {
    let (_folder, path) = place();
    let add = |writer: &mut Writer, crawl: i64, n: u16, state: UrlState| {
        let url = writer.intern(&format!("{SITE}/{n}")).unwrap();
        let host = writer.host_of(url).unwrap();
        let visit = VisitRow {
            url,
            host,
            state,
            purpose: Purpose::Check,
            internal: n.is_multiple_of(2),
            depth: (n > 2).then_some(n),
            hops: 1,
            found: FoundBy::Sitemap,
            source: None,
            reason: Some("why"),
        };
        writer.add_visit(crawl, &visit).unwrap();
    };
    {
        let mut writer = Writer::open(&path, &options()).unwrap();
        let other = begin_crawl(&mut writer);
        add(&mut writer, other, 1, UrlState::Queued);
        let crawl = begin_crawl(&mut writer);
        for n in 1..=6 {
            add(&mut writer, crawl, n, if n == 3 { UrlState::Blocked } else { UrlState::Queued });
        }
        writer.set_state(crawl, 4, UrlState::Failed, Some("dns")).unwrap();
        writer.set_reach(crawl, 5, Some(2), 0, Purpose::Crawl).unwrap();
        writer.commit().unwrap();
    }
    let mut writer = Writer::open(&path, &options()).unwrap();
    assert_eq!(writer.unfinished_crawls().unwrap(), [1, 2]);
    assert_eq!(writer.crawl_profile(2).unwrap(), ("version = 1\n".to_owned(), vec![format!("{SITE}/")]));
    let mut visits = Vec::new();
    writer.visits(2, &mut |visit| visits.push(visit)).unwrap();
    let states: Vec<UrlState> = visits.iter().map(|visit| visit.state).collect();
    use UrlState::{Blocked, Failed, OverLimit, Queued};
    assert_eq!(states, [Queued, Queued, Blocked, Failed, Queued, Queued]);
    let fifth = visits[4];
    assert_eq!(
        (fifth.url, fifth.depth, fifth.hops, fifth.purpose, fifth.internal),
        (5, Some(2), 0, Purpose::Crawl, false)
    );
    let waiting = |writer: &Writer, after| -> Vec<u32> {
        writer.queued(2, 1, after, 3).unwrap().into_iter().map(|queued| queued.url).collect()
    };
    assert_eq!(waiting(&writer, 0), [1, 2, 5]);
    assert_eq!(waiting(&writer, 5), [6]);
    writer.close_queue(2, "max-urls").unwrap();
    assert!(waiting(&writer, 0).is_empty());
    visits.clear();
    writer.visits(2, &mut |visit| visits.push(visit)).unwrap();
    assert_eq!(visits[0].state, OverLimit);
    assert_eq!(
        rows_of(&path, "v_urls WHERE crawl = 1 AND state = 'queued'"),
        1,
        "the other crawl's queue is its own"
    );
    assert_eq!(rows_of(&path, &format!("visit WHERE key = {}", key(2, 6))), 1);
}
