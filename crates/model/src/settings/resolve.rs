//! From what was said to what is meant: layers of profiles become one plan, or all errors at once.

use super::locks::is_missed;
use super::{
    Kind, LeftOut, Preset, Profile, Setting, Value, agent, catalogue, connection, lock, nearest, value,
};
use crate::address::Address;
use crate::coded;
use crate::custom::Field;
use crate::link::{LinkKind, Treatment};
use crate::plan::{
    CertificateRule, CookieRule, CustomPlan, Extras, FetchPlan, HttpPlan, Limits, LinkPlan, Mode, Pace, Plan,
    ReportPlan, Rewrite, RobotsPlan, Scope, ScopeRule, SitemapPlan, StorePlan, VersionRule,
};
use crate::policy::{
    BodyCap, Checked, Concurrency, Conditional, Content, Job, PageLimits, Policy, Probes, Redirects, Retries,
    RobotsObedience, SitemapSources, Spacing, TimeLimit,
};
use crate::segment::Segment;
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

coded! {
    /// Where a value was said. A later layer wins over an earlier one; all win over the built-in default.
    pub enum Layer {
        App = 1 => "app default",
        Profile = 2 => "profile",
        Host = 3 => "host",
        Run = 4 => "this run",
    }
}

/// One wrong setting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{id}: {reason}")]
pub struct SettingError {
    /// The setting's id, or `profile` and `version` for the file itself.
    pub id: String,
    /// A sentence that says what is wrong, and what is accepted.
    pub reason: String,
    pub layer: Layer,
}

/// Where a crawl starts.
#[derive(Debug, Clone, Default)]
pub struct Start {
    pub seeds: Vec<Address>,
    pub mode: Mode,
    pub job: Job,
}

/// Checks every value of every layer and makes the plan. What the job does not take is left out of a profile and named in
/// the plan; said for this run, it is refused.
///
/// `extra` declares settings of others: thresholds of audits.
pub fn resolve(
    start: Start,
    layers: &[(Layer, &Profile)],
    extra: &[Setting],
) -> Result<Plan, Vec<SettingError>> {
    let own = catalogue();
    let mut meant: BTreeMap<&str, Value> = BTreeMap::new();
    let mut errors = Vec::new();
    let mut left_out: BTreeMap<&str, LeftOut> = BTreeMap::new();
    let mut ordered = layers.to_vec();
    ordered.sort_by_key(|(layer, _)| *layer);
    for (layer, profile) in ordered {
        for (said_id, said) in profile.values() {
            let id = said_id.replace('-', "_");
            let Some(setting) = own.iter().chain(extra).find(|setting| setting.id.replace('-', "_") == id)
            else {
                errors.push(unknown(said_id, layer, own.iter().chain(extra)));
                continue;
            };
            match value::read(&setting.kind, said) {
                Ok(value) => match lock(start.job, &setting.id) {
                    None => {
                        meant.insert(&setting.id, value);
                    }
                    Some(reason) if layer == Layer::Run => {
                        errors.push(SettingError {
                            id: setting.id.to_string(),
                            reason: reason.to_owned(),
                            layer,
                        });
                    }
                    Some(reason) => {
                        if is_missed(setting, &value) {
                            left_out.insert(&setting.id, LeftOut { id: setting.id.to_string(), reason });
                        }
                    }
                },
                Err(value::Reason(reason)) => {
                    errors.push(SettingError { id: setting.id.to_string(), reason, layer })
                }
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Plan { left_out: left_out.into_values().collect(), ..plan(start, &meant, extra) })
}

impl SettingError {
    pub(super) fn in_profile(id: &str, reason: String) -> Self {
        Self { id: id.to_owned(), reason, layer: Layer::Profile }
    }
}

fn unknown<'a>(id: &str, layer: Layer, known: impl Iterator<Item = &'a Setting>) -> SettingError {
    let reason = match nearest(id, known.map(|setting| &*setting.id)) {
        Some(near) => format!("there is no such setting; did you mean {near}?"),
        None => "there is no such setting; `gossamer settings` lists them all".to_owned(),
    };
    SettingError { id: id.chars().take(200).collect(), reason, layer }
}

fn plan(start: Start, meant: &BTreeMap<&str, Value>, extra: &[Setting]) -> Plan {
    let mut said = Profile::default();
    // A crawl does not depend on what a report bears, and its project file may be given to others.
    for (id, value) in meant.iter().filter(|(id, _)| !id.starts_with("report.")) {
        said.insert(id, value);
    }
    let values = Values { meant };
    let policy = policy(start.job, &values);
    Plan {
        seeds: start.seeds,
        mode: start.mode,
        policy,
        agent: agent::agent(
            Preset::from_word(&values.text("agent.preset")).unwrap_or(Preset::Gossamer),
            &values.text("agent.user_agent"),
            &values.text("agent.contact"),
            &values.text("agent.token"),
            &values.text("agent.audited_bot"),
        ),
        robots: RobotsPlan { obey: policy.robots.binds() },
        pace: Pace { concurrency: policy.concurrency.site, delay: policy.spacing.between_starts() },
        fetch: FetchPlan {
            timeout: policy.time.request,
            retries: policy.retries.waits(),
            redirects: policy.redirects.most,
            body_cap: policy.body_cap.page,
            sitemap_cap: policy.body_cap.sitemap.unwrap_or_default(),
            download_resources: policy.content == Content::Site { resources: true },
            conditional: policy.conditional == Conditional::Optional && values.switch("fetch.conditional"),
            retry_after_cap: values.duration("fetch.retry_after_cap"),
            inflight_budget: values.size("fetch.memory_budget"),
        },
        http: HttpPlan {
            cookies: policy.cookies,
            proxy: connection::proxy(&values.text("http.proxy")),
            version: VersionRule::from_word(&values.text("http.version")).unwrap_or_default(),
            // Each was read once when it was checked, so none is dropped here.
            headers: values.list("http.headers").iter().filter_map(|item| connection::header(item)).collect(),
            accept_language: values.text("http.accept_language"),
            overrides: values
                .list("http.overrides")
                .iter()
                .filter_map(|item| connection::read_override(item).ok())
                .collect(),
            certificates: if values.switch("tls.go_on") {
                CertificateRule::GoOn
            } else {
                CertificateRule::Refuse
            },
        },
        scope: Scope {
            subdomains: values.switch("scope.subdomains"),
            start_folder_only: values.switch("scope.start_folder_only"),
            extra_hosts: values.list("scope.extra_hosts"),
            rules: rules(&values.list("scope.rules")),
            drop_parameters: values.list("scope.drop_parameters"),
            rewrites: rewrites(&values.list("scope.rewrites")),
            lower_case: values.switch("scope.lower_case"),
            fragments: values.switch("scope.fragments"),
        },
        limits: Limits {
            max_urls: values.limit("limits.max_urls").map(unsigned),
            max_depth: policy.pages.depth,
            pause_traps: values.switch("limits.pause_traps"),
            allow_traps: values.list("limits.allow_traps"),
        },
        links: LinkPlan {
            kinds: LinkKind::ALL.iter().map(|kind| (*kind, treatments(&policy, &values, *kind))).collect(),
            respect_nofollow: values.switch("links.respect_nofollow"),
        },
        sitemaps: SitemapPlan {
            from_robots: policy.sitemaps != SitemapSources::None && values.switch("sitemaps.from_robots"),
            extra: values
                .list("sitemaps.extra")
                .iter()
                .filter_map(|text| Address::parse(text).ok())
                .collect(),
        },
        extras: Extras {
            probes: policy.probes == Probes::Switch { on: true },
            confirm: start.job == Job::Audit && values.switch("extras.confirm"),
            second_agent: (start.job == Job::Audit && values.switch("extras.compare_agents"))
                .then(|| values.text("extras.second_agent"))
                .filter(|agent| !agent.is_empty()),
        },
        custom: CustomPlan {
            segments: segments(&values.list("custom.segments")),
            fields: [values.list("custom.search"), values.list("custom.extraction")]
                .iter()
                .flatten()
                .filter_map(|item| Field::read(item).ok())
                .collect(),
            audit_time: values.duration("custom.audit_time"),
        },
        store: StorePlan { html: values.switch("store.html") },
        report: ReportPlan {
            agency: values.text("report.agency"),
            logo: Some(values.text("report.logo")).filter(|path| !path.is_empty()).map(Into::into),
            intro: values.text("report.intro"),
            csv_bom: values.switch("report.csv_bom"),
        },
        thresholds: thresholds(meant, extra),
        secrets: Vec::new(),
        left_out: Vec::new(),
        said: said.to_toml(),
    }
}

/// The rules of the job: an Audit's as they were said, any other's as they are.
fn policy(job: Job, values: &Values) -> Policy {
    let fixed = Policy::of(job);
    if job != Job::Audit {
        return *fixed;
    }
    let concurrency = unsigned(values.whole("pace.concurrency"));
    Policy {
        content: Content::Site { resources: values.switch("fetch.download_resources") },
        cookies: CookieRule::from_word(&values.text("http.cookies")).unwrap_or(fixed.cookies),
        robots: RobotsObedience::Switch { on: values.switch("robots.obey") },
        redirects: Redirects { most: unsigned(values.whole("fetch.redirects")), ..fixed.redirects },
        probes: Probes::Switch { on: values.switch("extras.probes") },
        concurrency: Concurrency { site: concurrency, elsewhere: concurrency },
        spacing: Spacing::Said(values.duration("pace.delay")),
        time: TimeLimit { request: values.duration("fetch.timeout"), ..fixed.time },
        body_cap: BodyCap {
            page: values.size("fetch.body_cap"),
            sitemap: Some(values.size("fetch.sitemap_cap")),
        },
        retries: match fixed.retries {
            Retries::After { wait, .. } => {
                Retries::After { count: unsigned(values.whole("fetch.retries")), wait }
            }
            other => other,
        },
        pages: PageLimits {
            pages: values.limit("limits.max_pages").map(unsigned),
            depth: values.limit("limits.max_depth").map(unsigned),
        },
        ..*fixed
    }
}

/// What a job does with the targets of one kind of link. Only an Audit's settings say it; a Check reads pages and asks for
/// links and images, and so leaves every other resource alone.
fn treatments(policy: &Policy, values: &Values, kind: LinkKind) -> (Treatment, Treatment) {
    let images_only = policy.methods.head().is_some_and(|head| head.checked == Checked::Images);
    if images_only && kind != LinkKind::Image && (kind.is_resource() || kind == LinkKind::Feed) {
        return (Treatment::Store, Treatment::Store);
    }
    let read = |section: &str| {
        let word = values.text(&format!("{section}.{}", kind.word().replace('-', "_")));
        Treatment::from_word(&word).unwrap_or(Treatment::Store)
    };
    (read("internal_links"), read("external_links"))
}

fn rules(said: &[String]) -> Vec<ScopeRule> {
    // Each was compiled once when it was checked, so none is dropped here.
    said.iter()
        .filter_map(|rule| value::read_rule(rule).ok())
        .map(|(include, pattern)| ScopeRule { include, pattern })
        .collect()
}

/// Items of one name are one segment.
fn segments(said: &[String]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    // Each was read once when it was checked, so none is dropped here.
    for segment in said.iter().filter_map(|item| Segment::read(item).ok()) {
        match segments.iter_mut().find(|known| known.name == segment.name) {
            Some(known) => known.patterns.extend(segment.patterns),
            None => segments.push(segment),
        }
    }
    segments
}

fn rewrites(said: &[String]) -> Vec<Rewrite> {
    said.iter()
        .filter_map(|rewrite| value::read_rewrite(rewrite).ok())
        .map(|(pattern, with)| Rewrite { pattern, with })
        .collect()
}

/// The thresholds that were said; the others keep their audit's default.
fn thresholds(meant: &BTreeMap<&str, Value>, extra: &[Setting]) -> BTreeMap<String, f64> {
    let number = |setting: &Setting| {
        Some(match meant.get(&*setting.id)? {
            Value::Switch(on) => f64::from(u8::from(*on)),
            Value::Whole(number) | Value::Limit(Some(number)) => *number as f64,
            Value::Number(number) => *number,
            Value::Duration(duration) => duration.as_millis() as f64,
            Value::Size(bytes) => *bytes as f64,
            Value::Limit(None) => f64::INFINITY,
            Value::Text(_) | Value::List(_) => return None,
        })
    };
    extra.iter().filter_map(|setting| Some((setting.id.to_string(), number(setting)?))).collect()
}

/// Every range of a whole setting begins at 0 or above and fits the plan's field.
fn unsigned<T: TryFrom<i64> + Default>(number: i64) -> T {
    T::try_from(number).unwrap_or_default()
}

/// Said values over the declared defaults. Each getter names a setting of the kind it returns; a test sets them all.
struct Values<'a> {
    meant: &'a BTreeMap<&'a str, Value>,
}

impl Values<'_> {
    fn get(&self, id: &str) -> Option<&Value> {
        self.meant
            .get(id)
            .or_else(|| catalogue().iter().find(|setting| setting.id == id).map(|setting| &setting.default))
    }

    fn switch(&self, id: &str) -> bool {
        matches!(self.get(id), Some(Value::Switch(true)))
    }

    fn whole(&self, id: &str) -> i64 {
        if let Some(Value::Whole(number)) = self.get(id) { *number } else { 0 }
    }

    fn limit(&self, id: &str) -> Option<i64> {
        if let Some(Value::Limit(limit)) = self.get(id) { *limit } else { None }
    }

    fn duration(&self, id: &str) -> Duration {
        if let Some(Value::Duration(duration)) = self.get(id) { *duration } else { Duration::ZERO }
    }

    fn size(&self, id: &str) -> u64 {
        if let Some(Value::Size(bytes)) = self.get(id) { *bytes } else { 0 }
    }

    fn text(&self, id: &str) -> String {
        if let Some(Value::Text(text)) = self.get(id) { text.to_string() } else { String::new() }
    }

    fn list(&self, id: &str) -> Vec<String> {
        if let Some(Value::List(items)) = self.get(id) { items.clone() } else { Vec::new() }
    }
}

/// A setting that is declared elsewhere in the form used here, for callers that check a value by itself.
impl Setting {
    /// Reads the words of the command line as a value of this setting, or gives the reason why they are none.
    pub fn read(&self, text: &str) -> Result<Value, SettingError> {
        value::read(&self.kind, &super::Said::Bare(text.to_owned())).map_err(|value::Reason(reason)| {
            SettingError { id: self.id.to_string(), reason, layer: Layer::Run }
        })
    }

    /// Reads what a profile said as a value of this setting, or gives the reason why it is none.
    pub fn meant(&self, said: &super::Said) -> Result<Value, SettingError> {
        value::read(&self.kind, said).map_err(|value::Reason(reason)| SettingError {
            id: self.id.to_string(),
            reason,
            layer: Layer::Profile,
        })
    }

    /// Whether the declared default is a value that the setting accepts.
    pub fn default_is_valid(&self) -> bool {
        value::read(&self.kind, &self.default.said()).is_ok_and(|read| read == self.default)
    }

    /// A setting whose value is a number and so can be a threshold.
    pub const fn is_numeric(&self) -> bool {
        matches!(
            self.kind,
            Kind::Switch
                | Kind::Whole { .. }
                | Kind::Number { .. }
                | Kind::Limit { .. }
                | Kind::Duration { .. }
                | Kind::Size { .. }
        )
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
