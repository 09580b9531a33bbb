//! What is wrong with the entities of a page: terms that schema.org does not know, and what Google's rich results lack.
//!
//! Requirements hold for entities that stand for themselves: those written into no other, whoever names them by their id, and what
//! a page is about (`mainEntity`). One that is written as the value of another's property is judged as that value only, and so is
//! a review or rating that another entity names as its own: it need not say what it is about.

use super::profile::{Wanted, profile};
use super::vocabulary::vocabulary;
use hashbrown::{HashMap, HashSet};
use model::FlawKind;
use model::structured::{Entity, EntityProblem, Property, PropertyValue, StructuredData, Syntax};

/// A property that Google's documentation spells otherwise than the vocabulary does.
const ALSO_KNOWN: &[&str] = &["xPath"];
/// Types of schema.org's predecessor.
const DATA_VOCABULARY: &str = "data-vocabulary.org/";
/// Properties whose addresses are those of pages, whatever else has the same one.
const NAMES_PAGES: &[&str] = &["url", "sameAs", "mainEntityOfPage", "item"];

/// Types whose entities are about the one that names them.
const OPINIONS: &[&str] = &["Review", "AggregateRating"];

/// Notes in every entity what is wrong with it.
pub(crate) fn judge(data: &mut StructuredData) {
    merge(data);
    let problems = {
        let mut page = Page::of(data);
        page.judge(data);
        page.problems
    };
    let mut problems = problems.into_iter();
    for entity in &mut data.entities {
        hand_out(entity, &mut problems);
    }
}

/// Makes one of the nodes of JSON-LD that have the same id, in one script or in several: the first one has what all of them say.
fn merge(data: &mut StructuredData) {
    let mut first: HashMap<Box<str>, usize> = HashMap::new();
    let mut merged: Vec<Entity> = Vec::with_capacity(data.entities.len());
    for entity in data.entities.drain(..) {
        let id = entity.id.clone().filter(|id| {
            // A local name means something else in every script.
            entity.syntax == Syntax::JsonLd && !entity.is_unread && !id.starts_with("_:")
        });
        let known = id.as_ref().and_then(|id| first.get(id)).and_then(|at| merged.get_mut(*at));
        let Some(known) = known else {
            if let Some(id) = id {
                first.insert(id, merged.len());
            }
            merged.push(entity);
            continue;
        };
        for name in entity.types {
            if !known.types.contains(&name) {
                known.types.push(name);
            }
        }
        for property in entity.properties {
            let is_same = |other: &Property| other.name == property.name && other.value == property.value;
            if !known.properties.iter().any(is_same) {
                known.properties.push(property);
            }
        }
        known.problems.extend(entity.problems);
    }
    data.entities = merged;
}

fn hand_out(entity: &mut Entity, problems: &mut impl Iterator<Item = Vec<EntityProblem>>) {
    entity.problems.extend(problems.next().unwrap_or_default());
    for property in &mut entity.properties {
        if let PropertyValue::Entity(value) = &mut property.value {
            hand_out(value, problems);
        }
    }
}

struct Page<'e> {
    by_id: HashMap<&'e str, &'e Entity>,
    /// The ids that properties of other entities name.
    named: HashSet<&'e str>,
    /// What the entities are counted as, by their place in memory.
    numbers: HashMap<*const Entity, usize>,
    /// By that number.
    problems: Vec<Vec<EntityProblem>>,
    /// The entities that a page is about.
    subjects: Vec<&'e Entity>,
}

impl<'e> Page<'e> {
    fn of(data: &'e StructuredData) -> Self {
        let mut page = Self {
            by_id: HashMap::new(),
            named: HashSet::new(),
            numbers: HashMap::new(),
            problems: Vec::new(),
            subjects: Vec::new(),
        };
        for entity in &data.entities {
            page.meet(entity);
        }
        for entity in data.entities.iter().filter(|entity| !entity.is_unread) {
            page.find_subjects(entity);
        }
        page
    }

    fn meet(&mut self, entity: &'e Entity) {
        self.numbers.insert(std::ptr::from_ref(entity), self.problems.len());
        self.problems.push(Vec::new());
        if let Some(id) = entity.id.as_deref() {
            // Of several descriptions of one thing the fullest tells most.
            let known = self.by_id.entry(id).or_insert(entity);
            if known.properties.len() < entity.properties.len() {
                *known = entity;
            }
        }
        for property in &entity.properties {
            let named = match &property.value {
                PropertyValue::Entity(value) => {
                    self.meet(value);
                    // Nothing but a type and an id: it is described elsewhere.
                    value.id.as_deref().filter(|_| value.properties.is_empty())
                }
                PropertyValue::Url(url) if !NAMES_PAGES.contains(&&*property.name) => Some(&**url),
                PropertyValue::Url(_) | PropertyValue::Text(_) => None,
            };
            self.named.extend(named.filter(|id| entity.id.as_deref() != Some(id)));
        }
    }

    fn find_subjects(&mut self, entity: &'e Entity) {
        let is_page = entity.types.iter().any(|name| vocabulary().line(name).contains(&"WebPage"));
        // Of a page that is itself a rich result, what it is about is a part.
        let is_plain = profile().of(entity.types.iter().map(|name| &**name)).is_empty();
        for property in &entity.properties {
            if is_page
                && is_plain
                && &*property.name == "mainEntity"
                && let Some(subject) = self.entity(&property.value)
            {
                self.subjects.push(subject);
            }
            if let PropertyValue::Entity(value) = &property.value {
                self.find_subjects(value);
            }
        }
    }

    /// The entity that a value is, or names.
    fn entity(&self, value: &'e PropertyValue) -> Option<&'e Entity> {
        match value {
            PropertyValue::Entity(entity) => {
                let described = entity.id.as_deref().and_then(|id| self.by_id.get(id).copied());
                Some(described.unwrap_or(entity))
            }
            PropertyValue::Url(url) => self.by_id.get(&**url).copied(),
            PropertyValue::Text(_) => None,
        }
    }

    fn note(&mut self, entity: &Entity, kind: FlawKind, line: u32, detail: String) {
        let number = self.numbers.get(&std::ptr::from_ref(entity)).copied();
        let Some(problems) = number.and_then(|number| self.problems.get_mut(number)) else { return };
        let problem = EntityProblem { kind, detail: detail.into(), line };
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }

    fn judge(&mut self, data: &'e StructuredData) {
        for entity in data.entities.iter().filter(|entity| !entity.is_unread) {
            self.terms(entity);
            let is_opinion = entity
                .types
                .iter()
                .any(|name| vocabulary().line(name).iter().any(|above| OPINIONS.contains(above)));
            let is_part = is_opinion && entity.id.as_deref().is_some_and(|id| self.named.contains(id));
            if !is_part {
                self.rich_results(entity);
            }
        }
        let subjects: HashMap<*const Entity, &Entity> =
            self.subjects.iter().map(|entity| (std::ptr::from_ref(*entity), *entity)).collect();
        for entity in subjects.into_values() {
            self.rich_results(entity);
        }
    }

    fn rich_results(&mut self, entity: &'e Entity) {
        let mut recommended = Vec::new();
        for result in profile().of(entity.types.iter().map(|name| &**name)) {
            if result.when.is_empty() || result.when.iter().any(|path| self.has(entity, path, false)) {
                self.wanted(entity, &result.wanted, true, &mut recommended);
            }
        }
        self.recommend(entity, recommended);
        for retired in profile().retired(&entity.types) {
            if retired.having.is_empty() || retired.having.iter().any(|path| self.has(entity, path, false)) {
                let detail = format!("rich result “{}”, not shown since {}", retired.name, retired.since);
                self.note(entity, FlawKind::StructuredDeprecated, entity.line, detail);
            }
        }
    }

    fn recommend(&mut self, entity: &Entity, recommended: Vec<&str>) {
        let mut once: Vec<String> = Vec::new();
        for wanted in recommended {
            let words = in_words(wanted);
            if !once.contains(&words) {
                once.push(words);
            }
        }
        if !once.is_empty() {
            self.note(entity, FlawKind::StructuredRecommendedMissing, entity.line, once.join(", "));
        }
    }

    fn wanted<'w>(
        &mut self,
        entity: &'e Entity,
        wanted: &'w Wanted,
        is_last: bool,
        recommended: &mut Vec<&'w str>,
    ) {
        let but_last: &[String] = if is_last { &[] } else { &wanted.required_but_last };
        for required in wanted.required.iter().chain(but_last) {
            if !self.has_one(entity, required) {
                self.note(entity, FlawKind::StructuredRequiredMissing, entity.line, in_words(required));
            }
        }
        recommended.extend(
            wanted.recommended.iter().filter(|wanted| !self.has_one(entity, wanted)).map(String::as_str),
        );
        for part in &wanted.parts {
            let values: Vec<&Entity> = entity
                .properties
                .iter()
                .filter(|property| *property.name == *part.property)
                .filter_map(|property| self.entity(&property.value))
                .filter(|value| part.is_about(&value.types))
                .collect();
            let last = last_of(&values);
            for (n, value) in values.into_iter().enumerate() {
                let mut of_part = Vec::new();
                self.wanted(value, &part.wanted, n == last, &mut of_part);
                self.recommend(value, of_part);
            }
        }
    }

    fn has_one(&self, entity: &'e Entity, wanted: &str) -> bool {
        wanted.split('|').any(|path| self.has(entity, path, true))
    }

    /// Whether something stands at the end of the path. `unless_unknown`: a value that is no entity described on the page is taken
    /// to have what nobody can tell.
    fn has(&self, entity: &'e Entity, path: &str, unless_unknown: bool) -> bool {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        entity.properties.iter().filter(|property| &*property.name == name).any(|property| {
            match (self.entity(&property.value), rest) {
                (Some(value), Some(rest)) => self.has(value, rest, unless_unknown),
                (Some(_), None) => true,
                (None, rest) => is_said(&property.value) && (rest.is_none() || unless_unknown),
            }
        })
    }

    /// Terms that schema.org does not know, or that gave way to others.
    fn terms(&mut self, entity: &'e Entity) {
        let words = vocabulary();
        let own: Vec<&str> = entity.types.iter().map(|name| &**name).collect();
        for name in &own {
            if name.contains(DATA_VOCABULARY) {
                let detail = format!("{name}: data-vocabulary.org, not read since 2021-01-29");
                self.note(entity, FlawKind::StructuredDeprecated, entity.line, detail);
            }
            if name.contains(':') {
                continue;
            }
            if let Some(new) = words.successor(name) {
                self.note(entity, FlawKind::StructuredDeprecated, entity.line, format!("{name}, now {new}"));
            } else if !words.is_type(name) {
                self.note(entity, FlawKind::StructuredUnknownTerm, entity.line, format!("type {name}"));
            }
        }
        // A role takes the properties of what it stands between; of types that nobody knows the properties are not known either.
        let is_known = !own.is_empty()
            && own.iter().all(|name| words.is_type(name) && !words.line(name).contains(&"Role"));
        for property in &entity.properties {
            self.term(entity, property, is_known.then_some(own.as_slice()));
            if let PropertyValue::Entity(value) = &property.value {
                self.terms(value);
            }
        }
    }

    fn term(&mut self, entity: &Entity, property: &Property, types: Option<&[&str]>) {
        let words = vocabulary();
        let name = &*property.name;
        if name.contains(':') || ALSO_KNOWN.contains(&name) {
            return;
        }
        // What an action takes and gives is annotated like this.
        let bare = name.strip_suffix("-input").or_else(|| name.strip_suffix("-output")).unwrap_or(name);
        if let Some(new) = words.successor(bare).filter(|_| words.is_property(bare)) {
            self.note(entity, FlawKind::StructuredDeprecated, property.line, format!("{name}, now {new}"));
        } else if !words.is_property(bare) {
            self.note(entity, FlawKind::StructuredUnknownTerm, property.line, name.to_owned());
        } else if types.is_some_and(|types| !types.iter().any(|kind| words.has(kind, bare))) {
            let detail = format!("{name}, no property of this type");
            self.note(entity, FlawKind::StructuredUnknownTerm, property.line, detail);
        }
    }
}

/// The last of the values: where all have positions, the one with the greatest.
fn last_of(values: &[&Entity]) -> usize {
    let position = |entity: &Entity| {
        entity.properties.iter().find(|property| &*property.name == "position").and_then(|property| {
            match &property.value {
                PropertyValue::Text(text) => text.trim().parse::<u32>().ok(),
                PropertyValue::Url(_) | PropertyValue::Entity(_) => None,
            }
        })
    };
    let is_ordered = values.iter().all(|value| position(value).is_some());
    (0..values.len())
        .max_by_key(|n| (if is_ordered { position(values[*n]) } else { None }, *n))
        .unwrap_or_default()
}

fn is_said(value: &PropertyValue) -> bool {
    match value {
        PropertyValue::Text(text) | PropertyValue::Url(text) => !text.trim().is_empty(),
        PropertyValue::Entity(_) => true,
    }
}

/// `offers|review|aggregateRating` as a person says it.
fn in_words(wanted: &str) -> String {
    match wanted.rsplit_once('|') {
        None => wanted.to_owned(),
        Some((first, last)) => format!("{} or {last}", first.replace('|', ", ")),
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
