//! Family Security: what protects visitors on their way to a page and on it.

use super::{FLAW, LINK, PLAIN};
use crate::audit::{Audit, Family, LinkRule, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, Fact, answer, headed_page, page};
use model::{FlawKind, LinkKind};

const MIXED: &str = "https://www.w3.org/TR/mixed-content/";
const HSTS: &str = "https://www.rfc-editor.org/rfc/rfc6797";
const CSP: &str = "https://www.w3.org/TR/CSP3/";
pub(super) const OBSERVATORY: &str =
    "https://developer.mozilla.org/docs/Web/Security/Practical_implementation_guides";

/// Pages that leave plain http to the browser to correct (CSP, upgrade-insecure-requests) have no mixed content.
const SECURE_PAGE: &str = "url LIKE 'https:%' AND NOT upgrades_requests AND instr(lower(coalesce(csp, '')), 'upgrade-insecure-requests') = 0";
/// Browsers trust what comes from the computer they run on.
const PLAIN_TARGET: &str = "url LIKE 'http:%' AND is_loopback(url) IS NULL";

/// A page's answer with a header of these.
const GUARDED: &str =
    "content-type: text/html\nstrict-transport-security: max-age=31536000; includeSubDomains\n";

pub(super) const BASE: Audit =
    Audit { family: Family::Security, severity: Severity::Warning, priority: Priority::Low, ..PLAIN };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "http-page",
        title: "Page over http",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Row(Needs::Itself, PLAIN_TARGET),
        evidence: &[("status", "status"), ("inlinks", "inlinks"), ("first_source", "first_source")],
        why: "Whoever is on the way, in a café or at a provider, can read and change the page, and browsers call it not secure.",
        fix: "Serve the site over https, and let every http address redirect there with 301 or 308.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/url-structure", "https://web.dev/articles/why-https-matters"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["http://site.example/a"]),
                Fact::page("http://site.example/a", &[]),
            ],
            &[("http://site.example/a", 1)],
            &[
                Fact::page("https://site.example/", &["http://site.example/a", "http://else.example/", "http://127.0.0.1/"]),
                Fact::redirect("http://site.example/a", 301, "https://site.example/"),
                Fact::page("http://else.example/", &[]).external(),
                // Browsers trust the computer that they run on.
                Fact::page("http://127.0.0.1/", &[]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "mixed-active",
        title: "Script, style or frame over http on an https page",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Link,
        rule: Rule::Link(
            LinkRule::shaped("kind IN ('script', 'style', 'iframe', 'object', 'font', 'manifest')").to(PLAIN_TARGET).from(SECURE_PAGE),
        ),
        evidence: LINK,
        why: "Browsers refuse to load it, since whoever changes it on the way takes over the page: what it was for is missing.",
        fix: "Refer to the https address; where the other server has none, serve the file yourself.",
        references: &[MIXED],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &[]).with_resources(&[
                    (LinkKind::Script, "http://cdn.example/x.js"),
                    (LinkKind::Iframe, "http://cdn.example/frame"),
                    (LinkKind::Image, "http://cdn.example/x.png"),
                    (LinkKind::Script, "https://cdn.example/x.js"),
                ]),
                Fact::failed("http://cdn.example/x.js", "timeout").external(),
                Fact::redirect("http://cdn.example/frame", 301, "https://cdn.example/frame").external(),
                Fact::failed("http://cdn.example/x.png", "timeout").external(),
                Fact::failed("https://cdn.example/x.js", "timeout").external(),
            ],
            &[("https://site.example/", 2)],
            &[
                Fact::page("https://site.example/", &["http://site.example/a"])
                    .with_resources(&[(LinkKind::Script, "http://cdn.example/x.js"), (LinkKind::Style, "http://cdn.example/x.css")])
                    .headed("content-security-policy: upgrade-insecure-requests\n"),
                Fact::page("http://site.example/a", &[]).with_resources(&[(LinkKind::Script, "http://cdn.example/x.js")]),
                Fact::failed("http://cdn.example/x.js", "timeout").external(),
                Fact::failed("http://cdn.example/x.css", "timeout").external(),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "mixed-passive",
        title: "Image, sound or video over http on an https page",
        severity: Severity::Issue,
        priority: Priority::Medium,
        scope: Scope::Link,
        rule: Rule::Link(LinkRule::shaped("kind IN ('image', 'media', 'icon')").to(PLAIN_TARGET).from(SECURE_PAGE)),
        evidence: LINK,
        why: "Browsers ask for it over https instead, and show nothing where that fails; older ones load it in the clear and call the page not secure.",
        fix: "Refer to the https address.",
        references: &[MIXED],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &[])
                    .with_resources(&[(LinkKind::Image, "http://cdn.example/x.png"), (LinkKind::Script, "http://cdn.example/x.js")]),
                Fact::failed("http://cdn.example/x.png", "timeout").external(),
                Fact::failed("http://cdn.example/x.js", "timeout").external(),
            ],
            &[("https://site.example/", 1)],
            &[
                Fact::page("https://site.example/", &["http://cdn.example/x.png"]).with_resources(&[(LinkKind::Image, "https://cdn.example/x.png")]),
                Fact::failed("http://cdn.example/x.png", "timeout").external(),
                Fact::failed("https://cdn.example/x.png", "timeout").external(),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "form-to-http",
        title: "Form of an https page sent over http",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Content,
        rule: Rule::Select(
            "SELECT r.url_id AS url, -1 - w.n AS ref FROM {rows} r JOIN flaw w ON w.document = r.document_id
             WHERE r.key BETWEEN {first} AND {last} AND r.is_page AND w.kind = 43 AND instr(lower(coalesce(r.csp, '')), 'upgrade-insecure-requests') = 0",
        ),
        evidence: FLAW,
        why: "What visitors type travels in the clear although the page looks safe. Browsers warn before they send it.",
        fix: "Let the form's action be an https address.",
        references: &[MIXED, "https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm"],
        case: Case::of_facts(
            &[Fact::page("https://site.example/", &[]).with_flaws(&[(FlawKind::FormToHttp, "http://site.example/send")])],
            &[("https://site.example/", 1)],
            &[Fact::page("https://site.example/", &[])
                .with_flaws(&[(FlawKind::FormToHttp, "http://site.example/send")])
                .headed("content-security-policy: default-src 'self'\ncontent-security-policy: Upgrade-Insecure-Requests\n")],
        ),
        ..BASE
    },
    Audit {
        id: "form-on-http",
        title: "Form on a page over http",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Content,
        rule: Rule::Flaw(FlawKind::FormOnHttp),
        evidence: FLAW,
        why: "Whoever is on the way can change where the form is sent, and read what is typed. Browsers warn in the fields.",
        fix: "Serve the page over https; that the form's action is an https address does not help.",
        references: &["https://web.dev/articles/why-https-matters"],
        case: Case::of_facts(
            &[Fact::page("http://site.example/", &[]).with_flaws(&[(FlawKind::FormOnHttp, ""), (FlawKind::FormOnHttp, "/find")])],
            &[("http://site.example/", 2)],
            &[Fact::page("http://site.example/", &[])],
        ),
        ..BASE
    },
    Audit {
        id: "hsts-missing",
        title: "HSTS missing",
        scope: Scope::Host,
        rule: Rule::Host(
            "url LIKE 'https:%' AND status BETWEEN 200 AND 399 AND hsts_max_age IS NULL AND url NOT GLOB 'https://[0-9]*.[0-9]*.[0-9]*.[0-9]*' AND url NOT LIKE 'https://[%'",
        ),
        evidence: &[("strict_transport_security", "hsts"), ("status", "status")],
        why: "Without the header a visitor's first request goes out in the clear each time the address is typed without https, and can be caught there.",
        fix: "Send Strict-Transport-Security: max-age=31536000 with every https answer, once all of the host works over https.",
        references: &[HSTS, OBSERVATORY],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example/a", "https://shop.site.example/b"]),
                Fact::page("https://site.example/a", &[]),
                Fact::page("https://shop.site.example/b", &[]).headed("strict-transport-security: includeSubDomains\n"),
            ],
            &[("https://site.example/", 1), ("https://shop.site.example/b", 1)],
            &[
                Fact::page("https://site.example/", &["https://site.example/a", "http://site.example/b", "https://192.0.2.1/"]).headed(GUARDED),
                Fact::page("https://site.example/a", &[]),
                Fact::page("http://site.example/b", &[]),
                // HSTS is for names only.
                Fact::page("https://192.0.2.1/", &[]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "hsts-weak",
        title: "HSTS for a short time",
        severity: Severity::Opportunity,
        scope: Scope::Host,
        rule: Rule::Host("url LIKE 'https:%' AND hsts_max_age < {hsts_age_min}"),
        thresholds: &[Threshold {
            name: "hsts_age_min",
            label: "Shortest HSTS",
            help: "A max-age below this is reported. Half a year is 15552000 seconds.",
            unit: Unit::Seconds,
            min: 0,
            max: 1_000_000_000,
            default: 15_552_000,
        }],
        evidence: &[("strict_transport_security", "hsts"), ("max_age_s", "hsts_max_age")],
        why: "Browsers forget so soon that the host wants https that those who come now and then are hardly protected; 0 tells them to forget at once.",
        fix: "Raise max-age to half a year or more once https has proved itself; a year is usual.",
        references: &[HSTS, OBSERVATORY],
        case: Case::of_facts(
            &[Fact::page("https://site.example/", &[]).headed("strict-transport-security: max-age=300\n")],
            &[("https://site.example/", 1)],
            &[
                Fact::page("https://site.example/", &["http://site.example/a"]).headed("strict-transport-security: max-age=15552000\nstrict-transport-security: max-age=1\n"),
                // Over http the header means nothing.
                Fact::page("http://site.example/a", &[]).headed("strict-transport-security: max-age=300\n"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "csp-missing",
        title: "Content-Security-Policy missing",
        rule: Rule::Row(Needs::Itself, "coalesce(csp, '') = '' AND NOT meta_csp"),
        evidence: &[("status", "status"), ("headers", "headers")],
        why: "A policy names what the page may load and run. Without it, whatever somebody smuggles into the page runs as the page's own.",
        fix: "Begin with Content-Security-Policy-Report-Only, and enforce the policy when its reports are quiet.",
        references: &[CSP, OBSERVATORY],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                page("/a", "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'\">")
                    .headed(&[("Content-Type", "text/html"), ("Content-Security-Policy-Report-Only", "default-src 'self'")]),
            ],
            &[("/", 1), ("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b.pdf\">b</a>")
                    .headed(&[("Content-Type", "text/html"), ("Content-Security-Policy", "default-src 'self'")]),
                headed_page("/a", "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'\">", ""),
                answer("/b.pdf", 200).headed(&[("Content-Type", "application/pdf")]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "nosniff-missing",
        title: "X-Content-Type-Options missing",
        rule: Rule::Row(
            Needs::Itself,
            "lower(trim(substr(coalesce(nosniff, ''), 1, instr(coalesce(nosniff, '') || ',', ',') - 1))) <> 'nosniff'",
        ),
        evidence: &[("x_content_type_options", "nosniff"), ("content_type", "content_type")],
        why: "Without nosniff browsers may guess a type that was not declared, and run what was uploaded as a picture or a text.",
        fix: "Send X-Content-Type-Options: nosniff with every answer.",
        references: &["https://fetch.spec.whatwg.org/#x-content-type-options-header", OBSERVATORY],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>"),
                page("/a", "").headed(&[("Content-Type", "text/html"), ("X-Content-Type-Options", "none, nosniff")]),
            ],
            &[("/", 1), ("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>").headed(&[("Content-Type", "text/html"), ("X-Content-Type-Options", "NoSniff")]),
                page("/a", "").headed(&[
                    ("Content-Type", "text/html"),
                    ("X-Content-Type-Options", "nosniff"),
                    ("X-Content-Type-Options", "nosniff"),
                ]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "frame-protection-missing",
        title: "No protection against being framed",
        // Where frame-ancestors stands, browsers pass over X-Frame-Options; one that lets in everybody protects from nobody.
        // ALLOW-FROM is no longer known to any browser. Report-Only is another header, and a meta element cannot say it.
        rule: Rule::Row(
            Needs::Itself,
            "CASE WHEN instr(lower(coalesce(csp, '')), 'frame-ancestors') > 0
             THEN instr(replace(replace(replace(lower(csp) || ';', 'frame-ancestors *;', ''), 'frame-ancestors *,', ''), 'frame-ancestors * ', ''), 'frame-ancestors') = 0
             ELSE instr(',' || replace(lower(coalesce(frame_options, '')), ' ', '') || ',', ',deny,') = 0
              AND instr(',' || replace(lower(coalesce(frame_options, '')), ' ', '') || ',', ',sameorigin,') = 0 END",
        ),
        evidence: &[("x_frame_options", "frame_options"), ("content_security_policy", "csp"), ("status", "status")],
        why: "Another site can lay the page invisibly under its own buttons, so that visitors click what they do not see.",
        fix: "Send Content-Security-Policy: frame-ancestors 'self', or X-Frame-Options: SAMEORIGIN.",
        references: &["https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header", "https://www.w3.org/TR/CSP3/#directive-frame-ancestors"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a>"),
                page("/a", "").headed(&[("Content-Type", "text/html"), ("X-Frame-Options", "ALLOW-FROM https://else.example")]),
                headed_page("/b", "<meta http-equiv=\"Content-Security-Policy\" content=\"frame-ancestors 'self'\">", ""),
                page("/c", "").headed(&[("Content-Type", "text/html"), ("Content-Security-Policy", "frame-ancestors *; default-src 'self'")]),
            ],
            &[("/", 1), ("/a", 1), ("/b", 1), ("/c", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>").headed(&[("Content-Type", "text/html"), ("X-Frame-Options", "SameOrigin, DENY")]),
                page("/a", "").headed(&[
                    ("Content-Type", "text/html"),
                    ("Content-Security-Policy", "default-src 'self'"),
                    ("Content-Security-Policy", "frame-ancestors 'none'"),
                ]),
                page("/b", "").headed(&[("Content-Type", "text/html"), ("Content-Security-Policy", "frame-ancestors *.site.example")]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "referrer-policy-weak",
        title: "Weak referrer policy",
        // Without a policy browsers follow the strict one that is their default; a meta element outdoes the header.
        rule: Rule::Row(
            Needs::Itself,
            "CASE WHEN meta_referrer THEN meta_referrer_weak
             ELSE referrer_policy IS NOT NULL AND referrer_of(referrer_policy) IN ('unsafe-url', 'origin', 'origin-when-cross-origin', 'no-referrer-when-downgrade') END",
        ),
        evidence: &[("referrer_policy", "referrer_policy"), ("said_by_meta_element", "meta_referrer")],
        why: "Sites that this page links to or loads from are told more of where a visitor comes from than browsers tell by themselves: the whole address, or its host over a connection in the clear.",
        fix: "Remove the policy, or say strict-origin-when-cross-origin or a stricter one.",
        references: &["https://www.w3.org/TR/referrer-policy/", OBSERVATORY],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>").headed(&[("Content-Type", "text/html"), ("Referrer-Policy", "unsafe-url")]),
                headed_page("/a", "<meta name=\"referrer\" content=\"always\">", "")
                    .headed(&[("Content-Type", "text/html"), ("Referrer-Policy", "no-referrer")]),
            ],
            &[("/", 1), ("/a", 1)],
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a>"),
                page("/a", "").headed(&[("Content-Type", "text/html"), ("Referrer-Policy", "unsafe-url, Strict-Origin, news")]),
                headed_page("/b", "<meta name=\"referrer\" content=\"same-origin\">", "")
                    .headed(&[("Content-Type", "text/html"), ("Referrer-Policy", "unsafe-url")]),
            ],
        ),
        ..BASE
    },
];
