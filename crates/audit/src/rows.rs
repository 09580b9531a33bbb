//! All rules about URLs and pages, in one scan over the rows of a crawl.

use crate::audit::{Needs, Rule, Scope, Text};
use crate::compile::{self, BITS};
use crate::findings::{Chosen, Findings};
use crate::limits::Limits;
use crate::variants::{self, Variants};
use crate::view;
use model::hash::HashSeed;
use std::collections::HashMap;
use store::{StoreError, Value, Writer};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Keys asked for at once: the hits of a chunk are held in memory and it is the distance between two looks at cancelling.
pub(crate) const CHUNK: i64 = 1 << 14;

/// The compiled scan.
pub(crate) struct RowScan {
    /// Takes the place of the row source's condition: `{where}`.
    select: String,
    /// Rules of each word, by bit.
    words: Vec<Vec<Bit>>,
    limits: Limits,
    /// Scopes whose rows are counted; a column each.
    scopes: Vec<Scope>,
    /// Texts that some rule reads; a column each.
    texts: Vec<Text>,
    /// Whether the URL's text and what pages of the same text are told by are the last columns.
    reads_urls: bool,
    variants: Vec<Variants>,
    lengths: Vec<Length>,
    same: Vec<Same>,
    seed: HashSeed,
    /// Rows per scope of `scopes`.
    counted: Vec<i64>,
    flaws: FlawScan,
    /// Whether rows are read at all.
    is_idle: bool,
}

/// A rule that holds where its bit is set, and its condition on the URL's text holds too.
#[derive(Clone, Copy)]
struct Bit {
    audit: usize,
    of_url: Option<fn(&str, &Limits) -> bool>,
}

/// The rules about flaws: a scan of its own over the pages that have some.
struct FlawScan {
    /// Up to its condition on `key`; one column a scope of the rules.
    select: String,
    /// By the stored code of the kind: the place of the scope, the audit.
    rules: HashMap<i64, (usize, usize)>,
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
    /// Every rule within reach.
    pub(crate) fn new(reach: Reach, limits: &Limits, seed: HashSeed) -> Self {
        Self::of(&Chosen::all(), reach, limits, seed)
    }

    /// The rules of some audits.
    pub(crate) fn of(chosen: &Chosen, reach: Reach, limits: &Limits, seed: HashSeed) -> Self {
        let (mut words, mut columns) = (Vec::new(), Vec::new());
        let is_asked = |scope: &&Scope| chosen.audits().any(|(_, audit)| audit.scope == **scope);
        let scopes: Vec<Scope> = Scope::OF_ROWS.iter().filter(is_asked).copied().collect();
        for scope in &scopes {
            let guard = scope.condition().map(|sql| compile::condition(sql, limits));
            columns.push(format!("(({}) IS TRUE)", guard.as_deref().unwrap_or("0")));
            let rules: Vec<(Bit, String)> = chosen
                .audits()
                .filter(|(_, audit)| audit.scope == *scope)
                .filter_map(|(index, audit)| match audit.rule {
                    Rule::Row(needs, sql) if reach == Reach::Crawl || needs == Needs::Itself => {
                        Some((Bit { audit: index, of_url: None }, compile::condition(sql, limits)))
                    }
                    Rule::Url(sql, holds) if reach == Reach::Crawl => {
                        Some((Bit { audit: index, of_url: Some(holds) }, compile::condition(sql, limits)))
                    }
                    _ => None,
                })
                .collect();
            for chunk in rules.chunks(BITS) {
                let conditions: Vec<String> = chunk.iter().map(|(_, sql)| sql.clone()).collect();
                words.push((
                    chunk.iter().map(|(bit, _)| *bit).collect(),
                    compile::mask(guard.as_deref(), &conditions),
                ));
            }
        }
        columns.extend(words.iter().map(|(_, mask): &(Vec<Bit>, String)| mask.clone()));
        let guard = compile::condition(Scope::Indexable.condition().unwrap_or("0"), limits);
        let (texts, lengths, same) = text_rules(chosen, reach, limits);
        columns.extend(texts.iter().map(|text| format!("CASE WHEN {guard} THEN {} END", text.column())));
        let variants = if reach == Reach::Crawl { Variants::of(chosen) } else { Vec::new() };
        let reads_urls =
            !variants.is_empty() || words.iter().any(|(bits, _)| bits.iter().any(|bit| bit.of_url.is_some()));
        if reads_urls {
            columns.extend(["url".to_owned(), variants::COLUMN.to_owned()]);
        }
        let source = match reach {
            Reach::Itself => view::own_rows(),
            Reach::Crawl => view::crawl_rows(),
        };
        Self {
            is_idle: columns.is_empty(),
            select: format!("SELECT url_id, {} FROM {source} WHERE ", columns.join(", ")),
            words: words.into_iter().map(|(bits, _)| bits).collect(),
            limits: limits.clone(),
            counted: vec![0; scopes.len()],
            scopes,
            texts,
            reads_urls,
            variants,
            lengths,
            same,
            seed,
            flaws: FlawScan::new(chosen, limits),
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
        let range = [first.into(), last.into()];
        self.judge(writer, findings, &sql, &range)?;
        self.flaws.judge(writer, findings, "r.key BETWEEN ?1 AND ?2", &range)
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
            let list = [Value::Text(format!("[{}]", list.join(",")))];
            self.judge(writer, findings, &sql, &list)?;
            self.flaws.judge(writer, findings, "r.key IN (SELECT value FROM json_each(?1))", &list)?;
        }
        Ok(())
    }

    /// How many rows of a scope were judged.
    pub(crate) fn counted(&self, scope: Scope) -> Option<i64> {
        self.scopes.iter().position(|known| *known == scope).map(|index| self.counted[index])
    }

    fn judge(
        &mut self,
        writer: &mut Writer,
        findings: &mut Findings,
        sql: &str,
        parameters: &[Value],
    ) -> Result<(), StoreError> {
        if self.is_idle {
            return Ok(());
        }
        let mut hits: Vec<(usize, i64)> = Vec::new();
        let scopes = self.scopes.len();
        writer.rows(sql, parameters, &mut |row| {
            let url = row.int(0);
            for (scope, counted) in self.counted.iter_mut().enumerate() {
                *counted += row.int(1 + scope);
            }
            let texts = 1 + scopes + self.words.len();
            let address = texts + self.texts.len();
            for (word, rules) in self.words.iter().enumerate() {
                for bit in compile::bits(row.int(1 + scopes + word) as u64) {
                    let rule = rules[bit];
                    if rule.of_url.is_none_or(|holds| holds(row.text(address), &self.limits)) {
                        hits.push((rule.audit, url));
                    }
                }
            }
            if self.reads_urls
                && let Some(text) = row.opt_int(address + 1)
            {
                for variants in &mut self.variants {
                    variants.note(row.text(address), text, url, self.seed);
                }
            }
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
        for variants in std::mem::take(&mut self.variants) {
            variants.compare(writer, findings)?;
        }
        Ok(())
    }
}

impl FlawScan {
    fn new(chosen: &Chosen, limits: &Limits) -> Self {
        let mut asked: Vec<Scope> = Vec::new();
        let mut rules = HashMap::new();
        for (index, audit) in chosen.audits() {
            let Rule::Flaw(kind) = audit.rule else { continue };
            let scope = asked.iter().position(|known| *known == audit.scope).unwrap_or_else(|| {
                asked.push(audit.scope);
                asked.len() - 1
            });
            rules.insert(i64::from(kind.code()), (scope, index));
        }
        let scopes: Vec<String> = asked
            .iter()
            .map(|scope| {
                let sql = scope.condition().map(|sql| compile::condition(sql, limits));
                format!("(({}) IS TRUE)", sql.as_deref().unwrap_or("0"))
            })
            .collect();
        // The pages come first: of their flaws a document's key tells where they are.
        let select = format!(
            "SELECT r.url_id, w.n, w.kind, {} FROM {} r CROSS JOIN flaw w ON w.document = r.document_id WHERE ",
            scopes.join(", "),
            view::own_rows()
        );
        Self { select, rules }
    }

    fn judge(
        &self,
        writer: &mut Writer,
        findings: &mut Findings,
        condition: &str,
        parameters: &[Value],
    ) -> Result<(), StoreError> {
        if self.rules.is_empty() {
            return Ok(());
        }
        let mut hits: Vec<(usize, i64, i64)> = Vec::new();
        writer.rows(&format!("{}{condition}", self.select), parameters, &mut |row| {
            if let Some((scope, audit)) = self.rules.get(&row.int(2))
                && row.int(3 + scope) != 0
            {
                hits.push((*audit, row.int(0), -1 - row.int(1)));
            }
            Ok(())
        })?;
        hits.sort_unstable();
        for (audit, url, flaw) in hits {
            findings.add(writer, audit, url, flaw)?;
        }
        Ok(())
    }
}

/// The texts that are read, and the rules about them.
fn text_rules(chosen: &Chosen, reach: Reach, limits: &Limits) -> (Vec<Text>, Vec<Length>, Vec<Same>) {
    let mut texts: Vec<Text> = Vec::new();
    let mut place = |text: Text| {
        texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            texts.push(text);
            texts.len() - 1
        })
    };
    let (mut lengths, mut same) = (Vec::new(), Vec::new());
    for (audit, definition) in chosen.audits() {
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
    (texts, lengths, same)
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
