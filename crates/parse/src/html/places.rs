//! Where in the source of a page its elements stand: the page is read once more, and each fact keeps the byte of its tag.
//!
//! A crawl keeps lines, which is enough for a list and cheap. Whoever looks at a finding wants the tag itself, also where a
//! page is one line of two megabytes; then the stored source is asked again.

use super::Unit;
use crate::Document;
use crate::charset::{charset, decode};
use model::{Flaw, PageFacts};
use std::ops::Range;

/// A page whose facts say where they stand.
#[derive(Debug)]
pub struct Places {
    /// Every `line` is a place: one more than the byte of [`Places::text`] at which the element's start tag begins; 0 is none.
    pub facts: PageFacts,
    /// The decoded text, its line ends as received, without byte order mark.
    pub text: String,
    /// Bytes of the text that are carriage returns before a line feed: those are not counted by the facts.
    returns: Vec<u32>,
}

/// A start tag in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Bytes of [`Places::text`], from `<` to behind `>`; empty where the element has no tag of its own.
    pub range: Range<usize>,
    /// One-based.
    pub line: u32,
    /// One-based, in characters (Unicode scalar values).
    pub column: u32,
}

/// Reads a page for the places of its elements. Takes as long as [`html`](super::html).
pub fn places(doc: &Document) -> Places {
    let charset = charset(doc.body, doc.content_type);
    let text = decode(doc.body, &charset).0.into_owned();
    let bytes = text.as_bytes();
    let returns = memchr::memchr_iter(b'\r', bytes)
        .filter(|at| bytes.get(at + 1) == Some(&b'\n'))
        .map(|at| at as u32)
        .collect();
    Places { facts: super::read(doc, Unit::Bytes), text, returns }
}

impl Places {
    /// The tag at a place of the facts. `element` is the element's path or name: what stands at the place is its start tag
    /// only when the names are equal; elements that the parser made up for the document have none.
    pub fn tag(&self, place: u32, element: Option<&str>) -> Option<Tag> {
        let mut start = self.byte_of(place.checked_sub(1)?)?;
        let name = element.map(own_name);
        // What stands in the document of a srcdoc attribute has the place of the frame.
        let is_framed = element.is_some_and(|path| path.contains("iframe"));
        let is_own = |at: usize| {
            tag_name(&self.text[at..]).is_some_and(|found| {
                name.is_none_or(|name| found.eq_ignore_ascii_case(name))
                    || is_framed && found.eq_ignore_ascii_case("iframe")
            })
        };
        if !self.text[start..].starts_with('<')
            && let Some(holder) = self.text[..start].rfind('<').filter(|holder| is_own(*holder))
        {
            // Something inside a style or script element.
            start = holder;
        }
        let end = if is_own(start) { start + tag_length(&self.text[start..]) } else { start };
        Some(self.spanning(start..end))
    }

    /// The start tag of the html element; where the source has none, the document's beginning.
    pub fn root(&self) -> Tag {
        let mut at = 0;
        while let Some(found) = self.text[at..].find('<') {
            at += found;
            let rest = &self.text[at..];
            if rest.starts_with("<!--") {
                at += rest.find("-->").map_or(rest.len(), |end| end + 3);
                continue;
            }
            if let Some(name) = tag_name(rest) {
                let is_root = name.eq_ignore_ascii_case("html");
                return self.spanning(if is_root { at..at + tag_length(rest) } else { 0..0 });
            }
            at += 1;
        }
        self.spanning(0..0)
    }

    /// The line of a place of the facts; 0 for none.
    pub fn line_of(&self, place: u32) -> u32 {
        let byte = place.checked_sub(1).and_then(|at| self.byte_of(at));
        byte.map_or(0, |byte| self.position(byte).0)
    }

    fn spanning(&self, range: Range<usize>) -> Tag {
        let (line, column) = self.position(range.start);
        Tag { range, line, column }
    }

    /// The flaw that is stored under this number, and the path of its element.
    pub fn flaw(&self, n: usize) -> Option<(&Flaw, Option<&str>)> {
        let flaw = self.facts.flaws.get(n)?;
        Some((flaw, flaw.path.and_then(|path| self.path(path))))
    }

    /// The text of an element path.
    pub fn path(&self, path: u32) -> Option<&str> {
        self.facts.element_paths.get(path as usize).map(|path| &**path)
    }

    /// The byte of `text` for one of the text whose line ends are line feeds.
    fn byte_of(&self, at: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.returns.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.returns[middle] - middle as u32 <= at { low = middle + 1 } else { high = middle }
        }
        let byte = at as usize + low;
        (byte <= self.text.len() && self.text.is_char_boundary(byte)).then_some(byte)
    }

    /// One-based line and column of a byte.
    fn position(&self, at: usize) -> (u32, u32) {
        let before = &self.text.as_bytes()[..at];
        // A carriage return of its own ends a line as well.
        let feeds = memchr::memchr_iter(b'\n', before).count();
        let alone = memchr::memchr_iter(b'\r', before)
            .filter(|at| self.text.as_bytes().get(at + 1) != Some(&b'\n'))
            .count();
        let begin = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
        ((feeds + alone + 1) as u32, (self.text[begin..at].chars().count() + 1) as u32)
    }
}

/// The element that a path leads to: `img` of `body>main>img[srcset]`.
fn own_name(path: &str) -> &str {
    let last = path.rsplit('>').next().unwrap_or(path);
    last.split('[').next().unwrap_or(last)
}

/// The name of the start tag with which a text begins.
fn tag_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Bytes of the start tag with which a text begins, its `>` included (HTML, "tag name state" and those that follow it).
fn tag_length(text: &str) -> usize {
    #[derive(Clone, Copy)]
    enum State {
        /// In the tag's name or in a value without quotes.
        Unquoted,
        /// Where a name may begin.
        Before,
        Name,
        /// Behind a name and white space: an equals sign still belongs to it.
        After,
        Value,
        Quoted(u8),
    }
    let mut state = State::Unquoted;
    for (at, byte) in text.bytes().enumerate() {
        let is_space = byte.is_ascii_whitespace();
        state = match state {
            State::Quoted(quote) if byte == quote => State::Before,
            State::Quoted(_) => state,
            _ if byte == b'>' => return at + 1,
            State::Unquoted if is_space => State::Before,
            State::Unquoted => State::Unquoted,
            State::Value if is_space => State::Value,
            State::Value if matches!(byte, b'"' | b'\'') => State::Quoted(byte),
            State::Value => State::Unquoted,
            State::Name | State::After if byte == b'=' => State::Value,
            State::Name | State::After if is_space => State::After,
            State::Before if is_space => State::Before,
            _ if byte == b'/' => State::Before,
            _ => State::Name,
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::FlawKind;

    fn read(body: &[u8], content_type: &str) -> Places {
        let doc = Document { body, url: "http://h.test/", headers: &[], content_type: Some(content_type) };
        places(&doc)
    }

    fn link(places: &Places, n: usize) -> (String, u32, u32) {
        let link = &places.facts.links[n];
        let tag = places.tag(link.line, places.path(link.path)).expect("a place");
        (places.text[tag.range].to_owned(), tag.line, tag.column)
    }

    #[test]
    fn tags_end_where_html_says() {
        let check = |text: &str, expect: &str| assert_eq!(&text[..tag_length(text)], expect, "{text}");
        check("<a>b>", "<a>");
        check("<a href='>' title=\"<\\>\">c", "<a href='>' title=\"<\\>\">");
        check("<a href=it's>b's>", "<a href=it's>");
        check("<a href = \">\" b>c", "<a href = \">\" b>");
        check("<a 'b>c'>", "<a 'b>");
        check("<br/>x>", "<br/>");
        // An equals sign where a name may begin is the first letter of the name.
        check("<a =\">\">", "<a =\">");
        check("<a href=\"never", "<a href=\"never");
    }

    #[test]
    fn every_element_of_a_line_has_its_own_place() {
        let page = "<!doctype html><title>t</title><p>ü <a href=/a>1</a> <a href=/a>2</a>\r\n\r\n\t<A HREF=/a>3</A><img srcset='/b 1x, /c 2x'>";
        let places = read(page.as_bytes(), "text/html; charset=utf-8");
        assert_eq!(link(&places, 0), ("<a href=/a>".to_owned(), 1, 37));
        assert_eq!(link(&places, 1), ("<a href=/a>".to_owned(), 1, 54));
        assert_eq!(link(&places, 2), ("<A HREF=/a>".to_owned(), 3, 2));
        assert_eq!(link(&places, 3).0, "<img srcset='/b 1x, /c 2x'>");
        assert_eq!(link(&places, 4).0, "<img srcset='/b 1x, /c 2x'>");
    }

    #[test]
    fn bytes_are_those_of_the_decoded_text() {
        let utf16: Vec<u8> = [0xFF, 0xFE]
            .into_iter()
            .chain("<p>茶 <a href=/x>y</a>".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(link(&read(&utf16, "text/html"), 0), ("<a href=/x>".to_owned(), 1, 6));
        let latin = b"<p>caf\xE9 <a href=/x>y</a>";
        assert_eq!(link(&read(latin, "text/html; charset=iso-8859-1"), 0), ("<a href=/x>".to_owned(), 1, 9));
    }

    #[test]
    fn what_stands_inside_a_tag_leads_to_it() {
        let page = "<head>\n<style>\np {\nbackground: url(/a.png) }</style><body style=\"background: url(/b.png)\"><iframe srcdoc=\"<a href='/c'>c</a>\"></iframe>";
        let places = read(page.as_bytes(), "text/html");
        let tags: Vec<String> = (0..3).map(|n| link(&places, n).0).collect();
        assert_eq!(tags[0], "<style>");
        assert!(tags[1].starts_with("<body style="), "{}", tags[1]);
        assert!(tags[2].starts_with("<iframe srcdoc="), "{}", tags[2]);
    }

    #[test]
    fn what_the_parser_made_up_has_a_place_and_no_tag() {
        let places = read(b"<p>text", "text/html");
        let made = places.tag(1, Some("body")).expect("a place");
        assert_eq!((made.range, made.line, made.column), (0..0, 1, 1));
        assert!(places.tag(0, None).is_none(), "no place at all");
        assert!(places.tag(9_999, None).is_none(), "beyond the text");
    }

    #[test]
    fn flaws_have_the_same_numbers_as_in_a_crawl() {
        let page = "<html lang=en><head><title>t</title></head><body><ul>x<li>y</ul><ul><p>a</p></ul><p id=a></p><p id=a></p><form><input name=q><input name=r></form><a href=/></a></body></html>";
        let doc = Document {
            body: page.as_bytes(),
            url: "http://h.test/",
            headers: &[],
            content_type: Some("text/html"),
        };
        let (lines, places) = (super::super::html(&doc), super::places(&doc));
        let kinds = |facts: &PageFacts| -> Vec<(FlawKind, Box<str>)> {
            facts.flaws.iter().map(|flaw| (flaw.kind, flaw.detail.clone())).collect()
        };
        assert!(lines.flaws.len() > 5, "{:?}", lines.flaws);
        assert_eq!(kinds(&lines), kinds(&places.facts));
        assert_eq!(lines.links.len(), places.facts.links.len());
    }
}
