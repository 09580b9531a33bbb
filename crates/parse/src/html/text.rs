//! The visible text of a page: white space collapsed as it is written, with words, hash and excerpts over ranges.

use crate::reading;
use crate::shingles::{Shingles, word_hash};
use crate::words::each_word;
use std::hash::Hasher;
use twox_hash::XxHash3_64;

/// Bytes kept of one title, heading or description.
pub(crate) const MAX_TEXT: usize = 10_000;
/// Bytes of text that a main element must have to count as the page's main text: an empty one is filled by a script, or forgotten.
const LEAST_CORE: usize = 200;
/// Bytes kept of one anchor text: nested tables let one text stand in hundreds of links.
pub(crate) const MAX_ANCHOR: usize = 2_000;

/// Which sums a stretch of text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Share {
    /// Visible in body: its bytes and hash count.
    pub(crate) visible: bool,
    /// Main text as well: its words count.
    pub(crate) main: bool,
    /// Main text inside a main element.
    pub(crate) core: bool,
    /// Main text outside of lists, tables, headings, programs and controls.
    pub(crate) prose: bool,
}

/// What [`Flow::totals`] adds up.
#[derive(Debug)]
pub(crate) struct Totals {
    /// Words of the main text.
    pub(crate) words: u32,
    /// Bytes of the visible text.
    pub(crate) bytes: u32,
    /// Of the visible text; 0 for none.
    pub(crate) hash: u64,
    /// Those of the text inside the main element where there is enough of it, else of the main text.
    pub(crate) shingles: Shingles,
    /// The beginning of the prose of that text, its blocks as lines.
    pub(crate) prose: String,
}

/// All text of the body in tree order, white space collapsed.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    text: String,
    /// A space is due before the next word.
    pending: bool,
    /// Where the share changes: start and share, in order.
    shares: Vec<(usize, Share)>,
    /// Where blocks of prose begin or end.
    breaks: Vec<usize>,
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
        if self.shares.last().is_some_and(|(_, share)| share.prose)
            && self.breaks.last() != Some(&self.text.len())
        {
            self.breaks.push(self.text.len());
        }
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

    /// `kept`: where all shingles are wanted.
    pub(crate) fn totals(&self, kept: Option<Vec<u64>>) -> Totals {
        let core: usize =
            self.runs(|share| share.core).map(|(start, end, core)| if core { end - start } else { 0 }).sum();
        let by_core = core >= LEAST_CORE;
        let (mut words, mut bytes) = (0, 0);
        let mut hasher = XxHash3_64::with_seed(0);
        let mut shingles = Shingles::new(kept);
        for (start, end, share) in self.runs(|share| Share { prose: false, ..share }) {
            let mut part = &self.text[start..end];
            if share.main {
                let is_meant = share.core || !by_core;
                each_word(part, &mut |word| {
                    words += 1;
                    if is_meant {
                        shingles.add(word_hash(word));
                    }
                });
            }
            if share.visible {
                if bytes == 0 {
                    part = part.trim_start_matches(' ');
                }
                bytes += part.len();
                hasher.write(part.as_bytes());
            }
        }
        let hash = if bytes == 0 { 0 } else { hasher.finish() };
        Totals { words, bytes: bytes as u32, hash, shingles, prose: self.prose(by_core) }
    }

    /// The stretches of text in which something about the share stays the same: start, end, and that.
    fn runs<T: PartialEq + Copy>(&self, of: impl Fn(Share) -> T) -> impl Iterator<Item = (usize, usize, T)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let (start, share) = *self.shares.get(at)?;
            let same = of(share);
            at += 1;
            while self.shares.get(at).is_some_and(|(_, share)| of(*share) == same) {
                at += 1;
            }
            Some((start, self.shares.get(at).map_or(self.text.len(), |(next, _)| *next), same))
        })
    }

    /// As much of the prose as is read, a block a line.
    fn prose(&self, by_core: bool) -> String {
        let mut out = String::new();
        let mut breaks = self.breaks.iter().copied().peekable();
        for (mut start, end, _) in
            self.runs(|share| share.prose && (share.core || !by_core)).filter(|run| run.2)
        {
            while let Some(place) = breaks.next_if(|place| *place < end) {
                if place > start {
                    out.push_str(&self.text[start..place]);
                    start = place;
                }
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
            }
            out.push_str(&self.text[start..end]);
            if out.len() > reading::ENOUGH {
                out.truncate(out.floor_char_boundary(reading::ENOUGH));
                break;
            }
        }
        out
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
        let all = Share { visible: true, main: true, ..Share::default() };
        let aside = Share { main: false, ..all };
        let mut flow = Flow::default();
        flow.set_share(all);
        flow.push("one two");
        flow.break_word();
        flow.set_share(aside);
        flow.push("three ");
        flow.set_share(Share::default());
        flow.push("hidden");
        let totals = flow.totals(None);
        assert_eq!((totals.words, totals.bytes), (2, "one two three".len() as u32));
        let mut plain = Flow::default();
        plain.set_share(all);
        plain.push("  one two three");
        assert_eq!(plain.totals(None).hash, totals.hash);
        let empty = Flow::default().totals(None);
        assert_eq!((empty.words, empty.bytes, empty.hash), (0, 0, 0));
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
