//! The srcset algorithm and the parser of meta refresh.

use crate::{Verdicts, folder, rows, text};
use gossamer_parse::{meta_refresh, srcset};
use serde_json::Value;

pub(crate) const SRCSET: &str = "srcset";
pub(crate) const REFRESH: &str = "meta-refresh";

#[test]
fn srcset_candidates() {
    let Some(folder) = folder("srcset") else { return };
    let mut verdicts = Verdicts::of(SRCSET);
    for (n, row) in rows(&folder.join("srcset.json")).iter().enumerate() {
        let number = |value: &Value| value.as_f64();
        // The data leave out a density of zero, which is falsy where they were made.
        let density = |density: Option<f64>| density.filter(|density| *density != 0.0);
        let expect: Vec<_> = row["candidates"]
            .as_array()
            .expect("a list of candidates")
            .iter()
            .map(|c| (text(c, "url").to_owned(), number(&c["w"]), number(&c["h"]), number(&c["d"])))
            .collect();
        let got: Vec<_> = srcset(row["srcset"].as_str().expect("an attribute"))
            .candidates
            .iter()
            .map(|c| {
                (c.url.to_owned(), c.width.map(|w| w as f64), c.height.map(|h| h as f64), density(c.density))
            })
            .collect();
        let fault = (got != expect).then(|| format!("{}: {got:?} for {expect:?}", row["srcset"]));
        verdicts.row(format_args!("{n} {}", text(row, "desc")), fault);
    }
    verdicts.judge(229);
}

#[test]
fn meta_refreshes() {
    let Some(folder) = folder("meta-refresh") else { return };
    let mut verdicts = Verdicts::of(REFRESH);
    for row in rows(&folder.join("refresh.json")) {
        let content = row["content"].as_str().expect("an attribute");
        let got = meta_refresh(content).map(|r| (u64::from(r.delay), r.url.map(cleaned)));
        let expect = row["refresh"].as_object().map(|r| {
            (r["seconds"].as_u64().expect("a number of seconds"), r["url"].as_str().map(str::to_owned))
        });
        let fault = (got != expect).then(|| format!("{got:?} for {expect:?}"));
        verdicts.row(format_args!("{content:?}"), fault);
    }
    verdicts.judge(69);
}

/// The data give the address as a URL parser takes it.
fn cleaned(url: &str) -> String {
    url.trim().replace(['\t', '\n', '\r'], "")
}
