//! The demo site: a small shop with planted defects, served on loopback so that everything can be tried without touching
//! anybody's site.
//!
//! Absences: it reads no files, answers no address but its own, and never leaves the loopback interface.

mod site;

use crate::Engine;
use crate::error::EngineError;
use crawl::Control;
use model::Clock;
use site::Reply;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request head longer than this is refused.
const LONGEST_HEAD: usize = 16 * 1024;
/// How often the control is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// A connection on which nothing is asked is closed after this.
const IDLE: Duration = Duration::from_secs(30);

impl Engine {
    /// Serves the demo site on a port of 127.0.0.1 (0 for any free one) until `control` stops it. `ready` gets the address.
    pub fn demo(&self, port: u16, control: &Control, ready: &dyn Fn(SocketAddr)) -> Result<(), EngineError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| {
                EngineError::CannotStart(format!("port {port} of 127.0.0.1 cannot be opened: {error}"))
            })?;
            let address = listener.local_addr()?;
            ready(address);
            while !control.is_stopped() {
                tokio::select! {
                    () = self.clock().sleep(LOOK) => {}
                    accepted = listener.accept() => {
                        // A connection that was lost before it was accepted is of no concern to the others.
                        if let Ok((stream, _)) = accepted {
                            tokio::spawn(converse(stream, address, Arc::clone(self.clock())));
                        }
                    }
                }
            }
            Ok(())
        })
    }
}

/// Answers requests on one connection until it ends or falls idle.
async fn converse(mut stream: TcpStream, own: SocketAddr, clock: Arc<dyn Clock>) {
    let mut pending = Vec::new();
    loop {
        let head = tokio::select! {
            head = read_head(&mut stream, &mut pending) => head,
            () = clock.sleep(IDLE) => return,
        };
        let Some((method, target, close)) = head else { return };
        let reply = site::reply(&method, &target, own);
        if let Some(delay) = reply.delay {
            clock.sleep(delay).await;
        }
        let sent = stream.write_all(&wire(&reply, &method, close)).await;
        if sent.is_err() || close {
            return;
        }
    }
}

/// Method, path with query, and whether the connection is to be closed. `None` at the end and for anything that is no
/// request of HTTP/1.
async fn read_head(stream: &mut TcpStream, pending: &mut Vec<u8>) -> Option<(String, String, bool)> {
    let end = loop {
        if let Some(end) = pending.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if pending.len() > LONGEST_HEAD {
            return None;
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => pending.extend_from_slice(&chunk[..length]),
        }
    };
    let head = String::from_utf8_lossy(&pending[..end]).into_owned();
    pending.drain(..end + 4);
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let close = version == "HTTP/1.0"
        || lines.any(|line| line.to_ascii_lowercase().replace(' ', "") == "connection:close");
    version.starts_with("HTTP/1.").then(|| (method.to_owned(), target.to_owned(), close))
}

fn wire(reply: &Reply, method: &str, close: bool) -> Vec<u8> {
    let mut head = format!(
        "HTTP/1.1 {} {}\r\nContent-Length: {}\r\n",
        reply.status,
        reason(reply.status),
        reply.body.len()
    );
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if close {
        head.push_str("Connection: close\r\n");
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    if method != "HEAD" {
        bytes.extend_from_slice(&reply.body);
    }
    bytes
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        401 => "Unauthorized",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        _ => "Internal Server Error",
    }
}
