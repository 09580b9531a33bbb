//! Addresses: parsing, identity, and reading what a person typed.

use std::borrow::Cow;
use thiserror::Error;
use url::Url;

/// An http or https URL without fragment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(Url);

/// What is wrong with an address a person gave.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressError {
    #[error("“{}” is not a web address: {}", quoted(.0), .1)]
    Unparsable(String, String),
    #[error("“{}” uses the scheme “{}”; only http and https can be audited", quoted(.0), cut(.1))]
    Scheme(String, String),
    #[error("the address is empty")]
    Empty,
}

/// An address a person typed, and whether `https` was our guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    pub address: Address,
    /// No scheme was typed: fall back to http when https cannot connect.
    pub scheme_guessed: bool,
}

impl Address {
    /// Parses an absolute http or https URL by the WHATWG rules and drops its fragment.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let url = Url::parse(text).map_err(|e| AddressError::Unparsable(text.to_owned(), e.to_string()))?;
        Self::from_url(url)
    }

    pub fn from_url(mut url: Url) -> Result<Self, AddressError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(AddressError::Scheme(url.to_string(), url.scheme().to_owned()));
        }
        url.set_fragment(None);
        encode_carets(&mut url);
        Ok(Self(url))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub const fn url(&self) -> &Url {
        &self.0
    }

    /// The host as the URL spells it (punycode, IPv6 in brackets), lower case, without port.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// `https://www.example.com` or `http://127.0.0.1:8080`: the default port is not written.
    pub fn origin(&self) -> String {
        origin_of(self.as_str()).to_owned()
    }

    /// The path with its query, as requested.
    pub fn path_and_query(&self) -> &str {
        let text = self.as_str();
        &text[origin_of(text).len()..]
    }

    /// Resolves a reference against this address.
    pub fn join(&self, reference: &str) -> Result<Self, AddressError> {
        let url = resolve(&self.0, reference)
            .map_err(|e| AddressError::Unparsable(reference.to_owned(), e.to_string()))?;
        Self::from_url(url)
    }

    /// The same address with credentials removed; the second value says whether there were any.
    pub fn without_credentials(&self) -> (Self, bool) {
        if self.0.username().is_empty() && self.0.password().is_none() {
            return (self.clone(), false);
        }
        let mut url = self.0.clone();
        // Both calls fail only for URLs that cannot have credentials, and these have some.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        (Self(url), true)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Resolves a reference against an http(s) URL by the rules of the URL standard.
pub fn resolve(base: &Url, reference: &str) -> Result<Url, url::ParseError> {
    let trimmed = reference.trim_matches(|c: char| c <= ' ');
    base.join(two_slashes(trimmed).as_deref().unwrap_or(trimmed))
}

/// The standard has escaped `^` in paths since 2023, as browsers do; the parser does not yet.
pub fn encode_carets(url: &mut Url) {
    if url.has_host() && url.path().contains('^') {
        let path = url.path().replace('^', "%5E");
        url.set_path(&path);
    }
}

/// The standard ignores all slashes before a host, the parser refuses a third one: a trimmed reference to another host
/// with two of them, where it has more. Right only for a base that is http or https.
pub fn two_slashes(reference: &str) -> Option<String> {
    let is_slash = |c: char| matches!(c, '/' | '\\');
    let is_dropped = |c: char| matches!(c, '\t' | '\n' | '\r');
    let rest = reference.trim_start_matches(|c| is_slash(c) || is_dropped(c));
    let slashes = reference[..reference.len() - rest.len()].chars().filter(|c| is_slash(*c)).count();
    (slashes > 2).then(|| format!("//{rest}"))
}

/// The origin part of a serialised http(s) URL, without credentials handling: everything before the path.
pub fn origin_of(text: &str) -> &str {
    let Some(start) = text.find("://").map(|at| at + 3) else { return text };
    let end = text[start..].find(['/', '?', '#']).map_or(text.len(), |at| start + at);
    &text[..end]
}

/// The site that an http(s) URL belongs to: what of its host's name somebody registered (`example.co.uk` of
/// `www.example.co.uk`). A number, and a name that nobody can register, is its own site.
pub fn site_of(url: &str) -> &str {
    let origin = origin_of(url);
    let name = origin.find("://").map_or(origin, |at| &origin[at + 3..]);
    let name = name.rsplit_once('@').map_or(name, |(_, name)| name);
    let host = match name.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !host.ends_with(':') => host,
        _ => name,
    };
    let is_number = host.starts_with('[') || host.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if is_number { host } else { psl::domain_str(host).unwrap_or(host) }
}

/// The section of a site that an address lies in: its origin and first directory, with a slash at the end; the origin with a slash
/// where it lies in none. A last part without a slash is a page, no directory: `/blog` lies at the root, `/blog/` in `/blog/`.
pub fn section_of(url: &str) -> &str {
    directory_of(url, 1)
}

/// The address up to the end of its directories, `most` of them at most; query and fragment are no part of it.
pub fn directory_of(url: &str, most: usize) -> &str {
    let path_end = url.find(['?', '#']).unwrap_or(url.len());
    let origin = origin_of(url).len();
    let path = &url[origin.min(path_end)..path_end];
    let slashes = path.match_indices('/').map(|(at, _)| at);
    match slashes.take(most + 1).last() {
        Some(at) => &url[..=origin + at],
        None => &url[..path_end],
    }
}

/// Whether an http(s) URL is this computer's own: browsers trust it without TLS (W3C Secure Contexts §3.1).
pub fn is_loopback(url: &str) -> bool {
    let host = url::Url::parse(url).ok().and_then(|url| url.host().map(|host| host.to_owned()));
    match host {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// A URL's text with whatever stands before the `@` of its host replaced by `shown`: user names and passwords are
/// neither stored nor shown. Borrowed where there is nothing to replace.
pub fn without_userinfo<'t>(text: &'t str, shown: &str) -> Cow<'t, str> {
    let Some(start) = text.find("//").map(|at| at + 2) else { return Cow::Borrowed(text) };
    let end = text[start..].find(['/', '?', '#', '\\']).map_or(text.len(), |at| start + at);
    match text[start..end].rfind('@') {
        Some(at) => Cow::Owned(format!("{}{shown}{}", &text[..start], &text[start + at + 1..])),
        None => Cow::Borrowed(text),
    }
}

/// What a person typed as an address, as messages repeat it: whatever may be a password is left out. Unlike
/// [`without_userinfo`] it reads what is no URL too, and rather leaves out too much: `u:a/b@h` gives `u:…@h`.
pub fn redacted(typed: &str) -> Cow<'_, str> {
    let is_scheme = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    };
    let trimmed = typed.trim_start();
    let scheme = trimmed.find(':').filter(|at| is_scheme(&trimmed[..*at])).map_or(0, |at| at + 1);
    let rest = trimmed[scheme..].trim_start_matches(['/', '\\']);
    let start = typed.len() - rest.len();
    let authority = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    let at = authority.rfind('@').or_else(|| {
        // A password with a slash in it ends what looks like the host; what follows the colon is no port then.
        let port = authority.rsplit_once(':')?.1;
        let is_cut =
            !authority.starts_with('[') && !port.is_empty() && !port.bytes().all(|b| b.is_ascii_digit());
        rest.rfind('@').filter(|_| is_cut)
    });
    match at {
        Some(at) => Cow::Owned(format!("{}…{}", &typed[..start], &rest[at..])),
        None => Cow::Borrowed(typed),
    }
}

/// A URL's identity: its text with the hex digits of percent-escapes upper-cased (RFC 3986 §6.2.2.1). It is
/// requested as written; only comparison uses this form.
pub fn key(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let lower = |at: usize| bytes.get(at).is_some_and(|b| matches!(b, b'a'..=b'f'));
    let is_escape = |at: usize| {
        bytes[at] == b'%'
            && bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
            && bytes.get(at + 2).is_some_and(u8::is_ascii_hexdigit)
    };
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|b| *b == b'%') {
        at += found;
        if is_escape(at) && (lower(at + 1) || lower(at + 2)) {
            break;
        }
        at += 1;
    }
    if !bytes[at..].contains(&b'%') {
        return Cow::Borrowed(text);
    }
    let mut out = bytes.to_vec();
    while at + 2 < out.len() {
        if is_escape(at) {
            out[at + 1].make_ascii_uppercase();
            out[at + 2].make_ascii_uppercase();
            at += 3;
        } else {
            at += 1;
        }
    }
    // Only ASCII letters were replaced by ASCII letters, so the bytes are still UTF-8.
    Cow::Owned(String::from_utf8(out).unwrap_or_else(|_| text.to_owned()))
}

/// Reads what a person typed: `example.com` means `https://example.com`; a scheme other than http(s) is refused.
pub fn read_seed(typed: &str) -> Result<Seed, AddressError> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Err(AddressError::Empty);
    }
    let unparsable = |why: &str| AddressError::Unparsable(typed.to_owned(), why.to_owned());
    let lower = typed.to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        let address = Address::parse(typed)?;
        if is_dots(address.host()) {
            return Err(unparsable(NO_HOST));
        }
        return Ok(Seed { address, scheme_guessed: false });
    }
    if let Some((scheme, rest)) = typed.split_once(':') {
        let looks_like_port = rest
            .split(['/', '?'])
            .next()
            .is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
        let scheme_like = !scheme.is_empty()
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
            && scheme.as_bytes()[0].is_ascii_alphabetic();
        if scheme_like && !looks_like_port {
            return Err(AddressError::Scheme(typed.to_owned(), scheme.to_owned()));
        }
    }
    if typed.contains(char::is_whitespace) {
        return Err(unparsable("it contains a space"));
    }
    let address = Address::parse(&format!("https://{}", typed.trim_start_matches('/')))
        .map_err(|_| unparsable("it has no valid host name"))?;
    let host = address.host();
    if is_dots(host) || !host.contains('.') && !host.contains(':') && host != "localhost" {
        return Err(unparsable(NO_HOST));
    }
    Ok(Seed { address, scheme_guessed: true })
}

const NO_HOST: &str = "a host name such as www.example.com is missing";

/// A host without a single name in it.
fn is_dots(host: &str) -> bool {
    host.bytes().all(|b| b == b'.')
}

/// An address as messages quote it: in part where it is long, and without its password.
fn quoted(typed: &str) -> String {
    cut(&redacted(typed)).into_owned()
}

/// A text as messages quote it: of a long one the beginning and the end, about 120 characters.
fn cut(text: &str) -> Cow<'_, str> {
    const BEGINNING: usize = 80;
    const END: usize = 39;
    let Some((after, _)) = text.char_indices().nth(BEGINNING + 1 + END) else { return Cow::Borrowed(text) };
    let beginning = text.char_indices().nth(BEGINNING).map_or(after, |(at, _)| at);
    let end = text.char_indices().rev().nth(END - 1).map_or(after, |(at, _)| at);
    Cow::Owned(format!("{}…{}", &text[..beginning], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_what_was_registered() {
        let check = |url: &str, expect: &str| assert_eq!(site_of(url), expect, "{url}");
        check("https://www.example.co.uk/a:b@c", "example.co.uk");
        check("http://static.shop.example.com:8080/", "example.com");
        check("https://a.github.io/", "a.github.io");
        check("https://github.io/", "github.io");
        check("http://127.0.0.1:80/", "127.0.0.1");
        check("http://[::1]:81/", "[::1]");
        check("http://[::1]/", "[::1]");
        check("http://localhost:81/", "localhost");
    }

    #[test]
    fn sections_are_first_directories() {
        let check = |url: &str, expect: &str| assert_eq!(section_of(url), expect, "{url}");
        check("https://a.example/", "https://a.example/");
        check("https://a.example/blog", "https://a.example/");
        check("https://a.example/blog/", "https://a.example/blog/");
        check("https://a.example/blog/2024/x?y=/z/", "https://a.example/blog/");
        check("https://a.example/?u=/blog/x", "https://a.example/");
        check("https://a.example:8080//x/", "https://a.example:8080//");
        check("https://a.example", "https://a.example");
    }

    #[test]
    fn loopback_is_this_computer() {
        let check = |url: &str, expect: bool| assert_eq!(is_loopback(url), expect, "{url}");
        check("http://127.0.0.2:80/", true);
        check("http://[::1]/", true);
        check("http://shop.localhost/", true);
        check("http://localhost.example/", false);
        check("http://10.0.0.1/", false);
        check("nothing", false);
    }

    #[test]
    fn identity_upper_cases_escapes_only() {
        let check = |input: &str, expect: &str| {
            assert_eq!(key(input), expect);
            assert_eq!(key(&key(input)), expect, "idempotent");
        };
        check("http://a/%c3%a9", "http://a/%C3%A9");
        check("http://a/%C3%A9?x=%2f%zz%a", "http://a/%C3%A9?x=%2F%zz%a");
        check("http://a/abc", "http://a/abc");
        check("http://a/%", "http://a/%");
        check("http://a/%u00e9", "http://a/%u00e9");
    }

    #[test]
    fn seeds_read_as_people_type_them() {
        let ok = |typed: &str, expect: &str, guessed: bool| {
            let seed = read_seed(typed).unwrap();
            assert_eq!((seed.address.as_str(), seed.scheme_guessed), (expect, guessed), "{typed}");
        };
        ok("example.com", "https://example.com/", true);
        ok(" www.example.com/a?b ", "https://www.example.com/a?b", true);
        ok("localhost:8080", "https://localhost:8080/", true);
        ok("127.0.0.1:9002/index.html", "https://127.0.0.1:9002/index.html", true);
        ok("HTTP://EXAMPLE.com/#top", "http://example.com/", false);
        for bad in [
            "",
            "ftp://example.com",
            "mailto:a@b.c",
            "javascript:alert(1)",
            "hello world",
            "hello",
            "http://",
            "http://exa mple.com",
            "..",
            ".",
            "http://../",
            "...:80/x",
        ] {
            assert!(read_seed(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn long_addresses_are_quoted_in_part() {
        let check = |typed: &str, expect: &str| {
            assert_eq!(read_seed(typed).unwrap_err().to_string(), expect);
        };
        let at_most = format!("{} é", "é".repeat(118));
        check(&at_most, &format!("“{at_most}” is not a web address: it contains a space"));
        let long = format!("{} {}", "é".repeat(100), "b".repeat(5_000));
        let shown = format!("{}…{}", "é".repeat(80), "b".repeat(39));
        check(&long, &format!("“{shown}” is not a web address: it contains a space"));
    }

    #[test]
    fn references_resolve_by_the_standard() {
        let base = Address::parse("http://h.test/d/page?q").unwrap();
        let check = |reference: &str, expect: &str| {
            assert_eq!(base.join(reference).map(|a| a.to_string()).as_deref(), Ok(expect), "{reference:?}");
        };
        check("sub/x", "http://h.test/d/sub/x");
        check("?done", "http://h.test/d/page?done");
        check("../up/./x", "http://h.test/up/x");
        check("//o.test:81/x", "http://o.test:81/x");
        check("///o.test/x", "http://o.test/x");
        check("\\\\o.test\\d\\x", "http://o.test/d/x");
        check("/\\/\t/o.test/x", "http://o.test/x");
        check("  /x ", "http://h.test/x");
        check("/x#part", "http://h.test/x");
        check("/x///y", "http://h.test/x///y");
        check("/x^y?q^r", "http://h.test/x%5Ey?q^r");
        for bad in ["//", "///", "http://", "//[::1/x"] {
            assert!(base.join(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn credentials_are_taken_out() {
        let check = |text: &str, expect: &str| assert_eq!(without_userinfo(text, ""), expect);
        check("http://user:secret@h.test/a@b", "http://h.test/a@b");
        check("http://a@b@h.test:81", "http://h.test:81");
        check("http://h.test/a@b", "http://h.test/a@b");
        check("http://h.test?x=a@b", "http://h.test?x=a@b");
        check("//u@h.test/", "//h.test/");
        check("mailto:a@b.test", "mailto:a@b.test");
        assert_eq!(without_userinfo("http://u:p@h.test/", "…@"), "http://…@h.test/");
    }

    #[test]
    fn messages_never_repeat_a_password() {
        let check = |typed: &str, expect: &str| assert_eq!(redacted(typed), expect);
        check("ftp://u:secret@h/", "ftp://…@h/");
        check("http://u:secret@h:443:127.0.0.1", "http://…@h:443:127.0.0.1");
        check("u:secret@h:443:127.0.0.1", "u:…@h:443:127.0.0.1");
        check(" http:\\\\u:secret@h/", " http:\\\\…@h/");
        check("http:u:secret@h", "http:…@h");
        check("u@x:sec/ret@h", "…@x:sec/ret@h");
        check("http://u:sec/ret@h/", "http://…@h/");
        check("http://h.test/a@b c", "http://h.test/a@b c");
        check("http://h.test:80/a@b", "http://h.test:80/a@b");
        check("http://[::1]/a@b", "http://[::1]/a@b");
        check("www.example.com:443:127.0.0.1:8443", "www.example.com:443:127.0.0.1:8443");
        for typed in [
            "ftp://u:secret@h/",
            "u:secret@h.test",
            "http://u:secret@h h/",
            "http://u:secret@",
            "x u:secret@h",
        ] {
            let told = read_seed(typed).unwrap_err().to_string();
            assert!(!told.contains("secret"), "{told}");
        }
    }

    #[test]
    fn origins_leave_the_path() {
        let address = Address::parse("http://127.0.0.1:9002/a/b?c=d").unwrap();
        assert_eq!(address.origin(), "http://127.0.0.1:9002");
        assert_eq!(address.path_and_query(), "/a/b?c=d");
        assert_eq!(Address::parse("https://example.com:443/").unwrap().origin(), "https://example.com");
    }
}
