//! HSTS within one crawl: which http URLs are not asked any more.

use crate::clock::HandClock;
use crate::server::{Server, answer, page};
use crate::tls::{Authority, acceptor, leaf, params, root};
use crate::{plan, seams};
use gossamer_fetch::{Fetcher, Roots, Want};
use model::plan::{CertificateRule, HostOverride};
use model::{Address, Answer};
use std::time::Duration;

struct Site {
    root: Authority,
    safe: Server,
    open: Server,
}

/// A site whose https answers have the field that its path names, and its http twin.
async fn site(clock: &HandClock, trusted: bool) -> Site {
    let root = root("Test root");
    let stranger = crate::tls::root("Strange root");
    let issuer = if trusted { &root } else { &stranger };
    let (certificate, key) = leaf(&params("a.test", &["a.test", "*.a.test", "127.0.0.1"]), Some(issuer));
    let tls = acceptor(vec![certificate], key, "http/1.1");
    let safe = Server::start_with(clock, Some(tls), |seen| {
        let field = match seen.path.as_str() {
            "/on" => "Strict-Transport-Security: max-age=60\r\n",
            "/all" => "Strict-Transport-Security: max-age=60; includeSubDomains\r\n",
            "/off" => "Strict-Transport-Security: max-age=0\r\n",
            "/bad" => "Strict-Transport-Security: sixty\r\n",
            _ => "",
        };
        answer(200, field, "")
    })
    .await;
    let open = Server::start(clock, |seen| match seen.path.as_str() {
        "/on" => answer(200, "Strict-Transport-Security: max-age=60\r\n", ""),
        "/robots.txt" => page("User-agent: *"),
        _ => answer(301, "Location: https://a.test/\r\n", ""),
    })
    .await;
    Site { root, safe, open }
}

impl Site {
    fn fetcher(&self, clock: &HandClock, rule: CertificateRule) -> Fetcher {
        let mut plan = plan();
        plan.fetch.retries.clear();
        plan.http.certificates = rule;
        for host in ["a.test", "b.a.test", "x.test", "127.0.0.1"] {
            for (port, to) in [(443, self.safe.at), (80, self.open.at)] {
                plan.http.overrides.push(HostOverride { host: host.to_owned(), port, to });
            }
        }
        let mut seams = seams(clock);
        seams.roots = Roots::Only(vec![self.root.der().to_vec()]);
        Fetcher::new(&plan, seams).expect("a fetcher")
    }
}

async fn ask(fetcher: &Fetcher, url: &str) -> Answer {
    let address = Address::parse(url).expect("an address");
    fetcher.fetch(&address, Want::Page).await.result.unwrap_or_else(|failure| panic!("{url}: {failure:?}"))
}

#[tokio::test]
async fn an_http_url_of_such_a_host_is_not_asked() {
    let clock = HandClock::new();
    let site = site(&clock, true).await;
    let fetcher = site.fetcher(&clock, CertificateRule::Refuse);
    assert_eq!(ask(&fetcher, "http://a.test/x").await.status, 301, "nothing is known yet");
    ask(&fetcher, "https://a.test/on").await;
    let asked = site.open.seen().len();
    let address = Address::parse("http://a.test/x?y=%2f").expect("an address");
    let outcome = fetcher.fetch(&address, Want::Status).await;
    assert!(outcome.attempts.is_empty(), "nothing was sent");
    let answer = outcome.result.expect("an answer");
    assert_eq!((answer.status, answer.synthetic), (307, true));
    assert_eq!(answer.header("location"), Some("https://a.test/x?y=%2f"));
    assert!(!ask(&fetcher, "http://b.a.test/").await.synthetic, "subdomains were not meant");
    let with_port = ask(&fetcher, "http://a.test:8080/").await;
    assert_eq!(with_port.header("location"), Some("https://a.test:8080/"), "an explicit port is kept");
    assert_eq!(fetcher.robots("http://a.test").await.result, Ok(200));
    assert_eq!(site.open.seen().len(), asked + 1, "only the subdomain was asked by http");
    let as_written = fetcher.fetch_as_written(&address, Want::Page).await.result.expect("an answer");
    assert_eq!((as_written.status, as_written.synthetic), (301, false));
    clock.advance(Duration::from_secs(60));
    assert_eq!(ask(&fetcher, "http://a.test/x").await.status, 301, "its time is over");
}

#[tokio::test]
async fn subdomains_and_ends() {
    let clock = HandClock::new();
    let site = site(&clock, true).await;
    let fetcher = site.fetcher(&clock, CertificateRule::Refuse);
    let check =
        async |url: &str, expect: bool| assert_eq!(ask(&fetcher, url).await.synthetic, expect, "{url}");
    ask(&fetcher, "https://a.test/bad").await;
    ask(&fetcher, "http://a.test/on").await;
    check("http://a.test/", false).await;
    ask(&fetcher, "https://a.test/all").await;
    check("http://a.test/", true).await;
    check("http://b.a.test/", true).await;
    check("http://x.test/", false).await;
    ask(&fetcher, "https://a.test/off").await;
    check("http://a.test/", false).await;
    check("http://b.a.test/", false).await;
    ask(&fetcher, "https://127.0.0.1/on").await;
    check("http://127.0.0.1/", false).await;
}

#[tokio::test]
async fn a_faulty_certificate_teaches_nothing() {
    let clock = HandClock::new();
    let site = site(&clock, false).await;
    let fetcher = site.fetcher(&clock, CertificateRule::GoOn);
    assert_eq!(ask(&fetcher, "https://a.test/on").await.status, 200);
    assert!(!ask(&fetcher, "http://a.test/").await.synthetic);
    assert!(fetcher.certificate("https://a.test").is_some_and(|facts| facts.fault.is_some()));
}
