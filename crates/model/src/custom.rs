//! What a person looks for in pages: searches and extractions, each under a name.
//!
//! A field is one line of text, in a profile and in a project alike: `NAME = RULE`. A rule says in words what is done, and after
//! a colon what is looked for: `css attr href all: nav a`, `lacks visible: add to cart`.

use crate::query::{Expr, Selector, ValueKind};
use regex::{Regex, RegexBuilder};

/// A field, ready to be computed.
#[derive(Debug, Clone)]
pub struct Field {
    /// Lower-case letters, digits, `-` and `_`.
    pub name: String,
    /// The rule as it was written.
    pub text: String,
    pub rule: Rule,
}

#[derive(Debug, Clone)]
pub enum Rule {
    /// Whether a page has it; `absent` turns the answer around.
    Search {
        pattern: Regex,
        place: Place,
        absent: bool,
    },
    /// The first group of every match, or the whole match, in the source.
    Regex {
        pattern: Regex,
        many: Many,
    },
    Css {
        selector: Selector,
        what: What,
        many: Many,
    },
    Xpath {
        expr: Expr,
        what: What,
        many: Many,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The HTML as it was received.
    Source,
    /// The text that a page shows.
    Visible,
}

/// What is taken of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Text,
    /// The markup in it.
    Html,
    Attribute(String),
    /// Nothing of it: how many there are.
    Count,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Many {
    First,
    All,
}

/// What the values of a field are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    Text,
    Number,
    Flag,
}

impl FieldKind {
    pub const ALL: [Self; 3] = [Self::Text, Self::Number, Self::Flag];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Flag => "flag",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// Fields of a project at most.
pub const MOST_FIELDS: usize = 100;
/// Values of one field that are kept of a page.
pub const MOST_VALUES: usize = 100;
/// Bytes of one value.
pub const LONGEST_VALUE: usize = 4_000;
/// Characters of a name.
const LONGEST_NAME: usize = 40;
/// Memory that one compiled expression may take.
const COMPILED: usize = 4 << 20;

/// The two kinds of rules, for settings that take only one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Search,
    Extraction,
}

impl Field {
    /// Reads `NAME = RULE`.
    pub fn read(text: &str) -> Result<Self, String> {
        let Some((name, rule)) = text.split_once('=') else {
            return Err(format!("“{text}” has no “=” between the name and the rule"));
        };
        Self::new(name.trim(), rule.trim())
    }

    pub fn new(name: &str, text: &str) -> Result<Self, String> {
        check_name(name)?;
        let rule = Rule::read(text).map_err(|why| format!("{name}: {why}"))?;
        Ok(Self { name: name.to_owned(), text: text.to_owned(), rule })
    }

    /// As `read` takes it.
    pub fn line(&self) -> String {
        format!("{} = {}", self.name, self.text)
    }

    pub const fn task(&self) -> Task {
        match self.rule {
            Rule::Search { .. } => Task::Search,
            _ => Task::Extraction,
        }
    }

    pub fn kind(&self) -> FieldKind {
        match &self.rule {
            Rule::Search { .. } => FieldKind::Flag,
            Rule::Css { what: What::Count, .. } | Rule::Xpath { what: What::Count, .. } => FieldKind::Number,
            Rule::Xpath { expr, .. } => match expr.kind() {
                ValueKind::Number => FieldKind::Number,
                ValueKind::Truth => FieldKind::Flag,
                ValueKind::Nodes | ValueKind::Text => FieldKind::Text,
            },
            Rule::Css { .. } | Rule::Regex { .. } => FieldKind::Text,
        }
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= LONGEST_NAME
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'));
    if fits {
        return Ok(());
    }
    Err(format!(
        "the name “{name}” is not one: a letter, then letters, digits, - and _ in lower case, {LONGEST_NAME} characters at most"
    ))
}

impl Rule {
    fn read(text: &str) -> Result<Self, String> {
        let Some((head, looked_for)) = parted(text) else {
            return Err("no “:” stands between what is done and what is looked for, as in css text: .price"
                .to_owned());
        };
        let looked_for = looked_for.trim();
        if looked_for.is_empty() {
            return Err("nothing follows the “:”".to_owned());
        }
        let mut words = head.split_whitespace();
        match words.next() {
            Some(word @ ("contains" | "lacks")) => search(word == "lacks", words, looked_for),
            Some(word @ ("css" | "xpath" | "regex")) => extraction(word, words, looked_for),
            other => Err(format!(
                "“{}” is none of contains, lacks, css, xpath and regex",
                other.unwrap_or_default()
            )),
        }
    }
}

/// What is done and what is looked for, which the first colon parts, unless it is part of an attribute's name.
fn parted(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.split_once(':')?;
    let names_attribute = head.split_whitespace().rev().nth(1) == Some("attr");
    if names_attribute && !rest.starts_with(char::is_whitespace) {
        let end = head.len() + 1 + rest.find(':')?;
        return Some((&text[..end], &text[end + 1..]));
    }
    Some((head, rest))
}

fn search<'a>(absent: bool, words: impl Iterator<Item = &'a str>, looked_for: &str) -> Result<Rule, String> {
    let (mut place, mut is_regex, mut with_case) = (Place::Visible, false, false);
    for word in words {
        match word {
            "source" => place = Place::Source,
            "visible" => place = Place::Visible,
            "regex" => is_regex = true,
            "case" => with_case = true,
            other => return Err(format!("“{other}” is none of source, visible, regex and case")),
        }
    }
    let pattern = if is_regex { looked_for.to_owned() } else { regex::escape(looked_for) };
    Ok(Rule::Search { pattern: compiled(&pattern, !with_case)?, place, absent })
}

fn extraction<'a>(
    language: &str,
    mut words: impl Iterator<Item = &'a str>,
    looked_for: &str,
) -> Result<Rule, String> {
    let (mut what, mut many) = (What::Text, Many::First);
    while let Some(word) = words.next() {
        what = match word {
            "first" | "all" => {
                many = if word == "all" { Many::All } else { Many::First };
                continue;
            }
            "text" => What::Text,
            "html" => What::Html,
            "count" => What::Count,
            "attr" => What::Attribute(words.next().ok_or("attr is followed by no name")?.to_lowercase()),
            other => return Err(format!("“{other}” is none of text, html, attr NAME, count, first and all")),
        };
    }
    match language {
        "css" => {
            let selector = Selector::parse(looked_for).map_err(|error| format!("the selector, {error}"))?;
            Ok(Rule::Css { selector, what, many })
        }
        "xpath" => {
            let expr = Expr::parse(looked_for).map_err(|error| format!("the XPath, {error}"))?;
            if what != What::Text && expr.kind() != ValueKind::Nodes {
                return Err(
                    "the XPath gives a value, of which there is neither html nor attr nor count".to_owned()
                );
            }
            Ok(Rule::Xpath { expr, what, many })
        }
        _ if what != What::Text => Err("a regex gives texts, nothing of elements".to_owned()),
        _ => Ok(Rule::Regex { pattern: compiled(looked_for, false)?, many }),
    }
}

fn compiled(pattern: &str, ignore_case: bool) -> Result<Regex, String> {
    RegexBuilder::new(pattern).case_insensitive(ignore_case).size_limit(COMPILED).build().map_err(|error| {
        match &error {
            regex::Error::CompiledTooBig(_) => "the regular expression grows too large".to_owned(),
            other => {
                // The lines draw the pattern with a mark under the place; the last is the reason.
                let text = other.to_string();
                let at = text.lines().find_map(|line| line.find('^')).map(|at| at.saturating_sub(3));
                let why = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                match at {
                    Some(at) => format!("the regular expression, at character {}: {why}", at),
                    None => format!("the regular expression: {why}"),
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let check = |text: &str, task: Task, kind: FieldKind| {
            let field = Field::read(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!((field.task(), field.kind()), (task, kind), "{text}");
            assert_eq!(Field::read(&field.line()).unwrap().text, field.text);
        };
        check("gtm = contains source: googletagmanager.com", Task::Search, FieldKind::Flag);
        check(r"no-phone = lacks regex case: \+49 \d+", Task::Search, FieldKind::Flag);
        check("price = css: .price", Task::Extraction, FieldKind::Text);
        check("skus = css attr data-sku all: [data-sku]", Task::Extraction, FieldKind::Text);
        check("rows = css count: table tr", Task::Extraction, FieldKind::Number);
        check("links = xpath: count(//a)", Task::Extraction, FieldKind::Number);
        check("has_h1 = xpath: //h1 and //h2", Task::Extraction, FieldKind::Flag);
        check("ga = regex all: (?:UA|G)-([0-9A-Z]+)", Task::Extraction, FieldKind::Text);
    }

    #[test]
    fn what_is_no_rule_is_told_with_its_place() {
        let check = |text: &str, expect: &str| {
            let why = Field::read(text).unwrap_err();
            assert!(why.contains(expect), "{text}: {why}");
        };
        check("price", "no “=”");
        check("Price = css: a", "in lower case");
        check("p = css .price", "no “:”");
        check("p = css:", "nothing follows");
        check("p = find: x", "none of contains");
        check("p = css texts: a", "“texts” is none of");
        check("p = css attr: a", "attr is followed by no name");
        check("p = css: a >", "p: the selector, at character 4");
        check("p = xpath: //a[", "the XPath, at character 5");
        check("p = xpath html: 1 + 1", "neither html");
        check("p = regex html: a", "nothing of elements");
        check("p = regex: a(b", "at character 2: unclosed group");
        check("p = contains regex: (", "unclosed group");
    }
}
