//! The first sheet of a report: who made it, what it is about, and its numbers.

use super::table::{push_number, push_string};
use super::text::{hyperlink, serial};
use super::workbook::{Sheet, Workbook};
use super::{Style, reference};
use crate::brand::Picture;
use std::io::{self, Write};

/// A sheet of a few rows, held in memory.
#[derive(Default)]
pub(crate) struct Front<'a> {
    pub(crate) title: &'a str,
    /// Characters that each column is wide.
    pub(crate) widths: &'a [u16],
    pub(crate) rows: Vec<FrontRow<'a>>,
    /// Stands at the top left, above the rows.
    pub(crate) picture: Option<&'a Picture>,
}

pub(crate) enum FrontRow<'a> {
    Cells(Vec<FrontCell<'a>>),
    /// A text over the whole width, in as many lines as it needs.
    Paragraph(&'a str),
    Blank,
}

/// A cell and its looks.
pub(crate) enum FrontCell<'a> {
    Text(&'a str, Style),
    Address(&'a str),
    Count(u64),
    /// ISO 8601, shown as a day.
    Day(&'a str),
}

/// Pixels that the picture may take, width and height.
pub(super) const PICTURE_ROOM: (u32, u32) = (320, 72);

impl<W: Write> Workbook<W> {
    pub(crate) fn front(&mut self, front: &Front<'_>) -> io::Result<()> {
        let selected = if self.is_first() { " tabSelected=\"1\"" } else { "" };
        self.begin_sheet()?;
        let columns: String = front
            .widths
            .iter()
            .enumerate()
            .map(|(at, width)| {
                format!("<col min=\"{0}\" max=\"{0}\" width=\"{width}.71\" customWidth=\"1\"/>", at + 1)
            })
            .collect();
        self.write(&format!(
            "<sheetViews><sheetView showGridLines=\"0\"{selected} workbookViewId=\"0\"/></sheetViews><sheetFormatPr defaultRowHeight=\"15\"/>\
             <cols>{columns}</cols><sheetData>"
        ))?;
        let mut merged = Vec::new();
        let mut links = Vec::new();
        let mut row = 0;
        let mut xml = String::new();
        if front.picture.is_some() {
            // Points are three quarters of a pixel; a little room stays below the picture.
            self.write(&format!("<row r=\"1\" ht=\"{}\" customHeight=\"1\"/>", PICTURE_ROOM.1 * 3 / 4 + 6))?;
            row = 1;
        }
        let across = usize::from(front.widths.iter().sum::<u16>()).max(1);
        for line in &front.rows {
            xml.clear();
            let number = row + 1;
            match line {
                FrontRow::Blank => {}
                FrontRow::Paragraph(text) => {
                    let last = front.widths.len().saturating_sub(1);
                    let lines: usize =
                        text.lines().map(|line| crate::visible::width(line).div_ceil(across).max(1)).sum();
                    // 409 points is the highest that a row can be.
                    let height = (lines * 16).min(400);
                    xml.push_str(&format!("<row r=\"{number}\" ht=\"{height}\" customHeight=\"1\">"));
                    push_string(&mut xml, &reference(0, row), Style::Wrapped, text);
                    xml.push_str("</row>");
                    if last > 0 {
                        merged.push(format!("{}:{}", reference(0, row), reference(last, row)));
                    }
                }
                FrontRow::Cells(cells) => {
                    let is_title = matches!(cells.first(), Some(FrontCell::Text(_, Style::Title)));
                    let height = if is_title { " ht=\"30\" customHeight=\"1\"" } else { "" };
                    xml.push_str(&format!("<row r=\"{number}\"{height}>"));
                    for (at, cell) in cells.iter().enumerate() {
                        let name = reference(at, row);
                        match cell {
                            FrontCell::Text(text, style) => push_string(&mut xml, &name, *style, text),
                            FrontCell::Count(count) => {
                                push_number(&mut xml, &name, Style::Count, &count.to_string());
                            }
                            FrontCell::Day(text) => match serial(text) {
                                Some(days) => {
                                    push_number(&mut xml, &name, Style::Day, &days.floor().to_string());
                                }
                                None => push_string(&mut xml, &name, Style::Plain, text),
                            },
                            FrontCell::Address(text) => match hyperlink(text) {
                                Some((address, fragment)) => {
                                    push_string(&mut xml, &name, Style::Link, text);
                                    links.push((name, address, fragment));
                                }
                                None => push_string(&mut xml, &name, Style::Plain, text),
                            },
                        }
                    }
                    xml.push_str("</row>");
                }
            }
            self.write(&xml)?;
            row += 1;
        }
        self.end_sheet(Sheet { title: front.title.to_owned(), table: None, merged }, &links, front.picture)
    }
}
