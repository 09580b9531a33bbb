//! The numbers that rules read: redirect chains, link counts and link scores.

use crate::chains;
use crate::evaluate::EvaluateError;
use crate::links::{self, LinkPass};
use crate::sql_functions;
use store::Writer;

/// Derives the tables `chain`, `metric` and `page_weight` of a crawl anew.
///
/// [`evaluate`](crate::evaluate) does this too, among more, in the pass over links that it makes anyway; call this only where no
/// audits are wanted.
pub fn analyse(writer: &mut Writer, crawl: i64) -> Result<(), EvaluateError> {
    sql_functions::register(writer)?;
    writer.begin()?;
    chains::derive(writer, crawl)?;
    let mut pass = LinkPass::counting(writer, crawl)?.deriving(writer, crawl)?;
    for (first, last) in links::ranges(writer, crawl) {
        pass.range(writer, None, first, last)?;
    }
    let scores = pass.take_graph().map(|graph| graph.scores(writer, &mut |_| Ok(()))).transpose()?;
    pass.write_metrics(writer, crawl, scores.as_ref())?;
    Ok(writer.commit()?)
}
