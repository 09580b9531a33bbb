//! What a person looks for in pages, as columns of tables of URLs.
//!
//! The id of such a column says all that a statement needs, `custom.NAME` and so on, so tables know it without asking the
//! project; a field that the project does not have is empty everywhere. A column that was named once is kept for the program's
//! life: there are as many as a person makes up.

use super::catalogue::{Choices, Column};
use super::dto::{ColumnCard, ColumnKind};
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use store::FieldRow;

/// What ids begin with, by what the values of the field are.
const KINDS: [(&str, ColumnKind, &str); 3] = [
    ("custom.", ColumnKind::Text, "text"),
    ("custom_number.", ColumnKind::Real, "number"),
    ("custom_flag.", ColumnKind::Flag, "flag"),
];
/// Columns that are kept: more than any person names, few enough to hold nobody up who asks for ever new ones.
const MOST: usize = 10_000;
/// Bytes of a name.
const LONGEST: usize = 40;

/// The name of a field and the kind of its column, by the column's id.
fn named(id: &str) -> Option<(&str, ColumnKind)> {
    let (name, kind) = KINDS.iter().find_map(|(start, kind, _)| Some((id.strip_prefix(start)?, *kind)))?;
    // The name becomes part of SQL: only these stand in it.
    let fits = !name.is_empty()
        && name.len() <= LONGEST
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'));
    fits.then_some((name, kind))
}

/// The column with this id, where it is that of a field.
pub(super) fn column(id: &str) -> Option<&'static Column> {
    static KNOWN: LazyLock<Mutex<BTreeMap<String, &'static Column>>> = LazyLock::new(Mutex::default);
    let (name, kind) = named(id)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(column) = known.get(id) {
        return Some(column);
    }
    if known.len() >= MOST {
        return None;
    }
    let text = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let column: &'static Column = Box::leak(Box::new(Column {
        id: text(id.to_owned()),
        label: text(name.to_owned()),
        kind,
        width: if kind == ColumnKind::Text { 200 } else { 110 },
        shown: false,
        quick: false,
        help: "",
        choices: Choices::Open,
        sql: Some(text(sql(name, kind))),
    }));
    known.insert(id.to_owned(), column);
    Some(column)
}

fn sql(name: &str, kind: ColumnKind) -> String {
    let of_page = format!("key = row_a AND field = (SELECT id FROM custom_field WHERE name = '{name}')");
    match kind {
        ColumnKind::Text => format!(
            "(SELECT group_concat(x.value, ' | ') FROM (SELECT value FROM custom_value WHERE {of_page} ORDER BY n) x)"
        ),
        _ => format!("(SELECT value FROM custom_value WHERE {of_page} AND n = 1)"),
    }
}

/// The same over the documented views, for the row `t` of one.
pub(super) fn shown(id: &str) -> Option<String> {
    let (name, kind) = named(id)?;
    let of_page = format!("x.crawl = t.crawl AND x.url = t.url AND x.name = '{name}'");
    Some(match kind {
        ColumnKind::Text => {
            format!(
                "(SELECT group_concat(value, ' | ') FROM (SELECT x.value FROM v_custom x WHERE {of_page} ORDER BY x.n))"
            )
        }
        _ => format!("(SELECT x.value FROM v_custom x WHERE {of_page} AND x.n = 1)"),
    })
}

/// What the column is called in files.
pub(super) fn heading(id: &str) -> &str {
    named(id).map_or(id, |(name, _)| name)
}

/// The column of a field for the window.
pub(super) fn card(field: &FieldRow) -> Option<ColumnCard> {
    let (start, ..) = KINDS.iter().find(|(_, _, kind)| *kind == field.kind)?;
    let column = column(&format!("{start}{}", field.name))?;
    Some(ColumnCard { help: field.rule.clone(), ..column.card() })
}
