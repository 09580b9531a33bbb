//! Tests on projects made by hand: what the demo site has not, and crawls that have not ended.

use super::*;
use crate::made::Made;
use crate::table::{Filter, TableQuery};
use audit::{Limits, Live};
use model::state::Indexability;
use model::{FlawKind, LinkKind, Position, UrlState};
use std::collections::BTreeMap;
use store::{AnswerRow, Document, FlawRow, Href, NewLink, Shape};

/// A link of a page: element path, target, anchor text.
type Link<'a> = (&'a str, Option<&'a str>, &'a str);

/// A page of a small project.
#[derive(Default, Clone, Copy)]
struct Page<'a> {
    url: &'a str,
    title: &'a str,
    links: &'a [Link<'a>],
    html: &'a [u8],
    content_type: Option<&'a str>,
}

const SITE: &str = "https://h.test/";

impl Made {
    fn visit(&mut self, crawl: i64, url: &str, state: UrlState) -> u32 {
        let visit = self.met(url, state);
        self.writer.add_visit(crawl, &visit).unwrap();
        visit.url
    }

    fn page(&mut self, crawl: i64, page: Page) -> u32 {
        let url = self.visit(crawl, page.url, UrlState::Fetched);
        let list = (!page.links.is_empty()).then(|| self.links(page.url, page.links));
        let answer = AnswerRow {
            method: 1,
            status: Some(200),
            content_type: page.content_type.map(Into::into),
            bytes: Some(page.html.len() as u64),
            ttfb_ms: Some(20),
            ..AnswerRow::default()
        };
        self.writer.put_answer(crawl, url, &answer, None, list).unwrap();
        let title = (!page.title.is_empty()).then(|| page.title.into());
        let document = Document {
            hash: self.writer.seed().url(&format!("{}{crawl}", page.url)),
            html_key: self.writer.seed().url(page.url),
            html: (!page.html.is_empty()).then(|| self.writer.codec().pack(page.html)),
            title_count: u32::from(title.is_some()),
            title,
            ..Document::default()
        };
        self.writer.put_page(crawl, url, &document, Indexability::Indexable).unwrap();
        url
    }

    fn links(&mut self, source: &str, links: &[Link]) -> i64 {
        let hash = self.writer.seed().url(source);
        let rows: Vec<NewLink> = links
            .iter()
            .map(|(element, target, text)| {
                let shape = Shape {
                    kind: LinkKind::Anchor,
                    position: Position::Main,
                    nofollow: false,
                    noscript: false,
                    rel: "".into(),
                    window: "".into(),
                    element: (*element).into(),
                };
                NewLink {
                    target: target.map(|target| self.writer.intern(target).unwrap()),
                    shape: self.writer.shape(&shape).unwrap(),
                    href: if target.is_some() { Href::Target } else { Href::Whole("http://[") },
                    anchor: Some(text),
                    line: 1,
                    size: None,
                }
            })
            .collect();
        self.writer.put_list(hash, &rows).unwrap()
    }

    fn finish(&mut self, crawl: i64, said: &[(&str, f64)]) {
        let said: BTreeMap<String, f64> =
            said.iter().map(|(name, value)| (format!("audit.{name}"), *value)).collect();
        self.writer.build_reverse_indexes().unwrap();
        audit::evaluate(&mut self.writer, crawl, &Limits::new(&said), &mut |_| true).unwrap();
        self.writer.set_crawl(crawl, "finished", None, Some(1)).unwrap();
    }

    fn rows(&self, crawl: i64, table: &str, filter: &Filter) -> u64 {
        let query = TableQuery { table: table.to_owned(), crawl, filter: Some(filter.clone()), sort: None };
        Engine::system().tables(&self.path).unwrap().open_table(&query, 1).unwrap().rows
    }
}

fn page(url: &str) -> Page<'_> {
    Page { url, title: "A title of quite an ordinary length", ..Page::default() }
}

#[test]
fn a_running_crawl_tells_what_is_there_so_far() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    let untitled = small.page(crawl, Page { title: "", ..page("https://h.test/a") });
    small.page(crawl, page("https://h.test/b"));
    small.visit(crawl, "https://h.test/c", UrlState::Queued);
    let mut live = Live::new(&mut small.writer, crawl, &Limits::new(&BTreeMap::new())).unwrap();
    live.judge(&mut small.writer, &[untitled]).unwrap();
    let insight = small.insight();
    let cards = insight.issues(crawl).unwrap();
    let missing = cards.iter().find(|card| card.audit == "title-missing").unwrap();
    assert_eq!((missing.findings, missing.urls, missing.checked, missing.before), (1, 1, 0, None));
    let overview = insight.overview(crawl).unwrap();
    assert_eq!((overview.pages, overview.indexable), (2, 2));
    let first = overview.fix_first.iter().find(|one| one.audit == "title-missing").unwrap();
    assert_eq!(first.why, "1 of 2 indexable pages is affected.");
    let state = overview.distributions.iter().find(|one| one.id == "state").unwrap();
    let bars: Vec<(&str, u64)> = state.bars.iter().map(|bar| (bar.label.as_str(), bar.count)).collect();
    assert_eq!(bars, [("Fetched", 2), ("Queued", 1)]);
    let detail = insight.url_detail(crawl, i64::from(untitled)).unwrap();
    assert_eq!(detail.inlinks, 0);
    assert!(
        detail.summary.iter().any(|fact| fact.name == "Inlinks" && fact.value.starts_with("counted when"))
    );
    assert!(detail.issues.iter().any(|issue| issue.audit == "title-missing"));
}

#[test]
fn an_empty_crawl_has_nothing_to_tell() {
    let small = Made::audit(SITE);
    let crawl = small.crawl;
    let insight = small.insight();
    let overview = insight.overview(crawl).unwrap();
    assert_eq!((overview.pages, overview.fix_first.len()), (0, 0));
    assert!(overview.distributions.iter().all(|one| one.bars.is_empty()));
    assert!(insight.issues(crawl).unwrap().is_empty());
    let pulse = insight.pulse(crawl).unwrap();
    assert!(pulse.hosts.is_empty() && pulse.problems.is_empty());
}

#[test]
fn another_rule_is_not_compared() {
    let mut small = Made::audit(SITE);
    let before = |small: &Made, crawl: i64| {
        let cards = small.insight().issues(crawl).unwrap();
        cards.iter().find(|card| card.audit == "title-too-short").unwrap().before
    };
    let crawls = [small.crawl, small.begin(SITE, "audit", ""), small.begin(SITE, "audit", "")];
    for crawl in crawls {
        small.page(crawl, Page { title: "Short", ..page("https://h.test/a") });
    }
    small.finish(crawls[0], &[]);
    small.finish(crawls[1], &[]);
    small.finish(crawls[2], &[("title_min", 20.0)]);
    assert_eq!(before(&small, crawls[0]), None);
    assert_eq!(before(&small, crawls[1]), Some(1));
    assert_eq!(before(&small, crawls[2]), None, "the threshold was another one");
    let version = "UPDATE evaluation SET version = version + 1 WHERE crawl = ?1";
    small.writer.run(version, &[crawls[0].into()]).unwrap();
    assert_eq!(before(&small, crawls[1]), None, "the rule was another one");
}

#[test]
fn many_targets_of_one_template_are_one_group() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    for n in 0..300 {
        let (url, gone) = (format!("https://h.test/p/{n}"), format!("https://h.test/gone/{n}"));
        small.page(crawl, Page { links: &[("body>main>p>a", Some(&gone), "a")], ..page(&url) });
        let gone = small.visit(crawl, &gone, UrlState::Failed);
        small.writer.put_answer(crawl, gone, &AnswerRow::default(), None, None).unwrap();
    }
    small.finish(crawl, &[]);
    let groups = small.insight().issue_groups(crawl, "links-to-broken").unwrap();
    assert_eq!(groups.len(), 1);
    assert_eq!((groups[0].label.as_str(), groups[0].findings, groups[0].urls), ("main > p > a", 300, 300));
    assert_eq!(small.rows(crawl, "findings", &groups[0].filter), 300);
}

#[test]
fn directories_are_told_apart_where_urls_differ() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    let urls = ["en/shop/a", "en/shop/b", "en/Shop/c", "en/about", "en/shop/deep/er/d", "en/?x=/shop/"];
    for url in urls {
        small.page(crawl, Page { title: "", ..page(&format!("https://h.test/{url}")) });
    }
    small.finish(crawl, &[]);
    let groups = small.insight().issue_groups(crawl, "title-missing").unwrap();
    let told: Vec<(&str, u64)> = groups.iter().map(|group| (group.label.as_str(), group.findings)).collect();
    assert_eq!(told, [("/en/shop/", 3), ("/en/", 2), ("/en/Shop/", 1)]);
    for group in &groups {
        assert_eq!(small.rows(crawl, "findings", &group.filter), group.findings, "{}", group.label);
    }
}

#[test]
fn texts_that_differ_in_case_are_one_group() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    let titles = ["Grüner Tee (50 g) [neu]", "GRÜNER TEE (50 g) [neu]", "Schwarzer Tee in guter Qualität"];
    for n in 0..6 {
        small.page(crawl, Page { title: titles[n % 3], ..page(&format!("https://h.test/{n}")) });
    }
    small.finish(crawl, &[]);
    let groups = small.insight().issue_groups(crawl, "title-duplicate").unwrap();
    let told: Vec<(&str, u64)> = groups.iter().map(|group| (group.label.as_str(), group.findings)).collect();
    assert_eq!(told, [(titles[0], 4), (titles[2], 2)]);
    for group in &groups {
        assert_eq!(small.rows(crawl, "findings", &group.filter), group.findings, "{}", group.label);
    }
}

#[test]
fn content_types_are_counted_without_their_parameters() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    let sent = [
        "text/html",
        "Text/HTML; charset=UTF-8",
        "text/html;charset=latin1",
        "text/html5",
        "a/a",
        "a/b",
        "a/c",
        "a/d",
        "a/e",
        "a/f",
        "a/g",
        "a/h",
    ];
    for (n, content_type) in sent.iter().enumerate() {
        small.page(crawl, Page { content_type: Some(content_type), ..page(&format!("https://h.test/{n}")) });
    }
    small.page(crawl, Page { content_type: Some(""), ..page("https://h.test/empty") });
    small.page(crawl, page("https://h.test/none"));
    let overview = small.insight().overview(crawl).unwrap();
    let types = overview.distributions.iter().find(|one| one.id == "content_type").unwrap();
    let told: Vec<(&str, u64)> = types.bars.iter().map(|bar| (bar.label.as_str(), bar.count)).collect();
    assert_eq!(told[0], ("text/html", 3));
    assert_eq!(told[8..], [("Other", 2), ("None sent", 2)]);
    for bar in &types.bars {
        assert_eq!(small.rows(crawl, "urls", &bar.filter), bar.count, "{}", bar.label);
    }
}

#[test]
fn html_is_decoded_as_the_crawl_decoded_it() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    let mut check = |n: u32, html: &[u8], content_type: Option<&str>, expect: &str| {
        let url = format!("https://h.test/{n}");
        let id = small.page(crawl, Page { html, content_type, ..page(&url) });
        let text = small.insight().url_html(crawl, store::key(crawl, id)).unwrap();
        assert_eq!(text.as_deref(), Some(expect));
    };
    check(1, b"<p>caf\xE9", Some("text/html; charset=iso-8859-1"), "<p>café");
    check(2, b"<meta charset=windows-1251><p>\xF7\xE0\xE9", None, "<meta charset=windows-1251><p>чай");
    check(3, b"\xEF\xBB\xBF<p>t\xC3\xA9", Some("text/html; charset=iso-8859-1"), "<p>té");
    check(4, b"<p>\xC3\xA9 \xFF", Some("text/html; charset=utf-8"), "<p>é \u{FFFD}");
}

#[test]
fn the_preview_has_the_limits_of_the_crawl() {
    let mut small = Made::new(SITE, "audit", "[audit]\ntitle_px_max = 500\n");
    let limits = |small: &Made, crawl: i64, url: u32| {
        let preview = small.insight().url_detail(crawl, i64::from(url)).unwrap().preview.unwrap();
        (preview.title_max_px, preview.description_max_px)
    };
    let crawl = small.crawl;
    let url = small.page(crawl, page("https://h.test/a"));
    assert_eq!(limits(&small, crawl, url), (500, 985), "as the crawl was begun");
    small.finish(crawl, &[("title_px_max", 450.0), ("description_px_max", f64::INFINITY)]);
    assert_eq!(
        limits(&small, crawl, url),
        (450, 985),
        "as it was judged; a limit that is never reached is none to draw"
    );
}

/// Each number of a section opens as many rows, and medians are of its pages alone.
#[test]
fn sections_are_told_with_what_is_usual_in_them() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    for n in 0..9 {
        let html = "x".repeat(100 + n * 10);
        let url = format!("https://h.test/blog/{n}");
        small.page(crawl, Page { html: html.as_bytes(), ..page(&url) });
    }
    for n in 0..8 {
        small.page(crawl, Page { title: "", ..page(&format!("https://h.test/{n}")) });
    }
    for n in 0..7 {
        small.page(crawl, page(&format!("https://h.test/few/{n}")));
    }
    let gone = small.visit(crawl, "https://h.test/blog/gone", UrlState::Fetched);
    let answer = AnswerRow { method: 1, status: Some(404), ..AnswerRow::default() };
    small.writer.put_answer(crawl, gone, &answer, None, None).unwrap();
    small.visit(crawl, "https://h.test/blog/lost", UrlState::Failed);
    small.finish(crawl, &[]);
    let sections = small.insight().sections(crawl).unwrap();
    let told: Vec<(&str, u64, Option<u64>)> =
        sections.iter().map(|one| (one.section.as_str(), one.pages, one.bytes)).collect();
    assert_eq!(told, [("https://h.test/blog/", 9, Some(140)), ("https://h.test/", 8, Some(0))]);
    assert!(sections[1].findings >= 8, "{:?}", sections[1]);
    for one in &sections {
        assert_eq!(small.rows(crawl, "pages", &one.filter), one.pages, "{}", one.section);
        for bar in &one.outcomes {
            assert_eq!(small.rows(crawl, "urls", &bar.filter), bar.count, "{} {}", one.section, bar.label);
        }
    }
    let labels: Vec<&str> = sections[0].outcomes.iter().map(|bar| bar.label.as_str()).collect();
    assert_eq!(labels, ["2xx", "4xx", "No answer"]);
}

/// One element with one fault on many pages is one thing to fix; values that differ from page to page are not.
#[test]
fn flaws_are_grouped_by_their_element() {
    let mut small = Made::audit(SITE);
    let crawl = small.crawl;
    for n in 0..6 {
        let url = format!("https://h.test/{n}");
        let id = small.page(crawl, page(&url));
        let flaw = |element: &str, detail: &str| FlawRow {
            kind: FlawKind::DuplicateId,
            line: 1,
            element: Some(element.into()),
            detail: detail.into(),
        };
        let own = format!("own-{n}");
        let mut flaws = vec![flaw("body>nav>a", "menu"), flaw("body>nav>a", "menu")];
        if n == 0 {
            flaws.push(flaw("body>main>p", &own));
        }
        let document = Document { hash: 1_000 + n, flaws, ..Document::default() };
        small.writer.run("DELETE FROM page WHERE key = ?1", &[store::key(crawl, id).into()]).unwrap();
        small.writer.put_page(crawl, id, &document, Indexability::Indexable).unwrap();
    }
    small.finish(crawl, &[]);
    let groups = small.insight().issue_groups(crawl, "duplicate-id").unwrap();
    let told: Vec<(&str, u64, u64)> =
        groups.iter().map(|group| (group.label.as_str(), group.findings, group.urls)).collect();
    assert_eq!(told, [("nav > a: menu", 12, 6), ("main > p: own-0", 1, 1)]);
    for group in &groups {
        assert_eq!(small.rows(crawl, "findings", &group.filter), group.findings, "{}", group.label);
    }
    let mut templates = Vec::new();
    small
        .writer
        .rows(
            "SELECT element, value, pages, findings FROM v_templates WHERE crawl = ?1 AND audit = 'duplicate-id' ORDER BY findings DESC",
            &[crawl.into()],
            &mut |row| {
                templates.push((row.text(0).to_owned(), row.text(1).to_owned(), row.int(2), row.int(3)));
                Ok(())
            },
        )
        .unwrap();
    let expect = [("body>nav>a", "menu", 6, 12), ("body>main>p", "own-0", 1, 1)];
    assert_eq!(
        templates,
        expect.map(|(element, value, pages, n)| (element.to_owned(), value.to_owned(), pages, n))
    );
}
