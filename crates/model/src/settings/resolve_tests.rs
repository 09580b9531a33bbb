//! Behaviour of the whole settings folder, seen from outside.

use super::*;
use crate::settings::{SECTIONS, Said, template};

fn threshold() -> Setting {
    Setting {
        id: "audit.title_max_chars".into(),
        label: "Longest title".into(),
        help: "Characters after which a title is called too long.".into(),
        kind: Kind::Number { min: 1.0, max: 1000.0, unit: "characters" },
        default: Value::Number(60.0),
    }
}

fn profile(values: &[(&str, &str)]) -> Profile {
    let mut profile = Profile::default();
    for (id, text) in values {
        profile.set(id, text);
    }
    profile
}

fn run(values: &[(&str, &str)]) -> Result<Plan, Vec<SettingError>> {
    resolve(Start::default(), &[(Layer::Run, &profile(values))], &[threshold()])
}

#[test]
fn defaults_are_the_documented_ones() {
    let plan = run(&[]).unwrap();
    assert_eq!((plan.pace.concurrency, plan.pace.delay), (5, Duration::ZERO));
    assert_eq!(plan.fetch.timeout, Duration::from_secs(20));
    assert_eq!(plan.fetch.retries, [Duration::from_millis(500), Duration::from_secs(1)]);
    assert_eq!(
        (plan.fetch.redirects, plan.fetch.body_cap, plan.fetch.sitemap_cap),
        (10, 10_000_000, 100_000_000)
    );
    assert_eq!((plan.fetch.retry_after_cap.as_secs(), plan.fetch.inflight_budget), (120, 64_000_000));
    assert!(plan.robots.obey && plan.store.html && plan.sitemaps.from_robots && !plan.links.respect_nofollow);
    assert_eq!((plan.limits.max_urls, plan.limits.max_depth), (None, None));
    assert_eq!((plan.agent.token.as_str(), plan.agent.audited_bot.as_str()), ("GossamerBot", "Googlebot"));
    let kinds = |kind, internal| plan.links.treatment(kind, internal);
    assert_eq!(kinds(LinkKind::Anchor, true), Treatment::Crawl);
    assert_eq!(kinds(LinkKind::Anchor, false), Treatment::Check);
    assert_eq!(kinds(LinkKind::MetaRefresh, true), Treatment::Crawl);
    assert_eq!(kinds(LinkKind::Canonical, false), Treatment::Store);
    assert_eq!(kinds(LinkKind::Form, true), Treatment::Store);
    assert_eq!(plan.links.kinds.len(), LinkKind::ALL.len());
    assert!(plan.thresholds.is_empty());
}

/// Guards the getters' ids: a setting that nothing reads would leave the plan as it was.
#[test]
fn every_setting_changes_the_plan() {
    let shape = |plan: Plan| format!("{:?}", Plan { said: String::new(), ..plan });
    let default = shape(run(&[]).unwrap());
    for setting in catalogue() {
        assert!(setting.default_is_valid(), "{}: the default is out of its own range", setting.id);
        let other = match (&setting.kind, &setting.default) {
            (Kind::Switch, Value::Switch(on)) => (!on).to_string(),
            (Kind::Whole { max, .. } | Kind::Limit { max, .. }, _) => max.to_string(),
            (Kind::Duration { max, .. }, _) => max.as_secs().to_string(),
            (Kind::Size { max, .. }, _) => max.to_string(),
            (Kind::Choice(words), default) => {
                words.iter().find(|word| **word != default.text()).copied().unwrap_or_default().to_owned()
            }
            (Kind::HeaderText | Kind::Token | Kind::Text | Kind::Paragraphs | Kind::File, _) => {
                "Other".to_owned()
            }
            (Kind::Contact | Kind::Addresses, _) => "https://contact.example/".to_owned(),
            (Kind::Hosts, _) => "cdn.example.com".to_owned(),
            (Kind::Words, _) => "utm_source".to_owned(),
            (Kind::Rules, _) => "exclude /private/".to_owned(),
            (Kind::Searches, _) => "tag = contains source: gtm.js".to_owned(),
            (Kind::Extractions, _) => "price = css: .price".to_owned(),
            (Kind::Segments, _) => "Blog = /blog/**".to_owned(),
            (Kind::Rewrites, _) => "/old/ => /new/".to_owned(),
            (Kind::Proxy, _) => "socks5://127.0.0.1:1080".to_owned(),
            (Kind::Headers, _) => "X-Audit: 1".to_owned(),
            (Kind::Overrides, _) => "www.example.com:443:127.0.0.1:8443".to_owned(),
            _ => String::new(),
        };
        // Who the second agent is matters only where there is one.
        let comparing = [("extras.compare_agents", "true")];
        let with: &[(&str, &str)] = if setting.id == "extras.second_agent" { &comparing } else { &[] };
        let plan = run(&[with, &[(&*setting.id, &*other)]].concat())
            .unwrap_or_else(|errors| panic!("{}: {errors:?}", setting.id));
        let default = if with.is_empty() { default.clone() } else { shape(run(with).unwrap()) };
        assert_ne!(shape(plan), default, "{} = {other} changes nothing", setting.id);
    }
}

#[test]
fn declarations_are_complete() {
    let mut ids: Vec<&str> = catalogue().iter().map(|setting| &*setting.id).collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids are unique");
    for setting in catalogue() {
        assert!(
            SECTIONS.iter().any(|section| section.id == setting.section()),
            "{} is in a declared section",
            setting.id
        );
        assert!(
            !setting.label.is_empty() && setting.help.len() > 15 && setting.help.ends_with('.'),
            "{}",
            setting.id
        );
        assert!(
            setting.id.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'.')),
            "{}",
            setting.id
        );
    }
}

#[test]
fn all_errors_come_at_once_and_name_their_setting() {
    let said = Profile::parse(
        "version = 1\n[fetch]\ntimeout = \"soon\"\nretries = 99\nredirects = true\ntimeuot = 3\n[scope]\nrules = [\"exclude (\"]\nextra_hosts = [\"a b\"]\n[nonsense]\nx = 1\n",
    )
    .unwrap();
    let run = profile(&[("audit.title_max_chars", "0"), ("agent.contact", "me) evil")]);
    let errors = resolve(Start::default(), &[(Layer::Run, &run), (Layer::Profile, &said)], &[threshold()])
        .unwrap_err();
    let find = |id: &str| {
        let error = errors
            .iter()
            .find(|error| error.id == id)
            .unwrap_or_else(|| panic!("{id} is missing in {errors:?}"));
        (error.reason.as_str(), error.layer)
    };
    assert!(find("fetch.timeout").0.contains("a duration such as"));
    assert!(find("fetch.retries").0.contains("0 to 10"));
    assert!(find("fetch.redirects").0.contains("true or false was given"));
    assert!(find("fetch.timeuot").0.contains("did you mean fetch.timeout"));
    assert!(find("scope.rules").0.contains("unclosed group"));
    assert!(find("scope.extra_hosts").0.contains("host name"));
    assert!(find("nonsense.x").0.contains("no such setting"));
    assert_eq!(find("audit.title_max_chars").1, Layer::Run);
    assert!(find("agent.contact").0.contains("e-mail"));
    assert_eq!(errors.len(), 9);
}

#[test]
fn later_layers_win() {
    let app = profile(&[("fetch.timeout", "1s"), ("fetch.retries", "1"), ("pace.delay", "100ms")]);
    let file = profile(&[("fetch.timeout", "2s"), ("fetch.retries", "4")]);
    let run = profile(&[("fetch.timeout", "3s")]);
    let layers = [(Layer::Run, &run), (Layer::App, &app), (Layer::Profile, &file)];
    let plan = resolve(Start::default(), &layers, &[]).unwrap();
    assert_eq!(plan.fetch.timeout, Duration::from_secs(3));
    assert_eq!(plan.fetch.retries.len(), 4);
    assert_eq!(plan.pace.delay, Duration::from_millis(100));
}

#[test]
fn values_are_read_as_people_write_them() {
    let check = |id: &str, text: &str, expect: Option<Said>| {
        let said = run(&[(id, text)]).ok().map(|plan| {
            let stored = Profile::parse(&plan.said).unwrap();
            stored.values().next().unwrap().1.clone()
        });
        assert_eq!(said, expect, "{id} = {text}");
    };
    let text = |text: &str| Some(Said::Text(text.to_owned()));
    let list = |items: &[&str]| Some(Said::List(items.iter().map(|item| (*item).to_owned()).collect()));
    check("fetch.timeout", "90", text("90s"));
    check("fetch.timeout", "1.5", text("1500ms"));
    check("fetch.timeout", "0", None);
    check("fetch.body-cap", "2 MiB", text("2097152B"));
    check("limits.max_urls", "none", text("none"));
    check("limits.max_urls", "5_000", Some(Said::Whole(5000)));
    check("limits.max_urls", "-1", None);
    check("robots.obey", "off", Some(Said::Switch(false)));
    check("robots.obey", "maybe", None);
    check("agent.preset", "GoogleBot", text("googlebot"));
    check("external_links.anchor", "crawl", None);
    check(
        "scope.extra_hosts",
        "CDN.example.com, bücher.example",
        list(&["cdn.example.com", "xn--bcher-kva.example"]),
    );
    check("scope.extra_hosts", "example.com:8080", None);
    check("scope.rules", "exclude [?]a{1,2}", list(&["exclude [?]a{1,2}"]));
    check("scope.rules", r#"["include /a", "exclude ."]"#, list(&["include /a", "exclude ."]));
    check("scope.rules", "/a", None);
    check("scope.rewrites", r"/(\d{1,2})/ => /$1", list(&[r"/(\d{1,2})/ => /$1"]));
    check("scope.rewrites", ";sid=.* =>", list(&[";sid=.* =>"]));
    check("scope.rewrites", "/a", None);
    check("scope.rewrites", "=> /a", None);
    check("scope.rewrites", "( => /a", None);
    check("scope.rules", "exclude (a{1000}){1000}{1000}", None);
    check("sitemaps.extra", "ftp://example.com/", None);
    check("agent.user_agent", "Bot\r\nX-Evil: 1", None);
    check("audit.title_max_chars", "55.5", Some(Said::Number(55.5)));
    check("audit.title_max_chars", "NaN", None);
}

#[test]
fn passwords_are_refused_and_never_repeated() {
    let check = |id: &str, text: &str| {
        let errors = run(&[(id, text)]).unwrap_err();
        let [error] = &errors[..] else { panic!("{errors:?}") };
        assert_eq!(error.id, id);
        assert!(!error.to_string().contains("secret"), "{error}");
    };
    check("sitemaps.extra", "https://user:secret@example.com/sitemap.xml");
    check("sitemaps.extra", "https://secret@example.com/sitemap.xml");
    check("sitemaps.extra", "ftp://user:secret@example.com/");
    check("sitemaps.extra", "https://user:secret@");
    check("http.overrides", "http://user:secret@h.test:443:127.0.0.1");
    check("http.overrides", "user:secret@h.test:443:127.0.0.1");
    check("http.proxy", "http://user:secret@proxy.test:3128");
    check("scope.extra_hosts", "user:secret@h.test");
    check("agent.contact", "https://user:secret@example.com/");
}

#[test]
fn what_a_report_bears_is_checked_and_not_stored_with_a_crawl() {
    let plan = run(&[
        ("report.agency", " Bücher & Söhne "),
        ("report.intro", "One.\n\nTwo\tlines.\n"),
        ("report.logo", "brand/logo.svg"),
        ("report.csv_bom", "no"),
    ])
    .unwrap();
    assert_eq!(plan.report.agency, "Bücher & Söhne");
    assert_eq!(plan.report.intro, "One.\n\nTwo\tlines.");
    assert_eq!(plan.report.logo.as_deref(), Some(std::path::Path::new("brand/logo.svg")));
    assert!(!plan.report.csv_bom);
    assert!(!plan.said.contains("report"), "{}", plan.said);
    let check = |id: &str, text: &str, expect: &str| {
        let errors = run(&[(id, text)]).unwrap_err();
        assert!(errors[0].id == id && errors[0].reason.contains(expect), "{}", errors[0]);
    };
    check("report.agency", "two\nlines", "one line");
    check("report.agency", &"x".repeat(201), "one line");
    check("report.intro", "a\u{1b}[31m", "control");
    check("report.intro", &"x".repeat(5_001), "longer than 5000");
    check("report.logo", "a\0b", "path");
}

#[test]
fn what_was_said_resolves_again_to_the_same_plan() {
    let plan = run(&[
        ("fetch.timeout", "5s"),
        ("scope.rules", "exclude \"quoted\" \\d"),
        ("audit.title_max_chars", "70"),
        ("limits.max_depth", "none"),
    ])
    .unwrap();
    assert_eq!(plan.thresholds["audit.title_max_chars"], 70.0);
    let stored = Profile::parse(&plan.said).unwrap();
    let again = resolve(Start::default(), &[(Layer::Profile, &stored)], &[threshold()]).unwrap();
    assert_eq!(format!("{plan:?}"), format!("{again:?}"));
}

#[test]
fn the_template_says_nothing_until_its_comments_are_taken_away() {
    let text = template(&[threshold()]);
    assert!(Profile::parse(&text).unwrap().is_empty());
    let opened: Vec<&str> = text
        .lines()
        .map(|line| {
            if line.starts_with("## ") {
                line
            } else {
                line.strip_prefix("# ").filter(|_| !line.contains('“')).unwrap_or(line)
            }
        })
        .collect();
    let said = Profile::parse(&opened.join("\n")).unwrap();
    assert_eq!(said.values().count(), catalogue().len() + 1, "every setting is in it");
    let plan = resolve(Start::default(), &[(Layer::Profile, &said)], &[threshold()]).unwrap();
    let default = run(&[]).unwrap();
    assert_eq!(format!("{:?}", plan.links), format!("{:?}", default.links));
    assert_eq!(
        format!("{:?}{:?}{:?}", plan.agent, plan.fetch, plan.scope),
        format!("{:?}{:?}{:?}", default.agent, default.fetch, default.scope)
    );
}

fn check_run(layer: Layer, values: &[(&str, &str)]) -> Result<Plan, Vec<SettingError>> {
    let start = Start { job: Job::Check, ..Start::default() };
    resolve(start, &[(layer, &profile(values))], &[threshold()])
}

#[test]
fn a_check_runs_by_its_policy() {
    let plan = check_run(Layer::Profile, &[]).unwrap();
    assert_eq!(plan.policy, *Policy::of(Job::Check));
    assert_eq!((plan.pace.concurrency, plan.pace.delay), (5, Duration::from_millis(200)));
    assert_eq!((plan.fetch.timeout, plan.fetch.retries.len()), (Duration::from_secs(15), 0));
    assert_eq!(
        (plan.fetch.redirects, plan.fetch.body_cap, plan.fetch.sitemap_cap),
        (10, 5_000_000, 50_000_000)
    );
    assert!(
        plan.robots.obey && !plan.extras.probes && !plan.extras.confirm && !plan.fetch.download_resources
    );
    assert_eq!((plan.limits.max_urls, plan.limits.max_depth), (None, Some(10)));
    let kinds = |kind| (plan.links.treatment(kind, true), plan.links.treatment(kind, false));
    assert_eq!(kinds(LinkKind::Anchor), (Treatment::Crawl, Treatment::Check));
    assert_eq!(kinds(LinkKind::Image), (Treatment::Check, Treatment::Check));
    for left_alone in [LinkKind::Script, LinkKind::Style, LinkKind::Font, LinkKind::Icon, LinkKind::Social] {
        assert_eq!(kinds(left_alone), (Treatment::Store, Treatment::Store), "{left_alone}");
    }
}

#[test]
fn a_check_takes_from_a_profile_only_what_it_may() {
    let said = [
        ("agent.contact", "https://agency.example/"),
        ("agent.preset", "browser"),
        ("robots.obey", "false"),
        ("pace.concurrency", "5"),
        ("fetch.timeout", "60s"),
        ("limits.max_pages", "9"),
        ("audit.title_max_chars", "70"),
        ("scope.rules", "exclude /private/"),
    ];
    let plan = check_run(Layer::Profile, &said).unwrap();
    assert_eq!(plan.policy, *Policy::of(Job::Check));
    assert!(plan.agent.header.contains("agency.example") && plan.agent.header.starts_with("GossamerBot/"));
    assert_eq!((plan.thresholds.len(), plan.scope.rules.len()), (1, 1));
    // What is said as it is fixed anyway is no loss.
    let left_out: Vec<&str> = plan.left_out.iter().map(|left| left.id.as_str()).collect();
    assert_eq!(left_out, ["agent.preset", "fetch.timeout", "limits.max_pages", "robots.obey"]);
    assert!(plan.left_out.iter().all(|left| left.reason.ends_with('.')));
    assert!(!plan.said.contains("obey") && plan.said.contains("contact"), "{}", plan.said);
    // Said for this run, it is refused with its reason; a wrong value is wrong in any job.
    let errors = check_run(Layer::Run, &said).unwrap_err();
    assert_eq!(errors.len(), 5);
    assert!(errors.iter().any(|error| error.reason == "A Check always obeys robots.txt."));
    assert!(check_run(Layer::Profile, &[("fetch.timeout", "soon")]).is_err());
}

#[test]
fn what_a_job_takes_exists() {
    let free = |job| catalogue().iter().filter(|setting| lock(job, &setting.id).is_none()).count();
    assert_eq!(free(Job::Audit), catalogue().len());
    assert_eq!(free(Job::Check), super::super::locks::CHECK_TAKES.len());
}

#[test]
fn an_audit_fills_its_policy_from_the_settings() {
    assert_eq!(run(&[]).unwrap().policy, *Policy::of(Job::Audit));
    let plan = run(&[("robots.obey", "false"), ("limits.max_pages", "9"), ("fetch.retries", "3")]).unwrap();
    assert!(!plan.policy.robots.binds() && !plan.robots.obey);
    assert_eq!(plan.policy.pages.pages, Some(9));
    let waits: Vec<u128> = plan.fetch.retries.iter().map(Duration::as_millis).collect();
    assert_eq!(waits, [500, 1000, 2000]);
}
