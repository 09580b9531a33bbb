//! The job that runs: its thread, the switch that stops it, and the news that everybody reads.

use super::background;
use super::moment::iso;
use super::news::{JobNews, JobState, Notice, Notices, Rates, finished};
use super::refusal::ApiError;
use crate::dto::{AuditReport, AuditRequest, Counts, Ended, Event, Phase, Progress};
use crate::error::EngineError;
use crate::logins::Admission;
use crate::recheck::RecheckRequest;
use crate::seams::Engine;
use crawl::Control;
use fetch::HostState;
use model::Clock;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// What a job is asked to do.
#[derive(Debug, Clone)]
pub(super) enum Task {
    Audit(AuditRequest, Admission),
    /// The newest interrupted crawl of this project file.
    Resume(PathBuf, Admission),
    /// Findings of a crawl are looked at again.
    Recheck(RecheckRequest, Admission),
}

impl Task {
    pub(super) fn project(&self) -> &Path {
        match self {
            Self::Audit(request, _) => &request.project,
            Self::Resume(path, _) => path,
            Self::Recheck(request, _) => &request.project,
        }
    }

    fn run(
        &self,
        engine: &Engine,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        match self {
            Self::Audit(request, admission) => engine.audit_as(request, admission, control, observe),
            Self::Resume(path, admission) => engine.resume_as(path, admission, control, observe),
            Self::Recheck(request, admission) => engine.recheck_as(request, admission, control, observe),
        }
    }
}

/// One job, running or over.
pub(super) struct Job {
    number: u64,
    project: PathBuf,
    control: Control,
    clock: Arc<dyn Clock>,
    /// Std locks: they are held for a few assignments and never across an await.
    standing: Mutex<Standing>,
    /// Rung when the crawl is registered and when the job is over; threads wait for it.
    bell: Condvar,
    /// Whether there is something new to tell. There is one teller, which waits for these two.
    pub(super) changed: Notify,
    pub(super) over: Notify,
}

/// What is known of the job at a moment.
struct Standing {
    began: Instant,
    /// Frozen when the work is done.
    elapsed: Option<Duration>,
    state: JobState,
    /// The end has been told: `state` counts. Before that the job is shown as running, whatever `state` says.
    closed: bool,
    phase: Phase,
    crawl: Option<i64>,
    start_url: String,
    counts: Counts,
    resumed: bool,
    rate: f64,
    rates: Rates,
    current: Option<String>,
    issues: u64,
    warnings: u64,
    pages: u64,
    /// Grows with every change, the end among them, and never goes back.
    revision: u64,
    notices: Notices,
    error: Option<ApiError>,
}

impl Job {
    /// `notices` are those of the desk itself: they stand before those of the job.
    pub(super) fn new(number: u64, project: PathBuf, clock: Arc<dyn Clock>, notices: Notices) -> Self {
        let standing = Standing {
            began: clock.now(),
            elapsed: None,
            state: JobState::Running,
            closed: false,
            phase: Phase::Starting,
            crawl: None,
            start_url: String::new(),
            counts: Counts::default(),
            resumed: false,
            rate: 0.0,
            rates: Rates::default(),
            current: None,
            issues: 0,
            warnings: 0,
            pages: 0,
            revision: 0,
            notices,
            error: None,
        };
        let control = Control::new();
        control.work_in_background(background::give_way);
        Self {
            number,
            project,
            control,
            clock,
            standing: Mutex::new(standing),
            bell: Condvar::new(),
            changed: Notify::new(),
            over: Notify::new(),
        }
    }

    pub(super) fn project(&self) -> &Path {
        &self.project
    }

    pub(super) const fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Runs the task on this thread. `settled` is called when the project file is closed, before anybody hears of the end.
    pub(super) fn run(&self, task: &Task, engine: &Engine, settled: &dyn Fn(&JobNews)) {
        let work = || task.run(engine, &self.control, &|event| self.observe(event));
        // A fault of the program ends the job, not the window; the file is left as a killed process leaves it.
        let ended = catch_unwind(AssertUnwindSafe(work));
        let ended = ended.unwrap_or_else(|_| {
            Err(EngineError::Internal(
                "the audit ended unexpectedly; what was stored is safe and the crawl can be resumed"
                    .to_owned(),
            ))
        });
        let last = {
            let mut standing = self.lock();
            standing.conclude(ended.map_err(ApiError::from), self.clock.now());
            self.news(&standing, standing.state)
        };
        // Nor does a fault in what follows keep anybody waiting for the end.
        drop(catch_unwind(AssertUnwindSafe(|| settled(&last))));
        let mut standing = self.lock();
        standing.closed = true;
        standing.revision += 1;
        drop(standing);
        self.bell.notify_all();
        self.over.notify_one();
    }

    /// Waits until the crawl is registered, or gives the reason why it never was.
    pub(super) fn until_started(&self) -> Result<(), ApiError> {
        let standing = self.lock();
        let waiting = |standing: &mut Standing| standing.crawl.is_none() && !standing.closed;
        let standing = self.bell.wait_while(standing, waiting).unwrap_or_else(PoisonError::into_inner);
        match (&standing.crawl, &standing.error) {
            (None, Some(error)) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// Waits until the job is over, at most this long; whether it is.
    pub(super) fn until_over(&self, longest: Duration) -> bool {
        let running = |standing: &mut Standing| !standing.closed;
        let waited = self.bell.wait_timeout_while(self.lock(), longest, running);
        waited.unwrap_or_else(PoisonError::into_inner).0.closed
    }

    pub(super) fn pause(&self) {
        self.control.pause();
        self.note(|_| {});
    }

    pub(super) fn unpause(&self) {
        self.control.unpause();
        self.note(|_| {});
    }

    pub(super) fn stop(&self) {
        self.control.stop();
        self.note(|_| {});
    }

    /// How each host is being asked at this moment, where this job is at work on that crawl of that project.
    pub(super) fn hosts(&self) -> Option<HashMap<String, HostState>> {
        self.control.hosts()
    }

    pub(super) fn is_at_work_on(&self, project: &Path, crawl: i64) -> bool {
        self.project == project && self.lock().crawl == Some(crawl)
    }

    /// Lets a trap go on; false when the crawl takes that up no more.
    pub(super) fn allow_trap(&self, pattern: &str) -> bool {
        self.control.allow_trap(pattern)
    }

    pub(super) fn notice(&self, code: &str, message: String) {
        let moment = iso(model::clock::unix_millis(self.clock.wall()));
        self.note(|standing| standing.notices.push(Notice { moment, code: code.to_owned(), message }));
    }

    /// Something that is told changed: the revision says so, and whoever tells is woken.
    fn note(&self, change: impl FnOnce(&mut Standing)) {
        let mut standing = self.lock();
        change(&mut standing);
        standing.revision += 1;
        drop(standing);
        self.changed.notify_one();
    }

    /// Where the job stands now. Of two snapshots the later one never has the lower revision.
    pub(super) fn snapshot(&self) -> JobNews {
        let mut standing = self.lock();
        let second = standing.second(self.clock.now());
        standing.rates.pass(second);
        let state = if standing.closed { standing.state } else { JobState::Running };
        self.news(&standing, state)
    }

    pub(super) fn observe(&self, event: Event) {
        match event {
            Event::Started { crawl, seeds, resumed, .. } => {
                self.note(|standing| {
                    standing.crawl = Some(crawl);
                    standing.resumed = resumed;
                    standing.start_url = seeds.into_iter().next().unwrap_or_default();
                });
                self.bell.notify_all();
            }
            Event::Progress(progress) => {
                let now = self.clock.now();
                self.lock().progress(progress, now);
                self.changed.notify_one();
            }
            Event::Warning { code, message } => self.notice(&code, message),
        }
    }

    fn news(&self, standing: &Standing, state: JobState) -> JobNews {
        let elapsed = standing.elapsed.unwrap_or_else(|| self.clock.now().duration_since(standing.began));
        JobNews {
            job: self.number,
            project: self.project.display().to_string(),
            crawl: standing.crawl,
            start_url: standing.start_url.clone(),
            state,
            phase: self.phase(standing.phase),
            counts: standing.counts,
            elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            rate: standing.rate,
            rates: standing.rates.whole(),
            current: standing.current.clone(),
            issues: standing.issues,
            warnings: standing.warnings,
            revision: standing.revision,
            notices: standing.notices.all(),
            error: if state == JobState::Failed { standing.error.clone() } else { None },
            pages: standing.pages,
        }
    }

    /// The switch is newer than the crawl's last word about it.
    fn phase(&self, told: Phase) -> Phase {
        match told {
            Phase::Crawling | Phase::Confirming | Phase::Paused if self.control.is_paused() => Phase::Paused,
            Phase::Paused => Phase::Crawling,
            other => other,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Standing {
    fn progress(&mut self, progress: Progress, now: Instant) {
        let Progress { phase, counts, rate, current, issues, warnings, pages, .. } = progress;
        let second = self.second(now);
        // Of a resumed crawl the first counts are those of the time before.
        self.rates.begin(second, if self.resumed { finished(&counts) } else { 0 });
        self.rates.note(second, finished(&counts));
        if (self.counts, self.pages, self.issues, self.phase) != (counts, pages, issues, phase) {
            self.revision += 1;
        }
        self.phase = phase;
        self.counts = counts;
        self.rate = rate;
        self.current = current;
        self.issues = issues;
        self.warnings = warnings;
        self.pages = pages;
    }

    fn conclude(&mut self, ended: Result<AuditReport, ApiError>, now: Instant) {
        self.elapsed = Some(now.duration_since(self.began));
        self.revision += 1;
        let second = self.second(now);
        self.rates.pass(second);
        self.current = None;
        match ended {
            Ok(report) => {
                self.state = match report.ended {
                    Ended::Complete => JobState::Done,
                    Ended::Stopped => JobState::Stopped,
                };
                self.start_url = report.start_url;
                self.counts = report.counts;
                self.pages = report.pages;
                if report.ended == Ended::Complete {
                    let issues = report.issues.iter().filter(|line| line.severity == "issue");
                    self.issues = issues.map(|line| line.findings).sum();
                }
            }
            Err(error) => {
                self.state = JobState::Failed;
                self.error = Some(error);
            }
        }
    }

    /// Whole seconds since the job began.
    fn second(&self, now: Instant) -> u64 {
        now.duration_since(self.began).as_secs()
    }
}
