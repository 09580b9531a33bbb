//! Pages that an earlier crawl holds: asked with what they were known by, and renewed where they did not change.

use crate::clock::HandClock;
use crate::fetcher;
use crate::server::{Act, Seen, Server, answer};
use gossamer_fetch::{Earlier, Want};
use model::{Outcome, Validators};

const BODY: &str = "<title>as it was</title>";

fn earlier() -> Earlier {
    let field = |name: &str, value: &str| (name.into(), value.into());
    Earlier {
        validators: Validators {
            etag: Some(b"W/\"a b\xff\"".as_slice().into()),
            last_modified: Some(b"yesterday".as_slice().into()),
        },
        headers: vec![field("content-type", "text/html"), field("cache-control", "no-cache")],
        size: BODY.len() as u64,
    }
}

/// What came of one request, where the stored body can be had or not.
async fn ask(
    stored: Option<&str>,
    script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
) -> (Outcome, Vec<Seen>) {
    let clock = HandClock::new();
    let server = Server::start(&clock, script).await;
    let fetcher = fetcher(&clock, |_| {});
    let body = stored.map(|text| text.as_bytes().to_vec());
    let outcome =
        fetcher.fetch_unless_known(&server.url("/page"), Want::Page, earlier(), async || body).await;
    (outcome, server.seen())
}

fn is_conditional(seen: &Seen) -> bool {
    let has = |line: &[u8]| seen.bytes.windows(line.len()).any(|window| window.eq_ignore_ascii_case(line));
    let (etag, modified) =
        (has(b"if-none-match: W/\"a b\xff\"\r\n"), has(b"if-modified-since: yesterday\r\n"));
    assert_eq!(etag, modified, "{}", seen.head);
    etag
}

fn statuses(outcome: &Outcome) -> Vec<Option<u16>> {
    outcome.attempts.iter().map(|attempt| attempt.status).collect()
}

#[tokio::test]
async fn what_did_not_change_is_renewed() {
    let (outcome, seen) =
        ask(Some(BODY), |_| answer(304, "Cache-Control: max-age=1\r\nETag: \"new\"\r\nX-New: 1\r\n", ""))
            .await;
    assert_eq!(statuses(&outcome), [Some(304)]);
    assert!(seen.len() == 1 && is_conditional(&seen[0]));
    let answer = outcome.result.expect("an answer");
    assert_eq!((answer.status, answer.body_read, answer.transferred), (200, true, 0));
    assert!(answer.not_modified && answer.body == BODY.as_bytes());
    assert_eq!(answer.header("content-type"), Some("text/html"));
    assert_eq!((answer.header("cache-control"), answer.header("x-new")), (Some("max-age=1"), Some("1")));
    assert_eq!(answer.validators.etag.as_deref(), Some(b"\"new\"".as_slice()));
    assert_eq!(answer.validators.last_modified, earlier().validators.last_modified);
}

#[tokio::test]
async fn what_changed_is_the_new_answer() {
    let (outcome, _) = ask(Some(BODY), |_| answer(200, "Content-Type: text/html\r\n", "<p>new")).await;
    let answer = outcome.result.expect("an answer");
    assert!(!answer.not_modified && answer.body == b"<p>new" && answer.header("cache-control").is_none());
}

#[tokio::test]
async fn without_the_stored_body_or_conditions_the_page_is_asked_anew() {
    let check = async |stored: Option<&str>, status: u16| {
        let (outcome, seen) = ask(stored, move |seen| match seen.nth {
            0 => answer(status, "", ""),
            _ => answer(200, "Content-Type: text/html\r\n", "<p>whole"),
        })
        .await;
        assert_eq!(statuses(&outcome), [Some(status), Some(200)]);
        assert_eq!(seen.iter().map(is_conditional).collect::<Vec<_>>(), [true, false], "{status}");
        let answer = outcome.result.expect("an answer");
        assert!(!answer.not_modified && answer.body == b"<p>whole", "{status}");
    };
    check(None, 304).await;
    check(Some(BODY), 412).await;
}
