//! Warnings about what a person can mend while the crawl still runs: credentials that are refused, and a pace that makes
//! the crawl take for ever.

use crate::course::Course;
use crate::record::Record;
use model::address::origin_of;
use model::{Job, words};
use std::time::Duration;
use store::StoreError;

/// Code of the warning that a server does not take what it was given.
const REFUSED: &str = "credentials-refused";

/// A Crawl-delay above this is told at once.
const LONG_DELAY: Duration = Duration::from_secs(30);

/// What the time that a delay costs is told of.
const PAGES: u32 = 100;

impl Course<'_, '_> {
    /// Says once per origin that its server refuses the credentials that it was given. Asked for what a crawl starts with:
    /// further in, single pages may be for others. Of a resumed crawl the start may be long done.
    pub(crate) fn warn_of_refusal(&mut self, record: &Record, is_start: bool) -> Result<(), StoreError> {
        let status = match record.answer.status {
            Some(status @ 401) if is_start || self.crawl.resumed => status,
            Some(status @ 403) if is_start => status,
            _ => return Ok(()),
        };
        let origin = origin_of(&record.text);
        if !self.crawl.plan.secrets.iter().any(|secret| secret.origin == origin)
            || self.refused.contains(origin)
        {
            return Ok(());
        }
        let detail = format!(
            "status {status}: the server refused the credentials given for {origin}; are they right?"
        );
        self.refused.insert(origin.to_owned());
        self.warn(REFUSED, &record.text, &detail)
    }

    /// Says what a long Crawl-delay of the site means for this crawl. `said` in seconds, of the group that is followed.
    pub(crate) fn warn_of_delay(&mut self, origin: &str, said: Option<f64>) -> Result<(), StoreError> {
        let plan = self.crawl.plan;
        let kept = said
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .and_then(|said| plan.policy.crawl_delay.kept(said))
            .filter(|kept| *kept > LONG_DELAY && plan.robots.obey && plan.policy.job == Job::Audit);
        let Some(kept) = kept else { return Ok(()) };
        let pages =
            plan.limits.max_urls.map_or(PAGES, |most| u32::try_from(most).unwrap_or(PAGES).min(PAGES));
        let detail = format!(
            "the site asks for {} between two requests (Crawl-delay), also before the first page: {} of it take at least {}. \
             On a site of your own, --ignore-robots (robots.obey=false) audits it at full pace; elsewhere a smaller scope \
             helps, such as limits.max_urls",
            length(kept),
            words::counted(u64::from(pages), "URL"),
            length(kept.saturating_mul(pages)),
        );
        self.warn("crawl-delay-long", &format!("{origin}/robots.txt"), &detail)
    }
}

/// `45 s`, `12 minutes`, `2.5 hours`, `3 days`.
fn length(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        ..120.0 => (seconds, "s"),
        ..7_200.0 => (seconds / 60.0, "minutes"),
        ..172_800.0 => (seconds / 3_600.0, "hours"),
        _ => (seconds / 86_400.0, "days"),
    };
    format!("{} {unit}", format!("{number:.1}").trim_end_matches(".0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_units_that_people_count_in() {
        let check = |seconds: f64, expect: &str| assert_eq!(length(Duration::from_secs_f64(seconds)), expect);
        check(31.5, "31.5 s");
        check(60.0, "60 s");
        check(3_150.0, "52.5 minutes");
        check(9_000.0, "2.5 hours");
        check(864_000.0, "10 days");
    }
}
