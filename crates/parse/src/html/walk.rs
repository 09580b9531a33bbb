//! The one pass over the tree: contexts on a stack of its own, visible text, headings, ids.

use super::Lines;
use super::arena::{DOCUMENT, Element, Kind, NONE, NodeId, Tree};
use super::checks::{self, Checks, trait_of};
use super::flaws::{Flaws, MAX_DETAIL};
use super::paths::{Paths, ROOT};
use super::resolve::Resolver;
use super::security::Place;
use super::structure::List;
use super::structured::Structured;
use super::tags::{self, BLOCK, CHECKED, CUSTOM, FALLBACK, HEADING, LISTED, NO_TEXT, NOT_PROSE, READ};
use super::text::{Flow, MAX_ANCHOR, MAX_TEXT, Mark, Share, collapse, cut};
use html5ever::{LocalName, local_name, ns};
use model::facts::Heading;
use model::{Flaw, FlawKind, PageFacts, Position};

/// What holds around an element and in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) position: Position,
    pub(crate) in_head: bool,
    pub(crate) in_noscript: bool,
    /// Inside body, no matter how visible.
    pub(crate) in_body: bool,
    /// Assistive technologies are told to leave it out, or nobody is shown it.
    pub(crate) hidden: bool,
    /// Text is written to the flow at all.
    has_text: bool,
    share: Share,
}

impl Context {
    /// Outside of everything.
    const OUTSIDE: Self = Self {
        position: Position::Body,
        in_head: false,
        in_noscript: false,
        in_body: false,
        hidden: false,
        has_text: false,
        share: Share { visible: false, main: false, core: false, prose: false },
    };
}

/// What the end of an element completes.
#[derive(Debug, Clone, Copy)]
enum Capture {
    Nothing,
    /// The text of the link at this index, and the number of named drawings before it.
    Anchor(usize, Mark, usize),
    /// The heading at this index, and the number of images before it.
    Heading(usize, Mark, u32),
}

#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) node: NodeId,
    /// The light children that follow a shadow tree.
    later: NodeId,
    /// Interned path, once some link has asked for it.
    path: u32,
    /// Elements that are its children.
    children: u32,
    is_block: bool,
    pub(crate) list: List,
    pub(crate) context: Context,
    capture: Capture,
    /// `Checks::open` says what its end is asked.
    pub(crate) is_checked: bool,
}

/// Where a document nested in an attribute stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outer {
    pub(crate) position: Position,
    pub(crate) path: u32,
    pub(crate) line: u32,
    pub(crate) in_noscript: bool,
    pub(crate) nesting: u8,
}

/// The walk and all it writes to.
#[derive(Debug)]
pub(crate) struct Walk<'w> {
    pub(crate) tree: &'w Tree,
    pub(crate) lines: &'w Lines,
    pub(crate) facts: &'w mut PageFacts,
    pub(crate) resolver: &'w mut Resolver,
    pub(crate) paths: &'w mut Paths,
    pub(crate) flow: Flow,
    pub(crate) frames: Vec<Frame>,
    pub(crate) images: u32,
    /// Titles of SVG drawings, in tree order.
    drawings: Vec<Box<str>>,
    pub(crate) anchors: Vec<u64>,
    pub(crate) checks: Checks,
    pub(crate) flaws: Flaws,
    pub(crate) place: Place,
    pub(crate) structured: Structured<'w>,
    /// Only the links count: the tree is an iframe's `srcdoc`.
    pub(crate) outer: Option<Outer>,
    /// Takes the shingles of the main text.
    shingles: Option<&'w mut Vec<u64>>,
}

impl<'w> Walk<'w> {
    pub(crate) fn document(
        tree: &'w Tree,
        lines: &'w Lines,
        facts: &'w mut PageFacts,
        resolver: &'w mut Resolver,
        paths: &'w mut Paths,
    ) -> Self {
        let flow = Flow::with_capacity(tree.text.len());
        let anchors = tree.loose_ids.clone();
        Self {
            tree,
            lines,
            facts,
            resolver,
            paths,
            flow,
            frames: Vec::with_capacity(32),
            images: 0,
            drawings: Vec::new(),
            anchors,
            checks: Checks::default(),
            flaws: Flaws::default(),
            place: Place::default(),
            structured: Structured::default(),
            outer: None,
            shingles: None,
        }
    }

    /// Has the shingles of the main text put there.
    pub(crate) fn into_shingles(mut self, shingles: Option<&'w mut Vec<u64>>) -> Self {
        self.shingles = shingles;
        self
    }

    /// The URL that the document came from, and the text that it was read from.
    pub(crate) fn from(mut self, url: &'w str, text: &'w str) -> Self {
        self.place = Place::of(url);
        self.structured.url = url;
        self.structured.source = text;
        self
    }

    pub(crate) fn nested(
        tree: &'w Tree,
        lines: &'w Lines,
        facts: &'w mut PageFacts,
        resolver: &'w mut Resolver,
        paths: &'w mut Paths,
        outer: Outer,
    ) -> Self {
        Self { outer: Some(outer), ..Self::document(tree, lines, facts, resolver, paths) }
    }

    pub(crate) fn run(mut self) {
        let start = Context {
            position: self.outer.map_or(Position::Body, |outer| outer.position),
            in_noscript: self.outer.is_some_and(|outer| outer.in_noscript),
            ..Context::OUTSIDE
        };
        let mut at = self.tree.nodes[DOCUMENT as usize].first;
        loop {
            if at == NONE {
                let Some(frame) = self.frames.last_mut() else { break };
                if frame.later != NONE {
                    at = std::mem::replace(&mut frame.later, NONE);
                    continue;
                }
                let node = frame.node;
                self.leave();
                at = self.tree.nodes[node as usize].next;
                continue;
            }
            let node = &self.tree.nodes[at as usize];
            if node.kind == Kind::Text {
                let (context, list) =
                    self.frames.last().map_or((&start, List::None), |frame| (&frame.context, frame.list));
                if context.has_text {
                    let text = self.tree.text_of(node);
                    self.flow.push(text);
                    let names = !context.hidden && !checks::is_blank(text);
                    self.checks.names += u32::from(names);
                    if names && matches!(list, List::Items | List::Terms) {
                        self.check_list_text(node.parent);
                    }
                }
                at = node.next;
                continue;
            }
            if node.kind != Kind::Element {
                at = node.next;
                continue;
            }
            let element = &self.tree.elements[node.a as usize];
            let around = self.frames.last().map_or(start, |frame| frame.context);
            self.enter(at, element, around);
            let shadow = element.shadow;
            at = node.first;
            if shadow != NONE {
                let inside = self.tree.nodes[shadow as usize].first;
                if let Some(frame) = self.frames.last_mut().filter(|_| inside != NONE) {
                    frame.later = at;
                    at = inside;
                }
            }
        }
        self.finish();
    }

    fn enter(&mut self, id: NodeId, element: &'w Element, around: Context) {
        if self.outer.is_none() {
            self.facts.dom_nodes += 1;
            self.facts.dom_depth = self.facts.dom_depth.max(self.frames.len() as u32 + 1);
        }
        let is_html = element.is_html();
        let flags = if is_html { tags::flags(element.name()) } else { foreign_flags(element) };
        let traits = checks::traits(element);
        let mut context = around;
        context.hidden |= traits & trait_of::HIDDEN != 0;
        if is_html {
            self.html_context(element, flags, traits, &mut context);
        } else if flags & NO_TEXT != 0 {
            context.has_text = false;
        }
        let is_block = flags & BLOCK != 0;
        if is_block {
            self.flow.break_word();
        }
        let (names, mut parent_list) = (self.checks.names, List::None);
        self.checks.names += u32::from(!context.hidden && checks::names_its_place(flags, traits));
        if let Some(parent) = self.frames.last_mut() {
            parent.children += u32::from(around.in_body);
            parent_list = parent.list;
        }
        self.frames.push(Frame {
            node: id,
            later: NONE,
            path: ROOT,
            children: 0,
            is_block,
            list: List::None,
            context,
            capture: Capture::Nothing,
            is_checked: false,
        });
        if context.has_text && (context.share != around.share || !around.has_text) {
            self.flow.set_share(context.share);
        }
        if flags & HEADING != 0 {
            self.enter_heading(id, element, &context);
        }
        if flags & READ != 0 {
            if is_html {
                self.read_html(id, element);
            } else {
                self.read_foreign(id, element);
            }
        }
        if traits & (trait_of::ID | trait_of::STYLE) != 0 {
            self.read_global(id, element);
        }
        if traits & trait_of::STRUCTURED != 0 {
            self.structured.note(id, traits);
        }
        if parent_list != List::None || flags & (LISTED | CUSTOM) != 0 || traits & trait_of::ROLE != 0 {
            let list = self.check_list(id, element, flags, traits, parent_list);
            self.frame(|frame| frame.list = list);
        }
        if flags & CHECKED != 0 || traits & trait_of::CHECKED != 0 {
            self.check(id, element, flags, traits, names);
        }
    }

    /// The current frame.
    pub(crate) fn frame(&mut self, change: impl FnOnce(&mut Frame)) {
        if let Some(frame) = self.frames.last_mut() {
            change(frame);
        }
    }

    fn html_context(&mut self, element: &Element, flags: u16, traits: u16, context: &mut Context) {
        if *element.name() == local_name!("body") && !context.in_body {
            context.in_body = true;
            context.has_text = true;
            context.share = Share { visible: true, main: true, core: false, prose: true };
        }
        if flags & NO_TEXT != 0 {
            context.has_text = false;
        }
        if flags & NOT_PROSE != 0 {
            context.share.prose = false;
        }
        if flags & FALLBACK != 0 {
            context.share = Share::default();
            context.in_noscript |= *element.name() == local_name!("noscript");
        }
        let role = if traits & trait_of::ROLE == 0 { None } else { element.attr(&local_name!("role")) };
        let role = role.and_then(|role| tags::landmark_role(role));
        if let Some(position) = role.or_else(|| tags::landmark(element.name())) {
            context.position = position;
            self.checks.has_main |= position == Position::Main;
            context.in_head |= *element.name() == local_name!("head");
            if matches!(position, Position::Nav | Position::Header | Position::Footer | Position::Aside) {
                context.share = Share { visible: context.share.visible, ..Share::default() };
            }
            context.share.core |= position == Position::Main && context.share.main;
        }
    }

    fn enter_heading(&mut self, id: NodeId, element: &Element, context: &Context) {
        if self.outer.is_some() || context.in_noscript || !context.has_text {
            return;
        }
        let level = element.name().as_bytes().get(1).map_or(1, |digit| digit - b'0');
        let line = self.line(id);
        let heading = Heading { level, text: Box::default(), line, image_only: false };
        self.facts.headings.push(heading);
        let capture = Capture::Heading(self.facts.headings.len() - 1, self.flow.mark(), self.images);
        if let Some(frame) = self.frames.last_mut() {
            frame.capture = capture;
        }
    }

    /// The text up to the end of the current element is the text of the link pushed last.
    pub(crate) fn capture_anchor(&mut self, link: usize) {
        let mark = self.flow.mark();
        if let Some(frame) = self.frames.last_mut() {
            frame.capture = Capture::Anchor(link, mark, self.drawings.len());
        }
    }

    pub(crate) fn count_image(&mut self, alt: Option<&str>) {
        self.images += 1;
        let shown = u32::from(!self.context().hidden);
        match alt {
            Some(alt) if !alt.trim().is_empty() => {
                self.flow.push_alt(alt);
                self.checks.names += shown;
            }
            Some(_) => self.checks.empty_alts += shown,
            None => {}
        }
    }

    /// The title of a drawing is no visible text, but it names a link that has no other name.
    pub(crate) fn name_drawing(&mut self, title: &str) {
        if !title.is_empty() {
            self.checks.names += u32::from(!self.context().hidden);
            self.drawings.push(cut(title, MAX_ANCHOR).into());
        }
    }

    fn leave(&mut self) {
        if self.frames.last().is_some_and(|frame| frame.is_checked) {
            self.check_end();
        }
        let Some(frame) = self.frames.pop() else { return };
        if frame.children > self.facts.dom_children && self.outer.is_none() {
            self.facts.dom_children = frame.children;
        }
        if frame.is_block {
            self.flow.break_word();
        }
        match frame.capture {
            Capture::Nothing => {}
            Capture::Anchor(link, mark, drawings) => {
                let mut text = self.flow.excerpt(mark, MAX_ANCHOR);
                if text.is_empty()
                    && let Some(label) =
                        self.tree.element(frame.node).and_then(|e| e.attr(&local_name!("aria-label")))
                {
                    text = cut(&collapse(label), MAX_ANCHOR).into();
                }
                if text.is_empty()
                    && let Some(title) = self.drawings.get(drawings)
                {
                    text = title.clone();
                }
                self.facts.links[link].text = Some(text);
            }
            Capture::Heading(index, mark, images) => {
                let image_only = self.images > images && self.flow.text_since(mark).is_empty();
                let text = self.flow.text_since(mark);
                // Alternative texts stand in for a text, they do not join it.
                let text = if text.is_empty() {
                    self.flow.excerpt(mark, MAX_TEXT)
                } else {
                    cut(text, MAX_TEXT).into()
                };
                let heading = &mut self.facts.headings[index];
                heading.text = text;
                heading.image_only = image_only;
            }
        }
        if let Some(parent) = self.frames.last()
            && parent.context.has_text
            && (parent.context.share != frame.context.share || !frame.context.has_text)
        {
            self.flow.set_share(parent.context.share);
        }
    }

    pub(crate) fn context(&self) -> Context {
        self.frames.last().map_or(Context::OUTSIDE, |frame| frame.context)
    }

    /// The name of the element around the current one.
    pub(crate) fn parent_name(&self) -> Option<&'w LocalName> {
        let parent = self.frames.len().checked_sub(2)?;
        self.tree.element(self.frames[parent].node).map(|element| element.name())
    }

    /// The interned path of the current element.
    pub(crate) fn path(&mut self) -> u32 {
        let known = self.frames.iter().rposition(|frame| frame.path != ROOT);
        let mut path = match known {
            Some(index) => self.frames[index].path,
            None => self.outer.map_or(ROOT, |outer| outer.path),
        };
        for frame in &mut self.frames[known.map_or(0, |index| index + 1)..] {
            let Some(element) = self.tree.element(frame.node) else { continue };
            // The root says nothing: every path would begin with it.
            if path == ROOT && *element.name() == local_name!("html") {
                continue;
            }
            path = self.paths.child(path, element.name());
            frame.path = path;
        }
        if path == ROOT { self.paths.child(ROOT, &local_name!("html")) } else { path }
    }

    pub(crate) fn push_anchor(&mut self, name: &str) {
        if self.outer.is_none() && !name.is_empty() {
            self.anchors.push(crate::fragment_hash(name));
        }
    }

    /// Notes what is wrong at the current element. Documents in attributes are not looked at.
    pub(crate) fn flaw(&mut self, id: NodeId, kind: FlawKind, detail: &str) {
        if self.outer.is_some() || !self.flaws.admits(kind) {
            return;
        }
        let path = self.path();
        let path = Some(self.paths.text(path));
        let detail = cut(detail.trim(), MAX_DETAIL).into();
        self.facts.flaws.push(Flaw { kind, line: self.line(id), path, detail });
    }

    /// Notes what is wrong at an element that may have been left long since.
    pub(crate) fn flaw_at(&mut self, id: NodeId, kind: FlawKind, detail: &str) {
        if self.outer.is_some() || !self.flaws.admits(kind) {
            return;
        }
        let path = self.path_of(id);
        let path = Some(path);
        let detail = cut(detail.trim(), MAX_DETAIL).into();
        self.facts.flaws.push(Flaw { kind, line: self.line(id), path, detail });
    }

    /// Notes what is wrong with the title.
    pub(crate) fn flaw_of_title(&mut self, kind: FlawKind, line: u32, detail: &str) {
        if self.flaws.admits(kind) {
            let path = Some(self.paths.fixed("head>title"));
            self.facts.flaws.push(Flaw { kind, line, path, detail: cut(detail.trim(), MAX_DETAIL).into() });
        }
    }

    fn finish(mut self) {
        if self.outer.is_some() {
            return;
        }
        self.anchors.sort_unstable();
        self.anchors.dedup();
        self.facts.main_missing &= !self.checks.has_main;
        self.check_pending();
        self.check_wordings();
        self.finish_structured();
        // What had to wait comes to its place.
        let lines = self.lines;
        self.facts.flaws.sort_by_key(|flaw| lines.of_place(flaw.line));
        self.flaws.report(self.facts);
        let totals = self.flow.totals(self.shingles.is_some().then(Vec::new));
        self.facts.word_count = totals.words;
        self.facts.text_bytes = totals.bytes;
        self.facts.text_hash = totals.hash;
        self.facts.main_text = totals.shingles.main_text();
        self.facts.reading = crate::reading::read(&totals.prose, self.facts.lang.as_deref());
        if let Some(shingles) = self.shingles.take() {
            *shingles = totals.shingles.into_kept();
        }
        self.facts.anchors = self.anchors;
        self.facts.title_px = self.facts.titles.first().map_or(0, |title| crate::title_px(&title.text));
        self.facts.description_px =
            self.facts.descriptions.first().map_or(0, |text| crate::description_px(&text.text));
    }
}

/// Flags of an SVG or MathML element.
fn foreign_flags(element: &Element) -> u16 {
    if *element.ns() != ns!(svg) {
        return 0;
    }
    match &**element.name() {
        "a" | "image" | "use" | "feImage" => READ,
        "script" | "style" => READ | NO_TEXT,
        "title" => READ | NO_TEXT,
        "desc" | "metadata" => NO_TEXT,
        "svg" | "text" => BLOCK,
        _ => 0,
    }
}
