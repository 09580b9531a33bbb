//! The demo site: a small tea shop with planted defects, served on loopback so that everything can be tried without
//! touching anybody's site. `site/` holds the texts, and beside each file of them one that lists what audits must find there:
//! a test compares them with what is found, to the last finding. `many` makes up a large project file.
//!
//! Absences: it reads no files, never leaves the loopback interface, and judges nothing.

mod around;
mod content;
pub mod many;
mod picture;
mod serve;

pub use serve::{Demo, serve};

use crate::Engine;
use crate::error::EngineError;
use crawl::Control;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

/// How often the control is looked at.
const LOOK: Duration = Duration::from_millis(100);

impl Engine {
    /// Serves the demo site on a port of 127.0.0.1 (0 for any free one) until `control` stops it. `ready` gets the address.
    pub fn demo(&self, port: u16, control: &Control, ready: &dyn Fn(SocketAddr)) -> Result<(), EngineError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            EngineError::CannotStart(format!("port {port} of 127.0.0.1 cannot be opened: {error}"))
        })?;
        ready(listener.local_addr()?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stopped = async {
            while !control.is_stopped() {
                self.clock().sleep(LOOK).await;
            }
        };
        Ok(runtime.block_on(serve(listener, stopped))?)
    }
}
