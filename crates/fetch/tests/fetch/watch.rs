//! One address under the policy of a Watch, measured from the server's side: one test for each rule that says how the
//! server is treated.

use crate::clock::HandClock;
use crate::server::{Act, HTML, Seen, Server, answer, page, raw};
use crate::{AGENT, Names, plan_of, seams, settle};
use gossamer_fetch::{BoxFuture, Dial, Ended, Known, Resolve, Single, SingleOutcome};
use model::{Address, FailureKind, Job, Validators};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// The names of these tests, public by what the resolver says, and all of them one server.
#[derive(Debug)]
pub(crate) struct Public(pub(crate) SocketAddr);

impl Dial for Public {
    fn dial(&self, _: SocketAddr) -> SocketAddr {
        self.0
    }
}

impl Resolve for Public {
    fn resolve(&self, _: &str) -> BoxFuture<io::Result<Vec<IpAddr>>> {
        Box::pin(async { Ok(vec![Ipv4Addr::new(1, 1, 1, 1).into()]) })
    }
}

pub(crate) const PAGE: &str = "http://a.example/page";

fn watch(clock: &HandClock, server: &Server) -> Single {
    let mut plan = plan_of(Job::Watch);
    plan.agent.header = AGENT.to_owned();
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

fn no_rules() -> Vec<Act> {
    answer(404, "", "")
}

/// A server with this robots.txt, where every other path is a small page.
async fn site(clock: &HandClock, robots: &'static str) -> Server {
    Server::start(clock, move |seen| match seen.path.as_str() {
        "/robots.txt" => answer(200, "Content-Type: text/plain\r\n", robots),
        _ => page("<p>x"),
    })
    .await
}

/// `host path` of every request, in order.
pub(crate) fn asked(server: &Server) -> Vec<String> {
    server.seen().iter().map(|seen| format!("{} {}", host(seen), seen.path)).collect()
}

pub(crate) fn host(seen: &Seen) -> String {
    header(seen, "host").unwrap_or_default()
}

pub(crate) fn header(seen: &Seen, name: &str) -> Option<String> {
    seen.head.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

fn status(outcome: &SingleOutcome) -> u16 {
    match &outcome.ended {
        Ended::Answered(answer) => answer.status,
        other => panic!("no answer: {other:?}"),
    }
}

fn failure(outcome: &SingleOutcome) -> FailureKind {
    match &outcome.ended {
        Ended::Failed(failure) => failure.kind,
        other => panic!("no failure: {other:?}"),
    }
}

#[tokio::test]
async fn scope_is_one_address_and_robots_txt_comes_first() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/robots.txt" => answer(
            200,
            "",
            "User-agent: *\nCrawl-delay: 100\nAllow: /\nSitemap: http://a.example/sitemap.xml\n",
        ),
        _ => answer(
            200,
            &format!("{HTML}Link: </style.css>; rel=preload; as=style\r\n"),
            "<link rel=stylesheet href=/s.css><script src=/j.js></script><img src=/i.png><a href=/next>x</a>",
        ),
    })
    .await;
    let outcome = watch(&clock, &server).read(&at(PAGE), None).await;
    assert_eq!(status(&outcome), 200);
    // Neither what the page links to, nor sitemaps, nor probes; and a Crawl-delay between the two is not waited for.
    assert_eq!(asked(&server), ["a.example /robots.txt", "a.example /page"]);
    assert_eq!((outcome.attempts.len(), clock.passed()), (2, Duration::ZERO));
}

#[tokio::test]
async fn methods_are_get_and_every_request_says_who_asks() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/page" => answer(301, "Location: http://b.example/there\r\n", ""),
        _ => page("<p>x"),
    })
    .await;
    watch(&clock, &server).read(&at(PAGE), None).await;
    assert_eq!(server.seen().len(), 4);
    for seen in server.seen() {
        assert_eq!((seen.method.as_str(), header(&seen, "user-agent").as_deref()), ("GET", Some(AGENT)));
    }
}

#[tokio::test]
async fn content_is_html_and_nothing_else_is_downloaded() {
    for (kind, expect) in [
        ("text/html", true),
        ("application/xhtml+xml", true),
        ("application/pdf", false),
        ("image/png", false),
        ("application/rss+xml", false),
        ("application/json", false),
        ("text/plain", false),
    ] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| match seen.path.as_str() {
            "/robots.txt" => no_rules(),
            _ => answer(200, &format!("Content-Type: {kind}\r\n"), "<html>".repeat(10_000)),
        })
        .await;
        let outcome = watch(&clock, &server).read(&at(PAGE), None).await;
        let answer = outcome.ended.answer().expect("an answer");
        assert_eq!(
            (answer.body_read, answer.body.len()),
            (expect, if expect { 60_000 } else { 0 }),
            "{kind}"
        );
        assert_eq!(answer.transferred > 0, expect, "{kind}");
    }
}

#[tokio::test]
async fn no_cookie_is_kept_or_sent() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/robots.txt" => answer(404, "Set-Cookie: r=1; Path=/\r\n", ""),
        _ => answer(302, "Set-Cookie: visited=1; Path=/\r\nLocation: /page\r\n", ""),
    })
    .await;
    let single = watch(&clock, &server);
    let outcome = single.read(&at(PAGE), None).await;
    assert_eq!(failure(&outcome), FailureKind::TooManyRedirects);
    single.read(&at(PAGE), None).await;
    assert!(server.seen().iter().all(|seen| header(seen, "cookie").is_none()));
}

#[tokio::test]
async fn robots_txt_of_every_origin_on_the_way_is_read_before_it_is_asked() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match (host(seen).as_str(), seen.path.as_str()) {
        (_, "/robots.txt") => answer(200, "", "User-agent: *\nDisallow: /no\n"),
        ("a.example", _) => answer(302, "Location: http://b.example/hop\r\n", ""),
        ("b.example", "/hop") => answer(302, "Location: http://b.example/again\r\n", ""),
        ("b.example", _) => answer(302, "Location: http://c.example/no\r\n", ""),
        _ => page("<p>x"),
    })
    .await;
    let outcome = watch(&clock, &server).read(&at(PAGE), None).await;
    assert_eq!(
        asked(&server),
        [
            "a.example /robots.txt",
            "a.example /page",
            "b.example /robots.txt",
            "b.example /hop",
            "b.example /again",
            "c.example /robots.txt",
        ],
        "and the address that the last one forbids is not asked"
    );
    assert!(matches!(&outcome.ended, Ended::Disallowed { origin, line }
        if origin == "http://c.example" && line.as_ref().is_some_and(|line| line.number == 2)));
    let looked: Vec<_> =
        outcome.robots.iter().map(|looked| (looked.origin.as_str(), looked.remembered)).collect();
    assert_eq!(
        looked,
        [
            ("http://a.example", false),
            ("http://b.example", false),
            ("http://b.example", true),
            ("http://c.example", false)
        ]
    );
}

#[tokio::test]
async fn a_good_robots_txt_is_kept_fifteen_minutes() {
    for code in [200, 404] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| match seen.path.as_str() {
            "/robots.txt" => answer(code, "", ""),
            _ => page("<p>x"),
        })
        .await;
        let single = watch(&clock, &server);
        let reads = async |count: usize| {
            single.read(&at(PAGE), None).await;
            let robots = server.seen().iter().filter(|seen| seen.path == "/robots.txt").count();
            assert_eq!(robots, count, "{code}, {:?}", clock.passed());
        };
        reads(1).await;
        clock.advance(Duration::from_secs(15 * 60 - 1));
        reads(1).await;
        clock.advance(Duration::from_secs(1));
        reads(2).await;
        // Another scheme or port is another origin.
        single.read(&at("http://a.example:443/page"), None).await;
        reads(3).await;
    }
}

#[tokio::test]
async fn a_robots_txt_that_cannot_be_read_keeps_the_page_unasked_and_is_asked_again() {
    let busy: [(&str, Vec<Act>); 6] = [
        ("500", answer(500, "", "")),
        ("503", answer(503, "Retry-After: 100\r\n", "")),
        ("429", answer(429, "Retry-After: 100\r\n", "")),
        ("a reset", vec![Act::Reset]),
        ("no HTTP", vec![raw("what is this\r\n\r\n"), Act::Close]),
        ("an end", vec![Act::Close]),
    ];
    for (name, acts) in busy {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| match (seen.path.as_str(), seen.nth) {
            ("/robots.txt", 0) => acts.clone(),
            ("/robots.txt", _) => no_rules(),
            _ => page("<p>x"),
        })
        .await;
        let single = watch(&clock, &server);
        let outcome = single.read(&at(PAGE), None).await;
        assert!(matches!(outcome.ended, Ended::RobotsUnread { .. }), "{name}: {:?}", outcome.ended);
        assert!(
            outcome.ended.message().is_some_and(|text| text.contains("robots.txt") && text.ends_with('.'))
        );
        assert_eq!(asked(&server), ["a.example /robots.txt"], "{name}: asked once");
        // It is asked again at the next capture, at once.
        let outcome = single.read(&at(PAGE), None).await;
        assert_eq!((status(&outcome), clock.passed()), (200, Duration::ZERO), "{name}");
        assert_eq!(server.seen().len(), 3, "{name}");
    }
}

#[tokio::test]
async fn a_robots_txt_that_gives_no_answer_uses_up_the_time() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| vec![Act::Hang]).await;
    let job = spawn(&watch(&clock, &server), PAGE);
    server.until_seen(1).await;
    settle().await;
    clock.advance(Duration::from_secs(20));
    let outcome = job.await.expect("a job");
    assert!(matches!(&outcome.ended, Ended::RobotsUnread { result: Err(failure), .. }
        if failure.kind == FailureKind::Timeout));
    assert_eq!(asked(&server), ["a.example /robots.txt"]);
}

#[tokio::test]
async fn a_missing_robots_txt_means_no_rules() {
    for code in [400, 401, 403, 404, 410, 451] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| match seen.path.as_str() {
            "/robots.txt" => answer(code, "", "User-agent: *\nDisallow: /\n"),
            _ => page("<p>x"),
        })
        .await;
        let outcome = watch(&clock, &server).read(&at(PAGE), None).await;
        assert_eq!(status(&outcome), 200, "{code}");
    }
}

#[tokio::test]
async fn the_redirects_of_a_robots_txt_have_the_same_cap() {
    for (hops, expect) in [(3, false), (4, true)] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| {
            let next = |n: u32| answer(301, &format!("Location: http://b.example/r/{n}\r\n"), "");
            match seen.path.as_str() {
                "/robots.txt" => next(1),
                "/page" => page("<p>x"),
                path => match path.trim_start_matches("/r/").parse::<u32>() {
                    Ok(n) if n < hops => next(n + 1),
                    _ => answer(200, "", "User-agent: *\nDisallow: /\n"),
                },
            }
        })
        .await;
        let outcome = watch(&clock, &server).read(&at(PAGE), None).await;
        // Beyond the cap there are no rules.
        assert_eq!(matches!(outcome.ended, Ended::Answered(_)), expect, "{hops} redirects");
        let robots = &outcome.robots[0];
        let too_many =
            robots.result.as_ref().is_err_and(|failure| failure.kind == FailureKind::TooManyRedirects);
        assert_eq!(too_many, expect, "and it is said: {robots:?}");
    }
}

#[tokio::test]
async fn our_own_group_is_followed_and_that_of_everybody_else_only_without_one() {
    for (robots, allowed) in [
        ("User-agent: *\nDisallow: /\n", false),
        ("User-agent: *\nDisallow: /\n\nUser-agent: GossamerBot\nDisallow: /other\n", true),
        ("User-agent: *\nAllow: /\n\nUser-agent: gossamerbot\nDisallow: /page\n", false),
        ("User-agent: OtherBot\nDisallow: /\n", true),
        ("User-agent: *\nDisallow: /page$\nAllow: /pag\n", false),
        ("", true),
        ("<!doctype html><p>Disallow: /</p>", true),
    ] {
        let clock = HandClock::new();
        let server = site(&clock, robots).await;
        let outcome = watch(&clock, &server).read(&at(PAGE), None).await;
        assert_eq!(matches!(outcome.ended, Ended::Answered(_)), allowed, "{robots:?}");
        assert_eq!(server.seen().len(), 1 + usize::from(allowed), "{robots:?}");
    }
}

#[tokio::test]
async fn a_refusal_is_told_in_words_and_nothing_is_requested() {
    let clock = HandClock::new();
    let server = site(&clock, "User-agent: *\nDisallow: /\n").await;
    let single = watch(&clock, &server);
    for _ in 0..2 {
        let outcome = single.read(&at(PAGE), None).await;
        assert_eq!(
            outcome.ended.message().as_deref(),
            Some("This address cannot be checked because some sites ask not to be read automatically.")
        );
    }
    assert_eq!(asked(&server), ["a.example /robots.txt"]);
}

#[tokio::test]
async fn three_redirects_are_followed_and_no_fourth() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.trim_start_matches('/').parse::<u32>() {
        Ok(0) => page("<p>x"),
        Ok(n) => answer(307, &format!("Location: /{}\r\n", n - 1), ""),
        Err(_) => no_rules(),
    })
    .await;
    let single = watch(&clock, &server);
    let outcome = single.read(&at("http://a.example/3"), None).await;
    assert_eq!((status(&outcome), outcome.hops.len()), (200, 3));
    assert_eq!(outcome.final_url.as_str(), "http://a.example/0");
    let before = server.seen().len();
    let outcome = single.read(&at("http://a.example/4"), None).await;
    assert_eq!(failure(&outcome), FailureKind::TooManyRedirects);
    assert_eq!(server.seen().len() - before, 4);
    assert!(asked(&server).iter().filter(|line| line.ends_with("/0")).count() == 1);
}

#[tokio::test]
async fn one_at_a_time() {
    let clock = HandClock::new();
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |seen| match seen.path.as_str() {
        "/robots.txt" => no_rules(),
        _ => std::iter::once(Act::Wait(Arc::clone(&held))).chain(page("<p>x")).collect(),
    })
    .await;
    let single = watch(&clock, &server);
    let jobs: Vec<_> = ["a", "b", "c"]
        .map(|name| spawn(&single, &format!("http://{name}.example/page")))
        .into_iter()
        .collect();
    for count in [2, 4, 6] {
        server.until_seen(count).await;
        settle().await;
        assert_eq!(server.seen().len(), count, "the next one waits");
        // Waiting for one another is no fault of the server's: each has its own twenty seconds.
        clock.advance(Duration::from_secs(15));
        gate.add_permits(1);
    }
    for job in jobs {
        assert_eq!(status(&job.await.expect("a job")), 200);
    }
    assert_eq!(server.max_in_flight(), 1);
}

#[tokio::test]
async fn twenty_seconds_are_all_there_is_hops_included() {
    let clock = HandClock::new();
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let held = Arc::clone(&gate);
    let server = Server::start(&clock, move |seen| {
        let wait = Act::Wait(Arc::clone(&held));
        let then = match seen.path.as_str() {
            "/robots.txt" => no_rules(),
            "/page" => answer(302, "Location: /second\r\n", ""),
            _ => page("<p>x"),
        };
        std::iter::once(wait).chain(then).collect()
    })
    .await;
    let job = spawn(&watch(&clock, &server), PAGE);
    for count in 1..=2 {
        server.until_seen(count).await;
        settle().await;
        clock.advance(Duration::from_secs(8));
        gate.add_permits(1);
    }
    server.until_seen(3).await;
    settle().await;
    clock.advance(Duration::from_millis(3_900));
    settle().await;
    assert!(!job.is_finished());
    clock.advance(Duration::from_millis(100));
    let outcome = job.await.expect("a job");
    assert_eq!((failure(&outcome), clock.passed()), (FailureKind::Timeout, Duration::from_secs(20)));
    assert_eq!(outcome.attempts.len(), 3);
}

#[tokio::test]
async fn five_megabytes_are_read_and_the_rest_is_cut() {
    for (length, truncated) in [(5_000_000, false), (5_000_001, true)] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| match seen.path.as_str() {
            "/robots.txt" => no_rules(),
            _ => page(vec![b'x'; length]),
        })
        .await;
        let outcome = watch(&clock, &server).read(&at(PAGE), None).await;
        let answer = outcome.ended.answer().expect("an answer");
        assert_eq!((answer.body.len(), answer.truncated), (5_000_000, truncated));
    }
}

#[tokio::test]
async fn nothing_is_tried_again() {
    let trouble: [(&str, Vec<Act>); 6] = [
        ("a reset", vec![Act::Reset]),
        ("an end", vec![Act::Close]),
        ("500", answer(500, "", "")),
        ("503", answer(503, "Retry-After: 1\r\n", "")),
        ("429", answer(429, "Retry-After: 1\r\n", "")),
        ("429 without a time", answer(429, "", "")),
    ];
    for (name, acts) in trouble {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |seen| match seen.path.as_str() {
            "/robots.txt" => no_rules(),
            _ => acts.clone(),
        })
        .await;
        let single = watch(&clock, &server);
        for count in [2, 3, 4, 5] {
            let outcome = single.read(&at(PAGE), None).await;
            assert_eq!((server.seen().len(), clock.passed()), (count, Duration::ZERO), "{name}: {outcome:?}");
        }
    }
    // Nor is a host given up: each capture is a request of its own.
    let clock = HandClock::new();
    let mut seams = seams(&clock);
    seams.resolver = Arc::new(Names(HashMap::new()));
    let single = Single::new(&plan_of(Job::Watch), seams).expect("a fetcher");
    for _ in 0..20 {
        let outcome = single.read(&at("http://nowhere.invalid/"), None).await;
        assert!(matches!(outcome.ended, Ended::RobotsUnread { result: Err(failure), .. }
            if failure.kind == FailureKind::Dns && !failure.detail.contains("not looked up again")));
    }
}

#[tokio::test]
async fn no_request_is_conditional() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/robots.txt" => no_rules(),
        _ => answer(200, &format!("{HTML}ETag: \"x\"\r\n"), "<p>x"),
    })
    .await;
    let known = Known {
        address: at(PAGE),
        validators: Validators { etag: Some(b"\"x\"".as_slice().into()), last_modified: None },
    };
    let outcome = watch(&clock, &server).read(&at(PAGE), Some(&known)).await;
    assert_eq!(status(&outcome), 200);
    for seen in server.seen() {
        assert_eq!((header(&seen, "if-none-match"), header(&seen, "if-modified-since")), (None, None));
    }
}
