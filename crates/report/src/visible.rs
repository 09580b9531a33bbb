//! Text as a terminal may show it: nothing that acts, and no longer than there is room.

use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The text with everything that would act on a terminal, or turn the direction of reading, made visible instead.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            // Unicode has a picture for each of these (U+2400 to U+2421).
            '\u{0}'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\u{7f}' => out.push('\u{2421}'),
            c if acts(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Columns that the text takes on a terminal.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text in at most `room` columns, its end replaced by `…` where it is longer.
pub fn cut_end(text: &str, room: usize) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let head = take(text.graphemes(true), room.saturating_sub(1));
    Cow::Owned(if room == 0 { String::new() } else { format!("{head}…") })
}

/// The text in at most `room` columns, its middle replaced by `…` where it is longer: host and end of the path tell URLs
/// apart.
pub fn cut_middle(text: &str, room: usize) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    // A room of a few columns holds no two readable halves.
    if room < 8 {
        return cut_end(text, room);
    }
    let tail_room = (room - 1) / 2;
    let head = take(text.graphemes(true), room - 1 - tail_room);
    let tail: String = take(text.graphemes(true).rev(), tail_room).graphemes(true).rev().collect();
    Cow::Owned(format!("{head}…{tail}"))
}

fn take<'a>(graphemes: impl Iterator<Item = &'a str>, room: usize) -> String {
    let mut used = 0;
    graphemes
        .take_while(|grapheme| {
            used += width(grapheme);
            used <= room
        })
        .collect()
}

/// Control characters (C0, DEL, C1), line and paragraph separators, and the marks that turn the direction of text.
pub(crate) fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_terminal() {
        let check = |text: &str, expect: &str| {
            assert_eq!(visible(text), expect);
            assert!(!visible(text).contains(acts));
        };
        check("plain ü 漢字", "plain ü 漢字");
        check("a\u{1b}[31mred", "a␛[31mred");
        check("two\nlines\tand\r\0", "two␊lines␉and␍␀");
        check("\u{9b}31m", "\\u{9b}31m");
        check("abc\u{202e}fdp.exe", "abc\\u{202e}fdp.exe");
    }

    #[test]
    fn cuts_keep_to_their_room() {
        let check = |text: &str, room: usize, end: &str, middle: &str| {
            assert_eq!(cut_end(text, room), end);
            assert_eq!(cut_middle(text, room), middle);
            assert!(width(&cut_end(text, room)) <= room && width(&cut_middle(text, room)) <= room);
        };
        check("short", 5, "short", "short");
        check("https://example.com/a/b.html", 15, "https://exampl…", "https:/…/b.html");
        check("漢字漢字漢字漢字", 9, "漢字漢字…", "漢字…漢字");
        check("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…", "👩‍👩‍👧…");
        check("abc", 0, "", "");
        check("abc", 1, "…", "…");
    }
}
