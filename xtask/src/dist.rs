//! `cargo xtask dist`: the archive of a release.

use crate::failure::{self, Failure};
use crate::tools::Tool;
use crate::{place, step, tools};
use std::process::Command;

/// What goes beside the program.
const PAPERS: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE", "LICENSE-MIT", "LICENSE-APACHE"];

pub(crate) fn dist() -> Result<(), Failure> {
    tools::require(&[Tool::CCompiler])?;
    let gossamer = place::build("release")?;
    let manifest = failure::read(&place::root().join("Cargo.toml"))?;
    let version = workspace_version(&manifest)
        .ok_or_else(|| Failure::Unexpected("Cargo.toml has no version in [workspace.package]".into()))?;
    let verbose = step::output(Command::new("rustc").arg("-vV"))?;
    let host = host_triple(&verbose)
        .ok_or_else(|| Failure::Unexpected("`rustc -vV` did not name its host".into()))?;

    let name = format!("gossamer-{version}-{host}");
    let folder = place::target().join("dist");
    let content = folder.join(&name);
    failure::remove(&content)?;
    failure::make_folder(&content)?;
    let papers = PAPERS.map(|paper| place::root().join(paper));
    for file in papers.iter().chain([&gossamer]) {
        let to = content.join(file.file_name().unwrap_or_default());
        std::fs::copy(file, &to).map_err(Failure::io(format!("copying {}", file.display())))?;
    }
    let archive = folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    step::run("archive", tar.arg("-czf").arg(&archive).arg("-C").arg(&folder).arg(&name))?;
    println!("{}", place::shown(&archive));
    Ok(())
}

/// The `version` of `[workspace.package]`.
fn workspace_version(manifest: &str) -> Option<&str> {
    let (_, section) = manifest.split_once("[workspace.package]")?;
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let value = lines.filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "version")?.1;
    Some(value.trim().trim_matches('"'))
}

/// The `host:` line of `rustc -vV`.
fn host_triple(verbose: &str) -> Option<&str> {
    verbose.lines().find_map(|line| line.strip_prefix("host: ")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_workspace_s() {
        let manifest = "[workspace]\nmembers = []\n\n[workspace.package]\nedition = \"2024\"\nversion = \"1.2.3\"\n[x]\n";
        assert_eq!(workspace_version(manifest), Some("1.2.3"));
        assert_eq!(workspace_version("[workspace.package]\n[x]\nversion = \"9\"\n"), None);
        let own = failure::read(&place::root().join("Cargo.toml")).expect("the manifest is there");
        assert_eq!(workspace_version(&own), Some(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn the_host_is_what_rustc_says() {
        assert_eq!(
            host_triple("rustc 1.95.0\nhost: x86_64-unknown-linux-gnu\n"),
            Some("x86_64-unknown-linux-gnu")
        );
        assert_eq!(host_triple("rustc 1.95.0\n"), None);
    }

    #[test]
    fn the_papers_are_in_the_repository() {
        for paper in PAPERS {
            assert!(place::root().join(paper).is_file(), "{paper}");
        }
    }
}
