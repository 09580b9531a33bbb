//! Cookies: a jar that takes what answers set and gives what requests send back (RFC 6265, with the rules of its successor
//! draft about public suffixes, secure cookies and name prefixes). Time comes from the caller; nothing is kept on disk.

use cookie::Cookie;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};
use url::Url;

/// Bytes of one cookie's name and value at most (RFC 6265 §6.1 asks for at least 4,096 with its attributes).
const LONGEST: usize = 4_096;

/// Cookies of one domain and of all at most (RFC 6265 §6.1 asks for at least 50 and 3,000).
const OF_A_DOMAIN: usize = 100;
const OF_ALL: usize = 3_000;

/// Bytes of all cookies together at most.
const BYTES: usize = 1 << 20;

/// Bytes of a Cookie header at most: servers refuse requests whose header fields are longer than 8 to 16 kB.
const HEADER: usize = 8_000;

/// The longest time that a cookie is kept, which only keeps arithmetic on moments within its bounds.
const LONGEST_LIFE: Duration = Duration::from_secs(400 * 86_400);

/// Cookies by age, the oldest first.
#[derive(Clone, Default)]
pub(crate) struct Jar {
    kept: Vec<Kept>,
    bytes: usize,
}

#[derive(Clone)]
struct Kept {
    name: Box<str>,
    value: Box<str>,
    /// Lower case, without a leading dot.
    domain: Box<str>,
    /// The domain's subdomains do not get it.
    host_only: bool,
    path: Box<str>,
    secure: bool,
    /// `None`: as long as the jar.
    expires: Option<SystemTime>,
}

impl Jar {
    /// Takes one Set-Cookie value of an answer from `url`; what breaks a rule is dropped.
    pub(crate) fn take(&mut self, url: &Url, set_cookie: &str, now: SystemTime) {
        let Some(new) = Kept::read(url, set_cookie, now) else { return };
        let same = |old: &Kept| old.name == new.name && old.domain == new.domain && old.path == new.path;
        let secure = url.scheme() == "https";
        // A connection that anybody can alter does not touch what came over one that nobody can.
        let hidden = |old: &Kept| {
            old.secure
                && old.name == new.name
                && (domain_matches(&new.domain, &old.domain) || domain_matches(&old.domain, &new.domain))
                && path_matches(&new.path, &old.path)
        };
        if !secure && self.kept.iter().any(hidden) {
            return;
        }
        let over = new.expires.is_some_and(|until| until <= now);
        match self.kept.iter().position(same) {
            // The place in the order of creation stays (RFC 6265 §5.3, 11.3).
            Some(at) if !over => {
                self.bytes = self.bytes + new.size() - self.kept[at].size();
                self.kept[at] = new;
            }
            Some(at) => self.drop(at),
            None if over => {}
            None => {
                self.bytes += new.size();
                self.kept.push(new);
            }
        }
        self.bound(now);
    }

    /// The Cookie header of a request to `url`; `None` where there is nothing to send.
    pub(crate) fn header(&self, url: &Url, now: SystemTime) -> Option<String> {
        let host = url.host_str()?;
        let secure = url.scheme() == "https";
        let mut fitting: Vec<&Kept> =
            self.kept
                .iter()
                .filter(|kept| {
                    if kept.host_only { *kept.domain == *host } else { domain_matches(host, &kept.domain) }
                })
                .filter(|kept| secure || !kept.secure)
                .filter(|kept| path_matches(url.path(), &kept.path))
                .filter(|kept| kept.expires.is_none_or(|until| until > now))
                .collect();
        // Longer paths first, and among equals those that are older (RFC 6265 §5.4).
        fitting.sort_by_key(|kept| std::cmp::Reverse(kept.path.len()));
        let mut header = String::new();
        for kept in fitting {
            if header.len() + kept.name.len() + kept.value.len() + 3 > HEADER {
                continue;
            }
            if !header.is_empty() {
                header.push_str("; ");
            }
            header.push_str(&kept.name);
            header.push('=');
            header.push_str(&kept.value);
        }
        (!header.is_empty()).then_some(header)
    }

    /// Makes room: what is over goes first, then what is oldest.
    fn bound(&mut self, now: SystemTime) {
        let of_a_domain = |kept: &[Kept]| {
            let last = kept.last()?;
            let mut same = (0..kept.len()).filter(|at| kept[*at].domain == last.domain);
            let first = same.next()?;
            (same.count() >= OF_A_DOMAIN).then_some(first)
        };
        if let Some(oldest) = of_a_domain(&self.kept) {
            self.drop(oldest);
        }
        if self.kept.len() <= OF_ALL && self.bytes <= BYTES {
            return;
        }
        self.kept.retain(|kept| kept.expires.is_none_or(|until| until > now));
        self.bytes = self.kept.iter().map(Kept::size).sum();
        while self.kept.len() > OF_ALL || self.bytes > BYTES {
            self.drop(0);
        }
    }

    fn drop(&mut self, at: usize) {
        self.bytes -= self.kept[at].size();
        self.kept.remove(at);
    }
}

impl std::fmt::Debug for Jar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The values let their bearer in.
        f.debug_struct("Jar").field("cookies", &self.kept.len()).finish_non_exhaustive()
    }
}

impl Kept {
    fn read(url: &Url, set_cookie: &str, now: SystemTime) -> Option<Self> {
        let read = Cookie::parse(set_cookie).ok()?;
        let (name, value) = (read.name(), read.value_raw().unwrap_or_default());
        let is_sent = |text: &str| {
            text.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte) || byte >= 0x80)
        };
        if name.is_empty() || name.len() + value.len() > LONGEST || !is_sent(name) || !is_sent(value) {
            return None;
        }
        let host = url.host_str()?;
        let is_https = url.scheme() == "https";
        let secure = read.secure() == Some(true);
        if secure && !is_https {
            return None;
        }
        let asked = read.domain().map(|domain| domain.trim_start_matches('.').to_ascii_lowercase());
        let (domain, host_only) = match asked.filter(|domain| !domain.is_empty()) {
            None => (host.to_owned(), true),
            Some(domain) if domain == host && is_public_suffix(&domain) => (domain, true),
            Some(domain) if !domain_matches(host, &domain) || is_public_suffix(&domain) => return None,
            Some(domain) => (domain, false),
        };
        let path = read.path().filter(|path| path.starts_with('/'));
        if let Some(prefixed) = name.get(..7)
            && prefixed.eq_ignore_ascii_case("__host-")
            && !(secure && host_only && path == Some("/"))
        {
            return None;
        }
        if name.get(..9).is_some_and(|prefixed| prefixed.eq_ignore_ascii_case("__secure-")) && !secure {
            return None;
        }
        let expires = match (read.max_age(), read.expires_datetime()) {
            (Some(age), _) if !age.is_positive() => Some(SystemTime::UNIX_EPOCH),
            (Some(age), _) => Some(now + age.unsigned_abs().min(LONGEST_LIFE)),
            (None, Some(moment)) => {
                let seconds = u64::try_from(moment.unix_timestamp()).unwrap_or_default();
                let until = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
                Some(until.unwrap_or(now + LONGEST_LIFE).min(now + LONGEST_LIFE))
            }
            (None, None) => None,
        };
        Some(Self {
            name: name.into(),
            value: value.into(),
            domain: domain.into(),
            host_only,
            path: path.unwrap_or_else(|| default_path(url.path())).into(),
            secure,
            expires,
        })
    }

    fn size(&self) -> usize {
        self.name.len() + self.value.len() + self.domain.len() + self.path.len()
    }
}

/// RFC 6265 §5.1.3; both in the spelling of URLs.
fn domain_matches(host: &str, domain: &str) -> bool {
    let is_address = || host.starts_with('[') || host.parse::<IpAddr>().is_ok();
    host == domain || (host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')) && !is_address())
}

/// RFC 6265 §5.1.4.
fn path_matches(path: &str, cookie: &str) -> bool {
    path.strip_prefix(cookie)
        .is_some_and(|rest| rest.is_empty() || cookie.ends_with('/') || rest.starts_with('/'))
}

fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(at) => &path[..at],
    }
}

/// Whether anybody may register names below this one, so that a cookie for it would go to strangers. Names of no known
/// top level domain count as their own last label, as the list's algorithm has it.
fn is_public_suffix(domain: &str) -> bool {
    psl::suffix(domain.as_bytes()).is_some_and(|suffix| suffix.as_bytes() == domain.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 + seconds)
    }

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    /// What is sent to `to`, 10 s after these values were set by `from`.
    fn check(from: &str, set: &[&str], to: &str, expect: &str) {
        let mut jar = Jar::default();
        for value in set {
            jar.take(&url(from), value, at(0));
        }
        assert_eq!(
            jar.header(&url(to), at(10)).unwrap_or_default(),
            expect,
            "{set:?} of {from} sent to {to}"
        );
    }

    #[test]
    fn a_cookie_goes_back_where_it_came_from() {
        let page = "https://www.example.com/shop/page";
        check(page, &["a=1"], "https://www.example.com/shop/other", "a=1");
        check(page, &["a=1; HttpOnly; SameSite=Strict; Unknown=x"], page, "a=1");
        check(page, &["a=1", "b=2", "a=3"], page, "a=3; b=2");
        check(page, &["a=\"quoted, value\""], page, "a=\"quoted, value\"");
        check(page, &["a=b=c"], page, "a=b=c");
        check(page, &["a="], page, "a=");
        check(page, &["=1", "", "novalue", "; Path=/"], page, "");
        check(page, &["a=1; Path=/", "b=2; Path=/shop", "c=3"], page, "b=2; c=3; a=1");
    }

    #[test]
    fn domains() {
        let from = "https://www.example.com/";
        for other in ["https://example.com/", "https://a.www.example.com/", "https://evilwww.example.com/"] {
            check(from, &["a=1"], other, "");
        }
        check(from, &["a=1; Domain=example.com"], "https://shop.example.com/", "a=1");
        check(from, &["a=1; Domain=.Example.COM"], "https://example.com/", "a=1");
        check(from, &["a=1; Domain=www.example.com"], "https://a.www.example.com/", "a=1");
        check(from, &["a=1; Domain=example.com"], "https://evilexample.com/", "");
        for foreign in ["other.com", "shop.example.com", "com", "co.uk", "example"] {
            check(from, &[&format!("a=1; Domain={foreign}")], from, "");
        }
        check("https://a.co.uk/", &["a=1; Domain=co.uk"], "https://a.co.uk/", "");
        check("https://me.github.io/", &["a=1; Domain=github.io"], "https://you.github.io/", "");
        check("https://github.io/", &["a=1; Domain=github.io"], "https://me.github.io/", "");
        check("https://github.io/", &["a=1; Domain=github.io"], "https://github.io/", "a=1");
        check("http://a.test/", &["a=1; Domain=test"], "http://a.test/", "");
        check("http://localhost/", &["a=1; Domain=localhost"], "http://localhost/", "a=1");
        check("http://127.0.0.1/", &["a=1; Domain=0.0.1"], "http://127.0.0.1/", "");
        check("http://127.0.0.1/", &["a=1; Domain=127.0.0.1"], "http://127.0.0.1:8080/", "a=1");
        check("http://[::1]/", &["a=1"], "http://[::1]/x", "a=1");
    }

    #[test]
    fn paths() {
        let from = "https://a.test/shop/page";
        check(from, &["a=1"], "https://a.test/shop", "a=1");
        check(from, &["a=1"], "https://a.test/shop/", "a=1");
        check(from, &["a=1"], "https://a.test/shopping", "");
        check(from, &["a=1"], "https://a.test/", "");
        check(from, &["a=1; Path=/"], "https://a.test/x", "a=1");
        check(from, &["a=1; Path=relative"], "https://a.test/shop/x", "a=1");
        check(from, &["a=1; Path=/other"], "https://a.test/other/x", "a=1");
        check("https://a.test/?q=/x/y", &["a=1"], "https://a.test/z", "a=1");
    }

    #[test]
    fn secure_cookies_and_prefixes() {
        let (safe, open) = ("https://a.test/", "http://a.test/");
        check(safe, &["a=1; Secure"], safe, "a=1");
        check(safe, &["a=1; Secure"], open, "");
        check(open, &["a=1; Secure"], safe, "");
        check(safe, &["__Secure-a=1"], safe, "");
        check(safe, &["__Secure-a=1; Secure"], safe, "__Secure-a=1");
        check(safe, &["__Host-a=1; Secure; Path=/; Domain=a.test"], safe, "");
        check(safe, &["__Host-a=1; Secure; Path=/"], safe, "__Host-a=1");
        let mut jar = Jar::default();
        jar.take(&url(safe), "a=1; Secure", at(0));
        jar.take(&url(open), "a=2", at(0));
        assert_eq!(jar.header(&url(safe), at(0)).as_deref(), Some("a=1"), "http does not replace it");
        assert_eq!(jar.header(&url(open), at(0)), None);
    }

    #[test]
    fn cookies_end() {
        let page = "https://a.test/";
        check(page, &["a=1; Max-Age=11"], page, "a=1");
        check(page, &["a=1; Max-Age=10"], page, "");
        check(page, &["a=1; Max-Age=0", "b=1; Max-Age=-5"], page, "");
        check(page, &["a=1", "a=1; Max-Age=0"], page, "");
        check(page, &["a=1; Expires=Sun, 06 Nov 1994 08:49:47 GMT"], page, "");
        check(page, &["a=1; Expires=Sun, 06 Nov 1994 08:49:48 GMT"], page, "a=1");
        check(page, &["a=1; Expires=Sunday, 06-Nov-94 08:49:48 GMT"], page, "a=1");
        check(page, &["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=100"], page, "a=1");
        check(page, &["a=1; Max-Age=99999999999999999999"], page, "a=1");
        check(page, &["a=1; Expires=nonsense"], page, "a=1");
    }

    #[test]
    fn a_jar_is_bounded() {
        let mut jar = Jar::default();
        for n in 0..10_000 {
            jar.take(&url(&format!("https://h{}.test/", n % 500)), &format!("c{n}=1"), at(0));
        }
        assert_eq!(jar.kept.len(), OF_ALL);
        let mut jar = Jar::default();
        for n in 0..1_000 {
            jar.take(&url("https://a.test/"), &format!("c{n}=1"), at(0));
        }
        assert_eq!((jar.kept.len(), &*jar.kept[OF_A_DOMAIN - 1].name), (OF_A_DOMAIN, "c999"));
        let mut jar = Jar::default();
        let value = "x".repeat(4_000);
        for n in 0..1_000 {
            jar.take(&url(&format!("https://h{}.test/", n % 100)), &format!("c{n}={value}"), at(0));
            assert!(jar.bytes <= BYTES);
        }
        assert_eq!(jar.bytes, jar.kept.iter().map(Kept::size).sum::<usize>());
        assert!(jar.header(&url("https://h1.test/"), at(0)).is_some_and(|header| header.len() <= HEADER));
        jar.take(&url("https://a.test/"), &format!("a={}", "x".repeat(5_000)), at(0));
        assert_eq!(jar.header(&url("https://a.test/"), at(0)), None, "too long a cookie");
    }
}
