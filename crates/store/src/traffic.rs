//! Rows about hosts and sitemaps: what went to and came from an origin, and what is wrong with a sitemap.

use crate::error::StoreError;
use crate::rows::TrafficRow;
use crate::writer::Writer;
use rusqlite::params;

impl Writer {
    /// Adds what went to and came from an origin to what is stored of it.
    pub fn add_traffic(&mut self, crawl: i64, host: u32, traffic: &TrafficRow) -> Result<(), StoreError> {
        let certificate = traffic.certificate.as_ref();
        self.connection
            .prepare_cached(
                "INSERT INTO host_traffic(crawl, host, requests, bytes, errors, slow_downs, certificate_expires, internal, total_ms, paused_ms, remote, version,
                 certificate_from, certificate_issuer, certificate_subject, certificate_names, certificate_fault)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
                 ON CONFLICT DO UPDATE SET requests = requests + ?3, bytes = bytes + ?4, errors = errors + ?5, slow_downs = slow_downs + ?6,
                 internal = ?8, total_ms = total_ms + ?9, paused_ms = paused_ms + ?10, remote = coalesce(?11, remote), version = coalesce(?12, version),
                 certificate_fault = CASE WHEN ?7 IS NULL THEN certificate_fault ELSE ?17 END, certificate_expires = coalesce(?7, certificate_expires),
                 certificate_from = coalesce(?13, certificate_from), certificate_issuer = coalesce(?14, certificate_issuer),
                 certificate_subject = coalesce(?15, certificate_subject), certificate_names = coalesce(?16, certificate_names)",
            )?
            .execute(params![
                crawl,
                host,
                traffic.requests as i64,
                traffic.bytes as i64,
                traffic.errors as i64,
                traffic.slow_downs as i64,
                certificate.map(|facts| facts.until),
                traffic.internal,
                traffic.total_ms as i64,
                traffic.paused_ms as i64,
                traffic.remote,
                traffic.version,
                certificate.map(|facts| facts.from),
                certificate.map(|facts| &*facts.issuer),
                certificate.map(|facts| &*facts.subject),
                certificate.map(|facts| &*facts.names),
                certificate.and_then(|facts| facts.fault.as_deref()),
            ])?;
        Ok(())
    }

    /// Stores the `n`th thing that is wrong with a sitemap. Line and column are counted from 1; 0 where there is none.
    pub fn put_sitemap_problem(
        &mut self,
        sitemap: i64,
        n: usize,
        code: &str,
        (line, column): (u32, u32),
        detail: &str,
    ) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO sitemap_problem(sitemap, n, code, line, column, detail) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute((sitemap, n as i64, code, line, column, detail))?;
        Ok(())
    }
}
