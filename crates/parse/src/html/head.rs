//! What documents say of themselves: title, meta, link, and the headers that say the same.

use super::arena::{Element, NodeId};
use super::element::{CONTENT, HREF, lower_tokens};
use super::header_links::{HeaderLink, link_header, robots_header};
use super::paths::Paths;
use super::resolve::{MAX_URL, Resolver};
use super::security::is_policy;
use super::text::{MAX_TEXT, collapse, cut};
use super::viewport::viewport;
use super::walk::Walk;
use crate::refresh::meta_refresh;
use crate::structured::{holds_addresses, is_address};
use html5ever::{LocalName, local_name};
use model::facts::{Canonical, Placed, Refresh, RobotsMeta};
use model::link::Link;
use model::{FlawKind, LinkKind, LinkTarget, PageFacts, Position};

/// `og:` and `twitter:` properties kept of one page.
const MAX_SOCIAL: usize = 1_000;

/// Bytes of text that about fill the first screen; what stands behind more is seen later.
const FIRST_SCREEN: usize = 2_000;
/// Sides of icons and counting pixels, in pixels, at most.
const SMALL_IMAGE: i64 = 48;

impl Walk<'_> {
    pub(crate) fn read_title(&mut self, id: NodeId) {
        let context = self.context();
        if self.outer.is_some() || context.in_noscript {
            return;
        }
        let text = collapse(&self.tree.child_text(id));
        let line = self.line(id);
        self.facts.titles.push(Placed {
            text: cut(&text, MAX_TEXT).into(),
            line,
            outside_head: !context.in_head,
        });
    }

    pub(crate) fn read_root(&mut self, element: &Element) {
        if self.outer.is_some() || self.facts.lang.is_some() {
            return;
        }
        let lang = element.attr(&local_name!("lang")).or_else(|| element.attr(&LocalName::from("xml:lang")));
        self.facts.lang = lang.map(|lang| cut(lang.trim(), 100).into());
    }

    pub(crate) fn read_meta(&mut self, id: NodeId, element: &Element) {
        let content = element.attr(&local_name!("content")).map_or("", |content| &**content);
        if let Some(pragma) = element.attr(&local_name!("http-equiv"))
            && pragma.trim().eq_ignore_ascii_case("refresh")
        {
            self.refresh(id, element, content);
        }
        if element.attr(&local_name!("http-equiv")).is_some_and(|pragma| is_policy(pragma)) {
            self.meta_policy(content);
        }
        let property = element.attr(&local_name!("property"));
        if let Some(item) = element.attr(&local_name!("itemprop"))
            && item.split_ascii_whitespace().any(holds_addresses)
            && is_address(content.trim())
        {
            self.link(id, element, CONTENT, LinkKind::Data, content.trim(), None);
        }
        self.check_meta_place(id, element);
        let Some(name) = element.attr(&local_name!("name")).or(property) else { return };
        let context = self.context();
        if self.outer.is_some() || context.in_noscript {
            return;
        }
        for name in [Some(name), property].into_iter().flatten() {
            if self.social(id, element, &name.trim().to_ascii_lowercase(), content) {
                return;
            }
        }
        let Some(name) = element.attr(&local_name!("name")).map(|name| name.trim().to_ascii_lowercase())
        else {
            return;
        };
        let (line, outside_head) = (self.line(id), !context.in_head);
        match name.as_str() {
            "description" => {
                let text = cut(&collapse(content), MAX_TEXT).into();
                self.facts.descriptions.push(Placed { text, line, outside_head });
            }
            "keywords" => {
                self.checks.keywords += 1;
                if self.checks.keywords > 1 {
                    self.flaw(id, FlawKind::KeywordsMultiple, content);
                }
            }
            "viewport" => {
                self.check_viewport(id, content);
                // An empty one sets nothing.
                if !content.trim().is_empty() {
                    self.facts.viewport.get_or_insert_with(|| cut(content.trim(), MAX_TEXT).into());
                }
            }
            "referrer" => self.meta_referrer(content),
            _ if is_bot(&name, content) => {
                let content = cut(&collapse(content).to_ascii_lowercase(), MAX_TEXT).into();
                let bot = cut(&name, 100).into();
                self.facts.robots.push(RobotsMeta { bot, content, line, outside_head, from_header: false });
            }
            _ => {}
        }
    }

    /// HTML: a meta element that says something of the document belongs in head; `itemprop` and RDFa's `property` may stand
    /// anywhere.
    fn check_meta_place(&mut self, id: NodeId, element: &Element) {
        let context = self.context();
        if context.in_head || context.in_noscript || self.outer.is_some() {
            return;
        }
        let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
        let is_at_home = attr(local_name!("itemprop")).is_some() || attr(local_name!("property")).is_some();
        let name = attr(local_name!("name"))
            .or_else(|| attr(local_name!("http-equiv")))
            .or_else(|| attr(local_name!("charset")).map(|_| "charset"));
        if let Some(name) = name.filter(|_| !is_at_home) {
            self.flaw(id, FlawKind::MetaInBody, name);
        }
    }

    fn check_viewport(&mut self, id: NodeId, content: &str) {
        self.checks.viewports += 1;
        if self.checks.viewports > 1 {
            self.flaw(id, FlawKind::ViewportMultiple, content);
        }
        let viewport = viewport(content);
        if viewport.is_fixed {
            self.flaw(id, FlawKind::ViewportFixed, content);
        }
        if viewport.blocks_zoom {
            self.flaw(id, FlawKind::ZoomBlocked, content);
        }
    }

    /// Counts a script in head that is fetched and run before anything else is read (HTML, "prepare the script element").
    pub(crate) fn count_blocking_script(&mut self, element: &Element) {
        let context = self.context();
        let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
        let is_late = [local_name!("async"), local_name!("defer"), local_name!("nomodule")]
            .into_iter()
            .any(|name| attr(name).is_some());
        let has_source = attr(local_name!("src")).is_some_and(|src| !src.trim().is_empty());
        if has_source
            && super::security::is_classic_script(element)
            && !is_late
            && context.in_head
            && !context.in_noscript
            && self.outer.is_none()
        {
            self.facts.render_blocking += 1;
        }
    }

    /// Notes a first picture that waits until the layout is known although it stands at the top (web.dev, "Browser-level image
    /// lazy loading"). What stands behind much text, in a footer or in a menu is not the first picture of the page.
    pub(crate) fn check_first_image(&mut self, id: NodeId, element: &Element) {
        let context = self.context();
        let is_aside = matches!(context.position, Position::Footer | Position::Aside | Position::Nav);
        if self.checks.image_seen || !context.in_body || context.in_noscript || context.hidden || is_aside {
            return;
        }
        let attr = |name: LocalName| element.attr(&name).map_or("", |value| value.trim());
        let is_small =
            |name: LocalName| super::checks::integer(attr(name)).is_some_and(|pixels| pixels <= SMALL_IMAGE);
        let src = attr(local_name!("src"));
        let is_picture = !src.is_empty() || !attr(local_name!("srcset")).is_empty();
        let is_data = src.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        if !is_picture || is_data || is_small(local_name!("width")) || is_small(local_name!("height")) {
            return;
        }
        self.checks.image_seen = true;
        if self.flow.text().len() < FIRST_SCREEN && attr(local_name!("loading")).eq_ignore_ascii_case("lazy")
        {
            self.flaw(id, FlawKind::FirstImageLazy, src);
        }
    }

    fn refresh(&mut self, id: NodeId, element: &Element, content: &str) {
        let Some(refresh) = meta_refresh(content) else { return };
        let in_noscript = self.context().in_noscript;
        if let Some(url) = refresh.url {
            self.link(id, element, CONTENT, LinkKind::MetaRefresh, url, None);
        }
        if self.outer.is_some() {
            return;
        }
        if in_noscript {
            self.facts.refresh_in_noscript = true;
        } else if self.facts.refresh.is_none() {
            let url = refresh.url.and_then(|url| self.resolver.parse(url));
            let url = url.map(|url| cut(url.as_str(), MAX_URL).into());
            let line = self.line(id);
            self.facts.refresh = Some(Refresh { delay: refresh.delay, url, line });
        }
    }

    fn social(&mut self, id: NodeId, element: &Element, name: &str, content: &str) -> bool {
        if !(name.starts_with("og:") || name.starts_with("twitter:")) {
            return false;
        }
        if self.facts.social.len() < MAX_SOCIAL {
            self.facts.social.push((cut(name, 200).into(), cut(&collapse(content), MAX_TEXT).into()));
        }
        if name == "og:url" && self.structured.og_url.is_none() && !content.trim().is_empty() {
            self.structured.og_url = Some((id, cut(content.trim(), MAX_URL).into()));
        }
        if is_social_resource(name) && !content.trim().is_empty() {
            self.link(id, element, CONTENT, LinkKind::Social, content, Some(cut(name, 200).into()));
        }
        true
    }

    pub(crate) fn read_link(&mut self, id: NodeId, element: &Element) {
        let rel = element.attr(&local_name!("rel")).map_or_else(Box::default, |rel| lower_tokens(rel));
        if &*rel == "preload" || rel.contains("preload") {
            self.candidates(id, element, LocalName::from("imagesrcset"), LinkKind::Preload);
        }
        let Some(href) = element.attr(&local_name!("href")) else { return };
        let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
        let (language, media, kind) =
            (attr(local_name!("hreflang")), attr(local_name!("media")), attr(local_name!("type")));
        let context = self.context();
        if context.in_head && !context.in_noscript && is_blocking_sheet(&rel, media, element) {
            self.facts.render_blocking += u32::from(self.outer.is_none());
        }
        let is_data = rel.is_empty()
            && attr(local_name!("itemprop"))
                .is_some_and(|item| item.split_ascii_whitespace().any(holds_addresses));
        for found in link_kinds(&rel, language, media, kind) {
            let found = if is_data { LinkKind::Data } else { found };
            let text = if found == LinkKind::Hreflang {
                language.map(|code| cut(code.trim(), 100).into())
            } else {
                None
            };
            self.link(id, element, HREF, found, href, text);
            if found == LinkKind::Canonical && self.outer.is_none() && !context.in_noscript {
                let odd_attributes =
                    [language, media, kind, attr(local_name!("lang"))].iter().any(Option::is_some);
                let url = canonical_url(self.resolver, href);
                self.facts.canonicals.push(Canonical {
                    raw: cut(href, MAX_URL).into(),
                    url,
                    line: self.line(id),
                    outside_head: !context.in_head,
                    from_header: false,
                    odd_attributes,
                });
            }
        }
    }
}

/// Whether a browser waits for this style sheet before it shows anything: it applies to screens, and at once. Of other media
/// queries nobody knows whom they hold for.
fn is_blocking_sheet(rel: &str, media: Option<&str>, element: &Element) -> bool {
    let has = |wanted: &str| rel.split(' ').any(|token| token == wanted);
    let media = media.unwrap_or_default().trim().to_ascii_lowercase();
    let attr = |name: LocalName| element.attr(&name).map_or("", |value| value.trim());
    let kind = attr(local_name!("type")).split(';').next().unwrap_or_default().trim_end();
    has("stylesheet")
        && !has("alternate")
        && matches!(media.as_str(), "" | "all" | "screen")
        && (kind.is_empty() || kind.eq_ignore_ascii_case("text/css"))
        && !attr(local_name!("href")).is_empty()
        && element.attr(&local_name!("disabled")).is_none()
}

fn canonical_url(resolver: &Resolver, href: &str) -> Option<Box<str>> {
    if href.trim().is_empty() {
        return None;
    }
    resolver.parse(href).map(|url| cut(url.as_str(), MAX_URL).into())
}

/// Names of crawlers that read a meta element of their own. An unknown bot is told by its name.
fn is_bot(name: &str, content: &str) -> bool {
    match name {
        "robots" => true,
        // `google` carries other settings too, which are no directives.
        "google" => content.to_ascii_lowercase().contains("notranslate"),
        _ => {
            name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
                && ["bot", "spider", "crawler", "slurp", "teoma", "yandex", "bingpreview"]
                    .iter()
                    .any(|part| name.contains(part))
        }
    }
}

fn is_social_resource(name: &str) -> bool {
    matches!(
        name,
        "og:image"
            | "og:image:url"
            | "og:image:secure_url"
            | "og:video"
            | "og:video:url"
            | "og:video:secure_url"
            | "og:audio"
            | "og:audio:url"
            | "og:audio:secure_url"
            | "twitter:image"
            | "twitter:image:src"
    )
}

/// What the tokens of a `rel` make of a link. One element may be several links; it is *other* where it is none.
fn link_kinds(
    rel: &str,
    language: Option<&str>,
    media: Option<&str>,
    media_type: Option<&str>,
) -> Vec<LinkKind> {
    let is_given = |value: Option<&str>| value.is_some_and(|value| !value.trim().is_empty());
    let mut kinds = Vec::with_capacity(1);
    let has = |wanted: &str| rel.split(' ').any(|token| token == wanted);
    for token in rel.split(' ') {
        let kind = match token {
            "stylesheet" => LinkKind::Style,
            "canonical" => LinkKind::Canonical,
            "alternate" if has("stylesheet") => continue,
            // The language of a feed is that of its entries; it is no page in another language.
            "alternate" if media_type.is_some_and(is_feed) => LinkKind::Feed,
            "alternate" if media_type.is_some_and(|kind| essence(kind) == "application/json") => continue,
            "alternate" if is_given(language) => LinkKind::Hreflang,
            // A template left the code out. Beside a medium or a type the attribute says nothing, and may as well be empty.
            "alternate" if language.is_some() && !is_given(media) && !is_given(media_type) => {
                LinkKind::Hreflang
            }
            "feed" => LinkKind::Feed,
            "next" => LinkKind::Next,
            "prev" | "previous" => LinkKind::Prev,
            "amphtml" => LinkKind::Amp,
            "icon" | "apple-touch-icon" | "apple-touch-icon-precomposed" | "mask-icon" | "fluid-icon" => {
                LinkKind::Icon
            }
            "manifest" => LinkKind::Manifest,
            "preload" | "modulepreload" => LinkKind::Preload,
            "preconnect" | "dns-prefetch" => LinkKind::Preconnect,
            "image_src" => LinkKind::Social,
            _ => continue,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if kinds.is_empty() {
        kinds.push(LinkKind::Other);
    }
    kinds
}

fn is_feed(media_type: &str) -> bool {
    matches!(
        essence(media_type).as_str(),
        "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" | "application/feed+json"
    )
}

/// Lower case, without parameters.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The headers of the answer that say what elements may say.
pub(crate) struct Headers<'h> {
    pub(crate) facts: &'h mut PageFacts,
    pub(crate) resolver: &'h mut Resolver,
    pub(crate) paths: &'h mut Paths,
}

impl Headers<'_> {
    pub(crate) fn read(mut self, headers: &[(Box<str>, Box<str>)]) {
        for (name, value) in headers {
            match &**name {
                "link" => link_header(value).into_iter().for_each(|link| self.link(link)),
                "x-robots-tag" => {
                    for (bot, content) in robots_header(value) {
                        self.facts.robots.push(RobotsMeta {
                            bot: cut(&bot, 100).into(),
                            content: cut(&content, MAX_TEXT).into(),
                            line: 0,
                            outside_head: false,
                            from_header: true,
                        });
                    }
                }
                _ => {}
            }
        }
    }

    fn link(&mut self, link: HeaderLink) {
        if link
            .anchor
            .as_deref()
            .is_some_and(|anchor| self.resolver.target(anchor) != self.resolver.target(""))
        {
            return;
        }
        let (language, media) = (link.hreflang.as_deref(), link.media.as_deref());
        for kind in link_kinds(&link.rel, language, media, link.kind.as_deref()) {
            let target = match kind {
                LinkKind::Canonical if link.href.trim().is_empty() => LinkTarget::Invalid,
                _ => self.resolver.target(&link.href),
            };
            let language = link.hreflang.as_deref().filter(|_| kind == LinkKind::Hreflang);
            self.facts.links.push(Link {
                kind,
                target,
                raw_href: cut(&link.href, MAX_URL).into(),
                text: language.map(|code| cut(code.trim(), 100).into()),
                rel: lower_tokens(&link.rel),
                window: Box::default(),
                position: Position::Http,
                path: self.paths.fixed("http>link"),
                line: 0,
                size: None,
                in_noscript: false,
            });
            if kind == LinkKind::Canonical {
                self.facts.canonicals.push(Canonical {
                    raw: cut(&link.href, MAX_URL).into(),
                    url: canonical_url(self.resolver, &link.href),
                    line: 0,
                    outside_head: false,
                    from_header: true,
                    odd_attributes: link.hreflang.is_some() || link.media.is_some() || link.kind.is_some(),
                });
            }
        }
    }
}
