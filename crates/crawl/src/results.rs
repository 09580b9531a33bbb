//! What comes back: records stored, links admitted, redirects understood.

use crate::course::Course;
use crate::frontier::Reach;
use crate::messages::ToWriter;
use crate::record::Record;
use crate::record::href_of;
use model::address::origin_of;
use model::policy::UnreadableRobots;
use model::{FailureKind, FoundBy, LinkKind, LinkTarget, Purpose, UrlState};
use store::{NewLink, StoreError};

/// A link of an http(s) URL, as far as admitting its target takes it.
struct Named<'t> {
    kind: LinkKind,
    nofollow: bool,
    /// See `Reach::grown`.
    grown: bool,
    key: u64,
    text: &'t str,
}

/// Requests in a row without an answer after which a site that answered before is taken to be down.
const SILENCE: u32 = 25;

/// Code of the warning of that.
const SITE_DOWN: &str = "site-down";

/// What is told of a robots.txt whose lines nobody reads.
const UTF_16: &str = "the file is UTF-16 instead of UTF-8: crawlers find no valid line in it, so none of its rules is followed, \
                      neither by this crawl nor by search engines";

/// What is wrong with a robots.txt, and what follows from it.
fn unreadable(why: &str, shut: bool) -> String {
    let follows = if shut { "nothing of the site is asked" } else { "the site is crawled all the same" };
    format!("{}; {follows}", why.trim_end_matches(['.', ' ']))
}

/// Whether nobody answered: the failures of a host that is down, not those of what it says.
const fn is_silence(kind: FailureKind) -> bool {
    use FailureKind as F;
    matches!(kind, F::Dns | F::Connect | F::Reset | F::Timeout | F::Protocol)
}

impl Course<'_, '_> {
    pub(crate) fn apply(&mut self, message: ToWriter) -> Result<(), StoreError> {
        self.writer.begin()?;
        if self.batch_began.is_none() {
            self.batch_began = Some(self.crawl.seams.clock.now());
        }
        self.uncommitted += 1;
        match message {
            ToWriter::Record(record) => self.apply_record(*record),
            ToWriter::Blocked { url, host, reason } => {
                self.frontier.settle(self.writer, url, host, UrlState::Blocked, Some(&reason), false)
            }
            ToWriter::Robots { host, origin, internal, quiet, utf16, row, sitemaps } => {
                self.writer.put_robots(self.crawl.id, host, &row)?;
                if internal && !quiet && matches!(row.state, "unreachable" | "throttled") {
                    let why = row
                        .error
                        .clone()
                        .or_else(|| row.status.map(|status| format!("status {status}")))
                        .unwrap_or_default();
                    self.warn(
                        "robots-unreachable",
                        &format!("{origin}/robots.txt"),
                        &unreadable(
                            &why,
                            self.crawl.plan.policy.robots_down != UnreadableRobots::CrawlWithWarning,
                        ),
                    )?;
                }
                if internal && !quiet {
                    self.warn_of_delay(&origin, row.crawl_delay)?;
                }
                if utf16 && internal && !quiet {
                    self.warn("robots-utf-16", &format!("{origin}/robots.txt"), UTF_16)?;
                }
                if internal && row.state != "unreachable" && row.state != "throttled" {
                    self.robots_sitemaps(&origin, sitemaps)?;
                }
                Ok(())
            }
            ToWriter::SitemapEntries(row) => self.apply_sitemap_entries(row),
            ToWriter::Sitemap(record) => self.apply_sitemap(*record),
            ToWriter::Probe(row) => self.apply_probe(&row),
            ToWriter::Confirmed(record) => self.apply_confirmed(*record),
            ToWriter::Followed(followed) => self.apply_followed(*followed),
            ToWriter::Compared(compared) => self.apply_compared(&compared),
        }
    }

    fn apply_record(&mut self, record: Record) -> Result<(), StoreError> {
        let source = self.frontier.cell(record.url);
        if record.redirect && source.is_internal() && source.depth == 0 {
            self.adopt_twin(&record)?;
        }
        self.store_record(&record)?;
        let hearing = self.hearing.entry(record.host).or_default();
        match record.failure {
            Some(kind) if is_silence(kind) => hearing.unanswered += 1,
            Some(_) => {}
            None => (hearing.answered, hearing.unanswered) = (true, 0),
        }
        // A host that never answered was never up; of a resumed crawl it did so in an earlier run.
        let went_down =
            hearing.unanswered == SILENCE && (hearing.answered || self.crawl.resumed) && source.is_internal();
        let (state, reason) = record.standing();
        self.frontier.settle(self.writer, record.url, record.host, state, reason, record.html_unread)?;
        self.progress.finished += 1;
        if went_down {
            self.warn_of_silence(record.host)?;
        }
        if source.is_internal() {
            self.warn_of_refusal(&record, source.depth == 0)?;
        }
        match record.failure {
            Some(kind) => self.try_fallback(record.url, kind)?,
            None if source.is_internal() && source.depth == 0 => self.probe_twins(&record.text)?,
            None => {}
        }
        Ok(())
    }

    /// Stores what was answered for a URL, and admits what it links to.
    pub(crate) fn store_record(&mut self, record: &Record) -> Result<(), StoreError> {
        let crawl = self.crawl.id;
        let (list, redirect) = self.put_links(record)?;
        self.writer.put_answer(crawl, record.url, &record.answer, redirect, list)?;
        if !record.attempts.is_empty() {
            self.writer.put_attempts(crawl, record.url, &record.attempts)?;
        }
        if !record.problems.is_empty() {
            self.writer.put_problems(crawl, record.url, &record.problems)?;
        }
        if let Some((document, indexability)) = &record.page {
            self.writer.put_page(crawl, record.url, document, *indexability)?;
            for (field, values) in &record.custom {
                self.writer.put_values(crawl, record.url, *field, values)?;
            }
            self.fresh.push(store::key(crawl, record.url));
            self.progress.pages += 1;
        }
        Ok(())
    }

    /// Says once in a crawl that the site went down.
    fn warn_of_silence(&mut self, host: u32) -> Result<(), StoreError> {
        let sql = "SELECT 1 FROM warning WHERE crawl = ?1 AND code = ?2 LIMIT 1";
        let mut told = false;
        self.writer.rows(sql, &[self.crawl.id.into(), SITE_DOWN.into()], &mut |_| {
            told = true;
            Ok(())
        })?;
        if told {
            return Ok(());
        }
        let origin = self.writer.origin(host).to_owned();
        let detail = format!(
            "stopped answering: {SILENCE} requests in a row failed; links to it that are reported as broken may be fine. \
             Stop the audit and resume it when the site is back, or audit it again."
        );
        self.warn(SITE_DOWN, &origin, &detail)
    }

    /// Stores the links of a record and admits their targets. Gives the list and the target of a redirect.
    fn put_links(&mut self, record: &Record) -> Result<(Option<i64>, Option<u32>), StoreError> {
        let list = &record.links;
        if list.links.is_empty() {
            return Ok((None, None));
        }
        let mut targets: Vec<Option<u32>> = Vec::with_capacity(list.links.len());
        let redirect_wish = self.frontier.cell(record.url).redirect_wish();
        if let Some(alike) = record.alike {
            self.frontier.traps.note_alike(alike);
        }
        let copied =
            !record.growing.is_empty() && self.frontier.traps.is_too_often(record.url, record.likeness);
        for (at, link) in list.links.iter().enumerate() {
            let key = list.keys[at];
            let target = match &link.target {
                LinkTarget::Invalid => None,
                LinkTarget::OtherScheme(text) => Some(match self.writer.find_url(key) {
                    Some(url) => url,
                    None => self.writer.add_url(key, text, None)?,
                }),
                LinkTarget::Http(text) => {
                    let nofollow = record.page_nofollow || list.shapes[list.shape_of[at] as usize].nofollow;
                    let grown = copied && record.growing.binary_search(&(at as u32)).is_ok();
                    let named = Named { kind: link.kind, nofollow, grown, key, text };
                    Some(self.meet(record.url, redirect_wish, named)?)
                }
            };
            targets.push(target);
        }
        let redirect = if record.redirect { targets.first().copied().flatten() } else { None };
        if let Some(known) = self.writer.find_list(list.hash)? {
            return Ok((Some(known), redirect));
        }
        let mut shapes = Vec::with_capacity(list.shapes.len());
        for shape in &list.shapes {
            shapes.push(self.writer.shape(shape)?);
        }
        let links: Vec<NewLink> = list
            .links
            .iter()
            .enumerate()
            .map(|(at, link)| NewLink {
                target: targets[at],
                shape: shapes[list.shape_of[at] as usize],
                href: href_of(link, &record.text),
                anchor: link.text.as_deref(),
                line: link.line,
                size: link.size,
            })
            .collect();
        Ok((Some(self.writer.put_list(list.hash, &links)?), redirect))
    }

    /// A link names an http(s) URL: interns it and passes its reach on.
    fn meet(&mut self, source: u32, redirect_wish: Purpose, named: Named) -> Result<u32, StoreError> {
        let Named { kind, nofollow, grown, key, text } = named;
        if let Some(url) = self.writer.find_url(key) {
            let cell = self.frontier.cell(url);
            if cell.is_known() {
                if grown && self.frontier.is_over_limit(url) {
                    return Ok(url);
                }
                let wish = self.frontier.wish(kind, cell.is_internal(), nofollow, redirect_wish);
                let reach = self.frontier.reach(source, kind, wish);
                self.frontier.admit_again(self.writer, url, Some(text), reach)?;
                return Ok(url);
            }
        }
        let origin = origin_of(text);
        let url = match self.writer.find_url(key) {
            Some(url) => url,
            None => self.writer.add_url(key, text, Some(origin))?,
        };
        let host = self.writer.host(origin)?;
        let internal = self.frontier.is_internal(host, origin);
        let wish = self.frontier.wish(kind, internal, nofollow, redirect_wish);
        let reach = Reach { grown, ..self.frontier.reach(source, kind, wish) };
        self.frontier.admit(self.writer, url, host, text, internal, reach)?;
        Ok(url)
    }

    /// A redirect leads to an http(s) URL that no answer named so far.
    pub(crate) fn meet_redirect(
        &mut self,
        source: u32,
        wish: Purpose,
        text: &str,
    ) -> Result<u32, StoreError> {
        let key = self.writer.seed().url(text);
        self.meet(source, wish, Named { kind: LinkKind::Redirect, nofollow: false, grown: false, key, text })
    }

    /// A start URL that redirects to its `www.` or apex twin makes the twin part of the site.
    fn adopt_twin(&mut self, record: &Record) -> Result<(), StoreError> {
        let Some(LinkTarget::Http(target)) = record.links.links.first().map(|link| &link.target) else {
            return Ok(());
        };
        let from = self.writer.origin(record.host).to_owned();
        self.adopt(&from, origin_of(target))
    }

    fn try_fallback(&mut self, url: u32, kind: FailureKind) -> Result<(), StoreError> {
        use FailureKind as F;
        let no_https = matches!(
            kind,
            F::Connect
                | F::Reset
                | F::Timeout
                | F::Protocol
                | F::Tls
                | F::TlsExpired
                | F::TlsNotYetValid
                | F::TlsWrongHost
                | F::TlsUntrusted
                | F::TlsOldVersion
                | F::TlsIncompleteChain
        );
        if !no_https || self.crawl.fallbacks.is_empty() {
            return Ok(());
        }
        let text = self.writer.url_text(url)?;
        if let Some((_, http)) = self.crawl.fallbacks.iter().find(|(https, _)| https.as_str() == text) {
            self.writer.run(
                "UPDATE crawl SET start_url = ?2 WHERE id = ?1 AND start_url = ?3",
                &[self.crawl.id.into(), http.as_str().into(), text.as_str().into()],
            )?;
            self.admit_listed(http.as_str(), FoundBy::Seed, 0)?;
            self.warn(
                "https-unavailable",
                &text,
                &format!("https cannot be reached ({kind}); {http} is crawled instead"),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_become_one_sentence() {
        let check = |why: &str, shut: bool, expect: &str| assert_eq!(unreadable(why, shut), expect);
        check("status 503", false, "status 503; the site is crawled all the same");
        check(
            "dns: the name is not known.",
            true,
            "dns: the name is not known; nothing of the site is asked",
        );
    }

    #[test]
    fn only_the_lack_of_an_answer_is_silence() {
        let silent: Vec<&str> =
            FailureKind::ALL.iter().filter(|kind| is_silence(**kind)).map(|kind| kind.word()).collect();
        assert_eq!(silent, ["dns", "connect", "timeout", "reset", "protocol"]);
    }
}
