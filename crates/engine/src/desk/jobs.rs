//! Jobs of the desk: started, watched, paused and stopped, one at a time.

use super::job::{Job, Task};
use super::news::{JobNews, JobState};
use super::recent::Known;
use super::refusal::ApiError;
use super::request::{self, AuditForm};
use super::sign_in::SignIn;
use super::{Desk, background, beside, kept, lock, telling};
use crate::demo::Demo;
use crate::logins::Admission;
use crate::traps::TrapAllowed;
use std::path::Path;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

/// How long the program's end waits for a job to store what it has.
const LAST_WAIT: Duration = Duration::from_secs(10);

impl Desk {
    /// Starts an audit and opens its project. Everything that is wrong with the form is told at once, and nothing has
    /// begun then. Returns when the crawl is registered in its file.
    pub fn start_audit(&self, form: &AuditForm) -> Result<JobNews, ApiError> {
        let starting = lock(&self.starting);
        self.refuse_while_busy()?;
        let profile = self.profile_file(form.profile.as_deref());
        let admission = form.sign_in.admission();
        let request = match request::request(form, profile, &self.engine, &self.folders.projects) {
            Ok(request) => request,
            Err(first) => return Err(first.and(admission.err())),
        };
        self.start(starting, Task::Audit(request, admission?))
    }

    /// Continues the newest interrupted crawl of a project with what the keychain has, and opens the project. A crawl that
    /// was given credentials and finds none there is refused with code `credentials`.
    pub fn resume_audit(&self, path: &Path) -> Result<JobNews, ApiError> {
        self.resume_audit_as(path, &SignIn::Kept)
    }

    /// The same with what lets it in; [`SignIn::Without`] is never refused for that, and told with the crawl.
    pub fn resume_audit_as(&self, path: &Path, sign_in: &SignIn) -> Result<JobNews, ApiError> {
        let starting = lock(&self.starting);
        self.refuse_while_busy()?;
        self.start(starting, Task::Resume(request::absolute(path)?, sign_in.admission()?))
    }

    /// Serves the demo site and audits it, in a project that is made anew each time.
    pub fn start_demo(&self) -> Result<JobNews, ApiError> {
        let starting = lock(&self.starting);
        self.refuse_while_busy()?;
        let demo = Demo::start().map_err(|error| {
            ApiError::new("cannot_start", format!("The demo site could not be served: {error}"))
        })?;
        let folder = &self.folders.data;
        std::fs::create_dir_all(folder).map_err(|error| kept::unwritable(folder, &error))?;
        // Another window may be looking at its own demo.
        let mut names = (1_u32..).map(|number| folder.join(format!("demo-{number}.gossamer")));
        let project = names.find(|path| store::holder(path).is_none());
        let project = project.ok_or_else(|| ApiError::internal("no name is free for the demo's project"))?;
        self.close_project();
        for ending in ["", "-wal", "-shm"] {
            // Where it cannot be removed, the crawl is added to it.
            drop(std::fs::remove_file(beside(&project, ending)));
        }
        let form = AuditForm {
            address: demo.url(),
            project: Some(project.display().to_string()),
            ..AuditForm::default()
        };
        let request = request::request(&form, self.profile_file(None), &self.engine, folder)?;
        let news = self.start(starting, Task::Audit(request, Admission::default()))?;
        *lock(&self.demo) = Some(demo);
        Ok(news)
    }

    pub fn pause_job(&self) {
        if let Some(job) = self.newest() {
            job.pause();
        }
    }

    pub fn continue_job(&self) {
        if let Some(job) = self.newest() {
            job.unpause();
        }
    }

    /// What is stored stays, and the crawl can be resumed.
    pub fn stop_job(&self) {
        if let Some(job) = self.newest() {
            job.stop();
        }
    }

    /// Lets a trap go on: at once where its crawl runs here, else with the next resuming.
    pub fn allow_trap(&self, crawl: i64, pattern: &str) -> Result<TrapAllowed, ApiError> {
        let project = self.opened()?.path.clone();
        if let Some(job) = self.at_work_on(&project, crawl) {
            return if job.allow_trap(pattern) {
                Ok(TrapAllowed { resume: false })
            } else {
                Err(ApiError::new(
                    "busy",
                    "The audit is being finished. Try again when it is done.".to_owned(),
                ))
            };
        }
        self.engine.allow_trap(&project, crawl, pattern)?;
        Ok(TrapAllowed { resume: true })
    }

    /// The newest job of this program run, running or over.
    pub fn job(&self) -> Option<JobNews> {
        self.newest().map(|job| job.snapshot())
    }

    /// Tells `listener` the newest state at once and then every job's news: at most five times a second, at least once,
    /// and of the end at once. It is called from threads of the desk and must return quickly.
    pub fn subscribe(&self, listener: Box<dyn Fn(JobNews) + Send>) {
        let newest = self.newest();
        self.listeners.add(listener, newest.as_deref());
    }

    /// Nobody listens any more: the page that did is gone.
    pub fn unsubscribe_all(&self) {
        self.listeners.clear();
    }

    /// Stops the job and waits until its file is settled, ten seconds at most; whether it is.
    pub fn shutdown(&self) -> bool {
        let Some(job) = self.newest() else { return true };
        job.stop();
        job.until_over(LAST_WAIT)
    }

    /// Starts the task on a thread of its own and waits until its crawl is registered. A task that never gets there
    /// leaves no trace.
    pub(super) fn start(&self, mut count: MutexGuard<'_, u64>, task: Task) -> Result<JobNews, ApiError> {
        let project = task.project().to_owned();
        let notices = lock(&self.notices).clone();
        let clock = Arc::clone(self.engine.clock());
        let job = Arc::new(Job::new(*count + 1, project.clone(), clock, notices));
        let (engine, recents, worker) = (self.engine.clone(), self.recents.clone(), Arc::clone(&job));
        spawn("job", move || {
            background::step_back();
            worker.run(&task, &engine, &|news| {
                // A job that never began has done nothing to its project.
                if news.crawl.is_some()
                    && let Err(error) = recents.remember(worker.project(), known_of(&task, news))
                {
                    worker.notice("recent", error.message);
                }
            });
        })?;
        job.until_started()?;
        *count += 1;
        *lock(&self.newest) = Some(Arc::clone(&job));
        // The job runs, whether or not its project can be shown.
        self.heed(self.turn_to(project.clone()).map(|()| None));
        self.heed(self.recents.remember(&project, None));
        let (listeners, told) = (Arc::clone(&self.listeners), Arc::clone(&job));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.map_err(|error| ApiError::internal(format!("no timer: {error}")))?;
        spawn("news", move || runtime.block_on(telling::tell(told, listeners)))?;
        Ok(job.snapshot())
    }

    pub(super) fn refuse_while_busy(&self) -> Result<(), ApiError> {
        match self.job() {
            Some(news) if news.state == JobState::Running => Err(ApiError::new(
                "busy",
                format!("An audit of {} is running. Wait for it or stop it first.", news.start_url),
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn newest(&self) -> Option<Arc<Job>> {
        lock(&self.newest).clone()
    }

    /// The job that runs here on a crawl of a project, if any does.
    pub(super) fn at_work_on(&self, project: &Path, crawl: i64) -> Option<Arc<Job>> {
        self.newest()
            .filter(|job| job.snapshot().state == JobState::Running && job.is_at_work_on(project, crawl))
    }
}

/// What the recent projects say of a job that has ended. Nothing where it only looked at some URLs again: they tell of the site.
fn known_of(task: &Task, news: &JobNews) -> Option<Known> {
    if matches!(task, Task::Recheck(..)) {
        return None;
    }
    let state = match news.state {
        JobState::Done => "finished",
        JobState::Running | JobState::Stopped => "interrupted",
        // The file says how; it is looked at when the list is.
        JobState::Failed => "",
    };
    Some(Known {
        start_url: news.start_url.clone(),
        state: state.to_owned(),
        pages: news.pages,
        issues: news.issues,
        resumable: news.state == JobState::Stopped,
        ..Known::default()
    })
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
    match std::thread::Builder::new().name(name.to_owned()).spawn(work) {
        Ok(_) => Ok(()),
        Err(error) => Err(ApiError::internal(format!("a thread could not be started: {error}"))),
    }
}
