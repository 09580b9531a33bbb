//! The three forms of the report, read by programs that have nothing to do with how they were written.

use quick_xml::events::Event;
use scraper::{ElementRef, Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

/// One occurrence, as far as every form has it. Texts as shown: control characters as their pictures.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Told {
    pub(crate) page: String,
    pub(crate) title: String,
    pub(crate) anchor: String,
    pub(crate) element: String,
    pub(crate) line: String,
    /// Empty where what is written is no address.
    pub(crate) target: String,
    /// Empty where it says no more than the target.
    pub(crate) written: String,
    pub(crate) reason: String,
    pub(crate) final_url: String,
    /// The day alone.
    pub(crate) first_seen: String,
}

impl Told {
    fn new(cell: impl Fn(&str) -> String) -> Self {
        let (target, raw) = (cell("target"), cell("raw_href"));
        let line = cell("line");
        Self {
            written: if is_plain_form(&raw, &target) { String::new() } else { raw },
            target,
            page: cell("page"),
            title: cell("page_title"),
            anchor: cell("anchor"),
            element: cell("element"),
            line: if line == "0" { String::new() } else { line },
            reason: cell("reason"),
            final_url: cell("final_url"),
            first_seen: cell("first_seen").chars().take(10).collect(),
        }
    }
}

fn is_plain_form(raw: &str, target: &str) -> bool {
    let path = target.splitn(4, '/').nth(3).map(|path| format!("/{path}"));
    !target.is_empty() && (raw == target || path.as_deref() == Some(raw))
}

/// Control characters as what stands for them where they cannot be written.
pub(crate) fn shown(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(c),
            '\u{7f}' => '\u{2421}',
            c => c,
        })
        .collect()
}

/// The rows of a CSV file by column name, apostrophes before formulas still there.
pub(crate) fn csv_rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let bytes = std::fs::read(path).expect("the CSV file");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    reader.deserialize().map(|row| row.expect("a row of the CSV file")).collect()
}

pub(crate) fn csv(path: &Path) -> Vec<Told> {
    let rows = csv_rows(path);
    rows.iter()
        .map(|row| {
            Told::new(|column| {
                let cell = &row[column];
                // One apostrophe before what a spreadsheet would run is not the site's.
                let bare = cell.trim_start_matches('\'');
                let quoted =
                    cell.starts_with('\'') && bare.starts_with(['=', '+', '-', '@', '\t', '\r', '＝']);
                shown(if quoted { &cell[1..] } else { cell })
            })
        })
        .collect()
}

/// The sheets of a workbook by name: cells by their reference, and every element name of the XML.
pub(crate) struct Workbook {
    pub(crate) sheets: Vec<(String, BTreeMap<(u32, String), String>)>,
    pub(crate) elements: BTreeSet<String>,
    pub(crate) parts: BTreeMap<String, Vec<u8>>,
}

/// Opens an XLSX file.
pub(crate) fn workbook(path: &Path) -> Workbook {
    let file = std::fs::File::open(path).expect("the workbook");
    let mut archive = zip::ZipArchive::new(file).expect("an archive");
    let mut parts = BTreeMap::new();
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).expect("a part");
        let name = part.name().expect("a name").into_owned();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).expect("the part's bytes");
        parts.insert(name, bytes);
    }
    let mut elements = BTreeSet::new();
    let names = sheet_names(&text_of(&parts, "xl/workbook.xml"));
    let sheets = names
        .into_iter()
        .enumerate()
        .map(|(at, name)| {
            let xml = text_of(&parts, &format!("xl/worksheets/sheet{}.xml", at + 1));
            (name, cells(&xml, &mut elements))
        })
        .collect();
    Workbook { sheets, elements, parts }
}

fn text_of(parts: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    let bytes = parts.get(name).unwrap_or_else(|| panic!("{name} is missing"));
    String::from_utf8(bytes.clone()).expect("UTF-8")
}

fn sheet_names(xml: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut names = Vec::new();
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Empty(element) if element.name().as_ref() == "sheet" => {
                names.extend(
                    element
                        .try_get_attribute("name")
                        .expect("attributes")
                        .map(|name| name.value.into_owned()),
                );
            }
            Event::Eof => return names,
            _ => {}
        }
    }
}

fn cells(xml: &str, elements: &mut BTreeSet<String>) -> BTreeMap<(u32, String), String> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut cells = BTreeMap::new();
    let mut at = (0, String::new());
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(element) | Event::Empty(element) => {
                elements.insert(element.name().as_ref().to_owned());
                if element.name().as_ref() == "c" {
                    let reference =
                        element.try_get_attribute("r").expect("attributes").expect("a reference").value;
                    let letters = reference.trim_end_matches(|c: char| c.is_ascii_digit());
                    at = (reference[letters.len()..].parse().expect("a row"), letters.to_owned());
                    cells.insert(at.clone(), String::new());
                }
            }
            Event::Text(text) => {
                if let Some(cell) = cells.get_mut(&at) {
                    cell.push_str(&text);
                }
            }
            Event::GeneralRef(name) => {
                let character = match name.as_ref() {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    other => panic!("the reference {other}"),
                };
                cells.get_mut(&at).expect("a cell").push_str(character);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    // A spreadsheet reads `_x005F_` as the underscore it stands for.
    cells.into_iter().map(|(at, text)| (at, text.replace("_x005F_", "_"))).collect()
}

/// The rows of a sheet with a heading, by column name.
pub(crate) fn table(cells: &BTreeMap<(u32, String), String>) -> Vec<BTreeMap<String, String>> {
    let heading = |letters: &str| cells.get(&(1, letters.to_owned())).expect("a heading").clone();
    let mut rows: BTreeMap<u32, BTreeMap<String, String>> = BTreeMap::new();
    for ((row, letters), text) in cells.range((2, String::new())..) {
        rows.entry(*row).or_default().insert(heading(letters), text.clone());
    }
    rows.into_values().collect()
}

pub(crate) fn xlsx(path: &Path) -> Vec<Told> {
    const NAMES: [(&str, &str); 10] = [
        ("page", "Page"),
        ("page_title", "Title of the page"),
        ("anchor", "Link text"),
        ("element", "Element"),
        ("line", "Line"),
        ("target", "Target"),
        ("raw_href", "Address as written"),
        ("reason", "Reason"),
        ("final_url", "Redirects end at"),
        ("first_seen", "First seen (UTC)"),
    ];
    let book = workbook(path);
    let (_, cells) = book.sheets.iter().find(|(name, _)| name == "Broken links").expect("the sheet");
    table(cells)
        .iter()
        .map(|row| {
            Told::new(|column| {
                let (_, name) = NAMES.iter().find(|(id, _)| *id == column).expect("a known column");
                let text = row.get(*name).cloned().unwrap_or_default();
                if column == "first_seen" { day_of_serial(&text) } else { text }
            })
        })
        .collect()
}

/// The date of a day counted from the end of 1899, by going through the years and months one by one.
fn day_of_serial(text: &str) -> String {
    let mut days = text.parse::<f64>().expect("a date is a number") as i64 - 2;
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut year = 1900;
    while days >= 365 + i64::from(leap(year)) {
        days -= 365 + i64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + i64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = months.into_iter().zip(1..).find_map(|(length, month)| {
        if days < length {
            return Some(month);
        }
        days -= length;
        None
    });
    format!("{year}-{:02}-{:02}", month.expect("a month"), days + 1)
}

/// The page, parsed as a browser does.
pub(crate) fn page(path: &Path) -> Html {
    Html::parse_document(&std::fs::read_to_string(path).expect("the page"))
}

pub(crate) fn html(page: &Html) -> Vec<Told> {
    let all = |within: ElementRef<'_>, css: &str| -> Vec<String> {
        let css = Selector::parse(css).expect("a selector");
        within.select(&css).map(|element| element.text().collect::<String>()).collect()
    };
    let first = |within: ElementRef<'_>, css: &str| all(within, css).into_iter().next().unwrap_or_default();
    let selector = |css: &str| Selector::parse(css).expect("a selector");
    let mut told = Vec::new();
    for group in page.select(&selector("details")) {
        let id = group.attr("id").expect("a group has a name");
        let subject = first(group, "summary .t bdi");
        let target = if id.starts_with('t') { subject.clone() } else { String::new() };
        for row in group.select(&selector("tbody > tr")) {
            let first_cell = first(row, "td:nth-child(1) > a");
            let written = first(row, "td:nth-child(2) small code");
            told.push(Told::new(|column| match column {
                "page" => first_cell.clone(),
                "page_title" => first(row, "td:nth-child(1) > b"),
                "anchor" => first(row, "td:nth-child(2) > bdi"),
                "element" => first(row, "td:nth-child(3) > code"),
                "line" => first(row, "td:nth-child(3) > span"),
                "target" => target.clone(),
                "raw_href" if target.is_empty() => subject.clone(),
                "raw_href" if written.is_empty() => target.clone(),
                "raw_href" => written.clone(),
                "reason" => first(group, "summary .s"),
                "final_url" => first(group, ".go > a"),
                "first_seen" => first(row, "td:nth-child(4)"),
                other => panic!("no form has {other}"),
            }));
        }
    }
    told
}
