//! A released schema never changes: a file of a version is what the dump of that version says.

use crate::stage::{options, place, put_crawl, rows_of};
use gossamer_store::{Reader, Writer, schema, views};
use std::path::Path;

/// Tables and indexes of a file as statements, in the order of their names.
fn dump(path: &Path) -> String {
    let mut dump = format!(
        "PRAGMA application_id = {};\nPRAGMA user_version = {};\n",
        schema::APPLICATION_ID,
        schema::VERSION
    );
    let sql = "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name";
    let read = Reader::open(path).unwrap().rows(sql, &[], &mut |row| {
        dump.push_str(row.text(0));
        dump.push_str(";\n");
        true
    });
    read.unwrap();
    dump
}

#[test]
fn a_fresh_file_equals_the_dump_of_its_version() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    writer.build_reverse_indexes().unwrap();
    let fresh = dump(&path);
    let released = include_str!("../data/schema-v1.sql");
    assert!(
        fresh == released,
        "the tables changed. Where version {} is released: raise schema::VERSION, add a step to upgrade::STEPS and a dump \
         schema-v{}.sql. Else this is to be crates/store/tests/data/schema-v{}.sql:\n{fresh}",
        schema::VERSION,
        schema::VERSION + 1,
        schema::VERSION
    );
    assert_eq!(
        schema::VERSION,
        1,
        "another version: compare with its own dump, and upgrade the dumps before it"
    );
}

#[test]
fn the_dump_itself_is_a_file_that_can_be_used() {
    let (_folder, path) = place();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("../data/schema-v1.sql")).unwrap();
    connection.execute_batch("INSERT INTO meta VALUES('hash_seed', 7)").unwrap();
    connection.close().unwrap();
    let mut writer = Writer::open(&path, &options()).unwrap();
    put_crawl(&mut writer, 3, "first");
    assert_eq!(rows_of(&path, "v_pages"), 3);
}

#[test]
fn a_filter_on_the_crawl_is_a_range_with_and_without_statistics() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    for edition in ["first", "first", "third"] {
        put_crawl(&mut writer, 120, edition);
    }
    writer.build_reverse_indexes().unwrap();
    for statistics in ["", "ANALYZE"] {
        writer.batch(statistics).unwrap();
        let reader = Reader::open(&path).unwrap();
        for (view, _) in views::all() {
            let mut steps = Vec::new();
            let sql = format!("EXPLAIN QUERY PLAN SELECT * FROM {view} WHERE crawl = 2");
            reader
                .rows(&sql, &[], &mut |row| {
                    steps.push(row.text(3).to_owned());
                    true
                })
                .unwrap();
            // A crawl has few sitemaps and warnings, a project few shapes of links; the other scans are of rows that the query makes itself.
            let small = ["SCAN s", "SCAN walk", "SCAN CONSTANT", "SCAN v_hreflang", "BLOOM FILTER ON s"];
            let allowed = |step: &str| {
                // Of a table that is known to have one row, SQLite rightly reads the whole.
                (step == "SCAN h" && !statistics.is_empty())
                    || small.iter().any(|small| step.starts_with(small))
                    || step.contains("VIRTUAL TABLE")
                    || (view == "v_warnings" && step == "SCAN w")
            };
            let whole: Vec<&String> =
                steps.iter().filter(|step| step.starts_with("SCAN") || step.starts_with("BLOOM")).collect();
            assert!(whole.iter().all(|step| allowed(step)), "{view} {statistics}: {steps:#?}");
        }
    }
}

#[test]
fn views_of_another_program_version_are_made_anew() {
    let (_folder, path) = place();
    drop(Writer::open(&path, &options()).unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "DROP VIEW v_urls; CREATE VIEW v_urls AS SELECT 1 AS old; CREATE VIEW mine AS SELECT 2 AS own",
        )
        .unwrap();
    connection.close().unwrap();
    drop(Writer::open(&path, &options()).unwrap());
    let reader = Reader::open(&path).unwrap();
    assert!(reader.columns("SELECT * FROM v_urls").unwrap().contains(&"url".to_owned()));
    assert_eq!(reader.columns("SELECT * FROM mine").unwrap(), ["own"]);
}
