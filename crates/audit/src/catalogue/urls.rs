//! Family URLs: how the site's addresses are made.

use super::{PLAIN, raised};
use crate::audit::{Audit, Family, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, Fact, Resource, headed_page, html, page, redirect};
use crate::urls_text as text;

const URL: &[(&str, &str)] = &[
    ("status", "status"),
    ("inlinks", "inlinks"),
    ("linking_pages", "unique_inlinks"),
    ("found_by", "found_by"),
    ("first_source", "first_source"),
];
const QUERY: &[(&str, &str)] = &[
    ("query", "substr(url, instr(url, '?') + 1)"),
    ("canonical", "canonical"),
    ("inlinks", "inlinks"),
    ("linking_pages", "unique_inlinks"),
    ("first_source", "first_source"),
];
const LENGTH: &[(&str, &str)] = &[
    ("characters_encoded", "length(url)"),
    ("inlinks", "inlinks"),
    ("linking_pages", "unique_inlinks"),
    ("first_source", "first_source"),
];
const VARIANT: &[(&str, &str)] = &[
    ("other_url", "other_url"),
    ("canonical", "canonical"),
    ("title", "title"),
    ("inlinks", "inlinks"),
    ("first_source", "first_source"),
];

const STRUCTURE: &str = "https://developers.google.com/search/docs/crawling-indexing/url-structure";
const RFC: &str = "https://www.rfc-editor.org/rfc/rfc3986";
const DUPLICATES: &str =
    "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

/// Addresses that the site's own pages link to, and those that a person listed. A URL that is named elsewhere only (a sitemap, a
/// redirect, a canonical) is looked at there.
const NAMED: &str = "(inlinks > 0 OR found_by = 'list')";

/// What makes an address a poor one is asked of pages: of what redirects or is missing the link is wrong, not the form.
const BASE: Audit =
    Audit { family: Family::Urls, priority: Priority::Low, evidence: URL, references: &[STRUCTURE], ..PLAIN };

/// What is a slip in any case.
const SLIP: Audit = Audit { scope: Scope::Internal, references: &[RFC], ..BASE };

/// A page that is the same whatever its address.
const fn same(path: &'static str) -> Resource {
    html(
        path,
        "<!doctype html><title>The same text under several addresses</title><h1>The same</h1><p>Text that does not change.</p><a href=\"/\">Back</a>",
    )
}

/// Links to addresses that differ in the second of two equal parameters only.
macro_rules! repeated {
    ($($number:literal)*) => { concat!($("<a href=\"/x?p=0&amp;p=", $number, "\">", $number, "</a> "),*) };
}

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "url-non-ascii",
        title: "URL with characters beyond ASCII",
        rule: Rule::Url(NAMED, |url, _| text::is_not_ascii(url)),
        why: "Letters such as ü or 茶 have to be encoded in a URL: copied from the address bar it becomes a row of percent signs, and programs that do not encode it, or do so in another character set, ask for something else.",
        fix: "Use letters a to z, digits and hyphens in new addresses. Where people read another script the encoded form is right; ignore the finding there.",
        references: &[RFC, STRUCTURE],
        case: Case::new(
            &[page("/", "<a href=\"/über\">a</a> <a href=\"/t%C3%A9?a=b\">b</a>"), page("/%C3%BCber", ""), page("/t%C3%A9?a=b", "")],
            &[("/%C3%BCber", 1), ("/t%C3%A9?a=b", 1)],
            &[
                page("/", "<a href=\"/uber%20ein#ü\">a</a> <a href=\"/ü\">redirects</a> <a href=\"{other}/ü\">other</a>"),
                page("/uber%20ein", ""),
                redirect("/%C3%BC", 301, &[("Location", "/")]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "url-uppercase",
        title: "Capital letters in the URL's path",
        rule: Rule::Url(NAMED, |url, _| text::has_upper_case(url)),
        why: "Upper and lower case are different addresses. One that has both is easily mistyped, and where the server takes both the page exists twice.",
        fix: "Use lower case in new addresses, and redirect the other forms to them.",
        references: &[STRUCTURE, RFC],
        case: Case::new(
            &[page("/", "<a href=\"/Tea/green\">a</a>"), page("/Tea/green", "")],
            &[("/Tea/green", 1)],
            &[
                page("/", "<a href=\"/caf%C3%A9\">a</a> <a href=\"/tea?Sort=Price\">b</a> <a href=\"/Old\">c</a> <a href=\"/Gone\">d</a>"),
                page("/caf%C3%A9", ""),
                page("/tea?Sort=Price", ""),
                redirect("/Old", 301, &[("Location", "/")]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "url-underscore",
        title: "Underscore in the URL's path",
        severity: Severity::Opportunity,
        rule: Rule::Url(NAMED, |url, _| text::has_underscore(url)),
        why: "Search engines take a hyphen for the gap between two words, and words joined by an underscore for one.",
        fix: "Use hyphens in new addresses. Old ones are best left as they are: a redirect costs more than the underscore.",
        case: Case::new(
            &[page("/", "<a href=\"/green_tea\">a</a>"), page("/green_tea", "")],
            &[("/green_tea", 1)],
            &[page("/", "<a href=\"/green-tea?sort_by=price\">a</a>"), page("/green-tea?sort_by=price", "")],
        ),
        ..BASE
    },
    Audit {
        id: "url-space",
        title: "Space in a URL",
        severity: Severity::Issue,
        rule: Rule::Url(NAMED, |url, _| text::has_space(url)),
        why: "A space ends an address for mail programs, chats and people who copy it; what is left of it leads nowhere. Encoded as %20 it is hard to read.",
        fix: "Replace spaces by hyphens and redirect the old address. In a query + says the same.",
        case: Case::new(
            &[page("/", "<a href=\"/green tea\">a</a> <a href=\"/find%20me\">b</a> <a href=\"/x?q=a%20b\">c</a>"), page("/green%20tea", ""), page("/x?q=a%20b", "")],
            &[("/green%20tea", 1), ("/find%20me", 1), ("/x?q=a%20b", 1)],
            &[page("/", "<a href=\" /a \">a</a> <a href=\"/x?q=a+b\">b</a>"), page("/a", ""), page("/x?q=a+b", "")],
        ),
        ..SLIP
    },
    Audit {
        id: "url-multiple-slashes",
        title: "Two slashes in a row in the URL's path",
        severity: Severity::Issue,
        rule: Rule::Url(NAMED, |url, _| text::has_double_slash(url)),
        why: "Two slashes in a row most often come from a template that joins an empty part. Many servers answer both forms, and the page exists twice.",
        fix: "Correct the link, and redirect addresses with several slashes to those with one.",
        case: Case::new(
            &[page("/", "<a href=\"/tea//green\">a</a> <a href=\"/gone//\">b</a>"), page("/tea//green", "")],
            &[("/tea//green", 1), ("/gone//", 1)],
            &[page("/", "<a href=\"/a?next=//b\">a</a> <a href=\"{site}/b\">b</a>"), page("/a?next=//b", ""), page("/b", "")],
        ),
        ..SLIP
    },
    Audit {
        id: "url-repetitive-path",
        title: "Part of the URL's path repeats itself",
        rule: Rule::Url(NAMED, |url, _| text::repeats_itself(url)),
        why: "A folder that stands twice running, or three times in all, is most often a relative link that was resolved in the wrong place. If the server answers it, such addresses grow without end.",
        fix: "Begin the link with a slash, and let the server answer 404 for folders that do not exist.",
        references: &[STRUCTURE],
        case: Case::new(
            &[
                page("/", "<a href=\"/tea/tea/green\">a</a> <a href=\"/a/b/a/c/a\">b</a>"),
                page("/a/b/a/c/a", ""),
            ],
            &[("/tea/tea/green", 1), ("/a/b/a/c/a", 1)],
            &[
                page("/", "<a href=\"/tea/green/tea\">a</a> <a href=\"/2012/12/12/news\">b</a> <a href=\"/tea//green//x//y\">c</a>"),
                page("/tea/green/tea", ""),
                page("/2012/12/12/news", ""),
            ],
        ),
        ..SLIP
    },
    Audit {
        id: "url-parameters",
        title: "URL with a query",
        rule: Rule::Url(NAMED, |url, _| text::has_query(url)),
        evidence: QUERY,
        why: "Parameters make many addresses of one page: in another order, with another value that changes nothing. Crawlers spend their time on them.",
        fix: "Give pages that people should find an address without query. Where parameters sort or filter, name the page without them as canonical.",
        references: &[STRUCTURE, DUPLICATES],
        case: Case::new(
            &[page("/", "<a href=\"/tea?sort=price\">a</a>"), page("/tea?sort=price", "")],
            &[("/tea?sort=price", 1)],
            &[page("/", "<a href=\"/tea?\">a</a> <a href=\"/b#?c\">b</a> <a href=\"/old?x=1\">c</a>"), page("/tea?", ""), page("/b", ""), redirect("/old?x=1", 301, &[("Location", "/b")])],
        ),
        ..BASE
    },
    Audit {
        id: "url-many-parameters",
        title: "URL with many parameters",
        rule: Rule::Url(NAMED, text::has_many_parameters),
        thresholds: &[Threshold {
            name: "parameters_most",
            label: "Parameters of a URL",
            help: "Pages whose URL has more parameters are reported.",
            unit: Unit::Parameters,
            min: 0,
            max: 1_000,
            default: 3,
        }],
        evidence: QUERY,
        why: "Each parameter multiplies the addresses that a page can have. With several of them there are more combinations than any crawler will read.",
        fix: "Leave out parameters that change nothing, and keep filters that combine out of links or behind robots.txt.",
        references: &[STRUCTURE],
        case: Case::new(
            &[page("/", "<a href=\"/tea?a=1&amp;b=2&amp;c=3&amp;d\">a</a>"), page("/tea?a=1&b=2&c=3&d", "")],
            &[("/tea?a=1&b=2&c=3&d", 1)],
            &[page("/", "<a href=\"/tea?a=1&amp;b=2&amp;&amp;c=3\">a</a>"), page("/tea?a=1&b=2&&c=3", "")],
        ),
        ..BASE
    },
    Audit {
        id: "url-repeated-parameter",
        title: "Parameter repeated in a URL",
        rule: Rule::Url(NAMED, |url, _| text::repeats_parameter(url)),
        evidence: QUERY,
        why: "The same parameter stands there twice with the same value. A script that adds it without looking makes a further address of the same page each time.",
        fix: "Let whatever makes the link set the parameter instead of adding it.",
        case: Case::new(
            &[page("/", "<a href=\"/tea?a=1&amp;b=2&amp;a=1\">a</a>"), page("/tea?a=1&b=2&a=1", "")],
            &[("/tea?a=1&b=2&a=1", 1)],
            &[page("/", "<a href=\"/tea?a=1&amp;a=2&amp;b=1\">a</a>"), page("/tea?a=1&a=2&b=1", "")],
        ),
        ..SLIP
    },
    Audit {
        id: "url-second-question-mark",
        title: "Second question mark in a URL",
        rule: Rule::Url(NAMED, |url, _| text::has_second_question_mark(url)),
        evidence: QUERY,
        why: "Only the first question mark begins the query; the second one becomes part of a value. Most often something added a query to an address that had one.",
        fix: "Join further parameters with &, and write a question mark within a value as %3F.",
        case: Case::new(
            &[page("/", "<a href=\"/tea?a=1?b=2\">a</a>"), page("/tea?a=1?b=2", "")],
            &[("/tea?a=1?b=2", 1)],
            &[page("/", "<a href=\"/tea?a=1%3F\">a</a> <a href=\"/b#a?b?c\">b</a>"), page("/tea?a=1%3F", ""), page("/b", "")],
        ),
        ..SLIP
    },
    Audit {
        id: "url-tracking-parameters",
        title: "Tracking parameters in an internal link",
        rule: Rule::Url(NAMED, |url, _| text::is_tracked(url)),
        evidence: QUERY,
        why: "A campaign's parameters on a link within the site make analytics forget where the visitor came from, and give the page a second address.",
        fix: "Remove them from internal links; use events to see which link was clicked.",
        references: &["https://support.google.com/analytics/answer/10917952", DUPLICATES],
        case: Case::new(
            &[
                page("/", "<a href=\"/tea?utm_source=home&amp;utm_medium=teaser\">a</a> <a href=\"/b?x=1&amp;gclid=2\">b</a>"),
                page("/tea?utm_source=home&utm_medium=teaser", ""),
                redirect("/b?x=1&gclid=2", 301, &[("Location", "/")]),
            ],
            &[("/tea?utm_source=home&utm_medium=teaser", 1), ("/b?x=1&gclid=2", 1)],
            &[
                page("/", "<a href=\"{other}/?utm_source=site\">a</a> <a href=\"/tea?from=utm_source\">b</a> <a href=\"/r\">r</a>"),
                page("/tea?from=utm_source", ""),
                // Whoever is sent on gets there with what somebody else put in.
                redirect("/r", 302, &[("Location", "/tea?utm_source=qr")]),
                page("/tea?utm_source=qr", ""),
            ],
        ),
        ..SLIP
    },
    Audit {
        id: "url-session-id",
        title: "Session id in a URL",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Url(NAMED, |url, _| text::has_session(url)),
        evidence: URL,
        why: "Every visitor, and every visit of a crawler, gets other addresses for the same pages. Whoever passes one on may hand over the session with it.",
        fix: "Keep the session in a cookie, and redirect addresses with an id to those without.",
        references: &[STRUCTURE, "https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a;jsessionid=1A2B3C\">a</a> <a href=\"/b?PHPSESSID=0a1b2c3d\">b</a> <a href=\"/c?x=1&amp;sid=0a1b2c3d4e5f6a7b\">c</a>"),
                page("/a;jsessionid=1A2B3C", ""),
            ],
            &[("/a;jsessionid=1A2B3C", 1), ("/b?PHPSESSID=0a1b2c3d", 1), ("/c?x=1&sid=0a1b2c3d4e5f6a7b", 1)],
            &[page("/", "<a href=\"/a?sid=12\">a</a> <a href=\"/jsessionid\">b</a> <a href=\"/c?sessionid=\">c</a>"), page("/a?sid=12", ""), page("/jsessionid", "")],
        ),
        ..SLIP
    },
    Audit {
        id: "url-internal-search",
        title: "Internal search can be indexed",
        scope: Scope::Indexable,
        rule: Rule::Url("indexable AND (inlinks > 0 OR found_by = 'list')", |url, _| text::is_search(url)),
        evidence: QUERY,
        why: "Pages of search results are as many as there are words, and Google asks to keep them out of its own. Spammers link to them with words of theirs.",
        fix: "Set noindex on pages of search results, or disallow them in robots.txt.",
        references: &["https://developers.google.com/search/docs/essentials/spam-policies", STRUCTURE],
        case: Case::new(
            &[page("/", "<a href=\"/search\">a</a> <a href=\"/?s=tea\">b</a> <a href=\"/en/search?page=2\">c</a>"), page("/search", ""), page("/?s=tea", ""), page("/en/search?page=2", "")],
            &[("/search", 1), ("/?s=tea", 1), ("/en/search?page=2", 1)],
            &[
                page("/", "<a href=\"/search?q=tea\">a</a> <a href=\"/research\">b</a> <a href=\"/list?q=\">c</a> <a href=\"/x?q=a\">d</a>"),
                headed_page("/search?q=tea", "<meta name=\"robots\" content=\"noindex\">", ""),
                headed_page("/x?q=a", "<link rel=\"canonical\" href=\"{site}/research\">", ""),
                page("/research", ""),
                page("/list?q=", ""),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "url-long",
        title: "Long URL",
        severity: Severity::Opportunity,
        rule: Rule::Url(NAMED, text::is_long),
        thresholds: &[
            Threshold {
                name: "url_characters_most",
                label: "Characters of a URL",
                help: "Pages with a longer URL are reported; what is encoded counts as the character that it stands for.",
                unit: Unit::Characters,
                min: 1,
                max: 100_000,
                default: 115,
            },
            Threshold {
                name: "url_characters_far_too_many",
                label: "Characters of a URL that programs refuse",
                help: "A longer URL, counted as it is sent, is a warning of medium priority.",
                unit: Unit::Characters,
                min: 1,
                max: 100_000,
                default: 2_083,
            },
        ],
        escalation: raised("length(url) > {url_characters_far_too_many}", Severity::Warning, Priority::Medium),
        evidence: LENGTH,
        why: "A long address is cut off in search results, mails and print. Beyond about 2,000 characters some programs and servers refuse it.",
        fix: "Leave out folders and words that say nothing.",
        references: &[STRUCTURE, "https://www.sitemaps.org/protocol.html"],
        case: Case::new(
            &[page("/", "<a href=\"/a-path-of-many-words\">a</a>"), page("/a-path-of-many-words", "")],
            &[("/a-path-of-many-words", 1)],
            &[page("/", "<a href=\"/%C3%A9%C3%A9\">a</a> <a href=\"/gone/a-path-of-many-words\">b</a>"), page("/%C3%A9%C3%A9", "")],
        )
        .with(&[("audit.url_characters_most", "30")]),
        ..BASE
    },
    Audit {
        id: "url-case-variants",
        title: "The same page in upper and lower case",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Variants(text::without_case),
        evidence: VARIANT,
        why: "Two addresses that differ only in capital letters both answer, with the same text. Links are divided between them, and search engines choose one on their own.",
        fix: "Redirect one form to the other for good, and link to that one only.",
        references: &[DUPLICATES],
        case: Case::new(
            &[page("/", "<a href=\"/Tea\">a</a> <a href=\"/tea\">b</a>"), same("/Tea"), same("/tea")],
            &[("/Tea", 1), ("/tea", 1)],
            &[
                page("/", "<a href=\"/Tea\">a</a> <a href=\"/tea\">b</a> <a href=\"/A\">c</a> <a href=\"/a\">d</a> <a href=\"/tea/\">e</a> <a href=\"/x?B\">f</a> <a href=\"/x?b\">g</a>"),
                same("/Tea"),
                redirect("/tea", 301, &[("Location", "/Tea")]),
                page("/A", ""),
                page("/a", "<p>Another one.</p>"),
                same("/tea/"),
                same("/x?B"),
                same("/x?b"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "url-slash-variants",
        title: "The same page with and without slash at the end",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Variants(text::without_slash),
        evidence: VARIANT,
        why: "The address answers with and without its last slash, with the same text. Links are divided between the two, and search engines choose one on their own.",
        fix: "Redirect one form to the other for good, and link to that one only.",
        references: &["https://developers.google.com/search/blog/2010/04/to-slash-or-not-to-slash", DUPLICATES],
        case: Case::new(
            &[page("/", "<a href=\"/tea\">a</a> <a href=\"/tea/\">b</a> <a href=\"/x/?a\">c</a> <a href=\"/x?a\">d</a>"), same("/tea"), same("/tea/"), same("/x/?a"), same("/x?a")],
            &[("/tea", 1), ("/tea/", 1), ("/x/?a", 1), ("/x?a", 1)],
            &[
                page("/", "<a href=\"/tea\">a</a> <a href=\"/tea/\">b</a> <a href=\"/a\">c</a> <a href=\"/a/\">d</a> <a href=\"/b/\">e</a> <a href=\"/b//\">f</a>"),
                same("/tea/"),
                redirect("/tea", 301, &[("Location", "/tea/")]),
                page("/a", ""),
                page("/a/", "<p>Another one.</p>"),
                same("/b/"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "url-bad-escape",
        title: "Broken escape in a URL",
        rule: Rule::Url(NAMED, |url, _| text::has_bad_escape(url)),
        why: "A percent sign without two hexadecimal digits behind it (“100%”, “%u00E4”) is no escape. Servers read it in different ways, or refuse it.",
        fix: "Write a percent sign as %25, and other characters as the bytes of their UTF-8 form.",
        case: Case::new(
            &[page("/", "<a href=\"/100%\">a</a> <a href=\"/x?q=%u00E4\">b</a>"), page("/x?q=%u00E4", "")],
            &[("/100%", 1), ("/x?q=%u00E4", 1)],
            &[page("/", "<a href=\"/100%25\">a</a> <a href=\"/b#100%\">b</a>"), page("/100%25", ""), page("/b", "")],
        ),
        ..SLIP
    },
    Audit {
        id: "crawl-trap",
        title: "Addresses without end",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Met,
        rule: Rule::Select(
            "SELECT min(v.key) & 4294967295 AS url, 0 AS ref FROM visit v CROSS JOIN string r ON r.id = v.reason CROSS JOIN host h ON h.id = v.host
             CROSS JOIN trap t ON t.crawl = {crawl} AND t.pattern = h.origin || substr(r.value, 7)
             WHERE EXISTS (SELECT 1 FROM trap WHERE crawl = {crawl}) AND v.key BETWEEN {first} AND {last} AND v.state = 5 AND r.value LIKE 'trap: %' AND NOT t.allowed
             GROUP BY t.pattern",
        ),
        evidence: &[
            ("pattern", "trap_pattern"),
            ("kind", "trap_kind"),
            ("detail", "trap_why"),
            ("urls_kept_back", "trap_kept"),
            ("examples", "trap_examples"),
            ("first_source", "first_source"),
        ],
        why: "The site makes up ever new addresses of this pattern: a calendar without end, filters that combine, a link that grows. Crawlers lose their time there and reach the pages that matter late or never.",
        fix: "Remove what makes the links, answer 404 for what does not exist, or disallow the pattern in robots.txt. Where the pages are wanted, allow the pattern and crawl again.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget", STRUCTURE],
        case: Case::new(
            &[page("/", repeated!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52))],
            &[("/x?p=0&p=51", 1)],
            &[page("/", repeated!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50))],
        ),
        ..BASE
    },
    Audit {
        id: "url-odd-host",
        title: "Odd host name",
        scope: Scope::Met,
        rule: Rule::Url("inlinks > 0", |url, _| text::has_odd_host(url)),
        evidence: &[
            ("internal", "internal"),
            ("status", "status"),
            ("inlinks", "inlinks"),
            ("linking_pages", "unique_inlinks"),
            ("first_source", "first_source"),
        ],
        why: "A dot at the end makes another host of the same name: cookies and certificates may not fit it. A name that mixes alphabets looks like another one, which is how visitors are lured away.",
        fix: "Remove the dot. Check that a name with letters of two alphabets is the one that is meant.",
        references: &["https://www.unicode.org/reports/tr39/#Mixed_Script_Detection", RFC],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example./a", "https://xn--pple-43d.example/"]),
                Fact::page("https://site.example./a", &[]).external(),
                Fact::page("https://xn--pple-43d.example/", &[]).external(),
            ],
            &[("https://site.example./a", 1), ("https://xn--pple-43d.example/", 1)],
            &[
                Fact::page("https://site.example/", &["https://site.example/a./", "https://xn--mller-kva.example/", "https://xn--e1afmkfd.example/"]),
                Fact::page("https://site.example/a./", &[]),
                Fact::page("https://xn--mller-kva.example/", &[]).external(),
                Fact::page("https://xn--e1afmkfd.example/", &[]).external(),
                Fact::page("https://nobody-links.example./", &[]).external(),
            ],
        ),
        ..BASE
    },
];
