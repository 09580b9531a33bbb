//! What the walk must know of an element by its name alone.

use html5ever::{LocalName, local_name};
use model::Position;

/// Starts and ends a word of the visible text.
pub(crate) const BLOCK: u16 = 1;
/// Its text is nobody's.
pub(crate) const NO_TEXT: u16 = 1 << 1;
/// Its text is shown by few browsers or none: it names links, but is no visible text.
pub(crate) const FALLBACK: u16 = 1 << 2;
/// It may carry a link or a fact.
pub(crate) const READ: u16 = 1 << 3;
pub(crate) const HEADING: u16 = 1 << 4;
/// Something is to be looked for at it, whatever its attributes.
pub(crate) const CHECKED: u16 = 1 << 5;
/// It is a list, or has its place in one.
pub(crate) const LISTED: u16 = 1 << 6;
/// A custom element, or a slot of one: nobody knows what it shows.
pub(crate) const CUSTOM: u16 = 1 << 7;
/// Its text is read as something else than prose: items, cells, headings, programs, controls.
pub(crate) const NOT_PROSE: u16 = 1 << 8;

/// Flags of an HTML element.
pub(crate) fn flags(name: &LocalName) -> u16 {
    match *name {
        local_name!("a") => READ | CHECKED,
        local_name!("span")
        | local_name!("b")
        | local_name!("i")
        | local_name!("em")
        | local_name!("strong") => 0,
        local_name!("code")
        | local_name!("kbd")
        | local_name!("samp")
        | local_name!("var")
        | local_name!("tt") => NOT_PROSE,
        local_name!("area")
        | local_name!("audio")
        | local_name!("embed")
        | local_name!("frame")
        | local_name!("input")
        | local_name!("source")
        | local_name!("track") => READ | BLOCK | CHECKED,
        local_name!("img") => READ | BLOCK,
        local_name!("button") | local_name!("table") => READ | BLOCK | CHECKED | NOT_PROSE,
        local_name!("td") | local_name!("body") | local_name!("th") | local_name!("tr") => {
            READ | BLOCK | CHECKED
        }
        local_name!("form") | local_name!("html") => READ | BLOCK,
        local_name!("video") | local_name!("object") => READ | BLOCK | FALLBACK | CHECKED,
        local_name!("canvas") | local_name!("noscript") | local_name!("datalist") => BLOCK | FALLBACK,
        local_name!("link") | local_name!("meta") => READ,
        local_name!("script") | local_name!("style") | local_name!("title") => READ | NO_TEXT,
        local_name!("iframe") => READ | NO_TEXT | BLOCK | CHECKED,
        local_name!("template") | local_name!("noembed") | local_name!("noframes") => NO_TEXT,
        local_name!("h1")
        | local_name!("h2")
        | local_name!("h3")
        | local_name!("h4")
        | local_name!("h5")
        | local_name!("h6") => HEADING | BLOCK | NOT_PROSE,
        local_name!("dd")
        | local_name!("dl")
        | local_name!("dt")
        | local_name!("li")
        | local_name!("menu")
        | local_name!("ol")
        | local_name!("ul") => BLOCK | LISTED | NOT_PROSE,
        local_name!("caption")
        | local_name!("select")
        | local_name!("textarea")
        | local_name!("tfoot")
        | local_name!("thead") => BLOCK | CHECKED | NOT_PROSE,
        local_name!("label") => CHECKED | NOT_PROSE,
        local_name!("applet") | local_name!("picture") => CHECKED,
        local_name!("pre")
        | local_name!("figcaption")
        | local_name!("legend")
        | local_name!("option")
        | local_name!("summary") => BLOCK | NOT_PROSE,
        local_name!("slot") => CUSTOM,
        local_name!("address")
        | local_name!("article")
        | local_name!("aside")
        | local_name!("blockquote")
        | local_name!("br")
        | local_name!("center")
        | local_name!("details")
        | local_name!("dialog")
        | local_name!("dir")
        | local_name!("div")
        | local_name!("fieldset")
        | local_name!("figure")
        | local_name!("footer")
        | local_name!("frameset")
        | local_name!("head")
        | local_name!("header")
        | local_name!("hgroup")
        | local_name!("hr")
        | local_name!("main")
        | local_name!("nav")
        | local_name!("optgroup")
        | local_name!("p")
        | local_name!("section")
        | local_name!("tbody") => BLOCK,
        _ if name.contains('-') => CUSTOM,
        _ => 0,
    }
}

/// The landmark that an element is by its name.
pub(crate) fn landmark(name: &LocalName) -> Option<Position> {
    match *name {
        local_name!("nav") => Some(Position::Nav),
        local_name!("header") => Some(Position::Header),
        local_name!("main") => Some(Position::Main),
        local_name!("aside") => Some(Position::Aside),
        local_name!("footer") => Some(Position::Footer),
        local_name!("head") => Some(Position::Head),
        _ => None,
    }
}

/// The landmark that an ARIA role makes of any element.
pub(crate) fn landmark_role(role: &str) -> Option<Position> {
    let first = role.split_ascii_whitespace().next()?;
    let roles = [
        ("navigation", Position::Nav),
        ("banner", Position::Header),
        ("main", Position::Main),
        ("complementary", Position::Aside),
        ("contentinfo", Position::Footer),
    ];
    roles.into_iter().find(|(name, _)| first.eq_ignore_ascii_case(name)).map(|(_, position)| position)
}
