//! Workbooks read back: the archive is opened and the sheets' XML is parsed.

use super::*;
use quick_xml::events::Event;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

/// Every part of the archive by its name.
fn parts(bytes: Vec<u8>) -> BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    (0..archive.len())
        .map(|at| {
            let mut part = archive.by_index(at).expect("a part");
            let mut text = String::new();
            part.read_to_string(&mut text).expect("UTF-8");
            (part.name().expect("a name").into_owned(), text)
        })
        .collect()
}

/// Cell, style, type and value of every cell; element names that are met.
fn cells(xml: &str) -> (Vec<[String; 4]>, Vec<String>) {
    let mut reader = quick_xml::Reader::from_str(xml);
    let (mut cells, mut names) = (Vec::<[String; 4]>::new(), Vec::new());
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(element) | Event::Empty(element) => {
                let name = element.name().as_ref().to_owned();
                if name == "c" {
                    let attribute = |name: &str| {
                        element
                            .try_get_attribute(name)
                            .expect("attributes")
                            .map(|value| value.value.into_owned())
                            .unwrap_or_default()
                    };
                    cells.push([attribute("r"), attribute("s"), attribute("t"), String::new()]);
                }
                names.push(name);
            }
            Event::Text(text) => {
                if let Some(cell) = cells.last_mut() {
                    cell[3].push_str(&text);
                }
            }
            Event::GeneralRef(name) => {
                if let Some(cell) = cells.last_mut() {
                    cell[3].push_str(match name.as_ref() {
                        "amp" => "&",
                        "lt" => "<",
                        "gt" => ">",
                        "quot" => "\"",
                        other => panic!("reference {other:?}"),
                    });
                }
            }
            Event::Eof => return (cells, names),
            _ => {}
        }
    }
}

fn columns() -> [Column; 4] {
    [
        Column::new("url", ColumnKind::Url),
        Column::new("status", ColumnKind::Number),
        Column::new("when", ColumnKind::Moment),
        Column::new("title", ColumnKind::Text),
    ]
}

fn written(limits: Limits, rows: &[&[Cell<'_>]]) -> BTreeMap<String, String> {
    let mut out = Vec::new();
    let mut table = XlsxWriter::after(Workbook::new(&mut out, "", ""), "Rows", &columns(), limits);
    for row in rows {
        table.row(row).unwrap();
    }
    table.finish().unwrap();
    parts(out)
}

#[test]
fn cells_are_typed_and_nothing_is_a_formula() {
    let row: &[Cell<'_>] = &[
        Cell::Text("https://a.test/%C3%A9?a&b"),
        Cell::Int(404),
        Cell::Text("2026-03-01T12:00:00.000Z"),
        Cell::Text("=cmd|' /C calc'!A0"),
    ];
    let odd: &[Cell<'_>] =
        &[Cell::Text("javascript:1"), Cell::Real(0.5), Cell::Text("soon"), Cell::Text("a\0<_x0041_")];
    let huge: &[Cell<'_>] = &[Cell::Null, Cell::Int(i64::MAX), Cell::Real(f64::NAN), Cell::Text("")];
    let parts = written(Limits::EXCEL, &[row, odd, huge]);
    let (cells, names) = cells(&parts["xl/worksheets/sheet1.xml"]);
    let found: Vec<[&str; 4]> = cells.iter().map(|cell| cell.each_ref().map(String::as_str)).collect();
    let expect = [
        ["A1", "1", "inlineStr", "url"],
        ["B1", "1", "inlineStr", "status"],
        ["C1", "1", "inlineStr", "when"],
        ["D1", "1", "inlineStr", "title"],
        ["A2", "2", "inlineStr", "https://a.test/%C3%A9?a&b"],
        ["B2", "0", "", "404"],
        ["C2", "3", "", "46082.500000000"],
        ["D2", "0", "inlineStr", "=cmd|' /C calc'!A0"],
        ["A3", "0", "inlineStr", "javascript:1"],
        ["B3", "0", "", "5e-1"],
        ["C3", "0", "inlineStr", "soon"],
        ["D3", "0", "inlineStr", "a␀<_x005F_x0041_"],
        ["B4", "0", "inlineStr", "9223372036854775807"],
    ];
    assert_eq!(found, expect);
    assert!(!names.iter().any(|name| name == "f"), "a formula");
    assert!(parts["xl/worksheets/sheet1.xml"].contains("<autoFilter ref=\"A1:D4\"/>"));
    assert!(parts["xl/worksheets/sheet1.xml"].contains("state=\"frozen\""));
    assert!(
        parts["xl/worksheets/_rels/sheet1.xml.rels"].contains("Target=\"https://a.test/%C3%A9?a&amp;b\"")
    );
    assert!(parts["xl/workbook.xml"].contains("<sheet name=\"Rows\""));
    for (name, xml) in &parts {
        let _ = cells_of_any(name, xml);
    }
}

/// Every part is well-formed.
fn cells_of_any(name: &str, xml: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut events = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return events,
            Ok(_) => events += 1,
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn rows_go_on_in_further_sheets_that_say_so() {
    let limits = Limits { rows: 3, links: 1, ..Limits::EXCEL };
    let cells: Vec<[Cell<'_>; 2]> = (0..5).map(|n| [Cell::Text("http://a.test/"), Cell::Int(n)]).collect();
    let rows: Vec<&[Cell<'_>]> = cells.iter().map(<[Cell<'_>; 2]>::as_slice).collect();
    let parts = written(limits, &rows);
    let numbers = |sheet: usize| -> Vec<String> {
        let (cells, _) = super::tests::cells(&parts[&format!("xl/worksheets/sheet{sheet}.xml")]);
        cells.into_iter().filter(|cell| cell[0].starts_with('B')).map(|cell| cell[3].clone()).collect()
    };
    assert_eq!(numbers(1), ["status", "0", "1"]);
    assert_eq!(numbers(2), ["status", "2", "3"]);
    assert_eq!(numbers(3), ["status", "4"]);
    for name in ["Rows (1 of 3)", "Rows (2 of 3)", "Rows (3 of 3)"] {
        assert!(parts["xl/workbook.xml"].contains(&format!("<sheet name=\"{name}\"")), "{name}");
    }
    // Beyond a sheet's links the addresses are texts.
    assert_eq!(parts["xl/worksheets/sheet1.xml"].matches("<hyperlink ").count(), 1);
    assert_eq!(parts["xl/worksheets/sheet1.xml"].matches("http://a.test/").count(), 2);
    assert_eq!(parts["xl/worksheets/_rels/sheet1.xml.rels"].matches("<Relationship ").count(), 1);
}

#[test]
fn memory_for_links_and_bytes_of_a_sheet_are_bounded() {
    let rows: &[&[Cell<'_>]] = &[&[Cell::Text("http://a.test/1")], &[Cell::Text("http://a.test/2")]];
    let parts = written(Limits { link_bytes: 20, ..Limits::EXCEL }, rows);
    assert_eq!(parts["xl/worksheets/sheet1.xml"].matches("<hyperlink ").count(), 1);
    let parts = written(Limits { bytes: 1, ..Limits::EXCEL }, rows);
    assert!(
        parts.contains_key("xl/worksheets/sheet2.xml") && !parts.contains_key("xl/worksheets/sheet3.xml")
    );
}

#[test]
fn an_empty_table_is_a_workbook() {
    let parts = written(Limits::EXCEL, &[]);
    assert!(parts["xl/worksheets/sheet1.xml"].contains("<autoFilter ref=\"A1:D1\"/>"));
    let mut out = Vec::new();
    XlsxWriter::new(&[], &mut out).finish().unwrap();
    assert!(super::tests::parts(out)["xl/worksheets/sheet1.xml"].contains("<sheetData>"));
}

#[test]
fn a_full_disk_is_told_as_one() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for room in [0, 10, 100, 1_000, 3_000] {
        let mut table = XlsxWriter::new(&columns(), Full(room));
        let mut state = 1u64;
        let mut write = || -> std::io::Result<()> {
            for _ in 0..5_000 {
                // Texts that do not compress.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                table.row(&[Cell::Text(&format!("{state:x}"))])?;
            }
            Ok(())
        };
        let error = write().and_then(|()| table.finish()).expect_err("no room");
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull, "{room}");
    }
}
