//! What a finding of each audit points at, for showing it in the source of a page.

use crate::audit::{Audit, Rule};
use model::PageFacts;
use model::facts::{Canonical, Heading, Placed, RobotsMeta};

/// What a finding is about.
#[derive(Debug, Clone, Copy)]
pub enum Subject {
    /// The link or the flaw of the markup that the finding's place names, and so an element.
    Occurrence,
    /// An element of the page. Gives its place among the facts of the page; 0 where it stands in a header instead.
    Element(fn(&PageFacts) -> u32),
    /// The html element.
    Root,
    /// The lines of a header of this name.
    Header(&'static str),
    /// A line of robots.txt, an entry or a line of a sitemap.
    Line,
    /// The URL, the page or the host as such: the values of the evidence tell what is wrong.
    Values,
}

/// What the findings of an audit point at.
pub fn subject(audit: &Audit) -> Subject {
    let reads = |column: &str| audit.evidence.iter().any(|(_, sql)| *sql == column);
    match audit.rule {
        Rule::Link(_) | Rule::AnyLink(_) | Rule::Flaw(_) | Rule::Circle => return Subject::Occurrence,
        Rule::Robots(_) if !reads("robots_line") => return Subject::Values,
        Rule::RobotsAt(_) | Rule::Entry(_) => return Subject::Line,
        _ => {}
    }
    if reads("link_line") || reads("flaw_line") {
        return Subject::Occurrence;
    }
    if reads("robots_line") || reads("sitemap_line") || reads("sitemap_entry_number") {
        return Subject::Line;
    }
    of_page(audit.id)
}

/// Audits whose findings are about a page as a whole, by what of it is wrong.
fn of_page(id: &str) -> Subject {
    use Subject::{Element, Header, Root, Values};
    match id {
        "title-multiple" => Element(|facts| placed(&facts.titles, 1)),
        "title-outside-head" => Element(|facts| outside(&facts.titles)),
        "title-duplicate"
        | "title-too-long"
        | "title-too-short"
        | "title-too-wide"
        | "title-too-narrow"
        | "title-same-as-h1"
        | "title-same-as-description" => Element(|facts| placed(&facts.titles, 0)),
        "description-multiple" => Element(|facts| placed(&facts.descriptions, 1)),
        "description-outside-head" => Element(|facts| outside(&facts.descriptions)),
        "description-duplicate"
        | "description-too-long"
        | "description-too-short"
        | "description-too-wide"
        | "description-too-narrow" => Element(|facts| placed(&facts.descriptions, 0)),
        "h1-multiple" => Element(|facts| heading(facts, 1, |_| true, 1)),
        "h1-image-only" => Element(|facts| heading(facts, 1, |heading| heading.image_only, 0)),
        "h1-not-first" | "h1-duplicate" | "h1-too-long" => Element(|facts| heading(facts, 1, |_| true, 0)),
        "h2-duplicate" | "h2-too-long" => Element(|facts| heading(facts, 2, |_| true, 0)),
        "heading-level-skipped" => Element(skipping),
        "heading-empty" => Element(|facts| {
            let empty = facts.headings.iter().find(|heading| heading.text.is_empty() && !heading.image_only);
            empty.map_or(0, |heading| heading.line)
        }),
        "canonical-multiple" | "canonical-conflicting" => {
            Element(|facts| facts.canonicals.get(1).map_or(0, |canonical| canonical.line))
        }
        "canonical-relative" => Element(|facts| canonical(facts, |canonical| !canonical.raw.contains("://"))),
        "canonical-outside-head" => Element(|facts| canonical(facts, |canonical| canonical.outside_head)),
        "canonical-malformed" => {
            Element(|facts| canonical(facts, |canonical| !is_web(canonical.url.as_deref())))
        }
        "canonical-fragment" => Element(|facts| {
            canonical(facts, |canonical| canonical.url.as_deref().is_some_and(|url| url.contains('#')))
        }),
        "canonical-invalid-attributes" => {
            Element(|facts| canonical(facts, |canonical| canonical.odd_attributes))
        }
        "canonicalised"
        | "canonical-to-error"
        | "canonical-to-redirect"
        | "canonical-to-noindex"
        | "canonical-to-blocked"
        | "canonical-chain"
        | "canonical-loop"
        | "canonical-downgrades"
        | "canonical-to-home"
        | "canonical-unlinked"
        | "canonical-with-noindex"
        | "canonical-cross-site"
        | "canonical-form-drift"
        | "canonical-page-two-to-one"
        | "hreflang-not-canonical" => Element(|facts| {
            canonical(facts, |canonical| {
                (!canonical.outside_head || canonical.from_header) && is_web(canonical.url.as_deref())
            })
        }),
        "noindex" | "noindex-and-disallowed" => Element(|facts| robots(facts, &["noindex", "none"])),
        "nofollow" => Element(|facts| robots(facts, &["nofollow", "none"])),
        "robots-none" => Element(|facts| robots(facts, &["none"])),
        "nosnippet" => Element(|facts| robots(facts, &["nosnippet", "max-snippet:0", "max-snippet: 0"])),
        "noimageindex" => Element(|facts| robots(facts, &["noimageindex"])),
        "notranslate" => Element(|facts| robots(facts, &["notranslate"])),
        "noarchive" => Element(|facts| robots(facts, &["noarchive", "nocache"])),
        "unavailable-after" => Element(|facts| {
            let found = facts.robots.iter().find(|meta| meta.content.contains("unavailable_after"));
            found.map_or(0, |meta| meta.line)
        }),
        "directives-conflict" => Element(|facts| robots(facts, &["noindex", "nofollow", "none"])),
        "directives-outside-head" => Element(|facts| {
            let found = facts.robots.iter().find(|meta| meta.outside_head && !meta.from_header);
            found.map_or(0, |meta| meta.line)
        }),
        "meta-refresh" => Element(|facts| facts.refresh.as_ref().map_or(0, |refresh| refresh.line)),
        "copyright-year-stale" => Element(|facts| facts.copyright_line),
        "lang-missing" => Root,
        "refresh-header" => Header("refresh"),
        "redirect-bad-location" => Header("location"),
        "noindex-on-resource" => Header("x-robots-tag"),
        "cookie-flags-missing" => Header("set-cookie"),
        "hsts-weak" => Header("strict-transport-security"),
        _ => Values,
    }
}

fn placed(list: &[Placed], n: usize) -> u32 {
    list.get(n).map_or(0, |text| text.line)
}

fn outside(list: &[Placed]) -> u32 {
    list.iter().find(|text| text.outside_head).map_or(0, |text| text.line)
}

fn heading(facts: &PageFacts, level: u8, holds: impl Fn(&Heading) -> bool, n: usize) -> u32 {
    let mut found = facts.headings.iter().filter(|heading| heading.level == level && holds(heading));
    found.nth(n).map_or(0, |heading| heading.line)
}

fn skipping(facts: &PageFacts) -> u32 {
    let pair = facts.headings.windows(2).find(|pair| pair[1].level > pair[0].level + 1);
    pair.map_or(0, |pair| pair[1].line)
}

fn canonical(facts: &PageFacts, holds: impl Fn(&Canonical) -> bool) -> u32 {
    facts.canonicals.iter().find(|canonical| holds(canonical)).map_or(0, |canonical| canonical.line)
}

fn is_web(url: Option<&str>) -> bool {
    url.is_some_and(|url| url.starts_with("http:") || url.starts_with("https:"))
}

/// The element that says one of these words: one for all search engines before one for a certain one.
fn robots(facts: &PageFacts, words: &[&str]) -> u32 {
    let says = |meta: &&RobotsMeta| meta.content.split(',').any(|word| words.contains(&word.trim()));
    let general = facts.robots.iter().filter(says).find(|meta| matches!(&*meta.bot, "robots" | "google"));
    general.or_else(|| facts.robots.iter().find(says)).map_or(0, |meta| meta.line)
}
