//! The mechanism: links counted, findings exact whichever way they came, evidence read back.

use crate::cases::Fact;
use crate::scene::{self, CRAWL, HandLink, anchor, document, evaluate, found, limits, put, stage};
use crate::{EvaluateError, Live, Step};
use model::LinkKind;
use model::state::Indexability;
use store::{Document, Shape, Value, Writer};

fn cells(writer: &mut Writer, sql: &str) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    let width = sql.split(" FROM ").next().unwrap().split(',').count();
    writer
        .rows(sql, &[], &mut |row| {
            rows.push((0..width).map(|column| row.value(column)).collect());
            Ok(())
        })
        .unwrap();
    rows
}

fn ints(writer: &mut Writer, sql: &str) -> Vec<Vec<i64>> {
    let int = |value: Value| match value {
        Value::Int(number) => number,
        other => panic!("{other:?} is no number"),
    };
    cells(writer, sql).into_iter().map(|row| row.into_iter().map(int).collect()).collect()
}

const SMALL: &[Fact] = &[
    Fact::page(
        "https://site.example/",
        &[
            "https://site.example/a",
            "https://site.example/a",
            "https://site.example/",
            "https://else.example/",
        ],
    ),
    Fact::page(
        "https://site.example/a",
        &["https://site.example/", "https://site.example/r", "https://site.example/gone"],
    ),
    Fact::redirect("https://site.example/r", 301, "https://site.example/s"),
    Fact::redirect("https://site.example/s", 302, "https://site.example/gone"),
    Fact { status: Some(404), ..Fact::page("https://site.example/gone", &[]) },
    Fact { status: Some(404), ..Fact::page("https://else.example/", &[]).external() },
];

#[test]
fn links_are_counted() {
    let mut writer = stage(SMALL);
    crate::analyse(&mut writer, CRAWL).unwrap();
    let check = |writer: &mut Writer, url: &str, expect: &[i64]| {
        let sql = format!(
            "SELECT m.inlinks, m.followed_inlinks, m.unique_inlinks, m.outlinks, m.external_outlinks FROM metric m JOIN url u ON u.id = m.key & 4294967295 WHERE u.text = '{url}'"
        );
        assert_eq!(ints(writer, &sql), [expect], "{url}");
    };
    // A link of a page to itself is an inlink, but no other page's.
    check(&mut writer, "https://site.example/", &[2, 2, 1, 3, 1]);
    check(&mut writer, "https://site.example/a", &[2, 2, 1, 3, 0]);
    check(&mut writer, "https://else.example/", &[1, 1, 1, 0, 0]);
    check(&mut writer, "https://site.example/s", &[0, 0, 0, 0, 0]);
    let ends = "SELECT c.hops, c.loop, f.id = c.final FROM chain c JOIN url f ON f.text = 'https://site.example/gone' ORDER BY c.key";
    assert_eq!(ints(&mut writer, ends), [[2, 0, 1], [1, 0, 1]]);
}

#[test]
fn nofollow_of_link_and_page_is_counted() {
    let mut writer = scene::writer();
    let nofollow = Shape { nofollow: true, rel: "nofollow".into(), ..anchor() };
    let area = Shape { kind: LinkKind::Area, ..anchor() };
    let style = Shape { kind: LinkKind::Style, ..anchor() };
    let target = "https://site.example/t";
    let links: &[HandLink] = &[
        (anchor(), Some(target), Some("a")),
        (nofollow, Some(target), Some("b")),
        (area, Some(target), None),
        (style, Some(target), None),
    ];
    let first = Fact::page("https://site.example/", &[]);
    let facts = document(&mut writer, &first);
    put(&mut writer, &first, Some(&facts), Indexability::Indexable, links);
    let second = Fact::page("https://site.example/n", &[]);
    let facts = Document { nofollow: true, ..document(&mut writer, &second) };
    put(&mut writer, &second, Some(&facts), Indexability::Indexable, &[(anchor(), Some(target), Some("c"))]);
    let third = Fact::page(target, &[]);
    let facts = document(&mut writer, &third);
    let id = put(&mut writer, &third, Some(&facts), Indexability::Indexable, &[]);
    crate::analyse(&mut writer, CRAWL).unwrap();
    let sql = format!(
        "SELECT inlinks, followed_inlinks, unique_inlinks FROM metric WHERE key = {}",
        store::key(CRAWL, id)
    );
    assert_eq!(ints(&mut writer, &sql), [[4, 2, 2]]);
}

#[test]
fn a_finding_per_occurrence_with_its_link() {
    let mut writer = stage(SMALL);
    evaluate(&mut writer, &limits(&[]));
    assert_eq!(found(&mut writer, "broken-page"), [("https://site.example/gone".to_owned(), 1)]);
    // Directly and by the chain of redirects.
    assert_eq!(found(&mut writer, "links-to-broken"), [("https://site.example/a".to_owned(), 2)]);
    assert_eq!(found(&mut writer, "links-to-broken-external"), [("https://site.example/".to_owned(), 1)]);
    assert_eq!(found(&mut writer, "redirect-chain"), [("https://site.example/r".to_owned(), 1)]);
    assert_eq!(found(&mut writer, "redirect-to-error").len(), 2);
    let mut evidence = Vec::new();
    writer
        .rows("SELECT evidence, life, ignored FROM v_issues WHERE crawl = 1 AND audit = 'links-to-broken' ORDER BY evidence", &[], &mut |row| {
            evidence.push(serde_json::from_str::<serde_json::Value>(row.text(0)).unwrap());
            assert_eq!((row.text(1), row.int(2)), ("open", 0));
            Ok(())
        })
        .unwrap();
    assert_eq!(evidence[0]["target"], "https://site.example/gone");
    assert_eq!(evidence[0]["status"], 404);
    assert_eq!(evidence[0]["element"], "body>main>a");
    assert_eq!(evidence[0]["anchor"], "text");
    assert_eq!(evidence[1]["raw_href"], "https://site.example/r");
    assert_eq!(evidence[1]["final_status"], 404);
    let evaluation = "SELECT e.findings, e.urls, e.checked, e.version FROM evaluation e JOIN audit n ON n.id = e.audit WHERE n.name = 'links-to-broken'";
    assert_eq!(ints(&mut writer, evaluation), [[2, 1, 2, 1]]);
}

fn all_findings(writer: &mut Writer) -> Vec<Vec<Value>> {
    let mut rows = cells(
        writer,
        "SELECT n.name, u.text, f.ref FROM finding f JOIN audit n ON n.id = f.audit JOIN url u ON u.id = f.url",
    );
    rows.sort_by_key(|row| format!("{row:?}"));
    rows
}

#[test]
fn judging_during_the_crawl_changes_nothing_in_the_end() {
    let mut plain = stage(SMALL);
    let total = evaluate(&mut plain, &limits(&[])).findings;
    let expect = all_findings(&mut plain);
    assert_eq!(total as usize, expect.len());
    assert!(expect.len() > 10, "{expect:?}");

    let mut live = stage(SMALL);
    let mut judge = Live::new(&mut live, CRAWL, &limits(&[])).unwrap();
    judge.judge(&mut live, &[3, 1]).unwrap();
    judge.judge(&mut live, &[1, 2, 4, 5, 6, 77]).unwrap();
    let during = all_findings(&mut live);
    assert!(during.iter().all(|finding| expect.contains(finding)), "{during:?}");
    assert!(during.iter().any(|finding| finding[0] == Value::from("broken-page")), "{during:?}");
    evaluate(&mut live, &limits(&[]));
    assert_eq!(all_findings(&mut live), expect);
    // Evaluating again finds the same again.
    evaluate(&mut live, &limits(&[]));
    assert_eq!(all_findings(&mut live), expect);

    // The order in which URLs were met decides their ids, and nothing else.
    let mut reversed: Vec<Fact> = SMALL.to_vec();
    reversed.reverse();
    let mut other = stage(&reversed);
    evaluate(&mut other, &limits(&[]));
    let names = |findings: &[Vec<Value>]| {
        let mut names: Vec<String> = findings
            .iter()
            .map(|row| format!("{:?} {:?} {}", row[0], row[1], row[2] == Value::Int(0)))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&all_findings(&mut other)), names(&expect));
}

#[test]
fn thresholds_change_findings_without_a_new_crawl() {
    let mut writer = stage(SMALL);
    let check = |writer: &mut Writer, said: &[(&str, f64)], expect: usize| {
        evaluate(writer, &limits(said));
        assert_eq!(found(writer, "title-too-long").len(), expect, "{said:?}");
    };
    check(&mut writer, &[], 0);
    check(&mut writer, &[("title_max", 40.0)], 2);
    check(&mut writer, &[("title_max", f64::INFINITY)], 0);
    let stored = cells(
        &mut writer,
        "SELECT e.thresholds FROM evaluation e JOIN audit n ON n.id = e.audit WHERE n.name = 'title-too-long'",
    );
    assert_eq!(stored, [[Value::from("{\"title_max\":null}")]]);
}

#[test]
fn escalations_follow_the_thresholds_they_were_evaluated_with() {
    let mut writer = stage(SMALL);
    writer.batch("UPDATE answer SET ttfb_ms = 1000 WHERE key & 4294967295 = 1; UPDATE answer SET ttfb_ms = 2000 WHERE key & 4294967295 = 2").unwrap();
    let priorities =
        "SELECT priority, severity FROM v_issues WHERE crawl = 1 AND audit = 'slow-first-byte' ORDER BY url";
    evaluate(&mut writer, &limits(&[]));
    let texts =
        |rows: Vec<Vec<Value>>| rows.into_iter().map(|row| format!("{:?}", row[0])).collect::<Vec<_>>();
    assert_eq!(texts(cells(&mut writer, priorities)), ["Text(\"medium\")", "Text(\"high\")"]);
    evaluate(&mut writer, &limits(&[("first_byte_very_slow", 900.0)]));
    assert_eq!(texts(cells(&mut writer, priorities)), ["Text(\"high\")", "Text(\"high\")"]);
}

#[test]
fn cancelling_leaves_no_half_of_the_findings() {
    let mut writer = stage(SMALL);
    evaluate(&mut writer, &limits(&[]));
    let mut steps = Vec::new();
    let result = crate::evaluate(&mut writer, CRAWL, &limits(&[]), &mut |step| {
        steps.push(step);
        !matches!(step, Step::Site)
    });
    assert!(matches!(result, Err(EvaluateError::Cancelled)));
    assert_eq!(all_findings(&mut writer).len(), 0);
    assert!(steps.len() >= 4 && steps[0] == Step::Chains, "{steps:?}");
    evaluate(&mut writer, &limits(&[]));
    assert!(!all_findings(&mut writer).is_empty());
}

#[test]
fn duplicates_are_compared_case_folded_and_within_the_scope() {
    let mut writer = scene::writer();
    let titled = |writer: &mut Writer, path: &str, title: &str, indexability: Indexability| {
        let url = format!("https://site.example{path}");
        let fact = Fact { url: Box::leak(url.into_boxed_str()), ..Fact::page("", &[]) };
        let facts = Document { title: Some(title.into()), ..document(writer, &fact) };
        put(writer, &fact, Some(&facts), indexability, &[]);
    };
    titled(&mut writer, "/1", "Grün und blau", Indexability::Indexable);
    titled(&mut writer, "/2", "GRÜN UND BLAU", Indexability::Indexable);
    titled(&mut writer, "/3", "Grün und blau", Indexability::Noindex);
    titled(&mut writer, "/4", "", Indexability::Indexable);
    titled(&mut writer, "/5", "", Indexability::Indexable);
    evaluate(&mut writer, &limits(&[]));
    assert_eq!(found(&mut writer, "title-duplicate").len(), 2);
    evaluate(&mut writer, &limits(&[("all_pages", 1.0)]));
    assert_eq!(found(&mut writer, "title-duplicate").len(), 3);
    assert_eq!(found(&mut writer, "title-missing").len(), 2);
}

#[test]
fn robots_findings_name_the_file() {
    let mut writer = stage(SMALL);
    writer
        .batch(
            "INSERT INTO robots(crawl, host, state, status, hops, fetched, flags, body)
             SELECT 1, id, 'ok', 200, 0, 0, 0, CAST('User-agent: *' || char(10) || 'Disallow: /' AS BLOB) FROM host",
        )
        .unwrap();
    evaluate(&mut writer, &limits(&[]));
    // The other site's file is not ours to judge.
    assert_eq!(found(&mut writer, "robots-blocks-site"), [("https://site.example/robots.txt".to_owned(), 1)]);
    let evidence =
        cells(&mut writer, "SELECT evidence FROM v_issues WHERE crawl = 1 AND audit = 'robots-blocks-site'");
    assert!(format!("{evidence:?}").contains("Disallow: /"), "{evidence:?}");
    let checked = "SELECT e.checked FROM evaluation e JOIN audit n ON n.id = e.audit WHERE n.name = 'robots-blocks-site'";
    assert_eq!(ints(&mut writer, checked), [[1]]);
}

#[test]
fn reading_issues_of_one_audit_goes_by_the_key() {
    let mut writer = stage(SMALL);
    let mut plan = String::new();
    writer
        .rows(
            "EXPLAIN QUERY PLAN SELECT url, evidence FROM v_issues WHERE crawl = 1 AND audit = 'noindex'",
            &[],
            &mut |row| {
                plan.push_str(row.text(3));
                plan.push('\n');
                Ok(())
            },
        )
        .unwrap();
    assert!(plan.contains("SEARCH f USING PRIMARY KEY (crawl=? AND audit=?)"), "{plan}");
    // The lines of a header that is repeated are no table of the file.
    let scans = plan.lines().any(|line| line.contains("SCAN") && !line.contains("VIRTUAL TABLE INDEX"));
    assert!(!scans && !plan.contains("AUTOMATIC"), "{plan}");
}

#[test]
fn a_list_says_nothing_about_links_to_a_page() {
    let nofollow = Shape { nofollow: true, rel: "nofollow".into(), ..anchor() };
    let mut writer = scene::writer();
    let (start, target) =
        (Fact::page("https://site.example/", &[]), Fact::page("https://site.example/t", &[]));
    // The start names a page as canonical that nothing links to, and links with nofollow only to a deep one.
    let facts = document(&mut writer, &start.canonical("https://site.example/c"));
    let links: &[HandLink] = &[(nofollow, Some("https://site.example/t"), Some("t"))];
    put(&mut writer, &start, Some(&facts), Indexability::Indexable, links);
    let facts = document(&mut writer, &target);
    let deep = put(&mut writer, &target, Some(&facts), Indexability::Indexable, &[]);
    let canonical = Fact::page("https://site.example/c", &[]);
    let facts = document(&mut writer, &canonical);
    let listed = put(&mut writer, &canonical, Some(&facts), Indexability::Indexable, &[]);
    let (deep, crawl) = (store::key(CRAWL, deep), CRAWL);
    writer
        .batch(&format!(
            "UPDATE visit SET depth = 9 WHERE key = {deep};
             INSERT INTO sitemap(id, crawl, url, entries, bytes) VALUES(1, {crawl}, 'https://site.example/sitemap.xml', 1, 1);
             INSERT INTO sitemap_entry(sitemap, n, url) VALUES(1, 0, {listed})"
        ))
        .unwrap();
    let audits = ["orphan-page", "deep-page", "nofollow-inlinks-only", "canonical-unlinked"];
    let mut check = |job: &str, expect: usize| {
        writer.run("UPDATE crawl SET job = ?1", &[Value::from(job)]).unwrap();
        evaluate(&mut writer, &limits(&[]));
        for audit in audits {
            assert_eq!(found(&mut writer, audit).len(), expect, "{audit} in a crawl of kind {job}");
        }
    };
    check("audit", 1);
    check("list", 0);
}

/// A chain /0 → /1 → … whose last URL is the `length`th.
fn chain_of(length: usize, cut: bool, backwards: bool) -> Writer {
    let url = |n: usize| -> &'static str { Box::leak(format!("https://site.example/{n}").into_boxed_str()) };
    let mut facts: Vec<Fact> = (0..length).map(|n| Fact::redirect(url(n), 301, url(n + 1))).collect();
    if !cut {
        facts.push(Fact::page(url(length), &[]));
    }
    if backwards {
        facts.reverse();
    }
    let mut writer = stage(&facts);
    if cut {
        let last = writer.intern(url(length)).unwrap();
        let visit = store::VisitRow {
            url: last,
            host: writer.host_of(last).unwrap(),
            state: model::UrlState::OverLimit,
            purpose: model::Purpose::Store,
            internal: true,
            depth: None,
            hops: 11,
            found: model::FoundBy::Redirect,
            source: None,
            reason: Some("too-many-redirects"),
        };
        writer.add_visit(CRAWL, &visit).unwrap();
    }
    writer
}

#[test]
fn each_url_is_judged_by_its_own_hops() {
    let first = |n: usize| (0..n).map(|n| (format!("https://site.example/{n}"), 1)).collect::<Vec<_>>();
    for backwards in [false, true] {
        let check = |length: usize, cut: bool, most: f64, expect: usize| {
            let mut writer = chain_of(length, cut, backwards);
            evaluate(&mut writer, &limits(&[("redirect_most_hops", most)]));
            let found = (found(&mut writer, "too-many-redirects"), found(&mut writer, "redirect-chain"));
            assert_eq!(found, (first(expect), first(1)), "{length} hops, most {most}, cut: {cut}");
        };
        check(10, false, 10.0, 0);
        check(11, false, 10.0, 1);
        check(11, true, 10.0, 1);
        check(12, false, 10.0, 2);
        // A chain that the crawl did not follow to its end counts by the limit of the crawl.
        check(11, true, 20.0, 1);
        check(12, true, 20.0, 2);
        check(12, false, 20.0, 0);
    }
}

#[test]
fn https_that_was_only_guessed_is_no_defect() {
    let mut writer = stage(&[
        Fact::page("http://site.example/", &["https://site.example/linked"]),
        Fact::failed("https://site.example/", "tls-expired"),
        Fact::failed("https://site.example/linked", "tls-expired"),
        Fact::failed("https://other.example/", "connect"),
    ]);
    writer
        .batch(
            "INSERT INTO robots(crawl, host, state, hops, fetched, flags) SELECT 1, id, 'unreachable', 0, 0, 0 FROM host WHERE origin LIKE 'https:%'",
        )
        .unwrap();
    let mut check = |expect: [&[&str]; 3]| {
        evaluate(&mut writer, &limits(&[]));
        for (audit, expect) in ["tls-failure", "no-response", "robots-unreachable"].into_iter().zip(expect) {
            let urls: Vec<String> = found(&mut writer, audit).into_iter().map(|(url, _)| url).collect();
            assert_eq!(urls, expect, "{audit}");
        }
        writer
            .batch("INSERT INTO warning(crawl, moment, code, subject, detail) SELECT 1, 0, 'https-unavailable', origin || '/', '' FROM host WHERE origin LIKE 'https:%'")
            .unwrap();
    };
    check([
        &["https://site.example/", "https://site.example/linked"],
        &["https://other.example/"],
        &["https://other.example/robots.txt", "https://site.example/robots.txt"],
    ]);
    // What a page links to by https is broken all the same.
    check([&["https://site.example/linked"], &[], &[]]);
}

/// An http URL that was turned into its https twin without being asked (HSTS) is no redirect to anybody.
#[test]
fn a_synthetic_hop_is_no_redirect() {
    let mut writer = scene::writer();
    let redirect = Shape { kind: LinkKind::Redirect, element: "Location".into(), ..anchor() };
    let (home, http, https) = ("https://site.example/", "http://site.example/x", "https://site.example/x");
    let to_page = (anchor(), Some(http), Some("x"));
    let to_old = (anchor(), Some("https://site.example/old"), Some("old"));
    let page = Fact::page(home, &[]);
    let facts = document(&mut writer, &page);
    put(&mut writer, &page, Some(&facts), Indexability::Indexable, &[to_page, to_old]);
    put(
        &mut writer,
        &Fact::redirect("https://site.example/old", 301, http),
        None,
        Indexability::Indexable,
        &[],
    );
    let hop = Fact { status: Some(307), ..Fact::failed(http, "hsts") };
    let id = put(&mut writer, &hop, None, Indexability::Indexable, &[(redirect, Some(https), None)]);
    let key = store::key(CRAWL, id);
    let flag = store::schema::answer_flags::SYNTHETIC;
    writer.run("UPDATE answer SET flags = ?2 WHERE key = ?1", &[key.into(), flag.into()]).unwrap();
    let target = Fact::page(https, &[]);
    let facts = document(&mut writer, &target);
    put(&mut writer, &target, Some(&facts), Indexability::Indexable, &[]);
    evaluate(&mut writer, &limits(&[]));
    assert_eq!(found(&mut writer, "internal-link-redirects"), [(home.to_owned(), 1)], "that to /old alone");
    for audit in ["redirect-temporary", "redirect-chain", "redirect-bad-location", "resource-redirects"] {
        assert!(found(&mut writer, audit).is_empty(), "{audit}");
    }
    let all = |row: &[&str]| vec![row.iter().map(|text| Value::Text((*text).to_owned())).collect::<Vec<_>>()];
    let chains = "SELECT url, hop_url, final_url FROM v_redirects WHERE crawl = 1";
    assert_eq!(
        cells(&mut writer, chains),
        all(&["https://site.example/old", http, https]),
        "one hop, ending at the twin"
    );
    let links =
        format!("SELECT verdict FROM v_links WHERE crawl = 1 AND target = '{http}' AND kind = 'anchor'");
    assert_eq!(cells(&mut writer, &links), all(&["ok"]));
    let urls = format!(
        "SELECT reason, typeof(redirect_target), indexability FROM v_urls WHERE crawl = 1 AND url = '{http}'"
    );
    assert_eq!(cells(&mut writer, &urls), all(&["hsts", "null", "not-html"]));
}
