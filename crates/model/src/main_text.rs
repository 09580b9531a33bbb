//! What is kept of a page's main text: enough to find pages that say almost the same without comparing all with all, and how
//! hard it is to read.
//!
//! A *shingle* is the hash of [`SHINGLE_WORDS`] words that follow each other. Two texts are as similar as the share of
//! shingles that both have among those that either has (Jaccard; Broder, “On the resemblance and containment of documents”, 1997).

/// Words of a shingle.
pub const SHINGLE_WORDS: usize = 5;

/// Places of a signature.
pub const PLACES: usize = 64;

/// A text with fewer shingles is too short to be told from others: one word more changes five of them.
pub const LEAST_SHINGLES: u32 = 20;

/// The main text of a document: that of its main element where it has one with some text, else the text of body; without
/// navigation, headers, footers and asides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MainText {
    /// The same for texts of the same shingles.
    pub hash: u64,
    /// Shingles, those that come more than once counted as often; [`LEAST_SHINGLES`] at least.
    pub shingles: u32,
    /// A byte of the least shingle of each of as many parts of all hashes (MinHash with one permutation; a part without shingle
    /// borrows from another: Shrivastava, “Optimal Densification for Fast and Accurate Minwise Hashing”, 2017).
    pub signature: [u8; PLACES],
}

/// How hard the prose of a page is to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// ISO 639-1.
    pub language: &'static str,
    /// Flesch's reading ease by the language's own formula, from 0 (hard) to 120.
    pub ease: u8,
    /// Of the prose that was read: some hundred words from its beginning.
    pub words: u32,
    pub sentences: u32,
}

/// The similarity that two signatures give reason to expect, from 0 to 1. Its standard error is 0.04 at most where it is 0.9.
pub fn expected_similarity(one: &[u8], other: &[u8]) -> f64 {
    let same = one.iter().zip(other).filter(|(a, b)| a == b).count() as f64 / PLACES as f64;
    // Of the places that differ, one in 256 has the same byte by chance.
    ((same - 1.0 / 256.0) / (1.0 - 1.0 / 256.0)).max(0.0)
}

/// The similarity of two texts by their shingles, each list in order and without repetition; from 0 to 1.
pub fn similarity(one: &[u64], other: &[u64]) -> f64 {
    let (mut at, mut with, mut both) = (0, 0, 0_usize);
    while let (Some(a), Some(b)) = (one.get(at), other.get(with)) {
        both += usize::from(a == b);
        at += usize::from(a <= b);
        with += usize::from(b <= a);
    }
    let either = one.len() + other.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_the_share_of_what_both_have() {
        let check = |one: &[u64], other: &[u64], expect: f64| assert_eq!(similarity(one, other), expect);
        check(&[1, 2, 3], &[1, 2, 3], 1.0);
        check(&[1, 2, 3], &[2, 3, 4], 0.5);
        check(&[1], &[2], 0.0);
        check(&[], &[], 1.0);
        check(&[], &[1], 0.0);
    }

    #[test]
    fn signatures_that_agree_by_chance_alone_are_not_similar() {
        let mut other = [0; PLACES];
        assert_eq!(expected_similarity(&[0; PLACES], &other), 1.0);
        other[1..].fill(1);
        assert!(expected_similarity(&[0; PLACES], &other) < 0.02);
        assert_eq!(expected_similarity(&[0; PLACES], &[1; PLACES]), 0.0);
    }
}
