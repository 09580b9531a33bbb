//! What a person says about findings, and looking at them again.

use super::{Answer, Held, off};
use engine::{IgnoreRequest, IgnoredCard, JobNews, RecheckForm, RecheckReport, SeverityCard, ThresholdValue};
use tauri::ipc::Channel;

#[tauri::command]
pub(crate) async fn ignored(desk: Held<'_>, crawl: i64) -> Answer<Vec<IgnoredCard>> {
    off(&desk, move |desk| desk.ignored(crawl)).await
}

#[tauri::command]
pub(crate) async fn ignore(desk: Held<'_>, request: IgnoreRequest) -> Answer<Vec<IgnoredCard>> {
    off(&desk, move |desk| desk.ignore(&request)).await
}

#[tauri::command]
pub(crate) async fn stop_ignoring(desk: Held<'_>, number: i64) -> Answer<()> {
    off(&desk, move |desk| desk.stop_ignoring(number)).await
}

#[tauri::command]
pub(crate) async fn severities(desk: Held<'_>) -> Answer<Vec<SeverityCard>> {
    off(&desk, |desk| desk.severities()).await
}

#[tauri::command]
pub(crate) async fn set_severity(
    desk: Held<'_>,
    audit: String,
    severity: Option<String>,
    priority: Option<String>,
) -> Answer<()> {
    off(&desk, move |desk| desk.set_severity(&audit, severity.as_deref(), priority.as_deref())).await
}

#[tauri::command]
pub(crate) async fn thresholds(desk: Held<'_>, crawl: i64, audit: String) -> Answer<Vec<ThresholdValue>> {
    off(&desk, move |desk| desk.thresholds(crawl, &audit)).await
}

#[tauri::command]
pub(crate) async fn evaluate(
    desk: Held<'_>,
    crawl: i64,
    set: Vec<(String, String)>,
    reset: Vec<String>,
    ticket: u64,
    on_progress: Channel<f64>,
) -> Answer<()> {
    off(&desk, move |desk| {
        // A page that is gone hears nothing; the work is done all the same.
        desk.evaluate(crawl, &set, &reset, ticket, &mut |share| drop(on_progress.send(share)))
    })
    .await
}

#[tauri::command]
pub(crate) async fn start_recheck(desk: Held<'_>, form: RecheckForm) -> Answer<JobNews> {
    off(&desk, move |desk| desk.start_recheck(&form)).await
}

#[tauri::command]
pub(crate) async fn recheck(desk: Held<'_>, crawl: i64) -> Answer<RecheckReport> {
    off(&desk, move |desk| desk.recheck(crawl)).await
}
