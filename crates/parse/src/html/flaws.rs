//! How many flaws of a page are kept, and what the elements that were met have to be remembered for.

use super::problem;
use hashbrown::HashSet;
use model::{FlawKind, PageFacts};

/// Flaws of one kind kept of one page: a template repeats its flaw on every row, and fifty of them say so.
const MAX_OF_A_KIND: u32 = 50;
/// Flaws kept of one page.
const MAX_FLAWS: u32 = 1_000;
/// Bytes kept of a detail.
pub(crate) const MAX_DETAIL: usize = 300;
/// Ids that are compared; a page that has more is not looked at further.
const MAX_IDS: usize = 100_000;

/// The flaws of one page while it is walked.
#[derive(Debug)]
pub(crate) struct Flaws {
    kept: [u32; FlawKind::ALL.len()],
    all: u32,
    left_out: u32,
    ids: HashSet<u64>,
}

impl Default for Flaws {
    fn default() -> Self {
        Self { kept: [0; FlawKind::ALL.len()], all: 0, left_out: 0, ids: HashSet::new() }
    }
}

impl Flaws {
    /// Whether one more of this kind is kept.
    pub(crate) fn admits(&mut self, kind: FlawKind) -> bool {
        let Some(place) = FlawKind::ALL.iter().position(|known| *known == kind) else { return false };
        if self.kept[place] >= MAX_OF_A_KIND || self.all >= MAX_FLAWS {
            self.left_out += 1;
            return false;
        }
        self.kept[place] += 1;
        self.all += 1;
        true
    }

    /// Whether an element before had this id.
    pub(crate) fn repeats_id(&mut self, id: u64) -> bool {
        self.ids.len() < MAX_IDS && !self.ids.insert(id)
    }

    /// Says how many were left out.
    pub(crate) fn report(&self, facts: &mut PageFacts) {
        if self.left_out > 0 {
            let detail = format!(
                "{} further flaws of the markup were not kept: {MAX_OF_A_KIND} of a kind are, and {MAX_FLAWS} in all",
                self.left_out
            );
            problem(facts, "flaws-too-many", detail, 0);
        }
    }
}
