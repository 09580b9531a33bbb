//! Which settings a job does not take, because its policy fixes them.

use super::{Setting, Value};
use crate::policy::Job;

/// A setting that a profile says and the job does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub id: String,
    /// A sentence for the person.
    pub reason: &'static str,
}

/// What a Check takes from a profile: what says who asks, which addresses count as the site, and what is kept or reported.
/// Everything else is fixed, so that a setting that is new is fixed until somebody thinks about it.
pub(super) const CHECK_TAKES: &[&str] = &[
    "agent.contact",
    "agent.audited_bot",
    "fetch.memory_budget",
    "http.proxy",
    "http.version",
    "scope.subdomains",
    "scope.start_folder_only",
    "scope.extra_hosts",
    "scope.rules",
    "scope.drop_parameters",
    "scope.rewrites",
    "scope.lower_case",
    "limits.pause_traps",
    "limits.allow_traps",
    "links.respect_nofollow",
    "custom.segments",
    "custom.search",
    "custom.extraction",
    "custom.audit_time",
    "store.html",
    "report.agency",
    "report.logo",
    "report.intro",
    "report.csv_bom",
];

/// Why a job does not take a setting; `None` where it does.
///
/// Thresholds of audits are judged on this computer and ask nothing of anybody: every job takes them.
pub fn lock(job: Job, id: &str) -> Option<&'static str> {
    if job == Job::Audit || id.starts_with("audit.") || CHECK_TAKES.contains(&id) {
        return None;
    }
    if job != Job::Check {
        return Some("This is a setting of the Audit; a Watch and Feeds run by fixed rules.");
    }
    if id == "fetch.conditional" {
        return Some("A Check reads every page anew, so that it needs no earlier crawl to be true.");
    }
    let section = id.rsplit_once('.').map_or("", |(section, _)| section);
    Some(match section {
        "agent" => {
            "A Check always asks under its own name, so that a site's owner can see who asks and say no."
        }
        "robots" => "A Check always obeys robots.txt.",
        "pace" => {
            "How hard a Check asks is fixed: five requests at once to the site, one to any other, 0.2 s apart."
        }
        "fetch" => "Time, size and patience of a Check are fixed, so that it is welcome on anybody's site.",
        "http" | "tls" => {
            "A Check reads what everybody can read: no cookies, logins, headers of its own or other servers in a site's place."
        }
        "limits" => "A Check reads 500 pages, ten links deep, in ten minutes at most.",
        "internal_links" | "external_links" => {
            "What a Check does with links is fixed: pages are read, links and images are checked once, nothing else is asked for."
        }
        "sitemaps" => "A Check reads the sitemaps that robots.txt names, or those at the three usual places.",
        "extras" => "A Check asks for nothing beyond the pages, links and images of the site.",
        _ => "This is a setting of the Audit; a Check runs by fixed rules.",
    })
}

/// Whether a profile that says this loses something by the lock.
pub(super) fn is_missed(setting: &Setting, value: &Value) -> bool {
    setting.default != *value
}
