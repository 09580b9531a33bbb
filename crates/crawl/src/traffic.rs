//! What went to and came from every origin, stored while the crawl goes on: also a killed one has its numbers.

use crate::course::Course;
use fetch::CertificateFacts;
use model::clock::unix_millis;
use std::time::{Duration, Instant};
use store::{CertificateRow, StoreError, TrafficRow};

/// How far the stored numbers may be behind those of a running crawl.
const BEHIND: Duration = Duration::from_secs(1);

impl Course<'_, '_> {
    /// Stores the traffic that is new, if some time has passed since the last.
    pub(crate) fn store_traffic_now_and_then(&mut self) -> Result<(), StoreError> {
        let now = self.crawl.seams.clock.now();
        if is_due(self.traffic_stored, now) {
            self.traffic_stored = Some(now);
            self.store_traffic()?;
        }
        Ok(())
    }

    /// Adds the traffic since the last call to what is stored of it.
    pub(crate) fn store_traffic(&mut self) -> Result<(), StoreError> {
        self.writer.begin()?;
        for traffic in self.fetcher.take_traffic() {
            let host = self.writer.host(&traffic.origin)?;
            let internal = self.frontier.is_internal(host, &traffic.origin);
            let certificate = self.fetcher.certificate(&traffic.origin).map(row);
            let row = TrafficRow {
                internal,
                requests: traffic.requests,
                bytes: traffic.bytes,
                errors: traffic.errors,
                slow_downs: traffic.slow_downs,
                total_ms: millis(traffic.time),
                paused_ms: millis(traffic.paused),
                remote: traffic.remote.map(|remote| remote.to_string()),
                version: traffic.version,
                certificate,
            };
            self.writer.add_traffic(self.crawl.id, host, &row)?;
        }
        Ok(())
    }
}

fn is_due(stored: Option<Instant>, now: Instant) -> bool {
    stored.is_none_or(|stored| now.saturating_duration_since(stored) >= BEHIND)
}

fn row(facts: CertificateFacts) -> CertificateRow {
    CertificateRow {
        from: unix_millis(facts.not_before),
        until: unix_millis(facts.not_after),
        issuer: facts.issuer,
        subject: facts.subject,
        names: facts.names.join(" "),
        fault: facts.fault.map(|fault| fault.detail),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
