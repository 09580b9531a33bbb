//! Family HTML, mobile, performance, accessibility: the document as such, and on small screens.

use super::{FLAW, PLAIN};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, answer, headed_page, html, page};
use model::FlawKind;

const IDS: &str = "https://html.spec.whatwg.org/multipage/dom.html#the-id-attribute";
const OPTIONAL_TAGS: &str = "https://html.spec.whatwg.org/multipage/syntax.html#optional-tags";
const HEAD: &str = "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata";
const SIZE: &str = "https://developers.google.com/search/docs/crawling-indexing/googlebot";
const CHARSET: &str = "https://html.spec.whatwg.org/multipage/semantics.html#charset";
const VIEWPORT: &str = "https://developer.chrome.com/docs/lighthouse/pwa/viewport";
const ZOOM: &str = "https://www.w3.org/WAI/WCAG22/Understanding/resize-text.html";
const META: &str = "https://html.spec.whatwg.org/multipage/semantics.html#the-meta-element";

/// What search engines read of one file.
const MOST_READ: Threshold = Threshold {
    name: "file_bytes_most",
    label: "Largest page or resource",
    help: "Pages, scripts and style sheets with more bytes are reported.",
    unit: Unit::Bytes,
    min: 1,
    max: 1_000_000_000,
    default: 2_097_152,
};

const BASE: Audit = Audit {
    family: Family::Html,
    severity: Severity::Warning,
    priority: Priority::Low,
    scope: Scope::Content,
    evidence: FLAW,
    ..PLAIN
};

const HIGH: Audit = Audit { severity: Severity::Issue, priority: Priority::High, ..BASE };
const MEDIUM: Audit = Audit { priority: Priority::Medium, ..BASE };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "duplicate-id",
        title: "Id used twice",
        rule: Rule::Flaw(FlawKind::DuplicateId),
        why: "An id names one element. Where two have it, a link to the place, a label and a script reach only the first.",
        fix: "Give each element an id of its own; in a component that is repeated, count or leave the id out.",
        references: &[IDS],
        case: Case::new(
            &[page("/", "<p id=\"x\">1</p><p id=\"x\">2</p><p id=\"y\">3</p><p id=\"x\">4</p>")],
            &[("/", 2)],
            &[page("/", "<p id=\"x\">1</p><p id=\"X\">2</p><p id>3</p><p id>4</p><a name=\"x\">5</a>")],
        ),
        ..BASE
    },
    Audit {
        id: "head-missing",
        title: "No head tag",
        rule: Rule::Flaw(FlawKind::HeadMissing),
        why: "The source has no head tag, and no doctype and title that would make one by themselves. What is meant for the head may be read as part of the body, where canonical, robots and hreflang do not count.",
        fix: "Write the head tag in front of title, meta and link elements, and a doctype at the very top.",
        references: &[OPTIONAL_TAGS, HEAD],
        case: Case::new(
            &[html("/", "<html lang=\"en\"><body><title>A title</title><h1>A heading</h1></body></html>")],
            &[("/", 1)],
            &[
                page("/", "<a href=\"/short\">short</a> <a href=\"/frames\">frames</a>"),
                html("/short", "<!doctype html><title>Both tags left out by the rules</title><p>Text</p>"),
                html("/frames", "<!doctype html><HEAD><title>Frames</title></HEAD><frameset><frame src=\"/short\" title=\"x\"></frameset>"),
            ],
        ),
        ..HIGH
    },
    Audit {
        id: "body-missing",
        title: "No body tag",
        rule: Rule::Flaw(FlawKind::BodyMissing),
        why: "The source has no body tag, and no doctype and title before its contents: it looks like a piece of a page that was sent by itself.",
        fix: "Put the contents into a body element, and the page into its template.",
        references: &[OPTIONAL_TAGS, HEAD],
        case: Case::new(
            &[html("/", "<html lang=\"en\"><head><title>A title</title></head><h1>A heading</h1></html>")],
            &[("/", 1)],
            &[
                page("/", "<a href=\"/short\">short</a> <a href=\"/frames\">frames</a>"),
                html("/short", "<!doctype html><title>Both tags left out by the rules</title><p>Text</p>"),
                html("/frames", "<head><title>Frames</title></head><frameset><frame src=\"/short\" title=\"x\"></frameset>"),
            ],
        ),
        ..HIGH
    },
    Audit {
        id: "head-multiple",
        title: "Several head tags",
        rule: Rule::Flaw(FlawKind::HeadMultiple),
        why: "Only the first head counts. Browsers drop the tag of the second, and what it holds may end up in the body, where canonical, robots and hreflang do not count.",
        fix: "Leave one head: look for a template or a plugin that prints a whole document into another.",
        references: &["https://html.spec.whatwg.org/multipage/semantics.html#the-head-element", HEAD],
        case: Case::new(
            &[html(
                "/",
                "<!doctype html><html lang=\"en\"><head><title>A title</title></head><body><p>Text</p><head><title>Another</title></head></body></html>",
            )],
            &[("/", 1)],
            &[headed_page(
                "/",
                "<!-- <head> --><script>var text = '<head>';</script>",
                "<header>Text</header><code>&lt;head&gt;</code><textarea title=\"x\"><head></textarea>",
            )],
        ),
        ..HIGH
    },
    Audit {
        id: "body-multiple",
        title: "Several body tags",
        rule: Rule::Flaw(FlawKind::BodyMultiple),
        why: "Browsers drop the second tag and add its attributes to the first body. Most often a whole document was printed into another, head and all.",
        fix: "Leave one body: look for a template or a plugin that prints a whole document into another.",
        references: &["https://html.spec.whatwg.org/multipage/sections.html#the-body-element", HEAD],
        case: Case::new(
            &[page("/", "<html><body class=\"x\"><p>Text</p></body></html>")],
            &[("/", 1)],
            &[page(
                "/",
                "<!-- <body> --><script>var text = '<body>';</script><code>&lt;body&gt;</code><iframe title=\"x\" srcdoc=\"<body>x</body>\"></iframe>",
            )],
        ),
        ..HIGH
    },
    Audit {
        id: "invalid-element-in-head",
        title: "Element that ends the head early",
        priority: Priority::High,
        rule: Rule::Flaw(FlawKind::InvalidElementInHead),
        evidence: &[
            ("found", "flaw_detail"),
            ("element", "flaw_element"),
            ("line", "flaw_line"),
            ("title_outside_head", "title_outside_head"),
            ("canonical_outside_head", "canonical_outside_head"),
        ],
        why: "This element may not stand in head, so the head ends there and the body begins. What follows, canonical, robots and hreflang among it, is read as body and does not count.",
        fix: "Move the element into the body, or at least behind all that search engines are to read in the head.",
        references: &[HEAD, "https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead"],
        case: Case::new(
            &[
                headed_page("/", "<img src=\"/a.png\" alt=\"a\"><link rel=\"icon\" href=\"/i.png\">", "<a href=\"/text\">text</a>"),
                headed_page("/text", "Some text", ""),
            ],
            &[("/", 1), ("/text", 1)],
            &[
                headed_page(
                    "/",
                    "<noscript><link rel=\"stylesheet\" href=\"/a.css\"></noscript><template><div>x</div></template><style>a{}</style><base href=\"/\"><!-- x -->",
                    "<a href=\"/short\">short</a>",
                ),
                html("/short", "<!doctype html><title>No tags at all</title><p>Text</p>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "html-too-large",
        title: "Page larger than search engines read",
        scope: Scope::Page,
        rule: Rule::Row(Needs::Itself, "bytes > {file_bytes_most}"),
        thresholds: &[MOST_READ],
        evidence: &[("bytes", "bytes"), ("truncated", "truncated")],
        why: "Googlebot reads the first 2 MB of a page. Text, links and structured data beyond are as if they were not there.",
        fix: "Take inline images, styles and data out of the page, and split long lists.",
        references: &[SIZE],
        case: Case::new(
            &[
                page("/", "<a href=\"/large\">large</a>"),
                answer("/large", 200).headed(&[("Content-Type", "text/html; charset=utf-8")]).holding(Body::Filler(2_097_153)),
            ],
            &[("/large", 1)],
            &[
                page("/", "<a href=\"/large\">large</a> <a href=\"/a.txt\">text</a>"),
                answer("/large", 200).headed(&[("Content-Type", "text/html; charset=utf-8")]).holding(Body::Filler(2_097_152)),
                answer("/a.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Filler(2_200_000)),
            ],
        ),
        ..HIGH
    },
    Audit {
        id: "resource-too-large",
        title: "Script or style sheet larger than search engines read",
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "status BETWEEN 200 AND 299 AND bytes > {file_bytes_most} AND (media_type IN ('text/css', 'application/ecmascript', 'text/ecmascript') OR media_type LIKE '%javascript')",
        ),
        thresholds: &[MOST_READ],
        evidence: &[("bytes", "bytes"), ("content_type", "content_type"), ("first_source", "first_source")],
        why: "Googlebot reads the first 2 MB of each script and style sheet. A script that is cut off does not run, and the page is seen without what it makes.",
        fix: "Split the file, and load each part where it is needed.",
        references: &[SIZE],
        case: Case::new(
            &[
                headed_page("/", "<script src=\"/a.js\" defer></script>", ""),
                answer("/a.js", 200).headed(&[("Content-Type", "text/javascript")]).holding(Body::Filler(2_097_153)),
            ],
            &[("/a.js", 1)],
            &[
                headed_page("/", "<script src=\"/a.js\" defer></script>", "<img src=\"/a.png\" alt=\"a\" width=\"1\" height=\"1\">"),
                answer("/a.js", 200).headed(&[("Content-Type", "text/javascript")]).holding(Body::Filler(2_097_152)),
                answer("/a.png", 200).headed(&[("Content-Type", "image/png")]).holding(Body::Filler(2_200_000)),
            ],
        ),
        ..HIGH
    },
    Audit {
        id: "doctype-missing",
        title: "No doctype, or an old one",
        rule: Rule::Row(Needs::Itself, "quirks"),
        evidence: &[("content_type", "content_type")],
        why: "Browsers show the page in quirks mode: as a browser of the nineties would have. Sizes and spacing differ from what style sheets say.",
        fix: "Begin the page with <!doctype html>.",
        references: &["https://html.spec.whatwg.org/multipage/syntax.html#the-doctype", "https://quirks.spec.whatwg.org/"],
        case: Case::new(
            &[
                html("/", "<html lang=\"en\"><head><title>A title</title></head><body><p><a href=\"/old\">old</a></p></body></html>"),
                html("/old", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><html lang=\"en\"><head><title>A title</title></head><body><p>x</p></body></html>"),
            ],
            &[("/", 1), ("/old", 1)],
            &[
                page("/", "<a href=\"/four\">four</a> <a href=\"/xml\">xml</a> <a href=\"/legacy\">legacy</a>"),
                html("/four", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\"><title>x</title><p>x</p>"),
                html("/legacy", "<!-- a comment --><!DOCTYPE html SYSTEM \"about:legacy-compat\"><title>x</title><p>x</p>"),
                answer("/xml", 200)
                    .headed(&[("Content-Type", "application/xhtml+xml")])
                    .holding(Body::Text("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>x</title></head><body><p>x</p></body></html>")),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "charset-missing",
        title: "Encoding not declared",
        rule: Rule::Flaw(FlawKind::CharsetMissing),
        why: "Neither the header nor a byte order mark nor a meta element within the first 1,024 bytes names the encoding, so every reader guesses, and some show garbled letters.",
        fix: "Write <meta charset=\"utf-8\"> as the first element of head, or add it to the Content-Type header.",
        references: &[CHARSET],
        case: Case::new(
            &[
                answer("/", 200)
                    .headed(&[("Content-Type", "text/html")])
                    .holding(Body::Text("<!doctype html><html lang=\"en\"><title>Café</title><body><p><a href=\"/plain\">plain</a></p></body></html>")),
                answer("/plain", 200)
                    .headed(&[("Content-Type", "text/html")])
                    .holding(Body::Text("<!doctype html><html lang=\"en\"><title>plain</title><body><p>x</p></body></html>")),
            ],
            &[("/", 1), ("/plain", 1)],
            &[
                page("/", "<a href=\"/meta\">meta</a> <a href=\"/mark\">mark</a> <a href=\"/old\">old</a> <a href=\"/xml\">xml</a>"),
                answer("/meta", 200)
                    .headed(&[("Content-Type", "text/html")])
                    .holding(Body::Text("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Café</title><body><p>x</p></body></html>")),
                answer("/mark", 200)
                    .headed(&[("Content-Type", "text/html")])
                    .holding(Body::Text("\u{feff}<!doctype html><html lang=\"en\"><title>Café</title><body><p>x</p></body></html>")),
                answer("/old", 200).headed(&[("Content-Type", "text/html")]).holding(Body::Text(
                    "<!doctype html><html lang=\"en\"><meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"><title>x</title><body><p>x</p></body></html>",
                )),
                answer("/xml", 200)
                    .headed(&[("Content-Type", "application/xhtml+xml")])
                    .holding(Body::Text("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>x</title></head><body><p>x</p></body></html>")),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "charset-conflict",
        title: "Encodings contradict each other",
        rule: Rule::Flaw(FlawKind::CharsetConflict),
        why: "Header, byte order mark and meta element name different encodings. Browsers believe the mark first and the header second; other readers may not, and show garbled letters.",
        fix: "Name the encoding that the bytes really have in all places, best UTF-8.",
        references: &[CHARSET, "https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding"],
        case: Case::new(
            &[answer("/", 200).headed(&[("Content-Type", "text/html; charset=iso-8859-1")]).holding(Body::Text(
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>x</title><body><p>x</p></body></html>",
            ))],
            &[("/", 1)],
            &[
                answer("/", 200).headed(&[("Content-Type", "text/html; charset=\"UTF8\"")]).holding(Body::Text(
                    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>x</title><body><p><a href=\"/latin\">x</a></p></body></html>",
                )),
                answer("/latin", 200).headed(&[("Content-Type", "text/html; charset=latin1")]).holding(Body::Text(
                    "<!doctype html><html lang=\"en\"><meta charset=\"windows-1252\"><title>x</title><body><p>x</p></body></html>",
                )),
            ],
        ),
        ..MEDIUM
    },
    Audit {
        id: "lang-missing",
        title: "Language not declared",
        rule: Rule::Row(Needs::Itself, "coalesce(lang, '') = ''"),
        evidence: &[("title", "title")],
        why: "Screen readers read the text with the wrong voice, and browsers do not know whether to offer a translation and how to hyphenate.",
        fix: "Give the html element a lang attribute, for example lang=\"en\".",
        references: &["https://www.w3.org/WAI/WCAG22/Understanding/language-of-page.html", "https://dequeuniversity.com/rules/axe/4.10/html-has-lang"],
        case: Case::new(
            &[
                html("/", "<!doctype html><html><head><title>A title</title></head><body><p lang=\"en\"><a href=\"/empty\">x</a></p></body></html>"),
                html("/empty", "<!doctype html><html lang=\" \"><head><title>A title</title></head><body><p>x</p></body></html>"),
            ],
            &[("/", 1), ("/empty", 1)],
            &[
                page("/", "<a href=\"/xml\">x</a>"),
                answer("/xml", 200)
                    .headed(&[("Content-Type", "application/xhtml+xml")])
                    .holding(Body::Text("<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"en\"><head><title>x</title></head><body><p>x</p></body></html>")),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "lang-invalid",
        title: "Language that does not exist",
        rule: Rule::Flaw(FlawKind::LangInvalid),
        why: "The value of lang is no language tag, so it says nothing: screen readers and browsers treat the text as if it had no language.",
        fix: "Write a tag of BCP 47: a language code, where needed a region behind a hyphen, such as de, en-GB or pt-BR.",
        references: &["https://www.rfc-editor.org/rfc/rfc5646", "https://dequeuniversity.com/rules/axe/4.10/valid-lang"],
        case: Case::new(
            &[
                html("/", "<!doctype html><html lang=\"en_US\"><head><title>A title</title></head><body><p><span lang=\"jp\">x</span> <a href=\"/uk\">x</a></p></body></html>"),
                html("/uk", "<!doctype html><html lang=\"en-UK\"><head><title>A title</title></head><body><p>x</p></body></html>"),
            ],
            &[("/", 2), ("/uk", 1)],
            &[page(
                "/",
                "<p lang=\"\">x</p><p lang=\"zh-Hant-TW\">x</p><p lang=\"es-419\">x</p><p lang=\"DE-at\">x</p><p lang=\"gsw\">x</p><p lang=\"sl-rozaj-biske\">x</p><p lang=\"x-klingon\">x</p>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "base-bad",
        title: "Base element of no use",
        rule: Rule::Flaw(FlawKind::BaseBad),
        why: "Every relative link of the page is resolved against the first base element. An empty or broken one does nothing, and a second one is passed over.",
        fix: "Leave one base element with a full address, or none.",
        references: &["https://html.spec.whatwg.org/multipage/semantics.html#the-base-element"],
        case: Case::new(
            &[
                headed_page("/", "<base href=\"\">", "<a href=\"/two\">two</a>"),
                headed_page("/two", "<base href=\"/\"><base href=\"/x/\">", ""),
            ],
            &[("/", 1), ("/two", 1)],
            &[
                headed_page("/", "<base target=\"_top\"><base href=\"/\">", "<a href=\"/none\">none</a>"),
                headed_page("/none", "<!-- <base href=\"\"> --><base target=\"_top\">", "<svg><base href=\"\"/></svg>"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "meta-in-body",
        title: "Meta element in the body",
        rule: Rule::Flaw(FlawKind::MetaInBody),
        why: "Settings of the page belong in head. Search engines pass over most of them in the body, so that anybody's comment cannot change how the page is indexed.",
        fix: "Move the element into head. Where it stands there in the source, look for what ends the head too early.",
        references: &[META, HEAD],
        case: Case::new(
            &[page("/", "<meta name=\"author\" content=\"x\"><meta http-equiv=\"X-UA-Compatible\" content=\"IE=edge\">")],
            &[("/", 2)],
            &[headed_page(
                "/",
                "<meta name=\"author\" content=\"x\">",
                "<p itemscope itemtype=\"https://schema.org/Offer\"><meta itemprop=\"price\" content=\"1\"></p><noscript><meta http-equiv=\"refresh\" content=\"9\"></noscript>",
            )],
        ),
        ..MEDIUM
    },
    Audit {
        id: "viewport-missing",
        title: "No viewport",
        rule: Rule::Row(Needs::Itself, "viewport IS NULL"),
        evidence: &[("title", "title")],
        why: "Phones show the page as a desktop screen would, shrunk until nobody can read it. Google indexes pages as a phone sees them.",
        fix: "Add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"> to head, and a layout that fits.",
        references: &[VIEWPORT, "https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing"],
        case: Case::new(
            &[html("/", "<!doctype html><html lang=\"en\"><head><title>A title</title></head><body><p>Text</p></body></html>")],
            &[("/", 1)],
            &[
                page("/", "<a href=\"/upper\">x</a>"),
                html("/upper", "<!doctype html><html lang=\"en\"><head><title>x</title><META NAME=\" Viewport \" CONTENT=\"width=device-width\"></head><body><p>x</p></body></html>"),
            ],
        ),
        ..HIGH
    },
    Audit {
        id: "viewport-multiple",
        title: "Several viewports",
        rule: Rule::Flaw(FlawKind::ViewportMultiple),
        why: "Browsers put the elements together or take one of them, each in its own way, so phones differ in what they show.",
        fix: "Leave one viewport element.",
        references: &[VIEWPORT],
        case: Case::new(
            &[headed_page("/", "<meta name=\"viewport\" content=\"width=device-width\">", "")],
            &[("/", 1)],
            &[headed_page(
                "/",
                "<noscript><meta name=\"viewport\" content=\"width=device-width\"></noscript><meta property=\"viewport\" content=\"x\">",
                "",
            )],
        ),
        ..MEDIUM
    },
    Audit {
        id: "viewport-fixed",
        title: "Viewport of a fixed width",
        rule: Rule::Flaw(FlawKind::ViewportFixed),
        why: "The page has the same width on every device: too wide for most phones, too narrow for the rest.",
        fix: "Write width=device-width, and a layout that fits.",
        references: &[VIEWPORT, "https://web.dev/articles/responsive-web-design-basics"],
        case: Case::new(
            &[html(
                "/",
                "<!doctype html><html lang=\"en\"><head><title>x</title><meta name=\"viewport\" content=\"width=1024\"></head><body><p>x</p></body></html>",
            )],
            &[("/", 1)],
            &[
                page("/", "<a href=\"/scale\">x</a>"),
                html(
                    "/scale",
                    "<!doctype html><html lang=\"en\"><head><title>x</title><meta name=\"viewport\" content=\"width = device-width; initial-scale=1\"></head><body><p>x</p></body></html>",
                ),
            ],
        ),
        ..MEDIUM
    },
    Audit {
        id: "zoom-blocked",
        title: "Zooming is blocked",
        rule: Rule::Flaw(FlawKind::ZoomBlocked),
        why: "Whoever needs larger letters cannot enlarge the page to twice its size.",
        fix: "Take user-scalable=no and maximum-scale out of the viewport.",
        references: &[ZOOM, "https://dequeuniversity.com/rules/axe/4.10/meta-viewport"],
        case: Case::new(
            &[
                html(
                    "/",
                    "<!doctype html><html lang=\"en\"><head><title>x</title><meta name=\"viewport\" content=\"width=device-width, user-scalable=no\"></head><body><p><a href=\"/most\">x</a></p></body></html>",
                ),
                html(
                    "/most",
                    "<!doctype html><html lang=\"en\"><head><title>x</title><meta name=\"viewport\" content=\"width=device-width,maximum-scale=1.0\"></head><body><p>x</p></body></html>",
                ),
            ],
            &[("/", 1), ("/most", 1)],
            &[
                html(
                    "/",
                    "<!doctype html><html lang=\"en\"><head><title>x</title><meta name=\"viewport\" content=\"width=device-width, user-scalable=yes, maximum-scale=5\"></head><body><p><a href=\"/two\">x</a></p></body></html>",
                ),
                html(
                    "/two",
                    "<!doctype html><html lang=\"en\"><head><title>x</title><meta name=\"viewport\" content=\"minimum-scale=1, maximum-scale=2, user-scalable=1\"></head><body><p>x</p></body></html>",
                ),
            ],
        ),
        ..MEDIUM
    },
    Audit {
        id: "plugin-content",
        title: "Content that needs a plugin",
        rule: Rule::Flaw(FlawKind::PluginContent),
        why: "No browser runs Flash, Silverlight or Java applets any more: visitors see an empty frame, and search engines see nothing.",
        fix: "Replace it by HTML, video or a script, or remove it.",
        references: &["https://developer.chrome.com/docs/lighthouse/seo/plugins"],
        case: Case::new(
            &[page(
                "/",
                "<object type=\"application/x-shockwave-flash\" data=\"/a\"></object><embed src=\"/b.swf\"><applet code=\"C\"></applet>",
            )],
            &[("/", 3)],
            &[page(
                "/",
                "<object type=\"application/pdf\" data=\"/a.pdf\">a</object><embed src=\"/b.svg\" type=\"image/svg+xml\"><a href=\"/c.swf\">c</a>",
            )],
        ),
        ..MEDIUM
    },
];
