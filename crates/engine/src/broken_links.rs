//! The report of broken links: one row for each place where one stands, written as CSV, XLSX, HTML or JSON.
//!
//! Rows are read and written one by one. What is held in memory is a number for each target that does not work, and that for the
//! forms with a summary only.

mod reason;
mod sql;

use crate::destination;
use crate::dto::{CrawlChoice, Exported};
use crate::error::EngineError;
use crate::project::Project;
use crate::report_style::ReportStyle;
use reason::{End, Facts, Reason};
use report::{BrokenLinks, Count, Fault, Occurrence, ReportForm, Subject, Totals, Worst};
use sql::{Order, Pick, Way};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use store::{Reader, Row, StoreError, Value};

/// What the report contains and how it looks.
#[derive(Debug, Clone, Default)]
pub struct BrokenLinksOptions {
    pub style: ReportStyle,
    /// List links that could not be verified too, as what they are: never as broken.
    pub include_unverified: bool,
}

impl Project {
    /// Writes the report of one crawl to a file; its ending says the form. The file appears whole or not at all.
    pub fn broken_links(
        &self,
        crawl: CrawlChoice,
        options: &BrokenLinksOptions,
        to: &Path,
    ) -> Result<Exported, EngineError> {
        let form = ReportForm::of_path(to, options.style.csv_bom).ok_or_else(|| {
            EngineError::Usage(format!(
                "{}: the ending says the form; the report of broken links can be written as {}",
                to.display(),
                ReportForm::ENDINGS.join(", ")
            ))
        })?;
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => self.known(crawl)?,
            CrawlChoice::Latest => self.latest()?,
            CrawlChoice::All => {
                return Err(EngineError::Usage(
                    "the report of broken links is about one crawl; give its number".to_owned(),
                ));
            }
        };
        let source = Source::new(self.reader(), crawl, options.include_unverified)
            .map_err(|error| self.failed(error))?;
        let subject = source.subject().map_err(|error| self.failed(error))?;
        let (totals, sizes) = match form {
            ReportForm::Html | ReportForm::Rows(report::Format::Xlsx) => {
                source.totals().map_err(|error| self.failed(error))?
            }
            ReportForm::Rows(_) => (Totals::default(), HashMap::new()),
        };
        let unwritable = |why| EngineError::Unwritable { path: to.to_owned(), why };
        let mut file = destination::create(to)?;
        let mut report =
            BrokenLinks::new(form, &options.style.brand, &subject, &totals, &mut file).map_err(unwritable)?;
        let mut broken = None;
        let order = if form.sections() { Order::Section } else { Order::Target };
        let read = source.each(order, &sizes, &mut |occurrence| match report.row(occurrence) {
            Ok(()) => true,
            Err(error) => {
                broken = Some(error);
                false
            }
        });
        read.map_err(|error| self.failed(error))?;
        if let Some(error) = broken {
            return Err(unwritable(error));
        }
        let rows = report.finish().map_err(unwritable)?;
        file.place().map_err(unwritable)?;
        Ok(Exported { path: to.to_owned(), rows, left_out: 0 })
    }
}

/// Occurrences and different pages of each group.
type Sizes = HashMap<i64, (u64, u64)>;

/// The broken links of one crawl, as the project file has them.
struct Source<'a> {
    reader: &'a Reader,
    crawl: i64,
    way: Way,
    pick: Pick,
    /// First and last key of the crawl.
    keys: [Value; 2],
    /// When each crawl of the project began.
    began: HashMap<i64, String>,
}

/// The crawls in which the target being listed was broken, and the answer for the page looked at last.
#[derive(Default)]
struct Since {
    target: Option<i64>,
    crawls: Vec<i64>,
    page: Option<i64>,
    first: i64,
}

impl<'a> Source<'a> {
    fn new(reader: &'a Reader, crawl: i64, include_unverified: bool) -> Result<Self, StoreError> {
        let (first, last) = store::key_range(crawl);
        let mut began = HashMap::new();
        reader.rows("SELECT crawl, started FROM v_crawls", &[], &mut |row| {
            began.insert(row.int(0), row.text(1).to_owned());
            true
        })?;
        Ok(Self {
            reader,
            crawl,
            way: if reader.has_reverse_indexes()? { Way::Targets } else { Way::Pages },
            pick: if include_unverified { Pick::BrokenAndUnverified } else { Pick::Broken },
            keys: [first.into(), last.into()],
            began,
        })
    }

    fn subject(&self) -> Result<Subject, StoreError> {
        let read = |row: &Row| Subject {
            site: row.text(0).to_owned(),
            date: row.text(1).to_owned(),
            complete: row.text(2) == "finished",
            urls: row.int(3) as u64,
            pages: 0,
        };
        let sql = "SELECT start_url, started, state, encountered FROM v_crawls WHERE crawl = ?1";
        let mut subject = self.reader.one(sql, &[self.crawl.into()], read)?.unwrap_or_default();
        let sql = "SELECT count(*) FROM page WHERE key BETWEEN ?1 AND ?2";
        let pages = self.reader.one(sql, &self.keys, |row| row.int(0))?;
        subject.pages = pages.unwrap_or_default() as u64;
        Ok(subject)
    }

    /// The numbers of the report, and the size of each group of rows.
    fn totals(&self) -> Result<(Totals, Sizes), StoreError> {
        let mut totals =
            Totals { lists_unverified: self.pick == Pick::BrokenAndUnverified, ..Totals::default() };
        let mut sizes = Sizes::new();
        let all = sql::targets(self.way, Pick::BrokenAndUnverified);
        self.reader.rows(&all, &self.keys, &mut |row| {
            let (occurrences, pages) = (row.int(11) as u64, row.int(12) as u64);
            let broken = fault(row.text(0)) == Fault::Broken;
            let count = match (broken, row.int(1) != 0) {
                (true, true) => &mut totals.broken_internal,
                (true, false) => &mut totals.broken_external,
                (false, _) => &mut totals.unverified,
            };
            *count = Count { occurrences: count.occurrences + occurrences, targets: count.targets + 1 };
            sizes.insert(row.int(9), (occurrences, pages));
            if broken {
                totals.worst.push(Worst {
                    target: row.text(10).to_owned(),
                    group: row.int(9),
                    reason: target_reason(row).0.into_owned(),
                    occurrences,
                    pages,
                });
                if totals.worst.len() >= HELD {
                    keep_worst(&mut totals.worst);
                }
            }
            true
        })?;
        self.reader.rows(&sql::targets(self.way, Pick::Invalid), &self.keys, &mut |row| {
            let (occurrences, pages) = (row.int(1) as u64, row.int(2) as u64);
            totals.invalid.occurrences += occurrences;
            totals.invalid.targets += 1;
            sizes.insert(group_of_text(row.text(0)), (occurrences, pages));
            true
        })?;
        keep_worst(&mut totals.worst);
        let pages = self.reader.one(&sql::pages(self.way), &self.keys, |row| row.int(0))?;
        totals.pages = pages.unwrap_or_default() as u64;
        Ok((totals, sizes))
    }

    /// Hands over every occurrence until the answer is `false`: links with a target first, then invalid addresses.
    fn each(
        &self,
        order: Order,
        sizes: &Sizes,
        take: &mut dyn FnMut(&Occurrence<'_>) -> bool,
    ) -> Result<(), StoreError> {
        let mut since = Since::default();
        let mut failed = None;
        let mut goes_on = true;
        for pick in [self.pick, Pick::Invalid] {
            if !goes_on {
                break;
            }
            self.reader.rows(&sql::occurrences(self.way, pick, order), &self.keys, &mut |row| {
                match self.first_crawl(&mut since, row) {
                    Ok(first) => {
                        let first_seen = self.began.get(&first).map_or("", String::as_str);
                        goes_on = hand_over(row, sizes, first_seen, take);
                    }
                    Err(error) => {
                        failed = Some(error);
                        goes_on = false;
                    }
                }
                goes_on
            })?;
        }
        failed.map_or(Ok(()), Err)
    }

    /// The earliest crawl in which the page already had this link and its target the same verdict.
    fn first_crawl(&self, since: &mut Since, row: &Row) -> Result<i64, StoreError> {
        let page = row.int(10);
        let Some(target) = row.opt_int(9) else {
            let parameters = [page.into(), self.crawl.into(), row.text(18).into()];
            let first = self.reader.one(sql::INVALID_SINCE, &parameters, |row| row.opt_int(0))?.flatten();
            return Ok(first.unwrap_or(self.crawl));
        };
        if since.target != Some(target) {
            *since = Since { target: Some(target), ..Since::default() };
            let parameters = [target.into(), self.crawl.into(), row.text(0).into()];
            self.reader.rows(&sql::crawls_of_target(), &parameters, &mut |row| {
                since.crawls.push(row.int(0));
                true
            })?;
        }
        if since.page != Some(page) {
            since.page = Some(page);
            since.first = self.crawl;
            for crawl in since.crawls.iter().filter(|crawl| **crawl < self.crawl) {
                let key = (crawl << store::schema::URL_BITS) | page;
                if self.reader.one(sql::LINKED, &[key.into(), target.into()], |_| ())?.is_some() {
                    since.first = *crawl;
                    break;
                }
            }
        }
        Ok(since.first)
    }
}

fn hand_over(
    row: &Row,
    sizes: &Sizes,
    first_seen: &str,
    take: &mut dyn FnMut(&Occurrence<'_>) -> bool,
) -> bool {
    let target = row.opt_text(19);
    let raw_href = row.text(18);
    let (words, code) = match target {
        Some(_) => target_reason(row),
        None => (reason::INVALID.0.into(), reason::INVALID.1.into()),
    };
    let group = row.opt_int(9).unwrap_or_else(|| group_of_text(raw_href));
    let (occurrences, pages) = sizes.get(&group).copied().unwrap_or_default();
    take(&Occurrence {
        page: row.text(11),
        page_title: row.opt_text(12),
        anchor: row.opt_text(13),
        element: row.text(14),
        position: row.text(15),
        line: row.int(16),
        kind: row.text(17),
        raw_href,
        target,
        group,
        occurrences,
        pages,
        internal: target.map(|_| row.int(1) != 0),
        status: row.opt_int(2),
        fault: if target.is_some() { fault(row.text(0)) } else { Fault::Invalid },
        reason: &words,
        code: &code,
        final_url: if row.int(4) != 0 { row.opt_text(6) } else { None },
        first_seen,
    })
}

/// Targets held before the least frequent are let go.
const HELD: usize = Totals::WORST * 20;

fn keep_worst(worst: &mut Vec<Worst>) {
    worst.sort_by(|a, b| b.occurrences.cmp(&a.occurrences).then_with(|| a.target.cmp(&b.target)));
    worst.truncate(Totals::WORST);
}

/// The words for an answer or the lack of one.
#[cfg(test)]
pub(crate) fn plain_reason(status: Option<i64>, failure: Option<&str>) -> String {
    reason::reason(Facts { status, failure, end: None }).0.into_owned()
}

fn fault(verdict: &str) -> Fault {
    if verdict == "unverified" { Fault::Unverified } else { Fault::Broken }
}

/// The reason in a row whose columns 0 to 8 are a target's.
fn target_reason(row: &Row) -> Reason {
    let end = (row.int(4) != 0).then(|| End {
        in_circle: row.int(5) != 0,
        status: row.opt_int(7),
        failure: row.opt_text(8),
    });
    reason::reason(Facts { status: row.opt_int(2), failure: row.opt_text(3), end })
}

/// A negative number for a text that is no address; two of them hardly ever share one, and then they share a count.
fn group_of_text(text: &str) -> i64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    -((hasher.finish() >> 2) as i64) - 1
}

#[cfg(test)]
#[path = "broken_links/tests.rs"]
mod tests;
