//! The arguments of what a person says about findings.

use crate::args::{CrawlArgument, CredentialArguments, FormatArgument, ProgressStyle};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Nothing is deleted: ignored findings stay in v_issues with ignored = 1, and are left out of counts, summaries, exports and --fail-on.\nPatterns are those of segments: /blog/**, *.example.com/**, re:REGULAR EXPRESSION.\n\nExamples:\n  gossamer ignore site.gossamer title-too-long --url-pattern '/archive/**' --reason \"Old articles stay as they are\"\n  gossamer ignore site.gossamer links-to-broken --element 'body>footer>a' --reason \"Goes with the relaunch\" --until 2027-04-01\n  gossamer ignore site.gossamer --list\n  gossamer ignore site.gossamer --remove 3"
)]
pub(crate) struct IgnoreArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// The audit whose findings may stay: all of them, unless an option says which
    #[arg(value_name = "AUDIT", required_unless_present_any = ["list", "remove"])]
    pub(crate) audit: Option<String>,
    /// Only those of this URL; repeatable
    #[arg(long, value_name = "URL", conflicts_with_all = ["url_pattern", "element", "text"])]
    pub(crate) url: Vec<String>,
    /// Only those of URLs that match this pattern
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["element", "text"])]
    pub(crate) url_pattern: Option<String>,
    /// Only those at this element of the markup, by its path
    #[arg(long, value_name = "PATH", conflicts_with = "text")]
    pub(crate) element: Option<String>,
    /// With --element: only those whose link leads to this URL
    #[arg(long, value_name = "URL", requires = "element")]
    pub(crate) target: Option<String>,
    /// Only those of pages with this title, description or heading, whichever the audit is about
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Why they may stay
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["list", "remove"])]
    pub(crate) reason: Option<String>,
    /// The day on which they count again, such as 2027-03-31 [default: never]
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,
    /// List what is ignored, with the number of each entry
    #[arg(long, conflicts_with_all = ["audit", "remove"])]
    pub(crate) list: bool,
    /// Let the findings of an entry count again, by its number; repeatable
    #[arg(long, value_name = "N", conflicts_with = "audit")]
    pub(crate) remove: Vec<i64>,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gossamer severity site.gossamer title-too-long note\n  gossamer severity site.gossamer links-to-broken issue high\n  gossamer severity site.gossamer title-too-long --reset\n  gossamer severity site.gossamer"
)]
pub(crate) struct SeverityArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// The audit; without one, the audits that weigh something else here are listed
    #[arg(value_name = "AUDIT")]
    pub(crate) audit: Option<String>,
    /// What its findings weigh in this project
    #[arg(value_name = "SEVERITY", value_parser = ["issue", "warning", "opportunity", "note"], conflicts_with = "reset")]
    pub(crate) severity: Option<String>,
    /// What to mend first among findings of one severity [default: as the audit says]
    #[arg(value_name = "PRIORITY", value_parser = ["high", "medium", "low"])]
    pub(crate) priority: Option<String>,
    /// Let it weigh what it says itself again
    #[arg(long, requires = "audit")]
    pub(crate) reset: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The project keeps the thresholds: they win over the profile in its next audits, and --set of an audit wins over them.\nAudits whose thresholds were others are not compared with earlier crawls: a changed rule is no changed site.\n\nExamples:\n  gossamer evaluate site.gossamer --set audit.title_px_max=500\n  gossamer evaluate site.gossamer --crawl all --reset title_px_max"
)]
pub(crate) struct EvaluateArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// One threshold, such as audit.title_px_max=500; repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = crate::args::pair)]
    pub(crate) set: Vec<(String, String)>,
    /// Give up a threshold of the project, or `all` of them; repeatable
    #[arg(long, value_name = "KEY")]
    pub(crate) reset: Vec<String>,
    #[command(flatten)]
    pub(crate) crawl: CrawlArgument,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Only the URLs of these findings are asked, robots.txt first, and the targets of their links where the rule is about them. What a rule needs the whole site for is not re-checked, which is never called fixed.\n\nExamples:\n  gossamer recheck site.gossamer --audit links-to-broken\n  gossamer recheck site.gossamer --url https://www.example.com/contact\n  gossamer recheck site.gossamer --audit title-missing --list fixed.txt --format json"
)]
pub(crate) struct RecheckArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// Findings of this audit; repeatable
    #[arg(long, value_name = "AUDIT")]
    pub(crate) audit: Vec<String>,
    /// Findings of this URL; repeatable
    #[arg(long, value_name = "URL")]
    pub(crate) url: Vec<String>,
    /// Findings of the URLs of a list: text, CSV or a sitemap; - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) list: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) crawl: CrawlArgument,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
    /// How progress is shown on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ProgressStyle::Auto)]
    pub(crate) progress: ProgressStyle,
    #[command(flatten)]
    pub(crate) credentials: CredentialArguments,
}
