//! A crawl made by hand, for tests: what a crawl would have stored, without one.

use crate::cases::Fact;
use crate::issues::issues_view_sql;
use crate::limits::Limits;
use model::state::Indexability;
use model::{FoundBy, LinkKind, Position, Purpose, UrlState};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::schema::document_flags;
use store::{AnswerRow, Document, NewLink, NoFaults, Options, Shape, Value, View, VisitRow, Writer};

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
        found: FoundBy::Link,
        source: None,
        reason: fact.reason,
    };
    writer.add_visit(CRAWL, &visit).unwrap();
    let redirect = fact.redirect.map(|to| writer.intern(to).unwrap());
    let list = (!links.is_empty()).then(|| put_links(writer, fact.url, links));
    let answer = AnswerRow { method: 1, status: fact.status, ..AnswerRow::default() };
    writer.put_answer(CRAWL, url, &answer, redirect, list).unwrap();
    if let Some(document) = document {
        writer.put_page(CRAWL, url, document, indexability).unwrap();
    }
    url
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
        flags: if canonical == Some(fact.url) { document_flags::CANONICAL_SELF } else { 0 },
        ..Document::default()
    }
}

/// Stores a scene of facts.
pub(crate) fn stage(facts: &[Fact]) -> Writer {
    let mut writer = writer();
    for fact in facts {
        let links: Vec<HandLink> =
            fact.links.iter().map(|target| (anchor(), Some(*target), Some("text"))).collect();
        let is_page = fact.canonical.is_some() || !fact.links.is_empty();
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
