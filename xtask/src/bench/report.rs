//! The figures as Markdown, and their place in `docs/performance.md`.

use super::figures::{self, OurRun, SiteFigures, per};
use super::measure::Cost;
use crate::{place, step};
use std::fmt::Write as _;
use std::process::Command;

const BEGIN: &str = "<!-- figures: written by `cargo xtask bench --write` -->";
const END: &str = "<!-- end of figures -->";

/// Where and on what was measured, in one sentence.
pub(crate) fn machine() -> String {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("an unnamed processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut git = Command::new("git");
    let commit = step::output(git.current_dir(place::root()).args(["rev-parse", "--short", "HEAD"]));
    let commit = commit.map_or_else(|_| "unknown".to_owned(), |commit| commit.trim().to_owned());
    format!("Commit {commit}, {cores} cores of {model}, which the servers shared.")
}

pub(crate) fn cost_line(cost: &Cost) -> String {
    format!(
        "{:.2} CPU s, {} wall, {:.0} MB at most",
        cost.cpu_seconds,
        step::shown(cost.wall),
        megabytes(cost.peak_bytes)
    )
}

/// All tables.
pub(crate) fn markdown(all: &[SiteFigures], machine: &str) -> String {
    let mut text = format!("{machine}\n\n");
    costs(&mut text, all);
    text.push('\n');
    sizes(&mut text, all);
    text.push_str("\n| limit | measured | at most | |\n|-|-:|-:|-|\n");
    for limit in figures::limits(all) {
        let verdict = if limit.holds() { "holds" } else { "**does not hold**" };
        line(
            &mut text,
            &format!(
                "| {} | {:.2}{unit} | {}{unit} | {verdict} |",
                limit.what,
                limit.measured,
                limit.most,
                unit = limit.unit
            ),
        );
    }
    text
}

fn costs(text: &mut String, all: &[SiteFigures]) {
    text.push_str(
        "| site | program | URLs requested | CPU s | CPU s per 1,000 URLs | over the floor | wall s | peak MB |\n\
         |-|-|-:|-:|-:|-:|-:|-:|\n",
    );
    for site in all {
        let (floor, ours) = site.middle();
        let per_url = |cost: &Cost, requested: u64| cost.cpu_seconds / requested.max(1) as f64;
        let base = per_url(&floor.cost, floor.requested);
        let mut row = |program: &str, cost: &Cost, requested: u64| {
            let own = per_url(cost, requested);
            line(
                text,
                &format!(
                    "| {} | {program} | {requested} | {:.2} | {:.3} | {:.2} | {:.1} | {:.0} |",
                    site.name,
                    cost.cpu_seconds,
                    own * 1000.0,
                    own / base,
                    cost.wall.as_secs_f64(),
                    megabytes(cost.peak_bytes),
                ),
            );
        };
        row("floor", &floor.cost, floor.requested);
        row("gossamer, same URLs", &ours.cost, ours.requested);
        row("gossamer, second crawl", &site.second.cost, site.second.requested);
        if let Some(OurRun { cost, requested, .. }) = &site.with_checks {
            row("gossamer, with resource checks", cost, *requested);
        }
    }
}

fn sizes(text: &mut String, all: &[SiteFigures]) {
    text.push_str(
        "| site | URLs known | pages | edges stored | floor's edges | bytes per edge | HTML bytes per page | other bytes per page | file MB | floor's file MB | a second crawl adds |\n\
         |-|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|\n",
    );
    for site in all {
        let (floor, ours) = site.middle();
        let sizes = &site.sizes;
        line(
            text,
            &format!(
                "| {} | {} | {} | {} | {} | {:.1} | {:.0} | {:.0} | {:.1} | {:.1} | {:.1} % |",
                site.name,
                ours.known,
                ours.pages,
                sizes.edges,
                floor.edges,
                sizes.bytes_per_edge(),
                per(sizes.html_bytes, ours.pages),
                per(sizes.other_bytes, ours.pages),
                megabytes(ours.file_bytes),
                megabytes(floor.file_bytes),
                site.second_growth() * 100.0,
            ),
        );
    }
}

fn line(text: &mut String, row: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{row}");
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The page with its figures replaced; `None` when it does not mark their place.
pub(crate) fn with_figures(page: &str, figures: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n\n{}\n\n{END}{after}", figures.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::figures::tests::site;

    #[test]
    fn tables_have_as_many_cells_as_headings() {
        let with_checks = SiteFigures { with_checks: Some(site("x").second), ..site("rust") };
        let text = markdown(&[site("django"), with_checks], "On a machine.");
        let mut columns = 0;
        let mut rows = 0;
        for line in text.lines() {
            let cells = line.matches('|').count();
            if cells > 0 && columns > 0 {
                assert_eq!(cells, columns, "{line}");
                rows += 1;
            }
            columns = cells;
        }
        assert!(rows > 15, "{text}");
        assert!(
            text.contains("| django | gossamer, same URLs | 1000 | 3.00 | 3.000 | 1.50 | 2.0 | 80 |"),
            "{text}"
        );
        assert!(text.contains("| bytes per edge (django) | 50.00 | 65 | holds |"), "{text}");
    }

    #[test]
    fn figures_go_between_their_marks() {
        let page = format!("# P\n{BEGIN}\nold\n{END}\nmore\n");
        let once = with_figures(&page, "new\n").expect("the marks are there");
        assert_eq!(once, format!("# P\n{BEGIN}\n\nnew\n\n{END}\nmore\n"));
        assert_eq!(with_figures(&once, "new").as_deref(), Some(once.as_str()));
        assert_eq!(with_figures("# P\n", "new"), None);
    }
}
