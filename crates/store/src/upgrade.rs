//! Bringing a file of an older version up to this one: a copy first, then every step in one transaction.

use crate::error::StoreError;
use crate::lock::beside;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// The way from one version of the schema to the next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// The version that it begins from; it ends at the next.
    pub from: i32,
    /// Statements, several allowed. Views are made anew afterwards and need no statement.
    pub sql: &'static str,
}

/// Every step since the first released version, in order. A change of `schema::TABLES` raises `schema::VERSION` and adds
/// one here; the dumps in `tests/data` hold both to each other.
pub(crate) const STEPS: &[Step] =
    &[Step { from: 1, sql: TO_2 }, Step { from: 2, sql: TO_3 }, Step { from: 3, sql: TO_4 }];

/// Version 2: probes, confirmations and traps; what every host did and its certificate; problems of sitemaps with their places;
/// the redirects of a robots.txt.
///
/// A column is added where SQLite adds it, behind the last one, so that the file equals one made anew.
const TO_2: &str = "
ALTER TABLE answer ADD COLUMN content_hash INTEGER;
ALTER TABLE attempt ADD COLUMN purpose INTEGER NOT NULL DEFAULT 0;
CREATE TABLE confirmation(key INTEGER PRIMARY KEY, done INTEGER NOT NULL);
CREATE TABLE probe(crawl INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, method INTEGER, started INTEGER,
  total_ms INTEGER, status INTEGER, failure INTEGER, content_type TEXT, bytes INTEGER, redirect TEXT, detail TEXT, document INTEGER,
  PRIMARY KEY(crawl, kind, subject)) WITHOUT ROWID;
CREATE TABLE trap(crawl INTEGER NOT NULL, pattern TEXT NOT NULL, kind TEXT NOT NULL, why TEXT NOT NULL, examples TEXT NOT NULL,
  kept INTEGER NOT NULL, allowed INTEGER NOT NULL, PRIMARY KEY(crawl, pattern)) WITHOUT ROWID;
ALTER TABLE robots ADD COLUMN chain TEXT;
ALTER TABLE host_traffic ADD COLUMN internal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host_traffic ADD COLUMN total_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host_traffic ADD COLUMN paused_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host_traffic ADD COLUMN remote TEXT;
ALTER TABLE host_traffic ADD COLUMN version TEXT;
ALTER TABLE host_traffic ADD COLUMN certificate_from INTEGER;
ALTER TABLE host_traffic ADD COLUMN certificate_issuer TEXT;
ALTER TABLE host_traffic ADD COLUMN certificate_subject TEXT;
ALTER TABLE host_traffic ADD COLUMN certificate_names TEXT;
ALTER TABLE host_traffic ADD COLUMN certificate_fault TEXT;
CREATE TEMP TABLE own AS SELECT DISTINCT key >> 32 AS crawl, host FROM visit WHERE internal;
UPDATE host_traffic SET internal = 1 WHERE (crawl, host) IN (SELECT crawl, host FROM temp.own);
DROP TABLE temp.own;
ALTER TABLE sitemap ADD COLUMN gzip INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sitemap ADD COLUMN truncated INTEGER NOT NULL DEFAULT 0;
CREATE TABLE sitemap_problem(sitemap INTEGER NOT NULL, n INTEGER NOT NULL, code TEXT NOT NULL, line INTEGER NOT NULL, column INTEGER NOT NULL,
  detail TEXT NOT NULL, PRIMARY KEY(sitemap, n)) WITHOUT ROWID;
";

/// Version 3: flaws of the markup; what answers are known by, where that is no text. Files made on the way to this version may
/// hold the latter already.
const TO_3: &str = "
CREATE TABLE IF NOT EXISTS validator(key INTEGER PRIMARY KEY, etag BLOB, last_modified BLOB);
CREATE TABLE flaw(document INTEGER NOT NULL, n INTEGER NOT NULL, kind INTEGER NOT NULL, line INTEGER NOT NULL, element INTEGER,
  detail TEXT NOT NULL, PRIMARY KEY(document, n)) WITHOUT ROWID;
";

/// Version 4: what is derived from texts and links, and what a person says about findings.
const TO_4: &str = "
CREATE TABLE agent_check(key INTEGER PRIMARY KEY, status INTEGER, failure INTEGER, redirect TEXT, indexability INTEGER, started INTEGER NOT NULL,
  total_ms INTEGER NOT NULL);
CREATE TABLE page_weight(key INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, files INTEGER NOT NULL, largest INTEGER NOT NULL, largest_bytes INTEGER NOT NULL);
CREATE TABLE ignored(id INTEGER PRIMARY KEY AUTOINCREMENT, audit TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT, target TEXT, reason TEXT NOT NULL,
  made INTEGER NOT NULL, until TEXT);
CREATE INDEX ignored_audit ON ignored(audit) WHERE kind = 'audit';
CREATE TABLE ignored_finding(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL, ref INTEGER NOT NULL, ignored INTEGER NOT NULL,
  PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID;
CREATE TABLE audit_override(audit TEXT PRIMARY KEY, severity TEXT NOT NULL, priority TEXT, made INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE threshold(setting TEXT PRIMARY KEY, value TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE recheck(crawl INTEGER PRIMARY KEY, base INTEGER NOT NULL);
CREATE TABLE recheck_url(crawl INTEGER NOT NULL, url INTEGER NOT NULL, purpose INTEGER NOT NULL, internal INTEGER NOT NULL, PRIMARY KEY(crawl, url)) WITHOUT ROWID;
CREATE TABLE recheck_finding(crawl INTEGER NOT NULL, audit TEXT NOT NULL, url INTEGER NOT NULL, ref INTEGER NOT NULL, element TEXT, target INTEGER,
  result TEXT NOT NULL, why TEXT, PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID;
CREATE TABLE segment(n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, patterns TEXT NOT NULL);
CREATE TABLE segment_set(id INTEGER PRIMARY KEY, names TEXT NOT NULL);
CREATE TABLE segment_url(url INTEGER PRIMARY KEY, segments INTEGER NOT NULL);
CREATE TABLE custom_field(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, rule TEXT NOT NULL, kind TEXT NOT NULL);
CREATE TABLE custom_value(key INTEGER NOT NULL, field INTEGER NOT NULL, n INTEGER NOT NULL, value, PRIMARY KEY(key, field, n)) WITHOUT ROWID;
CREATE TABLE custom_audit(name TEXT PRIMARY KEY, title TEXT NOT NULL, severity TEXT NOT NULL, priority TEXT NOT NULL, sql TEXT NOT NULL,
  why TEXT NOT NULL, fix TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE custom_evidence(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL, ref INTEGER NOT NULL, evidence TEXT NOT NULL,
  PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID;
CREATE TABLE custom_fault(crawl INTEGER NOT NULL, name TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY(crawl, name)) WITHOUT ROWID;
CREATE TABLE comparison(id INTEGER PRIMARY KEY, earlier INTEGER NOT NULL, later INTEGER NOT NULL, mapping TEXT NOT NULL,
  UNIQUE(later, mapping, earlier));
CREATE TABLE change(comparison INTEGER NOT NULL, kind INTEGER NOT NULL, url INTEGER NOT NULL, before TEXT, after TEXT,
  PRIMARY KEY(comparison, kind, url)) WITHOUT ROWID;
CREATE TABLE life(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL, state INTEGER NOT NULL, absent INTEGER NOT NULL,
  judged INTEGER NOT NULL, PRIMARY KEY(crawl, audit, url)) WITHOUT ROWID;
CREATE TABLE entity(id INTEGER PRIMARY KEY, syntax INTEGER NOT NULL, types TEXT NOT NULL, line INTEGER NOT NULL, element INTEGER,
  problems INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE main_text(document INTEGER PRIMARY KEY, hash INTEGER NOT NULL, shingles INTEGER NOT NULL, signature BLOB, language TEXT, ease INTEGER,
  words INTEGER, sentences INTEGER);
CREATE TABLE fragment(document INTEGER PRIMARY KEY, hashes BLOB NOT NULL);
CREATE TABLE near_duplicate(key INTEGER PRIMARY KEY, cluster INTEGER NOT NULL, pages INTEGER NOT NULL, other INTEGER NOT NULL, similarity INTEGER NOT NULL,
  estimated INTEGER NOT NULL);
CREATE INDEX near_duplicate_cluster ON near_duplicate(cluster, key);
CREATE TABLE thin_page(key INTEGER PRIMARY KEY, section TEXT NOT NULL, pages INTEGER NOT NULL, median INTEGER NOT NULL, z REAL NOT NULL);
CREATE TABLE title_outlier(key INTEGER PRIMARY KEY, pattern TEXT NOT NULL, pages INTEGER NOT NULL, share INTEGER NOT NULL);
";

/// Upgrades the file from version `found` to `wanted`. Gives the path of the copy made before.
///
/// On an error the file is as it was; the copy is kept where it was complete.
pub(crate) fn run(
    path: &Path,
    connection: &Connection,
    steps: &[Step],
    found: i32,
    wanted: i32,
) -> Result<PathBuf, StoreError> {
    let way: Vec<&Step> =
        (found..wanted).filter_map(|version| steps.iter().find(|step| step.from == version)).collect();
    if way.len() != usize::try_from(wanted - found).unwrap_or_default() {
        let why = format!("it says it has version {found}, from which no way leads to version {wanted}");
        return Err(StoreError::Corrupt { path: path.to_owned(), why });
    }
    let copy = back_up(path, connection, found)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    if let Err(error) = apply(connection, &way, wanted) {
        // The error that led here is the one to tell; a rollback that fails is made up for by the next opening.
        let _ = connection.execute_batch("ROLLBACK");
        return Err(error);
    }
    tracing::info!(from = found, to = wanted, copy = %copy.display(), "project file upgraded");
    Ok(copy)
}

fn apply(connection: &Connection, way: &[&Step], wanted: i32) -> Result<(), StoreError> {
    // The views of the older version may read what a step changes.
    for view in views(connection)? {
        connection.execute_batch(&format!("DROP VIEW \"{}\"", view.replace('"', "\"\"")))?;
    }
    for step in way {
        connection.execute_batch(step.sql)?;
    }
    connection.pragma_update(None, "user_version", wanted)?;
    connection.execute_batch("COMMIT")?;
    Ok(())
}

/// The views that this program made, that is: those with the documented prefix. A person's own stay.
fn views(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement =
        connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'v_*'")?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// A complete copy beside the file, under a name that nothing has: `x.gossamer-version-1`, `x.gossamer-version-1-2`, …
fn back_up(path: &Path, connection: &Connection, version: i32) -> Result<PathBuf, StoreError> {
    let mut copy = beside(path, &format!("-version-{version}"));
    let mut number = 2;
    while copy.exists() {
        copy = beside(path, &format!("-version-{version}-{number}"));
        number += 1;
    }
    // A name of its own until it is whole, so that a copy that can be seen is one that can be relied upon.
    let unfinished = beside(path, "-copying");
    let _ = std::fs::remove_file(&unfinished);
    let copied = connection
        .execute("VACUUM INTO ?1", [unfinished.to_string_lossy()])
        .map_err(StoreError::from)
        .and_then(|_| Ok(std::fs::rename(&unfinished, &copy)?));
    match copied {
        Ok(()) => Ok(copy),
        Err(error) => {
            let _ = std::fs::remove_file(&unfinished);
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::{NoFaults, Options, for_writing_from};
    use crate::schema::VERSION;
    use std::sync::Arc;

    const OLDER: i32 = VERSION - 1;

    fn options() -> Options {
        Options { program: "test".to_owned(), views: Vec::new(), faults: Arc::new(NoFaults) }
    }

    /// A file that says it is of the version before this one, with something in it and an older view.
    fn older_file(folder: &Path) -> PathBuf {
        let path = folder.join("site.gossamer");
        let connection = for_writing_from(&path, &options(), STEPS).unwrap();
        connection.execute_batch("INSERT INTO string(value) VALUES('kept'); DROP VIEW v_hosts; CREATE VIEW v_hosts AS SELECT 1 AS old").unwrap();
        connection.execute_batch("CREATE VIEW mine AS SELECT value FROM string").unwrap();
        connection.pragma_update(None, "user_version", OLDER).unwrap();
        path
    }

    fn one<T: rusqlite::types::FromSql>(connection: &Connection, sql: &str) -> rusqlite::Result<T> {
        connection.query_row(sql, [], |row| row.get(0))
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn an_older_file_is_copied_and_then_upgraded() {
        let folder = tempfile::tempdir().unwrap();
        let path = older_file(folder.path());
        let steps = [Step {
            from: OLDER,
            sql: "ALTER TABLE string ADD COLUMN tongue TEXT; UPDATE string SET tongue = 'en'",
        }];
        for _ in 0..2 {
            // The second opening finds nothing to do.
            let connection = for_writing_from(&path, &options(), &steps).unwrap();
            assert_eq!(one::<i32>(&connection, "PRAGMA user_version").unwrap(), VERSION);
            assert_eq!(one::<String>(&connection, "SELECT value || tongue FROM string").unwrap(), "kepten");
            assert_eq!(one::<i64>(&connection, "SELECT count(requests) FROM v_hosts").unwrap(), 0);
            assert_eq!(
                one::<String>(&connection, "SELECT value FROM mine").unwrap(),
                "kept",
                "a person's own view"
            );
        }
        let copy = format!("site.gossamer-version-{OLDER}");
        assert_eq!(files(folder.path()), ["site.gossamer", &copy]);
        let copy = Connection::open(folder.path().join(copy)).unwrap();
        assert_eq!(one::<i32>(&copy, "PRAGMA user_version").unwrap(), OLDER);
        assert_eq!(one::<i32>(&copy, "PRAGMA application_id").unwrap(), crate::schema::APPLICATION_ID);
        assert_eq!(one::<String>(&copy, "SELECT value FROM string").unwrap(), "kept");
        assert!(one::<String>(&copy, "SELECT tongue FROM string").is_err(), "the copy was made before");
    }

    #[test]
    fn a_step_that_fails_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = older_file(folder.path());
        let steps =
            [Step { from: OLDER, sql: "DELETE FROM string; ALTER TABLE nothing ADD COLUMN tongue TEXT" }];
        for _ in 0..2 {
            for_writing_from(&path, &options(), &steps).unwrap_err();
            let connection = Connection::open(&path).unwrap();
            assert_eq!(one::<i32>(&connection, "PRAGMA user_version").unwrap(), OLDER);
            assert_eq!(one::<String>(&connection, "SELECT value FROM string").unwrap(), "kept");
            assert_eq!(one::<i64>(&connection, "SELECT old FROM v_hosts").unwrap(), 1);
        }
        // Every attempt keeps its copy: none is ever written over.
        let copies = [format!("site.gossamer-version-{OLDER}"), format!("site.gossamer-version-{OLDER}-2")];
        assert_eq!(files(folder.path()), ["site.gossamer", &copies[0], &copies[1]]);
    }

    #[test]
    fn a_version_from_which_no_way_leads_here_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = older_file(folder.path());
        let before = std::fs::read(&path).unwrap();
        let error = for_writing_from(&path, &options(), &[]).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(files(folder.path()), ["site.gossamer"]);
    }

    #[test]
    fn steps_lead_from_every_released_version_to_this_one() {
        let from: Vec<i32> = STEPS.iter().map(|step| step.from).collect();
        assert_eq!(from, (1..VERSION).collect::<Vec<_>>());
    }
}
