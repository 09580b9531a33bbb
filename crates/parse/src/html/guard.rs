//! Drives html5ever's tree builder so that no input costs more than its length should: caps on depth and on nodes
//! made by reopened formatting elements.
//!
//! The tree builder follows the standard, and the standard has quadratic corners: every start tag may look through
//! all open elements, and unclosed formatting elements are made anew in each paragraph. The guard sits between
//! tokenizer and tree builder and touches ordinary pages in nothing but the attributes that no rule reads, which are
//! not even made.

use super::arena::{Arena, Cause, NodeId, Tree};
use super::tokenizer::{Sink, Tokenizer};
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{LocalName, local_name};
use std::cell::{Cell, RefCell};

/// Deeper elements are dropped, their contents kept. Blink and WebKit stop at 512 as well.
const MAX_DEPTH: u16 = 512;
/// Where unmatched end tags make the estimate of the depth wrong, the tree's own depth decides.
const HARD_DEPTH: u16 = 1_024;
/// Formatting elements carry no facts, and many scopes full of them are slow to search.
const MAX_FORMATTING_DEPTH: u16 = 200;
/// Memory that every tree may take, in bytes: about four hundred thousand elements. A page of ten megabytes may take more,
/// by as much as its length allows.
const MIN_TREE: usize = 40_000_000;
/// Bytes of a tree for each byte of its text, at most: twice of what the densest pages take that people read. What is
/// nothing but tags takes thirty.
const TREE_PER_BYTE: usize = 5;
/// What was left out to stay within bounds. Places are bytes of the text.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Cuts {
    /// The first element that stood too deep, and how many did.
    pub(crate) deep: Option<u32>,
    pub(crate) deep_count: u32,
    /// Where reading stopped because of too many nodes.
    pub(crate) nodes: Option<u32>,
}

/// A tree, and what the tokens told beside it.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) tree: Tree,
    pub(crate) cuts: Cuts,
    /// Name of the first element that may not stand in head and stood there, `#text` for a text, and where it begins.
    pub(crate) head_closed_by: Option<(Box<str>, u32)>,
    pub(crate) heads: Tags,
    /// Those of a frameset count as well, where there is none of body.
    pub(crate) bodies: Tags,
}

/// The start tags of one name that the source has.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tags {
    pub(crate) count: u32,
    /// Where the second begins, as a byte of the text.
    pub(crate) second: u32,
}

impl Tags {
    fn meet(cell: &Cell<Self>, at: u32) {
        let mut tags = cell.get();
        tags.count += 1;
        if tags.count == 2 {
            tags.second = at;
        }
        cell.set(tags);
    }
}

/// How much of the attributes and texts stays in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// What facts are read from.
    Facts,
    /// All of it.
    Whole,
}

/// Attributes of one tag in a whole tree: each is compared with those before it.
const MAX_ATTRIBUTES: u32 = 250;

/// Builds the tree of a decoded document without byte order mark and carriage returns.
pub(crate) fn build(text: &str, is_srcdoc: bool) -> Built {
    build_keeping(text, is_srcdoc, Keep::Facts)
}

/// The same tree with every attribute and every text.
pub(crate) fn build_whole(text: &str) -> Tree {
    build_keeping(text, false, Keep::Whole).tree
}

fn build_keeping(text: &str, is_srcdoc: bool, keep: Keep) -> Built {
    let options =
        TreeBuilderOpts { scripting_enabled: false, iframe_srcdoc: is_srcdoc, ..Default::default() };
    let guard = Guard {
        builder: TreeBuilder::new(Arena::new(text.len(), keep), options),
        keep,
        attributes: Cell::new((0, 0)),
        tokens: Cell::new(0),
        // Two bytes make a node at the most; more nodes than that come from reopened formatting elements.
        node_cap: 1_000 + text.len() / 2,
        size_cap: MIN_TREE.max(text.len().saturating_mul(TREE_PER_BYTE)),
        open: Cell::new(0),
        dropped: RefCell::new(Vec::new()),
        cuts: Cell::new(Cuts::default()),
        head_suspect: RefCell::new(None),
        head_confirmed: Cell::new(false),
        heads: Cell::default(),
        bodies: Cell::default(),
    };
    Tokenizer::new(text, &guard).run();
    guard.builder.end();
    let mut cuts = guard.cuts.get();
    if cuts.deep_count == 0 {
        cuts.deep = None;
    }
    let confirmed = guard.head_confirmed.get();
    let head_closed_by =
        guard.head_suspect.into_inner().filter(|_| confirmed).map(|(name, at)| (Box::from(&*name), at));
    let (heads, bodies) = (guard.heads.get(), guard.bodies.get());
    Built { tree: guard.builder.sink.finish(), cuts, head_closed_by, heads, bodies }
}

/// Between tokenizer and tree builder.
struct Guard {
    builder: TreeBuilder<NodeId, Arena>,
    keep: Keep,
    /// Of a whole tree: attributes of a tag so far, and which token that is.
    attributes: Cell<(u32, u32)>,
    /// Tokens so far.
    tokens: Cell<u32>,
    node_cap: usize,
    /// Bytes of memory that the tree may take.
    size_cap: usize,
    /// Estimated number of open elements.
    open: Cell<u16>,
    /// Start tags that were dropped for depth and whose end tags are to be dropped too.
    dropped: RefCell<Vec<(LocalName, u32)>>,
    cuts: Cell<Cuts>,
    head_suspect: RefCell<Option<(LocalName, u32)>>,
    head_confirmed: Cell<bool>,
    heads: Cell<Tags>,
    bodies: Cell<Tags>,
}

impl Sink for Guard {
    fn token(&self, mut token: Token, at: usize) -> TokenSinkResult<NodeId> {
        let arena = &self.builder.sink;
        self.tokens.set(self.tokens.get().wrapping_add(1));
        arena.at.set(at as u32);
        let suspect = match &mut token {
            Token::TagToken(tag) => {
                let admitted = match tag.kind {
                    TagKind::StartTag => self.start_tag(tag),
                    TagKind::EndTag => self.end_tag(tag),
                };
                if !admitted {
                    return TokenSinkResult::Continue;
                }
                arena.head_end.get().is_none().then(|| tag.name.clone())
            }
            Token::CharacterTokens(_) => {
                arena.cause.set(Cause::Foreign);
                arena.head_end.get().is_none().then(|| LocalName::from("#text"))
            }
            _ => {
                arena.cause.set(Cause::Other);
                None
            }
        };
        // The line is ours to know: the tree builder only hands it through.
        let result = self.builder.process_token(token, 1);
        // Only insertions tell the tree's depth; after them the estimate is exact again.
        if arena.inserted.take() {
            self.open.set(arena.depth.get());
        }
        if suspect.is_some() && arena.head_end.get() == Some(Cause::Foreign) {
            *self.head_suspect.borrow_mut() = suspect.map(|name| (name, at as u32));
        }
        result
    }

    fn wants(&self, tag: &LocalName, attribute: &[u8]) -> Option<LocalName> {
        if self.keep == Keep::Whole {
            return self.any_attribute(attribute);
        }
        let name = wanted_attribute(attribute)?;
        // Equal formatting elements are kept three at the most, and only attributes make them differ.
        if is_formatting(tag) && !is_kept_beside(&name) && !is_structured(&name) {
            return is_font_breakout(tag, &name).then_some(name);
        }
        is_read_on(tag, &name).then_some(name)
    }

    fn has_title(&self, at: usize) {
        self.builder.sink.keep_name(at as u32);
    }

    fn is_in_foreign_content(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    fn is_full(&self) -> bool {
        let tree = &self.builder.sink;
        let is_full = tree.node_count() > self.node_cap || tree.size() > self.size_cap;
        if is_full {
            let mut cuts = self.cuts.get();
            cuts.nodes = Some(self.builder.sink.at.get());
            self.cuts.set(cuts);
        }
        is_full
    }
}

impl Guard {
    /// Prepares a start tag; false drops it.
    fn start_tag(&self, tag: &mut Tag) -> bool {
        let may_end_head = may_end_head(&tag.name);
        self.builder.sink.cause.set(if may_end_head { Cause::Other } else { Cause::Foreign });
        if may_end_head {
            let at = self.builder.sink.at.get();
            match tag.name {
                local_name!("head") => Tags::meet(&self.heads, at),
                local_name!("body") => {
                    Tags::meet(&self.bodies, at);
                    self.head_confirmed
                        .set(self.head_confirmed.get() || self.head_suspect.borrow().is_some());
                }
                local_name!("frameset") if self.bodies.get().count == 0 => Tags::meet(&self.bodies, at),
                _ => {}
            }
        }
        let is_formatting = is_formatting(&tag.name);
        let limit = if is_formatting { MAX_FORMATTING_DEPTH } else { MAX_DEPTH };
        let tree_depth = self.builder.sink.depth.get();
        if (self.open.get() >= limit || tree_depth >= HARD_DEPTH) && !is_shallow(&tag.name) {
            let mut dropped = self.dropped.borrow_mut();
            let known = dropped.iter().position(|(name, _)| *name == tag.name);
            match known {
                Some(index) => dropped[index].1 += 1,
                // Beyond this many names the end tags find no partner, which costs structure but no facts.
                None if dropped.len() < 256 => dropped.push((tag.name.clone(), 1)),
                None => {}
            }
            let mut cuts = self.cuts.get();
            cuts.deep.get_or_insert(self.builder.sink.at.get());
            if !is_formatting || self.open.get() >= MAX_DEPTH {
                cuts.deep_count += 1;
            }
            self.cuts.set(cuts);
            return false;
        }
        if is_formatting && !tag.attrs.is_empty() && self.keep == Keep::Facts {
            self.keep_beside(tag);
        }
        true
    }

    /// The name of an attribute of a whole tree, unless its tag has too many.
    fn any_attribute(&self, attribute: &[u8]) -> Option<LocalName> {
        let tag = self.tokens.get();
        let (count, of) = self.attributes.get();
        let count = if of == tag { count + 1 } else { 1 };
        self.attributes.set((count, tag));
        let name = std::str::from_utf8(attribute).ok().filter(|_| count <= MAX_ATTRIBUTES)?;
        Some(LocalName::from(name))
    }

    /// Ids of formatting elements, and that they have a name, are kept beside the tree: on the element they would lift the
    /// limit of three.
    fn keep_beside(&self, tag: &mut Tag) {
        let arena = &self.builder.sink;
        for attr in &tag.attrs {
            if attr.name.local == local_name!("id") {
                arena.keep_id(&attr.value);
            } else if is_kept_beside(&attr.name.local) && !super::checks::is_blank(&attr.value) {
                arena.keep_name(arena.at.get());
            }
        }
        tag.attrs.retain(|attr| !is_kept_beside(&attr.name.local));
    }

    /// False drops an end tag whose start tag was dropped.
    fn end_tag(&self, tag: &Tag) -> bool {
        self.builder.sink.cause.set(Cause::Other);
        if tag.name == local_name!("head") && self.head_suspect.borrow().is_some() {
            self.head_confirmed.set(true);
        }
        let mut dropped = self.dropped.borrow_mut();
        if !dropped.is_empty()
            && let Some(entry) = dropped.iter_mut().find(|(name, count)| *name == tag.name && *count > 0)
        {
            entry.1 -= 1;
            return false;
        }
        self.open.set(self.open.get().saturating_sub(1));
        true
    }
}

/// The start tags at which head ends by right, or that do not end it.
fn may_end_head(name: &LocalName) -> bool {
    matches!(*name, local_name!("html") | local_name!("head") | local_name!("body") | local_name!("frameset"))
}

/// The elements that the standard's list of active formatting elements holds, but for `a`, of which it holds one.
fn is_formatting(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

/// Start tags that open nothing that stays open, and links, of which one closes the other.
fn is_shallow(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("iframe")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("script")
            | local_name!("source")
            | local_name!("style")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("track")
            | local_name!("wbr")
            | local_name!("body")
            | local_name!("html")
    )
}

/// What of a formatting element is known beside the tree.
fn is_kept_beside(attribute: &LocalName) -> bool {
    matches!(*attribute, local_name!("id") | local_name!("aria-label"))
}

/// What Microdata and RDFa say. Few pages say much of it with formatting elements, but `<b itemprop="price">` is no rarity.
fn is_structured(attribute: &LocalName) -> bool {
    matches!(
        *attribute,
        local_name!("itemprop")
            | local_name!("itemscope")
            | local_name!("itemtype")
            | local_name!("itemid")
            | local_name!("itemref")
            | local_name!("property")
            | local_name!("content")
    ) || matches!(&**attribute, "typeof" | "resource")
}

/// `font` leaves SVG and MathML only with one of these.
fn is_font_breakout(tag: &LocalName, attribute: &LocalName) -> bool {
    *tag == local_name!("font")
        && matches!(*attribute, local_name!("color") | local_name!("face") | local_name!("size"))
}

/// Whether an attribute that is wanted is read on this element: some are read on one kind of element only.
fn is_read_on(tag: &LocalName, attribute: &LocalName) -> bool {
    let is = |name: LocalName| *tag == name;
    match *attribute {
        local_name!("value") => {
            is(local_name!("input")) || is(local_name!("data")) || is(local_name!("meter"))
        }
        local_name!("placeholder") => is(local_name!("input")) || is(local_name!("textarea")),
        local_name!("for") => is(local_name!("label")),
        local_name!("scope") | local_name!("headers") => is(local_name!("td")),
        local_name!("summary") => is(local_name!("table")),
        local_name!("kind") => is(local_name!("track")),
        local_name!("autoplay") | local_name!("muted") | local_name!("controls") => {
            is(local_name!("video")) || is(local_name!("audio"))
        }
        local_name!("loading") => is(local_name!("img")),
        local_name!("method") => is(local_name!("form")),
        local_name!("formmethod") => is(local_name!("button")) || is(local_name!("input")),
        local_name!("language") => is(local_name!("script")),
        local_name!("datetime") => is(local_name!("time")),
        local_name!("async") | local_name!("defer") | local_name!("nomodule") => is(local_name!("script")),
        local_name!("disabled") => is(local_name!("link")),
        _ => true,
    }
}

/// The attributes that some rule of this crate or of the tree builder reads.
#[rustfmt::skip]
fn wanted_attribute(name: &[u8]) -> Option<LocalName> {
    Some(match name {
        b"about" => LocalName::from("about"),
        b"accesskey" => local_name!("accesskey"),
        b"action" => local_name!("action"),
        b"alt" => local_name!("alt"),
        b"as" => local_name!("as"),
        b"async" => local_name!("async"),
        b"autoplay" => local_name!("autoplay"),
        b"background" => local_name!("background"),
        b"charset" => local_name!("charset"),
        b"color" => local_name!("color"),
        b"content" => local_name!("content"),
        b"controls" => local_name!("controls"),
        b"data" => local_name!("data"),
        b"datetime" => local_name!("datetime"),
        b"defer" => local_name!("defer"),
        b"disabled" => local_name!("disabled"),
        b"encoding" => local_name!("encoding"),
        b"face" => local_name!("face"),
        b"for" => local_name!("for"),
        b"form" => local_name!("form"),
        b"formaction" => local_name!("formaction"),
        b"formmethod" => local_name!("formmethod"),
        b"headers" => local_name!("headers"),
        b"height" => local_name!("height"),
        b"hidden" => local_name!("hidden"),
        b"href" => local_name!("href"),
        b"hreflang" => local_name!("hreflang"),
        b"http-equiv" => local_name!("http-equiv"),
        b"id" => local_name!("id"),
        b"imagesrcset" => LocalName::from("imagesrcset"),
        b"inert" => local_name!("inert"),
        b"integrity" => local_name!("integrity"),
        b"itemid" => local_name!("itemid"),
        b"itemprop" => local_name!("itemprop"),
        b"itemref" => local_name!("itemref"),
        b"itemscope" => local_name!("itemscope"),
        b"itemtype" => local_name!("itemtype"),
        b"kind" => local_name!("kind"),
        b"lang" => local_name!("lang"),
        b"language" => local_name!("language"),
        b"loading" => local_name!("loading"),
        b"media" => local_name!("media"),
        b"method" => local_name!("method"),
        b"muted" => local_name!("muted"),
        b"name" => local_name!("name"),
        b"nomodule" => local_name!("nomodule"),
        b"placeholder" => local_name!("placeholder"),
        b"poster" => local_name!("poster"),
        b"prefix" => LocalName::from("prefix"),
        b"property" => local_name!("property"),
        b"rel" => local_name!("rel"),
        b"resource" => LocalName::from("resource"),
        b"role" => local_name!("role"),
        b"scope" => local_name!("scope"),
        b"shadowrootmode" => local_name!("shadowrootmode"),
        b"size" => local_name!("size"),
        b"src" => local_name!("src"),
        b"srcdoc" => local_name!("srcdoc"),
        b"srcset" => local_name!("srcset"),
        b"style" => local_name!("style"),
        b"summary" => local_name!("summary"),
        b"tabindex" => local_name!("tabindex"),
        b"target" => local_name!("target"),
        b"type" => local_name!("type"),
        b"typeof" => LocalName::from("typeof"),
        b"value" => local_name!("value"),
        b"vocab" => LocalName::from("vocab"),
        b"width" => local_name!("width"),
        b"xlink:href" => local_name!("xlink:href"),
        b"xml:lang" => local_name!("xml:lang"),
        _ if name.starts_with(b"aria-") => LocalName::from(std::str::from_utf8(name).ok()?),
        _ => return None,
    })
}
