//! Findings about elements of the markup: the same element with the same fault is one thing to fix.

use super::{Asked, Tallies, place_label, shown_as};
use crate::insight::dto::IssueGroup;
use crate::insight::filters::{all, in_evidence, is, not_in_evidence};
use crate::said::IgnoreWhat;
use model::hash::fingerprint;
use store::StoreError;

/// The columns of the element and of what is wrong with it.
const ELEMENT: &str = "flaw_element";
const DETAIL: &str = "flaw_detail";

/// Whether the findings of an audit tell their elements.
pub(super) fn tells_elements(audit: &audit::Audit) -> bool {
    matches!(audit.rule, audit::Rule::Flaw(_)) && audit.evidence.iter().any(|(_, sql)| *sql == ELEMENT)
}

impl Asked<'_> {
    pub(super) fn by_flaws(&self) -> Result<Vec<IssueGroup>, StoreError> {
        let (mut places, mut details) = (Tallies::default(), Tallies::default());
        let sql = format!(
            "SELECT f.url, f.ref, e.value, w.detail FROM finding f CROSS JOIN page p ON p.key = (f.crawl << 32) | f.url
             CROSS JOIN flaw w ON w.document = p.document AND w.n = -f.ref - 1 LEFT JOIN string e ON e.id = w.element
             WHERE f.crawl = ?1 AND f.audit = ?2 AND f.ref < 0 AND {} ORDER BY f.url",
            audit::not_ignored_sql("f")
        );
        let mut pair = Vec::new();
        self.reader.rows(&sql, &[self.crawl.into(), self.id.into()], &mut |row| {
            let (url, place, element) = (row.int(0), row.int(1), row.text(2));
            pair.clear();
            pair.extend_from_slice(element.as_bytes());
            pair.push(0);
            pair.extend_from_slice(row.text(3).as_bytes());
            places.add(fingerprint(element.as_bytes()), url, place);
            details.add(fingerprint(&pair), url, place);
            true
        })?;
        let shows_detail =
            audit::find(self.audit).is_some_and(|audit| audit.evidence.iter().any(|(_, sql)| *sql == DETAIL));
        // A value that is another one on each page tells nothing of what the pages share.
        let repeats = details.groups.len() as u64 * 2 <= details.total;
        let with_detail = shows_detail && repeats && details.tells_most();
        let chosen = if with_detail { details } else { places };
        let mut groups = Vec::new();
        for tally in chosen.biggest() {
            let (element, detail) = self.flaw(tally.url, tally.link)?;
            let name = shown_as(self.audit, ELEMENT);
            let mut label = place_label(element.as_deref().unwrap_or("html"));
            let mut conditions = vec![
                is("audit", self.audit),
                element
                    .as_deref()
                    .map_or_else(|| not_in_evidence(name), |element| in_evidence(name, element)),
            ];
            if with_detail {
                let name = shown_as(self.audit, DETAIL);
                if detail.is_empty() {
                    conditions.push(not_in_evidence(name));
                } else {
                    label = format!("{label}: {detail}");
                    conditions.push(in_evidence(name, &detail));
                }
            }
            let ignore = match element {
                Some(element) if !with_detail => Some(IgnoreWhat::Place { element, target: None }),
                _ => None,
            };
            groups.push(self.group(label, &tally, all(conditions), ignore)?);
        }
        Ok(groups)
    }

    /// Element and detail of a flaw that a finding points at.
    fn flaw(&self, url: i64, place: i64) -> Result<(Option<String>, String), StoreError> {
        let found = self.reader.one(
            "SELECT e.value, w.detail FROM page p CROSS JOIN flaw w ON w.document = p.document AND w.n = -?3 - 1 LEFT JOIN string e ON e.id = w.element
             WHERE p.key = (?1 << 32) | ?2",
            &[self.crawl.into(), url.into(), place.into()],
            |row| (row.opt_text(0).map(str::to_owned), row.text(1).to_owned()),
        )?;
        Ok(found.unwrap_or_default())
    }
}
