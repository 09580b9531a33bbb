//! Columns and filters that a person gave a project: segments, and what is looked for in pages.

use super::*;
use crate::segments::SegmentText;
use store::{Cancel, Writer};

/// A copy of the made-up project, to be changed.
fn copied() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.gossamer");
    std::fs::copy(&stage().many, &path).unwrap();
    (folder, path)
}

fn segment(name: &str, pattern: &str) -> SegmentText {
    SegmentText { name: name.to_owned(), patterns: vec![pattern.to_owned()] }
}

#[test]
fn segments_are_a_filter_of_every_table_of_urls() {
    let (_folder, path) = copied();
    let engine = Engine::system();
    let segments = [segment("Whole", "/**"), segment("Even", "re:[02468]$"), segment("Ever", "/never/**")];
    engine.set_segments(&path, &segments, &Cancel::default(), &mut |_, _| {}).unwrap();
    let tables = tables(&path);
    let count = |table: &str, filter: Filter| open(&tables, &query(table, Some(filter), None)).rows;
    let even = texts(&tables, &query("urls", None, None), "url")
        .iter()
        .filter(|url| url.ends_with(['0', '2', '4', '6', '8']))
        .count();
    assert!(even > 100);
    let is_even = || is("segments", Operator::Equals, "Even");
    assert_eq!(count("urls", is_even()), even as u64);
    // A name within another is none of its own.
    assert_eq!(count("urls", is("segments", Operator::Equals, "Eve")), 0);
    let shown = texts(&tables, &query("urls", Some(is_even()), None), "segments");
    assert!(shown.iter().all(|names| names == "Whole, Even" || names == "Even"), "{shown:?}");
    for (table, column) in [
        ("urls", "segments"),
        ("pages", "segments"),
        ("findings", "segments"),
        ("links", "source_segments"),
        ("links", "target_segments"),
    ] {
        for operator in [Operator::Equals, Operator::Differs] {
            let asked = query(table, Some(is(column, operator, "Even")), None);
            assert!(check_shown(&path, &asked) > 0, "{table} {column} {operator:?}");
        }
        let (with, without) = (
            count(table, is(column, Operator::Equals, "Even")),
            count(table, is(column, Operator::Differs, "Even")),
        );
        assert_eq!(with + without, open(&tables, &query(table, None, None)).rows, "{table} {column}");
    }
    let choices = |tables: &Tables| {
        let cards = tables.cards().unwrap();
        let urls = cards.iter().find(|card| card.id == "urls").unwrap();
        urls.columns.iter().find(|column| column.id == "segments").unwrap().choices.clone()
    };
    assert_eq!(choices(&tables), ["Whole", "Even", "Ever"]);

    // A change that is cancelled changes nothing.
    let cancel = Cancel::default();
    cancel.cancel();
    let cancelled = engine.set_segments(&path, &[segment("Other", "/**")], &cancel, &mut |_, _| {});
    assert!(matches!(cancelled, Err(EngineError::Cancelled)), "{cancelled:?}");
    assert_eq!((choices(&tables).len(), count("urls", is_even())), (3, even as u64));
}

#[test]
fn what_is_looked_for_in_pages_is_a_column() {
    let (_folder, path) = copied();
    let mut writer = Writer::open(&path, &Engine::system().store_options()).unwrap();
    for (name, kind) in [("price", "text"), ("stock", "number"), ("no-cart", "flag")] {
        writer.set_field(name, "css: p", kind).unwrap();
    }
    let text = |text: &str| store::Value::Text(text.to_owned());
    writer.put_values(1, 3, 1, &[text("4,50"), text("5,00")]).unwrap();
    writer.put_values(1, 4, 1, &[text("Free")]).unwrap();
    writer.put_values(1, 3, 2, &[store::Value::Int(12)]).unwrap();
    writer.put_values(1, 4, 2, &[store::Value::Real(0.5)]).unwrap();
    writer.put_values(1, 4, 3, &[store::Value::Int(1)]).unwrap();
    drop(writer);
    let tables = tables(&path);
    let keys = |filter: Filter, sort: Option<&str>| {
        let found = rows(&tables, &query("urls", Some(filter.clone()), sort), &names(&["url"]));
        if sort.is_none() {
            check_shown(&path, &query("urls", Some(filter), None));
        }
        found.iter().map(|row| row.key & 0xFFFF).collect::<Vec<_>>()
    };
    assert_eq!(keys(is("custom.price", Operator::Equals, "4,50 | 5,00"), None), [3]);
    assert_eq!(keys(is("custom.price", Operator::Contains, "FREE"), None), [4]);
    assert_eq!(keys(is("custom_number.stock", Operator::AtLeast, 1_i64), None), [3]);
    assert_eq!(keys(is("custom_flag.no-cart", Operator::Equals, 1_i64), None), [4]);
    let priced = is("custom.price", Operator::Filled, "");
    assert_eq!(keys(priced.clone(), Some("-custom_number.stock")), [3, 4]);
    assert_eq!(keys(priced.clone(), Some("custom_number.stock")), [4, 3]);
    assert!(keys(is("custom.unheard-of", Operator::Filled, ""), None).is_empty());
    let cards = tables.cards().unwrap();
    let of = |table: &str| {
        cards
            .iter()
            .find(|card| card.id == table)
            .unwrap()
            .columns
            .iter()
            .filter(|c| c.id.starts_with("custom"))
            .count()
    };
    assert_eq!((of("urls"), of("pages"), of("links")), (3, 3, 0));

    let opened = open(&tables, &query("urls", Some(priced), None));
    let to = path.with_file_name("priced.csv");
    tables.export(opened.table, None, &names(&["custom.price", "custom_number.stock"]), &to).unwrap();
    let written = std::fs::read_to_string(&to).unwrap();
    assert_eq!(written.trim_start_matches('\u{feff}'), "price,stock\r\n\"4,50 | 5,00\",12\r\nFree,0.5\r\n");

    // An id that could not be one of a field is none.
    for id in ["custom.", "custom.a'b", "custom.A", "custom_number.a b"] {
        let refused = tables.open_table(&query("urls", Some(is(id, Operator::Filled, "")), None), 0);
        assert!(matches!(refused, Err(EngineError::Usage(_))), "{id}");
    }
    assert!(matches!(tables.rows(opened.table, 0, 1, &names(&["custom.a;b"])), Err(EngineError::Usage(_))));
}
