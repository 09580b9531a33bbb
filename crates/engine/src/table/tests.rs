//! Tables as their users see them, on made-up projects, on a crawl of the demo site, and beside a running writer.

use super::*;
use crate::demo::{Demo, many};
use crate::dto::{Access, AuditRequest, CrawlChoice, ViewQuery};
use crawl::Control;
use model::settings::Start;
use model::state::{FoundBy, Indexability};
use model::{LinkKind, Position, Purpose, UrlState};
use report::Format;
use std::sync::OnceLock;
use store::{AnswerRow, CrawlStart, Document, Href, NewLink, Shape, VisitRow, Writer};
use tempfile::TempDir;

const URLS: u32 = 2_000;

/// A made-up project, and the demo site crawled.
struct Stage {
    _folder: TempDir,
    many: PathBuf,
    demo: PathBuf,
}

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let many = folder.path().join("many.gossamer");
        many::make(&many, URLS).unwrap();
        let demo = folder.path().join("demo.gossamer");
        let site = Demo::start().unwrap();
        let request =
            AuditRequest { seeds: vec![site.url()], project: demo.clone(), ..AuditRequest::default() };
        Engine::system().audit(&request, &Control::new(), &|_| {}).unwrap();
        Stage { _folder: folder, many, demo }
    })
}

fn tables(path: &Path) -> Tables {
    Engine::system().tables(path).unwrap()
}

fn query(table: &str, filter: Option<Filter>, sort: Option<&str>) -> TableQuery {
    let sort = sort.map(|column| match column.strip_prefix('-') {
        Some(column) => Sort { column: column.to_owned(), descending: true },
        None => Sort { column: column.to_owned(), descending: false },
    });
    TableQuery { table: table.to_owned(), crawl: 1, filter, sort }
}

fn is(column: &str, operator: Operator, value: impl Into<Value>) -> Filter {
    Filter::Is(Condition { column: column.to_owned(), operator, value: value.into() })
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

fn names(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|column| (*column).to_owned()).collect()
}

fn ids(table: &str) -> Vec<String> {
    catalogue::find(table).unwrap().columns.iter().map(|column| column.id.to_owned()).collect()
}

fn open(tables: &Tables, query: &TableQuery) -> TableOpened {
    tables.open_table(query, 0).unwrap_or_else(|error| panic!("{query:?}: {error}"))
}

/// All rows of a query, read in windows.
fn rows(tables: &Tables, query: &TableQuery, columns: &[String]) -> Vec<TableRow> {
    let opened = open(tables, query);
    let mut rows = Vec::new();
    while (rows.len() as u64) < opened.rows {
        let window = tables.rows(opened.table, rows.len() as u64, 700, columns).unwrap();
        assert!(!window.is_empty(), "{query:?} ends at {} of {}", rows.len(), opened.rows);
        rows.extend(window);
    }
    tables.close(opened.table);
    rows
}

fn column(tables: &Tables, query: &TableQuery, column: &str) -> Vec<Value> {
    rows(tables, query, &names(&[column])).into_iter().map(|mut row| row.cells.remove(0)).collect()
}

fn texts(tables: &Tables, query: &TableQuery, id: &str) -> Vec<String> {
    column(tables, query, id)
        .into_iter()
        .map(|value| match value {
            Value::Text(text) => text,
            other => format!("{other:?}"),
        })
        .collect()
}

/// Rows of a statement as any SQLite tool gives them.
fn plain(path: &Path, sql: &str, columns: &[String]) -> Vec<Vec<Value>> {
    let listed: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let sql = format!("SELECT {} FROM ({sql})", listed.join(", "));
    let mut found = Vec::new();
    Reader::open(path)
        .unwrap()
        .rows(&sql, &[], &mut |row| {
            found.push(cells(Some(row), columns.len()));
            true
        })
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    found
}

/// The statement for people gives the rows that the table has.
fn check_shown(path: &Path, query: &TableQuery) -> usize {
    let tables = tables(path);
    let opened = open(&tables, query);
    // A statement that needs no further column does not have it.
    let beyond = catalogue::find(&query.table).unwrap().beyond;
    let columns: Vec<String> = ids(&query.table)
        .into_iter()
        .filter(|id| {
            beyond.is_none_or(|(extra, from)| opened.sql.contains(from) || !extra.contains(&id.as_str()))
        })
        .collect();
    let of_table: Vec<Vec<Value>> = rows(&tables, query, &columns).into_iter().map(|row| row.cells).collect();
    let of_tool = plain(path, &opened.sql, &columns);
    let sorted = |rows: &[Vec<Value>]| {
        let mut lines: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        lines.sort();
        lines
    };
    let (table, tool) = (sorted(&of_table), sorted(&of_tool));
    assert!(
        table == tool,
        "{}\n{} rows, the tool has {}\nonly here: {:?}\nonly there: {:?}",
        opened.sql,
        table.len(),
        tool.len(),
        table.iter().find(|row| !tool.contains(row)),
        tool.iter().find(|row| !table.contains(row)),
    );
    if let Some(sort) = &query.sort {
        let at = columns.iter().position(|column| *column == sort.column).unwrap();
        let keys = |rows: &[Vec<Value>]| rows.iter().map(|row| row[at].clone()).collect::<Vec<_>>();
        assert!(keys(&of_table) == keys(&of_tool), "{}", opened.sql);
    }
    of_table.len()
}

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

/// A project whose texts are hostile, with its pages and the links between them; `finish` builds the index.
struct Odd {
    _folder: TempDir,
    path: PathBuf,
    writer: Writer,
    crawl: i64,
}

const TITLES: [&str; 9] = [
    "it's",
    "100% sure",
    "a_b",
    "axb",
    "back\\slash",
    "nul\0inside",
    "😀 smile",
    "ÄPFEL und Öl",
    "\"quoted\" -- ; DROP",
];

impl Odd {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd.gossamer");
        let start =
            Start { seeds: vec![model::Address::parse("http://odd.test/").unwrap()], ..Start::default() };
        let plan = crate::settings::plan(start, None, &[]).unwrap();
        let mut writer = Writer::open(&path, &Engine::system().store_options()).unwrap();
        writer.begin().unwrap();
        let crawl = writer
            .add_crawl(&CrawlStart { job: "audit", started: 0, profile: "", program: "test", plan: &plan })
            .unwrap();
        writer.commit().unwrap();
        let mut odd = Self { _folder: folder, path, writer, crawl };
        for title in TITLES {
            odd.page(title, 200);
        }
        odd
    }

    fn page(&mut self, title: &str, status: u16) -> u32 {
        self.writer.begin().unwrap();
        let url = self.writer.intern(&format!("http://odd.test/{}", self.writer.known_urls() + 1)).unwrap();
        let host = self.writer.host_of(url).unwrap();
        let visit = VisitRow {
            url,
            host,
            state: UrlState::Fetched,
            purpose: Purpose::Crawl,
            internal: true,
            depth: Some(1),
            hops: 0,
            found: FoundBy::Link,
            source: None,
            reason: None,
        };
        self.writer.add_visit(self.crawl, &visit).unwrap();
        let shape = Shape {
            kind: LinkKind::Anchor,
            position: Position::Main,
            nofollow: false,
            noscript: false,
            rel: "".into(),
            window: "".into(),
            element: "body>a".into(),
        };
        let shape = self.writer.shape(&shape).unwrap();
        // To the page before, to itself, and to nowhere.
        let link = |target| NewLink {
            target,
            shape,
            href: Href::Whole("x:"),
            anchor: Some("a|b\tc"),
            line: 1,
            size: None,
        };
        let links = [link(Some(url.saturating_sub(1).max(1))), link(Some(url)), link(None)];
        let list = self.writer.put_list(u64::from(url), &links).unwrap();
        let answer = AnswerRow { method: 1, status: Some(status), ..AnswerRow::default() };
        self.writer.put_answer(self.crawl, url, &answer, None, Some(list)).unwrap();
        let document = Document { hash: u64::from(url), title: Some(title.into()), ..Document::default() };
        self.writer.put_page(self.crawl, url, &document, Indexability::Indexable).unwrap();
        self.writer.commit().unwrap();
        url
    }
}

#[test]
fn hostile_values_are_values() {
    let odd = Odd::new();
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
fn links_of_a_url_are_found_with_and_without_the_index() {
    let mut odd = Odd::new();
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
    let columns = names(&["verdict", "occurrences", "pages", "target"]);
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
        assert!(links.iter().all(|link| link.cells[0] == row.cells[0]), "{target}");
        assert_eq!(url_of(row.key).is_some(), row.cells[0] != Value::from("invalid"));
    }
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
    let odd = Odd::new();
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
    let mut odd = Odd::new();
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
    odd.page("a new one", 404);
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
