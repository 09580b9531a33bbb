//! From an outcome to a record: everything about one URL that can be worked out away from the writer.
//! Runs on the parse threads.

use crate::document::{self, Context};
use crate::earlier::kept_validators;
use crate::fields::Fields;
use crate::lanes::Job;
use crate::large_pages::{LargePages, Turn};
use crate::rewriting::Rewriting;
use crate::traps::{Alike, alike, grows, likeness};
use fetch::Echoes;
use model::address::without_userinfo;
use model::hash::HashSeed;
use model::outcome::Method;
use model::state::Indexability;
use model::{Answer, FailureKind, Link, LinkKind, LinkTarget, Outcome, Position, Purpose, UrlState};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::schema::answer_flags as flag;
use store::{AnswerRow, AttemptPurpose, AttemptRow, Document, Href, HtmlCodec, Shape};

/// What the parse threads share.
pub(crate) struct Preparer {
    pub seed: HashSeed,
    pub codec: Arc<HtmlCodec>,
    pub store_html: bool,
    /// Lower case.
    pub bot: String,
    /// What discovered URLs are taken for.
    pub rewriting: Rewriting,
    /// Link kinds that are not kept at all.
    pub off: Vec<LinkKind>,
    pub large_pages: Arc<LargePages>,
    /// Whether the signs of traps are looked for.
    pub traps: bool,
    /// What an answer must not be stored with.
    pub echoes: Echoes,
    /// What a person looks for in pages.
    pub fields: Fields,
}

/// One finished URL, ready to be stored.
pub(crate) struct Record {
    pub url: u32,
    /// The URL as requested.
    pub text: String,
    pub host: u32,
    pub failure: Option<FailureKind>,
    pub certificate_fault: Option<FailureKind>,
    pub answer: AnswerRow,
    pub attempts: Vec<AttemptRow>,
    pub page: Option<(Document, Indexability)>,
    pub links: LinkList,
    /// Index of the link that is the redirect, where the answer is one.
    pub redirect: bool,
    pub page_nofollow: bool,
    /// The answer is HTML whose body was not asked for.
    pub html_unread: bool,
    pub problems: Vec<model::facts::Problem>,
    /// What was found for the fields of a person, by their numbers.
    pub custom: Vec<(i64, Vec<store::Value>)>,
    /// What makes the page the same as another to a visitor, and the links that make its address longer, by number.
    pub likeness: u64,
    pub growing: Vec<u32>,
    /// What the page has in common with others of its pattern.
    pub alike: Option<Alike>,
    /// Held by a large page until the record is stored.
    pub turn: Option<Turn>,
}

impl Record {
    /// Of a URL of which nothing is known yet. `text` as requested.
    pub(crate) fn new(url: u32, host: u32, text: &str) -> Self {
        Self {
            url,
            text: text.to_owned(),
            host,
            failure: None,
            certificate_fault: None,
            answer: AnswerRow::default(),
            attempts: Vec::new(),
            page: None,
            links: LinkList::default(),
            redirect: false,
            page_nofollow: false,
            html_unread: false,
            problems: Vec::new(),
            custom: Vec::new(),
            likeness: 0,
            growing: Vec::new(),
            alike: None,
            turn: None,
        }
    }

    /// The state that the outcome leaves its URL in, and why: of a failure its kind.
    pub(crate) fn standing(&self) -> (UrlState, Option<&'static str>) {
        match (self.failure, self.certificate_fault) {
            (Some(kind), _) => (UrlState::Failed, Some(kind.word())),
            (None, _) if self.answer.flags & flag::SYNTHETIC != 0 => (UrlState::Fetched, Some("hsts")),
            // The person said to go on despite a certificate's fault, which is reported all the same.
            (None, Some(fault)) => (UrlState::Fetched, Some(fault.word())),
            (None, None) => (UrlState::Fetched, None),
        }
    }
}

/// The links of an answer with what the writer needs of each.
#[derive(Default)]
pub(crate) struct LinkList {
    pub hash: u64,
    pub links: Vec<Link>,
    /// Per link: hash of the target's identity; 0 for an invalid target.
    pub keys: Vec<u64>,
    pub shapes: Vec<Shape>,
    /// Per link: index into `shapes`.
    pub shape_of: Vec<u32>,
}

/// Bytes above which only one page is in hand at a time.
pub(crate) const LARGE_PAGE: usize = 2 << 20;

/// URLs longer than this are kept up to here and not requested.
pub(crate) const MAX_URL: usize = 10_000;

impl Preparer {
    /// Works out the record of a job: nothing is read of another site.
    pub(crate) fn finish(&self, job: &Job, bot_allowed: bool, outcome: Outcome) -> Record {
        let read = if job.internal { job.purpose } else { Purpose::Check };
        self.prepare(job.url, job.host, &job.text, read, bot_allowed, outcome)
    }

    /// Works out the record of one outcome. `text` is the URL as requested.
    pub(crate) fn prepare(
        &self,
        url: u32,
        host: u32,
        text: &str,
        read: Purpose,
        bot_allowed: bool,
        outcome: Outcome,
    ) -> Record {
        let mut record = Record::new(url, host, text);
        record.attempts = attempts(&outcome);
        match outcome.result {
            Err(failure) => {
                let last = outcome.attempts.last();
                record.failure = Some(failure.kind);
                record.answer = AnswerRow {
                    method: last.map_or(1, |a| method_code(a.method)),
                    started: last.map_or(0, |a| model::clock::unix_millis(a.started)),
                    total_ms: last.map(|a| millis(a.total)),
                    error: Some(failure.detail),
                    ..AnswerRow::default()
                };
            }
            Ok(answer) => self.prepare_answer(&mut record, text, read, bot_allowed, answer),
        }
        record
    }

    fn prepare_answer(
        &self,
        record: &mut Record,
        text: &str,
        read: Purpose,
        bot_allowed: bool,
        mut answer: Answer,
    ) {
        record.answer = answer_row(&answer, &self.echoes);
        record.certificate_fault = answer.certificate_fault;
        let body = std::mem::take(&mut answer.body);
        let html_type = answer.is_html()
            || (answer.media_type().is_none() && answer.body_read && model::sniff::looks_like_html(&body));
        let success = (200..300).contains(&answer.status);
        // HTML that came with a resource is not taken for a page; where a link wants the page, it is asked again.
        // What was asked as a page and came without a body (204, 205) has none.
        record.html_unread =
            success && html_type && !(answer.method == Method::Get && read == Purpose::Crawl);
        if answer.body_read
            && let Some(shown) = answer.media_type().and_then(|kind| model::sniff::contradicts(&kind, &body))
            && let Some(number) = flag::SNIFFED_TYPES.iter().position(|known| *known == shown)
        {
            record.answer.flags |= (number as i64 + 1) << flag::SNIFFED.0;
        }
        if answer.body_read && !html_type {
            record.answer.content_hash = Some(model::hash::fingerprint(&body));
        }
        let mut links = Vec::new();
        let mut paths: Vec<Box<str>> = Vec::new();
        if answer.is_redirect() {
            let location = answer.header("location");
            match redirect_link(text, location) {
                Some(link) => {
                    if matches!(link.target, LinkTarget::Http(ref target) if self.seed.url(target) == self.seed.url(text))
                        && (answer.cookie_loop || answer.header("set-cookie").is_none())
                    {
                        record.answer.flags |= flag::REDIRECT_TO_SELF;
                    }
                    if matches!(link.target, LinkTarget::Http(_)) {
                        record.redirect = !answer.synthetic;
                    } else {
                        record.answer.flags |= flag::BAD_LOCATION;
                    }
                    record.answer.flags |= flag::HAS_LOCATION;
                    links.push(link);
                    paths.push("Location".into());
                }
                None => record.answer.flags |= flag::BAD_LOCATION,
            }
        } else if success && html_type && answer.body_read && read == Purpose::Crawl {
            // A tree takes many times the room of its text, and so may the links of a page: large ones are read one after
            // the other, the next one when the last is stored.
            record.turn = (body.len() > LARGE_PAGE).then(|| self.large_pages.turn());
            let page_document = parse::Document {
                body: &body,
                url: text,
                headers: &answer.headers,
                content_type: answer.header("content-type"),
            };
            let facts = parse::html(&page_document);
            if facts.links_dropped > 0 {
                record.answer.flags |= flag::LINKS_DROPPED;
            }
            let html_key = self.seed.content(&body) as u64;
            let context = Context { url: text, seed: self.seed, bot: &self.bot, bot_allowed };
            let (mut page, indexability) = document::lay_out(&facts, &context);
            page.content_hash = model::hash::fingerprint(&body);
            page.html_key = html_key;
            page.hash = document::document_hash(self.seed, html_key, text, &answer.headers, &self.bot);
            if self.store_html {
                page.html = Some(self.codec.pack(&body));
            }
            if self.traps {
                if facts.text_hash != 0 {
                    record.likeness =
                        likeness(self.seed, facts.text_hash, page.title.as_deref().unwrap_or_default());
                }
                record.alike = alike(text, &body, &facts.links);
            }
            record.page_nofollow = page.nofollow;
            record.page = Some((page, indexability));
            record.problems = facts.problems;
            record.custom = self.fields.found(&page_document, &mut record.problems);
            links = facts.links;
            paths = facts.element_paths;
        }
        // The bytes are no longer needed: give their room in the budget back before the record waits for the writer.
        drop(body);
        drop(answer.budget.take());
        record.links = self.link_list(text, links, &paths);
        if record.likeness != 0 {
            record.growing = growing(text, &record.links.links);
        }
    }

    fn link_list(&self, page: &str, mut links: Vec<Link>, paths: &[Box<str>]) -> LinkList {
        if !self.off.is_empty() {
            links.retain(|link| !self.off.contains(&link.kind));
        }
        let mut list = LinkList {
            keys: Vec::with_capacity(links.len()),
            shape_of: Vec::with_capacity(links.len()),
            ..LinkList::default()
        };
        let mut known: HashMap<(LinkKind, Position, u32, bool, &str, &str), u32> = HashMap::new();
        let mut content: Vec<u8> = Vec::with_capacity(links.len() * 96);
        for link in &mut links {
            hide_credentials(link);
            shorten(&mut link.target);
            self.rewrite(link, page);
            let key = match &link.target {
                LinkTarget::Http(target) | LinkTarget::OtherScheme(target) => self.seed.url(target),
                LinkTarget::Invalid => 0,
            };
            list.keys.push(key);
            content.extend_from_slice(&key.to_le_bytes());
            content.extend_from_slice(&link.line.to_le_bytes());
            content.push(link.kind.code());
            content.push(link.position.code());
            content.push(u8::from(link.in_noscript));
            content.push(href_of(link, page).code());
            for part in [
                &*link.raw_href,
                link.text.as_deref().unwrap_or("\u{1}"),
                &link.rel,
                &link.window,
                paths.get(link.path as usize).map_or("", |p| p),
            ] {
                content.extend_from_slice(part.as_bytes());
                content.push(0);
            }
            if let Some((width, height)) = link.size {
                content.extend_from_slice(&width.to_le_bytes());
                content.extend_from_slice(&height.to_le_bytes());
            }
        }
        for link in &links {
            let element = paths.get(link.path as usize).map_or("", |p| p);
            let shape = *known
                .entry((link.kind, link.position, link.path, link.in_noscript, &link.rel, &link.window))
                .or_insert_with(|| {
                    list.shapes.push(Shape {
                        kind: link.kind,
                        position: link.position,
                        nofollow: link.is_nofollow(),
                        noscript: link.in_noscript,
                        rel: link.rel.clone(),
                        window: link.window.clone(),
                        element: element.into(),
                    });
                    list.shapes.len() as u32 - 1
                });
            list.shape_of.push(shape);
        }
        list.hash = self.seed.content(&content) as u64;
        drop(known);
        list.links = links;
        list
    }
}

impl Preparer {
    /// Gives a link the target that it is taken to have. A redirect is never taken to lead to its own URL, since a site that
    /// only adds a parameter leads somewhere.
    fn rewrite(&self, link: &mut Link, page: &str) {
        if self.rewriting.is_idle() {
            return;
        }
        let LinkTarget::Http(target) = &link.target else { return };
        // What a resource shows of itself by its fragment is no other resource.
        let raw = (!link.kind.is_resource()).then_some(&*link.raw_href);
        if let Some(taken) = self.rewriting.apply(target, raw)
            && !(link.kind == LinkKind::Redirect && taken == page)
        {
            link.target = LinkTarget::Http(taken.into());
        }
    }
}

/// How a link's raw href is kept.
pub(crate) fn href_of<'a>(link: &'a Link, page: &str) -> Href<'a> {
    match &link.target {
        LinkTarget::Http(target) | LinkTarget::OtherScheme(target) => Href::of(&link.raw_href, target, page),
        LinkTarget::Invalid => Href::Whole(&link.raw_href),
    }
}

/// Takes user names and passwords out of a link: the target is asked without them, and the href shows that there were some.
fn hide_credentials(link: &mut Link) {
    if let LinkTarget::Http(target) = &link.target
        && let Cow::Owned(plain) = without_userinfo(target, "")
    {
        link.target = LinkTarget::Http(plain.into());
        link.raw_href = without_userinfo(&link.raw_href, "…@").into();
    }
}

/// Cuts a target at the longest length that is kept, on a character boundary.
fn shorten(target: &mut LinkTarget) {
    let (LinkTarget::Http(text) | LinkTarget::OtherScheme(text)) = target else { return };
    if text.len() > MAX_URL {
        let mut end = MAX_URL;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        *text = text[..end].into();
    }
}

/// The links that make the address of their page longer, by number.
fn growing(page: &str, links: &[Link]) -> Vec<u32> {
    let path = page.split('?').next().unwrap_or(page);
    let folder = path.rfind('/').map_or(path, |at| &path[..=at]);
    let grows = |link: &Link| match &link.target {
        // The folder is compared first, because nearly every link of nearly every page ends there.
        LinkTarget::Http(target) => {
            target.starts_with(folder) && !link.kind.is_resource() && grows(page, target)
        }
        LinkTarget::OtherScheme(_) | LinkTarget::Invalid => false,
    };
    (0..).zip(links).filter(|(_, link)| grows(link)).map(|(number, _)| number).collect()
}

/// The redirect of an answer as a link; `None` without a Location.
fn redirect_link(from: &str, location: Option<&str>) -> Option<Link> {
    let location = location.filter(|value| !value.trim().is_empty())?;
    let joined = url::Url::parse(from).ok().and_then(|base| model::address::resolve(&base, location).ok());
    let target = match joined {
        Some(mut url) if matches!(url.scheme(), "http" | "https") => {
            url.set_fragment(None);
            LinkTarget::Http(String::from(url).into_boxed_str())
        }
        Some(url) => LinkTarget::OtherScheme(String::from(url).into_boxed_str()),
        None => LinkTarget::Invalid,
    };
    Some(Link {
        kind: LinkKind::Redirect,
        target,
        raw_href: location.into(),
        text: None,
        rel: "".into(),
        window: "".into(),
        position: Position::Http,
        path: 0,
        line: 0,
        size: None,
        in_noscript: false,
    })
}

pub(crate) const fn method_code(method: Method) -> u8 {
    match method {
        Method::Get => 1,
        Method::Head => 2,
    }
}

pub(crate) fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

/// Attempts worth a row each: only where there was more than one, or where the one was answered otherwise than the answer says.
fn attempts(outcome: &Outcome) -> Vec<AttemptRow> {
    let not_modified = outcome.result.as_ref().is_ok_and(|answer| answer.not_modified);
    if outcome.attempts.len() < 2 && !not_modified { Vec::new() } else { every_attempt(outcome) }
}

/// Every request of an outcome.
pub(crate) fn every_attempt(outcome: &Outcome) -> Vec<AttemptRow> {
    outcome
        .attempts
        .iter()
        .map(|a| AttemptRow {
            method: method_code(a.method),
            started: model::clock::unix_millis(a.started),
            total_ms: millis(a.total),
            status: a.status,
            failure: a.failure,
            purpose: AttemptPurpose::Fetch,
        })
        .collect()
}

/// A Set-Cookie field without the cookie's value: who has it may be signed in by it, and project files are given to others.
/// Name and attributes stay: `sess=…; Path=/; HttpOnly`.
fn masked_cookie(field: &str) -> String {
    let (pair, attributes) = field.split_at(field.find(';').unwrap_or(field.len()));
    // Without `=`, browsers take the whole for the value of a cookie without a name.
    let name = pair.find('=').map_or("", |at| &pair[..=at]);
    let value = if pair.len() > name.len() { "…" } else { "" };
    format!("{name}{value}{attributes}")
}

/// A field that holds several addresses, or one among other words, with `…@` for the logins in them.
fn without_logins(field: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut rest = field;
    while let Some(start) = rest.find("//").map(|at| at + 2) {
        let is_end =
            |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '\\' | '<' | '>' | '"' | '\'');
        let end = rest[start..].find(is_end).map_or(rest.len(), |at| start + at);
        kept.push_str(&rest[..start]);
        match rest[start..end].rfind('@') {
            Some(at) => {
                kept.push_str("…@");
                rest = &rest[start + at + 1..];
            }
            None => rest = &rest[start..],
        }
    }
    kept.push_str(rest);
    kept.into()
}

/// The fields of an answer as they are stored, a line each, without what lets somebody in.
fn kept_headers(fields: &[(Box<str>, Box<str>)], echoes: &Echoes) -> String {
    let mut headers = String::with_capacity(256);
    for (name, value) in fields {
        headers.push_str(name);
        headers.push_str(": ");
        let kept = match &**name {
            "set-cookie" => masked_cookie(value).into(),
            "location" | "content-location" => without_userinfo(value, "…@"),
            "link" | "refresh" => without_logins(value),
            _ => Cow::Borrowed(&**value),
        };
        headers.push_str(&echoes.hide(&kept));
        headers.push('\n');
    }
    headers
}

fn answer_row(answer: &Answer, echoes: &Echoes) -> AnswerRow {
    let mut flags = 0;
    for (condition, bit) in [
        (answer.truncated, flag::TRUNCATED),
        (answer.incomplete, flag::INCOMPLETE),
        (answer.decode_error.is_some(), flag::DECODE_ERROR),
        (answer.body_read, flag::BODY_READ),
        (answer.header("retry-after").is_some(), flag::RETRY_AFTER),
        (answer.head_status.is_some(), flag::HEAD_FAILED),
        (answer.synthetic, flag::SYNTHETIC),
        (answer.not_modified, flag::NOT_MODIFIED),
    ] {
        if condition {
            flags |= bit;
        }
    }
    let announced = || answer.header("content-length").and_then(|value| value.trim().parse().ok());
    AnswerRow {
        method: method_code(answer.method),
        status: Some(answer.status),
        version: (!answer.version.is_empty()).then_some(answer.version),
        content_type: answer.header("content-type").map(|kind| echoes.hide(kind).into()),
        bytes: if answer.body_read { Some(answer.body.len() as u64) } else { announced() },
        transferred: answer.body_read.then_some(answer.transferred),
        started: model::clock::unix_millis(answer.started),
        ttfb_ms: Some(millis(answer.timing.first_byte)),
        total_ms: Some(millis(answer.timing.total)),
        dns_ms: answer.timing.dns.map(millis),
        connect_ms: answer.timing.connect.map(millis),
        remote: answer.remote.map(|address| address.to_string()),
        flags,
        head_status: answer.head_status.map(Option::unwrap_or_default),
        headers: Some(kept_headers(&answer.headers, echoes)),
        validators: store::beyond_text(&kept_validators(&answer.validators, echoes)),
        error: answer.decode_error.clone().or_else(|| answer.cut_reason.map(str::to_owned)),
        content_hash: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_cookies_are_not_stored() {
        let check = |field: &str, expect: &str| assert_eq!(masked_cookie(field), expect);
        check("sess=secret; Path=/; HttpOnly", "sess=…; Path=/; HttpOnly");
        check("sess=sec=ret", "sess=…");
        check("sess=; Max-Age=0", "sess=; Max-Age=0");
        check("secret;Secure", "…;Secure");
        check("", "");
        let fields =
            [("set-cookie", "a=secret; Secure"), ("location", "http://u:secret@h/"), ("server", "tea")];
        let kept = kept_headers(&fields.map(|(name, value)| (name.into(), value.into())), &Echoes::default());
        assert_eq!(kept, "set-cookie: a=…; Secure\nlocation: http://…@h/\nserver: tea\n");
    }

    #[test]
    fn logins_in_addresses_among_other_words_are_not_stored() {
        let check = |field: &str, expect: &str| assert_eq!(without_logins(field), expect);
        check(
            "<http://u:p@h.test/a>; rel=canonical, <//v@h/b>",
            "<http://…@h.test/a>; rel=canonical, <//…@h/b>",
        );
        check("0; url=https://u:p,q@h/?to=http://w:x@i", "0; url=https://…@h/?to=http://…@i");
        check("<//h>; title=\"a@b\", </@x//>", "<//h>; title=\"a@b\", </@x//>");
        check("5", "5");
    }

    #[test]
    fn a_location_is_any_reference() {
        let check = |location: Option<&str>, expect: Option<LinkTarget>| {
            let link = redirect_link("http://h.test/d/page?q#f", location);
            assert_eq!(link.map(|link| link.target), expect, "{location:?}");
        };
        let http = |text: &str| Some(LinkTarget::Http(text.into()));
        check(Some("sub/x"), http("http://h.test/d/sub/x"));
        check(Some("?done=1"), http("http://h.test/d/page?done=1"));
        check(Some("///o.test/x#part"), http("http://o.test/x"));
        check(Some("\\\\o.test\\x"), http("http://o.test/x"));
        check(Some(" /a b "), http("http://h.test/a%20b"));
        check(Some("/é"), http("http://h.test/%C3%A9"));
        check(Some("mailto:a@b.c"), Some(LinkTarget::OtherScheme("mailto:a@b.c".into())));
        check(Some("http://"), Some(LinkTarget::Invalid));
        check(Some("  "), None);
        check(None, None);
    }
}
