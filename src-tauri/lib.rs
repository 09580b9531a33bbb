//! The window: it passes what its page asks for to [`engine::Desk`], and what the desk tells to its page.
//!
//! Absences: nothing is decided here about sites, projects or settings, and no SQL is written.

#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod window;

use arguments::Arguments;
use engine::{Desk, Engine, Folders};
use std::process::ExitCode;
use std::sync::Arc;
use tauri::{App, Manager, RunEvent, Wry};
use tauri_plugin_window_state::StateFlags;

/// Runs the window until it is closed.
pub fn run() -> ExitCode {
    // A window that was hidden when the program ended is to be seen again.
    let kept = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN;
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_window_state::Builder::new().with_state_flags(kept).build())
        .setup(set_up)
        .on_page_load(window::page_loaded)
        .invoke_handler(commands::all())
        .build(context());
    let app = match app {
        Ok(app) => app,
        Err(error) => {
            eprintln!("gossamer-desktop: the window cannot be opened: {error}");
            return ExitCode::FAILURE;
        }
    };
    app.run(|app, event| {
        if let RunEvent::Exit = event {
            // What the job has is stored before the program ends; a crawl that was cut off can be resumed.
            app.state::<Arc<Desk>>().shutdown();
        }
    });
    ExitCode::SUCCESS
}

/// The configuration and the page, as they were when the program was built.
#[expect(
    clippy::disallowed_methods,
    reason = "the macro's own code, which ends the program only where its files were damaged"
)]
fn context() -> tauri::Context<Wry> {
    tauri::generate_context!()
}

fn set_up(app: &mut App<Wry>) -> Result<(), Box<dyn std::error::Error>> {
    let paths = app.path();
    let data = paths.app_data_dir()?;
    // Computers without a folder for documents have one for data.
    let projects =
        paths.document_dir().map_or_else(|_| data.join("projects"), |folder| folder.join("Gossamer"));
    let folders = Folders { config: paths.app_config_dir()?, data, projects };
    let desk = Arc::new(Desk::new(Engine::system(), folders));
    // Before the page asks, so that it finds the project or the audit that was named.
    let left = Arguments::read(std::env::args_os().skip(1)).begin(&desk);
    app.manage(commands::StartedWith(left));
    window::prepare(app, &desk);
    app.manage(desk);
    Ok(())
}
