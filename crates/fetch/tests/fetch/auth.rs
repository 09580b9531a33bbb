//! Credentials: what is sent to whom, and that it goes nowhere else.

use crate::clock::HandClock;
use crate::server::{Act, Seen, Server, answer, page};
use crate::{plan, seams};
use gossamer_fetch::{Fetcher, Want};
use model::{Address, Credential, Job, Secret};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn with(clock: &HandClock, secrets: Vec<Secret>) -> Fetcher {
    let mut plan = plan();
    plan.fetch.retries.clear();
    plan.secrets = secrets;
    Fetcher::new(&plan, seams(clock)).expect("a fetcher")
}

fn secret(address: &Address, credential: Credential) -> Secret {
    Secret { origin: address.origin(), credential }
}

fn ada() -> Credential {
    Credential::Password { user: "Mufasa".to_owned(), password: "Circle of Life".to_owned() }
}

fn field(seen: &Seen, name: &str) -> Option<String> {
    let lines = seen.head.lines().filter_map(|line| line.split_once(": "));
    lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
}

fn challenge(fields: &[&str]) -> Vec<Act> {
    let fields: String = fields.iter().map(|field| format!("WWW-Authenticate: {field}\r\n")).collect();
    answer(401, &fields, "")
}

/// The parameters of a Digest header, without quotes.
fn parameters(header: &str) -> std::collections::HashMap<String, String> {
    let list = header.strip_prefix("Digest ").expect("a digest");
    let pairs = list.split(", ").filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect()
}

/// What RFC 7616 §3.4 makes of the parameters, computed apart from the program.
fn expected(
    parameters: &std::collections::HashMap<String, String>,
    method: &str,
    hash: fn(&str) -> String,
) -> String {
    let of = |name: &str| parameters.get(name).map_or("", String::as_str);
    let mut a1 = hash(&format!("{}:{}:{}", of("username"), of("realm"), "Circle of Life"));
    if of("algorithm").ends_with("-sess") {
        a1 = hash(&format!("{a1}:{}:{}", of("nonce"), of("cnonce")));
    }
    let a2 = hash(&format!("{method}:{}", of("uri")));
    hash(&format!("{a1}:{}:{}:{}:{}:{a2}", of("nonce"), of("nc"), of("cnonce"), of("qop")))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn md5(text: &str) -> String {
    use md5::Digest;
    hex(&md5::Md5::digest(text.as_bytes()))
}

fn sha256(text: &str) -> String {
    use sha2::Digest;
    hex(&sha2::Sha256::digest(text.as_bytes()))
}

#[tokio::test]
async fn basic_is_answered_when_it_is_asked_for_and_then_sent_at_once() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match field(seen, "authorization").as_deref() {
        Some("Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl") => page("<p>in"),
        _ => challenge(&["Basic realm=\"staging\", charset=\"UTF-8\""]),
    })
    .await;
    let fetcher = with(&clock, vec![secret(&server.url("/"), ada())]);
    let first = fetcher.fetch(&server.url("/a"), Want::Page).await;
    assert_eq!(first.result.expect("an answer").status, 200);
    assert_eq!(first.attempts.iter().map(|a| a.status).collect::<Vec<_>>(), [Some(401), Some(200)]);
    let second = fetcher.fetch(&server.url("/b"), Want::Status).await;
    assert_eq!((second.result.expect("an answer").status, second.attempts.len()), (200, 1));
    assert_eq!(server.lines(), ["GET /a", "GET /a", "HEAD /b"]);
}

#[tokio::test]
async fn a_wrong_password_is_tried_once() {
    let clock = HandClock::new();
    for fields in [["Basic realm=\"a\""], ["Digest realm=\"a\", nonce=\"n\", qop=\"auth\""]] {
        let server = Server::start(&clock, move |_| challenge(&fields)).await;
        let fetcher = with(&clock, vec![secret(&server.url("/"), ada())]);
        for expect in [2, 1] {
            let outcome = fetcher.fetch(&server.url("/"), Want::Page).await;
            assert_eq!((outcome.result.expect("an answer").status, outcome.attempts.len()), (401, expect));
        }
    }
    let server = Server::start(&clock, |seen| match field(seen, "authorization") {
        Some(_) => page("<p>in"),
        None => challenge(&[]),
    })
    .await;
    let fetcher = with(&clock, vec![secret(&server.url("/"), ada())]);
    let outcome = fetcher.fetch(&server.url("/"), Want::Page).await;
    assert_eq!(outcome.result.expect("an answer").status, 200, "a 401 without a challenge means basic");
    let server = Server::start(&clock, |_| challenge(&["Negotiate", "NTLM"])).await;
    let fetcher = with(&clock, vec![secret(&server.url("/"), ada())]);
    assert_eq!(fetcher.fetch(&server.url("/"), Want::Page).await.attempts.len(), 1, "nothing it knows");
}

#[tokio::test]
async fn digests_are_right() {
    let clock = HandClock::new();
    for (algorithm, hash) in [
        ("", md5 as fn(&str) -> String),
        (", algorithm=MD5", md5),
        (", algorithm=MD5-sess", md5),
        (", algorithm=SHA-256", sha256),
        (", algorithm=SHA-256-sess", sha256),
    ] {
        let server = Server::start(&clock, move |seen| {
            let Some(header) = field(seen, "authorization") else {
                let digest = format!(
                    "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\"{algorithm}, nonce=\"7ypf/xlj9XXwfDPEoM4URrv\", opaque=\"FQhe/qaU925kfnzjCev0ciny\""
                );
                return challenge(&["Basic realm=\"weak\"", &digest]);
            };
            let parameters = parameters(&header);
            let right = expected(&parameters, &seen.method, hash) == parameters["response"]
                && parameters["uri"] == seen.path
                && parameters["opaque"] == "FQhe/qaU925kfnzjCev0ciny"
                && parameters["qop"] == "auth";
            if right { page("<p>in") } else { challenge(&[]) }
        })
        .await;
        let fetcher = with(&clock, vec![secret(&server.url("/"), ada())]);
        for (path, want) in [("/dir/index.html?a=b%20c", Want::Page), ("/other", Want::Status)] {
            let outcome = fetcher.fetch(&server.url(path), want).await;
            assert_eq!(outcome.result.expect("an answer").status, 200, "{algorithm} {path}");
        }
        let counts: Vec<String> = server
            .seen()
            .iter()
            .filter_map(|seen| field(seen, "authorization"))
            .map(|header| parameters(&header)["nc"].clone())
            .collect();
        assert_eq!(counts, ["00000001", "00000002"], "the nonce is counted");
        let secret =
            server.seen().iter().any(|seen| seen.head.contains("Basic ") || seen.head.contains("Circle"));
        assert!(!secret, "a server that takes a digest never sees the password");
    }
}

#[tokio::test]
async fn the_strongest_digest_is_chosen_and_a_stale_nonce_replaced() {
    let clock = HandClock::new();
    let stale = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&stale);
    let server = Server::start(&clock, move |seen| {
        let nonce = counted.load(Ordering::SeqCst) / 2;
        let digests = |stale: &str| {
            let one = |algorithm: &str| {
                format!("Digest realm=\"r\", qop=\"auth\", nonce=\"n{nonce}\", algorithm={algorithm}{stale}")
            };
            vec![one("MD5"), one("SHA-256")]
        };
        let offer = |stale: &str| {
            let digests = digests(stale);
            challenge(&digests.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let Some(header) = field(seen, "authorization") else { return offer("") };
        let parameters = parameters(&header);
        assert_eq!(parameters["algorithm"], "SHA-256");
        if parameters["nonce"] != format!("n{nonce}") {
            return offer(", stale=true");
        }
        counted.fetch_add(1, Ordering::SeqCst);
        assert_eq!(expected(&parameters, &seen.method, sha256), parameters["response"]);
        page("<p>in")
    })
    .await;
    let fetcher = with(&clock, vec![secret(&server.url("/"), ada())]);
    let mut attempts = Vec::new();
    for _ in 0..5 {
        let outcome = fetcher.fetch(&server.url("/"), Want::Page).await;
        assert_eq!(outcome.result.expect("an answer").status, 200);
        attempts.push(outcome.attempts.len());
    }
    assert_eq!(attempts, [2, 1, 2, 1, 2], "each nonce serves twice");
}

#[tokio::test]
async fn tokens_and_headers_go_to_their_origin_alone() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/robots.txt" => answer(302, "Location: http://elsewhere.test:1/robots.txt\r\n", ""),
        _ => page("<p>"),
    })
    .await;
    let stranger =
        Server::start(&clock, |_| answer(401, "WWW-Authenticate: Basic realm=\"give it to me\"\r\n", ""))
            .await;
    let home = server.named("http", "home.test", "/");
    let secrets = vec![
        secret(&home, Credential::Bearer("hunter2".to_owned())),
        secret(&home, Credential::Header { name: "x-key".to_owned(), value: "hunter3".to_owned() }),
    ];
    let fetcher = with(&clock, secrets);
    for want in [Want::Page, Want::Status] {
        fetcher.fetch(&home, want).await.result.expect("an answer");
    }
    fetcher.robots(&home.origin()).await;
    fetcher
        .fetch_again(&home.join("/again").expect("an address"), Want::Status)
        .await
        .result
        .expect("an answer");
    let at_home = server.seen().len();
    for seen in server.seen() {
        assert_eq!(field(&seen, "authorization").as_deref(), Some("Bearer hunter2"), "{}", seen.line());
        assert_eq!(field(&seen, "x-key").as_deref(), Some("hunter3"), "{}", seen.line());
    }
    // Another name of the same server, and another port of the same name.
    fetcher.fetch(&server.named("http", "www.home.test", "/"), Want::Page).await.result.expect("an answer");
    fetcher.robots(&server.named("http", "www.home.test", "/").origin()).await;
    fetcher.fetch(&stranger.named("http", "home.test", "/"), Want::Page).await.result.expect("an answer");
    for seen in server.seen()[at_home..].iter().chain(&stranger.seen()) {
        assert!(!seen.head.contains("hunter"), "{}", seen.head);
    }
    assert!(!format!("{fetcher:?}").contains("hunter"));
}

#[tokio::test]
async fn credentials_in_an_address_are_its_own_and_only_an_audit_uses_any() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match field(seen, "authorization") {
        Some(_) => page("<p>in"),
        None => challenge(&["Basic realm=\"a\""]),
    })
    .await;
    let carrying =
        Address::parse(&format!("http://Mufasa:Circle%20of%20Life@{}/", server.at)).expect("an address");
    let fetcher = with(&clock, Vec::new());
    assert_eq!(fetcher.fetch(&carrying, Want::Page).await.result.expect("an answer").status, 200);
    assert_eq!(
        field(&server.seen()[1], "authorization").as_deref(),
        Some("Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl")
    );
    assert_eq!(fetcher.fetch(&server.url("/"), Want::Page).await.result.expect("an answer").status, 401);
    let mut plan = plan();
    plan.secrets = vec![secret(&server.url("/"), ada())];
    plan.policy = *model::Policy::of(Job::Check);
    let check = Fetcher::new(&plan, seams(&clock)).expect("a fetcher");
    let before = server.seen().len();
    check.fetch(&carrying, Want::Page).await.result.expect_err("no public address");
    assert_eq!(server.seen().len(), before);
}
