//! The real window on a screen of its own, driven as a person would.

use crate::paths;
use crate::server::pause;
use crate::webdriver::{Element, Session};
use model::clock::{Clock, SystemClock};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How the window is opened.
#[derive(Debug, Clone)]
pub struct Opening {
    pub arguments: Vec<String>,
    pub theme: Theme,
    /// Width and height in pixels.
    pub size: (u32, u32),
    pub rendering: Rendering,
    /// Stands in for the person's home; a new one where it is not given.
    pub home: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

/// How the web view paints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rendering {
    /// As for a person who changed nothing.
    Defaults,
    /// Without shared graphics memory, which virtual screens do not have: the same picture, sooner.
    Software,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            arguments: Vec::new(),
            theme: Theme::Light,
            size: (1280, 800),
            rendering: Rendering::Software,
            home: None,
        }
    }
}

/// The program with its window. Dropping it ends everything that was started for it.
#[derive(Debug)]
pub struct Window {
    session: Session,
    home: PathBuf,
    // Fields are dropped in this order: the driver before the screen that its program draws on.
    _driver: Group,
    _screen: Group,
    _own_home: Option<tempfile::TempDir>,
}

/// Waiting for something to appear takes no longer than this; machines that build at the same time are slow.
const PATIENCE: Duration = Duration::from_secs(30);

impl Window {
    /// Opens the window; `None`, after saying so on standard error, where this machine has nothing to draw it with and the
    /// environment does not ask for these tests (`GOSSAMER_WINDOW_TESTS=required`).
    ///
    /// # Panics
    /// When it is asked for and cannot be opened.
    pub fn open(opening: &Opening) -> Option<Self> {
        if !Self::is_possible() {
            return None;
        }
        let program = paths::named("gossamer-desktop");
        let own_home = opening.home.is_none().then(|| tempfile::tempdir().expect("a folder for the home"));
        let home = opening
            .home
            .clone()
            .or_else(|| own_home.as_ref().map(|home| home.path().to_owned()))
            .expect("a home is given or made");
        let (screen, display) = screen();
        let port = free_port();
        let mut command = Command::new("WebKitWebDriver");
        command.arg(format!("--port={port}")).arg("--host=127.0.0.1");
        command
            .env("DISPLAY", &display)
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true");
        command.env("HOME", &home).env("LANG", "C.UTF-8").env_remove("WAYLAND_DISPLAY");
        for (variable, below) in
            [("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache")]
        {
            command.env(variable, home.join(below));
        }
        for variable in
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "RUST_LOG", "DBUS_SESSION_BUS_ADDRESS"]
        {
            command.env_remove(variable).env_remove(variable.to_ascii_lowercase());
        }
        match opening.theme {
            Theme::Light => command.env("GTK_THEME", "Adwaita"),
            Theme::Dark => command.env("GTK_THEME", "Adwaita:dark"),
        };
        match opening.rendering {
            Rendering::Defaults => command.env_remove("WEBKIT_DISABLE_DMABUF_RENDERER"),
            Rendering::Software => command.env("WEBKIT_DISABLE_DMABUF_RENDERER", "1"),
        };
        let driver = Group::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        until("the driver to listen", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
        let session = Session::start(
            &format!("http://127.0.0.1:{port}"),
            &program.display().to_string(),
            &opening.arguments,
        )
        .unwrap_or_else(|error| panic!("the window does not open: {error}"));
        let window = Self { session, home, _driver: driver, _screen: screen, _own_home: own_home };
        window.session.resize(opening.size.0, opening.size.1).expect("the window can be resized");
        window.wait_for("#app > *");
        Some(window)
    }

    /// Whether a window can be opened here; where not, standard error says why.
    ///
    /// # Panics
    /// When it cannot, and the environment asks for these tests.
    pub fn is_possible() -> bool {
        let Some(missing) = missing() else { return true };
        assert!(
            std::env::var_os("GOSSAMER_WINDOW_TESTS").is_none(),
            "the window cannot be tested: {missing}"
        );
        eprintln!("skipped: the window is not tested: {missing}");
        false
    }

    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// The folder that stands in for the person's home.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The first element of a selector, waited for until it is drawn.
    ///
    /// # Panics
    /// When it does not appear.
    pub fn wait_for(&self, css: &str) -> Element {
        let found = try_until(|| self.session.find_all(css).ok().and_then(|found| found.into_iter().next()));
        found.unwrap_or_else(|| panic!("“{css}” does not appear; the window:\n{}", self.shown()))
    }

    /// Waits until the element's text fulfils a condition, and gives the text.
    ///
    /// # Panics
    /// When it does not come to that.
    pub fn wait_for_text(&self, css: &str, fulfils: impl Fn(&str) -> bool) -> String {
        let mut last = String::new();
        let found = try_until(|| {
            last = self.text_of(css)?;
            fulfils(&last).then(|| last.clone())
        });
        found.unwrap_or_else(|| panic!("“{css}” says “{last}” at the end; the window:\n{}", self.shown()))
    }

    /// Clicks the first element of a selector as soon as that is possible.
    ///
    /// # Panics
    /// When it does not become possible.
    pub fn click(&self, css: &str) {
        let mut last = String::from("it is not there");
        let clicked = try_until(|| {
            let element = self.session.find_all(css).ok()?.into_iter().next()?;
            // What is just being drawn anew can be stale or covered for a moment.
            self.session.click(&element).map_err(|error| last = error).ok()
        });
        clicked.unwrap_or_else(|| panic!("“{css}” cannot be clicked: {last}; the window:\n{}", self.shown()));
    }

    /// Replaces the text of a field.
    ///
    /// # Panics
    /// When there is no such field.
    pub fn fill(&self, css: &str, text: &str) {
        let field = self.wait_for(css);
        self.session
            .script(
                "const field = document.querySelector(arguments[0]); field.focus(); field.select && field.select();",
                &[css.into()],
            )
            .expect("the field can have the focus");
        self.session.type_into(&field, text).unwrap_or_else(|error| panic!("typing into “{css}”: {error}"));
    }

    /// The text of the first element of a selector, `None` where there is none.
    pub fn text_of(&self, css: &str) -> Option<String> {
        self.session
            .script(
                "const found = document.querySelector(arguments[0]); return found && (found.innerText ?? found.textContent)",
                &[css.into()],
            )
            .ok()?
            .as_str()
            .map(str::to_owned)
    }

    /// What a script returns.
    ///
    /// # Panics
    /// When the script throws.
    pub fn script(&self, body: &str, arguments: &[Value]) -> Value {
        self.session.script(body, arguments).unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    /// Waits until a script returns something that is true.
    ///
    /// # Panics
    /// When it does not come to that.
    pub fn wait_until(&self, body: &str, arguments: &[Value]) -> Value {
        let found = try_until(|| {
            let value = self.session.script(body, arguments).ok()?;
            let holds = !matches!(value, Value::Null | Value::Bool(false)) && value != 0 && value != "";
            holds.then_some(value)
        });
        found.unwrap_or_else(|| panic!("it does not come to this: {body}; the window:\n{}", self.shown()))
    }

    /// A picture of the window. A still page gives none while the web view paints in software, so something outside the
    /// picture's care moves meanwhile.
    ///
    /// # Panics
    /// When there is no picture.
    pub fn picture(&self) -> Vec<u8> {
        let move_something = "const speck = document.createElement('div'); speck.style.cssText = 'position:fixed;left:0;bottom:0;width:1px;height:1px;opacity:.01;background:#888';
            document.body.append(speck); let n = 0; const timer = setInterval(() => { speck.style.left = (n++ % 2) + 'px'; if (n > 60) { clearInterval(timer); speck.remove(); } }, 33);";
        self.script(move_something, &[]);
        self.session.screenshot().expect("a picture of the window")
    }

    /// Everything that the window says, for messages.
    fn shown(&self) -> String {
        self.text_of("body").unwrap_or_else(|| "(it says nothing)".to_owned())
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // The program ends with its session; where it does not, its process group is ended next.
        let _ = self.session.close();
    }
}

/// A process with everything that it starts.
#[derive(Debug)]
struct Group(Child);

impl Group {
    fn start(command: &mut Command) -> Self {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Self(command.spawn().unwrap_or_else(|error| panic!("{:?}: {error}", command.get_program())))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The group has the number of its first process. `--` keeps the minus from being read as an option.
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.0.wait();
    }
}

/// A screen that nobody looks at, and its name.
fn screen() -> (Group, String) {
    let mut command = Command::new("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp"]);
    let mut group = Group::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut number = String::new();
    let output = group.0.stdout.take().expect("its output is piped");
    BufReader::new(output).read_line(&mut number).expect("Xvfb says its number");
    (group, format!(":{}", number.trim()))
}

/// What this machine lacks for a window, if anything.
fn missing() -> Option<&'static str> {
    let starts = |program: &str, argument: &str| {
        Command::new(program)
            .arg(argument)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
    };
    if !cfg!(target_os = "linux") {
        return Some("its tests need Linux");
    }
    if !starts("Xvfb", "-help") {
        return Some("Xvfb is not installed");
    }
    if !starts("WebKitWebDriver", "--help") {
        return Some("WebKitWebDriver is not installed");
    }
    (!paths::named_path("gossamer-desktop").is_file()).then_some("gossamer-desktop is not built")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its number").port()
}

/// Asks until there is an answer, and panics with what was waited for when there is none.
fn until<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    try_until(ask).unwrap_or_else(|| panic!("waited {PATIENCE:?} for {what}"))
}

fn try_until<T>(mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = SystemClock.now() + PATIENCE;
    loop {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        if SystemClock.now() >= deadline {
            return None;
        }
        pause(Duration::from_millis(20));
    }
}
