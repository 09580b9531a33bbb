//! What the program was started with: `gossamer-desktop [PROJECT.gossamer | LIST | URL | --demo]`.

use engine::{ApiError, AuditForm, Desk};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    demo: bool,
    /// The first address: an audit of it is started.
    address: Option<String>,
    /// Absolute.
    paths: Vec<PathBuf>,
}

impl Arguments {
    /// Options that are not ours belong to the desktop, which adds its own.
    pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Self {
        let mut read = Self::default();
        for word in words {
            match word.to_str() {
                Some("--demo") => read.demo = true,
                Some(option) if option.starts_with('-') => {}
                Some(text) if is_address(text) => {
                    read.address = read.address.or_else(|| Some(text.to_owned()))
                }
                _ => read.paths.extend(std::path::absolute(&word)),
            }
        }
        read
    }

    /// Begins what can be begun without the page; gives what is left for the page: paths, and an address that could not be
    /// audited, so that the page says why.
    pub(crate) fn begin(self, desk: &Desk) -> Vec<String> {
        if self.demo {
            drop(told(desk.start_demo()));
        } else if let Some(path) = self.paths.iter().find(|path| is_project(path)) {
            drop(told(desk.open_project(path)));
        }
        let mut left: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        if let Some(address) = self.address {
            let form = AuditForm { address: address.clone(), ..AuditForm::default() };
            if told(desk.start_audit(&form)).is_none() {
                left.push(address);
            }
        }
        left
    }
}

/// Whoever started the program from a terminal reads the reason there.
fn told<T>(done: Result<T, ApiError>) -> Option<T> {
    done.map_err(|error| eprintln!("gossamer-desktop: {error}")).ok()
}

/// `https://example.com/`, or `example.com` where there is no such file.
fn is_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let plain = || !is_project(Path::new(text)) && !Path::new(text).exists() && !text.contains('\\');
    lower.starts_with("http://")
        || lower.starts_with("https://")
        || (!text.starts_with(['/', '.']) && plain())
}

fn is_project(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(OsStr::new("gossamer")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_addresses_projects_or_files() {
        let check = |word: &str, address: Option<&str>, path: Option<&str>| {
            let read = Arguments::read([OsString::from(word)].into_iter());
            let path = path.map(|path| std::path::absolute(path).expect("a path")).into_iter().collect();
            let expect = Arguments { demo: false, address: address.map(str::to_owned), paths: path };
            assert_eq!(read, expect, "{word}");
        };
        check("https://example.com/", Some("https://example.com/"), None);
        check("HTTP://127.0.0.1:8080", Some("HTTP://127.0.0.1:8080"), None);
        check("example.com", Some("example.com"), None);
        check("site.gossamer", None, Some("site.gossamer"));
        check("/tmp/urls.txt", None, Some("/tmp/urls.txt"));
        check("./urls.txt", None, Some("./urls.txt"));
        check("Cargo.toml", None, Some("Cargo.toml"));
        check("--gapplication-service", None, None);
        assert!(Arguments::read([OsString::from("--demo")].into_iter()).demo);
    }
}
