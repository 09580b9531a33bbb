//! The languages with a formula, and how a text's language is told by its commonest words.

use super::is_word;

/// Languages for which somebody worked out Flesch's formula anew, and whose syllables can be counted by their letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    German,
    English,
    Spanish,
    French,
    Italian,
    Dutch,
    Portuguese,
    Russian,
}

/// Words by which a language is told.
const SAMPLE: usize = 100;
/// Share of the commonest words, in percent, that confirms what a page says, and that tells a language that it does not say.
const CONFIRMS: usize = 12;
const TELLS: usize = 22;

impl Language {
    const ALL: [Self; 8] = [
        Self::German,
        Self::English,
        Self::Spanish,
        Self::French,
        Self::Italian,
        Self::Dutch,
        Self::Portuguese,
        Self::Russian,
    ];

    /// ISO 639-1.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::German => "de",
            Self::English => "en",
            Self::Spanish => "es",
            Self::French => "fr",
            Self::Italian => "it",
            Self::Dutch => "nl",
            Self::Portuguese => "pt",
            Self::Russian => "ru",
        }
    }

    /// The language of a text. What the page declares is believed where the words do not contradict; a language without formula
    /// is believed whatever they say, since its neighbours share many.
    pub(super) fn of(text: &str, declared: Option<&str>) -> Option<Self> {
        let mut words: Vec<String> = Vec::with_capacity(SAMPLE);
        let tokens = text.split_ascii_whitespace().filter(|token| is_word(token));
        words.extend(
            tokens.take(SAMPLE).map(|token| token.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase()),
        );
        let share = |language: Self| {
            words.iter().filter(|word| language.has_common(word)).count() * 100 / words.len().max(1)
        };
        let declared = declared.map(|tag| tag.trim().split(['-', '_']).next().unwrap_or_default());
        if let Some(code) = declared.filter(|code| !code.is_empty()) {
            let known = Self::ALL.into_iter().find(|known| known.code().eq_ignore_ascii_case(code))?;
            if share(known) >= CONFIRMS {
                return Some(known);
            }
        }
        let mut shares = Self::ALL.map(|language| (share(language), language));
        shares.sort_by_key(|(share, _)| std::cmp::Reverse(*share));
        let [(most, language), (second, _), ..] = shares;
        (most >= TELLS && most * 2 >= second * 3).then_some(language)
    }

    /// Flesch's reading ease, of words per sentence and syllables per word.
    pub(super) fn ease(self, sentence: f64, syllables: f64) -> f64 {
        let (base, per_sentence, per_word) = match self {
            // Amstad, “Wie verständlich sind unsere Zeitungen?”, 1978.
            Self::German => (180.0, 1.0, 58.5),
            // Flesch, “A new readability yardstick”, Journal of Applied Psychology 32, 1948.
            Self::English => (206.835, 1.015, 84.6),
            // Fernández Huerta, “Medidas sencillas de lecturabilidad”, Consigna 214, 1959, with the sentences as he counted them:
            // words per sentence (Law, “Error in the Fernandez Huerta Readability Formula”, 2011).
            Self::Spanish => (206.84, 1.02, 60.0),
            // Kandel and Moles, “Application de l’indice de Flesch à la langue française”, 1958.
            Self::French => (207.0, 1.015, 73.6),
            // Franchina and Vacca, “Adaptation of Flesh readability index on a bilingual text”, Linguaggi 3, 1986.
            Self::Italian => (217.0, 1.3, 60.0),
            // Douma, “De leesbaarheid van landbouwbladen”, 1960.
            Self::Dutch => (206.84, 0.93, 77.0),
            // Martins, Ghiraldelo, Nunes and Oliveira, “Readability formulas applied to textbooks in Brazilian Portuguese”, 1996.
            Self::Portuguese => (248.835, 1.015, 84.6),
            // Oborneva, “Автоматизированная оценка сложности учебных текстов”, 2006.
            Self::Russian => (206.835, 1.3, 60.1),
        };
        base - per_sentence * sentence - per_word * syllables
    }

    /// Whether a word in lower case is one of the language's commonest.
    fn has_common(self, word: &str) -> bool {
        match self {
            Self::German => matches!(
                word,
                "der"
                    | "die"
                    | "das"
                    | "und"
                    | "ist"
                    | "nicht"
                    | "ein"
                    | "eine"
                    | "einen"
                    | "einer"
                    | "den"
                    | "dem"
                    | "des"
                    | "zu"
                    | "mit"
                    | "sich"
                    | "auf"
                    | "für"
                    | "von"
                    | "im"
                    | "sie"
                    | "wir"
                    | "ich"
                    | "auch"
                    | "als"
                    | "wird"
                    | "werden"
                    | "bei"
                    | "oder"
                    | "aus"
                    | "wie"
                    | "es"
                    | "sind"
                    | "uns"
                    | "in"
            ),
            Self::English => matches!(
                word,
                "the"
                    | "of"
                    | "and"
                    | "to"
                    | "in"
                    | "is"
                    | "it"
                    | "that"
                    | "for"
                    | "with"
                    | "you"
                    | "are"
                    | "this"
                    | "was"
                    | "be"
                    | "have"
                    | "not"
                    | "your"
                    | "from"
                    | "by"
                    | "or"
                    | "which"
                    | "we"
                    | "they"
                    | "as"
                    | "an"
                    | "at"
                    | "on"
                    | "if"
                    | "when"
            ),
            Self::Spanish => matches!(
                word,
                "el" | "la"
                    | "los"
                    | "las"
                    | "de"
                    | "del"
                    | "que"
                    | "y"
                    | "en"
                    | "un"
                    | "una"
                    | "es"
                    | "por"
                    | "con"
                    | "para"
                    | "se"
                    | "su"
                    | "al"
                    | "lo"
                    | "como"
                    | "más"
                    | "pero"
                    | "sus"
                    | "este"
                    | "esta"
                    | "no"
                    | "muy"
                    | "también"
            ),
            Self::French => matches!(
                word,
                "le" | "la"
                    | "les"
                    | "de"
                    | "des"
                    | "du"
                    | "et"
                    | "est"
                    | "un"
                    | "une"
                    | "en"
                    | "que"
                    | "qui"
                    | "dans"
                    | "pour"
                    | "sur"
                    | "pas"
                    | "vous"
                    | "nous"
                    | "avec"
                    | "ce"
                    | "cette"
                    | "au"
                    | "aux"
                    | "par"
                    | "ou"
                    | "sont"
                    | "il"
                    | "elle"
                    | "ne"
            ),
            Self::Italian => matches!(
                word,
                "il" | "la"
                    | "di"
                    | "che"
                    | "e"
                    | "è"
                    | "un"
                    | "una"
                    | "per"
                    | "in"
                    | "con"
                    | "non"
                    | "del"
                    | "della"
                    | "dei"
                    | "delle"
                    | "gli"
                    | "le"
                    | "i"
                    | "lo"
                    | "si"
                    | "da"
                    | "nel"
                    | "nella"
                    | "sono"
                    | "al"
                    | "alla"
                    | "più"
                    | "come"
                    | "anche"
            ),
            Self::Dutch => matches!(
                word,
                "de" | "het"
                    | "een"
                    | "van"
                    | "en"
                    | "in"
                    | "is"
                    | "dat"
                    | "op"
                    | "te"
                    | "voor"
                    | "met"
                    | "zijn"
                    | "niet"
                    | "aan"
                    | "er"
                    | "ook"
                    | "om"
                    | "als"
                    | "bij"
                    | "dan"
                    | "je"
                    | "deze"
                    | "naar"
                    | "uit"
                    | "wordt"
                    | "maar"
                    | "worden"
                    | "wij"
                    | "u"
            ),
            Self::Portuguese => matches!(
                word,
                "o" | "a"
                    | "os"
                    | "as"
                    | "de"
                    | "do"
                    | "da"
                    | "dos"
                    | "das"
                    | "que"
                    | "e"
                    | "em"
                    | "um"
                    | "uma"
                    | "para"
                    | "com"
                    | "não"
                    | "no"
                    | "na"
                    | "nos"
                    | "se"
                    | "por"
                    | "mais"
                    | "é"
                    | "ao"
                    | "como"
                    | "pelo"
                    | "pela"
                    | "são"
                    | "você"
                    | "também"
            ),
            Self::Russian => matches!(
                word,
                "и" | "в"
                    | "не"
                    | "на"
                    | "с"
                    | "что"
                    | "по"
                    | "это"
                    | "для"
                    | "как"
                    | "из"
                    | "к"
                    | "от"
                    | "за"
                    | "мы"
                    | "вы"
                    | "он"
                    | "она"
                    | "они"
                    | "его"
                    | "или"
                    | "но"
                    | "у"
                    | "о"
                    | "при"
                    | "так"
                    | "же"
                    | "все"
                    | "ним"
            ),
        }
    }
}
