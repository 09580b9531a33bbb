//! What a person looks for in pages: the fields of [`model::custom`], computed over a document.
//!
//! The tree of these is built apart from the one that facts are read from: it keeps every attribute and every text, which facts
//! have no use for. Selectors take a time that grows with the page and the selector, whatever the page; XPath, which could take
//! any, has a number of steps for a page and is given up beyond it.

mod select;
mod texts;
mod xpath;

use super::arena::{DOCUMENT, Kind, NONE, NodeId, Tree};
use super::{guard, text};
use crate::Document;
use crate::charset::{charset, decode};
use html5ever::Attribute;
use model::custom::{Field, LONGEST_VALUE, MOST_VALUES, Many, Place, Rule, What};
use select::select;
use std::cell::OnceCell;
use xpath::{Evaluated, Node};

/// What a field gave on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldValues {
    pub values: Vec<FieldValue>,
    /// The page is made so that the expression would have taken too long: it was given up, and there is no value.
    pub given_up: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FieldValue {
    /// At most [`LONGEST_VALUE`] bytes.
    Text(String),
    Number(f64),
    Flag(bool),
}

/// The values of each field, in the order of the fields. Never fails.
pub fn custom(doc: &Document, fields: &[Field]) -> Vec<FieldValues> {
    let charset = charset(doc.body, doc.content_type);
    let (decoded, _) = decode(doc.body, &charset);
    let source = text::cut(&decoded, super::MAX_DOCUMENT);
    let page = Page { source, grown: OnceCell::new(), shown: OnceCell::new() };
    fields.iter().map(|field| page.field(&field.rule)).collect()
}

/// A page, of which only what is asked for is made.
struct Page<'d> {
    source: &'d str,
    grown: OnceCell<Grown>,
    shown: OnceCell<String>,
}

/// A whole tree and its nodes in the order of the document.
pub(super) struct Grown {
    tree: Tree,
    /// Elements and texts of the document itself, without the contents of templates.
    order: Vec<NodeId>,
    /// Per node: its place in the order; `NONE` for what is not in it.
    rank: Vec<u32>,
}

impl Page<'_> {
    fn grown(&self) -> &Grown {
        self.grown.get_or_init(|| {
            let unified;
            let text = if memchr::memchr(b'\r', self.source.as_bytes()).is_some() {
                unified = self.source.replace("\r\n", "\n").replace('\r', "\n");
                &unified
            } else {
                self.source
            };
            Grown::new(guard::build_whole(text))
        })
    }

    fn shown(&self) -> &str {
        self.shown.get_or_init(|| texts::shown(&self.grown().tree))
    }

    fn field(&self, rule: &Rule) -> FieldValues {
        let (values, given_up) = match rule {
            Rule::Search { pattern, place, absent } => {
                let text = if *place == Place::Source { self.source } else { self.shown() };
                (vec![FieldValue::Flag(pattern.is_match(text) != *absent)], false)
            }
            Rule::Regex { pattern, many } => {
                let most = most(*many);
                let found = pattern.captures_iter(self.source).take(most).filter_map(|groups| {
                    let group = if groups.len() > 1 { groups.get(1) } else { groups.get(0) };
                    group.map(|group| value(group.as_str()))
                });
                (found.collect(), false)
            }
            Rule::Css { selector, what, many } => {
                let grown = self.grown();
                let chosen = select(grown, selector);
                let nodes: Vec<Node> =
                    grown.order.iter().filter(|id| chosen[**id as usize]).map(|id| Node::Tree(*id)).collect();
                (grown.taken(&nodes, what, *many), false)
            }
            Rule::Xpath { expr, what, many } => match xpath::evaluate(self.grown(), expr) {
                Err(xpath::GivenUp) => (Vec::new(), true),
                Ok(Evaluated::Nodes(nodes)) => (self.grown().taken(&nodes, what, *many), false),
                Ok(Evaluated::Text(text)) => (vec![value(texts::collapsed(&text).trim_end())], false),
                Ok(Evaluated::Number(number)) if number.is_finite() => {
                    (vec![FieldValue::Number(number)], false)
                }
                Ok(Evaluated::Number(_)) => (Vec::new(), false),
                Ok(Evaluated::Truth(truth)) => (vec![FieldValue::Flag(truth)], false),
            },
        };
        FieldValues { values, given_up }
    }
}

const fn most(many: Many) -> usize {
    match many {
        Many::First => 1,
        Many::All => MOST_VALUES,
    }
}

fn value(found: &str) -> FieldValue {
    FieldValue::Text(text::cut(found, LONGEST_VALUE).to_owned())
}

impl Grown {
    fn new(tree: Tree) -> Self {
        let mut order = Vec::with_capacity(tree.nodes.len());
        let mut rank = vec![NONE; tree.nodes.len()];
        let mut at = DOCUMENT;
        loop {
            if at != DOCUMENT {
                rank[at as usize] = order.len() as u32;
                order.push(at);
            }
            at = match next_in_order(&tree, at, DOCUMENT) {
                Some(next) => next,
                None => return Self { tree, order, rank },
            };
        }
    }

    fn is_element(&self, id: NodeId) -> bool {
        self.tree.nodes[id as usize].kind == Kind::Element
    }

    /// What a rule takes of the nodes that it found.
    fn taken(&self, nodes: &[Node], what: &What, many: Many) -> Vec<FieldValue> {
        if *what == What::Count {
            return vec![FieldValue::Number(nodes.len() as f64)];
        }
        let of = |node: &Node| -> Option<FieldValue> {
            match (node, what) {
                (Node::Attribute(id, n), What::Text | What::Html) => {
                    self.attribute(*id, *n).map(|attribute| value(&attribute.value))
                }
                (Node::Attribute(..), _) => None,
                (Node::Tree(id), What::Attribute(name)) => {
                    self.named_attribute(*id, name).map(|attribute| value(&attribute.value))
                }
                (Node::Tree(id), What::Html) => Some(FieldValue::Text(texts::markup(&self.tree, *id))),
                (Node::Tree(id), _) => Some(value(texts::text(&self.tree, *id).trim_end())),
            }
        };
        nodes.iter().filter_map(of).take(most(many)).collect()
    }

    fn attribute(&self, id: NodeId, n: u32) -> Option<&Attribute> {
        self.tree.element(id)?.attrs.get(n as usize)
    }

    /// `name` in lower case; `xlink:href` is written with its prefix.
    fn named_attribute(&self, id: NodeId, name: &str) -> Option<&Attribute> {
        self.tree.element(id)?.attrs.iter().find(|attribute| is_named(attribute, name))
    }
}

fn is_named(attribute: &Attribute, name: &str) -> bool {
    let local = &*attribute.name.local;
    match &attribute.name.prefix {
        None => local.eq_ignore_ascii_case(name),
        Some(prefix) => name
            .split_once(':')
            .is_some_and(|(before, after)| **prefix == *before && local.eq_ignore_ascii_case(after)),
    }
}

/// The node after this one in the order of the document, below `root`.
fn next_in_order(tree: &Tree, at: NodeId, root: NodeId) -> Option<NodeId> {
    let node = &tree.nodes[at as usize];
    if node.first != NONE {
        return Some(node.first);
    }
    next_beside(tree, at, root)
}

/// The node after this one and all below it.
fn next_beside(tree: &Tree, mut at: NodeId, root: NodeId) -> Option<NodeId> {
    while at != root {
        let node = &tree.nodes[at as usize];
        if node.next != NONE {
            return Some(node.next);
        }
        at = node.parent;
        if at == NONE {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests;
