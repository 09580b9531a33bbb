//! Counting words by UAX 29, without the tables where the text is ASCII.

use unicode_segmentation::UnicodeSegmentation;

/// The number of words with at least one letter or digit.
pub(crate) fn count_words(text: &str) -> u32 {
    if text.is_ascii() {
        return count_ascii(text.as_bytes());
    }
    // White space always separates words, so each piece stands alone.
    text.split_ascii_whitespace()
        .map(|piece| {
            if piece.is_ascii() {
                count_ascii(piece.as_bytes())
            } else {
                piece.unicode_words().count() as u32
            }
        })
        .sum()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    /// `_`: joins letters and digits (ExtendNumLet).
    Join,
    /// `'` and `.`: join two letters or two digits (MidNumLet).
    MidBoth,
    /// `:`: joins two letters (MidLetter).
    MidLetter,
    /// `,` and `;`: join two digits (MidNum).
    MidDigit,
    Other,
}

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b'_' => Class::Join,
        b'\'' | b'.' => Class::MidBoth,
        b':' => Class::MidLetter,
        b',' | b';' => Class::MidDigit,
        _ => Class::Other,
    }
}

const CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = class(byte as u8);
        byte += 1;
    }
    table
};

/// Rules WB5 to WB13b for ASCII.
fn count_ascii(bytes: &[u8]) -> u32 {
    let mut words = 0;
    let mut at = 0;
    while at < bytes.len() {
        let mut last = CLASSES[bytes[at] as usize];
        at += 1;
        if !matches!(last, Class::Letter | Class::Digit | Class::Join) {
            continue;
        }
        let mut is_word = last != Class::Join;
        while let Some(byte) = bytes.get(at) {
            let here = CLASSES[*byte as usize];
            match here {
                Class::Letter | Class::Digit => is_word = true,
                Class::Join => {}
                Class::Other => break,
                Class::MidBoth | Class::MidLetter | Class::MidDigit => {
                    let next = bytes.get(at + 1).map_or(Class::Other, |next| CLASSES[*next as usize]);
                    let joins = match last {
                        Class::Letter => next == Class::Letter && here != Class::MidDigit,
                        Class::Digit => next == Class::Digit && here != Class::MidLetter,
                        _ => false,
                    };
                    if !joins {
                        break;
                    }
                }
            }
            last = here;
            at += 1;
        }
        words += u32::from(is_word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_counts_as_the_tables_do() {
        // Every text of up to five characters from the classes that matter.
        let alphabet = b"a1_'.:,; -";
        for length in 0..=5_u32 {
            for number in 0..10_usize.pow(length) {
                let mut rest = number;
                let text: String = (0..length)
                    .map(|_| {
                        let c = alphabet[rest % 10] as char;
                        rest /= 10;
                        c
                    })
                    .collect();
                assert_eq!(count_words(&text) as usize, text.unicode_words().count(), "{text:?}");
            }
        }
    }

    #[test]
    fn words_of_any_script() {
        let check = |text: &str, expect: u32| assert_eq!(count_words(text), expect, "{text:?}");
        check("", 0);
        check("The quick (“brown”) fox can’t jump 32.3 feet, right?", 9);
        check("naïve café – déjà vu", 4);
        check("日本", 2);
        check("--- … •", 0);
    }
}
