//! Tags: their names, and the attributes somebody wants.

use super::bytes::{ATTRIBUTE_NAME_END, TAG_NAME_END, UNQUOTED_END, is_space, until};
use super::{Sink, State, Tokenizer};
use crate::entity::reference;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSinkResult};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

impl<S: Sink> Tokenizer<'_, S> {
    /// A tag from its `<`. One that the text does not end is none.
    pub(super) fn tag(&mut self, start: usize, kind: TagKind) {
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
            if kind == TagKind::EndTag {
                continue;
            }
            match self.wanted(&name, attribute, attribute_end) {
                Some(wanted) if !attrs.iter().any(|a: &Attribute| a.name.local == wanted) => {
                    let value = self.attribute_value(value.0, value.1);
                    attrs.push(Attribute { name: QualName::new(None, ns!(), wanted), value });
                }
                None if bytes[attribute..attribute_end].eq_ignore_ascii_case(b"title")
                    && bytes[value.0..value.1].iter().any(|byte| *byte > b' ') =>
                {
                    self.sink.has_title(start);
                }
                _ => {}
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
