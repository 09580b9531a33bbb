//! The catalogue, filters and sorting.

use super::*;

#[test]
fn the_catalogue_is_sound() {
    let reader = Reader::open(&stage().demo).unwrap();
    let mut seen = HashSet::new();
    for card in Tables::catalogue() {
        assert!(seen.insert(card.id.clone()), "{} stands there twice", card.id);
        let mut columns = HashSet::new();
        for column in &card.columns {
            assert!(columns.insert(column.id.clone()), "{}.{} stands there twice", card.id, column.id);
            assert!(!column.help.is_empty() && column.help.ends_with('.'), "{}.{}", card.id, column.id);
            assert!((60..=600).contains(&column.width), "{}.{}", card.id, column.id);
        }
        let shown = card.columns.iter().filter(|column| column.shown).count();
        assert!((4..=10).contains(&shown), "{} shows {shown} columns", card.id);
        let table = catalogue::find(&card.id).unwrap();
        if table.view.starts_with("v_") {
            for known in reader.columns(&format!("SELECT * FROM {}", table.view)).unwrap() {
                assert!(known == "crawl" || columns.contains(&known), "{} lacks {known}", card.id);
            }
        }
        assert!(table.search.iter().all(|id| columns.contains(*id)), "{}", card.id);
    }
}

#[test]
fn every_table_has_the_rows_of_its_view() {
    for path in [&stage().demo, &stage().many] {
        for card in Tables::catalogue() {
            let rows = check_shown(path, &query(&card.id, None, None));
            let bare = ["hosts", "sitemap_entries", "images"].contains(&card.id.as_str());
            assert!(rows > 0 || (bare && *path == stage().many), "{} is empty", card.id);
        }
    }
}

#[test]
fn every_column_sorts_both_ways_with_nothing_last() {
    let tables = tables(&stage().demo);
    for card in Tables::catalogue() {
        for column in &card.columns {
            let orders = ["", "-"].map(|sign| {
                rows(
                    &tables,
                    &query(&card.id, None, Some(&format!("{sign}{}", column.id))),
                    &names(&[&column.id]),
                )
            });
            let [up, down] = &orders;
            for order in [up, down] {
                let first = order.iter().position(|row| row.cells == [Value::Null]).unwrap_or(order.len());
                assert!(
                    order[first..].iter().all(|row| row.cells == [Value::Null]),
                    "{}.{}",
                    card.id,
                    column.id
                );
            }
            let mut keys = orders.clone().map(|order| {
                let mut keys: Vec<_> = order.iter().map(|row| (row.key, row.link)).collect();
                keys.sort_unstable();
                keys
            });
            keys[0].dedup();
            keys[1].dedup();
            assert_eq!(keys[0], keys[1], "{}.{}", card.id, column.id);
        }
    }
}

#[test]
fn orders_are_those_of_the_words_meant() {
    let tables = tables(&stage().many);
    let severities = texts(&tables, &query("findings", None, Some("severity")), "severity");
    let rank =
        |word: &String| ["issue", "warning", "opportunity", "note"].iter().position(|known| known == word);
    assert!(severities.is_sorted_by_key(rank) && severities.first() != severities.last());
    let titles = texts(
        &tables,
        &query("pages", Some(is("title", Operator::Filled, Value::Null)), Some("title")),
        "title",
    );
    assert!(titles.is_sorted_by_key(|title| title.to_lowercase()));
    // Equal rows stand in the order of their keys, whichever way the column goes.
    for sort in ["status", "-status"] {
        let found = rows(&tables, &query("urls", None, Some(sort)), &names(&["status"]));
        assert!(
            found.windows(2).all(|two| two[0].cells != two[1].cells || two[0].key < two[1].key),
            "{sort}"
        );
    }
}

#[test]
fn operators_give_what_their_sql_gives() {
    use Operator::*;
    let check = |table: &str, filter: Filter, expect: fn(usize) -> bool| {
        let rows = check_shown(&stage().many, &query(table, Some(filter.clone()), None));
        assert!(expect(rows), "{table} {filter:?}: {rows}");
    };
    let some = |rows: usize| rows > 0 && rows < URLS as usize;
    check("urls", is("status", Equals, 404), some);
    check("urls", is("status", Equals, "404"), some);
    check("urls", is("status", Differs, 404), |rows| rows > 1_500);
    check("urls", is("status", AtLeast, 400), some);
    check("urls", is("status", Above, 404), some);
    check("urls", is("status", Below, 301), some);
    check("urls", is("status", AtMost, 200), some);
    check("urls", is("status", Starts, "4"), some);
    check("urls", is("status", Empty, Value::Null), some);
    check("urls", is("status", Filled, Value::Null), some);
    check("urls", is("status", Equals, Value::Null), some);
    check("urls", is("internal", Equals, 0), some);
    check("urls", is("title", Contains, "TEA OF the"), some);
    check("urls", is("title", Lacks, "tea of the"), |rows| rows > 1_500);
    check("urls", is("title", Starts, "fresh"), some);
    check("urls", is("title", Ends, "many teas"), some);
    check("urls", is("title", Starts, "élite"), some);
    check("urls", is("title", Empty, Value::Null), some);
    check("urls", is("state", Equals, "blocked"), some);
    check("urls", is("indexability", Equals, "noindex"), some);
    check("urls", is("inlinks", AtLeast, 1), some);
    check("urls", is("requested", AtLeast, "2026-03-01T08:00:20"), some);
    check("urls", is("requested", Below, "2026-03-01T08:00:20"), some);
    check("urls", is("url", Equals, "https://many.example/"), |rows| rows == 1);
    check("urls", is("bytes", Above, Value::Real(100_000.5)), some);
    check("pages", is("word_count", Below, 300), some);
    check("pages", is("content_hash", Filled, Value::Null), some);
    check("links", is("verdict", Equals, "broken"), |rows| rows > 0);
    check("links", is("rel", Equals, "nofollow"), |rows| rows > 0);
    check("problem_targets", is("occurrences", AtLeast, 20), |rows| rows > 0);
    check("problem_targets", is("kinds", Equals, "anchor"), |rows| rows > 0);
    check("findings", is("evidence", Contains, "status: 404"), |rows| rows > 0);
    check("findings", is("severity", Equals, "issue"), |rows| rows > 0);
    check("redirects", is("final_status", Equals, 200), |rows| rows > 0);
    check("urls", Filter::All(vec![]), |rows| rows == URLS as usize);
    check("urls", Filter::Any(vec![]), |rows| rows == 0);
    check(
        "urls",
        Filter::Any(vec![is("status", Equals, 404), Filter::Not(Box::new(is("status", Below, 500)))]),
        |rows| rows > 60,
    );
    check("urls", Filter::Search("SOLD-out".to_owned()), some);
    check("urls", Filter::Search("élite".to_owned()), some);
    check("findings", Filter::Search("no. 8".to_owned()), |rows| rows > 0);
    for table in ["urls", "pages", "findings", "redirects"] {
        check(table, Filter::Finding("title-missing".to_owned()), |rows| rows < 100);
    }
    check("urls", Filter::Finding("title-missing".to_owned()), some);
    check("links", Filter::Finding("title-missing".to_owned()), |rows| rows > 0);
    let broken = audit::catalogue().iter().filter(|audit| audit.scope == audit::Scope::Link);
    let named: usize = broken
        .map(|audit| {
            check_shown(&stage().many, &query("links", Some(Filter::Finding(audit.id.to_owned())), None))
        })
        .sum();
    assert!(named > 0);
}

#[test]
fn patterns_match_and_wrong_ones_are_refused() {
    let tables = tables(&stage().many);
    let found = texts(
        &tables,
        &query("urls", Some(is("url", Operator::Matches, r"/old/\w+-\d+\.html$")), None),
        "url",
    );
    assert_eq!(
        found.len(),
        texts(&tables, &query("urls", Some(is("status", Operator::Equals, 301)), None), "url").len()
    );
    for pattern in ["(", r"(\w{1000}){1000}", "[z-a]"] {
        let error = tables
            .open_table(&query("urls", Some(is("url", Operator::Matches, pattern)), None), 0)
            .unwrap_err();
        assert!(error.to_string().contains("column url"), "{error}");
        let text = error.to_string();
        assert!(!text.contains('\n') && !text.contains("the query was refused"), "{text}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let tables = tables(&stage().many);
    let check = |query: TableQuery, expect: &str| {
        let error = tables.open_table(&query, 0).unwrap_err();
        assert!(matches!(error, EngineError::Usage(_)) && error.to_string().contains(expect), "{error}");
    };
    check(query("pages; DROP TABLE url", None, None), "pages; DROP TABLE url");
    check(query("urls", Some(is("nonsense", Operator::Equals, 1)), None), "nonsense");
    check(query("urls", None, Some("url) --")), "url) --");
    check(query("urls", Some(is("status", Operator::Above, "many")), None), "status");
    check(query("urls", Some(is("title", Operator::Above, "a")), None), "title");
    check(query("urls", Some(is("status", Operator::Above, Value::Null)), None), "status");
    check(query("urls", Some(Filter::Finding("no-such".to_owned())), None), "no-such");
    check(query("hosts", Some(Filter::Finding("title-missing".to_owned())), None), "hosts");
    check(query("urls", Some(Filter::LinksTo(vec![1])), None), "links_to");
    check(query("links", Some(Filter::LinksToRows { table: 999, ranges: vec![] }), None), "refresh");
    check(query("urls", Some(Filter::All(vec![is("status", Operator::Equals, 1); 600])), None), "conditions");
    let deep = (0..60).fold(is("status", Operator::Equals, 1), |filter, _| Filter::Not(Box::new(filter)));
    check(query("urls", Some(deep), None), "levels");
    check(TableQuery { crawl: 7, ..query("urls", None, None) }, "crawl 7");
    let opened = open(&tables, &query("urls", None, None));
    assert!(tables.rows(opened.table, 0, 1, &names(&["url FROM url --"])).is_err());
    assert!(Engine::system().tables(Path::new("/nowhere.gossamer")).is_err());
}

#[test]
fn filters_have_the_shapes_of_the_window() {
    let check = |json: &str, filter: Filter| {
        assert_eq!(serde_json::from_str::<Filter>(json).unwrap(), filter);
        assert_eq!(serde_json::to_string(&filter).unwrap(), json);
    };
    check(
        r#"{"all":[{"search":"tea"},{"not":{"finding":"x"}}]}"#,
        Filter::All(vec![
            Filter::Search("tea".to_owned()),
            Filter::Not(Box::new(Filter::Finding("x".to_owned()))),
        ]),
    );
    check(
        r#"{"is":{"column":"status","operator":"at_least","value":400}}"#,
        is("status", Operator::AtLeast, 400),
    );
    check(
        r#"{"is":{"column":"title","operator":"empty","value":null}}"#,
        is("title", Operator::Empty, Value::Null),
    );
    check(r#"{"links_to":[4294967297]}"#, Filter::LinksTo(vec![4_294_967_297]));
    check(
        r#"{"links_to_rows":{"table":3,"ranges":[{"start":0,"end":9}]}}"#,
        Filter::LinksToRows { table: 3, ranges: vec![RowRange { start: 0, end: 9 }] },
    );
}
