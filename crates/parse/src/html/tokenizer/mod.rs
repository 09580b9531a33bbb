//! Text to tokens for html5ever's tree builder, by the tokenizer of the HTML standard.
//!
//! html5ever's own tokenizer goes character by character and builds every attribute of every tag: it was 58 % of the
//! cost of reading a page. This one goes from delimiter to delimiter, makes values only of the attributes that are
//! asked for, and leaves comments out, which change no tree. The tree builder stays html5ever's: the standard's rules
//! for broken markup are its, and it is fast.
//!
//! What keeps this tokenizer honest is the differential test beside it (`tests.rs`): it runs both over the same texts
//! and wants the same tokens. A change here is right when that test says so.
//!
//! A file holds what is read in one kind of place: text, a tag, raw text, a declaration. The text has no carriage
//! returns any more (HTML, "preprocessing the input stream").

mod bytes;
mod declaration;
mod emit;
mod raw;
mod tag;
#[cfg(test)]
mod tests;
mod text;

use emit::Nul;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Token, TokenSinkResult};
use html5ever::{LocalName, local_name};

/// Where tokens go.
pub(crate) trait Sink {
    /// Takes a token that begins at a byte of the text, and says how to go on.
    fn token(&self, token: Token, at: usize) -> TokenSinkResult<u32>;
    /// The name under which an attribute (lower case) of a tag is wanted, if it is.
    fn wants(&self, tag: &LocalName, attribute: &[u8]) -> Option<LocalName>;
    /// The tag that begins at a byte of the text has a title, which is not wanted, with something in it.
    fn has_title(&self, _at: usize) {}
    /// Whether `<![CDATA[` begins a section here.
    fn is_in_foreign_content(&self) -> bool;
    /// Whether the rest is not to be read.
    fn is_full(&self) -> bool;
}

pub(crate) struct Tokenizer<'t, S> {
    text: &'t str,
    /// The same text as a buffer into which tokens can point.
    shared: StrTendril,
    sink: &'t S,
    at: usize,
    state: State,
    /// Name of the element whose end tag ends raw text.
    raw_name: LocalName,
}

/// Where the tokenizer stands between two tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Data,
    Raw(RawKind),
    Plaintext,
}

impl<'t, S: Sink> Tokenizer<'t, S> {
    pub(crate) fn new(text: &'t str, sink: &'t S) -> Self {
        let shared = StrTendril::from_slice(text);
        Self { text, shared, sink, at: 0, state: State::Data, raw_name: local_name!("") }
    }

    /// Reads to the end.
    pub(crate) fn run(mut self) {
        while self.at < self.text.len() && !self.sink.is_full() {
            match self.state {
                State::Data => self.data(),
                State::Raw(kind) => self.raw(kind),
                State::Plaintext => {
                    self.emit_text(self.at, self.text.len(), Nul::Replace);
                    self.at = self.text.len();
                }
            }
        }
        let _ = self.sink.token(Token::EOFToken, self.text.len());
    }
}
