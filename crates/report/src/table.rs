//! An aligned table for terminals. The first rows decide the widths; what comes later is fitted in.

use crate::sheet::{Cell, Column, ColumnKind, TableStyle, cell_at};
use crate::visible::{cut_end, cut_middle, visible, width};
use std::io::{self, Write};

pub(crate) struct TableWriter<W: Write> {
    out: W,
    columns: Vec<Column>,
    limit: Option<usize>,
    /// Rows held back until the widths are decided.
    sample: Vec<Vec<Shown>>,
    /// Bytes of text in them.
    held: usize,
    /// The columns that are shown, with their widths; empty until decided.
    layout: Vec<Slot>,
    decided: bool,
}

/// A cell as text, and whether it is a number.
struct Shown {
    text: String,
    number: bool,
}

struct Slot {
    column: usize,
    width: usize,
    right: bool,
}

/// Rows looked at for the widths.
const SAMPLE: usize = 200;
/// Bytes of them, so that long cells are not held back in numbers.
const SAMPLE_BYTES: usize = 1 << 20;
/// Where nothing is cut, a column is not made wider than this; a longer cell pushes its own row only.
const WIDEST: usize = 100;
/// Between two columns.
const GAP: usize = 2;
/// A column of text is not made narrower than this before whole columns are left out.
const NARROWEST: usize = 12;

impl<W: Write> TableWriter<W> {
    pub(crate) fn new(columns: &[Column], style: TableStyle, out: W) -> Self {
        Self {
            out,
            columns: columns.to_vec(),
            limit: style.width,
            sample: Vec::new(),
            held: 0,
            layout: Vec::new(),
            decided: false,
        }
    }

    pub(crate) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let row: Vec<Shown> =
            (0..self.columns.len()).map(|column| self.shown(cell_at(cells, column), column)).collect();
        if self.decided {
            return self.line(&row);
        }
        self.held += row.iter().map(|cell| cell.text.len()).sum::<usize>();
        self.sample.push(row);
        if self.sample.len() < SAMPLE && self.held < SAMPLE_BYTES { Ok(()) } else { self.decide() }
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if !self.decided {
            self.decide()?;
        }
        let hidden: Vec<&str> = (0..self.columns.len())
            .filter(|column| !self.layout.iter().any(|slot| slot.column == *column))
            .map(|column| self.columns[column].name.as_str())
            .collect();
        if !hidden.is_empty() {
            let names = visible(&hidden.join(", ")).into_owned();
            writeln!(self.out, "\nNo room for: {names}. Choose columns, widen the terminal, or write CSV.")?;
        }
        self.out.flush()
    }

    /// A cell as it may be shown, cut to the line's length at once, so that the sample stays small.
    fn shown(&self, cell: Cell<'_>, column: usize) -> Shown {
        let number = matches!(cell, Cell::Int(_) | Cell::Real(_));
        let text = match cell {
            Cell::Null => String::new(),
            Cell::Int(value) => value.to_string(),
            Cell::Real(value) => real_text(value),
            Cell::Text(text) => {
                let cut = self.limit.map_or(text, |limit| self.head(text, limit, column));
                let shown = visible(cut);
                match self.limit {
                    Some(limit) => self.fit(&shown, limit, column),
                    None => shown.into_owned(),
                }
            }
        };
        Shown { text, number }
    }

    /// As much of a text as can come to be shown, so that a huge cell costs no more than a long one. Of a URL the end is
    /// shown too, and the project file keeps none longer than this.
    fn head<'a>(&self, text: &'a str, limit: usize, column: usize) -> &'a str {
        const LONGEST_URL: usize = 10_000;
        let most = match self.columns[column].kind {
            ColumnKind::Url => LONGEST_URL,
            _ => limit.saturating_mul(4),
        };
        text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
    }

    fn fit(&self, text: &str, room: usize, column: usize) -> String {
        match self.columns[column].kind {
            ColumnKind::Url => cut_middle(text, room).into_owned(),
            _ => cut_end(text, room).into_owned(),
        }
    }

    /// Decides the widths, writes the head and the rows held back.
    fn decide(&mut self) -> io::Result<()> {
        self.decided = true;
        let sample = std::mem::take(&mut self.sample);
        self.layout = self.slots(&sample);
        let head: Vec<Shown> = self
            .columns
            .iter()
            .map(|column| Shown { text: visible(&column.name).into_owned(), number: false })
            .collect();
        let rule: Vec<Shown> = (0..self.columns.len())
            .map(|column| {
                let slot = self.layout.iter().find(|slot| slot.column == column);
                Shown { text: "-".repeat(slot.map_or(0, |slot| slot.width)), number: false }
            })
            .collect();
        self.line(&head)?;
        self.line(&rule)?;
        sample.iter().try_for_each(|row| self.line(row))
    }

    /// The widest cell of each column, narrowed where the line is too short; whole columns go from the right.
    fn slots(&self, sample: &[Vec<Shown>]) -> Vec<Slot> {
        let mut slots: Vec<Slot> = (0..self.columns.len())
            .map(|column| {
                let mut widest = sample.iter().map(|row| width(&row[column].text)).max().unwrap_or(0);
                if self.limit.is_none() {
                    widest = widest.min(WIDEST);
                }
                let filled = || sample.iter().filter(|row| !row[column].text.is_empty());
                let right = self.columns[column].kind == ColumnKind::Number
                    || (filled().next().is_some() && filled().all(|row| row[column].number));
                Slot { column, width: widest.max(width(&visible(&self.columns[column].name))), right }
            })
            .collect();
        let Some(limit) = self.limit else { return slots };
        // Numbers are never cut; texts may shrink to the narrowest.
        let least = |slot: &Slot| if slot.right { slot.width } else { slot.width.min(NARROWEST) };
        let gaps = |slots: &[Slot]| GAP * slots.len().saturating_sub(1);
        while slots.len() > 1 && slots.iter().map(least).sum::<usize>() + gaps(&slots) > limit {
            slots.pop();
        }
        let room = limit.saturating_sub(gaps(&slots)).max(1);
        let mut total: usize = slots.iter().map(|slot| slot.width).sum();
        while total > room {
            // The widest gives way first, down to the second widest, and so on: short columns stay whole.
            let Some(widest) = slots.iter().filter(|slot| !slot.right).map(|slot| slot.width).max() else {
                break;
            };
            let next = slots
                .iter()
                .filter(|slot| !slot.right && slot.width < widest)
                .map(|slot| slot.width)
                .max()
                .unwrap_or(0);
            let count = slots.iter().filter(|slot| !slot.right && slot.width == widest).count();
            if widest <= 1 {
                break;
            }
            let step = (widest - next).min((total - room).div_ceil(count)).min(widest - 1);
            for slot in slots.iter_mut().filter(|slot| !slot.right && slot.width == widest) {
                slot.width -= step;
                total -= step;
            }
        }
        slots
    }

    fn line(&mut self, row: &[Shown]) -> io::Result<()> {
        let mut line = String::new();
        let mut owed = 0;
        for slot in &self.layout {
            let cell = &row[slot.column];
            let text = if self.limit.is_some() && !cell.number {
                self.fit(&cell.text, slot.width, slot.column)
            } else {
                cell.text.clone()
            };
            let pad = slot.width.saturating_sub(width(&text));
            let (before, after) = if slot.right { (pad, 0) } else { (0, pad) };
            if !text.is_empty() {
                line.extend(std::iter::repeat_n(' ', owed + before));
                line.push_str(&text);
                owed = 0;
            } else {
                owed += before;
            }
            // White space is written only when a cell follows: no line ends in blanks.
            owed += after + GAP;
        }
        line.push('\n');
        self.out.write_all(line.as_bytes())
    }
}

/// At most three digits after the point, none where they are zero.
fn real_text(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(limit: Option<usize>, rows: &[&[Cell<'_>]]) -> String {
        let columns = [
            Column::new("url", ColumnKind::Url),
            Column::new("status", ColumnKind::Number),
            Column::new("title", ColumnKind::Text),
        ];
        let mut out = Vec::new();
        let mut table = TableWriter::new(&columns, TableStyle { width: limit }, &mut out);
        for row in rows {
            table.row(row).unwrap();
        }
        table.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    const LONG: &str = "https://example.com/a/very/long/path/to/some/page.html";

    #[test]
    fn columns_line_up() {
        let rows: &[&[Cell<'_>]] = &[
            &[Cell::Text("http://a/"), Cell::Int(200), Cell::Text("漢字")],
            &[Cell::Text("http://ab/"), Cell::Null, Cell::Null],
            &[Cell::Text(""), Cell::Real(7.5), Cell::Text("x")],
        ];
        assert_eq!(
            written(None, rows),
            "url         status  title\n\
             ----------  ------  -----\n\
             http://a/      200  漢字\n\
             http://ab/\n\
             \u{20}              7.5  x\n"
        );
    }

    #[test]
    fn a_narrow_line_is_kept_and_the_url_is_cut_in_the_middle() {
        let text = written(
            Some(40),
            &[&[Cell::Text(LONG), Cell::Int(200), Cell::Text("A title that goes on and on")]],
        );
        assert!(text.lines().all(|line| width(line) <= 40), "{text}");
        let row = text.lines().nth(2).unwrap();
        assert!(row.starts_with("https:") && row.contains('…'), "{row}");
        assert!(row.contains("e.html") && row.contains(" 200 "), "{row}");
    }

    #[test]
    fn without_a_limit_nothing_is_cut() {
        let text = written(None, &[&[Cell::Text(LONG), Cell::Int(200), Cell::Text("t")]]);
        assert!(text.contains(LONG));
    }

    #[test]
    fn columns_that_cannot_fit_are_named() {
        let text = written(Some(16), &[&[Cell::Text(LONG), Cell::Int(200), Cell::Text("A title")]]);
        assert!(text.contains("No room for: status, title."), "{text}");
    }

    #[test]
    fn hostile_and_huge_cells_stay_in_their_row() {
        let huge = "\u{1b}[2J\n".repeat(100_000);
        let rows: Vec<Vec<Cell<'_>>> =
            (0..500).map(|n| vec![Cell::Text(&huge), Cell::Int(n), Cell::Text("\r\0")]).collect();
        let rows: Vec<&[Cell<'_>]> = rows.iter().map(Vec::as_slice).collect();
        let text = written(Some(80), &rows);
        assert_eq!(text.lines().count(), 502);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(text.len() < 200_000);
    }

    #[test]
    fn an_empty_table_has_its_head() {
        assert_eq!(written(Some(80), &[]), "url  status  title\n---  ------  -----\n");
    }
}
