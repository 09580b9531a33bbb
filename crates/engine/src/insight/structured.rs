//! The structured data of a page as it is shown: each entity as lines of a tree, with what is wrong where it is wrong.

use super::dto::Fact;
use model::FlawKind;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use store::{Reader, StoreError};

/// Lines shown of one page: a list of a thousand offers is told by its first ones.
const LINES: usize = 3_000;

/// What a page says of itself besides its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StructuredDetail {
    pub entities: Vec<StructuredEntity>,
    /// Scripts that could not be read.
    pub faults: Vec<StructuredFault>,
    /// `og:` and `twitter:` properties in order.
    pub social: Vec<Fact>,
}

/// An entity that is no other's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StructuredEntity {
    /// `json-ld`, `microdata`, `rdfa`.
    pub syntax: String,
    /// Separated by spaces; empty where it has none.
    pub types: String,
    pub id: Option<String>,
    pub line: u32,
    /// It stands in a script that could not be read.
    pub unread: bool,
    /// Problems among its lines.
    pub problems: u32,
    pub lines: Vec<StructuredLine>,
}

/// A property with a value, or something wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StructuredLine {
    /// 0 for the entity's own properties.
    pub level: u32,
    /// The property; of a problem that is about no property in the tree the words of the problem.
    pub name: String,
    /// The text or address; of an entity its types.
    pub value: String,
    /// The value is an address or an id.
    pub is_url: bool,
    /// The value is an entity, whose lines follow.
    pub is_entity: bool,
    /// The audit that has something to say of this line.
    pub audit: Option<String>,
    /// What it says besides the property.
    pub remark: Option<String>,
    /// Where the entity or the problem stands.
    pub line: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StructuredFault {
    pub line: u32,
    /// Column, what was expected, what stands there.
    pub text: String,
}

pub(super) fn structured(reader: &Reader, key: i64) -> Result<StructuredDetail, StoreError> {
    let mut detail = StructuredDetail::default();
    let mut left = LINES;
    let syntax = model::structured::Syntax::sql_case("n.syntax");
    reader.rows(
        &format!(
            "SELECT {syntax}, n.types, n.line, n.problems, n.data FROM page p CROSS JOIN entity n
             ON n.id BETWEEN p.document << 10 AND (p.document << 10) | 1023 WHERE p.key = ?1 ORDER BY n.id"
        ),
        &[key.into()],
        &mut |row| {
            // What this program wrote is what it reads.
            let node: Node = serde_json::from_str(row.text(4)).unwrap_or_default();
            let mut lines = Vec::new();
            node.tell(0, &mut lines);
            lines.truncate(left);
            left -= lines.len();
            detail.entities.push(StructuredEntity {
                syntax: row.text(0).to_owned(),
                types: row.text(1).to_owned(),
                id: node.id,
                line: row.int(2) as u32,
                unread: node.is_unread,
                problems: row.int(3) as u32,
                lines,
            });
            true
        },
    )?;
    reader.rows(
        "SELECT w.line, w.detail FROM page p CROSS JOIN flaw w ON w.document = p.document WHERE p.key = ?1 AND w.kind = ?2 ORDER BY w.n",
        &[key.into(), i64::from(FlawKind::JsonldParseError.code()).into()],
        &mut |row| {
            detail.faults.push(StructuredFault { line: row.int(0) as u32, text: row.text(1).to_owned() });
            true
        },
    )?;
    let social = reader.one(
        "SELECT json_extract(d.details, '$.social') FROM page p CROSS JOIN document d ON d.id = p.document WHERE p.key = ?1",
        &[key.into()],
        |row| row.opt_text(0).map(str::to_owned),
    )?;
    let social: Vec<(String, String)> =
        social.flatten().and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
    detail.social = social.into_iter().map(|(name, value)| Fact { name, value }).collect();
    Ok(detail)
}

/// An entity as stored, its properties in their order.
#[derive(Debug, Default)]
struct Node {
    types: Vec<String>,
    id: Option<String>,
    line: Option<u32>,
    is_unread: bool,
    /// Kind, words, line.
    problems: Vec<(String, String, u32)>,
    properties: Vec<(String, Vec<Stored>)>,
}

#[derive(Debug)]
enum Stored {
    Text(String),
    Node(Box<Node>),
}

impl Node {
    /// Nothing but an address.
    fn is_address(&self) -> bool {
        self.line.is_none() && self.properties.is_empty()
    }

    fn tell(&self, level: u32, lines: &mut Vec<StructuredLine>) {
        let line = |name: &str, value: &str| StructuredLine {
            level,
            name: name.to_owned(),
            value: value.to_owned(),
            is_url: false,
            is_entity: false,
            audit: None,
            remark: None,
            line: None,
        };
        let mut told = vec![false; self.problems.len()];
        for (name, values) in &self.properties {
            // A problem about a property begins with its name.
            let about = self.problems.iter().position(|(_, words, _)| words.split(',').next() == Some(name));
            for (n, value) in values.iter().enumerate() {
                let mut shown = match value {
                    Stored::Text(text) => line(name, text),
                    Stored::Node(node) if node.is_address() => {
                        StructuredLine { is_url: true, ..line(name, node.id.as_deref().unwrap_or_default()) }
                    }
                    Stored::Node(node) => StructuredLine {
                        is_entity: true,
                        line: node.line,
                        ..line(name, &node.types.join(" "))
                    },
                };
                if let Some(problem) = about.filter(|_| n == 0) {
                    let (kind, words, at) = &self.problems[problem];
                    told[problem] = true;
                    shown.audit = Some(kind.clone());
                    shown.remark = words.split_once(", ").map(|(_, remark)| remark.to_owned());
                    shown.line = Some(*at);
                }
                lines.push(shown);
                if let Stored::Node(node) = value
                    && !node.is_address()
                {
                    node.tell(level + 1, lines);
                }
            }
        }
        for ((kind, words, at), told) in self.problems.iter().zip(told) {
            if !told {
                lines.push(StructuredLine { audit: Some(kind.clone()), line: Some(*at), ..line(words, "") });
            }
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an entity")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
                let mut node = Node::default();
                while let Some(name) = members.next_key::<String>()? {
                    match name.as_str() {
                        "@type" => node.types = members.next_value()?,
                        "@id" => node.id = Some(members.next_value()?),
                        "@line" => node.line = Some(members.next_value()?),
                        "@unread" => node.is_unread = members.next_value()?,
                        "@problems" => node.problems = members.next_value()?,
                        _ => node.properties.push((name, members.next_value()?)),
                    }
                }
                Ok(node)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'de> Deserialize<'de> for Stored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Stored;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a text or an entity")
            }

            fn visit_str<E>(self, text: &str) -> Result<Stored, E> {
                Ok(Stored::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Stored, A::Error> {
                let node = Node::deserialize(serde::de::value::MapAccessDeserializer::new(members))?;
                Ok(Stored::Node(Box::new(node)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Stored, A::Error> {
                while items.next_element::<serde::de::IgnoredAny>()?.is_some() {}
                Ok(Stored::Text(String::new()))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entity_is_a_tree_of_lines() {
        let json = r#"{"@type":["Product"],"@line":3,"@problems":[["structured-required-missing","name",3],["structured-unknown-term","headline, no property of this type",4]],
            "sku":["1"],"headline":["H"],"offers":[{"@type":["Offer"],"@line":5,"@problems":[["structured-required-missing","price",5]],"url":[{"@id":"https://a/"}]},"x"],"age":[]}"#;
        let node: Node = serde_json::from_str(json).unwrap();
        let mut lines = Vec::new();
        node.tell(0, &mut lines);
        let shown: Vec<String> = lines
            .iter()
            .map(|line| {
                format!(
                    "{} {}={}{}{} {} {} {}",
                    line.level,
                    line.name,
                    line.value,
                    if line.is_url { " url" } else { "" },
                    if line.is_entity { " entity" } else { "" },
                    line.audit.as_deref().unwrap_or("-"),
                    line.remark.as_deref().unwrap_or("-"),
                    line.line.unwrap_or_default()
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "0 sku=1 - - 0",
                "0 headline=H structured-unknown-term no property of this type 4",
                "0 offers=Offer entity - - 5",
                "1 url=https://a/ url - - 0",
                "1 price= structured-required-missing - 5",
                "0 offers=x - - 0",
                "0 name= structured-required-missing - 3",
            ]
        );
    }
}
