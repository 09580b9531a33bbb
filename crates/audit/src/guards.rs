//! What must hold of every audit.

use crate::audit::{Family, Rule, Scope, Target};
use crate::cases::Scene;
use crate::catalogue::catalogue;
use crate::evaluate::select;
use crate::limits;
use crate::rows::{Reach, RowScan};
use crate::scene;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn ids_are_kebab_case_and_unique() {
    let mut seen = BTreeSet::new();
    for audit in catalogue() {
        assert!(seen.insert(audit.id), "{} is there twice", audit.id);
        let kebab = audit.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        assert!(kebab && !audit.id.starts_with('-') && !audit.id.ends_with('-'), "{}", audit.id);
    }
}

#[test]
fn the_list_of_ids_is_the_released_one() {
    let ids: Vec<&str> = catalogue().iter().map(|audit| audit.id).collect();
    let released: Vec<&str> = include_str!("../ids.txt").lines().collect();
    assert_eq!(
        ids, released,
        "ids are a public contract: add to crates/audit/ids.txt what is new, and never rename or remove a released id"
    );
}

#[test]
fn every_audit_says_what_it_is_about() {
    for audit in catalogue() {
        let id = audit.id;
        assert!(!audit.title.is_empty() && !audit.title.ends_with('.'), "{id}: title");
        for text in [audit.why, audit.fix] {
            assert!(text.len() > 20 && (text.ends_with('.') || text.ends_with("xml")), "{id}: {text:?}");
            assert!(!text.contains("  "), "{id}: {text:?}");
        }
        assert!(!audit.evidence.is_empty(), "{id}: evidence");
        assert!(!audit.references.is_empty(), "{id}: references");
        assert!(audit.references.iter().all(|url| url.starts_with("https://")), "{id}: references");
        assert!(audit.version > 0, "{id}: version");
    }
}

#[test]
fn rules_and_scopes_agree() {
    for audit in catalogue() {
        let fits = match audit.rule {
            Rule::Row(..) => audit.scope.condition().is_some(),
            Rule::Longer(..) | Rule::Shorter(..) | Rule::Same(_) => audit.scope == Scope::Indexable,
            Rule::Link(_) | Rule::AnyLink(_) => audit.scope == Scope::Link,
            Rule::Robots(_) | Rule::RobotsAt(_) => audit.scope == Scope::Robots,
            Rule::Host(_) | Rule::HostText(_) => audit.scope == Scope::Host,
            Rule::Probe(_) => audit.scope == Scope::Probe,
            Rule::Circle => audit.scope == Scope::Page,
            Rule::Flaw(kind) => {
                matches!(audit.scope, Scope::Page | Scope::Content | Scope::Indexable)
                    && kind.word() == audit.id
            }
            Rule::Url(..) => audit.scope.condition().is_some(),
            Rule::Variants(_) => audit.scope == Scope::Page,
            Rule::Sitemap(_) => matches!(audit.scope, Scope::Sitemap | Scope::Entry),
            Rule::Entry(_) => audit.scope == Scope::Entry,
            Rule::Change(..) | Rule::Life(_) => audit.family == Family::Change,
            Rule::Select(_) => true,
        };
        assert!(fits, "{} has a rule of another kind than its scope", audit.id);
    }
}

#[test]
fn findings_of_elements_tell_their_line() {
    for audit in catalogue() {
        let tells_line = audit.evidence.iter().any(|(name, _)| *name == "line");
        if matches!(crate::subject(audit), crate::Subject::Occurrence) {
            assert!(
                tells_line,
                "{}: its findings are about elements, and its evidence has no line",
                audit.id
            );
        }
    }
}

/// Everything in an audit in which a threshold may stand.
fn sql_of(rule: &Rule) -> Vec<&'static str> {
    match rule {
        Rule::Row(_, sql)
        | Rule::Host(sql)
        | Rule::HostText(sql)
        | Rule::Select(sql)
        | Rule::Sitemap(sql)
        | Rule::Change(_, sql)
        | Rule::Life(sql)
        | Rule::Url(sql, _) => vec![*sql],
        Rule::Longer(_, _)
        | Rule::Shorter(_, _)
        | Rule::Same(_)
        | Rule::Flaw(_)
        | Rule::Robots(_)
        | Rule::RobotsAt(_)
        | Rule::Circle
        | Rule::Probe(_)
        | Rule::Variants(_)
        | Rule::Entry(_) => Vec::new(),
        Rule::Link(link) => link_sql(link),
        Rule::AnyLink(links) => links.iter().flat_map(link_sql).collect(),
    }
}

fn link_sql(link: &crate::LinkRule) -> Vec<&'static str> {
    let target = match link.target {
        Target::Row(sql) => Some(sql),
        Target::Any | Target::Missing => None,
    };
    [Some(link.shape), target, link.source].into_iter().flatten().collect()
}

fn placeholders(sql: &str) -> Vec<&str> {
    sql.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
}

#[test]
fn every_parameter_exists_and_is_used() {
    let fixed = ["rows", "crawl", "first", "last", "unverifiable"];
    for audit in catalogue() {
        let declared: BTreeSet<&str> = audit.thresholds.iter().map(|threshold| threshold.name).collect();
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for sql in sql_of(&audit.rule).into_iter().chain(audit.escalation.map(|e| e.when)) {
            used.extend(placeholders(sql).into_iter().filter(|name| !fixed.contains(name)));
        }
        if let Rule::Longer(_, name) | Rule::Shorter(_, name) = audit.rule {
            used.insert(name);
        }
        assert!(used.is_subset(&declared), "{}: {used:?} of {declared:?}", audit.id);
        // A condition in Rust may read a threshold, too.
        let in_rust = matches!(audit.rule, Rule::Link(link) if link.text.is_some())
            || matches!(audit.rule, Rule::Robots(_) | Rule::Url(..) | Rule::Entry(_));
        assert!(in_rust || used == declared, "{}: {declared:?} of which {used:?} are used", audit.id);
        for threshold in audit.thresholds {
            assert!((threshold.min..=threshold.max).contains(&threshold.default), "{}", threshold.name);
            assert!(!fixed.contains(&threshold.name), "{}", threshold.name);
        }
    }
}

#[test]
fn a_shared_threshold_is_the_same_everywhere() {
    let mut by_name = BTreeMap::new();
    for threshold in catalogue().iter().flat_map(|audit| audit.thresholds) {
        let known = by_name.entry(threshold.name).or_insert(threshold);
        assert_eq!(*known, threshold);
    }
    assert_eq!(limits::all().count(), by_name.len() + 1);
}

#[test]
fn every_rule_prepares_against_a_fresh_schema() {
    let mut writer = scene::writer();
    crate::sql_functions::register(&mut writer).unwrap();
    let limits = scene::limits(&[]);
    // One by one, so that a failure names its audit.
    for audit in catalogue() {
        if let Rule::Row(_, sql) | Rule::Host(sql) | Rule::HostText(sql) | Rule::Url(sql, _) = audit.rule {
            let sql = format!(
                "EXPLAIN SELECT {} FROM {}",
                crate::compile::condition(sql, &limits),
                crate::view::crawl_rows()
            );
            writer.rows(&sql, &[], &mut |_| Ok(())).unwrap_or_else(|error| panic!("{}: {error}", audit.id));
        }
        if let Rule::Select(sql) = audit.rule {
            let sql = format!("EXPLAIN SELECT url, ref FROM ({})", select(sql, 1, &limits));
            writer.rows(&sql, &[], &mut |_| Ok(())).unwrap_or_else(|error| panic!("{}: {error}", audit.id));
        }
        if let Rule::Sitemap(sql) = audit.rule {
            let sql = format!("EXPLAIN SELECT sitemap, ref FROM ({})", select(sql, 1, &limits));
            writer.rows(&sql, &[], &mut |_| Ok(())).unwrap_or_else(|error| panic!("{}: {error}", audit.id));
        }
        for (name, sql) in audit.evidence {
            let sql = format!("EXPLAIN SELECT {sql} FROM {}", crate::view::finding_rows());
            writer
                .rows(&sql, &[], &mut |_| Ok(()))
                .unwrap_or_else(|error| panic!("{} shows {name}: {error}", audit.id));
        }
    }
    // Together, which also prepares the rules about links.
    crate::evaluate(&mut writer, 1, &limits, &mut |_| true).unwrap();
    // A rule that claims to need only its own URL must not see any other.
    let mut findings = crate::findings::Findings::new(1, vec![0; catalogue().len()]);
    RowScan::new(Reach::Itself, &limits, writer.seed()).keys(&mut writer, &mut findings, &[1 << 32]).unwrap();
}

#[test]
fn every_audit_has_a_failing_and_a_passing_case() {
    for audit in catalogue() {
        let id = audit.id;
        assert!(!audit.case.found.is_empty(), "{id} has no failing case");
        assert!(audit.case.found.iter().all(|(_, count)| *count > 0), "{id}");
        let check = |resources: &[crate::Resource]| {
            assert!(resources.iter().any(|resource| resource.path == "/"), "{id}: a site begins at /");
            let paths: BTreeSet<&str> = resources.iter().map(|resource| resource.path).collect();
            assert_eq!(paths.len(), resources.len(), "{id}: a path is there twice");
        };
        for scene in [audit.case.failing, audit.case.passing] {
            match scene {
                Scene::Site(resources) => check(resources),
                Scene::Course(sites) => {
                    assert!(sites.len() > 1, "{id}: a course has several crawls");
                    sites.iter().for_each(|resources| check(resources));
                }
                Scene::Facts(facts) => assert!(!facts.is_empty(), "{id}"),
            }
        }
        let known: BTreeSet<String> =
            limits::settings().iter().map(|setting| setting.id.to_string()).collect();
        for (setting, _) in audit.case.settings {
            assert!(!setting.starts_with("audit.") || known.contains(*setting), "{id}: {setting}");
        }
    }
}

#[test]
fn cases_made_of_facts_are_found() {
    for audit in catalogue() {
        let (Scene::Facts(failing), Scene::Facts(passing)) = (audit.case.failing, audit.case.passing) else {
            continue;
        };
        let check = |facts: &[crate::Fact], expect: &[(&str, usize)]| {
            let mut writer = scene::stage(facts);
            scene::evaluate(&mut writer, &scene::limits(&[]));
            let mut expect: Vec<(String, usize)> =
                expect.iter().map(|(url, n)| ((*url).to_owned(), *n)).collect();
            expect.sort();
            assert_eq!(scene::found(&mut writer, audit.id), expect, "{}", audit.id);
            for shown in scene::evidence(&mut writer, audit.id) {
                let values: serde_json::Map<String, serde_json::Value> =
                    serde_json::from_str(&shown).unwrap();
                assert!(values.values().any(|value| !value.is_null()), "{} shows nothing: {shown}", audit.id);
            }
        };
        check(failing, audit.case.found);
        check(passing, &[]);
    }
}

#[test]
fn the_catalogue_in_words_names_every_audit() {
    let text = crate::catalogue_markdown();
    for audit in catalogue() {
        assert!(text.contains(&format!("\n### {}\n", audit.id)), "{}", audit.id);
        let explained = crate::explain(audit.id).unwrap();
        assert_eq!((explained.id, explained.thresholds.len()), (audit.id, audit.thresholds.len()));
    }
    assert!(crate::explain("no-such-audit").is_none());
}
