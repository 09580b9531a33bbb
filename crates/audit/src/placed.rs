//! Columns for evidence that say on which line of a page something stands: read from the lists that a document keeps of its
//! titles, descriptions, canonicals, directives and headings.
//!
//! A document keeps such a list where there is more to tell than its columns do; of the usual single title no line is kept.
//! Whoever shows the source asks it (`subjects`).

use crate::findings::place;

/// Name and SQL over the joins of findings.
pub(crate) fn columns() -> Vec<(&'static str, String)> {
    let second = |list: &str| format!("json_extract(d.details, '$.{list}[1].line')");
    let outside = |list: &str| {
        first(
            list,
            "json_extract(j.value, '$.outside_head') AND coalesce(json_extract(j.value, '$.header'), 0) = 0",
        )
    };
    vec![
        ("title_second_line", second("titles")),
        ("title_outside_line", outside("titles")),
        ("description_second_line", second("descriptions")),
        ("description_outside_line", outside("descriptions")),
        ("canonical_second_line", format!("nullif({}, 0)", second("canonicals"))),
        ("canonical_outside_line", outside("canonicals")),
        (
            "canonical_malformed_line",
            first(
                "canonicals",
                "coalesce(json_extract(j.value, '$.url') NOT LIKE 'http:%' AND json_extract(j.value, '$.url') NOT LIKE 'https:%', 1)",
            ),
        ),
        ("robots_outside_line", outside("robots")),
        ("copyright_line", "json_extract(d.details, '$.copyright_line')".to_owned()),
        ("h1_line", heading("json_extract(j.value, '$[0]') = 1", 0)),
        ("h1_second_line", heading("json_extract(j.value, '$[0]') = 1", 1)),
        ("h2_line", heading("json_extract(j.value, '$[0]') = 2", 0)),
        ("heading_empty_line", lone_empty_heading()),
        ("heading_skip_line", skipping_heading()),
        ("robots_line", robots_line()),
        ("robots_line_text", robots_line_text()),
    ]
}

/// The line of the first member of a list for which a condition on `j.value` holds.
fn first(list: &str, condition: &str) -> String {
    format!(
        "(SELECT nullif(json_extract(j.value, '$.line'), 0) FROM json_each(d.details, '$.{list}') j WHERE {condition} ORDER BY j.key LIMIT 1)"
    )
}

/// The line of a heading.
fn heading(condition: &str, skip: usize) -> String {
    format!(
        "(SELECT json_extract(j.value, '$[2]') FROM json_each(d.headings) j WHERE {condition} ORDER BY j.key LIMIT 1 OFFSET {skip})"
    )
}

/// A heading of pictures without alternative text looks like an empty one in the list: only where there is one alone it is told.
fn lone_empty_heading() -> String {
    "(SELECT CASE count(*) WHEN 1 THEN min(json_extract(j.value, '$[2]')) END FROM json_each(d.headings) j WHERE json_extract(j.value, '$[1]') = '')"
        .to_owned()
}

fn skipping_heading() -> String {
    "(SELECT json_extract(j.value, '$[2]') FROM json_each(d.headings) j JOIN json_each(d.headings) k ON k.key = j.key - 1 \
     WHERE json_extract(j.value, '$[0]') > json_extract(k.value, '$[0]') + 1 ORDER BY j.key LIMIT 1)"
        .to_owned()
}

fn robots_line() -> String {
    let first = place::ROBOTS_LINE;
    format!("CASE WHEN f.ref BETWEEN -{} AND -{} THEN -f.ref - {first} END", place::OTHER_URL - 1, first + 1)
}

/// The line itself, as it stands in the file. SQL splits no texts, but lists of JSON: the file is made one. A backslash waits as
/// another character meanwhile, so that each of those left begins an escape.
fn robots_line_text() -> String {
    let body = "replace(replace(replace(CAST(rb.body AS TEXT), '\\', char(1)), char(13, 10), char(10)), char(13), char(10))";
    let list = format!("'[' || replace(json_quote({body}), '\\n', '\",\"') || ']'");
    format!(
        "(SELECT substr(replace(j.value, char(1), '\\'), 1, 500) FROM json_each(CASE WHEN json_valid({list}) THEN {list} ELSE '[]' END) j \
         WHERE j.key = {} - 1)",
        robots_line()
    )
}
