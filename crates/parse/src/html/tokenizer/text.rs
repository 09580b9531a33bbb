//! Text outside raw elements: up to the next markup, whose kind is told here.

use super::emit::Nul;
use super::{Sink, Tokenizer};
use crate::entity::reference;
use html5ever::tokenizer::TagKind;

impl<S: Sink> Tokenizer<'_, S> {
    /// Text up to the next tag, and the tag.
    pub(super) fn data(&mut self) {
        let bytes = self.text.as_bytes();
        let mut start = self.at;
        let mut search = self.at;
        loop {
            let Some(offset) = memchr::memchr2(b'<', b'&', &bytes[search..]) else {
                self.emit_text(start, bytes.len(), Nul::Token);
                self.at = bytes.len();
                return;
            };
            let here = search + offset;
            if bytes[here] == b'&' {
                search = here + 1;
                if let Some(found) = reference(&self.text[here..], false) {
                    self.emit_text(start, here, Nul::Token);
                    self.emit_reference(&found, here);
                    start = here + found.length;
                    search = start;
                }
                continue;
            }
            match bytes.get(here + 1) {
                Some(c) if c.is_ascii_alphabetic() => {
                    self.emit_text(start, here, Nul::Token);
                    return self.tag(here, TagKind::StartTag);
                }
                Some(b'/') => match bytes.get(here + 2) {
                    Some(c) if c.is_ascii_alphabetic() => {
                        self.emit_text(start, here, Nul::Token);
                        return self.tag(here, TagKind::EndTag);
                    }
                    Some(b'>') => {
                        self.emit_text(start, here, Nul::Token);
                        self.at = here + 3;
                        return;
                    }
                    Some(_) => {
                        self.emit_text(start, here, Nul::Token);
                        return self.bogus_comment(here + 2);
                    }
                    None => search = here + 2,
                },
                Some(b'!') => {
                    self.emit_text(start, here, Nul::Token);
                    return self.declaration(here);
                }
                Some(b'?') => {
                    self.emit_text(start, here, Nul::Token);
                    return self.bogus_comment(here + 1);
                }
                _ => search = here + 1,
            }
        }
    }
}
