//! Family Structured data and social: what a page looks like where it is shared, and its icon.

use super::{BROKEN_FILE, FLAW, LINK, PLAIN};
use crate::audit::{Audit, Family, LinkRule, Needs, Priority, Rule, Scope, Severity};
use crate::cases::{Case, answer, headed_page, page};
use model::FlawKind;

const OPEN_GRAPH: &str = "https://ogp.me/";
const CARDS: &str = "https://developer.x.com/en/docs/x-for-websites/cards/overview/markup";
const SHARING: &str = "https://developers.facebook.com/docs/sharing/webmasters/";
const FAVICON: &str = "https://developers.google.com/search/docs/appearance/favicon-in-search";

const BASE: Audit = Audit {
    family: Family::Structured,
    severity: Severity::Opportunity,
    priority: Priority::Low,
    scope: Scope::Indexable,
    evidence: LINK,
    references: &[OPEN_GRAPH],
    ..PLAIN
};

/// All that Open Graph wants, for cases about something else.
const WHOLE: &str = "<meta property=\"og:title\" content=\"A\"><meta property=\"og:type\" content=\"website\"><meta property=\"og:url\" content=\"{site}/\"><meta property=\"og:image\" content=\"{site}/a.png\">";

/// The text of a link from a meta element is its property.
fn is_image(property: &str) -> bool {
    property.starts_with("og:image") || property.starts_with("twitter:image")
}

fn is_relative(href: &str) -> bool {
    let starts = |scheme: &str| {
        href.trim().get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    !starts("http://") && !starts("https://")
}

const PICTURE: crate::cases::Resource =
    answer("/a.png", 200).headed(&[("Content-Type", "image/png")]).holding(crate::cases::Body::Filler(10));

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "open-graph-missing",
        title: "Open Graph properties missing",
        rule: Rule::Row(Needs::Itself, "open_graph_missing > 0"),
        evidence: &[(
            "missing",
            "substr(CASE WHEN open_graph_missing & 1 THEN ', og:title' ELSE '' END || CASE WHEN open_graph_missing & 2 THEN ', og:type' ELSE '' END \
             || CASE WHEN open_graph_missing & 4 THEN ', og:image' ELSE '' END || CASE WHEN open_graph_missing & 8 THEN ', og:url' ELSE '' END, 3)",
        )],
        why: "Whoever shares the page leaves it to chance which title and picture others see.",
        fix: "Give every page og:title, og:type, og:image and og:url of its own.",
        references: &[OPEN_GRAPH, SHARING],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                headed_page(
                    "/a",
                    "<meta property=\"og:title\" content=\"A\"><meta property=\"og:image\" content=\"\">",
                    "",
                ),
            ],
            &[("/", 1), ("/a", 1)],
            &[
                headed_page("/", WHOLE, "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                headed_page(
                    "/a",
                    "<meta name=\"OG:title\" content=\"A\"><meta property=\"og:type\" content=\"article\"><meta property=\"og:url\" content=\"{site}/a\"><meta property=\"og:image:secure_url\" content=\"{site}/a.png\">",
                    "",
                ),
                headed_page("/b", "<meta name=\"robots\" content=\"noindex\">", ""),
                PICTURE,
            ],
        ),
        ..BASE
    },
    Audit {
        id: "twitter-card-missing",
        title: "X (Twitter) card missing",
        rule: Rule::Row(Needs::Itself, "twitter_card_missing"),
        evidence: &[("title", "title")],
        why: "On X the page is shown as a bare link, unless Open Graph has a type, a title and a description for it.",
        fix: "Add meta name=\"twitter:card\"; the rest is taken from Open Graph.",
        references: &[CARDS],
        case: Case::new(
            &[headed_page("/", WHOLE, ""), PICTURE],
            &[("/", 1)],
            &[
                headed_page("/", "<meta name=\"twitter:card\" content=\"summary\">", "<a href=\"/a\">a</a>"),
                headed_page(
                    "/a",
                    "<meta property=\"og:title\" content=\"A\"><meta property=\"og:type\" content=\"article\"><meta property=\"og:description\" content=\"D\">",
                    "",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "og-image-broken",
        title: "Image or video for shares broken or relative",
        severity: Severity::Warning,
        priority: Priority::Medium,
        scope: Scope::Link,
        rule: Rule::AnyLink(&[
            LinkRule::shaped("kind = 'social'").to(BROKEN_FILE),
            LinkRule::shaped("kind = 'social'")
                .with_text(|text, _| text.is_some_and(is_image))
                .with_href(|href, _| is_relative(href))
                .or_relative(),
        ]),
        evidence: &[
            ("image", "link_target"),
            ("raw_href", "link_href"),
            ("property", "link_anchor"),
            ("status", "link_status"),
            ("reason", "link_reason"),
            ("element", "link_element"),
            ("line", "link_line"),
        ],
        why: "The page is shared without its picture or film: networks load the address as it is written, without the page around it.",
        fix: "Write the whole address of a file that exists, with https://.",
        references: &[OPEN_GRAPH, SHARING],
        case: Case::new(
            &[
                headed_page(
                    "/",
                    "<meta property=\"og:image\" content=\"{site}/gone.png\"><meta name=\"twitter:image\" content=\"/a.png\"><meta property=\"og:image:url\" content=\"//example.com/x.png\"><link rel=\"image_src\" href=\"/gone.png\"><meta property=\"og:video\" content=\"{site}/gone.mp4\">",
                    "",
                ),
                PICTURE,
            ],
            &[("/", 5)],
            &[
                headed_page(
                    "/",
                    "<meta property=\"og:image\" content=\"{site}/a.png\"><meta property=\"og:image\" content=\"{other}/no.png\"><meta property=\"og:video\" content=\"/a.png\"><link rel=\"image_src\" href=\"/a.png\"><meta property=\"og:image:alt\" content=\"/a\">",
                    "<img src=\"/gone.png\" alt=\"\" width=\"1\" height=\"1\">",
                ),
                answer("other:/no.png", 403),
                PICTURE,
            ],
        ),
        ..BASE
    },
    Audit {
        id: "og-url-not-canonical",
        title: "og:url differs from the canonical",
        severity: Severity::Warning,
        scope: Scope::Content,
        rule: Rule::Flaw(FlawKind::OgUrlNotCanonical),
        evidence: &[FLAW[0], FLAW[1], FLAW[2], ("canonical", "canonical")],
        why: "Likes and shares are counted for the address in og:url, and links from them strengthen another page than the one that is to rank.",
        fix: "Give og:url the address of the canonical.",
        references: &[OPEN_GRAPH, SHARING],
        case: Case::new(
            &[
                headed_page(
                    "/",
                    "<meta property=\"og:url\" content=\"{site}/other\">",
                    "<a href=\"/a\">a</a>",
                ),
                headed_page(
                    "/a",
                    "<meta property=\"og:url\" content=\"{site}/a\"><link rel=\"canonical\" href=\"{site}/\">",
                    "",
                ),
            ],
            &[("/", 1), ("/a", 1)],
            &[
                headed_page(
                    "/",
                    "<meta property=\"og:url\" content=\"{site}/#top\">",
                    "<a href=\"/a?x=1\">a</a> <a href=\"/b\">b</a>",
                ),
                headed_page(
                    "/a?x=1",
                    "<meta property=\"og:url\" content=\"{site}/\"><link rel=\"canonical\" href=\"{site}/\">",
                    "",
                ),
                page("/b", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "icon-broken",
        title: "Broken icon",
        severity: Severity::Warning,
        scope: Scope::Link,
        rule: Rule::Link(LinkRule::shaped("kind = 'icon'").to(BROKEN_FILE)),
        why: "Tabs, bookmarks and search results show a blank or somebody else's picture beside the name of the site.",
        fix: "Put the icon where the link says, or correct the link.",
        references: &[FAVICON],
        case: Case::new(
            &[headed_page(
                "/",
                "<link rel=\"shortcut icon\" href=\"/gone.ico\"><link rel=\"apple-touch-icon\" href=\"/gone.png\">",
                "",
            )],
            &[("/", 2)],
            &[
                headed_page(
                    "/",
                    "<link rel=\"icon\" href=\"/a.png\"><link rel=\"icon\" href=\"data:,\"><link rel=\"mask-icon\" href=\"{other}/no.svg\">",
                    "<a href=\"/gone.ico\">b</a>",
                ),
                answer("other:/no.svg", 403),
                PICTURE,
            ],
        ),
        ..BASE
    },
];
