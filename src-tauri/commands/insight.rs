//! What a crawl means: overview, issues, one URL, the broken-link report.

use super::{Answer, Held, off};
use engine::{AuditCard, CurlCommand, Exported, FindingPlace};
use engine::{IssueCard, IssueGroup, Overview, SectionCard, UrlDetail};
use std::path::PathBuf;

#[tauri::command]
pub(crate) async fn overview(desk: Held<'_>, crawl: i64) -> Answer<Overview> {
    off(&desk, move |desk| desk.overview(crawl)).await
}

#[tauri::command]
pub(crate) async fn sections(desk: Held<'_>, crawl: i64) -> Answer<Vec<SectionCard>> {
    off(&desk, move |desk| desk.sections(crawl)).await
}

#[tauri::command]
pub(crate) async fn issues(desk: Held<'_>, crawl: i64) -> Answer<Vec<IssueCard>> {
    off(&desk, move |desk| desk.issues(crawl)).await
}

#[tauri::command]
pub(crate) async fn audit(desk: Held<'_>, id: String) -> Answer<AuditCard> {
    off(&desk, move |desk| desk.audit(&id)).await
}

#[tauri::command]
pub(crate) async fn issue_groups(desk: Held<'_>, crawl: i64, audit: String) -> Answer<Vec<IssueGroup>> {
    off(&desk, move |desk| desk.issue_groups(crawl, &audit)).await
}

#[tauri::command]
pub(crate) async fn issue_text(desk: Held<'_>, crawl: i64, audit: String) -> Answer<String> {
    off(&desk, move |desk| desk.issue_text(crawl, &audit)).await
}

#[tauri::command]
pub(crate) async fn url_detail(desk: Held<'_>, crawl: i64, key: i64) -> Answer<UrlDetail> {
    off(&desk, move |desk| desk.url_detail(crawl, key)).await
}

#[tauri::command]
pub(crate) async fn url_html(desk: Held<'_>, crawl: i64, key: i64) -> Answer<Option<String>> {
    off(&desk, move |desk| desk.url_html(crawl, key)).await
}

#[tauri::command]
pub(crate) async fn finding_place(
    desk: Held<'_>,
    crawl: i64,
    key: i64,
    audit: String,
    link: i64,
) -> Answer<Option<FindingPlace>> {
    off(&desk, move |desk| desk.finding_place(crawl, key, &audit, link)).await
}

#[tauri::command]
pub(crate) async fn curl_command(desk: Held<'_>, crawl: i64, key: i64) -> Answer<Option<CurlCommand>> {
    off(&desk, move |desk| desk.curl_command(crawl, key)).await
}

#[tauri::command]
pub(crate) async fn url_key(desk: Held<'_>, crawl: i64, url: String) -> Answer<Option<i64>> {
    off(&desk, move |desk| desk.url_key(crawl, &url)).await
}

#[tauri::command]
pub(crate) async fn broken_link_report(
    desk: Held<'_>,
    crawl: i64,
    profile: Option<String>,
    path: PathBuf,
) -> Answer<Exported> {
    off(&desk, move |desk| desk.broken_link_report(crawl, profile.as_deref(), &path)).await
}
