//! Sitemaps in the course of a crawl: which are asked for, and what becomes of their entries.

use crate::course::Course;
use crate::frontier::NO_DEPTH;
use crate::messages::ToNetwork;
use crate::sitemap_reading::{Batch, SitemapRecord};
use crate::sitemaps::{Named, Open, SitemapJob};
use model::address::without_userinfo;
use model::policy::SitemapSources;
use model::{Address, FoundBy};
use parse::{SitemapKind, SitemapProblem};
use std::collections::HashMap;
use store::{StoreError, Value};

impl Course<'_, '_> {
    /// Asks for the sitemaps that the robots.txt of an origin of the site names; where it names none, for those at the usual
    /// places, if the policy says so. These are asked of the start's own origins only: http and https, or `www.` and apex,
    /// lead to the same files.
    pub(crate) fn robots_sitemaps(&mut self, origin: &str, lines: Vec<String>) -> Result<(), StoreError> {
        if !self.crawl.plan.sitemaps.from_robots || self.crawl.plan.mode == model::plan::Mode::List {
            return Ok(());
        }
        if lines.is_empty()
            && let SitemapSources::RobotsElse(paths) = self.crawl.plan.policy.sitemaps
            && self.is_start(origin)
        {
            for path in paths {
                self.ask_sitemap(SitemapJob::root(format!("{origin}{path}")))?;
            }
        }
        for url in lines {
            self.ask_sitemap(SitemapJob::root(url))?;
        }
        Ok(())
    }

    /// Whether the crawl starts at this origin, or at one that stands in for a start that cannot be reached.
    fn is_start(&self, origin: &str) -> bool {
        let fallbacks = self.crawl.fallbacks.iter().map(|(_, http)| http);
        self.crawl.plan.seeds.iter().chain(fallbacks).any(|seed| seed.origin() == origin)
    }

    pub(crate) fn ask_sitemap(&mut self, job: SitemapJob) -> Result<Named, StoreError> {
        let named = self.sitemaps.add(job);
        self.ask_next_sitemap()?;
        Ok(named)
    }

    fn ask_next_sitemap(&mut self) -> Result<(), StoreError> {
        while let Some(mut job) = self.sitemaps.next() {
            let Ok(address) = Address::parse(&job.url) else { continue };
            if job.row == 0 {
                job.row = self.insert_sitemap(&job)?;
            }
            let origin = address.without_credentials().0.origin();
            let host = self.writer.host(&origin)?;
            let internal = self.frontier.is_internal(host, &origin);
            let batches = self.sitemaps.begin(job.clone());
            self.network.send(ToNetwork::Sitemap { job, origin, host, internal, batches });
        }
        Ok(())
    }

    /// Its row has neither status nor error until all of it has arrived.
    fn insert_sitemap(&mut self, job: &SitemapJob) -> Result<i64, StoreError> {
        let mut id = 0;
        self.writer.rows(
            "INSERT INTO sitemap(crawl, url, parent, kind, entries, bytes) VALUES(?1, ?2, ?3, 'unknown', 0, 0) RETURNING id",
            &[
                self.crawl.id.into(),
                without_userinfo(&job.url, "").as_ref().into(),
                job.parent.map_or(Value::Null, Value::Int),
            ],
            &mut |row| {
                id = row.int(0);
                Ok(())
            },
        )?;
        Ok(id)
    }

    /// Takes the entries that wait: pages are admitted, sitemaps of an index asked for.
    pub(crate) fn apply_sitemap_entries(&mut self, row: i64) -> Result<(), StoreError> {
        let Some(open) = self.sitemaps.open(row) else { return Ok(()) };
        let Ok(batch) = open.batches.try_recv() else { return Ok(()) };
        let job = open.job.clone();
        self.uncommitted += batch.entries.len() / ENTRIES_A_RECORD;
        self.put_entries(&job, &batch)
    }

    fn put_entries(&mut self, job: &SitemapJob, batch: &Batch) -> Result<(), StoreError> {
        for (n, entry) in (batch.first..).zip(&batch.entries) {
            let n = i64::try_from(n).unwrap_or(i64::MAX);
            let mut url = Value::Null;
            match &entry.url {
                Some(text) if batch.kind == SitemapKind::Index => self.name_sitemap(job, text)?,
                Some(text) => {
                    let taken = self.rewriting.apply(text, Some(&entry.raw));
                    let text = taken.as_deref().unwrap_or(text);
                    let (met, _) = self.admit_listed(text, FoundBy::Sitemap, NO_DEPTH)?;
                    url = Value::Int(i64::from(met));
                }
                None => {}
            }
            self.writer.run(
                "INSERT OR REPLACE INTO sitemap_entry(sitemap, n, url, raw, lastmod) VALUES(?1, ?2, ?3, ?4, ?5)",
                &[
                    job.row.into(),
                    n.into(),
                    url,
                    entry.raw.as_str().into(),
                    entry.lastmod.as_deref().map_or(Value::Null, Value::from),
                ],
            )?;
            for alternate in &entry.alternates {
                self.writer.run(
                    "INSERT OR IGNORE INTO sitemap_hreflang(sitemap, n, code, href) VALUES(?1, ?2, ?3, ?4)",
                    &[job.row.into(), n.into(), (&*alternate.hreflang).into(), (&*alternate.href).into()],
                )?;
            }
        }
        Ok(())
    }

    /// An index names a sitemap.
    fn name_sitemap(&mut self, index: &SitemapJob, url: &str) -> Result<(), StoreError> {
        let named = self.ask_sitemap(index.child(url))?;
        if named.problem().is_some()
            && let Some(open) = self.sitemaps.open(index.row)
        {
            open.refused.entry(named).or_insert_with(|| (0, url.to_owned())).0 += 1;
        }
        Ok(())
    }

    /// All of a sitemap has arrived.
    pub(crate) fn apply_sitemap(&mut self, record: SitemapRecord) -> Result<(), StoreError> {
        let Some(open) = self.sitemaps.end(record.row) else { return Ok(()) };
        let mut problems = problems_of(&record, &open);
        if let Some(target) = &record.redirect {
            problems.insert(0, problem(REDIRECT, target.clone()));
            problems.extend(self.follow_sitemap(&open.job, target.clone())?);
        }
        let integer = |number: u64| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let report = &record.report;
        self.writer.run(
            "UPDATE sitemap SET status = ?2, kind = ?3, entries = ?4, bytes = ?5, gzip = ?6, truncated = ?7, error = ?8 WHERE id = ?1",
            &[
                record.row.into(),
                record.status.map_or(Value::Null, |status| Value::Int(i64::from(status))),
                word(report.kind).into(),
                integer(report.entries),
                integer(report.decoded_bytes),
                i64::from(report.gzip_layers).into(),
                i64::from(report.truncated || record.truncated).into(),
                record.error.map_or(Value::Null, Value::Text),
            ],
        )?;
        for (n, problem) in problems.iter().enumerate() {
            let place = (problem.line, problem.column);
            self.writer.put_sitemap_problem(record.row, n, problem.code, place, &problem.detail)?;
        }
        self.ask_next_sitemap()
    }

    /// A redirect that leads to another origin is a sitemap of its own, asked for by that origin's rules. Gives what is
    /// wrong with it.
    fn follow_sitemap(
        &mut self,
        from: &SitemapJob,
        target: String,
    ) -> Result<Option<SitemapProblem>, StoreError> {
        let most = self.crawl.plan.fetch.redirects;
        if from.hops >= most {
            return Ok(Some(problem("too-many-redirects", format!("more than {most}"))));
        }
        let named = self.ask_sitemap(from.redirected(target))?;
        Ok((named == Named::Cycle).then(|| problem("redirect-loop", "the redirect leads back")))
    }

    /// Takes up what an earlier run left: what it read is not asked for again, what it was reading begins anew.
    pub(crate) fn restore_sitemaps(&mut self) -> Result<(), StoreError> {
        let crawl = self.crawl.id;
        let mut stored: Vec<(SitemapJob, Stored)> = Vec::new();
        let mut level_of: HashMap<i64, u8> = HashMap::new();
        let sql = "SELECT s.id, s.url, s.parent, s.kind, p.detail, s.status IS NULL AND s.error IS NULL FROM sitemap s
                   LEFT JOIN sitemap_problem p ON p.sitemap = s.id AND p.n = 0 AND p.code = ?2 WHERE s.crawl = ?1 ORDER BY s.id";
        self.writer.rows(sql, &[crawl.into(), REDIRECT.into()], &mut |row| {
            let parent = row.opt_int(2);
            let level = parent.and_then(|parent| level_of.get(&parent).copied()).unwrap_or(0);
            let is_index = row.text(3) == "index";
            level_of.insert(row.int(0), level.saturating_add(u8::from(is_index)));
            let state = match row.opt_text(4) {
                _ if row.int(5) != 0 => Stored::Unfinished,
                Some(target) => Stored::Redirect(target.to_owned()),
                None => Stored::Read,
            };
            stored.push((
                SitemapJob { url: row.text(1).to_owned(), parent, level, hops: 0, row: row.int(0) },
                state,
            ));
            Ok(())
        })?;
        for (job, _) in &stored {
            self.sitemaps.is_stored(job);
        }
        for (job, state) in &stored {
            match state {
                Stored::Read => {}
                Stored::Redirect(target) => {
                    self.ask_sitemap(job.redirected(target.clone()))?;
                }
                Stored::Unfinished => {
                    for table in ["sitemap_entry", "sitemap_hreflang"] {
                        self.writer
                            .run(&format!("DELETE FROM {table} WHERE sitemap = ?1"), &[job.row.into()])?;
                    }
                    self.sitemaps.again(job.clone());
                }
            }
        }
        let sql = "SELECT e.raw, s.id FROM sitemap s JOIN sitemap_entry e ON e.sitemap = s.id WHERE s.crawl = ?1 AND s.kind = 'index'";
        let mut children = Vec::new();
        self.writer.rows(sql, &[crawl.into()], &mut |row| {
            if children.len() < MOST_CHILDREN {
                children.push((row.text(0).to_owned(), row.int(1)));
            }
            Ok(())
        })?;
        let indexes: HashMap<i64, &SitemapJob> = stored.iter().map(|(job, _)| (job.row, job)).collect();
        for (url, index) in children {
            if let Some(index) = indexes.get(&index) {
                self.ask_sitemap(index.child(&url))?;
            }
        }
        self.ask_next_sitemap()
    }
}

/// Entries of a sitemap that cost a transaction about as much as the record of a page.
const ENTRIES_A_RECORD: usize = 25;
/// Sitemaps that an earlier run met, as far as they are looked at: more than a crawl reads.
const MOST_CHILDREN: usize = 100_000;
/// The code of a problem that names where a sitemap redirects to.
const REDIRECT: &str = "redirect";

/// What an earlier run left of a sitemap.
enum Stored {
    Read,
    Redirect(String),
    Unfinished,
}

const fn word(kind: SitemapKind) -> &'static str {
    match kind {
        SitemapKind::UrlSet => "urlset",
        SitemapKind::Index => "index",
        SitemapKind::Text => "text",
        SitemapKind::Rss => "rss",
        SitemapKind::Atom => "atom",
        SitemapKind::Unknown => "unknown",
    }
}

fn problems_of(record: &SitemapRecord, open: &Open) -> Vec<SitemapProblem> {
    let of_index = (record.report.kind == SitemapKind::Index && open.job.level > 0)
        .then(|| problem("index-nested", format!("an index below {} others", open.job.level)));
    let of_names = open.refused.iter().filter_map(|(named, (count, first))| {
        let (code, meaning) = named.problem()?;
        let first = without_userinfo(first, "…@");
        Some(match count {
            1 => problem(code, format!("{first} {meaning}")),
            _ => problem(code, format!("{first} {meaning}, and so do {} others", count - 1)),
        })
    });
    let of_bytes = record.report.problems.iter().cloned();
    record.damage.iter().cloned().chain(of_bytes).chain(of_index).chain(of_names).collect()
}

/// One without a place.
pub(crate) fn problem(code: &'static str, detail: impl Into<Box<str>>) -> SitemapProblem {
    SitemapProblem { code, detail: detail.into(), line: 0, column: 0 }
}
