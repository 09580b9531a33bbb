//! SQL functions of tables: patterns, and an order of texts regardless of case.

use crate::error::StoreError;
use model::Clock;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use std::sync::Arc;

/// A pattern in the syntax of the `matches` function, or why it is none.
pub fn check_pattern(pattern: &str) -> Result<(), StoreError> {
    compile(pattern).map(|_| ()).map_err(|error| {
        // Of a syntax error the lines before the last draw where it is; none of them means much without the others.
        let text = error.to_string();
        let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        StoreError::Query(last.trim().trim_start_matches("error: ").to_owned())
    })
}

/// A pattern for `matches` that finds this text regardless of the case of its letters.
pub fn pattern_of_text(text: &str) -> String {
    format!("(?i){}", regex::escape(text))
}

/// Bytes that a compiled pattern may have, so that one such as `(\w{1000}){1000}` is refused.
const PATTERN_BYTES: usize = 4 << 20;

fn compile(pattern: &str) -> Result<regex::Regex, regex::Error> {
    regex::RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES).build()
}

/// `matches(pattern, value)`, and `folded(text)`, by which texts sort regardless of case.
pub(crate) fn register(connection: &Connection) -> Result<(), StoreError> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function(c"matches", 2, flags, matches)?;
    connection.create_scalar_function(c"folded", 1, flags, folded)?;
    Ok(())
}

/// The day that SQLite calls `CURRENT_DATE`, by a clock of ours: views compare with it, so that any program that reads the file
/// knows what has expired, and tests need not wait for it.
pub(crate) fn register_day(connection: &Connection, clock: Arc<dyn Clock>) -> Result<(), StoreError> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function(c"current_date", 0, flags, move |_| {
        Ok(day_of(model::clock::unix_millis(clock.wall())))
    })?;
    Ok(())
}

/// `2026-01-02` for milliseconds since 1970, in UTC.
pub fn day_of(unix_millis: i64) -> String {
    let (year, month, day) = model::calendar::date_of(unix_millis.div_euclid(86_400_000));
    format!("{year:04}-{month:02}-{day:02}")
}

/// A function of texts, as `Writer::add_text_function` takes it: a number is handed over as NULL is.
pub(crate) fn register_text(
    connection: &Connection,
    name: &str,
    arguments: usize,
    function: fn(&[Option<&str>]) -> Option<String>,
) -> Result<(), StoreError> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    let arguments = i32::try_from(arguments).unwrap_or_default();
    connection.create_scalar_function(name, arguments, flags, move |context| {
        let texts: Vec<Option<&str>> = (0..context.len())
            .map(|at| match context.get_raw(at) {
                ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok(),
                _ => None,
            })
            .collect();
        Ok(function(&texts))
    })?;
    Ok(())
}

fn matches(context: &mut Context<'_>) -> rusqlite::Result<Option<bool>> {
    let pattern = context.get_or_create_aux(0, |value| match value {
        ValueRef::Text(bytes) => compile(&String::from_utf8_lossy(bytes)),
        _ => compile(""),
    })?;
    Ok(match context.get_raw(1) {
        ValueRef::Null => None,
        ValueRef::Text(bytes) => Some(pattern.is_match(&String::from_utf8_lossy(bytes))),
        ValueRef::Integer(number) => Some(pattern.is_match(&number.to_string())),
        ValueRef::Real(number) => Some(pattern.is_match(&number.to_string())),
        ValueRef::Blob(_) => Some(false),
    })
}

fn folded(context: &mut Context<'_>) -> rusqlite::Result<rusqlite::types::Value> {
    Ok(match context.get_raw(0) {
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).to_lowercase().into(),
        other => other.try_into()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_texts_and_are_bounded() {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        let check = |pattern: &str, value: &dyn rusqlite::ToSql, expect: Option<bool>| {
            let found: Option<bool> =
                connection.query_row("SELECT matches(?1, ?2)", (pattern, value), |row| row.get(0)).unwrap();
            assert_eq!(found, expect, "{pattern}");
        };
        check(&pattern_of_text("a.b*"), &"xA.B*y", Some(true));
        check(&pattern_of_text("a.b*"), &"xaxb*y", Some(false));
        check(&pattern_of_text("ÄÖ"), &"äö", Some(true));
        check("^4", &404, Some(true));
        check("a\0b", &"a\0b", Some(true));
        check("x", &rusqlite::types::Null, None);
        for wrong in ["(", "[z-a]", r"(\w{1000}){1000}"] {
            assert!(matches!(check_pattern(wrong), Err(StoreError::Query(_))), "{wrong}");
        }
        let error = check_pattern("a(b").unwrap_err();
        assert!(matches!(&error, StoreError::Query(why) if why == "unclosed group"), "{error}");
    }
}
