//! What was measured, the figures that follow from it, and the limits they have to hold.

use super::measure::Cost;
use std::fmt;

/// One crawl by the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FloorRun {
    pub(crate) cost: Cost,
    pub(crate) requested: u64,
    pub(crate) edges: u64,
    pub(crate) file_bytes: u64,
}

impl FloorRun {
    /// Reads the line that the floor ends with: `crawl … done=770 … edges=56206 … db=5.6MB …`.
    pub(crate) fn parse(cost: Cost, said: &str) -> Option<Self> {
        let line = said.lines().rfind(|line| line.starts_with("crawl "))?;
        let value =
            |key: &str| line.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        let megabytes: f64 = value("db")?.strip_suffix("MB")?.parse().ok()?;
        Some(Self {
            cost,
            requested: value("done")?.parse().ok()?,
            edges: value("edges")?.parse().ok()?,
            file_bytes: (megabytes * 1e6) as u64,
        })
    }
}

/// One crawl by us, into a project file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OurRun {
    pub(crate) cost: Cost,
    /// URLs that the crawl met, requested or not.
    pub(crate) known: u64,
    pub(crate) requested: u64,
    pub(crate) pages: u64,
    /// The whole project file after this crawl.
    pub(crate) file_bytes: u64,
}

/// Bytes of a project file by what they are for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Links stored.
    pub(crate) edges: u64,
    /// The links with all that belongs to them: lists, reverse index, anchor texts and raw hrefs.
    pub(crate) edge_bytes: u64,
    pub(crate) html_bytes: u64,
    /// Everything else: URLs, answers, facts, findings.
    pub(crate) other_bytes: u64,
}

impl Sizes {
    /// Adds one table or index of the file, by its name in the schema.
    pub(crate) fn add(&mut self, name: &str, bytes: u64) {
        let whole = |family: &str| name == family || name.starts_with(&format!("{family}_"));
        let share = if whole("html") {
            &mut self.html_bytes
        } else if whole("link") || matches!(name, "string" | "image_size" | "answer_list") {
            &mut self.edge_bytes
        } else {
            &mut self.other_bytes
        };
        *share += bytes;
    }

    pub(crate) fn bytes_per_edge(&self) -> f64 {
        per(self.edge_bytes, self.edges)
    }
}

/// All that was measured on one site.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SiteFigures {
    pub(crate) name: &'static str,
    /// Runs side by side, at least one.
    pub(crate) pairs: Vec<(FloorRun, OurRun)>,
    /// Of the file after the first crawl.
    pub(crate) sizes: Sizes,
    /// A second crawl of the unchanged site into the same file.
    pub(crate) second: OurRun,
    pub(crate) with_checks: Option<OurRun>,
}

impl SiteFigures {
    /// The pair whose ratio is the median one.
    pub(crate) fn middle(&self) -> (FloorRun, OurRun) {
        let mut pairs = self.pairs.clone();
        pairs.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        pairs[(pairs.len() - 1) / 2]
    }

    /// CPU seconds per requested URL, ours over the floor's.
    pub(crate) fn cpu_ratio(&self) -> f64 {
        ratio(&self.middle())
    }

    /// By how much of the first crawl's file the second one makes it grow.
    pub(crate) fn second_growth(&self) -> f64 {
        let (_, last) = self.pairs[self.pairs.len() - 1];
        per(self.second.file_bytes.saturating_sub(last.file_bytes), last.file_bytes)
    }

    /// How far the two programs' numbers of requested URLs are apart, as a part of the floor's.
    fn url_set_gap(&self) -> f64 {
        let (floor, ours) = self.middle();
        per(floor.requested.abs_diff(ours.requested), floor.requested)
    }
}

fn ratio((floor, ours): &(FloorRun, OurRun)) -> f64 {
    let ours = ours.cost.cpu_seconds / ours.requested.max(1) as f64;
    let floor = floor.cost.cpu_seconds / floor.requested.max(1) as f64;
    ours / floor
}

/// Bytes by which peak memory grows for each further known URL: from the smaller synthetic site to the larger.
pub(crate) fn growth_per_url(all: &[SiteFigures]) -> Option<f64> {
    let mut synthetic: Vec<OurRun> =
        all.iter().filter(|site| site.name.starts_with("synth")).map(|site| site.middle().1).collect();
    synthetic.sort_by_key(|run| run.known);
    let (small, large) = (synthetic.first()?, synthetic.last()?);
    let urls = large.known.checked_sub(small.known).filter(|urls| *urls > 0)?;
    Some((large.cost.peak_bytes as f64 - small.cost.peak_bytes as f64) / urls as f64)
}

/// A figure and the most that it may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Limit {
    pub(crate) what: String,
    pub(crate) measured: f64,
    pub(crate) most: f64,
    pub(crate) unit: &'static str,
}

impl Limit {
    /// A figure that is no number (nothing was measured) does not hold.
    pub(crate) fn holds(&self) -> bool {
        self.measured <= self.most
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, measured, most, unit } = self;
        let verdict = if self.holds() { "holds" } else { "DOES NOT HOLD" };
        write!(f, "{what}: {measured:.2}{unit}, at most {most}{unit}: {verdict}")
    }
}

/// Every limit, with what was measured.
pub(crate) fn limits(all: &[SiteFigures]) -> Vec<Limit> {
    let mut limits = Vec::new();
    for site in all {
        let mut add = |what: &str, measured, most, unit| {
            limits.push(Limit { what: format!("{what} ({})", site.name), measured, most, unit });
        };
        add("requested URLs apart from the floor's", site.url_set_gap() * 100.0, 1.0, " %");
        add("CPU per URL over the floor's", site.cpu_ratio(), 2.0, "");
        add("bytes per edge", site.sizes.bytes_per_edge(), 65.0, "");
        add("growth by a second crawl", site.second_growth() * 100.0, 25.0, " %");
    }
    if let Some(growth) = growth_per_url(all) {
        limits.push(Limit {
            what: "memory per known URL".into(),
            measured: growth,
            most: 60.0,
            unit: " bytes",
        });
    }
    limits
}

pub(crate) fn per(total: u64, parts: u64) -> f64 {
    total as f64 / parts as f64
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::time::Duration;

    pub(crate) fn pair(floor_cpu: f64, our_cpu: f64) -> (FloorRun, OurRun) {
        let cost = |cpu_seconds, peak_bytes| Cost { wall: Duration::from_secs(2), cpu_seconds, peak_bytes };
        (
            FloorRun {
                cost: cost(floor_cpu, 50_000_000),
                requested: 1000,
                edges: 40_000,
                file_bytes: 2_000_000,
            },
            OurRun {
                cost: cost(our_cpu, 80_000_000),
                known: 1100,
                requested: 1000,
                pages: 990,
                file_bytes: 4_000_000,
            },
        )
    }

    pub(crate) fn site(name: &'static str) -> SiteFigures {
        let pairs = vec![pair(1.0, 1.9), pair(1.0, 1.2), pair(2.0, 3.0)];
        let second = OurRun { file_bytes: 4_400_000, ..pairs[0].1 };
        let sizes =
            Sizes { edges: 40_000, edge_bytes: 2_000_000, html_bytes: 1_500_000, other_bytes: 500_000 };
        SiteFigures { name, pairs, sizes, second, with_checks: None }
    }

    #[test]
    fn the_floor_s_line_is_read() {
        let said = "noise\ncrawl conc=5 parser=Tree done=770 html=760 200=765 3xx=1 404=4 urls_known=900 edges=56206 MB=30.1 wall=1.00 (crawl 0.90) pages/s=700 cpu=0.90 (user 0.80 sys 0.10) cpu_s/1000=1.2 rss=40MB db=5.6MB db_B/page=1 db_B/edge=2\n";
        let run = FloorRun::parse(Cost::default(), said).expect("the line is known");
        assert_eq!((run.requested, run.edges, run.file_bytes), (770, 56_206, 5_600_000));
        assert!(FloorRun::parse(Cost::default(), "thread main panicked").is_none());
        assert!(FloorRun::parse(Cost::default(), "crawl done=770").is_none());
    }

    #[test]
    fn the_median_pair_counts() {
        let site = site("django");
        assert!((site.cpu_ratio() - 1.5).abs() < 1e-9, "{}", site.cpu_ratio());
        assert!((site.second_growth() - 0.1).abs() < 1e-9);
    }

    #[test]
    fn tables_are_shared_out_by_name() {
        let mut sizes = Sizes { edges: 2, ..Sizes::default() };
        for name in ["link", "link_target", "link_list_hash", "string", "answer_list"] {
            sizes.add(name, 10);
        }
        sizes.add("html", 7);
        sizes.add("html_dictionary", 1);
        sizes.add("url", 100);
        sizes.add("linkage", 5);
        assert_eq!(sizes, Sizes { edges: 2, edge_bytes: 50, html_bytes: 8, other_bytes: 105 });
        assert!((sizes.bytes_per_edge() - 25.0).abs() < 1e-9);
    }

    #[test]
    fn growth_is_between_the_synthetic_sites() {
        let (mut small, mut large) = (site("synth-50k"), site("synth-300k"));
        for (site, known, peak) in [(&mut small, 50_000, 60_000_000), (&mut large, 300_000, 70_000_000)] {
            for (_, ours) in &mut site.pairs {
                ours.known = known;
                ours.cost.peak_bytes = peak;
            }
        }
        assert_eq!(growth_per_url(&[large.clone(), site("rust"), small.clone()]), Some(40.0));
        assert_eq!(growth_per_url(std::slice::from_ref(&small)), None, "one site shows no growth");
        let limits = limits(&[small, large]);
        assert!(limits.iter().all(Limit::holds), "{limits:?}");
    }

    #[test]
    fn what_is_over_its_limit_does_not_hold() {
        let limit = |measured| Limit { what: "bytes per edge".into(), measured, most: 65.0, unit: "" };
        assert!(limit(65.0).holds());
        assert!(!limit(65.1).holds());
        assert!(!limit(f64::NAN).holds(), "nothing measured is no success");
        assert_eq!(limit(70.0).to_string(), "bytes per edge: 70.00, at most 65: DOES NOT HOLD");
        let mut apart = site("rust");
        for (_, ours) in &mut apart.pairs {
            ours.requested = 900;
        }
        let limits = limits(&[apart]);
        assert!(limits.iter().any(|limit| limit.what.contains("apart") && !limit.holds()), "{limits:?}");
    }
}
