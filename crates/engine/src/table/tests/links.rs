//! Links: by their targets and sources, and grouped by target.

use super::odd::odd;
use super::*;

#[test]
fn links_of_a_url_are_found_with_and_without_the_index() {
    let mut odd = odd();
    let key = |url: u32| store::key(odd.crawl, url);
    let check = |path: &Path, filter: Filter, expect: &[&str]| {
        let tables = tables(path);
        let found = rows(&tables, &query("links", Some(filter.clone()), None), &names(&["source", "target"]));
        let pairs: Vec<String> = found
            .iter()
            .map(|row| match row.cells.as_slice() {
                [Value::Text(source), Value::Text(target)] => {
                    format!("{} {}", &source[16..], &target[16..])
                }
                [Value::Text(source), _] => format!("{} -", &source[16..]),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(pairs, expect, "{filter:?}");
        assert_eq!(check_shown(path, &query("links", Some(filter), None)), expect.len());
    };
    let both = |path: &Path| {
        check(path, Filter::LinksTo(vec![key(3)]), &["3 3", "4 3"]);
        check(
            path,
            Filter::LinksTo(vec![key(4), key(3), key(3), 0, -1, i64::MAX]),
            &["3 3", "4 3", "4 4", "5 4"],
        );
        check(path, Filter::LinksTo(vec![]), &[]);
        check(path, Filter::LinksFrom(vec![key(2)]), &["2 1", "2 2", "2 -"]);
        check(
            path,
            Filter::All(vec![Filter::LinksTo(vec![key(3)]), is("source", Operator::Ends, "/4")]),
            &["4 3"],
        );
        check(
            path,
            Filter::All(vec![
                Filter::LinksTo(vec![key(3)]),
                Filter::Not(Box::new(Filter::LinksFrom(vec![key(3)]))),
            ]),
            &["4 3"],
        );
        let either = Filter::Any(vec![Filter::LinksTo(vec![key(3)]), Filter::LinksFrom(vec![key(3)])]);
        check(path, either, &["3 2", "3 3", "3 -", "4 3"]);
        let tables = tables(path);
        let pages = open(&tables, &query("pages", None, Some("-url")));
        let ranges = vec![RowRange { start: 1, end: 2 }, RowRange { start: 3, end: 4 }];
        let inlinks = query("links", Some(Filter::LinksToRows { table: pages.table, ranges }), None);
        assert_eq!(
            texts(&tables, &inlinks, "source"),
            ["6", "7", "8", "9"].map(|n| format!("http://odd.test/{n}"))
        );
        let problems = texts(&tables, &query("problem_targets", None, None), "target");
        assert_eq!(problems, ["x:"]);
        assert_eq!(check_shown(path, &query("problem_targets", None, None)), 1);
    };
    both(&odd.path);
    odd.writer.build_reverse_indexes().unwrap();
    both(&odd.path);
}

#[test]
fn problem_targets_count_their_links() {
    let tables = tables(&stage().many);
    let columns = names(&["verdict", "occurrences", "pages", "target", "reason"]);
    let found = rows(&tables, &query("problem_targets", None, None), &columns);
    let number = |value: &Value| if let Value::Int(number) = value { *number } else { panic!("{value:?}") };
    assert!(found.is_sorted_by_key(|row| -number(&row.cells[1])) && found.len() > 2);
    for row in &found {
        let Value::Text(target) = &row.cells[3] else { panic!("{row:?}") };
        let links = rows(
            &tables,
            &query("links", Some(is("target", Operator::Equals, target.as_str())), None),
            &names(&["verdict"]),
        );
        assert_eq!(links.len() as i64, number(&row.cells[1]), "{target}");
        assert!(matches!(&row.cells[4], Value::Text(reason) if !reason.is_empty()), "{target}");
        assert!(links.iter().all(|link| link.cells[0] == row.cells[0]), "{target}");
        assert_eq!(url_of(row.key).is_some(), row.cells[0] != Value::from("invalid"));
    }
}

#[test]
fn conditions_on_targets_hold_for_links_as_for_any_row() {
    use Operator::*;
    let shapes = [
        is("verdict", Equals, "broken"),
        is("verdict", Equals, "ok"),
        is("verdict", Equals, "invalid"),
        is("verdict", Differs, "ok"),
        is("target_status", Equals, 404),
        is("target_status", Empty, Value::Null),
        is("target_status", Filled, Value::Null),
        is("target_state", Equals, "failed"),
        is("target_internal", Equals, 0),
        is("target", Contains, "partner"),
        is("target", Starts, "mailto:"),
        is("target", Lacks, "a"),
    ];
    // A condition within two `not` is one that is asked of every link.
    let asked_of_links = |filter: &Filter| Filter::Not(Box::new(Filter::Not(Box::new(filter.clone()))));
    let mut found = 0;
    for path in [&stage().demo, &stage().many] {
        let tables = tables(path);
        let keys = |filter: Filter| -> Vec<(i64, i64)> {
            let rows = rows(&tables, &query("links", Some(filter), None), &[]);
            rows.iter().map(|row| (row.key, row.link)).collect()
        };
        for one in &shapes {
            let plain = keys(asked_of_links(one));
            found += plain.len();
            assert_eq!(keys(one.clone()), plain, "{one:?}");
            for other in [&shapes[0], &shapes[9]] {
                let both = [one.clone(), other.clone()];
                let either = Filter::Any(both.to_vec());
                assert_eq!(keys(either.clone()), keys(asked_of_links(&either)), "{either:?}");
                let all = Filter::All(both.to_vec());
                assert_eq!(keys(all.clone()), keys(asked_of_links(&all)), "{all:?}");
            }
            let mixed = Filter::All(vec![
                Filter::LinksFrom(keys(one.clone()).iter().map(|(page, _)| *page).take(3).collect()),
                one.clone(),
                is("kind", Equals, "anchor"),
            ]);
            assert_eq!(keys(mixed.clone()), keys(asked_of_links(&mixed)), "{mixed:?}");
            let _ = check_shown(path, &query("links", Some(mixed), None));
        }
        let images = is("status", Equals, 404);
        let pictures = |filter| rows(&tables, &query("images", Some(filter), None), &[]).len();
        assert_eq!(pictures(images.clone()), pictures(asked_of_links(&images)));
    }
    assert!(found > 1_000);
}
