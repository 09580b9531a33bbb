//! The visible text of a page: white space collapsed as it is written, with words, hash and excerpts over ranges.

use crate::words::count_words;
use std::hash::Hasher;
use twox_hash::XxHash3_64;

/// Bytes kept of one title, heading or description.
pub(crate) const MAX_TEXT: usize = 10_000;
/// Bytes kept of one anchor text: nested tables let one text stand in hundreds of links.
pub(crate) const MAX_ANCHOR: usize = 2_000;

/// Which sums a stretch of text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Share {
    /// Visible in body: its bytes and hash count.
    pub(crate) visible: bool,
    /// Main text as well: its words count.
    pub(crate) main: bool,
}

/// All text of the body in tree order, white space collapsed.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    text: String,
    /// A space is due before the next word.
    pending: bool,
    /// Where the share changes: start and share, in order.
    shares: Vec<(usize, Share)>,
    /// Alternative texts of images by the position where the image stands.
    alts: Vec<(usize, Box<str>)>,
}

impl Flow {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), ..Self::default() }
    }

    /// The words left and right of here are not one.
    pub(crate) fn break_word(&mut self) {
        self.pending = true;
    }

    pub(crate) fn set_share(&mut self, share: Share) {
        match self.shares.last_mut() {
            Some((_, last)) if *last == share => {}
            Some((start, last)) if *start == self.text.len() => *last = share,
            _ => self.shares.push((self.text.len(), share)),
        }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.pending = push_collapsed(&mut self.text, text, self.pending);
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn push_alt(&mut self, alt: &str) {
        self.alts.push((self.text.len(), cut(alt, MAX_ANCHOR).into()));
    }

    /// A position to which an excerpt can go back.
    pub(crate) fn mark(&self) -> Mark {
        Mark { text: self.text.len(), alts: self.alts.len() }
    }

    /// What was written since the mark: the text alone.
    pub(crate) fn text_since(&self, mark: Mark) -> &str {
        self.text[mark.text..].trim_start_matches(' ')
    }

    /// What was written since the mark, images contributing their alternative texts, at most `max` bytes.
    pub(crate) fn excerpt(&self, mark: Mark, max: usize) -> Box<str> {
        let alts = &self.alts[mark.alts..];
        if alts.is_empty() {
            return cut(self.text_since(mark), max).into();
        }
        let (mut out, mut at) = (String::new(), mark.text);
        for (position, alt) in alts {
            push_collapsed(&mut out, &self.text[at..*position], false);
            if out.len() > max {
                break;
            }
            // An image is a word of its own.
            push_collapsed(&mut out, alt, true);
            at = *position;
            let rest = &self.text[at..];
            if !rest.is_empty() && !rest.starts_with(' ') && !out.is_empty() {
                out.push(' ');
            }
        }
        push_collapsed(&mut out, &self.text[at..], false);
        cut(out.trim(), max).into()
    }

    /// Words of the main text, bytes of the visible text, hash of the visible text (0 for none).
    pub(crate) fn totals(&self) -> (u32, u32, u64) {
        let (mut words, mut bytes) = (0, 0);
        let mut hasher = XxHash3_64::with_seed(0);
        for (index, (start, share)) in self.shares.iter().enumerate() {
            let end = self.shares.get(index + 1).map_or(self.text.len(), |(next, _)| *next);
            let mut part = &self.text[*start..end];
            if share.main {
                words += count_words(part);
            }
            if share.visible {
                if bytes == 0 {
                    part = part.trim_start_matches(' ');
                }
                bytes += part.len();
                hasher.write(part.as_bytes());
            }
        }
        (words, bytes as u32, if bytes == 0 { 0 } else { hasher.finish() })
    }
}

/// See [`Flow::mark`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    text: usize,
    alts: usize,
}

/// Appends `text` with runs of white space made one space; says whether a space is due before what follows.
fn push_collapsed(out: &mut String, text: &str, mut pending: bool) -> bool {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if is_space(bytes[at]) {
                pending = true;
                at += 1;
                continue;
            }
            // A single space inside is already collapsed: take words together up to the next place that is not.
            let start = at;
            while at < bytes.len() {
                let byte = bytes[at];
                if is_space(byte) && (byte != b' ' || bytes.get(at + 1).is_none_or(|next| is_space(*next))) {
                    break;
                }
                at += 1;
            }
            if pending && !out.is_empty() {
                out.push(' ');
            }
            pending = false;
            out.push_str(&text[start..at]);
        }
        return pending;
    }
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            pending = true;
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if pending && !out.is_empty() {
            out.push(' ');
        }
        pending = false;
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    pending
}

const fn is_space(byte: u8) -> bool {
    // Vertical tab is white space to Unicode, as the non-ASCII path sees it.
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0B | 0x0C)
}

/// White space at the ends removed and runs of it made one space.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_TEXT));
    push_collapsed(&mut out, text, false);
    out
}

/// At most `max` bytes, whole characters.
pub(crate) fn cut(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_collapses() {
        let check = |input: &str, expect: &str| assert_eq!(collapse(input), expect, "{input:?}");
        check("", "");
        check("  a \n\t b  ", "a b");
        check("a b c", "a b c");
        check("\u{a0}é  è\u{2003}x ", "é è x");
    }

    #[test]
    fn totals_follow_the_shares() {
        let all = Share { visible: true, main: true };
        let aside = Share { visible: true, main: false };
        let mut flow = Flow::default();
        flow.set_share(all);
        flow.push("one two");
        flow.break_word();
        flow.set_share(aside);
        flow.push("three ");
        flow.set_share(Share::default());
        flow.push("hidden");
        let (words, bytes, hash) = flow.totals();
        assert_eq!((words, bytes), (2, "one two three".len() as u32));
        let mut plain = Flow::default();
        plain.set_share(all);
        plain.push("  one two three");
        assert_eq!(plain.totals().2, hash);
        assert_eq!(Flow::default().totals(), (0, 0, 0));
    }

    #[test]
    fn excerpts_take_alternative_texts() {
        let mut flow = Flow::default();
        flow.push("before ");
        let mark = flow.mark();
        flow.push("see");
        flow.push_alt("the banner");
        flow.push("now");
        assert_eq!(&*flow.excerpt(mark, 100), "see the banner now");
        assert_eq!(&*flow.excerpt(mark, 5), "see t");
        assert_eq!(flow.text_since(mark), "seenow");
    }
}
