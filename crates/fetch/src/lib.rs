//! One polite request, one outcome: hosts and their pace, retries, time limits, caps, decoding, TLS facts and the
//! rule about addresses. Everything that leaves the computer on behalf of a crawl goes through [`Fetcher`].
//!
//! Absences: no HTML, no robots.txt grammar, no database; nothing here decides *which* URL is asked. A failed
//! request is a value ([`model::Failure`]), never an `Err`.

#![forbid(unsafe_code)]

mod address_rule;
mod body;
mod budget;
mod certificate;
mod classify;
mod coding;
mod decode;
mod exchange;
mod fetcher;
mod gzip;
mod host;
mod robots_txt;
mod seams;
mod throttle;
mod tls;
mod trace;

pub use address_rule::{AddressRule, is_public};
pub use fetcher::{FetchError, Fetcher, SlowDown, Want};
pub use host::{HostState, HostTraffic};
pub use robots_txt::{RobotsAnswer, RobotsHop, RobotsReading};
pub use seams::{BoxFuture, Resolve, Seams, SystemResolver};
pub use tls::{CertificateFacts, CertificateFault, Roots};
