//! Syllables of a word by its letters. A dictionary would be better for single words; over a hundred words these are within a
//! few percent of it.

use super::language::Language;

impl Language {
    /// Syllables of a word in lower case that is nothing but letters; 1 at least.
    pub(super) fn syllables(self, word: &str) -> u32 {
        let count = match self {
            Self::Spanish | Self::Italian | Self::Portuguese => romance(word),
            Self::German => by_pairs(word, GERMAN, &[]),
            Self::Dutch => by_pairs(word, DUTCH, DUTCH_THIRD),
            Self::English => english(word),
            Self::French => french(word),
            // A vowel, a syllable.
            Self::Russian => word.chars().filter(|c| "аеёиоуыэюя".contains(*c)).count() as u32,
        };
        count.max(1)
    }
}

/// Spanish, Italian, Portuguese: a weak vowel (i, u) beside another vowel is no syllable of its own, unless it has an accent.
fn romance(word: &str) -> u32 {
    #[derive(PartialEq)]
    enum Before {
        None,
        /// A syllable that a following strong vowel may still belong to.
        Weak,
        Strong,
        /// A weak vowel that ended the syllable of a strong one.
        Joined,
        Nasal,
    }
    let (mut count, mut before, mut earlier) = (0, Before::None, ' ');
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_silent = letter == 'u'
            && matches!(earlier, 'g' | 'q')
            && letters.peek().is_some_and(|next| "aeioáàâãéèêíìóòôõ".contains(*next));
        earlier = letter;
        before = match letter {
            // que, guía, água.
            _ if is_silent => Before::None,
            // Portuguese: ão, ãe, õe.
            'o' | 'e' if before == Before::Nasal => Before::Joined,
            'a' | 'e' | 'o' | 'á' | 'à' | 'â' | 'é' | 'è' | 'ê' | 'ó' | 'ò' | 'ô' => {
                count += u32::from(before != Before::Weak);
                Before::Strong
            }
            'ã' | 'õ' => {
                count += 1;
                Before::Nasal
            }
            'í' | 'ú' => {
                count += 1;
                Before::Strong
            }
            // Italian puts it at the end of words only: più.
            'ì' | 'ù' => {
                count += u32::from(before != Before::Weak);
                Before::Strong
            }
            'i' | 'u' | 'ü' | 'y' => match before {
                Before::Strong | Before::Nasal => Before::Joined,
                Before::Weak => Before::Weak,
                Before::None | Before::Joined => {
                    count += 1;
                    Before::Weak
                }
            },
            _ => Before::None,
        };
    }
    count
}

const GERMAN: &[&str] = &["ai", "au", "ei", "eu", "äu", "ie", "aa", "ee", "oo", "ey", "ay", "oy"];
const DUTCH: &[&str] =
    &["aa", "ee", "oo", "uu", "ie", "oe", "eu", "ui", "ei", "au", "ou", "ij", "ey", "ai", "oi"];
/// Three letters of one sound.
const DUTCH_THIRD: &[&str] = &["aai", "ooi", "oei", "eeu", "ieu"];

/// German and Dutch: two vowels are one syllable where they are one sound.
fn by_pairs(word: &str, pairs: &[&str], threes: &[&str]) -> u32 {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let end = |at: usize| letters.get(at).map_or(word.len(), |(start, _)| *start);
    let (mut count, mut at) = (0, 0);
    while let Some((start, letter)) = letters.get(at).copied() {
        let next = letters.get(at + 1).map(|(_, next)| *next);
        let is_vowel = match letter {
            'a' | 'e' | 'i' | 'o' | 'ä' | 'ö' | 'ü' | 'é' | 'è' | 'ë' | 'ï' => true,
            'u' => at == 0 || letters[at - 1].1 != 'q',
            // A consonant before a vowel: Yoga.
            'y' => !next.is_some_and(|next| "aeiouäöü".contains(next)),
            _ => false,
        };
        if !is_vowel {
            at += 1;
            continue;
        }
        count += 1;
        at += match (word.get(start..end(at + 3)), word.get(start..end(at + 2))) {
            (Some(three), _) if threes.contains(&three) => 3,
            (_, Some(two)) if pairs.contains(&two) => 2,
            _ => 1,
        };
    }
    count
}

const fn is_english_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// English: groups of vowels, without silent e, and with the pairs that are two sounds.
fn english(word: &str) -> u32 {
    if word == "people" {
        return 2;
    }
    let bytes = word.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
    let before = |index: usize| index.checked_sub(1).map_or(0, at);
    let mut count = 0;
    for (index, byte) in bytes.iter().enumerate().filter(|(_, byte)| is_english_vowel(**byte)) {
        let earlier = before(index);
        if !is_english_vowel(earlier) {
            count += 1;
            continue;
        }
        let lead = index.checked_sub(2).map_or(0, at);
        count += match (earlier, byte) {
            // media, period, medium; but nation, special, region.
            (b'i', b'a' | b'o' | b'u') => u32::from(!matches!(lead, b't' | b'c' | b's' | b'g' | b'x')),
            (b'e', b'o') => u32::from(lead != b'g'),
            (b'u', b'a') => u32::from(!matches!(lead, b'q' | b'g')),
            // being, doing, trying.
            (b'e' | b'o' | b'y' | b'u', b'i') => u32::from(bytes[index..] == *b"ing" && lead != b'q'),
            _ => 0,
        };
    }
    let is_silent = |end: usize| {
        // The e at `end`, after a consonant that is no l after another consonant.
        let ends_so = end > 1 && at(end) == b'e' && !is_english_vowel(before(end));
        ends_so && (before(end) != b'l' || is_english_vowel(at(end - 2)))
    };
    let Some(last) = bytes.len().checked_sub(1) else { return count };
    let silent = match bytes {
        [.., b'e'] => is_silent(last),
        [.., b'e', b's'] => {
            is_silent(last - 1)
                && !matches!(at(last.wrapping_sub(2)), b's' | b'x' | b'z' | b'c' | b'g' | b'h')
        }
        [.., b'e', b'd'] => is_silent(last - 1) && !matches!(at(last.wrapping_sub(2)), b't' | b'd'),
        _ => ["ly", "ment", "ments", "less", "ful", "ness", "thing"].iter().any(|suffix| {
            word.strip_suffix(suffix).is_some_and(|stem| stem.len() > 2 && is_silent(stem.len() - 1))
        }),
    };
    if silent && count > 1 { count - 1 } else { count }
}

/// French as it is spoken: groups of vowels, without the e that is not heard.
fn french(word: &str) -> u32 {
    let letters: Vec<char> = word.chars().collect();
    let is_vowel = |letter: char| "aeiouyàâéèêëîïôöùûüœæ".contains(letter);
    let (mut count, mut silent) = (0, false);
    for (at, letter) in letters.iter().copied().enumerate().filter(|(_, letter)| is_vowel(*letter)) {
        let before = at.checked_sub(1).map(|before| letters[before]).filter(|before| is_vowel(*before));
        let starts = match before {
            None => true,
            // créer, voyage; but idée.
            Some('é' | 'y') => !matches!(letters[at..], ['e'] | ['e', 's']),
            // naïf, aérien; but nué, allié.
            Some(earlier) => matches!(letter, 'ï' | 'ë' | 'ü' | 'é') && !matches!(earlier, 'u' | 'i'),
        };
        if starts {
            count += 1;
            // A last e, es or ent (of verbs in -èrent, -issent) after a consonant.
            let rest: String = letters[at..].iter().collect();
            silent = before.is_none()
                && (matches!(&*rest, "e" | "es")
                    || (rest == "ent" && (word.ends_with("èrent") || word.ends_with("issent"))));
        } else {
            silent = false;
        }
    }
    if silent && count > 1 { count - 1 } else { count }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, words: &[(&str, u32)]) {
        for (word, expect) in words {
            assert_eq!(language.syllables(word), *expect, "{word}");
        }
    }

    #[test]
    fn syllables_of_romance_languages() {
        check(
            Language::Spanish,
            &[
                ("casa", 2),
                ("tiene", 2),
                ("día", 2),
                ("ciudad", 2),
                ("aéreo", 4),
                ("que", 1),
                ("guía", 2),
                ("playa", 2),
                ("rey", 1),
                ("y", 1),
                ("información", 4),
                ("bueno", 2),
                ("leer", 2),
                ("país", 2),
                ("ahora", 3),
            ],
        );
        check(
            Language::Italian,
            &[
                ("famiglia", 3),
                ("città", 2),
                ("essere", 3),
                ("più", 1),
                ("quando", 2),
                ("informazione", 5),
                ("e", 1),
            ],
        );
        check(
            Language::Portuguese,
            &[
                ("não", 1),
                ("mãe", 1),
                ("coração", 3),
                ("informações", 4),
                ("água", 2),
                ("saída", 3),
                ("muito", 2),
                ("é", 1),
            ],
        );
        check(
            Language::French,
            &[
                ("table", 1),
                ("maison", 2),
                ("petite", 2),
                ("les", 1),
                ("créer", 2),
                ("moment", 2),
                ("voyage", 2),
                ("eau", 1),
                ("naïf", 2),
                ("parlèrent", 2),
                ("information", 4),
                ("le", 1),
                ("idée", 2),
                ("question", 2),
            ],
        );
    }

    #[test]
    fn syllables_of_germanic_languages() {
        check(
            Language::German,
            &[
                ("haus", 1),
                ("häuser", 2),
                ("nation", 3),
                ("theater", 3),
                ("quelle", 2),
                ("yoga", 2),
                ("system", 2),
                ("liebe", 2),
                ("verantwortung", 4),
                ("aktuelle", 4),
                ("beeilen", 3),
                ("tee", 1),
            ],
        );
        check(
            Language::Dutch,
            &[
                ("huis", 1),
                ("mooi", 1),
                ("nieuw", 1),
                ("leeuwen", 2),
                ("koeien", 2),
                ("reële", 3),
                ("vrijheid", 2),
                ("informatie", 4),
                ("tuin", 1),
            ],
        );
        check(
            Language::English,
            &[
                ("the", 1),
                ("make", 1),
                ("makes", 1),
                ("table", 2),
                ("wanted", 2),
                ("asked", 1),
                ("houses", 2),
                ("nation", 2),
                ("special", 2),
                ("media", 3),
                ("period", 3),
                ("being", 2),
                ("usual", 3),
                ("people", 2),
                ("statement", 2),
                ("something", 2),
                ("useful", 2),
                ("likely", 2),
                ("responsibility", 6),
                ("video", 3),
                ("i", 1),
                ("language", 2),
                ("rhythm", 1),
                ("quality", 3),
                ("free", 1),
            ],
        );
    }

    #[test]
    fn syllables_of_russian_are_its_vowels() {
        check(Language::Russian, &[("кот", 1), ("молоко", 3), ("её", 2), ("в", 1), ("информация", 5)]);
    }
}
