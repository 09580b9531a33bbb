//! What the rules for one agent say of one URL, with the line that says so.

use super::dto::{RobotsProblem, RobotsSitemap, RobotsVerdict};
use super::words;
use robots::{Followed, Group, RobotsTxt, path_of};

/// The verdict on a URL that the file speaks of.
pub(crate) fn verdict(url: &str, group: &Group, agent: &str) -> RobotsVerdict {
    let decision = group.decide(url);
    let name = group_name(group);
    let reason = match (&decision.line, &name) {
        (Some(line), _) => format!("Line {} decides: {line}", line.number),
        (None, _) if path_of(url) == "/robots.txt" => "robots.txt itself may always be fetched.".to_owned(),
        (None, None) => format!("No group speaks to {agent}: everything is allowed."),
        (None, Some(name)) => {
            format!("No rule of the group for {name} matches: what no rule forbids is allowed.")
        }
    };
    RobotsVerdict {
        url: url.to_owned(),
        allowed: Some(decision.allowed),
        line: decision.line.as_ref().map(|line| line.number),
        rule: decision.line.map(|line| line.to_string()),
        group: name,
        reason,
    }
}

/// The verdict on a URL of which the file says nothing.
pub(crate) fn silent(url: &str, reason: String) -> RobotsVerdict {
    RobotsVerdict { url: url.to_owned(), allowed: None, line: None, rule: None, group: None, reason }
}

/// The verdict on a URL of a site without rules.
pub(super) fn free(url: &str, reason: String) -> RobotsVerdict {
    RobotsVerdict { allowed: Some(true), ..silent(url, reason) }
}

/// The token of the group that is followed.
pub(crate) fn group_name(group: &Group) -> Option<String> {
    match group.followed() {
        Followed::Nothing => None,
        Followed::Own | Followed::Star => Some(group.name().to_owned()),
    }
}

/// The sitemaps that a file names, in the order of its lines.
pub(crate) fn sitemaps(file: &RobotsTxt) -> Vec<RobotsSitemap> {
    let told = |line: &robots::SitemapLine| RobotsSitemap {
        line: line.number,
        url: line.value.clone(),
        absolute: line.absolute,
    };
    file.sitemaps().map(told).collect()
}

/// What is wrong with a file, in the order of its lines.
pub(crate) fn problems(file: &RobotsTxt) -> Vec<RobotsProblem> {
    let told = |problem: &robots::RobotsProblem| RobotsProblem {
        line: problem.line,
        code: problem.code.word().to_owned(),
        message: words::message(problem.code).to_owned(),
        text: problem.text.trim().to_owned(),
    };
    file.problems().iter().map(told).collect()
}
