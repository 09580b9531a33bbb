//! Findings looked at again without the rest of the site: which rules that can judge, and what became of each finding.
//!
//! A finding is *fixed* only where everything that its rule reads was seen again and the rule does not hold any more. Whatever
//! was not seen leaves it *not re-checked*, with the reason in words.

use crate::audit::{Audit, LinkRule, Needs, Rule, Scope, Target};
use crate::catalogue::{catalogue, find};
use crate::evaluate::{self, EvaluateError, Evaluated, Step};
use crate::history;
use crate::ignored;
use crate::limits::Limits;
use crate::view;
use model::UrlState;
use model::state::UNVERIFIABLE_STATUSES;
use std::collections::HashMap;
use store::schema::answer_flags;
use store::{Row, StoreError, Value, Writer, key, key_range};

/// What has to be seen again before a rule can be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judged {
    /// The URL of the finding.
    Itself,
    /// That, and where its redirects lead.
    Chain,
    /// The page, and what the link leads to.
    Target,
    /// The site: nothing short of a whole crawl tells.
    Site,
}

/// What became of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    Fixed,
    StillThere,
    NotRechecked,
}

impl Ruling {
    /// The stored word; a public contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::StillThere => "still_there",
            Self::NotRechecked => "not_rechecked",
        }
    }
}

/// Columns of other URLs that a crawl of single URLs has all the same: of the host, of the page's own links, of the crawl.
const KNOWN: &[&str] = &[
    "broken",
    "crawl_started",
    "certificate_expires",
    "certificate_subject",
    "certificate_issuer",
    "http_version",
    "unstable",
    "attempts",
    "outlinks",
    "external_outlinks",
];

/// Columns of the URLs that redirects lead through.
const OF_CHAINS: &[&str] = &[
    "hops",
    "loop",
    "final_id",
    "final_url",
    "final_status",
    "final_reason",
    "final_broken",
    "final_blocked",
    "final_noindex",
    "final_canonicalised",
    "final_canonical_id",
    "cut_short",
];

/// What has to be seen again to judge an audit.
pub fn judgement(audit: &Audit) -> Judged {
    match audit.rule {
        Rule::Row(Needs::Itself, _) | Rule::Longer(..) | Rule::Shorter(..) | Rule::Flaw(_) => Judged::Itself,
        Rule::Row(Needs::Crawl, sql) | Rule::Url(sql, _) => of_condition(sql),
        Rule::Link(rule) => of_link(&rule),
        Rule::AnyLink(rules) => rules.iter().map(of_link).max().unwrap_or(Judged::Site),
        Rule::Same(_)
        | Rule::Select(_)
        | Rule::Robots(_)
        | Rule::RobotsAt(_)
        | Rule::Host(_)
        | Rule::HostText(_)
        | Rule::Circle
        | Rule::Probe(_)
        | Rule::Variants(_)
        | Rule::Sitemap(_)
        | Rule::Change(..)
        | Rule::Life(_)
        | Rule::Entry(_) => Judged::Site,
    }
}

fn of_link(rule: &LinkRule) -> Judged {
    let source = rule.source.map_or(Judged::Itself, of_condition);
    let target = match rule.target {
        Target::Any | Target::Missing => Judged::Itself,
        // Where its redirects lead is looked at with the target.
        Target::Row(sql) if of_condition(sql) <= Judged::Chain => Judged::Target,
        Target::Row(_) => Judged::Site,
    };
    if source == Judged::Chain { Judged::Site } else { source.max(target) }
}

/// By the columns that a condition names.
fn of_condition(sql: &str) -> Judged {
    let of_others = view::names_of_crawl_columns();
    let words = sql.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut judged = Judged::Itself;
    for word in words.filter(|word| of_others.contains(word)) {
        judged = judged.max(match word {
            known if KNOWN.contains(&known) => Judged::Itself,
            chain if OF_CHAINS.contains(&chain) => Judged::Chain,
            _ => Judged::Site,
        });
    }
    // A condition with a query of its own looks wherever it wants.
    if sql.to_ascii_uppercase().contains("SELECT ") { Judged::Site } else { judged }
}

/// Evaluates a crawl of single URLs: as `evaluate`, but what only a whole crawl tells is neither told nor counted as looked for.
/// Then says in `recheck_finding` what became of each finding that the crawl was to look at again.
pub fn judge_again(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    watch: &mut dyn FnMut(Step) -> bool,
) -> Result<Evaluated, EvaluateError> {
    let mut evaluated = evaluate::evaluate(writer, crawl, limits, watch)?;
    writer.begin()?;
    for audit in catalogue().iter().filter(|audit| judgement(audit) == Judged::Site) {
        for table in ["finding", "evaluation", "ignored_finding"] {
            writer.run(
                &format!(
                    "DELETE FROM {table} WHERE crawl = ?1 AND audit = (SELECT id FROM audit WHERE name = ?2)"
                ),
                &[crawl.into(), audit.id.into()],
            )?;
        }
        evaluated.audits -= 1;
    }
    let mut left = 0;
    writer.rows("SELECT count(*) FROM finding WHERE crawl = ?1", &[crawl.into()], &mut |row| {
        left = row.int(0) as u64;
        Ok(())
    })?;
    rule(writer, crawl)?;
    evaluated.findings = left + history::settle(writer, crawl, limits)? as u64;
    ignored::mark_ignored(writer, Some(crawl), None)?;
    writer.commit()?;
    Ok(evaluated)
}

/// A finding of the base, or of the crawl that looked again.
struct Found {
    place: i64,
    element: Option<String>,
    target: Option<i64>,
}

/// By audit and URL.
type ByUrl = HashMap<(String, i64), Vec<Found>>;

fn rule(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    let asked = by_url(
        writer,
        "SELECT audit, url, ref, element, target FROM recheck_finding WHERE crawl = ?1 ORDER BY audit, url, ref",
        crawl,
    )?;
    let mut now = by_url(
        writer,
        "SELECT n.name, f.url, f.ref, coalesce(s.element, e.value), l.target FROM finding f CROSS JOIN audit n ON n.id = f.audit
         LEFT JOIN link l ON l.id = nullif(max(f.ref, 0), 0) LEFT JOIN link_shape s ON s.id = l.shape
         LEFT JOIN page p ON p.key = (f.crawl << 32) | f.url LEFT JOIN flaw w ON f.ref < 0 AND w.document = p.document AND w.n = -f.ref - 1
         LEFT JOIN string e ON e.id = w.element WHERE f.crawl = ?1",
        crawl,
    )?;
    let seen = Seen::read(writer, crawl)?;
    for ((audit, url), base) in asked {
        let now = now.remove(&(audit.clone(), url)).unwrap_or_default();
        let there = still_there(&base, now);
        for (found, there) in base.iter().zip(there) {
            let (ruling, why) = match there {
                true => (Ruling::StillThere, None),
                false => seen.of_absent(writer, crawl, &audit, url, found)?,
            };
            writer.run(
                "UPDATE recheck_finding SET result = ?5, why = ?6 WHERE crawl = ?1 AND audit = ?2 AND url = ?3 AND ref = ?4",
                &[
                    crawl.into(),
                    audit.as_str().into(),
                    url.into(),
                    found.place.into(),
                    ruling.word().into(),
                    why.as_deref().map_or(Value::Null, Value::from),
                ],
            )?;
        }
    }
    Ok(())
}

fn by_url(writer: &mut Writer, sql: &str, crawl: i64) -> Result<ByUrl, StoreError> {
    let mut found = ByUrl::new();
    writer.rows(sql, &[crawl.into()], &mut |row| {
        found.entry((row.text(0).to_owned(), row.int(1))).or_default().push(Found {
            place: row.int(2),
            element: row.opt_text(3).map(str::to_owned),
            target: row.opt_int(4),
        });
        Ok(())
    })?;
    Ok(found)
}

/// Which of the findings of a URL are there again. First those at the same place, then, since markup moves, those about the same
/// target; each that is there now answers for one of before.
fn still_there(base: &[Found], mut now: Vec<Found>) -> Vec<bool> {
    let mut there = vec![false; base.len()];
    let same_place = |a: &Found, b: &Found| a.target == b.target && a.element == b.element;
    let same_target = |a: &Found, b: &Found| a.target == b.target;
    for same in [same_place as fn(&Found, &Found) -> bool, same_target] {
        for (found, there) in base.iter().zip(&mut there).filter(|(_, there)| !**there) {
            if let Some(at) = now.iter().position(|one| same(found, one)) {
                now.swap_remove(at);
                *there = true;
            }
        }
    }
    there
}

/// What came of a URL that was asked again.
struct Answered {
    state: UrlState,
    reason: String,
    status: i64,
    redirects: bool,
    is_cut: bool,
    /// Where its redirects lead to in the end, as far as they were asked.
    last: Option<i64>,
}

/// The URLs that were asked again.
struct Seen(HashMap<i64, Answered>);

impl Seen {
    fn read(writer: &mut Writer, crawl: i64) -> Result<Self, StoreError> {
        let (first, last) = key_range(crawl);
        let mut seen = HashMap::new();
        writer.rows(
            "SELECT v.key & 4294967295, v.state, coalesce(r.value, ''), a.status, a.redirect, coalesce(a.flags, 0), c.final FROM visit v
             LEFT JOIN string r ON r.id = v.reason LEFT JOIN answer a ON a.key = v.key LEFT JOIN chain c ON c.key = v.key WHERE v.key BETWEEN ?1 AND ?2",
            &[first.into(), last.into()],
            &mut |row| {
                seen.insert(row.int(0), answered(row));
                Ok(())
            },
        )?;
        Ok(Self(seen))
    }

    /// A finding that is not there any more: whether that says that it is fixed.
    fn of_absent(
        &self,
        writer: &mut Writer,
        crawl: i64,
        audit: &str,
        url: i64,
        found: &Found,
    ) -> Result<(Ruling, Option<String>), StoreError> {
        let not = |why: String| Ok((Ruling::NotRechecked, Some(why)));
        let Some(definition) = find(audit) else {
            return not("this version of the program does not know the audit".to_owned());
        };
        let judged = judgement(definition);
        if judged == Judged::Site {
            return not("its rule looks at the site as a whole: only a new crawl tells".to_owned());
        }
        if let Some(why) = self.unknown(url) {
            return not(why);
        }
        let Some(answered) = self.0.get(&url) else { return not("it was not asked".to_owned()) };
        if answered.is_cut && definition.scope != Scope::Internal {
            return not("its answer came incomplete".to_owned());
        }
        if judged == Judged::Chain
            && let Some(why) = self.unknown_end(url)
        {
            return not(why);
        }
        if judged == Judged::Target
            && let Some(target) = found.target
            && links_to(writer, crawl, url, target)?
            && let Some(why) = self.unknown(target).or_else(|| self.unknown_end(target))
        {
            return not(format!("the page still has the link, and of its target {why}"));
        }
        let is_of_page =
            matches!(definition.scope, Scope::Page | Scope::Content | Scope::Indexable | Scope::Link);
        let why = match answered {
            Answered { redirects: true, .. } if is_of_page => Some("the URL redirects now".to_owned()),
            Answered { status, .. } if is_of_page && *status >= 400 => {
                Some(format!("the URL answers {status} now"))
            }
            _ => None,
        };
        Ok((Ruling::Fixed, why))
    }

    /// Why nothing is known of a URL, in words that follow a colon; `None` where it gave an answer that says something.
    fn unknown(&self, url: i64) -> Option<String> {
        let Some(answered) = self.0.get(&url) else { return Some("it was not asked".to_owned()) };
        let Answered { state, reason, status, .. } = answered;
        match state {
            UrlState::Fetched if UNVERIFIABLE_STATUSES.iter().any(|known| i64::from(*known) == *status) => {
                Some(format!("it answered {status}, which tells nothing of the page"))
            }
            UrlState::Fetched if *status >= 500 => Some(format!("it answered {status}")),
            UrlState::Fetched => None,
            UrlState::Failed => Some(format!("it gave no answer ({reason})")),
            UrlState::Blocked => Some(format!("robots.txt forbids it ({reason})")),
            UrlState::Queued => Some("it was not asked before the crawl was stopped".to_owned()),
            UrlState::Excluded | UrlState::OverLimit | UrlState::NotFollowed => {
                Some(format!("it was not asked ({reason})"))
            }
        }
    }

    /// The same of the end of the redirects that begin at a URL.
    fn unknown_end(&self, url: i64) -> Option<String> {
        let answered = self.0.get(&url)?;
        if !answered.redirects {
            return None;
        }
        let end = answered.last?;
        match self.0.get(&end) {
            // Redirects that end at a redirect lead on to what was not asked, or round in a circle.
            Some(last) if last.redirects => Some("it redirects to what was not asked".to_owned()),
            _ => self.unknown(end).map(|why| format!("it redirects, and of where that leads: {why}")),
        }
    }
}

fn answered(row: &Row) -> Answered {
    let flags = row.int(5);
    Answered {
        state: u8::try_from(row.int(1)).ok().and_then(UrlState::from_code).unwrap_or(UrlState::Queued),
        reason: row.text(2).to_owned(),
        status: row.int(3),
        redirects: row.opt_int(4).is_some() && flags & answer_flags::SYNTHETIC == 0,
        is_cut: flags & (answer_flags::INCOMPLETE | answer_flags::DECODE_ERROR) != 0,
        last: row.opt_int(6),
    }
}

/// Whether a page still has a link to a URL.
fn links_to(writer: &mut Writer, crawl: i64, page: i64, target: i64) -> Result<bool, StoreError> {
    let mut links = false;
    let page = key(crawl, u32::try_from(page).unwrap_or_default());
    writer.rows(
        "SELECT 1 FROM answer a CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575 AND l.target = ?2
         WHERE a.key = ?1 AND a.list IS NOT NULL LIMIT 1",
        &[page.into(), target.into()],
        &mut |_| {
            links = true;
            Ok(())
        },
    )?;
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rule_has_to_see_is_read_from_the_rule() {
        let check =
            |audit: &str, expect: Judged| assert_eq!(judgement(find(audit).unwrap()), expect, "{audit}");
        check("title-missing", Judged::Itself);
        check("title-too-long", Judged::Itself);
        check("broken-page", Judged::Itself);
        check("links-to-broken", Judged::Target);
        check("redirect-to-error", Judged::Chain);
        check("redirect-chain", Judged::Site);
        check("title-duplicate", Judged::Site);
        check("robots-blocks-site", Judged::Site);
        check("canonical-to-error", Judged::Site);
    }

    #[test]
    fn every_column_named_here_is_one() {
        let names = view::names_of_crawl_columns();
        let unknown: Vec<_> =
            KNOWN.iter().chain(OF_CHAINS).filter(|column| !names.contains(*column)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn each_finding_that_is_there_answers_for_one() {
        let found = |element: &str, target: i64| Found {
            place: 1,
            element: Some(element.to_owned()),
            target: Some(target),
        };
        let check = |base: Vec<Found>, now: Vec<Found>, expect: &[bool]| {
            assert_eq!(still_there(&base, now), expect);
        };
        check(vec![found("a", 1), found("b", 1)], vec![found("b", 1)], &[false, true]);
        check(vec![found("a", 1)], vec![found("moved", 1)], &[true]);
        check(vec![found("a", 1), found("a", 2)], vec![found("a", 2)], &[false, true]);
        check(vec![found("a", 1)], vec![], &[false]);
    }
}
