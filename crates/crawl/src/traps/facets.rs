//! Filters that multiply: one page, narrowed down by ever new combinations of parameters.

use super::repeat::{parameters, shorten};
use super::wild::counts;
use model::address::origin_of;
use model::hash::fingerprint;
use std::collections::{HashMap, HashSet};

/// Parameters from which on an address counts as a combination. Two filters of thirty values give nine hundred pages; three
/// have no end for a visitor.
const PARAMETERS: usize = 3;
/// Orders and choices of names under one path before it is a trap. A program has a few forms, a filter has all of them.
const CHOICES: usize = 60;
/// Addresses with the same names before it is looked at whether they only combine a few values: with fewer, things that
/// come in dozens of variants each look the same.
const MEMBERS: usize = 2_000;
/// Values of each parameter of a combination at least, and at most: a number that names a thing has more.
const FEW: usize = 3;
const MANY: usize = 50;
/// Paths, and paths with their names, that are watched, and parameters of one address that are looked at.
const WATCHED: usize = 1_024;
const LOOKED_AT: usize = 12;

#[derive(Default)]
pub(super) struct Facets {
    /// By path: the choices of names seen there.
    paths: HashMap<u64, HashSet<u64>>,
    /// By path and names: how often, and the values of each parameter.
    combinations: HashMap<u64, Combination>,
}

#[derive(Default)]
struct Combination {
    members: usize,
    values: Vec<HashSet<u64>>,
    /// A value names a thing: this is no filter.
    open: bool,
}

impl Facets {
    /// Counts an address that is to be queued. The pattern, where it is one more of combinations without end.
    pub(super) fn refuse(&mut self, url: &str) -> Option<String> {
        let origin = origin_of(url);
        let (path, query) = url[origin.len()..].split_once('?')?;
        let pairs: Vec<(&str, &str)> = parameters(query)
            .take(LOOKED_AT)
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .collect();
        if pairs.len() < PARAMETERS {
            return None;
        }
        let mut names = String::with_capacity(query.len());
        for (name, _) in &pairs {
            names.push('&');
            names.push_str(name);
        }
        if self.has_many_choices(
            fingerprint(format!("{origin}{path}").as_bytes()),
            fingerprint(names.as_bytes()),
        ) {
            return Some(shorten(format!("{path}?*&*&*")));
        }
        let key = fingerprint(format!("{origin}{path}?{names}").as_bytes());
        self.combines_a_few_values(key, &pairs).then(|| {
            let stars: Vec<String> = pairs.iter().map(|(name, _)| format!("{name}=*")).collect();
            shorten(format!("{path}?{}", stars.join("&")))
        })
    }

    fn has_many_choices(&mut self, path: u64, names: u64) -> bool {
        if self.paths.len() >= WATCHED && !self.paths.contains_key(&path) {
            return false;
        }
        let choices = self.paths.entry(path).or_default();
        if choices.len() <= CHOICES {
            choices.insert(names);
        }
        choices.len() > CHOICES
    }

    fn combines_a_few_values(&mut self, key: u64, pairs: &[(&str, &str)]) -> bool {
        if self.combinations.len() >= WATCHED && !self.combinations.contains_key(&key) {
            return false;
        }
        let seen = self.combinations.entry(key).or_default();
        if seen.open {
            return false;
        }
        seen.members += 1;
        seen.values.resize_with(pairs.len(), HashSet::new);
        for ((name, value), values) in pairs.iter().zip(&mut seen.values) {
            if values.len() <= MANY {
                values.insert(fingerprint(value.as_bytes()));
            }
            // Pages of a list and parts of a date count on: they say nothing about what the others are.
            if values.len() > MANY && !counts(name) {
                seen.open = true;
            }
        }
        if seen.open {
            seen.values = Vec::new();
            return false;
        }
        let filters = pairs
            .iter()
            .zip(&seen.values)
            .filter(|((name, _), values)| values.len() >= FEW && !counts(name))
            .count();
        seen.members > MEMBERS && filters >= PARAMETERS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(facets: &mut Facets, paths: impl Iterator<Item = String>) -> Vec<String> {
        let mut patterns: Vec<String> =
            paths.filter_map(|path| facets.refuse(&format!("http://h.test{path}"))).collect();
        patterns.dedup();
        patterns
    }

    #[test]
    fn filters_in_any_order_are_a_trap() {
        let names = ["color", "size", "brand", "price", "sale", "new"];
        let orders = (0..216).map(|n| {
            let (a, b, c) = (names[n / 36], names[n / 6 % 6], names[n % 6]);
            format!("/shop?{a}=1&{b}=2&{c}=3")
        });
        let mut facets = Facets::default();
        assert_eq!(refused(&mut facets, orders), ["/shop?*&*&*"]);
        assert_eq!(facets.refuse("http://h.test/shop?color=1&size=2"), None, "two filters are let in");
        assert_eq!(facets.refuse("http://h.test/cart?color=1&size=2&brand=3"), None);
    }

    #[test]
    fn values_that_combine_are_a_trap() {
        let all =
            (0..8_000).map(|n| format!("/shop?color={}&size={}&brand={}", n / 400, n / 20 % 20, n % 20));
        assert_eq!(refused(&mut Facets::default(), all), ["/shop?color=*&size=*&brand=*"]);
    }

    #[test]
    fn programs_with_parameters_are_none() {
        let none = Vec::<String>::new();
        let check = |name: &str, path: &dyn Fn(usize) -> String| {
            assert_eq!(refused(&mut Facets::default(), (0..20_000).map(path)), none, "{name}");
        };
        check("articles", &|n| format!("/index.php?option=content&view=article&id={n}&Itemid={}", n % 40));
        check("an archive", &|n| {
            format!("/news?year={}&month={}&day={}", 2000 + n / 372, n / 31 % 12, n % 31)
        });
        check("lists of categories", &|n| format!("/list?cat={}&lang={}&page={}", n % 40, n % 2, n / 80));
        check("products with variants", &|n| format!("/p?id={}&color={}&size={}", n / 30, n % 5, n % 6));
        check("a few forms", &|n| format!("/app?form{}=1&a={}&b=2", n % 30, n % 2));
    }
}
