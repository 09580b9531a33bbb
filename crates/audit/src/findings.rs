//! Writing findings, and the rows of the tables that describe them.

use crate::audit::{Audit, Severity};
use crate::catalogue::catalogue;
use crate::limits::Limits;
use store::{StoreError, Value, Writer};

/// Where a finding's `ref` points: > 0 is the id of a link, `-1 - n` the flaw n of the page's document, 0 the URL as such. The
/// others begin below these numbers; none leaves the integers that JavaScript can hold.
pub(crate) mod place {
    /// Plus the number of the audit whose finding has the life that is told.
    pub(crate) const LIFE: i64 = 1 << 37;
    /// Plus the kind of the change.
    pub(crate) const CHANGE: i64 = 1 << 38;
    /// Plus the one-based number of a line of robots.txt.
    pub(crate) const ROBOTS_LINE: i64 = 1 << 39;
    /// Plus the number of another URL.
    pub(crate) const OTHER_URL: i64 = 1 << 40;
    /// Plus the sitemap's id, moved by `SITEMAP_BITS`, and the number of its entry, or of its problem with `PROBLEM`.
    pub(crate) const SITEMAP: i64 = 1 << 52;
    pub(crate) const SITEMAP_BITS: u32 = 24;
    pub(crate) const PROBLEM: i64 = 1 << 23;

    pub(crate) const fn robots_line(line: i64) -> i64 {
        -ROBOTS_LINE - line
    }

    pub(crate) const fn other_url(url: i64) -> i64 {
        -OTHER_URL - url
    }

    /// The entry `n` of a sitemap; beyond eight million of them the last that has a place.
    pub(crate) const fn entry(sitemap: i64, n: i64) -> i64 {
        -SITEMAP - (sitemap << SITEMAP_BITS) - if n < PROBLEM { n } else { PROBLEM - 1 }
    }

    pub(crate) const fn problem(sitemap: i64, n: i64) -> i64 {
        entry(sitemap, n) - PROBLEM
    }
}

/// Rows written by one statement: beyond this the gain of fewer statements is gone.
const ROWS: usize = 64;

/// Rows after which a transaction is closed, so that the log of a huge evaluation stays bounded.
const COMMIT_AFTER: usize = 500_000;

/// Rows on their way into one table, written many at a time.
pub(crate) struct Inserts {
    head: &'static str,
    columns: usize,
    many: String,
    one: String,
    waiting: Vec<Value>,
    since_commit: usize,
}

impl Inserts {
    /// `head` is an INSERT up to its VALUES.
    pub(crate) fn new(head: &'static str, columns: usize) -> Self {
        let tuple = format!("({})", vec!["?"; columns].join(", "));
        let sql = |rows: usize| format!("{head} VALUES {}", vec![&*tuple; rows].join(", "));
        Self {
            head,
            columns,
            many: sql(ROWS),
            one: sql(1),
            waiting: Vec::with_capacity(ROWS * columns),
            since_commit: 0,
        }
    }

    pub(crate) fn add(&mut self, writer: &mut Writer, row: &[i64]) -> Result<(), StoreError> {
        self.add_cells(writer, row.iter().map(|cell| Value::Int(*cell)))
    }

    pub(crate) fn add_cells(
        &mut self,
        writer: &mut Writer,
        row: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        self.waiting.extend(row);
        debug_assert!(self.waiting.len().is_multiple_of(self.columns), "{}", self.head);
        if self.waiting.len() < ROWS * self.columns {
            return Ok(());
        }
        writer.run(&self.many, &self.waiting)?;
        self.waiting.clear();
        self.since_commit += ROWS;
        if self.since_commit >= COMMIT_AFTER {
            writer.commit()?;
            writer.begin()?;
            self.since_commit = 0;
        }
        Ok(())
    }

    /// Writes what is still waiting.
    pub(crate) fn finish(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        for row in self.waiting.chunks(self.columns) {
            writer.run(&self.one, row)?;
        }
        self.waiting.clear();
        Ok(())
    }
}

/// Which audits of the catalogue are judged.
#[derive(Debug, Clone)]
pub(crate) struct Chosen(Vec<bool>);

impl Chosen {
    pub(crate) fn all() -> Self {
        Self(vec![true; catalogue().len()])
    }

    pub(crate) fn those(holds: impl Fn(usize, &Audit) -> bool) -> Self {
        Self(catalogue().iter().enumerate().map(|(index, audit)| holds(index, audit)).collect())
    }

    /// By its index in the catalogue.
    pub(crate) fn has(&self, audit: usize) -> bool {
        self.0.get(audit).copied().unwrap_or_default()
    }

    /// With their indices.
    pub(crate) fn audits(&self) -> impl Iterator<Item = (usize, &'static Audit)> {
        catalogue().iter().copied().enumerate().filter(|(index, _)| self.has(*index))
    }
}

/// Where findings go. The same finding twice (judged during the crawl and after it) is one.
pub(crate) struct Findings {
    inserts: Inserts,
    table: &'static str,
    crawl: i64,
    ids: Vec<i64>,
    chosen: Chosen,
    issues: u64,
}

/// Findings that take the place of others once all are there; of the form of `finding`.
pub(crate) const JUDGED: &str = "temp.judged";

impl Findings {
    pub(crate) fn new(crawl: i64, ids: Vec<i64>) -> Self {
        Self {
            inserts: Inserts::new("INSERT OR IGNORE INTO finding(crawl, audit, url, ref)", 4),
            table: "finding",
            crawl,
            ids,
            chosen: Chosen::all(),
            issues: 0,
        }
    }

    /// Findings of some audits, for the table `JUDGED`.
    pub(crate) fn aside(crawl: i64, ids: Vec<i64>, chosen: Chosen) -> Self {
        Self {
            inserts: Inserts::new("INSERT OR IGNORE INTO temp.judged(crawl, audit, url, ref)", 4),
            table: JUDGED,
            chosen,
            ..Self::new(crawl, ids)
        }
    }

    /// The table that they go to.
    pub(crate) const fn table(&self) -> &'static str {
        self.table
    }

    pub(crate) const fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// The stored id of an audit, by its index in the catalogue.
    pub(crate) fn id(&self, audit: usize) -> i64 {
        self.ids[audit]
    }

    /// `place`: as the module `place` says.
    pub(crate) fn add(
        &mut self,
        writer: &mut Writer,
        audit: usize,
        url: i64,
        place: i64,
    ) -> Result<(), StoreError> {
        if !self.chosen.has(audit) {
            return Ok(());
        }
        self.issues += u64::from(catalogue()[audit].severity == Severity::Issue);
        let row = [self.crawl, self.ids[audit], url, place];
        self.inserts.add(writer, &row)
    }

    /// Findings of severity *issue* added so far.
    pub(crate) const fn issues(&self) -> u64 {
        self.issues
    }

    pub(crate) fn finish(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        self.inserts.finish(writer)
    }
}

/// Stores the catalogue's words where they changed, and gives the id of each audit in the catalogue's order.
pub(crate) fn register(writer: &mut Writer) -> Result<Vec<i64>, StoreError> {
    let mut known = std::collections::HashMap::new();
    writer.rows("SELECT name, id, family, severity, priority, title FROM audit", &[], &mut |row| {
        let words = [2, 3, 4, 5].map(|column| row.text(column).to_owned());
        known.insert(row.text(0).to_owned(), (row.int(1), words));
        Ok(())
    })?;
    let mut ids = Vec::with_capacity(catalogue().len());
    for audit in catalogue() {
        let words = [audit.family.word(), audit.severity.word(), audit.priority.word(), audit.title];
        match known.get(audit.id) {
            Some((id, stored)) if stored.iter().zip(words).all(|(a, b)| a == b) => ids.push(*id),
            _ => ids.push(store_words(writer, audit, &words)?),
        }
    }
    Ok(ids)
}

fn store_words(writer: &mut Writer, audit: &Audit, words: &[&str; 4]) -> Result<i64, StoreError> {
    let cells: Vec<Value> = std::iter::once(audit.id).chain(*words).map(Value::from).collect();
    let mut id = 0;
    writer.rows(
        "INSERT INTO audit(name, family, severity, priority, title) VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(name) DO UPDATE
         SET family = excluded.family, severity = excluded.severity, priority = excluded.priority, title = excluded.title RETURNING id",
        &cells,
        &mut |row| {
            id = row.int(0);
            Ok(())
        },
    )?;
    Ok(id)
}

/// Stores how each audit that was chosen was evaluated; `checked` is in the catalogue's order. Gives the findings of all audits of
/// the catalogue.
pub(crate) fn conclude(
    writer: &mut Writer,
    crawl: i64,
    found: &Findings,
    limits: &Limits,
    checked: &[i64],
) -> Result<i64, StoreError> {
    for (index, audit) in found.chosen().audits() {
        let id = found.id(index);
        // The key's order gives an audit's findings by URL, so distinct URLs are counted without remembering them.
        let (mut last, mut findings, mut urls) = (-1, 0_i64, 0_i64);
        writer.rows(
            "SELECT url FROM finding WHERE crawl = ?1 AND audit = ?2 ORDER BY url",
            &[crawl.into(), id.into()],
            &mut |row| {
                findings += 1;
                if row.int(0) != last {
                    last = row.int(0);
                    urls += 1;
                }
                Ok(())
            },
        )?;
        writer.run(
            "INSERT OR REPLACE INTO evaluation(crawl, audit, version, thresholds, findings, urls, checked) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            &[
                crawl.into(),
                id.into(),
                i64::from(audit.version).into(),
                limits.json(audit).as_str().into(),
                findings.into(),
                urls.into(),
                checked[index].into(),
            ],
        )?;
    }
    let mut total = 0;
    writer.rows("SELECT audit, findings FROM evaluation WHERE crawl = ?1", &[crawl.into()], &mut |row| {
        if found.ids.contains(&row.int(0)) {
            total += row.int(1);
        }
        Ok(())
    })?;
    Ok(total)
}
