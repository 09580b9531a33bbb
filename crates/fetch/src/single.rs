//! One address asked for by itself: how a Watch captures a page and how a feed is polled.
//!
//! The policy of the job says whether robots.txt is read first, how many redirects are followed, how long it may take
//! and what is read. Nothing is asked twice, nothing is paused, no cookie is kept; what comes of it is a value. *When*
//! the address is due is not decided here.

mod outcome;
mod robots_memory;

pub use outcome::{Ended, RobotsLooked, SingleOutcome};

use crate::address_rule::{AddressRule, OwnHost};
use crate::body::Reading;
use crate::exchange::Exchange;
use crate::fetcher::{FetchError, Fetcher};
use crate::robots_txt::{self, Bounds, RobotsHop};
use crate::seams::Seams;
use model::policy::{Conditional, Content, Refusal, RobotsObedience, RobotsReach, Span, WATCH};
use model::{Address, Answer, Failure, FailureKind, Plan, Policy, Validators};
use robots_memory::{Asking, RobotsMemory, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Asks for one address at a time under the policy of its plan, a Watch's or that of Feeds. Clones share what they know.
#[derive(Debug, Clone)]
pub struct Single {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    plan: Plan,
    seams: Seams,
    fetcher: Fetcher,
    robots: RobotsMemory,
    /// A Watch captures one page after the other; feeds wait for one another only where they share a host.
    turn: Mutex<()>,
}

/// What an address was known by when it was read last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The address that gave the answer: validators mean nothing to any other, and are sent to no other.
    pub address: Address,
    pub validators: Validators,
}

impl Single {
    /// Sets the client up; nothing is sent. To be used inside a tokio runtime.
    pub fn new(plan: &Plan, seams: Seams) -> Result<Self, FetchError> {
        let rule = AddressRule::from(plan.policy.addresses);
        Self::under(plan, seams, rule)
    }

    /// The same, with one host let through that need not be public: the host of `own`, on the usual ports and on its own.
    /// For one page, because a person said so about it. Nothing is shared with `self`, connections least of all.
    pub fn allowing(&self, own: &Address) -> Result<Self, FetchError> {
        let rule = match AddressRule::from(self.shared.plan.policy.addresses) {
            AddressRule::Any => AddressRule::Any,
            AddressRule::PublicOnly | AddressRule::PublicOr(_) => {
                AddressRule::PublicOr(OwnHost::of(own.url()))
            }
        };
        Self::under(&self.shared.plan, self.shared.seams.clone(), rule)
    }

    fn under(plan: &Plan, seams: Seams, rule: AddressRule) -> Result<Self, FetchError> {
        let fetcher = Fetcher::under(plan, seams.clone(), rule)?;
        Ok(Self {
            shared: Arc::new(Shared {
                plan: plan.clone(),
                seams,
                fetcher,
                robots: RobotsMemory::default(),
                turn: Mutex::new(()),
            }),
        })
    }

    /// Asks for `address`, following redirects as far as the policy goes. With `known`, only for what changed since.
    pub async fn read(&self, address: &Address, known: Option<&Known>) -> SingleOutcome {
        let shared = &*self.shared;
        let policy = &shared.plan.policy;
        let turn = match policy.span {
            Span::OneAddress => Some(shared.turn.lock().await),
            _ => None,
        };
        let deadline = policy.time.job.map(|limit| shared.seams.clock.now() + limit);
        let mut outcome = SingleOutcome::of(address.without_credentials().0);
        let known = known.filter(|_| policy.conditional == Conditional::EveryPoll);
        let ended = shared.journey(address, known, deadline, &mut outcome).await;
        outcome.conclude(ended, shared.seams.clock.wall());
        drop(turn);
        outcome
    }
}

impl Shared {
    async fn journey(
        &self,
        start: &Address,
        known: Option<&Known>,
        deadline: Option<Instant>,
        outcome: &mut SingleOutcome,
    ) -> Ended {
        let policy = &self.plan.policy;
        let mut at = start.clone();
        loop {
            outcome.final_url = at.without_credentials().0;
            if let Some(ended) = self.held_back(&at, deadline, outcome).await {
                return ended;
            }
            let condition = known.filter(|known| known.address == outcome.final_url);
            let mut exchange = Exchange::new(self.fetcher.inner(), &at)
                .unless_known(condition.map(|known| known.validators.clone()).unwrap_or_default())
                .until(deadline);
            let result = exchange.get_alone(reading(policy)).await;
            let done = exchange.outcome(result);
            outcome.attempts.extend(done.attempts);
            let answer = match done.result {
                Ok(mut answer) => {
                    // Few are read at a time, and whoever gathers several must not keep the last ones from being read.
                    answer.budget = None;
                    answer
                }
                Err(failure) => return Ended::Failed(failure),
            };
            match robots_txt::target(&at, &answer) {
                Some(_) if outcome.hops.len() >= usize::from(policy.redirects.most) => {
                    return Ended::Failed(robots_txt::too_many(usize::from(policy.redirects.most)));
                }
                Some(next) => {
                    outcome.hops.push(RobotsHop { url: outcome.final_url.clone(), status: answer.status });
                    at = next;
                }
                None => {
                    return concluded(
                        policy,
                        answer,
                        condition.is_some_and(|known| !known.validators.is_empty()),
                    );
                }
            }
        }
    }

    /// Why the next address is not asked: its origin's robots.txt, where the job obeys any.
    async fn held_back(
        &self,
        at: &Address,
        deadline: Option<Instant>,
        outcome: &mut SingleOutcome,
    ) -> Option<Ended> {
        let rules = robots_rules(&self.plan.policy)?;
        // What is refused by its address needs no robots.txt to be refused.
        if let Err(refused) = self.fetcher.inner().addresses.check_url(at.url()) {
            let detail = refused.to_string();
            return Some(Ended::Failed(Failure { kind: FailureKind::AddressNotAllowed, detail }));
        }
        let origin = at.without_credentials().0.origin();
        let hops = robots_txt::HOPS.min(usize::from(rules.redirects.most));
        let asking = Asking {
            fetcher: self.fetcher.inner(),
            token: &self.plan.agent.token,
            kept: kept(rules),
            bounds: Bounds { hops, deadline },
        };
        let (verdict, looked, attempts) = self.robots.judge(at, &asking).await;
        outcome.attempts.extend(attempts);
        outcome.robots.push(looked);
        match verdict {
            Verdict::Allowed => None,
            Verdict::Disallowed(line) => Some(Ended::Disallowed { origin, line }),
            Verdict::Unread(Ok(status)) => Some(Ended::RobotsUnread { origin, result: Ok(status) }),
            // It is the address itself that cannot be reached, or may not be.
            Verdict::Unread(Err(failure)) if failure.kind == FailureKind::AddressNotAllowed => {
                Some(Ended::Failed(failure))
            }
            Verdict::Unread(Err(failure)) => Some(Ended::RobotsUnread { origin, result: Err(failure) }),
        }
    }
}

/// By whose rules robots.txt is read; `None` where it is not. A feed that is to obey it obeys as a Watch does.
const fn robots_rules(policy: &Policy) -> Option<&Policy> {
    match policy.robots {
        RobotsObedience::NotRead { also_obey: false } | RobotsObedience::Switch { on: false } => None,
        RobotsObedience::NotRead { also_obey: true } => Some(&WATCH),
        RobotsObedience::Always | RobotsObedience::Switch { on: true } => Some(policy),
    }
}

/// How long a good answer holds.
const fn kept(rules: &Policy) -> Duration {
    match rules.robots_reach {
        RobotsReach::EachHop { kept } => kept,
        _ => Duration::ZERO,
    }
}

const fn reading(policy: &Policy) -> Reading {
    let cap = policy.body_cap.page;
    match policy.content {
        Content::Feeds => Reading::Feed { cap },
        Content::Html | Content::Site { .. } => Reading::Html { cap },
    }
}

/// What an answer that leads nowhere else means to the job.
fn concluded(policy: &Policy, answer: Answer, was_conditional: bool) -> Ended {
    match (answer.status, policy.refusal) {
        // Without a condition there is nothing that the page could be the same as.
        (304, _) if was_conditional => Ended::NotModified(Box::new(answer)),
        (status, Refusal::TakenOff { statuses }) if statuses.contains(&status) => {
            Ended::Refused(Box::new(answer))
        }
        _ => Ended::Answered(Box::new(answer)),
    }
}
