//! The window's interface (`ui/`): its packages, its checks and its build.

use crate::failure::Failure;
use crate::{place, step};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs the packages of `ui/package-lock.json` where they are not installed yet, and builds the interface into `ui/dist`.
pub(crate) fn build() -> Result<(), Failure> {
    install()?;
    step::run("interface: build", npm().args(["run", "--silent", "build"]))
}

/// Everything that has to hold of the interface by itself.
pub(crate) fn test() -> Result<(), Failure> {
    step::run("interface: types", npm().args(["run", "--silent", "check"]))?;
    step::run("interface: lint", npm().args(["run", "--silent", "lint"]))?;
    step::run("interface: tests", npm().args(["run", "--silent", "test"]))
}

fn install() -> Result<(), Failure> {
    let wanted = folder().join("package-lock.json");
    let installed = folder().join("node_modules").join(".package-lock.json");
    if is_current(&wanted, &installed) {
        return Ok(());
    }
    step::run("interface: packages", npm().args(["ci", "--no-audit", "--no-fund"]))
}

/// npm writes its own list of what it installed last of all, so an installation that broke off is not taken for a whole one.
fn is_current(wanted: &Path, installed: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    matches!((changed(wanted), changed(installed)), (Some(wanted), Some(installed)) if wanted <= installed)
}

fn folder() -> PathBuf {
    place::root().join("ui")
}

/// `npm` in the interface's folder. On Windows it is a script, which only its full name starts.
fn npm() -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder());
    npm
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_installed_where_nothing_is() {
        let here = place::root().join("Cargo.toml");
        assert!(!is_current(&here, Path::new("no/such/file")));
        assert!(is_current(&here, &here));
    }
}
