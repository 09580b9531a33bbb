//! Google's robots.txt tests and crawler-commons' sample files, read from a folder beside the project where there is one.
//! Every row is run, the ones that are Google's leniency too, and the number of rows is the one their README states:
//! `allowed.jsonl` 145, `spec-test.jsonl` 400, `lines.jsonl` 12, `paths.json` 19 and 4, and 24 samples.

use gossamer_robots::{Followed, Reading, RobotsTxt, path_of};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The conformance data, or None (said visibly) where this checkout stands alone.
fn data(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no conformance data at {}", path.display());
    None
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn rows(path: &Path) -> Vec<Value> {
    let text = String::from_utf8(read(path)).expect("UTF-8");
    text.lines().filter(|l| !l.trim().is_empty()).map(|l| serde_json::from_str(l).expect("JSON")).collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("{key} of {row}"))
}

/// The file of a row: text, or base 64 where the bytes are not UTF-8.
fn robots(row: &Value) -> Vec<u8> {
    let Some(encoded) = row["robots_b64"].as_str() else { return text(row, "robots").into() };
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other} is no base 64"),
    };
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for c in encoded.bytes().filter(|c| *c != b'=') {
        bits = bits << 6 | digit(c);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xFF).expect("one byte"));
        }
    }
    bytes
}

/// Rows whose expected value is wrong for this product: `id` and the reason, a tab between; no more than the head says.
fn exceptions() -> BTreeMap<String, String> {
    let list = include_str!("exceptions.txt");
    let most = list.lines().find_map(|line| line.strip_prefix("# At most: ")).expect("the head has a number");
    let listed: BTreeMap<String, String> = list
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once('\t').unwrap_or_else(|| panic!("no reason: {line}")))
        .map(|(id, reason)| (id.to_owned(), reason.to_owned()))
        .collect();
    assert_eq!(most.trim().parse(), Ok(listed.len()), "the number in the head; the list only shrinks");
    listed
}

#[test]
fn google_decides_alike() {
    let Some(folder) = data("robots-google") else { return };
    let mut exceptions = exceptions();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (file, expected) in [("allowed.jsonl", 145), ("spec-test.jsonl", 400)] {
        let rows = rows(&folder.join(file));
        assert_eq!(rows.len(), expected, "{file}");
        for row in rows {
            count += 1;
            let expect = row["rfc_allowed"].as_bool().or(row["allowed"].as_bool()).expect("an answer");
            let bytes = robots(&row);
            let decision = RobotsTxt::parse(&bytes).group(text(&row, "user_agent")).decide(text(&row, "url"));
            let excepted = exceptions.remove(text(&row, "id"));
            match (decision.allowed == expect, excepted) {
                (true, Some(_)) => {
                    wrong.push(format!("{}: the exception is no longer needed", text(&row, "id")))
                }
                (false, None) => wrong.push(format!("expected {expect}, decided {decision:?}\n{row}")),
                _ => {}
            }
        }
    }
    wrong.extend(exceptions.into_keys().map(|id| format!("{id}: an exception without a row")));
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 545);
    println!("robots-google: {count} rows run");
}

#[test]
fn google_counts_lines_alike() {
    let Some(folder) = data("robots-google") else { return };
    let rows = rows(&folder.join("lines.jsonl"));
    assert_eq!(rows.len(), 12);
    for row in rows {
        let file = RobotsTxt::parse(&robots(&row));
        let valid = |r: Reading| {
            matches!(r, Reading::UserAgent | Reading::Allow | Reading::Disallow | Reading::Sitemap)
        };
        let said = ["valid_directives", "unknown_directives", "last_line_seen", "sitemap"];
        assert!(said.iter().any(|key| !row[key].is_null()), "{row} says nothing");
        let count =
            |wanted: &dyn Fn(Reading) -> bool| file.lines().filter(|l| wanted(l.reading)).count() as u64;
        if let Some(expect) = row["valid_directives"].as_u64() {
            assert_eq!(count(&valid), expect, "{row}");
        }
        if let Some(expect) = row["unknown_directives"].as_u64() {
            assert_eq!(count(&|r| r == Reading::UnknownKey), expect, "{row}");
        }
        if let Some(expect) = row["last_line_seen"].as_u64() {
            let last = file.lines().filter(|l| valid(l.reading)).last().map(|l| u64::from(l.number));
            assert_eq!(last, Some(expect), "{row}");
        }
        if let Some(expect) = row["sitemap"].as_str() {
            let found: Vec<_> = file.sitemaps().map(|s| s.value.as_str()).collect();
            assert_eq!(found, [expect], "{row}");
        }
    }
}

#[test]
fn google_takes_and_escapes_paths_alike() {
    let Some(folder) = data("robots-google") else { return };
    let paths: Value = serde_json::from_slice(&read(&folder.join("paths.json"))).expect("JSON");
    let count = |key: &str| paths[key].as_array().map_or(0, Vec::len);
    assert_eq!((count("path_params_query"), count("escape_pattern")), (19, 4));
    for row in paths["path_params_query"].as_array().expect("rows") {
        assert_eq!(path_of(text(row, "url")), text(row, "path"), "{row}");
    }
    for row in paths["escape_pattern"].as_array().expect("rows") {
        let file =
            RobotsTxt::parse(format!("User-agent: *\nDisallow: /x{}", text(row, "pattern")).as_bytes());
        let group = file.group("a");
        assert!(!group.decide_path(&format!("/x{}", text(row, "escaped"))).allowed, "{row}");
        assert!(group.decide_path("/x").allowed, "{row}");
    }
}

/// The samples come without answers; these are RFC 9309's own (§5) and what the files' comments say.
#[test]
fn crawler_commons_samples_read_as_their_comments_say() {
    let Some(folder) = data("sitemaps-crawler-commons/robots") else { return };
    let file = |name: &str| RobotsTxt::parse(&read(&folder.join(name)));
    let check = |name: &str, token: &str, path: &str, allowed: bool| {
        assert_eq!(file(name).group(token).decide(path).allowed, allowed, "{name}: {token} on {path}");
    };
    let simple = "rfc9309-example-simple-robots.txt";
    check(simple, "foobot", "/example/page.html", true);
    check(simple, "foobot", "/example/disallowed.gif", false);
    check(simple, "barbot", "/example/page.html", false);
    check(simple, "bazbot", "/example/page.html", false);
    check(simple, "quxbot", "/anything", true);
    check(simple, "otherbot", "/publications/", true);
    check(simple, "otherbot", "/example/", false);
    check(simple, "otherbot", "/a.gif", false);
    let longest = "rfc9309-example-longest-match-robots.txt";
    check(longest, "foobot", "/example/page/disallowed.gif", false);
    check(longest, "foobot", "/example/page/", true);
    let merging = "rfc9309-example-rule-group-merging.txt";
    check(merging, "examplebot", "/foo", false);
    check(merging, "examplebot", "/bar", false);
    check(merging, "examplebot", "/baz", false);
    // Between mybot's second line and yourbot's stands nothing but an extension, which does not end a group.
    for (name, mybot_login) in
        [("crawl-delay-group-merging.txt", true), ("extensions-group-merging.txt", false)]
    {
        check(name, "mybot", "/private/", false);
        check(name, "mybot", "/login/", mybot_login);
        check(name, "yourbot", "/private/", false);
        check(name, "yourbot", "/login/", false);
    }
    let delays = file("crawl-delay-group-merging.txt");
    let seconds = |token: &str| delays.group(token).crawl_delay().map(|d: Duration| d.as_secs());
    assert_eq!((seconds("mybot"), seconds("yourbot"), seconds("other")), (Some(10), None, Some(30)));
    // `bot1` to `bot4` are no product tokens: a digit ends one, so these lines all name `bot`.
    let typos = "directive-typos-robots.txt";
    check(typos, "bot", "/desallow/", true);
    check(typos, "bot", "/dissalow/", false);
    check(typos, "bot", "/useragent/", false);
    check(typos, "bot", "/useragent-no-colon/", false);
    let errors = "format-errors-robots.txt";
    check(errors, "bot", "/whitespace-before-colon/", false);
    check(errors, "bot", "/whitespace-before-colon", true);
    let unread: Vec<_> =
        file(errors).problems().iter().filter(|p| p.code.word() == "no-colon").map(|p| p.line).collect();
    assert!(unread.is_empty(), "a missing colon between two words is forgiven: {unread:?}");
    let malformed = "malformed-path.txt";
    check(malformed, "a", "/wiki/Wikipedia_talk:Mediation_Committee/", false);
    check(malformed, "a", "/wiki/Wikipedia_talk%3Mediation_Committee/", false);
    check(malformed, "a", "/wiki/Other", true);
    assert!(file("relative-sitemap-robots.txt").sitemaps().all(|s| !s.absolute));
    for name in ["robots-with-utf16le-bom.txt", "robots-with-utf16be-bom.txt"] {
        let utf16 = file(name);
        assert!(!utf16.has_valid_lines(), "{name}: Google's parser reads no UTF-16");
        assert_eq!(utf16.problems().iter().map(|p| p.code.word()).collect::<Vec<_>>(), ["utf-16"]);
    }
    let bom = file("robots-with-utf8-bom.txt");
    assert_eq!(bom.lines().next().map(|l| l.text.starts_with('\u{FEFF}')), Some(false));
    assert!(bom.has_valid_lines() && file("dos-line-endings.txt").group("a").followed() != Followed::Nothing);
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 24);
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let bytes = read(&entry.expect("an entry").path());
        let file = RobotsTxt::parse(&bytes);
        let endings = String::from_utf8_lossy(&bytes).replace("\r\n", "\n").lines().count();
        assert!(file.lines().count() >= endings, "no line is lost");
    }
}
