//! The form of the settings: every declaration with what a profile says of it, and what the Audit policy fixes.

use model::Job;
use model::settings::{Profile, SECTIONS, Setting, card, catalogue, lock};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SettingsForm {
    pub profile: String,
    pub sections: Vec<SettingSection>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SettingSection {
    pub id: String,
    pub title: String,
    pub about: String,
    pub settings: Vec<SettingRow>,
    /// What cannot be changed here, with the reason.
    pub locked: Vec<LockedRow>,
}

/// One setting, values as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SettingRow {
    pub id: String,
    pub label: String,
    pub help: String,
    pub kind: String,
    pub unit: String,
    pub range: String,
    pub choices: Vec<String>,
    pub default: String,
    /// What the profile says, even where it is wrong; the default where it says nothing.
    pub value: String,
    pub changed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LockedRow {
    pub label: String,
    pub value: String,
    pub reason: String,
}

/// Sections of settings that are declared by others than the crawl.
const FURTHER: &[(&str, &str, &str)] = &[(
    "audit",
    "Audits",
    "The thresholds of the audits: what counts as too long, too large or too slow. They apply to the next audit.",
)];

/// What no Audit does, whatever a profile says: section, label, value, reason.
const LOCKED: &[(&str, &str, &str, &str)] = &[
    (
        "pace",
        "Rendered pages at once",
        "at most 4",
        "Each is a whole browser tab: more would overload this computer and the site.",
    ),
    (
        "links",
        "Forms",
        "never submitted",
        "A form may order, delete or send something. Its address is stored and nothing is sent to it.",
    ),
    (
        "external_links",
        "Other sites",
        "never followed",
        "Links to other sites are checked once for whether they work. Nothing of those sites is read further: they did not ask for an audit.",
    ),
];

pub(super) fn form(name: String, profile: &Profile, declared: &[Setting]) -> SettingsForm {
    let mut sections: Vec<SettingSection> = Vec::new();
    for setting in declared {
        let id = setting.section();
        let at = sections.iter().position(|section| section.id == id).unwrap_or_else(|| {
            sections.push(section(id));
            sections.len() - 1
        });
        sections[at].settings.push(row(setting, profile));
    }
    SettingsForm { profile: name, sections }
}

/// The settings of which the profile says something else than their default.
pub(super) fn changed<'a>(profile: &Profile, declared: &'a [Setting]) -> Vec<&'a Setting> {
    declared.iter().filter(|setting| value(setting, profile).1).collect()
}

fn section(id: &str) -> SettingSection {
    let known =
        SECTIONS.iter().find(|section| section.id == id).map(|section| (section.title, section.about));
    let further =
        || FURTHER.iter().find(|(further, ..)| *further == id).map(|(_, title, about)| (*title, *about));
    let (title, about) = known.or_else(further).unwrap_or((id, ""));
    let locked = LOCKED.iter().filter(|(section, ..)| *section == id);
    SettingSection {
        id: id.to_owned(),
        title: title.to_owned(),
        about: about.to_owned(),
        settings: Vec::new(),
        locked: locked
            .map(|(_, label, value, reason)| LockedRow {
                label: (*label).to_owned(),
                value: (*value).to_owned(),
                reason: (*reason).to_owned(),
            })
            .chain(fixed_in_check(id))
            .collect(),
    }
}

/// What a check does instead of what the settings of a section say.
fn fixed_in_check(section: &str) -> Option<LockedRow> {
    let value = crate::policies::fixed_in_check(section)?;
    let in_section = catalogue().iter().filter(|setting| setting.section() == section);
    let reason = in_section.filter_map(|setting| lock(Job::Check, &setting.id)).next()?;
    Some(LockedRow { label: "In a check".to_owned(), value, reason: reason.to_owned() })
}

fn row(setting: &Setting, profile: &Profile) -> SettingRow {
    let (value, changed) = value(setting, profile);
    let card = card(setting);
    SettingRow {
        id: card.id,
        label: card.label,
        help: card.help,
        kind: card.kind,
        unit: card.unit,
        range: card.range,
        choices: card.choices,
        default: card.default,
        value,
        changed,
    }
}

/// The value as text, and whether it differs from the default. A wrong value is shown as it was said, to be put right.
fn value(setting: &Setting, profile: &Profile) -> (String, bool) {
    let Some(said) = profile.said(&setting.id) else { return (setting.default.text(), false) };
    match setting.meant(said) {
        Ok(value) => (value.text(), value != setting.default),
        Err(_) => (said.text(), true),
    }
}
