//! The statements of the report against the documented view, whichever way they go.

use super::*;

/// Which links the report has and which `v_links` has, as texts that can be compared.
fn both(reader: &Reader, crawl: i64, unverified: bool) -> [Vec<String>; 3] {
    let condition = if unverified { "('broken', 'invalid', 'unverified')" } else { "('broken', 'invalid')" };
    let mut of_view = Vec::new();
    let sql = format!(
        "SELECT source, target, verdict, kind, raw_href, anchor, position, element, line, target_status, target_internal
         FROM v_links WHERE crawl = ?1 AND verdict IN {condition}"
    );
    reader
        .rows(&sql, &[crawl.into()], &mut |row| {
            let cells: Vec<String> = (0..11).map(|at| format!("{:?}", row.value(at))).collect();
            of_view.push(cells.join(" | "));
            true
        })
        .unwrap();
    of_view.sort();
    let of_report = |way: Way| -> Vec<String> {
        let mut source = Source::new(reader, crawl, unverified).unwrap();
        source.way = way;
        let mut rows = Vec::new();
        let text = |text: Option<&str>| text.map_or(Value::Null, Value::from);
        let number = |number: Option<i64>| number.map_or(Value::Null, Value::from);
        source
            .each(Order::Section, &Sizes::new(), &mut |of| {
                let verdict = match of.fault {
                    Fault::Broken => "broken",
                    Fault::Unverified => "unverified",
                    Fault::Invalid => "invalid",
                };
                let cells = [
                    of.page.into(),
                    text(of.target),
                    verdict.into(),
                    of.kind.into(),
                    of.raw_href.into(),
                    text(of.anchor),
                    of.position.into(),
                    of.element.into(),
                    of.line.into(),
                    number(of.status),
                    number(of.internal.map(i64::from)),
                ];
                rows.push(cells.map(|cell| format!("{cell:?}")).join(" | "));
                true
            })
            .unwrap();
        rows.sort();
        rows
    };
    [of_view, of_report(Way::Targets), of_report(Way::Pages)]
}

/// An audit of the built-in demo site, which has every kind of broken link.
fn demo() -> (tempfile::TempDir, crate::Project) {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("demo.gossamer");
    let site = crate::demo::Demo::start().unwrap();
    let engine = crate::Engine::system();
    let request = crate::AuditRequest {
        seeds: vec![site.url()],
        project: project.clone(),
        overrides: [("fetch.retries", "0"), ("fetch.timeout", "2s")]
            .map(|(id, value)| (id.to_owned(), value.to_owned()))
            .to_vec(),
        ..crate::AuditRequest::default()
    };
    for _ in 0..2 {
        engine.audit(&request, &crate::Control::new(), &|_| {}).unwrap();
    }
    (folder, engine.open(&project, crate::Access::Read).unwrap())
}

#[test]
fn both_ways_give_the_rows_of_the_view() {
    let (_folder, project) = demo();
    for (crawl, unverified) in [(1, false), (2, false), (2, true)] {
        let [view, targets, pages] = both(project.reader(), crawl, unverified);
        assert!(view.len() > 10, "{} rows", view.len());
        for verdict in ["broken", "invalid"] {
            assert!(view.iter().any(|row| row.contains(&format!("\"{verdict}\""))), "no {verdict} link");
        }
        assert_eq!(targets, view);
        assert_eq!(pages, view);
    }
}

#[test]
fn the_numbers_are_those_of_the_rows() {
    let (_folder, project) = demo();
    let source = Source::new(project.reader(), 2, false).unwrap();
    let (totals, sizes) = source.totals().unwrap();
    let (mut rows, mut by_group, mut pages) = (0, HashMap::new(), std::collections::BTreeSet::new());
    source
        .each(Order::Target, &sizes, &mut |of| {
            rows += 1;
            pages.insert(of.page.to_owned());
            *by_group.entry(of.group).or_insert(0) += 1;
            assert_eq!(sizes.get(&of.group), Some(&(of.occurrences, of.pages)));
            assert!(of.first_seen.ends_with('Z') && !of.reason.is_empty() && !of.code.is_empty());
            true
        })
        .unwrap();
    assert_eq!((totals.rows(), totals.pages), (rows, pages.len() as u64));
    for worst in &totals.worst {
        assert_eq!(by_group.get(&worst.group), Some(&worst.occurrences), "{}", worst.target);
    }
    assert!(totals.worst.is_sorted_by(|a, b| a.occurrences >= b.occurrences));
    assert!(!source.subject().unwrap().site.is_empty());
}
