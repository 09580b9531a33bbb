//! What a person adds to the open project.

use super::{Answer, Held, off, off_quietly};
use engine::{
    CustomAudit, CustomAuditCard, Desk, FieldCard, FieldText, FieldsComputed, SegmentCard, SegmentPreview,
    SegmentText, SqlPreview, ViewCard,
};

#[tauri::command]
pub(crate) async fn segments(desk: Held<'_>, crawl: i64) -> Answer<Vec<SegmentCard>> {
    off(&desk, move |desk| desk.segments(crawl)).await
}

#[tauri::command]
pub(crate) async fn try_segment(
    desk: Held<'_>,
    crawl: i64,
    patterns: Vec<String>,
    ticket: u64,
) -> Answer<SegmentPreview> {
    off(&desk, move |desk| desk.try_segment(crawl, &patterns, ticket)).await
}

#[tauri::command]
pub(crate) async fn set_segments(desk: Held<'_>, segments: Vec<SegmentText>, ticket: u64) -> Answer<()> {
    off(&desk, move |desk| desk.set_segments(&segments, ticket)).await
}

#[tauri::command]
pub(crate) async fn cancel_custom(desk: Held<'_>, ticket: u64) -> Answer<()> {
    off_quietly(&desk, move |desk| desk.cancel_custom(ticket)).await
}

#[tauri::command]
pub(crate) async fn fields(desk: Held<'_>, crawl: i64) -> Answer<Vec<FieldCard>> {
    off(&desk, move |desk| desk.fields(crawl)).await
}

#[tauri::command]
pub(crate) async fn set_fields(desk: Held<'_>, fields: Vec<FieldText>) -> Answer<()> {
    off(&desk, move |desk| desk.set_fields(&fields)).await
}

#[tauri::command]
pub(crate) async fn compute_fields(desk: Held<'_>, crawl: i64, ticket: u64) -> Answer<FieldsComputed> {
    off(&desk, move |desk| desk.compute_fields(crawl, ticket)).await
}

#[tauri::command]
pub(crate) async fn custom_progress(desk: Held<'_>, ticket: u64) -> Answer<(u64, u64)> {
    off(&desk, move |desk| Ok(desk.custom_progress(ticket))).await
}

#[tauri::command]
pub(crate) async fn custom_audits(desk: Held<'_>, crawl: i64) -> Answer<Vec<CustomAuditCard>> {
    off(&desk, move |desk| desk.custom_audits(crawl)).await
}

#[tauri::command]
pub(crate) async fn try_custom_audit(desk: Held<'_>, crawl: i64, sql: String) -> Answer<SqlPreview> {
    off(&desk, move |desk| desk.try_custom_audit(crawl, &sql)).await
}

#[tauri::command]
pub(crate) async fn save_custom_audit(
    desk: Held<'_>,
    crawl: i64,
    audit: CustomAudit,
) -> Answer<Vec<CustomAuditCard>> {
    off(&desk, move |desk| desk.save_custom_audit(crawl, &audit)).await
}

#[tauri::command]
pub(crate) async fn remove_custom_audit(
    desk: Held<'_>,
    crawl: i64,
    id: String,
) -> Answer<Vec<CustomAuditCard>> {
    off(&desk, move |desk| desk.remove_custom_audit(crawl, &id)).await
}

#[tauri::command]
pub(crate) async fn views(desk: Held<'_>) -> Answer<Vec<ViewCard>> {
    off(&desk, Desk::views).await
}
