//! The five things to fix first.
//!
//! An audit's urgency is the sum of the weights of the pages it affects, times its severity, times its priority. A page weighs
//! what its link score says; as long as there are none, more the more followed links lead to it. URLs that are no indexable pages count as one page each; a robots.txt that is an
//! issue concerns every page of the site.

use super::distributions::{Place, Places};
use super::dto::{FixFirst, IssueCard};
use super::groups;
use audit::{Scope, find};
use model::words::{counted, grouped};
use store::{Reader, StoreError};

const FIRST: usize = 5;

/// Findings up to which it is looked whether they share one place in the markup: the overview must stay quick.
const PLACED: u64 = 5_000;

pub(super) fn fix_first(
    reader: &Reader,
    crawl: i64,
    cards: &[IssueCard],
    places: &Places,
) -> Result<Vec<FixFirst>, StoreError> {
    let mut candidates: Vec<(f64, &IssueCard)> = cards
        .iter()
        .filter(|card| card.severity != "note")
        .map(|card| {
            // A URL that the crawl did not meet, such as a robots.txt, weighs 1.
            let met = places.most(card.urls).max(card.urls as f64);
            let most = if concerns_all(card) { places.weight.max(1.0) } else { met };
            (most * urgency(card), card)
        })
        .collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut best: Vec<(f64, &IssueCard, Affected)> = Vec::new();
    for (most, card) in candidates {
        // What is left cannot be more urgent than what was found, or by a hundredth: audits of every page are all alike.
        if best.len() >= FIRST && best[FIRST - 1].0 >= most * 0.99 {
            break;
        }
        let affected = affected(reader, crawl, card, cards, places)?;
        let score = affected.weight * urgency(card);
        match best.iter().position(|(_, known, _)| known.audit == card.audit) {
            Some(known) if best[known].0 >= score => continue,
            Some(known) => {
                best.remove(known);
            }
            None => {}
        }
        let at = best.partition_point(|(known, _, _)| *known >= score);
        best.insert(at, (score, card, affected));
    }
    best.truncate(FIRST);
    let mut out = Vec::with_capacity(best.len());
    for (_, card, affected) in best {
        let place =
            if card.findings <= PLACED { groups::common_place(reader, crawl, &card.audit)? } else { None };
        out.push(FixFirst {
            audit: card.audit.clone(),
            title: card.title.clone(),
            severity: card.severity.clone(),
            priority: card.priority.clone(),
            findings: card.findings,
            urls: card.urls,
            why: why(card, &affected, places, place.as_ref()),
        });
    }
    Ok(out)
}

/// How much one page affected counts.
fn urgency(card: &IssueCard) -> f64 {
    let severity = match card.severity.as_str() {
        "issue" => 16.0,
        "warning" => 4.0,
        _ => 1.0,
    };
    let priority = match card.priority.as_str() {
        "high" => 4.0,
        "medium" => 2.0,
        _ => 1.0,
    };
    severity * priority
}

fn concerns_all(card: &IssueCard) -> bool {
    card.severity == "issue" && find(&card.audit).is_some_and(|audit| audit.scope == Scope::Robots)
}

/// What the findings of an audit touch.
#[derive(Default)]
struct Affected {
    weight: f64,
    /// Indexable pages.
    pages: u64,
    /// URLs that are none.
    others: u64,
    followed_inlinks: u64,
}

impl Affected {
    fn add(&mut self, place: Place) {
        self.weight += f64::from(place.weight.max(1.0));
        self.followed_inlinks += u64::from(place.followed_inlinks);
        if place.indexable {
            self.pages += 1;
        } else {
            self.others += 1;
        }
    }
}

fn affected(
    reader: &Reader,
    crawl: i64,
    card: &IssueCard,
    cards: &[IssueCard],
    places: &Places,
) -> Result<Affected, StoreError> {
    let mut affected = Affected::default();
    let mut last = -1;
    reader.rows(
        &format!(
            "SELECT f.url FROM finding f WHERE f.crawl = ?1 AND f.audit = (SELECT id FROM audit WHERE name = ?2) AND {} ORDER BY f.url",
            audit::not_ignored_sql("f")
        ),
        &[crawl.into(), card.audit.as_str().into()],
        &mut |row| {
            let url = row.int(0);
            if url != last {
                last = url;
                affected.add(places.of(url));
            }
            true
        },
    )?;
    if concerns_all(card) {
        affected =
            Affected { weight: places.weight.max(1.0), pages: places.indexable, ..Affected::default() };
    }
    // Of an audit whose findings differ in severity, this card has a part.
    let all: u64 = cards.iter().filter(|other| other.audit == card.audit).map(|other| other.urls).sum();
    if all > card.urls {
        let part = card.urls as f64 / all as f64;
        let of = |count: u64| (count as f64 * part).round() as u64;
        affected.weight *= part;
        affected.pages = of(affected.pages).min(card.urls);
        affected.others = card.urls - affected.pages;
        affected.followed_inlinks = 0;
    }
    Ok(affected)
}

fn why(card: &IssueCard, affected: &Affected, places: &Places, place: Option<&groups::Place>) -> String {
    let what = if affected.pages > 0 {
        format!(
            "{} of {} indexable pages {} affected",
            grouped(affected.pages),
            grouped(places.indexable),
            if affected.pages == 1 { "is" } else { "are" }
        )
    } else if concerns_all(card) {
        "The whole site is affected".to_owned()
    } else {
        let (noun, verb) = if affected.others == 1 { ("URL", "is") } else { ("URLs", "are") };
        format!("{} {noun} {verb} affected", grouped(affected.others))
    };
    let links = match affected.followed_inlinks {
        0 => String::new(),
        1 => ", with 1 followed link leading there".to_owned(),
        many => format!(", with {} followed links leading there", grouped(many)),
    };
    let place = place.map_or_else(String::new, |place| {
        format!(
            "; {} of {} stand in one place of the markup, {}",
            grouped(place.findings),
            counted(place.of, "finding"),
            place.label
        )
    });
    format!("{what}{links}{place}.")
}
