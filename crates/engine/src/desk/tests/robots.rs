//! robots.txt and the network through the desk, while a crawl runs and afterwards.

use super::*;

#[test]
fn the_network_is_told_live_and_then_from_the_file() {
    let site = Slow::start(Duration::from_millis(10));
    let room = room();
    let heard = room.news();
    let crawl = room.desk.start_audit(&form(&site.address)).unwrap().crawl.unwrap();
    let origin = site.address.trim_end_matches('/');
    let mut live = None;
    until(&heard, "a network come to life", |_| {
        let network = room.desk.network(crawl).unwrap();
        let told = network.hosts.iter().find(|host| host.origin == origin);
        if told.is_some_and(|host| host.requests > 20 && host.in_flight.is_some()) {
            live = Some(network);
        }
        live.is_some()
    });
    let live = live.unwrap();
    assert!(live.live);
    let host = live.hosts.iter().find(|host| host.origin == origin).unwrap();
    assert_eq!((host.internal, host.concurrency, host.paused_for_ms), (true, Some(5), None));
    assert!(host.mean_ms >= 8, "the server takes 10 ms: {host:?}");
    assert_eq!((host.version.as_deref(), host.robots_status), (Some("HTTP/1.1"), Some(404)));
    assert!(host.remote.as_deref().is_some_and(|remote| remote.starts_with("127.0.0.1:")), "{host:?}");
    // Another crawl is not the one that runs.
    assert!(room.desk.network(crawl + 1).is_err());

    room.desk.stop_job();
    let _ = until_over(&heard);
    let after = room.desk.network(crawl).unwrap();
    assert!(!after.live && after.requests >= live.requests, "{after:?}");
    assert!(after.hosts.iter().all(|host| host.concurrency.is_none() && host.in_flight.is_none()));
}

#[test]
fn robots_txt_is_told_tested_and_tried() {
    let demo = Demo::start().unwrap();
    let room = room();
    let heard = room.news();
    let crawl = room.desk.start_audit(&form(&demo.url())).unwrap().crawl.unwrap();
    assert_eq!(until_over(&heard).state, JobState::Done);
    let desk = &room.desk;
    let hosts = desk.robots_hosts(crawl).unwrap().hosts;
    let own = hosts.first().expect("the demo's own");
    assert!(own.internal && own.state == "ok" && own.blocked > 0, "{own:?}");
    let file = desk.robots_file(crawl, &own.origin).unwrap();
    assert_eq!(file.host, *own);
    // Every URL that the crawl blocked is blocked by the line that the tester names.
    let query = TableQuery {
        table: "urls".to_owned(),
        crawl,
        filter: Some(
            serde_json::from_str(r#"{"is":{"column":"state","operator":"equals","value":"blocked"}}"#)
                .unwrap(),
        ),
        sort: None,
    };
    let opened = desk.open_table(&query, 1).unwrap();
    let columns = ["url".to_owned(), "reason".to_owned()];
    let rows = desk.table_rows(opened.table, 0, opened.rows, &columns).unwrap();
    let text = |value: &crate::table::Value| match value {
        crate::table::Value::Text(text) => text.clone(),
        other => panic!("not a text: {other:?}"),
    };
    let (urls, reasons): (Vec<String>, Vec<String>) =
        rows.iter().map(|row| (text(&row.cells[0]), text(&row.cells[1]))).unzip();
    let verdicts = desk.robots_test(crawl, &own.origin, None, "GossamerBot", &urls).unwrap();
    for (verdict, reason) in verdicts.iter().zip(&reasons) {
        let line = format!("line {}: {}", verdict.line.unwrap(), verdict.rule.as_deref().unwrap());
        assert!(verdict.allowed == Some(false) && reason.ends_with(&line), "{verdict:?} {reason}");
    }
    // The same text changes nothing; an empty one frees what is blocked.
    let same = desk.robots_sandbox(crawl, &own.origin, &file.text, "GossamerBot", 7).unwrap();
    assert_eq!((same.newly_blocked, same.newly_allowed, same.blocked), (0, 0, own.blocked), "{same:?}");
    let free = desk.robots_sandbox(crawl, &own.origin, "", "GossamerBot", 8).unwrap();
    assert_eq!((free.blocked, free.newly_allowed, free.checked), (0, own.blocked, same.checked));
    desk.cancel_sandbox(9);
    let cancelled = desk.robots_sandbox(crawl, &own.origin, "", "GossamerBot", 9).unwrap_err();
    assert_eq!(cancelled.code, "cancelled");
    assert_eq!(desk.robots_file(crawl, "https://never.test").unwrap_err().code, "usage");

    let tree = desk.sitemap_tree(crawl).unwrap();
    assert!(tree.files > 0 && tree.nodes[0].in_crawl > 0, "{tree:?}");
}
