//! Standard output as the commands use it, and what is known about the terminal.

use crate::args::TextFormat;
use engine::EngineError;
use engine::output::{CsvStyle, Format, TableStyle};
use std::io::{self, BufWriter, IsTerminal, Write};

/// Writes results through one buffer and gives it away whole.
pub(crate) fn print<T>(
    write: impl FnOnce(&mut dyn Write) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = write(&mut out)?;
    out.flush()?;
    Ok(result)
}

pub(crate) fn print_text(text: &str) -> Result<(), EngineError> {
    print(|out| Ok(out.write_all(text.as_bytes())?))
}

/// The format for rows on standard output.
pub(crate) fn format(format: TextFormat) -> Format {
    match format {
        TextFormat::Table => Format::Table(TableStyle { width: stdout_width() }),
        TextFormat::Csv => Format::Csv(CsvStyle { bom: false, terminal: io::stdout().is_terminal() }),
        TextFormat::Json => Format::Json,
    }
}

/// Characters in a line of standard output; `None` where it is no terminal, since then nothing needs to be cut.
pub(crate) fn stdout_width() -> Option<usize> {
    io::stdout()
        .is_terminal()
        .then(|| terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)))
}

/// Characters in a line of standard error; `None` where it is no terminal.
pub(crate) fn stderr_width() -> Option<usize> {
    io::stderr()
        .is_terminal()
        .then(|| terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0)))
}

/// Text broken into lines of at most 78 characters, each indented.
pub(crate) fn wrapped(text: &str, indent: &str) -> String {
    const WIDTH: usize = 78;
    let mut out = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = engine::output::width(word);
        if used > 0 && used + 1 + length > WIDTH {
            out.push('\n');
            used = 0;
        }
        if used == 0 {
            out.push_str(indent);
            used = indent.len();
        } else {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped() {
        let text = wrapped(&"word ".repeat(40), "  ");
        assert!(text.lines().all(|line| line.len() <= 78 && line.starts_with("  word")));
        assert_eq!(text.split_whitespace().count(), 40);
    }
}
