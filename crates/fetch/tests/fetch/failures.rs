//! Every kind of failure, named, and what is tried again.

use crate::clock::HandClock;
use crate::server::{Act, HTML, Server, answer, page, raw};
use crate::{HALF, Names, ONE, TIMEOUT, fetcher, plan, seams, settle, spawn, status};
use gossamer_fetch::{Fetcher, Want};
use model::{Address, Failure, FailureKind, Outcome};
use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;

fn failure(outcome: Outcome) -> Failure {
    let failure = outcome.result.expect_err("a failure");
    assert!(
        failure.detail.ends_with('.') && !failure.detail.contains("://"),
        "a sentence without the URL: {}",
        failure.detail
    );
    failure
}

async fn fails(acts: Vec<Act>) -> Failure {
    let clock = HandClock::new();
    let server = Server::start(&clock, move |_| acts.clone()).await;
    let fetcher = fetcher(&clock, |plan| plan.fetch.retries.clear());
    failure(fetcher.fetch(&server.url("/"), Want::Page).await)
}

#[tokio::test]
async fn what_is_no_http_is_a_protocol_failure() {
    let long = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "y".repeat(1 << 20));
    let many: String = (0..2000).map(|n| format!("X-{n}: 1\r\n")).collect();
    for garbage in [
        "<html><p>HTTP/0.9 says just this</html>\r\n\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01",
        &long,
        &format!("HTTP/1.1 200 OK\r\n{many}\r\n"),
    ] {
        let failure = fails(vec![raw(garbage), Act::Close]).await;
        assert_eq!(
            failure.kind,
            FailureKind::Protocol,
            "{:?}: {failure:?}",
            &garbage[..20.min(garbage.len())]
        );
    }
}

#[tokio::test]
async fn an_endless_header_block_is_bounded() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| {
        std::iter::once(raw("HTTP/1.1 200 OK\r\n"))
            .chain((0..2000).map(|n| raw(format!("X-{n}: {}\r\n", "y".repeat(1000)))))
            .collect()
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    assert_eq!(failure(fetcher.fetch(&server.url("/"), Want::Page).await).kind, FailureKind::Protocol);
}

#[tokio::test]
async fn connections_that_end_without_an_answer() {
    assert_eq!(fails(vec![Act::Close]).await.kind, FailureKind::Reset);
    assert_eq!(fails(vec![Act::Reset]).await.kind, FailureKind::Reset);
    assert_eq!(fails(vec![raw("HTTP/1.1 200 OK\r\nContent-"), Act::Close]).await.kind, FailureKind::Reset);
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_nothing_else() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match (seen.path.as_str(), seen.nth) {
        ("/flaky", 0) | ("/at-once", _) => vec![Act::Reset],
        ("/fin", _) => vec![Act::Close],
        ("/500", _) => answer(500, HTML, "<p>oh"),
        ("/garbage", _) => vec![raw("what\r\n\r\n"), Act::Close],
        _ => page("<p>x"),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    let flaky = spawn(&fetcher, server.url("/flaky"), Want::Page);
    clock.pass(HALF).await;
    let outcome = flaky.await.expect("a job");
    assert_eq!(status(&outcome), 200);
    let tried: Vec<_> = outcome.attempts.iter().map(|attempt| (attempt.status, attempt.failure)).collect();
    assert_eq!(tried, [(None, Some(FailureKind::Reset)), (Some(200), None)]);
    // The idle connection that the last answer left is replaced at once, in the place of a retry.
    for (path, waits) in [("/at-once", &[HALF][..]), ("/fin", &[HALF, ONE])] {
        settle().await;
        let job = spawn(&fetcher, server.url(path), Want::Page);
        for wait in waits {
            clock.pass(*wait).await;
        }
        assert_eq!(failure(job.await.expect("a job")).kind, FailureKind::Reset, "{path}");
        let count = server.seen().iter().filter(|seen| seen.path == path).count();
        assert_eq!(count, 3, "{path}");
    }
    for (path, expect) in [("/500", Some(500)), ("/garbage", None)] {
        let outcome = fetcher.fetch(&server.url(path), Want::Page).await;
        assert_eq!(outcome.result.ok().map(|answer| answer.status), expect);
    }
    assert_eq!(server.seen().iter().filter(|seen| seen.path == "/500").count(), 1);
    assert!(fetcher.host_state("127.0.0.1").errors >= 7);
}

#[tokio::test]
async fn a_stale_connection_is_no_failure() {
    let clock = HandClock::new();
    // Every connection serves one request and resets at the second, as a server does whose idle limit has struck.
    let served = std::sync::Mutex::new(std::collections::HashSet::new());
    let server = Server::start(&clock, move |seen| {
        if served.lock().expect("a lock").insert(seen.connection) { page("<p>x") } else { vec![Act::Reset] }
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.fetch.retries.clear());
    for n in 0..5 {
        let outcome = fetcher.fetch(&server.url(&format!("/{n}")), Want::Page).await;
        assert_eq!(status(&outcome), 200, "no wait and no retry is spent on it");
    }
}

#[tokio::test]
async fn slow_answers_meet_the_limit_of_the_whole_request() {
    for (name, bytes, acts) in [
        ("silent", 0, vec![Act::Hang]),
        ("a head that never ends", 0, vec![raw("HTTP/1.1 200 OK\r\nX: "), Act::Hang]),
        (
            "a body that never ends",
            3,
            vec![raw(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 100\r\n\r\n<p>")), Act::Hang],
        ),
    ] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |_| acts.clone()).await;
        let fetcher = fetcher(&clock, |_| {});
        let job = spawn(&fetcher, server.url("/"), Want::Page);
        for (n, wait) in [(1, Some(HALF)), (2, Some(ONE)), (3, None)] {
            server.until_seen(n).await;
            settle().await;
            clock.pass(TIMEOUT).await;
            if let Some(wait) = wait {
                clock.pass(wait).await;
            }
        }
        let outcome = job.await.expect("a job");
        assert_eq!(outcome.attempts.len(), 3, "{name}");
        assert!(outcome.attempts.iter().all(|attempt| attempt.total >= TIMEOUT), "{name}");
        assert_eq!(failure(outcome).kind, FailureKind::Timeout, "{name}");
        let traffic = fetcher.take_traffic();
        assert_eq!(traffic[0].bytes, 3 * bytes, "{name}: what came was received, three times");
        settle().await;
        assert_eq!(server.in_flight(), 0, "{name}: the connection was closed");
    }
}

#[tokio::test]
async fn bytes_that_drip_do_not_move_the_limit() {
    let clock = HandClock::new();
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |_| {
        let start = raw(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 100000\r\n\r\n"));
        std::iter::once(start)
            .chain((0..100).flat_map(|_| [Act::Wait(Arc::clone(&held)), raw("x")]))
            .collect()
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.fetch.retries.clear());
    let job = spawn(&fetcher, server.url("/"), Want::Page);
    server.until_seen(1).await;
    for _ in 0..19 {
        gate.add_permits(1);
        settle().await;
        clock.advance(ONE);
        assert!(!job.is_finished());
    }
    gate.add_permits(1);
    settle().await;
    clock.advance(ONE);
    assert_eq!(failure(job.await.expect("a job")).kind, FailureKind::Timeout);
}

#[tokio::test]
async fn refused_and_unknown_hosts() {
    let clock = HandClock::new();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let fetcher = fetcher(&clock, |plan| plan.fetch.retries.clear());
    let ask = |text: String| {
        let fetcher = fetcher.clone();
        async move { failure(fetcher.fetch(&Address::parse(&text).expect("an address"), Want::Page).await) }
    };
    assert_eq!(ask(format!("http://127.0.0.1:{port}/")).await.kind, FailureKind::Connect);
    assert_eq!(ask("http://nowhere.invalid/".into()).await.kind, FailureKind::Dns);
    assert_eq!(
        ask(format!("http://127.0.0.1:{port}/{}", "x".repeat(70_000))).await.kind,
        FailureKind::InvalidUrl
    );
    assert_eq!(fetcher.host_state("nowhere.invalid").errors, 1);
}

#[tokio::test]
async fn a_dead_first_address_does_not_hide_the_second() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    let mut seams = seams(&clock);
    // Nothing listens on this port of 127.0.0.9, so that it refuses at once.
    let both = vec![Ipv4Addr::new(127, 0, 0, 9).into(), Ipv4Addr::LOCALHOST.into()];
    seams.resolver = Arc::new(Names(HashMap::from([("two.test".to_owned(), both)])));
    let fetcher = Fetcher::new(&plan(), seams).expect("a fetcher");
    let outcome = fetcher.fetch(&server.named("http", "two.test", "/"), Want::Page).await;
    let answer = outcome.result.expect("an answer");
    assert_eq!(answer.remote, Some(server.at), "the address that was used is stored");
    assert!(answer.timing.dns.is_some());
}

#[tokio::test]
async fn public_only_sends_nothing_elsewhere() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    let fetcher = fetcher(&clock, |plan| plan.policy.addresses = model::policy::Addresses::PublicOnly);
    let port = server.at.port();
    for url in [
        "http://127.0.0.1/".to_owned(),
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost.test:{port}/"),
        "http://localhost.test/".to_owned(),
        "http://[::ffff:127.0.0.1]/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
    ] {
        for want in [Want::Page, Want::Status] {
            let outcome = fetcher.fetch(&Address::parse(&url).expect("an address"), want).await;
            assert_eq!(failure(outcome).kind, FailureKind::AddressNotAllowed, "{url}");
        }
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_name_that_is_never_found_is_looked_up_three_times() {
    let clock = HandClock::new();
    let fetcher = fetcher(&clock, |_| {});
    let mut requests = 0;
    for n in 0..10 {
        let address = model::Address::parse(&format!("http://nowhere.invalid/{n}")).expect("an address");
        let outcome = fetcher.fetch(&address, Want::Status).await;
        requests += outcome.attempts.len();
        assert_eq!(failure(outcome).kind, FailureKind::Dns);
    }
    assert_eq!(requests, 3);
}
