//! Rows to a file, as they come: memory does not grow with their number.

use super::catalogue::{Column, Table};
use super::dto::{ColumnKind, RowRange};
use super::{Tables, lock, select, within};
use crate::destination;
use crate::dto::Exported;
use crate::error::EngineError;
use report::{Cell, Format, Sheet};
use std::path::Path;
use store::{Row, Value};

impl Tables {
    /// Writes rows, all unless ranges say which, to a file whose ending says the format. It appears whole or not at all.
    pub fn export(
        &self,
        table: u32,
        ranges: Option<&[RowRange]>,
        columns: &[String],
        path: &Path,
    ) -> Result<Exported, EngineError> {
        let open = self.table(table)?;
        let format = Format::of_path(path).ok_or_else(|| {
            EngineError::Usage(format!(
                "{}: the ending says the format; {} can be written",
                path.display(),
                Format::ENDINGS.join(", ")
            ))
        })?;
        let columns = if columns.is_empty() { all(open.table) } else { columns.to_vec() };
        let select = select(open.table, &columns)?;
        let heads = heads(open.table, &columns)?;
        let rows = lock(&open.ordering).len();
        let ranges = within(ranges.unwrap_or(&[RowRange { start: 0, end: u64::MAX }]), rows);
        let unwritable = |why| EngineError::Unwritable { path: path.to_owned(), why };
        let mut file = destination::create(path)?;
        let mut sheet = Sheet::new(format, &heads, &mut file).map_err(unwritable)?;
        let mut written = Ok(());
        self.each_row(&open, &ranges, &select, &mut |row| {
            written = write(&mut sheet, row, heads.len());
            written.is_ok()
        })?;
        written.map_err(unwritable)?;
        let rows = sheet.finish().map_err(unwritable)?;
        file.place().map_err(unwritable)?;
        Ok(Exported { path: path.to_owned(), rows, left_out: 0 })
    }
}

/// Writes a row; one that is gone since the table was opened is left out.
fn write<W: std::io::Write>(sheet: &mut Sheet<W>, row: Option<&Row>, columns: usize) -> std::io::Result<()> {
    let Some(row) = row else { return Ok(()) };
    let values: Vec<Value> = (0..columns).map(|column| row.value(column)).collect();
    let cells: Vec<Cell<'_>> = values
        .iter()
        .map(|value| match value {
            Value::Null => Cell::Null,
            Value::Int(number) => Cell::Int(*number),
            Value::Real(number) => Cell::Real(*number),
            Value::Text(text) => Cell::Text(text),
        })
        .collect();
    sheet.row(&cells)
}

fn all(table: &Table) -> Vec<String> {
    table.columns.iter().map(|column| column.id.to_owned()).collect()
}

fn heads(table: &Table, columns: &[String]) -> Result<Vec<report::Column>, EngineError> {
    columns.iter().map(|id| table.column(id).map(head)).collect()
}

/// Columns of files are named as in the documented views, so that scripts read both alike.
fn head(column: &Column) -> report::Column {
    let kind = match column.kind {
        ColumnKind::Url => report::ColumnKind::Url,
        ColumnKind::Json => report::ColumnKind::Json,
        ColumnKind::Time => report::ColumnKind::Moment,
        ColumnKind::Int | ColumnKind::Real | ColumnKind::Bytes | ColumnKind::Ms | ColumnKind::Status => {
            report::ColumnKind::Number
        }
        _ => report::ColumnKind::Text,
    };
    report::Column::new(super::fields::heading(column.id), kind)
}
