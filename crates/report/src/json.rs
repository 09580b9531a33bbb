//! JSON: one array, or one object a line.

use crate::sheet::{Cell, Column, ColumnKind, cell_at};
use crate::visible::acts;
use serde::de::IgnoredAny;
use std::collections::HashSet;
use std::io::{self, Write};

pub(crate) struct JsonWriter<W: Write> {
    out: W,
    /// Each name as JSON, with its colon.
    keys: Vec<(String, ColumnKind)>,
    layout: Layout,
    started: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Array,
    Lines,
}

impl<W: Write> JsonWriter<W> {
    pub(crate) fn array(columns: &[Column], mut out: W) -> io::Result<Self> {
        out.write_all(b"[")?;
        Ok(Self { out, keys: keys(columns), layout: Layout::Array, started: false })
    }

    pub(crate) fn lines(columns: &[Column], out: W) -> Self {
        Self { out, keys: keys(columns), layout: Layout::Lines, started: false }
    }

    pub(crate) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        if self.layout == Layout::Array {
            self.out.write_all(if self.started { b",\n" } else { b"\n" })?;
        }
        self.started = true;
        self.out.write_all(b"{")?;
        for (column, (key, kind)) in self.keys.iter().enumerate() {
            if column > 0 {
                self.out.write_all(b",")?;
            }
            self.out.write_all(key.as_bytes())?;
            match cell_at(cells, column) {
                Cell::Null => self.out.write_all(b"null")?,
                Cell::Int(number) => write!(self.out, "{number}")?,
                // JSON has no word for these.
                Cell::Real(number) if !number.is_finite() => self.out.write_all(b"null")?,
                Cell::Real(number) => serde_json::to_writer(&mut self.out, &number)?,
                Cell::Text(text)
                    if *kind == ColumnKind::Json && serde_json::from_str::<IgnoredAny>(text).is_ok() =>
                {
                    // In valid JSON a raw line break is white space between tokens, so one line holds it all.
                    self.out.write_all(escaped(text.replace(['\n', '\r'], " ")).as_bytes())?;
                }
                Cell::Text(text) if text.contains(beyond_json) => {
                    self.out.write_all(escaped(serde_json::to_string(text)?).as_bytes())?;
                }
                Cell::Text(text) => serde_json::to_writer(&mut self.out, text)?,
            }
        }
        self.out.write_all(if self.layout == Layout::Lines { b"}\n" } else { b"}" })
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.layout == Layout::Array {
            self.out.write_all(if self.started { b"\n]\n" } else { b"]\n" })?;
        }
        self.out.flush()
    }
}

/// Characters that act on a terminal and that JSON does not have to escape.
fn beyond_json(c: char) -> bool {
    c > '\u{1f}' && acts(c)
}

/// JSON in which nothing acts on a terminal. Such characters stand within strings only, so their escapes mean the same.
fn escaped(json: String) -> String {
    if !json.contains(beyond_json) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        // All of them lie within the first plane of Unicode, so that one escape suffices.
        if beyond_json(c) { out.push_str(&format!("\\u{:04x}", u32::from(c))) } else { out.push(c) }
    }
    out
}

/// A second column of one name is numbered, since an object holds each name once.
fn keys(columns: &[Column]) -> Vec<(String, ColumnKind)> {
    let mut used: HashSet<String> = HashSet::new();
    let mut keys = Vec::with_capacity(columns.len());
    for column in columns {
        let mut name = column.name.clone();
        let mut nth = 2;
        while !used.insert(name.clone()) {
            name = format!("{}_{nth}", column.name);
            nth += 1;
        }
        keys.push((format!("{}:", serde_json::Value::String(name)), column.kind));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(rows: &[&[Cell<'_>]], lines: bool) -> String {
        let columns = [
            Column::new("url", ColumnKind::Url),
            Column::new("n", ColumnKind::Number),
            Column::new("n", ColumnKind::Json),
        ];
        let mut out = Vec::new();
        let mut writer = if lines {
            JsonWriter::lines(&columns, &mut out)
        } else {
            JsonWriter::array(&columns, &mut out).unwrap()
        };
        for row in rows {
            writer.row(row).unwrap();
        }
        writer.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let hostile = "=1\"\\\u{1b}[2J\u{0}\u{7f}\u{9b}\u{202e}\\\u{202e}</script>\u{2028}\n";
        let text = written(
            &[&[Cell::Text(hostile), Cell::Real(f64::NAN), Cell::Text("{\"a\":\n[1, \"\u{202e}\"]}")]],
            true,
        );
        assert!(!text.trim_end().contains(acts), "{text}");
        assert_eq!(text.lines().count(), 1);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["url"], hostile, "the text is unchanged");
        assert_eq!(value["n"], serde_json::Value::Null);
        assert_eq!(value["n_2"]["a"][1], "\u{202e}", "JSON within is JSON");
    }

    #[test]
    fn arrays_parse_whatever_their_length() {
        let row: &[Cell<'_>] = &[Cell::Text("u"), Cell::Int(-3), Cell::Text("{broken")];
        for count in 0..4 {
            let text = written(&vec![row; count], false);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value.as_array().unwrap().len(), count);
            if count > 0 {
                assert_eq!((&value[0]["n"], &value[0]["n_2"]), (&(-3).into(), &"{broken".into()));
            }
        }
    }
}
