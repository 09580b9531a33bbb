//! `cargo xtask run`: an audit to look at, of the demo site or of a given address: in the window, or in the terminal where
//! there is no display.

use crate::failure::{self, Failure};
use crate::tools::Tool;
use crate::{interface, place, step, tools};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// What the first line of `gossamer demo` begins with; the address follows.
const DEMO_GREETING: &str = "Demo site: ";

/// The demo site is built into the program and answers at once; on a loaded machine starting takes seconds.
const DEMO_PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn run(url: Option<&str>) -> Result<(), Failure> {
    if has_display(|name| std::env::var_os(name)) { in_window(url) } else { in_terminal(url) }
}

/// Builds the window's program and opens it on an audit; it serves the demo site by itself.
fn in_window(url: Option<&str>) -> Result<(), Failure> {
    tools::require(&[Tool::CCompiler, Tool::Node, Tool::DesktopLibraries])?;
    interface::build()?;
    let mut build = place::cargo();
    build.args(["build", "--release", "--package", "gossamer-desktop", "--features", "custom-protocol"]);
    step::run("build the window (release)", &mut build)?;
    let mut window = Command::new(place::named("release", "gossamer-desktop"));
    eprintln!("\nThe window opens now; this command ends with it.");
    step::run_last("window", window.arg(url.unwrap_or("--demo")))
}

fn in_terminal(url: Option<&str>) -> Result<(), Failure> {
    eprintln!("There is no display: the audit runs here, in the terminal.");
    tools::require(&[Tool::CCompiler])?;
    let gossamer = place::build("release")?;
    let folder = place::target().join("demo");
    failure::make_folder(&folder)?;

    // The demo site is served as long as this value lives.
    let demo = if url.is_some() { None } else { Some(DemoSite::start(&gossamer)?) };
    let address = match (url, &demo) {
        (Some(url), _) => url,
        (None, Some(demo)) => &demo.address,
        (None, None) => return Err(Failure::Unexpected("there is no address to audit".into())),
    };
    let project = folder.join(format!("{}.gossamer", url.map_or_else(|| "demo".to_owned(), file_stem)));
    set_aside(&project)?;

    let mut audit = Command::new(&gossamer);
    step::run("audit", audit.args(["audit", address, "--project"]).arg(&project))?;
    let export = |name: &str, view: &str, file: &str| {
        let path = folder.join(file);
        failure::remove(&path)?;
        let mut export = Command::new(&gossamer);
        step::run(name, export.arg("export").arg(&project).args([view, "--to"]).arg(&path))?;
        Ok::<PathBuf, Failure>(path)
    };
    let issues = export("report of issues", "v_issues", "issues.csv")?;
    let broken = export("report of broken links", "broken-links", "broken-links.html")?;
    drop(demo);

    println!("\nProject file:  {}", place::shown(&project));
    println!("Issues:        {}", place::shown(&issues));
    println!("Broken links:  {}", place::shown(&broken));
    println!("To look further: {} issues {}", place::shown(&gossamer), place::shown(&project));
    Ok(())
}

/// Whether a window can be opened. On Linux the display server says so; other systems always have one.
fn has_display(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> bool {
    let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// A demo site that is served until this is dropped.
struct DemoSite {
    server: Child,
    address: String,
}

impl DemoSite {
    fn start(gossamer: &Path) -> Result<Self, Failure> {
        let mut command = Command::new(gossamer);
        command.args(["demo", "--port", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let server = command.spawn().map_err(Failure::io(format!("starting `{}`", step::line(&command))))?;
        let mut site = Self { server, address: String::new() };
        let output = site.server.stdout.take();
        let (send, receive) = mpsc::sync_channel(1);
        // Reading goes on after the first line, so that the server never blocks on a full pipe.
        std::thread::spawn(move || {
            let lines = output.into_iter().flat_map(|output| BufReader::new(output).lines());
            for line in lines.map_while(Result::ok) {
                // Only the first line is waited for; later ones have no reader.
                drop(send.try_send(line));
            }
        });
        let first = receive.recv_timeout(DEMO_PATIENCE).map_err(|_silence| {
            Failure::Unexpected(format!("the demo site did not say its address within {DEMO_PATIENCE:?}"))
        })?;
        let address = demo_address(&first).ok_or_else(|| {
            Failure::Unexpected(format!("the demo site began with an unknown line: {first}"))
        })?;
        site.address = address.to_owned();
        Ok(site)
    }
}

impl Drop for DemoSite {
    fn drop(&mut self) {
        // A server that has ended by itself already is as good as one that is ended here.
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

fn demo_address(line: &str) -> Option<&str> {
    let address = line.strip_prefix(DEMO_GREETING)?.trim();
    address.starts_with("http://").then_some(address)
}

/// A file name that says which site is in the file: the address's host and port, with all but letters, digits and dots as `-`.
fn file_stem(url: &str) -> String {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = after_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let stem: String = host
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '-' })
        .take(100)
        .collect();
    let stem = stem.trim_matches(['.', '-']);
    if stem.is_empty() { "site".to_owned() } else { stem.to_owned() }
}

/// Moves an earlier run's project file aside, over the one before it, with SQLite's companions of both.
fn set_aside(project: &Path) -> Result<(), Failure> {
    if !project.exists() {
        return Ok(());
    }
    let previous = project.with_extension("previous.gossamer");
    for ending in ["", "-wal", "-shm"] {
        let (from, to) = (with_ending(project, ending), with_ending(&previous, ending));
        failure::remove(&to)?;
        if from.exists() {
            std::fs::rename(&from, &to).map_err(Failure::io(format!("moving {}", from.display())))?;
        }
    }
    eprintln!("The project file of the last run is now {}.", place::shown(&previous));
    Ok(())
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_display_is_what_the_environment_names() {
        let check = |name: &str, value: &str, expect: bool| {
            let found = has_display(|asked| (asked == name).then(|| value.into()));
            assert_eq!(found, expect || !cfg!(target_os = "linux"), "{name}={value}");
        };
        check("DISPLAY", ":0", true);
        check("WAYLAND_DISPLAY", "wayland-0", true);
        check("DISPLAY", "", false);
        check("TERM", "xterm", false);
    }

    #[test]
    fn the_demo_says_its_address_first() {
        assert_eq!(demo_address("Demo site: http://127.0.0.1:4444/"), Some("http://127.0.0.1:4444/"));
        assert_eq!(demo_address("Demo site: soon"), None);
        assert_eq!(demo_address("http://127.0.0.1:4444/"), None);
    }

    #[test]
    fn files_are_named_after_the_host() {
        let check = |url: &str, expect: &str| assert_eq!(file_stem(url), expect, "{url}");
        check("https://www.example.com/a/b?c", "www.example.com");
        check("example.com", "example.com");
        check("http://user:secret@host:8080/", "host-8080");
        check("http://[::1]:80/", "1--80");
        check("../../etc/passwd", "site");
        check("", "site");
    }

    #[test]
    fn the_last_run_is_kept_and_the_one_before_it_is_not() {
        let folder = std::env::temp_dir().join(format!("gossamer-xtask-{}", std::process::id()));
        failure::make_folder(&folder).expect("the temporary folder is writable");
        let project = folder.join("demo.gossamer");
        let write = |ending: &str, text: &str| {
            failure::write(&with_ending(&project, ending), text.as_bytes()).expect("the file is writable");
        };
        set_aside(&project).expect("nothing to move");
        write("", "one");
        write("-wal", "log of one");
        set_aside(&project).expect("the first file is moved");
        write("", "two");
        set_aside(&project).expect("the second file replaces the first");
        let previous = folder.join("demo.previous.gossamer");
        assert!(!project.exists());
        assert_eq!(failure::read(&previous).expect("kept"), "two");
        assert!(!with_ending(&previous, "-wal").exists(), "the log belongs to the file before");
        failure::remove(&folder).expect("the folder is ours");
    }
}
