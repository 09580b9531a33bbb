//! A small internet of its own: names with public addresses, all of which lead to a scripted server on loopback. What may
//! ask public addresses only can then be watched without asking anybody.

use crate::clock::{Sort, StillClock};
use crate::{Answer, Seen, Server, Site};
use engine::outside::{BoxFuture, Dial, NoFaults, Resolve, Seams};
use engine::{AuditReport, AuditRequest, Control, Engine, EngineError, Event};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// The sites of the internet, being described. Each is named by its origin, and is reached as `http://NAME.example/`.
#[derive(Debug)]
pub struct Web {
    site: Site,
    names: Names,
    profile: Option<String>,
    start: String,
    /// Requests after which the work is stopped and resumed.
    stop_after: Option<usize>,
    /// What is done first, in the same project.
    before: Option<Work>,
}

/// What a name resolves to.
#[derive(Debug, Clone, Default)]
struct Names {
    addresses: HashMap<String, Vec<IpAddr>>,
    /// Where public addresses lead.
    listeners: HashMap<IpAddr, SocketAddr>,
    /// Every address that was connected, in order.
    dialled: Arc<Mutex<Vec<SocketAddr>>>,
}

/// A job that is over, and what there is to see of it.
#[derive(Debug)]
pub struct Visited {
    pub server: Server,
    /// Requests in its log that the work done before had made.
    pub before: usize,
    pub project: PathBuf,
    pub outcome: Result<AuditReport, EngineError>,
    /// Code and message of each, in order.
    pub warnings: Vec<(String, String)>,
    /// What passed on the job's own clock.
    pub took: Duration,
    /// Every address that was connected, in order.
    pub dialled: Vec<SocketAddr>,
    _folder: TempDir,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Audit,
    Check,
}

impl Web {
    /// Sites of these names, each answering on port 80 of a public address of its own.
    pub fn new(names: &[&str]) -> Self {
        let origins: Vec<(&str, u8)> = names.iter().zip(1..).map(|(name, last)| (*name, last)).collect();
        let site = Site::bind(&origins);
        let start = "http://main.example/".to_owned();
        let mut web =
            Self { site, names: Names::default(), profile: None, start, stop_after: None, before: None };
        for (name, last) in &origins {
            // Of a network that is public and is never asked here.
            let public = IpAddr::from(Ipv4Addr::new(8, 8, 4, *last));
            web.names.addresses.insert(format!("{name}.example"), vec![public]);
            web.names.listeners.insert(public, web.site.address(name));
        }
        web
    }

    #[must_use]
    pub fn route(mut self, site: &str, path: &str, answer: Answer) -> Self {
        self.site = self.site.route(site, path, answer);
        self
    }

    #[must_use]
    pub fn sequence(mut self, site: &str, path: &str, answers: Vec<Answer>) -> Self {
        self.site = self.site.sequence(site, path, answers);
        self
    }

    #[must_use]
    pub fn otherwise(mut self, answer: impl Fn(&Seen) -> Option<Answer> + Send + Sync + 'static) -> Self {
        self.site = self.site.otherwise(answer);
        self
    }

    /// A further name, with these addresses.
    #[must_use]
    pub fn name(mut self, name: &str, addresses: &[&str]) -> Self {
        let read = |text: &&str| text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        self.names.addresses.insert(name.to_owned(), addresses.iter().map(read).collect());
        self
    }

    /// The text of a profile by which the work is done.
    #[must_use]
    pub fn with_profile(mut self, text: &str) -> Self {
        self.profile = Some(text.to_owned());
        self
    }

    /// Begins somewhere else than at the first page of the site `main`.
    #[must_use]
    pub fn start_at(mut self, url: &str) -> Self {
        self.start = url.to_owned();
        self
    }

    /// Does this first, in the same project and by the same profile.
    #[must_use]
    pub const fn after(mut self, work: Work) -> Self {
        self.before = Some(work);
        self
    }

    /// Does the work by real time.
    pub fn visit_in_real_time(self, work: Work, settings: &[(&str, &str)]) -> Visited {
        self.run(work, settings, &Time::Real)
    }

    /// Does the work, an audit without its probes and confirmations unless the settings say otherwise, by a clock that stands still: it moves on only while no request is under way, so that every wait between
    /// requests takes no time, and no time limit runs out.
    pub fn visit(self, work: Work, settings: &[(&str, &str)]) -> Visited {
        self.run(work, settings, &Time::Still { silent: None })
    }

    /// The same, stopped once this many requests have come, and then resumed.
    pub fn visit_in_two(mut self, work: Work, settings: &[(&str, &str)], requests: usize) -> Visited {
        self.stop_after = Some(requests);
        self.visit(work, settings)
    }

    /// The same, and while this path is being asked for time limits run out too: it is never answered.
    pub fn visit_to_the_limit(self, work: Work, settings: &[(&str, &str)], silent: &'static str) -> Visited {
        self.run(work, settings, &Time::Still { silent: Some(silent) })
    }

    fn run(self, work: Work, settings: &[(&str, &str)], time: &Time) -> Visited {
        let server = self.site.serve();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let project = folder.path().join("site.gossamer");
        let profile = self.profile.map(|text| {
            let path = folder.path().join("profile.toml");
            std::fs::write(&path, text).expect("a profile");
            path
        });
        let clock = StillClock::new();
        let names = Arc::new(self.names);
        let mut seams = Seams::system();
        seams.resolver = Arc::clone(&names) as Arc<dyn Resolve>;
        seams.dial = Arc::clone(&names) as Arc<dyn Dial>;
        if let Time::Still { .. } = time {
            seams.clock = Arc::new(clock.clone());
        }
        let measured = Arc::clone(&seams.clock);
        let engine = Engine::with_seams(seams, Arc::new(NoFaults));
        let request = |work: Work, settings: &[(&str, &str)]| {
            let extras: &[(&str, &str)] = match work {
                Work::Audit => &[("extras.probes", "false"), ("extras.confirm", "false")],
                Work::Check => &[],
            };
            let said = extras.iter().chain(settings);
            AuditRequest {
                seeds: vec![self.start.clone()],
                project: project.clone(),
                profile: profile.clone(),
                overrides: said.map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect(),
                ..AuditRequest::default()
            }
        };
        let warnings = Mutex::default();
        let control = Control::new();
        let (stop_after, before) = (self.stop_after, self.before);
        let made_before = AtomicUsize::new(0);
        let stopping = AtomicBool::new(false);
        let observe = |event: Event| {
            let made = server.log().len() - made_before.load(Ordering::SeqCst);
            if !control.is_stopped() && stop_after.is_some_and(|requests| made >= requests) {
                control.stop();
                // Nothing more is to happen before it is resumed.
                stopping.store(true, Ordering::SeqCst);
            }
            if let Event::Warning { code, message } = event {
                let mut warnings: std::sync::MutexGuard<'_, Vec<(String, String)>> =
                    warnings.lock().unwrap_or_else(PoisonError::into_inner);
                warnings.push((code, message));
            }
        };
        let began = measured.now();
        let outcome = std::thread::scope(|scope| {
            if let Time::Still { silent } = time {
                let (clock, log, stopping) = (&clock, server.log(), &stopping);
                let is_silent = move || {
                    let mut running = log.all().into_iter().filter(|request| request.ended.is_none());
                    running.any(|request| Some(request.path.as_str()) == *silent)
                };
                scope.spawn(move || {
                    clock.run(|asked| match asked.as_secs_f64() {
                        _ if stopping.load(Ordering::SeqCst) => Sort::Limit,
                        // The time limits of a request in an Audit and in a Check, and the time of a whole check.
                        20.0 | 15.0 if !is_silent() => Sort::Limit,
                        // Nothing else in a check takes longer than half a minute.
                        longer if longer > 60.0 && work == Work::Check => Sort::End,
                        _ => Sort::Wait,
                    })
                });
            }
            // However the work ends, the clock is let go of, so that the thread that moves it ends too.
            let _stop = StopClock(&clock);
            let run = |work: Work,
                       settings: &[(&str, &str)],
                       control: &Control,
                       observe: &(dyn Fn(Event) + Send + Sync)| {
                match work {
                    Work::Audit => engine.audit(&request(work, settings), control, observe),
                    Work::Check => engine.check(&request(work, settings), control, observe),
                }
            };
            if let Some(before) = before {
                run(before, &[], &Control::new(), &|_| {})?;
                made_before.store(server.log().len(), Ordering::SeqCst);
            }
            let first = run(work, settings, &control, &observe);
            if stop_after.is_none() {
                return first;
            }
            assert_eq!(first?.ended, engine::Ended::Stopped, "it was over before it was stopped");
            stopping.store(false, Ordering::SeqCst);
            engine.resume(&project, &Control::new(), &observe)
        });
        let took = measured.now().saturating_duration_since(began);
        let dialled = names.dialled.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let warnings = warnings.into_inner().unwrap_or_else(PoisonError::into_inner);
        Visited {
            server,
            project,
            outcome,
            warnings,
            took,
            dialled,
            before: made_before.into_inner(),
            _folder: folder,
        }
    }
}

/// Whose clock it is.
enum Time {
    Real,
    /// Time limits run out only while this path is being asked for.
    Still {
        silent: Option<&'static str>,
    },
}

struct StopClock<'a>(&'a StillClock);

impl Drop for StopClock<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Visited {
    /// The paths that a site was asked for, in order, robots.txt left out.
    pub fn asked(&self, site: &str) -> Vec<String> {
        let paths = self.server.log().of(site).into_iter().map(|request| request.path);
        paths.filter(|path| path != "/robots.txt").collect()
    }

    /// The methods by which a path was asked.
    pub fn methods(&self, site: &str, path: &str) -> Vec<String> {
        self.server.log().methods(site, path)
    }

    /// State and reason of the URL that ends so, as the project file says them.
    pub fn state(&self, ending: &str) -> (String, String) {
        let rows = crate::results::rows(&self.project, "v_urls", &["url", "state", "reason"]);
        let found = rows.into_iter().find(|row| row[0].ends_with(ending));
        let row = found.unwrap_or_else(|| panic!("no URL ends in {ending}"));
        (row[1].clone(), row[2].clone())
    }

    /// The URLs of a state with their reasons.
    pub fn of_state(&self, state: &str) -> Vec<(String, String)> {
        let condition = format!("state = '{state}'");
        crate::results::rows_where(&self.project, "v_urls", &["url", "reason"], &condition)
            .into_iter()
            .map(|row| (row[0].clone(), row[1].clone()))
            .collect()
    }

    /// Whether a warning of this kind was told, and its message.
    pub fn warning(&self, code: &str) -> Option<&str> {
        self.warnings.iter().find(|(known, _)| known == code).map(|(_, message)| message.as_str())
    }
}

impl Resolve for Names {
    fn resolve(&self, host: &str) -> BoxFuture<io::Result<Vec<IpAddr>>> {
        let found = self.addresses.get(host).cloned();
        let unknown = || io::Error::new(io::ErrorKind::NotFound, "no such name in this internet");
        Box::pin(std::future::ready(found.ok_or_else(unknown)))
    }
}

impl Dial for Names {
    fn dial(&self, allowed: SocketAddr) -> SocketAddr {
        self.dialled.lock().unwrap_or_else(PoisonError::into_inner).push(allowed);
        match self.listeners.get(&allowed.ip()) {
            Some(listener) if allowed.port() == 80 => *listener,
            // An Audit may ask this computer itself.
            None if allowed.ip().is_loopback() => allowed,
            // Nothing listens there, and nobody outside is asked.
            _ => SocketAddr::from((Ipv4Addr::LOCALHOST, 9)),
        }
    }
}
