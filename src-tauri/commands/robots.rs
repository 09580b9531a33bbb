//! robots.txt, sitemaps and the network of a crawl.

use super::{Answer, Held, off, off_quietly};
use engine::{Network, RobotsFile, RobotsHosts, RobotsSandbox, RobotsVerdict, SitemapTree};

#[tauri::command]
pub(crate) async fn robots_hosts(desk: Held<'_>, crawl: i64) -> Answer<RobotsHosts> {
    off(&desk, move |desk| desk.robots_hosts(crawl)).await
}

#[tauri::command]
pub(crate) async fn robots_file(desk: Held<'_>, crawl: i64, origin: String) -> Answer<RobotsFile> {
    off(&desk, move |desk| desk.robots_file(crawl, &origin)).await
}

#[tauri::command]
pub(crate) async fn robots_test(
    desk: Held<'_>,
    crawl: i64,
    origin: String,
    text: Option<String>,
    agent: String,
    urls: Vec<String>,
) -> Answer<Vec<RobotsVerdict>> {
    off(&desk, move |desk| desk.robots_test(crawl, &origin, text.as_deref(), &agent, &urls)).await
}

#[tauri::command]
pub(crate) async fn robots_sandbox(
    desk: Held<'_>,
    crawl: i64,
    origin: String,
    text: String,
    agent: String,
    ticket: u64,
) -> Answer<RobotsSandbox> {
    off(&desk, move |desk| desk.robots_sandbox(crawl, &origin, &text, &agent, ticket)).await
}

#[tauri::command]
pub(crate) async fn cancel_sandbox(desk: Held<'_>, ticket: u64) -> Answer<()> {
    off_quietly(&desk, move |desk| desk.cancel_sandbox(ticket)).await
}

#[tauri::command]
pub(crate) async fn sitemap_tree(desk: Held<'_>, crawl: i64) -> Answer<SitemapTree> {
    off(&desk, move |desk| desk.sitemap_tree(crawl)).await
}

#[tauri::command]
pub(crate) async fn network(desk: Held<'_>, crawl: i64) -> Answer<Network> {
    off(&desk, move |desk| desk.network(crawl)).await
}
