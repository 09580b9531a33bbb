//! Hosts that want to be asked by https alone (RFC 6797), as learned during one crawl.

use model::outcome::{Method, Timing};
use model::{Address, Answer, Outcome};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use url::{Host, Url};

/// Hosts at most; a crawl that meets more learns nothing of the rest.
const MOST: usize = 100_000;

/// The longest time that is remembered, which only keeps arithmetic on moments within its bounds.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 86_400);

/// What was learned. A std lock: it is held for a few instructions and never across an await.
#[derive(Debug, Default)]
pub(crate) struct Hsts(Mutex<HashMap<Box<str>, Wish>>);

/// What one host wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wish {
    until: SystemTime,
    subdomains: bool,
}

impl Hsts {
    /// Takes note of what an answer says that came over https with a certificate in order.
    pub(crate) fn note(&self, url: &Url, answer: &Answer, now: SystemTime) {
        let (Some(Host::Domain(host)), "https") = (url.host(), url.scheme()) else { return };
        // The first of several counts (RFC 6797 §8.1).
        let Some((age, subdomains)) = answer.header("strict-transport-security").and_then(read) else {
            return;
        };
        let mut known = self.known();
        if age.is_zero() {
            known.remove(host);
        } else if known.len() < MOST || known.contains_key(host) {
            known.insert(host.into(), Wish { until: now + age.min(LONGEST), subdomains });
        }
    }

    /// The address to ask instead of an http one of a host that wants https; `None` where it is asked as it is.
    pub(crate) fn upgrade(&self, address: &Address, now: SystemTime) -> Option<Address> {
        let url = address.url();
        let (Some(Host::Domain(host)), "http") = (url.host(), url.scheme()) else { return None };
        let known = self.known();
        if known.is_empty() {
            return None;
        }
        let mut name = host;
        let wanted = loop {
            let wish = known.get(name);
            if wish.is_some_and(|wish| wish.until > now && (wish.subdomains || name.len() == host.len())) {
                break true;
            }
            match name.split_once('.') {
                Some((_, parent)) => name = parent,
                None => break false,
            }
        };
        drop(known);
        if !wanted {
            return None;
        }
        let mut upgraded = url.clone();
        // An explicit port is kept, save that of http, which the parser never leaves in a URL (RFC 6797 §8.3).
        upgraded.set_scheme("https").ok()?;
        Address::from_url(upgraded).ok()
    }

    /// What comes of an http address of a host that wants https: a redirect that nobody sent (`Answer::synthetic`), as
    /// browsers have it. `None` where the address is asked as it is.
    pub(crate) fn outcome(&self, address: &Address, now: SystemTime) -> Option<Outcome> {
        let to = self.upgrade(address, now)?.without_credentials().0;
        let headers = [("location", to.as_str()), ("non-authoritative-reason", "HSTS")];
        let answer = Answer {
            method: Method::Get,
            status: 307,
            version: "",
            headers: headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            body: Vec::new(),
            body_read: false,
            transferred: 0,
            truncated: false,
            incomplete: false,
            decode_error: None,
            cut_reason: None,
            remote: None,
            started: now,
            timing: Timing::default(),
            head_status: None,
            validators: Default::default(),
            not_modified: false,
            synthetic: true,
            certificate_fault: None,
            cookie_loop: false,
            budget: None,
        };
        Some(Outcome { result: Ok(answer), attempts: Vec::new(), paused_host: None })
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Box<str>, Wish>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The age and whether subdomains are meant; `None` for a field that does not follow its grammar (RFC 6797 §6.1).
fn read(field: &str) -> Option<(Duration, bool)> {
    let (mut age, mut subdomains) = (None, false);
    for directive in field.split(';').map(str::trim).filter(|directive| !directive.is_empty()) {
        let (name, value) =
            directive.split_once('=').map_or((directive, None), |(n, v)| (n.trim(), Some(v.trim())));
        if name.eq_ignore_ascii_case("max-age") {
            let value = value?;
            let digits = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
            if age.is_some() || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            age = Some(Duration::from_secs(digits.parse().unwrap_or(u64::from(u32::MAX))));
        } else if name.eq_ignore_ascii_case("includesubdomains") {
            if subdomains || value.is_some() {
                return None;
            }
            subdomains = true;
        }
    }
    Some((age?, subdomains))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let check = |field: &str, expect: Option<(u64, bool)>| {
            assert_eq!(read(field), expect.map(|(age, sub)| (Duration::from_secs(age), sub)), "{field:?}");
        };
        check("max-age=31536000", Some((31_536_000, false)));
        check(" Max-Age = \"60\" ; includeSubDomains; preload", Some((60, true)));
        check("includeSubDomains;max-age=0;", Some((0, true)));
        check("max-age=99999999999999999999999", Some((u64::from(u32::MAX), false)));
        for bad in [
            "",
            "includeSubDomains",
            "max-age",
            "max-age=",
            "max-age=-1",
            "max-age=1; max-age=2",
            "max-age=1x",
        ] {
            check(bad, None);
        }
    }
}
