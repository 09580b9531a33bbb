//! Confirmation: whatever failed is asked for once more at the end, so that a finding never rests on one answer. What stands is
//! the later answer.
//!
//! Which URLs are asked does not depend on the order of answers: those of the site before others, the nearest first, then by their
//! text. They are noted in the file before the first is asked, so that a crawl that is taken up again asks the same ones.

use crate::course::Course;
use crate::extras::{Along, Extra};
use crate::lanes::Job;
use crate::record::Record;
use model::plan::CookieRule;
use model::state::UNVERIFIABLE_STATUSES;
use model::{FailureKind, Purpose};
use std::collections::HashSet;
use store::{AttemptPurpose, StoreError, Value};

/// Confirmed at most in one crawl.
const CONFIRMED: i64 = 500;

/// Redirects of one chain that are looked at for a loop.
const CHAIN: usize = 50;

/// A chain of redirects that was followed with cookies.
pub(crate) struct Followed {
    /// The URL that it began at.
    pub job: Job,
    /// What was answered at its end, and where that was.
    pub record: Record,
    pub at: String,
    pub loops: bool,
}

impl Course<'_, '_> {
    /// Takes up what failed and has not been confirmed.
    pub(crate) fn take_up_confirmations(&mut self) -> Result<(), StoreError> {
        self.writer.begin()?;
        if !self.confirm_noted()? {
            self.note_failures()?;
            if !self.confirm_noted()? {
                self.note_loop()?;
                self.confirm_noted()?;
            }
        }
        Ok(())
    }

    /// Adds what is noted and not done; whether there was anything.
    fn confirm_noted(&mut self) -> Result<bool, StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let sql = "SELECT v.key & 4294967295, v.host, u.text, v.purpose, v.internal, v.state = 1 AND a.redirect IS NOT NULL
            FROM confirmation k JOIN visit v ON v.key = k.key JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN answer a ON a.key = v.key
            WHERE k.key BETWEEN ?1 AND ?2 AND k.done = 0 ORDER BY v.internal DESC, coalesce(v.depth, 65536), u.text";
        let mut found = Vec::new();
        self.writer.rows(sql, &[first.into(), last.into()], &mut |row| {
            let purpose =
                u8::try_from(row.int(3)).ok().and_then(Purpose::from_code).unwrap_or(Purpose::Check);
            let job = Job {
                url: row.int(0) as u32,
                host: row.int(1) as u32,
                text: row.text(2).to_owned(),
                purpose,
                internal: row.int(4) != 0,
                hop: false,
            };
            found.push((job, row.int(5) != 0));
            Ok(())
        })?;
        let any = !found.is_empty();
        for (job, redirects) in found {
            let extra = if redirects {
                let along = self.along(job.url)?;
                Extra::Follow(job, along)
            } else {
                Extra::Confirm(job)
            };
            self.extras.add(extra);
        }
        Ok(any)
    }

    /// The origins of the loop that a URL is in.
    fn along(&mut self, url: u32) -> Result<Vec<Along>, StoreError> {
        let mut along: Vec<Along> = Vec::new();
        for member in self.cycle(url)?.unwrap_or_default() {
            let host = self.writer.host_of(member)?;
            if along.iter().all(|known| known.host != host) {
                let internal = self.frontier.cell(member).is_internal();
                along.push(Along { origin: self.writer.origin(host).to_owned(), host, internal });
            }
        }
        Ok(along)
    }

    /// How many more may be noted.
    fn room(&mut self) -> Result<i64, StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let mut room = CONFIRMED;
        let sql = "SELECT count(*) FROM confirmation WHERE key BETWEEN ?1 AND ?2";
        self.writer.rows(sql, &[first.into(), last.into()], &mut |row| {
            room -= row.int(0);
            Ok(())
        })?;
        Ok(room.max(0))
    }

    /// Notes the URLs that failed: broken by their status, or without an answer. What could not be verified is no failure,
    /// and a server that asked for patience is not asked again.
    fn note_failures(&mut self) -> Result<(), StoreError> {
        let room = self.room()?;
        let unverifiable: Vec<String> = UNVERIFIABLE_STATUSES.iter().map(u16::to_string).collect();
        let sql = format!(
            "INSERT INTO confirmation(key, done) SELECT v.key, 0 FROM visit v JOIN url u ON u.id = v.key & 4294967295
             LEFT JOIN answer a ON a.key = v.key LEFT JOIN string r ON r.id = v.reason
             WHERE v.key BETWEEN ?1 AND ?2 AND NOT EXISTS (SELECT 1 FROM confirmation k WHERE k.key = v.key)
             AND (v.state = 2 AND coalesce(r.value, '') NOT IN ('{}', '{}')
               OR v.state = 1 AND a.status >= 400 AND a.status NOT IN ({}) AND NOT (a.status = 503 AND a.flags & {} > 0))
             ORDER BY v.internal DESC, coalesce(v.depth, 65536), u.text LIMIT ?3",
            FailureKind::InvalidUrl.word(),
            FailureKind::AddressNotAllowed.word(),
            unverifiable.join(", "),
            store::schema::answer_flags::RETRY_AFTER,
        );
        let (first, last) = store::key_range(self.crawl.id);
        self.writer.run(&sql, &[first.into(), last.into(), room.into()])?;
        Ok(())
    }

    /// Notes one loop of redirects in which a cookie is set, by its member that comes first; the next one after that is known.
    fn note_loop(&mut self) -> Result<(), StoreError> {
        if self.crawl.plan.http.cookies == CookieRule::Off || self.room()? == 0 {
            return Ok(());
        }
        let (first, last) = store::key_range(self.crawl.id);
        let mut setting = Vec::new();
        let sql = "SELECT key & 4294967295, redirect FROM answer WHERE key BETWEEN ?1 AND ?2 AND redirect IS NOT NULL AND headers LIKE '%set-cookie: %'";
        self.writer.rows(sql, &[first.into(), last.into()], &mut |row| {
            setting.push((row.int(0) as u32, row.int(1) as u32));
            Ok(())
        })?;
        let mut candidates = HashSet::new();
        for (url, target) in setting {
            // One that leads to itself was asked with its cookie at once.
            if target != url
                && let Some(members) = self.cycle(url)?
            {
                // A loop of which one member was followed is known.
                let mut known = false;
                for member in &members {
                    known = known || self.is_noted(*member)?;
                }
                if !known {
                    candidates.extend(members);
                }
            }
        }
        let mut best: Option<(bool, u16, String, u32)> = None;
        for url in candidates {
            let cell = self.frontier.cell(url);
            let place = (!cell.is_internal(), cell.depth, self.writer.url_text(url)?, url);
            if best.as_ref().is_none_or(|best| place < *best) {
                best = Some(place);
            }
        }
        if let Some((_, _, _, url)) = best {
            self.writer.run(
                "INSERT INTO confirmation(key, done) VALUES(?1, 0)",
                &[store::key(self.crawl.id, url).into()],
            )?;
        }
        Ok(())
    }

    fn is_noted(&mut self, url: u32) -> Result<bool, StoreError> {
        let mut noted = false;
        let sql = "SELECT 1 FROM confirmation WHERE key = ?1";
        self.writer.rows(sql, &[store::key(self.crawl.id, url).into()], &mut |_| {
            noted = true;
            Ok(())
        })?;
        Ok(noted)
    }

    /// The members of the loop that a URL is in.
    fn cycle(&mut self, start: u32) -> Result<Option<Vec<u32>>, StoreError> {
        let mut members = vec![start];
        for _ in 0..CHAIN {
            let mut next = None;
            let at = members.last().copied().unwrap_or(start);
            let sql = "SELECT redirect FROM answer WHERE key = ?1 AND redirect IS NOT NULL";
            self.writer.rows(sql, &[store::key(self.crawl.id, at).into()], &mut |row| {
                next = Some(row.int(0) as u32);
                Ok(())
            })?;
            match next {
                None => return Ok(None),
                Some(url) if url == start => return Ok(Some(members)),
                Some(url) if members.contains(&url) => return Ok(None),
                Some(url) => members.push(url),
            }
        }
        Ok(None)
    }

    /// A URL that had failed was asked once more.
    pub(crate) fn apply_confirmed(&mut self, mut record: Record) -> Result<(), StoreError> {
        self.extras.arrived();
        self.extras.confirmed += 1;
        self.keep_first_attempt(record.url)?;
        self.keep_attempts(&mut record)?;
        self.mark_confirmed(record.url)?;
        // Nothing was sent to a host that was given up: what is known stands.
        if record.attempts.is_empty() && record.failure.is_some() {
            return Ok(());
        }
        record.attempts.clear();
        self.store_confirmed(&record)
    }

    /// A chain that looked like a loop was followed with cookies.
    pub(crate) fn apply_followed(&mut self, followed: Followed) -> Result<(), StoreError> {
        let Followed { job, mut record, at, loops } = followed;
        self.extras.arrived();
        self.extras.confirmed += 1;
        record.url = job.url;
        self.keep_first_attempt(job.url)?;
        self.keep_attempts(&mut record)?;
        self.mark_confirmed(job.url)?;
        if loops || record.failure.is_some() {
            return Ok(());
        }
        record.attempts.clear();
        if let Some(member) = self.writer.find_url(self.writer.seed().url(&at))
            && self.redirects(member)?
        {
            // The way round set the cookie that this URL wants: what it then answers is what it is.
            (record.url, record.host) = (member, self.writer.host_of(member)?);
            return self.store_confirmed(&record);
        }
        // The chain has an end for whoever keeps cookies. The URL redirects as before, and what it leads to is that end.
        let wish = self.frontier.cell(job.url).redirect_wish();
        let end = self.meet_redirect(job.url, wish, &at)?;
        self.writer.run(
            "UPDATE answer SET redirect = ?2 WHERE key = ?1",
            &[store::key(self.crawl.id, job.url).into(), i64::from(end).into()],
        )?;
        Ok(())
    }

    /// Whether the answer to a URL was a redirect.
    fn redirects(&mut self, url: u32) -> Result<bool, StoreError> {
        let mut redirects = false;
        let sql = "SELECT 1 FROM answer WHERE key = ?1 AND redirect IS NOT NULL";
        self.writer.rows(sql, &[store::key(self.crawl.id, url).into()], &mut |_| {
            redirects = true;
            Ok(())
        })?;
        Ok(redirects)
    }

    fn store_confirmed(&mut self, record: &Record) -> Result<(), StoreError> {
        self.store_record(record)?;
        let (state, reason) = record.standing();
        self.frontier.restate(self.writer, record.url, state, reason, record.html_unread)
    }

    fn mark_confirmed(&mut self, url: u32) -> Result<(), StoreError> {
        self.writer.run(
            "UPDATE confirmation SET done = 1 WHERE key = ?1",
            &[store::key(self.crawl.id, url).into()],
        )?;
        Ok(())
    }

    /// The requests of a URL are kept one by one once there are several: of one there was none to keep.
    fn keep_first_attempt(&mut self, url: u32) -> Result<(), StoreError> {
        let failure = self.failure_of(url)?;
        self.writer.run(
            "INSERT INTO attempt(key, n, method, started, total_ms, status, failure, purpose)
             SELECT a.key, 1 + (SELECT count(*) FROM attempt t WHERE t.key = a.key), a.method, a.started, coalesce(a.total_ms, 0), a.status, ?2, 0 FROM answer a
             WHERE a.key = ?1 AND a.started > 0 AND NOT EXISTS (SELECT 1 FROM attempt t WHERE t.key = a.key AND t.purpose <> 2)",
            &[store::key(self.crawl.id, url).into(), failure],
        )?;
        Ok(())
    }

    /// Code of the failure that a URL shows.
    fn failure_of(&mut self, url: u32) -> Result<Value, StoreError> {
        let mut failure = Value::Null;
        let sql =
            "SELECT r.value FROM visit v JOIN string r ON r.id = v.reason WHERE v.key = ?1 AND v.state = 2";
        self.writer.rows(sql, &[store::key(self.crawl.id, url).into()], &mut |row| {
            failure = FailureKind::from_word(row.text(0))
                .map_or(Value::Null, |kind| Value::Int(i64::from(kind.code())));
            Ok(())
        })?;
        Ok(failure)
    }

    fn keep_attempts(&mut self, record: &mut Record) -> Result<(), StoreError> {
        for attempt in &mut record.attempts {
            attempt.purpose = AttemptPurpose::Confirm;
        }
        self.writer.put_attempts(self.crawl.id, record.url, &record.attempts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Reach;
    use crate::lanes::Lanes;
    use crate::made_up::{SEED, plan, project};
    use crate::network::{Around, Network};
    use crate::robots_cache::RobotsCache;
    use crate::terms::{Crawl, Observer, Snapshot};
    use crossbeam_channel::bounded;
    use fetch::{Fetcher, Seams};
    use model::UrlState;
    use model::plan::ProxyRule;
    use std::sync::Arc;
    use store::Writer;
    use store::schema::answer_flags::SYNTHETIC;

    struct Nobody;

    impl Observer for Nobody {
        fn progress(&mut self, _: &Snapshot) {}
        fn warning(&mut self, _: &'static str, _: &str, _: &str) {}
        fn fresh_pages(&mut self, _: &mut Writer, _: i64, _: &[i64]) -> Result<(), StoreError> {
            Ok(())
        }
    }

    #[test]
    fn a_confirmed_answer_says_why_it_stands_as_the_first_did() {
        const ORIGIN: &str = "https://site.test";
        let mut plan = plan(ORIGIN, &[]);
        plan.http.proxy = ProxyRule::Direct;
        let mut writer = project();
        let (host, url) = (writer.host(ORIGIN).unwrap(), writer.intern("https://site.test/gone").unwrap());
        let seams = Seams::system();
        let fetcher = Fetcher::new(&plan, seams.clone()).unwrap();
        let around = Around {
            clock: Arc::clone(&seams.clock),
            resolver: Arc::clone(&seams.resolver),
            patience: plan.fetch.timeout,
            download: false,
            sitemap_cap: 0,
            earlier: None,
        };
        let cache = {
            let (plan, clock) = (plan.clone(), Arc::clone(&seams.clock));
            move || RobotsCache::new(1, &plan, None, clock)
        };
        let (to_parse, to_writer) = (bounded(1).0, bounded(1).0);
        let network =
            Network::start(fetcher.clone(), cache, plan.policy, around, 1, to_parse, to_writer).unwrap();
        let crawl = Crawl {
            id: 1,
            plan: &plan,
            path: None,
            seams,
            fallbacks: Vec::new(),
            only: Vec::new(),
            resumed: false,
        };
        let mut observer = Nobody;
        let mut course = Course::new(&crawl, &mut writer, &mut observer, network, fetcher, Lanes::new(1, 1));
        let reach = Reach { purpose: Purpose::Check, ..SEED };
        course.frontier.admit(course.writer, url, host, "https://site.test/gone", true, reach).unwrap();
        let mut check = |change: fn(&mut Record), state: UrlState, reason: &str| {
            let mut record = Record::new(url, host, "https://site.test/gone");
            record.answer.status = Some(404);
            change(&mut record);
            course.store_confirmed(&record).unwrap();
            let mut found = None;
            let sql = "SELECT v.state, coalesce(r.value, '') FROM visit v LEFT JOIN string r ON r.id = v.reason WHERE v.key = ?1";
            course
                .writer
                .rows(sql, &[store::key(1, url).into()], &mut |row| {
                    found = Some((row.int(0), row.text(1).to_owned()));
                    Ok(())
                })
                .unwrap();
            assert_eq!(found, Some((i64::from(state.code()), reason.to_owned())));
        };
        let expired = |record: &mut Record| record.certificate_fault = Some(FailureKind::TlsExpired);
        check(expired, UrlState::Fetched, FailureKind::TlsExpired.word());
        check(|_| {}, UrlState::Fetched, "");
        check(|record| record.answer.flags |= SYNTHETIC, UrlState::Fetched, "hsts");
        let failed = |record: &mut Record| record.failure = Some(FailureKind::Timeout);
        check(failed, UrlState::Failed, FailureKind::Timeout.word());
    }
}
