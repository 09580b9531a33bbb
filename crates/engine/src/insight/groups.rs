//! The findings of an audit by what makes them one thing to fix.
//!
//! Of links, that is a place in the markup, with its target where few targets make up most of the findings; of elements of the markup,
//! the place, with what is wrong where that is the same; of repeated texts, the text; of URLs on other sites, the host; of all else, the directory. One pass counts; memory is a few words a group, and
//! beyond `GROUPS` of them a finer way to group is given up for a coarser one.

mod flaws;

use super::dto::IssueGroup;
use super::filters::{
    all, begins, directly_in, in_evidence, is, not_in_evidence, same_in_evidence, same_text,
};
use crate::said::IgnoreWhat;
use crate::table::Filter;
use audit::{Rule, Scope, Text, find};
use model::address::{directory_of, origin_of};
use model::hash::fingerprint;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use store::{Reader, StoreError};

/// Groups given.
const SHOWN: usize = 100;
/// Directories that are told apart below a single one.
const FEW: usize = 50;
/// Groups counted, 40 bytes each.
const GROUPS: usize = 500_000;

/// The way in which an audit's findings belong together.
enum By {
    Links,
    Flaws,
    Text(Text),
    Host,
    Directory,
}

pub(super) fn groups(reader: &Reader, crawl: i64, audit: &str) -> Result<Vec<IssueGroup>, StoreError> {
    let Some(id) = audit_id(reader, audit)? else { return Ok(Vec::new()) };
    let asked = Asked { reader, crawl, audit, id };
    let mut groups = match way(audit) {
        By::Links => asked.by_links(),
        By::Flaws => asked.by_flaws(),
        By::Text(text) => asked.by_text(text),
        By::Host => asked.by_address(&[|url: &str| origin_of(url)]),
        By::Directory => asked.by_address(&[
            |url: &str| directory_of(url, 1),
            |url: &str| directory_of(url, 2),
            |url: &str| directory_of(url, 3),
        ]),
    }?;
    shorten(&mut groups, &asked.start_origin()?);
    Ok(groups)
}

/// Leaves the site's own origin out of the labels, and tells those apart that read the same.
fn shorten(groups: &mut [IssueGroup], origin: &str) {
    let mut met: HashMap<String, u32> = HashMap::new();
    for group in groups {
        for before in ["", "→ "] {
            let own = format!("{before}{origin}/");
            let starts =
                if before.is_empty() { group.label.starts_with(&own) } else { group.label.contains(&own) };
            if starts {
                group.label = group.label.replacen(&own, &format!("{before}/"), 1);
            }
        }
        let times = met.entry(group.label.clone()).or_default();
        *times += 1;
        if *times > 1 {
            group.label = format!("{} ({times})", group.label);
        }
    }
}

fn way(audit: &str) -> By {
    if find(audit).is_some_and(flaws::tells_elements) {
        return By::Flaws;
    }
    match find(audit).map(|audit| (audit.scope, &audit.rule)) {
        Some((Scope::Link, _)) => By::Links,
        Some((_, Rule::Same(text))) => By::Text(*text),
        Some((Scope::External | Scope::Robots, _)) => By::Host,
        _ => By::Directory,
    }
}

fn audit_id(reader: &Reader, audit: &str) -> Result<Option<i64>, StoreError> {
    reader.one("SELECT id FROM audit WHERE name = ?1", &[audit.into()], |row| row.int(0))
}

/// A place in the markup at which most findings of an audit stand.
pub(super) struct Place {
    pub(super) label: String,
    pub(super) findings: u64,
    /// All findings of the audit.
    pub(super) of: u64,
}

/// The place at which at least half of an audit's findings stand, where they are four or more; `None` for audits that are not
/// about links.
pub(super) fn common_place(reader: &Reader, crawl: i64, audit: &str) -> Result<Option<Place>, StoreError> {
    const FEWEST: u64 = 4;
    if !matches!(way(audit), By::Links) {
        return Ok(None);
    }
    let Some(id) = audit_id(reader, audit)? else { return Ok(None) };
    let asked = Asked { reader, crawl, audit, id };
    let places = asked.count_links()?.places;
    let of = places.total;
    let Some(first) = places.biggest().into_iter().next() else { return Ok(None) };
    if first.findings < FEWEST || first.findings * 2 < of {
        return Ok(None);
    }
    let label = place_label(&asked.element(first.link)?);
    Ok(Some(Place { label, findings: first.findings, of }))
}

/// One group while it is counted.
#[derive(Debug, Clone, Copy)]
struct Tally {
    findings: u64,
    urls: u64,
    last_url: i64,
    /// The first URL and the first link of the group.
    url: i64,
    link: i64,
}

/// Groups by the hash of what their findings have in common.
#[derive(Default)]
struct Tallies {
    groups: HashMap<u64, Tally>,
    total: u64,
    /// There were more than could be counted.
    overflowed: bool,
}

impl Tallies {
    /// Takes a finding; those of one URL come one after the other.
    fn add(&mut self, key: u64, url: i64, link: i64) {
        self.total += 1;
        let full = self.groups.len() >= GROUPS;
        let tally = match self.groups.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(_) if full => {
                self.overflowed = true;
                return;
            }
            Entry::Vacant(free) => free.insert(Tally { findings: 0, urls: 0, last_url: -1, url, link }),
        };
        tally.findings += 1;
        if tally.last_url != url {
            tally.last_url = url;
            tally.urls += 1;
        }
    }

    fn biggest(&self) -> Vec<Tally> {
        let mut groups: Vec<Tally> = self.groups.values().copied().collect();
        groups.sort_by_key(|tally| (std::cmp::Reverse(tally.findings), tally.url, tally.link));
        groups.truncate(SHOWN);
        groups
    }

    /// Whether the groups that would be shown say most of what there is to say.
    fn tells_most(&self) -> bool {
        let shown: u64 = self.biggest().iter().map(|tally| tally.findings).sum();
        !self.overflowed && shown * 2 >= self.total
    }
}

struct LinkTallies {
    places: Tallies,
    /// By place and target.
    targets: Tallies,
}

/// Findings of one audit in one crawl.
struct Asked<'a> {
    reader: &'a Reader,
    crawl: i64,
    audit: &'a str,
    id: i64,
}

impl Asked<'_> {
    fn by_links(&self) -> Result<Vec<IssueGroup>, StoreError> {
        let LinkTallies { places, targets } = self.count_links()?;
        let with_target = targets.tells_most();
        let chosen = if with_target { targets } else { places };
        let mut groups = Vec::new();
        for tally in chosen.biggest() {
            let element = self.element(tally.link)?;
            let mut conditions =
                vec![is("audit", self.audit), in_evidence(shown_as(self.audit, "link_element"), &element)];
            let mut label = place_label(&element);
            let mut target_told = None;
            if with_target {
                let name = shown_as(self.audit, "link_target");
                let target = self.target(tally.link)?;
                target_told = Some(target.clone().unwrap_or_default());
                match target {
                    Some(target) => {
                        label = format!("{label} → {target}");
                        conditions.push(in_evidence(name, &target));
                    }
                    None => conditions.push(not_in_evidence(name)),
                }
            }
            let ignore = IgnoreWhat::Place { element, target: target_told };
            groups.push(self.group(label, &tally, all(conditions), Some(ignore))?);
        }
        Ok(groups)
    }

    fn count_links(&self) -> Result<LinkTallies, StoreError> {
        let mut tallies = LinkTallies { places: Tallies::default(), targets: Tallies::default() };
        // Many shapes share an element.
        let mut elements: HashMap<i64, u64> = HashMap::new();
        self.reader.rows("SELECT s.id, s.element FROM link_shape s", &[], &mut |row| {
            elements.insert(row.int(0), fingerprint(row.text(1).as_bytes()));
            true
        })?;
        self.reader.rows(
            &format!(
                "SELECT f.url, l.id, l.shape, l.target FROM finding f CROSS JOIN link l ON l.id = f.ref
                 WHERE f.crawl = ?1 AND f.audit = ?2 AND {} ORDER BY f.url",
                audit::not_ignored_sql("f")
            ),
            &[self.crawl.into(), self.id.into()],
            &mut |row| {
                let (url, link) = (row.int(0), row.int(1));
                let place = elements.get(&row.int(2)).copied().unwrap_or_default();
                let target = row.opt_int(3).unwrap_or(-1);
                let mut pair = [0; 16];
                pair[..8].copy_from_slice(&place.to_le_bytes());
                pair[8..].copy_from_slice(&target.to_le_bytes());
                tallies.places.add(place, url, link);
                tallies.targets.add(fingerprint(&pair), url, link);
                true
            },
        )?;
        Ok(tallies)
    }

    fn start_origin(&self) -> Result<String, StoreError> {
        let origin =
            self.reader.one("SELECT start_url FROM crawl WHERE id = ?1", &[self.crawl.into()], |row| {
                origin_of(row.text(0)).to_owned()
            })?;
        Ok(origin.unwrap_or_default())
    }

    fn element(&self, link: i64) -> Result<String, StoreError> {
        let found = self.reader.one(
            "SELECT s.element FROM link l JOIN link_shape s ON s.id = l.shape WHERE l.id = ?1",
            &[link.into()],
            |row| row.text(0).to_owned(),
        )?;
        Ok(found.unwrap_or_default())
    }

    fn target(&self, link: i64) -> Result<Option<String>, StoreError> {
        self.reader.one(
            "SELECT u.text FROM link l JOIN url u ON u.id = l.target WHERE l.id = ?1",
            &[link.into()],
            |row| row.text(0).to_owned(),
        )
    }

    fn by_text(&self, text: Text) -> Result<Vec<IssueGroup>, StoreError> {
        let column = match text {
            // Of equal texts nobody sees more than the title that they share.
            Text::Title | Text::Content => "title",
            Text::Description => "description",
            Text::H1 => "h1",
            Text::H2 => "h2",
        };
        let sql = format!(
            "SELECT f.url, d.{column} FROM finding f CROSS JOIN page p ON p.key = (f.crawl << 32) | f.url
             CROSS JOIN document d ON d.id = p.document WHERE f.crawl = ?1 AND f.audit = ?2 AND {} ORDER BY f.url",
            audit::not_ignored_sql("f")
        );
        let mut tallies = Tallies::default();
        self.reader.rows(&sql, &[self.crawl.into(), self.id.into()], &mut |row| {
            // As the rule compares them.
            tallies.add(fingerprint(row.text(1).to_lowercase().as_bytes()), row.int(0), 0);
            true
        })?;
        let first = format!(
            "SELECT d.{column} FROM page p JOIN document d ON d.id = p.document WHERE p.key = (?1 << 32) | ?2"
        );
        let mut groups = Vec::new();
        for tally in tallies.biggest() {
            let said = self
                .reader
                .one(&first, &[self.crawl.into(), tally.url.into()], |row| row.text(0).to_owned())?
                .unwrap_or_default();
            // The table of findings has a column for titles alone.
            let same =
                if column == "title" { same_text(column, &said) } else { same_in_evidence(column, &said) };
            let filter = all(vec![is("audit", self.audit), same]);
            let ignore = (!said.trim().is_empty()).then(|| IgnoreWhat::Text(said.clone()));
            groups.push(self.group(said, &tally, filter, ignore)?);
        }
        Ok(groups)
    }

    /// By the first of these parts of an address in which the findings differ.
    fn by_address(&self, parts: &[fn(&str) -> &str]) -> Result<Vec<IssueGroup>, StoreError> {
        let mut tallies: Vec<Tallies> = parts.iter().map(|_| Tallies::default()).collect();
        self.reader.rows(
            &format!(
                "SELECT f.url, u.text FROM finding f CROSS JOIN url u ON u.id = f.url WHERE f.crawl = ?1 AND f.audit = ?2 AND {} ORDER BY f.url",
                audit::not_ignored_sql("f")
            ),
            &[self.crawl.into(), self.id.into()],
            &mut |row| {
                for (part, tallies) in parts.iter().zip(&mut tallies) {
                    tallies.add(fingerprint(part(row.text(1)).as_bytes()), row.int(0), 0);
                }
                true
            },
        )?;
        // A long list of small directories tells less than the one that they lie in.
        let differ = |tallies: &Tallies| (2..=FEW).contains(&tallies.groups.len());
        let level = match tallies.first() {
            Some(first) if first.groups.len() > 1 => 0,
            _ => tallies.iter().position(differ).unwrap_or(0),
        };
        let (Some(tallies), Some(part)) = (tallies.get(level), parts.get(level)) else {
            return Ok(Vec::new());
        };
        let mut groups = Vec::new();
        for tally in tallies.biggest() {
            let url = self.url(tally.url)?;
            let shared = part(&url);
            // A directory that lies less deep than was asked for holds these pages itself; deeper ones have groups of their own.
            let is_whole = !shared.ends_with('/') || folders(shared) > level;
            let place = if is_whole { begins("url", &origin_slash(shared)) } else { directly_in(shared) };
            // As patterns say it: all that begins so, or what lies in this folder itself.
            let pattern = match shared.strip_suffix('/') {
                Some(folder) => Some(format!("{folder}/{}", if is_whole { "**" } else { "*" })),
                None if origin_of(shared).len() == shared.len() => Some(shared.to_owned()),
                None => None,
            };
            let ignore = pattern.map(IgnoreWhat::Pattern);
            let filter = all(vec![is("audit", self.audit), place]);
            groups.push(self.group(shared.to_owned(), &tally, filter, ignore)?);
        }
        Ok(groups)
    }

    fn url(&self, url: i64) -> Result<String, StoreError> {
        let found = self
            .reader
            .one("SELECT text FROM url WHERE id = ?1", &[url.into()], |row| row.text(0).to_owned())?;
        Ok(found.unwrap_or_default())
    }

    fn group(
        &self,
        label: String,
        tally: &Tally,
        filter: Filter,
        ignore: Option<IgnoreWhat>,
    ) -> Result<IssueGroup, StoreError> {
        Ok(IssueGroup {
            label,
            findings: tally.findings,
            urls: tally.urls,
            example: self.url(tally.url)?,
            filter,
            ignore,
        })
    }
}

/// The name under which the evidence of an audit has a column.
fn shown_as(audit: &str, column: &'static str) -> &'static str {
    let evidence = find(audit).map_or(&[][..], |audit| audit.evidence);
    evidence.iter().find(|(_, sql)| *sql == column).map_or(column, |(name, _)| name)
}

/// `body>footer>ul>li>a` as `footer > ul > li > a`.
fn place_label(element: &str) -> String {
    let path = element.strip_prefix("html>").unwrap_or(element);
    let path = path.strip_prefix("body>").unwrap_or(path);
    path.replace('>', " > ")
}

/// Directories below the root in what `directory` gave.
fn folders(directory: &str) -> usize {
    directory[origin_of(directory).len()..].matches('/').count().saturating_sub(1)
}

/// An origin as the beginning of its URLs, so that it is none of `example.com.evil`; a directory as it is.
fn origin_slash(shared: &str) -> String {
    if shared.ends_with('/') || origin_of(shared).len() < shared.len() {
        shared.to_owned()
    } else {
        format!("{shared}/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_cut_after_so_many() {
        let check =
            |url: &str, most: usize, expect: &str| assert_eq!(directory_of(url, most), expect, "{url}");
        check("https://h.test/", 1, "https://h.test/");
        check("https://h.test/about", 1, "https://h.test/");
        check("https://h.test/blog/", 1, "https://h.test/blog/");
        check("https://h.test/blog/a/b/c", 1, "https://h.test/blog/");
        check("https://h.test/blog/a/b/c", 2, "https://h.test/blog/a/");
        check("https://h.test/blog/a/b/c", 3, "https://h.test/blog/a/b/");
        check("https://h.test/blog/a", 3, "https://h.test/blog/");
        check("https://h.test/shop?a=/x/y", 1, "https://h.test/");
        check("mailto:a@b.test", 1, "mailto:a@b.test");
    }

    #[test]
    fn places_are_written_for_reading() {
        let check = |element: &str, expect: &str| assert_eq!(place_label(element), expect);
        check("body>footer>ul>li>a", "footer > ul > li > a");
        check("html>body>div>a", "div > a");
        check("head>link", "head > link");
        check("Location", "Location");
    }
}
