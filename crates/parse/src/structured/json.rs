//! JSON as it stands in scripts: read with the place of everything in it, past what search engines read past, and with the first
//! fault told exactly.
//!
//! A comma too many, a line break in a text and an unknown escape are faults that are told and read past; after others what came
//! before is kept. Comments and the wrappings that hide a script from old browsers are none.

use std::borrow::Cow;

/// Nesting that is read; serde_json and most readers stop there as well.
const MAX_DEPTH: u32 = 128;
/// Values kept of one script. What comes after is read for its faults and addresses only.
const MAX_VALUES: u32 = 20_000;
/// Characters of what stands in the place of something else that a fault shows.
const SHOWN: usize = 12;

/// A value. Places are bytes of the script's text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'t> {
    Object(Vec<Member<'t>>, usize),
    Array(Vec<Self>),
    Text(Cow<'t, str>),
    /// A number or a truth value, as written.
    Other(&'t str),
    Null,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member<'t> {
    pub(crate) name: Cow<'t, str>,
    pub(crate) at: usize,
    pub(crate) value: Json<'t>,
}

/// Why a text is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Byte of the text.
    pub(crate) at: usize,
    pub(crate) detail: String,
}

/// What a script holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Script<'t> {
    pub(crate) value: Option<Json<'t>>,
    /// The first one.
    pub(crate) fault: Option<Fault>,
    /// There are more values than are kept.
    pub(crate) is_cut: bool,
}

/// Reads a script's text. `meet` is told every text with the name of the property that it is a value of, kept or not.
pub(crate) fn read<'t>(text: &'t str, meet: &mut dyn FnMut(&str, &str)) -> Script<'t> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth: 0,
        values: 0,
        stopped: false,
        fault: None,
        is_cut: false,
        meet,
    };
    reader.wrapping();
    let value = if reader.at == reader.bytes.len() {
        reader.stop(reader.at, "expected an object, found nothing");
        None
    } else {
        reader.value("")
    };
    reader.wrapping();
    if !reader.stopped && reader.at < reader.bytes.len() {
        let found = reader.found();
        reader.stop(reader.at, &format!("expected the end, found {found}"));
    }
    Script { value, fault: reader.fault, is_cut: reader.is_cut }
}

struct Reader<'t, 'm> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: u32,
    values: u32,
    /// Nothing after can be made sense of.
    stopped: bool,
    fault: Option<Fault>,
    is_cut: bool,
    meet: &'m mut dyn FnMut(&str, &str),
}

impl<'t> Reader<'t, '_> {
    fn note(&mut self, at: usize, detail: &str) {
        if self.fault.is_none() {
            self.fault = Some(Fault { at, detail: detail.to_owned() });
        }
    }

    fn stop(&mut self, at: usize, detail: &str) {
        self.note(at, detail);
        self.stopped = true;
    }

    /// What stands here, in words.
    fn found(&self) -> String {
        let rest = &self.text[self.at..];
        match rest.chars().next() {
            None => "the end of the script".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(first) if !first.is_alphanumeric() => format!("`{first}`"),
            Some(_) => {
                let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                format!("`{}`", word.chars().take(SHOWN).collect::<String>())
            }
        }
    }

    fn starts_with(&self, token: &str) -> bool {
        self.bytes[self.at..].starts_with(token.as_bytes())
    }

    /// White space and comments.
    fn space(&mut self) {
        loop {
            while self.bytes.get(self.at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
            if self.starts_with("\u{FEFF}") {
                self.at += '\u{FEFF}'.len_utf8();
            } else if self.starts_with("//") {
                let rest = &self.bytes[self.at..];
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            } else if self.starts_with("/*") {
                self.at += self.text[self.at..].find("*/").map_or(self.text.len() - self.at, |end| end + 2);
            } else {
                return;
            }
        }
    }

    /// White space, comments, and what hides a script: `<!-- … -->`, `<![CDATA[ … ]]>`, with `//` before it or not.
    fn wrapping(&mut self) {
        const MARKS: &[&str] = &["<!--", "-->", "<![CDATA[", "]]>"];
        loop {
            let before = self.at;
            while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            }
            let rest = self.text[self.at..]
                .trim_start_matches("//")
                .trim_start_matches("/*")
                .trim_start_matches(' ');
            if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                self.at = self.text.len() - rest.len() + mark.len();
                // A comment that ends before anything begins.
                let inside = rest.split(['{', '[']).next().unwrap_or_default();
                if let Some(end) = inside.find("-->").filter(|_| *mark == "<!--") {
                    self.at = self.text.len() - rest.len() + end + 3;
                }
                // The other end of a comment that holds the mark.
                let rest = self.text[self.at..].trim_start_matches(' ');
                if rest.starts_with("*/") {
                    self.at = self.text.len() - rest.len() + 2;
                }
            } else {
                self.space();
            }
            if self.at == before {
                return;
            }
        }
    }

    /// Whether one more value is kept.
    fn keeps(&mut self) -> bool {
        self.values += 1;
        self.is_cut |= self.values > MAX_VALUES;
        self.values <= MAX_VALUES
    }

    fn value(&mut self, property: &str) -> Option<Json<'t>> {
        let keeps = self.keeps();
        let value = match self.bytes.get(self.at) {
            Some(b'{') => self.nested(|reader| reader.object()),
            Some(b'[') => self.nested(|reader| reader.array(property)),
            Some(b'"') => {
                let text = self.string();
                (self.meet)(property, &text);
                Some(Json::Text(text))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'\'') => {
                self.stop(self.at, "expected a text between double quotes, found a single quote");
                None
            }
            _ => self.word(),
        };
        value.filter(|_| keeps)
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Json<'t>) -> Option<Json<'t>> {
        if self.depth == MAX_DEPTH {
            self.stop(self.at, &format!("nested deeper than {MAX_DEPTH} levels"));
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    fn object(&mut self) -> Json<'t> {
        let start = self.at;
        let mut members = Vec::new();
        self.at += 1;
        let mut comma = None;
        loop {
            self.space();
            match self.bytes.get(self.at) {
                Some(b'}') => {
                    if let Some(comma) = comma {
                        self.note(
                            comma,
                            "expected `}` or another property, found a comma with nothing after it",
                        );
                    }
                    self.at += 1;
                    break;
                }
                Some(b'"') => {}
                _ => {
                    let found = self.found();
                    let expected = if members.is_empty() && comma.is_none() {
                        "`}` or a property"
                    } else {
                        "a property"
                    };
                    self.stop(self.at, &format!("expected {expected} between double quotes, found {found}"));
                    break;
                }
            }
            let at = self.at;
            let name = self.string();
            self.space();
            if self.stopped || !self.expect(b':', "`:`") {
                break;
            }
            self.space();
            if let Some(value) = self.value(&name) {
                members.push(Member { name, at, value });
            }
            if !self.goes_on(b'}', "`,` or `}`", &mut comma) {
                break;
            }
        }
        Json::Object(members, start)
    }

    fn array(&mut self, property: &str) -> Json<'t> {
        let mut items = Vec::new();
        self.at += 1;
        let mut comma = None;
        loop {
            self.space();
            if self.bytes.get(self.at) == Some(&b']') {
                if let Some(comma) = comma {
                    self.note(comma, "expected `]` or another value, found a comma with nothing after it");
                }
                self.at += 1;
                break;
            }
            items.extend(self.value(property));
            if !self.goes_on(b']', "`,` or `]`", &mut comma) {
                break;
            }
        }
        Json::Array(items)
    }

    /// What stands behind a member: a comma, whose place is kept, or the end, which is left to be read. `false`: neither.
    fn goes_on(&mut self, end: u8, expected: &str, comma: &mut Option<usize>) -> bool {
        self.space();
        if self.stopped {
            return false;
        }
        match self.bytes.get(self.at) {
            Some(b',') => {
                *comma = Some(self.at);
                self.at += 1;
                true
            }
            Some(byte) if *byte == end => {
                *comma = None;
                true
            }
            _ => {
                self.expect(end, expected);
                false
            }
        }
    }

    fn expect(&mut self, byte: u8, expected: &str) -> bool {
        if self.bytes.get(self.at) == Some(&byte) {
            self.at += 1;
            return true;
        }
        let found = self.found();
        self.stop(self.at, &format!("expected {expected}, found {found}"));
        false
    }

    fn number(&mut self) -> Option<Json<'t>> {
        let start = self.at;
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        while self.bytes.get(self.at).is_some_and(is_part) {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        if !is_number(text) {
            self.note(
                start,
                &format!("expected a number, found `{}`", text.chars().take(SHOWN).collect::<String>()),
            );
        }
        Some(Json::Other(text))
    }

    fn word(&mut self) -> Option<Json<'t>> {
        for word in ["true", "false", "null"] {
            let ends = |byte: Option<&u8>| !byte.is_some_and(u8::is_ascii_alphanumeric);
            if self.starts_with(word) && ends(self.bytes.get(self.at + word.len())) {
                let text = &self.text[self.at..self.at + word.len()];
                self.at += word.len();
                return Some(if word == "null" { Json::Null } else { Json::Other(text) });
            }
        }
        let found = self.found();
        self.stop(self.at, &format!("expected a value, found {found}"));
        None
    }

    /// A text from its first quote to behind its last.
    fn string(&mut self) -> Cow<'t, str> {
        let start = self.at + 1;
        self.at = start;
        let (mut whole, mut from) = (None::<String>, start);
        loop {
            let Some(offset) =
                self.bytes[self.at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1F))
            else {
                self.stop(start - 1, "expected `\"` at the end of a text, found the end of the script");
                self.at = self.bytes.len();
                break;
            };
            self.at += offset;
            match self.bytes[self.at] {
                b'"' => break,
                b'\\' => {
                    let text = whole.get_or_insert_default();
                    text.push_str(&self.text[from..self.at]);
                    let escaped = self.escape();
                    whole.get_or_insert_default().push(escaped);
                    from = self.at;
                }
                control => {
                    let (what, escape) = match control {
                        b'\n' | b'\r' => ("a line break", "\\n"),
                        b'\t' => ("a tab", "\\t"),
                        _ => ("a control character", "\\u"),
                    };
                    self.note(
                        self.at,
                        &format!("expected `{escape}` or the end of a text, found {what} in it"),
                    );
                    self.at += 1;
                }
            }
        }
        let rest = &self.text[from..self.at];
        self.at = (self.at + 1).min(self.bytes.len());
        match whole {
            None => Cow::Borrowed(rest),
            Some(mut text) => {
                text.push_str(rest);
                Cow::Owned(text)
            }
        }
    }

    /// The character that an escape stands for; the reader is behind it then.
    fn escape(&mut self) -> char {
        let start = self.at;
        let kind = self.bytes.get(start + 1).copied().unwrap_or_default();
        self.at += 2;
        match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let Some(unit) = self.unit() else {
                    self.note(start, "expected four hexadecimal digits after `\\u`");
                    return char::REPLACEMENT_CHARACTER;
                };
                if (0xD800..0xDC00).contains(&unit) && self.starts_with("\\u") {
                    let back = self.at;
                    self.at += 2;
                    if let Some(low) = self.unit().filter(|low| (0xDC00..0xE000).contains(low)) {
                        let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                        return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                    }
                    self.at = back;
                }
                char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => {
                // The backslash stands for itself, and what follows is read as it is.
                self.at = start + 1;
                let shown = self.text[self.at..].chars().next().map(String::from).unwrap_or_default();
                self.note(start, &format!("expected an escape, found `\\{shown}`"));
                '\\'
            }
        }
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    if whole == 0 || (whole > 1 && text.starts_with('0')) {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
