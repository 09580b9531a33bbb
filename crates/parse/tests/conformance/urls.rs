//! URL parsing and resolution, as a link of a page meets it.

use crate::{Verdicts, folder, rows, text};
use gossamer_parse::{Document, html};
use model::LinkTarget;
use model::address::resolve;
use serde_json::Value;
use std::path::Path;
use url::Url;

pub(crate) const WPT: &str = "url-wpt";
pub(crate) const HTTP_SUBSET: &str = "url-wpt-http";
pub(crate) const RESOLVE: &str = "url-resolve";

/// The target of a link on a page with this address; no address at all where there is no base.
fn target(href: &str, base: Option<&str>) -> Option<String> {
    // HTML cannot carry NUL: its tokenizer puts U+FFFD in its place. Such a reference can only come from elsewhere.
    if href.contains('\0') {
        let base = base.map(|base| Url::parse(base).expect("a base that parses"));
        let mut url = base.map_or_else(|| Url::parse(href), |base| resolve(&base, href)).ok()?;
        if matches!(url.scheme(), "http" | "https") {
            url.set_fragment(None);
        }
        return Some(url.into());
    }
    let mut page = "<a href=\"".to_owned();
    for c in href.chars() {
        match c {
            '"' | '&' | '\r' => page.push_str(&format!("&#{};", c as u32)),
            _ => page.push(c),
        }
    }
    page.push_str("\">x</a>");
    let document = Document {
        body: page.as_bytes(),
        url: base.unwrap_or_default(),
        headers: &[],
        content_type: Some("text/html; charset=utf-8"),
    };
    match html(&document).links.first().map(|link| link.target.clone()) {
        Some(LinkTarget::Http(url) | LinkTarget::OtherScheme(url)) => Some(url.into_string()),
        _ => None,
    }
}

fn fault(input: &str, base: Option<&str>, href: Option<&str>) -> Option<String> {
    // The fragment of a web address stands on the raw href, not on the target; other schemes keep theirs.
    let expect = href.map(|href| {
        if href.starts_with("http") { href.split('#').next().unwrap_or(href) } else { href }.to_owned()
    });
    let got = target(input, base);
    (got != expect).then(|| format!("{input:?} on {base:?}: {got:?} for {expect:?}"))
}

#[test]
fn web_platform_tests() {
    let Some(folder) = folder("url-wpt") else { return };
    let mut verdicts = Verdicts::of(WPT);
    // Texts between the cases are remarks.
    let cases = rows(&folder.join("urltestdata.json")).into_iter().enumerate();
    for (n, row) in cases.filter(|(_, row)| !row.is_string()) {
        let href = row["href"].as_str();
        assert_eq!(href.is_none(), row["failure"] == Value::Bool(true), "{row}");
        let input = row["input"].as_str().expect("a reference");
        verdicts.row(n, fault(input, row["base"].as_str(), href));
    }
    verdicts.judge(869);
}

#[test]
fn web_platform_tests_of_http() {
    let Some(folder) = folder("url-wpt") else { return };
    let mut verdicts = Verdicts::of(HTTP_SUBSET);
    for row in rows(&folder.join("http-subset.jsonl")) {
        let href = row["href"].as_str();
        assert_eq!(href.is_none(), row["failure"] == Value::Bool(true), "{row}");
        let input = row["input"].as_str().expect("a reference");
        verdicts.row(&row["n"], fault(input, row["base"].as_str(), href));
    }
    verdicts.judge(470);
}

#[test]
fn crawler_commons_resolution() {
    let Some(folder) = folder("sitemaps-crawler-commons") else { return };
    let mut verdicts = Verdicts::of(RESOLVE);
    for line in lines(&folder.join("url-utils/url-resolve.csv")) {
        let cells: Vec<&str> = line.split(", ").map(|cell| cell.trim_matches('"')).collect();
        let [input, base, expect] = cells[..] else { panic!("three cells: {line}") };
        verdicts.row(&line, fault(input, (!base.is_empty()).then_some(base), Some(expect)));
    }
    verdicts.judge(22);
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the file is readable");
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn the_rows_of_http_are_rows_of_all() {
    let Some(folder) = folder("url-wpt") else { return };
    let all = rows(&folder.join("urltestdata.json"));
    for row in rows(&folder.join("http-subset.jsonl")) {
        let n = usize::try_from(row["n"].as_u64().expect("a number")).expect("a small one");
        assert_eq!(text(&all[n], "input"), text(&row, "input"), "{row}");
    }
}
