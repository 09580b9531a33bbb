//! HEAD and what decides where it fails.

use crate::clock::HandClock;
use crate::server::{Act, HTML, Seen, Server, answer, head_answer, page, raw};
use crate::{HALF, ONE, TIMEOUT, fetcher, spawn, status};
use gossamer_fetch::Want;
use model::outcome::Method;

/// A server whose HEAD does `head` and whose GET is a page.
async fn refusing(clock: &HandClock, head: impl Fn() -> Vec<Act> + Send + Sync + 'static) -> Server {
    Server::start(clock, move |seen: &Seen| if seen.method == "HEAD" { head() } else { page("<p>fine") })
        .await
}

#[tokio::test]
async fn every_refusal_is_decided_by_get() {
    let checks: [(&str, fn() -> Vec<Act>, Option<u16>); 9] = [
        ("405", || head_answer(405, "Allow: GET\r\n"), Some(405)),
        ("501", || head_answer(501, "Connection: close\r\n"), Some(501)),
        ("403", || head_answer(403, ""), Some(403)),
        ("404", || head_answer(404, ""), Some(404)),
        ("500", || head_answer(500, ""), Some(500)),
        ("400", || head_answer(400, ""), Some(400)),
        ("a body sent anyway", || answer(404, HTML, "<p>a body where none may be"), Some(404)),
        ("closed", || vec![Act::Close], None),
        ("garbage", || vec![raw("<html>what?</html>\r\n\r\n"), Act::Close], None),
    ];
    for (name, head, head_status) in checks {
        let clock = HandClock::new();
        let server = refusing(&clock, head).await;
        let fetcher = fetcher(&clock, |_| {});
        let job = spawn(&fetcher, server.url("/"), Want::Status);
        if name == "closed" {
            clock.pass(HALF).await;
        }
        let outcome = job.await.expect("a job");
        let answer = outcome.result.as_ref().expect(name);
        assert_eq!((answer.status, answer.method), (200, Method::Get), "{name}");
        assert_eq!((answer.head_status, answer.body_read), (Some(head_status), false), "{name}");
        assert_eq!(server.lines(), ["HEAD /", "GET /"], "{name}");
        assert_eq!(outcome.attempts.len(), 2, "{name}");
    }
}

#[tokio::test]
async fn a_silent_head_costs_one_time_limit() {
    let clock = HandClock::new();
    let server = refusing(&clock, || vec![Act::Hang]).await;
    let fetcher = fetcher(&clock, |_| {});
    let job = spawn(&fetcher, server.url("/"), Want::Status);
    server.until_seen(1).await;
    clock.pass(TIMEOUT).await;
    clock.pass(HALF).await;
    let outcome = job.await.expect("a job");
    assert_eq!(outcome.result.expect("an answer").head_status, Some(None));
    assert_eq!(server.lines(), ["HEAD /", "GET /"]);
}

#[tokio::test]
async fn a_reset_head_counts_as_the_first_try() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| vec![Act::Reset]).await;
    let fetcher = fetcher(&clock, |_| {});
    let job = spawn(&fetcher, server.url("/"), Want::Status);
    clock.pass(HALF).await;
    clock.pass(ONE).await;
    let outcome = job.await.expect("a job");
    assert!(outcome.result.is_err());
    assert_eq!(server.lines(), ["HEAD /", "GET /", "GET /"], "two retries, whatever the method");
}

#[tokio::test]
async fn get_agrees_that_it_is_broken() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.method.as_str() {
        "HEAD" => head_answer(404, HTML),
        _ => answer(404, HTML, "<p>gone"),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    for n in 0..4 {
        let outcome = fetcher.fetch(&server.url(&format!("/{n}")), Want::Status).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!((answer.status, answer.head_status, answer.body_read), (404, Some(Some(404)), false));
    }
    assert_eq!(server.seen().len(), 8, "a HEAD that told the truth is not held against the host");
}

#[tokio::test]
async fn the_habit_of_a_host_is_remembered() {
    let clock = HandClock::new();
    let server = refusing(&clock, || head_answer(405, "")).await;
    let fetcher = fetcher(&clock, |_| {});
    for n in 0..5 {
        let outcome = fetcher.fetch(&server.url(&format!("/{n}")), Want::Status).await;
        let answer = outcome.result.as_ref().expect("an answer");
        assert_eq!((answer.status, answer.head_status.is_some()), (200, n < 3));
    }
    let heads = server.seen().iter().filter(|seen| seen.method == "HEAD").count();
    assert_eq!(heads, 3);
    let outcome = fetcher.fetch(&server.named("http", "other.test", "/"), Want::Status).await;
    assert!(
        outcome.result.expect("an answer").head_status.is_some(),
        "another host is asked with HEAD first"
    );
}

#[tokio::test]
async fn a_good_head_breaks_the_row() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match (seen.method.as_str(), seen.path.as_str()) {
        ("HEAD", "/bad") => head_answer(403, ""),
        ("HEAD", _) => head_answer(200, "Content-Type: image/png\r\n"),
        _ => page("<p>fine"),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    for path in ["/bad", "/bad", "/good", "/bad", "/bad", "/good"] {
        let outcome = fetcher.fetch(&server.url(path), Want::Status).await;
        assert_eq!(outcome.result.expect("an answer").head_status.is_some(), path == "/bad");
    }
    assert_eq!(server.seen().iter().filter(|seen| seen.method == "GET").count(), 4);
}

#[tokio::test]
async fn a_page_behind_a_head_is_read() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match (seen.method.as_str(), seen.path.as_str()) {
        ("HEAD", "/page") => head_answer(200, HTML),
        ("HEAD", "/untyped") => head_answer(200, ""),
        ("HEAD", "/image") => head_answer(200, "Content-Type: image/png\r\n"),
        ("HEAD", "/moved") => head_answer(302, &format!("{HTML}Location: /page\r\n")),
        ("HEAD", _) => head_answer(404, HTML),
        (_, "/missing") => answer(404, HTML, "<p>missing"),
        _ => page("<p>fine"),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    for (path, code, method, read) in [
        ("/page", 200, Method::Get, true),
        ("/untyped", 200, Method::Get, true),
        ("/image", 200, Method::Head, false),
        ("/moved", 302, Method::Head, false),
        ("/refused", 200, Method::Get, true),
        ("/missing", 404, Method::Get, true),
    ] {
        let outcome = fetcher.fetch(&server.url(path), Want::StatusThenPage).await;
        assert_eq!(status(&outcome), code, "{path}");
        let answer = outcome.result.expect("an answer");
        assert_eq!(
            (answer.method, answer.body_read, answer.body.is_empty()),
            (method, read, !read),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_body_after_head_does_not_spoil_the_next_answer() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.method.as_str() {
        "HEAD" => answer(200, "Content-Type: image/png\r\n", vec![b'x'; 30_000]),
        _ => page("<p>fine"),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    for n in 0..10 {
        let outcome = fetcher.fetch(&server.url(&format!("/{n}")), Want::Status).await;
        assert_eq!(status(&outcome), 200, "{:?}", outcome.attempts);
        let outcome = fetcher.fetch(&server.url(&format!("/page{n}")), Want::Page).await;
        assert_eq!(outcome.result.expect("an answer").body, b"<p>fine");
    }
}

#[tokio::test]
async fn a_head_that_is_throttled_without_a_time_is_decided_by_get_after_a_pause() {
    let clock = HandClock::new();
    let server = refusing(&clock, || head_answer(429, "")).await;
    let fetcher = fetcher(&clock, |_| {});
    let job = spawn(&fetcher, server.url("/"), Want::Status);
    clock.pass(ONE).await;
    let outcome = job.await.expect("a job");
    assert_eq!((status(&outcome), outcome.paused_host), (200, Some(ONE)));
    assert_eq!(server.lines(), ["HEAD /", "GET /"]);
    assert!(server.seen()[1].at >= ONE);
}

#[tokio::test]
async fn a_head_that_meets_a_busy_server_is_decided_by_get_after_the_wait() {
    let clock = HandClock::new();
    let server = refusing(&clock, || head_answer(503, "Retry-After: 9\r\n")).await;
    let fetcher = fetcher(&clock, |_| {});
    let job = spawn(&fetcher, server.url("/"), Want::Status);
    clock.pass(std::time::Duration::from_secs(9)).await;
    let outcome = job.await.expect("a job");
    assert_eq!(outcome.result.expect("an answer").head_status, Some(Some(503)));
    assert_eq!(server.lines(), ["HEAD /", "GET /"]);
}
