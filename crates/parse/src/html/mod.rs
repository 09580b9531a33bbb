//! HTML documents: bytes to [`PageFacts`].
//!
//! Decode, build the tree under guard, walk it once. The walk keeps its own stack, so no depth of nesting reaches
//! the thread's.

mod arena;
mod aria;
mod checks;
mod element;
mod file_url;
mod flaws;
mod guard;
mod head;
mod header_links;
pub(crate) mod jsonld;
mod lang;
mod paths;
mod resolve;
mod security;
mod structure;
mod tags;
mod text;
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

/// Bytes of text that are read; far above every body cap, and within the parser's 32-bit lengths.
const MAX_DOCUMENT: usize = 1 << 30;
/// Problems kept of one page.
const MAX_PROBLEMS: usize = 1_000;

/// Reads an HTML document: every fact and every link. Never fails.
pub fn html(doc: &Document) -> PageFacts {
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
    let lines = Lines::new(&text);
    let built = guard::build(&text, false);
    cut_problems(&mut facts, &built.cuts, &lines);
    facts.head_closed_by = built.head_closed_by;
    // XML has no quirks mode, and UTF-8 where nothing else is said.
    facts.standards_mode = is_xml || !built.tree.quirks;
    if !is_xml {
        charset_flaws(&mut facts, &charset);
    }
    let document = Url::parse(doc.url).ok();
    let base = base_url(&mut facts, &built.tree, &lines, document.as_ref(), charset.encoding);
    let mut paths = Paths::default();
    // Headers know nothing of a base element: they are resolved against the document itself.
    let mut own = Resolver::new(document, charset.encoding);
    Headers { facts: &mut facts, resolver: &mut own, paths: &mut paths }.read(doc.headers);
    let mut resolver = Resolver::new(base, charset.encoding);
    if facts.base.is_none() {
        resolver = resolver.with_written_base(doc.url);
    }
    Walk::document(&built.tree, &lines, &mut facts, &mut resolver, &mut paths).from(doc.url).run();
    tag_flaws(&mut facts, built.heads, built.bodies, &lines);
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

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines {
    ends: Vec<u32>,
}

impl Lines {
    fn new(text: &str) -> Self {
        Self { ends: memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32).collect() }
    }

    /// One-based line of a byte.
    pub(crate) fn of(&self, at: u32) -> u32 {
        1 + self.ends.partition_point(|end| *end < at) as u32
    }
}

fn charset_problems(facts: &mut PageFacts, charset: &Charset, malformed: bool) {
    let said = [("byte order mark", charset.bom), ("header", charset.header), ("meta", charset.meta)];
    let said: Vec<_> = said.into_iter().filter_map(|(what, encoding)| Some((what, encoding?))).collect();
    if said.windows(2).any(|pair| pair[0].1 != pair[1].1) {
        let list: Vec<_> =
            said.iter().map(|(what, encoding)| format!("{what}: {}", encoding.name())).collect();
        let said = list.join(", ");
        flaw(facts, FlawKind::CharsetConflict, 0, &said);
        problem(facts, "charset-conflict", said, 0);
    }
    if charset.is_late {
        problem(facts, "charset-late", "declared beyond the first 1,024 bytes".to_owned(), 0);
    }
    if malformed {
        problem(facts, "charset-malformed", format!("bytes that are not {}", charset.encoding.name()), 0);
    }
}

fn charset_flaws(facts: &mut PageFacts, charset: &Charset) {
    let found = match charset.source {
        CharsetSource::Meta if charset.is_late => "declared beyond the first 1,024 bytes".to_owned(),
        CharsetSource::Detected => format!("guessed: {}", charset.encoding.name()),
        CharsetSource::Default => String::new(),
        CharsetSource::Bom | CharsetSource::Header | CharsetSource::Meta => return,
    };
    flaw(facts, FlawKind::CharsetMissing, 0, &found);
}

/// Tags of head and body that the source lacks or has too many of.
///
/// HTML lets both start tags be left out. A document that does so by the rules, with a doctype and a title before its contents,
/// is as good as any; one that begins with its contents has forgotten them.
fn tag_flaws(facts: &mut PageFacts, heads: guard::Tags, bodies: guard::Tags, lines: &Lines) {
    let is_complete = facts.standards_mode && facts.titles.first().is_some_and(|title| !title.outside_head);
    for (tags, missing, multiple, name) in [
        (heads, FlawKind::HeadMissing, FlawKind::HeadMultiple, "head"),
        (bodies, FlawKind::BodyMissing, FlawKind::BodyMultiple, "body"),
    ] {
        if tags.count == 0 && !is_complete {
            flaw(facts, missing, 0, "");
        } else if tags.count > 1 {
            flaw(facts, multiple, lines.of(tags.second), &format!("{} {name} tags", tags.count));
        }
    }
}

/// A flaw of the document, at no element of the tree.
fn flaw(facts: &mut PageFacts, kind: FlawKind, line: u32, detail: &str) {
    let detail = text::cut(detail.trim(), flaws::MAX_DETAIL).into();
    facts.flaws.push(Flaw { kind, line, path: None, detail });
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
    tree: &Tree,
    lines: &Lines,
    document: Option<&Url>,
    encoding: &'static Encoding,
) -> Option<Url> {
    let mut bases = tree.bases.iter().copied().filter(|id| tree.is_attached(*id));
    let first = bases.next().unwrap_or(NONE);
    let Some(href) = tree.element(first).and_then(|e| e.attr(&local_name!("href"))) else {
        return document.cloned();
    };
    let line = lines.of(tree.nodes[first as usize].b);
    if let Some(second) = bases.next() {
        problem(
            facts,
            "base-multiple",
            "only the first base counts".to_owned(),
            lines.of(tree.nodes[second as usize].b),
        );
        flaw(facts, FlawKind::BaseBad, lines.of(tree.nodes[second as usize].b), "another base stands before");
    }
    if href.trim().is_empty() {
        flaw(facts, FlawKind::BaseBad, line, "empty");
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
            flaw(facts, FlawKind::BaseBad, line, href);
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
mod tests;
