//! Judging again what thresholds changed, and nothing else.

use crate::evaluate::{Derive, EvaluateError, Evaluated, Step, evaluate, judge};
use crate::findings::{self, Chosen, Findings, JUDGED};
use crate::history;
use crate::ignored;
use crate::limits::Limits;
use crate::sql_functions;
use std::collections::HashMap;
use store::{StoreError, Writer};

const TABLE: &str = "DROP TABLE IF EXISTS temp.judged; CREATE TEMP TABLE judged(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL,
  ref INTEGER NOT NULL, PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID";

/// Brings the findings of a crawl to what [`evaluate`] would give with these thresholds, and judges only the audits whose
/// thresholds or versions are others than they were: a scan over the URLs with these rules alone, without the links unless one of
/// the rules is about links. A crawl that was not evaluated as a whole is.
///
/// Until it is done, and where it is cancelled, what was found before stands.
pub fn reevaluate(
    writer: &mut Writer,
    crawl: i64,
    limits: &Limits,
    watch: &mut dyn FnMut(Step) -> bool,
) -> Result<Evaluated, EvaluateError> {
    let before = evaluated(writer, crawl)?;
    if before.is_empty() {
        return evaluate(writer, crawl, limits, watch);
    }
    sql_functions::register(writer)?;
    writer.begin()?;
    let ids = findings::register(writer)?;
    let chosen = Chosen::those(|index, audit| {
        before.get(&ids[index]).is_none_or(|(version, thresholds)| {
            *version != i64::from(audit.version) || *thresholds != limits.json(audit)
        })
    });
    writer.batch(TABLE)?;
    let mut found = Findings::aside(crawl, ids, chosen);
    let result = judge(writer, crawl, limits, &mut found, Derive::Kept, watch)
        .and_then(|checked| Ok(put_in_place(writer, crawl, &found, limits, &checked)?));
    if let Err(EvaluateError::Store(error)) = result {
        return Err(error.into());
    }
    writer.batch("DROP TABLE IF EXISTS temp.judged")?;
    writer.commit()?;
    Ok(Evaluated { audits: found.chosen().audits().count(), findings: result? as u64 })
}

/// Version and thresholds of every audit that the crawl was evaluated with, by the audit's id in the file.
fn evaluated(writer: &mut Writer, crawl: i64) -> Result<HashMap<i64, (i64, String)>, StoreError> {
    let mut known = HashMap::new();
    writer.rows(
        "SELECT audit, version, thresholds FROM evaluation WHERE crawl = ?1",
        &[crawl.into()],
        &mut |row| {
            known.insert(row.int(0), (row.int(1), row.text(2).to_owned()));
            Ok(())
        },
    )?;
    Ok(known)
}

/// Sets the new findings in the place of the old ones, and gives the number of all.
fn put_in_place(
    writer: &mut Writer,
    crawl: i64,
    found: &Findings,
    limits: &Limits,
    checked: &[i64],
) -> Result<i64, StoreError> {
    for (index, _) in found.chosen().audits() {
        let audit = [crawl.into(), found.id(index).into()];
        writer.run("DELETE FROM finding WHERE crawl = ?1 AND audit = ?2", &audit)?;
    }
    writer.run(
        &format!("INSERT INTO finding(crawl, audit, url, ref) SELECT crawl, audit, url, ref FROM {JUDGED}"),
        &[],
    )?;
    let findings = findings::conclude(writer, crawl, found, limits, checked)?;
    let findings = findings + history::settle(writer, crawl, limits)?;
    ignored::mark_ignored(writer, Some(crawl), None)?;
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Fact;
    use crate::scene::{CRAWL, limits, stage};
    use store::Value;

    const SITE: &[Fact] = &[
        Fact::page(
            "https://site.example/",
            &[
                "https://site.example/a",
                "https://site.example/b",
                "https://site.example/gone",
                "https://site.example/r",
            ],
        ),
        Fact::page("https://site.example/a", &["https://site.example/b", "https://site.example/r"]),
        Fact::page("https://site.example/b", &["https://site.example/deep/x?one=1&two=2&three=3"])
            .canonical("https://site.example/a"),
        Fact::page("https://site.example/deep/x?one=1&two=2&three=3", &["https://site.example/"]),
        Fact::redirect("https://site.example/r", 301, "https://site.example/s"),
        Fact::redirect("https://site.example/s", 302, "https://site.example/gone"),
        Fact { status: Some(404), ..Fact::page("https://site.example/gone", &[]) },
    ];

    /// Findings and evaluations, told without numbers that depend on the order in which things were stored.
    fn told(writer: &mut Writer) -> Vec<String> {
        let mut rows = Vec::new();
        for sql in [
            "SELECT n.name, u.text, f.ref FROM finding f JOIN audit n ON n.id = f.audit JOIN url u ON u.id = f.url",
            "SELECT n.name || ' ' || e.thresholds, e.findings || ' ' || e.urls, e.checked FROM evaluation e JOIN audit n ON n.id = e.audit",
        ] {
            writer
                .rows(sql, &[], &mut |row| {
                    rows.push(format!("{} {} {}", row.text(0), row.text(1), row.int(2)));
                    Ok(())
                })
                .unwrap();
        }
        rows.sort();
        rows
    }

    /// Whatever changes, the outcome is that of judging everything anew.
    #[test]
    fn what_comes_of_it_is_what_all_anew_would_give() {
        let mut kept = stage(SITE);
        evaluate(&mut kept, CRAWL, &limits(&[]), &mut |_| true).unwrap();
        // One after the other, so that each begins where the one before it ended.
        for said in [
            &[("title_px_max", 100.0)][..],
            &[("title_px_max", 100.0), ("title_max", 10.0), ("redirect_hops", 0.0)],
            &[("all_pages", 1.0)],
            &[("all_pages", 1.0), ("parameters_most", 2.0), ("outlinks_most", 1.0), ("title_px_max", 300.0)],
            &[],
        ] {
            let done = reevaluate(&mut kept, CRAWL, &limits(said), &mut |_| true).unwrap();
            let mut anew = stage(SITE);
            let all = evaluate(&mut anew, CRAWL, &limits(said), &mut |_| true).unwrap();
            assert_eq!(told(&mut kept), told(&mut anew), "{said:?}");
            assert_eq!(done.findings, all.findings, "{said:?}");
            assert!(0 < done.audits && done.audits < all.audits, "{said:?}: {done:?}");
        }
    }

    #[test]
    fn what_did_not_change_is_not_judged() {
        let mut writer = stage(SITE);
        evaluate(&mut writer, CRAWL, &limits(&[]), &mut |_| true).unwrap();
        let broken =
            "SELECT count(*) FROM finding f JOIN audit n ON n.id = f.audit WHERE n.name = 'links-to-broken'";
        let count = |writer: &mut Writer, sql: &str| {
            let mut count = 0;
            writer
                .rows(sql, &[], &mut |row| {
                    count = row.int(0);
                    Ok(())
                })
                .unwrap();
            count
        };
        assert!(count(&mut writer, broken) > 0);
        writer
            .run(
                "DELETE FROM finding WHERE audit = (SELECT id FROM audit WHERE name = ?1)",
                &[Value::from("links-to-broken")],
            )
            .unwrap();
        let mut steps = Vec::new();
        let wide = limits(&[("title_px_max", 100.0)]);
        let done = reevaluate(&mut writer, CRAWL, &wide, &mut |step| {
            steps.push(step);
            true
        });
        assert_eq!(done.unwrap().audits, 1);
        assert_eq!(count(&mut writer, broken), 0);
        assert!(
            !steps.iter().any(|step| matches!(step, Step::Links { .. } | Step::Scores { .. } | Step::Chains)),
            "{steps:?}"
        );
        // Another version of a rule is another rule.
        writer
            .run(
                "UPDATE evaluation SET version = 0 WHERE audit = (SELECT id FROM audit WHERE name = ?1)",
                &[Value::from("links-to-broken")],
            )
            .unwrap();
        assert_eq!(reevaluate(&mut writer, CRAWL, &wide, &mut |_| true).unwrap().audits, 1);
        assert!(count(&mut writer, broken) > 0);
        assert_eq!(reevaluate(&mut writer, CRAWL, &wide, &mut |_| true).unwrap().audits, 0);
    }

    #[test]
    fn cancelled_it_leaves_what_was() {
        let mut writer = stage(SITE);
        evaluate(&mut writer, CRAWL, &limits(&[]), &mut |_| true).unwrap();
        let before = told(&mut writer);
        let other = limits(&[("title_px_max", 100.0)]);
        let result = reevaluate(&mut writer, CRAWL, &other, &mut |step| step != Step::Site);
        assert!(matches!(result, Err(EvaluateError::Cancelled)), "{result:?}");
        assert_eq!(told(&mut writer), before);
    }
}
