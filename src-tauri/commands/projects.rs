//! Project files: opened, closed, remembered.

use super::{Answer, Held, off, off_quietly};
use engine::{ProjectCard, RecentProject};
use std::path::PathBuf;

#[tauri::command]
pub(crate) async fn recent_projects(desk: Held<'_>) -> Answer<Vec<RecentProject>> {
    off(&desk, |desk| desk.recent_projects()).await
}

#[tauri::command]
pub(crate) async fn forget_project(desk: Held<'_>, path: String) -> Answer<()> {
    off(&desk, move |desk| desk.forget_project(&path)).await
}

#[tauri::command]
pub(crate) async fn open_project(desk: Held<'_>, path: PathBuf) -> Answer<ProjectCard> {
    off(&desk, move |desk| desk.open_project(&path)).await
}

#[tauri::command]
pub(crate) async fn close_project(desk: Held<'_>) -> Answer<()> {
    off_quietly(&desk, |desk| desk.close_project()).await
}

#[tauri::command]
pub(crate) async fn project(desk: Held<'_>) -> Answer<Option<ProjectCard>> {
    off(&desk, |desk| desk.project()).await
}
