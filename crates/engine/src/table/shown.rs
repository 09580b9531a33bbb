//! SQL for people: the statement of a filter with its values in it, for any SQLite tool.
//!
//! It gives the same rows as the filter, with two differences that SQLite itself brings: `LIKE` and `NOCASE` take upper and
//! lower case of ASCII letters for the same, the filter those of all letters; and `REGEXP` is the dialect of the tool.

use std::borrow::Cow;

/// A column's name; the few that SQLite might read otherwise in quotes.
pub(super) fn name(column: &str) -> String {
    if let Some(found) = super::fields::shown(column) {
        return found;
    }
    if matches!(column, "window" | "loop") { format!("\"{column}\"") } else { column.to_owned() }
}

pub(super) fn literal(value: &store::Value) -> String {
    match value {
        store::Value::Null => "NULL".to_owned(),
        store::Value::Int(number) => number.to_string(),
        // With a point or an exponent, so that it stays a real.
        store::Value::Real(number) => format!("{number:?}"),
        store::Value::Text(text) => quoted(text),
    }
}

/// A text as a literal. SQLite ends a statement at NUL, so a text with one is written as bytes.
pub(super) fn quoted(text: &str) -> String {
    if text.contains('\0') {
        let bytes: String = text.bytes().map(|byte| format!("{byte:02X}")).collect();
        return format!("CAST(X'{bytes}' AS TEXT)");
    }
    format!("'{}'", text.replace('\'', "''"))
}

/// `column LIKE 'before text after'`, where `before` and `after` are `%` or nothing.
pub(super) fn like(column: &str, before: &str, text: &str, after: &str) -> String {
    if text.contains('\0') {
        return format!("instr({column}, {}) > 0", quoted(text));
    }
    // LIKE knows the case of ASCII letters only: others are asked for as they are written and in both cases.
    let mut spellings = vec![text.to_owned()];
    if !text.is_ascii() {
        for other in [text.to_lowercase(), text.to_uppercase()] {
            if !spellings.contains(&other) {
                spellings.push(other);
            }
        }
    }
    let parts: Vec<String> = spellings
        .iter()
        .map(|text| {
            let (escaped, escape) = escaped(text);
            format!("{column} LIKE {}{escape}", quoted(&format!("{before}{escaped}{after}")))
        })
        .collect();
    if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(" OR ")) }
}

fn escaped(text: &str) -> (Cow<'_, str>, &'static str) {
    if !text.contains(['%', '_', '\\']) {
        return (Cow::Borrowed(text), "");
    }
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    (Cow::Owned(escaped), " ESCAPE '\\'")
}

/// Stands for the URLs of a set until they are known. No literal contains NUL.
pub(super) fn pick_mark(n: usize) -> String {
    format!("\0{n}\0")
}
