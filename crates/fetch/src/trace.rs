//! What happened below one request: the client tells nothing about names and connections, so a layer around its
//! connector and an adapter around the resolver write it down, in a record that travels with the request's task.

use crate::address_rule::AddressRule;
use crate::seams::Resolve;
use model::Clock;
use std::error::Error as StdError;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

tokio::task_local! {
    static TRACE: Arc<Trace>;
}

/// The record of one request.
#[derive(Debug, Default)]
pub(crate) struct Trace(Mutex<Connecting>);

/// What is known of a connection that was opened for a request.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Connecting {
    /// A connection was opened, or tried; otherwise an idle one served.
    pub(crate) begun: bool,
    /// The connection stands.
    pub(crate) done: bool,
    pub(crate) dns: Option<Duration>,
    /// TCP and TLS without the name's resolution.
    pub(crate) connect: Option<Duration>,
}

impl Trace {
    /// Runs a request's future with this record.
    pub(crate) async fn scope<T>(self: &Arc<Self>, future: impl Future<Output = T>) -> T {
        TRACE.scope(Arc::clone(self), future).await
    }

    pub(crate) fn read(&self) -> Connecting {
        *self.record()
    }

    fn record(&self) -> MutexGuard<'_, Connecting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wraps the client's connector.
#[derive(Debug, Clone)]
pub(crate) struct TraceLayer(pub(crate) Arc<dyn Clock>);

impl<S> tower_layer::Layer<S> for TraceLayer {
    type Service = Traced<S>;

    fn layer(&self, inner: S) -> Traced<S> {
        Traced { inner, clock: Arc::clone(&self.0) }
    }
}

/// A connector that writes down when it is used and how long it took.
#[derive(Debug, Clone)]
pub(crate) struct Traced<S> {
    inner: S,
    clock: Arc<dyn Clock>,
}

impl<S, R> tower_service::Service<R> for Traced<S>
where
    S: tower_service::Service<R>,
    S::Future: Send + 'static,
    S::Response: 'static,
    S::Error: 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        let connecting = self.inner.call(request);
        let Ok(trace) = TRACE.try_with(Arc::clone) else { return Box::pin(connecting) };
        let clock = Arc::clone(&self.clock);
        trace.record().begun = true;
        Box::pin(async move {
            let begun = clock.now();
            // The client may move this future to a task of its own; the record goes with it.
            let connected = trace.scope(connecting).await;
            let mut record = trace.record();
            if connected.is_ok() {
                let total = clock.now().saturating_duration_since(begun);
                record.done = true;
                record.connect = Some(total.saturating_sub(record.dns.unwrap_or_default()));
            }
            drop(record);
            connected
        })
    }
}

/// A name that gave no address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unresolved {
    #[error("the name was not found")]
    Nothing,
    #[error(transparent)]
    Failed(std::io::Error),
}

/// Adapts our resolver to the client's, applies the rule about addresses and writes down how long it took.
#[derive(Debug)]
pub(crate) struct CheckedResolver {
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) addresses: AddressRule,
    pub(crate) clock: Arc<dyn Clock>,
}

impl reqwest::dns::Resolve for CheckedResolver {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let (rule, clock) = (self.addresses, Arc::clone(&self.clock));
        let resolving = self.resolver.resolve(name.as_str());
        Box::pin(async move {
            let begun = clock.now();
            let found = resolving.await;
            if let Ok(trace) = TRACE.try_with(Arc::clone) {
                trace.record().dns = Some(clock.now().saturating_duration_since(begun));
            }
            let found = found
                .map_err(|error| Box::new(Unresolved::Failed(error)) as Box<dyn StdError + Send + Sync>)?;
            if found.is_empty() {
                return Err(Unresolved::Nothing.into());
            }
            // Port 0 is replaced by the URL's own port.
            let addresses = rule.filter(found)?.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as reqwest::dns::Addrs)
        })
    }
}
