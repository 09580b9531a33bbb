//! How a link reaches a URL, and what it makes of it.

use model::{FoundBy, Purpose, UrlState};

/// What a link makes of its target: queued, or kept back for a reason.
pub(super) struct Ruling {
    pub(super) state: UrlState,
    /// Weight of the limit, 0 to 3, where it is one.
    pub(super) limit: u8,
    pub(super) reason: Option<String>,
}

impl Ruling {
    pub(super) const fn kept(state: UrlState, limit: u8, reason: Option<String>) -> Self {
        Self { state, limit, reason }
    }

    /// The wish that is left of a link's.
    pub(super) fn wish(&self, reach: &Reach) -> Purpose {
        if self.state == UrlState::Queued { reach.purpose } else { Purpose::Store }
    }

    pub(super) const fn rank(&self) -> u8 {
        rank(self.state.code(), self.limit)
    }
}

/// Which of several reasons a URL that nothing wants shows, whatever order they come in.
pub(super) const fn rank(state: u8, limit: u8) -> u8 {
    const OVER_LIMIT: u8 = UrlState::OverLimit.code();
    const EXCLUDED: u8 = UrlState::Excluded.code();
    match state {
        OVER_LIMIT => 2 + limit,
        EXCLUDED => 1,
        _ => 0,
    }
}

/// How a link reaches a URL.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub purpose: Purpose,
    pub depth: u16,
    pub hops: u8,
    pub found: FoundBy,
    pub source: Option<u32>,
    /// Named by a sitemap or as a seed: no depth limit keeps it back.
    pub listed: bool,
    /// Named by a copy of a page only to make its address longer.
    pub grown: bool,
}
