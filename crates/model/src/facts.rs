//! What a page says of itself, as read from its bytes. `parse` makes these; nothing here judges.

use crate::flaw::Flaw;
use crate::link::Link;
use crate::main_text::{MainText, Reading};
use crate::structured::StructuredData;

/// Everything read from one HTML document.
///
/// What a page can make the crawl keep is bounded; longer values are cut at a whole character, silently unless a
/// `problem` says so: titles, descriptions, headings, robots directives and `content` of social properties at 10,000
/// bytes, anchor and alternative texts at 2,000 bytes, URLs at 10,000 bytes. `Link` names the bounds of its fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageFacts {
    /// Text of each `title` element outside SVG, in order, white space collapsed, at most 10,000 bytes. The first counts.
    pub titles: Vec<Placed>,
    /// Width of the first title in pixels, Arial at 20 px.
    pub title_px: u32,
    /// `content` of each `meta name=description`, white space collapsed, at most 10,000 bytes.
    pub descriptions: Vec<Placed>,
    /// Width of the first description in pixels, Arial at 13.9 px.
    pub description_px: u32,
    /// h1 to h6 in document order, each text at most 10,000 bytes.
    pub headings: Vec<Heading>,
    /// Directives from `meta` elements for robots, per bot name as written.
    pub robots: Vec<RobotsMeta>,
    /// `href` of each `link rel=canonical` in document order, as written and resolved. Those of HTTP headers are added by `parse` too.
    pub canonicals: Vec<Canonical>,
    /// First meta refresh outside `noscript` that parses, if any.
    pub refresh: Option<Refresh>,
    /// Any meta refresh inside `noscript`: recorded, never a redirect.
    pub refresh_in_noscript: bool,
    /// `lang` of the html element.
    pub lang: Option<Box<str>>,
    /// The encoding the bytes were decoded with (WHATWG name), and what declared it.
    pub charset: Box<str>,
    pub charset_source: CharsetSource,
    /// A `meta http-equiv=content-security-policy` in head holds a policy.
    pub meta_csp: bool,
    /// Such a policy has insecure requests of the page made over https.
    pub upgrades_requests: bool,
    /// The policy of the last `meta name=referrer` that names one, lower case.
    pub referrer: Option<&'static str>,
    /// `content` of the first `meta name=viewport`.
    pub viewport: Option<Box<str>>,
    /// The base URL in force, when a `base href` changed it.
    pub base: Option<Box<str>>,
    /// Words of the visible text of body without nav, header, footer, aside (UAX 29 words).
    pub word_count: u32,
    /// Bytes of visible text of the whole body, white space collapsed.
    pub text_bytes: u32,
    /// Hash of the body's visible text, white space collapsed (content hash for exact duplicates); 0 for none.
    pub text_hash: u64,
    /// What is kept of the main text; `None` where it is too short to be compared.
    pub main_text: Option<MainText>,
    /// How hard the prose of the main text is to read; `None` where there is little of it, or no formula for its language.
    pub reading: Option<Reading>,
    /// Elements in the tree.
    pub dom_nodes: u32,
    /// Greatest depth of an element (html = 1). Elements deeper than 512 are left out and their contents kept in
    /// place (problem `nesting-too-deep`); where stray end tags mislead the count, those deeper than 1,024. Links and
    /// void elements, which hold nothing deep, are kept at any depth.
    pub dom_depth: u32,
    /// Most elements that are children of one element of body.
    pub dom_children: u32,
    /// Scripts and style sheets in head that keep the browser from showing anything until they are there.
    pub render_blocking: u32,
    /// The page has a body, and neither a main element nor an element with the role main.
    pub main_missing: bool,
    /// Latest year named with a copyright mark at the end of the visible text, 1950 to 2099.
    pub copyright_year: Option<u16>,
    /// Line of the element that names it; 0 where there is none.
    pub copyright_line: u32,
    /// Name of the first element that closed head early because it may not stand there.
    pub head_closed_by: Option<Box<str>>,
    /// The document has a doctype that does not mean quirks mode.
    pub standards_mode: bool,
    /// `og:*` and `twitter:*` properties in order: name, content; the first 1,000.
    pub social: Vec<(Box<str>, Box<str>)>,
    /// What the page says in JSON-LD, Microdata and RDFa.
    pub structured: StructuredData,
    /// The body element has no element and no text.
    pub body_empty: bool,
    /// Declared `id` and `a[name]` values, for checking fragments: sorted hashes (`parse::fragment_hash`).
    pub anchors: Vec<u64>,
    /// Distinct element paths without indices (`body>footer>ul>li>a`), to which `Link::path` points. The path of a link
    /// from another attribute than `src` or `href` names it (`body>main>img[srcset]`). Beyond 16,384 paths only the last
    /// step is kept, and of a path the last 64 levels.
    pub element_paths: Vec<Box<str>>,
    /// Every link occurrence, in document order.
    pub links: Vec<Link>,
    /// Links that were not kept: those beyond 1,048,575, or beyond 64 MB (2²⁶ bytes) of link targets.
    pub links_dropped: u32,
    /// What is wrong with the markup, in document order: of one kind the first 50, 1,000 in all (problem `flaws-too-many`).
    pub flaws: Vec<Flaw>,
    /// Things wrong with the bytes themselves, with a line where there is one; the first 1,000.
    pub problems: Vec<Problem>,
}

/// A text and where it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placed {
    pub text: Box<str>,
    pub line: u32,
    /// It stands outside `head`.
    pub outside_head: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    pub text: Box<str>,
    pub line: u32,
    /// The heading's only content is images.
    pub image_only: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsMeta {
    /// Lower-cased name: `robots`, `googlebot`, …
    pub bot: Box<str>,
    /// The directives, lower-cased, white space collapsed.
    pub content: Box<str>,
    pub line: u32,
    pub outside_head: bool,
    /// From an X-Robots-Tag header rather than a meta element.
    pub from_header: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canonical {
    pub raw: Box<str>,
    /// Resolved against the base, with its fragment; `None` when empty or unparsable.
    pub url: Option<Box<str>>,
    pub line: u32,
    pub outside_head: bool,
    pub from_header: bool,
    /// It carries hreflang, lang, media or type.
    pub odd_attributes: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// Seconds.
    pub delay: u32,
    /// Resolved target; `None` refreshes the page itself.
    pub url: Option<Box<str>>,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CharsetSource {
    Bom,
    Header,
    Meta,
    Detected,
    #[default]
    Default,
}

impl CharsetSource {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bom => "bom",
            Self::Header => "header",
            Self::Meta => "meta",
            Self::Detected => "detected",
            Self::Default => "default",
        }
    }
}

/// Something wrong with the bytes: never an error, always a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Kebab-case: `srcset-invalid`, `xml-error`, `nul-bytes`, `charset-conflict` …
    pub code: &'static str,
    pub detail: Box<str>,
    pub line: u32,
}
