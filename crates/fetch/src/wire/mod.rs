//! The wire: sends one request and gives the answer's head and the chunks of its body. Nothing here waits for politeness,
//! follows, decodes or judges.
//!
//! Nearly all requests are sent by the ordinary client. Those for which it matters where a connection really leads, because
//! only public addresses are allowed, a host is led elsewhere or a proxy stands between, go over connections that our own
//! connector makes.

mod connector;
mod plain;
mod proxy;
mod socks;
mod stream;
mod tunnel;

pub(crate) use connector::{BadServerName, TooSlow, Unresolved};
pub(crate) use proxy::ProxyFault;
pub use proxy::{BadProxyVariable, check_proxy_variables};

use crate::address_rule::AddressRule;
use crate::decode;
use crate::fetcher::{FetchError, asks_single_addresses};
use crate::seams::Seams;
use crate::tls::{self, Witness};
use bytes::Bytes;
use connector::{Connector, Making};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Body, Incoming};
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use model::plan::{CertificateRule, VersionRule};
use model::{Job, Plan};
use proxy::{Proxies, Proxy};
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
    /// For requests that go straight to whatever addresses their host has.
    plain: reqwest::Client,
    /// For all others.
    client: Client<Connector, Empty<Bytes>>,
    making: Arc<Making>,
    /// Headers of every request.
    headers: HeaderMap,
    /// Who some requests say they are instead.
    second_agent: Option<HeaderValue>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The URL or a header cannot stand in a request.
    #[error("the address cannot be put into a request")]
    Request(#[source] http::Error),
    #[error("the request failed")]
    Client(#[source] legacy::Error),
    /// The same of the ordinary client, bodies included.
    #[error("the request failed")]
    Plain(#[source] reqwest::Error),
    #[error("the body broke off")]
    Body(#[source] hyper::Error),
    /// The proxy itself answered, in the place of the server.
    #[error("the proxy failed")]
    Proxy(#[source] ProxyFault),
}

impl Error {
    /// No connection came about.
    pub(crate) fn is_connect(&self) -> bool {
        match self {
            Self::Client(error) => error.is_connect(),
            Self::Plain(error) => error.is_connect(),
            _ => false,
        }
    }

    /// The URL or a header cannot stand in a request.
    pub(crate) fn is_request(&self) -> bool {
        match self {
            Self::Request(_) => true,
            Self::Plain(error) => error.is_builder(),
            _ => false,
        }
    }
}

/// The head of an answer, and its body as it comes.
pub(crate) struct Response {
    head: http::response::Parts,
    remote: Option<SocketAddr>,
    body: Chunks,
}

/// The body of an answer, by who received it.
enum Chunks {
    Plain(reqwest::Body),
    Own(Incoming),
}

impl Wire {
    /// Sets the client up; nothing is sent. Gives what is seen of certificates, too.
    pub(crate) fn new(
        plan: &Plan,
        seams: &Seams,
        addresses: &AddressRule,
    ) -> Result<(Self, Arc<Witness>), FetchError> {
        let proxies = Proxies::new(&plan.http.proxy).map_err(FetchError::Proxy)?;
        Self::through(proxies, plan, seams, addresses)
    }

    fn through(
        proxies: Proxies,
        plan: &Plan,
        seams: &Seams,
        addresses: &AddressRule,
    ) -> Result<(Self, Arc<Witness>), FetchError> {
        // An Audit's alone: the other jobs ask what everybody is shown.
        let rule =
            if plan.policy.job == Job::Audit { plan.http.certificates } else { CertificateRule::Refuse };
        let (mut config, witness) = tls::configure(seams, rule).map_err(FetchError::Tls)?;
        config.alpn_protocols = match plan.http.version {
            VersionRule::Auto => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
            VersionRule::Http1 => vec![b"http/1.1".to_vec()],
        };
        let making = Making::new(plan, seams, addresses, proxies, config.clone());
        let making = Arc::new(making.map_err(FetchError::Tls)?);
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
            .build(Connector::new(Arc::clone(&making)));
        let setting = plain::Setting {
            tls: config,
            version: plan.http.version,
            idle,
            connect_limit: plan.fetch.timeout,
        };
        let plain = plain::client(seams, setting).map_err(FetchError::Client)?;
        let second_agent = plan.extras.second_agent.as_deref().map(HeaderValue::from_str).transpose();
        let second_agent = second_agent.map_err(|_| FetchError::UserAgent)?;
        Ok((Self { plain, client, making, headers: headers(plan)?, second_agent }, witness))
    }

    /// The User-Agent header of a request that says it is the second agent.
    pub(crate) fn second_agent(&self) -> Option<(HeaderName, HeaderValue)> {
        Some((header::USER_AGENT, self.second_agent.clone()?))
    }

    /// Sends one request without a body. `more` is added to the headers that every request has; another user agent takes the place
    /// of theirs.
    pub(crate) async fn send(
        &self,
        method: Method,
        url: &Url,
        more: &[(HeaderName, HeaderValue)],
    ) -> Result<Response, Error> {
        if self.making.is_plain(url) {
            return self.send_plain(method, url, more).await;
        }
        let uri: Uri = url.as_str().parse().map_err(|error| Error::Request(http::Error::from(error)))?;
        let mut request =
            http::Request::builder().method(method).uri(uri).body(Empty::new()).map_err(Error::Request)?;
        *request.headers_mut() = self.headers.clone();
        put(request.headers_mut(), more);
        let proxy = self.making.forwarding(request.uri());
        if let Some(authorization) = proxy.as_ref().and_then(Proxy::authorization) {
            request.headers_mut().insert(header::PROXY_AUTHORIZATION, authorization.clone());
        }
        let (head, body) = self.client.request(request).await.map_err(Error::Client)?.into_parts();
        // Only a proxy gives this status (RFC 9110 §15.5.8).
        if let Some(proxy) = proxy
            && head.status == StatusCode::PROXY_AUTHENTICATION_REQUIRED
        {
            return Err(Error::Proxy(proxy.refuses(head.status.as_u16())));
        }
        let remote = head.extensions.get::<Reached>().and_then(|reached| reached.remote);
        Ok(Response { head, remote, body: Chunks::Own(body) })
    }

    async fn send_plain(
        &self,
        method: Method,
        url: &Url,
        more: &[(HeaderName, HeaderValue)],
    ) -> Result<Response, Error> {
        let mut request = reqwest::Request::new(method, url.clone());
        *request.headers_mut() = self.headers.clone();
        put(request.headers_mut(), more);
        let response = self.plain.execute(request).await.map_err(Error::Plain)?;
        let remote = response.remote_addr();
        let (head, body) = http::Response::<reqwest::Body>::from(response).into_parts();
        Ok(Response { head, remote, body: Chunks::Plain(body) })
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
    pub(crate) const fn remote(&self) -> Option<SocketAddr> {
        self.remote
    }

    /// The certificate that the other end showed, as it came; `None` without TLS.
    pub(crate) fn certificate(&self) -> Option<&[u8]> {
        let extensions = &self.head.extensions;
        match &self.body {
            Chunks::Plain(_) => extensions.get::<reqwest::tls::TlsInfo>()?.peer_certificate(),
            Chunks::Own(_) => extensions.get::<Reached>()?.certificate.as_deref(),
        }
    }

    /// Bytes of body as announced; `None` where the end shows only when it comes.
    pub(crate) fn content_length(&self) -> Option<u64> {
        match &self.body {
            Chunks::Plain(body) => body.size_hint().exact(),
            Chunks::Own(body) => body.size_hint().exact(),
        }
    }

    /// The next bytes of the body as received; `None` at its end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            let frame = match &mut self.body {
                Chunks::Plain(body) => body.frame().await.map(|frame| frame.map_err(Error::Plain)),
                Chunks::Own(body) => body.frame().await.map(|frame| frame.map_err(Error::Body)),
            };
            match frame.transpose()? {
                None => return Ok(None),
                Some(frame) => {
                    // Trailers say nothing that is kept.
                    if let Ok(bytes) = frame.into_data() {
                        return Ok(Some(bytes));
                    }
                }
            }
        }
    }
}

fn put(headers: &mut HeaderMap, more: &[(HeaderName, HeaderValue)]) {
    for (name, value) in more {
        if name == header::USER_AGENT {
            headers.insert(name, value.clone());
        } else {
            headers.append(name, value.clone());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seams::{BoxFuture, Resolve};
    use crate::tls::Roots;
    use hyper_util::client::proxy::matcher::Matcher;
    use model::plan::HostOverride;
    use model::settings::{Start, resolve};
    use std::net::{IpAddr, Ipv4Addr};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// Every name has a public address, at which nobody is asked.
    #[derive(Debug)]
    struct Public;

    impl Resolve for Public {
        fn resolve(&self, _: &str) -> BoxFuture<std::io::Result<Vec<IpAddr>>> {
            Box::pin(async { Ok(vec![Ipv4Addr::new(93, 184, 216, 34).into()]) })
        }
    }

    /// What one connection is told: the heads up to the first request that is none for a tunnel.
    async fn heads(listener: TcpListener) -> Vec<String> {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut heads: Vec<String> = Vec::new();
        while heads.last().is_none_or(|head| head.starts_with("CONNECT ")) {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.expect("a head"));
            }
            let head = String::from_utf8(head).expect("ASCII");
            let length = if head.starts_with("CONNECT ") { "" } else { "Content-Length: 0\r\n" };
            let answer = format!("HTTP/1.1 200 OK\r\n{length}\r\n");
            stream.write_all(answer.as_bytes()).await.expect("a listener");
            heads.push(head);
        }
        heads
    }

    /// `led`: the host is said to be where the proxy is. Each head by its beginning, and whether the proxy's password is
    /// in it.
    async fn check(addresses: AddressRule, led: bool, expect: &[(&str, bool)]) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let at = listener.local_addr().expect("an address");
        let mut plan = resolve(Start::default(), &[], &[]).expect("a plan");
        if led {
            plan.http.overrides = vec![HostOverride { host: "site.test".to_owned(), port: 80, to: at }];
        }
        let seams = Seams { resolver: Arc::new(Public), roots: Roots::Only(Vec::new()), ..Seams::system() };
        let proxy = Matcher::builder().all(format!("http://ada:hunter2@{at}")).build();
        let (wire, _) =
            Wire::through(Proxies::System(Box::new(proxy)), &plan, &seams, &addresses).expect("a wire");
        let seen = tokio::spawn(heads(listener));
        let url = Url::parse("http://site.test/a").expect("a URL");
        let response = wire.send(Method::GET, &url, &[]).await.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK);
        let seen = seen.await.expect("heads");
        assert_eq!(seen.len(), expect.len(), "{seen:?}");
        for (head, (begins, has_login)) in seen.iter().zip(expect) {
            assert!(head.starts_with(begins), "{head}");
            assert_eq!(head.to_ascii_lowercase().contains("proxy-authorization: "), *has_login, "{head}");
        }
    }

    #[tokio::test]
    async fn the_password_of_a_proxy_reaches_the_proxy_alone() {
        check(AddressRule::Any, false, &[("GET http://site.test/a ", true)]).await;
        check(AddressRule::Any, true, &[("GET /a ", false)]).await;
        let tunnelled = [("CONNECT 93.184.216.34:80 ", true), ("GET /a ", false)];
        check(AddressRule::PublicOnly, false, &tunnelled).await;
    }
}
