//! The built program, for the tests that start it.

use std::path::Path;
use std::process::{Command, Stdio};

/// The program with arguments in a folder: no input, no colours, no log.
pub(crate) fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gossamer"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("GOSSAMER_LOG")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null());
    command
}
