//! Family Security: what else lays visitors and servers open.

use super::security::{BASE, OBSERVATORY};
use super::{FLAW, HREF, raised};
use crate::audit::{Audit, LinkRule, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, Fact, headed_page, html, page};
use model::FlawKind;

const COOKIES: &str = "https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie";
const HSTS: &str = "https://www.rfc-editor.org/rfc/rfc6797";

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "protocol-relative-resource",
        title: "Resource without a scheme",
        scope: Scope::Link,
        rule: Rule::Link(
            LinkRule::shaped("kind IN ('script', 'style', 'iframe', 'image', 'media', 'font', 'object', 'icon', 'manifest', 'preload')")
                .with_href(|href, _| href.trim_start().starts_with("//")),
        ),
        evidence: HREF,
        why: "An address that begins with // takes the scheme of the page: where the page is read over http, or from a file, it is loaded in the clear or not at all.",
        fix: "Write https:// in front.",
        references: &["https://developer.mozilla.org/docs/Learn_web_development/Howto/Web_mechanics/What_is_a_URL"],
        case: Case::new(
            &[headed_page(
                "/",
                "<script src=\"//127.0.0.1:1/x.js\"></script>",
                "<img src=\" //127.0.0.1:1/x.png\" alt=\"x\" width=\"1\" height=\"1\">",
            )],
            &[("/", 2)],
            &[page(
                "/",
                "<img src=\"/x//y.png\" alt=\"x\" width=\"1\" height=\"1\"> <img src=\"x.png\" alt=\"x\" width=\"1\" height=\"1\"> <a href=\"//127.0.0.1:1/\">else</a>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "cookie-flags-missing",
        title: "Cookie without its flags",
        scope: Scope::Host,
        rule: Rule::HostText("CASE WHEN cookies IS NOT NULL THEN weak_cookies(cookies, url) END"),
        evidence: &[("set_cookie", "cookies")],
        why: "Without Secure a cookie also travels in the clear, without HttpOnly every script of the page can read it, and without SameSite some browsers send it along with requests that other sites make.",
        fix: "Add Secure, HttpOnly and SameSite=Lax to cookies that only the server reads; a cookie that other sites need takes SameSite=None together with Secure.",
        references: &[COOKIES, "https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/02-Testing_for_Cookies_Attributes"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a>"),
                // The same cookie on two pages is one finding.
                page("/a", "").headed(&[("Content-Type", "text/html"), ("Set-Cookie", "sid=1; HttpOnly")]),
                page("/b", "").headed(&[("Content-Type", "text/html"), ("Set-Cookie", "sid=2; HttpOnly")]),
                page("/c", "").headed(&[("Content-Type", "text/html"), ("Set-Cookie", "lang=en; SameSite=Lax")]),
            ],
            &[("/a", 1), ("/c", 1)],
            &[
                page("/", "<a href=\"/a\">a</a>").headed(&[("Content-Type", "text/html"), ("Set-Cookie", "sid=1; HttpOnly; SameSite=Lax")]),
                page("/a", "").headed(&[
                    ("Content-Type", "text/html"),
                    ("Set-Cookie", "old=; Max-Age=0"),
                    ("Set-Cookie", "csrftoken=1; SameSite=Strict"),
                ]),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "certificate-expires",
        title: "Certificate expires soon",
        priority: Priority::High,
        scope: Scope::Host,
        rule: Rule::Host("url LIKE 'https:%' AND certificate_expires < crawl_started + {certificate_days} * 86400000"),
        thresholds: &[
            Threshold {
                name: "certificate_days",
                label: "Certificate expires soon",
                help: "A certificate that expires within so many days is reported.",
                unit: Unit::Days,
                min: 1,
                max: 1_000,
                default: 30,
            },
            Threshold {
                name: "certificate_days_urgent",
                label: "Certificate expires at once",
                help: "Within so many days it is an issue.",
                unit: Unit::Days,
                min: 0,
                max: 1_000,
                default: 7,
            },
        ],
        escalation: raised(
            "certificate_expires < crawl_started + {certificate_days_urgent} * 86400000",
            Severity::Issue,
            Priority::High,
        ),
        evidence: &[
            ("expires", "strftime('%Y-%m-%d %H:%M', certificate_expires / 1000, 'unixepoch')"),
            ("days_left", "(certificate_expires - crawl_started) / 86400000"),
            ("subject", "certificate_subject"),
            ("issuer", "certificate_issuer"),
        ],
        why: "After that day browsers show a warning in place of every page of the host. Certificates that renew themselves do so a month before: this one has not.",
        fix: "Renew the certificate, and find out why that did not happen by itself.",
        references: &["https://letsencrypt.org/docs/integration-guide/"],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &["https://site.example/a"]).on_host(29, "HTTP/2"),
                Fact::page("https://site.example/a", &[]),
            ],
            &[("https://site.example/", 1)],
            &[
                Fact::page("https://site.example/", &["https://else.example/"]).on_host(31, "HTTP/2"),
                Fact::page("https://else.example/", &[]).external().on_host(3, "HTTP/2"),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "http-not-redirected",
        title: "http does not redirect to https",
        severity: Severity::Issue,
        priority: Priority::High,
        scope: Scope::Probe,
        rule: Rule::Probe(|probe, site| site.is_left_on_http(probe)),
        evidence: &[("status", "coalesce(probe_status, status)"), ("redirect", "coalesce(probe_redirect, redirect_url)")],
        why: "The site works over https, but who comes by its http address stays there: in the clear, and on a second copy of every page.",
        fix: "Answer every http request with 301 or 308 to the same address over https.",
        references: &["https://developers.google.com/search/docs/crawling-indexing/site-move-with-url-changes", HSTS],
        case: Case::of_facts(
            &[
                Fact::page("https://site.example/", &[]),
                Fact::probe("twin", "http://site.example/", Some(200)),
                Fact::probe("twin", "https://www.site.example/", Some(200)),
            ],
            &[("http://site.example/", 1)],
            &[
                Fact::page("https://site.example/", &[]),
                Fact { redirect: Some("https://site.example/"), ..Fact::probe("twin", "http://site.example/", Some(301)) },
                // A name of its own, without https.
                Fact::probe("twin", "http://www.site.example/", Some(200)),
                Fact::probe("twin", "https://www.site.example/", None),
                Fact::probe("random-path", "http://site.example/x", Some(200)),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "version-leak",
        title: "Server tells its version",
        severity: Severity::Note,
        scope: Scope::Host,
        rule: Rule::Host(
            "server GLOB '*/[0-9]*' OR powered_by GLOB '*/[0-9]*' OR aspnet_version IS NOT NULL OR aspnetmvc_version IS NOT NULL",
        ),
        evidence: &[
            ("server", "server"),
            ("x_powered_by", "powered_by"),
            ("x_aspnet_version", "aspnet_version"),
            ("x_aspnetmvc_version", "aspnetmvc_version"),
        ],
        why: "Whoever looks for servers with a known hole finds this one by its version.",
        fix: "Leave the version out of the headers; more important is to keep the server up to date.",
        references: &["https://www.rfc-editor.org/rfc/rfc9110#section-10.2.4", "https://owasp.org/www-project-secure-headers/"],
        case: Case::new(
            &[
                page("/", "<a href=\"/a\">a</a>").headed(&[("Content-Type", "text/html"), ("X-Powered-By", "PHP/7.4.3")]),
                page("/a", "").headed(&[("Content-Type", "text/html"), ("Server", "nginx/1.18.0")]),
            ],
            &[("/", 1)],
            &[page("/", "").headed(&[("Content-Type", "text/html"), ("Server", "nginx"), ("X-Powered-By", "Express/Node")])],
        ),
        ..BASE
    },
    Audit {
        id: "sri-missing",
        title: "Script of another site without a checksum",
        severity: Severity::Opportunity,
        scope: Scope::Content,
        rule: Rule::Flaw(FlawKind::SriMissing),
        evidence: FLAW,
        why: "Whoever gets hold of the other site's file changes what runs on this page. With an integrity attribute browsers run it only as long as it is the same.",
        fix: "Add integrity and crossorigin where the file has a fixed version, or serve it yourself. Where the other site changes the file as it likes, a checksum is not possible.",
        references: &["https://www.w3.org/TR/SRI/", OBSERVATORY],
        case: Case::new(
            &[headed_page(
                "/",
                "<script src=\"{other}/a.js\"></script><script type=\"module\" src=\"{other}/b.js\"></script>",
                "",
            )],
            &[("/", 2)],
            &[headed_page(
                "/",
                "<script src=\"/a.js\"></script><script src=\"{other}/b.js\" integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\" crossorigin></script><link rel=\"stylesheet\" href=\"{other}/c.css\">",
                "",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "directory-listing",
        title: "Directory listing",
        priority: Priority::Medium,
        scope: Scope::Content,
        rule: Rule::Row(
            Needs::Itself,
            "url LIKE '%/' AND ((title LIKE 'Index of /%' AND (h1 LIKE 'Index of /%' OR h2 LIKE 'Index of /%'))
             OR title LIKE 'Directory listing for /%' OR title LIKE 'Directory Listing For [/%' OR title LIKE 'Directory: /%')",
        ),
        evidence: &[("title", "title"), ("h1", "h1"), ("first_source", "first_source")],
        why: "The server shows all files of a folder to everybody, also those that nothing links to: backups, drafts, configurations.",
        fix: "Switch directory listings off (Options -Indexes in Apache, autoindex off in nginx), or put an index page there.",
        references: &["https://httpd.apache.org/docs/2.4/mod/mod_autoindex.html", "https://cwe.mitre.org/data/definitions/548.html"],
        case: Case::new(
            &[
                page("/", "<a href=\"/files/\">files</a>"),
                html(
                    "/files/",
                    "<html><head><title>Index of /files/</title></head><body><h1>Index of /files/</h1><pre><a href=\"../\">../</a></pre></body></html>",
                ),
            ],
            &[("/files/", 1)],
            &[
                page("/", "<a href=\"/about/\">about</a> <a href=\"/post\">post</a>"),
                html("/about/", "<!doctype html><title>Index of /etc explained</title><h1>What a listing is</h1>"),
                html("/post", "<!doctype html><title>Index of /files</title><h1>Index of /files</h1>"),
            ],
        ),
        ..BASE
    },
];
