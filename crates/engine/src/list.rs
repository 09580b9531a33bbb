//! Lists of addresses that a person brings along, and the name of a project made from an address.

use crate::error::EngineError;
use std::collections::HashSet;
use std::io::Read;
use std::path::PathBuf;

/// Lists are read into memory; a million long addresses fit in this.
const LONGEST: u64 = 256 << 20;

/// Reads a list: text with an address a line, CSV with a column of addresses, or a sitemap (XML, gzip). Addresses come
/// as written, each once, in order.
pub fn read_list(input: &mut dyn Read) -> Result<Vec<String>, EngineError> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| EngineError::Usage(format!("the list cannot be read: {error}")))?;
    if bytes.len() as u64 > LONGEST {
        return Err(EngineError::Usage(format!("the list is longer than {} MB", LONGEST >> 20)));
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(EngineError::Usage(
            "the list is an Excel workbook or a ZIP file; save it as CSV or text".to_owned(),
        ));
    }
    let found = if is_sitemap(&bytes) { from_sitemap(&bytes) } else { from_text(&text_of(&bytes)) };
    let mut seen = HashSet::new();
    let list: Vec<String> = found.into_iter().filter(|address| seen.insert(address.clone())).collect();
    if list.is_empty() {
        return Err(EngineError::Usage("the list holds no addresses".to_owned()));
    }
    Ok(list)
}

/// `<host>.gossamer` in the current folder, for the first address typed; `<host>-<port>.gossamer` where the port is not the
/// scheme's own.
pub fn default_project_name(typed: &str) -> Result<PathBuf, EngineError> {
    let seed = model::address::read_seed(typed).map_err(|error| EngineError::Usage(error.to_string()))?;
    let mut name = report::file_name(seed.address.host());
    if let Some(port) = seed.address.url().port() {
        name.push_str(&format!("-{port}"));
    }
    Ok(PathBuf::from(format!("{name}.gossamer")))
}

fn is_sitemap(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    start.starts_with(b"\x1F\x8B") || start.starts_with(b"<")
}

fn from_sitemap(bytes: &[u8]) -> Vec<String> {
    let mut list = Vec::new();
    parse::sitemap(&mut &*bytes, LONGEST, &mut |entry| list.push(entry.loc.into_string()));
    list
}

/// UTF-8, or UTF-16 as spreadsheet programs save “Unicode text”.
fn text_of(bytes: &[u8]) -> String {
    let wide = |of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, ..] => wide(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).into_owned(),
    }
}

fn from_text(text: &str) -> Vec<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(delimiter) = delimiter(lines()) else { return lines().map(str::to_owned).collect() };
    let rows: Vec<Vec<String>> = lines().map(|line| cells(line, delimiter)).collect();
    let column = address_column(&rows);
    let heading = |cell: &String| {
        ["url", "urls", "address", "loc", "link", "page"].contains(&cell.to_ascii_lowercase().as_str())
    };
    let skip = usize::from(rows.first().and_then(|row| row.get(column)).is_some_and(heading));
    rows.into_iter()
        .skip(skip)
        .filter_map(|mut row| (column < row.len()).then(|| row.swap_remove(column)))
        .filter(|cell| !cell.is_empty())
        .collect()
}

/// What separates the cells, or `None` for an address a line. Addresses may contain commas and semicolons, so one of these
/// counts only where every one of the first lines has equally many of them, or the first line is plainly a heading.
fn delimiter<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Option<char> {
    let sample: Vec<&str> = lines.take(50).collect();
    let first = sample.first()?;
    ['\t', ';', ','].into_iter().find(|delimiter| {
        let count = first.matches(*delimiter).count();
        let is_heading = !first.contains("://") && !first.contains('.');
        let even = sample.len() > 1 && sample.iter().all(|line| cells(line, *delimiter).len() == count + 1);
        count > 0 && (is_heading || even || *delimiter == '\t' || first.starts_with('"'))
    })
}

/// The column in which most cells look like addresses.
fn address_column(rows: &[Vec<String>]) -> usize {
    let sample = &rows[..rows.len().min(50)];
    let columns = sample.iter().map(Vec::len).max().unwrap_or(0);
    let score = |column: usize| {
        sample
            .iter()
            .filter(|row| row.get(column).is_some_and(|cell| cell.contains("://") || cell.contains('.')))
            .count()
            * 2
            + sample.iter().filter(|row| row.get(column).is_some_and(|cell| cell.starts_with("http"))).count()
                * 3
    };
    // Of equals the leftmost wins.
    (0..columns).rev().max_by_key(|column| score(*column)).unwrap_or(0)
}

/// The cells of one line of CSV; quotes doubled inside quotes.
fn cells(line: &str, delimiter: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(cell) = cells.last_mut() else { break };
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            c if c == delimiter && !quoted => cells.push(String::new()),
            c => cell.push(c),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_in_the_forms_people_have_them() {
        let check = |text: &[u8], expect: &[&str]| {
            let list = read_list(&mut &*text).unwrap_or_default();
            assert_eq!(list, expect, "{}", String::from_utf8_lossy(text));
        };
        check(
            b"https://a.example/\n\n# note\n  b.example/x \r\nhttps://a.example/\n",
            &["https://a.example/", "b.example/x"],
        );
        check(b"\xEF\xBB\xBFhttps://a.example/,b\n", &["https://a.example/,b"]);
        check(
            b"URL,Status\nhttps://a.example/,200\nhttps://b.example/?x=1,404\n",
            &["https://a.example/", "https://b.example/?x=1"],
        );
        check(b"Status;Address\n200;https://a.example/\n", &["https://a.example/"]);
        check(b"\"https://a.example/?a=1,2\",\"x\"\n", &["https://a.example/?a=1,2"]);
        check(
            b"https://a.example/,200\nhttps://b.example/,404\n",
            &["https://a.example/", "https://b.example/"],
        );
        check(
            "\u{feff}https://a.example/\n"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>()
                .as_slice(),
            &["https://a.example/"],
        );
        check(b"", &[]);
        check(b"PK\x03\x04rest", &[]);
        check(
            b"<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://a.example/?a=1&amp;b=2</loc></url></urlset>",
            &["https://a.example/?a=1&b=2"],
        );
    }

    #[test]
    fn project_names_come_from_hosts() {
        let check = |typed: &str, expect: Option<&str>| {
            assert_eq!(default_project_name(typed).ok(), expect.map(PathBuf::from), "{typed}");
        };
        check("https://www.example.com/a/../../b", Some("www.example.com.gossamer"));
        check("127.0.0.1:9002", Some("127.0.0.1-9002.gossamer"));
        check("localhost:3000", Some("localhost-3000.gossamer"));
        check("http://localhost:8080/x", Some("localhost-8080.gossamer"));
        check("https://localhost:443/", Some("localhost.gossamer"));
        check("http://[::1]:80/", Some("1.gossamer"));
        check("ftp://example.com", None);
    }
}
