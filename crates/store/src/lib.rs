//! The project file: one SQLite database that holds every crawl of a project.
//!
//! Owns the schema, its upgrades, the one writer, the readers and the documented views. Nothing outside this crate
//! knows SQLite's library; callers speak in rows and values.
//!
//! Absences: no HTTP, no HTML, no judgement about what is stored.

mod agents;
mod crawls;
mod custom_audits;
mod earlier;
mod error;
mod fields;
mod functions;
mod href;
mod html;
mod interner;
mod links;
mod lock;
mod open;
mod ordering;
mod read;
mod rows;
pub mod schema;
mod segments;
mod source;
mod strings;
mod structured;
mod texts;
mod traffic;
mod upgrade;
mod value;
pub mod views;
mod writer;

pub use agents::AgentRow;
pub use crawls::{Compaction, CrawlStart, RECHECK};
pub use custom_audits::{CUSTOM, CUSTOM_FAMILY, CustomAuditRow, CustomFindings};
pub use earlier::{EarlierPage, beyond_text};
pub use error::StoreError;
pub use fields::FieldRow;
pub use functions::{check_pattern, day_of, pattern_of_text};
pub use href::{Form, Href, raw_href_sql};
pub use html::{HtmlCodec, Packed};
pub use links::{NewLink, Shape};
pub use lock::holder;
pub use open::{Faults, NoFaults, Options, View, is_project};
pub use ordering::{Cancel, Ordering, Place, Selection, TargetPick};
pub use read::Reader;
pub use rows::{
    AnswerRow, AttemptPurpose, AttemptRow, CertificateRow, Document, FlawRow, ProbeRow, QueuedUrl, RobotsRow,
    StoredVisit, StructuredRow, TrafficRow, VisitRow,
};
pub use source::{IN_SITEMAP, LISTED_SQL, Source, TargetTrait};
pub use texts::{fragment_code, has_fragment};
pub use value::{Row, Value};
pub use writer::Writer;

/// Key of a URL in a crawl.
pub const fn key(crawl: i64, url: u32) -> i64 {
    (crawl << schema::URL_BITS) | url as i64
}

/// First and last key of a crawl, both inclusive.
pub const fn key_range(crawl: i64) -> (i64, i64) {
    (crawl << schema::URL_BITS, ((crawl + 1) << schema::URL_BITS) - 1)
}
