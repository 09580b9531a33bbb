//! Ignoring findings, and counting them again.

use super::dto::{IgnoreRequest, IgnoreWhat, IgnoredCard};
use super::known_audit;
use crate::dto::CrawlChoice;
use crate::error::EngineError;
use crate::project::Project;
use model::Address;
use model::calendar::is_date;
use model::segment::Segment;
use store::{StoreError, Value, Writer};

/// Entries of one request.
const MOST: usize = 1_000;
/// Characters of a reason, and bytes of what is meant.
const LONGEST: usize = 4_000;

impl Project {
    /// Ignores findings from now on, in all crawls of the project; gives the new entries. Everything is checked first.
    pub fn ignore(&mut self, request: &IgnoreRequest) -> Result<Vec<IgnoredCard>, EngineError> {
        let audit = known_audit(&request.audit)?;
        let reason = request.reason.trim();
        if reason.is_empty() {
            return Err(EngineError::Usage(
                "say why it may stay: whoever comes upon it later has nothing else to go by".to_owned(),
            ));
        }
        if reason.chars().count() > LONGEST {
            return Err(EngineError::Usage(format!("a reason has {LONGEST} characters at most")));
        }
        if request.what.is_empty() {
            return Err(EngineError::Usage("nothing was named that is to be ignored".to_owned()));
        }
        if request.what.len() > MOST {
            return Err(EngineError::Usage(format!(
                "{MOST} URLs at most are ignored one by one; a pattern (https://example.com/folder/*) or the whole audit says more"
            )));
        }
        let until = request.until.as_deref().map(|day| self.until(day)).transpose()?;
        let what = request
            .what
            .iter()
            .map(|what| self.checked(&audit, what))
            .collect::<Result<Vec<IgnoreWhat>, _>>()?;
        let now = self.now();
        let writer = self.writer()?;
        let done = in_transaction(writer, |writer| {
            let mut numbers = Vec::with_capacity(what.len());
            for what in &what {
                numbers.push(insert(writer, &audit, what, reason, now, until.as_deref())?);
            }
            audit::mark_ignored(writer, None, Some(&audit))?;
            Ok(numbers)
        });
        let numbers = done.map_err(|error| self.failed(error))?;
        let mut cards = self.ignored(CrawlChoice::Latest)?;
        cards.retain(|card| numbers.contains(&card.number));
        Ok(cards)
    }

    /// Everything that is ignored, the newest first, expired entries included.
    pub fn ignored(&self, crawl: CrawlChoice) -> Result<Vec<IgnoredCard>, EngineError> {
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => self.known(crawl)?,
            CrawlChoice::Latest | CrawlChoice::All => self.latest().unwrap_or_default(),
        };
        let made = store::views::iso_sql("g.made");
        let sql = format!(
            "SELECT g.id, g.audit, coalesce(n.title, g.audit), g.kind, coalesce(g.subject, ''), g.target, g.reason, {made}, g.until,
               g.until IS NOT NULL AND g.until <= CURRENT_DATE,
               CASE WHEN g.kind = 'audit' THEN coalesce((SELECT e.findings FROM evaluation e WHERE e.crawl = ?1 AND e.audit = n.id), 0)
               ELSE (SELECT count(*) FROM ignored_finding x WHERE x.crawl = ?1 AND x.audit = n.id AND x.ignored = g.id) END
             FROM ignored g LEFT JOIN audit n ON n.name = g.audit ORDER BY g.id DESC"
        );
        let mut cards = Vec::new();
        let read = self.reader().rows(&sql, &[crawl.into()], &mut |row| {
            let subject = row.text(4).to_owned();
            let what = match row.text(3) {
                "url" => IgnoreWhat::Url(subject),
                "pattern" => IgnoreWhat::Pattern(subject),
                "place" => IgnoreWhat::Place { element: subject, target: row.opt_text(5).map(str::to_owned) },
                "text" => IgnoreWhat::Text(subject),
                _ => IgnoreWhat::Audit,
            };
            let expired = row.int(9) != 0;
            cards.push(IgnoredCard {
                number: row.int(0),
                audit: row.text(1).to_owned(),
                title: row.text(2).to_owned(),
                what,
                reason: row.text(6).to_owned(),
                made: row.text(7).to_owned(),
                until: row.opt_text(8).map(str::to_owned),
                expired,
                findings: if expired { 0 } else { row.int(10) as u64 },
            });
            true
        });
        read.map_err(|error| self.failed(error))?;
        Ok(cards)
    }

    /// Counts the findings of an entry again; the entry is gone.
    pub fn stop_ignoring(&mut self, number: i64) -> Result<(), EngineError> {
        let audit = self
            .reader()
            .one("SELECT audit FROM ignored WHERE id = ?1", &[number.into()], |row| row.text(0).to_owned())
            .map_err(|error| self.failed(error))?;
        let Some(audit) = audit else {
            return Err(EngineError::Usage(format!(
                "nothing is ignored under the number {number}; `gossamer ignore FILE --list` shows the numbers"
            )));
        };
        let writer = self.writer()?;
        let done = in_transaction(writer, |writer| {
            writer.run("DELETE FROM ignored WHERE id = ?1", &[number.into()])?;
            audit::mark_ignored(writer, None, Some(&audit))
        });
        done.map_err(|error| self.failed(error))
    }

    /// How many findings of a crawl are ignored.
    pub fn ignored_count(&self, crawl: CrawlChoice) -> Result<u64, EngineError> {
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => self.known(crawl)?,
            CrawlChoice::Latest | CrawlChoice::All => self.latest()?,
        };
        let count = self
            .reader()
            .one(&audit::ignored_count_sql(), &[crawl.into(), Value::Null], |row| row.int(0))
            .map_err(|error| self.failed(error))?;
        Ok(count.unwrap_or_default() as u64)
    }

    /// A day that is yet to come.
    fn until(&self, said: &str) -> Result<String, EngineError> {
        let said = said.trim();
        let parts: Vec<Option<i64>> = said.split('-').map(|part| part.parse().ok()).collect();
        let is_day = match parts.as_slice() {
            [Some(year), Some(month), Some(day)] => said.len() == 10 && is_date(*year, *month, *day),
            _ => false,
        };
        if !is_day {
            return Err(EngineError::Usage(format!(
                "until “{said}”: expected is a day such as 2027-03-31, on which the findings count again"
            )));
        }
        let today = store::day_of(self.now());
        if said <= today.as_str() {
            return Err(EngineError::Usage(format!(
                "until {said}: the findings count again on that day, so it has to lie after today, {today}"
            )));
        }
        Ok(said.to_owned())
    }

    /// What is meant, as it is stored.
    fn checked(&self, audit: &str, what: &IgnoreWhat) -> Result<IgnoreWhat, EngineError> {
        let filled = |text: &str, name: &str| {
            let text = text.trim();
            if text.is_empty() || text.len() > LONGEST {
                return Err(EngineError::Usage(format!("{name} has 1 to {LONGEST} bytes")));
            }
            Ok(text.to_owned())
        };
        Ok(match what {
            IgnoreWhat::Audit => IgnoreWhat::Audit,
            IgnoreWhat::Url(said) => {
                let said = filled(said, "a URL")?;
                let url = Address::parse(&said).map_or_else(|_| said.clone(), |address| address.to_string());
                let known = self.reader().find_url(&url).map_err(|error| self.failed(error))?;
                if known.is_none() {
                    return Err(EngineError::Usage(format!("no crawl of the project met {url}")));
                }
                IgnoreWhat::Url(url)
            }
            IgnoreWhat::Pattern(said) => {
                let pattern = filled(said, "a pattern")?;
                let one = Segment { name: "--url-pattern".to_owned(), patterns: vec![pattern.clone()] };
                one.check().map_err(EngineError::Usage)?;
                IgnoreWhat::Pattern(pattern)
            }
            IgnoreWhat::Place { element, target } => IgnoreWhat::Place {
                element: filled(element, "an element")?.split_whitespace().collect(),
                target: target.as_deref().map(str::trim).map(|target| {
                    Address::parse(target).map_or_else(|_| target.to_owned(), |address| address.to_string())
                }),
            },
            IgnoreWhat::Text(said) => {
                if audit::shared_text(audit).is_none() {
                    return Err(EngineError::Usage(format!(
                        "{audit} is not about a title, description or heading, so no text tells its findings apart"
                    )));
                }
                IgnoreWhat::Text(filled(said, "a text")?)
            }
        })
    }
}

/// Does work in one transaction, or none of it.
pub(super) fn in_transaction<T>(
    writer: &mut Writer,
    work: impl FnOnce(&mut Writer) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    writer.begin()?;
    match work(writer) {
        Ok(done) => {
            writer.commit()?;
            Ok(done)
        }
        Err(error) => {
            writer.rollback();
            Err(error)
        }
    }
}

fn insert(
    writer: &mut Writer,
    audit: &str,
    what: &IgnoreWhat,
    reason: &str,
    made: i64,
    until: Option<&str>,
) -> Result<i64, StoreError> {
    let (kind, subject, target) = match what {
        IgnoreWhat::Audit => ("audit", None, None),
        IgnoreWhat::Url(url) => ("url", Some(url.as_str()), None),
        IgnoreWhat::Pattern(pattern) => ("pattern", Some(pattern.as_str()), None),
        IgnoreWhat::Place { element, target } => ("place", Some(element.as_str()), target.as_deref()),
        IgnoreWhat::Text(text) => ("text", Some(text.as_str()), None),
    };
    let or_null = |text: Option<&str>| text.map_or(Value::Null, Value::from);
    let mut number = 0;
    writer.rows(
        "INSERT INTO ignored(audit, kind, subject, target, reason, made, until) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
        &[
            audit.into(),
            kind.into(),
            or_null(subject),
            or_null(target),
            reason.into(),
            made.into(),
            or_null(until),
        ],
        &mut |row| {
            number = row.int(0);
            Ok(())
        },
    )?;
    Ok(number)
}
