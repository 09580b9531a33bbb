//! Rows as text for the clipboard.
//!
//! Cells come from crawled sites: no cell can end its column or row, be run as a formula by a spreadsheet, or become markup.

use super::dto::{CopyFormat, Value};
use std::fmt::Write as _;

/// Rows that are copied at most; more is a file's work.
pub(super) const MOST_ROWS: u64 = 200_000;
/// Bytes that are copied at most.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// The heading of the columns. A single column of TSV has none, so that it can be pasted where a value or a list is wanted.
pub(super) fn heading(labels: &[&str], format: CopyFormat) -> String {
    match format {
        CopyFormat::Tsv if labels.len() == 1 => String::new(),
        CopyFormat::Tsv => format!("{}\n", labels.join("\t")),
        CopyFormat::Markdown => {
            format!("| {} |\n|{}\n", labels.join(" | "), "-|".repeat(labels.len()))
        }
    }
}

pub(super) fn row(out: &mut String, cells: &[Value], format: CopyFormat) {
    let (before, between, after) = match format {
        CopyFormat::Tsv => ("", "\t", "\n"),
        CopyFormat::Markdown => ("| ", " | ", " |\n"),
    };
    out.push_str(before);
    for (n, cell) in cells.iter().enumerate() {
        if n > 0 {
            out.push_str(between);
        }
        match (cell, format) {
            (Value::Null, _) => {}
            (Value::Int(number), _) => write_number(out, number),
            (Value::Real(number), _) => write_number(out, number),
            (Value::Text(text), CopyFormat::Tsv) => out.push_str(&report::inert(&one_line(text))),
            (Value::Text(text), CopyFormat::Markdown) => escape(out, &one_line(text)),
        }
    }
    out.push_str(after);
}

fn write_number(out: &mut String, number: &impl std::fmt::Display) {
    // Writing to a string does not fail.
    let _ = write!(out, "{number}");
}

/// Control characters, line breaks and tabs among them, become blanks.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect()
}

/// Text that Markdown shows as it is. URLs stay whole: an underscore within a word means nothing.
fn escape(out: &mut String, text: &str) {
    let url = text.starts_with("http://") || text.starts_with("https://");
    for c in text.chars() {
        match c {
            '|' => out.push_str("\\|"),
            '<' => out.push_str("&lt;"),
            '&' if !url => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' if !url => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_leaves_its_place() {
        let check = |text: &str, tsv: &str, markdown: &str| {
            let cells = [Value::Int(7), Value::Text(text.to_owned()), Value::Null];
            let written = |format| {
                let mut out = String::new();
                row(&mut out, &cells, format);
                out
            };
            assert_eq!(written(CopyFormat::Tsv), format!("7\t{tsv}\t\n"), "{text:?}");
            assert_eq!(written(CopyFormat::Markdown), format!("| 7 | {markdown} |  |\n"), "{text:?}");
        };
        check("plain", "plain", "plain");
        check("a\tb\r\nc", "a b  c", "a b  c");
        check("=1+1", "'=1+1", "=1+1");
        check("\t=1", " =1", " =1");
        check("a|b", "a|b", "a\\|b");
        check("<script>", "<script>", "&lt;script>");
        check("[x](javascript:1)", "[x](javascript:1)", "\\[x\\](javascript:1)");
        check("http://h/a_b*c|d?x=1&y=2", "http://h/a_b*c|d?x=1&y=2", "http://h/a_b*c\\|d?x=1&y=2");
        check("😀 é\u{2028}", "😀 é ", "😀 é ");
    }

    #[test]
    fn one_column_has_no_heading() {
        assert_eq!(heading(&["URL"], CopyFormat::Tsv), "");
        assert_eq!(heading(&["URL", "Status"], CopyFormat::Tsv), "URL\tStatus\n");
        assert_eq!(heading(&["URL"], CopyFormat::Markdown), "| URL |\n|-|\n");
    }
}
