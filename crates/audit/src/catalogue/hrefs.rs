//! Family Links and structure: how links are written.

use super::{HREF, PLAIN};
use crate::audit::{Audit, Family, LinkRule, Priority, Rule, Scope, Severity};
use crate::cases::{Case, page};
use crate::hrefs_text as text;

const URLS: &str = "https://url.spec.whatwg.org/#url-parsing";
const CRAWLABLE: &str = "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";
const NAMES: &str = "https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context.html";

const BASE: Audit =
    Audit { family: Family::Links, scope: Scope::Link, evidence: HREF, references: &[URLS], ..PLAIN };

const ANCHOR: &str = "kind IN ('anchor', 'area')";

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "anchor-empty",
        title: "Link without text",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        rule: Rule::Link(
            LinkRule::shaped("kind = 'anchor'")
                .to("url IS NOT NULL")
                .with_text(|text, _| text.is_none_or(|text| text.trim().is_empty())),
        ),
        why: "Screen readers have nothing to say for this link, and search engines nothing to learn from it.",
        fix: "Give the link a text, its image an alt text (a drawing a title element), or the link an aria-label.",
        references: &[NAMES],
        case: Case::new(
            &[
                page(
                    "/",
                    "<a href=\"/a\"></a> <a href=\"/a\"> <img src=\"/i.png\" alt=\"\" width=\"1\" height=\"1\"> </a>",
                ),
                page("/a", ""),
            ],
            &[("/", 2)],
            &[
                page(
                    "/",
                    "<a href=\"/a\">a</a> <a href=\"/a\"><img src=\"/i.png\" alt=\"a\" width=\"1\" height=\"1\"></a> <a name=\"x\"></a> <a href=\"/a\"><svg><title>A</title><path d=\"M0 0h1\"/></svg></a>",
                ),
                page("/a", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "anchor-generic",
        title: "Link text that says nothing",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        rule: Rule::Link(
            LinkRule::shaped("kind = 'anchor'")
                .to("url IS NOT NULL")
                .with_text(|text, _| text.is_some_and(text::is_generic)),
        ),
        why: "“Click here” does not say where the link leads: not to people who jump from link to link, and not to search engines.",
        fix: "Use words that name the target.",
        references: &[NAMES, CRAWLABLE],
        case: Case::new(
            &[page("/", "<a href=\"/a\">Click here</a> <a href=\"/a\">Weiterlesen …</a>"), page("/a", "")],
            &[("/", 2)],
            &[
                page("/", "<a href=\"/a\">Read more about bees</a> <a href=\"/a\">Hereford</a>"),
                page("/a", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "href-malformed",
        title: "Malformed href",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::AnyLink(&[
            LinkRule::shaped("kind <> 'redirect'")
                .to_nowhere()
                .with_href(|href, _| text::is_meant_for_the_web(href) && !text::is_blank(href)),
            LinkRule::shaped("kind <> 'redirect'").with_href(|href, _| text::is_misspelt(href)),
        ]),
        why: "Either no browser can make a URL of this, so the link leads nowhere; or, as with “http:/x” and “htt://x”, browsers guess what was meant and crawlers do not.",
        fix: "Correct the href; most often a slash, a bracket, a port or a space in the host name is wrong.",
        case: Case::new(
            &[
                page(
                    "/",
                    "<a href=\"http://[broken/\">a</a> <a href=\"http://exa mple.test/\">b</a> <a href=\"http://\">c</a> <a href=\"htt://nowhere.example/\">d</a> <a href=\"http:/e\">e</a>",
                ),
                page("/e", ""),
            ],
            &[("/", 5)],
            &[
                page(
                    "/",
                    "<a href=\"mailto:a@b.example\">a</a> <a href=\"/a b\">b</a> <a href=\"\">c</a> <a href=\"{site}/a%20b\">d</a>",
                ),
                page("/a%20b", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "href-whitespace",
        title: "White space in an href",
        priority: Priority::Low,
        rule: Rule::Link(
            LinkRule::shaped(ANCHOR).to("url IS NOT NULL").with_href(|href, _| text::has_whitespace(href)),
        ),
        why: "Browsers remove white space around an href and encode it within; other programs do not, and request an address that does not exist.",
        fix: "Remove the white space, or write %20 where it belongs to the address.",
        case: Case::new(
            &[page("/", "<a href=\" /a\">a</a> <a href=\"/a b\">b</a>"), page("/a", ""), page("/a%20b", "")],
            &[("/", 2)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"mailto:x@y.example?subject=a b\">b</a>"),
                page("/a", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "href-empty",
        title: "Empty href",
        priority: Priority::Low,
        rule: Rule::Link(LinkRule::shaped(ANCHOR).with_href(|href, _| text::is_blank(href))),
        why: "An empty href leads to the page it stands on. Most often a template had no value to put in.",
        fix: "Fill in the address, or use a button where a script does the work.",
        references: &["https://html.spec.whatwg.org/multipage/links.html#attr-hyperlink-href"],
        case: Case::new(
            &[page("/", "<a href=\"\">a</a> <a href=\" \">b</a>")],
            &[("/", 2)],
            &[page("/", "<a href=\"#\">a</a> <a>b</a> <a href=\"/\">c</a>")],
        ),
        ..BASE
    },
    Audit {
        id: "href-file",
        title: "Link to a file on a computer",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Link(LinkRule::shaped("kind <> 'redirect'").with_href(|href, _| text::is_file(href))),
        why: "The link points at a file on the author's computer or network, which no visitor can open. It also tells how that network is named.",
        fix: "Upload the file and link to its web address.",
        case: Case::new(
            &[page(
                "/",
                "<a href=\"file:///C:/Users/me/offer.pdf\">a</a> <a href=\"C:\\me\\offer.pdf\">b</a>",
            )],
            &[("/", 2)],
            &[page("/", "<a href=\"/file:a\">a</a>"), page("/file:a", "")],
        ),
        ..BASE
    },
    Audit {
        id: "href-missing-scheme",
        title: "Address without its scheme",
        severity: Severity::Issue,
        rule: Rule::Link(LinkRule::shaped(ANCHOR).with_href(|href, _| text::lacks_scheme(href))),
        why: "Without https:// the address is a path on this site, where there is no such page.",
        fix: "Put https:// in front of it.",
        case: Case::new(
            &[page("/", "<a href=\"www.nowhere.example/a\">a</a>")],
            &[("/", 1)],
            &[
                page("/", "<a href=\"www.html\">a</a> <a href=\"/www.nowhere.example\">b</a>"),
                page("/www.html", ""),
                page("/www.nowhere.example", ""),
            ],
        ),
        ..BASE
    },
];
