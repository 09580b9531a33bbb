//! Settings of connections: proxies, request headers and host overrides, read from text and written in one form.

use super::value::{Reason, read_host, shown};
use crate::address::redacted;
use crate::plan::{HostOverride, ProxyAddress, ProxyRule, ProxyScheme};
use std::net::{IpAddr, SocketAddr};
use url::{Position, Url};

/// What a proxy's setting says, in one form.
pub(super) fn proxy_text(text: &str) -> Result<String, Reason> {
    let text = text.trim();
    if matches!(text, "system" | "none") {
        return Ok(text.to_owned());
    }
    let bad = || {
        Reason(
            "expected is system, none, or a proxy's address such as http://proxy.example:3128 or socks5://127.0.0.1:1080"
                .to_owned(),
        )
    };
    // What was given is not repeated: it may hold a password.
    let url = Url::parse(text).map_err(|_| bad())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Reason(
            "a proxy's user name and password cannot be said here, because settings are stored with each crawl; \
             say system, and put the whole address into the variable HTTPS_PROXY, HTTP_PROXY or ALL_PROXY"
                .to_owned(),
        ));
    }
    let scheme = ProxyScheme::from_word(url.scheme()).ok_or_else(bad)?;
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(bad)?;
    if !matches!(&url[Position::BeforePath..], "" | "/") {
        return Err(bad());
    }
    // The default port of a SOCKS proxy is no URL's (RFC 1928 §3).
    let port = url.port_or_known_default().unwrap_or(1080);
    Ok(format!("{scheme}://{}:{port}", host.to_ascii_lowercase()))
}

/// The rule of a text that `proxy_text` wrote.
pub(super) fn proxy(text: &str) -> ProxyRule {
    let through = || {
        let (scheme, rest) = text.split_once("://")?;
        let (host, port) = rest.rsplit_once(':')?;
        let scheme = ProxyScheme::from_word(scheme)?;
        Some(ProxyRule::Through(ProxyAddress { scheme, host: host.to_owned(), port: port.parse().ok()? }))
    };
    match text {
        "none" => ProxyRule::Direct,
        _ => through().unwrap_or_default(),
    }
}

/// Headers that a person may not set, and why.
fn refusal(name: &str) -> Option<&'static str> {
    Some(match name {
        "user-agent" => "it is said with agent.user_agent",
        "accept-language" => "it is said with http.accept_language",
        "authorization" | "cookie" | "proxy-authorization" => {
            "settings are stored with each crawl, so a secret is given for one run instead (--header, --auth, --cookie)"
        }
        "host" | "content-length" | "content-type" | "content-encoding" | "transfer-encoding"
        | "connection" | "keep-alive" | "te" | "trailer" | "upgrade" | "expect" | "http2-settings"
        | "proxy-connection" | "proxy-authenticate" | "accept-encoding" => "requests need it for themselves",
        "range" | "if-range" | "if-match" | "if-none-match" | "if-modified-since" | "if-unmodified-since" => {
            "the answers would not be whole"
        }
        "cookie2" | "set-cookie" => "it is no header of a request",
        _ => return None,
    })
}

/// Splits `Name: value` into a lower-case name and a value that a request can carry.
pub fn split_header(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once(':').ok_or("expected is NAME: VALUE")?;
    let (name, value) = (name.trim(), value.trim());
    // RFC 9110 §5.6.2.
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || name.len() > 100 || !name.bytes().all(is_token) {
        return Err("the name of a header is letters, digits and -");
    }
    if value.len() > 8_000 || !value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')) {
        return Err("the value of a header is printable ASCII");
    }
    Ok((name.to_ascii_lowercase(), value.to_owned()))
}

/// Why a header may not be set as a secret of one origin; these are allowed to carry credentials.
pub fn refused_secret_header(name: &str) -> Option<&'static str> {
    match name {
        "authorization" | "cookie" => None,
        "accept-language" | "user-agent" => Some("it is no secret: it is said with a setting"),
        other => refusal(other),
    }
}

/// One header of a setting in one form.
pub(super) fn header_text(item: &str) -> Result<String, Reason> {
    let (name, value) =
        split_header(item).map_err(|why| Reason(format!("“{}” is not a header: {why}", shown(item))))?;
    match refusal(&name) {
        Some(why) => Err(Reason(format!("the header {name} cannot be set: {why}"))),
        None => Ok(format!("{name}: {value}")),
    }
}

pub(super) fn header(item: &str) -> Option<(String, String)> {
    split_header(item).ok()
}

/// One override in one form.
pub(super) fn override_text(item: &str) -> Result<String, Reason> {
    let HostOverride { host, port, to } =
        read_override(item).map_err(|why| Reason(format!("“{}”: {why}", shown(&redacted(item)))))?;
    Ok(format!("{host}:{port}:{to}"))
}

/// Reads `HOST:PORT:ADDRESS[:PORT]`; IPv6 addresses may stand in brackets.
pub(super) fn read_override(item: &str) -> Result<HostOverride, &'static str> {
    const FORM: &str =
        "expected is HOST:PORT:ADDRESS or HOST:PORT:ADDRESS:PORT, such as www.example.com:443:127.0.0.1:8443";
    let item = item.trim();
    let colon = if item.starts_with('[') {
        item.find("]:").map(|at| at + 1).ok_or(FORM)?
    } else {
        item.find(':').ok_or(FORM)?
    };
    let (host, rest) = (&item[..colon], &item[colon + 1..]);
    let (port, to) = rest.split_once(':').ok_or(FORM)?;
    let host = read_host(host).map_err(|_| "the part before the first colon is not a host name")?;
    let port = port
        .parse()
        .ok()
        .filter(|port| *port != 0)
        .ok_or("the first port is not a number from 1 to 65535")?;
    let bare = to.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(to);
    let to = match bare.parse::<IpAddr>() {
        Ok(address) => SocketAddr::new(address, port),
        Err(_) => to
            .parse::<SocketAddr>()
            .map_err(|_| "the part after the port is not an address such as 127.0.0.1 or 127.0.0.1:8443")?,
    };
    if to.port() == 0 {
        return Err("the last port is not a number from 1 to 65535");
    }
    Ok(HostOverride { host, port, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(proxy_text(text).ok().as_deref(), expect, "{text}");
        };
        check("system", Some("system"));
        check("none", Some("none"));
        check("http://Proxy.example:3128", Some("http://proxy.example:3128"));
        check("http://proxy.example/", Some("http://proxy.example:80"));
        check("https://proxy.example", Some("https://proxy.example:443"));
        check("socks5://127.0.0.1", Some("socks5://127.0.0.1:1080"));
        check("socks5h://[::1]:9050", Some("socks5h://[::1]:9050"));
        for bad in [
            "",
            "proxy.example:3128",
            "ftp://a/",
            "http://",
            "http://a/path",
            "socks4://a:1",
            "http://u:p@a:1",
        ] {
            check(bad, None);
        }
        let refused = proxy_text("http://user:hunter2@proxy.example:1").unwrap_err().0;
        assert!(!refused.contains("hunter2") && refused.contains("HTTPS_PROXY"), "{refused}");
        let refused = proxy_text("nonsense://user:hunter2@proxy.example:1").unwrap_err().0;
        assert!(!refused.contains("hunter2"), "{refused}");
        let to = |scheme, host: &str, port| {
            ProxyRule::Through(ProxyAddress { scheme, host: host.to_owned(), port })
        };
        assert_eq!(proxy("socks5h://[::1]:9050"), to(ProxyScheme::Socks5h, "[::1]", 9050));
        assert_eq!(proxy("http://a:80"), to(ProxyScheme::Http, "a", 80));
        assert_eq!((proxy("none"), proxy("system")), (ProxyRule::Direct, ProxyRule::System));
    }

    #[test]
    fn headers() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(header_text(text).ok().as_deref(), expect, "{text}")
        };
        check("X-Audit: 1", Some("x-audit: 1"));
        check("X-Empty:", Some("x-empty: "));
        check(" DNT :  1 ", Some("dnt: 1"));
        for bad in
            ["X-Audit", ": 1", "X Audit: 1", "X-A: ü", "X-A: a\nb", "X-A: a\r\nX-B: c", ":authority: a", ""]
        {
            check(bad, None);
        }
        for refused in [
            "Host: a",
            "content-length: 3",
            "Connection: close",
            "USER-AGENT: x",
            "Authorization: Basic x",
            "Cookie: a=b",
            "Accept-Encoding: gzip",
            "Range: bytes=0-1",
            "Transfer-Encoding: chunked",
        ] {
            check(refused, None);
        }
        assert_eq!(refused_secret_header("authorization"), None);
        assert_eq!(refused_secret_header("x-api-key"), None);
        assert!(refused_secret_header("host").is_some());
    }

    #[test]
    fn overrides() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(override_text(text).ok().as_deref(), expect, "{text}");
        };
        check("www.example.com:443:127.0.0.1:8443", Some("www.example.com:443:127.0.0.1:8443"));
        check("WWW.Example.com:80:127.0.0.1", Some("www.example.com:80:127.0.0.1:80"));
        check("a.test:443:::1", Some("a.test:443:[::1]:443"));
        check("a.test:443:[::1]:8443", Some("a.test:443:[::1]:8443"));
        check("a.test:443:[::1]", Some("a.test:443:[::1]:443"));
        check("[::1]:80:127.0.0.1:8080", Some("[::1]:80:127.0.0.1:8080"));
        check("bücher.example:443:127.0.0.1", Some("xn--bcher-kva.example:443:127.0.0.1:443"));
        for bad in [
            "",
            "a.test",
            "a.test:443",
            "a.test:443:b.test",
            "a.test:0:127.0.0.1",
            "a.test:x:127.0.0.1",
            "a.test:70000:127.0.0.1",
            "a.test:443:127.0.0.1:0",
            "a/b:443:127.0.0.1",
            ":443:127.0.0.1",
        ] {
            check(bad, None);
        }
    }
}
