//! What a person says about findings of the open project, and looking at them again.

use super::Desk;
use super::job::Task;
use super::lock;
use super::news::JobNews;
use super::refusal::ApiError;
use super::sign_in::SignIn;
use crate::dto::{Access, CrawlChoice};
use crate::project::Project;
use crate::recheck::{RecheckReport, RecheckRequest};
use crate::said::{EvaluateRequest, IgnoreRequest, IgnoredCard, SeverityCard, ThresholdValue};
use serde::Deserialize;

/// Findings that are to be looked at again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecheckForm {
    /// Whose findings.
    pub crawl: i64,
    /// Empty for every audit.
    pub audits: Vec<String>,
    /// Empty for every URL.
    pub urls: Vec<String>,
    #[serde(default)]
    pub sign_in: SignIn,
}

impl Desk {
    /// Everything that is ignored, the newest first, with the findings of a crawl that each entry keeps back.
    pub fn ignored(&self, crawl: i64) -> Result<Vec<IgnoredCard>, ApiError> {
        Ok(self.said(Access::Read)?.ignored(CrawlChoice::Number(crawl))?)
    }

    /// Ignores findings; gives the new entries.
    pub fn ignore(&self, request: &IgnoreRequest) -> Result<Vec<IgnoredCard>, ApiError> {
        Ok(self.said(Access::Write)?.ignore(request)?)
    }

    /// Counts the findings of an entry again.
    pub fn stop_ignoring(&self, number: i64) -> Result<(), ApiError> {
        Ok(self.said(Access::Write)?.stop_ignoring(number)?)
    }

    /// The audits that weigh something else in this project.
    pub fn severities(&self) -> Result<Vec<SeverityCard>, ApiError> {
        Ok(self.said(Access::Read)?.severities()?)
    }

    /// Lets an audit weigh this much; without a severity, what it says itself.
    pub fn set_severity(
        &self,
        audit: &str,
        severity: Option<&str>,
        priority: Option<&str>,
    ) -> Result<(), ApiError> {
        let mut project = self.said(Access::Write)?;
        match severity {
            Some(severity) => project.set_severity(audit, severity, priority)?,
            None => project.reset_severity(audit)?,
        }
        Ok(())
    }

    /// The thresholds of an audit as the crawl would be judged with them now.
    pub fn thresholds(&self, crawl: i64, audit: &str) -> Result<Vec<ThresholdValue>, ApiError> {
        Ok(self.said(Access::Read)?.thresholds(crawl, audit)?)
    }

    /// Judges a crawl again with thresholds that the project keeps from now on; those of `reset` it gives up. `observe` is told how
    /// much is done, from 0 to 1. `ticket` names the call for `cancel_custom`; it then ends with code `cancelled`, and all stays as
    /// it was.
    pub fn evaluate(
        &self,
        crawl: i64,
        set: &[(String, String)],
        reset: &[String],
        ticket: u64,
        observe: &mut dyn FnMut(f64),
    ) -> Result<(), ApiError> {
        self.refuse_while_at_work()?;
        let request = EvaluateRequest {
            project: self.opened()?.path.clone(),
            crawl: CrawlChoice::Number(crawl),
            set: set.to_vec(),
            reset: reset.to_vec(),
        };
        let cancel = self.custom.begin(ticket);
        let judged = self.engine.evaluate(&request, &mut |_, share| {
            observe(share);
            !cancel.is_cancelled()
        });
        self.custom.end(ticket);
        judged?;
        Ok(())
    }

    /// Starts looking at findings again, as a job.
    pub fn start_recheck(&self, form: &RecheckForm) -> Result<JobNews, ApiError> {
        let starting = lock(&self.starting);
        self.refuse_while_busy()?;
        let request = RecheckRequest {
            project: self.opened()?.path.clone(),
            audits: form.audits.clone(),
            urls: form.urls.clone(),
            crawl: CrawlChoice::Number(form.crawl),
            ..RecheckRequest::default()
        };
        self.start(starting, Task::Recheck(request, form.sign_in.admission()?))
    }

    /// What a crawl that looked again at findings came to.
    pub fn recheck(&self, crawl: i64) -> Result<RecheckReport, ApiError> {
        Ok(self.insight()?.recheck(crawl)?)
    }

    /// The open project, for one question or one change.
    fn said(&self, access: Access) -> Result<Project, ApiError> {
        if access == Access::Write {
            self.refuse_while_at_work()?;
        }
        Ok(self.engine.open(&self.opened()?.path, access)?)
    }

    /// A crawl holds the file that it writes to until it is done.
    fn refuse_while_at_work(&self) -> Result<(), ApiError> {
        let project = self.opened()?.path.clone();
        match self.newest().map(|job| job.snapshot()) {
            Some(news)
                if news.state == super::JobState::Running
                    && news.project == project.display().to_string() =>
            {
                Err(ApiError::new(
                    "busy",
                    "The project is being written by the job that runs. Wait for it or stop it first."
                        .to_owned(),
                ))
            }
            _ => Ok(()),
        }
    }
}
