//! Structured data and the properties of shared links as they are laid out in the project file.

use model::FlawKind;
use model::facts::PageFacts;
use model::structured::{Entity, PropertyValue};
use serde_json::Value;
use store::StructuredRow;
use store::schema::document_flags as flag;

/// Properties that every page needs to be a share of its own (https://ogp.me/, "Basic Metadata"), each with its bit.
const OPEN_GRAPH: &[&str] = &["og:title", "og:type", "og:image", "og:url"];

pub(crate) fn rows(facts: &PageFacts) -> Vec<StructuredRow> {
    facts
        .structured
        .entities
        .iter()
        .map(|entity| {
            let mut data = String::with_capacity(256);
            let problems = write(entity, &mut data);
            StructuredRow {
                syntax: entity.syntax,
                types: entity.type_names().into(),
                line: entity.line,
                element: entity.path.and_then(|path| facts.element_paths.get(path as usize)).cloned(),
                problems,
                data,
            }
        })
        .collect()
}

/// The flags of `document` that say what a page has none of.
pub(crate) fn flags(facts: &PageFacts) -> i64 {
    let said =
        |wanted: &str| facts.social.iter().any(|(name, content)| &**name == wanted && !content.is_empty());
    let has_image = said("og:image:url") || said("og:image:secure_url");
    let mut missing = 0_i64;
    for (n, property) in OPEN_GRAPH.iter().enumerate() {
        let is_said = said(property) || (*property == "og:image" && has_image);
        missing |= i64::from(!is_said) << n;
    }
    let (shift, most) = flag::OPEN_GRAPH_MISSING;
    let mut flags = (missing & most) << shift;
    // X: without a card of its own a page with these three is shown as a summary.
    let has_summary = ["og:type", "og:title", "og:description"].into_iter().all(said);
    if !said("twitter:card") && !has_summary {
        flags |= flag::TWITTER_CARD_MISSING;
    }
    let is_broken = facts.flaws.iter().any(|flaw| flaw.kind == FlawKind::JsonldParseError);
    if !is_broken && !facts.structured.entities.iter().any(|entity| !entity.types.is_empty()) {
        flags |= flag::STRUCTURED_MISSING;
    }
    flags
}

/// Writes an entity as JSON; gives the number of problems in it. Values of one property stand together, in the order of the
/// first.
fn write(entity: &Entity, out: &mut String) -> u32 {
    let mut problems = entity.problems.len() as u32;
    out.push_str("{\"@type\":");
    list(entity.types.iter(), out, |name, out| push_text(name, out));
    if let Some(id) = &entity.id {
        out.push_str(",\"@id\":");
        push_text(id, out);
    }
    out.push_str(&format!(",\"@line\":{}", entity.line));
    if entity.is_unread {
        out.push_str(",\"@unread\":true");
    }
    if !entity.problems.is_empty() {
        out.push_str(",\"@problems\":");
        list(entity.problems.iter(), out, |problem, out| {
            out.push_str(&format!("[\"{}\",", problem.kind.word()));
            push_text(&problem.detail, out);
            out.push_str(&format!(",{}]", problem.line));
        });
    }
    let mut written: Vec<&str> = Vec::new();
    for property in &entity.properties {
        if written.contains(&&*property.name) {
            continue;
        }
        written.push(&property.name);
        out.push(',');
        // Names that begin like this are the file's own.
        if property.name.starts_with('@') {
            push_text(&format!(":{}", property.name), out);
        } else {
            push_text(&property.name, out);
        }
        out.push(':');
        let same = entity.properties.iter().filter(|other| other.name == property.name);
        list(same, out, |property, out| match &property.value {
            PropertyValue::Text(text) => push_text(text, out),
            PropertyValue::Url(url) => {
                out.push_str("{\"@id\":");
                push_text(url, out);
                out.push('}');
            }
            PropertyValue::Entity(inner) => problems += write(inner, out),
        });
    }
    out.push('}');
    problems
}

fn list<T>(items: impl Iterator<Item = T>, out: &mut String, mut write: impl FnMut(T, &mut String)) {
    out.push('[');
    for (n, item) in items.enumerate() {
        if n > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

fn push_text(text: &str, out: &mut String) {
    out.push_str(&Value::from(text).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use parse::{Document, html};

    fn read(body: &str) -> PageFacts {
        html(&Document {
            body: body.as_bytes(),
            url: "https://h.test/",
            headers: &[],
            content_type: Some("text/html"),
        })
    }

    #[test]
    fn an_entity_is_written_with_its_problems() {
        let facts = read(
            r##"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","@id":"#p","name":"A \"b\"","offers":[{"@type":"Offer","@id":"https://o/"},"x"],"sku":1,"isRelatedTo":{"@id":"https://r/"}}</script>"##,
        );
        let rows = rows(&facts);
        assert_eq!((rows.len(), &*rows[0].types, rows[0].problems), (1, "Product", 3));
        let data: Value = serde_json::from_str(&rows[0].data).unwrap();
        assert_eq!(data["@type"], serde_json::json!(["Product"]));
        assert_eq!(data["name"], serde_json::json!(["A \"b\""]));
        assert_eq!(data["offers"][1], "x");
        assert_eq!(data["offers"][0]["@id"], "https://o/");
        assert_eq!(data["isRelatedTo"][0], serde_json::json!({"@id": "https://r/"}));
        assert_eq!(data["offers"][0]["@problems"][0][0], "structured-required-missing");
    }

    #[test]
    fn what_a_page_has_none_of() {
        let check = |head: &str, open_graph: i64, card: bool, structured: bool| {
            let flags = flags(&read(head));
            let (shift, most) = flag::OPEN_GRAPH_MISSING;
            assert_eq!((flags >> shift) & most, open_graph, "{head}");
            assert_eq!(flags & flag::TWITTER_CARD_MISSING != 0, card, "{head}");
            assert_eq!(flags & flag::STRUCTURED_MISSING != 0, structured, "{head}");
        };
        check("", 0b1111, true, true);
        check(
            "<meta property=og:title content=t><meta property=og:type content=t><meta property=og:description content=t>",
            0b1100,
            false,
            true,
        );
        check(
            "<meta property=og:image:url content=/a><meta property=og:url content='  '><meta name=twitter:card content=summary>",
            0b1011,
            false,
            true,
        );
        check("<div itemscope itemtype=https://schema.org/Thing></div>", 0b1111, true, false);
        check("<div itemscope></div>", 0b1111, true, true);
        check("<script type=application/ld+json>{</script>", 0b1111, true, false);
    }
}
