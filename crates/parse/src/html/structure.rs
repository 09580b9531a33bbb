//! Tables without headers, lists with the wrong contents, and films without captions.

use super::arena::{Element, NodeId};
use super::checks::{Check, first_role, trait_of};
use super::tags::{CUSTOM, LISTED};
use super::walk::{Context, Walk};
use html5ever::{LocalName, local_name};
use model::FlawKind;

/// Tables and films told apart; those of a page that has more are not judged.
const MAX_HELD: usize = 10_000;

/// A table as far as it has been read.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: u32,
    /// Cells of the longest row.
    columns: u32,
    /// Cells of the row that is being read.
    cells: u32,
    has_header: bool,
    /// A caption, a head or a foot: nobody gives these to a table that only arranges things.
    is_marked: bool,
    /// It is told to be no table, is not shown, or holds another table or is held by one, as tables that arrange things do.
    is_exempt: bool,
}

/// A video or audio element as far as it has been read.
#[derive(Debug, Default)]
pub(crate) struct Media {
    has_source: bool,
    has_captions: bool,
    /// Its captions may be inside: a playlist of HLS or DASH.
    is_stream: bool,
}

/// What an element is for those it stands in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum List {
    #[default]
    None,
    /// `ul`, `ol`, `menu`.
    Items,
    /// `dl`.
    Terms,
    /// A `div` in a `dl`.
    Group,
    /// A list whose role is another, or an element of which nobody knows what it is: anything may stand in it.
    Any,
}

impl Walk<'_> {
    /// Reads what tables and films are made of. True: the element is one of these and nothing else is to be asked of it.
    pub(crate) fn structure(
        &mut self,
        id: NodeId,
        element: &Element,
        traits: u16,
        context: &Context,
    ) -> bool {
        let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
        match *element.name() {
            local_name!("table") => self.enter_table(element, traits, context),
            local_name!("tr") => {
                if let Some(table) = self.table() {
                    table.rows += 1;
                    table.cells = 0;
                }
            }
            local_name!("td") => {
                let is_header = attr(local_name!("scope")).is_some()
                    || attr(local_name!("headers")).is_some()
                    || (traits & trait_of::ROLE != 0
                        && ["rowheader", "columnheader"]
                            .iter()
                            .any(|role| first_role(element).eq_ignore_ascii_case(role)));
                if let Some(table) = self.table() {
                    table.cells += 1;
                    table.columns = table.columns.max(table.cells);
                    table.has_header |= is_header;
                }
            }
            local_name!("th") => {
                if let Some(table) = self.table() {
                    table.has_header = true;
                }
            }
            local_name!("caption") | local_name!("thead") | local_name!("tfoot") => {
                if let Some(table) = self.table() {
                    table.is_marked = true;
                }
            }
            local_name!("video") | local_name!("audio") => self.enter_media(element),
            local_name!("source") => {
                let src = attr(local_name!("src"));
                if let (Some(src), Some(media)) = (src, self.film()) {
                    media.has_source = true;
                    media.is_stream |= is_stream(src);
                }
            }
            local_name!("track") => {
                // HTML: subtitles, where the kind is missing; metadata, where it is none.
                let kind = attr(local_name!("kind")).unwrap_or("subtitles").trim();
                let is_caption =
                    kind.eq_ignore_ascii_case("captions") || kind.eq_ignore_ascii_case("subtitles");
                if let Some(media) = self.film() {
                    media.has_captions |= is_caption;
                }
            }
            local_name!("object") | local_name!("embed") | local_name!("applet") => {
                if let Some(plugin) = plugin(element) {
                    self.flaw(id, FlawKind::PluginContent, plugin);
                }
            }
            _ => return false,
        }
        true
    }

    fn table(&mut self) -> Option<&mut Table> {
        self.checks.tables.get_mut((self.checks.table as usize).wrapping_sub(1))
    }

    fn film(&mut self) -> Option<&mut Media> {
        self.checks.media.get_mut((self.checks.film as usize).wrapping_sub(1))
    }

    fn enter_table(&mut self, element: &Element, traits: u16, context: &Context) {
        if self.checks.tables.len() >= MAX_HELD {
            let around = std::mem::take(&mut self.checks.table);
            return self.ask_at_end(Check::Table(around));
        }
        if let Some(outer) = self.table() {
            outer.is_exempt = true;
        }
        let role = if traits & trait_of::ROLE == 0 { "" } else { first_role(element) };
        let is_nothing = ["none", "presentation"].iter().any(|word| role.eq_ignore_ascii_case(word));
        self.checks.tables.push(Table {
            is_exempt: is_nothing || self.checks.table != 0 || context.hidden || context.in_noscript,
            is_marked: element.attr(&local_name!("summary")).is_some_and(|text| !text.trim().is_empty()),
            ..Table::default()
        });
        let number = self.checks.tables.len() as u32;
        let around = std::mem::replace(&mut self.checks.table, number);
        self.ask_at_end(Check::Table(around));
    }

    /// What tables arrange and what they tell is told apart as axe-core does it, but for styles: by captions and heads, by five
    /// columns, or by twenty rows (of three columns, since listings of programs have two).
    pub(crate) fn end_of_table(&mut self, id: NodeId, around: u32) {
        let number = std::mem::replace(&mut self.checks.table, around);
        let Some(table) = self.checks.tables.get((number as usize).wrapping_sub(1)) else { return };
        let (rows, columns) = (table.rows, table.columns);
        let is_data = (table.is_marked && rows >= 2 && columns >= 2)
            || (columns >= 5 && rows >= 3)
            || (columns >= 3 && rows >= 20);
        if is_data && !table.has_header && !table.is_exempt {
            self.flaw_at(id, FlawKind::TableHeadersMissing, &format!("{rows} rows, {columns} columns"));
        }
    }

    fn enter_media(&mut self, element: &Element) {
        if self.checks.media.len() >= MAX_HELD {
            let around = std::mem::take(&mut self.checks.film);
            return self.ask_at_end(Check::Media(around));
        }
        let src = element.attr(&local_name!("src")).map(|src| &**src);
        self.checks.media.push(Media {
            has_source: src.is_some_and(|src| !src.trim().is_empty()),
            is_stream: src.is_some_and(is_stream),
            ..Media::default()
        });
        let number = self.checks.media.len() as u32;
        let around = std::mem::replace(&mut self.checks.film, number);
        self.ask_at_end(Check::Media(around));
    }

    pub(crate) fn end_of_media(&mut self, id: NodeId, around: u32, context: &Context) {
        let number = std::mem::replace(&mut self.checks.film, around);
        let Some(element) = self.tree.element(id) else { return };
        let has = |name: LocalName| element.attr(&name).is_some();
        let Some(Media { has_source, has_captions, is_stream }) =
            self.checks.media.get((number as usize).wrapping_sub(1))
        else {
            return;
        };
        let is_silent = has(local_name!("muted")) || context.hidden || !*has_source || context.in_noscript;
        let lacks_captions = !*has_captions && !*is_stream && *element.name() == local_name!("video");
        if is_silent {
            return;
        }
        let src = element.attr(&local_name!("src")).map_or("", |src| &**src);
        if lacks_captions {
            self.flaw_at(id, FlawKind::VideoCaptionsMissing, src);
        }
        if has(local_name!("autoplay")) && !has(local_name!("controls")) {
            self.flaw_at(id, FlawKind::AutoplaySound, src);
        }
    }

    /// Notes text that stands in the current list, outside of its items.
    pub(crate) fn check_list_text(&mut self, id: NodeId) {
        if let Some(list) = self.tree.element(id).filter(|_| !self.context().in_noscript) {
            self.flaw(id, FlawKind::ListStructure, &format!("text in {}", &**list.name()));
        }
    }

    /// What the current element is as a list, after a look at whether it may stand where it stands.
    pub(crate) fn check_list(
        &mut self,
        id: NodeId,
        element: &Element,
        flags: u16,
        traits: u16,
        parent: List,
    ) -> List {
        if !element.is_html() {
            return List::None;
        }
        let name = element.name();
        let has_role = traits & trait_of::ROLE != 0;
        let own = match *name {
            local_name!("ul") | local_name!("ol") | local_name!("menu") if has_role => {
                if first_role(element).eq_ignore_ascii_case("list") { List::Items } else { List::Any }
            }
            local_name!("ul") | local_name!("ol") | local_name!("menu") => List::Items,
            local_name!("dl") if has_role => List::Any,
            local_name!("dl") => List::Terms,
            local_name!("div") if parent == List::Terms => List::Group,
            _ if flags & CUSTOM != 0 => List::Any,
            _ if has_role && first_role(element).eq_ignore_ascii_case("list") => List::Any,
            _ => List::None,
        };
        let context = self.context();
        if context.hidden
            || context.in_noscript
            || !context.in_body
            || (parent == List::None && flags & LISTED == 0)
        {
            return own;
        }
        let is_support = matches!(
            *name,
            local_name!("script") | local_name!("template") | local_name!("style") | local_name!("noscript")
        ) || flags & CUSTOM != 0;
        let fits = match *name {
            _ if is_support => true,
            local_name!("li") if !has_role => matches!(parent, List::Items | List::Any),
            local_name!("dt") | local_name!("dd") if !has_role => {
                matches!(parent, List::Terms | List::Group | List::Any)
            }
            local_name!("div") if parent == List::Terms => true,
            _ => has_role || !matches!(parent, List::Items | List::Terms),
        };
        if !fits {
            let around = self.parent_name().map_or("", |name| &**name);
            let detail = format!("{} in {around}", &**name);
            self.flaw(id, FlawKind::ListStructure, &detail);
        }
        own
    }
}

fn is_stream(src: &str) -> bool {
    let path = src.split(['?', '#']).next().unwrap_or_default().trim_end();
    [".m3u8", ".mpd"].iter().any(|end| {
        path.len() >= end.len()
            && path.is_char_boundary(path.len() - end.len())
            && path[path.len() - end.len()..].eq_ignore_ascii_case(end)
    })
}

/// What an element needs a plugin for: its type, or the address that tells it.
fn plugin(element: &Element) -> Option<&str> {
    const TYPES: &[&str] = &[
        "application/x-shockwave-flash",
        "application/futuresplash",
        "application/x-silverlight",
        "application/x-silverlight-2",
        "application/x-java-applet",
        "application/x-java-bean",
        "application/x-director",
        "application/vnd.adobe.flash.movie",
    ];
    const FILES: &[&str] = &[".swf", ".xap", ".dcr"];
    if *element.name() == local_name!("applet") {
        return Some("applet");
    }
    let attr = |name: LocalName| element.attr(&name).map(|value| &**value);
    if let Some(kind) = attr(local_name!("type")) {
        let essence = kind.split(';').next().unwrap_or_default().trim();
        if TYPES.iter().any(|known| essence.eq_ignore_ascii_case(known)) {
            return Some(essence);
        }
    }
    let address = attr(local_name!("data")).or_else(|| attr(local_name!("src")))?;
    let path = address.split(['?', '#']).next().unwrap_or_default().trim().to_ascii_lowercase();
    FILES.iter().any(|end| path.ends_with(end)).then_some(address)
}
