//! What Google's rich results require and recommend, and which of them are shown no more: a dated list beside this file.

use super::vocabulary::vocabulary;
use hashbrown::HashMap;
use serde::Deserialize;
use std::sync::OnceLock;

static TEXT: &str = include_str!("rich-results.json");

/// The list, as of one day.
#[derive(Debug, Deserialize)]
pub(crate) struct Profile {
    /// The day on which the documentation was last compared with this.
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever reads the list"))]
    as_of: String,
    results: Vec<RichResult>,
    retired: Vec<Retired>,
    #[serde(skip)]
    by_type: HashMap<String, Vec<usize>>,
}

/// A rich result and the types that it is made of.
#[derive(Debug, Deserialize)]
pub(crate) struct RichResult {
    types: Vec<String>,
    /// The entity is only meant for it where it has one of these.
    #[serde(default)]
    pub(crate) when: Vec<String>,
    #[serde(flatten)]
    pub(crate) wanted: Wanted,
}

/// Properties that an entity needs. `a|b` is one of two, `a.b` the property of a property's value.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    pub(crate) required: Vec<String>,
    /// Of all values of a property but the last.
    #[serde(default)]
    pub(crate) required_but_last: Vec<String>,
    #[serde(default)]
    pub(crate) recommended: Vec<String>,
    #[serde(default)]
    pub(crate) parts: Vec<Part>,
}

/// What the values of a property need.
#[derive(Debug, Deserialize)]
pub(crate) struct Part {
    pub(crate) property: String,
    /// Values of these types, or of any where there are none.
    #[serde(default)]
    types: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(flatten)]
    pub(crate) wanted: Wanted,
}

/// A rich result that is shown no more.
#[derive(Debug, Deserialize)]
pub(crate) struct Retired {
    pub(crate) name: String,
    types: Vec<String>,
    /// Only where the entity has one of these.
    #[serde(default)]
    pub(crate) having: Vec<String>,
    /// Year, month and mostly day.
    pub(crate) since: String,
}

pub(crate) fn profile() -> &'static Profile {
    static READ: OnceLock<Profile> = OnceLock::new();
    READ.get_or_init(|| {
        // A test reads it; without it nothing is required.
        let mut read: Profile = serde_json::from_str(TEXT).unwrap_or_else(|_| Profile {
            as_of: String::new(),
            results: Vec::new(),
            retired: Vec::new(),
            by_type: HashMap::new(),
        });
        for (index, result) in read.results.iter().enumerate() {
            for name in &result.types {
                read.by_type.entry(name.clone()).or_default().push(index);
            }
        }
        read
    })
}

impl Profile {
    /// The rich results that an entity of these types may become: for each type those of the nearest type above it that has some.
    pub(crate) fn of<'t>(&self, types: impl Iterator<Item = &'t str>) -> Vec<&RichResult> {
        let mut found = Vec::new();
        for name in types {
            let nearest = vocabulary().line(name).into_iter().find_map(|above| self.by_type.get(above));
            for index in nearest.into_iter().flatten() {
                if !found.contains(index) {
                    found.push(*index);
                }
            }
        }
        found.into_iter().map(|index| &self.results[index]).collect()
    }

    pub(crate) fn retired<'t>(&'t self, types: &'t [Box<str>]) -> impl Iterator<Item = &'t Retired> {
        // Those very types: a recipe is a how-to as well, and none of the kind that is gone.
        self.retired
            .iter()
            .filter(|retired| types.iter().any(|name| retired.types.iter().any(|gone| **gone == **name)))
    }
}

impl Part {
    /// Whether a value of these types is meant.
    pub(crate) fn is_about(&self, types: &[Box<str>]) -> bool {
        (self.types.is_empty() || types.iter().any(|name| is_one_of(name, &self.types)))
            && !types.iter().any(|name| is_one_of(name, &self.except))
    }
}

fn is_one_of(name: &str, types: &[String]) -> bool {
    vocabulary().line(name).iter().any(|above| types.iter().any(|wanted| wanted == above))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wanted: &Wanted) {
        let words = vocabulary();
        for wanted in wanted.required.iter().chain(&wanted.required_but_last).chain(&wanted.recommended) {
            for name in wanted.split(['|', '.']) {
                assert!(words.is_property(name) || name == "xPath", "{name}");
            }
        }
        for part in &wanted.parts {
            assert!(words.is_property(&part.property), "{}", part.property);
            assert!(
                part.types.iter().chain(&part.except).all(|name| words.is_type(name)),
                "{:?}",
                part.types
            );
            check(&part.wanted);
        }
    }

    #[test]
    fn the_list_speaks_of_what_the_vocabulary_has() {
        let list = profile();
        assert!(list.as_of.starts_with("20") && list.results.len() > 20 && list.retired.len() > 8);
        for result in &list.results {
            assert!(result.types.iter().all(|name| vocabulary().is_type(name)), "{:?}", result.types);
            check(&result.wanted);
        }
        for retired in &list.retired {
            assert!(retired.types.iter().all(|name| vocabulary().is_type(name)), "{}", retired.name);
            assert!(retired.since.len() >= 7, "{}", retired.name);
        }
    }
}
