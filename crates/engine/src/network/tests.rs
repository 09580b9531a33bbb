//! Hosts of projects made by hand.

use super::*;
use crate::made::Made;
use std::time::Duration;
use store::{CertificateRow, RobotsRow, TrafficRow};

#[test]
fn traffic_adds_up_and_the_newest_facts_stay() {
    let mut made = Made::audit("https://own.test/");
    let (insight, crawl) = (made.insight(), made.crawl);
    let writer = &mut made.writer;
    assert_eq!(insight.network(crawl).unwrap(), Network::default());

    let own = writer.host("https://own.test:8443").unwrap();
    let other = writer.host("http://other.test").unwrap();
    let certificate = CertificateRow {
        from: 0,
        until: 1_000,
        issuer: "CN=Issuer".to_owned(),
        subject: "CN=own.test".to_owned(),
        names: "own.test www.own.test".to_owned(),
        fault: None,
    };
    let first = TrafficRow {
        internal: true,
        requests: 3,
        bytes: 1_000,
        total_ms: 90,
        remote: Some("192.0.2.1:8443".to_owned()),
        version: Some("HTTP/2"),
        certificate: Some(certificate),
        ..TrafficRow::default()
    };
    let second = TrafficRow {
        internal: true,
        requests: 1,
        errors: 1,
        slow_downs: 1,
        total_ms: 30,
        paused_ms: 2_000,
        ..TrafficRow::default()
    };
    for row in [&first, &second] {
        writer.add_traffic(crawl, own, row).unwrap();
    }
    writer.add_traffic(crawl, other, &TrafficRow { requests: 1, ..TrafficRow::default() }).unwrap();
    let robots = RobotsRow { state: "ok", status: Some(200), crawl_delay: Some(2.0), ..RobotsRow::default() };
    writer.put_robots(crawl, own, &robots).unwrap();

    let mut network = insight.network(crawl).unwrap();
    assert_eq!((network.total, network.requests, network.errors, network.slow_downs), (2, 5, 1, 1));
    let host = &network.hosts[0];
    assert_eq!((host.origin.as_str(), host.host.as_str()), ("https://own.test:8443", "own.test:8443"));
    assert_eq!((host.requests, host.bytes, host.total_ms, host.mean_ms), (4, 1_000, 120, 30));
    assert_eq!((host.paused_ms, host.paused_for_ms, host.concurrency), (2_000, None, None));
    assert_eq!((host.remote.as_deref(), host.version.as_deref()), (Some("192.0.2.1:8443"), Some("HTTP/2")));
    assert_eq!((host.crawl_delay, host.robots_status), (Some(2.0), Some(200)));
    let certificate = host.certificate.as_ref().unwrap();
    assert_eq!(certificate.names, ["own.test", "www.own.test"]);
    assert_eq!(certificate.until, "1970-01-01T00:00:01.000Z");
    assert!(network.hosts[1].certificate.is_none() && !network.hosts[1].internal);

    let state = HostState {
        concurrency: 2,
        in_flight: 1,
        paused_for: Some(Duration::from_millis(1_500)),
        ..HostState::default()
    };
    network.alive(&HashMap::from([("own.test".to_owned(), state)]));
    let host = &network.hosts[0];
    assert_eq!((host.concurrency, host.in_flight, host.paused_for_ms), (Some(2), Some(1), Some(1_500)));
    assert!(network.live && network.hosts[1].concurrency.is_none());
}

#[test]
fn a_host_is_known_by_its_name_without_port() {
    let check = |host: &str, expect: &str| assert_eq!(name(host), expect);
    check("own.test", "own.test");
    check("own.test:8443", "own.test");
    check("[::1]", "[::1]");
    check("[::1]:80", "[::1]");
    check("192.0.2.1:80", "192.0.2.1");
}
