//! The command line: a public contract, documented from this declaration.

use crate::said_args::{EvaluateArguments, IgnoreArguments, RecheckArguments, SeverityArguments};
use clap::{Args, Parser, Subcommand, ValueEnum};
use engine::CrawlChoice;
use std::path::PathBuf;

const EXIT_CODES: &str = "Exit codes: 0 done; 1 done and --fail-on matched; 2 wrong usage; 3 the job could not start; \
4 a file cannot be used: the project cannot be opened, or a result cannot be written; 130 interrupted, state saved.";

/// Audits websites from this computer. No account, no telemetry; results live in one project file.
#[derive(Debug, Parser)]
#[command(name = "gossamer", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Crawl a site and report what is wrong with it
    Audit(AuditArguments),
    /// Continue an interrupted crawl
    Resume(ResumeArguments),
    /// List the crawls of a project; delete some; give space back
    Crawls(CrawlsArguments),
    /// Print a view of a project, or list the views
    Show(ShowArguments),
    /// Print what the audits found
    Issues(IssuesArguments),
    /// Compare two crawls: what changed, what broke, whether fixes held
    Changes(ChangesArguments),
    /// Let findings stay: leave them out of every count, with a reason
    Ignore(IgnoreArguments),
    /// Change what an audit weighs in a project
    Severity(SeverityArguments),
    /// Judge a crawl anew, with other thresholds, without crawling
    Evaluate(EvaluateArguments),
    /// Look again at findings, asking for their URLs only
    Recheck(RecheckArguments),
    /// Write a view, or all of them, to files
    Export(ExportArguments),
    /// Run a reading SQL statement on a project
    Sql(SqlArguments),
    /// Name parts of a site by patterns of URLs
    Segment(SegmentArguments),
    /// Add audits of your own, written in SQL
    CustomAudit(CustomAuditArguments),
    /// Look for texts and take values from pages that are stored already
    Extract(ExtractArguments),
    /// Test addresses against robots.txt
    Robots(RobotsArguments),
    /// Explain an audit: what it means, why it matters, how to fix it
    Explain(ExplainArguments),
    /// List all settings, or write a profile to start from
    Settings(SettingsArguments),
    /// Check whether this computer can run audits
    Doctor,
    /// Serve the built-in demo site on this computer, or make up a large project to try things on
    Demo(DemoArguments),
    /// Print a page of the documentation, as Markdown
    #[command(hide = true)]
    Docs(DocsArguments),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gossamer audit https://www.example.com\n  gossamer audit example.com/shop/ --set scope.start_folder_only=true --max-urls 5000\n  gossamer audit --list urls.txt --project check.gossamer --fail-on issue"
)]
pub(crate) struct AuditArguments {
    /// Where to start; `example.com` is read as `https://example.com`
    #[arg(value_name = "URL", required_unless_present = "list")]
    pub(crate) urls: Vec<String>,
    /// Project file; the crawl is added if it exists [default: HOST.gossamer or HOST-PORT.gossamer in this folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) project: Option<PathBuf>,
    /// Settings from a TOML file (`gossamer settings --template` writes one)
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// One setting for this run, such as fetch.timeout=5s; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Audit exactly the addresses of a list: text, CSV or a sitemap; - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) list: Option<PathBuf>,
    /// Requested URLs at most (limits.max_urls)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_urls: Option<String>,
    /// Links followed from the start at most (limits.max_depth)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) depth: Option<String>,
    /// Ignore the site's Disallow and Crawl-delay (robots.obey=false)
    #[arg(long)]
    pub(crate) ignore_robots: bool,
    /// Connect a host and port elsewhere and keep its name (http.overrides); repeatable
    #[arg(long, value_name = "HOST:PORT:ADDR[:PORT]")]
    pub(crate) resolve: Vec<String>,
    #[command(flatten)]
    pub(crate) credentials: CredentialArguments,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

/// Credentials of one run. They are plain text here, and read by the command: a complaint of the argument parser would
/// repeat them.
#[derive(Args)]
#[command(
    next_help_heading = "Credentials (for the start address's scheme, host and port alone; never stored)"
)]
pub(crate) struct CredentialArguments {
    /// A request header that may hold a secret; repeatable
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    /// Take user:password or Bearer TOKEN from this environment variable
    #[arg(long, value_name = "NAME", conflicts_with = "auth")]
    pub(crate) auth_env: Option<String>,
    /// Read user:password or Bearer TOKEN from standard input; a terminal is asked without showing it
    #[arg(long, value_name = "-", allow_hyphen_values = true)]
    pub(crate) auth: Option<String>,
    /// Cookies to start with, such as session=1; consent=yes
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) cookie: Vec<String>,
}

impl std::fmt::Debug for CredentialArguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CredentialArguments(…)")
    }
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    #[command(flatten)]
    pub(crate) credentials: CredentialArguments,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ReportArguments {
    /// How progress is shown on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ProgressStyle::Auto)]
    pub(crate) progress: ProgressStyle,
    /// End with exit code 1 if something at least this severe was found
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::None)]
    pub(crate) fail_on: FailOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressStyle {
    /// One line that is redrawn in a terminal, plain lines elsewhere
    Auto,
    /// A line now and then
    Plain,
    /// One JSON object a line
    Json,
    /// Nothing
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Any issue
    Issue,
    /// Any issue or warning
    Warning,
    /// Never
    None,
}

#[derive(Debug, Args)]
pub(crate) struct CrawlsArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// Delete this crawl; repeatable
    #[arg(long, value_name = "CRAWL")]
    pub(crate) delete: Vec<i64>,
    /// Delete all but the newest N crawls, at least 1
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) keep: Option<usize>,
    /// Give the space of deleted crawls back to the disk
    #[arg(long)]
    pub(crate) compact: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gossamer show site.gossamer\n  gossamer show site.gossamer v_links --where \"verdict = 'broken'\" --columns source,target,anchor\n  gossamer show site.gossamer v_pages --sort -inlinks --limit 20"
)]
pub(crate) struct ShowArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// The view; without one, the views are listed
    pub(crate) view: Option<String>,
    /// Rows that fulfil this SQL condition
    #[arg(long = "where", value_name = "SQL", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Columns, separated by commas
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Sort by a column; -COLUMN sorts from the greatest down
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub(crate) sort: Option<String>,
    /// Rows at most
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    #[command(flatten)]
    pub(crate) crawl: CrawlArgument,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct CrawlArgument {
    /// A crawl's number, or `all` [default: the latest]
    #[arg(long, value_name = "N", value_parser = crawl_choice)]
    pub(crate) crawl: Option<CrawlChoice>,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct FormatArgument {
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextFormat::Table)]
    pub(crate) format: TextFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextFormat {
    Table,
    Csv,
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The table has a line for each audit; CSV and JSON have a row for each finding, with its evidence.\nThe URLs of one audit: gossamer show FILE issues --where \"audit = 'broken-page'\""
)]
pub(crate) struct IssuesArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    #[command(flatten)]
    pub(crate) crawl: CrawlArgument,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The table counts the changes; CSV and JSON have a row for each, with what was and what is.\n\nExamples:\n  gossamer changes site.gossamer\n  gossamer changes site.gossamer --from 3 --to 7 --format csv\n  gossamer changes site.gossamer --from 1 --to 2 --map https://staging.example.com/=https://www.example.com/"
)]
pub(crate) struct ChangesArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// The earlier crawl [default: the finished one of the same kind before the later]
    #[arg(long, value_name = "CRAWL")]
    pub(crate) from: Option<i64>,
    /// The later crawl [default: the newest]
    #[arg(long, value_name = "CRAWL")]
    pub(crate) to: Option<i64>,
    /// Addresses of the earlier crawl that begin with FROM are those of the later that begin with TO; repeatable, the first that fits counts
    #[arg(long, value_name = "FROM=TO")]
    pub(crate) map: Vec<String>,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
#[command(
    after_help = "In CSV a text that a spreadsheet would run as a formula gets an apostrophe before it.\n\nExamples:\n  gossamer export site.gossamer v_pages --to pages.xlsx\n  gossamer export site.gossamer broken-links --to broken.html --profile agency.toml\n  gossamer export site.gossamer broken-links --to broken.xlsx --set report.agency=\"Example & Co\" --set report.logo=logo.png\n  gossamer export site.gossamer inlinks --of moved.txt --to inlinks.xlsx\n  gossamer export site.gossamer inlinks --where \"status = 404\" --to inlinks.csv"
)]
pub(crate) struct ExportArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// The view, `all`, `broken-links` for the report of broken links, or `inlinks` for the links to a set of URLs
    pub(crate) view: String,
    /// A file ending in .csv, .xlsx, .json or .jsonl, the report of broken links also in .html; with `all`, a folder
    #[arg(long, value_name = "PATH")]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) crawl: CrawlArgument,
    /// For the report: settings from a TOML file, of which those of `report` count
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// For the report: one setting, such as report.agency=NAME; repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,
    /// For the report: list links that could not be verified too, as such
    #[arg(long)]
    pub(crate) unverified: bool,
    /// For inlinks: the URLs, from a list as text, CSV or a sitemap; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "filter")]
    pub(crate) of: Option<PathBuf>,
    /// For inlinks: the URLs that fulfil this SQL condition on v_urls
    #[arg(long = "where", value_name = "SQL", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A segment is a column and a filter of URLs, links and findings, and `segments` in the views. A pattern such as /blog/** is compared with the path, shop.example.com/** with host and path; ** stands for anything, * for anything but a slash. re:REGEX is looked for anywhere in the URL.\n\nExamples:\n  gossamer segment site.gossamer add Blog '/blog/**' '/news/**'\n  gossamer show site.gossamer urls --where \"segments LIKE '%Blog%' AND status = 404\""
)]
pub(crate) struct SegmentArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    #[command(subcommand)]
    pub(crate) action: SegmentAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SegmentAction {
    /// Add a segment, or give one other patterns
    Add {
        name: String,
        #[arg(value_name = "PATTERN", required = true, allow_hyphen_values = true)]
        patterns: Vec<String>,
    },
    /// List the segments with what they have in the latest crawl
    List {
        #[command(flatten)]
        format: FormatArgument,
    },
    /// Remove a segment
    Remove { name: String },
}

#[derive(Debug, Args)]
#[command(
    after_help = "A rule is: contains or lacks [regex] [source|visible] [case]: PATTERN, or css, xpath or regex [text|html|attr NAME|count] [first|all]: EXPRESSION. Crawls compute what the project looks for as they go; without an action, it is computed for the stored pages of a crawl, and nothing is fetched. The results are the view v_custom, and columns in the window.\n\nExamples:\n  gossamer extract site.gossamer add price 'css text: .price'\n  gossamer extract site.gossamer add no-cart 'lacks visible: add to cart'\n  gossamer extract site.gossamer\n  gossamer show site.gossamer custom --where \"name = 'price'\""
)]
pub(crate) struct ExtractArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    #[command(flatten)]
    pub(crate) crawl: CrawlArgument,
    #[command(subcommand)]
    pub(crate) action: Option<ExtractAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExtractAction {
    /// Add a search or an extraction, or give one another rule
    Add { name: String, rule: String },
    /// List what the project looks for, with what it found in the latest crawl
    List {
        #[command(flatten)]
        format: FormatArgument,
    },
    /// Remove one with all that it found
    Remove { name: String },
}

#[derive(Debug, Args)]
#[command(
    after_help = "The statement is one SELECT over the documented views with a column url; its other columns become evidence, and :crawl stands for the crawl. It is evaluated at the end of every crawl; its findings are findings like others, of the family custom.\n\nExamples:\n  gossamer custom-audit site.gossamer add thin-blog --severity warning --sql \"SELECT url, word_count FROM v_pages WHERE crawl = :crawl AND segments LIKE '%Blog%' AND word_count < 300\"\n  gossamer custom-audit site.gossamer run"
)]
pub(crate) struct CustomAuditArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    #[command(subcommand)]
    pub(crate) action: CustomAuditAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CustomAuditAction {
    /// Add an audit, or put it in the place of the one of that name; it is evaluated in the latest crawl
    Add {
        /// In kebab-case; its id is custom-NAME
        name: String,
        /// One statement that only reads
        #[arg(long)]
        sql: String,
        /// issue, warning, opportunity or note
        #[arg(long, value_name = "SEVERITY")]
        severity: String,
        /// high, medium or low
        #[arg(long, default_value = "medium")]
        priority: String,
        /// A few words for lists [default: the name]
        #[arg(long, default_value = "", hide_default_value = true)]
        title: String,
        /// Why it matters
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        why: String,
        /// How it is mended
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        fix: String,
    },
    /// List the audits with what they found in the latest crawl
    List {
        #[command(flatten)]
        format: FormatArgument,
    },
    /// Evaluate them in a crawl that is there
    Run {
        #[command(flatten)]
        crawl: CrawlArgument,
    },
    /// Remove an audit with all that it found
    Remove { name: String },
}

#[derive(Debug, Args)]
pub(crate) struct SqlArguments {
    /// Project file
    #[arg(value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// One statement that only reads
    #[arg(value_name = "SQL")]
    pub(crate) statement: String,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Only robots.txt is requested, once for each origin; again where the connection fails or times out, and once more where a 429 names a short Retry-After. The program ends with 3 where none of them answered.\n\nExamples:\n  gossamer robots https://www.example.com/shop/ --agent Googlebot\n  gossamer robots example.com/a example.com/b --robots new-robots.txt --format csv"
)]
pub(crate) struct RobotsArguments {
    /// Addresses to test
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,
    /// The robots.txt token to test for, such as Googlebot [default: our own]
    #[arg(long, value_name = "TOKEN")]
    pub(crate) agent: Option<String>,
    /// A local robots.txt that is read in place of the site's
    #[arg(long, value_name = "FILE")]
    pub(crate) robots: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The audit; without one, all audits are listed
    #[arg(value_name = "AUDIT-ID")]
    pub(crate) audit: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SettingsArguments {
    /// Write a profile (TOML) in which every setting stands as a comment
    #[arg(long, conflicts_with = "format")]
    pub(crate) template: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgument,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Port of 127.0.0.1 [default: any free one]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Serve nothing; write a made-up project to this file, which may not exist yet
    #[arg(long, value_name = "FILE", conflicts_with = "port")]
    pub(crate) project: Option<PathBuf>,
    /// URLs of the made-up project, at least 100
    #[arg(long, value_name = "N", requires = "project", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(100..=20_000_000))]
    pub(crate) urls: u32,
}

#[derive(Debug, Args)]
pub(crate) struct DocsArguments {
    #[arg(value_enum)]
    pub(crate) topic: DocsTopic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DocsTopic {
    Audits,
    Cli,
    Policies,
}

/// What is wrong with the text of an argument.
#[derive(Debug)]
pub(crate) struct Malformed(&'static str);

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Malformed {}

/// Reads `KEY=VALUE`. The audit reads its own, so that all wrong ones are named at once.
pub(crate) fn pair(text: &str) -> Result<(String, String), Malformed> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err(Malformed("expected is KEY=VALUE, such as fetch.timeout=5s")),
    }
}

fn at_least_one(text: &str) -> Result<usize, Malformed> {
    match text.parse() {
        Ok(0) => Err(Malformed(
            "at least 1 crawl is kept; a project that is not wanted any more is a file to delete",
        )),
        Ok(number) => Ok(number),
        Err(_) => Err(Malformed("expected is a number, at least 1")),
    }
}

fn crawl_choice(text: &str) -> Result<CrawlChoice, Malformed> {
    match text {
        "all" => Ok(CrawlChoice::All),
        "latest" => Ok(CrawlChoice::Latest),
        number => number
            .parse()
            .map(CrawlChoice::Number)
            .map_err(|_| Malformed("expected is a crawl's number, or all")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_sound() {
        Arguments::command().debug_assert();
    }
}
