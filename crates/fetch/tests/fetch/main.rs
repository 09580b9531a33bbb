//! The fetcher against a scripted server on loopback, with a clock that is moved by hand.

mod auth;
mod bodies;
mod clock;
mod cookies;
mod failures;
mod feeds;
mod guard;
mod head;
mod hsts;
mod http;
mod overrides;
mod pace;
mod proxies;
mod robots;
mod server;
mod sitemaps;
mod tls;
mod unless_known;
mod watch;

use clock::HandClock;
use gossamer_fetch::{BoxFuture, Direct, Fetcher, Resolve, Roots, Seams, Want};
use model::plan::{FetchPlan, Pace};
use model::settings::Start;
use model::{Address, Job, Outcome, Plan};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// Names that lead to 127.0.0.1, or where a test says.
#[derive(Debug, Default)]
pub(crate) struct Names(pub HashMap<String, Vec<IpAddr>>);

impl Resolve for Names {
    fn resolve(&self, host: &str) -> BoxFuture<io::Result<Vec<IpAddr>>> {
        let found = self.0.get(host).cloned().unwrap_or_else(|| match host.ends_with(".test") {
            true => vec![Ipv4Addr::LOCALHOST.into()],
            false => Vec::new(),
        });
        Box::pin(async move { Ok(found) })
    }
}

/// The plan of a job, as it is without any setting.
pub(crate) fn plan_of(job: Job) -> Plan {
    let mut plan = model::settings::resolve(Start { job, ..Start::default() }, &[], &[]).unwrap();
    plan.agent.header = AGENT.to_owned();
    plan.http.proxy = model::plan::ProxyRule::Direct;
    plan
}

pub(crate) fn plan() -> Plan {
    let mut plan = plan_of(Job::Audit);
    plan.pace = Pace { concurrency: 5, delay: Duration::ZERO };
    plan.fetch = FetchPlan {
        timeout: TIMEOUT,
        retries: vec![HALF, ONE],
        redirects: 10,
        body_cap: 10 << 20,
        sitemap_cap: 100 << 20,
        retry_after_cap: Duration::from_secs(120),
        inflight_budget: 64 << 20,
        ..plan.fetch
    };
    plan
}

pub(crate) const AGENT: &str = "GossamerBot/0.0 (test)";
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);
pub(crate) const HALF: Duration = Duration::from_millis(500);
pub(crate) const ONE: Duration = Duration::from_secs(1);

pub(crate) fn seams(clock: &HandClock) -> Seams {
    Seams {
        clock: Arc::new(clock.clone()),
        resolver: Arc::new(Names::default()),
        dial: Arc::new(Direct),
        roots: Roots::Only(Vec::new()),
    }
}

pub(crate) fn fetcher(clock: &HandClock, change: impl FnOnce(&mut Plan)) -> Fetcher {
    let mut plan = plan();
    change(&mut plan);
    Fetcher::new(&plan, seams(clock)).unwrap()
}

pub(crate) fn spawn(fetcher: &Fetcher, address: Address, want: Want) -> JoinHandle<Outcome> {
    let fetcher = fetcher.clone();
    tokio::spawn(async move { fetcher.fetch(&address, want).await })
}

/// Lets every task that can run do so, the sockets included, as often as a few round trips need.
pub(crate) async fn settle() {
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
}

pub(crate) fn status(outcome: &Outcome) -> u16 {
    outcome.result.as_ref().expect("an answer").status
}
