//! The pulse of a running crawl, from a bounded number of answers.
//!
//! There is no index by time. URLs are numbered as they are met and asked about in that order, so the answers with the highest
//! numbers are about the newest.

use super::dto::{HostPulse, ProblemPulse, Pulse};
use std::collections::HashMap;
use store::{Reader, StoreError};

/// Answers looked at.
const LOOKED_AT: i64 = 4_000;
const HOSTS: usize = 8;
const PROBLEMS: usize = 12;

#[derive(Default)]
struct Speed {
    answers: u64,
    /// Answers whose first byte was timed, and the sum of these times.
    timed: u64,
    sum_ms: u64,
    slowest_ms: u64,
}

/// `took_ms` is left to the caller, who has a clock.
pub(super) fn pulse(reader: &Reader, crawl: i64) -> Result<Pulse, StoreError> {
    let mut speeds: HashMap<i64, Speed> = HashMap::new();
    // Moment and key.
    let mut problems: Vec<(i64, i64)> = Vec::new();
    let (first, last) = store::key_range(crawl);
    reader.rows(
        "SELECT v.key, v.host, v.state, a.status, a.ttfb_ms, a.started FROM answer a CROSS JOIN visit v ON v.key = a.key
         WHERE a.key BETWEEN ?1 AND ?2 ORDER BY a.key DESC LIMIT ?3",
        &[first.into(), last.into(), LOOKED_AT.into()],
        &mut |row| {
            let failed = row.int(2) == i64::from(model::UrlState::Failed.code());
            if failed || row.int(3) >= 400 {
                problems.push((row.int(5), row.int(0)));
            }
            if row.opt_int(3).is_some() {
                let speed = speeds.entry(row.int(1)).or_default();
                speed.answers += 1;
                if let Some(ms) = row.opt_int(4).and_then(|ms| u64::try_from(ms).ok()) {
                    speed.timed += 1;
                    speed.sum_ms += ms;
                    speed.slowest_ms = speed.slowest_ms.max(ms);
                }
            }
            true
        },
    )?;
    problems.sort_unstable_by(|a, b| b.cmp(a));
    problems.truncate(PROBLEMS);
    let problems =
        problems.into_iter().map(|(_, key)| problem(reader, key)).collect::<Result<Vec<_>, _>>()?;
    Ok(Pulse {
        hosts: slowest(reader, speeds)?,
        problems: problems.into_iter().flatten().collect(),
        took_ms: 0,
    })
}

fn slowest(reader: &Reader, speeds: HashMap<i64, Speed>) -> Result<Vec<HostPulse>, StoreError> {
    let mean = |speed: &Speed| speed.sum_ms.checked_div(speed.timed).unwrap_or_default();
    let mut speeds: Vec<(i64, Speed)> = speeds.into_iter().collect();
    speeds.sort_by_key(|(host, speed)| (std::cmp::Reverse(mean(speed)), *host));
    speeds.truncate(HOSTS);
    let mut hosts = Vec::with_capacity(speeds.len());
    for (host, speed) in speeds {
        let name = reader
            .one("SELECT name FROM host WHERE id = ?1", &[host.into()], |row| row.text(0).to_owned())?;
        hosts.push(HostPulse {
            host: name.unwrap_or_default(),
            answers: speed.answers,
            mean_ms: mean(&speed),
            slowest_ms: speed.slowest_ms,
        });
    }
    Ok(hosts)
}

fn problem(reader: &Reader, key: i64) -> Result<Option<ProblemPulse>, StoreError> {
    let asked = store::views::iso_sql("nullif(a.started, 0)");
    reader.one(
        &format!("SELECT u.text, a.status, r.value, {asked}
         FROM visit v JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN answer a ON a.key = v.key LEFT JOIN string r ON r.id = v.reason
         WHERE v.key = ?1"),
        &[key.into()],
        |row| ProblemPulse {
            key,
            url: row.text(0).to_owned(),
            status: row.opt_int(1).and_then(|status| u16::try_from(status).ok()),
            reason: row.opt_text(2).map(str::to_owned),
            moment: row.opt_text(3).map(str::to_owned),
        },
    )
}
