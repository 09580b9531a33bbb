//! Host overrides: connected elsewhere, named as before.

use crate::clock::HandClock;
use crate::server::{Server, page};
use crate::tls::{acceptor, leaf, params, root};
use crate::{Names, plan, plan_of, seams};
use gossamer_fetch::{Fetcher, Roots, Want};
use model::plan::HostOverride;
use model::{Address, FailureKind, Job};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

fn to(host: &str, port: u16, to: SocketAddr) -> HostOverride {
    HostOverride { host: host.to_owned(), port, to }
}

fn parsed(text: &str) -> Address {
    Address::parse(text).expect("an address")
}

#[tokio::test]
async fn an_override_keeps_the_name_in_the_request_and_in_tls() {
    let clock = HandClock::new();
    let root = root("Test root");
    let (certificate, key) = leaf(&params("www.example.com", &["www.example.com"]), Some(&root));
    let safe =
        Server::start_with(&clock, Some(acceptor(vec![certificate], key, "http/1.1")), |_| page("<p>safe"))
            .await;
    let open = Server::start(&clock, |_| page("<p>open")).await;
    let elsewhere = Server::start(&clock, |_| page("<p>8080")).await;
    let mut plan = plan();
    plan.fetch.retries.clear();
    plan.http.overrides = vec![
        to("www.example.com", 443, safe.at),
        to("www.example.com", 80, open.at),
        to("www.example.com", 8080, elsewhere.at),
        to("127.0.0.9", 80, open.at),
    ];
    let mut seams = seams(&clock);
    // Nothing is resolved: every name but those of the overrides is unknown.
    seams.resolver = Arc::new(Names::default());
    seams.roots = Roots::Only(vec![root.der().to_vec()]);
    let fetcher = Fetcher::new(&plan, seams).expect("a fetcher");
    for (url, body, server, host) in [
        ("https://www.example.com/", "<p>safe", &safe, "www.example.com"),
        ("http://www.example.com/", "<p>open", &open, "www.example.com"),
        ("http://www.example.com:8080/", "<p>8080", &elsewhere, "www.example.com:8080"),
        ("http://127.0.0.9/", "<p>open", &open, "127.0.0.9"),
    ] {
        let answer = fetcher.fetch(&parsed(url), Want::Page).await.result.expect("an answer");
        assert_eq!(String::from_utf8_lossy(&answer.body), body, "{url}");
        assert_eq!(answer.remote, Some(server.at), "{url}: the address that was really connected");
        let seen = server.seen().pop().expect("a request");
        assert!(seen.head.to_ascii_lowercase().contains(&format!("host: {host}\r\n")), "{}", seen.head);
    }
    assert_eq!(fetcher.certificate("https://www.example.com").map(|facts| facts.fault), Some(None));
    // Neither another port nor another name is led there.
    for other in ["https://www.example.com:8443/", "https://example.com/"] {
        let failure = fetcher.fetch(&parsed(other), Want::Page).await.result.expect_err("a failure");
        assert_eq!(failure.kind, FailureKind::Dns, "{other}");
    }
}

#[tokio::test]
async fn the_certificate_must_still_fit_the_name() {
    let clock = HandClock::new();
    let root = root("Test root");
    let (certificate, key) = leaf(&params("staging.test", &["staging.test"]), Some(&root));
    let staging =
        Server::start_with(&clock, Some(acceptor(vec![certificate], key, "http/1.1")), |_| page("<p>x"))
            .await;
    let mut plan = plan();
    plan.http.overrides = vec![to("www.example.com", 443, staging.at)];
    let mut seams = seams(&clock);
    seams.roots = Roots::Only(vec![root.der().to_vec()]);
    let fetcher = Fetcher::new(&plan, seams).expect("a fetcher");
    let failure =
        fetcher.fetch(&parsed("https://www.example.com/"), Want::Page).await.result.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::TlsWrongHost);
    assert!(staging.seen().is_empty());
}

#[tokio::test]
async fn overrides_are_an_audits_alone() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    for port in [80, 443] {
        let mut plan = plan_of(Job::Check);
        plan.http.overrides = vec![to("www.example.com", port, server.at)];
        let fetcher = Fetcher::new(&plan, seams(&clock)).expect("a fetcher");
        let scheme = if port == 80 { "http" } else { "https" };
        let outcome = fetcher.fetch(&parsed(&format!("{scheme}://www.example.com/")), Want::Page).await;
        assert_eq!(outcome.result.expect_err("a failure").kind, FailureKind::Dns);
    }
    assert_eq!((server.seen().len(), Ipv4Addr::LOCALHOST.is_loopback()), (0, true));
}
