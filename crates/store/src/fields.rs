//! What a person looks for in pages, and what was found: fields and their values.

use crate::error::StoreError;
use crate::read::Reader;
use crate::value::Value;
use crate::writer::Writer;
use rusqlite::Connection;

/// A field of a project, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldRow {
    pub id: i64,
    pub name: String,
    /// As `model::custom::Field` reads it.
    pub rule: String,
    /// The word of a `model::custom::FieldKind`.
    pub kind: String,
}

fn read(connection: &Connection) -> Result<Vec<FieldRow>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT id, name, rule, kind FROM custom_field ORDER BY id")?;
    let rows = statement.query_map([], |row| {
        Ok(FieldRow { id: row.get(0)?, name: row.get(1)?, rule: row.get(2)?, kind: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Reader {
    /// In the order in which they were added.
    pub fn fields(&self) -> Result<Vec<FieldRow>, StoreError> {
        read(&self.connection)
    }
}

impl Writer {
    /// In the order in which they were added.
    pub fn fields(&self) -> Result<Vec<FieldRow>, StoreError> {
        read(&self.connection)
    }

    /// Adds a field, or gives the one of this name another rule. What was found by the old rule stays until it is computed anew.
    pub fn set_field(&mut self, name: &str, rule: &str, kind: &str) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO custom_field(name, rule, kind) VALUES(?1, ?2, ?3) ON CONFLICT(name) DO UPDATE SET rule = ?2, kind = ?3",
            )?
            .execute((name, rule, kind))?;
        Ok(())
    }

    /// Removes a field and all that was found for it. Whether there was one.
    pub fn remove_field(&mut self, name: &str) -> Result<bool, StoreError> {
        self.connection.execute(
            "DELETE FROM custom_value WHERE field = (SELECT id FROM custom_field WHERE name = ?1)",
            [name],
        )?;
        Ok(self.connection.execute("DELETE FROM custom_field WHERE name = ?1", [name])? > 0)
    }

    /// What a field has on a page of a crawl, in the place of what it had.
    pub fn put_values(
        &mut self,
        crawl: i64,
        url: u32,
        field: i64,
        values: &[Value],
    ) -> Result<(), StoreError> {
        let key = crate::key(crawl, url);
        self.connection
            .prepare_cached("DELETE FROM custom_value WHERE key = ?1 AND field = ?2")?
            .execute((key, field))?;
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO custom_value(key, field, n, value) VALUES(?1, ?2, ?3, ?4)")?;
        for (n, value) in values.iter().enumerate() {
            insert.execute((key, field, n as i64 + 1, value))?;
        }
        Ok(())
    }
}
