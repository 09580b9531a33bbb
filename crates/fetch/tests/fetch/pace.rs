//! Politeness, measured at the server: requests at once, spacing, pauses, slow-downs.

use crate::clock::HandClock;
use crate::server::{Act, HTML, Server, answer, page, raw};
use crate::{HALF, ONE, fetcher, settle, spawn, status};
use gossamer_fetch::Want;
use model::Outcome;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

#[tokio::test]
async fn never_more_at_once_than_the_plan_allows() {
    let clock = HandClock::new();
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    // The body is held back: a request counts until its body is finished.
    let server = Server::start(&clock, move |_| {
        vec![
            raw(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 9\r\n\r\n<p>")),
            Act::Wait(Arc::clone(&held)),
            raw("a</p>x"),
        ]
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.pace.concurrency = 3);
    let jobs: Vec<_> = (0..12).map(|n| spawn(&fetcher, server.url(&format!("/{n}")), Want::Page)).collect();
    for done in 0..12 {
        server.until_seen((done + 3).min(12)).await;
        settle().await;
        assert_eq!(server.seen().len(), (done + 3).min(12), "none of the waiting ones is sent before");
        assert!(fetcher.host_state("127.0.0.1").in_flight <= 3);
        gate.add_permits(1);
    }
    for job in jobs {
        assert_eq!(status(&job.await.expect("a job")), 200);
    }
    assert_eq!(server.max_in_flight(), 3);
    let state = fetcher.host_state("127.0.0.1");
    assert_eq!((state.requests, state.bytes, state.errors, state.in_flight), (12, 108, 0, 0));
    let connections = server.seen().iter().map(|seen| seen.connection).max();
    assert!(connections <= Some(3), "connections are kept alive: {connections:?}");
}

#[tokio::test]
async fn a_closed_download_counts_until_the_server_sees_it() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| {
        vec![
            raw("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 100000\r\n\r\nabc"),
            Act::Hang,
        ]
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.pace.concurrency = 1);
    let jobs: Vec<_> = (0..20).map(|n| spawn(&fetcher, server.url(&format!("/{n}")), Want::Page)).collect();
    for job in jobs {
        let outcome = job.await.expect("a job");
        let answer = outcome.result.expect("an answer");
        assert!(!answer.body_read && answer.body.is_empty());
    }
    assert_eq!(server.max_in_flight(), 1);
}

#[tokio::test]
async fn small_unread_bodies_keep_their_connection() {
    let clock = HandClock::new();
    let server =
        Server::start(&clock, |_| answer(301, "Location: /x\r\nContent-Type: text/html\r\n", "moved")).await;
    let fetcher = fetcher(&clock, |_| {});
    for n in 0..5 {
        let outcome = fetcher.fetch(&server.url(&format!("/{n}")), Want::Page).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!((answer.status, answer.header("location"), answer.body_read), (301, Some("/x"), false));
    }
    assert_eq!(server.seen().last().map(|seen| seen.connection), Some(1));
}

#[tokio::test]
async fn starts_are_spaced_and_crawl_delay_wins() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    let fetcher = fetcher(&clock, |plan| plan.pace.delay = Duration::from_millis(200));
    let jobs: Vec<_> = (0..6).map(|n| spawn(&fetcher, server.url(&format!("/{n}")), Want::Page)).collect();
    let spacing = Duration::from_millis(205);
    for done in 1..6 {
        server.until_seen(done).await;
        clock.until_asleep(spacing).await;
        clock.advance(spacing - Duration::from_millis(1));
        settle().await;
        assert_eq!(server.seen().len(), done, "not a millisecond early");
        clock.advance(Duration::from_millis(1));
    }
    for job in jobs {
        assert_eq!(status(&job.await.expect("a job")), 200);
    }
    let gaps: Vec<_> = server.seen().windows(2).map(|pair| pair[1].at - pair[0].at).collect();
    assert!(gaps.iter().all(|gap| *gap >= Duration::from_millis(200)), "{gaps:?}");

    fetcher.set_delay("127.0.0.1", Duration::from_secs(3));
    assert_eq!(fetcher.host_state("127.0.0.1").delay, Duration::from_secs(3));
    clock.advance(Duration::from_secs(10));
    let (first, second) =
        (spawn(&fetcher, server.url("/a"), Want::Page), spawn(&fetcher, server.url("/b"), Want::Page));
    server.until_seen(7).await;
    clock.pass(Duration::from_millis(3005)).await;
    assert_eq!((status(&first.await.expect("a job")), status(&second.await.expect("a job"))), (200, 200));
    let seen = server.seen();
    assert!(seen[7].at - seen[6].at >= Duration::from_secs(3));

    // A shorter Crawl-delay does not shorten our own.
    fetcher.set_delay("127.0.0.1", Duration::from_millis(10));
    assert_eq!(fetcher.host_state("127.0.0.1").delay, Duration::from_millis(200));
}

#[tokio::test]
async fn hosts_do_not_wait_for_one_another() {
    let clock = HandClock::new();
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |seen| match seen.path.as_str() {
        "/slow" => [vec![Act::Wait(Arc::clone(&held))], page("<p>x")].concat(),
        _ => page("<p>x"),
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.pace.concurrency = 1);
    let slow = spawn(&fetcher, server.named("http", "a.test", "/slow"), Want::Page);
    server.until_seen(1).await;
    assert_eq!(status(&fetcher.fetch(&server.named("http", "b.test", "/"), Want::Page).await), 200);
    gate.add_permits(1);
    assert_eq!(status(&slow.await.expect("a job")), 200);
    let hosts: Vec<_> = fetcher.traffic().into_iter().map(|host| (host.host, host.state.requests)).collect();
    assert_eq!(hosts, [("a.test".to_owned(), 1), ("b.test".to_owned(), 1)]);
}

/// One 429, then 200: the pause that is made and how often the server is asked.
async fn limited(headers: &str, wants: Want, pause: Duration) -> (Server, HandClock, Outcome) {
    let clock = HandClock::new();
    let headers = headers.to_owned();
    let server = Server::start(&clock, move |seen| match seen.nth {
        0 if seen.path == "/" => answer(429, &headers, if seen.method == "HEAD" { "" } else { "slow down" }),
        _ => page(if seen.method == "HEAD" { "" } else { "<p>x" }),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    let job = spawn(&fetcher, server.url("/"), wants);
    server.until_seen(1).await;
    clock.until_asleep(pause).await;
    let state = fetcher.host_state("127.0.0.1");
    assert_eq!((state.paused_for, state.slow_downs, state.concurrency), (Some(pause), 1, 2));
    clock.advance(pause);
    let outcome = job.await.expect("a job");
    assert_eq!(outcome.paused_host, Some(pause));
    (server, clock, outcome)
}

#[tokio::test]
async fn a_short_retry_after_is_waited_for_and_asked_once_more() {
    let three = Duration::from_secs(3);
    for (headers, pause) in [
        ("Retry-After: 3\r\n", three),
        ("Retry-After: Sun, 06 Nov 1994 08:49:40 GMT\r\n", three),
        ("Retry-After: -5\r\n", ONE),
        ("Retry-After: 1m30s\r\n", ONE),
    ] {
        for want in [Want::Page, Want::Status] {
            let (server, _, outcome) = limited(headers, want, pause).await;
            assert_eq!(status(&outcome), 200, "{headers}");
            assert_eq!(
                outcome.attempts.iter().map(|attempt| attempt.status).collect::<Vec<_>>(),
                [Some(429), Some(200)]
            );
            let seen = server.seen();
            assert_eq!(seen[0].method, seen[1].method, "a throttled HEAD is asked again as HEAD");
            assert!(seen[1].at - seen[0].at >= pause);
        }
    }
}

#[tokio::test]
async fn a_429_is_asked_again_once_only() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| answer(429, "Retry-After: 3\r\n", "")).await;
    let fetcher = fetcher(&clock, |_| {});
    for (n, want) in [(1, Want::Page), (2, Want::Status)] {
        let job = spawn(&fetcher, server.url(&format!("/{n}")), want);
        clock.pass(Duration::from_secs(3)).await;
        assert_eq!(status(&job.await.expect("a job")), 429);
        assert_eq!(server.seen().len(), n * 2);
        clock.advance(Duration::from_secs(3));
    }
}

#[tokio::test]
async fn a_429_that_says_nothing_stands() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| answer(429, "", "")).await;
    let fetcher = fetcher(&clock, |_| {});
    let outcome = fetcher.fetch(&server.url("/"), Want::Page).await;
    assert_eq!((status(&outcome), outcome.paused_host, server.seen().len()), (429, Some(ONE), 1));
    assert_eq!(fetcher.host_state("127.0.0.1").paused_for, Some(ONE));
}

#[tokio::test]
async fn a_whole_day_is_not_waited_for() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/day" => answer(429, "Retry-After: 86400\r\n", ""),
        _ => page(""),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    let cap = Duration::from_secs(120);
    let outcome = fetcher.fetch(&server.url("/day"), Want::Status).await;
    assert_eq!((status(&outcome), outcome.paused_host), (429, Some(cap)));
    assert_eq!(server.lines(), ["HEAD /day"], "neither asked again nor confirmed by GET");
    let next = spawn(&fetcher, server.url("/next"), Want::Page);
    clock.until_asleep(cap).await;
    settle().await;
    assert_eq!(server.seen().len(), 1, "the host is left alone as long as the cap");
    clock.advance(cap);
    assert_eq!(status(&next.await.expect("a job")), 200);
    // A host that goes on asking for a day does not hold the job up again and again.
    let outcome = fetcher.fetch(&server.url("/day"), Want::Status).await;
    assert_eq!((status(&outcome), outcome.paused_host), (429, Some(ONE)));
}

#[tokio::test]
async fn a_503_with_retry_after_slows_down_and_stands() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| answer(503, "Retry-After: 7\r\n", "")).await;
    let fetcher = fetcher(&clock, |_| {});
    let outcome = fetcher.fetch(&server.url("/"), Want::Page).await;
    assert_eq!((status(&outcome), outcome.paused_host), (503, Some(Duration::from_secs(7))));
    assert_eq!(fetcher.host_state("127.0.0.1").concurrency, 2);
    clock.advance(Duration::from_secs(7));
    let plain = Server::start(&clock, |_| answer(503, "", "")).await;
    let outcome = fetcher.fetch(&plain.named("http", "other.test", "/"), Want::Page).await;
    assert_eq!((status(&outcome), outcome.paused_host), (503, None));
    assert_eq!(fetcher.host_state("other.test").slow_downs, 0);
}

#[tokio::test]
async fn requests_that_were_under_way_together_slow_down_once() {
    let clock = HandClock::new();
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |seen| match seen.nth {
        0 => [vec![Act::Wait(Arc::clone(&held))], answer(429, "Retry-After: 5\r\n", "")].concat(),
        _ => page("<p>x"),
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.pace.concurrency = 8);
    let jobs: Vec<_> = (0..8).map(|n| spawn(&fetcher, server.url(&format!("/{n}")), Want::Page)).collect();
    server.until_seen(8).await;
    gate.add_permits(8);
    clock.until_asleep(Duration::from_secs(5)).await;
    settle().await;
    let state = fetcher.host_state("127.0.0.1");
    assert_eq!((state.concurrency, state.slow_downs), (4, 1));
    clock.advance(Duration::from_secs(5));
    for job in jobs {
        assert_eq!(status(&job.await.expect("a job")), 200);
    }
    let later: Vec<_> = server.seen().into_iter().skip(8).map(|seen| seen.in_flight).collect();
    assert!(later.iter().all(|open| *open <= 4), "the slots that were in use are taken away too: {later:?}");
}

#[tokio::test]
async fn a_wait_that_is_given_up_leaves_no_trace() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    let fetcher = fetcher(&clock, |plan| {
        plan.pace.concurrency = 1;
        plan.pace.delay = HALF;
    });
    assert_eq!(status(&fetcher.fetch(&server.url("/"), Want::Page).await), 200);
    let waiting = spawn(&fetcher, server.url("/never"), Want::Page);
    clock.until_asleep(HALF + Duration::from_millis(5)).await;
    waiting.abort();
    let _ = waiting.await;
    clock.advance(ONE);
    assert_eq!(status(&fetcher.fetch(&server.url("/after"), Want::Page).await), 200);
    assert_eq!(server.lines(), ["GET /", "GET /after"]);
}
