//! The addresses in a style sheet or a style attribute.
//!
//! Reads the tokens of CSS Syntax Level 3 that matter here: comments, strings, `url(…)`, functions and at-rules.
//! Nothing is resolved and nothing is judged valid.

use std::borrow::Cow;

/// What an address in CSS is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CssUse {
    /// `@import`.
    Import,
    /// Inside `@font-face`.
    Font,
    /// Everything else: backgrounds, cursors, masks, `image-set`.
    Image,
}

/// One address, escapes decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CssUrl<'a> {
    pub url: Cow<'a, str>,
    pub used_for: CssUse,
    /// Line breaks before it in the style sheet.
    pub line_offset: u32,
}

/// Every address in a style sheet or in a list of declarations, in order. Empty ones and `#fragments` are left out.
pub fn css_urls(css: &str) -> Vec<CssUrl<'_>> {
    let mut scan = Scan { css, at: 0, out: Vec::new(), counted: 0, lines: 0 };
    // Nearly all style attributes and many style elements hold no address.
    if memchr::memmem::find(css.as_bytes(), b"(").is_none() && !css.contains("@import") && !css.contains('\\')
    {
        return scan.out;
    }
    scan.run();
    scan.out
}

/// At-rule whose prelude or block is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    None,
    Import,
    Namespace,
    FontFace,
    Other,
}

struct Scan<'a> {
    css: &'a str,
    at: usize,
    out: Vec<CssUrl<'a>>,
    counted: usize,
    lines: u32,
}

impl<'a> Scan<'a> {
    fn run(&mut self) {
        let bytes = self.css.as_bytes();
        let mut rule = At::None;
        // The depth of blocks at which `@font-face` opened, and of parentheses at which `image-set(` did.
        let (mut blocks, mut parens) = (0_u32, 0_u32);
        let (mut font_block, mut image_set) = (None, None);
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => {
                    let from = (self.at + 2).min(bytes.len());
                    self.at =
                        memchr::memmem::find(&bytes[from..], b"*/").map_or(bytes.len(), |n| from + n + 2);
                }
                b'"' | b'\'' => {
                    let start = self.at;
                    let text = self.string();
                    if rule == At::Import && font_block.is_none() {
                        self.push(start, text, CssUse::Import);
                        rule = At::Other;
                    } else if image_set.is_some() {
                        self.push(start, text, CssUse::Image);
                    }
                }
                b'@' => {
                    self.at += 1;
                    let name = self.name();
                    rule = match () {
                        () if name.eq_ignore_ascii_case("import") => At::Import,
                        () if name.eq_ignore_ascii_case("namespace") => At::Namespace,
                        () if name.eq_ignore_ascii_case("font-face") => At::FontFace,
                        () => At::Other,
                    };
                }
                b'{' => {
                    blocks += 1;
                    if rule == At::FontFace {
                        font_block = Some(blocks);
                    }
                    rule = At::None;
                    (parens, image_set) = (0, None);
                    self.at += 1;
                }
                b'}' => {
                    if font_block == Some(blocks) {
                        font_block = None;
                    }
                    blocks = blocks.saturating_sub(1);
                    rule = At::None;
                    (parens, image_set) = (0, None);
                    self.at += 1;
                }
                b';' if parens == 0 => {
                    rule = At::None;
                    self.at += 1;
                }
                b'(' => {
                    parens += 1;
                    self.at += 1;
                }
                b')' => {
                    if image_set == Some(parens) {
                        image_set = None;
                    }
                    parens = parens.saturating_sub(1);
                    self.at += 1;
                }
                _ if is_name_start(*byte) => {
                    let start = self.at;
                    let name = self.name();
                    if bytes.get(self.at) != Some(&b'(') {
                        continue;
                    }
                    self.at += 1;
                    if name.eq_ignore_ascii_case("url") || name.eq_ignore_ascii_case("src") {
                        let text = self.url_argument();
                        let used_for = match rule {
                            At::Import => CssUse::Import,
                            At::Namespace => continue,
                            _ if font_block.is_some() => CssUse::Font,
                            _ => CssUse::Image,
                        };
                        if rule == At::Import {
                            rule = At::Other;
                        }
                        self.push(start, text, used_for);
                        continue;
                    }
                    parens += 1;
                    if image_set.is_none()
                        && (name.eq_ignore_ascii_case("image-set")
                            || name.eq_ignore_ascii_case("-webkit-image-set"))
                    {
                        image_set = Some(parens);
                    } else if name.eq_ignore_ascii_case("type") && image_set.is_some() {
                        // `type("image/webp")` names no address.
                        self.skip_parens();
                        parens -= 1;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn push(&mut self, start: usize, url: Cow<'a, str>, used_for: CssUse) {
        let trimmed = match url {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(is_space_char)),
            Cow::Owned(text) => Cow::Owned(text.trim_matches(is_space_char).to_owned()),
        };
        self.lines += memchr::memchr_iter(b'\n', &self.css.as_bytes()[self.counted..start]).count() as u32;
        self.counted = start;
        if !trimmed.is_empty() && !trimmed.starts_with('#') {
            self.out.push(CssUrl { url: trimmed, used_for, line_offset: self.lines });
        }
    }

    /// A name with its escapes; at least one byte is consumed.
    fn name(&mut self) -> Cow<'a, str> {
        let start = self.at;
        let bytes = self.css.as_bytes();
        let mut escaped = false;
        while let Some(byte) = bytes.get(self.at) {
            if *byte == b'\\' && self.at + 1 < bytes.len() {
                escaped = true;
                let hex = bytes[self.at + 1..].iter().take(6).take_while(|b| b.is_ascii_hexdigit()).count();
                self.at = self.css.ceil_char_boundary(self.at + 1 + hex.max(1));
                if hex > 0 && bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                    self.at += 1;
                }
            } else if is_name_start(*byte) || byte.is_ascii_digit() {
                self.at += 1;
            } else {
                break;
            }
        }
        if self.at == start && self.at < bytes.len() {
            self.at = self.css.ceil_char_boundary(self.at + 1);
        }
        let text = &self.css[start..self.at];
        if escaped { Cow::Owned(unescape(text)) } else { Cow::Borrowed(text) }
    }

    /// A quoted string; a line break ends a bad one.
    fn string(&mut self) -> Cow<'a, str> {
        let bytes = self.css.as_bytes();
        let quote = bytes[self.at];
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\\' => {
                    escaped = true;
                    at += 2;
                }
                b'\n' => break,
                _ if *byte == quote => break,
                _ => at += 1,
            }
        }
        let end = self.css.floor_char_boundary(at.min(bytes.len()));
        self.at = if bytes.get(end) == Some(&quote) { end + 1 } else { end.max(start) };
        let text = &self.css[start..end.max(start)];
        if escaped { Cow::Owned(unescape(text)) } else { Cow::Borrowed(text) }
    }

    /// What stands between the parentheses of `url(`, which is already consumed; the closing one is too.
    fn url_argument(&mut self) -> Cow<'a, str> {
        let bytes = self.css.as_bytes();
        while self.at < bytes.len() && bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        if matches!(bytes.get(self.at), Some(b'"' | b'\'')) {
            let text = self.string();
            self.skip_parens();
            return text;
        }
        let start = self.at;
        let mut escaped = false;
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\\' => {
                    escaped = true;
                    self.at += 2;
                }
                b')' => break,
                _ => self.at += 1,
            }
        }
        let end = self.css.floor_char_boundary(self.at.min(bytes.len()));
        self.at = (end + 1).min(bytes.len());
        let text = &self.css[start.min(end)..end];
        if escaped { Cow::Owned(unescape(text)) } else { Cow::Borrowed(text) }
    }

    /// To behind the next closing parenthesis.
    fn skip_parens(&mut self) {
        let bytes = self.css.as_bytes();
        self.at = memchr::memchr(b')', &bytes[self.at..]).map_or(bytes.len(), |n| self.at + n + 1);
    }
}

/// CSS Syntax §4.3.7: a backslash and up to six hex digits with one white space after them, or any character.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut code = 0_u32;
        let mut digits = 0;
        while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)).filter(|_| digits < 6) {
            code = code * 16 + digit;
            digits += 1;
            chars.next();
        }
        if digits > 0 {
            if chars.peek().is_some_and(|c| is_space_char(*c)) {
                chars.next();
            }
            out.push(char::from_u32(code).filter(|c| *c != '\0').unwrap_or('\u{FFFD}'));
        } else if let Some(next) = chars.next()
            && next != '\n'
        {
            out.push(next);
        }
    }
    out
}

const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'\\') || byte >= 0x80
}

const fn is_space_char(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0C')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_their_use() {
        let check = |css: &str, expect: &[(&str, CssUse, u32)]| {
            let got = css_urls(css);
            let got: Vec<_> = got.iter().map(|u| (&*u.url, u.used_for, u.line_offset)).collect();
            assert_eq!(got, expect, "{css}");
        };
        check("color: red", &[]);
        check("background: URL( a.png ) no-repeat", &[("a.png", CssUse::Image, 0)]);
        check(
            "background: url('a b.png'), url(\"c)d.png\")",
            &[("a b.png", CssUse::Image, 0), ("c)d.png", CssUse::Image, 0)],
        );
        check(
            "@import 'x.css' screen;\n@import url(y.css);\n@import \"z.css\" layer(a);",
            &[("x.css", CssUse::Import, 0), ("y.css", CssUse::Import, 1), ("z.css", CssUse::Import, 2)],
        );
        check(
            "@font-face { font-family: 'A'; src: url(a.woff2) format('woff2'), url(b.ttf) } p { background: url(c.png) }",
            &[("a.woff2", CssUse::Font, 0), ("b.ttf", CssUse::Font, 0), ("c.png", CssUse::Image, 0)],
        );
        check(
            "background: image-set('a.avif' type('image/avif') 1x, url(b.png) 2x)",
            &[("a.avif", CssUse::Image, 0), ("b.png", CssUse::Image, 0)],
        );
        check("/* url(no.png) */ a{content:\"url(no2.png)\"; fill:url(#local); mask:url()}", &[]);
        check("@namespace svg url(http://www.w3.org/2000/svg);", &[]);
        check("a{b:\\75 rl(x.png)}", &[("x.png", CssUse::Image, 0)]);
        check("a{b:url(a\\29 b.png)}", &[("a)b.png", CssUse::Image, 0)]);
        for broken in [
            "url(",
            "url('",
            "@import \"",
            "a{b:url(x",
            "\\",
            "url(\\",
            "'\\",
            "@",
            "image-set(type(",
            "é(\\é",
        ] {
            let _ = css_urls(broken);
        }
    }
}
