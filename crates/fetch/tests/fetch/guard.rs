//! Where a job of public addresses goes, and where it does not: every form of an address that is not public is refused
//! before anything connects, which a listener tells to which the way of every allowed address leads.

use crate::clock::HandClock;
use crate::server::{HTML, Server, answer, page};
use crate::{Names, plan, seams};
use gossamer_fetch::{BoxFuture, Dial, Ended, Fetcher, Resolve, Single, Want};
use model::policy::{Addresses, WATCH};
use model::{Address, Failure, FailureKind, Plan};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

/// URLs whose host is an address that is not public, in every spelling that a URL may have, or whose port is another.
const LITERALS: &[&str] = &[
    // Loopback: dotted, short, decimal, octal, hexadecimal, mixed, trailing dot, escaped, full-width, circled.
    "http://127.0.0.1/",
    "http://127.0.0.2/",
    "http://127.255.255.254/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7f.1/",
    "http://0X7F.0x0.0X0.0x1/",
    "http://0177.0.0.1/",
    "http://0177.0.0.0x1/",
    "http://00000177.0.0.1/",
    "http://127.0.0.1./",
    "http://2130706433./",
    "http://127%2e0%2e0%2e1/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://①②⑦.⓪.⓪.①/",
    "https://127.0.0.1/",
    "http://user:secret@127.0.0.1/",
    // Unspecified and "this network".
    "http://0/",
    "http://0.0.0.0/",
    "http://0x0/",
    "http://0.1.2.3/",
    // Private.
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://0xa.0x0.0x0.0x1/",
    "http://167772161/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.1/",
    "http://3232235521/",
    // Link-local, and the metadata of clouds.
    "http://169.254.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://0251.0376.0251.0376/",
    "http://168.63.129.16/",
    "http://100.100.100.200/",
    "http://192.0.0.192/",
    // Shared, protocol assignments, documentation, relays, benchmarks, multicast, reserved, broadcast.
    "http://100.64.0.1/",
    "http://100.127.255.255/",
    "http://192.0.0.1/",
    "http://192.0.2.1/",
    "http://192.88.99.1/",
    "http://198.18.0.1/",
    "http://198.19.255.255/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://239.255.255.255/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://4294967295/",
    // IPv6: unspecified, loopback, link-local, site-local, unique local (clouds' metadata among them), multicast.
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[fe80::1]/",
    "http://[febf::1]/",
    "http://[fec0::1]/",
    "http://[fc00::1]/",
    "http://[fd12:3456:789a::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fd20:ce::254]/",
    "http://[ff02::1]/",
    // Documentation, benchmarks, discarded, ORCHID, segment routing, unallocated.
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[2001:2::1]/",
    "http://[100::1]/",
    "http://[2001:10::1]/",
    "http://[2001:20::1]/",
    "http://[5f00::1]/",
    "http://[4000::1]/",
    // IPv4 inside IPv6: mapped, compatible, translated, NAT64 (well-known and local), 6to4, Teredo, ISATAP.
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::FFFF:a9fe:a9fe]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[::10.0.0.1]/",
    "http://[::ffff:0:192.168.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::10.0.0.1]/",
    "http://[64:ff9b:1::1.1.1.1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:c0a8:1::1]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001::1]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[2a00:1450::5efe:10.0.0.1]/",
    "http://[2a00:1450::200:5efe:127.0.0.1]/",
    "http://[2002:101:101::5efe:192.168.0.1]/",
    // Names of this computer, and ports that are not the web's.
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://app.localhost/",
    "http://1.1.1.1:22/",
    "http://1.1.1.1:8080/",
    "https://public.example:8443/",
    "http://[2606:4700::1111]:6379/",
];

/// What looks like an address and is none, so that there is nothing to ask.
const NO_ADDRESSES: &[&str] = &[
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::1/",
    "http://127.0.0.256/",
    "http://0x100000000/",
    "http://1.2.3.4.5/",
    "http://09.0.0.1/",
    "http://[127.0.0.1]/",
    "http://[::ffff:127.0.0.1.]/",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
];

/// Addresses that are not public, as a resolver may give them for a name.
const INNER: &[&str] = &[
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "0.0.0.1",
    "10.1.2.3",
    "100.64.1.1",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.1.1",
    "172.31.1.1",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.1.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.251",
    "240.1.1.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::fb",
    "2001:db8::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "3fff::1",
    "100::1",
    "5f00::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::10.0.0.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1.1.1.1",
    "2002:a00:1::1",
    "2001::1",
    "2a00:1450::5efe:10.0.0.1",
    "2a00:1450::200:5efe:192.168.1.1",
];

/// URLs of public addresses, in as many spellings.
const PUBLIC: &[&str] = &[
    "http://1.1.1.1/",
    "http://1.1.1.1./",
    "http://0x1.1.1.1/",
    "http://16843009/",
    "http://93.184.216.34/",
    "http://9.255.255.255/",
    "http://11.0.0.1/",
    "http://100.63.255.255/",
    "http://100.128.0.1/",
    "http://126.255.255.255/",
    "http://128.0.0.1/",
    "http://168.63.129.17/",
    "http://169.253.1.1/",
    "http://169.255.1.1/",
    "http://172.15.255.255/",
    "http://172.32.0.1/",
    "http://192.0.1.1/",
    "http://192.167.1.1/",
    "http://192.169.1.1/",
    "http://198.17.1.1/",
    "http://198.20.1.1/",
    "http://203.0.112.1/",
    "http://223.255.255.255/",
    "http://[2606:4700::1111]/",
    "http://[2a00:1450:4001:81b::200e]/",
    "http://[2001:200::1]/",
    "http://[::ffff:1.1.1.1]/",
    "http://[64:ff9b::1.1.1.1]/",
    "http://[2002:101:101::1]/",
    "http://[2a00:1450::5efe:1.1.1.1]/",
    "http://public.example/",
    "http://six.example/",
];

/// Leads every address that was allowed to one listener, and writes them down.
#[derive(Debug)]
pub(crate) struct AllTo {
    to: SocketAddr,
    dialled: Mutex<Vec<SocketAddr>>,
}

impl AllTo {
    pub(crate) fn new(server: &Server) -> Arc<Self> {
        Arc::new(Self { to: server.at, dialled: Mutex::default() })
    }

    pub(crate) fn dialled(&self) -> Vec<SocketAddr> {
        self.dialled.lock().expect("a lock").clone()
    }
}

impl Dial for AllTo {
    fn dial(&self, allowed: SocketAddr) -> SocketAddr {
        self.dialled.lock().expect("a lock").push(allowed);
        self.to
    }
}

/// Names that are public, and those that are given here.
fn names(more: impl IntoIterator<Item = (String, Vec<IpAddr>)>) -> Names {
    let mut names: HashMap<String, Vec<IpAddr>> = more.into_iter().collect();
    names.insert("public.example".to_owned(), vec![Ipv4Addr::new(93, 184, 216, 34).into()]);
    names.insert("six.example".to_owned(), vec![ip("2606:4700::1111")]);
    names.insert("mixed.example".to_owned(), vec![ip("10.0.0.1"), ip("::1"), ip("1.1.1.1"), ip("fe80::1")]);
    for name in ["localhost", "localhost.", "app.localhost"] {
        // Whatever a resolver says about them.
        names.insert(name.to_owned(), vec![Ipv4Addr::new(1, 1, 1, 1).into()]);
    }
    Names(names)
}

fn ip(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

fn parse(url: &str) -> Address {
    Address::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

fn guarded(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    plan.policy.addresses = Addresses::PublicOnly;
    plan.fetch.retries.clear();
    plan
}

/// A fetcher of public addresses, all of which lead to the server.
fn public_fetcher(clock: &HandClock, server: &Server, resolver: Arc<dyn Resolve>) -> (Fetcher, Arc<AllTo>) {
    let dial = AllTo::new(server);
    let mut seams = seams(clock);
    seams.resolver = resolver;
    seams.dial = Arc::clone(&dial) as Arc<dyn Dial>;
    (Fetcher::new(&guarded(&plan()), seams).expect("a fetcher"), dial)
}

fn watch(clock: &HandClock, server: &Server, resolver: Arc<dyn Resolve>) -> (Single, Arc<AllTo>) {
    let dial = AllTo::new(server);
    let mut seams = seams(clock);
    seams.resolver = resolver;
    seams.dial = Arc::clone(&dial) as Arc<dyn Dial>;
    let mut plan = crate::plan_of(model::Job::Watch);
    assert_eq!(plan.policy, WATCH);
    plan.agent.header = crate::AGENT.to_owned();
    (Single::new(&plan, seams).expect("a fetcher"), dial)
}

fn refused(result: &Result<model::Answer, Failure>) -> bool {
    matches!(result, Err(failure) if failure.kind == FailureKind::AddressNotAllowed)
}

#[tokio::test]
async fn no_form_of_an_address_that_is_not_public_is_connected() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>secret")).await;
    let (fetcher, dial) = public_fetcher(&clock, &server, Arc::new(names([])));
    for url in LITERALS {
        for want in [Want::Page, Want::Status, Want::StatusThenPage] {
            let outcome = fetcher.fetch(&parse(url), want).await;
            assert!(refused(&outcome.result), "{url}: {:?}", outcome.result);
            assert!(outcome.attempts.is_empty(), "{url}: nothing is sent");
        }
        let origin = parse(url).without_credentials().0.origin();
        let robots = fetcher.robots(&origin).await;
        assert!(
            matches!(robots.result, Err(failure) if failure.kind == FailureKind::AddressNotAllowed),
            "{url}"
        );
    }
    for url in NO_ADDRESSES {
        assert!(Address::parse(url).is_err(), "{url} is no address of the web");
    }
    assert_eq!((server.connections(), dial.dialled().len()), (0, 0));
    assert!(LITERALS.len() >= 100, "{} forms", LITERALS.len());
}

#[tokio::test]
async fn no_name_leads_to_an_address_that_is_not_public() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>secret")).await;
    let inner = INNER.iter().enumerate().map(|(n, text)| (format!("n{n}.example"), vec![ip(text)]));
    // All of them behind one name, too.
    let all = ("all.example".to_owned(), INNER.iter().map(|text| ip(text)).collect());
    let (fetcher, dial) = public_fetcher(&clock, &server, Arc::new(names(inner.chain([all]))));
    for (n, text) in INNER.iter().enumerate() {
        for scheme in ["http", "https"] {
            let outcome = fetcher.fetch(&parse(&format!("{scheme}://n{n}.example/")), Want::Page).await;
            assert!(refused(&outcome.result), "{text}: {:?}", outcome.result);
        }
    }
    assert!(refused(&fetcher.fetch(&parse("http://all.example/"), Want::Page).await.result));
    assert_eq!((server.connections(), dial.dialled().len()), (0, 0));
}

#[tokio::test]
async fn every_hop_is_checked() {
    let clock = HandClock::new();
    let inner = INNER.iter().enumerate().map(|(n, text)| (format!("n{n}.example"), vec![ip(text)]));
    let to: Vec<String> = LITERALS
        .iter()
        .map(|url| (*url).to_owned())
        .chain((0..INNER.len()).map(|n| format!("http://n{n}.example/")))
        .collect();
    let targets = to.clone();
    let server =
        Server::start(&clock, move |seen| match seen.path.trim_start_matches('/').parse::<usize>() {
            Ok(n) => answer(302, &format!("Location: {}\r\n", targets[n]), ""),
            Err(_) => answer(404, "", ""),
        })
        .await;
    let resolver: Arc<dyn Resolve> = Arc::new(names(inner));
    let (single, watched) = watch(&clock, &server, Arc::clone(&resolver));
    let (fetcher, crawled) = public_fetcher(&clock, &server, resolver);
    for (n, url) in to.iter().enumerate() {
        let start = parse(&format!("http://public.example/{n}"));
        let outcome = single.read(&start, None).await;
        let Ended::Failed(failure) = &outcome.ended else { panic!("{url}: {:?}", outcome.ended) };
        assert_eq!(
            (failure.kind, outcome.hops.len()),
            (FailureKind::AddressNotAllowed, 1),
            "{url}: {failure:?}"
        );
        let (into, _reader) = gossamer_fetch::pieces();
        let (_, sitemap) = fetcher.sitemap(&start, &into, |_| true).await;
        assert!(refused(&sitemap.result), "{url}: {:?}", sitemap.result);
    }
    let public: SocketAddr = "93.184.216.34:80".parse().expect("an address");
    for dial in [watched, crawled] {
        assert!(dial.dialled().iter().all(|address| *address == public), "{:?}", dial.dialled());
    }
    // One robots.txt, then one request for each: nothing came from behind a redirect.
    assert_eq!(server.seen().len(), 1 + 2 * to.len());
    assert!(
        server.seen().iter().all(|seen| seen.head.to_ascii_lowercase().contains("host: public.example\r\n"))
    );
}

#[tokio::test]
async fn robots_txt_leads_to_no_inner_address() {
    let clock = HandClock::new();
    let server =
        Server::start(&clock, |_| answer(301, "Location: http://169.254.169.254/robots.txt\r\n", "")).await;
    let (fetcher, _) = public_fetcher(&clock, &server, Arc::new(names([])));
    let told = fetcher.robots("http://public.example").await;
    assert!(matches!(told.result, Err(failure) if failure.kind == FailureKind::AddressNotAllowed));
    assert_eq!((server.connections(), told.hops.len()), (1, 1));
}

/// A name whose answer changes: a public address the first time (or times), then another.
#[derive(Debug)]
struct Rebinding {
    public: usize,
    then: IpAddr,
    asked: Mutex<usize>,
}

impl Resolve for Rebinding {
    fn resolve(&self, _: &str) -> BoxFuture<io::Result<Vec<IpAddr>>> {
        let mut asked = self.asked.lock().expect("a lock");
        *asked += 1;
        let address = if *asked <= self.public { ip("1.1.1.1") } else { self.then };
        Box::pin(async move { Ok(vec![address]) })
    }
}

#[tokio::test]
async fn a_second_answer_of_the_resolver_is_checked_as_the_first() {
    for then in INNER {
        let clock = HandClock::new();
        let server =
            Server::start(&clock, |_| answer(200, &format!("{HTML}Connection: close\r\n"), "<p>x")).await;
        let rebinding = |public| Arc::new(Rebinding { public, then: ip(then), asked: Mutex::default() });
        let (fetcher, dial) = public_fetcher(&clock, &server, rebinding(1));
        let address = parse("http://rebinding.example/");
        assert!(fetcher.fetch(&address, Want::Page).await.result.is_ok());
        let second = fetcher.fetch(&address, Want::Page).await;
        assert!(refused(&second.result), "{then}: {:?}", second.result);
        assert_eq!((server.connections(), dial.dialled().len()), (1, 1), "{then}");
        // Between a robots.txt and the page it is about.
        let (single, dial) = watch(&clock, &server, rebinding(1));
        let outcome = single.read(&address, None).await;
        assert!(
            matches!(&outcome.ended, Ended::Failed(failure) if failure.kind == FailureKind::AddressNotAllowed),
            "{then}: {:?}",
            outcome.ended
        );
        assert_eq!((server.connections(), dial.dialled().len()), (2, 1), "{then}");
        assert_eq!(server.lines().last().map(String::as_str), Some("GET /robots.txt"));
    }
}

#[tokio::test]
async fn public_addresses_are_connected() {
    let clock = HandClock::new();
    let server =
        Server::start(&clock, |_| answer(200, &format!("{HTML}Connection: close\r\n"), "<p>x")).await;
    let (fetcher, dial) = public_fetcher(&clock, &server, Arc::new(names([])));
    for (n, url) in PUBLIC.iter().enumerate() {
        let outcome = fetcher.fetch(&parse(url), Want::Page).await;
        assert_eq!(outcome.result.as_ref().map(|answer| answer.status), Ok(200), "{url}");
        assert_eq!((server.connections(), dial.dialled().len()), (n + 1, n + 1), "{url}");
        assert_eq!(dial.dialled()[n].port(), 80, "{url}");
    }
    let seen = server.seen();
    let host = seen.last().expect("a request").head.to_ascii_lowercase();
    assert!(host.contains("host: six.example\r\n"), "{host}");
}

#[tokio::test]
async fn of_a_name_with_both_only_the_public_addresses_are_connected() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |_| page("<p>x")).await;
    let (fetcher, dial) = public_fetcher(&clock, &server, Arc::new(names([])));
    let outcome = fetcher.fetch(&parse("http://mixed.example/"), Want::Page).await;
    assert!(outcome.result.is_ok());
    assert_eq!(dial.dialled(), ["1.1.1.1:80".parse().expect("an address")]);
}

#[tokio::test]
async fn a_person_may_allow_one_own_host() {
    let clock = HandClock::new();
    let server = Server::start(&clock, |seen| match seen.path.as_str() {
        "/robots.txt" => answer(404, "", ""),
        "/away" => answer(302, "Location: http://10.0.0.2/\r\n", ""),
        "/port" => answer(302, "Location: http://intranet.example:22/\r\n", ""),
        "/in" => answer(302, "Location: http://intranet.example:8080/\r\n", ""),
        _ => page("<p>x"),
    })
    .await;
    let own = ["intranet.example", "other.example"].map(|name| (name.to_owned(), vec![ip("10.0.0.1")]));
    let (single, dial) = watch(&clock, &server, Arc::new(names(own)));
    let page = parse("http://intranet.example:8080/");
    let allowing = single.allowing(&page).expect("a fetcher");
    let check = async |single: &Single, url: &str, expect: bool| {
        let ended = single.read(&parse(url), None).await.ended;
        match (&ended, expect) {
            (Ended::Answered(answer), true) => assert_eq!(answer.status, 200, "{url}"),
            (Ended::Failed(failure), false) => {
                assert_eq!(failure.kind, FailureKind::AddressNotAllowed, "{url}")
            }
            _ => panic!("{url}: {ended:?}"),
        }
    };
    for (url, expect) in [
        ("http://intranet.example:8080/", true),
        ("http://intranet.example/", true),
        ("http://public.example/in", true),
        ("http://public.example/", true),
        ("http://intranet.example:22/", false),
        ("http://intranet.example:8080/away", false),
        ("http://intranet.example:8080/port", false),
        ("http://other.example/", false),
        ("http://10.0.0.1/", false),
        ("http://localhost/", false),
    ] {
        check(&allowing, url, expect).await;
    }
    let before = server.connections();
    // The exception is that page's alone: whoever has none gets nothing out of it, open connections included.
    for url in ["http://intranet.example/", "http://intranet.example:8080/", "http://public.example/in"] {
        let requests = dial.dialled().len();
        check(&single, url, false).await;
        let inner =
            dial.dialled()[requests..].iter().filter(|address| address.ip() == ip("10.0.0.1")).count();
        assert_eq!(inner, 0, "{url}");
    }
    assert!(server.connections() <= before + 2, "a robots.txt and the redirect of the public one");
}
