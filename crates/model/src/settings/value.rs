//! Values: reading what was said by the kind of its setting, and writing it again.

use super::quantity::{duration_text, number_text, read_duration, read_size, size_text};
use super::{Kind, Said, connection};
use crate::address::{Address, redacted};
use crate::custom::{Field, Task};
use crate::segment::Segment;
use regex::{Regex, RegexBuilder};
use std::time::Duration;

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Switch(bool),
    Whole(i64),
    Number(f64),
    /// `None`: no limit.
    Limit(Option<i64>),
    Duration(Duration),
    /// Bytes.
    Size(u64),
    Text(std::borrow::Cow<'static, str>),
    List(Vec<String>),
}

/// Why something is not a value, as a sentence for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason(pub(super) String);

/// Characters of a text of several lines at most: a page of an introduction has some three thousand.
const PARAGRAPHS: usize = 5_000;

/// A compiled rule may take this much memory; a longer one is refused as any bad expression is.
const REGEX_BYTES: usize = 4 << 20;

impl Value {
    /// The value in the words a profile and the command line use; lists as TOML arrays.
    pub fn text(&self) -> String {
        match self {
            Self::Switch(on) => on.to_string(),
            Self::Whole(number) | Self::Limit(Some(number)) => number.to_string(),
            Self::Number(number) => number_text(*number),
            Self::Limit(None) => "none".to_owned(),
            Self::Duration(duration) => duration_text(*duration),
            Self::Size(bytes) => size_text(*bytes),
            Self::Text(text) => text.to_string(),
            Self::List(items) => {
                toml::Value::Array(items.iter().cloned().map(toml::Value::String).collect()).to_string()
            }
        }
    }

    /// The value as a profile says it.
    pub fn said(&self) -> Said {
        match self {
            Self::Switch(on) => Said::Switch(*on),
            Self::Whole(number) | Self::Limit(Some(number)) => Said::Whole(*number),
            Self::Number(number) => Said::Number(*number),
            Self::List(items) => Said::List(items.clone()),
            Self::Limit(None) | Self::Duration(_) | Self::Size(_) | Self::Text(_) => Said::Text(self.text()),
        }
    }
}

/// Reads what was said as a value of `kind`, or gives the reason why it is not one.
pub(super) fn read(kind: &Kind, said: &Said) -> Result<Value, Reason> {
    match said {
        Said::Bare(text) => read_bare(kind, text),
        Said::Switch(on) if *kind == Kind::Switch => Ok(Value::Switch(*on)),
        Said::Whole(number) => read_whole(kind, *number),
        Said::Number(number) => read_number(kind, *number),
        Said::Text(text) => read_text(kind, text),
        Said::List(items) => read_list(kind, items),
        Said::Switch(_) | Said::Other(_) => Err(wrong_type(kind, said)),
    }
}

/// Splits a rule into whether it includes and its expression.
pub(super) fn read_rule(rule: &str) -> Result<(bool, Regex), Reason> {
    let trimmed = rule.trim();
    let (word, pattern) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
    let include = match word {
        "include" => true,
        "exclude" => false,
        _ => return Err(Reason(format!("the rule “{}” must begin with include or exclude", shown(rule)))),
    };
    let pattern = pattern.trim_start();
    if pattern.is_empty() {
        return Err(Reason(format!("the rule “{}” has no regular expression", shown(rule))));
    }
    match RegexBuilder::new(pattern).size_limit(REGEX_BYTES).build() {
        Ok(regex) => Ok((include, regex)),
        Err(error) => Err(Reason(format!(
            "the rule “{}” is not a valid regular expression: {}",
            shown(rule),
            regex_reason(&error)
        ))),
    }
}

/// Splits a rewrite into its expression and what replaces every match of it.
pub(super) fn read_rewrite(rewrite: &str) -> Result<(Regex, String), Reason> {
    let Some((pattern, with)) = rewrite.split_once("=>") else {
        return Err(Reason(format!("the rewrite “{}” has no “=>”", shown(rewrite))));
    };
    let (pattern, with) = (pattern.trim(), with.trim());
    if pattern.is_empty() {
        return Err(Reason(format!("the rewrite “{}” has no regular expression", shown(rewrite))));
    }
    match RegexBuilder::new(pattern).size_limit(REGEX_BYTES).build() {
        Ok(regex) => Ok((regex, with.to_owned())),
        Err(error) => Err(Reason(format!(
            "the rewrite “{}” is not a valid regular expression: {}",
            shown(rewrite),
            regex_reason(&error)
        ))),
    }
}

fn read_bare(kind: &Kind, text: &str) -> Result<Value, Reason> {
    let text = text.trim();
    let not = || Err(Reason(format!("“{}” is not {}", shown(text), expected(kind))));
    match kind {
        Kind::Switch => match text {
            "true" | "on" | "yes" | "1" => Ok(Value::Switch(true)),
            "false" | "off" | "no" | "0" => Ok(Value::Switch(false)),
            _ => not(),
        },
        Kind::Whole { .. } | Kind::Limit { .. } => match text.replace('_', "").parse::<i64>() {
            Ok(number) => read_whole(kind, number),
            Err(_) if matches!(kind, Kind::Limit { .. }) && text == "none" => Ok(Value::Limit(None)),
            Err(_) => not(),
        },
        Kind::Number { .. } => text.parse::<f64>().map_or_else(|_| not(), |number| read_number(kind, number)),
        Kind::Hosts
        | Kind::Addresses
        | Kind::Words
        | Kind::Rules
        | Kind::Rewrites
        | Kind::Segments
        | Kind::Searches
        | Kind::Extractions
        | Kind::Headers
        | Kind::Overrides => read_bare_list(kind, text),
        _ => read_text(kind, text),
    }
}

/// A TOML array, or items between commas; a rule or header is one item, since these contain commas.
fn read_bare_list(kind: &Kind, text: &str) -> Result<Value, Reason> {
    if text.starts_with('[') {
        let mut table: toml::Table = format!("list = {text}")
            .parse()
            .map_err(|_| Reason(format!("“{}” is not a list such as [\"a\", \"b\"]", shown(text))))?;
        return match table.remove("list").map(Said::from_toml) {
            Some(Said::List(items)) => read_list(kind, &items),
            _ => Err(Reason(format!("“{}” is not a list of texts", shown(text)))),
        };
    }
    let items: Vec<String> = match kind {
        Kind::Rules
        | Kind::Rewrites
        | Kind::Segments
        | Kind::Searches
        | Kind::Extractions
        | Kind::Headers => Some(text.to_owned()).filter(|text| !text.is_empty()).into_iter().collect(),
        _ => text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect(),
    };
    read_list(kind, &items)
}

fn read_whole(kind: &Kind, number: i64) -> Result<Value, Reason> {
    let outside = || Err(Reason(format!("{number} is outside the range {}", kind.range())));
    match kind {
        Kind::Whole { min, max, .. } if (*min..=*max).contains(&number) => Ok(Value::Whole(number)),
        Kind::Limit { min, max, .. } if (*min..=*max).contains(&number) => Ok(Value::Limit(Some(number))),
        Kind::Whole { .. } | Kind::Limit { .. } => outside(),
        Kind::Number { .. } => read_number(kind, number as f64),
        Kind::Duration { .. } | Kind::Size { .. } if number < 0 => outside(),
        Kind::Duration { .. } | Kind::Size { .. } => read_text(kind, &number.to_string()),
        _ => Err(wrong_type(kind, &Said::Whole(number))),
    }
}

fn read_number(kind: &Kind, number: f64) -> Result<Value, Reason> {
    match kind {
        Kind::Number { min, max, .. } if (*min..=*max).contains(&number) => Ok(Value::Number(number)),
        Kind::Number { .. } => Err(Reason(format!("{number} is outside the range {}", kind.range()))),
        Kind::Duration { .. } if number >= 0.0 && number.is_finite() => read_text(kind, &number.to_string()),
        _ => Err(wrong_type(kind, &Said::Number(number))),
    }
}

fn read_text(kind: &Kind, text: &str) -> Result<Value, Reason> {
    let not = || Err(Reason(format!("“{}” is not {}", shown(text), expected(kind))));
    let outside = || Err(Reason(format!("“{}” is outside the range {}", shown(text), kind.range())));
    match kind {
        Kind::Limit { .. } if text == "none" => Ok(Value::Limit(None)),
        Kind::Duration { min, max } => match read_duration(text) {
            Some(duration) if (*min..=*max).contains(&duration) => Ok(Value::Duration(duration)),
            Some(_) => outside(),
            None => not(),
        },
        Kind::Size { min, max } => match read_size(text) {
            Some(bytes) if (*min..=*max).contains(&bytes) => Ok(Value::Size(bytes)),
            Some(_) => outside(),
            None => not(),
        },
        Kind::Choice(words) => {
            let folded = text.to_ascii_lowercase();
            words
                .iter()
                .find(|word| **word == folded)
                .map_or_else(not, |word| Ok(Value::Text((*word).into())))
        }
        Kind::Text if is_line(text, 200) => Ok(text_value(text.trim())),
        Kind::File if is_line(text, 4096) => Ok(text_value(text)),
        Kind::Paragraphs if text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')) => {
            if text.chars().nth(PARAGRAPHS).is_some() {
                return Err(Reason(format!("the text is longer than {PARAGRAPHS} characters")));
            }
            Ok(text_value(text.trim()))
        }
        Kind::HeaderText if text.len() <= 1000 && text.bytes().all(|b| matches!(b, b' '..=b'~')) => {
            Ok(text_value(text.trim()))
        }
        Kind::Contact if is_contact(text) => Ok(text_value(text)),
        Kind::Contact => Err(Reason(format!("“{}” is not {}", shown(&redacted(text)), expected(kind)))),
        Kind::Token
            if text.len() <= 100
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) =>
        {
            Ok(text_value(text))
        }
        Kind::Proxy => connection::proxy_text(text).map(|said| text_value(&said)),
        Kind::Text | Kind::Paragraphs | Kind::File | Kind::HeaderText | Kind::Token => not(),
        _ => Err(wrong_type(kind, &Said::Text(text.to_owned()))),
    }
}

fn read_list(kind: &Kind, items: &[String]) -> Result<Value, Reason> {
    /// Wrong items that are named.
    const NAMED: usize = 10;
    let is_list = matches!(
        kind,
        Kind::Rules
            | Kind::Rewrites
            | Kind::Segments
            | Kind::Searches
            | Kind::Extractions
            | Kind::Hosts
            | Kind::Addresses
            | Kind::Words
            | Kind::Headers
            | Kind::Overrides
    );
    if !is_list {
        return Err(wrong_type(kind, &Said::List(Vec::new())));
    }
    let mut read = Vec::with_capacity(items.len());
    let mut wrong = Vec::new();
    for item in items {
        match read_item(kind, item.trim()) {
            Ok(item) => read.push(item),
            Err(Reason(reason)) if wrong.len() < NAMED => wrong.push(reason),
            Err(_) => {}
        }
    }
    if wrong.is_empty() { Ok(Value::List(read)) } else { Err(Reason(wrong.join("; "))) }
}

/// One item of a list, as it is kept.
fn read_item(kind: &Kind, item: &str) -> Result<String, Reason> {
    match kind {
        Kind::Rules => read_rule(item).map(|_| item.to_owned()),
        Kind::Rewrites => read_rewrite(item).map(|_| item.to_owned()),
        Kind::Segments => Segment::read(item).map(|segment| segment.text()).map_err(Reason),
        Kind::Searches => read_field(item, Task::Search),
        Kind::Extractions => read_field(item, Task::Extraction),
        Kind::Hosts => read_host(item),
        Kind::Addresses => read_address(item),
        Kind::Words if !item.is_empty() && !item.contains(char::is_whitespace) => Ok(item.to_owned()),
        Kind::Words => Err(Reason(format!("“{}” is not a single word", shown(item)))),
        Kind::Headers => connection::header_text(item),
        Kind::Overrides => connection::override_text(item),
        _ => Err(wrong_type(kind, &Said::List(Vec::new()))),
    }
}

/// A field of one of the two tasks.
fn read_field(item: &str, task: Task) -> Result<String, Reason> {
    let field = Field::read(item).map_err(Reason)?;
    if field.task() == task {
        return Ok(field.line());
    }
    Err(Reason(match task {
        Task::Search => format!("{} is an extraction; it belongs to custom.extraction", field.name),
        Task::Extraction => format!("{} is a search; it belongs to custom.search", field.name),
    }))
}

/// An address without user name and password, which would stand in the project file of every crawl.
fn read_address(item: &str) -> Result<String, Reason> {
    let address = Address::parse(item).map_err(|error| Reason(error.to_string()))?;
    if address.without_credentials().1 {
        return Err(Reason(
            "an address with a user name or password cannot be said here, because settings are stored with each crawl; \
             leave them out, and give them for one run instead"
                .to_owned(),
        ));
    }
    Ok(address.as_str().to_owned())
}

/// One line of at most so many characters.
fn is_line(text: &str, most: usize) -> bool {
    !text.contains(char::is_control) && text.chars().nth(most).is_none()
}

/// A host as an address would spell it: lower case, punycode.
pub(super) fn read_host(item: &str) -> Result<String, Reason> {
    let bad = || Reason(format!("“{}” is not a host name such as cdn.example.com", shown(&redacted(item))));
    if item.is_empty() || item.contains(['/', '?', '#', '@', '\\']) {
        return Err(bad());
    }
    let address = Address::parse(&format!("http://{item}/")).map_err(|_| bad())?;
    if address.url().port().is_some() || address.host().is_empty() {
        return Err(Reason(format!("“{}” must be a host name without a port", shown(&redacted(item)))));
    }
    Ok(address.host().to_owned())
}

/// Empty, an http(s) URL or something with one `@`; nothing that could break out of the header's parentheses.
fn is_contact(text: &str) -> bool {
    let printable = text.len() <= 200
        && text.bytes().all(|b| matches!(b, b'!'..=b'~') && !matches!(b, b'(' | b')' | b'<' | b'>'));
    let is_mail = || {
        text.split_once('@')
            .is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !host.contains('@'))
    };
    let is_address = || Address::parse(text).is_ok_and(|address| !address.without_credentials().1);
    let is_url = text.contains("//");
    printable && (text.is_empty() || is_address() || !is_url && is_mail())
}

fn text_value(text: &str) -> Value {
    Value::Text(text.to_owned().into())
}

fn wrong_type(kind: &Kind, said: &Said) -> Reason {
    Reason(format!("{} was given; expected is {}", said.type_words(), expected(kind)))
}

fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Switch => "true or false".to_owned(),
        Kind::Whole { .. } => format!("a whole number ({})", kind.range()),
        Kind::Number { .. } => format!("a number ({})", kind.range()),
        Kind::Limit { .. } => format!("a whole number ({})", kind.range()),
        Kind::Duration { .. } => "a duration such as \"20s\" or \"500ms\"".to_owned(),
        Kind::Size { .. } => "a size such as \"10MB\"".to_owned(),
        Kind::Choice(words) => format!("one of {}", words.join(", ")),
        Kind::Text => "one line of at most 200 characters".to_owned(),
        Kind::Paragraphs => "plain text without control characters".to_owned(),
        Kind::File => "the path of a file".to_owned(),
        Kind::HeaderText => "one line of printable ASCII text of at most 1,000 characters".to_owned(),
        Kind::Contact => "a web address without user name and password, or an e-mail address".to_owned(),
        Kind::Token => "a word of letters, digits, - and _".to_owned(),
        Kind::Hosts => "a list of host names".to_owned(),
        Kind::Addresses => "a list of web addresses".to_owned(),
        Kind::Words => "a list of words".to_owned(),
        Kind::Rules => "a list of rules such as [\"exclude /private/\"]".to_owned(),
        Kind::Rewrites => "a list of rewrites such as [\"/old/ => /new/\"]".to_owned(),
        Kind::Segments => "a list of segments such as [\"Blog = /blog/**\"]".to_owned(),
        Kind::Searches => "a list of searches such as [\"tag = contains source: gtm.js\"]".to_owned(),
        Kind::Extractions => "a list of extractions such as [\"price = css text: .price\"]".to_owned(),
        Kind::Proxy => "system, none or an address such as \"http://proxy.example:3128\"".to_owned(),
        Kind::Headers => "a list of headers such as [\"X-Audit: 1\"]".to_owned(),
        Kind::Overrides => "a list of overrides such as [\"www.example.com:443:127.0.0.1:8443\"]".to_owned(),
    }
}

/// What is quoted in a message: one line, not too long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut out: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

/// The last line of a regex error is the reason; the lines above draw the pattern.
fn regex_reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "it grows too large".to_owned(),
        other => {
            let text = other.to_string();
            text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
        }
    }
}
