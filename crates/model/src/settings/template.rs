//! The catalogue as a commented TOML profile and as cards for tables.

use super::{Kind, PROFILE_VERSION, SECTIONS, Setting, Value, catalogue};
use std::fmt::Write as _;

/// One setting in words, for tables and for machine-readable lists.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SettingCard {
    pub id: String,
    pub section: String,
    pub label: String,
    pub help: String,
    pub kind: String,
    /// Accepted values as a person reads them; empty where anything of the kind goes.
    pub range: String,
    pub unit: String,
    /// The words of a choice; empty for other kinds.
    pub choices: Vec<String>,
    pub default: String,
}

/// Every setting in words: those of the crawl, then `extra`.
pub fn cards(extra: &[Setting]) -> Vec<SettingCard> {
    catalogue().iter().chain(extra).map(card).collect()
}

pub fn card(setting: &Setting) -> SettingCard {
    SettingCard {
        id: setting.id.to_string(),
        section: setting.section().to_owned(),
        label: setting.label.to_string(),
        help: setting.help.to_string(),
        kind: setting.kind.word().to_owned(),
        range: setting.kind.range(),
        unit: setting.kind.unit().to_owned(),
        choices: match setting.kind {
            Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
            _ => Vec::new(),
        },
        default: setting.default.text(),
    }
}

/// A profile that says nothing, with every setting in a comment: its help, its range and its default.
pub fn template(extra: &[Setting]) -> String {
    let mut out = format!(
        "# A profile. Take away the “# ” before a setting to change it; what is not said keeps its default.\nversion = {PROFILE_VERSION}\n"
    );
    let mut section = None;
    for setting in catalogue().iter().chain(extra) {
        if section != Some(setting.section()) {
            section = Some(setting.section());
            out.push('\n');
            if let Some(known) = SECTIONS.iter().find(|known| known.id == setting.section()) {
                comment(&mut out, &format!("{}. {}", known.title, known.about));
            }
            let _ = writeln!(out, "[{}]", setting.section());
        }
        entry(&mut out, setting);
    }
    out
}

fn entry(out: &mut String, setting: &Setting) {
    out.push('\n');
    let mut about = format!("{}: {}", setting.label.trim_end_matches('.'), setting.help);
    let (range, unit) = (setting.kind.range(), setting.kind.unit());
    if !range.is_empty() {
        let _ = write!(about, " ({}{}{unit})", range, if unit.is_empty() { "" } else { " " });
    }
    comment(out, &about);
    let _ = writeln!(out, "# {} = {}", setting.name(), toml_default(&setting.default));
}

fn toml_default(default: &Value) -> String {
    default.said().toml()
}

/// Comment lines of at most a hundred characters; two number signs keep them apart from settings.
fn comment(out: &mut String, text: &str) {
    const WIDTH: usize = 100;
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > WIDTH {
            out.push('\n');
            used = 0;
        }
        if used == 0 {
            out.push_str("##");
            used = 2;
        }
        out.push(' ');
        out.push_str(word);
        used += 1 + length;
    }
    out.push('\n');
}
