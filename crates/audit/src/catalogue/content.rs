//! Family Content: what the text of a page is worth.

use super::{FLAW, LINK, PLAIN};
use crate::audit::{Audit, Family, LinkRule, Needs, Priority, Rule, Scope, Severity, Text, Threshold, Unit};
use crate::cases::{Body, Case, answer, headed_page, html, page};
use model::FlawKind;

const CONTENT: &str = "https://developers.google.com/search/docs/fundamentals/creating-helpful-content";
const CANONICALS: &str =
    "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";
const ENCODING: &str = "https://www.w3.org/International/questions/qa-what-is-encoding";

const BASE: Audit = Audit {
    family: Family::Content,
    severity: Severity::Warning,
    priority: Priority::High,
    scope: Scope::Indexable,
    evidence: FLAW,
    ..PLAIN
};

/// Broken as an internal URL, at the end of a chain of redirects, or for certain elsewhere: as with images.
const BROKEN: &str = "(internal AND (broken OR (redirect_id IS NOT NULL AND NOT loop AND final_broken)))
                 OR (NOT internal AND (status IN (404, 410) OR (failed AND reason = 'dns')))";

/// As above, of documents that people read in the browser.
const BROKEN_PDF: &str = "(url LIKE '%.pdf' OR url LIKE '%.pdf?%') AND ((internal AND (broken OR (redirect_id IS NOT NULL AND NOT loop AND final_broken)))
                 OR (NOT internal AND (status IN (404, 410) OR (failed AND reason = 'dns'))))";

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "content-exact-duplicate",
        title: "Same content at several addresses",
        severity: Severity::Issue,
        // Pages that name another as their canonical are not indexable, so that pairs that are joined already are not found.
        rule: Rule::Same(Text::Content),
        evidence: &[("title", "title"), ("words", "word_count"), ("canonical", "canonical")],
        why: "Title and visible text are the same to the letter. Search engines show one of the pages, not always the right one, and the links to the others are lost.",
        fix: "Redirect the others to one address, or name it as their canonical; where they are meant to differ, write what differs.",
        references: &[CANONICALS],
        case: Case::new(
            &[
                html("/", "<!doctype html><title>One</title><p>The same text. <a href=\"/a\">x</a> <a href=\"/b\">y</a></p>"),
                html("/a", "<!doctype html><title>Two</title><p>Another  text.</p>"),
                html("/b", "<!doctype html><html lang=\"en\"><title>two</title><body class=\"b\">\n<p>Another <b>text</b>.</p><script>1</script>"),
            ],
            &[("/a", 1), ("/b", 1)],
            &[
                html(
                    "/",
                    "<!doctype html><title>One</title><p><a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a> <a href=\"/d\">d</a> <a href=\"/e\">e</a> <a href=\"/f\">f</a></p>",
                ),
                html("/a", "<!doctype html><title>Two</title><p>Another text.</p>"),
                html("/b", "<!doctype html><title>Two</title><link rel=\"canonical\" href=\"{site}/a\"><p>Another text.</p>"),
                html("/c", "<!doctype html><title>Two</title><meta name=\"robots\" content=\"noindex\"><p>Another text.</p>"),
                html("/d", "<!doctype html><title>Photo 4</title><p>Another text.</p>"),
                html("/e", "<!doctype html><title>Pictures</title><p><img src=\"/1.png\" alt=\"1\"></p>"),
                html("/f", "<!doctype html><title>Pictures</title><p><img src=\"/2.png\" alt=\"2\"></p>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "content-low",
        title: "Little text",
        severity: Severity::Opportunity,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Itself, "word_count < {words_least}"),
        thresholds: &[Threshold {
            name: "words_least",
            label: "Fewest words",
            help: "Pages whose text has fewer words are reported; menus, headers and footers do not count.",
            unit: Unit::Words,
            min: 1,
            max: 100_000,
            default: 200,
        }],
        evidence: &[("words", "word_count"), ("title", "title")],
        why: "There is little for which the page could be found. A short page may still say all there is to say: then leave it.",
        fix: "Answer what people come for, join pages that say little each, or keep them out of the index.",
        references: &[CONTENT],
        case: Case::new(
            &[
                html("/", "<!doctype html><title>x</title><nav>one two three four five six seven</nav><p>one two three four</p>"),
            ],
            &[("/", 1)],
            &[
                html("/", "<!doctype html><title>x</title><p>one two three four five</p><a href=\"/no\"></a>"),
                html("/no", "<!doctype html><title>x</title><meta name=\"robots\" content=\"noindex\"><p>one</p>"),
            ],
        )
        .with(&[("audit.words_least", "5")]),
        ..BASE
    },
    Audit {
        id: "lorem-ipsum",
        title: "Filler text",
        rule: Rule::Flaw(FlawKind::LoremIpsum),
        why: "“Lorem ipsum” stands where a text was to come. The page went online unfinished.",
        fix: "Write the text, or take the page or the section offline until it is there.",
        references: &[CONTENT],
        case: Case::new(
            &[page("/", "<p>Lorem ipsum dolor sit amet</p><div>x <b>LOREM IPSUM</b></div>")],
            &[("/", 2)],
            &[page("/", "<p>Lorem, a cat, and ipsum</p><pre>lorem ipsum</pre><code>Lorem ipsum</code><!-- Lorem ipsum --><template>Lorem ipsum</template><input placeholder=\"Lorem ipsum\">")],
        ),
        ..BASE
    },
    Audit {
        id: "mojibake",
        title: "Garbled letters",
        priority: Priority::Medium,
        rule: Rule::Flaw(FlawKind::Mojibake),
        why: "UTF-8 was read as another encoding, or an entity was escaped twice: people read Ã¼ for ü, or &nbsp; for a space.",
        fix: "Find where the text passes from one program to the next, declare UTF-8 there, and escape it once.",
        references: &[ENCODING],
        case: Case::new(
            &[page("/", "<p>CafÃ© fÃ¼r â€œalleâ€</p><p>Tea&amp;nbsp;room</p><p>Rock &amp;amp; Roll</p><p>5Â\u{a0}€</p>")],
            &[("/", 4)],
            &[page(
                "/",
                "<p>NÃO, SÃO “AMANHÔ. Â la carte. Café für alle</p><p>Tea&nbsp;room, Q&amp;A, AT&amp;T</p><p>Write <code>&amp;nbsp;</code> for a space</p><pre>&amp;amp;</pre>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "replacement-characters",
        title: "Replacement characters",
        severity: Severity::Issue,
        priority: Priority::Medium,
        rule: Rule::Flaw(FlawKind::ReplacementCharacters),
        why: "The text has U+FFFD, the sign for a letter that was lost: bytes were read in an encoding that they are not.",
        fix: "Store and send the text as UTF-8 throughout; what is lost has to be written again.",
        references: &[ENCODING, "https://www.unicode.org/faq/utf_bom.html"],
        case: Case::new(
            &[page("/", "<p>Caf\u{FFFD} and na\u{FFFD}ve</p><p>M&#xFFFD;nchen</p>")],
            &[("/", 2)],
            &[page("/", "<p>Café ? naïve</p><p>The sign (\u{FFFD}) stands for a lost letter</p><code>\u{FFFD}</code><script>var lost = '\u{FFFD}';</script>")],
        ),
        ..BASE
    },
    Audit {
        id: "text-ratio-low",
        title: "Little text for its source",
        severity: Severity::Note,
        priority: Priority::Low,
        rule: Rule::Row(Needs::Itself, "bytes > 0 AND text_bytes * 100 < bytes * {text_ratio_least}"),
        thresholds: &[Threshold {
            name: "text_ratio_least",
            label: "Least share of text",
            help: "Pages whose visible text is a smaller share of their HTML are reported.",
            unit: Unit::Percent,
            min: 0,
            max: 100,
            default: 10,
        }],
        evidence: &[("text_bytes", "text_bytes"), ("bytes", "bytes"), ("words", "word_count")],
        why: "Most of what is sent is markup, styles and data. It is no fault by itself, and no search engine counts it; it may show a page that could be lighter.",
        fix: "Move inline styles, drawings and data into files of their own, where they are worth it.",
        references: &["https://www.screamingfrog.co.uk/seo-spider/user-guide/tabs/#internal"],
        case: Case::new(
            &[html(
                "/",
                "<!doctype html><title>x</title><style>.a { color: red } .b { color: red } .c { color: red } .d { color: red } .e { color: red }</style><p>text</p>",
            )],
            &[("/", 1)],
            &[html("/", "<!doctype html><title>x</title><p>As much text as there is markup around it</p>")],
        ),
        ..BASE
    },
    Audit {
        id: "copyright-year-stale",
        title: "Old copyright year",
        severity: Severity::Opportunity,
        priority: Priority::Low,
        // The crawl's own year, not today's: a finding does not change by itself.
        rule: Rule::Row(
            Needs::Crawl,
            "copyright_year > 0 AND copyright_year < CAST(strftime('%Y', crawl_started / 1000 - {copyright_days} * 86400, 'unixepoch') AS INTEGER)",
        ),
        thresholds: &[Threshold {
            name: "copyright_days",
            label: "Grace for a new year",
            help: "A copyright year of last year is reported only when the new year is this many days old.",
            unit: Unit::Days,
            min: 0,
            max: 3_650,
            default: 90,
        }],
        evidence: &[("year", "copyright_year"), ("line", "copyright_line")],
        why: "The notice at the end of the page names an old year. Visitors wonder whether anybody still looks after the site.",
        fix: "Let the template put the current year in, or name the first year only together with the present one.",
        references: &["https://www.copyright.gov/circs/circ03.pdf"],
        case: Case::new(
            &[
                page("/", "<a href=\"/range\">x</a><footer>© 2019 Example Ltd</footer>"),
                page("/range", "<footer><p>Copyright (c) 2011&ndash;18 Example. All rights reserved.</p><p>Imprint</p></footer>"),
            ],
            &[("/", 1), ("/range", 1)],
            &[
                page("/", "<a href=\"/now\">x</a> <a href=\"/none\">y</a> <a href=\"/law\">z</a><footer>© 2011–2099 Example Ltd</footer>"),
                page("/now", "<p>Photo © 2012 A. Nother</p><footer>© 2012&ndash;present Example</footer>"),
                page("/none", "<p>Founded in 1987.</p><footer>© Example Ltd, 10115 Berlin</footer>"),
                page("/law", "<p>The Copyright Act of 1976 says so since 2001.</p>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "template-placeholder",
        title: "Placeholder that was not filled in",
        severity: Severity::Issue,
        rule: Rule::Flaw(FlawKind::TemplatePlaceholder),
        why: "The text shows the template instead of what was to be put in: a name in double braces, “undefined”, or [object Object]. Where a script fills it in later, search engines see it first all the same.",
        fix: "Correct the variable in the template, or render the text on the server.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript", CONTENT],
        case: Case::new(
            &[
                page("/", "<p>Hello {{ user.name }}!</p><p>Price: [object Object]</p><ul><li>undefined</li></ul><a href=\"/title\">x</a>"),
                html("/title", "<!doctype html><title>{{ page.title }}</title><p>Text</p>"),
            ],
            &[("/", 3), ("/title", 1)],
            &[page(
                "/",
                "<p>Division by zero is undefined.</p><code>{{ name }}</code><pre>[object Object]</pre><script type=\"text/x-template\">{{ name }}</script><template>{{ name }}</template><textarea title=\"x\">{{ name }}</textarea><p data-x=\"{{ y }}\">Sets such as {{1}, {2}}</p><kbd>undefined</kbd>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "embedded-content-broken",
        title: "Embedded content is gone",
        severity: Severity::Issue,
        priority: Priority::Medium,
        scope: Scope::Link,
        rule: Rule::AnyLink(&[
            LinkRule::shaped("kind IN ('iframe', 'media', 'object')").to(BROKEN),
            LinkRule::shaped("kind = 'anchor'").to(BROKEN_PDF),
        ]),
        evidence: LINK,
        why: "Visitors see an error or an empty box in the middle of the page, or where the document should open.",
        fix: "Correct the address, put the file back, or remove what embeds it.",
        references: &["https://html.spec.whatwg.org/multipage/embedded-content.html"],
        case: Case::new(
            &[page(
                "/",
                "<iframe title=\"a\" src=\"/gone\"></iframe><video src=\"/gone.mp4\" muted></video><object data=\"/gone.svg\"></object><a href=\"/gone.pdf?x\">d</a><iframe title=\"e\" src=\"{other}/gone\"></iframe>",
            )],
            &[("/", 5)],
            &[
                headed_page(
                    "/",
                    "",
                    "<iframe title=\"a\" src=\"/a\"></iframe><video src=\"/a.mp4\" muted></video><a href=\"/gone\">b</a><a href=\"/a.pdf\">c</a><iframe title=\"d\" src=\"{other}/no\"></iframe>",
                ),
                page("/a", ""),
                answer("/a.mp4", 200).headed(&[("Content-Type", "video/mp4")]).holding(Body::Filler(10)),
                answer("/a.pdf", 200).headed(&[("Content-Type", "application/pdf")]).holding(Body::Filler(10)),
                answer("other:/no", 403),
            ],
        ),
        ..BASE
    },
];
