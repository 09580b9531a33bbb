//! The client of nearly all requests: those that go straight to the addresses a name has, whatever these are.
//!
//! It asks no resolver about a host that is an address, and lets nobody choose where it or a proxy connects. So what is
//! bound by the rule about addresses, led elsewhere or sent through a proxy goes over the connector of our own.

use super::connector::Unresolved;
use super::{HTTP2_CONNECTION_WINDOW, HTTP2_STREAM_WINDOW};
use super::{IDLE_LIMIT, MAX_HEADER_FIELDS, MAX_HEADER_LIST};
use crate::seams::{Resolve, Seams};
use crate::trace::Trace;
use model::Clock;
use model::plan::VersionRule;
use rustls::ClientConfig;
use std::error::Error as StdError;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// What the client is set up with.
pub(super) struct Setting {
    pub(super) tls: ClientConfig,
    pub(super) version: VersionRule,
    /// Idle connections kept per host.
    pub(super) idle: usize,
    pub(super) connect_limit: Duration,
}

pub(super) fn client(seams: &Seams, setting: Setting) -> Result<reqwest::Client, reqwest::Error> {
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .tls_backend_preconfigured(setting.tls)
        .tls_info(true)
        .dns_resolver(Arc::new(Names {
            resolver: Arc::clone(&seams.resolver),
            clock: Arc::clone(&seams.clock),
        }))
        .connector_layer(TraceLayer(Arc::clone(&seams.clock)))
        .tcp_nodelay(true)
        .tcp_keepalive(None)
        // The client divides this among a host's addresses, so that a dead first one leaves time for the next.
        .connect_timeout(setting.connect_limit)
        .pool_idle_timeout(IDLE_LIMIT)
        .pool_max_idle_per_host(setting.idle)
        .http1_ignore_invalid_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_max_headers(MAX_HEADER_FIELDS)
        .http2_initial_stream_window_size(HTTP2_STREAM_WINDOW)
        .http2_initial_connection_window_size(HTTP2_CONNECTION_WINDOW)
        .http2_max_header_list_size(MAX_HEADER_LIST);
    match setting.version {
        VersionRule::Auto => builder,
        VersionRule::Http1 => builder.http1_only(),
    }
    .build()
}

/// Wraps the client's connector.
#[derive(Debug, Clone)]
struct TraceLayer(Arc<dyn Clock>);

impl<S> tower_layer::Layer<S> for TraceLayer {
    type Service = Traced<S>;

    fn layer(&self, inner: S) -> Traced<S> {
        Traced { inner, clock: Arc::clone(&self.0) }
    }
}

/// A connector that writes down when it is used and how long it took.
#[derive(Debug, Clone)]
struct Traced<S> {
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
        let Some(trace) = Trace::current() else { return Box::pin(connecting) };
        let clock = Arc::clone(&self.clock);
        trace.begun();
        Box::pin(async move {
            let begun = clock.now();
            // The client may move this future to a task of its own; the record goes with it.
            let connected = trace.scope(connecting).await;
            if connected.is_ok() {
                trace.connected(clock.now().saturating_duration_since(begun));
            }
            connected
        })
    }
}

/// Adapts our resolver to the client's and writes down how long it took.
#[derive(Debug)]
struct Names {
    resolver: Arc<dyn Resolve>,
    clock: Arc<dyn Clock>,
}

impl reqwest::dns::Resolve for Names {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let clock = Arc::clone(&self.clock);
        let resolving = self.resolver.resolve(name.as_str());
        Box::pin(async move {
            let begun = clock.now();
            let found = resolving.await;
            if let Some(trace) = Trace::current() {
                trace.resolved(clock.now().saturating_duration_since(begun));
            }
            let found = found
                .map_err(|error| Box::new(Unresolved::Failed(error)) as Box<dyn StdError + Send + Sync>)?;
            if found.is_empty() {
                return Err(Unresolved::Nothing.into());
            }
            // Port 0 is replaced by the URL's own port.
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as reqwest::dns::Addrs)
        })
    }
}
