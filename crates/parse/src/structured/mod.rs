//! Structured data: JSON-LD, Microdata and RDFa as entities, and what is wrong with them.
//!
//! It is read as search engines read it. No context is fetched: of JSON-LD the context of schema.org is known, and what a context
//! in the page itself defines; names from elsewhere are kept as they are and not judged. JSON-LD as RDF would lose the order of
//! things and where they stand, and needs the whole context of schema.org anew for every script.
//!
//! The trees of Microdata and RDFa are read in `html`, where the document is.

pub(crate) mod json;
pub(crate) mod jsonld;
mod judge;
mod profile;
pub(crate) mod vocabulary;

pub(crate) use judge::judge;

use crate::html::text::{collapse, cut};
use model::structured::PropertyValue;

/// Entities kept of one page, those in others included.
const MAX_ENTITIES: u32 = 500;
/// Levels of entities in entities.
const MAX_LEVELS: u32 = 32;
/// Bytes of texts kept of one page.
const MAX_BYTES: usize = 65_536;
/// Bytes kept of one text.
pub(crate) const MAX_TEXT: usize = 2_000;
/// Properties of schema.org whose text values are addresses. `@id` is a name, not a place.
const ADDRESSES: &[&str] = &["url", "image", "logo", "contentUrl", "thumbnailUrl"];

/// What may still be kept of a page.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    entities: u32,
    bytes: usize,
    pub(crate) is_cut: bool,
}

impl Budget {
    /// Whether one more entity is kept, at this level.
    pub(crate) fn admits(&mut self, level: u32) -> bool {
        let admits = self.entities < MAX_ENTITIES && level < MAX_LEVELS && self.bytes < MAX_BYTES;
        self.entities += u32::from(admits);
        self.is_cut |= !admits;
        admits
    }

    /// Whether a value is kept once more, with all that is in it.
    pub(crate) fn admits_again(&mut self, value: &PropertyValue, level: u32) -> bool {
        match value {
            PropertyValue::Text(text) | PropertyValue::Url(text) => self.keep(text).is_some(),
            PropertyValue::Entity(entity) => {
                self.admits(level)
                    && entity.properties.iter().all(|property| {
                        self.keep(&property.name).is_some() && self.admits_again(&property.value, level + 1)
                    })
            }
        }
    }

    /// A text, white space collapsed, unless there is no more room.
    pub(crate) fn keep(&mut self, text: &str) -> Option<Box<str>> {
        // What is behind could only be cut off again.
        let text = collapse(cut(text, MAX_TEXT * 4));
        let text = cut(&text, MAX_TEXT);
        if self.bytes + text.len() > MAX_BYTES {
            self.is_cut = true;
            return None;
        }
        self.bytes += text.len();
        Some(text.into())
    }
}

/// The name of a term of schema.org, from its address.
pub(crate) fn schema_name(iri: &str) -> Option<&str> {
    let rest = without_scheme(iri)?;
    let start = rest.get(.."schema.org/".len())?;
    let name = &rest["schema.org/".len()..];
    let is_name = !name.is_empty() && !name.contains(['/', '#', '?', ':']);
    (start.eq_ignore_ascii_case("schema.org/") && is_name).then_some(name)
}

/// Whether an address is that of schema.org's vocabulary, or of its context.
pub(crate) fn is_schema(iri: &str) -> bool {
    let iri = iri.trim();
    let rest =
        without_scheme(iri).unwrap_or_else(|| iri.trim_start_matches("//")).trim_end_matches(['/', '#']);
    rest.eq_ignore_ascii_case("schema.org") || rest.starts_with("schema.org/docs/jsonldcontext")
}

fn without_scheme(iri: &str) -> Option<&str> {
    let (scheme, rest) = iri.trim().split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web.then(|| rest.strip_prefix("www.").unwrap_or(rest))
}

/// Whether the values of a property are addresses of things to load or to look at.
pub(crate) fn holds_addresses(property: &str) -> bool {
    ADDRESSES.contains(&property)
}

/// Only what is plainly an address: absolute, without scheme, or from the root.
pub(crate) fn is_address(text: &str) -> bool {
    let starts = |prefix: &str| {
        text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && text.len() > prefix.len()
    };
    starts("http://") || starts("https://") || starts("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_org_has_several_addresses() {
        let check = |iri: &str, expect: Option<&str>| assert_eq!(schema_name(iri), expect, "{iri}");
        check("https://schema.org/Product", Some("Product"));
        check("http://www.schema.org/Product", Some("Product"));
        check("HTTP://Schema.org/Product", Some("Product"));
        check("https://schema.org/", None);
        check("https://schema.org/docs/x", None);
        check("https://schema.example/Product", None);
        check("Product", None);
        for context in [
            "https://schema.org",
            "http://schema.org/",
            "https://www.schema.org",
            "schema.org",
            "//schema.org/",
            "https://schema.org/docs/jsonldcontext.jsonld",
        ] {
            assert!(is_schema(context), "{context}");
        }
        assert!(!is_schema("https://schema.org/Product") && !is_schema("https://example.com/"));
    }
}
