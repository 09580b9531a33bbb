//! Credentials: which origin gets which, and how a challenge is answered (RFC 7617 basic, RFC 7616 digest).
//!
//! A secret is looked up by the origin of the very request it goes into, so that no redirect and no robots.txt of another
//! origin ever carries it. A password is sent only after the server asked for one: digest is then preferred, and a server
//! that asks for a digest never sees the password itself.

use http::{HeaderName, HeaderValue, header};
use http_auth::{DigestClient, PasswordParams, parse_challenges};
use model::outcome::Method;
use model::{Answer, Credential, Secret};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::{Position, Url};

/// Secrets by origin.
#[derive(Debug, Default)]
pub(crate) struct Vault(HashMap<Box<str>, Arc<Keys>>);

/// What one origin gets.
#[derive(Default)]
pub(crate) struct Keys {
    /// With every request.
    fixed: Vec<(HeaderName, HeaderValue)>,
    /// Name and value each, with every request.
    pub(crate) cookies: Vec<(String, String)>,
    /// User and password.
    password: Option<(String, String)>,
    /// A std lock: it is held while a header is made and never across an await.
    learned: Mutex<Learned>,
}

/// How the server wants the password.
#[derive(Default)]
struct Learned {
    scheme: Option<Scheme>,
    /// Counts what was learned, so that a request can be told from one that knew more.
    lesson: u32,
}

enum Scheme {
    Basic(HeaderValue),
    Digest(Box<DigestClient>),
}

/// Which lesson the Authorization of a request came from; `None` where it had none that a challenge could better.
pub(crate) type Lesson = Option<u32>;

impl Vault {
    pub(crate) fn new(secrets: &[Secret]) -> Self {
        let mut keys: HashMap<Box<str>, Keys> = HashMap::new();
        for secret in secrets {
            keys.entry(secret.origin.as_str().into()).or_default().add(&secret.credential);
        }
        Self(keys.into_iter().map(|(origin, keys)| (origin, Arc::new(keys))).collect())
    }

    pub(crate) fn of(&self, origin: &str) -> Option<Arc<Keys>> {
        self.0.get(origin).map(Arc::clone)
    }
}

impl Keys {
    fn add(&mut self, credential: &Credential) {
        let mut fix = |name: &str, value: &str| {
            let pair = HeaderName::try_from(name).ok().zip(HeaderValue::try_from(value).ok());
            if let Some((name, mut value)) = pair {
                value.set_sensitive(true);
                self.fixed.push((name, value));
            }
        };
        match credential {
            Credential::Password { user, password } => self.password = Some((user.clone(), password.clone())),
            Credential::Bearer(token) => fix("authorization", &format!("Bearer {token}")),
            Credential::Header { name, value } if name == "cookie" => self.add_cookies(value),
            Credential::Header { name, value } => fix(name, value),
            Credential::Cookies(pairs) => self.add_cookies(pairs),
        }
    }

    fn add_cookies(&mut self, pairs: &str) {
        for (name, value) in pairs.split(';').filter_map(|pair| pair.trim().split_once('=')) {
            self.cookies.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }

    /// What an address with credentials gets.
    pub(crate) fn of_secret(secret: &Secret) -> Self {
        let mut keys = Self::default();
        keys.add(&secret.credential);
        keys
    }

    /// The headers of a request, and the lesson that its Authorization rests on.
    pub(crate) fn headers(&self, method: Method, url: &Url) -> (Vec<(HeaderName, HeaderValue)>, Lesson) {
        let mut headers = self.fixed.clone();
        let Some((user, password)) = &self.password else { return (headers, None) };
        let mut learned = self.learned();
        let lesson = learned.lesson;
        let value = match &mut learned.scheme {
            None => None,
            Some(Scheme::Basic(value)) => Some(value.clone()),
            Some(Scheme::Digest(client)) => {
                let asked = PasswordParams {
                    username: user,
                    password,
                    uri: &url[Position::BeforePath..Position::AfterQuery],
                    method: method.word(),
                    body: None,
                };
                client.respond(&asked).ok().and_then(|text| HeaderValue::try_from(text).ok())
            }
        };
        if let Some(mut value) = value {
            value.set_sensitive(true);
            headers.push((header::AUTHORIZATION, value));
        }
        (headers, Some(lesson))
    }

    /// Whether a request that was answered with 401 is worth being made again, and learns how from the challenge.
    pub(crate) fn heed(&self, answer: &Answer, used: Lesson) -> bool {
        let (Some((user, password)), Some(used), 401) = (&self.password, used, answer.status) else {
            return false;
        };
        let mut learned = self.learned();
        if learned.lesson != used {
            // Another request has learned something meanwhile.
            return true;
        }
        let values = answer.headers.iter().filter(|(name, _)| &**name == "www-authenticate");
        let challenges: Vec<_> =
            values.filter_map(|(_, value)| parse_challenges(value).ok()).flatten().collect();
        let digest = challenges
            .iter()
            .filter_map(|challenge| DigestClient::try_from(challenge).ok())
            .max_by_key(|client| strength(client.algorithm()));
        // A 401 without any challenge breaks the rules (RFC 9110 §15.5.2) and is found on staging servers all the same.
        let says_nothing = answer.header("www-authenticate").is_none();
        let offers_basic =
            says_nothing || challenges.iter().any(|challenge| challenge.scheme.eq_ignore_ascii_case("basic"));
        let refused = matches!(learned.scheme, Some(Scheme::Basic(_)));
        let next = match digest {
            // A fresh nonce is worth a try; the same challenge again means that the password is wrong.
            Some(client) if learned.scheme.is_none() || refused || client.stale() => {
                Scheme::Digest(Box::new(client))
            }
            None if offers_basic && learned.scheme.is_none() => match basic(user, password) {
                Some(value) => Scheme::Basic(value),
                None => return false,
            },
            _ => return false,
        };
        learned.scheme = Some(next);
        learned.lesson += 1;
        true
    }

    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys(…)")
    }
}

/// The stronger, the greater.
const fn strength(algorithm: http_auth::digest::Algorithm) -> u8 {
    match algorithm {
        http_auth::digest::Algorithm::Md5 => 0,
        _ => 1,
    }
}

/// `Basic` with a user name and password in UTF-8.
fn basic(user: &str, password: &str) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("Basic {}", basic_token(user, password))).ok()
}

/// A user name and password as they stand behind `Basic`.
pub(crate) fn basic_token(user: &str, password: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_belong_to_their_origin_and_are_not_shown() {
        let secret = |origin: &str, credential| Secret { origin: origin.to_owned(), credential };
        let vault = Vault::new(&[
            secret("https://a.test", Credential::Bearer("hunter2".to_owned())),
            secret(
                "https://a.test",
                Credential::Header { name: "x-key".to_owned(), value: "hunter3".to_owned() },
            ),
            secret("https://a.test", Credential::Cookies("sid=hunter4; b=2".to_owned())),
        ]);
        let url = Url::parse("https://a.test/x?y").expect("a URL");
        let keys = vault.of("https://a.test").expect("keys");
        let (headers, lesson) = keys.headers(Method::Get, &url);
        let shown = format!("{headers:?} {vault:?}");
        assert!(!shown.contains("hunter"), "{shown}");
        let values: Vec<&[u8]> = headers.iter().map(|(_, value)| value.as_bytes()).collect();
        assert_eq!(values, [&b"Bearer hunter2"[..], b"hunter3"]);
        assert_eq!((lesson, keys.cookies.len()), (None, 2));
        for other in ["http://a.test", "https://a.test:8443", "https://www.a.test", "https://b.test"] {
            assert!(vault.of(other).is_none(), "{other}");
        }
    }
}
