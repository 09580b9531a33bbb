//! Proxies: what they are asked to do, and what is said when they do not.

use crate::clock::HandClock;
use crate::server::{Server, answer, page};
use crate::tls::{acceptor, leaf, params, root};
use crate::{Names, plan, plan_of, seams};
use gossamer_fetch::{Fetcher, Roots, Want};
use model::plan::{ProxyAddress, ProxyRule, ProxyScheme};
use model::{Address, FailureKind, Job};
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// How a tunnel's proxy behaves.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    Works,
    Refuses(u16),
    HangsUp,
    SpeaksSsh,
    NeverEnds,
}

/// A proxy for CONNECT and SOCKS 5 that leads everything to one place, and writes down what it was asked for.
#[derive(Clone)]
struct Proxy {
    at: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    async fn start(to: SocketAddr, habit: Habit) -> Self {
        Self::start_with(to, habit, None).await
    }

    /// With a certificate it is spoken to inside TLS.
    async fn start_with(to: SocketAddr, habit: Habit, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let proxy = Self { at: listener.local_addr().expect("an address"), asked: Arc::default() };
        let asked = Arc::clone(&proxy.asked);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (asked, tls) = (Arc::clone(&asked), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => serve(stream, to, &asked, habit).await,
                        Some(tls) => serve(tls.accept(stream).await.ok()?, to, &asked, habit).await,
                    }
                });
            }
        });
        proxy
    }

    fn rule(&self, scheme: ProxyScheme) -> ProxyRule {
        ProxyRule::Through(ProxyAddress { scheme, host: self.at.ip().to_string(), port: self.at.port() })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("a list").clone()
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    to: SocketAddr,
    asked: &Mutex<Vec<String>>,
    habit: Habit,
) -> Option<()> {
    let first = stream.read_u8().await.ok()?;
    let open = match first {
        5 => socks(&mut stream, asked).await?,
        _ => connect(&mut stream, first, asked, habit).await?,
    };
    if open {
        let mut site = TcpStream::connect(to).await.ok()?;
        let _ = tokio::io::copy_bidirectional(&mut stream, &mut site).await;
    }
    Some(())
}

async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    first: u8,
    asked: &Mutex<Vec<String>>,
    habit: Habit,
) -> Option<bool> {
    let mut head = vec![first];
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    asked.lock().expect("a list").push(head.lines().next().unwrap_or_default().to_owned());
    assert!(head.contains("User-Agent: GossamerBot/0.0 (test)\r\n"), "{head}");
    match habit {
        Habit::Works => stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.ok()?,
        Habit::Refuses(status) => {
            let text = format!("HTTP/1.1 {status} No\r\nContent-Length: 2\r\n\r\nno");
            stream.write_all(text.as_bytes()).await.ok()?;
        }
        Habit::HangsUp => {}
        Habit::SpeaksSsh => stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n\r\n").await.ok()?,
        Habit::NeverEnds => {
            for _ in 0..10_000 {
                stream.write_all(b"X-Filler: 0123456789\r\n").await.ok()?;
            }
        }
    }
    Some(habit == Habit::Works)
}

async fn socks<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    asked: &Mutex<Vec<String>>,
) -> Option<bool> {
    let mut methods = vec![0; usize::from(stream.read_u8().await.ok()?)];
    stream.read_exact(&mut methods).await.ok()?;
    stream.write_all(&[5, 0]).await.ok()?;
    let mut request = [0; 4];
    stream.read_exact(&mut request).await.ok()?;
    let host = match request[3] {
        1 => {
            let mut octets = [0; 4];
            stream.read_exact(&mut octets).await.ok()?;
            Ipv4Addr::from(octets).to_string()
        }
        _ => {
            let mut name = vec![0; usize::from(stream.read_u8().await.ok()?)];
            stream.read_exact(&mut name).await.ok()?;
            String::from_utf8_lossy(&name).into_owned()
        }
    };
    let port = stream.read_u16().await.ok()?;
    asked.lock().expect("a list").push(format!("{host}:{port}"));
    let refused = host.starts_with("refused");
    stream.write_all(&[5, if refused { 5 } else { 0 }, 0, 1, 0, 0, 0, 0, 0, 0]).await.ok()?;
    Some(!refused)
}

fn through(clock: &HandClock, rule: ProxyRule, root: Option<&crate::tls::Authority>) -> Fetcher {
    let mut plan = plan();
    plan.http.proxy = rule;
    plan.fetch.retries.clear();
    let mut seams = seams(clock);
    if let Some(root) = root {
        seams.roots = Roots::Only(vec![root.der().to_vec()]);
    }
    Fetcher::new(&plan, seams).expect("a fetcher")
}

fn parsed(text: &str) -> Address {
    Address::parse(text).expect("an address")
}

#[tokio::test]
async fn an_http_proxy_is_given_http_requests_whole() {
    let clock = HandClock::new();
    let proxy = Server::start(&clock, |seen| match seen.path.as_str() {
        "http://wants-login.test/" => answer(407, "Proxy-Authenticate: Basic realm=\"p\"\r\n", ""),
        _ => page("<p>by proxy"),
    })
    .await;
    let rule = ProxyRule::Through(ProxyAddress {
        scheme: ProxyScheme::Http,
        host: "127.0.0.1".to_owned(),
        port: proxy.at.port(),
    });
    let fetcher = through(&clock, rule, None);
    let outcome = fetcher.fetch(&parsed("http://site.test:8080/a?b"), Want::Page).await;
    assert_eq!(outcome.result.expect("an answer").body, b"<p>by proxy");
    let seen = &proxy.seen()[0];
    assert_eq!(seen.line(), "GET http://site.test:8080/a?b");
    assert!(seen.head.to_ascii_lowercase().contains("host: site.test:8080\r\n"), "{}", seen.head);
    let failure =
        fetcher.fetch(&parsed("http://wants-login.test/"), Want::Page).await.result.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Connect);
    assert!(failure.detail.contains("proxy") && failure.detail.contains("407"), "{}", failure.detail);
}

#[tokio::test]
async fn https_goes_through_a_tunnel_that_nobody_looks_into() {
    let clock = HandClock::new();
    let root = root("Test root");
    let (leaf, key) = leaf(&params("site.test", &["site.test"]), Some(&root));
    let site =
        Server::start_with(&clock, Some(acceptor(vec![leaf], key, "http/1.1")), |_| page("<p>in")).await;
    for (scheme, asked) in [
        (ProxyScheme::Http, "CONNECT site.test:443 HTTP/1.1"),
        (ProxyScheme::Socks5, "127.0.0.1:443"),
        (ProxyScheme::Socks5h, "site.test:443"),
    ] {
        let proxy = Proxy::start(site.at, Habit::Works).await;
        let fetcher = through(&clock, proxy.rule(scheme), Some(&root));
        for path in ["/", "/again"] {
            let outcome = fetcher.fetch(&parsed(&format!("https://site.test{path}")), Want::Page).await;
            assert_eq!(outcome.result.expect("an answer").body, b"<p>in", "{scheme}");
        }
        assert_eq!(proxy.asked(), [asked], "one connection is used twice");
    }
    assert!(site.seen().iter().all(|seen| seen.head.to_ascii_lowercase().contains("host: site.test\r\n")));
}

#[tokio::test]
async fn socks_carries_http_too_and_its_refusals_are_told() {
    let clock = HandClock::new();
    let site = Server::start(&clock, |_| page("<p>in")).await;
    let proxy = Proxy::start(site.at, Habit::Works).await;
    let fetcher = through(&clock, proxy.rule(ProxyScheme::Socks5h), None);
    let outcome = fetcher.fetch(&parsed("http://site.test/a"), Want::Page).await;
    assert_eq!(outcome.result.expect("an answer").status, 200);
    assert_eq!(site.lines(), ["GET /a"]);
    let failure =
        fetcher.fetch(&parsed("http://refused.test/"), Want::Page).await.result.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Connect);
    assert!(failure.detail.contains("proxy") && failure.detail.contains("refused"), "{}", failure.detail);
    assert_eq!(proxy.asked(), ["site.test:80", "refused.test:80"]);
}

#[tokio::test]
async fn a_proxy_that_fails_is_named_as_the_culprit() {
    let clock = HandClock::new();
    let site = Server::start(&clock, |_| page("<p>in")).await;
    let told = async |rule: ProxyRule| {
        let fetcher = through(&clock, rule, None);
        let mut failures = Vec::new();
        // More than the requests after which a silent host is given up.
        for n in 0..14 {
            let outcome = fetcher.fetch(&parsed(&format!("https://site.test/{n}")), Want::Page).await;
            failures.push(outcome.result.expect_err("a failure"));
        }
        assert!(failures.iter().all(|failure| *failure == failures[0]), "the host is not blamed");
        failures.swap_remove(0)
    };
    for (habit, word) in [
        (Habit::Refuses(407), "407"),
        (Habit::Refuses(502), "502"),
        (Habit::HangsUp, "closed"),
        (Habit::SpeaksSsh, "does not answer as a proxy"),
        (Habit::NeverEnds, "does not answer as a proxy"),
    ] {
        let proxy = Proxy::start(site.at, habit).await;
        let failure = told(proxy.rule(ProxyScheme::Http)).await;
        assert_eq!(failure.kind, FailureKind::Connect, "{failure:?}");
        assert!(failure.detail.contains("proxy") && failure.detail.contains(word), "{}", failure.detail);
    }
    let gone =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port").local_addr().expect("an address");
    for scheme in [ProxyScheme::Http, ProxyScheme::Https, ProxyScheme::Socks5h] {
        let down = ProxyAddress { scheme, host: "127.0.0.1".to_owned(), port: gone.port() };
        let failure = told(ProxyRule::Through(down)).await;
        assert_eq!(failure.kind, FailureKind::Connect);
        assert!(
            failure.detail.contains("The proxy 127.0.0.1:") && failure.detail.contains("cannot be reached"),
            "{}",
            failure.detail
        );
    }
    assert!(site.seen().is_empty());
}

#[tokio::test]
async fn a_job_of_public_addresses_tells_the_proxy_the_address_it_checked() {
    let clock = HandClock::new();
    let site = Server::start(&clock, |_| page("<p>in")).await;
    let names = HashMap::from([
        (
            "public.test".to_owned(),
            vec![Ipv4Addr::new(10, 0, 0, 1).into(), Ipv4Addr::new(93, 184, 216, 34).into()],
        ),
        ("private.test".to_owned(), vec![Ipv4Addr::new(192, 168, 0, 1).into()]),
    ]);
    let mut seams = seams(&clock);
    seams.resolver = Arc::new(Names(names));
    for (scheme, asked) in [
        (ProxyScheme::Http, "CONNECT 93.184.216.34:80 HTTP/1.1"),
        (ProxyScheme::Socks5, "93.184.216.34:80"),
        (ProxyScheme::Socks5h, "93.184.216.34:80"),
    ] {
        let proxy = Proxy::start(site.at, Habit::Works).await;
        let mut plan = plan_of(Job::Check);
        plan.agent.header = crate::AGENT.to_owned();
        plan.http.proxy = proxy.rule(scheme);
        let fetcher = Fetcher::new(&plan, seams.clone()).expect("a fetcher");
        let answer =
            fetcher.fetch(&parsed("http://public.test/"), Want::Page).await.result.expect("an answer");
        assert_eq!(answer.remote, Some("93.184.216.34:80".parse().expect("an address")));
        for inner in ["http://private.test/", "http://127.0.0.1/", "http://[::ffff:10.0.0.1]/"] {
            let failure = fetcher.fetch(&parsed(inner), Want::Page).await.result.expect_err("a failure");
            assert_eq!(failure.kind, FailureKind::AddressNotAllowed, "{inner}");
        }
        assert_eq!(proxy.asked(), [asked], "{scheme}: nothing else was asked of it");
    }
    assert!(site.seen().iter().all(|seen| seen.head.to_ascii_lowercase().contains("host: public.test\r\n")));
}

#[tokio::test]
async fn a_proxy_inside_tls_shows_a_certificate_of_its_own() {
    let clock = HandClock::new();
    let (trusted, stranger) = (root("Test root"), root("Strange root"));
    let (certificate, key) = leaf(&params("site.test", &["site.test"]), Some(&trusted));
    let site =
        Server::start_with(&clock, Some(acceptor(vec![certificate], key, "http/1.1")), |_| page("<p>in"))
            .await;
    for (issuer, works) in [(&trusted, true), (&stranger, false)] {
        let (certificate, key) = leaf(&params("proxy", &["127.0.0.1"]), Some(issuer));
        let tls = acceptor(vec![certificate], key, "http/1.1");
        let proxy = Proxy::start_with(site.at, Habit::Works, Some(tls)).await;
        // Going on despite faults is said of sites, not of proxies.
        let mut plan = plan();
        plan.fetch.retries.clear();
        plan.http.certificates = model::plan::CertificateRule::GoOn;
        plan.http.proxy = proxy.rule(ProxyScheme::Https);
        let mut seams = seams(&clock);
        seams.roots = Roots::Only(vec![trusted.der().to_vec()]);
        let fetcher = Fetcher::new(&plan, seams).expect("a fetcher");
        let outcome = fetcher.fetch(&parsed("https://site.test/"), Want::Page).await;
        match (outcome.result, works) {
            (Ok(answer), true) => assert_eq!(answer.body, b"<p>in"),
            (Err(failure), false) => {
                assert_eq!(failure.kind, FailureKind::Connect);
                assert!(
                    failure.detail.contains("proxy") && failure.detail.contains("Strange root"),
                    "{}",
                    failure.detail
                );
            }
            (result, works) => panic!("{result:?}, works: {works}"),
        }
        assert_eq!(proxy.asked().len(), usize::from(works));
    }
}
