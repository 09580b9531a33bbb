//! Pages as a second user agent is shown them: each internal page of the crawl is asked once more, when all else is done.
//!
//! What came is stored beside the first answer and changes nothing of it. A page that has a row is not asked again, so that a
//! crawl that was interrupted goes on where it was.

use crate::course::Course;
use crate::extras::Extra;
use crate::lanes::Job;
use crate::record::{Record, millis};
use model::{LinkTarget, Outcome, Purpose};
use store::{AgentRow, StoreError};

/// Pages that are taken up at once.
const BATCH: i64 = 1_000;

/// What a page answered the second user agent.
pub(crate) struct Compared {
    pub url: u32,
    pub row: AgentRow,
}

impl Compared {
    /// Runs on a parse thread. `asked`: when the last request began and how long it took.
    pub(crate) fn of(record: Record, asked: Option<(i64, u32)>) -> Self {
        let redirect =
            record.links.links.first().filter(|_| record.redirect).and_then(|link| match &link.target {
                LinkTarget::Http(target) => Some(target.to_string()),
                LinkTarget::OtherScheme(_) | LinkTarget::Invalid => None,
            });
        let (started, total_ms) = asked.unwrap_or_default();
        let row = AgentRow {
            status: record.answer.status,
            failure: record.failure,
            redirect,
            indexability: record.page.map(|(_, indexability)| indexability),
            started,
            total_ms,
        };
        Self { url: record.url, row }
    }
}

/// When the last request of an outcome began, in Unix milliseconds, and how long it took.
pub(crate) fn asked(outcome: &Outcome) -> Option<(i64, u32)> {
    let last = outcome.attempts.last()?;
    Some((model::clock::unix_millis(last.started), millis(last.total)))
}

impl Course<'_, '_> {
    /// Takes up the next pages that the second user agent has not asked for.
    pub(crate) fn take_up_comparisons(&mut self) -> Result<(), StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let from = self.extras.compared_to.max(first);
        let sql = "SELECT p.key, v.host, u.text FROM page p CROSS JOIN visit v ON v.key = p.key CROSS JOIN answer a ON a.key = p.key
             CROSS JOIN url u ON u.id = p.key & 4294967295
             WHERE p.key > ?1 AND p.key <= ?2 AND v.internal AND v.state = 1 AND a.status BETWEEN 200 AND 299
               AND NOT EXISTS (SELECT 1 FROM agent_check k WHERE k.key = p.key) ORDER BY p.key LIMIT ?3";
        let mut jobs = Vec::new();
        let mut reached = from;
        self.writer.rows(sql, &[from.into(), last.into(), BATCH.into()], &mut |row| {
            reached = row.int(0);
            jobs.push(Job {
                url: (row.int(0) - first) as u32,
                host: row.int(1) as u32,
                text: row.text(2).to_owned(),
                purpose: Purpose::Crawl,
                internal: true,
                hop: false,
            });
            Ok(())
        })?;
        self.extras.compared_to = reached;
        for job in jobs {
            self.extras.add(Extra::Compare(job));
        }
        Ok(())
    }

    pub(crate) fn apply_compared(&mut self, compared: &Compared) -> Result<(), StoreError> {
        self.extras.arrived();
        self.writer.put_agent_check(self.crawl.id, compared.url, &compared.row)
    }
}
