//! Words by UAX 29, without the tables where the text is ASCII.

use unicode_segmentation::UnicodeSegmentation;

/// Hands out the words with at least one letter or digit, in order. Of scripts that put no spaces between words (Chinese,
/// Japanese, Thai) the signs are the words.
pub(crate) fn each_word(text: &str, each: &mut impl FnMut(&str)) {
    if text.is_ascii() {
        return each_of_ascii(text, each);
    }
    // White space always separates words, so each piece stands alone.
    for piece in text.split_ascii_whitespace() {
        if piece.is_ascii() {
            each_of_ascii(piece, each);
        } else {
            piece.unicode_words().for_each(&mut *each);
        }
    }
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
fn each_of_ascii(text: &str, each: &mut impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
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
        if is_word {
            each(&text[start..at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, &mut |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn ascii_is_read_as_the_tables_do() {
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
                assert_eq!(words(&text), text.unicode_words().collect::<Vec<_>>(), "{text:?}");
            }
        }
    }

    #[test]
    fn words_of_any_script() {
        let check = |text: &str, expect: usize| assert_eq!(words(text).len(), expect, "{text:?}");
        check("", 0);
        check("The quick (“brown”) fox can’t jump 32.3 feet, right?", 9);
        check("naïve café – déjà vu", 4);
        check("日本", 2);
        check("ภาษาไทย", 7);
        check("--- … •", 0);
    }
}
