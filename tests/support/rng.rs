//! The tests' own pseudo-random numbers: the same seed gives the same site on every computer and for ever.

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and good enough to shape a site.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    pub const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, `end`; 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        // The bias of the remainder is far below what a test could see.
        (self.draw() % end as u64) as usize
    }

    /// True in `percent` of a hundred draws.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the given things. There must be at least one.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_never_changes() {
        let mut rng = Rng::seeded(0);
        assert_eq!(rng.draw(), 0xE220_A839_7B1D_CDAF, "first value of SplitMix64 for seed 0");
        let draws: Vec<usize> = (0..1_000).map(|_| rng.below(10)).collect();
        assert!((0..10).all(|face| (60..140).contains(&draws.iter().filter(|d| **d == face).count())));
    }
}
