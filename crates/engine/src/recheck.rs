//! Looking again at some findings: their URLs are asked, and nothing else of the site.
//!
//! It is a small crawl of the project with the settings and the policy of the one that it looks back at: robots.txt first, the
//! same pace, and credentials asked for again. What it did not ask says nothing, so it is never the crawl that others are
//! compared with.

use crate::dto::{AuditReport, CrawlChoice, Event};
use crate::error::EngineError;
use crate::insight::Insight;
use crate::job::{Course, project_error};
use crate::logins::{self, Admission};
use crate::seams::{Engine, PROGRAM};
use audit::{Judged, judgement};
use crawl::{Control, Wanted};
use model::plan::SitemapPlan;
use model::{Address, Credential, Plan, Purpose};
use serde::Serialize;
use std::path::PathBuf;
use store::{CrawlStart, RECHECK, StoreError, Value, Writer};

/// Findings that are to be looked at again: those of these audits, on these URLs. One of both at least is named.
#[derive(Debug, Clone, Default)]
pub struct RecheckRequest {
    pub project: PathBuf,
    /// Ids; empty for every audit.
    pub audits: Vec<String>,
    /// As typed; empty for every URL. They are asked whether or not there is a finding.
    pub urls: Vec<String>,
    /// Whose findings; the latest crawl of the site, unless another is named.
    pub crawl: CrawlChoice,
    pub credentials: Vec<Credential>,
}

/// What looking again came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecheckReport {
    /// Of the small crawl.
    pub crawl: i64,
    /// The crawl whose findings these are.
    pub base: i64,
    /// It came to its end; else findings are still waiting.
    pub complete: bool,
    /// URLs that were asked.
    pub asked: u64,
    pub fixed: u64,
    pub still_there: u64,
    pub not_rechecked: u64,
    pub waiting: u64,
    /// Not fixed first; 1,000 at most.
    pub findings: Vec<RecheckLine>,
}

/// One finding that was looked at again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecheckLine {
    pub audit: String,
    pub title: String,
    pub url: String,
    /// Where in the markup, and where the link leads; null where it is about the page.
    pub element: Option<String>,
    pub target: Option<String>,
    /// `fixed`, `still_there`, `not_rechecked` or `waiting`.
    pub result: String,
    /// Why it was not re-checked, or what the URL is now.
    pub why: Option<String>,
}

/// Findings listed.
const LISTED: i64 = 1_000;
/// URLs that are named where they are unknown.
const NAMED: usize = 10;
/// Redirects that are followed through what the base holds; more than any crawl follows.
const HOPS: i64 = 30;

impl Engine {
    /// Looks again at findings, to the end, until `control` stops it, or until it cannot go on. It can be resumed as any crawl.
    pub fn recheck(
        &self,
        request: &RecheckRequest,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<(AuditReport, RecheckReport), EngineError> {
        let admission = Admission::Given(request.credentials.clone());
        let report = self.recheck_as(request, &admission, control, observe)?;
        let told = self.insight(&request.project)?.recheck(report.crawl)?;
        Ok((report, told))
    }

    pub(crate) fn recheck_as(
        &self,
        request: &RecheckRequest,
        admission: &Admission,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        if request.audits.is_empty() && request.urls.is_empty() {
            return Err(EngineError::Usage(
                "what shall be looked at again? Name audits or URLs; the whole site is what an audit is for"
                    .to_owned(),
            ));
        }
        let audits = request
            .audits
            .iter()
            .map(|said| Ok(crate::explain::explain(said)?.id))
            .collect::<Result<Vec<String>, EngineError>>()?;
        let project = self.open(&request.project, crate::dto::Access::Read)?;
        let base = match request.crawl {
            CrawlChoice::Number(crawl) => project.known(crawl)?,
            CrawlChoice::Latest | CrawlChoice::All => project.latest()?,
        };
        let card = project.crawls()?.into_iter().find(|card| card.crawl == base);
        drop(project);
        if card.as_ref().is_none_or(|card| card.state != "finished" || card.job == RECHECK) {
            return Err(EngineError::CannotStart(format!(
                "crawl {base} is no crawl of a site that came to its end; its findings cannot be looked at again"
            )));
        }
        let mut writer = self.writer(&request.project)?;
        let failed = |error| project_error(&request.project, error);
        let urls = known_urls(&mut writer, base, &request.urls, observe)?;
        let (mut plan, remembered) = self.plan_of(&mut writer, &request.project, base, admission)?;
        restrict(&mut plan);
        crate::said::overlay(&mut writer, &mut plan)?;
        let moment = model::clock::unix_millis(self.clock().wall());
        writer.begin().map_err(failed)?;
        let begun = begin(&mut writer, base, &plan, moment, &audits, &urls);
        let crawl = match begun {
            Ok(Begun::Crawl(crawl)) => crawl,
            Ok(Begun::Nothing(why)) => {
                writer.rollback();
                return Err(EngineError::CannotStart(why));
            }
            Err(error) => {
                writer.rollback();
                return Err(failed(error));
            }
        };
        logins::remember(&mut writer, crawl, moment, &plan.secrets).map_err(failed)?;
        let signed_out = if matches!(admission, Admission::SignedOut) {
            logins::leave_out(&mut writer, crawl, moment, &remembered).map_err(failed)?
        } else {
            Vec::new()
        };
        writer.commit().map_err(failed)?;
        let only = wanted(&mut writer, crawl).map_err(failed)?;
        let course = Course {
            engine: self,
            project: &request.project,
            plan: &plan,
            crawl,
            fallbacks: Vec::new(),
            skipped: Vec::new(),
            signed_out,
            only,
            resumed: false,
            control,
            observe,
        };
        course.run(&mut writer)
    }
}

/// Nothing but the URLs that are wanted: no link is followed or checked, no sitemap is read and nothing is tried.
pub(crate) fn restrict(plan: &mut Plan) {
    plan.links.kinds.clear();
    plan.sitemaps = SitemapPlan::default();
    plan.extras.probes = false;
    plan.limits = model::plan::Limits::default();
}

/// The URLs that a crawl of this kind asks.
pub(crate) fn wanted(writer: &mut Writer, crawl: i64) -> Result<Vec<Wanted>, StoreError> {
    let mut wanted = Vec::new();
    let sql = "SELECT u.text, r.purpose, r.internal FROM recheck_url r JOIN url u ON u.id = r.url WHERE r.crawl = ?1 ORDER BY r.url";
    writer.rows(sql, &[crawl.into()], &mut |row| {
        let purpose = u8::try_from(row.int(1)).ok().and_then(Purpose::from_code).unwrap_or(Purpose::Check);
        wanted.push(Wanted { url: row.text(0).to_owned(), purpose, internal: row.int(2) != 0 });
        Ok(())
    })?;
    Ok(wanted)
}

/// The crawl that a crawl of this kind looks back at.
pub(crate) fn base_of(writer: &mut Writer, crawl: i64) -> Result<Option<i64>, StoreError> {
    let mut base = None;
    let sql = "SELECT base FROM recheck WHERE crawl = ?1";
    writer.rows(sql, &[crawl.into()], &mut |row| {
        base = row.opt_int(0);
        Ok(())
    })?;
    Ok(base)
}

/// The numbers of URLs that the base met. Others are named, and refused where all are unknown.
fn known_urls(
    writer: &mut Writer,
    base: i64,
    typed: &[String],
    observe: &(dyn Fn(Event) + Send + Sync),
) -> Result<Vec<i64>, EngineError> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for typed in typed.iter().map(|typed| typed.trim()).filter(|typed| !typed.is_empty()) {
        let text = Address::parse(typed).map_or_else(|_| typed.to_owned(), |address| address.to_string());
        let number = writer.find_url(writer.seed().url(&text));
        let mut is_met = false;
        if let Some(url) = number {
            writer
                .rows("SELECT 1 FROM visit WHERE key = ?1", &[store::key(base, url).into()], &mut |_| {
                    is_met = true;
                    Ok(())
                })
                .map_err(|error| EngineError::Internal(error.to_string()))?;
        }
        match number {
            Some(url) if is_met => known.push(i64::from(url)),
            _ => unknown.push(text),
        }
    }
    if !unknown.is_empty() {
        let more = match unknown.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message =
            format!("not in crawl {base}: {}{more}", unknown[..unknown.len().min(NAMED)].join(", "));
        if known.is_empty() {
            return Err(EngineError::Usage(message));
        }
        observe(Event::Warning { code: "not-in-crawl".to_owned(), message });
    }
    Ok(known)
}

enum Begun {
    Crawl(i64),
    /// Why there is nothing to ask.
    Nothing(String),
}

/// Registers the crawl with the findings that it is about and the URLs that tell of them. Within a transaction.
fn begin(
    writer: &mut Writer,
    base: i64,
    plan: &Plan,
    started: i64,
    audits: &[String],
    urls: &[i64],
) -> Result<Begun, StoreError> {
    let start = CrawlStart { job: RECHECK, started, profile: &plan.said, program: PROGRAM, plan };
    let crawl = writer.add_crawl(&start)?;
    let list = |items: Vec<String>| Value::Text(format!("[{}]", items.join(",")));
    let of_audits = list(audits.iter().map(|id| format!("\"{id}\"")).collect());
    let of_urls = list(urls.iter().map(i64::to_string).collect());
    writer.run("INSERT INTO recheck(crawl, base) VALUES(?1, ?2)", &[crawl.into(), base.into()])?;
    // What is ignored is not asked for.
    writer.run(
        &format!(
            "INSERT OR IGNORE INTO recheck_finding(crawl, audit, url, ref, element, target, result)
             SELECT ?1, n.name, f.url, f.ref, coalesce(s.element, e.value), l.target, 'waiting' FROM finding f JOIN audit n ON n.id = f.audit
             LEFT JOIN link l ON l.id = nullif(max(f.ref, 0), 0) LEFT JOIN link_shape s ON s.id = l.shape
             LEFT JOIN page p ON p.key = (f.crawl << 32) | f.url LEFT JOIN flaw w ON f.ref < 0 AND w.document = p.document AND w.n = -f.ref - 1
             LEFT JOIN string e ON e.id = w.element
             WHERE f.crawl = ?2 AND (?3 = '[]' OR n.name IN (SELECT value FROM json_each(?3))) AND (?4 = '[]' OR f.url IN (SELECT value FROM json_each(?4)))
               AND {}",
            audit::not_ignored_sql("f")
        ),
        &[crawl.into(), base.into(), of_audits, of_urls.clone()],
    )?;
    let judged = |wanted: &dyn Fn(Judged) -> bool| {
        let known = audit::catalogue().iter().filter(|audit| wanted(judgement(audit)));
        list(known.map(|audit| format!("\"{}\"", audit.id)).collect())
    };
    let named = "SELECT value FROM json_each(?3)";
    let of = "FROM recheck_finding WHERE crawl = ?1 AND audit IN (SELECT value FROM json_each(?3))";
    for (urls, hops, given) in [
        (format!("SELECT url {of}"), 0, judged(&|judged| judged != Judged::Site)),
        (format!("SELECT url {of}"), HOPS, judged(&|judged| judged == Judged::Chain)),
        (
            format!("SELECT target {of} AND target IS NOT NULL"),
            HOPS,
            judged(&|judged| judged == Judged::Target),
        ),
        (named.to_owned(), 0, of_urls),
    ] {
        // What the base did not ask is not asked now either; what it checked is checked, what it read is read.
        writer.run(
            &format!(
                "WITH RECURSIVE walk(url, hop) AS (SELECT begun.*, 0 FROM ({urls}) AS begun UNION SELECT a.redirect, hop + 1 FROM walk CROSS JOIN answer a ON a.key = (?2 << 32) | walk.url
                   WHERE hop < ?4 AND a.redirect IS NOT NULL)
                 INSERT OR IGNORE INTO recheck_url(crawl, url, purpose, internal)
                 SELECT DISTINCT ?1, walk.url, max(v.purpose, 1), v.internal FROM walk CROSS JOIN visit v ON v.key = (?2 << 32) | walk.url
                 WHERE v.state IN (1, 2, 3)"
            ),
            &[crawl.into(), base.into(), given, hops.into()],
        )?;
    }
    let mut counts = (0, 0);
    writer.rows(
        "SELECT (SELECT count(*) FROM recheck_finding WHERE crawl = ?1), (SELECT count(*) FROM recheck_url WHERE crawl = ?1)",
        &[crawl.into()],
        &mut |row| {
            counts = (row.int(0), row.int(1));
            Ok(())
        },
    )?;
    Ok(match counts {
        (_, 1..) => Begun::Crawl(crawl),
        (1.., _) => Begun::Nothing(
            "none of these findings can be judged from single URLs: their rules look at the site as a whole, so only a new \
             audit tells"
                .to_owned(),
        ),
        _ => Begun::Nothing(format!("crawl {base} has no such finding that counts")),
    })
}

impl Insight {
    /// What a crawl that looked again at findings came to.
    pub fn recheck(&self, crawl: i64) -> Result<RecheckReport, EngineError> {
        self.known(crawl)?;
        let report = self.read(|reader| {
            let head = reader.one(
                "SELECT k.base, c.state, (SELECT count(*) FROM recheck_url r WHERE r.crawl = k.crawl) FROM recheck k JOIN crawl c ON c.id = k.crawl
                 WHERE k.crawl = ?1",
                &[crawl.into()],
                |row| (row.int(0), row.text(1) == "finished", row.int(2) as u64),
            )?;
            let Some((base, complete, asked)) = head else { return Ok(None) };
            let mut report = RecheckReport {
                crawl,
                base,
                complete,
                asked,
                fixed: 0,
                still_there: 0,
                not_rechecked: 0,
                waiting: 0,
                findings: Vec::new(),
            };
            reader.rows(
                "SELECT result, count(*) FROM recheck_finding WHERE crawl = ?1 GROUP BY result",
                &[crawl.into()],
                &mut |row| {
                    let count = row.int(1) as u64;
                    match row.text(0) {
                        "fixed" => report.fixed = count,
                        "still_there" => report.still_there = count,
                        "not_rechecked" => report.not_rechecked = count,
                        _ => report.waiting = count,
                    }
                    true
                },
            )?;
            reader.rows(
                "SELECT audit, url, element, target, result, why FROM v_rechecks WHERE crawl = ?1
                 ORDER BY CASE result WHEN 'still_there' THEN 0 WHEN 'not_rechecked' THEN 1 WHEN 'waiting' THEN 2 ELSE 3 END, audit, url LIMIT ?2",
                &[crawl.into(), LISTED.into()],
                &mut |row| {
                    let audit = row.text(0);
                    report.findings.push(RecheckLine {
                        audit: audit.to_owned(),
                        title: audit::find(audit).map_or(audit, |audit| audit.title).to_owned(),
                        url: row.text(1).to_owned(),
                        element: row.opt_text(2).map(str::to_owned),
                        target: row.opt_text(3).map(str::to_owned),
                        result: row.text(4).to_owned(),
                        why: row.opt_text(5).map(str::to_owned),
                    });
                    true
                },
            )?;
            Ok(Some(report))
        })?;
        report.ok_or_else(|| EngineError::Usage(format!("crawl {crawl} did not look again at findings")))
    }
}
