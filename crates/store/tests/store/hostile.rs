//! Texts that a hostile site may send: kept to the letter, and in nobody's way.

use crate::stage::{SITE, begin_crawl, document, options, place, put_page, shape};
use gossamer_store::{AnswerRow, Href, NewLink, Reader, RobotsRow, Value, Writer};
use model::LinkKind;
use model::state::Indexability;

fn cell(reader: &Reader, sql: &str) -> Value {
    reader.one(sql, &[], |row| row.value(0)).unwrap().expect("a row")
}

#[test]
fn odd_texts_come_back_to_the_letter() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    let long = "é".repeat(500_000);
    let texts = [
        "",
        "a\0b",
        "'; DROP TABLE url; --",
        "\u{202e}gnp.exe",
        "\u{feff}",
        "=cmd|' /C calc'!A0",
        "\u{fffd}\u{10ffff}",
        &long,
    ];
    let crawl = begin_crawl(&mut writer);
    for (n, text) in texts.iter().enumerate() {
        let url = put_page(&mut writer, crawl, n, "first");
        let own = format!("{SITE}/page/{n}");
        let mut page = document(&writer, &own, text.as_bytes());
        page.title = Some((*text).into());
        page.headings = Some((*text).to_owned());
        writer.put_page(crawl, url, &page, Indexability::Indexable).unwrap();
        let shape = writer.shape(&shape(LinkKind::Anchor)).unwrap();
        let link =
            NewLink { target: None, shape, href: Href::Whole(text), anchor: Some(text), line: 1, size: None };
        let list = writer.put_list(1_000 + n as u64, &[link]).unwrap();
        let answer = AnswerRow {
            method: 1,
            headers: Some((*text).to_owned()),
            error: Some((*text).to_owned()),
            content_type: Some((*text).into()),
            ..AnswerRow::default()
        };
        writer.put_answer(crawl, url, &answer, None, Some(list)).unwrap();
        writer.set_state(crawl, url, model::UrlState::Failed, Some(text)).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    let reader = Reader::open(&path).unwrap();
    for (n, text) in texts.iter().enumerate() {
        let from = |columns: &str| format!("SELECT {columns} WHERE crawl = 1 AND url = '{SITE}/page/{n}'");
        let expect = Value::Text((*text).to_owned());
        for place in [
            "title FROM v_pages",
            "headings FROM v_pages",
            "reason FROM v_urls",
            "content_type FROM v_urls",
            "headers FROM v_responses",
            "error FROM v_urls",
        ] {
            assert!(cell(&reader, &from(place)) == expect, "{place} of text {n}");
        }
        for column in ["raw_href", "anchor"] {
            let sql = format!("SELECT {column} FROM v_links WHERE crawl = 1 AND source = '{SITE}/page/{n}'");
            assert!(cell(&reader, &sql) == expect, "{column} of text {n}");
        }
    }
}

#[test]
fn a_url_may_be_long_and_full_of_quotes() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    let texts = [
        format!("{SITE}/{}", "x".repeat(1 << 20)),
        format!("{SITE}/'\";\0"),
        "javascript:alert('\0')".to_owned(),
        String::new(),
    ];
    writer.begin().unwrap();
    let ids: Vec<u32> = texts.iter().map(|text| writer.intern(text).unwrap()).collect();
    writer.commit().unwrap();
    drop(writer);
    let mut writer = Writer::open(&path, &options()).unwrap();
    for (text, id) in texts.iter().zip(ids) {
        assert_eq!(writer.intern(text).unwrap(), id);
        assert!(writer.url_text(id).unwrap() == *text);
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced_where_text_is_shown() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    let crawl = begin_crawl(&mut writer);
    let host = writer.host(SITE).unwrap();
    let body = b"User-agent: \xff\xfe\nDisallow: /\0\n".to_vec();
    writer
        .put_robots(crawl, host, &RobotsRow { state: "ok", body: body.clone(), ..RobotsRow::default() })
        .unwrap();
    writer.commit().unwrap();
    let reader = Reader::open(&path).unwrap();
    let stored = reader.one("SELECT body FROM robots", &[], |row| row.blob(0).to_vec()).unwrap();
    assert_eq!(stored, Some(body), "the crawl itself reads the bytes");
    assert_eq!(
        cell(&reader, "SELECT body FROM v_robots"),
        Value::Text("User-agent: \u{fffd}\u{fffd}\nDisallow: /\0\n".to_owned())
    );
}
