//! Which encoding the bytes of a page are in, and the text they make.
//!
//! The order is HTML's: byte order mark, then the HTTP header, then a `meta` in the first 1,024 bytes, then what a
//! detector makes of the bytes. A `meta` that comes too late is obeyed as browsers obey it, and reported.
//!
//! HTML, "determining the character encoding" and "prescan a byte stream".

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use model::facts::CharsetSource;
use std::borrow::Cow;

/// Bytes in which a declaration counts (HTML, "prescan").
const PRESCAN: usize = 1_024;
/// Bytes in which a late declaration is looked for.
const LATE_PRESCAN: usize = 65_536;
/// Bytes the detector is shown: its verdict does not change after that.
const DETECT: usize = 262_144;

/// The encoding of a document and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    pub encoding: &'static Encoding,
    pub source: CharsetSource,
    /// What the byte order mark, the header and the meta element say, each on its own.
    pub bom: Option<&'static Encoding>,
    pub header: Option<&'static Encoding>,
    pub meta: Option<&'static Encoding>,
    /// The meta element stands beyond the first 1,024 bytes.
    pub is_late: bool,
}

/// Finds the encoding of an HTML document. `content_type` is the header's value, parameters included.
pub fn charset(body: &[u8], content_type: Option<&str>) -> Charset {
    let bom = Encoding::for_bom(body).map(|(encoding, _)| encoding);
    let header = content_type.and_then(header_charset);
    let early = prescan(&body[..body.len().min(PRESCAN)]);
    let mut found = Charset {
        encoding: WINDOWS_1252,
        source: CharsetSource::Default,
        bom,
        header,
        meta: early,
        is_late: false,
    };
    let declared = [(bom, CharsetSource::Bom), (header, CharsetSource::Header), (early, CharsetSource::Meta)];
    if let Some((encoding, source)) = declared.into_iter().find_map(|(e, source)| Some((e?, source))) {
        (found.encoding, found.source) = (encoding, source);
        return found;
    }
    if body.len() > PRESCAN
        && let Some(late) = prescan(&body[..body.len().min(LATE_PRESCAN)])
    {
        return Charset {
            encoding: late,
            source: CharsetSource::Meta,
            meta: Some(late),
            is_late: true,
            ..found
        };
    }
    // Pure ASCII reads the same in all that a detector would name.
    if !body.is_ascii() {
        found.encoding = detect(body);
        found.source = CharsetSource::Detected;
    }
    found
}

/// The text of a document without its byte order mark; malformed bytes become U+FFFD. The second value says whether
/// there were any.
pub(crate) fn decode<'a>(body: &'a [u8], charset: &Charset) -> (Cow<'a, str>, bool) {
    let body = match Encoding::for_bom(body) {
        Some((encoding, length)) if encoding == charset.encoding => &body[length..],
        _ => body,
    };
    if charset.encoding == UTF_8
        && let Ok(text) = simdutf8::basic::from_utf8(body)
    {
        return (Cow::Borrowed(text), false);
    }
    charset.encoding.decode_without_bom_handling(body)
}

fn detect(body: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(body).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let shown = &body[..body.len().min(DETECT)];
    detector.feed(shown, shown.len() == body.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// The `charset` parameter of a Content-Type value.
fn header_charset(value: &str) -> Option<&'static Encoding> {
    for parameter in value.split(';').skip(1) {
        let Some((name, label)) = parameter.split_once('=') else { continue };
        if name.trim().eq_ignore_ascii_case("charset") {
            let label = label.trim().trim_matches(['"', '\'']);
            return Encoding::for_label(label.as_bytes());
        }
    }
    None
}

/// HTML, "prescan a byte stream to determine its encoding".
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0x3C, 0, 0x3F, 0, 0x78, 0, ..] => return Some(UTF_16LE),
        [0, 0x3C, 0, 0x3F, 0, 0x78, ..] => return Some(UTF_16BE),
        _ => {}
    }
    let fallback = xml_encoding(bytes);
    let mut scan = Prescan { bytes, at: 0 };
    while let Some(offset) = memchr::memchr(b'<', &bytes[scan.at.min(bytes.len())..]) {
        scan.at += offset;
        let rest = &bytes[scan.at..];
        if rest.starts_with(b"<!--") {
            // The two dashes of the start may be those of the end.
            match memchr::memmem::find(&rest[2..], b"-->") {
                Some(end) => scan.at += 2 + end + 3,
                None => break,
            }
        } else if is_meta(rest) {
            scan.at += 5;
            if let Some(encoding) = scan.meta() {
                return Some(encoding);
            }
        } else if is_tag(rest) {
            scan.at += 1;
            while scan.at < bytes.len() && !is_space(bytes[scan.at]) && bytes[scan.at] != b'>' {
                scan.at += 1;
            }
            while scan.attribute().is_some() {}
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            match memchr::memchr(b'>', rest) {
                Some(end) => scan.at += end + 1,
                None => break,
            }
        } else {
            scan.at += 1;
        }
    }
    fallback
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<meta") && (is_space(rest[5]) || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    match rest {
        [_, b'/', c, ..] | [_, c, ..] => c.is_ascii_alphabetic(),
        _ => false,
    }
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Labels that a document cannot mean, since the label itself could be read.
fn as_meant(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

struct Prescan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Prescan<'_> {
    /// The attributes of a meta element, up to a declaration that counts.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut got_pragma, mut need_pragma, mut charset) = (false, None, None);
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" if value == b"content-type" => got_pragma = true,
                b"content" if charset.is_none() => {
                    if let Some(encoding) = content_encoding(&value) {
                        (charset, need_pragma) = (Some(encoding), Some(true));
                    }
                }
                b"charset" => {
                    charset = Encoding::for_label(&value);
                    need_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        if need_pragma? && !got_pragma {
            return None;
        }
        charset.map(as_meant)
    }

    /// HTML, "get an attribute": name and value in lower case.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        while self.byte().is_some_and(|b| is_space(b) || b == b'/') {
            self.at += 1;
        }
        let (mut name, mut value) = (Vec::new(), Vec::new());
        loop {
            match self.byte() {
                None => return None,
                Some(b'>') if name.is_empty() => {
                    return None;
                }
                Some(b'=') if !name.is_empty() => {
                    self.at += 1;
                    break;
                }
                Some(b'/' | b'>') => return Some((name, value)),
                Some(b) if is_space(b) => {
                    self.skip_space();
                    if self.byte() != Some(b'=') {
                        return Some((name, value));
                    }
                    self.at += 1;
                    break;
                }
                Some(b) => name.push(b.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.skip_space();
        match self.byte()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                loop {
                    let byte = self.byte()?;
                    self.at += 1;
                    if byte == quote {
                        return Some((name, value));
                    }
                    value.push(byte.to_ascii_lowercase());
                }
            }
            b'>' => Some((name, value)),
            _ => loop {
                match self.byte() {
                    None => return None,
                    Some(b) if is_space(b) || b == b'>' => return Some((name, value)),
                    Some(b) => value.push(b.to_ascii_lowercase()),
                }
                self.at += 1;
            },
        }
    }

    fn skip_space(&mut self) {
        while self.byte().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

/// HTML, "extracting a character encoding from a meta element"; the value is in lower case.
fn content_encoding(value: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    loop {
        at += memchr::memmem::find(&value[at..], b"charset")? + 7;
        let skip = |from: usize| from + value[from..].iter().take_while(|b| is_space(**b)).count();
        let equals = skip(at);
        if value.get(equals) != Some(&b'=') {
            continue;
        }
        let start = skip(equals + 1);
        return match value.get(start)? {
            quote @ (b'"' | b'\'') => {
                let end = memchr::memchr(*quote, &value[start + 1..])?;
                Encoding::for_label(&value[start + 1..start + 1 + end])
            }
            _ => {
                let length = value[start..].iter().take_while(|b| !is_space(**b) && **b != b';').count();
                Encoding::for_label(&value[start..start + length])
            }
        };
    }
}

/// HTML, "get an XML encoding".
pub(crate) fn xml_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let (label, _) = xml_label(bytes)?;
    Encoding::for_label(label).map(as_meant)
}

/// The name of an encoding in an XML declaration, and where it begins.
pub(crate) fn xml_label(bytes: &[u8]) -> Option<(&[u8], usize)> {
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let declaration = &bytes[..memchr::memchr(b'>', bytes)?];
    let mut at = memchr::memmem::find(declaration, b"encoding")? + 8;
    let skip = |from: usize| from + declaration[from..].iter().take_while(|b| **b <= b' ').count();
    at = skip(at);
    if declaration.get(at) != Some(&b'=') {
        return None;
    }
    at = skip(at + 1);
    let quote = *declaration.get(at).filter(|b| matches!(b, b'"' | b'\''))?;
    let label = &declaration[at + 1..at + 1 + memchr::memchr(quote, &declaration[at + 1..])?];
    if label.iter().any(|b| *b <= b' ') {
        return None;
    }
    Some((label, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_in_their_order() {
        let check = |body: &[u8], header: Option<&str>, name: &str, source: CharsetSource| {
            let got = charset(body, header);
            assert_eq!(
                (got.encoding.name(), got.source),
                (name, source),
                "{}",
                String::from_utf8_lossy(body)
            );
        };
        let meta = b"<meta charset=iso-8859-2>";
        check(
            b"\xEF\xBB\xBF<meta charset=iso-8859-2>",
            Some("text/html; charset=koi8-r"),
            "UTF-8",
            CharsetSource::Bom,
        );
        check(meta, Some("text/html; charset=\"KOI8-R\""), "KOI8-R", CharsetSource::Header);
        check(meta, Some("text/html; charset=bogus"), "ISO-8859-2", CharsetSource::Meta);
        check(b"<meta charset=utf-16>", None, "UTF-8", CharsetSource::Meta);
        check(b"<?xml version='1.0' encoding='iso-8859-5'?><html>", None, "ISO-8859-5", CharsetSource::Meta);
        check(b"plain", None, "windows-1252", CharsetSource::Default);
        check("žluťoučký kůň".as_bytes(), None, "UTF-8", CharsetSource::Detected);
        check(b"caf\xE9 d\xE9j\xE0 vu", None, "windows-1252", CharsetSource::Detected);
    }

    #[test]
    fn late_declarations_are_obeyed_and_told() {
        let page = format!("<!--{}--><meta charset=koi8-r>", "x".repeat(2_000));
        let got = charset(page.as_bytes(), None);
        assert_eq!((got.encoding.name(), got.is_late), ("KOI8-R", true));
    }

    #[test]
    fn decoding_keeps_what_it_can() {
        let check = |body: &[u8], header: Option<&str>, expect: &str, malformed: bool| {
            let got = decode(body, &charset(body, header));
            assert_eq!((&*got.0, got.1), (expect, malformed));
        };
        check(b"\xEF\xBB\xBFa", None, "a", false);
        check(b"a\xFFb", Some("text/html;charset=utf-8"), "a\u{FFFD}b", true);
        check(b"\xFF\xFEa\0", None, "a", false);
        check(b"\x80", Some("text/html; charset=iso-8859-1"), "€", false);
    }
}
