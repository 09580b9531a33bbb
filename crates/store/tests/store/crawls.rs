//! Deleting crawls, keeping the last ones, compacting: the others read the same, and nothing is left behind.

use crate::stage::{SITE, error_of, options, place, put_crawl, rows_of, views_of};
use gossamer_store::{Document, ProbeRow, StoreError, Writer};
use std::path::Path;

/// Whatever no crawl of the file leads to; empty when nothing is orphaned. After compacting, dictionaries count as well.
fn orphans(path: &Path, compacted: bool) -> Vec<&'static str> {
    let always = [
        "visit WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "answer WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "page WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "metric WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "chain WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "attempt WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "problem WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "confirmation WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "validator WHERE key >> 32 NOT IN (SELECT id FROM crawl)",
        "probe WHERE crawl NOT IN (SELECT id FROM crawl)",
        "trap WHERE crawl NOT IN (SELECT id FROM crawl)",
        "seed WHERE crawl NOT IN (SELECT id FROM crawl)",
        "link_rule WHERE crawl NOT IN (SELECT id FROM crawl)",
        "robots WHERE crawl NOT IN (SELECT id FROM crawl)",
        "host_traffic WHERE crawl NOT IN (SELECT id FROM crawl)",
        "warning WHERE crawl NOT IN (SELECT id FROM crawl)",
        "evaluation WHERE crawl NOT IN (SELECT id FROM crawl)",
        "finding WHERE crawl NOT IN (SELECT id FROM crawl)",
        "sitemap WHERE crawl NOT IN (SELECT id FROM crawl)",
        "sitemap_entry WHERE sitemap NOT IN (SELECT id FROM sitemap)",
        "sitemap_hreflang WHERE sitemap NOT IN (SELECT id FROM sitemap)",
        "sitemap_problem WHERE sitemap NOT IN (SELECT id FROM sitemap)",
        "document WHERE id NOT IN (SELECT document FROM page UNION SELECT document FROM probe WHERE document IS NOT NULL)",
        "html WHERE id NOT IN (SELECT html FROM document)",
        "link_list WHERE id NOT IN (SELECT list FROM answer)",
        "link WHERE id >> 20 NOT IN (SELECT id FROM link_list)",
        "image_size WHERE link NOT IN (SELECT id FROM link)",
    ];
    let dictionaries = [
        "link_shape WHERE id NOT IN (SELECT shape FROM link)",
        "string WHERE value LIKE '%first%' OR value LIKE '%third%'",
        "url WHERE text LIKE '%first%' OR text LIKE '%third%'",
    ];
    let mut found: Vec<&str> = always.into_iter().filter(|orphan| rows_of(path, orphan) > 0).collect();
    if compacted {
        found.extend(dictionaries.into_iter().filter(|orphan| rows_of(path, orphan) > 0));
    }
    found
}

/// Every table with rows in it, so that a table that no fixture fills cannot hide.
fn put_derived(writer: &mut Writer, crawl: i64) {
    let key = crawl << 32 | 1;
    let statements = [
        format!("INSERT INTO metric VALUES({key}, 1, 1, 1, 1, 1, NULL)"),
        format!("INSERT INTO chain VALUES({key}, 1, 1, 0)"),
        format!("INSERT INTO attempt VALUES({key}, 1, 1, 0, 5, 200, NULL, 0)"),
        format!("INSERT INTO confirmation VALUES({key}, 1)"),
        format!("INSERT INTO trap VALUES({crawl}, 'http://site.example/*', 'numbers', 'so', '[]', 1, 0)"),
        format!(
            "INSERT INTO host_traffic(crawl, host, requests, bytes, errors, slow_downs) VALUES({crawl}, 1, 1, 1, 0, 0)"
        ),
        format!("INSERT INTO evaluation VALUES({crawl}, 1, 1, '', 1, 1, 1)"),
        format!("INSERT INTO finding VALUES({crawl}, 1, 1, 0)"),
        format!(
            "INSERT INTO sitemap_hreflang SELECT id, 1, 'de', 'http://site.example/de' FROM sitemap WHERE crawl = {crawl}"
        ),
        format!(
            "INSERT INTO sitemap_problem SELECT id, 1, 'xml-error', 3, 7, 'cut' FROM sitemap WHERE crawl = {crawl}"
        ),
    ];
    writer.batch(&statements.join(";")).unwrap();
    let document = Document { hash: 1_000 + crawl as u64, ..Document::default() };
    let probe =
        ProbeRow { kind: "random-path", state: "answered", document: Some(document), ..ProbeRow::default() };
    writer.put_probe(crawl, &probe).unwrap();
}

fn three_crawls(path: &Path) -> Writer {
    let mut writer = Writer::open(path, &options()).unwrap();
    for edition in ["first", "second", "third"] {
        let crawl = put_crawl(&mut writer, 120, edition);
        put_derived(&mut writer, crawl);
    }
    writer.settle().unwrap();
    writer
}

#[test]
fn deleting_and_compacting_leave_the_other_crawl_as_it_was() {
    let (_folder, path) = place();
    let mut writer = three_crawls(&path);
    let before = views_of(&path, 2);
    assert!(before.len() > 700, "{}", before.len());
    writer.delete_crawl(1).unwrap();
    assert_eq!(views_of(&path, 2), before);
    writer.delete_crawl(3).unwrap();
    assert_eq!(views_of(&path, 2), before);
    assert_eq!(orphans(&path, false), Vec::<&str>::new());
    let size = std::fs::metadata(&path).unwrap().len();
    let compaction = writer.compact().unwrap();
    assert_eq!(views_of(&path, 2), before);
    assert_eq!(orphans(&path, true), Vec::<&str>::new());
    let after = std::fs::metadata(&path).unwrap().len();
    assert_eq!(compaction.after, after);
    assert!(after * 8 < size * 7, "from {size} to {after} bytes");

    // The writer goes on with what it dropped, and so does a later one.
    let gone = format!("{SITE}/first.png");
    let id = writer.intern(&gone).unwrap();
    let crawl = put_crawl(&mut writer, 120, "first");
    let kept = writer.intern(&format!("{SITE}/page/5")).unwrap();
    drop(writer);
    let mut writer = Writer::open(&path, &options()).unwrap();
    assert_eq!(
        (writer.intern(&gone).unwrap(), writer.intern(&format!("{SITE}/page/5")).unwrap()),
        (id, kept)
    );
    assert_eq!(rows_of(&path, &format!("v_pages WHERE crawl = {crawl}")), 120);
    assert_eq!(views_of(&path, 2), before);
}

#[test]
fn what_two_crawls_share_stays_until_both_are_deleted() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    for _ in 0..2 {
        put_crawl(&mut writer, 10, "first");
    }
    let before = views_of(&path, 2);
    writer.delete_crawl(1).unwrap();
    writer.compact().unwrap();
    assert_eq!(views_of(&path, 2), before);
    assert_eq!(rows_of(&path, "html"), 10);
    writer.delete_crawl(2).unwrap();
    writer.compact().unwrap();
    for table in [
        "html",
        "document",
        "link",
        "link_list",
        "image_size",
        "link_shape",
        "url",
        "visit",
        "answer",
        "page",
    ] {
        assert_eq!(rows_of(&path, table), 0, "{table}");
    }
}

#[test]
fn the_last_ones_are_kept() {
    let check = |keep: usize, deleted: &[i64]| {
        let (_folder, path) = place();
        let mut writer = Writer::open(&path, &options()).unwrap();
        for edition in ["first", "second", "third"] {
            put_crawl(&mut writer, 2, edition);
        }
        assert_eq!(writer.keep_last(keep).unwrap(), deleted);
        assert_eq!(rows_of(&path, "crawl"), 3 - deleted.len() as i64);
        assert_eq!(orphans(&path, false), Vec::<&str>::new());
    };
    check(5, &[]);
    check(2, &[1]);
    check(1, &[2, 1]);
    check(0, &[3, 2, 1]);
}

#[test]
fn a_crawl_that_is_not_there_cannot_be_deleted() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    put_crawl(&mut writer, 2, "first");
    let before = views_of(&path, 1);
    assert!(matches!(error_of(writer.delete_crawl(7)), StoreError::NoCrawl(7)));
    assert!(matches!(error_of(writer.crawl_profile(7)), StoreError::NoCrawl(7)));
    assert_eq!(views_of(&path, 1), before);
    put_crawl(&mut writer, 2, "second");
}
