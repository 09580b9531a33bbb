//! Numbers in sentences: digits in groups, and the word for what is counted.

/// Digits in groups of three: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with the word for what it counts: `1 page`, `2,000 pages`, `2 addresses`, `2 opportunities`.
pub fn counted(number: u64, word: &str) -> String {
    let number_in_words = grouped(number);
    match word.strip_suffix('y') {
        _ if number == 1 => format!("{number_in_words} {word}"),
        Some(stem) => format!("{number_in_words} {stem}ies"),
        None if word.ends_with('s') => format!("{number_in_words} {word}es"),
        None => format!("{number_in_words} {word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn numbers_are_read_in_groups() {
        let check = |number: u64, expect: &str| assert_eq!(grouped(number), expect);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(1_234_567, "1,234,567");
    }

    #[test]
    fn words_follow_their_number() {
        let check = |number: u64, word: &str, expect: &str| assert_eq!(counted(number, word), expect);
        check(1, "page", "1 page");
        check(2000, "page", "2,000 pages");
        check(0, "address", "0 addresses");
        check(2, "opportunity", "2 opportunities");
    }
}
