//! What a person understands of a crawl: the overview, the issues, one URL in detail, the pulse of a running crawl.
//!
//! Everything is read from the project file when it is asked for; nothing is kept between two questions, so the answers
//! are those of the file's last commit, also while a crawl runs.
//!
//! Absences: nothing is written, no table is paged through (that is `table`), no number is formatted for a locale.

pub(crate) mod cards;
mod detail;
mod distributions;
mod dto;
mod facts;
mod filters;
mod fix_first;
mod groups;
mod headers;
mod place;
mod pulse;
mod sections;
mod structured;
mod summary;
mod texts;
mod ticket;

pub use dto::{
    Bar, DetailIssue, Distribution, Fact, FindingPlace, FixFirst, Heading, Hop, HostPulse, IssueCard,
    IssueGroup, Overview, PastVisit, Preview, ProblemPulse, Pulse, SectionCard, Tone, UrlDetail,
};

pub use structured::{StructuredDetail, StructuredEntity, StructuredFault, StructuredLine};

use crate::dto::{Access, CrawlCard};
use crate::error::EngineError;
use crate::project::Project;
use crate::seams::Engine;
use model::Address;
use model::Clock;
use std::path::Path;
use std::sync::Arc;
use store::{Reader, StoreError};

/// A project file opened for understanding its crawls. Usable beside a running crawl, from one thread at a time.
pub struct Insight {
    project: Project,
    clock: Arc<dyn Clock>,
}

/// How a URL was asked for.
pub(crate) struct Request {
    pub(crate) url: String,
    /// HEAD instead of GET.
    pub(crate) head: bool,
    /// Of the answer: `HTTP/1.1`.
    pub(crate) version: Option<String>,
    /// What was said for the crawl.
    pub(crate) profile: String,
}

impl Engine {
    /// Opens a project file that exists for questions about its crawls.
    pub fn insight(&self, project: &Path) -> Result<Insight, EngineError> {
        Ok(Insight { project: self.open(project, Access::Read)?, clock: Arc::clone(self.clock()) })
    }
}

impl Insight {
    /// A crawl at a glance: what to fix first, and how its URLs are distributed.
    pub fn overview(&self, crawl: i64) -> Result<Overview, EngineError> {
        let card = self.card(crawl)?;
        self.read(|reader| {
            let mut issues = cards::cards(reader, crawl)?;
            let ignored = issues.iter().map(|card| card.ignored).sum();
            issues.retain(|card| card.findings > 0);
            let seen = distributions::scan(reader, crawl)?;
            let fix_first = fix_first::fix_first(reader, crawl, &issues, &seen.places)?;
            let findings_of = |severity: &str| {
                issues.iter().filter(|card| card.severity == severity).map(|card| card.findings).sum()
            };
            Ok(Overview {
                pages: seen.places.pages,
                indexable: seen.places.indexable,
                issues: findings_of("issue"),
                warnings: findings_of("warning"),
                ignored,
                fix_first,
                distributions: seen.distributions,
                caution: caution(reader, crawl)?,
                crawl: card,
            })
        })
    }

    /// The sections of the site with what is usual in each, the largest first, 50 at most. What has fewer than eight pages is none.
    pub fn sections(&self, crawl: i64) -> Result<Vec<SectionCard>, EngineError> {
        self.project.known(crawl)?;
        self.read(|reader| sections::sections(reader, crawl))
    }

    /// What the audits found: one card an audit at each severity, worst first; audits all of whose findings are ignored have a
    /// card too. While a crawl runs, what is there so far.
    pub fn issues(&self, crawl: i64) -> Result<Vec<IssueCard>, EngineError> {
        self.project.known(crawl)?;
        self.read(|reader| cards::cards(reader, crawl))
    }

    /// The findings of an audit by what makes them one thing to fix, biggest first, 100 at most.
    pub fn issue_groups(&self, crawl: i64, audit: &str) -> Result<Vec<IssueGroup>, EngineError> {
        self.project.known(crawl)?;
        self.read(|reader| groups::groups(reader, crawl, audit))
    }

    /// An audit's findings as Markdown for a ticket.
    pub fn issue_text(&self, crawl: i64, audit: &str) -> Result<String, EngineError> {
        let card = self.card(crawl)?;
        self.read(|reader| ticket::ticket(reader, &card, audit))
    }

    /// Everything about one URL of a crawl.
    pub fn url_detail(&self, crawl: i64, key: i64) -> Result<UrlDetail, EngineError> {
        self.project.known(crawl)?;
        self.read(|reader| detail::detail(reader, crawl, url_of(key)))?
            .ok_or_else(|| EngineError::Usage(format!("crawl {crawl} has no URL with the key {key}")))
    }

    /// The stored HTML of a page as text, decoded as the crawl decoded it; `None` where it was not kept.
    pub fn url_html(&self, crawl: i64, key: i64) -> Result<Option<String>, EngineError> {
        let url = url_of(key);
        self.read(|reader| {
            let Some(html) = reader.html(crawl, url)? else { return Ok(None) };
            let content_type = reader.one(
                "SELECT s.value FROM answer a JOIN string s ON s.id = a.content_type WHERE a.key = ?1",
                &[store::key(crawl, url).into()],
                |row| row.text(0).to_owned(),
            )?;
            let charset = parse::charset(&html, content_type.as_deref());
            Ok(Some(charset.encoding.decode(&html).0.into_owned()))
        })
    }

    /// How a crawl asked for a URL; `None` where it never did.
    pub(crate) fn request(&self, crawl: i64, key: i64) -> Result<Option<Request>, EngineError> {
        self.read(|reader| {
            reader.one(
                "SELECT u.text, a.method, s.value, c.profile FROM answer a JOIN url u ON u.id = a.key & 4294967295
                 JOIN crawl c ON c.id = a.key >> 32 LEFT JOIN string s ON s.id = a.version WHERE a.key = ?1",
                &[store::key(crawl, url_of(key)).into()],
                |row| Request {
                    url: row.text(0).to_owned(),
                    head: row.int(1) == 2,
                    version: row.opt_text(2).map(str::to_owned),
                    profile: row.text(3).to_owned(),
                },
            )
        })
    }

    /// Where in the source of its page the element of a finding stands; `None` where the finding is about no element, or the
    /// source was not kept. `link` is the finding's place as tables and details give it.
    pub fn finding_place(
        &self,
        crawl: i64,
        key: i64,
        audit: &str,
        link: i64,
    ) -> Result<Option<FindingPlace>, EngineError> {
        self.read(|reader| place::place(reader, crawl, url_of(key), audit, link))
    }

    /// The key of a URL that a crawl met, by its text. Parsed as the crawl parses addresses: its spelling, the case of its
    /// escapes and its fragment do not matter.
    pub fn url_key(&self, crawl: i64, text: &str) -> Result<Option<i64>, EngineError> {
        let text = text.trim();
        // Links of other schemes are kept as they were written.
        let wanted = Address::parse(text).map_or_else(|_| text.to_owned(), |address| address.to_string());
        self.read(|reader| {
            let Some(url) = reader.find_url(&wanted)? else { return Ok(None) };
            let key = store::key(crawl, url);
            reader.one("SELECT key FROM visit WHERE key = ?1", &[key.into()], |row| row.int(0))
        })
    }

    /// What a running crawl is met with: its slowest hosts and newest problems. Looks at the answers of 4,000 URLs, those that
    /// were met last, so the work is the same for any size of crawl.
    pub fn pulse(&self, crawl: i64) -> Result<Pulse, EngineError> {
        let began = self.clock.now();
        let mut pulse = self.read(|reader| pulse::pulse(reader, crawl))?;
        pulse.took_ms = self.clock.now().saturating_duration_since(began).as_millis() as u64;
        Ok(pulse)
    }

    fn card(&self, crawl: i64) -> Result<CrawlCard, EngineError> {
        self.project.known(crawl)?;
        let cards = self.project.crawls()?;
        cards
            .into_iter()
            .find(|card| card.crawl == crawl)
            .ok_or_else(|| EngineError::Internal(format!("crawl {crawl} is gone")))
    }

    /// The crawl, when the project has it.
    pub(crate) fn known(&self, crawl: i64) -> Result<i64, EngineError> {
        self.project.known(crawl)
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Reads one state of the file.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, StoreError>,
    ) -> Result<T, EngineError> {
        let reader = self.project.reader();
        let done = reader.snapshot(|| read(reader)).and_then(|done| done);
        done.map_err(|error| self.project.failed(error))
    }
}

/// That the site went down in the middle, or that the crawl went on without what had let it in, where that is so.
fn caution(reader: &Reader, crawl: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT subject, detail FROM warning WHERE crawl = ?1 AND code = ?2 LIMIT 1";
    let told = |code: &str, between: &str| {
        reader
            .one(sql, &[crawl.into(), code.into()], |row| format!("{}{between}{}", row.text(0), row.text(1)))
    };
    let told = [told("site-down", " ")?, told(crate::logins::LEFT_OUT, ": ")?];
    let told: Vec<String> = told.into_iter().flatten().collect();
    Ok((!told.is_empty()).then(|| told.join(". ")))
}

/// The project's number of a URL, from a key of any crawl or from the number itself.
const fn url_of(key: i64) -> u32 {
    (key & 0xFFFF_FFFF) as u32
}

#[cfg(test)]
mod small;
#[cfg(test)]
mod tests;
