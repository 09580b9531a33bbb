//! Progress on standard error, as a redrawn line, as plain lines or as JSON.

use crate::args::ProgressStyle;
use crate::terminal::stderr_width;
use engine::output::{counted, cut_end, cut_middle, grouped, visible, width};
use engine::{AuditReport, Ended, EngineError, Event, Phase, Progress};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Shows what the engine tells. Called from the engine's threads.
pub(crate) struct Reporter {
    style: Style,
    /// A std lock: it is held while one line is written.
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Line,
    Plain,
    Json,
    Silent,
}

#[derive(Debug, Default)]
struct State {
    /// A redrawn line stands on the terminal.
    line_stands: bool,
    /// Phase and moment of the last plain line.
    last: Option<(Phase, Duration)>,
}

/// Between two plain lines of the same phase.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

impl Reporter {
    pub(crate) fn new(style: ProgressStyle) -> Self {
        let style = match style {
            ProgressStyle::Auto if stderr_width().is_some() => Style::Line,
            ProgressStyle::Auto | ProgressStyle::Plain => Style::Plain,
            ProgressStyle::Json => Style::Json,
            ProgressStyle::None => Style::Silent,
        };
        Self { style, state: Mutex::default() }
    }

    pub(crate) fn observe(&self, event: &Event) {
        match (self.style, event) {
            (Style::Silent, _) => {}
            (Style::Json, event) => write_line(&json_event(event).to_string()),
            (_, Event::Started { project, crawl, seeds, resumed }) => {
                let verb = if *resumed { "Resuming" } else { "Auditing" };
                let what = match seeds.as_slice() {
                    [one] => one.clone(),
                    [first, rest @ ..] => {
                        format!("{first} and {}", counted(rest.len() as u64, "further address"))
                    }
                    [] => String::new(),
                };
                self.say(&format!("{verb} {what} (crawl {crawl} of {})", project.display()));
            }
            (_, Event::Warning { message, .. }) => self.say(&format!("warning: {message}")),
            (Style::Line, Event::Progress(progress)) => self.redraw(progress),
            (_, Event::Progress(progress)) => self.now_and_then(progress),
        }
    }

    /// The first Ctrl-C was heard; so many requests are waited for.
    pub(crate) fn stopping(&self, requests: usize) {
        let waiting = match requests {
            0 => String::new(),
            _ => format!("waiting for {} under way, ", counted(requests as u64, "request")),
        };
        match self.style {
            Style::Json => write_line(&json!({ "event": "stopping", "in_flight": requests }).to_string()),
            _ => self
                .say(&format!("Stopping: {waiting}saving what is done. Press Ctrl-C again to stop at once.")),
        }
    }

    pub(crate) fn finished(&self, report: &AuditReport) {
        self.clear();
        if self.style == Style::Json {
            let ended = match report.ended {
                Ended::Complete => "complete",
                Ended::Stopped => "stopped",
            };
            let findings: serde_json::Map<String, Value> = crate::summary::by_severity(&report.issues)
                .into_iter()
                .map(|(severity, number)| (severity.to_owned(), number.into()))
                .collect();
            write_line(
                &json!({
                    "event": "finished",
                    "ended": ended,
                    "project": report.project.to_string_lossy(),
                    "crawl": report.crawl,
                    "elapsed_s": seconds(report.elapsed),
                    "pages": report.pages,
                    "counts": report.counts,
                    "findings": findings,
                    "ignored": report.ignored,
                })
                .to_string(),
            );
        }
    }

    pub(crate) fn failed(&self, error: &EngineError) {
        self.clear();
        match self.style {
            Style::Json => write_line(&json!({ "event": "error", "message": error.to_string() }).to_string()),
            _ => crate::exit::complain(&error.to_string()),
        }
    }

    /// A line of its own, above the redrawn one.
    fn say(&self, text: &str) {
        let mut state = self.lock();
        clear_line(&mut state);
        write_line(&visible(text));
    }

    fn redraw(&self, progress: &Progress) {
        let room = stderr_width().unwrap_or(80).saturating_sub(1);
        let mut line = cut_end(&words(progress), room).into_owned();
        let left = room.saturating_sub(width(&line) + 2);
        if let Some(current) = progress.current.as_deref().filter(|_| left >= 20) {
            line.push_str("  ");
            line.push_str(&cut_middle(&visible(current), left));
        }
        let mut state = self.lock();
        state.line_stands = true;
        write_bytes(format!("\r\x1b[K{line}").as_bytes());
    }

    fn now_and_then(&self, progress: &Progress) {
        let mut state = self.lock();
        let due = state.last.is_none_or(|(phase, at)| {
            phase != progress.phase || progress.elapsed.saturating_sub(at) >= PLAIN_EVERY
        });
        if due {
            state.last = Some((progress.phase, progress.elapsed));
            write_line(&words(progress));
        }
    }

    fn clear(&self) {
        clear_line(&mut self.lock());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `crawling: 1,200 of 3,400 URLs, 48 a second, 3 failed, 0:25`.
fn words(progress: &Progress) -> String {
    let counts = &progress.counts;
    let done = counts.encountered.saturating_sub(counts.queued);
    let mut line =
        format!("{}: {} of {}", progress.phase.word(), grouped(done), counted(counts.encountered, "URL"));
    if progress.phase == Phase::Crawling {
        line.push_str(&format!(", {:.0} a second", progress.rate));
    }
    for (number, word) in [(counts.failed, "failed"), (counts.blocked, "blocked")] {
        if number > 0 {
            line.push_str(&format!(", {} {word}", grouped(number)));
        }
    }
    if progress.issues > 0 {
        line.push_str(&format!(", {}", counted(progress.issues, "issue")));
    }
    format!("{line}, {}", clock(progress.elapsed))
}

/// `0:25`, `12:03`, `1:02:03`.
pub(crate) fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn json_event(event: &Event) -> Value {
    match event {
        Event::Started { project, crawl, seeds, resumed } => {
            json!({ "event": "started", "project": project.to_string_lossy(), "crawl": crawl, "seeds": seeds, "resumed": resumed })
        }
        Event::Progress(progress) => json!({
            "event": "progress",
            "phase": progress.phase.word(),
            "elapsed_s": seconds(progress.elapsed),
            "rate": (progress.rate * 10.0).round() / 10.0,
            "counts": progress.counts,
            "issues": progress.issues,
            "crawl_warnings": progress.warnings,
            "current": progress.current,
        }),
        Event::Warning { code, message } => json!({ "event": "warning", "code": code, "message": message }),
    }
}

fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}

fn clear_line(state: &mut State) {
    if std::mem::take(&mut state.line_stands) {
        write_bytes(b"\r\x1b[K");
    }
}

fn write_line(text: &str) {
    write_bytes(format!("{text}\n").as_bytes());
}

fn write_bytes(bytes: &[u8]) {
    let mut stderr = std::io::stderr().lock();
    // Progress that nobody can see is no reason to stop.
    let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Counts;

    #[test]
    fn progress_in_words() {
        let counts =
            Counts { encountered: 3_400, fetched: 1_190, failed: 3, queued: 2_207, ..Counts::default() };
        let progress = Progress {
            phase: Phase::Crawling,
            counts,
            elapsed: Duration::from_secs(85),
            rate: 47.6,
            current: None,
            issues: 1,
            warnings: 0,
            pages: 0,
        };
        assert_eq!(words(&progress), "crawling: 1,193 of 3,400 URLs, 48 a second, 3 failed, 1 issue, 1:25");
        assert_eq!(clock(Duration::from_secs(3_723)), "1:02:03");
        let json = json_event(&Event::Progress(progress)).to_string();
        assert!(!json.contains('\n') && json.contains(r#""encountered":3400"#), "{json}");
    }
}
