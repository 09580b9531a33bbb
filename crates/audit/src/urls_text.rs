//! What the text of a URL gives away. URLs are as they are stored: absolute, http or https, encoded, without fragment.

use crate::limits::Limits;
use crate::rows::characters;
use model::address::origin_of;
use std::collections::HashSet;

/// Path and query of a URL; the query is what stands behind the first question mark.
fn parts(url: &str) -> (&str, Option<&str>) {
    let rest = &url[origin_of(url).len()..];
    match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    }
}

fn path(url: &str) -> &str {
    parts(url).0
}

/// The parameters of the query, as name and value; what is empty is none.
fn parameters(url: &str) -> impl Iterator<Item = (&str, &str)> {
    let query = parts(url).1.unwrap_or_default();
    query.split('&').filter(|part| !part.is_empty()).map(|part| part.split_once('=').unwrap_or((part, "")))
}

/// The bytes that are no part of an escape, and those that escapes stand for with `true`.
fn bytes(text: &str) -> impl Iterator<Item = (u8, bool)> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let (first, escaped) = match rest {
            [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let value = |digit: u8| (digit as char).to_digit(16).unwrap_or_default() as u8;
                let byte = value(*high) << 4 | value(*low);
                rest = after;
                return Some((byte, true));
            }
            [first, after @ ..] => {
                rest = after;
                (*first, false)
            }
            [] => return None,
        };
        Some((first, escaped))
    })
}

/// Path or query stand for characters beyond ASCII.
pub(crate) fn is_not_ascii(url: &str) -> bool {
    let rest = &url[origin_of(url).len()..];
    rest.contains('%') && bytes(rest).any(|(byte, _)| !byte.is_ascii())
}

pub(crate) fn has_upper_case(url: &str) -> bool {
    bytes(path(url)).any(|(byte, escaped)| !escaped && byte.is_ascii_uppercase())
}

pub(crate) fn has_underscore(url: &str) -> bool {
    path(url).contains('_')
}

pub(crate) fn has_space(url: &str) -> bool {
    url.contains("%20")
}

pub(crate) fn has_double_slash(url: &str) -> bool {
    path(url).contains("//")
}

/// A segment of the path stands twice running, or three times in all. Numbers repeat in dates (`/2012/12/12/`).
pub(crate) fn repeats_itself(url: &str) -> bool {
    let path = path(url);
    if path.bytes().filter(|byte| *byte == b'/').count() < 2 {
        return false;
    }
    let is_name = |segment: &&str| !segment.is_empty() && !segment.bytes().all(|byte| byte.is_ascii_digit());
    let running = path.split('/').zip(path.split('/').skip(1));
    if running.into_iter().any(|(one, next)| one == next && is_name(&one)) {
        return true;
    }
    let mut segments: Vec<&str> = path.split('/').filter(is_name).collect();
    segments.sort_unstable();
    segments.windows(3).any(|three| three[0] == three[2])
}

pub(crate) fn has_query(url: &str) -> bool {
    parts(url).1.is_some_and(|query| !query.is_empty())
}

pub(crate) fn has_many_parameters(url: &str, limits: &Limits) -> bool {
    has_query(url) && parameters(url).count() as f64 > limits.get("parameters_most")
}

/// The same parameter with the same value stands there again.
pub(crate) fn repeats_parameter(url: &str) -> bool {
    if !parts(url).1.is_some_and(|query| query.contains('&')) {
        return false;
    }
    let mut met = HashSet::new();
    !parameters(url).all(|parameter| met.insert(parameter))
}

pub(crate) fn has_second_question_mark(url: &str) -> bool {
    parts(url).1.is_some_and(|query| query.contains('?'))
}

const TRACKING: &[&str] = &["_ga", "_gl", "gclid", "fbclid", "msclkid", "mc_eid"];

fn is_tracking(name: &str) -> bool {
    name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("utm_"))
        || TRACKING.iter().any(|known| name.eq_ignore_ascii_case(known))
}

pub(crate) fn is_tracked(url: &str) -> bool {
    // An ampersand that was escaped once too often leaves `amp;` before a name.
    parameters(url).any(|(name, _)| is_tracking(name.trim_start_matches("amp;")))
}

/// Names of session ids; the short one is a name for other things too, so that its value must look like an id.
const SESSION: &[&str] = &["jsessionid", "phpsessid", "sessionid"];
const SHORT_SESSION: &str = "sid";
/// Characters of an id at least: PHP's have 26, Java's 32, ASP's 24.
const SESSION_CHARACTERS: usize = 16;

pub(crate) fn has_session(url: &str) -> bool {
    let (path, query) = parts(url);
    let pieces = path.split(';').skip(1).chain(query.into_iter().flat_map(|query| query.split(['&', ';'])));
    pieces.filter_map(|piece| piece.split_once('=')).any(|(name, value)| {
        let value = value.split('/').next().unwrap_or_default();
        let is_id = || value.len() >= SESSION_CHARACTERS && value.bytes().any(|byte| byte.is_ascii_digit());
        let name = name.trim_start_matches("amp;");
        !value.is_empty() && SESSION.iter().any(|known| name.eq_ignore_ascii_case(known))
            || name.eq_ignore_ascii_case(SHORT_SESSION) && is_id()
    })
}

/// `/search`, also below a language, or a parameter that search fields have.
pub(crate) fn is_search(url: &str) -> bool {
    let mut segments = path(url).split('/').filter(|segment| !segment.is_empty());
    let first = segments.next().unwrap_or_default();
    let is_search = |segment: &str| segment.eq_ignore_ascii_case("search");
    is_search(first)
        || is_language(first) && segments.next().is_some_and(is_search)
        || parameters(url).any(|(name, value)| {
            !value.is_empty() && (name.eq_ignore_ascii_case("s") || name.eq_ignore_ascii_case("q"))
        })
}

/// `en`, `de-AT`, `pt_br`.
fn is_language(segment: &str) -> bool {
    let letters = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    match segment.split_once(['-', '_']) {
        Some((language, region)) => letters(language) && letters(region),
        None => letters(segment),
    }
}

/// Characters as people see them: what is encoded counts as what it stands for.
pub(crate) fn is_long(url: &str, limits: &Limits) -> bool {
    let most = limits.get("url_characters_most");
    if url.len() as f64 <= most {
        return false;
    }
    let read: Vec<u8> = bytes(url).map(|(byte, _)| byte).collect();
    std::str::from_utf8(&read).map_or(url.len(), characters) as f64 > most
}

/// A percent sign that begins no escape.
pub(crate) fn has_bad_escape(url: &str) -> bool {
    let rest = &url[origin_of(url).len()..];
    rest.contains('%') && bytes(rest).any(|(byte, escaped)| byte == b'%' && !escaped)
}

/// The host ends with a dot, or one of its labels mixes alphabets that look alike.
pub(crate) fn has_odd_host(url: &str) -> bool {
    let origin = origin_of(url);
    let name = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    let host = match name.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => name,
    };
    host.ends_with('.')
        || host.split('.').filter_map(|label| label.strip_prefix("xn--")).any(|label| {
            decode(label).is_some_and(|label| {
                let alphabets = label.iter().filter_map(|character| alphabet(*character));
                alphabets.collect::<HashSet<Alphabet>>().len() > 1
            })
        })
}

/// Alphabets that share shapes, so that one can pass for another. Others are mixed in good faith: Japanese names have Latin
/// letters, kana and kanji side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
}

const fn alphabet(character: char) -> Option<Alphabet> {
    Some(match character {
        'a'..='z'
        | 'A'..='Z'
        | '\u{AA}'
        | '\u{BA}'
        | '\u{C0}'..='\u{D6}'
        | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2B8}' => Alphabet::Latin,
        '\u{1E00}'..='\u{1EFF}' | '\u{2C60}'..='\u{2C7F}' | '\u{A722}'..='\u{A7FF}' => Alphabet::Latin,
        '\u{370}'..='\u{373}' | '\u{376}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Alphabet::Greek,
        '\u{400}'..='\u{52F}'
        | '\u{1C80}'..='\u{1C8F}'
        | '\u{2DE0}'..='\u{2DFF}'
        | '\u{A640}'..='\u{A69F}' => Alphabet::Cyrillic,
        '\u{530}'..='\u{58F}' => Alphabet::Armenian,
        '\u{13A0}'..='\u{13FF}' | '\u{AB70}'..='\u{ABBF}' => Alphabet::Cherokee,
        _ => return None,
    })
}

/// Punycode (RFC 3492) without its prefix; `None` for what is none.
fn decode(label: &str) -> Option<Vec<char>> {
    const BASE: u32 = 36;
    let (basic, encoded) = label.rsplit_once('-').unwrap_or(("", label));
    let mut out: Vec<char> = basic.chars().collect();
    let (mut n, mut i, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = encoded.bytes().peekable();
    while digits.peek().is_some() {
        let (before, mut weight, mut k) = (i, 1_u32, BASE);
        loop {
            let digit = match digits.next()? {
                byte @ b'a'..=b'z' => u32::from(byte - b'a'),
                byte @ b'A'..=b'Z' => u32::from(byte - b'A'),
                byte @ b'0'..=b'9' => u32::from(byte - b'0') + 26,
                _ => return None,
            };
            i = digit.checked_mul(weight)?.checked_add(i)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        let length = u32::try_from(out.len()).ok()? + 1;
        bias = adapted(i - before, length, before == 0);
        n = n.checked_add(i / length)?;
        i %= length;
        out.insert(i as usize, char::from_u32(n)?);
        i += 1;
    }
    Some(out)
}

/// The bias of the next digits (RFC 3492, 6.1).
const fn adapted(delta: u32, length: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

/// The URL with its path in lower case.
pub(crate) fn without_case(url: &str) -> Option<String> {
    let origin = origin_of(url).len();
    let end = origin + path(url).len();
    Some(format!("{}{}{}", &url[..origin], url[origin..end].to_ascii_lowercase(), &url[end..]))
}

/// The URL without the slash at the end of its path; the home page has no other form.
pub(crate) fn without_slash(url: &str) -> Option<String> {
    let origin = origin_of(url).len();
    let path = path(url);
    let bare = path.strip_suffix('/').unwrap_or(path);
    (!bare.is_empty()).then(|| format!("{}{bare}{}", &url[..origin], &url[origin + path.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(what: &str, holds: impl Fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        let url = |path: &str| {
            if path.contains("://") { path.to_owned() } else { format!("https://H_ost.test{path}") }
        };
        for path in yes {
            assert!(holds(&url(path)), "{what} must hold for {path}");
        }
        for path in no {
            assert!(!holds(&url(path)), "{what} must not hold for {path}");
        }
    }

    #[test]
    fn characters_of_addresses() {
        check(
            "not ASCII",
            is_not_ascii,
            &["/%C3%BC", "/?q=%fc"],
            &["/", "/%20%41", "https://xn--mller-kva.de/", "/%zz"],
        );
        check("upper case", has_upper_case, &["/A", "/a/B?x"], &["/a", "/%C3%BC", "/a?B=C", "/"]);
        check("underscore", has_underscore, &["/a_b", "/_"], &["/a-b", "/?a_b", "/%5F"]);
        check("space", has_space, &["/a%20b", "/?a=b%20c"], &["/a+b", "/%2520"]);
        check("slashes", has_double_slash, &["/a//b", "//", "/a//"], &["/a/b/", "/?u=http://x"]);
        check(
            "bad escape",
            has_bad_escape,
            &["/%", "/%4", "/100%", "/%u00E4", "/?q=5%&x", "/%%20"],
            &["/%25", "/a", "/%c3%A9"],
        );
    }

    #[test]
    fn repetitions() {
        let path = ["/a/a", "/x/blue-socks/blue-socks/", "/a/b/a/c/a", "/a/a/a"];
        check(
            "path",
            repeats_itself,
            &path,
            &["/a/b/a/", "/2012/12/12/", "/11/11/11/x", "/a//b//c//", "/a/A", "/", "/a?b/b"],
        );
        check(
            "parameter",
            repeats_parameter,
            &["/?a=1&a=1", "/?b&a&b"],
            &["/?a=1&a=2", "/?a=1&b=1", "/?a=1&&", "/a=1&a=1"],
        );
        check(
            "question mark",
            has_second_question_mark,
            &["/?a?b", "/??", "/?u=/x?y=1"],
            &["/?a", "/?u=%3F", "/"],
        );
    }

    #[test]
    fn queries() {
        check("query", has_query, &["/?a", "/?=", "/a?b=c"], &["/?", "/", "/a%3Fb"]);
        let tracked = [
            "/?utm_source=a",
            "/?a=1&UTM_x=",
            "/?gclid=1",
            "/?_ga=1",
            "/?_gl",
            "/?mc_eid=1",
            "/?a&amp;utm_id=1",
        ];
        check(
            "tracking",
            is_tracked,
            &tracked,
            &["/?utm=1", "/?ga=1", "/utm_source=1", "/?x=utm_source", "/?mc_eidx=1"],
        );
        let sessions = [
            "/a;jsessionid=1A2B?x",
            "/?PHPSESSID=abc",
            "/?a=1&sid=0123456789abcdef0",
            "/a;jsessionid=x/b",
            "/?sessionid=1",
        ];
        check(
            "session",
            has_session,
            &sessions,
            &[
                "/?sid=12",
                "/?sid=spring-collection",
                "/jsessionid",
                "/?session=1",
                "/?phpsessid=",
                "/?mysid=0123456789abcdef0",
            ],
        );
        let searches = ["/search", "/Search/x", "/en/search", "/de-AT/search/", "/?s=tea", "/a?b=1&q=tea"];
        check(
            "search",
            is_search,
            &searches,
            &["/research", "/search-engines", "/blog/search", "/?s=", "/?qs=1", "/searches"],
        );
    }

    #[test]
    fn odd_hosts() {
        let odd = [
            "https://example.com./",
            "http://example.com.:81/a",
            "https://xn--pple-43d.com/",
            "https://a.xn--pypal-4ve.com/",
        ];
        let plain = [
            "https://example.com/a./",
            "https://xn--mller-kva.de/",
            "https://xn--e1afmkfd.xn--p1ai/",
            "https://[::1]:80/",
            "https://xn--web-ti4b8c9e.jp/",
            "https://xn--.de/",
            "https://xn--a/",
        ];
        check("odd host", has_odd_host, &odd, &plain);
        let read = |label: &str| decode(label).map(|label| label.into_iter().collect::<String>());
        assert_eq!(read("mller-kva").as_deref(), Some("müller"));
        assert_eq!(read("e1afmkfd").as_deref(), Some("пример"));
        assert_eq!(read("pple-43d").as_deref(), Some("аpple"));
        assert_eq!(read("ihqwcrb4cv8a8dqg056pqjye").as_deref(), Some("他们为什么不说中文"));
        for none in ["99999999", "é", "a-!", "zzzzzzzzzzzzzz"] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn forms_are_folded() {
        let case = |url: &str, expect: &str| assert_eq!(without_case(url).as_deref(), Some(expect));
        case("https://h.test/A/b?C", "https://h.test/a/b?C");
        case("https://h.test", "https://h.test");
        let slash =
            |url: &str, expect: Option<&str>| assert_eq!(without_slash(url).as_deref(), expect, "{url}");
        slash("https://h.test/a/?b/", Some("https://h.test/a?b/"));
        slash("https://h.test/a?b", Some("https://h.test/a?b"));
        slash("https://h.test/", None);
        slash("https://h.test/?a", None);
    }

    #[test]
    fn lengths_are_what_a_person_sees() {
        let limits = Limits::new(&std::collections::BTreeMap::new());
        let check = |path: String, expect: bool| {
            assert_eq!(is_long(&format!("https://h.test/{path}"), &limits), expect, "{path}")
        };
        check("a".repeat(100), false);
        check("a".repeat(101), true);
        check("%C3%BC".repeat(100), false);
        check("%C3%BC".repeat(101), true);
        check("%FF".repeat(40), true);
    }
}
