//! One step: announced, timed, and the end of the chore when it fails.

use crate::failure::Failure;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A monotonic moment. The engine's clock seam does not reach here: a chore measures real time only.
#[expect(
    clippy::disallowed_methods,
    reason = "chores measure real time and know nothing of the engine's clock"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Says what is done, does it with the terminal's own streams, and says how long it took.
pub(crate) fn run(name: &str, command: &mut Command) -> Result<(), Failure> {
    announce(name, command);
    let started = now();
    succeed(command)?;
    eprintln!("   {name}: {}", shown(started.elapsed()));
    Ok(())
}

/// As [`run`], but says nothing afterwards: the command's own last line is to be the last one.
pub(crate) fn run_last(name: &str, command: &mut Command) -> Result<(), Failure> {
    announce(name, command);
    succeed(command)
}

/// Runs a command silently unless it speaks itself; anything but success is a failure.
pub(crate) fn succeed(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(Failure::io(format!("starting `{}`", line(command))))?;
    if status.success() { Ok(()) } else { Err(Failure::Program { line: line(command), status }) }
}

/// What a command prints on standard output, which has to be UTF-8; its errors go to the terminal.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(Failure::io(format!("starting `{}`", line(command))))?;
    if !output.status.success() {
        return Err(Failure::Program { line: line(command), status: output.status });
    }
    String::from_utf8(output.stdout)
        .map_err(|error| Failure::Unexpected(format!("`{}` did not print UTF-8: {error}", line(command))))
}

/// Whether a command can be started and ends well; what it prints is thrown away.
pub(crate) fn answers(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// A command as a person would type it.
pub(crate) fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut line = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        line.push(' ');
        if argument.is_empty() || argument.contains(|c: char| c.is_whitespace() || "'\"*$;|<>".contains(c)) {
            line.push_str(&format!("'{}'", argument.replace('\'', "'\\''")));
        } else {
            line.push_str(&argument);
        }
    }
    line
}

/// A duration to one place below its unit.
pub(crate) fn shown(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds >= 60 {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

fn announce(name: &str, command: &Command) {
    eprintln!("\n== {name}: {}", line(command));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_be_typed_again() {
        let mut command = Command::new("/usr/bin/gossamer");
        command.args(["sql", "a b.gossamer", "SELECT 'x'", ""]);
        assert_eq!(line(&command), r"gossamer sql 'a b.gossamer' 'SELECT '\''x'\''' ''");
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(shown(Duration::from_millis(1_240)), "1.2 s");
        assert_eq!(shown(Duration::from_secs(185)), "3 min 05 s");
    }

    #[cfg(unix)]
    #[test]
    fn a_failing_program_stops_the_chore() {
        let mut command = Command::new("sh");
        let failure = succeed(command.args(["-c", "exit 3"])).expect_err("exit 3 is not success");
        assert!(failure.to_string().starts_with("`sh -c 'exit 3'` failed"), "{failure}");
        assert!(succeed(&mut Command::new("no-such-program-anywhere")).is_err());
        assert_eq!(output(Command::new("sh").args(["-c", "echo it"])).expect("echo succeeds"), "it\n");
    }
}
