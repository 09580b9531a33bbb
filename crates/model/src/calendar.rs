//! Days of the Gregorian calendar, counted from 1970-01-01. Moments are read and written in many forms; what lies between a
//! date and its number of days is this.
//!
//! The arithmetic is that of Howard Hinnant's "chrono-compatible low-level date algorithms": the year is taken to begin in
//! March, so that the leap day is its last.

/// Days from 0000-03-01, where an era of 400 years begins, to 1970-01-01.
const TO_EPOCH: i64 = 719_468;
/// Days of 400 years.
const ERA: i64 = 146_097;

/// Whether there is such a day. Years are of any number, months and days count from 1.
pub const fn is_date(year: i64, month: i64, day: i64) -> bool {
    1 <= month && month <= 12 && 1 <= day && day <= days_of(year, month)
}

/// Days of a month, which is one of 1 to 12.
const fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date (`is_date`), negative for one before.
pub const fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - TO_EPOCH
}

/// Year, month and day of so many days from 1970-01-01.
pub const fn date_of(days_since_epoch: i64) -> (i64, i64, i64) {
    let shifted = days_since_epoch + TO_EPOCH;
    let (era, of_era) = (shifted.div_euclid(ERA), shifted.rem_euclid(ERA));
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
    fn days_and_dates_are_counted_alike() {
        let check = |date: (i64, i64, i64), days: i64| {
            assert_eq!((days_since_epoch(date.0, date.1, date.2), date_of(days)), (days, date));
        };
        check((1970, 1, 1), 0);
        check((1969, 12, 31), -1);
        check((1900, 2, 28), -25_509);
        check((1900, 3, 1), -25_508);
        check((2000, 2, 29), 11_016);
        check((2000, 3, 1), 11_017);
        check((2029, 10, 1), 21_823);
        check((2100, 3, 1), 47_541);
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut before = date_of(-150_000);
        for days in -149_999..150_000 {
            let (year, month, day) = date_of(days);
            assert!(is_date(year, month, day));
            assert_eq!(days_since_epoch(year, month, day), days);
            let follows = match (year - before.0, month - before.1, day - before.2) {
                (0, 0, 1) => true,
                (0, 1, _) | (1, -11, _) => day == 1 && !is_date(before.0, before.1, before.2 + 1),
                _ => false,
            };
            assert!(follows, "{before:?} and {:?}", (year, month, day));
            before = (year, month, day);
        }
    }

    #[test]
    fn days_that_do_not_exist_are_no_dates() {
        let check = |date: (i64, i64, i64), expect: bool| {
            assert_eq!(is_date(date.0, date.1, date.2), expect, "{date:?}");
        };
        check((2028, 2, 29), true);
        check((2029, 2, 29), false);
        check((2000, 2, 29), true);
        check((2100, 2, 29), false);
        check((2029, 2, 31), false);
        check((2029, 4, 30), true);
        check((2029, 4, 31), false);
        check((2029, 12, 31), true);
        check((2029, 1, 32), false);
        check((2029, 1, 0), false);
        check((2029, 0, 1), false);
        check((2029, 13, 1), false);
    }
}
