//! One card an audit with findings, at each severity.
//!
//! Counts come from the evaluation where there is one, so that nothing is counted; else, while a crawl runs, from the findings.
//! Evidence is never put together here.

use super::dto::IssueCard;
use audit::{Audit, find};
use std::collections::{BTreeMap, BTreeSet};
use store::{Reader, Row, StoreError};

/// What an audit came to in one crawl.
struct Judged {
    /// Id of the audit in the file.
    audit: i64,
    card: IssueCard,
    rule: RuleVersion,
}

/// What a rule meant in a crawl. Findings of two crawls are comparable only where it is the same.
#[derive(PartialEq, Eq)]
struct RuleVersion {
    version: i64,
    thresholds: String,
}

/// Worst first.
pub(super) fn cards(reader: &Reader, crawl: i64) -> Result<Vec<IssueCard>, StoreError> {
    let judged = judged(reader, crawl)?;
    let previous = previous(reader, crawl)?;
    let mut cards = Vec::new();
    for one in judged {
        let before = match previous {
            Some(previous) => before(reader, previous, &one)?,
            None => None,
        };
        let mut at_each_severity = split(reader, crawl, &one)?;
        for card in &mut at_each_severity {
            card.before = match &before {
                None => None,
                Some(Before { all, by_weight: None }) => Some(*all),
                Some(Before { by_weight: Some(counts), .. }) => {
                    let weight = (card.severity.clone(), card.priority.clone());
                    Some(counts.get(&weight).map_or(0, |count| count.findings))
                }
            };
        }
        cards.append(&mut at_each_severity);
    }
    cards.sort_by(|a, b| {
        let rank = |card: &IssueCard| (severity_rank(&card.severity), priority_rank(&card.priority));
        rank(a).cmp(&rank(b)).then(b.findings.cmp(&a.findings)).then_with(|| a.audit.cmp(&b.audit))
    });
    Ok(cards)
}

/// 0 is the worst.
pub(crate) fn severity_rank(word: &str) -> u8 {
    match word {
        "issue" => 0,
        "warning" => 1,
        "opportunity" => 2,
        _ => 3,
    }
}

/// 0 is the most urgent.
pub(crate) fn priority_rank(word: &str) -> u8 {
    match word {
        "high" => 0,
        "medium" => 1,
        _ => 2,
    }
}

fn judged(reader: &Reader, crawl: i64) -> Result<Vec<Judged>, StoreError> {
    let mut judged = Vec::new();
    let mut is_concluded = false;
    reader.rows(
        "SELECT n.id, n.name, n.title, n.family, coalesce(o.severity, n.severity), coalesce(o.priority, n.priority), e.findings, e.urls, e.checked, e.version,
           e.thresholds, o.audit IS NOT NULL
         FROM evaluation e JOIN audit n ON n.id = e.audit LEFT JOIN audit_override o ON o.audit = n.name WHERE e.crawl = ?1",
        &[crawl.into()],
        &mut |row| {
            is_concluded = true;
            if row.int(6) > 0 {
                let rule = RuleVersion { version: row.int(9), thresholds: row.text(10).to_owned() };
                let mut one = named(row, rule);
                one.card.findings = row.int(6) as u64;
                one.card.urls = row.int(7) as u64;
                one.card.checked = row.int(8) as u64;
                one.card.changed = row.int(11) != 0;
                judged.push(one);
            }
            true
        },
    )?;
    if !is_concluded {
        judged = so_far(reader, crawl)?;
    }
    leave_out_ignored(reader, crawl, &mut judged)?;
    Ok(judged)
}

/// Takes what is ignored out of the counts. Only audits of which something is ignored are counted for it.
fn leave_out_ignored(reader: &Reader, crawl: i64, judged: &mut [Judged]) -> Result<(), StoreError> {
    let about = ignored_audits(reader)?;
    for one in judged.iter_mut().filter(|one| about.contains(&one.card.audit)) {
        let counts = counted(reader, crawl, &one.card.audit)?;
        one.card.ignored = one.card.findings.saturating_sub(counts.findings);
        (one.card.findings, one.card.urls) = (counts.findings, counts.urls);
    }
    Ok(())
}

/// The audits of which something is ignored.
fn ignored_audits(reader: &Reader) -> Result<BTreeSet<String>, StoreError> {
    let mut audits = BTreeSet::new();
    reader.rows("SELECT DISTINCT audit FROM ignored", &[], &mut |row| {
        audits.insert(row.text(0).to_owned());
        true
    })?;
    Ok(audits)
}

/// The findings of an audit that count.
fn counted(reader: &Reader, crawl: i64, audit: &str) -> Result<Count, StoreError> {
    let counts = reader.one(&audit::counts_sql(), &[crawl.into(), audit.into()], |row| Count {
        findings: row.int(0) as u64,
        urls: row.int(1) as u64,
    })?;
    Ok(counts.unwrap_or_default())
}

/// The findings of a crawl that was not judged as a whole yet.
fn so_far(reader: &Reader, crawl: i64) -> Result<Vec<Judged>, StoreError> {
    // The key's order gives each audit's findings by URL, so distinct URLs are counted without remembering them.
    let mut counts: Vec<(i64, Count)> = Vec::new();
    let mut last = -1;
    reader.rows(
        "SELECT audit, url FROM finding WHERE crawl = ?1 ORDER BY audit, url",
        &[crawl.into()],
        &mut |row| {
            let (audit, url) = (row.int(0), row.int(1));
            if counts.last().is_none_or(|(known, _)| *known != audit) {
                counts.push((audit, Count::default()));
                last = -1;
            }
            if let Some((_, count)) = counts.last_mut() {
                count.add(url, &mut last);
            }
            true
        },
    )?;
    let mut judged = Vec::new();
    let sql = "SELECT n.id, n.name, n.title, n.family, coalesce(o.severity, n.severity), coalesce(o.priority, n.priority), o.audit IS NOT NULL
               FROM audit n LEFT JOIN audit_override o ON o.audit = n.name";
    reader.rows(sql, &[], &mut |row| {
        if let Ok(found) = counts.binary_search_by_key(&row.int(0), |(audit, _)| *audit) {
            let mut one = named(row, RuleVersion { version: 0, thresholds: String::new() });
            (one.card.findings, one.card.urls) = (counts[found].1.findings, counts[found].1.urls);
            one.card.changed = row.int(6) != 0;
            judged.push(one);
        }
        true
    })?;
    Ok(judged)
}

/// The title of the family of audits that a person wrote.
fn own_family(family: &str) -> String {
    if family == store::CUSTOM_FAMILY { "Your own".to_owned() } else { family.to_owned() }
}

/// From the columns id, name, title, family, severity, priority.
fn named(row: &Row, rule: RuleVersion) -> Judged {
    let name = row.text(1);
    let known: Option<&Audit> = find(name);
    let family = row.text(3);
    let family_title = audit::Family::ALL
        .iter()
        .find(|known| known.word() == family)
        .map_or_else(|| own_family(family), |known| known.title().to_owned());
    Judged {
        audit: row.int(0),
        rule,
        card: IssueCard {
            audit: name.to_owned(),
            title: row.text(2).to_owned(),
            family: family.to_owned(),
            family_title,
            severity: row.text(4).to_owned(),
            priority: row.text(5).to_owned(),
            findings: 0,
            urls: 0,
            checked: 0,
            ignored: 0,
            changed: false,
            judged: known.map_or_else(|| "URLs".to_owned(), |audit| audit.scope.counts().to_owned()),
            before: None,
        },
    }
}

#[derive(Default, Clone, Copy)]
struct Count {
    findings: u64,
    urls: u64,
}

impl Count {
    /// Takes a finding; those of one URL come one after the other.
    fn add(&mut self, url: i64, last: &mut i64) {
        self.findings += 1;
        if url != *last {
            *last = url;
            self.urls += 1;
        }
    }
}

/// By severity and priority.
type ByWeight = BTreeMap<(String, String), Count>;

fn escalates(audit: &str) -> bool {
    find(audit).is_some_and(|audit| audit.escalation.is_some())
}

/// One card for each severity that the findings of an audit have.
fn split(reader: &Reader, crawl: i64, one: &Judged) -> Result<Vec<IssueCard>, StoreError> {
    if !escalates(&one.card.audit) {
        return Ok(vec![one.card.clone()]);
    }
    let counts = by_weight(reader, crawl, &one.card.audit)?;
    if counts.is_empty() {
        return Ok(vec![one.card.clone()]);
    }
    // What is ignored is told once, of whatever weight it was.
    let card = |(at, ((severity, priority), count)): (usize, ((String, String), Count))| IssueCard {
        severity,
        priority,
        findings: count.findings,
        urls: count.urls,
        ignored: if at == 0 { one.card.ignored } else { 0 },
        ..one.card.clone()
    };
    Ok(counts.into_iter().enumerate().map(card).collect())
}

fn by_weight(reader: &Reader, crawl: i64, audit: &str) -> Result<ByWeight, StoreError> {
    let mut counts: Vec<((String, String), Count, i64)> = Vec::new();
    reader.rows(&audit::finding_weights_sql(), &[crawl.into(), audit.into()], &mut |row| {
        let (severity, priority) = (row.text(1), row.text(2));
        // Two at most: as the audit says, and escalated.
        let known = counts.iter().position(|((s, p), _, _)| s == severity && p == priority);
        let at = known.unwrap_or_else(|| {
            counts.push(((severity.to_owned(), priority.to_owned()), Count::default(), -1));
            counts.len() - 1
        });
        let (_, count, last) = &mut counts[at];
        count.add(row.int(0), last);
        true
    })?;
    Ok(counts.into_iter().map(|(weight, count, _)| (weight, count)).collect())
}

/// The finished crawl before this one. One that looked again at some findings only is not compared,
/// neither way.
fn previous(reader: &Reader, crawl: i64) -> Result<Option<i64>, StoreError> {
    let found = reader.one(
        "SELECT max(id) FROM crawl WHERE id < ?1 AND state = 'finished' AND job <> 'recheck'
           AND NOT EXISTS (SELECT 1 FROM recheck WHERE crawl = ?1)",
        &[crawl.into()],
        |row| row.opt_int(0),
    )?;
    Ok(found.flatten())
}

/// Findings of an audit in an earlier crawl.
struct Before {
    all: u64,
    /// Where severities differ from finding to finding.
    by_weight: Option<ByWeight>,
}

/// `None` where the rule was not evaluated there, or was another one: that would compare rules, not states of the site.
fn before(reader: &Reader, previous: i64, one: &Judged) -> Result<Option<Before>, StoreError> {
    let found = reader.one(
        "SELECT findings, version, thresholds FROM evaluation WHERE crawl = ?1 AND audit = ?2",
        &[previous.into(), one.audit.into()],
        |row| {
            let rule = RuleVersion { version: row.int(1), thresholds: row.text(2).to_owned() };
            (row.int(0) as u64, rule)
        },
    )?;
    let Some((mut all, rule)) = found else { return Ok(None) };
    if rule != one.rule {
        return Ok(None);
    }
    if ignored_audits(reader)?.contains(&one.card.audit) {
        all = counted(reader, previous, &one.card.audit)?.findings;
    }
    let by_weight =
        if escalates(&one.card.audit) { Some(by_weight(reader, previous, &one.card.audit)?) } else { None };
    Ok(Some(Before { all, by_weight }))
}
