//! Family robots.txt and directives: what is wrong with the words, and the rarer directives.

use super::{FLAW, PLAIN, raised};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity};
use crate::cases::{Body, Case, answer, headed_page, page, robots};
use model::FlawKind;

const DIRECTIVES: &[(&str, &str)] = &[("robots", "robots"), ("inlinks", "inlinks")];
const LINES: &[(&str, &str)] = &[
    ("line", "robots_line"),
    ("text", "robots_line_text"),
    ("problems", "robots_problems"),
    ("beginning", "robots_body"),
];

const RFC: &str = "https://www.rfc-editor.org/rfc/rfc9309";
const GOOGLE_FILE: &str = "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt";
const GOOGLE: &str = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

const SITEMAP: &str = "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/</loc></url></urlset>";

const BASE: Audit = Audit { family: Family::Robots, evidence: DIRECTIVES, references: &[GOOGLE], ..PLAIN };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "robots-syntax",
        title: "Mistakes in robots.txt",
        priority: Priority::Low,
        scope: Scope::Robots,
        rule: Rule::RobotsAt(|file| file.syntax_error().filter(|_| file.was_read()).into_iter().collect()),
        evidence: LINES,
        why: "Crawlers pass over lines that they cannot read, so what was meant to be blocked is read, or the other way round.",
        fix: "Correct the lines named in the evidence: key, colon, value; rules behind a User-agent line; the file in UTF-8.",
        references: &[RFC, GOOGLE_FILE],
        case: Case::new(
            &[robots("User-agent: *\nDisallow /a\nDisalow: /b\nNonsense: c\n"), page("/", "")],
            &[("/robots.txt", 1)],
            &[
                robots(
                    "# A comment: with a colon\n\nUser-agent: *\nDisallow: # nothing\nAllow: /a$\nCrawl-delay: 0\nSitemap: {site}/sitemap.xml\nHost: example.com\n",
                ),
                page("/", ""),
                answer("/sitemap.xml", 200)
                    .headed(&[("Content-Type", "application/xml")])
                    .holding(Body::Text(SITEMAP)),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "robots-sitemap-bad",
        title: "robots.txt names a sitemap that is none",
        scope: Scope::Robots,
        rule: Rule::RobotsAt(|file| if file.was_read() { file.bad_sitemap_places() } else { Vec::new() }),
        evidence: &[
            ("line", "robots_line"),
            ("text", "robots_line_text"),
            ("sitemap", "sitemap"),
            ("status", "sitemap_status"),
            ("error", "sitemap_error"),
            ("problems", "robots_problems"),
            ("beginning", "robots_body"),
        ],
        why: "Search engines read the sitemaps that the file names. A line without scheme and host, or one that does not answer with 200, gives them nothing.",
        fix: "Name the sitemap by its whole address, and check that it answers without a redirect.",
        references: &["https://www.sitemaps.org/protocol.html#submit_robots", GOOGLE_FILE],
        case: Case::new(
            &[
                robots("User-agent: *\nDisallow:\nSitemap: /sitemap.xml\nSitemap: {site}/gone.xml\n"),
                page("/", ""),
            ],
            &[("/robots.txt", 2)],
            &[
                robots("User-agent: *\nDisallow:\n# Sitemap: /old.xml\nSitemap: {site}/sitemap.xml\n"),
                page("/", ""),
                answer("/sitemap.xml", 200)
                    .headed(&[("Content-Type", "application/xml")])
                    .holding(Body::Text(SITEMAP)),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "robots-blocks-ai",
        title: "robots.txt keeps AI crawlers out",
        severity: Severity::Note,
        priority: Priority::Low,
        scope: Scope::Robots,
        rule: Rule::RobotsAt(|file| file.shuts_out_ai().filter(|_| file.was_read()).into_iter().collect()),
        evidence: &[("line", "robots_line"), ("text", "robots_line_text"), ("beginning", "robots_body")],
        why: "Agents that collect texts for language models, or look things up for their users, are told to stay away. That is a decision, not a defect; this is to say that it was made.",
        fix: "Check that it is meant for those who answer questions as well (OAI-SearchBot, PerplexityBot): they send visitors.",
        references: &[
            "https://platform.openai.com/docs/bots",
            "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers",
        ],
        case: Case::new(
            &[
                robots("User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n"),
                page("/", ""),
            ],
            &[("/robots.txt", 1)],
            &[
                robots("User-agent: GPTBot\nDisallow: /private\n\nUser-agent: otherbot\nDisallow: /\n"),
                page("/", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "robots-none",
        title: "Robots directive none",
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "directive_none"),
        why: "none is noindex and nofollow at once: the page stays out of search, and nothing it links to is found through it. It is easily taken for the absence of a directive.",
        fix: "Check that this is wanted; say noindex, nofollow, which everybody understands, or remove the directive.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"None\">", ""),
                page("/b", "").headed(&[("Content-Type", "text/html"), ("X-Robots-Tag", "googlebot: none")]),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"max-image-preview:none\">", ""),
                headed_page(
                    "/b",
                    "<meta name=\"otherbot\" content=\"none\"><meta name=\"robots\" content=\"noindex, nofollow\">",
                    "",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "directives-conflict",
        title: "Contradictory robots directives",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, "directives_conflict"),
        why: "The page is told both that it may be shown (or followed) and that it may not. Search engines follow the stricter word, whatever was meant.",
        fix: "Say it once: in the meta element or in the X-Robots-Tag header. Header and page often come from different places, a server's configuration and a plugin.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"index, noindex\">", ""),
                headed_page("/b", "<meta name=\"robots\" content=\"index, follow\">", "")
                    .headed(&[("Content-Type", "text/html"), ("X-Robots-Tag", "noindex")]),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page(
                    "/a",
                    "<meta name=\"robots\" content=\"noindex, follow\"><meta name=\"robots\" content=\"noindex\">",
                    "",
                ),
                headed_page(
                    "/b",
                    "<meta name=\"robots\" content=\"index, follow\"><meta name=\"googlebot\" content=\"noindex\">",
                    "",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "directive-invalid",
        title: "Unknown robots directive",
        priority: Priority::Low,
        scope: Scope::Page,
        rule: Rule::Flaw(FlawKind::DirectiveInvalid),
        evidence: FLAW,
        why: "Search engines pass over what they do not know, so that the page is treated as if nothing stood there.",
        fix: "Correct the spelling, or remove it.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page(
                    "/a",
                    "<meta name=\"robots\" content=\"no-index, max-snippet:lots, follow\">",
                    "",
                ),
                page("/b", "").headed(&[("Content-Type", "text/html"), ("X-Robots-Tag", "noindexing")]),
            ],
            &[("/a", 2), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page(
                    "/a",
                    "<meta name=\"robots\" content=\"max-snippet:-1, max-image-preview:large, max-video-preview:-1, noodp, unavailable_after: Wednesday, 03-Jan-2035 15:00:00 GMT\"><meta name=\"otherbot\" content=\"stay-away\">",
                    "",
                ),
                page("/b", "").headed(&[
                    ("Content-Type", "text/html"),
                    ("X-Robots-Tag", "unavailable_after: 25 Jun 2035 15:00:00 PST"),
                ]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "unavailable-after",
        title: "Page leaves search on a date",
        rule: Rule::Row(Needs::Itself, "has_unavailable_after"),
        escalation: raised("unavailable_after < crawl_started", Severity::Issue, Priority::Medium),
        evidence: &[
            ("robots", "robots"),
            ("until", "strftime('%Y-%m-%d %H:%M', unavailable_after / 1000, 'unixepoch')"),
            ("inlinks", "inlinks"),
        ],
        why: "unavailable_after takes the page out of search results on a day. Where that day is over, it is out already.",
        fix: "Check the date; remove the directive where the page is to stay.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"unavailable_after: 2020-09-21\">", ""),
                page("/b", "").headed(&[
                    ("Content-Type", "text/html"),
                    ("X-Robots-Tag", "unavailable_after: 25 Jun 2035 15:00:00 PST"),
                ]),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"otherbot\" content=\"unavailable_after: 2020-09-21\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "nosnippet",
        title: "No snippet",
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "nosnippet"),
        why: "Search results show this page without a text, and answers of search engines do not quote it. Fewer people choose such a result.",
        fix: "Remove the directive, or hide only what must not be quoted with data-nosnippet.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"nosnippet\">", ""),
                headed_page("/b", "<meta name=\"robots\" content=\"max-snippet: 0\">", ""),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page(
                    "/a",
                    "<meta name=\"robots\" content=\"max-snippet:-1\">",
                    "<p data-nosnippet>x</p>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "noimageindex",
        title: "Images of the page kept out of search",
        severity: Severity::Issue,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "noimageindex"),
        why: "The images of this page are not shown in image search as the page's.",
        fix: "Remove the directive unless that is wanted.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"noimageindex\">", ""),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"max-image-preview:standard\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "noindex-and-disallowed",
        title: "noindex on a page that may not be crawled",
        rule: Rule::Row(Needs::Itself, "noindex AND bot_blocked"),
        why: "Search engines that may not read the page never see its noindex: where others link to it, its address can appear in results all the same.",
        fix: "Allow the page in robots.txt until it has left the index.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/block-indexing"],
        case: Case::new(
            &[
                robots("User-agent: Googlebot\nDisallow: /private\n"),
                page("/", "<a href=\"/private\">p</a>"),
                headed_page("/private", "<meta name=\"robots\" content=\"noindex\">", ""),
            ],
            &[("/private", 1)],
            &[
                robots(
                    "User-agent: Googlebot\nDisallow: /private\n\nUser-agent: otherbot\nDisallow: /open\n",
                ),
                page("/", "<a href=\"/private\">p</a> <a href=\"/open\">o</a>"),
                page("/private", ""),
                headed_page("/open", "<meta name=\"robots\" content=\"noindex\">", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "noindex-on-resource",
        title: "noindex on an image or PDF",
        priority: Priority::Low,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "fetched AND status BETWEEN 200 AND 299 AND x_robots_tag IS NOT NULL AND (media_type LIKE 'image/%' OR media_type = 'application/pdf') AND tag_says_noindex(x_robots_tag) IS NOT NULL",
        ),
        evidence: &[
            ("x_robots_tag", "x_robots_tag"),
            ("content_type", "content_type"),
            ("inlinks", "inlinks"),
        ],
        why: "The header keeps the file out of search: an image out of image search, a PDF out of the results.",
        fix: "Check that this is wanted; the header is often set for a whole folder.",
        case: Case::new(
            &[
                page("/", "<img src=\"/a.png\" alt=\"a\" width=\"1\" height=\"1\"> <a href=\"/b.pdf\">b</a>"),
                answer("/a.png", 200)
                    .headed(&[("Content-Type", "image/png"), ("X-Robots-Tag", "noarchive, noindex")])
                    .holding(Body::Filler(10)),
                answer("/b.pdf", 200)
                    .headed(&[("Content-Type", "application/pdf"), ("X-Robots-Tag", "none")])
                    .holding(Body::Filler(10)),
            ],
            &[("/a.png", 1), ("/b.pdf", 1)],
            &[
                page("/", "<img src=\"/a.png\" alt=\"a\" width=\"1\" height=\"1\"> <a href=\"/b\">b</a>"),
                answer("/a.png", 200)
                    .headed(&[("Content-Type", "image/png"), ("X-Robots-Tag", "otherbot: noindex")])
                    .holding(Body::Filler(10)),
                page("/b", "").headed(&[("Content-Type", "text/html"), ("X-Robots-Tag", "noindex")]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "notranslate",
        title: "No translation offered",
        severity: Severity::Note,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "notranslate"),
        why: "Search engines do not offer readers of other languages a translation of this page.",
        fix: "Remove the directive unless that is wanted.",
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"notranslate\">", ""),
                headed_page("/b", "<meta name=\"google\" content=\"notranslate\">", ""),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page(
                    "/a",
                    "<meta name=\"google\" content=\"nositelinkssearchbox\">",
                    "<p translate=\"no\">x</p>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "noarchive",
        title: "No cached copy",
        severity: Severity::Note,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "noarchive"),
        why: "Search engines show no cached copy of this page. Google has none any more; for Bing, noarchive also keeps the page's text out of its chat's answers.",
        fix: "Remove the directive unless that is wanted.",
        references: &[
            GOOGLE,
            "https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat",
        ],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"robots\" content=\"index, noarchive\">", ""),
            ],
            &[("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page("/a", "<meta name=\"archive\" content=\"noarchive\">", ""),
            ],
        ),
        ..BASE
    },
];
