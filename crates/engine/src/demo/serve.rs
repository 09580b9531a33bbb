//! The demo site's server: HTTP/1.1 on loopback, for the tea shop and, on a second address, for its partner.

use super::content::{Layout, Origins, PARTNER, SHOP, Site, not_found};
use super::picture::picture;
use model::clock::{Clock, SystemClock};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;

/// The longest request head that is read, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;
/// A connection on which nothing is asked is closed after this.
const IDLE: Duration = Duration::from_secs(30);
/// Connections at once; further ones wait.
const CONNECTIONS: usize = 256;
/// The pause after a connection could not be accepted, for example for want of file handles.
const AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// The demo site, served on a thread of its own until it is dropped.
#[derive(Debug)]
pub struct Demo {
    origins: Origins,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Demo {
    /// Serves on free ports of 127.0.0.1 and, where it exists, 127.0.0.2.
    pub fn start() -> io::Result<Self> {
        let shop = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let partner = bind_partner();
        let origins = Origins::of(&shop, partner.as_ref())?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("demo-site".to_owned()).spawn(move || {
            let until = async {
                // The sender is used, or dropped with the `Demo`: both mean the end.
                let _ = stopped.await;
            };
            // It can only fail while taking over listeners that `bind` has just made.
            let _ = runtime.block_on(serve_both(shop, partner, until));
        })?;
        Ok(Self { origins, stop: Some(stop), thread: Some(thread) })
    }

    /// The address of the start page.
    pub fn url(&self) -> String {
        self.address_of("/")
    }

    /// The address of a path of the shop, or of the partner's for `partner:/path`.
    pub fn address_of(&self, path: &str) -> String {
        match path.strip_prefix("partner:") {
            Some(path) => format!("{}{path}", self.origins.partner),
            None => format!("{}{path}", self.origins.site),
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The thread may already have ended.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Serves the demo site on this listener until `stop` ends; the partner site gets an address of its own. To be run
/// on a runtime with time and network.
pub async fn serve(listener: std::net::TcpListener, stop: impl Future<Output = ()>) -> io::Result<()> {
    serve_both(listener, bind_partner(), stop).await
}

/// The partner wants another host than the shop. Where 127.0.0.2 cannot be bound (macOS has one loopback address
/// only), another port of 127.0.0.1 stands in; without that one too its links are broken.
fn bind_partner() -> Option<std::net::TcpListener> {
    let addresses = [Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::LOCALHOST];
    addresses.into_iter().find_map(|address| std::net::TcpListener::bind((address, 0)).ok())
}

impl Origins {
    fn of(shop: &std::net::TcpListener, partner: Option<&std::net::TcpListener>) -> io::Result<Self> {
        let nowhere = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), 1));
        let partner = partner.map_or(Ok(nowhere), std::net::TcpListener::local_addr)?;
        let site = format!("http://{}", shop.local_addr()?);
        Ok(Self { site, partner: format!("http://{partner}"), asked: Arc::default() })
    }
}

async fn serve_both(
    shop: std::net::TcpListener,
    partner: Option<std::net::TcpListener>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let origins = Arc::new(Origins::of(&shop, partner.as_ref())?);
    let shop = listen(shop)?;
    let partner = partner.map(listen).transpose()?;
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    // Dropping the set at the end ends every connection.
    let mut connections = JoinSet::new();
    tokio::pin!(stop);
    loop {
        let (accepted, layout) = tokio::select! {
            () = &mut stop => return Ok(()),
            accepted = shop.accept() => (accepted, Layout::Shop),
            accepted = accept_if(partner.as_ref()) => (accepted, Layout::Partner),
        };
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = accepted else {
            SystemClock.sleep(AFTER_REFUSAL).await;
            continue;
        };
        let place = tokio::select! {
            () = &mut stop => return Ok(()),
            place = Arc::clone(&free).acquire_owned() => place,
        };
        let origins = Arc::clone(&origins);
        connections.spawn(async move {
            // The semaphore is never closed; a place is held as long as the connection lives.
            let _place = place;
            converse(stream, &origins, layout).await;
        });
    }
}

fn listen(listener: std::net::TcpListener) -> io::Result<TcpListener> {
    listener.set_nonblocking(true)?;
    TcpListener::from_std(listener)
}

async fn accept_if(listener: Option<&TcpListener>) -> io::Result<(TcpStream, SocketAddr)> {
    match listener {
        Some(listener) => listener.accept().await,
        None => std::future::pending().await,
    }
}

/// Answers requests on one connection until it ends, falls idle, or is to be dropped.
async fn converse(mut stream: TcpStream, origins: &Origins, layout: Layout) {
    // Small answers must not wait for the acknowledgement of an earlier one.
    let _ = stream.set_nodelay(true);
    let mut pending = Vec::new();
    loop {
        let request = tokio::select! {
            request = read_request(&mut stream, &mut pending) => request,
            () = SystemClock.sleep(IDLE) => return,
        };
        let (reply, head_only, close) = match request {
            Ok(request) => {
                let Some(reply) = reply(&request, origins, layout) else { return };
                (reply, request.method == "HEAD", request.close)
            }
            Err(Unreadable::End) => return,
            Err(Unreadable::TooLong) => (Reply::plain(431), false, true),
            Err(Unreadable::NoRequest) => (Reply::plain(400), false, true),
        };
        if !reply.delay.is_zero() {
            SystemClock.sleep(reply.delay).await;
        }
        let sent = stream.write_all(&reply.bytes(head_only, close)).await;
        if sent.is_err() || close {
            // A client that has gone is no concern of ours.
            let _ = stream.shutdown().await;
            return;
        }
    }
}

struct Request {
    method: String,
    target: String,
    /// The client wants no further answer on this connection, or has sent a body, which is not read.
    close: bool,
}

enum Unreadable {
    End,
    TooLong,
    NoRequest,
}

async fn read_request(stream: &mut TcpStream, pending: &mut Vec<u8>) -> Result<Request, Unreadable> {
    let end = loop {
        if let Some(end) = pending.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if pending.len() > LONGEST_HEAD {
            return Err(Unreadable::TooLong);
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return Err(Unreadable::End),
            Ok(length) => pending.extend_from_slice(&chunk[..length]),
        }
    };
    let head = String::from_utf8_lossy(&pending[..end]).into_owned();
    pending.drain(..end + 4);
    parse_head(&head).ok_or(Unreadable::NoRequest)
}

fn parse_head(head: &str) -> Option<Request> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return None;
    }
    let mut close = version == "HTTP/1.0";
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "connection" => close |= value.split(',').any(|token| token.trim().eq_ignore_ascii_case("close")),
            "content-length" => close |= value != "0",
            "transfer-encoding" => close = true,
            _ => {}
        }
    }
    Some(Request { method: method.to_owned(), target: target.to_owned(), close })
}

struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    delay: Duration,
}

/// What is answered; `None` drops the connection.
fn reply(request: &Request, origins: &Origins, layout: Layout) -> Option<Reply> {
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        let mut reply = Reply::plain(405);
        reply.headers.push(("Allow", "GET, HEAD".to_owned()));
        return Some(reply);
    }
    let path = request.target.split(['?', '#']).next().unwrap_or_default();
    let site: &Site = match layout {
        Layout::Shop => &SHOP,
        Layout::Partner => &PARTNER,
    };
    let Some(entry) = site.entry(path) else {
        let name = path.strip_prefix("/pictures/").and_then(|file| file.strip_suffix(".svg"));
        return Some(match name.and_then(picture) {
            Some(svg) => Reply::of(200, "image/svg+xml", svg),
            None => Reply::of(404, "text/html; charset=utf-8", not_found(origins, layout)),
        });
    };
    if entry.drops {
        return None;
    }
    if let Some(status) = entry.turns
        && request.method == "GET"
        && origins.takes_turn(entry.path())
    {
        return Some(Reply::plain(status));
    }
    let mut reply = Reply {
        status: entry.status,
        headers: entry.headers.iter().map(|(name, value)| (*name, origins.fill(value))).collect(),
        body: entry.body(origins, layout).into_bytes(),
        delay: entry.delay,
    };
    if let Some(media_type) = entry.media_type {
        reply.headers.push(("Content-Type", media_type.to_owned()));
    }
    if request.method == "HEAD"
        && let Some(status) = entry.head_status
    {
        return Some(Reply { headers: vec![("Allow", "GET".to_owned())], ..Reply::plain(status) });
    }
    Some(reply)
}

impl Reply {
    fn of(status: u16, media_type: &str, body: String) -> Self {
        let headers = vec![("Content-Type", media_type.to_owned())];
        Self { status, headers, body: body.into_bytes(), delay: Duration::ZERO }
    }

    fn plain(status: u16) -> Self {
        Self::of(status, "text/plain; charset=utf-8", format!("{status} {}\n", reason(status)))
    }

    /// Head and body as they go over the wire. The answer to HEAD announces the length that GET would have.
    fn bytes(&self, head_only: bool, close: bool) -> Vec<u8> {
        let mut head = format!(
            "HTTP/1.1 {} {}\r\nContent-Length: {}\r\n",
            self.status,
            reason(self.status),
            self.body.len()
        );
        for (name, value) in &self.headers {
            head.push_str(name);
            head.push_str(": ");
            head.push_str(value);
            head.push_str("\r\n");
        }
        if close {
            head.push_str("Connection: close\r\n");
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        if !head_only {
            bytes.extend_from_slice(&self.body);
        }
        bytes
    }
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::io::{Read, Write};

    fn connect(url: &str) -> std::net::TcpStream {
        let address = url.trim_start_matches("http://").split('/').next().unwrap_or_default();
        std::net::TcpStream::connect(address).expect("the demo site is served")
    }

    /// Status (0 for no answer), head and body.
    fn ask(demo: &Demo, method: &str, path: &str) -> (u16, String, String) {
        let url = demo.address_of(path);
        let mut stream = connect(&url);
        let path = path.strip_prefix("partner:").unwrap_or(path);
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("read to the end");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        (status, head.to_owned(), body.to_owned())
    }

    #[test]
    fn pages_redirects_and_errors_are_answered() {
        let demo = Demo::start().expect("started");
        let check = |method: &str, path: &str, status: u16, head: &str, body: &str| {
            let got = ask(&demo, method, path);
            assert!(
                got.0 == status && got.1.contains(head) && got.2.contains(body),
                "{method} {path}: {got:?}"
            );
        };
        check("GET", "/", 200, "Content-Type: text/html; charset=utf-8", "<h1>Tea that came by sea");
        check("GET", "/shop/?sort=name", 200, "", "<h1>The shop</h1>");
        check("GET", "/de/%C3%BCber-uns", 200, "", "Wer Ihren Tee verpackt");
        check("GET", "/robots.txt", 200, "text/plain", "Disallow: /intern/");
        check("GET", "/nothing", 404, "text/html", "Nothing here");
        check("GET", "/tea", 301, "Location: /shop/", "");
        check("GET", "/go/nowhere", 302, "Content-Length: 0", "");
        check("GET", "/shop/stock-list", 429, "Retry-After: 1", "");
        check("GET", "/pictures/leaf.svg", 200, "image/svg+xml", "</svg>");
        check("GET", "/pictures/team.jpg", 404, "", "");
        check("HEAD", "/downloads/brewing-card.pdf", 405, "Allow: GET", "");
        check("GET", "/downloads/brewing-card.pdf", 200, "application/pdf", "%PDF-1.4");
        check("GET", "/downloads/price-list.pdf", 0, "", "");
        check("POST", "/newsletter/thanks", 405, "Allow: GET, HEAD", "");
        check("GET", "partner:/library", 200, "", "four hundred glasses");
        // Every other answer is the other one.
        check("GET", "/old/stock", 500, "", "");
        check("HEAD", "/old/stock", 200, "", "");
        check("GET", "/old/stock", 200, "", "Eleven tins");
        check("GET", "/old/stock", 500, "", "");
        check("GET", "/old/all-the-tins", 200, "", "<a href=\"/old/shelf\">Tin 1001</a>");
        assert!(!ask(&demo, "GET", "/imprint").1.contains("Content-Type"));
        let (got, head) = (ask(&demo, "GET", "/"), ask(&demo, "HEAD", "/"));
        assert_eq!((head.0, head.2.as_str()), (200, ""));
        assert_eq!(head.1, got.1, "HEAD has the head of GET");
    }

    #[test]
    fn request_heads_are_read() {
        let check = |head: &str, expect: Option<(&str, bool)>| {
            let request = parse_head(head);
            let got = request.as_ref().map(|request| (request.target.as_str(), request.close));
            assert_eq!(got, expect, "{head}");
        };
        check("GET /a?b HTTP/1.1\r\nHost: x", Some(("/a?b", false)));
        check("GET / HTTP/1.1\r\nconnection: Upgrade, Close", Some(("/", true)));
        check("POST / HTTP/1.1\r\nContent-Length: 3", Some(("/", true)));
        check("GET / HTTP/1.0", Some(("/", true)));
        for bad in ["", "GET", "GET /", "GET / HTTP/2", "GET a HTTP/1.1", "GET /a b HTTP/1.1"] {
            check(bad, None);
        }
    }

    #[test]
    fn a_connection_is_kept_and_dropping_ends_it() {
        let demo = Demo::start().expect("started");
        let mut stream = connect(&demo.url());
        for _ in 0..3 {
            write!(stream, "HEAD /style.css HTTP/1.1\r\nHost: x\r\n\r\n").expect("sent");
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).expect("an answer");
                head.extend_from_slice(&byte);
            }
        }
        drop(demo);
        assert_eq!(stream.read(&mut [0]).unwrap_or(0), 0);
    }

    /// Follows every link of the site as a browser would, and finds each page but the orphan.
    #[test]
    fn every_page_but_the_orphan_is_linked() {
        let demo = Demo::start().expect("started");
        let site = demo.address_of("");
        let mut seen = BTreeSet::from(["/".to_owned()]);
        let mut queue = vec!["/".to_owned()];
        while let Some(path) = queue.pop() {
            let (_, head, body) = ask(&demo, "GET", &path);
            let location = head.lines().find_map(|line| line.strip_prefix("Location: "));
            let values =
                |name: &'static str| body.split(name).skip(1).filter_map(|rest| rest.split('"').next());
            let hrefs = ["href=\"", "src=\"", "data=\""].into_iter().flat_map(values);
            for href in hrefs.chain(location) {
                let href = href.strip_prefix(&site).unwrap_or(href).trim();
                let path = href.split(['?', '#']).next().unwrap_or_default().replace('ü', "%C3%BC");
                if path.starts_with('/') && !path.starts_with("//") && seen.insert(path.clone()) {
                    queue.push(path);
                }
            }
        }
        let unlinked: Vec<&str> =
            SHOP.entries().map(|entry| entry.path()).filter(|path| !seen.contains(*path)).collect();
        let expected = [
            "/robots.txt",
            "/sitemap.xml",
            "/sitemap-journal.xml",
            "/sitemap-old.xml",
            "/sitemap-older.xml",
            "/sitemap-attic.xml",
            "/sitemap-empty.xml",
            "/summer-sale-2019",
        ];
        assert_eq!(BTreeSet::from_iter(unlinked), BTreeSet::from(expected));
    }
}
