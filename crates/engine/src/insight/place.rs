//! Where in the stored source of a page a finding's element stands.
//!
//! The page is read once more for it, as the crawl read it: that takes milliseconds, and nothing has to be kept for it.

use super::dto::FindingPlace;
use super::headers;
use audit::Subject;
use model::LinkKind;
use parse::{Document, Places, Tag};
use store::{Reader, StoreError};

/// What a link has to agree in with the one that is stored.
struct StoredLink {
    kind: Option<LinkKind>,
    line: u32,
    element: String,
}

/// `None` where the finding is about no element, or the page's source was not kept. `link` is the finding's place as tables
/// and details give it.
pub(super) fn place(
    reader: &Reader,
    crawl: i64,
    url: u32,
    audit: &str,
    link: i64,
) -> Result<Option<FindingPlace>, StoreError> {
    let Some(audit) = audit::find(audit) else { return Ok(None) };
    let subject = audit::subject(audit);
    if !matches!(subject, Subject::Occurrence | Subject::Element(_) | Subject::Root) {
        return Ok(None);
    }
    let Some(places) = read(reader, crawl, url)? else { return Ok(None) };
    let tag = match subject {
        Subject::Element(of) => places.tag(of(&places.facts), None),
        Subject::Root => Some(places.root()),
        _ if link > 0 => match stored_link(reader, link)? {
            Some(stored) => of_link(&places, link & store::schema::MAX_LINKS as i64, &stored),
            None => None,
        },
        _ if link < 0 => of_flaw(reader, &places, store::key(crawl, url), -1 - link)?,
        _ => None,
    };
    Ok(tag.map(|tag| shown(&places.text, &tag)))
}

/// The page as it was answered.
fn read(reader: &Reader, crawl: i64, url: u32) -> Result<Option<Places>, StoreError> {
    let Some(body) = reader.html(crawl, url)? else { return Ok(None) };
    let answered = reader.one(
        "SELECT u.text, s.value, a.headers FROM url u JOIN answer a ON a.key = ?1 LEFT JOIN string s ON s.id = a.content_type WHERE u.id = ?2",
        &[store::key(crawl, url).into(), i64::from(url).into()],
        |row| (row.text(0).to_owned(), row.opt_text(1).map(str::to_owned), row.opt_text(2).unwrap_or_default().to_owned()),
    )?;
    let Some((address, content_type, lines)) = answered else { return Ok(None) };
    let headers: Vec<(Box<str>, Box<str>)> =
        headers::pairs(&lines).into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    let document =
        Document { body: &body, url: &address, headers: &headers, content_type: content_type.as_deref() };
    Ok(Some(parse::places(&document)))
}

fn stored_link(reader: &Reader, link: i64) -> Result<Option<StoredLink>, StoreError> {
    reader.one(
        "SELECT s.kind, l.line, s.element FROM link l JOIN link_shape s ON s.id = l.shape WHERE l.id = ?1",
        &[link.into()],
        |row| StoredLink {
            kind: u8::try_from(row.int(0)).ok().and_then(LinkKind::from_code),
            line: u32::try_from(row.int(1)).unwrap_or_default(),
            element: row.text(2).to_owned(),
        },
    )
}

/// The link with the same number; where an older version of this program read the page otherwise, the first that agrees.
fn of_link(places: &Places, number: i64, stored: &StoredLink) -> Option<Tag> {
    let links = &places.facts.links;
    let agrees = |at: usize| {
        let link = links.get(at)?;
        let path = places.path(link.path)?;
        let tag = places.tag(link.line, Some(path))?;
        // Addresses inside a style element are told by a line of their own.
        let is_near = places.line_of(link.line) == stored.line || stored.element.ends_with("style");
        (Some(link.kind) == stored.kind && path == stored.element && is_near).then_some(tag)
    };
    let at = usize::try_from(number).ok()?;
    agrees(at).or_else(|| (0..links.len()).find_map(agrees))
}

fn of_flaw(reader: &Reader, places: &Places, key: i64, number: i64) -> Result<Option<Tag>, StoreError> {
    let stored = reader.one(
        "SELECT w.kind, w.line, coalesce(s.value, '') FROM page p JOIN flaw w ON w.document = p.document AND w.n = ?2
         LEFT JOIN string s ON s.id = w.element WHERE p.key = ?1",
        &[key.into(), number.into()],
        |row| (row.int(0), row.int(1), row.text(2).to_owned()),
    )?;
    let Some((kind, line, element)) = stored else { return Ok(None) };
    if line <= 0 {
        return Ok(None);
    }
    let agrees = |at: usize| {
        let (flaw, path) = places.flaw(at)?;
        let tag = places.tag(flaw.line, path)?;
        (i64::from(flaw.kind.code()) == kind && i64::from(tag.line) == line).then_some(tag)
    };
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    let found = agrees(at).or_else(|| (0..places.facts.flaws.len()).find_map(agrees));
    // Directives are judged after the page was read: their elements are found among the page's directives.
    let of_robots = || {
        let on_line = |place: u32| places.tag(place, None).filter(|tag| i64::from(tag.line) == line);
        places.facts.robots.iter().filter(|_| element.ends_with("meta")).find_map(|meta| on_line(meta.line))
    };
    Ok(found.or_else(of_robots))
}

/// In the counts of the window's page: offsets of JavaScript's strings.
fn shown(text: &str, tag: &Tag) -> FindingPlace {
    let count = |text: &str| text.chars().map(char::len_utf16).sum::<usize>() as u64;
    let start = count(&text[..tag.range.start]);
    FindingPlace {
        line: tag.line,
        column: tag.column,
        start,
        end: start + count(&text[tag.range.clone()]),
        tag: text[tag.range.clone()].chars().take(LONGEST_TAG).collect(),
    }
}

/// Characters shown of a tag.
const LONGEST_TAG: usize = 500;
