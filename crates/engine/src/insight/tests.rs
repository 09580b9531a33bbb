//! Insight into two crawls of the demo site. Projects made by hand are in `small`.

use super::*;
use crate::demo::Demo;
use crate::dto::{AuditRequest, CrawlChoice};
use crate::table::{Filter, TableQuery, Tables};
use crawl::Control;
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// The demo site, crawled twice into one project.
struct Crawled {
    demo: Demo,
    path: PathBuf,
    _folder: TempDir,
}

const CRAWL: i64 = 2;

fn crawled() -> &'static Crawled {
    static CRAWLED: OnceLock<Crawled> = OnceLock::new();
    CRAWLED.get_or_init(|| {
        let demo = Demo::start().unwrap();
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("demo.gossamer");
        let request = AuditRequest {
            seeds: vec![demo.url()],
            project: path.clone(),
            overrides: vec![("fetch.retries".to_owned(), "0".to_owned())],
            ..AuditRequest::default()
        };
        for _ in 0..CRAWL {
            Engine::system().audit(&request, &Control::new(), &|_| {}).unwrap();
        }
        Crawled { demo, path, _folder: folder }
    })
}

fn insight() -> Insight {
    Engine::system().insight(&crawled().path).unwrap()
}

fn address(path: &str) -> String {
    crawled().demo.address_of(path)
}

fn detail(path: &str) -> UrlDetail {
    let insight = insight();
    let key = insight.url_key(CRAWL, &address(path)).unwrap().expect(path);
    insight.url_detail(CRAWL, key).unwrap()
}

/// Rows that a filter opens.
fn rows(tables: &Tables, table: &str, filter: &Filter) -> u64 {
    let query =
        TableQuery { table: table.to_owned(), crawl: CRAWL, filter: Some(filter.clone()), sort: None };
    let opened = tables.open_table(&query, 1).unwrap();
    tables.close(opened.table);
    opened.rows
}

fn value<'f>(facts: &'f [Fact], name: &str) -> Option<&'f str> {
    facts.iter().find(|fact| fact.name == name).map(|fact| fact.value.as_str())
}

#[test]
fn insight_is_for_any_thread() {
    fn is_send<T: Send>() {}
    is_send::<Insight>();
}

#[test]
fn every_bar_opens_as_many_rows_as_it_counts() {
    let overview = insight().overview(CRAWL).unwrap();
    let tables = Engine::system().tables(&crawled().path).unwrap();
    let ids: Vec<&str> = overview.distributions.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["status", "indexability", "depth", "size", "time", "content_type", "state"]);
    for one in &overview.distributions {
        for bar in &one.bars {
            assert_eq!(rows(&tables, &one.table, &bar.filter), bar.count, "{}: {}", one.id, bar.label);
        }
        let sum: u64 = one.bars.iter().map(|bar| bar.count).sum();
        match one.id.as_str() {
            "state" => assert_eq!(sum, overview.crawl.counts.encountered),
            "depth" | "size" | "time" => assert_eq!(sum, overview.pages, "{}", one.id),
            _ => assert!(sum > 0, "{}", one.id),
        }
    }
}

#[test]
fn the_overview_counts_the_demo_site() {
    let overview = insight().overview(CRAWL).unwrap();
    assert_eq!((overview.crawl.crawl, overview.crawl.state.as_str()), (CRAWL, "finished"));
    let bar = |distribution: &str, label: &str| {
        let one = overview.distributions.iter().find(|one| one.id == distribution).unwrap();
        one.bars.iter().find(|bar| bar.label == label).map(|bar| (bar.count, bar.tone))
    };
    assert_eq!(bar("indexability", "Indexable"), Some((overview.indexable, Tone::Good)));
    assert_eq!(bar("indexability", "noindex"), Some((5, Tone::Warning)));
    assert_eq!(bar("status", "5xx"), Some((1, Tone::Bad)));
    assert_eq!(bar("status", "No answer"), Some((1, Tone::Bad)));
    assert_eq!(bar("content_type", "None sent"), Some((1, Tone::Warning)));
    assert_eq!(bar("depth", "Not linked"), Some((1, Tone::Warning)));
    // The slow page of the site takes 1.9 s, and more where the computer is busy.
    let slow: u64 =
        ["1 to 2 s", "2 s and more"].iter().filter_map(|label| bar("time", label)).map(|(n, _)| n).sum();
    assert!(slow >= 1);
    let lines = Engine::system().open(&crawled().path, Access::Read).unwrap();
    let lines = lines.issues(CrawlChoice::Number(CRAWL)).unwrap();
    let of = |severity: &str| -> u64 {
        lines.iter().filter(|line| line.severity == severity).map(|line| line.findings).sum()
    };
    assert_eq!((overview.issues, overview.warnings), (of("issue"), of("warning")));
}

#[test]
fn what_touches_the_whole_site_is_fixed_first() {
    let overview = insight().overview(CRAWL).unwrap();
    assert_eq!(overview.fix_first.len(), 5);
    assert!(overview.fix_first.iter().all(|one| one.severity != "note"));
    let first = &overview.fix_first[0];
    assert_eq!(
        (first.audit.as_str(), first.severity.as_str(), first.priority.as_str()),
        ("links-to-broken", "issue", "high")
    );
    assert_eq!((first.findings, first.urls), (124, 111));
    let begins = format!("82 of {} indexable pages are affected, with ", overview.indexable);
    assert!(first.why.starts_with(&begins), "{}", first.why);
    assert!(
        first.why.ends_with("; 111 of 124 findings stand in one place of the markup, footer > p > a."),
        "{}",
        first.why
    );
    let audits: Vec<&str> = overview.fix_first.iter().map(|one| one.audit.as_str()).collect();
    assert_eq!(
        audits,
        ["links-to-broken", "not-in-sitemap", "csp-missing", "frame-protection-missing", "nosniff-missing"]
    );
}

#[test]
fn issues_are_those_of_the_view_worst_first() {
    let cards = insight().issues(CRAWL).unwrap();
    let project = Engine::system().open(&crawled().path, Access::Read).unwrap();
    let lines = project.issues(CrawlChoice::Number(CRAWL)).unwrap();
    let told: Vec<_> =
        cards.iter().map(|c| (&c.audit, &c.severity, &c.priority, c.findings, c.urls)).collect();
    let expect: Vec<_> = lines
        .iter()
        .map(|line| (&line.audit, &line.severity, &line.priority, line.findings, line.urls))
        .collect();
    assert_eq!(told, expect);
    let links = &cards[0];
    assert_eq!((links.checked, links.judged.as_str()), (128, "pages with links"));
    assert_eq!(links.family_title, "Links and structure");
}

#[test]
fn issues_tell_what_the_crawl_before_had() {
    let insight = insight();
    let first: Vec<IssueCard> = insight.issues(1).unwrap();
    assert!(first.iter().all(|card| card.before.is_none()));
    let stands = |cards: &[IssueCard], audit: &str, severity: &str| {
        cards.iter().find(|card| card.audit == audit && card.severity == severity).cloned().unwrap()
    };
    let second = insight.issues(CRAWL).unwrap();
    for (audit, severity) in
        [("links-to-broken", "issue"), ("title-missing", "issue"), ("resource-redirects", "warning")]
    {
        let (then, now) = (stands(&first, audit, severity), stands(&second, audit, severity));
        assert_eq!(now.before, Some(then.findings), "{audit}");
    }
}

#[test]
fn every_group_opens_as_many_findings_as_it_counts() {
    let insight = insight();
    let tables = Engine::system().tables(&crawled().path).unwrap();
    for card in insight.issues(CRAWL).unwrap() {
        let groups = insight.issue_groups(CRAWL, &card.audit).unwrap();
        let mut labels: Vec<&str> = groups.iter().map(|group| group.label.as_str()).collect();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), groups.len(), "{}: labels differ", card.audit);
        assert!(groups.is_sorted_by_key(|group| std::cmp::Reverse(group.findings)), "{}", card.audit);
        for group in &groups {
            assert_eq!(
                rows(&tables, "findings", &group.filter),
                group.findings,
                "{}: {}",
                card.audit,
                group.label
            );
        }
        let all = rows(&tables, "findings", &Filter::Finding(card.audit.clone()));
        assert_eq!(groups.iter().map(|group| group.findings).sum::<u64>(), all, "{}", card.audit);
    }
}

#[test]
fn findings_are_grouped_by_what_is_one_thing_to_fix() {
    let check = |audit: &str, expect: &[(&str, u64, u64)]| {
        let groups = insight().issue_groups(CRAWL, audit).unwrap();
        let told: Vec<(&str, u64, u64)> =
            groups.iter().take(expect.len()).map(|g| (g.label.as_str(), g.findings, g.urls)).collect();
        assert_eq!(told, expect, "{audit}");
    };
    check(
        "links-to-broken",
        &[
            ("footer > p > a → /sustainability-report", 111, 111),
            ("main > ul > li > a → /shop/black/yunnan-gold", 2, 2),
        ],
    );
    check("resource-redirects", &[("header > a > img → /pictures/logo.svg", 121, 121)]);
    check("broken-page", &[("/shop/", 5, 5), ("/", 1, 1)]);
    check("h1-duplicate", &[("The leaflet", 3, 3), ("The story of the house", 2, 2)]);
    check("broken-external-link", &[(&address("partner:"), 1, 1)]);
    check("no-such-audit", &[]);
}

#[test]
fn a_ticket_says_what_why_how_and_where() {
    let text = insight().issue_text(CRAWL, "links-to-broken").unwrap();
    let audit = audit::find("links-to-broken").unwrap();
    for part in [
        "# Link to a broken URL\n",
        "**Issue, high priority:** 124 findings on 111 URLs, of 128 pages with links (124 findings in the crawl before).\n",
        audit.why,
        audit.fix,
        "- `footer > p > a → /sustainability-report`: 111 findings\n",
        &format!("- <{}>\n", address("/")),
        "; anchor `Sustainability report`; kind `anchor`; element `body>footer>p>a`; line `",
        "- and 91 more URLs\n",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    assert_eq!(text.matches("\n- <http").count(), 20);
    let nothing = insight().issue_text(CRAWL, "http-link-on-https").unwrap();
    assert!(nothing.contains("Nothing was found."), "{nothing}");
}

#[test]
fn a_page_is_told_in_detail() {
    let home = detail("/");
    assert_eq!(
        (home.url.clone(), home.state.as_str(), home.status, home.indexable),
        (address("/"), "fetched", Some(200), true)
    );
    assert_eq!(value(&home.summary, "Title"), Some("Kettle & Quay, loose tea from the harbour"));
    assert_eq!(value(&home.summary, "Canonical"), Some(format!("itself ({})", address("/")).as_str()));
    assert_eq!(value(&home.summary, "Inlinks"), Some("121 links from 120 other pages, 119 followed"));
    assert_eq!(value(&home.summary, "Outlinks"), Some("23 links within the site, 6 links to other sites"));
    assert_eq!(value(&home.summary, "Depth"), Some("0 clicks"));
    assert!(value(&home.summary, "Size").unwrap().ends_with(" bytes"));
    assert!(value(&home.timings, "Total").unwrap().ends_with(" ms"));
    assert!(home.headers.contains(&("content-type".to_owned(), "text/html; charset=utf-8".to_owned())));
    let headings: Vec<(u8, &str)> = home.headings.iter().map(|h| (h.level, h.text.as_str())).collect();
    assert_eq!(headings[0], (1, "Tea that came by sea, and still smells of the garden"));
    assert_eq!(headings.len(), 3);
    let preview = home.preview.unwrap();
    assert_eq!((preview.title_px, preview.title_max_px, preview.description_max_px), (369, 561, 985));
    let history: Vec<i64> = home.history.iter().map(|visit| visit.crawl).collect();
    assert_eq!(history, [2, 1]);
    assert!(home.html && home.redirects.is_empty());
    assert_eq!(home.issues[0].audit, "links-to-broken");
    assert_eq!(value(&home.issues[0].evidence, "anchor"), Some("stamp card"));
    assert!(detail("/help/payment").issues.iter().any(|issue| issue.audit == "title-missing"));
}

#[test]
fn counts_of_links_are_rows_of_the_table_of_links() {
    let tables = Engine::system().tables(&crawled().path).unwrap();
    for path in ["/", "/about", "/sale", "/sustainability-report", "/pictures/leaf.svg", "partner:/members"] {
        let one = detail(path);
        assert_eq!(rows(&tables, "links", &Filter::LinksTo(vec![one.key])), one.inlinks, "{path}");
        let own = rows(&tables, "links", &Filter::LinksFrom(vec![one.key]));
        assert_eq!(own, one.outlinks + one.resources, "{path}");
    }
    assert!(detail("/").resources > 0);
}

#[test]
fn redirects_are_followed_hop_by_hop() {
    let check = |path: &str, expect: &[(&str, Option<u16>, Option<&str>)]| {
        let hops = detail(path).redirects;
        let told: Vec<(String, Option<u16>, Option<&str>)> =
            hops.iter().map(|hop| (hop.url.clone(), hop.status, hop.reason.as_deref())).collect();
        let expect: Vec<(String, Option<u16>, Option<&str>)> =
            expect.iter().map(|(url, status, reason)| (address(url), *status, *reason)).collect();
        assert_eq!(told, expect, "{path}");
    };
    check(
        "/sale",
        &[("/sale", Some(302), None), ("/offers", Some(301), None), ("/shop/clearance", Some(200), None)],
    );
    check(
        "/loyalty",
        &[
            ("/loyalty", Some(302), None),
            ("/loyalty/card", Some(302), None),
            ("/loyalty", Some(302), Some("loop")),
        ],
    );
    check("/checkin", &[("/checkin", Some(302), None), ("/checkin", Some(302), Some("loop"))]);
    let steps = detail("/step/1").redirects;
    let last = steps.last().unwrap();
    assert_eq!((last.status, last.reason.as_deref()), (None, Some("too-many-redirects")));
    assert!(
        detail("/staff").redirects.last().unwrap().reason.as_deref().unwrap().starts_with("robots.txt line")
    );
}

#[test]
fn a_url_that_was_not_fetched_says_why() {
    let blocked = detail("/intern/price-list");
    assert_eq!(
        (blocked.state.as_str(), blocked.indexability.as_deref()),
        ("blocked", Some("blocked-by-robots"))
    );
    assert_eq!(blocked.reason.as_deref(), Some("robots.txt line 3: Disallow: /intern/"));
    assert_eq!(value(&blocked.summary, "Blocked by"), Some("robots.txt line 3: Disallow: /intern/"));
    assert!(
        blocked.preview.is_none()
            && !blocked.html
            && blocked.headers.is_empty()
            && blocked.timings.is_empty()
    );
    let failed = detail("/downloads/price-list.pdf");
    assert_eq!((failed.state.as_str(), failed.status), ("failed", None));
    assert!(value(&failed.summary, "Failure").is_some());
}

#[test]
fn urls_are_found_as_the_crawl_names_them() {
    let insight = insight();
    let key = |text: &str| insight.url_key(CRAWL, text).unwrap();
    let about = key(&address("/about")).unwrap();
    assert_eq!(about >> 32, CRAWL);
    assert_eq!(key(&format!("  {}#team ", address("/about"))), Some(about));
    assert_eq!(
        key(&address("/x/../about").to_uppercase().replace("/X/../ABOUT", "/x/../about")),
        Some(about)
    );
    let umlaut = key(&address("/de/%C3%BCber-uns")).unwrap();
    assert_eq!(key(&address("/de/%c3%bcber-uns")), Some(umlaut));
    assert_eq!(key(&address("/de/über-uns")), Some(umlaut));
    assert_eq!(key(&address("/nowhere")), None);
    assert_eq!(key("no address"), None);
    // A key of another crawl names the same URL.
    assert_eq!(
        insight.url_detail(1, about).unwrap().key,
        insight.url_key(1, &address("/about")).unwrap().unwrap()
    );
}

#[test]
fn html_is_given_as_text() {
    let insight = insight();
    let html = insight.url_html(CRAWL, detail("/").key).unwrap().unwrap();
    assert!(html.contains("<title>Kettle &amp; Quay, loose tea from the harbour</title>"), "{html}");
    assert_eq!(insight.url_html(CRAWL, detail("/sale").key).unwrap(), None);
}

#[test]
fn every_finding_of_an_element_leads_to_its_tag() {
    let (insight, mut led) = (insight(), 0);
    let paths = [
        "/",
        "/about",
        "/about/team",
        "/help/faq",
        "/journal/how-to-taste",
        "/old/cargo.html",
        "/old/catalogue-2009",
        "/old/guestbook.html",
        "/old/log.html",
        "/old/order-form",
        "/old/photographs",
        "/old/scripts",
        "/old/world",
        "/shop/",
    ];
    for path in paths {
        let page = detail(path);
        let source: Vec<u16> = insight.url_html(CRAWL, page.key).unwrap().unwrap().encode_utf16().collect();
        for issue in page.issues.iter().filter(|issue| issue.in_source) {
            let found = insight.finding_place(CRAWL, page.key, &issue.audit, issue.link).unwrap();
            let line = value(&issue.evidence, "line");
            let Some(place) = found else {
                assert_eq!(line, None, "{path}: {} is nowhere", issue.audit);
                continue;
            };
            let tag = String::from_utf16(&source[place.start as usize..place.end as usize]).unwrap();
            assert!(
                tag.starts_with(&place.tag) && tag.len() >= place.tag.len(),
                "{path}: {} at {tag}",
                issue.audit
            );
            assert!(
                tag.is_empty() || (tag.starts_with('<') && tag.ends_with('>')),
                "{path}: {} at {tag}",
                issue.audit
            );
            if let Some(line) = line {
                assert_eq!(line, place.line.to_string(), "{path}: {}", issue.audit);
            }
            led += 1;
        }
    }
    assert!(led > 60, "{led}");
    // The second of two alike is told from the first.
    let team = detail("/about/team");
    let second = team.issues.iter().find(|issue| issue.audit == "title-multiple").unwrap();
    let place = insight.finding_place(CRAWL, team.key, &second.audit, second.link).unwrap().unwrap();
    let html = insight.url_html(CRAWL, team.key).unwrap().unwrap();
    assert_eq!(place.start as usize, html.rfind("<title>").unwrap());
    // What is about no element, and a page without source.
    assert_eq!(insight.finding_place(CRAWL, team.key, "csp-missing", 0).unwrap(), None);
    assert_eq!(insight.finding_place(CRAWL, detail("/sale").key, "title-multiple", 0).unwrap(), None);
    assert_eq!(insight.finding_place(CRAWL, team.key, "no-such-audit", 0).unwrap(), None);
}

#[test]
fn a_command_asks_as_the_crawl_did() {
    let engine = Engine::system();
    let command = |path: &str| engine.curl_command(&crawled().path, CRAWL, detail(path).key).unwrap();
    let posix = command("/about").unwrap().posix;
    for part in
        ["--http1.1", "--user-agent", "'Accept: */*'", "--include", &format!("--url {}", address("/about"))]
    {
        assert!(posix.contains(part), "{part} is not in {posix}");
    }
    assert_eq!(command("/intern/price-list"), None, "robots.txt kept the crawl from asking");
}

#[test]
fn the_pulse_names_slow_hosts_and_new_problems() {
    let pulse = insight().pulse(CRAWL).unwrap();
    assert_eq!(pulse.hosts[0].host, address("/").trim_start_matches("http://").trim_end_matches('/'));
    assert!(pulse.hosts[0].slowest_ms >= 1_900 && pulse.hosts[0].answers > 100, "{:?}", pulse.hosts);
    assert_eq!(pulse.problems.len(), 12);
    assert!(pulse.problems.is_sorted_by_key(|problem| std::cmp::Reverse(problem.moment.clone())));
    assert!(
        pulse.problems.iter().all(|p| p.reason.is_some() || p.status.is_some_and(|status| status >= 400))
    );
}

#[test]
fn what_does_not_exist_is_refused() {
    let insight = insight();
    let refused = |error: EngineError| assert!(matches!(error, EngineError::Usage(_)), "{error}");
    refused(insight.overview(9).unwrap_err());
    refused(insight.issues(9).unwrap_err());
    refused(insight.url_detail(9, 1).unwrap_err());
    refused(insight.url_detail(CRAWL, 4_000_000_000).unwrap_err());
    assert!(Engine::system().insight(Path::new("/no/such.gossamer")).is_err());
}
