//! What is opened, and what is refused and left as it was.

use crate::stage::{count, error_of, files, options, place, put_crawl, rows_of};
use gossamer_store::{Reader, StoreError, Writer, schema};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

fn project(path: &Path) {
    let mut writer = Writer::open(path, &options()).unwrap();
    put_crawl(&mut writer, 30, "first");
    writer.settle().unwrap();
}

/// Both ways of opening refuse the file; its folder is then byte for byte what it was.
fn check_refused(path: &Path, expect: impl Fn(&StoreError) -> bool) {
    let folder = path.parent().unwrap();
    let bytes = |folder: &Path| -> Vec<(String, Vec<u8>)> {
        // The index of a log is scratch memory that SQLite writes anew at every opening.
        let kept = files(folder).into_iter().filter(|name| !name.ends_with("-shm"));
        kept.map(|name| (name.clone(), std::fs::read(folder.join(name)).unwrap())).collect()
    };
    let before = bytes(folder);
    for error in [error_of(Writer::open(path, &options())), error_of(Reader::open(path))] {
        assert!(expect(&error), "{error:?}");
        assert!(error.to_string().contains(&path.display().to_string()), "it names the file: {error}");
    }
    assert!(bytes(folder) == before, "something changed: {:?}", files(folder));
}

fn foreign(error: &StoreError) -> bool {
    matches!(error, StoreError::Foreign(_))
}

#[test]
fn files_of_others_are_refused() {
    for bytes in [
        &b"x"[..],
        b"%PDF-1.7 something else, and more than a hundred bytes of it",
        &[0; 200],
        b"SQLite format 3\0",
    ] {
        let (_folder, path) = place();
        std::fs::write(&path, bytes).unwrap();
        check_refused(&path, foreign);
    }
    let (folder, path) = place();
    std::fs::create_dir(&path).unwrap();
    let error = error_of(Reader::open(&path));
    assert!(foreign(&error), "{error}");
    assert_eq!(files(folder.path()), ["site.gossamer"]);
}

#[test]
fn databases_of_others_are_refused_with_their_log() {
    for application in [0, 0x1234_5678] {
        let (_folder, path) = place();
        let other = Connection::open(&path).unwrap();
        other.pragma_update(None, "application_id", application).unwrap();
        other.pragma_update(None, "journal_mode", "wal").unwrap();
        other.execute_batch("CREATE TABLE t(x); INSERT INTO t VALUES(1)").unwrap();
        check_refused(&path, foreign);
        assert_eq!(other.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    }
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_is() {
    let (_folder, path) = place();
    project(&path);
    let newer = Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", schema::VERSION + 1).unwrap();
    let expect = |error: &StoreError| matches!(error, StoreError::Newer { found, known, .. } if *found == schema::VERSION + 1 && *known == schema::VERSION);
    // While the new version stands only in the log, and once it is in the file.
    check_refused(&path, expect);
    newer.close().unwrap();
    check_refused(&path, expect);
}

#[test]
fn a_file_that_lost_its_end_is_damaged() {
    let (_folder, path) = place();
    project(&path);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    check_refused(&path, |error| matches!(error, StoreError::Corrupt { .. }));
}

#[test]
fn a_damaged_page_is_told_when_it_is_read() {
    let (_folder, path) = place();
    project(&path);
    let mut bytes = std::fs::read(&path).unwrap();
    // Everything behind the schema.
    let schema_end = bytes.len() / 3;
    bytes[schema_end..].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let damaged = |error: &StoreError| matches!(error, StoreError::Damaged(_) | StoreError::Corrupt { .. });
    let read = Reader::open(&path).and_then(|reader| {
        reader.rows("SELECT * FROM v_pages", &[], &mut |_| true)?;
        reader.rows("SELECT * FROM v_links", &[], &mut |_| true)
    });
    let error = error_of(read);
    assert!(damaged(&error), "{error:?}");
    let written = Writer::open(&path, &options()).and_then(|mut writer| {
        let all = "SELECT count(*) FROM url UNION ALL SELECT count(*) FROM html UNION ALL SELECT count(*) FROM document";
        writer.rows(all, &[], &mut |_| Ok(()))?;
        writer.rows("PRAGMA integrity_check", &[], &mut |_| Ok(()))
    });
    if let Err(error) = written {
        assert!(damaged(&error), "{error:?}");
    }
    assert!(std::fs::read(&path).unwrap() == bytes, "reading changes nothing");
}

#[test]
fn a_stored_page_that_lies_about_itself_is_damaged() {
    let (_folder, path) = place();
    project(&path);
    let url = count(&path, "SELECT id FROM url WHERE text LIKE '%/page/3'") as u32;
    for change in [
        "size = -1",
        "size = 1 << 60",
        "size = 3",
        "data = substr(data, 1, 20)",
        "data = x'00ff'",
        "data = x''",
    ] {
        let connection = Connection::open(&path).unwrap();
        let html = format!(
            "(SELECT d.html FROM page p JOIN document d ON d.id = p.document WHERE p.key & 4294967295 = {url})"
        );
        connection
            .execute_batch(&format!("BEGIN; UPDATE html SET {change} WHERE id = {html}; COMMIT"))
            .unwrap();
        connection.close().unwrap();
        let error = error_of(Reader::open(&path).unwrap().html(1, url));
        assert!(matches!(error, StoreError::Damaged(_)), "{change}: {error:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_missing_to_a_reader_and_made_by_a_writer() {
    let (folder, path) = place();
    assert!(matches!(error_of(Reader::open(&path)), StoreError::Missing(missing) if missing == path));
    assert!(files(folder.path()).is_empty());
    let nowhere = folder.path().join("nowhere").join("site.gossamer");
    assert!(matches!(error_of(Writer::open(&nowhere, &options())), StoreError::ReadOnly { .. }));
    assert!(files(folder.path()).is_empty());
    drop(Writer::open(&path, &options()).unwrap());
    assert_eq!(files(folder.path()), ["site.gossamer"]);
    assert_eq!(count(&path, "PRAGMA application_id"), i64::from(schema::APPLICATION_ID));
    assert_eq!(count(&path, "PRAGMA user_version"), i64::from(schema::VERSION));
    // An empty file, as a save dialog leaves one, is as good as none.
    std::fs::write(&path, "").unwrap();
    drop(Writer::open(&path, &options()).unwrap());
    assert_eq!(rows_of(&path, "crawl"), 0);
}

#[test]
fn what_an_earlier_program_left_behind_is_not_taken_for_the_new_files() {
    let (folder, path) = place();
    let mut writer = Writer::open(&path, &options()).unwrap();
    put_crawl(&mut writer, 2, "first");
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", path.display()));
    let log = std::fs::read(beside("-wal")).unwrap();
    drop(writer);
    std::fs::remove_file(&path).unwrap();
    // The log of a removed project, an unfinished new one, and a lock that nobody holds.
    std::fs::write(beside("-wal"), log).unwrap();
    std::fs::write(beside("-new"), "half").unwrap();
    std::fs::write(beside("-new-journal"), "half").unwrap();
    std::fs::write(beside("-lock"), "somebody, process 1").unwrap();
    let writer = Writer::open(&path, &options()).unwrap();
    assert_eq!(rows_of(&path, "crawl"), 0);
    drop(writer);
    assert_eq!(files(folder.path()), ["site.gossamer"]);
}

#[test]
fn odd_names_of_files_work() {
    for name in ["a b?c#d%20.gossamer", "ä 日本.gossamer", "-x.gossamer", "file:x.gossamer"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        project(&path);
        assert_eq!(rows_of(&path, "v_pages"), 30, "{name}");
        assert_eq!(files(folder.path()), [name]);
    }
}

#[cfg(unix)]
mod write_protected {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    /// Names the folder that the child process looks at.
    const LOOK: &str = "GOSSAMER_STORE_TEST_LOOK";

    /// The user `nobody` of most systems: write protection means nothing to root.
    const NOBODY: u32 = 65_534;

    /// Not a test of its own: what the child process of the next one runs.
    #[test]
    fn child_looks_at_protected_files() {
        let Some(folder) = std::env::var_os(LOOK) else { return };
        let folder = Path::new(&folder);
        let refused = |path: &Path| {
            let error = error_of(Writer::open(path, &options()));
            assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
        };
        let file = folder.join("open").join("protected.gossamer");
        refused(&file);
        assert_eq!(rows_of(&file, "v_pages"), 30, "a protected file can be read");
        let quiet = folder.join("closed").join("a?b.gossamer");
        refused(&quiet);
        assert_eq!(rows_of(&quiet, "v_pages"), 30, "in a protected folder it is read as it stands");
        assert_eq!(Reader::open(&quiet).unwrap().html(1, 1).unwrap(), Some(crate::stage::html(0, "first")));
        let busy = folder.join("closed").join("busy.gossamer");
        let error = error_of(Reader::open(&busy));
        assert!(
            matches!(&error, StoreError::ReadOnly { why, .. } if why.contains("log")),
            "its last changes would be missing: {error:?}"
        );
        std::fs::File::open(folder.join("secret.gossamer")).unwrap_err();
        assert!(matches!(
            error_of(Reader::open(&folder.join("secret.gossamer"))),
            StoreError::ReadOnly { .. }
        ));
    }

    #[test]
    fn protected_files_and_folders_are_read_and_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let [open, closed] = ["open", "closed"].map(|name| folder.path().join(name));
        for inner in [&open, &closed] {
            std::fs::create_dir(inner).unwrap();
        }
        let paths = [
            open.join("protected.gossamer"),
            closed.join("a?b.gossamer"),
            folder.path().join("secret.gossamer"),
            closed.join("busy.gossamer"),
        ];
        for path in &paths {
            project(path);
        }
        // A project whose writer is still there, copied with its log but without the log's index.
        let mut writer = Writer::open(&paths[3], &options()).unwrap();
        put_crawl(&mut writer, 1, "second");
        let log = std::fs::read(closed.join("busy.gossamer-wal")).unwrap();
        drop(writer);
        std::fs::write(closed.join("busy.gossamer-wal"), log).unwrap();

        let allow = |path: &Path, mode: u32| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap()
        };
        for path in &paths {
            allow(path, 0o444);
        }
        allow(&closed.join("busy.gossamer-wal"), 0o444);
        allow(&paths[2], 0o000);
        allow(folder.path(), 0o755);
        allow(&open, 0o777);
        allow(&closed, 0o555);
        let before: Vec<_> = paths.iter().map(|path| std::fs::read(path).ok()).collect();
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "opening::write_protected::child_looks_at_protected_files"])
            .env(LOOK, folder.path());
        let root = std::fs::write(closed.join("probe"), "").is_ok();
        if root {
            std::fs::remove_file(closed.join("probe")).unwrap();
            child.uid(NOBODY);
        }
        match child.output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
            Err(error) => eprintln!("skipped: the test cannot be run by a user who is not root ({error})"),
        }
        let after: Vec<_> = paths.iter().map(|path| std::fs::read(path).ok()).collect();
        assert!(before == after, "a protected file changed");
        assert_eq!(files(&closed), ["a?b.gossamer", "busy.gossamer", "busy.gossamer-wal"]);
        allow(&closed, 0o755);
    }
}
