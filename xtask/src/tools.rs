//! Programs from outside Cargo that a chore needs, and their installation where that is ours to do.
//!
//! The Rust version is not asked here: Cargo refuses to build this very program under an older one
//! (`rust-version` in Cargo.toml).

use crate::failure::Failure;
use crate::step;
use std::process::Command;

/// A program that a step needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// SQLite, zstd and the TLS library are compiled from C.
    CCompiler,
    /// The server of hard cases, used by the black-box tests, is a Python program.
    Python,
    /// The benchmark's sites are served by nginx.
    Nginx,
    /// The interface is built with Node's tools.
    Node,
    /// What the window is drawn with.
    DesktopLibraries,
    /// A screen without a monitor, for tests of the window.
    VirtualScreen,
    /// What drives the window in tests.
    WebDriver,
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Self::CCompiler => "a C compiler",
            Self::Python => "python3",
            Self::Nginx => "nginx",
            Self::Node => "Node.js with npm",
            Self::DesktopLibraries => "WebKitGTK 4.1 with its headers",
            Self::VirtualScreen => "Xvfb",
            Self::WebDriver => "WebKitWebDriver",
        }
    }

    fn packages(self) -> &'static [&'static str] {
        match self {
            Self::CCompiler => &["gcc", "libc6-dev"],
            Self::Python => &["python3"],
            Self::Nginx => &["nginx-light"],
            Self::Node => &["nodejs", "npm"],
            Self::DesktopLibraries => &["libwebkit2gtk-4.1-dev", "pkg-config"],
            Self::VirtualScreen => &["xvfb", "xauth"],
            Self::WebDriver => &["webkit2gtk-driver"],
        }
    }

    fn present(self) -> bool {
        match self {
            // On Windows the compiler is found through the registry, not the path; rustc has linked with its linker.
            Self::CCompiler if cfg!(windows) => true,
            Self::CCompiler => {
                let chosen = std::env::var_os("CC").into_iter();
                let usual = ["cc", "gcc", "clang"].into_iter().map(Into::into);
                chosen.chain(usual).any(|compiler| step::answers(Command::new(compiler).arg("--version")))
            }
            Self::Python => step::answers(Command::new("python3").arg("--version")),
            Self::Nginx => step::answers(Command::new("nginx").arg("-v")),
            Self::Node => {
                step::answers(Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" }).arg("--version"))
            }
            // Windows and macOS bring their web view with them, and the tests of the window need Linux.
            Self::DesktopLibraries | Self::VirtualScreen | Self::WebDriver if !cfg!(target_os = "linux") => {
                true
            }
            Self::DesktopLibraries => {
                step::answers(Command::new("pkg-config").args(["--exists", "webkit2gtk-4.1"]))
            }
            Self::VirtualScreen => step::answers(Command::new("Xvfb").arg("-help")),
            Self::WebDriver => step::answers(Command::new("WebKitWebDriver").arg("--help")),
        }
    }
}

/// Makes sure that every tool is there: installs what is missing where the system's packages may be
/// installed (Debian's `apt-get`, as root), and says what to install everywhere else.
pub(crate) fn require(tools: &[Tool]) -> Result<(), Failure> {
    let missing: Vec<Tool> = tools.iter().copied().filter(|tool| !tool.present()).collect();
    let Some(first) = missing.first().copied() else { return Ok(()) };
    let packages: Vec<&str> = missing.iter().flat_map(|tool| tool.packages()).copied().collect();
    if !may_install() {
        return Err(Failure::Missing { what: first.name(), advice: advice(&packages) });
    }
    let names: Vec<&str> = missing.iter().map(|tool| tool.name()).collect();
    eprintln!("Missing: {}. Installing with apt-get.", names.join(", "));
    // The package lists of a new machine are often empty, and fetching them takes longer than most
    // installations: they are fetched when the first try shows that they are needed.
    if step::run("install", &mut apt_install(&packages)).is_err() {
        step::run("update package lists", apt().arg("update"))?;
        step::run("install", &mut apt_install(&packages))?;
    }
    match missing.iter().find(|tool| !tool.present()) {
        None => Ok(()),
        Some(tool) => Err(Failure::Missing {
            what: tool.name(),
            advice: format!("apt-get installed {}, yet it does not answer.", tool.packages().join(" ")),
        }),
    }
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

fn apt_install(packages: &[&str]) -> Command {
    let mut apt = apt();
    apt.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    apt
}

fn advice(packages: &[&str]) -> String {
    let packages = packages.join(" ");
    match std::env::consts::OS {
        "linux" => format!(
            "Install it and start again; on Debian and Ubuntu: sudo apt-get install --no-install-recommends {packages}"
        ),
        "macos" => {
            "Install it and start again; the C compiler and python3 come with: xcode-select --install".into()
        }
        _ => format!("Install what Debian calls {packages}, and start again."),
    }
}

fn may_install() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    effective_user(&status) == Some(0) && step::answers(Command::new("apt-get").arg("--version"))
}

/// The effective user id in the text of `/proc/self/status`.
fn effective_user(status: &str) -> Option<u32> {
    let ids = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    ids.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effective_user_counts() {
        assert_eq!(effective_user("Name:\tx\nUid:\t1000\t0\t0\t0\n"), Some(0));
        assert_eq!(effective_user("Uid:\t0\t1000\t0\t0\n"), Some(1000));
        assert_eq!(effective_user(""), None);
        assert_eq!(effective_user("Uid:\tx"), None);
    }

    #[test]
    fn nothing_is_done_where_nothing_is_missing() {
        assert!(require(&[]).is_ok());
    }

    #[test]
    fn advice_names_the_packages() {
        let advice = advice(Tool::Python.packages());
        assert!(advice.contains("python3"), "{advice}");
    }
}
