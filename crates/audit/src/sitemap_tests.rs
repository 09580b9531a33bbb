//! What the cases beside the audits of sitemaps and URLs cannot show: evidence, limits, other jobs.

use crate::scene::{CRAWL, evaluate, found, limits, stage};
use crate::{Fact, Limits};
use std::collections::BTreeMap;
use store::{Value, Writer};

const HOME: &str = "https://site.example/";
const FILE: &str = "https://site.example/sitemap.xml";

/// A site whose sitemap lists its home page, and not /a.
fn site() -> Writer {
    let mut writer =
        stage(&[Fact::page(HOME, &["https://site.example/a"]), Fact::page("https://site.example/a", &[])]);
    file(&mut writer, 1, FILE, 1);
    entry(&mut writer, 0, HOME, None);
    writer
}

fn file(writer: &mut Writer, id: i64, url: &str, entries: i64) {
    writer
        .run(
            "INSERT INTO sitemap(id, crawl, url, status, kind, entries, bytes) VALUES(?1, ?2, ?3, 200, 'urlset', ?4, 100)",
            &[id.into(), CRAWL.into(), url.into(), entries.into()],
        )
        .unwrap();
}

/// An entry of the first file.
fn entry(writer: &mut Writer, n: i64, loc: &str, lastmod: Option<&str>) {
    let url = i64::from(writer.intern(loc).unwrap());
    writer
        .run(
            "INSERT INTO sitemap_entry(sitemap, n, url, raw, lastmod) VALUES(1, ?1, ?2, ?3, ?4)",
            &[n.into(), url.into(), loc.into(), lastmod.map_or(Value::Null, Value::from)],
        )
        .unwrap();
}

fn judged(writer: &mut Writer, audit: &str) -> Vec<(String, usize)> {
    evaluate(writer, &limits(&[]));
    found(writer, audit)
}

/// URL and evidence of each finding of an audit.
fn evidence(writer: &mut Writer, audit: &str) -> Vec<(String, serde_json::Value)> {
    let mut rows = Vec::new();
    writer
        .rows(
            "SELECT url, evidence FROM v_issues WHERE audit = ?1 ORDER BY url",
            &[audit.into()],
            &mut |row| {
                rows.push((row.text(0).to_owned(), serde_json::from_str(row.text(1)).unwrap()));
                Ok(())
            },
        )
        .unwrap();
    rows
}

#[test]
fn evidence_names_the_place_in_the_sitemap() {
    let mut writer = site();
    entry(&mut writer, 1, "https://site.example/gone", Some("last spring"));
    writer.put_sitemap_problem(1, 0, "namespace-wrong", (2, 9), "http://x/").unwrap();
    writer.put_sitemap_problem(1, 1, "xml-error", (312, 7), "it ends within url").unwrap();
    let gone = Fact { status: Some(410), ..Fact::failed("https://site.example/gone", "") };
    crate::scene::put(&mut writer, &gone, None, model::state::Indexability::ClientError, &[]);
    evaluate(&mut writer, &limits(&[]));
    let broken = evidence(&mut writer, "sitemap-has-error");
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert_eq!(broken[0].0, "https://site.example/gone");
    for (name, expect) in [
        ("sitemap", serde_json::json!(FILE)),
        ("entry", "https://site.example/gone".into()),
        ("entry_number", 2.into()),
        ("lastmod", "last spring".into()),
        ("status", 410.into()),
    ] {
        assert_eq!(broken[0].1[name], expect, "{name}");
    }
    let dates = evidence(&mut writer, "sitemap-lastmod-bad");
    assert_eq!((dates.len(), dates[0].0.as_str()), (1, FILE));
    assert_eq!(dates[0].1["lastmod"], "last spring");
    let malformed = evidence(&mut writer, "sitemap-malformed");
    let places: Vec<String> = malformed
        .iter()
        .map(|(url, evidence)| {
            format!("{url} {} {}:{}", evidence["problem"], evidence["line"], evidence["column"])
        })
        .collect();
    assert_eq!(places, [format!("{FILE} \"xml-error\" 312:7"), format!("{FILE} \"namespace-wrong\" 2:9")]);
}

#[test]
fn what_was_not_read_to_its_end_may_list_anything() {
    let check = |change: &str, expect: usize| {
        let mut writer = site();
        file(&mut writer, 2, "https://site.example/more.xml", 0);
        writer.batch(change).unwrap();
        let found = judged(&mut writer, "not-in-sitemap");
        assert_eq!(found.len(), expect, "{change}: {found:?}");
    };
    check("", 1);
    for sql in [
        "UPDATE sitemap SET truncated = 1 WHERE id = 1",
        "UPDATE sitemap SET status = NULL WHERE id = 2",
        "UPDATE sitemap SET status = NULL, error = 'timeout: ' WHERE id = 2",
        "UPDATE sitemap SET status = 503 WHERE id = 2",
        "UPDATE sitemap SET status = 403 WHERE id = 2",
        "INSERT INTO sitemap_problem VALUES(2, 0, 'incomplete', 0, 0, '')",
        "INSERT INTO sitemap_problem VALUES(1, 0, 'too-many-sitemaps', 0, 0, '')",
        // A list, of which nothing is known beside its URLs.
        "DELETE FROM sitemap_entry",
    ] {
        check(sql, 0);
    }
    // A file that does not exist lists nothing, nor does what comes after a fault of the file's own.
    check("UPDATE sitemap SET status = 404 WHERE id = 2", 1);
    check("INSERT INTO sitemap_problem VALUES(1, 0, 'xml-error', 3, 1, '')", 1);
    // Another host of the site has no sitemap.
    let elsewhere = "INSERT INTO host(id, origin, name) VALUES(99, 'https://b.site.example', 'b.site.example');
                     UPDATE visit SET host = 99 WHERE key & 4294967295 = (SELECT id FROM url WHERE text = 'https://site.example/a')";
    check(elsewhere, 0);
}

#[test]
fn the_usual_places_are_named_by_nobody_in_a_check() {
    let audits = ["sitemap-none", "sitemap-unreachable", "sitemap-malformed", "sitemap-empty"];
    let check = |job: &str, robots: &str, change: &str, expect: [usize; 4]| {
        let mut writer = stage(&[Fact::page(HOME, &[])]);
        writer.run("UPDATE crawl SET job = ?1", &[job.into()]).unwrap();
        for (id, place) in ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"].iter().enumerate() {
            file(&mut writer, id as i64 + 1, &format!("https://site.example{place}"), 0);
        }
        writer
            .run(
                "INSERT INTO robots(crawl, host, state, hops, fetched, flags, body) SELECT 1, id, 'ok', 0, 0, 0, CAST(?1 AS BLOB) FROM host",
                &[robots.into()],
            )
            .unwrap();
        writer
            .batch(&format!(
                "UPDATE visit SET found = 1; UPDATE sitemap SET status = 404, kind = 'unknown'; {change}"
            ))
            .unwrap();
        evaluate(&mut writer, &limits(&[]));
        let found = audits.map(|audit| found(&mut writer, audit).len());
        assert_eq!(found, expect, "{job}, {robots:?}, {change}");
    };
    let page = "UPDATE sitemap SET status = 200; INSERT INTO sitemap_problem SELECT id, 0, 'html', 1, 1, '' FROM sitemap";
    check("check", "", "", [1, 0, 0, 0]);
    check("check", "", page, [1, 0, 0, 0]);
    check("check", "", "UPDATE sitemap SET status = 503 WHERE id = 3", [0, 0, 0, 0]);
    check("check", "", "UPDATE sitemap SET status = 200, kind = 'urlset' WHERE id = 1", [0, 0, 0, 0]);
    check("check", "Sitemap: https://site.example/sitemap.xml", "", [0, 1, 0, 0]);
    check("check", "Sitemap: https://site.example/sitemap.xml", page, [0, 0, 1, 0]);
    check("audit", "", "", [0, 3, 0, 0]);
    check("audit", "", page, [0, 0, 3, 0]);
}

#[test]
fn variants_stand_beside_each_other_in_whatever_order_they_came() {
    let urls = ["https://site.example/a", "https://site.example/A", "https://site.example/b"];
    let check = |order: &[usize]| {
        let facts: Vec<Fact> = order.iter().map(|at| Fact::page(urls[*at], &[])).collect();
        let mut writer = stage(&facts);
        writer.batch("UPDATE document SET text_hash = 7").unwrap();
        evaluate(&mut writer, &Limits::new(&BTreeMap::new()));
        let beside: Vec<(String, String)> = evidence(&mut writer, "url-case-variants")
            .into_iter()
            .map(|(url, evidence)| (url, evidence["other_url"].as_str().unwrap_or_default().to_owned()))
            .collect();
        let pair = |one: usize, other: usize| (urls[one].to_owned(), urls[other].to_owned());
        assert_eq!(beside, [pair(1, 0), pair(0, 1)], "{order:?}");
        writer.batch("UPDATE document SET text_hash = 0").unwrap();
        assert!(judged(&mut writer, "url-case-variants").is_empty(), "pages without text are not the same");
    };
    check(&[0, 1, 2]);
    check(&[2, 1, 0]);
}
