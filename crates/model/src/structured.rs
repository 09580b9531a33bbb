//! Structured data of a page: JSON-LD, Microdata and RDFa in one form.

use crate::coded;
use crate::flaw::FlawKind;

coded! {
    /// How a page writes an entity down.
    pub enum Syntax {
        JsonLd = 1 => "json-ld",
        Microdata = 2 => "microdata",
        Rdfa = 3 => "rdfa",
    }
}

/// The entities of one page, in document order.
///
/// Kept of a page: 500 entities, those in others included, 32 levels of them, and 65,536 bytes of texts, of one text 2,000 bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StructuredData {
    /// Those that are no other's value.
    pub entities: Vec<Entity>,
    /// The page has more than is kept.
    pub is_cut: bool,
}

/// Something that a page describes.
///
/// Types and the names of properties from schema.org are kept by their names alone (`Product`), all others as addresses; names
/// that no vocabulary is known for begin with a colon.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    pub syntax: Syntax,
    pub types: Vec<Box<str>>,
    /// `@id`, `itemid`, or the subject's address, resolved; a local name where it is one (`_:a`).
    pub id: Option<Box<str>>,
    /// One for each value, in document order.
    pub properties: Vec<Property>,
    /// One-based line of the entity's element, or of its brace in JSON-LD.
    pub line: u32,
    /// Index into [`PageFacts::element_paths`](crate::PageFacts::element_paths): the element, or the script.
    pub path: Option<u32>,
    /// It stands in a script that is no JSON, so that search engines read none of it.
    pub is_unread: bool,
    /// What is wrong with the entity itself.
    pub problems: Vec<EntityProblem>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub name: Box<str>,
    pub value: PropertyValue,
    /// One-based.
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PropertyValue {
    /// White space collapsed. Numbers and truth values as written.
    Text(Box<str>),
    /// An address, or the id of an entity described elsewhere.
    Url(Box<str>),
    Entity(Box<Entity>),
}

/// Something wrong with an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityProblem {
    pub kind: FlawKind,
    /// The property, or several of them, or the type.
    pub detail: Box<str>,
    pub line: u32,
}

impl Entity {
    pub fn new(syntax: Syntax, line: u32, path: Option<u32>) -> Self {
        Self {
            syntax,
            types: Vec::new(),
            id: None,
            properties: Vec::new(),
            line,
            path,
            is_unread: false,
            problems: Vec::new(),
        }
    }

    /// The types as they are shown: separated by spaces.
    pub fn type_names(&self) -> String {
        self.types.join(" ")
    }
}
