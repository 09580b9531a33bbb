//! Asking an origin for its robots.txt (RFC 9309 §2.3): redirects followed, a bounded part read.

use crate::body::Reading;
use crate::exchange::Exchange;
use crate::fetcher::Inner;
use model::outcome::Attempt;
use model::{Address, AddressError, Answer, Failure, FailureKind, Secret};
use std::time::Instant;

/// Bytes that count (RFC 9309 §2.5 asks for at least 500 KiB). One more is kept, so that whoever reads the rules sees that the
/// file goes on, and leaves out the line that is cut there.
const COUNT: u64 = 512_000;

/// Redirects that are followed, to other hosts too (RFC 9309 §2.3.1.2).
pub(crate) const HOPS: usize = 5;

/// What came of asking an origin for its robots.txt, redirects included.
#[derive(Debug)]
pub struct RobotsAnswer {
    /// The address that gave the last answer, without credentials; `None` when the origin was no address.
    pub final_url: Option<Address>,
    /// The last status, or why there was none.
    pub result: Result<u16, Failure>,
    /// The decoded bytes of a 2xx answer, at most 512,000 and one that says there are more; empty otherwise.
    pub bytes: Vec<u8>,
    /// The file is larger than what was read.
    pub too_large: bool,
    /// Redirects that were followed, in order.
    pub hops: Vec<RobotsHop>,
    pub attempts: Vec<Attempt>,
}

/// One redirect on the way to a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsHop {
    /// The address that redirected, without credentials.
    pub url: Address,
    pub status: u16,
}

/// What a robots.txt answer means for a crawl (RFC 9309 §2.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RobotsReading {
    /// 2xx: the bytes hold the rules.
    Rules,
    /// 4xx but 429, a redirect that leads nowhere or too far: there are no rules.
    NoRules,
    /// 5xx, 429, no answer or one that broke off: nobody knows.
    Unknown,
}

impl RobotsAnswer {
    pub(crate) fn no_address(error: &AddressError) -> Self {
        let detail = format!("There is no robots.txt to ask for: {error}.");
        Self { result: Err(Failure { kind: FailureKind::InvalidUrl, detail }), ..Self::unasked() }
    }

    const fn unasked() -> Self {
        Self {
            final_url: None,
            result: Ok(0),
            bytes: Vec::new(),
            too_large: false,
            hops: Vec::new(),
            attempts: Vec::new(),
        }
    }

    /// What the answer means for a crawl.
    pub fn reading(&self) -> RobotsReading {
        match &self.result {
            Ok(200..=299) => RobotsReading::Rules,
            Ok(429 | 500..) => RobotsReading::Unknown,
            Ok(_) => RobotsReading::NoRules,
            Err(failure) if failure.kind == FailureKind::TooManyRedirects => RobotsReading::NoRules,
            Err(_) => RobotsReading::Unknown,
        }
    }
}

/// How far asking for a robots.txt may go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Redirects that are followed.
    pub(crate) hops: usize,
    /// No request goes on beyond this moment.
    pub(crate) deadline: Option<Instant>,
}

impl Bounds {
    /// Those of the standard.
    pub(crate) const STANDARD: Self = Self { hops: HOPS, deadline: None };
}

/// Asks for the robots.txt at `start`.
pub(crate) async fn ask(fetcher: &Inner, start: Address, bounds: Bounds) -> RobotsAnswer {
    let mut at = start;
    let mut told = RobotsAnswer::unasked();
    loop {
        let shown = at.without_credentials().0;
        told.final_url = Some(shown.clone());
        let mut exchange = Exchange::new(fetcher, &at).until(bounds.deadline).wanting_whole(COUNT);
        let reading = Reading::Success { cap: COUNT + 1 };
        let result = if fetcher.asks_single_addresses() {
            exchange.get_alone(reading).await
        } else {
            exchange.get(reading).await
        };
        let outcome = exchange.outcome(result);
        told.attempts.extend(outcome.attempts);
        let answer = match outcome.result {
            Ok(answer) => answer,
            Err(failure) => {
                told.result = Err(failure);
                return told;
            }
        };
        told.result = Ok(answer.status);
        let Some(next) = target(&at, &answer) else {
            told.too_large = answer.body.len() as u64 > COUNT;
            told.bytes = answer.body;
            return told;
        };
        if told.hops.len() >= bounds.hops {
            told.result = Err(too_many(bounds.hops));
            return told;
        }
        told.hops.push(RobotsHop { url: shown, status: answer.status });
        at = next;
    }
}

/// Where a redirect leads; `None` for other answers and for a Location that is missing or leads nowhere. A login that the
/// site writes into it is left out: it would be used in the place of the person's own.
pub(crate) fn target(from: &Address, answer: &Answer) -> Option<Address> {
    if !answer.is_redirect() {
        return None;
    }
    let next = from.join(answer.header("location")?).ok()?;
    let is_own = Secret::of_address(&next) == Secret::of_address(from);
    Some(if is_own { next } else { next.without_credentials().0 })
}

pub(crate) fn too_many(hops: usize) -> Failure {
    Failure {
        kind: FailureKind::TooManyRedirects,
        detail: format!("There are more than {hops} redirects in a row."),
    }
}
