//! Reading one body: decoded as it comes, within its caps and the global budget.

use crate::budget::{Budget, Held};
use crate::classify;
use crate::decode::Decoder;
use crate::wire;
use model::{Answer, Clock};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Past this many decoded bytes the compression ratio is looked at.
pub(crate) const RATIO_FROM: u64 = 1 << 20;

/// More than a hundred decoded bytes for one received is no page but a decompression bomb (CWE-409).
pub(crate) const RATIO_MAX: u64 = 100;

/// What is told of a body that was cut for its ratio.
pub(crate) const RATIO_REASON: &str =
    "The body decompressed to more than 100 times its size; the rest was not read.";

const _: () = assert!(RATIO_MAX == 100);

/// Decoded bytes that are taken from the budget at a time.
const GRANT: usize = 64 * 1024;

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
    /// What may be a feed: that of a 2xx answer which is a web page, an image, a film or the like neither by its type nor,
    /// since feeds come under many types, by its first bytes.
    Feed { cap: u64 },
}

/// What the first bytes have to look like, or not, for the rest to be read.
#[derive(Debug, Clone, Copy)]
enum Sniff {
    Html,
    Feed,
}

impl Sniff {
    fn wants(self, first: &[u8]) -> bool {
        match self {
            Self::Html => model::sniff::looks_like_html(first),
            Self::Feed => !is_page_and_no_feed(first),
        }
    }
}

/// Whether these first bytes are those of a web page. A feed may begin with a comment, or with anything else that a careless
/// program puts before it, so that the outermost elements decide.
fn is_page_and_no_feed(first: &[u8]) -> bool {
    let text = first[..first.len().min(SNIFF)].to_ascii_lowercase();
    let has = |mark: &[u8]| text.windows(mark.len()).any(|window| window == mark);
    let is_feed = [b"<rss".as_slice(), b"<feed", b":feed", b"<rdf", b"<channel"].into_iter().any(has);
    !is_feed && (has(b"<!doctype html") || has(b"<html"))
}

/// Types that no feed ever has.
fn is_never_a_feed(media_type: &str) -> bool {
    let main = media_type.split('/').next().unwrap_or_default();
    matches!(main, "image" | "audio" | "video" | "font")
        || matches!(
            media_type,
            "application/pdf" | "application/zip" | "application/javascript" | "text/css" | "text/javascript"
        )
}

/// What the headers say about reading the body.
enum Decision {
    Leave,
    Read { cap: usize, sniff: Option<Sniff> },
}

impl Reading {
    /// The bytes that are read of a body that is wanted whatever it is; `None` for any other.
    pub(crate) fn kept(self, answer: &Answer) -> Option<u64> {
        match (self, self.decide(answer)) {
            (Self::Success { cap }, Decision::Read { .. }) => Some(cap),
            _ => None,
        }
    }

    fn decide(self, answer: &Answer) -> Decision {
        // These never have content (RFC 9110 §15), whatever follows the headers.
        if matches!(answer.status, 204 | 205 | 304) {
            return Decision::Leave;
        }
        let cap = |cap: u64| usize::try_from(cap).unwrap_or(usize::MAX);
        match self {
            Self::Html { cap: bytes } if !answer.is_redirect() => match answer.media_type() {
                None => Decision::Read { cap: cap(bytes), sniff: Some(Sniff::Html) },
                Some(_) if answer.is_html() => Decision::Read { cap: cap(bytes), sniff: None },
                Some(_) => Decision::Leave,
            },
            Self::Success { cap: bytes } if (200..300).contains(&answer.status) => {
                Decision::Read { cap: cap(bytes), sniff: None }
            }
            Self::Feed { cap: bytes }
                if (200..300).contains(&answer.status)
                    && !answer.media_type().is_some_and(|kind| is_never_a_feed(&kind)) =>
            {
                Decision::Read { cap: cap(bytes), sniff: Some(Sniff::Feed) }
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

    /// Waits for something of our own, and moves the limit by the time that took.
    pub(crate) async fn apart<T>(&mut self, waiting: impl Future<Output = T>) -> T {
        let before = self.clock.now();
        let done = waiting.await;
        let now = self.clock.now();
        if now > before {
            self.deadline += now.saturating_duration_since(before);
            self.over = self.clock.sleep(self.deadline.saturating_duration_since(now));
        }
        done
    }

    /// Takes bytes from the budget.
    async fn grow(&mut self, held: &mut Held, more: u64) {
        if !held.try_grow(more) {
            self.apart(held.grow(more)).await;
        }
    }
}

/// Reads the body of `response` into `answer` as `reading` says. What came is kept whatever happens, except when the
/// time is up.
pub(crate) async fn read(
    response: &mut wire::Response,
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
    answer.body_read = true;
    let mut damage = None;
    // The length up to which the body has taken its bytes from the budget, and those of the decoders' windows with it.
    let mut granted = 0;
    // One byte more than is kept tells whether the body is larger.
    let limit = cap.saturating_add(1);
    // Bytes that may come, and bytes that codings may make of them for one another.
    let most = (cap as u64).saturating_mul(2).saturating_add(RATIO_FROM);
    'reading: loop {
        let chunk = match time.within(response.chunk()).await? {
            Ok(Some(chunk)) => chunk,
            Ok(None) => {
                answer.incomplete = !decoder.is_complete();
                break;
            }
            Err(error) => {
                answer.incomplete = !is_whole(answer, announced, &error, &decoder);
                break;
            }
        };
        let before = answer.transferred;
        answer.transferred += chunk.len() as u64;
        let mut input = &chunk[..];
        loop {
            let length = answer.body.len();
            let room = granted.min(limit).saturating_sub(length);
            if room == 0 {
                if length >= limit {
                    break 'reading;
                }
                let more = GRANT.max(input.len()).min(limit - length);
                granted = length + more;
                let needed = granted as u64 + decoder.windows(more as u64);
                let missing = needed.saturating_sub(held.bytes());
                time.grow(&mut held, missing).await;
                make_room(&mut answer.body, granted);
                continue;
            }
            if let Err(error) = decoder.push(&mut input, &mut answer.body, room) {
                damage = Some(error.to_string());
                break 'reading;
            }
            let received = before + (chunk.len() - input.len()) as u64;
            // Bytes that only the next coding gets to see count as well.
            let decoded = decoder.most_produced().max(answer.body.len() as u64);
            let is_bomb = decoded > RATIO_FROM && decoded / received.max(1) > RATIO_MAX;
            if is_bomb || decoded > most {
                answer.truncated = true;
                answer.cut_reason = is_bomb.then_some(RATIO_REASON);
                break 'reading;
            }
            if answer.body.len() - length < room {
                break;
            }
        }
        if answer.body.len() >= SNIFF
            && let Some(sniff) = sniff.take()
            && !sniff.wants(&answer.body)
        {
            forget(answer);
            return Ok(());
        }
        // With HTTP/1 the announced length is the end; asking once more would only wait for the client to say so.
        if announced == Some(answer.transferred) && answer.version != "HTTP/2" {
            answer.incomplete = !decoder.is_complete();
            break;
        }
        // Coded bytes without end that decode to nothing have no other bound.
        if answer.transferred > most {
            answer.truncated = true;
            break;
        }
    }
    if sniff.is_some_and(|sniff| !sniff.wants(&answer.body)) {
        forget(answer);
        return Ok(());
    }
    answer.truncated |= answer.body.len() > cap;
    answer.body.truncate(cap);
    answer.decode_error = damage.or_else(|| decoder.complaint());
    answer.body.shrink_to_fit();
    held.settle(answer.body.len() as u64);
    if !answer.body.is_empty() {
        answer.budget = Some(Box::new(held));
    }
    Ok(())
}

/// Lets a body grow to `length` bytes. A large one gets a piece of memory so large that allocators ask the system for it
/// and give it back to it, whatever was asked for before (glibc: from 32 MB on); of that, only what is written to is taken.
/// A piece that grows step by step would leave holes of every size behind, which are kept: the program would hold a multiple
/// of what it holds in bodies.
fn make_room(body: &mut Vec<u8>, length: usize) {
    /// Bodies above this many bytes are large.
    const LARGE: usize = 1 << 20;
    const APART: usize = 33 << 20;
    if length > APART {
        body.reserve(length - body.len());
    } else if length > LARGE && body.capacity() < APART {
        body.reserve_exact(APART - body.len());
    }
}

/// Whether a body that ended with this error came whole all the same: no end of it was announced, and all that is missing
/// is TLS's farewell.
pub(crate) fn is_whole(
    answer: &Answer,
    announced: Option<u64>,
    error: &wire::Error,
    decoder: &Decoder,
) -> bool {
    let unframed = announced.is_none() && answer.header("transfer-encoding").is_none();
    unframed && classify::is_missing_farewell(error) && decoder.is_complete()
}

/// The body turned out not to be wanted.
fn forget(answer: &mut Answer) {
    answer.body = Vec::new();
    answer.body_read = false;
    answer.incomplete = false;
    answer.truncated = false;
    answer.cut_reason = None;
}
