//! Pages that say the same under URLs that are almost the same.

use crate::audit::Rule;
use crate::findings::{Chosen, Findings, place};
use model::hash::HashSeed;
use std::collections::HashMap;
use store::{StoreError, Value, Writer};

/// What tells whether two pages say the same, over the columns of `view`; NULL for what is no page or says nothing.
pub(crate) const COLUMN: &str = "CASE WHEN is_page AND has_content THEN nullif(text_hash, 0) END";

/// URLs whose texts are looked up at once.
const CHUNK: usize = 4_096;

/// One such rule: hash of every folded URL with what the page says (low half, high half) and the URL. 12 bytes a page.
pub(crate) struct Variants {
    audit: usize,
    fold: fn(&str) -> Option<String>,
    met: Vec<(u32, u32, u32)>,
}

impl Variants {
    /// Those of the chosen audits.
    pub(crate) fn of(chosen: &Chosen) -> Vec<Self> {
        chosen
            .audits()
            .filter_map(|(audit, definition)| match definition.rule {
                Rule::Variants(fold) => Some(Self { audit, fold, met: Vec::new() }),
                _ => None,
            })
            .collect()
    }

    /// Notes a page; `text` is the value of `COLUMN`.
    pub(crate) fn note(&mut self, address: &str, text: i64, url: i64, seed: HashSeed) {
        let Some(mut folded) = (self.fold)(address) else { return };
        folded.push(' ');
        folded.push_str(&text.to_string());
        let hash = seed.content(folded.as_bytes()) as u64;
        self.met.push((hash as u32, (hash >> 32) as u32, url as u32));
    }

    /// Finds those that have company. Each is set beside the first other one by its text, so that it does not matter in which
    /// order the crawl met them.
    pub(crate) fn compare(self, writer: &mut Writer, findings: &mut Findings) -> Result<(), StoreError> {
        let Self { audit, mut met, .. } = self;
        met.sort_unstable();
        met.dedup();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut held = 0;
        for group in met.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|group| group.len() > 1) {
            held += group.len();
            groups.push(group.iter().map(|(_, _, url)| *url).collect());
            if held >= CHUNK {
                found(writer, findings, audit, &std::mem::take(&mut groups))?;
                held = 0;
            }
        }
        found(writer, findings, audit, &groups)
    }
}

fn found(
    writer: &mut Writer,
    findings: &mut Findings,
    audit: usize,
    groups: &[Vec<u32>],
) -> Result<(), StoreError> {
    let ids: Vec<String> = groups.iter().flatten().map(u32::to_string).collect();
    let mut texts: HashMap<u32, String> = HashMap::with_capacity(ids.len());
    let sql = "SELECT id, text FROM url WHERE id IN (SELECT value FROM json_each(?1))";
    writer.rows(sql, &[Value::Text(format!("[{}]", ids.join(",")))], &mut |row| {
        texts.insert(row.int(0) as u32, row.text(1).to_owned());
        Ok(())
    })?;
    for group in groups {
        let mut group = group.clone();
        group.sort_unstable_by_key(|url| texts.get(url));
        for (at, url) in group.iter().enumerate() {
            let other = group[usize::from(at == 0)];
            findings.add(writer, audit, i64::from(*url), place::other_url(i64::from(other)))?;
        }
    }
    Ok(())
}
