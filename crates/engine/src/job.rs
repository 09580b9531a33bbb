//! Audits being run: from an address to a judged crawl.

use crate::custom_audits;
use crate::dto::{AuditReport, AuditRequest, Counts, Ended, Event, IssueLine, Phase, Progress};
use crate::error::EngineError;
use crate::faults;
use crate::logins::{self, Admission};
use crate::planned::{Planned, check_proxies};
use crate::seams::{Engine, PROGRAM};
use crate::settings;
use crate::{recheck, said};
use audit::{EvaluateError, Limits, Live};
use crawl::{Control, Crawl, CrawlError, Observer, Snapshot, Wanted};
use model::plan::Mode;
use model::settings::Start;
use model::{Address, Credential, Job, Plan, Seed};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{CrawlStart, StoreError, Writer};

impl Engine {
    /// Runs an audit to its end, until `control` stops it, or until it cannot go on.
    ///
    /// Makes the project file or adds a crawl to it. `observe` is called from the calling thread, with progress at most
    /// five times a second. Every wrong setting is reported at once, before anything is requested or written.
    pub fn audit(
        &self,
        request: &AuditRequest,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        self.audit_as(request, &Admission::Given(request.credentials.clone()), control, observe)
    }

    /// The same with what lets it in said apart from the request, whose credentials are not looked at.
    pub(crate) fn audit_as(
        &self,
        request: &AuditRequest,
        admission: &Admission,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        self.begin(Job::Audit, request, admission, control, observe)
    }

    /// Runs a check: a crawl of a public site under the fixed rules of [`model::policy::CHECK`]. A profile's settings that
    /// a check does not take are left out and named; settings of this run that it does not take are refused.
    pub fn check(
        &self,
        request: &AuditRequest,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        if request.list.is_some() {
            return Err(EngineError::Usage(
                "a check reads a site from its address, not a list of URLs".to_owned(),
            ));
        }
        self.begin(Job::Check, request, &Admission::SignedOut, control, observe)
    }

    fn begin(
        &self,
        job: Job,
        request: &AuditRequest,
        admission: &Admission,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        let Planned { plan, seeds, skipped } =
            self.planned(job, request, admission).map_err(|error| faults::in_full(error, job, request))?;
        let mut writer = self.writer(&request.project)?;
        let registered = self.register(&mut writer, &plan);
        let crawl = registered.map_err(|error| project_error(&request.project, error))?;
        let fallbacks = seeds.iter().filter(|seed| seed.scheme_guessed).filter_map(over_http).collect();
        for (id, value) in said::of_project(&request.project) {
            if !request.overrides.iter().any(|(said, _)| said.replace('-', "_") == id) {
                let message = format!(
                    "{id} is {value} in this project; `gossamer evaluate FILE --reset {id}` ends that"
                );
                observe(Event::Warning { code: "project-threshold".to_owned(), message });
            }
        }
        let course = Course {
            engine: self,
            project: &request.project,
            plan: &plan,
            crawl,
            fallbacks,
            skipped,
            signed_out: Vec::new(),
            only: Vec::new(),
            resumed: false,
            control,
            observe,
        };
        course.run(&mut writer)
    }

    /// Continues the newest crawl of the file that did not come to its end, with the credentials that the keychain has.
    pub fn resume(
        &self,
        project: &Path,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        self.resume_with(project, &[], control, observe)
    }

    /// The same with credentials for the origin of the start address, which no crawl stores.
    pub fn resume_with(
        &self,
        project: &Path,
        credentials: &[Credential],
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        self.resume_as(project, &Admission::Given(credentials.to_vec()), control, observe)
    }

    /// The same with what lets it in. A crawl that was let in is resumed signed out only where that is said, and its file
    /// says so from then on.
    pub(crate) fn resume_as(
        &self,
        project: &Path,
        admission: &Admission,
        control: &Control,
        observe: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AuditReport, EngineError> {
        if !project.exists() {
            return Err(EngineError::Project {
                path: project.to_owned(),
                reason: "there is no such file".to_owned(),
            });
        }
        let mut writer = self.writer(project)?;
        let failed = |error| project_error(project, error);
        let Some(crawl) = writer.unfinished_crawls().map_err(failed)?.pop() else {
            return Err(EngineError::CannotStart(format!(
                "{}: no crawl was interrupted, there is nothing to resume",
                project.display()
            )));
        };
        let (mut plan, remembered) = self.plan_of(&mut writer, project, crawl, admission)?;
        let is_signed_out = matches!(admission, Admission::SignedOut);
        let only = recheck::wanted(&mut writer, crawl).map_err(failed)?;
        if !only.is_empty() {
            recheck::restrict(&mut plan);
        }
        said::overlay(&mut writer, &mut plan)?;
        let moment = model::clock::unix_millis(self.clock().wall());
        if remembered.is_empty() {
            logins::remember(&mut writer, crawl, moment, &plan.secrets).map_err(failed)?;
        }
        let signed_out = if is_signed_out {
            logins::leave_out(&mut writer, crawl, moment, &remembered).map_err(failed)?
        } else {
            Vec::new()
        };
        let course = Course {
            engine: self,
            project,
            plan: &plan,
            crawl,
            fallbacks: Vec::new(),
            skipped: Vec::new(),
            signed_out,
            only,
            resumed: true,
            control,
            observe,
        };
        course.run(&mut writer)
    }

    /// What a stored crawl ran by, with what lets it in again, and what it was given then.
    pub(crate) fn plan_of(
        &self,
        writer: &mut Writer,
        project: &Path,
        crawl: i64,
        admission: &Admission,
    ) -> Result<(Plan, logins::Remembered), EngineError> {
        let failed = |error| project_error(project, error);
        let (profile, seeds) = writer.crawl_profile(crawl).map_err(failed)?;
        // What looks again at findings does so as the crawl that found them.
        let base = recheck::base_of(writer, crawl).map_err(failed)?;
        let (mut mode, mut job) = (Mode::Site, None);
        writer
            .rows("SELECT job FROM crawl WHERE id = ?1", &[base.unwrap_or(crawl).into()], &mut |row| {
                if row.text(0) == LIST {
                    mode = Mode::List;
                }
                job = Some(Job::from_word(row.text(0)).unwrap_or_default());
                Ok(())
            })
            .map_err(failed)?;
        let Some(job) = job else {
            return Err(EngineError::CannotStart(format!(
                "crawl {crawl} looks again at findings of a crawl that is deleted: delete it too, or look again at another"
            )));
        };
        let seeds = seeds.iter().filter_map(|seed| Address::parse(seed).ok()).collect();
        let start = Start { seeds, mode, job };
        let remembered = logins::remembered(writer, crawl).map_err(failed)?;
        let origins = if remembered.is_empty() {
            start.seeds.iter().map(Address::origin).collect()
        } else {
            remembered.keys().cloned().collect()
        };
        let secrets = self.credentials(job, Vec::new(), admission, &origins)?;
        if !matches!(admission, Admission::SignedOut) {
            logins::refuse_without(&remembered, &secrets)?;
        }
        let mut plan = settings::stored_plan(start, &profile)?;
        plan.secrets = secrets;
        check_proxies(&plan)?;
        Ok((plan, remembered))
    }

    pub(crate) fn writer(&self, project: &Path) -> Result<Writer, EngineError> {
        let opened = Writer::open(project, &self.store_options()).and_then(|writer| {
            writer.tell_day_by(Arc::clone(self.clock()))?;
            Ok(writer)
        });
        opened.map_err(|error| project_error(project, error))
    }

    fn register(&self, writer: &mut Writer, plan: &Plan) -> Result<i64, StoreError> {
        if !plan.custom.segments.is_empty() && writer.segments()?.is_empty() {
            writer.set_segments(&plan.custom.segments, &mut |_, _| true)?;
        }
        for field in &plan.custom.fields {
            writer.set_field(&field.name, &field.text, field.kind().word())?;
        }
        writer.begin()?;
        let crawl = writer.add_crawl(&CrawlStart {
            job: if plan.mode == Mode::List { LIST } else { plan.policy.job.word() },
            started: model::clock::unix_millis(self.clock().wall()),
            profile: &plan.said,
            program: PROGRAM,
            plan,
        })?;
        logins::remember(writer, crawl, model::clock::unix_millis(self.clock().wall()), &plan.secrets)?;
        writer.commit()?;
        Ok(crawl)
    }
}

/// `crawl.job` of a list.
const LIST: &str = "list";

/// What went wrong with the project file, in the terms of a use-case.
pub(crate) fn project_error(path: &Path, error: StoreError) -> EngineError {
    match error {
        StoreError::Query(why) => EngineError::Usage(why),
        StoreError::QueryTimeout(seconds) => {
            EngineError::Usage(format!("the query took longer than {seconds} seconds and was stopped"))
        }
        StoreError::Cancelled => EngineError::Cancelled,
        StoreError::NoCrawl(crawl) => EngineError::Usage(format!("{} has no crawl {crawl}", path.display())),
        other => EngineError::Project { path: path.to_owned(), reason: other.to_string() },
    }
}

/// The same address over http, for a seed whose https was only a guess.
fn over_http(seed: &Seed) -> Option<(Address, Address)> {
    let plain = seed.address.as_str().replacen("https://", "http://", 1);
    Some((seed.address.clone(), Address::parse(&plain).ok()?))
}

/// One run of one crawl.
pub(crate) struct Course<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) project: &'a Path,
    pub(crate) plan: &'a Plan,
    pub(crate) crawl: i64,
    pub(crate) fallbacks: Vec<(Address, Address)>,
    /// Complaints about lines of a list.
    pub(crate) skipped: Vec<String>,
    /// What is told of credentials that the crawl began with and goes on without.
    pub(crate) signed_out: Vec<String>,
    /// Exactly these URLs are asked, to look again at findings; none for a crawl of the site.
    pub(crate) only: Vec<Wanted>,
    pub(crate) resumed: bool,
    pub(crate) control: &'a Control,
    pub(crate) observe: &'a (dyn Fn(Event) + Send + Sync),
}

impl Course<'_> {
    pub(crate) fn run(self, writer: &mut Writer) -> Result<AuditReport, EngineError> {
        let began = self.engine.clock().now();
        let seeds = self.plan.seeds.iter().map(ToString::to_string).collect();
        (self.observe)(Event::Started {
            project: self.project.to_owned(),
            crawl: self.crawl,
            seeds,
            resumed: self.resumed,
        });
        self.name_skipped();
        for message in &self.signed_out {
            let code = logins::LEFT_OUT.to_owned();
            (self.observe)(Event::Warning { code, message: message.clone() });
        }
        for left in &self.plan.left_out {
            let message = format!("{} is left out: {}", left.id, left.reason);
            (self.observe)(Event::Warning { code: "setting-left-out".to_owned(), message });
        }
        let failed = |error| project_error(self.project, error);
        let limits = Limits::new(&self.plan.thresholds).reading(parse::shingles);
        writer.set_crawl(self.crawl, "running", None, None).map_err(failed)?;
        let live = Live::new(writer, self.crawl, &limits).map_err(failed)?;
        let mut watch =
            Watch { observe: self.observe, live, judged: None, last: Snapshot::default(), warnings: 0 };
        let crawl = Crawl {
            id: self.crawl,
            plan: self.plan,
            path: Some(self.project.to_owned()),
            seams: self.engine.fetch_seams(),
            fallbacks: self.fallbacks.clone(),
            only: self.only.clone(),
            resumed: self.resumed,
        };
        let ended = crawl::run(&crawl, writer, self.control, &mut watch)
            .map_err(|error| self.crawl_error(writer, error))?;
        let counts = counts(&watch.last.counts);
        if ended == crawl::Ended::Stopped {
            self.interrupted(writer).map_err(failed)?;
            return self.report(writer, Ended::Stopped, counts, began);
        }
        let looks_again = !self.only.is_empty();
        // That nothing answers is what became of these findings.
        if !looks_again {
            self.refuse_if_unreachable(writer, &counts)?;
            self.refuse_if_shut_out(writer)?;
        }
        writer.set_crawl(self.crawl, "analysing", None, None).map_err(failed)?;
        watch.tell(Phase::Analysing, self.elapsed(began));
        writer.build_reverse_indexes().map_err(failed)?;
        watch.tell(Phase::Auditing, self.elapsed(began));
        let control = self.control;
        let mut go_on = |_: audit::Step| !control.is_stopped();
        let judged = if looks_again {
            audit::judge_again(writer, self.crawl, &limits, &mut go_on)
        } else {
            audit::evaluate(writer, self.crawl, &limits, &mut go_on)
        };
        match judged {
            Ok(_) => {
                if !looks_again {
                    self.evaluate_own(writer).map_err(failed)?;
                }
                watch.judged = Some(self.count_issues(writer).map_err(failed)?);
            }
            Err(EvaluateError::Cancelled) => {
                self.interrupted(writer).map_err(failed)?;
                return self.report(writer, Ended::Stopped, counts, began);
            }
            Err(EvaluateError::Store(error)) => return Err(failed(error)),
            Err(other) => return Err(EngineError::Internal(other.to_string())),
        }
        watch.tell(Phase::Saving, self.elapsed(began));
        let finished = model::clock::unix_millis(self.engine.clock().wall());
        writer.set_crawl(self.crawl, "finished", None, Some(finished)).map_err(failed)?;
        writer.settle().map_err(failed)?;
        self.report(writer, Ended::Complete, counts, began)
    }

    /// Evaluates the audits that a person wrote. One that fails is told of and keeps nothing else up.
    fn evaluate_own(&self, writer: &mut Writer) -> Result<(), StoreError> {
        let (limit, clock) = (self.plan.custom.audit_time, self.engine.clock());
        for (id, why) in custom_audits::evaluate_all(writer, self.project, self.crawl, limit, clock)? {
            let message = format!("the audit {id} could not be evaluated: {why}");
            (self.observe)(Event::Warning { code: "custom-audit".to_owned(), message });
        }
        Ok(())
    }

    fn count_issues(&self, writer: &mut Writer) -> Result<u64, StoreError> {
        let mut issues = 0;
        writer.rows(&audit::issue_count_sql(), &[self.crawl.into()], &mut |row| {
            issues = row.int(0) as u64;
            Ok(())
        })?;
        Ok(issues)
    }

    /// Names the lines of a list that were left out: the first ten, and how many more.
    fn name_skipped(&self) {
        const NAMED: usize = 10;
        let warn = |message: String| (self.observe)(Event::Warning { code: "list-line".to_owned(), message });
        for line in self.skipped.iter().take(NAMED) {
            warn(format!("left out: {line}"));
        }
        match self.skipped.len().saturating_sub(NAMED) {
            0 => {}
            1 => warn("left out: 1 more line that is no address".to_owned()),
            more => warn(format!("left out: {more} more lines that are no addresses")),
        }
    }

    /// An audit without a single page is rarely what was meant: says what the start address answered.
    fn explain_no_pages(&self, writer: &mut Writer) -> Result<(), StoreError> {
        let mut told = Vec::new();
        let (first, last) = store::key_range(self.crawl);
        writer.rows(
            "SELECT u.text, a.status, coalesce(ct.value, ''), r.text, rv.internal FROM visit v JOIN url u ON u.id = v.key & 4294967295
             JOIN answer a ON a.key = v.key LEFT JOIN string ct ON ct.id = a.content_type LEFT JOIN url r ON r.id = a.redirect
             LEFT JOIN visit rv ON rv.key = (v.key >> 32 << 32) | a.redirect WHERE v.key BETWEEN ?1 AND ?2 AND v.found = 1 LIMIT 3",
            &[first.into(), last.into()],
            &mut |row| {
                let (url, status) = (row.text(0), row.int(1));
                let elsewhere = logins::elsewhere(&self.plan.secrets, row.opt_text(3), url, status);
                told.push(match row.opt_text(3) {
                    Some(target) if row.int(4) == 0 => format!("{url} redirects to another site: start at {target} to audit that one"),
                    Some(target) => format!("{url} redirects to {target}, and no page came of it"),
                    None if row.text(2).is_empty() => format!("{url} answered {status} without a page"),
                    None => format!("{url} answered {status} with {}, which is no page", row.text(2)),
                } + &elsewhere);
                Ok(())
            },
        )?;
        for message in told {
            (self.observe)(Event::Warning { code: "no-pages".to_owned(), message });
        }
        Ok(())
    }

    fn elapsed(&self, began: Instant) -> Duration {
        self.engine.clock().now().duration_since(began)
    }

    fn interrupted(&self, writer: &mut Writer) -> Result<(), StoreError> {
        writer.set_crawl(self.crawl, "interrupted", None, None)?;
        writer.settle()
    }

    /// A crawl none of whose seeds answered has audited nothing: its rows are kept, and the reason is told.
    fn refuse_if_unreachable(&self, writer: &mut Writer, counts: &Counts) -> Result<(), EngineError> {
        if counts.fetched > 0 {
            return Ok(());
        }
        let failed = |error| project_error(self.project, error);
        let mut reasons = Vec::new();
        let (first, last) = store::key_range(self.crawl);
        writer
            .rows(
                "SELECT u.text, coalesce(s.value, ''), coalesce(a.error, '') FROM visit v JOIN url u ON u.id = v.key & 4294967295
                 LEFT JOIN string s ON s.id = v.reason LEFT JOIN answer a ON a.key = v.key WHERE v.key BETWEEN ?1 AND ?2 ORDER BY v.key LIMIT 3",
                &[first.into(), last.into()],
                &mut |row| {
                    reasons.push(match row.text(2) {
                        "" => format!("{}: {}", row.text(0), row.text(1)),
                        detail => format!("{}: {}: {detail}", row.text(0), row.text(1)),
                    });
                    Ok(())
                },
            )
            .map_err(failed)?;
        let reason = reasons.join("\n");
        let finished = model::clock::unix_millis(self.engine.clock().wall());
        writer.set_crawl(self.crawl, "failed", Some(&reason), Some(finished)).map_err(failed)?;
        writer.settle().map_err(failed)?;
        let forbidden = counts.blocked > 0 && counts.failed == 0;
        Err(EngineError::CannotStart(if forbidden && self.plan.policy.job == Job::Check {
            format!("the site is not checked, because of its robots.txt\n{reason}")
        } else if forbidden {
            format!(
                "robots.txt forbids the start address for {}\n{reason}\nOn a site of your own, --ignore-robots audits it all the same.",
                self.plan.agent.token
            )
        } else {
            format!("the site could not be reached\n{reason}")
        }))
    }

    /// A site that takes none of the credentials and shows no page has not been audited: its rows are kept, and the reason
    /// is told.
    fn refuse_if_shut_out(&self, writer: &mut Writer) -> Result<(), EngineError> {
        if self.plan.mode != Mode::Site || self.plan.secrets.is_empty() {
            return Ok(());
        }
        let failed = |error| project_error(self.project, error);
        let Some(reason) = logins::shut_out(writer, self.crawl, &self.plan.secrets).map_err(failed)? else {
            return Ok(());
        };
        let finished = model::clock::unix_millis(self.engine.clock().wall());
        writer.set_crawl(self.crawl, "failed", Some(&reason), Some(finished)).map_err(failed)?;
        writer.settle().map_err(failed)?;
        Err(EngineError::CannotStart(reason))
    }

    fn crawl_error(&self, writer: &mut Writer, error: CrawlError) -> EngineError {
        // The reason is told to the caller; that the file could not take it as well does not change it.
        // What the crawl had not committed is given up first: the state would be given up with it.
        writer.rollback();
        let _ = writer.set_crawl(self.crawl, "interrupted", Some(&error.to_string()), None);
        match error {
            CrawlError::Store(error) => project_error(self.project, error),
            CrawlError::Fetch(error) => EngineError::CannotStart(error.to_string()),
            other => EngineError::Internal(other.to_string()),
        }
    }

    fn report(
        &self,
        writer: &mut Writer,
        ended: Ended,
        counts: Counts,
        began: Instant,
    ) -> Result<AuditReport, EngineError> {
        let failed = |error| project_error(self.project, error);
        let mut pages = 0;
        let (first, last) = store::key_range(self.crawl);
        writer
            .rows(
                "SELECT count(*) FROM page WHERE key BETWEEN ?1 AND ?2",
                &[first.into(), last.into()],
                &mut |row| {
                    pages = row.int(0) as u64;
                    Ok(())
                },
            )
            .map_err(failed)?;
        // A guessed https that could not be reached was replaced by http meanwhile.
        let mut start_url = String::new();
        writer
            .rows("SELECT start_url FROM crawl WHERE id = ?1", &[self.crawl.into()], &mut |row| {
                start_url = row.text(0).to_owned();
                Ok(())
            })
            .map_err(failed)?;
        let kept = self.engine.origins_with_credentials();
        let asked_again = self.plan.secrets.iter().filter(|secret| !kept.contains(&secret.origin));
        let mut issues: Vec<IssueLine> = Vec::new();
        let mut ignored = 0;
        if ended == Ended::Complete {
            if pages == 0 && self.plan.mode == Mode::Site && self.only.is_empty() {
                self.explain_no_pages(writer).map_err(failed)?;
            }
            let mut read = |sql: &str, cells: &[store::Value], each: &mut dyn FnMut(&store::Row)| {
                writer.rows(sql, cells, &mut |row| {
                    each(row);
                    Ok(())
                })
            };
            issues = crate::project::issue_lines(&mut read, self.crawl).map_err(failed)?;
            writer
                .rows(&audit::ignored_count_sql(), &[self.crawl.into(), store::Value::Null], &mut |row| {
                    ignored = row.int(0) as u64;
                    Ok(())
                })
                .map_err(failed)?;
        }
        Ok(AuditReport {
            project: self.project.to_owned(),
            crawl: self.crawl,
            start_url,
            ended,
            counts,
            pages,
            elapsed: self.elapsed(began),
            issues,
            ignored,
            credential_options: logins::options(asked_again),
        })
    }
}

/// Counts in the order of `UrlState::ALL`.
pub(crate) fn counts(by_state: &[u64; 7]) -> Counts {
    let [queued, fetched, failed, blocked, excluded, over_limit, not_followed] = *by_state;
    Counts {
        encountered: by_state.iter().sum(),
        fetched,
        failed,
        blocked,
        excluded,
        over_limit,
        not_followed,
        queued,
    }
}

/// Passes a crawl's news on and judges its pages as they come.
struct Watch<'a> {
    observe: &'a (dyn Fn(Event) + Send + Sync),
    live: Live,
    /// Issues of the whole evaluation, once it is done.
    judged: Option<u64>,
    last: Snapshot,
    warnings: u64,
}

impl Watch<'_> {
    fn tell(&self, phase: Phase, elapsed: Duration) {
        (self.observe)(Event::Progress(Progress {
            phase,
            counts: counts(&self.last.counts),
            elapsed,
            rate: self.last.rate,
            current: self.last.current.clone(),
            issues: self.judged.unwrap_or_else(|| self.live.issues()),
            warnings: self.warnings,
            pages: self.last.pages,
        }));
    }
}

impl Observer for Watch<'_> {
    fn progress(&mut self, snapshot: &Snapshot) {
        self.last = snapshot.clone();
        let phase = match (snapshot.paused, snapshot.confirming) {
            (true, _) => Phase::Paused,
            (false, true) => Phase::Confirming,
            (false, false) => Phase::Crawling,
        };
        self.tell(phase, snapshot.elapsed);
    }

    fn warning(&mut self, code: &'static str, subject: &str, detail: &str) {
        self.warnings += 1;
        (self.observe)(Event::Warning { code: code.to_owned(), message: format!("{subject}: {detail}") });
    }

    fn fresh_pages(&mut self, writer: &mut Writer, _crawl: i64, keys: &[i64]) -> Result<(), StoreError> {
        let urls: Vec<u32> = keys.iter().map(|key| (key & 0xFFFF_FFFF) as u32).collect();
        self.live.judge(writer, &urls)
    }
}
