//! Text in HTML: nothing of it becomes markup, and every character that HTML can carry stays.

/// Appends a text as character data or as the value of a quoted attribute.
pub(super) fn push(out: &mut String, text: &str) {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let escape = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\n' | '\t' => continue,
            // HTML has no way to write these. Unicode has a picture for each of the first kind (U+2400 to U+2421).
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        match c {
            '\u{0}'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\u{7f}' => out.push('\u{2421}'),
            _ if escape.is_empty() => out.push('\u{fffd}'),
            _ => out.push_str(escape),
        }
        from = at + c.len_utf8();
    }
    out.push_str(&text[from..]);
}

/// Appends a text whose direction is its own, so that it does not turn the words around it.
pub(super) fn push_isolated(out: &mut String, text: &str) {
    out.push_str("<bdi>");
    push(out, text);
    out.push_str("</bdi>");
}

/// Appends an address as a link, or as a text where it is no web address.
pub(super) fn push_link(out: &mut String, address: &str) {
    let links = push_start(out, address);
    push_isolated(out, address);
    out.push_str(if links { "</a>" } else { "" });
}

/// Appends words that lead to an address, or the address as a text where it is no web address.
pub(super) fn push_link_named(out: &mut String, address: &str, words: &str) {
    if push_start(out, address) {
        push(out, words);
        out.push_str("</a>");
    } else {
        push_isolated(out, address);
    }
}

/// Begins a link to a web address; tells whether it did.
fn push_start(out: &mut String, address: &str) -> bool {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    if is_web {
        out.push_str("<a rel=\"noopener noreferrer\" target=\"_blank\" href=\"");
        push(out, address);
        out.push_str("\">");
    }
    is_web
}

/// The day of an ISO 8601 moment: `1 March 2026`; the text itself where it is none.
pub(super) fn day(moment: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let read = || -> Option<String> {
        let (date, _) = moment.split_once('T')?;
        let mut parts = date.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
        Some(format!("{} {month} {year}", day.parse::<u8>().ok()?))
    };
    read().unwrap_or_else(|| moment.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        let check = |text: &str, expect: &str| {
            let mut out = String::new();
            push(&mut out, text);
            assert_eq!(out, expect);
        };
        check("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        check("\"><img onerror=x>", "&quot;&gt;&lt;img onerror=x&gt;");
        check("a&amp;b", "a&amp;amp;b");
        check("\0\u{1b}\r\n\t\u{7f}\u{85}\u{ffff}", "␀␛␍\n\t␡\u{fffd}\u{fffd}");
        check("漢字 👩‍👩‍👧 \u{202e}abc", "漢字 👩‍👩‍👧 \u{202e}abc");
    }

    #[test]
    fn only_web_addresses_are_links() {
        let check = |address: &str, links: bool| {
            let mut out = String::new();
            push_link(&mut out, address);
            assert_eq!(out.starts_with("<a "), links, "{out}");
        };
        check("https://a.test/?a=1&b=\"2\"", true);
        check("HTTP://a.test/", true);
        check("javascript:alert(1)", false);
        check(" http://a.test/", false);
        check("", false);
    }

    #[test]
    fn days_are_read_by_people() {
        assert_eq!(day("2026-03-01T08:15:30.250Z"), "1 March 2026");
        assert_eq!(day("2026-13-01T08:15:30.250Z"), "2026-13-01T08:15:30.250Z");
        assert_eq!(day(""), "");
    }
}
