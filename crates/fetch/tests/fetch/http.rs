//! What HTTP itself has in store: statuses without content, answers before the answer, other protocols, HTTP/2's ends.

use crate::clock::HandClock;
use crate::server::{Act, HTML, Server, answer, page, raw};
use crate::tls::{acceptor, leaf, params, root, trusting};
use crate::{HALF, fetcher, plan, seams, spawn, status};
use bytes::Bytes;
use gossamer_fetch::{Fetcher, Roots, Want};
use model::plan::VersionRule;
use model::{Address, FailureKind};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;

#[tokio::test]
async fn statuses_mean_what_the_specification_says() {
    let clock = HandClock::new();
    // The bytes after the head; what is read of them; whether the connection serves the next request.
    let cases: &[(&str, u16, &[u8])] = &[
        ("HTTP/1.1 204 No Content\r\nContent-Type: text/html\r\n\r\n", 204, b""),
        ("HTTP/1.1 205 Reset Content\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n", 205, b""),
        (
            "HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\nContent-Range: bytes 0-3/9\r\nContent-Length: 4\r\n\r\n<p>x",
            206,
            b"<p>x",
        ),
        ("HTTP/1.1 226 IM Used\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x", 226, b"<p>x"),
        ("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n", 304, b""),
        (
            "HTTP/1.1 300 Multiple Choices\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x",
            300,
            b"<p>x",
        ),
        ("HTTP/1.1 301 Moved\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x", 301, b""),
        (
            "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x",
            200,
            b"<p>x",
        ),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x",
            200,
            b"<p>x",
        ),
        ("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x", 200, b"<p>x"),
        ("HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n", 999, b""),
    ];
    for (bytes, expect, body) in cases {
        let server = Server::start(&clock, move |_| vec![raw(bytes)]).await;
        let fetcher = fetcher(&clock, |plan| plan.fetch.retries.clear());
        for _ in 0..2 {
            let outcome = fetcher.fetch(&server.url("/"), Want::Page).await;
            assert_eq!(outcome.attempts.len(), 1, "{bytes}");
            let answer = outcome.result.unwrap_or_else(|failure| panic!("{bytes}: {failure:?}"));
            assert_eq!((answer.status, answer.body.as_slice()), (*expect, *body), "{bytes}");
            assert!(!answer.incomplete && !answer.truncated, "{bytes}");
        }
    }
}

#[tokio::test]
async fn what_speaks_no_http_is_told_so_at_once() {
    let clock = HandClock::new();
    for bytes in [
        "<html>an answer of HTTP/0.9</html>\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "220 mail.example.com ESMTP\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/3.7 200 OK\r\n\r\n",
        "\0\0\0\0\0\0\0\0\r\n\r\n",
    ] {
        // It then says nothing and keeps the connection, so that only the bytes can end the request.
        let server = Server::start(&clock, move |_| vec![raw(bytes), Act::Hang]).await;
        let fetcher = fetcher(&clock, |plan| plan.fetch.retries.clear());
        let outcome = fetcher.fetch(&server.url("/"), Want::Page).await;
        let failure = outcome.result.expect_err("a failure");
        assert_eq!(failure.kind, FailureKind::Protocol, "{bytes:?}: {failure:?}");
        assert_eq!(outcome.attempts.len(), 1, "{bytes:?}: asking again does not help");
    }
}

#[tokio::test]
async fn own_headers_are_sent_to_everybody() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>")).await;
    let fetcher = fetcher(&clock, |plan| {
        plan.http.headers =
            vec![("x-audit".to_owned(), "1".to_owned()), ("accept".to_owned(), "text/html".to_owned())];
        plan.http.accept_language = "de-CH, de;q=0.9".to_owned();
    });
    fetcher.fetch(&server.url("/"), Want::Page).await.result.expect("an answer");
    fetcher.robots(&server.url("/").origin()).await;
    for seen in server.seen() {
        let head = seen.head.to_ascii_lowercase();
        for line in ["x-audit: 1\r\n", "accept: text/html\r\n", "accept-language: de-ch, de;q=0.9\r\n"] {
            assert_eq!(head.matches(line).count(), 1, "{line} in {head}");
        }
        assert_eq!(head.matches("\r\naccept: ").count(), 1, "{head}");
    }
}

/// How an HTTP/2 server ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// GOAWAY after the first request of each of the first so many connections, which is left unanswered.
    Goes(usize),
    /// Every stream is refused.
    Refuses,
    /// A GOAWAY with an error.
    Breaks,
}

/// An HTTP/2 server; counts connections.
async fn server(tls: tokio_rustls::TlsAcceptor, end: End) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (tls, nth) = (tls.clone(), counted.fetch_add(1, Ordering::SeqCst));
            tokio::spawn(async move {
                let stream = tls.accept(stream).await.ok()?;
                let mut connection = h2::server::handshake(stream).await.ok()?;
                while let Some(Ok((_, mut respond))) = connection.accept().await {
                    match end {
                        End::Goes(most) if nth < most => {
                            respond.send_reset(h2::Reason::REFUSED_STREAM);
                            connection.graceful_shutdown();
                            continue;
                        }
                        End::Refuses => {
                            respond.send_reset(h2::Reason::REFUSED_STREAM);
                            continue;
                        }
                        End::Breaks => {
                            connection.abrupt_shutdown(h2::Reason::ENHANCE_YOUR_CALM);
                            continue;
                        }
                        End::Goes(_) => {}
                    }
                    let response =
                        http::Response::builder().header("content-type", "text/html").body(()).ok()?;
                    let mut body = respond.send_response(response, false).ok()?;
                    body.send_data(Bytes::from_static(b"<p>x"), true).ok()?;
                }
                Some(())
            });
        }
    });
    (port, connections)
}

#[tokio::test]
async fn http2_that_goes_away_is_asked_again() {
    let root = root("Test root");
    for (end, expect) in [(End::Goes(1), Some(200)), (End::Refuses, None), (End::Breaks, None)] {
        let clock = HandClock::new();
        let (leaf, key) = leaf(&params("two.test", &["two.test"]), Some(&root));
        let (port, connections) = server(acceptor(vec![leaf], key, "h2"), end).await;
        let fetcher = trusting(&clock, &root);
        let address = Address::parse(&format!("https://two.test:{port}/")).expect("an address");
        let job = spawn(&fetcher, address, Want::Page);
        clock.pass(HALF).await;
        let outcome = job.await.expect("a job");
        let failures: Vec<Option<FailureKind>> =
            outcome.attempts.iter().map(|attempt| attempt.failure).collect();
        match expect {
            Some(expect) => {
                assert_eq!(status(&outcome), expect);
                assert_eq!(failures, [Some(FailureKind::Reset), None]);
                assert_eq!(connections.load(Ordering::SeqCst), 2, "the old connection is not used again");
            }
            None => {
                assert_eq!(outcome.result.expect_err("a failure").kind, FailureKind::Reset);
                // The retry, and where that came over a connection that stood, one more in the place of a stale one.
                assert!(matches!(failures.len(), 2 | 3), "{failures:?}");
                assert!(failures.iter().all(|failure| *failure == Some(FailureKind::Reset)), "{failures:?}");
            }
        }
    }
}

#[tokio::test]
async fn alpn_decides_unless_the_person_did() {
    let root = root("Test root");
    for (rule, offered, expect) in [
        (VersionRule::Auto, "h2", Some("HTTP/2")),
        (VersionRule::Auto, "http/1.1", Some("HTTP/1.1")),
        (VersionRule::Http1, "http/1.1", Some("HTTP/1.1")),
        (VersionRule::Http1, "h2", None),
    ] {
        let clock = HandClock::new();
        let (leaf, key) = leaf(&params("two.test", &["two.test"]), Some(&root));
        let tls = acceptor(vec![leaf], key, offered);
        let (port, _one) = if offered == "h2" {
            (server(tls, End::Goes(0)).await.0, None)
        } else {
            let one = Server::start_with(&clock, Some(tls), |_| answer(200, HTML, "<p>x")).await;
            (one.at.port(), Some(one))
        };
        let mut plan = plan();
        plan.http.version = rule;
        plan.fetch.retries.clear();
        let mut seams = seams(&clock);
        seams.roots = Roots::Only(vec![root.der().to_vec()]);
        let fetcher = Fetcher::new(&plan, seams).expect("a fetcher");
        let address = Address::parse(&format!("https://two.test:{port}/")).expect("an address");
        match (fetcher.fetch(&address, Want::Page).await.result, expect) {
            (Ok(answer), Some(version)) => assert_eq!((answer.version, answer.status), (version, 200)),
            (Err(failure), None) => assert_eq!(failure.kind, FailureKind::Tls, "{failure:?}"),
            (result, expect) => panic!("{rule} {offered}: {result:?} instead of {expect:?}"),
        }
    }
}
