//! Moments as the window and the desk's own files write them: ISO 8601, UTC, milliseconds.

use model::calendar::date_of;

/// `2026-01-02T03:04:05.678Z` for milliseconds since 1970.
pub(super) fn iso(unix_millis: i64) -> String {
    const DAY: i64 = 86_400_000;
    let (days, of_day) = (unix_millis.div_euclid(DAY), unix_millis.rem_euclid(DAY));
    let (year, month, day) = date_of(days);
    let (hours, minutes) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (seconds, millis) = (of_day / 1_000 % 60, of_day % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_the_project_file_writes_them() {
        let check = |millis: i64, expect: &str| assert_eq!(iso(millis), expect);
        check(0, "1970-01-01T00:00:00.000Z");
        check(-1, "1969-12-31T23:59:59.999Z");
        check(951_782_399_999, "2000-02-28T23:59:59.999Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_078_099_200_000, "2004-03-01T00:00:00.000Z");
        check(1_234_567_890_123, "2009-02-13T23:31:30.123Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
    }
}
