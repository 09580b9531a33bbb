//! TLS: certificates of every fault, facts that are kept, HTTP/2.

use crate::clock::HandClock;
use crate::server::{Act, HTML, Server, page, raw};
use crate::{HALF, fetcher, plan, seams, spawn, status};
use bytes::Bytes;
use gossamer_fetch::{Fetcher, Roots, Want};
use model::plan::CertificateRule;
use model::{Address, FailureKind};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

pub(crate) type Authority = CertifiedIssuer<'static, KeyPair>;

/// The clock of the tests stands in 1994.
pub(crate) fn params(name: &str, hosts: &[&str]) -> CertificateParams {
    let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
    let mut params = CertificateParams::new(hosts).expect("host names");
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    (params.not_before, params.not_after) = (date_time_ymd(1990, 1, 1), date_time_ymd(1999, 12, 31));
    params
}

pub(crate) fn authority_params(name: &str) -> CertificateParams {
    let mut params = params(name, &[]);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params
}

pub(crate) fn key() -> KeyPair {
    KeyPair::generate().expect("a key")
}

pub(crate) fn root(name: &str) -> Authority {
    CertifiedIssuer::self_signed(authority_params(name), key()).expect("a root")
}

/// A leaf and its key; `issuer`: `None` signs itself.
pub(crate) fn leaf(
    params: &CertificateParams,
    issuer: Option<&Authority>,
) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
    let key = key();
    let made = match issuer {
        Some(issuer) => params.signed_by(&key, issuer),
        None => params.self_signed(&key),
    };
    (made.expect("a certificate").der().clone(), PrivateKeyDer::try_from(key.serialize_der()).expect("a key"))
}

pub(crate) fn acceptor(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    protocol: &str,
) -> TlsAcceptor {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a certificate");
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

/// A fetcher that trusts one root, and does not retry.
pub(crate) fn trusting(clock: &HandClock, root: &Authority) -> Fetcher {
    let mut seams = seams(clock);
    seams.roots = Roots::Only(vec![root.der().to_vec()]);
    let mut plan = plan();
    plan.fetch.retries = vec![HALF];
    Fetcher::new(&plan, seams).expect("a fetcher")
}

#[tokio::test]
async fn a_good_certificate_and_its_facts() {
    let clock = HandClock::new();
    let root = root("Test root");
    let (leaf, key) = leaf(&params("www.good.test", &["www.good.test", "good.test"]), Some(&root));
    let tls = acceptor(vec![leaf], key, "http/1.1");
    let server = Server::start_with(&clock, Some(tls), |_| page("<p>x")).await;
    let fetcher = trusting(&clock, &root);
    for _ in 0..3 {
        let outcome = fetcher.fetch(&server.named("https", "good.test", "/"), Want::Page).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!((answer.body.as_slice(), answer.version), (b"<p>x".as_slice(), "HTTP/1.1"));
    }
    assert_eq!(server.seen().last().map(|seen| seen.connection), Some(1));
    let facts = fetcher.certificate(&server.origin("https", "good.test")).expect("facts");
    assert_eq!((facts.subject.as_str(), facts.issuer.as_str()), ("www.good.test", "Test root"));
    assert_eq!((facts.names, facts.fault), (vec!["www.good.test".to_owned(), "good.test".to_owned()], None));
    assert_eq!(model::clock::unix_millis(facts.not_after), 946_598_400_000);
    assert!(fetcher.certificate("https://good.test").is_none(), "another port may show another certificate");
}

#[tokio::test]
async fn every_fault_has_its_own_name() {
    let (trusted, stranger) = (root("Test root"), root("Strange root"));
    let middle = CertifiedIssuer::signed_by(authority_params("Test intermediate"), key(), &trusted)
        .expect("an intermediate");
    let hosts = ["fault.test"];
    let good = params("fault.test", &hosts);
    let mut expired = good.clone();
    expired.not_after = date_time_ymd(1994, 1, 1);
    let mut early = good.clone();
    early.not_before = date_time_ymd(1995, 6, 1);
    let mut authority = good.clone();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let mut for_mail = good.clone();
    for_mail.extended_key_usages = vec![rcgen::ExtendedKeyUsagePurpose::EmailProtection];
    let wrong = params("wrong.example.test", &["wrong.example.test"]);
    let (stranger_der, middle_der) = (stranger.der().clone(), middle.der().clone());
    let cases: Vec<(
        CertificateParams,
        Option<&Authority>,
        Vec<CertificateDer<'static>>,
        Option<(FailureKind, &str)>,
    )> = vec![
        (good.clone(), Some(&trusted), vec![], None),
        (good.clone(), Some(&middle), vec![middle_der], None),
        (good.clone(), Some(&middle), vec![], Some((FailureKind::TlsIncompleteChain, "Test intermediate"))),
        (good.clone(), None, vec![], Some((FailureKind::TlsUntrusted, "self-signed"))),
        (authority.clone(), None, vec![], Some((FailureKind::TlsUntrusted, "self-signed"))),
        (authority, Some(&trusted), vec![], Some((FailureKind::TlsUntrusted, "that of an authority"))),
        (for_mail, Some(&trusted), vec![], Some((FailureKind::TlsUntrusted, "not issued for websites"))),
        (good, Some(&stranger), vec![stranger_der], Some((FailureKind::TlsUntrusted, "Strange root"))),
        (expired, Some(&trusted), vec![], Some((FailureKind::TlsExpired, "expired on 1994-01-01"))),
        (early, Some(&trusted), vec![], Some((FailureKind::TlsNotYetValid, "1995-06-01"))),
        (
            wrong,
            Some(&trusted),
            vec![],
            Some((FailureKind::TlsWrongHost, "is for wrong.example.test, not for fault.test")),
        ),
    ];
    for (params, issuer, above, expect) in cases {
        let clock = HandClock::new();
        let (leaf, key) = leaf(&params, issuer);
        let tls = acceptor(std::iter::once(leaf).chain(above).collect(), key, "http/1.1");
        let server = Server::start_with(&clock, Some(tls), |_| page("<p>x")).await;
        let fetcher = trusting(&clock, &trusted);
        for (path, want) in [("/missing", Want::Page), ("/", Want::Status), ("/", Want::Page)] {
            let outcome = fetcher.fetch(&server.named("https", "fault.test", path), want).await;
            match (&outcome.result, expect) {
                (Ok(answer), None) => assert_eq!(answer.status, 200),
                (Err(failure), Some((kind, part))) => {
                    assert_eq!(failure.kind, kind, "{failure:?}");
                    assert!(failure.detail.contains(part), "{}", failure.detail);
                    assert_eq!(outcome.attempts.len(), 1, "asking again does not help");
                }
                (result, expect) => panic!("{result:?} instead of {expect:?}"),
            }
        }
        assert_eq!(server.seen().is_empty(), expect.is_some(), "nothing is sent unverified");
        let fault = fetcher
            .certificate(&server.origin("https", "fault.test"))
            .expect("facts")
            .fault
            .map(|fault| fault.kind);
        assert_eq!(fault, expect.map(|(kind, _)| kind));
        // Whoever says so reads the site all the same, and is still told.
        let mut plan = plan();
        plan.http.certificates = CertificateRule::GoOn;
        let mut seams = seams(&clock);
        seams.roots = Roots::Only(vec![trusted.der().to_vec()]);
        let going_on = Fetcher::new(&plan, seams).expect("a fetcher");
        let outcome = going_on.fetch(&server.named("https", "fault.test", "/"), Want::Page).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!((answer.status, answer.certificate_fault), (200, expect.map(|(kind, _)| kind)));
        let told = going_on
            .certificate(&server.origin("https", "fault.test"))
            .expect("facts")
            .fault
            .map(|fault| fault.kind);
        assert_eq!(told, answer.certificate_fault);
    }
}

/// Ports of one name may show different certificates; what is wrong with one says nothing about the other, whichever comes first.
#[tokio::test]
async fn ports_of_one_name_have_a_certificate_each() {
    let root = root("Test root");
    let good = params("two.test", &["two.test"]);
    let mut expired = good.clone();
    expired.not_after = date_time_ymd(1994, 1, 1);
    for rule in [CertificateRule::Refuse, CertificateRule::GoOn] {
        let clock = HandClock::new();
        let mut servers = Vec::new();
        for params in [&good, &expired] {
            let (leaf, key) = leaf(params, Some(&root));
            let tls = acceptor(vec![leaf], key, "http/1.1");
            servers.push(Server::start_with(&clock, Some(tls), |_| page("<p>x")).await);
        }
        let mut plan = plan();
        plan.http.certificates = rule;
        let mut seams = seams(&clock);
        seams.roots = Roots::Only(vec![root.der().to_vec()]);
        let fetcher = Fetcher::new(&plan, seams).expect("a fetcher");
        for turn in [0, 1, 0, 1, 1, 0] {
            let server = &servers[turn];
            let expect = (turn == 1).then_some(FailureKind::TlsExpired);
            let outcome = fetcher.fetch(&server.named("https", "two.test", "/"), Want::Page).await;
            let told = match outcome.result {
                Ok(answer) => answer.certificate_fault,
                Err(failure) => Some(failure.kind),
            };
            assert_eq!(told, expect, "{rule:?}");
            let facts = fetcher.certificate(&server.origin("https", "two.test")).expect("facts");
            assert_eq!(facts.fault.map(|fault| fault.kind), expect, "{rule:?}");
        }
        assert_eq!(servers[1].seen().is_empty(), rule == CertificateRule::Refuse);
    }
}

#[tokio::test]
async fn what_speaks_no_tls_is_named() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let talkative = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, b"220 mail.example.com ESMTP ready\r\n")
                .await;
        }
    });
    let fetcher = fetcher(&clock, |plan| plan.fetch.retries.clear());
    let address = Address::parse(&format!("https://{talkative}/")).expect("an address");
    let failure = fetcher.fetch(&address, Want::Page).await.result.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Tls, "{failure:?}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn old_versions_have_a_reason_of_their_own() {
    let clock = HandClock::new();
    // What a server of TLS 1.0 answers to a client that offers 1.2 and newer: an alert, or its own old version.
    let alert: &[u8] = b"\x15\x03\x01\x00\x02\x02\x46";
    let mut hello = b"\x16\x03\x01\x00\x2a\x02\x00\x00\x26\x03\x01".to_vec();
    hello.extend([7; 32]);
    hello.extend(b"\x00\x00\x2f\x00");
    for bytes in [alert.to_vec(), hello] {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let at = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut offered = [0; 4096];
                let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut offered).await;
                let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, &bytes).await;
                let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut offered).await;
            }
        });
        for rule in [CertificateRule::Refuse, CertificateRule::GoOn] {
            let fetcher = fetcher(&clock, |plan| {
                plan.fetch.retries.clear();
                plan.http.certificates = rule;
            });
            let address = Address::parse(&format!("https://old.test:{}/", at.port())).expect("an address");
            let failure = fetcher.fetch(&address, Want::Page).await.result.expect_err("a failure");
            assert_eq!(failure.kind, FailureKind::TlsOldVersion, "{failure:?}");
        }
    }
}

#[tokio::test]
async fn a_body_that_ends_without_farewell_is_whole_where_no_length_was_announced() {
    let root = root("Test root");
    for (headers, incomplete) in [("", false), ("Content-Length: 10\r\n", true)] {
        let clock = HandClock::new();
        let (leaf, key) = leaf(&params("a.test", &["a.test"]), Some(&root));
        let bytes = format!("HTTP/1.1 200 OK\r\n{HTML}{headers}\r\n<p>x");
        let tls = acceptor(vec![leaf], key, "http/1.1");
        let server = Server::start_with(&clock, Some(tls), move |_| vec![raw(&bytes), Act::Reset]).await;
        let outcome = trusting(&clock, &root).fetch(&server.named("https", "a.test", "/"), Want::Page).await;
        let answer = outcome.result.expect("an answer");
        assert_eq!(
            (answer.incomplete, answer.body.as_slice()),
            (incomplete, b"<p>x".as_slice()),
            "{headers:?}"
        );
    }
}

/// An HTTP/2 server: the first request to `/refused` is refused, the rest get a page; counts streams at once.
async fn http2_server(tls: TlsAcceptor) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let most = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&most);
    tokio::spawn(async move {
        let refused = Arc::new(AtomicUsize::new(0));
        while let Ok((stream, _)) = listener.accept().await {
            let (tls, refused, most) = (tls.clone(), Arc::clone(&refused), Arc::clone(&counted));
            tokio::spawn(async move {
                let Ok(stream) = tls.accept(stream).await else { return };
                let Ok(mut connection) = h2::server::handshake(stream).await else { return };
                let open = Arc::new(AtomicUsize::new(0));
                while let Some(Ok((request, mut respond))) = connection.accept().await {
                    if request.uri().path() == "/refused" && refused.fetch_add(1, Ordering::SeqCst) == 0 {
                        respond.send_reset(h2::Reason::REFUSED_STREAM);
                        continue;
                    }
                    if request.uri().path() == "/broken" {
                        respond.send_reset(h2::Reason::PROTOCOL_ERROR);
                        continue;
                    }
                    let (open, most) = (Arc::clone(&open), Arc::clone(&most));
                    tokio::spawn(async move {
                        most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        for _ in 0..20 {
                            tokio::task::yield_now().await;
                        }
                        let response = http::Response::builder()
                            .header("content-type", "text/html")
                            .body(())
                            .expect("a response");
                        open.fetch_sub(1, Ordering::SeqCst);
                        if let Ok(mut body) = respond.send_response(response, false) {
                            let _ = body.send_data(Bytes::from_static(b"<p>x"), true);
                        }
                    });
                }
            });
        }
    });
    (port, most)
}

#[tokio::test]
async fn http2_is_spoken_and_a_refused_stream_is_tried_again() {
    let clock = HandClock::new();
    let root = root("Test root");
    let (leaf, key) = leaf(&params("two.test", &["two.test"]), Some(&root));
    let (port, most) = http2_server(acceptor(vec![leaf], key, "h2")).await;
    let fetcher = trusting(&clock, &root);
    let url = |path: &str| Address::parse(&format!("https://two.test:{port}{path}")).expect("an address");
    let first = fetcher.fetch(&url("/"), Want::Page).await;
    let answer = first.result.expect("an answer");
    assert_eq!((answer.version, answer.body.as_slice()), ("HTTP/2", b"<p>x".as_slice()));
    let job = spawn(&fetcher, url("/refused"), Want::Page);
    let outcome = job.await.expect("a job");
    assert_eq!(status(&outcome), 200);
    assert_eq!(
        outcome.attempts.iter().map(|attempt| attempt.failure).collect::<Vec<_>>(),
        [Some(FailureKind::Reset), None]
    );
    let broken = fetcher.fetch(&url("/broken"), Want::Page).await.result.expect_err("a failure");
    assert_eq!(broken.kind, FailureKind::Protocol, "{broken:?}");
    let jobs: Vec<_> = (0..30).map(|n| spawn(&fetcher, url(&format!("/{n}")), Want::Page)).collect();
    for job in jobs {
        assert_eq!(status(&job.await.expect("a job")), 200);
    }
    assert_eq!(most.load(Ordering::SeqCst), 5, "streams of one connection count as requests at once");
}

/// The elements of a run of DER, each with its tag and length.
fn elements(mut der: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while !der.is_empty() {
        let (element, rest) = der.split_at(header(der) + content(der).len());
        found.push(element);
        der = rest;
    }
    found
}

/// Bytes of the tag and the length of the first element.
fn header(der: &[u8]) -> usize {
    2 + if der[1] < 0x80 { 0 } else { usize::from(der[1] & 0x7f) }
}

fn content(der: &[u8]) -> &[u8] {
    let start = header(der);
    let length = match start {
        2 => usize::from(der[1]),
        _ => der[2..start].iter().fold(0, |length, byte| length << 8 | usize::from(*byte)),
    };
    &der[start..start + length]
}

fn sequence(elements: &[&[u8]]) -> Vec<u8> {
    let content = elements.concat();
    let length = u16::try_from(content.len()).expect("a small certificate").to_be_bytes();
    // The shortest form, as DER demands it.
    let length: &[u8] = match length {
        [0, short @ 0..0x80] => &[short],
        [0, long] => &[0x81, long],
        [high, low] => &[0x82, high, low],
    };
    [&[0x30], length, content.as_slice()].concat()
}

/// The certificate as one of version 1 of X.509, which has neither a version nor extensions.
fn of_version_1(der: &[u8]) -> CertificateDer<'static> {
    let parts = elements(content(der));
    let fields: Vec<&[u8]> =
        elements(content(parts[0])).into_iter().filter(|field| !matches!(field[0], 0xa0 | 0xa3)).collect();
    sequence(&[&sequence(&fields), parts[1], parts[2]]).into()
}

#[tokio::test]
async fn a_certificate_of_version_1_is_named() {
    let trusted = root("Test root");
    let (made, key) = leaf(&params("old.test", &["old.test"]), Some(&trusted));
    let provider = rustls::crypto::ring::default_provider();
    let key = provider.key_provider.load_private_key(key).expect("a key");
    let certified = rustls::sign::CertifiedKey::new(vec![of_version_1(&made)], key);
    for versions in [[&rustls::version::TLS12], [&rustls::version::TLS13]] {
        for rule in [CertificateRule::Refuse, CertificateRule::GoOn] {
            let clock = HandClock::new();
            let config = rustls::ServerConfig::builder_with_provider(Arc::new(provider.clone()))
                .with_protocol_versions(&versions)
                .expect("a version")
                .with_no_client_auth()
                .with_cert_resolver(Arc::new(rustls::sign::SingleCertAndKey::from(certified.clone())));
            let tls = TlsAcceptor::from(Arc::new(config));
            let server = Server::start_with(&clock, Some(tls), |_| page("<p>x")).await;
            let mut plan = plan();
            plan.http.certificates = rule;
            let mut seams = seams(&clock);
            seams.roots = Roots::Only(vec![trusted.der().to_vec()]);
            let fetcher = Fetcher::new(&plan, seams).expect("a fetcher");
            let outcome = fetcher.fetch(&server.named("https", "old.test", "/"), Want::Page).await;
            let failure = outcome.result.expect_err("no answer");
            assert_eq!(failure.kind, FailureKind::Tls, "{rule:?}: {}", failure.detail);
            assert!(
                failure.detail.starts_with("The certificate is of version 1 of X.509;"),
                "{}",
                failure.detail
            );
            assert_eq!(outcome.attempts.len(), 1, "asking again does not help");
        }
    }
}
