//! A site that changes between crawls in known ways: the report lists exactly these, and findings live as they are to.

use gossamer_tests::results::rows_where;
use gossamer_tests::{Answer, Finished, Gossamer, Server, Site};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Path and answer of everything that a site has at one moment.
type Pages = Vec<(&'static str, Answer)>;

/// A site that is another one at each crawl.
struct Course {
    server: Server,
    at: Arc<AtomicUsize>,
    folder: tempfile::TempDir,
}

impl Course {
    fn new(moments: impl Fn(&str, &str) -> Vec<Pages>) -> Self {
        let site = Site::bind(&[("main", 1), ("other", 2)]);
        let states = moments(&site.url("main", ""), &site.url("other", ""));
        let mut answers = HashMap::new();
        for (at, pages) in states.into_iter().enumerate() {
            for (path, answer) in pages {
                assert!(answers.insert((at, path.to_owned()), answer).is_none(), "{path} is there twice");
            }
        }
        let at = Arc::new(AtomicUsize::new(0));
        let now = Arc::clone(&at);
        let server = site
            .otherwise(move |seen| {
                let path =
                    if seen.origin == "main" { seen.path.clone() } else { format!("other:{}", seen.path) };
                answers.get(&(now.load(Ordering::SeqCst), path)).cloned()
            })
            .serve();
        Self { server, at, folder: tempfile::tempdir().expect("a folder") }
    }

    fn project(&self) -> std::path::PathBuf {
        self.folder.path().join("site.gossamer")
    }

    fn crawl(&self, at: usize, more: &[&str]) -> Finished {
        self.at.store(at, Ordering::SeqCst);
        Gossamer::audit(&[self.server.url("main", "/")], &self.project())
            .set("fetch.retries", "0")
            .with(more)
            .run()
            .expect_code(0)
    }

    fn changes(&self, more: &[&str]) -> Finished {
        Gossamer::new(["changes".into(), self.project().as_os_str().to_owned()]).with(more).run()
    }

    /// Kind, path, before and after of every change as the command tells it.
    fn told(&self, more: &[&str]) -> BTreeSet<[String; 4]> {
        let finished = self.changes(&[more, &["--format", "json"]].concat()).expect_code(0);
        let rows: Vec<serde_json::Value> = serde_json::from_str(&finished.stdout).expect("JSON");
        let (main, other) = (self.server.url("main", ""), self.server.url("other", ""));
        let told: Vec<[String; 4]> = rows
            .iter()
            .map(|row| {
                let cell = |name: &str| {
                    row[name].as_str().unwrap_or("-").replace(&main, "").replace(&other, "other:")
                };
                [cell("change"), cell("url"), cell("before"), cell("after")]
            })
            .collect();
        let unique: BTreeSet<[String; 4]> = told.iter().cloned().collect();
        assert_eq!(unique.len(), told.len(), "a change is told twice");
        unique
    }
}

struct Doc {
    title: String,
    description: &'static str,
    h1: String,
    head: String,
    text: String,
    links: String,
}

impl Doc {
    /// A page whose texts are its own; every page links home.
    fn of(path: &str) -> Self {
        Self {
            title: format!("Title of {path}"),
            description: "A description that stays.",
            h1: format!("Heading of {path}"),
            head: String::new(),
            text: "Some words that stay the same from one crawl to the next, whatever else changes on this page.".to_owned(),
            links: String::new(),
        }
    }

    fn answer(&self) -> Answer {
        Answer::html(format!(
            "<!doctype html><html lang=en><head><meta charset=utf-8><title>{}</title><meta name=description content=\"{}\">{}</head>\
             <body><main><h1>{}</h1><p>{}</p>{}<a href=/>home</a></main></body></html>",
            self.title, self.description, self.head, self.h1, self.text, self.links
        ))
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

fn links(paths: &[&str]) -> String {
    paths.iter().map(|path| format!("<a href=\"{path}\">{path}</a> ")).collect()
}

fn sitemap(paths: &[&str], origin: &str) -> Answer {
    let entries: String = paths.iter().map(|path| format!("<url><loc>{origin}{path}</loc></url>")).collect();
    Answer::body(
        "application/xml",
        format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>"),
    )
}

const STAYING: &[&str] = &[
    "/stays",
    "/title",
    "/description",
    "/h1",
    "/canonical",
    "/noindex",
    "/index-again",
    "/words",
    "/nofollow",
    "/breaks",
    "/gone-410",
    "/fails",
    "/heals",
    "/moves",
    "/redirect",
    "/to-404",
    "/headers",
    "/header-new",
    "/inlinks",
    "/private/read",
    "/freed/page",
    "/deep/1",
    "/leaves-sitemap",
    "/enters-sitemap",
    "/csp",
];

#[test]
fn forty_changes_are_told_and_nothing_else() {
    let course = Course::new(|main, other| {
        let before = {
            let home = Doc::of("home").with(|doc| {
                doc.links = links(STAYING) + &links(&["/old", "/old-broken", "/inlinks", "/inlinks"])
                    + &format!("<a href=\"{other}/breaks\">x</a><a href=\"{other}/heals\">y</a><a href=\"{other}/stays\">z</a>");
            });
            let mut pages: Pages = vec![
                ("/", home.answer()),
                (
                    "/robots.txt",
                    Answer::text(&format!("User-agent: *\nDisallow: /freed/\nSitemap: {main}/sitemap.xml\n")),
                ),
                ("/old", Doc::of("old").answer()),
                ("/old-broken", Answer::status(404)),
                ("/heals", Answer::status(404)),
                ("/fails", Doc::of("fails").answer()),
                ("/breaks", Doc::of("breaks").answer()),
                ("/gone-410", Doc::of("gone").answer()),
                ("/moves", Doc::of("moves").answer()),
                ("/redirect", Answer::redirect(301, "/stays")),
                ("/to-404", Answer::redirect(302, "/stays")),
                ("/noindex", Doc::of("noindex").answer()),
                (
                    "/index-again",
                    Doc::of("again")
                        .with(|doc| doc.head = "<meta name=robots content=noindex>".into())
                        .answer(),
                ),
                (
                    "/headers",
                    Doc::of("headers")
                        .answer()
                        .header("X-Frame-Options", "DENY")
                        .header("X-Content-Type-Options", "nosniff"),
                ),
                ("/header-new", Doc::of("header new").answer()),
                ("/csp", Doc::of("csp").answer().header("Content-Security-Policy", "script-src 'nonce-one'")),
                ("/deep/1", Doc::of("deep 1").with(|doc| doc.links = links(&["/deep/2"])).answer()),
                ("/deep/2", Doc::of("deep 2").answer()),
                ("other:/breaks", Answer::text("there")),
                ("other:/heals", Answer::status(410)),
                ("other:/stays", Answer::text("there")),
            ];
            for path in STAYING {
                if !pages.iter().any(|(known, _)| known == path) {
                    pages.push((path, Doc::of(path).answer()));
                }
            }
            pages
        };
        let after = {
            let kept: Vec<&str> = STAYING.to_vec();
            let home = Doc::of("home").with(|doc| {
                doc.links = links(&kept) + &links(&["/new", "/new-broken", "/deep/2"])
                    + &format!("<a href=\"{other}/breaks\">x</a><a href=\"{other}/heals\">y</a><a href=\"{other}/stays\">z</a><a href=\"{other}/new\">n</a>");
            });
            let changed: Pages = vec![
                ("/", home.answer()),
                ("/robots.txt", Answer::text(&format!("User-agent: *\nDisallow: /private/\nSitemap: {main}/sitemap.xml\n"))),
                ("/new", Doc::of("new").answer()),
                ("/new-broken", Answer::status(404)),
                ("/title", Doc::of("/title").with(|doc| doc.title = "Another title".into()).answer()),
                ("/description", Doc::of("/description").with(|doc| doc.description = "Another description.").answer()),
                ("/h1", Doc::of("/h1").with(|doc| doc.h1 = "Another heading".into()).answer()),
                ("/canonical", Doc::of("/canonical").with(|doc| doc.head = "<link rel=canonical href=/canonical>".into()).answer()),
                ("/noindex", Doc::of("noindex").with(|doc| doc.head = "<meta name=robots content=noindex>".into()).answer()),
                ("/index-again", Doc::of("again").answer()),
                ("/nofollow", Doc::of("/nofollow").with(|doc| doc.head = "<meta name=robots content=nofollow>".into()).answer()),
                ("/words", Doc::of("/words").with(|doc| doc.text.push_str(" And a good many words more, so that more than a tenth of them is new on this page.")).answer()),
                ("/breaks", Answer::status(404)),
                ("/gone-410", Answer::status(410)),
                ("/fails", Answer::close()),
                ("/heals", Doc::of("heals").answer()),
                ("/moves", Answer::redirect(301, "/stays")),
                ("/redirect", Answer::redirect(301, "/title")),
                ("/to-404", Answer::status(404)),
                ("/headers", Doc::of("headers").answer().header("X-Content-Type-Options", "nosniff")),
                ("/header-new", Doc::of("header new").answer().header("Referrer-Policy", "no-referrer")),
                ("/csp", Doc::of("csp").answer().header("Content-Security-Policy", "script-src 'nonce-two'")),
                ("/deep/1", Doc::of("deep 1").with(|doc| doc.links = links(&["/deep/2"])).answer()),
                ("/deep/2", Doc::of("deep 2").answer()),
                ("other:/breaks", Answer::status(404)),
                ("other:/heals", Answer::text("back")),
                ("other:/stays", Answer::text("there")),
                ("other:/new", Answer::text("there")),
            ];
            let mut pages = changed;
            for path in STAYING {
                if !pages.iter().any(|(known, _)| known == path) {
                    pages.push((path, Doc::of(path).answer()));
                }
            }
            pages
        };
        let mut states = vec![before, after];
        states[0].push(("/sitemap.xml", sitemap(&["/stays", "/leaves-sitemap"], main)));
        states[1].push(("/sitemap.xml", sitemap(&["/stays", "/enters-sitemap", "/title"], main)));
        states
    });
    course.crawl(0, &[]);
    course.crawl(1, &[]);
    let expected: BTreeSet<[String; 4]> = [
        ["broke", "/breaks", "200", "404"],
        ["broke", "/fails", "200", "reset"],
        ["broke", "/gone-410", "200", "410"],
        ["broke", "/to-404", "302", "404"],
        ["broke", "other:/breaks", "200", "404"],
        ["canonical", "/canonical", "-", "/canonical"],
        ["content", "/", "-", "90"],
        ["depth", "/deep/2", "2", "1"],
        ["description", "/description", "A description that stays.", "Another description."],
        ["directives", "/index-again", "noindex", "-"],
        ["directives", "/nofollow", "-", "nofollow"],
        ["directives", "/noindex", "-", "noindex"],
        ["gone", "/old", "200", "-"],
        ["gone", "/old-broken", "404", "-"],
        ["h1", "/h1", "Heading of /h1", "Another heading"],
        ["indexability", "/index-again", "noindex", "indexable"],
        ["indexability", "/noindex", "indexable", "noindex"],
        ["inlinks", "/", "24", "21"],
        ["inlinks", "/deep/2", "1", "2"],
        ["inlinks", "/inlinks", "3", "1"],
        ["new", "/new", "-", "200"],
        ["new", "/new-broken", "-", "404"],
        ["new", "other:/new", "-", "200"],
        ["newly-allowed", "/freed/page", "robots.txt line 2: Disallow: /freed/", "200"],
        ["newly-blocked", "/private/read", "200", "robots.txt line 2: Disallow: /private/"],
        ["redirect-target", "/redirect", "/stays", "/title"],
        [
            "robots-txt",
            "/robots.txt",
            "User-agent: *\nDisallow: /freed/\nSitemap: /sitemap.xml\n",
            "User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n",
        ],
        ["security-header-lost", "/headers", "x-frame-options", "-"],
        ["security-headers", "/header-new", "-", "referrer-policy: no-referrer"],
        ["security-headers", "/headers", "x-frame-options: DENY", "-"],
        ["sitemap-added", "/enters-sitemap", "-", "-"],
        ["sitemap-added", "/title", "-", "-"],
        ["sitemap-count", "/sitemap.xml", "2", "3"],
        ["sitemap-dropped", "/leaves-sitemap", "-", "-"],
        ["status", "/breaks", "200", "404"],
        ["status", "/fails", "200", "reset"],
        ["status", "/gone-410", "200", "410"],
        ["status", "/heals", "404", "200"],
        ["status", "/moves", "200", "301"],
        ["status", "/to-404", "302", "404"],
        ["status", "other:/breaks", "200", "404"],
        ["status", "other:/heals", "410", "200"],
        ["title", "/title", "Title of /title", "Another title"],
        ["word-count", "/words", "22", "41"],
        ["works-again", "/heals", "404", "200"],
        ["works-again", "other:/heals", "410", "200"],
    ]
    .into_iter()
    .map(|row| row.map(ToOwned::to_owned))
    .collect();
    let told = course.told(&[]);
    let compacting =
        Gossamer::new(["crawls".into(), course.project().as_os_str().to_owned()]).with(&["--compact"]);
    let _ = compacting.run().expect_code(0);
    assert_eq!(course.told(&[]), told, "compacting takes no address away that a change names");
    assert_eq!(
        told,
        expected,
        "told {} changes:\n{}",
        told.len(),
        told.iter().map(|row| row.join(" | ")).collect::<Vec<_>>().join("\n")
    );
}

/// Audit, URL and life of what became of findings, of the audits named.
fn lives(course: &Course, audits: &[&str]) -> Vec<String> {
    let quoted: Vec<String> = audits.iter().map(|audit| format!("'{audit}'")).collect();
    let condition = format!("audit IN ({})", quoted.join(", "));
    let main = course.server.url("main", "");
    let mut told: Vec<String> =
        rows_where(&course.project(), "v_lives", &["audit", "url", "life", "absent"], &condition)
            .iter()
            .map(|row| row.join(" ").replace(&main, ""))
            .collect();
    told.sort();
    told
}

#[test]
fn findings_live_from_crawl_to_crawl() {
    let deep = |path: &str| Doc::of(path).with(|doc| doc.text.push_str("<h4>Too deep</h4>")).answer();
    let good = |path: &str| Doc::of(path).answer();
    let home = |paths: &[&str]| Doc::of("home").with(|doc| doc.links = links(paths)).answer();
    let all = &["/a", "/b", "/c"][..];
    let course = Course::new(|_, _| {
        vec![
            vec![("/", home(all)), ("/a", deep("a")), ("/b", deep("b")), ("/c", deep("c"))],
            // a is fixed, c is not linked any more.
            vec![("/", home(&["/a", "/b"])), ("/a", good("a")), ("/b", deep("b")), ("/c", deep("c"))],
            // a holds, b cannot be read, c is back as it was.
            vec![("/", home(all)), ("/a", good("a")), ("/b", Answer::status(503)), ("/c", deep("c"))],
            // a is back, b is fixed, c is fixed.
            vec![("/", home(all)), ("/a", deep("a")), ("/b", good("b")), ("/c", good("c"))],
            // a is still back, b and c hold.
            vec![("/", home(all)), ("/a", deep("a")), ("/b", good("b")), ("/c", good("c"))],
            // a is fixed again, b is gone from the site, c comes back after it held.
            vec![("/", home(&["/a", "/c"])), ("/a", good("a")), ("/c", deep("c"))],
        ]
    });
    let skipped = &["heading-level-skipped"][..];
    let expected: [&[&str]; 6] = [
        &[],
        &["heading-level-skipped /a fixed 1", "heading-level-skipped /c not-rechecked 0"],
        &["heading-level-skipped /a held 2", "heading-level-skipped /b not-rechecked 0"],
        &[
            "heading-level-skipped /a regressed 0",
            "heading-level-skipped /b fixed 1",
            "heading-level-skipped /c fixed 1",
        ],
        &[
            "heading-level-skipped /a regressed 0",
            "heading-level-skipped /b held 2",
            "heading-level-skipped /c held 2",
        ],
        &[
            "heading-level-skipped /a fixed 1",
            "heading-level-skipped /b not-rechecked 2",
            "heading-level-skipped /c regressed 0",
        ],
    ];
    for (at, expected) in expected.iter().enumerate() {
        course.crawl(at, &[]);
        assert_eq!(lives(&course, skipped), *expected, "after crawl {}", at + 1);
    }
    // A regressed finding says so where it is listed.
    let shown =
        rows_where(&course.project(), "v_issues", &["url", "life"], "audit = 'heading-level-skipped'");
    assert_eq!(shown, [[course.server.url("main", "/c"), "regressed".to_owned()]]);
}

/// A rule that became another one says nothing about the site.
#[test]
fn a_threshold_that_changed_is_no_fix() {
    let course = Course::new(|_, _| {
        let pages = || {
            vec![(
                "/",
                Doc::of("home")
                    .with(|doc| doc.title = "A title that is longer than twenty characters".into())
                    .answer(),
            )]
        };
        vec![pages(), pages(), pages()]
    });
    let limit = |characters: &str| format!("audit.title_max={characters}");
    course.crawl(0, &["--set", &limit("20")]);
    course.crawl(1, &["--set", &limit("200")]);
    assert_eq!(lives(&course, &["title-too-long"]), ["title-too-long / not-rechecked 0"]);
    course.crawl(2, &["--set", &limit("20")]);
    assert_eq!(lives(&course, &["title-too-long"]), [""; 0]);
}

/// A crawl that a limit ended says nothing about what it did not see.
#[test]
fn what_a_limit_kept_out_is_neither_gone_nor_new() {
    let course = Course::new(|_, _| {
        let home = || Doc::of("home").with(|doc| doc.links = links(&["/a", "/b", "/c"])).answer();
        let pages = || {
            vec![
                ("/", home()),
                ("/a", Doc::of("a").answer()),
                ("/b", Doc::of("b").answer()),
                ("/c", Doc::of("c").answer()),
            ]
        };
        vec![pages(), pages(), pages()]
    });
    course.crawl(0, &[]);
    course.crawl(1, &["--max-urls", "2"]);
    let told: Vec<String> =
        course.told(&[]).into_iter().map(|[kind, path, ..]| format!("{kind} {path}")).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|line| line.starts_with("not-rechecked /")), "{told:?}");
    course.crawl(2, &[]);
    assert!(course.told(&[]).is_empty(), "what the earlier crawl did not see is not new");
    assert!(course.told(&["--from", "1", "--to", "3"]).is_empty());
}

#[test]
fn a_staging_server_is_compared_with_its_site() {
    let course = Course::new(|_, _| {
        let staging: Pages = vec![
            ("/", Doc::of("home").with(|doc| doc.links = links(&["/a", "/moved", "/only-staging"])).answer()),
            ("/a", Doc::of("a").with(|doc| doc.title = "New title".into()).answer()),
            ("/only-staging", Doc::of("s").answer()),
            ("/moved", Answer::redirect(301, "/a")),
            ("other:/moved", Answer::redirect(301, "/a")),
            (
                "other:/",
                Doc::of("home").with(|doc| doc.links = links(&["/a", "/moved", "/only-live"])).answer(),
            ),
            ("other:/a", Doc::of("a").answer()),
            ("other:/only-live", Doc::of("l").answer()),
        ];
        vec![staging]
    });
    course.crawl(0, &[]);
    let _ = Gossamer::audit(&[course.server.url("other", "/")], &course.project()).run().expect_code(0);
    let map = format!("{}={}", course.server.url("main", ""), course.server.url("other", ""));
    let told = course.told(&["--map", &map]);
    let short: Vec<String> = told.iter().map(|row| row.join(" ")).collect();
    assert_eq!(
        short,
        [
            "content other:/ - 85",
            "gone /only-staging 200 -",
            "new other:/only-live - 200",
            "title other:/a New title Title of a"
        ],
    );
    // The same pair without the rule is two sites that have nothing in common.
    assert!(course.told(&[]).iter().all(|[kind, ..]| kind == "gone" || kind == "new"));
}

/// A crawl that looks again at single findings says nothing about others, and one of another host nothing about this one.
#[test]
fn what_was_not_looked_at_is_not_fixed() {
    let course = Course::new(|_, _| {
        let home = Doc::of("home").with(|doc| doc.links = links(&["/gone", "/moved"])).answer();
        vec![vec![
            ("/", home),
            ("/moved", Answer::redirect(301, "/")),
            ("other:/", Doc::of("elsewhere").answer()),
            ("other:/robots.txt", Answer::text("User-agent: *\nSitemap: /none.xml\n")),
        ]]
    });
    course.crawl(0, &[]);
    let before = course.changes(&["--from", "1"]).expect_code(2);
    assert!(before.stderr.contains("cannot be compared with itself"), "{}", before.stderr);
    let project = course.project().as_os_str().to_owned();
    let _ =
        Gossamer::new(["recheck".into(), project]).with(&["--audit", "title-too-short"]).run().expect_code(0);
    let gone = ["links-to-broken", "internal-link-redirects"];
    assert!(
        lives(&course, &gone).iter().all(|line| line.contains(" not-rechecked ")),
        "{:?}",
        lives(&course, &gone)
    );
    course.crawl(0, &[]);
    assert_eq!(lives(&course, &gone), [""; 0], "found again, and never gone");
    let _ = Gossamer::audit(&[course.server.url("other", "/")], &course.project()).run().expect_code(0);
    let told = lives(&course, &["robots-missing", "sitemap-none", "links-to-broken"]);
    assert!(!told.is_empty() && told.iter().all(|line| line.contains(" not-rechecked ")), "{told:?}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let course = Course::new(|_, _| vec![vec![("/", Doc::of("home").answer())]]);
    course.crawl(0, &[]);
    for (arguments, expected) in [
        (&[][..], "no finished crawl of the same kind before crawl 1"),
        (&["--from", "1", "--to", "1"][..], "cannot be compared with itself"),
        (&["--from", "7"][..], "has no crawl 7"),
        (&["--map", "nonsense"][..], "\"nonsense\" is no rule"),
    ] {
        let finished = course.changes(arguments).expect_code(2);
        assert!(finished.stderr.contains(expected), "{arguments:?}: {}", finished.stderr);
    }
}
