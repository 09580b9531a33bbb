//! All rules about URLs and pages, in one scan over the rows of a crawl.

use crate::audit::{Needs, Rule, Scope, Text};
use crate::catalogue::catalogue;
use crate::compile::{self, BITS};
use crate::findings::Findings;
use crate::limits::Limits;
use crate::view;
use model::hash::HashSeed;
use store::{StoreError, Value, Writer};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Keys asked for at once: the hits of a chunk are held in memory and it is the distance between two looks at cancelling.
pub(crate) const CHUNK: i64 = 1 << 14;

/// The compiled scan.
pub(crate) struct RowScan {
    /// Takes the place of the row source's condition: `{where}`.
    select: String,
    /// Audits of each word, by bit.
    words: Vec<Vec<usize>>,
    lengths: Vec<Length>,
    same: Vec<Same>,
    seed: HashSeed,
    /// Rows per scope of `Scope::OF_ROWS`.
    counted: Vec<i64>,
}

struct Length {
    text: usize,
    longer: bool,
    limit: f64,
    audit: usize,
}

/// Hash of every text met and where: low half, high half, URL. 12 bytes a page.
struct Same {
    text: usize,
    audit: usize,
    met: Vec<(u32, u32, u32)>,
}

/// Which rules a scan holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Rules that need the URL itself only.
    Itself,
    /// All of them.
    Crawl,
}

impl RowScan {
    pub(crate) fn new(reach: Reach, limits: &Limits, seed: HashSeed) -> Self {
        let (mut words, mut columns) = (Vec::new(), Vec::new());
        for scope in Scope::OF_ROWS {
            let guard = scope.condition().map(|sql| compile::condition(sql, limits));
            columns.push(format!("(({}) IS TRUE)", guard.as_deref().unwrap_or("0")));
            let rules: Vec<(usize, String)> = catalogue()
                .iter()
                .enumerate()
                .filter(|(_, audit)| audit.scope == *scope)
                .filter_map(|(index, audit)| match audit.rule {
                    Rule::Row(needs, sql) if reach == Reach::Crawl || needs == Needs::Itself => {
                        Some((index, compile::condition(sql, limits)))
                    }
                    _ => None,
                })
                .collect();
            for chunk in rules.chunks(BITS) {
                let conditions: Vec<String> = chunk.iter().map(|(_, sql)| sql.clone()).collect();
                words.push((
                    chunk.iter().map(|(index, _)| *index).collect(),
                    compile::mask(guard.as_deref(), &conditions),
                ));
            }
        }
        columns.extend(words.iter().map(|(_, mask): &(Vec<usize>, String)| mask.clone()));
        let texts = compile::condition(Scope::Indexable.condition().unwrap_or("0"), limits);
        columns.extend(Text::ALL.iter().map(|text| format!("CASE WHEN {texts} THEN {} END", text.column())));
        let source = match reach {
            Reach::Itself => view::own_rows(),
            Reach::Crawl => view::crawl_rows(),
        };
        let (lengths, same) = text_rules(reach, limits);
        Self {
            select: format!("SELECT url_id, {} FROM {source} WHERE ", columns.join(", ")),
            words: words.into_iter().map(|(audits, _)| audits).collect(),
            lengths,
            same,
            seed,
            counted: vec![0; Scope::OF_ROWS.len()],
        }
    }

    /// Judges the rows from `first` to `last`, both inclusive.
    pub(crate) fn range(
        &mut self,
        writer: &mut Writer,
        findings: &mut Findings,
        first: i64,
        last: i64,
    ) -> Result<(), StoreError> {
        let sql = format!("{}key BETWEEN ?1 AND ?2", self.select);
        self.judge(writer, findings, &sql, &[first.into(), last.into()])
    }

    /// Judges single rows.
    pub(crate) fn keys(
        &mut self,
        writer: &mut Writer,
        findings: &mut Findings,
        keys: &[i64],
    ) -> Result<(), StoreError> {
        let sql = format!("{}key IN (SELECT value FROM json_each(?1))", self.select);
        for chunk in keys.chunks(CHUNK as usize) {
            let list: Vec<String> = chunk.iter().map(i64::to_string).collect();
            self.judge(writer, findings, &sql, &[Value::Text(format!("[{}]", list.join(",")))])?;
        }
        Ok(())
    }

    /// How many rows of a scope were judged.
    pub(crate) fn counted(&self, scope: Scope) -> Option<i64> {
        Scope::OF_ROWS.iter().position(|known| *known == scope).map(|index| self.counted[index])
    }

    fn judge(
        &mut self,
        writer: &mut Writer,
        findings: &mut Findings,
        sql: &str,
        parameters: &[Value],
    ) -> Result<(), StoreError> {
        let mut hits: Vec<(usize, i64)> = Vec::new();
        let scopes = Scope::OF_ROWS.len();
        writer.rows(sql, parameters, &mut |row| {
            let url = row.int(0);
            for (scope, counted) in self.counted.iter_mut().enumerate() {
                *counted += row.int(1 + scope);
            }
            for (word, audits) in self.words.iter().enumerate() {
                let mask = row.int(1 + scopes + word);
                hits.extend(compile::bits(mask as u64).map(|bit| (audits[bit], url)));
            }
            let texts = 1 + scopes + self.words.len();
            for length in &self.lengths {
                if length.holds(row.text(texts + length.text)) {
                    hits.push((length.audit, url));
                }
            }
            for same in &mut self.same {
                same.note(row.text(texts + same.text), url, self.seed);
            }
            Ok(())
        })?;
        hits.sort_unstable();
        for (audit, url) in hits {
            findings.add(writer, audit, url, 0)?;
        }
        Ok(())
    }

    /// Judges what needs all texts of the crawl: call it once, after the last range.
    pub(crate) fn compare(&mut self, writer: &mut Writer, findings: &mut Findings) -> Result<(), StoreError> {
        for same in std::mem::take(&mut self.same) {
            let mut met = same.met;
            met.sort_unstable();
            let mut urls: Vec<u32> = met
                .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
                .filter(|group| group.len() > 1)
                .flat_map(|group| group.iter().map(|(_, _, url)| *url))
                .collect();
            drop(met);
            urls.sort_unstable();
            for url in urls {
                findings.add(writer, same.audit, i64::from(url), 0)?;
            }
        }
        Ok(())
    }
}

fn text_rules(reach: Reach, limits: &Limits) -> (Vec<Length>, Vec<Same>) {
    let place = |text: Text| Text::ALL.iter().position(|known| *known == text).unwrap_or_default();
    let (mut lengths, mut same) = (Vec::new(), Vec::new());
    for (audit, definition) in catalogue().iter().enumerate() {
        match definition.rule {
            Rule::Longer(text, name) => {
                lengths.push(Length { text: place(text), longer: true, limit: limits.get(name), audit });
            }
            Rule::Shorter(text, name) => {
                lengths.push(Length { text: place(text), longer: false, limit: limits.get(name), audit });
            }
            Rule::Same(text) if reach == Reach::Crawl => {
                same.push(Same { text: place(text), audit, met: Vec::new() });
            }
            _ => {}
        }
    }
    (lengths, same)
}

impl Length {
    fn holds(&self, text: &str) -> bool {
        if text.is_empty() {
            return false;
        }
        if self.longer { characters(text) as f64 > self.limit } else { (columns(text) as f64) < self.limit }
    }
}

impl Same {
    fn note(&mut self, text: &str, url: i64, seed: HashSeed) {
        if text.is_empty() {
            return;
        }
        let hash = seed.content(text.to_lowercase().as_bytes()) as u64;
        self.met.push((hash as u32, (hash >> 32) as u32, url as u32));
    }
}

/// Characters as a person counts them.
pub(crate) fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).count() }
}

/// Characters as a person counts them, wide ones (Chinese, Japanese, Korean) as two.
fn columns(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let wide = |character: char| character.width() == Some(2);
    text.graphemes(true).map(|grapheme| 1 + usize::from(grapheme.chars().any(wide))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_what_a_person_sees() {
        let check = |text: &str, expect: usize| assert_eq!(characters(text), expect, "{text}");
        check("", 0);
        check("plain", 5);
        check("Übergröße", 9);
        check("e\u{301}", 1);
        check("👩‍👩‍👧‍👦", 1);
        check("नमस्ते", 3);
    }

    #[test]
    fn wide_characters_fill_two_columns() {
        let check = |text: &str, expect: usize| assert_eq!(columns(text), expect, "{text}");
        check("", 0);
        check("plain", 5);
        check("Übergröße", 9);
        check("नमस्ते", 3);
        check("お茶の店", 8);
        check("한국 차", 7);
        check("茶 tea", 6);
        check("か\u{3099}", 2);
        check("ｶﾅ", 2);
    }
}
