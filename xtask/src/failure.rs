//! Why a chore stopped, in words for the person who started it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line means nothing.
    Usage(String),
    /// A program that a step needs is absent and could not be installed here.
    Missing { what: &'static str, advice: String },
    /// A program ended with anything but success.
    Program { line: String, status: ExitStatus },
    /// A program could not be started, or a file not be read or written.
    Io { doing: String, source: std::io::Error },
    /// A program said something else than was agreed with it.
    Unexpected(String),
    /// Something was measured or compared, and does not hold.
    DoesNotHold(String),
}

impl Failure {
    pub(crate) fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        |source| Self::Io { doing, source }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        if matches!(self, Self::Usage(_)) { 2 } else { 1 }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(words) | Self::Unexpected(words) | Self::DoesNotHold(words) => f.write_str(words),
            Self::Missing { what, advice } => write!(f, "{what} is missing. {advice}"),
            Self::Program { line, status } => write!(f, "`{line}` failed ({status})"),
            Self::Io { doing, source } => write!(f, "{doing}: {source}"),
        }
    }
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(Failure::io(format!("reading {}", path.display())))
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    std::fs::write(path, bytes).map_err(Failure::io(format!("writing {}", path.display())))
}

pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(Failure::io(format!("making the folder {}", folder.display())))
}

/// Removes a file or a folder with all that is in it; one that is not there is fine.
pub(crate) fn remove(path: &PathBuf) -> Result<(), Failure> {
    let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    match removed {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::Io { doing: format!("removing {}", path.display()), source })
        }
        _ => Ok(()),
    }
}
