//! The links to any set of URLs as one file: what somebody works through who has to change or remove these URLs.
//!
//! Links are streamed in the order of the file, so memory grows with the set of URLs (eight bytes each), not with their links.

use crate::dto::{CrawlChoice, Exported};
use crate::error::EngineError;
use crate::project::Project;
use crate::seams::Engine;
use crate::table::{Filter, RowRange, TableQuery};
use model::Address;
use std::path::Path;

/// Which URLs.
#[derive(Debug, Clone)]
pub enum UrlSet {
    /// These addresses, as they are written.
    Listed(Vec<String>),
    /// The URLs of the crawl that fulfil an SQL condition on `v_urls`.
    Where(String),
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct InlinksWritten {
    pub file: Exported,
    /// URLs of the set that the crawl met.
    pub urls: u64,
    /// Addresses of the list that it did not meet, as they are written.
    pub unknown: Vec<String>,
}

impl Engine {
    /// Writes every link of a crawl that leads to one of these URLs, an occurrence a row, to a file whose ending says the format.
    pub fn export_inlinks(
        &self,
        project: &Path,
        of: &UrlSet,
        crawl: CrawlChoice,
        to: &Path,
    ) -> Result<InlinksWritten, EngineError> {
        let opened = self.open(project, crate::dto::Access::Read)?;
        let crawl = match crawl {
            CrawlChoice::Latest => opened.latest()?,
            CrawlChoice::Number(crawl) => opened.known(crawl)?,
            CrawlChoice::All => {
                return Err(EngineError::Usage(
                    "inlinks are those of one crawl; name it by its number".to_owned(),
                ));
            }
        };
        let (keys, unknown) = opened.keys_of(of, crawl)?;
        if keys.is_empty() {
            return Err(EngineError::Usage(match unknown.first() {
                Some(first) => format!(
                    "crawl {crawl} met none of these addresses; the first of them is {}",
                    report::visible(first)
                ),
                None => format!("no URL of crawl {crawl} fulfils this condition"),
            }));
        }
        let urls = keys.len() as u64;
        let tables = self.tables(project)?;
        let query =
            TableQuery { table: "links".to_owned(), crawl, filter: Some(Filter::LinksTo(keys)), sort: None };
        let links = tables.open_table(&query, 0)?;
        let all = [RowRange { start: 0, end: links.rows }];
        let file = tables.export(links.table, Some(&all), &[], to)?;
        Ok(InlinksWritten { file, urls, unknown })
    }
}

impl Project {
    /// Keys of the URLs of a set that the crawl met, and the addresses that it did not meet.
    fn keys_of(&self, of: &UrlSet, crawl: i64) -> Result<(Vec<i64>, Vec<String>), EngineError> {
        let failed = |error| self.failed(error);
        let (texts, written): (Vec<String>, &[String]) = match of {
            UrlSet::Listed(written) => {
                // Links of other schemes are kept as they were written.
                let text = |line: &String| {
                    Address::parse(line).map_or_else(|_| line.clone(), |address| address.to_string())
                };
                (written.iter().map(text).collect(), written)
            }
            UrlSet::Where(condition) => {
                let sql = format!("SELECT url FROM v_urls WHERE crawl = ?1 AND ({condition}\n)");
                self.reader().check_statement(&sql).map_err(failed)?;
                let mut texts = Vec::new();
                let read = self.reader().rows(&sql, &[crawl.into()], &mut |row| {
                    texts.push(row.text(0).to_owned());
                    true
                });
                read.map_err(failed)?;
                (texts, &[])
            }
        };
        let found = self.reader().find_urls(&texts).map_err(failed)?;
        let mut keys = Vec::new();
        let mut unknown = Vec::new();
        for (n, url) in found.into_iter().enumerate() {
            let key = url.map(|url| store::key(crawl, url));
            let met = match key {
                Some(key) => {
                    let sql = "SELECT 1 FROM visit WHERE key = ?1";
                    self.reader().one(sql, &[key.into()], |_| ()).map_err(failed)?.is_some()
                }
                None => false,
            };
            match key.filter(|_| met) {
                Some(key) => keys.push(key),
                None => unknown.extend(written.get(n).cloned()),
            }
        }
        keys.sort_unstable();
        keys.dedup();
        Ok((keys, unknown))
    }
}
