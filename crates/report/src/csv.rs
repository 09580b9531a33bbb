//! CSV by RFC 4180, safe to open in a spreadsheet program.

use crate::sheet::{Cell, Column, CsvStyle, cell_at};
use crate::visible::visible;
use std::borrow::Cow;
use std::io::{self, Write};

pub(crate) struct CsvWriter<W: Write> {
    out: csv::Writer<W>,
    columns: usize,
    style: CsvStyle,
}

/// What a spreadsheet program takes for the beginning of a formula. The full-width forms act so in East Asian locales.
/// Source: OWASP, “CSV Injection”; CWE-1236.
const FORMULA_STARTS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

impl<W: Write> CsvWriter<W> {
    pub(crate) fn new(columns: &[Column], style: CsvStyle, mut out: W) -> io::Result<Self> {
        if style.bom {
            out.write_all("\u{feff}".as_bytes())?;
        }
        let mut out = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
        for column in columns {
            field(&mut out, &column.name, style)?;
        }
        end_record(&mut out)?;
        Ok(Self { out, columns: columns.len(), style })
    }

    pub(crate) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for column in 0..self.columns {
            match cell_at(cells, column) {
                Cell::Null => self.out.write_field("").map_err(plain)?,
                Cell::Int(number) => self.out.write_field(number.to_string()).map_err(plain)?,
                Cell::Real(number) => self.out.write_field(number.to_string()).map_err(plain)?,
                Cell::Text(text) => field(&mut self.out, text, self.style)?,
            }
        }
        end_record(&mut self.out)
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn end_record<W: Write>(out: &mut csv::Writer<W>) -> io::Result<()> {
    out.write_record(None::<&[u8]>).map_err(plain)
}

fn field<W: Write>(out: &mut csv::Writer<W>, text: &str, style: CsvStyle) -> io::Result<()> {
    let inert = inert(text);
    let shown = if style.terminal { visible(&inert) } else { inert };
    out.write_field(shown.as_ref()).map_err(plain)
}

/// The I/O error itself, with its kind: the caller tells a closed pipe from a full disk by it.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("CSV: {}", csv_fault(&other))),
    }
}

/// What a writer of rows of equal length can meet besides I/O.
const fn csv_fault(kind: &csv::ErrorKind) -> &'static str {
    match kind {
        csv::ErrorKind::UnequalLengths { .. } => "a row has another number of cells than the heading",
        _ => "a row cannot be written",
    }
}

/// Puts an apostrophe before a text that would be run as a formula, so that it is shown instead.
///
/// Nothing is lost: where a cell consists of one or more apostrophes and then one of the characters above, taking away one
/// apostrophe gives the original. That is why a text which already looks so gets one more.
pub fn inert(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA_STARTS) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::ColumnKind;

    fn written(cells: &[Cell<'_>], style: CsvStyle) -> String {
        let columns: Vec<Column> =
            (0..cells.len()).map(|n| Column::new(format!("c{n}"), ColumnKind::Text)).collect();
        let mut out = Vec::new();
        let mut writer = CsvWriter::new(&columns, style, &mut out).unwrap();
        writer.row(cells).unwrap();
        writer.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn texts_never_run_and_numbers_stay() {
        let check = |cell: Cell<'_>, expect: &str| {
            assert_eq!(
                written(&[Cell::Int(0), cell], CsvStyle::default()),
                format!("c0,c1\r\n0,{expect}\r\n"),
                "{cell:?}"
            );
        };
        check(Cell::Text("=1+1"), "'=1+1");
        check(Cell::Text("+1 555"), "'+1 555");
        check(Cell::Text("-2 degrees"), "'-2 degrees");
        check(Cell::Text("@SUM(A1)"), "'@SUM(A1)");
        check(Cell::Text("\t=1"), "'\t=1");
        check(Cell::Text("\r=1"), "\"'\r=1\"");
        check(Cell::Text("＝1"), "'＝1");
        check(Cell::Text("'=1"), "''=1");
        check(Cell::Text("'tis"), "'tis");
        check(Cell::Text("a = b"), "a = b");
        check(Cell::Text("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
        check(Cell::Int(-5), "-5");
        check(Cell::Real(-0.25), "-0.25");
        check(Cell::Real(60.0), "60");
        check(Cell::Null, "");
    }

    #[test]
    fn the_original_can_be_recovered() {
        for original in ["=1", "'=1", "''-x", "'", "'tis", "\t", "plain", "", "＠a"] {
            let cell = inert(original);
            let bare = cell.trim_start_matches('\'');
            let recovered =
                if cell.starts_with('\'') && bare.starts_with(FORMULA_STARTS) { &cell[1..] } else { &*cell };
            assert_eq!(recovered, original);
        }
    }

    #[test]
    fn nothing_acts_on_a_terminal_and_files_keep_every_character() {
        let hostile = "a\u{1b}]0;x\u{7}\u{202e}b";
        let check = |terminal: bool, expect: &str| {
            let text = written(&[Cell::Text(hostile)], CsvStyle { bom: false, terminal });
            assert_eq!(text, format!("c0\r\n{expect}\r\n"));
        };
        check(true, "a␛]0;x␇\\u{202e}b");
        check(false, hostile);
    }

    #[test]
    fn a_closed_pipe_is_told_as_one() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let columns = [Column::new("a", ColumnKind::Text)];
        let mut writer = CsvWriter::new(&columns, CsvStyle::default(), Closed).unwrap();
        let long = "x".repeat(100_000);
        let error = writer.row(&[Cell::Text(&long)]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn quoting_follows_the_rfc() {
        let text = written(
            &[Cell::Text("a,b"), Cell::Text("say \"hi\""), Cell::Text("two\nlines")],
            CsvStyle { bom: true, terminal: false },
        );
        assert_eq!(text, "\u{feff}c0,c1,c2\r\n\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n");
    }
}
