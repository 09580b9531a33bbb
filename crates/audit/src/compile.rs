//! Many conditions in one scan: each becomes one bit of an integer column.
//!
//! A row then costs one cell per 62 rules instead of one per rule, and SQLite's limit on columns is never met.

use crate::limits::Limits;
use crate::view;

/// Bits of a word that are used; SQLite's integers are signed, and the last two stay free for callers.
pub(crate) const BITS: usize = 62;

/// A column whose bits say which of some conditions hold; bit i belongs to `conditions[i]`.
///
/// `guard`, where given, is asked first and once for all of them. A condition that is NULL does not hold.
pub(crate) fn mask(guard: Option<&str>, conditions: &[String]) -> String {
    debug_assert!(conditions.len() <= BITS);
    if conditions.is_empty() {
        return "0".to_owned();
    }
    let bits: Vec<String> =
        conditions.iter().enumerate().map(|(bit, sql)| format!("((({sql}) IS TRUE) << {bit})")).collect();
    let all = bits.join(" | ");
    match guard {
        Some(guard) => format!("CASE WHEN {guard} THEN {all} ELSE 0 END"),
        None => format!("({all})"),
    }
}

/// A condition as it is run: thresholds and lists put in.
pub(crate) fn condition(sql: &str, limits: &Limits) -> String {
    view::put_in_statuses(&limits.put_in(sql))
}

/// The indices of the bits that are set.
pub(crate) fn bits(mask: u64) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros();
        (bit < u64::BITS).then(|| {
            left &= left - 1;
            bit as usize
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_given_in_order() {
        let check = |mask: u64, expect: &[usize]| assert_eq!(bits(mask).collect::<Vec<_>>(), expect);
        check(0, &[]);
        check(0b1011, &[0, 1, 3]);
        check(1 << 63, &[63]);
        check(u64::MAX, &(0..64).collect::<Vec<_>>());
    }
}
