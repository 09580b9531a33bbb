//! Family robots.txt and directives: the file.

use super::{PLAIN, raised};
use crate::audit::{Audit, Family, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, answer, html, page, redirect, robots};

const FILE: &[(&str, &str)] = &[
    ("status", "robots_status"),
    ("state", "robots_state"),
    ("detail", "robots_error"),
    ("final_url", "robots_final_url"),
];
const LINE: &[(&str, &str)] = &[
    ("line", "robots_line"),
    ("text", "robots_line_text"),
    ("status", "robots_status"),
    ("bytes", "robots_bytes"),
    ("beginning", "robots_body"),
];
const TEXT: &[(&str, &str)] =
    &[("status", "robots_status"), ("bytes", "robots_bytes"), ("beginning", "robots_body")];

const RFC: &str = "https://www.rfc-editor.org/rfc/rfc9309";
const GOOGLE: &str = "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt";

const BASE: Audit = Audit { family: Family::Robots, scope: Scope::Robots, evidence: FILE, ..PLAIN };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "robots-missing",
        title: "robots.txt missing",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        rule: Rule::Robots(|file, _| matches!(file.status, Some(404 | 410))),
        why: "Without the file crawlers may read everything, which may be what is wanted; but there is also no place that names the sitemap.",
        fix: "Serve a robots.txt, if only with a Sitemap line.",
        references: &[RFC, GOOGLE],
        case: Case::new(&[page("/", "")], &[("/robots.txt", 1)], &[robots("User-agent: *\nDisallow:\n"), page("/", "")]),
        ..BASE
    },
    Audit {
        id: "robots-unreachable",
        title: "robots.txt cannot be read",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Robots(|file, _| matches!(&*file.state, "unreachable" | "throttled")),
        why: "Search engines stop crawling a site whose robots.txt fails: they take a server error as “everything is disallowed”.",
        fix: "Serve robots.txt with 200, or 404 if there is none. It must answer even when the application does not.",
        references: &[GOOGLE],
        case: Case::new(
            &[answer("/robots.txt", 500), page("/", "")],
            &[("/robots.txt", 1)],
            &[page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "robots-is-html",
        title: "robots.txt is a web page",
        rule: Rule::Robots(|file, _| file.was_read() && file.is_html),
        evidence: TEXT,
        why: "A web page holds no line that crawlers understand, so no rule applies. Most often the server answers every unknown address with its home page.",
        fix: "Serve a plain text file, or 404.",
        references: &[RFC],
        case: Case::new(
            &[html("/robots.txt", "<!doctype html><title>Not found</title><p>Nothing here"), page("/", "")],
            &[("/robots.txt", 1)],
            &[robots("User-agent: *\nDisallow:\n"), page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "robots-too-large",
        title: "robots.txt too large",
        rule: Rule::Robots(|file, _| file.too_large),
        evidence: &[("status", "robots_status"), ("bytes", "robots_bytes")],
        why: "Google reads the first 500 KiB (512,000 bytes) and ignores the rest, rules included.",
        fix: "Replace long lists by patterns, or by noindex on the pages themselves.",
        references: &[GOOGLE],
        case: Case::new(
            &[
                answer("/robots.txt", 200)
                    .headed(&[("Content-Type", "text/plain")])
                    .holding(crate::cases::Body::Filler(600_000)),
                page("/", ""),
            ],
            &[("/robots.txt", 1)],
            &[robots("User-agent: *\nDisallow:\n"), page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "robots-blocks-site",
        title: "robots.txt blocks the whole site",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::RobotsAt(|file| file.blocks_the_site().filter(|_| file.was_read()).into_iter().collect()),
        evidence: LINE,
        why: "“Disallow: /” for all crawlers, or for Google's, keeps every page of the host from being read and in time from ranking. It is often left over from a test server.",
        fix: "Remove the line, or narrow it to what must not be crawled.",
        references: &[RFC, GOOGLE],
        case: Case::new(
            &[robots("User-agent: Googlebot\nDisallow: /\n"), page("/", "")],
            &[("/robots.txt", 1)],
            &[robots("User-agent: *\nDisallow: /search\nAllow: /\n\nUser-agent: badbot\nDisallow: /\n"), page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "robots-no-sitemap",
        title: "robots.txt names no sitemap",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        rule: Rule::Robots(|file, _| file.was_read() && !file.names_a_sitemap()),
        evidence: TEXT,
        why: "A Sitemap line tells every search engine where the list of pages is, without an account anywhere.",
        fix: "Add a line with the sitemap's full URL: Sitemap: https://www.example.com/sitemap.xml",
        references: &["https://www.sitemaps.org/protocol.html#submit_robots"],
        case: Case::new(
            &[robots("User-agent: *\nDisallow:\n"), page("/", "")],
            &[("/robots.txt", 1)],
            &[
                robots("User-agent: *\nDisallow:\nsitemap: {site}/sitemap.xml\n"),
                page("/", ""),
                answer("/sitemap.xml", 200).headed(&[("Content-Type", "application/xml")]).holding(crate::cases::Body::Text(
                    "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/</loc></url></urlset>",
                )),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "robots-crawl-delay",
        title: "robots.txt sets a crawl delay",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        rule: Rule::Robots(|file, _| file.crawl_delay.is_some_and(|delay| delay > 0.0)),
        thresholds: &[Threshold {
            name: "crawl_delay_long",
            label: "Long crawl delay",
            help: "A Crawl-delay above this many seconds is a warning of medium priority.",
            unit: Unit::Seconds,
            min: 0,
            max: 86_400,
            default: 10,
        }],
        escalation: raised("robots_crawl_delay > {crawl_delay_long}", Severity::Warning, Priority::Medium),
        evidence: &[("crawl_delay_s", "robots_crawl_delay")],
        why: "Crawlers that honour the delay read few pages a day: at ten seconds, 8,640. Google ignores it, others do not.",
        fix: "Remove the delay, or lower it to what the server needs.",
        references: &["https://www.bing.com/webmasters/help/how-to-create-a-robots-txt-file-cb7c31ec"],
        case: Case::new(
            &[robots("User-agent: *\nCrawl-delay: 0.1\n"), page("/", "")],
            &[("/robots.txt", 1)],
            &[robots("User-agent: otherbot\nCrawl-delay: 20\n\nUser-agent: *\nDisallow:\n"), page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "robots-redirects",
        title: "robots.txt redirects",
        priority: Priority::Low,
        rule: Rule::Robots(|file, _| file.hops > 0),
        thresholds: &[],
        escalation: raised("robots_hops > 5", Severity::Issue, Priority::Medium),
        evidence: &[("hops", "robots_hops"), ("final_url", "robots_final_url"), ("status", "robots_status")],
        why: "Crawlers follow a few hops only; RFC 9309 asks for five. Beyond them the file counts as missing.",
        fix: "Serve robots.txt at its own address.",
        references: &[RFC],
        case: Case::new(
            &[
                redirect("/robots.txt", 301, &[("Location", "/real.txt")]),
                answer("/real.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(crate::cases::Body::Text("User-agent: *\nDisallow:\n")),
                page("/", ""),
            ],
            &[("/robots.txt", 1)],
            &[robots("User-agent: *\nDisallow:\n"), page("/", "")],
        ),
        ..BASE
    },
    Audit {
        id: "robots-noindex-line",
        title: "noindex or nofollow in robots.txt",
        rule: Rule::RobotsAt(|file| file.index_rule().filter(|_| file.was_read()).into_iter().collect()),
        evidence: LINE,
        why: "Google stopped reading noindex and nofollow lines in robots.txt in 2019; they do nothing.",
        fix: "Use a robots meta element or the X-Robots-Tag header on the pages.",
        references: &["https://developers.google.com/search/blog/2019/07/a-note-on-unsupported-rules-in-robotstxt"],
        case: Case::new(
            &[robots("User-agent: *\nNoindex: /private\n"), page("/", "")],
            &[("/robots.txt", 1)],
            &[robots("# noindex: /private\nUser-agent: *\nDisallow: /noindex\n"), page("/", "")],
        ),
        ..BASE
    },
];
