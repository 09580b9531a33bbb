//! What is kept of the texts of documents, and their HTML read back while a project is written.

use crate::error::StoreError;
use crate::rows::Document;
use crate::writer::Writer;
use rusqlite::{OptionalExtension, params};

/// What `fragment.hashes` holds of the fingerprint of an id.
pub const fn fragment_code(fingerprint: u64) -> u32 {
    fingerprint as u32
}

/// Whether the fragments of a document hold one, by its code.
pub fn has_fragment(hashes: &[u8], code: u32) -> bool {
    let (codes, _) = hashes.as_chunks::<4>();
    codes.binary_search_by_key(&code, |bytes| u32::from_le_bytes(*bytes)).is_ok()
}

impl Writer {
    pub(crate) fn put_texts(&self, id: i64, document: &Document) -> Result<(), StoreError> {
        let (main, reading) = (&document.main_text, &document.reading);
        if main.is_some() || reading.is_some() {
            self.connection
                .prepare_cached(
                    "INSERT INTO main_text(document, hash, shingles, signature, language, ease, words, sentences) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    id,
                    main.as_ref().map_or(0, |main| main.hash as i64),
                    main.as_ref().map_or(0, |main| main.shingles),
                    main.as_ref().map(|main| &main.signature[..]),
                    reading.map(|reading| reading.language),
                    reading.map(|reading| reading.ease),
                    reading.map(|reading| reading.words),
                    reading.map(|reading| reading.sentences),
                ])?;
        }
        if !document.fragments.is_empty() {
            let mut codes: Vec<u32> = document.fragments.iter().copied().map(fragment_code).collect();
            codes.sort_unstable();
            codes.dedup();
            let hashes: Vec<u8> = codes.into_iter().flat_map(u32::to_le_bytes).collect();
            self.connection
                .prepare_cached("INSERT INTO fragment(document, hashes) VALUES(?1, ?2)")?
                .execute((id, hashes))?;
        }
        Ok(())
    }

    /// The HTML of a document and the encoding that it was read with. `None` where it was not stored.
    pub fn html_of_document(&self, document: i64) -> Result<Option<(Vec<u8>, String)>, StoreError> {
        let stored: Option<(u32, i64, Vec<u8>, String)> = self
            .connection
            .prepare_cached(
                "SELECT h.dictionary, h.size, h.data, d.charset FROM document d JOIN html h ON h.id = d.html WHERE d.id = ?1",
            )?
            .query_row([document], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?)))
            .optional()?;
        let Some((dictionary, size, data, charset)) = stored else { return Ok(None) };
        let dictionary: Vec<u8> = match dictionary {
            0 => Vec::new(),
            id => self
                .connection
                .prepare_cached("SELECT data FROM html_dictionary WHERE id = ?1")?
                .query_row([id], |r| r.get(0))?,
        };
        Ok(Some((crate::html::unpack(&dictionary, size, &data)?, charset)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_looked_up_by_their_codes() {
        let hashes: Vec<u8> = [1_u32, 300, 70_000].into_iter().flat_map(u32::to_le_bytes).collect();
        let check = |code: u32, expect: bool| assert_eq!(has_fragment(&hashes, code), expect, "{code}");
        check(300, true);
        check(70_000, true);
        check(0, false);
        check(70_001, false);
        assert!(!has_fragment(&[], 1));
    }
}
