//! Where things are: the repository, Cargo's target folder, the programs built into it.

use crate::failure::Failure;
use crate::step;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Cargo's target folder, wherever the person's configuration puts it: this program was built into it.
pub(crate) fn target() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    // TARGET/debug/xtask, or TARGET/debug/deps/xtask-HASH for a test of this crate.
    let built_into = own.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    built_into.map_or_else(|| root().join("target"), Path::to_path_buf)
}

/// The `cargo` that started this program, in the repository's root.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Builds `gossamer` in the profile whose folder in the target folder is `profile` (`debug` or `release`); the path.
pub(crate) fn build(profile: &str) -> Result<PathBuf, Failure> {
    let mut cargo = cargo();
    cargo.args(["build", "--package", "gossamer-cli"]);
    if profile == "release" {
        cargo.arg("--release");
    }
    step::run(&format!("build gossamer ({profile})"), &mut cargo)?;
    Ok(program(profile))
}

/// Where `gossamer` is once it is built.
pub(crate) fn program(profile: &str) -> PathBuf {
    named(profile, "gossamer")
}

/// Where a program is once it is built.
pub(crate) fn named(profile: &str, program: &str) -> PathBuf {
    target().join(profile).join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
}

/// A path as a person in the repository's root would write it.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
