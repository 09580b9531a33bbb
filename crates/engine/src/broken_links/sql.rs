//! The statements of the report. They give the rows of `v_links` with these verdicts; the tests compare the two.
//!
//! `v_links` goes through every link of a crawl. Here the way begins at the targets that do not work, of which there are few, and
//! leads back to the links by the index that every finished crawl has.

use model::{LinkKind, Position};
use store::views::verdict_sql;

/// Where the way begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// At the targets: the file has the indexes that lead back.
    Targets,
    /// At the pages: the first crawl of the file has not come to its end.
    Pages,
}

/// Which links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    Broken,
    BrokenAndUnverified,
    Invalid,
}

/// In which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Target,
    /// Broken before unverified, the site's own before others, then by target.
    Section,
}

// An http URL that was turned into its https twin without being asked is judged by that twin.
const _: () = assert!(store::schema::answer_flags::SYNTHETIC == 1024);

/// What a target turned out to be, of a visit `tv`, its answer `ta` and the end of its chain `x`, `fv`, `fa`.
fn verdict() -> String {
    let (own, end) = (verdict_sql("tv", "ta"), verdict_sql("fv", "fa"));
    format!(
        "CASE WHEN tv.state = 1 AND ta.status IN (301, 302, 303, 307, 308) AND ta.flags & 1024 = 0 THEN
           CASE WHEN fv.key IS NULL THEN 'redirect' WHEN x.loop THEN 'broken' WHEN {end} IN ('broken', 'unverified') THEN {end} ELSE 'redirect' END
         WHEN tv.state = 1 AND ta.flags & 1024 THEN CASE WHEN fv.key IS NULL THEN 'ok' ELSE {end} END
         ELSE {own} END"
    )
}

const END: &str = "LEFT JOIN answer ta ON ta.key = tv.key LEFT JOIN chain x ON x.key = tv.key
     LEFT JOIN visit fv ON fv.key = (tv.key >> 32 << 32) | coalesce(x.final, CASE WHEN ta.flags & 1024 THEN (SELECT hl.target FROM link hl WHERE hl.id = ta.list << 20) END)
     LEFT JOIN answer fa ON fa.key = fv.key";

/// `FROM … WHERE …`: links `l` with the answer `a` of their page and, but for invalid ones, what their target is.
/// Parameters: first and last key of the crawl.
fn links(way: Way, pick: Pick) -> String {
    const FORWARD: &str =
        "answer a CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575";
    const BACK: &str = "CROSS JOIN answer a ON a.list = l.id >> 20 AND a.key BETWEEN ?1 AND ?2";
    let verdicts = match pick {
        Pick::Broken => "('broken')",
        Pick::BrokenAndUnverified => "('broken', 'unverified')",
        Pick::Invalid => {
            return match way {
                Way::Targets => format!("FROM link l {BACK} WHERE l.target IS NULL"),
                Way::Pages => format!(
                    "FROM {FORWARD} WHERE a.key BETWEEN ?1 AND ?2 AND a.list IS NOT NULL AND l.target IS NULL"
                ),
            };
        }
    };
    let verdict = verdict();
    match way {
        Way::Targets => format!(
            "FROM visit tv {END} CROSS JOIN link l ON l.target = tv.key & 4294967295 {BACK}
             WHERE tv.key BETWEEN ?1 AND ?2 AND {verdict} IN {verdicts}"
        ),
        Way::Pages => format!(
            "FROM {FORWARD} CROSS JOIN visit tv ON tv.key = (a.key >> 32 << 32) | l.target {END}
             WHERE a.key BETWEEN ?1 AND ?2 AND a.list IS NOT NULL AND {verdict} IN {verdicts}"
        ),
    }
}

/// What the reason of a target is made from, columns 0 to 8: verdict, internal, status, failure, redirects, loop, final URL,
/// final status, final failure. They need `string tr`, `string fr` and `url fu`.
fn target_columns() -> String {
    format!(
        "{} AS verdict, tv.internal AS internal, ta.status, tr.value, tv.state = 1 AND x.key IS NOT NULL, x.loop, fu.text, fa.status, fr.value",
        verdict()
    )
}

const TARGET_NAMES: &str = "LEFT JOIN string tr ON tr.id = tv.reason LEFT JOIN url fu ON fu.id = x.final LEFT JOIN string fr ON fr.id = fv.reason";

/// Puts joins before the `WHERE` of `links`.
fn joined(links: &str, joins: &str) -> String {
    // The last one: a join before it may look something up.
    match links.rsplit_once("WHERE") {
        Some((from, conditions)) => format!("{from} {joins} WHERE {conditions}"),
        None => format!("{links} {joins}"),
    }
}

/// The occurrences. Columns 0 to 8 are the target's (NULL for invalid ones); then 9 target's id, 10 page's id, 11 page,
/// 12 title, 13 anchor, 14 element, 15 position, 16 line, 17 kind, 18 raw href, 19 target.
pub(super) fn occurrences(way: Way, pick: Pick, order: Order) -> String {
    let invalid = pick == Pick::Invalid;
    let target = if invalid {
        "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL".to_owned()
    } else {
        target_columns()
    };
    let raw_href = if invalid { "hr.value".to_owned() } else { store::raw_href_sql("l", "tu", "u", "hr") };
    let (names, target_text) = if invalid {
        (String::new(), "NULL")
    } else {
        (format!("CROSS JOIN url tu ON tu.id = l.target {TARGET_NAMES}"), "tu.text")
    };
    let joins = format!(
        "CROSS JOIN link_shape s ON s.id = l.shape CROSS JOIN url u ON u.id = a.key & 4294967295 {names}
         LEFT JOIN string hr ON hr.id = l.href >> 2 LEFT JOIN string an ON an.id = l.anchor
         LEFT JOIN page p ON p.key = a.key LEFT JOIN document d ON d.id = p.document"
    );
    let order = match (order, invalid) {
        (_, true) => "hr.value, u.text, l.line, l.id",
        (Order::Target, false) => "tu.text, u.text, l.line, l.id",
        (Order::Section, false) => "verdict, internal DESC, tu.text, u.text, l.line, l.id",
    };
    format!(
        "SELECT {target}, l.target, a.key & 4294967295, u.text, d.title, an.value, s.element, {}, l.line, {}, {raw_href}, {target_text}
         {} ORDER BY {order}",
        Position::sql_case("s.position"),
        LinkKind::sql_case("s.kind"),
        joined(&links(way, pick), &joins)
    )
}

/// A row for each target that does not work: columns 0 to 8 as above, then 9 its id, 10 its URL, 11 occurrences, 12 pages.
/// For invalid addresses a row for each text: 0 the text, 1 occurrences, 2 pages.
pub(super) fn targets(way: Way, pick: Pick) -> String {
    if pick == Pick::Invalid {
        let from = joined(&links(way, pick), "LEFT JOIN string hr ON hr.id = l.href >> 2");
        return format!("SELECT hr.value, count(*), count(DISTINCT a.key) {from} GROUP BY hr.value");
    }
    let from = joined(&links(way, pick), &format!("CROSS JOIN url tu ON tu.id = l.target {TARGET_NAMES}"));
    format!(
        "SELECT {}, l.target, tu.text, count(*), count(DISTINCT a.key) {from} GROUP BY l.target",
        target_columns()
    )
}

/// The number of pages with a broken link or an invalid address.
pub(super) fn pages(way: Way) -> String {
    format!(
        "SELECT count(*) FROM (SELECT a.key {} UNION SELECT a.key {})",
        links(way, Pick::Broken),
        links(way, Pick::Invalid)
    )
}

/// The crawls up to ?2 in which the target ?1 had the verdict ?3, the earliest first.
pub(super) fn crawls_of_target() -> String {
    format!(
        "SELECT c.id FROM crawl c CROSS JOIN visit tv ON tv.key = (c.id << 32) | ?1 {END} WHERE c.id <= ?2 AND {} = ?3 ORDER BY c.id",
        verdict()
    )
}

/// A row if the page of key ?1 had a link to the target ?2.
pub(super) const LINKED: &str = "SELECT 1 FROM answer a CROSS JOIN link l ON l.target = ?2 AND l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575
     WHERE a.key = ?1 AND a.list IS NOT NULL LIMIT 1";

/// The earliest crawl up to ?2 in which the page ?1 had a link that is no address, written as ?3.
pub(super) const INVALID_SINCE: &str =
    "SELECT min(c.id) FROM crawl c CROSS JOIN answer a ON a.key = (c.id << 32) | ?1
     CROSS JOIN link l ON l.target IS NULL AND l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575
     CROSS JOIN string hr ON hr.id = l.href >> 2 WHERE c.id <= ?2 AND a.list IS NOT NULL AND hr.value = ?3";
