//! Ctrl-C: once to stop when the requests under way have been answered, twice to stop at once.

use engine::Control;

/// Watches for Ctrl-C (and, on Unix, for the signals by which a system or a closed terminal asks a program to end). The
/// first stops the job through `control` after `said` has told the person, which is given the number of requests that are
/// waited for; the second ends the program.
pub(crate) fn watch(control: &Control, said: impl Fn(usize) + Send + 'static) {
    let control = control.clone();
    let watching = std::thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            if !asked_to_end().await {
                return;
            }
            control.wind_down();
            let hosts = control.hosts().unwrap_or_default();
            said(hosts.values().map(|host| host.in_flight).sum());
            if asked_to_end().await {
                end_at_once();
            }
        });
    });
    // Without the thread Ctrl-C ends the program at once, as a kill would, and a kill loses nothing that was stored.
    drop(watching);
}

#[expect(
    clippy::disallowed_methods,
    reason = "the person asked twice; the project file survives a kill, so it survives this"
)]
fn end_at_once() -> ! {
    std::process::exit(crate::exit::Exit::Interrupted as i32)
}

/// Completes when the person or the system asks the program to end; `false` where that cannot be heard.
#[cfg(unix)]
async fn asked_to_end() -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hang_up)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return false;
    };
    tokio::select! {
        heard = interrupt.recv() => heard.is_some(),
        heard = terminate.recv() => heard.is_some(),
        heard = hang_up.recv() => heard.is_some(),
    }
}

#[cfg(not(unix))]
async fn asked_to_end() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
