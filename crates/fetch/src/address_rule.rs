//! Which addresses may be connected to, and what a public address is.
//!
//! Literal hosts are checked before anything is sent, and all addresses of a host, literal ones included, once more where
//! a connection is made: only those that are allowed are connected to.

use model::policy::Addresses;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use thiserror::Error;
use url::{Host, Url};

/// Which addresses a job may connect to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum AddressRule {
    /// Localhost and private addresses are staging servers.
    #[default]
    Any,
    /// Public addresses only, on ports 80 and 443.
    PublicOnly,
    /// The same, but for one host that a person allowed.
    PublicOr(OwnHost),
}

/// A host that need not be public, because a person said so about one page. No other port of it is let through than
/// the usual two and that of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnHost {
    /// As URLs spell it, lower case.
    name: Box<str>,
    port: u16,
}

/// An address or port that the rule of the job does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum NotAllowed {
    #[error("The address {0} is not a public one, and this job asks public addresses only.")]
    Address(IpAddr),
    #[error("The name {0} means this computer itself, and this job asks public addresses only.")]
    Local(Box<str>),
    #[error("This job asks on ports 80 and 443 only, not on port {0}.")]
    Port(u16),
}

impl From<Addresses> for AddressRule {
    fn from(policy: Addresses) -> Self {
        match policy {
            // That only http and https are asked holds for every address there is.
            Addresses::Any | Addresses::Web => Self::Any,
            Addresses::PublicOnly => Self::PublicOnly,
        }
    }
}

impl AddressRule {
    /// Checks what can be known from the URL itself: its port, and its host where that is an address.
    pub(crate) fn check_url(&self, url: &Url) -> Result<(), NotAllowed> {
        if *self == Self::Any {
            return Ok(());
        }
        let port = url.port_or_known_default().unwrap_or_default();
        let own = self.own(url.host_str().unwrap_or_default());
        if !matches!(port, 80 | 443) && own.is_none_or(|own| own.port != port) {
            return Err(NotAllowed::Port(port));
        }
        if own.is_some() {
            return Ok(());
        }
        match url.host() {
            Some(Host::Ipv4(address)) => public_only(address.into()),
            Some(Host::Ipv6(address)) => public_only(address.into()),
            // Whatever a resolver says about them (RFC 6761 §6.3).
            Some(Host::Domain(name)) if is_localhost(name) => Err(NotAllowed::Local(name.into())),
            _ => Ok(()),
        }
    }

    /// Keeps the addresses of a name that may be connected to. With none left, the first one is the reason.
    pub(crate) fn filter(&self, name: &str, mut addresses: Vec<IpAddr>) -> Result<Vec<IpAddr>, NotAllowed> {
        let Some(first) = addresses.first().copied() else { return Ok(addresses) };
        if *self == Self::Any || self.own(name).is_some() {
            return Ok(addresses);
        }
        addresses.retain(|address| is_public(*address));
        if addresses.is_empty() { Err(NotAllowed::Address(first)) } else { Ok(addresses) }
    }

    /// The exception, if it is about this host.
    fn own(&self, host: &str) -> Option<&OwnHost> {
        match self {
            Self::PublicOr(own) if own.name.eq_ignore_ascii_case(host) => Some(own),
            _ => None,
        }
    }
}

impl OwnHost {
    /// The host and port of a page's address.
    pub(crate) fn of(url: &Url) -> Self {
        Self {
            name: url.host_str().unwrap_or_default().into(),
            port: url.port_or_known_default().unwrap_or_default(),
        }
    }
}

fn public_only(address: IpAddr) -> Result<(), NotAllowed> {
    if is_public(address) { Ok(()) } else { Err(NotAllowed::Address(address)) }
}

fn is_localhost(name: &str) -> bool {
    let last = name.strip_suffix('.').unwrap_or(name).rsplit('.').next().unwrap_or_default();
    last.eq_ignore_ascii_case("localhost")
}

/// Whether an address is one of the public internet: neither loopback, private, link-local, shared (carrier-grade
/// NAT), multicast, documentation, benchmarking, reserved nor unspecified, nor a cloud's metadata service. IPv4
/// addresses inside IPv6 ones are judged as IPv4 (IANA special-purpose registries; RFC 6890, 6598, 6052, 3056).
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

const fn is_public_v4(address: Ipv4Addr) -> bool {
    !matches!(
        address.octets(),
        [0 | 10 | 127, ..]
            | [100, 64..=127, ..]
            | [169, 254, ..]
            | [172, 16..=31, ..]
            | [192, 0, 0 | 2, _]
            | [192, 88, 99, _]
            | [192, 168, ..]
            | [198, 18 | 19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
            | [224..=255, ..]
            // Azure's metadata and DNS service has an address that looks public.
            | [168, 63, 129, 16]
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    // ISATAP carries an IPv4 address in its interface identifier, whatever the network (RFC 5214 §6.1).
    if let [_, _, _, _, 0 | 0x200, 0x5efe, high, low] = segments
        && !embedded(high, low)
    {
        return false;
    }
    match segments {
        // IPv4-mapped, and the well-known prefix of NAT64. That for local use (64:ff9b:1::/48) is in no global network.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded(high, low),
        // 6to4.
        [0x2002, high, low, ..] => embedded(high, low),
        // IETF protocol assignments (Teredo, ORCHID, benchmarking) and documentation.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Global unicast as allocated by IANA; everything else is reserved, local or multicast.
        [0x2000..=0x3fff, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses() {
        let check = |text: &str, expect: bool| {
            assert_eq!(is_public(text.parse().expect("an address")), expect, "{text}");
        };
        for public in
            ["1.1.1.1", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1"]
        {
            check(public, true);
            check(&format!("::ffff:{public}"), true);
            check(&format!("64:ff9b::{public}"), true);
        }
        for inner in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.1.1.1",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            check(inner, false);
            check(&format!("::ffff:{inner}"), false);
            check(&format!("64:ff9b::{inner}"), false);
            check(&format!("::{inner}"), false);
        }
        for public in ["2606:4700::1111", "2a00:1450:4001:81b::200e", "2001:200::1", "2002:0101:0101::1"] {
            check(public, true);
        }
        for inner in [
            "::",
            "::1",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "3fff::1",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "64:ff9b:1::1",
            "100::1",
            "5f00::1",
            "2a00:1450::5efe:10.0.0.1",
            "2a00:1450::200:5efe:192.168.0.1",
            "2002:101:101::5efe:10.0.0.1",
            "::ffff:0:10.0.0.1",
            "4000::1",
        ] {
            check(inner, false);
        }
    }

    #[test]
    fn urls_are_checked_before_anything_is_sent() {
        let check = |rule: &AddressRule, url: &str, expect: bool| {
            assert_eq!(rule.check_url(&Url::parse(url).expect("a URL")).is_ok(), expect, "{rule:?} {url}");
        };
        for url in [
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://localhost/",
            "http://a.LocalHost./",
            "https://a.example:8443/",
        ] {
            check(&AddressRule::Any, url, true);
            check(&AddressRule::PublicOnly, url, false);
        }
        for url in
            ["https://a.example/", "http://a.example:443/", "http://1.1.1.1/", "http://localhost.example/"]
        {
            check(&AddressRule::PublicOnly, url, true);
        }
        let own = |page: &str| AddressRule::PublicOr(OwnHost::of(&Url::parse(page).expect("a URL")));
        let (name, literal) = (own("http://Intranet.Example:8080/"), own("https://10.1.2.3/x"));
        for (rule, url, expect) in [
            (&name, "http://intranet.example:8080/y", true),
            (&name, "https://intranet.example/", true),
            (&name, "http://intranet.example:22/", false),
            (&name, "http://www.intranet.example:8080/", false),
            (&name, "http://10.1.2.3/", false),
            (&name, "http://1.1.1.1/", true),
            (&literal, "http://10.1.2.3/", true),
            (&literal, "http://0xa.0x10203/", true),
            (&literal, "http://10.1.2.3:8080/", false),
            (&literal, "http://10.1.2.4/", false),
        ] {
            check(rule, url, expect);
        }
    }

    #[test]
    fn a_name_keeps_its_allowed_addresses() {
        let addresses =
            |list: &[&str]| list.iter().map(|a| a.parse().expect("an address")).collect::<Vec<IpAddr>>();
        let mixed = addresses(&["10.0.0.1", "1.1.1.1", "::1"]);
        let own = AddressRule::PublicOr(OwnHost::of(&Url::parse("http://a.test/").expect("a URL")));
        assert_eq!(AddressRule::Any.filter("a.test", mixed.clone()), Ok(mixed.clone()));
        assert_eq!(own.filter("a.test", mixed.clone()), Ok(mixed.clone()));
        assert_eq!(own.filter("b.test", mixed.clone()), Ok(addresses(&["1.1.1.1"])));
        assert_eq!(AddressRule::PublicOnly.filter("a.test", mixed), Ok(addresses(&["1.1.1.1"])));
        assert!(AddressRule::PublicOnly.filter("a.test", addresses(&["10.0.0.1"])).is_err());
        assert_eq!(AddressRule::PublicOnly.filter("a.test", Vec::new()), Ok(Vec::new()));
    }
}
