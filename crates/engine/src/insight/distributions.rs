//! A crawl by status, indexability, depth, size, response time, content type and state, from one pass over its URLs.
//!
//! Each bar's condition stands here twice, as Rust over a row and as a filter over the table, because counting through the
//! filters would be a pass each; tests hold the two equal.

use super::dto::{Bar, Distribution, Tone};
use super::filters::{all, any, at_least, below, empty, equals, filled, is, not};
use crate::table::Filter;
use model::UrlState;
use model::state::Indexability;
use std::collections::{BTreeMap, HashMap};
use store::{Reader, Row, StoreError};

/// What one pass over a crawl gives.
pub(super) struct Seen {
    pub(super) distributions: Vec<Distribution>,
    pub(super) places: Places,
}

/// What each URL of a crawl counts for.
#[derive(Default)]
pub(super) struct Places {
    by_url: Vec<Place>,
    pub(super) pages: u64,
    pub(super) indexable: u64,
    /// Sum of the weights of the indexable pages.
    pub(super) weight: f64,
    /// At `n`: the weights of the heaviest `n` URLs together.
    heaviest: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// 1 and more: by link score, else by the number of followed links that lead there.
    pub(super) weight: f32,
    pub(super) followed_inlinks: u32,
    pub(super) indexable: bool,
}

impl Places {
    pub(super) fn of(&self, url: i64) -> Place {
        usize::try_from(url).ok().and_then(|url| self.by_url.get(url)).copied().unwrap_or_default()
    }

    /// What so many URLs can weigh together at most.
    pub(super) fn most(&self, urls: u64) -> f64 {
        let urls = usize::try_from(urls).unwrap_or(usize::MAX);
        self.heaviest.get(urls).or(self.heaviest.last()).copied().unwrap_or_default()
    }

    fn weigh(&mut self) {
        let mut weights: Vec<f32> = self.by_url.iter().map(|place| place.weight).collect();
        weights.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut sum = 0.0;
        self.heaviest = std::iter::once(0.0)
            .chain(weights.into_iter().map(|weight| {
                sum += f64::from(weight);
                sum
            }))
            .collect();
    }

    fn put(&mut self, url: usize, place: Place) {
        if self.by_url.len() <= url {
            self.by_url.resize(url + 1, Place::default());
        }
        self.by_url[url] = place;
    }
}

/// A URL as the pass sees it.
struct Seat {
    state: Option<UrlState>,
    internal: bool,
    depth: Option<i64>,
    status: Option<i64>,
    bytes: Option<i64>,
    ttfb_ms: Option<i64>,
    content_type: Option<i64>,
    /// Of pages: the stored number of their indexability.
    page: Option<i64>,
}

const PASS: &str = "SELECT v.key & 4294967295, v.state, v.internal, v.depth, a.status, a.bytes, a.ttfb_ms, a.content_type,
       p.indexability, m.followed_inlinks, m.link_score
     FROM visit v LEFT JOIN answer a ON a.key = v.key LEFT JOIN page p ON p.key = v.key LEFT JOIN metric m ON m.key = v.key
     WHERE v.key BETWEEN ?1 AND ?2";

pub(super) fn scan(reader: &Reader, crawl: i64) -> Result<Seen, StoreError> {
    let mut counts = Counters::default();
    let mut places = Places::default();
    let (first, last) = store::key_range(crawl);
    reader.rows(PASS, &[first.into(), last.into()], &mut |row| {
        let seat = Seat {
            state: u8::try_from(row.int(1)).ok().and_then(UrlState::from_code),
            internal: row.int(2) != 0,
            depth: row.opt_int(3),
            status: row.opt_int(4),
            bytes: row.opt_int(5),
            ttfb_ms: row.opt_int(6),
            content_type: row.opt_int(7),
            page: row.opt_int(8),
        };
        let place = place(row, &seat);
        places.pages += u64::from(seat.page.is_some());
        if place.indexable {
            places.indexable += 1;
            places.weight += f64::from(place.weight);
        }
        places.put(row.int(0) as usize, place);
        counts.take(&seat);
        true
    })?;
    places.weigh();
    let distributions = counts.distributions(reader)?;
    Ok(Seen { distributions, places })
}

fn place(row: &Row, seat: &Seat) -> Place {
    let followed = row.int(9);
    let weight = match row.value(10) {
        store::Value::Null => (followed.max(0) as f64).ln_1p() + 1.0,
        // The score is a logarithm already, from 0 to 100: tenths of it have about the range of the other.
        _ => row.real(10) / 10.0 + 1.0,
    };
    Place {
        weight: weight as f32,
        followed_inlinks: u32::try_from(followed).unwrap_or_default(),
        indexable: seat.page == Some(i64::from(Indexability::Indexable.code())),
    }
}

/// A range of numbers with its name. The upper end is exclusive; `None` has no end.
struct Span {
    label: &'static str,
    from: i64,
    below: Option<i64>,
    tone: Tone,
}

const fn span(label: &'static str, from: i64, below: Option<i64>, tone: Tone) -> Span {
    Span { label, from, below, tone }
}

const STATUS: &[Span] = &[
    span("2xx", 200, Some(300), Tone::Good),
    span("3xx", 300, Some(400), Tone::Redirect),
    span("4xx", 400, Some(500), Tone::Bad),
    span("5xx", 500, Some(600), Tone::Bad),
    span("Other", 600, None, Tone::Warning),
    span("1xx", 0, Some(200), Tone::Warning),
];

const SIZE: &[Span] = &[
    span("up to 10 kB", 0, Some(10_000), Tone::Neutral),
    span("10 to 50 kB", 10_000, Some(50_000), Tone::Neutral),
    span("50 to 100 kB", 50_000, Some(100_000), Tone::Neutral),
    span("100 to 500 kB", 100_000, Some(500_000), Tone::Neutral),
    span("500 kB to 1 MB", 500_000, Some(1_000_000), Tone::Warning),
    span("1 MB and more", 1_000_000, None, Tone::Bad),
];

const TIME: &[Span] = &[
    span("up to 100 ms", 0, Some(100), Tone::Good),
    span("100 to 200 ms", 100, Some(200), Tone::Good),
    span("200 to 500 ms", 200, Some(500), Tone::Neutral),
    span("500 ms to 1 s", 500, Some(1_000), Tone::Warning),
    span("1 to 2 s", 1_000, Some(2_000), Tone::Bad),
    span("2 s and more", 2_000, None, Tone::Bad),
];

/// Depths with a bar of their own; deeper pages share one.
const DEPTHS: usize = 12;

/// Content types with a bar of their own.
const TYPES: usize = 8;
/// Spellings of content types that are looked at; the rest counts as other. Sites that send an ever new parameter have more.
const SPELLINGS: usize = 200;

#[derive(Default)]
struct Counters {
    status: [u64; STATUS.len()],
    no_answer: u64,
    indexability: BTreeMap<u8, u64>,
    depth: [u64; DEPTHS],
    deeper: u64,
    no_depth: u64,
    size: [u64; SIZE.len()],
    no_size: u64,
    time: [u64; TIME.len()],
    no_time: u64,
    /// By number of the text.
    content_type: HashMap<i64, u64>,
    no_content_type: u64,
    state: [u64; UrlState::ALL.len()],
}

/// Counts a number in its span.
fn count(spans: &[Span], counts: &mut [u64], unknown: &mut u64, number: Option<i64>) {
    let found = number.and_then(|number| {
        spans.iter().position(|span| number >= span.from && span.below.is_none_or(|end| number < end))
    });
    match found {
        Some(at) => counts[at] += 1,
        None => *unknown += 1,
    }
}

impl Counters {
    fn take(&mut self, seat: &Seat) {
        if let Some(state) = seat.state {
            self.state[usize::from(state.code())] += 1;
        }
        if seat.internal {
            self.take_internal(seat);
        }
        if seat.page.is_some() {
            match seat.depth.map(usize::try_from) {
                Some(Ok(depth)) if depth < DEPTHS => self.depth[depth] += 1,
                Some(_) => self.deeper += 1,
                None => self.no_depth += 1,
            }
            count(SIZE, &mut self.size, &mut self.no_size, seat.bytes);
            count(TIME, &mut self.time, &mut self.no_time, seat.ttfb_ms);
        }
    }

    fn take_internal(&mut self, seat: &Seat) {
        let mut no_status = 0;
        count(STATUS, &mut self.status, &mut no_status, seat.status);
        if no_status > 0 && seat.state == Some(UrlState::Failed) {
            self.no_answer += 1;
        }
        if let Some(indexability) = indexability(seat.state, seat.status, seat.page) {
            *self.indexability.entry(indexability.code()).or_default() += 1;
        }
        if seat.status.is_some_and(|status| (200..300).contains(&status)) {
            match seat.content_type {
                Some(text) => *self.content_type.entry(text).or_default() += 1,
                None => self.no_content_type += 1,
            }
        }
    }

    fn distributions(self, reader: &Reader) -> Result<Vec<Distribution>, StoreError> {
        let content_type = self.content_types(reader)?;
        let mut status = spans(STATUS, &self.status, "status", &[internal()]);
        status.push(bar(
            "No answer",
            self.no_answer,
            all(vec![internal(), is("state", "failed"), empty("status")]),
            Tone::Bad,
        ));
        let mut depth: Vec<Bar> = (0..DEPTHS)
            .zip(self.depth)
            .map(|(depth, count)| {
                bar(&depth.to_string(), count, equals("depth", depth as i64), Tone::Neutral)
            })
            .collect();
        let deeper = format!("{DEPTHS} and more");
        depth.push(bar(&deeper, self.deeper, at_least("depth", DEPTHS as i64), Tone::Warning));
        depth.push(bar("Not linked", self.no_depth, empty("depth"), Tone::Warning));
        let mut size = spans(SIZE, &self.size, "bytes", &[]);
        size.push(bar("Unknown", self.no_size, empty("bytes"), Tone::Neutral));
        let mut time = spans(TIME, &self.time, "ttfb_ms", &[]);
        time.push(bar("Unknown", self.no_time, empty("ttfb_ms"), Tone::Neutral));
        let indexability = INDEXABILITY
            .iter()
            .map(|(reason, label, tone)| {
                let count = self.indexability.get(&reason.code()).copied().unwrap_or_default();
                bar(label, count, all(vec![internal(), is("indexability", reason.word())]), *tone)
            })
            .collect();
        let state = STATES
            .iter()
            .map(|(state, label, tone)| {
                bar(label, self.state[usize::from(state.code())], is("state", state.word()), *tone)
            })
            .collect();
        Ok(vec![
            distribution("status", "Status of internal URLs", "urls", status),
            distribution("indexability", "Indexability of internal URLs", "urls", indexability),
            distribution("depth", "Pages by clicks from the start", "pages", depth),
            distribution("size", "Pages by size", "pages", size),
            distribution("time", "Pages by time to the first byte", "pages", time),
            distribution("content_type", "What internal URLs serve", "urls", content_type),
            distribution("state", "All URLs met", "urls", state),
        ])
    }

    /// The most frequent types, all others, and answers without one. Types are told apart without their parameters.
    fn content_types(&self, reader: &Reader) -> Result<Vec<Bar>, StoreError> {
        let served = || all(vec![internal(), at_least("status", 200), below("status", 300)]);
        let mut spellings: Vec<(i64, u64)> = self.content_type.iter().map(|(text, n)| (*text, *n)).collect();
        spellings.sort_by_key(|(text, count)| (std::cmp::Reverse(*count), *text));
        let total: u64 = self.content_type.values().sum();
        let mut types: BTreeMap<String, (u64, Vec<String>)> = BTreeMap::new();
        let mut blank = 0;
        for (text, count) in spellings {
            let spelling = reader
                .one("SELECT value FROM string WHERE id = ?1", &[text.into()], |row| row.text(0).to_owned())?
                .unwrap_or_default();
            if spelling.is_empty() {
                blank += count;
                continue;
            }
            // The same text may have several numbers, so a spelling that has a place keeps counting.
            let known = types.values().any(|(_, known)| known.contains(&spelling));
            if !known && types.values().map(|(_, known)| known.len()).sum::<usize>() >= SPELLINGS {
                continue;
            }
            let (sum, known) = types.entry(media_type(&spelling)).or_default();
            *sum += count;
            if !known.contains(&spelling) {
                known.push(spelling);
            }
        }
        let mut types: Vec<(String, u64, Vec<String>)> =
            types.into_iter().map(|(name, (count, spellings))| (name, count, spellings)).collect();
        types.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        types.truncate(TYPES);
        let spelt =
            |spellings: &[String]| any(spellings.iter().map(|text| is("content_type", text)).collect());
        let named: Vec<String> = types.iter().flat_map(|(_, _, spellings)| spellings.clone()).collect();
        let counted: u64 = types.iter().map(|(_, count, _)| count).sum();
        let mut bars: Vec<Bar> = types
            .iter()
            .map(|(name, count, spellings)| {
                bar(name, *count, all(vec![served(), spelt(spellings)]), Tone::Neutral)
            })
            .collect();
        let other = all(vec![served(), filled("content_type"), not(spelt(&named))]);
        bars.push(bar("Other", total - counted - blank, other, Tone::Neutral));
        let none = all(vec![served(), empty("content_type")]);
        bars.push(bar("None sent", self.no_content_type + blank, none, Tone::Warning));
        Ok(bars)
    }
}

/// `Text/HTML; charset=utf-8` is `text/html`.
fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// As the view `v_urls` says it; `page` is the stored number of a page's indexability.
pub(super) fn indexability(
    state: Option<UrlState>,
    status: Option<i64>,
    page: Option<i64>,
) -> Option<Indexability> {
    match state? {
        UrlState::Blocked => return Some(Indexability::BlockedByRobots),
        UrlState::Failed => return Some(Indexability::NoResponse),
        UrlState::Fetched => {}
        _ => return None,
    }
    match (status, page) {
        (Some(300..=399), _) => Some(Indexability::Redirected),
        (Some(400..=499), _) => Some(Indexability::ClientError),
        (Some(500..), _) => Some(Indexability::ServerError),
        (_, None) => Some(Indexability::NotHtml),
        (_, Some(code)) => u8::try_from(code).ok().and_then(Indexability::from_code),
    }
}

/// Reasons with their words, the good one first.
pub(super) const INDEXABILITY: &[(Indexability, &str, Tone)] = &[
    (Indexability::Indexable, "Indexable", Tone::Good),
    (Indexability::Canonicalised, "Canonicalised", Tone::Neutral),
    (Indexability::Noindex, "noindex", Tone::Warning),
    (Indexability::MetaRefresh, "Meta refresh", Tone::Redirect),
    (Indexability::Redirected, "Redirect", Tone::Redirect),
    (Indexability::BlockedByRobots, "Blocked by robots.txt", Tone::Warning),
    (Indexability::ClientError, "Client error", Tone::Bad),
    (Indexability::ServerError, "Server error", Tone::Bad),
    (Indexability::NoResponse, "No answer", Tone::Bad),
    (Indexability::NotHtml, "Not HTML", Tone::Neutral),
];

const STATES: &[(UrlState, &str, Tone)] = &[
    (UrlState::Fetched, "Fetched", Tone::Good),
    (UrlState::Failed, "Failed", Tone::Bad),
    (UrlState::Blocked, "Blocked by robots.txt", Tone::Warning),
    (UrlState::Excluded, "Excluded", Tone::Neutral),
    (UrlState::OverLimit, "Over a limit", Tone::Warning),
    (UrlState::NotFollowed, "Not followed", Tone::Neutral),
    (UrlState::Queued, "Queued", Tone::Neutral),
];

fn internal() -> Filter {
    equals("internal", 1)
}

fn spans(spans: &[Span], counts: &[u64], column: &str, further: &[Filter]) -> Vec<Bar> {
    spans
        .iter()
        .zip(counts)
        .map(|(span, count)| {
            let mut conditions = further.to_vec();
            conditions.push(at_least(column, span.from));
            conditions.extend(span.below.map(|end| below(column, end)));
            bar(span.label, *count, all(conditions), span.tone)
        })
        .collect()
}

fn bar(label: &str, count: u64, filter: Filter, tone: Tone) -> Bar {
    Bar { label: label.to_owned(), count, filter, tone }
}

fn distribution(id: &str, title: &str, table: &str, mut bars: Vec<Bar>) -> Distribution {
    bars.retain(|bar| bar.count > 0);
    Distribution { id: id.to_owned(), title: title.to_owned(), table: table.to_owned(), bars }
}
