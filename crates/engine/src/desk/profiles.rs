//! Profiles: TOML files of the configuration folder, one a name. "Default" is always there.

use super::form::{self, SettingsForm};
use super::kept::{read_text, unreadable, unwritable, write_whole};
use super::refusal::ApiError;
use crate::destination;
use model::settings::{Layer, Profile, Setting, SettingError, Start, Value, catalogue, resolve};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The profile that is there without a file. It says nothing until somebody changes it.
pub(super) const DEFAULT: &str = "Default";

/// Profiles listed at most: a folder of other things must not fill the list.
const MOST: usize = 500;

/// A profile in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileCard {
    pub name: String,
    /// Settings that are not at their default.
    pub changed: u64,
    /// What sets it apart, or what is wrong with its file.
    pub about: String,
    pub removable: bool,
}

/// The folder of profiles.
#[derive(Debug)]
pub(super) struct Profiles {
    /// Locked while a profile is changed.
    folder: Mutex<PathBuf>,
}

/// Every setting that a profile may say.
pub(super) fn declared() -> Vec<Setting> {
    catalogue().iter().cloned().chain(audit::settings()).collect()
}

impl Profiles {
    pub(super) fn new(config: &Path) -> Self {
        Self { folder: Mutex::new(config.join("profiles")) }
    }

    /// "Default", then the others by name.
    pub(super) fn all(&self) -> Result<Vec<ProfileCard>, ApiError> {
        let folder = self.folder();
        let mut names: Vec<String> = match std::fs::read_dir(&folder) {
            Ok(entries) => entries.filter_map(|entry| name_in(&entry.ok()?.path())).take(MOST).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(unreadable(&folder, &error)),
        };
        names.retain(|name| !name.eq_ignore_ascii_case(DEFAULT));
        names.sort_by_key(|name| name.to_lowercase());
        names.insert(0, DEFAULT.to_owned());
        let declared = declared();
        Ok(names.into_iter().map(|name| card(&folder, name, &declared)).collect())
    }

    pub(super) fn form(&self, name: &str) -> Result<SettingsForm, ApiError> {
        let folder = self.folder();
        let name = known(&folder, name)?;
        let profile = read(&folder, &name)?;
        Ok(form::form(name, &profile, &declared()))
    }

    /// Says one setting, or unsays it with `None`. Refused, and nothing is written, where the value is wrong.
    pub(super) fn set(&self, name: &str, id: &str, text: Option<&str>) -> Result<SettingsForm, ApiError> {
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let name = known(&folder, name)?;
        let mut profile = read(&folder, &name)?;
        let declared = declared();
        let setting = declared.iter().find(|setting| setting.id.replace('-', "_") == id.replace('-', "_"));
        profile.remove(id);
        if let Some(text) = text {
            // What does not exist is refused by `resolve`, which knows the nearest that does.
            match setting.map(|setting| setting.read(text)) {
                Some(Ok(value)) if setting.is_some_and(|setting| setting.default == value) => {}
                Some(Ok(value)) => profile.insert(id, &value),
                Some(Err(_)) | None => profile.set(id, text),
            }
            check(&profile, id)?;
        }
        write_whole(&file_of(&folder, &name), profile.to_toml().as_bytes())?;
        Ok(form::form(name, &profile, &declared))
    }

    /// A new profile that says what another says.
    pub(super) fn create(&self, name: &str, like: &str) -> Result<(), ApiError> {
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let new = clean(name)?;
        if known(&folder, &new).is_ok() {
            return Err(ApiError::field("name", format!("There is a profile “{new}” already.")));
        }
        let like = known(&folder, like)?;
        // The text is copied, so that comments come along.
        let text = text_of(&folder, &like)?;
        write_whole(&file_of(&folder, &new), text.as_bytes())
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), ApiError> {
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let name = known(&folder, name)?;
        if name == DEFAULT {
            return Err(ApiError::field("name", "The default profile cannot be removed."));
        }
        let path = file_of(&folder, &name);
        std::fs::remove_file(&path).map_err(|error| unwritable(&path, &error))
    }

    /// Takes in a profile file as it is. Every wrong setting is named, and nothing is written then.
    pub(super) fn import(&self, from: &Path) -> Result<(), ApiError> {
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let text = read_text(from).map_err(|error| unreadable(from, &error))?;
        let profile = Profile::parse(&text).map_err(ApiError::settings)?;
        resolve(Start::default(), &[(Layer::Profile, &profile)], &audit::settings())
            .map_err(ApiError::settings)?;
        // A relative path in it begins at the folder that it is taken from.
        let text = anchored(&profile, from).map_or(text, |profile| profile.to_toml());
        let stem = from.file_stem().unwrap_or_default().to_string_lossy();
        let name = report::file_name(&stem);
        let free = (2_u64..).map(|number| format!("{name}-{number}"));
        // A profile of that name is never overwritten.
        let name = std::iter::once(name.clone()).chain(free).find(|name| known(&folder, name).is_err());
        let name = name.ok_or_else(|| ApiError::internal("no name is free for the profile"))?;
        write_whole(&file_of(&folder, &name), text.as_bytes())
    }

    pub(super) fn export(&self, name: &str, to: &Path) -> Result<(), ApiError> {
        let folder = self.folder();
        let name = known(&folder, name)?;
        let text = text_of(&folder, &name)?;
        let mut file = destination::create(to)?;
        file.write_all(text.as_bytes()).map_err(|error| unwritable(to, &error))?;
        file.place().map_err(|error| unwritable(to, &error))
    }

    /// The file of a profile; `None` for the default where it says nothing.
    pub(super) fn file(&self, name: &str) -> Result<Option<PathBuf>, ApiError> {
        let folder = self.folder();
        let path = file_of(&folder, &known(&folder, name)?);
        Ok(path.exists().then_some(path))
    }

    fn folder(&self) -> PathBuf {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The name of the profile in this file; `None` for what is none.
fn name_in(path: &Path) -> Option<String> {
    let is_profile =
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) && path.is_file();
    let name = path.file_stem()?.to_str()?;
    (is_profile && report::file_name(name) == name).then(|| name.to_owned())
}

/// A name that a person chose, as a file can bear it.
fn clean(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(ApiError::field("name", "A profile needs a name."));
    }
    Ok(report::file_name(name))
}

/// The name of a profile that exists, in its own spelling. Names differ by more than case.
fn known(folder: &Path, name: &str) -> Result<String, ApiError> {
    let wanted = clean(name)?;
    if wanted.eq_ignore_ascii_case(DEFAULT) {
        return Ok(DEFAULT.to_owned());
    }
    let entries = std::fs::read_dir(folder).ok().into_iter().flatten();
    entries
        .filter_map(|entry| name_in(&entry.ok()?.path()))
        .find(|known| known.to_lowercase() == wanted.to_lowercase())
        .ok_or_else(|| ApiError::field("profile", format!("There is no profile “{wanted}”.")))
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.toml"))
}

/// The text of a profile; of the default that says nothing, every setting as a comment.
fn text_of(folder: &Path, name: &str) -> Result<String, ApiError> {
    let path = file_of(folder, name);
    match read_text(&path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound && name == DEFAULT => {
            Ok(crate::settings::settings_template())
        }
        Err(error) => Err(unreadable(&path, &error)),
    }
}

fn read(folder: &Path, name: &str) -> Result<Profile, ApiError> {
    Profile::parse(&text_of(folder, name)?).map_err(ApiError::settings)
}

/// The profile with an absolute path of the logo, where its own is relative.
fn anchored(profile: &Profile, from: &Path) -> Option<Profile> {
    const LOGO: &str = "report.logo";
    let said = profile.said(LOGO)?.text();
    let path = Path::new(&said);
    if said.is_empty() || path.is_absolute() {
        return None;
    }
    let folder = std::path::absolute(from).ok()?.parent()?.to_owned();
    let mut moved = profile.clone();
    moved.remove(LOGO);
    moved.insert(LOGO, &Value::Text(folder.join(path).display().to_string().into()));
    Some(moved)
}

/// Only what is wrong with this one setting counts: an older mistake elsewhere in the file must not stand in the way of
/// putting it right.
fn check(profile: &Profile, id: &str) -> Result<(), ApiError> {
    let Err(errors) = resolve(Start::default(), &[(Layer::Profile, profile)], &audit::settings()) else {
        return Ok(());
    };
    let folded = id.replace('-', "_");
    let concerning: Vec<SettingError> =
        errors.into_iter().filter(|error| error.id.replace('-', "_") == folded).collect();
    if concerning.is_empty() { Ok(()) } else { Err(ApiError::settings(concerning)) }
}

fn card(folder: &Path, name: String, declared: &[Setting]) -> ProfileCard {
    let removable = name != DEFAULT;
    match read(folder, &name) {
        Ok(profile) => {
            let changed = form::changed(&profile, declared);
            ProfileCard { about: about(&changed), changed: changed.len() as u64, name, removable }
        }
        Err(error) => {
            let why = error.detail.first().map_or(error.message.clone(), |detail| detail.message.clone());
            ProfileCard { name, changed: 0, about: format!("This profile cannot be read: {why}"), removable }
        }
    }
}

/// The labels of the first three changed settings.
fn about(changed: &[&Setting]) -> String {
    const NAMED: usize = 3;
    if changed.is_empty() {
        return "Every setting at its default".to_owned();
    }
    let named: Vec<&str> = changed.iter().take(NAMED).map(|setting| &*setting.label).collect();
    match changed.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
