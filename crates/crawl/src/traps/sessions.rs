//! Session ids in addresses: a server that hands out a new one with every answer makes of each page as many addresses as
//! there are answers.

use model::address::origin_of;
use model::hash::fingerprint;
use std::collections::{HashMap, HashSet};

/// Ids that a site hands out before each page is let in under one of them only. A visitor with cookies has one.
const IDS: usize = 20;
/// Pages that are known by their address without the id, so that memory stays bounded.
const PAGES: usize = 1 << 20;
/// Sites and names of ids that are watched.
const FAMILIES: usize = 64;
/// Characters of an id at least: PHP's have 26, Java's 32, ASP's 24.
const LENGTH: usize = 16;

const NAMES: &[&str] = &[
    "jsessionid",
    "oscsid",
    "phpsessid",
    "s_id",
    "sessid",
    "session",
    "session_id",
    "sessionid",
    "sid",
    "xtcsid",
    "zenid",
];

#[derive(Default)]
pub(super) struct Sessions {
    families: HashMap<u64, Family>,
    /// Pages of all families.
    pages: usize,
}

#[derive(Default)]
struct Family {
    ids: HashSet<u64>,
    pages: HashSet<u64>,
}

/// An address with a session id in it.
#[derive(Debug, PartialEq, Eq)]
struct Session<'u> {
    /// Path and query with stars.
    pattern: String,
    id: &'u str,
    /// Hash of the address without the id.
    page: u64,
}

impl Sessions {
    /// Counts an address that is to be queued. The pattern, where the page is in already under another id, of which the site
    /// hands out ever more.
    pub(super) fn refuse(&mut self, url: &str) -> Option<String> {
        let session = read(url)?;
        let key = fingerprint(format!("{}{}", origin_of(url), session.pattern).as_bytes());
        if self.families.len() >= FAMILIES && !self.families.contains_key(&key) {
            return None;
        }
        let family = self.families.entry(key).or_default();
        if family.ids.len() <= IDS {
            family.ids.insert(fingerprint(session.id.as_bytes()));
        }
        // Where no more pages can be known, those that are not known are kept back as well: a site of so many has no end.
        let is_new = self.pages < PAGES && family.pages.insert(session.page);
        self.pages += usize::from(is_new);
        let known = !is_new;
        (known && family.ids.len() > IDS).then_some(session.pattern)
    }
}

fn read(url: &str) -> Option<Session<'_>> {
    let origin = origin_of(url).len();
    let rest = &url[origin..];
    // A parameter of the query, or one behind a semicolon of the path; both have a name, an equals sign and an end.
    for (at, _) in rest.match_indices('=') {
        let begin = rest[..at].rfind(['?', '&', ';']).map_or(0, |mark| mark + 1);
        let name = &rest[begin..at];
        if begin == 0 || !NAMES.contains(&&*name.to_ascii_lowercase()) {
            continue;
        }
        let end = rest[at + 1..].find(['&', ';', '?', '#', '/']).map_or(rest.len(), |end| at + 1 + end);
        let id = &rest[at + 1..end];
        if !is_id(id) {
            continue;
        }
        let in_query = rest[..begin].contains('?');
        let mark = if in_query { "*?*" } else { "*;" };
        // With the mark before it, so that a page has one address, whether further parameters follow or not.
        let page = format!("{}{}", &url[..origin + begin - 1], &rest[end..]).replacen(
            '&',
            "?",
            usize::from(!rest[..begin - 1].contains('?')),
        );
        return Some(Session { pattern: format!("{mark}{name}=*"), id, page: fingerprint(page.as_bytes()) });
    }
    // ASP.NET without cookies: /(S(…))/.
    let begin = rest.find("/(S(")?;
    let end = begin + rest[begin..].find("))/")?;
    let id = &rest[begin + 4..end];
    let page = format!("{}{}", &url[..origin + begin], &rest[end + 2..]);
    is_id(id).then(|| Session { pattern: "*/(S(*))/*".to_owned(), id, page: fingerprint(page.as_bytes()) })
}

fn is_id(text: &str) -> bool {
    text.len() >= LENGTH
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b',' | b'!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_and_taken_out() {
        const ID: &str = "a81b3c99d0e24f7781b3";
        let check = |path: &str, expect: Option<(&str, &str)>| {
            let url = format!("http://h.test{}", path.replace('@', ID));
            let session = read(&url);
            let page = |path: &str| fingerprint(format!("http://h.test{path}").as_bytes());
            assert_eq!(
                session.map(|session| (session.pattern, session.page)),
                expect.map(|(pattern, path)| (pattern.to_owned(), page(path))),
                "{url}"
            );
        };
        check("/a?sid=@", Some(("*?*sid=*", "/a")));
        check("/a?sid=@&b=1", Some(("*?*sid=*", "/a?b=1")));
        check("/a?b=1&PHPSESSID=@", Some(("*?*PHPSESSID=*", "/a?b=1")));
        check("/a?b=1&sid=@&c=2", Some(("*?*sid=*", "/a?b=1&c=2")));
        check("/a;jsessionid=@?b=1", Some(("*;jsessionid=*", "/a?b=1")));
        check("/a;jsessionid=@", Some(("*;jsessionid=*", "/a")));
        check("/(S(@))/a.aspx", Some(("*/(S(*))/*", "/a.aspx")));
        check("/a?sid=7", None);
        check("/a?session=conference-spring", None);
        check("/a?token=@", None);
        check("/sid=@", None);
        check("/a", None);
    }

    #[test]
    fn every_page_is_let_in_once_when_ids_do_not_end() {
        let mut sessions = Sessions::default();
        let url = |page: usize, id: usize| format!("http://h.test/p/{page}?sid=0123456789abcdef{id:08}");
        // One visitor, one id: the whole site is let in.
        assert!((0..500).all(|page| sessions.refuse(&url(page, 0)).is_none()));
        // A few ids, of testers or of several starts: nothing is kept back.
        assert!((1..IDS).all(|id| sessions.refuse(&url(1, id)).is_none()));
        assert_eq!(sessions.refuse(&url(1, IDS + 1)).as_deref(), Some("*?*sid=*"));
        assert_eq!(sessions.refuse(&url(1_000, IDS + 3)), None, "a page of which nothing was known");
        assert!(sessions.refuse(&url(1_000, IDS + 4)).is_some());
    }
}
