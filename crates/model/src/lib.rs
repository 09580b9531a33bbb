//! The vocabulary that every other crate speaks: addresses, facts about pages, outcomes of
//! requests, states of URLs, settings and the plan a job runs by.
//!
//! Absences: no I/O, no SQL, no HTTP, no HTML. Nothing here waits or fails for reasons outside its input.

pub mod address;
pub mod calendar;
pub mod change;
pub mod clock;
pub mod code;
pub mod custom;
pub mod facts;
pub mod flaw;
pub mod hash;
pub mod language;
pub mod link;
pub mod main_text;
pub mod outcome;
pub mod plan;
pub mod policy;
pub mod query;
pub mod secret;
pub mod segment;
pub mod settings;
pub mod sniff;
pub mod state;
pub mod structured;
pub mod words;

pub use address::{Address, AddressError, Seed};
pub use change::{ChangeKind, Life};
pub use clock::{Clock, SystemClock};
pub use facts::PageFacts;
pub use flaw::{Flaw, FlawKind};
pub use link::{Link, LinkKind, LinkTarget, Position, Treatment};
pub use outcome::{Answer, Failure, FailureKind, Outcome, Validators};
pub use plan::Plan;
pub use policy::{Job, Policy};
pub use secret::{Credential, Secret};
pub use state::{FoundBy, Purpose, UrlState};
pub use structured::StructuredData;
