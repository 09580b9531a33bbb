//! By what terms a crawl read robots.txt: its token, the audited bot, and what its policy makes of a file that cannot be read.

use crate::settings;
use model::Plan;
use model::plan::Mode;
use model::policy::{Job, UnreadableRobots};
use model::settings::Start;
use store::{Reader, StoreError};

pub(super) struct Terms {
    /// The crawl's own product token.
    pub(super) own: String,
    pub(super) bot: String,
    /// What the crawl's settings say; `None` where they cannot be read by this version.
    plan: Option<Plan>,
}

/// A file as it was answered for.
pub(super) struct Answered<'a> {
    /// `ok`, `missing`, `unreachable` or `throttled`.
    pub(super) state: &'a str,
    pub(super) status: Option<u16>,
    pub(super) error: Option<&'a str>,
    pub(super) internal: bool,
}

impl Terms {
    pub(super) fn of(reader: &Reader, crawl: i64) -> Result<Self, StoreError> {
        let sql = "SELECT profile, job, audited_bot FROM crawl WHERE id = ?1";
        let stored = reader.one(sql, &[crawl.into()], |row| {
            let job = Job::from_word(row.text(1)).unwrap_or_default();
            let start = Start { seeds: Vec::new(), mode: Mode::Site, job };
            (settings::stored_plan(start, row.text(0)).ok(), row.text(2).to_owned())
        })?;
        let (plan, bot) = stored.ok_or(StoreError::NoCrawl(crawl))?;
        let own = match &plan {
            Some(plan) => plan.agent.token.clone(),
            None => model::settings::DEFAULT_TOKEN.to_owned(),
        };
        Ok(Self { own, bot, plan })
    }

    /// What came of asking for a file, and what that means for the crawl.
    pub(super) fn outcome(&self, answered: &Answered<'_>) -> String {
        let answer = match (answered.error, answered.status) {
            (Some(error), _) => error.trim_end_matches(['.', ' ']).to_owned(),
            (None, Some(status)) => format!("status {status}"),
            (None, None) => "no answer".to_owned(),
        };
        format!("{answer}: {}", self.means(answered))
    }

    fn means(&self, answered: &Answered<'_>) -> &'static str {
        let plan = self.plan.as_ref();
        let ignored = answered.internal && plan.is_some_and(|plan| !plan.robots.obey);
        let rule = plan.map_or(UnreadableRobots::CrawlWithWarning, |plan| match answered.state {
            "throttled" => plan.policy.robots_throttled,
            _ => plan.policy.robots_down,
        });
        match (answered.state, rule) {
            ("ok", _) if ignored => "its rules are shown and not followed, as the settings say",
            ("ok", _) => "its rules are followed",
            ("missing", _) => "no rules",
            (_, UnreadableRobots::SiteNotCrawled | UnreadableRobots::NotFetched) => {
                "the rules are unknown; nothing is asked of this site"
            }
            _ => "the rules are unknown; the crawl goes on all the same",
        }
    }
}
