//! Where a limited crawl ends: what is queued and may no longer be asked for is over the limit that says so.

use super::{Frontier, ISSUED};
use crate::allowance::Errand;
use crate::scope::looks_non_html;
use model::UrlState;
use model::state::Limit;
use store::{StoreError, Writer};

impl Frontier {
    /// Everything queued whose allowance is spent is over its limit.
    pub(crate) fn close_spent(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        let spent = self.allowance.take_news();
        if spent.is_empty() {
            return Ok(());
        }
        let (first, last) = store::key_range(self.crawl);
        let mut waiting = Vec::new();
        let cells = &self.cells;
        writer.rows(
            "SELECT v.key & 4294967295, u.text FROM visit v JOIN url u ON u.id = v.key & 4294967295
             WHERE v.state = 0 AND v.key BETWEEN ?1 AND ?2",
            &[first.into(), last.into()],
            &mut |row| {
                let url = row.int(0) as u32;
                let cell = cells.get(url);
                let errand = Errand::of(cell.purpose(), cell.is_internal(), row.text(1));
                if !cell.has(ISSUED) && spent.contains(&errand) {
                    waiting.push((url, errand));
                }
                Ok(())
            },
        )?;
        for (url, errand) in waiting {
            let limit = self.allowance.reached(errand).map(model::state::Limit::word);
            self.change_state(writer, url, UrlState::OverLimit, limit)?;
        }
        self.lanes.release();
        Ok(())
    }

    /// Every URL still queued is over this limit: the end of a limited crawl.
    pub(crate) fn close_queue(&mut self, writer: &mut Writer, limit: Limit) -> Result<(), StoreError> {
        let queued = std::mem::take(&mut self.counts[UrlState::Queued as usize]);
        if queued == 0 {
            return Ok(());
        }
        self.counts[UrlState::OverLimit as usize] += queued;
        writer.close_queue(self.crawl, limit.word())
    }

    /// Whether a page that was only asked for its status may be read after all.
    pub(super) fn may_read_now(&self, text: &str) -> bool {
        !(self.head_decides && looks_non_html(text)) && self.allowance.reached(Errand::Page).is_none()
    }

    /// Counts what an earlier run asked for.
    pub(super) fn restore_allowance(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        if !self.allowance.is_limited() {
            return Ok(());
        }
        let (first, last) = store::key_range(self.crawl);
        let (cells, allowance) = (&self.cells, &mut self.allowance);
        writer.rows(
            "SELECT v.key & 4294967295, u.text FROM visit v JOIN url u ON u.id = v.key & 4294967295
             WHERE v.state IN (1, 2) AND v.key BETWEEN ?1 AND ?2",
            &[first.into(), last.into()],
            &mut |row| {
                let cell = cells.get(row.int(0) as u32);
                allowance.restore(Errand::of(cell.purpose(), cell.is_internal(), row.text(1)));
                Ok(())
            },
        )
    }
}
