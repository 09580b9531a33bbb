//! This tokenizer against html5ever's, over texts put together of pieces that matter.

use super::{Sink, Tokenizer};
use html5ever::LocalName;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer as reference_tokenizer;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSinkResult};
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
