//! Titles that lack the ending that most titles of their host and language have: “… | Name of the site”.
//!
//! 16 bytes a page, and as many a distinct ending of the largest host while it is gone through.

use crate::findings::Inserts;
use crate::limits::Limits;
use model::address::origin_of;
use model::hash::fingerprint;
use std::collections::HashMap;
use store::{StoreError, Value, Writer};

/// Signs that set the ending apart. All but the first need a space before them: they stand within words, too.
const SEPARATORS: &[char] = &['|', '-', '–', '—', '·', ':', '•'];
/// Pages whose titles are read at once.
const CHUNK: usize = 4_096;

/// Pages as they are met.
#[derive(Default)]
pub(crate) struct Titles {
    pages: Vec<Page>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Page {
    host: u32,
    language: u32,
    /// Hash of the ending; 0 for none.
    ending: u32,
    url: u32,
}

/// An ending that most have.
#[derive(Debug, Clone, Copy)]
struct Pattern {
    ending: u32,
    pages: usize,
    /// Percent of the pages.
    share: usize,
    /// A page that has it.
    url: u32,
}

/// What stands behind the last separator, lower case.
fn ending(title: &str) -> Option<String> {
    let (at, sign) = title.char_indices().rev().find(|(at, sign)| {
        let (before, after) = (&title[..*at], &title[at + sign.len_utf8()..]);
        let spaced = match sign {
            '|' => true,
            // “Tea: Brewing”.
            ':' => after.starts_with(' '),
            _ => before.ends_with(' ') && after.starts_with(' '),
        };
        SEPARATORS.contains(sign) && spaced && !before.trim().is_empty() && !after.trim().is_empty()
    })?;
    Some(title[at + sign.len_utf8()..].trim().to_lowercase())
}

impl Titles {
    pub(crate) fn note(&mut self, url: i64, address: &str, title: &str, language: &str) {
        if title.trim().is_empty() {
            return;
        }
        let language = language.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        self.pages.push(Page {
            host: fingerprint(origin_of(address).as_bytes()) as u32,
            language: fingerprint(language.as_bytes()) as u32,
            ending: ending(title).map_or(0, |ending| fingerprint(ending.as_bytes()) as u32 | 1),
            url: url as u32,
        });
    }

    /// Writes the table `title_outlier` of a crawl.
    pub(crate) fn compare(
        mut self,
        writer: &mut Writer,
        crawl: i64,
        limits: &Limits,
    ) -> Result<(), StoreError> {
        self.pages.sort_unstable();
        let mut inserts = Inserts::new("INSERT INTO title_outlier(key, pattern, pages, share)", 4);
        for group in groups(&self.pages) {
            let Some((pattern, others)) = unlike(group, limits) else { continue };
            let Some(shown) = shown_ending(writer, crawl, pattern.url)? else { continue };
            for chunk in others.chunks(CHUNK) {
                judge(writer, crawl, pattern, &shown, chunk, &mut inserts)?;
            }
        }
        inserts.finish(writer)
    }
}

/// Sorted pages by host and language. A few pages in another language are not held to what the host has else: the name of the site
/// may be another one there.
fn groups(pages: &[Page]) -> impl Iterator<Item = &[Page]> {
    pages.chunk_by(|a, b| (a.host, a.language) == (b.host, b.language))
}

/// The ending that most pages of a group have, and the pages that lack it, if there are any.
fn unlike(group: &[Page], limits: &Limits) -> Option<(Pattern, Vec<u32>)> {
    let pattern = pattern(group, limits)?;
    let others: Vec<u32> =
        group.iter().filter(|page| page.ending != pattern.ending).map(|page| page.url).collect();
    (!others.is_empty()).then_some((pattern, others))
}

/// The ending that most pages have, where it is most enough.
fn pattern(pages: &[Page], limits: &Limits) -> Option<Pattern> {
    if (pages.len() as f64) < limits.get("title_pattern_pages") {
        return None;
    }
    let mut counts: HashMap<u32, (usize, u32)> = HashMap::new();
    for page in pages.iter().filter(|page| page.ending != 0) {
        let (count, url) = counts.entry(page.ending).or_insert((0, page.url));
        *count += 1;
        *url = page.url.min(*url);
    }
    let (ending, (count, url)) = counts.into_iter().max_by_key(|(ending, (count, _))| (*count, *ending))?;
    let share = count * 100 / pages.len();
    (share as f64 >= limits.get("title_pattern_share")).then_some(Pattern {
        ending,
        pages: pages.len(),
        share,
        url,
    })
}

const TITLES: &str = "SELECT u.id, u.text, d.title FROM url u CROSS JOIN page p ON p.key = (?1 << 32) | u.id CROSS JOIN document d ON d.id = p.document";

/// The ending of a page's title as it is written.
fn shown_ending(writer: &mut Writer, crawl: i64, url: u32) -> Result<Option<String>, StoreError> {
    let mut shown = None;
    writer.rows(
        &format!("{TITLES} WHERE u.id = ?2"),
        &[crawl.into(), i64::from(url).into()],
        &mut |row| {
            let title = row.text(2);
            shown = ending(title).map(|lower| {
                let start =
                    title.trim_end().char_indices().rev().nth(lower.chars().count().saturating_sub(1));
                let written = start.map_or(title, |(start, _)| &title[start..]).trim();
                // A letter may be two in lower case.
                if written.to_lowercase() == lower { written.to_owned() } else { lower }
            });
            Ok(())
        },
    )?;
    Ok(shown)
}

/// Of the pages with another ending, those that do not name the site elsewhere in their title. Home pages begin with its name, or
/// are called something else on purpose.
fn judge(
    writer: &mut Writer,
    crawl: i64,
    pattern: Pattern,
    shown: &str,
    urls: &[u32],
    inserts: &mut Inserts,
) -> Result<(), StoreError> {
    let name = shown.to_lowercase();
    let ids: Vec<String> = urls.iter().map(u32::to_string).collect();
    let mut found = Vec::new();
    writer.rows(
        &format!("{TITLES} WHERE u.id IN (SELECT value FROM json_each(?2))"),
        &[crawl.into(), Value::Text(format!("[{}]", ids.join(",")))],
        &mut |row| {
            let address = row.text(1);
            let is_home = address.len() <= origin_of(address).len() + 1;
            if !is_home && !row.text(2).to_lowercase().contains(&name) {
                found.push(row.int(0) as u32);
            }
            Ok(())
        },
    )?;
    for url in found {
        inserts.add_cells(
            writer,
            [
                store::key(crawl, url).into(),
                Value::Text(shown.to_owned()),
                (pattern.pages as i64).into(),
                (pattern.share as i64).into(),
            ],
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn endings_stand_behind_the_last_separator() {
        let check =
            |title: &str, expect: Option<&str>| assert_eq!(ending(title).as_deref(), expect, "{title}");
        check("Green tea | Many Teas", Some("many teas"));
        check("Green tea|Many Teas", Some("many teas"));
        check("Green tea - Shop – Many Teas", Some("many teas"));
        check("Green-tea", None);
        check("Green tea · Many-Teas", Some("many-teas"));
        check("Tea: how to brew", Some("how to brew"));
        check("Open 9:00", None);
        check("Green tea |", None);
        check("| Many Teas", None);
        check("", None);
    }

    #[test]
    fn a_language_is_judged_by_its_own_titles() {
        let limits = Limits::new(&BTreeMap::new());
        let check = |french: &[(&str, usize)], expect: &[u32]| {
            let mut titles = Titles::default();
            let english = (0..40).map(|_| ("en", "Tea | Acme Store"));
            let others = french.iter().flat_map(|(title, count)| (0..*count).map(move |_| ("fr-CA", *title)));
            for (at, (language, title)) in english.chain(others).enumerate() {
                titles.note(at as i64 + 1, "https://site.example/x", title, language);
            }
            titles.pages.sort_unstable();
            let found: Vec<u32> = groups(&titles.pages)
                .filter_map(|group| unlike(group, &limits))
                .flat_map(|(_, others)| others)
                .collect();
            assert_eq!(found, expect, "{french:?}");
        };
        check(&[("Le thé", 6)], &[]);
        check(&[("Thé | Magasin Acme", 8), ("Le thé", 1)], &[]);
        check(&[("Thé | Magasin Acme", 10)], &[]);
        check(&[("Thé | Magasin Acme", 9), ("Le thé", 1)], &[50]);
    }
}
