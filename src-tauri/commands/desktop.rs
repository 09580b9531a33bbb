//! The desktop around the window: the browser, the file browser, what the program was started with.

use super::{Answer, Held, off};
use engine::{ApiError, Desk};
use std::path::PathBuf;
use tauri::State;

/// What is left for the page of what the program was started with.
pub(crate) struct StartedWith(pub(crate) Vec<String>);

#[tauri::command]
pub(crate) fn started_with(started: State<'_, StartedWith>) -> Vec<String> {
    started.0.clone()
}

/// Opens an http or https address, and nothing else, in the person's browser.
#[tauri::command]
pub(crate) async fn open_in_browser(desk: Held<'_>, url: String) -> Answer<()> {
    let address = Desk::web_address(&url)?;
    off(&desk, move |_| tauri_plugin_opener::open_url(address, None::<&str>).map_err(refused)).await
}

/// Shows a file in its folder: a project, or something that was written here.
#[tauri::command]
pub(crate) async fn show_in_folder(desk: Held<'_>, path: PathBuf) -> Answer<()> {
    off(&desk, move |desk| {
        desk.may_show(&path)?;
        tauri_plugin_opener::reveal_item_in_dir(&path).map_err(refused)
    })
    .await
}

/// Whether something is at a path already, so that the page can ask before it is written over.
#[tauri::command]
pub(crate) async fn file_exists(desk: Held<'_>, path: PathBuf) -> Answer<bool> {
    off(&desk, move |_| Ok(path.exists())).await
}

fn refused(error: tauri_plugin_opener::Error) -> ApiError {
    ApiError::new("cannot_start", format!("The desktop refused: {error}"))
}
