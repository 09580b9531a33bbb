//! Links as a page states them.

use crate::coded;

coded! {
    /// What a link is for.
    pub enum LinkKind {
        Anchor = 1 => "anchor",
        Area = 2 => "area",
        Iframe = 3 => "iframe",
        Image = 4 => "image",
        Script = 5 => "script",
        Style = 6 => "style",
        Font = 7 => "font",
        Media = 8 => "media",
        Icon = 9 => "icon",
        Manifest = 10 => "manifest",
        Canonical = 11 => "canonical",
        Hreflang = 12 => "hreflang",
        Next = 13 => "next",
        Prev = 14 => "prev",
        Amp = 15 => "amp",
        Redirect = 16 => "redirect",
        MetaRefresh = 17 => "meta-refresh",
        Form = 18 => "form",
        Feed = 19 => "feed",
        Preload = 20 => "preload",
        Preconnect = 21 => "preconnect",
        /// og:image, twitter:image and the like.
        Social = 22 => "social",
        /// An address inside JSON-LD.
        Data = 23 => "data",
        Object = 24 => "object",
        /// Any other `link rel`, kept but never asked by default.
        Other = 25 => "other",
    }
}

impl LinkKind {
    /// The kinds whose targets are pages a person reaches by clicking: what *inlink* means unless said otherwise.
    pub const fn is_navigation(self) -> bool {
        matches!(self, Self::Anchor | Self::Area)
    }

    /// The kinds that a browser loads to show a page.
    pub const fn is_resource(self) -> bool {
        matches!(
            self,
            Self::Image
                | Self::Script
                | Self::Style
                | Self::Font
                | Self::Media
                | Self::Icon
                | Self::Manifest
                | Self::Preload
                | Self::Social
                | Self::Data
                | Self::Object
        )
    }
}

coded! {
    /// Where in the page the element stands: the nearest landmark around it.
    pub enum Position {
        Head = 1 => "head",
        Nav = 2 => "nav",
        Header = 3 => "header",
        Main = 4 => "main",
        Aside = 5 => "aside",
        Footer = 6 => "footer",
        Body = 7 => "body",
        /// A `Link:` or `Location:` header.
        Http = 8 => "http",
    }
}

coded! {
    /// What a crawl does with the targets of one link kind.
    pub enum Treatment {
        /// Fetched and read.
        Crawl = 3 => "crawl",
        /// Asked for the status only.
        Check = 2 => "check",
        /// Kept, not asked.
        Store = 1 => "store",
        /// Not kept.
        Off = 0 => "off",
    }
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// An http or https URL, WHATWG-serialised, without fragment; cut at 10,000 bytes.
    Http(Box<str>),
    /// Another scheme (mailto:, tel:, javascript:, data: …), serialised; cut at 10,000 bytes, data: URLs at 1,024.
    OtherScheme(Box<str>),
    /// No URL parser accepts it.
    Invalid,
}

/// One occurrence of a link on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub kind: LinkKind,
    pub target: LinkTarget,
    /// The attribute as written, entities decoded once, white space untouched; at most 10,000 characters.
    pub raw_href: Box<str>,
    /// Anchor: the visible text, white space collapsed (an image inside contributes its alt). Image: the alt text.
    /// Both are cut at 2,000 bytes. Hreflang: the language code, at most 100 bytes. `None`: the attribute or text does
    /// not exist (an absent alt), unlike an empty one.
    pub text: Option<Box<str>>,
    /// The `rel` attribute, lower-cased, white space collapsed, at most 256 bytes; empty when absent.
    pub rel: Box<str>,
    /// The `target` attribute (`_blank`), at most 256 bytes; empty when absent.
    pub window: Box<str>,
    pub position: Position,
    /// Index into `PageFacts::element_paths`.
    pub path: u32,
    /// One-based line of the element's start tag in the decoded source; 0 for HTTP headers.
    pub line: u32,
    /// `width` and `height` attributes of an image, in CSS pixels, where they are numbers.
    pub size: Option<(u32, u32)>,
    /// The link stands inside `noscript`.
    pub in_noscript: bool,
}

impl Link {
    /// Whether the link itself asks not to be followed: nofollow, ugc or sponsored.
    pub fn is_nofollow(&self) -> bool {
        self.rel.split(' ').any(|token| matches!(token, "nofollow" | "ugc" | "sponsored"))
    }
}
