//! What one run of a program costs: CPU seconds, wall time, peak memory.
//!
//! Read from Linux's `/proc`, because it asks for no dependency and no unsafe code: a program that has ended
//! keeps its exact CPU times there until it is waited for, and its memory's high-water mark only grows while it runs.

use crate::failure::Failure;
use crate::step;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// `/proc/PID/stat` counts in this part of a second on every Linux (`USER_HZ`, see proc(5)).
const TICKS_A_SECOND: f64 = 100.0;

/// How often a running program is looked at; its peak memory can grow unseen in its last such interval.
const INTERVAL: Duration = Duration::from_millis(20);

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Cost {
    pub(crate) wall: Duration,
    /// User and system time of all threads.
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// Runs a program to its end, with both of its output streams in the file `log`.
pub(crate) fn measured(command: &mut Command, log: &Path) -> Result<Cost, Failure> {
    let errors = |doing: String| Failure::io(doing);
    let output = File::create(log).map_err(errors(format!("making {}", log.display())))?;
    let twin = output.try_clone().map_err(errors(format!("sharing {}", log.display())))?;
    command.stdin(Stdio::null()).stdout(output).stderr(twin);
    let started = step::now();
    let mut child = command.spawn().map_err(errors(format!("starting `{}`", step::line(command))))?;
    let mut cost = watch(&child);
    cost.wall = started.elapsed();
    let status = child.wait().map_err(errors(format!("waiting for `{}`", step::line(command))))?;
    if !status.success() {
        eprintln!("{}", std::fs::read_to_string(log).unwrap_or_default());
        return Err(Failure::Program { line: step::line(command), status });
    }
    if cost.cpu_seconds == 0.0 && cost.peak_bytes == 0 {
        return Err(Failure::Unexpected("what a program costs can only be read on Linux, from /proc".into()));
    }
    Ok(cost)
}

/// Looks at a program until it has ended; it is left to be waited for.
fn watch(child: &Child) -> Cost {
    let folder = Path::new("/proc").join(child.id().to_string());
    let mut cost = Cost::default();
    loop {
        let stat = std::fs::read_to_string(folder.join("stat")).unwrap_or_default();
        let Some(seen) = Seen::parse(&stat) else { return cost };
        cost.cpu_seconds = seen.cpu_seconds;
        if seen.ended {
            return cost;
        }
        let status = std::fs::read_to_string(folder.join("status")).unwrap_or_default();
        cost.peak_bytes = cost.peak_bytes.max(high_water(&status).unwrap_or(0));
        std::thread::sleep(INTERVAL);
    }
}

struct Seen {
    ended: bool,
    cpu_seconds: f64,
}

impl Seen {
    /// Reads `/proc/PID/stat`. The program's name stands in brackets and may hold anything, brackets and spaces too.
    fn parse(stat: &str) -> Option<Self> {
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        // Counted from the state, which is the third field of proc(5): utime is its 14th, stime its 15th.
        let state = *fields.first()?;
        let user: f64 = fields.get(11)?.parse().ok()?;
        let system: f64 = fields.get(12)?.parse().ok()?;
        Some(Self { ended: matches!(state, "Z" | "X"), cpu_seconds: (user + system) / TICKS_A_SECOND })
    }
}

/// `VmHWM` of `/proc/PID/status`, in bytes.
fn high_water(status: &str) -> Option<u64> {
    let text = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = text.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_behind_any_name() {
        let stat = "42 (a) b (c)) Z 1 42 42 0 -1 4194560 9 0 0 0 250 50 7 7 20 0 3 0 100 0 0\n";
        let seen = Seen::parse(stat).expect("the line is well-formed");
        assert!(seen.ended);
        assert!((seen.cpu_seconds - 3.0).abs() < 1e-9, "{}", seen.cpu_seconds);
        assert!(!Seen::parse("42 (x) R 1 42 42 0 -1 0 9 0 0 0 1 1").expect("well-formed").ended);
        assert!(Seen::parse("").is_none());
        assert!(Seen::parse("42 (x) R 1").is_none());
    }

    #[test]
    fn memory_is_in_bytes() {
        assert_eq!(high_water("Name:\tx\nVmHWM:\t    2048 kB\n"), Some(2_097_152));
        assert_eq!(high_water("Name:\tx\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_busy_program_costs_something() {
        let log = std::env::temp_dir().join(format!("gossamer-xtask-measure-{}", std::process::id()));
        let mut busy = Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done"]);
        let cost = measured(&mut busy, &log).expect("sh counts");
        assert!(cost.cpu_seconds > 0.0 && cost.cpu_seconds < 60.0, "{cost:?}");
        assert!(cost.peak_bytes > 100_000, "{cost:?}");
        assert!(cost.wall > Duration::ZERO);
        assert_eq!(std::fs::read_to_string(&log).expect("the log is kept"), "done\n");
        assert!(measured(Command::new("sh").args(["-c", "exit 4"]), &log).is_err());
        crate::failure::remove(&log).expect("the log is ours");
    }
}
