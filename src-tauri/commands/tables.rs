//! Tables over the open project: windows on orderings, copies and exports.

use super::{Answer, Held, off, off_quietly};
use engine::table::{CopyFormat, RowRange, TableCard, TableOpened, TableQuery, TableRow};
use engine::{Desk, Exported};
use std::path::PathBuf;

#[tauri::command]
pub(crate) async fn tables(desk: Held<'_>) -> Answer<Vec<TableCard>> {
    off(&desk, Desk::tables).await
}

#[tauri::command]
pub(crate) async fn open_table(desk: Held<'_>, query: TableQuery, ticket: u64) -> Answer<TableOpened> {
    off(&desk, move |desk| desk.open_table(&query, ticket)).await
}

#[tauri::command]
pub(crate) async fn cancel_table(desk: Held<'_>, ticket: u64) -> Answer<()> {
    off_quietly(&desk, move |desk| desk.cancel_table(ticket)).await
}

#[tauri::command]
pub(crate) async fn table_rows(
    desk: Held<'_>,
    table: u32,
    start: u64,
    count: u64,
    columns: Vec<String>,
) -> Answer<Vec<TableRow>> {
    off(&desk, move |desk| desk.table_rows(table, start, count, &columns)).await
}

#[tauri::command]
pub(crate) async fn table_length(desk: Held<'_>, table: u32) -> Answer<u64> {
    off(&desk, move |desk| desk.table_length(table)).await
}

#[tauri::command]
pub(crate) async fn table_position(desk: Held<'_>, table: u32, key: i64, link: i64) -> Answer<Option<u64>> {
    off(&desk, move |desk| desk.table_position(table, key, link)).await
}

#[tauri::command]
pub(crate) async fn close_table(desk: Held<'_>, table: u32) -> Answer<()> {
    off_quietly(&desk, move |desk| desk.close_table(table)).await
}

#[tauri::command]
pub(crate) async fn copy_rows(
    desk: Held<'_>,
    table: u32,
    ranges: Vec<RowRange>,
    columns: Vec<String>,
    format: CopyFormat,
) -> Answer<String> {
    off(&desk, move |desk| desk.copy_rows(table, &ranges, &columns, format)).await
}

#[tauri::command]
pub(crate) async fn export_table(
    desk: Held<'_>,
    table: u32,
    ranges: Option<Vec<RowRange>>,
    columns: Vec<String>,
    path: PathBuf,
) -> Answer<Exported> {
    off(&desk, move |desk| desk.export_table(table, ranges.as_deref(), &columns, &path)).await
}

#[tauri::command]
pub(crate) async fn export_path(desk: Held<'_>, name: String, ending: String) -> Answer<String> {
    off(&desk, move |desk| Ok(desk.export_path(&name, &ending).display().to_string())).await
}
