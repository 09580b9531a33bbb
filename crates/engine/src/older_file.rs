//! Project files of an older version, as the use-cases meet them.

use crate::Engine;
use crate::dto::Access;
use std::path::{Path, PathBuf};
use store::Writer;

const VERSION_1: &str = include_str!("../../store/tests/data/schema-v1.sql");

/// A project file of version 1 with one finished crawl in it.
fn older(folder: &Path) -> PathBuf {
    let path = folder.join("site.gossamer");
    let mut writer = Writer::open(&path, &Engine::system().store_options()).unwrap();
    let mut drops = Vec::new();
    let sql = "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite_%' ORDER BY type DESC";
    writer
        .rows(sql, &[], &mut |row| {
            drops.push(format!("DROP {} {};", row.text(0), row.text(1)));
            Ok(())
        })
        .unwrap();
    writer.batch(&drops.concat()).unwrap();
    writer.batch(VERSION_1).unwrap();
    writer
        .batch(
            "INSERT INTO meta VALUES('hash_seed', 7);
             INSERT INTO crawl(job, start_url, started, finished, state, profile, program, audited_bot, respect_nofollow)
               VALUES('audit', 'http://own.example/', 0, 9, 'finished', 'version = 1', 'gossamer 0.1', 'Googlebot', 0);
             INSERT INTO host VALUES(1, 'http://own.example', 'own.example');
             INSERT INTO host_traffic VALUES(1, 1, 7, 700, 0, 0, NULL);
             INSERT INTO robots VALUES(1, 1, 'ok', 200, NULL, 1, NULL, 0, NULL, 0, CAST('User-agent: *' AS BLOB));
             CREATE VIEW v_crawls AS SELECT id AS crawl, job, start_url, '' AS started, '' AS finished, state, encountered, fetched, failed, blocked, excluded,
               over_limit, not_followed, queued FROM crawl;",
        )
        .unwrap();
    drop(writer);
    path
}

fn copies(folder: &Path) -> usize {
    let named = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.unwrap().file_name().to_string_lossy().contains("-version-1")
    };
    std::fs::read_dir(folder).unwrap().map(named).filter(|copy| *copy).count()
}

#[test]
fn a_glance_leaves_an_older_file_as_it_is_and_opening_it_brings_it_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = older(folder.path());
    let engine = Engine::system();
    assert_eq!(engine.glance(&path).unwrap().crawls().unwrap().len(), 1);
    assert_eq!(copies(folder.path()), 0);
    // For reading, too: what is asked of it is not in a file of version 1.
    assert_eq!(engine.open(&path, Access::Read).unwrap().crawls().unwrap().len(), 1);
    assert_eq!(copies(folder.path()), 1);
    let insight = engine.insight(&path).unwrap();
    assert_eq!(insight.network(1).unwrap().requests, 7);
    assert_eq!(insight.robots_hosts(1).unwrap().hosts[0].redirects, 1);
    assert_eq!(insight.sitemap_tree(1).unwrap().files, 0);
    assert_eq!(copies(folder.path()), 1);
}

#[test]
fn an_older_file_that_somebody_writes_to_is_named_with_its_holder() {
    let folder = tempfile::tempdir().unwrap();
    let path = older(folder.path());
    // Whoever writes to it: its lock is held, and its version is set back behind the holder's back.
    let mut holder = Writer::open(&path, &Engine::system().store_options()).unwrap();
    holder.batch("PRAGMA user_version = 1").unwrap();
    let refused = Engine::system().open(&path, Access::Read).map(drop).unwrap_err().to_string();
    assert!(
        refused.contains("older version of Gossamer") && refused.contains("another gossamer"),
        "{refused}"
    );
}
