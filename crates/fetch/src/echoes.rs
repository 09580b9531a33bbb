//! What a site repeats of the credentials that it was sent: project files are given to others, so that it must not stand
//! in the headers that they keep.

use crate::auth;
use model::{Credential, Secret};
use std::borrow::Cow;

/// A shorter text stands in headers by chance; leaving it out everywhere would only spoil them.
const SHORTEST: usize = 4;

/// Values of cookies are often words such as `true`; alone they are looked for from this length on, with their name always.
const SHORTEST_COOKIE: usize = 8;

/// The texts that say a credential of a run.
#[derive(Default)]
pub struct Echoes(Vec<String>);

impl Echoes {
    /// Those of all credentials of a run.
    pub fn of(secrets: &[Secret]) -> Self {
        let mut texts = Vec::new();
        let mut note = |text: &str, shortest: usize| {
            if text.len() >= shortest {
                texts.push(text.to_owned());
            }
        };
        for secret in secrets {
            match &secret.credential {
                Credential::Password { user, password } => {
                    note(password, SHORTEST);
                    note(&auth::basic_token(user, password), SHORTEST);
                }
                Credential::Bearer(token) => note(token, SHORTEST),
                Credential::Header { name, value } if name != "cookie" => note(value, SHORTEST),
                Credential::Header { value: pairs, .. } | Credential::Cookies(pairs) => {
                    for pair in pairs.split(';').map(str::trim) {
                        note(pair, SHORTEST);
                        note(pair.split_once('=').map_or("", |(_, value)| value.trim()), SHORTEST_COOKIE);
                    }
                }
            }
        }
        // A text that holds another one goes first, so that nothing of it is left over.
        texts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        texts.dedup();
        Self(texts)
    }

    /// A text with `…` in the place of each of them; borrowed where it has none.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut kept = Cow::Borrowed(text);
        for echo in self.0.iter().map(String::as_str) {
            if kept.contains(echo) {
                kept = Cow::Owned(kept.replace(echo, "…"));
            }
        }
        kept
    }
}

impl std::fmt::Debug for Echoes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Echoes(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_says_a_credential_is_hidden_and_nothing_else() {
        let check = |credential: Credential, text: &str, expect: &str| {
            let secret = Secret { origin: "https://a.test".to_owned(), credential };
            assert_eq!(Echoes::of(&[secret]).hide(text), expect);
        };
        let login = || Credential::Password { user: "ada".to_owned(), password: "s3cret".to_owned() };
        check(login(), "Basic YWRhOnMzY3JldA==, ada:s3cret", "Basic …, ada:…");
        check(Credential::Bearer("abc.def".to_owned()), "Bearer abc.def", "Bearer …");
        let header = || Credential::Header { name: "x-key".to_owned(), value: "k3y k3y".to_owned() };
        check(header(), "1k3y k3y2 k3y", "1…2 k3y");
        let cookies = || Credential::Cookies("sid=0123456789; ok=true".to_owned());
        check(cookies(), "sid=0123456789 0123456789 true ok=true", "… … true …");
        let short = Credential::Password { user: "a".to_owned(), password: "b".to_owned() };
        check(short, "b Basic YTpi", "b Basic …");
    }
}
