//! What of a document is structured data: its scripts where the walk meets them, its items and RDFa once it is through, and then
//! what is wrong with all of it.

use super::arena::{Element, Kind, NONE, NodeId};
use super::checks::trait_of;
use super::element::Holder;
use super::flaws::MAX_DETAIL;
use super::paths::ROOT;
use super::problem;
use super::text::cut;
use super::walk::Walk;
use crate::structured::jsonld::{self, Place};
use crate::structured::{Budget, MAX_TEXT, holds_addresses, is_address, json, judge};
use html5ever::local_name;
use model::structured::{Entity, PropertyValue};
use model::{Flaw, FlawKind, LinkKind};

/// What the walk notes on its way.
#[derive(Debug, Default)]
pub(crate) struct Structured<'w> {
    /// The URL that the document came from.
    pub(crate) url: &'w str,
    /// The text that the tree was built from.
    pub(crate) source: &'w str,
    /// Elements that are items of Microdata, in tree order.
    pub(crate) items: Vec<NodeId>,
    has_rdfa: bool,
    /// The first `og:url`: its element and its content.
    pub(crate) og_url: Option<(NodeId, Box<str>)>,
    pub(crate) budget: Budget,
}

impl Structured<'_> {
    pub(crate) fn note(&mut self, id: NodeId, traits: u16) {
        if traits & trait_of::ITEM != 0 {
            self.items.push(id);
        }
        self.has_rdfa |= traits & trait_of::RDFA != 0;
    }
}

impl Walk<'_> {
    /// Reads a script of JSON-LD. Of a document in an attribute only the links count.
    pub(crate) fn read_json_ld(&mut self, id: NodeId, element: &Element) {
        let tree = self.tree;
        let text = tree.child_text(id);
        let mut addresses = Vec::new();
        let script = json::read(&text, &mut |property, value| {
            if holds_addresses(property) && is_address(value.trim()) {
                addresses.push(value.trim().to_owned());
            }
        });
        for address in addresses {
            self.link(id, element, Holder::Text, LinkKind::Data, &address, None);
        }
        if self.outer.is_some() {
            return;
        }
        let start = self.text_start(id, &text);
        let (lines, path) = (self.lines, self.path());
        let path = self.paths.text(path);
        let line = |at: usize| lines.of((start + at) as u32);
        if let Some(value) = &script.value {
            let resolver = &*self.resolver;
            let resolve = |id: &str| resolver.parse(id).map(String::from);
            let place = Place { line: &line, path, resolve: &resolve };
            let mut found = jsonld::entities(value, &place, &mut self.structured.budget);
            for entity in &mut found {
                entity.is_unread = script.fault.is_some();
            }
            self.facts.structured.entities.append(&mut found);
        }
        self.structured.budget.is_cut |= script.is_cut;
        // Where scripts run, nothing in noscript is read, nor is its syntax judged.
        if let Some(fault) = script.fault.filter(|_| !self.context().in_noscript) {
            let before = &self.structured.source[..(start + fault.at).min(self.structured.source.len())];
            let column = 1 + before.rsplit('\n').next().map_or(0, |line| line.chars().count());
            let detail = format!("column {column}: {}", fault.detail);
            let line = line(fault.at);
            self.structured_flaw(FlawKind::JsonldParseError, line, Some(path), &detail);
            problem(self.facts, "jsonld-parse-error", detail, line);
        }
    }

    /// Where the text of an element begins in the source.
    fn text_start(&self, id: NodeId, text: &str) -> usize {
        let tag = self.tree.nodes[id as usize].b as usize;
        // The text stands behind its tag as it is, but for characters that no source should have.
        let found = self.structured.source.get(tag..).and_then(|rest| rest.find(text));
        tag + found.filter(|_| !text.is_empty()).unwrap_or_default()
    }

    fn structured_flaw(&mut self, kind: FlawKind, line: u32, path: Option<u32>, detail: &str) {
        if self.flaws.admits(kind) {
            let detail = cut(detail.trim(), MAX_DETAIL).into();
            self.facts.flaws.push(Flaw { kind, line, path, detail });
        }
    }

    /// Reads what is left, and judges.
    pub(crate) fn finish_structured(&mut self) {
        if !self.structured.items.is_empty() {
            self.read_microdata();
        }
        if self.structured.has_rdfa {
            self.read_rdfa();
        }
        self.check_og_url();
        self.facts.structured.is_cut = self.structured.budget.is_cut;
        if self.structured.budget.is_cut {
            let detail =
                "more structured data than is kept: 500 entities, 32 levels of them, 65,536 bytes of texts";
            problem(self.facts, "structured-data-cut", detail.to_owned(), 0);
        }
        if self.facts.structured.entities.is_empty() {
            return;
        }
        let lines = self.lines;
        self.facts.structured.entities.sort_by_key(|entity| lines.of_place(entity.line));
        judge(&mut self.facts.structured);
        let mut found = Vec::new();
        for entity in &self.facts.structured.entities {
            tell(entity, "", &mut found);
        }
        for (kind, line, path, detail) in found {
            self.structured_flaw(kind, line, path, &detail);
        }
    }

    /// Open Graph: `og:url` is the address under which shares are counted; it says what the canonical says.
    fn check_og_url(&mut self) {
        let Some((id, content)) = self.structured.og_url.take() else { return };
        let counts = |url: &&str| url.starts_with("http");
        let canonical = self
            .facts
            .canonicals
            .iter()
            .filter(|canonical| !canonical.outside_head || canonical.from_header)
            .find_map(|canonical| canonical.url.as_deref().filter(counts));
        let own = canonical.unwrap_or(self.structured.url);
        let Some(told) = self.resolver.parse(&content) else { return };
        let whole = |url: &str| url.split('#').next().map(str::to_owned);
        if counts(&own) && whole(told.as_str()) != whole(own) {
            self.flaw_at(id, FlawKind::OgUrlNotCanonical, &content);
        }
    }

    /// The path of an element that may have been left long since, as an index into the texts.
    pub(crate) fn path_of(&mut self, id: NodeId) -> u32 {
        let (tree, mut at) = (self.tree, id);
        let mut names = Vec::new();
        while let Some(node) = tree.nodes.get(at as usize) {
            names.extend(tree.element(at).map(Element::name));
            at = node.parent;
        }
        let mut path = ROOT;
        for name in names.into_iter().rev() {
            if path != ROOT || *name != local_name!("html") {
                path = self.paths.child(path, name);
            }
        }
        if path == ROOT {
            path = self.paths.child(ROOT, &local_name!("html"));
        }
        self.paths.text(path)
    }

    /// The text in an element, as far as it is kept.
    pub(crate) fn text_in(&self, id: NodeId) -> String {
        let (tree, mut text) = (self.tree, String::new());
        let mut at = tree.nodes[id as usize].first;
        while at != NONE && text.len() < MAX_TEXT * 4 {
            let node = &tree.nodes[at as usize];
            if node.kind == Kind::Text {
                text.push_str(tree.text_of(node));
            } else if node.first != NONE {
                at = node.first;
                continue;
            }
            at = self.after(at, id);
        }
        text
    }

    /// The node after `at` and all in it, within `root`.
    pub(crate) fn after(&self, mut at: NodeId, root: NodeId) -> NodeId {
        while at != root && at != NONE {
            let node = &self.tree.nodes[at as usize];
            if node.next != NONE {
                return node.next;
            }
            at = node.parent;
        }
        NONE
    }

    /// An address made absolute; as written where no parser accepts it.
    pub(crate) fn whole_address(&mut self, written: &str) -> Option<Box<str>> {
        let whole = self.resolver.parse(written).map(String::from);
        self.structured.budget.keep(whole.as_deref().unwrap_or(written))
    }
}

/// The problems of an entity and of those in it: kind, line, path, and the detail with the types on the way.
fn tell(entity: &Entity, around: &str, found: &mut Vec<(FlawKind, u32, Option<u32>, String)>) {
    let own = if entity.types.is_empty() { "(no type)".to_owned() } else { entity.type_names() };
    let way = if around.is_empty() { own } else { format!("{around} > {own}") };
    for problem in &entity.problems {
        found.push((problem.kind, problem.line, entity.path, format!("{way}: {}", problem.detail)));
    }
    for property in &entity.properties {
        if let PropertyValue::Entity(value) = &property.value {
            tell(value, &way, found);
        }
    }
}
