//! What is looked for at elements while the tree is walked: names for those who do not see the page, keys, frames, and what
//! only the end of the document can tell.
//!
//! An element costs a pass over its attributes and a look at what its name says. Whether something has a name is a comparison
//! of two counts: everything that names what it stands in counts up once, so an element that leaves the count as it was has
//! no name. Accessible Name and Description Computation 1.2, in its static form: what a script or a style sheet adds is not
//! seen, so custom elements, which are made by scripts, count as names.

use super::arena::{Element, NodeId};
use super::aria;
use super::structure::{Media, Table};
use super::tags::{CHECKED, CUSTOM};
use super::walk::{Context, Walk};
use crate::fragment_hash;
use hashbrown::HashSet;
use html5ever::{Attribute, LocalName, local_name, ns};
use model::FlawKind;

/// Things that wait for the end of the document; of a page that has more the rest is not judged.
const MAX_PENDING: usize = 5_000;
/// Access keys and labels that are told apart.
const MAX_KEYS: usize = 10_000;

/// What the attributes of an element tell at one glance.
pub(crate) mod trait_of {
    pub(crate) const ID: u16 = 1;
    pub(crate) const STYLE: u16 = 1 << 1;
    pub(crate) const ROLE: u16 = 1 << 2;
    /// Not there for assistive technologies, with all that is inside.
    pub(crate) const HIDDEN: u16 = 1 << 3;
    /// It carries a name of its own.
    pub(crate) const NAMED: u16 = 1 << 4;
    pub(crate) const LABELLED_BY: u16 = 1 << 5;
    pub(crate) const ARIA: u16 = 1 << 6;
    pub(crate) const TABINDEX: u16 = 1 << 7;
    pub(crate) const ACCESSKEY: u16 = 1 << 8;
    pub(crate) const LANG: u16 = 1 << 9;
    /// An item of Microdata.
    pub(crate) const ITEM: u16 = 1 << 10;
    /// Something of RDFa that the other attributes hang on.
    pub(crate) const RDFA: u16 = 1 << 11;
    pub(crate) const STRUCTURED: u16 = ITEM | RDFA;
    /// Any of these is to be looked at.
    pub(crate) const CHECKED: u16 = ROLE | ARIA | TABINDEX | ACCESSKEY | LANG;
}

/// The traits of an element.
pub(crate) fn traits(element: &Element) -> u16 {
    let named = if element.is_named { trait_of::NAMED } else { 0 };
    element.attrs.iter().fold(named, |traits, attr| traits | trait_of_attribute(attr))
}

/// Whether an element of these flags and traits by itself names what it stands in.
pub(crate) fn names_its_place(flags: u16, traits: u16) -> bool {
    // What an element that is itself to be named refers to is only known at the end.
    traits & trait_of::NAMED != 0
        || flags & CUSTOM != 0
        || (traits & trait_of::LABELLED_BY != 0 && flags & CHECKED == 0 && traits & trait_of::ROLE == 0)
}

fn trait_of_attribute(attr: &Attribute) -> u16 {
    if attr.name.ns != ns!() {
        return 0;
    }
    let value = &*attr.value;
    match attr.name.local {
        local_name!("href") | local_name!("src") | local_name!("rel") | local_name!("type") => 0,
        local_name!("id") => trait_of::ID,
        local_name!("style") if hides(value) => trait_of::STYLE | trait_of::HIDDEN,
        local_name!("style") => trait_of::STYLE,
        local_name!("role") => trait_of::ROLE,
        local_name!("hidden") | local_name!("inert") => trait_of::HIDDEN,
        local_name!("aria-label") if is_blank(value) => trait_of::ARIA,
        local_name!("aria-label") => trait_of::NAMED | trait_of::ARIA,
        local_name!("aria-hidden") if value.trim().eq_ignore_ascii_case("true") => {
            trait_of::HIDDEN | trait_of::ARIA
        }
        local_name!("aria-labelledby") => trait_of::LABELLED_BY | trait_of::ARIA,
        local_name!("tabindex") => trait_of::TABINDEX,
        local_name!("accesskey") => trait_of::ACCESSKEY,
        local_name!("lang") => trait_of::LANG,
        local_name!("itemscope") => trait_of::ITEM,
        ref name if name.starts_with("aria-") => trait_of::ARIA,
        ref name if matches!(&**name, "typeof" | "vocab") => trait_of::RDFA,
        _ => 0,
    }
}

/// Whether a style attribute takes the element away.
fn hides(style: &str) -> bool {
    style.split(';').any(|declaration| {
        declaration.split_once(':').is_some_and(|(name, value)| {
            let value = value.split('!').next().unwrap_or_default().trim();
            let name = name.trim();
            (name.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
                || (name.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
        })
    })
}

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    match text.bytes().find(|byte| *byte > b' ') {
        None => true,
        Some(first) => first >= 0x80 && text.trim().is_empty(),
    }
}

/// What the end of an element is to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// Whether it has a name: the names, and the images with an empty text, that were counted before it.
    Link(u32, u32),
    Button(u32),
    /// The label's number, that of the label around it, and the names before it.
    Label(u32, u32, u32),
    /// The images before it.
    Picture(u32),
    /// The number of the table around it.
    Table(u32),
    /// The number of the film around it.
    Media(u32),
}

/// What is kept of the elements met so far.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    /// Texts and attributes that name what they stand in.
    pub(crate) names: u32,
    /// Images with an empty alternative text.
    pub(crate) empty_alts: u32,
    /// What the ends of the elements that are open are asked; those whose frame says so.
    pub(crate) open: Vec<Check>,
    /// The label, table and film around, numbered from 1; 0 for none.
    pub(crate) label: u32,
    pub(crate) table: u32,
    pub(crate) film: u32,
    /// Whether each label has a name.
    labels: Vec<bool>,
    /// Ids for which a label with a name was met.
    labelled: HashSet<u64>,
    keys: HashSet<u64>,
    pending: Vec<Pending>,
    pub(crate) tables: Vec<Table>,
    pub(crate) media: Vec<Media>,
    pub(crate) viewports: u32,
    pub(crate) keywords: u32,
    pub(crate) image_seen: bool,
    pub(crate) has_main: bool,
    /// Hashes of the hrefs of areas that have a name.
    areas: HashSet<u64>,
}

/// A flaw unless the rest of the document says otherwise.
#[derive(Debug)]
struct Pending {
    kind: FlawKind,
    node: NodeId,
    detail: Box<str>,
    unless: Unless,
}

#[derive(Debug)]
enum Unless {
    /// All of these ids exist.
    All(Box<[u64]>),
    /// One of these ids exists.
    Any(Box<[u64]>),
    /// One of the ids exists, a label names the field's own id, or the label around it (from 1; 0 for none) has a name.
    Labelled { ids: Box<[u64]>, own: Option<u64>, around: u32 },
    /// Another area of this href has a name.
    Area(u64),
}

impl Walk<'_> {
    /// Looks at an element that was entered. `before` is what the names were counted before it.
    pub(crate) fn check(&mut self, id: NodeId, element: &Element, flags: u16, traits: u16, before: u32) {
        if self.outer.is_some() {
            return;
        }
        let context = self.context();
        if traits & trait_of::CHECKED != 0 {
            self.check_attributes(id, element, traits, &context);
        }
        if element.is_html() && (flags & CHECKED != 0 || traits & trait_of::ROLE != 0) {
            self.check_named(id, element, flags, traits, before, &context);
        }
    }

    fn check_attributes(&mut self, id: NodeId, element: &Element, traits: u16, context: &Context) {
        let attr = |name: LocalName| element.attr(&name).map_or("", |value| &**value);
        if traits & trait_of::LANG != 0 && element.is_html() {
            let lang = attr(local_name!("lang"));
            if !is_blank(lang) && !super::lang::is_language(lang.trim()) {
                self.flaw(id, FlawKind::LangInvalid, lang);
            }
        }
        if context.hidden && *element.name() != local_name!("body") {
            return;
        }
        if traits & trait_of::TABINDEX != 0 {
            let tabindex = attr(local_name!("tabindex"));
            if integer(tabindex).is_some_and(|number| number > 0) {
                self.flaw(id, FlawKind::TabindexPositive, tabindex);
            }
        }
        if traits & trait_of::ACCESSKEY != 0 {
            let key = attr(local_name!("accesskey")).trim().to_lowercase();
            if !key.is_empty()
                && self.checks.keys.len() < MAX_KEYS
                && !self.checks.keys.insert(fragment_hash(&key))
            {
                self.flaw(id, FlawKind::AccesskeyDuplicate, &key);
            }
        }
        if traits & (trait_of::ARIA | trait_of::ROLE) != 0 {
            self.check_aria(id, element);
        }
    }

    fn check_aria(&mut self, id: NodeId, element: &Element) {
        for attr in element.attrs.iter().filter(|attr| attr.name.ns == ns!()) {
            let (name, value) = (&*attr.name.local, &*attr.value);
            if name == "role" {
                if !aria::is_role(value) {
                    self.flaw(id, FlawKind::AriaInvalid, &format!("role={}", value.trim()));
                }
            } else if let Some(name) = name.strip_prefix("aria-") {
                match aria::judge(name, value) {
                    aria::Verdict::Fine => {}
                    aria::Verdict::Wrong => {
                        self.flaw(id, FlawKind::AriaInvalid, &format!("aria-{name}={}", value.trim()));
                    }
                    aria::Verdict::Refers => self.check_reference(id, element, name, value),
                }
            }
        }
    }

    fn check_reference(&mut self, id: NodeId, element: &Element, name: &str, value: &str) {
        let says = |name: LocalName, word: &str| {
            element.attr(&name).is_some_and(|value| value.trim().eq_ignore_ascii_case(word))
        };
        // What opens only later may be made only then; axe-core lets these go as well.
        let is_closed = says(local_name!("aria-expanded"), "false")
            || says(local_name!("aria-selected"), "false")
            || element
                .attr(&local_name!("aria-haspopup"))
                .is_some_and(|value| !value.trim().eq_ignore_ascii_case("false"));
        let is_valid = !element
            .attr(&local_name!("aria-invalid"))
            .is_some_and(|value| !matches!(value.trim(), "" | "false"));
        if (matches!(name, "controls" | "owns") && is_closed) || (name == "errormessage" && is_valid) {
            return;
        }
        let ids = ids(value);
        if !ids.is_empty() {
            let detail = format!("aria-{name}={}", value.trim());
            self.postpone(FlawKind::AriaReferenceBroken, id, &detail, Unless::All(ids));
        }
    }

    fn check_named(
        &mut self,
        id: NodeId,
        element: &Element,
        flags: u16,
        traits: u16,
        before: u32,
        context: &Context,
    ) {
        let name = element.name();
        match *name {
            local_name!("body") => {
                self.facts.main_missing = true;
                let hidden = element.attr(&local_name!("aria-hidden"));
                if hidden.is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
                    self.flaw(id, FlawKind::AriaHiddenBody, "");
                }
                return;
            }
            local_name!("label") => {
                if self.checks.labels.len() < MAX_KEYS {
                    // A label that is not shown names its field all the same.
                    self.checks.labels.push(context.hidden);
                    let number = self.checks.labels.len() as u32;
                    let around = std::mem::replace(&mut self.checks.label, number);
                    self.ask_at_end(Check::Label(number, around, before));
                }
                return;
            }
            local_name!("picture") => {
                let images = self.images;
                return self.ask_at_end(Check::Picture(images));
            }
            _ => {}
        }
        if self.structure(id, element, traits, context)
            || context.hidden
            || context.in_noscript
            || !context.in_body
        {
            return;
        }
        let role = if traits & trait_of::ROLE == 0 { "" } else { first_role(element) };
        let is_nothing = role.eq_ignore_ascii_case("none") || role.eq_ignore_ascii_case("presentation");
        let alts = self.checks.empty_alts;
        match *name {
            local_name!("a") if element.attr(&local_name!("href")).is_some() && !is_nothing => {
                let is_button = role.eq_ignore_ascii_case("button");
                let check = if is_button { Check::Button(before) } else { Check::Link(before, alts) };
                self.ask_at_end(check);
            }
            local_name!("area") => self.check_area(id, element, traits),
            local_name!("button") if !is_nothing => self.ask_at_end(Check::Button(before)),
            local_name!("input") | local_name!("select") | local_name!("textarea") if !is_nothing => {
                self.check_field(id, element, traits, self.checks.label);
            }
            local_name!("iframe") | local_name!("frame") => self.check_frame(id, element, traits, is_nothing),
            _ if flags & CUSTOM != 0 => {}
            _ if role.eq_ignore_ascii_case("button") => {
                self.ask_at_end(Check::Button(before));
            }
            _ if role.eq_ignore_ascii_case("link") => {
                self.ask_at_end(Check::Link(before, alts));
            }
            _ => {}
        }
    }

    fn check_area(&mut self, id: NodeId, element: &Element, traits: u16) {
        let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
        let Some(href) = attr(local_name!("href")) else { return };
        let alt = attr(local_name!("alt"));
        let hash = fragment_hash(href.trim());
        if traits & trait_of::NAMED != 0 || alt.is_some_and(|alt| !is_blank(alt)) {
            if self.checks.areas.len() < MAX_KEYS {
                self.checks.areas.insert(hash);
            }
            return;
        }
        let unless = match attr(local_name!("aria-labelledby")) {
            Some(refers) => Unless::Any(ids(refers)),
            // HTML: the alternative text may be empty where another area of the same address has one.
            None if alt.is_some() => Unless::Area(hash),
            None => Unless::Any(Box::default()),
        };
        self.postpone(FlawKind::AreaAltMissing, id, href, unless);
    }

    fn check_field(&mut self, id: NodeId, element: &Element, traits: u16, around: u32) {
        let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
        let is_input = *element.name() == local_name!("input");
        let kind = if is_input {
            attr(local_name!("type")).unwrap_or_default().trim().to_ascii_lowercase()
        } else {
            String::new()
        };
        let is_named = traits & trait_of::NAMED != 0;
        match kind.as_str() {
            "hidden" => return,
            // One without the attribute is an image without alt.
            "image" => {
                if !is_named && attr(local_name!("alt")).is_some_and(is_blank) {
                    let src = attr(local_name!("src")).unwrap_or_default();
                    self.postpone(FlawKind::ButtonNameMissing, id, src, self.labels_of(element, around));
                }
                return;
            }
            "submit" | "reset" | "button" => {
                // The first two have a name of their own as long as nobody takes it away.
                let is_bare = attr(local_name!("value")).map_or(kind == "button", is_blank);
                if is_bare && !is_named {
                    self.postpone(FlawKind::ButtonNameMissing, id, "", self.labels_of(element, around));
                }
                return;
            }
            _ => {}
        }
        if is_named || attr(local_name!("placeholder")).is_some_and(|text| !is_blank(text)) {
            return;
        }
        let detail = attr(local_name!("name")).or_else(|| attr(local_name!("id"))).unwrap_or_default();
        self.postpone(FlawKind::FieldLabelMissing, id, detail, self.labels_of(element, around));
    }

    fn labels_of(&self, element: &Element, around: u32) -> Unless {
        let ids = element.attr(&local_name!("aria-labelledby")).map(|value| ids(value)).unwrap_or_default();
        let own = element.attr(&local_name!("id")).filter(|id| !id.is_empty()).map(|id| fragment_hash(id));
        Unless::Labelled { ids, own, around }
    }

    fn check_frame(&mut self, id: NodeId, element: &Element, traits: u16, is_nothing: bool) {
        let tabindex = element.attr(&local_name!("tabindex")).and_then(|value| integer(value));
        if traits & trait_of::NAMED != 0 || is_nothing || tabindex.is_some_and(|number| number < 0) {
            return;
        }
        let src = element.attr(&local_name!("src")).map_or("", |src| &**src);
        let refers =
            element.attr(&local_name!("aria-labelledby")).map(|value| ids(value)).unwrap_or_default();
        self.postpone(FlawKind::FrameTitleMissing, id, src, Unless::Any(refers));
    }

    /// Judges the current element at its end.
    pub(crate) fn check_end(&mut self) {
        let (Some(frame), Some(check)) = (self.frames.last(), self.checks.open.pop()) else { return };
        let (id, context) = (frame.node, frame.context);
        // The marks are taken back whatever the element is.
        match check {
            Check::Label(_, around, _) => self.checks.label = around,
            Check::Table(around) => self.end_of_table(id, around),
            Check::Media(around) => self.end_of_media(id, around, &context),
            Check::Link(..) | Check::Button(_) | Check::Picture(_) => {}
        }
        let Some(element) = self.tree.element(id) else { return };
        match check {
            Check::Link(names, alts) if self.checks.names == names => {
                let href = element.attr(&local_name!("href")).map_or("", |href| &**href);
                let refers = element.attr(&local_name!("aria-labelledby")).map(|value| ids(value));
                if self.checks.empty_alts > alts {
                    let unless = Unless::Any(refers.clone().unwrap_or_default());
                    self.postpone(FlawKind::ImageAltEmptyInLink, id, href, unless);
                }
                self.postpone(FlawKind::LinkNameMissing, id, href, Unless::Any(refers.unwrap_or_default()));
            }
            Check::Button(names) if self.checks.names == names => {
                let unless = self.labels_of(element, self.checks.label);
                self.postpone(FlawKind::ButtonNameMissing, id, "", unless);
            }
            Check::Label(number, _, names) => {
                let Some(is_named) = self.checks.labels.get_mut((number as usize).wrapping_sub(1)) else {
                    return;
                };
                *is_named |= self.checks.names > names;
                if *is_named
                    && let Some(target) = element.attr(&local_name!("for"))
                    && self.checks.labelled.len() < MAX_KEYS
                {
                    self.checks.labelled.insert(fragment_hash(target));
                }
            }
            Check::Picture(images) if self.images == images => self.flaw(id, FlawKind::PictureWithoutImg, ""),
            Check::Link(..) | Check::Button(_) | Check::Picture(_) | Check::Table(_) | Check::Media(_) => {}
        }
    }

    /// The end of the current element is to be asked this.
    pub(crate) fn ask_at_end(&mut self, check: Check) {
        if let Some(frame) = self.frames.last_mut()
            && !frame.is_checked
        {
            frame.is_checked = true;
            self.checks.open.push(check);
        }
    }

    fn postpone(&mut self, kind: FlawKind, node: NodeId, detail: &str, unless: Unless) {
        if self.outer.is_none() && self.checks.pending.len() < MAX_PENDING {
            let detail = super::text::cut(detail.trim(), super::flaws::MAX_DETAIL).into();
            self.checks.pending.push(Pending { kind, node, detail, unless });
        }
    }

    /// Judges what had to wait for all ids and labels, which `self.anchors` now has in order.
    pub(crate) fn check_pending(&mut self) {
        // Of a page that was not read to its end nobody knows the ids that would have come.
        let is_whole = !self.facts.problems.iter().any(|problem| problem.code == "elements-too-many");
        for Pending { kind, node, detail, unless } in std::mem::take(&mut self.checks.pending) {
            let exists = |id: &u64| self.anchors.binary_search(id).is_ok();
            let (holds, refers) = match &unless {
                Unless::All(ids) => (ids.iter().all(exists), true),
                Unless::Any(ids) => (ids.iter().any(exists), !ids.is_empty()),
                Unless::Labelled { ids, own, around } => (
                    ids.iter().any(exists)
                        || own.is_some_and(|id| self.checks.labelled.contains(&id))
                        || self
                            .checks
                            .labels
                            .get((*around as usize).wrapping_sub(1))
                            .is_some_and(|named| *named),
                    true,
                ),
                Unless::Area(href) => (self.checks.areas.contains(href), true),
            };
            if !holds && (is_whole || !refers) {
                self.flaw_at(node, kind, &detail);
            }
        }
    }
}

/// The first token of an element's role.
pub(crate) fn first_role(element: &Element) -> &str {
    element
        .attr(&local_name!("role"))
        .and_then(|role| role.split_ascii_whitespace().next())
        .unwrap_or_default()
}

fn ids(value: &str) -> Box<[u64]> {
    value.split_ascii_whitespace().take(100).map(fragment_hash).collect()
}

/// HTML, "rules for parsing integers".
pub(crate) fn integer(value: &str) -> Option<i64> {
    let value = value.trim_start_matches([' ', '\t', '\n', '\u{c}', '\r']);
    let (sign, digits) = match value.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, value.strip_prefix('+').unwrap_or(value)),
    };
    let end = digits.bytes().take_while(u8::is_ascii_digit).count();
    digits[..end.min(18)].parse::<i64>().ok().map(|number| sign * number)
}
