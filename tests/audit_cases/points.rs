//! What each finding of the failing cases points at, compared with what `points-at.txt` says it must.
//!
//! A line of the file is `audit-id path what`, of which *what* is one of
//!
//! - `<tag>`: the start tag of an element, as it stands in the source of the page. `#2` behind it tells the second of its kind;
//! - `made NAME at LINE:COLUMN`: an element that the source has no tag for, and where it begins;
//! - `header NAME: name=value; …`: lines of a header, whose values the evidence shows;
//! - `name=value; …`: the evidence of findings about a page, a URL or a host as such, and about lines of other files.

use engine::audit_cases::{Audit, Subject, subject};
use engine::{Fact, FindingPlace};
use std::collections::BTreeMap;

/// By audit: path and what its findings there point at, sorted.
pub(crate) type Points = BTreeMap<&'static str, Vec<(String, String)>>;

/// Evidence whose values differ from run to run.
const UNSTEADY: &[&str] =
    &["ttfb_ms", "total_ms", "detail", "error", "remote", "expires", "days_left", "first_of_cluster"];

pub(crate) fn read() -> Points {
    let mut points = Points::new();
    for line in
        include_str!("points-at.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut words = line.splitn(3, ' ');
        let (Some(audit), Some(path), Some(what)) = (words.next(), words.next(), words.next()) else {
            panic!("points-at.txt: {line:?} is no `audit-id path what`");
        };
        points.entry(audit).or_default().push((path.to_owned(), what.to_owned()));
    }
    points.values_mut().for_each(|of_audit| of_audit.sort());
    points
}

/// One finding as it is shown.
pub(crate) struct Shown<'a> {
    pub(crate) audit: &'a Audit,
    pub(crate) evidence: &'a [Fact],
    pub(crate) place: Option<FindingPlace>,
    /// The stored source of the page.
    pub(crate) source: Option<&'a str>,
    /// Puts placeholders for the origins of the case into a text.
    pub(crate) plain: &'a dyn Fn(&str) -> String,
}

impl Shown<'_> {
    /// What the finding points at, in the words of the file; an error where its parts contradict each other.
    pub(crate) fn points_at(&self) -> Result<String, String> {
        match (subject(self.audit), &self.place) {
            (_, Some(place)) => self.element(place),
            (Subject::Occurrence | Subject::Root, None) if self.value("line").is_some() => {
                Err("it names a line, and no element is found there".to_owned())
            }
            (Subject::Header(name), None) => {
                let shown = name.replace('-', "_");
                let is_shown = |fact: &Fact| {
                    shown.ends_with(&fact.name)
                        || fact.name == "headers"
                        || shown == "set_cookie" && fact.name == "set_cookie"
                };
                if self.evidence.iter().any(|fact| is_shown(fact) && !fact.value.is_empty()) {
                    Ok(format!("header {name}: {}", self.values()?))
                } else {
                    Err(format!("the value of {name} is not among its evidence"))
                }
            }
            _ => self.values(),
        }
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.evidence.iter().find(|fact| fact.name == name).map(|fact| fact.value.as_str())
    }

    /// The tag, checked against the source by line and column as a person would count them.
    fn element(&self, place: &FindingPlace) -> Result<String, String> {
        let source = self.source.ok_or("it has a place in a source that was not stored")?;
        if let Some(line) = self.value("line")
            && line != place.line.to_string()
        {
            return Err(format!("the evidence says line {line}, the source line {}", place.line));
        }
        let lines: Vec<&str> = source.split('\n').collect();
        let on_line = lines.get(place.line as usize - 1).ok_or("the source has no such line")?;
        let before: usize = on_line.chars().take(place.column as usize - 1).map(char::len_utf8).sum();
        let byte = lines[..place.line as usize - 1].iter().map(|line| line.len() + 1).sum::<usize>() + before;
        let units = |text: &str| text.encode_utf16().count() as u64;
        if units(&source[..byte]) != place.start {
            return Err(format!("line and column lead to another place than {}", place.start));
        }
        let name = self
            .value("element")
            .map(|path| path.rsplit('>').next().unwrap_or(path).split('[').next().unwrap_or(path));
        if place.start == place.end {
            return Ok(format!("made {} at {}:{}", name.unwrap_or("element"), place.line, place.column));
        }
        let tag = &source[byte..];
        if !tag.starts_with(&place.tag) || units(&place.tag) != place.end - place.start {
            return Err(format!(
                "{:?} does not stand at line {}, column {}",
                place.tag, place.line, place.column
            ));
        }
        let is_named = |name: &str| {
            place.tag[1..].get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        if name.is_some_and(|name| !is_named(name)) {
            return Err(format!("the evidence says {name:?}, and {} stands there", place.tag));
        }
        let same: Vec<usize> = source.match_indices(&place.tag).map(|(at, _)| at).collect();
        let number = same.iter().position(|at| *at == byte).map_or(0, |at| at + 1);
        let which = if same.len() > 1 { format!("#{number}") } else { String::new() };
        Ok(format!("{}{which}", (self.plain)(&place.tag).replace('\n', " ")))
    }

    fn values(&self) -> Result<String, String> {
        let shown: Vec<String> = self
            .evidence
            .iter()
            .filter(|fact| !fact.value.is_empty())
            .map(|fact| {
                let value: String = (self.plain)(&fact.value).chars().take(60).collect();
                let value = if UNSTEADY.contains(&fact.name.as_str()) { "…" } else { &value };
                format!("{}={}", fact.name, value.replace(['\n', '\r'], "⏎"))
            })
            .collect();
        if shown.is_empty() { Err("it shows nothing at all".to_owned()) } else { Ok(shown.join("; ")) }
    }
}
