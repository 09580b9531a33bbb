//! The window itself: hidden until its page is there, and of the page's colour from the first moment.

use engine::Desk;
use std::sync::Arc;
use std::time::Duration;
use tauri::utils::config::Color;
use tauri::webview::{PageLoadEvent, PageLoadPayload};
use tauri::{App, AppHandle, Manager, Theme, Webview, WebviewWindow, Wry};

const MAIN: &str = "main";

/// `--ground` of the page's style sheet, light and dark.
const LIGHT: Color = Color(0xf6, 0xf7, 0xf7, 0xff);
const DARK: Color = Color(0x12, 0x18, 0x1a, 0xff);

/// A page that is not there by now may never be; an empty window says more than none.
const PATIENCE: Duration = Duration::from_secs(3);

/// Gives the window its colour, and makes sure that it shows itself.
pub(crate) fn prepare(app: &App<Wry>, desk: &Desk) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    // A window without this colour works just as well.
    drop(window.set_background_color(Some(if is_dark(&window, desk) { DARK } else { LIGHT })));
    let app = app.handle().clone();
    let late = std::thread::Builder::new().name("window".to_owned()).spawn(move || {
        std::thread::sleep(PATIENCE);
        show(&app);
    });
    if late.is_err() {
        drop(window.show());
    }
}

/// A page that begins listens to nothing yet; a page that is there is shown.
pub(crate) fn page_loaded(webview: &Webview<Wry>, load: &PageLoadPayload<'_>) {
    match load.event() {
        PageLoadEvent::Started => {
            if let Some(desk) = webview.try_state::<Arc<Desk>>() {
                desk.unsubscribe_all();
            }
        }
        PageLoadEvent::Finished => show(webview.app_handle()),
    }
}

fn show(app: &AppHandle<Wry>) {
    if let Some(window) = app.get_webview_window(MAIN)
        && !window.is_visible().unwrap_or(false)
    {
        // Nothing is left to try where a window cannot be shown.
        drop(window.show());
        drop(window.set_focus());
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
