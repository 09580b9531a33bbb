//! The program under measurement: how it is started, and what is read from its project file afterwards.

use super::figures::{OurRun, Sizes};
use super::measure::measured;
use super::site::Site;
use crate::failure::{self, Failure};
use crate::step;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How our crawl is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Requests the URLs that the floor requests: anchors and frames of the site itself, nothing else.
    SameUrls,
    /// Asks for images, scripts, styles and other resources of the site too, as an audit does by default.
    WithChecks,
}

/// Kinds of links whose targets the floor requests: what a visitor follows.
const FOLLOWED: &[&str] = &["anchor", "area", "iframe", "redirect"];

/// Kinds of links whose targets are requested by an audit and not by the floor.
const ASKED: &[&str] = &[
    "amp",
    "canonical",
    "data",
    "feed",
    "font",
    "hreflang",
    "icon",
    "image",
    "manifest",
    "media",
    "meta_refresh",
    "next",
    "object",
    "preload",
    "prev",
    "script",
    "social",
    "style",
];

impl Variant {
    /// Values for `--set`. In both variants nothing is asked of other hosts, which the floor never does and which
    /// would measure their network.
    fn settings(self) -> Vec<String> {
        let elsewhere = FOLLOWED.iter().chain(ASKED).map(|kind| format!("external_links.{kind}=store"));
        let here = ASKED.iter().filter(|_| self == Self::SameUrls);
        elsewhere.chain(here.map(|kind| format!("internal_links.{kind}=store"))).collect()
    }
}

#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) program: PathBuf,
}

impl Subject {
    /// One crawl of the site into the project file, which may hold earlier ones.
    pub(crate) fn audit(
        &self,
        site: &Site,
        variant: Variant,
        project: &Path,
        log: &Path,
    ) -> Result<OurRun, Failure> {
        let mut command = Command::new(&self.program);
        command.args(["audit", &site.start_url(), "--progress", "none", "--project"]).arg(project);
        for setting in variant.settings() {
            command.args(["--set", &setting]);
        }
        let cost = measured(&mut command, log)?;
        let file_bytes = file_bytes(project)?;
        let crawl = self.row(
            project,
            "SELECT encountered, fetched + failed, \
             (SELECT count(*) FROM v_pages p WHERE p.crawl = c.crawl) FROM v_crawls c ORDER BY crawl DESC LIMIT 1",
        )?;
        let [known, requested, pages] = crawl[..] else {
            return Err(Failure::Unexpected(format!("v_crawls gave {crawl:?}")));
        };
        Ok(OurRun { cost, known, requested, pages, file_bytes })
    }

    /// What is stored, by what it is for.
    pub(crate) fn sizes(&self, project: &Path) -> Result<Sizes, Failure> {
        // Link lists are shared by pages whose links are the same, so what is stored is counted, not what is shown.
        let edges = self.row(project, "SELECT coalesce(sum(links), 0) FROM link_list")?;
        let [edges] = edges[..] else { return Err(Failure::Unexpected(format!("link_list gave {edges:?}"))) };
        let mut sizes = Sizes { edges, ..Sizes::default() };
        let sql = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC";
        for row in self.rows(project, sql)? {
            let [name, bytes] = &row[..] else {
                return Err(Failure::Unexpected(format!("dbstat gave {row:?}")));
            };
            sizes.add(name, number(bytes)?);
        }
        Ok(sizes)
    }

    fn row(&self, project: &Path, sql: &str) -> Result<Vec<u64>, Failure> {
        let rows = self.rows(project, sql)?;
        let row = rows.first().ok_or_else(|| Failure::Unexpected(format!("no row for: {sql}")))?;
        row.iter().map(|cell| number(cell)).collect()
    }

    /// The rows of a query whose values hold neither commas nor quotes.
    fn rows(&self, project: &Path, sql: &str) -> Result<Vec<Vec<String>>, Failure> {
        let mut command = Command::new(&self.program);
        let csv = step::output(command.arg("sql").arg(project).args([sql, "--format", "csv"]))?;
        Ok(rows_of(&csv))
    }
}

/// The rows below the header.
fn rows_of(csv: &str) -> Vec<Vec<String>> {
    let csv = csv.trim_start_matches('\u{feff}');
    csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn number(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_not_a_number| Failure::Unexpected(format!("`{text}` is not a whole number")))
}

/// The file with its write-ahead log, where one was left.
fn file_bytes(project: &Path) -> Result<u64, Failure> {
    let size = |path: &Path| std::fs::metadata(path).map(|file| file.len());
    let main = size(project).map_err(Failure::io(format!("asking for the size of {}", project.display())))?;
    Ok(main + size(&companion(project, "-wal")).unwrap_or(0))
}

/// Removes a project file of an earlier run with SQLite's companions.
pub(crate) fn remove_project(project: &Path) -> Result<(), Failure> {
    for ending in ["", "-wal", "-shm"] {
        failure::remove(&companion(project, ending))?;
    }
    Ok(())
}

fn companion(project: &Path, ending: &str) -> PathBuf {
    let mut name = project.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_urls_are_asked_without_resources() {
        let (same, checks) = (Variant::SameUrls.settings(), Variant::WithChecks.settings());
        assert!(same.contains(&"internal_links.image=store".to_owned()), "{same:?}");
        assert!(!checks.iter().any(|setting| setting.starts_with("internal_links.")), "{checks:?}");
        for settings in [same, checks] {
            assert!(settings.contains(&"external_links.anchor=store".to_owned()), "{settings:?}");
            assert!(!settings.contains(&"internal_links.anchor=store".to_owned()), "{settings:?}");
        }
    }

    #[test]
    fn rows_begin_below_the_header() {
        assert_eq!(rows_of("\u{feff}name,bytes\r\nlink,4096\r\n"), [["link", "4096"]]);
        assert!(rows_of("name,bytes\n").is_empty());
        assert!(rows_of("").is_empty());
        assert!(number("12").is_ok_and(|n| n == 12));
        assert!(number("").is_err());
    }
}
