//! What a spreadsheet would do with an exported CSV file: no cell may be run as a formula, and no text may be lost.

use crate::program::Gossamer;
use crate::results::rows;
use std::collections::BTreeSet;
use std::path::Path;

/// The views whose texts come from pages, with these texts.
const TEXTS: [(&str, &[&str]); 2] =
    [("v_pages", &["title", "description", "h1"]), ("v_links", &["anchor", "raw_href"])];

/// What is wrong with the exports of a project.
///
/// # Panics
/// When the program cannot export.
pub fn formula_faults(project: &Path, folder: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let mut met = 0;
    for (view, columns) in TEXTS {
        let file = folder.join(format!("{view}.csv"));
        let _ = Gossamer::new([
            "export".into(),
            project.as_os_str().to_owned(),
            view.into(),
            "--to".into(),
            file.clone().into_os_string(),
        ])
        .run()
        .expect_code(0);
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let cells = cells(text.trim_start_matches('\u{feff}'));
        faults
            .extend(cells.iter().filter(|cell| is_run(cell)).map(|cell| format!("{view}: {cell:?} is run")));
        // JSON has the texts unchanged; in CSV an apostrophe stands before those that would be run.
        for text in rows(project, view, columns).into_iter().flatten().filter(|text| is_run(text)) {
            met += 1;
            if !cells.contains(&format!("'{text}")) {
                faults.push(format!("{view}: {text:?} cannot be recovered from CSV"));
            }
        }
    }
    if met == 0 {
        faults.push("no text begins like a formula in JSON".to_owned());
    }
    faults
}

/// Whether a spreadsheet runs a cell: it begins as a formula does and is no number.
fn is_run(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err()
}

/// The different cells of a CSV file (RFC 4180).
fn cells(csv: &str) -> BTreeSet<String> {
    let (mut cells, mut cell, mut quoted) = (BTreeSet::new(), String::new(), false);
    let mut characters = csv.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' | '\n' if !quoted => {
                let ended = std::mem::take(&mut cell);
                cells.insert(if character == '\n' { ended.trim_end_matches('\r').to_owned() } else { ended });
            }
            other => cell.push(other),
        }
    }
    cells.insert(cell);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read() {
        let check = |csv: &str, expect: &[&str]| {
            let expect: BTreeSet<String> = expect.iter().map(|cell| (*cell).to_owned()).collect();
            assert_eq!(cells(csv), expect, "{csv:?}");
        };
        check("a,b\r\nc,\"d,\"\"e\nf\"\r\n", &["a", "b", "c", "d,\"e\nf", ""]);
        check("'=1+1,-5\n", &["'=1+1", "-5", ""]);
    }

    #[test]
    fn formulas_are_told_from_numbers() {
        for run in ["=1+1", "+cmd", "-2 degrees", "@home", "\tx"] {
            assert!(is_run(run), "{run:?}");
        }
        for not_run in ["'=1+1", "-5", "-1.5e3", "a = b", ""] {
            assert!(!is_run(not_run), "{not_run:?}");
        }
    }
}
