//! Rules about the hosts of a site and about the forms of its address: asked once a host, once a form.

use crate::audit::Rule;
use crate::compile;
use crate::findings::{Chosen, Findings};
use crate::limits::Limits;
use crate::links;
use crate::view;
use model::address::origin_of;
use std::borrow::Cow;
use std::collections::BTreeMap;
use store::{StoreError, Value, Writer, key_range};

/// What was asked to find out how the site answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Probe {
    /// `random-path`, `twin`, or `start` for the address that the crawl began with.
    pub kind: String,
    pub url: String,
    /// `None`: no answer.
    pub status: Option<i64>,
    /// Where the answer redirects to.
    pub redirect: Option<String>,
    /// Why there was no answer.
    pub failure: Option<String>,
}

/// The site as the probes found it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteForms {
    /// The origin at which the start address ends.
    pub landing: String,
    /// All forms of the start address that were asked, itself included.
    pub forms: Vec<Probe>,
}

/// Asks the rules about hosts, each at its home page or, where that is none, at its page whose URL comes first; gives the number
/// of hosts.
pub(crate) fn judge_hosts(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    found: &mut Findings,
) -> Result<i64, StoreError> {
    let rules: Vec<(usize, String)> = found
        .chosen()
        .audits()
        .filter_map(|(index, audit)| match audit.rule {
            Rule::Host(sql) => Some((index, compile::condition(sql, limits))),
            _ => None,
        })
        .collect();
    let keys: Vec<String> = homes(writer, crawl)?.into_iter().map(|key| key.to_string()).collect();
    debug_assert!(rules.len() <= compile::BITS, "the rules about hosts no longer fit one word");
    let conditions: Vec<String> = rules.iter().map(|(_, sql)| sql.clone()).collect();
    let sql = format!(
        "SELECT url_id, {} FROM {} WHERE key IN (SELECT value FROM json_each(?1))",
        compile::mask(None, &conditions),
        view::crawl_rows()
    );
    let mut hits = Vec::new();
    for chunk in keys.chunks(4_096) {
        writer.rows(&sql, &[Value::Text(format!("[{}]", chunk.join(",")))], &mut |row| {
            hits.extend(compile::bits(row.int(1) as u64).map(|bit| (rules[bit].0, row.int(0))));
            Ok(())
        })?;
    }
    hits.extend(texts_of_hosts(writer, crawl, limits, found.chosen())?);
    for (audit, url) in hits {
        found.add(writer, audit, url, 0)?;
    }
    Ok(keys.len() as i64)
}

/// Different texts that are told apart for one audit.
const MAX_TEXTS: usize = 1_000;

/// What the rules about a host's texts find: audit and URL, by audit.
fn texts_of_hosts(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    chosen: &Chosen,
) -> Result<Vec<(usize, i64)>, StoreError> {
    let mut hits = Vec::new();
    for (index, audit) in chosen.audits() {
        let Rule::HostText(sql) = audit.rule else { continue };
        let sql = format!(
            "SELECT host_id, said, url, url_id FROM (SELECT host_id, {} AS said, url, url_id FROM {} WHERE key BETWEEN ?1 AND ?2 AND internal AND fetched) WHERE said IS NOT NULL",
            compile::condition(sql, limits),
            view::own_rows()
        );
        let mut first: BTreeMap<(i64, String), (String, i64)> = BTreeMap::new();
        for (from, to) in links::ranges(writer, crawl) {
            writer.rows(&sql, &[from.into(), to.into()], &mut |row| {
                let (key, place) = ((row.int(0), row.text(1).to_owned()), (row.text(2), row.int(3)));
                let known = first.get(&key).map(|(url, id)| (url.as_str(), *id));
                if known.map_or(first.len() < MAX_TEXTS, |known| place < known) {
                    first.insert(key, (place.0.to_owned(), place.1));
                }
                Ok(())
            })?;
        }
        // Two texts may come first at the same URL, which is one finding.
        let urls: std::collections::BTreeSet<i64> = first.into_values().map(|(_, url)| url).collect();
        hits.extend(urls.into_iter().map(|url| (index, url)));
    }
    Ok(hits)
}

/// The visit of each internal host that stands for it. The home page's URL begins all others and so comes first.
fn homes(writer: &mut Writer, crawl: i64) -> Result<Vec<i64>, StoreError> {
    // Whether it is no page, its text, its key; by host.
    let mut first: BTreeMap<i64, (bool, String, i64)> = BTreeMap::new();
    for (from, to) in links::ranges(writer, crawl) {
        let sql = "SELECT v.host, p.key IS NULL, u.text, v.key FROM visit v JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN page p ON p.key = v.key
                   WHERE v.key BETWEEN ?1 AND ?2 AND v.internal AND v.state = 1";
        writer.rows(sql, &[from.into(), to.into()], &mut |row| {
            let (host, place) = (row.int(0), (row.int(1) != 0, row.text(2)));
            let known = first.get(&host).map(|(no_page, text, _)| (*no_page, text.as_str()));
            if known.is_none_or(|known| place < known) {
                first.insert(host, (place.0, place.1.to_owned(), row.int(3)));
            }
            Ok(())
        })?;
    }
    Ok(first.into_values().map(|(_, _, key)| key).collect())
}

/// Asks the rules about probes of every probe; gives their number.
pub(crate) fn judge_probes(writer: &mut Writer, crawl: i64, found: &mut Findings) -> Result<i64, StoreError> {
    let mut probes: Vec<Probe> = Vec::new();
    writer.rows(
        "SELECT kind, subject, status, redirect, failure FROM probe WHERE crawl = ?1 AND kind IN ('random-path', 'twin') AND state IN ('answered', 'failed', 'known')",
        &[crawl.into()],
        &mut |row| {
            let failure = row.opt_int(4).and_then(|code| u8::try_from(code).ok()).and_then(model::FailureKind::from_code);
            probes.push(Probe {
                kind: row.text(0).to_owned(),
                url: row.text(1).to_owned(),
                status: row.opt_int(2).filter(|status| *status > 0),
                redirect: row.opt_text(3).map(ToOwned::to_owned),
                failure: failure.map(|failure| failure.word().to_owned()),
            });
            Ok(())
        },
    )?;
    if probes.is_empty() {
        return Ok(0);
    }
    let mut site = SiteForms::default();
    if let Some((start, landing)) = start(writer, crawl)? {
        site.landing = origin_of(&landing).to_owned();
        site.forms.push(start);
    }
    site.forms.extend(probes.iter().filter(|probe| probe.kind == "twin").cloned());
    // The start address is asked by the crawl and judged as the other forms of it are.
    probes.extend(site.forms.first().filter(|form| form.kind == "start").cloned());
    let chosen = found.chosen().clone();
    for probe in &probes {
        for (index, audit) in chosen.audits() {
            if let Rule::Probe(holds) = audit.rule
                && holds(probe, &site)
            {
                let url = writer.intern(&probe.stands_at())?;
                found.add(writer, index, i64::from(url), 0)?;
            }
        }
    }
    Ok(probes.len() as i64)
}

/// The start address that answered first in the order of the seeds, and where it leads.
fn start(writer: &mut Writer, crawl: i64) -> Result<Option<(Probe, String)>, StoreError> {
    let (first, last) = key_range(crawl);
    let mut start = None;
    let sql = "SELECT u.text, CASE WHEN a.flags & 1024 = 0 THEN a.status END, r.text, coalesce(f.text, u.text) FROM visit v JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN answer a ON a.key = v.key
               LEFT JOIN url r ON r.id = a.redirect LEFT JOIN chain c ON c.key = v.key LEFT JOIN url f ON f.id = c.final
               WHERE v.key BETWEEN ?1 AND ?2 AND v.found = 1 AND v.state = 1 AND v.internal ORDER BY v.key LIMIT 1";
    writer.rows(sql, &[first.into(), last.into()], &mut |row| {
        let form = Probe {
            kind: "start".to_owned(),
            url: row.text(0).to_owned(),
            status: row.opt_int(1),
            redirect: row.opt_text(2).map(ToOwned::to_owned),
            failure: None,
        };
        start = Some((form, row.text(3).to_owned()));
        Ok(())
    })?;
    Ok(start)
}

impl Probe {
    /// The URL that a finding about it stands at. An address that was made up is another one in each crawl, so what is found
    /// with it stands at the home of its origin: there it is the same finding the next time.
    fn stands_at(&self) -> Cow<'_, str> {
        match &*self.kind {
            "random-path" => Cow::Owned(format!("{}/", origin_of(&self.url))),
            _ => Cow::Borrowed(&self.url),
        }
    }

    pub(crate) fn succeeded(&self) -> bool {
        matches!(self.status, Some(200..=299))
    }
}

impl SiteForms {
    /// Whether a form of the address is a second way in: it neither lies where the site is nor leads there by one permanent
    /// redirect. A name or a port that nobody answers at is none; a certificate that does not fit is met by whoever tries.
    pub(crate) fn stands_apart(&self, form: &Probe) -> bool {
        if form.kind == "random-path" || self.forms.len() < 2 || origin_of(&form.url) == self.landing {
            return false;
        }
        match (form.status, &form.redirect) {
            (Some(301 | 308), Some(to)) => origin_of(to) != self.landing,
            // It says nothing about the page.
            (Some(401 | 403 | 405 | 406 | 407 | 429 | 451 | 999 | 503), _) => false,
            (Some(_), _) => true,
            (None, _) => form.failure.as_deref().is_some_and(|failure| failure.starts_with("tls")),
        }
    }

    /// Whether a form of the address is served over http although the same host serves https.
    pub(crate) fn is_left_on_http(&self, form: &Probe) -> bool {
        let Some(rest) = form.url.strip_prefix("http://").filter(|_| form.kind != "random-path") else {
            return false;
        };
        let secure = format!("https://{rest}");
        let works = |other: &Probe| other.url == secure && matches!(other.status, Some(200..=399));
        form.succeeded()
            && form.redirect.is_none()
            && (self.forms.iter().any(works) || self.landing == origin_of(&secure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(kind: &str, url: &str, status: i64, redirect: &str) -> Probe {
        Probe {
            kind: kind.into(),
            url: url.into(),
            status: Some(status).filter(|status| *status > 0),
            redirect: Some(redirect.to_owned()).filter(|to| !to.is_empty()),
            failure: None,
        }
    }

    #[test]
    fn forms_of_an_address_lead_to_one() {
        let start = form("start", "https://a.example/", 301, "https://www.a.example/");
        let check = |url: &str, status: i64, redirect: &str, expect: bool| {
            let twin = form("twin", url, status, redirect);
            let site = SiteForms {
                landing: "https://www.a.example".into(),
                forms: vec![start.clone(), twin.clone()],
            };
            assert_eq!(site.stands_apart(&twin), expect, "{url} {status} {redirect}");
            assert!(!site.stands_apart(&start));
        };
        check("http://a.example/", 301, "https://www.a.example/", false);
        check("http://a.example/", 308, "https://www.a.example/home", false);
        check("http://a.example/", 301, "https://a.example/", true);
        check("http://a.example/", 302, "https://www.a.example/", true);
        check("http://a.example/", 200, "", true);
        check("http://a.example/", 404, "", true);
        check("http://a.example/", 403, "", false);
        check("http://a.example/", 0, "", false);
        check("https://www.a.example/", 200, "", false);
    }

    /// What looks like the answer to a URL that does not exist is an error page, if that answer is an error.
    #[test]
    fn the_error_page_is_known_again() {
        use crate::cases::Fact;
        use crate::scene;
        use model::state::Indexability;
        use store::{Document, ProbeRow};
        let check = |status: u16, expect: usize| {
            let mut writer = scene::writer();
            for (url, text_hash) in [("https://site.example/", 1), ("https://site.example/old", 9)] {
                let fact = Fact::page(url, &[]);
                let document = Document { text_hash, word_count: 20, ..scene::document(&mut writer, &fact) };
                scene::put(&mut writer, &fact, Some(&document), Indexability::Indexable, &[]);
            }
            let probe = ProbeRow {
                kind: "random-path",
                subject: "https://site.example/gossamer-probe-1".to_owned(),
                state: "answered",
                status: Some(status),
                document: Some(Document { hash: 77, text_hash: 9, word_count: 20, ..Document::default() }),
                ..ProbeRow::default()
            };
            writer.put_probe(scene::CRAWL, &probe).unwrap();
            scene::evaluate(&mut writer, &scene::limits(&[]));
            let found = scene::found(&mut writer, "soft-404");
            let expect: Vec<_> =
                [("https://site.example/old".to_owned(), 1)].into_iter().take(expect).collect();
            assert_eq!(found, expect, "{status}");
        };
        check(404, 1);
        check(200, 0);
    }

    #[test]
    fn http_is_left_where_https_works() {
        let check = |http: (i64, &str), https: (i64, &str), expect: bool| {
            let twin = form("twin", "http://a.example/", http.0, http.1);
            let secure = form("start", "https://a.example/", https.0, https.1);
            let site = SiteForms { landing: "https://b.example".into(), forms: vec![secure, twin.clone()] };
            assert_eq!(site.is_left_on_http(&twin), expect, "{http:?} {https:?}");
        };
        check((200, ""), (200, ""), true);
        check((200, ""), (301, "https://b.example/"), true);
        check((301, "https://a.example/"), (200, ""), false);
        check((200, ""), (0, ""), false);
        check((200, ""), (500, ""), false);
        check((404, ""), (200, ""), false);
    }
}
