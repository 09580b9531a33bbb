//! Tables: a bold heading that stays in view, a filter, typed cells, and as many sheets as the rows need.

use super::text::{LARGEST_INT, cell_text, hyperlink, push_text, serial};
use super::workbook::{Sheet, Workbook};
use super::{Limits, Style, reference};
use crate::sheet::{Cell, Column, ColumnKind, cell_at};
use crate::visible::width;
use std::io::{self, Write};

/// Rows on their way into the sheets of a workbook.
pub(crate) struct XlsxWriter<W: Write> {
    book: Workbook<W>,
    columns: Vec<Column>,
    title: String,
    limits: Limits,
    /// Rows held back until the widths are decided.
    sample: Vec<Vec<Held>>,
    /// Bytes of text in them.
    held: usize,
    /// Of each column, in characters; empty until decided.
    widths: Vec<usize>,
    /// The sheet being written; none before the widths are decided.
    open: Option<OpenSheet>,
    /// Used again for each row.
    xml: String,
}

#[derive(Default)]
struct OpenSheet {
    /// Rows written, the heading included.
    rows: u32,
    /// Bytes of XML.
    bytes: u64,
    links: Vec<(String, String, String)>,
    link_bytes: usize,
}

/// A cell that outlives its row.
enum Held {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

/// Rows looked at for the widths, and bytes of them.
const SAMPLE: usize = 200;
const SAMPLE_BYTES: usize = 1 << 20;
/// Characters that a column is wide at most; longer cells are cut on the screen only.
const WIDEST_TEXT: usize = 48;
const WIDEST_URL: usize = 64;
/// Room for the filter's arrow beside the name of the column.
const ARROW: usize = 4;

impl<W: Write> XlsxWriter<W> {
    /// A workbook that consists of this table.
    pub(crate) fn new(columns: &[Column], out: W) -> Self {
        Self::after(Workbook::new(out, "", ""), "Rows", columns, Limits::EXCEL)
    }

    /// A table in the sheets that follow those of the workbook. The title has at most 15 characters, so that a number fits.
    pub(crate) fn after(book: Workbook<W>, title: &str, columns: &[Column], limits: Limits) -> Self {
        Self {
            book,
            columns: columns.to_vec(),
            title: title.to_owned(),
            limits,
            sample: Vec::new(),
            held: 0,
            widths: Vec::new(),
            open: None,
            xml: String::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        if self.open.is_some() {
            return self.write_row(cells);
        }
        let row: Vec<Held> = (0..self.columns.len()).map(|column| Held::of(cell_at(cells, column))).collect();
        self.held += row.iter().map(Held::bytes).sum::<usize>();
        self.sample.push(row);
        if self.sample.len() < SAMPLE && self.held < SAMPLE_BYTES { Ok(()) } else { self.decide() }
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.open.is_none() {
            self.decide()?;
        }
        self.end_sheet()?;
        self.book.finish()
    }

    /// Decides the widths and writes the rows held back.
    fn decide(&mut self) -> io::Result<()> {
        let sample = std::mem::take(&mut self.sample);
        self.widths = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let least = width(&column.name) + ARROW;
                let widest = sample.iter().map(|row| row[at].width(column.kind)).max().unwrap_or(0) + 1;
                let most = if column.kind == ColumnKind::Url { WIDEST_URL } else { WIDEST_TEXT };
                widest.min(most).max(least)
            })
            .collect();
        self.begin_sheet()?;
        for row in &sample {
            let cells: Vec<Cell<'_>> = row.iter().map(Held::cell).collect();
            self.write_row(&cells)?;
        }
        Ok(())
    }

    fn begin_sheet(&mut self) -> io::Result<()> {
        let selected = if self.book.is_first() { " tabSelected=\"1\"" } else { "" };
        self.book.begin_sheet()?;
        let columns: String = self
            .widths
            .iter()
            .enumerate()
            .map(|(at, width)| {
                format!("<col min=\"{0}\" max=\"{0}\" width=\"{width}.71\" customWidth=\"1\"/>", at + 1)
            })
            .collect();
        // A table without columns has no place for the element.
        let columns = if columns.is_empty() { columns } else { format!("<cols>{columns}</cols>") };
        self.book.write(&format!(
            "<sheetViews><sheetView{selected} workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>\
             <selection pane=\"bottomLeft\" activeCell=\"A2\" sqref=\"A2\"/></sheetView></sheetViews>\
             <sheetFormatPr defaultRowHeight=\"15\"/>{columns}<sheetData>"
        ))?;
        self.xml.clear();
        self.xml.push_str("<row r=\"1\" ht=\"20\" customHeight=\"1\">");
        for (at, column) in self.columns.iter().enumerate() {
            push_string(&mut self.xml, &reference(at, 0), Style::Heading, &column.name);
        }
        self.xml.push_str("</row>");
        self.book.write(&self.xml)?;
        self.open = Some(OpenSheet { rows: 1, ..OpenSheet::default() });
        Ok(())
    }

    fn end_sheet(&mut self) -> io::Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let table = self.columns.len().checked_sub(1).map(|last| (last, open.rows - 1));
        let sheet = Sheet { title: self.title.clone(), table, merged: Vec::new() };
        self.book.end_sheet(sheet, &open.links, None)
    }

    fn write_row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let full = |open: &OpenSheet| open.rows >= self.limits.rows || open.bytes >= self.limits.bytes;
        if self.open.as_ref().is_some_and(full) {
            self.end_sheet()?;
            self.begin_sheet()?;
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        let row = open.rows;
        self.xml.clear();
        self.xml.push_str(&format!("<row r=\"{}\">", row + 1));
        for (at, column) in self.columns.iter().enumerate() {
            let cell = reference(at, row);
            match cell_at(cells, at) {
                Cell::Null => {}
                // A spreadsheet keeps fifteen digits.
                Cell::Int(number) if number.unsigned_abs() > LARGEST_INT => {
                    push_string(&mut self.xml, &cell, Style::Plain, &number.to_string());
                }
                Cell::Int(number) => push_number(&mut self.xml, &cell, Style::Plain, &number.to_string()),
                Cell::Real(number) if number.is_finite() => {
                    push_number(&mut self.xml, &cell, Style::Plain, &format!("{number:e}"));
                }
                Cell::Real(_) => {}
                Cell::Text(text) => match (column.kind, serial(text)) {
                    (ColumnKind::Moment, Some(days)) => {
                        push_number(&mut self.xml, &cell, Style::Moment, &format!("{days:.9}"));
                    }
                    (ColumnKind::Url, _) if open.links.len() < self.limits.links => match hyperlink(text) {
                        Some((address, fragment))
                            if open.link_bytes + address.len() + fragment.len() <= self.limits.link_bytes =>
                        {
                            push_string(&mut self.xml, &cell, Style::Link, text);
                            open.link_bytes += address.len() + fragment.len();
                            open.links.push((cell, address, fragment));
                        }
                        _ => push_string(&mut self.xml, &cell, Style::Plain, text),
                    },
                    _ => push_string(&mut self.xml, &cell, Style::Plain, text),
                },
            }
        }
        self.xml.push_str("</row>");
        open.rows += 1;
        open.bytes += self.xml.len() as u64;
        self.book.write(&self.xml)
    }
}

/// Appends a cell with a text as it is, never as a formula.
pub(super) fn push_string(xml: &mut String, cell: &str, style: Style, text: &str) {
    if text.is_empty() {
        return;
    }
    xml.push_str(&format!(
        "<c r=\"{cell}\" s=\"{}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">",
        style as u8
    ));
    push_text(xml, &cell_text(text));
    xml.push_str("</t></is></c>");
}

pub(super) fn push_number(xml: &mut String, cell: &str, style: Style, number: &str) {
    xml.push_str(&format!("<c r=\"{cell}\" s=\"{}\"><v>{number}</v></c>", style as u8));
}

impl Held {
    fn of(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Int(number) => Self::Int(number),
            Cell::Real(number) => Self::Real(number),
            Cell::Text(text) => Self::Text(text.to_owned()),
        }
    }

    fn cell(&self) -> Cell<'_> {
        match self {
            Self::Null => Cell::Null,
            Self::Int(number) => Cell::Int(*number),
            Self::Real(number) => Cell::Real(*number),
            Self::Text(text) => Cell::Text(text),
        }
    }

    fn bytes(&self) -> usize {
        if let Self::Text(text) = self { text.len() } else { 0 }
    }

    /// Characters that it takes on the screen, as far as they matter for the width of a column.
    fn width(&self, kind: ColumnKind) -> usize {
        match self {
            Self::Null => 0,
            Self::Int(number) => number.to_string().len(),
            Self::Real(number) => number.to_string().len(),
            Self::Text(text) if kind == ColumnKind::Moment && serial(text).is_some() => {
                "2026-03-01 08:15".len()
            }
            Self::Text(text) => {
                let end = text.char_indices().nth(WIDEST_URL).map_or(text.len(), |(at, _)| at);
                width(&text[..end])
            }
        }
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
