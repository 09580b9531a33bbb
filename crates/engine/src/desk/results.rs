//! What the open project holds: its tables, what they mean, and the files made of them.

use super::refusal::ApiError;
use super::{Desk, OpenProject, lock};
use crate::broken_links::BrokenLinksOptions;
use crate::curl::CurlCommand;
use crate::dto::{Access, CrawlChoice, Exported};
use crate::explain::{AuditCard, explain};
use crate::insight::{FindingPlace, Insight, IssueCard, IssueGroup, Overview, Pulse, SectionCard, UrlDetail};
use crate::report_style::report_style;
use crate::table::{CopyFormat, RowRange, TableCard, TableOpened, TableQuery, TableRow, Tables};
use crate::traps::TrapCard;
use std::path::Path;
use std::sync::Arc;

impl Desk {
    // ---- Tables

    /// Every table with its columns, those included that a person gave the open project.
    pub fn tables(&self) -> Result<Vec<TableCard>, ApiError> {
        match self.opened() {
            Ok(open) => Ok(open.tables.cards()?),
            Err(_) => Ok(Tables::catalogue()),
        }
    }

    /// Opens a table of the open project. `ticket` names the call for `cancel_table`; it then ends with code `cancelled`.
    pub fn open_table(&self, query: &TableQuery, ticket: u64) -> Result<TableOpened, ApiError> {
        Ok(self.opened()?.tables.open_table(query, ticket)?)
    }

    pub fn cancel_table(&self, ticket: u64) {
        if let Ok(open) = self.opened() {
            open.tables.cancel(ticket);
        }
    }

    pub fn table_rows(
        &self,
        table: u32,
        start: u64,
        count: u64,
        columns: &[String],
    ) -> Result<Vec<TableRow>, ApiError> {
        Ok(self.opened()?.tables.rows(table, start, count, columns)?)
    }

    /// Rows that the same query would give now.
    pub fn table_length(&self, table: u32) -> Result<u64, ApiError> {
        Ok(self.opened()?.tables.length(table)?)
    }

    pub fn table_position(&self, table: u32, key: i64, link: i64) -> Result<Option<u64>, ApiError> {
        Ok(self.opened()?.tables.position(table, key, link)?)
    }

    pub fn close_table(&self, table: u32) {
        if let Ok(open) = self.opened() {
            open.tables.close(table);
        }
    }

    pub fn copy_rows(
        &self,
        table: u32,
        ranges: &[RowRange],
        columns: &[String],
        format: CopyFormat,
    ) -> Result<String, ApiError> {
        Ok(self.opened()?.tables.copy(table, ranges, columns, format)?)
    }

    /// Writes rows, all unless ranges say which, to a file whose ending says the format.
    pub fn export_table(
        &self,
        table: u32,
        ranges: Option<&[RowRange]>,
        columns: &[String],
        path: &Path,
    ) -> Result<Exported, ApiError> {
        self.refuse_relative(path)?;
        let written = self.opened()?.tables.export(table, ranges, columns, path)?;
        self.wrote(path);
        Ok(written)
    }

    // ---- Understanding

    pub fn overview(&self, crawl: i64) -> Result<Overview, ApiError> {
        Ok(self.insight()?.overview(crawl)?)
    }

    pub fn sections(&self, crawl: i64) -> Result<Vec<SectionCard>, ApiError> {
        Ok(self.insight()?.sections(crawl)?)
    }

    pub fn issues(&self, crawl: i64) -> Result<Vec<IssueCard>, ApiError> {
        Ok(self.insight()?.issues(crawl)?)
    }

    pub fn audit(&self, id: &str) -> Result<AuditCard, ApiError> {
        if id.starts_with(store::CUSTOM)
            && let Ok(open) = self.opened()
            && let Some(card) = self.engine.open(&open.path, Access::Read)?.explain_custom(id)?
        {
            return Ok(card);
        }
        Ok(explain(id)?)
    }

    pub fn issue_groups(&self, crawl: i64, audit: &str) -> Result<Vec<IssueGroup>, ApiError> {
        Ok(self.insight()?.issue_groups(crawl, audit)?)
    }

    pub fn issue_text(&self, crawl: i64, audit: &str) -> Result<String, ApiError> {
        Ok(self.insight()?.issue_text(crawl, audit)?)
    }

    pub fn url_detail(&self, crawl: i64, key: i64) -> Result<UrlDetail, ApiError> {
        Ok(self.insight()?.url_detail(crawl, key)?)
    }

    pub fn url_html(&self, crawl: i64, key: i64) -> Result<Option<String>, ApiError> {
        Ok(self.insight()?.url_html(crawl, key)?)
    }

    /// Where in the source of its page the element of a finding stands.
    pub fn finding_place(
        &self,
        crawl: i64,
        key: i64,
        audit: &str,
        link: i64,
    ) -> Result<Option<FindingPlace>, ApiError> {
        Ok(self.insight()?.finding_place(crawl, key, audit, link)?)
    }

    /// The command line that asks for a URL as the crawl did.
    pub fn curl_command(&self, crawl: i64, key: i64) -> Result<Option<CurlCommand>, ApiError> {
        Ok(self.engine.curl_command(&self.opened()?.path, crawl, key)?)
    }

    /// The key of a URL that the crawl met, by its text.
    pub fn url_key(&self, crawl: i64, url: &str) -> Result<Option<i64>, ApiError> {
        Ok(self.insight()?.url_key(crawl, url)?)
    }

    pub fn traps(&self, crawl: i64) -> Result<Vec<TrapCard>, ApiError> {
        Ok(self.insight()?.traps(crawl)?)
    }

    pub fn pulse(&self, crawl: i64) -> Result<Pulse, ApiError> {
        Ok(self.insight()?.pulse(crawl)?)
    }

    // ---- Reports

    /// Writes the report of broken links in the looks of a profile; the file's ending says the form.
    pub fn broken_link_report(
        &self,
        crawl: i64,
        profile: Option<&str>,
        path: &Path,
    ) -> Result<Exported, ApiError> {
        self.refuse_relative(path)?;
        let open = self.opened()?;
        let style = report_style(self.profile_file(profile)?.as_deref(), &[])?;
        let options = BrokenLinksOptions { style, ..BrokenLinksOptions::default() };
        let project = self.engine.open(&open.path, Access::Read)?;
        let written = project.broken_links(CrawlChoice::Number(crawl), &options, path)?;
        self.wrote(path);
        Ok(written)
    }

    pub(super) fn opened(&self) -> Result<Arc<OpenProject>, ApiError> {
        lock(&self.open).clone().ok_or_else(|| ApiError::usage("No project is open."))
    }

    /// Opened for each question: it takes about a millisecond, and questions never wait for one another.
    pub(super) fn insight(&self) -> Result<Insight, ApiError> {
        Ok(self.engine.insight(&self.opened()?.path)?)
    }
}
