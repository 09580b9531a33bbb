//! The one door for rows: a sheet has columns, takes rows, and writes them in a format.

use crate::csv::CsvWriter;
use crate::json::JsonWriter;
use crate::table::TableWriter;
use crate::xlsx::XlsxWriter;
use std::io::{self, Write};
use std::path::Path;

/// Rows on their way into `W`. Dropping it unfinished leaves the output incomplete.
pub struct Sheet<W: Write> {
    writer: Writer<W>,
    rows: u64,
}

/// One cell. Texts are borrowed from the row they stand in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(&'a str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: ColumnKind,
}

/// What a column holds, where it is known: it decides alignment, where a long cell is cut, and JSON within JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ColumnKind {
    #[default]
    Text,
    /// Cut in the middle: host and end of the path tell URLs apart.
    Url,
    /// Aligned to the right.
    Number,
    /// A text that is JSON: written as such within JSON, as text elsewhere.
    Json,
    /// ISO 8601 in UTC: a date in a spreadsheet, text elsewhere.
    Moment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Table(TableStyle),
    Csv(CsvStyle),
    Json,
    JsonLines,
    /// A workbook. Rows beyond what a sheet can hold go on in further ones, whose names say so.
    Xlsx,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TableStyle {
    /// Characters a line may have; `None` where no terminal limits it, and then nothing is cut.
    pub width: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CsvStyle {
    /// Begin with a UTF-8 byte order mark, which older spreadsheet programs need to see other than ASCII rightly.
    pub bom: bool,
    /// It is read on a terminal: characters that would act there are made visible instead.
    pub terminal: bool,
}

enum Writer<W: Write> {
    Table(TableWriter<W>),
    Csv(Box<CsvWriter<W>>),
    Json(JsonWriter<W>),
    Xlsx(Box<XlsxWriter<W>>),
}

impl<W: Write> Sheet<W> {
    pub fn new(format: Format, columns: &[Column], out: W) -> io::Result<Self> {
        let writer = match format {
            Format::Table(style) => Writer::Table(TableWriter::new(columns, style, out)),
            Format::Csv(style) => Writer::Csv(Box::new(CsvWriter::new(columns, style, out)?)),
            Format::Json => Writer::Json(JsonWriter::array(columns, out)?),
            Format::JsonLines => Writer::Json(JsonWriter::lines(columns, out)),
            Format::Xlsx => Writer::Xlsx(Box::new(XlsxWriter::new(columns, out))),
        };
        Ok(Self { writer, rows: 0 })
    }

    /// Writes one row. Missing cells count as empty, cells beyond the columns are left out.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.rows += 1;
        match &mut self.writer {
            Writer::Table(writer) => writer.row(cells),
            Writer::Csv(writer) => writer.row(cells),
            Writer::Json(writer) => writer.row(cells),
            Writer::Xlsx(writer) => writer.row(cells),
        }
    }

    /// Writes what is still held back and gives the number of rows.
    pub fn finish(self) -> io::Result<u64> {
        match self.writer {
            Writer::Table(writer) => writer.finish()?,
            Writer::Csv(writer) => writer.finish()?,
            Writer::Json(writer) => writer.finish()?,
            Writer::Xlsx(writer) => writer.finish()?,
        }
        Ok(self.rows)
    }
}

impl Column {
    pub fn new(name: impl Into<String>, kind: ColumnKind) -> Self {
        Self { name: name.into(), kind }
    }
}

impl Format {
    /// The endings that [`Format::of_path`] knows.
    pub const ENDINGS: &'static [&'static str] = &[".csv", ".xlsx", ".json", ".jsonl"];

    /// The format that a file's ending asks for. A CSV file gets a byte order mark, since it is likely to be opened in a
    /// spreadsheet program.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv(CsvStyle { bom: true, terminal: false })),
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "xlsx" => Some(Self::Xlsx),
            _ => None,
        }
    }
}

/// The cell of a column, empty where the row is short.
pub(crate) fn cell_at<'a>(cells: &[Cell<'a>], column: usize) -> Cell<'a> {
    cells.get(column).copied().unwrap_or(Cell::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_choose_the_format() {
        let check = |path: &str, expect: Option<Format>| {
            assert_eq!(Format::of_path(Path::new(path)), expect, "{path}")
        };
        check("a/b.csv", Some(Format::Csv(CsvStyle { bom: true, terminal: false })));
        check("b.JSON", Some(Format::Json));
        check("b.jsonl", Some(Format::JsonLines));
        check("b.xlsx", Some(Format::Xlsx));
        check("b.xls", None);
        check("csv", None);
        check("", None);
    }

    #[test]
    fn short_and_long_rows_keep_their_columns() {
        let columns = [Column::new("a", ColumnKind::Text), Column::new("b", ColumnKind::Text)];
        for format in [
            Format::Table(TableStyle::default()),
            Format::Csv(CsvStyle::default()),
            Format::Json,
            Format::JsonLines,
        ] {
            let mut out = Vec::new();
            let mut sheet = Sheet::new(format, &columns, &mut out).unwrap();
            sheet.row(&[]).unwrap();
            sheet.row(&[Cell::Int(1), Cell::Int(2), Cell::Text("beyond")]).unwrap();
            assert_eq!(sheet.finish().unwrap(), 2);
            let text = String::from_utf8(out).unwrap();
            assert!(!text.contains("beyond"), "{text}");
        }
    }
}
