//! Texts and markup of parts of a tree.

use super::super::arena::{DOCUMENT, Kind, NodeId, Tree};
use super::super::text::cut;
use super::{next_beside, next_in_order};
use model::custom::LONGEST_VALUE;

/// The text that a page shows: that of its body.
pub(super) fn shown(tree: &Tree) -> String {
    let mut out = Collapsing::default();
    gather(tree, DOCUMENT, usize::MAX, &mut out);
    out.text
}

/// The text in an element, or of a text, with its blanks collapsed; somewhat more than a value may have.
pub(super) fn text(tree: &Tree, root: NodeId) -> String {
    let mut out = Collapsing::default();
    gather(tree, root, LONGEST_VALUE, &mut out);
    out.text
}

pub(super) fn collapsed(text: &str) -> String {
    let mut out = Collapsing::default();
    out.push(text);
    out.text
}

#[derive(Default)]
struct Collapsing {
    text: String,
    pending: bool,
}

impl Collapsing {
    fn push(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.pending = true;
            } else {
                if self.pending && !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.pending = false;
                self.text.push(c);
            }
        }
    }
}

fn gather(tree: &Tree, root: NodeId, most: usize, out: &mut Collapsing) {
    let mut at = Some(root);
    while let Some(id) = at {
        let node = &tree.nodes[id as usize];
        let mut skip = false;
        match node.kind {
            Kind::Text => out.push(tree.text_of(node)),
            Kind::Element => {
                let name = tree.element(id).map_or("", |element| element.name());
                // What is asked for by name is wanted, whatever it is.
                skip = id != root && is_unseen(name);
                out.pending |= breaks(name);
            }
            Kind::Document | Kind::Fragment => {}
        }
        if out.text.len() > most {
            return;
        }
        at = if skip { next_beside(tree, id, root) } else { next_in_order(tree, id, root) };
        // The end of a block parts words as its beginning does.
        if let Some(next) = at
            && tree.nodes[next as usize].parent != id
        {
            let parent = tree.nodes[id as usize].parent;
            out.pending |= tree.element(parent).is_some_and(|element| breaks(element.name()))
                || tree.element(id).is_some_and(|element| breaks(element.name()))
                || tree.nodes[next as usize].parent != parent;
        }
    }
}

fn is_unseen(name: &str) -> bool {
    matches!(name, "script" | "style" | "template" | "noscript" | "head")
}

/// Elements that no word goes across.
fn breaks(name: &str) -> bool {
    !matches!(
        name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "mark"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    )
}

/// The markup in an element, as long as a value may be; of a text the text.
pub(super) fn markup(tree: &Tree, root: NodeId) -> String {
    let mut out = String::new();
    if tree.nodes[root as usize].kind == Kind::Text {
        escape(&mut out, tree.text_of(&tree.nodes[root as usize]), false);
        return cut(&out, LONGEST_VALUE).to_owned();
    }
    // The elements that are open, the root apart.
    let mut open: Vec<NodeId> = Vec::new();
    let mut at = next_in_order(tree, root, root);
    while let Some(id) = at {
        let node = &tree.nodes[id as usize];
        while open.last().is_some_and(|last| *last != node.parent) {
            close(tree, &mut open, &mut out);
        }
        match (node.kind, tree.element(id)) {
            (Kind::Text, _) => {
                let is_raw = tree
                    .element(node.parent)
                    .is_some_and(|element| matches!(&**element.name(), "script" | "style"));
                if is_raw {
                    out.push_str(tree.text_of(node));
                } else {
                    escape(&mut out, tree.text_of(node), false);
                }
            }
            (_, Some(element)) => {
                out.push('<');
                out.push_str(element.name());
                for attribute in &element.attrs {
                    out.push(' ');
                    if let Some(prefix) = &attribute.name.prefix {
                        out.push_str(prefix);
                        out.push(':');
                    }
                    out.push_str(&attribute.name.local);
                    out.push_str("=\"");
                    escape(&mut out, &attribute.value, true);
                    out.push('"');
                }
                out.push('>');
                if !is_void(element.name()) {
                    open.push(id);
                }
            }
            _ => {}
        }
        if out.len() > LONGEST_VALUE {
            return cut(&out, LONGEST_VALUE).to_owned();
        }
        at = next_in_order(tree, id, root);
    }
    while !open.is_empty() {
        close(tree, &mut open, &mut out);
    }
    cut(&out, LONGEST_VALUE).trim().to_owned()
}

fn close(tree: &Tree, open: &mut Vec<NodeId>, out: &mut String) {
    if let Some(element) = open.pop().and_then(|id| tree.element(id)) {
        out.push_str("</");
        out.push_str(element.name());
        out.push('>');
    }
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

fn escape(out: &mut String, text: &str, in_attribute: bool) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            c => out.push(c),
        }
        // One attribute may be as long as the page.
        if out.len() > LONGEST_VALUE {
            return;
        }
    }
}
