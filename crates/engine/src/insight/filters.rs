//! Filters put together: the words in which bars and groups say which rows they count.

use crate::table::{Condition, Filter, Operator, Value};

pub(super) fn all(mut filters: Vec<Filter>) -> Filter {
    if filters.len() == 1 { filters.remove(0) } else { Filter::All(filters) }
}

pub(super) fn any(mut filters: Vec<Filter>) -> Filter {
    if filters.len() == 1 { filters.remove(0) } else { Filter::Any(filters) }
}

pub(super) fn not(filter: Filter) -> Filter {
    Filter::Not(Box::new(filter))
}

/// The column has exactly this text.
pub(super) fn is(column: &str, text: &str) -> Filter {
    condition(column, Operator::Equals, Value::Text(text.to_owned()))
}

/// The column has this number.
pub(super) fn equals(column: &str, number: i64) -> Filter {
    condition(column, Operator::Equals, Value::Int(number))
}

pub(super) fn at_least(column: &str, number: i64) -> Filter {
    condition(column, Operator::AtLeast, Value::Int(number))
}

pub(super) fn below(column: &str, number: i64) -> Filter {
    condition(column, Operator::Below, Value::Int(number))
}

pub(super) fn empty(column: &str) -> Filter {
    condition(column, Operator::Empty, Value::Null)
}

pub(super) fn filled(column: &str) -> Filter {
    condition(column, Operator::Filled, Value::Null)
}

/// The column begins with this text, upper and lower case told apart, as directories of URLs are.
pub(super) fn begins(column: &str, text: &str) -> Filter {
    matches(column, format!("^{}", regex::escape(text)))
}

/// The URL lies in this directory and in none below it.
pub(super) fn directly_in(directory: &str) -> Filter {
    matches("url", format!("^{}[^/?]*(\\?|$)", regex::escape(directory)))
}

/// The column has this text, in upper or lower case. Of a very long text the beginning suffices.
pub(super) fn same_text(column: &str, text: &str) -> Filter {
    let (start, end) = beginning(text, "$");
    matches(column, format!("(?i)^{}{end}", regex::escape(start)))
}

/// The evidence has a member of this name with this text. Findings have one column for their evidence, which joins its members
/// as `name: value · name: value` on one line.
pub(super) fn in_evidence(name: &str, text: &str) -> Filter {
    matches("evidence", member(name, text))
}

/// The evidence has no member of this name.
pub(super) fn not_in_evidence(name: &str) -> Filter {
    not(matches("evidence", format!("(^| · ){}: ", regex::escape(&name.replace('_', " ")))))
}

/// As `in_evidence`, in upper or lower case.
pub(super) fn same_in_evidence(name: &str, text: &str) -> Filter {
    matches("evidence", format!("(?i){}", member(name, text)))
}

fn member(name: &str, text: &str) -> String {
    let text = one_line(text);
    let (start, end) = beginning(&text, "( · |$)");
    format!("(^| · ){}: {}{end}", regex::escape(&name.replace('_', " ")), regex::escape(start))
}

/// Characters of a text that a pattern is made of.
const LONGEST: usize = 1_000;

/// What a pattern takes of a text, and the end of the pattern: where the text was cut it may go on.
fn beginning<'t>(text: &'t str, end: &'static str) -> (&'t str, &'static str) {
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => (&text[..cut], ""),
        None => (text, end),
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

fn matches(column: &str, pattern: String) -> Filter {
    condition(column, Operator::Matches, Value::Text(pattern))
}

fn condition(column: &str, operator: Operator, value: Value) -> Filter {
    Filter::Is(Condition { column: column.to_owned(), operator, value })
}
