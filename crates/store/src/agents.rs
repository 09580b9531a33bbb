//! What pages answered a second user agent.

use crate::error::StoreError;
use crate::key;
use crate::writer::Writer;
use model::FailureKind;
use model::state::Indexability;

/// The answer that a page of the crawl gave to the second user agent.
#[derive(Debug, Clone, Default)]
pub struct AgentRow {
    /// `None`: no answer, for the reason given.
    pub status: Option<u16>,
    pub failure: Option<FailureKind>,
    /// Where the answer redirects to, resolved.
    pub redirect: Option<String>,
    /// `None` where it is no page.
    pub indexability: Option<Indexability>,
    /// Unix milliseconds.
    pub started: i64,
    pub total_ms: u32,
}

impl Writer {
    pub fn put_agent_check(&mut self, crawl: i64, url: u32, row: &AgentRow) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO agent_check(key, status, failure, redirect, indexability, started, total_ms) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute((
                key(crawl, url),
                row.status,
                row.failure.map(FailureKind::code),
                row.redirect.as_deref(),
                row.indexability.map(Indexability::code),
                row.started,
                row.total_ms,
            ))?;
        Ok(())
    }
}
