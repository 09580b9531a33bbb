//! The links of an element, by what the element is.

use super::arena::{Element, Kind, NONE, NodeId};
use super::resolve::{MAX_DATA, MAX_URL};
use super::security::{is_data_block, is_dialog};
use super::text::{MAX_ANCHOR, collapse, cut};
use super::walk::{Outer, Walk};
use super::{guard, problem};
use crate::css::{CssUse, css_urls};
use crate::srcset::srcset;
use crate::structured::jsonld::is_json_ld;
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, local_name};
use model::link::Link;
use model::{FlawKind, LinkKind, LinkTarget};

/// Links kept of one page: as many as the store's 20 bits of ordinal can tell apart.
const MAX_LINKS: usize = 1_048_575;
/// Bytes of memory for the links of one page: as many as two hundred thousand links take. A long base multiplies short hrefs,
/// and a page of ten megabytes can hold a million of them.
const MAX_LINK_BYTES: usize = 40_000_000;
/// What an allocator takes for the two texts of a link besides their bytes.
const LINK_TEXTS: usize = 48;
/// Documents in `srcdoc` in documents in `srcdoc`.
const MAX_NESTING: u8 = 4;
/// Bytes kept of rel, target and language attributes.
const MAX_TOKENS: usize = 256;

/// What of an element holds the address of a link.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Holder<'n> {
    Attribute(&'n LocalName),
    /// The element's text: a style sheet, a script.
    Text,
}

impl<'n> Holder<'n> {
    /// The attribute that the link's path names: an `img` is one image, however many its `srcset` offers.
    fn in_path(self) -> Option<&'n LocalName> {
        match self {
            Self::Attribute(name) if *name != local_name!("src") && *name != local_name!("href") => {
                Some(name)
            }
            Self::Attribute(_) | Self::Text => None,
        }
    }
}

pub(crate) const HREF: Holder = Holder::Attribute(&local_name!("href"));
pub(crate) const CONTENT: Holder = Holder::Attribute(&local_name!("content"));
const SRC: Holder = Holder::Attribute(&local_name!("src"));

impl Walk<'_> {
    /// The links of an HTML element whose name says it may have some.
    pub(crate) fn read_html(&mut self, id: NodeId, element: &Element) {
        let attr = |name: LocalName| element.attr(&name);
        match *element.name() {
            local_name!("a") => {
                if let Some(name) = attr(local_name!("name")) {
                    self.push_anchor(name);
                }
                if let Some(href) = attr(local_name!("href")) {
                    self.anchor(id, element, href);
                }
            }
            local_name!("area") => {
                if let Some(href) = attr(local_name!("href")) {
                    let text = attr(local_name!("alt")).map(|alt| text_of(alt));
                    self.link(id, element, HREF, LinkKind::Area, href, text);
                }
            }
            local_name!("link") => self.read_link(id, element),
            local_name!("meta") => self.read_meta(id, element),
            local_name!("title") => self.read_title(id),
            local_name!("html") => self.read_root(element),
            local_name!("body") => self.read_body(id),
            local_name!("img") => self.image(id, element),
            local_name!("input") => {
                let kind = attr(local_name!("type")).map_or("", |kind| &**kind);
                if kind.eq_ignore_ascii_case("image") {
                    self.image(id, element);
                }
                self.attribute(id, element, local_name!("formaction"), LinkKind::Form);
                if !is_dialog(attr(local_name!("formmethod"))) {
                    self.check_action(id, attr(local_name!("formaction")));
                }
            }
            local_name!("button") => {
                self.attribute(id, element, local_name!("formaction"), LinkKind::Form);
                if !is_dialog(attr(local_name!("formmethod"))) {
                    self.check_action(id, attr(local_name!("formaction")));
                }
            }
            local_name!("form") => {
                self.attribute(id, element, local_name!("action"), LinkKind::Form);
                self.check_form(id, element);
            }
            local_name!("source") => {
                let in_picture = self.parent_name().is_some_and(|name| *name == local_name!("picture"));
                self.candidates(id, element, local_name!("srcset"), LinkKind::Image);
                let kind = if in_picture { LinkKind::Image } else { LinkKind::Media };
                self.attribute(id, element, local_name!("src"), kind);
            }
            local_name!("video") => {
                self.attribute(id, element, local_name!("src"), LinkKind::Media);
                self.attribute(id, element, local_name!("poster"), LinkKind::Image);
            }
            local_name!("audio") | local_name!("track") => {
                self.attribute(id, element, local_name!("src"), LinkKind::Media);
            }
            local_name!("embed") => self.attribute(id, element, local_name!("src"), LinkKind::Object),
            local_name!("object") => self.attribute(id, element, local_name!("data"), LinkKind::Object),
            local_name!("frame") => self.attribute(id, element, local_name!("src"), LinkKind::Iframe),
            local_name!("iframe") => match attr(local_name!("srcdoc")) {
                Some(document) => self.nested_document(id, document),
                None => self.attribute(id, element, local_name!("src"), LinkKind::Iframe),
            },
            local_name!("script") => {
                if !attr(local_name!("type")).is_some_and(|kind| is_data_block(kind)) {
                    self.attribute(id, element, local_name!("src"), LinkKind::Script);
                }
                self.check_script(id, element);
                self.count_blocking_script(element);
                if attr(local_name!("type")).is_some_and(|kind| is_json_ld(kind)) {
                    self.read_json_ld(id, element);
                }
            }
            local_name!("style") => {
                let css = self.tree.child_text(id);
                self.styles(id, element, Holder::Text, &css);
            }
            _ => {}
        }
        if matches!(
            *element.name(),
            local_name!("body")
                | local_name!("table")
                | local_name!("tr")
                | local_name!("td")
                | local_name!("th")
        ) {
            self.attribute(id, element, local_name!("background"), LinkKind::Image);
        }
    }

    /// The links of an SVG element. What begins with `#` is inside the document and loads nothing.
    pub(crate) fn read_foreign(&mut self, id: NodeId, element: &Element) {
        if &**element.name() == "style" {
            let css = self.tree.child_text(id);
            return self.styles(id, element, Holder::Text, &css);
        }
        if &**element.name() == "title" {
            let title = collapse(&self.tree.child_text(id));
            return self.name_drawing(&title);
        }
        let Some(href) = element.svg_href() else { return };
        match &**element.name() {
            "a" => self.anchor(id, element, href),
            "script" => self.link(id, element, HREF, LinkKind::Script, href, None),
            _ if href.trim_start().starts_with('#') => {}
            _ => self.link(id, element, HREF, LinkKind::Image, href, None),
        }
    }

    /// Attributes that any element may have.
    pub(crate) fn read_global(&mut self, id: NodeId, element: &Element) {
        if let Some(name) = element.attr(&local_name!("id")) {
            self.push_anchor(name);
            if !name.is_empty() && self.flaws.repeats_id(crate::fragment_hash(name)) {
                self.flaw(id, FlawKind::DuplicateId, name);
            }
        }
        if let Some(style) = element.attr(&local_name!("style")) {
            self.styles(id, element, Holder::Attribute(&local_name!("style")), style);
        }
    }

    fn anchor(&mut self, id: NodeId, element: &Element, href: &str) {
        let before = self.facts.links.len();
        self.link(id, element, HREF, LinkKind::Anchor, href, None);
        if self.facts.links.len() > before {
            self.capture_anchor(before);
        }
    }

    fn image(&mut self, id: NodeId, element: &Element) {
        let alt = element.attr(&local_name!("alt"));
        self.count_image(alt.map(|alt| &**alt));
        self.check_first_image(id, element);
        if let Some(src) = element.attr(&local_name!("src")) {
            self.link(id, element, SRC, LinkKind::Image, src, alt.map(|alt| text_of(alt)));
        }
        let before = self.facts.links.len();
        self.candidates(id, element, local_name!("srcset"), LinkKind::Image);
        // Exactly one link of an image carries the element's own path; without src the first candidate stands for it.
        if element.attr(&local_name!("src")).is_none() && self.facts.links.len() > before {
            let path = self.path();
            self.facts.links[before].path = self.paths.text(path);
        }
    }

    fn attribute(&mut self, id: NodeId, element: &Element, name: LocalName, kind: LinkKind) {
        if let Some(value) = element.attr(&name) {
            self.link(id, element, Holder::Attribute(&name), kind, value, None);
        }
    }

    /// The candidates of a srcset attribute.
    pub(crate) fn candidates(&mut self, id: NodeId, element: &Element, name: LocalName, kind: LinkKind) {
        let Some(value) = element.attr(&name) else { return };
        let set = srcset(value);
        if set.has_error {
            let line = self.line(id);
            problem(self.facts, "srcset-invalid", cut(value, 200).to_owned(), line);
            self.flaw(id, FlawKind::SrcsetInvalid, value);
        }
        let text = element.attr(&local_name!("alt")).map(|alt| text_of(alt));
        for candidate in set.candidates {
            self.link(id, element, Holder::Attribute(&name), kind, candidate.url, text.clone());
        }
    }

    fn styles(&mut self, id: NodeId, element: &Element, holder: Holder, css: &str) {
        for found in css_urls(css) {
            let kind = match found.used_for {
                CssUse::Import => LinkKind::Style,
                CssUse::Font => LinkKind::Font,
                CssUse::Image => LinkKind::Image,
            };
            self.link_at(element, holder, kind, &found.url, None, self.line(id) + found.line_offset);
        }
    }

    /// A document in an attribute: its links count as this page's, its facts do not.
    fn nested_document(&mut self, id: NodeId, document: &StrTendril) {
        let nesting = self.outer.map_or(0, |outer| outer.nesting) + 1;
        if nesting > MAX_NESTING {
            return;
        }
        let context = self.context();
        let outer = Outer {
            position: context.position,
            path: self.path(),
            line: self.line(id),
            in_noscript: context.in_noscript,
            nesting,
        };
        let built = guard::build(document, true);
        Walk::nested(&built.tree, self.lines, self.facts, self.resolver, self.paths, outer).run();
    }

    fn read_body(&mut self, id: NodeId) {
        if self.outer.is_some() {
            return;
        }
        let (mut child, mut is_empty) = (self.tree.nodes[id as usize].first, true);
        while child != NONE && is_empty {
            let node = &self.tree.nodes[child as usize];
            is_empty = node.kind == Kind::Text && self.tree.text_of(node).trim().is_empty();
            child = node.next;
        }
        self.facts.body_empty = is_empty;
    }

    /// One-based line of an element; inside an attribute, that of the outer element.
    pub(crate) fn line(&self, id: NodeId) -> u32 {
        self.outer.map_or_else(|| self.lines.of(self.tree.nodes[id as usize].b), |outer| outer.line)
    }

    pub(crate) fn link(
        &mut self,
        id: NodeId,
        element: &Element,
        holder: Holder,
        kind: LinkKind,
        href: &str,
        text: Option<Box<str>>,
    ) {
        self.link_at(element, holder, kind, href, text, self.line(id));
    }

    fn link_at(
        &mut self,
        element: &Element,
        holder: Holder,
        kind: LinkKind,
        href: &str,
        text: Option<Box<str>>,
        line: u32,
    ) {
        if self.facts.links.len() >= MAX_LINKS {
            self.facts.links_dropped += 1;
            return;
        }
        let target = self.resolver.target(href);
        let size = match &target {
            LinkTarget::Http(url) | LinkTarget::OtherScheme(url) => url.len(),
            LinkTarget::Invalid => 0,
        };
        let texts = size + href.len() + text.as_ref().map_or(0, |text| text.len());
        if self.resolver.spend(size_of::<Link>() + LINK_TEXTS + texts) > MAX_LINK_BYTES {
            self.facts.links_dropped += 1;
            return;
        }
        let tokens =
            |name: LocalName| element.attr(&name).map_or_else(Box::default, |value| lower_tokens(value));
        let has_size = matches!(kind, LinkKind::Image);
        let pixels = |name: LocalName| element.attr(&name).and_then(|value| pixels(value));
        let size =
            if has_size { pixels(local_name!("width")).zip(pixels(local_name!("height"))) } else { None };
        let context = self.context();
        let mut path = self.path();
        if let Some(name) = holder.in_path() {
            path = self.paths.attribute(path, name);
        }
        // Nobody reads a picture in an href.
        let is_data = matches!(&target, LinkTarget::OtherScheme(url) if url.starts_with("data:"));
        let kept = if is_data { MAX_DATA } else { MAX_URL };
        self.facts.links.push(Link {
            kind,
            target,
            raw_href: cut_chars(href, kept).into(),
            text,
            rel: tokens(local_name!("rel")),
            window: element
                .attr(&local_name!("target"))
                .map_or_else(Box::default, |value| cut(value, MAX_TOKENS).into()),
            position: context.position,
            path: self.paths.text(path),
            line,
            size,
            in_noscript: context.in_noscript,
        });
    }
}

fn text_of(text: &str) -> Box<str> {
    cut(&collapse(text), MAX_ANCHOR).into()
}

/// A token list in lower case, white space collapsed.
pub(crate) fn lower_tokens(value: &str) -> Box<str> {
    let is_clean = value.len() <= MAX_TOKENS && value.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    if is_clean {
        value.into()
    } else {
        collapse(cut(value, MAX_TOKENS)).to_ascii_lowercase().into_boxed_str()
    }
}

/// At most `max` characters.
fn cut_chars(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    text.char_indices().nth(max).map_or(text, |(at, _)| &text[..at])
}

/// HTML, "rules for parsing dimension values": the leading number, unless it is a percentage.
fn pixels(value: &str) -> Option<u32> {
    let value = value.trim_start();
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0
        || value[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').starts_with('%')
    {
        return None;
    }
    value[..digits].parse().ok()
}
