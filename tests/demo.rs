//! The audits find on the demo site what the lists beside its pages declare, and nothing else.
//!
//! A list (`site/*.findings`) is written by hand. A line is `/path: audit, audit(3)`, for the other site `partner:/path`, for a third
//! a whole URL. What all pages of a group have may be said once: `every page but /a /b: audit`, `every indexable page`,
//! `every English page`, `every German page`.
//! Nothing writes these lists: who changes a page or an audit says first what is to be found there.

use engine::demo::Demo;
use gossamer_tests::program::Gossamer;
use gossamer_tests::results::rows;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Path and audit, and the number of findings.
type Findings = BTreeMap<(String, String), usize>;

/// Paths of pages, and whether search engines may show them.
type Pages = BTreeMap<String, bool>;

fn site() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/engine/src/demo/site")
}

/// The lines of a file that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The pages of a group.
fn members<'p>(group: &str, pages: &'p Pages) -> Option<Vec<&'p str>> {
    let belongs: fn(&str, bool) -> bool = match group {
        "page" => |_, _| true,
        "indexable page" => |_, indexable| indexable,
        "German page" => |path, _| path.starts_with("/de/"),
        "English page" => |path, _| !path.starts_with("/de/"),
        _ => return None,
    };
    let members = pages.iter().filter(|(path, indexable)| belongs(path, **indexable));
    Some(members.map(|(path, _)| path.as_str()).collect())
}

/// Reads one list into `declared`. Gives what is wrong with its lines.
fn read(text: &str, pages: &Pages, declared: &mut Findings) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, line) in lines(text) {
        let Some((place, audits)) = line.rsplit_once(": ") else {
            wrong.push(format!("line {number} is no `place: audits`: {line}"));
            continue;
        };
        let places: Vec<&str> = match place.strip_prefix("every ") {
            None => vec![place],
            Some(group) => {
                let (group, but) = group.split_once(" but ").unwrap_or((group, ""));
                let but: BTreeSet<&str> = but.split_whitespace().collect();
                let Some(members) = members(group, pages) else {
                    wrong.push(format!("line {number} names no group of pages: {group}"));
                    continue;
                };
                wrong.extend(
                    but.iter()
                        .filter(|page| !members.contains(page))
                        .map(|page| format!("line {number} leaves {page} out of a group that it is not in")),
                );
                members.into_iter().filter(|page| !but.contains(page)).collect()
            }
        };
        for audit in audits.split(", ") {
            let (audit, count) = match audit.strip_suffix(')').and_then(|audit| audit.split_once('(')) {
                None => (audit, Some(1)),
                Some((audit, count)) => (audit, count.parse().ok().filter(|count| *count > 1)),
            };
            let Some(count) = count else {
                wrong.push(format!("line {number}: a number of findings is more than one: {audit}"));
                continue;
            };
            for place in &places {
                if declared.insert(((*place).to_owned(), audit.to_owned()), count).is_some() {
                    wrong.push(format!("line {number} declares {audit} of {place} a second time"));
                }
            }
        }
    }
    wrong
}

/// The lists and what they hold.
fn lists() -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(site()).expect("the folder of the demo site");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "findings"))
        .map(|path| (path.clone(), std::fs::read_to_string(path).expect("a list of findings")))
        .collect()
}

/// What all lists declare.
fn declared(pages: &Pages) -> Findings {
    let (mut declared, mut wrong) = (Findings::new(), Vec::new());
    for (path, text) in lists() {
        wrong.extend(
            read(&text, pages, &mut declared).into_iter().map(|why| format!("{}: {why}", path.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    declared
}

/// Audits that the demo cannot show, and why.
fn not_shown() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(site().join("not-shown.txt")).expect("the list of what is not shown");
    lines(&text)
        .map(|(number, line)| {
            let (audit, reason) =
                line.split_once(": ").unwrap_or_else(|| panic!("not-shown.txt, line {number}: {line}"));
            (audit.to_owned(), reason.to_owned())
        })
        .collect()
}

#[test]
fn the_demo_has_the_findings_that_it_declares_and_no_others() {
    let demo = Demo::start().expect("the demo site");
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("demo.gossamer");
    // Another site's links lead nowhere on purpose; one try tells that as well as three.
    let _ = Gossamer::audit(&[demo.url()], &project).set("fetch.retries", "0").run().expect_code(0);
    let (own, partner) = (demo.address_of(""), demo.address_of("partner:"));
    let path_of = |url: &str| match (url.strip_prefix(&own), url.strip_prefix(&partner)) {
        (Some(path), _) => path.to_owned(),
        (_, Some(path)) => format!("partner:{path}"),
        _ => url.to_owned(),
    };
    let pages: Pages = rows(&project, "v_pages", &["url", "indexable"])
        .iter()
        .map(|row| (path_of(&row[0]), matches!(row[1].as_str(), "1" | "true")))
        .collect();
    assert!(pages.values().any(|indexable| *indexable) && pages.values().any(|indexable| !indexable));
    let mut found = Findings::new();
    for row in rows(&project, "v_issues", &["audit", "url"]) {
        *found.entry((path_of(&row[1]), row[0].clone())).or_default() += 1;
    }
    let declared = declared(&pages);
    let places: BTreeSet<&(String, String)> = declared.keys().chain(found.keys()).collect();
    let differences: Vec<String> = places
        .into_iter()
        .filter_map(|place| {
            let count = |list: &Findings| list.get(place).copied().unwrap_or_default();
            let (declared, found) = (count(&declared), count(&found));
            (declared != found).then(|| {
                format!("{}: {} is declared {declared} times and found {found} times", place.0, place.1)
            })
        })
        .collect();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));

    // The numbers of the crawl reconcile, and it stays small.
    let counts = [
        "fetched",
        "failed",
        "blocked",
        "excluded",
        "over_limit",
        "not_followed",
        "queued",
        "encountered",
        "state",
    ];
    let crawl = rows(&project, "v_crawls", &counts);
    let numbers: Vec<u64> = crawl[0][..8].iter().map(|cell| cell.parse().expect("a number")).collect();
    assert_eq!(numbers[7], numbers[..7].iter().sum::<u64>());
    assert_eq!((numbers[6], crawl[0][8].as_str()), (0, "finished"));
    assert!((110..=150).contains(&pages.len()), "{} pages", pages.len());
    assert!(numbers[7] <= 250, "{} URLs", numbers[7]);
}

#[test]
fn every_audit_is_shown_or_excused() {
    let lists = lists();
    let declared =
        lists.iter().flat_map(|(_, text)| lines(text)).filter_map(|(_, line)| line.rsplit_once(": "));
    let shown: BTreeSet<&str> = declared
        .flat_map(|(_, audits)| audits.split(", "))
        .map(|audit| audit.split('(').next().unwrap_or(audit))
        .collect();
    let excused = not_shown();
    let audits: BTreeSet<String> = engine::audits().into_iter().map(|audit| audit.id).collect();
    let mut wrong = Vec::new();
    for audit in &audits {
        match (shown.contains(audit.as_str()), excused.contains_key(audit)) {
            (true, false) | (false, true) => {}
            (true, true) => wrong.push(format!("{audit} is shown, and excused in not-shown.txt")),
            (false, false) => {
                wrong.push(format!("{audit} is neither declared on a page nor excused in not-shown.txt"))
            }
        }
    }
    wrong.extend(
        shown
            .into_iter()
            .chain(excused.keys().map(String::as_str))
            .filter(|audit| !audits.contains(*audit))
            .map(|audit| format!("{audit} is no audit")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lists_are_read() {
    let pages =
        Pages::from([("/a", true), ("/b", false), ("/de/c", true)].map(|(path, is)| (path.to_owned(), is)));
    let check = |text: &str, expect: &[(&str, &str, usize)], faults: &[&str]| {
        let mut declared = Findings::new();
        let wrong = read(text, &pages, &mut declared);
        let got: Vec<(&str, &str, usize)> =
            declared.iter().map(|((place, audit), count)| (place.as_str(), audit.as_str(), *count)).collect();
        assert_eq!(got, expect, "{text}");
        assert_eq!(wrong.len(), faults.len(), "{wrong:?}");
        assert!(wrong.iter().zip(faults).all(|(wrong, part)| wrong.contains(part)), "{wrong:?}");
    };
    check("# x\n\n/a: one, two(3)\n", &[("/a", "one", 1), ("/a", "two", 3)], &[]);
    check("http://x:1/y?a: b: one", &[("http://x:1/y?a: b", "one", 1)], &[]);
    check("every indexable page: one", &[("/a", "one", 1), ("/de/c", "one", 1)], &[]);
    check("every page but /a: one", &[("/b", "one", 1), ("/de/c", "one", 1)], &[]);
    check(
        "every German page: one\nevery English page but /b: two",
        &[("/a", "two", 1), ("/de/c", "one", 1)],
        &[],
    );
    check("every English page: one\n/a: one", &[("/a", "one", 1), ("/b", "one", 1)], &["a second time"]);
    check(
        "every page but /gone: one(2)",
        &[("/a", "one", 2), ("/b", "one", 2), ("/de/c", "one", 2)],
        &["/gone"],
    );
    check("every door: one\n/a\n/a: one(1)", &[], &["no group", "no `place: audits`", "more than one"]);
}
