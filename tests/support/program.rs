//! The `gossamer` program, run from outside: arguments in; exit code, standard output and standard error out.

use crate::paths;
use crate::server::pause;
use model::clock::{Clock, SystemClock};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A run being described.
#[derive(Debug)]
pub struct Gossamer {
    command: Command,
    shown: String,
    input: Option<String>,
    limit: Duration,
}

/// A program that runs. Dropping it kills it.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    /// What has come on standard error so far.
    said: Arc<Mutex<Vec<u8>>>,
    shown: String,
    deadline: Instant,
    limit: Duration,
    peak_memory: u64,
}

/// How a run ended.
#[derive(Debug)]
pub struct Finished {
    /// The command line, for messages.
    pub shown: String,
    /// `None` when a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// The most memory it took for itself, in bytes, where the system tells (Linux), else 0.
    pub peak_memory: u64,
}

impl Gossamer {
    /// The program with these arguments; at most a minute to run, unless `limit` says otherwise.
    pub fn new<S: Into<OsString>>(arguments: impl IntoIterator<Item = S>) -> Self {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let mut shown = String::from("gossamer");
        for argument in &arguments {
            shown.push(' ');
            shown.push_str(&argument.to_string_lossy());
        }
        let mut command = Command::new(paths::program());
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let home = paths::empty_home();
        // Settings and proxies of the person who runs the tests must not reach the program under test.
        for variable in [
            "HOME",
            "USERPROFILE",
            "APPDATA",
            "LOCALAPPDATA",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
        ] {
            command.env(variable, &home);
        }
        for variable in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "RUST_LOG"] {
            command.env_remove(variable).env_remove(variable.to_ascii_lowercase());
        }
        command.env("NO_COLOR", "1");
        Self { command, shown, input: None, limit: Duration::from_secs(60) }
    }

    /// `gossamer audit URL… --project F --progress none`, to which more arguments may be added.
    pub fn audit(urls: &[String], project: &Path) -> Self {
        let mut arguments: Vec<OsString> = vec!["audit".into()];
        arguments.extend(urls.iter().map(Into::into));
        arguments.extend(["--project".into(), project.into(), "--progress".into(), "none".into()]);
        Self::new(arguments)
    }

    /// `gossamer resume F`.
    pub fn resume(project: &Path) -> Self {
        Self::new([OsString::from("resume"), project.into(), "--progress".into(), "none".into()])
    }

    #[must_use]
    pub fn with<S: AsRef<str>>(mut self, arguments: &[S]) -> Self {
        for argument in arguments {
            self.shown.push(' ');
            self.shown.push_str(argument.as_ref());
            self.command.arg(argument.as_ref());
        }
        self
    }

    /// Changes one setting for this run.
    #[must_use]
    pub fn set(self, key: &str, value: &str) -> Self {
        self.with(&["--set".to_owned(), format!("{key}={value}")])
    }

    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.command.env(name, value.into());
        self
    }

    /// What stands on its standard input; without, that is empty.
    #[must_use]
    pub fn input(mut self, text: &str) -> Self {
        self.input = Some(text.to_owned());
        self
    }

    /// The longest it may run; then it is killed and the test fails.
    #[must_use]
    pub const fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Starts it and returns at once.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(mut self) -> Running {
        if self.input.is_some() {
            self.command.stdin(Stdio::piped());
        }
        let mut child =
            self.command.spawn().unwrap_or_else(|error| panic!("{} cannot be started: {error}", self.shown));
        if let (Some(text), Some(mut pipe)) = (&self.input, child.stdin.take()) {
            // A program that ends without reading closes the pipe; what it says of that is the test's to judge.
            let _ = pipe.write_all(text.as_bytes());
        }
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&said);
        Running {
            stdout: child.stdout.take().map(|pipe| drain(pipe, Arc::default())),
            stderr: child.stderr.take().map(|pipe| drain(pipe, heard)),
            said,
            child,
            shown: self.shown,
            deadline: SystemClock.now() + self.limit,
            limit: self.limit,
            peak_memory: 0,
        }
    }

    /// Runs it to its end.
    ///
    /// # Panics
    /// When it cannot be started or exceeds its limit.
    pub fn run(self) -> Finished {
        self.start().wait()
    }
}

/// Reads a pipe to its end on a thread, so that a program that prints much never blocks; `heard` holds what has come so far.
fn drain(mut pipe: impl Read + Send + 'static, heard: Arc<Mutex<Vec<u8>>>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut piece = [0; 8192];
        // A broken pipe ends the output; what came is kept.
        while let Ok(count @ 1..) = pipe.read(&mut piece) {
            heard.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&piece[..count]);
        }
        std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner))
    })
}

impl Running {
    /// Waits until it has said this on standard error.
    ///
    /// # Panics
    /// When it ends, or exceeds its limit, without having said so.
    pub fn wait_to_say(&mut self, text: &str) {
        let has_said = |running: &Self| {
            let said = running.said.lock().unwrap_or_else(PoisonError::into_inner);
            String::from_utf8_lossy(&said).contains(text)
        };
        while !has_said(self) {
            let is_over = self.has_ended() || SystemClock.now() >= self.deadline;
            assert!(!is_over, "{} did not say “{text}”", self.shown);
            pause(Duration::from_millis(1));
        }
    }

    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills it as `kill -9` does, and waits until it is gone.
    pub fn kill(mut self) -> Finished {
        // It fails only for a program that has already ended.
        let _ = self.child.kill();
        self.wait()
    }

    /// Sends what Ctrl+C sends. Only where there is a `kill` program (not on Windows).
    ///
    /// # Panics
    /// When the signal cannot be sent.
    pub fn interrupt(&self) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(matches!(sent, Ok(status) if status.success()), "{} could not be interrupted", self.shown);
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it exceeds its limit.
    pub fn wait(mut self) -> Finished {
        loop {
            self.peak_memory = self.peak_memory.max(peak_memory(self.child.id()));
            match self.child.try_wait() {
                Ok(Some(status)) => return self.finished(status.code()),
                Ok(None) => {}
                Err(error) => panic!("{}: {error}", self.shown),
            }
            if SystemClock.now() >= self.deadline {
                let _ = self.child.kill();
                let _ = self.child.wait();
                let ended = self.finished(None);
                panic!(
                    "{} ran longer than {:?}\nstdout: {}\nstderr: {}",
                    self.shown, self.limit, ended.stdout, ended.stderr
                );
            }
            pause(Duration::from_millis(5));
        }
    }

    fn finished(&mut self, code: Option<i32>) -> Finished {
        let text = |pipe: &mut Option<JoinHandle<Vec<u8>>>| {
            let bytes = pipe.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Finished {
            shown: self.shown.clone(),
            code,
            stdout: text(&mut self.stdout),
            stderr: text(&mut self.stderr),
            peak_memory: self.peak_memory,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Finished {
    /// Asserts the exit code; the message shows everything that was printed.
    #[must_use]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "exit code of {}\nstdout: {}\nstderr: {}",
            self.shown,
            self.stdout,
            self.stderr
        );
        self
    }
}

/// The most memory that a process took for itself, in bytes: the high-water mark of what is resident without the pages of its
/// program file, of which a debug build has many and which any system takes back; 0 where the system has no such file.
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kilobytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    let (most, file) = (kilobytes("VmHWM:").unwrap_or(0), kilobytes("RssFile:").unwrap_or(0));
    most.saturating_sub(file) * 1024
}
