//! The thresholds in force: what was said, over each audit's default.

use crate::audit::{Audit, Scope, Threshold, Unit};
use crate::catalogue::catalogue;
use model::settings::{Kind, Setting, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// A threshold that belongs to no audit: it widens the scope `Indexable`.
pub(crate) const ALL_PAGES: Threshold = Threshold {
    name: "all_pages",
    label: "Audit the texts of all pages",
    help: "Titles, descriptions, headings and canonicals are judged on pages that search engines may show. Switched on, they are judged on every page.",
    unit: Unit::Switch,
    min: 0,
    max: 1,
    default: 0,
};

/// Reads the main text of HTML in an encoding: its distinct shingles in order, none where it is too short to be compared.
pub type Shingles = fn(&[u8], &str) -> Vec<u64>;

/// Every threshold with its value, and how texts are read where rules compare them.
#[derive(Debug, Clone)]
pub struct Limits {
    values: BTreeMap<&'static str, f64>,
    texts: Option<Shingles>,
}

impl Limits {
    /// The values that were said (by setting id, as in `Plan::thresholds`) over the defaults.
    pub fn new(said: &BTreeMap<String, f64>) -> Self {
        let value = |threshold: &Threshold| {
            said.get(&format!("audit.{}", threshold.name)).copied().unwrap_or(threshold.default as f64)
        };
        Self { values: all().map(|threshold| (threshold.name, value(threshold))).collect(), texts: None }
    }

    /// Has the stored HTML read where texts are compared. Without it their similarity is estimated.
    pub const fn reading(mut self, texts: Shingles) -> Self {
        self.texts = Some(texts);
        self
    }

    pub(crate) const fn texts(&self) -> Option<Shingles> {
        self.texts
    }

    /// The value of a declared threshold.
    pub fn get(&self, name: &str) -> f64 {
        debug_assert!(self.values.contains_key(name), "{name} is not declared");
        self.values.get(name).copied().unwrap_or(f64::INFINITY)
    }

    /// A rule with its thresholds put in.
    pub(crate) fn put_in(&self, sql: &str) -> String {
        let mut out = sql.to_owned();
        for (name, value) in &self.values {
            out = out.replace(&format!("{{{name}}}"), &number(*value));
        }
        out
    }

    /// The thresholds of one audit as a JSON object.
    pub(crate) fn json(&self, audit: &Audit) -> String {
        // JSON has no infinity; a threshold that is never reached is null.
        let shown = |value: f64| if value.is_finite() { number(value) } else { "null".to_owned() };
        // What the scope takes in is a threshold of all who have it, where it is not as usual.
        let is_wide = self.get(ALL_PAGES.name) != ALL_PAGES.default as f64;
        let of_scope = (audit.scope == Scope::Indexable && is_wide).then_some(&ALL_PAGES);
        let pairs: Vec<String> = audit
            .thresholds
            .iter()
            .chain(of_scope)
            .map(|t| format!("\"{}\":{}", t.name, shown(self.get(t.name))))
            .collect();
        format!("{{{}}}", pairs.join(","))
    }
}

/// A number as SQL reads it; infinity is what overflows a double.
fn number(value: f64) -> String {
    if value.is_finite() { format!("{value}") } else { "9e999".to_owned() }
}

/// Every threshold once, also where several audits share it.
pub(crate) fn all() -> impl Iterator<Item = &'static Threshold> {
    let mut seen = std::collections::BTreeSet::new();
    std::iter::once(&ALL_PAGES)
        .chain(catalogue().iter().flat_map(|audit| audit.thresholds))
        .filter(move |threshold| seen.insert(threshold.name))
}

/// The thresholds in the form in which all settings are declared.
pub fn settings() -> Vec<Setting> {
    all().map(setting).collect()
}

fn setting(threshold: &Threshold) -> Setting {
    let Threshold { name, label, help, unit, min, max, default } = *threshold;
    let whole = |unit| {
        let of = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        (Kind::Whole { min: of(min), max: of(max), unit }, Value::Whole(of(default)))
    };
    let (kind, default) = match unit {
        Unit::Switch => (Kind::Switch, Value::Switch(default > 0)),
        Unit::Milliseconds => (
            Kind::Duration { min: Duration::from_millis(min), max: Duration::from_millis(max) },
            Value::Duration(Duration::from_millis(default)),
        ),
        Unit::Bytes => (Kind::Size { min, max }, Value::Size(default)),
        Unit::Characters => whole("characters"),
        Unit::Pixels => whole("pixels"),
        Unit::Links => whole("links"),
        Unit::Hops => whole("hops"),
        Unit::Clicks => whole("clicks"),
        Unit::Seconds => whole("seconds"),
        Unit::Days => whole("days"),
        Unit::Percent => whole("percent"),
        Unit::Words => whole("words"),
        Unit::Parameters => whole("parameters"),
        Unit::Urls => whole("URLs"),
        Unit::Elements => whole("elements"),
        Unit::Points => whole("points"),
    };
    Setting {
        id: Cow::Owned(format!("audit.{name}")),
        label: Cow::Borrowed(label),
        help: Cow::Borrowed(help),
        kind,
        default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn said_thresholds_win_over_defaults() {
        let said = BTreeMap::from([
            ("audit.title_max".to_owned(), 70.0),
            ("audit.redirect_hops".to_owned(), f64::INFINITY),
        ]);
        let limits = Limits::new(&said);
        assert_eq!(limits.get("title_max"), 70.0);
        assert_eq!(limits.get("title_min"), 30.0);
        assert_eq!(limits.put_in("a > {title_max} AND b > {redirect_hops}"), "a > 70 AND b > 9e999");
    }

    #[test]
    fn every_threshold_is_a_valid_setting() {
        let settings = settings();
        for setting in &settings {
            assert!(setting.default_is_valid(), "{}", setting.id);
            assert!(setting.is_numeric(), "{}", setting.id);
            assert!(!setting.label.is_empty() && setting.help.ends_with('.'), "{}", setting.id);
        }
        let ids: std::collections::BTreeSet<_> = settings.iter().map(|s| &s.id).collect();
        assert_eq!(ids.len(), settings.len());
    }
}
