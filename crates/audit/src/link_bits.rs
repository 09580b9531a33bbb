//! Rules about links as bits of words: which conditions each has, and which texts fulfil which of them.

use crate::audit::{LinkRule, Target};
use crate::compile;
use crate::limits::Limits;

/// Bits of the rules that have a condition of a kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Kinds {
    pub(crate) on_target: u64,
    pub(crate) on_missing_target: u64,
    pub(crate) on_source: u64,
    pub(crate) on_text: u64,
    pub(crate) on_absent_text: u64,
    pub(crate) on_href: u64,
    pub(crate) unsized_image: u64,
    pub(crate) broken_fragment: u64,
    pub(crate) or_relative: u64,
}

/// Which texts fulfil which conditions: a bit per text and condition, and one that says whether it is worth looking.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    any: BitSet,
    /// By the bit of the rule.
    rules: Vec<(usize, BitSet)>,
}

/// A set of ids that grows with the greatest of them.
#[derive(Debug, Default)]
pub(crate) struct BitSet(Vec<u64>);

impl Kinds {
    pub(crate) fn of(rules: &[LinkRule], limits: &Limits) -> Self {
        let mut kinds = Self::default();
        for (bit, rule) in rules.iter().enumerate() {
            let set = |word: &mut u64, on: bool| *word |= u64::from(on) << bit;
            set(&mut kinds.on_target, matches!(rule.target, Target::Row(_)));
            set(&mut kinds.on_missing_target, matches!(rule.target, Target::Missing));
            set(&mut kinds.on_source, rule.source.is_some());
            set(&mut kinds.on_text, rule.text.is_some());
            set(&mut kinds.on_absent_text, rule.text.is_some_and(|holds| holds(None, limits)));
            set(&mut kinds.on_href, rule.href.is_some());
            set(&mut kinds.unsized_image, rule.unsized_image);
            set(&mut kinds.broken_fragment, rule.broken_fragment);
            set(&mut kinds.or_relative, rule.or_relative);
        }
        kinds
    }
}

impl Hits {
    pub(crate) fn add(&mut self, id: i64, rules: u64) {
        let Ok(id) = usize::try_from(id) else { return };
        if rules == 0 {
            return;
        }
        self.any.insert(id);
        for bit in compile::bits(rules) {
            match self.rules.iter_mut().find(|(known, _)| *known == bit) {
                Some((_, ids)) => ids.insert(id),
                None => {
                    let mut ids = BitSet::default();
                    ids.insert(id);
                    self.rules.push((bit, ids));
                }
            }
        }
    }

    pub(crate) fn get(&self, id: i64) -> u64 {
        let id = usize::try_from(id).unwrap_or_default();
        if !self.any.contains(id) {
            return 0;
        }
        self.rules.iter().fold(0, |rules, (bit, ids)| rules | u64::from(ids.contains(id)) << bit)
    }
}

impl BitSet {
    pub(crate) fn insert(&mut self, id: usize) {
        let word = id / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (id % 64);
    }

    pub(crate) fn contains(&self, id: usize) -> bool {
        self.0.get(id / 64).is_some_and(|word| word & (1 << (id % 64)) != 0)
    }
}
