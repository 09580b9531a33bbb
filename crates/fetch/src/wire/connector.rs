//! Makes connections: name → addresses → rule → proxy or not → TCP → TLS, and writes down what it took.
//!
//! The rule about addresses is applied to what is connected, or to what a proxy is asked to connect to; there is no way
//! to the network around it.

use super::proxy::{Proxies, Proxy, ProxyFault};
use super::socks::{self, Target};
use super::stream::{Io, Reached, Wired};
use super::tunnel;
use crate::address_rule::AddressRule;
use crate::classify;
use crate::seams::{Dial, Resolve, Seams};
use crate::tls;
use crate::trace::Trace;
use http::{HeaderValue, Uri};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::TokioIo;
use model::plan::{CertificateRule, HostOverride, ProxyScheme};
use model::{Clock, Job, Plan};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error as StdError;
use std::future::{Future, Ready};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tower_service::Service;
use url::Url;

/// A name that gave no address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unresolved {
    #[error("the name was not found")]
    Nothing,
    #[error(transparent)]
    Failed(std::io::Error),
}

/// A connection did not stand when the time limit of a request was over.
#[derive(Debug, thiserror::Error)]
#[error("no connection in time")]
pub(crate) struct TooSlow;

/// A host that TLS has no name for.
#[derive(Debug, thiserror::Error)]
#[error("no name for TLS")]
pub(crate) struct BadServerName;

type Failed = Box<dyn StdError + Send + Sync>;

/// What connections are made with.
pub(super) struct Making {
    clock: Arc<dyn Clock>,
    resolver: Arc<dyn Resolve>,
    dial: Arc<dyn Dial>,
    addresses: AddressRule,
    overrides: HashMap<(String, u16), SocketAddr>,
    proxies: Proxies,
    tls: TlsConnector,
    /// For proxies that are spoken to inside TLS: HTTP/1.1, and no fault is gone on with.
    proxy_tls: TlsConnector,
    agent: HeaderValue,
    limit: Duration,
}

impl Making {
    pub(super) fn new(
        plan: &Plan,
        seams: &Seams,
        addresses: &AddressRule,
        proxies: Proxies,
        config: ClientConfig,
    ) -> Result<Self, rustls::Error> {
        // An Audit's alone: the other jobs ask what everybody is shown.
        let overrides: &[HostOverride] =
            if plan.policy.job == Job::Audit { &plan.http.overrides } else { &[] };
        let (mut proxy_config, _) = tls::configure(seams, CertificateRule::Refuse)?;
        proxy_config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let connector = |config: ClientConfig| TlsConnector::from(Arc::new(config));
        let at = |one: &HostOverride| ((one.host.clone(), one.port), one.to);
        Ok(Self {
            clock: Arc::clone(&seams.clock),
            resolver: Arc::clone(&seams.resolver),
            dial: Arc::clone(&seams.dial),
            addresses: addresses.clone(),
            overrides: overrides.iter().map(at).collect(),
            proxies,
            tls: connector(config),
            proxy_tls: connector(proxy_config),
            agent: HeaderValue::from_str(&plan.agent.header).unwrap_or(HeaderValue::from_static("")),
            limit: plan.fetch.timeout,
        })
    }

    /// Whether a request goes straight to whatever addresses its host has.
    pub(super) fn is_plain(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        self.addresses == AddressRule::Any
            && !self.dial.leads_elsewhere()
            && self.led_to(host, port).is_none()
            && self.proxies.is_none(url)
    }

    /// The proxy that is given a request itself, where one is; only its requests may carry what is meant for a proxy. Any
    /// other goes through a tunnel or without a proxy, and what it says reaches the site.
    pub(super) fn forwarding(&self, uri: &Uri) -> Option<Proxy> {
        self.proxy(uri).ok().flatten().filter(|proxy| self.forwards(proxy, uri))
    }

    fn forwards(&self, proxy: &Proxy, uri: &Uri) -> bool {
        // A job that may ask public addresses only says itself where the proxy is to connect.
        self.addresses == AddressRule::Any && proxy.forwards(uri)
    }

    /// The proxy that a connection goes through.
    fn proxy(&self, uri: &Uri) -> Result<Option<Proxy>, ProxyFault> {
        let (host, port) = place(uri);
        // Whoever says where a host is to be found means that place, not one that a proxy finds.
        if self.led_to(host, port).is_some() { Ok(None) } else { self.proxies.of(uri) }
    }

    /// Where the plan says that a host is to be found.
    fn led_to(&self, host: &str, port: u16) -> Option<SocketAddr> {
        if self.overrides.is_empty() { None } else { self.overrides.get(&(host.to_owned(), port)).copied() }
    }

    async fn connect(&self, uri: &Uri, trace: Option<&Trace>) -> Result<Wired, Failed> {
        let secure = uri.scheme_str() == Some("https");
        let (host, port) = place(uri);
        let (stream, reached): (Box<dyn Io>, Reached) = match self.proxy(uri)? {
            None => {
                let found = self.find(host, port, self.led_to(host, port), trace).await?;
                let dialled = found.into_iter().map(|address| self.dial.dial(address)).collect();
                let tcp = self.tcp(dialled).await?;
                let remote = tcp.peer_addr().ok();
                (Box::new(tcp), Reached { remote, forwarded: false, certificate: None })
            }
            Some(proxy) => match self.through(&proxy, uri, (host, port), trace).await {
                Ok(through) => through,
                Err(error) => {
                    if let Some(trace) = trace
                        && error.is::<ProxyFault>()
                    {
                        trace.proxy_failed();
                    }
                    return Err(error);
                }
            },
        };
        if !secure {
            return Ok(Wired { io: TokioIo::new(stream), reached, http2: false });
        }
        let tls = self.tls.connect(server_name(host)?, stream).await?;
        let certificates = tls.get_ref().1.peer_certificates();
        let certificate = certificates.and_then(|chain| chain.first()).map(|leaf| Arc::from(&**leaf));
        let http2 = tls.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok(Wired { io: TokioIo::new(Box::new(tls)), reached: Reached { certificate, ..reached }, http2 })
    }

    /// The addresses of a host that may be connected to.
    async fn find(
        &self,
        host: &str,
        port: u16,
        to: Option<SocketAddr>,
        trace: Option<&Trace>,
    ) -> Result<Vec<SocketAddr>, Failed> {
        let (found, port) = match to {
            Some(to) => (vec![to.ip()], to.port()),
            None => match bare(host).parse::<IpAddr>() {
                Ok(address) => (vec![address], port),
                Err(_) => {
                    let begun = self.clock.now();
                    let found = self.resolver.resolve(host).await;
                    if let Some(trace) = trace {
                        trace.resolved(self.clock.now().saturating_duration_since(begun));
                    }
                    (found.map_err(Unresolved::Failed)?, port)
                }
            },
        };
        if found.is_empty() {
            return Err(Unresolved::Nothing.into());
        }
        Ok(self
            .addresses
            .filter(host, found)?
            .into_iter()
            .map(|address| SocketAddr::new(address, port))
            .collect())
    }

    /// A connection to the first of these that answers; of both families, each gets its turn (RFC 8305).
    async fn tcp(&self, to: Vec<SocketAddr>) -> Result<TcpStream, Failed> {
        let mut connector = HttpConnector::new_with_resolver(Known(to));
        connector.enforce_http(false);
        connector.set_nodelay(true);
        // The library divides this among the addresses, so that a dead first one leaves time for the next.
        connector.set_connect_timeout(Some(self.limit));
        // The library keeps the ports of the addresses where the URL names none.
        Ok(connector.call(Uri::from_static("http://known")).await?.into_inner())
    }

    async fn through(
        &self,
        proxy: &Proxy,
        uri: &Uri,
        (host, port): (&str, u16),
        trace: Option<&Trace>,
    ) -> Result<(Box<dyn Io>, Reached), Failed> {
        let bound = self.addresses != AddressRule::Any;
        let forwards = self.forwards(proxy, uri);
        let target = match proxy.address.scheme {
            _ if forwards => None,
            ProxyScheme::Socks5 => Some(self.first(host, port, trace).await?),
            _ if bound => Some(self.first(host, port, trace).await?),
            _ => match bare(host).parse::<IpAddr>() {
                Ok(address) => Some(Target::Address(SocketAddr::new(address, port))),
                Err(_) => Some(Target::Name(host.to_owned(), port)),
            },
        };
        let mut stream = self.reach(proxy).await?;
        let remote = match &target {
            Some(Target::Address(address)) => Some(*address),
            _ => None,
        };
        match (&target, proxy.address.scheme) {
            (None, _) => {}
            (Some(target), ProxyScheme::Socks5 | ProxyScheme::Socks5h) => {
                socks::open(&mut stream, proxy, target).await?;
            }
            (Some(Target::Address(address)), _) => {
                tunnel::open(&mut stream, proxy, &address.to_string(), &self.agent).await?;
            }
            (Some(Target::Name(name, port)), _) => {
                tunnel::open(&mut stream, proxy, &format!("{name}:{port}"), &self.agent).await?;
            }
        }
        Ok((stream, Reached { remote, forwarded: forwards, certificate: None }))
    }

    /// The first address of a host that may be connected to.
    async fn first(&self, host: &str, port: u16, trace: Option<&Trace>) -> Result<Target, Failed> {
        let found = self.find(host, port, None, trace).await?;
        found.first().copied().map(Target::Address).ok_or_else(|| Unresolved::Nothing.into())
    }

    /// A connection to the proxy itself, which may have any address: the person chose it.
    async fn reach(&self, proxy: &Proxy) -> Result<Box<dyn Io>, Failed> {
        let unreachable = |why: &dyn std::fmt::Display| {
            Failed::from(ProxyFault::Unreachable(proxy.shown(), why.to_string()))
        };
        let (host, port) = (&*proxy.address.host, proxy.address.port);
        let found = match bare(host).parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.resolver.resolve(host).await.map_err(|error| unreachable(&error))?,
        };
        if found.is_empty() {
            return Err(unreachable(&Unresolved::Nothing));
        }
        let found = found.into_iter().map(|address| SocketAddr::new(address, port)).collect();
        let tcp = self.tcp(found).await.map_err(|error| unreachable(&innermost(&*error)))?;
        if proxy.address.scheme != ProxyScheme::Https {
            return Ok(Box::new(tcp));
        }
        let tls = self.proxy_tls.connect(server_name(host)?, tcp).await;
        Ok(Box::new(tls.map_err(|error| unreachable(&innermost(&error)))?))
    }
}

/// The cause at the end of a chain, which is the one that says something.
fn innermost(error: &(dyn StdError + 'static)) -> String {
    let last = classify::causes(error).last();
    last.map_or_else(String::new, ToString::to_string).trim_end_matches('.').to_owned()
}

/// The host and port that a URI names.
fn place(uri: &Uri) -> (&str, u16) {
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    (uri.host().unwrap_or_default(), uri.port_u16().unwrap_or(usual))
}

fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

fn server_name(host: &str) -> Result<ServerName<'static>, BadServerName> {
    ServerName::try_from(bare(host).to_owned()).map_err(|_| BadServerName)
}

/// A resolver for the library that gives what is known already.
#[derive(Clone)]
struct Known(Vec<SocketAddr>);

impl Service<Name> for Known {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Name) -> Self::Future {
        std::future::ready(Ok(std::mem::take(&mut self.0).into_iter()))
    }
}

/// The client's connector.
#[derive(Clone)]
pub(super) struct Connector(Arc<Making>);

impl Connector {
    pub(super) const fn new(making: Arc<Making>) -> Self {
        Self(making)
    }
}

impl Service<Uri> for Connector {
    type Response = Wired;
    type Error = Failed;
    type Future = Pin<Box<dyn Future<Output = Result<Wired, Failed>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let making = Arc::clone(&self.0);
        // The client may move this future to a task of its own; the record goes with it.
        let trace = Trace::current();
        if let Some(trace) = &trace {
            trace.begun();
        }
        Box::pin(async move {
            let begun = making.clock.now();
            let over = making.clock.sleep(making.limit);
            let connected = tokio::select! {
                biased;
                connected = making.connect(&uri, trace.as_deref()) => connected,
                () = over => Err(TooSlow.into()),
            };
            if let Some(trace) = trace.as_deref()
                && connected.is_ok()
            {
                trace.connected(making.clock.now().saturating_duration_since(begun));
            }
            connected
        })
    }
}
