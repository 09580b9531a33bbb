//! What lets a run in: given for one run, kept in the keychain, forgotten. No answer holds a secret.

use super::{Answer, Held, off};
use engine::{GivenCredential, KeptCredentials, SignInNeeded, SignInPlace};
use std::path::PathBuf;

#[tauri::command]
pub(crate) async fn sign_in_place(
    desk: Held<'_>,
    address: String,
    list: Option<String>,
) -> Answer<SignInPlace> {
    off(&desk, move |desk| desk.sign_in_place(&address, list.as_deref())).await
}

#[tauri::command]
pub(crate) async fn check_sign_in(
    desk: Held<'_>,
    origin: String,
    credentials: Vec<GivenCredential>,
) -> Answer<()> {
    off(&desk, move |desk| desk.check_sign_in(&origin, &credentials)).await
}

#[tauri::command]
pub(crate) async fn kept_sign_ins(desk: Held<'_>) -> Answer<Vec<KeptCredentials>> {
    off(&desk, |desk| Ok(desk.kept_sign_ins())).await
}

#[tauri::command]
pub(crate) async fn keep_sign_in(
    desk: Held<'_>,
    origin: String,
    credentials: Vec<GivenCredential>,
) -> Answer<Vec<KeptCredentials>> {
    off(&desk, move |desk| desk.keep_sign_in(&origin, &credentials)).await
}

#[tauri::command]
pub(crate) async fn forget_sign_in(desk: Held<'_>, origin: String) -> Answer<Vec<KeptCredentials>> {
    off(&desk, move |desk| desk.forget_sign_in(&origin)).await
}

#[tauri::command]
pub(crate) async fn sign_in_needed(desk: Held<'_>, path: PathBuf) -> Answer<Option<SignInNeeded>> {
    off(&desk, move |desk| desk.sign_in_needed(&path)).await
}
