//! Moments as the window and the desk's own files write them: ISO 8601, UTC, milliseconds.

/// `2026-01-02T03:04:05.678Z` for milliseconds since 1970.
pub(super) fn iso(unix_millis: i64) -> String {
    const DAY: i64 = 86_400_000;
    let (days, of_day) = (unix_millis.div_euclid(DAY), unix_millis.rem_euclid(DAY));
    let (year, month, day) = civil(days);
    let (hours, minutes) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (seconds, millis) = (of_day / 1_000 % 60, of_day % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
}

/// Year, month and day of a day counted from 1970-01-01 (Gregorian). The year is taken to begin in March, so that the leap
/// day is its last; the method is Howard Hinnant's `civil_from_days`.
const fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let january_or_february = if month <= 2 { 1 } else { 0 };
    (year_of_era + era * 400 + january_or_february, month, day)
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
