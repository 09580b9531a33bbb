//! RDFa: what the attributes of RDFa Lite say, by the rules of RDFa Core 1.1 ("Sequence") and HTML+RDFa.
//!
//! `rel` and `rev` make no statements here, since RDFa Lite has none; but they keep an address from being a property's value.

use super::arena::{Element, NONE, NodeId};
use super::walk::Walk;
use crate::structured::{is_schema, schema_name};
use hashbrown::HashMap;
use html5ever::{LocalName, local_name};
use model::structured::{Entity, Property, PropertyValue, Syntax};
use std::rc::Rc;

/// Subjects and statements that are told apart; what comes after is left out.
const MAX_STATEMENTS: usize = 5_000;
/// Prefixes that are known without being declared, as far as pages use them.
const PREFIXES: &[(&str, &str)] = &[
    ("schema", "http://schema.org/"),
    ("og", "http://ogp.me/ns#"),
    ("dc", "http://purl.org/dc/terms/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
];
/// What says something of the page as a shared link, not of an entity on it.
const SOCIAL: &[&str] = &["og:", "twitter:", "fb:", "article:", "product:", "al:"];

/// What holds around an element.
#[derive(Debug, Clone)]
struct Around {
    vocab: Rc<str>,
    prefixes: Rc<Vec<(String, String)>>,
    /// The subject that properties are said of.
    subject: usize,
    /// The element around whose address is the subject instead, should anything be said of it.
    link: Option<NodeId>,
}

#[derive(Debug)]
enum Value {
    Text(Box<str>),
    Url(Box<str>),
    Subject(usize),
}

#[derive(Debug)]
struct Subject {
    node: NodeId,
    id: Option<Box<str>>,
    types: Vec<Box<str>>,
    said: Vec<(Box<str>, Value, u32)>,
    /// Something else has it for a value.
    is_value: bool,
}

#[derive(Debug, Default)]
struct Graph {
    subjects: Vec<Subject>,
    by_id: HashMap<Box<str>, usize>,
    statements: usize,
}

impl Graph {
    fn subject(&mut self, node: NodeId, id: Option<Box<str>>) -> usize {
        if let Some(known) = id.as_ref().and_then(|id| self.by_id.get(id)) {
            return *known;
        }
        let new = self.subjects.len();
        if let Some(id) = &id {
            self.by_id.insert(id.clone(), new);
        }
        self.subjects.push(Subject { node, id, types: Vec::new(), said: Vec::new(), is_value: false });
        new
    }
}

/// A property said of a subject.
#[derive(Clone, Copy)]
struct Statement<'s> {
    id: NodeId,
    element: &'s Element,
    name: &'s str,
    subject: usize,
    /// The element is an entity of its own, and that is the value.
    of_its_own: Option<usize>,
    /// `rel` or `rev` has the address for itself.
    is_related: bool,
}

fn address_of(element: &Element) -> Option<&str> {
    let attr = |name: LocalName| element.attr(&name).map(|value| value.trim());
    attr(local_name!("href")).or_else(|| attr(local_name!("src")))
}

impl Walk<'_> {
    pub(crate) fn read_rdfa(&mut self) {
        let tree = self.tree;
        let mut graph = Graph::default();
        let base = self.resolver.parse("").map(|url| Box::from(url.as_str()));
        let document = graph.subject(super::arena::DOCUMENT, base);
        let start = Around { vocab: "".into(), prefixes: Rc::default(), subject: document, link: None };
        let mut open: Vec<(NodeId, Around)> = Vec::new();
        let mut at = tree.nodes[super::arena::DOCUMENT as usize].first;
        while graph.statements < MAX_STATEMENTS && graph.subjects.len() < MAX_STATEMENTS {
            if at == NONE {
                let Some((left, _)) = open.pop() else { break };
                at = tree.nodes[left as usize].next;
                continue;
            }
            let node = &tree.nodes[at as usize];
            if let Some(element) = tree.element(at)
                && node.first != NONE
            {
                let around = open.last().map_or(&start, |(_, around)| around).clone();
                let inside = self.rdfa_element(at, element, around, &mut graph);
                open.push((at, inside));
                at = node.first;
                continue;
            }
            if let Some(element) = tree.element(at) {
                let around = open.last().map_or(&start, |(_, around)| around).clone();
                self.rdfa_element(at, element, around, &mut graph);
            }
            at = node.next;
        }
        self.structured.budget.is_cut |= at != NONE || !open.is_empty();
        let tops: Vec<usize> = (0..graph.subjects.len())
            .filter(|n| !graph.subjects[*n].is_value && !graph.subjects[*n].types.is_empty())
            .collect();
        let mut told = vec![false; graph.subjects.len()];
        for top in tops {
            let entity = self.rdfa_entity(&graph, top, 0, &mut told);
            self.facts.structured.entities.extend(entity);
        }
    }

    /// What an element says; gives what holds in it.
    fn rdfa_element(
        &mut self,
        id: NodeId,
        element: &Element,
        mut around: Around,
        graph: &mut Graph,
    ) -> Around {
        let attr = |name: &'static str| {
            element.attrs.iter().find(|attr| &*attr.name.local == name).map(|attr| attr.value.trim())
        };
        if let Some(vocab) = attr("vocab") {
            around.vocab = vocab.into();
        }
        if let Some(prefixes) = attr("prefix") {
            around.prefixes = Rc::new(with_prefixes(&around.prefixes, prefixes));
        }
        let (property, content) = (attr("property"), attr("content"));
        let (kinds, about) = (attr("typeof"), attr("about"));
        let resource = attr("resource");
        let link = address_of(element);
        if property.is_none() && kinds.is_none() && about.is_none() && resource.is_none() {
            if link.is_some() {
                around.link = Some(id);
            }
            return around;
        }
        if let Some(link) = around.link.take() {
            let address = self.tree.element(link).and_then(address_of);
            around.subject = self.rdfa_subject(link, address, &around, graph);
        }
        // HTML+RDFa: beside a property only what is no plain word of HTML counts.
        let is_relation = |name| {
            attr(name).is_some_and(|words: &str| {
                property.is_none() || words.split_ascii_whitespace().any(|word| word.contains(':'))
            })
        };
        let is_related = is_relation("rel") || is_relation("rev");
        let parent = around.subject;
        let mut typed = None;
        let mut subject = parent;
        let mut inside = None;
        let is_value = property.is_some() && content.is_none() && !is_related;
        if is_value || is_related {
            if about.is_some() {
                subject = self.rdfa_subject(id, about, &around, graph);
            }
            if kinds.is_some() {
                let named = about.or(resource).or(link);
                typed = Some(self.rdfa_subject(id, named, &around, graph));
            }
            inside = typed;
            if is_related && typed.is_none() && (resource.is_some() || link.is_some()) {
                inside = Some(self.rdfa_subject(id, resource.or(link), &around, graph));
            }
        } else {
            let named = about.or(resource).or(link);
            if named.is_some() || kinds.is_some() {
                subject = self.rdfa_subject(id, named, &around, graph);
            }
            typed = kinds.map(|_| subject);
        }
        if let (Some(kinds), Some(typed)) = (kinds, typed) {
            for kind in kinds.split_ascii_whitespace() {
                let Some(kind) = name_of(kind, &around) else { continue };
                let types = &mut graph.subjects[typed].types;
                if !types.iter().any(|known| **known == *kind) {
                    types.extend(self.structured.budget.keep(&kind));
                }
            }
        }
        if let Some(property) = property {
            let of_its_own = typed.filter(|_| is_value && about.is_none());
            for name in property.split_ascii_whitespace() {
                let statement = Statement { id, element, name, subject, of_its_own, is_related };
                self.rdfa_statement(&statement, &around, graph);
            }
        }
        // What is in an element that is a value is said of that value.
        around.subject = inside.unwrap_or(subject);
        around
    }

    fn rdfa_statement(&mut self, statement: &Statement, around: &Around, graph: &mut Graph) {
        let Statement { id, element, name, subject, of_its_own, is_related } = *statement;
        if SOCIAL
            .iter()
            .any(|prefix| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)))
        {
            return;
        }
        let Some(name) = name_of(name, around).and_then(|name| self.structured.budget.keep(&name)) else {
            return;
        };
        let attr = |name: LocalName| element.attr(&name).map(|value| value.trim());
        let resource =
            element.attrs.iter().find(|attr| &*attr.name.local == "resource").map(|attr| attr.value.trim());
        let address = resource.or_else(|| address_of(element)).filter(|_| !is_related);
        let value = if let Some(content) = attr(local_name!("content")) {
            self.structured.budget.keep(content).map(Value::Text)
        } else if let Some(own) = of_its_own {
            graph.subjects[own].is_value |= own != subject;
            Some(Value::Subject(own))
        } else if let Some(address) = address {
            self.rdfa_address(address, around).map(Value::Url)
        } else {
            let told = attr(local_name!("datetime")).or_else(|| attr(local_name!("value")));
            let text = told.map_or_else(|| self.text_in(id), str::to_owned);
            self.structured.budget.keep(&text).map(Value::Text)
        };
        if let Some(value) = value {
            graph.statements += 1;
            let line = self.line(id);
            graph.subjects[subject].said.push((name, value, line));
        }
    }

    fn rdfa_subject(
        &mut self,
        node: NodeId,
        named: Option<&str>,
        around: &Around,
        graph: &mut Graph,
    ) -> usize {
        let id = named.and_then(|named| self.rdfa_address(named, around));
        graph.subject(node, id)
    }

    /// An address, or an abbreviated one (`[schema:x]`, `schema:x`), made whole.
    fn rdfa_address(&mut self, written: &str, around: &Around) -> Option<Box<str>> {
        let short = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(written);
        if short.starts_with("_:") {
            return self.structured.budget.keep(short);
        }
        match short.split_once(':').filter(|(_, local)| !local.starts_with("//")) {
            Some((prefix, local)) if around.prefix(prefix).is_some() => {
                let whole = format!("{}{local}", around.prefix(prefix).unwrap_or_default());
                self.structured.budget.keep(&whole)
            }
            _ => self.whole_address(short),
        }
    }

    /// A subject with all that is said of it, once: where it is a value a second time its id has to do.
    fn rdfa_entity(&mut self, graph: &Graph, n: usize, level: u32, told: &mut [bool]) -> Option<Entity> {
        if told[n] || !self.structured.budget.admits(level) {
            return None;
        }
        told[n] = true;
        let subject = &graph.subjects[n];
        let path = Some(self.path_of(subject.node));
        let mut entity = Entity::new(Syntax::Rdfa, self.line(subject.node), path);
        entity.types.clone_from(&subject.types);
        entity.id.clone_from(&subject.id);
        for (name, value, line) in &subject.said {
            let value = match value {
                Value::Text(text) => Some(PropertyValue::Text(text.clone())),
                Value::Url(url) => Some(PropertyValue::Url(url.clone())),
                Value::Subject(inner) if told[*inner] => {
                    graph.subjects[*inner].id.clone().map(PropertyValue::Url)
                }
                Value::Subject(inner) => self
                    .rdfa_entity(graph, *inner, level + 1, told)
                    .map(|inner| PropertyValue::Entity(Box::new(inner))),
            };
            entity.properties.extend(value.map(|value| Property { name: name.clone(), value, line: *line }));
        }
        Some(entity)
    }
}

impl Around {
    fn prefix(&self, prefix: &str) -> Option<&str> {
        let own = self.prefixes.iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(prefix));
        own.map(|(_, start)| start.as_str()).or_else(|| {
            PREFIXES.iter().find(|(known, _)| known.eq_ignore_ascii_case(prefix)).map(|(_, start)| *start)
        })
    }
}

/// A type or property as entities keep it; none where no vocabulary says what it is.
fn name_of(name: &str, around: &Around) -> Option<String> {
    let bare = |iri: String| schema_name(&iri).map(str::to_owned).unwrap_or(iri);
    if let Some((prefix, local)) = name.split_once(':') {
        return Some(match around.prefix(prefix) {
            Some(start) if !local.starts_with("//") => bare(format!("{start}{local}")),
            _ => bare(name.to_owned()),
        });
    }
    match &*around.vocab {
        "" => None,
        vocab if is_schema(vocab) => Some(name.to_owned()),
        vocab => Some(bare(format!("{vocab}{name}"))),
    }
}

/// `prefix: address prefix: address …`
fn with_prefixes(known: &[(String, String)], said: &str) -> Vec<(String, String)> {
    let mut prefixes = known.to_vec();
    let mut words = said.split_ascii_whitespace();
    while let (Some(prefix), Some(address)) = (words.next(), words.next()) {
        if let Some(prefix) = prefix.strip_suffix(':') {
            prefixes.push((prefix.to_owned(), address.to_owned()));
        }
    }
    prefixes
}
