//! What a person looks for in the pages of a project: told, changed, and computed over stored pages without fetching any.

use crate::dto::{Access, CrawlChoice};
use crate::error::EngineError;
use crate::job::project_error;
use crate::project::Project;
use crate::seams::Engine;
use crawl::Fields;
use model::custom::{Field, MOST_FIELDS};
use model::facts::Problem;
use parse::Document;
use serde::{Deserialize, Serialize};
use std::path::Path;
use store::{Cancel, Reader, StoreError, Value, Writer};

/// A field as a person writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldText {
    pub name: String,
    /// `css text first: .price`, `lacks visible: add to cart`.
    pub rule: String,
}

/// A field of a project with what it has in a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldCard {
    pub name: String,
    pub rule: String,
    /// `text`, `number` or `flag`.
    pub kind: String,
    /// Pages with a value.
    pub pages: u64,
}

/// What came of computing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldsComputed {
    pub pages: u64,
    /// Pages whose HTML is not stored.
    pub without_html: u64,
    /// Pages on which an expression was given up.
    pub given_up: u64,
}

/// Pages that are read at once and stored together.
const CHUNK: usize = 256;

/// A page to be read: number of its URL, its text, its media type.
type Page = (u32, String, Option<String>);

impl Engine {
    /// Puts these fields in the place of those that a project has. What was found by a rule that stays, stays.
    pub fn set_fields(&self, project: &Path, fields: &[FieldText]) -> Result<(), EngineError> {
        let read = checked(fields)?;
        // Makes sure that it is there: a writer would make a new one.
        drop(self.open(project, Access::Read)?);
        let mut writer = self.writer(project)?;
        let mut set = || -> Result<(), StoreError> {
            writer.begin()?;
            for old in writer.fields()? {
                if !read.iter().any(|field| field.name == old.name) {
                    writer.remove_field(&old.name)?;
                }
            }
            for field in &read {
                writer.set_field(&field.name, &field.text, field.kind().word())?;
            }
            writer.commit()
        };
        set().map_err(|error| project_error(project, error))
    }

    /// Computes all fields of a project over the stored pages of a crawl. `observe` is told how many of how many pages are done.
    /// Where it is cancelled, the pages that are done keep what was found.
    pub fn compute_fields(
        &self,
        project: &Path,
        crawl: CrawlChoice,
        cancel: &Cancel,
        observe: &mut dyn FnMut(u64, u64),
    ) -> Result<FieldsComputed, EngineError> {
        let opened = self.open(project, Access::Read)?;
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => opened.known(crawl)?,
            CrawlChoice::Latest | CrawlChoice::All => opened.latest()?,
        };
        let mut writer = self.writer(project)?;
        let failed = |error| project_error(project, error);
        let fields = Fields::of(&writer.fields().map_err(failed)?);
        if fields.is_empty() {
            return Err(EngineError::Usage(
                "the project looks for nothing yet; add a search or an extraction first".to_owned(),
            ));
        }
        compute(&mut writer, project, crawl, &fields, cancel, observe).map_err(failed)
    }
}

fn compute(
    writer: &mut Writer,
    path: &Path,
    crawl: i64,
    fields: &Fields,
    cancel: &Cancel,
    observe: &mut dyn FnMut(u64, u64),
) -> Result<FieldsComputed, StoreError> {
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(1, 8);
    let mut readers = (0..threads).map(|_| Reader::open(path)).collect::<Result<Vec<_>, _>>()?;
    let (first, last) = store::key_range(crawl);
    let range = [first.into(), last.into()];
    let mut all = 0;
    writer.rows("SELECT count(*) FROM page WHERE key BETWEEN ?1 AND ?2", &range, &mut |row| {
        all = row.int(0) as u64;
        Ok(())
    })?;
    let mut done = FieldsComputed::default();
    let mut after = first - 1;
    loop {
        observe(done.pages, all);
        if cancel.is_cancelled() {
            return Err(StoreError::Cancelled);
        }
        let mut pages: Vec<Page> = Vec::with_capacity(CHUNK);
        let sql = "SELECT p.key, u.text, ct.value FROM page p CROSS JOIN url u ON u.id = p.key & 4294967295 CROSS JOIN answer a ON a.key = p.key
                   LEFT JOIN string ct ON ct.id = a.content_type WHERE p.key > ?1 AND p.key <= ?2 ORDER BY p.key LIMIT ?3";
        writer.rows(sql, &[after.into(), last.into(), (CHUNK as i64).into()], &mut |row| {
            after = row.int(0);
            pages.push((
                (after & 0xFFFF_FFFF) as u32,
                row.text(1).to_owned(),
                row.opt_text(2).map(str::to_owned),
            ));
            Ok(())
        })?;
        if pages.is_empty() {
            return Ok(done);
        }
        let found = read_pages(&mut readers, crawl, &pages, fields)?;
        writer.begin()?;
        for ((url, ..), found) in pages.iter().zip(found) {
            done.pages += 1;
            let Some((values, given_up)) = found else {
                done.without_html += 1;
                continue;
            };
            done.given_up += u64::from(given_up);
            for (field, values) in values {
                writer.put_values(crawl, *url, field, &values)?;
            }
        }
        writer.commit()?;
    }
}

/// The values of a page by field, and whether an expression was given up.
type Found = Option<(Vec<(i64, Vec<Value>)>, bool)>;

/// Reads pages, a thread a reader; the answers come in the order of the pages.
fn read_pages(
    readers: &mut [Reader],
    crawl: i64,
    pages: &[Page],
    fields: &Fields,
) -> Result<Vec<Found>, StoreError> {
    let share = pages.len().div_ceil(readers.len().max(1)).max(1);
    std::thread::scope(|scope| {
        let running: Vec<_> = pages
            .chunks(share)
            .zip(readers)
            .map(|(pages, reader)| {
                scope.spawn(move || {
                    let read = |page| read_page(reader, crawl, page, fields);
                    pages.iter().map(read).collect::<Result<Vec<Found>, StoreError>>()
                })
            })
            .collect();
        let mut all = Vec::with_capacity(pages.len());
        for thread in running {
            match thread.join() {
                Ok(found) => all.extend(found?),
                Err(_) => return Err(StoreError::Damaged("a page could not be read".to_owned())),
            }
        }
        Ok(all)
    })
}

fn read_page(reader: &Reader, crawl: i64, page: &Page, fields: &Fields) -> Result<Found, StoreError> {
    let (url, text, content_type) = page;
    let Some(body) = reader.html(crawl, *url)? else { return Ok(None) };
    let document = Document { body: &body, url: text, headers: &[], content_type: content_type.as_deref() };
    let mut problems: Vec<Problem> = Vec::new();
    let values = fields.found(&document, &mut problems);
    Ok(Some((values, !problems.is_empty())))
}

impl Project {
    /// The fields of the project with how many pages of a crawl have a value.
    pub fn fields(&self, crawl: CrawlChoice) -> Result<Vec<FieldCard>, EngineError> {
        let failed = |error| self.failed(error);
        let crawl = match crawl {
            CrawlChoice::Number(crawl) => Some(self.known(crawl)?),
            CrawlChoice::Latest | CrawlChoice::All => self.latest().ok(),
        };
        let rows = self.reader().fields().map_err(failed)?;
        let mut cards: Vec<(i64, FieldCard)> = rows
            .into_iter()
            .map(|row| (row.id, FieldCard { name: row.name, rule: row.rule, kind: row.kind, pages: 0 }))
            .collect();
        if let Some(crawl) = crawl {
            let (first, last) = store::key_range(crawl);
            let sql = "SELECT field, count(*) FROM custom_value WHERE key BETWEEN ?1 AND ?2 AND n = 1 GROUP BY field";
            let read = self.reader().rows(sql, &[first.into(), last.into()], &mut |row| {
                if let Some((_, card)) = cards.iter_mut().find(|(id, _)| *id == row.int(0)) {
                    card.pages = row.int(1) as u64;
                }
                true
            });
            read.map_err(failed)?;
        }
        Ok(cards.into_iter().map(|(_, card)| card).collect())
    }
}

/// The fields, or everything that is wrong with them.
fn checked(fields: &[FieldText]) -> Result<Vec<Field>, EngineError> {
    let (mut read, mut faults) = (Vec::<Field>::new(), Vec::new());
    for text in fields {
        match Field::new(text.name.trim(), text.rule.trim()) {
            Ok(field) if read.iter().any(|known| known.name == field.name) => {
                faults.push(format!("the name {} stands twice", field.name));
            }
            Ok(field) => read.push(field),
            Err(why) => faults.push(why),
        }
    }
    if fields.len() > MOST_FIELDS {
        faults.push(format!("a project looks for {MOST_FIELDS} things at most"));
    }
    if faults.is_empty() { Ok(read) } else { Err(EngineError::Usage(faults.join("\n"))) }
}
