//! Family Structured data and social: JSON-LD, Microdata and RDFa.

use super::{LINK, PLAIN};
use crate::audit::{Audit, Family, LinkRule, Needs, Priority, Rule, Scope, Severity};
use crate::cases::{Case, answer, headed_page, page};
use model::FlawKind;

/// What `parse` notes of an entity: its types and those around it, and what is wrong.
const ENTITY: &[(&str, &str)] = &[
    ("entity", "substr(flaw_detail, 1, instr(flaw_detail, ': ') - 1)"),
    ("property", "substr(flaw_detail, instr(flaw_detail, ': ') + 2)"),
    ("element", "flaw_element"),
    ("line", "flaw_line"),
];
const FAULT: &[(&str, &str)] = &[
    ("found", "substr(flaw_detail, instr(flaw_detail, ': ') + 2)"),
    ("column", "CAST(substr(flaw_detail, 8) AS INTEGER)"),
    ("element", "flaw_element"),
    ("line", "flaw_line"),
];

const INTRODUCTION: &str =
    "https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data";
const GALLERY: &str = "https://developers.google.com/search/docs/appearance/structured-data/search-gallery";
const JSON: &str = "https://datatracker.ietf.org/doc/html/rfc8259";
const SCHEMA: &str = "https://schema.org/docs/full.html";
const RETIRED: &str = "https://developers.google.com/search/blog/2025/06/simplifying-search-results";

const BASE: Audit = Audit {
    family: Family::Structured,
    severity: Severity::Opportunity,
    priority: Priority::Low,
    scope: Scope::Indexable,
    evidence: ENTITY,
    references: &[GALLERY],
    ..PLAIN
};

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "jsonld-parse-error",
        title: "JSON-LD that cannot be read",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Flaw(FlawKind::JsonldParseError),
        evidence: FAULT,
        why: "One wrong character, and search engines read nothing of the whole script.",
        fix: "Mend what stands at the line and column; let a library write the JSON instead of a text template.",
        references: &[INTRODUCTION, JSON],
        case: Case::new(
            &[
                headed_page(
                    "/",
                    "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"Thing\",}</script>",
                    "<a href=\"/a\">a</a>",
                ),
                headed_page(
                    "/a",
                    "<script type=\"application/ld+json\">{\"name\": \"two\nlines\"}</script><script type=\"APPLICATION/LD+JSON; charset=utf-8\"></script><script type=\"application/ld+json\">{\"a\": 1} {\"b\": 2}</script>",
                    "",
                ),
            ],
            &[("/", 1), ("/a", 3)],
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">\n//<![CDATA[\n{\"@context\": \"https://schema.org\", \"@type\": \"Thing\", \"name\": \"A \\\"b\\\" \\u00e9\"}\n//]]>\n</script>\
                 <script type=\"application/ld+json\"><!-- made by a plugin --> []</script><script type=\"application/json\">{,}</script><script type=\"text/x-template\">{{ json }}</script>",
                "",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "structured-required-missing",
        title: "Rich result lacks a required property",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Flaw(FlawKind::StructuredRequiredMissing),
        why: "Google shows no rich result for an entity that lacks what its documentation requires.",
        fix: "Add the property where the page says it too, or remove the entity.",
        references: &[GALLERY, INTRODUCTION],
        case: Case::new(
            &[
                headed_page(
                    "/",
                    "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"Product\", \"name\": \"Tea\"}</script>",
                    "<a href=\"/a\">a</a> <div itemscope itemtype=\"https://schema.org/Event\"><b itemprop=\"name\">Tasting</b></div>",
                ),
                page(
                    "/a",
                    "<div vocab=\"https://schema.org/\" typeof=\"Recipe\"><b property=\"name\">Tea</b></div>",
                ),
            ],
            &[("/", 3), ("/a", 1)],
            &[
                headed_page(
                    "/",
                    "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@graph\": [\
                     {\"@type\": \"Product\", \"name\": \"Tea\", \"review\": {\"@id\": \"#r\"}},\
                     {\"@type\": \"Review\", \"@id\": \"#r\", \"author\": {\"@type\": \"Person\", \"name\": \"A\"}, \"reviewRating\": {\"@type\": \"Rating\", \"ratingValue\": 5}},\
                     {\"@type\": \"Article\"}, {\"@type\": \"ImageObject\", \"url\": \"/a.png\"}]}</script>",
                    "<a href=\"/b\">b</a> <a href=\"/c\">c</a>",
                ),
                headed_page(
                    "/b",
                    "<meta name=\"robots\" content=\"noindex\">",
                    "<div itemscope itemtype=\"https://schema.org/Product\"></div>",
                ),
                page(
                    "/c",
                    "<div itemscope itemtype=\"https://schema.org/Product\"><b itemprop=\"name\">Tea</b><div itemprop=\"offers\" itemscope itemtype=\"https://schema.org/AggregateOffer\">\
                     <span itemprop=\"lowPrice\" content=\"1\"></span><meta itemprop=\"priceCurrency\" content=\"EUR\"></div></div>\
                     <div itemscope itemtype=\"https://example.com/Product\"></div>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "structured-recommended-missing",
        title: "Rich result lacks recommended properties",
        rule: Rule::Flaw(FlawKind::StructuredRecommendedMissing),
        why: "The more of the recommended properties an entity has, the more can be shown of it, and the more often it is.",
        fix: "Add those for which the page has a true value.",
        references: &[GALLERY],
        case: Case::new(
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"NewsArticle\", \"headline\": \"H\"}</script>",
                "",
            )],
            &[("/", 1)],
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">[{\"@context\": \"https://schema.org\", \"@type\": \"NewsArticle\", \"headline\": \"H\", \"image\": \"/a.png\", \"author\": {\"@type\": \"Person\", \"name\": \"A\", \"url\": \"/a\"}, \"datePublished\": \"2026-01-02\", \"dateModified\": \"2026-01-02\"}, {\"@context\": \"https://schema.org\", \"@type\": \"WebPage\"}]</script>",
                "",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "structured-unknown-term",
        title: "Structured data with an unknown term",
        rule: Rule::Flaw(FlawKind::StructuredUnknownTerm),
        why: "A type or property that schema.org does not have, or not there, is passed over, most often for a typing error.",
        fix: "Correct the name, or move the property to the type that has it.",
        references: &[SCHEMA, "https://validator.schema.org/"],
        case: Case::new(
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"Person\", \"Name\": \"A\", \"price\": 1, \"worksFor\": {\"@type\": \"Companie\"}}</script>",
                "",
            )],
            &[("/", 3)],
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">[{\"@context\": [\"https://schema.org\", {\"own\": \"https://example.com/own\"}], \"@type\": \"Person\", \"name\": \"A\", \"own\": 1, \"ex:y\": 2, \"description\": \"B\"}, \
                 {\"@context\": \"https://example.com/context\", \"@type\": \"Anything\", \"any\": 1}, {\"@context\": \"https://schema.org\", \"@type\": [\"Product\", \"Book\"], \"isbn\": \"1\", \"sku\": \"2\"}]</script>",
                "",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "structured-missing",
        title: "No structured data",
        rule: Rule::Row(Needs::Itself, "structured_missing"),
        evidence: &[("title", "title"), ("h1", "h1")],
        why: "Without structured data search engines and assistants have to guess what the page is about, and show it as a plain link.",
        fix: "Describe what the page shows with the types of schema.org, a breadcrumb at the least.",
        references: &[INTRODUCTION],
        case: Case::new(
            &[page("/", "<div itemscope><b itemprop=\"name\">a</b></div>")],
            &[("/", 1)],
            &[
                headed_page(
                    "/",
                    "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"WebSite\"}</script>",
                    "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a>",
                ),
                page("/a", "<div itemscope itemtype=\"https://schema.org/Thing\"></div>"),
                page("/b", "<div vocab=\"https://schema.org/\" typeof=\"Thing\"></div>"),
                headed_page("/c", "<script type=\"application/ld+json\">{</script>", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "structured-url-broken",
        title: "Broken address in structured data",
        severity: Severity::Warning,
        priority: Priority::Medium,
        scope: Scope::Link,
        rule: Rule::Link(LinkRule::shaped("kind = 'data'").to(super::BROKEN_FILE)),
        evidence: LINK,
        why: "A logo, image or page that is not there is not shown, and casts doubt on the rest.",
        fix: "Correct the address, or put back what stood there.",
        references: &[INTRODUCTION],
        case: Case::new(
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"Organization\", \"url\": \"{site}/\", \"logo\": \"{site}/gone.png\", \"image\": [\"{other}/gone.png\"]}</script>",
                "<div itemscope itemtype=\"https://schema.org/Thing\"><meta itemprop=\"image\" content=\"/gone.png\"></div>",
            )],
            &[("/", 3)],
            &[
                headed_page(
                    "/",
                    "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"Organization\", \"@id\": \"{site}/gone\", \"url\": \"{site}/\", \"logo\": \"/a.png\", \"image\": \"{other}/no.png\", \"sameAs\": \"{site}/gone\"}</script>",
                    "",
                ),
                answer("/a.png", 200).headed(&[("Content-Type", "image/png")]),
                answer("other:/no.png", 403),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "structured-deprecated",
        title: "Structured data of the past",
        severity: Severity::Note,
        rule: Rule::Flaw(FlawKind::StructuredDeprecated),
        why: "What schema.org has replaced may be read no longer, and of some types Google has ceased to show anything.",
        fix: "Use the new name. What is shown no more does no harm; keep it where others read it.",
        references: &[RETIRED, SCHEMA],
        case: Case::new(
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">[{\"@context\": \"https://schema.org\", \"@type\": \"HowTo\", \"name\": \"H\"}, {\"@context\": \"https://schema.org\", \"@type\": \"Recipe\", \"ingredients\": \"tea\"}]</script>",
                "<div itemscope itemtype=\"http://data-vocabulary.org/Breadcrumb\"></div>",
            )],
            &[("/", 3)],
            &[headed_page(
                "/",
                "<script type=\"application/ld+json\">[{\"@context\": \"https://schema.org\", \"@type\": \"WebSite\", \"name\": \"H\"}, {\"@context\": \"https://schema.org\", \"@type\": \"Recipe\", \"recipeIngredient\": \"tea\"}, {\"@context\": \"https://schema.org\", \"@type\": \"Course\", \"name\": \"C\"}]</script>",
                "",
            )],
        ),
        ..BASE
    },
];
