//! Profiles: what somebody said, as text that people read and that is stored with a crawl.

use super::{SettingError, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The version that profiles are written in.
pub const PROFILE_VERSION: i64 = 1;

/// Said values by setting id. Nothing is checked here but the form; [`resolve`](super::resolve) checks the rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    values: BTreeMap<String, Said>,
}

/// One value as it was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    Switch(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<String>),
    /// From the command line, where everything is text; read by the setting's kind.
    Bare(String),
    /// A form that no setting accepts, named in words.
    Other(&'static str),
}

impl Profile {
    /// Reads a TOML profile: `version = 1`, then sections. Unknown settings are kept, for `resolve` to refuse.
    pub fn parse(text: &str) -> Result<Self, Vec<SettingError>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut table: toml::Table = text.parse().map_err(|error| vec![syntax_error(text, &error)])?;
        match table.remove("version") {
            Some(toml::Value::Integer(PROFILE_VERSION)) => {}
            Some(toml::Value::Integer(newer)) if newer > PROFILE_VERSION => {
                return Err(vec![SettingError::in_profile(
                    "version",
                    format!(
                        "the profile is of version {newer}; this program reads version {PROFILE_VERSION}. Please update the program"
                    ),
                )]);
            }
            Some(_) => {
                return Err(vec![SettingError::in_profile("version", format!("must be {PROFILE_VERSION}"))]);
            }
            None => {
                return Err(vec![SettingError::in_profile(
                    "version",
                    format!("is missing: the first line must be version = {PROFILE_VERSION}"),
                )]);
            }
        }
        Ok(Self { values: flatten(table) })
    }

    /// Says one value in the words of the command line.
    pub fn set(&mut self, id: &str, text: &str) {
        self.values.insert(id.to_owned(), Said::Bare(text.to_owned()));
    }

    pub fn insert(&mut self, id: &str, value: &Value) {
        self.values.insert(id.to_owned(), value.said());
    }

    /// Unsays a value, under whichever spelling of its id (`-` or `_`) it was said.
    pub fn remove(&mut self, id: &str) {
        let folded = id.replace('-', "_");
        self.values.retain(|said, _| said.replace('-', "_") != folded);
    }

    /// What was said of a setting, under whichever spelling of its id.
    pub fn said(&self, id: &str) -> Option<&Said> {
        let folded = id.replace('-', "_");
        self.values.iter().find(|(said, _)| said.replace('-', "_") == folded).map(|(_, said)| said)
    }

    pub fn values(&self) -> impl Iterator<Item = (&str, &Said)> {
        self.values.iter().map(|(id, said)| (id.as_str(), said))
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The profile as TOML. Reading it back gives the same values.
    pub fn to_toml(&self) -> String {
        let mut out = format!("version = {PROFILE_VERSION}\n");
        let mut sections: BTreeMap<&str, Vec<(&str, &Said)>> = BTreeMap::new();
        for (id, said) in &self.values {
            let (section, name) = id.rsplit_once('.').unwrap_or(("", id));
            sections.entry(section).or_default().push((name, said));
        }
        for (section, entries) in sections {
            if !section.is_empty() {
                let _ = write!(out, "\n[{section}]\n");
            }
            for (name, said) in entries {
                let _ = writeln!(out, "{name} = {}", said.toml());
            }
        }
        out
    }
}

impl Said {
    pub(super) fn from_toml(value: toml::Value) -> Self {
        match value {
            toml::Value::Boolean(on) => Self::Switch(on),
            toml::Value::Integer(number) => Self::Whole(number),
            toml::Value::Float(number) => Self::Number(number),
            toml::Value::String(text) => Self::Text(text),
            toml::Value::Datetime(_) => Self::Other("a date"),
            toml::Value::Table(_) => Self::Other("a section"),
            toml::Value::Array(items) => {
                let texts: Option<Vec<String>> = items
                    .into_iter()
                    .map(|item| if let toml::Value::String(text) = item { Some(text) } else { None })
                    .collect();
                texts.map_or(Self::Other("a list of other things than texts"), Self::List)
            }
        }
    }

    /// What was said, in words: texts as they are, everything else as TOML writes it.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) | Self::Bare(text) => text.clone(),
            Self::Other(words) => (*words).to_owned(),
            other => other.toml(),
        }
    }

    /// The value as TOML writes it.
    pub(super) fn toml(&self) -> String {
        match self {
            Self::Switch(on) => on.to_string(),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => toml::Value::Float(*number).to_string(),
            Self::Text(text) | Self::Bare(text) => toml::Value::String(text.clone()).to_string(),
            Self::List(items) => {
                toml::Value::Array(items.iter().cloned().map(toml::Value::String).collect()).to_string()
            }
            Self::Other(words) => toml::Value::String((*words).to_owned()).to_string(),
        }
    }

    pub(super) const fn type_words(&self) -> &'static str {
        match self {
            Self::Switch(_) => "true or false",
            Self::Whole(_) => "a whole number",
            Self::Number(_) => "a number",
            Self::Text(_) | Self::Bare(_) => "a text",
            Self::List(_) => "a list",
            Self::Other(words) => words,
        }
    }
}

/// Tables within tables become dotted ids. A list of tables stays one odd value, refused later by its name.
fn flatten(table: toml::Table) -> BTreeMap<String, Said> {
    let mut values = BTreeMap::new();
    let mut open = vec![(String::new(), table)];
    while let Some((prefix, table)) = open.pop() {
        for (name, value) in table {
            let id = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
            match value {
                toml::Value::Table(inner) => open.push((id, inner)),
                other => {
                    values.insert(id, Said::from_toml(other));
                }
            }
        }
    }
    values
}

fn syntax_error(text: &str, error: &toml::de::Error) -> SettingError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    SettingError::in_profile("profile", format!("line {line}, column {column}: {}", error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_round_trips() {
        let text = "version = 1\n\n[fetch]\ntimeout = \"5s\"\nretries = 3\n\n[audit]\nmax = 12.5\n\n[scope]\nrules = ['exclude /a\\.b/', \"include \\\"x\\\"\"]\nsubdomains = true\n";
        let profile = Profile::parse(text).unwrap();
        assert_eq!(profile.values().count(), 5);
        assert_eq!(Profile::parse(&profile.to_toml()).unwrap(), profile);
        assert_eq!(Profile::parse(&Profile::default().to_toml()).unwrap(), Profile::default());
    }

    #[test]
    fn a_damaged_profile_names_the_place() {
        let check = |text: &str, expect: &str| {
            let errors = Profile::parse(text).unwrap_err();
            assert!(errors[0].to_string().contains(expect), "{text}: {}", errors[0]);
        };
        check("version = 1\n[fetch\n", "line 2");
        check("[fetch]\ntimeout = 3\n", "version");
        check("version = 2\n", "Please update");
        check("version = \"1\"\n", "must be 1");
        check("version = 1\nversion = 1\n", "duplicate");
        // A depth that a recursive reader would fall over.
        assert!(Profile::parse(&format!("version = 1\nx = {}", "[".repeat(100_000))).is_err());
    }
}
