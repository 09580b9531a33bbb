//! What begins with `<!`, and what is read as if it did: doctypes, comments, CDATA sections.

use super::emit::Nul;
use super::{Sink, Tokenizer};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token};

impl<S: Sink> Tokenizer<'_, S> {
    /// What begins with `<!`.
    pub(super) fn declaration(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let rest = &bytes[start + 2..];
        if rest.starts_with(b"--") {
            self.at = comment_end(bytes, start + 4);
        } else if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            let from = start + 9;
            let end = memchr::memchr(b'>', &bytes[from..]).map(|end| from + end);
            let doctype = doctype(&self.text[from..end.unwrap_or(bytes.len())], end.is_none());
            self.at = end.map_or(bytes.len(), |end| end + 1);
            let _ = self.sink.token(Token::DoctypeToken(doctype), start);
        } else if rest.starts_with(b"[CDATA[") && self.sink.is_in_foreign_content() {
            let from = start + 9;
            let end = memchr::memmem::find(&bytes[from..], b"]]>").map(|end| from + end);
            self.emit_text(from, end.unwrap_or(bytes.len()), Nul::Token);
            self.at = end.map_or(bytes.len(), |end| end + 3);
        } else {
            self.bogus_comment(start + 2);
        }
    }

    /// Passes over what stands up to the next `>`.
    pub(super) fn bogus_comment(&mut self, from: usize) {
        let bytes = self.text.as_bytes();
        self.at = memchr::memchr(b'>', &bytes[from..]).map_or(bytes.len(), |end| from + end + 1);
    }
}

/// Behind the end of the comment whose text begins at `from`.
fn comment_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    // `<!-->` and `<!--->` are whole.
    if rest.starts_with(b">") {
        return from + 1;
    }
    if rest.starts_with(b"->") {
        return from + 2;
    }
    let end = memchr::memmem::find(rest, b"-->").map(|end| end + 3);
    // `--!>` ends a comment too, if it comes first.
    let within = &rest[..end.unwrap_or(rest.len())];
    let bang = memchr::memmem::find(within, b"--!>").map(|end| end + 4);
    bang.or(end).map_or(bytes.len(), |end| from + end)
}

/// What stands between `<!doctype` and its `>`.
fn doctype(text: &str, is_unfinished: bool) -> Doctype {
    let mut out = Doctype { force_quirks: is_unfinished, ..Doctype::default() };
    let clean = |text: &str| text.replace('\0', "\u{FFFD}");
    let rest = text.trim_start_matches(is_space_char);
    if rest.is_empty() {
        out.force_quirks = true;
        return out;
    }
    let end = rest.find(is_space_char).unwrap_or(rest.len());
    out.name = Some(StrTendril::from(clean(&rest[..end].to_ascii_lowercase())));
    let rest = rest[end..].trim_start_matches(is_space_char);
    let Some(keyword) = rest.get(..6) else {
        out.force_quirks |= !rest.is_empty();
        return out;
    };
    let rest = &rest[6..];
    let system = if keyword.eq_ignore_ascii_case("public") {
        let Some((id, rest, closed)) = quoted(rest) else {
            out.force_quirks = true;
            return out;
        };
        out.public_id = Some(StrTendril::from(clean(id)));
        if !closed {
            out.force_quirks = true;
            return out;
        }
        if rest.trim_start_matches(is_space_char).is_empty() {
            return out;
        }
        quoted(rest)
    } else if keyword.eq_ignore_ascii_case("system") {
        quoted(rest)
    } else {
        None
    };
    match system {
        Some((id, rest, closed)) => {
            out.system_id = Some(StrTendril::from(clean(id)));
            // What follows makes the doctype bogus, and a bogus one needs no end.
            out.force_quirks &= rest.trim_start_matches(is_space_char).is_empty();
            out.force_quirks |= !closed;
        }
        None => out.force_quirks = true,
    }
    out
}

/// A quoted identifier, what follows, and whether the quote was closed.
fn quoted(text: &str) -> Option<(&str, &str, bool)> {
    let text = text.trim_start_matches(is_space_char);
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = &text[1..];
    Some(match inner.find(quote) {
        Some(end) => (&inner[..end], &inner[end + 1..], true),
        None => (inner, "", false),
    })
}

const fn is_space_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0C' | ' ')
}
