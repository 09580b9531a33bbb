//! A scripted web server on loopback: several origins, any answer, a log of every request.
//!
//! It speaks HTTP/1.1 by hand on TCP, because a library would not let it answer wrongly.

use crate::answer::{Answer, Pace, Reply, Then};
use crate::log::{Request, RequestLog, header_bytes};
use model::clock::{Clock, SystemClock};
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The longest request head that is read, in bytes.
const HEAD_CAP: usize = 256 * 1024;

/// A running server. Dropping it closes every connection and ends its thread.
#[derive(Debug)]
pub struct Server {
    origins: Vec<(String, SocketAddr)>,
    log: RequestLog,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

/// A site being described: its origins are bound, so that addresses can be written into pages.
pub struct Site {
    origins: Vec<(String, std::net::TcpListener, SocketAddr)>,
    routes: HashMap<(String, String), Route>,
    fallback: Option<Fallback>,
}

/// What a route or fallback is asked.
#[derive(Debug, Clone)]
pub struct Seen {
    pub origin: String,
    pub method: String,
    /// Path with query, as sent.
    pub path: String,
    pub headers: Vec<(String, String)>,
    /// Request line and headers as they came.
    pub head: Vec<u8>,
}

impl Seen {
    /// First value of a header, byte for byte.
    pub fn header_bytes(&self, name: &str) -> Option<Vec<u8>> {
        header_bytes(&self.head, name)
    }
}

type Fallback = Box<dyn Fn(&Seen) -> Option<Answer> + Send + Sync>;

struct Route {
    answers: Vec<Answer>,
    asked: Mutex<usize>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site")
            .field("origins", &self.origins)
            .field("routes", &self.routes.len())
            .finish_non_exhaustive()
    }
}

impl Site {
    /// Binds one origin for each (name, last byte of 127.0.0.x), each on a free port.
    ///
    /// # Panics
    /// When an address cannot be bound.
    pub fn bind(origins: &[(&str, u8)]) -> Self {
        let origins = origins
            .iter()
            .map(|(name, last)| {
                let listener = std::net::TcpListener::bind((Ipv4Addr::new(127, 0, 0, *last), 0))
                    .unwrap_or_else(|error| panic!("127.0.0.{last} cannot be bound: {error}"));
                let address =
                    listener.local_addr().unwrap_or_else(|error| panic!("no local address: {error}"));
                ((*name).to_owned(), listener, address)
            })
            .collect();
        Self { origins, routes: HashMap::new(), fallback: None }
    }

    /// One origin on 127.0.0.1, named `main`.
    pub fn single() -> Self {
        Self::bind(&[("main", 1)])
    }

    /// The address of a path on an origin: `http://127.0.0.1:40000/path`.
    pub fn url(&self, origin: &str, path: &str) -> String {
        let address = self.origins.iter().find(|(name, ..)| name == origin).map(|(.., address)| address);
        address.map_or_else(
            || panic!("no origin is named {origin}"),
            |address| format!("http://{address}{path}"),
        )
    }

    /// Where an origin listens.
    ///
    /// # Panics
    /// When there is none of that name.
    pub fn address(&self, origin: &str) -> SocketAddr {
        let found = self.origins.iter().find(|(name, ..)| name == origin).map(|(.., address)| *address);
        found.unwrap_or_else(|| panic!("no origin is named {origin}"))
    }

    /// Answers one path (with its query) of an origin, always alike.
    #[must_use]
    pub fn route(self, origin: &str, path: &str, answer: Answer) -> Self {
        self.sequence(origin, path, vec![answer])
    }

    /// Answers the first request with the first answer, and so on; the last one stays. There must be at least one.
    #[must_use]
    pub fn sequence(mut self, origin: &str, path: &str, answers: Vec<Answer>) -> Self {
        assert!(!answers.is_empty(), "{path} of {origin} has no answer");
        self.routes.insert((origin.to_owned(), path.to_owned()), Route { answers, asked: Mutex::new(0) });
        self
    }

    /// Answers whatever no route names; `None` is a 404.
    #[must_use]
    pub fn otherwise(mut self, answer: impl Fn(&Seen) -> Option<Answer> + Send + Sync + 'static) -> Self {
        self.fallback = Some(Box::new(answer));
        self
    }

    /// Starts serving on a thread of its own.
    ///
    /// # Panics
    /// When the thread or its runtime cannot start.
    pub fn serve(self) -> Server {
        let log = RequestLog::default();
        let (stop, stopped) = watch::channel(false);
        let origins = self.origins.iter().map(|(name, _, address)| (name.clone(), *address)).collect();
        let script = Arc::new(Script { routes: self.routes, fallback: self.fallback, log: log.clone() });
        let listeners = self.origins.into_iter().map(|(name, listener, _)| (name, listener)).collect();
        let thread = std::thread::Builder::new()
            .name("loopback-server".to_owned())
            .spawn(move || run(listeners, script, stopped))
            .unwrap_or_else(|error| panic!("the server's thread cannot start: {error}"));
        Server { origins, log, stop, thread: Some(thread) }
    }
}

impl Server {
    /// The address of a path on an origin.
    pub fn url(&self, origin: &str, path: &str) -> String {
        let address = self.origins.iter().find(|(name, _)| name == origin).map(|(_, address)| address);
        address.map_or_else(
            || panic!("no origin is named {origin}"),
            |address| format!("http://{address}{path}"),
        )
    }

    pub const fn log(&self) -> &RequestLog {
        &self.log
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A panic of the server's thread has already been printed, and the test fails by what it misses.
            let _ = thread.join();
        }
    }
}

struct Script {
    routes: HashMap<(String, String), Route>,
    fallback: Option<Fallback>,
    log: RequestLog,
}

impl Script {
    fn answer(&self, seen: &Seen) -> Answer {
        if let Some(route) = self.routes.get(&(seen.origin.clone(), seen.path.clone())) {
            let mut asked = route.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let answer = &route.answers[(*asked).min(route.answers.len() - 1)];
            *asked += 1;
            return answer.clone();
        }
        if let Some(answer) = self.fallback.as_ref().and_then(|fallback| fallback(seen)) {
            return answer;
        }
        if seen.path == "/robots.txt" {
            return Answer::status(404);
        }
        Answer::html("<!doctype html><title>Not found</title><h1>Nothing at this address</h1>").as_status(404)
    }
}

fn run(listeners: Vec<(String, std::net::TcpListener)>, script: Arc<Script>, stopped: watch::Receiver<bool>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap_or_else(|error| panic!("the server's runtime cannot start: {error}"));
    runtime.block_on(async {
        for (origin, listener) in listeners {
            listener.set_nonblocking(true).unwrap_or_else(|error| panic!("{origin}: {error}"));
            let listener =
                TcpListener::from_std(listener).unwrap_or_else(|error| panic!("{origin}: {error}"));
            let script = Arc::clone(&script);
            tokio::spawn(async move {
                // An accept error (a client that has already gone) concerns that connection alone.
                loop {
                    if let Ok((stream, _)) = listener.accept().await {
                        tokio::spawn(connection(stream, origin.clone(), Arc::clone(&script)));
                    }
                }
            });
        }
        let mut stopped = stopped;
        // Either the value turns true or the `Server` is gone: both mean the end.
        let _ = stopped.wait_for(|stop| *stop).await;
    });
    // Dropping the runtime ends every connection.
}

async fn connection(mut stream: TcpStream, origin: String, script: Arc<Script>) {
    // Without this, the second write of an answer would wait for an acknowledgement (Nagle's algorithm).
    let _ = stream.set_nodelay(true);
    let mut unread = Vec::new();
    while let Some((seen, client_closes)) = read_request(&mut stream, &mut unread, &origin).await {
        let number = script.log.begin(Request {
            started: SystemClock.now(),
            ended: None,
            method: seen.method.clone(),
            path: seen.path.clone(),
            origin: origin.clone(),
            headers: seen.headers.clone(),
            head: seen.head.clone(),
            at_once: 0,
            at_once_here: 0,
        });
        let ending = Ending { log: &script.log, number };
        let mut answer = script.answer(&seen);
        if seen.method == "HEAD"
            && let Some(head) = answer.head.take()
        {
            answer = *head;
        }
        let then = reply(&mut stream, &answer, seen.method == "HEAD", client_closes, &ending).await;
        drop(ending);
        match then {
            Some(Then::Keep) => {}
            Some(Then::Reset) => {
                // Zero linger turns the close that follows into a reset.
                let _ = stream.set_zero_linger();
                return;
            }
            Some(Then::Close) => {
                let _ = stream.shutdown().await;
                return;
            }
            None => return,
        }
    }
}

/// Notes the end of a request, at the latest when it is dropped: also when the client or the server goes away.
struct Ending<'a> {
    log: &'a RequestLog,
    number: usize,
}

impl Ending<'_> {
    fn now(&self) {
        self.log.end(self.number, SystemClock.now());
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.now();
    }
}

/// Sends an answer; `None` when the client has gone.
async fn reply(
    stream: &mut TcpStream,
    answer: &Answer,
    head_request: bool,
    client_closes: bool,
    ending: &Ending<'_>,
) -> Option<Then> {
    if let Some(gate) = &answer.wait.gate {
        until_gone(stream, gate.passed()).await?;
    }
    if !answer.wait.delay.is_zero() {
        until_gone(stream, SystemClock.sleep(answer.wait.delay)).await?;
    }
    if matches!(answer.reply, Reply::Silence) {
        until_gone(stream, std::future::pending::<()>()).await?;
    }
    let then = if client_closes && answer.then == Then::Keep { Then::Close } else { answer.then };
    let (mut start, body, pace) = answer.reply.bytes(head_request, then != Then::Keep);
    let last = match pace {
        Pace::AtOnce => {
            start.extend_from_slice(&body);
            start
        }
        Pace::Drip { piece, every } => {
            stream.write_all(&start).await.ok()?;
            for piece in body.chunks(piece) {
                until_gone(stream, SystemClock.sleep(every)).await?;
                stream.write_all(piece).await.ok()?;
            }
            Vec::new()
        }
    };
    // The end is noted before the last byte leaves: a client that reads it at once and asks again must not be
    // seen as having asked two things at the same time.
    ending.now();
    stream.write_all(&last).await.ok()?;
    Some(then)
}

/// Waits for something, but not longer than the client does.
async fn until_gone<T>(stream: &TcpStream, wait: impl Future<Output = T>) -> Option<T> {
    let gone = async {
        let mut byte = [0];
        // A byte that waits is a request sent early: the client is still there.
        if matches!(stream.peek(&mut byte).await, Ok(count) if count > 0) {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        value = wait => Some(value),
        () = gone => None,
    }
}

/// Reads one request with its body; the flag says that the client closes afterwards. `None` at the end of the
/// connection and for what is no request.
async fn read_request(stream: &mut TcpStream, unread: &mut Vec<u8>, origin: &str) -> Option<(Seen, bool)> {
    let mut buffer = vec![0; 16 * 1024];
    let head_end = loop {
        if let Some(at) = unread.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        let count = stream.read(&mut buffer).await.ok()?;
        if count == 0 || unread.len() + count > HEAD_CAP {
            return None;
        }
        unread.extend_from_slice(&buffer[..count]);
    };
    let bytes: Vec<u8> = unread.drain(..head_end).collect();
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let value = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let length: usize = value("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    let closes = value("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    while unread.len() < length {
        let count = stream.read(&mut buffer).await.ok()?;
        if count == 0 {
            return None;
        }
        unread.extend_from_slice(&buffer[..count]);
    }
    unread.drain(..length);
    Some((Seen { origin: origin.to_owned(), method, path: target, headers, head: bytes }, closes))
}

/// Sleeps the calling test thread: for moments at which a program is to be killed.
pub fn pause(duration: Duration) {
    std::thread::sleep(duration);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Gate;
    use std::io::{ErrorKind, Read, Write};

    /// Sends one request on a fresh connection and reads to its end.
    fn ask(server: &Server, origin: &str, method: &str, path: &str) -> (String, Option<ErrorKind>) {
        let url = server.url(origin, "");
        let mut stream = std::net::TcpStream::connect(url.trim_start_matches("http://")).expect("connect");
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("write");
        let mut bytes = Vec::new();
        let error = stream.read_to_end(&mut bytes).err().map(|error| error.kind());
        (String::from_utf8_lossy(&bytes).into_owned(), error)
    }

    #[test]
    fn scripted_answers_arrive_as_scripted() {
        let site = Site::bind(&[("main", 1), ("other", 2)]);
        let elsewhere = site.url("other", "/x");
        let server = site
            .route("main", "/", Answer::page("Home", &[elsewhere.as_str()]))
            .route("main", "/head", Answer::text("body").but_for_head(Answer::status(405)))
            .sequence(
                "main",
                "/twice",
                vec![Answer::status(429).header("Retry-After", "1"), Answer::text("now")],
            )
            .route("main", "/raw", Answer::raw("nonsense"))
            .route("main", "/reset", Answer::reset())
            .route("main", "/close", Answer::close())
            .route("main", "/drip", Answer::text("slowly").drip(2, Duration::from_millis(5)))
            .route("other", "/x", Answer::redirect(301, "/y"))
            .otherwise(|seen| seen.path.starts_with("/any/").then(|| Answer::text(&seen.path)))
            .serve();
        let check = |origin: &str, method: &str, path: &str, starts: &str, ends: &str| {
            let (text, _) = ask(&server, origin, method, path);
            assert!(text.starts_with(starts) && text.ends_with(ends), "{method} {path}: {text:?}");
        };
        check(
            "main",
            "GET",
            "/",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n",
            "</html>\n",
        );
        check("main", "HEAD", "/", "HTTP/1.1 200 OK\r\n", "\r\n\r\n");
        check("main", "HEAD", "/head", "HTTP/1.1 405 ", "\r\n\r\n");
        check("main", "GET", "/twice", "HTTP/1.1 429 ", "\r\n\r\n");
        check("main", "GET", "/twice", "HTTP/1.1 200 ", "now");
        check("main", "GET", "/raw", "nonsense", "nonsense");
        check("main", "GET", "/drip", "HTTP/1.1 200 ", "\r\n\r\nslowly");
        check("other", "GET", "/x", "HTTP/1.1 301 Moved Permanently\r\nLocation: /y\r\n", "\r\n\r\n");
        check("main", "GET", "/any/thing?x=1", "HTTP/1.1 200 ", "/any/thing?x=1");
        check("main", "GET", "/nowhere", "HTTP/1.1 404 ", "address</h1>");
        assert_eq!(ask(&server, "main", "GET", "/close"), (String::new(), None));
        assert_eq!(ask(&server, "main", "GET", "/reset"), (String::new(), Some(ErrorKind::ConnectionReset)));
        assert_eq!(server.log().methods("main", "/"), ["GET", "HEAD"]);
        assert!(server.log().all().iter().all(|request| request.ended.is_some()));
    }

    #[test]
    fn a_gate_holds_answers_and_the_log_sees_them_at_once() {
        let gate = Gate::closed();
        let server = Site::single().route("main", "/", Answer::text("x").behind(&gate)).serve();
        std::thread::scope(|scope| {
            let askers: Vec<_> = (0..3).map(|_| scope.spawn(|| ask(&server, "main", "GET", "/"))).collect();
            while server.log().len() < 3 {
                pause(Duration::from_millis(1));
            }
            gate.open();
            assert!(askers.into_iter().all(|asker| asker.join().is_ok_and(|(text, _)| text.ends_with('x'))));
        });
        assert_eq!(server.log().most_at_once("main"), 3);
    }

    #[test]
    fn one_connection_serves_many_requests() {
        let server = Site::single().route("main", "/", Answer::text("x")).serve();
        let mut stream = std::net::TcpStream::connect(server.url("main", "").trim_start_matches("http://"))
            .expect("connect");
        for _ in 0..2 {
            write!(stream, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").expect("write");
            let mut answer = Vec::new();
            while !answer.ends_with(b"\r\n\r\nx") {
                let mut byte = [0];
                stream.read_exact(&mut byte).expect("an answer");
                answer.extend_from_slice(&byte);
            }
        }
        assert_eq!(server.log().len(), 2);
    }

    #[test]
    fn dropping_ends_hanging_connections() {
        let server = Site::single().route("main", "/", Answer::hang()).serve();
        std::thread::scope(|scope| {
            let address = server.url("main", "").trim_start_matches("http://").to_owned();
            let log = server.log().clone();
            let asker = scope.spawn(move || {
                let mut stream = std::net::TcpStream::connect(address).expect("connect");
                stream.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("write");
                let mut rest = Vec::new();
                let _ = stream.read_to_end(&mut rest);
                rest
            });
            while log.is_empty() {
                pause(Duration::from_millis(1));
            }
            drop(server);
            assert!(asker.join().is_ok_and(|rest| rest.is_empty()));
        });
    }
}
