//! What a person adds to the open project: segments, and what is looked for in pages.

use super::refusal::ApiError;
use super::{Desk, lock};
use crate::custom_audits::{CustomAudit, CustomAuditCard, SqlPreview};
use crate::dto::{Access, CrawlChoice, ViewCard};
use crate::fields::{FieldCard, FieldText, FieldsComputed};
use crate::segments::{SegmentCard, SegmentPreview, SegmentText};

impl Desk {
    // ---- Segments

    /// The segments of the open project with what each has in a crawl.
    pub fn segments(&self, crawl: i64) -> Result<Vec<SegmentCard>, ApiError> {
        let open = self.opened()?;
        Ok(self.engine.open(&open.path, Access::Read)?.segments(CrawlChoice::Number(crawl))?)
    }

    /// What patterns would have. `ticket` names the call for `cancel_custom`; it then ends with code `cancelled`.
    pub fn try_segment(
        &self,
        crawl: i64,
        patterns: &[String],
        ticket: u64,
    ) -> Result<SegmentPreview, ApiError> {
        let open = self.opened()?;
        let cancel = self.custom.begin(ticket);
        let tried = self
            .engine
            .open(&open.path, Access::Read)
            .and_then(|project| project.try_patterns(crawl, patterns, &cancel));
        self.custom.end(ticket);
        Ok(tried?)
    }

    /// Puts these in the place of the project's segments and judges all its URLs anew; cancelled as `try_segment`, all stays as
    /// it was.
    pub fn set_segments(&self, segments: &[SegmentText], ticket: u64) -> Result<(), ApiError> {
        let open = self.opened()?;
        let cancel = self.custom.begin(ticket);
        let set = self.engine.set_segments(&open.path, segments, &cancel, &mut |_, _| {});
        self.custom.end(ticket);
        Ok(set?)
    }

    // ---- Searches and extractions

    /// What is looked for in the pages of the open project, with how many pages of a crawl have it.
    pub fn fields(&self, crawl: i64) -> Result<Vec<FieldCard>, ApiError> {
        let open = self.opened()?;
        Ok(self.engine.open(&open.path, Access::Read)?.fields(CrawlChoice::Number(crawl))?)
    }

    /// Puts these in the place of the project's fields.
    pub fn set_fields(&self, fields: &[FieldText]) -> Result<(), ApiError> {
        Ok(self.engine.set_fields(&self.opened()?.path, fields)?)
    }

    /// Computes all fields over the stored pages of a crawl. `ticket` names the call for `custom_progress` and `cancel_custom`.
    pub fn compute_fields(&self, crawl: i64, ticket: u64) -> Result<FieldsComputed, ApiError> {
        let open = self.opened()?;
        let cancel = self.custom.begin(ticket);
        let computed =
            self.engine.compute_fields(&open.path, CrawlChoice::Number(crawl), &cancel, &mut |done, all| {
                *lock(&self.computing) = (ticket, done, all);
            });
        self.custom.end(ticket);
        Ok(computed?)
    }

    /// How many of how many pages are done by the call with this ticket; zeros where it does not run.
    pub fn custom_progress(&self, ticket: u64) -> (u64, u64) {
        let (of, done, all) = *lock(&self.computing);
        if of == ticket { (done, all) } else { (0, 0) }
    }

    // ---- Audits of a person's own

    /// The audits of the open project's own, with what came of them in a crawl.
    pub fn custom_audits(&self, crawl: i64) -> Result<Vec<CustomAuditCard>, ApiError> {
        let open = self.opened()?;
        Ok(self.engine.open(&open.path, Access::Read)?.custom_audits(CrawlChoice::Number(crawl))?)
    }

    /// The first rows that a statement gives; it is bounded as that of an audit is.
    pub fn try_custom_audit(&self, crawl: i64, sql: &str) -> Result<SqlPreview, ApiError> {
        let open = self.opened()?;
        let project = self.engine.open(&open.path, Access::Read)?;
        Ok(project.try_sql(crawl, sql, self.engine.clock())?)
    }

    /// Saves an audit and evaluates it in a crawl.
    pub fn save_custom_audit(
        &self,
        crawl: i64,
        audit: &CustomAudit,
    ) -> Result<Vec<CustomAuditCard>, ApiError> {
        let open = self.opened()?;
        let id = self.engine.set_custom_audit(&open.path, audit)?;
        Ok(self.engine.run_custom_audits(&open.path, CrawlChoice::Number(crawl), Some(&id))?)
    }

    /// Removes an audit with all its findings.
    pub fn remove_custom_audit(&self, crawl: i64, id: &str) -> Result<Vec<CustomAuditCard>, ApiError> {
        let open = self.opened()?;
        self.engine.remove_custom_audit(&open.path, id)?;
        self.custom_audits(crawl)
    }

    /// The documented views with their columns, beside which a statement is written.
    pub fn views(&self) -> Result<Vec<ViewCard>, ApiError> {
        Ok(self.engine.open(&self.opened()?.path, Access::Read)?.views()?)
    }

    /// Ends the call with this ticket.
    pub fn cancel_custom(&self, ticket: u64) {
        self.custom.cancel(ticket);
    }
}
