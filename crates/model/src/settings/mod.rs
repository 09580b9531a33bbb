//! Settings: what can be said, what was said, and what it means.
//!
//! Every setting is declared once ([`catalogue`]) with id, label, help, range and default; the form, the documentation,
//! the template and the command line derive from that declaration. A [`Profile`] holds what somebody *said*;
//! [`resolve`] turns layers of profiles into a [`Plan`](crate::Plan), which is what they *meant*, or into all errors at once.
//!
//! Absences: no files are read here, and no threshold of an audit is declared here: the audit catalogue declares its own
//! settings, and they are passed in.

mod agent;
mod catalogue;
mod connection;
mod declare;
mod locks;
mod nearest;
mod profile;
mod quantity;
mod resolve;
mod template;
mod value;

pub use agent::{DEFAULT_TOKEN, Preset, default_agent};
pub use catalogue::{SECTIONS, Section, catalogue};
pub use connection::{refused_secret_header, split_header};
pub use declare::{Kind, Setting, Unit};
pub use locks::{LeftOut, lock};
pub use nearest::nearest;
pub use profile::{PROFILE_VERSION, Profile, Said};
pub use resolve::{Layer, SettingError, Start, resolve};
pub use template::{SettingCard, card, cards, template};
pub use value::Value;
