//! A released schema never changes: a file of a version is what the dump of that version says.

use crate::stage::{options, place, put_crawl, rows_of};
use gossamer_store::{Reader, Writer, schema, views};
use std::path::{Path, PathBuf};

/// The dump of every released version, the oldest first.
const RELEASED: &[&str] = &[
    include_str!("../data/schema-v1.sql"),
    include_str!("../data/schema-v2.sql"),
    include_str!("../data/schema-v3.sql"),
    include_str!("../data/schema-v4.sql"),
];

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

/// A file of a released version, with these rows in it.
fn released(version: usize, rows: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = place();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(RELEASED[version - 1]).unwrap();
    connection.execute_batch("INSERT INTO meta VALUES('hash_seed', 7)").unwrap();
    connection.execute_batch(rows).unwrap();
    connection.close().unwrap();
    (folder, path)
}

#[test]
fn a_fresh_file_equals_the_dump_of_its_version() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    writer.build_reverse_indexes().unwrap();
    let fresh = dump(&path);
    assert_eq!(RELEASED.len() as i32, schema::VERSION, "one dump for each version");
    assert!(
        fresh == RELEASED[RELEASED.len() - 1],
        "the tables changed. Where version {} is released: raise schema::VERSION, add a step to upgrade::STEPS and a dump \
         schema-v{}.sql. Else the step that leads to it is to say the same, and this is to be \
         crates/store/tests/data/schema-v{}.sql:\n{fresh}",
        schema::VERSION,
        schema::VERSION + 1,
        schema::VERSION
    );
}

#[test]
fn every_older_version_upgraded_equals_a_fresh_file() {
    // SQLite writes an added column on the last line of its table.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for version in 1..RELEASED.len() {
        let (_folder, path) = released(version, "");
        let mut writer = Writer::open(&path, &options()).unwrap();
        writer.build_reverse_indexes().unwrap();
        let (upgraded, fresh) = (words(&dump(&path)), words(RELEASED[RELEASED.len() - 1]));
        let differs = upgraded.split("; ").zip(fresh.split("; ")).find(|(upgraded, fresh)| upgraded != fresh);
        assert_eq!(differs, None, "version {version}");
        assert_eq!(upgraded, fresh, "version {version}");
    }
}

#[test]
fn every_dump_is_a_file_that_can_be_used() {
    for version in 1..=RELEASED.len() {
        let (_folder, path) = released(version, "");
        let mut writer = Writer::open(&path, &options()).unwrap();
        put_crawl(&mut writer, 3, "first");
        assert_eq!(rows_of(&path, "v_pages"), 3, "version {version}");
    }
}

#[test]
fn a_file_of_version_1_keeps_its_hosts_and_sitemaps() {
    let (_folder, path) = released(
        1,
        "INSERT INTO crawl(job, start_url, started, state, profile, program, audited_bot, respect_nofollow)
           VALUES('audit', 'http://own.example/', 0, 'finished', '', '', 'Googlebot', 0);
         INSERT INTO host VALUES(1, 'http://own.example', 'own.example'), (2, 'http://other.example', 'other.example');
         INSERT INTO url VALUES(1, 1, 11, 'http://own.example/'), (2, 2, 22, 'http://other.example/');
         INSERT INTO visit VALUES(1 << 32 | 1, 1, 1, 1, 1, 0, 0, 1, NULL, NULL), (1 << 32 | 2, 2, 1, 1, 0, 1, 0, 1, NULL, NULL);
         INSERT INTO host_traffic VALUES(1, 1, 7, 700, 1, 2, 1000), (1, 2, 1, 0, 1, 0, NULL);
         INSERT INTO attempt VALUES(1 << 32 | 1, 1, 1, 0, 5, 200, NULL);
         INSERT INTO robots VALUES(1, 1, 'ok', 200, NULL, 0, 2.5, 0, NULL, 0, CAST('User-agent: *' AS BLOB));
         INSERT INTO sitemap VALUES(1, 1, 'http://own.example/sitemap.xml', NULL, 200, 'urlset', 0, 9, 'xml-error (line 3, column 7): cut', NULL)",
    );
    drop(Writer::open(&path, &options()).unwrap());
    let read = |sql: &str| {
        let mut rows = Vec::new();
        let reader = Reader::open(&path).unwrap();
        reader
            .rows(sql, &[], &mut |row| {
                rows.push(row.text(0).to_owned());
                true
            })
            .unwrap();
        rows
    };
    let hosts = "SELECT host || ' ' || internal || ' ' || requests || ' ' || total_ms || ' ' || coalesce(certificate_expires, '-') FROM v_hosts ORDER BY host DESC";
    assert_eq!(read(hosts), ["own.example 1 7 0 1970-01-01T00:00:01.000Z", "other.example 0 1 0 -"]);
    assert_eq!(read("SELECT problems FROM v_sitemaps"), ["xml-error (line 3, column 7): cut"]);
    assert_eq!(read("SELECT body || coalesce(redirects, '') FROM v_robots"), ["User-agent: *"]);
    assert_eq!(read("SELECT purpose FROM v_attempts"), ["fetch"]);
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
            // What a person says of the project belongs to no crawl.
            if !reader
                .columns(&format!("SELECT * FROM {view}"))
                .unwrap()
                .iter()
                .any(|column| column == "crawl")
            {
                continue;
            }
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
