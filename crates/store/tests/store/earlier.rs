//! What earlier crawls know of a page: its validators byte for byte, and only where its HTML is whole and stored.

use crate::stage::{begin_crawl, html, options, place, put_page};
use gossamer_store::schema::answer_flags as flag;
use gossamer_store::{AnswerRow, EarlierPage, Writer, beyond_text};
use model::Validators;

/// An answer to a page that was read, with this ETag.
fn known_by(etag: &[u8]) -> AnswerRow {
    let validators = Validators { etag: Some(etag.into()), last_modified: None };
    AnswerRow {
        method: 1,
        status: Some(200),
        flags: flag::BODY_READ,
        headers: Some(format!("content-type: text/html\netag: {}\nx: y: z\n", String::from_utf8_lossy(etag))),
        validators: beyond_text(&validators),
        ..AnswerRow::default()
    }
}

/// A crawl that met the page of number 1.
fn crawl(writer: &mut Writer, answer: &AnswerRow) -> (i64, u32) {
    let crawl = begin_crawl(writer);
    let url = put_page(writer, crawl, 1, "first");
    writer.put_answer(crawl, url, answer, None, None).unwrap();
    (crawl, url)
}

fn etag(page: Option<EarlierPage>) -> Option<Vec<u8>> {
    page.map(|page| page.validators.etag.expect("an ETag").into())
}

#[test]
fn validators_come_back_byte_for_byte() {
    let odd: &[&[u8]] = &[
        b"\"plain\"",
        b"W/\"a b\"",
        b"not quoted: at all",
        b"\"caf\xe9\xff\"",
        "\"日\"".as_bytes(),
        "\u{fffd}".as_bytes(),
        "\"a…b\"".as_bytes(),
    ];
    for bytes in odd {
        let (_folder, path) = place();
        let mut writer = Writer::open(&path, &options()).unwrap();
        // An answer of the same crawl that this one replaces leaves nothing behind.
        let (first, url) = crawl(&mut writer, &known_by(b"\"\x80\""));
        writer.put_answer(first, url, &known_by(bytes), None, None).unwrap();
        let page = writer.earlier_page(first + 1, url, u64::MAX).unwrap().expect("a page");
        assert_eq!((page.crawl, page.size), (first, html(1, "first").len() as u64));
        assert_eq!(page.headers[0], ("content-type".into(), "text/html".into()));
        assert_eq!(page.headers[2], ("x".into(), "y: z".into()));
        assert_eq!(etag(Some(page)), Some(bytes.to_vec()));
    }
}

#[test]
fn the_newest_earlier_page_that_can_stand_for_itself_is_taken() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    let (first, url) = crawl(&mut writer, &known_by(b"1"));
    let (second, _) = crawl(&mut writer, &known_by(b"2"));
    let found = |writer: &Writer, before: i64| etag(writer.earlier_page(before, url, u64::MAX).unwrap());
    assert_eq!(found(&writer, first), None);
    assert_eq!(found(&writer, second), Some(b"1".to_vec()));
    assert_eq!(found(&writer, second + 1), Some(b"2".to_vec()));
    let size = html(1, "first").len() as u64;
    assert_eq!(etag(writer.earlier_page(second + 1, url, size).unwrap()), Some(b"2".to_vec()));
    assert_eq!(etag(writer.earlier_page(second + 1, url, size - 1).unwrap()), None);
    let unusable = [
        AnswerRow { status: Some(404), ..known_by(b"3") },
        AnswerRow { flags: flag::BODY_READ | flag::TRUNCATED, ..known_by(b"3") },
        AnswerRow { flags: flag::BODY_READ | flag::INCOMPLETE, ..known_by(b"3") },
        AnswerRow { flags: flag::BODY_READ | flag::DECODE_ERROR, ..known_by(b"3") },
        AnswerRow { flags: 0, ..known_by(b"3") },
        AnswerRow { headers: Some("content-type: text/html\n".to_owned()), ..known_by(b"3") },
        // A part of it was left out because it repeats a credential.
        AnswerRow { headers: Some("etag: \"…-3\"\n".to_owned()), ..known_by(b"\"3\"") },
    ];
    for answer in &unusable {
        let (third, _) = crawl(&mut writer, answer);
        assert_eq!(found(&writer, third + 1), Some(b"2".to_vec()), "{answer:?}");
    }
    writer.delete_crawl(second).unwrap();
    assert_eq!(found(&writer, i64::from(i32::MAX)), Some(b"1".to_vec()));
}
