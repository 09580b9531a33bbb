//! The columns of every table, those first that an audit most often turns on.

use super::catalogue::{Choices, Column};
use super::dto::ColumnKind::{
    self, Bytes, Flag, Int, Json, Ms, Real, Severity, State, Status, Text, Time, Url, Verdict,
};
use super::problem_reason::problem_reason;

const fn column(
    id: &'static str,
    label: &'static str,
    kind: ColumnKind,
    width: u32,
    help: &'static str,
) -> Column {
    Column { id, label, kind, width, shown: false, quick: false, help, choices: Choices::Open, sql: None }
}

impl Column {
    const fn shown(mut self) -> Self {
        self.shown = true;
        self
    }

    const fn quick(mut self) -> Self {
        self.quick = true;
        self
    }

    const fn of(mut self, choices: Choices) -> Self {
        self.choices = choices;
        self
    }

    const fn is(mut self, sql: &'static str) -> Self {
        self.sql = Some(sql);
        self
    }
}

const URL: Column = column("url", "URL", Url, 420, "The address that the row is about.").shown().quick();
const STATUS: Column =
    column("status", "Status", Status, 72, "The HTTP status of the answer; empty when there was none.")
        .shown()
        .quick();
const INDEXABILITY: Column = column(
    "indexability",
    "Indexability",
    State,
    140,
    "The first reason that keeps search engines from showing the URL, or that there is none.",
)
.shown()
.quick()
.of(Choices::Indexability);
const TITLE: Column =
    column("title", "Title", Text, 300, "The text of the page's first title element.").shown();
const DEPTH: Column = column(
    "depth",
    "Depth",
    Int,
    72,
    "Clicks from a start URL over followed links, redirects not counted; empty when no such path leads there.",
)
.shown()
.quick();
const INLINKS: Column = column(
    "inlinks",
    "Inlinks",
    Int,
    84,
    "Links on the site that point here, every occurrence counted; known when the crawl has ended.",
)
.shown()
.quick();
const UNIQUE_INLINKS: Column = column(
    "unique_inlinks",
    "Linking pages",
    Int,
    110,
    "Different pages that link here, the page itself not counted; known when the crawl has ended.",
)
.quick();
const LINK_SCORE: Column = column(
    "link_score",
    "Link score",
    Real,
    96,
    "How much of the site's links leads here, 0 to 100; empty for what is no page, and for redirects and canonicalised pages, which pass it on.",
)
.quick();
const CONTENT_TYPE: Column =
    column("content_type", "Content type", Text, 170, "The Content-Type header as sent.").shown();
const BYTES: Column = column(
    "bytes",
    "Size",
    Bytes,
    88,
    "Size of the decoded body, or what the server announced where the body was not read.",
)
.shown()
.quick();
const TTFB: Column = column(
    "ttfb_ms",
    "Time to first byte",
    Ms,
    130,
    "From sending the request to the first byte of the answer.",
)
.shown()
.quick();
const TOTAL: Column =
    column("total_ms", "Total time", Ms, 96, "From sending the request to the end of the body.").quick();
const STATE: Column =
    column("state", "State", State, 104, "What the crawl did with the URL.").quick().of(Choices::State);
const REASON: Column =
    column("reason", "Reason", Text, 220, "Why the URL is in this state: a failure, a rule, a limit.");
const INDEXABLE: Column =
    column("indexable", "Indexable", Flag, 88, "It is a page that search engines may show.").quick();
const IN_SITEMAP: Column =
    column("in_sitemap", "In a sitemap", Flag, 96, "A sitemap that the crawl read lists the URL.")
        .is(store::IN_SITEMAP);
const INTERNAL: Column = column("internal", "Internal", Flag, 84, "The URL belongs to the site.").quick();
const HOST: Column =
    column("host", "Host", Text, 180, "The host, with the port where it is not the usual one.");
const REDIRECT_TARGET: Column =
    column("redirect_target", "Redirects to", Url, 320, "Where a redirect leads.");
const TRANSFERRED: Column = column(
    "transferred",
    "Transferred",
    Bytes,
    104,
    "Bytes of the body on the wire; empty when it was not read.",
)
.quick();
const SEGMENTS: Column = segments("segments", "Segments", "The segments that the URL is in.", OF_URL);
const SOURCE_SEGMENTS: Column =
    segments("source_segments", "Segments of the page", "The segments that the page is in.", OF_URL);
const OF_URL: &str =
    "(SELECT q.names FROM segment_url g CROSS JOIN segment_set q ON q.id = g.segments WHERE g.url = row_url)";
const OF_TARGET: &str = "(SELECT q.names FROM segment_url g CROSS JOIN segment_set q ON q.id = g.segments WHERE g.url = row_target)";

const fn segments(id: &'static str, label: &'static str, help: &'static str, sql: &'static str) -> Column {
    column(id, label, Text, 150, help).of(Choices::Segment).is(sql)
}

const METHOD: Column =
    column("method", "Method", State, 80, "How the URL was asked last.").quick().of(Choices::Method);
const FIRST_SEEN: Column =
    column("first_seen", "Found by", State, 104, "What named the URL first.").quick().of(Choices::FoundBy);
const FIRST_SOURCE: Column = column(
    "first_source",
    "Found on",
    Url,
    320,
    "The page that named the URL first; empty for start URLs and sitemaps.",
);
const REQUESTED: Column =
    column("requested", "Requested", Time, 170, "When the request was sent that gave the answer (UTC).")
        .quick();
const ERROR: Column =
    column("error", "Error", Text, 280, "What went wrong in transfer or decoding, in words.");

pub(super) const URLS: &[Column] = &[
    URL,
    STATUS,
    INDEXABILITY,
    TITLE,
    DEPTH,
    INLINKS,
    CONTENT_TYPE,
    BYTES,
    TTFB,
    STATE,
    REASON,
    INTERNAL,
    INDEXABLE,
    IN_SITEMAP,
    REDIRECT_TARGET,
    UNIQUE_INLINKS,
    LINK_SCORE,
    TOTAL,
    TRANSFERRED,
    HOST,
    METHOD,
    FIRST_SEEN,
    FIRST_SOURCE,
    REQUESTED,
    ERROR,
    SEGMENTS,
];

pub(super) const PAGES: &[Column] = &[
    URL,
    STATUS,
    INDEXABILITY,
    TITLE,
    column("title_px", "Title width", Int, 96, "Width of the title in pixels, as search results set it.")
        .shown()
        .quick(),
    column("description", "Description", Text, 320, "The first meta description.").shown(),
    column("h1", "H1", Text, 260, "The text of the first h1.").shown(),
    DEPTH,
    INLINKS,
    column(
        "word_count",
        "Words",
        Int,
        80,
        "Words of the visible text outside navigation, header, footer and asides.",
    )
    .shown()
    .quick(),
    column(
        "canonical",
        "Canonical",
        Url,
        320,
        "The first canonical, from the page or its headers, resolved.",
    ),
    column(
        "robots",
        "Robots directives",
        Text,
        180,
        "Directives of meta elements and headers; those of headers are marked.",
    ),
    column(
        "description_px",
        "Description width",
        Int,
        128,
        "Width of the description in pixels, as search results set it.",
    )
    .quick(),
    UNIQUE_INLINKS,
    column(
        "followed_inlinks",
        "Followed inlinks",
        Int,
        124,
        "Inlinks that ask search engines to follow them.",
    )
    .quick(),
    column("outlinks", "Outlinks", Int, 88, "Links of this page to internal URLs, every occurrence counted.")
        .quick(),
    column("external_outlinks", "External outlinks", Int, 128, "Links of this page to other sites.").quick(),
    Column { shown: false, ..BYTES },
    Column { shown: false, ..TTFB },
    TOTAL,
    column("lang", "Language", Text, 92, "The lang attribute of the html element."),
    column("h2", "H2", Text, 260, "The text of the first h2."),
    column("title_count", "Titles", Int, 76, "How many title elements the page has.").quick(),
    column("description_count", "Descriptions", Int, 108, "How many meta descriptions the page has.").quick(),
    column("h1_count", "H1s", Int, 68, "How many h1 the page has.").quick(),
    column("h2_count", "H2s", Int, 68, "How many h2 the page has.").quick(),
    column("canonical_count", "Canonicals", Int, 100, "How many canonicals the page and its headers have.")
        .quick(),
    column(
        "content_hash",
        "Content hash",
        Text,
        150,
        "Fingerprint of the HTML as received: equal bytes, equal hash.",
    ),
    column("charset", "Encoding", Text, 96, "The encoding that the page was decoded with."),
    column("viewport", "Viewport", Text, 220, "The meta viewport."),
    column("text_bytes", "Text size", Bytes, 92, "Bytes of the visible text of the whole body.").quick(),
    column("dom_nodes", "Elements", Int, 92, "How many elements the page has.").quick(),
    column("dom_depth", "Nesting", Int, 84, "Depth of the deepest element.").quick(),
    LINK_SCORE,
    column(
        "page_bytes",
        "Page weight",
        Bytes,
        100,
        "Size of the page with its images, scripts, style sheets and fonts, as far as their sizes are known.",
    )
    .quick(),
    column("page_files", "Files loaded", Int, 100, "How many files of known size the page loads.").quick(),
    STATE,
    REASON,
    INTERNAL,
    INDEXABLE,
    HOST,
    Column { shown: false, ..CONTENT_TYPE },
    TRANSFERRED,
    METHOD,
    FIRST_SEEN,
    FIRST_SOURCE,
    REQUESTED,
    REDIRECT_TARGET,
    ERROR,
    SEGMENTS,
    column(
        "near_duplicates",
        "Near duplicates",
        Int,
        124,
        "Pages that say almost the same, this one counted; empty where there are none. Known when the crawl has been audited.",
    )
    .quick(),
    column("near_duplicate_of", "Most similar page", Url, 320, "The page that says almost the same."),
    column("similarity", "Similarity", Int, 96, "Percent of the main text that both have in common.").quick(),
    column(
        "reading_ease",
        "Reading ease",
        Int,
        108,
        "Flesch's reading ease of the prose by the formula of its language, 0 to 120: below 50 hard, below 30 very hard.",
    )
    .quick(),
    column(
        "structured_types",
        "Structured data",
        Text,
        220,
        "Types of the entities that JSON-LD, Microdata and RDFa of the page describe, each once.",
    ),
    column("headings", "Headings", Json, 320, "All headings in order: level, text and line."),
    column(
        "details",
        "Details",
        Json,
        320,
        "What has no column of its own: further titles and descriptions, social properties.",
    ),
];

const SOURCE: Column = column("source", "Page", Url, 340, "The page on which it stands.").shown().quick();
const ELEMENT: Column = column(
    "element",
    "Element",
    Text,
    240,
    "The path of elements to it, without numbers: equal paths are one template.",
)
.shown();
const LINE: Column = column("line", "Line", Int, 68, "The line in the page's source; 0 for headers.").shown();
const KIND: Column = column("kind", "Kind", State, 96, "What the link is for.").shown().of(Choices::LinkKind);

pub(super) const LINKS: &[Column] = &[
    SOURCE,
    column("target", "Target", Url, 340, "Where the link leads; empty where that is no URL.").shown(),
    column(
        "anchor",
        "Anchor text",
        Text,
        220,
        "The text of the link, or the alternative text of an image in it.",
    )
    .shown(),
    column("verdict", "Verdict", Verdict, 104, "What came of the target.").shown().of(Choices::Verdict),
    column("target_status", "Target status", Status, 104, "The HTTP status of the target.").shown(),
    KIND,
    column("position", "Position", State, 88, "The nearest landmark around the link.")
        .shown()
        .of(Choices::Position),
    ELEMENT,
    LINE,
    column("raw_href", "Written as", Text, 260, "The attribute as it is written."),
    column("rel", "Rel", Text, 120, "The rel attribute in lower case."),
    column("followed", "Followed", Flag, 84, "The crawl follows such a link."),
    column("target_reason", "Target reason", Text, 220, "Why the target is in its state."),
    column("target_state", "Target state", State, 112, "What the crawl did with the target.")
        .of(Choices::State),
    column("target_internal", "Internal target", Flag, 112, "The target belongs to the site."),
    column("window", "Window", Text, 92, "The target attribute, such as _blank."),
    column("in_noscript", "In noscript", Flag, 96, "It stands inside a noscript element."),
    column(
        "link",
        "Number",
        Int,
        110,
        "The number of the link, the same in two crawls where the page's links did not change.",
    ),
    SOURCE_SEGMENTS,
    segments("target_segments", "Segments of the target", "The segments that the target is in.", OF_TARGET),
];

pub(super) const PROBLEM_TARGETS: &[Column] = &[
    column("target", "Target", Url, 420, "Where the links lead; of links that are no URL, what is written.")
        .shown(),
    column("verdict", "Verdict", Verdict, 104, "What came of the target.")
        .shown()
        .quick()
        .of(Choices::Problem),
    Column { help: "The HTTP status of the target; empty when there was no answer.", ..STATUS },
    column(
        "reason",
        "Reason",
        Text,
        220,
        "What was answered, why there was no answer, which rule forbids to ask, or where its redirects end.",
    )
    .shown()
    .is(problem_reason!("reason", "status")),
    column("occurrences", "Links", Int, 88, "How many links lead there, every occurrence counted.")
        .shown()
        .quick(),
    column("pages", "Pages", Int, 80, "On how many pages they stand.").shown().quick(),
    column("kinds", "Kinds", Text, 140, "What kinds of links they are.").shown(),
    column("internal", "Internal", Flag, 84, "The target belongs to the site.").shown(),
    column("final_url", "Ends at", Url, 320, "Where the target's redirects end."),
    column("final_status", "Final status", Status, 96, "The HTTP status there."),
];

pub(super) const FINDINGS: &[Column] = &[
    Column { help: "The URL with the defect; for a link, the page on which it stands.", ..URL },
    column("evidence", "Evidence", Text, 480, "What was found, and where.").shown().is(
        "(SELECT group_concat(replace(e.key, '_', ' ') || ': ' || replace(replace(e.value, char(13), ' '), char(10), ' '), ' · ') \
         FROM json_each(evidence) e WHERE e.value IS NOT NULL)",
    ),
    STATUS,
    TITLE,
    column("severity", "Severity", Severity, 100, "How bad it is.").shown().of(Choices::Severity),
    column("audit", "Audit", State, 190, "The audit that found it.").shown().quick().of(Choices::Audit),
    column("family", "Family", State, 100, "What the audit is about.").of(Choices::Family),
    column("priority", "Priority", State, 88, "What to mend first among findings of one severity.").of(Choices::Priority),
    column("life", "Life", State, 80, "Open, or regressed where it was fixed before.").of(Choices::Life),
    column("ignored", "Ignored", Flag, 80, "Somebody decided that it may stay: it is counted nowhere."),
    SEGMENTS,
];

pub(super) const REDIRECTS: &[Column] = &[
    Column { help: "Where the chain begins.", ..URL },
    column("hop", "Hop", Int, 64, "The number of the redirect in its chain, from 1.").shown().quick(),
    Column { help: "The status of this redirect.", ..STATUS },
    column("hop_url", "Leads to", Url, 340, "Where this redirect leads.").shown(),
    column(
        "final_url",
        "Ends at",
        Url,
        340,
        "The URL that no longer redirects; in a loop, the first that comes again.",
    )
    .shown(),
    column("final_status", "Final status", Status, 96, "The HTTP status there.").shown(),
    column("hops", "Hops", Int, 68, "How many redirects the chain has.").shown().quick(),
    column("loop", "Loop", Flag, 68, "The chain runs in a circle.").shown().quick(),
];

pub(super) const IMAGES: &[Column] = &[
    column("image", "Image", Url, 360, "The address of the image.").shown(),
    SOURCE,
    column("alt", "Alternative text", Text, 240, "The alt attribute; empty where the attribute is missing.")
        .shown(),
    Column { help: "Size of the image, or what the server announced.", ..BYTES },
    Column { help: "The HTTP status of the image.", ..STATUS },
    column("width", "Width", Int, 76, "The width attribute in CSS pixels.").shown(),
    column("height", "Height", Int, 76, "The height attribute in CSS pixels.").shown(),
    ELEMENT,
    LINE,
];

pub(super) const HOSTS: &[Column] = &[
    Column { shown: true, quick: true, ..HOST },
    column("requests", "Requests", Int, 92, "Requests made, whatever for, second attempts included.")
        .shown()
        .quick(),
    column("bytes", "Received", Bytes, 96, "Bytes of bodies received.").shown().quick(),
    column("errors", "Errors", Int, 76, "Requests that gave no usable answer.").shown().quick(),
    column("mean_ms", "Mean time", Ms, 96, "From sending a request to the end of its body, on average.")
        .shown()
        .quick(),
    column("slow_downs", "Slow-downs", Int, 100, "How often the host asked for patience and got it.")
        .shown()
        .quick(),
    column("robots_status", "robots.txt", State, 104, "What came of the host's robots.txt.")
        .shown()
        .of(Choices::RobotsState),
    column("crawl_delay", "Crawl delay", Real, 100, "Seconds that robots.txt asks for between two requests.")
        .shown(),
    column(
        "certificate_expires",
        "Certificate ends",
        Time,
        170,
        "When the certificate of the host ends (UTC).",
    )
    .shown(),
    column("http_version", "HTTP", Text, 84, "The version of HTTP that the last answer spoke.").shown(),
    column("origin", "Origin", Url, 240, "Scheme, host and port."),
    Column { help: "The host is one of the site's own.", ..INTERNAL },
    column("total_ms", "Total time", Ms, 100, "The time of all requests together.").quick(),
    column("paused_ms", "Paused", Ms, 92, "How long the host was left alone because it asked for it.")
        .quick(),
    column(
        "robots_http_status",
        "robots.txt status",
        Status,
        120,
        "The HTTP status of the host's robots.txt.",
    ),
    column("remote", "Address", Text, 180, "The address and port that answered last."),
    column("certificate_issuer", "Issuer", Text, 260, "Who issued the certificate of the host."),
    column("certificate_subject", "Certificate of", Text, 220, "For whom the certificate was issued."),
    column("certificate_names", "Names", Text, 300, "The names and addresses that the certificate is for."),
    column(
        "certificate_from",
        "Certificate begins",
        Time,
        170,
        "When the certificate begins to be valid (UTC).",
    ),
    column(
        "certificate_fault",
        "Certificate fault",
        Text,
        300,
        "Why the certificate was refused; empty where it was accepted.",
    ),
];

pub(super) const SITEMAP_ENTRIES: &[Column] = &[
    Column { help: "The URL of the entry; as written where it is none.", ..URL },
    Column { help: "The HTTP status of the URL.", ..STATUS },
    column("in_crawl", "In the crawl", Flag, 100, "The crawl met the URL.").shown(),
    column("lastmod", "Last change", Text, 170, "When the sitemap says that it changed last, as written.")
        .shown(),
    column("sitemap", "Sitemap", Url, 320, "The sitemap that has the entry.").shown(),
    STATE,
    INDEXABILITY,
    INDEXABLE,
    INTERNAL,
    column(
        "in_index",
        "Names a sitemap",
        Flag,
        120,
        "The sitemap is an index; the entry names another sitemap.",
    ),
];
