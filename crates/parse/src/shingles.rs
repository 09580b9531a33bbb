//! Shingles of a text, and the signature by which texts of almost the same shingles are found.

use model::main_text::{LEAST_SHINGLES, MainText, PLACES, SHINGLE_WORDS};

/// Odd numbers without pattern (the golden ratio; from xxHash).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
const PRIME: u64 = 0xC2B2_AE3D_27D4_EB4F;
/// What a word weighs that leaves the window: `GOLDEN` to the power of its words.
const LEAVING: u64 = {
    let (mut power, mut n) = (1_u64, 0);
    while n < SHINGLE_WORDS {
        power = power.wrapping_mul(GOLDEN);
        n += 1;
    }
    power
};
/// Parts of a signature that have a shingle of their own; with fewer the text repeats the same few words.
const LEAST_FILLED: usize = 10;

const fn mix(value: u64) -> u64 {
    let product = (value ^ GOLDEN) as u128 * PRIME as u128;
    (product >> 64) as u64 ^ product as u64
}

/// Hash of a word, whatever the case of its letters.
pub(crate) fn word_hash(word: &str) -> u64 {
    let mut hash = 0;
    if word.is_ascii() {
        // The bit that is set in small letters and in all that may stand in a word beside them.
        let mut eights = word.as_bytes().chunks_exact(8);
        for eight in &mut eights {
            let eight = eight.iter().fold(0, |all, byte| all << 8 | u64::from(byte | 0x20));
            hash = mix(hash ^ eight);
        }
        let rest = eights.remainder().iter().fold(1, |all, byte| all << 8 | u64::from(byte | 0x20));
        return mix(hash ^ rest);
    }
    for character in word.chars().flat_map(char::to_lowercase) {
        hash = mix(hash ^ u64::from(u32::from(character)));
    }
    hash
}

/// The shingles of the words that are added in order.
#[derive(Debug)]
pub(crate) struct Shingles {
    /// The last words, in a ring.
    window: [u64; SHINGLE_WORDS],
    words: usize,
    rolling: u64,
    sum: u64,
    /// Of each part of all hashes the least one; `u64::MAX` where there is none.
    least: [u64; PLACES],
    /// Every shingle, where they are wanted.
    kept: Option<Vec<u64>>,
}

impl Shingles {
    pub(crate) const fn new(kept: Option<Vec<u64>>) -> Self {
        Self { window: [0; SHINGLE_WORDS], words: 0, rolling: 0, sum: 0, least: [u64::MAX; PLACES], kept }
    }

    pub(crate) fn add(&mut self, word: u64) {
        let place = self.words % SHINGLE_WORDS;
        let leaving = std::mem::replace(&mut self.window[place], word);
        self.rolling =
            self.rolling.wrapping_mul(GOLDEN).wrapping_add(word).wrapping_sub(leaving.wrapping_mul(LEAVING));
        self.words += 1;
        if self.words < SHINGLE_WORDS {
            return;
        }
        let shingle = mix(self.rolling);
        self.sum = self.sum.wrapping_add(shingle);
        let least = &mut self.least[part(shingle)];
        *least = shingle.min(*least);
        if let Some(kept) = &mut self.kept {
            kept.push(shingle);
        }
    }

    /// What is kept of the text; `None` where it is too short.
    pub(crate) fn main_text(&self) -> Option<MainText> {
        let shingles = u32::try_from((self.words + 1).saturating_sub(SHINGLE_WORDS)).unwrap_or(u32::MAX);
        let filled = self.least.iter().filter(|least| **least != u64::MAX).count();
        if shingles < LEAST_SHINGLES || filled < LEAST_FILLED {
            return None;
        }
        let mut signature = [0; PLACES];
        for (place, byte) in signature.iter_mut().enumerate() {
            // A part without shingle asks others in an order of its own, which is that of every text.
            let mut turn = place as u64;
            let mut from = place;
            while self.least[from] == u64::MAX {
                turn = mix(turn.wrapping_add(PRIME));
                from = part(turn);
            }
            *byte = self.least[from] as u8;
        }
        Some(MainText { hash: mix(self.sum ^ u64::from(shingles)), shingles, signature })
    }

    /// The distinct shingles in order; empty where none were kept or the text is too short.
    pub(crate) fn into_kept(self) -> Vec<u64> {
        if self.main_text().is_none() {
            return Vec::new();
        }
        let mut kept = self.kept.unwrap_or_default();
        kept.sort_unstable();
        kept.dedup();
        kept
    }
}

/// The part of all hashes that one belongs to.
const fn part(hash: u64) -> usize {
    (hash >> (u64::BITS - PLACES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::each_word;
    use model::main_text::{expected_similarity, similarity};

    fn read(text: &str) -> Shingles {
        let mut shingles = Shingles::new(Some(Vec::new()));
        each_word(text, &mut |word| shingles.add(word_hash(word)));
        shingles
    }

    /// A text of numbered words, some of them replaced.
    fn numbered(words: usize, other: impl Fn(usize) -> bool) -> String {
        (0..words).map(|n| if other(n) { format!("other{n} ") } else { format!("word{n} ") }).collect()
    }

    #[test]
    fn case_and_punctuation_are_no_words() {
        let text = numbered(40, |_| false);
        let main = |text: &str| read(text).main_text().map(|main| main.hash);
        let loud = text.to_uppercase().replace("9 ", "9, ");
        assert_eq!(main(&text), main(&loud));
        assert_ne!(main(&text), main(&numbered(40, |n| n == 20)));
        assert_eq!(word_hash("ÜBER"), word_hash("über"));
        assert_ne!(word_hash("ab"), word_hash("ba"));
        assert_ne!(word_hash("abcdefgh"), word_hash("abcdefghi"));
    }

    #[test]
    fn short_and_repeated_texts_are_not_compared() {
        assert!(read(&numbered(23, |_| false)).main_text().is_none());
        assert!(read(&numbered(24, |_| false)).main_text().is_some());
        assert!(read(&"buy it now ".repeat(200)).main_text().is_none());
        assert!(read(&"buy it now ".repeat(200)).into_kept().is_empty());
    }

    #[test]
    fn a_shingle_depends_on_its_words_alone() {
        let here = read(&format!("a b c {}", numbered(30, |_| false))).into_kept();
        let there = read(&numbered(30, |_| false)).into_kept();
        assert_eq!(there.len(), 26);
        assert!(there.iter().all(|shingle| here.binary_search(shingle).is_ok()));
    }

    #[test]
    fn signatures_tell_how_similar_texts_are() {
        // Every changed word takes five shingles with it.
        for (words, every) in [(400, 400), (400, 80), (400, 20), (2_000, 10), (60, 60)] {
            let (one, other) =
                (read(&numbered(words, |_| false)), read(&numbered(words, |n| n % every == every / 2)));
            let (first, second) = (one.main_text().unwrap(), other.main_text().unwrap());
            let expected = expected_similarity(&first.signature, &second.signature);
            let real = similarity(&one.into_kept(), &other.into_kept());
            assert!((expected - real).abs() < 0.16, "{words} words, each {every}th: {expected} for {real}");
        }
    }

    #[test]
    fn scripts_without_spaces_are_read_by_their_signs() {
        let text = "日本語の文章は単語の間に空白を置かないので文字ごとに数えることにしています。";
        let one = read(text).into_kept();
        let other = read(&text.replace("文章", "散文")).into_kept();
        assert!(one.len() > 20);
        assert!((0.5..0.9).contains(&similarity(&one, &other)));
    }
}
