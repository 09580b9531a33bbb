//! What the program tells a person about the crawl of a hard case, compared with what the case expects.

use crate::cases::{Case, CaseServer};
use crate::results::rows;
use crate::subject::Subject;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// What the program tells a person about a crawl, as far as cases ask for it.
#[derive(Debug)]
pub struct Told {
    /// target, kind, raw_href, verdict, source, anchor, rel
    links: Vec<Vec<String>>,
    /// url, state, status, reason, indexability
    urls: Vec<Vec<String>>,
    /// url, title, indexable
    pages: Vec<Vec<String>>,
    /// url, final_status
    redirects: Vec<Vec<String>>,
    /// url, status of one of several requests
    attempts: Vec<Vec<String>>,
    /// url, audit, evidence
    issues: Vec<Vec<String>>,
}

impl Told {
    pub fn read(project: &Path) -> Self {
        Self {
            links: rows(
                project,
                "v_links",
                &["target", "kind", "raw_href", "verdict", "source", "anchor", "rel"],
            ),
            urls: rows(project, "v_urls", &["url", "state", "status", "reason", "indexability"]),
            pages: rows(project, "v_pages", &["url", "title", "indexable"]),
            redirects: rows(project, "v_redirects", &["url", "final_status"]),
            attempts: rows(project, "v_attempts", &["url", "status"]),
            issues: rows(project, "v_issues", &["url", "audit", "evidence"]),
        }
    }

    /// Where the verdicts on links differ from what the case expects.
    pub fn link_faults(&self, server: &CaseServer, case: &Case) -> Vec<String> {
        let mut faults = Vec::new();
        for expectation in case.script["expect"]["links"].as_array().into_iter().flatten() {
            let part = |at: usize| expectation.get(at).and_then(Value::as_str).unwrap_or_default();
            let (subject, word, note) = (part(0), part(1), part(2));
            // A note such as "or truncated" names a second right answer.
            let also = ["truncated", "network-error", "timeout", "ok", "broken"];
            let also = also.into_iter().filter(|word| note.contains(&format!("or {word}")));
            let words: Vec<&str> = std::iter::once(word).chain(also).collect();
            match Subject::read(subject, server, case) {
                Subject::Targets(targets) => {
                    for target in targets {
                        if !words.iter().any(|word| self.says(&target, word)) {
                            faults.push(format!(
                                "{target}: {words:?} expected, told {}",
                                self.describe(&target)
                            ));
                        }
                    }
                }
                Subject::Hrefs(hrefs) => {
                    for href in hrefs {
                        if !words.iter().any(|word| self.says_of_href(&href, word)) {
                            let told: Vec<_> =
                                self.links.iter().filter(|link| link[2].ends_with(&href)).collect();
                            faults.push(format!("href {href}: {words:?} expected, told {told:?}"));
                        }
                    }
                }
                Subject::Count(count, kinds) => {
                    let of_kind = self.links.iter().filter(|link| kinds.contains(&link[1].as_str()));
                    let targets: BTreeSet<&String> = of_kind.map(|link| &link[0]).collect();
                    let right = targets
                        .iter()
                        .filter(|target| words.iter().any(|word| self.says(target, word)))
                        .count();
                    if right < count {
                        let told: Vec<String> =
                            targets.iter().map(|t| format!("{t} {}", self.describe(t))).collect();
                        faults.push(format!("{count} {words:?} expected, {right} told: {}", told.join("; ")));
                    }
                }
                Subject::Unclear => faults.push(format!("the test cannot read the expectation {subject:?}")),
            }
        }
        faults
    }

    /// Where what a window would show differs from what the case asks of it in prose: one check for each such case.
    pub fn shown_faults(&self, server: &CaseServer, case: &Case) -> Vec<String> {
        if case.script["expect"]["ui"].is_null() {
            return Vec::new();
        }
        match case.id.as_str() {
            "ui-link-sources" => self.occurrence_faults(&server.origin(&case.id, "main").unwrap_or_default()),
            "urls-growing-query" if self.urls.iter().any(|row| row[3].starts_with("trap: /shop?")) => {
                Vec::new()
            }
            "urls-growing-query" => vec!["the trap is not named".to_owned()],
            _ => vec![format!("the test has no check for {}", case.script["expect"]["ui"])],
        }
    }

    /// Every occurrence of a broken link: its page, kind, raw href and text.
    fn occurrence_faults(&self, origin: &str) -> Vec<String> {
        let expected = [
            ("/", "/missing", "anchor", "/missing", "Old offer", ""),
            ("/", "/missing", "anchor", "/missing#part", "see the offer", ""),
            ("/b.html", "/missing", "anchor", "missing", "Banner", ""),
            ("/b.html", "/missing", "anchor", "/missing", "again", "nofollow"),
            ("/b.html", "/r", "anchor", "/r", "via redirect", ""),
            ("/r", "/missing", "redirect", "/missing", "∅", ""),
            ("/c.html", "/missing", "next", "/missing", "∅", "next"),
            ("/b.html", "/no.png", "image", "/no.png", "Banner", ""),
        ];
        let expected: BTreeSet<Vec<String>> = expected
            .iter()
            .map(|(source, target, kind, href, text, rel)| {
                let url = |path: &str| format!("{origin}{path}");
                let words = [&url(target), *kind, *href, "broken", &url(source), *text, *rel];
                words.iter().map(|word| (*word).to_owned()).collect()
            })
            .collect();
        let broken = self.links.iter().filter(|link| link[3] == "broken").cloned();
        let told: BTreeSet<Vec<String>> = broken.collect();
        let missing = expected.difference(&told).map(|link| format!("not told: {link:?}"));
        missing.chain(told.difference(&expected).map(|link| format!("told: {link:?}"))).collect()
    }

    fn verdicts<'a>(&'a self, target: &'a str) -> impl Iterator<Item = &'a str> {
        self.links.iter().filter(move |link| link[0] == target).map(|link| link[3].as_str())
    }

    fn url(&self, url: &str) -> Option<&Vec<String>> {
        self.urls.iter().find(|row| row[0] == url)
    }

    fn has_issue(&self, url: &str, audits: &[&str]) -> bool {
        self.issues.iter().any(|row| row[0] == url && audits.contains(&row[1].as_str()))
    }

    fn describe(&self, target: &str) -> String {
        let verdicts: BTreeSet<&str> = self.verdicts(target).collect();
        let issues: BTreeSet<&str> =
            self.issues.iter().filter(|row| row[0] == target).map(|row| row[1].as_str()).collect();
        format!("verdict {verdicts:?}, URL {:?}, issues {issues:?}", self.url(target).map(|row| &row[1..]))
    }

    /// Whether what is told about a URL means what a case calls `word`.
    fn says(&self, target: &str, word: &str) -> bool {
        let empty = Vec::new();
        let row = self.url(target).unwrap_or(&empty);
        let cell = |at: usize| row.get(at).map_or("", String::as_str);
        let (state, status, reason, indexability) = (cell(1), cell(2), cell(3), cell(4));
        let verdict = |wanted: &[&str]| {
            let mut verdicts = self.verdicts(target).peekable();
            verdicts.peek().is_some() && verdicts.all(|verdict| wanted.contains(&verdict))
        };
        let arrives = || self.redirects.iter().any(|row| row[0] == target && row[1].starts_with('2'));
        // Its first answer led elsewhere and back, with a cookie for which the URL itself then opened.
        let came_round = || self.attempts.iter().any(|row| row[0] == target && row[1].starts_with('3'));
        let kept_in_part = || {
            state == "fetched" && self.has_issue(target, &["body-truncated"])
                || ["truncated", "incomplete", "decode"].iter().any(|mark| reason.contains(mark))
        };
        let failed = || state == "failed" && (verdict(&["broken"]) || self.verdicts(target).next().is_none());
        match word {
            "ok" => verdict(&["ok"]) && status.starts_with('2') || verdict(&["redirect"]) && arrives(),
            "redirect-ok" => {
                verdict(&["redirect"]) && arrives()
                    || verdict(&["ok"]) && status.starts_with('2') && came_round()
                    || indexability == "meta-refresh"
                    || self.has_issue(target, &["meta-refresh"])
            }
            "broken" => verdict(&["broken"]),
            "blocked" => verdict(&["unverified"]),
            "throttled" => verdict(&["unverified"]) && matches!(status, "429" | "503"),
            "network-error" => {
                failed() && matches!(reason, "reset" | "connect" | "protocol" | "timeout" | "dns")
            }
            "timeout" => failed() && reason == "timeout",
            "tls-error" => failed() && reason.starts_with("tls"),
            "truncated" | "too-large" => kept_in_part(),
            _ => false,
        }
    }

    fn says_of_href(&self, href: &str, word: &str) -> bool {
        let exact = |link: &&Vec<String>| link[2] == href || href.starts_with('#') && link[2].ends_with(href);
        let mut links = self.links.iter().filter(exact).peekable();
        if links.peek().is_none() {
            return false;
        }
        let missing = |link: &Vec<String>| {
            let fragment = link[2].split_once('#').map_or("", |(_, fragment)| fragment);
            self.issues
                .iter()
                .any(|row| row[1] == "broken-bookmark" && row[2].contains(&format!("#{fragment}\"")))
        };
        match word {
            "invalid-url" => links.all(|link| link[3] == "invalid"),
            "fragment-missing" => links.all(missing),
            "ok" => links.all(|link| matches!(link[3].as_str(), "ok" | "redirect") && !missing(link)),
            _ => false,
        }
    }

    /// Where the facts of pages differ from what the case expects.
    pub fn page_faults(&self, server: &CaseServer, case: &Case) -> Vec<String> {
        let mut faults = Vec::new();
        for page in case.script["expect"]["pages"].as_array().into_iter().flatten() {
            if let Some(count) = page["count"].as_u64()
                && self.pages.len() as u64 != count
            {
                faults.push(format!("{} pages, {count} expected", self.pages.len()));
            }
            let Some(path) = page["url"].as_str() else { continue };
            let url = format!("{}{path}", server.origin(&case.id, "main").unwrap_or_default());
            let Some(row) = self.pages.iter().find(|row| row[0] == url) else {
                faults.push(format!("{url} is no page"));
                continue;
            };
            if let Some(title) = page["title"].as_str()
                && row[1] != title
            {
                faults.push(format!("{url}: title {:?}, {title:?} expected", row[1]));
            }
            if let Some(indexable) = page["indexable"].as_bool()
                && (row[2] == "1") != indexable
            {
                faults.push(format!("{url}: indexable is {}", row[2]));
            }
            if let Some(follow) = page["follow"].as_bool()
                && self.has_issue(&url, &["nofollow", "robots-none"]) == follow
            {
                faults.push(format!("{url}: follow should be {follow}"));
            }
        }
        faults
    }
}
