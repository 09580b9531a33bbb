//! A full disk: the commit says so, what was committed stays, and the next writer goes on.

use crate::stage::{
    begin_crawl, error_of, options, options_with, place, put_crawl, put_page, rows_of, views_of,
};
use gossamer_store::{Faults, Reader, StoreError, Writer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Default)]
struct FullDisk(AtomicBool);

impl Faults for FullDisk {
    fn before_commit(&self) -> Option<StoreError> {
        self.0.load(Ordering::Relaxed).then_some(StoreError::DiskFull)
    }
}

#[test]
fn a_commit_on_a_full_disk_loses_that_batch_only() {
    let (_folder, path) = place();
    let disk = Arc::new(FullDisk::default());
    let mut writer = Writer::open(&path, &options_with(disk.clone())).unwrap();
    put_crawl(&mut writer, 5, "first");
    let before = views_of(&path, 1);
    disk.0.store(true, Ordering::Relaxed);
    let crawl = begin_crawl(&mut writer);
    put_page(&mut writer, crawl, 77, "second");
    let error = error_of(writer.commit());
    assert!(error.is_disk_full(), "{error}");
    assert!(error.to_string().contains("free some space"), "{error}");
    drop(writer);
    assert_eq!(rows_of(&path, "crawl"), 1);
    assert_eq!(views_of(&path, 1), before);

    let mut writer = Writer::open(&path, &options()).unwrap();
    let crawl = begin_crawl(&mut writer);
    let url = put_page(&mut writer, crawl, 77, "second");
    writer.commit().unwrap();
    let html = Reader::open(&path).unwrap().html(crawl, url).unwrap();
    assert_eq!(html, Some(crate::stage::html(77, "second")));
    assert_eq!(views_of(&path, 1), before);
}

#[test]
fn a_disk_that_fills_up_under_sqlite_is_told_apart() {
    let (_folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    put_crawl(&mut writer, 3, "first");
    let before = views_of(&path, 1);
    // SQLite answers a database that may not grow exactly as it does a disk that cannot take it.
    writer.batch("PRAGMA max_page_count = 1").unwrap();
    writer.begin().unwrap();
    let filled = (0..2_000).try_for_each(|n| writer.warn(1, n, "code", "subject", &"x".repeat(8_000)));
    let error = error_of(filled.and_then(|()| writer.commit()));
    assert!(error.is_disk_full(), "{error}");
    drop(writer);
    assert_eq!(views_of(&path, 1), before);
    put_crawl(&mut Writer::open(&path, &options()).unwrap(), 3, "second");
    assert_eq!(rows_of(&path, "v_pages"), 6);
}
