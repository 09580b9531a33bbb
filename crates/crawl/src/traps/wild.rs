//! Addresses whose numbers, dates and random names stand for many: the pattern that such addresses share.

use super::repeat::shorten;
use model::address::origin_of;
use model::hash::fingerprint;

/// An address with something in it that others have differently.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wild {
    /// Hash of origin and pattern.
    pub family: u64,
    /// Path and query, stars for numbers, dates and random names.
    pub pattern: String,
    pub kind: Series,
    /// Bytes of the address before its first star.
    pub fixed: usize,
    /// The year of the date in it, where it has one.
    pub year: Option<u32>,
}

/// What the addresses of a pattern seem to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Series {
    Dates,
    Pages,
    Numbers,
}

/// Characters of an alphanumeric word from which on it may be a random name rather than a number or a word.
const RANDOM: usize = 8;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Names of parameters and of path segments before a number that count the pages of a list.
const PAGE_NAMES: &[&str] =
    &["from", "offset", "p", "page", "pageno", "paged", "pagenumber", "pg", "seite", "skip", "start"];

/// Names of parameters that hold a date or a part of one.
const DATE_NAMES: &[&str] = &[
    "cal",
    "d",
    "date",
    "day",
    "from_date",
    "m",
    "mo",
    "month",
    "monat",
    "tag",
    "w",
    "week",
    "y",
    "year",
    "jahr",
];

/// Whether a parameter counts pages or is part of a date: neither narrows a list down.
pub(super) fn counts(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    PAGE_NAMES.contains(&&*name) || DATE_NAMES.contains(&&*name)
}

/// Whether a lower-case word is the name of a month or a weekday, in full or its first three letters.
pub(super) fn is_calendar_word(word: &str) -> bool {
    word.len() >= 3
        && MONTHS
            .iter()
            .chain(&WEEKDAYS)
            .any(|name| *name == word || (word.len() == 3 && name.starts_with(word)))
}

/// Reads an address; `None` where nothing of it is wild.
pub(crate) fn read(url: &str) -> Option<Wild> {
    let origin = origin_of(url);
    let rest = &url[origin.len()..];
    if !rest.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let has_year = (0..rest.len()).any(|at| year_at(rest.as_bytes(), at).is_some());
    let mut pattern = String::with_capacity(rest.len());
    let mut fixed = None;
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' && at + 2 < bytes.len() {
            // An escape is one character, whatever its digits.
            let end = (at + 3).min(bytes.len());
            let end = if rest.is_char_boundary(end) { end } else { at + 1 };
            pattern.push_str(&rest[at..end]);
            at = end;
            continue;
        }
        let word = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if word == 0 {
            let end = (at + 1..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
            pattern.push_str(&rest[at..end]);
            at = end;
            continue;
        }
        let text = &rest[at..at + word];
        if is_random(text) || (has_year && is_calendar_word(&text.to_ascii_lowercase())) {
            fixed.get_or_insert(at);
            pattern.push('*');
        } else {
            let mut from = 0;
            for (n, byte) in text.bytes().enumerate() {
                if byte.is_ascii_digit() {
                    pattern.push_str(&text[from..n]);
                    from = n + 1;
                    if !pattern.ends_with('*') || n == 0 || !text.as_bytes()[n - 1].is_ascii_digit() {
                        fixed.get_or_insert(at + n);
                        pattern.push('*');
                    }
                }
            }
            pattern.push_str(&text[from..]);
        }
        at += word;
    }
    let fixed = origin.len() + fixed?;
    let family = fingerprint(format!("{origin}{pattern}").as_bytes());
    let year = date_year(rest);
    let kind = if year.is_some() {
        Series::Dates
    } else if counts_pages(rest) {
        Series::Pages
    } else {
        Series::Numbers
    };
    Some(Wild { family, pattern: shorten(pattern), kind, fixed, year })
}

/// Letters and digits mixed as no person writes them: long hexadecimal, or long with many changes between the two.
fn is_random(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.len() - digits;
    if word.len() < RANDOM || digits == 0 || letters == 0 {
        return false;
    }
    let changes = word
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    word.bytes().all(|byte| byte.is_ascii_hexdigit()) || (word.len() >= 2 * RANDOM && changes >= 4)
}

/// A year that stands by itself at this place: four digits, 1000 to 9999.
fn year_at(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    let alone = (at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
        && !bytes.get(at + 4).is_some_and(u8::is_ascii_alphanumeric);
    if !alone || digits[0] == b'0' || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |year, digit| year * 10 + u32::from(digit - b'0')))
}

/// The year of a date: `2031/05`, `2031-05-12`, `may-2031`, or parameters named so.
fn date_year(rest: &str) -> Option<u32> {
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = name.to_ascii_lowercase();
        if DATE_NAMES.contains(&&*name)
            && let Some(year) = year_at(value.as_bytes(), 0)
            && value
                .bytes()
                .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'.' | b'T' | b':'))
        {
            return Some(year);
        }
    }
    let bytes = path.as_bytes();
    for at in 0..bytes.len() {
        let Some(year) = year_at(bytes, at) else { continue };
        let month = |digits: &[u8]| {
            digits.len() == 2
                && digits.iter().all(u8::is_ascii_digit)
                && (1..=12).contains(&((digits[0] - b'0') * 10 + digits[1] - b'0'))
        };
        let after = bytes.get(at + 4).is_some_and(|byte| matches!(byte, b'/' | b'-' | b'_' | b'.'))
            && bytes.get(at + 5..at + 7).is_some_and(month)
            && !bytes.get(at + 7).is_some_and(u8::is_ascii_digit);
        let named = path[..at]
            .trim_end_matches(['/', '-', '_'])
            .rsplit(['/', '-', '_'])
            .next()
            .is_some_and(|word| word.len() >= 3 && is_calendar_word(&word.to_ascii_lowercase()));
        if after || named {
            return Some(year);
        }
    }
    None
}

fn counts_pages(rest: &str) -> bool {
    let is_page = |name: &str| PAGE_NAMES.contains(&&*name.to_ascii_lowercase());
    // In a path a single letter says too little: /p/12 is a product as often as a page.
    let is_named = |name: &str| name.len() > 1 && is_page(name);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut before = "";
    for segment in path.split('/') {
        let numbered = segment.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['-', '_']);
        if (is_number(segment) && is_named(before)) || (numbered.len() < segment.len() && is_named(numbered))
        {
            return true;
        }
        before = segment;
    }
    query
        .split('&')
        .any(|pair| pair.split_once('=').is_some_and(|(name, value)| is_page(name) && is_number(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_stars_for_what_differs() {
        let check = |path: &str, expect: Option<(&str, Series)>| {
            let wild = read(&format!("http://h7.test{path}"));
            assert_eq!(wild.as_ref().map(|wild| (wild.pattern.as_str(), wild.kind)), expect, "{path}");
        };
        check("/", None);
        check("/about?x=y", None);
        check("/p/12", Some(("/p/*", Series::Numbers)));
        check("/list?page=12", Some(("/list?page=*", Series::Pages)));
        check("/blog/page/3/", Some(("/blog/page/*/", Series::Pages)));
        check("/blog/page-3", Some(("/blog/page-*", Series::Pages)));
        check("/calendar/2031/05/", Some(("/calendar/*/*/", Series::Dates)));
        check("/calendar/2031-05-12", Some(("/calendar/*-*-*", Series::Dates)));
        check("/calendar/may-2031", Some(("/calendar/*-*", Series::Dates)));
        check("/events?month=5&year=2031", Some(("/events?month=*&year=*", Series::Dates)));
        check("/events?date=2031-05-12", Some(("/events?date=*-*-*", Series::Dates)));
        check("/item/2031/55", Some(("/item/*/*", Series::Numbers)));
        check("/may/8", Some(("/may/*", Series::Numbers)));
        check("/v3.12/mp3", Some(("/v*.*/mp*", Series::Numbers)));
        check("/a%20b/7", Some(("/a%20b/*", Series::Numbers)));
        check("/é/7/é", Some(("/é/*/é", Series::Numbers)));
        check("/x/550e8400-e29b-41d4-a716-446655440000", Some(("/x/*-e*b-*d*-a*-*", Series::Numbers)));
        check("/x?sid=0123456789abcdef0123", Some(("/x?sid=*", Series::Numbers)));
        check("/x/iPhone15ProMax", Some(("/x/iPhone*ProMax", Series::Numbers)));
        check("/%", None);
        check("/7%", Some(("/*%", Series::Numbers)));
    }

    #[test]
    fn members_share_their_family_and_their_beginning() {
        let (one, two) = (read("http://h.test/p/12?a=1").unwrap(), read("http://h.test/p/7?a=22").unwrap());
        assert_eq!((one.family, one.fixed), (two.family, "http://h.test/p/".len()));
        assert_ne!(one.family, read("http://o.test/p/12?a=1").unwrap().family);
        let years = |path: &str| read(&format!("http://h.test{path}")).and_then(|wild| wild.year);
        assert_eq!(years("/a/2031/12"), Some(2031));
        assert_eq!(years("/a/2031/13"), None);
        assert_eq!(years("/a/12031/12"), None);
        assert_eq!(years("/a?y=2031"), Some(2031));
        assert_eq!(years("/a?id=2031"), None);
    }
}
