//! News of a job as the window shows it: whole snapshots, each complete in itself.

use super::refusal::ApiError;
use crate::dto::{Counts, Phase};
use serde::Serialize;
use std::collections::VecDeque;

/// Where the newest job stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JobNews {
    /// Counts the jobs of this program run, from 1.
    pub job: u64,
    /// Path of the project file.
    pub project: String,
    pub crawl: Option<i64>,
    pub start_url: String,
    pub state: JobState,
    pub phase: Phase,
    pub counts: Counts,
    pub elapsed_ms: u64,
    /// URLs finished a second over the last few seconds.
    pub rate: f64,
    /// URLs finished in each of the last 120 whole seconds, oldest first.
    pub rates: Vec<f64>,
    /// The URL begun last; for the eye only.
    pub current: Option<String>,
    pub issues: u64,
    pub warnings: u64,
    /// Grows whenever counts do.
    pub revision: u64,
    /// The last 200, oldest first.
    pub notices: Vec<Notice>,
    pub error: Option<ApiError>,
    /// Internal HTML pages read so far.
    pub pages: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    Running,
    Done,
    /// By a person; it can be resumed.
    Stopped,
    Failed,
}

/// Something a person should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Notice {
    /// ISO 8601 UTC.
    pub moment: String,
    pub code: String,
    pub message: String,
}

/// Notices kept of a job.
const NOTICES: usize = 200;

/// The last notices of something.
#[derive(Debug, Clone, Default)]
pub(super) struct Notices(VecDeque<Notice>);

impl Notices {
    pub(super) fn push(&mut self, notice: Notice) {
        if self.0.len() == NOTICES {
            self.0.pop_front();
        }
        self.0.push_back(notice);
    }

    pub(super) fn all(&self) -> Vec<Notice> {
        self.0.iter().cloned().collect()
    }
}

/// Whole seconds of which the rate is kept.
const SECONDS: usize = 120;

/// URLs finished in each second, from a total that is told now and then.
#[derive(Debug, Default)]
pub(super) struct Rates {
    /// The second that goes on.
    second: u64,
    /// The total at its beginning, once one was told.
    before: Option<u64>,
    total: u64,
    whole: VecDeque<f64>,
}

impl Rates {
    /// What was finished earlier than this job, and so is no work of it.
    pub(super) const fn begin(&mut self, second: u64, total: u64) {
        if self.before.is_none() {
            self.second = second;
            self.before = Some(total);
            self.total = total;
        }
    }

    /// The total at a moment of `second`.
    pub(super) fn note(&mut self, second: u64, total: u64) {
        self.begin(second, total);
        self.pass(second);
        self.total = total;
    }

    /// Closes the seconds before `second`: what was not told to have happened later happened in the one that went on.
    pub(super) fn pass(&mut self, second: u64) {
        let Some(before) = self.before else { return };
        if second <= self.second {
            return;
        }
        self.push(self.total.saturating_sub(before) as f64);
        let idle = (second - self.second - 1).min(SECONDS as u64);
        for _ in 0..idle {
            self.push(0.0);
        }
        self.before = Some(self.total);
        self.second = second;
    }

    pub(super) fn whole(&self) -> Vec<f64> {
        self.whole.iter().copied().collect()
    }

    fn push(&mut self, rate: f64) {
        if self.whole.len() == SECONDS {
            self.whole.pop_front();
        }
        self.whole.push_back(rate);
    }
}

/// URLs that need nothing more.
pub(super) const fn finished(counts: &Counts) -> u64 {
    counts.fetched + counts.failed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_differences_of_a_total_by_the_second() {
        let check = |told: &[(u64, u64)], until: u64, expect: &[f64]| {
            let mut rates = Rates::default();
            rates.begin(0, 0);
            for (second, total) in told {
                rates.note(*second, *total);
            }
            rates.pass(until);
            assert_eq!(rates.whole(), expect, "{told:?}");
        };
        check(&[], 2, &[0.0, 0.0]);
        check(&[(0, 3), (0, 10)], 1, &[10.0]);
        check(&[(0, 10), (1, 25)], 1, &[10.0]);
        check(&[(0, 10), (1, 25), (4, 30)], 5, &[10.0, 15.0, 0.0, 0.0, 5.0]);
        // A clock that stands still or goes back, and a total that shrinks, do no harm.
        check(&[(3, 10), (2, 20), (3, 15)], 4, &[0.0, 0.0, 0.0, 15.0]);
    }

    #[test]
    fn what_was_finished_before_a_resumed_job_is_not_its_work() {
        let mut rates = Rates::default();
        rates.begin(0, 1_000);
        rates.note(0, 1_005);
        rates.pass(1);
        assert_eq!(rates.whole(), [5.0]);
    }

    #[test]
    fn two_minutes_are_kept() {
        let mut rates = Rates::default();
        rates.begin(0, 0);
        for second in 0..500 {
            rates.note(second, second + 1);
        }
        assert_eq!(rates.whole(), vec![1.0; 120]);
        rates.pass(100_000_000);
        assert_eq!(rates.whole(), vec![0.0; 120]);
    }

    #[test]
    fn the_last_two_hundred_notices_are_kept() {
        let mut notices = Notices::default();
        for number in 0..450 {
            notices.push(Notice { moment: String::new(), code: number.to_string(), message: String::new() });
        }
        let codes: Vec<String> = notices.all().into_iter().map(|notice| notice.code).collect();
        assert_eq!((codes.len(), codes[0].as_str(), codes[199].as_str()), (200, "250", "449"));
    }
}
