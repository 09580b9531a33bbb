//! Sitemaps: handed over while they come, within bounds; redirects followed as far as the caller says.

use crate::clock::HandClock;
use crate::server::{Act, Server, answer, raw};
use crate::{fetcher, status};
use flate2::write::GzEncoder;
use gossamer_fetch::{Fetcher, pieces};
use model::{Address, FailureKind, Outcome};
use std::io::{Read, Write};

/// Asks, and gives what the reader got.
async fn read(
    fetcher: &Fetcher,
    address: &Address,
    may_follow: impl Fn(&Address) -> bool,
) -> (Address, Outcome, Vec<u8>) {
    let (pieces, mut reader) = pieces();
    let reading = tokio::task::spawn_blocking(move || {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).expect("a reader never fails");
        bytes
    });
    let (at, outcome) = fetcher.sitemap(address, &pieces, may_follow).await;
    drop(pieces);
    (at, outcome, reading.await.expect("the reader ends"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("gzip");
    encoder.finish().expect("gzip")
}

#[tokio::test]
async fn sitemaps_are_read_whatever_their_type() {
    let xml = "<urlset><url><loc>http://a.example/</loc></url></urlset>".repeat(10);
    let packed = gzip(xml.as_bytes());
    let (plain, file) = (xml.clone(), packed.clone());
    let clock = HandClock::new();
    let server = Server::start(&clock, move |seen| match seen.path.as_str() {
        "/sitemap.xml" => answer(301, "Location: /real.xml\r\n", "moved"),
        "/real.xml" => answer(200, "Content-Type: application/xml\r\n", &plain),
        "/file.gz" => answer(200, "Content-Type: application/gzip\r\n", &file),
        "/coded" => answer(200, "Content-Encoding: gzip\r\nContent-Type: text/plain\r\n", &file),
        "/loop" => answer(302, "Location: /loop\r\n", ""),
        _ => vec![raw("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno")],
    })
    .await;
    let fetcher = fetcher(&clock, |_| {});
    for (path, expect, at, requests) in [
        ("/sitemap.xml", xml.as_bytes(), "/real.xml", 2),
        ("/file.gz", &packed, "/file.gz", 1),
        ("/coded", xml.as_bytes(), "/coded", 1),
    ] {
        let (found_at, outcome, bytes) = read(&fetcher, &server.url(path), |_| true).await;
        assert_eq!((outcome.attempts.len(), found_at), (requests, server.url(at)));
        let answer = outcome.result.expect("an answer");
        assert!(bytes == expect && answer.body_read && answer.body.is_empty(), "{path}");
        assert_eq!(
            (answer.truncated, answer.incomplete, answer.decode_error),
            (false, false, None),
            "{path}"
        );
    }
    let (_, missing, bytes) = read(&fetcher, &server.url("/missing"), |_| true).await;
    assert_eq!((status(&missing), missing.result.is_ok_and(|answer| answer.body_read)), (404, false));
    assert!(bytes.is_empty());
    let before = server.seen().len();
    let (_, endless, _) = read(&fetcher, &server.url("/loop"), |_| true).await;
    assert_eq!(endless.result.map_err(|failure| failure.kind).err(), Some(FailureKind::TooManyRedirects));
    assert_eq!(server.seen().len() - before, 11, "the first and ten hops");
    let (at, refused, bytes) = read(&fetcher, &server.url("/sitemap.xml"), |_| false).await;
    assert_eq!((status(&refused), at, bytes.len()), (301, server.url("/sitemap.xml"), 0));
    assert_eq!(server.seen().last().map(|seen| seen.path.clone()).as_deref(), Some("/sitemap.xml"));
}

#[tokio::test]
async fn what_came_is_handed_over_however_it_ends() {
    // Not compressible beyond the ratio.
    let plain: Vec<u8> =
        (0..60_000_u32).flat_map(|n| format!("{} ", n.wrapping_mul(2_654_435_761)).into_bytes()).collect();
    let cut = plain[..500_000].to_vec();
    let (whole, packed) = (plain.clone(), gzip(&plain));
    let half = packed[..packed.len() / 2].to_vec();
    let bomb = gzip(&vec![b' '; 20_000_000]);
    let clock = HandClock::new();
    let server = Server::start(&clock, move |seen| match seen.path.as_str() {
        "/whole" => answer(200, "", &whole),
        "/coded" => answer(200, "Content-Encoding: gzip\r\n", &packed),
        "/cut" => vec![raw("HTTP/1.1 200 OK\r\nContent-Length: 600000\r\n\r\n"), raw(&cut), Act::Close],
        "/half" => answer(200, "Content-Encoding: gzip\r\n", &half),
        _ => answer(200, "Content-Encoding: gzip\r\n", &bomb),
    })
    .await;
    let fetcher = fetcher(&clock, |plan| plan.fetch.sitemap_cap = 550_000);
    for (path, expect, truncated, incomplete) in
        [("/whole", 550_000, true, false), ("/coded", 550_000, true, false), ("/cut", 500_000, false, true)]
    {
        let (_, outcome, bytes) = read(&fetcher, &server.url(path), |_| true).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!(
            (answer.truncated, answer.incomplete, bytes.len()),
            (truncated, incomplete, expect),
            "{path}"
        );
        assert!(bytes == plain[..expect], "{path}");
        assert_eq!(outcome.attempts.len(), 1, "{path}: what was handed over is not asked for again");
    }
    let (_, half, bytes) = read(&fetcher, &server.url("/half"), |_| true).await;
    assert!(
        half.result.is_ok_and(|answer| answer.incomplete)
            && plain.starts_with(&bytes)
            && bytes.len() > 100_000
    );
    let (_, bomb, bytes) = read(&fetcher, &server.url("/bomb"), |_| true).await;
    assert!(bomb.result.is_ok_and(|answer| answer.truncated) && bytes.len() == 550_000);
}

#[tokio::test]
async fn a_reader_that_has_seen_enough_ends_the_answer() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| answer(200, "", vec![b'x'; 20 << 20])).await;
    let fetcher = fetcher(&clock, |_| {});
    let (pieces, reader) = pieces();
    drop(reader);
    let (_, outcome) = fetcher.sitemap(&server.url("/"), &pieces, |_| true).await;
    let answer = outcome.result.expect("an answer");
    assert!(answer.transferred < 2 << 20, "{}", answer.transferred);
}
