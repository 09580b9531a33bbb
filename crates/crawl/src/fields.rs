//! What a person looks for in pages, computed while they are read, and again over stored pages.

use model::custom::Field;
use model::facts::Problem;
use parse::{Document, FieldValue};
use store::{FieldRow, Value};

/// The fields of a project, ready to be computed.
#[derive(Debug, Default)]
pub struct Fields {
    ids: Vec<i64>,
    fields: Vec<Field>,
}

impl Fields {
    /// A field whose rule cannot be read by this version is left out: it keeps what it has.
    pub fn of(rows: &[FieldRow]) -> Self {
        let read = rows.iter().filter_map(|row| Some((row.id, Field::new(&row.name, &row.rule).ok()?)));
        let (ids, fields) = read.unzip();
        Self { ids, fields }
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The values of every field by its number. An expression that is given up is told as a problem of the page.
    pub fn found(&self, page: &Document, problems: &mut Vec<Problem>) -> Vec<(i64, Vec<Value>)> {
        if self.fields.is_empty() {
            return Vec::new();
        }
        let found = parse::custom(page, &self.fields);
        let mut all = Vec::with_capacity(found.len());
        for ((id, field), found) in self.ids.iter().zip(&self.fields).zip(found) {
            if found.given_up {
                problems.push(Problem {
                    code: "extraction-given-up",
                    detail: format!(
                        "{}: the page would have kept the expression busy for too long",
                        field.name
                    )
                    .into(),
                    line: 0,
                });
            }
            all.push((*id, found.values.into_iter().map(stored).collect()));
        }
        all
    }
}

fn stored(value: FieldValue) -> Value {
    /// Whole numbers up to here are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        FieldValue::Text(text) => Value::Text(text),
        FieldValue::Flag(flag) => Value::Int(flag.into()),
        FieldValue::Number(number) if number.fract() == 0.0 && number.abs() <= EXACT => {
            Value::Int(number as i64)
        }
        FieldValue::Number(number) => Value::Real(number),
    }
}
