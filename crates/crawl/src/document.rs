//! From facts to columns: how a page's facts are laid out in the project file.

use crate::directives::Directives;
use crate::rewriting::without_fragment;
use model::Flaw;
use model::address::without_userinfo;
use model::facts::{Canonical, Heading, PageFacts, Placed};
use model::hash::HashSeed;
use model::state::Indexability;
use serde_json::{Map, Value, json};
use store::schema::document_flags as flag;
use store::{Document, FlawRow};

/// What the laying out needs to know besides the facts.
pub(crate) struct Context<'a> {
    pub url: &'a str,
    pub seed: HashSeed,
    /// Lower case: the bot whose directives count besides those for `robots`.
    pub bot: &'a str,
    /// The audited bot's robots.txt group allows the URL.
    pub bot_allowed: bool,
}

/// The document row of a page (hashes and HTML still missing) and whether search engines may show it.
pub(crate) fn lay_out(facts: &PageFacts, context: &Context) -> (Document, Indexability) {
    let directives = Directives::read(&facts.robots, context.bot);
    let canonical = CanonicalReading::read(&facts.canonicals, context);
    let (h1, h2) = (of_level(&facts.headings, 1), of_level(&facts.headings, 2));
    let title = facts.titles.first();
    let description = facts.descriptions.first();
    let refresh = facts.refresh.as_ref();
    let mut flags = heading_flags(&facts.headings) | canonical.flags | directives.flags;
    flags |= crate::structured::flags(facts);
    let mut set = |condition: bool, bit: i64| {
        if condition {
            flags |= bit;
        }
    };
    set(facts.titles.iter().any(|t| t.outside_head), flag::TITLE_OUTSIDE_HEAD);
    set(facts.descriptions.iter().any(|d| d.outside_head), flag::DESCRIPTION_OUTSIDE_HEAD);
    set(facts.robots.iter().any(|r| r.outside_head && !r.from_header), flag::ROBOTS_OUTSIDE_HEAD);
    set(facts.body_empty, flag::BODY_EMPTY);
    set(!facts.standards_mode, flag::QUIRKS);
    set(facts.refresh_in_noscript, flag::REFRESH_IN_NOSCRIPT);
    set(facts.meta_csp, flag::META_CSP);
    set(facts.upgrades_requests, flag::UPGRADES_REQUESTS);
    set(facts.referrer.is_some(), flag::META_REFERRER);
    set(facts.referrer.is_some_and(is_weak_referrer), flag::META_REFERRER_WEAK);
    set(facts.main_missing, flag::MAIN_MISSING);
    set(true, flag::IDS_KNOWN);
    let year = facts.copyright_year.map_or(0, |year| i64::from(year) - 1_900);
    for ((shift, most), number) in [
        (flag::COPYRIGHT_YEAR, year),
        (flag::RENDER_BLOCKING, i64::from(facts.render_blocking)),
        (flag::DOM_CHILDREN, i64::from(facts.dom_children)),
    ] {
        flags |= number.clamp(0, most) << shift;
    }

    let redirects_away = refresh.is_some_and(|r| {
        r.delay == 0 && r.url.as_deref().is_some_and(|u| without_fragment(u) != context.url)
    });
    let indexability = if !context.bot_allowed {
        Indexability::BlockedByRobots
    } else if directives.noindex {
        Indexability::Noindex
    } else if redirects_away {
        Indexability::MetaRefresh
    } else if canonical.elsewhere {
        Indexability::Canonicalised
    } else {
        Indexability::Indexable
    };

    let document = Document {
        hash: 0,
        content_hash: 0,
        html_key: 0,
        html: None,
        title: title.map(|t| t.text.clone()),
        title_px: facts.title_px,
        title_count: facts.titles.len() as u32,
        description: description.map(|d| d.text.clone()),
        description_px: facts.description_px,
        description_count: facts.descriptions.len() as u32,
        h1: h1.first().map(|h| h.text.clone()),
        h1_count: h1.len() as u32,
        h2: h2.first().map(|h| h.text.clone()),
        h2_count: h2.len() as u32,
        canonical: canonical.shown,
        canonical_key: canonical.key,
        canonical_count: facts.canonicals.len() as u32,
        canonical_distinct: canonical.distinct,
        robots: directives.text,
        noindex: directives.noindex,
        nofollow: directives.nofollow,
        refresh_delay: refresh.map(|r| r.delay),
        refresh_url: refresh.and_then(|r| r.url.clone()),
        lang: facts.lang.clone(),
        charset: facts.charset.clone(),
        charset_source: facts.charset_source.word(),
        viewport: facts.viewport.clone(),
        base: facts.base.clone(),
        word_count: facts.word_count,
        text_bytes: facts.text_bytes,
        text_hash: facts.text_hash,
        dom_nodes: facts.dom_nodes,
        dom_depth: facts.dom_depth,
        head_closed_by: facts.head_closed_by.clone(),
        flags,
        headings: headings_json(&facts.headings),
        details: details_json(facts, directives.unavailable_after),
        flaws: facts
            .flaws
            .iter()
            .map(|flaw| flaw_row(flaw, &facts.element_paths))
            .chain(directives.invalid)
            .collect(),
        structured: crate::structured::rows(facts),
        main_text: facts.main_text.clone(),
        reading: facts.reading,
        fragments: facts.anchors.clone(),
    };
    (document, indexability)
}

fn flaw_row(flaw: &Flaw, paths: &[Box<str>]) -> FlawRow {
    FlawRow {
        kind: flaw.kind,
        line: flaw.line,
        element: flaw.path.and_then(|path| paths.get(path as usize)).cloned(),
        detail: flaw.detail.clone(),
    }
}

/// Raised whenever a document is read for more than before, so that a page that did not change since is stored anew.
const READING: u8 = 3;

/// Hash that addresses a document: everything its columns and its link list depend on.
pub(crate) fn document_hash(
    seed: HashSeed,
    html_key: u64,
    url: &str,
    headers: &[(Box<str>, Box<str>)],
    reading: &str,
) -> u64 {
    let mut key = Vec::with_capacity(url.len() + 128);
    key.push(READING);
    key.extend_from_slice(&html_key.to_le_bytes());
    key.extend_from_slice(url.as_bytes());
    key.push(0);
    key.extend_from_slice(reading.as_bytes());
    for (name, value) in headers {
        if matches!(&**name, "content-type" | "link" | "x-robots-tag" | "content-language" | "refresh") {
            key.push(0);
            key.extend_from_slice(name.as_bytes());
            key.push(b':');
            key.extend_from_slice(value.as_bytes());
        }
    }
    seed.content(&key) as u64
}

struct CanonicalReading {
    shown: Option<Box<str>>,
    key: Option<u64>,
    distinct: u32,
    /// The canonical that counts names another URL.
    elsewhere: bool,
    flags: i64,
}

impl CanonicalReading {
    fn read(all: &[Canonical], context: &Context) -> Self {
        let mut flags = 0;
        let own = context.seed.url(context.url);
        // A login in it is none of the page's address: links are told apart without theirs.
        let key_of = |url: &str| context.seed.url(without_fragment(&without_userinfo(url, "")));
        let mut keys: Vec<u64> = Vec::new();
        for canonical in all {
            if canonical.outside_head && !canonical.from_header {
                flags |= flag::CANONICAL_OUTSIDE_HEAD;
            }
            if canonical.odd_attributes {
                flags |= flag::CANONICAL_ODD_ATTRIBUTES;
            }
            let raw = canonical.raw.trim();
            let absolute = raw.split_once("://").is_some_and(|(scheme, rest)| {
                (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
                    && !rest.is_empty()
            });
            match named(canonical) {
                Some(url) => {
                    if url.contains('#') {
                        flags |= flag::CANONICAL_FRAGMENT;
                    }
                    if !absolute {
                        flags |= flag::CANONICAL_RELATIVE;
                    }
                    keys.push(key_of(url));
                }
                None => flags |= flag::CANONICAL_MALFORMED,
            }
        }
        // The first one in head that can be read counts; engines ignore those in body.
        let counting = all.iter().find(|c| (!c.outside_head || c.from_header) && named(c).is_some());
        let key = counting.and_then(named).map(key_of);
        if key == Some(own) {
            flags |= flag::CANONICAL_SELF;
        }
        keys.sort_unstable();
        keys.dedup();
        let shown = counting
            .or_else(|| all.first())
            .map(|c| without_userinfo(c.url.as_deref().unwrap_or(&c.raw), "…@").into());
        Self { shown, key, distinct: keys.len() as u32, elsewhere: key.is_some_and(|key| key != own), flags }
    }
}

/// The URL that a canonical names: none where it is empty, cannot be read, or is nothing that a search engine could show, as
/// `file:`, `mailto:` and `javascript:` are.
fn named(canonical: &Canonical) -> Option<&str> {
    let url = canonical.url.as_deref().filter(|_| !canonical.raw.trim().is_empty())?;
    (url.starts_with("http://") || url.starts_with("https://")).then_some(url)
}

/// Policies that tell other sites, or readers on the way, which page a visitor comes from.
fn is_weak_referrer(policy: &str) -> bool {
    matches!(policy, "unsafe-url" | "origin" | "origin-when-cross-origin" | "no-referrer-when-downgrade")
}

fn of_level(headings: &[Heading], level: u8) -> Vec<&Heading> {
    headings.iter().filter(|h| h.level == level).collect()
}

fn heading_flags(headings: &[Heading]) -> i64 {
    let mut flags = 0;
    if headings.iter().any(|h| h.level == 1 && h.image_only) {
        flags |= flag::H1_IMAGE_ONLY;
    }
    if headings.first().is_some_and(|h| h.level != 1) && headings.iter().any(|h| h.level == 1) {
        flags |= flag::H1_NOT_FIRST;
    }
    if headings.windows(2).any(|pair| pair[1].level > pair[0].level + 1) {
        flags |= flag::LEVEL_SKIPPED;
    }
    if headings.iter().any(|h| h.text.is_empty() && !h.image_only) {
        flags |= flag::HEADING_EMPTY;
    }
    flags
}

/// `[[level, text, line], …]`, written by hand: it is built for every page.
fn headings_json(headings: &[Heading]) -> Option<String> {
    if headings.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(headings.len() * 40);
    out.push('[');
    for (n, heading) in headings.iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        out.push('[');
        out.push(char::from(b'0' + heading.level.min(9)));
        out.push(',');
        push_json_text(&mut out, &heading.text);
        out.push(',');
        out.push_str(&heading.line.to_string());
        out.push(']');
    }
    out.push(']');
    Some(out)
}

fn push_json_text(out: &mut String, text: &str) {
    if text.bytes().all(|b| b >= 0x20 && b != b'"' && b != b'\\') {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&Value::from(text).to_string());
    }
}

/// What has no column of its own, as a JSON object; `None` for the usual page that has nothing more to tell.
fn details_json(facts: &PageFacts, unavailable_after: Option<i64>) -> Option<String> {
    let mut details = Map::new();
    if let Some(moment) = unavailable_after {
        details.insert("unavailable_after".into(), moment.into());
    }
    if facts.copyright_line > 0 {
        details.insert("copyright_line".into(), facts.copyright_line.into());
    }
    let placed = |list: &[Placed]| {
        list.iter()
            .map(|p| json!({"text": &*p.text, "line": p.line, "outside_head": p.outside_head}))
            .collect::<Vec<_>>()
    };
    if facts.titles.len() > 1 || facts.titles.iter().any(|t| t.outside_head) {
        details.insert("titles".into(), placed(&facts.titles).into());
    }
    if facts.descriptions.len() > 1 || facts.descriptions.iter().any(|d| d.outside_head) {
        details.insert("descriptions".into(), placed(&facts.descriptions).into());
    }
    if facts.canonicals.len() > 1
        || facts
            .canonicals
            .iter()
            .any(|c| c.outside_head || c.url.is_none() || c.from_header || c.odd_attributes)
    {
        let list: Vec<_> = facts
            .canonicals
            .iter()
            .map(|c| json!({"raw": without_userinfo(&c.raw, "…@"), "url": c.url.as_deref().map(|url| without_userinfo(url, "…@")), "line": c.line, "outside_head": c.outside_head, "header": c.from_header}))
            .collect();
        details.insert("canonicals".into(), list.into());
    }
    if facts.robots.len() > 1 || facts.robots.iter().any(|r| r.outside_head || r.from_header) {
        let list: Vec<_> = facts
            .robots
            .iter()
            .map(|r| json!({"bot": &*r.bot, "content": &*r.content, "line": r.line, "outside_head": r.outside_head, "header": r.from_header}))
            .collect();
        details.insert("robots".into(), list.into());
    }
    if !facts.social.is_empty() {
        let list: Vec<_> = facts.social.iter().map(|(name, content)| json!([&**name, &**content])).collect();
        details.insert("social".into(), list.into());
    }
    (!details.is_empty()).then(|| Value::Object(details).to_string())
}
