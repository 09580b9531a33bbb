//! Raw text: what stands in script, style, title and the like, where only their own end tag is markup.

use super::bytes::is_tag_at;
use super::emit::Nul;
use super::{Sink, Tokenizer};
use crate::entity::reference;
use html5ever::tokenizer::TagKind;
use html5ever::tokenizer::states::RawKind;

impl<S: Sink> Tokenizer<'_, S> {
    /// Text up to the end tag of the raw element, and that tag.
    pub(super) fn raw(&mut self, kind: RawKind) {
        let bytes = self.text.as_bytes();
        let end = match kind {
            RawKind::ScriptData => script_end(bytes, self.at),
            _ => raw_end(bytes, self.at, self.raw_name.as_bytes()),
        };
        let stop = end.unwrap_or(bytes.len());
        if kind == RawKind::Rcdata {
            self.decoded_text(self.at, stop);
        } else {
            self.emit_text(self.at, stop, Nul::Replace);
        }
        self.at = stop;
        if end.is_some() {
            self.tag(stop, TagKind::EndTag);
        }
    }

    fn decoded_text(&mut self, start: usize, end: usize) {
        let mut from = start;
        let mut search = start;
        while let Some(offset) = memchr::memchr(b'&', &self.text.as_bytes()[search..end]) {
            let here = search + offset;
            search = here + 1;
            if let Some(found) = reference(&self.text[here..end], false) {
                self.emit_text(from, here, Nul::Replace);
                self.emit_reference(&found, here);
                from = here + found.length;
                search = from;
            }
        }
        self.emit_text(from, end, Nul::Replace);
    }
}

/// Where the end tag of a raw element begins.
fn raw_end(bytes: &[u8], from: usize, name: &[u8]) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memmem::find(&bytes[at..], b"</")?;
        if is_tag_at(bytes, at + 2, name) {
            return Some(at);
        }
        at += 2;
    }
}

/// Where the end tag of a script begins: not inside `<!-- <script> … </script> -->`.
fn script_end(bytes: &[u8], from: usize) -> Option<usize> {
    #[derive(PartialEq)]
    enum Escape {
        None,
        Single,
        Double,
    }
    let mut escape = Escape::None;
    let mut at = from;
    loop {
        at += memchr::memchr2(b'<', b'-', &bytes[at..])?;
        let rest = &bytes[at..];
        if rest[0] == b'-' {
            if escape != Escape::None && rest.starts_with(b"-->") {
                escape = Escape::None;
                at += 3;
            } else {
                at += 1;
            }
            continue;
        }
        if rest.starts_with(b"</") && is_tag_at(bytes, at + 2, b"script") {
            if escape != Escape::Double {
                return Some(at);
            }
            escape = Escape::Single;
            at += 8;
        } else if escape == Escape::None && rest.starts_with(b"<!--") {
            escape = Escape::Single;
            // The dashes may be those of `-->` as well.
            at += 2;
        } else if escape == Escape::Single && is_tag_at(bytes, at + 1, b"script") {
            escape = Escape::Double;
            at += 7;
        } else {
            at += 1;
        }
    }
}
