//! The addresses in JSON-LD: the values of properties that hold nothing but addresses.
//!
//! The document is walked as it is read, so its size costs no memory; serde_json bounds its depth.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Properties of schema.org whose text values are addresses. `@id` is a name, not a place.
const PROPERTIES: &[&str] = &["url", "image", "logo", "contentUrl", "thumbnailUrl"];

/// A document that is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonFault {
    pub(crate) detail: String,
    /// One-based, in the script's text.
    pub(crate) line: u32,
}

pub(crate) fn is_json_ld(kind: &str) -> bool {
    let essence = kind.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/ld+json")
}

/// The addresses in document order; those before a fault are kept.
pub(crate) fn addresses(json: &str) -> (Vec<String>, Option<JsonFault>) {
    let mut found = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(json);
    let seek = Seek { wanted: false, found: &mut found };
    let end = seek.deserialize(&mut reader).and_then(|()| reader.end());
    let fault = end.err().map(|e| JsonFault { detail: e.to_string(), line: e.line().max(1) as u32 });
    (found, fault)
}

/// Only what is plainly an address: absolute, without scheme, or from the root.
fn is_address(text: &str) -> bool {
    let starts = |prefix: &str| {
        text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && text.len() > prefix.len()
    };
    starts("http://") || starts("https://") || starts("/")
}

struct Seek<'a> {
    /// The value belongs to one of the properties.
    wanted: bool,
    found: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.wanted && is_address(text.trim()) {
            self.found.push(text.trim().to_owned());
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Seek { wanted: self.wanted, found: self.found })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(key) = entries.next_key::<Cow<'de, str>>()? {
            let wanted = PROPERTIES.contains(&&*key);
            entries.next_value_seed(Seek { wanted, found: self.found })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_count() {
        let check = |json: &str, expect: &[&str], line: Option<u32>| {
            let (found, fault) = addresses(json);
            assert_eq!(found, expect, "{json}");
            assert_eq!(fault.map(|f| f.line), line, "{json}");
        };
        check(
            r#"{"@context":"https://schema.org","@id":"https://a/#x","url":"https://a/","image":["/b.png",{"url":"//c/d.png"}],
            "logo":{"@type":"ImageObject","contentUrl":"https:\/\/a\/logo.png"},"name":"https://no/","thumbnailUrl":"words"}"#,
            &["https://a/", "/b.png", "//c/d.png", "https://a/logo.png"],
            None,
        );
        check("{\"url\":\"/a\",\n\"image\":}", &["/a"], Some(2));
        check("", &[], Some(1));
        check(&"[".repeat(100_000), &[], Some(1));
        check("{} x", &[], Some(1));
    }
}
