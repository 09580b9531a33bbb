//! Texts, addresses and moments as a spreadsheet can hold them.

use model::calendar::{days_since_epoch, is_date};
use std::borrow::Cow;

/// Characters of a cell at most, in UTF-16 units.
pub(super) const LONGEST_TEXT: usize = 32_767;
/// Characters of a hyperlink's address at most.
pub(super) const LONGEST_LINK: usize = 2_079;
/// Whole numbers beyond this lose digits in a spreadsheet.
pub(super) const LARGEST_INT: u64 = 999_999_999_999_999;

/// The text with what XML forbids made visible, and cut, with a mark that says so, where a cell is too small for it.
pub(super) fn cell_text(text: &str) -> Cow<'_, str> {
    let shown = if text.contains(forbidden) { Cow::Owned(spelt(text)) } else { Cow::Borrowed(text) };
    // A byte is never more than one UTF-16 unit.
    if shown.len() <= LONGEST_TEXT {
        return shown;
    }
    let units = shown.encode_utf16().count();
    if units <= LONGEST_TEXT {
        return shown;
    }
    let mark = format!("… [cut: {units} characters]");
    let mut room = LONGEST_TEXT - mark.encode_utf16().count();
    let head = shown.chars().take_while(|c| {
        let fits = room >= c.len_utf16();
        room = room.saturating_sub(c.len_utf16());
        fits
    });
    Cow::Owned(head.chain(mark.chars()).collect())
}

fn forbidden(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}')
}

fn spelt(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\r' if characters.peek() == Some(&'\n') => {}
            // Unicode has a picture for each of these (U+2400 to U+2421).
            '\u{0}'..='\u{1f}' if forbidden(c) => {
                out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'));
            }
            '\u{7f}' => out.push('\u{2421}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Appends a text, already a cell's, as XML character data.
pub(super) fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    // A spreadsheet reads `_x0041_` as an escaped character; the underscore of one that is meant literally is escaped itself.
    while let Some(at) = rest.find("_x") {
        let (before, from) = rest.split_at(at);
        push_escaped(out, before);
        let bytes = from.as_bytes();
        let is_escape = bytes.len() >= 7 && bytes[2..6].iter().all(u8::is_ascii_hexdigit) && bytes[6] == b'_';
        out.push_str(if is_escape { "_x005F_" } else { "_" });
        rest = &from[1..];
    }
    push_escaped(out, rest);
}

/// Appends an attribute's value or character data without a spreadsheet's own escapes.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(escape);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

/// The address of a hyperlink as RFC 3986 spells it, apart from its fragment; `None` where the text is no web address or
/// is longer than a spreadsheet follows. A workbook with an address that is not by the RFC counts as damaged.
pub(super) fn hyperlink(text: &str) -> Option<(String, String)> {
    let scheme = ["http://", "https://"]
        .iter()
        .find(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))?;
    if text.len() > LONGEST_LINK * 4 {
        return None;
    }
    let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
    let authority_ends =
        address[scheme.len()..].find(['/', '?', '\\']).map_or(address.len(), |at| scheme.len() + at);
    let mut link = spelt_uri(&address[..authority_ends], "[]");
    link.push_str(&spelt_uri(&address[authority_ends..], ""));
    let fragment = spelt_uri(fragment, "");
    (link.len() <= LONGEST_LINK && fragment.len() <= LONGEST_LINK).then_some((link, fragment))
}

/// Escapes what RFC 3986 does not allow, and a `%` that begins no escape.
fn spelt_uri(text: &str, also: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, byte) in text.bytes().enumerate() {
        let allowed = byte.is_ascii_alphanumeric()
            || b"-._~:/?@!$&'()*+,;=".contains(&byte)
            || also.as_bytes().contains(&byte)
            || (byte == b'%'
                && text
                    .as_bytes()
                    .get(at + 1..at + 3)
                    .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
        if allowed { out.push(char::from(byte)) } else { out.push_str(&format!("%{byte:02X}")) }
    }
    out
}

/// Days from 1899-12-30 to 1970-01-01.
const FROM_1899: i64 = 25_569;

/// An ISO 8601 moment in UTC as days since the end of 1899, the way spreadsheets count; `None` where the text is none.
pub(super) fn serial(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if !separators.iter().all(|(at, byte)| bytes.get(*at) == Some(byte)) || bytes.last() != Some(&b'Z') {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let millis = match bytes.len() {
        20 => 0,
        24 if bytes[19] == b'.' => number(20, 23)?,
        _ => return None,
    };
    // Before March 1900 spreadsheets disagree about the day.
    if year < 1901 || !is_date(year, month, day) || hour > 23 || minute > 59 {
        return None;
    }
    let in_day = ((hour * 60 + minute) * 60 + second) * 1000 + millis;
    Some((days_since_epoch(year, month, day) + FROM_1899) as f64 + in_day as f64 / 86_400_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_visible() {
        let check = |text: &str, expect: &str| assert_eq!(cell_text(text), expect, "{text:?}");
        check("plain ü 漢字 👩‍👩‍👧 \u{202e}x", "plain ü 漢字 👩‍👩‍👧 \u{202e}x");
        check("a\0b\u{1b}c\u{7f}", "a␀b␛c␡");
        check("one\r\ntwo\ttab\rthree", "one\ntwo\ttab␍three");
        check("\u{fffe}\u{ffff}", "\u{fffd}\u{fffd}");
    }

    #[test]
    fn long_texts_are_cut_and_say_so() {
        let units = |text: &str| text.encode_utf16().count();
        let whole = "x".repeat(LONGEST_TEXT);
        assert_eq!(cell_text(&whole), whole);
        let cut = cell_text(&"x".repeat(40_000)).into_owned();
        assert!(
            cut.ends_with("x… [cut: 40000 characters]") && units(&cut) == LONGEST_TEXT,
            "{}",
            units(&cut)
        );
        let cut = cell_text(&"👩".repeat(20_000)).into_owned();
        assert!(cut.ends_with("… [cut: 40000 characters]") && units(&cut) <= LONGEST_TEXT);
        // More bytes than the limit, fewer characters.
        let wide = "漢".repeat(20_000);
        assert_eq!(cell_text(&wide), wide);
    }

    #[test]
    fn xml_and_the_escapes_of_spreadsheets_are_escaped() {
        let check = |text: &str, expect: &str| {
            let mut out = String::new();
            push_text(&mut out, text);
            assert_eq!(out, expect);
        };
        check("a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d");
        check("_x0041_", "_x005F_x0041_");
        check("_x00_ _x004 _x_ _", "_x00_ _x004 _x_ _");
        check("__x0041__x0042_<", "__x005F_x0041__x005F_x0042_&lt;");
        check("_x漢字漢_", "_x漢字漢_");
    }

    #[test]
    fn hyperlinks_keep_their_escapes() {
        let check = |text: &str, expect: Option<(&str, &str)>| {
            let expect = expect.map(|(link, fragment)| (link.to_owned(), fragment.to_owned()));
            assert_eq!(hyperlink(text), expect, "{text}");
        };
        check("https://a.test/%C3%A9?x=1&y=2", Some(("https://a.test/%C3%A9?x=1&y=2", "")));
        check("http://[::1]:80/a[0]|b^c`{d}", Some(("http://[::1]:80/a%5B0%5D%7Cb%5Ec%60%7Bd%7D", "")));
        check("HTTP://a.test/100%/é \"<", Some(("HTTP://a.test/100%25/%C3%A9%20%22%3C", "")));
        check("http://a.test/x#part 1", Some(("http://a.test/x", "part%201")));
        check("javascript:alert(1)//http://a.test", None);
        check("file:///etc/passwd", None);
        check("http", None);
        assert!(hyperlink(&format!("http://a.test/{}", "x".repeat(LONGEST_LINK - 14))).is_some());
        assert!(hyperlink(&format!("http://a.test/{}", "x".repeat(LONGEST_LINK - 13))).is_none());
    }

    #[test]
    fn moments_are_counted_in_days() {
        let check = |text: &str, expect: Option<f64>| assert_eq!(serial(text), expect, "{text}");
        check("2026-03-01T00:00:00Z", Some(46_082.0));
        check("2026-03-01T12:00:00.000Z", Some(46_082.5));
        check("2000-02-29T06:00:00.000Z", Some(36_585.25));
        check("2026-13-01T00:00:00Z", None);
        check("2026-02-29T00:00:00Z", None);
        check("2026-03-01 00:00:00Z", None);
        check("2026-03-01T00:00:00+01:00", None);
        check("soon", None);
        check("", None);
        check("２026-03-01T00:00:00Z", None);
    }
}
