//! JSON-LD scripts as entities.

use super::json::{Json, Member};
use super::vocabulary::vocabulary;
use super::{Budget, is_schema, schema_name};
use model::FlawKind;
use model::structured::{Entity, EntityProblem, Property, PropertyValue, Syntax};
use std::rc::Rc;

pub(crate) fn is_json_ld(kind: &str) -> bool {
    let essence = kind.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/ld+json")
}

/// Where a script stands.
pub(crate) struct Place<'p> {
    /// The line of a byte of the script's text.
    pub(crate) line: &'p dyn Fn(usize) -> u32,
    /// The script's element.
    pub(crate) path: u32,
    /// Makes an id absolute.
    pub(crate) resolve: &'p dyn Fn(&str) -> Option<String>,
}

/// The entities of a script that are no other's value, in document order.
pub(crate) fn entities(script: &Json, place: &Place, budget: &mut Budget) -> Vec<Entity> {
    let mut reader = Reader { place, budget, found: Vec::new() };
    reader.top(script, &Scope::default());
    reader.found
}

/// What names mean here.
#[derive(Debug, Clone, Default)]
struct Scope {
    words: Words,
    /// Another context, which is not known here, may define names as well.
    is_mixed: bool,
    /// Names that the page's own contexts define, and what they stand for. The last counts.
    terms: Rc<Vec<(String, String)>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Words {
    /// No context says anything.
    #[default]
    Nobodys,
    Schema,
    Of(Rc<str>),
    /// Those of a context that is not known here.
    Unknown,
}

impl Scope {
    fn with(&self, context: &Json) -> Self {
        let mut scope = self.clone();
        scope.add(context);
        scope
    }

    fn add(&mut self, context: &Json) {
        match context {
            Json::Text(address) if is_schema(address) => {
                self.is_mixed |= self.words == Words::Unknown;
                self.words = Words::Schema;
            }
            Json::Text(_) => {
                if self.words == Words::Schema {
                    self.is_mixed = true;
                } else {
                    self.words = Words::Unknown;
                }
            }
            Json::Array(contexts) => contexts.iter().for_each(|context| self.add(context)),
            Json::Object(members, _) => self.define(members),
            Json::Null => *self = Self::default(),
            Json::Other(_) => {}
        }
    }

    fn define(&mut self, members: &[Member]) {
        let mut terms = self.terms.to_vec();
        for member in members {
            let meaning = match &member.value {
                Json::Text(text) => Some(&**text),
                Json::Object(inner, _) => text_of(inner, "@id"),
                _ => None,
            };
            match (&*member.name, meaning) {
                ("@vocab", Some(iri)) if is_schema(iri) => self.words = Words::Schema,
                ("@vocab", Some(iri)) => self.words = Words::Of(iri.into()),
                (name, Some(meaning)) if !name.starts_with('@') => {
                    terms.push((name.to_owned(), meaning.to_owned()));
                }
                _ => {}
            }
        }
        self.terms = Rc::new(terms);
    }

    fn term(&self, name: &str) -> Option<&str> {
        self.terms.iter().rev().find(|(term, _)| term == name).map(|(_, meaning)| meaning.as_str())
    }

    /// A name as entities keep it; a keyword as such.
    fn expand(&self, name: &str) -> String {
        let name = name.trim();
        match self.term(name) {
            Some(meaning) => self.address(meaning),
            None if self.words == Words::Schema && name == "id" => "@id".to_owned(),
            None if self.words == Words::Schema && name == "type" => "@type".to_owned(),
            None => self.address(name),
        }
    }

    fn address(&self, name: &str) -> String {
        let bare = |iri: String| schema_name(&iri).map(str::to_owned).unwrap_or(iri);
        if name.starts_with('@') {
            return name.to_owned();
        }
        if let Some((prefix, local)) = name.split_once(':') {
            return match self.term(prefix) {
                Some(start) if !local.starts_with("//") => bare(format!("{start}{local}")),
                // The context of schema.org defines this prefix itself.
                None if prefix == "schema" && self.words == Words::Schema => {
                    bare(format!("https://schema.org/{local}"))
                }
                _ => bare(name.to_owned()),
            };
        }
        match &self.words {
            Words::Schema => {
                let is_known = || vocabulary().is_type(name) || vocabulary().is_property(name);
                if self.is_mixed && !is_known() { format!(":{name}") } else { name.to_owned() }
            }
            Words::Of(start) => bare(format!("{start}{name}")),
            Words::Nobodys | Words::Unknown => format!(":{name}"),
        }
    }
}

/// The text of a member.
fn text_of<'m>(members: &'m [Member], name: &str) -> Option<&'m str> {
    members.iter().find(|member| member.name == name).and_then(|member| match &member.value {
        Json::Text(text) => Some(&**text),
        _ => None,
    })
}

struct Reader<'r> {
    place: &'r Place<'r>,
    budget: &'r mut Budget,
    found: Vec<Entity>,
}

impl Reader<'_> {
    fn top(&mut self, json: &Json, scope: &Scope) {
        match json {
            Json::Array(items) => items.iter().for_each(|item| self.top(item, scope)),
            Json::Object(members, at) => {
                if let Some(mut entity) = self.entity(members, *at, scope, 0) {
                    let has_context =
                        |scope: &Scope| scope.words != Words::Nobodys || !scope.terms.is_empty();
                    let own = members.iter().find(|member| member.name == "@context");
                    let is_named =
                        has_context(scope) || own.is_some_and(|own| has_context(&scope.with(&own.value)));
                    // Whole addresses say themselves whose words they are.
                    let is_bare = entity.types.iter().any(|name| name.starts_with(':'))
                        || entity.properties.iter().any(|property| property.name.starts_with(':'));
                    if !is_named && is_bare && !entity.types.is_empty() {
                        entity.problems.push(EntityProblem {
                            kind: FlawKind::StructuredUnknownTerm,
                            detail: "no @context says whose words these are".into(),
                            line: entity.line,
                        });
                    }
                    // The braces around a graph describe nothing.
                    if !entity.types.is_empty() || !entity.properties.is_empty() {
                        self.found.push(entity);
                    }
                }
            }
            Json::Text(_) | Json::Other(_) | Json::Null => {}
        }
    }

    fn entity(&mut self, members: &[Member], at: usize, scope: &Scope, level: u32) -> Option<Entity> {
        if !self.budget.admits(level) {
            return None;
        }
        let own = members.iter().find(|member| member.name == "@context");
        let scope = own.map_or_else(|| scope.clone(), |own| scope.with(&own.value));
        let mut entity = Entity::new(Syntax::JsonLd, (self.place.line)(at), Some(self.place.path));
        self.members(&mut entity, members, &scope, level);
        Some(entity)
    }

    fn members(&mut self, entity: &mut Entity, members: &[Member], scope: &Scope, level: u32) {
        for member in members {
            let name = scope.expand(&member.name);
            match &*name {
                "@type" => self.types(entity, &member.value, scope),
                "@id" => {
                    if let Json::Text(id) = &member.value {
                        entity.id = self.id(id);
                    }
                }
                "@graph" | "@included" => self.top(&member.value, scope),
                "@nest" => {
                    if let Json::Object(inner, _) = &member.value
                        && level < super::MAX_LEVELS
                    {
                        self.members(entity, inner, scope, level + 1);
                    }
                }
                keyword if keyword.starts_with('@') => {}
                _ => {
                    let line = (self.place.line)(member.at);
                    self.values(entity, &name, &member.value, line, scope, level);
                }
            }
        }
    }

    fn types(&mut self, entity: &mut Entity, value: &Json, scope: &Scope) {
        match value {
            Json::Text(name) if !name.trim().is_empty() => {
                entity.types.extend(self.budget.keep(&scope.expand(name)));
            }
            Json::Array(names) => names.iter().for_each(|name| self.types(entity, name, scope)),
            _ => {}
        }
    }

    fn id(&mut self, id: &str) -> Option<Box<str>> {
        let id = id.trim();
        let is_whole = id.is_empty() || id.starts_with("_:") || id.contains("://");
        let whole = if is_whole { None } else { (self.place.resolve)(id) };
        self.budget.keep(whole.as_deref().unwrap_or(id)).filter(|id| !id.is_empty())
    }

    fn values(&mut self, entity: &mut Entity, name: &str, json: &Json, line: u32, scope: &Scope, level: u32) {
        let value = match json {
            Json::Text(text) => self.budget.keep(text).map(PropertyValue::Text),
            Json::Other(text) => self.budget.keep(text).map(PropertyValue::Text),
            Json::Null => None,
            Json::Array(items) => {
                for item in items {
                    self.values(entity, name, item, line, scope, level);
                }
                return;
            }
            Json::Object(members, at) => {
                let keyword =
                    |wanted: &str| members.iter().find(|member| scope.expand(&member.name) == wanted);
                if let Some(member) =
                    keyword("@value").or_else(|| keyword("@list")).or_else(|| keyword("@set"))
                {
                    return self.values(entity, name, &member.value, line, scope, level);
                }
                match (members.as_slice(), keyword("@id").map(|member| &member.value)) {
                    ([_], Some(Json::Text(id))) => self.id(id).map(PropertyValue::Url),
                    _ => self
                        .entity(members, *at, scope, level + 1)
                        .map(|inner| PropertyValue::Entity(Box::new(inner))),
                }
            }
        };
        if let Some(value) = value
            && let Some(name) = self.budget.keep(name)
        {
            entity.properties.push(Property { name, value, line });
        }
    }
}
