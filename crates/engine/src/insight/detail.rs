//! One URL of a crawl in detail.
//!
//! Every query goes by a key or an index, so the time depends on the URL's own links and findings, not on the crawl.

use super::cards::{priority_rank, severity_rank};
use super::distributions::indexability;
use super::dto::{DetailIssue, Heading, Hop, PastVisit, Preview, UrlDetail};
use super::facts::{evidence, fact};
use super::headers;
use super::structured::structured;
use super::summary::{Answered, Document, Linked, summary};
use super::texts::texts;
use crate::settings::stored_plan;
use audit::{Limits, Subject};
use model::settings::Start;
use model::state::Indexability;
use model::{LinkKind, UrlState};
use std::collections::HashSet;
use store::{Reader, StoreError};

/// Findings shown of one URL.
const ISSUES: usize = 1_000;
/// Hops shown of one chain; crawls stop far earlier.
const HOPS: usize = 50;
/// Links to a URL that are gone through; where there are more, the count that the crawl's end left is given.
const INLINKS: u64 = 50_000;

/// `None` where the crawl did not meet the URL.
pub(super) fn detail(reader: &Reader, crawl: i64, url: u32) -> Result<Option<UrlDetail>, StoreError> {
    let key = store::key(crawl, url);
    let Some(answered) = Answered::read(reader, key)? else { return Ok(None) };
    let document = Document::read(reader, key)?;
    let linked = Linked::read(reader, key)?;
    let headers = headers::pairs(answered.headers.as_deref().unwrap_or_default());
    let (outlinks, resources) = own_links(reader, answered.list)?;
    let has_sources = reader.has_reverse_indexes()?;
    let inlinks = if has_sources { inlinks(reader, crawl, url, linked.as_ref())? } else { 0 };
    let indexability = indexability(answered.state, answered.status, answered.page);
    let preview = match &document {
        Some(document) => Some(preview(reader, crawl, document)?),
        None => None,
    };
    let mut summary = summary(&answered, document.as_ref(), linked.as_ref(), &headers, indexability);
    summary.extend(texts(reader, key)?);
    if !has_sources {
        summary.push(fact("Inlinks", "counted when the first crawl of the project has ended"));
    }
    Ok(Some(UrlDetail {
        key,
        internal: answered.internal,
        state: answered.state.map_or("", UrlState::word).to_owned(),
        reason: answered.reason.clone(),
        status: answered.status.and_then(|status| u16::try_from(status).ok()),
        indexable: indexability == Some(Indexability::Indexable),
        indexability: indexability.map(|reason| reason.word().to_owned()),
        summary,
        timings: answered.timings(),
        headers,
        redirects: redirects(reader, crawl, url)?,
        headings: document.as_ref().map(|document| headings(&document.headings)).unwrap_or_default(),
        preview,
        issues: issues(reader, crawl, url)?,
        inlinks,
        outlinks,
        resources,
        structured: structured(reader, key)?,
        history: history(reader, url)?,
        html: document.as_ref().is_some_and(|document| document.has_html),
        url: answered.url,
    }))
}

/// Links of the URL's own list: those that are no resources, and those that are.
fn own_links(reader: &Reader, list: Option<i64>) -> Result<(u64, u64), StoreError> {
    let (mut outlinks, mut resources) = (0, 0);
    let Some(list) = list else { return Ok((0, 0)) };
    let first = list << store::schema::ORDINAL_BITS;
    let last = first | store::schema::MAX_LINKS as i64;
    reader.rows(
        "SELECT s.kind FROM link l CROSS JOIN link_shape s ON s.id = l.shape WHERE l.id BETWEEN ?1 AND ?2",
        &[first.into(), last.into()],
        &mut |row| {
            let kind = u8::try_from(row.int(0)).ok().and_then(LinkKind::from_code);
            if kind.is_some_and(LinkKind::is_resource) {
                resources += 1;
            } else {
                outlinks += 1;
            }
            true
        },
    )?;
    Ok((outlinks, resources))
}

/// Occurrences of links to a URL: each link of a list as often as pages of the crawl show the list.
fn inlinks(reader: &Reader, crawl: i64, url: u32, linked: Option<&Linked>) -> Result<u64, StoreError> {
    let mut lists: Vec<(i64, u64)> = Vec::new();
    let mut links = 0;
    reader.rows(
        "SELECT id FROM link WHERE target = ?1 ORDER BY id",
        &[i64::from(url).into()],
        &mut |row| {
            let list = row.int(0) >> store::schema::ORDINAL_BITS;
            match lists.last_mut() {
                Some((known, count)) if *known == list => *count += 1,
                _ => lists.push((list, 1)),
            }
            links += 1;
            links <= INLINKS
        },
    )?;
    if links > INLINKS
        && let Some(linked) = linked
    {
        return Ok(linked.inlinks.unsigned_abs());
    }
    let (first, last) = store::key_range(crawl);
    let mut inlinks = 0;
    for (list, count) in lists {
        let pages = reader.one(
            "SELECT count(*) FROM answer WHERE list = ?1 AND key BETWEEN ?2 AND ?3",
            &[list.into(), first.into(), last.into()],
            |row| row.int(0) as u64,
        )?;
        inlinks += count * pages.unwrap_or_default();
    }
    Ok(inlinks)
}

fn redirects(reader: &Reader, crawl: i64, url: u32) -> Result<Vec<Hop>, StoreError> {
    let mut hops: Vec<Hop> = Vec::new();
    let mut met = HashSet::new();
    let mut next = Some(i64::from(url));
    while let Some(at) = next.filter(|_| hops.len() < HOPS) {
        let (hop, target) = hop(reader, crawl, at)?;
        let is_loop = !met.insert(at);
        hops.push(if is_loop { Hop { reason: Some("loop".to_owned()), ..hop } } else { hop });
        next = target.filter(|_| !is_loop);
    }
    // A chain of one is no redirect.
    Ok(if hops.len() > 1 { hops } else { Vec::new() })
}

/// A URL as a member of a chain, and where it leads.
fn hop(reader: &Reader, crawl: i64, url: i64) -> Result<(Hop, Option<i64>), StoreError> {
    let found = reader.one(
        "SELECT u.text, v.key, v.state, r.value, a.status, a.redirect FROM url u LEFT JOIN visit v ON v.key = (?1 << 32) | u.id
         LEFT JOIN answer a ON a.key = v.key LEFT JOIN string r ON r.id = v.reason WHERE u.id = ?2",
        &[crawl.into(), url.into()],
        |row| {
            let state = row.opt_int(2).and_then(|code| u8::try_from(code).ok()).and_then(UrlState::from_code);
            let reason = row.opt_text(3).map(str::to_owned);
            let hop = Hop {
                url: row.text(0).to_owned(),
                key: row.opt_int(1),
                status: row.opt_int(4).and_then(|status| u16::try_from(status).ok()),
                reason: match state {
                    Some(UrlState::Fetched) => None,
                    other => reason.or_else(|| other.map(|state| state.word().to_owned())),
                },
            };
            (hop, row.opt_int(5))
        },
    )?;
    let nowhere = Hop { url: String::new(), status: None, reason: None, key: None };
    Ok(found.unwrap_or((nowhere, None)))
}

/// `[[level, text, line], …]`.
fn headings(json: &str) -> Vec<Heading> {
    let stored: Vec<(u8, String, u64)> = serde_json::from_str(json).unwrap_or_default();
    stored.into_iter().map(|(level, text, _)| Heading { level, text }).collect()
}

fn preview(reader: &Reader, crawl: i64, document: &Document) -> Result<Preview, StoreError> {
    let limits = stored_limits(reader, crawl)?;
    Ok(Preview {
        title: document.title.clone(),
        title_px: document.title_px,
        title_max_px: limit(reader, crawl, "title-too-wide", "title_px_max", &limits)?,
        description: document.description.clone(),
        description_px: document.description_px,
        description_max_px: limit(reader, crawl, "description-too-wide", "description_px_max", &limits)?,
    })
}

/// The thresholds that a crawl was started with.
fn stored_limits(reader: &Reader, crawl: i64) -> Result<Limits, StoreError> {
    let profile = reader
        .one("SELECT profile FROM crawl WHERE id = ?1", &[crawl.into()], |row| row.text(0).to_owned())?
        .unwrap_or_default();
    // A setting that this version does not know leaves the defaults.
    let thresholds = stored_plan(Start::default(), &profile).map(|plan| plan.thresholds).unwrap_or_default();
    Ok(Limits::new(&thresholds))
}

/// A threshold in pixels: as an audit was evaluated with, else as the crawl was started with. One that is never reached is no
/// width to draw; the default is.
fn limit(reader: &Reader, crawl: i64, audit: &str, name: &str, limits: &Limits) -> Result<u32, StoreError> {
    let evaluated = reader.one(
        "SELECT json_extract(e.thresholds, '$.' || ?3) FROM evaluation e JOIN audit n ON n.id = e.audit WHERE e.crawl = ?1 AND n.name = ?2",
        &[crawl.into(), audit.into(), name.into()],
        |row| row.opt_int(0),
    )?;
    let started_with = limits.get(name);
    let default = Limits::new(&std::collections::BTreeMap::new()).get(name);
    let chosen = match evaluated.flatten() {
        Some(pixels) => pixels as f64,
        None if started_with.is_finite() => started_with,
        None => default,
    };
    Ok(chosen.clamp(0.0, f64::from(u32::MAX)) as u32)
}

fn issues(reader: &Reader, crawl: i64, url: u32) -> Result<Vec<DetailIssue>, StoreError> {
    let mut issues = Vec::new();
    let own = reader.custom_audits()?;
    reader.rows(&audit::findings_of_url_sql(), &[crawl.into(), i64::from(url).into()], &mut |row| {
        let name = row.text(0);
        let definition = audit::find(name);
        let evidence = evidence(row.text(3));
        let in_source = definition.map(audit::subject).is_some_and(|subject| match subject {
            // A link of a header, or a flaw of the page as a whole, has no line.
            Subject::Occurrence => evidence.iter().any(|fact| fact.name == "line"),
            Subject::Element(_) | Subject::Root => true,
            Subject::Header(_) | Subject::Line | Subject::Values => false,
        });
        issues.push(DetailIssue {
            audit: name.to_owned(),
            title: definition
                .map(|audit| audit.title)
                .or_else(|| own.iter().find(|audit| audit.id == name).map(|audit| audit.title.as_str()))
                .unwrap_or(name)
                .to_owned(),
            severity: row.text(1).to_owned(),
            priority: row.text(2).to_owned(),
            evidence,
            ignored: row.int(4) != 0,
            link: row.int(5),
            in_source,
        });
        issues.len() < ISSUES
    })?;
    issues.sort_by(|a, b| {
        let rank = |issue: &DetailIssue| (severity_rank(&issue.severity), priority_rank(&issue.priority));
        rank(a).cmp(&rank(b)).then_with(|| a.audit.cmp(&b.audit))
    });
    Ok(issues)
}

fn history(reader: &Reader, url: u32) -> Result<Vec<PastVisit>, StoreError> {
    let (started, state) = (store::views::iso_sql("c.started"), UrlState::sql_case("v.state"));
    let sql = format!(
        "SELECT c.id, {started}, {state}, a.status, d.title,
           CASE WHEN d.id IS NOT NULL THEN printf('%016x', d.content_hash) END
         FROM crawl c CROSS JOIN visit v ON v.key = (c.id << 32) | ?1 LEFT JOIN answer a ON a.key = v.key
         LEFT JOIN page p ON p.key = v.key LEFT JOIN document d ON d.id = p.document ORDER BY c.id DESC"
    );
    let mut history = Vec::new();
    reader.rows(&sql, &[i64::from(url).into()], &mut |row| {
        history.push(PastVisit {
            crawl: row.int(0),
            started: row.text(1).to_owned(),
            state: row.text(2).to_owned(),
            status: row.opt_int(3).and_then(|status| u16::try_from(status).ok()),
            title: row.opt_text(4).map(str::to_owned),
            content_hash: row.opt_text(5).map(str::to_owned),
        });
        true
    })?;
    Ok(history)
}
