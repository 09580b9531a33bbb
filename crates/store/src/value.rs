//! Values and rows as they leave the project file, for callers that may not know SQLite.

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Real(value) => ValueRef::Real(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
        }))
    }
}

/// One row of a running query. Columns are counted from 0; a column of another kind reads as empty.
pub struct Row<'a>(pub(crate) &'a rusqlite::Row<'a>);

impl Row<'_> {
    fn cell(&self, column: usize) -> ValueRef<'_> {
        self.0.get_ref(column).unwrap_or(ValueRef::Null)
    }

    pub fn opt_int(&self, column: usize) -> Option<i64> {
        match self.cell(column) {
            ValueRef::Integer(value) => Some(value),
            ValueRef::Real(value) => Some(value as i64),
            _ => None,
        }
    }

    /// The integer, 0 for NULL.
    pub fn int(&self, column: usize) -> i64 {
        self.opt_int(column).unwrap_or_default()
    }

    pub fn real(&self, column: usize) -> f64 {
        match self.cell(column) {
            ValueRef::Integer(value) => value as f64,
            ValueRef::Real(value) => value,
            _ => 0.0,
        }
    }

    pub fn opt_text(&self, column: usize) -> Option<&str> {
        match self.cell(column) {
            ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The text, empty for NULL.
    pub fn text(&self, column: usize) -> &str {
        self.opt_text(column).unwrap_or_default()
    }

    pub fn blob(&self, column: usize) -> &[u8] {
        match self.cell(column) {
            ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
            _ => &[],
        }
    }

    pub fn value(&self, column: usize) -> Value {
        match self.cell(column) {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(value) => Value::Int(value),
            ValueRef::Real(value) => Value::Real(value),
            ValueRef::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
            ValueRef::Blob(bytes) => Value::Text(format!("<{} bytes>", bytes.len())),
        }
    }
}
