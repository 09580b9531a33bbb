//! The vocabulary of schema.org: which types there are, what stands above them, which properties they have.

use hashbrown::HashMap;
use std::sync::OnceLock;

static TEXT: &str = include_str!("schema-org.txt");

/// The names of schema.org. Read once, when the first page with structured data is met.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    types: HashMap<&'static str, Type>,
    /// Every property, of whatever type.
    properties: HashMap<&'static str, ()>,
    /// What gave way, and to what.
    superseded: HashMap<&'static str, &'static str>,
}

#[derive(Debug)]
struct Type {
    parents: Vec<&'static str>,
    properties: Vec<&'static str>,
}

pub(crate) fn vocabulary() -> &'static Vocabulary {
    static READ: OnceLock<Vocabulary> = OnceLock::new();
    READ.get_or_init(|| {
        let mut read =
            Vocabulary { types: HashMap::new(), properties: HashMap::new(), superseded: HashMap::new() };
        for line in TEXT.lines().filter(|line| !line.starts_with('#')) {
            if let Some((old, new)) = line.split_once(" > ") {
                read.superseded.insert(old, new);
                continue;
            }
            let mut parts = line.splitn(3, ':');
            let name = parts.next().unwrap_or_default();
            let mut names = || parts.next().unwrap_or_default().split_ascii_whitespace().collect::<Vec<_>>();
            let (parents, properties) = (names(), names());
            read.properties.extend(properties.iter().map(|property| (*property, ())));
            read.types.insert(name, Type { parents, properties });
        }
        read
    })
}

impl Vocabulary {
    pub(crate) fn is_type(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    pub(crate) fn is_property(&self, name: &str) -> bool {
        self.properties.contains_key(name)
    }

    /// What took the place of a type or property.
    pub(crate) fn successor(&self, name: &str) -> Option<&'static str> {
        self.superseded.get(name).copied()
    }

    /// The type and all above it, the nearest first.
    pub(crate) fn line(&self, name: &str) -> Vec<&str> {
        let Some((name, _)) = self.types.get_key_value(name) else { return Vec::new() };
        let mut line = vec![*name];
        let mut at = 0;
        while let Some(known) = line.get(at).and_then(|name| self.types.get(*name)) {
            for parent in &known.parents {
                if !line.contains(parent) {
                    line.push(parent);
                }
            }
            at += 1;
        }
        line
    }

    /// Whether the type, or one above it, has the property.
    pub(crate) fn has(&self, name: &str, property: &str) -> bool {
        self.line(name)
            .iter()
            .filter_map(|name| self.types.get(*name))
            .any(|known| known.properties.binary_search(&property).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabulary_holds_together() {
        let words = vocabulary();
        assert!(words.types.len() > 900 && words.properties.len() > 1_500);
        for (name, known) in &words.types {
            assert!(known.parents.iter().all(|parent| words.is_type(parent)), "{name}");
            assert!(known.properties.is_sorted(), "{name}");
        }
        for (old, new) in &words.superseded {
            assert!(words.is_type(old) || words.is_property(old), "{old}");
            assert!(words.is_type(new) || words.is_property(new), "{new}");
        }
    }

    #[test]
    fn what_stands_above_a_type_is_its_own() {
        let words = vocabulary();
        assert_eq!(
            words.line("Restaurant"),
            ["Restaurant", "FoodEstablishment", "LocalBusiness", "Organization", "Place", "Thing"]
        );
        assert!(
            words.has("Restaurant", "servesCuisine")
                && words.has("Restaurant", "geo")
                && words.has("Restaurant", "name")
        );
        assert!(!words.has("Product", "headline") && words.is_property("headline"));
        assert!(words.line("Produkt").is_empty());
        assert_eq!(words.successor("ingredients"), Some("recipeIngredient"));
    }
}
