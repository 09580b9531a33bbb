//! From what was said to what is meant: layers of profiles become one plan, or all errors at once.

use super::{Kind, Preset, Profile, Setting, Value, agent, catalogue, nearest, value};
use crate::address::Address;
use crate::coded;
use crate::link::{LinkKind, Treatment};
use crate::plan::{
    FetchPlan, Limits, LinkPlan, Mode, Pace, Plan, ReportPlan, RobotsPlan, Scope, ScopeRule, SitemapPlan,
    StorePlan,
};
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
}

/// The waits before the first, second, … retry, in milliseconds: half a second, a second, and so on doubling.
const RETRY_WAIT_MS: u64 = 500;

/// Checks every value of every layer and makes the plan. `extra` declares settings of others: thresholds of audits.
pub fn resolve(
    start: Start,
    layers: &[(Layer, &Profile)],
    extra: &[Setting],
) -> Result<Plan, Vec<SettingError>> {
    let own = catalogue();
    let mut meant: BTreeMap<&str, Value> = BTreeMap::new();
    let mut errors = Vec::new();
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
                Ok(value) => {
                    meant.insert(&setting.id, value);
                }
                Err(value::Reason(reason)) => {
                    errors.push(SettingError { id: setting.id.to_string(), reason, layer })
                }
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(plan(start, &meant, extra))
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
    let retries = values.whole("fetch.retries");
    Plan {
        seeds: start.seeds,
        mode: start.mode,
        agent: agent::agent(
            Preset::from_word(&values.text("agent.preset")).unwrap_or(Preset::Gossamer),
            &values.text("agent.user_agent"),
            &values.text("agent.contact"),
            &values.text("agent.token"),
            &values.text("agent.audited_bot"),
        ),
        robots: RobotsPlan { obey: values.switch("robots.obey") },
        pace: Pace {
            concurrency: unsigned(values.whole("pace.concurrency")),
            delay: values.duration("pace.delay"),
        },
        fetch: FetchPlan {
            timeout: values.duration("fetch.timeout"),
            retries: (0..retries)
                .map(|nth| Duration::from_millis(RETRY_WAIT_MS << nth.clamp(0, 10)))
                .collect(),
            redirects: unsigned(values.whole("fetch.redirects")),
            body_cap: values.size("fetch.body_cap"),
            sitemap_cap: values.size("fetch.sitemap_cap"),
            retry_after_cap: values.duration("fetch.retry_after_cap"),
            inflight_budget: values.size("fetch.memory_budget"),
        },
        scope: Scope {
            subdomains: values.switch("scope.subdomains"),
            start_folder_only: values.switch("scope.start_folder_only"),
            extra_hosts: values.list("scope.extra_hosts"),
            rules: rules(&values.list("scope.rules")),
            drop_parameters: values.list("scope.drop_parameters"),
        },
        limits: Limits {
            max_urls: values.limit("limits.max_urls").map(unsigned),
            max_depth: values.limit("limits.max_depth").map(unsigned),
            pause_traps: values.switch("limits.pause_traps"),
        },
        links: LinkPlan {
            kinds: LinkKind::ALL.iter().map(|kind| (*kind, treatments(&values, *kind))).collect(),
            respect_nofollow: values.switch("links.respect_nofollow"),
        },
        sitemaps: SitemapPlan {
            from_robots: values.switch("sitemaps.from_robots"),
            extra: values
                .list("sitemaps.extra")
                .iter()
                .filter_map(|text| Address::parse(text).ok())
                .collect(),
        },
        store: StorePlan { html: values.switch("store.html") },
        report: ReportPlan {
            agency: values.text("report.agency"),
            logo: Some(values.text("report.logo")).filter(|path| !path.is_empty()).map(Into::into),
            intro: values.text("report.intro"),
            csv_bom: values.switch("report.csv_bom"),
        },
        thresholds: thresholds(meant, extra),
        credentials: Vec::new(),
        said: said.to_toml(),
    }
}

fn treatments(values: &Values, kind: LinkKind) -> (Treatment, Treatment) {
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
