//! The entities of documents: written with them, read by the document's number.

use crate::error::StoreError;
use crate::rows::StructuredRow;
use crate::schema::ENTITY_BITS;
use crate::writer::Writer;

impl Writer {
    pub(crate) fn put_structured(&mut self, document: i64, rows: &[StructuredRow]) -> Result<(), StoreError> {
        // Parsing keeps fewer than the bits can tell apart.
        for (n, row) in rows.iter().take(1 << ENTITY_BITS).enumerate() {
            let element = self.string(row.element.as_deref())?;
            self.connection
                .prepare_cached(
                    "INSERT INTO entity(id, syntax, types, line, element, problems, data) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute((
                    (document << ENTITY_BITS) | n as i64,
                    row.syntax.code(),
                    &*row.types,
                    row.line,
                    element,
                    row.problems,
                    &row.data,
                ))?;
        }
        Ok(())
    }
}
