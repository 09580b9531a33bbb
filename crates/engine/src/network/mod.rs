//! The hosts that a crawl contacts: requests, bytes, time, pauses, certificates.
//!
//! The numbers are those of the project file, which a running crawl keeps up to date; how hosts are being asked at this moment
//! is added by whoever runs the crawl.

mod dto;

pub use dto::{HostCertificate, Network, NetworkHost};

use crate::error::EngineError;
use crate::insight::Insight;
use fetch::HostState;
use std::collections::HashMap;
use store::views::iso_sql;
use store::{Reader, Row, StoreError};

/// Hosts told at most.
const HOSTS: usize = 2_000;

impl Insight {
    /// Every host that the crawl contacted, the most requests first.
    pub fn network(&self, crawl: i64) -> Result<Network, EngineError> {
        self.known(crawl)?;
        self.read(|reader| network(reader, crawl))
    }
}

fn network(reader: &Reader, crawl: i64) -> Result<Network, StoreError> {
    let sql = "SELECT count(*), total(requests), total(bytes), total(errors), total(slow_downs) FROM host_traffic WHERE crawl = ?1";
    let sums = reader.one(sql, &[crawl.into()], |row| {
        let of = |column: usize| row.int(column).max(0) as u64;
        Network {
            live: false,
            total: of(0),
            requests: of(1),
            bytes: of(2),
            errors: of(3),
            slow_downs: of(4),
            hosts: Vec::new(),
        }
    })?;
    let mut network = sums.unwrap_or_default();
    let (from, until) = (iso_sql("t.certificate_from"), iso_sql("t.certificate_expires"));
    let sql = format!(
        "SELECT h.origin, h.name, t.internal, t.requests, t.bytes, t.errors, t.slow_downs, t.paused_ms, t.total_ms, t.remote, t.version,
         r.state, r.status, r.crawl_delay, t.certificate_issuer, t.certificate_subject, t.certificate_names, {from}, {until}, t.certificate_fault
         FROM host_traffic t CROSS JOIN host h ON h.id = t.host LEFT JOIN robots r ON r.crawl = t.crawl AND r.host = t.host
         WHERE t.crawl = ?1 ORDER BY t.requests DESC, h.origin LIMIT {HOSTS}"
    );
    reader.rows(&sql, &[crawl.into()], &mut |row| {
        network.hosts.push(host(row));
        true
    })?;
    Ok(network)
}

fn host(row: &Row) -> NetworkHost {
    let count = |column: usize| row.int(column).max(0) as u64;
    let text = |column: usize| row.opt_text(column).map(str::to_owned);
    let (requests, total_ms) = (count(3), count(8));
    NetworkHost {
        origin: row.text(0).to_owned(),
        host: row.text(1).to_owned(),
        internal: row.int(2) != 0,
        requests,
        bytes: count(4),
        errors: count(5),
        slow_downs: count(6),
        paused_ms: count(7),
        paused_for_ms: None,
        concurrency: None,
        in_flight: None,
        crawl_delay: row.opt_int(13).map(|_| row.real(13)),
        total_ms,
        mean_ms: total_ms / requests.max(1),
        robots_state: text(11),
        robots_status: row.opt_int(12).and_then(|status| u16::try_from(status).ok()),
        certificate: certificate(row),
        remote: text(9),
        version: text(10),
    }
}

fn certificate(row: &Row) -> Option<HostCertificate> {
    Some(HostCertificate {
        issuer: row.opt_text(14)?.to_owned(),
        subject: row.text(15).to_owned(),
        names: row.text(16).split_whitespace().map(str::to_owned).collect(),
        from: row.text(17).to_owned(),
        until: row.text(18).to_owned(),
        fault: row.opt_text(19).map(str::to_owned),
    })
}

impl Network {
    /// Adds how the hosts are being asked at this moment; `now` is by name without port.
    pub(crate) fn alive(&mut self, now: &HashMap<String, HostState>) {
        self.live = true;
        let number = |number: usize| Some(u32::try_from(number).unwrap_or(u32::MAX));
        for host in &mut self.hosts {
            let Some(state) = now.get(name(&host.host)) else { continue };
            host.paused_for_ms =
                state.paused_for.map(|pause| u64::try_from(pause.as_millis()).unwrap_or(u64::MAX));
            host.concurrency = number(state.concurrency);
            host.in_flight = number(state.in_flight);
        }
    }
}

/// A host without its port.
fn name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => {
            if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { host }
        }
        _ => host,
    }
}

#[cfg(test)]
mod tests;
