//! XLSX (ISO/IEC 29500): workbooks that are written as their rows come.
//!
//! Written here and not by a library: those at hand either hold the rows in memory or in files of their own, end the
//! program when the disk is full, or escape the `%` of an address once more, which leads its hyperlink astray.
//! A workbook is a ZIP archive of XML parts; each sheet is one part, streamed, and what names the sheets comes last.
//!
//! Absences: no formulas, ever. A text is an inline string, so nothing that a site wrote can be run.

mod front;
mod table;
mod text;
mod workbook;

pub(crate) use front::{Front, FrontCell, FrontRow};
pub(crate) use table::XlsxWriter;
pub(crate) use workbook::Workbook;

/// What a sheet may hold. Source: “Excel specifications and limits”, support.microsoft.com.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Rows of a sheet, the heading included.
    pub(crate) rows: u32,
    /// Hyperlinks of a sheet; further addresses are plain texts.
    pub(crate) links: usize,
    /// Bytes of their addresses, which are held in memory until the sheet ends.
    pub(crate) link_bytes: usize,
    /// Bytes of a sheet's XML: an archive without 64-bit extensions, which some programs do not read, ends at 4 GiB.
    pub(crate) bytes: u64,
}

impl Limits {
    pub(crate) const EXCEL: Self =
        Self { rows: 1_048_576, links: 65_530, link_bytes: 32 << 20, bytes: 3 << 30 };
}

/// Indexes into the `cellXfs` of the workbook's styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Style {
    Plain = 0,
    Heading = 1,
    Link = 2,
    /// Date and time.
    Moment = 3,
    Title = 4,
    Muted = 5,
    Label = 6,
    /// Whole numbers in groups of three.
    Count = 7,
    Wrapped = 8,
    /// A date without a time, at the left.
    Day = 9,
    /// Above numbers.
    HeadingRight = 10,
}

/// `A1`: column and row counted from 0.
pub(crate) fn reference(column: usize, row: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    let mut out: String = letters.iter().rev().map(|letter| char::from(*letter)).collect();
    out.push_str(&(row + 1).to_string());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_spreadsheets_do() {
        let check = |column, row, expect: &str| assert_eq!(reference(column, row), expect);
        check(0, 0, "A1");
        check(25, 1, "Z2");
        check(26, 0, "AA1");
        check(701, 0, "ZZ1");
        check(702, 1_048_575, "AAA1048576");
    }
}
