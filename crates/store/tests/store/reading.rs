//! What a person's own SQL may do, and for how long.

use crate::stage::{error_of, options, place, put_crawl};
use gossamer_store::{Reader, StoreError, Writer};
use model::{Clock, SystemClock};
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

fn project() -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = place();
    put_crawl(&mut Writer::open(&path, &options()).unwrap(), 3, "first");
    (folder, path)
}

#[test]
fn one_reading_statement_is_allowed_and_nothing_else() {
    let (folder, path) = project();
    let reader = Reader::open(&path).unwrap();
    for sql in [
        "SELECT 1",
        "  select count(*) from v_urls ; -- that is all",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n",
        "VALUES(1), (2)",
        "EXPLAIN QUERY PLAN SELECT * FROM v_pages WHERE crawl = 1",
        "PRAGMA user_version",
        "PRAGMA table_info(url)",
        "SELECT name FROM pragma_table_info('url')",
        "SELECT json_extract('{\"a\":1}', '$.a'), group_concat(url) FROM v_urls",
    ] {
        reader.check_statement(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    let elsewhere = folder.path().join("elsewhere.db");
    let elsewhere = elsewhere.display();
    for sql in [
        "",
        " ; ",
        "-- nothing",
        "SELEC 1",
        "SELECT * FROM nothing",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE url",
        "SELECT 1; SELEC",
        "DELETE FROM url",
        "UPDATE url SET text = ''",
        "INSERT INTO url VALUES(1, 1, 1, '')",
        "REPLACE INTO url VALUES(1, 1, 1, '')",
        "WITH x AS (SELECT 1) DELETE FROM url",
        "DELETE FROM url RETURNING id",
        "CREATE TABLE t(x)",
        "CREATE TEMP TABLE t(x)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "DROP VIEW v_urls",
        "ALTER TABLE url ADD COLUMN x",
        "REINDEX",
        "ANALYZE",
        "VACUUM",
        "BEGIN",
        "BEGIN IMMEDIATE",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT s",
        "RELEASE s",
        "PRAGMA user_version = 7",
        "PRAGMA application_id = 7",
        "PRAGMA writable_schema = 1",
        "PRAGMA query_only = 0",
        "PRAGMA journal_mode = delete",
        "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA mmap_size = 1",
        "PRAGMA schema_version(3)",
        "DETACH main",
        "SELECT load_extension('x')",
        &format!("ATTACH '{elsewhere}' AS other"),
        &format!("EXPLAIN ATTACH '{elsewhere}' AS other"),
        &format!("VACUUM INTO '{elsewhere}'"),
    ] {
        match error_of(reader.check_statement(sql)) {
            StoreError::Query(why) => assert!(!why.is_empty()),
            other => panic!("{sql}: {other}"),
        }
    }
    // Whoever forgets to ask cannot write either.
    let mut nothing = |_: &gossamer_store::Row<'_>| true;
    for sql in ["DELETE FROM url", "PRAGMA user_version = 7"] {
        assert!(matches!(error_of(reader.rows(sql, &[], &mut nothing)), StoreError::Query(_)), "{sql}");
    }
    drop(reader);
    assert_eq!(crate::stage::files(folder.path()), ["site.gossamer"]);
}

/// A clock that goes on by itself with every look at it, and by hand.
#[derive(Debug)]
struct StepClock {
    base: Instant,
    seconds: AtomicU64,
    a_look: u64,
}

impl StepClock {
    fn new(a_look: u64) -> Arc<Self> {
        Arc::new(Self { base: SystemClock.now(), seconds: AtomicU64::new(0), a_look })
    }
}

impl Clock for StepClock {
    fn now(&self) -> Instant {
        self.base + Duration::from_secs(self.seconds.fetch_add(self.a_look, Ordering::Relaxed))
    }

    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(std::future::ready(()))
    }
}

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";

#[test]
fn an_endless_query_is_stopped_and_the_next_one_is_not() {
    let (_folder, path) = project();
    let mut reader = Reader::open(&path).unwrap();
    reader.limit_time(Duration::from_secs(30), StepClock::new(1)).unwrap();
    for _ in 0..2 {
        let error = error_of(reader.rows(ENDLESS, &[], &mut |_| true));
        assert!(matches!(error, StoreError::QueryTimeout(30)), "{error}");
        assert!(error.to_string().contains("30 seconds"), "{error}");
        let mut urls = 0;
        reader
            .rows("SELECT url FROM v_urls", &[], &mut |_| {
                urls += 1;
                true
            })
            .unwrap();
        assert_eq!(urls, 3);
    }
}

#[test]
fn time_in_which_rows_are_looked_at_is_not_the_querys() {
    let (_folder, path) = project();
    let clock = StepClock::new(0);
    let mut reader = Reader::open(&path).unwrap();
    reader.limit_time(Duration::from_secs(30), clock.clone()).unwrap();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i FROM n WHERE i % 10000 = 0";
    let mut rows = 0;
    reader
        .rows(sql, &[], &mut |_| {
            rows += 1;
            clock.seconds.fetch_add(3_600, Ordering::Relaxed);
            true
        })
        .unwrap();
    assert_eq!(rows, 10);
}

#[test]
fn faults_of_a_query_are_the_querys() {
    let (_folder, path) = project();
    let reader = Reader::open(&path).unwrap();
    for sql in [
        "SELECT json_extract('{', '$.a')",
        "SELECT abs(-9223372036854775808)",
        "SELECT nothing FROM v_urls",
        "SELECT zeroblob(2000000000)",
    ] {
        let error = error_of(reader.rows(sql, &[], &mut |_| true));
        assert!(matches!(error, StoreError::Query(_)), "{sql}: {error:?}");
    }
}

#[test]
fn reading_can_stop_early_and_sees_what_is_committed() {
    let (_folder, path) = project();
    let mut writer = Writer::open(&path, &options()).unwrap();
    let reader = Reader::open(&path).unwrap();
    let count = |reader: &Reader| reader.one("SELECT count(*) FROM v_pages", &[], |row| row.int(0)).unwrap();
    let mut seen = 0;
    reader
        .rows("SELECT url FROM v_urls", &[], &mut |_| {
            seen += 1;
            false
        })
        .unwrap();
    assert_eq!(seen, 1);
    let crawl = crate::stage::begin_crawl(&mut writer);
    crate::stage::put_page(&mut writer, crawl, 1, "second");
    assert_eq!(count(&reader), Some(3), "not committed yet");
    writer.commit().unwrap();
    assert_eq!(count(&reader), Some(4));
}
