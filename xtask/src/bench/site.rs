//! The sites that are measured, and whether they are being served.

use crate::failure::{self, Failure};
use crate::step;
use crate::tools::{self, Tool};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// One site of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) name: &'static str,
    pub(crate) port: u16,
    pub(crate) source: Source,
    /// Pairs of runs; the medians count.
    pub(crate) rounds: usize,
    /// The variant with resource checks is measured here as well.
    pub(crate) checks_too: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Real documentation, served by nginx through the benchmark's `setup_corpora.sh`.
    Corpus,
    /// Made on the fly by the floor's `synth`, with this many pages.
    Synthetic { pages: u64 },
}

/// Both synthetic sites together give the memory's growth per known URL.
pub(crate) const FULL: [Site; 4] = [
    Site { name: "django", port: 9002, source: Source::Corpus, rounds: 3, checks_too: true },
    Site { name: "rust", port: 9008, source: Source::Corpus, rounds: 1, checks_too: true },
    Site {
        name: "synth-50k",
        port: 9031,
        source: Source::Synthetic { pages: 50_000 },
        rounds: 1,
        checks_too: false,
    },
    Site {
        name: "synth-300k",
        port: 9030,
        source: Source::Synthetic { pages: 300_000 },
        rounds: 1,
        checks_too: true,
    },
];

pub(crate) const QUICK: [Site; 3] = [
    Site { name: "django", port: 9002, source: Source::Corpus, rounds: 1, checks_too: true },
    Site {
        name: "synth-5k",
        port: 9031,
        source: Source::Synthetic { pages: 5_000 },
        rounds: 1,
        checks_too: false,
    },
    Site {
        name: "synth-20k",
        port: 9030,
        source: Source::Synthetic { pages: 20_000 },
        rounds: 1,
        checks_too: false,
    },
];

impl Site {
    pub(crate) fn start_url(&self) -> String {
        format!("http://127.0.0.1:{}/index.html", self.port)
    }

    fn is_served(&self) -> bool {
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()
    }
}

/// Sites that are served as long as this lives. One that was being served before is used and left alone.
#[derive(Debug, Default)]
pub(crate) struct Served {
    synthetic: Vec<Child>,
    /// The script that started the corpora and can end them.
    corpora: Option<PathBuf>,
}

impl Served {
    /// `folder` holds `setup_corpora.sh`; `synth` is the program that makes synthetic sites.
    pub(crate) fn start(sites: &[Site], folder: &Path, synth: &Path) -> Result<Self, Failure> {
        let mut served = Self::default();
        let absent: Vec<Site> = sites.iter().copied().filter(|site| !site.is_served()).collect();
        let corpora = absent.iter().filter(|site| site.source == Source::Corpus).map(|site| site.name);
        let corpora: Vec<&str> = corpora.collect();
        if !corpora.is_empty() {
            tools::require(&[Tool::Python, Tool::Nginx])?;
            let script = folder.join("setup_corpora.sh");
            step::run("serve documentation", Command::new(&script).arg("start").args(&corpora))?;
            served.corpora = Some(script);
        }
        for site in &absent {
            if let Source::Synthetic { pages } = site.source {
                let mut command = Command::new(synth);
                command
                    .args(["--port", &site.port.to_string(), "--n", &pages.to_string()])
                    .stdin(Stdio::null());
                let child = command.spawn();
                served
                    .synthetic
                    .push(child.map_err(Failure::io(format!("starting `{}`", step::line(&command))))?);
            }
        }
        for site in sites {
            wait_for(site)?;
        }
        Ok(served)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        for child in &mut self.synthetic {
            // One that has ended by itself is as good as one that is ended here.
            drop(child.kill());
            drop(child.wait());
        }
        if let Some(script) = &self.corpora {
            step::answers(Command::new(script).arg("stop"));
        }
    }
}

fn wait_for(site: &Site) -> Result<(), Failure> {
    let started = step::now();
    while !site.is_served() {
        if started.elapsed() > Duration::from_secs(20) {
            return Err(Failure::Unexpected(format!("{} is not served at {}", site.name, site.start_url())));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Builds the floor's two programs from a copy of its sources, with its own lock file: the sources may be read-only.
pub(crate) fn build_floor(sources: &Path, into: &Path) -> Result<Floor, Failure> {
    let copy = into.join("floor");
    for file in files_below(sources)? {
        let text = failure::read(&sources.join(&file))?;
        // The copy lies below this workspace and is not part of it.
        let text = if file == Path::new("Cargo.toml") { format!("{text}\n[workspace]\n") } else { text };
        let to = copy.join(&file);
        // What is unchanged is left untouched, so that Cargo does not build it again.
        if std::fs::read_to_string(&to).is_ok_and(|there| there == text) {
            continue;
        }
        failure::write(&to, text.as_bytes())?;
    }
    let target = into.join("floor-target");
    let mut cargo = crate::place::cargo();
    cargo.args(["build", "--release", "--locked", "--bin", "crawl", "--bin", "synth", "--manifest-path"]);
    cargo.arg(copy.join("Cargo.toml")).arg("--target-dir").arg(&target);
    step::run("build the floor", &mut cargo)?;
    let program = |name| target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(Floor { crawl: program("crawl"), synth: program("synth") })
}

/// The floor's programs.
#[derive(Debug)]
pub(crate) struct Floor {
    pub(crate) crawl: PathBuf,
    pub(crate) synth: PathBuf,
}

/// The manifest, the lock file and the sources, relative to `folder`.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = std::fs::read_dir(&next).map_err(Failure::io(format!("reading {}", next.display())))?;
        for entry in entries {
            let path = entry.map_err(Failure::io(format!("reading {}", next.display())))?.path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    folders.push(path);
                }
            } else if let Ok(relative) = path.strip_prefix(folder) {
                files.push(relative.to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_site_has_a_name_and_a_port_of_its_own() {
        for sites in [&FULL[..], &QUICK[..]] {
            for (i, site) in sites.iter().enumerate() {
                assert!(site.rounds > 0);
                for other in &sites[..i] {
                    assert_ne!(site.port, other.port);
                    assert_ne!(site.name, other.name);
                }
            }
        }
    }

    #[test]
    fn sources_are_listed_without_what_was_built() {
        let folder = std::env::temp_dir().join(format!("gossamer-xtask-floor-{}", std::process::id()));
        for file in ["Cargo.toml", "src/lib.rs", "src/bin/crawl.rs", "target/release/crawl"] {
            failure::write(&folder.join(file), b"x").expect("the temporary folder is writable");
        }
        let files = files_below(&folder).expect("the folder is readable");
        assert_eq!(files, ["Cargo.toml", "src/bin/crawl.rs", "src/lib.rs"].map(PathBuf::from));
        failure::remove(&folder).expect("the folder is ours");
    }
}
