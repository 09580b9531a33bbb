//! Following a chain of redirects as one visitor, cookies included: what tells a gate from a loop.

use crate::body::Reading;
use crate::cookies::Jar;
use crate::exchange::Exchange;
use crate::fetcher::Inner;
use crate::robots_txt;
use model::{Address, Outcome};
use std::collections::HashSet;

/// Where a chain of redirects led.
#[derive(Debug)]
pub struct Followed {
    /// The addresses that redirected, without credentials, and their statuses, in order.
    pub hops: Vec<(Address, u16)>,
    /// The address that was asked last, or was not to be asked, without credentials.
    pub at: Address,
    /// The end: its result is that of the last address asked; `TooManyRedirects` where there were more hops than allowed.
    /// The attempts are those of the whole chain.
    pub end: Outcome,
    /// The same URL would be asked with the same cookies a second time: the chain has no end.
    pub loops: bool,
}

pub(crate) async fn with_cookies(
    fetcher: &Inner,
    start: &Address,
    most: usize,
    reading: Reading,
    may_ask: impl AsyncFn(&Address) -> bool,
) -> Followed {
    let (mut at, mut jar) = (start.clone(), Jar::default());
    let (mut hops, mut attempts, mut paused, mut loops) = (Vec::new(), Vec::new(), None, false);
    let mut asked = HashSet::new();
    let result = loop {
        let mut exchange = Exchange::along(fetcher, &at, jar);
        let shown = at.without_credentials().0;
        asked.insert((shown.as_str().to_owned(), exchange.cookies()));
        let result = exchange.get(reading).await;
        let (outcome, after) = exchange.outcome_and_jar(result);
        jar = after;
        attempts.extend(outcome.attempts);
        paused = paused.max(outcome.paused_host);
        let next = outcome.result.as_ref().ok().and_then(|answer| robots_txt::target(&at, answer));
        let (Ok(answer), Some(next)) = (&outcome.result, next) else { break outcome.result };
        let next_cookies = Exchange::along(fetcher, &next, jar.clone()).cookies();
        loops = answer.cookie_loop
            || asked.contains(&(next.without_credentials().0.as_str().to_owned(), next_cookies));
        if loops {
            break outcome.result;
        }
        hops.push((shown, answer.status));
        if !may_ask(&next).await {
            at = next;
            break outcome.result;
        }
        if hops.len() > most {
            break Err(robots_txt::too_many(most));
        }
        at = next;
    };
    Followed {
        hops,
        at: at.without_credentials().0,
        end: Outcome { result, attempts, paused_host: paused },
        loops,
    }
}
