//! Every audit against the cases that stand beside it: each site is served on loopback and crawled, once where the audit
//! must find exactly what its case says and once where it must find nothing.

use engine::audit_cases::{Audit, Resource, Scene, catalogue};
use engine::output::Format;
use engine::{Access, AuditRequest, Control, CrawlChoice, Engine, ViewQuery};
use gossamer_tests::{Answer, Server, Site};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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

fn serve(resources: &[Resource]) -> Server {
    let mut site = Site::bind(&[("main", 1), ("other", 2)]);
    let (main, other) = (site.url("main", ""), site.url("other", ""));
    for resource in resources {
        let (origin, path) = place(resource.path);
        site = site.route(origin, path, answer(resource, &main, &other));
    }
    site.serve()
}

/// The rows of an audit's findings: URL and evidence.
fn issues(engine: &Engine, project: &Path, audit: &str) -> Result<Vec<serde_json::Value>, Fault> {
    let query = ViewQuery {
        view: "v_issues".to_owned(),
        filter: Some(format!("audit = '{audit}'")),
        columns: vec!["url".to_owned(), "evidence".to_owned()],
        sort: None,
        limit: None,
        crawl: CrawlChoice::Latest,
    };
    let mut out = Vec::new();
    engine.open(project, Access::Read)?.write_view(&query, Format::Json, &mut out)?;
    Ok(serde_json::from_slice(&out)?)
}

/// What the audit finds on a site.
fn crawl(audit: &Audit, resources: &[Resource]) -> Result<Found, Fault> {
    let server = serve(resources);
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
    engine.audit(&request, &Control::new(), &|_| {})?;
    let (main, other) = (server.url("main", ""), server.url("other", ""));
    let mut found = Found::new();
    for issue in issues(&engine, &project, audit.id)? {
        let url = issue["url"].as_str().ok_or("a finding without URL")?;
        let evidence = issue["evidence"]
            .as_str()
            .map_or_else(|| issue["evidence"].clone(), |text| serde_json::from_str(text).unwrap_or_default());
        if !evidence.is_object() {
            return Err(format!("the evidence of {url} is no object: {issue}").into());
        }
        let shown = match (url.strip_prefix(&main), url.strip_prefix(&other)) {
            (Some(path), _) => path.to_owned(),
            (_, Some(path)) => format!("other:{path}"),
            _ => url.to_owned(),
        };
        *found.entry(shown).or_default() += 1;
    }
    Ok(found)
}

/// What is wrong with one audit, in words.
fn faults(audit: &Audit) -> Vec<String> {
    let mut faults = Vec::new();
    let expected: Found = audit.case.found.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    for (which, scene, expected) in
        [("failing", audit.case.failing, expected), ("passing", audit.case.passing, Found::new())]
    {
        // What cannot be served is checked beside the catalogue.
        let Scene::Site(resources) = scene else { continue };
        match crawl(audit, resources) {
            Ok(found) if found == expected => {}
            Ok(found) => faults
                .push(format!("{}: the {which} case must give {expected:?} and gives {found:?}", audit.id)),
            Err(error) => faults.push(format!("{}: the {which} case cannot be run: {error}", audit.id)),
        }
    }
    faults
}

#[test]
fn every_audit_finds_what_its_case_says_and_nothing_else() {
    let (next, faulty) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(audit) = catalogue().get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = faults(audit);
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
