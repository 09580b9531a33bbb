//! HTML documents: bytes to [`PageFacts`].
//!
//! Decode, build the tree under guard, walk it once. The walk keeps its own stack, so no depth of nesting reaches
//! the thread's.

mod arena;
mod aria;
mod checks;
mod custom;
mod element;
mod file_url;
mod flaws;
mod guard;
mod head;
mod header_links;
mod lang;
mod microdata;
mod paths;
mod places;
mod rdfa;
mod resolve;
mod security;
mod structure;
mod structured;
mod tags;
pub(crate) mod text;
mod tokenizer;
mod viewport;
mod walk;
mod wording;
mod xml;

use crate::Document;
use crate::charset::{Charset, charset, decode};
use arena::{NONE, Tree};
use encoding_rs::Encoding;
use head::Headers;
use html5ever::local_name;
use model::facts::{CharsetSource, Problem};
use model::{Flaw, FlawKind, PageFacts};
use paths::Paths;
use resolve::Resolver;
use std::borrow::Cow;
use url::Url;
use walk::Walk;

pub use custom::{FieldValue, FieldValues, custom};
pub use places::{Places, Tag, places};

/// Bytes of text that are read; far above every body cap, and within the parser's 32-bit lengths.
const MAX_DOCUMENT: usize = 1 << 30;
/// Problems kept of one page.
const MAX_PROBLEMS: usize = 1_000;

/// Reads an HTML document: every fact and every link. Never fails.
pub fn html(doc: &Document) -> PageFacts {
    read(doc, Unit::Lines)
}

/// The distinct shingles of a document's main text in order, as `model::main_text` has them; none where it is too short to be
/// compared. Takes as long as [`html`].
pub fn shingles(body: &[u8], charset: &str) -> Vec<u64> {
    let content_type = format!("text/html; charset={charset}");
    let doc = Document { body, url: "", headers: &[], content_type: Some(&content_type) };
    let mut shingles = Vec::new();
    let _ = read_into(&doc, Unit::Lines, Some(&mut shingles));
    shingles
}

/// As `html`; `unit` says what the places of the facts count.
fn read(doc: &Document, unit: Unit) -> PageFacts {
    read_into(doc, unit, None)
}

/// As `read`; the shingles of the main text go where they are wanted.
fn read_into(doc: &Document, unit: Unit, shingles: Option<&mut Vec<u64>>) -> PageFacts {
    let charset = charset(doc.body, doc.content_type);
    let (decoded, malformed) = decode(doc.body, &charset);
    let mut facts = PageFacts {
        charset: charset.encoding.name().into(),
        charset_source: charset.source,
        ..PageFacts::default()
    };
    charset_problems(&mut facts, &charset, malformed);
    let text = bounded(&mut facts, &decoded);
    let is_xml = doc.content_type.is_some_and(is_xml);
    if is_xml {
        facts.problems.extend(xml::well_formedness(&text));
    }
    let lines = Lines::new(&text, unit);
    let built = guard::build(&text, false);
    cut_problems(&mut facts, &built.cuts, &lines);
    facts.head_closed_by = built.head_closed_by.as_ref().map(|(name, _)| name.clone());
    // XML has no quirks mode, and UTF-8 where nothing else is said.
    facts.standards_mode = is_xml || !built.tree.quirks;
    let mut paths = Paths::default();
    charset_flaws(
        &mut facts,
        &charset,
        is_xml,
        &mut At { tree: &built.tree, lines: &lines, paths: &mut paths },
    );
    if let Some((name, at)) = &built.head_closed_by {
        head_flaw(&mut facts, name, lines.of(*at), &mut paths);
    }
    let document = Url::parse(doc.url).ok();
    let base = base_url(
        &mut facts,
        &mut At { tree: &built.tree, lines: &lines, paths: &mut paths },
        document.as_ref(),
        charset.encoding,
    );
    // Headers know nothing of a base element: they are resolved against the document itself.
    let mut own = Resolver::new(document, charset.encoding);
    Headers { facts: &mut facts, resolver: &mut own, paths: &mut paths }.read(doc.headers);
    let mut resolver = Resolver::new(base, charset.encoding);
    if facts.base.is_none() {
        resolver = resolver.with_written_base(doc.url);
    }
    Walk::document(&built.tree, &lines, &mut facts, &mut resolver, &mut paths)
        .from(doc.url, &text)
        .into_shingles(shingles)
        .run();
    tag_flaws(&mut facts, [built.heads, built.bodies], &lines, &mut paths);
    facts.element_paths = paths.into_texts();
    facts.problems.truncate(MAX_PROBLEMS);
    facts
}

/// The text with its extremes cut off and its line ends made one (HTML, "preprocessing the input stream").
fn bounded<'a>(facts: &mut PageFacts, decoded: &'a str) -> Cow<'a, str> {
    let text = text::cut(decoded, MAX_DOCUMENT);
    if text.len() < decoded.len() {
        problem(facts, "document-too-large", format!("read up to byte {}", text.len()), 0);
    }
    let text = match memchr::memchr(b'\r', text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
    };
    let mut nuls = memchr::memchr_iter(0, text.as_bytes());
    let Some(first) = nuls.next() else { return text };
    let count = 1 + nuls.count();
    let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..first]).count();
    problem(facts, "nul-bytes", format!("{count} NUL bytes"), line as u32);
    text
}

/// What the places of facts count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// One-based lines.
    Lines,
    /// One more than the byte.
    Bytes,
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines {
    ends: Vec<u32>,
    unit: Unit,
}

impl Lines {
    fn new(text: &str, unit: Unit) -> Self {
        Self { ends: memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32).collect(), unit }
    }

    /// The place of a byte: its one-based line.
    pub(crate) fn of(&self, at: u32) -> u32 {
        match self.unit {
            Unit::Lines => self.line(at),
            Unit::Bytes => at + 1,
        }
    }

    /// The line of a place.
    pub(crate) fn of_place(&self, place: u32) -> u32 {
        match self.unit {
            Unit::Lines => place,
            Unit::Bytes => place.checked_sub(1).map_or(0, |at| self.line(at)),
        }
    }

    fn line(&self, at: u32) -> u32 {
        1 + self.ends.partition_point(|end| *end < at) as u32
    }
}

/// What is asked where a fact stands that is no part of the walk.
struct At<'t> {
    tree: &'t Tree,
    lines: &'t Lines,
    paths: &'t mut Paths,
}

impl At<'_> {
    fn place(&self, id: arena::NodeId) -> u32 {
        self.lines.of(self.tree.nodes[id as usize].b)
    }

    /// The path of an element.
    fn path(&mut self, id: arena::NodeId) -> u32 {
        let (mut at, mut names) = (id, Vec::new());
        while let Some(node) = self.tree.nodes.get(at as usize) {
            names.extend(self.tree.element(at).map(|element| element.name().clone()));
            at = node.parent;
        }
        let outer = usize::from(names.len() > 1 && names.last() == Some(&local_name!("html")));
        let path = names[..names.len() - outer]
            .iter()
            .rev()
            .fold(paths::ROOT, |path, name| self.paths.child(path, name));
        self.paths.text(path)
    }

    /// The first meta element that names an encoding.
    fn charset_meta(&self) -> Option<arena::NodeId> {
        (0..self.tree.nodes.len() as arena::NodeId).find(|id| {
            self.tree.element(*id).is_some_and(|element| {
                let pragma = element.attr(&local_name!("http-equiv"));
                *element.name() == local_name!("meta")
                    && (element.attr(&local_name!("charset")).is_some()
                        || pragma.is_some_and(|pragma| pragma.trim().eq_ignore_ascii_case("content-type")))
            })
        })
    }
}

fn charset_problems(facts: &mut PageFacts, charset: &Charset, malformed: bool) {
    if let Some(said) = charsets_that_differ(charset) {
        problem(facts, "charset-conflict", said, 0);
    }
    if charset.is_late {
        problem(facts, "charset-late", "declared beyond the first 1,024 bytes".to_owned(), 0);
    }
    if malformed {
        problem(facts, "charset-malformed", format!("bytes that are not {}", charset.encoding.name()), 0);
    }
}

/// What byte order mark, header and meta element say, where they differ.
fn charsets_that_differ(charset: &Charset) -> Option<String> {
    let said = [("byte order mark", charset.bom), ("header", charset.header), ("meta", charset.meta)];
    let said: Vec<_> = said.into_iter().filter_map(|(what, encoding)| Some((what, encoding?))).collect();
    let differ = said.windows(2).any(|pair| pair[0].1 != pair[1].1);
    differ.then(|| {
        said.iter()
            .map(|(what, encoding)| format!("{what}: {}", encoding.name()))
            .collect::<Vec<_>>()
            .join(", ")
    })
}

/// Both are told at the meta element where there is one.
fn charset_flaws(facts: &mut PageFacts, charset: &Charset, is_xml: bool, at: &mut At) {
    let differing = charsets_that_differ(charset).map(|said| (FlawKind::CharsetConflict, said));
    let missing = match charset.source {
        _ if is_xml => None,
        CharsetSource::Meta if charset.is_late => Some("declared beyond the first 1,024 bytes".to_owned()),
        CharsetSource::Detected => Some(format!("guessed: {}", charset.encoding.name())),
        CharsetSource::Default => Some(format!("taken for want of any: {}", charset.encoding.name())),
        CharsetSource::Bom | CharsetSource::Header | CharsetSource::Meta => None,
    };
    let missing = missing.map(|found| (FlawKind::CharsetMissing, found));
    for (kind, detail) in [differing, missing].into_iter().flatten() {
        let meta = at.charset_meta().filter(|_| charset.meta.is_some());
        let path = meta.map(|id| at.path(id));
        let line = meta.map_or(0, |id| at.place(id));
        facts.flaws.push(Flaw { kind, line, path, detail: text::cut(&detail, flaws::MAX_DETAIL).into() });
    }
}

/// An element or a text that closed head: it stands in body, where the parser put it.
fn head_flaw(facts: &mut PageFacts, name: &str, line: u32, paths: &mut Paths) {
    let is_text = name.starts_with('#');
    let path = if is_text { "body".to_owned() } else { format!("body>{name}") };
    let detail = if is_text { "text" } else { name };
    let path = Some(paths.fixed(text::cut(&path, 64)));
    facts.flaws.push(Flaw {
        kind: FlawKind::InvalidElementInHead,
        line,
        path,
        detail: text::cut(detail, 64).into(),
    });
}

/// Tags of head and body that the source lacks or has too many of.
///
/// HTML lets both start tags be left out. A document that does so by the rules, with a doctype and a title before its contents,
/// is as good as any; one that begins with its contents has forgotten them.
fn tag_flaws(facts: &mut PageFacts, [heads, bodies]: [guard::Tags; 2], lines: &Lines, paths: &mut Paths) {
    let is_complete = facts.standards_mode && facts.titles.first().is_some_and(|title| !title.outside_head);
    for (tags, missing, multiple, name) in [
        (heads, FlawKind::HeadMissing, FlawKind::HeadMultiple, "head"),
        (bodies, FlawKind::BodyMissing, FlawKind::BodyMultiple, "body"),
    ] {
        if tags.count == 0 && !is_complete {
            flaw(facts, missing, 0, None, &format!("no {name} tag"));
        } else if tags.count > 1 {
            let path = Some(paths.fixed(name));
            flaw(facts, multiple, lines.of(tags.second), path, &format!("{} {name} tags", tags.count));
        }
    }
}

/// A flaw that the walk does not find.
fn flaw(facts: &mut PageFacts, kind: FlawKind, line: u32, path: Option<u32>, detail: &str) {
    let detail = text::cut(detail.trim(), flaws::MAX_DETAIL).into();
    facts.flaws.push(Flaw { kind, line, path, detail });
}

fn cut_problems(facts: &mut PageFacts, cuts: &guard::Cuts, lines: &Lines) {
    if let Some(at) = cuts.deep {
        let detail =
            format!("{} elements stand too deep and were read without their structure", cuts.deep_count);
        problem(facts, "nesting-too-deep", detail, lines.of(at));
    }
    if let Some(at) = cuts.nodes {
        let detail = "more elements than a page of this length can use; the rest was not read";
        problem(facts, "elements-too-many", detail.to_owned(), lines.of(at));
    }
}

/// HTML, "document base URL": the first base element with an href, unless it is unusable.
fn base_url(
    facts: &mut PageFacts,
    at: &mut At,
    document: Option<&Url>,
    encoding: &'static Encoding,
) -> Option<Url> {
    let tree = at.tree;
    let mut bases = tree.bases.iter().copied().filter(|id| tree.is_attached(*id));
    let first = bases.next().unwrap_or(NONE);
    let Some(href) = tree.element(first).and_then(|e| e.attr(&local_name!("href"))) else {
        return document.cloned();
    };
    let (line, path) = (at.place(first), Some(at.path(first)));
    if let Some(second) = bases.next() {
        let (line, path) = (at.place(second), Some(at.path(second)));
        problem(facts, "base-multiple", "only the first base counts".to_owned(), line);
        flaw(facts, FlawKind::BaseBad, line, path, "another base stands before");
    }
    if href.trim().is_empty() {
        flaw(facts, FlawKind::BaseBad, line, path, "empty");
    }
    match Resolver::new(document.cloned(), encoding).parse(href) {
        Some(base) if !matches!(base.scheme(), "data" | "javascript") => {
            if document != Some(&base) {
                facts.base = Some(text::cut(base.as_str(), resolve::MAX_URL).into());
            }
            Some(base)
        }
        _ => {
            problem(facts, "base-unusable", text::cut(href, 200).to_owned(), line);
            flaw(facts, FlawKind::BaseBad, line, path, href);
            document.cloned()
        }
    }
}

fn is_xml(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence.ends_with("+xml") || matches!(essence.as_str(), "text/xml" | "application/xml")
}

fn problem(facts: &mut PageFacts, code: &'static str, detail: String, line: u32) {
    if facts.problems.len() < MAX_PROBLEMS {
        facts.problems.push(Problem { code, detail: detail.into_boxed_str(), line });
    }
}

#[cfg(test)]
mod check_tests;
#[cfg(test)]
mod structured_tests;
#[cfg(test)]
mod tests;
