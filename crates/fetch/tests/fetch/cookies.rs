//! Cookies: what is sent back, to whom, and where a redirect to itself ends.

use crate::clock::HandClock;
use crate::server::{Seen, Server, answer, page};
use crate::{fetcher, plan, seams};
use gossamer_fetch::{Fetcher, Want};
use model::plan::CookieRule;
use model::{Credential, Plan, Secret};
use std::time::Duration;

fn with(clock: &HandClock, rule: CookieRule) -> Fetcher {
    fetcher(clock, |plan| plan.http.cookies = rule)
}

/// The Cookie header of each request.
fn sent(server: &Server) -> Vec<String> {
    server.seen().iter().map(cookie).collect()
}

fn cookie(seen: &Seen) -> String {
    let lines = seen.head.lines().filter_map(|line| line.split_once(": "));
    lines.filter(|(name, _)| name.eq_ignore_ascii_case("cookie")).map(|(_, value)| value.to_owned()).collect()
}

/// A page behind a gate: without the cookie it sets one and leads to itself.
async fn gate(clock: &HandClock) -> Server {
    Server::start(clock, |seen| {
        if cookie(seen).contains("pass=1") {
            page("<p>in")
        } else {
            answer(302, "Location: /gate\r\nSet-Cookie: pass=1; Path=/; HttpOnly\r\nSet-Cookie: b=2\r\n", "")
        }
    })
    .await
}

#[tokio::test]
async fn a_redirect_to_itself_is_asked_again_with_the_cookie_it_set() {
    let clock = HandClock::new();
    for (rule, expect) in [(CookieRule::Session, 200), (CookieRule::Shared, 200), (CookieRule::Off, 302)] {
        let server = gate(&clock).await;
        let fetcher = with(&clock, rule);
        let outcome = fetcher.fetch(&server.url("/gate"), Want::Page).await;
        let statuses: Vec<Option<u16>> = outcome.attempts.iter().map(|attempt| attempt.status).collect();
        let answer = outcome.result.expect("an answer");
        assert_eq!((answer.status, answer.cookie_loop), (expect, false), "{rule}");
        match rule {
            CookieRule::Off => {
                assert_eq!(sent(&server), [""]);
                assert_eq!(statuses, [Some(302)]);
            }
            _ => {
                assert_eq!(sent(&server), ["", "pass=1; b=2"]);
                assert_eq!(statuses, [Some(302), Some(200)], "each try is an attempt");
            }
        }
    }
}

#[tokio::test]
async fn a_loop_is_called_so_once_url_and_cookies_repeat() {
    let clock = HandClock::new();
    // The same cookie again and again, and one that grows without end.
    for (grows, most) in [(false, 2), (true, 11)] {
        let server = Server::start(&clock, move |seen| {
            let value = if grows { seen.nth } else { 0 };
            answer(302, &format!("Location: ?#x\r\nSet-Cookie: a={value}\r\n"), "")
        })
        .await;
        let fetcher = with(&clock, CookieRule::Session);
        let outcome = fetcher.fetch(&server.url("/?"), Want::Page).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!((answer.status, answer.cookie_loop), (302, true));
        assert_eq!(server.seen().len(), most, "grows: {grows}");
    }
}

#[tokio::test]
async fn a_session_ends_with_the_url_and_a_shared_jar_does_not() {
    let clock = HandClock::new();
    for (rule, expect) in [
        (CookieRule::Session, ["", "", ""]),
        (CookieRule::Shared, ["", "sid=7; theme=dark", "theme=dark"]),
        (CookieRule::Off, ["", "", ""]),
    ] {
        let server = Server::start(&clock, |_| {
            answer(
                200,
                "Content-Type: text/html\r\nSet-Cookie: sid=7; Path=/a\r\nSet-Cookie: theme=dark\r\n",
                "<p>",
            )
        })
        .await;
        let fetcher = with(&clock, rule);
        for path in ["/a", "/a/b", "/"] {
            fetcher.fetch(&server.url(path), Want::Page).await.result.expect("an answer");
        }
        assert_eq!(sent(&server), expect, "{rule}");
    }
}

#[tokio::test]
async fn shared_cookies_end_by_the_clock_and_go_to_no_other_host() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/set" => answer(200, "Set-Cookie: short=1; Max-Age=60\r\nSet-Cookie: long=1\r\n", ""),
        "/evil" => answer(200, "Set-Cookie: a=1; Domain=test\r\nSet-Cookie: b=1; Domain=other.test\r\n", ""),
        _ => page("<p>"),
    })
    .await;
    let fetcher = with(&clock, CookieRule::Shared);
    let ask = |host: &'static str, path: &'static str| {
        let (fetcher, address) = (fetcher.clone(), server.named("http", host, path));
        async move { fetcher.fetch(&address, Want::Page).await.result.expect("an answer") }
    };
    ask("one.test", "/set").await;
    ask("one.test", "/a").await;
    ask("two.test", "/a").await;
    clock.advance(Duration::from_secs(61));
    ask("one.test", "/b").await;
    ask("evil.test", "/evil").await;
    ask("other.test", "/a").await;
    assert_eq!(sent(&server), ["", "short=1; long=1", "", "long=1", "", ""]);
}

#[tokio::test]
async fn cookies_to_start_with_go_to_their_origin_alone() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/renew" => answer(302, "Location: /renew\r\nSet-Cookie: sid=new\r\n", ""),
        _ => page("<p>"),
    })
    .await;
    for rule in [CookieRule::Off, CookieRule::Session] {
        let before = server.seen().len();
        let given = Secret {
            origin: server.named("http", "one.test", "/").origin(),
            credential: Credential::Cookies("sid=old; lang=de".to_owned()),
        };
        let mut plan: Plan = plan();
        plan.http.cookies = rule;
        plan.secrets = vec![given];
        let fetcher = Fetcher::new(&plan, seams(&clock)).expect("a fetcher");
        for (host, path) in [("one.test", "/"), ("two.test", "/"), ("one.test", "/renew")] {
            fetcher.fetch(&server.named("http", host, path), Want::Page).await.result.expect("an answer");
        }
        fetcher.robots(&server.named("http", "two.test", "/").origin()).await;
        let sent = &sent(&server)[before..];
        match rule {
            CookieRule::Off => assert_eq!(sent, ["sid=old; lang=de", "", "sid=old; lang=de", ""]),
            _ => assert_eq!(
                sent,
                ["sid=old; lang=de", "", "sid=old; lang=de", "sid=new; lang=de", ""],
                "what the server sets replaces what was given"
            ),
        }
    }
}

#[tokio::test]
async fn a_chain_is_followed_as_one_visitor() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/a" if cookie(seen).contains("seen=1") => page("<p>"),
        "/a" => answer(302, "Location: /b\r\n", ""),
        "/b" => answer(302, "Location: /a\r\nSet-Cookie: seen=1; Path=/\r\n", ""),
        "/x" => answer(302, "Location: /y\r\nSet-Cookie: n=1\r\n", ""),
        "/y" => answer(302, "Location: /x\r\n", ""),
        path => {
            let n: u32 = path[1..].parse().unwrap_or_default();
            answer(302, &format!("Location: /{}\r\n", n + 1), "")
        }
    })
    .await;
    let fetcher = with(&clock, CookieRule::Session);
    let check = async |path: &str, hops: usize, status: Option<u16>, loops: bool| {
        let followed =
            fetcher.follow_with_cookies(&server.url(path), 10, Want::Status, async |_: &_| true).await;
        let end = followed.end.result.as_ref().ok().map(|answer| answer.status);
        assert_eq!((followed.hops.len(), end, followed.loops), (hops, status, loops), "{path}");
        assert!(followed.end.attempts.len() >= hops, "{path}");
    };
    check("/a", 2, Some(200), false).await;
    check("/x", 2, Some(302), true).await;
    check("/0", 11, None, false).await;
}
