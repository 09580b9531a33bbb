//! What is known of a page's text: how it reads, and which pages say almost the same.

use super::dto::Fact;
use super::facts::fact;
use store::{Reader, StoreError};

/// Pages of a cluster that are named.
const NAMED: usize = 5;

/// The facts about the text of the page with this key.
pub(super) fn texts(reader: &Reader, key: i64) -> Result<Vec<Fact>, StoreError> {
    let mut facts = Vec::new();
    let reading = reader.one(
        "SELECT m.ease, m.language FROM page p CROSS JOIN main_text m ON m.document = p.document WHERE p.key = ?1 AND m.ease IS NOT NULL",
        &[key.into()],
        |row| format!("{} by the formula for {}", row.int(0), row.text(1)),
    )?;
    facts.extend(reading.map(|words| fact("Reading ease", words)));
    facts.extend(near_duplicates(reader, key)?);
    Ok(facts)
}

/// The other pages of its cluster: first the one that it is most like.
fn near_duplicates(reader: &Reader, key: i64) -> Result<Option<Fact>, StoreError> {
    let own = reader.one(
        "SELECT cluster, other, pages, similarity, estimated FROM near_duplicate WHERE key = ?1",
        &[key.into()],
        |row| [0, 1, 2, 3, 4].map(|column| row.int(column)),
    )?;
    let Some([cluster, other, pages, similarity, estimated]) = own else { return Ok(None) };
    let about = if estimated != 0 { "about " } else { "" };
    let mut named: Vec<String> = reader
        .one("SELECT text FROM url WHERE id = ?1", &[other.into()], |row| {
            format!("{} ({about}{similarity} %)", row.text(0))
        })?
        .into_iter()
        .collect();
    let first = key >> 32 << 32;
    reader.rows(
        "SELECT u.text FROM near_duplicate n CROSS JOIN url u ON u.id = n.key & 4294967295
         WHERE n.cluster = ?1 AND n.key BETWEEN ?2 AND ?3 AND n.key <> ?4 AND n.key <> ?5 ORDER BY n.key",
        &[cluster.into(), first.into(), (first | 0xFFFF_FFFF).into(), key.into(), (first | other).into()],
        &mut |row| {
            named.push(row.text(0).to_owned());
            named.len() < NAMED
        },
    )?;
    let more = pages - 1 - named.len() as i64;
    if more > 0 {
        named.push(format!("{more} more"));
    }
    Ok(Some(fact("Near duplicates", named.join(", "))))
}
