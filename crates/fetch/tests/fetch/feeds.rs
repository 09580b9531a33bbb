//! One address under the policy of Feeds, measured from the server's side: one test for each rule that says how the
//! server is treated.

use crate::clock::HandClock;
use crate::server::{Act, Server, answer, raw};
use crate::watch::{Public, asked, header, host};
use crate::{AGENT, plan_of, seams, settle};
use gossamer_fetch::{Ended, Known, Single, SingleOutcome};
use model::policy::RobotsObedience;
use model::{Address, FailureKind, Job, Validators};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

const FEED: &str = "http://a.example/feed";
const RSS: &str = "Content-Type: application/rss+xml\r\n";
const BODY: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><item><link>http://a.example/article</link></item></channel></rss>";

fn feeds(clock: &HandClock, server: &Server) -> Single {
    with_robots(clock, server, RobotsObedience::NotRead { also_obey: false })
}

fn with_robots(clock: &HandClock, server: &Server, robots: RobotsObedience) -> Single {
    let mut plan = plan_of(Job::Feeds);
    plan.agent.header = AGENT.to_owned();
    plan.policy.robots = robots;
    let mut seams = seams(clock);
    seams.resolver = Arc::new(Public(server.at));
    seams.dial = Arc::new(Public(server.at));
    Single::new(&plan, seams).expect("a fetcher")
}

fn at(url: &str) -> Address {
    Address::parse(url).expect("an address")
}

fn spawn(single: &Single, url: &str) -> JoinHandle<SingleOutcome> {
    let (single, address) = (single.clone(), at(url));
    tokio::spawn(async move { single.read(&address, None).await })
}

/// What is known after an answer, as it is sent back with the next poll.
fn known(outcome: &SingleOutcome) -> Known {
    let answer = outcome.ended.answer().expect("an answer");
    Known { address: outcome.final_url.clone(), validators: answer.validators.clone() }
}

async fn one(acts: Vec<Act>) -> (SingleOutcome, Server) {
    let clock = HandClock::new();
    let server = Server::start(&clock, move |_| acts.clone()).await;
    let outcome = feeds(&clock, &server).read(&at(FEED), None).await;
    (outcome, server)
}

#[tokio::test]
async fn the_feed_alone_is_asked_and_no_robots_txt() {
    let (outcome, server) = one(answer(200, RSS, BODY)).await;
    assert_eq!(asked(&server), ["a.example /feed"]);
    let seen = &server.seen()[0];
    assert_eq!((seen.method.as_str(), header(seen, "user-agent").as_deref()), ("GET", Some(AGENT)));
    assert!(outcome.robots.is_empty());
    let answer = outcome.ended.answer().expect("an answer");
    assert_eq!((answer.body_read, answer.body.as_slice()), (true, BODY.as_bytes()));
}

#[tokio::test]
async fn validators_go_back_byte_for_byte() {
    let cases: [(&[u8], &[u8]); 6] = [
        (b"\"abc\"", b"Sun, 06 Nov 1994 08:49:37 GMT"),
        (b"W/\"abc\"", b"Sun Nov  6 08:49:37 1994"),
        (b"not quoted, and  two spaces", b"yesterday"),
        (b"\"caf\xe9-\xff\x80\"", b"\xc3\xa9"),
        (b"\"a\"b\"", b"0"),
        (b"\"\xe6\x97\xa5\"", b"Thu, 01 Jan 1970 00:00:00 +0000"),
    ];
    for (etag, modified) in cases {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| {
            let mut bytes = format!(
                "HTTP/1.1 {} X\r\nContent-Length: 0\r\nETag: ",
                if seen.nth == 0 { 200 } else { 304 }
            )
            .into_bytes();
            bytes.extend_from_slice(etag);
            bytes.extend_from_slice(b"\r\nLast-Modified: ");
            bytes.extend_from_slice(modified);
            bytes.extend_from_slice(b"\r\n\r\n");
            if seen.nth > 0 {
                // 304 has no content and no length.
                bytes = b"HTTP/1.1 304 X\r\n\r\n".to_vec();
            }
            vec![raw(bytes)]
        })
        .await;
        let single = feeds(&clock, &server);
        let first = single.read(&at(FEED), None).await;
        for _ in 0..2 {
            let next = single.read(&at(FEED), Some(&known(&first))).await;
            assert!(matches!(next.ended, Ended::NotModified(_)), "{:?}", next.ended);
        }
        let seen = server.seen();
        assert!(
            header(&seen[0], "if-none-match").is_none() && header(&seen[0], "if-modified-since").is_none()
        );
        for seen in &seen[1..] {
            let line = |name: &[u8], value: &[u8]| [name, b": ", value, b"\r\n"].concat();
            for line in [line(b"if-none-match", etag), line(b"if-modified-since", modified)] {
                assert!(
                    seen.bytes.windows(line.len()).any(|window| window.eq_ignore_ascii_case(&line)),
                    "{} in {}",
                    String::from_utf8_lossy(&line),
                    seen.head
                );
            }
        }
    }
}

#[tokio::test]
async fn validators_go_to_the_address_that_gave_them_alone() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match host(seen).as_str() {
        "a.example" => answer(302, "ETag: \"hop\"\r\nLocation: http://b.example/feed\r\n", ""),
        _ => answer(200, &format!("{RSS}ETag: \"b\"\r\n"), BODY),
    })
    .await;
    let single = feeds(&clock, &server);
    let first = single.read(&at(FEED), None).await;
    assert_eq!(first.final_url.as_str(), "http://b.example/feed");
    single.read(&at(FEED), Some(&known(&first))).await;
    let sent: Vec<_> = server.seen().iter().map(|seen| (host(seen), header(seen, "if-none-match"))).collect();
    let expect = |host: &str, value: Option<&str>| (host.to_owned(), value.map(str::to_owned));
    assert_eq!(
        sent,
        [
            expect("a.example", None),
            expect("b.example", None),
            expect("a.example", None),
            expect("b.example", Some("\"b\""))
        ]
    );
}

#[tokio::test]
async fn a_304_that_nobody_asked_for_is_an_answer_like_any_other() {
    let (outcome, _) = one(vec![raw("HTTP/1.1 304 X\r\n\r\n")]).await;
    assert!(matches!(&outcome.ended, Ended::Answered(answer) if answer.status == 304 && !answer.body_read));
    // Validators that are none are not sent.
    let clock = HandClock::new();
    let server =
        Server::start(&clock, |_| answer(200, &format!("{RSS}ETag:\r\nLast-Modified: \r\n"), BODY)).await;
    let single = feeds(&clock, &server);
    let first = single.read(&at(FEED), None).await;
    assert_eq!(known(&first).validators, Validators::default());
    single.read(&at(FEED), Some(&known(&first))).await;
    let second = &server.seen()[1];
    assert!(header(second, "if-none-match").is_none() && header(second, "if-modified-since").is_none());
}

#[tokio::test]
async fn content_is_feeds_and_no_web_page_is_downloaded() {
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"></feed>";
    for (kind, body, expect) in [
        ("application/rss+xml", BODY, true),
        ("application/atom+xml", atom, true),
        ("text/xml; charset=utf-8", BODY, true),
        ("application/feed+json", "{\"version\":\"https://jsonfeed.org/version/1.1\"}", true),
        ("application/json", "{}", true),
        ("text/html", BODY, true),
        ("text/html", "<!-- made by x --><rss version=\"0.91\"></rss>", true),
        ("text/plain", atom, true),
        ("application/octet-stream", BODY, true),
        ("", BODY, true),
        ("text/html", "<!doctype html><html><p>This is the site's home page.</p></html>", false),
        ("application/xml", "<html xmlns=\"http://www.w3.org/1999/xhtml\"></html>", false),
        ("image/png", BODY, false),
        ("video/mp4", BODY, false),
        ("audio/mpeg", BODY, false),
        ("font/woff2", BODY, false),
        ("application/pdf", BODY, false),
    ] {
        let headers = if kind.is_empty() { String::new() } else { format!("Content-Type: {kind}\r\n") };
        let (outcome, _) = one(answer(200, &headers, body)).await;
        let answer = outcome.ended.answer().expect("an answer");
        assert_eq!((answer.body_read, !answer.body.is_empty()), (expect, expect), "{kind} {body}");
    }
    let (outcome, _) = one(answer(404, RSS, BODY)).await;
    assert!(outcome.ended.answer().is_some_and(|answer| !answer.body_read), "an error is no feed");
}

#[tokio::test]
async fn no_cookie_is_kept_or_sent() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/feed" => answer(302, "Set-Cookie: a=1; Path=/\r\nLocation: /there\r\n", ""),
        _ => answer(200, &format!("{RSS}Set-Cookie: b=2; Path=/\r\n"), BODY),
    })
    .await;
    let single = feeds(&clock, &server);
    for _ in 0..2 {
        single.read(&at(FEED), None).await;
    }
    assert_eq!(server.seen().len(), 4);
    assert!(server.seen().iter().all(|seen| header(seen, "cookie").is_none()));
}

#[tokio::test]
async fn the_switch_has_robots_txt_read_and_a_disallow_is_a_refusal() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match (host(seen).as_str(), seen.path.as_str()) {
        ("a.example", "/robots.txt") => answer(200, "", "User-agent: GossamerBot\nDisallow: /feed\n"),
        ("down.example", "/robots.txt") => answer(503, "", ""),
        (_, "/robots.txt") => answer(404, "", ""),
        ("hop.example", _) => answer(301, "Location: http://a.example/feed\r\n", ""),
        _ => answer(200, RSS, BODY),
    })
    .await;
    let single = with_robots(&clock, &server, RobotsObedience::NotRead { also_obey: true });
    let outcome = single.read(&at(FEED), None).await;
    assert!(matches!(outcome.ended, Ended::Disallowed { .. }));
    assert_eq!(
        outcome.ended.message().as_deref(),
        Some("This address cannot be checked because some sites ask not to be read automatically.")
    );
    assert_eq!(asked(&server), ["a.example /robots.txt"]);
    // A good answer is kept, a failure is not fetched over, every hop is held against its own file.
    assert!(matches!(
        single.read(&at("http://hop.example/feed"), None).await.ended,
        Ended::Disallowed { .. }
    ));
    assert!(matches!(
        single.read(&at("http://down.example/feed"), None).await.ended,
        Ended::RobotsUnread { .. }
    ));
    assert!(matches!(single.read(&at("http://b.example/feed"), None).await.ended, Ended::Answered(_)));
    assert_eq!(
        asked(&server),
        [
            "a.example /robots.txt",
            "hop.example /robots.txt",
            "hop.example /feed",
            "down.example /robots.txt",
            "b.example /robots.txt",
            "b.example /feed"
        ]
    );
    clock.advance(Duration::from_secs(15 * 60));
    single.read(&at(FEED), None).await;
    assert_eq!(server.seen().len(), 7, "after a quarter of an hour it is read again");
}

#[tokio::test]
async fn five_redirects_are_followed_and_no_sixth() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.trim_start_matches('/').parse::<u32>() {
        Ok(0) | Err(_) => answer(200, RSS, BODY),
        Ok(n) => answer(302, &format!("Location: /{}\r\n", n - 1), ""),
    })
    .await;
    let single = feeds(&clock, &server);
    let outcome = single.read(&at("http://a.example/5"), None).await;
    assert!(matches!(outcome.ended, Ended::Answered(_)));
    assert_eq!((outcome.hops.len(), server.seen().len()), (5, 6));
    let outcome = single.read(&at("http://a.example/6"), None).await;
    assert!(matches!(outcome.ended, Ended::Failed(failure) if failure.kind == FailureKind::TooManyRedirects));
    assert_eq!(server.seen().len(), 12);
}

#[tokio::test]
async fn one_at_a_time_to_a_host_and_hosts_do_not_wait_for_one_another() {
    let clock = HandClock::new();
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |_| {
        std::iter::once(Act::Wait(Arc::clone(&held))).chain(answer(200, RSS, BODY)).collect()
    })
    .await;
    let single = feeds(&clock, &server);
    let jobs: Vec<_> = ["a.example/1", "a.example/2", "b.example/1", "a.example/3"]
        .map(|place| spawn(&single, &format!("http://{place}")))
        .into_iter()
        .collect();
    server.until_seen(2).await;
    settle().await;
    let mut hosts: Vec<_> = server.seen().iter().map(host).collect();
    hosts.sort();
    assert_eq!(hosts, ["a.example", "b.example"]);
    gate.add_permits(4);
    for job in jobs {
        job.await.expect("a job");
    }
    let seen = server.seen();
    assert_eq!((seen.len(), server.max_in_flight()), (4, 2));
}

#[tokio::test]
async fn a_request_has_ten_seconds_and_each_hop_its_own() {
    let clock = HandClock::new();
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |seen| {
        let then = match seen.path.as_str() {
            "/feed" => answer(302, "Location: /second\r\n", ""),
            _ => answer(200, RSS, BODY),
        };
        std::iter::once(Act::Wait(Arc::clone(&held))).chain(then).collect()
    })
    .await;
    let single = feeds(&clock, &server);
    let slow = spawn(&single, FEED);
    for count in 1..=2 {
        server.until_seen(count).await;
        settle().await;
        clock.advance(Duration::from_secs(9));
        gate.add_permits(1);
    }
    assert!(matches!(slow.await.expect("a job").ended, Ended::Answered(_)));
    let silent = spawn(&single, FEED);
    server.until_seen(3).await;
    settle().await;
    clock.advance(Duration::from_secs(10));
    let outcome = silent.await.expect("a job");
    assert!(matches!(outcome.ended, Ended::Failed(failure) if failure.kind == FailureKind::Timeout));
    assert_eq!((outcome.attempts.len(), server.seen().len()), (1, 3), "and it is not tried again");
}

#[tokio::test]
async fn eight_megabytes_are_read_and_the_rest_is_cut() {
    for (length, truncated) in [(8_000_000, false), (8_000_001, true)] {
        let mut body = BODY.as_bytes().to_vec();
        body.resize(length, b' ');
        let (outcome, _) = one(answer(200, RSS, body)).await;
        let answer = outcome.ended.answer().expect("an answer");
        assert_eq!((answer.body.len(), answer.truncated), (8_000_000, truncated));
    }
}

#[tokio::test]
async fn nothing_is_tried_again_at_once_and_what_the_server_asks_for_is_told() {
    for (acts, wait) in [
        (vec![Act::Reset], None),
        (vec![Act::Close], None),
        (answer(500, "", ""), None),
        (answer(503, "Retry-After: 120\r\n", ""), Some(120)),
        (answer(429, "Retry-After: 86400\r\n", ""), Some(86_400)),
        (answer(429, "Retry-After: Sun, 06 Nov 1994 09:49:37 GMT\r\n", ""), Some(3_600)),
        (answer(429, "Retry-After: soon\r\n", ""), None),
        (answer(200, &format!("{RSS}Retry-After: 60\r\n"), BODY), Some(60)),
    ] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |_| acts.clone()).await;
        let single = feeds(&clock, &server);
        for count in 1..=14 {
            let outcome = single.read(&at(FEED), None).await;
            assert_eq!(outcome.retry_after, wait.map(Duration::from_secs));
            assert_eq!((server.seen().len(), clock.passed()), (count, Duration::ZERO), "{outcome:?}");
        }
    }
}

#[tokio::test]
async fn how_long_an_answer_holds_is_told() {
    for (headers, expect) in [
        ("Cache-Control: max-age=3600\r\n", Some(3_600)),
        ("Cache-Control: public, MAX-AGE=\"60\"\r\n", Some(60)),
        ("Cache-Control: public\r\nCache-Control: s-maxage=5, max-age=7\r\n", Some(7)),
        ("Cache-Control: no-cache, max-age=7\r\n", None),
        ("Cache-Control: max-age=7, no-store\r\n", None),
        ("Cache-Control: max-age=-1\r\n", None),
        ("Cache-Control: max-age=99999999999999999999\r\n", Some(u64::from(u32::MAX))),
        ("Cache-Control: max-age\r\n", None),
        ("", None),
    ] {
        let (outcome, _) = one(answer(200, &format!("{RSS}{headers}"), BODY)).await;
        assert_eq!(outcome.max_age, expect.map(Duration::from_secs), "{headers:?}");
    }
}

#[tokio::test]
async fn a_refusal_of_the_server_is_one() {
    for (code, refused) in
        [(401, true), (403, true), (410, true), (404, false), (451, false), (429, false), (500, false)]
    {
        let (outcome, server) = one(answer(code, "", "")).await;
        assert_eq!(matches!(outcome.ended, Ended::Refused(_)), refused, "{code}");
        assert_eq!(
            outcome.ended.message().is_some_and(|text| text.contains(&code.to_string())),
            refused,
            "{code}"
        );
        assert_eq!(server.seen().len(), 1, "{code}: not again, and under no other name");
    }
}

#[tokio::test]
async fn a_new_address_is_told_where_all_redirects_are_permanent() {
    for (hops, last, expect) in [
        (&[301][..], 200, Some("http://1.example/feed")),
        (&[308, 301], 200, Some("http://2.example/feed")),
        (&[301], 304, None),
        (&[302], 200, None),
        (&[307], 200, None),
        (&[303], 200, None),
        (&[301, 302], 200, None),
        (&[302, 301], 200, None),
        (&[301], 404, None),
        (&[301], 500, None),
        (&[301], 410, None),
        (&[], 200, None),
    ] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| {
            let n = host(seen).trim_end_matches(".example").parse::<usize>().unwrap_or(0);
            match hops.get(n) {
                Some(status) => answer(*status, &format!("Location: http://{}.example/feed\r\n", n + 1), ""),
                None if last == 304 => vec![raw("HTTP/1.1 304 X\r\n\r\n")],
                None => answer(last, RSS, BODY),
            }
        })
        .await;
        let outcome = feeds(&clock, &server).read(&at("http://0.example/feed"), None).await;
        assert_eq!(outcome.moved_to.as_ref().map(Address::as_str), expect, "{hops:?} {last}");
        assert_eq!(outcome.hops.len(), hops.len());
    }
}

#[tokio::test]
async fn any_address_is_asked_but_over_http_alone() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/away" => answer(302, "Location: ftp://a.example/feed\r\n", ""),
        _ => answer(200, RSS, BODY),
    })
    .await;
    let mut plan = plan_of(Job::Feeds);
    plan.agent.header = AGENT.to_owned();
    let single = Single::new(&plan, seams(&clock)).expect("a fetcher");
    // A feed of one's own network, on whatever port.
    let outcome = single.read(&server.url("/feed"), None).await;
    assert!(matches!(outcome.ended, Ended::Answered(answer) if answer.status == 200));
    let outcome = single.read(&server.url("/away"), None).await;
    assert!(matches!(outcome.ended, Ended::Answered(answer) if answer.status == 302));
    assert_eq!(server.seen().len(), 2);
    assert!(Address::parse("ftp://a.example/feed").is_err());
}
