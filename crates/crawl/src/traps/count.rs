//! Counting without end in bounded memory.

use std::collections::HashMap;

/// Keys that are counted at a time, so that a hostile site cannot fill the memory.
pub(super) const COUNTED: usize = 1 << 16;

/// The count of a key after one more.
pub(super) fn count(counts: &mut HashMap<u64, u32>, key: u64) -> u32 {
    if counts.len() >= COUNTED && !counts.contains_key(&key) {
        // All lose one, so that what came once makes room and what comes often stays (Misra and Gries, 1982).
        counts.retain(|_, count| {
            *count -= 1;
            *count > 0
        });
        if counts.len() >= COUNTED {
            return 1;
        }
    }
    let count = counts.entry(key).or_default();
    *count = count.saturating_add(1);
    *count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_often_is_counted_among_many() {
        let mut counts = HashMap::new();
        for other in 0..3 * COUNTED as u64 {
            count(&mut counts, other + 1);
            if other % 100 == 0 {
                count(&mut counts, 0);
            }
        }
        assert!(counts.len() <= COUNTED && counts[&0] > 1_000);
    }
}
