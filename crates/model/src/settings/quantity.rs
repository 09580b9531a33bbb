//! Durations, sizes and numbers as people write them.

use std::time::Duration;

/// Reads `20s`, `500ms`, `2m`, `1h`; a bare number counts seconds. `None` when it is none of these.
pub(super) fn read_duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" | "sec" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return None,
    };
    // Rounded to whole milliseconds so that what is written reads back as the same value.
    let millis = (seconds * 1000.0).round();
    (millis.is_finite() && millis < 1e15).then(|| Duration::from_millis(millis as u64))
}

/// Reads `10MB`, `512kB`, `1MiB`; a bare number counts bytes. `None` when it is none of these.
pub(super) fn read_size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" | "k" => 1e3,
        "mb" | "m" => 1e6,
        "gb" | "g" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let bytes = (number * factor).round();
    (bytes.is_finite() && bytes < 1e15).then_some(bytes as u64)
}

/// The shortest text that reads back as this duration.
pub(super) fn duration_text(duration: Duration) -> String {
    let millis = duration.as_millis();
    if millis.is_multiple_of(1000) { format!("{}s", millis / 1000) } else { format!("{millis}ms") }
}

/// The shortest text that reads back as this size.
pub(super) fn size_text(bytes: u64) -> String {
    match bytes {
        0 => "0B".to_owned(),
        b if b.is_multiple_of(1_000_000_000) => format!("{}GB", b / 1_000_000_000),
        b if b.is_multiple_of(1_000_000) => format!("{}MB", b / 1_000_000),
        b if b.is_multiple_of(1_000) => format!("{}kB", b / 1_000),
        b => format!("{b}B"),
    }
}

/// A number without a needless fraction.
pub(super) fn number_text(number: f64) -> String {
    // f64's Display writes `60` for 60.0 and never an exponent.
    number.to_string()
}

/// A number that is not negative, and the unit that follows it, white space between them ignored.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse::<f64>().ok()?;
    Some((number, text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let check = |text: &str, expect: Option<u64>| {
            assert_eq!(read_duration(text).map(|d| d.as_millis() as u64), expect, "{text}");
            if let Some(duration) = read_duration(text) {
                assert_eq!(read_duration(&duration_text(duration)), Some(duration), "{text} reads back");
            }
        };
        check("20s", Some(20_000));
        check("500ms", Some(500));
        check("1.5", Some(1_500));
        check(" 2 m ", Some(120_000));
        check("1h", Some(3_600_000));
        check("0", Some(0));
        for bad in ["", "s", "-1s", "1e5", "1.2.3s", "20 parsecs", "NaN", "inf", "99999999999999999h"] {
            check(bad, None);
        }
    }

    #[test]
    fn sizes() {
        let check = |text: &str, expect: Option<u64>| {
            assert_eq!(read_size(text), expect, "{text}");
            if let Some(bytes) = read_size(text) {
                assert_eq!(read_size(&size_text(bytes)), Some(bytes), "{text} reads back");
            }
        };
        check("10MB", Some(10_000_000));
        check("10 mb", Some(10_000_000));
        check("1.5MiB", Some(1_572_864));
        check("4096", Some(4096));
        check("2GB", Some(2_000_000_000));
        for bad in ["", "MB", "-1MB", "10 meters", "99999999999999GB"] {
            check(bad, None);
        }
    }
}
