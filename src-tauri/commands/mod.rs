//! What the page may ask for: each command passes its arguments on and the answer back, named as in `ui/src/lib/backend`.
//!
//! A command never works on the window's own thread, and a slow one keeps no other waiting.

mod custom;
mod desktop;
mod insight;
mod jobs;
mod projects;
mod robots;
mod said;
mod settings;
mod sign_in;
mod tables;

pub(crate) use desktop::StartedWith;

use engine::{ApiError, Desk};
use std::sync::Arc;
use tauri::Wry;
use tauri::ipc::Invoke;

type Answer<T> = Result<T, ApiError>;
type Held<'a> = tauri::State<'a, Arc<Desk>>;

/// Does the work on a thread that may wait.
async fn off<T: Send + 'static>(
    desk: &Arc<Desk>,
    work: impl FnOnce(&Desk) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let desk = Arc::clone(desk);
    let done = tauri::async_runtime::spawn_blocking(move || work(&desk)).await;
    done.unwrap_or_else(|error| Err(ApiError::new("internal", format!("internal fault: {error}"))))
}

/// As `off`, for work that has no answer and cannot fail.
async fn off_quietly(desk: &Arc<Desk>, work: impl FnOnce(&Desk) + Send + 'static) -> Answer<()> {
    off(desk, move |desk| {
        work(desk);
        Ok(())
    })
    .await
}

/// Every command.
pub(crate) fn all() -> impl Fn(Invoke<Wry>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        projects::recent_projects,
        projects::forget_project,
        projects::open_project,
        projects::close_project,
        projects::project,
        jobs::start_audit,
        jobs::resume_audit,
        jobs::pause_job,
        jobs::continue_job,
        jobs::stop_job,
        jobs::job,
        jobs::watch_job,
        jobs::pulse,
        jobs::traps,
        jobs::allow_trap,
        tables::tables,
        tables::open_table,
        tables::cancel_table,
        tables::table_rows,
        tables::table_length,
        tables::table_position,
        tables::close_table,
        tables::copy_rows,
        tables::export_table,
        tables::export_path,
        insight::overview,
        insight::issues,
        insight::audit,
        insight::sections,
        insight::issue_groups,
        insight::issue_text,
        insight::url_detail,
        insight::url_html,
        insight::curl_command,
        insight::finding_place,
        insight::url_key,
        insight::broken_link_report,
        robots::robots_hosts,
        robots::robots_file,
        robots::robots_test,
        robots::robots_sandbox,
        robots::cancel_sandbox,
        robots::sitemap_tree,
        robots::network,
        settings::profiles,
        settings::settings_form,
        settings::set_setting,
        settings::create_profile,
        settings::remove_profile,
        settings::import_profile,
        settings::export_profile,
        settings::preferences,
        settings::set_preference,
        sign_in::sign_in_place,
        sign_in::check_sign_in,
        sign_in::kept_sign_ins,
        sign_in::keep_sign_in,
        sign_in::forget_sign_in,
        sign_in::sign_in_needed,
        custom::segments,
        custom::try_segment,
        custom::set_segments,
        custom::cancel_custom,
        custom::fields,
        custom::set_fields,
        custom::compute_fields,
        custom::custom_progress,
        custom::custom_audits,
        custom::try_custom_audit,
        custom::save_custom_audit,
        custom::remove_custom_audit,
        custom::views,
        said::ignored,
        said::ignore,
        said::stop_ignoring,
        said::severities,
        said::set_severity,
        said::thresholds,
        said::evaluate,
        said::start_recheck,
        said::recheck,
        desktop::started_with,
        desktop::open_in_browser,
        desktop::show_in_folder,
        desktop::file_exists,
    ]
}
