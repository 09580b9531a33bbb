//! Evaluation: a crawl's findings, during it and after it.
//!
//! What is judged after the crawl covers everything and replaces what was judged during it, so the findings are the same
//! whichever way the crawl went. They depend on facts only, never on the order in which URLs were fetched.

use crate::alternates;
use crate::audit::{Audit, Rule, Scope};
use crate::catalogue::catalogue;
use crate::chains;
use crate::compile;
use crate::findings::{self, Chosen, Findings};
use crate::history;
use crate::hosts;
use crate::ignored;
use crate::limits::Limits;
use crate::links::{self, LinkPass};
use crate::robots_file::RobotsFile;
use crate::rows::{Reach, RowScan};
use crate::sitemap_entries;
use crate::sql_functions;
use crate::texts;
use std::collections::HashSet;
use store::{StoreError, Value, Writer, key_range};
use thiserror::Error;

/// Why there are no findings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The findings of the crawl are then empty, and so are its evaluations.
    #[error("the evaluation was cancelled")]
    Cancelled,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where an evaluation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Redirect chains.
    Chains,
    /// Link counts and rules about links: URLs gone through, of how many.
    Links { done: u64, of: u64 },
    /// Link scores: rounds made, of how many at most.
    Scores { round: u32, of: u32 },
    /// Texts compared: steps made, of how many in this part of the work.
    Texts { done: u64, of: u64 },
    /// Rules about URLs and pages: URLs gone through, of how many.
    Rows { done: u64, of: u64 },
    /// Rules about the site as a whole.
    Site,
}

/// What an evaluation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluated {
    /// Audits that were judged.
    pub audits: usize,
    /// Findings of the crawl.
    pub findings: u64,
}

/// Derives chains, link counts and link scores and evaluates every audit of a crawl; what was found before is replaced.
///
/// Needs nothing but the stored crawl, so changed thresholds need no new one. Runs in transactions of its own, which begin
/// with the one that is open, if any. `watch` is told each step and answers whether to go on.
pub fn evaluate(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    watch: &mut dyn FnMut(Step) -> bool,
) -> Result<Evaluated, EvaluateError> {
    sql_functions::register(writer)?;
    writer.begin()?;
    let ids = findings::register(writer)?;
    clear(writer, crawl)?;
    let mut found = Findings::new(crawl, ids);
    let result = judge(writer, crawl, limits, &mut found, Derive::Anew, watch)
        .and_then(|checked| {
            let findings = findings::conclude(writer, crawl, &found, limits, &checked)?;
            Ok(findings + history::settle(writer, crawl, limits)?)
        })
        .map(|findings| Evaluated { audits: catalogue().len(), findings: findings as u64 });
    match &result {
        Ok(_) => ignored::mark_ignored(writer, Some(crawl), None)?,
        Err(EvaluateError::Cancelled) => clear(writer, crawl)?,
        Err(_) => {}
    }
    if !matches!(result, Err(EvaluateError::Store(_))) {
        writer.commit()?;
    }
    result
}

fn clear(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    writer.run("DELETE FROM finding WHERE crawl = ?1", &[crawl.into()])?;
    writer.run("DELETE FROM evaluation WHERE crawl = ?1", &[crawl.into()])?;
    writer.run("DELETE FROM ignored_finding WHERE crawl = ?1", &[crawl.into()])?;
    // Of a comparison that was cancelled there is a part at most.
    let comparisons = "SELECT id FROM comparison WHERE later = ?1";
    writer.run(&format!("DELETE FROM change WHERE comparison IN ({comparisons})"), &[crawl.into()])?;
    writer.run("DELETE FROM comparison WHERE later = ?1", &[crawl.into()])?;
    Ok(())
}

/// What becomes of the numbers that rules read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derive {
    Anew,
    /// They are there, and of no threshold.
    Kept,
}

/// Judges the audits that `found` has chosen. Gives, in the catalogue's order, how many there were to judge; 0 for those that
/// were not chosen.
pub(crate) fn judge(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    found: &mut Findings,
    derive: Derive,
    watch: &mut dyn FnMut(Step) -> bool,
) -> Result<Vec<i64>, EvaluateError> {
    let mut go_on = |step: Step| if watch(step) { Ok(()) } else { Err(EvaluateError::Cancelled) };
    let of = u64::from(writer.known_urls());
    let (first_key, _) = key_range(crawl);
    let done = |key: i64| (key - first_key) as u64;
    let chosen = found.chosen().clone();
    let needs = Needed::by(&chosen);

    alternates::prepare(writer)?;
    if derive == Derive::Anew {
        go_on(Step::Chains)?;
        chains::derive(writer, crawl)?;
    }

    let mut linking_pages = 0;
    if derive == Derive::Anew || needs.links {
        go_on(Step::Links { done: 0, of })?;
        let mut pass = LinkPass::judging(writer, crawl, &chosen, limits)?;
        if derive == Derive::Anew {
            pass = pass.deriving(writer, crawl)?;
        }
        for (first, last) in links::ranges(writer, crawl) {
            go_on(Step::Links { done: done(first), of })?;
            linking_pages += pass.range(writer, Some(found), first, last)?.pages;
        }
        if let Some(graph) = pass.take_graph() {
            let scores = graph.scores(writer, &mut go_on)?;
            pass.write_metrics(writer, crawl, Some(&scores))?;
        }
    }

    if derive == Derive::Anew || needs.texts {
        texts::derive(writer, crawl, limits, &mut |done, of| go_on(Step::Texts { done, of }))?;
    }

    let mut scan = RowScan::of(&chosen, Reach::Crawl, limits, writer.seed());
    for (first, last) in links::ranges(writer, crawl) {
        go_on(Step::Rows { done: done(first), of })?;
        scan.range(writer, found, first, last)?;
    }
    scan.compare(writer, found)?;

    go_on(Step::Site)?;
    found.finish(writer)?;
    if derive == Derive::Anew {
        history::compare_with_previous(writer, crawl, &mut || go_on(Step::Site).is_ok())?;
    }
    history::judge_changes(writer, crawl, limits, found)?;
    if needs.alternates {
        alternates::add_sitemaps(writer, crawl)?;
    }
    select_rules(writer, crawl, limits, found)?;
    alternates::judge_circles(writer, found)?;
    alternates::prepare(writer)?;
    let robots = if needs.robots { judge_robots(writer, crawl, limits, found)? } else { 0 };
    let hosts = if needs.hosts { hosts::judge_hosts(writer, crawl, limits, found)? } else { 0 };
    let probes = if needs.probes { hosts::judge_probes(writer, crawl, found)? } else { 0 };
    let sitemaps = if needs.sitemaps {
        sitemap_entries::judge(writer, crawl, limits, found)?
    } else {
        sitemap_entries::Judged::default()
    };
    found.finish(writer)?;

    let checked = catalogue()
        .iter()
        .enumerate()
        .map(|(index, audit)| match audit.scope {
            _ if !chosen.has(index) => 0,
            Scope::Link => linking_pages,
            Scope::Robots => robots,
            Scope::Host => hosts,
            Scope::Probe => probes,
            Scope::Sitemap => sitemaps.files,
            Scope::Entry => sitemaps.entries,
            scope => scan.counted(scope).unwrap_or_default(),
        })
        .collect();
    Ok(checked)
}

/// What the chosen audits need to be gone through.
#[derive(Debug, Clone, Copy)]
struct Needed {
    links: bool,
    /// What is derived of texts with thresholds.
    texts: bool,
    /// What sitemaps say of languages.
    alternates: bool,
    robots: bool,
    hosts: bool,
    probes: bool,
    sitemaps: bool,
}

impl Needed {
    fn by(chosen: &Chosen) -> Self {
        let any = |holds: fn(&Audit) -> bool| chosen.audits().any(|(_, audit)| holds(audit));
        let alternates = any(|audit| match audit.rule {
            Rule::Select(sql) => sql.contains("temp.alternate"),
            Rule::Circle => true,
            _ => false,
        });
        Self {
            links: alternates
                || any(|audit| {
                    audit.scope == Scope::Link || matches!(audit.rule, Rule::Link(_) | Rule::AnyLink(_))
                }),
            alternates,
            texts: any(texts::is_read_by),
            robots: any(|audit| audit.scope == Scope::Robots),
            hosts: any(|audit| audit.scope == Scope::Host),
            probes: any(|audit| audit.scope == Scope::Probe),
            sitemaps: any(|audit| matches!(audit.scope, Scope::Sitemap | Scope::Entry)),
        }
    }
}

fn select_rules(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    found: &Findings,
) -> Result<(), StoreError> {
    for (index, audit) in found.chosen().audits() {
        if let Rule::Select(sql) = audit.rule {
            let sql = format!(
                "INSERT OR IGNORE INTO {}(crawl, audit, url, ref) SELECT {crawl}, {}, url, ref FROM ({})",
                found.table(),
                found.id(index),
                select(sql, crawl, limits)
            );
            writer.run(&sql, &[])?;
        }
    }
    Ok(())
}

/// A SELECT rule as it is run.
pub(crate) fn select(sql: &str, crawl: i64, limits: &Limits) -> String {
    let (first, last) = key_range(crawl);
    compile::condition(sql, limits)
        .replace("{rows}", &crate::view::crawl_rows())
        .replace("{crawl}", &crawl.to_string())
        .replace("{first}", &first.to_string())
        .replace("{last}", &last.to_string())
}

/// Asks the rules about robots.txt of every internal host that was asked for it; gives the number of hosts.
///
/// An origin whose https was only guessed and does not exist has no robots.txt to judge.
fn judge_robots(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    found: &mut Findings,
) -> Result<i64, StoreError> {
    let (first, last) = key_range(crawl);
    let mut files: Vec<(String, RobotsFile)> = Vec::new();
    writer.rows(
        "SELECT h.origin, r.state, r.status, r.hops, r.crawl_delay, r.flags, r.body, CASE WHEN r.state = 'ok' THEN r.error END FROM robots r JOIN host h ON h.id = r.host
         WHERE r.crawl = ?1 AND r.host IN (SELECT host FROM visit WHERE key BETWEEN ?2 AND ?3 AND internal)
           AND NOT (r.state = 'unreachable' AND EXISTS (SELECT 1 FROM warning w WHERE w.crawl = ?1 AND w.code = 'https-unavailable'
             AND substr(w.subject, 1, length(h.origin) + 1) = h.origin || '/')) ORDER BY h.origin",
        &[crawl.into(), first.into(), last.into()],
        &mut |row| {
            let flags = row.int(5);
            let file = RobotsFile {
                state: row.text(1).to_owned(),
                status: row.opt_int(2),
                hops: row.int(3),
                crawl_delay: match row.value(4) {
                    Value::Null => None,
                    _ => Some(row.real(4)),
                },
                too_large: flags & 1 != 0,
                is_html: flags & 2 != 0,
                body: row.blob(6).to_vec(),
                problems: row.text(7).to_owned(),
                ..RobotsFile::default()
            };
            files.push((row.text(0).to_owned(), file));
            Ok(())
        },
    )?;
    for (_, file) in &mut files {
        file.bad_sitemaps = bad_sitemaps(writer, crawl, file)?;
    }
    let chosen = found.chosen().clone();
    for (origin, file) in &files {
        for (index, audit) in chosen.audits() {
            if let Rule::Robots(holds) = audit.rule
                && holds(file, limits)
            {
                let url = writer.intern(&format!("{origin}/robots.txt"))?;
                found.add(writer, index, i64::from(url), 0)?;
            }
            if let Rule::RobotsAt(places) = audit.rule {
                for place in places(file) {
                    let url = writer.intern(&format!("{origin}/robots.txt"))?;
                    found.add(writer, index, i64::from(url), place)?;
                }
            }
        }
    }
    Ok(files.len() as i64)
}

/// Those of the sitemaps that a file names that were asked for and did not answer with 200, by their ids.
fn bad_sitemaps(writer: &mut Writer, crawl: i64, file: &RobotsFile) -> Result<Vec<i64>, StoreError> {
    let named: HashSet<String> = file.sitemaps().into_iter().collect();
    let mut bad = Vec::new();
    if named.is_empty() {
        return Ok(bad);
    }
    let sql = "SELECT url, id FROM sitemap WHERE crawl = ?1 AND parent IS NULL AND coalesce(status, CASE WHEN error IS NOT NULL THEN 0 END) <> 200";
    writer.rows(sql, &[crawl.into()], &mut |row| {
        if named.contains(row.text(0)) {
            bad.push(row.int(1));
        }
        Ok(())
    })?;
    Ok(bad)
}

/// The audits that can be judged while a crawl runs: those that need one URL only.
pub struct Live {
    crawl: i64,
    scan: RowScan,
    findings: Findings,
}

impl Live {
    pub fn new(writer: &mut Writer, crawl: i64, limits: &Limits) -> Result<Self, StoreError> {
        sql_functions::register(writer)?;
        let ids = findings::register(writer)?;
        let scan = RowScan::new(Reach::Itself, limits, writer.seed());
        Ok(Self { crawl, scan, findings: Findings::new(crawl, ids) })
    }

    /// Findings of severity *issue* so far, of the audits that can be judged meanwhile.
    pub const fn issues(&self) -> u64 {
        self.findings.issues()
    }

    /// Judges URLs whose answers were just stored, in the transaction that stores them.
    pub fn judge(&mut self, writer: &mut Writer, urls: &[u32]) -> Result<(), StoreError> {
        let keys: Vec<i64> = urls.iter().map(|url| store::key(self.crawl, *url)).collect();
        self.scan.keys(writer, &mut self.findings, &keys)?;
        self.findings.finish(writer)
    }
}
