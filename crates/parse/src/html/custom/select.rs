//! CSS selectors over a tree: which elements a selector selects.
//!
//! The elements that fit the beginning of a selector are marked, and from these the ones that fit its next part: each part is one
//! pass over the elements, so no nesting of a page makes the work grow beyond its length times the selector's.

use super::super::arena::{NONE, NodeId};
use super::{Grown, is_named};
use html5ever::LocalName;
use model::query::{AttributeTest, Combinator, Complex, Compound, Nth, Selector, Simple};
use std::collections::HashMap;

/// Per node: whether it is selected.
type Marks = Vec<bool>;

pub(super) fn select(grown: &Grown, selector: &Selector) -> Marks {
    let mut all = vec![false; grown.tree.nodes.len()];
    for one in &selector.0 {
        for (mark, found) in all.iter_mut().zip(complex(grown, one)) {
            *mark |= found;
        }
    }
    all
}

fn complex(grown: &Grown, complex: &Complex) -> Marks {
    let mut marks = compound(grown, &complex.first);
    for (combinator, next) in &complex.rest {
        let reached = reached(grown, &marks, *combinator);
        marks = compound(grown, next);
        for (mark, reached) in marks.iter_mut().zip(reached) {
            *mark &= reached;
        }
    }
    marks
}

/// The elements to which a combinator leads from those that are marked.
fn reached(grown: &Grown, marks: &Marks, combinator: Combinator) -> Marks {
    let mut reached = vec![false; marks.len()];
    for id in elements(grown) {
        let parent = grown.tree.nodes[id as usize].parent;
        let before = previous(grown, id);
        let marked = |id: NodeId| id != NONE && marks[id as usize];
        // Parents and elder siblings come first in the order, so theirs is known.
        reached[id as usize] = match combinator {
            Combinator::Child => marked(parent),
            Combinator::Descendant => marked(parent) || (parent != NONE && reached[parent as usize]),
            Combinator::Next => marked(before),
            Combinator::Later => marked(before) || (before != NONE && reached[before as usize]),
        };
    }
    reached
}

fn elements(grown: &Grown) -> impl Iterator<Item = NodeId> {
    grown.order.iter().copied().filter(|id| grown.is_element(*id))
}

/// The element before this one among its siblings.
fn previous(grown: &Grown, id: NodeId) -> NodeId {
    let mut at = grown.tree.nodes[id as usize].prev;
    while at != NONE && !grown.is_element(at) {
        at = grown.tree.nodes[at as usize].prev;
    }
    at
}

fn compound(grown: &Grown, compound: &Compound) -> Marks {
    let mut marks = vec![false; grown.tree.nodes.len()];
    for id in elements(grown) {
        marks[id as usize] = true;
    }
    for simple in &compound.0 {
        let inner = match simple {
            Simple::Not(selector) => Some((select(grown, selector), false)),
            Simple::Is(selector) => Some((select(grown, selector), true)),
            Simple::Nth(nth) => Some((numbered(grown, nth), true)),
            _ => None,
        };
        for id in elements(grown) {
            let mark = &mut marks[id as usize];
            *mark = *mark
                && match &inner {
                    Some((found, wanted)) => found[id as usize] == *wanted,
                    None => fits(grown, id, simple),
                };
        }
    }
    marks
}

fn fits(grown: &Grown, id: NodeId, simple: &Simple) -> bool {
    let Some(element) = grown.tree.element(id) else { return false };
    let value = |name: &str| {
        element.attrs.iter().find(|attribute| is_named(attribute, name)).map(|attribute| &*attribute.value)
    };
    match simple {
        Simple::Tag(name) => str::eq_ignore_ascii_case(element.name(), name),
        Simple::Id(wanted) => value("id") == Some(wanted),
        Simple::Class(wanted) => value("class")
            .is_some_and(|classes| classes.split_ascii_whitespace().any(|class| class == wanted)),
        Simple::Attribute { name, test, ignore_case } => value(name).is_some_and(|value| {
            if *ignore_case {
                tested(&value.to_lowercase(), test, str::to_lowercase)
            } else {
                tested(value, test, str::to_owned)
            }
        }),
        Simple::Empty => {
            let mut child = grown.tree.nodes[id as usize].first;
            while child != NONE {
                let node = &grown.tree.nodes[child as usize];
                if grown.is_element(child) || node.a < node.b {
                    return false;
                }
                child = node.next;
            }
            true
        }
        Simple::Root => {
            let parent = grown.tree.nodes[id as usize].parent;
            parent == super::DOCUMENT
        }
        // These are found for all elements at once.
        Simple::Not(_) | Simple::Is(_) | Simple::Nth(_) => false,
    }
}

fn tested(value: &str, test: &AttributeTest, fold: impl Fn(&str) -> String) -> bool {
    // A part that is nothing is in nothing.
    let part = |part: &str, holds: fn(&str, &str) -> bool| !part.is_empty() && holds(value, &fold(part));
    match test {
        AttributeTest::Present => true,
        AttributeTest::Equals(wanted) => value == fold(wanted),
        AttributeTest::Word(wanted) => {
            let wanted = fold(wanted);
            value.split_ascii_whitespace().any(|word| word == wanted)
        }
        AttributeTest::Dash(wanted) => {
            let wanted = fold(wanted);
            value.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        }
        AttributeTest::Begins(wanted) => part(wanted, |value, part| value.starts_with(part)),
        AttributeTest::Ends(wanted) => part(wanted, |value, part| value.ends_with(part)),
        AttributeTest::Contains(wanted) => part(wanted, |value, part| value.contains(part)),
    }
}

/// The elements with a number among their siblings, or among those of one name.
fn numbered(grown: &Grown, nth: &Nth) -> Marks {
    let mut counts: HashMap<(NodeId, Option<&LocalName>), i32> = HashMap::new();
    let mut numbers: Vec<(NodeId, (NodeId, Option<&LocalName>), i32)> = Vec::new();
    for id in elements(grown) {
        let parent = grown.tree.nodes[id as usize].parent;
        let name = grown.tree.element(id).filter(|_| nth.of_type).map(|element| element.name());
        let count = counts.entry((parent, name)).or_default();
        *count += 1;
        numbers.push((id, (parent, name), *count));
    }
    let mut marks = vec![false; grown.tree.nodes.len()];
    for (id, group, number) in numbers {
        let number = if nth.from_end { counts[&group] - number + 1 } else { number };
        let rest = i64::from(number) - i64::from(nth.start);
        let step = i64::from(nth.step);
        marks[id as usize] = if step == 0 { rest == 0 } else { rest % step == 0 && rest / step >= 0 };
    }
    marks
}
