use gossamer_engine::Engine;
use gossamer_engine::table::*;
use std::path::Path;
use std::time::Instant;

fn q(table: &str, filter: Option<Filter>, sort: Option<(&str, bool)>) -> TableQuery {
    TableQuery { table: table.into(), crawl: 1, filter, sort: sort.map(|(c, d)| Sort { column: c.into(), descending: d }) }
}
fn is(column: &str, operator: Operator, value: Value) -> Filter {
    Filter::Is(Condition { column: column.into(), operator, value })
}
fn main() {
    let dir = Path::new("/tmp/bench_tables");
    std::fs::create_dir_all(dir).unwrap();
    let big = dir.join("big.gossamer");
    if !big.exists() {
        let t = Instant::now();
        gossamer_engine::demo::many::make(&big, 1_000_000).unwrap();
        println!("make 1M: {:?}, {} MB", t.elapsed(), big.metadata().unwrap().len() / 1_000_000);
    }
    let links = dir.join("links.gossamer");
    if !links.exists() {
        let t = Instant::now();
        make_links(&links);
        println!("make 20M links: {:?}, {} MB", t.elapsed(), links.metadata().unwrap().len() / 1_000_000);
    }
    run(&big, "big");
    run(&links, "links");
}
fn run(path: &Path, name: &str) {
    println!("== {name}");
    let tables = Engine::system().tables(path).unwrap();
    let text = |t: &str| Value::Text(t.into());
    let mut cases = vec![
        ("urls default", q("urls", None, None)),
        ("urls default again", q("urls", None, None)),
        ("urls by title", q("urls", None, Some(("title", false)))),
        ("urls by url", q("urls", None, Some(("url", true)))),
        ("urls by status", q("urls", None, Some(("status", true)))),
        ("urls by depth", q("urls", None, Some(("depth", true)))),
        ("urls by inlinks", q("urls", None, Some(("inlinks", true)))),
        ("urls by bytes", q("urls", None, Some(("bytes", true)))),
        ("urls by indexability", q("urls", None, Some(("indexability", false)))),
        ("urls url contains", q("urls", Some(is("url", Operator::Contains, text("kettle"))), None)),
        ("urls title contains", q("urls", Some(is("title", Operator::Contains, text("kettle"))), None)),
        ("urls search", q("urls", Some(Filter::Search("kettle-99".into())), None)),
        ("urls status = 404", q("urls", Some(is("status", Operator::Equals, Value::Int(404))), None)),
        ("pages default", q("pages", None, None)),
        ("pages by title", q("pages", None, Some(("title", false)))),
        ("findings default", q("findings", None, None)),
        ("findings of audit", q("findings", Some(Filter::Finding("title-missing".into())), None)),
        ("findings by severity", q("findings", None, Some(("severity", false)))),
        ("urls with finding", q("urls", Some(Filter::Finding("title-missing".into())), None)),
        ("links default", q("links", None, None)),
        ("problem targets", q("problem_targets", None, None)),
        ("redirects", q("redirects", None, None)),
        ("inlinks of url 500000", q("links", Some(Filter::LinksTo(vec![4294967296 + 500_000])), None)),
        ("inlinks of url 500003 sorted", q("links", Some(Filter::LinksTo(vec![4294967296 + 500_003])), Some(("anchor", false)))),
        ("outlinks of url 500000", q("links", Some(Filter::LinksFrom(vec![4294967296 + 500_000])), None)),
        ("inlinks of home's neighbour", q("links", Some(Filter::LinksTo(vec![4294967296 + 3])), None)),
        ("links broken", q("links", Some(is("verdict", Operator::Equals, text("broken"))), None)),
    ];
    if name == "links" { cases.retain(|(n, _)| n.contains("links") || n.contains("default") || n.contains("problem")); }
    for (name, query) in cases {
        let t = Instant::now();
        let opened = match tables.open_table(&query, 1) { Ok(o) => o, Err(e) => { println!("{name}: {e}"); continue } };
        let took = t.elapsed();
        let columns: Vec<String> = Tables::catalogue().into_iter().find(|c| c.id == query.table).unwrap().columns.into_iter().filter(|c| c.shown).map(|c| c.id).collect();
        let window = |start: u64| { let t = Instant::now(); let rows = tables.rows(opened.table, start, 200, &columns).unwrap(); (t.elapsed(), rows) };
        let (cold, _) = window(opened.rows / 2);
        let (end, rows) = window(opened.rows.saturating_sub(200));
        let t = Instant::now();
        let position = rows.last().map(|row| tables.position(opened.table, row.key, row.link).unwrap());
        let found = t.elapsed();
        let t = Instant::now();
        tables.length(opened.table).unwrap();
        println!("{name}: {} rows, open {took:?}, window mid {cold:?}, end {end:?}, position {position:?} {found:?}, length {:?}", opened.rows, t.elapsed());
        tables.close(opened.table);
    }
    let all = tables.open_table(&q("urls", None, Some(("title", false))), 1).unwrap();
    let t = Instant::now();
    let e = tables.export(all.table, None, &[], Path::new("/tmp/bench_tables/out.csv")).unwrap();
    println!("export {} rows {:?}", e.rows, t.elapsed());
    let t = Instant::now();
    let text = tables.copy(all.table, &[RowRange { start: 0, end: 200_000 }], &["url".into(), "title".into()], CopyFormat::Tsv).unwrap();
    println!("copy {} bytes {:?}", text.len(), t.elapsed());
    let t = Instant::now();
    let keys = tables.keys(all.table, &[RowRange { start: 0, end: 1_000_000 }], 1_000_000).unwrap();
    println!("keys {} {:?}", keys.len(), t.elapsed());
    let t = Instant::now();
    let o = tables.open_table(&q("links", Some(Filter::LinksToRows { table: all.table, ranges: vec![RowRange { start: 0, end: 1_000 }] }), None), 1).unwrap();
    println!("inlinks of 1000 rows: {} rows {:?}", o.rows, t.elapsed());
}
fn make_links(path: &Path) {
    use model::state::*;
    use model::*;
    use store::*;
    let plan = {
        let seeds = vec![Address::parse("https://many.example/").unwrap()];
        model::settings::resolve(model::settings::Start { seeds, mode: Default::default() }, &[], &[]).unwrap()
    };
    let mut w = Writer::open(path, &Options { program: "b".into(), views: vec![View { name: "v_issues", sql: audit::issues_view_sql() }], faults: std::sync::Arc::new(NoFaults) }).unwrap();
    w.begin().unwrap();
    let crawl = w.add_crawl(&CrawlStart { job: "audit", started: 0, profile: "", program: "b", plan: &plan }).unwrap();
    let n = 1_000_000u32;
    let seed = w.seed();
    for i in 1..=n {
        let text = format!("https://many.example/section-{}/page-{i}", i % 97);
        w.add_url(seed.url(&text), &text, Some("https://many.example")).unwrap();
        if i % 20_000 == 0 { w.commit().unwrap(); w.begin().unwrap(); }
    }
    let shape = w.shape(&Shape { kind: LinkKind::Anchor, position: Position::Main, nofollow: false, noscript: false, rel: "".into(), window: "".into(), element: "body>main>a".into() }).unwrap();
    for i in 1..=n {
        let status = if i % 50 == 0 { 404 } else { 200 };
        w.add_visit(crawl, &VisitRow { url: i, host: 1, state: UrlState::Fetched, purpose: Purpose::Crawl, internal: true, depth: Some(3), hops: 0, found: FoundBy::Link, source: None, reason: None }).unwrap();
        let texts: Vec<String> = (0..20u32).map(|k| format!("link {}", (i / 7 + k) % 50_000)).collect();
        let links: Vec<NewLink> = (0..20u32).map(|k| NewLink { target: Some(if k < 2 { k + 1 } else { (u64::from(i) * 7919 + u64::from(k) * 104_729) as u32 % n + 1 }), shape, href: Href::Form(Form::Path, ""), anchor: Some(&texts[k as usize]), line: k, size: None }).collect();
        let list = w.put_list(u64::from(i), &links).unwrap();
        w.put_answer(crawl, i, &AnswerRow { method: 1, status: Some(status), headers: Some("content-type: text/html\nserver: nginx".into()), ..AnswerRow::default() }, None, Some(list)).unwrap();
        if status == 200 { w.put_page(crawl, i, &Document { hash: u64::from(i), title: Some(format!("Title {}", u64::from(i) * 7919 % 1_000_003).into()), ..Document::default() }, Indexability::Indexable).unwrap(); }
        if i % 20_000 == 0 { w.commit().unwrap(); w.begin().unwrap(); }
    }
    w.commit().unwrap();
    w.build_reverse_indexes().unwrap();
    w.set_crawl(crawl, "finished", None, Some(1)).unwrap();
    w.settle().unwrap();
}
