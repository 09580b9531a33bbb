//! Rules about sitemap files: what a file says is judged here, entry by entry, and told of the file's address.

use crate::audit::Rule;
use crate::evaluate::select;
use crate::findings::{Findings, place};
use crate::limits::Limits;
use model::Address;
use model::calendar::{days_since_epoch, is_date};
use store::{StoreError, Writer};

/// One entry of a sitemap, or a place at which an entry should be.
#[derive(Debug)]
pub struct Entry<'a> {
    /// `urlset`, `index`, `text`, `rss` or `atom`.
    pub kind: &'a str,
    /// The address as written, entities decoded; empty where there is none.
    pub loc: &'a str,
    /// It was read as an address.
    pub is_address: bool,
    pub lastmod: Option<&'a str>,
    /// The latest moment at which the sitemap may have been read, in Unix milliseconds.
    pub read_by: i64,
    /// What is wrong where the entry should be: code and detail.
    pub problem: Option<(&'a str, &'a str)>,
}

/// What was judged.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) files: i64,
    /// Of those that are no index.
    pub(crate) entries: i64,
}

struct File {
    id: i64,
    url: String,
    kind: String,
}

/// Asks all rules about sitemaps.
pub(crate) fn judge(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    found: &mut Findings,
) -> Result<Judged, StoreError> {
    let mut judged = Judged { files: 0, entries: 0 };
    let mut files: Vec<File> = Vec::new();
    writer.rows(
        "SELECT id, url, kind, entries FROM sitemap WHERE crawl = ?1 ORDER BY id",
        &[crawl.into()],
        &mut |row| {
            let kind = row.text(2).to_owned();
            judged.files += 1;
            judged.entries += if kind == "index" { 0 } else { row.int(3) };
            files.push(File { id: row.int(0), url: row.text(1).to_owned(), kind });
            Ok(())
        },
    )?;
    if files.is_empty() {
        return Ok(judged);
    }
    let read_by = read_by(writer, crawl)?;
    for file in &files {
        judge_file(writer, file, read_by, limits, found)?;
    }
    found.finish(writer)?;
    select_rules(writer, crawl, limits, found)?;
    Ok(judged)
}

/// Probes are made last, so that they tell best until when sitemaps were read.
fn read_by(writer: &mut Writer, crawl: i64) -> Result<i64, StoreError> {
    let mut moment = 0;
    writer.rows(
        "SELECT max(moment) FROM (SELECT max(started, coalesce(finished, 0)) AS moment FROM crawl WHERE id = ?1
         UNION ALL SELECT fetched FROM robots WHERE crawl = ?1 UNION ALL SELECT started FROM probe WHERE crawl = ?1)",
        &[crawl.into()],
        &mut |row| {
            moment = row.int(0);
            Ok(())
        },
    )?;
    Ok(moment)
}

fn judge_file(
    writer: &mut Writer,
    file: &File,
    read_by: i64,
    limits: &Limits,
    found: &mut Findings,
) -> Result<(), StoreError> {
    let rules: Vec<(usize, fn(&Entry, &Limits) -> bool)> = found
        .chosen()
        .audits()
        .filter_map(|(index, audit)| match audit.rule {
            Rule::Entry(holds) => Some((index, holds)),
            _ => None,
        })
        .collect();
    // What is found in one file at a time bounds what is held here.
    let mut hits: Vec<(usize, i64)> = Vec::new();
    let is_index = file.kind == "index";
    writer.rows(
        "SELECT n, raw, url IS NOT NULL, lastmod FROM sitemap_entry WHERE sitemap = ?1",
        &[file.id.into()],
        &mut |row| {
            let loc = row.text(1);
            let entry = Entry {
                kind: &file.kind,
                loc,
                // What an index names is no URL of the crawl.
                is_address: if is_index { Address::parse(loc).is_ok() } else { row.int(2) != 0 },
                lastmod: row.opt_text(3),
                read_by,
                problem: None,
            };
            let holding = rules.iter().filter(|(_, holds)| holds(&entry, limits));
            hits.extend(holding.map(|(audit, _)| (*audit, place::entry(file.id, row.int(0)))));
            Ok(())
        },
    )?;
    writer.rows(
        "SELECT n, code, detail FROM sitemap_problem WHERE sitemap = ?1",
        &[file.id.into()],
        &mut |row| {
            let entry = Entry {
                kind: &file.kind,
                loc: "",
                is_address: false,
                lastmod: None,
                read_by,
                problem: Some((row.text(1), row.text(2))),
            };
            let holding = rules.iter().filter(|(_, holds)| holds(&entry, limits));
            hits.extend(holding.map(|(audit, _)| (*audit, place::problem(file.id, row.int(0)))));
            Ok(())
        },
    )?;
    if hits.is_empty() {
        return Ok(());
    }
    let url = i64::from(writer.intern(&file.url)?);
    hits.sort_unstable();
    for (audit, place) in hits {
        found.add(writer, audit, url, place)?;
    }
    Ok(())
}

/// Runs the rules that are a SELECT. A sitemap's address becomes a URL of the project only where something is found there.
fn select_rules(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    found: &Findings,
) -> Result<(), StoreError> {
    writer.batch(
        "DROP TABLE IF EXISTS temp.of_sitemap; CREATE TEMP TABLE of_sitemap(audit INTEGER NOT NULL, sitemap INTEGER NOT NULL, ref INTEGER NOT NULL);
         DROP TABLE IF EXISTS temp.sitemap_address; CREATE TEMP TABLE sitemap_address(sitemap INTEGER PRIMARY KEY, url INTEGER NOT NULL)",
    )?;
    for (index, audit) in found.chosen().audits() {
        if let Rule::Sitemap(sql) = audit.rule {
            let sql = format!(
                "INSERT INTO temp.of_sitemap(audit, sitemap, ref) SELECT {}, sitemap, ref FROM ({})",
                found.id(index),
                select(sql, crawl, limits)
            );
            writer.run(&sql, &[])?;
        }
    }
    let mut addresses: Vec<(i64, String)> = Vec::new();
    writer.rows(
        "SELECT id, url FROM sitemap WHERE id IN (SELECT sitemap FROM temp.of_sitemap)",
        &[],
        &mut |row| {
            addresses.push((row.int(0), row.text(1).to_owned()));
            Ok(())
        },
    )?;
    for (sitemap, address) in addresses {
        let url = i64::from(writer.intern(&address)?);
        writer.run(
            "INSERT INTO temp.sitemap_address(sitemap, url) VALUES(?1, ?2)",
            &[sitemap.into(), url.into()],
        )?;
    }
    let sql = format!(
        "INSERT OR IGNORE INTO {}(crawl, audit, url, ref) SELECT ?1, o.audit, a.url, o.ref FROM temp.of_sitemap o
         CROSS JOIN temp.sitemap_address a ON a.sitemap = o.sitemap",
        found.table()
    );
    writer.run(&sql, &[crawl.into()])?;
    writer.batch("DROP TABLE temp.of_sitemap; DROP TABLE temp.sitemap_address")
}

/// A date by W3C's note on dates and times: a year, a month, a day, or a moment with its offset.
pub(crate) fn has_bad_date(entry: &Entry, _: &Limits) -> bool {
    // Feeds have dates of other forms.
    let Some(date) = entry.lastmod.filter(|_| matches!(entry.kind, "urlset" | "index")) else { return false };
    match moment(date) {
        None => true,
        Some(begins) => begins > entry.read_by.saturating_add(DAY),
    }
}

/// Dates of places where it is tomorrow already are of today.
const DAY: i64 = 86_400_000;

/// The first millisecond of a W3C date in Unix time; `None` for what is none.
fn moment(date: &str) -> Option<i64> {
    let (date, time) = date.split_once('T').map_or((date, None), |(date, time)| (date, Some(time)));
    let mut parts = date.split('-');
    let year = number(parts.next()?, 4)?;
    let month = parts.next().map(|part| number(part, 2));
    let day = parts.next().map(|part| number(part, 2));
    if parts.next().is_some() || (time.is_some() && day.is_none()) {
        return None;
    }
    let (month, day) = (month.unwrap_or(Some(1))?, day.unwrap_or(Some(1))?);
    if !is_date(year, month, day) {
        return None;
    }
    let midnight = days_since_epoch(year, month, day) * DAY;
    time.map_or(Some(midnight), |time| Some(midnight + time_of_day(time)?))
}

/// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.s` with `Z` or an offset, in milliseconds of UTC.
fn time_of_day(time: &str) -> Option<i64> {
    let (time, offset) = match time.strip_suffix('Z') {
        Some(time) => (time, 0),
        None => {
            let at = time.rfind(['+', '-'])?;
            let (hours, minutes) = time[at + 1..].split_once(':')?;
            let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = hours * 60 + minutes;
            (&time[..at], if time[at..].starts_with('-') { -offset } else { offset })
        }
    };
    let (clock, fraction) =
        time.split_once('.').map_or((time, None), |(clock, fraction)| (clock, Some(fraction)));
    let mut parts = clock.split(':');
    let (hour, minute) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let second = parts.next().map(|part| number(part, 2));
    let is_fraction = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || fraction.is_some_and(|fraction| second.is_none() || !is_fraction(fraction)) {
        return None;
    }
    let second = second.unwrap_or(Some(0))?;
    // 60 is a leap second.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(((hour * 60 + minute - offset) * 60 + second) * 1_000)
}

/// Digits only, so many of them.
fn number(text: &str, digits: usize) -> Option<i64> {
    if text.len() != digits || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// An address that is not absolute, not encoded, or too long; or an entry without one.
pub(crate) fn has_bad_address(entry: &Entry, limits: &Limits) -> bool {
    // Addresses in feeds may be relative, and are read by another standard.
    if matches!(entry.kind, "rss" | "atom") {
        return false;
    }
    match entry.problem {
        Some(("loc-missing" | "loc-multiple", _)) => true,
        // An address without scheme is an entry of its own.
        Some(("line-no-address", line)) => {
            !line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
        }
        Some(_) => false,
        None => {
            !entry.is_address
                || entry.loc.chars().count() as f64 > limits.get("sitemap_loc_characters_most")
                || !is_encoded(entry.loc)
        }
    }
}

/// Only characters that RFC 3986 has, and escapes. The host may be written in any language, and brackets stand in queries
/// everywhere.
fn is_encoded(address: &str) -> bool {
    let rest = &address[model::address::origin_of(address).len()..];
    let mut bytes = rest.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'%' => {
                bytes.next().is_some_and(|digit| digit.is_ascii_hexdigit())
                    && bytes.next().is_some_and(|digit| digit.is_ascii_hexdigit())
            }
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => false,
            _ => byte.is_ascii_graphic(),
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn dates_are_those_of_the_note() {
        let check = |date: &str, expect: Option<i64>| assert_eq!(moment(date), expect, "{date}");
        check("1970", Some(0));
        check("1970-02", Some(31 * DAY));
        check("2024-02-29", Some(1_709_164_800_000));
        check("2024-02-29T12:30+02:00", Some(1_709_202_600_000));
        check("2024-02-29T12:30:01Z", Some(1_709_209_801_000));
        check("2024-02-29T23:59:60.123-05:30", Some(1_709_270_940_000 + 60_000));
        check("0001-01-01", Some(-62_135_596_800_000));
        for none in [
            "",
            "last spring",
            "2023-02-29",
            "2024-13-01",
            "2024-00-01",
            "2024-1-1",
            "24-01-01",
            "2024-01-01 10:00",
            "2024-01-01T10:00:00",
            "2024-01-01T10:00:00+0200",
            "2024-01-01T24:00Z",
            "2024-01-01TZ",
            "2024-01T10:00Z",
            "2024-01-01T10:00.5Z",
            "2024-01-01T10:00:00.Z",
            "2024-01-01-01",
            "2024-01-01T10:00:00:00Z",
            "01/02/2024",
            "2024-01-01t10:00z",
            "+024-01-01",
            "2024-01-01T1é:00Z",
        ] {
            check(none, None);
        }
    }

    fn entry<'a>(kind: &'a str, loc: &'a str, lastmod: Option<&'a str>) -> Entry<'a> {
        // 2024-02-29, noon.
        let is_address = Address::parse(loc).is_ok();
        Entry { kind, loc, is_address, lastmod, read_by: 1_709_208_000_000, problem: None }
    }

    #[test]
    fn the_future_begins_after_tomorrow() {
        let limits = Limits::new(&BTreeMap::new());
        let check = |kind: &str, date: &str, expect: bool| {
            assert_eq!(has_bad_date(&entry(kind, "http://h/", Some(date)), &limits), expect, "{kind} {date}");
        };
        check("urlset", "2024-03-01", false);
        check("urlset", "2024-03-01T13:00Z", true);
        check("index", "2099", true);
        check("urlset", "2024", false);
        check("rss", "Thu, 29 Feb 2024 10:00:00 GMT", false);
        assert!(!has_bad_date(&entry("urlset", "http://h/", None), &limits));
    }

    #[test]
    fn addresses_are_whole_and_encoded() {
        let limits = Limits::new(&BTreeMap::new());
        let check = |kind: &str, loc: &str, expect: bool| {
            assert_eq!(has_bad_address(&entry(kind, loc, None), &limits), expect, "{kind} {loc}");
        };
        let of_length = |length: usize| format!("http://h/{}", "x".repeat(length - 9));
        check("urlset", "http://h/a?b[]=c&d=%20#e", false);
        check("urlset", "http://müller.de/", false);
        check("urlset", "http://…@h/", false);
        check("urlset", &of_length(2_048), false);
        check("urlset", &of_length(2_049), true);
        for bad in [
            "/a",
            "www.h.test/a",
            "",
            "ftp://h/",
            "http://h/ä",
            "http://h/a b",
            "http://h/100%",
            "http://h/{a}",
            "http://h/a\tb",
        ] {
            check("urlset", bad, true);
            check("index", bad, true);
            check("rss", bad, false);
        }
        let problem = |code: &'static str, detail: &'static str| {
            has_bad_address(&Entry { problem: Some((code, detail)), ..entry("text", "", None) }, &limits)
        };
        assert!(
            problem("loc-missing", "") && problem("loc-multiple", "") && problem("line-no-address", "Pages:")
        );
        assert!(!problem("line-no-address", "WWW.h.test/a") && !problem("xml-error", ""));
    }
}
