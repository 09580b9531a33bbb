//! CONNECT: asks an HTTP proxy for a connection to somewhere else (RFC 9110 §9.3.6).

use super::proxy::{Proxy, ProxyFault};
use super::stream::Io;
use http::HeaderValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A proxy's answer to CONNECT is a status and a few headers.
const LONGEST_ANSWER: usize = 16 * 1024;

/// Turns a connection to a proxy into one to `target` (`www.example.com:443`).
pub(super) async fn open(
    stream: &mut Box<dyn Io>,
    proxy: &Proxy,
    target: &str,
    agent: &HeaderValue,
) -> Result<(), ProxyFault> {
    let closed = |_| ProxyFault::Closed(proxy.shown());
    let mut request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n").into_bytes();
    let mut header = |name: &str, value: &HeaderValue| {
        request.extend_from_slice(name.as_bytes());
        request.extend_from_slice(value.as_bytes());
        request.extend_from_slice(b"\r\n");
    };
    header("User-Agent: ", agent);
    if let Some(authorization) = proxy.authorization() {
        header("Proxy-Authorization: ", authorization);
    }
    request.extend_from_slice(b"\r\n");
    stream.write_all(&request).await.map_err(closed)?;
    stream.flush().await.map_err(closed)?;
    let mut answer = Vec::with_capacity(256);
    // What follows the answer belongs to the tunnel, so not a byte of it may be read here.
    while !answer.ends_with(b"\r\n\r\n") {
        if answer.len() >= LONGEST_ANSWER {
            return Err(ProxyFault::Nonsense(proxy.shown()));
        }
        match stream.read_u8().await {
            Ok(byte) => answer.push(byte),
            Err(_) if answer.is_empty() => return Err(ProxyFault::Closed(proxy.shown())),
            Err(_) => return Err(ProxyFault::Nonsense(proxy.shown())),
        }
    }
    match status(&answer) {
        Some(200..=299) => Ok(()),
        Some(other) => Err(proxy.refuses(other)),
        None => Err(ProxyFault::Nonsense(proxy.shown())),
    }
}

/// The status of an answer's first line.
fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\r').next()?;
    let rest = line.strip_prefix(b"HTTP/1.")?;
    let digits = rest.get(2..5)?;
    let ends = rest.get(5).is_none_or(|byte| *byte == b' ');
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (ends && rest.get(1) == Some(&b' ') && number >= 100).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_lines() {
        let check = |line: &str, expect: Option<u16>| assert_eq!(status(line.as_bytes()), expect, "{line:?}");
        check("HTTP/1.1 200 Connection established\r\n\r\n", Some(200));
        check("HTTP/1.0 407\r\n\r\n", Some(407));
        check("HTTP/1.1 502 Bad Gateway\r\nA: b\r\n\r\n", Some(502));
        for bad in [
            "",
            "\r\n\r\n",
            "HTTP/2 200\r\n\r\n",
            "SSH-2.0\r\n\r\n",
            "HTTP/1.1 2000 x\r\n\r\n",
            "HTTP/1.1 20",
        ] {
            check(bad, None);
        }
    }
}
