//! One card an audit with findings, at each severity.
//!
//! Counts come from the evaluation where there is one, so that nothing is counted; else, while a crawl runs, from the findings.
//! Evidence is never put together here.

use super::dto::IssueCard;
use audit::{Audit, find};
use std::collections::BTreeMap;
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
pub(super) fn severity_rank(word: &str) -> u8 {
    match word {
        "issue" => 0,
        "warning" => 1,
        "opportunity" => 2,
        _ => 3,
    }
}

/// 0 is the most urgent.
pub(super) fn priority_rank(word: &str) -> u8 {
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
        "SELECT n.id, n.name, n.title, n.family, n.severity, n.priority, e.findings, e.urls, e.checked, e.version, e.thresholds
         FROM evaluation e JOIN audit n ON n.id = e.audit WHERE e.crawl = ?1",
        &[crawl.into()],
        &mut |row| {
            is_concluded = true;
            if row.int(6) > 0 {
                let rule = RuleVersion { version: row.int(9), thresholds: row.text(10).to_owned() };
                let mut one = named(row, rule);
                one.card.findings = row.int(6) as u64;
                one.card.urls = row.int(7) as u64;
                one.card.checked = row.int(8) as u64;
                judged.push(one);
            }
            true
        },
    )?;
    if !is_concluded {
        judged = so_far(reader, crawl)?;
    }
    Ok(judged)
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
    reader.rows("SELECT id, name, title, family, severity, priority FROM audit", &[], &mut |row| {
        if let Ok(found) = counts.binary_search_by_key(&row.int(0), |(audit, _)| *audit) {
            let mut one = named(row, RuleVersion { version: 0, thresholds: String::new() });
            (one.card.findings, one.card.urls) = (counts[found].1.findings, counts[found].1.urls);
            judged.push(one);
        }
        true
    })?;
    Ok(judged)
}

/// From the columns id, name, title, family, severity, priority.
fn named(row: &Row, rule: RuleVersion) -> Judged {
    let name = row.text(1);
    let known: Option<&Audit> = find(name);
    let family = row.text(3);
    let family_title = audit::Family::ALL
        .iter()
        .find(|known| known.word() == family)
        .map_or_else(|| family.to_owned(), |known| known.title().to_owned());
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
            judged: known.map(|audit| audit.scope.counts().to_owned()).unwrap_or_default(),
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
    let card = |((severity, priority), count): ((String, String), Count)| IssueCard {
        severity,
        priority,
        findings: count.findings,
        urls: count.urls,
        ..one.card.clone()
    };
    Ok(counts.into_iter().map(card).collect())
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

/// The finished crawl before this one.
fn previous(reader: &Reader, crawl: i64) -> Result<Option<i64>, StoreError> {
    let found = reader.one(
        "SELECT max(id) FROM crawl WHERE id < ?1 AND state = 'finished'",
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
    let Some((all, rule)) = found else { return Ok(None) };
    if rule != one.rule {
        return Ok(None);
    }
    let by_weight =
        if escalates(&one.card.audit) { Some(by_weight(reader, previous, &one.card.audit)?) } else { None };
    Ok(Some(Before { all, by_weight }))
}
