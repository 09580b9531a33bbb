//! Shortest paths at the end: whatever got nearer after its links had been read passes that on.
//!
//! Depths only ever shrink and begin as the length of a path that exists, so passing improvements on until none is left
//! gives exactly the shortest path over followed links, and so do the hops of redirects and the wishes of links.

use crate::frontier::Frontier;
use crate::traps::grows;
use model::LinkKind;
use store::{StoreError, Writer};

/// Passes improvements on until none is left. New URLs may be queued by it.
pub(crate) fn relax(frontier: &mut Frontier, writer: &mut Writer) -> Result<(), StoreError> {
    let mut links: Vec<(u32, u8, bool)> = Vec::new();
    loop {
        let dirty = frontier.take_dirty();
        if dirty.is_empty() {
            return Ok(());
        }
        for source in dirty {
            let page_nofollow = frontier.page_nofollow(writer, source)?;
            links.clear();
            writer.link_targets(frontier.crawl, source, &mut |target, kind, nofollow| {
                links.push((target, kind, nofollow))
            })?;
            for (target, kind, nofollow) in &links {
                let cell = frontier.cell(*target);
                let Some(kind) = LinkKind::from_code(*kind) else { continue };
                if !cell.is_known() {
                    continue;
                }
                if frontier.traps.is_copy(source)
                    && frontier.is_over_limit(*target)
                    && grows(&writer.url_text(source)?, &writer.url_text(*target)?)
                {
                    continue;
                }
                let wish = frontier.wish(
                    kind,
                    cell.is_internal(),
                    *nofollow || page_nofollow,
                    frontier.cell(source).redirect_wish(),
                );
                let reach = frontier.reach(source, kind, wish);
                frontier.admit_again(writer, *target, None, reach)?;
            }
        }
    }
}

impl Frontier {
    /// Whether a page's own directives say nofollow; asked only where the crawl respects that.
    fn page_nofollow(&self, writer: &mut Writer, url: u32) -> Result<bool, StoreError> {
        if !self.respects_nofollow() {
            return Ok(false);
        }
        let mut nofollow = false;
        let sql = "SELECT d.nofollow FROM page p JOIN document d ON d.id = p.document WHERE p.key = ?1";
        writer.rows(sql, &[store::key(self.crawl, url).into()], &mut |row| {
            nofollow = row.int(0) != 0;
            Ok(())
        })?;
        Ok(nofollow)
    }
}
