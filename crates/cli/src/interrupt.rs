//! Ctrl-C: once to stop when the requests under way have been answered, twice to give these up, a third time to end at once.

use engine::Control;
use std::time::Duration;
use tokio::time::timeout;

/// How long a job that gives up its requests may take to store what it knows. What holds it longer is something that cannot be
/// given up, such as a disk that does not answer.
const STORING: Duration = Duration::from_secs(2);

/// Watches for Ctrl-C (and, on Unix, for the signals by which a system or a closed terminal asks a program to end). The
/// first stops the job through `control` after `said` has told the person, which is given the number of requests that are
/// waited for; the second gives these up; the third, or some time after the second, ends the program.
pub(crate) fn watch(control: &Control, said: impl Fn(usize) + Send + 'static) {
    let control = control.clone();
    let watching = std::thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            let Some(mut asked) = Asked::new() else { return };
            if !asked.asked_to_end().await {
                return;
            }
            control.wind_down();
            let hosts = control.hosts().unwrap_or_default();
            said(hosts.values().map(|host| host.in_flight).sum());
            if !asked.asked_to_end().await {
                return;
            }
            control.stop();
            // The program ends by itself as soon as everything is stored, and this thread with it.
            let _ = timeout(STORING, asked.asked_to_end()).await;
            end_at_once();
        });
    });
    // Without the thread Ctrl-C ends the program at once, as a kill would, and a kill loses nothing that was stored.
    drop(watching);
}

#[expect(
    clippy::disallowed_methods,
    reason = "the person asked several times; the project file survives a kill, so it survives this"
)]
fn end_at_once() -> ! {
    std::process::exit(crate::exit::Exit::Interrupted as i32)
}

/// The signals by which a person or the system asks the program to end. They are listened to from one to the next: what comes
/// while the first is being dealt with is not lost.
#[cfg(unix)]
struct Asked([tokio::signal::unix::Signal; 3]);

#[cfg(unix)]
impl Asked {
    /// `None` where they cannot be heard.
    fn new() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Some(Self([
            signal(SignalKind::interrupt()).ok()?,
            signal(SignalKind::terminate()).ok()?,
            signal(SignalKind::hangup()).ok()?,
        ]))
    }

    /// Completes with the next one; `false` where none can come any more.
    async fn asked_to_end(&mut self) -> bool {
        let [interrupt, terminate, hang_up] = &mut self.0;
        tokio::select! {
            heard = interrupt.recv() => heard.is_some(),
            heard = terminate.recv() => heard.is_some(),
            heard = hang_up.recv() => heard.is_some(),
        }
    }
}

#[cfg(windows)]
struct Asked(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Asked {
    fn new() -> Option<Self> {
        tokio::signal::windows::ctrl_c().ok().map(Self)
    }

    async fn asked_to_end(&mut self) -> bool {
        self.0.recv().await.is_some()
    }
}
