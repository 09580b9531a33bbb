//! What a loopback server answers, well-formed or not.

use std::time::Duration;
use tokio::sync::watch;

/// One scripted answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) wait: Wait,
    pub(crate) reply: Reply,
    /// What follows the last byte.
    pub(crate) then: Then,
    /// A different answer for HEAD requests.
    pub(crate) head: Option<Box<Answer>>,
}

/// What stands before the first byte.
#[derive(Debug, Clone)]
pub(crate) struct Wait {
    pub(crate) delay: Duration,
    pub(crate) gate: Option<Gate>,
}

#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Status line, headers and body by the rules; HEAD gets the headers alone.
    Proper { status: u16, headers: Vec<(String, String)>, body: Vec<u8>, pace: Pace },
    /// Exactly these bytes, whatever the method.
    Raw { bytes: Vec<u8>, pace: Pace },
    /// No byte at all, the connection stays open until the client gives up.
    Silence,
    /// No byte at all.
    Nothing,
}

/// How fast a body leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pace {
    AtOnce,
    Drip { piece: usize, every: Duration },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The connection serves further requests if the client allows.
    Keep,
    Close,
    /// A TCP reset instead of an orderly close.
    Reset,
}

/// A barrier in front of an answer that the test opens when it likes.
#[derive(Debug, Clone)]
pub struct Gate(watch::Sender<bool>);

impl Gate {
    pub fn closed() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Lets every waiting and every later request through.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn passed(&self) {
        // The sender lives as long as `self`, so waiting ends only by opening.
        let _ = self.0.subscribe().wait_for(|open| *open).await;
    }
}

impl Answer {
    fn of(reply: Reply, then: Then) -> Self {
        Self { wait: Wait { delay: Duration::ZERO, gate: None }, reply, then, head: None }
    }

    /// A status without a body.
    pub fn status(status: u16) -> Self {
        Self::of(
            Reply::Proper { status, headers: Vec::new(), body: Vec::new(), pace: Pace::AtOnce },
            Then::Keep,
        )
    }

    /// 200 with a body of the given media type.
    pub fn body(media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::status(200).header("Content-Type", media_type).with_body(body)
    }

    /// 200 with an HTML document in UTF-8.
    pub fn html(document: impl Into<Vec<u8>>) -> Self {
        Self::body("text/html; charset=utf-8", document)
    }

    /// A small, valid page: title, h1, and these links as anchors.
    pub fn page<S: AsRef<str>>(title: &str, links: &[S]) -> Self {
        use std::fmt::Write as _;
        let mut document = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n<body><h1>{title}</h1>\n"
        );
        for link in links {
            let link = link.as_ref();
            // Writing to a String cannot fail.
            let _ = writeln!(document, "<a href=\"{link}\">to {link}</a>");
        }
        document.push_str("</body></html>\n");
        Self::html(document)
    }

    pub fn text(text: &str) -> Self {
        Self::body("text/plain; charset=utf-8", text)
    }

    pub fn redirect(status: u16, location: &str) -> Self {
        Self::status(status).header("Location", location)
    }

    /// Exactly these bytes, then the connection is closed.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self::of(Reply::Raw { bytes: bytes.into(), pace: Pace::AtOnce }, Then::Close)
    }

    /// The connection is closed without an answer.
    pub fn close() -> Self {
        Self::of(Reply::Nothing, Then::Close)
    }

    /// The connection is reset without an answer.
    pub fn reset() -> Self {
        Self::of(Reply::Nothing, Then::Reset)
    }

    /// Nothing is ever sent.
    pub fn hang() -> Self {
        Self::of(Reply::Silence, Then::Close)
    }

    #[must_use]
    pub fn with_body(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        if let Reply::Proper { body, .. } = &mut self.reply {
            *body = bytes.into();
        }
        self
    }

    /// The same answer under another status.
    #[must_use]
    pub fn as_status(mut self, code: u16) -> Self {
        if let Reply::Proper { status, .. } = &mut self.reply {
            *status = code;
        }
        self
    }

    /// Adds a header. `Content-Length` given here replaces the right one, so that it can lie.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Reply::Proper { headers, .. } = &mut self.reply {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Waits before the first byte.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.wait.delay = delay;
        self
    }

    /// Waits before the first byte until the test opens the gate.
    #[must_use]
    pub fn behind(mut self, gate: &Gate) -> Self {
        self.wait.gate = Some(gate.clone());
        self
    }

    /// Sends the body in pieces of `piece` bytes with a wait before each.
    #[must_use]
    pub fn drip(mut self, piece: usize, every: Duration) -> Self {
        if let Reply::Proper { pace, .. } | Reply::Raw { pace, .. } = &mut self.reply {
            *pace = Pace::Drip { piece: piece.max(1), every };
        }
        self
    }

    /// Closes the connection after the answer.
    #[must_use]
    pub fn then_close(mut self) -> Self {
        self.then = Then::Close;
        self
    }

    /// Resets the connection after the bytes of the answer.
    #[must_use]
    pub fn then_reset(mut self) -> Self {
        self.then = Then::Reset;
        self
    }

    /// Answers HEAD with something else than the headers of GET.
    #[must_use]
    pub fn but_for_head(mut self, head: Self) -> Self {
        self.head = Some(Box::new(head));
        self
    }
}

impl Reply {
    /// The bytes on the wire: what is sent at once, and what is sent at the reply's pace.
    pub(crate) fn bytes(&self, head_request: bool, closing: bool) -> (Vec<u8>, Vec<u8>, Pace) {
        match self {
            Self::Silence | Self::Nothing => (Vec::new(), Vec::new(), Pace::AtOnce),
            Self::Raw { bytes, pace } => (Vec::new(), bytes.clone(), *pace),
            Self::Proper { status, headers, body, pace } => {
                let mut start = format!("HTTP/1.1 {status} {}\r\n", reason(*status));
                let named = |name: &str| headers.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
                for (name, value) in headers {
                    start.push_str(&format!("{name}: {value}\r\n"));
                }
                let bodiless = matches!(status, 100..=199 | 204 | 304);
                if !bodiless && !named("content-length") && !named("transfer-encoding") {
                    start.push_str(&format!("Content-Length: {}\r\n", body.len()));
                }
                if closing && !named("connection") {
                    start.push_str("Connection: close\r\n");
                }
                start.push_str("\r\n");
                let body = if head_request || bodiless { Vec::new() } else { body.clone() };
                (start.into_bytes(), body, *pace)
            }
        }
    }
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
