//! Patterns of Allow and Disallow lines: one normal form for patterns and URLs, and a matcher in linear time.

use memchr::memmem;
use std::borrow::Cow;
use std::sync::Arc;

/// A compiled pattern: `*` stands for any bytes, everything else for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// In normal form. Every `*` in it is a wildcard (a literal one is `%2A`), runs of them are one, none trails.
    glob: Arc<[u8]>,
    /// The pattern ended in `$`: it must match the whole path, not only its beginning.
    whole: bool,
    /// The first bytes of a path that the literal beginning demands, and which of the eight it speaks of. Of
    /// hundreds of rules nearly all are refused by this one comparison, without touching `glob`.
    head: Head,
    head_mask: Head,
}

/// The first eight bytes of a path, the first in the lowest place, zero where there is none.
pub(crate) type Head = u64;

pub(crate) fn head_of(bytes: &[u8]) -> Head {
    bytes.iter().take(8).rev().fold(0, |head, byte| head << 8 | Head::from(*byte))
}

impl Pattern {
    /// Compiles a pattern as written. The empty pattern matches everything; callers leave such rules out.
    pub(crate) fn compile(written: &[u8]) -> Self {
        let (body, whole) = match written.strip_suffix(b"$") {
            Some(body) => (body, true),
            None => (written, false),
        };
        let mut glob = Vec::with_capacity(body.len());
        for (at, piece) in body.split(|b| *b == b'*').enumerate() {
            if at > 0 && glob.last() != Some(&b'*') {
                glob.push(b'*');
            }
            push_normal(&mut glob, piece);
        }
        if !whole && glob.last() == Some(&b'*') {
            glob.pop();
        }
        let literal = &glob[..memchr::memchr(b'*', &glob).unwrap_or(glob.len())];
        let (head, head_mask) = (head_of(literal), head_of(&[0xFF; 8][..literal.len().min(8)]));
        Self { glob: glob.into(), whole, head, head_mask }
    }

    /// Whether the pattern matches a path in normal form (see [`normal_path`]), whose head is `head`.
    pub(crate) fn matches(&self, path: &[u8], head: Head) -> bool {
        head & self.head_mask == self.head && self.matches_counting(path, &mut |_| {})
    }

    /// [`Self::matches`], telling `passed` how many bytes of the path each step has finally left behind.
    ///
    /// Each piece between two `*` is taken at its leftmost place: a later place would only leave less of the
    /// path to the pieces that follow, so there is never a reason to come back. Every byte of the path is
    /// therefore searched once, and substring search itself is linear.
    fn matches_counting(&self, path: &[u8], passed: &mut impl FnMut(usize)) -> bool {
        let mut pieces = self.glob.split(|b| *b == b'*');
        let first = pieces.next().unwrap_or_default();
        passed(first.len().min(path.len()));
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        let Some(mut piece) = pieces.next() else { return !self.whole || rest.is_empty() };
        for next in pieces {
            let Some(at) = memmem::find(rest, piece) else {
                passed(rest.len());
                return false;
            };
            passed(at + piece.len());
            rest = &rest[at + piece.len()..];
            piece = next;
        }
        passed(rest.len());
        if self.whole { rest.ends_with(piece) } else { memmem::find(rest, piece).is_some() }
    }
}

/// How specific a pattern is: its length in bytes as Google's parser counts it, with bytes beyond ASCII escaped and
/// `*` and `$` included.
pub(crate) fn priority(written: &[u8]) -> u32 {
    let escaped = written.iter().filter(|b| !b.is_ascii()).count() * 2;
    u32::try_from(written.len() + escaped).unwrap_or(u32::MAX)
}

/// The form in which paths and patterns are compared (RFC 9309 §2.2.2): escapes of unreserved characters
/// decoded, all others upper-cased, so that `%2F` is not `/`; bytes that a URI cannot hold escaped. `*` and `$` of a
/// path become `%2A` and `%24`, which is how a pattern says them literally (§2.2.3).
pub(crate) fn normal_path(path: &str) -> Cow<'_, [u8]> {
    let bytes = path.as_bytes();
    if is_normal(bytes) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 2);
    push_normal(&mut out, bytes);
    Cow::Owned(out)
}

fn push_normal(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, escaped_byte(&bytes[at..])) {
            (_, Some(octet)) if is_unreserved(octet) => out.push(octet),
            (_, Some(octet)) => push_escape(out, octet),
            (b'%', None) => out.push(byte),
            _ if is_kept(byte) => out.push(byte),
            _ => push_escape(out, byte),
        }
        at += if byte == b'%' && escaped_byte(&bytes[at..]).is_some() { 3 } else { 1 };
    }
}

/// Most paths need no change, and a crawl asks about millions of them.
fn is_normal(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => escaped_byte(&bytes[at..]).is_none_or(|octet| {
            !is_unreserved(octet)
                && !bytes[at + 1].is_ascii_lowercase()
                && !bytes[at + 2].is_ascii_lowercase()
        }),
        _ => is_kept(*byte),
    })
}

/// The octet of a well-formed escape at the beginning of `bytes`.
fn escaped_byte(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = bytes else { return None };
    let digit = |b: &u8| char::from(*b).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
}

/// RFC 3986 §2.3.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Unreserved and reserved characters (RFC 3986 §2.2) stand for themselves, save the two that patterns give a meaning.
const fn is_kept(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(byte, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@')
        || matches!(byte, b'!' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b';' | b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        let path = normal_path(path);
        Pattern::compile(pattern.as_bytes()).matches(&path, head_of(&path))
    }

    #[test]
    fn wildcards_and_anchors() {
        let check = |pattern: &str, path: &str, expect: bool| {
            assert_eq!(matches(pattern, path), expect, "{pattern} on {path}");
        };
        check("/", "/a", true);
        check("/a", "/ab", true);
        check("/a", "/b", false);
        check("/A", "/a", false);
        check("/a$", "/a", true);
        check("/a$", "/a?b", false);
        check("/*.php", "/x/index.php?y", true);
        check("/*.php$", "/x/index.php?y", false);
        check("/*.php$", "/x.php/index.php", true);
        check("/a*a$", "/a", false);
        check("/a*$", "/a", true);
        check("*", "/", true);
        check("*/b", "/a/b/c", true);
        check("$", "/", false);
        check("/***b", "/ab", true);
        check("/a*b*c$", "/a-b-b-c-c", true);
        check("/a*b*c$", "/a-c-b", false);
        check("/a$b", "/a$b", true);
        check("/a$b", "/a", false);
        check("a", "/a", false);
        check("/abcdefg", "/abcdef", false);
        check("/abcdefg", "/abcdefg", true);
        check("/abcdefghi", "/abcdefgxi", false);
        check("/abcdefghi", "/abcdefghij", true);
    }

    #[test]
    fn escapes_compare_as_specified() {
        let check = |pattern: &str, path: &str, expect: bool| {
            assert_eq!(matches(pattern, path), expect, "{pattern} on {path}");
        };
        check("/a%2Fb", "/a/b", false);
        check("/a/b", "/a%2fb", false);
        check("/a%2fb", "/a%2Fb", true);
        check("/%62az", "/baz", true);
        check("/baz", "/%62%61z", true);
        check("/ü", "/%C3%BC", true);
        check("/%c3%bc", "/ü", true);
        check("/a b", "/a%20b", true);
        check("/a|b", "/a%7Cb", true);
        check("/a-%2A", "/a-*", true);
        check("/a-%2A", "/a-b", false);
        check("/a-%24", "/a-$", true);
        check("/a$", "/a%24", false);
        check("/100%-off", "/100%-off", true);
        check("/%zz", "/%zz", true);
        check("/a%", "/a%", true);
        check("/?q=%3D", "/?q==", false);
        check("/~joe", "/%7ejoe", true);
        assert!(
            Pattern::compile(b"/caf\xe9").matches(b"/caf%E9", head_of(b"/caf%E9")),
            "an octet is its escape"
        );
    }

    #[test]
    fn the_normal_form_is_a_fixed_point() {
        for path in ["/a", "/%C3%BC?%2f=%41*$", "/%", "/%4", "/\u{0}\u{7f} ü"] {
            let once = String::from_utf8(normal_path(path).into_owned()).expect("ASCII");
            assert_eq!(normal_path(&once), once.as_bytes(), "{path}");
        }
        assert!(
            matches!(normal_path("/a/b?c=d&e=%C3%BC"), Cow::Borrowed(_)),
            "no allocation where none is needed"
        );
    }

    #[test]
    fn longer_as_google_counts() {
        let check = |pattern: &[u8], expect: u32| assert_eq!(priority(pattern), expect);
        check(b"/a*$", 4);
        check("/ü".as_bytes(), 7);
        check(b"/%62", 4);
    }

    /// Work is counted, not timed: each byte of the path is left behind at most once, whatever the stars.
    #[test]
    fn hundreds_of_stars_take_one_pass() {
        let path = format!("/{}", "a".repeat(10_000));
        let patterns = [
            format!("/{}b", "*a".repeat(500)),
            format!("/{}b$", "a*".repeat(500)),
            format!("/{}", "*aaaaaaab".repeat(300)),
            format!("{}a$", "*".repeat(1_000)),
            "*a".repeat(8_000),
            format!("/*{}b*{}b", "a".repeat(4_000), "a".repeat(4_000)),
        ];
        for pattern in patterns {
            let (mut bytes, mut steps) = (0, 0);
            let compiled = Pattern::compile(pattern.as_bytes());
            compiled.matches_counting(path.as_bytes(), &mut |passed| {
                bytes += passed;
                steps += 1;
            });
            assert!(bytes <= path.len(), "{bytes} bytes for {} of path", path.len());
            assert!(steps <= pattern.len() + 1, "{steps} steps for a pattern of {}", pattern.len());
        }
    }
}
