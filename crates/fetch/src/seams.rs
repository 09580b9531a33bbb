//! The seams of fetching: time and names come from outside, so that tests own both.

use crate::tls::Roots;
use model::{Clock, SystemClock};
use std::fmt::Debug;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

/// A boxed future, as object-safe seams return it.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What a fetcher takes from outside.
#[derive(Debug, Clone)]
pub struct Seams {
    pub clock: Arc<dyn Clock>,
    pub resolver: Arc<dyn Resolve>,
    /// Where an address is really connected, once it was allowed.
    pub dial: Arc<dyn Dial>,
    /// Who may vouch for a site's certificate.
    pub roots: Roots,
}

impl Seams {
    /// The computer's own clock and resolver.
    pub fn system() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            resolver: Arc::new(SystemResolver),
            dial: Arc::new(Direct),
            roots: Roots::System,
        }
    }
}

/// Turns a host name into addresses, in the order in which they are to be tried.
pub trait Resolve: Send + Sync + Debug {
    fn resolve(&self, host: &str) -> BoxFuture<io::Result<Vec<IpAddr>>>;
}

/// The operating system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, host: &str) -> BoxFuture<io::Result<Vec<IpAddr>>> {
        let host = host.to_owned();
        Box::pin(async move {
            // The port is dropped here: whoever connects adds the URL's.
            Ok(tokio::net::lookup_host((host.as_str(), 0)).await?.map(|address| address.ip()).collect())
        })
    }
}

/// Leads an address that was checked and allowed to the place that is really connected. It is asked after every check,
/// so nothing that the rule refuses ever comes here. A program connects [`Direct`]ly; a test that needs public addresses
/// leads them to a listener of its own.
pub trait Dial: Send + Sync + Debug {
    fn dial(&self, allowed: SocketAddr) -> SocketAddr;

    /// Whether it may answer with another address than the one it is given.
    fn leads_elsewhere(&self) -> bool {
        true
    }
}

/// Every address is connected as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Direct;

impl Dial for Direct {
    fn dial(&self, allowed: SocketAddr) -> SocketAddr {
        allowed
    }

    fn leads_elsewhere(&self) -> bool {
        false
    }
}
