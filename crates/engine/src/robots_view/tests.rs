//! robots.txt of projects made by hand.

use super::*;
use crate::made::Made;
use model::UrlState;
use store::{RobotsRow, TrafficRow, VisitRow};

const SITE: &str = "https://own.test";

const TEXT: &str = "# ours
User-agent: *
Disallow: /private/
Disallow: /*?sort=
Allow: /private/open
Crawl-delay: 2.5

User-agent: Googlebot
Disallow: /cart
User-agent: GreedyBot
Crawl-delay: soon
Disallow: /
hello world
Sitemap: https://own.test/sitemap.xml
Sitemap: /relative.xml
";

fn own() -> Made {
    Made::audit(SITE)
}

impl Made {
    fn robots(&mut self, origin: &str, row: &RobotsRow) {
        let host = self.writer.host(origin).unwrap();
        self.writer.put_robots(self.crawl, host, row).unwrap();
    }

    fn traffic(&mut self, origin: &str, internal: bool) {
        let host = self.writer.host(origin).unwrap();
        self.writer.add_traffic(self.crawl, host, &TrafficRow { internal, ..TrafficRow::default() }).unwrap();
    }

    fn url(&mut self, url: &str, state: UrlState, inlinks: i64) -> i64 {
        let visit = VisitRow { internal: url.starts_with(SITE), ..self.met(url, state) };
        let id = visit.url;
        self.writer.add_visit(self.crawl, &visit).unwrap();
        let key = store::key(self.crawl, id);
        self.writer
            .run(
                "INSERT INTO metric(key, inlinks, followed_inlinks, unique_inlinks, outlinks, external_outlinks) VALUES(?1, ?2, 0, 0, 0, 0)",
                &[key.into(), inlinks.into()],
            )
            .unwrap();
        key
    }
}

fn answered(text: &[u8]) -> RobotsRow {
    RobotsRow { state: "ok", status: Some(200), fetched: 1_000, body: text.to_vec(), ..RobotsRow::default() }
}

fn failed(state: &'static str, status: Option<u16>, error: Option<&str>) -> RobotsRow {
    RobotsRow { state, status, error: error.map(str::to_owned), ..RobotsRow::default() }
}

/// A site with a file, and others with none, a broken one and a dead one.
fn made() -> Made {
    let mut made = own();
    made.robots(SITE, &answered(TEXT.as_bytes()));
    made.traffic(SITE, true);
    made.robots("https://none.test", &failed("missing", Some(404), None));
    made.robots("https://down.test", &failed("unreachable", Some(503), None));
    made.robots("https://dead.test", &failed("unreachable", None, Some("dns: The name is not known.")));
    made.robots("https://busy.test", &failed("throttled", Some(429), None));
    made.url("https://busy.test/x", UrlState::Blocked, 0);
    made.url("https://own.test/private/a", UrlState::Blocked, 3);
    made.url("https://own.test/open", UrlState::Fetched, 9);
    made
}

#[test]
fn hosts_are_told_with_what_came_of_their_files() {
    let made = made();
    let told = made.insight().robots_hosts(made.crawl).unwrap();
    assert_eq!(told.total, 5);
    let line =
        |host: &RobotsHost| format!("{} {} {} | {}", host.host, host.internal, host.blocked, host.outcome);
    let expect = [
        "own.test true 1 | status 200: its rules are followed",
        "busy.test false 1 | status 429: the rules are unknown; the crawl goes on all the same",
        "dead.test false 0 | dns: The name is not known: the rules are unknown; the crawl goes on all the same",
        "down.test false 0 | status 503: the rules are unknown; the crawl goes on all the same",
        "none.test false 0 | status 404: no rules",
    ];
    assert_eq!(told.hosts.iter().map(line).collect::<Vec<_>>(), expect);
    let own = &told.hosts[0];
    assert_eq!((own.problems, own.groups, own.sitemaps), (3, 3, 2), "{own:?}");
    assert_eq!((own.group_followed.as_deref(), own.crawl_delay), (Some("*"), Some(2.5)));
    assert_eq!((own.bytes, own.fetched.as_str()), (TEXT.len() as u64, "1970-01-01T00:00:01.000Z"));
}

#[test]
fn the_site_is_known_before_its_traffic_is() {
    let mut made = own();
    made.robots(SITE, &answered(b""));
    made.robots("https://own.test.evil.test", &answered(b""));
    let told = made.insight().robots_hosts(made.crawl).unwrap();
    assert_eq!(told.hosts.iter().map(|host| host.internal).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn what_a_missing_answer_means_is_up_to_the_policy() {
    let check = |profile: &str, job: &str, row: &RobotsRow, expect: &str| {
        let mut made = Made::new(SITE, job, profile);
        made.robots(SITE, row);
        let told = made.insight().robots_hosts(made.crawl).unwrap();
        assert_eq!(told.hosts[0].outcome, expect, "{job} {profile}");
    };
    let down = failed("unreachable", Some(500), None);
    check("", "audit", &down, "status 500: the rules are unknown; the crawl goes on all the same");
    check("", "check", &down, "status 500: the rules are unknown; nothing is asked of this site");
    let busy = failed("throttled", Some(429), None);
    check("", "check", &busy, "status 429: the rules are unknown; nothing is asked of this site");
    let ignored = "status 200: its rules are shown and not followed, as the settings say";
    check("[robots]\nobey = false\n", "audit", &answered(b"User-agent: *\n"), ignored);
}

#[test]
fn a_file_is_told_line_by_line() {
    let made = made();
    let file = made.insight().robots_file(made.crawl, SITE).unwrap();
    assert_eq!(file.text, TEXT);
    assert_eq!(file.line_count, 15);
    let line = |line: &RobotsLine| {
        let group = line.group.map_or("-".to_owned(), |group| group.to_string());
        let counts = |counts: bool, mark: &'static str| if counts { mark } else { "" };
        let problem = counts(line.problem.is_some(), "!");
        format!(
            "{}{group}{}{}{problem}",
            line.kind,
            counts(line.followed, "o"),
            counts(line.followed_by_bot, "b")
        )
    };
    let expect = [
        "comment-",
        "user-agent0o",
        "disallow0o",
        "disallow0o",
        "allow0o",
        "crawl-delay0o",
        "blank-",
        "user-agent1b",
        "disallow1b",
        "user-agent2",
        "crawl-delay2!",
        "disallow2",
        "unreadable-!",
        "sitemap-",
        "sitemap-!",
    ];
    assert_eq!(file.lines.iter().map(line).collect::<Vec<_>>(), expect);
    assert_eq!(
        file.lines[10].problem.as_deref(),
        Some("This Crawl-delay is not a number of seconds; it is skipped.")
    );
    let group = |group: &RobotsGroup| {
        (
            group.agents.join(" "),
            group.first_line,
            group.last_line,
            group.allows,
            group.disallows,
            group.followed,
        )
    };
    let expect = [
        ("*".to_owned(), 2, 6, 1, 2, true),
        ("Googlebot".to_owned(), 8, 9, 0, 1, false),
        ("GreedyBot".to_owned(), 10, 12, 0, 1, false),
    ];
    assert_eq!(file.groups.iter().map(group).collect::<Vec<_>>(), expect);
    let agent =
        |agent: &RobotsAgent| (agent.token.clone(), agent.role.clone(), agent.group.clone(), agent.rules);
    let expect = [
        ("GossamerBot".to_owned(), "own".to_owned(), Some("*".to_owned()), 3),
        ("Googlebot".to_owned(), "bot".to_owned(), Some("Googlebot".to_owned()), 1),
    ];
    assert_eq!(file.agents.iter().map(agent).collect::<Vec<_>>(), expect);
    let sitemaps: Vec<_> = file.sitemaps.iter().map(|line| (line.line, line.absolute)).collect();
    assert_eq!(sitemaps, [(14, true), (15, false)]);
}

#[test]
fn a_crawl_delay_belongs_to_the_agents_right_before_it() {
    let mut made = own();
    let text = "User-agent: A\nCrawl-delay: 1\nUser-agent: Googlebot\nCrawl-delay: 2\nDisallow: /x\n";
    made.robots(SITE, &answered(text.as_bytes()));
    let file = made.insight().robots_file(made.crawl, SITE).unwrap();
    // The rule is shared by both, the delays are not.
    let counts: Vec<bool> = file.lines.iter().map(|line| line.followed_by_bot).collect();
    assert_eq!(counts, [false, false, true, true, true]);
    assert_eq!(file.agents[1].crawl_delay, Some(2.0));
}

#[test]
fn redirects_and_failures_are_told_with_the_file() {
    let mut made = own();
    let row = RobotsRow {
        hops: 2,
        final_url: Some("https://www.own.test/robots.txt".to_owned()),
        chain: Some("301 http://own.test/robots.txt\n308 https://own.test/robots.txt".to_owned()),
        ..answered(b"\xEF\xBB\xBFUser-agent: *\nDisallow: /\xE9\n")
    };
    made.robots(SITE, &row);
    let file = made.insight().robots_file(made.crawl, SITE).unwrap();
    let hops: Vec<_> = file.hops.iter().map(|hop| (hop.status, hop.url.as_str())).collect();
    assert_eq!(hops, [(301, "http://own.test/robots.txt"), (308, "https://own.test/robots.txt")]);
    assert_eq!(file.host.final_url.as_deref(), Some("https://www.own.test/robots.txt"));
    assert!(file.text.ends_with("Disallow: /\u{FFFD}\n"), "{:?}", file.text);
    let unknown = made.insight().robots_file(made.crawl, "https://never.test");
    assert!(
        matches!(unknown, Err(EngineError::Usage(why)) if why.contains("did not ask https://never.test"))
    );
    assert!(made.insight().robots_file(9, SITE).is_err(), "there is no crawl 9");
}

#[test]
fn a_file_in_utf_16_can_be_read_by_a_person() {
    let mut made = own();
    let text = "User-agent: *\r\nDisallow: /";
    let utf_16: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    made.robots(SITE, &answered(&utf_16));
    let file = made.insight().robots_file(made.crawl, SITE).unwrap();
    assert_eq!(file.text, text);
    assert_eq!(file.agents[0].group, None, "a crawler finds no valid line in it");
}

#[test]
fn a_file_is_kept_whole_up_to_its_limit() {
    let mut made = own();
    let line = "Disallow: /0123456789012345678901234567890123\n";
    let mut text = format!("User-agent: *\n{}", line.repeat(12_000));
    assert!(text.len() > 512_000);
    // As it is fetched: what counts, and one byte that says there is more.
    text.truncate(512_001);
    made.robots(SITE, &RobotsRow { flags: 1, ..answered(text.as_bytes()) });
    let file = made.insight().robots_file(made.crawl, SITE).unwrap();
    assert_eq!((file.text.len(), file.host.bytes, file.host.truncated), (512_001, 512_000, true));
    assert_eq!((file.line_count, file.lines.len()), (11_131, 10_000));
    // The line across the limit is not a rule: half a pattern would forbid more than was meant.
    assert_eq!(file.agents[0].rules, 11_130);
}

#[test]
fn urls_are_tested_with_the_line_that_decides() {
    let made = made();
    let insight = made.insight();
    let check = |text: Option<&str>, agent: &str, url: &str, expect: &str| {
        let told = insight.robots_test(made.crawl, SITE, text, agent, &[url.to_owned()]).unwrap();
        let told = &told[0];
        let verdict = match told.allowed {
            Some(true) => "allowed",
            Some(false) => "blocked",
            None => "silent",
        };
        let line = told.line.map_or("-".to_owned(), |line| line.to_string());
        let group = told.group.as_deref().unwrap_or("-");
        assert_eq!(format!("{verdict} {line} {group}: {}", told.reason), expect, "{agent} {url}");
    };
    let none = "No rule of the group for * matches: what no rule forbids is allowed.";
    check(None, "GossamerBot", "/private/a", "blocked 3 *: Line 3 decides: Disallow: /private/");
    check(None, "Foo/1.0 (x)", "private/open?x", "allowed 5 *: Line 5 decides: Allow: /private/open");
    check(None, "Foo", "https://own.test/a?sort=1", "blocked 4 *: Line 4 decides: Disallow: /*?sort=");
    check(None, "Foo", "https://u:p@own.test/", &format!("allowed - *: {none}"));
    check(None, "googlebot", "/cart#x", "blocked 9 Googlebot: Line 9 decides: Disallow: /cart");
    check(None, "Googlebot-Image", "/cart", "blocked 9 Googlebot: Line 9 decides: Disallow: /cart");
    let refused = insight.robots_test(made.crawl, SITE, None, "Mozilla/5.0 (compatible; Googlebot/2.1)", &[]);
    assert!(refused.unwrap_err().to_string().contains("Googlebot may be meant"));
    check(None, "Foo", "/robots.txt", "allowed - *: robots.txt itself may always be fetched.");
    check(
        Some("User-agent: A\nDisallow: /"),
        "Foo",
        "/x",
        "allowed - -: No group speaks to Foo: everything is allowed.",
    );
    check(Some("User-agent: *\nDisallow: /x"), "Foo", "/x/y", "blocked 2 *: Line 2 decides: Disallow: /x");
    check(None, "Foo", "ftp://own.test/", "silent - -: This is not an address of a website.");
    check(
        None,
        "Foo",
        "https://never.test/",
        "silent - -: https://never.test has a robots.txt of its own, which this crawl did not ask for.",
    );
    check(
        None,
        "Foo",
        "https://none.test/x",
        "allowed - -: There are no rules (status 404): everything is allowed.",
    );
    check(
        None,
        "Foo",
        "https://down.test/x",
        "silent - -: status 503: the rules are unknown; the crawl goes on all the same",
    );
    let empty = insight.robots_test(made.crawl, SITE, None, " / ", &["/".to_owned()]);
    assert!(matches!(empty, Err(EngineError::Usage(_))));
    let many = vec!["/".to_owned(); URLS + 1];
    assert!(matches!(insight.robots_test(made.crawl, SITE, None, "Foo", &many), Err(EngineError::Usage(_))));
}

#[test]
fn the_sandbox_counts_what_a_text_changes() {
    let mut made = made();
    let key = made.url("https://own.test/shop/1", UrlState::Fetched, 40);
    made.url("https://own.test/shop/2", UrlState::Fetched, 50);
    made.url("https://own.test/private/open", UrlState::Fetched, 7);
    made.url("https://other.test/shop/3", UrlState::Fetched, 50);
    let text = "User-agent: *\nDisallow: /shop/\nAllow: /private/\nDisallow: /private/a\nCrawl-delay: x\n";
    let tried =
        made.insight().robots_sandbox(made.crawl, SITE, text, "GossamerBot", &Cancel::default()).unwrap();
    assert_eq!(
        (tried.checked, tried.blocked, tried.newly_blocked, tried.newly_allowed),
        (5, 3, 2, 0),
        "{tried:?}"
    );
    let row = |row: &SandboxRow| {
        format!("{} {} {} {:?} {}", row.url, row.before, row.allowed, row.line, row.inlinks)
    };
    let expect = [
        "https://own.test/shop/2 true false Some(2) 50",
        "https://own.test/shop/1 true false Some(2) 40",
        "https://own.test/private/a false false Some(4) 3",
    ];
    assert_eq!(tried.rows.iter().map(row).collect::<Vec<_>>(), expect);
    assert_eq!((tried.rows[1].key, tried.rows[1].rule.as_deref()), (key, Some("Disallow: /shop/")));
    assert_eq!(tried.problems.len(), 1);
    assert_eq!((tried.problems[0].line, tried.problems[0].code.as_str()), (5, "bad-crawl-delay"));

    let opened =
        made.insight().robots_sandbox(made.crawl, SITE, "", "GossamerBot", &Cancel::default()).unwrap();
    assert_eq!((opened.blocked, opened.newly_allowed), (0, 1));
    assert_eq!(opened.rows[0].rule, None, "no rule of the text allows it");
}

#[test]
fn of_many_urls_the_sandbox_tells_those_with_the_most_links() {
    let mut made = own();
    made.robots(SITE, &answered(b"User-agent: *\nDisallow: /old/"));
    made.writer.begin().unwrap();
    for n in 0..1_500_i64 {
        made.url(&format!("{SITE}/new/{n}"), UrlState::Fetched, n * 7 % 1_500);
        made.url(&format!("{SITE}/old/{n}"), UrlState::Blocked, 1);
    }
    made.writer.commit().unwrap();
    let insight = made.insight();
    let run = |cancel: &Cancel| {
        insight.robots_sandbox(made.crawl, SITE, "User-agent: *\nDisallow: /new/", "GossamerBot", cancel)
    };
    let tried = run(&Cancel::default()).unwrap();
    assert_eq!((tried.checked, tried.newly_blocked, tried.newly_allowed), (3_000, 1_500, 1_500));
    let inlinks: Vec<u64> = tried.rows.iter().take(500).map(|row| row.inlinks).collect();
    assert_eq!(inlinks, (1_000..1_500).rev().collect::<Vec<u64>>());
    // Of equal weight, those that were met first.
    assert_eq!(tried.rows.len(), 1_000);
    assert_eq!(
        (tried.rows[500].url.as_str(), tried.rows[999].url.as_str()),
        ("https://own.test/old/0", "https://own.test/old/499")
    );

    let cancel = Cancel::default();
    cancel.cancel();
    assert!(matches!(run(&cancel), Err(EngineError::Cancelled)));
}
