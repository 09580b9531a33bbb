//! Two crawls of a project beside each other: what changed, what broke, what works again, and whether fixes held.

use crate::dto::{Access, CrawlCard};
use crate::error::EngineError;
use crate::job::project_error;
use crate::project::Project;
use crate::seams::Engine;
use audit::Mapping;
use model::ChangeKind;
use report::Format;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use store::Value;

/// Which crawls are compared.
#[derive(Debug, Clone, Default)]
pub struct ChangesRequest {
    /// The earlier crawl; by default the finished one of the same kind before the later.
    pub from: Option<i64>,
    /// The later crawl; by default the latest that did not only look at findings again.
    pub to: Option<i64>,
    /// Rules `FROM=TO` by which URLs of the earlier crawl are found in the later.
    pub mapping: Vec<String>,
}

/// What differs between two crawls, counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeReport {
    pub earlier: CrawlCard,
    pub later: CrawlCard,
    /// The rules by which URLs were found again, as (from, to).
    pub mapping: Vec<(String, String)>,
    /// Every kind that there is a change of, in the order in which they are told.
    pub changes: Vec<ChangeCount>,
    /// What became of findings by the later crawl; only where the earlier is the one before it, and the site the same.
    pub lives: Option<LifeCounts>,
    /// Number of the comparison in the project file.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    comparison: i64,
}

/// How many changes there are of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeCount {
    /// The word in `v_changes`.
    pub change: String,
    /// In words, for people.
    pub title: String,
    /// It is good news, bad news, or neither.
    pub tone: ChangeTone,
    pub count: u64,
}

/// What a change means for the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ChangeTone {
    Good,
    Bad,
    Neutral,
}

/// Findings by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LifeCounts {
    /// Found now and not by the earlier crawl, though it looked for them.
    pub new: u64,
    pub fixed: u64,
    pub held: u64,
    pub regressed: u64,
    pub not_rechecked: u64,
}

impl Engine {
    /// Compares two crawls; what was compared before and is stored is read only.
    pub fn changes(&self, project: &Path, request: &ChangesRequest) -> Result<ChangeReport, EngineError> {
        let mapping = Mapping::parse(request.mapping.iter().map(String::as_str))
            .map_err(|error| EngineError::Usage(error.to_string()))?;
        let open = self.open(project, Access::Read)?;
        let (earlier, later) = open.pair(request)?;
        let stored = open.stored_comparison(earlier, later, &mapping)?;
        if let Some(comparison) = stored {
            return open.change_report((earlier, later), comparison, &mapping);
        }
        drop(open);
        let mut writing = self.open(project, Access::Write)?;
        let compared = audit::compare(writing.writer()?, earlier, later, &mapping, &mut || true);
        let compared = compared.map_err(|error| match error {
            audit::EvaluateError::Store(error) => project_error(project, error),
            other => EngineError::Internal(other.to_string()),
        })?;
        writing.change_report((earlier, later), compared.id, &mapping)
    }
}

impl Project {
    /// The two crawls that a request means, checked.
    fn pair(&self, request: &ChangesRequest) -> Result<(i64, i64), EngineError> {
        let later = match request.to {
            Some(later) => self.known(later)?,
            None => self.latest()?,
        };
        let earlier = match request.from {
            Some(earlier) => self.known(earlier)?,
            None => {
                let sql = "SELECT (SELECT max(b.id) FROM crawl b WHERE b.id < c.id AND b.state = 'finished' AND b.job = c.job) FROM crawl c WHERE c.id = ?1";
                let found = self.reader().one(sql, &[later.into()], |row| row.opt_int(0));
                found.map_err(|error| self.failed(error))?.flatten().ok_or_else(|| {
                    EngineError::Usage(format!(
                        "there is no finished crawl of the same kind before crawl {later} to compare it with; name one with --from"
                    ))
                })?
            }
        };
        if earlier == later {
            return Err(EngineError::Usage(format!("crawl {later} cannot be compared with itself")));
        }
        Ok((earlier, later))
    }

    fn stored_comparison(
        &self,
        earlier: i64,
        later: i64,
        mapping: &Mapping,
    ) -> Result<Option<i64>, EngineError> {
        let sql = "SELECT k.id FROM comparison k JOIN crawl a ON a.id = k.earlier JOIN crawl b ON b.id = k.later
                   WHERE k.earlier = ?1 AND k.later = ?2 AND k.mapping = ?3 AND a.state = 'finished' AND b.state = 'finished'";
        let cells = [earlier.into(), later.into(), Value::Text(mapping.json())];
        self.reader().one(sql, &cells, |row| row.int(0)).map_err(|error| self.failed(error))
    }

    fn change_report(
        &self,
        (earlier, later): (i64, i64),
        comparison: i64,
        mapping: &Mapping,
    ) -> Result<ChangeReport, EngineError> {
        let mut counts = BTreeMap::new();
        let sql = "SELECT kind, count(*) FROM change WHERE comparison = ?1 GROUP BY kind";
        let read = self.reader().rows(sql, &[comparison.into()], &mut |row| {
            if let Some(kind) = u8::try_from(row.int(0)).ok().and_then(ChangeKind::from_code) {
                counts.insert(kind, row.int(1) as u64);
            }
            true
        });
        read.map_err(|error| self.failed(error))?;
        let card = |crawl: i64, cards: &[CrawlCard]| {
            let card = cards.iter().find(|card| card.crawl == crawl).cloned();
            card.ok_or_else(|| EngineError::Usage(format!("there is no crawl {crawl}")))
        };
        let cards = self.crawls()?;
        Ok(ChangeReport {
            earlier: card(earlier, &cards)?,
            later: card(later, &cards)?,
            mapping: mapping.rules().iter().map(|rule| (rule.from.clone(), rule.to.clone())).collect(),
            changes: TOLD
                .iter()
                .filter_map(|(kind, title, tone)| {
                    let count = *counts.get(kind)?;
                    Some(ChangeCount {
                        change: kind.word().to_owned(),
                        title: (*title).to_owned(),
                        tone: *tone,
                        count,
                    })
                })
                .collect(),
            lives: self.lives(earlier, later, mapping)?,
            comparison,
        })
    }

    fn lives(&self, earlier: i64, later: i64, mapping: &Mapping) -> Result<Option<LifeCounts>, EngineError> {
        let previous = "SELECT max(id) FROM crawl WHERE id < ?1 AND state = 'finished'";
        let previous = self.reader().one(previous, &[later.into()], |row| row.opt_int(0));
        if previous.map_err(|error| self.failed(error))?.flatten() != Some(earlier) || !mapping.is_empty() {
            return Ok(None);
        }
        let mut lives = LifeCounts::default();
        let read = self.reader().rows(
            "SELECT life, count(*) FROM v_lives WHERE crawl = ?1 GROUP BY life",
            &[later.into()],
            &mut |row| {
                let count = row.int(1) as u64;
                match row.text(0) {
                    "fixed" => lives.fixed = count,
                    "held" => lives.held = count,
                    "regressed" => lives.regressed = count,
                    _ => lives.not_rechecked += count,
                }
                true
            },
        );
        read.map_err(|error| self.failed(error))?;
        // By URL, as lives are; only where the earlier crawl looked for the same by the same rule.
        let new = "SELECT count(*) FROM (SELECT DISTINCT f.audit, f.url FROM finding f JOIN audit n ON n.id = f.audit AND n.family NOT IN ('change', 'custom')
             JOIN evaluation e ON e.crawl = ?2 AND e.audit = f.audit JOIN evaluation o ON o.crawl = ?1 AND o.audit = f.audit AND o.version = e.version AND o.thresholds = e.thresholds
             WHERE f.crawl = ?2 AND NOT EXISTS (SELECT 1 FROM finding g WHERE g.crawl = ?1 AND g.audit = f.audit AND g.url = f.url))";
        let found = self.reader().one(new, &[earlier.into(), later.into()], |row| row.int(0) as u64);
        lives.new = found.map_err(|error| self.failed(error))?.unwrap_or_default();
        // What came back is told as that.
        lives.new = lives.new.saturating_sub(lives.regressed);
        Ok(Some(lives))
    }

    /// Streams every change of a comparison: change, url, before, after. Gives their number.
    pub fn write_changes(
        &self,
        report: &ChangeReport,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<u64, EngineError> {
        let sql = format!(
            "SELECT {} AS change, u.text AS url, c.before, c.after FROM change c JOIN url u ON u.id = c.url WHERE c.comparison = ?1 ORDER BY c.kind, u.text",
            ChangeKind::sql_case("c.kind")
        );
        self.write_rows(&sql, &[report.comparison.into()], format, out)
    }
}

use ChangeTone::{Bad, Good, Neutral};

/// The kinds of changes, what matters most first, in words.
const TOLD: &[(ChangeKind, &str, ChangeTone)] = &[
    (ChangeKind::Broke, "Broken now", Bad),
    (ChangeKind::Unconfirmed, "Failed, not confirmed yet", Bad),
    (ChangeKind::WorksAgain, "Work again", Good),
    (ChangeKind::Gone, "Gone: nothing leads there any more", Neutral),
    (ChangeKind::New, "New URLs", Neutral),
    (ChangeKind::NewlyBlocked, "Blocked by robots.txt now", Bad),
    (ChangeKind::NewlyAllowed, "No longer blocked by robots.txt", Neutral),
    (ChangeKind::RobotsTxt, "robots.txt changed", Neutral),
    (ChangeKind::Indexability, "Indexability changed", Neutral),
    (ChangeKind::Status, "Status changed", Neutral),
    (ChangeKind::RedirectTarget, "Redirect elsewhere", Neutral),
    (ChangeKind::Title, "Title changed", Neutral),
    (ChangeKind::Description, "Description changed", Neutral),
    (ChangeKind::H1, "h1 changed", Neutral),
    (ChangeKind::Canonical, "Canonical changed", Neutral),
    (ChangeKind::Directives, "Robots directives changed", Neutral),
    (ChangeKind::Content, "Main text changed", Neutral),
    (ChangeKind::WordCount, "Number of words changed", Neutral),
    (ChangeKind::StructuredTypes, "Structured data changed", Neutral),
    (ChangeKind::Inlinks, "Number of inlinks changed", Neutral),
    (ChangeKind::Depth, "Depth changed", Neutral),
    (ChangeKind::SecurityHeaderLost, "Security headers lost", Bad),
    (ChangeKind::SecurityHeaders, "Security headers changed", Neutral),
    (ChangeKind::SitemapAdded, "In a sitemap now", Neutral),
    (ChangeKind::SitemapDropped, "In no sitemap any more", Neutral),
    (ChangeKind::SitemapCount, "Sitemaps that list more or fewer URLs", Neutral),
    (ChangeKind::NotRechecked, "Not checked again", Neutral),
];

const _: () = assert!(TOLD.len() == ChangeKind::ALL.len());
