//! How a run ends: its exit code and, where something went wrong, the words on standard error.

use engine::EngineError;
use engine::output::visible;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// A command's end.
pub(crate) type Outcome = Result<Exit, EngineError>;

/// The exit codes, a public contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    /// Done, and `--fail-on` matched.
    Matched = 1,
    Usage = 2,
    /// The job could not start.
    NotStarted = 3,
    /// A file cannot be used: the project cannot be read, or a result cannot be written.
    File = 4,
    /// Interrupted, state saved.
    Interrupted = 130,
}

impl Exit {
    pub(crate) const fn of(error: &EngineError) -> Self {
        match error {
            EngineError::Usage(_) | EngineError::Settings(_) => Self::Usage,
            EngineError::CannotStart(_)
            | EngineError::Keychain(_)
            | EngineError::CredentialsNeeded { .. }
            | EngineError::Internal(_) => Self::NotStarted,
            EngineError::Project { .. } | EngineError::Unwritable { .. } | EngineError::Output(_) => {
                Self::File
            }
            EngineError::Cancelled => Self::Interrupted,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Says what went wrong, if anything did.
pub(crate) fn finish(outcome: Outcome) -> Exit {
    match outcome {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            complain(&error.to_string());
            Exit::of(&error)
        }
    }
}

/// Whoever read the output has seen enough (`| head`), which is no fault.
pub(crate) fn is_broken_pipe(error: &EngineError) -> bool {
    matches!(error, EngineError::Output(error) if error.kind() == ErrorKind::BrokenPipe)
}

/// Writes what is worth knowing, though nothing failed, to standard error.
pub(crate) fn remark(text: &str) {
    // Where standard error is gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(text));
}

/// Writes an error to standard error, each of its lines made safe for a terminal.
pub(crate) fn complain(text: &str) {
    let mut stderr = std::io::stderr().lock();
    for (nth, line) in text.lines().enumerate() {
        let start = if nth == 0 { "error: " } else { "" };
        // Where standard error is gone there is nobody left to tell.
        let _ = writeln!(stderr, "{start}{}", visible(line));
    }
}
