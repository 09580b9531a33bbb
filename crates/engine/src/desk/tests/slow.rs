//! Sites that answer as slowly as a test needs them to.

use super::super::lock;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Before which page of a chain a server stops answering, until a test lets it go on: whatever is to happen in the middle of
/// a crawl happens there, however fast the computer is.
#[derive(Clone)]
pub(super) struct Turnstile(Arc<(Mutex<u64>, Condvar)>);

impl Turnstile {
    pub(super) fn before(page: u64) -> Self {
        Self(Arc::new((Mutex::new(page), Condvar::new())))
    }

    /// Lets all pages before this one pass.
    pub(super) fn move_to(&self, page: u64) {
        *lock(&self.0.0) = page;
        self.0.1.notify_all();
    }

    pub(super) fn open(&self) {
        self.move_to(u64::MAX);
    }

    pub(super) fn pass(&self, page: u64) {
        let waits = |stop: &mut u64| page >= *stop;
        drop(self.0.1.wait_while(lock(&self.0.0), waits).unwrap_or_else(PoisonError::into_inner));
    }
}

/// A site whose every page leads to the next, until it is dropped: answered as slowly as `pace` says, as far as the turnstile
/// lets through.
pub(super) struct Slow {
    pub(super) address: String,
    pub(super) turnstile: Turnstile,
    open: Arc<AtomicBool>,
}

impl Slow {
    /// It goes on without end.
    pub(super) fn start(pace: Duration) -> Self {
        Self::until(u64::MAX, pace)
    }

    /// It stops before this page.
    pub(super) fn held_before(page: u64) -> Self {
        Self::until(page, Duration::ZERO)
    }

    fn until(page: u64, pace: Duration) -> Self {
        let turnstile = Turnstile::before(page);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let open = Arc::new(AtomicBool::new(true));
        let (serving, held) = (Arc::clone(&open), turnstile.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if !serving.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(mut stream) = stream else { continue };
                let held = held.clone();
                std::thread::spawn(move || {
                    let mut head = [0; 4096];
                    let read = stream.read(&mut head).unwrap_or(0);
                    std::thread::sleep(pace);
                    let line = String::from_utf8_lossy(&head[..read]);
                    let page = line.split_whitespace().nth(1).unwrap_or("/").trim_start_matches('/');
                    let number = page.parse::<u64>().unwrap_or(0);
                    held.pass(number);
                    let next = number + 1;
                    let body = format!("<title>{page}</title><a href=/{next}>next</a>");
                    let (status, body) = if page == "robots.txt" {
                        ("404 Not Found", String::new())
                    } else {
                        ("200 OK", body)
                    };
                    let answer = format!(
                        "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    drop(stream.write_all(answer.as_bytes()));
                });
            }
        });
        Self { address, turnstile, open }
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        self.open.store(false, Ordering::Relaxed);
        self.turnstile.open();
        // Wakes the listener, so that it sees the end.
        drop(std::net::TcpStream::connect(self.address.trim_start_matches("http://").trim_end_matches('/')));
    }
}
