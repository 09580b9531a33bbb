//! Every audit against the cases that stand beside it: each site is served on loopback and crawled, once where the audit
//! must find exactly what its case says and once where it must find nothing. What the findings point at is compared with
//! `audit_cases/points-at.txt`.

#[path = "audit_cases/points.rs"]
mod points;

use engine::audit_cases::{Audit, Resource, Scene, catalogue};
use engine::output::Format;
use engine::{Access, AuditRequest, Control, CrawlChoice, Engine, Fact, ViewQuery};
use gossamer_tests::{Answer, Server, Site};
use points::{Points, Shown};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Crawls at once: each waits more than it works.
const AT_ONCE: usize = 4;

/// Settings of every case: a connection that breaks is not tried again, since that only takes time here.
const ALWAYS: &[(&str, &str)] = &[("fetch.retries", "0"), ("fetch.timeout", "5s")];

/// Path and number of findings.
type Found = BTreeMap<String, usize>;

/// Why a case could not be run.
type Fault = Box<dyn std::error::Error>;

/// `/x` or `other:/x` as origin and path.
fn place(path: &str) -> (&str, &str) {
    match path.find('/') {
        Some(at) if at > 0 => (path[..at].trim_end_matches(':'), &path[at..]),
        _ => ("main", path),
    }
}

fn answer(resource: &Resource, site: &str, other: &str) -> Answer {
    if resource.dropped {
        return Answer::close();
    }
    let mut answer = Answer::status(resource.status).with_body(resource.bytes(site, other));
    for (name, value) in resource.named_headers(site, other) {
        answer = answer.header(&name, &value);
    }
    if resource.delay_ms > 0 {
        answer = answer.after(Duration::from_millis(resource.delay_ms));
    }
    match resource.head_status {
        Some(status) => answer.but_for_head(Answer::status(status)),
        None => answer,
    }
}

/// Serves the site as it is at each crawl in turn; the number says at which.
fn serve(course: &[&[Resource]], crawl: &Arc<AtomicUsize>) -> Server {
    let site = Site::bind(&[("main", 1), ("other", 2)]);
    let (main, other) = (site.url("main", ""), site.url("other", ""));
    let mut answers = HashMap::new();
    for (at, resources) in course.iter().enumerate() {
        for resource in *resources {
            let (origin, path) = place(resource.path);
            answers.insert((at, origin.to_owned(), path.to_owned()), answer(resource, &main, &other));
        }
    }
    let crawl = Arc::clone(crawl);
    site.otherwise(move |seen| {
        answers.get(&(crawl.load(Ordering::SeqCst), seen.origin.clone(), seen.path.clone())).cloned()
    })
    .serve()
}

/// What the audit finds at the last of a course of crawls, and what each finding points at.
fn crawl(audit: &Audit, course: &[&[Resource]]) -> Result<(Found, Vec<(String, String)>), Fault> {
    let at = Arc::new(AtomicUsize::new(0));
    let server = serve(course, &at);
    let folder = tempfile::tempdir()?;
    let project = folder.path().join("case.gossamer");
    let request = AuditRequest {
        seeds: vec![server.url("main", "/")],
        project: project.clone(),
        overrides: ALWAYS
            .iter()
            .chain(audit.case.settings)
            .map(|(id, value)| ((*id).to_owned(), (*value).to_owned()))
            .collect(),
        ..AuditRequest::default()
    };
    let engine = Engine::system();
    for turn in 0..course.len() {
        at.store(turn, Ordering::SeqCst);
        engine.audit(&request, &Control::new(), &|_| {})?;
    }
    let last = i64::try_from(course.len())?;
    let (main, other) = (server.url("main", ""), server.url("other", ""));
    let plain = |text: &str| text.replace(&main, "{site}").replace(&other, "{other}");
    let insight = engine.insight(&project)?;
    let (mut found, mut points) = (Found::new(), Vec::new());
    for url in urls_with(&engine, &project, audit.id)? {
        let shown = match (url.strip_prefix(&main), url.strip_prefix(&other)) {
            (Some(path), _) => path.to_owned(),
            (_, Some(path)) => format!("other:{path}"),
            _ => url.clone(),
        };
        // A URL that was judged without being met, such as a sitemap, has no detail.
        let Some(key) = insight.url_key(last, &url)? else {
            for evidence in evidence_of(&engine, &project, audit.id, &url)? {
                *found.entry(shown.clone()).or_default() += 1;
                let one = Shown { audit, evidence: &evidence, place: None, source: None, plain: &plain };
                points.push((shown.clone(), one.points_at().map_err(|why| format!("{shown}: {why}"))?));
            }
            continue;
        };
        let source = insight.url_html(last, key)?;
        for issue in insight.url_detail(last, key)?.issues.iter().filter(|issue| issue.audit == audit.id) {
            let place = insight.finding_place(last, key, &issue.audit, issue.link)?;
            let one =
                Shown { audit, evidence: &issue.evidence, place, source: source.as_deref(), plain: &plain };
            *found.entry(shown.clone()).or_default() += 1;
            points.push((shown.clone(), one.points_at().map_err(|why| format!("{shown}: {why}"))?));
        }
    }
    points.sort();
    Ok((found, points))
}

/// Rows of an audit's findings.
fn issues(
    engine: &Engine,
    project: &Path,
    filter: String,
    column: &str,
) -> Result<Vec<serde_json::Value>, Fault> {
    let query = ViewQuery {
        view: "v_issues".to_owned(),
        filter: Some(filter),
        columns: vec![column.to_owned()],
        sort: None,
        limit: None,
        crawl: CrawlChoice::Latest,
    };
    let mut out = Vec::new();
    engine.open(project, Access::Read)?.write_view(&query, Format::Json, &mut out)?;
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&out)?;
    Ok(rows.into_iter().map(|row| row[column].clone()).collect())
}

fn urls_with(engine: &Engine, project: &Path, audit: &str) -> Result<BTreeSet<String>, Fault> {
    let urls = issues(engine, project, format!("audit = '{audit}'"), "url")?;
    urls.iter().map(|url| Ok(url.as_str().ok_or("a finding without URL")?.to_owned())).collect()
}

fn evidence_of(engine: &Engine, project: &Path, audit: &str, url: &str) -> Result<Vec<Vec<Fact>>, Fault> {
    let filter = format!("audit = '{audit}' AND url = '{}'", url.replace('\'', "''"));
    let shown = |evidence: serde_json::Value| {
        let object = match &evidence {
            serde_json::Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
            other => other.clone(),
        };
        let members =
            object.as_object().ok_or_else(|| format!("the evidence of {url} is no object: {evidence}"))?;
        let value =
            |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let told = members.iter().filter(|(_, told)| !told.is_null());
        let mut facts: Vec<Fact> =
            told.map(|(name, told)| Fact { name: name.clone(), value: value(told) }).collect();
        // Whether an object keeps its order depends on what else is built.
        facts.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(facts)
    };
    issues(engine, project, filter, "evidence")?.into_iter().map(shown).collect()
}

/// What is wrong with one audit, in words.
fn faults(audit: &Audit, points_at: &Points) -> Vec<String> {
    let mut faults = Vec::new();
    let expected: Found = audit.case.found.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    for (which, scene, expected) in
        [("failing", audit.case.failing, expected), ("passing", audit.case.passing, Found::new())]
    {
        // What cannot be served is checked beside the catalogue.
        let course = match scene {
            Scene::Site(resources) => &[resources][..],
            Scene::Course(course) => course,
            Scene::Facts(_) => continue,
        };
        match crawl(audit, course) {
            Ok((found, points)) if found == expected => {
                let must = points_at.get(audit.id).map(Vec::as_slice).unwrap_or_default();
                if which == "failing" && points != must {
                    let lines = |points: &[(String, String)]| -> String {
                        points.iter().map(|(path, what)| format!("\n{} {path} {what}", audit.id)).collect()
                    };
                    faults.push(format!(
                        "{}: points-at.txt says of its findings{}\nand they point at{}",
                        audit.id,
                        lines(must),
                        lines(&points)
                    ));
                }
            }
            Ok((found, _)) => faults
                .push(format!("{}: the {which} case must give {expected:?} and gives {found:?}", audit.id)),
            Err(error) => faults.push(format!("{}: the {which} case cannot be run: {error}", audit.id)),
        }
    }
    faults
}

#[test]
fn every_audit_finds_what_its_case_says_and_points_at_it() {
    let points_at = points::read();
    let (next, faulty) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(audit) = catalogue().get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = faults(audit, &points_at);
                    faulty.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(found);
                }
            });
        }
    });
    let faulty = faulty.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    assert!(faulty.is_empty(), "{} faults:\n{}", faulty.len(), faulty.join("\n"));
}

#[test]
fn places_are_read() {
    let check = |path: &str, expect: (&str, &str)| assert_eq!(place(path), expect);
    check("/", ("main", "/"));
    check("/a?b=c:d", ("main", "/a?b=c:d"));
    check("other:/a", ("other", "/a"));
    check("/file:a", ("main", "/file:a"));
}

#[test]
fn only_audits_that_there_are_point_somewhere() {
    let known: BTreeSet<&str> = catalogue().iter().map(|audit| audit.id).collect();
    let named: BTreeSet<&str> = points::read().into_keys().collect();
    assert_eq!(named.difference(&known).collect::<Vec<_>>(), [&""; 0]);
    // Those whose case cannot be served say what they point at by their evidence alone.
    let served = |audit: &&&Audit| !matches!(audit.case.failing, Scene::Facts(_));
    let silent: Vec<&str> =
        catalogue().iter().filter(served).map(|audit| audit.id).filter(|id| !named.contains(id)).collect();
    assert_eq!(silent, [""; 0], "points-at.txt says nothing of them");
}
