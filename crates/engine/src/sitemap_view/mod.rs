//! The sitemaps that a crawl read, as a tree of files with what became of their entries.
//!
//! Absences: nothing is requested and no sitemap is parsed; the rows are those that the crawl stored.

mod counts;
mod dto;
mod problems;

pub use dto::{SitemapError, SitemapNode, SitemapTree};

use crate::error::EngineError;
use crate::insight::Insight;
use counts::Counts;
use std::collections::HashMap;
use store::{Reader, StoreError};

/// Files told at most.
const NODES: usize = 5_000;

impl Insight {
    /// The sitemaps of a crawl. Goes through all their entries once.
    pub fn sitemap_tree(&self, crawl: i64) -> Result<SitemapTree, EngineError> {
        self.known(crawl)?;
        self.read(|reader| tree(reader, crawl))
    }
}

/// A file as stored.
struct File {
    node: SitemapNode,
    error: Option<String>,
    gzip: i64,
    truncated: bool,
    /// What is wrong with it, as files of version 1 have it.
    told: Option<String>,
}

fn tree(reader: &Reader, crawl: i64) -> Result<SitemapTree, StoreError> {
    let mut files = Vec::new();
    let sql = "SELECT id, url, parent, status, kind, entries, bytes, error, gzip, truncated, problems FROM sitemap WHERE crawl = ?1 ORDER BY id";
    reader.rows(sql, &[crawl.into()], &mut |row| {
        files.push(File {
            node: SitemapNode {
                key: row.int(0),
                url: row.text(1).to_owned(),
                parent: row.opt_int(2),
                level: 0,
                kind: row.text(4).to_owned(),
                status: row.opt_int(3).and_then(|status| u16::try_from(status).ok()),
                outcome: String::new(),
                bytes: row.int(6).max(0) as u64,
                entries: row.int(5).max(0) as u64,
                in_crawl: 0,
                indexable: 0,
                other_hosts: 0,
                malformed: 0,
                errors: Vec::new(),
                flags: Vec::new(),
            },
            error: row.opt_text(7).map(str::to_owned),
            gzip: row.int(8),
            truncated: row.int(9) != 0,
            told: row.opt_text(10).map(str::to_owned),
        });
        true
    })?;
    if files.is_empty() {
        return Ok(SitemapTree::default());
    }
    let mut tree = SitemapTree {
        files: files.len() as u64,
        entries: files.iter().filter(|file| file.node.kind != "index").map(|file| file.node.entries).sum(),
        in_crawl: counts::in_crawl(reader, crawl)?,
        unlisted: counts::unlisted(reader, crawl)?,
        nodes: Vec::new(),
    };
    let mut files = in_order(files);
    files.truncate(NODES);
    let mut counts = counts::by_file(reader, crawl)?;
    let mut problems = problems::by_file(reader, crawl)?;
    for mut file in files {
        let key = file.node.key;
        let counted = counts.remove(&key).unwrap_or_default();
        let errors = match (problems.remove(&key), &file.told) {
            (Some(errors), _) => errors,
            (None, Some(told)) => told.lines().map(problems::from_text).collect(),
            (None, None) => Vec::new(),
        };
        complete(&mut file, counted, errors);
        tree.nodes.push(file.node);
    }
    Ok(tree)
}

fn complete(file: &mut File, counted: Counts, errors: Vec<SitemapError>) {
    let node = &mut file.node;
    node.in_crawl = counted.in_crawl;
    node.indexable = counted.indexable;
    node.other_hosts = counted.other_hosts;
    node.malformed = counted.malformed;
    node.errors = errors;
    let cut = node.errors.iter().any(|error| error.code == "xml-error");
    node.outcome = outcome(node, file.error.as_deref(), file.truncated, cut);
    node.flags = flags(node, file.gzip, file.truncated);
}

fn outcome(node: &SitemapNode, error: Option<&str>, truncated: bool, cut: bool) -> String {
    match (error, node.status) {
        (Some(error), _) => error.to_owned(),
        (None, Some(status)) if !(200..300).contains(&status) => {
            format!("status {status}: nothing was read")
        }
        _ if node.kind == "unknown" => "this is no sitemap: nothing was read".to_owned(),
        _ if truncated => "read up to the size limit".to_owned(),
        _ if cut => "read as far as it can be".to_owned(),
        _ => "read".to_owned(),
    }
}

/// What is unusual about a file: what its problems are called, and what no problem says.
fn flags(node: &SitemapNode, gzip: i64, truncated: bool) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    let mut add = |flag: &str| {
        if !flags.iter().any(|known| known == flag) {
            flags.push(flag.to_owned());
        }
    };
    if gzip > 0 {
        add("gzip");
    }
    if truncated {
        add("truncated");
    }
    // sitemaps.org allows an index to name sitemaps, not further indexes.
    if node.kind == "index" && node.parent.is_some() {
        add("nested-index");
    }
    for error in &node.errors {
        add(&error.code);
    }
    flags
}

/// Each parent before its children. A file whose parent is not there stands by itself.
fn in_order(files: Vec<File>) -> Vec<File> {
    let mut children: HashMap<Option<i64>, Vec<File>> = HashMap::new();
    let known: std::collections::HashSet<i64> = files.iter().map(|file| file.node.key).collect();
    for mut file in files {
        // A parent is stored before its children.
        let parent = file.node.parent.filter(|parent| known.contains(parent) && *parent < file.node.key);
        file.node.parent = parent;
        children.entry(parent).or_default().push(file);
    }
    let mut ordered = Vec::with_capacity(known.len());
    // From the last to the first, so that the first is taken first.
    let mut waiting: Vec<(File, u32)> = Vec::new();
    let mut push = |waiting: &mut Vec<(File, u32)>, parent: Option<i64>, level: u32| {
        let next = children.remove(&parent).unwrap_or_default();
        waiting.extend(next.into_iter().rev().map(|file| (file, level)));
    };
    push(&mut waiting, None, 0);
    while let Some((mut file, level)) = waiting.pop() {
        file.node.level = level;
        let key = file.node.key;
        ordered.push(file);
        push(&mut waiting, Some(key), level + 1);
    }
    ordered
}

#[cfg(test)]
mod tests;
