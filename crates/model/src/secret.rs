//! What a person gives so that a site lets the crawl in. A secret belongs to one origin and is told to nobody else: it is
//! neither stored with a crawl nor logged, and its `Debug` says only that there is one.

use crate::address::Address;
use crate::settings::{refused_secret_header, split_header};

/// A credential and the one origin that gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// `https://www.example.com`, as [`Address::origin`] spells it.
    pub origin: String,
    pub credential: Credential,
}

/// What is sent, once or as often as the server asks.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// For basic and digest authentication, as the server's challenge demands.
    Password { user: String, password: String },
    /// `Authorization: Bearer …` with every request.
    Bearer(String),
    /// A header with every request; the name in lower case.
    Header { name: String, value: String },
    /// Cookies with every request, as a Cookie header spells them: `name=value; other=value`.
    Cookies(String),
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Password { .. } => "Password(…)",
            Self::Bearer(_) => "Bearer(…)",
            Self::Header { .. } => "Header(…)",
            Self::Cookies(_) => "Cookies(…)",
        })
    }
}

impl Secret {
    /// The user name and password of an address that carries them, percent-decoded.
    pub fn of_address(address: &Address) -> Option<Self> {
        let (plain, has_credentials) = address.without_credentials();
        if !has_credentials {
            return None;
        }
        let decode = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        let url = address.url();
        let credential = Credential::Password {
            user: decode(url.username()),
            password: decode(url.password().unwrap_or_default()),
        };
        Some(Self { origin: plain.origin(), credential })
    }
}

impl Credential {
    /// Reads `user:password` or `Bearer TOKEN`, as a person types it; the reason never repeats what was typed.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let text = text.trim_end_matches(['\r', '\n']);
        if text.chars().any(char::is_control) {
            return Err("the credentials hold control characters; expected is one line");
        }
        if let Some((scheme, token)) = text.split_once(' ')
            && scheme.eq_ignore_ascii_case("bearer")
        {
            let token = token.trim();
            let printable = token.bytes().all(|byte| matches!(byte, b'!'..=b'~'));
            return if token.is_empty() || !printable {
                Err("the token after Bearer is empty or holds characters that no request can carry")
            } else {
                Ok(Self::Bearer(token.to_owned()))
            };
        }
        match text.split_once(':') {
            Some((user, password)) if !user.is_empty() => {
                Ok(Self::Password { user: user.to_owned(), password: password.to_owned() })
            }
            _ => Err("expected is user:password or Bearer TOKEN"),
        }
    }

    /// Reads `Name: value`; the reason never repeats the value.
    pub fn read_header(text: &str) -> Result<Self, String> {
        let (name, value) = split_header(text)?;
        match refused_secret_header(&name) {
            Some(why) => Err(format!("the header {name} cannot be given: {why}")),
            None => Ok(Self::Header { name, value }),
        }
    }

    /// Reads `name=value; other=value`.
    pub fn read_cookies(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let is_pair =
            |pair: &str| pair.trim().split_once('=').is_some_and(|(name, _)| !name.trim().is_empty());
        let printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if text.is_empty() || !printable || !text.split(';').all(is_pair) {
            return Err("expected is NAME=VALUE, several of them separated by semicolons");
        }
        Ok(Self::Cookies(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_read_and_never_shown() {
        let password = |user: &str, password: &str| {
            Ok(Credential::Password { user: user.to_owned(), password: password.to_owned() })
        };
        let check = |text: &str, expect: Result<Credential, ()>| {
            let read = Credential::read(text).map_err(|why| assert!(!why.contains("hunter2"), "{why}"));
            assert_eq!(read, expect, "{text:?}");
        };
        check("ada:hunter2\n", password("ada", "hunter2"));
        check("ada:a:b c", password("ada", "a:b c"));
        check("ada:", password("ada", ""));
        check("Bearer abc.def", Ok(Credential::Bearer("abc.def".to_owned())));
        check("bearer  abc ", Ok(Credential::Bearer("abc".to_owned())));
        for bad in ["", "hunter2", ":hunter2", "Bearer ", "Bearer a b", "ada:hunter2\nmore"] {
            check(bad, Err(()));
        }
        let secret = Secret {
            origin: "https://a.test".to_owned(),
            credential: Credential::read("ada:hunter2").expect("a credential"),
        };
        assert_eq!(format!("{secret:?}"), r#"Secret { origin: "https://a.test", credential: Password(…) }"#);
    }

    #[test]
    fn addresses_carry_secrets_for_their_origin() {
        let address = Address::parse("https://ad%C3%A1:p%40ss@a.test:8443/x?y").expect("an address");
        let secret = Secret::of_address(&address).expect("a secret");
        assert_eq!(secret.origin, "https://a.test:8443");
        assert_eq!(
            secret.credential,
            Credential::Password { user: "adá".to_owned(), password: "p@ss".to_owned() }
        );
        assert_eq!(Secret::of_address(&Address::parse("https://a.test/").expect("an address")), None);
    }

    #[test]
    fn cookies_are_pairs() {
        let check =
            |text: &str, expect: bool| assert_eq!(Credential::read_cookies(text).is_ok(), expect, "{text}");
        check("a=b", true);
        check("a=b; c=d=e", true);
        check("a=", true);
        for bad in ["", "a", "a=b;", "=b", "a=b; c", "a=ü", "a=b\r\nX: y"] {
            check(bad, false);
        }
    }
}
