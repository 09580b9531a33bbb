//! What origins say in their robots.txt, kept for as long as the policy says. Only good answers are kept.

use super::outcome::RobotsLooked;
use crate::fetcher::Inner;
use crate::robots_txt::{self, Bounds, RobotsAnswer, RobotsReading};
use model::outcome::Attempt;
use model::{Address, Failure};
use robots::{Group, RobotsTxt, RuleLine};
use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Origins that are remembered at most.
const MAX_ORIGINS: usize = 1_000;

/// The rules of origins.
#[derive(Debug, Default)]
pub(super) struct RobotsMemory {
    /// A std lock: it is held for a look-up and never across an await.
    origins: StdMutex<HashMap<String, Arc<Origin>>>,
}

/// Whoever asks for an origin's file holds this, so that two who want it ask once.
type Origin = Mutex<Option<Kept>>;

#[derive(Debug, Clone)]
struct Kept {
    group: Group,
    status: u16,
    too_large: bool,
    until: Instant,
}

/// How a robots.txt is asked for.
pub(super) struct Asking<'a> {
    pub(super) fetcher: &'a Inner,
    /// Whose group is followed; where there is none, that of `*`.
    pub(super) token: &'a str,
    /// How long a good answer holds.
    pub(super) kept: Duration,
    pub(super) bounds: Bounds,
}

/// What robots.txt means for one address.
pub(super) enum Verdict {
    Allowed,
    Disallowed(Option<RuleLine>),
    /// Nobody knows: the status, or why there was none.
    Unread(Result<u16, Failure>),
}

impl RobotsMemory {
    /// Whether an address may be asked, and what was done to find that out.
    pub(super) async fn judge(
        &self,
        address: &Address,
        asking: &Asking<'_>,
    ) -> (Verdict, RobotsLooked, Vec<Attempt>) {
        let origin = address.without_credentials().0.origin();
        let place = self.place(&origin);
        let mut place = place.lock().await;
        let now = asking.fetcher.clock.now();
        if let Some(kept) = place.as_ref().filter(|kept| now < kept.until) {
            let looked =
                RobotsLooked { origin, remembered: true, result: Ok(kept.status), too_large: kept.too_large };
            return (verdict(&kept.group, address), looked, Vec::new());
        }
        *place = None;
        let answer = match address.join("/robots.txt") {
            Ok(at) => robots_txt::ask(asking.fetcher, at, asking.bounds).await,
            Err(error) => RobotsAnswer::no_address(&error),
        };
        let reading = answer.reading();
        let looked = RobotsLooked {
            origin,
            remembered: false,
            result: answer.result.clone(),
            too_large: answer.too_large,
        };
        let file = match reading {
            RobotsReading::Rules => RobotsTxt::parse(&answer.bytes),
            RobotsReading::NoRules => RobotsTxt::allow_all(),
            RobotsReading::Unknown => return (Verdict::Unread(answer.result), looked, answer.attempts),
        };
        let group = file.group(asking.token);
        let verdict = verdict(&group, address);
        // A chain of redirects that is too long means that there are no rules, but it is no good answer.
        if let Ok(status) = answer.result {
            // The file is as old as the end of its request.
            let until = asking.fetcher.clock.now() + asking.kept;
            *place = Some(Kept { group, status, too_large: answer.too_large, until });
        }
        (verdict, looked, answer.attempts)
    }

    fn place(&self, origin: &str) -> Arc<Origin> {
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = origins.get(origin) {
            return Arc::clone(place);
        }
        if origins.len() >= MAX_ORIGINS {
            // Those that are being asked right now are held by somebody else, too.
            origins.retain(|_, place| Arc::strong_count(place) > 1);
        }
        let place = Arc::new(Origin::default());
        origins.insert(origin.to_owned(), Arc::clone(&place));
        place
    }
}

fn verdict(group: &Group, address: &Address) -> Verdict {
    let decision = group.decide_path(address.path_and_query());
    if decision.allowed { Verdict::Allowed } else { Verdict::Disallowed(decision.line) }
}
