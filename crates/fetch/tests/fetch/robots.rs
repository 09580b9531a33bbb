//! robots.txt: redirects followed, a bounded part read.

use crate::clock::HandClock;
use crate::server::{Act, Server, answer};
use crate::{HALF, ONE, fetcher, spawn, status};
use gossamer_fetch::RobotsReading;
use model::FailureKind;

const RULES: &str = "User-agent: *\nDisallow: /secret/\n";

#[tokio::test]
async fn statuses_mean_what_the_standard_says() {
    for (code, reading) in [
        (200, RobotsReading::Rules),
        (204, RobotsReading::Rules),
        (304, RobotsReading::NoRules),
        (401, RobotsReading::NoRules),
        (403, RobotsReading::NoRules),
        (404, RobotsReading::NoRules),
        (410, RobotsReading::NoRules),
        (429, RobotsReading::Unknown),
        (500, RobotsReading::Unknown),
        (503, RobotsReading::Unknown),
    ] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |_| {
            answer(code, "Content-Type: text/html\r\n", if code == 204 || code == 304 { "" } else { RULES })
        })
        .await;
        let told = fetcher(&clock, |_| {}).robots(&format!("http://{}", server.at)).await;
        assert_eq!((told.reading(), told.result.as_ref().ok()), (reading, Some(&code)));
        assert_eq!(told.bytes == RULES.as_bytes(), code == 200, "{code}");
        assert_eq!(server.lines(), ["GET /robots.txt"]);
    }
}

#[tokio::test]
async fn five_hops_are_followed_to_other_hosts_too() {
    let clock = HandClock::new();
    let other = Server::start(&clock, |seen| match seen.path.as_str() {
        "/r/5" => answer(200, "", RULES),
        path => {
            let next = path.trim_start_matches("/r/").parse::<u32>().map_or(1, |n| n + 1);
            answer(302, &format!("Location: /r/{next}\r\n"), "")
        }
    })
    .await;
    let to = format!("Location: http://a.test:{}/r/2\r\n", other.at.port());
    let server = Server::start(&clock, move |seen| match seen.path.as_str() {
        "/robots.txt" => answer(301, "Location: /r/1\r\n", ""),
        _ => answer(308, &to, ""),
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    let told = fetcher.robots(&format!("http://{}", server.at)).await;
    assert_eq!((told.reading(), told.bytes.as_slice()), (RobotsReading::Rules, RULES.as_bytes()));
    assert_eq!((told.hops.len(), told.attempts.len()), (5, 6));
    assert_eq!(told.hops[0].url, server.url("/robots.txt"));
    assert_eq!(told.final_url.map(|url| url.path_and_query().to_owned()).as_deref(), Some("/r/5"));
    let told = fetcher.robots(&format!("http://{}", other.at)).await;
    assert_eq!((told.hops.len(), told.reading()), (5, RobotsReading::Rules));
}

#[tokio::test]
async fn a_sixth_hop_means_no_rules() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| answer(302, "Location: /robots.txt\r\n", "")).await;
    let fetcher = fetcher(&clock, |_| {});
    let told = fetcher.robots(&format!("http://{}", server.at)).await;
    assert_eq!(told.reading(), RobotsReading::NoRules);
    assert_eq!(told.result.map_err(|failure| failure.kind), Err(FailureKind::TooManyRedirects));
    assert_eq!(server.seen().len(), 6);
    let nowhere = Server::start(&clock, |_| answer(302, "Location: mailto:a@example.com\r\n", "")).await;
    let told = fetcher.robots(&format!("http://{}", nowhere.at)).await;
    assert_eq!((told.reading(), told.hops.len()), (RobotsReading::NoRules, 0));
}

#[tokio::test]
async fn a_large_file_is_cut() {
    for (length, too_large) in [(511_999, false), (512_000, false), (512_001, true), (3_000_000, true)] {
        let clock = HandClock::new();
        let server = Server::start(&clock, move |_| answer(200, "", "#".repeat(length))).await;
        let told = fetcher(&clock, |_| {}).robots(&format!("http://{}", server.at)).await;
        assert_eq!((told.too_large, told.bytes.len()), (too_large, length.min(512_001)));
    }
}

#[tokio::test]
async fn no_answer_is_unknown() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| vec![Act::Reset]).await;
    let fetcher = fetcher(&clock, |_| {});
    let job = tokio::spawn({
        let (fetcher, origin) = (fetcher.clone(), format!("http://{}", server.at));
        async move { fetcher.robots(&origin).await }
    });
    clock.pass(HALF).await;
    clock.pass(ONE).await;
    let told = job.await.expect("a job");
    assert_eq!((told.reading(), told.attempts.len()), (RobotsReading::Unknown, 3));
    let told = fetcher.robots("not an origin").await;
    assert_eq!(told.result.map_err(|failure| failure.kind), Err(FailureKind::InvalidUrl));
}

#[tokio::test]
async fn robots_and_pages_share_the_gate() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| answer(200, "", RULES)).await;
    let fetcher = fetcher(&clock, |plan| plan.pace.delay = ONE);
    fetcher.robots(&format!("http://{}", server.at)).await;
    let page = spawn(&fetcher, server.url("/"), gossamer_fetch::Want::Page);
    clock.pass(ONE + std::time::Duration::from_millis(5)).await;
    assert_eq!(status(&page.await.expect("a job")), 200);
    assert!(server.seen()[1].at >= ONE);
}
