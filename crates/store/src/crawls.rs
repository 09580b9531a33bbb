//! Crawls as wholes: beginning, ending, deleting, keeping the last few, and giving the space back.

use crate::error::StoreError;
use crate::writer::Writer;
use crate::{key_range, schema};
use model::{LinkKind, Plan};
use rusqlite::OptionalExtension;

/// What a new crawl is registered with.
#[derive(Debug, Clone, Copy)]
pub struct CrawlStart<'a> {
    pub job: &'a str,
    /// Unix milliseconds.
    pub started: i64,
    /// The profile in TOML, so that the crawl can be resumed and repeated.
    pub profile: &'a str,
    pub program: &'a str,
    pub plan: &'a Plan,
}

/// `crawl.job` of a crawl that looks again at some URLs of another one: what it has not is no news of the site.
pub const RECHECK: &str = "recheck";

/// What compacting gave back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// Bytes of the file before and after.
    pub before: u64,
    pub after: u64,
}

impl Writer {
    /// Registers a crawl and gives its id.
    pub fn add_crawl(&mut self, start: &CrawlStart) -> Result<i64, StoreError> {
        let plan = start.plan;
        let first = plan.seeds.first().map_or("", |seed| seed.as_str());
        self.connection.execute(
            "INSERT INTO crawl(job, start_url, started, state, profile, program, audited_bot, respect_nofollow) VALUES(?1, ?2, ?3, 'running', ?4, ?5, ?6, ?7)",
            (start.job, first, start.started, start.profile, start.program, &plan.agent.audited_bot, plan.links.respect_nofollow),
        )?;
        let crawl = self.connection.last_insert_rowid();
        for seed in &plan.seeds {
            self.connection
                .execute("INSERT OR IGNORE INTO seed(crawl, url) VALUES(?1, ?2)", (crawl, seed.as_str()))?;
        }
        for kind in LinkKind::ALL {
            for internal in [false, true] {
                self.connection.execute(
                    "INSERT INTO link_rule(crawl, kind, internal, treatment) VALUES(?1, ?2, ?3, ?4)",
                    (crawl, kind.code(), internal, plan.links.treatment(*kind, internal).code()),
                )?;
            }
        }
        Ok(crawl)
    }

    /// Sets a crawl's state (`running`, `analysing`, `finished`, `interrupted`, `failed`) with its reason and end.
    pub fn set_crawl(
        &mut self,
        crawl: i64,
        state: &str,
        reason: Option<&str>,
        finished: Option<i64>,
    ) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("UPDATE crawl SET state = ?2, reason = ?3, finished = ?4 WHERE id = ?1")?
            .execute((crawl, state, reason, finished))?;
        Ok(())
    }

    /// Stores the counts of a crawl, in the order of `UrlState::ALL`; encountered is their sum.
    pub fn set_counts(&mut self, crawl: i64, counts: &[u64; 7]) -> Result<(), StoreError> {
        let n = counts.map(|n| n as i64);
        self.connection
            .prepare_cached(
                "UPDATE crawl SET queued = ?2, fetched = ?3, failed = ?4, blocked = ?5, excluded = ?6, over_limit = ?7, not_followed = ?8, encountered = ?9 WHERE id = ?1",
            )?
            .execute((crawl, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n.iter().sum::<i64>()))?;
        Ok(())
    }

    /// Stored profile and seeds of a crawl.
    pub fn crawl_profile(&self, crawl: i64) -> Result<(String, Vec<String>), StoreError> {
        let profile = self
            .connection
            .query_row("SELECT profile FROM crawl WHERE id = ?1", [crawl], |r| r.get(0))
            .optional()?
            .ok_or(StoreError::NoCrawl(crawl))?;
        let mut statement = self.connection.prepare("SELECT url FROM seed WHERE crawl = ?1")?;
        let seeds = statement.query_map([crawl], |r| r.get(0))?.collect::<Result<_, _>>()?;
        Ok((profile, seeds))
    }

    /// Crawls that are not finished, oldest first.
    pub fn unfinished_crawls(&self) -> Result<Vec<i64>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT id FROM crawl WHERE state NOT IN ('finished', 'failed') ORDER BY id")?;
        Ok(statement.query_map([], |r| r.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Removes a crawl and what only it used. The file keeps its size until `compact`.
    pub fn delete_crawl(&mut self, crawl: i64) -> Result<(), StoreError> {
        self.begin()?;
        let deleted = self.delete_in_transaction(crawl);
        match deleted {
            Ok(()) => self.commit(),
            Err(error) => {
                self.rollback();
                Err(error)
            }
        }
    }

    fn delete_in_transaction(&mut self, crawl: i64) -> Result<(), StoreError> {
        if self.connection.execute("DELETE FROM crawl WHERE id = ?1", [crawl])? == 0 {
            return Err(StoreError::NoCrawl(crawl));
        }
        let (first, last) = key_range(crawl);
        for table in [
            "visit",
            "answer",
            "page",
            "metric",
            "chain",
            "page_weight",
            "agent_check",
            "attempt",
            "problem",
            "confirmation",
            "validator",
            "custom_value",
            "near_duplicate",
            "thin_page",
            "title_outlier",
        ] {
            self.connection
                .execute(&format!("DELETE FROM {table} WHERE key BETWEEN ?1 AND ?2"), (first, last))?;
        }
        for table in ["sitemap_entry", "sitemap_hreflang", "sitemap_problem"] {
            self.connection.execute(
                &format!("DELETE FROM {table} WHERE sitemap IN (SELECT id FROM sitemap WHERE crawl = ?1)"),
                [crawl],
            )?;
        }
        for table in [
            "seed",
            "link_rule",
            "robots",
            "host_traffic",
            "sitemap",
            "warning",
            "evaluation",
            "finding",
            "probe",
            "trap",
            "ignored_finding",
            "recheck",
            "recheck_url",
            "recheck_finding",
            "custom_evidence",
            "custom_fault",
            "life",
        ] {
            self.connection.execute(&format!("DELETE FROM {table} WHERE crawl = ?1"), [crawl])?;
        }
        self.connection.execute(
            "DELETE FROM change WHERE comparison IN (SELECT id FROM comparison WHERE ?1 IN (earlier, later))",
            [crawl],
        )?;
        self.connection.execute("DELETE FROM comparison WHERE ?1 IN (earlier, later)", [crawl])?;
        // What was addressed by content goes when no crawl shows it any more.
        self.delete_unused_lists()?;
        self.connection.execute_batch(
            "DELETE FROM document WHERE id NOT IN (SELECT document FROM page)
               AND id NOT IN (SELECT document FROM probe WHERE document IS NOT NULL);
             DELETE FROM flaw WHERE document NOT IN (SELECT id FROM document);
             DELETE FROM entity WHERE id >> 10 NOT IN (SELECT id FROM document);
             DELETE FROM main_text WHERE document NOT IN (SELECT id FROM document);
             DELETE FROM fragment WHERE document NOT IN (SELECT id FROM document);
             DELETE FROM html WHERE id NOT IN (SELECT html FROM document WHERE html IS NOT NULL);",
        )?;
        Ok(())
    }

    /// A list is a range of links, so the links of others are not looked at.
    fn delete_unused_lists(&self) -> Result<(), StoreError> {
        let unused: Vec<i64> = {
            let mut statement = self.connection.prepare(
                "SELECT id FROM link_list WHERE id NOT IN (SELECT list FROM answer WHERE list IS NOT NULL)",
            )?;
            statement.query_map([], |r| r.get(0))?.collect::<Result<_, _>>()?
        };
        let mut links = self.connection.prepare("DELETE FROM link WHERE id BETWEEN ?1 AND ?2")?;
        let mut sizes = self.connection.prepare("DELETE FROM image_size WHERE link BETWEEN ?1 AND ?2")?;
        let mut list = self.connection.prepare("DELETE FROM link_list WHERE id = ?1")?;
        for id in unused {
            let range = (id << schema::ORDINAL_BITS, (id << schema::ORDINAL_BITS) | schema::MAX_LINKS as i64);
            links.execute(range)?;
            sizes.execute(range)?;
            list.execute([id])?;
        }
        Ok(())
    }

    /// Deletes all crawls but the newest `keep`; gives the ids deleted. A crawl that only looked again at some URLs is not
    /// counted: it stays while it is newer than the oldest that stays.
    pub fn keep_last(&mut self, keep: usize) -> Result<Vec<i64>, StoreError> {
        let ids: Vec<(i64, bool)> = {
            let mut statement = self.connection.prepare("SELECT id, job = ?1 FROM crawl ORDER BY id DESC")?;
            statement.query_map([RECHECK], |r| Ok((r.get(0)?, r.get(1)?)))?.collect::<Result<_, _>>()?
        };
        let mut whole = 0;
        let mut deleted = Vec::new();
        for (id, is_recheck) in ids {
            if whole >= keep {
                deleted.push(id);
            }
            whole += usize::from(!is_recheck);
        }
        for crawl in &deleted {
            self.delete_crawl(*crawl)?;
        }
        Ok(deleted)
    }

    /// Drops URLs, texts and shapes nothing refers to and rewrites the file without its holes. Numbers of URLs that stay do
    /// not change.
    pub fn compact(&mut self) -> Result<Compaction, StoreError> {
        let size = |writer: &Self| -> Result<u64, StoreError> {
            let pages: i64 = writer.connection.query_row("PRAGMA page_count", [], |r| r.get(0))?;
            let page: i64 = writer.connection.query_row("PRAGMA page_size", [], |r| r.get(0))?;
            Ok((pages * page) as u64)
        };
        let before = size(self)?;
        self.begin()?;
        let swept = self.connection.execute_batch(
            "CREATE TEMP TABLE used(id INTEGER PRIMARY KEY);
             INSERT OR IGNORE INTO used SELECT href >> 2 FROM link WHERE href > 3;
             INSERT OR IGNORE INTO used SELECT anchor FROM link WHERE anchor IS NOT NULL;
             INSERT OR IGNORE INTO used SELECT reason FROM visit WHERE reason IS NOT NULL;
             INSERT OR IGNORE INTO used SELECT content_type FROM answer WHERE content_type IS NOT NULL;
             INSERT OR IGNORE INTO used SELECT version FROM answer WHERE version IS NOT NULL;
             INSERT OR IGNORE INTO used SELECT remote FROM answer WHERE remote IS NOT NULL;
             INSERT OR IGNORE INTO used SELECT element FROM flaw WHERE element IS NOT NULL;
             INSERT OR IGNORE INTO used SELECT element FROM entity WHERE element IS NOT NULL;
             DELETE FROM string WHERE id NOT IN (SELECT id FROM used);
             DROP TABLE used;
             DELETE FROM link_shape WHERE id NOT IN (SELECT shape FROM link);
             CREATE TEMP TABLE named(id INTEGER PRIMARY KEY);
             INSERT OR IGNORE INTO named SELECT key & 4294967295 FROM visit;
             INSERT OR IGNORE INTO named SELECT key & 4294967295 FROM attempt;
             INSERT OR IGNORE INTO named SELECT source FROM visit WHERE source IS NOT NULL;
             INSERT OR IGNORE INTO named SELECT redirect FROM answer WHERE redirect IS NOT NULL;
             INSERT OR IGNORE INTO named SELECT final FROM chain;
             INSERT OR IGNORE INTO named SELECT canonical_url FROM document WHERE canonical_url IS NOT NULL;
             INSERT OR IGNORE INTO named SELECT target FROM link WHERE target IS NOT NULL;
             INSERT OR IGNORE INTO named SELECT url FROM sitemap_entry WHERE url IS NOT NULL;
             INSERT OR IGNORE INTO named SELECT url FROM finding;
             INSERT OR IGNORE INTO named SELECT url FROM recheck_finding;
             INSERT OR IGNORE INTO named SELECT target FROM recheck_finding WHERE target IS NOT NULL;
             INSERT OR IGNORE INTO named SELECT url FROM recheck_url;
             INSERT OR IGNORE INTO named SELECT url FROM change;
             INSERT OR IGNORE INTO named SELECT url FROM life;
             DELETE FROM url WHERE id NOT IN (SELECT id FROM named);
             DELETE FROM segment_url WHERE url NOT IN (SELECT id FROM url);
             DROP TABLE named;",
        );
        if let Err(error) = swept {
            self.rollback();
            return Err(error.into());
        }
        self.commit()?;
        self.strings.forget(&self.connection)?;
        self.shapes.clear();
        self.interner = crate::writer::load_interner(&self.connection)?;
        self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?;
        Ok(Compaction { before, after: size(self)? })
    }
}
