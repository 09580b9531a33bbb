//! The rules one crawler follows, and its decisions.

use crate::file::AgentLine;
use crate::path::path_of;
use crate::pattern::{Pattern, head_of, normal_path, priority};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The rules of one robots.txt for one product token.
///
/// Owns all it needs, so it may outlive the file; a clone is one reference count, so it can be kept per host and
/// shared between threads.
#[derive(Debug, Clone)]
pub struct Group(Arc<Contents>);

#[derive(Debug)]
struct Contents {
    followed: Followed,
    agents: Box<[AgentLine]>,
    /// The rule that wins first: longest pattern, then Allow, then the earlier line.
    rules: Box<[Rule]>,
    crawl_delay: Option<Duration>,
}

/// Why these rules are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Followed {
    /// The file names the token.
    Own,
    /// The file does not name the token but speaks to `*`.
    Star,
    /// Neither: everything is allowed.
    Nothing,
}

/// Whether a URL may be fetched, and the line that says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub allowed: bool,
    /// None: no rule matches, and what no rule forbids is allowed.
    pub line: Option<RuleLine>,
}

/// An Allow or Disallow line. Shown as it reads in the file, without its number: `Disallow: /private/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleLine {
    /// Counted from 1.
    pub number: u32,
    pub directive: Directive,
    /// As written in the file.
    pub pattern: Arc<str>,
}

/// The two kinds of rules. The order is that of ties: Allow comes first and wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Directive {
    Allow,
    Disallow,
}

impl Group {
    /// Decides about an absolute URL, or a path with its query (see [`path_of`] for what is read as which).
    pub fn decide(&self, url: &str) -> Decision {
        self.decide_path(&path_of(url))
    }

    /// Decides about a path with its query: begins with `/`, has no fragment.
    pub fn decide_path(&self, path_and_query: &str) -> Decision {
        match self.matching_rule(path_and_query) {
            Some(rule) => {
                Decision { allowed: rule.line.directive == Directive::Allow, line: Some(rule.line.clone()) }
            }
            None => Decision { allowed: true, line: None },
        }
    }

    /// [`Self::decide`] without the line.
    pub fn allows(&self, url: &str) -> bool {
        self.matching_rule(&path_of(url)).is_none_or(|rule| rule.line.directive == Directive::Allow)
    }

    /// The seconds between requests that the followed group asks for; of several, the longest.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.0.crawl_delay
    }

    /// The product token of the followed lines as the file spells it: the crawler's own, `*`, or empty.
    pub fn name(&self) -> &str {
        self.agents().first().map_or("", AgentLine::token)
    }

    /// The User-agent lines that were followed, in the file's order. Several, where the file speaks to the token
    /// in several places: their rules are merged.
    pub fn agents(&self) -> &[AgentLine] {
        &self.0.agents
    }

    pub fn followed(&self) -> Followed {
        self.0.followed
    }

    /// The rules in the file's order.
    pub fn rules(&self) -> Vec<&RuleLine> {
        let mut lines: Vec<_> = self.0.rules.iter().map(|rule| &rule.line).collect();
        lines.sort_by_key(|line| line.number);
        // A rule for a folder's index page stands here twice.
        lines.dedup_by_key(|line| line.number);
        lines
    }

    pub(crate) fn new(
        followed: Followed,
        agents: Box<[AgentLine]>,
        mut rules: Vec<Rule>,
        crawl_delay: Option<Duration>,
    ) -> Self {
        rules.sort_by_key(|rule| (std::cmp::Reverse(rule.priority), rule.line.directive, rule.line.number));
        Self(Arc::new(Contents { followed, agents, rules: rules.into(), crawl_delay }))
    }

    fn matching_rule(&self, path_and_query: &str) -> Option<&Rule> {
        if self.0.rules.is_empty() {
            return None;
        }
        let path = normal_path(path_and_query);
        // RFC 9309 §2.2.2: the file itself is implicitly allowed.
        if &*path == b"/robots.txt" {
            return None;
        }
        let head = head_of(&path);
        self.0.rules.iter().find(|rule| rule.pattern.matches(&path, head))
    }
}

/// A rule that can match: its pattern is not empty.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    priority: u32,
    pattern: Pattern,
    line: RuleLine,
}

impl Rule {
    /// The rules that one line makes: none for an empty pattern; two for an Allow of a folder's index page, which
    /// Google takes to allow the bare folder as well.
    pub(crate) fn of_line(number: u32, directive: Directive, written: &[u8], text: Arc<str>) -> Vec<Self> {
        if written.is_empty() {
            return Vec::new();
        }
        let line = RuleLine { number, directive, pattern: text };
        let rule = |written: &[u8]| Self {
            priority: priority(written),
            pattern: Pattern::compile(written),
            line: line.clone(),
        };
        let mut rules = vec![rule(written)];
        let file = written.iter().rposition(|b| *b == b'/').map(|slash| slash + 1);
        if let (Directive::Allow, Some(file)) = (directive, file)
            && written[file..].starts_with(b"index.htm")
        {
            rules.push(rule(&[&written[..file], b"$"].concat()));
        }
        rules
    }
}

impl Directive {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "Allow",
            Self::Disallow => "Disallow",
        }
    }
}

impl fmt::Display for RuleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.directive.word(), self.pattern)
    }
}
