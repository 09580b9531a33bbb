//! What came of one request. Failure is data, never an `Err`.

use crate::coded;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

coded! {
    /// Why there was no usable answer. A public contract: shown in `v_urls.reason`.
    pub enum FailureKind {
        Dns = 1 => "dns",
        Connect = 2 => "connect",
        TlsExpired = 3 => "tls-expired",
        TlsNotYetValid = 4 => "tls-not-yet-valid",
        TlsWrongHost = 5 => "tls-wrong-host",
        TlsUntrusted = 6 => "tls-untrusted",
        TlsIncompleteChain = 7 => "tls-incomplete-chain",
        Tls = 8 => "tls",
        Timeout = 9 => "timeout",
        Reset = 10 => "reset",
        Protocol = 11 => "protocol",
        TooManyRedirects = 12 => "too-many-redirects",
        Decode = 13 => "decode",
        AddressNotAllowed = 14 => "address-not-allowed",
        InvalidUrl = 15 => "invalid-url",
        /// The server knows no version of TLS that is safe today.
        TlsOldVersion = 16 => "tls-old-version",
    }
}

impl FailureKind {
    /// A time-out or a failed connection may pass: these, and no others, are tried again.
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::Timeout | Self::Connect | Self::Reset)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    Get,
    Head,
}

impl Method {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
        }
    }
}

/// The end of one job for one URL: an answer or a failure, and how it went.
#[derive(Debug)]
pub struct Outcome {
    pub result: Result<Answer, Failure>,
    /// Every request made for it, in order, the last one included; empty when nothing was sent.
    pub attempts: Vec<Attempt>,
    /// The server asked to be left alone for this long, already capped; the host is paused by `fetch` itself.
    pub paused_host: Option<Duration>,
}

/// One request on the wire.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub method: Method,
    pub started: SystemTime,
    pub total: Duration,
    pub status: Option<u16>,
    pub failure: Option<FailureKind>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// A sentence for the person, without the URL.
    pub detail: String,
}

/// An answer as the server gave it.
#[derive(Debug)]
pub struct Answer {
    pub method: Method,
    pub status: u16,
    /// `HTTP/1.0`, `HTTP/1.1`, `HTTP/2`.
    pub version: &'static str,
    /// Names lower-cased, values as received (invalid UTF-8 replaced), in order, duplicates kept.
    pub headers: Vec<(Box<str>, Box<str>)>,
    /// Decoded body; empty where none was read.
    pub body: Vec<u8>,
    /// Whether `body` was asked for at all (false for HEAD and for a GET closed after the headers).
    pub body_read: bool,
    /// Bytes of body on the wire.
    pub transferred: u64,
    /// The body was cut at the cap or at the compression-ratio stop.
    pub truncated: bool,
    /// Why the body was cut, as a sentence, where that was not at the cap.
    pub cut_reason: Option<&'static str>,
    /// The body ended before its announced end; what came is kept.
    pub incomplete: bool,
    /// The content coding did not decode to its end; what decoded is kept.
    pub decode_error: Option<String>,
    pub remote: Option<SocketAddr>,
    pub started: SystemTime,
    pub timing: Timing,
    /// A failing HEAD preceded this GET: its status, or `None` for no answer.
    pub head_status: Option<Option<u16>>,
    /// Nothing was asked: the host's own Strict-Transport-Security turned the http URL into an https one (307).
    pub synthetic: bool,
    /// What is wrong with the certificate, where the person said to go on all the same.
    pub certificate_fault: Option<FailureKind>,
    /// The redirect leads to the URL itself although the cookies that came with it were sent back: it is a loop.
    pub cookie_loop: bool,
    pub validators: Validators,
    /// The server said that what an earlier crawl holds did not change (304): status, body and headers are the earlier ones,
    /// the headers renewed by those that came; the times and the bytes transferred are those of the request.
    pub not_modified: bool,
    /// Held while the decoded body is in memory; returns its bytes to the global budget when dropped.
    pub budget: Option<Box<dyn std::any::Any + Send + Sync>>,
}

/// What a server knows its own answer by at a later request: its first ETag and Last-Modified, byte for byte, since a
/// value that is not echoed exactly matches nothing. Empty values count as none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    pub etag: Option<Box<[u8]>>,
    pub last_modified: Option<Box<[u8]>>,
}

impl Validators {
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

impl Answer {
    /// First value of a header (name in lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| &**key == name).map(|(_, value)| &**value)
    }

    pub const fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    /// Media type without parameters, lower-cased; `None` when the header is absent or empty.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        let essence = value.split([';', ',']).next().unwrap_or_default().trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }

    /// Whether the declared type is HTML or XHTML.
    pub fn is_html(&self) -> bool {
        matches!(self.media_type().as_deref(), Some("text/html" | "application/xhtml+xml"))
    }
}

/// Where the time of one request went. Connect and TLS come combined from the HTTP client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timing {
    pub dns: Option<Duration>,
    /// TCP and TLS; `None` on a reused connection.
    pub connect: Option<Duration>,
    /// From sending to the first byte of the answer.
    pub first_byte: Duration,
    /// From sending to the end of the body.
    pub total: Duration,
}
