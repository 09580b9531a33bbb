//! Character references of HTML.
//!
//! HTML, "character reference state" and what follows it. The table of names is html5ever's, in which every prefix
//! of a name is a key as well.

use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// What a reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Bytes of the reference, its ampersand included.
    pub(crate) length: usize,
    pub(crate) first: char,
    pub(crate) second: Option<char>,
}

/// The reference at the start of `text`, which begins with an ampersand; `None` where it is an ampersand only.
pub(crate) fn reference(text: &str, in_attribute: bool) -> Option<Reference> {
    match text.as_bytes().get(1)? {
        b'#' => numeric(text),
        c if c.is_ascii_alphanumeric() => named(text, in_attribute),
        _ => None,
    }
}

/// The character of a name that ends with a semicolon.
pub(crate) fn by_name(name: &str) -> Option<char> {
    let (first, second) = *NAMED_ENTITIES.get(&*format!("{name};"))?;
    if second == 0 { char::from_u32(first).filter(|c| *c != '\0') } else { None }
}

fn numeric(text: &str) -> Option<Reference> {
    let bytes = text.as_bytes();
    let (start, radix) = if matches!(bytes.get(2), Some(b'x' | b'X')) { (3, 16) } else { (2, 10) };
    let mut number = 0_u32;
    let mut end = start;
    while let Some(digit) = bytes.get(end).and_then(|b| char::from(*b).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end == start {
        return None;
    }
    if bytes.get(end) == Some(&b';') {
        end += 1;
    }
    let first = match number {
        0x80..=0x9F => C1_REPLACEMENTS[(number - 0x80) as usize].or(char::from_u32(number)),
        0 => None,
        _ => char::from_u32(number),
    };
    Some(Reference { length: end, first: first.unwrap_or('\u{FFFD}'), second: None })
}

fn named(text: &str, in_attribute: bool) -> Option<Reference> {
    for (name, c) in [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&nbsp;", '\u{A0}')] {
        if text.starts_with(name) {
            return Some(Reference { length: name.len(), first: c, second: None });
        }
    }
    let bytes = text.as_bytes();
    let mut found = None;
    let mut end = 2;
    while let Some((first, second)) = text.get(1..end).and_then(|name| NAMED_ENTITIES.get(name)) {
        if let Some(first) = char::from_u32(*first).filter(|c| *c != '\0') {
            found = Some(Reference {
                length: end,
                first,
                second: char::from_u32(*second).filter(|c| *c != '\0'),
            });
        }
        end += 1;
    }
    let found = found?;
    let next = bytes.get(found.length);
    // In attributes `&copy=` and `&copyx` are parts of an address.
    if in_attribute
        && bytes[found.length - 1] != b';'
        && next.is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric())
    {
        return None;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_by_context() {
        let check = |text: &str, in_attribute: bool, expect: Option<(usize, char)>| {
            assert_eq!(reference(text, in_attribute).map(|r| (r.length, r.first)), expect, "{text}");
        };
        check("&amp;x", false, Some((5, '&')));
        check("&copy", false, Some((5, '©')));
        check("&copy=1", true, None);
        check("&copy=1", false, Some((5, '©')));
        check("&notit;", false, Some((4, '¬')));
        check("&notit;", true, None);
        check("&#65;", false, Some((5, 'A')));
        check("&#x41", false, Some((5, 'A')));
        check("&#x80;", false, Some((6, '€')));
        check("&#99999999999;", false, Some((14, '\u{FFFD}')));
        check("&#;", false, None);
        check("&#x;", false, None);
        check("& ", false, None);
        check("&", false, None);
        check("&é", false, None);
        check("&nosuch;", false, None);
    }
}
