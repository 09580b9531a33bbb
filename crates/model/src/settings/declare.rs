//! The form of a declaration.

use super::Value;
use std::borrow::Cow;
use std::time::Duration;

/// One setting, as it is declared. Audits declare theirs in the same form.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// `section.name`, lower case with underscores. A public contract.
    pub id: Cow<'static, str>,
    /// A few words for a form.
    pub label: Cow<'static, str>,
    /// A sentence or two that help a person decide.
    pub help: Cow<'static, str>,
    pub kind: Kind,
    pub default: Value,
}

/// What a setting accepts.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// A whole number from `min` to `max`.
    Whole { min: i64, max: i64, unit: Unit },
    /// A number from `min` to `max`.
    Number { min: f64, max: f64, unit: Unit },
    /// A whole number from `min` to `max`, or `"none"`.
    Limit { min: i64, max: i64, unit: Unit },
    /// `"20s"`, `"500ms"`, `"2m"`; a bare number counts seconds.
    Duration { min: Duration, max: Duration },
    /// `"10MB"`, `"512kB"`, `"1MiB"`; a bare number counts bytes.
    Size { min: u64, max: u64 },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One line of any text; may be empty.
    Text,
    /// Text of several lines, empty ones between paragraphs; may be empty.
    Paragraphs,
    /// Path of a file; may be empty. Whether it can be read shows where it is used.
    File,
    /// One line of printable ASCII that can stand in a request header; may be empty.
    HeaderText,
    /// A web address or an e-mail address; may be empty.
    Contact,
    /// A word of letters, digits, `-` and `_`; may be empty.
    Token,
    /// Host names.
    Hosts,
    /// Absolute http or https addresses.
    Addresses,
    /// Plain words (query parameter names).
    Words,
    /// `include REGEX` or `exclude REGEX`, in order.
    Rules,
    /// `REGEX => REPLACEMENT`, in order; the replacement may be empty.
    Rewrites,
    /// `NAME = PATTERN PATTERN…`; see [`crate::segment::Segment::read`].
    Segments,
    /// `NAME = contains …: …` or `NAME = lacks …: …`; see [`crate::custom::Field::read`].
    Searches,
    /// `NAME = css …: …`, `NAME = xpath …: …` or `NAME = regex …: …`; see [`crate::custom::Field::read`].
    Extractions,
    /// `system`, `none`, or the address of a proxy without credentials.
    Proxy,
    /// `Name: value` of request headers that hold no secret.
    Headers,
    /// `HOST:PORT:ADDRESS` or `HOST:PORT:ADDRESS:PORT`.
    Overrides,
}

/// What a number counts; written after it.
pub type Unit = &'static str;

impl Setting {
    /// The part before the last dot.
    pub fn section(&self) -> &str {
        self.id.rsplit_once('.').map_or("", |(section, _)| section)
    }

    /// The part after the last dot.
    pub fn name(&self) -> &str {
        self.id.rsplit_once('.').map_or(&*self.id, |(_, name)| name)
    }
}

impl Kind {
    /// The kind in one or two words, for tables and for machine-readable catalogues.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::Whole { .. } => "whole number",
            Self::Number { .. } => "number",
            Self::Limit { .. } => "whole number or none",
            Self::Duration { .. } => "duration",
            Self::Size { .. } => "size",
            Self::Choice(_) => "choice",
            Self::Text | Self::HeaderText => "text",
            Self::Paragraphs => "paragraphs",
            Self::File => "file",
            Self::Contact => "URL or e-mail",
            Self::Token => "word",
            Self::Hosts => "list of hosts",
            Self::Addresses => "list of URLs",
            Self::Words => "list of words",
            Self::Rules => "list of rules",
            Self::Rewrites => "list of rewrites",
            Self::Segments => "list of segments",
            Self::Searches => "list of searches",
            Self::Extractions => "list of extractions",
            Self::Proxy => "proxy",
            Self::Headers => "list of headers",
            Self::Overrides => "list of overrides",
        }
    }

    /// What a number of this kind counts; empty where nothing is counted.
    pub const fn unit(&self) -> Unit {
        match self {
            Self::Whole { unit, .. } | Self::Number { unit, .. } | Self::Limit { unit, .. } => unit,
            _ => "",
        }
    }

    /// The accepted values as a person reads them; empty where anything of the kind goes.
    pub fn range(&self) -> String {
        use super::quantity::{duration_text, number_text, size_text};
        match self {
            Self::Switch => "true or false".to_owned(),
            Self::Whole { min, max, .. } => format!("{min} to {max}"),
            Self::Number { min, max, .. } => format!("{} to {}", number_text(*min), number_text(*max)),
            Self::Limit { min, max, .. } => format!("{min} to {max}, or none"),
            Self::Duration { min, max } => format!("{} to {}", duration_text(*min), duration_text(*max)),
            Self::Size { min, max } => format!("{} to {}", size_text(*min), size_text(*max)),
            Self::Choice(words) => words.join(", "),
            Self::Rules => "include REGEX, exclude REGEX".to_owned(),
            Self::Rewrites => "REGEX => REPLACEMENT".to_owned(),
            Self::Segments => "NAME = PATTERN …".to_owned(),
            Self::Searches => "NAME = contains|lacks [regex] [source|visible] [case]: PATTERN".to_owned(),
            Self::Extractions => {
                "NAME = css|xpath|regex [text|html|attr NAME|count] [first|all]: EXPRESSION".to_owned()
            }
            Self::Proxy => "system, none, http://HOST:PORT, https://…, socks5://…, socks5h://…".to_owned(),
            Self::Headers => "NAME: VALUE".to_owned(),
            Self::Overrides => "HOST:PORT:ADDRESS, HOST:PORT:ADDRESS:PORT".to_owned(),
            Self::Text
            | Self::Paragraphs
            | Self::File
            | Self::HeaderText
            | Self::Contact
            | Self::Token
            | Self::Hosts
            | Self::Addresses
            | Self::Words => String::new(),
        }
    }
}
