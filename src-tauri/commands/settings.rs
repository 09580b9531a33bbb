//! Profiles, their settings, and what the page remembers about itself.

use super::{Answer, Held, off};
use engine::{ProfileCard, SettingsForm};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[tauri::command]
pub(crate) async fn profiles(desk: Held<'_>) -> Answer<Vec<ProfileCard>> {
    off(&desk, |desk| desk.profiles()).await
}

#[tauri::command]
pub(crate) async fn settings_form(desk: Held<'_>, profile: String) -> Answer<SettingsForm> {
    off(&desk, move |desk| desk.settings_form(&profile)).await
}

#[tauri::command]
pub(crate) async fn set_setting(
    desk: Held<'_>,
    profile: String,
    id: String,
    text: Option<String>,
) -> Answer<SettingsForm> {
    off(&desk, move |desk| desk.set_setting(&profile, &id, text.as_deref())).await
}

#[tauri::command]
pub(crate) async fn create_profile(desk: Held<'_>, name: String, like: String) -> Answer<Vec<ProfileCard>> {
    off(&desk, move |desk| desk.create_profile(&name, &like)).await
}

#[tauri::command]
pub(crate) async fn remove_profile(desk: Held<'_>, name: String) -> Answer<Vec<ProfileCard>> {
    off(&desk, move |desk| desk.remove_profile(&name)).await
}

#[tauri::command]
pub(crate) async fn import_profile(desk: Held<'_>, path: PathBuf) -> Answer<Vec<ProfileCard>> {
    off(&desk, move |desk| desk.import_profile(&path)).await
}

#[tauri::command]
pub(crate) async fn export_profile(desk: Held<'_>, name: String, path: PathBuf) -> Answer<()> {
    off(&desk, move |desk| desk.export_profile(&name, &path)).await
}

#[tauri::command]
pub(crate) async fn preferences(desk: Held<'_>) -> Answer<BTreeMap<String, String>> {
    off(&desk, |desk| desk.preferences()).await
}

#[tauri::command]
pub(crate) async fn set_preference(desk: Held<'_>, key: String, value: String) -> Answer<()> {
    off(&desk, move |desk| desk.set_preference(&key, &value)).await
}
