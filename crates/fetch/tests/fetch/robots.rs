//! robots.txt and sitemaps: redirects followed, a bounded part read.

use crate::clock::HandClock;
use crate::server::{Act, Server, answer, raw};
use crate::{HALF, ONE, fetcher, spawn, status};
use flate2::write::GzEncoder;
use gossamer_fetch::RobotsReading;
use model::FailureKind;
use std::io::Write;

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
        assert_eq!((told.too_large, told.bytes.len()), (too_large, length.min(512_000)));
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
async fn sitemaps_are_read_whatever_their_type() {
    let xml = "<urlset><url><loc>http://a.example/</loc></url></urlset>".repeat(10);
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(xml.as_bytes()).expect("gzip");
    let packed = encoder.finish().expect("gzip");
    let (plain, file) = (xml.clone(), packed.clone());
    let clock = HandClock::new();
    let server = Server::start(&clock, move |seen| match seen.path.as_str() {
        "/sitemap.xml" => answer(301, "Location: /real.xml\r\n", ""),
        "/real.xml" => answer(200, "Content-Type: application/xml\r\n", &plain),
        "/file.gz" => answer(200, "Content-Type: application/gzip\r\n", &file),
        "/coded" => answer(200, "Content-Encoding: gzip\r\nContent-Type: text/plain\r\n", &file),
        "/loop" => answer(302, "Location: /loop\r\n", ""),
        _ => vec![raw("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")],
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.fetch.sitemap_cap = 10_000);
    for (path, expect, requests) in
        [("/sitemap.xml", xml.as_bytes(), 2), ("/file.gz", &packed, 1), ("/coded", xml.as_bytes(), 1)]
    {
        let outcome = fetcher.sitemap(&server.url(path)).await;
        assert_eq!(outcome.attempts.len(), requests);
        let answer = outcome.result.expect("an answer");
        assert!(answer.body == expect && answer.body_read, "{path}");
    }
    let missing = fetcher.sitemap(&server.url("/missing")).await;
    assert_eq!((status(&missing), missing.result.is_ok_and(|answer| answer.body_read)), (404, false));
    let before = server.seen().len();
    let endless = fetcher.sitemap(&server.url("/loop")).await;
    assert_eq!(endless.result.map_err(|failure| failure.kind).err(), Some(FailureKind::TooManyRedirects));
    assert_eq!(server.seen().len() - before, 11, "the first and ten hops");
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
