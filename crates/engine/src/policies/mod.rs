//! The four policies in words: one row a rule, one column a job. Nothing is said here that is not a value of
//! [`model::Policy`].

mod words;

use model::{Job, Policy};
use std::fmt::Write as _;

/// One rule and what it says in each job.
struct PolicyRow {
    rule: &'static str,
    /// By the order of [`Job::ALL`].
    words: [String; 4],
    /// The settings by which an Audit changes the rule.
    settings: &'static [&'static str],
}

/// How a rule is put into words.
type Rule = (&'static str, fn(&Policy) -> String, &'static [&'static str]);

const RULES: &[Rule] = &[
    ("started by", words::started_by, &[]),
    (
        "reach",
        words::span,
        &["scope.subdomains", "scope.extra_hosts", "scope.start_folder_only", "scope.rules"],
    ),
    ("methods", words::methods, &["internal_links.image", "external_links.anchor"]),
    ("content read", words::content, &["fetch.download_resources"]),
    ("JavaScript", words::javascript, &[]),
    ("cookies, logins, forms", words::cookies, &["http.cookies"]),
    ("robots.txt", words::robots, &["robots.obey"]),
    ("whose robots.txt", words::robots_reach, &[]),
    ("group followed", words::group, &["agent.token"]),
    ("robots.txt answers 404, 410 or another 4xx but 429", words::robots_missing, &[]),
    ("robots.txt answers 5xx or not at all", words::robots_down, &[]),
    ("robots.txt answers 429", words::robots_throttled, &[]),
    ("Crawl-delay", words::crawl_delay, &["pace.delay"]),
    ("with robots.txt turned off", words::robots_off, &["robots.obey"]),
    ("sitemaps", words::sitemaps, &["sitemaps.from_robots", "sitemaps.extra"]),
    ("redirects of one URL", words::redirects, &["fetch.redirects"]),
    ("probes", words::probes, &["extras.probes"]),
    ("requests at once", words::concurrency, &["pace.concurrency"]),
    ("between the starts of two requests to a host", words::spacing, &["pace.delay"]),
    ("time limit", words::time_limit, &["fetch.timeout"]),
    ("body cap, decoded", words::body_cap, &["fetch.body_cap", "fetch.sitemap_cap"]),
    ("retries", words::retries, &["fetch.retries", "extras.confirm"]),
    ("pages and depth", words::pages, &["limits.max_pages", "limits.max_urls", "limits.max_depth"]),
    ("link checks", words::link_checks, &[]),
    ("addresses", words::addresses, &[]),
    ("how often", words::frequency, &[]),
    ("conditional requests", words::conditional, &["fetch.conditional"]),
    ("a refusal", words::refusal, &[]),
];

/// Every rule of every job.
fn policies() -> Vec<PolicyRow> {
    let row = |(rule, words, settings): &Rule| {
        let words = [Job::Audit, Job::Check, Job::Watch, Job::Feeds].map(|job| words(Policy::of(job)));
        PolicyRow { rule, words, settings }
    };
    RULES.iter().map(row).collect()
}

/// What a check does in the place of a section of settings that it does not take; `None` for a section that it takes.
pub(crate) fn fixed_in_check(section: &str) -> Option<String> {
    let words: &[fn(&Policy) -> String] = match section {
        "robots" => &[words::robots, words::crawl_delay],
        "pace" => &[words::concurrency, words::spacing],
        "fetch" => &[words::time_limit, words::body_cap, words::retries],
        "http" => &[words::cookies],
        "limits" => &[words::pages, words::link_checks],
        "internal_links" => &[words::methods],
        "external_links" => &[words::redirects],
        "sitemaps" => &[words::sitemaps],
        "extras" => &[words::probes],
        _ => return None,
    };
    let check = Policy::of(Job::Check);
    Some(words.iter().map(|words| words(check)).collect::<Vec<String>>().join("; "))
}

/// The policies as Markdown: `docs/policies.md`.
pub fn policies_markdown() -> String {
    let mut out = String::from(
        "# Policies\n\nThis page is generated from the values in `crates/model/src/policy`; change them there and run `cargo xtask docs`.\n\n\
         Every request is made on behalf of a job, and each job has its rules. In an Audit, which is for sites one may do with as one likes, the\n\
         settings that stand under a rule change it; the defaults are shown. The rules of the other three jobs are fixed: a profile that says\n\
         otherwise is not followed, and says so.\n\n",
    );
    // Writing to a String cannot fail.
    let _ = write!(out, "| rule |");
    for job in Job::ALL {
        let _ = write!(out, " {} |", job.title());
    }
    out.push_str("\n|-|-|-|-|-|\n");
    for row in policies() {
        let settings: String = row.settings.iter().map(|id| format!("<br>`{id}`")).collect();
        let [audit, check, watch, feeds] = row.words;
        let _ = writeln!(out, "| {} | {audit}{settings} | {check} | {watch} | {feeds} |", row.rule);
    }
    out.push_str(
        "\nWhatever the job: forms are never submitted, links to other sites are never followed further, every request carries the same user\n\
         agent, a server that says 429 or 503 with Retry-After is left alone as long as it says, but no longer than two minutes (in an\n\
         Audit, `fetch.retry_after_cap`), and credentials go to the origin they were given for and nowhere else. A public address is none of\n\
         loopback, private, link-local, carrier-grade NAT, multicast, documentation, reserved or unspecified ranges, nor a metadata address of a\n\
         cloud, in IPv4, in IPv6 or in IPv4 inside IPv6; it is checked on the address that is really connected.\n",
    );
    out
}

#[cfg(test)]
mod tests;
