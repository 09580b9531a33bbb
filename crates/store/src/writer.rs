//! The one writer of a project file: transactions, interning, and the rows of a running crawl.

use crate::error::StoreError;
use crate::html::HtmlCodec;
use crate::interner::Interner;
use crate::links::Shape;
use crate::lock::Lock;
use crate::open::{self, Faults, Options};
use crate::rows::{
    AnswerRow, AttemptRow, Document, FlawRow, ProbeRow, QueuedUrl, RobotsRow, StoredVisit, VisitRow,
};
use crate::strings::Strings;
use crate::value::{Row, Value};
use crate::{key, key_range, schema, segments};
use model::hash::HashSeed;
use model::{Purpose, UrlState};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Owns the only write connection of a file and the lock on it. Lives on one thread.
pub struct Writer {
    pub(crate) connection: Connection,
    pub(crate) strings: Strings,
    pub(crate) shapes: HashMap<Shape, i64>,
    pub(crate) interner: Interner,
    pub(crate) segments: segments::Known,
    hosts: HashMap<Box<str>, u32>,
    host_names: Vec<Box<str>>,
    codec: Arc<HtmlCodec>,
    dictionary_stored: bool,
    seed: HashSeed,
    faults: Arc<dyn Faults>,
    /// Kept for its drop; `None` in memory.
    _lock: Option<Lock>,
}

impl Writer {
    /// Opens a project file for writing, or makes it. Fails when another writer holds it, when it is not ours,
    /// newer, damaged or not writable; the file is then as it was.
    pub fn open(path: &Path, options: &Options) -> Result<Self, StoreError> {
        let lock = Lock::take(path, &options.program)?;
        let connection = open::for_writing(path, options)?;
        Self::over(connection, options, Some(lock))
    }

    /// A project that lives in memory, for tests.
    pub fn in_memory(options: &Options) -> Result<Self, StoreError> {
        Self::over(open::in_memory(options)?, options, None)
    }

    fn over(connection: Connection, options: &Options, lock: Option<Lock>) -> Result<Self, StoreError> {
        let seed: i64 =
            connection.query_row("SELECT value FROM meta WHERE key = 'hash_seed'", [], |r| r.get(0))?;
        let seed = HashSeed(seed as u64);
        let mut hosts = HashMap::new();
        let mut host_names = Vec::new();
        {
            let mut statement = connection.prepare("SELECT id, origin FROM host ORDER BY id")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let origin: String = row.get(1)?;
                hosts.insert(origin.clone().into_boxed_str(), row.get(0)?);
                host_names.push(origin.into_boxed_str());
            }
        }
        let interner = load_interner(&connection)?;
        let codec = Arc::new(HtmlCodec::open(&connection)?);
        let dictionary_stored = codec.dictionary(1).is_some();
        let strings = Strings::open(&connection, seed)?;
        let segments = segments::Known::open(&connection)?;
        Ok(Self {
            strings,
            shapes: HashMap::new(),
            interner,
            segments,
            hosts,
            host_names,
            codec,
            dictionary_stored,
            seed,
            faults: Arc::clone(&options.faults),
            connection,
            _lock: lock,
        })
    }

    pub const fn seed(&self) -> HashSeed {
        self.seed
    }

    pub fn codec(&self) -> Arc<HtmlCodec> {
        Arc::clone(&self.codec)
    }

    // ---- transactions -------------------------------------------------------------------------------------

    pub fn begin(&mut self) -> Result<(), StoreError> {
        if self.connection.is_autocommit() {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
        }
        Ok(())
    }

    /// Commits what was written since `begin`. On an error everything since then is rolled back and the writer is
    /// to be closed: its memory knows rows that the file does not.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        let result = match self.faults.before_commit() {
            Some(fault) => Err(fault),
            None => self.connection.execute_batch("COMMIT").map_err(StoreError::from),
        };
        if result.is_err() {
            self.rollback();
        }
        result
    }

    pub fn rollback(&mut self) {
        if !self.connection.is_autocommit() {
            // A rollback that fails leaves the journal, which the next opening rolls back.
            let _ = self.connection.execute_batch("ROLLBACK");
            let _ = self.strings.forget(&self.connection);
            self.segments = segments::Known::open(&self.connection).unwrap_or_default();
            self.shapes.clear();
        }
    }

    // ---- statements of other crates -----------------------------------------------------------------------

    /// Runs one statement and gives the number of rows it changed.
    pub fn run(&mut self, sql: &str, parameters: &[Value]) -> Result<usize, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.execute(rusqlite::params_from_iter(parameters))?)
    }

    /// Runs one statement whose ?1 is a number and whose ?2 are bytes.
    pub fn run_with_bytes(&mut self, sql: &str, number: i64, bytes: &[u8]) -> Result<(), StoreError> {
        self.connection.prepare_cached(sql)?.execute((number, bytes))?;
        Ok(())
    }

    /// Runs several statements without parameters.
    pub fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch(sql)?)
    }

    /// Gives statements of this writer a function of texts; views cannot use it, since other programs read them. Adding it again
    /// replaces it.
    pub fn add_text_function(
        &mut self,
        name: &str,
        arguments: usize,
        function: fn(&[Option<&str>]) -> Option<String>,
    ) -> Result<(), StoreError> {
        crate::functions::register_text(&self.connection, name, arguments, function)
    }

    /// What day it is for this writer's statements, by this clock.
    pub fn tell_day_by(&self, clock: Arc<dyn model::Clock>) -> Result<(), StoreError> {
        crate::functions::register_day(&self.connection, clock)
    }

    /// Hands each row of a query to `each`, in order.
    pub fn rows(
        &mut self,
        sql: &str,
        parameters: &[Value],
        each: &mut dyn FnMut(&Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(rusqlite::params_from_iter(parameters))?;
        while let Some(row) = rows.next()? {
            each(&Row(row))?;
        }
        Ok(())
    }

    // ---- interning ----------------------------------------------------------------------------------------

    /// Id of the host of an http(s) URL; 0 for other schemes.
    pub fn host(&mut self, origin: &str) -> Result<u32, StoreError> {
        if let Some(id) = self.hosts.get(origin) {
            return Ok(*id);
        }
        let id = self.host_names.len() as u32 + 1;
        let name = origin.split_once("://").map_or(origin, |(_, name)| name);
        self.connection
            .prepare_cached("INSERT INTO host(id, origin, name) VALUES(?1, ?2, ?3)")?
            .execute((id, origin, name))?;
        self.hosts.insert(origin.into(), id);
        self.host_names.push(origin.into());
        Ok(id)
    }

    /// Origin of a host id that `host` gave.
    pub fn origin(&self, host: u32) -> &str {
        self.host_names.get(host as usize - 1).map_or("", |name| name)
    }

    /// The id of a known URL.
    pub fn find_url(&self, hash: u64) -> Option<u32> {
        self.interner.find(hash)
    }

    /// Stores a URL that `find_url` did not know. `origin` is `None` for schemes other than http(s).
    pub fn add_url(&mut self, hash: u64, text: &str, origin: Option<&str>) -> Result<u32, StoreError> {
        let host = origin.map_or(Ok(0), |origin| self.host(origin))?;
        let id = self.interner.add(hash);
        self.connection
            .prepare_cached("INSERT INTO url(id, host, hash, text) VALUES(?1, ?2, ?3, ?4)")?
            .execute((id, host, hash as i64, text))?;
        self.segments.judge(&self.connection, id, text)?;
        Ok(id)
    }

    /// `find_url`, else `add_url`.
    pub fn intern(&mut self, text: &str) -> Result<u32, StoreError> {
        let hash = self.seed.url(text);
        match self.find_url(hash) {
            Some(id) => Ok(id),
            None => {
                let http = text.starts_with("http://") || text.starts_with("https://");
                self.add_url(hash, text, http.then(|| model::address::origin_of(text)))
            }
        }
    }

    /// Host id of a URL.
    pub fn host_of(&self, url: u32) -> Result<u32, StoreError> {
        Ok(self
            .connection
            .prepare_cached("SELECT host FROM url WHERE id = ?1")?
            .query_row([url], |r| r.get(0))?)
    }

    /// Text of a URL.
    pub fn url_text(&self, url: u32) -> Result<String, StoreError> {
        Ok(self
            .connection
            .prepare_cached("SELECT text FROM url WHERE id = ?1")?
            .query_row([url], |r| r.get(0))?)
    }

    /// Number of URLs the project knows: ids run from 1 to this.
    pub fn known_urls(&self) -> u32 {
        self.interner.len()
    }

    pub(crate) fn string(&mut self, text: Option<&str>) -> Result<Option<i64>, StoreError> {
        text.map(|text| self.strings.id(&self.connection, text)).transpose()
    }

    // ---- the frontier -------------------------------------------------------------------------------------

    pub fn add_visit(&mut self, crawl: i64, visit: &VisitRow) -> Result<(), StoreError> {
        let reason = self.string(visit.reason)?;
        self.connection
            .prepare_cached(
                "INSERT INTO visit(key, host, state, purpose, internal, depth, hops, found, source, reason) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute((
                key(crawl, visit.url),
                visit.host,
                visit.state.code(),
                visit.purpose.code(),
                visit.internal,
                visit.depth,
                visit.hops,
                visit.found.code(),
                visit.source,
                reason,
            ))?;
        Ok(())
    }

    /// Moves a URL to another state.
    pub fn set_state(
        &mut self,
        crawl: i64,
        url: u32,
        state: UrlState,
        reason: Option<&str>,
    ) -> Result<(), StoreError> {
        let reason = self.string(reason)?;
        self.connection
            .prepare_cached("UPDATE visit SET state = ?2, reason = ?3 WHERE key = ?1")?
            .execute((key(crawl, url), state.code(), reason))?;
        Ok(())
    }

    /// Every URL still queued is over a limit from here on.
    pub fn close_queue(&mut self, crawl: i64, reason: &str) -> Result<(), StoreError> {
        let reason = self.string(Some(reason))?;
        let (first, last) = key_range(crawl);
        self.connection.execute(
            "UPDATE visit SET state = ?3, reason = ?4 WHERE state = 0 AND key BETWEEN ?1 AND ?2",
            (first, last, UrlState::OverLimit.code(), reason),
        )?;
        Ok(())
    }

    /// Records a shorter path or a greater wish for a URL already met.
    pub fn set_reach(
        &mut self,
        crawl: i64,
        url: u32,
        depth: Option<u16>,
        hops: u8,
        purpose: Purpose,
    ) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("UPDATE visit SET depth = ?2, hops = ?3, purpose = ?4 WHERE key = ?1")?
            .execute((key(crawl, url), depth, hops, purpose.code()))?;
        Ok(())
    }

    /// Up to `limit` queued URLs of a host, in the order of their ids, beginning after `after`.
    pub fn queued(
        &self,
        crawl: i64,
        host: u32,
        after: u32,
        limit: usize,
    ) -> Result<Vec<QueuedUrl>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT v.key & 4294967295, u.text FROM visit v JOIN url u ON u.id = v.key & 4294967295
             WHERE v.host = ?1 AND v.state = 0 AND v.key > ?2 AND v.key <= ?3 ORDER BY v.key LIMIT ?4",
        )?;
        let rows = statement.query_map((host, key(crawl, after), key_range(crawl).1, limit as i64), |r| {
            Ok(QueuedUrl { url: r.get(0)?, text: r.get(1)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Hands every visit of a crawl to `each`: how a resumed crawl rebuilds its memory.
    pub fn visits(&self, crawl: i64, each: &mut dyn FnMut(StoredVisit)) -> Result<(), StoreError> {
        let (first, last) = key_range(crawl);
        let mut statement = self.connection.prepare_cached(
            "SELECT key & 4294967295, host, state, purpose, internal, depth, hops FROM visit WHERE key BETWEEN ?1 AND ?2",
        )?;
        let mut rows = statement.query((first, last))?;
        while let Some(row) = rows.next()? {
            each(StoredVisit {
                url: row.get(0)?,
                host: row.get(1)?,
                state: UrlState::from_code(row.get(2)?).unwrap_or(UrlState::Queued),
                purpose: Purpose::from_code(row.get(3)?).unwrap_or(Purpose::Check),
                internal: row.get(4)?,
                depth: row.get(5)?,
                hops: row.get(6)?,
            });
        }
        Ok(())
    }

    /// Targets of a page's links with the kind and nofollow of each: what depths are propagated along.
    pub fn link_targets(
        &self,
        crawl: i64,
        url: u32,
        each: &mut dyn FnMut(u32, u8, bool),
    ) -> Result<(), StoreError> {
        let list: Option<i64> = self
            .connection
            .prepare_cached("SELECT list FROM answer WHERE key = ?1")?
            .query_row([key(crawl, url)], |r| r.get(0))
            .optional()?
            .flatten();
        let Some(list) = list else { return Ok(()) };
        let mut statement = self.connection.prepare_cached(
            "SELECT l.target, s.kind, s.nofollow FROM link l JOIN link_shape s ON s.id = l.shape WHERE l.id BETWEEN ?1 AND ?2 AND l.target IS NOT NULL",
        )?;
        let mut rows = statement.query((
            list << schema::ORDINAL_BITS,
            (list << schema::ORDINAL_BITS) | schema::MAX_LINKS as i64,
        ))?;
        while let Some(row) = rows.next()? {
            each(row.get(0)?, row.get(1)?, row.get(2)?);
        }
        Ok(())
    }

    // ---- results ------------------------------------------------------------------------------------------

    /// Stores what came of a URL. An earlier answer of the same crawl (a HEAD that led to a GET) is replaced.
    pub fn put_answer(
        &mut self,
        crawl: i64,
        url: u32,
        answer: &AnswerRow,
        redirect: Option<u32>,
        list: Option<i64>,
    ) -> Result<(), StoreError> {
        let content_type = self.string(answer.content_type.as_deref())?;
        let version = self.string(answer.version)?;
        let remote = self.string(answer.remote.as_deref())?;
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO answer(key, method, status, version, content_type, bytes, transferred, started, ttfb_ms, total_ms, dns_ms, connect_ms,
                 remote, redirect, list, flags, head_status, headers, error, content_hash)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
            )?
            .execute(params![
                key(crawl, url),
                answer.method,
                answer.status,
                version,
                content_type,
                answer.bytes.map(|n| n as i64),
                answer.transferred.map(|n| n as i64),
                answer.started,
                answer.ttfb_ms,
                answer.total_ms,
                answer.dns_ms,
                answer.connect_ms,
                remote,
                redirect,
                list,
                answer.flags,
                answer.head_status,
                answer.headers,
                answer.error,
                answer.content_hash.map(|hash| hash as i64),
            ])?;
        if let Some(known) = &answer.validators {
            self.put_validators(crawl, url, known)?;
        }
        Ok(())
    }

    pub fn put_attempts(&mut self, crawl: i64, url: u32, attempts: &[AttemptRow]) -> Result<(), StoreError> {
        let key = key(crawl, url);
        let first: i64 = self
            .connection
            .prepare_cached("SELECT coalesce(max(n), 0) FROM attempt WHERE key = ?1")?
            .query_row([key], |r| r.get(0))?;
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO attempt(key, n, method, started, total_ms, status, failure, purpose) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        for (n, attempt) in attempts.iter().enumerate() {
            insert.execute((
                key,
                first + n as i64 + 1,
                attempt.method,
                attempt.started,
                attempt.total_ms,
                attempt.status,
                attempt.failure.map(model::FailureKind::code),
                attempt.purpose as u8,
            ))?;
        }
        Ok(())
    }

    pub fn put_problems(
        &mut self,
        crawl: i64,
        url: u32,
        problems: &[model::facts::Problem],
    ) -> Result<(), StoreError> {
        let mut insert = self.connection.prepare_cached(
            "INSERT OR REPLACE INTO problem(key, n, code, line, detail) VALUES(?1, ?2, ?3, ?4, ?5)",
        )?;
        for (n, problem) in problems.iter().enumerate() {
            insert.execute((key(crawl, url), n as i64, problem.code, problem.line, &*problem.detail))?;
        }
        Ok(())
    }

    /// Stores the page of a URL: its document, and its HTML where the project does not hold them yet.
    pub fn put_page(
        &mut self,
        crawl: i64,
        url: u32,
        document: &Document,
        indexability: model::state::Indexability,
    ) -> Result<(), StoreError> {
        let id = self.document(document)?;
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO page(key, document, indexability) VALUES(?1, ?2, ?3)")?
            .execute((key(crawl, url), id, indexability.code()))?;
        Ok(())
    }

    /// Id of a document, stored where the project does not hold it yet.
    fn document(&mut self, document: &Document) -> Result<i64, StoreError> {
        let known: Option<i64> = self
            .connection
            .prepare_cached("SELECT id FROM document WHERE hash = ?1")?
            .query_row([document.hash as i64], |r| r.get(0))
            .optional()?;
        match known {
            Some(id) => Ok(id),
            None => self.put_document(document),
        }
    }

    /// Stores what came of a probe, in the place of what an interrupted run stored.
    pub fn put_probe(&mut self, crawl: i64, probe: &ProbeRow) -> Result<(), StoreError> {
        let document = probe.document.as_ref().map(|document| self.document(document)).transpose()?;
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO probe(crawl, kind, subject, state, method, started, total_ms, status, failure, content_type, bytes, redirect, detail,
                 document) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            )?
            .execute(params![
                crawl,
                probe.kind,
                probe.subject,
                probe.state,
                probe.method,
                probe.started,
                probe.total_ms,
                probe.status,
                probe.failure.map(model::FailureKind::code),
                probe.content_type,
                probe.bytes.map(|n| n as i64),
                probe.redirect,
                probe.detail,
                document,
            ])?;
        if probe.attempts.is_empty() {
            return Ok(());
        }
        let url = self.intern(&probe.subject)?;
        self.put_attempts(crawl, url, &probe.attempts)
    }

    fn put_document(&mut self, document: &Document) -> Result<i64, StoreError> {
        let html = self.put_html(document)?;
        let canonical_url = document.canonical_key.and_then(|hash| self.interner.find(hash));
        self.connection
            .prepare_cached(
                "INSERT INTO document(hash, html, title, title_px, title_count, description, description_px, description_count, h1, h1_count, h2, h2_count,
                 canonical, canonical_url, canonical_count, canonical_distinct, robots, noindex, nofollow, refresh_delay, refresh_url, lang, charset, charset_source,
                 viewport, base, word_count, text_bytes, text_hash, content_hash, dom_nodes, dom_depth, head_closed_by, flags, headings, details)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29,
                 ?30, ?31, ?32, ?33, ?34, ?35, ?36)",
            )?
            .execute(params![
                document.hash as i64,
                html,
                document.title,
                document.title_px,
                document.title_count,
                document.description,
                document.description_px,
                document.description_count,
                document.h1,
                document.h1_count,
                document.h2,
                document.h2_count,
                document.canonical,
                canonical_url,
                document.canonical_count,
                document.canonical_distinct,
                document.robots,
                document.noindex,
                document.nofollow,
                document.refresh_delay,
                document.refresh_url,
                document.lang,
                document.charset,
                document.charset_source,
                document.viewport,
                document.base,
                document.word_count,
                document.text_bytes,
                document.text_hash as i64,
                document.content_hash as i64,
                document.dom_nodes,
                document.dom_depth,
                document.head_closed_by,
                document.flags,
                document.headings,
                document.details,
            ])?;
        let id = self.connection.last_insert_rowid();
        self.put_flaws(id, &document.flaws)?;
        self.put_structured(id, &document.structured)?;
        self.put_texts(id, document)?;
        Ok(id)
    }

    fn put_flaws(&mut self, document: i64, flaws: &[FlawRow]) -> Result<(), StoreError> {
        for (n, flaw) in flaws.iter().enumerate() {
            let element = self.string(flaw.element.as_deref())?;
            self.connection
                .prepare_cached(
                    "INSERT INTO flaw(document, n, kind, line, element, detail) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute((document, n as i64, flaw.kind.code(), flaw.line, element, &*flaw.detail))?;
        }
        Ok(())
    }

    fn put_html(&mut self, document: &Document) -> Result<Option<i64>, StoreError> {
        let Some(packed) = &document.html else { return Ok(None) };
        let known: Option<i64> = self
            .connection
            .prepare_cached("SELECT id FROM html WHERE hash = ?1")?
            .query_row([document.html_key as i64], |r| r.get(0))
            .optional()?;
        if known.is_some() {
            return Ok(known);
        }
        if packed.dictionary != 0 && !self.dictionary_stored {
            if let Some(bytes) = self.codec.dictionary(packed.dictionary) {
                self.connection.execute(
                    "INSERT OR IGNORE INTO html_dictionary(id, data) VALUES(?1, ?2)",
                    (packed.dictionary, bytes),
                )?;
            }
            self.dictionary_stored = true;
        }
        self.connection
            .prepare_cached("INSERT INTO html(hash, dictionary, size, data) VALUES(?1, ?2, ?3, ?4)")?
            .execute((document.html_key as i64, packed.dictionary, packed.size as i64, &packed.data))?;
        Ok(Some(self.connection.last_insert_rowid()))
    }

    pub fn put_robots(&mut self, crawl: i64, host: u32, robots: &RobotsRow) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO robots(crawl, host, state, status, final_url, hops, crawl_delay, fetched, error, flags, body, chain)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                crawl,
                host,
                robots.state,
                robots.status,
                robots.final_url,
                robots.hops,
                robots.crawl_delay,
                robots.fetched,
                robots.error,
                robots.flags,
                robots.body,
                robots.chain,
            ])?;
        Ok(())
    }

    pub fn warn(
        &mut self,
        crawl: i64,
        moment: i64,
        code: &str,
        subject: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO warning(crawl, moment, code, subject, detail) VALUES(?1, ?2, ?3, ?4, ?5)",
            )?
            .execute((crawl, moment, code, subject, detail))?;
        Ok(())
    }

    /// Builds the indexes that lead from targets back to links. Does nothing where they exist.
    pub fn build_reverse_indexes(&mut self) -> Result<(), StoreError> {
        for (_, sql) in schema::REVERSE_INDEXES {
            self.connection.execute_batch(sql)?;
        }
        Ok(())
    }

    /// Writes the log into the file itself: at the end of a job. The planner gets no statistics: every view and rule
    /// states its order of joins, which sampled numbers could only upset.
    pub fn settle(&mut self) -> Result<(), StoreError> {
        self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
        Ok(())
    }
}

pub(crate) fn load_interner(connection: &Connection) -> Result<Interner, StoreError> {
    let mut interner = Interner::default();
    let mut statement = connection.prepare("SELECT id, hash FROM url ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: u32 = row.get(0)?;
        while interner.len() + 1 < id {
            interner.skip();
        }
        interner.add(row.get::<_, i64>(1)? as u64);
    }
    Ok(interner)
}
