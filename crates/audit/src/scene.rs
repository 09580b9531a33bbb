//! A crawl made by hand, for tests: what a crawl would have stored, without one.

use crate::cases::Fact;
use crate::issues::issues_view_sql;
use crate::limits::Limits;
use model::state::Indexability;
use model::{FailureKind, FoundBy, LinkKind, Position, Purpose, UrlState};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::schema::document_flags;
use store::{
    AgentRow, AnswerRow, AttemptPurpose, AttemptRow, CertificateRow, Document, FlawRow, NewLink, NoFaults,
    Options, ProbeRow, Shape, TrafficRow, Value, View, VisitRow, Writer,
};

pub(crate) const CRAWL: i64 = 1;

pub(crate) fn writer() -> Writer {
    let options = Options {
        program: "test".to_owned(),
        views: vec![View { name: "v_issues", sql: issues_view_sql() }],
        faults: Arc::new(NoFaults),
    };
    let mut writer = Writer::in_memory(&options).unwrap();
    writer
        .batch(
            "INSERT INTO crawl(id, job, start_url, started, state, profile, program, audited_bot, respect_nofollow)
             VALUES(1, 'audit', 'https://site.example/', 0, 'running', '', 'test', 'Googlebot', 0)",
        )
        .unwrap();
    crate::alternates::prepare(&mut writer).unwrap();
    writer
}

pub(crate) fn anchor() -> Shape {
    Shape {
        kind: LinkKind::Anchor,
        position: Position::Main,
        nofollow: false,
        noscript: false,
        rel: "".into(),
        window: "".into(),
        element: "body>main>a".into(),
    }
}

/// A link of a hand-made page: shape, target, text.
pub(crate) type HandLink<'a> = (Shape, Option<&'a str>, Option<&'a str>);

/// Stores a URL with its answer; HTML where there is a document.
pub(crate) fn put(
    writer: &mut Writer,
    fact: &Fact,
    document: Option<&Document>,
    indexability: Indexability,
    links: &[HandLink],
) -> u32 {
    let url = writer.intern(fact.url).unwrap();
    let host = writer.host_of(url).unwrap();
    let state = if fact.status.is_some() { UrlState::Fetched } else { UrlState::Failed };
    let visit = VisitRow {
        url,
        host,
        state,
        purpose: Purpose::Crawl,
        internal: fact.internal,
        depth: Some(1),
        hops: 0,
        // The first URL of a scene.
        found: if url == 1 { FoundBy::Seed } else { FoundBy::Link },
        source: None,
        reason: fact.reason,
    };
    writer.add_visit(CRAWL, &visit).unwrap();
    let redirect = fact.redirect.map(|to| writer.intern(to).unwrap());
    let list = (!links.is_empty()).then(|| put_links(writer, fact.url, links));
    let headers = (!fact.headers.is_empty()).then(|| fact.headers.to_owned());
    let answer = AnswerRow { method: 1, status: fact.status, headers, ..AnswerRow::default() };
    writer.put_answer(CRAWL, url, &answer, redirect, list).unwrap();
    let attempts: Vec<AttemptRow> = fact.attempts.iter().map(|status| attempt(*status)).collect();
    writer.put_attempts(CRAWL, url, &attempts).unwrap();
    if let Some((status, indexability)) = fact.second {
        let row = AgentRow { status: Some(status), indexability, ..AgentRow::default() };
        writer.put_agent_check(CRAWL, url, &row).unwrap();
    }
    if let Some((days, version)) = fact.host {
        let certificate = CertificateRow {
            from: 0,
            until: days * 86_400_000,
            issuer: "CN=issuer".into(),
            subject: "CN=subject".into(),
            names: "site.example".into(),
            fault: None,
        };
        let traffic = TrafficRow {
            internal: true,
            version: Some(version),
            certificate: Some(certificate),
            ..TrafficRow::default()
        };
        writer.add_traffic(CRAWL, host, &traffic).unwrap();
    }
    if let Some(document) = document {
        writer.put_page(CRAWL, url, document, indexability).unwrap();
    }
    url
}

fn attempt(status: u16) -> AttemptRow {
    AttemptRow {
        method: 1,
        started: 0,
        total_ms: 1,
        status: Some(status),
        failure: None,
        purpose: AttemptPurpose::Fetch,
    }
}

fn put_probe(writer: &mut Writer, fact: &Fact, kind: &'static str) {
    let probe = ProbeRow {
        kind,
        subject: fact.url.to_owned(),
        state: if fact.status.is_some() { "answered" } else { "failed" },
        status: fact.status,
        failure: fact.reason.and_then(FailureKind::from_word),
        redirect: fact.redirect.map(ToOwned::to_owned),
        ..ProbeRow::default()
    };
    writer.put_probe(CRAWL, &probe).unwrap();
}

fn put_links(writer: &mut Writer, source: &str, links: &[HandLink]) -> i64 {
    let hash = writer.seed().url(source);
    if let Some(list) = writer.find_list(hash).unwrap() {
        return list;
    }
    let rows: Vec<NewLink> = links
        .iter()
        .map(|(shape, target, text)| NewLink {
            target: target.map(|target| writer.intern(target).unwrap()),
            shape: writer.shape(shape).unwrap(),
            href: store::Href::Target,
            anchor: *text,
            line: 1,
            size: None,
        })
        .collect();
    writer.put_list(hash, &rows).unwrap()
}

/// The document of a hand-made page: its own texts, canonical as told.
pub(crate) fn document(writer: &mut Writer, fact: &Fact) -> Document {
    let canonical = fact.canonical.inspect(|canonical| {
        writer.intern(canonical).unwrap();
    });
    Document {
        hash: writer.seed().url(fact.url),
        title: Some(format!("A title of good length for {}", fact.url).into()),
        title_px: 300,
        title_count: 1,
        canonical: canonical.map(Into::into),
        canonical_key: canonical.map(|text| writer.seed().url(text)),
        canonical_count: u32::from(canonical.is_some()),
        canonical_distinct: u32::from(canonical.is_some()),
        flaws: fact
            .flaws
            .iter()
            .map(|(kind, detail)| FlawRow {
                kind: *kind,
                line: 1,
                element: Some("body>form".into()),
                detail: (*detail).into(),
            })
            .collect(),
        flags: if canonical == Some(fact.url) { document_flags::CANONICAL_SELF } else { 0 },
        ..Document::default()
    }
}

/// Stores a scene of facts.
pub(crate) fn stage(facts: &[Fact]) -> Writer {
    let mut writer = writer();
    for fact in facts {
        if let Some(kind) = fact.probe {
            put_probe(&mut writer, fact, kind);
            continue;
        }
        let anchors = fact.links.iter().map(|target| (anchor(), Some(*target), Some("text")));
        let others = fact.resources.iter().map(|(kind, target)| {
            let shape = Shape { kind: *kind, element: kind.word().into(), ..anchor() };
            (shape, Some(*target), None)
        });
        let links: Vec<HandLink> = anchors.chain(others).collect();
        let is_page = fact.canonical.is_some() || !links.is_empty();
        let document = is_page.then(|| document(&mut writer, fact));
        put(&mut writer, fact, document.as_ref(), Indexability::Indexable, &links);
    }
    writer
}

pub(crate) fn limits(said: &[(&str, f64)]) -> Limits {
    Limits::new(
        &said.iter().map(|(name, value)| (format!("audit.{name}"), *value)).collect::<BTreeMap<_, _>>(),
    )
}

pub(crate) fn evaluate(writer: &mut Writer, limits: &Limits) -> crate::Evaluated {
    crate::evaluate(writer, CRAWL, limits, &mut |_| true).unwrap()
}

/// URL and number of findings of an audit, in the order of the URLs.
pub(crate) fn found(writer: &mut Writer, audit: &str) -> Vec<(String, usize)> {
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    writer
        .rows(
            "SELECT url, evidence FROM v_issues WHERE crawl = 1 AND audit = ?1",
            &[Value::from(audit)],
            &mut |row| {
                *rows.entry(row.text(0).to_owned()).or_default() += 1;
                Ok(())
            },
        )
        .unwrap();
    rows.into_iter().collect()
}

/// What the findings of an audit show, each a JSON object.
pub(crate) fn evidence(writer: &mut Writer, audit: &str) -> Vec<String> {
    let mut shown = Vec::new();
    writer
        .rows(
            "SELECT evidence FROM v_issues WHERE crawl = 1 AND audit = ?1",
            &[Value::from(audit)],
            &mut |row| {
                shown.push(row.text(0).to_owned());
                Ok(())
            },
        )
        .unwrap();
    shown
}
