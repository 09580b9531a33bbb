//! One writer at a time.

use crate::stage::{error_of, files, options, place, put_crawl, rows_of};
use gossamer_store::{Reader, StoreError, Writer};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn check_held(path: &Path, by: &str) {
    match error_of(Writer::open(path, &options())) {
        StoreError::Held { path: named, holder } => {
            assert_eq!(named, path);
            // Windows keeps others from reading what is locked, so the holder cannot be named there.
            assert!(cfg!(windows) || holder.contains(by), "{holder}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_second_writer_is_told_who_holds_the_file() {
    let (folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    put_crawl(&mut writer, 1, "first");
    check_held(&path, &format!("store test, process {}", std::process::id()));
    assert_eq!(
        Reader::open(&path).unwrap().columns("SELECT 1 AS one").unwrap(),
        ["one"],
        "readers are welcome"
    );
    put_crawl(&mut writer, 1, "second");
    drop(writer);
    assert_eq!(files(folder.path()), ["site.gossamer"], "nothing is left beside it");
    drop(Writer::open(&path, &options()).unwrap());
    assert_eq!(rows_of(&path, "crawl"), 2);
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_share_one_lock() {
    let (folder, path) = place();
    let writer = Writer::open(&path, &options()).unwrap();
    let other = folder.path().join("other.gossamer");
    std::os::unix::fs::symlink(&path, &other).unwrap();
    check_held(&other, "store test");
    drop(writer);
    drop(Writer::open(&other, &options()).unwrap());
}

#[test]
fn writers_in_a_hurry_never_hold_the_file_together() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (_folder, path) = place();
    drop(Writer::open(&path, &options()).unwrap());
    let (inside, opened) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..60 {
                    match Writer::open(&path, &options()) {
                        Ok(writer) => {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two writers at once");
                            opened.fetch_add(1, Ordering::SeqCst);
                            inside.fetch_sub(1, Ordering::SeqCst);
                            drop(writer);
                        }
                        Err(StoreError::Held { .. }) => std::thread::yield_now(),
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
    });
    assert!(opened.into_inner() > 0);
}

/// Names the project that the child process is to hold.
const HOLD: &str = "GOSSAMER_STORE_TEST_HOLD";

/// Not a test of its own: what the child process of the next one runs.
#[test]
fn child_holds_until_it_is_killed() {
    let Some(path) = std::env::var_os(HOLD) else { return };
    let mut writer = Writer::open(Path::new(&path), &options()).unwrap();
    put_crawl(&mut writer, 2, "committed");
    writer.begin().unwrap();
    crate::stage::put_page(&mut writer, 1, 99, "never committed");
    std::fs::write(Path::new(&path).with_extension("ready"), "").unwrap();
    std::thread::sleep(Duration::from_secs(60));
    panic!("nobody killed it");
}

#[test]
fn a_killed_holder_lets_go_and_loses_only_what_was_not_committed() {
    let (_folder, path) = place();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "lock::child_holds_until_it_is_killed"])
        .env(HOLD, &path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..3_000 {
        if path.with_extension("ready").exists() || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    check_held(&path, &format!("process {}", child.id()));
    child.kill().unwrap();
    child.wait().unwrap();
    let mut writer = Writer::open(&path, &options()).unwrap();
    assert_eq!(rows_of(&path, "v_pages"), 2);
    assert_eq!(put_crawl(&mut writer, 3, "later"), 2);
    assert_eq!(rows_of(&path, "v_pages"), 5);
}
