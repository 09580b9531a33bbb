//! Reading one body: decoded as it comes, within its caps and the global budget.

use crate::budget::{Budget, Held};
use crate::classify;
use crate::decode::Decoder;
use model::{Answer, Clock};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Past this many decoded bytes the compression ratio is looked at.
const RATIO_FROM: u64 = 1 << 20;

/// More than a hundred decoded bytes for one received is no page but a decompression bomb (CWE-409).
const RATIO_MAX: u64 = 100;

/// Decoded bytes that are taken from the budget at a time.
const GRANT: usize = 64 * 1024;

/// What is reserved at once at most, whatever Content-Length promises.
const RESERVE_MAX: u64 = 256 * 1024;

/// Bytes that decide whether a body without a type is HTML (WHATWG MIME Sniffing §7.1 looks at 1,445).
const SNIFF: usize = 1445;

/// Which bodies are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// None: the connection is closed after the headers.
    Nothing,
    /// HTML by type, or without a type by its first bytes; redirects' bodies are not looked at.
    Html { cap: u64 },
    /// That of any 2xx answer.
    Success { cap: u64 },
}

/// What the headers say about reading the body.
enum Decision {
    Leave,
    Read { cap: usize, sniff: bool },
}

impl Reading {
    fn decide(self, answer: &Answer) -> Decision {
        // These never have content (RFC 9110 §15), whatever follows the headers.
        if matches!(answer.status, 204 | 205 | 304) {
            return Decision::Leave;
        }
        let cap = |cap: u64| usize::try_from(cap).unwrap_or(usize::MAX);
        match self {
            Self::Html { cap: bytes } if !answer.is_redirect() => match answer.media_type() {
                None => Decision::Read { cap: cap(bytes), sniff: true },
                Some(_) if answer.is_html() => Decision::Read { cap: cap(bytes), sniff: false },
                Some(_) => Decision::Leave,
            },
            Self::Success { cap: bytes } if (200..300).contains(&answer.status) => {
                Decision::Read { cap: cap(bytes), sniff: false }
            }
            _ => Decision::Leave,
        }
    }
}

/// The time limit of one request, headers and body together. Time spent waiting for our own memory does not count.
pub(crate) struct TimeLimit<'a> {
    clock: &'a dyn Clock,
    deadline: Instant,
    over: Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// The time limit was reached.
#[derive(Debug)]
pub(crate) struct TimeIsUp;

impl<'a> TimeLimit<'a> {
    pub(crate) fn starting(clock: &'a dyn Clock, start: Instant, limit: Duration) -> Self {
        Self { clock, deadline: start + limit, over: clock.sleep(limit) }
    }

    pub(crate) async fn within<T>(&mut self, future: impl Future<Output = T>) -> Result<T, TimeIsUp> {
        tokio::select! {
            biased;
            done = future => Ok(done),
            () = &mut self.over => Err(TimeIsUp),
        }
    }

    /// Takes bytes from the budget, and moves the limit by the time that took.
    async fn grow(&mut self, held: &mut Held, more: u64) {
        if held.try_grow(more) {
            return;
        }
        let before = self.clock.now();
        held.grow(more).await;
        let waited = self.clock.now().saturating_duration_since(before);
        self.deadline += waited;
        self.over = self.clock.sleep(self.deadline.saturating_duration_since(self.clock.now()));
    }
}

/// Reads the body of `response` into `answer` as `reading` says. What came is kept whatever happens, except when the
/// time is up.
pub(crate) async fn read(
    response: &mut reqwest::Response,
    answer: &mut Answer,
    reading: Reading,
    budget: &Arc<Budget>,
    time: &mut TimeLimit<'_>,
) -> Result<(), TimeIsUp> {
    let Decision::Read { cap, mut sniff } = reading.decide(answer) else { return Ok(()) };
    let announced = response.content_length();
    let codings =
        answer.headers.iter().filter(|(name, _)| &**name == "content-encoding").map(|(_, value)| &**value);
    let mut decoder = Decoder::for_header(codings);
    let mut held = budget.open();
    if let Some(length) = announced {
        let expected = if decoder.is_plain() { length } else { length.saturating_mul(4) };
        answer.body.reserve(usize::try_from(expected.min(RESERVE_MAX)).unwrap_or(0).min(cap));
    }
    answer.body_read = true;
    let mut damage = None;
    // One byte more than is kept tells whether the body is larger.
    let limit = cap.saturating_add(1);
    'reading: loop {
        let chunk = match time.within(response.chunk()).await? {
            Ok(Some(chunk)) => chunk,
            Ok(None) => {
                answer.incomplete = !decoder.is_complete();
                break;
            }
            Err(error) => {
                let unframed = announced.is_none() && answer.header("transfer-encoding").is_none();
                answer.incomplete =
                    !(unframed && classify::is_missing_farewell(&error) && decoder.is_complete());
                break;
            }
        };
        let before = answer.transferred;
        answer.transferred += chunk.len() as u64;
        let mut input = &chunk[..];
        loop {
            let granted = usize::try_from(held.bytes()).unwrap_or(usize::MAX);
            let room = granted.min(limit).saturating_sub(answer.body.len());
            if room == 0 {
                if answer.body.len() >= limit {
                    break 'reading;
                }
                let more = GRANT.max(input.len().min(limit - answer.body.len()));
                time.grow(&mut held, more as u64).await;
                continue;
            }
            let length = answer.body.len();
            if let Err(error) = decoder.push(&mut input, &mut answer.body, room) {
                damage = Some(error.to_string());
                break 'reading;
            }
            let received = before + (chunk.len() - input.len()) as u64;
            let decoded = answer.body.len() as u64;
            if decoded > RATIO_FROM && decoded / received.max(1) > RATIO_MAX {
                answer.truncated = true;
                break 'reading;
            }
            if answer.body.len() - length < room {
                break;
            }
        }
        if sniff && answer.body.len() >= SNIFF {
            sniff = false;
            if !model::sniff::looks_like_html(&answer.body) {
                forget(answer);
                return Ok(());
            }
        }
        // With HTTP/1 the announced length is the end; asking once more would only wait for the client to say so.
        if announced == Some(answer.transferred) && answer.version != "HTTP/2" {
            answer.incomplete = !decoder.is_complete();
            break;
        }
        // Coded bytes without end that decode to nothing have no other bound.
        if answer.transferred > (cap as u64).saturating_mul(2).saturating_add(RATIO_FROM) {
            answer.truncated = true;
            break;
        }
    }
    if sniff && !model::sniff::looks_like_html(&answer.body) {
        forget(answer);
        return Ok(());
    }
    if answer.body.len() > cap {
        answer.body.truncate(cap);
        answer.truncated = true;
    }
    answer.decode_error = damage.or_else(|| decoder.complaint());
    if answer.body.capacity() > answer.body.len() + GRANT {
        answer.body.shrink_to_fit();
    }
    held.settle(answer.body.len() as u64);
    if !answer.body.is_empty() {
        answer.budget = Some(Box::new(held));
    }
    Ok(())
}

/// The body turned out not to be wanted.
fn forget(answer: &mut Answer) {
    answer.body = Vec::new();
    answer.body_read = false;
    answer.incomplete = false;
    answer.truncated = false;
}
