//! Text to tokens for html5ever's tree builder, by the tokenizer of the HTML standard.
//!
//! html5ever's own tokenizer goes character by character and builds every attribute of every tag; that is most of
//! the cost of a page. This one goes from delimiter to delimiter, makes values only of the attributes that are asked
//! for, and leaves comments out, which change no tree. Differences to html5ever's are pinned by a test that runs both.
//!
//! The text has no carriage returns any more (HTML, "preprocessing the input stream").

use crate::entity::reference;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSinkResult};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

/// Where tokens go.
pub(crate) trait Sink {
    /// Takes a token that begins at a byte of the text, and says how to go on.
    fn token(&self, token: Token, at: usize) -> TokenSinkResult<u32>;
    /// The name under which an attribute (lower case) of a tag is wanted, if it is.
    fn wants(&self, tag: &LocalName, attribute: &[u8]) -> Option<LocalName>;
    /// Whether `<![CDATA[` begins a section here.
    fn is_in_foreign_content(&self) -> bool;
    /// Whether the rest is not to be read.
    fn is_full(&self) -> bool;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Data,
    Raw(RawKind),
    Plaintext,
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

    /// Text up to the next tag, and the tag.
    fn data(&mut self) {
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

    fn bogus_comment(&mut self, from: usize) {
        let bytes = self.text.as_bytes();
        self.at = memchr::memchr(b'>', &bytes[from..]).map_or(bytes.len(), |end| from + end + 1);
    }

    /// What begins with `<!`.
    fn declaration(&mut self, start: usize) {
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

    /// A tag from its `<`. One that the text does not end is none.
    fn tag(&mut self, start: usize, kind: TagKind) {
        let bytes = self.text.as_bytes();
        let name_start = start + if kind == TagKind::StartTag { 1 } else { 2 };
        let name_end = until(bytes, name_start, TAG_NAME_END);
        let name = tag_name(&self.text[name_start..name_end]);
        let mut attrs = Vec::new();
        let mut self_closing = false;
        let mut at = name_end;
        loop {
            // Before attribute name.
            while at < bytes.len() && (is_space(bytes[at]) || bytes[at] == b'/') {
                self_closing = bytes[at] == b'/';
                at += 1;
            }
            if at >= bytes.len() {
                self.at = bytes.len();
                return;
            }
            if bytes[at] == b'>' {
                // A slash counts only directly before the end.
                self_closing &= bytes[at - 1] == b'/';
                self.at = at + 1;
                break;
            }
            self_closing = false;
            let attribute = at;
            at = until(bytes, at + 1, ATTRIBUTE_NAME_END);
            let attribute_end = at;
            while at < bytes.len() && is_space(bytes[at]) {
                at += 1;
            }
            let mut value = (at, at);
            if bytes.get(at) == Some(&b'=') {
                at += 1;
                while at < bytes.len() && is_space(bytes[at]) {
                    at += 1;
                }
                match bytes.get(at) {
                    Some(quote @ (b'"' | b'\'')) => {
                        let Some(length) = memchr::memchr(*quote, &bytes[at + 1..]) else {
                            self.at = bytes.len();
                            return;
                        };
                        value = (at + 1, at + 1 + length);
                        at += length + 2;
                    }
                    _ => {
                        let end = until(bytes, at, UNQUOTED_END);
                        value = (at, end);
                        at = end;
                    }
                }
            }
            if kind == TagKind::StartTag
                && let Some(wanted) = self.wanted(&name, attribute, attribute_end)
                && !attrs.iter().any(|a: &Attribute| a.name.local == wanted)
            {
                let value = self.attribute_value(value.0, value.1);
                attrs.push(Attribute { name: QualName::new(None, ns!(), wanted), value });
            }
        }
        self.state = State::Data;
        if kind == TagKind::StartTag {
            self.raw_name = name.clone();
        } else {
            self_closing = false;
        }
        let tag = Tag { kind, name, self_closing, attrs, had_duplicate_attributes: false };
        match self.sink.token(Token::TagToken(tag), start) {
            TokenSinkResult::RawData(kind) => self.state = State::Raw(kind),
            TokenSinkResult::Plaintext => self.state = State::Plaintext,
            // Scripts are not run, and the encoding is settled.
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }

    fn wanted(&self, tag: &LocalName, start: usize, end: usize) -> Option<LocalName> {
        let name = &self.text.as_bytes()[start..end];
        if !name.iter().any(u8::is_ascii_uppercase) {
            return self.sink.wants(tag, name);
        }
        // No name that is wanted is longer.
        let mut lower = [0; 128];
        let lower = lower.get_mut(..name.len())?;
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        self.sink.wants(tag, lower)
    }

    fn attribute_value(&self, start: usize, end: usize) -> StrTendril {
        let raw = &self.text[start..end];
        if memchr::memchr2(b'&', 0, raw.as_bytes()).is_none() {
            return self.shared.subtendril(start as u32, (end - start) as u32);
        }
        let mut out = String::with_capacity(raw.len());
        let mut at = 0;
        while let Some(offset) = memchr::memchr2(b'&', 0, &raw.as_bytes()[at..]) {
            let here = at + offset;
            out.push_str(&raw[at..here]);
            at = here + 1;
            if raw.as_bytes()[here] == 0 {
                out.push('\u{FFFD}');
                continue;
            }
            // What follows the value is no part of a reference, but the decision looks at it as the end.
            match reference(&raw[here..], true) {
                Some(found) => {
                    out.push(found.first);
                    out.extend(found.second);
                    at = here + found.length;
                }
                None => out.push('&'),
            }
        }
        out.push_str(&raw[at..]);
        StrTendril::from(out)
    }

    /// Text up to the end tag of the raw element, and that tag.
    fn raw(&mut self, kind: RawKind) {
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

    fn emit_reference(&self, found: &crate::entity::Reference, at: usize) {
        let mut text = StrTendril::from_char(found.first);
        if let Some(second) = found.second {
            text.push_char(second);
        }
        let _ = self.sink.token(Token::CharacterTokens(text), at);
    }

    fn emit_text(&self, start: usize, end: usize, nul: Nul) {
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

    fn emit_run(&self, start: usize, end: usize) {
        if start < end {
            let text = self.shared.subtendril(start as u32, (end - start) as u32);
            let _ = self.sink.token(Token::CharacterTokens(text), start);
        }
    }
}

/// What becomes of a NUL byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nul {
    /// The tree builder decides.
    Token,
    Replace,
}

const SPACE: u8 = 1;
const TAG_NAME_END: u8 = 2;
const ATTRIBUTE_NAME_END: u8 = 4;
const UNQUOTED_END: u8 = 8;

const CLASSES: [u8; 256] = {
    let mut table = [0_u8; 256];
    let spaces = [b'\t', b'\n', 0x0C, b' ', b'\r'];
    let mut index = 0;
    while index < spaces.len() {
        table[spaces[index] as usize] = SPACE | TAG_NAME_END | ATTRIBUTE_NAME_END | UNQUOTED_END;
        index += 1;
    }
    table[b'/' as usize] = TAG_NAME_END | ATTRIBUTE_NAME_END;
    table[b'>' as usize] = TAG_NAME_END | ATTRIBUTE_NAME_END | UNQUOTED_END;
    table[b'=' as usize] = ATTRIBUTE_NAME_END;
    table
};

fn until(bytes: &[u8], from: usize, class: u8) -> usize {
    let from = from.min(bytes.len());
    bytes[from..].iter().position(|b| CLASSES[*b as usize] & class != 0).map_or(bytes.len(), |n| from + n)
}

const fn is_space(byte: u8) -> bool {
    CLASSES[byte as usize] & SPACE != 0
}

/// Lower case, NUL replaced.
fn tag_name(name: &str) -> LocalName {
    match name {
        "a" => local_name!("a"),
        "p" => local_name!("p"),
        "div" => local_name!("div"),
        "span" => local_name!("span"),
        "li" => local_name!("li"),
        "ul" => local_name!("ul"),
        "code" => local_name!("code"),
        "em" => local_name!("em"),
        "img" => local_name!("img"),
        "td" => local_name!("td"),
        "tr" => local_name!("tr"),
        "section" => local_name!("section"),
        _ if name.bytes().any(|b| b.is_ascii_uppercase() || b == 0) => {
            LocalName::from(name.to_ascii_lowercase().replace('\0', "\u{FFFD}"))
        }
        _ => LocalName::from(name),
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

/// Whether a name stands here, followed by what ends a tag name.
fn is_tag_at(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    bytes.get(at..at + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && bytes.get(at + name.len()).is_some_and(|next| CLASSES[*next as usize] & TAG_NAME_END != 0)
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

#[cfg(test)]
mod tests {
    use super::*;
    use html5ever::buffer_queue::BufferQueue;
    use html5ever::tokenizer as reference_tokenizer;
    use std::cell::{Cell, RefCell};

    /// Tokens as comparable text, characters run together.
    #[derive(Default)]
    struct Record {
        out: RefCell<Vec<String>>,
        text: RefCell<String>,
        foreign: Cell<bool>,
    }

    impl Record {
        fn take(&self, token: Token) -> TokenSinkResult<u32> {
            let name = match &token {
                Token::CharacterTokens(text) => {
                    self.text.borrow_mut().push_str(text);
                    return TokenSinkResult::Continue;
                }
                Token::NullCharacterToken => {
                    self.text.borrow_mut().push('\0');
                    return TokenSinkResult::Continue;
                }
                Token::ParseError(_) | Token::CommentToken(_) => return TokenSinkResult::Continue,
                Token::TagToken(tag) if tag.kind == TagKind::StartTag => Some(tag.name.clone()),
                _ => None,
            };
            let text = std::mem::take(&mut *self.text.borrow_mut());
            if !text.is_empty() {
                self.out.borrow_mut().push(format!("{text:?}"));
            }
            self.out.borrow_mut().push(match &token {
                Token::TagToken(tag) => {
                    let attrs: Vec<_> = if tag.kind == TagKind::StartTag {
                        tag.attrs.iter().map(|a| (a.name.local.to_string(), a.value.to_string())).collect()
                    } else {
                        Vec::new()
                    };
                    let closing = tag.self_closing && tag.kind == TagKind::StartTag;
                    format!("{:?} {} {closing} {attrs:?}", tag.kind, tag.name)
                }
                other => format!("{other:?}"),
            });
            match name.as_deref() {
                Some("script") => TokenSinkResult::RawData(RawKind::ScriptData),
                Some("style") => TokenSinkResult::RawData(RawKind::Rawtext),
                Some("title") => TokenSinkResult::RawData(RawKind::Rcdata),
                Some("plaintext") => TokenSinkResult::Plaintext,
                Some("svg") => {
                    self.foreign.set(true);
                    TokenSinkResult::Continue
                }
                _ => TokenSinkResult::Continue,
            }
        }
    }

    impl Sink for Record {
        fn token(&self, token: Token, _: usize) -> TokenSinkResult<u32> {
            self.take(token)
        }

        fn wants(&self, _: &LocalName, attribute: &[u8]) -> Option<LocalName> {
            Some(LocalName::from(String::from_utf8_lossy(attribute).replace('\0', "\u{FFFD}")))
        }

        fn is_in_foreign_content(&self) -> bool {
            self.foreign.get()
        }

        fn is_full(&self) -> bool {
            false
        }
    }

    impl reference_tokenizer::TokenSink for Record {
        type Handle = u32;

        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<u32> {
            self.take(token)
        }

        fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
            self.foreign.get()
        }
    }

    fn compare(text: &str) {
        let ours = Record::default();
        Tokenizer::new(text, &ours).run();
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(text));
        let options = reference_tokenizer::TokenizerOpts { discard_bom: false, ..Default::default() };
        let theirs = reference_tokenizer::Tokenizer::new(Record::default(), options);
        let _ = theirs.feed(&queue);
        theirs.end();
        assert_eq!(ours.out.into_inner(), theirs.sink.out.into_inner(), "{text:?}");
    }

    #[test]
    fn tokens_equal_those_of_html5ever() {
        let pieces = [
            "<",
            ">",
            "/",
            "=",
            "\"",
            "'",
            " ",
            "\n",
            "a",
            "B",
            "x1",
            "&",
            "&amp;",
            "&amp",
            "&notit;",
            "&#65;",
            "&#x80",
            ";",
            "&copy=",
            "-",
            "--",
            "-->",
            "<!--",
            "--!>",
            "!",
            "?",
            "<!",
            "</",
            "<a ",
            "</a>",
            "<p>",
            "<br/>",
            "<title>",
            "</title>",
            "</TITLE ",
            "<script>",
            "</script>",
            "<SCRIPT ",
            "</script",
            "<style>",
            "</style>",
            "<svg>",
            "<![CDATA[",
            "]]>",
            "]",
            "<!DOCTYPE",
            "<!doctype html>",
            " public ",
            " SYSTEM",
            "\"-//W3C//DTD\"",
            "\0",
            "é",
            "日本",
            "href",
            "HREF=",
            "href='x&y'",
            "id=q",
            "<plaintext>",
            "\x0C",
            "&#",
            "&#x",
            "&e",
            "<a b=c/>",
            "/>",
        ];
        // A fixed sequence of numbers, so that a failure can be looked at again.
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..10_000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                text.push_str(pieces[(seed % pieces.len() as u64) as usize]);
                compare(&text);
            }
        }
    }
}
