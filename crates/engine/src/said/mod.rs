//! What a person says about findings, kept in the project: which of them may stay, what an audit weighs here, and from what
//! number on it has something to say. Nothing that was found is ever deleted for it.

mod dto;
mod ignored;
mod severity;
mod thresholds;

pub use dto::{
    CountChange, EvaluateReport, EvaluateRequest, IgnoreRequest, IgnoreWhat, IgnoredCard, SeverityCard,
    ThresholdValue,
};
pub(crate) use thresholds::{of_project, overlay};

use crate::error::EngineError;
use crate::seams::Engine;

impl Engine {
    /// The day in UTC, as [`IgnoreRequest::until`] says days.
    pub fn today(&self) -> String {
        store::day_of(model::clock::unix_millis(self.clock().wall()))
    }
}

/// The id of an audit as the catalogue spells it.
fn known_audit(said: &str) -> Result<String, EngineError> {
    Ok(crate::explain::explain(said)?.id)
}
