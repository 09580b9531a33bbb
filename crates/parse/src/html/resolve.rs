//! Hrefs to targets: WHATWG URL parsing against the base in the document's encoding.
//!
//! Nine of ten hrefs are plain: their target is a concatenation, and a parser that allocates for each would cost
//! more than the reading of the page. The plain ones are joined here; a test holds the result against the parser's.

use super::file_url;
use super::text::cut;
use encoding_rs::{EncoderResult, Encoding, UTF_8};
use hashbrown::HashMap;
use model::LinkTarget;
use model::address::{encode_carets, two_slashes};
use std::borrow::Cow;
use url::Url;

/// Characters of a URL that are kept (EDGE_CASES "very long URL").
pub(crate) const MAX_URL: usize = 10_000;
/// Bytes of a data: URL that are kept.
pub(crate) const MAX_DATA: usize = 1_024;
/// Longer hrefs are not remembered: they hardly ever repeat.
const MAX_CACHED: usize = 512;
const MAX_CACHE: usize = 16_384;

/// Resolves the hrefs of one document.
#[derive(Debug)]
pub(crate) struct Resolver {
    base: Option<Url>,
    /// The base, if it is a file: address.
    file: Option<String>,
    encoding: &'static Encoding,
    /// The base without fragment, and where its parts end; only for an http(s) base.
    plain: Option<Plain>,
    seen: HashMap<Box<str>, LinkTarget>,
    spent: usize,
}

#[derive(Debug)]
struct Plain {
    text: String,
    scheme_end: usize,
    /// Where the path begins.
    root: usize,
    /// Behind the last slash of the path.
    directory: usize,
    /// Where the query or the text ends.
    path_end: usize,
}

impl Plain {
    fn new(base: &Url) -> Option<Self> {
        if !matches!(base.scheme(), "http" | "https") {
            return None;
        }
        let mut text = base.as_str();
        text = text.split('#').next().unwrap_or(text);
        let path_end = text.find('?').unwrap_or(text.len());
        let scheme_end = base.scheme().len() + 1;
        let root = text[scheme_end + 2..path_end].find('/')? + scheme_end + 2;
        let directory = text[..path_end].rfind('/')? + 1;
        Some(Self { text: text.to_owned(), scheme_end, root, directory, path_end })
    }
}

impl Resolver {
    pub(crate) fn new(base: Option<Url>, encoding: &'static Encoding) -> Self {
        let plain = base.as_ref().and_then(Plain::new);
        let file = base.as_ref().filter(|base| base.scheme() == "file").map(|base| base.as_str().to_owned());
        Self { base, file, encoding: encoding.output_encoding(), plain, seen: HashMap::new(), spent: 0 }
    }

    /// Takes a file: base as it was written: the parser has lost parts of it.
    pub(crate) fn with_written_base(mut self, written: &str) -> Self {
        if self.file.is_some() {
            self.file = file_url::parse(written, None, &|query| query.as_bytes().to_vec()).or(self.file);
        }
        self
    }

    /// Counts bytes of kept targets; the sum so far.
    pub(crate) fn spend(&mut self, bytes: usize) -> usize {
        self.spent += bytes;
        self.spent
    }

    /// The target of an href, without its fragment.
    pub(crate) fn target(&mut self, href: &str) -> LinkTarget {
        if let Some(text) = self.plain.as_ref().and_then(|plain| join_plain(plain, href)) {
            return LinkTarget::Http(text.into_boxed_str());
        }
        if let Some(known) = self.seen.get(href) {
            return known.clone();
        }
        let target = self.parse_target(href);
        if href.len() <= MAX_CACHED && self.seen.len() < MAX_CACHE {
            self.seen.insert(href.into(), target.clone());
        }
        target
    }

    fn parse_target(&self, href: &str) -> LinkTarget {
        let trimmed = href.trim_matches(|c: char| c <= ' ');
        let is_data = trimmed.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
        let limit = if is_data { MAX_DATA } else { MAX_URL };
        let slashes = if self.plain.is_some() { two_slashes(trimmed) } else { None };
        let trimmed = slashes.as_deref().unwrap_or(trimmed);
        if file_url::is_file(trimmed, self.file.is_some()) {
            let encode = |query: &str| encode_query(self.encoding, query).into_owned();
            return file_url::parse(trimmed, self.file.as_deref(), &encode)
                .map_or(LinkTarget::Invalid, |url| LinkTarget::OtherScheme(cut(&url, limit).into()));
        }
        // A data: URL has no parts that would change by cutting it first.
        let Some(mut url) = self.parse(if is_data { cut(trimmed, MAX_DATA) } else { trimmed }) else {
            return LinkTarget::Invalid;
        };
        if matches!(url.scheme(), "http" | "https") {
            url.set_fragment(None);
            return LinkTarget::Http(cut(url.as_str(), limit).into());
        }
        LinkTarget::OtherScheme(cut(&with_last_space(&url), limit).into())
    }

    /// The URL with its fragment, if a parser accepts it.
    pub(crate) fn parse(&self, href: &str) -> Option<Url> {
        let encoding = self.encoding;
        let encode: &dyn Fn(&str) -> Cow<'_, [u8]> = &|text| encode_query(encoding, text);
        let overriding = (encoding != UTF_8).then_some(encode);
        let parsed = Url::options().base_url(self.base.as_ref()).encoding_override(overriding).parse(href);
        let mut url = parsed.ok()?;
        encode_carets(&mut url);
        Some(url)
    }
}

/// The text of a URL. The standard escapes the last space of an opaque path before a query or fragment since 2025, the
/// parser does not yet.
fn with_last_space(url: &Url) -> Cow<'_, str> {
    let text = url.as_str();
    if url.cannot_be_a_base()
        && let Some(mark) = text.find(['?', '#'])
        && let Some(path) = text[..mark].strip_suffix(' ')
    {
        return Cow::Owned(format!("{path}%20{}", &text[mark..]));
    }
    Cow::Borrowed(text)
}

/// URL standard, "percent-encode after encoding": what the encoding lacks becomes an escaped reference.
fn encode_query<'t>(encoding: &'static Encoding, text: &'t str) -> Cow<'t, [u8]> {
    let mut encoder = encoding.new_encoder();
    let (mut out, mut at) = (Vec::with_capacity(text.len() + 16), 0);
    loop {
        out.reserve(text.len() - at + 16);
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(&text[at..], &mut out, true);
        at += read;
        match result {
            EncoderResult::InputEmpty => return Cow::Owned(out),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => out.extend(format!("%26%23{}%3B", c as u32).bytes()),
        }
    }
}

const PATH: u8 = 1;
const QUERY: u8 = 2;

/// The bytes that a URL parser leaves as they are, by part.
const PLAIN_BYTES: [u8; 256] = {
    let mut table = [0_u8; 256];
    let mut byte = 0;
    while byte < 128 {
        let c = byte as u8;
        if c.is_ascii_alphanumeric()
            || matches!(
                c,
                b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b',' | b';'
            )
            || matches!(c, b'=' | b':' | b'@' | b'/' | b'%')
        {
            table[byte] = PATH | QUERY;
        }
        byte += 1;
    }
    table[b'\'' as usize] = PATH;
    table[b'?' as usize] = QUERY;
    table
};

/// The target where joining it takes no parser; `None` where it might.
fn join_plain(base: &Plain, href: &str) -> Option<String> {
    let bytes = href.as_bytes();
    let end = memchr::memchr(b'#', bytes).unwrap_or(bytes.len());
    let href = &href[..end];
    let bytes = &bytes[..end];
    let path_end = memchr::memchr(b'?', bytes).unwrap_or(end);
    if !bytes[..path_end].iter().all(|b| PLAIN_BYTES[*b as usize] & PATH != 0)
        || !bytes[path_end..].iter().all(|b| PLAIN_BYTES[*b as usize] & QUERY != 0)
    {
        return None;
    }
    let (path, query) = href.split_at(path_end);
    let mut out;
    let (from, root) = match bytes {
        [] => return within(base.text.clone()),
        [b'?', ..] => {
            out = String::with_capacity(base.path_end + query.len());
            out.push_str(&base.text[..base.path_end]);
            out.push_str(query);
            return within(out);
        }
        [b'/', b'/', ..] => {
            out = String::with_capacity(base.scheme_end + href.len() + 1);
            out.push_str(&base.text[..base.scheme_end]);
            let host = plain_host(&path[2..])?;
            out.push_str(&path[..2 + host]);
            (2 + host, out.len())
        }
        [b'/', ..] => {
            out = String::with_capacity(base.root + href.len());
            out.push_str(&base.text[..base.root]);
            (0, base.root)
        }
        _ => {
            let scheme = ["https://", "http://"].into_iter().find(|scheme| path.starts_with(scheme));
            if let Some(scheme) = scheme {
                out = String::with_capacity(href.len() + 1);
                let host = plain_host(&path[scheme.len()..])?;
                out.push_str(&path[..scheme.len() + host]);
                (scheme.len() + host, out.len())
            } else {
                // A colon in the first segment may end a scheme.
                if bytes[..path_end].iter().find(|b| matches!(b, b':' | b'/')) == Some(&b':') {
                    return None;
                }
                out = String::with_capacity(base.directory + href.len());
                out.push_str(&base.text[..base.directory]);
                push_path(&mut out, base.root, path)?;
                out.push_str(query);
                return within(out);
            }
        }
    };
    out.push('/');
    push_path(&mut out, root, path[from..].strip_prefix('/').unwrap_or(&path[from..]))?;
    out.push_str(query);
    within(out)
}

fn within(text: String) -> Option<String> {
    (text.len() <= MAX_URL).then_some(text)
}

/// Appends path segments behind a slash, resolving the dot segments; `None` for escaped dots.
fn push_path(out: &mut String, root: usize, path: &str) -> Option<()> {
    let bytes = path.as_bytes();
    let may_have_dots = bytes.first() == Some(&b'.') || memchr::memmem::find(bytes, b"/.").is_some();
    if memchr::memchr(b'%', bytes).is_some() && path.to_ascii_lowercase().contains("%2e") {
        return None;
    }
    if !may_have_dots {
        out.push_str(path);
        return Some(());
    }
    let mut rest = path;
    loop {
        let (segment, next) = match memchr::memchr(b'/', rest.as_bytes()) {
            Some(slash) => (&rest[..slash], Some(&rest[slash + 1..])),
            None => (rest, None),
        };
        match segment {
            "." => {}
            ".." => {
                let shorter = memchr::memrchr(b'/', &out.as_bytes()[root..out.len() - 1])
                    .map_or(root + 1, |at| root + at + 1);
                out.truncate(shorter);
            }
            _ => {
                out.push_str(segment);
                if next.is_some() {
                    out.push('/');
                }
            }
        }
        match next {
            Some(next) => rest = next,
            None => return Some(()),
        }
    }
}

/// The length of a host that a parser would not change; `None` for ports, credentials, numbers and the like.
fn plain_host(text: &str) -> Option<usize> {
    let end = text.find('/').unwrap_or(text.len());
    let host = &text.as_bytes()[..end];
    let last = host.rsplit(|b| *b == b'.').next()?;
    let is_plain = !host.is_empty()
        && host.len() <= 63
        && host.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'))
        && host[0] != b'.'
        && last.first().is_some_and(u8::is_ascii_alphabetic)
        && !host.windows(2).any(|pair| matches!(pair, b".." | b"--"));
    is_plain.then_some(end)
}

#[cfg(test)]
mod tests {
    //! | what a page may write | test |
    //! |-|-|
    //! | escapes, `%uXXXX`, stray `%`; tab, newline, space; backslash; numbers as hosts; default port, dot segments; `//host`, `?q`, `#f`, empty; international names, a trailing dot; very long; data: and other schemes; `www.x.tld/…` | `targets_of_all_kinds` |
    //! | a page in a legacy charset | `queries_are_in_the_encoding_of_the_document` |
    //! | `base href`, `&amp;`, fragments | `bases_decide_for_all_links`, `every_kind_of_link`, `fragments_are_ids_and_anchor_names` of the documents |

    use super::*;
    use encoding_rs::{WINDOWS_1251, WINDOWS_1252};

    fn resolver(base: &str, encoding: &'static Encoding) -> Resolver {
        Resolver::new(Url::parse(base).ok(), encoding)
    }

    #[test]
    fn targets_of_all_kinds() {
        let mut resolver = resolver("http://h.test/a/b.html?q#f", UTF_8);
        let mut check = |href: &str, expect: LinkTarget| {
            assert_eq!(resolver.target(href), expect, "{href:?}");
            assert_eq!(resolver.target(href), expect, "{href:?} again");
        };
        let http = |text: &str| LinkTarget::Http(text.into());
        let other = |text: &str| LinkTarget::OtherScheme(text.into());
        check("", http("http://h.test/a/b.html?q"));
        check("#x", http("http://h.test/a/b.html?q"));
        check("?p", http("http://h.test/a/b.html?p"));
        check(" /x\ny\tz ", http("http://h.test/xyz"));
        check("a b", http("http://h.test/a/a%20b"));
        check("\\x\\y", http("http://h.test/x/y"));
        check("//other.test", http("http://other.test/"));
        check("../../../x", http("http://h.test/x"));
        check("/percent%zz.html", http("http://h.test/percent%zz.html"));
        check("/a%2Fb/%u1234", http("http://h.test/a%2Fb/%u1234"));
        check("/lower%c3%a9", http("http://h.test/lower%c3%a9"));
        check("HTTP://H.TEST:80/x", http("http://h.test/x"));
        check("http://0x7f.1/", http("http://127.0.0.1/"));
        check("http://bücher.test/", http("http://xn--bcher-kva.test/"));
        check("http://h.test./", http("http://h.test./"));
        check("www.x.tld/y", http("http://h.test/a/www.x.tld/y"));
        check("/a^b?c^d", http("http://h.test/a%5Eb?c^d"));
        check("mailto:a@b.c", other("mailto:a@b.c"));
        check("JavaScript:void(0)", other("javascript:void(0)"));
        for bad in [
            "http://[::1/",
            "http://exa mple.test/",
            "http://h:99999/",
            "http://h:8a/",
            "http://h]/",
            "http://",
        ] {
            check(bad, LinkTarget::Invalid);
        }
        let LinkTarget::OtherScheme(data) = resolver.target(&format!("data:,{}", "x".repeat(1_000_000)))
        else {
            panic!("data: is another scheme")
        };
        assert_eq!(data.len(), MAX_DATA);
        let LinkTarget::Http(long) = resolver.target(&"x".repeat(50_000)) else { panic!("long is http") };
        assert_eq!(long.len(), MAX_URL);
    }

    #[test]
    fn queries_are_in_the_encoding_of_the_document() {
        let check = |encoding, href: &str, expect: &str| {
            assert_eq!(resolver("http://h/", encoding).target(href), LinkTarget::Http(expect.into()));
        };
        check(WINDOWS_1252, "/café?q=été", "http://h/caf%C3%A9?q=%E9t%E9");
        check(WINDOWS_1252, "/s?q=☃", "http://h/s?q=%26%239731%3B");
        check(WINDOWS_1252, "/e?p=€", "http://h/e?p=%80");
        check(
            WINDOWS_1251,
            "/поиск?q=привет",
            "http://h/%D0%BF%D0%BE%D0%B8%D1%81%D0%BA?q=%EF%F0%E8%E2%E5%F2",
        );
        check(UTF_8, "/café?q=été", "http://h/caf%C3%A9?q=%C3%A9t%C3%A9");
    }

    #[test]
    fn plain_joins_equal_the_parsers() {
        let bases =
            ["https://h.test/a/b/c?d#e", "http://h.test", "http://u:p@h.test:81/x/", "http://h.test/a//b/"];
        let pieces = [
            "", "a", "..", ".", "/", "//", "?", "#", ":", "http:", "%2e", "%41", "h-x.com", "1", "..b", "b.",
            "'", "@",
        ];
        let mut compared = 0;
        for base in bases {
            let mut resolver = resolver(base, UTF_8);
            for number in 0..pieces.len().pow(4) {
                let (mut rest, mut href) = (number, String::new());
                for _ in 0..4 {
                    href.push_str(pieces[rest % pieces.len()]);
                    rest /= pieces.len();
                }
                let plain = resolver.plain.as_ref().and_then(|plain| join_plain(plain, &href));
                let Some(plain) = plain else { continue };
                compared += 1;
                assert_eq!(LinkTarget::Http(plain.into()), resolver.parse_target(&href), "{href} on {base}");
            }
            let _ = resolver.target("x");
        }
        assert!(compared > 100_000, "{compared}");
    }
}
