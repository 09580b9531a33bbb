//! One polite request, one outcome: hosts and their pace, retries, time limits, caps, decoding, TLS facts and the
//! rule about addresses. Everything that leaves the computer on behalf of a crawl goes through [`Fetcher`].
//!
//! Absences: no HTML, no robots.txt grammar of its own, no database; nothing here decides *which* URL is asked. A failed
//! request is a value ([`model::Failure`]), never an `Err`.

#![forbid(unsafe_code)]

mod address_rule;
mod auth;
mod body;
mod budget;
mod carried;
mod certificate;
mod classify;
mod coding;
mod conditional;
mod cookies;
mod decode;
mod echoes;
mod exchange;
mod fetcher;
mod follow;
mod gzip;
mod host;
mod hsts;
mod ledger;
mod pieces;
mod robots_txt;
mod seams;
mod single;
mod throttle;
mod tls;
mod trace;
mod wire;

pub use address_rule::is_public;
pub use conditional::Earlier;
pub use echoes::Echoes;
pub use fetcher::{FetchError, Fetcher, SlowDown, Want};
pub use follow::Followed;
pub use host::{HostState, HostTraffic};
pub use ledger::{HostsNow, OriginTraffic};
pub use pieces::{PieceReader, Pieces, pieces};
pub use robots_txt::{RobotsAnswer, RobotsHop, RobotsReading};
pub use seams::{BoxFuture, Dial, Direct, Resolve, Seams, SystemResolver};
pub use single::{Ended, Known, RobotsLooked, Single, SingleOutcome};
pub use tls::{CertificateFacts, CertificateFault, Roots};
pub use wire::{BadProxyVariable, check_proxy_variables};
