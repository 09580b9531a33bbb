//! A server that does whatever a test wants of a connection, without any rule of HTTP in between, and that counts how many
//! requests it has in its hands at once.

use model::clock::{Clock, SystemClock};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// One thing that is done to a connection.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Send(Arc<[u8]>),
    /// The same bytes again and again until the client has gone.
    Forever(Arc<[u8]>),
    /// One byte after the other, again and again, with this wait before each.
    Drip(Arc<[u8]>, Duration),
    /// Waits until so many requests as the test wants together have come to this point.
    Gather,
    /// Nothing more until the client has gone.
    Hang,
    Close,
    Reset,
}

impl Step {
    pub(crate) fn send(bytes: impl AsRef<[u8]>) -> Self {
        Self::Send(bytes.as_ref().into())
    }

    pub(crate) fn forever(bytes: impl AsRef<[u8]>) -> Self {
        Self::Forever(bytes.as_ref().into())
    }
}

/// The longest that gathering is waited for: a test that gathers too few then fails by its count, and does not hang.
const PATIENCE: Duration = Duration::from_secs(60);

type Script = dyn Fn(&str, &str) -> Vec<Step> + Send + Sync;

/// A running server. Dropping it closes every connection.
pub(crate) struct Wild {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    script: Box<Script>,
    together: usize,
    gathered: watch::Sender<usize>,
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    /// `METHOD /path`, in the order of arrival.
    asked: Vec<String>,
    open: usize,
    most: usize,
}

impl Wild {
    /// Serves on a free port of 127.0.0.1; `script` is asked with method and path. `together` requests are gathered.
    pub(crate) fn serve(
        together: usize,
        script: impl Fn(&str, &str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            script: Box::new(script),
            together,
            gathered: watch::Sender::new(0),
            log: Mutex::default(),
        });
        let (stop, stopped) = watch::channel(false);
        let serving = Arc::clone(&shared);
        let thread = std::thread::spawn(move || run(listener, serving, stopped));
        Self { address, shared, stop, thread: Some(thread) }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The most requests that were open at once.
    pub(crate) fn most_at_once(&self) -> usize {
        self.shared.log().most
    }

    /// `METHOD /path` of every request.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.shared.log().asked.clone()
    }
}

impl Drop for Wild {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(listener: std::net::TcpListener, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime for the server");
    runtime.block_on(async {
        listener.set_nonblocking(true).expect("a listener that does not block");
        let listener = TcpListener::from_std(listener).expect("a listener");
        let accepting = async {
            loop {
                if let Ok((stream, _)) = listener.accept().await {
                    let shared = Arc::clone(&shared);
                    tokio::spawn(async move { shared.connection(stream).await });
                }
            }
        };
        tokio::select! {
            () = accepting => {}
            _ = stopped.wait_for(|stop| *stop) => {}
        }
    });
}

/// What a connection is to do next.
enum Then {
    NextRequest,
    End,
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn connection(&self, mut stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        let mut unread = Vec::new();
        loop {
            let end = loop {
                if let Some(end) = unread.windows(4).position(|window| window == b"\r\n\r\n") {
                    break end + 4;
                }
                let mut chunk = [0; 4096];
                match stream.read(&mut chunk).await {
                    Ok(0) | Err(_) => return,
                    Ok(count) => unread.extend_from_slice(&chunk[..count]),
                }
            };
            let head = String::from_utf8_lossy(&unread[..end]).into_owned();
            unread.drain(..end);
            let mut words = head.split(' ');
            let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            {
                let mut log = self.log();
                log.asked.push(format!("{method} {path}"));
                log.open += 1;
                log.most = log.most.max(log.open);
            }
            let then = self.follow(&mut stream, (self.script)(method, path)).await;
            self.log().open -= 1;
            if matches!(then, Then::End) {
                return;
            }
        }
    }

    async fn follow(&self, stream: &mut TcpStream, steps: Vec<Step>) -> Then {
        for step in steps {
            match step {
                Step::Send(bytes) => {
                    if stream.write_all(&bytes).await.is_err() {
                        return Then::End;
                    }
                }
                Step::Forever(bytes) => while stream.write_all(&bytes).await.is_ok() {},
                Step::Drip(bytes, every) => {
                    for byte in bytes.iter().cycle() {
                        SystemClock.sleep(every).await;
                        if stream.write_all(std::slice::from_ref(byte)).await.is_err() {
                            return Then::End;
                        }
                    }
                }
                Step::Gather => self.gather().await,
                Step::Hang => {
                    let mut byte = [0];
                    let _ = stream.read(&mut byte).await;
                    return Then::End;
                }
                Step::Close => {
                    let _ = stream.shutdown().await;
                    return Then::End;
                }
                Step::Reset => {
                    let _ = stream.set_zero_linger();
                    return Then::End;
                }
            }
        }
        Then::NextRequest
    }

    async fn gather(&self) {
        self.gathered.send_modify(|count| *count += 1);
        let mut count = self.gathered.subscribe();
        tokio::select! {
            _ = count.wait_for(|count| *count >= self.together) => {}
            () = SystemClock.sleep(PATIENCE) => {}
        }
    }
}
