//! Link lists addressed by content, and the shapes that links share.

use crate::error::StoreError;
use crate::href::{FORM_BITS, Href};
use crate::schema::ORDINAL_BITS;
use crate::writer::Writer;
use model::{LinkKind, Position};
use rusqlite::OptionalExtension;

/// What many links have in common: everything but target, href, text and line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    pub kind: LinkKind,
    pub position: Position,
    pub nofollow: bool,
    pub noscript: bool,
    pub rel: Box<str>,
    pub window: Box<str>,
    /// Element path without indices: `body>footer>ul>li>a`.
    pub element: Box<str>,
}

/// One link of a list that is being stored.
#[derive(Debug, Clone, Copy)]
pub struct NewLink<'a> {
    /// `None`: no URL parser accepts the href.
    pub target: Option<u32>,
    /// Id given by `Writer::shape`.
    pub shape: i64,
    /// The raw href.
    pub href: Href<'a>,
    pub anchor: Option<&'a str>,
    pub line: u32,
    pub size: Option<(u32, u32)>,
}

/// Shapes remembered; past this the memory is cleared and shapes may be stored twice, which costs a row each.
const SHAPES: usize = 1 << 16;

impl Writer {
    /// The id of a shape, stored now if it is not remembered.
    pub fn shape(&mut self, shape: &Shape) -> Result<i64, StoreError> {
        if let Some(id) = self.shapes.get(shape) {
            return Ok(*id);
        }
        if self.shapes.len() >= SHAPES {
            self.shapes.clear();
        }
        self.connection
            .prepare_cached("INSERT INTO link_shape(kind, position, nofollow, noscript, rel, window, element) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
            .execute((
                shape.kind.code(),
                shape.position.code(),
                shape.nofollow,
                shape.noscript,
                &*shape.rel,
                &*shape.window,
                &*shape.element,
            ))?;
        let id = self.connection.last_insert_rowid();
        self.shapes.insert(shape.clone(), id);
        Ok(id)
    }

    /// The list with this content, if the project already holds it.
    pub fn find_list(&self, hash: u64) -> Result<Option<i64>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM link_list WHERE hash = ?1")?;
        Ok(statement.query_row([hash as i64], |r| r.get(0)).optional()?)
    }

    /// Stores a list that `find_list` did not know; its links keep their order.
    pub fn put_list(&mut self, hash: u64, links: &[NewLink]) -> Result<i64, StoreError> {
        let links = &links[..links.len().min(crate::schema::MAX_LINKS)];
        self.connection
            .prepare_cached("INSERT INTO link_list(hash, links) VALUES(?1, ?2)")?
            .execute((hash as i64, links.len() as i64))?;
        let list = self.connection.last_insert_rowid();
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO link(id, target, shape, href, anchor, line) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for (ordinal, link) in links.iter().enumerate() {
            let id = (list << ORDINAL_BITS) | ordinal as i64;
            let href = match link.href {
                Href::Target => None,
                Href::Whole(text) => Some(self.strings.id(&self.connection, text)? << FORM_BITS),
                Href::Form(form, "") => Some(i64::from(form as u8)),
                Href::Form(form, fragment) => {
                    Some((self.strings.id(&self.connection, fragment)? << FORM_BITS) | i64::from(form as u8))
                }
            };
            let anchor = link.anchor.map(|text| self.strings.id(&self.connection, text)).transpose()?;
            insert.execute((id, link.target, link.shape, href, anchor, link.line))?;
            if let Some((width, height)) = link.size {
                self.connection
                    .prepare_cached("INSERT INTO image_size(link, width, height) VALUES(?1, ?2, ?3)")?
                    .execute((id, width, height))?;
            }
        }
        Ok(list)
    }
}
