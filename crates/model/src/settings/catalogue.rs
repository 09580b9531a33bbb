//! The declarations. Nothing about a setting is said anywhere else.

use super::{Kind, Preset, Setting, Unit, Value};
use crate::link::{LinkKind, Treatment};
use crate::plan::{CookieRule, VersionRule};
use std::borrow::Cow;
use std::sync::LazyLock;
use std::time::Duration;

/// A group of settings.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    pub id: &'static str,
    pub title: &'static str,
    /// One sentence, shown above the group.
    pub about: &'static str,
}

/// The groups, in the order in which they are shown. Sections of others (audits) follow.
pub const SECTIONS: &[Section] = &[
    Section { id: "agent", title: "User agent", about: "Who requests say they are." },
    Section {
        id: "robots",
        title: "robots.txt",
        about: "Whether the site's wishes for robots are followed.",
    },
    Section { id: "pace", title: "Pace", about: "How hard each host is asked." },
    Section { id: "fetch", title: "Requests", about: "Time, size and patience of one request." },
    Section {
        id: "http",
        title: "Connection",
        about: "How servers are reached, and what requests carry besides the user agent.",
    },
    Section {
        id: "tls",
        title: "Certificates",
        about: "What is done about a certificate that is not in order.",
    },
    Section { id: "scope", title: "Scope", about: "Which URLs belong to the audit." },
    Section { id: "limits", title: "Limits", about: "Where the crawl ends." },
    Section { id: "links", title: "Links", about: "How links are followed." },
    Section {
        id: "internal_links",
        title: "Links to the site itself",
        about: "What is done with the target of each kind of link: crawl (fetch and read), check (status only), store (keep, not asked) or off.",
    },
    Section {
        id: "external_links",
        title: "Links to other sites",
        about: "The same for targets elsewhere. They are never followed further: crawl is not offered.",
    },
    Section { id: "sitemaps", title: "Sitemaps", about: "Which sitemaps are read." },
    Section {
        id: "extras",
        title: "Further requests",
        about: "Requests beyond the URLs of the site: few, made once, shown apart and never counted among them.",
    },
    Section {
        id: "custom",
        title: "Your own",
        about: "What you add to the results of your projects. A project that has some of its own keeps them.",
    },
    Section { id: "store", title: "Project file", about: "What is kept." },
    Section {
        id: "report",
        title: "Reports",
        about: "What the report of broken links bears. A crawl does not depend on it.",
    },
];

/// Every setting of the crawl, in the order in which they are shown.
pub fn catalogue() -> &'static [Setting] {
    static CATALOGUE: LazyLock<Vec<Setting>> = LazyLock::new(|| {
        let mut all = plain();
        all.extend(LinkKind::ALL.iter().map(|kind| link_setting(*kind, Inside::Site)));
        all.extend(LinkKind::ALL.iter().map(|kind| link_setting(*kind, Inside::Elsewhere)));
        let place = |setting: &Setting| SECTIONS.iter().position(|section| section.id == setting.section());
        all.sort_by_key(place);
        all
    });
    &CATALOGUE
}

const KB: u64 = 1_000;
const MB: u64 = 1_000_000;
const GB: u64 = 1_000_000_000;

fn plain() -> Vec<Setting> {
    vec![
        setting(
            "agent.preset",
            "User agent",
            "Which user agent is sent, with the robots.txt token that belongs to it. Keep the default on other people's sites, so that their owners can see who asks; the others are for finding out whether a site of yours treats search engines or browsers differently.",
            Kind::Choice(Preset::WORDS),
            text("gossamer"),
        ),
        setting(
            "agent.user_agent",
            "Own user agent",
            "A User-Agent header of your own, sent unchanged with every request; empty for the preset's. The default agent, with slower settings (fewer requests at once, a delay), is recommended on other people's sites.",
            Kind::HeaderText,
            text(""),
        ),
        setting(
            "agent.contact",
            "Contact",
            "A web or e-mail address that becomes part of the default user agent, so that a site's owner can reach you. Agencies put a page of theirs here.",
            Kind::Contact,
            text(""),
        ),
        setting(
            "agent.token",
            "robots.txt token",
            "The name that is looked for in robots.txt. Empty: the first word of the user agent, or the preset's own.",
            Kind::Token,
            text(""),
        ),
        setting(
            "agent.audited_bot",
            "Audited bot",
            "The search engine whose robots directives decide what counts as indexable.",
            Kind::Token,
            text("Googlebot"),
        ),
        setting(
            "robots.obey",
            "Obey robots.txt",
            "Turn this off only for sites you may crawl regardless, such as your own staging server. Disallow and Crawl-delay of the site are then ignored; the file is still fetched and shown, and other sites' files are obeyed all the same.",
            Kind::Switch,
            Value::Switch(true),
        ),
        setting(
            "pace.concurrency",
            "Requests at once",
            "Requests in flight per host. Lower it to 1 or 2 for small servers and for other people's sites.",
            whole(1, 64, "requests"),
            Value::Whole(5),
        ),
        setting(
            "pace.delay",
            "Delay",
            "Time between the starts of two requests to one host. A longer Crawl-delay in robots.txt wins.",
            duration(0, 600_000),
            Value::Duration(Duration::ZERO),
        ),
        setting(
            "fetch.timeout",
            "Time limit",
            "For one request, headers and body together. Raise it for slow servers; a request that takes longer is recorded as a timeout.",
            duration(100, 600_000),
            Value::Duration(Duration::from_secs(20)),
        ),
        setting(
            "fetch.retries",
            "Retries",
            "Further attempts after a timeout or a failed connection, after 0.5 s, 1 s and so on. An answer with an error status is never asked again. With 0, too, a request that an idle connection lost, which the server had closed meanwhile, is made once more at once: that says nothing about the URL.",
            whole(0, 10, "attempts"),
            Value::Whole(2),
        ),
        setting(
            "fetch.redirects",
            "Redirects",
            "Hops followed from one URL before it is recorded as having too many. Google follows ten.",
            whole(0, 50, "hops"),
            Value::Whole(10),
        ),
        setting(
            "fetch.body_cap",
            "Body cap",
            "Decoded size of one page. What is longer is cut, marked as truncated, and the part read is used.",
            Kind::Size { min: KB, max: GB },
            Value::Size(10 * MB),
        ),
        setting(
            "fetch.sitemap_cap",
            "Sitemap cap",
            "Decoded size of one sitemap. What is longer is cut, and the entries read so far are used.",
            Kind::Size { min: KB, max: GB },
            Value::Size(100 * MB),
        ),
        setting(
            "fetch.download_resources",
            "Download resources",
            "Read the images, scripts, styles and documents of the site too, up to the body cap, so that their real size and a hash of their content are known. Off, only their headers are asked for.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "fetch.conditional",
            "Ask only whether pages changed",
            "Pages that an earlier crawl in the same project file holds are asked for with their ETag and Last-Modified. Where the server answers that a page did not change (304), the stored one is read again in its place, so that the results are those of a whole crawl for a fraction of the traffic. They are as true as the server's answer: leave it off where a site answers 304 wrongly. Needs the HTML of pages to be kept.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "fetch.retry_after_cap",
            "Longest pause",
            "The longest Retry-After of a server that is waited for. A server that asks for more gets this pause.",
            duration(0, 3_600_000),
            Value::Duration(Duration::from_secs(120)),
        ),
        setting(
            "fetch.memory_budget",
            "Memory for bodies",
            "Decoded bytes in memory at one time, over all requests. It bounds memory however large the bodies are.",
            Kind::Size { min: MB, max: 4 * GB },
            Value::Size(64 * MB),
        ),
        setting(
            "http.cookies",
            "Cookies",
            "off drops the cookies that a site sets. session sends them back while one URL is loaded, so that a page that sets a cookie and then redirects to itself is read as a new visitor sees it. shared keeps one jar for the whole crawl, as one visitor who reads page after page. None is kept after the crawl.",
            Kind::Choice(&["off", "session", "shared"]),
            text(CookieRule::Session.word()),
        ),
        setting(
            "http.proxy",
            "Proxy",
            "system uses what this computer is set to (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY and the system's own settings), none connects directly. Otherwise a proxy for every request: http, https, socks5 (names are resolved here) or socks5h (by the proxy). A user name and password are taken from those variables only, because settings are stored with each crawl.",
            Kind::Proxy,
            text("system"),
        ),
        setting(
            "http.version",
            "HTTP version",
            "auto lets each server choose between HTTP/2 and HTTP/1.1; http1 is for servers that misbehave with HTTP/2.",
            Kind::Choice(&["auto", "http1"]),
            text(VersionRule::Auto.word()),
        ),
        setting(
            "http.headers",
            "Request headers",
            "Further headers of every request, to other sites too, such as [\"X-Audit: 1\"]. They are stored with the crawl: a secret is given for one run instead, and goes to its own site only.",
            Kind::Headers,
            Value::List(Vec::new()),
        ),
        setting(
            "http.accept_language",
            "Accept-Language",
            "The languages that are asked for, such as de-CH, de;q=0.9. Empty sends no such header, as search engines do.",
            Kind::HeaderText,
            text(""),
        ),
        setting(
            "http.overrides",
            "Host override",
            "Connects a host and port somewhere else and keeps its name in requests and certificates: [\"www.example.com:443:127.0.0.1:8443\"] audits a server before the name leads to it. Without the last port, the first is used.",
            Kind::Overrides,
            Value::List(Vec::new()),
        ),
        setting(
            "tls.go_on",
            "Go on despite faults",
            "Read a site whose certificate has expired, is for another name or comes from nobody trusted, such as a staging server's. The fault is still reported. Nobody can then tell whether the answers come from the right server.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "scope.subdomains",
            "All subdomains",
            "Treat every subdomain of the start URL's host as part of the site.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "scope.start_folder_only",
            "Start folder only",
            "Crawl only URLs below the folder of the start URL, such as /shop/ of https://example.com/shop/index.html.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "scope.extra_hosts",
            "Further hosts",
            "Hosts that count as part of the site too, such as a CDN.",
            Kind::Hosts,
            Value::List(Vec::new()),
        ),
        setting(
            "scope.rules",
            "Include and exclude",
            "Regular expressions that are looked for anywhere in a URL of the site, in this order; the first that matches decides. With at least one include rule, what no rule matches is left out. Example: [\"exclude \\\\?sort=\", \"include /shop/\"].",
            Kind::Rules,
            Value::List(Vec::new()),
        ),
        setting(
            "scope.drop_parameters",
            "Dropped parameters",
            "Query parameters that are removed from every URL found, such as session ids and tracking codes.",
            Kind::Words,
            Value::List(Vec::new()),
        ),
        setting(
            "scope.rewrites",
            "Rewrites",
            "Regular expressions and what replaces every match in a URL that was found, in this order. $1 stands for the first group. Example: [\"/old/(.*) => /new/$1\", \";jsessionid=[^?]* =>\"].",
            Kind::Rewrites,
            Value::List(Vec::new()),
        ),
        setting(
            "custom.segments",
            "Segments",
            "Parts of the site with names, as a column and a filter everywhere: NAME = PATTERN PATTERN. A pattern such as /blog/** is compared with the path, shop.example.com/** with host and path; ** stands for anything, * for anything but a slash. re:REGEX is looked for anywhere in the URL. They are what a project begins with that has no segments; later they are changed in the project.",
            Kind::Segments,
            Value::List(Vec::new()),
        ),
        setting(
            "custom.search",
            "Searches",
            "What is looked for in every page, a flag each: NAME = contains or lacks, then regex (else plain text), source or visible (the HTML, or the text that the page shows, which is the default) and case (else upper and lower case are the same), then a colon and what is looked for. Example: [\"no-cart = lacks visible: add to cart\"]. They are added to the project; gossamer extract computes them for pages that are stored already.",
            Kind::Searches,
            Value::List(Vec::new()),
        ),
        setting(
            "custom.extraction",
            "Extractions",
            "What is taken from every page: NAME = css, xpath or regex, then text, html, attr NAME or count (of a regex: its first group), first or all, then a colon and the expression. Example: [\"price = css text: .price\", \"skus = xpath all: //@data-sku\"]. They are added to the project; gossamer extract computes them for pages that are stored already.",
            Kind::Extractions,
            Value::List(Vec::new()),
        ),
        setting(
            "custom.audit_time",
            "Time of an audit of your own",
            "How long the SQL of an audit that you wrote may take; it is then stopped, and the audit says so.",
            Kind::Duration { min: Duration::from_secs(1), max: Duration::from_secs(600) },
            Value::Duration(Duration::from_secs(10)),
        ),
        setting(
            "scope.lower_case",
            "Lower case",
            "Write the path and the query of every URL found in lower case, for sites to which they are the same.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "scope.fragments",
            "Fragments are URLs",
            "Treat what follows # in a link as part of the URL, for sites that show another page for each. Each is then asked for by itself, though no request carries its fragment.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "limits.max_urls",
            "Most URLs",
            "URLs requested at most, pages and link checks together. The rest is listed as over the limit.",
            limit(1, 1_000_000_000, "URLs"),
            Value::Limit(None),
        ),
        setting(
            "limits.max_pages",
            "Most pages",
            "Pages of the site read at most. Links and images are still checked. The rest is listed as over the limit.",
            limit(1, 1_000_000_000, "pages"),
            Value::Limit(None),
        ),
        setting(
            "limits.max_depth",
            "Deepest level",
            "Links followed from the start URL at most; 0 reads the start URL alone.",
            limit(0, 10_000, "levels"),
            Value::Limit(None),
        ),
        setting(
            "limits.pause_traps",
            "Pause traps",
            "Leave out further addresses of a pattern that grows for ever, such as a link that repeats all parameters and adds one. The pattern is shown with the crawl. Turn this off to crawl on regardless, best with a limit of URLs.",
            Kind::Switch,
            Value::Switch(true),
        ),
        setting(
            "limits.allow_traps",
            "Allowed traps",
            "Patterns of paused traps that are crawled all the same, as the crawl shows them. Example: [\"https://example.com/calendar?month=*\"].",
            Kind::Words,
            Value::List(Vec::new()),
        ),
        setting(
            "links.respect_nofollow",
            "Respect nofollow",
            "Leave nofollow links, and all links of nofollow pages, unfollowed as a search engine may. Off, they are followed and marked.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "sitemaps.from_robots",
            "Sitemaps of robots.txt",
            "Read the sitemaps that robots.txt names. URLs found only there show orphan pages.",
            Kind::Switch,
            Value::Switch(true),
        ),
        setting(
            "sitemaps.extra",
            "Further sitemaps",
            "Addresses of sitemaps that robots.txt does not name.",
            Kind::Addresses,
            Value::List(Vec::new()),
        ),
        setting(
            "extras.probes",
            "Probes",
            "Ask once for a page that cannot exist, for the http, https, www and bare forms of the start address, for the three usual places of a sitemap, and look up a name that cannot exist: how the site answers what is not there, and whether it has one address.",
            Kind::Switch,
            Value::Switch(true),
        ),
        setting(
            "extras.confirm",
            "Confirm what is broken",
            "At the end, ask once more for what failed, 500 URLs at most. What counts is the later answer, so a server that stumbled once is not reported.",
            Kind::Switch,
            Value::Switch(true),
        ),
        setting(
            "extras.compare_agents",
            "Compare user agents",
            "At the end, ask for each page once more as a second user agent, and report where its status or indexability is another one. Twice as many requests.",
            Kind::Switch,
            Value::Switch(false),
        ),
        setting(
            "extras.second_agent",
            "Second user agent",
            "The User-Agent header of these requests. A site that knows search engines by their addresses may refuse whoever only says to be one.",
            Kind::Text,
            Value::Text(Cow::Owned(Preset::GooglebotSmartphone.header(""))),
        ),
        setting(
            "store.html",
            "Keep HTML",
            "Keep each page's HTML, compressed to about a tenth. Off saves space; the source view and the element of a finding are then missing.",
            Kind::Switch,
            Value::Switch(true),
        ),
        setting(
            "report.agency",
            "Agency",
            "The name that stands on the report of broken links: yours, or your agency's. Empty for none.",
            Kind::Text,
            text(""),
        ),
        setting(
            "report.logo",
            "Logo",
            "A PNG, JPEG or SVG file of at most 1 MB that stands at the head of the report. A relative path begins at the profile's folder. XLSX shows PNG and JPEG only.",
            Kind::File,
            text(""),
        ),
        setting(
            "report.intro",
            "Introduction",
            "A few paragraphs of plain text above the numbers, such as what was agreed with the client. An empty line begins a new paragraph.",
            Kind::Paragraphs,
            text(""),
        ),
        setting(
            "report.csv_bom",
            "Byte order mark in CSV",
            "Begin the CSV form of the report with a byte order mark, without which Excel takes letters beyond ASCII for others. Turn it off for programs that stumble over it.",
            Kind::Switch,
            Value::Switch(true),
        ),
    ]
}

/// The two halves of a link's setting.
#[derive(Clone, Copy)]
enum Inside {
    Site,
    Elsewhere,
}

fn link_setting(kind: LinkKind, inside: Inside) -> Setting {
    const INTERNAL: &[&str] = &["crawl", "check", "store", "off"];
    const EXTERNAL: &[&str] = &["check", "store", "off"];
    let (internal, external) = link_defaults(kind);
    let (section, choices, default) = match inside {
        Inside::Site => ("internal_links", INTERNAL, internal),
        Inside::Elsewhere => ("external_links", EXTERNAL, external),
    };
    let (label, help) = link_words(kind);
    Setting {
        id: format!("{section}.{}", kind.word().replace('-', "_")).into(),
        label: label.into(),
        help: help.into(),
        kind: Kind::Choice(choices),
        default: Value::Text(default.word().into()),
    }
}

/// What is done with internal and with external targets.
const fn link_defaults(kind: LinkKind) -> (Treatment, Treatment) {
    match kind {
        LinkKind::Anchor | LinkKind::Area | LinkKind::Iframe | LinkKind::Redirect | LinkKind::MetaRefresh => {
            (Treatment::Crawl, Treatment::Check)
        }
        LinkKind::Canonical | LinkKind::Hreflang | LinkKind::Next | LinkKind::Prev | LinkKind::Amp => {
            (Treatment::Crawl, Treatment::Store)
        }
        LinkKind::Image
        | LinkKind::Script
        | LinkKind::Style
        | LinkKind::Font
        | LinkKind::Media
        | LinkKind::Icon
        | LinkKind::Manifest
        | LinkKind::Preload
        | LinkKind::Social
        | LinkKind::Data
        | LinkKind::Object
        | LinkKind::Feed => (Treatment::Check, Treatment::Check),
        LinkKind::Form | LinkKind::Preconnect | LinkKind::Other => (Treatment::Store, Treatment::Store),
    }
}

const fn link_words(kind: LinkKind) -> (&'static str, &'static str) {
    match kind {
        LinkKind::Anchor => ("Links", "a elements: what a visitor clicks."),
        LinkKind::Area => ("Image map areas", "area elements of image maps."),
        LinkKind::Iframe => ("Frames", "iframe and frame elements."),
        LinkKind::Image => ("Images", "img, srcset, picture, and images named by CSS in the page."),
        LinkKind::Script => ("Scripts", "script elements with an address."),
        LinkKind::Style => ("Style sheets", "Linked and imported style sheets."),
        LinkKind::Font => ("Fonts", "Fonts that the page names."),
        LinkKind::Media => ("Video and audio", "video, audio, source and track elements."),
        LinkKind::Icon => ("Icons", "link rel=icon and its relatives."),
        LinkKind::Manifest => {
            ("Web app manifests", "link rel=manifest, the description of an installable app.")
        }
        LinkKind::Canonical => ("Canonicals", "link rel=canonical, in HTML and in headers."),
        LinkKind::Hreflang => ("Language versions", "hreflang alternates, in HTML and in headers."),
        LinkKind::Next => ("Next page", "link rel=next, in HTML and in headers."),
        LinkKind::Prev => ("Previous page", "link rel=prev, in HTML and in headers."),
        LinkKind::Amp => ("AMP versions", "link rel=amphtml."),
        LinkKind::Redirect => (
            "Redirect targets",
            "The Location of a redirect. Anything but crawl and check ends a chain at its first hop.",
        ),
        LinkKind::MetaRefresh => ("Meta refresh targets", "Where a meta refresh leads."),
        LinkKind::Form => ("Forms", "form actions. A form is never submitted, whatever is said here."),
        LinkKind::Feed => ("Feeds", "RSS, Atom and JSON feeds that the page announces."),
        LinkKind::Preload => ("Preloads", "link rel=preload and rel=modulepreload."),
        LinkKind::Preconnect => {
            ("Connection hints", "rel=preconnect and rel=dns-prefetch name a server, not a document.")
        }
        LinkKind::Social => ("Social images", "og:image, twitter:image and the like."),
        LinkKind::Data => ("Structured data", "Addresses of images and pages inside JSON-LD."),
        LinkKind::Object => ("Embedded objects", "object and embed elements."),
        LinkKind::Other => ("Other relations", "Every other link element."),
    }
}

const fn setting(
    id: &'static str,
    label: &'static str,
    help: &'static str,
    kind: Kind,
    default: Value,
) -> Setting {
    Setting { id: Cow::Borrowed(id), label: Cow::Borrowed(label), help: Cow::Borrowed(help), kind, default }
}

const fn text(word: &'static str) -> Value {
    Value::Text(Cow::Borrowed(word))
}

const fn whole(min: i64, max: i64, unit: Unit) -> Kind {
    Kind::Whole { min, max, unit }
}

const fn limit(min: i64, max: i64, unit: Unit) -> Kind {
    Kind::Limit { min, max, unit }
}

/// Bounds in milliseconds.
const fn duration(min: u64, max: u64) -> Kind {
    Kind::Duration { min: Duration::from_millis(min), max: Duration::from_millis(max) }
}
