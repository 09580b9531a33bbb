//! The frontier: the state of every URL of the crawl, and the rules by which a URL is queued, kept back or taken up again.
//!
//! Whatever order answers come in, the outcome is the same: of all links that name a URL the greatest wish counts, and of
//! those with that wish the shortest path. A URL that was decided too early is decided again when a better link appears.
//! The one exception are sets of addresses without end: `traps`.

use crate::allowance::{Allowance, Errand};
use crate::lanes::{Job, Lanes, Offer};
use crate::scope::SiteScope;
use crate::traps::Traps;
use model::state::Limit;
use model::{FoundBy, LinkKind, Plan, Purpose, Treatment, UrlState};
use std::cmp::Ordering;
use store::{StoreError, VisitRow, Writer};

mod limits;
mod reach;

pub(crate) use reach::Reach;
use reach::{Ruling, rank};

/// Depth of a URL that no followed link leads to.
pub(crate) const NO_DEPTH: u16 = u16::MAX;

/// What one URL of the crawl is to us: 6 bytes, indexed by URL id.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    /// Code of `UrlState`, or `UNKNOWN`.
    state: u8,
    purpose: u8,
    flags: u8,
    hops: u8,
    pub depth: u16,
}

const UNKNOWN: u8 = 0xFF;
const INTERNAL: u8 = 1;
/// Handed out; its record is not stored yet.
const ISSUED: u8 = 2;
/// Its reach changed after its links were read.
const DIRTY: u8 = 4;
/// It answered with HTML that was not read.
const HTML_UNREAD: u8 = 8;
/// Two bits that say which limit keeps a URL that is over one; see `Ruling::rank`.
const LIMIT_SHIFT: u8 = 4;
const LIMIT_BITS: u8 = 3 << LIMIT_SHIFT;

impl Cell {
    const EMPTY: Self = Self { state: UNKNOWN, purpose: 0, flags: 0, hops: 0, depth: NO_DEPTH };

    pub(crate) const fn is_known(self) -> bool {
        self.state != UNKNOWN
    }

    pub(crate) fn purpose(self) -> Purpose {
        Purpose::from_code(self.purpose).unwrap_or(Purpose::Store)
    }

    pub(crate) const fn is_internal(self) -> bool {
        self.flags & INTERNAL != 0
    }

    /// The most that a redirect of this URL may want of its target. Nothing of another site is read, so what is wanted of
    /// its URLs says nothing about a page of this site to which one leads back.
    pub(crate) fn redirect_wish(self) -> Purpose {
        if self.is_internal() { self.purpose() } else { Purpose::Crawl }
    }

    const fn is(self, state: UrlState) -> bool {
        self.state == state.code()
    }

    const fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    const fn limit(self) -> u8 {
        (self.flags & LIMIT_BITS) >> LIMIT_SHIFT
    }

    const fn rank(self) -> u8 {
        rank(self.state, self.limit())
    }

    /// Whether a link would only be told again what another one was told: exclusion, growth and traps are facts about
    /// the URL, not about the link.
    fn refuses(self, reach: &Reach) -> bool {
        if reach.purpose != Purpose::Crawl || reach.listed {
            return false;
        }
        let nearer = reach.depth < self.depth || reach.hops < self.hops;
        (self.is(UrlState::Excluded) && !nearer)
            || (self.is(UrlState::OverLimit) && (self.limit() == 3 || reach.grown))
    }
}

/// A vector of cells in fixed chunks, so that growing it never copies.
#[derive(Default)]
struct Cells(Vec<Box<[Cell]>>);

const CHUNK: usize = 1 << 14;

impl Cells {
    fn get(&self, url: u32) -> Cell {
        let at = url as usize;
        self.0.get(at / CHUNK).map_or(Cell::EMPTY, |chunk| chunk[at % CHUNK])
    }

    fn get_mut(&mut self, url: u32) -> &mut Cell {
        let at = url as usize;
        while self.0.len() <= at / CHUNK {
            self.0.push(vec![Cell::EMPTY; CHUNK].into_boxed_slice());
        }
        &mut self.0[at / CHUNK][at % CHUNK]
    }
}

pub(crate) struct Frontier {
    pub crawl: i64,
    cells: Cells,
    pub lanes: Lanes,
    pub scope: SiteScope,
    pub traps: Traps,
    /// Per host id: 0 not asked yet, 1 external, 2 internal.
    host_internal: Vec<u8>,
    /// URLs per state, in the order of `UrlState::ALL`.
    pub counts: [u64; 7],
    pub allowance: Allowance,
    /// HEAD alone decides about what does not look like a page, even where it turns out to be one.
    head_decides: bool,
    max_urls: u64,
    max_depth: Option<u16>,
    max_hops: u8,
    respect_nofollow: bool,
    /// Per kind code: treatment of internal and external targets.
    treatments: [(Treatment, Treatment); 32],
    any_dirty: bool,
}

impl Frontier {
    pub(crate) fn new(crawl: i64, plan: &Plan, lanes: Lanes) -> Self {
        let list_mode = plan.mode == model::plan::Mode::List;
        let mut treatments = [(Treatment::Store, Treatment::Store); 32];
        for kind in LinkKind::ALL {
            // A list is audited as it is: its links are kept and not asked.
            treatments[kind.code() as usize] = if list_mode {
                (Treatment::Store, Treatment::Store)
            } else {
                (plan.links.treatment(*kind, true), plan.links.treatment(*kind, false))
            };
        }
        Self {
            crawl,
            cells: Cells::default(),
            lanes,
            scope: SiteScope::new(plan),
            traps: Traps::new(&plan.limits),
            host_internal: Vec::new(),
            counts: [0; 7],
            allowance: Allowance::new(&plan.policy),
            head_decides: plan.policy.methods.head().is_some_and(|head| !head.page_is_read),
            max_urls: plan.limits.max_urls.unwrap_or(u64::MAX),
            max_depth: plan.limits.max_depth,
            max_hops: plan.fetch.redirects,
            respect_nofollow: plan.links.respect_nofollow,
            treatments,
            any_dirty: false,
        }
    }

    pub(crate) const fn respects_nofollow(&self) -> bool {
        self.respect_nofollow
    }

    pub(crate) fn cell(&self, url: u32) -> Cell {
        self.cells.get(url)
    }

    /// Whether a host belongs to the site.
    pub(crate) fn is_internal(&mut self, host: u32, origin: &str) -> bool {
        let at = host as usize;
        if self.host_internal.len() <= at {
            self.host_internal.resize(at + 1, 0);
        }
        if self.host_internal[at] == 0 {
            self.host_internal[at] = 1 + u8::from(self.scope.is_internal(origin));
        }
        self.host_internal[at] == 2
    }

    /// Forgets what is known of hosts' membership, after the scope grew.
    pub(crate) fn scope_grew(&mut self) {
        self.host_internal.clear();
    }

    /// What a link of this kind wants of its target; `redirect` is the `redirect_wish` of its source.
    pub(crate) fn wish(&self, kind: LinkKind, internal: bool, nofollow: bool, redirect: Purpose) -> Purpose {
        let (inside, outside) = self.treatments[kind.code() as usize];
        let wish = match if internal { inside } else { outside } {
            Treatment::Crawl if internal => Purpose::Crawl,
            Treatment::Crawl | Treatment::Check => Purpose::Check,
            Treatment::Store | Treatment::Off => Purpose::Store,
        };
        if nofollow && self.respect_nofollow && kind.is_navigation() {
            return Purpose::Store;
        }
        // What a redirect leads to is wanted as much as the redirect itself, and no more.
        if kind == LinkKind::Redirect { wish.min(redirect) } else { wish }
    }

    /// The reach that a link of `source` gives its target.
    pub(crate) fn reach(&self, source: u32, kind: LinkKind, purpose: Purpose) -> Reach {
        let from = self.cells.get(source);
        let redirect = kind == LinkKind::Redirect;
        // A redirect is no click, so it costs no depth; it costs a hop.
        let depth = if purpose == Purpose::Store || from.depth == NO_DEPTH {
            NO_DEPTH
        } else if redirect {
            from.depth
        } else {
            from.depth.saturating_add(1).min(NO_DEPTH - 1)
        };
        let found = match kind {
            LinkKind::Redirect | LinkKind::MetaRefresh => FoundBy::Redirect,
            LinkKind::Canonical => FoundBy::Canonical,
            LinkKind::Hreflang => FoundBy::Hreflang,
            kind if kind.is_resource() => FoundBy::Resource,
            _ => FoundBy::Link,
        };
        Reach {
            purpose,
            depth,
            hops: if redirect { from.hops.saturating_add(1) } else { 0 },
            found,
            source: Some(source),
            listed: false,
            grown: false,
        }
    }

    /// A link names a URL. `text` and `host` are the URL's; `internal` is of its host.
    pub(crate) fn admit(
        &mut self,
        writer: &mut Writer,
        url: u32,
        host: u32,
        text: &str,
        internal: bool,
        reach: Reach,
    ) -> Result<(), StoreError> {
        let cell = self.cells.get(url);
        if cell.is_known() {
            return self.admit_again(writer, url, Some(text), reach);
        }
        let ruling = self.judge(text, internal, &reach, true, true);
        let state = ruling.state;
        let purpose = ruling.wish(&reach);
        let visit = VisitRow {
            url,
            host,
            state,
            purpose,
            internal,
            depth: stored_depth(reach.depth),
            hops: reach.hops,
            found: reach.found,
            source: reach.source,
            reason: ruling.reason.as_deref(),
        };
        writer.add_visit(self.crawl, &visit)?;
        *self.cells.get_mut(url) = Cell {
            state: state.code(),
            purpose: purpose.code(),
            flags: (u8::from(internal) * INTERNAL) | (ruling.limit << LIMIT_SHIFT),
            hops: reach.hops,
            depth: reach.depth,
        };
        self.counts[state as usize] += 1;
        if state == UrlState::Queued {
            self.lanes.queued(host);
        }
        Ok(())
    }

    /// What a link makes of its target. `waits`: no earlier link has had it queued. `asks`: it wants something to be asked
    /// that no earlier link wanted.
    ///
    /// A link that may not queue its target wants nothing of it: whatever else names the URL decides, and only where
    /// nothing else does, the URL shows why it was kept back.
    fn judge(&mut self, text: &str, internal: bool, reach: &Reach, waits: bool, asks: bool) -> Ruling {
        if reach.purpose == Purpose::Store {
            return Ruling::kept(UrlState::NotFollowed, 0, None);
        }
        // Where a redirect leads is excluded like a page, even where only the redirect's status was wanted.
        if internal
            && (reach.purpose == Purpose::Crawl || reach.hops > 0)
            && let Some(rule) = self.scope.excluded_by(text)
        {
            return Ruling::kept(UrlState::Excluded, 0, Some(rule));
        }
        let over =
            |rank: u8, limit: Limit| Ruling::kept(UrlState::OverLimit, rank, Some(limit.word().to_owned()));
        if text.len() >= crate::record::MAX_URL {
            return over(3, Limit::UrlLength);
        }
        // A page without depth (linked from orphans only) is over any limit of depth, unless it is listed itself.
        if self.max_depth.is_some_and(|max| reach.depth > max) && !reach.listed {
            return over(1, Limit::Depth);
        }
        if reach.hops > self.max_hops {
            return over(2, Limit::Redirects);
        }
        if asks
            && self.allowance.is_limited()
            && let Some(limit) = self.allowance.reached(Errand::of(reach.purpose, internal, text))
        {
            return over(1, limit);
        }
        if internal && reach.purpose == Purpose::Crawl && !reach.listed && waits {
            if reach.grown
                && let Some(reason) = self.traps.refuse_growth(text)
            {
                return Ruling::kept(UrlState::OverLimit, 0, Some(reason));
            }
            if let Some(reason) = self.traps.refuse(text) {
                return Ruling::kept(UrlState::OverLimit, 3, Some(reason));
            }
        }
        Ruling { state: UrlState::Queued, limit: 0, reason: None }
    }

    /// A further link names a URL that has a state already: nothing to do, nearly always.
    #[inline]
    pub(crate) fn admit_again(
        &mut self,
        writer: &mut Writer,
        url: u32,
        text: Option<&str>,
        reach: Reach,
    ) -> Result<(), StoreError> {
        let cell = self.cells.get(url);
        let wish = reach.purpose.code();
        let better = wish > cell.purpose
            || (wish > 0 && reach.hops < cell.hops)
            || (wish == cell.purpose && wish > 0 && reach.depth < cell.depth);
        if !better || cell.refuses(&reach) {
            return Ok(());
        }
        self.improve(writer, url, text, reach)
    }

    #[cold]
    fn improve(
        &mut self,
        writer: &mut Writer,
        url: u32,
        text: Option<&str>,
        mut reach: Reach,
    ) -> Result<(), StoreError> {
        let old = self.cells.get(url);
        let owned;
        let text = match text {
            Some(text) => text,
            None => {
                owned = writer.url_text(url)?;
                &owned
            }
        };
        let waits = old.purpose() == Purpose::Store;
        let asks = waits || (old.is(UrlState::Queued) && reach.purpose > old.purpose());
        let ruling = self.judge(text, old.is_internal(), &reach, waits, asks);
        if ruling.state != UrlState::Queued {
            return if waits { self.keep_back(writer, url, ruling, reach) } else { Ok(()) };
        }
        // Merged only now: a link over a limit must not lend its fewer hops to one that is not. The depth is that of the
        // links with the greatest wish; a redirect starts its hops anew wherever anything else names it.
        let purpose = reach.purpose.max(old.purpose());
        if !waits {
            reach.hops = reach.hops.min(old.hops);
            reach.depth = match reach.purpose.cmp(&old.purpose()) {
                Ordering::Greater => reach.depth,
                Ordering::Equal => reach.depth.min(old.depth),
                Ordering::Less => old.depth,
            };
            if (purpose, reach.depth, reach.hops) == (old.purpose(), old.depth, old.hops) {
                return Ok(());
            }
        }
        let may_read = old.has(HTML_UNREAD) && purpose == Purpose::Crawl && self.may_read_now(text);
        writer.set_reach(self.crawl, url, stored_depth(reach.depth), reach.hops, purpose)?;
        let cell = self.cells.get_mut(url);
        cell.depth = reach.depth;
        cell.hops = reach.hops;
        cell.purpose = purpose.code();
        cell.flags &= !LIMIT_BITS;
        if waits {
            self.change_state(writer, url, UrlState::Queued, None)?;
        } else if old.is(UrlState::Fetched) {
            if may_read {
                // It was asked with HEAD as a resource; now a link wants its page.
                cell.flags &= !HTML_UNREAD;
                self.change_state(writer, url, UrlState::Queued, None)?;
            } else {
                cell.flags |= DIRTY;
                self.any_dirty = true;
            }
        }
        Ok(())
    }

    /// A URL that nothing wants is named by one more link that may not queue it: of several reasons the weightiest is
    /// shown, and of several depths the least.
    fn keep_back(
        &mut self,
        writer: &mut Writer,
        url: u32,
        ruling: Ruling,
        reach: Reach,
    ) -> Result<(), StoreError> {
        let old = self.cells.get(url);
        // A link that only keeps its target (rank 0) says nothing about how far it is.
        let counts = old.rank() > 0;
        if ruling.rank() > 0 && (!counts || reach.depth < old.depth || reach.hops < old.hops) {
            let depth = if counts { reach.depth.min(old.depth) } else { reach.depth };
            let hops = if counts { reach.hops.min(old.hops) } else { reach.hops };
            writer.set_reach(self.crawl, url, stored_depth(depth), hops, Purpose::Store)?;
            let cell = self.cells.get_mut(url);
            (cell.depth, cell.hops) = (depth, hops);
        }
        if ruling.rank() > old.rank() {
            let cell = self.cells.get_mut(url);
            cell.flags = (cell.flags & !LIMIT_BITS) | (ruling.limit << LIMIT_SHIFT);
            self.change_state(writer, url, ruling.state, ruling.reason.as_deref())?;
        }
        Ok(())
    }

    fn change_state(
        &mut self,
        writer: &mut Writer,
        url: u32,
        state: UrlState,
        reason: Option<&str>,
    ) -> Result<(), StoreError> {
        writer.set_state(self.crawl, url, state, reason)?;
        let cell = self.cells.get_mut(url);
        self.counts[cell.state as usize] -= 1;
        self.counts[state as usize] += 1;
        let issued = cell.has(ISSUED);
        let was_queued = cell.is(UrlState::Queued);
        cell.state = state.code();
        if was_queued != (state == UrlState::Queued) && !issued {
            let host = writer.host_of(url)?;
            if state == UrlState::Queued { self.lanes.queued(host) } else { self.lanes.unqueued(host) }
        }
        Ok(())
    }

    /// The next URL to request, or `None` while there is none to hand out.
    pub(crate) fn next_job(&mut self, writer: &Writer) -> Result<Option<Job>, StoreError> {
        let asked = self.counts[UrlState::Fetched as usize]
            + self.counts[UrlState::Failed as usize]
            + self.lanes.outstanding() as u64;
        if asked >= self.max_urls {
            return Ok(None);
        }
        let (cells, allowance) = (&self.cells, &self.allowance);
        let limited = allowance.is_limited();
        let job = self.lanes.next(writer, self.crawl, &mut |entry| {
            let cell = cells.get(entry.url);
            if !cell.is(UrlState::Queued) || cell.has(ISSUED) {
                return Offer::Gone;
            }
            let (purpose, internal) = (cell.purpose(), cell.is_internal());
            if limited && !allowance.has_room(Errand::of(purpose, internal, &entry.text)) {
                return Offer::Held;
            }
            Offer::Ask { purpose, internal, hop: cell.hops > 0 }
        })?;
        if let Some(job) = &job {
            self.cells.get_mut(job.url).flags |= ISSUED;
            if limited {
                self.allowance.take(job.url, Errand::of(job.purpose, job.internal, &job.text));
            }
        }
        Ok(job)
    }

    /// The job of a URL has ended in `state`.
    pub(crate) fn settle(
        &mut self,
        writer: &mut Writer,
        url: u32,
        host: u32,
        state: UrlState,
        reason: Option<&str>,
        html_unread: bool,
    ) -> Result<(), StoreError> {
        self.allowance.settle(url, state);
        let again = html_unread
            && self.cells.get(url).purpose() == Purpose::Crawl
            && self.may_read_now(&writer.url_text(url)?);
        let cell = self.cells.get_mut(url);
        self.counts[cell.state as usize] -= 1;
        cell.flags &= !(ISSUED | HTML_UNREAD);
        if html_unread && !again {
            cell.flags |= HTML_UNREAD;
        }
        self.lanes.done(host);
        let state = if again { UrlState::Queued } else { state };
        self.counts[state as usize] += 1;
        self.cells.get_mut(url).state = state.code();
        if again {
            // Between the hand-out and the answer a link asked for the page: it stays queued, now for a GET.
            self.lanes.queued(host);
            return Ok(());
        }
        writer.set_state(self.crawl, url, state, reason)
    }

    /// Keeps a page back that was let in and waits, because its pattern turned out to be a trap.
    pub(crate) fn hold(&mut self, writer: &mut Writer, url: u32, reason: &str) -> Result<(), StoreError> {
        let old = self.cells.get(url);
        if !old.is(UrlState::Queued) || old.has(ISSUED) {
            return Ok(());
        }
        writer.set_reach(self.crawl, url, stored_depth(old.depth), old.hops, Purpose::Store)?;
        let cell = self.cells.get_mut(url);
        cell.purpose = Purpose::Store.code();
        cell.flags |= LIMIT_BITS;
        self.change_state(writer, url, UrlState::OverLimit, Some(reason))
    }

    /// Queues a page that a trap kept back, at the depth at which it was met.
    pub(crate) fn release(&mut self, writer: &mut Writer, url: u32) -> Result<(), StoreError> {
        let old = self.cells.get(url);
        if !old.is(UrlState::OverLimit) {
            return Ok(());
        }
        writer.set_reach(self.crawl, url, stored_depth(old.depth), old.hops, Purpose::Crawl)?;
        let cell = self.cells.get_mut(url);
        cell.purpose = Purpose::Crawl.code();
        cell.flags &= !LIMIT_BITS;
        self.change_state(writer, url, UrlState::Queued, None)
    }

    /// A URL that had failed was asked once more, and this is how it stands.
    pub(crate) fn restate(
        &mut self,
        writer: &mut Writer,
        url: u32,
        state: UrlState,
        reason: Option<&str>,
        html_unread: bool,
    ) -> Result<(), StoreError> {
        if html_unread {
            self.cells.get_mut(url).flags |= HTML_UNREAD;
        }
        self.change_state(writer, url, state, reason)
    }

    /// Whether a limit keeps a URL back so far.
    pub(crate) fn is_over_limit(&self, url: u32) -> bool {
        self.cells.get(url).is(UrlState::OverLimit)
    }

    /// Rebuilds the memory of a crawl from the file.
    pub(crate) fn restore(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        let (first, last) = store::key_range(self.crawl);
        let cells = &mut self.cells;
        let counts = &mut self.counts;
        let lanes = &mut self.lanes;
        writer.visits(self.crawl, &mut |visit| {
            let fetched = visit.state == UrlState::Fetched;
            *cells.get_mut(visit.url) = Cell {
                state: visit.state.code(),
                purpose: visit.purpose.code(),
                // Improvements that were not carried on before the interruption are not known: all are carried on again.
                flags: (u8::from(visit.internal) * INTERNAL) | (u8::from(fetched) * DIRTY),
                hops: visit.hops,
                depth: visit.depth.unwrap_or(NO_DEPTH),
            };
            counts[visit.state as usize] += 1;
            if visit.state == UrlState::Queued {
                lanes.queued(visit.host);
            }
        })?;
        self.any_dirty = true;
        self.restore_allowance(writer)?;
        self.traps.restore(writer, self.crawl)?;
        let unread = "SELECT a.key & 4294967295 FROM answer a JOIN string s ON s.id = a.content_type
                      WHERE a.key BETWEEN ?1 AND ?2 AND NOT EXISTS (SELECT 1 FROM page p WHERE p.key = a.key) AND a.status BETWEEN 200 AND 299
                      AND (s.value LIKE 'text/html%' OR s.value LIKE 'application/xhtml+xml%')";
        let cells = &mut self.cells;
        writer.rows(unread, &[first.into(), last.into()], &mut |row| {
            cells.get_mut(row.int(0) as u32).flags |= HTML_UNREAD;
            Ok(())
        })
    }

    /// URLs whose links have to be gone through again, nearest first; the marks are taken off.
    pub(crate) fn take_dirty(&mut self) -> Vec<u32> {
        if !std::mem::take(&mut self.any_dirty) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (n, chunk) in self.cells.0.iter_mut().enumerate() {
            for (at, cell) in chunk.iter_mut().enumerate() {
                if cell.has(DIRTY) {
                    cell.flags &= !DIRTY;
                    found.push((cell.depth, (n * CHUNK + at) as u32));
                }
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, url)| url).collect()
    }

    /// A host joined the site after URLs of it were met: they are internal from here on, and every page that was read says
    /// anew what it wants of its links.
    pub(crate) fn adopt_host(&mut self, writer: &mut Writer, host: u32) -> Result<(), StoreError> {
        let (first, last) = store::key_range(self.crawl);
        let mut met = Vec::new();
        writer.rows(
            "SELECT key & 4294967295 FROM visit WHERE key BETWEEN ?1 AND ?2 AND host = ?3",
            &[first.into(), last.into(), i64::from(host).into()],
            &mut |row| {
                met.push(row.int(0) as u32);
                Ok(())
            },
        )?;
        if met.is_empty() {
            return Ok(());
        }
        for url in met {
            writer
                .run("UPDATE visit SET internal = 1 WHERE key = ?1", &[store::key(self.crawl, url).into()])?;
            self.cells.get_mut(url).flags |= INTERNAL;
        }
        for cell in self.cells.0.iter_mut().flat_map(|chunk| chunk.iter_mut()) {
            if cell.is(UrlState::Fetched) {
                cell.flags |= DIRTY;
            }
        }
        self.any_dirty = true;
        self.adopt_listed(writer, host)
    }

    /// What sitemaps name of a host that joined the site is wanted like the site's own.
    fn adopt_listed(&mut self, writer: &mut Writer, host: u32) -> Result<(), StoreError> {
        let mut listed = Vec::new();
        writer.rows(
            "SELECT DISTINCT e.url FROM sitemap s JOIN sitemap_entry e ON e.sitemap = s.id JOIN url u ON u.id = e.url WHERE s.crawl = ?1 AND u.host = ?2",
            &[self.crawl.into(), i64::from(host).into()],
            &mut |row| {
                listed.push(row.int(0) as u32);
                Ok(())
            },
        )?;
        for url in listed {
            let reach = Reach {
                purpose: Purpose::Crawl,
                depth: NO_DEPTH,
                hops: 0,
                found: FoundBy::Sitemap,
                source: None,
                listed: true,
                grown: false,
            };
            self.admit_again(writer, url, None, reach)?;
        }
        Ok(())
    }
}

fn stored_depth(depth: u16) -> Option<u16> {
    (depth != NO_DEPTH).then_some(depth)
}
