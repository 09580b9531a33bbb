//! What the requests for one URL carry besides what every request says: credentials of its origin and cookies; and when
//! an answer is worth asking again because of them.

use crate::auth::{Keys, Lesson};
use crate::cookies::Jar;
use crate::fetcher::Inner;
use http::{HeaderName, HeaderValue, header};
use model::outcome::Method;
use model::plan::CookieRule;
use model::{Address, Answer, Secret};
use std::sync::Arc;
use url::Url;

/// Challenges that are answered for one URL: one to learn how, and two for nonces that had gone stale meanwhile.
const CHALLENGES: u8 = 3;

/// Credentials and cookies along the load of one URL.
pub(crate) struct Carried {
    keys: Option<Arc<Keys>>,
    /// Cookies of this load alone; the shared jar is the fetcher's.
    jar: Jar,
    /// The Cookie header of each request so far; more than one only where a redirect led to the URL itself.
    sent: Vec<Option<String>>,
    lesson: Lesson,
    challenges: u8,
}

impl Carried {
    /// For the first request of a load, with credentials for the address: its own before those that were given for its
    /// origin.
    pub(crate) fn new(fetcher: &Inner, address: &Address) -> Self {
        Self::along(fetcher, address, Jar::default())
    }

    /// The same, with the cookies of the hops before.
    pub(crate) fn along(fetcher: &Inner, address: &Address, jar: Jar) -> Self {
        let own = Secret::of_address(address).filter(|_| fetcher.may_log_in());
        let keys = match own {
            Some(secret) => Some(Arc::new(Keys::of_secret(&secret))),
            None => fetcher.vault.of(&address.origin()),
        };
        Self { keys, jar, sent: Vec::new(), lesson: None, challenges: 0 }
    }

    pub(crate) fn into_jar(self) -> Jar {
        self.jar
    }

    /// The headers of the next request.
    pub(crate) fn headers(
        &mut self,
        fetcher: &Inner,
        method: Method,
        url: &Url,
    ) -> Vec<(HeaderName, HeaderValue)> {
        let mut headers = Vec::new();
        self.lesson = None;
        if let Some(keys) = &self.keys {
            (headers, self.lesson) = keys.headers(method, url);
        }
        let cookies = self.cookies(fetcher, url);
        if let Some(cookies) = &cookies
            && let Ok(mut value) = HeaderValue::from_str(cookies)
        {
            value.set_sensitive(true);
            headers.push((header::COOKIE, value));
        }
        if !self.sent.contains(&cookies) {
            self.sent.push(cookies);
        }
        headers
    }

    /// The cookies to send: those of the jar, and those given to start with that were not replaced meanwhile.
    pub(crate) fn cookies(&self, fetcher: &Inner, url: &Url) -> Option<String> {
        let now = fetcher.clock.wall();
        let mut header = match fetcher.cookies {
            CookieRule::Off => None,
            CookieRule::Session => self.jar.header(url, now),
            CookieRule::Shared => fetcher.jar().header(url, now),
        };
        let given = self.keys.as_ref().map(|keys| keys.cookies.as_slice()).unwrap_or_default();
        for (name, value) in given {
            let is_set = |pair: &str| pair.split_once('=').is_some_and(|(other, _)| other == name);
            let header = header.get_or_insert_default();
            if header.split("; ").any(is_set) {
                continue;
            }
            if !header.is_empty() {
                header.push_str("; ");
            }
            header.push_str(name);
            header.push('=');
            header.push_str(value);
        }
        header
    }

    /// Takes the cookies that an answer sets.
    pub(crate) fn take(&mut self, fetcher: &Inner, url: &Url, answer: &Answer) {
        let set =
            answer.headers.iter().filter(|(name, _)| &**name == "set-cookie").map(|(_, value)| &**value);
        let now = fetcher.clock.wall();
        match fetcher.cookies {
            CookieRule::Off => {}
            CookieRule::Session => set.for_each(|value| self.jar.take(url, value, now)),
            CookieRule::Shared => {
                let mut jar = fetcher.jar();
                set.for_each(|value| jar.take(url, value, now));
            }
        }
    }

    /// Whether the same URL is to be asked again: with credentials that the server demands, or with cookies that it set
    /// while it redirected to the URL itself. Where that leads nowhere, the answer says that it is a loop.
    pub(crate) fn asks_again(&mut self, fetcher: &Inner, url: &Url, answer: &mut Answer) -> bool {
        if answer.status == 401 {
            let again = self.challenges < CHALLENGES
                && self.keys.as_ref().is_some_and(|keys| keys.heed(answer, self.lesson));
            self.challenges += u8::from(again);
            return again;
        }
        if fetcher.cookies == CookieRule::Off || !leads_to_itself(url, answer) {
            return false;
        }
        let next = self.cookies(fetcher, url);
        let again = !self.sent.contains(&next) && self.sent.len() <= usize::from(fetcher.fetch.redirects);
        answer.cookie_loop = !again;
        again
    }
}

/// Whether an answer is a redirect to the URL it answers.
fn leads_to_itself(url: &Url, answer: &Answer) -> bool {
    let Some(location) = answer.header("location").filter(|_| answer.is_redirect()) else { return false };
    model::address::resolve(url, location).is_ok_and(|mut target| {
        target.set_fragment(None);
        target == *url
    })
}
