//! What differs between two documents of one URL.

use super::compare::{Changes, Sides};
use crate::headers;
use model::ChangeKind;
use model::main_text::{PLACES, expected_similarity};
use std::collections::{BTreeMap, BTreeSet};
use store::schema::ENTITY_BITS;
use store::{StoreError, Writer};

/// The texts of a document that people see in search results, and what it tells robots.
const TEXTS: &[(ChangeKind, &str)] = &[
    (ChangeKind::Title, "title"),
    (ChangeKind::Description, "description"),
    (ChangeKind::H1, "h1"),
    (ChangeKind::Canonical, "canonical"),
    (ChangeKind::Directives, "robots"),
];

/// Words that come or go are told where they are at least this share of the text.
const WORDS_SHARE: f64 = 0.1;

struct Facts {
    texts: Vec<Option<String>>,
    words: i64,
    /// Hash and signature of the main text, where it is long enough to be compared.
    main: Option<(i64, Vec<u8>)>,
    /// The types of structured data, each once, in order.
    types: String,
}

/// Compares two documents by their numbers, as what `url` was and is.
pub(super) fn compare(
    writer: &mut Writer,
    sides: &Sides<'_>,
    (url, before, after): (i64, i64, i64),
    changes: &mut Changes,
) -> Result<(), StoreError> {
    let (Some(before), Some(after)) = (facts(writer, before)?, facts(writer, after)?) else { return Ok(()) };
    for (((kind, _), was), is) in TEXTS.iter().zip(&before.texts).zip(&after.texts) {
        let expected = match kind {
            ChangeKind::Canonical => sides.as_later(was.as_deref()),
            _ => was.clone(),
        };
        if expected != *is {
            changes.add(writer, *kind, url, was.clone(), is.clone())?;
        }
    }
    if before.types != after.types {
        changes.add(writer, ChangeKind::StructuredTypes, url, told(before.types), told(after.types))?;
    }
    if let (Some((was, one)), Some((is, other))) = (&before.main, &after.main)
        && was != is
    {
        let kept = (still_there(one, other) * 100.0).round();
        changes.add(writer, ChangeKind::Content, url, None, Some(kept.to_string()))?;
    }
    let most = before.words.max(after.words);
    if (before.words - after.words).abs() as f64 > WORDS_SHARE * most as f64 {
        let number = |words: i64| Some(words.to_string());
        changes.add(writer, ChangeKind::WordCount, url, number(before.words), number(after.words))?;
    }
    Ok(())
}

fn facts(writer: &mut Writer, document: i64) -> Result<Option<Facts>, StoreError> {
    let columns: Vec<&str> = TEXTS.iter().map(|(_, column)| *column).collect();
    let sql = format!(
        "SELECT d.word_count, m.hash, m.signature, (SELECT group_concat(e.types, ' ') FROM entity e WHERE e.id BETWEEN d.id << {ENTITY_BITS} AND ((d.id + 1) << {ENTITY_BITS}) - 1), {}
         FROM document d LEFT JOIN main_text m ON m.document = d.id WHERE d.id = ?1",
        columns.join(", ")
    );
    let mut found = None;
    writer.rows(&sql, &[document.into()], &mut |row| {
        let texts = (4..4 + TEXTS.len()).map(|column| row.opt_text(column).map(ToOwned::to_owned)).collect();
        let signature = row.blob(2);
        let types: BTreeSet<&str> = row.opt_text(3).unwrap_or_default().split(' ').collect();
        found = Some(Facts {
            texts,
            words: row.int(0),
            main: (signature.len() == PLACES).then(|| (row.int(1), signature.to_vec())),
            types: types.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", "),
        });
        Ok(())
    })?;
    Ok(found)
}

fn told(types: String) -> Option<String> {
    (!types.is_empty()).then_some(types)
}

/// How much of a text is still in another, from 0 to 1, by what signatures give reason to expect: the share of the shingles of
/// both that both have. A text of which a tenth was rewritten keeps about nine tenths.
fn still_there(one: &[u8], other: &[u8]) -> f64 {
    let similarity = expected_similarity(one, other);
    2.0 * similarity / (1.0 + similarity)
}

/// Headers that protect visitors.
const SECURITY: &[&str] = &[
    "strict-transport-security",
    "content-security-policy",
    "x-content-type-options",
    "x-frame-options",
    "referrer-policy",
    "permissions-policy",
    "cross-origin-opener-policy",
    "cross-origin-embedder-policy",
    "cross-origin-resource-policy",
];

/// The security headers of a response, by name. A nonce is another one at every request, so its value is left out.
pub(super) fn security(all: Option<&str>) -> BTreeMap<&'static str, String> {
    let Some(all) = all else { return BTreeMap::new() };
    SECURITY
        .iter()
        .filter_map(|name| Some((*name, without_nonces(&headers::all_of(all, name, ", ")?))))
        .collect()
}

/// The headers in which the two differ, a line each; `None` for a side that has none of them.
pub(super) fn differing(
    before: &BTreeMap<&'static str, String>,
    after: &BTreeMap<&'static str, String>,
) -> (Option<String>, Option<String>) {
    let lines = |one: &BTreeMap<&'static str, String>, other: &BTreeMap<&'static str, String>| {
        let lines: Vec<String> = one
            .iter()
            .filter(|(name, value)| other.get(*name) != Some(value))
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    };
    (lines(before, after), lines(after, before))
}

fn without_nonces(value: &str) -> String {
    let mut kept = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find("'nonce-") {
        let begins = at + "'nonce-".len();
        kept.push_str(&rest[..begins]);
        rest = &rest[begins..];
        let ends = rest.find('\'').unwrap_or(rest.len());
        kept.push('…');
        rest = &rest[ends..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_headers_are_told_where_they_differ() {
        let before =
            "content-security-policy: script-src 'nonce-abc' 'self'\nx-frame-options: DENY\ndate: today";
        let after = "content-security-policy: script-src 'nonce-xyz' 'self'\nreferrer-policy: no-referrer";
        let (was, is) = (security(Some(before)), security(Some(after)));
        let expect =
            (Some("x-frame-options: DENY".to_owned()), Some("referrer-policy: no-referrer".to_owned()));
        assert_eq!(differing(&was, &is), expect);
        assert_eq!(security(None), BTreeMap::new());
        assert_eq!(without_nonces("'nonce-open"), "'nonce-…");
    }
}
