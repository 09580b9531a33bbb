//! What happened below one request: the client tells nothing about names and connections, so the connector writes it down
//! in a record that travels with the request's task.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

tokio::task_local! {
    static TRACE: Arc<Trace>;
}

/// The record of one request. A std lock: it is held for a few instructions and never across an await.
#[derive(Debug, Default)]
pub(crate) struct Trace(Mutex<Connecting>);

/// What is known of a connection that was opened for a request.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Connecting {
    /// A connection was opened, or tried; otherwise an idle one served.
    pub(crate) begun: bool,
    /// The connection stands.
    pub(crate) done: bool,
    /// The proxy did not do its work.
    pub(crate) proxy_failed: bool,
    /// Bytes of body that came; `None` as long as no answer has begun.
    pub(crate) received: Option<u64>,
    pub(crate) dns: Option<Duration>,
    /// TCP and TLS without the name's resolution.
    pub(crate) connect: Option<Duration>,
}

impl Trace {
    /// Runs a request's future with this record.
    pub(crate) async fn scope<T>(self: &Arc<Self>, future: impl Future<Output = T>) -> T {
        TRACE.scope(Arc::clone(self), future).await
    }

    /// The record of the request that is being made by this task.
    pub(crate) fn current() -> Option<Arc<Self>> {
        TRACE.try_with(Arc::clone).ok()
    }

    pub(crate) fn read(&self) -> Connecting {
        *self.record()
    }

    /// A connection is being opened.
    pub(crate) fn begun(&self) {
        self.record().begun = true;
    }

    /// The name was looked up, with whatever result.
    pub(crate) fn resolved(&self, took: Duration) {
        self.record().dns = Some(took);
    }

    /// The connection stands; `took` counts from its beginning, the name's resolution included.
    pub(crate) fn connected(&self, took: Duration) {
        let mut record = self.record();
        record.done = true;
        record.connect = Some(took.saturating_sub(record.dns.unwrap_or_default()));
    }

    /// It was the proxy that failed: nothing is known of the host.
    pub(crate) fn proxy_failed(&self) {
        self.record().proxy_failed = true;
    }

    /// An answer began, and so much of its body came, whatever became of the rest.
    pub(crate) fn received(&self, bytes: u64) {
        self.record().received = Some(bytes);
    }

    fn record(&self) -> MutexGuard<'_, Connecting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
