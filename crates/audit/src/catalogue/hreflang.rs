//! Family Pagination and hreflang: alternates in other languages, in pages, headers and sitemaps.

use super::PLAIN;
use crate::audit::{Audit, Family, Priority, Rule, Scope, Severity};
use crate::cases::{Body, Case, Resource, answer, headed_page, page, redirect, robots};

const ENTRY: &[(&str, &str)] = &[
    ("code", "link_anchor"),
    ("target", "link_target"),
    ("raw_href", "link_href"),
    ("element", "link_element"),
    ("line", "link_line"),
    ("position", "link_position"),
    ("status", "link_status"),
    ("reason", "link_reason"),
    ("sitemap", "sitemap"),
    ("sitemap_entry", "sitemap_entry"),
    ("sitemap_alternates", "sitemap_alternates"),
];
const PAGE: &[(&str, &str)] = &[("canonical", "canonical"), ("inlinks", "inlinks")];

const GOOGLE: &str = "https://developers.google.com/search/docs/specialty/international/localized-versions";

const BASE: Audit = Audit {
    family: Family::International,
    severity: Severity::Issue,
    priority: Priority::High,
    scope: Scope::Page,
    evidence: ENTRY,
    references: &[GOOGLE],
    ..PLAIN
};

/// A rule about entries `a` of the pages of the site, with what is known of their targets: visit `tv`, answer `ta`, page `tp`,
/// document `td`.
macro_rules! entries {
    ($condition:literal) => {
        Rule::Select(concat!(
            "SELECT a.url AS url, a.ref AS ref FROM temp.alternate a CROSS JOIN visit v ON v.key = ({crawl} << 32) | a.url
             LEFT JOIN visit tv ON tv.key = ({crawl} << 32) | a.target LEFT JOIN answer ta ON ta.key = tv.key
             LEFT JOIN page tp ON tp.key = tv.key LEFT JOIN document td ON td.id = tp.document
             WHERE a.kind = 1 AND v.internal AND v.state = 1 AND ",
            $condition
        ))
    };
}

/// A rule about pages `r` that name alternates.
macro_rules! pages {
    ($condition:literal) => {
        Rule::Select(concat!(
            "SELECT r.url_id AS url, 0 AS ref FROM (SELECT DISTINCT url FROM temp.alternate WHERE kind = 1) h
             CROSS JOIN {rows} r ON r.key = ({crawl} << 32) | h.url WHERE r.is_page AND ",
            $condition
        ))
    };
}

/// Two pages that name each other and themselves.
const EN: Resource = headed_page(
    "/",
    "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\"><link rel=\"alternate\" hreflang=\"x-default\" href=\"{site}/\">",
    "<a href=\"/de\">de</a>",
);
const DE: Resource = headed_page(
    "/de",
    "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\"><link rel=\"alternate\" hreflang=\"x-default\" href=\"{site}/\">",
    "",
);

/// A home page that names a German page.
const NAMES_DE: Resource = headed_page(
    "/",
    "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\">",
    "<a href=\"/de\">de</a>",
);

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "hreflang-invalid-code",
        title: "Invalid hreflang code",
        rule: entries!("valid_hreflang(a.code) IS NULL"),
        why: "Search engines pass over the entry: a code is a language of ISO 639-1, where needed with a script and a country of ISO 3166-1. en-UK, a country alone and an underscore are no codes.",
        fix: "Correct the code: en-GB, de, zh-Hant-HK, or x-default.",
        case: Case::new(
            &[headed_page(
                "/",
                "<link rel=\"alternate\" hreflang=\"en-UK\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"us\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\">",
                "",
            )],
            &[("/", 3)],
            &[headed_page(
                "/",
                "<link rel=\"alternate\" hreflang=\"EN-gb\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"zh-Hant-TW\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"X-Default\" href=\"{site}/\"><link rel=\"stylesheet alternate\" hreflang=\"xx\" href=\"/a.css\"><link rel=\"alternate\" type=\"application/rss+xml\" hreflang=\"us\" href=\"/feed\"><link rel=\"alternate\" media=\"print\" hreflang=\"\" href=\"{site}/print\">",
                "",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-no-return",
        title: "hreflang without a return link",
        rule: entries!(
            "a.target > 0 AND a.target <> a.url AND ta.status BETWEEN 200 AND 299 AND tp.key IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM temp.alternate b WHERE b.url = a.target AND b.kind = 1 AND b.target = a.url)"
        ),
        why: "The other page does not name this one. Search engines believe alternates only where both pages say so, since otherwise anybody could call a page the translation of his own.",
        fix: "Let the other page name this one as well; most often its template or its entry in the sitemap is missing.",
        case: Case::new(
            &[NAMES_DE, page("/de", "")],
            &[("/", 1)],
            &[
                EN,
                // By its header.
                page("/de", "").headed(&[
                    ("Content-Type", "text/html"),
                    ("Link", "<{site}/>; rel=\"alternate\"; hreflang=\"en\", <{site}/de>; rel=\"alternate\"; hreflang=\"de\""),
                ]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-inconsistent-return",
        title: "hreflang return link under another code",
        rule: entries!(
            "a.target > 0 AND a.target <> a.url
             AND EXISTS (SELECT 1 FROM temp.alternate b WHERE b.url = a.target AND b.kind = 1 AND b.target = a.url AND b.code <> 'x-default')
             AND EXISTS (SELECT 1 FROM temp.alternate s WHERE s.url = a.url AND s.kind = 1 AND s.target = a.url AND s.code <> 'x-default')
             AND NOT EXISTS (SELECT 1 FROM temp.alternate b JOIN temp.alternate s ON s.url = a.url AND s.kind = 1 AND s.target = a.url AND s.code = b.code
               WHERE b.url = a.target AND b.kind = 1 AND b.target = a.url AND b.code <> 'x-default')"
        ),
        why: "The other page names this one for another language or country than this one names itself, so search engines cannot tell for whom it is.",
        fix: "Use one code for one page everywhere.",
        case: Case::new(
            &[
                NAMES_DE,
                headed_page(
                    "/de",
                    "<link rel=\"alternate\" hreflang=\"en-GB\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\">",
                    "",
                ),
            ],
            &[("/", 1)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-to-error",
        title: "hreflang to an error",
        rule: entries!("(tv.state = 2 OR (tv.state = 1 AND ta.status >= 400 AND ta.status NOT IN ({unverifiable})))"),
        why: "Readers of that language would be sent to a page that does not exist, so search engines pass over the entry.",
        fix: "Name the page that exists, or remove the entry.",
        case: Case::new(
            &[NAMES_DE],
            &[("/", 1)],
            &[NAMES_DE, answer("/de", 403)],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-to-redirect",
        title: "hreflang to a redirect",
        rule: entries!("tv.state = 1 AND ta.redirect IS NOT NULL AND ta.flags & 1024 = 0"),
        why: "An alternate has to be the page itself; search engines may pass over an entry that leads elsewhere.",
        fix: "Name the final address.",
        case: Case::new(
            &[NAMES_DE, redirect("/de", 301, &[("Location", "/deutsch")]), page("/deutsch", "")],
            &[("/", 1)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-to-noindex",
        title: "hreflang to a noindex page",
        rule: entries!("ta.status BETWEEN 200 AND 299 AND td.noindex"),
        why: "The alternate asks not to be shown, so it cannot be shown to readers of its language.",
        fix: "Remove noindex from the alternate, or the entry.",
        case: Case::new(
            &[NAMES_DE, headed_page("/de", "<meta name=\"robots\" content=\"noindex\">", "")],
            &[("/", 1)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-to-canonicalised",
        title: "hreflang to a page with a canonical elsewhere",
        rule: entries!("ta.status BETWEEN 200 AND 299 AND td.canonical_url IS NOT NULL AND td.flags & 16384 = 0"),
        why: "The alternate gives its place in search to another page, so the entry names one that is not shown.",
        fix: "Name the canonical page of that language, and let every language's page be its own canonical.",
        case: Case::new(
            &[NAMES_DE, headed_page("/de", "<link rel=\"canonical\" href=\"{site}/\">", "")],
            &[("/", 1)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-to-blocked",
        title: "hreflang to a URL blocked by robots.txt",
        rule: entries!("tv.state = 3"),
        why: "Search engines may not read the alternate, so they never see that it names this page in return.",
        fix: "Allow the alternate in robots.txt, or remove the entry.",
        case: Case::new(
            &[robots("User-agent: *\nDisallow: /de\n"), NAMES_DE, page("/de", "")],
            &[("/", 1)],
            &[robots("User-agent: *\nDisallow: /fr\n"), EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-conflicting",
        title: "Several URLs for one hreflang code",
        rule: entries!(
            "a.target > 0 AND EXISTS (SELECT 1 FROM temp.alternate b WHERE b.url = a.url AND b.kind = 1 AND b.target > 0 AND b.target <> a.target AND b.code = a.code)"
        ),
        why: "Search engines cannot tell which of the pages is the one for this language, and may pass over all of them.",
        fix: "Keep one URL for each code. Where countries differ, say so in the code: de-AT, de-CH.",
        case: Case::new(
            &[
                headed_page(
                    "/",
                    "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\"><link rel=\"alternate\" hreflang=\"DE\" href=\"{site}/at\">",
                    "",
                ),
                page("/de", ""),
                page("/at", ""),
            ],
            &[("/", 2)],
            &[
                headed_page(
                    "/",
                    "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de#top\">",
                    "",
                ),
                page("/de", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-many-codes-one-url",
        title: "One URL for several hreflang codes",
        priority: Priority::Medium,
        rule: entries!(
            "a.target > 0 AND a.code <> 'x-default' AND EXISTS (SELECT 1 FROM temp.alternate b WHERE b.url = a.url AND b.kind = 1 AND b.target = a.target AND b.code NOT IN (a.code, 'x-default'))"
        ),
        why: "A page can hardly be for readers of two languages. For several countries of one language, a code without country says the same.",
        fix: "Name the page once, by its language, and as x-default where it is for everybody else.",
        case: Case::new(
            &[headed_page(
                "/",
                "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"en-GB\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"x-default\" href=\"{site}/\">",
                "",
            )],
            &[("/", 2)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-self-missing",
        title: "hreflang does not name the page itself",
        severity: Severity::Warning,
        priority: Priority::Low,
        rule: pages!("NOT EXISTS (SELECT 1 FROM temp.alternate a WHERE a.url = r.url_id AND a.kind = 1 AND a.target = r.url_id)"),
        evidence: PAGE,
        why: "A set of alternates names each of its pages on each of them. Without its own entry, nothing says which language this page is for.",
        fix: "Add an entry with the page's own address and code.",
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\">", ""),
                headed_page("/de", "<link rel=\"alternate\" hreflang=\"de\" href=\"/de\">", ""),
            ],
            &[("/", 1)],
            &[page("/", "<a href=\"/de\">de</a>"), headed_page("/de", "<link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de#x\">", "")],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-x-default-missing",
        title: "hreflang without x-default",
        severity: Severity::Warning,
        priority: Priority::Low,
        rule: pages!("NOT EXISTS (SELECT 1 FROM temp.alternate a WHERE a.url = r.url_id AND a.kind = 1 AND a.code = 'x-default')"),
        evidence: PAGE,
        why: "x-default says which page is for readers whose language is none of the others.",
        fix: "Add x-default for the page that lets readers choose, or for the language that most of them read.",
        case: Case::new(&[NAMES_DE, page("/de", "")], &[("/", 1)], &[EN, DE]),
        ..BASE
    },
    Audit {
        id: "hreflang-not-canonical",
        title: "hreflang on a page that is not its own canonical",
        rule: pages!(
            "r.canonical_id IS NOT NULL AND NOT r.canonical_self AND EXISTS (SELECT 1 FROM temp.alternate a WHERE a.url = r.url_id AND a.kind = 1 AND a.target = r.url_id)"
        ),
        evidence: PAGE,
        why: "The page calls itself the one for its language, and its canonical says that another one is to be shown.",
        fix: "Let the canonical name the page itself, or keep hreflang to the canonical pages. The canonical of a translation is never the original.",
        case: Case::new(
            &[
                page("/", "<a href=\"/de\">de</a>"),
                headed_page(
                    "/de",
                    "<link rel=\"canonical\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\"><link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\">",
                    "",
                ),
            ],
            &[("/de", 1)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-outside-head",
        title: "hreflang outside head",
        rule: entries!("a.place = 2"),
        why: "Search engines read hreflang in head only. Often the head was closed early by an element that may not stand in it.",
        fix: "Move the elements into head, before anything that belongs into body.",
        case: Case::new(
            &[page("/", "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\">")],
            &[("/", 1)],
            &[
                headed_page("/", "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\">", "<a hreflang=\"de\" href=\"/de\">de</a>")
                    .headed(&[("Content-Type", "text/html"), ("Link", "<{site}/>; rel=\"alternate\"; hreflang=\"en\"")]),
                page("/de", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-relative",
        title: "hreflang with a relative address",
        // A href that is not stored to the letter is a form of its target: 1 and 2 are a path.
        rule: entries!(
            "a.ref > 0 AND EXISTS (SELECT 1 FROM link l LEFT JOIN string h ON h.id = l.href >> 2 WHERE l.id = a.ref AND (l.href & 3 IN (1, 2)
             OR (l.href & 3 = 0 AND ltrim(coalesce(h.value, '')) NOT LIKE 'http://%' AND ltrim(coalesce(h.value, '')) NOT LIKE 'https://%')))"
        ),
        why: "Search engines want whole addresses here, with scheme and host.",
        fix: "Write the whole address: https://www.example.com/de/.",
        case: Case::new(
            &[headed_page(
                "/",
                "<link rel=\"alternate\" hreflang=\"en\" href=\"/\"><link rel=\"alternate\" hreflang=\"de\" href=\"de\"><link rel=\"alternate\" hreflang=\"fr\" href=\"//127.0.0.1:1/\">",
                "",
            )],
            &[("/", 3)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-unlinked",
        title: "Alternate without inlinks",
        priority: Priority::Medium,
        rule: entries!(
            "a.target > 0 AND a.target <> a.url AND tv.internal AND ta.status BETWEEN 200 AND 299 AND tp.key IS NOT NULL
             AND {crawl} NOT IN (SELECT id FROM crawl WHERE job = 'list')
             AND (SELECT m.unique_inlinks FROM metric m WHERE m.key = tv.key) = 0"
        ),
        why: "No page links to the alternate, so visitors who want it do not find it, and search engines take it for unimportant.",
        fix: "Link the languages of a page to each other where readers can see it.",
        case: Case::new(
            &[
                headed_page("/", "<link rel=\"alternate\" hreflang=\"en\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\">", ""),
                DE,
            ],
            &[("/", 1)],
            &[EN, DE],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-differs-from-lang",
        title: "hreflang and lang differ",
        severity: Severity::Warning,
        priority: Priority::Medium,
        rule: Rule::Select(
            "SELECT a.url AS url, a.ref AS ref FROM temp.alternate a CROSS JOIN page p ON p.key = ({crawl} << 32) | a.url JOIN document d ON d.id = p.document
             WHERE a.kind = 1 AND a.target = a.url AND a.code <> 'x-default' AND trim(coalesce(d.lang, '')) <> ''
             AND NOT EXISTS (SELECT 1 FROM temp.alternate b WHERE b.url = a.url AND b.kind = 1 AND b.target = a.url AND same_language(b.code, d.lang) IS NOT NULL)",
        ),
        why: "The page names itself for one language and says in its html element that it is written in another. Screen readers and browsers believe lang, search engines hreflang.",
        fix: "Correct the one that is wrong; often a translation keeps the lang of its original.",
        references: &[GOOGLE, "https://www.w3.org/International/questions/qa-html-language-declarations"],
        case: Case::new(
            &[NAMES_DE, DE],
            &[("/de", 1)],
            &[
                headed_page(
                    "/",
                    "<link rel=\"alternate\" hreflang=\"en-AU\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"x-default\" href=\"{site}/\"><link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\">",
                    "",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "hreflang-several-methods",
        title: "hreflang said in several places",
        severity: Severity::Warning,
        priority: Priority::Low,
        rule: pages!(
            "(SELECT count(DISTINCT CASE WHEN a.place <= 2 THEN 1 ELSE a.place END) FROM temp.alternate a WHERE a.url = r.url_id AND a.kind = 1) > 1"
        ),
        evidence: PAGE,
        why: "Elements, headers and sitemaps can each name alternates. Said twice, the one is easily changed and the other forgotten.",
        fix: "Keep to one of the three.",
        case: Case::new(
            &[
                EN,
                DE,
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\n"),
                answer("/sitemap.xml", 200).headed(&[("Content-Type", "application/xml")]).holding(Body::Text(
                    "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>{site}/</loc><xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"{site}/de\"/></url></urlset>",
                )),
            ],
            &[("/", 1)],
            &[
                EN,
                DE,
                robots("User-agent: *\nDisallow:\nSitemap: {site}/sitemap.xml\n"),
                answer("/sitemap.xml", 200).headed(&[("Content-Type", "application/xml")]).holding(Body::Text(
                    "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{site}/</loc></url></urlset>",
                )),
            ],
        ),
        ..BASE
    },
];
