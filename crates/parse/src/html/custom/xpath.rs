//! XPath over a tree.

use super::super::arena::{DOCUMENT, Kind, NONE, NodeId};
use super::{Grown, is_named, next_in_order, texts};
use model::query::{Axis, Expr, Function, NodeTest, Operator, Step};
use std::cell::Cell;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Tree(NodeId),
    /// The element and the number of its attribute.
    Attribute(NodeId, u32),
}

#[derive(Debug, Clone)]
pub(super) enum Evaluated {
    /// In the order of the document, each once.
    Nodes(Vec<Node>),
    Text(String),
    Number(f64),
    Truth(bool),
}

/// The page takes more steps than there are for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct GivenUp;

type Result<T> = std::result::Result<T, GivenUp>;

/// Nodes that are looked at, each 16 bytes of text counted as one: a fraction of a second.
const STEPS: u64 = 10_000_000;

pub(super) fn evaluate(grown: &Grown, expr: &Expr) -> Result<Evaluated> {
    let course = Course { grown, left: Cell::new(STEPS) };
    course.value(expr, &Context { node: Node::Tree(DOCUMENT), position: 1, last: 1 })
}

struct Course<'t> {
    grown: &'t Grown,
    left: Cell<u64>,
}

struct Context {
    node: Node,
    position: usize,
    last: usize,
}

impl Course<'_> {
    fn spend(&self, steps: usize) -> Result<()> {
        let left = self.left.get().checked_sub(steps as u64 + 1).ok_or(GivenUp)?;
        self.left.set(left);
        Ok(())
    }

    fn value(&self, expr: &Expr, context: &Context) -> Result<Evaluated> {
        self.spend(0)?;
        Ok(match expr {
            Expr::Text(text) => Evaluated::Text(text.clone()),
            Expr::Number(number) => Evaluated::Number(*number),
            Expr::Minus(inner) => Evaluated::Number(-self.number(inner, context)?),
            Expr::Path { absolute, steps } => {
                let start = if *absolute { Node::Tree(DOCUMENT) } else { context.node };
                Evaluated::Nodes(self.steps(vec![start], steps)?)
            }
            Expr::From { base, predicates, steps } => {
                let mut nodes = self.nodes(base, context)?;
                for predicate in predicates {
                    nodes = self.filtered(nodes, predicate)?;
                }
                Evaluated::Nodes(self.steps(nodes, steps)?)
            }
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right, context)?,
            Expr::Call(function, arguments) => self.call(*function, arguments, context)?,
        })
    }

    fn nodes(&self, expr: &Expr, context: &Context) -> Result<Vec<Node>> {
        Ok(match self.value(expr, context)? {
            Evaluated::Nodes(nodes) => nodes,
            // The parser lets nothing else stand where nodes are wanted.
            _ => Vec::new(),
        })
    }

    fn text(&self, expr: &Expr, context: &Context) -> Result<String> {
        let value = self.value(expr, context)?;
        self.as_text(&value)
    }

    fn number(&self, expr: &Expr, context: &Context) -> Result<f64> {
        let value = self.value(expr, context)?;
        self.as_number(&value)
    }

    fn as_text(&self, value: &Evaluated) -> Result<String> {
        Ok(match value {
            Evaluated::Nodes(nodes) => {
                nodes.first().map_or_else(|| Ok(String::new()), |node| self.text_of(*node))?
            }
            Evaluated::Text(text) => text.clone(),
            Evaluated::Number(number) => number.to_string(),
            Evaluated::Truth(truth) => truth.to_string(),
        })
    }

    fn as_number(&self, value: &Evaluated) -> Result<f64> {
        Ok(match value {
            Evaluated::Number(number) => *number,
            Evaluated::Truth(truth) => f64::from(u8::from(*truth)),
            other => to_number(&self.as_text(other)?),
        })
    }

    fn as_truth(value: &Evaluated) -> bool {
        match value {
            Evaluated::Nodes(nodes) => !nodes.is_empty(),
            Evaluated::Text(text) => !text.is_empty(),
            Evaluated::Number(number) => *number != 0.0 && !number.is_nan(),
            Evaluated::Truth(truth) => *truth,
        }
    }

    /// All text in a node, as it stands.
    fn text_of(&self, node: Node) -> Result<String> {
        let id = match node {
            Node::Attribute(id, n) => {
                let value = self.grown.attribute(id, n).map_or("", |attribute| &*attribute.value);
                self.spend(value.len() / 16)?;
                return Ok(value.to_owned());
            }
            Node::Tree(id) => id,
        };
        let tree = &self.grown.tree;
        let mut out = String::new();
        let mut at = Some(id);
        while let Some(here) = at {
            let node = &tree.nodes[here as usize];
            if node.kind == Kind::Text {
                let text = tree.text_of(node);
                self.spend(text.len() / 16)?;
                out.push_str(text);
            } else {
                self.spend(0)?;
            }
            at = next_in_order(tree, here, id);
        }
        Ok(out)
    }

    // ---- Paths

    fn steps(&self, mut nodes: Vec<Node>, steps: &[Step]) -> Result<Vec<Node>> {
        for step in steps {
            let mut next = Vec::new();
            for node in &nodes {
                let mut found = self.along(*node, step)?;
                for predicate in &step.predicates {
                    found = self.filtered(found, predicate)?;
                }
                next.append(&mut found);
            }
            nodes = self.in_order(next)?;
        }
        Ok(nodes)
    }

    fn in_order(&self, mut nodes: Vec<Node>) -> Result<Vec<Node>> {
        self.spend(nodes.len())?;
        let place = |node: &Node| match *node {
            Node::Tree(DOCUMENT) => (0, 0),
            Node::Tree(id) => (u64::from(self.grown.rank[id as usize]) + 1, 0),
            Node::Attribute(id, n) => (u64::from(self.grown.rank[id as usize]) + 1, u64::from(n) + 1),
        };
        if !nodes.is_sorted_by_key(place) {
            nodes.sort_unstable_by_key(place);
        }
        nodes.dedup();
        Ok(nodes)
    }

    fn filtered(&self, nodes: Vec<Node>, predicate: &Expr) -> Result<Vec<Node>> {
        // A plain number takes one node; the others need not be looked at.
        if let Expr::Number(number) = predicate {
            let at = (*number - 1.0).max(-1.0);
            return Ok(if at >= 0.0 && at.fract() == 0.0 {
                nodes.get(at as usize).copied().into_iter().collect()
            } else {
                Vec::new()
            });
        }
        let last = nodes.len();
        let mut kept = Vec::new();
        for (n, node) in nodes.into_iter().enumerate() {
            let position = n + 1;
            let holds = match self.value(predicate, &Context { node, position, last })? {
                Evaluated::Number(number) => number == position as f64,
                other => Self::as_truth(&other),
            };
            if holds {
                kept.push(node);
            }
        }
        Ok(kept)
    }

    /// The nodes of an axis that pass the test, in the order of the axis.
    fn along(&self, node: Node, step: &Step) -> Result<Vec<Node>> {
        let tree = &self.grown.tree;
        let mut found = Vec::new();
        let id = match node {
            Node::Tree(id) => id,
            Node::Attribute(owner, _) => {
                // Of an attribute there is itself and what is above it.
                return match step.axis {
                    Axis::Self_ if matches!(step.test, NodeTest::Node) => Ok(vec![node]),
                    Axis::Parent if self.passes(owner, &step.test) => Ok(vec![Node::Tree(owner)]),
                    Axis::Ancestor | Axis::AncestorOrSelf => {
                        let axis = Axis::AncestorOrSelf;
                        self.along(
                            Node::Tree(owner),
                            &Step { axis, test: step.test.clone(), predicates: Vec::new() },
                        )
                    }
                    _ => Ok(found),
                };
            }
        };
        let mut meet = |id: NodeId| -> Result<()> {
            self.spend(0)?;
            if self.passes(id, &step.test) {
                found.push(Node::Tree(id));
            }
            Ok(())
        };
        let follow = |from: NodeId,
                      next: fn(&super::super::arena::Node) -> NodeId,
                      meet: &mut dyn FnMut(NodeId) -> Result<()>| {
            let mut at = from;
            while at != NONE {
                meet(at)?;
                at = next(&tree.nodes[at as usize]);
            }
            Ok(())
        };
        let here = &tree.nodes[id as usize];
        match step.axis {
            Axis::Child => follow(here.first, |node| node.next, &mut meet)?,
            Axis::FollowingSibling => follow(here.next, |node| node.next, &mut meet)?,
            Axis::PrecedingSibling => follow(here.prev, |node| node.prev, &mut meet)?,
            Axis::Self_ => meet(id)?,
            Axis::Parent => {
                if here.parent != NONE {
                    meet(here.parent)?;
                }
            }
            Axis::Ancestor => follow(here.parent, |node| node.parent, &mut meet)?,
            Axis::AncestorOrSelf => follow(id, |node| node.parent, &mut meet)?,
            Axis::Descendant | Axis::DescendantOrSelf => {
                if step.axis == Axis::DescendantOrSelf {
                    meet(id)?;
                }
                let mut at = next_in_order(tree, id, id);
                while let Some(below) = at {
                    meet(below)?;
                    at = next_in_order(tree, below, id);
                }
            }
            Axis::Attribute => {
                let attributes = tree.element(id).map_or(&[][..], |element| &element.attrs);
                for (n, attribute) in attributes.iter().enumerate() {
                    self.spend(0)?;
                    let passes = match &step.test {
                        NodeTest::Name(name) => is_named(attribute, name),
                        NodeTest::Any | NodeTest::Node => true,
                        NodeTest::Text => false,
                    };
                    if passes {
                        found.push(Node::Attribute(id, n as u32));
                    }
                }
            }
        }
        Ok(found)
    }

    fn passes(&self, id: NodeId, test: &NodeTest) -> bool {
        match test {
            NodeTest::Node => true,
            NodeTest::Text => self.grown.tree.nodes[id as usize].kind == Kind::Text,
            NodeTest::Any => self.grown.is_element(id),
            NodeTest::Name(name) => self
                .grown
                .tree
                .element(id)
                .is_some_and(|element| str::eq_ignore_ascii_case(element.name(), name)),
        }
    }

    // ---- Operators and functions

    fn binary(&self, operator: Operator, left: &Expr, right: &Expr, context: &Context) -> Result<Evaluated> {
        Ok(match operator {
            Operator::Or | Operator::And => {
                let first = Self::as_truth(&self.value(left, context)?);
                let decided = first == (operator == Operator::Or);
                Evaluated::Truth(if decided { first } else { Self::as_truth(&self.value(right, context)?) })
            }
            Operator::Union => {
                let mut nodes = self.nodes(left, context)?;
                nodes.extend(self.nodes(right, context)?);
                Evaluated::Nodes(self.in_order(nodes)?)
            }
            Operator::Plus | Operator::Minus | Operator::Times | Operator::Divided | Operator::Modulo => {
                let (a, b) = (self.number(left, context)?, self.number(right, context)?);
                Evaluated::Number(match operator {
                    Operator::Plus => a + b,
                    Operator::Minus => a - b,
                    Operator::Times => a * b,
                    Operator::Divided => a / b,
                    _ => a % b,
                })
            }
            _ => {
                let (a, b) = (self.value(left, context)?, self.value(right, context)?);
                Evaluated::Truth(self.compared(operator, &a, &b)?)
            }
        })
    }

    /// Of nodes it is enough that one compares so.
    fn compared(&self, operator: Operator, a: &Evaluated, b: &Evaluated) -> Result<bool> {
        let singles = |value: &Evaluated| -> Result<Vec<Evaluated>> {
            match value {
                Evaluated::Nodes(nodes) => {
                    nodes.iter().map(|node| self.text_of(*node).map(Evaluated::Text)).collect()
                }
                other => Ok(vec![other.clone()]),
            }
        };
        if let (Evaluated::Nodes(_), Evaluated::Truth(truth))
        | (Evaluated::Truth(truth), Evaluated::Nodes(_)) = (a, b)
        {
            let other = Self::as_truth(if matches!(a, Evaluated::Nodes(_)) { a } else { b });
            return self.single(operator, &Evaluated::Truth(other), &Evaluated::Truth(*truth));
        }
        let (lefts, rights) = (singles(a)?, singles(b)?);
        for left in &lefts {
            for right in &rights {
                self.spend(0)?;
                if self.single(operator, left, right)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn single(&self, operator: Operator, a: &Evaluated, b: &Evaluated) -> Result<bool> {
        if matches!(operator, Operator::Equal | Operator::Unequal) {
            let equal = match (a, b) {
                (Evaluated::Truth(_), _) | (_, Evaluated::Truth(_)) => Self::as_truth(a) == Self::as_truth(b),
                (Evaluated::Number(_), _) | (_, Evaluated::Number(_)) => {
                    self.as_number(a)? == self.as_number(b)?
                }
                _ => self.as_text(a)? == self.as_text(b)?,
            };
            return Ok(equal == (operator == Operator::Equal));
        }
        let (a, b) = (self.as_number(a)?, self.as_number(b)?);
        Ok(match operator {
            Operator::Less => a < b,
            Operator::LessOrEqual => a <= b,
            Operator::Greater => a > b,
            _ => a >= b,
        })
    }

    fn call(&self, function: Function, arguments: &[Expr], context: &Context) -> Result<Evaluated> {
        let text = |n: usize| match arguments.get(n) {
            Some(argument) => self.text(argument, context),
            None => self.text_of(context.node),
        };
        let number = |n: usize| self.number(&arguments[n], context);
        Ok(match function {
            Function::Position => Evaluated::Number(context.position as f64),
            Function::Last => Evaluated::Number(context.last as f64),
            Function::Count => Evaluated::Number(self.nodes(&arguments[0], context)?.len() as f64),
            Function::Sum => {
                let mut sum = 0.0;
                for node in self.nodes(&arguments[0], context)? {
                    sum += to_number(&self.text_of(node)?);
                }
                Evaluated::Number(sum)
            }
            Function::Name => {
                let node = match arguments.first() {
                    Some(argument) => self.nodes(argument, context)?.first().copied(),
                    None => Some(context.node),
                };
                Evaluated::Text(match node {
                    Some(Node::Tree(id)) => {
                        self.grown.tree.element(id).map_or_else(String::new, |e| e.name().to_string())
                    }
                    Some(Node::Attribute(id, n)) => self
                        .grown
                        .attribute(id, n)
                        .map_or_else(String::new, |attribute| attribute.name.local.to_string()),
                    None => String::new(),
                })
            }
            Function::String => Evaluated::Text(text(0)?),
            Function::NormalizeSpace => Evaluated::Text(texts::collapsed(&text(0)?)),
            Function::StringLength => Evaluated::Number(text(0)?.chars().count() as f64),
            Function::Number => Evaluated::Number(match arguments.first() {
                Some(argument) => self.number(argument, context)?,
                None => to_number(&self.text_of(context.node)?),
            }),
            Function::Concat => {
                let mut out = String::new();
                for n in 0..arguments.len() {
                    out.push_str(&text(n)?);
                    self.spend(out.len() / 16)?;
                }
                Evaluated::Text(out)
            }
            Function::StartsWith => Evaluated::Truth(text(0)?.starts_with(&text(1)?)),
            Function::Contains => Evaluated::Truth(text(0)?.contains(&text(1)?)),
            Function::SubstringBefore => {
                let (whole, part) = (text(0)?, text(1)?);
                Evaluated::Text(
                    whole.split_once(&part).map_or_else(String::new, |(before, _)| before.to_owned()),
                )
            }
            Function::SubstringAfter => {
                let (whole, part) = (text(0)?, text(1)?);
                Evaluated::Text(
                    whole.split_once(&part).map_or_else(String::new, |(_, after)| after.to_owned()),
                )
            }
            Function::Substring => {
                let start = number(1)?.round();
                let end = if arguments.len() > 2 { start + number(2)?.round() } else { f64::INFINITY };
                let within = |(n, _): &(usize, char)| (*n as f64 + 1.0) >= start && (*n as f64 + 1.0) < end;
                Evaluated::Text(text(0)?.chars().enumerate().filter(within).map(|(_, c)| c).collect())
            }
            Function::Translate => {
                let (from, to): (Vec<char>, Vec<char>) =
                    (text(1)?.chars().collect(), text(2)?.chars().collect());
                let whole = text(0)?;
                self.spend(whole.len() * from.len() / 16)?;
                let translated =
                    whole.chars().filter_map(|c| match from.iter().position(|known| *known == c) {
                        Some(n) => to.get(n).copied(),
                        None => Some(c),
                    });
                Evaluated::Text(translated.collect())
            }
            Function::Boolean => Evaluated::Truth(Self::as_truth(&self.value(&arguments[0], context)?)),
            Function::Not => Evaluated::Truth(!Self::as_truth(&self.value(&arguments[0], context)?)),
            Function::True => Evaluated::Truth(true),
            Function::False => Evaluated::Truth(false),
            Function::Floor => Evaluated::Number(number(0)?.floor()),
            Function::Ceiling => Evaluated::Number(number(0)?.ceil()),
            Function::Round => Evaluated::Number((number(0)? + 0.5).floor()),
        })
    }
}

fn to_number(text: &str) -> f64 {
    let text = text.trim();
    // Only what XPath writes is a number: no exponents, no names.
    if text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.')) {
        text.parse().unwrap_or(f64::NAN)
    } else {
        f64::NAN
    }
}
