//! Tokens of text on their way to the sink.

use super::{Sink, Tokenizer};
use crate::entity::Reference;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::Token;

impl<S: Sink> Tokenizer<'_, S> {
    /// A stretch of the text as it stands.
    pub(super) fn emit_text(&self, start: usize, end: usize, nul: Nul) {
        let mut from = start;
        while let Some(offset) = memchr::memchr(0, &self.text.as_bytes()[from..end]) {
            self.emit_run(from, from + offset);
            let token = match nul {
                Nul::Token => Token::NullCharacterToken,
                Nul::Replace => Token::CharacterTokens(StrTendril::from_char('\u{FFFD}')),
            };
            let _ = self.sink.token(token, from + offset);
            from += offset + 1;
        }
        self.emit_run(from, end);
    }

    pub(super) fn emit_reference(&self, found: &Reference, at: usize) {
        let mut text = StrTendril::from_char(found.first);
        if let Some(second) = found.second {
            text.push_char(second);
        }
        let _ = self.sink.token(Token::CharacterTokens(text), at);
    }

    fn emit_run(&self, start: usize, end: usize) {
        if start < end {
            let text = self.shared.subtendril(start as u32, (end - start) as u32);
            let _ = self.sink.token(Token::CharacterTokens(text), start);
        }
    }
}

/// What becomes of a NUL byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nul {
    /// The tree builder decides.
    Token,
    Replace,
}
