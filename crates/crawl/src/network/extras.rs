//! Probes and confirmations on the network thread.

use super::{Refused, Shared};
use crate::extras::{Along, Extra};
use crate::lanes::Job;
use crate::messages::{ToParse, ToWriter};
use crate::probes::{ProbeJob, ProbeKind};
use crate::robots_cache::Origin;
use fetch::Want;
use model::address::origin_of;
use model::{Address, Failure, FailureKind, Outcome, Purpose};
use std::future::Future;
use std::io;
use std::time::Duration;
use store::ProbeRow;

impl Shared {
    pub(super) async fn extra(&self, extra: Extra) {
        match extra {
            Extra::Probe(job) => {
                let made = if job.kind == ProbeKind::RandomHost {
                    Err(self.look_up(&job).await)
                } else {
                    self.probe(job).await
                };
                match made {
                    Ok(answered) => drop(self.to_parse.send(answered)),
                    Err(row) => drop(self.to_writer.send(ToWriter::Probe(Box::new(row)))),
                }
            }
            Extra::Confirm(job) => self.confirm(job).await,
            Extra::Follow(job, along) => self.follow(job, &along).await,
            Extra::Compare(job) => self.compare(job).await,
        }
    }

    async fn look_up(&self, job: &ProbeJob) -> ProbeRow {
        let answer = self.within(self.around.patience, self.around.resolver.resolve(&job.subject)).await;
        job.name_row(answer.unwrap_or_else(|| Err(io::ErrorKind::TimedOut.into())))
    }

    /// Asks a probe's URL, or gives its row where nothing is to be read. A twin of the site is often no server at all: each
    /// step of a probe waits for one time limit, without the retries that a URL of the site gets.
    async fn probe(&self, job: ProbeJob) -> Result<ToParse, ProbeRow> {
        let failed =
            |kind: FailureKind, detail: String| ProbeRow { failure: Some(kind), ..job.row("failed", detail) };
        let Ok(address) = Address::parse(&job.subject) else {
            return Err(failed(
                FailureKind::InvalidUrl,
                "no request can be made for this address".to_owned(),
            ));
        };
        let silent = || {
            let detail = format!("No complete answer within {} s.", self.around.patience.as_secs_f64());
            failed(FailureKind::Timeout, detail)
        };
        let origin =
            Origin { host: job.host, text: origin_of(&job.subject), internal: job.internal, quiet: true };
        let asked = self.robots.rules(origin, &self.fetcher, &self.to_writer);
        let rules = self.within(self.around.patience, asked).await.ok_or_else(silent)?;
        match self.refusal(&rules, &job.subject, job.internal) {
            None => {}
            Some(Refused::Blocked(reason)) => return Err(job.row("blocked", reason)),
            Some(Refused::Failed(failure)) => return Err(failed(failure.kind, failure.detail)),
        }
        let bot_allowed = rules.audited.allows(&job.subject);
        let outcome = self
            .within(self.around.patience, self.fetcher.fetch_as_written(&address, job.kind.want()))
            .await
            .ok_or_else(silent)?;
        Ok(ToParse::Probe { job, bot_allowed, outcome })
    }

    async fn confirm(&self, job: Job) {
        let (bot_allowed, want) = (self.bot_allowed(&job).await, self.want_again(&job));
        let outcome = match Address::parse(&job.text) {
            Ok(address) => self.fetcher.fetch_again(&address, want).await,
            Err(error) => unaskable(error.to_string()),
        };
        let _ = self.to_parse.send(ToParse::Confirmed { job, bot_allowed, outcome });
    }

    async fn compare(&self, job: Job) {
        let bot_allowed = self.bot_allowed(&job).await;
        let outcome = match Address::parse(&job.text) {
            Ok(address) => self.fetcher.fetch_as_second_agent(&address, Want::Page).await,
            Err(error) => unaskable(error.to_string()),
        };
        let _ = self.to_parse.send(ToParse::Compared { job, bot_allowed, outcome });
    }

    async fn follow(&self, job: Job, along: &[Along]) {
        let (bot_allowed, want) = (self.bot_allowed(&job).await, self.want_again(&job));
        let (outcome, at, loops) = match Address::parse(&job.text) {
            Ok(address) => {
                let hops = usize::from(self.policy.redirects.most);
                let may_ask = async |next: &Address| self.may_ask(next, along).await;
                let followed = self.fetcher.follow_with_cookies(&address, hops, want, may_ask).await;
                (followed.end, followed.at.to_string(), followed.loops)
            }
            Err(error) => (unaskable(error.to_string()), job.text.clone(), true),
        };
        let internal = along.iter().any(|known| known.internal && known.origin == origin_of(&at));
        let _ = self.to_parse.send(ToParse::Followed { job, bot_allowed, outcome, at, internal, loops });
    }

    /// Whether robots.txt lets a hop be asked. An origin that is not among those of the loop is asked for nothing here: the
    /// crawl meets it as where the chain leads.
    async fn may_ask(&self, address: &Address, along: &[Along]) -> bool {
        let text = address.origin();
        let Some(known) = along.iter().find(|known| known.origin == text) else { return false };
        let origin = Origin { host: known.host, text: &text, internal: known.internal, quiet: false };
        let rules = self.robots.rules(origin, &self.fetcher, &self.to_writer).await;
        self.refusal(&rules, address.as_str(), known.internal).is_none()
    }

    /// What a URL was asked for, by GET.
    fn want_again(&self, job: &Job) -> Want {
        match job.purpose {
            Purpose::Crawl | Purpose::Check if job.internal && self.around.download => Want::Body,
            Purpose::Crawl if job.internal => Want::Page,
            Purpose::Crawl | Purpose::Check | Purpose::Store => Want::Status,
        }
    }

    async fn bot_allowed(&self, job: &Job) -> bool {
        let origin =
            Origin { host: job.host, text: origin_of(&job.text), internal: job.internal, quiet: false };
        self.robots.rules(origin, &self.fetcher, &self.to_writer).await.audited.allows(&job.text)
    }

    /// What a future gives, if it does so in time.
    async fn within<T>(&self, limit: Duration, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.around.clock.sleep(limit) => None,
        }
    }
}

fn unaskable(detail: String) -> Outcome {
    let failure = Failure { kind: FailureKind::InvalidUrl, detail };
    Outcome { result: Err(failure), attempts: Vec::new(), paused_host: None }
}
