//! The wire: a client that sends one request and gives the answer's head and the chunks of its body, over connections
//! that our own connector makes. Nothing here waits for politeness, follows, decodes or judges.

mod connector;
mod proxy;
mod socks;
mod stream;
mod tunnel;

pub(crate) use connector::{BadServerName, TooSlow, Unresolved};
pub(crate) use proxy::{Proxies, ProxyFault};

use crate::address_rule::AddressRule;
use crate::decode;
use crate::fetcher::{FetchError, asks_single_addresses};
use crate::seams::Seams;
use crate::tls::Witness;
use bytes::Bytes;
use connector::{Connector, Making};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Body, Incoming};
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use model::Plan;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use stream::Reached;
use url::Url;

/// An idle connection is closed after this long: before the servers do it (Apache and Node after 5 s), so that few
/// requests meet a connection that has just gone, and soon enough not to hoard sockets of a thousand other hosts.
const IDLE_LIMIT: Duration = Duration::from_secs(4);

/// Header fields of one answer at most; a page with two hundred `Link` or `Set-Cookie` fields is still read.
const MAX_HEADER_FIELDS: usize = 256;

/// Bytes that one HTTP/1 connection holds at most, those of an answer's headers included (browsers stop there, too).
const MAX_BUFFER: usize = 256 * 1024;

/// Bytes of body that HTTP/2 may send before they are read: what a connection holds that nobody reads. A page in a quarter
/// of a second over a long way is fast enough, and a hundred such connections stay small.
const HTTP2_STREAM_WINDOW: u32 = 256 * 1024;
const HTTP2_CONNECTION_WINDOW: u32 = 512 * 1024;

/// Bytes of one HTTP/2 header list at most, about what HTTP/1 answers may have.
const MAX_HEADER_LIST: u32 = 256 * 1024;

/// The client of one crawl; connections are pooled by scheme, host and port.
pub(crate) struct Wire {
    client: Client<Connector, Empty<Bytes>>,
    /// Headers of every request.
    headers: HeaderMap,
    proxies: Arc<Proxies>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The URL or a header cannot stand in a request.
    #[error("the address cannot be put into a request")]
    Request(#[source] http::Error),
    #[error("the request failed")]
    Client(#[source] legacy::Error),
    #[error("the body broke off")]
    Body(#[source] hyper::Error),
    /// The proxy itself answered, in the place of the server.
    #[error("the proxy failed")]
    Proxy(#[source] ProxyFault),
}

impl Error {
    /// No connection came about.
    pub(crate) fn is_connect(&self) -> bool {
        matches!(self, Self::Client(error) if error.is_connect())
    }
}

/// The head of an answer, and its body as it comes.
pub(crate) struct Response {
    head: http::response::Parts,
    body: Incoming,
}

impl Wire {
    /// Sets the client up; nothing is sent. Gives what is seen of certificates, too.
    pub(crate) fn new(
        plan: &Plan,
        seams: &Seams,
        addresses: &AddressRule,
    ) -> Result<(Self, Arc<Witness>), FetchError> {
        let proxies = Arc::new(Proxies::new(&plan.http.proxy));
        let (making, witness) =
            Making::new(plan, seams, addresses, Arc::clone(&proxies)).map_err(FetchError::Tls)?;
        let idle = if asks_single_addresses(&plan.policy) { 0 } else { plan.pace.concurrency.max(1) };
        let client = Client::builder(TokioExecutor::new())
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_LIMIT)
            .pool_max_idle_per_host(idle)
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_max_headers(MAX_HEADER_FIELDS)
            .http1_max_buf_size(MAX_BUFFER)
            .http2_initial_stream_window_size(HTTP2_STREAM_WINDOW)
            .http2_initial_connection_window_size(HTTP2_CONNECTION_WINDOW)
            .http2_max_header_list_size(MAX_HEADER_LIST)
            .build(Connector::new(making));
        Ok((Self { client, headers: headers(plan)?, proxies }, witness))
    }

    /// Sends one request without a body. `more` is added to the headers that every request has.
    pub(crate) async fn send(
        &self,
        method: Method,
        url: &Url,
        more: &[(HeaderName, HeaderValue)],
    ) -> Result<Response, Error> {
        let uri: Uri = url.as_str().parse().map_err(|error| Error::Request(http::Error::from(error)))?;
        let mut request =
            http::Request::builder().method(method).uri(uri).body(Empty::new()).map_err(Error::Request)?;
        *request.headers_mut() = self.headers.clone();
        for (name, value) in more {
            request.headers_mut().append(name, value.clone());
        }
        let (head, body) = match self.proxies.forwarding(request.uri()) {
            None => self.client.request(request).await.map_err(Error::Client)?.into_parts(),
            Some(proxy) => {
                if let Some(authorization) = proxy.authorization() {
                    request.headers_mut().insert(header::PROXY_AUTHORIZATION, authorization.clone());
                }
                let (head, body) = self.client.request(request).await.map_err(Error::Client)?.into_parts();
                // Only a proxy gives this status (RFC 9110 §15.5.8). A connection that was tunnelled all the same, as
                // the rule about addresses demands, comes from the server itself.
                let forwarded = head.extensions.get::<Reached>().is_some_and(|reached| reached.forwarded);
                if forwarded && head.status == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
                    return Err(Error::Proxy(proxy.refuses(head.status.as_u16())));
                }
                (head, body)
            }
        };
        Ok(Response { head, body })
    }
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Header values may be secrets.
        f.debug_struct("Wire").finish_non_exhaustive()
    }
}

impl Response {
    pub(crate) const fn status(&self) -> StatusCode {
        self.head.status
    }

    pub(crate) const fn version(&self) -> Version {
        self.head.version
    }

    pub(crate) const fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// The address that the connection leads to; `None` where only a proxy knows it.
    pub(crate) fn remote(&self) -> Option<SocketAddr> {
        self.head.extensions.get::<Reached>().and_then(|reached| reached.remote)
    }

    /// Bytes of body as announced; `None` where the end shows only when it comes.
    pub(crate) fn content_length(&self) -> Option<u64> {
        self.body.size_hint().exact()
    }

    /// The next bytes of the body as received; `None` at its end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            match self.body.frame().await {
                None => return Ok(None),
                Some(Err(error)) => return Err(Error::Body(error)),
                Some(Ok(frame)) => {
                    // Trailers say nothing that is kept.
                    if let Ok(bytes) = frame.into_data() {
                        return Ok(Some(bytes));
                    }
                }
            }
        }
    }
}

/// What every request says.
fn headers(plan: &Plan) -> Result<HeaderMap, FetchError> {
    let agent = HeaderValue::from_str(&plan.agent.header).map_err(|_| FetchError::UserAgent)?;
    let mut headers = HeaderMap::with_capacity(4 + plan.http.headers.len());
    headers.insert(header::USER_AGENT, agent);
    headers.insert(header::ACCEPT, HeaderValue::from_static("*/*"));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(decode::ACCEPTED));
    let mut set = |name: &str, text: &str| {
        let pair = HeaderName::try_from(name).ok().zip(HeaderValue::try_from(text).ok());
        let (name, value) = pair.ok_or_else(|| FetchError::Header(name.to_owned()))?;
        Ok(headers.insert(name, value))
    };
    if !plan.http.accept_language.is_empty() {
        set("accept-language", &plan.http.accept_language)?;
    }
    for (name, value) in &plan.http.headers {
        set(name, value)?;
    }
    Ok(headers)
}
