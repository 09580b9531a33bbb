//! Robots directives of a page, from meta elements and X-Robots-Tag headers: what they come to for the audited bot.

use model::FlawKind;
use model::calendar::{days_since_epoch, is_date};
use model::facts::RobotsMeta;
use store::FlawRow;
use store::schema::document_flags as flag;

/// Unknown directives kept of one page.
const MAX_INVALID: usize = 20;

/// What the directives of a page say.
#[derive(Debug, Default)]
pub(crate) struct Directives {
    pub(crate) noindex: bool,
    pub(crate) nofollow: bool,
    /// All directives as `bot: content`, header ones marked, `robots:` left out as the usual case.
    pub(crate) text: Option<String>,
    /// Bits of `document_flags`.
    pub(crate) flags: i64,
    /// The earliest end that `unavailable_after` names, in Unix milliseconds.
    pub(crate) unavailable_after: Option<i64>,
    /// Directives that no search engine knows.
    pub(crate) invalid: Vec<FlawRow>,
}

/// One directive, its value apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Directive<'t> {
    name: &'t str,
    value: Option<&'t str>,
}

/// What one bot is told.
#[derive(Debug, Default, Clone, Copy)]
struct Told {
    index: bool,
    noindex: bool,
    follow: bool,
    nofollow: bool,
}

impl Directives {
    /// `bot` is the audited one, lower case: its own directives count besides those for `robots`.
    pub(crate) fn read(all: &[RobotsMeta], bot: &str) -> Self {
        let mut found = Self::default();
        let (mut everyone, mut own) = (Told::default(), Told::default());
        let (mut page, mut header) = (Told::default(), Told::default());
        for meta in all {
            // `google` names settings of Google's for everybody; only directives among them were kept.
            let is_general = matches!(&*meta.bot, "robots" | "google");
            if is_general || meta.bot.eq_ignore_ascii_case(bot) {
                let mut told = Told::default();
                for directive in directives(&meta.content) {
                    found.take(directive, &mut told, meta);
                }
                (if is_general { &mut everyone } else { &mut own }).join(told);
                (if meta.from_header { &mut header } else { &mut page }).join(told);
            }
            let text = found.text.get_or_insert_default();
            if !text.is_empty() {
                text.push_str("; ");
            }
            if &*meta.bot != "robots" {
                text.push_str(&meta.bot);
                text.push_str(": ");
            }
            text.push_str(&meta.content);
            if meta.from_header {
                text.push_str(" (header)");
            }
        }
        // What the audited bot is told apart from the others is meant to differ, where it is told in the same place: header and
        // page are written by different hands.
        if [everyone, own].iter().any(Told::contradicts_itself) || page.contradicts(header) {
            found.flags |= flag::DIRECTIVES_CONFLICT;
        }
        found.noindex = everyone.noindex || own.noindex;
        found.nofollow = everyone.nofollow || own.nofollow;
        found
    }

    fn take(&mut self, directive: Directive, told: &mut Told, meta: &RobotsMeta) {
        match directive.name {
            "noindex" => told.noindex = true,
            "nofollow" => told.nofollow = true,
            "index" => told.index = true,
            "follow" => told.follow = true,
            "all" => (told.index, told.follow) = (true, true),
            "none" => {
                (told.noindex, told.nofollow) = (true, true);
                self.flags |= flag::DIRECTIVE_NONE;
            }
            "nosnippet" => self.flags |= flag::NOSNIPPET,
            "noimageindex" => self.flags |= flag::NOIMAGEINDEX,
            "notranslate" => self.flags |= flag::NOTRANSLATE,
            "noarchive" | "nocache" => self.flags |= flag::NOARCHIVE,
            "max-snippet" if directive.value == Some("0") => self.flags |= flag::NOSNIPPET,
            "unavailable_after" => {
                // Without a date that can be read it says nothing, and is reported as invalid.
                if let Some(moment) = directive.value.and_then(moment) {
                    self.flags |= flag::UNAVAILABLE_AFTER;
                    let earlier = self.unavailable_after.map_or(moment, |known| known.min(moment));
                    self.unavailable_after = Some(earlier);
                }
            }
            _ => {}
        }
        if !directive.is_known() && self.invalid.len() < MAX_INVALID {
            let bot = if &*meta.bot == "robots" { String::new() } else { format!("{}: ", meta.bot) };
            let value = directive.value.map_or_else(String::new, |value| format!(":{value}"));
            let detail: String = format!("{bot}{}{value}", directive.name).chars().take(100).collect();
            let element = match (meta.from_header, meta.outside_head) {
                (true, _) => "http>x-robots-tag",
                (false, true) => "body>meta",
                (false, false) => "head>meta",
            };
            self.invalid.push(FlawRow {
                kind: FlawKind::DirectiveInvalid,
                line: meta.line,
                element: Some(element.into()),
                detail: detail.into(),
            });
        }
    }
}

impl Told {
    const fn contradicts_itself(&self) -> bool {
        self.contradicts(*self)
    }

    const fn contradicts(self, other: Self) -> bool {
        (self.index && other.noindex)
            || (self.noindex && other.index)
            || (self.follow && other.nofollow)
            || (self.nofollow && other.follow)
    }

    const fn join(&mut self, other: Self) {
        self.index |= other.index;
        self.noindex |= other.noindex;
        self.follow |= other.follow;
        self.nofollow |= other.nofollow;
    }
}

impl Directive<'_> {
    /// Whether Google's list has it, or another engine's, which Google then passes over for good reason.
    fn is_known(self) -> bool {
        let is_number = || self.value.is_some_and(|value| value.parse::<i64>().is_ok_and(|n| n >= -1));
        match self.name {
            "max-snippet" | "max-video-preview" => is_number(),
            "max-image-preview" => matches!(self.value, Some("none" | "standard" | "large")),
            "unavailable_after" => self.value.and_then(moment).is_some(),
            "all"
            | "index"
            | "follow"
            | "noindex"
            | "nofollow"
            | "none"
            | "noarchive"
            | "nocache"
            | "nosnippet"
            | "notranslate"
            | "noimageindex"
            | "indexifembedded"
            | "nositelinkssearchbox"
            | "noodp"
            | "noydir"
            | "noyaca"
            | "noai"
            | "noimageai" => self.value.is_none(),
            _ => false,
        }
    }
}

/// The directives of one content, which is lower case and of single spaces. Commas separate them; where somebody forgot them,
/// spaces do. A date holds both.
fn directives(content: &str) -> Vec<Directive<'_>> {
    let mut found: Vec<Directive> = Vec::new();
    let mut at = 0;
    while at < content.len() {
        let rest = &content[at..];
        let mut end = rest.find(',').unwrap_or(rest.len());
        let begins = rest.trim_start();
        if let Some(date) = begins.strip_prefix("unavailable_after") {
            // The date ends where the next part could not be one.
            while end < rest.len() {
                let next = rest[end + 1..].trim_start();
                if !next.starts_with(|c: char| c.is_ascii_digit()) {
                    break;
                }
                end += 1 + rest[end + 1..].find(',').unwrap_or(rest.len() - end - 1);
            }
            let date = &date[..date.len() - (rest.len() - end)];
            let value = date.trim().trim_start_matches([':', '=']).trim();
            found.push(Directive { name: "unavailable_after", value: Some(value) });
        } else {
            split(rest[..end].trim(), &mut found);
        }
        at += end + 1;
    }
    found
}

fn split<'t>(part: &'t str, found: &mut Vec<Directive<'t>>) {
    if let Some((name, value)) = part.split_once(':') {
        let (name, value) = (name.trim(), value.trim());
        // `noindex max-snippet:0`: the last word before the colon is the name.
        let (before, name) = name.rsplit_once(' ').map_or(("", name), |(before, name)| (before, name));
        let (value, after) = value.split_once(' ').unwrap_or((value, ""));
        split(before, found);
        found.push(Directive { name, value: Some(value) });
        return split(after, found);
    }
    let words = part.split([' ', ';']).map(str::trim).filter(|word| !word.is_empty());
    found.extend(words.map(|name| Directive { name, value: None }));
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A date as RFC 822, RFC 850 or ISO 8601 write it, lower case, in Unix milliseconds. Without a time it is the day's beginning,
/// without a zone UTC.
fn moment(text: &str) -> Option<i64> {
    let (mut day, mut month, mut year, mut seconds, mut offset) = (None, None, None, 0, 0);
    for word in text.split([' ', ',']).flat_map(date_and_time).filter(|word| !word.is_empty()) {
        if let Some(time) = word.split_once(':').map(|_| word) {
            let (time, zone) = match time.find(['+', '-', 'z']) {
                Some(at) => time.split_at(at),
                None => (time, ""),
            };
            seconds = clock(time)?;
            offset = zone_of(zone).unwrap_or(offset);
        } else if let Some(zone) = word.starts_with(['+', '-']).then(|| zone_of(word)).flatten() {
            offset = zone;
        } else {
            let parts: Vec<&str> = word.split(['-', '/']).filter(|part| !part.is_empty()).collect();
            if let [y, m, d] = *parts.as_slice()
                && y.len() == 4
            {
                (year, month, day) = (y.parse().ok(), m.parse::<i64>().ok(), d.parse::<i64>().ok());
                continue;
            }
            for part in parts {
                if let Some(found) = MONTHS.iter().position(|name| part.starts_with(name)) {
                    month = month.or(Some(found as i64 + 1));
                } else if let Ok(number) = part.parse::<i64>() {
                    if day.is_none() && part.len() <= 2 {
                        day = Some(number);
                    } else if year.is_none() {
                        year = Some(if number < 100 { number + 2_000 } else { number });
                    }
                } else if let Some(zone) = zone_of(part) {
                    offset = zone;
                }
            }
        }
    }
    let (day, month, year): (i64, i64, i64) = (day?, month?, year?);
    if !is_date(year, month, day) || !(1970..=9999).contains(&year) {
        return None;
    }
    Some((days_since_epoch(year, month, day) * 86_400 + seconds - offset) * 1_000)
}

/// ISO 8601 has a `t` between the two.
fn date_and_time(word: &str) -> Vec<&str> {
    let is_digit = |c: Option<&u8>| c.is_some_and(u8::is_ascii_digit);
    let bytes = word.as_bytes();
    let between = |at: usize| is_digit(bytes.get(at.wrapping_sub(1))) && is_digit(bytes.get(at + 1));
    match word.find('t').filter(|at| between(*at)) {
        Some(at) => vec![&word[..at], &word[at + 1..]],
        None => vec![word],
    }
}

/// `15:00:00.5` in seconds.
fn clock(text: &str) -> Option<i64> {
    let mut parts = text.split('.').next()?.split(':').map(str::parse::<i64>);
    let (hours, minutes) = (parts.next()?.ok()?, parts.next()?.ok()?);
    let seconds = parts.next().map_or(Some(0), Result::ok)?;
    let fits = (0..=24).contains(&hours) && (0..60).contains(&minutes) && (0..=60).contains(&seconds);
    fits.then_some(hours * 3_600 + minutes * 60 + seconds)
}

/// A zone's distance from UTC in seconds.
fn zone_of(text: &str) -> Option<i64> {
    let hours = match text {
        "z" | "ut" | "utc" | "gmt" => 0,
        "edt" => -4,
        "est" | "cdt" => -5,
        "cst" | "mdt" => -6,
        "mst" | "pdt" => -7,
        "pst" => -8,
        _ => {
            let sign = if text.starts_with('-') { -1 } else { 1 };
            let digits: String = text.strip_prefix(['+', '-'])?.chars().filter(|c| *c != ':').collect();
            let number: i64 = digits.parse().ok()?;
            let (hours, minutes) = if digits.len() <= 2 { (number, 0) } else { (number / 100, number % 100) };
            return Some(sign * (hours * 3_600 + minutes * 60));
        }
    };
    Some(hours * 3_600)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(metas: &[(&str, &str)]) -> Directives {
        let metas: Vec<RobotsMeta> = metas
            .iter()
            .map(|(bot, content)| RobotsMeta {
                bot: (*bot).into(),
                content: (*content).into(),
                line: 7,
                outside_head: false,
                from_header: false,
            })
            .collect();
        Directives::read(&metas, "googlebot")
    }

    #[test]
    fn the_audited_bot_hears_its_own_and_what_is_for_all() {
        let check = |metas: &[(&str, &str)], expect: (bool, bool, i64)| {
            let found = read(metas);
            assert_eq!((found.noindex, found.nofollow, found.flags), expect, "{metas:?}");
        };
        check(&[("robots", "index, follow")], (false, false, 0));
        check(&[("robots", "noindex nofollow")], (true, true, 0));
        check(&[("robots", "none")], (true, true, flag::DIRECTIVE_NONE));
        check(&[("otherbot", "none, nosnippet")], (false, false, 0));
        check(&[("robots", "index, noindex")], (true, false, flag::DIRECTIVES_CONFLICT));
        check(
            &[("robots", "index"), ("robots", "none")],
            (true, true, flag::DIRECTIVE_NONE | flag::DIRECTIVES_CONFLICT),
        );
        // The one is meant to differ from the others.
        check(&[("robots", "index, follow"), ("googlebot", "noindex")], (true, false, 0));
        check(&[("robots", "noindex, follow")], (true, false, 0));
        check(&[("robots", "max-snippet:0, noarchive")], (false, false, flag::NOSNIPPET | flag::NOARCHIVE));
        check(&[("robots", "max-snippet:-1, max-image-preview: large")], (false, false, 0));
    }

    #[test]
    fn header_and_page_contradict_each_other() {
        let check = |header: (&str, &str), page: (&str, &str), expect: i64| {
            let metas = [(header, true), (page, false)].map(|((bot, content), from_header)| RobotsMeta {
                bot: bot.into(),
                content: content.into(),
                line: 1,
                outside_head: false,
                from_header,
            });
            assert_eq!(Directives::read(&metas, "googlebot").flags, expect, "{header:?} {page:?}");
        };
        check(("googlebot", "noindex"), ("robots", "index, follow"), flag::DIRECTIVES_CONFLICT);
        check(("robots", "nofollow"), ("googlebot", "follow"), flag::DIRECTIVES_CONFLICT);
        check(("otherbot", "noindex"), ("robots", "index"), 0);
        check(("googlebot", "noindex"), ("robots", "noindex, follow"), 0);
    }

    #[test]
    fn an_end_without_a_date_is_none() {
        let found = read(&[("robots", "unavailable_after: some day")]);
        assert_eq!((found.flags, found.unavailable_after, found.invalid.len()), (0, None, 1));
        let found = read(&[("robots", "unavailable_after: 2029-01-01")]);
        assert_eq!((found.flags, found.invalid.len()), (flag::UNAVAILABLE_AFTER, 0));
        assert_eq!(found.unavailable_after, Some(1_861_920_000_000));
    }

    #[test]
    fn unknown_directives_are_named() {
        let check = |content: &str, expect: &[&str]| {
            let found = read(&[("robots", content)]).invalid;
            let found: Vec<&str> = found.iter().map(|flaw| &*flaw.detail).collect();
            assert_eq!(found, expect, "{content}");
        };
        check("noindex, follow, noai, noodp, indexifembedded, max-video-preview:-1", &[]);
        check("no-index, follow", &["no-index"]);
        check("max-snippet:many, max-image-preview:big", &["max-snippet:many", "max-image-preview:big"]);
        check("unavailable_after: wednesday, 03-jan-2029 15:00:00 gmt, noindex", &[]);
        check("unavailable_after: 25 jun 2030 15:00:00 pst", &[]);
        check("unavailable_after: some day, no-index", &["unavailable_after:some day", "no-index"]);
        check("", &[]);
        check(" , ", &[]);
        assert_eq!(&*read(&[("googlebot", "noidx")]).invalid[0].detail, "googlebot: noidx");
        assert_eq!(read(&[("robots", &"x, ".repeat(500))]).invalid.len(), MAX_INVALID);
    }

    #[test]
    fn dates_are_read_in_the_forms_that_engines_read() {
        let check = |text: &str, expect: Option<i64>| assert_eq!(moment(text), expect, "{text}");
        let day = 1_861_920_000_000;
        check("2029-01-01", Some(day));
        check("2029-01-01t15:00:00z", Some(day + 54_000_000));
        check("2029-01-01t15:00:00+02:00", Some(day + 46_800_000));
        check("monday, 01-jan-29 15:00:00 gmt", Some(day + 54_000_000));
        check("mon, 01 jan 2029 15:00:00 gmt", Some(day + 54_000_000));
        check("1 january 2029 15:00 pst", Some(day + 54_000_000 + 28_800_000));
        check("01 oct 2029", Some(day + 273 * 86_400_000));
        check("15:00", None);
        check("soon", None);
        check("2029-13-01", None);
        check("2028-02-29", Some(day - 307 * 86_400_000));
        check("2029-02-31", None);
        check("31 feb 2029", None);
    }
}
