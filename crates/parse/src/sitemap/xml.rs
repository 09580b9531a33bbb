//! Sitemaps, sitemap indexes, RSS and Atom, read leniently.

use super::source::{Source, position_after};
use super::{MAX_VALUE, SitemapAlternate, SitemapEntry, SitemapKind, SitemapReport};
use crate::entity;
use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
/// Open elements; more is no sitemap.
const MAX_DEPTH: usize = 512;
/// Alternates kept of one entry, and the bytes of their addresses in all.
const MAX_ALTERNATES: usize = 1_000;
const MAX_ALTERNATE_BYTES: usize = 1 << 20;
/// Entities declared in a document type, and bytes of each: they are replaced once, never in each other.
const MAX_ENTITIES: usize = 100;
const MAX_ENTITY: usize = 1_024;

/// Reads to the end or to the first fault that cannot be passed over.
pub(super) fn read(source: &mut Source, report: &mut SitemapReport, each: &mut dyn FnMut(SitemapEntry)) {
    let mut reader = Reader::from_reader(source);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut state =
        State { report, each, open: Vec::new(), entities: HashMap::new(), entry: None, root_seen: false };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let begin = reader.get_mut().position();
        let event = reader.read_event_into(&mut buffer);
        let go_on = match event {
            Ok(Event::Start(tag)) => state.start(&tag, begin),
            Ok(Event::Empty(tag)) => {
                let go_on = state.start(&tag, begin);
                if go_on {
                    state.end(tag.name().as_ref(), begin);
                }
                go_on
            }
            Ok(Event::End(tag)) => {
                state.end(tag.name().as_ref(), begin);
                true
            }
            Ok(Event::Text(text)) => {
                if let Some(offset) = text.find('&') {
                    state.bare_ampersand(position_after(begin, &text[..offset]));
                }
                state.outside(&text, begin);
                state.text(&text);
                true
            }
            Ok(Event::CData(text)) => {
                state.outside("<![CDATA[", begin);
                state.text(&text);
                true
            }
            Ok(Event::GeneralRef(name)) => {
                state.reference(&name, begin);
                true
            }
            Ok(Event::DocType(text)) => {
                state.declare(&text);
                true
            }
            Ok(Event::Eof) => {
                let is_long = reader.get_mut().token_too_long;
                state.finish(begin, is_long);
                false
            }
            Ok(_) => true,
            Err(error) => {
                let at = reader.get_mut().position();
                let is_long = reader.get_mut().token_too_long;
                // The document breaks off within a tag, so the text before that is whole.
                if matches!(error, Error::Syntax(SyntaxError::UnclosedTag)) && !is_long {
                    state.end_address();
                }
                state.fault(error.to_string(), at, is_long);
                false
            }
        };
        reader.get_mut().token_ended();
        if !go_on {
            return;
        }
    }
}

/// What the text inside an entry's child is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
    /// An address only if it looks like one and no other is given.
    Guid,
}

/// The entry being read.
#[derive(Debug)]
struct Open {
    entry: SitemapEntry,
    /// Open elements, the entry's own included.
    depth: usize,
    field: Option<(Field, usize)>,
    text: String,
    /// Text directly inside the entry: some write the address there.
    bare: String,
    /// A reference that could not be resolved stands in the address.
    is_unresolved: bool,
    guid: String,
    alternate_bytes: usize,
}

struct State<'r> {
    report: &'r mut SitemapReport,
    each: &'r mut dyn FnMut(SitemapEntry),
    open: Vec<Box<str>>,
    entities: HashMap<Box<str>, Box<str>>,
    entry: Option<Open>,
    root_seen: bool,
}

type Position = (u32, u32);

impl State<'_> {
    /// False ends the reading.
    fn start(&mut self, tag: &BytesStart, at: Position) -> bool {
        if self.open.len() >= MAX_DEPTH {
            self.report.problem("xml-error", "elements are nested too deep", at);
            return false;
        }
        let name = tag.name();
        let (prefix, local) = split(name.as_ref());
        self.open.push(name.as_ref().into());
        let depth = self.open.len();
        if is_bare_in(tag) {
            self.bare_ampersand(at);
        }
        if depth == 1 {
            if self.root_seen {
                self.report.problem_once("xml-error", "a second root element", at);
                return true;
            }
            self.root_seen = true;
            return self.root(prefix, local, tag, at);
        }
        let begins_entry = match self.report.kind {
            SitemapKind::UrlSet => local.eq_ignore_ascii_case("url"),
            SitemapKind::Index => local.eq_ignore_ascii_case("sitemap"),
            SitemapKind::Rss => local.eq_ignore_ascii_case("item"),
            SitemapKind::Atom => local.eq_ignore_ascii_case("entry"),
            SitemapKind::Text | SitemapKind::Unknown => false,
        };
        match &self.entry {
            None if begins_entry => self.begin(depth, at),
            None => {}
            Some(open) if begins_entry && open.field.is_none() && depth == open.depth + 1 => {
                self.report.problem_once("xml-error", format!("<{local}> inside <{local}>"), at);
                self.complete();
                self.begin(depth, at);
            }
            Some(_) => self.child(prefix, local, tag, at),
        }
        true
    }

    fn bare_ampersand(&mut self, at: Position) {
        self.report.problem_once("ampersand-bare", "an ampersand that begins no reference", at);
    }

    /// Notes text outside the root element, where XML has nothing but white space, comments and instructions.
    fn outside(&mut self, text: &str, at: Position) {
        if self.open.is_empty()
            && let Some(offset) = text.find(|c: char| !c.is_ascii_whitespace())
        {
            let place = if self.root_seen { "behind" } else { "before" };
            let found = text[offset..].trim_ascii_end();
            let detail = format!("{place} the root element: {}", &found[..found.floor_char_boundary(100)]);
            self.report.problem_once("text-outside-root", detail, position_after(at, &text[..offset]));
        }
    }

    fn begin(&mut self, depth: usize, at: Position) {
        self.entry = Some(Open {
            entry: SitemapEntry { kind: self.report.kind, line: at.0, ..SitemapEntry::default() },
            depth,
            field: None,
            text: String::new(),
            bare: String::new(),
            is_unresolved: false,
            guid: String::new(),
            alternate_bytes: 0,
        });
    }

    fn root(&mut self, prefix: &str, local: &str, tag: &BytesStart, at: Position) -> bool {
        self.report.kind = match () {
            () if local.eq_ignore_ascii_case("urlset") => SitemapKind::UrlSet,
            () if local.eq_ignore_ascii_case("sitemapindex") => SitemapKind::Index,
            () if local.eq_ignore_ascii_case("rss") || local.eq_ignore_ascii_case("rdf") => SitemapKind::Rss,
            () if local.eq_ignore_ascii_case("feed") => SitemapKind::Atom,
            () => {
                self.report.problem("unknown-format", format!("the root element is <{local}>"), at);
                return false;
            }
        };
        if matches!(self.report.kind, SitemapKind::UrlSet | SitemapKind::Index) {
            let wanted = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
            match attribute(tag, &wanted) {
                None => self.report.problem("namespace-missing", format!("{wanted} is not declared"), at),
                Some(namespace) if namespace.trim() != NAMESPACE => {
                    self.report.problem("namespace-wrong", namespace, at);
                }
                Some(_) => {}
            }
        }
        true
    }

    fn child(&mut self, prefix: &str, local: &str, tag: &BytesStart, at: Position) {
        let kind = self.report.kind;
        let depth = self.open.len();
        // An address in the name space of pictures, say, is none of the entry.
        let is_own = |prefix: &str| depth >= 2 && split(&self.open[depth - 2]).0 == prefix;
        let is_own_loc = local.eq_ignore_ascii_case("loc") && is_own(prefix);
        let Some(open) = &mut self.entry else { return };
        if open.field.is_some() || depth != open.depth + 1 {
            return;
        }
        let local = local.to_ascii_lowercase();
        if is_own_loc
            && matches!(kind, SitemapKind::UrlSet | SitemapKind::Index)
            && !open.entry.loc.is_empty()
        {
            let detail = format!("a second address beside {}", open.entry.loc);
            self.report.problem("loc-multiple", detail, at);
        }
        let field = match (kind, local.as_str()) {
            (SitemapKind::UrlSet | SitemapKind::Index, "loc") => Some(Field::Loc),
            (SitemapKind::UrlSet | SitemapKind::Index, "lastmod") => Some(Field::Lastmod),
            (SitemapKind::UrlSet, "changefreq") => Some(Field::Changefreq),
            (SitemapKind::UrlSet, "priority") => Some(Field::Priority),
            (SitemapKind::UrlSet, "image") => {
                open.entry.images = open.entry.images.saturating_add(1);
                None
            }
            (SitemapKind::UrlSet, "video") => {
                open.entry.videos = open.entry.videos.saturating_add(1);
                None
            }
            (SitemapKind::UrlSet, "link") => {
                let is_alternate =
                    attribute(tag, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("alternate"));
                if let (true, Some(hreflang), Some(href)) =
                    (is_alternate, attribute(tag, "hreflang"), attribute(tag, "href"))
                    && open.entry.alternates.len() < MAX_ALTERNATES
                    && open.alternate_bytes < MAX_ALTERNATE_BYTES
                {
                    let (hreflang, href) = (value(&hreflang), value(&href));
                    open.alternate_bytes += hreflang.len() + href.len();
                    open.entry.alternates.push(SitemapAlternate { hreflang, href });
                }
                None
            }
            (SitemapKind::Rss, "link") if prefix.is_empty() || open.entry.loc.is_empty() => {
                // `atom:link` inside an item has no text, and so cannot hide the item's own link.
                Some(Field::Loc)
            }
            (SitemapKind::Rss, "guid") => Some(Field::Guid),
            (SitemapKind::Rss, "pubdate" | "date") => Some(Field::Lastmod),
            (SitemapKind::Atom, "link") => {
                let is_page = attribute(tag, "rel").is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
                if let (true, true, Some(href)) = (is_page, open.entry.loc.is_empty(), attribute(tag, "href"))
                {
                    open.entry.loc = value(&href);
                }
                None
            }
            (SitemapKind::Atom, "updated" | "modified") => {
                open.entry.lastmod = None;
                Some(Field::Lastmod)
            }
            (SitemapKind::Atom, "published" | "issued") => Some(Field::Lastmod),
            _ => None,
        };
        open.field = field.map(|field| (field, depth));
        open.text.clear();
    }

    fn end(&mut self, name: &str, at: Position) {
        match self.open.iter().rposition(|open| **open == *name) {
            Some(index) => {
                if index + 1 != self.open.len() {
                    let inner = &self.open[self.open.len() - 1];
                    self.report.problem_once("xml-error", format!("</{name}> closes <{inner}>"), at);
                }
                self.open.truncate(index);
            }
            None => {
                self.report.problem_once("xml-error", format!("</{name}> closes nothing"), at);
                return;
            }
        }
        let depth = self.open.len();
        if let Some(open) = &mut self.entry
            && let Some((field, field_depth)) = open.field
            && depth < field_depth
        {
            open.field = None;
            close_field(open, field);
        }
        if self.entry.as_ref().is_some_and(|open| depth < open.depth) {
            self.complete();
        }
    }

    fn text(&mut self, text: &str) {
        let depth = self.open.len();
        let Some(open) = &mut self.entry else { return };
        let slot = if open.field.is_some() {
            &mut open.text
        } else if depth == open.depth {
            &mut open.bare
        } else {
            return;
        };
        if slot.len() < MAX_VALUE {
            // White space that only lays out the document must not fill the slot.
            let text = if slot.is_empty() { text.trim_start() } else { text };
            slot.push_str(&text[..text.floor_char_boundary(MAX_VALUE)]);
        }
    }

    fn reference(&mut self, reference: &quick_xml::events::BytesRef, at: Position) {
        if let Some(declared) = self.entities.get(&**reference).cloned() {
            return self.text(&declared);
        }
        match reference.resolve_char_ref() {
            Ok(Some(c)) => return self.text(c.encode_utf8(&mut [0; 4])),
            Ok(None) => {
                if let Some(known) = resolve_predefined_entity(reference) {
                    return self.text(known);
                }
                if let Some(known) = entity::by_name(reference) {
                    self.report.problem_once("entity-undeclared", format!("&{};", &**reference), at);
                    return self.text(known.encode_utf8(&mut [0; 4]));
                }
            }
            Err(_) => {}
        }
        self.report.problem_once("entity-unresolved", format!("&{};", &**reference), at);
        if let Some(open) = &mut self.entry
            && matches!(open.field, Some((Field::Loc | Field::Guid, _)))
        {
            open.is_unresolved = true;
        }
    }

    /// Internal entities of plain text are kept; external ones and those made of others are not read.
    fn declare(&mut self, doctype: &str) {
        let mut rest = doctype;
        while let Some(start) = rest.find("<!ENTITY") {
            rest = &rest[start + 8..];
            if self.entities.len() >= MAX_ENTITIES {
                return;
            }
            let Some((name, after)) = rest.trim_start().split_once(|c: char| c.is_ascii_whitespace()) else {
                return;
            };
            let after = after.trim_start();
            let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
            let Some(text) = after[1..].split(quote).next() else { continue };
            if text.len() <= MAX_ENTITY && !text.contains(['&', '%', '<']) {
                self.entities.insert(name.into(), text.into());
            }
        }
    }

    /// Hands the entry over, if it has an address.
    fn complete(&mut self) {
        let Some(mut open) = self.entry.take() else { return };
        if open.is_unresolved {
            return;
        }
        if open.entry.loc.is_empty() {
            let is_address = |text: &str| text.starts_with("http://") || text.starts_with("https://");
            if is_address(&open.guid) {
                open.entry.loc = value(&open.guid);
            } else {
                self.report.problem("loc-missing", "an entry without an address", (open.entry.line, 0));
                if !is_address(open.bare.trim()) {
                    return;
                }
                open.entry.loc = value(&open.bare);
            }
        }
        self.report.entries += 1;
        (self.each)(open.entry);
    }

    fn finish(&mut self, at: Position, is_long: bool) {
        if is_long {
            return self.fault(String::new(), at, true);
        }
        if let Some(inner) = self.open.last() {
            let detail = format!("the document ends inside <{inner}>");
            self.fault(detail, at, false);
        } else if !self.root_seen {
            self.report.problem("unknown-format", "there is no root element", at);
        }
    }

    /// An address that ends where the document breaks off within the next tag.
    fn end_address(&mut self) {
        if let Some(open) = &mut self.entry
            && matches!(open.field, Some((Field::Loc, _)))
        {
            open.field = None;
            close_field(open, Field::Loc);
        }
    }

    /// The end before the end. An entry whose address was complete still counts.
    fn fault(&mut self, detail: String, at: Position, is_long: bool) {
        if is_long {
            self.report.problem("token-too-long", "a piece of text or markup of more than 1 MiB", at);
        } else {
            self.report.problem("xml-error", detail, at);
        }
        if self.entry.as_ref().is_some_and(|open| !open.entry.loc.is_empty()) {
            self.complete();
        }
    }
}

fn close_field(open: &mut Open, field: Field) {
    let text = std::mem::take(&mut open.text);
    let text = value(&text);
    if text.is_empty() {
        return;
    }
    let entry = &mut open.entry;
    match field {
        Field::Loc if entry.loc.is_empty() => entry.loc = text,
        Field::Lastmod if entry.lastmod.is_none() => entry.lastmod = Some(text),
        Field::Changefreq if entry.changefreq.is_none() => entry.changefreq = Some(text),
        Field::Priority if entry.priority.is_none() => entry.priority = Some(text),
        Field::Guid => open.guid = text.into(),
        _ => {}
    }
}

/// Whether an attribute holds an ampersand that begins no reference.
fn is_bare_in(tag: &BytesStart) -> bool {
    let is_reference = |rest: &str| {
        rest.split_once(';').is_some_and(|(name, _)| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'#' | b'_' | b'-' | b'.' | b':'))
        })
    };
    memchr::memchr(b'&', tag.as_bytes()).is_some()
        && tag
            .html_attributes()
            .take(64)
            .flatten()
            .any(|attribute| attribute.value.split('&').skip(1).any(|rest| !is_reference(rest)))
}

/// White space around is layout, no-break spaces included.
fn value(text: &str) -> Box<str> {
    let text = text.trim();
    text[..text.floor_char_boundary(MAX_VALUE)].into()
}

fn split(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}

/// An attribute's value with its references resolved where they can be.
fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let found = tag.html_attributes().take(64).flatten().find(|attribute| attribute.key.as_ref() == name)?;
    let raw = &*found.value;
    Some(
        unescape_with(raw, resolve_predefined_entity)
            .map_or_else(|_| raw.to_owned(), |text| text.into_owned()),
    )
}
