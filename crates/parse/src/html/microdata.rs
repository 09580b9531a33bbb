//! Microdata: items and their properties (HTML, "Microdata").
//!
//! As search engines do, and other than the standard, a `content` attribute gives the value wherever it stands.

use super::arena::{Element, NONE, NodeId};
use super::walk::Walk;
use crate::structured::schema_name;
use hashbrown::{HashMap, HashSet};
use html5ever::{LocalName, local_name};
use model::structured::{Entity, Property, PropertyValue, Syntax};

/// Nodes that are looked at in all items of a page together: references make one element part of many items.
const MAX_STEPS: u32 = 2_000_000;

/// What the reading of a page's items needs besides the tree.
#[derive(Debug, Default)]
struct Course {
    /// Elements by their id, once an item refers to some.
    ids: Option<HashMap<Box<str>, NodeId>>,
    /// The items around the one that is read.
    around: Vec<NodeId>,
    steps: u32,
}

impl Walk<'_> {
    pub(crate) fn read_microdata(&mut self) {
        let mut course = Course::default();
        for id in std::mem::take(&mut self.structured.items) {
            let Some(element) = self.tree.element(id) else { continue };
            if element.attr(&local_name!("itemprop")).is_none()
                && let Some(item) = self.item(id, element, &mut course)
            {
                self.facts.structured.entities.push(item);
            }
        }
    }

    fn item(&mut self, id: NodeId, element: &Element, course: &mut Course) -> Option<Entity> {
        let level = course.around.len() as u32;
        if course.around.contains(&id) || !self.structured.budget.admits(level) {
            return None;
        }
        let path = Some(self.path_of(id));
        let mut item = Entity::new(Syntax::Microdata, self.line(id), path);
        let attr = |name: LocalName| element.attr(&name).map(|value| value.trim());
        for name in attr(local_name!("itemtype")).unwrap_or_default().split_ascii_whitespace() {
            let name = match schema_name(name) {
                Some(known) => known.to_owned(),
                None if name.contains(':') => name.to_owned(),
                None => format!(":{name}"),
            };
            item.types.extend(self.structured.budget.keep(&name));
        }
        if let Some(name) = attr(local_name!("itemid")).filter(|name| !name.is_empty()) {
            item.id = self.whole_address(name);
        }
        // The names of an item belong to the vocabulary of its types.
        let is_schema = item.types.iter().any(|name| !name.contains(':'));
        course.around.push(id);
        for place in self.properties_of(id, element, course) {
            self.property(&mut item, place, is_schema, course);
        }
        course.around.pop();
        Some(item)
    }

    /// HTML, "the properties of an item": the elements, in tree order.
    fn properties_of(&self, id: NodeId, element: &Element, course: &mut Course) -> Vec<NodeId> {
        let tree = self.tree;
        let mut roots = Vec::new();
        if let Some(refs) = element.attr(&local_name!("itemref")) {
            let ids = course.ids.get_or_insert_with(|| self.elements_by_id());
            roots.extend(refs.split_ascii_whitespace().filter_map(|name| ids.get(name).copied()));
        }
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let own = std::iter::once((id, false));
        for (root, is_itself) in own.chain(roots.into_iter().map(|root| (root, true))) {
            let mut at = if is_itself { root } else { tree.nodes[root as usize].first };
            while at != NONE && course.steps < MAX_STEPS {
                course.steps += 1;
                let node = &tree.nodes[at as usize];
                let mut goes_in = node.first != NONE;
                if let Some(element) = tree.element(at) {
                    if at == id || !seen.insert(at) {
                        goes_in = false;
                    } else {
                        if element.attr(&local_name!("itemprop")).is_some() {
                            found.push(at);
                        }
                        goes_in &= element.attr(&local_name!("itemscope")).is_none();
                    }
                }
                at = if goes_in { node.first } else { self.after(at, root) };
            }
        }
        found.sort_by_key(|id| tree.nodes[*id as usize].b);
        found
    }

    fn elements_by_id(&self) -> HashMap<Box<str>, NodeId> {
        let mut ids = HashMap::new();
        for id in 0..self.tree.nodes.len() as NodeId {
            let name = self.tree.element(id).and_then(|element| element.attr(&local_name!("id")));
            if let Some(name) = name
                && self.tree.is_attached(id)
            {
                ids.entry(Box::from(&**name)).or_insert(id);
            }
        }
        ids
    }

    fn property(&mut self, item: &mut Entity, id: NodeId, is_schema: bool, course: &mut Course) {
        let tree = self.tree;
        let Some(element) = tree.element(id) else { return };
        let names = element.attr(&local_name!("itemprop")).map_or("", |names| &**names);
        let value = if element.attr(&local_name!("itemscope")).is_some() {
            self.item(id, element, course).map(|inner| PropertyValue::Entity(Box::new(inner)))
        } else {
            self.item_value(id, element)
        };
        let (Some(value), line) = (value, self.line(id)) else { return };
        for (n, name) in names.split_ascii_whitespace().enumerate() {
            // The same value under another name is kept once more.
            if n > 0 && !self.structured.budget.admits_again(&value, course.around.len() as u32) {
                return;
            }
            let name = match schema_name(name) {
                Some(known) => known.to_owned(),
                None if is_schema || name.contains(':') => name.to_owned(),
                None => format!(":{name}"),
            };
            if let Some(name) = self.structured.budget.keep(&name) {
                item.properties.push(Property { name, value: value.clone(), line });
            }
        }
    }

    /// HTML, "the property value".
    fn item_value(&mut self, id: NodeId, element: &Element) -> Option<PropertyValue> {
        let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
        if let Some(content) = attr(local_name!("content")) {
            return self.structured.budget.keep(content).map(PropertyValue::Text);
        }
        let address = match *element.name() {
            local_name!("audio")
            | local_name!("embed")
            | local_name!("iframe")
            | local_name!("img")
            | local_name!("source")
            | local_name!("track")
            | local_name!("video") => Some(attr(local_name!("src"))),
            local_name!("a") | local_name!("area") | local_name!("link") => Some(attr(local_name!("href"))),
            local_name!("object") => Some(attr(local_name!("data"))),
            _ => None,
        };
        if let Some(address) = address {
            return match address.map(str::trim).filter(|address| !address.is_empty()) {
                Some(address) => self.whole_address(address).map(PropertyValue::Url),
                None => Some(PropertyValue::Text(Box::default())),
            };
        }
        let text = match *element.name() {
            local_name!("meta") => Some(""),
            local_name!("data") | local_name!("meter") => {
                Some(attr(local_name!("value")).unwrap_or_default())
            }
            local_name!("time") => attr(local_name!("datetime")),
            _ => None,
        };
        let text = text.map_or_else(|| self.text_in(id), str::to_owned);
        self.structured.budget.keep(&text).map(PropertyValue::Text)
    }
}
