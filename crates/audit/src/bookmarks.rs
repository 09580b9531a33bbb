//! Links to a place within a page, and whether it is there: HTML, “find a potential indicated element”.

use std::collections::HashMap;
use store::{StoreError, Writer, fragment_code, has_fragment};

/// Strings and pages of which it is remembered what they hold; past this the memory is cleared.
const STRINGS: usize = 1 << 17;
const BYTES: usize = 8 << 20;

/// A link that is to be looked at: its place in the list of hits, its target, and the string of its href.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bookmark {
    pub(crate) hit: usize,
    pub(crate) target: u32,
    pub(crate) string: i64,
}

/// The codes by which the place may be stored: as written, as the URL has it, decoded, and by the first line of a range of
/// lines.
type Codes = [u32; 4];

/// What was looked up, for the next page.
#[derive(Debug, Default)]
pub(crate) struct Bookmarks {
    strings: HashMap<i64, Option<Codes>>,
    pages: HashMap<u32, Box<[u8]>>,
    bytes: usize,
}

/// The fragment of an href, where it names a place of the document: no route of a program in the page, no text to look for.
pub(crate) fn fragment(href: &str) -> Option<String> {
    // What the URL parser leaves out.
    let (_, fragment) = href.trim_matches(|c: char| c <= ' ').split_once('#')?;
    let fragment: String = fragment.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    // The directive behind it is the browser's (WICG, “URL Fragment Text Directives”). Where it is a text, that is where readers
    // land; the place is for browsers that do not look for texts.
    let (fragment, directive) = fragment.split_once(":~:").unwrap_or((&fragment, ""));
    let is_place = !directive.split('&').any(|part| part.starts_with("text="))
        && !fragment.is_empty()
        && !fragment.starts_with(['!', '/', '?'])
        && !decoded(fragment).eq_ignore_ascii_case("top");
    is_place.then(|| fragment.to_owned())
}

fn decoded(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let escape = fragment
            .get(at + 1..at + 3)
            .filter(|digits| bytes[at] == b'%' && digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// As the URL parser writes a fragment (URL Standard, “fragment percent-encode set”).
fn encoded(fragment: &str) -> String {
    let mut out = String::with_capacity(fragment.len());
    for byte in fragment.bytes() {
        match byte {
            b'!' | b'#'..=b';' | b'=' | b'?'..=b'_' | b'a'..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn codes(href: &str) -> Option<Codes> {
    let fragment = fragment(href)?;
    let code = |text: &str| fragment_code(model::hash::fingerprint(text.as_bytes()));
    let first = first_line(&fragment).unwrap_or(&fragment);
    Some([code(&fragment), code(&encoded(&fragment)), code(&decoded(&fragment)), code(first)])
}

/// The first of a range of lines, as listings of sources name them for a script that marks them: `12-34`, `L12-L34`.
fn first_line(fragment: &str) -> Option<&str> {
    let (first, last) = fragment.split_once('-')?;
    let is_line = |text: &str| {
        let digits = text.strip_prefix('L').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    (is_line(first) && is_line(last)).then_some(first)
}

impl Bookmarks {
    /// Whether the target of a link lacks the place that it names.
    pub(crate) fn is_broken(
        &mut self,
        writer: &mut Writer,
        crawl: i64,
        bookmark: Bookmark,
    ) -> Result<bool, StoreError> {
        let codes = match self.strings.get(&bookmark.string) {
            Some(codes) => *codes,
            None => self.read_string(writer, bookmark.string)?,
        };
        let Some(codes) = codes else { return Ok(false) };
        if !self.pages.contains_key(&bookmark.target) {
            self.read_page(writer, crawl, bookmark.target)?;
        }
        let hashes = self.pages.get(&bookmark.target).map_or(&[][..], |hashes| hashes);
        Ok(!codes.into_iter().any(|code| has_fragment(hashes, code)))
    }

    fn read_string(&mut self, writer: &mut Writer, string: i64) -> Result<Option<Codes>, StoreError> {
        let mut read = None;
        writer.rows("SELECT value FROM string WHERE id = ?1", &[string.into()], &mut |row| {
            read = codes(row.text(0));
            Ok(())
        })?;
        if self.strings.len() >= STRINGS {
            self.strings.clear();
        }
        self.strings.insert(string, read);
        Ok(read)
    }

    fn read_page(&mut self, writer: &mut Writer, crawl: i64, url: u32) -> Result<(), StoreError> {
        let mut hashes: Box<[u8]> = Box::default();
        writer.rows(
            "SELECT f.hashes FROM page p CROSS JOIN fragment f ON f.document = p.document WHERE p.key = ?1",
            &[store::key(crawl, url).into()],
            &mut |row| {
                hashes = row.blob(0).into();
                Ok(())
            },
        )?;
        self.bytes += hashes.len() + size_of::<(u32, Box<[u8]>)>();
        if self.bytes > BYTES {
            self.pages.clear();
            self.bytes = hashes.len();
        }
        self.pages.insert(url, hashes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_that_name_a_place() {
        let check =
            |href: &str, expect: Option<&str>| assert_eq!(fragment(href).as_deref(), expect, "{href}");
        check("#a", Some("a"));
        check(" /x?y#a b \n", Some("a b"));
        check("#a#b", Some("a#b"));
        check("#a:~:unknown", Some("a"));
        check("#a:~text=b", Some("a:~text=b"));
        check("#topic", Some("topic"));
        for none in ["", "#", "/x", "#top", "#TOP", "#%74op", "#!/a", "#!", "#/a", "#:~:text=b", "#?a=b"] {
            check(none, None);
        }
        for none in ["#nosec:~:text=foo", "/x#nosec:~:text=foo,bar&text=b", "#a:~:unknown&text=b"] {
            check(none, None);
        }
    }

    #[test]
    fn ranges_of_lines_are_looked_for_by_their_first() {
        let check = |href: &str, place: &str, expect: bool| {
            let code = fragment_code(model::hash::fingerprint(place.as_bytes()));
            assert_eq!(codes(href).unwrap().contains(&code), expect, "{href} {place}");
        };
        check("#12-34", "12", true);
        check("#12-34", "12-34", true);
        check("#12-34", "34", false);
        check("#L12-L34", "L12", true);
        check("#L12-L34", "12", false);
        check("#a-b", "a-b", true);
        check("#a-b", "a", false);
        check("#12-b", "12", false);
        check("#L-L3", "L", false);
    }

    #[test]
    fn fragments_are_read_in_every_way() {
        assert_eq!(decoded("caf%C3%A9%"), "café%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
        assert_eq!(decoded("é%20a"), "é a");
        assert_eq!(encoded("é a\"<b>`|{"), "%C3%A9%20a%22%3Cb%3E%60|{");
        assert_eq!(encoded("a%20b"), "a%20b");
    }
}
