//! Where things lie: the repository, the shared test material, the built program.

use std::path::{Path, PathBuf};

/// The folder of the workspace's `Cargo.toml`.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().map_or_else(|| tests.to_owned(), Path::to_owned)
}

/// A path below the folder of shared test material, which lies beside the repository; `None`, after saying so on
/// standard error, where it is absent.
pub fn shared(below: &str) -> Option<PathBuf> {
    let path = repository().parent().map(|parent| parent.join("shared").join(below))?;
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

/// The `gossamer` program of the same build profile as the running test.
///
/// # Panics
/// When it has not been built.
pub fn program() -> PathBuf {
    named("gossamer")
}

/// A program of the same build profile as the running test.
///
/// # Panics
/// When it has not been built.
pub fn named(name: &str) -> PathBuf {
    let program = named_path(name);
    assert!(
        program.is_file(),
        "{} is not built; build it first (with the flags of this test run)",
        program.display()
    );
    program
}

/// Where a program of the same build profile as the running test is once it is built.
///
/// # Panics
/// When the running test lies nowhere.
pub fn named_path(name: &str) -> PathBuf {
    let test =
        std::env::current_exe().unwrap_or_else(|error| panic!("the running test has no path: {error}"));
    // A test runs as `target/<profile>/deps/<name>-<hash>`, programs lie as `target/<profile>/<name>`.
    let folder = test
        .ancestors()
        .skip(1)
        .find(|folder| !folder.ends_with("deps"))
        .unwrap_or_else(|| panic!("{} has no profile folder", test.display()));
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A folder, below the build's target folder, that stands in for the home of the person who runs the program.
pub fn empty_home() -> PathBuf {
    let program = program();
    let home = program.parent().unwrap_or(&program).join("test-home");
    std::fs::create_dir_all(&home).unwrap_or_else(|error| panic!("{}: {error}", home.display()));
    home
}
