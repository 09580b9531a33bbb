//! Which addresses may be connected to: the doors of a check are the public ones, and an audit's are all.

use gossamer_tests::{Answer, Server, Site, Web, Work};

/// A server of the computer's own, which a check must never reach.
fn private() -> Server {
    Site::single().route("main", "/", Answer::page("Private", &["/inner"])).serve()
}

#[test]
fn a_check_connects_to_public_addresses_only_and_on_two_ports_only() {
    let inside = private();
    let links = [
        inside.url("main", "/"),
        "http://10.0.0.1/".to_owned(),
        "http://[::1]/".to_owned(),
        "http://2130706433/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://inside.example/".to_owned(),
        "http://localhost/".to_owned(),
        "http://other.example:8080/".to_owned(),
        "http://other.example/onwards".to_owned(),
        "http://other.example/fine".to_owned(),
    ];
    let visited = Web::new(&["main", "other"])
        .name("inside.example", &["10.1.2.3"])
        .name("localhost", &["127.0.0.1"])
        .route("main", "/", Answer::page("Home", &links))
        .route("other", "/onwards", Answer::redirect(302, &inside.url("main", "/hop")))
        .route("other", "/fine", Answer::page("Fine", &["/"]))
        .visit(Work::Check, &[]);
    visited.outcome.as_ref().expect("a report");
    assert!(inside.log().is_empty(), "{:?}", inside.log().counts());
    let refused: Vec<String> = visited
        .of_state("failed")
        .into_iter()
        .filter(|(_, why)| why == "address-not-allowed")
        .map(|(url, _)| url)
        .collect();
    assert_eq!(refused.len(), 9, "{refused:?}");
    assert_eq!(visited.methods("other", "/fine"), ["HEAD"]);
    // Whatever was connected is public, on port 80.
    for address in &visited.dialled {
        assert!(address.ip().to_string().starts_with("8.8.4.") && address.port() == 80, "{address}");
    }
}

#[test]
fn a_check_of_an_address_that_is_not_public_is_refused() {
    let inside = private();
    for start in
        [inside.url("main", "/"), "http://inside.example/".to_owned(), "http://192.168.0.1/".to_owned()]
    {
        let web = Web::new(&["main"]).name("inside.example", &["127.0.0.1"]).start_at(&start);
        let visited = web.visit(Work::Check, &[]);
        let error = visited.outcome.as_ref().expect_err("a refusal").to_string();
        assert!(
            error.contains("address-not-allowed") || error.contains("ports 80 and 443"),
            "{start}: {error}"
        );
        assert!(visited.dialled.is_empty(), "{start}: {:?}", visited.dialled);
    }
    assert!(inside.log().is_empty());
}

#[test]
fn an_audit_connects_to_any_address() {
    let inside = private();
    let web = Web::new(&["main"]).start_at(&inside.url("main", "/"));
    let visited = web.visit(Work::Audit, &[]);
    visited.outcome.as_ref().expect("a report");
    assert_eq!(inside.log().methods("main", "/"), ["GET"]);
}
