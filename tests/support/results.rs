//! Reading a project file as a person does: `gossamer show F VIEW --format json`.

use crate::program::Gossamer;
use serde_json::Value;
use std::path::Path;

/// The rows of a documented view, each with the given columns as text: numbers as JSON writes them, NULL as `∅`.
///
/// # Panics
/// When the program fails or what it prints is not the view.
pub fn rows(project: &Path, view: &str, columns: &[&str]) -> Vec<Vec<String>> {
    select(project, view, columns, None)
}

/// As `rows`, for the rows that an SQL condition picks.
pub fn rows_where(project: &Path, view: &str, columns: &[&str], condition: &str) -> Vec<Vec<String>> {
    select(project, view, columns, Some(condition))
}

fn select(project: &Path, view: &str, columns: &[&str], condition: Option<&str>) -> Vec<Vec<String>> {
    let mut run = Gossamer::new(["show".into(), project.as_os_str().to_owned(), view.into()])
        // The limit stands in for "all": no test site comes near it.
        .with(&["--columns", &columns.join(","), "--format", "json", "--limit", "100000000"]);
    if let Some(condition) = condition {
        run = run.with(&["--where", condition]);
    }
    let finished = run.run().expect_code(0);
    objects(&finished.stdout)
        .into_iter()
        .map(|row| {
            let cell = |column: &&str| {
                row.get(column).map(text).unwrap_or_else(|| panic!("{view} has no column {column}: {row}"))
            };
            columns.iter().map(cell).collect()
        })
        .collect()
}

/// What was printed: one JSON array of objects, or one object a line.
fn objects(printed: &str) -> Vec<Value> {
    let printed = printed.trim();
    match serde_json::from_str(printed) {
        Ok(Value::Array(rows)) => rows,
        _ => printed
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"))
            })
            .collect(),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "∅".to_owned(),
        Value::Bool(flag) => u8::from(*flag).to_string(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// The numbers of the newest crawl reconcile: encountered is the sum of the states, and each number is that of the list it
/// stands for.
///
/// # Panics
/// When they do not.
pub fn assert_reconciles(project: &Path) {
    let states = ["fetched", "failed", "blocked", "excluded", "over_limit", "not_followed", "queued"];
    let columns = [&["crawl", "encountered"][..], &states].concat();
    let number = |cell: &String| cell.parse::<usize>().unwrap_or_else(|_| panic!("{cell} is no number"));
    let crawls = rows(project, "v_crawls", &columns).into_iter();
    let crawls = crawls.map(|row| row.iter().map(number).collect::<Vec<usize>>());
    let newest = crawls.max_by_key(|row| row[0]).expect("a crawl");
    assert_eq!(newest[1], newest[2..].iter().sum::<usize>(), "{columns:?}: {newest:?}");
    let listed = rows_where(project, "v_urls", &["state"], &format!("crawl = {}", newest[0]));
    for (state, count) in states.iter().zip(&newest[2..]) {
        assert_eq!(listed.iter().filter(|row| row[0] == *state).count(), *count, "URLs that are {state}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shapes_of_json_are_read() {
        let expect = vec![serde_json::json!({"a": 1}), serde_json::json!({"a": null})];
        assert_eq!(objects("[{\"a\":1},\n {\"a\":null}]\n"), expect);
        assert_eq!(objects("{\"a\":1}\n{\"a\":null}\n"), expect);
        assert_eq!(objects(""), Vec::<Value>::new());
        let cells: Vec<String> = [Value::Null, true.into(), 1.into(), "x".into()].iter().map(text).collect();
        assert_eq!(cells, ["∅", "1", "1", "x"]);
    }
}
