//! The window itself: of its page's colour from the first moment, and telling no page what only the last one asked for.

use engine::Desk;
use std::sync::Arc;
use tauri::utils::config::Color;
use tauri::webview::{PageLoadEvent, PageLoadPayload};
use tauri::{App, Manager, Theme, Webview, WebviewWindow, Wry};

const MAIN: &str = "main";

/// `--ground` of the page's style sheet, light and dark.
const LIGHT: Color = Color(0xf6, 0xf7, 0xf7, 0xff);
const DARK: Color = Color(0x12, 0x18, 0x1a, 0xff);

/// Gives the window its colour before there is a page, so that nothing flashes.
pub(crate) fn prepare(app: &App<Wry>, desk: &Desk) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    // A window without this colour works just as well.
    drop(window.set_background_color(Some(if is_dark(&window, desk) { DARK } else { LIGHT })));
}

/// A page that begins listens to nothing yet.
pub(crate) fn page_loaded(webview: &Webview<Wry>, load: &PageLoadPayload<'_>) {
    if load.event() == PageLoadEvent::Started
        && let Some(desk) = webview.try_state::<Arc<Desk>>()
    {
        desk.unsubscribe_all();
    }
}

/// What the person chose in the page, else what the desktop says.
fn is_dark(window: &WebviewWindow<Wry>, desk: &Desk) -> bool {
    let preferences = desk.preferences().unwrap_or_default();
    match preferences.get("theme").map(String::as_str) {
        Some("dark") => true,
        Some("light") => false,
        _ => window.theme().is_ok_and(|theme| theme == Theme::Dark),
    }
}
