//! Two crawls beside each other: which URLs are new, gone, broken or well again, and what differs in those that both read.
//!
//! One scan over the URLs of each crawl; documents are read only where they are others. What is found is stored, so that lists and
//! reports are queries.

use super::document;
use super::files;
use super::mapping::Mapping;
use crate::evaluate::EvaluateError;
use crate::findings::Inserts;
use crate::links;
use crate::sql_functions;
use model::state::{Indexability, Limit, UNVERIFIABLE_STATUSES, UrlState};
use model::{ChangeKind, Job};
use std::collections::BTreeMap;
use store::schema::answer_flags::{RETRY_AFTER, SYNTHETIC};
use store::{StoreError, Value, Writer, key_range};

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Number of the comparison in the project file.
    pub id: i64,
    /// How many changes there are of each kind; kinds without any are left out.
    pub counts: BTreeMap<ChangeKind, u64>,
}

/// How much of the site a crawl went through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) job: String,
    /// It came to its end by itself, and no limit kept it from any URL.
    pub(crate) whole: bool,
}

impl Extent {
    pub(crate) fn of(writer: &mut Writer, crawl: i64) -> Result<Option<Self>, StoreError> {
        let mut extent = None;
        let (first, last) = key_range(crawl);
        let limited = format!(
            "SELECT job, job <> 'recheck' AND NOT EXISTS (SELECT 1 FROM visit v LEFT JOIN string r ON r.id = v.reason
               WHERE v.key BETWEEN ?2 AND ?3 AND (v.state = {} OR v.state = {} AND r.value IN ({LIMITS}))) FROM crawl WHERE id = ?1",
            UrlState::Queued.code(),
            UrlState::OverLimit.code()
        );
        writer.rows(&limited, &[crawl.into(), first.into(), last.into()], &mut |row| {
            extent = Some(Self { job: row.text(0).to_owned(), whole: row.int(1) != 0 });
            Ok(())
        })?;
        Ok(extent)
    }
}

/// Limits that end a crawl before it has seen the site. Chains, endless patterns and overlong addresses only end themselves.
const LIMITS: &str =
    "'depth', 'max-urls', 'max-pages', 'link-checks-on-site', 'link-checks-elsewhere', 'time'";

const _: () = assert!(Limit::ALL.len() == 9);

/// Compares two crawls of a project and stores what differs; what was stored of the same comparison before is replaced.
/// `watch` is asked now and then whether to go on.
pub fn compare(
    writer: &mut Writer,
    earlier: i64,
    later: i64,
    mapping: &Mapping,
    watch: &mut dyn FnMut() -> bool,
) -> Result<Compared, EvaluateError> {
    sql_functions::register(writer)?;
    writer.begin()?;
    let compared = compare_within(writer, earlier, later, mapping, watch);
    match compared {
        Ok(compared) => {
            writer.commit()?;
            Ok(compared)
        }
        Err(error) => {
            writer.rollback();
            Err(error)
        }
    }
}

/// As `compare`, in the transaction that is open.
pub(crate) fn compare_within(
    writer: &mut Writer,
    earlier: i64,
    later: i64,
    mapping: &Mapping,
    watch: &mut dyn FnMut() -> bool,
) -> Result<Compared, EvaluateError> {
    let sides = Sides {
        earlier,
        later,
        before: Extent::of(writer, earlier)?.ok_or(StoreError::NoCrawl(earlier))?,
        after: Extent::of(writer, later)?.ok_or(StoreError::NoCrawl(later))?,
        is_mapped: mapping.prepare(writer, earlier, later)?,
        mapping,
    };
    let id = begin(writer, earlier, later, &mapping.json())?;
    let mut changes = Changes::new(id);
    let mut go_on = || if watch() { Ok(()) } else { Err(EvaluateError::Cancelled) };
    go_on()?;
    let unconfirmed = unconfirmed_before(writer, earlier)?;
    for (first, last) in links::ranges(writer, earlier) {
        go_on()?;
        let pairs = sides.known_before(writer, (first, last))?;
        for pair in &pairs {
            sides.judge(writer, pair, &unconfirmed, &mut changes)?;
        }
    }
    for (first, last) in links::ranges(writer, later) {
        go_on()?;
        sides.judge_new(writer, (first, last), &mut changes)?;
    }
    go_on()?;
    files::compare(writer, &sides, &mut changes)?;
    changes.inserts.finish(writer)?;
    mapping.forget(writer)?;
    Ok(Compared { id, counts: changes.counts })
}

/// Makes room for what a comparison finds; gives its number, which stays the same when it is made again.
fn begin(writer: &mut Writer, earlier: i64, later: i64, mapping: &str) -> Result<i64, StoreError> {
    let mut id = 0;
    writer.rows(
        "INSERT INTO comparison(earlier, later, mapping) VALUES(?1, ?2, ?3) ON CONFLICT(earlier, later, mapping) DO UPDATE SET mapping = excluded.mapping RETURNING id",
        &[earlier.into(), later.into(), mapping.into()],
        &mut |row| {
            id = row.int(0);
            Ok(())
        },
    )?;
    writer.run("DELETE FROM change WHERE comparison = ?1", &[id.into()])?;
    Ok(id)
}

/// URLs that the earlier crawl, a Check, could not reach, and did not call broken for that alone.
fn unconfirmed_before(
    writer: &mut Writer,
    earlier: i64,
) -> Result<std::collections::BTreeSet<i64>, StoreError> {
    let mut urls = std::collections::BTreeSet::new();
    writer.rows(
        "SELECT c.url FROM comparison k JOIN change c ON c.comparison = k.id WHERE k.later = ?1 AND c.kind = ?2",
        &[earlier.into(), i64::from(ChangeKind::Unconfirmed.code()).into()],
        &mut |row| {
            urls.insert(row.int(0));
            Ok(())
        },
    )?;
    Ok(urls)
}

/// Where changes go.
pub(super) struct Changes {
    inserts: Inserts,
    comparison: i64,
    counts: BTreeMap<ChangeKind, u64>,
}

impl Changes {
    fn new(comparison: i64) -> Self {
        let head = "INSERT OR REPLACE INTO change(comparison, kind, url, before, after)";
        Self { inserts: Inserts::new(head, 5), comparison, counts: BTreeMap::new() }
    }

    pub(super) fn add(
        &mut self,
        writer: &mut Writer,
        kind: ChangeKind,
        url: i64,
        before: Option<String>,
        after: Option<String>,
    ) -> Result<(), StoreError> {
        *self.counts.entry(kind).or_default() += 1;
        let text = |text: Option<String>| text.map_or(Value::Null, Value::Text);
        let row =
            [self.comparison.into(), i64::from(kind.code()).into(), url.into(), text(before), text(after)];
        self.inserts.add_cells(writer, row)
    }
}

/// The two crawls.
pub(super) struct Sides<'m> {
    pub(super) earlier: i64,
    pub(super) later: i64,
    before: Extent,
    after: Extent,
    /// URLs of the one are others in the other: the table `temp.later_url` says which.
    is_mapped: bool,
    pub(super) mapping: &'m Mapping,
}

/// What a crawl knows of a URL.
#[derive(Debug, Clone, Default)]
struct Side {
    /// `None`: the crawl did not meet it.
    state: Option<UrlState>,
    status: Option<i64>,
    reason: Option<String>,
    redirect: Option<String>,
    internal: bool,
    depth: Option<i64>,
    indexability: Option<i64>,
    document: Option<i64>,
    inlinks: Option<i64>,
    headers: Option<String>,
    asks_patience: bool,
}

impl Side {
    const COLUMNS: usize = 11;

    /// The columns, in the order in which `read` takes them, over the aliases with this letter behind them.
    fn columns(x: char) -> String {
        format!(
            "v{x}.state, CASE WHEN a{x}.flags & {SYNTHETIC} = 0 THEN a{x}.status END, r{x}.value, t{x}.text, v{x}.internal, v{x}.depth, p{x}.indexability, p{x}.document, m{x}.inlinks,
             CASE WHEN p{x}.key IS NOT NULL THEN a{x}.headers END, coalesce(a{x}.flags & {RETRY_AFTER}, 0)"
        )
    }

    fn joins(x: char) -> String {
        format!(
            "LEFT JOIN answer a{x} ON a{x}.key = v{x}.key LEFT JOIN page p{x} ON p{x}.key = v{x}.key LEFT JOIN metric m{x} ON m{x}.key = v{x}.key
             LEFT JOIN string r{x} ON r{x}.id = v{x}.reason LEFT JOIN url t{x} ON t{x}.id = a{x}.redirect"
        )
    }

    fn read(row: &store::Row, first: usize) -> Self {
        let code = row.opt_int(first).and_then(|code| u8::try_from(code).ok());
        Self {
            state: code.and_then(UrlState::from_code),
            status: row.opt_int(first + 1),
            reason: row.opt_text(first + 2).map(ToOwned::to_owned),
            redirect: row.opt_text(first + 3).map(ToOwned::to_owned),
            internal: row.opt_int(first + 4) == Some(1),
            depth: row.opt_int(first + 5),
            indexability: row.opt_int(first + 6),
            document: row.opt_int(first + 7),
            inlinks: row.opt_int(first + 8),
            headers: row.opt_text(first + 9).map(ToOwned::to_owned),
            asks_patience: row.opt_int(first + 10).unwrap_or_default() != 0,
        }
    }

    fn health(&self) -> Health {
        match (self.state, self.status) {
            (Some(UrlState::Failed), _) => Health::Fails,
            (Some(UrlState::Fetched), Some(503)) if self.asks_patience => Health::Unknown,
            (Some(UrlState::Fetched), Some(status))
                if UNVERIFIABLE_STATUSES.iter().any(|one| i64::from(*one) == status) =>
            {
                Health::Unknown
            }
            (Some(UrlState::Fetched), Some(400..)) => Health::Fails,
            (Some(UrlState::Fetched), _) => Health::Works,
            _ => Health::Unknown,
        }
    }

    /// What may be otherwise the next time: no answer, or a server's error.
    fn may_pass(&self) -> bool {
        self.state == Some(UrlState::Failed) || self.status.is_some_and(|status| status >= 500)
    }

    /// The status, or why there is none.
    fn answer(&self) -> Option<String> {
        self.status.map(|status| status.to_string()).or_else(|| self.reason.clone())
    }

    fn is_page(&self) -> bool {
        self.internal
            && self.document.is_some()
            && self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Works,
    Fails,
    /// Not asked, or an answer that says nothing about the URL.
    Unknown,
}

/// A URL that the earlier crawl met.
struct Pair {
    /// Its number in the later crawl, or in the earlier where it has none there.
    url: i64,
    before: Side,
    after: Side,
}

impl Sides<'_> {
    pub(super) const fn is_mapped(&self) -> bool {
        self.is_mapped
    }

    /// An address as the later crawl would have it.
    pub(super) fn as_later(&self, address: Option<&str>) -> Option<String> {
        address.map(|address| self.mapping.apply(address).unwrap_or_else(|| address.to_owned()))
    }

    fn known_before(&self, writer: &mut Writer, (first, last): (i64, i64)) -> Result<Vec<Pair>, StoreError> {
        let (later, _) = key_range(self.later);
        let twin = if self.is_mapped {
            "(SELECT k.later FROM temp.later_url k WHERE k.earlier = va.key & 4294967295)".to_owned()
        } else {
            "(va.key & 4294967295)".to_owned()
        };
        let sql = format!(
            "SELECT va.key & 4294967295, {twin}, {}, {} FROM visit va LEFT JOIN visit vb ON vb.key = {later} + {twin} {} {}
             WHERE va.key BETWEEN ?1 AND ?2",
            Side::columns('a'),
            Side::columns('b'),
            Side::joins('a'),
            Side::joins('b')
        );
        let mut pairs = Vec::new();
        writer.rows(&sql, &[first.into(), last.into()], &mut |row| {
            let pair = Pair {
                url: row.opt_int(1).unwrap_or_else(|| row.int(0)),
                before: Side::read(row, 2),
                after: Side::read(row, 2 + Side::COLUMNS),
            };
            pairs.push(pair);
            Ok(())
        })?;
        Ok(pairs)
    }

    fn judge(
        &self,
        writer: &mut Writer,
        pair: &Pair,
        unconfirmed: &std::collections::BTreeSet<i64>,
        changes: &mut Changes,
    ) -> Result<(), StoreError> {
        use ChangeKind as K;
        let Pair { url, before, after } = pair;
        let url = *url;
        let was_asked = matches!(before.state, Some(UrlState::Fetched | UrlState::Failed));
        let is_asked = matches!(after.state, Some(UrlState::Fetched | UrlState::Failed));
        match (before.state, after.state) {
            (Some(UrlState::Fetched), Some(UrlState::Blocked)) => {
                changes.add(writer, K::NewlyBlocked, url, before.answer(), after.reason.clone())?;
            }
            (Some(UrlState::Blocked), Some(UrlState::Fetched | UrlState::Failed)) => {
                changes.add(writer, K::NewlyAllowed, url, before.reason.clone(), after.answer())?;
            }
            _ => {}
        }
        if was_asked && !is_asked {
            let is_gone = after.state.is_none() && self.after.whole && self.before.job == self.after.job;
            return match after.state {
                Some(UrlState::Blocked) => Ok(()),
                None if is_gone => changes.add(writer, K::Gone, url, before.answer(), None),
                state => {
                    let why = state.map(|state| state.word().to_owned());
                    changes.add(writer, K::NotRechecked, url, before.answer(), why)
                }
            };
        }
        if !was_asked || !is_asked {
            return Ok(());
        }
        self.judge_health(writer, pair, unconfirmed, changes)?;
        if before.internal && after.internal {
            self.judge_values(writer, pair, changes)?;
        }
        Ok(())
    }

    fn judge_health(
        &self,
        writer: &mut Writer,
        Pair { url, before, after }: &Pair,
        unconfirmed: &std::collections::BTreeSet<i64>,
        changes: &mut Changes,
    ) -> Result<(), StoreError> {
        use ChangeKind as K;
        let (said_before, says) = (before.answer(), after.answer());
        if said_before != says {
            changes.add(writer, K::Status, *url, said_before.clone(), says.clone())?;
        }
        let may_pass = self.after.job == CHECK && after.may_pass();
        match (before.health(), after.health()) {
            (Health::Works, Health::Fails) if may_pass => {
                changes.add(writer, K::Unconfirmed, *url, said_before, says)
            }
            (Health::Fails, Health::Fails) if may_pass && unconfirmed.contains(url) => {
                changes.add(writer, K::Broke, *url, said_before, says)
            }
            (Health::Works, Health::Fails) => changes.add(writer, K::Broke, *url, said_before, says),
            // What was not confirmed was not told to be broken.
            (Health::Fails, Health::Works) if unconfirmed.contains(url) => Ok(()),
            (Health::Fails, Health::Works) => changes.add(writer, K::WorksAgain, *url, said_before, says),
            _ => Ok(()),
        }
    }

    fn judge_values(
        &self,
        writer: &mut Writer,
        Pair { url, before, after }: &Pair,
        changes: &mut Changes,
    ) -> Result<(), StoreError> {
        use ChangeKind as K;
        let both_redirect = before.redirect.is_some() && after.redirect.is_some();
        if both_redirect && self.as_later(before.redirect.as_deref()) != after.redirect {
            changes.add(writer, K::RedirectTarget, *url, before.redirect.clone(), after.redirect.clone())?;
        }
        if !(before.is_page() && after.is_page()) {
            return Ok(());
        }
        if before.indexability != after.indexability {
            let word = |code: Option<i64>| {
                let code = code.and_then(|code| u8::try_from(code).ok());
                code.and_then(Indexability::from_code).map(|state| state.word().to_owned())
            };
            changes.add(
                writer,
                K::Indexability,
                *url,
                word(before.indexability),
                word(after.indexability),
            )?;
        }
        // What leads to a page is known only where links were followed to their end, in the same way.
        if self.before.whole && self.after.whole && self.before.job == self.after.job {
            for (kind, was, is) in
                [(K::Inlinks, before.inlinks, after.inlinks), (K::Depth, before.depth, after.depth)]
            {
                if was != is {
                    let text = |number: Option<i64>| number.map(|number| number.to_string());
                    changes.add(writer, kind, *url, text(was), text(is))?;
                }
            }
        }
        let (was, is) =
            (document::security(before.headers.as_deref()), document::security(after.headers.as_deref()));
        if was != is {
            let lost: Vec<&str> = was.keys().filter(|name| !is.contains_key(*name)).copied().collect();
            if !lost.is_empty() {
                changes.add(writer, K::SecurityHeaderLost, *url, Some(lost.join(", ")), None)?;
            }
            let (was, is) = document::differing(&was, &is);
            changes.add(writer, K::SecurityHeaders, *url, was, is)?;
        }
        if let (Some(was), Some(is)) = (before.document, after.document)
            && was != is
        {
            document::compare(writer, self, (*url, was, is), changes)?;
        }
        Ok(())
    }

    /// What the later crawl met and the earlier did not.
    fn judge_new(
        &self,
        writer: &mut Writer,
        (first, last): (i64, i64),
        changes: &mut Changes,
    ) -> Result<(), StoreError> {
        if !self.before.whole || self.before.job != self.after.job {
            return Ok(());
        }
        let (earlier, _) = key_range(self.earlier);
        let twin = if self.is_mapped {
            "NOT EXISTS (SELECT 1 FROM temp.later_url k WHERE k.later = vb.key & 4294967295)".to_owned()
        } else {
            format!("NOT EXISTS (SELECT 1 FROM visit o WHERE o.key = {earlier} + (vb.key & 4294967295))")
        };
        let sql = format!(
            "SELECT vb.key & 4294967295, {} FROM visit vb {} WHERE vb.key BETWEEN ?1 AND ?2 AND vb.state IN ({}, {}) AND {twin}",
            Side::columns('b'),
            Side::joins('b'),
            UrlState::Fetched.code(),
            UrlState::Failed.code()
        );
        let mut met = Vec::new();
        writer.rows(&sql, &[first.into(), last.into()], &mut |row| {
            met.push((row.int(0), Side::read(row, 1).answer()));
            Ok(())
        })?;
        for (url, answer) in met {
            changes.add(writer, ChangeKind::New, url, None, answer)?;
        }
        Ok(())
    }
}

/// The job whose failures are confirmed by the next.
const CHECK: &str = Job::Check.word();
