//! The numbers that rules read: redirect chains and link counts.

use crate::chains;
use crate::links::{self, LinkPass};
use crate::sql_functions;
use store::{StoreError, Writer};

/// Derives the tables `chain` and `metric` of a crawl anew.
///
/// [`evaluate`](crate::evaluate) does this too, in the pass over links that it makes anyway; call this only where no
/// audits are wanted. `link_score` stays NULL.
pub fn analyse(writer: &mut Writer, crawl: i64) -> Result<(), StoreError> {
    sql_functions::register(writer)?;
    writer.begin()?;
    chains::derive(writer, crawl)?;
    let mut pass = LinkPass::counting(writer, crawl)?;
    for (first, last) in links::ranges(writer, crawl) {
        pass.range(writer, None, first, last)?;
    }
    pass.write_metrics(writer, crawl)?;
    writer.commit()
}
