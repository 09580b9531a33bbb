//! What the window works with: the open project, the job that runs, profiles, preferences and recent projects, behind one
//! value that any thread may call.
//!
//! Calls block until they are done and never wait for a job to end; whoever calls from a window does so from a thread that
//! may wait.
//!
//! Absences: no window, no dialog and no event loop is known here.

mod background;
mod custom;
mod form;
mod job;
mod jobs;
mod kept;
mod moment;
mod news;
mod preferences;
mod profiles;
mod recent;
mod refusal;
mod request;
mod results;
mod robots;
mod said;
mod sign_in;
mod telling;

pub use form::{LockedRow, SettingRow, SettingSection, SettingsForm};
pub use news::{JobNews, JobState, Notice};
pub use profiles::ProfileCard;
pub use recent::RecentProject;
pub use refusal::{ApiError, FieldError};
pub use request::AuditForm;
pub use said::RecheckForm;
pub use sign_in::{GivenCredential, SignIn, SignInNeeded, SignInPlace};

use crate::demo::Demo;
use crate::dto::{Access, CrawlCard};
use crate::seams::Engine;
use crate::table::Tables;
use crate::table::tickets::Tickets;
use job::Job;
use model::address::Address;
use news::Notices;
use preferences::Preferences;
use profiles::Profiles;
use recent::{Recents, name_of};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use telling::Listeners;

/// Where the desk keeps its things.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Profiles and preferences.
    pub config: PathBuf,
    /// The list of recent projects.
    pub data: PathBuf,
    /// New project files, unless the person says otherwise.
    pub projects: PathBuf,
}

/// A project file as the window shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProjectCard {
    pub path: String,
    pub name: String,
    /// Size of the file and its log.
    pub bytes: u64,
    /// Oldest first.
    pub crawls: Vec<CrawlCard>,
}

/// Files written in this program run that may be shown in their folder.
const WRITTEN: usize = 1_000;

/// Everything behind the window.
pub struct Desk {
    engine: Engine,
    folders: Folders,
    open: Mutex<Option<Arc<OpenProject>>>,
    /// The number of jobs so far; held while one is being started, which may take as long as its file takes to open.
    starting: Mutex<u64>,
    newest: Mutex<Option<Arc<Job>>>,
    /// The demo site lives as long as somebody may look at what was crawled.
    demo: Mutex<Option<Demo>>,
    listeners: Arc<Listeners>,
    recents: Recents,
    profiles: Profiles,
    preferences: Preferences,
    /// Notices of the desk itself: they stand before those of every job.
    notices: Arc<Mutex<Notices>>,
    written: Mutex<VecDeque<PathBuf>>,
    /// Calls of the robots.txt sandbox that run.
    sandboxes: Tickets,
    /// Calls about what a person adds to a project that run.
    custom: Tickets,
    /// The newest computing of fields: its ticket, pages done, pages in all.
    computing: Mutex<(u64, u64, u64)>,
    /// Held while the keychain's list changes: it is read, changed and written.
    keeping: Mutex<()>,
}

/// The project that the window shows.
struct OpenProject {
    path: PathBuf,
    tables: Tables,
}

impl Desk {
    /// Touches no file yet.
    pub fn new(engine: Engine, folders: Folders) -> Self {
        Self {
            open: Mutex::new(None),
            starting: Mutex::new(0),
            newest: Mutex::new(None),
            demo: Mutex::new(None),
            listeners: Arc::default(),
            recents: Recents::new(&folders.data, engine.clone()),
            profiles: Profiles::new(&folders.config),
            preferences: Preferences::new(&folders.config),
            notices: Arc::default(),
            written: Mutex::default(),
            sandboxes: Tickets::default(),
            custom: Tickets::default(),
            computing: Mutex::default(),
            keeping: Mutex::default(),
            folders,
            engine,
        }
    }

    // ---- Projects

    /// Opens a project file beside whatever writes to it. Opening the one that is open keeps its tables.
    pub fn open_project(&self, path: &Path) -> Result<ProjectCard, ApiError> {
        let path = request::absolute(path)?;
        let card = self.card(&path)?;
        self.turn_to(path.clone())?;
        self.heed(self.recents.remember(&path, None));
        Ok(card)
    }

    pub fn close_project(&self) {
        *lock(&self.open) = None;
    }

    /// The open project as it is now.
    pub fn project(&self) -> Result<Option<ProjectCard>, ApiError> {
        let open = lock(&self.open).clone();
        open.map(|open| self.card(&open.path)).transpose()
    }

    /// Newest first, at most thirty.
    pub fn recent_projects(&self) -> Result<Vec<RecentProject>, ApiError> {
        let (mut projects, notice) = self.recents.list()?;
        self.heed(Ok(notice));
        // The file of a running job is behind what is known here.
        if let Some(news) = self.job().filter(|news| news.state == JobState::Running)
            && let Some(project) = projects.iter_mut().find(|project| project.path == news.project)
        {
            project.start_url = news.start_url;
            project.state = "running".to_owned();
            (project.pages, project.issues) = (news.pages, news.issues);
            project.resumable = false;
        }
        Ok(projects)
    }

    /// Takes a project off the list; its file stays.
    pub fn forget_project(&self, path: &str) -> Result<(), ApiError> {
        let notice = self.recents.forget(path)?;
        self.heed(Ok(notice));
        Ok(())
    }

    // ---- Profiles

    pub fn profiles(&self) -> Result<Vec<ProfileCard>, ApiError> {
        self.profiles.all()
    }

    pub fn settings_form(&self, profile: &str) -> Result<SettingsForm, ApiError> {
        self.profiles.form(profile)
    }

    /// Says one setting; without a text it goes back to its default. A wrong value is refused with code `settings`.
    pub fn set_setting(&self, profile: &str, id: &str, text: Option<&str>) -> Result<SettingsForm, ApiError> {
        self.profiles.set(profile, id, text)
    }

    /// A new profile that says what `like` says.
    pub fn create_profile(&self, name: &str, like: &str) -> Result<Vec<ProfileCard>, ApiError> {
        self.profiles.create(name, like)?;
        self.profiles()
    }

    pub fn remove_profile(&self, name: &str) -> Result<Vec<ProfileCard>, ApiError> {
        self.profiles.remove(name)?;
        self.profiles()
    }

    /// Takes in a TOML profile under its file's name, or a numbered one where that is taken.
    pub fn import_profile(&self, path: &Path) -> Result<Vec<ProfileCard>, ApiError> {
        self.profiles.import(path)?;
        self.profiles()
    }

    pub fn export_profile(&self, name: &str, path: &Path) -> Result<(), ApiError> {
        self.refuse_relative(path)?;
        self.profiles.export(name, path)?;
        self.wrote(path);
        Ok(())
    }

    // ---- Preferences

    pub fn preferences(&self) -> Result<BTreeMap<String, String>, ApiError> {
        let (all, notice) = self.preferences.all()?;
        self.heed(Ok(notice));
        Ok(all)
    }

    pub fn set_preference(&self, key: &str, value: &str) -> Result<(), ApiError> {
        let notice = self.preferences.set(key, value)?;
        self.heed(Ok(notice));
        Ok(())
    }

    // ---- Files and addresses

    /// Where a file of results would be saved unless the person says otherwise: beside the open project, under a name
    /// that nothing has.
    pub fn export_path(&self, name: &str, ending: &str) -> PathBuf {
        let open = lock(&self.open).clone();
        let folder = open.as_ref().and_then(|open| open.path.parent()).unwrap_or(&self.folders.projects);
        let name = report::file_name(name);
        let ending: String = ending.chars().filter(char::is_ascii_alphanumeric).take(10).collect();
        let numbered = |number: u32| match number {
            1 => folder.join(format!("{name}.{ending}")),
            number => folder.join(format!("{name}-{number}.{ending}")),
        };
        (1..10_000).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| numbered(1))
    }

    /// Refuses paths that may not be shown in their folder: all but a project that was opened and a file that was
    /// written here.
    pub fn may_show(&self, path: &Path) -> Result<(), ApiError> {
        let ours = lock(&self.written).iter().any(|written| written == path)
            || lock(&self.open).as_ref().is_some_and(|open| open.path == path)
            || self.recents.holds(&path.display().to_string());
        match (ours, path.exists()) {
            (true, true) => Ok(()),
            (true, false) => Err(ApiError::usage(format!("{} is not there any more.", path.display()))),
            (false, _) => Err(ApiError::usage(format!("{} was not written here.", path.display()))),
        }
    }

    /// The address to hand to a browser: an absolute http or https address, nothing else.
    pub fn web_address(text: &str) -> Result<String, ApiError> {
        Address::parse(text)
            .map(|address| address.as_str().to_owned())
            .map_err(|error| ApiError::usage(error.to_string()))
    }

    // ---- Within

    /// Makes this project the open one; where it is already, its tables stay open.
    fn turn_to(&self, path: PathBuf) -> Result<(), ApiError> {
        if lock(&self.open).as_ref().is_some_and(|open| open.path == path) {
            return Ok(());
        }
        let tables = self.engine.tables(&path)?;
        let before = lock(&self.open).replace(Arc::new(OpenProject { path, tables }));
        // Dropped after the lock: giving back large tables takes a moment.
        drop(before);
        Ok(())
    }

    /// The file of a profile; `None` for the default one where it says nothing.
    fn profile_file(&self, name: Option<&str>) -> Result<Option<PathBuf>, ApiError> {
        self.profiles.file(name.filter(|name| !name.is_empty()).unwrap_or(profiles::DEFAULT))
    }

    fn card(&self, path: &Path) -> Result<ProjectCard, ApiError> {
        let crawls = self.engine.open(path, Access::Read)?.crawls()?;
        let size = |path: &Path| path.metadata().map_or(0, |about| about.len());
        Ok(ProjectCard {
            path: path.display().to_string(),
            name: name_of(path),
            bytes: size(path) + size(&beside(path, "-wal")),
            crawls,
        })
    }

    /// What went wrong with a list that is only a convenience is told with the next job, not with this call.
    fn heed(&self, told: Result<Option<String>, ApiError>) {
        let message = match told {
            Ok(None) => return,
            Ok(Some(notice)) => notice,
            Err(error) => error.message,
        };
        tracing::warn!("{message}");
        let moment = moment::iso(model::clock::unix_millis(self.engine.clock().wall()));
        lock(&self.notices).push(Notice { moment, code: "desk".to_owned(), message });
    }

    /// A window has no current folder that anybody knows: where files of results go is said from the root on.
    fn refuse_relative(&self, path: &Path) -> Result<(), ApiError> {
        if path.is_absolute() {
            return Ok(());
        }
        let name = path.file_name().unwrap_or_else(|| "results.csv".as_ref());
        let example = self.folders.projects.join(name);
        Err(ApiError::field("path", format!("A full path is needed, such as {}", example.display())))
    }

    fn wrote(&self, path: &Path) {
        let mut written = lock(&self.written);
        if written.len() == WRITTEN {
            written.pop_front();
        }
        written.push_back(path.to_owned());
    }
}

/// `x.gossamer` → `x.gossamer-wal`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
