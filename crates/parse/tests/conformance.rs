//! Conformance data of others, read where it is present (`../shared/conformance` beside the repository).
//!
//! Each set has a file of exceptions in `tests/exceptions`: an id and a reason a line. A row that fails without an
//! exception fails the test, and so does an exception that is no longer needed.

use gossamer_parse::{Document, SitemapKind, charset, html, meta_refresh, sitemap, srcset};
use model::LinkTarget;
use model::facts::CharsetSource;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of a set, or `None`, said visibly.
fn folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance").join(name);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: {} is not present", path.display());
    None
}

fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the file is readable");
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).expect("the file is JSON");
    }
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Holds the failures of a set against its exceptions.
fn judge(set: &str, total: usize, failures: &BTreeMap<String, String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exceptions").join(format!("{set}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let exceptions: BTreeMap<&str, &str> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once('\t').expect("an exception is an id, a tab and a reason"))
        .collect();
    let unexpected: Vec<_> =
        failures.iter().filter(|(id, _)| !exceptions.contains_key(id.as_str())).collect();
    let unneeded: Vec<_> = exceptions.keys().filter(|id| !failures.contains_key(**id)).collect();
    assert!(unexpected.is_empty(), "{set}: {} of {total} fail:\n{unexpected:#?}", unexpected.len());
    assert!(unneeded.is_empty(), "{set}: exceptions no longer needed: {unneeded:?}");
    assert!(total > 0, "{set}: no rows");
}

fn text<'v>(row: &'v Value, key: &str) -> &'v str {
    row[key].as_str().unwrap_or_default()
}

#[test]
fn charset_sniffer() {
    let Some(folder) = folder("charset-sniffer") else { return };
    let (mut failures, mut total) = (BTreeMap::new(), 0);
    for row in rows(&folder.join("manifest.jsonl")) {
        total += 1;
        let body = std::fs::read(folder.join(text(&row, "file"))).expect("the fixture is readable");
        let header = row["http_charset"].as_str().map(|label| format!("text/html; charset={label}"));
        let got = charset(&body, header.as_deref());
        let default = row["default"].as_str().unwrap_or("windows-1252");
        let declared = matches!(got.source, CharsetSource::Bom | CharsetSource::Header | CharsetSource::Meta);
        let name = if declared { got.encoding.name() } else { default };
        if !name.eq_ignore_ascii_case(text(&row, "expected")) {
            let id = format!("{} {} {default}", text(&row, "file"), row["http_charset"]);
            failures.insert(id, format!("{name} for {}", row["expected"]));
        }
    }
    judge("charset-sniffer", total, &failures);
}

#[test]
fn charset_html5lib() {
    let Some(folder) = folder("charset-html5lib") else { return };
    let (mut failures, mut total) = (BTreeMap::new(), 0);
    for row in rows(&folder.join("prescan.jsonl")) {
        total += 1;
        let body = row["html"]
            .as_str()
            .map_or_else(|| base64(text(&row, "html_b64")), |html| html.as_bytes().to_vec());
        let got = charset(&body, None);
        let declared = matches!(got.source, CharsetSource::Bom | CharsetSource::Meta);
        let name = if declared { got.encoding.name() } else { "windows-1252" };
        let label = text(&row, "expected");
        let expected =
            encoding_rs::Encoding::for_label(label.as_bytes()).map_or(label, |encoding| encoding.name());
        if !name.eq_ignore_ascii_case(expected) {
            failures.insert(text(&row, "id").to_owned(), format!("{name} for {expected}"));
        }
    }
    judge("charset-html5lib", total, &failures);
}

fn base64(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().filter_map(|byte| alphabet.iter().position(|c| *c == byte)) {
        bits = (bits << 6) | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

#[test]
fn srcset_candidates() {
    let Some(folder) = folder("srcset") else { return };
    let (mut failures, mut total) = (BTreeMap::new(), 0);
    for row in rows(&folder.join("srcset.json")) {
        total += 1;
        let number = |value: &Value| value.as_f64();
        // The data leave out a density of zero, which is falsy where they were made.
        let density = |density: Option<f64>| density.filter(|density| *density != 0.0);
        let expect: Vec<_> = row["candidates"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|c| (text(c, "url").to_owned(), number(&c["w"]), number(&c["h"]), number(&c["d"])))
            .collect();
        let got: Vec<_> = srcset(text(&row, "srcset"))
            .candidates
            .iter()
            .map(|c| {
                (c.url.to_owned(), c.width.map(|w| w as f64), c.height.map(|h| h as f64), density(c.density))
            })
            .collect();
        if got != expect {
            let id = format!("{}: {}", text(&row, "group"), text(&row, "desc"));
            failures.insert(id, format!("{got:?} for {expect:?}"));
        }
    }
    judge("srcset", total, &failures);
}

#[test]
fn meta_refreshes() {
    let Some(folder) = folder("meta-refresh") else { return };
    let (mut failures, mut total) = (BTreeMap::new(), 0);
    for row in rows(&folder.join("refresh.json")) {
        total += 1;
        let got = meta_refresh(text(&row, "content")).map(|r| (u64::from(r.delay), r.url.map(cleaned)));
        // The data give the address as a URL parser takes it.
        let expect = row["refresh"]
            .as_object()
            .map(|r| (r["seconds"].as_u64().unwrap_or(u64::MAX), r["url"].as_str().map(str::to_owned)));
        if got != expect {
            failures.insert(format!("{:?}", text(&row, "content")), format!("{got:?} for {expect:?}"));
        }
    }
    judge("meta-refresh", total, &failures);
}

fn cleaned(url: &str) -> String {
    url.trim().replace(['\t', '\n', '\r'], "")
}

#[test]
fn urls_of_the_web_platform_tests() {
    let Some(folder) = folder("url-wpt") else { return };
    let (mut failures, mut total) = (BTreeMap::new(), 0);
    for row in rows(&folder.join("http-subset.jsonl")) {
        total += 1;
        let mut page = "<a href=\"".to_owned();
        for c in text(&row, "input").chars() {
            match c {
                '"' | '&' | '\r' => page.push_str(&format!("&#{};", c as u32)),
                _ => page.push(c),
            }
        }
        page.push_str("\">x</a>");
        let url = row["base"].as_str().unwrap_or("ftp://no-base.invalid/");
        let document = Document {
            body: page.as_bytes(),
            url,
            headers: &[],
            content_type: Some("text/html; charset=utf-8"),
        };
        let facts = html(&document);
        let got = match facts.links.first().map(|link| &link.target) {
            Some(LinkTarget::Http(url) | LinkTarget::OtherScheme(url)) => Some(url.to_string()),
            _ => None,
        };
        let expect = row["href"].as_str().map(|href| {
            // Fragments are kept on the raw href, not on the target; other schemes keep theirs.
            if href.starts_with("http") { href.split('#').next().unwrap_or(href) } else { href }.to_owned()
        });
        if got != expect {
            failures.insert(
                row["n"].to_string(),
                format!("{:?} on {url}: {got:?} for {expect:?}", text(&row, "input")),
            );
        }
    }
    judge("url-wpt", total, &failures);
}

#[test]
fn sitemaps_of_crawler_commons() {
    let Some(folder) = folder("sitemaps-crawler-commons") else { return };
    let (mut failures, mut total) = (BTreeMap::new(), 0);
    for row in rows(&folder.join("sitemap-tests.jsonl")) {
        total += 1;
        let body = match row["file"].as_str() {
            Some(file) => std::fs::read(folder.join(file)).expect("the fixture is readable"),
            None => text(&row, "body").as_bytes().to_vec(),
        };
        let mut entries = Vec::new();
        let report = sitemap(&mut body.as_slice(), 1 << 30, &mut |entry| entries.push(entry.loc.to_string()));
        let expect = &row["expect"];
        let is_index = report.kind == SitemapKind::Index;
        let wanted = if is_index { &expect["sitemaps"] } else { &expect["pages"] };
        let mut faults = Vec::new();
        if wanted.as_u64() != Some(entries.len() as u64) {
            faults.push(format!("{} entries for {expect}", entries.len()));
        }
        if let Some(first) =
            expect["first_page"].as_str().filter(|first| entries.first().is_none_or(|e| e != first))
        {
            faults.push(format!("first is {:?} for {first}", entries.first()));
        }
        if let Some(urls) = expect["urls"].as_array()
            && urls.iter().filter_map(Value::as_str).ne(entries.iter().map(String::as_str))
        {
            faults.push(format!("{entries:?} for {urls:?}"));
        }
        if !faults.is_empty() {
            failures.insert(text(&row, "id").to_owned(), format!("{faults:?} {:?}", report.problems));
        }
    }
    judge("sitemaps-crawler-commons", total, &failures);
}

#[test]
fn fixtures_of_html_look_like_html() {
    let Some(folder) = folder("charset-sniffer") else { return };
    let body = std::fs::read(folder.join("test/fixtures/bom/UTF-8.html")).expect("the fixture is readable");
    assert!(model::sniff::looks_like_html(&body));
}
