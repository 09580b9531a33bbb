//! Whether this computer can run audits, and what to do where it cannot. Nothing leaves the computer.

use crate::Engine;
use crate::settings;
use fetch::Fetcher;
use model::settings::Start;
use std::net::TcpListener;
use std::path::Path;
use std::time::SystemTime;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorCheck {
    pub name: &'static str,
    pub state: CheckState,
    /// What was found and, where it is not well, what to do.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckState {
    Good,
    /// Works, but something may surprise.
    Odd,
    /// Audits will not work.
    Bad,
}

impl Engine {
    pub fn doctor(&self) -> Vec<DoctorCheck> {
        vec![
            program(),
            self.certificates(),
            loopback(),
            folder(
                "current folder",
                Path::new("."),
                "project files are made here unless --project says otherwise",
            ),
            folder(
                "temporary folder",
                &std::env::temp_dir(),
                "needed for exports and for compacting project files",
            ),
            proxies(),
            self.time_of_day(),
        ]
    }

    fn certificates(&self) -> DoctorCheck {
        let made = settings::plan(Start::default(), None, &[])
            .map_err(|error| error.to_string())
            .and_then(|plan| Fetcher::new(&plan, self.fetch_seams()).map_err(|error| error.to_string()));
        match made {
            Ok(_) => check(
                "HTTPS",
                CheckState::Good,
                "the certificates that this system trusts were loaded".to_owned(),
            ),
            Err(error) => check(
                "HTTPS",
                CheckState::Bad,
                format!("{error}; install the system's CA certificates (package ca-certificates)"),
            ),
        }
    }

    fn time_of_day(&self) -> DoctorCheck {
        /// 2026-01-01 UTC, in seconds: earlier than any copy of this program.
        const BUILT: u64 = 1_767_225_600;
        let seconds =
            self.clock().wall().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        if seconds < BUILT {
            return check(
                "clock",
                CheckState::Odd,
                "the computer's clock is years behind: every certificate will seem not yet valid".to_owned(),
            );
        }
        check("clock", CheckState::Good, "plausible".to_owned())
    }
}

fn program() -> DoctorCheck {
    let agent = model::settings::default_agent("");
    let detail = format!(
        "{} on {} {}; user agent “{agent}”",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    check("gossamer", CheckState::Good, detail)
}

fn loopback() -> DoctorCheck {
    match TcpListener::bind(("127.0.0.1", 0)) {
        Ok(_) => check("loopback", CheckState::Good, "a local port could be opened".to_owned()),
        Err(error) => check(
            "loopback",
            CheckState::Odd,
            format!("no local port could be opened ({error}): `gossamer demo` will not work"),
        ),
    }
}

fn folder(name: &'static str, path: &Path, use_of_it: &str) -> DoctorCheck {
    let probe = path.join(format!(".gossamer-doctor-{}", std::process::id()));
    let written = std::fs::OpenOptions::new().write(true).create_new(true).open(&probe).map(drop);
    // Only a file that was just made is removed.
    let removed = written.and_then(|()| std::fs::remove_file(&probe));
    match removed {
        Ok(()) => check(name, CheckState::Good, format!("{} can be written", path.display())),
        Err(error) => check(
            name,
            CheckState::Odd,
            format!("{} cannot be written ({error}): {use_of_it}", path.display()),
        ),
    }
}

fn proxies() -> DoctorCheck {
    let said: Vec<&str> =
        ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
            .into_iter()
            .filter(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
            .collect();
    if said.is_empty() {
        return check("proxy", CheckState::Good, "none is set".to_owned());
    }
    check(
        "proxy",
        CheckState::Odd,
        format!("{} set: addresses and timings seen are those of the proxy", said.join(", ")),
    )
}

const fn check(name: &'static str, state: CheckState, detail: String) -> DoctorCheck {
    DoctorCheck { name, state, detail }
}
