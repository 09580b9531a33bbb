//! What is stored of one URL, and its facts in the order in which they are read.

use super::distributions::INDEXABILITY;
use super::dto::Fact;
use super::facts::fact;
use super::headers;
use model::state::Indexability;
use model::{FoundBy, UrlState};
use store::schema::{answer_flags, document_flags};
use store::{Reader, StoreError};

/// A URL's visit and answer.
pub(super) struct Answered {
    pub(super) url: String,
    pub(super) state: Option<UrlState>,
    pub(super) internal: bool,
    pub(super) reason: Option<String>,
    pub(super) status: Option<i64>,
    /// Of pages: the stored number of their indexability.
    pub(super) page: Option<i64>,
    pub(super) list: Option<i64>,
    pub(super) headers: Option<String>,
    depth: Option<i64>,
    found: Option<FoundBy>,
    first_source: Option<String>,
    method: Option<&'static str>,
    version: Option<String>,
    content_type: Option<String>,
    bytes: Option<i64>,
    transferred: Option<i64>,
    requested: Option<String>,
    ttfb_ms: Option<i64>,
    total_ms: Option<i64>,
    dns_ms: Option<i64>,
    connect_ms: Option<i64>,
    remote: Option<String>,
    redirect: Option<String>,
    flags: i64,
    head_status: Option<i64>,
    error: Option<String>,
}

impl Answered {
    /// `None` where the crawl did not meet the URL.
    pub(super) fn read(reader: &Reader, key: i64) -> Result<Option<Self>, StoreError> {
        let asked = store::views::iso_sql("nullif(a.started, 0)");
        reader.one(
            &format!("SELECT u.text, v.state, v.internal, r.value, a.status, p.indexability, a.list, a.headers, v.depth, v.found, su.text, a.method, hv.value,
               ct.value, a.bytes, a.transferred, {asked}, a.ttfb_ms, a.total_ms,
               a.dns_ms, a.connect_ms, rm.value, ru.text, a.flags, a.head_status, a.error
             FROM visit v JOIN url u ON u.id = v.key & 4294967295 LEFT JOIN answer a ON a.key = v.key LEFT JOIN page p ON p.key = v.key
             LEFT JOIN string r ON r.id = v.reason LEFT JOIN url su ON su.id = v.source LEFT JOIN string hv ON hv.id = a.version
             LEFT JOIN string ct ON ct.id = a.content_type LEFT JOIN string rm ON rm.id = a.remote LEFT JOIN url ru ON ru.id = a.redirect
             WHERE v.key = ?1"),
            &[key.into()],
            |row| {
                let text = |column| row.opt_text(column).map(str::to_owned);
                let code = |column| row.opt_int(column).and_then(|code| u8::try_from(code).ok());
                Self {
                    url: row.text(0).to_owned(),
                    state: code(1).and_then(UrlState::from_code),
                    internal: row.int(2) != 0,
                    reason: text(3),
                    status: row.opt_int(4),
                    page: row.opt_int(5),
                    list: row.opt_int(6),
                    headers: text(7),
                    depth: row.opt_int(8),
                    found: code(9).and_then(FoundBy::from_code),
                    first_source: text(10),
                    method: match row.int(11) {
                        1 => Some("GET"),
                        2 => Some("HEAD"),
                        _ => None,
                    },
                    version: text(12),
                    content_type: text(13),
                    bytes: row.opt_int(14),
                    transferred: row.opt_int(15),
                    requested: text(16),
                    ttfb_ms: row.opt_int(17),
                    total_ms: row.opt_int(18),
                    dns_ms: row.opt_int(19),
                    connect_ms: row.opt_int(20),
                    remote: text(21),
                    redirect: text(22),
                    flags: row.int(23),
                    head_status: row.opt_int(24),
                    error: text(25),
                }
            },
        )
    }

    /// In the order in which they pass. DNS and connection are missing where a connection was used again.
    pub(super) fn timings(&self) -> Vec<Fact> {
        let download =
            self.total_ms.zip(self.ttfb_ms).map(|(total, first)| total.saturating_sub(first).max(0));
        let parts = [
            ("DNS", self.dns_ms),
            ("Connect", self.connect_ms),
            ("First byte", self.ttfb_ms),
            ("Download", download),
            ("Total", self.total_ms),
        ];
        parts.into_iter().filter_map(|(name, ms)| Some(fact(name, format!("{} ms", ms?)))).collect()
    }
}

/// The document that a page was.
pub(super) struct Document {
    pub(super) title: Option<String>,
    pub(super) title_px: u32,
    pub(super) description: Option<String>,
    pub(super) description_px: u32,
    /// JSON as stored.
    pub(super) headings: String,
    pub(super) has_html: bool,
    title_count: i64,
    description_count: i64,
    h1: Option<String>,
    h1_count: i64,
    canonical: Option<String>,
    canonical_count: i64,
    robots: Option<String>,
    refresh_delay: Option<i64>,
    refresh_url: Option<String>,
    lang: Option<String>,
    charset: String,
    charset_source: String,
    viewport: Option<String>,
    word_count: i64,
    text_bytes: i64,
    dom_nodes: i64,
    dom_depth: i64,
    content_hash: String,
    flags: i64,
}

impl Document {
    pub(super) fn read(reader: &Reader, key: i64) -> Result<Option<Self>, StoreError> {
        reader.one(
            "SELECT d.title, d.title_px, d.title_count, d.description, d.description_px, d.description_count, d.h1, d.h1_count, d.canonical,
               d.canonical_count, d.robots, d.refresh_delay, d.refresh_url, d.lang, d.charset, d.charset_source, d.viewport, d.word_count,
               d.text_bytes, d.dom_nodes, d.dom_depth, printf('%016x', d.content_hash), d.flags, d.headings, d.html IS NOT NULL
             FROM page p JOIN document d ON d.id = p.document WHERE p.key = ?1",
            &[key.into()],
            |row| {
                let text = |column| row.opt_text(column).map(str::to_owned);
                let px = |column| u32::try_from(row.int(column)).unwrap_or_default();
                Self {
                    title: text(0),
                    title_px: px(1),
                    title_count: row.int(2),
                    description: text(3),
                    description_px: px(4),
                    description_count: row.int(5),
                    h1: text(6),
                    h1_count: row.int(7),
                    canonical: text(8),
                    canonical_count: row.int(9),
                    robots: text(10),
                    refresh_delay: row.opt_int(11),
                    refresh_url: text(12),
                    lang: text(13),
                    charset: row.text(14).to_owned(),
                    charset_source: row.text(15).to_owned(),
                    viewport: text(16),
                    word_count: row.int(17),
                    text_bytes: row.int(18),
                    dom_nodes: row.int(19),
                    dom_depth: row.int(20),
                    content_hash: row.text(21).to_owned(),
                    flags: row.int(22),
                    headings: row.text(23).to_owned(),
                    has_html: row.int(24) != 0,
                }
            },
        )
    }
}

/// How a URL is linked, counted when the crawl ended.
pub(super) struct Linked {
    /// Links that are clicked (`a`, `area`), from internal pages.
    pub(super) inlinks: i64,
    pages: i64,
    followed: i64,
    internal: i64,
    external: i64,
    score: Option<f64>,
}

impl Linked {
    pub(super) fn read(reader: &Reader, key: i64) -> Result<Option<Self>, StoreError> {
        reader.one(
            "SELECT inlinks, unique_inlinks, followed_inlinks, outlinks, external_outlinks, link_score FROM metric WHERE key = ?1",
            &[key.into()],
            |row| Self {
                inlinks: row.int(0),
                pages: row.int(1),
                followed: row.int(2),
                internal: row.int(3),
                external: row.int(4),
                score: matches!(row.value(5), store::Value::Real(_)).then(|| row.real(5)),
            },
        )
    }
}

/// The facts as they come.
#[derive(Default)]
struct Facts(Vec<Fact>);

impl Facts {
    fn say(&mut self, name: &str, value: impl Into<String>) {
        self.0.push(fact(name, value));
    }

    fn say_if(&mut self, name: &str, value: Option<impl Into<String>>) {
        if let Some(value) = value {
            self.say(name, value);
        }
    }

    fn count(&mut self, name: &str, number: Option<i64>, unit: &str) {
        self.say_if(name, number.map(|number| format!("{number} {unit}")));
    }

    /// A number and what is counted: `1 click`, `2 clicks`.
    fn many(&mut self, name: &str, number: Option<i64>, noun: &str) {
        self.say_if(name, number.map(|number| of(number, noun)));
    }
}

/// `1 link`, `2 links`.
fn of(number: i64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

pub(super) fn summary(
    answered: &Answered,
    document: Option<&Document>,
    linked: Option<&Linked>,
    headers: &[(String, String)],
    indexability: Option<Indexability>,
) -> Vec<Fact> {
    let mut facts = Facts::default();
    say_outcome(&mut facts, answered, indexability);
    if let Some(document) = document {
        say_document(&mut facts, document, &answered.url);
    }
    say_place(&mut facts, answered, linked);
    say_transfer(&mut facts, answered, headers);
    if let Some(document) = document {
        say_make(&mut facts, document);
    }
    facts.0
}

/// What came of it.
fn say_outcome(facts: &mut Facts, answered: &Answered, indexability: Option<Indexability>) {
    facts.say_if("Status", answered.status.map(|status| status.to_string()));
    let label = match answered.state {
        Some(UrlState::Fetched) => "Fetched",
        Some(UrlState::Failed) => "Failed",
        Some(UrlState::Blocked) => "Blocked by robots.txt",
        Some(UrlState::Excluded) => "Excluded",
        Some(UrlState::OverLimit) => "Over a limit",
        Some(UrlState::NotFollowed) => "Not followed",
        Some(UrlState::Queued) => "Waiting",
        None => "Unknown",
    };
    facts.say("State", label);
    let reason = match answered.state {
        Some(UrlState::Blocked) => "Blocked by",
        Some(UrlState::Excluded) => "Excluded by",
        Some(UrlState::Failed) => "Failure",
        Some(UrlState::OverLimit) => "Limit",
        _ => "Reason",
    };
    facts.say_if(reason, answered.reason.clone());
    facts.say_if("What went wrong", answered.error.clone());
    facts.say_if("Redirects to", answered.redirect.clone());
    let words = indexability.and_then(|reason| INDEXABILITY.iter().find(|(known, _, _)| *known == reason));
    facts.say_if("Indexability", words.map(|(_, label, _)| *label));
    facts.say("Part of the site", if answered.internal { "yes" } else { "no" });
    facts.say_if("Content type", answered.content_type.clone());
}

/// What it says of itself.
fn say_document(facts: &mut Facts, document: &Document, url: &str) {
    let several = |name: &str, count: i64| {
        if count > 1 { format!("{name} (first of {count})") } else { name.to_owned() }
    };
    let missing = || Some("none".to_owned());
    facts.say_if(&several("Title", document.title_count), document.title.clone().or_else(missing));
    if document.title.is_some() {
        facts.count("Title width", Some(i64::from(document.title_px)), "px");
    }
    facts.say_if(
        &several("Description", document.description_count),
        document.description.clone().or_else(missing),
    );
    if document.description.is_some() {
        facts.count("Description width", Some(i64::from(document.description_px)), "px");
    }
    facts.say_if(&several("H1", document.h1_count), document.h1.clone().or_else(missing));
    let canonical = match &document.canonical {
        Some(canonical) if canonical == url || document.flags & document_flags::CANONICAL_SELF != 0 => {
            format!("itself ({canonical})")
        }
        Some(canonical) => canonical.clone(),
        None => "none".to_owned(),
    };
    facts.say(&several("Canonical", document.canonical_count), canonical);
    facts.say_if("Robots directives", document.robots.clone());
    if let Some(delay) = document.refresh_delay {
        let target = document.refresh_url.as_deref().unwrap_or("itself");
        facts.say("Meta refresh", format!("after {delay} s to {target}"));
    }
    facts.say_if("Language", document.lang.clone());
    facts.say("Words", document.word_count.to_string());
}

/// Where it stands in the site.
fn say_place(facts: &mut Facts, answered: &Answered, linked: Option<&Linked>) {
    let is_page = answered.page.is_some();
    facts.many("Depth", answered.depth, "click");
    let found = answered.found.map(|found| match found {
        FoundBy::Seed => "start address",
        FoundBy::List => "list",
        other => other.word(),
    });
    facts.say_if("Found by", found);
    facts.say_if("First named by", answered.first_source.clone());
    if let Some(linked) = linked {
        let (links, pages) = (of(linked.inlinks, "link"), of(linked.pages, "other page"));
        facts.say("Inlinks", format!("{links} from {pages}, {} followed", linked.followed));
        if is_page {
            let outside = of(linked.external, "link");
            facts.say(
                "Outlinks",
                format!("{} within the site, {outside} to other sites", of(linked.internal, "link")),
            );
        }
        facts.say_if("Link score", linked.score.map(|score| format!("{score:.1} of 100")));
    }
}

/// How it came over the network.
fn say_transfer(facts: &mut Facts, answered: &Answered, headers: &[(String, String)]) {
    facts.count("Size", answered.bytes, "bytes");
    facts.count("Transferred", answered.transferred, "bytes");
    facts.say_if("Compression", headers::first(headers, "content-encoding").map(str::to_owned));
    let has = |flag: i64| answered.flags & flag != 0;
    let flaws = [
        (answer_flags::TRUNCATED, "cut at the size limit"),
        (answer_flags::INCOMPLETE, "ended before its announced end"),
        (answer_flags::DECODE_ERROR, "its compression broke off"),
        (answer_flags::LINKS_DROPPED, "has more links than are kept"),
    ];
    for (flag, words) in flaws {
        if has(flag) {
            facts.say("Body", words);
        }
    }
    facts.say_if("Asked with", answered.method);
    facts.say_if(
        "HEAD before it",
        answered
            .head_status
            .map(|status| if status == 0 { "no answer".to_owned() } else { status.to_string() }),
    );
    facts.say_if("HTTP version", answered.version.clone());
    facts.say_if("Server address", answered.remote.clone());
    facts.say_if("Asked at", answered.requested.clone());
}

/// How the document is made.
fn say_make(facts: &mut Facts, document: &Document) {
    facts.say("Encoding", format!("{} (from {})", document.charset, document.charset_source));
    facts.say_if("Viewport", document.viewport.clone());
    facts.count("Text", Some(document.text_bytes), "bytes");
    facts.say("Elements", format!("{}, {} deep", document.dom_nodes, document.dom_depth));
    facts.say("Content hash", document.content_hash.clone());
}
