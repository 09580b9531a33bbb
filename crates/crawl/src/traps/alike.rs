//! Pages of a pattern that say the same: all their words without numbers, months and weekdays, all that they show, and all
//! that they link to besides further pages of the pattern. An empty month of a calendar is one, a page beyond the end of
//! a list, a page under a number that means nothing.

use super::wild::{self, Wild, is_calendar_word};
use model::hash::fingerprint;
use model::{Link, LinkTarget};

/// What a page of a pattern has in common with others of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alike {
    /// Of its pattern, see [`Wild`].
    pub family: u64,
    /// The same for pages that say the same.
    pub content: u64,
}

/// Words of a page at most that are compared, so that a page of many megabytes costs no more than a large one.
const WORDS: usize = 1 << 16;

/// Reads a page; `None` where its address has no pattern, or where it leads to no further page of it.
pub(crate) fn read(url: &str, body: &[u8], links: &[Link]) -> Option<Alike> {
    let own = wild::read(url)?;
    let leads_on = links.iter().any(|link| {
        // The beginning is compared first, because nearly every link of nearly every page ends there.
        matches!(&link.target, LinkTarget::Http(target) if target.len() > own.fixed && target.as_bytes()[..own.fixed] == url.as_bytes()[..own.fixed]
            && &**target != url && !link.kind.is_resource() && wild::read(target).is_some_and(|other| other.family == own.family))
    });
    leads_on
        .then(|| Alike { family: own.family, content: words(body).wrapping_mul(31) ^ others(&own, links) })
}

/// The distinct words of the source, in whatever order: runs of letters of any language that touch no digit.
fn words(body: &[u8]) -> u64 {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
    let mut hashes = Vec::with_capacity(1_024);
    let mut word = String::new();
    for run in body.split(|byte| !is_part(byte)) {
        if run.len() < 3 || run.iter().any(u8::is_ascii_digit) {
            continue;
        }
        if run.len() <= 9 && run.is_ascii() {
            word.clear();
            word.extend(run.iter().map(|byte| char::from(byte.to_ascii_lowercase())));
            if is_calendar_word(&word) {
                continue;
            }
        }
        hashes.push(fingerprint(run));
        if hashes.len() == WORDS {
            break;
        }
    }
    sum(hashes)
}

/// What the page links to besides its own pattern, and what it shows: by the very address, since products and pictures differ by
/// a number alone, but for numbers and dates in the queries of links, since a calendar hands its own date on.
fn others(own: &Wild, links: &[Link]) -> u64 {
    let mut hashes = Vec::with_capacity(links.len());
    for link in links {
        let LinkTarget::Http(target) = &link.target else { continue };
        let exact = || fingerprint(target.as_bytes());
        let Some(wild) = (!link.kind.is_resource()).then(|| wild::read(target)).flatten() else {
            hashes.push(exact());
            continue;
        };
        if wild.family != own.family {
            hashes.push(match (target.split_once('?'), wild.pattern.split_once('?')) {
                (Some((path, _)), Some((_, query))) => fingerprint(format!("{path}?{query}").as_bytes()),
                _ => exact(),
            });
        }
    }
    sum(hashes)
}

/// One number for a set of hashes.
fn sum(mut hashes: Vec<u64>) -> u64 {
    hashes.sort_unstable();
    hashes.dedup();
    hashes.iter().fold(0, |sum, hash| sum.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(*hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{LinkKind, Position};

    fn link(kind: LinkKind, target: &str) -> Link {
        Link {
            kind,
            target: LinkTarget::Http(target.into()),
            raw_href: target.into(),
            text: None,
            rel: "".into(),
            window: "".into(),
            position: Position::Body,
            path: 0,
            line: 1,
            size: None,
            in_noscript: false,
        }
    }

    fn page(number: u32, text: &str, picture: u32, beside: &str) -> Option<Alike> {
        let url = format!("http://h.test/m/{number}");
        let links = [
            link(LinkKind::Anchor, &format!("http://h.test/m/{}", number + 1)),
            link(LinkKind::Anchor, &format!("http://h.test{beside}")),
            link(LinkKind::Image, &format!("http://h.test/i/{picture}.png")),
        ];
        read(&url, format!("<p>{text}</p>").as_bytes(), &links)
    }

    #[test]
    fn pages_that_say_the_same_are_alike() {
        let one = page(1, "May 1931: nothing on Monday 3", 7, "/about").unwrap();
        assert_eq!(page(2, "June 1931: nothing on nothing, Tue 14, 2026a", 7, "/about"), Some(one));
        let differs = |other: Option<Alike>| other.is_some_and(|other| other != one);
        assert!(differs(page(2, "June 1931: a concert on Monday 3", 7, "/about")), "words");
        assert!(differs(page(2, "June 1931: nothing on Monday 3", 8, "/about")), "what is shown");
        assert!(differs(page(2, "June 1931: nothing on Monday 3", 7, "/contact")), "what is linked");
        let product = |n: u32| page(n, "nothing on", 7, &format!("/product/{n}")).unwrap();
        assert_ne!(product(3), product(4), "another number is another product");
        let dated = |day: u32| page(day, "nothing on", 7, &format!("/event/5?on={day}")).unwrap();
        assert_eq!(dated(3), dated(4), "a link that hands the number on");
    }

    #[test]
    fn a_page_that_leads_to_no_other_of_its_pattern_is_none() {
        assert_eq!(read("http://h.test/m/1", b"x", &[link(LinkKind::Anchor, "http://h.test/m/1")]), None);
        assert_eq!(read("http://h.test/m/1", b"x", &[link(LinkKind::Image, "http://h.test/m/2")]), None);
        assert_eq!(read("http://h.test/m/1", b"x", &[link(LinkKind::Anchor, "http://o.test/m/2")]), None);
        assert_eq!(read("http://h.test/about", b"x", &[link(LinkKind::Anchor, "http://h.test/m/2")]), None);
    }
}
