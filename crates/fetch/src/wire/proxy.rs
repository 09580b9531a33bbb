//! Proxies: which one a request goes through, and what is said when one does not do its work.
//!
//! A proxy's user name and password come from the environment only; they are neither stored nor shown.

use http::{HeaderValue, Uri};
use hyper_util::client::proxy::matcher::Matcher;
use model::plan::{ProxyAddress, ProxyRule, ProxyScheme};
use std::ffi::OsString;
use std::net::IpAddr;
use url::Url;

/// Through what requests go.
pub(crate) enum Proxies {
    Direct,
    /// What the environment and the system say, host by host.
    System(Box<Matcher>),
    Through(Proxy),
}

/// One proxy.
#[derive(Clone)]
pub(crate) struct Proxy {
    pub(super) address: ProxyAddress,
    /// For the Proxy-Authorization of an HTTP proxy.
    authorization: Option<HeaderValue>,
    /// For a SOCKS proxy.
    pub(super) login: Option<(String, String)>,
}

/// A proxy did not do its work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProxyFault {
    #[error("The proxy {0} cannot be reached: {1}.")]
    Unreachable(String, String),
    #[error("The proxy {0} asks for a user name and password (status 407).")]
    Login(String),
    #[error("The proxy {0} refused to connect to the site (status {1}).")]
    Refused(String, u16),
    #[error("The proxy {0} could not connect to the site: {1}.")]
    Failed(String, &'static str),
    #[error("The proxy {0} does not answer as a proxy does.")]
    Nonsense(String),
    #[error("The proxy {0} closed the connection.")]
    Closed(String),
    #[error(
        "The proxy {0} speaks a protocol that is not supported here; http, https, socks5 and socks5h are."
    )]
    Unknown(String),
}

/// A variable of the environment names a proxy in a way that nobody can follow. The value is not told: it may hold a
/// password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the environment variable {0} names no proxy that can be used; expected is an address like http://proxy.example:3128 \
     (http, https, socks5 or socks5h). Mend or unset it, or go without a proxy: http.proxy=none"
)]
pub struct BadProxyVariable(&'static str);

/// The variables that name a proxy: of each pair the first that is set counts.
const VARIABLES: [[&str; 2]; 3] =
    [["HTTP_PROXY", "http_proxy"], ["HTTPS_PROXY", "https_proxy"], ["ALL_PROXY", "all_proxy"]];

/// Whether what the environment says of proxies can be followed, where it is to be. Else requests would go out directly,
/// which is not what somebody who set a proxy expects.
pub fn check_proxy_variables(rule: &ProxyRule) -> Result<(), BadProxyVariable> {
    match rule {
        ProxyRule::System => check_variables(|name| std::env::var_os(name)),
        ProxyRule::Direct | ProxyRule::Through(_) => Ok(()),
    }
}

fn check_variables(value: impl Fn(&str) -> Option<OsString>) -> Result<(), BadProxyVariable> {
    for pair in VARIABLES {
        let Some((name, value)) = pair.into_iter().find_map(|name| Some((name, value(name)?))) else {
            continue;
        };
        let names_a_proxy = |text: &str| {
            let matcher = Matcher::builder().all(text).build();
            text.is_empty() || matcher.intercept(&Uri::from_static("http://site.invalid/")).is_some()
        };
        if !value.to_str().is_some_and(names_a_proxy) {
            return Err(BadProxyVariable(name));
        }
    }
    Ok(())
}

impl Proxies {
    pub(crate) fn new(rule: &ProxyRule) -> Result<Self, BadProxyVariable> {
        check_proxy_variables(rule)?;
        Ok(match rule {
            ProxyRule::Direct => Self::Direct,
            ProxyRule::System => Self::System(Box::new(Matcher::from_system())),
            ProxyRule::Through(address) => {
                Self::Through(Proxy { address: address.clone(), authorization: None, login: None })
            }
        })
    }

    /// The proxy for a request; `None` for a direct connection.
    pub(super) fn of(&self, uri: &Uri) -> Result<Option<Proxy>, ProxyFault> {
        match self {
            Self::Direct => Ok(None),
            Self::Through(proxy) => Ok(Some(proxy.clone())),
            // No proxy of a network leads to this computer itself.
            Self::System(_) if is_here(uri.host().unwrap_or_default()) => Ok(None),
            Self::System(matcher) => {
                let Some(found) = matcher.intercept(uri) else { return Ok(None) };
                let uri = found.uri();
                let host = uri.host().unwrap_or_default().to_owned();
                let scheme = uri.scheme_str().and_then(ProxyScheme::from_word);
                let Some(scheme) = scheme.filter(|_| !host.is_empty()) else {
                    return Err(ProxyFault::Unknown(host));
                };
                // RFC 1928 §3 for SOCKS; the others' are those of their scheme.
                let port = uri.port_u16().unwrap_or(match scheme {
                    ProxyScheme::Http => 80,
                    ProxyScheme::Https => 443,
                    ProxyScheme::Socks5 | ProxyScheme::Socks5h => 1080,
                });
                Ok(Some(Proxy {
                    address: ProxyAddress { scheme, host, port },
                    authorization: found.basic_auth().cloned(),
                    login: found.raw_auth().map(|(user, password)| (user.to_owned(), password.to_owned())),
                }))
            }
        }
    }

    /// Whether a request goes through none.
    pub(super) fn is_none(&self, url: &Url) -> bool {
        match self {
            Self::Direct => true,
            Self::Through(_) => false,
            Self::System(_) => url.as_str().parse().is_ok_and(|uri| matches!(self.of(&uri), Ok(None))),
        }
    }
}

impl Proxy {
    /// An HTTP proxy takes http requests themselves (RFC 9112 §3.2.2); everything else goes through a tunnel.
    pub(super) fn forwards(&self, uri: &Uri) -> bool {
        matches!(self.address.scheme, ProxyScheme::Http | ProxyScheme::Https)
            && uri.scheme_str() == Some("http")
    }

    pub(super) const fn authorization(&self) -> Option<&HeaderValue> {
        self.authorization.as_ref()
    }

    /// As it is shown: `proxy.example:3128`.
    pub(super) fn shown(&self) -> String {
        format!("{}:{}", self.address.host, self.address.port)
    }

    pub(super) fn refuses(&self, status: u16) -> ProxyFault {
        match status {
            407 => ProxyFault::Login(self.shown()),
            other => ProxyFault::Refused(self.shown(), other),
        }
    }
}

fn is_here(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => {
            let name = bare.trim_end_matches('.');
            name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(matcher: Matcher) -> Proxies {
        Proxies::System(Box::new(matcher))
    }

    #[test]
    fn the_environment_says_which_proxy() {
        let proxies = system(
            Matcher::builder()
                .http("http://ada:hunter2@proxy.example:3128")
                .https("socks5h://ada:hunter2@socks.example")
                .no("intern.example")
                .build(),
        );
        let check = |uri: &str, expect: Option<&str>| {
            let found = proxies.of(&uri.parse().expect("a URI")).expect("a known protocol");
            let shown = found.as_ref().map(|proxy| format!("{}://{}", proxy.address.scheme, proxy.shown()));
            assert_eq!(shown.as_deref(), expect, "{uri}");
        };
        check("http://www.example/", Some("http://proxy.example:3128"));
        check("https://www.example/", Some("socks5h://socks.example:1080"));
        check("http://www.intern.example/", None);
        for here in ["http://localhost/", "http://127.0.0.2:8080/", "https://[::1]/", "http://a.localhost/"] {
            check(here, None);
        }
        let found = |uri: &Uri| proxies.of(uri).expect("a known protocol").expect("a proxy");
        let (plain, secure) =
            (Uri::from_static("http://www.example/"), Uri::from_static("https://www.example/"));
        let http = found(&plain);
        assert_eq!(http.authorization().map(HeaderValue::as_bytes), Some(&b"Basic YWRhOmh1bnRlcjI="[..]));
        assert!(http.forwards(&plain) && !http.forwards(&secure) && !found(&secure).forwards(&plain));
        for status in [407, 502] {
            assert!(!http.refuses(status).to_string().contains("hunter2"));
        }
    }

    #[test]
    fn variables_that_name_no_proxy_are_refused_by_name() {
        let check = |set: &[(&str, &str)], expect: Option<&'static str>| {
            let value =
                |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
            let refused = check_variables(value).err();
            assert_eq!(refused, expect.map(BadProxyVariable), "{set:?}");
            assert!(refused.is_none_or(|fault| !fault.to_string().contains("hunter2")));
        };
        check(&[], None);
        check(&[("http_proxy", "")], None);
        check(&[("HTTP_PROXY", "proxy.example:3128"), ("all_proxy", "socks5://ada:hunter2@s.example")], None);
        check(&[("http_proxy", "::garbage::")], Some("http_proxy"));
        check(&[("HTTPS_PROXY", "ftp://ada:hunter2@proxy.example")], Some("HTTPS_PROXY"));
        check(&[("all_proxy", "hunter2 hunter2")], Some("all_proxy"));
        check(&[("HTTP_PROXY", "http://proxy.example"), ("http_proxy", "::garbage::")], None);
    }

    #[test]
    fn unknown_protocols_are_named() {
        let proxies = system(Matcher::builder().all("socks4://old.example:1080").build());
        let fault = proxies.of(&Uri::from_static("https://www.example/")).err();
        assert_eq!(fault, Some(ProxyFault::Unknown("old.example".to_owned())));
    }
}
