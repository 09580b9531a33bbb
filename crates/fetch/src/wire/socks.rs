//! SOCKS 5: asks such a proxy for a connection to somewhere else (RFC 1928, 1929).

use super::proxy::{Proxy, ProxyFault};
use super::stream::Io;
use std::net::{IpAddr, SocketAddr};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What a proxy is asked to connect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Address(SocketAddr),
    /// The proxy resolves the name.
    Name(String, u16),
}

const VERSION: u8 = 5;
const CONNECT: u8 = 1;
const NO_LOGIN: u8 = 0;
const LOGIN: u8 = 2;
const IPV4: u8 = 1;
const NAME: u8 = 3;
const IPV6: u8 = 4;

/// Turns a connection to a proxy into one to `target`.
pub(super) async fn open(stream: &mut Box<dyn Io>, proxy: &Proxy, target: &Target) -> Result<(), ProxyFault> {
    let closed = |_| ProxyFault::Closed(proxy.shown());
    let nonsense = || ProxyFault::Nonsense(proxy.shown());
    let offer: &[u8] = match proxy.login {
        Some(_) => &[VERSION, 2, NO_LOGIN, LOGIN],
        None => &[VERSION, 1, NO_LOGIN],
    };
    stream.write_all(offer).await.map_err(closed)?;
    let mut chosen = [0; 2];
    stream.read_exact(&mut chosen).await.map_err(closed)?;
    match (chosen, &proxy.login) {
        ([VERSION, NO_LOGIN], _) => {}
        ([VERSION, LOGIN], Some((user, password))) => {
            let mut login = vec![1];
            for part in [user, password] {
                let length = u8::try_from(part.len()).map_err(|_| ProxyFault::Login(proxy.shown()))?;
                login.push(length);
                login.extend_from_slice(part.as_bytes());
            }
            stream.write_all(&login).await.map_err(closed)?;
            let mut verdict = [0; 2];
            stream.read_exact(&mut verdict).await.map_err(closed)?;
            if verdict[1] != 0 {
                return Err(ProxyFault::Failed(proxy.shown(), "the user name or password is wrong"));
            }
        }
        ([VERSION, _], _) => {
            return Err(ProxyFault::Failed(proxy.shown(), "it wants a login that was not given"));
        }
        _ => return Err(nonsense()),
    }
    let request = request(target).ok_or(ProxyFault::Failed(proxy.shown(), "the name is too long for it"))?;
    stream.write_all(&request).await.map_err(closed)?;
    let mut reply = [0; 4];
    stream.read_exact(&mut reply).await.map_err(closed)?;
    if reply[0] != VERSION {
        return Err(nonsense());
    }
    if let Some(why) = refusal(reply[1]) {
        return Err(ProxyFault::Failed(proxy.shown(), why));
    }
    // The address that the proxy connects from is of no interest, but has to be read.
    let length = match reply[3] {
        IPV4 => 4,
        IPV6 => 16,
        NAME => usize::from(stream.read_u8().await.map_err(closed)?),
        _ => return Err(nonsense()),
    };
    let mut bound = [0; 255 + 2];
    stream.read_exact(&mut bound[..length + 2]).await.map_err(closed)?;
    Ok(())
}

fn request(target: &Target) -> Option<Vec<u8>> {
    let mut request = vec![VERSION, CONNECT, 0];
    let port = match target {
        Target::Address(address) => {
            match address.ip() {
                IpAddr::V4(v4) => {
                    request.push(IPV4);
                    request.extend_from_slice(&v4.octets());
                }
                IpAddr::V6(v6) => {
                    request.push(IPV6);
                    request.extend_from_slice(&v6.octets());
                }
            }
            address.port()
        }
        Target::Name(name, port) => {
            request.push(NAME);
            request.push(u8::try_from(name.len()).ok()?);
            request.extend_from_slice(name.as_bytes());
            *port
        }
    };
    request.extend_from_slice(&port.to_be_bytes());
    Some(request)
}

/// RFC 1928 §6; `None` for success.
const fn refusal(code: u8) -> Option<&'static str> {
    Some(match code {
        0 => return None,
        2 => "its rules do not allow it",
        3 => "the network cannot be reached",
        4 => "the host cannot be reached",
        5 => "the site refused the connection",
        6 => "it took too long",
        7 | 8 => "it cannot do that",
        _ => "it gives no reason",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let check = |target: Target, expect: &[u8]| assert_eq!(request(&target).as_deref(), Some(expect));
        check(Target::Address("1.2.3.4:443".parse().expect("an address")), &[5, 1, 0, 1, 1, 2, 3, 4, 1, 187]);
        check(Target::Name("a.test".to_owned(), 80), b"\x05\x01\x00\x03\x06a.test\x00\x50");
        let v6 = request(&Target::Address("[::1]:80".parse().expect("an address"))).expect("a request");
        assert_eq!((v6[3], v6.len()), (4, 22));
        assert_eq!(request(&Target::Name("a".repeat(256), 80)), None);
    }
}
