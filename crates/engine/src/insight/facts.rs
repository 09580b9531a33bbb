//! Values in words: numbers with their units, evidence as names and values.

use super::dto::Fact;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

pub(super) fn fact(name: &str, value: impl Into<String>) -> Fact {
    Fact { name: name.to_owned(), value: value.into() }
}

/// An object that keeps the order of its members.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Evidence (a JSON object) as facts, under the names of the contract. What is unknown is left out.
pub(super) fn evidence(json: &str) -> Vec<Fact> {
    // The view gives an object for every finding; a damaged one shows nothing.
    let Ok(Members(members)) = serde_json::from_str(json) else { return Vec::new() };
    let shown = |(name, value): (String, Value)| match value {
        Value::Null => None,
        Value::String(value) => Some(Fact { name, value }),
        other => Some(Fact { name, value: other.to_string() }),
    };
    members.into_iter().filter_map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_keeps_its_order() {
        let check = |json: &str, expect: &[(&str, &str)]| {
            let expect: Vec<Fact> = expect.iter().map(|(name, value)| fact(name, *value)).collect();
            assert_eq!(evidence(json), expect, "{json}");
        };
        check(r#"{"ttfb_ms":812,"bytes":10,"reason":null}"#, &[("ttfb_ms", "812"), ("bytes", "10")]);
        check(r#"{"raw_href":"/a","line":3}"#, &[("raw_href", "/a"), ("line", "3")]);
        check(r#"{"crawl_delay_s":2.5}"#, &[("crawl_delay_s", "2.5")]);
        check("{}", &[]);
        check("broken", &[]);
    }
}
