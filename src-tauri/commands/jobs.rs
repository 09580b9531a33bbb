//! The job that runs: started, watched, paused, stopped.

use super::{Answer, Held, off, off_quietly};
use engine::Pulse;
use engine::{AuditForm, JobNews, SignIn, TrapAllowed, TrapCard};
use std::path::PathBuf;
use tauri::ipc::Channel;

#[tauri::command]
pub(crate) async fn start_audit(desk: Held<'_>, form: AuditForm) -> Answer<JobNews> {
    off(&desk, move |desk| desk.start_audit(&form)).await
}

#[tauri::command]
pub(crate) async fn resume_audit(desk: Held<'_>, path: PathBuf, sign_in: SignIn) -> Answer<JobNews> {
    off(&desk, move |desk| desk.resume_audit_as(&path, &sign_in)).await
}

#[tauri::command]
pub(crate) async fn pause_job(desk: Held<'_>) -> Answer<()> {
    off_quietly(&desk, |desk| desk.pause_job()).await
}

#[tauri::command]
pub(crate) async fn continue_job(desk: Held<'_>) -> Answer<()> {
    off_quietly(&desk, |desk| desk.continue_job()).await
}

#[tauri::command]
pub(crate) async fn stop_job(desk: Held<'_>) -> Answer<()> {
    off_quietly(&desk, |desk| desk.stop_job()).await
}

#[tauri::command]
pub(crate) async fn traps(desk: Held<'_>, crawl: i64) -> Answer<Vec<TrapCard>> {
    off(&desk, move |desk| desk.traps(crawl)).await
}

#[tauri::command]
pub(crate) async fn allow_trap(desk: Held<'_>, crawl: i64, pattern: String) -> Answer<TrapAllowed> {
    off(&desk, move |desk| desk.allow_trap(crawl, &pattern)).await
}

#[tauri::command]
pub(crate) async fn job(desk: Held<'_>) -> Answer<Option<JobNews>> {
    off(&desk, |desk| Ok(desk.job())).await
}

#[tauri::command]
pub(crate) async fn watch_job(desk: Held<'_>, on_news: Channel<JobNews>) -> Answer<()> {
    // A page that is gone hears nothing; the next one listens anew.
    let tell = move |news| drop(on_news.send(news));
    off_quietly(&desk, move |desk| desk.subscribe(Box::new(tell))).await
}

#[tauri::command]
pub(crate) async fn pulse(desk: Held<'_>, crawl: i64) -> Answer<Pulse> {
    off(&desk, move |desk| desk.pulse(crawl)).await
}
