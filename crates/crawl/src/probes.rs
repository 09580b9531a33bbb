//! Probes: how the site answers what is not there, whether it has one address, where a sitemap might be, and whether the
//! resolver tells the truth. Each is asked once in a crawl and stored as a probe; none is a URL of the crawl because of it.

use crate::course::Course;
use crate::extras::Extra;
use crate::record::{Preparer, method_code, millis};
use fetch::Want;
use model::address::origin_of;
use model::hash::fingerprint;
use model::policy::SITEMAP_PLACES;
use model::{Address, FailureKind, LinkTarget, Outcome, Purpose};
use std::net::IpAddr;
use store::{AttemptPurpose, AttemptRow, ProbeRow, StoreError};
use url::{Host, Url};

/// What a probe asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProbeKind {
    /// A page that cannot exist: what it answers with is what the site answers errors with.
    RandomPath,
    /// The start address over the other scheme, or with `www.` or without.
    Twin,
    /// A place where sitemaps usually are.
    Sitemap,
    /// A name that cannot exist: whoever answers for it answers for every name.
    RandomHost,
}

impl ProbeKind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::RandomPath => "random-path",
            Self::Twin => "twin",
            Self::Sitemap => "sitemap",
            Self::RandomHost => "random-host",
        }
    }

    /// How it is asked: only the answer to a page that cannot exist is read.
    pub(crate) const fn want(self) -> Want {
        match self {
            Self::RandomPath => Want::Page,
            Self::Twin | Self::Sitemap | Self::RandomHost => Want::Status,
        }
    }
}

/// A probe to be made.
#[derive(Debug, Clone)]
pub(crate) struct ProbeJob {
    pub kind: ProbeKind,
    /// The URL, or the host name.
    pub subject: String,
    /// Of its origin; 0 for a name.
    pub host: u32,
    pub internal: bool,
}

/// Code of the warning that names cannot be trusted.
const LYING_RESOLVER: &str = "lying-resolver";

impl ProbeJob {
    /// The row of a probe that was not answered.
    pub(crate) fn row(&self, state: &'static str, detail: String) -> ProbeRow {
        ProbeRow {
            kind: self.kind.word(),
            subject: self.subject.clone(),
            state,
            detail: Some(detail),
            ..ProbeRow::default()
        }
    }

    /// The row of a name that was looked up.
    pub(crate) fn name_row(&self, answer: std::io::Result<Vec<IpAddr>>) -> ProbeRow {
        match answer {
            Ok(addresses) if !addresses.is_empty() => {
                let shown: Vec<String> = addresses.iter().take(4).map(ToString::to_string).collect();
                self.row("answered", shown.join(", "))
            }
            Ok(_) => ProbeRow {
                failure: Some(FailureKind::Dns),
                ..self.row("failed", "The name has no address.".to_owned())
            },
            Err(error) => {
                ProbeRow { failure: Some(FailureKind::Dns), ..self.row("failed", error.to_string()) }
            }
        }
    }

    /// The row of what was answered. Runs on a parse thread.
    pub(crate) fn read(self, preparer: &Preparer, bot_allowed: bool, outcome: Outcome) -> ProbeRow {
        let attempts =
            outcome.attempts.last().map(|last| (method_code(last.method), last.started, last.total));
        let record = preparer.prepare(0, self.host, &self.subject, Purpose::Crawl, bot_allowed, outcome);
        let redirect =
            record.links.links.first().filter(|_| record.redirect).and_then(|link| match &link.target {
                LinkTarget::Http(target) => Some(target.to_string()),
                LinkTarget::OtherScheme(_) | LinkTarget::Invalid => None,
            });
        ProbeRow {
            kind: self.kind.word(),
            subject: self.subject,
            state: if record.failure.is_none() { "answered" } else { "failed" },
            method: attempts.map(|(method, _, _)| method),
            started: attempts.map(|(_, started, _)| model::clock::unix_millis(started)),
            total_ms: attempts.map(|(_, _, total)| millis(total)),
            status: record.answer.status,
            failure: record.failure,
            content_type: record.answer.content_type,
            bytes: record.answer.bytes,
            redirect,
            detail: record.answer.error,
            attempts: record
                .attempts
                .into_iter()
                .map(|attempt| AttemptRow { purpose: AttemptPurpose::Probe, ..attempt })
                .collect(),
            document: record.page.map(|(document, _)| document),
        }
    }
}

impl Course<'_, '_> {
    /// The first page of the site has answered: asks the other forms of its address, so that whatever belongs to the site is
    /// known early.
    pub(crate) fn probe_twins(&mut self, start: &str) -> Result<(), StoreError> {
        if std::mem::replace(&mut self.extras.twins_done, true) || !self.probes() {
            return Ok(());
        }
        for twin in twins(start) {
            self.probe(ProbeKind::Twin, twin)?;
        }
        Ok(())
    }

    /// Asks what can wait until every page is read.
    pub(crate) fn probe_at_the_end(&mut self) -> Result<(), StoreError> {
        if !self.probes() {
            return Ok(());
        }
        let Some(start) = self.start_page()? else { return Ok(()) };
        self.probe_twins(&start)?;
        let Ok(start) = Address::parse(&self.landing(start)?) else { return Ok(()) };
        let token = self.token();
        if let Ok(random) = start.join(&format!("/gossamer-probe-{token}")) {
            self.probe(ProbeKind::RandomPath, random.to_string())?;
        }
        for place in SITEMAP_PLACES {
            if let Ok(url) = start.join(place) {
                self.probe(ProbeKind::Sitemap, url.to_string())?;
            }
        }
        if self.asked_names()? {
            self.probe(ProbeKind::RandomHost, format!("{token}.com"))?;
        }
        Ok(())
    }

    /// Lists are asked as they are: no site is known that could be probed.
    fn probes(&self) -> bool {
        self.crawl.plan.extras.probes && self.crawl.plan.mode == model::plan::Mode::Site
    }

    /// The same in every run of a crawl, and known to nobody else.
    fn token(&self) -> String {
        format!("{:016x}", fingerprint(format!("{} {}", self.writer.seed().0, self.crawl.id).as_bytes()))
    }

    /// Adds a probe, unless it was made before or the crawl has asked the same URL itself.
    fn probe(&mut self, kind: ProbeKind, subject: String) -> Result<(), StoreError> {
        let mut made = false;
        let sql = "SELECT 1 FROM probe WHERE crawl = ?1 AND kind = ?2 AND subject = ?3";
        self.writer.rows(
            sql,
            &[self.crawl.id.into(), kind.word().into(), subject.as_str().into()],
            &mut |_| {
                made = true;
                Ok(())
            },
        )?;
        if made {
            return Ok(());
        }
        if kind == ProbeKind::RandomHost {
            self.extras.add(Extra::Probe(ProbeJob { kind, subject, host: 0, internal: false }));
            return Ok(());
        }
        if let Some(known) = self.known_answer(kind, &subject)? {
            return self.writer.put_probe(self.crawl.id, &known);
        }
        let origin = origin_of(&subject);
        let host = self.writer.host(origin)?;
        let internal = self.frontier.is_internal(host, origin);
        self.extras.add(Extra::Probe(ProbeJob { kind, subject, host, internal }));
        Ok(())
    }

    /// What the crawl itself was answered for a URL, as a page or as a sitemap.
    fn known_answer(&mut self, kind: ProbeKind, url: &str) -> Result<Option<ProbeRow>, StoreError> {
        let mut known = None;
        let row = |status: i64| ProbeRow {
            kind: kind.word(),
            subject: url.to_owned(),
            state: "known",
            status: u16::try_from(status).ok().filter(|status| *status > 0),
            ..ProbeRow::default()
        };
        if let Some(id) = self.writer.find_url(self.writer.seed().url(url)) {
            let sql = "SELECT a.status, a.method, a.started, a.total_ms, a.bytes, t.value, r.text, a.error FROM answer a LEFT JOIN string t ON t.id = a.content_type
                       LEFT JOIN url r ON r.id = a.redirect WHERE a.key = ?1";
            self.writer.rows(sql, &[store::key(self.crawl.id, id).into()], &mut |answer| {
                known = Some(ProbeRow {
                    method: u8::try_from(answer.int(1)).ok(),
                    started: Some(answer.int(2)),
                    total_ms: u32::try_from(answer.int(3)).ok(),
                    bytes: u64::try_from(answer.int(4)).ok(),
                    content_type: answer.opt_text(5).map(Into::into),
                    redirect: answer.opt_text(6).map(ToOwned::to_owned),
                    detail: answer.opt_text(7).map(ToOwned::to_owned),
                    ..row(answer.int(0))
                });
                Ok(())
            })?;
        }
        if known.is_none() {
            let sql = "SELECT status FROM sitemap WHERE crawl = ?1 AND url = ?2 LIMIT 1";
            self.writer.rows(sql, &[self.crawl.id.into(), url.into()], &mut |sitemap| {
                known = Some(row(sitemap.int(0)));
                Ok(())
            })?;
        }
        Ok(known)
    }

    /// The start address that answered first in the order of the seeds.
    fn start_page(&mut self) -> Result<Option<String>, StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let mut start = None;
        let sql = "SELECT u.text FROM visit v JOIN url u ON u.id = v.key & 4294967295
                   WHERE v.key BETWEEN ?1 AND ?2 AND v.found = 1 AND v.state = 1 AND v.internal ORDER BY v.key LIMIT 1";
        self.writer.rows(sql, &[first.into(), last.into()], &mut |row| {
            start = Some(row.text(0).to_owned());
            Ok(())
        })?;
        Ok(start)
    }

    /// Where the start address leads, as long as that is on the site.
    fn landing(&mut self, start: String) -> Result<String, StoreError> {
        let mut at = start;
        for _ in 0..10 {
            let Some(url) = self.writer.find_url(self.writer.seed().url(&at)) else { break };
            let mut next = None;
            let sql = "SELECT u.text FROM answer a JOIN url u ON u.id = a.redirect JOIN visit v ON v.key = (a.key >> 32 << 32) | a.redirect
                       WHERE a.key = ?1 AND v.internal AND v.state = 1";
            self.writer.rows(sql, &[store::key(self.crawl.id, url).into()], &mut |row| {
                next = Some(row.text(0).to_owned());
                Ok(())
            })?;
            let Some(next) = next else { break };
            at = next;
        }
        Ok(at)
    }

    /// Whether any host of the crawl had to be looked up by a resolver.
    fn asked_names(&mut self) -> Result<bool, StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let mut names = false;
        let sql = "SELECT h.origin FROM host h WHERE h.id IN (SELECT DISTINCT host FROM visit WHERE key BETWEEN ?1 AND ?2 AND state IN (1, 2))";
        self.writer.rows(sql, &[first.into(), last.into()], &mut |row| {
            names = names
                || Url::parse(row.text(0)).is_ok_and(|url| {
                    matches!(url.host(), Some(Host::Domain(name)) if name.contains('.') && !name.ends_with(".localhost"))
                });
            Ok(())
        })?;
        Ok(names)
    }

    pub(crate) fn apply_probe(&mut self, row: &ProbeRow) -> Result<(), StoreError> {
        self.extras.arrived();
        self.writer.put_probe(self.crawl.id, row)?;
        if row.kind == ProbeKind::RandomHost.word() && row.state == "answered" {
            let shown = row.detail.as_deref().unwrap_or_default();
            let detail = format!(
                "this name does not exist, yet the resolver answers {shown}: links to sites that are gone may be shown as something else"
            );
            self.warn(LYING_RESOLVER, &row.subject, &detail)?;
        }
        if row.kind == ProbeKind::Twin.word()
            && let Some(target) = &row.redirect
        {
            self.adopt_from(&row.subject, target)?;
        }
        Ok(())
    }
}

/// The other forms of a start address: the other scheme, and `www.` or not. A port of one's own belongs to its scheme.
fn twins(start: &str) -> Vec<String> {
    let Ok(url) = Url::parse(start) else { return Vec::new() };
    let other_scheme = if url.scheme() == "https" { "http" } else { "https" };
    let schemes: &[&str] = if url.port().is_some() { &[url.scheme()] } else { &[url.scheme(), other_scheme] };
    let names: Vec<String> = match url.host() {
        Some(Host::Domain(name)) => [Some(name.to_owned()), other_name(name)].into_iter().flatten().collect(),
        // An address by numbers has no other name, and https on it is rarely meant.
        _ => return Vec::new(),
    };
    let rest = &url.as_str()[origin_of(url.as_str()).len()..];
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let mut twins = Vec::with_capacity(3);
    for scheme in schemes {
        for name in &names {
            let twin = format!("{scheme}://{name}{port}{rest}");
            if twin != url.as_str() && name.contains('.') {
                twins.push(twin);
            }
        }
    }
    twins
}

/// A host's name with `www.` or without. Only what may be registered has such a twin: `docs.example.com` has none.
fn other_name(name: &str) -> Option<String> {
    if let Some(bare) = name.strip_prefix("www.") {
        return bare.contains('.').then(|| bare.to_owned());
    }
    let labels: Vec<&str> = name.split('.').collect();
    let registered = match *labels.as_slice() {
        [_, last] => !last.is_empty() && last != "localhost",
        // Under `co.uk`, `com.br`, `ac.at` and the like names have one part more.
        [_, second, last] => {
            last.len() == 2 && (second.len() == 2 || matches!(second, "com" | "net" | "org" | "gov" | "edu"))
        }
        _ => false,
    };
    registered.then(|| format!("www.{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_are_the_other_forms_of_one_address() {
        let check = |start: &str, expect: &[&str]| assert_eq!(twins(start), expect, "{start}");
        check(
            "https://www.example.com/a?b",
            &["https://example.com/a?b", "http://www.example.com/a?b", "http://example.com/a?b"],
        );
        check(
            "http://example.co.uk/",
            &["http://www.example.co.uk/", "https://example.co.uk/", "https://www.example.co.uk/"],
        );
        check("https://docs.example.com/", &["http://docs.example.com/"]);
        check("http://example.com:8080/", &["http://www.example.com:8080/"]);
        check("http://localhost/", &[]);
        check("http://shop.localhost/", &["https://shop.localhost/"]);
        check("http://127.0.0.1/", &[]);
        check("http://[::1]:81/", &[]);
    }
}
