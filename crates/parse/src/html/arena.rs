//! The document tree: one vector of nodes, built by html5ever through `TreeSink`.
//!
//! Handles are indices, text is one shared buffer, comments leave no node, and the contents of scripts that no
//! rule reads are dropped at once. Nothing is ever freed before the whole tree is.

use super::guard::Keep;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

pub(crate) type NodeId = u32;

pub(crate) const NONE: NodeId = u32::MAX;

/// Bytes of memory that an attribute takes besides its value, with its part of the list that it stands in.
const ATTRIBUTE: usize = size_of::<Attribute>() + 48;
pub(crate) const DOCUMENT: NodeId = 0;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Document,
    /// The contents of a template: a root of its own, hanging from its template by `Element::contents`.
    Fragment,
    /// `a` is the index into `Tree::elements`, `b` where its start tag begins in the text.
    Element,
    /// `a..b` is the range in `Tree::text`.
    Text,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) parent: NodeId,
    pub(crate) first: NodeId,
    pub(crate) last: NodeId,
    pub(crate) next: NodeId,
    pub(crate) prev: NodeId,
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Depth at insertion. Moves do not update it: it serves the depth limit, not the facts.
    pub(crate) depth: u16,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) struct Element {
    full_name: QualName,
    pub(crate) attrs: Vec<Attribute>,
    /// Root of a template's contents.
    pub(crate) contents: NodeId,
    /// Root of a declarative shadow tree.
    pub(crate) shadow: NodeId,
    integration_point: bool,
    /// Text inside is read by nobody.
    drop_text: bool,
    /// An attribute that is not kept gives it a name.
    pub(crate) is_named: bool,
}

impl Element {
    pub(crate) fn name(&self) -> &LocalName {
        &self.full_name.local
    }

    pub(crate) fn ns(&self) -> &Namespace {
        &self.full_name.ns
    }

    pub(crate) fn is_html(&self) -> bool {
        self.full_name.ns == ns!(html)
    }

    /// The value of an attribute without namespace.
    pub(crate) fn attr(&self, name: &LocalName) -> Option<&StrTendril> {
        self.attrs.iter().find(|a| a.name.local == *name && a.name.ns == ns!()).map(|a| &a.value)
    }

    /// `href`, or `xlink:href` where the former is absent.
    pub(crate) fn svg_href(&self) -> Option<&StrTendril> {
        let linked = |ns: Namespace| {
            self.attrs
                .iter()
                .find(|a| a.name.local == local_name!("href") && a.name.ns == ns)
                .map(|a| &a.value)
        };
        linked(ns!()).or_else(|| linked(ns!(xlink)))
    }
}

/// The finished tree.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) elements: Vec<Element>,
    pub(crate) text: String,
    pub(crate) quirks: bool,
    /// `base` elements with an href, in the order of their start tags.
    pub(crate) bases: Vec<NodeId>,
    /// Hashes of ids that stand on no element of the tree.
    pub(crate) loose_ids: Vec<u64>,
    /// The name of what is no element.
    unnamed: QualName,
}

impl Tree {
    pub(crate) fn element(&self, id: NodeId) -> Option<&Element> {
        let node = self.nodes.get(id as usize)?;
        (node.kind == Kind::Element).then(|| &self.elements[node.a as usize])
    }

    pub(crate) fn text_of(&self, node: &Node) -> &str {
        &self.text[node.a as usize..node.b as usize]
    }

    /// Whether the node hangs in the document itself, not in a template or nowhere.
    pub(crate) fn is_attached(&self, mut id: NodeId) -> bool {
        while id != NONE {
            if id == DOCUMENT {
                return true;
            }
            id = self.nodes[id as usize].parent;
        }
        false
    }

    /// The text of the direct text children.
    pub(crate) fn child_text(&self, id: NodeId) -> Cow<'_, str> {
        let mut text = Cow::Borrowed("");
        let mut child = self.nodes[id as usize].first;
        while child != NONE {
            let node = &self.nodes[child as usize];
            if node.kind == Kind::Text {
                if text.is_empty() {
                    text = Cow::Borrowed(self.text_of(node));
                } else {
                    text.to_mut().push_str(self.text_of(node));
                }
            }
            child = node.next;
        }
        text
    }

    fn push_node(&mut self, kind: Kind, a: u32, b: u32) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            parent: NONE,
            first: NONE,
            last: NONE,
            next: NONE,
            prev: NONE,
            a,
            b,
            depth: 0,
            kind,
        });
        id
    }

    fn detach(&mut self, id: NodeId) {
        let Node { parent, prev, next, .. } = self.nodes[id as usize];
        if parent == NONE {
            return;
        }
        if prev == NONE {
            self.nodes[parent as usize].first = next;
        } else {
            self.nodes[prev as usize].next = next;
        }
        if next == NONE {
            self.nodes[parent as usize].last = prev;
        } else {
            self.nodes[next as usize].prev = prev;
        }
        let node = &mut self.nodes[id as usize];
        (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
    }

    fn attach_last(&mut self, parent: NodeId, id: NodeId) {
        let last = self.nodes[parent as usize].last;
        if last == NONE {
            self.nodes[parent as usize].first = id;
        } else {
            self.nodes[last as usize].next = id;
        }
        self.nodes[parent as usize].last = id;
        let depth = self.nodes[parent as usize].depth.saturating_add(1);
        let node = &mut self.nodes[id as usize];
        (node.parent, node.prev, node.next, node.depth) = (parent, last, NONE, depth);
    }

    fn attach_before(&mut self, sibling: NodeId, id: NodeId) {
        let Node { parent, prev, depth, .. } = self.nodes[sibling as usize];
        let node = &mut self.nodes[id as usize];
        (node.parent, node.prev, node.next, node.depth) = (parent, prev, sibling, depth);
        self.nodes[sibling as usize].prev = id;
        if prev == NONE {
            if parent != NONE {
                self.nodes[parent as usize].first = id;
            }
        } else {
            self.nodes[prev as usize].next = id;
        }
    }

    /// Extends `id` where it is a text node that ends the buffer.
    fn extend_text(&mut self, id: NodeId, text: &str) -> bool {
        let Some(node) = self.nodes.get_mut(id as usize) else { return false };
        if node.kind != Kind::Text || node.b as usize != self.text.len() {
            return false;
        }
        self.text.push_str(text);
        node.b = self.text.len() as u32;
        true
    }

    fn new_text(&mut self, text: &str) -> NodeId {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.push_node(Kind::Text, start, self.text.len() as u32)
    }
}

/// What the tree builder is working on, as far as the tree must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A text, or a start tag that does not end head by right.
    Foreign,
    Other,
}

/// The tree under construction.
#[derive(Debug)]
pub(crate) struct Arena {
    tree: RefCell<Tree>,
    /// Where in the text the token being processed begins.
    pub(crate) at: Cell<u32>,
    /// Where the last start tag begins that had a name among the attributes that are not kept.
    named: Cell<u32>,
    /// Depth of the node that was inserted last, had it children.
    pub(crate) depth: Cell<u16>,
    /// Something was inserted since this was last asked.
    pub(crate) inserted: Cell<bool>,
    pub(crate) cause: Cell<Cause>,
    head: Cell<NodeId>,
    /// Whether head has ended, and whether a foreign start tag ended it.
    pub(crate) head_end: Cell<Option<Cause>>,
    /// Bytes of memory that attributes take, about.
    attributes: Cell<usize>,
    keep: Keep,
}

impl Arena {
    pub(crate) fn new(bytes: usize, keep: Keep) -> Self {
        let mut tree = Tree {
            nodes: Vec::with_capacity(64 + bytes / 24),
            elements: Vec::with_capacity(32 + bytes / 64),
            text: String::with_capacity(bytes / 2),
            quirks: false,
            bases: Vec::new(),
            loose_ids: Vec::new(),
            unnamed: QualName::new(None, ns!(), local_name!("")),
        };
        tree.push_node(Kind::Document, 0, 0);
        Self {
            tree: RefCell::new(tree),
            at: Cell::new(0),
            named: Cell::new(u32::MAX),
            depth: Cell::new(0),
            inserted: Cell::new(false),
            cause: Cell::new(Cause::Other),
            head: Cell::new(NONE),
            head_end: Cell::new(None),
            attributes: Cell::new(0),
            keep,
        }
    }

    pub(crate) fn node_count(&self) -> usize {
        self.tree.borrow().nodes.len()
    }

    /// Bytes of memory that the nodes, elements and attributes take, about.
    pub(crate) fn size(&self) -> usize {
        let tree = self.tree.borrow();
        tree.nodes.len() * size_of::<Node>()
            + tree.elements.len() * size_of::<Element>()
            + self.attributes.get()
    }

    /// Remembers an id whose attribute is dropped.
    pub(crate) fn keep_id(&self, id: &str) {
        self.tree.borrow_mut().loose_ids.push(crate::fragment_hash(id));
    }

    /// The element whose start tag begins here has a name, although the attribute that gives it is dropped.
    pub(crate) fn keep_name(&self, at: u32) {
        self.named.set(at);
    }

    fn note_depth(&self, depth: u16) {
        self.depth.set(depth);
        self.inserted.set(true);
    }

    fn append_text(&self, parent: NodeId, text: &str) {
        let tree = &mut *self.tree.borrow_mut();
        let Node { kind, a, last, depth, .. } = tree.nodes[parent as usize];
        self.note_depth(depth);
        if kind == Kind::Element && tree.elements[a as usize].drop_text {
            return;
        }
        if !tree.extend_text(last, text) {
            let id = tree.new_text(text);
            tree.attach_last(parent, id);
        }
    }
}

impl TreeSink for Arena {
    type Handle = NodeId;
    type Output = Tree;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Tree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        // The tree builder asks about elements only, and lets go of the name before it changes the tree.
        Ref::map(self.tree.borrow(), |tree| {
            tree.element(*target).map_or(&tree.unnamed, |element| &element.full_name)
        })
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        let tree = &mut *self.tree.borrow_mut();
        let contents = if flags.template { tree.push_node(Kind::Fragment, 0, 0) } else { NONE };
        let is_html = name.ns == ns!(html);
        let value = |wanted: &LocalName| attrs.iter().find(|a| a.name.local == *wanted).map(|a| &*a.value);
        let drop_text = self.keep == Keep::Facts
            && is_html
            && name.local == local_name!("script")
            && !value(&local_name!("type")).is_some_and(crate::structured::jsonld::is_json_ld);
        let is_base = is_html && name.local == local_name!("base") && value(&local_name!("href")).is_some();
        let is_head = is_html && name.local == local_name!("head");
        let size: usize = attrs.iter().map(|attr| ATTRIBUTE + attr.value.len()).sum();
        self.attributes.set(self.attributes.get() + size);
        let index = tree.elements.len() as u32;
        tree.elements.push(Element {
            full_name: name,
            attrs,
            contents,
            shadow: NONE,
            integration_point: flags.mathml_annotation_xml_integration_point,
            drop_text,
            is_named: self.named.get() == self.at.get(),
        });
        let id = tree.push_node(Kind::Element, index, self.at.get());
        if is_base {
            tree.bases.push(id);
        }
        if is_head && self.head.get() == NONE {
            self.head.set(id);
        }
        id
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        NONE
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        NONE
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        match child {
            NodeOrText::AppendNode(NONE) => {}
            NodeOrText::AppendNode(id) => {
                let tree = &mut *self.tree.borrow_mut();
                tree.detach(id);
                tree.attach_last(*parent, id);
                let Node { depth, kind, a, .. } = tree.nodes[id as usize];
                self.note_depth(depth);
                if kind == Kind::Element && tree.elements[a as usize].contents != NONE {
                    let contents = tree.elements[a as usize].contents;
                    tree.nodes[contents as usize].depth = depth;
                }
            }
            NodeOrText::AppendText(text) => self.append_text(*parent, &text),
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        prev_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let has_parent = self.tree.borrow().nodes[*element as usize].parent != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &NodeId) {
        if *node == self.head.get() && self.head_end.get().is_none() {
            self.head_end.set(Some(self.cause.get()));
        }
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        let tree = self.tree.borrow();
        // An element without contents is no template; its own node keeps the tree whole.
        tree.element(*target).map(|e| e.contents).filter(|id| *id != NONE).unwrap_or(*target)
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.tree.borrow_mut().quirks = mode == QuirksMode::Quirks;
    }

    fn append_before_sibling(&self, sibling: &NodeId, new_node: NodeOrText<NodeId>) {
        let tree = &mut *self.tree.borrow_mut();
        match new_node {
            NodeOrText::AppendNode(NONE) => {}
            NodeOrText::AppendNode(id) => {
                tree.detach(id);
                tree.attach_before(*sibling, id);
                self.note_depth(tree.nodes[id as usize].depth);
            }
            NodeOrText::AppendText(text) => {
                let before = tree.nodes[*sibling as usize].prev;
                if !tree.extend_text(before, &text) {
                    let id = tree.new_text(&text);
                    tree.attach_before(*sibling, id);
                }
            }
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<Attribute>) {
        let tree = &mut *self.tree.borrow_mut();
        let Some(node) = tree.nodes.get(*target as usize).filter(|n| n.kind == Kind::Element) else { return };
        let element = &mut tree.elements[node.a as usize];
        for attr in attrs {
            if !element.attrs.iter().any(|own| own.name == attr.name) {
                element.attrs.push(attr);
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        let tree = &mut *self.tree.borrow_mut();
        loop {
            let child = tree.nodes[*node as usize].first;
            if child == NONE {
                return;
            }
            tree.detach(child);
            tree.attach_last(*new_parent, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &NodeId) -> bool {
        self.tree.borrow().element(*handle).is_some_and(|e| e.integration_point)
    }

    fn attach_declarative_shadow(&self, host: &NodeId, template: &NodeId, _: &[Attribute]) -> bool {
        let tree = &mut *self.tree.borrow_mut();
        let Some(contents) = tree.element(*template).map(|e| e.contents) else { return false };
        let Some(host_node) = tree.nodes.get(*host as usize).copied() else { return false };
        if host_node.kind != Kind::Element {
            return false;
        }
        let element = &mut tree.elements[host_node.a as usize];
        if element.shadow != NONE || !element.is_html() || !may_host_shadow(element.name()) {
            return false;
        }
        element.shadow = contents;
        tree.nodes[contents as usize].depth = host_node.depth;
        true
    }
}

/// The elements that `attachShadow` accepts (DOM standard, "valid shadow host name").
fn may_host_shadow(name: &str) -> bool {
    name.contains('-')
        || matches!(
            name,
            "article"
                | "aside"
                | "blockquote"
                | "body"
                | "div"
                | "footer"
                | "h1"
                | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
                | "header"
                | "main"
                | "nav"
                | "p"
                | "section"
                | "span"
        )
}
