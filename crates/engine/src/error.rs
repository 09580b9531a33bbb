//! Why a use-case did not come to its end, sorted by what the caller can do about it.

use crate::secrets::KeychainError;
use model::settings::SettingError;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum EngineError {
    /// What was asked for makes no sense: a bad address, an unknown view, SQL that cannot be read.
    #[error("{0}")]
    Usage(String),
    /// Every wrong setting at once.
    #[error("{}", listed(.0))]
    Settings(Vec<SettingError>),
    /// The job could not start: unreachable, refused by policy, nothing to resume.
    #[error("{0}")]
    CannotStart(String),
    /// The keychain has, or is to take, credentials and cannot be used.
    #[error("{0}")]
    Keychain(#[from] KeychainError),
    /// A crawl that was given credentials is to be resumed without them. Never holds a secret.
    #[error(
        "the audit was given credentials for {origin} ({kinds}), and no project stores them; give them again to resume \
         it: --auth-env NAME, --auth -, --header or --cookie"
    )]
    CredentialsNeeded { origin: String, kinds: String },
    /// The project file is corrupt, foreign, newer, held by somebody else, read-only, missing, or the disk is full.
    #[error("{}", placed(path, reason))]
    Project { path: PathBuf, reason: String },
    /// A file of results cannot be written: no such folder, no permission, the disk is full.
    #[error("{} cannot be written: {}", path.display(), crate::destination::reason(path, why))]
    Unwritable { path: PathBuf, why: std::io::Error },
    /// Results could not be written to the output that was given.
    #[error("the result cannot be written: {0}")]
    Output(#[from] std::io::Error),
    /// Somebody who could wait for it no longer does.
    #[error("cancelled")]
    Cancelled,
    /// A fault of the program itself.
    #[error("internal fault: {0}")]
    Internal(String),
}

impl EngineError {
    /// A file named by the user that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::Usage(format!("{} cannot be read: {error}", path.display()))
    }
}

/// Most reasons name the file themselves.
fn placed(path: &Path, reason: &str) -> String {
    let path = path.display().to_string();
    if reason.contains(&path) { reason.to_owned() } else { format!("{path}: {reason}") }
}

fn listed(errors: &[SettingError]) -> String {
    let mut out = if errors.len() == 1 {
        "a setting is wrong".to_owned()
    } else {
        format!("{} settings are wrong", errors.len())
    };
    for error in errors {
        let _ = write!(out, "\n  {error} [{}]", error.layer);
    }
    out
}
