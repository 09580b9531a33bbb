//! The report of broken links: what a row of it is, and the forms in which it can be written.

use crate::brand::{Brand, Logo};
use crate::html::Page;
use crate::sheet::{Cell, Column, ColumnKind, CsvStyle, Format, Sheet};
use crate::xlsx::{Front, FrontCell, FrontRow, Limits, Style, Workbook, XlsxWriter};
use std::io::{self, Write};
use std::path::Path;

/// One place where a link that does not work stands. Texts are borrowed from the row they were read from.
#[derive(Debug, Clone, Copy)]
pub struct Occurrence<'a> {
    /// The page with the link; for a redirect, the URL that redirects.
    pub page: &'a str,
    pub page_title: Option<&'a str>,
    /// Text of the link, alt text of the image; `None` where there is none.
    pub anchor: Option<&'a str>,
    /// Path of elements: `body>footer>ul>li>a`.
    pub element: &'a str,
    /// Nearest landmark: `nav`, `main`, `footer`, …
    pub position: &'a str,
    /// Line of the element in the page's source, from 1; 0 for a header.
    pub line: i64,
    /// What kind of link it is: `anchor`, `image`, `script`, …
    pub kind: &'a str,
    /// The address as written.
    pub raw_href: &'a str,
    /// `None` where what is written is no address.
    pub target: Option<&'a str>,
    /// A number that occurrences of one target share; negative for a text that is no address.
    pub group: i64,
    /// Occurrences of the target, and different pages among them.
    pub occurrences: u64,
    pub pages: u64,
    /// Whether the target belongs to the site; `None` where there is none.
    pub internal: Option<bool>,
    /// HTTP status of the target itself.
    pub status: Option<i64>,
    pub fault: Fault,
    /// What happened, in words: `404 Not Found`.
    pub reason: &'a str,
    /// What happened, as scripts know it: `404`, `dns`, `redirect-loop`.
    pub code: &'a str,
    /// Where a chain of redirects ends, if the target redirects.
    pub final_url: Option<&'a str>,
    /// When the earliest crawl began that found this link broken already; ISO 8601 UTC.
    pub first_seen: &'a str,
}

/// The verdict on a link that is in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    Broken,
    /// The server answered, but not about the page. Not broken.
    Unverified,
    /// Not an address.
    Invalid,
}

/// What the report is about.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// The URL that the crawl began with.
    pub site: String,
    /// When it began; ISO 8601 UTC.
    pub date: String,
    /// False while it runs and after it was interrupted: then not every link has been looked at.
    pub complete: bool,
    /// Internal pages that were read.
    pub pages: u64,
    /// URLs that were met.
    pub urls: u64,
}

/// The numbers of the report.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    pub broken_internal: Count,
    pub broken_external: Count,
    pub unverified: Count,
    pub invalid: Count,
    /// Pages with at least one broken link or invalid address.
    pub pages: u64,
    /// Whether links that could not be verified are among the rows.
    pub lists_unverified: bool,
    /// The targets with the most occurrences among the rows, the greatest first; at most [`Totals::WORST`].
    pub worst: Vec<Worst>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub occurrences: u64,
    /// Different targets, or different texts that are no address.
    pub targets: u64,
}

/// A target and how often it stands on the site.
#[derive(Debug, Clone, Default)]
pub struct Worst {
    pub target: String,
    /// As [`Occurrence::group`].
    pub group: i64,
    pub reason: String,
    pub occurrences: u64,
    /// Different pages among them.
    pub pages: u64,
}

/// The report on its way into `W`. Rows come sorted as [`ReportForm::sections`] says.
pub struct BrokenLinks<W: Write>(Writer<W>);

enum Writer<W: Write> {
    Sheet(Box<Sheet<W>>),
    Workbook(Box<XlsxWriter<W>>, u64),
    Page(Box<Page<W>>),
}

/// The file that the report becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    Rows(Format),
    Html,
}

impl Totals {
    pub const WORST: usize = 50;

    /// Rows of the report.
    pub const fn rows(&self) -> u64 {
        let unverified = if self.lists_unverified { self.unverified.occurrences } else { 0 };
        self.broken_internal.occurrences
            + self.broken_external.occurrences
            + self.invalid.occurrences
            + unverified
    }
}

impl Fault {
    /// The verdict as people read it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Unverified => "could not verify",
            Self::Invalid => "invalid address",
        }
    }
}

impl ReportForm {
    /// The endings that [`ReportForm::of_path`] knows.
    pub const ENDINGS: &'static [&'static str] = &[".csv", ".xlsx", ".html", ".json", ".jsonl"];

    /// The form that a file's ending asks for. `bom`: whether a CSV file begins with a byte order mark.
    pub fn of_path(path: &Path, bom: bool) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        if ["html", "htm"].iter().any(|html| ending.eq_ignore_ascii_case(html)) {
            return Some(Self::Html);
        }
        Some(Self::Rows(match Format::of_path(path)? {
            Format::Csv(style) => Format::Csv(CsvStyle { bom, ..style }),
            other => other,
        }))
    }

    /// Whether rows must come section by section: broken links to the site itself, those to other sites, links that could
    /// not be verified, invalid addresses. Otherwise they come by target alone.
    pub const fn sections(self) -> bool {
        matches!(self, Self::Html)
    }
}

/// The columns: name for scripts, name for people, kind.
const COLUMNS: [(&str, &str, ColumnKind); 16] = [
    ("page", "Page", ColumnKind::Url),
    ("anchor", "Link text", ColumnKind::Text),
    ("element", "Element", ColumnKind::Text),
    ("position", "Position", ColumnKind::Text),
    ("line", "Line", ColumnKind::Number),
    ("target", "Target", ColumnKind::Url),
    ("status", "Status", ColumnKind::Number),
    ("reason", "Reason", ColumnKind::Text),
    ("code", "Code", ColumnKind::Text),
    ("verdict", "Verdict", ColumnKind::Text),
    ("kind", "Kind of link", ColumnKind::Text),
    ("internal", "Internal or external", ColumnKind::Text),
    ("raw_href", "Address as written", ColumnKind::Text),
    ("page_title", "Title of the page", ColumnKind::Text),
    ("final_url", "Redirects end at", ColumnKind::Url),
    ("first_seen", "First seen (UTC)", ColumnKind::Moment),
];

impl<W: Write> BrokenLinks<W> {
    pub fn new(
        form: ReportForm,
        brand: &Brand,
        subject: &Subject,
        totals: &Totals,
        out: W,
    ) -> io::Result<Self> {
        let named = |for_people: bool| -> Vec<Column> {
            COLUMNS
                .iter()
                .map(|(id, words, kind)| Column::new(if for_people { *words } else { *id }, *kind))
                .collect()
        };
        Ok(Self(match form {
            ReportForm::Html => Writer::Page(Box::new(Page::begin(brand, subject, totals, out)?)),
            ReportForm::Rows(Format::Xlsx) => {
                let title = format!("Broken links of {}", subject.site);
                let mut book = Workbook::new(out, &title, &brand.agency);
                book.front(&front(brand, subject, totals))?;
                let table = XlsxWriter::after(book, "Broken links", &named(true), Limits::EXCEL);
                Writer::Workbook(Box::new(table), 0)
            }
            ReportForm::Rows(format) => Writer::Sheet(Box::new(Sheet::new(format, &named(false), out)?)),
        }))
    }

    pub fn row(&mut self, occurrence: &Occurrence<'_>) -> io::Result<()> {
        match &mut self.0 {
            Writer::Page(page) => page.row(occurrence),
            Writer::Sheet(sheet) => sheet.row(&cells(occurrence)),
            Writer::Workbook(table, rows) => {
                *rows += 1;
                table.row(&cells(occurrence))
            }
        }
    }

    /// Writes what is still held back and gives the number of rows.
    pub fn finish(self) -> io::Result<u64> {
        match self.0 {
            Writer::Page(page) => page.finish(),
            Writer::Sheet(sheet) => sheet.finish(),
            Writer::Workbook(table, rows) => table.finish().map(|()| rows),
        }
    }
}

fn cells<'a>(of: &Occurrence<'a>) -> [Cell<'a>; COLUMNS.len()] {
    let text = |text: Option<&'a str>| text.map_or(Cell::Null, Cell::Text);
    [
        Cell::Text(of.page),
        text(of.anchor),
        Cell::Text(of.element),
        Cell::Text(of.position),
        Cell::Int(of.line),
        text(of.target),
        of.status.map_or(Cell::Null, Cell::Int),
        Cell::Text(of.reason),
        Cell::Text(of.code),
        Cell::Text(of.fault.words()),
        Cell::Text(of.kind),
        text(of.internal.map(|internal| if internal { "internal" } else { "external" })),
        Cell::Text(of.raw_href),
        text(of.page_title),
        text(of.final_url),
        Cell::Text(of.first_seen),
    ]
}

/// The sheet `Summary` of the workbook.
fn front<'a>(brand: &'a Brand, subject: &'a Subject, totals: &'a Totals) -> Front<'a> {
    use FrontCell::{Address, Count as Number, Day, Text};
    let mut rows = Vec::new();
    let label = |text| Text(text, Style::Label);
    if !brand.agency.is_empty() {
        rows.push(FrontRow::Cells(vec![label(&brand.agency)]));
    }
    rows.push(FrontRow::Cells(vec![Text("Broken links", Style::Title)]));
    rows.push(FrontRow::Blank);
    for paragraph in paragraphs(&brand.intro) {
        rows.push(FrontRow::Paragraph(paragraph));
        rows.push(FrontRow::Blank);
    }
    rows.push(FrontRow::Cells(vec![label("Site"), Address(&subject.site)]));
    rows.push(FrontRow::Cells(vec![label("Checked on"), Day(&subject.date)]));
    rows.push(FrontRow::Cells(vec![label("Pages read"), Number(subject.pages)]));
    rows.push(FrontRow::Cells(vec![label("Addresses met"), Number(subject.urls)]));
    if !subject.complete {
        rows.push(FrontRow::Cells(vec![Text(UNFINISHED, Style::Muted)]));
    }
    rows.push(FrontRow::Blank);
    let heading = |words: &[&'static str]| {
        // The columns in the middle hold numbers.
        let style = |at| if at == 1 || at == 2 { Style::HeadingRight } else { Style::Heading };
        FrontRow::Cells(words.iter().enumerate().map(|(at, word)| Text(word, style(at))).collect())
    };
    rows.push(heading(&["Verdict", "Targets", "Occurrences"]));
    let mut count = |words, count: Count| {
        rows.push(FrontRow::Cells(vec![
            Text(words, Style::Plain),
            Number(count.targets),
            Number(count.occurrences),
        ]));
    };
    count("Broken, on this site", totals.broken_internal);
    count("Broken, on other sites", totals.broken_external);
    count("Invalid addresses", totals.invalid);
    count(
        if totals.lists_unverified {
            "Could not be verified (not broken)"
        } else {
            "Could not be verified (not broken, not listed)"
        },
        totals.unverified,
    );
    rows.push(FrontRow::Blank);
    rows.push(FrontRow::Cells(vec![label("Pages with broken links"), Number(totals.pages)]));
    if !totals.worst.is_empty() {
        rows.push(FrontRow::Blank);
        rows.push(heading(&["Most frequent targets", "Pages", "Occurrences", "Reason"]));
        for worst in &totals.worst {
            rows.push(FrontRow::Cells(vec![
                Address(&worst.target),
                Number(worst.pages),
                Number(worst.occurrences),
                Text(&worst.reason, Style::Plain),
            ]));
        }
    }
    let picture = match &brand.logo {
        Some(Logo::Raster(picture)) => Some(picture),
        // A spreadsheet shows an SVG only beside a raster image of the same.
        Some(Logo::Svg(_)) | None => None,
    };
    Front { title: "Summary", widths: &[64, 18, 14, 44], rows, picture }
}

pub(crate) const UNFINISHED: &str =
    "The crawl has not come to its end: links that it has not looked at yet are missing here.";

/// The paragraphs of a text: what empty lines separate.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    // A line of white space alone is empty to the person who wrote it; only the plain forms are told apart here, and
    // what is left of others is trimmed.
    text.split("\n\n")
        .flat_map(|part| part.split("\r\n\r\n"))
        .map(str::trim)
        .filter(|paragraph| !paragraph.is_empty())
}
