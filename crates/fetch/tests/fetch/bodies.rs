//! What is read of a body, and how much.

use crate::clock::HandClock;
use crate::server::{Act, HTML, Server, answer, page, raw};
use crate::{TIMEOUT, fetcher, settle, spawn};
use flate2::write::GzEncoder;
use gossamer_fetch::Want;
use model::{Answer, Outcome};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("gzip")
}

/// The answer to a GET of a page that the server sends as these bytes.
async fn read(acts: Vec<Act>) -> Answer {
    read_with(acts, |_| {}).await
}

async fn read_with(acts: Vec<Act>, change: impl FnOnce(&mut model::Plan)) -> Answer {
    let clock = HandClock::new();
    let server = Server::start(&clock, move |_| acts.clone()).await;
    let outcome = fetcher(&clock, change).fetch(&server.url("/"), Want::Page).await;
    outcome.result.expect("an answer")
}

fn chunked(rest: &str) -> Vec<Act> {
    vec![raw(format!("HTTP/1.1 200 OK\r\n{HTML}Transfer-Encoding: chunked\r\n\r\n{rest}")), Act::Close]
}

#[tokio::test]
async fn codings_are_undone_and_both_sizes_kept() {
    let plain = "<p>paragraph</p>\n".repeat(500);
    let mut br = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut br, 4096, 5, 22);
    writer.write_all(plain.as_bytes()).expect("br");
    drop(writer);
    let zstd = zstd::encode_all(plain.as_bytes(), 3).expect("zstd");
    for (coding, coded) in [
        ("gzip", gzip(plain.as_bytes())),
        ("br", br),
        ("zstd", zstd),
        ("identity", plain.clone().into_bytes()),
    ] {
        let answer = read(answer(200, &format!("{HTML}Content-Encoding: {coding}\r\n"), &coded)).await;
        assert!(answer.body == plain.as_bytes(), "{coding}");
        assert_eq!((answer.transferred, answer.body_read), (coded.len() as u64, true), "{coding}");
        assert_eq!(
            (answer.truncated, answer.incomplete, answer.decode_error),
            (false, false, None),
            "{coding}"
        );
    }
}

#[tokio::test]
async fn only_html_is_read() {
    for (headers, body, expect) in [
        (HTML, "<p>x", true),
        ("Content-Type: application/xhtml+xml\r\n", "<html/>", true),
        ("Content-Type: TEXT/HTML\r\n", "<p>x", true),
        ("Content-Type: image/png\r\n", "<p>x", false),
        ("Content-Type: application/json\r\n", "{}", false),
        ("", "  <!DOCTYPE html><p>x", true),
        ("Content-Type:\r\n", "<html><p>x", true),
        ("", "{\"a\":1}", false),
        ("", "", false),
    ] {
        let answer = read(answer(200, headers, body)).await;
        assert_eq!((answer.body_read, !answer.body.is_empty()), (expect, expect), "{headers:?} {body:?}");
    }
    let error = read(answer(404, HTML, "<p>not here")).await;
    assert_eq!((error.status, error.body.as_slice()), (404, b"<p>not here".as_slice()));
}

#[tokio::test]
async fn an_endless_untyped_download_is_left_early() {
    let clock = HandClock::new();
    let server =
        Server::start(&clock, |_| vec![raw("HTTP/1.1 200 OK\r\n\r\n"), raw(vec![0; 20_000]), Act::Hang])
            .await;
    let outcome = fetcher(&clock, |_| {}).fetch(&server.url("/"), Want::Page).await;
    let answer = outcome.result.expect("an answer");
    assert!(!answer.body_read && answer.body.is_empty() && answer.transferred <= 20_000);
}

#[tokio::test]
async fn the_cap_counts_decoded_bytes() {
    // Not compressible beyond the ratio.
    let plain: Vec<u8> =
        (0..300_000_u32).flat_map(|n| format!("{} ", n.wrapping_mul(2_654_435_761)).into_bytes()).collect();
    for (headers, body) in
        [(HTML.to_owned(), plain.clone()), (format!("{HTML}Content-Encoding: gzip\r\n"), gzip(&plain))]
    {
        let answer = read_with(answer(200, &headers, &body), |plan| plan.fetch.body_cap = 1_000_000).await;
        assert_eq!((answer.body.len(), answer.truncated, answer.incomplete), (1_000_000, true, false));
        assert!(answer.body == plain[..1_000_000]);
    }
    let exact = read_with(answer(200, HTML, &plain[..1000]), |plan| plan.fetch.body_cap = 1000).await;
    assert_eq!((exact.body.len(), exact.truncated), (1000, false));
    let unannounced = vec![
        raw(format!("HTTP/1.1 200 OK\r\n{HTML}Transfer-Encoding: chunked\r\n\r\n3e8\r\n")),
        raw(&plain[..1000]),
        raw("\r\n0\r\n\r\n"),
    ];
    let exact = read_with(unannounced, |plan| plan.fetch.body_cap = 1000).await;
    assert_eq!((exact.body.len(), exact.truncated, exact.incomplete), (1000, false, false));
    let coded = answer(200, &format!("{HTML}Content-Encoding: gzip\r\n"), gzip(&plain[..1000]));
    let exact = read_with(coded, |plan| plan.fetch.body_cap = 1000).await;
    assert_eq!((exact.body.len(), exact.truncated, exact.incomplete), (1000, false, false));
    let endless = vec![raw(format!("HTTP/1.1 200 OK\r\n{HTML}\r\n")), raw(vec![b'x'; 500_000]), Act::Hang];
    let answer = read_with(endless, |plan| plan.fetch.body_cap = 100_000).await;
    assert_eq!((answer.body.len(), answer.truncated, answer.cut_reason), (100_000, true, None));
}

#[tokio::test]
async fn a_bomb_stops_at_the_ratio() {
    let bomb = gzip(&vec![b' '; 64 << 20]);
    let once = answer(200, &format!("{HTML}Content-Encoding: gzip\r\n"), &bomb);
    let packed = read_with(once, |plan| plan.fetch.body_cap = 1 << 30).await;
    assert!(packed.truncated && packed.decode_error.is_none());
    let reason = "The body decompressed to more than 100 times its size; the rest was not read.";
    assert_eq!(packed.cut_reason, Some(reason));
    assert!(packed.body.len() > 1 << 20 && packed.body.len() < 4 << 20, "{} bytes", packed.body.len());
    // Packed twice it does not pass either.
    let twice = gzip(&bomb);
    let twice = answer(200, &format!("{HTML}Content-Encoding: gzip, gzip\r\n"), &twice);
    let packed = read_with(twice, |plan| plan.fetch.body_cap = 1 << 30).await;
    assert!(packed.truncated && packed.body.len() < 4 << 20);
    assert_eq!(packed.cut_reason, Some(reason));
    // A page of a megabyte that compresses well is no bomb.
    let calm = vec![b' '; 1 << 20];
    let page = read(answer(200, &format!("{HTML}Content-Encoding: gzip\r\n"), gzip(&calm))).await;
    assert!(!page.truncated && page.body == calm);
    assert_eq!(page.cut_reason, None);
}

#[tokio::test]
async fn broken_bodies_keep_what_came() {
    let cases: Vec<(&str, Vec<Act>, &str, bool)> = vec![
        (
            "well formed, with extension and trailer",
            chunked("4;name=value\r\n<p>x\r\n000\r\nX-Sum: 1\r\n\r\n"),
            "<p>x",
            false,
        ),
        ("no last chunk", chunked("4\r\n<p>x\r\n"), "<p>x", true),
        ("bad size", chunked("4\r\n<p>x\r\nzz\r\n<p>rest</p>\r\n0\r\n\r\n"), "<p>x", true),
        ("cut in a chunk", chunked("9\r\n<p>x"), "<p>x", true),
        (
            "announced longer",
            vec![raw(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 20000\r\n\r\n<p>x")), Act::Close],
            "<p>x",
            true,
        ),
        (
            "announced shorter",
            vec![raw(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 4\r\n\r\n<p>xyz")), Act::Close],
            "<p>x",
            false,
        ),
        (
            "ends with the connection",
            vec![raw(format!("HTTP/1.0 200 OK\r\n{HTML}\r\n<p>x")), Act::Close],
            "<p>x",
            false,
        ),
        (
            "no headers at all",
            vec![raw("HTTP/1.0 200 OK\r\n\r\n<p>x y</p>"), Act::Close],
            "<p>x y</p>",
            false,
        ),
    ];
    for (name, acts, body, incomplete) in cases {
        let answer = read(acts).await;
        assert_eq!(String::from_utf8_lossy(&answer.body), body, "{name}");
        assert_eq!((answer.incomplete, answer.decode_error), (incomplete, None), "{name}");
    }
    let plain = "<p>paragraph</p>\n".repeat(20_000);
    let coded = gzip(plain.as_bytes());
    let headers = format!("{HTML}Content-Encoding: gzip\r\n");
    let cut = read(answer(200, &headers, &coded[..coded.len() / 2])).await;
    assert!(cut.incomplete && !cut.body.is_empty() && plain.as_bytes().starts_with(&cut.body));
    let plain_page = read(answer(200, &headers, "<p>not packed at all")).await;
    assert_eq!(plain_page.body, b"<p>not packed at all");
    assert!(plain_page.decode_error.is_some_and(|text| text.contains("gzip")));
}

#[tokio::test]
async fn a_reset_in_the_middle_keeps_what_came() {
    let clock = HandClock::new();
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |_| {
        vec![
            raw(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 20000\r\n\r\n<p>half")),
            Act::Wait(Arc::clone(&held)),
            Act::Reset,
        ]
    })
    .await;
    let job = spawn(&fetcher(&clock, |_| {}), server.url("/"), Want::Page);
    server.until_seen(1).await;
    settle().await;
    gate.add_permits(1);
    let outcome = job.await.expect("a job");
    assert_eq!(server.seen().len(), 1, "what came is kept, and not asked for again");
    let answer = outcome.result.expect("an answer");
    assert_eq!((answer.incomplete, answer.body.as_slice()), (true, b"<p>half".as_slice()));
}

#[tokio::test]
async fn statuses_without_content_end_at_the_headers() {
    for code in [204, 205, 304] {
        let clock = HandClock::new();
        let server =
            Server::start(&clock, move |_| vec![raw(format!("HTTP/1.1 {code} X\r\n{HTML}\r\n"))]).await;
        let outcome = fetcher(&clock, |_| {}).fetch(&server.url("/"), Want::Page).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!((answer.status, answer.body_read), (code, false));
    }
    let partial = read(answer(206, HTML, "<p>part")).await;
    assert_eq!((partial.status, partial.body.as_slice()), (206, b"<p>part".as_slice()));
}

#[tokio::test]
async fn informational_answers_are_skipped() {
    for (before, status) in [
        ("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n", 200),
        ("HTTP/1.1 100 Continue\r\n\r\n", 200),
        ("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n", 404),
    ] {
        let answer =
            read(vec![raw(format!("{before}HTTP/1.1 {status} X\r\n{HTML}Content-Length: 4\r\n\r\n<p>x"))])
                .await;
        assert_eq!(
            (answer.status, answer.body.as_slice(), answer.header("link")),
            (status, b"<p>x".as_slice(), None)
        );
    }
}

#[tokio::test]
async fn odd_headers_are_kept() {
    let mut bytes =
        b"HTTP/1.1 200 Fine\r\nContent-Type: text/html\r\nX-Latin: caf\xe9\r\nLocation: /\xc3\xa9\r\n"
            .to_vec();
    bytes.extend_from_slice(
        b"Set-Cookie: a=1\r\nX-Empty:\r\nSet-Cookie: b=2\r\nBroken line\r\nX Space: 1\r\nX-After : 2\r\n",
    );
    bytes.extend_from_slice(b"Content-Length: 4\r\n\r\n<p>x");
    let answer = read(vec![raw(bytes)]).await;
    assert_eq!(answer.header("x-latin"), Some("caf\u{fffd}"));
    assert_eq!(answer.header("location"), Some("/é"));
    assert_eq!((answer.header("x-empty"), answer.header("x-after")), (Some(""), Some("2")));
    let cookies: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| &**name == "set-cookie")
        .map(|(_, value)| &**value)
        .collect();
    assert_eq!(cookies, ["a=1", "b=2"]);
    let many: String = (0..200).map(|n| format!("X-{n}: 1\r\n")).collect();
    let answer = read(crate::server::answer(200, &format!("{HTML}{many}"), "<p>x")).await;
    assert!(answer.headers.len() > 200);
}

#[tokio::test]
async fn what_is_sent_and_measured() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    let fetcher = fetcher(&clock, |_| {});
    let address = model::Address::parse(&format!("http://us%65r:p%40ss@{}/a%2fb?c=%zz|d", server.at))
        .expect("an address");
    let outcome: Outcome = fetcher.fetch(&address, Want::Page).await;
    let answer = outcome.result.expect("an answer");
    let sent = server.seen()[0].head.to_ascii_lowercase();
    assert!(sent.starts_with("get /a%2fb?c=%zz|d http/1.1\r\n"), "as written: {sent}");
    for line in [
        "user-agent: gossamerbot/0.0 (test)\r\n",
        "accept-encoding: gzip, deflate, br, zstd\r\n",
        &format!("host: {}\r\n", server.at),
    ] {
        assert!(sent.contains(line), "{line} in {sent}");
    }
    // A password is sent only to whoever asks for it.
    assert!(!sent.contains("authorization") && !sent.contains("cookie") && !sent.contains("referer"));
    assert_eq!((answer.remote, answer.version), (Some(server.at), "HTTP/1.1"));
    assert!(answer.timing.connect.is_some() && answer.timing.dns.is_none());
    let again = fetcher.fetch(&server.url("/"), Want::Page).await.result.expect("an answer");
    assert_eq!(again.timing.connect, None, "the connection was used again");
}

#[tokio::test]
async fn the_budget_bounds_what_is_held_and_nobody_starves() {
    let clock = HandClock::new();
    let body = "x".repeat(200_000);
    let server = Server::start(&clock, move |_| page(&body)).await;
    let fetcher = fetcher(&clock, |plan| {
        plan.fetch.inflight_budget = 300_000;
        plan.pace.concurrency = 8;
    });
    let jobs: Vec<_> = (0..24)
        .map(|n| {
            let (fetcher, address) = (fetcher.clone(), server.url(&format!("/{n}")));
            // Each answer is given back as soon as it was looked at.
            tokio::spawn(async move {
                let answer = fetcher.fetch(&address, Want::Page).await.result.expect("an answer");
                (answer.body.len(), answer.incomplete, answer.budget.is_some())
            })
        })
        .collect();
    for job in jobs {
        assert_eq!(job.await.expect("a job"), (200_000, false, true));
    }
    // Answers that are kept hold their bytes: within the limit, and one body more, the fetcher goes on; then it waits
    // until one of them is given back.
    let mut kept = Vec::new();
    for n in 0..2 {
        kept.push(fetcher.fetch(&server.url(&format!("/kept{n}")), Want::Page).await);
    }
    let next = spawn(&fetcher, server.url("/next"), Want::Page);
    settle().await;
    assert!(!next.is_finished());
    kept.pop();
    assert!(next.await.expect("a job").result.is_ok());
}

#[tokio::test]
async fn waiting_for_memory_is_not_the_servers_fault() {
    let clock = HandClock::new();
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |seen| {
        let start = raw(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 200000\r\n\r\n"));
        match seen.path.as_str() {
            "/elder" => {
                vec![start, raw("x".repeat(100_000)), Act::Wait(Arc::clone(&held)), raw("x".repeat(100_000))]
            }
            _ => vec![start, raw("x".repeat(200_000))],
        }
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.fetch.inflight_budget = 10);
    let elder = spawn(&fetcher, server.url("/elder"), Want::Page);
    server.until_seen(1).await;
    settle().await;
    clock.advance(Duration::from_secs(15));
    let younger = spawn(&fetcher, server.url("/younger"), Want::Page);
    server.until_seen(2).await;
    settle().await;
    // The younger one has waited for fifteen of its twenty seconds when the elder runs into its own limit.
    clock.advance(TIMEOUT - Duration::from_secs(15));
    let timed_out = server.seen().len();
    settle().await;
    assert!(timed_out >= 2);
    gate.add_permits(10);
    clock.advance(Duration::from_millis(500));
    clock.advance(Duration::from_secs(14));
    let younger = younger.await.expect("a job").result.expect("the younger one is read");
    assert_eq!(younger.body.len(), 200_000);
    elder.abort();
}
