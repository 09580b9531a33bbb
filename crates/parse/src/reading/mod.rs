//! How hard prose is to read: sentences, words and syllables, put into the formula of the language.
//!
//! Only prose counts: a block that holds no complete sentence is a label, and what follows the last full stop of a block is
//! none. What is doubtful (abbreviations, ordinals) never ends a sentence where it could go on, and names of places on the web
//! are no words.

mod language;
mod syllables;

use language::Language;
use model::main_text::Reading;

/// Bytes of prose that are read: some hundred words tell how somebody writes.
pub(crate) const ENOUGH: usize = 4_000;
/// Less prose than this says nothing (Flesch took samples of a hundred words).
const LEAST_WORDS: u32 = 100;
const LEAST_SENTENCES: u32 = 5;
/// The longest sentence and the longest word that are believed: beyond, something else was read than prose.
const MOST_WORDS_PER_SENTENCE: u32 = 80;
const MOST_SYLLABLES_PER_WORD: f64 = 5.0;

/// Reads prose whose blocks end with line feeds. `declared` is the language that the page says it is in. `None` where there is too
/// little of it, or no formula for its language.
pub(crate) fn read(prose: &str, declared: Option<&str>) -> Option<Reading> {
    if prose.len() < LEAST_WORDS as usize * 3 {
        return None;
    }
    let language = Language::of(prose, declared)?;
    let mut counts = Counts::default();
    let mut word = String::new();
    for block in prose.split('\n') {
        // Before the last full stop.
        let mut open = Counts::default();
        let mut tokens = block.split_ascii_whitespace().peekable();
        while let Some(token) = tokens.next() {
            if is_word(token) {
                word.clear();
                word.extend(token.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase));
                open.words += 1;
                open.syllables += language.syllables(&word);
            }
            if ends_sentence(token, tokens.peek().copied()) {
                if open.words > 0 && open.words <= MOST_WORDS_PER_SENTENCE {
                    counts.sentences += 1;
                    counts.words += open.words;
                    counts.syllables += open.syllables;
                }
                open = Counts::default();
            }
        }
    }
    if counts.words < LEAST_WORDS || counts.sentences < LEAST_SENTENCES {
        return None;
    }
    let sentence = f64::from(counts.words) / f64::from(counts.sentences);
    let syllables = f64::from(counts.syllables) / f64::from(counts.words);
    if syllables > MOST_SYLLABLES_PER_WORD {
        return None;
    }
    let ease = language.ease(sentence, syllables).round().clamp(0.0, 120.0) as u8;
    Some(Reading { language: language.code(), ease, words: counts.words, sentences: counts.sentences })
}

#[derive(Debug, Default)]
struct Counts {
    sentences: u32,
    words: u32,
    syllables: u32,
}

/// Whether a token is a word of a sentence: letters, no address, no number.
fn is_word(token: &str) -> bool {
    let mut letters = token.chars().filter(|c| c.is_alphabetic());
    letters.next().is_some()
        && !token.bytes().any(|byte| matches!(byte, b'@' | b'/' | b'_' | b'=' | b'\\' | b'0'..=b'9'))
        && !token.starts_with("www.")
}

/// Whether a token is the last of its sentence; `next` is what follows it in its block.
fn ends_sentence(token: &str, next: Option<&str>) -> bool {
    let bare = token.trim_end_matches(['"', '\'', ')', ']', '»', '«', '”', '“', '’', '›', '‹']);
    let Some(last) = bare.chars().next_back() else { return false };
    if !matches!(last, '.' | '!' | '?' | '…') {
        return false;
    }
    let Some(next) = next else { return true };
    let first = next.chars().find(|c| c.is_alphanumeric());
    if first.is_some_and(char::is_lowercase) {
        return false;
    }
    if last != '.' {
        return true;
    }
    let before = bare.trim_end_matches('.').trim_start_matches(|c: char| !c.is_alphanumeric());
    // "J. Smith", "e.g. Berlin", "3. Mai", "Dr. Huber".
    !(before.chars().nth(1).is_none()
        || before.contains('.')
        || before.bytes().all(|byte| byte.is_ascii_digit())
        || is_title(before))
}

/// What stands before names, with a full stop, in the languages that are read.
fn is_title(word: &str) -> bool {
    matches!(
        word,
        "Dr" | "Prof"
            | "Mr"
            | "Mrs"
            | "Ms"
            | "St"
            | "Sr"
            | "Sra"
            | "Jr"
            | "Nr"
            | "No"
            | "Bd"
            | "Hr"
            | "Fr"
            | "Mme"
            | "Mlle"
            | "Dra"
            | "Dott"
            | "Sig"
            | "Ing"
            | "Dipl"
            | "Abb"
            | "Abs"
            | "Art"
            | "Tel"
            | "Mag"
            | "vgl"
            | "Vgl"
            | "bzw"
            | "ca"
            | "vs"
            | "Inc"
            | "Ltd"
            | "Co"
            | "etc"
            | "fig"
            | "Fig"
            | "им"
            | "ул"
            | "гг"
            | "см"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough of a text to be judged.
    fn ease(text: &str, declared: Option<&str>) -> Option<(&'static str, u8)> {
        read(&format!("{text}\n").repeat(12), declared).map(|reading| (reading.language, reading.ease))
    }

    #[test]
    fn easy_and_hard_texts_are_told_apart() {
        let check = |text: &str, language: &str, expect: std::ops::RangeInclusive<u8>| {
            let (found, ease) =
                ease(text, Some(language)).unwrap_or_else(|| panic!("nothing read of {text}"));
            assert_eq!(found, language, "{text}");
            assert!(expect.contains(&ease), "{ease} of {text}");
        };
        check("The cat sat on the mat. It was a warm day and the sun was in the sky.", "en", 90..=120);
        check(
            "The implementation of organizational accountability necessitates considerable institutional reconsideration of the administrative responsibilities.",
            "en",
            0..=10,
        );
        check(
            "Die Katze liegt auf dem Sofa. Sie ist müde und will nicht mit uns in den Garten.",
            "de",
            70..=120,
        );
        check(
            "Die Berücksichtigung der datenschutzrechtlichen Verpflichtungen erfordert eine organisatorische Verantwortlichkeit der Geschäftsführung und der Unternehmensleitung.",
            "de",
            0..=20,
        );
        check("El gato duerme en la casa. La niña come pan con su madre y el sol sale.", "es", 90..=120);
        check("Le chat dort sur le lit. La mère est dans la maison et les enfants jouent.", "fr", 80..=120);
        check("De kat ligt op het bed. Het is een mooie dag en de zon schijnt in de tuin.", "nl", 85..=120);
        check("Il gatto dorme nella casa. La madre è con il bimbo e il sole è alto.", "it", 75..=120);
        check("O gato dorme na casa. A menina come pão com a mãe e o sol não se põe.", "pt", 90..=120);
        check("Кот спит на полу. Он не хочет есть, и мы не знаем, что с ним.", "ru", 80..=120);
    }

    #[test]
    fn the_language_is_that_of_the_words() {
        let english = "The cat sat on the mat. It was a warm day and the sun was in the sky.";
        assert_eq!(ease(english, None).unwrap().0, "en");
        assert_eq!(ease(english, Some("en-GB")).unwrap().0, "en");
        assert_eq!(ease(english, Some("de")).unwrap().0, "en");
        // Nobody knows a formula for what the page says it is.
        assert_eq!(ease(english, Some("pl")), None);
        assert_eq!(
            ease("Katten ligger på sengen. Det er en varm dag, og solen står på himlen for os.", None),
            None
        );
        assert_eq!(
            ease("Kot leży na łóżku. To jest ciepły dzień i słońce stoi na niebie dla nas.", None),
            None
        );
        assert_eq!(ease("猫はベッドで寝ています。今日は暖かい日です。", Some("ja")), None);
    }

    #[test]
    fn too_little_prose_says_nothing() {
        let long =
            "The cat sat on the mat and the sun was in the sky and it was a warm day for all of us there";
        assert_eq!(read(&format!("{long}. ").repeat(4), Some("en")), None);
        // Labels are no sentences.
        assert_eq!(read(&format!("{long}\n").repeat(40), Some("en")), None);
        let reading = read(&format!("{long}.\n").repeat(10), Some("en")).unwrap();
        assert_eq!((reading.words, reading.sentences), (240, 10));
        let mixed = format!("{long}.\nRead more\nAdd the cat to the cart\n").repeat(10);
        assert_eq!(read(&mixed, Some("en")), Some(reading));
    }

    #[test]
    fn sentences_end_where_they_do() {
        let check = |token: &str, next: Option<&str>, expect: bool| {
            assert_eq!(ends_sentence(token, next), expect, "{token} {next:?}");
        };
        check("mat.", Some("The"), true);
        check("mat.”", Some("The"), true);
        check("mat?", Some("»The"), true);
        check("mat.", None, true);
        check("mat", None, false);
        check("mat,", Some("The"), false);
        check("e.g.", Some("Berlin"), false);
        check("z.", Some("B."), false);
        check("J.", Some("Smith"), false);
        check("Dr.", Some("Huber"), false);
        check("3.", Some("Mai"), false);
        check("approx.", Some("ten"), false);
        check("2024.", None, true);
        check("wait...", Some("What"), true);
    }
}
