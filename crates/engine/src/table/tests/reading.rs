//! What can be done with an open table.

use super::odd::{TITLES, odd};
use super::*;

#[test]
fn hostile_values_are_values() {
    let odd = odd();
    let tables = tables(&odd.path);
    let check = |operator: Operator, value: &str, expect: &[&str]| {
        let query = query("pages", Some(is("title", operator, value)), None);
        assert_eq!(texts(&tables, &query, "title"), expect, "{operator:?} {value:?}");
        assert!(open(&tables, &query).sql.find('\0').is_none());
    };
    for title in TITLES {
        check(Operator::Equals, title, &[title]);
        check(Operator::Contains, title, &[title]);
        check(Operator::Starts, title, &[title]);
        check(Operator::Ends, title, &[title]);
        assert_eq!(
            check_shown(&odd.path, &query("pages", Some(is("title", Operator::Equals, title)), None)),
            1
        );
        assert_eq!(
            check_shown(&odd.path, &query("pages", Some(is("title", Operator::Contains, title)), None)),
            1
        );
    }
    check(Operator::Contains, "%", &["100% sure"]);
    check(Operator::Contains, "_", &["a_b"]);
    check(Operator::Contains, "\\", &["back\\slash"]);
    check(Operator::Contains, "\0", &["nul\0inside"]);
    check(Operator::Contains, "äpfel UND öl", &["ÄPFEL und Öl"]);
    check(Operator::Contains, ".", &[]);
    check(Operator::Equals, "' OR 1=1 --", &[]);
    let found = texts(&tables, &query("pages", Some(Filter::Search("äpfel".to_owned())), None), "title");
    assert_eq!(found, ["ÄPFEL und Öl"]);
    let sorted = texts(&tables, &query("pages", None, Some("title")), "title");
    assert_eq!(sorted.last().map(String::as_str), Some("😀 smile"));
    let long = "x".repeat(20_000);
    assert!(
        tables.open_table(&query("pages", Some(is("title", Operator::Contains, &*long)), None), 0).is_err()
    );
}

#[test]
fn positions_lead_back_to_their_rows() {
    let tables = tables(&stage().many);
    for (table, sort) in [
        ("urls", None),
        ("urls", Some("-title")),
        ("links", None),
        ("links", Some("anchor")),
        ("redirects", None),
    ] {
        let opened = open(&tables, &query(table, None, sort));
        for at in [0, 1, 777 % opened.rows, opened.rows - 1] {
            let row = &tables.rows(opened.table, at, 1, &[]).unwrap()[0];
            assert_eq!(
                tables.position(opened.table, row.key, row.link).unwrap(),
                Some(at),
                "{table} {sort:?} {at}"
            );
        }
        assert_eq!(tables.position(opened.table, 5, 5).unwrap(), None);
        assert_eq!(tables.position(opened.table, store::key(1, 1), i64::MAX).unwrap(), None);
        assert!(tables.rows(opened.table, opened.rows, 10, &[]).unwrap().is_empty());
        assert!(tables.rows(opened.table, u64::MAX, u64::MAX, &[]).unwrap().is_empty());
        assert_eq!(tables.rows(opened.table, opened.rows - 3, u64::MAX, &[]).unwrap().len(), 3);
    }
}

#[test]
fn windows_of_runs_are_those_of_single_rows() {
    let tables = tables(&stage().many);
    // The first is kept as runs of links, the second, which is as long, row by row.
    let runs = open(&tables, &query("links", None, None));
    let single = open(&tables, &query("links", Some(Filter::All(vec![])), None));
    assert_eq!(runs.rows, single.rows);
    let columns = names(&["source", "target", "line"]);
    for start in [0, 1, 15, 16, 17, 1_000, runs.rows - 20] {
        let window = |table| tables.rows(table, start, 45, &columns).unwrap();
        assert_eq!(window(runs.table), window(single.table), "{start}");
    }
}

#[test]
fn exports_equal_those_of_the_views() {
    let folder = tempfile::tempdir().unwrap();
    for path in [&stage().demo, &stage().many] {
        let (tables, project) = (tables(path), Engine::system().open(path, Access::Read).unwrap());
        for table in catalogue::TABLES.iter().filter(|table| table.view.starts_with("v_")) {
            let beyond = table.beyond.map_or(&[][..], |(columns, _)| columns);
            let columns: Vec<String> =
                ids(table.id).into_iter().filter(|id| !beyond.contains(&id.as_str())).collect();
            let opened = open(&tables, &TableQuery { sort: None, ..query(table.id, None, None) });
            for ending in ["csv", "jsonl"] {
                let file = folder.path().join(format!("{}.{ending}", table.id));
                let exported = tables.export(opened.table, None, &columns, &file).unwrap();
                assert_eq!(exported.rows, opened.rows);
                let mut expected = Vec::new();
                let format = Format::of_path(&file).unwrap();
                let query = ViewQuery {
                    view: table.view.to_owned(),
                    columns: columns.clone(),
                    crawl: CrawlChoice::Number(1),
                    ..ViewQuery::default()
                };
                project.write_view(&query, format, &mut expected).unwrap();
                let lines = |bytes: &[u8]| {
                    let mut lines: Vec<String> =
                        String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
                    // What is not in the order of the file in either.
                    if ["hosts", "findings"].contains(&table.id) {
                        lines.sort();
                    }
                    lines
                };
                assert!(
                    lines(&std::fs::read(&file).unwrap()) == lines(&expected),
                    "{} as {ending}",
                    table.id
                );
            }
        }
    }
}

#[test]
fn parts_are_exported_and_wrong_paths_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables(&stage().many);
    let opened = open(&tables, &query("urls", None, Some("-url")));
    let file = folder.path().join("part.csv");
    let ranges = [RowRange { start: 2, end: 4 }, RowRange { start: URLS.into(), end: 9_999_999 }];
    assert_eq!(tables.export(opened.table, Some(&ranges), &names(&["url"]), &file).unwrap().rows, 2);
    let all = texts(&tables, &query("urls", None, Some("-url")), "url");
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(written, format!("\u{feff}url\r\n{}\r\n{}\r\n", all[2], all[3]));
    assert!(matches!(
        tables.export(opened.table, None, &[], &folder.path().join("x.doc")),
        Err(EngineError::Usage(_))
    ));
    let nowhere = folder.path().join("no/such/folder.csv");
    assert!(matches!(tables.export(opened.table, None, &[], &nowhere), Err(EngineError::Unwritable { .. })));
    if Format::of_path(Path::new("x.xlsx")).is_some() {
        let book = folder.path().join("book.xlsx");
        assert_eq!(tables.export(opened.table, None, &[], &book).unwrap().rows, u64::from(URLS));
        assert!(std::fs::read(&book).unwrap().starts_with(b"PK"));
    }
}

#[test]
fn rows_are_copied_as_text() {
    let odd = odd();
    let tables = tables(&odd.path);
    let opened = open(&tables, &query("links", None, None));
    let ranges = [RowRange { start: 0, end: 1 }, RowRange { start: 2, end: 3 }];
    let copy =
        |columns: &[&str], format| tables.copy(opened.table, &ranges, &names(columns), format).unwrap();
    assert_eq!(
        copy(&["source", "anchor", "line"], CopyFormat::Tsv),
        "Page\tAnchor text\tLine\nhttp://odd.test/1\ta|b c\t1\nhttp://odd.test/1\ta|b c\t1\n"
    );
    assert_eq!(copy(&["source"], CopyFormat::Tsv), "http://odd.test/1\nhttp://odd.test/1\n");
    assert_eq!(
        copy(&["line", "target"], CopyFormat::Markdown),
        "| Line | Target |\n|-|-|\n| 1 | http://odd.test/1 |\n| 1 |  |\n"
    );
    let large = vec![RowRange { start: 0, end: 10_000 }; 20_000];
    assert!(matches!(
        tables.copy(opened.table, &large, &names(&["line"]), CopyFormat::Tsv),
        Err(EngineError::Usage(_))
    ));
}

#[test]
fn keys_are_those_of_urls_each_once() {
    let tables = tables(&stage().many);
    let links = open(&tables, &query("links", None, None));
    let everything = [RowRange { start: 0, end: u64::MAX }];
    let pages = tables.keys(links.table, &everything, usize::MAX).unwrap();
    let sources: HashSet<String> =
        texts(&tables, &query("links", None, None), "source").into_iter().collect();
    assert_eq!(pages.len(), sources.len());
    assert_eq!(tables.keys(links.table, &everything, 3).unwrap(), pages[..3]);
    let hosts = open(&tables, &query("hosts", None, None));
    assert!(tables.keys(hosts.table, &everything, 10).unwrap().is_empty());
}

#[test]
fn a_cancelled_opening_ends_as_cancelled() {
    let tables = Arc::new(tables(&stage().many));
    // A condition per row and link that takes long enough to be caught.
    let slow = Filter::Any(
        (0..200).map(|n| is("element", Operator::Matches, &*format!("(a|b|c)*{n}[^x]{{200}}z"))).collect(),
    );
    let running = Arc::clone(&tables);
    let thread =
        std::thread::spawn(move || running.open_table(&query("links", Some(slow), Some("anchor")), 9));
    while !tables.tickets.is_running(9) {
        std::thread::yield_now();
    }
    tables.cancel(9);
    assert!(matches!(thread.join().unwrap(), Err(EngineError::Cancelled)));
    // A cancellation that overtakes its call counts too, once.
    tables.cancel(10);
    assert!(matches!(
        tables.open_table(&query("links", None, Some("anchor")), 10),
        Err(EngineError::Cancelled)
    ));
    assert!(tables.open_table(&query("links", None, Some("anchor")), 10).is_ok());
}

#[test]
fn the_table_used_longest_ago_is_closed() {
    let tables = tables(&stage().many);
    let first = open(&tables, &query("urls", None, None)).table;
    let second = open(&tables, &query("urls", None, None)).table;
    for _ in 0..MOST_OPEN - 1 {
        let _ = tables.rows(first, 0, 1, &[]).unwrap();
        let _ = open(&tables, &query("hosts", None, None));
    }
    assert!(tables.rows(first, 0, 1, &[]).is_ok());
    let error = tables.rows(second, 0, 1, &[]).unwrap_err();
    assert!(error.to_string().contains("refresh"), "{error}");
    tables.close(first);
    tables.close(first);
    assert!(tables.length(first).is_err());
}

#[test]
fn a_running_writer_is_read_beside() {
    let mut odd = odd();
    let tables = tables(&odd.path);
    let filter = Some(is("title", Operator::Contains, "new"));
    let (all, new, links, problems) = (
        open(&tables, &query("urls", None, None)),
        open(&tables, &query("pages", filter, None)),
        open(&tables, &query("links", None, None)),
        open(&tables, &query("problem_targets", None, None)),
    );
    let known = TITLES.len() as u64;
    let check = |expect: [u64; 4]| {
        let lengths =
            [all.table, new.table, links.table, problems.table].map(|table| tables.length(table).unwrap());
        assert_eq!(lengths, expect);
    };
    check([known, 0, known * 3, 1]);
    odd.writer.begin().unwrap();
    odd.writer.commit().unwrap();
    odd.titled("a new one", 404);
    check([known + 1, 1, (known + 1) * 3, 2]);
    // What was opened stays as it was, and what it shows is still there.
    assert_eq!(tables.rows(all.table, 0, 100, &names(&["url"])).unwrap().len() as u64, known);
    assert_eq!(tables.rows(links.table, 0, 100, &[]).unwrap().len() as u64, known * 3);
    assert_eq!(tables.rows(problems.table, 0, 100, &names(&["target"])).unwrap().len(), 1);
    let again = open(&tables, &query("problem_targets", None, None));
    let found =
        tables.rows(again.table, 0, 9, &names(&["target", "verdict", "status", "occurrences"])).unwrap();
    assert_eq!(found[1].cells[1..], [Value::from("broken"), Value::Int(404), Value::Int(1)]);
    // A row that is gone leaves its place empty.
    odd.writer.delete_crawl(odd.crawl).unwrap();
    let rows = tables.rows(all.table, 0, 1, &names(&["url"])).unwrap();
    assert_eq!(rows[0].cells, [Value::Null]);
    assert!(matches!(tables.open_table(&query("urls", None, None), 0), Err(EngineError::Usage(_))));
}

#[test]
fn several_threads_share_tables() {
    fn sendable<T: Send + Sync>(_: &T) {}
    let tables = tables(&stage().many);
    sendable(&tables);
    let opened = open(&tables, &query("urls", None, Some("-title")));
    let expected = tables.rows(opened.table, 500, 50, &names(&["url", "title"])).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let _ = scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(
                        tables.rows(opened.table, 500, 50, &names(&["url", "title"])).unwrap(),
                        expected
                    );
                    let other = open(&tables, &query("links", None, None));
                    tables.close(other.table);
                }
            });
        }
    });
}
