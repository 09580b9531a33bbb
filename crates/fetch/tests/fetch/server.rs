//! A raw server that follows a script and writes down what it saw.

use crate::clock::HandClock;
use model::Address;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};

/// One thing that the server does in answer to a request.
#[derive(Clone)]
pub(crate) enum Act {
    Send(Vec<u8>),
    /// Waits for one permit of a gate that the test holds.
    Wait(Arc<Semaphore>),
    /// Says nothing more until the client goes away.
    Hang,
    /// Ends the connection properly.
    Close,
    /// Ends it with a reset.
    Reset,
}

/// One request as the server saw it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) head: String,
    /// The same as it came.
    pub(crate) bytes: Vec<u8>,
    pub(crate) connection: usize,
    /// Requests being answered when this one came, itself included.
    pub(crate) in_flight: usize,
    /// On the test's clock.
    pub(crate) at: Duration,
    /// How often the same method and path came before.
    pub(crate) nth: usize,
}

impl Seen {
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

type Script = dyn Fn(&Seen) -> Vec<Act> + Send + Sync;

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) at: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    script: Box<Script>,
    clock: HandClock,
    seen: Mutex<Vec<Seen>>,
    open: Mutex<(usize, usize)>,
    accepted: AtomicUsize,
    changed: Notify,
}

impl Server {
    pub(crate) async fn start(
        clock: &HandClock,
        script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        Self::start_with(clock, None, script).await
    }

    pub(crate) async fn start_with(
        clock: &HandClock,
        tls: Option<tokio_rustls::TlsAcceptor>,
        script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let at = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            script: Box::new(script),
            clock: clock.clone(),
            seen: Mutex::default(),
            open: Mutex::default(),
            accepted: AtomicUsize::new(0),
            changed: Notify::new(),
        });
        let server = Self { at, shared: Arc::clone(&shared) };
        tokio::spawn(async move {
            let mut connection = 0;
            while let Ok((stream, _)) = listener.accept().await {
                connection += 1;
                shared.accepted.store(connection, Ordering::SeqCst);
                let (shared, tls) = (Arc::clone(&shared), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => {
                            let mut stream: TcpStream = stream;
                            if shared.serve(&mut stream, connection).await {
                                stream.set_zero_linger().unwrap();
                            }
                        }
                        Some(tls) => {
                            if let Ok(mut stream) = tls.accept(stream).await {
                                // A reset stands for leaving without TLS's farewell.
                                if !shared.serve(&mut stream, connection).await {
                                    let _ = stream.shutdown().await;
                                }
                            }
                        }
                    }
                });
            }
        });
        server
    }

    pub(crate) fn url(&self, path: &str) -> Address {
        Address::parse(&format!("http://{}{path}", self.at)).unwrap()
    }

    pub(crate) fn named(&self, scheme: &str, host: &str, path: &str) -> Address {
        Address::parse(&format!("{scheme}://{host}:{}{path}", self.at.port())).unwrap()
    }

    pub(crate) fn origin(&self, scheme: &str, host: &str) -> String {
        format!("{scheme}://{host}:{}", self.at.port())
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().iter().map(Seen::line).collect()
    }

    /// Connections that were made, whatever became of them.
    pub(crate) fn connections(&self) -> usize {
        self.shared.accepted.load(Ordering::SeqCst)
    }

    pub(crate) fn max_in_flight(&self) -> usize {
        self.shared.open.lock().unwrap().1
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.shared.open.lock().unwrap().0
    }

    /// Waits until so many requests came.
    pub(crate) async fn until_seen(&self, count: usize) {
        loop {
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if self.seen().len() >= count {
                return;
            }
            changed.await;
        }
    }
}

impl Shared {
    /// Serves one connection; true if it is to be reset.
    async fn serve<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: &mut S, connection: usize) -> bool {
        let mut buffer = Vec::new();
        loop {
            let end = loop {
                if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                    break end + 4;
                }
                let mut chunk = [0; 4096];
                match stream.read(&mut chunk).await {
                    Ok(0) | Err(_) => return false,
                    Ok(read) => buffer.extend_from_slice(&chunk[..read]),
                }
            };
            let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
            let bytes = buffer[..end].to_vec();
            buffer.drain(..end);
            let acts = {
                let mut parts = head.split(' ');
                let (method, path) = (parts.next().unwrap().to_owned(), parts.next().unwrap().to_owned());
                let mut seen = self.seen.lock().unwrap();
                let nth = seen.iter().filter(|other| other.method == method && other.path == path).count();
                let in_flight = {
                    let mut open = self.open.lock().unwrap();
                    open.0 += 1;
                    open.1 = open.1.max(open.0);
                    open.0
                };
                let request =
                    Seen { method, path, head, bytes, connection, in_flight, at: self.clock.passed(), nth };
                let acts = (self.script)(&request);
                seen.push(request);
                acts
            };
            self.changed.notify_waiters();
            let end = Self::act(stream, acts).await;
            self.open.lock().unwrap().0 -= 1;
            match end {
                End::KeepAlive => {}
                End::Closed => return false,
                End::Reset => return true,
            }
        }
    }

    async fn act<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, acts: Vec<Act>) -> End {
        for act in acts {
            match act {
                Act::Send(bytes) => {
                    if stream.write_all(&bytes).await.is_err() || stream.flush().await.is_err() {
                        return End::Closed;
                    }
                }
                Act::Wait(gate) => gate.acquire().await.unwrap().forget(),
                Act::Hang => {
                    let mut byte = [0; 1];
                    let _ = stream.read(&mut byte).await;
                    return End::Closed;
                }
                Act::Close => return End::Closed,
                Act::Reset => return End::Reset,
            }
        }
        End::KeepAlive
    }
}

enum End {
    KeepAlive,
    Closed,
    Reset,
}

/// A whole answer with a length.
pub(crate) fn answer(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Vec<Act> {
    let body = body.as_ref();
    let mut bytes =
        format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{headers}\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    vec![Act::Send(bytes)]
}

/// The headers of an answer alone, as to a HEAD.
pub(crate) fn head_answer(status: u16, headers: &str) -> Vec<Act> {
    vec![Act::Send(format!("HTTP/1.1 {status} X\r\n{headers}\r\n").into_bytes())]
}

pub(crate) fn page(body: impl AsRef<[u8]>) -> Vec<Act> {
    answer(200, HTML, body)
}

pub(crate) fn raw(bytes: impl AsRef<[u8]>) -> Act {
    Act::Send(bytes.as_ref().to_vec())
}

pub(crate) const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";
